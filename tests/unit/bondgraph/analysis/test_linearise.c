/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Linearised bond graphs against closed forms, the pencil of the whole system and differences.
 */
#include <config.h>

#include "bondgraph/model/model_priv.h"
#include "lib/linalg/eigen.h"
#include "tests/unit/bondgraph/graph_fixture.h"
#include "tests/util/random.h"

#include <complex.h>
#include <stdio.h>

static bg_linear linear;

static void setup(void)
{
    begin_model();
    linear = (bg_linear){ 0 };
}

static void teardown(void)
{
    bg_linear_clear(&linear);
    end_model();
}

static ha_status linearise(const char *text, const char *input, const char *output)
{
    double *y = NULL;

    HA_TRY(compile(text, input, output, &y));
    bg_operating_point point = { .y = y };
    ha_status status = bg_linearise(ctx, model, &point, &linear);
    free(y);
    return status;
}

/* C (s - A)^-1 B + D of one input and one output, by Gauss' elimination. */
static double complex transfer(double complex s)
{
    int n = linear.n_states;
    double complex m[16][17];

    ck_assert_int_le(n, 16);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            m[i][j] = (i == j ? s : 0.0) - linear.a[i * n + j];
        }
        m[i][n] = linear.b[i * linear.n_inputs];
    }
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = cabs(m[i][k]) > cabs(m[best][k]) ? i : best;
        }
        for (int j = 0; j <= n; j++) {
            double complex swap = m[k][j];
            m[k][j] = m[best][j];
            m[best][j] = swap;
        }
        for (int i = 0; i < n; i++) {
            double complex factor = i == k ? 0.0 : m[i][k] / m[k][k];
            for (int j = k; j <= n; j++) {
                m[i][j] -= factor * m[k][j];
            }
        }
    }
    double complex sum = linear.d[0];
    for (int i = 0; i < n; i++) {
        sum += linear.c[i] * m[i][n] / m[i][i];
    }
    return sum;
}

/* --- closed forms --------------------------------------------------------------------------- */

/* R 50 ohm, L 0.1 H, C 10 uF: p' = -R/L p - q/C + u, q' = p/L; u_C/u = 2 at 1000 rad/s, -90 deg. */
START_TEST(rlc_has_its_matrices_poles_and_gain)
{
    expect_ok(linearise("Se{12}>1a>R{50};1a>I{0.1};1a>C{1e-5}", "Se", "C.e"));
    ck_assert_int_eq(linear.n_states, 2);
    ck_assert_str_eq(linear.states[0], "I.p");
    ck_assert_str_eq(linear.states[1], "C.q");
    const double a[] = { -500.0, -1e5, 10.0, 0.0 };
    for (int i = 0; i < 4; i++) {
        test_near(linear.a[i], a[i], 1e-9);
    }
    test_near(linear.b[0], 1.0, 1e-15);
    test_near(linear.b[1], 0.0, 0.0);
    test_near(linear.eigenvalues[0], -250.0, 1e-10);
    test_near(linear.eigenvalues[1], 968.245836551854, 1e-10);
    double complex gain = transfer(csqrt(-1e6));
    test_near(cabs(gain), 2.0, 1e-12);
    test_near(carg(gain), -acos(0.0), 1e-12);
    ck_assert(!linear.is_equilibrium);
    test_near(linear.acceleration, 12.0, 1e-12);
}
END_TEST

/* A chain of N masses and springs of 1, fixed at one end: 2 sin((2k - 1) pi / (4 N + 2)). */
START_TEST(ten_masses_have_their_frequencies)
{
    char text[4096] = "";
    int at = 0;

    for (int k = 0; k < 10; k++) {
        at += snprintf(text + at, sizeof text - (size_t) at, "1v%d>Im%d;0s%d>Ck%d;0s%d>1v%d;", k, k,
                       k, k, k, k);
        if (k > 0) {
            at += snprintf(text + at, sizeof text - (size_t) at, "1v%d>0s%d;", k - 1, k);
        }
    }
    text[at - 1] = '\0';
    expect_ok(linearise(text, NULL, NULL));
    ck_assert_int_eq(linear.n_states, 20);
    ck_assert(linear.is_equilibrium);
    for (int k = 1; k <= 10; k++) {
        double wanted = 2.0 * sin((2 * k - 1) * acos(-1.0) / 42.0);
        test_near(linear.eigenvalues[4 * (k - 1)], 0.0, 1e-12);
        test_near(linear.eigenvalues[4 * (k - 1) + 1], wanted, 1e-13);
    }
}
END_TEST

/* Two inertias on a gear are one: I1 + n^2 I2. */
START_TEST(a_dependent_inertia_is_no_state)
{
    expect_ok(linearise("Se{1}>1a>I1{2};1a>TF{0.5}>1b>I2{4};1b>R{3}", "Se", "I2.f"));
    ck_assert_int_eq(linear.n_states, 1);
    double inertia = 2.0, load = 4.0, r = 3.0, n = 0.5; /* f1 = n f2 with e1 = e2 / ... */
    double by_first = inertia + load / (n * n), drag = r / (n * n);
    double by_other = inertia + load * n * n, other_drag = r * n * n;
    double pole = linear.eigenvalues[0];
    ck_assert(fabs(pole + drag / by_first) < 1e-12 || fabs(pole + other_drag / by_other) < 1e-12);
}
END_TEST

/* --- second opinions ------------------------------------------------------------------------ */

/* The pencil of the whole system has the eigenvalues of A, and those of the stabilisation. */
static int pencil(double alpha, double beta, double *values)
{
    const ha_dae *dae = bg_model_dae(model);
    const double parameters[BG__PARAMETER_COUNT] = { alpha, beta, 0.0 };
    int n = dae->n, n_finite = 0;
    size_t m = (size_t) n, n_entries = (size_t) dae->column_start[n];
    double *work = calloc(dae->work_size, sizeof *work), *y = calloc(m, sizeof *y);
    double *yp = calloc(m, sizeof *yp), *v0 = calloc(n_entries + 1, sizeof *v0);
    double *v1 = calloc(n_entries + 1, sizeof *v1);
    double *a = calloc(m * m, sizeof *a), *e = calloc(m * m, sizeof *e);

    bg_model_start(model, y);
    expect_ok(ha_dae_start(ctx, dae, parameters, 0.0, y, yp));
    dae->prepare(dae->model, parameters, work);
    dae->jacobian(dae->model, work, 0.0, 0.0, y, yp, v0);
    dae->jacobian(dae->model, work, 0.0, 1.0, y, yp, v1);
    for (int j = 0; j < n; j++) {
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            a[(size_t) dae->row[k] * m + (size_t) j] = -v0[k];
            e[(size_t) dae->row[k] * m + (size_t) j] = v1[k] - v0[k];
        }
    }
    expect_ok(ha__pencil_eigenvalues(ctx, n, a, e, 1e-10, values, &n_finite));
    free(work);
    free(y);
    free(yp);
    free(v0);
    free(v1);
    free(a);
    free(e);
    return n_finite;
}

/* Two masses that an ideal constraint keeps at one speed, on a spring: m x'' = -k x; the flow of
   the sink dies out with -2 alpha. */
START_TEST(the_pencil_has_the_same_eigenvalues_and_the_stabilisation)
{
    double values[64];

    expect_ok(linearise("1a>I1{1};1b>I2{3};1a>C{1};1a>0d;0d>1b;0d>Re", NULL, NULL));
    ck_assert_int_eq(linear.n_states, 2);
    ck_assert_int_eq(pencil(7.0, 9.0, values), 3);
    test_near(values[1], 0.5, 1e-12);
    test_near(values[3], -0.5, 1e-12);
    test_near(values[4], -14.0, 1e-9);
    test_near(linear.eigenvalues[1], 0.5, 1e-12);
    ck_assert_int_eq(linear.rank, 1);
}
END_TEST

/* Random ladders: the transfer function against the descriptor form is that of its pencil; here
   the eigenvalues, without constraints, must be the same. */
START_TEST(random_ladders_agree_with_the_pencil)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        uint64_t state = seed;
        char text[2048];
        double values[128];
        int at = 0, n = 2 + random_below(&state, 6);
        at += snprintf(text, sizeof text, "Se>1n0");
        for (int k = 0; k < n; k++) {
            at += snprintf(text + at, sizeof text - (size_t) at,
                           ";1n%d>I%d{0.%d};1n%d>R%d{%d};1n%d>0m%d;0m%d>C%d{0.%d}", k, k,
                           1 + random_below(&state, 9), k, k, random_below(&state, 5), k, k, k, k,
                           1 + random_below(&state, 9));
            if (k + 1 < n) {
                at += snprintf(text + at, sizeof text - (size_t) at, ";0m%d>1n%d", k, k + 1);
            }
        }
        expect_ok(linearise(text, "Se", "C0.e"));
        ck_assert_int_eq(linear.n_states, 2 * n);
        ck_assert_int_eq(pencil(1.0, 1.0, values), 2 * n);
        for (int k = 0; k < 2 * n; k++) {
            double nearest = INFINITY;
            for (int i = 0; i < 2 * n; i++) {
                nearest = fmin(nearest, hypot(values[2 * i] - linear.eigenvalues[2 * k],
                                              values[2 * i + 1] - linear.eigenvalues[2 * k + 1]));
            }
            ck_assert_double_le(nearest, 1e-8 * (1.0 + fabs(values[2 * n - 1])));
        }
        bg_linear_clear(&linear);
        clear_model();
        graph = bg_graph_new(ctx);
    }
}
END_TEST

/* A nonlinear resistor at its operating point, A and B against central differences of f(x, u). */
START_TEST(derivatives_are_those_of_the_law)
{
    /* x' = u - x^3 / 8 for the momentum p of I = 2: f = p / 2 */
    expect_ok(linearise("Se{1}>1a>I{2, p=3};1a>R{e = f^3}", "Se", "R.e"));
    test_near(linear.a[0], -3.0 * 9.0 / 8.0, 1e-12);
    test_near(linear.b[0], 1.0, 1e-15);
    test_near(linear.c[0], 3.0 * 9.0 / 8.0, 1e-12);
    test_near(linear.d[0], 0.0, 0.0);
}
END_TEST

/* --- refusals ------------------------------------------------------------------------------- */

static void refuse(const char *text, const char *input, ha_status wanted, const char *part)
{
    ha_status status = linearise(text, input, NULL);

    ck_assert_int_eq(status, wanted);
    ck_assert_msg(strstr(ha_ctx_diag(ctx, 0)->text, part) != NULL, "%s", ha_ctx_diag(ctx, 0)->text);
}

START_TEST(an_unknown_input_is_refused_with_the_nearest)
{
    refuse("Se1>1a>R;1a>I", "Se2", HA_ERR_NAME, "did you mean `Se1`");
}
END_TEST

START_TEST(a_resistor_is_no_input)
{
    refuse("Se1>1a>R;1a>I", "R", HA_ERR_NAME, "an input is a source");
}
END_TEST

START_TEST(the_edge_of_a_switch_is_refused)
{
    refuse("Se1>1a>R{e = if(f > 0, f, 2*f)};1a>I", NULL, HA_ERR_VALUE, "on its edge");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("linearise");
    TCase *tcase = tcase_create("graphs");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, rlc_has_its_matrices_poles_and_gain);
    tcase_add_test(tcase, ten_masses_have_their_frequencies);
    tcase_add_test(tcase, a_dependent_inertia_is_no_state);
    tcase_add_test(tcase, the_pencil_has_the_same_eigenvalues_and_the_stabilisation);
    tcase_add_test(tcase, random_ladders_agree_with_the_pencil);
    tcase_add_test(tcase, derivatives_are_those_of_the_law);
    tcase_add_test(tcase, an_unknown_input_is_refused_with_the_nearest);
    tcase_add_test(tcase, a_resistor_is_no_input);
    tcase_add_test(tcase, the_edge_of_a_switch_is_refused);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
