/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sparse matrices at random, beside the same ones dense. Not installed. */
#ifndef TESTS_UTIL_SPARSE_H
#define TESTS_UTIL_SPARSE_H

#include "tests/util/dense.h"
#include "tests/util/random.h"

enum { SPARSE_MOST = 40 };

/* A matrix in compressed columns, rows ascending, and dense row by row. */
typedef struct {
    int n;
    int64_t start[SPARSE_MOST + 1], row[SPARSE_MOST * SPARSE_MOST];
    int start_int[SPARSE_MOST + 1], row_int[SPARSE_MOST * SPARSE_MOST]; /* the same */
    double value[SPARSE_MOST * SPARSE_MOST];
    double dense[SPARSE_MOST * SPARSE_MOST];
} sparse;

/* Lists the entries of the dense matrix that are not 0, and of the diagonal where asked for. */
static inline void sparse_list(sparse *s, int with_diagonal)
{
    int64_t k = 0;

    for (int j = 0; j < s->n; j++) {
        s->start[j] = k;
        for (int i = 0; i < s->n; i++) {
            if (s->dense[i * s->n + j] != 0.0 || (with_diagonal && i == j)) {
                s->row[k] = i;
                s->row_int[k] = i;
                s->value[k++] = s->dense[i * s->n + j];
            }
        }
    }
    s->start[s->n] = k;
    for (int j = 0; j <= s->n; j++) {
        s->start_int[j] = (int) s->start[j];
    }
}

/* Other values, of 0.1 to 10 times the magnitude `size`, in the same pattern. */
static inline void sparse_fill(sparse *s, uint64_t *state, double size)
{
    memset(s->dense, 0, sizeof s->dense);
    for (int j = 0; j < s->n; j++) {
        for (int64_t k = s->start[j]; k < s->start[j + 1]; k++) {
            double value = size * pow(10.0, random_in(state, -1.0, 1.0));
            s->value[k] = random_below(state, 2) == 0 ? value : -value;
            s->dense[s->row[k] * s->n + j] = s->value[k];
        }
    }
}

/* A regular pattern of n rows: a permutation, and other entries with this density. */
static inline void sparse_make(sparse *s, uint64_t *state, int n, double density)
{
    int order[SPARSE_MOST];

    s->n = n;
    memset(s->dense, 0, sizeof s->dense);
    for (int i = 0; i < n; i++) {
        int j = random_below(state, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            s->dense[i * n + j] = j == order[i] || random_in(state, 0.0, 1.0) < density ? 1.0 : 0.0;
        }
    }
    sparse_list(s, 0);
    sparse_fill(s, state, 1.0);
}

/* A right-hand side. */
static inline void sparse_right(const sparse *s, uint64_t *state, double *b)
{
    for (int i = 0; i < s->n; i++) {
        b[i] = random_in(state, -1.0, 1.0);
    }
}

#endif
