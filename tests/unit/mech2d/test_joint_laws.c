/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conformance of every joint type in motion. Two bodies move under gravity with the joint between
 * them: the mobility is that of its constraints, the second body obeys Newton and Euler with the
 * reaction that the joint reports, the constraints hold and do no work, and a prescribed motion of
 * each free direction does the work that its drive reports.
 */
#include <config.h>

#include "mech2d/joint.h"
#include "tests/unit/mech2d/run.h"
#include "tests/util/util.h"

#include <check.h>
#include <stdio.h>

enum { ROOM = 2048 };

static const double mass = 1.3, inertia = 0.2, gravity = 9.81;

/* The settings of a type, 0.7 and 0.9, as in a model file. */
static void add_settings(char text[ROOM], const m2d__joint_type *type)
{
    for (int i = 0; i < type->n_keys; i++) {
        size_t used = strlen(text);
        snprintf(text + used, ROOM - used, ", %s: %s", type->keys[i].name,
                 type->keys[i].n_values == 1 ? "0.7" : "[0.7, 0.9]");
    }
    if (type->is_written) {
        size_t used = strlen(text);
        snprintf(text + used, ROOM - used,
                 ", rows: {a: MN.x_j - 0.2*MN.y_i, b: {value: theta_j + 2*theta_i, unit: rad}}");
    }
}

/* A model of two bodies with a joint of this type, and a motion of the direction if there is one. */
static void make_model(char text[ROOM], const m2d__joint_type *type, const char *direction)
{
    snprintf(text, ROOM, "%s",
             "halfarrow: 1\nbodies:\n"
             "  A: {mass: 2.1, inertia: 0.5, points: {P: {at: [0.3, 0.1], axis: 0.2}}, start: {angle: "
             "0.1, vx: 0.4, omega: 0.9}}\n"
             "  B: {mass: 1.3, inertia: 0.2, points: {P: {at: [-0.4, 0.2], axis: -0.3}}, start: {x: "
             "1.4, y: 0.5, angle: 0.6, vy: 0.5, omega: -0.7}}\n"
             "joints:\n  J: {between: [A.P, B.P], type: ");
    strcat(text, type->name);
    add_settings(text, type);
    if (direction != NULL) {
        size_t used = strlen(text);
        snprintf(text + used, ROOM - used, ", motion: {%s: 0.3 + 0.2*sin(4*t)}", direction);
    }
    strcat(text, "}\nsimulate: {t_end: 0.3, rtol: 1e-11, atol: 1e-11, alpha: 20}\n");
}

/* m a = F + m g and J alpha = torque + arm x F at the point of the joint, along the run. (A row at a
   step of the solver has its Newton error, all others are solved to round-off.) */
static void check_second_body(const run *r)
{
    for (size_t row = 0; row < ha_result_n_rows(r->result); row += 20) {
        double fx = run_value(r, row, "J.fx"), fy = run_value(r, row, "J.fy");
        double armx = run_value(r, row, "B.P.x") - run_value(r, row, "B.x");
        double army = run_value(r, row, "B.P.y") - run_value(r, row, "B.y");
        double torque = run_value(r, row, "J.torque") + armx * fy - army * fx;
        double size = 1.0 + fabs(fx) + fabs(fy) + fabs(torque);
        ck_assert_double_eq_tol(mass * run_value(r, row, "B.ax"), fx, 1e-8 * size);
        ck_assert_double_eq_tol(mass * (run_value(r, row, "B.ay") + gravity), fy, 1e-8 * size);
        ck_assert_double_eq_tol(inertia * run_value(r, row, "B.alpha"), torque, 1e-8 * size);
    }
}

static void check_run(const char *text, int n_rows)
{
    run r = run_text(text);

    ck_assert_int_eq(m2d_assembly_mobility(r.assembly), 6 - n_rows);
    ck_assert_int_eq(bg_model_n_multipliers(r.compiled), n_rows);
    check_second_body(&r);
    ck_assert_double_lt(r.report.constraint_error, 1e-7);
    ck_assert_double_lt(r.report.velocity_error, 1e-6);
    ck_assert_double_lt(r.report.energy_error, 1e-7 * (1.0 + fabs(run_last(&r, "energy.supplied"))));
    run_end(&r);
}

static int rows_of(const m2d__joint_type *type)
{
    return type->is_written ? 2 : type->n_rows;
}

START_TEST(joint_obeys_newton_and_does_no_work)
{
    const m2d__joint_type *type = m2d__joint_type_at((size_t) _i);
    char text[ROOM];

    make_model(text, type, NULL);
    check_run(text, rows_of(type));
}
END_TEST

START_TEST(drive_does_the_work_it_reports)
{
    const m2d__joint_type *type = m2d__joint_type_at((size_t) _i);
    char text[ROOM];

    for (int k = 0; k < type->n_directions; k++) {
        make_model(text, type, type->directions[k].name);
        check_run(text, rows_of(type) + 1);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("joint_laws");
    TCase *tests = tcase_create("joint_laws");
    int n = 0;

    while (m2d__joint_type_at((size_t) n) != NULL) {
        n++;
    }
    tcase_add_loop_test(tests, joint_obeys_newton_and_does_no_work, 0, n);
    tcase_add_loop_test(tests, drive_does_the_work_it_reports, 0, n);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
