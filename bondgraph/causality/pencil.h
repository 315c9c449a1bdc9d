/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The linear pencil of a system of equations, modulo a prime. Not installed. */
#ifndef BONDGRAPH_PENCIL_H
#define BONDGRAPH_PENCIL_H

#include "bondgraph/elements/causal_system.h"

#include <stdint.h>

/* How the values of the elements are taken. */
typedef enum bg__values {
    BG__VALUES_ANY,   /* drawn by chance: what holds then holds for almost all values */
    BG__VALUES_GIVEN, /* constants as they are; what varies is drawn by chance */
    BG__VALUES_MEANT  /* likewise, constants being what they were rounded from */
} bg__values;

/* value * s^power in a row and column. */
typedef struct bg__pencil_entry {
    int column;
    int power;
    uint64_t value;
} bg__pencil_entry;

/*
 * The pencil P(s): row and column i < n_definitions belong to definition i and its symbol, those
 * behind them to the rows and unknowns of the system in their order.
 */
typedef struct bg__pencil {
    int n, n_definitions;
    size_t *row_start;                  /* (n + 1) */
    HA_ARRAY(bg__pencil_entry) entries; /* those of equal row and column add up */
    int *column_of;                     /* (n_nodes) by node: column of the symbol, -1: none */
    int n_nodes;
    bool has_zeros; /* a derivative was 0: other values could give more entries */
} bg__pencil;

/* Builds it; of rows that are not `wanted` (n; NULL: all are) there are no entries. `seed` starts
   what is drawn by chance. */
HA_MUST_CHECK ha_status bg__pencil_build(const bg__system *system, bg__values values, uint64_t seed,
                                         const bool *wanted, bg__pencil *out);

/* Frees what it holds. */
void bg__pencil_clear(bg__pencil *pencil);

/* Which part of a pencil is looked at, and where. Arrays are borrowed. */
typedef struct bg__pencil_view {
    const bool *is_out;  /* (n) rows and columns that are left out; NULL: none */
    const bool *is_soft; /* (n) rows to which a random multiple of (column of the same number) / s
                            is added; NULL: none */
    const int *height; /* (n) the leading part by these heights of the columns; NULL: P(s) itself */
    uint64_t s;        /* a residue, not 0 */
} bg__pencil_view;

/* What was found. */
typedef struct bg__pencil_rank {
    int n_missing;        /* dimension less rank, added up over the diagonal blocks; 0: regular */
    uint64_t determinant; /* up to a sign that depends on the pencil alone */
    long degree;          /* of a leading part: the degree of the determinant in s at most; exactly
                             that where n_missing is 0 */
} bg__pencil_rank;

/*
 * Rank by blocks. In `right` and `left` (n; NULL: not asked for) an entry other than 0 marks a
 * column (row) of a singular diagonal block that takes part in a dependence of its columns (rows).
 */
HA_MUST_CHECK ha_status bg__pencil_examine(ha_ctx *ctx, const bg__pencil *pencil,
                                           const bg__pencil_view *view, uint64_t *right,
                                           uint64_t *left, bg__pencil_rank *out);

#endif
