/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Laws of elements and their fields. Not installed. */
#ifndef BONDGRAPH_LAW_PRIV_H
#define BONDGRAPH_LAW_PRIV_H

#include "bondgraph/graph/graph_priv.h"

/* Copies a law, checked against the element, into the graph's arena. */
HA_MUST_CHECK ha_status bg__law_copy(bg_graph *graph, const bg__element *element, const bg_law *law,
                                     const bg__law **out);

/* Refuses a field of a type that has none. */
HA_MUST_CHECK ha_status bg__check_field(bg_graph *graph, const bg__element *element);

/* An expression of a law; HA_EXPR_NONE: not given. */
ha_expr bg__law_given(const bg__law *law, bg__law_part part);

/* True when port or component `component` of an element has this signal. */
bool bg__has_signal(const bg_graph *graph, const bg__element *element, int component,
                    bg_signal signal);

/* True when port `port` of a storage with this law is one of an inertia: its energy reads the
   momentum. */
bool bg__law_is_inertia(ha_dag *dag, const bg__law *law, int port);

/* Refuses a law of which an inverse, a second law or an energy does not agree with the rest. */
HA_MUST_CHECK ha_status bg__check_law_agrees(bg_graph *graph, const bg__element *element);

/* Makes the field of an element with a law or with coupled ports whose scalar elements begin with
   number `first` of the scalar graph, for its component `component` where each has its own. */
HA_MUST_CHECK ha_status bg__field_new(bg_graph *scalar, const bg__element *element,
                                      const char *name, int first, const bg__field **out);

#endif
