/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of the table: measured here, written by others. */
#ifndef BENCH_ROW_H
#define BENCH_ROW_H

#include "bench/cases.h"
#include "bench/contest.h"

#include <stdio.h>

/* A row: what one program does with one task. */
typedef struct bench_row {
    const bench_case *what;
    int size;
    double tolerance;
    const char *program; /* "ida", "explicit", "explicit8", "auto", "limit_ida", "limit_schur", the
                            peer's name */
    const char *equations; /* "tapes", "code"; "" where there is no choice */
    int runs;              /* in alternation with those of the other rows of this task */
    bool is_done;          /* false: there is no result, and the following is not set */
    bench_run run;         /* of the last run, with medians of the times; without the state */
    double fastest;        /* least time of the solution [s] */
    double error, energy;  /* at the end: as the case measures it; of the energy [J] */
    double to_ida,
        to_schur; /* ratio of the medians to those of the yardsticks; NAN: they have none */
} bench_row;

/* A growing list of rows. */
typedef struct bench_rows {
    bench_row *items;
    int n, capacity;
} bench_rows;

/* Appends a row; 0, or -1 without memory. */
int bench_rows_add(bench_rows *rows, const bench_row *row);

/* What is measured, and how often. Lists are words with commas; NULL: all, as the cases have them.
 */
typedef struct bench_options {
    const char *cases, *sizes, *tolerances, *programs;
    int code_limit;  /* models of more bodies are not translated to machine code */
    int runs;        /* of each program; 0: as many as go into `seconds`, 3 to 31 */
    double seconds;  /* for all runs of one task [s] */
    double patience; /* before a yardstick is given up [s] */
    const char *csv; /* file; NULL: none */
} bench_options;

enum { BENCH_MOST = 64 }; /* numbers in a list, and cases */

/* Reads the command line; 0, or the exit status + 1 when there is nothing to do. */
int bench_read_options(int argc, char **argv, bench_options *options);

/* The numbers of a list, at most `most`; how many. */
int bench_read_numbers(const char *list, double *out, int most);

/* True when a list is NULL or has the word. */
bool bench_is_listed(const char *list, const char *word);

/* What is common to the tasks of one size of a case. */
typedef struct bench_size_tasks {
    const bench_case *what;
    int size;
    const scene *scene;
    const char *text; /* the scene as a model file */
    size_t length;
    const double *reference; /* a state; NULL where the case needs none */
    double compile[16];      /* of each program: how long the first translation took [s] */
} bench_size_tasks;

/* Runs all programs that are wanted with a tolerance and appends a row for each; the number of
   those without a result, or -1 without memory. */
int bench_measure(bench_size_tasks *tasks, double tolerance, const bench_options *options,
                  bench_rows *rows);

/* --- writing -------------------------------------------------------------------------------- */

/* The machine, the compiler and the versions in use, one per line after `prefix`. */
void bench_print_machine(FILE *out, const char *prefix);

/* The head of the table; rows; what follows from all of them. */
void bench_print_head(void);
void bench_print_row(const bench_row *row);
void bench_print_goals(const bench_rows *rows);
void bench_print_growth(const bench_rows *rows);

/* Writes all rows as CSV; 0, or -1 after a message. */
int bench_write_csv(const char *path, const bench_rows *rows);

#endif
