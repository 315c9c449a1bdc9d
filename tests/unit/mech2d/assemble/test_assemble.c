/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Assembly: what stays, what moves, what cannot be. The truth comes from closed forms and, for the
   benchmark, from a program in 113-bit arithmetic. */
#include <config.h>

#include "mech2d/assemble.h"

#include "mech2d/place.h"
#include "tests/unit/mech2d/scenes.h"
#include "tests/util/memory.h"
#include "tests/util/util.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

static ha_ctx *ctx;
static m2d_mechanism *m;
static m2d_system *s;
static m2d_assembly *a;

static void set_up(void)
{
    ctx = ha_ctx_new();
    m = m2d_mechanism_new(ctx);
    ck_assert_ptr_nonnull(m);
    s = NULL;
    a = NULL;
}

static void tear_down(void)
{
    m2d_assembly_free(a);
    m2d_system_free(s);
    m2d_mechanism_free(m);
    ha_ctx_free(ctx);
}

static ha_status assemble(void)
{
    ck_assert_int_eq(m2d_expand(m, &s), HA_OK);
    return m2d_assemble(s, &a);
}

static void expect_assembled(double tolerance)
{
    ha_status status = assemble();

    ck_assert_msg(status == HA_OK, "%s",
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "no diagnostic");
    for (int i = 0; i < m2d_system_n_rows(s); i++) {
        ck_assert_double_le(fabs(m2d_assembly_residual(a, i)), tolerance);
        ck_assert_double_le(fabs(m2d_assembly_rate(a, i)), 10.0 * tolerance);
    }
}

static void expect_failure(ha_status wanted, const char *first, const char *second)
{
    ck_assert_int_eq(assemble(), wanted);
    ck_assert_ptr_null(a);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
    const char *text = ha_ctx_diag(ctx, 0)->text;
    ck_assert_msg(strstr(text, first) != NULL && strstr(text, second) != NULL, "%s", text);
}

/* A body with given start values: NAN where there is none. */
static void add_body(const char *name, double mass, double inertia, const double *start,
                     unsigned fixed)
{
    m2d_body_def def = m2d_body_def_default();

    def.name = name;
    def.mass = scene_number(m, mass);
    def.inertia = scene_number(m, inertia);
    for (int i = 0; i < M2D_N_COORDINATES; i++) {
        if (!isnan(start[i])) {
            def.start[i] = scene_number(m, start[i]);
        }
        def.is_fixed[i] = (fixed >> i & 1u) != 0;
    }
    ck_assert_int_eq(m2d_mechanism_add_body(m, &def), HA_OK);
}

#define NONE ((double) NAN)

/* A bar of 1 m between its points A (-0.5, 0) and B (0.5, 0). */
static void add_bar(const char *name, const double *start, unsigned fixed)
{
    add_body(name, 1.0, 1.0 / 12.0, start, fixed);
    ck_assert_int_eq(scene_point(m, name, "A", -0.5, 0.0), HA_OK);
    ck_assert_int_eq(scene_point(m, name, "B", 0.5, 0.0), HA_OK);
}

static void add_ground(const char *name, double x, double y)
{
    ck_assert_int_eq(scene_point(m, "ground", name, x, y), HA_OK);
}

static void add_hinge(const char *name, const char *first, const char *second)
{
    ck_assert_int_eq(scene_joint(m, "revolute", name, first, second), HA_OK);
}

static double value(int body, m2d_coordinate coordinate)
{
    return m2d_assembly_value(a, body, coordinate);
}

START_TEST(empty_mechanism_is_assembled)
{
    expect_assembled(0.0);
    ck_assert_int_eq(m2d_assembly_mobility(a), 0);
}
END_TEST

START_TEST(andrews_start_is_found_from_disturbed_guesses)
{
    double angles[7];

    for (int i = 0; i < 7; i++) {
        angles[i] = andrews_start[i] + (i < 2 ? 0.0 : 0.2 * sin(1.0 + i + 3.0 * _i));
    }
    ck_assert_int_eq(scene_andrews(m, angles), HA_OK);
    expect_assembled(1e-16);
    for (int i = 0; i < 7; i++) {
        ck_assert_double_eq_tol(value(i, M2D_X), andrews_centres[i][0], 1e-15);
        ck_assert_double_eq_tol(value(i, M2D_Y), andrews_centres[i][1], 1e-15);
        ck_assert_double_eq_tol(value(i, M2D_ANGLE), andrews_start[i], 1e-15);
        ck_assert_double_eq(value(i, M2D_OMEGA), 0.0);
    }
    ck_assert_double_eq(value(0, M2D_ANGLE), angles[0]);
    ck_assert_double_eq(value(1, M2D_ANGLE), angles[1]);
    ck_assert_int_eq(m2d_assembly_n_attempts(a), 1);
    ck_assert_int_eq(m2d_assembly_mobility(a), 1);
    ck_assert_int_eq(m2d_assembly_mobility_count(a), 1);
    ck_assert_int_eq(m2d_assembly_n_redundant(a), 0);
    ck_assert(m2d_assembly_is_fixed(a, 1, M2D_ANGLE) && m2d_assembly_is_given(a, 2, M2D_ANGLE));
    ck_assert_double_eq(m2d_assembly_guess(a, 2, M2D_ANGLE), angles[2]);
}
END_TEST

/* The place of a part, which has to be there once. */
static const bg_draw_place *place_of(const bg_draw_place *places, int n, const char *name)
{
    const bg_draw_place *found = NULL;

    for (int i = 0; i < n; i++) {
        if (strcmp(places[i].name, name) == 0) {
            ck_assert_msg(found == NULL, "two places of %s", name);
            found = &places[i];
        }
    }
    ck_assert_msg(found != NULL, "no place of %s", name);
    return found;
}

START_TEST(places_are_mass_centres_and_middles_of_points)
{
    const double angle = andrews_start[0], third = andrews_start[2];
    /* D of K3 with its mass centre, in the inertial frame */
    const double D[2] = { (0.02 - 0.01043) * cos(third) - (0.01874 - 0.018) * sin(third),
                          (0.02 - 0.01043) * sin(third) + (0.01874 - 0.018) * cos(third) };
    bg_draw_place *places = NULL;
    int n = 0;

    ck_assert_int_eq(scene_andrews(m, andrews_start), HA_OK);
    expect_assembled(1e-14);
    const struct {
        const char *name;
        double x, y;
    } expected[] = {
        { "K3", value(2, M2D_X), value(2, M2D_Y) },
        { "drive", value(0, M2D_X), value(0, M2D_Y) },
        { "O", 0.0, 0.0 },
        { "A5", -0.06934, -0.00227 },
        { "H", 0.007 * cos(angle), 0.007 * sin(angle) },
        { "spring", (value(2, M2D_X) + D[0] + 0.014) / 2.0,
          (value(2, M2D_Y) + D[1] + 0.072) / 2.0 },
    };
    ck_assert_int_eq(m2d_assembly_places(a, &places, &n), HA_OK);
    ck_assert_int_eq(n, 7 + 10 + 2);
    for (size_t i = 0; i < HA_COUNT(expected); i++) {
        const bg_draw_place *place = place_of(places, n, expected[i].name);
        ck_assert_double_eq_tol(place->x, expected[i].x, 1e-14);
        ck_assert_double_eq_tol(place->y, expected[i].y, 1e-14);
    }
    free(places);
}
END_TEST

START_TEST(places_follow_given_angles)
{
    const double upper[] = { NONE, NONE, 0.5, NONE, NONE, NONE };
    const double lower[] = { NONE, NONE, -0.3, NONE, NONE, NONE };

    add_bar("upper", upper, 0);
    add_bar("lower", lower, 0);
    add_ground("O", 2.0, 1.0);
    add_hinge("O", "ground.O", "upper.A");
    add_hinge("A", "upper.B", "lower.A");
    expect_assembled(1e-15);
    ck_assert_double_eq(value(0, M2D_ANGLE), 0.5);
    ck_assert_double_eq(value(1, M2D_ANGLE), -0.3);
    ck_assert_double_eq_tol(value(1, M2D_X), 2.0 + cos(0.5) + 0.5 * cos(0.3), 1e-14);
    ck_assert_double_eq_tol(value(1, M2D_Y), 1.0 + sin(0.5) - 0.5 * sin(0.3), 1e-14);
}
END_TEST

START_TEST(guesses_move_against_their_masses)
{
    const double at_0[] = { 0.0, 0.0, 0.0, NONE, NONE, NONE };
    const double at_1[] = { 1.0, 2.0, 0.0, NONE, NONE, NONE };

    /* joined at the mass centres: the common place is the mass centre of the two */
    add_body("K1", 1.0, 1.0, at_0, 0);
    add_body("K2", 3.0, 1.0, at_1, 0);
    ck_assert_int_eq(scene_point(m, "K1", "C", 0.0, 0.0), HA_OK);
    ck_assert_int_eq(scene_point(m, "K2", "C", 0.0, 0.0), HA_OK);
    add_hinge("J", "K1.C", "K2.C");
    expect_assembled(1e-15);
    ck_assert_double_eq_tol(value(0, M2D_X), 0.75, 1e-14);
    ck_assert_double_eq_tol(value(1, M2D_Y), 1.5, 1e-14);
}
END_TEST

/* The weighted distance of the pendulum at an angle from its guess. */
static double pendulum_distance(const double *guess, double mass, double inertia, double angle)
{
    double dx = 0.5 * cos(angle) - guess[0], dy = 0.5 * sin(angle) - guess[1];

    return mass * (dx * dx + dy * dy) + inertia * (angle - guess[2]) * (angle - guess[2]);
}

START_TEST(guesses_move_to_the_nearest_position)
{
    const double guess[] = { 0.3, 0.7, 0.2, NONE, NONE, NONE };
    double low = 0.2, high = 2.0;

    add_bar("bar", guess, 0);
    add_ground("O", 0.0, 0.0);
    add_hinge("O", "ground.O", "bar.A");
    expect_assembled(1e-15);
    for (int k = 0; k < 200; k++) { /* ternary search on a function with one minimum there */
        double first = low + (high - low) / 3.0, second = high - (high - low) / 3.0;
        if (pendulum_distance(guess, 1.0, 1.0 / 12.0, first) <
            pendulum_distance(guess, 1.0, 1.0 / 12.0, second)) {
            high = second;
        } else {
            low = first;
        }
    }
    ck_assert_double_eq_tol(value(0, M2D_ANGLE), low, 1e-7); /* the search finds half the digits */
}
END_TEST

START_TEST(linkage_drawn_in_one_line_is_assembled)
{
    const double none[] = { NONE, NONE, NONE, NONE, NONE, NONE };

    add_bar("crank", none, 0);
    add_bar("coupler", none, 0);
    add_bar("rocker", none, 0);
    add_ground("O", 0.0, 0.0);
    add_ground("C", 1.5, 0.0);
    add_hinge("O", "ground.O", "crank.A");
    add_hinge("A", "crank.B", "coupler.A");
    add_hinge("B", "coupler.B", "rocker.A");
    add_hinge("C", "rocker.B", "ground.C");
    expect_assembled(1e-14);
    ck_assert_int_eq(m2d_assembly_mobility(a), 1);
}
END_TEST

START_TEST(fixed_values_that_contradict_are_named)
{
    const double start[] = { 1.0, 0.0, NONE, NONE, NONE, NONE };

    add_bar("bar", start, 3);
    add_ground("O", 0.0, 0.0);
    add_hinge("O", "ground.O", "bar.A");
    expect_failure(HA_ERR_ASSEMBLY, "joint `O`", "`bar.x`, `bar.y` contradict");
}
END_TEST

START_TEST(a_failed_assembly_says_how_far_it_came)
{
    const double start[] = { 1.0, 0.0, NONE, 2.0, NONE, NONE };

    add_bar("bar", start, 3);
    add_ground("O", 0.0, 0.0);
    add_hinge("O", "ground.O", "bar.A");
    ck_assert_int_eq(m2d_expand(m, &s), HA_OK);
    ck_assert_int_eq(m2d_assemble(s, &a), HA_ERR_ASSEMBLY);
    ck_assert_ptr_null(a);
    ck_assert_int_eq(m2d_try_assemble(s, &a), HA_ERR_ASSEMBLY);
    /* the end of the bar, 0.5 m from its fixed centre, comes within 0.5 m of the hinge */
    ck_assert_double_eq(value(0, M2D_X), 1.0);
    ck_assert_double_eq(value(0, M2D_Y), 0.0);
    ck_assert_double_eq_tol(hypot(m2d_assembly_residual(a, 0), m2d_assembly_residual(a, 1)), 0.5,
                            1e-6);
    ck_assert(isnan(m2d_assembly_rate(a, 0)) && isnan(value(0, M2D_VX)));
    ck_assert_int_eq(m2d_assembly_mobility(a), -1);
    ck_assert_int_eq(m2d_assembly_mobility_count(a), 1);
}
END_TEST

START_TEST(bodies_that_do_not_reach_are_reported)
{
    const double none[] = { NONE, NONE, NONE, NONE, NONE, NONE };

    add_bar("first", none, 0);
    add_bar("second", none, 0);
    add_ground("O", 0.0, 0.0);
    add_ground("P", 3.0, 0.0);
    add_hinge("O", "ground.O", "first.A");
    add_hinge("A", "first.B", "second.A");
    add_hinge("P", "second.B", "ground.P");
    expect_failure(HA_ERR_ASSEMBLY, "joint `", "do not reach");
}
END_TEST

/* A parallelogram of a coupler on `n` uprights of 1 m, one metre apart, with the first upright's
   rate given. */
static void add_parallelogram(int n, double omega, unsigned fixed)
{
    const double upright[] = { NONE, NONE, 1.2, NONE, NONE, NONE };
    const double coupler[] = { NONE, NONE, 0.0, NONE, NONE, NONE };
    const double driven[] = { NONE, NONE, 1.2, NONE, NONE, omega };
    char text[4][32];

    add_body("coupler", 1.0, 1.0, coupler, 0);
    for (int i = 0; i < n; i++) {
        snprintf(text[0], sizeof text[0], "U%d", i);
        snprintf(text[1], sizeof text[1], "P%d", i);
        add_bar(text[0], i == 0 ? driven : upright, i == 0 ? fixed : 0);
        add_ground(text[1], i, 0.0);
        ck_assert_int_eq(scene_point(m, "coupler", text[1], i, 0.0), HA_OK);
        snprintf(text[0], sizeof text[0], "L%d", i);
        snprintf(text[1], sizeof text[1], "ground.P%d", i);
        snprintf(text[2], sizeof text[2], "U%d.A", i);
        add_hinge(text[0], text[1], text[2]);
        snprintf(text[0], sizeof text[0], "T%d", i);
        snprintf(text[1], sizeof text[1], "U%d.B", i);
        snprintf(text[2], sizeof text[2], "coupler.P%d", i);
        add_hinge(text[0], text[1], text[2]);
    }
}

START_TEST(redundant_constraints_are_named)
{
    add_parallelogram(4, 0.0, 0);
    expect_assembled(1e-14);
    ck_assert_int_eq(m2d_assembly_mobility(a), 1);
    ck_assert_int_eq(m2d_assembly_mobility_count(a), -1);
    ck_assert_int_eq(m2d_assembly_n_redundant(a), 2);
    /* what closes the loops of the third and fourth upright is said twice */
    ck_assert_str_eq(m2d_assembly_redundant(a, 0), "T2.y");
    ck_assert_str_eq(m2d_assembly_redundant(a, 1), "T3.y");

    bg_causality *causality = NULL;
    ck_assert_int_eq(bg_causality_assign(m2d_system_graph(s), &causality), HA_OK);
    ck_assert_int_eq(bg_causality_order(causality, m2d_assembly_n_redundant(a)), 2);
    bg_causality_free(causality);
}
END_TEST

START_TEST(velocities_follow_the_given_one)
{
    unsigned fixed = _i == 0 ? 0 : 1u << M2D_OMEGA;

    add_parallelogram(3, 2.0, fixed);
    expect_assembled(1e-14);
    ck_assert_double_eq(value(1, M2D_OMEGA), 2.0);
    ck_assert_double_eq_tol(value(2, M2D_OMEGA), 2.0, 1e-13);
    ck_assert_double_eq_tol(value(0, M2D_OMEGA), 0.0, 1e-13);
    ck_assert_double_eq_tol(value(0, M2D_VX), -2.0 * sin(1.2), 1e-13);
    ck_assert_double_eq_tol(value(0, M2D_VY), 2.0 * cos(1.2), 1e-13);
}
END_TEST

START_TEST(velocity_guesses_move_least)
{
    const double start[] = { 0.5, 0.0, 0.0, 1.0, 1.0, 0.0 };

    /* hinge at the origin: vx = 0, vy = omega / 2; least (vy - 1)^2 + omega^2 / 12 */
    add_bar("bar", start, 0);
    add_ground("O", 0.0, 0.0);
    add_hinge("O", "ground.O", "bar.A");
    expect_assembled(1e-15);
    ck_assert_double_eq_tol(value(0, M2D_VX), 0.0, 1e-15);
    ck_assert_double_eq_tol(value(0, M2D_VY), 0.75, 1e-14);
    ck_assert_double_eq_tol(value(0, M2D_OMEGA), 1.5, 1e-14);
}
END_TEST

START_TEST(fixed_velocities_that_contradict_are_named)
{
    const double start[] = { NONE, NONE, 0.0, NONE, 3.0, 1.0 };

    add_bar("bar", start, 1u << M2D_VY | 1u << M2D_OMEGA);
    add_ground("O", 0.0, 0.0);
    add_hinge("O", "ground.O", "bar.A");
    expect_failure(HA_ERR_ASSEMBLY, "joint `O`",
                   "the fixed velocities `bar.vy`, `bar.omega` contradict");
}
END_TEST

START_TEST(spring_of_length_zero_is_named)
{
    const double start[] = { 0.0, 0.0, 0.0, NONE, NONE, NONE };
    const ha_expr stiffness = scene_number(m, 1.0);
    const m2d_setting setting = { "stiffness", &stiffness, 1, HA_NOWHERE };
    m2d_force_def def = m2d_force_def_default();

    add_bar("bar", start, 0);
    add_ground("O", 0.5, 0.0);
    def.type = "spring-damper";
    def.name = "S";
    def.ends[0] = "ground.O";
    def.ends[1] = "bar.B";
    def.settings = &setting;
    def.n_settings = 1;
    ck_assert_int_eq(m2d_mechanism_add_force(m, &def), HA_OK);
    expect_failure(HA_ERR_SINGULAR, "`S`", "both ends at one point");
}
END_TEST

/* A chain of n bars from the origin, angles given where `is_given`. */
static void add_chain(int n, bool is_given)
{
    char text[3][32];

    add_ground("O", 0.0, 0.0);
    for (int i = 0; i < n; i++) {
        const double start[] = { NONE, NONE, is_given ? 0.01 * i : NONE, NONE, NONE, NONE };
        snprintf(text[0], sizeof text[0], "B%d", i);
        add_bar(text[0], start, 0);
        snprintf(text[0], sizeof text[0], "J%d", i);
        snprintf(text[1], sizeof text[1], "B%d.B", i - 1);
        snprintf(text[2], sizeof text[2], "B%d.A", i);
        add_hinge(text[0], i == 0 ? "ground.O" : text[1], text[2]);
    }
}

START_TEST(long_chain_is_assembled)
{
    const int n = 1000;
    double x = 0.0;

    add_chain(n, true);
    expect_assembled(1e-11);
    for (int i = 0; i < n; i++) {
        x += cos(0.01 * i);
        ck_assert_double_eq(value(i, M2D_ANGLE), 0.01 * i);
    }
    ck_assert_double_eq_tol(value(n - 1, M2D_X), x - 0.5 * cos(0.01 * (n - 1)), 1e-10);
    ck_assert_int_eq(m2d_assembly_mobility(a), n);
}
END_TEST

START_TEST(massless_bodies_are_assembled)
{
    const double start[] = { 1.0, 1.0, 0.0, NONE, NONE, NONE };

    add_body("rod", 0.0, 0.0, start, 0);
    ck_assert_int_eq(scene_point(m, "rod", "A", -1.0, 0.0), HA_OK);
    add_ground("O", 0.0, 0.0);
    add_hinge("O", "ground.O", "rod.A");
    expect_assembled(1e-15);
}
END_TEST

START_TEST(interruption_is_obeyed)
{
    volatile sig_atomic_t flag = 1;

    add_chain(3, true);
    ha_ctx_set_interrupt(ctx, &flag);
    ck_assert_int_eq(assemble(), HA_ERR_INTERRUPTED);
    ha_ctx_set_interrupt(ctx, NULL);
}
END_TEST

static ha_status assemble_again(void *system)
{
    m2d_assembly *own = NULL;
    ha_status status = m2d_assemble(system, &own);

    m2d_assembly_free(own);
    return status;
}

START_TEST(every_failing_allocation_is_survived)
{
    double angles[7];

    for (int i = 0; i < 7; i++) {
        angles[i] = andrews_start[i] + (i < 2 ? 0.0 : 0.1);
    }
    ck_assert_int_eq(scene_andrews(m, angles), HA_OK);
    ck_assert_int_eq(m2d_expand(m, &s), HA_OK);
    memory_survives(ctx, 50, assemble_again, s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("assemble");
    TCase *tests = tcase_create("assemble");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, empty_mechanism_is_assembled);
    tcase_add_loop_test(tests, andrews_start_is_found_from_disturbed_guesses, 0, 5);
    tcase_add_test(tests, places_are_mass_centres_and_middles_of_points);
    tcase_add_test(tests, places_follow_given_angles);
    tcase_add_test(tests, guesses_move_against_their_masses);
    tcase_add_test(tests, guesses_move_to_the_nearest_position);
    tcase_add_test(tests, linkage_drawn_in_one_line_is_assembled);
    tcase_add_test(tests, fixed_values_that_contradict_are_named);
    tcase_add_test(tests, a_failed_assembly_says_how_far_it_came);
    tcase_add_test(tests, bodies_that_do_not_reach_are_reported);
    tcase_add_test(tests, redundant_constraints_are_named);
    tcase_add_loop_test(tests, velocities_follow_the_given_one, 0, 2);
    tcase_add_test(tests, velocity_guesses_move_least);
    tcase_add_test(tests, fixed_velocities_that_contradict_are_named);
    tcase_add_test(tests, spring_of_length_zero_is_named);
    tcase_add_test(tests, long_chain_is_assembled);
    tcase_add_test(tests, massless_bodies_are_assembled);
    tcase_add_test(tests, interruption_is_obeyed);
    tcase_add_test(tests, every_failing_allocation_is_survived);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
