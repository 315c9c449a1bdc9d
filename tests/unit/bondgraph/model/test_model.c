/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compiled models against closed forms, textbook equations and differences.
 */
#include <config.h>

#include "bondgraph/compact.h"
#include "bondgraph/equations/equations_priv.h"
#include "bondgraph/model.h"
#include "bondgraph/model/model_priv.h"
#include "tests/util/random.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ha_ctx *ctx;
static bg_graph *graph;
static bg_causality *causality;
static bg_equations *equations;
static bg_model *model;
static ha_result *result;
static long driver; /* of the runs */

static void setup(void)
{
    ctx = ha_ctx_new();
    graph = bg_graph_new(ctx);
    result = ha_result_new(ctx);
    driver = HA_DRIVER_AUTO;
}

static void teardown(void)
{
    ha_result_free(result);
    bg_model_free(model);
    model = NULL;
    bg_equations_free(equations);
    equations = NULL;
    bg_causality_free(causality);
    causality = NULL;
    bg_graph_free(graph);
    ha_ctx_free(ctx);
}

static void derive(const char *text)
{
    ck_assert_int_eq(bg_compact_read(graph, text, strlen(text), HA_NOWHERE), HA_OK);
    ck_assert_int_eq(bg_graph_add_element_outputs(graph), HA_OK);
    ck_assert_int_eq(bg_causality_assign(graph, &causality), HA_OK);
    ck_assert_int_eq(bg_equations_derive(causality, &equations), HA_OK);
}

static void compile(const char *text)
{
    derive(text);
    ck_assert_int_eq(bg_model_compile(equations, NULL, 0, &model), HA_OK);
}

static bg_run_report run(double t_end, double rtol, double atol)
{
    bg_run_options options = bg_run_options_default();
    bg_run_report report;

    options.solver.driver = driver;
    options.solver.t_end = t_end;
    options.solver.rtol = rtol;
    options.solver.atol = atol;
    ck_assert_int_eq(bg_model_run(ctx, model, &options, result, &report), HA_OK);
    return report;
}

/* Largest error of a column against a closed form, relative to the form's largest magnitude. */
static double column_error(const char *name, double (*exact)(double t))
{
    int column = ha_result_find(result, name);
    double worst = 0.0, largest = 0.0;

    ck_assert_int_ge(column, 0);
    for (size_t i = 0; i < ha_result_n_rows(result); i++) {
        double x = exact(ha_result_value(result, i, 0));
        worst = fmax(worst, fabs(ha_result_value(result, i, (size_t) column) - x));
        largest = fmax(largest, fabs(x));
    }
    return worst / largest;
}

/* --- closed forms --------------------------------------------------------------------------- */

/* Series RLC from rest: i = E / (w L) e^(-d t) sin(w t), d = R / (2 L), w^2 = 1 / (L C) - d^2. */
static double rlc_current(double t)
{
    double d = 0.5 / (2 * 0.02), w = sqrt(1.0 / (0.02 * 1e-3) - d * d);

    return 12.0 / (w * 0.02) * exp(-d * t) * sin(w * t);
}

START_TEST(rlc_follows_its_closed_form)
{
    compile("Se{12}>1a>R{0.5 ohm};1a>I{20 mH};1a>C{1 mF}");
    run(0.2, 1e-12, 1e-14);
    ck_assert_double_le(column_error("I.f", rlc_current), 1e-9);
}
END_TEST

/*
 * DC motor, inductance L, resistance R, gyrator K, rotor J1, gear n (w2 = n w1), load J2, friction
 * b: L i' = U - R i - K w, (J1 + n^2 J2) w' = K i - n^2 b w.
 */
static double motor_speed(double t)
{
    double U = 12, R = 1.2, L = 0.01, K = 0.05, J = 2e-4 + 0.04 * 1e-2, b = 0.04 * 1e-3;
    double a11 = -R / L, a12 = -K / L, a21 = K / J, a22 = -b / J;
    double trace = a11 + a22, det = a11 * a22 - a12 * a21, root = sqrt(trace * trace / 4 - det);
    double s1 = trace / 2 + root, s2 = trace / 2 - root;
    double end = a21 * U / L / det; /* w'' - trace w' + det w = a21 U / L, w(0) = w'(0) = 0 */

    return end * (1 + (s2 * exp(s1 * t) - s1 * exp(s2 * t)) / (s1 - s2));
}

START_TEST(motor_with_geared_load_follows_its_closed_form)
{
    compile("Se{12}>1a>R{1.2};1a>I{0.01};1a>GY{0.05}>1b>I1{2e-4};1b>TF{0.2}>1c>I2{1e-2};"
            "1c>R2{1e-3}");
    ck_assert_int_eq(bg_causality_count(causality, BG_DERIVATIVE), 1);
    run(0.5, 1e-12, 1e-14);
    ck_assert_double_le(column_error("I1.f", motor_speed), 1e-9);
}
END_TEST

/* Two inertias through a transformer: one of m1 + n^2 m2, with the damper behind it. */
static double coupled_speed(double t)
{
    double m = 2.0 + 9.0 * 0.5, b = 9.0 * 0.1;

    return 5.0 / b * (1 - exp(-b / m * t));
}

START_TEST(coupled_inertias_move_as_one)
{
    compile("Se{5}>1a>I1{2};1a>TF{3}>1b>I2{0.5};1b>R{0.1}");
    run(10.0, 1e-12, 1e-14);
    ck_assert_double_le(column_error("I1.f", coupled_speed), 1e-9);
}
END_TEST

static double cosine(double t)
{
    return -2.0 * sin(t);
}

START_TEST(a_storage_on_a_source_takes_its_derivative)
{
    compile("MSe{cos(t)}>0a>C{2};0a>R");
    run(3.0, 1e-8, 1e-8);
    ck_assert_double_le(column_error("C.f", cosine), 1e-14);
}
END_TEST

/* --- textbook equations --------------------------------------------------------------------- */

/*
 * Pendulum in x, y, angle with the pin as two residual sinks: x = L sin a, y = -L cos a. The
 * accelerations and multipliers at a given state must be the textbook's:
 * a'' = -m g L sin a / (J + m L^2), lambda = -m x'', -m y'' - m g.
 */
START_TEST(pendulum_obeys_the_textbook)
{
    const double m = 2.0, J = 0.3, L = 0.7, g = 9.81;
    double y[16] = { 0 }, yp[16] = { 0 }, parameters[BG__PARAMETER_COUNT] = { 0 };

    compile("Se{-2*9.81}>1y;1x>I1{2};1y>I2{2};1a>I3{0.3};1a>Df;1a>MTF1{0.7*cos(Df.q)}>0x;"
            "0x>1x;0x>Re1;1a>MTF2{0.7*sin(Df.q)}>0y;0y>1y;0y>Re2");
    ck_assert_int_eq(bg_causality_class(causality), BG_IMPLICIT_CONSTRAINTS);
    ck_assert_int_eq(bg_model_n_unknowns(model), 6);

    int vx = bg_model_find_unknown(model, "I1.f"), vy = bg_model_find_unknown(model, "I2.f");
    int w = bg_model_find_unknown(model, "I3.f"), a = bg_model_find_unknown(model, "Df.q");
    for (int i = 0; i < 20; i++) {
        double angle = -3.0 + 0.31 * i, rate = 2.0 - 0.27 * i;
        y[a] = angle;
        y[w] = rate;
        y[vx] = L * cos(angle) * rate;
        y[vy] = L * sin(angle) * rate;
        ck_assert_int_eq(ha_dae_start(ctx, bg_model_dae(model), parameters, 0.0, y, yp), HA_OK);
        double alpha = -m * g * L * sin(angle) / (J + m * L * L);
        double ax = L * (cos(angle) * alpha - sin(angle) * rate * rate);
        double ay = L * (sin(angle) * alpha + cos(angle) * rate * rate);
        ck_assert_double_eq_tol(yp[w], alpha, 1e-12);
        ck_assert_double_eq_tol(yp[vx], ax, 1e-11);
        ck_assert_double_eq_tol(y[bg_model_find_unknown(model, "Re1.e")], m * ax, 1e-11);
        ck_assert_double_eq_tol(y[bg_model_find_unknown(model, "Re2.e")], m * (ay + g), 1e-10);
    }
}
END_TEST

/* --- Jacobian ------------------------------------------------------------------------------- */

static const char *const jacobian_models[] = {
    "Se{12}>1a>R{0.5};1a>I{0.02};1a>C{0.001}",
    "Se>1a>R1;1a>I1;1a>GY>1b>I2;1b>R2;1b>TF{0.3}>1c>I3;1c>R3",
    ("Se{-2*9.81}>1y;1x>I1{2};1y>I2{2};1a>I3{0.3};1a>Df;1a>MTF1{0.7*cos(Df.q)}>0x;"
     "0x>1x;0x>Re1;1a>MTF2{0.7*sin(Df.q)}>0y;0y>1y;0y>Re2"),
    "MSe{sin(t)*Df.q-C.q^3}>1a>I;1a>C;1a>Df;1a>R{0.1}",
};

START_TEST(jacobian_equals_central_differences)
{
    enum { MOST = 16 };
    uint64_t seed = 7u + (unsigned) _i;
    double y[MOST], yp[MOST], up[MOST], down[MOST],
        parameters[BG__PARAMETER_COUNT] = { 3.0, 4.0, 0.0 };

    compile(jacobian_models[_i]);
    const ha_dae *dae = bg_model_dae(model);
    double *work = calloc(dae->work_size, sizeof *work);
    double *values = calloc((size_t) dae->column_start[dae->n], sizeof *values);
    dae->prepare(dae->model, parameters, work);
    for (int trial = 0; trial < 5; trial++) {
        double t = random_in(&seed, -1.0, 1.0), cj = 10 * random_in(&seed, -1.0, 1.0);
        for (int i = 0; i < dae->n; i++) {
            y[i] = random_in(&seed, -1.0, 1.0);
            yp[i] = random_in(&seed, -1.0, 1.0);
        }
        dae->jacobian(dae->model, work, t, cj, y, yp, values);
        for (int j = 0; j < dae->n; j++) {
            const double h = 1e-6, y0 = y[j], yp0 = yp[j];
            double column[MOST] = { 0 };
            for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
                column[dae->row[k]] = values[k];
            }
            y[j] = y0 + h;
            yp[j] = yp0 + cj * h;
            dae->residual(dae->model, work, t, y, yp, up);
            y[j] = y0 - h;
            yp[j] = yp0 - cj * h;
            dae->residual(dae->model, work, t, y, yp, down);
            y[j] = y0;
            yp[j] = yp0;
            for (int i = 0; i < dae->n; i++) {
                ck_assert_double_eq_tol((up[i] - down[i]) / (2 * h), column[i],
                                        1e-7 * (1 + fabs(column[i])));
            }
        }
    }
    free(work);
    free(values);
}
END_TEST

/* --- tolerances ----------------------------------------------------------------------------- */

/*
 * A state that stays below 10^4 atol is less accurate than rtol says. It is named when it carries
 * energy, and passed over when it is small by nature. The errors of the series circuit are those
 * against its closed form, 12 V (1 - exp(-d t) (cos w t + d / w sin w t)), at 20 ms.
 */
START_TEST(a_state_that_atol_decides_is_named_if_it_matters)
{
    static const struct {
        const char *text;
        double t_end, atol;
        const char *named; /* NULL: no warning */
    } cases[] = {
        { "Se{12}>1a>R{50};1a>I{0.1};1a>C{1e-5}", 0.02, 1e-6, "`C.q`" },
        { "Se{12}>1a>R{50};1a>I{0.1};1a>C{1e-5}", 0.02, 1e-10, NULL },
        /* two circuits that do not know of each other: all that is small is one of the charges */
        { "Se{12}>1a>R{50};1a>C{1e-5};Se2{12}>1b>R2{50};1b>C2{1e-5};Se3>1c>I;1c>R3", 0.02, 1e-6,
          "`C" },
        /* a mass that hardly moves beside one that does, and a stiff spring between masses */
        { "Se{10}>1a>I;1a>R;Se2{1e-9}>1b>I2;1b>R2", 1.0, 1e-6, NULL },
        { "Se{1}>1a>I;1a>0b;0b>C{1e-9};0b>1c>I2;1c>R;0b>R2{1e5}", 1.0, 1e-6, NULL },
        /* everything small */
        { "Se{1e-5}>1a>I;1a>R", 1.0, 1e-6, "`I.f`" },
        /* nothing stored, and nothing that moves */
        { "Sf{1e-5}>1a>R;1a>Df{q=0}", 1.0, 1e-6, "`Df.q`" },
        { "Se{0}>1a>I;1a>R", 1.0, 1e-6, NULL },
    };
    const ha_diag *diag = NULL;

    driver = HA_DRIVER_IDA; /* whose books close although states are off by 1 % */
    compile(cases[_i].text);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 0);
    run(cases[_i].t_end, 1e-6, cases[_i].atol);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), cases[_i].named == NULL ? 0 : 1);
    if (cases[_i].named != NULL) {
        diag = ha_ctx_diag(ctx, 0);
        ck_assert_int_eq(diag->severity, HA_WARNING);
        ck_assert_ptr_eq(strstr(diag->text, cases[_i].named), diag->text);
    }
}
END_TEST

static double error_of_circuit(double atol)
{
    const double d = 250, w = sqrt(1e6 - d * d), t = 0.02;
    double exact = 12 * (1 - exp(-d * t) * (cos(w * t) + d / w * sin(w * t)));

    run(t, 1e-6, atol);
    size_t column = (size_t) ha_result_find(result, "C.e");
    return fabs(ha_result_value(result, ha_result_n_rows(result) - 1, column) - exact);
}

/* What is advised mends what is warned of. */
START_TEST(the_advised_tolerance_gives_what_rtol_says)
{
    double advised = 0.0;

    compile("Se{12}>1a>R{50};1a>I{0.1};1a>C{1e-5}");
    double coarse = error_of_circuit(1e-6);
    const char *advice = strstr(ha_ctx_diag(ctx, 0)->text, "an atol of ");
    ck_assert_ptr_nonnull(advice);
    ck_assert_int_eq(sscanf(advice, "an atol of %lf or less", &advised), 1);
    ha_result_free(result);
    result = ha_result_new(ctx);
    ck_assert_double_lt(error_of_circuit(advised), coarse / 10);
}
END_TEST

/* --- energy and power ----------------------------------------------------------------------- */

static const char oscillator[] =
    "MSe{sin(3*t)}>1a>R{0.2};1a>I{0.5, p=0.1};1a>C{0.3, q=0.2};1a>GY{0.7}>1b>I2{0.4};1b>R2{0.1}";

/* The book's error is the solver's, so it must shrink with the tolerance. */
START_TEST(energy_book_closes)
{
    compile(oscillator);
    double coarse = run(10.0, 1e-8, 1e-10).energy_error;
    ha_result_free(result);
    result = ha_result_new(ctx);
    double fine = run(10.0, 1e-12, 1e-14).energy_error;
    size_t last = ha_result_n_rows(result) - 1;
    size_t column = (size_t) ha_result_find(result, "energy.dissipated");

    ck_assert_double_ge(ha_result_value(result, last, column), 0.1);
    ck_assert_double_le(fine, 1e-8);
    ck_assert_double_le(fine, coarse / 100);
}
END_TEST

/*
 * A point mass on a massless rod of 1 m, from rest at (-1, 0): the inertia is 0, the row of the
 * angle reads 0 = sum of torques. Values at t = 2 s and 5 s from elliptic functions.
 */
START_TEST(a_zero_inertia_is_no_special_case)
{
    const double exact[2][3] = { { 2, -0.793566195343, -0.608483930444 },
                                 { 5, -0.942305435044, -0.334754338415 } };

    compile("Se{-9.81}>1y;1x>I1{1};1y>I2{1};1a>I3{0};1x>Dfx{q=-1};1y>Dfy{q=0};"
            "1a>Dfa{q=-1.5707963267948966};"
            "1a>MTF1{cos(Dfa.q)}>0x;0x>1x;0x>Re1;1a>MTF2{sin(Dfa.q)}>0y;0y>1y;0y>Re2");
    ck_assert_int_eq(bg_causality_count(causality, BG_DERIVATIVE), 0);
    for (int i = 0; i < 2; i++) {
        ha_result_free(result);
        result = ha_result_new(ctx);
        run(exact[i][0], 1e-10, 1e-10);
        size_t last = ha_result_n_rows(result) - 1;
        ck_assert_double_eq_tol(
            ha_result_value(result, last, (size_t) ha_result_find(result, "Dfx.q")), exact[i][1],
            1e-7);
        ck_assert_double_eq_tol(
            ha_result_value(result, last, (size_t) ha_result_find(result, "Dfy.q")), exact[i][2],
            1e-7);
    }
}
END_TEST

START_TEST(a_two_port_passes_its_power_on)
{
    compile("Se>1a>I1;1a>TF{3}>0b>C{0.1};0b>GY{2}>1c>I2;1c>R");
    run(2.0, 1e-8, 1e-8);
    size_t rows = ha_result_n_rows(result);
    const char *const names[] = { "TF", "GY" };
    for (int k = 0; k < 2; k++) {
        char name[16];
        size_t column[4];
        const char *const suffix[4] = { "e1", "f1", "e2", "f2" };
        for (int i = 0; i < 4; i++) {
            snprintf(name, sizeof name, "%s.%s", names[k], suffix[i]);
            column[i] = (size_t) ha_result_find(result, name);
        }
        for (size_t r = 0; r < rows; r++) {
            double in =
                ha_result_value(result, r, column[0]) * ha_result_value(result, r, column[1]);
            double out =
                ha_result_value(result, r, column[2]) * ha_result_value(result, r, column[3]);
            ck_assert_double_eq_tol(in, out, 1e-13);
        }
    }
}
END_TEST

/* A mass held at rest under a moving load: the states never change, so the steps grow as long as
   they may, and yet the constraint's force must equal the load at every row; but for alpha times
   the speeds that round-off makes, which explicit steps do not take to 0. */
static double load(double t)
{
    return 0.7 + 0.45 * sin(3 * t);
}

START_TEST(the_force_of_a_constraint_at_rest_follows_the_load)
{
    static const struct {
        long driver;
        double error;
    } ways[] = { { HA_DRIVER_IDA, 1e-14 }, { HA_DRIVER_AUTO, 1e-13 } };

    driver = ways[_i].driver;
    compile("MSe{0.7+0.45*sin(3*t)}>1j>I{0.8};1j>Re");
    run(10.0, 1e-6, 1e-6);
    ck_assert_double_le(column_error("Re.e", load), ways[_i].error);
}
END_TEST

START_TEST(equations_compiled_again_do_not_grow)
{
    static const ha_driver drivers[] = { HA_DRIVER_IDA, HA_DRIVER_EXPLICIT };

    compile("Se{sin(t)}>1a>R{e = f^3};1a>I1{2};1a>TF{3}>1b>I2{0.5};1b>C{4}");
    for (size_t i = 0; i < 2; i++) {
        bg_model *first = NULL, *second = NULL;
        ck_assert_int_eq(bg_model_compile_for(equations, NULL, 0, drivers[i], &first), HA_OK);
        int size = ha_dag_size(equations->dag);
        ck_assert_int_eq(bg_model_compile_for(equations, NULL, 0, drivers[i], &second), HA_OK);
        ck_assert_int_eq(ha_dag_size(equations->dag), size);
        bg_model_free(first);
        bg_model_free(second);
    }
}
END_TEST

/* --- refusals ------------------------------------------------------------------------------- */

/* The kind of the unknown of a name. */
static ha_unknown_kind kind_of(const char *name)
{
    const ha_dae *dae = bg_model_dae(model);

    for (int j = 0; j < dae->n; j++) {
        if (strcmp(dae->unknowns[j].name, name) == 0) {
            return dae->unknowns[j].kind;
        }
    }
    ck_abort_msg("no unknown %s", name);
}

/* A force of a constraint is out of the error test, a loop on its own in it, one that follows the
   force out of it; a load that grows with the square of the force is not linear in it. */
START_TEST(what_a_stabilised_equation_reaches_is_not_in_the_error_test)
{
    static const struct {
        const char *text, *name;
        ha_unknown_kind kind;
    } cases[] = {
        { "Se{1} > 1a > I1{2}; 1a > 0 > 1b > I2{3}; 0 > Re", "Re.e", HA_ALGEBRAIC },
        { "Se{1} > 1a > I1{2}; 1a > 0 > 1b > I2{3}; 0 > Re; MSe{-0.1*Re.e^2} > 1b", "Re.e",
          HA_ALGEBRAIC_NONLINEAR },
        { "Se{1} > 1 > R1{1}; 1 > R2{2}; 1 > C{1}", "R1.e", HA_ALGEBRAIC_TESTED },
        { "1a > 0; 1a > GY1{0.9}; GY2{1.6} > GY1; 1b > GY2; 1a > 1b; 0 > Re; 0 > I{2}; 0 > Sf{t}",
          "GY1.e1", HA_ALGEBRAIC },
    };

    for (size_t i = 0; i < HA_COUNT(cases); i++) {
        teardown();
        setup();
        compile(cases[i].text);
        ck_assert_msg(kind_of(cases[i].name) == cases[i].kind, "%s: %s", cases[i].text,
                      cases[i].name);
    }
}
END_TEST

/* That loop beside the sink once took 23,000 steps. */
START_TEST(a_loop_that_follows_a_constraint_does_not_shorten_the_steps)
{
    compile("1a > 0; 1a > GY1{0.875}; GY2{1.642} > GY1; 1b > GY2; 1a > 1b; 0 > Re; 0 > I{2.149};"
            "0 > Sf{1.062*(1 - cos(1.762*t))}");
    bg_run_report report = run(1.0, 1e-8, 1e-8);
    ck_assert_int_lt(report.solver.steps, 200);
}
END_TEST

/* The flow of R_a in a loop with `n` equal inertias on one junction, 2 kg together. */
static double flow_beside_inertias(int n)
{
    static char text[16000];
    int length = snprintf(text, sizeof text,
                          "1_a>GY{1.962}; GY>MTF_a{1.819+0.3*sin(1.695*t)}; MTF_a>1_b; 1_a>0_c;"
                          "1_e>0_d; 0_c>MTF_b{0.68+0.3*sin(1.255*t)}; 0_d>MTF_b; 0_d>1_b;"
                          "1_a>I_a{1.275}; 1_b>R_a{1.603}; 1_e>R_b{0.791}; 1_a>R_c{2.014};"
                          "1_b>Se{sin(2*t)}");

    for (int i = 0; i < n; i++) {
        length += snprintf(text + length, sizeof text - (size_t) length, "; 1_e>I_%d{2/%d}", i, n);
    }
    ck_assert_int_lt(length, (int) sizeof text);
    teardown();
    setup();
    compile(text);
    run(2.0, 1e-9, 1e-9);
    return ha_result_value(result, ha_result_n_rows(result) - 1,
                           (size_t) ha_result_find(result, "R_a.f"));
}

/* All but one depend; with three and more a matching alone takes rows that say the same of a
   loop. */
START_TEST(inertias_on_one_junction_are_as_their_sum)
{
    double one = flow_beside_inertias(1);

    ck_assert_double_eq_tol(flow_beside_inertias(3), one, 1e-7);
    ck_assert_double_eq_tol(flow_beside_inertias(90), one, 1e-7);
    ck_assert_double_eq_tol(flow_beside_inertias(400), one, 1e-7);
}
END_TEST

START_TEST(a_dependent_start_that_disagrees_is_refused)
{
    double y[4] = { 0 };
    bg_run_options options = bg_run_options_default();
    bg_run_report report;

    compile("Se>1a>I1{2, p=4};1a>TF{3}>1b>I2{0.5, p=1}");
    bg_model_start(model, y);
    ck_assert_int_eq(bg_model_probe(ctx, model, y), HA_ERR_VALUE);
    options.solver.t_end = 1;
    ck_assert_int_eq(bg_model_run(ctx, model, &options, result, &report), HA_ERR_VALUE);
    /* f1 = 2, f2 = 6, p2 = 3 */
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "follows as 3"));
}
END_TEST

START_TEST(a_dependent_start_that_agrees_is_accepted)
{
    compile("Se>1a>I1{2, p=4};1a>TF{3}>1b>I2{0.5, p=3}");
}
END_TEST

START_TEST(a_varying_storage_is_refused_by_name)
{
    const char *text = "1a>I{1+0.5*sin(Df.q)};1a>Df;1a>C";

    ck_assert_int_eq(bg_compact_read(graph, text, strlen(text), HA_NOWHERE), HA_OK);
    ck_assert_int_eq(bg_causality_assign(graph, &causality), HA_ERR_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "`I` varies"));
}
END_TEST

START_TEST(a_sink_behind_its_own_multiplier_is_written_as_it_is_solved)
{
    char *text = NULL;

    compile("Se>1a>R;1a>MTF{2+sin(t)}>Re");
    ck_assert_int_eq(bg_equations_text(causality, &text), HA_OK);
    ck_assert_ptr_nonnull(strstr(text, "\n0 = Re.f\n"));
    ck_assert_ptr_null(strstr(text, "der(Re.f)"));
    free(text);
}
END_TEST

START_TEST(a_state_below_the_tolerance_is_warned_of)
{
    compile("Se{1}>1a>R{1e3};1a>C{1e-11}");
    run(5e-8, 1e-6, 1e-6);
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 0);
    ck_assert_uint_ge(ha_ctx_n_diags(ctx), 1);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "`C.q`"));
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "atol of 1e-17"));
}
END_TEST

static double small_cosine(double t)
{
    return 1e-9 * cos(t);
}

/* An oscillator of a charge of 1e-9: the default tolerance follows the size that the elements say,
   and what the run reaches where they do not. */
START_TEST(the_default_tolerance_follows_the_size_of_unknowns)
{
    const char *const names[] = { "I", "C" };
    const char *text = "1a>I;1a>C{1, q=1e-9}";

    ck_assert_int_eq(bg_compact_read(graph, text, strlen(text), HA_NOWHERE), HA_OK);
    for (size_t i = 0; _i == 1 && i < HA_COUNT(names); i++) {
        ha_expr size = ha_constant(bg_graph_dag(graph), 1e-9);
        ck_assert_int_eq(bg_graph_set_size(graph, bg_graph_find(graph, names[i]), &size), HA_OK);
    }
    compile("");
    bg_run_report report = run(10.0, 1e-6, 0.0);
    ck_assert_double_eq(report.atol, 1e-6);
    ck_assert_double_le(report.solver.atol[1], 2e-15);
    ck_assert_double_le(column_error("C.q", small_cosine), 1e-4);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 0);
}
END_TEST

START_TEST(a_value_that_cannot_be_evaluated_at_the_start_is_named)
{
    bg_run_options options = bg_run_options_default();
    bg_run_report report;

    options.solver.t_end = 1.0;
    compile("MSe{1/t}>1a>I;1a>R");
    ck_assert_int_eq(bg_model_run(ctx, model, &options, result, &report), HA_ERR_VALUE);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "value of `MSe` is inf at t = 0"));
    ck_assert_int_eq(bg_model_probe(ctx, model, (double[2]){ 0.0 }), HA_ERR_VALUE);
}
END_TEST

START_TEST(the_text_lists_assignments_in_causal_order)
{
    char *text = NULL;

    compile("Se{12}>1a>R{0.5};1a>I{0.02};1a>C{0.001}");
    ck_assert_int_eq(bg_equations_text(causality, &text), HA_OK);
    ck_assert_ptr_nonnull(strstr(text, "R = 0.5\n"));
    ck_assert_ptr_nonnull(strstr(text, "R.e = R*R.f\n"));
    ck_assert_ptr_nonnull(strstr(text, "C.e = C.q/C\n"));
    ck_assert_ptr_nonnull(strstr(text, "der(I*I.f) = I.e\n"));
    ck_assert(strstr(text, "R.f = ") < strstr(text, "R.e = "));
    free(text);
}
END_TEST

START_TEST(wanted_outputs_are_chosen_by_name)
{
    const char *const wanted[] = { "C" }, *const wrong[] = { "C.qq" };

    compile("Se{12}>1a>R{0.5};1a>I{0.02};1a>C{0.001}");
    bg_model_free(model);
    model = NULL;
    ck_assert_int_eq(bg_model_compile(equations, wanted, 1, &model), HA_OK);
    ck_assert_int_eq(bg_model_dae(model)->n_outputs, 3);
    bg_model_free(model);
    model = NULL;
    ck_assert_int_eq(bg_model_compile(equations, wrong, 1, &model), HA_ERR_NAME);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "did you mean `C.q`"));
}
END_TEST

START_TEST(equations_can_be_compiled_again_whatever_failed)
{
    ha_status status = HA_ERR_MEMORY;

    derive("Se{12}>1a>R{0.5 ohm};1a>I{20 mH};1a>C{1 mF}");
    for (size_t n = 1; status != HA_OK; n++) {
        ck_assert_uint_lt(n, 10000);
        ha_ctx_fail_allocation(ctx, n);
        status = bg_model_compile(equations, NULL, 0, &model);
        ha_ctx_fail_allocation(ctx, 0);
        ck_assert_int_eq(status, model == NULL ? HA_ERR_MEMORY : HA_OK);
    }
    bg_model_free(model);
    model = NULL;
    ck_assert_int_eq(bg_model_compile(equations, NULL, 0, &model), HA_OK);
    run(0.2, 1e-12, 1e-14);
    ck_assert_double_le(column_error("I.f", rlc_current), 1e-9);
}
END_TEST

/* Causality keeps a copy of a scalar graph, with the texts: the graph may be freed at once. */
START_TEST(what_a_value_of_0_means_outlives_the_graph)
{
    static const char *const names[] = { "F", "v", "m", "b" }, *const types[] = { "Se", "1", "I",
                                                                                  "R" };
    static const double values[] = { 1.0, 1.0, 0.0, 2.0 };
    char text[] = "`m` weighs nothing";
    const char *const if_zero[1] = { text };
    bg_element ids[4] = { 0 };
    bg_bond bond = 0;

    for (int i = 0; i < 4; i++) {
        bg_element_def def = bg_element_def_default();
        ha_expr value = ha_constant(bg_graph_dag(graph), values[i]);
        def.name = names[i];
        def.type = types[i];
        def.value = &value;
        def.n_values = i == 1 ? 0 : 1;
        def.if_zero = i == 2 ? if_zero : NULL;
        ck_assert_int_eq(bg_graph_add_element(graph, &def, &ids[i]), HA_OK);
    }
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(i == 1 ? HA_OK
                                : bg_graph_add_bond(graph, i == 0 ? ids[0] : ids[1],
                                                    i == 0 ? ids[1] : ids[i], 1, HA_NOWHERE, &bond),
                         HA_OK);
    }
    memset(text, '-', sizeof text - 1);
    ck_assert_int_eq(bg_causality_assign(graph, &causality), HA_OK);
    bg_graph_free(graph);
    graph = NULL;
    ck_assert_int_eq(bg_equations_derive(causality, &equations), HA_OK);
    ck_assert_int_eq(bg_model_compile(equations, NULL, 0, &model), HA_OK);
    const ha_dae *dae = bg_model_dae(model);
    ck_assert_int_eq(dae->n_absences, 1);
    ck_assert_str_eq(dae->absences[0].text, "`m` weighs nothing");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("model");
    TCase *tcase = tcase_create("model");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, rlc_follows_its_closed_form);
    tcase_add_test(tcase, motor_with_geared_load_follows_its_closed_form);
    tcase_add_test(tcase, coupled_inertias_move_as_one);
    tcase_add_test(tcase, a_storage_on_a_source_takes_its_derivative);
    tcase_add_test(tcase, pendulum_obeys_the_textbook);
    tcase_add_test(tcase, what_a_value_of_0_means_outlives_the_graph);
    tcase_add_loop_test(tcase, jacobian_equals_central_differences, 0,
                        (int) HA_COUNT(jacobian_models));
    tcase_add_loop_test(tcase, a_state_that_atol_decides_is_named_if_it_matters, 0, 8);
    tcase_add_test(tcase, the_advised_tolerance_gives_what_rtol_says);
    tcase_add_test(tcase, energy_book_closes);
    tcase_add_test(tcase, a_zero_inertia_is_no_special_case);
    tcase_add_test(tcase, a_two_port_passes_its_power_on);
    tcase_add_loop_test(tcase, the_force_of_a_constraint_at_rest_follows_the_load, 0, 2);
    tcase_add_test(tcase, what_a_stabilised_equation_reaches_is_not_in_the_error_test);
    tcase_add_test(tcase, a_loop_that_follows_a_constraint_does_not_shorten_the_steps);
    tcase_add_test(tcase, equations_compiled_again_do_not_grow);
    tcase_add_test(tcase, inertias_on_one_junction_are_as_their_sum);
    tcase_add_test(tcase, a_dependent_start_that_disagrees_is_refused);
    tcase_add_test(tcase, a_dependent_start_that_agrees_is_accepted);
    tcase_add_test(tcase, a_varying_storage_is_refused_by_name);
    tcase_add_test(tcase, a_sink_behind_its_own_multiplier_is_written_as_it_is_solved);
    tcase_add_test(tcase, a_state_below_the_tolerance_is_warned_of);
    tcase_add_loop_test(tcase, the_default_tolerance_follows_the_size_of_unknowns, 0, 2);
    tcase_add_test(tcase, a_value_that_cannot_be_evaluated_at_the_start_is_named);
    tcase_add_test(tcase, the_text_lists_assignments_in_causal_order);
    tcase_add_test(tcase, wanted_outputs_are_chosen_by_name);
    tcase_add_test(tcase, equations_can_be_compiled_again_whatever_failed);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
