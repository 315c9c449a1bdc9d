/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Newton's method on equations whose iterations are known in closed form. */
#include <config.h>

#include "lib/dae/method/newton.h"

#include "tests/util/util.h"

#include <math.h>

/* An equation in one unknown. */
typedef struct {
    double (*f)(double x, double *slope);
    double x, step, enough, bound;
    ha__newton_changes changes;
    int n_solved, n_moved;
    double least_share;
} problem;

static ha__newton_state solve(void *user, int k)
{
    problem *p = user;
    double slope = 0.0, f = p->f(p->x, &slope);

    ck_assert_int_eq(k, p->n_solved);
    p->n_solved++;
    if (slope == 0.0) {
        return HA__NEWTON_STOPPED;
    }
    p->step = -f / slope;
    return fabs(f) <= p->enough ? HA__NEWTON_DONE : HA__NEWTON_GOES_ON;
}

static bool move(void *user, double share)
{
    problem *p = user;
    double slope, before = fabs(p->f(p->x, &slope));
    double after = fabs(p->f(p->x + share * p->step, &slope));

    p->n_moved++;
    p->least_share = fmin(p->least_share, share);
    if (!(after < before)) {
        return false;
    }
    p->x += share * p->step;
    return true;
}

static ha__newton_state judge(void *user, int k)
{
    problem *p = user;

    return ha__newton_judge(&p->changes, k, fabs(p->step), p->bound);
}

static double root_of_two(double x, double *slope)
{
    *slope = 2.0 * x;
    return x * x - 2.0;
}

static double no_root(double x, double *slope)
{
    *slope = 2.0 * x;
    return x * x + 1.0;
}

/* Newton's whole steps diverge from any start beyond 1.4. */
static double arc(double x, double *slope)
{
    *slope = 1.0 / (1.0 + x * x);
    return atan(x);
}

START_TEST(a_root_is_found_quadratically)
{
    static const ha__newton method = { 10, 0, solve, move, NULL };
    problem p = { .f = root_of_two, .x = 1.0, .enough = 1e-15 };

    ck_assert_int_eq(ha__newton_iterate(&method, &p), HA__NEWTON_DONE);
    ck_assert_double_eq_tol(p.x, sqrt(2.0), 1e-15);
    ck_assert_int_le(p.n_solved, 6); /* 1.5, 1.4167, 1.414216, ... */
}
END_TEST

START_TEST(steps_are_halved_where_whole_ones_lead_away)
{
    static const ha__newton halved = { 30, 20, solve, move, NULL },
                            whole = { 30, 0, solve, move, 0 };
    problem p = { .f = arc, .x = 20.0, .enough = 1e-12, .least_share = 1.0 }, q = p;

    ck_assert_int_eq(ha__newton_iterate(&halved, &p), HA__NEWTON_DONE);
    ck_assert_double_eq_tol(p.x, 0.0, 1e-12);
    ck_assert_double_le(p.least_share, 0.125);
    ck_assert_int_eq(ha__newton_iterate(&whole, &q), HA__NEWTON_STUCK);
    ck_assert_double_eq(q.x, 20.0);
    ck_assert_int_eq(q.n_moved, 1);
}
END_TEST

START_TEST(an_iteration_ends_without_a_root)
{
    static const ha__newton method = { 50, 4, solve, move, NULL },
                            few = { 2, 0, solve, move, NULL };
    problem p = { .f = no_root, .x = 0.5 }, q = { .f = root_of_two, .x = 100.0 };
    problem flat = { .f = no_root, .x = 0.0 };

    ck_assert_int_eq(ha__newton_iterate(&method, &p), HA__NEWTON_STUCK);
    ck_assert_int_eq(ha__newton_iterate(&few, &q), HA__NEWTON_STUCK);
    ck_assert_int_eq(q.n_solved, 2);
    ck_assert_int_eq(ha__newton_iterate(&method, &flat), HA__NEWTON_STOPPED);
}
END_TEST

/* The changes of x^2 = a from 1 + e are about e and e^2 / 2: c is 1/2. Once it is known one change
   is enough as long as 100 c d^2 is below the bound, for eight systems; then it is measured
   anew. */
START_TEST(what_was_measured_is_believed_for_some_time)
{
    static const ha__newton method = { 6, 0, solve, move, judge };
    ha__newton_changes changes = { 0 };
    int n_once = 0;

    for (int i = 0; i < 20; i++) {
        problem p = { .f = root_of_two, .x = sqrt(2.0) + 1e-5, .bound = 1e-8, .changes = changes };
        ck_assert_int_eq(ha__newton_iterate(&method, &p), HA__NEWTON_DONE);
        ck_assert_double_eq_tol(p.x, sqrt(2.0), 1e-8);
        ck_assert_int_eq(p.n_solved, i % 9 == 0 ? 2 : 1);
        n_once += p.n_solved == 1;
        changes = p.changes;
        ck_assert_double_eq_tol(changes.c, 0.5 / sqrt(2.0), 1e-3);
    }
    ck_assert_int_eq(n_once, 17);
    problem far = { .f = root_of_two, .x = 1.5, .bound = 1e-8, .changes = changes };
    ck_assert_int_eq(ha__newton_iterate(&method, &far), HA__NEWTON_DONE);
    ck_assert_int_gt(far.n_solved, 1); /* too far away to be believed */
}
END_TEST

START_TEST(changes_are_judged_by_their_rate)
{
    ha__newton_changes none = { 0 }, slow = { 0 }, steady = { 0 };

    ck_assert_int_eq(ha__newton_judge(&none, 0, 0.0, 1.0), HA__NEWTON_DONE); /* no change at all */
    ck_assert_int_eq(ha__newton_judge(&slow, 0, 1.0, 1e-3), HA__NEWTON_GOES_ON);
    ck_assert_int_eq(ha__newton_judge(&slow, 1, 0.95, 1e-3), HA__NEWTON_STUCK);
    /* a rate of 1/2 leaves as much as the last change */
    double size = 1.0;
    ha__newton_state state = HA__NEWTON_GOES_ON;
    int k = 0;
    for (; state == HA__NEWTON_GOES_ON; k++, size *= 0.5) {
        state = ha__newton_judge(&steady, k, size, 0.126);
    }
    ck_assert_int_eq(state, HA__NEWTON_DONE);
    ck_assert_int_eq(k, 4); /* 1, 0.5, 0.25, 0.125 */
    ha__newton_changes wild = { 0 };
    ck_assert_int_eq(ha__newton_judge(&wild, 0, 1.0, 1e-3), HA__NEWTON_GOES_ON);
    ck_assert_int_eq(ha__newton_judge(&wild, 1, (double) NAN, 1e-3), HA__NEWTON_STUCK);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("newton");
    TCase *tests = tcase_create("newton");

    tcase_add_test(tests, a_root_is_found_quadratically);
    tcase_add_test(tests, steps_are_halved_where_whole_ones_lead_away);
    tcase_add_test(tests, an_iteration_ends_without_a_root);
    tcase_add_test(tests, what_was_measured_is_believed_for_some_time);
    tcase_add_test(tests, changes_are_judged_by_their_rate);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
