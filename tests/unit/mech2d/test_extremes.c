/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Extremes next to events, where steps grow from next to nothing: each method is the truth for the
 * other, whatever the tolerance.
 */
#include <config.h>

#include "tests/unit/mech2d/run.h"

#include <stdio.h>

enum { MOST_TOLERANCES = 5 };

typedef struct {
    const char *driver, *tolerances[MOST_TOLERANCES];
} method;

static const struct {
    const char *file, *t_end, *output;
    method truth, other;
} cases[] = {
    /* a rubber stop takes hold at 0.19484 s, its force has its top 48 us later */
    { "trailing_arm",
      "0.2 s",
      "pivot.fy",
      { "ida", { "1e-12" } },
      { "explicit8", { "1e-10", "1e-11", "1e-12", "1e-13", "1e-14" } } },
    /* the steering goes over a bend at 1 s, 98 us after which a wheel is slowed most; what IDA has
       for accelerations in its first steps there is nowhere near */
    { "zimmer_two_track",
      "1.1 s",
      "body1.RL.ax",
      { "explicit8", { "1e-12" } },
      { "ida", { "1e-11", "1e-12", "1e-13", "3e-14" } } },
};

/* The largest and the least value of an output of a run. */
static ha_peak find_peak(const char *file, const char *t_end, const char *output,
                         const char *driver, const char *rtol)
{
    char path[64], by[64], end[64], tolerance[64];
    const char *const sets[] = { by, end, tolerance };
    const m2d_read_def def = { .sets = sets, .n_sets = HA_COUNT(sets) };
    run r = run_new();

    snprintf(path, sizeof path, "examples/%s.yaml", file);
    snprintf(by, sizeof by, "simulate.driver=%s", driver);
    snprintf(end, sizeof end, "simulate.t_end=%s", t_end);
    snprintf(tolerance, sizeof tolerance, "simulate.rtol=%s", rtol);
    run_check(&r, m2d_read_file(r.ctx, test_source(path), &def, &r.model));
    r.is_for_peaks = true;
    run_check(&r, run_model(&r));
    int column = ha_result_find(r.result, output);
    ck_assert_int_gt(column, 0);
    const ha_peak found = r.peaks[column - 1];
    run_end(&r);
    return found;
}

START_TEST(extremes_behind_an_event_are_those_of_the_other_method)
{
    const char *file = cases[_i].file, *t_end = cases[_i].t_end, *output = cases[_i].output;
    const method *truth = &cases[_i].truth, *other = &cases[_i].other;
    const ha_peak right = find_peak(file, t_end, output, truth->driver, truth->tolerances[0]);
    const double size = fmax(fabs(right.max), fabs(right.min));

    for (int k = 0; k < MOST_TOLERANCES && other->tolerances[k] != NULL; k++) {
        const ha_peak found = find_peak(file, t_end, output, other->driver, other->tolerances[k]);
        const double allowed = 1e4 * strtod(other->tolerances[k], NULL) + 1e-9;
        ck_assert_msg(fabs(found.max - right.max) <= allowed * size, "%s: %.12g, not %.12g",
                      other->tolerances[k], found.max, right.max);
        ck_assert_msg(fabs(found.min - right.min) <= allowed * size, "%s: %.12g, not %.12g",
                      other->tolerances[k], found.min, right.min);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("extremes");
    TCase *tests = tcase_create("extremes");

    tcase_add_loop_test(tests, extremes_behind_an_event_are_those_of_the_other_method, 0,
                        (int) HA_COUNT(cases));
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
