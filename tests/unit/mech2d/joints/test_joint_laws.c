/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conformance of every joint type in motion. Two bodies move under gravity with the joint between
 * them: the mobility is that of its constraints, the second body obeys Newton and Euler with the
 * reaction that the joint reports, the constraints hold and do no work, and a prescribed motion of
 * each free direction does the work that its drive reports.
 */
#include <config.h>

#include "mech2d/mechanism/joint.h"
#include "tests/unit/mech2d/two_bodies.h"
#include "tests/util/util.h"

#include <check.h>

static void check_run(const char *text, int n_rows)
{
    run r = run_text(text);

    ck_assert_int_eq(m2d_assembly_mobility(r.assembly), 6 - n_rows);
    ck_assert_int_eq(bg_model_n_multipliers(r.compiled), n_rows);
    two_bodies_check(&r);
    ck_assert_double_lt(r.report.constraint_error, 1e-7);
    ck_assert_double_lt(r.report.velocity_error, 1e-6);
    ck_assert_double_lt(r.report.energy_error,
                        1e-7 * (1.0 + fabs(run_last(&r, "energy.supplied"))));
    run_end(&r);
}

START_TEST(joint_obeys_newton_and_does_no_work)
{
    const m2d__joint_type *type = m2d__joint_type_at((size_t) _i);
    if (type->expand != NULL) {
        return; /* it is no set of rows: test_wheel.c */
    }
    char text[TWO_BODIES_ROOM];

    two_bodies(text, type, NULL, "");
    check_run(text, two_bodies_rows(type));
}
END_TEST

START_TEST(drive_does_the_work_it_reports)
{
    const m2d__joint_type *type = m2d__joint_type_at((size_t) _i);
    if (type->expand != NULL) {
        return; /* it is no set of rows: test_wheel.c */
    }
    char text[TWO_BODIES_ROOM];

    for (int k = 0; k < type->n_directions; k++) {
        two_bodies(text, type, type->directions[k].name, "");
        check_run(text, two_bodies_rows(type) + 1);
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
