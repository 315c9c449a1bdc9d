/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Entries of a sparse matrix that are added one after the other in the same order each time: first
 * recorded as a list, of which the pattern is found, then added at fixed places.
 */
#ifndef BENCH_STAMPS_H
#define BENCH_STAMPS_H

#include <stdbool.h>
#include <stdlib.h>

/* A matrix under way. Zero-initialised but for `records`, true, is empty. */
typedef struct bench_stamps {
    bool records;      /* they are recorded, else added to `values` */
    int *row, *column; /* of each recorded */
    int n, capacity;   /* recorded */
    int *place, next;  /* of each among the entries, and the next one to be added */
    double *values;    /* (n_entries) borrowed */
    int *start, *rows; /* the pattern in compressed columns, rows ascending */
    int n_entries;
} bench_stamps;

/* Adds to an entry. */
static inline void bench_stamp(bench_stamps *a, int row, int column, double value)
{
    if (!a->records) {
        a->values[a->place[a->next++]] += value;
        return;
    }
    if (a->n == a->capacity) {
        a->capacity = a->capacity == 0 ? 1024 : 2 * a->capacity;
        a->row = realloc(a->row, (size_t) a->capacity * sizeof *a->row);
        a->column = realloc(a->column, (size_t) a->capacity * sizeof *a->column);
    }
    a->row[a->n] = row;
    a->column[a->n++] = column;
}

/* Finds the pattern of a matrix of n columns from what was recorded, and the places; from now on
   entries are added. */
void bench_stamps_end(bench_stamps *a, int n);

/* Frees all but the values. */
void bench_stamps_clear(bench_stamps *a);

#endif
