/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the ground gets: the shaking force of an engine in line with four cylinders, whose cranks
 * are at 0, 180, 180 and 0 degrees. A rod with the mass centre at a from the crank pin, b from the
 * piston and the inertia m a b about it moves as m b / l at the pin and m a / l at the piston, and
 * the pins balance. With the crank angle phi = omega t and the mass m at each piston
 *
 *   x = r cos phi + s,  s = sqrt(l^2 - r^2 sin^2 phi)
 *   x'' = -omega^2 (r cos phi + r^2 cos 2 phi / s + r^4 sin^2 phi cos^2 phi / s^3)
 *   F = -m (2 x''(phi) + 2 x''(phi + pi)) = 4 m r omega^2 (A_2 cos 2 phi - A_4 cos 4 phi ...)
 *   A_2 = k + k^3 / 4 + 15 k^5 / 128 + 35 k^7 / 512 + ...,  k = r / l
 *
 * Two shafts that turn at 2 omega and -2 omega (Lanchester) take the second harmonic away.
 */
#include <config.h>

#include "tests/unit/mech2d/run.h"
#include "tests/util/util.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 64 };

static const double r = 0.04, l = 0.16, omega = 100.0, m = 0.5 + 0.6 * 0.04 / 0.16;

static double pi(void)
{
    return acos(-1.0);
}

/* x'' of a piston at a crank angle. */
static double acceleration(double phi)
{
    double s = sqrt(l * l - r * r * sin(phi) * sin(phi));
    double sc = sin(phi) * cos(phi);

    return -omega * omega *
           (r * cos(phi) + r * r * cos(2.0 * phi) / s + r * r * r * r * sc * sc / (s * s * s));
}

static double force(double phi)
{
    return -2.0 * m * (acceleration(phi) + acceleration(phi + pi()));
}

/* The amplitude of cos(k phi) in values at ROWS crank angles of a turn. */
static double harmonic(const double *values, int k)
{
    double sum = 0.0;

    for (int i = 0; i < ROWS; i++) {
        sum += values[i] * cos(2.0 * pi() * k * i / ROWS);
    }
    return 2.0 * sum / ROWS;
}

static void add(char *text, size_t size, const char *more)
{
    ck_assert_uint_lt(strlen(text) + strlen(more), size);
    strcat(text, more);
}

/* The engine, with shafts of this moment m_b r_b where it is not 0. */
static run engine(double shaft)
{
    static const double phases[4] = { 0, 180, 180, 0 };
    char bodies[4096] = "", joints[4096] = "", text[12288], more[512];

    for (int i = 0; i < 4; i++) {
        double turn = cos(phases[i] * pi() / 180.0);
        snprintf(more, sizeof more,
                 "  rod%d: {mass: 0.6, inertia: 0.0028800000000000002, points: {P: [-0.04, 0], Q: "
                 "[0.12, 0]}, start: {x: %g, y: 0}}\n"
                 "  piston%d: {mass: 0.5, inertia: 1e-3, points: {Q: [0, 0]}, start: {x: %g}}\n",
                 i, turn * r + 0.04, i, turn * r + l);
        add(bodies, sizeof bodies, more);
        snprintf(more, sizeof more,
                 "  P%d: {type: revolute, between: [crank.%s, rod%d.P]}\n"
                 "  Q%d: {type: revolute, between: [rod%d.Q, piston%d.Q]}\n",
                 i, turn > 0 ? "A" : "B", i, i, i, i);
        add(joints, sizeof joints, more);
        snprintf(more, sizeof more,
                 i % 2 == 0 ? "  S%d: {type: translational, between: [ground.O, piston%d.Q]}\n"
                            : "  S%d: {type: translational, between: [piston%d.Q, ground.O]}\n",
                 i, i);
        add(joints, sizeof joints, more);
    }
    if (shaft > 0.0) {
        snprintf(
            more, sizeof more,
            "  up: {mass: 1, inertia: 1e-3, points: {O: [%.17g, 0]}, start: {angle: 180 deg}}\n"
            "  down: {mass: 1, inertia: 1e-3, points: {O: [%.17g, 0]}, start: {angle: 180 "
            "deg}}\n",
            -shaft, -shaft);
        add(bodies, sizeof bodies, more);
        add(joints, sizeof joints,
            "  U: {type: revolute, between: [ground.U, up.O], motion: pi + 200*t}\n"
            "  D: {type: revolute, between: [down.O, ground.D], motion: 200*t - pi}\n");
    }
    snprintf(text, sizeof text,
             "halfarrow: 1\n"
             "gravity: [0, 0]\n"
             "ground: {points: {O: [0, 0], U: [0, 0.1], D: [0, -0.1]}}\n"
             "bodies:\n"
             "  crank: {mass: 5, inertia: 0.01, points: {O: [0, 0], A: [0.04, 0], B: [-0.04, 0]}}\n"
             "%s"
             "joints:\n"
             "  O: {type: revolute, between: [ground.O, crank.O], motion: 100*t}\n"
             "%s"
             "simulate: {t_end: %.17g, step: %.17g, rtol: 1e-10}\n"
             "values: {fx: ground.fx, fy: ground.fy, torque: ground.torque}\n",
             bodies, joints, 2.0 * pi() / omega, 2.0 * pi() / omega / ROWS);
    return run_text(text);
}

static void expect(double found, double truth, double tolerance, const char *what)
{
    ck_assert_msg(fabs(found - truth) <= tolerance, "%s is %.17g, not %.17g", what, found, truth);
}

START_TEST(an_engine_shakes_the_ground_at_twice_its_speed)
{
    run e = engine(0.0);
    double k = r / l, k2 = k * k, size = 4.0 * m * r * omega * omega, found[ROWS];
    double series = k * (1.0 + k2 * (0.25 + k2 * (15.0 / 128.0 + k2 * 35.0 / 512.0)));

    for (size_t i = 0; i < ROWS; i++) {
        found[i] = run_value(&e, i, "fx");
        expect(found[i], force(2.0 * pi() * (double) i / ROWS), 1e-7 * size, "fx");
        expect(run_value(&e, i, "fy"), 0.0, 1e-7 * size, "fy");
        expect(run_value(&e, i, "torque"), 0.0, 1e-7 * size * l, "torque");
    }
    expect(harmonic(found, 1), 0.0, 1e-7 * size, "the first harmonic");
    expect(harmonic(found, 2), size * series, 1e-6 * size * series, "the second harmonic");
    run_end(&e);
}
END_TEST

START_TEST(shafts_at_twice_the_speed_balance_it)
{
    double truth[ROWS], found[ROWS];

    for (int i = 0; i < ROWS; i++) {
        truth[i] = force(2.0 * pi() * i / ROWS);
    }
    double second = harmonic(truth, 2), fourth = harmonic(truth, 4);
    run e = engine(second / (8.0 * omega * omega));
    for (size_t i = 0; i < ROWS; i++) {
        found[i] = run_value(&e, i, "fx");
        expect(run_value(&e, i, "fy"), 0.0, 1e-7 * second, "fy");
    }
    expect(harmonic(found, 2), 0.0, 1e-7 * second, "the second harmonic");
    expect(harmonic(found, 4), fourth, 1e-6 * fabs(fourth), "the fourth harmonic");
    run_end(&e);
}
END_TEST

/* A body on springs, dampers, contacts and a motion: what the ground gets is what the momentum of
   all bodies and their weights leave, F = sum m (g - a), T = sum (r x m (g - a)) - J alpha. */
START_TEST(what_the_ground_gets_is_what_moves_nothing)
{
    static const char text[] =
        "halfarrow: 1\n"
        "ground: {points: {O: [0.3, 0.2], A: [1, 0.5], B: [0, -0.4], W: {at: [0, -1], axis: "
        "0.1}}}\n"
        "bodies:\n"
        "  a: {mass: 2, inertia: 0.3, points: {P: [-0.5, 0.1], Q: [0.5, 0]}, start: {vx: 0.3}}\n"
        "  b: {mass: 1, inertia: 0.2, points: {P: [-0.4, 0], Q: [0.3, 0.1]}, start: {x: 1}}\n"
        "  c: {mass: 0.5, inertia: 0.1, points: {P: [0, 0]}, start: {y: -0.9},\n"
        "      motion: {x: 0.2*sin(3*t)}}\n"
        "joints:\n"
        "  O: {type: revolute, between: [a.P, ground.O], model: compliant, stiffness: 1e4,\n"
        "      damping: 10}\n"
        "  R: {type: revolute, between: [a.Q, b.P]}\n"
        "forces:\n"
        "  s: {type: spring-damper, between: [ground.A, b.Q], stiffness: 300, damping: 2}\n"
        "  k: {type: spring-damper, on: O, stiffness: 3, damping: 0.1}\n"
        "  d: {type: spring-damper, between: [b.P, c.P], stiffness: 30, damping: 2}\n"
        "simulate: {t_end: 0.5, rtol: 1e-9}\n"
        "values:\n"
        "  x: ground.fx - 2*(0 - a.ax) - (0 - b.ax) - 0.5*(0 - c.ax)\n"
        "  y: ground.fy - 2*(-9.81 - a.ay) - (-9.81 - b.ay) - 0.5*(-9.81 - c.ay)\n"
        "  T: \"ground.torque + 0.3*a.alpha + 0.2*b.alpha + 0.1*c.alpha\n"
        "     - 2*(a.x*(-9.81 - a.ay) + a.y*a.ax) - (b.x*(-9.81 - b.ay) + b.y*b.ax)\n"
        "     - 0.5*(c.x*(-9.81 - c.ay) + c.y*c.ax)\"\n"
        "  most: abs(ground.torque)\n";
    run e = run_text(text);

    for (size_t i = 0; i < ha_result_n_rows(e.result); i++) {
        expect(run_value(&e, i, "x"), 0.0, 1e-7, "what is left of fx");
        expect(run_value(&e, i, "y"), 0.0, 1e-7, "what is left of fy");
        expect(run_value(&e, i, "T"), 0.0, 1e-7, "what is left of the moment");
    }
    ck_assert_double_gt(run_last(&e, "most"), 1.0);
    run_end(&e);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ground");
    TCase *tcase = tcase_create("ground");

    tcase_add_test(tcase, an_engine_shakes_the_ground_at_twice_its_speed);
    tcase_add_test(tcase, shafts_at_twice_the_speed_balance_it);
    tcase_add_test(tcase, what_the_ground_gets_is_what_moves_nothing);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
