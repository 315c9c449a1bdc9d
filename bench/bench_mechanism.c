/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mechanisms against programs written by hand for them: one table, `make bench`. With a program of
 * others in it, `make bench-peers`.
 *
 * Machine code is kept in a directory of this run's own, so that what its compilation takes is
 * measured and not what finding it takes.
 */
#include <config.h>

#include "bench/model_text.h"
#include "bench/row.h"

#include <ftw.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- the cases ------------------------------------------------------------------------------ */

/* The state that stands for the truth; NULL where the case needs none or it cannot be had. */
static double *find_reference(const bench_case *what, const scene *s)
{
    double *state = calloc(SCENE_BODY_STATE * (size_t) s->n_bodies, sizeof *state);
    bench_task task = {
        .scene = s, .tolerance = 1e-11, .alpha = what->alpha_schur[0], .patience = HUGE_VAL
    };
    bench_run run = { .state = state };

    if (state != NULL && what->has_reference && bench_limit_schur(&task, &run) == 0) {
        return state;
    }
    free(state);
    return NULL;
}

static int run_tolerances(bench_size_tasks *tasks, const bench_size *size,
                          const bench_options *options, bench_rows *rows)
{
    double tolerances[BENCH_MOST];
    int n = bench_read_numbers(options->tolerances, tolerances, BENCH_MOST), failures = 0;

    for (int e = size->loosest;
         n < BENCH_MOST && options->tolerances == NULL && e <= size->tightest; e++) {
        tolerances[n++] = pow(10, -e);
    }
    for (int i = 0; i < n; i++) {
        int first = rows->n, failed = bench_measure(tasks, tolerances[i], options, rows);
        for (int k = first; k < rows->n; k++) {
            bench_print_row(&rows->items[k]);
        }
        failures += failed < 0 ? 1 : failed;
    }
    return failures;
}

/* All tolerances of one size; how many rows have no result. */
static int run_size(const bench_case *what, const bench_size *size, const bench_options *options,
                    bench_rows *rows)
{
    bench_size_tasks tasks = { .what = what, .size = size->n };
    scene s;

    if (what->build(size->n, &s) != 0) {
        return 1;
    }
    char *text = bench_model_text(&s, &tasks.length);
    double *reference = find_reference(what, &s);
    bool is_ready = text != NULL && (reference != NULL || !what->has_reference);

    tasks.scene = &s;
    tasks.text = text;
    tasks.reference = reference;
    int failures = is_ready ? run_tolerances(&tasks, size, options, rows) : 1;
    free(reference);
    free(text);
    scene_clear(&s);
    return failures;
}

static int run_case(const bench_case *what, const bench_options *options, bench_rows *rows)
{
    double sizes[BENCH_MOST];
    int n = bench_read_numbers(options->sizes, sizes, BENCH_MOST), failures = 0;

    if (n == 0 || what->n_sizes == 1) {
        for (int i = 0; i < what->n_sizes; i++) {
            failures += run_size(what, &what->sizes[i], options, rows);
        }
        return failures;
    }
    for (int i = 0; i < n; i++) {
        bench_size size = { (int) sizes[i], 6, 6 };
        for (int k = 0; k < what->n_sizes; k++) {
            size = what->sizes[k].n == size.n ? what->sizes[k] : size;
        }
        failures += run_size(what, &size, options, rows);
    }
    return failures;
}

/* --- a cache of its own --------------------------------------------------------------------- */

/* Room for "/halfarrow-bench-XXXXXX". */
enum { CACHE_SIZE = 4096 };

static int make_cache(char path[CACHE_SIZE])
{
    const char *directory = getenv("TMPDIR");
    int n = snprintf(path, CACHE_SIZE, "%s/halfarrow-bench-XXXXXX",
                     directory != NULL && directory[0] != '\0' ? directory : "/tmp");

    return n < CACHE_SIZE && mkdtemp(path) != NULL ? setenv("HALFARROW_CACHE", path, 1) : -1;
}

static int remove_entry(const char *path, const struct stat *found, int kind, struct FTW *where)
{
    (void) found, (void) kind, (void) where;
    return remove(path);
}

static void remove_cache(const char *path)
{
    if (nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS) != 0) {
        fprintf(stderr, "warning: `%s` is left behind\n", path);
    }
}

int main(int argc, char **argv)
{
    bench_options options = { .code_limit = INT_MAX, .seconds = 5.0, .patience = 60.0 };
    bench_rows rows = { 0 };
    char cache[CACHE_SIZE];
    int n, status = bench_read_options(argc, argv, &options);
    const bench_case *cases = bench_cases(&n);

    if (status != 0) {
        return status - 1;
    }
    if (make_cache(cache) != 0) {
        fprintf(stderr, "error: no directory for machine code can be made; TMPDIR says where\n");
        return EXIT_FAILURE;
    }
    bench_print_machine(stdout, "");
    bench_print_head();
    for (int i = 0; i < n && status == 0; i++) {
        if (bench_is_listed(options.cases, cases[i].name)) {
            (void) run_case(&cases[i], &options, &rows);
            /* at once, so that an end before its time does not lose it */
            status = options.csv == NULL ? 0 : bench_write_csv(options.csv, &rows);
        }
    }
    bench_print_goals(&rows);
    bench_print_growth(&rows);
    remove_cache(cache);
    free(rows.items);
    return status == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
