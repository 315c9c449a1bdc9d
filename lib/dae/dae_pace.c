/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether the steps that are allowed can lead to the end.
 *
 * A fast vibration without a damper keeps the steps as short as its period for the whole run. With
 * N the steps allowed, W = N / 50 and d_k the time that the k-th W steps took the run on,
 *
 *     W (t_end - t) / d_k > 1.2 (N - steps)   and   d_k < 1.02 d_(k-1)
 *
 * for ten windows one after the other say that they do not lead there, and that it does not get
 * better: what dies out lets the steps grow by more. The run ends then, after a fifth of the work,
 * and not when all is used up. Where something depends on the time alone nobody knows what comes,
 * and nothing is said.
 */
#include <config.h>

#include "lib/dae/dae_run.h"

#include <stdio.h>

enum {
    WINDOWS = 50,
    LEAST_WINDOW = 1000 /* steps; fewer say nothing, and are soon used up */
};

enum { MANY = 10 /* windows one after the other */ };

static const double FASTER = 1.02; /* from window to window: it gets better */
static const double BEYOND = 1.2;  /* times the steps that are left */

static ha_status stop(ha__run *run, double advance, double needed)
{
    char reason[256], took[HA__NUMBER_SIZE], count[HA__NUMBER_SIZE];

    snprintf(reason, sizeof reason,
             "the steps do not get longer: the last %ld led on by %s s, so that the end takes %s "
             "more, and %ld are allowed",
             run->pace.window, ha__dae_number(took, advance),
             ha__print_rounded_number(count, needed, 2), run->options->max_steps);
    return run->method->stop(run, reason,
                             "damp what swings so fast, hold it by a constraint in place of a "
                             "stiff spring, or allow more (max-steps)");
}

ha_status ha__run_check_pace(ha__run *run)
{
    const ha_dae_options *options = run->options;
    const ha_dae_stats *stats = run->stats;
    ha__pace *pace = &run->pace;

    pace->window = options->max_steps / WINDOWS;
    if (pace->window < LEAST_WINDOW || run->dae->n_signals > 0 ||
        stats->steps < pace->steps + pace->window) {
        return HA_OK;
    }
    double advance = stats->t_reached - pace->t, before = pace->advance;
    double needed = (double) pace->window * (options->t_end - stats->t_reached) / advance;
    const long same = pace->same;
    *pace = (ha__pace){ pace->window, stats->steps, 0, stats->t_reached, advance };
    bool is_steady = before > 0.0 && advance < FASTER * before;
    bool is_far = needed > BEYOND * (double) (options->max_steps - stats->steps);
    pace->same = is_steady && is_far ? same + 1 : 0;
    return pace->same >= MANY ? stop(run, advance, needed) : HA_OK;
}
