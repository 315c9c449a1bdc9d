/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What follows from all rows together: the fastest run of each program that is good enough, because
 * at the same tolerance programs err differently; and how times grow with the size.
 *
 * The exponent p of t = c n^p is the slope of the straight line through (log n, log t) that has the
 * least squares; one doubtful time of a small model hardly moves it.
 */
#include <config.h>

#include "bench/row.h"

#include <math.h>
#include <string.h>

/* --- the fastest ---------------------------------------------------------------------------- */

static bool is_good(const bench_row *row, const bench_goal *goal)
{
    return row->is_done && row->size == goal->size && strcmp(row->what->name, goal->name) == 0 &&
           row->error <= goal->error && !(row->energy > goal->energy);
}

/* The fastest good row of a program, of all equations; NULL: none. */
static const bench_row *find_fastest(const bench_rows *rows, const bench_goal *goal,
                                     const char *program)
{
    const bench_row *best = NULL;

    for (int i = 0; i < rows->n; i++) {
        const bench_row *row = &rows->items[i];
        if (strcmp(row->program, program) == 0 && is_good(row, goal) &&
            (best == NULL || row->run.solve < best->run.solve)) {
            best = row;
        }
    }
    return best;
}

static void print_goals_head(void)
{
    printf("\nThe fastest run of each program that is good enough, whatever its tolerance\n\n"
           "%-9s %5s %-21s %-11s %-5s %5s %10s %8s %8s %6s %6s\n",
           "case", "size", "wanted", "driver", "as", "tol", "solve/ms", "error", "energy/J", "/ida",
           "/schur");
}

static void print_ratio(const bench_row *row, const bench_row *to)
{
    if (to == NULL) {
        printf(" %6s", "-");
    } else {
        printf(" %6.2f", row->run.solve / to->run.solve);
    }
}

/* The head comes with the first line. */
static void print_goal(const bench_rows *rows, const bench_goal *goal, bool *has_head)
{
    const char *programs[] = { "ida",       "explicit",    "explicit8",      "auto",
                               "limit_ida", "limit_schur", bench_peer_name() };
    const bench_row *ida = find_fastest(rows, goal, "limit_ida");
    const bench_row *schur = find_fastest(rows, goal, "limit_schur");

    for (size_t i = 0; i < sizeof programs / sizeof programs[0] && programs[i] != NULL; i++) {
        const bench_row *row = find_fastest(rows, goal, programs[i]);
        if (row == NULL) {
            continue;
        }
        if (!*has_head) {
            print_goals_head();
            *has_head = true;
        }
        printf("%-9s %5d %-21s %-11s %-5s %5.0e %10.2f %8.1e %8.1e", goal->name, goal->size,
               goal->text, row->program, row->equations, row->tolerance, 1e3 * row->run.solve,
               row->error, row->energy);
        print_ratio(row, ida);
        print_ratio(row, schur);
        printf("\n");
    }
}

void bench_print_goals(const bench_rows *rows)
{
    int n;
    const bench_goal *goals = bench_goals(&n);
    bool has_head = false;

    for (int i = 0; i < n; i++) {
        print_goal(rows, &goals[i], &has_head);
    }
}

/* --- growth --------------------------------------------------------------------------------- */

static const int SMALLEST = 10; /* below, times do not depend on the size alone */
static const double TOLERANCE = 1e-6;

/* Sums for the line of least squares. */
typedef struct {
    int n, smallest, largest;
    double x, y, xx, xy;
} sums;

static void add_point(sums *s, int size, double seconds)
{
    double x = log(size), y = log(seconds);

    s->smallest = s->n == 0 || size < s->smallest ? size : s->smallest;
    s->largest = s->n == 0 || size > s->largest ? size : s->largest;
    s->n++;
    s->x += x, s->y += y;
    s->xx += x * x, s->xy += x * y;
}

static double slope(const sums *s)
{
    return (s->n * s->xy - s->x * s->y) / (s->n * s->xx - s->x * s->x);
}

static void print_growth_head(void)
{
    printf("\nGrowth with the size: p of t = c size^p at a tolerance of %.0e\n\n"
           "%-9s %14s  %-11s %-5s %7s %7s\n",
           TOLERANCE, "case", "sizes", "driver", "as", "set-up", "solve");
}

/* The growth of one program with one case; `like` is any of its rows. The head comes with the first
   line. */
static void print_growth_of(const bench_rows *rows, const bench_row *like, bool *has_head)
{
    sums setup = { 0 }, solve = { 0 };

    for (int i = 0; i < rows->n; i++) {
        const bench_row *row = &rows->items[i];
        if (row->what != like->what || strcmp(row->program, like->program) != 0 ||
            strcmp(row->equations, like->equations) != 0 || !row->is_done || row->size < SMALLEST ||
            fabs(log(row->tolerance / TOLERANCE)) > 1e-6) {
            continue;
        }
        add_point(&solve, row->size, row->run.solve);
        if (!isnan(row->run.setup)) {
            add_point(&setup, row->size, row->run.setup);
        }
    }
    if (solve.n < 2) {
        return;
    }
    if (!*has_head) {
        print_growth_head();
        *has_head = true;
    }
    printf("%-9s %5d to %5d  %-11s %-5s", like->what->name, solve.smallest, solve.largest,
           like->program, like->equations);
    if (setup.n < 2) {
        printf(" %7s", "-");
    } else {
        printf(" %7.2f", slope(&setup));
    }
    printf(" %7.2f\n", slope(&solve));
}

/* True when an earlier row is of the same case, program and equations. */
static bool is_known(const bench_rows *rows, int i)
{
    const bench_row *row = &rows->items[i];

    for (int j = 0; j < i; j++) {
        const bench_row *other = &rows->items[j];
        if (other->what == row->what && strcmp(other->program, row->program) == 0 &&
            strcmp(other->equations, row->equations) == 0) {
            return true;
        }
    }
    return false;
}

void bench_print_growth(const bench_rows *rows)
{
    bool has_head = false;

    for (int i = 0; i < rows->n; i++) {
        if (!is_known(rows, i)) {
            print_growth_of(rows, &rows->items[i], &has_head);
        }
    }
}
