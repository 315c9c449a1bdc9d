/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bonds at ports, those of instances included. Not installed. */
#ifndef BONDGRAPH_BONDS_PRIV_H
#define BONDGRAPH_BONDS_PRIV_H

#include "bondgraph/graph/graph_priv.h"

/* The number of ports that an element has; 0: any number, a junction. */
int bg__most_ports(const bg__element *element);

/* The components that a bond at port `port` (from 0) of an element joins. */
int bg__port_dim(const bg__element *element, int port);

/* Adds a bond to given ports of its elements, those inside of instances included; a port of -1 is
   the next of its element. Checks as bg_graph_add_partial_bond(). */
HA_MUST_CHECK ha_status bg__add_bond_at(bg_graph *graph, const bg_bond_def *def, const int ports[2],
                                        bg_bond *out);

/* True when a bond is at port `port` of an element that is no junction. */
bool bg__is_taken(const bg_graph *graph, int element, int port);

/* HA_OK when every port of every instance has a bond. */
HA_MUST_CHECK ha_status bg__check_ports(const bg_graph *graph);

#endif
