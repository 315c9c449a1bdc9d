/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is run: mechanisms that others have published times of, over all sizes, and Andrews' with
 * stiff pins, which explicit steps are wrong for.
 *
 * The yardsticks have one rate of stabilisation for a whole run, and get the best that is known: of
 * rates from 5 to 100 1/s the one with the fewest steps that gets through. Slower ones lose the
 * branch of the four-bar row at its singular positions. halfarrow runs with its default, for
 * Andrews' as the yardsticks.
 *
 * Rows of squares have tolerances up to where limit_ida gets past the singular positions.
 */
#include <config.h>

#include "bench/cases.h"

#include <math.h>

#define COUNT(array) ((int) (sizeof(array) / sizeof(array)[0]))

static const bench_size andrews_sizes[] = { { 7, 4, 11 } };
static const bench_size compliant_sizes[] = { { 7, 6, 6 } };
static const bench_size fourbar_sizes[] = { { 1, 6, 7 },   { 2, 6, 7 },   { 5, 6, 7 },
                                            { 10, 6, 7 },  { 40, 4, 9 },  { 200, 6, 7 },
                                            { 400, 6, 7 }, { 1000, 6, 6 } };
static const bench_size chain_sizes[] = {
    { 10, 6, 6 }, { 100, 6, 6 }, { 1000, 3, 9 }, { 10000, 6, 6 }
};

/* --- measures ------------------------------------------------------------------------------- */

static double andrews_error(int n, const scene *s, const double *state, const double *reference)
{
    (void) n, (void) s, (void) reference;
    return scene_andrews_error(state);
}

static double fourbar_error(int n, const scene *s, const double *state, const double *reference)
{
    (void) reference;
    return scene_fourbar_error(n, s->t_end, state);
}

static double chain_error(int n, const scene *s, const double *state, const double *reference)
{
    double worst = 0.0;

    (void) s;
    for (int b = 0; b < n; b++) {
        int angle = SCENE_BODY_STATE * b + 2;
        worst = fmax(worst, fabs(state[angle] - reference[angle]));
    }
    return worst;
}

/* --- the list ------------------------------------------------------------------------------- */

static const bench_case cases[] = {
    { .name = "andrews",
      .measure = "largest relative error of the seven angles, known to 25 digits",
      .build = scene_andrews,
      .error = andrews_error,
      .is_for_all = true,
      .alpha = 300,
      .alpha_ida = 300,
      .alpha_schur = { 300, 300 },
      .sizes = andrews_sizes,
      .n_sizes = COUNT(andrews_sizes) },
    { .name = "compliant",
      .measure = "the same, from the angles with ideal pins: it is what the springs give",
      .build = scene_compliant,
      .error = andrews_error,
      .alpha = (double) NAN,
      .sizes = compliant_sizes,
      .n_sizes = COUNT(compliant_sizes) },
    { .name = "four-bar",
      .measure =
          "largest error of an upright [rad], from the one degree of freedom; above 0.1 it is "
          "on another branch",
      .build = scene_fourbar,
      .error = fourbar_error,
      .is_for_all = true,
      .alpha = (double) NAN,
      .alpha_ida = 50,
      .alpha_schur = { 20, 30 },
      .sizes = fourbar_sizes,
      .n_sizes = COUNT(fourbar_sizes) },
    { .name = "chain",
      .measure = "largest error of an angle [rad], from a run of limit_schur at 1e-11",
      .build = scene_chain,
      .error = chain_error,
      .has_reference = true,
      .is_for_all = true,
      .alpha = (double) NAN,
      .alpha_ida = 20,
      .alpha_schur = { 5, 5 },
      .sizes = chain_sizes,
      .n_sizes = COUNT(chain_sizes) },
};

const bench_case *bench_cases(int *n)
{
    *n = COUNT(cases);
    return cases;
}

static const bench_goal goals[] = {
    { "andrews", 7, "6 digits", 1e-6, HUGE_VAL },
    { "andrews", 7, "8 digits", 1e-8, HUGE_VAL },
    { "four-bar", 40, "0.1 J, on the branch", 0.1, 0.1 },
    { "four-bar", 400, "0.1 J, on the branch", 0.1, 0.1 },
    { "chain", 1000, "1e-4 rad", 1e-4, HUGE_VAL },
    { "chain", 10000, "1e-4 rad", 1e-4, HUGE_VAL },
};

const bench_goal *bench_goals(int *n)
{
    *n = COUNT(goals);
    return goals;
}
