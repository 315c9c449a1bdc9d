/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs into a position that cannot be passed: every row that is written is right.
 *
 * A crank of 1 m on a rod of 1.2 m and a rocker of 1.8 m, whose hinge is 3 m away from that of the
 * crank, driven at 1 rad/s from 0.5 rad on. Rod and rocker are in line at cos(angle) = 1/6, that is
 * at t* = acos(1/6) - 0.5, where the rocker's speed grows like 1 / sqrt(t* - t). With the tip B(t)
 * of the crank at the distance d from the rocker's hinge P, and a the way from B along BP to the
 * foot of the tip C above BP,
 *
 *     a = (1.2^2 - 1.8^2 + d^2) / (2 d),  h^2 = 1.2^2 - a^2 = (9 - d^2) (d^2 - 0.36) / (4 d^2),
 *     9 - d^2 = 6 cos(angle) - 1.
 *
 * The rocker's angle p has |B(t) - C(p)|^2 = 1.2^2; implicit differentiation gives p' and p''. On
 * the rocker's tip hangs a bob, of mass m and inertia I about its centre, at the length l from the
 * tip, that is free to swing:
 *
 *     (I + m l^2) q'' = -m l (-sin(q) x_C'' + cos(q) (y_C'' + g)),
 *
 * integrated by the classical method of order 4 in s = -log(t* - t).
 *
 * Where the crank only touches that angle, at rest, both bars go on through the line:
 * h changes its sign.
 *
 * A speed is as sure as the time at which it is had: near t* a delay of one tolerance changes it by
 * a share of 1 / (2 (t* - t)) of it.
 */
#include <config.h>

#include "tests/unit/mech2d/run.h"

#include <check.h>
#include <math.h>
#include <stdio.h>

static const double gravity = 9.81;
static const double mass = 0.5, inertia = 0.02, length = 0.4; /* of the bob */

static double end_of_way(void)
{
    return acos(1.0 / 6.0) - 0.5;
}

/* --- the truth ------------------------------------------------------------------------------- */

/* Of the linkage. */
typedef struct {
    double rod;     /* angle */
    double p[3];    /* the rocker's angle and its two derivatives */
    double pull[2]; /* acceleration of its tip */
} linkage;

/* At an angle of the crank that turns at 1 rad/s; `side` is the sign of h. */
static linkage at_angle(double angle, double side)
{
    double b[2] = { cos(angle), sin(angle) };
    double d2 = 10.0 - 6.0 * b[0], d = sqrt(d2), a = (d2 - 1.8) / (2.0 * d);
    double h = side * sqrt(fmax(6.0 * b[0] - 1.0, 0.0) * (d2 - 0.36) / (4.0 * d2));
    double along[2] = { (3.0 - b[0]) / d, -b[1] / d };
    double to_c[2] = { a * along[0] - h * along[1], a * along[1] + h * along[0] }; /* from B */
    double c[2] = { b[0] + to_c[0] - 3.0, b[1] + to_c[1] };                        /* from P */
    double f_t = 2.0 * (to_c[0] * b[1] - to_c[1] * b[0]);
    double f_p = 2.0 * (-to_c[0] * c[1] + to_c[1] * c[0]);
    double f_tt = 2.0 * (1.0 + to_c[0] * b[0] + to_c[1] * b[1]);
    double f_tp = 2.0 * (-b[1] * c[1] - b[0] * c[0]);
    double f_pp = 2.0 * (1.8 * 1.8 - to_c[0] * c[0] - to_c[1] * c[1]);
    double p1 = -f_t / f_p, p2 = -(f_tt + 2.0 * f_tp * p1 + f_pp * p1 * p1) / f_p;

    return (linkage){ atan2(to_c[1], to_c[0]),
                      { atan2(c[1], c[0]), p1, p2 },
                      { -c[1] * p2 - c[0] * p1 * p1, c[0] * p2 - c[1] * p1 * p1 } };
}

static linkage at(double t)
{
    return at_angle(0.5 + t, 1.0);
}

/* q' and q'' of the bob by s. */
static void rates(double s, const double q[2], double out[2])
{
    double left = exp(-s);
    linkage k = at(end_of_way() - left);

    out[0] = left * q[1];
    out[1] = left * -mass * length * (-sin(q[0]) * k.pull[0] + cos(q[0]) * (k.pull[1] + gravity)) /
             (inertia + mass * length * length);
}

/* Brings q, q' from the time t0 to t1. */
static void swing(double t0, double t1, double q[2])
{
    double s = -log(end_of_way() - t0), way = -log(end_of_way() - t1) - s;
    int n = 4 + (int) (2000.0 * way);
    double h = way / n, k[4][2], at_stage[2];

    for (int i = 0; i < n; i++, s += h) {
        rates(s, q, k[0]);
        for (int j = 1; j < 4; j++) {
            double share = j < 3 ? 0.5 * h : h;
            at_stage[0] = q[0] + share * k[j - 1][0];
            at_stage[1] = q[1] + share * k[j - 1][1];
            rates(s + share, at_stage, k[j]);
        }
        q[0] += h / 6.0 * (k[0][0] + 2.0 * k[1][0] + 2.0 * k[2][0] + k[3][0]);
        q[1] += h / 6.0 * (k[0][1] + 2.0 * k[1][1] + 2.0 * k[2][1] + k[3][1]);
    }
}

/* --- the runs -------------------------------------------------------------------------------- */

static ha_status run_linkage(run *r, bool has_bob, const char *motion, double tolerance,
                             const char *driver)
{
    char text[2000];

    snprintf(
        text, sizeof text,
        "halfarrow: 1\ngravity: [0, -9.81]\nground: {points: {O: [0, 0], P: [3, 0]}}\nbodies:\n"
        "  crank: {mass: 1, inertia: 0.1, points: {A: [-0.5, 0], B: [0.5, 0]}, start: {angle: "
        "0.5}}\n"
        "  rod: {mass: 1, inertia: 0.1, points: {A: [-0.6, 0], B: [0.6, 0]}, start: {angle: "
        "0.9}}\n"
        "  rocker: {mass: 1, inertia: 0.3, points: {A: [-0.9, 0], B: [0.9, 0]}, start: {angle: "
        "2.3}}\n%s"
        "joints:\n"
        "  O: {type: revolute, between: [ground.O, crank.A], motion: {angle: %s}}\n"
        "  B: {type: revolute, between: [crank.B, rod.A]}\n"
        "  C: {type: revolute, between: [rod.B, rocker.B]}\n"
        "  D: {type: revolute, between: [ground.P, rocker.A]}\n%s"
        "simulate: {t_end: 2, step: 0.0005, rtol: %g, atol: %g, driver: %s}\n",
        has_bob ? "  bob: {mass: 0.5, inertia: 0.02, points: {A: [-0.4, 0]}, start: {angle: 0.3, "
                  "omega: 0, fixed: [angle, omega]}}\n"
                : "",
        motion, has_bob ? "  E: {type: revolute, between: [rocker.B, bob.A]}\n" : "", tolerance,
        tolerance, driver);
    ha_status status = m2d_read_text(r->ctx, text, strlen(text), "m.yaml", NULL, &r->model);
    return status == HA_OK ? run_model(r) : status;
}

static const struct {
    double tolerance;
    const char *driver;
} ways[] = {
    { 1e-4, "ida" },      { 1e-6, "ida" },      { 1e-8, "ida" },      { 1e-10, "ida" },
    { 1e-4, "explicit" }, { 1e-6, "explicit" }, { 1e-8, "explicit" }, { 1e-10, "explicit" }
};

enum { WAYS = HA_COUNT(ways) };

/* What errors in places may grow to up to the end of the way, in tolerances: those that constraints
   take back, those of the bob, which add up, and the delay of a speed. */
static const double KEPT = 50.0, FREE = 200.0, DELAY = 10.0;

static void expect_place(double found, double truth, double allowed, double t)
{
    double error = remainder(found - truth, 6.283185307179586);

    ck_assert_msg(fabs(error) <= allowed, "%g instead of %g, %g s before the end", error, allowed,
                  end_of_way() - t);
}

static void expect_speed(double found, double truth, double allowed, double tolerance, double t)
{
    double error = found - truth, left = end_of_way() - t;
    double most = allowed * (1.0 + fabs(truth)) + DELAY * tolerance * fabs(truth) / left;

    ck_assert_msg(fabs(error) <= most, "%g instead of %g, of %g, %g s before the end", error, most,
                  truth, left);
}

/* The run comes to within half a millisecond of the end of the way, and all its rows are right. */
START_TEST(rows_before_a_lock_up_are_right)
{
    const double tolerance = ways[_i].tolerance;
    run r = run_new();

    ck_assert_int_eq(run_linkage(&r, false, "0.5 + t", tolerance, ways[_i].driver), HA_ERR_SOLVER);
    const char *said = ha_ctx_diag(r.ctx, 0)->text;
    ck_assert_msg(strncmp(said, "this is a lock-up: `", 20) == 0, "%s", said);
    ck_assert_ptr_nonnull(strstr(said, "; let the prescribed motion end or turn back before"));
    size_t n = ha_result_n_rows(r.result);
    ck_assert_uint_eq(n, 2 + (size_t) (end_of_way() / 0.0005)); /* the last where it stops */
    for (size_t i = 0; i < n; i++) {
        double t = ha_result_value(r.result, i, 0);
        linkage k = at(t);
        expect_place(run_value(&r, i, "rod.angle"), k.rod, KEPT * tolerance, t);
        expect_place(run_value(&r, i, "rocker.angle"), k.p[0], KEPT * tolerance, t);
        expect_speed(run_value(&r, i, "rocker.omega"), k.p[1], KEPT * tolerance, tolerance, t);
    }
    run_end(&r);
}
END_TEST

/* A tight tolerance stops farther from the position, where the equations are less singular. */
START_TEST(a_lock_up_is_named_at_tight_tolerances)
{
    static const double tolerances[] = { 1e-11, 1e-12 };
    run r = run_new();

    ck_assert_int_eq(run_linkage(&r, false, "0.5 + t", tolerances[_i], "ida"), HA_ERR_SOLVER);
    const char *said = ha_ctx_diag(r.ctx, 0)->text;
    ck_assert_msg(strstr(said, "this is a lock-up: `constraint of O.drive`") != NULL, "%s", said);
    ck_assert_msg(strstr(said, "runs away") == NULL, "%s", said);
    /* round-off was in the way, so what helps against it is told */
    ck_assert(r.report.solver.relaxed > 0.0 || r.report.solver.hops > 0);
    ck_assert_msg(strstr(said, "round-off is more than these tolerances: loosen") != NULL, "%s",
                  said);
    run_end(&r);
}
END_TEST

/* What no constraint puts right again is right, too. */
START_TEST(what_swings_freely_before_a_lock_up_is_right)
{
    const double tolerance = ways[_i].tolerance;
    double q[2] = { 0.3, 0.0 }, before = 0.0;
    run r = run_new();

    ck_assert_int_eq(run_linkage(&r, true, "0.5 + t", tolerance, ways[_i].driver), HA_ERR_SOLVER);
    size_t n = ha_result_n_rows(r.result);
    ck_assert_uint_eq(n, 2 + (size_t) (end_of_way() / 0.0005)); /* the last where it stops */
    for (size_t i = 1; i < n; i++) {
        double t = ha_result_value(r.result, i, 0);
        swing(before, t, q);
        before = t;
        expect_place(run_value(&r, i, "bob.angle"), q[0], FREE * tolerance, t);
        expect_speed(run_value(&r, i, "bob.omega"), q[1], FREE * tolerance, tolerance, t);
    }
    run_end(&r);
}
END_TEST

START_TEST(what_only_touches_a_lock_up_passes)
{
    const double tolerance = ways[_i].tolerance;
    run r = run_new();

    run_check(&r, run_linkage(&r, false, "acos(1/6) - 0.45*(t - 1)^2", tolerance, ways[_i].driver));
    for (size_t i = 0; i < ha_result_n_rows(r.result); i++) {
        double t = ha_result_value(r.result, i, 0);
        linkage k = at_angle(acos(1.0 / 6.0) - 0.45 * (t - 1.0) * (t - 1.0), t < 1.0 ? 1.0 : -1.0);
        expect_place(run_value(&r, i, "rod.angle"), k.rod, KEPT * tolerance + 3e-8, t);
        expect_place(run_value(&r, i, "rocker.angle"), k.p[0], KEPT * tolerance + 3e-8, t);
    }
    run_end(&r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lock_up");
    TCase *tests = tcase_create("lock_up");

    tcase_add_loop_test(tests, rows_before_a_lock_up_are_right, 0, WAYS);
    tcase_add_loop_test(tests, a_lock_up_is_named_at_tight_tolerances, 0, 2);
    tcase_add_loop_test(tests, what_swings_freely_before_a_lock_up_is_right, 0, WAYS);
    tcase_add_loop_test(tests, what_only_touches_a_lock_up_passes, 0, WAYS);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
