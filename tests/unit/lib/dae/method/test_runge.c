/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explicit Runge-Kutta steps against closed forms: the order of the step, of its error estimate and
 * of what is interpolated, and the eigenvalue that the last stages tell. The coefficients against
 * the conditions of order.
 */
#include <config.h>

#include "lib/dae/method/runge.h"
#include "lib/dae/method/runge_table.h"

#include "tests/util/util.h"

#include <math.h>
#include <string.h>

static ha_ctx *ctx;
static ha__runge *runge;

/* x' = v, v' = -x: x = cos t. */
static ha_status circle(void *user, double t, const double *y, double *f, bool *is_good)
{
    (void) user, (void) t;
    f[0] = y[1];
    f[1] = -y[0];
    *is_good = true;
    return HA_OK;
}

static double slope;

static ha_status decay(void *user, double t, const double *y, double *f, bool *is_good)
{
    (void) user, (void) t;
    f[0] = -slope * y[0];
    *is_good = y[0] > -1.0;
    return HA_OK;
}

static double eigenvalue[2]; /* its real and its imaginary part */

/* y' = lambda y, of a complex y */
static ha_status spiral(void *user, double t, const double *y, double *f, bool *is_good)
{
    (void) user, (void) t;
    f[0] = eigenvalue[0] * y[0] - eigenvalue[1] * y[1];
    f[1] = eigenvalue[0] * y[1] + eigenvalue[1] * y[0];
    *is_good = true;
    return HA_OK;
}

/* y' = y^2 from 1: y = 1 / (1 - t). */
static ha_status square(void *user, double t, const double *y, double *f, bool *is_good)
{
    (void) user, (void) t;
    f[0] = y[0] * y[0];
    f[1] = 0.0;
    *is_good = true;
    return HA_OK;
}

static const ha__runge_table *const tables[] = { &ha__runge_order5, &ha__runge_order8 };

static void make(int order, int n, ha__runge_rates of)
{
    ha__runge_free(runge);
    ck_assert_int_eq(ha__runge_new(ctx, order, n, of, NULL, &runge), HA_OK);
    ck_assert_int_eq(ha__runge_order(runge), order);
}

static void set_up(void)
{
    ctx = ha_ctx_new();
    ck_assert_ptr_nonnull(ctx);
    runge = NULL;
}

static void tear_down(void)
{
    ha__runge_free(runge);
    ha_ctx_free(ctx);
}

/* A step of cos from 0; the error of it, of its middle and of the derivative there, the estimate.
 */
static void turn(double h, double *error, double *middle, double *rate, double *estimate)
{
    const double y0[2] = { 1.0, 0.0 }, f0[2] = { 0.0, -1.0 }, weights[2] = { 1.0, 1.0 };
    double y[2], f[2];
    bool is_good = false;

    ck_assert_int_eq(ha__runge_step(runge, 3.0, h, y0, f0, y, f, &is_good), HA_OK);
    ck_assert(is_good);
    *error = hypot(y[0] - cos(h), y[1] + sin(h));
    ck_assert_double_eq(f[1], -y[0]);
    *estimate = ha__runge_error(runge, weights);
    ck_assert_int_eq(ha__runge_dense(runge, 3.0 + 0.4 * h, y, f), HA_OK);
    *middle = hypot(y[0] - cos(0.4 * h), y[1] + sin(0.4 * h));
    *rate = hypot(f[0] + sin(0.4 * h), f[1] + cos(0.4 * h));
}

/* log2 of what half the step leaves. */
static double order(double whole, double half)
{
    return log2(whole / half);
}

static const struct {
    int order;
    double h; /* neither round-off nor more than the first term of the error */
    double
        orders[4]; /* of the local error, of what is interpolated, its derivative, the estimate */
} methods[] = { { 5, 0.2, { 6.0, 5.0, 4.0, 5.0 } }, { 8, 0.8, { 9.0, 8.0, 7.0, 8.0 } } };

START_TEST(errors_fall_with_their_orders)
{
    double a[4], b[4];

    make(methods[_i].order, 2, circle);
    turn(methods[_i].h, &a[0], &a[1], &a[2], &a[3]);
    turn(methods[_i].h / 2.0, &b[0], &b[1], &b[2], &b[3]);
    for (int k = 0; k < 4; k++) {
        ck_assert_double_ge(order(a[k], b[k]), methods[_i].orders[k] - 0.2);
    }
    ck_assert_double_ge(order(a[3], b[3]), ha__runge_power(runge) - 0.2);
    ck_assert_double_ge(a[3], a[0]); /* it is the error of the lower order */
}
END_TEST

/* The error at t = 0.5 after so many steps. */
static double global_error(int n_steps)
{
    double y[2] = { 1.0, 0.0 }, f[2] = { 1.0, 0.0 }, h = 0.5 / n_steps;
    bool is_good = false;

    for (int k = 0; k < n_steps; k++) {
        ck_assert_int_eq(ha__runge_step(runge, k * h, h, y, f, y, f, &is_good), HA_OK);
        ck_assert(is_good);
    }
    return fabs(y[0] - 2.0);
}

START_TEST(a_nonlinear_equation_converges_with_the_order)
{
    const int n_steps = _i == 0 ? 8 : 3;

    make(methods[_i].order, 2, square);
    ck_assert_double_ge(order(global_error(n_steps), global_error(2 * n_steps)),
                        methods[_i].order - 0.4);
}
END_TEST

/* sum of b_i x_i, b being the row of the last stage */
static double sum_of(const ha__runge_table *t, const double *x)
{
    const int width = t->n_stages + t->n_extra - 1;
    double sum = 0.0;

    for (int i = 0; i < t->n_stages - 1; i++) {
        sum += t->weight[(t->n_stages - 1) * width + i] * x[i];
    }
    return sum;
}

/* y_i = sum of a_ij x_j */
static void apply(const ha__runge_table *t, const double *x, double *y)
{
    const int n = t->n_stages + t->n_extra, width = n - 1;

    for (int i = 0; i < n; i++) {
        y[i] = 0.0;
        for (int j = 0; j < i; j++) {
            y[i] += t->weight[i * width + j] * x[j];
        }
    }
}

/* Butcher's conditions for tall trees A^k c^m, which a slip in any digit breaks. */
START_TEST(coefficients_satisfy_the_conditions_of_order)
{
    const ha__runge_table *t = tables[_i];
    const int n = t->n_stages + t->n_extra;
    double x[20] = { 0.0 }, y[20] = { 0.0 };

    for (int i = 0; i < n; i++) {
        x[i] = 1.0;
    }
    apply(t, x, y);
    for (int i = 0; i < n; i++) {
        ck_assert_double_eq_tol(y[i], t->node[i], 2e-14); /* row sums */
    }
    for (int m = 0; m < t->order; m++) {
        double wanted = 1.0 / (m + 1);
        for (int i = 0; i < n; i++) {
            x[i] = pow(t->node[i], m);
        }
        for (int k = m + 1; k <= t->order; k++) { /* b A^(k-m-1) c^m = m! / k! */
            ck_assert_double_eq_tol(sum_of(t, x), wanted, 2e-14);
            apply(t, x, y);
            memcpy(x, y, sizeof x);
            wanted /= k + 1;
        }
    }
}
END_TEST

/* Error estimates vanish for what both methods integrate exactly. */
START_TEST(error_weights_satisfy_those_of_their_order)
{
    const ha__runge_table *t = tables[_i];
    const double *shares[] = { t->error, t->low_error };
    const int orders[2][2] = { { 4, 0 }, { 5, 3 } };

    for (int k = 0; k < 2 && shares[k] != NULL; k++) {
        for (int m = 0; m <= orders[_i][k]; m++) {
            double sum = 0.0;
            for (int i = 0; i < t->n_stages; i++) {
                sum += shares[k][i] * pow(t->node[i], m);
            }
            if (m < orders[_i][k]) {
                ck_assert_double_eq_tol(sum, 0.0, 2e-14);
            } else {
                ck_assert_double_gt(fabs(sum), 1e-6);
            }
        }
    }
}
END_TEST

START_TEST(the_ends_of_a_step_are_interpolated)
{
    const double y0[2] = { 1.0, 0.0 }, f0[2] = { 0.0, -1.0 };
    double y1[2], f1[2], y[2], f[2];
    bool is_good = false;

    make(methods[_i].order, 2, circle);
    ck_assert_int_eq(ha__runge_step(runge, 1.0, 0.7, y0, f0, y1, f1, &is_good), HA_OK);
    ck_assert_int_eq(ha__runge_dense(runge, 1.0, y, f), HA_OK);
    for (int i = 0; i < 2; i++) {
        ck_assert_double_eq_tol(y[i], y0[i], 1e-15);
        ck_assert_double_eq_tol(f[i], f0[i], 1e-14);
    }
    ck_assert_int_eq(ha__runge_dense(runge, 1.7, y, f), HA_OK);
    for (int i = 0; i < 2; i++) {
        ck_assert_double_eq_tol(y[i], y1[i], 1e-14);
        ck_assert_double_eq_tol(f[i], f1[i], 1e-13);
    }
}
END_TEST

START_TEST(the_last_stages_tell_the_eigenvalue)
{
    const double y0[1] = { 1.0 }, weights[1] = { 1.0 };
    double y[1], f[1];
    bool is_good = false;

    make(methods[_i].order, 1, decay);
    /* with order 8 the last stages of short steps differ by round-off */
    for (slope = _i == 0 ? 1.0 : 25.0; slope < 200.0; slope *= 5.0) {
        const double f0[1] = { -slope };
        ck_assert_int_eq(ha__runge_step(runge, 0.0, 0.01, y0, f0, y, f, &is_good), HA_OK);
        ck_assert_double_eq_tol(ha__runge_stiffness(runge, weights), 0.01 * slope, 1e-9 * slope);
    }
}
END_TEST

START_TEST(a_stage_without_a_value_is_told)
{
    const double y0[1] = { 1.0 }, f0[1] = { -1e3 };
    double y[1] = { 7.0 }, f[1] = { 8.0 };
    bool is_good = true;

    slope = 1e3;
    make(methods[_i].order, 1, decay);
    ck_assert_int_eq(ha__runge_step(runge, 0.0, 1.0, y0, f0, y, f, &is_good), HA_OK);
    ck_assert(!is_good);
    ck_assert_double_eq(y[0], 7.0);
    ck_assert_double_eq(f[0], 8.0);
}
END_TEST

/* The end of a decay that is next to rest stays there, far beyond the bound of stability, too; the
   interpolant of order 8, which is of a higher degree, does not. */
START_TEST(what_goes_off_inside_a_step_is_told)
{
    const double y0[1] = { 1e-18 }, weights[1] = { 1e7 };
    double y[1], f[1], bulge = -1.0;
    bool is_good = false;

    slope = 45.0;
    make(8, 1, decay);
    const double f0[1] = { -slope * y0[0] };
    ck_assert_int_eq(ha__runge_step(runge, 0.0, 1.0, y0, f0, y, f, &is_good), HA_OK);
    ck_assert_double_lt(ha__runge_error(runge, weights), 1.0);
    ck_assert_int_eq(ha__runge_bulge(runge, weights, &bulge), HA_OK);
    ck_assert_double_gt(bulge, 10.0);
    ck_assert_int_eq(ha__runge_dense(runge, 0.3, y, NULL), HA_OK);
    ck_assert_double_gt(fabs(y[0]) * weights[0], 10.0); /* and it is there */
}
END_TEST

/* The error of the interpolant that the defect tells is there, and where it tells none there is
   none either: a turn in steps of several sizes. */
START_TEST(the_defect_tells_how_far_the_interpolant_is_off)
{
    const double y0[2] = { 1.0, 0.0 }, f0[2] = { 0.0, -1.0 }, weights[2] = { 1.0, 1.0 };
    const double sizes[] = { 0.25, 0.5, 1.0, 2.0 };
    double y[2], f[2];
    bool is_good = false;

    make(methods[_i].order, 2, circle);
    for (size_t i = 0; i < HA_COUNT(sizes); i++) {
        double told = -1.0, worst = 0.0;
        ck_assert_int_eq(ha__runge_step(runge, 0.0, sizes[i], y0, f0, y, f, &is_good), HA_OK);
        ck_assert_int_eq(ha__runge_defect(runge, weights, &told), HA_OK);
        for (int k = 1; k < 20; k++) {
            double t = sizes[i] * k / 20.0;
            ck_assert_int_eq(ha__runge_dense(runge, t, y, NULL), HA_OK);
            worst = fmax(worst, fmax(fabs(y[0] - cos(t)), fabs(y[1] + sin(t))));
        }
        ck_assert_msg(told > 0.1 * worst && told < 100.0 * worst + 1e-13, "h %g: %g told, %g",
                      sizes[i], told, worst);
    }
}
END_TEST

/* By how much a step of size 1 is off inside, in estimates of the error at its end. */
static double estimates_off_inside(void)
{
    const double y0[2] = { 1.0, 0.0 }, weights[2] = { 1.0, 1.0 };
    double y[2], f[2], worst = 0.0;
    bool is_good = false;

    ck_assert_int_eq(ha__runge_step(runge, 0.0, 1.0, y0, eigenvalue /* y0 is 1 */, y, f, &is_good),
                     HA_OK);
    for (int k = 1; k < 50; k++) {
        double t = k / 50.0, size = exp(eigenvalue[0] * t), angle = eigenvalue[1] * t;
        ck_assert_int_eq(ha__runge_dense(runge, t, y, NULL), HA_OK);
        ck_assert(isfinite(y[0]) && isfinite(y[1])); /* or fmax() would pass them over */
        worst = fmax(worst, hypot(y[0] - size * cos(angle), y[1] - size * sin(angle)));
    }
    return worst / (sqrt(2.0) * ha__runge_error(runge, weights)); /* which is a mean of two */
}

/* What turns, decays or does both with one h |lambda| <= 4.25; by order 8 not what is faster. */
START_TEST(the_inside_of_a_step_is_about_as_exact_as_its_end)
{
    const double degree = acos(-1.0) / 180.0;

    make(methods[_i].order, 2, spiral);
    for (double z = 0.5; z < 6.0; z += 0.25) {
        double most = 0.0;
        for (double angle = 90.0; angle < 181.0; angle += 5.0) {
            eigenvalue[0] = z * cos(angle * degree);
            eigenvalue[1] = z * sin(angle * degree);
            most = fmax(most, estimates_off_inside());
        }
        if (z <= 4.25) {
            ck_assert_double_lt(most, 3.4);
        } else if (z >= 5.0 && methods[_i].order == 8) {
            ck_assert_double_gt(most, 10.0);
        }
    }
}
END_TEST

/* What moves, is not: neither a turn nor a decay that the error test lets pass, nor rest. */
START_TEST(nothing_goes_off_inside_a_step_that_follows_the_motion)
{
    const double weights[2] = { 1e12, 1e12 }, sizes[] = { 0.01, 0.3, 1.5, 2.5 };
    double y[2], f[2], bulge = -1.0;
    bool is_good = false;

    make(methods[_i].order, 2, circle);
    for (size_t i = 0; i < HA_COUNT(sizes); i++) {
        for (double at = 0.0; at < 6.3; at += 0.1) {
            const double y0[2] = { cos(at), -sin(at) }, f0[2] = { -sin(at), -cos(at) };
            ck_assert_int_eq(ha__runge_step(runge, 0.0, sizes[i], y0, f0, y, f, &is_good), HA_OK);
            ck_assert_int_eq(ha__runge_bulge(runge, weights, &bulge), HA_OK);
            ck_assert_double_eq(bulge, 0.0);
        }
    }
    const double rest[2] = { 0.0, 0.0 };
    ck_assert_int_eq(ha__runge_step(runge, 0.0, 1.0, rest, rest, y, f, &is_good), HA_OK);
    ck_assert_int_eq(ha__runge_bulge(runge, weights, &bulge), HA_OK);
    ck_assert_double_eq(bulge, 0.0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("runge");
    TCase *tests = tcase_create("runge");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, errors_fall_with_their_orders, 0, 2);
    tcase_add_loop_test(tests, a_nonlinear_equation_converges_with_the_order, 0, 2);
    tcase_add_loop_test(tests, coefficients_satisfy_the_conditions_of_order, 0, 2);
    tcase_add_loop_test(tests, error_weights_satisfy_those_of_their_order, 0, 2);
    tcase_add_loop_test(tests, the_ends_of_a_step_are_interpolated, 0, 2);
    tcase_add_loop_test(tests, the_last_stages_tell_the_eigenvalue, 0, 2);
    tcase_add_loop_test(tests, a_stage_without_a_value_is_told, 0, 2);
    tcase_add_test(tests, what_goes_off_inside_a_step_is_told);
    tcase_add_loop_test(tests, nothing_goes_off_inside_a_step_that_follows_the_motion, 0, 2);
    tcase_add_loop_test(tests, the_defect_tells_how_far_the_interpolant_is_off, 0, 2);
    tcase_add_loop_test(tests, the_inside_of_a_step_is_about_as_exact_as_its_end, 0, 2);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
