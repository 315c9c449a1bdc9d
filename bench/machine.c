/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine, the compiler and the versions that times are worth nothing without. */
#include <config.h>

#include "bench/row.h"
#include "lib/core/versions.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* What the compiler was told; the Makefile says so. */
#ifndef BENCH_CFLAGS
#define BENCH_CFLAGS ""
#endif

/* The model of the processor; false where /proc/cpuinfo does not tell. */
static bool read_processor(char *out, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    bool is_found = false;

    while (file != NULL && !is_found && fgets(line, sizeof line, file) != NULL) {
        const char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && value != NULL) {
            snprintf(out, size, "%s", value + 1 + strspn(value + 1, " "));
            out[strcspn(out, "\n")] = '\0';
            is_found = true;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return is_found;
}

static void print_system(FILE *out, const char *prefix)
{
    struct utsname name;
    char processor[200];

    if (uname(&name) != 0) {
        return;
    }
    if (!read_processor(processor, sizeof processor)) {
        snprintf(processor, sizeof processor, "%s", name.machine);
    }
    fprintf(out, "%sprocessor: %s, %ld cores on line\n", prefix, processor,
            sysconf(_SC_NPROCESSORS_ONLN));
    fprintf(out, "%smemory: %.1f GB\n", prefix,
            (double) sysconf(_SC_PHYS_PAGES) * (double) sysconf(_SC_PAGESIZE) / 1e9);
    fprintf(out, "%ssystem: %s, %s\n", prefix, name.sysname, name.machine);
}

static void print_load(FILE *out, const char *prefix)
{
    time_t now = time(NULL);
    char date[32];
    double load[3];

    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    fprintf(out, "%sdate: %s\n", prefix, date);
    if (getloadavg(load, 3) == 3) {
        fprintf(out, "%sload: %.2f, %.2f, %.2f (1, 5 and 15 minutes; 1 is this program)\n", prefix,
                load[0], load[1], load[2]);
    }
}

void bench_print_machine(FILE *out, const char *prefix)
{
    char sundials[32], suitesparse[32];

    ha__sundials_version(sundials, sizeof sundials);
    ha__suitesparse_version(suitesparse, sizeof suitesparse);
    print_system(out, prefix);
#ifdef __clang__
    fprintf(out, "%scompiler: %s, %s\n", prefix, __VERSION__, BENCH_CFLAGS);
#else
    fprintf(out, "%scompiler: gcc %s, %s\n", prefix, __VERSION__, BENCH_CFLAGS);
#endif
    fprintf(out, "%sprograms: halfarrow %s, SUNDIALS %s, SuiteSparse %s%s%s\n", prefix,
            PACKAGE_VERSION, sundials, suitesparse, bench_peer_name() == NULL ? "" : ", ",
            bench_peer_name() == NULL ? "" : bench_peer_name());
    print_load(out, prefix);
}
