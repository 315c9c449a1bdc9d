/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The slider of Bera and Samantaray: a block slides on a tiller (the Rapson slide) and touches it
 * at the four corners of a guide, with dampers that can only push. A corner lets go where its force
 * passes 0, next to which the force is known to the tolerances of the speeds only: it must not let
 * go and touch again with each of the short steps that begin there. Truth: explicit steps.
 */
#include <config.h>

#include "tests/unit/mech2d/run.h"

#include <stdio.h>

static const char head[] =
    "halfarrow: 1\ngravity: [0, 0]\nground: {points: {E: [0, 0]}}\nbodies:\n"
    "  tiller: {mass: 1, inertia: 1, points: {E: [-1.5, 0]}, start: {angle: 0.6435011}}\n"
    "  block: {mass: 1, inertia: 1, points: {P: [0, 0]}, start: {x: 4, y: 3, fixed: [x, y]}}\n"
    "forces: {pull: {type: force, on: block.P, value: [-1, 0]}}\n"
    "simulate: {t_end: 3.7, rtol: 1e-9, atol: 1e-11}\n"
    "joints:\n"
    "  hinge: {type: revolute, between: [ground.E, tiller.E], model: compliant, stiffness: 1e5, "
    "damping: 1e3}\n"
    "  slide: {type: translational, between: [tiller.E, block.P], model: guide, "
    "guide_length: 0.4, stiffness: 1e5, exponent: 1, law: kelvin-voigt, damping: 1e3";

static const struct {
    const char *clearance, *order;
    double tolerance;
    long events; /* with room for a few at the first touch */
} sliders[] = {
    { "", "simulate.max_order=5", 1e-7, 12 },
    { ", clearance: 1e-5, friction: 0.2", "simulate.max_order=5", 2e-7, 20 },
    { ", clearance: 1e-5, friction: 0.2", "simulate.max_order=2", 1e-6, 20 },
};

static run run_slider(const char *clearance, const char *driver, const char *order)
{
    char text[2000];
    const char *const sets[] = { driver, order };
    const m2d_read_def def = { .sets = sets, .n_sets = HA_COUNT(sets) };

    snprintf(text, sizeof text, "%s%s}\n", head, clearance);
    run r = run_new();
    ck_assert_int_eq(m2d_read_text(r.ctx, text, strlen(text), "slider.yaml", &def, &r.model),
                     HA_OK);
    run_check(&r, run_model(&r));
    return r;
}

START_TEST(corners_let_go_once)
{
    static const char *const names[] = { "block.x", "block.y", "block.vx", "tiller.angle" };
    run truth = run_slider(sliders[_i].clearance, "simulate.driver=explicit", sliders[_i].order);
    run r = run_slider(sliders[_i].clearance, "simulate.driver=ida", sliders[_i].order);
    size_t last = ha_result_n_rows(truth.result) - 1;

    ck_assert_uint_eq(ha_result_n_rows(r.result), last + 1);
    for (size_t k = 0; k < HA_COUNT(names); k++) {
        ck_assert_double_eq_tol(run_value(&r, last, names[k]), run_value(&truth, last, names[k]),
                                sliders[_i].tolerance);
    }
    ck_assert_int_le(r.report.solver.events, sliders[_i].events);
    run_end(&r);
    run_end(&truth);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("two contacts");
    TCase *tests = tcase_create("two contacts");

    tcase_add_loop_test(tests, corners_let_go_once, 0, (int) HA_COUNT(sliders));
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
