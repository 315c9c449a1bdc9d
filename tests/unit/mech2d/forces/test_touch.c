/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bodies that fly towards each other and touch for a short time: no method and no setting may miss
 * it. Speeds behind the impact follow from momentum and restitution,
 *
 *     v_A = v + m_B e u / (m_A + m_B),  v_B = v - m_A e u / (m_A + m_B),
 *
 * v that of the common mass centre and u = v_B - v_A before.
 */
#include <config.h>

#include "tests/unit/mech2d/run.h"

#include <stdio.h>

static const char *const drivers[] = { "ida", "explicit", "explicit8", "auto" };
enum { N_DRIVERS = 4 };

/* Two discs on the line of x, at default settings. */
typedef struct {
    double radius, distance, speed, modulus, restitution, t_end; /* the second comes to the first */
} pair;

static const pair pairs[] = {
    { 0.02, 1.0, 1.0, 1e9, 0.8, 3.0 },    { 0.005, 3.0, 0.3, 1e10, 0.5, 25.0 },
    { 0.1, 0.5, 30.0, 1e7, 0.9, 0.1 },    { 0.005, 2.0, 30.0, 2e11, 0.7, 1.0 },
    { 0.05, 1.5, 10.0, 1e10, 0.35, 0.5 }, { 0.001, 3.0, 10.0, 1e13, 0.6, 3.0 },
};

static run run_pair(const pair *p, const char *driver, const char *more)
{
    char text[2000];

    snprintf(text, sizeof text,
             "halfarrow: 1\ngravity: [0, 0]\nbodies:\n"
             "  A: {mass: 1, inertia: 1e-3, points: {C: [0, 0]}}\n"
             "  B: {mass: 2, inertia: 1e-3, points: {C: [0, 0]}, start: {x: %g, vx: %g}}\n"
             "forces:\n"
             "  hit: {type: contact, between: [A.C, B.C], surface: disc, surface_radius: %g,\n"
             "        radius: %g, modulus: %g, restitution: %g}\n"
             "simulate: {t_end: %g, driver: %s%s}\n",
             p->distance, -p->speed, p->radius, p->radius, p->modulus, p->restitution, p->t_end,
             driver, more);
    return run_text(text);
}

START_TEST(discs_hit_each_other_by_every_method)
{
    const pair *p = &pairs[_i / N_DRIVERS];
    run r = run_pair(p, drivers[_i % N_DRIVERS], "");
    double middle = -2.0 / 3.0 * p->speed, gained = p->restitution * p->speed;

    ck_assert_int_eq(r.report.solver.events, 2);
    ck_assert_double_eq_tol(run_last(&r, "A.vx"), middle - 2.0 / 3.0 * gained, 0.01 * p->speed);
    ck_assert_double_eq_tol(run_last(&r, "B.vx"), middle + 1.0 / 3.0 * gained, 0.01 * p->speed);
    run_end(&r);
}
END_TEST

/* Rows and tolerances do not decide what is seen. */
START_TEST(discs_hit_each_other_whatever_the_settings)
{
    static const char *const more[] = { ", step: 3", ", rtol: 1e-10, atol: 1e-12", ", rtol: 1e-3",
                                        ", step: 2e-3" };
    run r = run_pair(&pairs[0], drivers[_i % N_DRIVERS], more[_i / N_DRIVERS]);

    ck_assert_int_eq(r.report.solver.events, 2);
    ck_assert_double_eq_tol(run_last(&r, "A.vx"), -2.0 / 3.0 * 1.8, 0.02);
    run_end(&r);
}
END_TEST

/* A contact that ends inside an explicit step is left where it ends: a little beyond, its spring
   would have an energy again, which would jump. */
START_TEST(discs_part_without_a_jump)
{
    for (int k = 0; k < 40; k++) {
        const pair p = { 0.01 + 0.002 * k,   1.0 + 0.03 * k,  0.4 * pow(1.1, k),
                         3e9 * pow(1.15, k), 0.3 + 0.017 * k, 4.0 };
        run r = run_pair(&p, drivers[_i], "");
        ck_assert_int_eq(r.report.solver.events, 2);
        run_end(&r);
    }
}
END_TEST

/* Thrown past it by less than what is left between them: nothing happens. */
START_TEST(a_near_miss_is_a_miss)
{
    char text[1000];

    snprintf(text, sizeof text,
             "halfarrow: 1\ngravity: [0, 0]\nground: {points: {O: [0, 0]}}\nbodies:\n"
             "  B: {mass: 1, inertia: 1e-3, points: {C: [0, 0]},\n"
             "      start: {x: -1, y: %.17g, vx: 20}}\n"
             "forces:\n"
             "  hit: {type: contact, between: [ground.O, B.C], surface: disc,\n"
             "        surface_radius: 20 mm, radius: 20 mm, modulus: 1e9}\n"
             "simulate: {t_end: 1, driver: %s}\n",
             _i < N_DRIVERS ? 0.04001 : 0.0399, drivers[_i % N_DRIVERS]);
    run r = run_text(text);
    ck_assert_int_eq(r.report.solver.events, _i < N_DRIVERS ? 0 : 2);
    run_end(&r);
}
END_TEST

/* A small disc that is thrown down on a fixed one: it comes up again at the speed it came with. */
START_TEST(a_disc_thrown_at_a_fixed_one_comes_back)
{
    char text[1000];

    snprintf(text, sizeof text,
             "halfarrow: 1\nground: {points: {O: [0, 0]}}\nbodies:\n"
             "  B: {mass: 1, inertia: 1e-3, points: {C: [0, 0]}, start: {y: 1.1, vy: -10}}\n"
             "forces:\n"
             "  hit: {type: contact, between: [ground.O, B.C], surface: disc,\n"
             "        surface_radius: 50 mm, radius: 50 mm, modulus: 1e11}\n"
             "simulate: {t_end: 0.5, driver: %s}\n",
             drivers[_i]);
    run r = run_text(text);
    double y = run_last(&r, "B.y"), v = run_last(&r, "B.vy");
    ck_assert_int_eq(r.report.solver.events, 2);
    ck_assert_double_eq_tol(0.5 * v * v + 9.81 * y, 50.0 + 9.81 * 1.1, 0.1);
    ck_assert_double_gt(v, 0.0);
    run_end(&r);
}
END_TEST

/* At rest on its contact a body costs no more steps than without one, about. */
START_TEST(a_contact_at_rest_does_not_shorten_the_steps)
{
    char text[1000];

    snprintf(text, sizeof text,
             "halfarrow: 1\nground: {points: {O: [0, 0]}}\nbodies:\n"
             "  B: {mass: 1, inertia: 1e-3, points: {C: [0, 0]}, start: {y: 19.999 mm}}\n"
             "forces:\n"
             "  hit: {type: contact, between: [ground.O, B.C], radius: 20 mm, modulus: 1e7,\n"
             "        law: kelvin-voigt, exponent: 1.5, damping: 300}\n"
             "simulate: {t_end: 10, driver: %s}\n",
             drivers[_i]);
    run r = run_text(text);
    ck_assert_int_le(r.report.solver.events, 4);
    ck_assert_int_le(r.report.solver.steps, _i == 1 || _i == 2 ? 40000 : 1500);
    run_end(&r);
}
END_TEST

/* --- force and speed at default settings ------------------------------------------------------ */

/* A disc of 0.3 kg comes to one of 0.15 kg at rest, without a loss. With F = K d^n and the reduced
   mass m it goes as deep as d, m v^2 / 2 = K d^(n + 1) / (n + 1), at the time

       t = gap / v + share d / v,   share = pi / 2 for n = 1, 1.47164 for n = 1.5 (Hertz),

   and then the first has (m_1 - m_2) / (m_1 + m_2) of its speed v, the second 2 m_1 / (m_1 + m_2).
 */
typedef struct {
    double exponent, share, K, gap, speed;
} impact;

static const impact impacts[] = {
    { 1.0, 1.5707963267948966, 1e6, 0.5, 3.0 },  { 1.5, 1.4716375, 1e9, 0.5, 3.0 },
    { 1.0, 1.5707963267948966, 1e9, 2.0, 0.07 }, { 1.5, 1.4716375, 1e11, 2.0, 0.02 },
    { 1.0, 1.5707963267948966, 1e10, 3.0, 20 },  { 1.5, 1.4716375, 1e11, 0.1, 20 },
};

static run run_impact(const impact *p, double t_end, const char *driver)
{
    char text[2000];

    snprintf(text, sizeof text,
             "halfarrow: 1\ngravity: [0, 0]\nbodies:\n"
             "  A: {mass: 0.3, inertia: 1e-5, points: {C: [0, 0]}, start: {vx: %.17g}}\n"
             "  B: {mass: 0.15, inertia: 1e-5, points: {C: [0, 0]}, start: {x: %.17g}}\n"
             "forces:\n"
             "  hit: {type: contact, between: [A.C, B.C], surface: disc, surface_radius: 0.01,\n"
             "        radius: 0.02, stiffness: %.17g, exponent: %g}\n"
             "simulate: {t_end: %.17g, driver: %s}\n",
             p->speed, p->gap + 0.03, p->K, p->exponent, t_end, driver);
    return run_text(text);
}

START_TEST(impacts_have_their_force_and_speed_without_a_knob)
{
    const impact *p = &impacts[_i / N_DRIVERS];
    double n = p->exponent, v = p->speed, m = 0.1;
    double depth = pow((n + 1.0) * m * v * v / 2.0 / p->K, 1.0 / (n + 1.0));

    run r = run_impact(p, p->gap / v + p->share * depth / v, drivers[_i % N_DRIVERS]);
    ck_assert_double_eq_tol(run_last(&r, "hit.normal") / (p->K * pow(depth, n)), 1.0, 1e-3);
    ck_assert_double_eq_tol(run_last(&r, "hit.depth") / depth, 1.0, 1e-3);
    run_end(&r);

    r = run_impact(p, 2.0 * p->gap / v, drivers[_i % N_DRIVERS]);
    ck_assert_double_eq_tol(run_last(&r, "A.vx") / v, 1.0 / 3.0, 1e-3);
    ck_assert_double_eq_tol(run_last(&r, "B.vx") / v, 4.0 / 3.0, 1e-3);
    run_end(&r);
}
END_TEST

/* Two discs that are laid on a floor and on each other touch without a speed: what they lose hangs
   on the least speed, and on no event that comes a step later. As ida and explicit8 have it with a
   tolerance of 1e-9. */
START_TEST(what_is_laid_down_loses_alike_by_every_method)
{
    char text[2048];

    snprintf(text, sizeof text,
             "halfarrow: 1\nground: {points: {floor: [0, 0]}}\nbodies:\n"
             "  a: {mass: 7.8, inertia: 0.0378, points: {C: [0, 0]}, start: {y: 0.11}}\n"
             "  b: {mass: 7.8, inertia: 0.0378, points: {C: [0, 0]}, start: {y: 0.33}}\n"
             "forces:\n"
             "  floor: {type: contact, between: [ground.floor, a.C], radius: 0.11, modulus: 1 GPa, "
             "poisson: 0.3, restitution: 0.83, law: hunt-crossley}\n"
             "  hit: {type: contact, between: [a.C, b.C], radius: 0.11, modulus: 1 GPa, "
             "poisson: 0.3, restitution: 0.83, law: hunt-crossley, surface: disc, "
             "surface_radius: 0.11}\n"
             "simulate: {t_end: 0.17, driver: %s}\n",
             drivers[_i]);
    run r = run_text(text);
    ck_assert_double_eq_tol(run_last(&r, "energy.dissipated"), 0.00934608, 1e-7);
    run_end(&r);
}
END_TEST

/* --- small and stiff ------------------------------------------------------------------------- */

/* A swing on a spring that meets a limit at 0.3 of its amplitude, once, and comes to rest behind
   it: of any size, and whoever says what the limit does. Nothing pulls at the limit. */
START_TEST(a_limit_is_left_at_any_size)
{
    static const double sizes[] = { 1e-8, 1e-6, 1e-3, 1.0, 1e4 };
    const double L = sizes[_i / N_DRIVERS], limit = 0.3 * L;
    char forms[3][200], text[1200];

    snprintf(forms[0], sizeof *forms, "{type: stop, on: s, upper: %.17g, stiffness: 100}", limit);
    snprintf(forms[1], sizeof *forms,
             "{type: force, on: b.C, value: [\"if(b.x > %.17g, -100*(b.x - %.17g), 0)\", 0]}",
             limit, limit);
    snprintf(forms[2], sizeof *forms,
             "{type: force, on: b.C, value: [\"-100*max(b.x - %.17g, 0)\", 0]}", limit);
    for (size_t i = 0; i < HA_COUNT(forms); i++) {
        snprintf(text, sizeof text,
                 "halfarrow: 1\n"
                 "ground: {points: {O: [0, 0]}}\n"
                 "bodies: {b: {mass: 1, inertia: 1, points: {C: [0, 0]}, start: {x: %.17g}}}\n"
                 "joints: {s: {type: translational, between: [ground.O, b.C]}}\n"
                 "forces:\n"
                 "  k: {type: spring-damper, on: s, stiffness: 1, damping: 0.3}\n"
                 "  e: %s\n"
                 "simulate: {t_end: 100, driver: %s}\n",
                 -L, forms[i], drivers[_i % N_DRIVERS]);
        run r = run_text(text);
        double x = run_last(&r, "b.x");
        ck_assert_msg(fabs(x) < 1e-5 * L, "b.x is %g of %g at rest", x, L);
        ck_assert_int_eq(r.report.solver.events, 2);
        run_end(&r);
    }
}
END_TEST

/* The weight rests on a stop that it presses in by 10 nm: there the spring holds it, and the damper
   does nothing, in a mechanism of any size. */
START_TEST(what_rests_on_a_stiff_stop_rests_by_its_law)
{
    char text[700];

    snprintf(text, sizeof text,
             "halfarrow: 1\n"
             "gravity: [0, -9.81]\n"
             "ground: {points: {O: {at: [0, 0], axis: 90 deg}, far: [%d, 0]}}\n"
             "bodies: {b: {mass: 1, inertia: 1, points: {C: [0, 0]},"
             " start: {y: 1e-4, angle: 90 deg}}}\n"
             "joints: {s: {type: translational, between: [ground.O, b.C]}}\n"
             "forces: {e: {type: stop, on: s, lower: 0, stiffness: 1e9, damping: 2e4}}\n"
             "simulate: {t_end: 2, driver: %s}\n",
             _i / N_DRIVERS, drivers[_i % N_DRIVERS]);
    run r = run_text(text);
    ck_assert_double_eq_tol(run_last(&r, "e.C.e"), -9.81, 1e-3);
    ck_assert_double_eq_tol(run_last(&r, "e.R.e"), 0.0, 1e-3);
    ck_assert_double_eq_tol(run_last(&r, "energy.potential"), -0.5 * 9.81 * 9.81e-9, 1e-11);
    run_end(&r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("touch");
    TCase *tests = tcase_create("touch");

    tcase_add_loop_test(tests, discs_hit_each_other_by_every_method, 0,
                        N_DRIVERS * (int) HA_COUNT(pairs));
    tcase_add_loop_test(tests, discs_hit_each_other_whatever_the_settings, 0, N_DRIVERS * 4);
    tcase_add_loop_test(tests, discs_part_without_a_jump, 0, N_DRIVERS);
    tcase_add_loop_test(tests, a_near_miss_is_a_miss, 0, 2 * N_DRIVERS);
    tcase_add_loop_test(tests, a_disc_thrown_at_a_fixed_one_comes_back, 0, N_DRIVERS);
    tcase_add_loop_test(tests, a_contact_at_rest_does_not_shorten_the_steps, 0, N_DRIVERS);
    tcase_add_loop_test(tests, impacts_have_their_force_and_speed_without_a_knob, 0,
                        N_DRIVERS * (int) HA_COUNT(impacts));
    tcase_add_loop_test(tests, a_limit_is_left_at_any_size, 0, 5 * N_DRIVERS);
    tcase_add_loop_test(tests, what_rests_on_a_stiff_stop_rests_by_its_law, 0, 2 * N_DRIVERS);
    tcase_add_loop_test(tests, what_is_laid_down_loses_alike_by_every_method, 0, N_DRIVERS);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
