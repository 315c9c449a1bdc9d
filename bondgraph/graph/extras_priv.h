/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What only some elements have: one table of extras that copying, expanding and instancing walk.
 * Not installed. */
#ifndef BONDGRAPH_EXTRAS_PRIV_H
#define BONDGRAPH_EXTRAS_PRIV_H

#include "bondgraph/graph/graph_priv.h"

/* One extra of an element as it is given: one of values, texts and number, as its kind is. */
typedef struct bg__given {
    const ha_expr *values;    /* (count) NULL: not given */
    const char *const *texts; /* (count) NULL: not given */
    int number;               /* 0: not given */
    int count;
    bool is_each; /* one for each component */
} bg__given;

/* The number of rows in extras.def. */
int bg__n_extras(void);

/* True when an element has something of row `row`. */
bool bg__has_extra(const bg__element *element, int row);

/* What an element has of row `row`, and what its component `component` has. */
bg__given bg__extra_at(const bg__element *element, int row);
bg__given bg__extra_of(const bg__element *element, int row, int component);

/* Gives an element a copy of what is given of a row; makes its extras where there are none. */
HA_MUST_CHECK ha_status bg__give_extra(bg_graph *graph, bg__element *element, int row,
                                       const bg__given *given);

/* Gives an element copies of all that its definition gives. */
HA_MUST_CHECK ha_status bg__give_extras(bg_graph *graph, bg__element *element,
                                        const bg_element_def *def);

#endif
