/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reduction of the index while it is under way: reduce.c, combine.c, dummy.c. Not installed. */
#ifndef BONDGRAPH_REDUCE_PRIV_H
#define BONDGRAPH_REDUCE_PRIV_H

#include "bondgraph/causality/causal_order.h"
#include "bondgraph/equations/reduce.h"

#include <stdint.h>

/* An unknown j in a row, differentiated k times. */
typedef struct bg__incidence {
    int row, j, k;
    ha_expr symbol, partial; /* of the unknown; d row / d symbol */
} bg__incidence;

/* What is known of the rows and their highest derivatives z. */
typedef struct bg__reducer {
    const bg__system *s;
    bg__reduction *out;
    ha_dag *dag; /* a copy without the values of constants */
    int n;
    ha_expr *value;    /* (n) the rows: as the system has them, or what replaced them */
    bool *is_combined; /* (n) something did */
    int n_combined;
    HA_ARRAY(bg__incidence) entries; /* in order of rows; behind the rows: of rates */
    int *start;                      /* (n + 1) entries of each row */
    int *of_symbol;                  /* by node: unknown j of which it is y: 2 j, y': 2 j + 1; -1 */
    int n_nodes;
    uint64_t *residue; /* by node, as many as there were when the entries were found */
    int *level;        /* (n) of unknown j: z is its derivative of this order, 0 or 1 */
    int *times;        /* (n) how often a row is differentiated, 0 or 1 */
    int *row_of;       /* (n) match of unknown j, -1 */
    int *unknown_of;   /* (n) match of row, -1 */
    int *seen;         /* (n) by unknown: stamp of the search that met it */
    int *from;         /* (n) by unknown: row from which it was met */
    int *queue;        /* (n) rows */
    int stamp;
} bg__reducer;

/* combine.c: true when a row, differentiated as often as it is, contains the z of an entry's
 * unknown. */
bool bg__holds_highest(const bg__reducer *x, const bg__incidence *entry);

/* dummy.c: true for an unknown that needs no start value. */
bool bg__is_signal(const bg__reducer *x, int j);

/* A match that is not to be given up: of a differentiated row with the derivative of a signal. */
bool bg__is_settled(const bg__reducer *x, int j);

/* Makes sure that the differentiated rows that are matched with derivatives of signals
   determine these signals as they stand; takes others where they do not. */
HA_MUST_CHECK ha_status bg__choose_dummies(bg__reducer *x);

/*
 * Looks for a combination of some rows, differentiated as often as they are, that contains no z,
 * and puts it instead of one that is not differentiated. `*is_done`: there was one.
 */
HA_MUST_CHECK ha_status bg__combine_rows(bg__reducer *x, const int *rows, int n, bool *is_done);

/*
 * Looks for rows that are dependent in their z although each has one of its own, and combines them.
 */
HA_MUST_CHECK ha_status bg__combine_dependent(bg__reducer *x, bool *is_done);

/* Lists which unknown each symbol is, or is the derivative of. */
HA_MUST_CHECK ha_status bg__index_symbols(bg__reducer *x);

/* Takes the entries out that vanish, and remembers them. */
HA_MUST_CHECK ha_status bg__find_entries(bg__reducer *x);

#endif
