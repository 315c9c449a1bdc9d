/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The structure of a square sparse matrix: a matching of its rows and columns, its block triangular
   form. Not installed. */
#ifndef LIB_BLOCKS_BTF_H
#define LIB_BLOCKS_BTF_H

/*
 * Matches columns of a pattern in compressed columns, `start` (n + 1) and `row`, with rows that
 * have an entry in them, as many as can be: column_of[i] (n) is that of row i, -1: none. Returns
 * how many pairs there are. `room` (5 n) is scratch. The pattern is not changed.
 */
int ha__match_rows(int n, int *start, int *row, int *column_of, int *room);

/*
 * The blocks of the block triangular form of a pattern: bounds[b] (n + 1) is where block b begins
 * among the rows and columns as permuted. Returns how many there are; `*n_matched` is the
 * structural rank. `room` (7 n) is scratch.
 */
int ha__find_blocks(int n, int *start, int *row, int *bounds, int *n_matched, int *room);

#endif
