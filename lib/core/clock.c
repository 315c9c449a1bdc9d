/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A clock for durations. */
#include <config.h>

#include "lib/core/clock.h"

#include <time.h>

double ha__clock(void)
{
    struct timespec time = { 0 };

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double) time.tv_sec + 1e-9 * (double) time.tv_nsec;
}
