/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups of elements: boxes in pictures. Not installed. */
#ifndef BONDGRAPH_GROUP_H
#define BONDGRAPH_GROUP_H

#include "bondgraph/graph.h"

/* Adds a group that holds whatever has its name in front, `left` of `left.rod` and `left.M1`: a box
   in pictures, of the kind `type`. HA_ERR_NAME when the name is taken. */
HA_MUST_CHECK ha_status bg__add_group(bg_graph *graph, const char *name, const char *type,
                                      ha_where where);

#endif
