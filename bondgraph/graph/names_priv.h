/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of components and signals, and the order of names. Not installed. */
#ifndef BONDGRAPH_NAMES_PRIV_H
#define BONDGRAPH_NAMES_PRIV_H

#include "bondgraph/graph/graph_priv.h"

/* Makes the names of the components of an element that has several. */
HA_MUST_CHECK ha_status bg__name_components(bg_graph *graph, bg__element *element);

/* The rank of each element in the order of names, from 0; borrowed until an element is added. */
HA_MUST_CHECK ha_status bg__graph_ranks(bg_graph *graph, const int **out);

/* Refuses a name that is no UTF-8 text or holds what cannot be printed. */
ha_status bg__check_name(ha_ctx *ctx, const char *name, ha_where where);

/* The suffix of a signal in names: "e", "f", "p", "q", "e2", "f2"; of two-ports "e1", "f1". */
const char *bg__signal_suffix(const bg__type *type, bg_signal signal);

#endif
