/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Equilibria against closed forms and published numbers. */
#include <config.h>

#include "bondgraph/equilibrium.h"
#include "tests/unit/mech2d/run.h"

#include <stdio.h>

/* A model and where it comes to rest. */
typedef struct {
    run run;
    bg_stability stability;
    ha_dae_rest_stats stats;
    ha_status status;
} job;

static ha_status prepare(run *r, const char *text)
{
    HA_TRY(m2d_read_text(r->ctx, text, strlen(text), "m.yaml", NULL, &r->model));
    HA_TRY(run_expand(r));
    HA_TRY(m2d_assemble(r->system, &r->assembly));
    HA_TRY(bg_causality_assign(m2d_system_graph(r->system), &r->causality));
    HA_TRY(bg_equations_derive(r->causality, &r->equations));
    HA_TRY(m2d_release_redundant(r->assembly, r->equations));
    HA_TRY(bg_model_compile_linear(r->equations, NULL, 0, &r->compiled));
    r->start = calloc((size_t) bg_model_n_unknowns(r->compiled) + 1, sizeof *r->start);
    return m2d_start(r->assembly, r->compiled, r->start);
}

/* What it comes to, with an unknown held (NULL: none). */
static job rest(const char *text, const char *held)
{
    job j = { .run = run_new() };
    bg_equilibrium_options options = { .held = &held, .n_held = held != NULL };

    run_check(&j.run, prepare(&j.run, text));
    j.status =
        bg_equilibrium(j.run.ctx, j.run.compiled, &options, j.run.start, &j.stability, &j.stats);
    return j;
}

static double value(const job *j, const char *name)
{
    const ha_dae *dae = bg_model_dae(j->run.compiled);

    for (int i = 0; i < dae->n; i++) {
        if (strcmp(dae->unknowns[i].name, name) == 0) {
            return j->run.start[i];
        }
    }
    ck_abort_msg("no unknown %s", name);
    return 0.0;
}

#define ROD(START)                                                                                 \
    "halfarrow: 1\nground: {points: {O: [0, 0]}}\n"                                                \
    "bodies: {rod: {mass: 1, inertia: 0.0833, points: {O: [-0.5, 0]}, start: {angle: " START       \
    "}}}\njoints: {O: {type: revolute, between: [ground.O, rod.O]}}\n"

START_TEST(a_rod_comes_to_hang)
{
    static const char *const starts[] = { ROD("0"), ROD("60 deg"), ROD("89.9 deg") };

    for (size_t i = 0; i < HA_COUNT(starts); i++) {
        job j = rest(starts[i], NULL);
        run_check(&j.run, j.status);
        test_near(value(&j, "rod.angle"), -acos(0.0), 1e-9);
        test_near(value(&j, "rod.y"), -0.5, 1e-9);
        ck_assert_int_eq(j.stability, BG_STABLE);
        run_end(&j.run);
    }
}
END_TEST

START_TEST(a_rod_that_stands_is_at_rest_and_unstable)
{
    job j = rest(ROD("90 deg"), NULL);

    run_check(&j.run, j.status);
    test_near(value(&j, "rod.angle"), acos(0.0), 1e-12);
    ck_assert(j.stats.was_at_rest);
    ck_assert_int_eq(j.stability, BG_UNSTABLE);
    run_end(&j.run);
}
END_TEST

START_TEST(what_is_held_stays)
{
    job j = rest(ROD("0.3"), "rod.angle");

    run_check(&j.run, j.status);
    test_near(value(&j, "rod.angle"), 0.3, 1e-12);
    test_near(value(&j, "rod.omega"), 0.0, 1e-12);
    ck_assert_int_eq(j.stability, BG_STABILITY_OPEN);
    run_end(&j.run);
}
END_TEST

/* N links of mass m between two pins: with H the horizontal force, tan(angle_i) = m g (i - (N - 1)
   / 2) / H. */
START_TEST(a_chain_hangs_as_a_catenary)
{
    enum { N = 20 };
    char text[8192], *at = text;
    const double half = 6.0, slope = atan2(sqrt(100.0 - half * half), half);
    double x = 0.0, y = 0.0;

    at += sprintf(at, "halfarrow: 1\nground: {points: {O: [0, 0], E: [12, 0]}}\nbodies:\n");
    for (int i = 0; i < N; i++) {
        double angle = i < N / 2 ? -slope : slope;
        at += sprintf(at,
                      "  b%d: {mass: 1, inertia: 0.083, points: {A: [-0.5, 0], B: [0.5, 0]}, "
                      "start: {x: %.17g, y: %.17g, angle: %.17g}}\n",
                      i, x + 0.5 * cos(angle), y + 0.5 * sin(angle), angle);
        x += cos(angle);
        y += sin(angle);
    }
    at += sprintf(at, "joints:\n  j0: {type: revolute, between: [ground.O, b0.A]}\n");
    for (int i = 1; i < N; i++) {
        at += sprintf(at, "  j%d: {type: revolute, between: [b%d.B, b%d.A]}\n", i, i - 1, i);
    }
    sprintf(at, "  e: {type: revolute, between: [ground.E, b%d.B]}\n", N - 1);
    job j = rest(text, NULL);
    run_check(&j.run, j.status);
    double unit = tan(value(&j, "b10.angle")) / 0.5, length = 0.0;
    for (int i = 0; i < N; i++) {
        char name[16];
        sprintf(name, "b%d.angle", i);
        test_near(tan(value(&j, name)), unit * (i - 0.5 * (N - 1)), 1e-9);
        length += cos(value(&j, name));
    }
    test_near(length, 12.0, 1e-9);
    ck_assert_int_eq(j.stability, BG_STABLE);
    run_end(&j.run);
}
END_TEST

/* Hertz, ball and plate of one material: m g = k d^1.5, k = 4/3 E* sqrt(R), E* = E / (2 (1 - nu^2))
 */
START_TEST(a_ball_lies_on_a_plate)
{
    job j = rest("halfarrow: 1\nground: {points: {plate: [0, 0]}}\n"
                 "bodies: {ball: {mass: 0.1, inertia: 1.6e-5, points: {C: [0, 0]}, start: {y: "
                 "0.32}}}\nforces: {bounce: {type: contact, between: [ground.plate, ball.C], "
                 "radius: 20 mm, modulus: 10 MPa, poisson: 0.45, restitution: 0.7}}\n",
                 NULL);
    const double k = 2.0 / 3.0 * 1e7 / (1.0 - 0.45 * 0.45) * sqrt(0.02);

    run_check(&j.run, j.status);
    test_near(0.02 - value(&j, "ball.y"), pow(0.1 * 9.81 / k, 2.0 / 3.0), 1e-11);
    run_end(&j.run);
}
END_TEST

START_TEST(what_nothing_holds_is_named)
{
    job j = rest("halfarrow: 1\nbodies: {ball: {mass: 1, inertia: 1}}\n", NULL);

    ck_assert_int_eq(j.status, HA_ERR_SOLVER);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(j.run.ctx, 0)->text, "nothing holds `ball.y`"));
    run_end(&j.run);
}
END_TEST

START_TEST(what_cannot_be_held_is_refused)
{
    job j = rest(ROD("0"), "rod.angel");

    ck_assert_int_eq(j.status, HA_ERR_NAME);
    run_end(&j.run);
    j = rest(ROD("0"), "rod.omega");
    ck_assert_int_eq(j.status, HA_ERR_ARGUMENT);
    run_end(&j.run);
}
END_TEST

/* A damped stop, met at rest, pushes with its spring alone: q = F / k, (F / k)^(2/3). Its damper is
   compared with the spring in a condition that counts behind the limit only. */
START_TEST(a_damped_stop_holds_what_is_pressed_against_it)
{
    static const struct {
        const char *joint, *force, *unknown;
        double wanted;
    } cases[] = {
        { "translational",
          "s: {type: stop, on: g, upper: 0.1, stiffness: 1000, damping: 1}\n"
          "  f: {type: force, on: b.P, value: [20, 0]}",
          "b.x", 0.12 },
        { "translational",
          "s: {type: stop, on: g, lower: -0.3, upper: 0.1, stiffness: 1000, damping: 500}\n"
          "  f: {type: force, on: b.P, value: [-20, 0]}",
          "b.x", -0.32 },
        { "revolute",
          "s: {type: stop, on: g, lower: -0.2, upper: 0.1, stiffness: 1000, damping: 1}\n"
          "  f: {type: torque, on: b, value: -20}",
          "b.angle", -0.22 },
        { "translational",
          "s: {type: stop, between: [ground.B, b.P], lower: 0.5, upper: 1.1, spring: 1000*q^1.5, "
          "damper: 3*q*f}\n  f: {type: force, on: b.P, value: [20, 0]}",
          "b.x", 0.1736806299728077 },
        { "translational",
          "c: {type: contact, between: [ground.W, b.P], radius: 0.1, stiffness: 1000, exponent: 1, "
          "law: kelvin-voigt, damping: 5}\n  f: {type: force, on: b.P, value: [-20, 0]}",
          "b.x", -0.42 },
        { "translational",
          "c: {type: contact, between: [ground.W, b.P], radius: 0.1, stiffness: 1e6, "
          "exponent: 1.5, law: exact, restitution: 0.5}\n"
          "  f: {type: force, on: b.P, value: [-20, 0]}",
          "b.x", -0.4007368062997280 },
    };

    for (size_t i = 0; i < HA_COUNT(cases); i++) {
        char text[900];
        snprintf(text, sizeof text,
                 "halfarrow: 1\ngravity: [0, 0]\n"
                 "ground: {points: {A: [0, 0], B: [-1, 0], W: {at: [-0.5, 0], axis: -90 deg}}}\n"
                 "bodies: {b: {mass: 1, inertia: 0.1, points: {P: [0, 0]}, start: {x: 0}}}\n"
                 "joints: {g: {type: %s, between: [ground.A, b.P]}}\nforces:\n  %s\n",
                 cases[i].joint, cases[i].force);
        job j = rest(text, NULL);
        run_check(&j.run, j.status);
        test_near(value(&j, cases[i].unknown), cases[i].wanted, 1e-12);
        run_end(&j.run);
    }
}
END_TEST

/* A chain whose stop is met at the start and left on the way: it comes to where it hangs without a
   stop, -0.327 rad being between the limits of the stop. On the way the steps of both sides led
   back over the limit. */
START_TEST(a_stop_that_is_left_holds_nothing)
{
    static const char *const stops[] = {
        "", "  e: {type: stop, on: j1, lower: -0.495, upper: 0.731, stiffness: 475.7}\n",
        "  e: {type: stop, on: j1, lower: -0.495, upper: 0.731, stiffness: 475.7, damping: 7e-5}\n"
    };
    double free_angle = 0.0;

    for (size_t i = 0; i < HA_COUNT(stops); i++) {
        char text[2000];
        snprintf(
            text, sizeof text,
            "halfarrow: 1\nground: {points: {G: [0, 0]}}\nbodies:\n"
            "  b0: {mass: 1.0380, inertia: 0.3834, points: {A: [-0.5, 0], B: [0.5, 0]}, start: "
            "{angle: -0.9843, fixed: [angle]}}\n"
            "  b1: {mass: 2.0476, inertia: 0.0599, points: {A: [-0.5, 0], B: [0.5, 0]}, start: "
            "{angle: -2.0440, fixed: [angle]}}\n"
            "  b2: {mass: 1.2137, inertia: 0.4894, points: {A: [-0.5, 0], B: [0.5, 0]}, start: "
            "{angle: -1.2492, fixed: [angle]}}\n"
            "  b3: {mass: 1.7279, inertia: 0.3516, points: {A: [-0.5, 0], B: [0.5, 0], C: [0, "
            "0.2]}, start: {angle: -2.2996, fixed: [angle]}}\n"
            "joints:\n  j0: {type: revolute, between: [ground.G, b0.A]}\n"
            "  j1: {type: revolute, between: [b0.B, b1.A]}\n"
            "  j2: {type: revolute, between: [b1.B, b2.A]}\n"
            "  j3: {type: revolute, between: [b2.B, b3.A]}\nforces:\n"
            "  t0: {type: spring-damper, on: j0, stiffness: 27.3355, free_angle: -0.5146}\n"
            "  t1: {type: spring-damper, on: j1, stiffness: 0.8407, free_angle: -0.1290}\n"
            "  t2: {type: spring-damper, on: j2, stiffness: 1.1034, free_angle: -0.1596}\n"
            "  t3: {type: spring-damper, on: j3, stiffness: 29.0286, free_angle: -0.4540}\n"
            "  w: {type: torque, on: b0, value: -0.966}\n"
            "  f: {type: force, on: b3.C, value: [1, 2]}\n%s",
            stops[i]);
        job j = rest(text, NULL);
        run_check(&j.run, j.status);
        double angle = value(&j, "b1.angle") - value(&j, "b0.angle");
        free_angle = i == 0 ? angle : free_angle;
        test_near(angle, free_angle, 1e-10);
        ck_assert_double_gt(angle, -0.495);
        run_end(&j.run);
    }
}
END_TEST

/* A journal in its bearing sinks by the clearance and (m g / K)^(2/3). */
START_TEST(a_journal_rests_in_its_bearing)
{
    job j = rest("halfarrow: 1\ngravity: [0, -10]\nground: {points: {A: [0, 0]}}\n"
                 "bodies: {b: {mass: 1, inertia: 0.1, points: {P: [0, 0.3]}, start: {y: -0.3}}}\n"
                 "joints: {g: {type: revolute, between: [ground.A, b.P], model: clearance, "
                 "bearing_radius: 10 mm, clearance: 0.5 mm, restitution: 0.9, "
                 "law: lankarani-nikravesh, stiffness: 1e10, exponent: 1.5}}\n",
                 NULL);

    run_check(&j.run, j.status);
    test_near(value(&j, "b.y"), -0.300501, 1e-12);
    run_end(&j.run);
}
END_TEST

START_TEST(nonsense_is_refused)
{
    ha_ctx *ctx = ha_ctx_new();
    double y = 0.0;

    ck_assert_int_eq(bg_equilibrium(ctx, NULL, NULL, &y, NULL, NULL), HA_ERR_ARGUMENT);
    ck_assert_int_eq(ha_dae_rest(ctx, NULL, NULL, 0.0, NULL, &y, NULL, NULL), HA_ERR_ARGUMENT);
    ha_ctx_free(ctx);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_rod_comes_to_hang,
        a_rod_that_stands_is_at_rest_and_unstable,
        what_is_held_stays,
        a_chain_hangs_as_a_catenary,
        a_ball_lies_on_a_plate,
        what_nothing_holds_is_named,
        what_cannot_be_held_is_refused,
        a_damped_stop_holds_what_is_pressed_against_it,
        a_stop_that_is_left_holds_nothing,
        a_journal_rests_in_its_bearing,
        nonsense_is_refused,
    };

    return test_run_all("statics", NULL, NULL, tests, HA_COUNT(tests));
}
