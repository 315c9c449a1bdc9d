/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Models given other values without compiling again: what they compute is what a model computes
 * that is read with these values, of every example and for values of every kind.
 */
#include <config.h>

#include "mech2d/prepared.h"
#include "tests/util/memory.h"
#include "tests/util/util.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 8 };

/* Values that vary in a model, and whether they can without compiling again. */
typedef struct {
    const char *path;
    double t_end;
    bool is_quick;
    const char *variant;
    m2d_variable variables[MOST + 1]; /* until one without path */
} job;

#define V(NAME, VALUE)                                                                             \
    {                                                                                              \
        .path = (NAME), .value = (VALUE)                                                           \
    }

static const job jobs[] = {
    { "examples/andrews.yaml",
      2e-3,
      true,
      NULL,
      { V("parameters.mom", 0.033), V("bodies.K1.mass", 0.04) } },
    { "examples/andrews.yaml",
      2e-3,
      true,
      NULL,
      { V("forces.spring.stiffness", 4530.0), V("forces.spring.free_length", 0.078) } },
    { "examples/motor_four_bar.yaml",
      0.1,
      true,
      NULL,
      { V("parameters.a", 0.1), V("parameters.b", 0.35), V("parameters.c", 0.25),
        V("parameters.d", 0.4), V("bodies.crank.mass", 0.5), V("bodies.crank.start.omega", 2.0),
        V("bondgraph.elements.V.value", 24.0), V("forces.bearing.damping", 0.2) } },
    { "examples/slider_crank_driven.yaml",
      0.01,
      true,
      NULL,
      { V("parameters.r", 0.05), V("parameters.speed", 150.0), V("parameters.start", 1.0),
        V("bodies.rod.points.A.0", -0.05) } },
    { "examples/double_pendulum.yaml",
      0.5,
      true,
      NULL,
      { V("bodies.upper.start.angle", -1.0), V("bodies.lower.mass", 1.0) } },
    { "examples/bouncing_mass.yaml", 0.5, true, NULL, { V("bodies.ball.mass", 1.0) } },
    { "examples/clearance_slider_crank.yaml",
      5e-4,
      true,
      NULL,
      { V("bodies.slider.mass", 0.14), V("bodies.rod.mass", 0.21) } },
    { "examples/andrews.yaml",
      1e-4,
      true,
      "compliant",
      { V("bodies.K1.mass", 0.04), V("bodies.K2.inertia", 4.4e-6) } },
    { "examples/rlc.bgl", 2e-3, true, NULL, { V("R", 50.0), V("C", 1e-5) } },
    { "examples/motor.bgl", 2e-3, true, NULL, { V("parameters.n", 0.05), V("I_load", 0.01) } },
    { "examples/pendulum.yaml",
      0.5,
      true,
      NULL,
      { V("bodies.rod.mass", 1.0), V("bodies.rod.points.O.0", -0.5) } },
    { "examples/planetary_gear.yaml", 0.05, false, NULL, { V("bodies.sun.inertia", 1e-3) } },
    { "examples/pendulum.yaml", 0.5, false, NULL, { V("simulate.rtol", 1e-9) } },
};

static ha_ctx *ctx;

static void setup(void)
{
    ctx = ha_ctx_new();
}

static void teardown(void)
{
    ha_ctx_free(ctx);
}

static void check_status(ha_status status)
{
    ck_assert_msg(status == HA_OK, "%s: %s", ha_status_name(status),
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, ha_ctx_n_diags(ctx) - 1)->text : "");
}

static int count(const job *j)
{
    int n = 0;

    while (j->variables[n].path != NULL) {
        n++;
    }
    return n;
}

/* The rows of a run. */
static ha_result *run_with(m2d_prepared *p, double t_end, double rtol)
{
    ha_result *result = ha_result_new(ctx);
    check_status(m2d_prepared_update(p));
    bg_run_options options = *m2d_prepared_options(p);
    bg_run_report report;

    options.solver.t_end = t_end;
    options.solver.rtol = rtol > 0.0 ? rtol : options.solver.rtol;
    check_status(m2d_prepared_run(p, &options, result, &report));
    return result;
}

static ha_result *run(m2d_prepared *p, double t_end)
{
    return run_with(p, t_end, 1e-10);
}

/* Bit by bit, with the tolerances of the file. */
static void compare_bytes(const char *what, m2d_prepared *one, m2d_prepared *other, double t_end)
{
    ha_result *a = run_with(one, t_end, 0.0), *b = run_with(other, t_end, 0.0);

    ck_assert_uint_eq(ha_result_n_rows(a), ha_result_n_rows(b));
    for (size_t c = 0; c < ha_result_n_columns(a); c++) {
        for (size_t r = 0; r < ha_result_n_rows(a); r++) {
            double x = ha_result_value(a, r, c), y = ha_result_value(b, r, c);
            ck_assert_msg(memcmp(&x, &y, sizeof x) == 0,
                          "%s, %s, row %zu: %.17g with other values, %.17g anew", what,
                          ha_result_name(a, c), r, x, y);
        }
    }
    ha_result_free(a);
    ha_result_free(b);
}

static void compare(const char *what, const ha_result *a, const ha_result *b)
{
    size_t rows = ha_result_n_rows(a);

    ck_assert_uint_eq(ha_result_n_columns(a), ha_result_n_columns(b));
    ck_assert_uint_eq(rows, ha_result_n_rows(b));
    for (size_t c = 0; c < ha_result_n_columns(a); c++) {
        double largest = 1e-3;
        for (size_t r = 0; r < rows; r++) {
            largest = fmax(largest, fabs(ha_result_value(b, r, c)));
        }
        double x = ha_result_value(a, rows - 1, c), y = ha_result_value(b, rows - 1, c);
        bool is_error = strcmp(ha_result_name(a, c), "energy.error") == 0;
        ck_assert_msg(is_error || fabs(x - y) <= 1e-6 * largest,
                      "%s, %s: %.12g with other values, %.12g anew", what, ha_result_name(a, c), x,
                      y);
    }
}

START_TEST(other_values_are_as_if_read_anew)
{
    const job *j = &jobs[_i];
    const int n = count(j);
    m2d_source source = { .path = test_source(j->path), .variant = j->variant };
    m2d_variable other[MOST];
    m2d_prepared *p = NULL, *anew = NULL;

    check_status(m2d_prepare(ctx, &source, j->variables, n, &p));
    ck_assert_msg(m2d_prepared_is_quick(p) == j->is_quick, "%s: quick is %d", j->path,
                  m2d_prepared_is_quick(p));
    for (int i = 0; i < n; i++) {
        other[i] = j->variables[i];
        other[i].value *= 1.0 + 0.07 * cos(2.0 * i);
        m2d_prepared_set(p, i, other[i].value);
    }
    check_status(m2d_prepare(ctx, &source, other, n, &anew));
    ha_result *a = run(p, j->t_end), *b = run(anew, j->t_end);
    compare(j->path, a, b);
    ck_assert_int_eq(m2d_prepared_n_compiled(p), j->is_quick ? 0 : 2);
    compare_bytes(j->path, p, anew, j->t_end);
    ha_result_free(a);
    ha_result_free(b);
    m2d_prepared_free(anew);
    m2d_prepared_free(p);
}
END_TEST

static void set_values(m2d_prepared *p, const job *j, double by)
{
    for (int i = 0; i < count(j); i++) {
        m2d_prepared_set(p, i, j->variables[i].value * (1.0 + by * sin(1.0 + i)));
    }
    check_status(m2d_prepared_update(p));
}

/* Runs of a study are the same bytes in any order. */
START_TEST(a_start_does_not_depend_on_the_values_before)
{
    static const double shares[] = { 0.0, 0.03, -0.05, 0.01 };
    const job *j = &jobs[_i];
    m2d_source source = { .path = test_source(j->path), .variant = j->variant };
    m2d_prepared *p = NULL;

    check_status(m2d_prepare(ctx, &source, j->variables, count(j), &p));
    for (size_t i = 0; i < HA_COUNT(shares); i++) {
        m2d_prepared *anew = NULL;
        set_values(p, j, shares[i]);
        check_status(m2d_prepared_copy(ctx, p, &anew));
        set_values(anew, j, shares[i]);
        const size_t n = (size_t) bg_model_n_unknowns(m2d_prepared_model(p));
        ck_assert_msg(memcmp(m2d_prepared_start(p), m2d_prepared_start(anew), n * sizeof(double)) ==
                          0,
                      "%s: start %zu", j->path, i);
        m2d_prepared_free(anew);
    }
    m2d_prepared_free(p);
}
END_TEST

/* Where one value is another alone, what assembly does not read leaves its result, which must be
   that of a model all of whose values became others and then these. */
START_TEST(a_start_does_not_depend_on_which_value_changed_last)
{
    const job *j = &jobs[_i];
    m2d_source source = { .path = test_source(j->path), .variant = j->variant };
    m2d_prepared *p = NULL;

    check_status(m2d_prepare(ctx, &source, j->variables, count(j), &p));
    for (int i = 0; i < count(j); i++) {
        m2d_prepared *anew = NULL;
        m2d_prepared_set(p, i, j->variables[i].value * 1.02);
        check_status(m2d_prepared_update(p));
        check_status(m2d_prepared_copy(ctx, p, &anew));
        set_values(anew, j, 0.04);
        for (int k = 0; k < count(j); k++) {
            m2d_prepared_set(anew, k, m2d_prepared_value(p, k));
        }
        check_status(m2d_prepared_update(anew));
        const size_t n = (size_t) bg_model_n_unknowns(m2d_prepared_model(p));
        ck_assert_msg(memcmp(m2d_prepared_start(p), m2d_prepared_start(anew), n * sizeof(double)) ==
                          0,
                      "%s: start after %s", j->path, j->variables[i].path);
        m2d_prepared_free(anew);
    }
    m2d_prepared_free(p);
}
END_TEST

/* What assembly has to say is said of each set of values, of those that it does not read too. */
START_TEST(what_assembly_says_is_said_again)
{
    static const char text[] =
        "halfarrow: 1\n"
        "ground: {points: {O: {at: [0, 0], axis: 90 deg}}}\n"
        "bodies: {b: {mass: 1, inertia: 1, points: {P: [0, 0]}, start: {angle: 0 deg}}}\n"
        "joints: {S: {type: translational, between: [ground.O, b.P]}}\n"
        "forces: {push: {type: force, on: b.P, value: [3, 0]}}\n"
        "simulate: {t_end: 1}\n";
    const m2d_variable push = V("forces.push.value.0", 3.0);
    m2d_source source = { .path = "slider.yaml", .text = text };
    m2d_prepared *p = NULL;

    check_status(m2d_prepare(ctx, &source, &push, 1, &p));
    ck_assert(m2d_prepared_is_quick(p));
    for (int i = 0; i < 3; i++) {
        ha_ctx_clear(ctx);
        m2d_prepared_set(p, 0, 4.0 + i);
        check_status(m2d_prepared_update(p));
        ck_assert_msg(ha_ctx_n_diags(ctx) == 1, "update %d says nothing", i);
    }
    m2d_prepared_free(p);
}
END_TEST

/* A length round 0 is right whatever its sign, and one of 0 is compiled. */
START_TEST(values_of_another_sign_are_taken)
{
    const m2d_variable at = V("bodies.rod.points.O.1", 0.1);
    static const double values[] = { -0.2, 0.1, -1e-3, 0.0, 1e-4 };
    m2d_source source = { .path = test_source("examples/pendulum.yaml") };
    m2d_prepared *p = NULL;

    check_status(m2d_prepare(ctx, &source, &at, 1, &p));
    ck_assert(m2d_prepared_is_quick(p) && m2d_prepared_is_signed(p, 0));
    for (size_t i = 0; i < HA_COUNT(values); i++) {
        m2d_variable other = at;
        m2d_prepared *anew = NULL;
        other.value = values[i];
        m2d_prepared_set(p, 0, values[i]);
        check_status(m2d_prepare(ctx, &source, &other, 1, &anew));
        ha_result *a = run(p, 0.5), *b = run(anew, 0.5);
        compare("a pin beside the rod", a, b);
        ck_assert_int_eq(m2d_prepared_n_compiled(p), i < 3 ? 0 : 1);
        ha_result_free(a);
        ha_result_free(b);
        m2d_prepared_free(anew);
    }
    m2d_prepared_free(p);
}
END_TEST

START_TEST(a_mass_of_zero_is_compiled_for_itself)
{
    const m2d_variable mass = V("I_rotor", 2e-5);
    m2d_source source = { .path = test_source("examples/motor.bgl") };
    m2d_prepared *p = NULL, *anew = NULL;
    m2d_variable none = mass;

    none.value = 0.0;
    check_status(m2d_prepare(ctx, &source, &mass, 1, &p));
    check_status(m2d_prepare(ctx, &source, &none, 1, &anew));
    m2d_prepared_set(p, 0, 0.0);
    ha_result *a = run(p, 0.01), *b = run(anew, 0.01);
    compare("without rotor", a, b);
    ck_assert_int_eq(m2d_prepared_n_compiled(p), 1);
    ha_result_free(a);
    ha_result_free(b);
    m2d_prepared_free(anew);
    m2d_prepared_free(p);
}
END_TEST

START_TEST(values_that_cannot_be_are_refused_and_leave_the_model_whole)
{
    const m2d_variable crank = V("parameters.a", 0.1);
    m2d_source source = { .path = test_source("examples/motor_four_bar.yaml") };
    const double bad[] = { 0.9, -0.1, (double) NAN, (double) INFINITY };
    m2d_prepared *p = NULL;

    check_status(m2d_prepare(ctx, &source, &crank, 1, &p));
    ha_result *before = run(p, 0.05);
    for (size_t i = 0; i < HA_COUNT(bad); i++) {
        m2d_prepared_set(p, 0, bad[i]);
        ha_status status = m2d_prepared_update(p);
        ck_assert_msg(i == 1 || (status != HA_OK && ha_ctx_n_errors(ctx) > 0), "a = %g is taken",
                      bad[i]);
        ha_ctx_clear(ctx);
    }
    m2d_prepared_set(p, 0, 0.1);
    ha_result *after = run(p, 0.05);
    for (size_t c = 0; c < ha_result_n_columns(before); c++) {
        size_t last = ha_result_n_rows(before) - 1;
        double x = ha_result_value(before, last, c), y = ha_result_value(after, last, c);
        ck_assert_msg(memcmp(&x, &y, sizeof x) == 0, "%s changed from %.17g to %.17g",
                      ha_result_name(before, c), x, y);
    }
    ha_result_free(before);
    ha_result_free(after);
    m2d_prepared_free(p);
}
END_TEST

/* What a thread does: runs with values of its own. */
typedef struct {
    const m2d_prepared *model;
    int number;
    double end[4];
    ha_status status;
} worker;

static void *work(void *user)
{
    worker *w = user;
    ha_ctx *own = ha_ctx_new();
    m2d_prepared *p = NULL;

    w->status = m2d_prepared_copy(own, w->model, &p);
    for (int i = 0; i < 4 && w->status == HA_OK; i++) {
        ha_result *result = ha_result_new(own);
        bg_run_options options = *m2d_prepared_options(p);
        bg_run_report report;
        options.solver.t_end = 0.02;
        m2d_prepared_set(p, 0, 0.1 + 1e-3 * (w->number + i));
        w->status = m2d_prepared_run(p, &options, result, &report);
        w->end[i] = ha_result_value(result, ha_result_n_rows(result) - 1, 1);
        ha_result_free(result);
    }
    m2d_prepared_free(p);
    ha_ctx_free(own);
    return NULL;
}

START_TEST(threads_run_copies_of_one_model)
{
    const m2d_variable crank = V("parameters.a", 0.1);
    const char *const outputs[] = { "crank.angle" };
    m2d_source source = { .path = test_source("examples/motor_four_bar.yaml"),
                          .outputs = outputs,
                          .n_outputs = 1 };
    m2d_prepared *p = NULL;
    worker workers[4] = { { 0 } };
    pthread_t threads[4];

    check_status(m2d_prepare(ctx, &source, &crank, 1, &p));
    for (int i = 0; i < 4; i++) {
        workers[i] = (worker){ .model = p, .number = i };
        ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        ck_assert_int_eq(workers[i].status, HA_OK);
    }
    for (int i = 1; i < 4; i++) { /* thread i run k has the values of thread i - 1 run k + 1 */
        for (int k = 0; k < 3; k++) {
            ck_assert(workers[i].end[k] == workers[i - 1].end[k + 1]);
        }
        ck_assert(workers[i].end[3] != workers[i - 1].end[3]);
    }
    m2d_prepared_free(p);
}
END_TEST

static ha_status attempt(void *user)
{
    const m2d_variable crank = V("parameters.a", 0.1);
    m2d_source source = { .path = test_source("examples/four_bar.yaml") };
    m2d_prepared *p = NULL;
    (void) user;

    HA_TRY(m2d_prepare(ctx, &source, &crank, 1, &p));
    m2d_prepared_set(p, 0, 0.101);
    ha_status status = m2d_prepared_update(p);
    m2d_prepared_free(p);
    return status;
}

START_TEST(lack_of_memory_is_survived)
{
    memory_survives(ctx, 30, attempt, NULL);
}
END_TEST

START_TEST(nonsense_is_refused)
{
    m2d_source source = { .path = test_source("examples/four_bar.yaml") }, none = { 0 };
    const m2d_variable unknown = V("parameters.aa", 1.0), misspelt = V("bodies.crank.mas", 1.0);
    m2d_prepared *p = NULL;

    ck_assert_int_eq(m2d_prepare(ctx, NULL, NULL, 0, &p), HA_ERR_ARGUMENT);
    ck_assert_int_eq(m2d_prepare(ctx, &none, NULL, 0, &p), HA_ERR_ARGUMENT);
    ck_assert_int_eq(m2d_prepare(ctx, &source, &unknown, 1, &p), HA_ERR_NAME);
    ck_assert_int_eq(m2d_prepare(ctx, &source, &misspelt, 1, &p), HA_ERR_NAME);
    m2d_prepared_free(NULL);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_assembly_says_is_said_again,
        values_of_another_sign_are_taken,
        a_mass_of_zero_is_compiled_for_itself,
        values_that_cannot_be_are_refused_and_leave_the_model_whole,
        threads_run_copies_of_one_model,
        lack_of_memory_is_survived,
        nonsense_is_refused,
    };
    Suite *suite = suite_create("prepared");
    TCase *tcase = tcase_create("prepared");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, other_values_are_as_if_read_anew, 0, (int) HA_COUNT(jobs));
    tcase_add_loop_test(tcase, a_start_does_not_depend_on_the_values_before, 0,
                        (int) HA_COUNT(jobs));
    tcase_add_loop_test(tcase, a_start_does_not_depend_on_which_value_changed_last, 0,
                        (int) HA_COUNT(jobs));
    for (size_t i = 0; i < HA_COUNT(tests); i++) {
        tcase_add_test(tcase, tests[i]);
    }
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
