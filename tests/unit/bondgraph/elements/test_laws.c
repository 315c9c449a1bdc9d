/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Laws by expressions and multiports, against closed forms: the energies of the laws written down a
 * second time, and the linear equations of the matrices.
 */
#include <config.h>

#include "bondgraph/model.h"

#include "tests/unit/bondgraph/differences.h"
#include "tests/unit/bondgraph/graph_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ha_result *result;

static void clear(void)
{
    ha_result_free(result);
    result = NULL;
    clear_model();
}

static void set_up(void)
{
    ctx = ha_ctx_new();
}

static void tear_down(void)
{
    clear();
    ha_ctx_free(ctx);
}

static const char *last_text(void)
{
    size_t n = ha_ctx_n_diags(ctx);

    return n == 0 ? "" : ha_ctx_diag(ctx, n - 1)->text;
}

static ha_status try_compile(const char *text)
{
    clear();
    graph = bg_graph_new(ctx);
    result = ha_result_new(ctx);
    HA_TRY(bg_compact_read(graph, text, strlen(text), HA_NOWHERE));
    HA_TRY(bg_graph_add_element_outputs(graph));
    HA_TRY(bg_causality_assign(graph, &causality));
    HA_TRY(bg_causality_status(causality));
    HA_TRY(bg_equations_derive(causality, &equations));
    return bg_model_compile(equations, NULL, 0, &model);
}

static double run(const char *text, double t_end, double step)
{
    bg_run_options options = bg_run_options_default();
    bg_run_report report;
    ha_status status = try_compile(text);

    options.solver.t_end = t_end;
    options.solver.step = step;
    options.solver.rtol = 1e-11;
    options.solver.atol = 1e-12;
    status = status != HA_OK ? status : bg_model_run(ctx, model, &options, result, &report);
    ck_assert_msg(status == HA_OK, "%s: %s", text, last_text());
    return report.energy_error;
}

static double at(size_t row, const char *name)
{
    int column = ha_result_find(result, name);

    ck_assert_msg(column >= 0, "no output %s", name);
    return ha_result_value(result, row, (size_t) column);
}

static void expect(const char *what, size_t row, double found, double wanted, double tolerance)
{
    ck_assert_msg(fabs(found - wanted) <= tolerance * fmax(1.0, fabs(wanted)),
                  "%s, row %zu: %.15g, not %.15g", what, row, found, wanted);
}

/* --- storages -------------------------------------------------------------------------------- */

static double cubic(double q)
{
    return 3 * q * q * q;
}
static double cubic_energy(double q)
{
    return 0.75 * q * q * q * q;
}
static double square(double q)
{
    return 2 * q * fabs(q);
}
static double square_energy(double q)
{
    return 2.0 / 3.0 * fabs(q * q * q);
}
static double sine(double q)
{
    return sin(3 * q + 0.2);
}
static double sine_energy(double q)
{
    return (cos(0.2) - cos(3 * q + 0.2)) / 3;
}
static double stop(double q)
{
    return q + 50 * fmax(0, q - 0.1) + 20 * fmin(0, q + 0.2);
}
static double stop_energy(double q)
{
    return q * q / 2 + 25 * pow(fmax(0, q - 0.1), 2) + 10 * pow(fmin(0, q + 0.2), 2);
}
static double pieces(double q)
{
    return q < 0.1 ? 2 * q : 5 * q - 0.3;
}
static double pieces_energy(double q)
{
    return q < 0.1 ? q * q : 0.01 + 2.5 * (q * q - 0.01) - 0.3 * (q - 0.1);
}
static double bell(double q)
{
    return 3 * q * exp(-q * q);
}
static double bell_energy(double q)
{
    return 1.5 * (1 - exp(-q * q));
}
static double gas(double q)
{
    return 5 * pow(1 - q, -1.4) - 5;
}
static double gas_energy(double q)
{
    return 12.5 * (pow(1 - q, -0.4) - 1) - 5 * q;
}
static double mixed(double q)
{
    return (1 + q) * (2 * q - q * q) + tanh(2 * q);
}
static double mixed_energy(double q)
{
    return q * q + q * q * q / 3 - q * q * q * q / 4 + log(cosh(2 * q)) / 2;
}

static const struct {
    const char *text; /* in x */
    double (*law)(double x), (*energy)(double x);
} laws[] = {
    { "3*x^3", cubic, cubic_energy },
    { "2*x*abs(x)", square, square_energy },
    { "sin(3*x + 0.2)", sine, sine_energy },
    { "x + 50*max(0, x - 0.1) + 20*min(0, x + 0.2)", stop, stop_energy },
    { "if(x < 0.1, 2*x, 5*x - 0.3)", pieces, pieces_energy },
    { "3*x*exp(-x^2)", bell, bell_energy }, /* no antiderivative by rule: an unknown */
    { "5*(1 - x)^(-1.4) - 5", gas, gas_energy },
    { "(1 + x)*(2*x - x^2) + tanh(2*x)", mixed, mixed_energy },
};

/* The text of a law with the element's own quantity for x; "max" and "exp" stay. */
static const char *written(const char *law, char quantity, char buffer[200])
{
    size_t n = 0;

    for (const char *c = law; *c != '\0'; c++) {
        bool is_x =
            *c == 'x' && (c == law || c[-1] < 'a' || c[-1] > 'z') && (c[1] < 'a' || c[1] > 'z');
        buffer[n++] = is_x ? quantity : *c;
    }
    buffer[n] = '\0';
    return buffer;
}

/* A nonlinear spring with a mass, or a mass with a nonlinear momentum law on a spring. */
START_TEST(a_storage_obeys_its_law_and_stores_its_integral)
{
    char law[200], text[400];

    for (int is_i = 0; is_i < 2; is_i++) {
        snprintf(text, sizeof text,
                 is_i ? "1 > I{f = %s, p = 0.35}; 1 > C{0.7, q = -0.1}"
                      : "1 > C{e = %s, q = 0.35}; 1 > I{0.7, p = -0.1}",
                 written(laws[_i].text, is_i ? 'p' : 'q', law));
        double error = run(text, 3.0, 0.1);
        ck_assert_msg(fabs(error) <= 1e-8, "%s: energy error %g", text, error);
        for (size_t row = 0; row < ha_result_n_rows(result); row++) {
            double x = at(row, is_i ? "I.p" : "C.q");
            expect(text, row, at(row, is_i ? "I.f" : "C.e"), laws[_i].law(x), 1e-8);
            expect(text, row, at(row, is_i ? "energy.kinetic" : "energy.potential"),
                   laws[_i].energy(x), 1e-8);
        }
    }
}
END_TEST

START_TEST(a_law_and_its_energy_give_the_same_motion)
{
    double end[2];

    run("1 > C{e = 3*q^3, q = 0.5}; 1 > I{2}", 4.0, 0.5);
    end[0] = at(ha_result_n_rows(result) - 1, "C.q");
    run("1 > C{energy = 3*q^4/4, q = 0.5}; 1 > I{energy = p^2/4}", 4.0, 0.5);
    end[1] = at(ha_result_n_rows(result) - 1, "C.q");
    ck_assert_double_eq_tol(end[0], end[1], 1e-8);
}
END_TEST

/* q = cbrt(e) behind a source: f = e' / (3 e^(2/3)). */
START_TEST(an_inverse_law_allows_derivative_causality)
{
    double error = run("Se{2 + sin(t)} > C{e = q^3, inverse = e^(1/3)}", 2.0, 0.1);

    ck_assert_double_le(fabs(error), 1e-9);
    ck_assert_int_eq(bg_causality_class(causality), BG_DEPENDENT_STORAGE);
    for (size_t row = 0; row < ha_result_n_rows(result); row++) {
        double t = ha_result_value(result, row, 0), e = 2 + sin(t);
        expect("q", row, at(row, "C.q"), cbrt(e), 1e-12);
        expect("f", row, at(row, "C.f"), cos(t) / (3 * pow(e, 2.0 / 3.0)), 1e-12);
    }
}
END_TEST

/* e = q^3 = 1 + t and its dual, by law and by energy, without an inverse. */
START_TEST(a_law_without_an_inverse_is_solved)
{
    static const char *const texts[] = {
        "Se{1 + t} > C{e = q^3, q = 1}",
        "k = 1; Se{1 + t} > C{energy = q^4/4, q = k}",
        "Sf{1 + t} > I{f = p^3, p = 1}",
        "Sf{1 + t} > I{energy = p^4/4, p = 1}",
    };

    for (int i = 0; i < (int) HA_COUNT(texts); i++) {
        run(texts[i], 2.0, 0.25);
        for (size_t row = 0; row < ha_result_n_rows(result); row++) {
            double x = cbrt(1.0 + ha_result_value(result, row, 0));
            expect("content", row, at(row, i < 2 ? "C.q" : "I.p"), x, 1e-9);
            expect("rate", row, at(row, i < 2 ? "C.f" : "I.e"), 1.0 / (3.0 * x * x), 1e-8);
            expect("energy", row, at(row, i < 2 ? "energy.potential" : "energy.kinetic"),
                   pow(x, 4.0) / 4.0, 1e-9);
        }
    }
}
END_TEST

/* q = C e with C = (1 0.2; 0.2 3) as a matrix and as its energy: one port, then both in derivative
   causality. */
START_TEST(an_energy_takes_any_causality_at_any_port)
{
    static const char *const rests[] = { "Se{sin(t)}>0a>C; C>1b;1b>I2{2};1b>R{2}",
                                         ("1c>R1;Se{1}>1c;1c>0a;0a>C;0a>C2{0.7};"
                                          "C>0b;0b>I2{2};0b>C3{1.3}"),
                                         "Se1{sin(t)}>C; Se2{1+t}>C" };
    static const char *const names[] = { "C.q1", "C.q2", "C.e1", "C.e2", "C.f1", "C.f2" };
    double end[HA_COUNT(names)];
    char text[300];

    for (size_t i = 0; i < HA_COUNT(rests); i++) {
        for (int way = 0; way < 2; way++) {
            snprintf(text, sizeof text, "C{%s}; %s",
                     way == 0 ? "1|0.2|0.2|3" : "energy = (3*q1^2 - 0.4*q1*q2 + q2^2)/5.92",
                     rests[i]);
            run(text, 1.5, 0.5);
            for (size_t k = 0; k < HA_COUNT(names); k++) {
                double found = at(ha_result_n_rows(result) - 1, names[k]);
                end[k] = way == 0 ? found : end[k];
                ck_assert_msg(fabs(found - end[k]) <= 1e-7, "%s: %s: %.12g, not %.12g", text,
                              names[k], found, end[k]);
            }
        }
    }
}
END_TEST

START_TEST(the_tolerance_of_a_momentum_is_scaled_by_the_inertia)
{
    ck_assert_msg(try_compile("1 > I{f = p/5e-4 + p^3, p = 0}; 1 > C") == HA_OK, "%s", last_text());
    const ha_dae *dae = bg_model_dae(model);
    int i = bg_model_find_unknown(model, "I.p");
    ck_assert_int_ge(i, 0);
    ck_assert_double_eq_tol(dae->unknowns[i].scale, 5e-4, 1e-15);
    ck_assert_double_eq(dae->unknowns[bg_model_find_unknown(model, "C.q")].scale, 1.0);
}
END_TEST

/* --- resistors ------------------------------------------------------------------------------- */

/* A fall against the drag 0.1 v |v|: v = sqrt(g/0.1) tanh(g t / sqrt(g/0.1)). */
START_TEST(a_resistor_obeys_its_effort_law)
{
    double top = sqrt(9.81 / 0.1);

    run("Se{9.81} > 1; 1 > I; 1 > R{e = 0.1*f*abs(f)}", 3.0, 0.1);
    for (size_t row = 0; row < ha_result_n_rows(result); row++) {
        double t = ha_result_value(result, row, 0);
        expect("v", row, at(row, "I.f"), top * tanh(9.81 * t / top), 1e-8);
    }
}
END_TEST

/* Drawn against its natural direction, an R still counts its flow inwards: with the law of the
   opposite flow and effort it is the same resistor. */
START_TEST(the_half_arrow_does_not_change_a_law)
{
    double end[2];

    run("Se{3} > 1; 1 > I; 1 > R{e = f + 0.4*exp(f)}", 2.0, 0.5);
    end[0] = at(ha_result_n_rows(result) - 1, "I.f");
    run("Se{3} > 1; 1 > I; R{e = f - 0.4*exp(-f)} > 1", 2.0, 0.5);
    end[1] = at(ha_result_n_rows(result) - 1, "I.f");
    ck_assert_double_eq_tol(end[0], end[1], 1e-9);
}
END_TEST

/* A diode and its inverse: each sense where the source asks for it. */
START_TEST(a_resistor_with_both_laws_takes_either_sense)
{
    const char *law = "R{f = 0.1*(exp(e/2) - 1), e = 2*log(1 + f/0.1)}";
    char text[200];

    snprintf(text, sizeof text, "Se{sin(t)} > %s", law);
    run(text, 2.0, 0.25);
    for (size_t row = 0; row < ha_result_n_rows(result); row++) {
        double e = sin(ha_result_value(result, row, 0));
        expect("f", row, at(row, "R.f"), 0.1 * (exp(e / 2) - 1), 1e-12);
    }
    snprintf(text, sizeof text, "Sf{1 + sin(t)} > %s", law);
    run(text, 2.0, 0.25);
    for (size_t row = 0; row < ha_result_n_rows(result); row++) {
        double f = 1 + sin(ha_result_value(result, row, 0));
        expect("e", row, at(row, "R.e"), 2 * log(1 + f / 0.1), 1e-12);
    }
}
END_TEST

/* --- fields ---------------------------------------------------------------------------------- */

enum { N = 3 };

static const double matrix[N][N] = { { 2.0, 0.3, -0.5 }, { 0.3, 1.5, 0.4 }, { -0.5, 0.4, 3.0 } };

/* A field of the type with a source at each port; bit k of `senses`: effort arrives at port k. */
static void run_field(const char *type, int senses, int arrows)
{
    char text[600];
    int n = snprintf(text, sizeof text, "%s{2|0.3|-0.5|0.3|1.5|0.4|-0.5|0.4|3}", type);

    for (int k = 0; k < N; k++) {
        bool is_e = (senses >> k & 1) != 0, is_in = (arrows >> k & 1) != 0;
        const char *source = is_e ? "Se" : "Sf";
        n += snprintf(text + n, sizeof text - (size_t) n, ";%s%d{%d + 0.5*sin(%d*t)}", source, k,
                      k + 1, k + 2);
        n += is_in ? snprintf(text + n, sizeof text - (size_t) n, ";%s%d>%s", source, k, type)
                   : snprintf(text + n, sizeof text - (size_t) n, ";%s>%s%d", type, source, k);
    }
    double error = run(text, 1.0, 1.0 / 512);
    ck_assert_msg(fabs(error) <= 1e-8, "%s: energy error %g", text, error);
}

/* Content or effort of row i of M times flow or effort at the ports. */
static double product(int i, const double *y)
{
    double sum = 0.0;

    for (int j = 0; j < N; j++) {
        sum += matrix[i][j] * y[j];
    }
    return sum;
}

/* x = M y at all times, and what arrives or is given is the derivative of x by differences. */
static void check_field(char type, int senses, int arrows)
{
    static const char *const numbers[N] = { "1", "2", "3" };
    double h = 1.0 / 512;
    char name[16], whole[2] = { type, '\0' };

    run_field(whole, senses, arrows);
    for (size_t row = 1; row + 1 < ha_result_n_rows(result); row += 50) {
        double e[N], f[N];
        for (int k = 0; k < N; k++) {
            double sign = (arrows >> k & 1) != 0 ? 1.0 : -1.0;
            snprintf(name, sizeof name, "%c.e%s", type, numbers[k]);
            e[k] = at(row, name);
            snprintf(name, sizeof name, "%c.f%s", type, numbers[k]);
            f[k] = sign * at(row, name);
        }
        for (int k = 0; k < N; k++) {
            if (type == 'R') {
                expect("e", row, e[k], product(k, f), 1e-10);
                continue;
            }
            snprintf(name, sizeof name, "%c.%c%s", type, type == 'C' ? 'q' : 'p', numbers[k]);
            double rate = (at(row + 1, name) - at(row - 1, name)) / (2 * h);
            expect("x", row, at(row, name), product(k, type == 'C' ? e : f), 1e-9);
            expect("x'", row, type == 'C' ? f[k] : e[k], rate, 1e-4);
        }
    }
}

START_TEST(a_field_takes_any_causality_at_any_port)
{
    check_field("CIR"[_i / 8], _i % 8, 7);
    check_field("CIR"[_i / 8], _i % 8, 5);
}
END_TEST

START_TEST(a_quadratic_energy_is_the_matrix)
{
    /* C = [[1, 0.2], [0.2, 3]], inverse [[3, -0.2], [-0.2, 1]] / 2.96 */
    static const char *const texts[2] = {
        "1a > C{1|0.2|0.2|3, q = 0.3|-0.1}; 1a > I1; C > 1b; 1b > I2{2}",
        "1a > C{energy = (3*q1^2 - 0.4*q1*q2 + q2^2)/5.92, q1 = 0.3, q2 = -0.1};"
        "1a > I1; C > 1b; 1b > I2{2}",
    };
    double end[2][2];

    for (int i = 0; i < 2; i++) {
        ck_assert_double_le(fabs(run(texts[i], 3.0, 0.5)), 1e-9);
        end[i][0] = at(ha_result_n_rows(result) - 1, "C.q1");
        end[i][1] = at(ha_result_n_rows(result) - 1, "C.e2");
    }
    ck_assert_double_eq_tol(end[0][0], end[1][0], 1e-8);
    ck_assert_double_eq_tol(end[0][1], end[1][1], 1e-8);
}
END_TEST

START_TEST(a_vector_bond_with_a_matrix_is_a_field)
{
    ck_assert_double_le(fabs(run("1 =2> C{1|0.2|0.2|3, q = 0.3|-0.1}; 1 =2> I", 1.0, 0.5)), 1e-9);
    double e1 = at(0, "C.e1"), e2 = at(0, "C.e2");
    expect("q1", 0, e1 + 0.2 * e2, 0.3, 1e-12);
    expect("q2", 0, 0.2 * e1 + 3 * e2, -0.1, 1e-12);
}
END_TEST

/* A solenoid: E = p1^2 / (2 L(q2)) + k q2^2 / 2 with L = L0 / (1 + q2 / a). */
START_TEST(a_storage_field_is_conservative)
{
    const char *text = "Se{sin(t)} > 1e; 1e > R{0.5}; 1e > IC{energy = p1^2*(1 + q2/0.3)/(2*0.8) + "
                       "50*q2^2/2, p1 = 0.2, q2 = 0.05}; 1m > IC; 1m > I{0.4}";

    ck_assert_double_le(fabs(run(text, 3.0, 0.1)), 1e-8); /* falls with the tolerance */
    for (size_t row = 0; row < ha_result_n_rows(result); row++) {
        double p = at(row, "IC.p1"), q = at(row, "IC.q2");
        expect("i", row, at(row, "IC.f1"), p * (1 + q / 0.3) / 0.8, 1e-9);
        expect("F", row, at(row, "IC.e2"), p * p / (2 * 0.8 * 0.3) + 50 * q, 1e-9);
    }
    ck_assert_double_eq(at(0, "IC.p1"), 0.2);
    ck_assert_double_eq(at(0, "IC.q2"), 0.05);
}
END_TEST

/* --- what is refused ------------------------------------------------------------------------- */

static const struct {
    const char *text, *says;
} refused[] = {
    { "Se > R{e = 2*t}", "its law gives the effort only" },
    { "Sf > 1; 1 > R{f = 2}", "its law gives the flow only" },
    { "Se > C{e = q^3}", "no slope at the start" },
    { "1 > C{e = q*t}", "reads `t`, which varies" },
    { "1 > C{e = f}", "there it must be a function of q" },
    { "1 > I{f = q}", "there it must be a function of p" },
    { "1 > C{f = q}", "takes no law `f = ...`" },
    { "1 > TF{e = 2} > 1b", "takes no law `e = ...`" },
    { "1 > C{3, e = q}", "has a value and a law" },
    { "1 > C{inverse = e}", "neither its effort nor its energy" },
    { "1 > IC", "has no energy" },
    { "1 > IC{2}", "has no value" },
    { "1 > C; 1 > C", "unless a matrix or an energy couples several" },
    { "1 > C{1|2|3|4}; 1b > C", "must be symmetric" },
    { "1 > C{1|2|2|1}; 1b > C", "not positive definite" },
    { "1 > I{1|t|t|1}; 1b > I", "an entry that varies" },
    { "Se > R{1|2|2|1}; 1b > R", "not positive definite" },
    { "1 > C{energy = q1^2}; 1b > C", "reads neither q2 nor p2" },
    { "1 > IC{energy = q1^2 + p1*q2}; 1b > IC", "reads both q1 and p1" },
    { "1 > C{q1 = 3}", "no such port" },
    { "Se > C{e = 3*q, inverse = e/2}",
      "does not undo its law: at q = 0.53 the law gives the effort "
      "1.59, for which the inverse gives q = 0.795, and there the "
      "law gives 2.385" },
    { "Se > C{energy = 3*q^2, inverse = e/3}", "does not undo its law" },
    { "Se > C{e = q^2, inverse = sqrt(e) + 1}", "does not undo its law" },
    { "1 > I{f = p^3, inverse = f^3}", "there the law gives" },
    { "1 > C{e = 2*q, energy = q^2/2, q = 0.5}",
      "its derivative is 0.53, and the law gives the effort 1.06" },
    { "1 > I{f = tanh(p), energy = 1 - cosh(p)}", "the energy of `I` is not that of its law" },
    { "Se > R{e = 2*f, f = 2*e}", "the two laws of `R` do not undo each other" },
    { "Se > R{e = 2*f*(1 + t), f = e/2}", "the two laws of `R` do not undo each other" },
    { "k = 3; Se > R{e = k*f, f = -e/k}", "the other gives" },
    { "1 > C{1|0.2|0.3|3}; 1b > C", "has 0.3 in row 2, column 1, and 0.2 the other way" },
    { "1 > C{e = q, e = 2*q}", "a second e" },
    { "1 > C{e = }", "a value is missing" },
};

/* A law that gives the other quantity is solved where nothing else is left, and only there. */
START_TEST(a_resistor_with_one_law_takes_the_other_sense)
{
    static const struct {
        const char *text, *asked;
        double is;
    } solved[] = {
        { "Se{3} > R{e = f + f^3}", "R.f", 1.2134116627622296 },
        { "Se{4} > R{e = f*abs(f)}", "R.f", 2.0 },
        { "Sf{-2} > 1; 1 > R{f = exp(e) - 3}", "R.e", 0.0 },
        { "Sf{2} > 1; 1 > R{f = 2*e}; 1 > I_a{1}", "R.e", 1.0 },
    };

    for (size_t i = 0; i < HA_COUNT(solved); i++) {
        run(solved[i].text, 1.0, 0.5);
        expect("end", ha_result_n_rows(result) - 1,
               at(ha_result_n_rows(result) - 1, solved[i].asked), solved[i].is, 1e-9);
    }
}
END_TEST

/* Laws that are given twice and agree: of one branch, of some range only, with rounded
   coefficients; of a matrix, where rounding makes the difference. */
START_TEST(laws_that_agree_are_taken)
{
    static const char *const texts[] = {
        "Se{1 + t} > C{e = q^2, inverse = sqrt(e)}",
        "Se{1 + t} > C{e = 200*max(0, q - 0.1), inverse = 0.1 + e/200}",
        "Se{1 + t} > C{e = exp(3*q), inverse = log(e)/3, energy = exp(3*q)/3}",
        "1 > I; 1 > C{e = 1 - 1/(1 + q), inverse = 1/(1 - e) - 1}",
        "Sf{t} > I{f = 3*p, inverse = 0.33333*f, energy = 1.5*p^2 + 7}",
        "Se{t} > I{energy = sqrt(1 + p^2), f = p/sqrt(1 + p^2), inverse = f/sqrt(1 - f^2)}",
        "Se{t} > R{e = 0.025*log(f/1e-12 + 1), f = 1e-12*(exp(e/0.025) - 1)}",
        "Se{t} > R{e = f*abs(f)/(1 + t), f = sign(e)*sqrt(abs(e)*(1 + t))}",
        "1 > C{1|0.1 + 0.2 - 0.3|0|3}; 1b > C; 1 > R1; 1b > R2",
    };

    for (size_t i = 0; i < HA_COUNT(texts); i++) {
        ck_assert_msg(try_compile(texts[i]) == HA_OK, "%s: %s", texts[i], last_text());
    }
}
END_TEST

/* The two transformers leave no effort but 0 at port 1, whose storage depends through the loop of
   the two. So q = C e is q2 = 3 e2, q1 = 0.2 e2, and I and port 2 swing with w^2 = 1/3. */
START_TEST(a_port_of_a_field_may_be_in_an_algebraic_loop)
{
    static const char text[] = "Se{sin(t)}>1s>R;1s>I1;1s>0x;0x>TF1{2}>0y;0x>TF2{3}>0y;"
                               "0y>C{1|0.2|0.2|3,q2=0.3};1w>C;1w>I2";
    char *equations_text = NULL;

    run(text, 2.0, 0.125);
    for (size_t row = 0; row < ha_result_n_rows(result); row++) {
        double q2 = 0.3 * cos(ha_result_value(result, row, 0) / sqrt(3.0));
        expect("q2", row, at(row, "C.q2"), q2, 1e-8);
        expect("q1", row, at(row, "C.q1"), 0.2 * q2 / 3.0, 1e-8);
        expect("e1", row, at(row, "C.e1"), 0.0, 1e-8);
    }
    ck_assert_int_eq(bg_equations_text(causality, &equations_text), HA_OK);
    ck_assert_msg(strstr(equations_text, "C.q1") != NULL, "%s", equations_text);
    ck_assert_msg(strstr(equations_text, "C.1.q") == NULL, "%s", equations_text);
    free(equations_text);
}
END_TEST

/* dF/dy and dF/dy' of laws in all places they can be in. */
START_TEST(the_jacobian_of_laws_is_that_of_central_differences)
{
    static const char *const texts[] = {
        "Se{sin(t)}>1>I{2};1>C{e=3*q+2*q^3,q=0.4};1>R{e=0.3*f*abs(f)}",
        "Se{sin(t)}>1>I{f=p/sqrt(1+p^2),p=0.5};1>C{energy=cosh(q),q=0.3}",
        ("Sf{2+sin(t)}>0>C{e=sinh(q),inverse=log(e+sqrt(e^2+1)),q=0.3};"
         "0>R{f=exp(e/2)-1,e=2*log(1+f)}"),
        "1>I1{2,p=1};1>I2{f=sinh(p),inverse=log(f+sqrt(f^2+1))};1>C",
        "Se{1}>1a>C{1|0.2|0.2|3,q=0.3|-0.1};1a>I1;C>1b;1b>I2{2};1b>R{2}",
        "Se{1}>0a>C{1|0.2|0.2|3};C>1b;1b>I2{2}",
        "Se{1}>1a>IC{energy=p1^2*(1+q2)/2+q2^2,q2=0.3};1b>IC;1b>I{2};1a>R",
        "Se{1}>1a>R{2|1|-1|3};1b>R;1b>I;1a>I2",
        "Se{sin(t)}>1s>R;1s>I1;1s>0x;0x>TF1{2}>0y;0x>TF2{3}>0y;0y>C{1|0.2|0.2|3,q2=0.3};1w>C;1w>I2",
        "Se{2}>1>R1{e=f+f^3};1>0;0>R2{f=e+e^3};0>R3{f=2*e+e^3}",
    };

    for (size_t i = 0; i < HA_COUNT(texts); i++) {
        ck_assert_msg(try_compile(texts[i]) == HA_OK, "%s: %s", texts[i], last_text());
        double error = jacobian_error(model);
        ck_assert_msg(error <= 2e-6, "%s: %g", texts[i], error);
    }
}
END_TEST

START_TEST(what_cannot_be_is_refused_with_its_reason)
{
    bool is_said = false;

    ck_assert_int_ne(try_compile(refused[_i].text), HA_OK);
    for (size_t i = 0; i < ha_ctx_n_diags(ctx); i++) {
        is_said = is_said || strstr(ha_ctx_diag(ctx, i)->text, refused[_i].says) != NULL;
    }
    ck_assert_msg(is_said, "%s: %s", refused[_i].text, last_text());
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("laws");
    TCase *laws_case = tcase_create("laws");
    TCase *fields = tcase_create("fields");

    tcase_add_checked_fixture(laws_case, set_up, tear_down);
    tcase_add_loop_test(laws_case, a_storage_obeys_its_law_and_stores_its_integral, 0,
                        (int) HA_COUNT(laws));
    tcase_add_test(laws_case, a_law_and_its_energy_give_the_same_motion);
    tcase_add_test(laws_case, an_inverse_law_allows_derivative_causality);
    tcase_add_test(laws_case, a_law_without_an_inverse_is_solved);
    tcase_add_test(laws_case, the_tolerance_of_a_momentum_is_scaled_by_the_inertia);
    tcase_add_test(laws_case, a_resistor_obeys_its_effort_law);
    tcase_add_test(laws_case, the_half_arrow_does_not_change_a_law);
    tcase_add_test(laws_case, a_resistor_with_both_laws_takes_either_sense);
    tcase_add_loop_test(laws_case, what_cannot_be_is_refused_with_its_reason, 0,
                        (int) HA_COUNT(refused));
    tcase_add_test(laws_case, a_resistor_with_one_law_takes_the_other_sense);
    tcase_add_test(laws_case, laws_that_agree_are_taken);
    tcase_add_test(laws_case, a_port_of_a_field_may_be_in_an_algebraic_loop);
    tcase_add_test(laws_case, the_jacobian_of_laws_is_that_of_central_differences);
    suite_add_tcase(suite, laws_case);

    tcase_add_checked_fixture(fields, set_up, tear_down);
    tcase_add_loop_test(fields, a_field_takes_any_causality_at_any_port, 0, 24);
    tcase_add_test(fields, an_energy_takes_any_causality_at_any_port);
    tcase_add_test(fields, a_quadratic_energy_is_the_matrix);
    tcase_add_test(fields, a_vector_bond_with_a_matrix_is_a_field);
    tcase_add_test(fields, a_storage_field_is_conservative);
    suite_add_tcase(suite, fields);
    return test_run(suite);
}
