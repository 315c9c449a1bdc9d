/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pattern of a sparse matrix from its entries in whatever order. */
#include <config.h>

#include "bench/stamps.h"

/* A recorded entry on its way to its place. */
typedef struct {
    int row, column, stamp;
} recorded;

static int compare_recorded(const void *a, const void *b)
{
    const recorded *x = a, *y = b;

    return x->column != y->column ? x->column - y->column : x->row - y->row;
}

void bench_stamps_end(bench_stamps *a, int n)
{
    recorded *list = calloc((size_t) a->n, sizeof *list);

    a->records = false;
    a->place = calloc((size_t) a->n, sizeof *a->place);
    a->start = calloc((size_t) n + 1, sizeof *a->start);
    a->rows = calloc((size_t) a->n, sizeof *a->rows);
    for (int i = 0; i < a->n; i++) {
        list[i] = (recorded){ a->row[i], a->column[i], i };
    }
    qsort(list, (size_t) a->n, sizeof *list, compare_recorded);
    for (int i = 0; i < a->n; i++) {
        if (i == 0 || compare_recorded(&list[i], &list[i - 1]) != 0) {
            a->rows[a->n_entries++] = list[i].row;
            a->start[list[i].column + 1]++;
        }
        a->place[list[i].stamp] = a->n_entries - 1;
    }
    for (int j = 0; j < n; j++) {
        a->start[j + 1] += a->start[j];
    }
    free(list);
}

void bench_stamps_clear(bench_stamps *a)
{
    free(a->row);
    free(a->column);
    free(a->place);
    free(a->start);
    free(a->rows);
}
