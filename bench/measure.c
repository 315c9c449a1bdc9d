/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One task, all programs, in alternation: in each round every program runs once, so that what else
 * the machine does falls on all of them. Times are medians over the rounds, ratios those of
 * medians.
 */
#include <config.h>

#include "bench/row.h"
#include "lib/core/clock.h"
#include "lib/dae.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FEWEST_RUNS = 3, MOST_RUNS = 31 };

static const double TOO_LONG = 2.0; /* times what all may take together: not run again */

/* Who takes part. Without a name it is the peer. */
typedef struct {
    const char *name, *equations;
    bench_program *run;
    ha_driver driver;
    bool as_code, is_ours;
} contestant;

static const contestant contestants[] = {
    { "ida", "tapes", bench_halfarrow, HA_DRIVER_IDA, false, true },
    { "ida", "code", bench_halfarrow, HA_DRIVER_IDA, true, true },
    { "explicit", "tapes", bench_halfarrow, HA_DRIVER_EXPLICIT, false, true },
    { "explicit", "code", bench_halfarrow, HA_DRIVER_EXPLICIT, true, true },
    { "explicit8", "tapes", bench_halfarrow, HA_DRIVER_EXPLICIT8, false, true },
    { "explicit8", "code", bench_halfarrow, HA_DRIVER_EXPLICIT8, true, true },
    { "auto", "tapes", bench_halfarrow, HA_DRIVER_AUTO, false, true },
    { "auto", "code", bench_halfarrow, HA_DRIVER_AUTO, true, true },
    { "limit_ida", "", bench_limit_ida, HA_DRIVER_IDA, false, false },
    { "limit_schur", "", bench_limit_schur, HA_DRIVER_EXPLICIT, false, false },
    { NULL, "", bench_peer, HA_DRIVER_EXPLICIT, false, false },
};

enum { N_CONTESTANTS = (int) HA_COUNT(contestants) };

/* The runs of a contestant. */
typedef struct {
    bool takes_part;
    int runs;
    double setup[MOST_RUNS], solve[MOST_RUNS];
    bench_run last;
} record;

double bench_clock(void)
{
    return ha__clock();
}

double bench_processor(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

int bench_rows_add(bench_rows *rows, const bench_row *row)
{
    if (rows->n == rows->capacity) {
        int capacity = rows->capacity == 0 ? 64 : 2 * rows->capacity;
        bench_row *items = realloc(rows->items, (size_t) capacity * sizeof *items);
        if (items == NULL) {
            return -1;
        }
        rows->items = items;
        rows->capacity = capacity;
    }
    rows->items[rows->n++] = *row;
    return 0;
}

/* --- running -------------------------------------------------------------------------------- */

static bool is_wanted(const contestant *c, const bench_size_tasks *tasks,
                      const bench_options *options)
{
    bool is_explicit = c->driver == HA_DRIVER_EXPLICIT || c->driver == HA_DRIVER_EXPLICIT8;
    bool needs_soft = !c->is_ours || is_explicit;

    if ((!tasks->what->is_for_all && needs_soft) ||
        (c->as_code && tasks->scene->n_bodies > options->code_limit) ||
        (c->name == NULL && bench_peer_name() == NULL)) {
        return false;
    }
    return bench_is_listed(options->programs, c->name == NULL ? "peer" : c->name);
}

static bench_task task_of(const contestant *c, const bench_size_tasks *tasks, double tolerance,
                          const bench_options *options)
{
    const bench_case *what = tasks->what;
    double alpha = c->is_ours                  ? what->alpha
                   : c->run == bench_limit_ida ? what->alpha_ida
                                               : what->alpha_schur[tasks->size > 200 ? 1 : 0];

    return (bench_task){ .scene = tasks->scene,
                         .text = tasks->text,
                         .length = tasks->length,
                         .tolerance = tolerance,
                         .alpha = alpha,
                         .patience = options->patience,
                         .driver = (int) c->driver,
                         .as_code = c->as_code };
}

static bench_run nothing(double *state)
{
    const double none = (double) NAN;

    return (bench_run){ .setup = none,
                        .compile = none,
                        .solve = none,
                        .memory = none,
                        .alpha = none,
                        .audit = none,
                        .t_switch = none,
                        .steps = -1,
                        .evaluations = -1,
                        .jacobians = -1,
                        .driver = "",
                        .state = state };
}

/* A run of each program that has not failed and is not far too slow. */
static void run_round(bench_size_tasks *tasks, double tolerance, const bench_options *options,
                      record *records)
{
    for (int i = 0; i < N_CONTESTANTS; i++) {
        record *r = &records[i];
        bench_task task = task_of(&contestants[i], tasks, tolerance, options);
        bench_run run = nothing(r->last.state);
        if (!r->takes_part || r->runs < 0 ||
            (r->runs > 0 && r->solve[0] > TOO_LONG * options->seconds)) {
            continue;
        }
        if (contestants[i].run(&task, &run) != 0) {
            r->runs = -1;
            continue;
        }
        tasks->compile[i] = fmax(tasks->compile[i], run.compile);
        run.compile = contestants[i].as_code ? tasks->compile[i] : (double) NAN;
        r->setup[r->runs] = run.setup;
        r->solve[r->runs++] = run.solve;
        r->last = run;
    }
}

static void run_rounds(bench_size_tasks *tasks, double tolerance, const bench_options *options,
                       record *records)
{
    double begin = bench_clock();
    int n = options->runs;

    run_round(tasks, tolerance, options, records);
    if (n == 0) {
        n = (int) fmin(options->seconds / (bench_clock() - begin), MOST_RUNS);
        n = n < FEWEST_RUNS ? FEWEST_RUNS : n;
    }
    for (int i = 1; i < n && i < MOST_RUNS; i++) {
        run_round(tasks, tolerance, options, records);
    }
}

/* --- rows ----------------------------------------------------------------------------------- */

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *) a, y = *(const double *) b;

    return (x > y) - (x < y);
}

static double median(double *x, int n)
{
    qsort(x, (size_t) n, sizeof *x, compare_doubles);
    return n % 2 == 1 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}

/* Median of the solutions of a yardstick; NAN when it did not arrive. */
static double time_of(const record *records, bench_program *run)
{
    for (int i = 0; i < N_CONTESTANTS; i++) {
        if (contestants[i].run == run && records[i].takes_part && records[i].runs > 0) {
            return records[i].last.solve;
        }
    }
    return (double) NAN;
}

static double energy_error(const scene *s, double *state)
{
    double end = scene_energy(s, state);

    scene_start(s, state);
    return s->stiffness > 0.0 ? (double) NAN : fabs(end - scene_energy(s, state));
}

static bench_row row_of(int i, const bench_size_tasks *tasks, double tolerance, const record *r)
{
    bench_row row = { .what = tasks->what,
                      .size = tasks->size,
                      .tolerance = tolerance,
                      .program = contestants[i].name,
                      .equations = contestants[i].equations,
                      .runs = r->runs,
                      .is_done = r->runs > 0,
                      .run = r->last };

    row.program = row.program == NULL ? bench_peer_name() : row.program;
    row.run.state = NULL;
    if (row.is_done) {
        row.fastest = r->solve[0]; /* the median has sorted them */
        row.error = tasks->what->error(tasks->size, tasks->scene, r->last.state, tasks->reference);
        row.energy = energy_error(tasks->scene, r->last.state);
    }
    return row;
}

static int add_rows(const bench_size_tasks *tasks, double tolerance, record *records,
                    bench_rows *rows)
{
    int failures = 0;

    for (int i = 0; i < N_CONTESTANTS; i++) {
        record *r = &records[i];
        if (r->runs > 0) {
            r->last.solve = median(r->solve, r->runs);
            r->last.setup = median(r->setup, r->runs);
        }
    }
    for (int i = 0; i < N_CONTESTANTS; i++) {
        if (!records[i].takes_part) {
            continue;
        }
        bench_row row = row_of(i, tasks, tolerance, &records[i]);
        row.to_ida = row.run.solve / time_of(records, bench_limit_ida);
        row.to_schur = row.run.solve / time_of(records, bench_limit_schur);
        failures += row.is_done ? 0 : 1;
        if (bench_rows_add(rows, &row) != 0) {
            return -1;
        }
    }
    return failures;
}

int bench_measure(bench_size_tasks *tasks, double tolerance, const bench_options *options,
                  bench_rows *rows)
{
    const size_t n = SCENE_BODY_STATE * (size_t) tasks->scene->n_bodies;
    double *states = calloc(N_CONTESTANTS * n, sizeof *states);
    record *records = calloc(N_CONTESTANTS, sizeof *records);
    int failures = -1;

    if (states != NULL && records != NULL) {
        for (int i = 0; i < N_CONTESTANTS; i++) {
            records[i].takes_part = is_wanted(&contestants[i], tasks, options);
            records[i].last = nothing(states + (size_t) i * n);
        }
        run_rounds(tasks, tolerance, options, records);
        failures = add_rows(tasks, tolerance, records, rows);
    }
    free(records);
    free(states);
    return failures;
}
