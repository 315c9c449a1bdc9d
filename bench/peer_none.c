/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The comparison without a program of others. */
#include <config.h>

#include "bench/contest.h"

int bench_peer(const bench_task *task, bench_run *out)
{
    (void) task, (void) out;
    return -1;
}

const char *bench_peer_name(void)
{
    return NULL;
}
