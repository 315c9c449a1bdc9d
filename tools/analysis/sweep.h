/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --sweep PATH=FROM:TO:COUNT with even steps, as analyses take it. */
#ifndef TOOLS_SWEEP_H
#define TOOLS_SWEEP_H

#include "tools/shared/cli.h"

/* A sweep; zero-initialised is none. */
typedef struct sweep {
    char *path;      /* what is swept */
    char *set;       /* PATH=FROM */
    double from, to; /* SI */
    char unit[40];   /* that of SI; "": none is given */
    int count;       /* values, the first and the last among them */
} sweep;

/* Reads it from the command line, and sets the path to its first value; to be freed with
   sweep_clear(), also on failure. */
HA_MUST_CHECK ha_status sweep_read(cli_call *cli, sweep *out);

/* Value number `i` from 0 on [SI]. */
double sweep_value(const sweep *s, int i);

/* Frees what it holds. */
void sweep_clear(sweep *s);

#endif
