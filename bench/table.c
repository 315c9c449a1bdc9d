/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table for readers: a row as soon as it is measured. */
#include <config.h>

#include "bench/row.h"

#include <math.h>
#include <string.h>

static void print_nothing(int width)
{
    printf(" %*s", width, "-");
}

static void print_fixed(double x, int width, int digits)
{
    if (isnan(x)) {
        print_nothing(width);
    } else {
        printf(" %*.*f", width, digits, x);
    }
}

static void print_power(double x)
{
    if (isnan(x)) {
        print_nothing(8);
    } else {
        printf(" %8.1e", x);
    }
}

static void print_count(long n, int width)
{
    if (n < 0) {
        print_nothing(width);
    } else {
        printf(" %*ld", width, n);
    }
}

void bench_print_head(void)
{
    int n;
    const bench_case *cases = bench_cases(&n);

    printf("\nMedians of processor times, runs in alternation. set-up: from the text of the model "
           "file "
           "to a\nconsistent start; comp.: translation to machine code, by the wall; solve: from "
           "creating the\nintegrator to the end time; evals: evaluations of the equations; /ida, "
           "/schur: ratio of solve to\nthat of the programs written by hand at the same tolerance; "
           "error, at the end:\n");
    for (int i = 0; i < n; i++) {
        printf("  %-10s %s\n", cases[i].name, cases[i].measure);
    }
    printf("energy/J: error of the energy at the end; audit/J: the largest over the run by "
           "halfarrow's "
           "own book\n\n");
    printf("%-9s %5s %5s %-11s %-5s %4s %9s %9s %10s %7s %8s %8s %8s %8s %5s %6s %6s\n", "case",
           "size", "tol", "driver", "as", "runs", "set-up/ms", "comp./ms", "solve/ms", "steps",
           "evals", "error", "energy/J", "audit/J", "MB", "/ida", "/schur");
}

/* What `auto` did. */
static void print_choice(const bench_row *row)
{
    if (strcmp(row->program, "auto") == 0 && row->run.reason != NULL) {
        printf("  at %.3g s to %s: %s", row->run.t_switch, row->run.driver, row->run.reason);
    }
}

void bench_print_row(const bench_row *row)
{
    const bench_run *run = &row->run;

    printf("%-9s %5d %5.0e %-11s %-5s", row->what->name, row->size, row->tolerance, row->program,
           row->equations);
    if (row->is_done) {
        printf(" %4d", row->runs);
        print_fixed(1e3 * run->setup, 9, 2);
        print_fixed(1e3 * run->compile, 9, 0);
        print_fixed(1e3 * run->solve, 10, 2);
        print_count(run->steps, 7);
        print_count(run->evaluations, 8);
        print_power(row->error);
        print_power(row->energy);
        print_power(run->audit);
        print_fixed(run->memory, 5, 0);
        print_fixed(row->to_ida, 6, 2);
        print_fixed(row->to_schur, 6, 2);
        print_choice(row);
        printf("\n");
    } else {
        printf(" does not arrive\n");
    }
    fflush(stdout);
}
