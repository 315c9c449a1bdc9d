/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is drawn of mechanisms: outlines of bodies, against what convex hulls are, and symbols. */
#include <config.h>

#include "mech2d/scene.h"

#include "mech2d/mechanism/joint.h"
#include "tests/unit/mech2d/run.h"
#include "tests/unit/mech2d/scenes.h"
#include "tests/util/random.h"
#include "tests/util/util.h"

#include <stdio.h>

static ha_ctx *ctx;
static m2d_mechanism *mechanism;

static void setup(void)
{
    ctx = ha_ctx_new();
    mechanism = m2d_mechanism_new(ctx);
    ck_assert_int_eq(scene_body(mechanism, "K", 1.0, 1.0, 0.0, false), HA_OK);
}

static void teardown(void)
{
    m2d_mechanism_free(mechanism);
    ha_ctx_free(ctx);
}

static void add_point(double x, double y)
{
    char name[32];

    snprintf(name, sizeof name, "P%d", m2d_mechanism_n_points(mechanism));
    ck_assert_int_eq(scene_point(mechanism, "K", name, x, y), HA_OK);
}

static int outline(double (*corners)[2])
{
    int n = -1;

    ck_assert_int_eq(m2d_body_outline(mechanism, 0, corners, &n), HA_OK);
    return n;
}

START_TEST(a_body_without_points_is_its_mass_centre)
{
    double corners[1][2];

    ck_assert_int_eq(outline(corners), 1);
    ck_assert_double_eq(corners[0][0], 0.0);
    ck_assert_double_eq(corners[0][1], 0.0);
}
END_TEST

START_TEST(points_on_a_line_leave_its_ends)
{
    double corners[5][2];

    add_point(0.3, 0.1);
    add_point(-0.6, -0.2);
    add_point(0.3, 0.1); /* twice the same place */
    add_point(0.15, 0.05);
    ck_assert_int_eq(outline(corners), 2);
    ck_assert_double_eq(corners[0][0], -0.6);
    ck_assert_double_eq(corners[1][0], 0.3);
}
END_TEST

START_TEST(a_mass_centre_outside_of_the_points_is_a_corner)
{
    double corners[4][2];

    add_point(1.0, 0.0);
    add_point(0.0, 1.0);
    ck_assert_int_eq(outline(corners), 3);
}
END_TEST

START_TEST(points_of_other_bodies_do_not_count)
{
    double corners[4][2];

    ck_assert_int_eq(scene_point(mechanism, "ground", "O", 9.0, 9.0), HA_OK);
    add_point(1.0, 0.0);
    ck_assert_int_eq(outline(corners), 2);
}
END_TEST

static double cross(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* A convex polygon, anticlockwise, around all points, with corners from among them. */
START_TEST(outlines_are_the_smallest_convex_polygons)
{
    enum { POINTS = 40 };
    double corners[POINTS + 1][2], points[POINTS + 1][3] = { { 0 } };
    uint64_t seed = 12345u + (uint64_t) _i;

    for (int i = 0; i < POINTS; i++) {
        double xy[2];
        for (int k = 0; k < 2; k++) {
            /* a coarse grid has many points on lines */
            xy[k] = _i % 2 == 0 ? random_below(&seed, 8) - 3.0 : random_in(&seed, -0.8, 0.8);
        }
        add_point(xy[0], xy[1]);
        m2d_point_pose(mechanism, i, points[i]);
    }
    int n = outline(corners);
    ck_assert_int_ge(n, 3);
    for (int i = 0; i < n; i++) {
        const double *a = corners[i], *b = corners[(i + 1) % n], *c = corners[(i + 2) % n];
        int n_same = 0;
        ck_assert_double_gt(cross(a, b, c), 0.0);
        for (int k = 0; k <= POINTS; k++) { /* the last is the mass centre */
            ck_assert_double_ge(cross(a, b, points[k]), -1e-8);
            n_same += points[k][0] <= a[0] && points[k][0] >= a[0] && points[k][1] <= a[1] &&
                      points[k][1] >= a[1];
        }
        ck_assert_int_ge(n_same, 1);
    }
}
END_TEST

START_TEST(every_joint_type_has_a_symbol_with_a_name)
{
    for (size_t i = 0; m2d__joint_type_at(i) != NULL; i++) {
        const m2d__joint_type *type = m2d__joint_type_at(i);
        ck_assert_int_lt(type->symbol, M2D_SYMBOL_COUNT);
        /* the first setting of a type with circles is their radii */
        if (type->symbol == M2D_SYMBOL_WHEEL || type->symbol == M2D_SYMBOL_WHEELS) {
            ck_assert_int_ge(type->n_keys, 1);
            ck_assert_int_eq(type->keys[0].n_values, type->symbol == M2D_SYMBOL_WHEELS ? 2 : 1);
        }
    }
    for (int s = 0; s < M2D_SYMBOL_COUNT; s++) {
        ck_assert_ptr_nonnull(m2d_symbol_name((m2d_symbol) s));
    }
}
END_TEST

START_TEST(symbols_and_radii_follow_the_model)
{
    run r = run_text("halfarrow: 1\n"
                     "ground: {points: {O: [0, 0], A: [3, 0]}}\n"
                     "bodies:\n"
                     "  a: {mass: 1, inertia: 1, points: {O: [0, 0], P: [0.1, 0]}}\n"
                     "  b: {mass: 1, inertia: 1, points: {A: [0, 0]}, start: {x: 3}}\n"
                     "joints:\n"
                     "  O: {type: revolute, between: [ground.O, a.O]}\n"
                     "  A: {type: revolute, between: [ground.A, b.A]}\n"
                     "  G: {type: gear, between: [a.O, b.A], radii: [1, 2]}\n"
                     "forces:\n"
                     "  s: {type: spring-damper, between: [ground.A, a.P], stiffness: 1}\n"
                     "  t: {type: torque, on: a, value: 1}\n"
                     "  e: {type: stop, between: [a.P, b.A], upper: 9, stiffness: 1}\n"
                     "simulate: {t_end: 0}\n");
    m2d_mechanism *m = m2d_model_mechanism(r.model);
    double radii[2];

    ck_assert_int_eq(m2d_joint_symbol(m, 0), M2D_SYMBOL_PIN);
    ck_assert_int_eq(m2d_joint_symbol(m, 2), M2D_SYMBOL_WHEELS);
    m2d_joint_radii(m, 0, radii);
    ck_assert_double_eq(radii[0], 0.0);
    ck_assert_double_eq(radii[1], 0.0);
    m2d_joint_radii(m, 2, radii);
    ck_assert_double_eq(radii[0], 1.0);
    ck_assert_double_eq(radii[1], 2.0);
    ck_assert_int_eq(m2d_force_symbol(m, 0), M2D_SYMBOL_SPRING);
    ck_assert_int_eq(m2d_force_symbol(m, 1), M2D_SYMBOL_POINTS);
    ck_assert_int_eq(m2d_force_symbol(m, 2), M2D_SYMBOL_CYLINDER);
    run_end(&r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("scene");
    TCase *tests = tcase_create("scene");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, a_body_without_points_is_its_mass_centre);
    tcase_add_test(tests, points_on_a_line_leave_its_ends);
    tcase_add_test(tests, a_mass_centre_outside_of_the_points_is_a_corner);
    tcase_add_test(tests, points_of_other_bodies_do_not_count);
    tcase_add_loop_test(tests, outlines_are_the_smallest_convex_polygons, 0, 20);
    tcase_add_test(tests, every_joint_type_has_a_symbol_with_a_name);
    tcase_add_test(tests, symbols_and_radii_follow_the_model);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
