/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Wheels: against closed forms and numbers that independent programs found for the examples of
 * Zimmer's PlanarMechanics, limits, the energy book, and what is refused.
 */
#include <config.h>

#include "tests/unit/mech2d/run.h"
#include "tests/util/util.h"

#include <check.h>
#include <math.h>
#include <stdio.h>

#define HEAD "halfarrow: 1\ngravity: [0, 0]\n"

/* --- Zimmer's examples ------------------------------------------------------------------------ */

START_TEST(ideal_wheel_turns_the_arm)
{
    run r = run_file("examples/zimmer_ideal_wheel.yaml", NULL);
    const double a = -(2.0 / 0.3) / (10.0 + 1.0 + 1.0 / 0.09);

    run_expect(&r, "body.angle", 50.0 * a, 1e-12);
    run_expect(&r, "body.omega", 10.0 * a, 1e-12);
    run_expect(&r, "wheel.angle", -50.0 * a / 0.3, 1e-12);
    run_expect(&r, "wheel.axis.omega", -10.0 * a / 0.3, 1e-12);
    run_expect(&r, "slide.slide", 1.0, 1e-12);
    run_expect_near(&r, "wheel.f_long", (2.0 + a / 0.3) / -0.3, 1e-9);
    ck_assert_double_lt(r.report.energy_error, 1e-9);
    run_end(&r);
}
END_TEST

START_TEST(air_slows_the_arm)
{
    run r = run_file("examples/zimmer_air_drag.yaml", NULL);

    run_expect(&r, "body.omega", 1.0 / (1.0 / -5.0 - 8.0 * 0.354 * 10.0 / 41.0), 1e-12);
    run_expect(&r, "body.angle", -21.6252690535731, 1e-12);
    ck_assert_double_lt(r.report.energy_error, 1e-9);
    run_end(&r);
}
END_TEST

/* What a run ends with, to 9 digits. */
typedef struct {
    const char *name;
    double value;
} expected;

static void expect_all(const run *r, const expected *all, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        run_expect(r, all[i].name, all[i].value, 1e-9);
    }
    ck_assert_double_lt(r->report.energy_error, 1e-9);
}

START_TEST(dry_and_slipping_wheels_turn_it_less)
{
    static const expected of_dry[] = {
        { "body.angle", -0.149352320588 }, { "body.omega", -0.300024336646 },
        { "slide.slide", 1.00024291476 },  { "slide.speed", 0.000738064854 },
        { "wheel.angle", 0.507062584291 }, { "wheel.omega", 1.0095420219 },
    };
    static const expected of_slip[] = {
        { "body.angle", -0.150051201727 }, { "body.omega", -0.300764994403 },
        { "slide.slide", 1.00012385587 },  { "slide.speed", 0.00037394300977 },
        { "wheel.angle", 0.504792651594 }, { "wheel.omega", 1.00728260976 },
    };
    run dry = run_file("examples/zimmer_dry_wheel.yaml", NULL);
    run slip = run_file("examples/zimmer_slip_wheel.yaml", NULL);

    expect_all(&dry, of_dry, HA_COUNT(of_dry));
    expect_all(&slip, of_slip, HA_COUNT(of_slip));
    run_end(&dry);
    run_end(&slip);
}
END_TEST

START_TEST(single_track_with_a_caster)
{
    static const expected all[] = {
        { "bodyFront.x", -0.01202284366 },    { "bodyFront.y", 1.965666795 },
        { "bodyFront.angle", -0.3291938415 }, { "bodyFront.omega", -0.5176053256 },
        { "front.angle", 3.635453460 },       { "front.omega", 1.107603253 / 0.3 },
        { "rear.angle", 3.546653799 },        { "rear.omega", 1.054755784 / 0.3 },
        { "steer.angle", -0.2668393462 },     { "steer.omega", -0.175619428 },
    };
    run r = run_file("examples/zimmer_single_track.yaml", NULL);

    expect_all(&r, all, HA_COUNT(all));
    ck_assert_double_lt(r.report.velocity_error, 1e-12);
    run_end(&r);
}
END_TEST

START_TEST(two_tracks_with_a_differential)
{
    static const expected all[] = {
        { "body1.x", -0.002010641282 },    { "body1.y", 0.3416259188 },
        { "body1.angle", 0.008748138915 }, { "body1.vy", 0.3461870296 },
        { "body1.omega", 0.008860422034 }, { "steer.angle", -0.04599615235 },
    };
    run r = run_file("examples/zimmer_two_track.yaml", NULL);

    expect_all(&r, all, HA_COUNT(all));
    run_expect_near(&r, "body1.vx", -0.0030246247, 1e-10);
    run_expect_near(&r, "steer.omega", -0.0303100216, 1e-10);
    run_expect_near(&r, "FL.omega", 1.35930905, 1e-8);
    run_expect_near(&r, "RL.omega", 1.36662320, 1e-8);
    run_expect_near(&r, "RR.omega", 1.41975268, 1e-8);
    run_expect_near(&r, "FR.omega", 1.41236591, 1e-8);
    run_end(&r);
}
END_TEST

/* --- limits and closed forms ------------------------------------------------------------------ */

/* A car of 1000 kg, its rear wheel driven with 300 N.m, its front wheel at 0.1 rad/s t. */
static run run_car(const char *model, double t_end)
{
    char text[2048];

    snprintf(text, sizeof text,
             HEAD
             "bodies: {car: {mass: 1000, inertia: 1500, points: {rear: [-1.2, 0], front: [1.3, "
             "0]}, start: {vx: 3}}}\n"
             "joints:\n"
             "  rear: {type: wheel, on: car.rear, radius: 0.3, inertia: 1, %s}\n"
             "  front: {type: wheel, on: car.front, radius: 0.3, steer: 0.1*t, %s}\n"
             "bondgraph: {elements: {engine: {type: Se, value: 300}}, bonds: [engine > "
             "rear.axis]}\n"
             "simulate: {t_end: %g, rtol: 1e-9}\n",
             model, model, t_end);
    return run_text(text);
}

START_TEST(ideal_is_the_limit_of_dry_of_first_order)
{
    run ideal = run_car("model: ideal", 2.0);
    double off[2];

    for (int i = 0; i < 2; i++) {
        char model[256];
        snprintf(model, sizeof model,
                 "model: dry, load: 5000, adhesion: 1, sliding: 0.8, adhesion_speed: %g, "
                 "sliding_speed: 1",
                 i == 0 ? 2e-3 : 1e-3);
        run dry = run_car(model, 2.0);
        off[i] = run_last(&dry, "car.y") - run_last(&ideal, "car.y");
        run_end(&dry);
    }
    ck_assert_double_lt(fabs(off[0]), 0.05);
    ck_assert_double_eq_tol(off[0] / off[1], 2.0, 0.02);
    run_end(&ideal);
}
END_TEST

START_TEST(ideal_wheels_turn_about_one_point)
{
    /* the curvature at the rear wheel is tan(steer) / wheelbase */
    run r = run_car("model: ideal", 1.0);

    run_expect(&r, "car.omega", run_last(&r, "rear.v_long") * tan(0.1) / 2.5, 1e-9);
    run_expect_near(&r, "energy.error", 0.0, 1e-4);
    run_end(&r);
}
END_TEST

START_TEST(tyre_relaxes_as_its_closed_form_says)
{
    run r = run_text(HEAD "bodies: {b: {mass: 1, inertia: 1, points: {P: [0, 0]}, motion: {x: 5*t, "
                          "y: 0, angle: 0}}}\n"
                          "joints: {W: {type: wheel, on: b.P, radius: 0.3, steer: -0.05, model: "
                          "linear, slip_stiffness: [9e4, 8e4], relaxation_length: 0.4}}\n"
                          "simulate: {t_end: 0.1, rtol: 1e-11}\n");
    const double v = 5.0 * cos(0.05), force = 8e4 * tan(0.05);

    run_expect(&r, "W.f_lat", force * (1.0 - exp(-v * 0.1 / 0.4)), 1e-9);
    run_expect(&r, "b.drive_y", force * (1.0 - exp(-v * 0.1 / 0.4)) * cos(0.05), 1e-9);
    run_expect_near(&r, "energy.error", 0.0, 1e-6);
    run_end(&r);
}
END_TEST

START_TEST(a_spring_does_not_change_a_steady_slide)
{
    /* pulled across with 1 m/s, and turning freely: the wheel slides as without a spring */
#define PULLED(MORE)                                                                               \
    HEAD "bodies: {b: {mass: 1, inertia: 1, points: {P: [0, 0]}, motion: {x: 20*t, y: 0.4*t, "     \
         "angle: "                                                                                 \
         "0}}}\njoints: {W: {type: wheel, on: b.P, radius: 0.3, model: slip, load: 1000, "         \
         "adhesion: "                                                                              \
         "0.9, sliding: 0.6, adhesion_slip: 0.05, sliding_slip: 0.2, adhesion_speed: 0.01, "       \
         "sliding_speed: 0.03" MORE "}}\nsimulate: {t_end: 2, rtol: 1e-10}\n"
    run rigid = run_text(PULLED("")), soft = run_text(PULLED(", relaxation_length: 0.3"));
    const double x = 0.4 / (0.05 * 20.0);

    run_expect(&rigid, "W.f_lat", 900.0 * (1.5 * x - 0.5 * x * x * x), 1e-9);
    run_expect(&soft, "W.f_lat", 900.0 * (1.5 * x - 0.5 * x * x * x), 1e-8);
    run_end(&rigid);
    run_end(&soft);
}
END_TEST

START_TEST(a_brake_holds_a_wheel_at_rest_on_a_slope)
{
    /* 1000 kg on a slope of 20 %: the tyre is pressed by m g sin, and stays */
    run r = run_text("halfarrow: 1\ngravity: [-1.923719, 0]\n"
                     "bodies: {car: {mass: 1000, inertia: 1500, points: {rear: [-1.2, 0], front: "
                     "[1.3, 0]}}}\n"
                     "joints:\n"
                     "  rear: {type: wheel, on: car.rear, radius: 0.3, inertia: 1, brake: 3000, "
                     "model: slip, load: 9000, adhesion: 1, sliding: 0.8, adhesion_slip: 0.1, "
                     "sliding_slip: 0.4, adhesion_speed: 0.1, sliding_speed: 0.4, "
                     "relaxation_length: 0.5, contact_damping: 2e4}\n"
                     "  front: {type: wheel, on: car.front, radius: 0.3, model: ideal}\n"
                     "simulate: {t_end: 60, rtol: 1e-8}\n");
    const double k = 1.5 * 9000.0 / 0.1 / 0.5;

    run_expect(&r, "rear.f_long", -1923.719, 1e-6);
    run_expect_near(&r, "car.vx", 0.0, 1e-13);
    run_expect_near(&r, "car.x", -1923.719 / k, 2e-3);
    run_end(&r);
}
END_TEST

START_TEST(a_strong_brake_takes_all_it_can_until_the_wheel_stands)
{
    /* off the ground with J = 1 kg.m2: w' = -3000 rad/s2, so it turns on by w^2/6000, whether the
       brake is on from the start or comes on at 0.1 s */
    static const char *const brakes[] = { "3000", "'if(t < 0.1, 0, 3000)'" };
    static const double angles[] = { 400.0 / 6000.0, 2.0 + 400.0 / 6000.0 };
    char text[1024];

    for (size_t i = 0; i < HA_COUNT(brakes); i++) {
        snprintf(text, sizeof text,
                 HEAD
                 "bodies: {b: {mass: 1, inertia: 1, points: {P: [0, 0]}, start: {vx: 6}}}\n"
                 "joints: {W: {type: wheel, on: b.P, radius: 0.3, inertia: 1, omega: 20, load: 0, "
                 "model: dry, adhesion: 1, sliding: 0.8, adhesion_speed: 0.1, sliding_speed: 0.3, "
                 "brake: %s}}\n"
                 "simulate: {t_end: 2, rtol: 1e-9}\n",
                 brakes[i]);
        run r = run_text(text);
        run_expect(&r, "W.angle", angles[i], 1e-6);
        run_expect_near(&r, "W.omega", 0.0, 1e-9);
        run_end(&r);
    }
}
END_TEST

/* --- refused ---------------------------------------------------------------------------------- */

#define WHEEL(KEYS, MORE)                                                                          \
    HEAD "bodies: {b: {mass: 1, inertia: 1, points: {P: [0, 0]}}}\n"                               \
         "joints: {W: {type: wheel, on: b.P" KEYS "}}\n" MORE "simulate: {t_end: 1}\n"

#define DRY ", model: dry, adhesion: 1, sliding: 0.8, adhesion_speed: 0.1, sliding_speed: 0.3"

static const struct {
    const char *text;
    ha_status status;
    const char *part;
} refused[] = {
    { WHEEL("", ""), HA_ERR_NAME, "has no `radius`" },
    { WHEEL(", radius: 0", ""), HA_ERR_VALUE, "must be above 0" },
    { WHEEL(", radius: 0.3, load: -5" DRY, ""), HA_ERR_VALUE, "it must be at least 0" },
    { WHEEL(", radius: 0.3" DRY, ""), HA_ERR_VALUE, "needs the `load`" },
    { WHEEL(", radius: 0.3, load: 5, model: dry", ""), HA_ERR_VALUE, "`adhesion` and `sliding`" },
    { WHEEL(", radius: 0.3, model: wet", ""), HA_ERR_NAME, "`ideal`, `dry`, `slip`" },
    { WHEEL(", radius: 0.3, model: linear, slip_stiffness: [1, 1]", ""), HA_ERR_VALUE,
      "`relaxation_length`" },
    { WHEEL(", radius: 0.3, model: law, f_long: -slip_long, f_lat: 100*slip_lat", ""), HA_ERR_VALUE,
      "pushes instead of braking" },
    { WHEEL(", radius: 0.3, omega: 3", ""), HA_ERR_VALUE, "give `inertia`, or leave `omega` out" },
    { WHEEL(", radius: 0.3, load: 9, contact_stiffness: 1e3, inertia: 1, model: dry, adhesion: 1, "
            "sliding: 0, adhesion_speed: 0.1, sliding_speed: 0.3",
            ""),
      HA_ERR_VALUE, "`adhesion` and `sliding` above 0" },
    { WHEEL(", radius: 0.3, motion: t", ""), HA_ERR_VALUE, "bond a flow source" },
    { WHEEL(", radius: 0.3, load: 10" DRY,
            "bondgraph: {elements: {E: {type: Se, value: 2}}, bonds: [E > W.axis]}\n"),
      HA_ERR_VALUE, "has no roll inertia" },
    { HEAD "ground: {points: {P: [0, 0]}}\nbodies: {b: {mass: 1, inertia: 1}}\njoints: {W: {type: "
           "wheel, on: ground.P, radius: "
           "0.3}}\nsimulate: {t_end: 1}\n",
      HA_ERR_VALUE, "put it on a body" },
};

START_TEST(what_is_no_wheel_is_refused)
{
    run_expect_failure(refused[_i].text, refused[_i].status, refused[_i].part);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("wheel");
    TCase *tests = tcase_create("wheel");

    tcase_add_test(tests, ideal_wheel_turns_the_arm);
    tcase_add_test(tests, air_slows_the_arm);
    tcase_add_test(tests, dry_and_slipping_wheels_turn_it_less);
    tcase_add_test(tests, single_track_with_a_caster);
    tcase_add_test(tests, two_tracks_with_a_differential);
    tcase_add_test(tests, ideal_is_the_limit_of_dry_of_first_order);
    tcase_add_test(tests, ideal_wheels_turn_about_one_point);
    tcase_add_test(tests, tyre_relaxes_as_its_closed_form_says);
    tcase_add_test(tests, a_spring_does_not_change_a_steady_slide);
    tcase_add_test(tests, a_brake_holds_a_wheel_at_rest_on_a_slope);
    tcase_add_test(tests, a_strong_brake_takes_all_it_can_until_the_wheel_stands);
    tcase_add_loop_test(tests, what_is_no_wheel_is_refused, 0, (int) HA_COUNT(refused));
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
