/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rows as CSV, behind comments with `#` that name the machine. Times are in seconds; a cell
 * without a value is empty. doc/speed.gp makes its pictures from such a file.
 */
#include <config.h>

#include "bench/row.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static void write_number(FILE *out, double x)
{
    if (isnan(x)) {
        fprintf(out, ",");
    } else {
        fprintf(out, ",%.6g", x);
    }
}

static void write_count(FILE *out, long n)
{
    if (n < 0) {
        fprintf(out, ",");
    } else {
        fprintf(out, ",%ld", n);
    }
}

static void write_row(FILE *out, const bench_row *row)
{
    const bench_run *run = &row->run;

    fprintf(out, "%s,%d,%.0e,%s,%s,%d", row->what->name, row->size, row->tolerance, row->program,
            row->equations, row->is_done ? row->runs : 0);
    if (!row->is_done) {
        fprintf(out, ",,,,,,,,,,,,,,\n");
        return;
    }
    const double times[] = { run->setup, run->compile, run->solve, row->fastest };
    const long counts[] = { run->steps, run->evaluations, run->jacobians };
    const double rest[] = { row->error, row->energy, run->audit,   run->memory,
                            run->alpha, row->to_ida, row->to_schur };
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        write_number(out, times[i]);
    }
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        write_count(out, counts[i]);
    }
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++) {
        write_number(out, rest[i]);
    }
    fprintf(out, ",%s\n", run->driver);
}

int bench_write_csv(const char *path, const bench_rows *rows)
{
    FILE *out = fopen(path, "w");

    if (out == NULL) {
        fprintf(stderr, "error: `%s` cannot be written: %s\n", path, strerror(errno));
        return -1;
    }
    bench_print_machine(out, "# ");
    fprintf(out, "case,size,tolerance,driver,equations,runs,setup,compile,solve,fastest,steps,"
                 "evaluations,jacobians,error,energy_error,audit,memory_mb,alpha,to_limit_ida,"
                 "to_limit_schur,last_driver\n");
    for (int i = 0; i < rows->n; i++) {
        write_row(out, &rows->items[i]);
    }
    bool is_written = ferror(out) == 0;
    if (fclose(out) != 0 || !is_written) {
        fprintf(stderr, "error: `%s` cannot be written: %s\n", path, strerror(errno));
        return -1;
    }
    return 0;
}
