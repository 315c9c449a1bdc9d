/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hinges with clearance: against a slider-crank written by hand in its two coordinates and
 * integrated by the classical Runge-Kutta method, against a journal in a round bearing that keeps
 * its angular momentum, and against the same contact as a force.
 */
#include <config.h>

#include "tests/unit/mech2d/run.h"

#include <stdio.h>

#define HEAD "halfarrow: 1\n"

/* --- slider-crank by hand --------------------------------------------------------------------- */

static const double omega = 5000.0 * 2.0 * M_PI / 60.0;
static const double a = 0.05, L = 0.12, m = 0.21, J = 2.5e-4, M = 0.14;
static const double R_B = 0.010, R_J = 0.0095, mu = 0.03, v_0 = 1e-4, v_1 = 1e-3, c_r = 0.9;

/* What changes: angle of the rod and place of the slider, their rates; held: v_minus. */
typedef struct {
    double phi, s, phi_rate, s_rate;
} hand;

static double v_minus = 1e9; /* until there is an impact */

static double stiffness(void)
{
    double s = (1.0 - 0.3 * 0.3) / 207e9;

    return 4.0 / (3.0 * 2.0 * s) * sqrt(R_B * R_J / (R_B - R_J));
}

/* The depth, and the components of the force on the journal; `p` is where it acts. */
static double contact(double t, const hand *y, double F[2], double p[2], double *v_n)
{
    double A[2] = { a * cos(omega * t), a * sin(omega * t) };
    double B[2] = { A[0] + L * cos(y->phi), A[1] + L * sin(y->phi) };
    double vB[2] = { -omega * A[1] - L * sin(y->phi) * y->phi_rate,
                     omega * A[0] + L * cos(y->phi) * y->phi_rate };
    double e[2] = { y->s - B[0], -B[1] }, v[2] = { y->s_rate - vB[0], -vB[1] };
    double ecc = hypot(e[0], e[1]), depth = ecc - (R_B - R_J);

    F[0] = F[1] = p[0] = p[1] = *v_n = 0.0;
    if (ecc == 0.0) {
        return depth;
    }
    double n[2] = { e[0] / ecc, e[1] / ecc }, tangent[2] = { -n[1], n[0] };
    *v_n = v[0] * n[0] + v[1] * n[1];
    if (depth <= 0.0) {
        return depth;
    }
    double v_t = v[0] * tangent[0] + v[1] * tangent[1] - (R_J + ecc) * y->phi_rate;
    double share = 1.0 + 0.75 * (1.0 - c_r * c_r) * *v_n / v_minus;
    double normal = stiffness() * pow(depth, 1.5) * fmax(share, 0.0);
    double ramp = fmin(fmax((fabs(v_t) - v_0) / (v_1 - v_0), 0.0), 1.0);
    double friction = -mu * normal * ramp * (v_t > 0.0 ? 1.0 : -1.0);
    for (int k = 0; k < 2; k++) {
        F[k] = -normal * n[k] + friction * tangent[k];
        p[k] = (k == 0 ? y->s : 0.0) + R_J * n[k] - A[k];
    }
    return depth;
}

/* Rod about its end A, which is accelerated; slider along x. */
static hand rates(double t, const hand *y)
{
    double F[2], p[2], v_n, half = 0.5 * L;
    double aA[2] = { -omega * omega * a * cos(omega * t), -omega * omega * a * sin(omega * t) };
    double r[2] = { half * cos(y->phi), half * sin(y->phi) };

    contact(t, y, F, p, &v_n);
    double torque = -(p[0] * F[1] - p[1] * F[0]) - m * (r[0] * aA[1] - r[1] * aA[0]);
    return (hand){ y->phi_rate, y->s_rate, torque / (J + m * half * half), F[0] / M };
}

static hand along(const hand *y, const hand *rate, double h)
{
    return (hand){ y->phi + h * rate->phi, y->s + h * rate->s, y->phi_rate + h * rate->phi_rate,
                   y->s_rate + h * rate->s_rate };
}

static hand step(double t, hand y, double h)
{
    hand k1 = rates(t, &y), y2 = along(&y, &k1, 0.5 * h);
    hand k2 = rates(t + 0.5 * h, &y2), y3 = along(&y, &k2, 0.5 * h);
    hand k3 = rates(t + 0.5 * h, &y3), y4 = along(&y, &k3, h);
    hand k4 = rates(t + h, &y4);

    y = along(&y, &k1, h / 6.0);
    y = along(&y, &k2, h / 3.0);
    y = along(&y, &k3, h / 3.0);
    return along(&y, &k4, h / 6.0);
}

/* From the ideal start to the time t; the number of impacts. */
static hand by_hand(double t_end, int *impacts)
{
    const double h = 2e-9;
    hand y = { 0.0, a + L, -a * omega / L, 0.0 };
    double F[2], p[2], v_n;
    bool was_in = false;

    *impacts = 0;
    for (long i = 0; i < (long) (t_end / h + 0.5); i++) {
        double t = (double) i * h;
        bool is_in = contact(t, &y, F, p, &v_n) > 0.0;
        if (is_in && !was_in) {
            v_minus = v_n;
            (*impacts)++;
        }
        was_in = is_in;
        y = step(t, y, h);
    }
    return y;
}

START_TEST(a_slider_crank_with_clearance_moves_as_the_one_written_by_hand)
{
    int impacts = 0;
    const double t_end = 1.2e-3; /* a few impacts: later ones magnify every difference */
    hand y = by_hand(t_end, &impacts);
    const char *const sets[] = { "simulate.t_end=1.2e-3", "simulate.rtol=3e-9",
                                 "simulate.atol=1e-12" };
    m2d_read_def def = { 0 };

    def.sets = sets;
    def.n_sets = 3;
    run r = run_file("examples/clearance_slider_crank.yaml", &def);
    ck_assert_int_ge(impacts, 3);
    run_expect_near(&r, "slider.x", y.s, 1e-8);
    run_expect(&r, "slider.vx", y.s_rate, 1e-4);
    /* a millionth of the 228 J that pass: in neighbouring runs, to 0.6 or 0.8 ms, it is 1e-4 J */
    ck_assert_double_lt(r.report.energy_error, 2.3e-4);
    run_end(&r);
}
END_TEST

START_TEST(it_runs_on_with_a_restart_for_each_event_and_closes_its_energy_book)
{
    double fraction[3];
    static const char *const clearances[3] = { "joints.B.clearance=0.1 mm",
                                               "joints.B.clearance=0.25 mm",
                                               "joints.B.clearance=0.5 mm" };

    for (int k = 0; k < 3; k++) {
        m2d_read_def def = { 0 };
        def.sets = &clearances[k];
        def.n_sets = 1;
        run r = run_file("examples/clearance_slider_crank.yaml", &def);
        size_t n = ha_result_n_rows(r.result), in = 0;
        for (size_t i = 0; i < n; i++) {
            in += run_value(&r, i, "B.depth") > 0.0 ? 1 : 0;
            ck_assert_double_ge(run_value(&r, i, "B.normal"), 0.0);
        }
        fraction[k] = (double) in / (double) n;
        ck_assert_int_ge(r.report.solver.events, 10);
        ck_assert_int_ge(r.report.solver.restarts, 1);
        ck_assert_int_le(r.report.solver.restarts, r.report.solver.events);
        ck_assert_double_lt(r.report.energy_error, 1e-3); /* of 100 J */
        run_end(&r);
    }
    /* the more room the more flight */
    ck_assert_double_gt(fraction[0], fraction[1]);
    ck_assert_double_gt(fraction[1], fraction[2]);
    ck_assert_double_gt(fraction[2], 0.5);
}
END_TEST

/* --- a journal in a bearing ------------------------------------------------------------------- */

START_TEST(a_journal_without_friction_keeps_its_angular_momentum_and_energy)
{
    run r =
        run_text(HEAD "gravity: [0, 0]\nground: {points: {O: [0, 0]}}\n"
                      "bodies: {b: {mass: 2, inertia: 0.01, points: {P: [0, 0]}, "
                      "start: {vx: 1, vy: 0.3, x: 0, y: 0.2 mm, fixed: [x, y, vx, vy]}}}\n"
                      "joints: {O: {type: revolute, between: [ground.O, b.P], "
                      "model: clearance, bearing_radius: 10 mm, clearance: 0.5 mm, "
                      "modulus: 200 GPa}}\n"
                      "simulate: {t_end: 20 ms, rtol: 1e-10, atol: 1e-13, max_steps: 1000000}\n");

    for (size_t i = 0; i < ha_result_n_rows(r.result); i++) {
        double x = run_value(&r, i, "b.x"), y = run_value(&r, i, "b.y");
        double H = x * run_value(&r, i, "b.vy") - y * run_value(&r, i, "b.vx");
        ck_assert_double_eq_tol(H, -0.2e-3, 1e-10);
    }
    ck_assert_int_ge(r.report.solver.events, 20);
    ck_assert_double_lt(r.report.energy_error, 1e-6);
    run_end(&r);
}
END_TEST

/* Runs a ball in a bearing and gives its x at the end. */
static double end_of(const char *connection)
{
    char text[2000];

    snprintf(text, sizeof text,
             HEAD
             "ground: {points: {O: [0, 0]}}\n"
             "bodies: {b: {mass: 2, inertia: 0.01, points: {P: [1 mm, 0]}, "
             "start: {x: -0.9 mm, y: 0, vx: 1, vy: 0.3, fixed: [x, y, angle, vx, vy, omega]}}}\n"
             "%s\nsimulate: {t_end: 5 ms, rtol: 1e-10, atol: 1e-12, max_steps: 1000000}\n",
             connection);
    run r = run_text(text);
    double x = run_last(&r, "b.x");

    run_end(&r);
    return x;
}

#define SETTINGS "law: flores, restitution: 0.8, stiffness: 5e10, friction: 0.1"

START_TEST(a_hinge_with_clearance_is_a_disc_in_a_socket)
{
    double joint =
        end_of("joints: {O: {type: revolute, between: [ground.O, b.P], model: clearance, "
               "bearing_radius: 10 mm, journal_radius: 9.5 mm, " SETTINGS "}}");
    double force = end_of("forces: {O: {type: contact, between: [ground.O, b.P], surface: socket, "
                          "surface_radius: 10 mm, radius: 9.5 mm, " SETTINGS "}}");

    ck_assert_double_eq_tol(joint, force, 1e-9);
}
END_TEST

/* --- guides ----------------------------------------------------------------------------------- */

/* A block that is pulled at its guide, its mass centre above. */
#define PULLED(SETTINGS_OF_IT)                                                                     \
    HEAD "ground: {points: {O: [0, 0]}}\n"                                                         \
         "bodies: {b: {mass: 2, inertia: 1, points: {C: [0, -0.4]}, start: {y: 0.4, vx: 1}}}\n"    \
         "joints: {J: {type: translational, between: [ground.O, b.C], model: guide, "              \
         "guide_length: 0.1, " SETTINGS_OF_IT "}}\n"                                               \
         "forces: {P: {type: force, on: b.C, value: [100, 0]}}\n"                                  \
         "simulate: {t_end: 0.5, rtol: 1e-8, atol: 1e-10, max_steps: 1000000}\n"

START_TEST(the_ends_of_a_slider_carry_its_inertia_and_slow_it)
{
    /* m a h presses the ends with m a h / d each way, m a = P - mu 2 m a h / d; front up, back
       down */
    const double m_b = 2.0, P = 100.0, h = 0.4, d = 0.1,
                 a_b = P / (m_b * (1.0 + 2.0 * 0.2 * h / d));
    run r = run_text(PULLED("stiffness: 1e9, exponent: 1, law: kelvin-voigt, damping: 1e5, "
                            "friction: 0.2"));

    run_expect(&r, "J.speed", 1.0 + 0.5 * a_b, 1e-4);
    run_expect(&r, "J.front_left.normal", m_b * a_b * h / d - 0.5 * m_b * 9.81, 1e-3);
    run_expect(&r, "J.back_right.normal", m_b * a_b * h / d + 0.5 * m_b * 9.81, 1e-3);
    run_expect_near(&r, "J.front_right.normal", 0.0, 0.0);
    run_expect_near(&r, "J.back_left.normal", 0.0, 0.0);
    run_expect(&r, "J.fy", m_b * 9.81, 1e-3);
    ck_assert_double_lt(r.report.energy_error, 1e-4);
    run_end(&r);
}
END_TEST

START_TEST(a_slider_with_clearance_tilts_until_both_ends_touch)
{
    run r = run_text(PULLED("clearance: 0.1 mm, stiffness: 1e11, restitution: 0.3, friction: 0.2"));

    run_expect(&r, "b.angle", 0.1e-3 / 0.1, 0.05);
    ck_assert_double_gt(run_last(&r, "J.front_left.normal"), 0.0);
    ck_assert_double_gt(run_last(&r, "J.back_right.normal"), 0.0);
    ck_assert_int_ge(r.report.solver.events, 2);
    ck_assert_double_lt(r.report.energy_error, 1e-4);
    run_end(&r);
}
END_TEST

START_TEST(momenta_close_while_a_slider_rattles_in_its_guide)
{
    run r =
        run_text(HEAD "gravity: [0, 0]\n"
                      "bodies:\n"
                      "  a: {mass: 2, inertia: 0.01, points: {P: {at: [0, 0.01], axis: 0.2}}}\n"
                      "  b: {mass: 1, inertia: 0.002, points: {Q: [0.005, 0]}, "
                      "start: {angle: 0.2, vx: 1, vy: 0.4, omega: 5}}\n"
                      "joints: {J: {type: translational, between: [a.P, b.Q], model: guide, "
                      "guide_length: 0.1, clearance: 0.2 mm, stiffness: 1e9, restitution: 0.8, "
                      "friction: 0.1}}\n"
                      "simulate: {t_end: 50 ms, rtol: 1e-9, atol: 1e-12, max_steps: 1000000}\n");

    double first[3] = { 0.0 };
    for (size_t i = 0; i < ha_result_n_rows(r.result); i++) {
        static const struct {
            const char *x, *y, *vx, *vy, *omega;
            double mass, inertia;
        } bodies[2] = { { "a.x", "a.y", "a.vx", "a.vy", "a.omega", 2.0, 0.01 },
                        { "b.x", "b.y", "b.vx", "b.vy", "b.omega", 1.0, 0.002 } };
        double p[3] = { 0.0 };
        for (int k = 0; k < 2; k++) {
            double mass = bodies[k].mass, vx = run_value(&r, i, bodies[k].vx);
            double vy = run_value(&r, i, bodies[k].vy);
            p[0] += mass * vx;
            p[1] += mass * vy;
            p[2] +=
                mass * (run_value(&r, i, bodies[k].x) * vy - run_value(&r, i, bodies[k].y) * vx) +
                bodies[k].inertia * run_value(&r, i, bodies[k].omega);
        }
        for (int k = 0; k < 3; k++) {
            first[k] = i == 0 ? p[k] : first[k];
            ck_assert_double_eq_tol(p[k], first[k], 1e-7);
        }
    }
    ck_assert_int_ge(r.report.solver.events, 6);
    ck_assert_double_lt(r.report.energy_error, 1e-5);
    run_end(&r);
}
END_TEST

/* --- what is wrong ---------------------------------------------------------------------------- */

#define JOINT(TYPE, SETTINGS_OF_IT)                                                                \
    HEAD "ground: {points: {O: [0, 0]}}\n"                                                         \
         "bodies: {b: {mass: 1, inertia: 1, points: {P: [0, 0]}}}\n"                               \
         "joints: {O: {type: " TYPE                                                                \
         ", between: [ground.O, b.P], model: clearance, " SETTINGS_OF_IT "}}\n"                    \
         "simulate: {t_end: 1}\n"

START_TEST(clearances_that_are_wrong_are_refused_with_the_reason)
{
    static const struct {
        const char *text, *part;
        ha_status status;
    } wrong[] = {
        { JOINT("revolute", "bearing_radius: 1 mm, clearance: 2 mm, stiffness: 1e10"),
          "a clearance of 0.002 m in a bearing of the radius 0.001 m", HA_ERR_VALUE },
        { JOINT("revolute", "bearing_radius: 1 mm, journal_radius: 2 mm, stiffness: 1e10"),
          "a journal of the radius 0.002 m in a bearing of the radius 0.001 m", HA_ERR_VALUE },
        { JOINT("revolute", "bearing_radius: 1 mm, stiffness: 1e10"), "has 1 of", HA_ERR_VALUE },
        { JOINT("revolute", "bearing_radius: 3 mm, journal_radius: 2 mm, clearance: 1 mm, "
                            "stiffness: 1e10"),
          "has 3 of", HA_ERR_VALUE },
        { JOINT("revolute", "bearing_radius: 1 mm, clearance: -1 mm"), "above 0", HA_ERR_VALUE },
        { JOINT("revolute", "bearing_radius: 1 mm, clearance: 0.1 mm"), "`modulus`", HA_ERR_VALUE },
        { JOINT("revolute", "bearing_radius: 1 mm, clearance: 0.1 mm, modulus: 1 GPa, law: x"),
          "`exact`", HA_ERR_NAME },
        { JOINT("revolute", "bearing_radius: 1 mm, clearance: 0.1 mm, modulus: 1 GPa, "
                            "restitution: 2"),
          "`restitution` of joint `O` is 2; it must be above 0 and at most 1", HA_ERR_VALUE },
        { JOINT("weld", "bearing_radius: 1 mm, clearance: 0.1 mm, modulus: 1 GPa"),
          "make it revolute", HA_ERR_VALUE },
        { JOINT("weld", "model2: 1"), "unknown key `model2`", HA_ERR_NAME },
        { PULLED("clearance: -1 mm, stiffness: 1e9"), "at least 0", HA_ERR_VALUE },
        { PULLED("modulus: 1 GPa"), "no `stiffness`; give it: its ends have no radius",
          HA_ERR_VALUE },
        { PULLED("friction: 0.1"), "no `stiffness`", HA_ERR_VALUE },
        { HEAD "ground: {points: {O: [0, 0]}}\n"
               "bodies: {b: {mass: 1, inertia: 1, points: {P: [0, 0]}}}\n"
               "joints: {O: {type: translational, between: [ground.O, b.P], model: guide, "
               "stiffness: 1e9}}\nsimulate: {t_end: 1}\n",
          "no `guide_length`", HA_ERR_VALUE },
        { HEAD "ground: {points: {O: [0, 0]}}\n"
               "bodies: {b: {mass: 1, inertia: 1, points: {P: [0, 0]}}}\n"
               "joints: {O: {type: revolute, between: [ground.O, b.P], model: guide, "
               "guide_length: 1, stiffness: 1e9}}\nsimulate: {t_end: 1}\n",
          "make it translational", HA_ERR_VALUE },
    };

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        run_expect_failure(wrong[i].text, wrong[i].status, wrong[i].part);
    }
}
END_TEST

/* --- at default settings -----------------------------------------------------------------------
 */

/* A rocker of 0.3 kg on a crank that turns once in a second, with a clearance of 0.2 mm: impacts of
   cm/s, which go some micrometres deep. */
static const char wiper[] =
    HEAD "ground: {points: {O: [0, 0], P: [0.29, 0]}}\nbodies:\n"
         "  crank: {mass: 0.1, inertia: 2e-5, points: {O: [-0.02, 0], A: [0.02, 0]}}\n"
         "  rod: {mass: 0.15, inertia: 1.1e-3, points: {A: [-0.15, 0], B: [0.15, 0]},"
         " start: {x: 0.19, y: 0.03, angle: 0.2}}\n"
         "  arm: {mass: 0.3, inertia: 3e-3, points: {P: [0, -0.15], B: [0, -0.07]},"
         " start: {x: 0.29, y: 0.15, angle: 0}}\n"
         "joints:\n"
         "  O: {type: revolute, between: [ground.O, crank.O], motion: 2*pi*t}\n"
         "  A: {type: revolute, between: [crank.A, rod.A]}\n"
         "  B: {type: revolute, between: [rod.B, arm.B], model: clearance, bearing_radius: 0.005,"
         " clearance: 2e-4, restitution: 0.8, law: lankarani-nikravesh, modulus: 207e9,"
         " poisson: 0.3}\n"
         "  P: {type: revolute, between: [ground.P, arm.P]}\n"
         "simulate: {t_end: %s%s}\noutputs: [B, arm.angle]\n";

static run run_wiper(const char *t_end, const char *more)
{
    char text[2048];

    snprintf(text, sizeof text, wiper, t_end, more);
    return run_text(text);
}

/* The largest normal force of the first impact. */
static double first_impact(const char *more)
{
    run r = run_wiper("0.02, step: 2e-6", more);
    double largest = 0.0;

    for (size_t row = 0; row < ha_result_n_rows(r.result); row++) {
        double force = fabs(run_value(&r, row, "B.normal"));
        if (force == 0.0 && largest > 0.0) {
            break;
        }
        largest = fmax(largest, force);
    }
    run_end(&r);
    return largest;
}

START_TEST(the_first_impact_is_right_without_a_knob)
{
    double truth = first_impact(", rtol: 1e-9, atol: 1e-13");

    ck_assert_double_gt(truth, 100.0);
    ck_assert_double_eq_tol(first_impact("") / truth, 1.0, 2e-3);
}
END_TEST

/* Positions that are off by more than the depth would make the stored energy jump at an event. */
START_TEST(shallow_contacts_run_without_a_knob)
{
    static const char *const drivers[] = { "ida", "explicit", "explicit8", "auto" };
    char more[64];

    snprintf(more, sizeof more, ", driver: %s", drivers[_i]);
    run r = run_wiper("0.2", more);
    ck_assert_double_lt(r.report.energy_error, 1e-4 * r.report.energy_passed);
    run_end(&r);
}
END_TEST

/* Friction of a pin is solved for together with the reaction that loads it, by iterations. In
   stages of an explicit step that turns out to be too long speeds are beyond all measure, and what
   was found there must not be the guess from which the shorter step begins. */
START_TEST(a_pin_with_friction_beside_an_impact_moves_alike_by_every_method)
{
    static const char *const drivers[] = { "explicit", "explicit8", "auto" };
    static const char *const names[] = { "crank.angle", "slider.x" };
    static const char text[] =
        HEAD "ground: {points: {O: [0, 0]}}\n"
             "bodies:\n"
             "  crank: {mass: 1, inertia: 2.1e-3, points: {O: [0, 0], A: [0.035, 0]},\n"
             "          start: {angle: 5.6, omega: 16, fixed: [angle, omega]}}\n"
             "  rod: {mass: 0.3, inertia: 4.3e-4, points: {A: [-0.065, 0], B: [0.065, 0]},\n"
             "        start: {x: 0.09, y: -0.01, angle: 0.17}}\n"
             "  slider: {mass: 0.55, inertia: 1e-4, points: {B: [0, 0]}, start: {x: 0.155}}\n"
             "joints:\n"
             "  O: {type: revolute, between: [ground.O, crank.O]}\n"
             "  A: {type: revolute, between: [crank.A, rod.A]}\n"
             "  B: {type: revolute, between: [rod.B, slider.B], model: clearance,\n"
             "      bearing_radius: 20 mm, clearance: 0.28 mm, modulus: 185 GPa,\n"
             "      law: hu-guo, restitution: 0.45, friction_law: zimmer, friction: 0.35,\n"
             "      friction_speed: 3.5 mm/s, static_friction: 0.45}\n"
             "  S: {type: translational, between: [ground.O, slider.B]}\n"
             "forces:\n"
             "  rub: {type: friction, on: A, radius: 10 mm, friction_law: stribeck,\n"
             "        friction: 0.49, friction_speed: 27 mm/s, static_friction: 0.61}\n"
             "  drive: {type: torque, on: crank, value: 0.71}\n"
             "simulate: {t_end: 0.04, rtol: 1e-8, driver: %s}\n";
    char each[2000];

    snprintf(each, sizeof each, text, "ida");
    run truth = run_text(each);
    snprintf(each, sizeof each, text, drivers[_i]);
    run r = run_text(each);
    for (size_t k = 0; k < HA_COUNT(names); k++) {
        ck_assert_double_eq_tol(run_last(&r, names[k]), run_last(&truth, names[k]), 1e-6);
    }
    run_end(&truth);
    run_end(&r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("clearance");
    TCase *tcase = tcase_create("clearance");

    tcase_add_test(tcase, a_slider_crank_with_clearance_moves_as_the_one_written_by_hand);
    tcase_add_test(tcase, it_runs_on_with_a_restart_for_each_event_and_closes_its_energy_book);
    tcase_add_test(tcase, a_journal_without_friction_keeps_its_angular_momentum_and_energy);
    tcase_add_test(tcase, a_hinge_with_clearance_is_a_disc_in_a_socket);
    tcase_add_test(tcase, the_ends_of_a_slider_carry_its_inertia_and_slow_it);
    tcase_add_test(tcase, a_slider_with_clearance_tilts_until_both_ends_touch);
    tcase_add_test(tcase, momenta_close_while_a_slider_rattles_in_its_guide);
    tcase_add_test(tcase, clearances_that_are_wrong_are_refused_with_the_reason);
    tcase_add_test(tcase, the_first_impact_is_right_without_a_knob);
    tcase_add_loop_test(tcase, shallow_contacts_run_without_a_knob, 0, 4);
    tcase_add_loop_test(tcase, a_pin_with_friction_beside_an_impact_moves_alike_by_every_method, 0,
                        3);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
