/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conformance of every joint type with springs and dampers in the place of its constraints. Two
 * bodies move under gravity: nothing is a constraint any more, the second body obeys Newton and
 * Euler with the reaction that the joint reports, the energy book closes, and where the rows of the
 * type do not change when both bodies are moved as one, the wrenches on both balance.
 * A prescribed motion of a free direction holds exactly and does the work that its drive reports.
 * The Jacobian is that of differences. The stiffer the joint, the nearer the motion is to that of
 * the constraints, in proportion to 1 / stiffness.
 */
#include <config.h>

#include "mech2d/expand/system_priv.h"
#include "mech2d/read/read_priv.h"
#include "tests/unit/bondgraph/differences.h"
#include "tests/unit/mech2d/two_bodies.h"
#include "tests/util/util.h"

#include <check.h>

static const double first_mass = 2.1, first_inertia = 0.5;

/* --- the rows -------------------------------------------------------------------------------- */

/* Coordinates of both bodies. */
typedef struct {
    const m2d_system *system;
    double q[6];
} pose;

static double coordinate(void *user, ha_expr symbol)
{
    const pose *p = user;

    for (int j = 0; j < 6; j++) {
        if (symbol == p->system->masses.items[j / 3].q[j % 3]) {
            return p->q[j];
        }
    }
    return 0.0;
}

static double row_at(const pose *p, int row)
{
    pose copy = *p;
    ha_dag *dag = bg_graph_dag(p->system->graph);
    ha_expr resolved = HA_EXPR_NONE;

    ck_assert_int_eq(ha_resolve(dag, p->system->rows.items[row].phi, &resolved), HA_OK);
    return ha_expr_value(dag, resolved, coordinate, &copy);
}

/* Whether the rows of the joint stay as they are when both bodies are moved by (0.5, -0.8) and
   turned by an angle as one. */
static bool are_invariant(const m2d_system *system, double angle)
{
    const pose p = { system, { 0.3, -0.2, 0.4, 1.1, 0.9, 1.3 } };
    const double c = cos(angle), s = sin(angle);
    pose moved = p;
    bool all = true;

    for (int b = 0; b < 2; b++) {
        moved.q[3 * b] = 0.5 + c * p.q[3 * b] - s * p.q[3 * b + 1];
        moved.q[3 * b + 1] = -0.8 + s * p.q[3 * b] + c * p.q[3 * b + 1];
        moved.q[3 * b + 2] = p.q[3 * b + 2] + angle;
    }
    for (int k = 0; k < m2d_system_n_rows(system); k++) {
        all = all && fabs(row_at(&moved, k) - row_at(&p, k)) < 1e-12;
    }
    return all;
}

/* --- motion ---------------------------------------------------------------------------------- */

/* Momentum: no force from outside but the weights where the rows do not change with place, and no
   torque where they do not change with direction either. Rows along the fixed axes, of a hinge or a
   weld, act with opposite forces on M and N, which the deflection keeps apart: they leave the
   couple MN x F, of second order in it. */
static void check_momentum(const run *r, bool has_couple, bool turns)
{
    for (size_t row = 0; row < ha_result_n_rows(r->result); row += 20) {
        const double masses[2] = { first_mass, two_bodies_mass };
        const double inertias[2] = { first_inertia, two_bodies_inertia };
        double force[2] = { 0.0, 0.0 }, torque = 0.0, size = 1.0, couple = 0.0;
        for (int b = 0; b < 2; b++) {
            const char *names[2][5] = { { "A.x", "A.y", "A.ax", "A.ay", "A.alpha" },
                                        { "B.x", "B.y", "B.ax", "B.ay", "B.alpha" } };
            double x = run_value(r, row, names[b][0]), y = run_value(r, row, names[b][1]);
            double fx = masses[b] * run_value(r, row, names[b][2]);
            double fy = masses[b] * (run_value(r, row, names[b][3]) + two_bodies_gravity);
            force[0] += fx;
            force[1] += fy;
            torque += inertias[b] * run_value(r, row, names[b][4]) + x * fy - y * fx;
            size += fabs(fx) + fabs(fy);
        }
        if (has_couple) {
            double x = run_value(r, row, "B.P.x") - run_value(r, row, "A.P.x");
            double y = run_value(r, row, "B.P.y") - run_value(r, row, "A.P.y");
            couple = x * run_value(r, row, "J.fy") - y * run_value(r, row, "J.fx");
        }
        ck_assert_double_eq_tol(force[0], 0.0, 1e-8 * size);
        ck_assert_double_eq_tol(force[1], 0.0, 1e-8 * size);
        if (has_couple || turns) {
            ck_assert_double_eq_tol(torque, couple, 1e-8 * size);
        }
    }
}

/* A row of this label. */
static bool has_row(const m2d_system *system, const char *name)
{
    for (int k = 0; k < m2d_system_n_rows(system); k++) {
        if (strcmp(m2d_system_row_name(system, k), name) == 0) {
            return true;
        }
    }
    return false;
}

static void check_run(const char *text, const m2d__joint_type *type, int n_motions)
{
    run r = run_text(text);

    ck_assert_int_eq(m2d_assembly_mobility(r.assembly), 6 - n_motions);
    ck_assert_int_eq(m2d_assembly_mobility_count(r.assembly), 6 - n_motions);
    ck_assert_int_eq(bg_model_n_multipliers(r.compiled), n_motions);
    ck_assert_int_eq(m2d_system_n_elastic(r.system), two_bodies_rows(type));
    ck_assert_double_lt(jacobian_error(r.compiled), 1e-5);
    two_bodies_check(&r);
    if (n_motions == 0 && are_invariant(r.system, 0.0)) {
        check_momentum(&r, has_row(r.system, "J.x"), are_invariant(r.system, 0.7));
    }
    ck_assert_double_lt(r.report.constraint_error, 1e-7);
    ck_assert_double_lt(r.report.energy_error,
                        1e-7 * (1.0 + fabs(run_last(&r, "energy.supplied"))));
    run_end(&r);
}

static const char *const more[] = {
    ", model: compliant, stiffness: 300, angular_stiffness: 60",
    ", model: compliant, stiffness: 300, angular_stiffness: 60, damping: 4, angular_damping: 0.5",
    ", model: compliant, stiffness: 300, angular_stiffness: 60, damping_factor: 10 ms",
};

START_TEST(compliant_joint_obeys_newton_and_keeps_the_book)
{
    const m2d__joint_type *type = m2d__joint_type_at((size_t) _i);
    if (type->expand != NULL) {
        return; /* it is no set of rows: test_wheel.c */
    }
    char text[TWO_BODIES_ROOM];

    for (size_t k = 0; k < HA_COUNT(more); k++) {
        two_bodies(text, type, NULL, more[k]);
        check_run(text, type, 0);
    }
}
END_TEST

START_TEST(drive_of_a_compliant_joint_does_the_work_it_reports)
{
    const m2d__joint_type *type = m2d__joint_type_at((size_t) _i);
    if (type->expand != NULL) {
        return; /* it is no set of rows: test_wheel.c */
    }
    char text[TWO_BODIES_ROOM];

    for (int k = 0; k < type->n_directions; k++) {
        two_bodies(text, type, type->directions[k].name, more[1]);
        check_run(text, type, 1);
    }
}
END_TEST

/* --- the ideal joint as the limit ------------------------------------------------------------- */

static const char *const coordinates[] = { "A.x", "A.y", "A.angle", "B.x", "B.y", "B.angle" };

static void run_to_end(const char *text, double end[HA_COUNT(coordinates)])
{
    run r = run_text(text);

    for (size_t i = 0; i < HA_COUNT(coordinates); i++) {
        end[i] = run_last(&r, coordinates[i]);
    }
    run_end(&r);
}

/* The largest distance from the ideal motion at the end. */
static double distance(const m2d__joint_type *type, const double *ideal, const char *stiffness)
{
    double end[HA_COUNT(coordinates)], largest = 0.0;
    char text[TWO_BODIES_ROOM], settings[256];

    snprintf(settings, sizeof settings,
             ", model: compliant, stiffness: %s, angular_stiffness: %s, damping_factor: 4 ms",
             stiffness, stiffness);
    two_bodies(text, type, NULL, settings);
    run_to_end(text, end);
    for (size_t i = 0; i < HA_COUNT(coordinates); i++) {
        largest = fmax(largest, fabs(end[i] - ideal[i]));
    }
    return largest;
}

START_TEST(stiff_joint_tends_to_the_ideal_one)
{
    const m2d__joint_type *type = m2d__joint_type_at((size_t) _i);
    if (type->expand != NULL) {
        return; /* it is no set of rows: test_wheel.c */
    }
    double ideal[HA_COUNT(coordinates)];
    char text[TWO_BODIES_ROOM];

    two_bodies(text, type, NULL, ", model: ideal");
    run_to_end(text, ideal);
    double soft = distance(type, ideal, "1e5"), stiff = distance(type, ideal, "1e6");
    if (fmax(soft, stiff) < 1e-9) { /* nothing loads the rows */
        ck_assert(two_bodies_rows(type) == 0 || strcmp(type->name, "double-translational") == 0);
        return;
    }
    ck_assert_double_lt(soft, 1e-2);
    ck_assert_msg(stiff > soft / 13.0 && stiff < soft / 8.0, "%s: %g, then %g", type->name, soft,
                  stiff);
}
END_TEST

/* A list that is full could have left keys out. */
START_TEST(there_is_room_for_the_keys_of_all_models)
{
    const char *keys[M2D__MAX_MODEL_KEYS];

    ck_assert_uint_lt(m2d__list_model_keys(keys), M2D__MAX_MODEL_KEYS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("joint_models");
    TCase *tests = tcase_create("joint_models");
    int n = 0;

    while (m2d__joint_type_at((size_t) n) != NULL) {
        n++;
    }
    tcase_add_loop_test(tests, compliant_joint_obeys_newton_and_keeps_the_book, 0, n);
    tcase_add_loop_test(tests, drive_of_a_compliant_joint_does_the_work_it_reports, 0, n);
    tcase_add_loop_test(tests, stiff_joint_tends_to_the_ideal_one, 0, n);
    tcase_add_test(tests, there_is_room_for_the_keys_of_all_models);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
