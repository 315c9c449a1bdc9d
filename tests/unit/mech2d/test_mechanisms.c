/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mechanisms that engineers know, against closed forms along the run, or equations of motion
 * reduced by hand and integrated here.
 */
#include <config.h>

#include "tests/unit/mech2d/run.h"
#include "tests/util/util.h"

#include <check.h>

static const double pi = 3.14159265358979323846;

/* A value of every tenth row agrees with the truth. */
static void expect_along(const run *r, const char *name, double (*truth)(const run *r, size_t row),
                         double tolerance)
{
    for (size_t row = 0; row < ha_result_n_rows(r->result); row += 10) {
        double found = run_value(r, row, name), wanted = truth(r, row);
        ck_assert_msg(fabs(found - wanted) <= tolerance, "%s at %g s is %.17g, not %.17g", name,
                      run_value(r, row, "t"), found, wanted);
    }
}

/* --- scotch yoke ---------------------------------------------------------------------------- */

static const double yoke_r = 0.05, yoke_speed = 300.0 * 2.0 * 3.14159265358979323846 / 60.0;

static double yoke_x(const run *r, size_t row)
{
    return yoke_r * cos(yoke_speed * run_value(r, row, "t"));
}

/* T w = d/dt (m v^2 / 2), v = -r w sin(w t) */
static double yoke_drive(const run *r, size_t row)
{
    double angle = yoke_speed * run_value(r, row, "t");

    return 0.8 * yoke_r * yoke_r * yoke_speed * yoke_speed * sin(angle) * cos(angle);
}

START_TEST(scotch_yoke_moves_as_a_cosine)
{
    run r = run_file("examples/scotch_yoke.yaml", NULL);

    expect_along(&r, "yoke.x", yoke_x, 1e-7);
    expect_along(&r, "O.drive", yoke_drive, 1e-6);
    run_end(&r);
}
END_TEST

/* --- Whitworth's quick return --------------------------------------------------------------- */

static double lever_angle(const run *r, size_t row)
{
    double angle = 2.0 * pi * run_value(r, row, "t");

    return atan2(0.16 + 0.1 * sin(angle), 0.1 * cos(angle));
}

static double lever_omega(const run *r, size_t row)
{
    double s = sin(2.0 * pi * run_value(r, row, "t"));

    return 2.0 * pi * 0.1 * (0.1 + 0.16 * s) / (0.01 + 0.0256 + 2.0 * 0.016 * s);
}

static double ram_x(const run *r, size_t row)
{
    return 0.4 * cos(lever_angle(r, row));
}

START_TEST(whitworth_ram_returns_quickly)
{
    run r = run_file("examples/whitworth.yaml", NULL);

    expect_along(&r, "lever.angle", lever_angle, 1e-7);
    expect_along(&r, "lever.omega", lever_omega, 1e-6);
    expect_along(&r, "ram.x", ram_x, 1e-7);
    run_end(&r);
}
END_TEST

/* --- a Geneva wheel, while the pin is in a slot --------------------------------------------- */

static double wheel_angle(const run *r, size_t row)
{
    double angle = -0.7 + 2.0 * run_value(r, row, "t"), d = sqrt(2.0);

    return -atan2(sin(angle), d - cos(angle));
}

START_TEST(geneva_wheel_turns_by_a_quarter)
{
    run r = run_text("halfarrow: 1\ngravity: [0, 0]\n"
                     "ground: {points: {O: [0, 0], A: ['sqrt(2)', 0]}}\n"
                     "bodies:\n"
                     "  driver: {mass: 1, inertia: 1, points: {O: [0, 0], P: [1, 0]}}\n"
                     "  wheel: {mass: 1, inertia: 2, points: {A: [0, 0], slot: [0, 0]}, start: "
                     "{angle: 0.9}}\n"
                     "joints:\n"
                     "  O: {type: revolute, between: [ground.O, driver.O], motion: -0.7 + 2*t}\n"
                     "  A: {type: revolute, between: [ground.A, wheel.A]}\n"
                     "  pin: {type: translational-revolute, between: [driver.P, wheel.slot]}\n"
                     "simulate: {t_end: 0.7, rtol: 1e-9, atol: 1e-9}\n");

    /* the slot is on the side of the driver or the other: the wheel's angle modulo pi */
    double turns = round((run_value(&r, 0, "wheel.angle") - wheel_angle(&r, 0)) / pi);
    for (size_t row = 0; row < ha_result_n_rows(r.result); row += 10) {
        ck_assert_double_eq_tol(run_value(&r, row, "wheel.angle"),
                                wheel_angle(&r, row) + turns * pi, 1e-7);
    }
    run_end(&r);
}
END_TEST

/* --- inverted pendulum on a cart (errors grow as it falls) ----------------------------- */

static const double M = 1.0, m = 0.3, l = 0.5, g = 9.81;

/* x, angle, their rates; the force on the cart, or its acceleration where that is prescribed. */
typedef struct {
    double x, a, vx, w;
} pole;

/* (M + m) x'' - m l cos a a'' + m l sin a a'^2 = F, (4/3) m l^2 a'' - m l cos a x'' = m g l sin a
 */
static double pole_alpha(const pole *s, double ax)
{
    return (m * l * cos(s->a) * ax + m * g * l * sin(s->a)) / (4.0 / 3.0 * m * l * l);
}

static double cart_acceleration(const pole *s)
{
    double force = 2.0 * s->x + 4.0 * s->vx - 60.0 * s->a - 12.0 * s->w;
    double c = m * l * cos(s->a), inertia = 4.0 / 3.0 * m * l * l;

    return (force - m * l * sin(s->a) * s->w * s->w + c * m * g * l * sin(s->a) / inertia) /
           (M + m - c * c / inertia);
}

/* The force that moves the cart so. */
static double cart_force(const pole *s, double ax)
{
    return (M + m) * ax - m * l * cos(s->a) * pole_alpha(s, ax) + m * l * sin(s->a) * s->w * s->w;
}

/* The place of the cart is prescribed as 0.1 sin(3 t). */
static double prescribed_acceleration(double t)
{
    return -0.9 * sin(3.0 * t);
}

static pole pole_rate(const pole *s, double t, bool is_prescribed)
{
    double ax = is_prescribed ? prescribed_acceleration(t) : cart_acceleration(s);

    return (pole){ s->vx, s->w, ax, pole_alpha(s, ax) };
}

static pole pole_plus(const pole *s, const pole *d, double h)
{
    return (pole){ s->x + h * d->x, s->a + h * d->a, s->vx + h * d->vx, s->w + h * d->w };
}

/* Classical Runge-Kutta. */
static pole move_pole(pole s, double t_end, bool is_prescribed)
{
    enum { STEPS = 20000 };
    const double h = t_end / STEPS;

    for (int i = 0; i < STEPS; i++) {
        double t = i * h;
        pole k1 = pole_rate(&s, t, is_prescribed), s2 = pole_plus(&s, &k1, h / 2.0);
        pole k2 = pole_rate(&s2, t + h / 2.0, is_prescribed), s3 = pole_plus(&s, &k2, h / 2.0);
        pole k3 = pole_rate(&s3, t + h / 2.0, is_prescribed), s4 = pole_plus(&s, &k3, h);
        pole k4 = pole_rate(&s4, t + h, is_prescribed);
        s = pole_plus(&s, &k1, h / 6.0);
        s = pole_plus(&s, &k2, h / 3.0);
        s = pole_plus(&s, &k3, h / 3.0);
        s = pole_plus(&s, &k4, h / 6.0);
    }
    return s;
}

START_TEST(inverted_pendulum_is_kept_upright)
{
    run r = run_file("examples/inverted_pendulum.yaml", NULL);
    pole s = move_pole((pole){ 0.0, pi / 18.0, 0.0, 0.0 }, 5.0, false);

    run_expect_near(&r, "cart.x", s.x, 1e-7);
    run_expect_near(&r, "pole.angle", s.a, 1e-7);
    run_expect_near(&r, "pole.omega", s.w, 1e-7);
    ck_assert_double_lt(fabs(s.a), 0.01);
    run_end(&r);
}
END_TEST

START_TEST(inverted_pendulum_is_inverted_by_a_motion)
{
    static const char *const sets[] = { "joints.rail.motion=0.1*sin(3*t)",
                                        "forces.controller.value=[0, 0]", "simulate.t_end=0.8",
                                        "bodies.cart.start.fixed=[]", "bodies.cart.start.vx=0.3" };
    const m2d_read_def def = { .sets = sets, .n_sets = (int) HA_COUNT(sets) };
    run r = run_file("examples/inverted_pendulum.yaml", &def);
    pole s = move_pole((pole){ 0.0, pi / 18.0, 0.3, 0.0 }, 0.8, true);

    run_expect(&r, "cart.x", 0.1 * sin(2.4), 1e-8);
    run_expect(&r, "pole.angle", s.a, 2e-7);
    run_expect(&r, "pole.omega", s.w, 2e-7);
    run_expect(&r, "rail.drive", cart_force(&s, prescribed_acceleration(0.8)), 2e-6);
    run_end(&r);
}
END_TEST

/* --- slider-crank ---------------------------------------------------------------------------- */

#define CRANK(DRIVE)                                                                               \
    "halfarrow: 1\ngravity: [0, 0]\nground: {points: {O: [0, 0], G: [0, 0]}}\n"                    \
    "bodies:\n"                                                                                    \
    "  crank: {mass: 1, inertia: 0.02, points: {O: [0, 0], A: [0.1, 0]}, start: {angle: 0.3, "     \
    "omega: 12, fixed: [angle, omega]}}\n"                                                         \
    "  rod: {mass: 0.7, inertia: 0.008, points: {A: [-0.15, 0], B: [0.15, 0]}, start: {angle: "    \
    "-0.1}}\n"                                                                                     \
    "  piston: {mass: 1.5, inertia: 0.01, points: {B: [0, 0]}, start: {x: 0.39}}\n"                \
    "joints:\n"                                                                                    \
    "  O: {type: revolute, between: [ground.O, crank.O]" DRIVE "}\n"                               \
    "  A: {type: revolute, between: [crank.A, rod.A]}\n"                                           \
    "  B: {type: revolute, between: [rod.B, piston.B]}\n"                                          \
    "  G: {type: translational, between: [ground.G, piston.B]}\n"                                  \
    "simulate: {t_end: 2.5, rtol: 1e-10, atol: 1e-10}\n"

/* The rod's angle and rate, and the piston's place and speed, per unit of the crank's speed. */
static void crank_kinematics(double angle, double *rod, double *rod_rate, double *speed)
{
    *rod = -asin(0.1 * sin(angle) / 0.3);
    *rod_rate = -0.1 * cos(angle) / (0.3 * cos(*rod));
    *speed = -0.1 * sin(angle) - 0.3 * sin(*rod) * *rod_rate;
}

/* J(angle) of the whole, reduced to the crank. */
static double crank_inertia(double angle)
{
    double rod = 0.0, rate = 0.0, speed = 0.0;

    crank_kinematics(angle, &rod, &rate, &speed);
    double vx = -0.1 * sin(angle) - 0.15 * sin(rod) * rate;
    double vy = 0.1 * cos(angle) + 0.15 * cos(rod) * rate;
    return 0.02 + 0.7 * (vx * vx + vy * vy) + 0.008 * rate * rate + 1.5 * speed * speed;
}

/* With no drive the energy is kept: J w^2 is that of the start. */
static double crank_omega(const run *r, size_t row)
{
    return 12.0 * sqrt(crank_inertia(0.3) / crank_inertia(run_value(r, row, "crank.angle")));
}

static double piston_x(const run *r, size_t row)
{
    double angle = run_value(r, row, "crank.angle");

    return 0.1 * cos(angle) + sqrt(0.09 - 0.01 * sin(angle) * sin(angle));
}

START_TEST(slider_crank_runs_through_its_dead_points)
{
    run r = run_text(CRANK(""));

    ck_assert_double_gt(run_last(&r, "crank.angle"), 3.0 * 2.0 * pi);
    expect_along(&r, "piston.x", piston_x, 1e-8);
    expect_along(&r, "crank.omega", crank_omega, 1e-6);
    run_end(&r);
}
END_TEST

START_TEST(driven_slider_crank_runs_through_its_dead_points)
{
    run r = run_text(CRANK(", motion: 0.3 + 12*t"));

    expect_along(&r, "piston.x", piston_x, 1e-8);
    /* the work of the drive is the change of the kinetic energy */
    run_expect_near(&r, "energy.supplied", 72.0 * (crank_inertia(30.3) - crank_inertia(0.3)), 1e-6);
    run_end(&r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mechanisms");
    TCase *tests = tcase_create("mechanisms");

    tcase_add_test(tests, scotch_yoke_moves_as_a_cosine);
    tcase_add_test(tests, whitworth_ram_returns_quickly);
    tcase_add_test(tests, geneva_wheel_turns_by_a_quarter);
    tcase_add_test(tests, inverted_pendulum_is_kept_upright);
    tcase_add_test(tests, inverted_pendulum_is_inverted_by_a_motion);
    tcase_add_test(tests, slider_crank_runs_through_its_dead_points);
    tcase_add_test(tests, driven_slider_crank_runs_through_its_dead_points);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
