/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Joints that roll: wheel on a line, rack, gear pairs, a planetary gear; the couplings of two
 * planes; actuators. Against closed forms.
 */
#include <config.h>

#include "tests/unit/mech2d/run.h"
#include "tests/util/util.h"

#include <check.h>
#include <stdio.h>

#define HEAD "halfarrow: 1\n"
#define RUN(T_END) "simulate: {t_end: " T_END ", rtol: 1e-12, atol: 1e-12}\n"

START_TEST(wheel_rolls_down_an_incline)
{
    /* a = g sin(slope) / (1 + J / (m r^2)) = 2/3 g sin(0.2) for a uniform disc, normal force
       m g cos(0.2), friction m a / 2 up the slope, whose moment about the centre is r m a / 2 */
    run r = run_text(
        HEAD "ground: {points: {O: {at: [1, 2], axis: -0.2}}}\n"
             "bodies: {wheel: {mass: 2, inertia: 0.09, points: {C: [0, 0]}}}\n"
             "joints: {W: {type: rolling, between: [ground.O, wheel.C], radius: 0.3}}\n" RUN("1"));
    const double a = 2.0 / 3.0 * 9.81 * sin(0.2), normal = 2.0 * 9.81 * cos(0.2);

    run_expect(&r, "W.speed", a, 1e-9);
    run_expect_near(&r, "W.slide", run_value(&r, 0, "W.slide") + 0.5 * a, 1e-9);
    run_expect(&r, "wheel.angle", -0.5 * a / 0.3, 1e-9);
    run_expect_near(&r, "wheel.angle", run_value(&r, 0, "wheel.angle") - 0.5 * a / 0.3, 1e-9);
    run_expect(&r, "W.fx", normal * sin(0.2) - a * cos(0.2), 1e-8);
    run_expect(&r, "W.fy", normal * cos(0.2) + a * sin(0.2), 1e-8);
    run_expect(&r, "W.torque", -0.3 * a, 1e-8);
    run_expect_near(&r, "energy.error", 0.0, 1e-8);
    run_end(&r);
}
END_TEST

START_TEST(wheel_starts_where_it_is_put)
{
    run r = run_text(
        HEAD "ground: {points: {O: [0, 0]}}\n"
             "bodies: {wheel: {mass: 2, inertia: 0.09, points: {C: [0, 0]}, "
             "start: {x: 0.7, angle: 2, vx: 0.6, fixed: [x, angle, vx]}}}\n"
             "joints: {W: {type: rolling, between: [ground.O, wheel.C], radius: 0.3}}\n" RUN("2"));

    run_expect(&r, "wheel.x", 0.7 + 1.2, 1e-10);
    run_expect(&r, "wheel.y", 0.3, 1e-10);
    run_expect(&r, "wheel.angle", 2.0 - 4.0, 1e-9);
    run_end(&r);
}
END_TEST

START_TEST(rack_pulls_its_pinion)
{
    /* F = (m + J / r^2) a; the rack lies below the pinion */
    run r = run_text(
        HEAD "ground: {points: {O: [0, 0.25], G: [0, 0]}}\n"
             "bodies:\n"
             "  rack: {mass: 3, inertia: 1, points: {P: [0, 0]}, start: {x: 0.4, fixed: [x]}}\n"
             "  pinion: {mass: 5, inertia: 0.08, points: {C: [0, 0]}}\n"
             "joints:\n"
             "  guide: {type: translational, between: [ground.G, rack.P]}\n"
             "  bearing: {type: revolute, between: [ground.O, pinion.C]}\n"
             "  mesh: {type: rack, between: [rack.P, pinion.C], radius: 0.25}\n"
             "forces: {pull: {type: force, on: rack.P, value: [6, 0]}}\n" RUN("3"));
    const double a = 6.0 / (3.0 + 0.08 / (0.25 * 0.25));

    run_expect(&r, "rack.vx", 3.0 * a, 1e-9);
    run_expect(&r, "rack.x", 0.4 + 4.5 * a, 1e-9);
    run_expect(&r, "pinion.omega", 3.0 * a / 0.25, 1e-9);
    run_expect(&r, "mesh.fx", 6.0 - 3.0 * a, 1e-8);
    run_end(&r);
}
END_TEST

/* The text assembles with one warning, which has this part. */
static void expect_warning(const char *text, const char *part)
{
    run r = run_text(text);

    ck_assert_uint_eq(ha_ctx_n_errors(r.ctx), 0);
    ck_assert_uint_eq(ha_ctx_n_diags(r.ctx), 1);
    ck_assert_msg(strstr(ha_ctx_diag(r.ctx, 0)->text, part) != NULL, "%s",
                  ha_ctx_diag(r.ctx, 0)->text);
    ck_assert_int_gt(ha_ctx_diag(r.ctx, 0)->where.line, 1);
    run_end(&r);
}

/* A pinion of 0.25 m over the rack, or below it, or too high. */
START_TEST(pinion_on_the_wrong_side_of_its_rack_is_warned_of)
{
    static const char *const heights[] = { "-0.25", "0.3" };

    for (size_t i = 0; i < HA_COUNT(heights); i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 HEAD "ground: {points: {O: [0, %s], G: [0, 0]}}\n"
                      "bodies:\n"
                      "  rack: {mass: 3, inertia: 1, points: {P: [0, 0]}}\n"
                      "  pinion: {mass: 5, inertia: 0.08, points: {C: [0, 0]}}\n"
                      "joints:\n"
                      "  guide: {type: translational, between: [ground.G, rack.P]}\n"
                      "  bearing: {type: revolute, between: [ground.O, pinion.C]}\n"
                      "  mesh: {type: rack, between: [rack.P, pinion.C], radius: 0.25}\n" RUN("0"),
                 heights[i]);
        expect_warning(text, "m at the start, but the joint's radii ask for 0.25 m");
    }
}
END_TEST

/* Two wheels in bearings at a centre distance of 0.5 m, at 100 deg, with a torque of 2 N.m on the
   first; after 10 s they have turned often. */
#define WHEELS(TYPE, RADII)                                                                        \
    HEAD "ground: {points: {A: [1, 1], B: ['1 + 0.5*cos(100*pi/180)', '1 + "                       \
         "0.5*sin(100*pi/180)']}}\n"                                                               \
         "bodies: {a: {mass: 1, inertia: 0.1, points: {C: [0, 0]}, start: {angle: 0.3}},\n"        \
         "         b: {mass: 1, inertia: 0.7, points: {C: [0, 0]}, start: {angle: -1}}}\n"         \
         "joints:\n"                                                                               \
         "  A: {type: revolute, between: [ground.A, a.C]}\n"                                       \
         "  B: {type: revolute, between: [ground.B, b.C]}\n"                                       \
         "  mesh: {type: " TYPE ", between: [a.C, b.C], radii: " RADII "}\n"                       \
         "forces: {drive: {type: torque, on: a, value: 2}}\n" RUN("10")

static void expect_ratio(const char *text, double ratio)
{
    run r = run_text(text);
    const double acceleration = 2.0 / (0.1 + 0.7 * ratio * ratio);

    run_expect_near(&r, "mesh.angle", -1.3 + 50.0 * acceleration * (ratio - 1.0), 1e-6);
    run_expect(&r, "a.omega", 10.0 * acceleration, 1e-9);
    run_expect(&r, "b.omega", 10.0 * acceleration * ratio, 1e-9);
    run_expect(&r, "b.angle", -1.0 + 50.0 * acceleration * ratio, 1e-9);
    run_expect_near(&r, "mesh.torque", 0.7 * acceleration * ratio, 1e-8);
    run_end(&r);
}

START_TEST(external_gears_turn_against_each_other)
{
    expect_ratio(WHEELS("gear", "[0.2, 0.3]"), -0.2 / 0.3);
}
END_TEST

START_TEST(internal_gears_turn_alike)
{
    expect_ratio(WHEELS("internal-gear", "[0.3, 0.8]"), 0.3 / 0.8);
    expect_ratio(WHEELS("internal-gear", "[0.8, 0.3]"), 0.8 / 0.3);
}
END_TEST

START_TEST(internal_gear_of_equal_radii_is_refused)
{
    run_expect_failure(WHEELS("internal-gear", "[0.3, 0.3]"), HA_ERR_VALUE,
                       "the ring must be larger than its pinion");
}
END_TEST

/* The bearings are 0.5 m apart. */
START_TEST(gears_that_do_not_meet_are_warned_of)
{
    expect_warning(WHEELS("gear", "[0.2, 0.2]"),
                   "joint `mesh`: the distance of the centres is 0.5 m at the start, but the "
                   "joint's radii ask for 0.4 m");
    expect_warning(WHEELS("gear", "[0.3, 0.4]"), "ask for 0.7 m");
    expect_warning(WHEELS("internal-gear", "[0.2, 0.3]"), "ask for 0.1 m");
}
END_TEST

START_TEST(gears_around_one_centre_are_refused)
{
    run_expect_failure(HEAD
                       "ground: {points: {A: [1, 1]}}\n"
                       "bodies: {a: {mass: 1, inertia: 1, points: {C: [0, 0]}},\n"
                       "         b: {mass: 1, inertia: 1, points: {C: [0, 0]}}}\n"
                       "joints:\n"
                       "  A: {type: revolute, between: [ground.A, a.C]}\n"
                       "  B: {type: revolute, between: [ground.A, b.C]}\n"
                       "  mesh: {type: gear, between: [a.C, b.C], radii: [0.2, 0.3]}\n" RUN("0"),
                       HA_ERR_SINGULAR, "`mesh` starts with both ends at one point");
}
END_TEST

START_TEST(force_of_a_gear_acts_at_the_pitch_circle)
{
    /* the tangential force turns b: F r_b = J_b alpha_b, across the line of centres */
    run r = run_text(WHEELS("gear", "[0.2, 0.3]"));
    const double ratio = -0.2 / 0.3, acceleration = 2.0 / (0.1 + 0.7 * ratio * ratio);
    const double force = 0.7 * acceleration * ratio / 0.3, direction = 100.0 * acos(-1.0) / 180.0;

    /* at the pitch point, -0.3 u from b: moment = -0.3 (u x F) = 0.3 F for F along -normal */
    run_expect_near(&r, "mesh.fx", force * sin(direction), 1e-8);
    run_expect_near(&r, "mesh.fy", -force * cos(direction), 1e-8);
    run_end(&r);
}
END_TEST

START_TEST(planetary_gear_has_the_ratio_and_inertia_of_willis)
{
    /* ring fixed, radii 0.2 sun, 0.15 planet, 0.5 ring: carrier = sun r_s / (r_s + r_r), planet =
       -carrier (r_r - r_p) / r_p; the inertia reduced to the sun gives its acceleration */
    run r = run_text(
        HEAD "gravity: [0, 0]\nground: {points: {O: [0.3, -0.2]}}\n"
             "bodies:\n"
             "  sun: {mass: 1, inertia: 0.02, points: {C: [0, 0]}}\n"
             "  arm: {mass: 1, inertia: 0.05, points: {C: [0, 0], P: [0.35, 0]}, start: {angle: "
             "2.5}}\n"
             "  planet: {mass: 0.4, inertia: 0.01, points: {C: [0, 0]}, start: {angle: 1}}\n"
             "joints:\n"
             "  S: {type: revolute, between: [ground.O, sun.C]}\n"
             "  A: {type: revolute, between: [ground.O, arm.C]}\n"
             "  P: {type: revolute, between: [arm.P, planet.C]}\n"
             "  inner: {type: gear, between: [sun.C, planet.C], radii: [0.2, 0.15]}\n"
             "  outer: {type: internal-gear, between: [ground.O, planet.C], radii: [0.5, 0.15]}\n"
             "forces: {drive: {type: torque, on: sun, value: 0.3}}\n" RUN("4"));
    const double carrier = 0.2 / 0.7, planet = -carrier * 0.35 / 0.15;
    const double inertia =
        0.02 + (0.05 + 0.4 * 0.35 * 0.35) * carrier * carrier + 0.01 * planet * planet;

    run_expect(&r, "sun.omega", 4.0 * 0.3 / inertia, 1e-8);
    run_expect(&r, "arm.omega", carrier * 4.0 * 0.3 / inertia, 1e-8);
    run_expect(&r, "planet.omega", planet * 4.0 * 0.3 / inertia, 1e-8);
    run_expect(&r, "planet.angle", 1.0 + planet * 8.0 * 0.3 / inertia, 1e-8);
    run_expect_near(&r, "energy.error", 0.0, 1e-7);
    run_end(&r);
}
END_TEST

START_TEST(coupling_carries_a_pendulum_into_the_other_plane)
{
    /* a pendulum (1 kg at 0.5 m, inertia 0.03) hinged to a carriage of 2 kg that moves along the
       common line in the other plane, where there is no gravity; it swings down from 40 deg above
       the horizontal. Along x the momentum is kept; energy gives the speed; where the pendulum is
       at angle a:  w^2 ((J + m l^2)/2 - (m l sin a)^2 / (2 (m + M))) = m g l (sin a0 - sin a) */
    run r = run_text(
        HEAD "bodies:\n"
             "  arm: {mass: 1, inertia: 0.03, points: {P: [-0.5, 0]}, start: {angle: 40 deg, "
             "fixed: [angle]}}\n"
             "  cart: {mass: 2, inertia: 0.1, gravity: [0, 0], points: {P: [0, 0]}, start: {omega: "
             "3, fixed: [omega]}}\n"
             "joints: {K: {type: perpendicular, between: [arm.P, cart.P]}}\n" RUN("0.6"));
    const double a = run_last(&r, "arm.angle"), w = run_last(&r, "arm.omega");
    const double a0 = 40.0 * acos(-1.0) / 180.0, s = 0.5 * sin(a);

    ck_assert_double_eq_tol(w * w * ((0.03 + 0.25) / 2.0 - s * s / (2.0 * 3.0)),
                            9.81 * 0.5 * (sin(a0) - sin(a)), 1e-8);
    ck_assert_double_lt(a, 0.0);
    run_expect_near(&r, "cart.vx", -run_last(&r, "arm.vx") / 2.0, 1e-9);
    run_expect(&r, "K.fx", 2.0 * run_last(&r, "cart.ax"), 1e-8);
    run_expect_near(&r, "K.fy", 0.0, 1e-9);
    run_expect_near(&r, "cart.y", 0.0, 1e-10);
    run_expect_near(&r, "arm.P.y", 0.0, 1e-10);
    run_expect(&r, "cart.omega", 3.0, 1e-12);
    run_end(&r);
}
END_TEST

/* The same pendulum with a spring and a damper on each free direction, without gravity. With s, a
   and b, how far the hinges are along the line and both angles, S = sin a, C = cos a, M = 3 kg:
     M s'' - m l (S a'' + C a'^2) = -20 (s - 0.1) - 0.5 s'
     (J + m l^2) a'' - m l S s'' = -4 (a - 0.3) - 0.2 a',  0.1 b'' = -0.7 (b + 0.2) - 0.05 b' */
START_TEST(springs_act_on_the_free_directions_of_a_coupling)
{
    run r = run_text(
        HEAD
        "gravity: [0, 0]\nbodies:\n"
        "  arm: {mass: 1, inertia: 0.03, points: {P: [-0.5, 0]}, start: {angle: 1.2}}\n"
        "  cart: {mass: 2, inertia: 0.1, points: {P: [0, 0]}, start: {omega: 3}}\n"
        "joints: {K: {type: perpendicular, between: [arm.P, cart.P], start: {slide: 0.4, "
        "angle: 1.2, omega_other: 3, fixed: [slide, angle, omega_other]}}}\n"
        "forces:\n"
        "  x: {type: spring-damper, on: K.slide, stiffness: 20, damping: 0.5, free_length: "
        "0.1}\n"
        "  a: {type: spring-damper, on: K.angle, stiffness: 4, damping: 0.2, free_angle: 0.3}\n"
        "  b: {type: spring-damper, on: K.angle_other, stiffness: 0.7, free_angle: -0.2}\n"
        "bondgraph: {elements: {R: {type: R, value: 0.05}}, bonds: [K.angle_other > R]}\n" RUN(
            "0.6"));
    double s = run_last(&r, "K.slide"), v = run_last(&r, "K.speed");
    double a = run_last(&r, "K.angle"), w = run_last(&r, "K.omega");
    double b = run_last(&r, "K.angle_other"), u = run_last(&r, "K.omega_other");
    double ss = run_last(&r, "cart.ax"), aa = run_last(&r, "arm.alpha");

    ck_assert_double_eq_tol(3.0 * ss - 0.5 * (sin(a) * aa + cos(a) * w * w),
                            -20.0 * (s - 0.1) - 0.5 * v, 1e-8);
    ck_assert_double_eq_tol(0.28 * aa - 0.5 * sin(a) * ss, -4.0 * (a - 0.3) - 0.2 * w, 1e-8);
    ck_assert_double_eq_tol(0.1 * run_last(&r, "cart.alpha"), -0.7 * (b + 0.2) - 0.05 * u, 1e-8);
    ck_assert_double_gt(fabs(v), 0.1);
    run_expect(&r, "cart.x", s, 1e-9);
    run_expect(&r, "arm.angle", a, 1e-12);
    run_end(&r);
}
END_TEST

/* A common line at 0.5 rad in the first plane and -0.3 rad in the second is the x axis of both
   where everything in the planes is turned back by that, gravity too. */
START_TEST(coupling_along_an_oblique_line_is_that_along_the_x_axis_turned)
{
    static const char *const types[] = { "perpendicular", "perpendicular-translational" };
    static const double lines[2][2] = { { 0.0, 0.0 }, { 0.5, -0.3 } };

    for (int type = 0; type < 2; type++) {
        double found[2][6];
        for (int k = 0; k < 2; k++) {
            double i = lines[k][0], j = lines[k][1];
            char text[2048];
            snprintf(text, sizeof text,
                     HEAD
                     "bodies:\n"
                     "  arm: {mass: 1, inertia: 0.03, gravity: [%.17g, %.17g], points: {P: "
                     "[-0.5, 0]}, start: {angle: %.17g, omega: 1, fixed: [angle, omega]}}\n"
                     "  cart: {mass: 2, inertia: 0.1, gravity: [%.17g, %.17g], points: {P: "
                     "[0.1, 0]}, start: {angle: %.17g, omega: 2, fixed: [angle, omega]}}\n"
                     "joints: {K: {type: %s, between: [arm.P, cart.P], angle: [%.17g, %.17g], "
                     "start: {slide: 0.2, fixed: [slide]}}}\n"
                     "forces: {s: {type: spring-damper, on: K.slide, stiffness: 30}}\n" RUN("0.5"),
                     -9.81 * sin(-i), -9.81 * cos(-i), 0.7 + i, -3.0 * sin(-j), -3.0 * cos(-j),
                     0.4 + j, types[type], i, j);
            run r = run_text(text);
            static const char *const names[6] = { "K.slide", "K.speed",       "K.angle",
                                                  "K.omega", "K.angle_other", "K.omega_other" };
            for (int n = 0; n < 6; n++) {
                found[k][n] = run_last(&r, names[n]);
            }
            run_end(&r);
        }
        for (int n = 0; n < 6; n++) {
            ck_assert_double_eq_tol(found[0][n], found[1][n], 1e-7);
        }
        ck_assert_double_gt(fabs(found[0][1]), 1e-2);
    }
}
END_TEST

START_TEST(coupling_with_a_slide_follows_its_turning_axis)
{
    /* a turning arm, hinged at height h above the common line, meets it at x = -h / tan(angle);
       with angle = -pi/2 + u, u = 0.4 sin(2 t), x = h tan(u) and the slide is h / cos(u) */
    run r = run_text(
        HEAD "gravity: [0, 0]\nground: {points: {O: [0, 0.8]}}\n"
             "bodies:\n"
             "  arm: {mass: 1, inertia: 0.2, points: {P: [0, 0]}, start: {angle: -90 deg}}\n"
             "  cart: {mass: 2, inertia: 0.1, points: {P: [0, 0]}}\n"
             "joints:\n"
             "  O: {type: revolute, between: [ground.O, arm.P], motion: -pi/2 + 0.4*sin(2*t)}\n"
             "  K: {type: perpendicular-translational, between: [arm.P, cart.P]}\n" RUN("0.9"));
    const double u = 0.4 * sin(1.8), up = 0.8 * cos(1.8), upp = -1.6 * sin(1.8);
    const double c = cos(u), tangent = tan(u);
    const double acceleration = 0.8 * (upp + 2.0 * up * up * tangent) / (c * c);

    run_expect(&r, "cart.x", 0.8 * tangent, 1e-8);
    run_expect(&r, "cart.vx", 0.8 * up / (c * c), 1e-7);
    run_expect(&r, "K.slide", 0.8 / c, 1e-8);
    run_expect(&r, "K.fx", 2.0 * acceleration, 1e-6);
    /* the drive turns the arm and pushes the cart through the slide */
    run_expect(&r, "O.drive", 0.2 * upp + 2.0 * acceleration * 0.8 / (c * c), 1e-6);
    run_end(&r);
}
END_TEST

START_TEST(symmetric_guide_moves_as_the_regular_one)
{
    /* a block of 2 kg on a guide at 30 deg, its point always ahead of the guide's */
    run r = run_text(HEAD "ground: {points: {O: {at: [1, 1], axis: 30 deg}}}\n"
                          "bodies: {block: {mass: 2, inertia: 0.1, points: {P: [0, 0]}, start: {x: "
                          "4, y: 3, angle: 30 deg}}}\n"
                          "joints: {G: {type: translational-symmetric, between: [ground.O, "
                          "block.P]}}\n" RUN("0.5"));

    run_expect(&r, "G.speed", -0.5 * 9.81 * 0.5, 1e-9);
    run_expect(&r, "block.angle", acos(-1.0) / 6.0, 1e-9);
    run_expect(&r, "G.fy", 2.0 * 9.81 * 0.75, 1e-8);
    run_expect_near(&r, "G.torque", 0.0, 1e-8);
    run_end(&r);
}
END_TEST

/* A boom of 20 kg, 2 m long, hinged at the origin, with a cylinder from (1, -0.5) to its middle. */
#define BOOM(CYLINDER, MORE)                                                                       \
    HEAD "ground: {points: {O: [0, 0], C: [1, -0.5]}}\n"                                           \
         "bodies: {boom: {mass: 20, inertia: 7, points: {O: [-1, 0], C: [0, 0]}, start: {angle: "  \
         "0.5}}}\n"                                                                                \
         "joints:\n"                                                                               \
         "  O: {type: revolute, between: [ground.O, boom.O]}\n"                                    \
         "  cylinder: {type: actuator, between: [ground.C, boom.C]" CYLINDER "}\n" MORE

/* |MN| at the boom's angle, and its derivative. */
static double cylinder_length(double angle, double *slope)
{
    double x = cos(angle) - 1.0, y = sin(angle) + 0.5, length = hypot(x, y);

    *slope = (-x * sin(angle) + y * cos(angle)) / length;
    return length;
}

START_TEST(actuator_moves_a_boom_as_prescribed)
{
    run r = run_text(BOOM(", motion: {length: 0.8 + 0.3*t}", RUN("1")));
    double slope = 0.0, angle = run_last(&r, "boom.angle");

    run_expect(&r, "cylinder.length", 1.1, 1e-9);
    ck_assert_double_eq_tol(cylinder_length(angle, &slope), 1.1, 1e-9);
    run_expect(&r, "boom.omega", 0.3 / slope, 1e-8);
    /* (J + m) alpha = drive d length / d angle - m g cos(angle) */
    run_expect(&r, "cylinder.drive",
               (27.0 * run_last(&r, "boom.alpha") + 20.0 * 9.81 * cos(angle)) / slope, 1e-8);
    run_end(&r);
}
END_TEST

START_TEST(actuator_carries_springs_and_bonded_elements)
{
    /* a pressure source through a piston, whose force holds the boom still */
    double slope = 0.0, length = cylinder_length(0.5, &slope);
    double force = 20.0 * 9.81 * cos(0.5) / slope;
    char text[2048];
    snprintf(text, sizeof text, "%s%.17g%s",
             BOOM("", "bondgraph: {elements: {p: {type: Se, value: "), force / 2e-3,
             "}, piston: {type: TF, value: 500}}, bonds: [p > piston, piston > cylinder.length]}\n"
             "simulate: {t_end: 0}\n");
    run r = run_text(text);
    run_expect_near(&r, "boom.alpha", 0.0, 1e-10);
    run_expect(&r, "cylinder.length", length, 1e-12);
    run_end(&r);

    snprintf(text, sizeof text, "%s%.17g%s",
             BOOM("", "forces: {gas: {type: spring-damper, on: cylinder.length, stiffness: 1000, "
                      "free_length: "),
             length + force / 1000.0, "}}\nsimulate: {t_end: 0}\n");
    r = run_text(text);
    run_expect_near(&r, "boom.alpha", 0.0, 1e-10);
    run_end(&r);
}
END_TEST

START_TEST(actuator_of_no_length_is_refused)
{
    run_expect_failure(HEAD
                       "ground: {points: {C: [0, 0]}}\nbodies: {b: {mass: 1, inertia: 1, points: "
                       "{C: [0, 0]}}}\njoints: {a: {type: actuator, between: [ground.C, b.C]}}\n"
                       "simulate: {t_end: 0}\n",
                       HA_ERR_SINGULAR, "`a` starts with both ends at one point");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gears");
    TCase *tests = tcase_create("gears");

    tcase_add_test(tests, wheel_rolls_down_an_incline);
    tcase_add_test(tests, wheel_starts_where_it_is_put);
    tcase_add_test(tests, rack_pulls_its_pinion);
    tcase_add_test(tests, external_gears_turn_against_each_other);
    tcase_add_test(tests, internal_gears_turn_alike);
    tcase_add_test(tests, internal_gear_of_equal_radii_is_refused);
    tcase_add_test(tests, gears_that_do_not_meet_are_warned_of);
    tcase_add_test(tests, gears_around_one_centre_are_refused);
    tcase_add_test(tests, pinion_on_the_wrong_side_of_its_rack_is_warned_of);
    tcase_add_test(tests, force_of_a_gear_acts_at_the_pitch_circle);
    tcase_add_test(tests, planetary_gear_has_the_ratio_and_inertia_of_willis);
    tcase_add_test(tests, coupling_carries_a_pendulum_into_the_other_plane);
    tcase_add_test(tests, springs_act_on_the_free_directions_of_a_coupling);
    tcase_add_test(tests, coupling_along_an_oblique_line_is_that_along_the_x_axis_turned);
    tcase_add_test(tests, coupling_with_a_slide_follows_its_turning_axis);
    tcase_add_test(tests, symmetric_guide_moves_as_the_regular_one);
    tcase_add_test(tests, actuator_moves_a_boom_as_prescribed);
    tcase_add_test(tests, actuator_carries_springs_and_bonded_elements);
    tcase_add_test(tests, actuator_of_no_length_is_refused);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
