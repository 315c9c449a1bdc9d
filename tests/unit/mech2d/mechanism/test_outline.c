/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mass, mass centre and inertia from shapes: closed forms, polygons of many corners, refusals. */
#include <config.h>

#include "mech2d/mechanism/mechanism_priv.h"
#include "mech2d/scene.h"
#include "tests/util/random.h"
#include "tests/util/util.h"

#include <math.h>
#include <string.h>

enum { MOST = 4000 };

static const double pi = 3.14159265358979323846;

static ha_ctx *ctx;
static m2d_mechanism *mechanism;
static ha_dag *dag;
static ha_expr points[MOST][2];
static int n_points;

static void setup(void)
{
    ctx = ha_ctx_new();
    mechanism = m2d_mechanism_new(ctx);
    dag = m2d_mechanism_dag(mechanism);
    n_points = 0;
}

static void teardown(void)
{
    m2d_mechanism_free(mechanism);
    ha_ctx_free(ctx);
}

static ha_expr number(double value)
{
    return ha_constant(dag, value);
}

/* A shape of n points, of the mass 2 kg/m2. */
static m2d_plate_def plate(m2d_shape shape, int n, double (*at)[2], double radius)
{
    m2d_plate_def def = { .shape = shape,
                          .points = (const ha_expr(*)[2]) & points[n_points],
                          .n_points = n,
                          .radius = number(radius),
                          .weight = number(2.0) };

    for (int i = 0; i < n; i++) {
        ck_assert_int_lt(n_points, MOST);
        points[n_points][0] = number(at[i][0]);
        points[n_points++][1] = number(at[i][1]);
    }
    return def;
}

static m2d_plate_def hole(m2d_plate_def def)
{
    def.is_hole = true;
    return def;
}

static ha_status add(const char *name, const m2d_plate_def *outline, int n)
{
    m2d_body_def def = m2d_body_def_default();

    def.name = name;
    def.outline = outline;
    def.n_outline = n;
    def.is_drawn = true;
    return m2d_mechanism_add_body(mechanism, &def);
}

static void expect_error(const char *part)
{
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
    ck_assert_msg(strstr(ha_ctx_diag(ctx, 0)->text, part) != NULL, "`%s` lacks `%s`",
                  ha_ctx_diag(ctx, 0)->text, part);
    ha_ctx_clear(ctx);
}

static void expect(double mass, double x, double y, double inertia)
{
    const m2d__body *body = &mechanism->bodies.items[mechanism->bodies.count - 1];

    ck_assert_double_eq_tol(m2d__number(dag, body->mass), mass, 1e-12 * mass);
    ck_assert_double_eq_tol(m2d__number(dag, body->centre[0]), x, 1e-12 * (fabs(x) + 1.0));
    ck_assert_double_eq_tol(m2d__number(dag, body->centre[1]), y, 1e-12 * (fabs(y) + 1.0));
    ck_assert_double_eq_tol(m2d__number(dag, body->inertia), inertia, 1e-12 * inertia);
}

START_TEST(a_rectangle_has_its_closed_form_either_way_round)
{
    double left[4][2] = { { 1, 2 }, { 4, 2 }, { 4, 3 }, { 1, 3 } };
    double right[4][2] = { { 1, 3 }, { 4, 3 }, { 4, 2 }, { 1, 2 } };
    m2d_plate_def one = plate(M2D_SHAPE_POLYGON, 4, left, 0.0);
    m2d_plate_def other = plate(M2D_SHAPE_POLYGON, 4, right, 0.0);

    ck_assert_int_eq(add("a", &one, 1), HA_OK);
    expect(6.0, 2.5, 2.5, 6.0 * (9.0 + 1.0) / 12.0);
    ck_assert_int_eq(add("b", &other, 1), HA_OK);
    expect(6.0, 2.5, 2.5, 6.0 * (9.0 + 1.0) / 12.0);
}
END_TEST

START_TEST(a_ring_is_a_disc_less_a_disc)
{
    double centre[1][2] = { { -3, 7 } };
    m2d_plate_def shapes[2] = { plate(M2D_SHAPE_CIRCLE, 1, centre, 2.0),
                                hole(plate(M2D_SHAPE_CIRCLE, 1, centre, 0.5)) };
    double mass = 2.0 * pi * (4.0 - 0.25);

    ck_assert_int_eq(add("ring", shapes, 2), HA_OK);
    expect(mass, -3.0, 7.0, mass * (4.0 + 0.25) / 2.0);
}
END_TEST

/* A plate with an eccentric hole and a second plate on it: the theorem of Steiner by hand. */
START_TEST(plates_and_holes_add_up)
{
    double corners[4][2] = { { 0, 0 }, { 4, 0 }, { 4, 2 }, { 0, 2 } }, at[1][2] = { { 3, 1 } };
    double boss[1][2] = { { 1, 1 } };
    m2d_plate_def shapes[3] = { plate(M2D_SHAPE_POLYGON, 4, corners, 0.0),
                                hole(plate(M2D_SHAPE_CIRCLE, 1, at, 0.5)),
                                plate(M2D_SHAPE_CIRCLE, 1, boss, 0.8) };
    shapes[2].weight = number(5.0);
    double m[3] = { 16.0, -2.0 * pi * 0.25, 5.0 * pi * 0.64 }, x[3] = { 2.0, 3.0, 1.0 };
    double own[3] = { 16.0 * 20.0 / 12.0, m[1] * 0.125, m[2] * 0.32 };
    double mass = m[0] + m[1] + m[2], centre = 0.0, inertia = 0.0;

    for (int i = 0; i < 3; i++) {
        centre += m[i] * x[i] / mass;
    }
    for (int i = 0; i < 3; i++) {
        inertia += own[i] + m[i] * (x[i] - centre) * (x[i] - centre);
    }
    ck_assert_int_eq(add("plate", shapes, 3), HA_OK);
    expect(mass, centre, 1.0, inertia);
}
END_TEST

/* A bar against the polygon with 1500 corners on each of its ends, whose error is below 1e-6. */
START_TEST(a_bar_is_the_limit_of_polygons)
{
    enum { HALF = 1500 };
    double ends[2][2] = { { 0.3, -0.2 }, { 1.1, 0.4 } }, r = 0.15, corners[2 * HALF][2];
    m2d_plate_def bar = plate(M2D_SHAPE_BAR, 2, ends, r);
    m2d__shape_mass weighed[2] = { 0 };
    m2d_body_def def = m2d_body_def_default();

    for (int i = 0; i < 2 * HALF; i++) {
        int end = i < HALF ? 0 : 1;
        double angle = atan2(0.6, 0.8) + pi / 2.0 + pi * end + pi * (i % HALF) / (HALF - 1.0);
        corners[i][0] = ends[end][0] + r * cos(angle);
        corners[i][1] = ends[end][1] + r * sin(angle);
    }
    def.name = "bar";
    def.n_outline = 1;
    def.outline = &bar;
    ck_assert_int_eq(m2d__weigh_outline(mechanism, &def, &weighed[0]), HA_OK);
    /* as a fan of pieces, since a polygon is bounded in its corners: all of it has an area... */
    double area = 0.0, moment[2] = { 0.0 }, polar = 0.0;
    double middle[2] = { 0.7, 0.1 };
    for (int i = 0; i < 2 * HALF; i++) {
        double u[2], v[2];
        for (int k = 0; k < 2; k++) {
            u[k] = corners[i][k] - middle[k];
            v[k] = corners[(i + 1) % (2 * HALF)][k] - middle[k];
        }
        double cross = u[0] * v[1] - u[1] * v[0];
        area += cross / 2.0;
        for (int k = 0; k < 2; k++) {
            moment[k] += cross * (u[k] + v[k]) / 6.0;
            polar += cross * (u[k] * u[k] + u[k] * v[k] + v[k] * v[k]) / 12.0;
        }
    }
    ck_assert_double_eq_tol(m2d__number(dag, weighed[0].mass), 2.0 * area, 2e-6 * area);
    ck_assert_double_eq_tol(m2d__number(dag, weighed[0].inertia), 2.0 * polar, 4e-6 * polar);
    ck_assert_double_eq_tol(moment[0], 0.0, 1e-12);
    ck_assert_double_eq_tol(m2d__number(dag, weighed[0].centre[0]), 0.7, 1e-15);
    ck_assert_double_eq_tol(m2d__number(dag, weighed[0].centre[1]), 0.1, 1e-15);
}
END_TEST

/* A star of random corners, moved and turned: mass and inertia stay, the centre goes along. */
START_TEST(moving_a_shape_moves_its_centre)
{
    uint64_t rng = (uint64_t) _i;
    double corners[9][2], moved[9][2], turn = random_in(&rng, -3.0, 3.0);
    double way[2] = { random_in(&rng, -9.0, 9.0), random_in(&rng, -9.0, 9.0) };

    for (int i = 0; i < 9; i++) {
        double angle = 2.0 * pi * i / 9.0, r = random_in(&rng, 0.2, 1.0);
        corners[i][0] = r * cos(angle);
        corners[i][1] = r * sin(angle);
        moved[i][0] = way[0] + cos(turn) * corners[i][0] - sin(turn) * corners[i][1];
        moved[i][1] = way[1] + sin(turn) * corners[i][0] + cos(turn) * corners[i][1];
    }
    m2d_plate_def one = plate(M2D_SHAPE_POLYGON, 9, corners, 0.0);
    m2d_plate_def other = plate(M2D_SHAPE_POLYGON, 9, moved, 0.0);
    ck_assert_int_eq(add("a", &one, 1), HA_OK);
    const m2d__body *a = &mechanism->bodies.items[0];
    double x = m2d__number(dag, a->centre[0]), y = m2d__number(dag, a->centre[1]);
    double mass = m2d__number(dag, a->mass), inertia = m2d__number(dag, a->inertia);
    ck_assert_int_eq(add("b", &other, 1), HA_OK);
    expect(mass, way[0] + cos(turn) * x - sin(turn) * y, way[1] + sin(turn) * x + cos(turn) * y,
           inertia);
}
END_TEST

/* The mass of a bar as a function of its length, by its expression and by differences. */
START_TEST(a_length_that_is_a_parameter_has_a_derivative)
{
    ha_expr length = HA_EXPR_NONE, value = HA_EXPR_NONE;
    double ends[2][2] = { { 0, 0 }, { 2, 0 } };
    m2d_plate_def bar = plate(M2D_SHAPE_BAR, 2, ends, 0.1);

    ck_assert_int_eq(m2d_mechanism_add_parameter(mechanism, "l", number(2.0), HA_NOWHERE, &length),
                     HA_OK);
    points[1][0] = length;
    ck_assert_int_eq(add("bar", &bar, 1), HA_OK);
    const m2d__body *body = &mechanism->bodies.items[0];
    value = ha_partial(dag, ha_symbol_definition(dag, body->mass), length);
    ck_assert_double_eq_tol(m2d__number(dag, value), 2.0 * 0.2, 1e-14);
    value = ha_partial(dag, ha_symbol_definition(dag, body->centre[0]), length);
    ck_assert_double_eq_tol(m2d__number(dag, value), 0.5, 1e-14);
}
END_TEST

/* Points of a drawing are counted from the mass centre, and a mass that is given is kept. */
START_TEST(points_of_a_drawing_are_seen_from_the_mass_centre)
{
    double corners[3][2] = { { 0, 0 }, { 3, 0 }, { 0, 6 } }, place[3];
    m2d_plate_def triangle = plate(M2D_SHAPE_POLYGON, 3, corners, 0.0);
    m2d_body_def def = m2d_body_def_default();
    m2d_point_def point = m2d_point_def_default();

    triangle.weight = HA_EXPR_NONE;
    def.name = point.body = "K";
    def.mass = number(5.0);
    def.outline = &triangle;
    def.n_outline = 1;
    def.is_drawn = true;
    ck_assert_int_eq(m2d_mechanism_add_body(mechanism, &def), HA_OK);
    point.name = "A";
    point.x = number(3.0);
    point.y = number(0.0);
    ck_assert_int_eq(m2d_mechanism_add_point(mechanism, &point), HA_OK);
    m2d_point_pose(mechanism, 0, place);
    ck_assert_double_eq_tol(place[0], 2.0, 1e-15);
    ck_assert_double_eq_tol(place[1], -2.0, 1e-15);
    expect(5.0, 1.0, 2.0, 5.0 * (9.0 + 36.0) / 18.0);
    m2d_body_plate_point(mechanism, 0, 0, 2, place);
    ck_assert_double_eq_tol(place[1], 4.0, 1e-15);
}
END_TEST

/* --- refusals --------------------------------------------------------------------------------- */

static void expect_refused(const m2d_plate_def *outline, int n, const char *text)
{
    ck_assert_int_eq(add("K", outline, n), HA_ERR_VALUE);
    expect_error(text);
    ck_assert_int_eq(m2d_mechanism_n_bodies(mechanism), 0);
}

START_TEST(an_outline_that_crosses_itself_is_refused)
{
    double bow[4][2] = { { 0, 0 }, { 1, 1 }, { 1, 0 }, { 0, 1 } };
    double touch[5][2] = { { 0, 0 }, { 2, 0 }, { 2, 2 }, { 1, 0 }, { 0, 2 } };
    m2d_plate_def shape = plate(M2D_SHAPE_POLYGON, 4, bow, 0.0);

    expect_refused(&shape, 1, "crosses itself: the side from corner 1 to 2 meets that from 3 to 4");
    shape = plate(M2D_SHAPE_POLYGON, 5, touch, 0.0);
    expect_refused(&shape, 1, "crosses itself");
}
END_TEST

START_TEST(shapes_without_area_are_refused)
{
    double line[3][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 } }, at[2][2] = { { 0, 0 }, { 1, 0 } };
    double twice[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 0 }, { 1, 1 } };
    m2d_plate_def shape = plate(M2D_SHAPE_POLYGON, 3, line, 0.0);

    expect_refused(&shape, 1, "has no area");
    shape = plate(M2D_SHAPE_POLYGON, 2, at, 0.0);
    expect_refused(&shape, 1, "has 2 points; give at least 3");
    shape = plate(M2D_SHAPE_POLYGON, 4, twice, 0.0);
    expect_refused(&shape, 1, "corners 2 and 3");
    shape = plate(M2D_SHAPE_CIRCLE, 1, at, 0.0);
    expect_refused(&shape, 1, "radius");
    shape = plate(M2D_SHAPE_BAR, 2, at, -1.0);
    expect_refused(&shape, 1, "radius");
}
END_TEST

START_TEST(holes_must_be_inside_and_apart)
{
    double corners[4][2] = { { 0, 0 }, { 4, 0 }, { 4, 4 }, { 0, 4 } };
    double edge[1][2] = { { 0.2, 2 } }, near[2][1][2] = { { { 1, 2 } }, { { 1.5, 2 } } };
    double all[1][2] = { { 2, 2 } };
    m2d_plate_def shapes[3] = { plate(M2D_SHAPE_POLYGON, 4, corners, 0.0),
                                hole(plate(M2D_SHAPE_CIRCLE, 1, edge, 0.5)) };

    expect_refused(shapes, 2, "is not inside of its plate");
    expect_refused(&shapes[1], 1, "begins with a hole");
    shapes[1] = hole(plate(M2D_SHAPE_CIRCLE, 1, all, 9.0));
    expect_refused(shapes, 2, "is not inside of its plate");
    shapes[1] = hole(plate(M2D_SHAPE_CIRCLE, 1, near[0], 0.4));
    shapes[2] = hole(plate(M2D_SHAPE_CIRCLE, 1, near[1], 0.4));
    expect_refused(shapes, 3, "overlap");
    /* no corner of these is inside of the other: one hole twice, a cross, a slot through a hole */
    shapes[2] = shapes[1];
    expect_refused(shapes, 3, "overlap");
    double flat[4][2] = { { 1, 1.9 }, { 3, 1.9 }, { 3, 2.1 }, { 1, 2.1 } };
    double tall[4][2] = { { 1.9, 1 }, { 2.1, 1 }, { 2.1, 3 }, { 1.9, 3 } };
    double slot[7][2] = {
        { 0, 0 }, { 4, 0 }, { 4, 4 }, { 2.1, 4 }, { 2, 0.5 }, { 1.9, 4 }, { 0, 4 }
    };
    shapes[1] = hole(plate(M2D_SHAPE_POLYGON, 4, flat, 0.0));
    shapes[2] = hole(plate(M2D_SHAPE_POLYGON, 4, tall, 0.0));
    expect_refused(shapes, 3, "overlap");
    m2d_plate_def whole = shapes[0];
    shapes[0] = plate(M2D_SHAPE_POLYGON, 7, slot, 0.0);
    expect_refused(shapes, 2, "is not inside of its plate");
    shapes[0] = whole;
    shapes[0].weight = HA_EXPR_NONE;
    expect_refused(shapes, 1, "neither a mass nor plates with a thickness and a density");
}
END_TEST

START_TEST(an_outline_off_the_origin_needs_its_frame)
{
    double corners[3][2] = { { 0, 0 }, { 3, 0 }, { 0, 6 } };
    m2d_plate_def triangle = plate(M2D_SHAPE_POLYGON, 3, corners, 0.0);
    m2d_body_def def = m2d_body_def_default();

    def.name = "K";
    def.outline = &triangle;
    def.n_outline = 1;
    ck_assert_int_eq(m2d_mechanism_add_body(mechanism, &def), HA_ERR_VALUE);
    expect_error("mass centre at (1, 2) m, and not in the origin");
    def.mass = number(1.0);
    def.inertia = number(1.0); /* then it is a picture only */
    ck_assert_int_eq(m2d_mechanism_add_body(mechanism, &def), HA_OK);
}
END_TEST

START_TEST(a_drawing_needs_a_centre_and_a_centre_a_drawing)
{
    m2d_body_def def = m2d_body_def_default();

    def.name = "K";
    def.mass = def.inertia = number(1.0);
    def.is_drawn = true;
    ck_assert_int_eq(m2d_mechanism_add_body(mechanism, &def), HA_ERR_VALUE);
    expect_error("nothing says where its mass centre is");
    def.is_drawn = false;
    def.centre[0] = def.centre[1] = number(1.0);
    ck_assert_int_eq(m2d_mechanism_add_body(mechanism, &def), HA_ERR_VALUE);
    expect_error("`centre` of body `K` has no meaning");
    def.is_drawn = true;
    def.colour = "red";
    ck_assert_int_eq(m2d_mechanism_add_body(mechanism, &def), HA_ERR_VALUE);
    expect_error("`red` is no colour of body `K`");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("outline");
    TCase *tests = tcase_create("outline");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, a_rectangle_has_its_closed_form_either_way_round);
    tcase_add_test(tests, a_ring_is_a_disc_less_a_disc);
    tcase_add_test(tests, plates_and_holes_add_up);
    tcase_add_test(tests, a_bar_is_the_limit_of_polygons);
    tcase_add_loop_test(tests, moving_a_shape_moves_its_centre, 0, 20);
    tcase_add_test(tests, a_length_that_is_a_parameter_has_a_derivative);
    tcase_add_test(tests, points_of_a_drawing_are_seen_from_the_mass_centre);
    tcase_add_test(tests, an_outline_that_crosses_itself_is_refused);
    tcase_add_test(tests, shapes_without_area_are_refused);
    tcase_add_test(tests, holes_must_be_inside_and_apart);
    tcase_add_test(tests, an_outline_off_the_origin_needs_its_frame);
    tcase_add_test(tests, a_drawing_needs_a_centre_and_a_centre_a_drawing);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
