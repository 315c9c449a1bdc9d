/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Submodels: an instance is the same as its elements written one by one, to the last bit; the
 * numbers are those of closed forms; what is refused, and with which words.
 */
#include <config.h>

#include "bondgraph/submodel.h"

#include "bondgraph/compact.h"
#include "bondgraph/export.h"
#include "bondgraph/model.h"
#include "tests/util/memory.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HERE ((ha_where){ "outer.bg", 7, 3 })

static const char motor_text[] =
    "Rm = 1.2 ohm; Lm = 2 mH; km = 0.05; Jm = 2e-5; bm = 1e-5\n"
    "1i > Ra{Rm}; 1i > Ia{Lm, p=1e-4}; 1i > GY{km} > 1m; 1m > Ij{Jm}; 1m > Rb{bm}";

static ha_ctx *ctx;
static bg_graph *graph;
static bg_submodel *submodel, *other;

static void set_up(void)
{
    ctx = ha_ctx_new();
    graph = bg_graph_new(ctx);
    submodel = other = NULL;
}

static void tear_down(void)
{
    bg_graph_free(graph);
    bg_submodel_free(submodel);
    bg_submodel_free(other);
    ha_ctx_free(ctx);
}

static void ok(ha_status status)
{
    ck_assert_msg(status == HA_OK, "%s: %s", ha_status_name(status),
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "no diagnostic");
}

/* One error with this status and these words. */
static void refused(ha_status status, ha_status expected, const char *words)
{
    ck_assert_msg(status == expected, "%s", ha_status_name(status));
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 1);
    ck_assert_msg(strstr(ha_ctx_diag(ctx, 0)->text, words) != NULL, "%s",
                  ha_ctx_diag(ctx, 0)->text);
}

static bg_submodel *make(const char *text, const char *name)
{
    bg_graph *body = bg_graph_new(ctx);

    ok(bg_compact_read(body, text, strlen(text), (ha_where){ "motor.bgl", 1, 1 }));
    bg_submodel *made = bg_submodel_new(body, name);
    ck_assert_ptr_nonnull(made);
    return made;
}

static void port(bg_submodel *of, const char *name, const char *inner)
{
    ok(bg_submodel_add_port(of, name, inner, HERE));
}

static bg_submodel *make_motor(void)
{
    bg_submodel *motor = make(motor_text, "motor");

    port(motor, "electric", "1i");
    port(motor, "shaft", "1m");
    return motor;
}

static ha_expr number(bg_graph *of, double value)
{
    return ha_constant(bg_graph_dag(of), value);
}

/* An instance with up to two parameters that differ. */
static ha_status instance(bg_graph *to, const bg_submodel *of, const char *name, const char *first,
                          ha_expr first_value, const char *second, ha_expr second_value)
{
    const bg_parameter_value values[2] = { { first, first_value, HERE },
                                           { second, second_value, HERE } };
    bg_instance_def def = bg_instance_def_default();
    bg_instance made = 0;

    def.name = name;
    def.submodel = of;
    def.parameters = values;
    def.n_parameters = (first != NULL) + (second != NULL);
    def.where = HERE;
    return bg_graph_add_instance(to, &def, &made);
}

static ha_status plain(bg_graph *to, const bg_submodel *of, const char *name)
{
    return instance(to, of, name, NULL, HA_EXPR_NONE, NULL, HA_EXPR_NONE);
}

static bg_element element(bg_graph *to, const char *type, const char *name, ha_expr value)
{
    bg_element_def def = bg_element_def_default();
    bg_element made = -1;

    def.type = type;
    def.name = name;
    def.value = &value;
    def.n_values = value == HA_EXPR_NONE ? 0 : 1;
    ok(bg_graph_add_element(to, &def, &made));
    return made;
}

static ha_status bond(bg_graph *to, const char *tail, const char *head)
{
    bg_bond made = 0;

    return bg_graph_add_named_bond(to, tail, head, HERE, &made);
}

static void chain(bg_graph *to, const char *tail, const char *middle, const char *head)
{
    ok(bond(to, tail, middle));
    ok(bond(to, middle, head));
}

/* Two motors drive a load through a differential: its speed is half the sum of theirs. */
static void add_load(bg_graph *to)
{
    element(to, "Se", "V", number(to, 12.0));
    element(to, "0", "0v", HA_EXPR_NONE);
    element(to, "TF", "n1", number(to, 0.5));
    element(to, "TF", "n2", number(to, 0.5));
    element(to, "0", "0d", HA_EXPR_NONE);
    element(to, "1", "1l", HA_EXPR_NONE);
    element(to, "I", "load", number(to, 1e-3));
    element(to, "R", "drag", number(to, 4e-3));
    ok(bond(to, "V", "0v"));
    ok(bond(to, "0d", "1l"));
    ok(bond(to, "1l", "load"));
    ok(bond(to, "1l", "drag"));
}

/* The motor written one by one, under the names that an instance has. */
static void add_flat_motor(bg_graph *to, const char *name, double resistance)
{
    const double values[] = { 0.0, resistance, 2e-3, 0.05, 0.0, 2e-5, 1e-5 };
    static const char *const types[] = { "1", "R", "I", "GY", "1", "I", "R" };
    static const char *const parts[] = { "1i", "Ra", "Ia", "GY", "1m", "Ij", "Rb" };
    static const int bonds[][2] = { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 3, 4 }, { 4, 5 }, { 4, 6 } };
    bg_element made[7];
    bg_bond added = 0;

    for (int i = 0; i < 7; i++) {
        char full[32];
        snprintf(full, sizeof full, "%s.%s", name, parts[i]);
        made[i] =
            element(to, types[i], full, types[i][0] == '1' ? HA_EXPR_NONE : number(to, values[i]));
    }
    ha_expr start = number(to, 1e-4);
    ok(bg_graph_set_start(to, made[2], &start));
    for (size_t i = 0; i < HA_COUNT(bonds); i++) {
        ok(bg_graph_add_bond(to, made[bonds[i][0]], made[bonds[i][1]], 1, HERE, &added));
    }
}

static ha_result *simulate(bg_graph *of, double t_end)
{
    bg_run_options options = bg_run_options_default();
    ha_result *result = ha_result_new(ctx);

    options.solver.t_end = t_end;
    options.solver.rtol = options.solver.atol = 1e-10;
    ok(bg_graph_add_element_outputs(of));
    ok(bg_simulate(of, &options, result, NULL));
    return result;
}

static double last(const ha_result *result, const char *name)
{
    int column = ha_result_find(result, name);

    ck_assert_msg(column >= 0, "no output %s", name);
    return ha_result_value(result, ha_result_n_rows(result) - 1, (size_t) column);
}

static void two_motors(bg_graph *to)
{
    add_load(to);
    ok(plain(to, submodel, "M1"));
    ok(instance(to, submodel, "M2", "Rm", number(to, 2.0), NULL, HA_EXPR_NONE));
    ok(bond(to, "0v", "M1.electric"));
    ok(bond(to, "0v", "M2.electric"));
    chain(to, "M1.shaft", "n1", "0d");
    chain(to, "M2.shaft", "n2", "0d");
}

/* The same without submodels, bonded through the elements' numbers. */
static void two_flat_motors(bg_graph *to)
{
    add_load(to);
    add_flat_motor(to, "M1", 1.2);
    add_flat_motor(to, "M2", 2.0);
    ok(bond(to, "0v", "M1.1i"));
    ok(bond(to, "0v", "M2.1i"));
    chain(to, "M1.1m", "n1", "0d");
    chain(to, "M2.1m", "n2", "0d");
}

/* Same names, same order, same numbers: every row is the same to the last bit. */
START_TEST(instances_give_what_the_flat_graph_gives)
{
    bg_graph *flat = bg_graph_new(ctx);

    submodel = make_motor();
    two_motors(graph);
    two_flat_motors(flat);
    ha_result *a = simulate(graph, 0.05), *b = simulate(flat, 0.05);
    ck_assert_uint_eq(ha_result_n_columns(a), ha_result_n_columns(b));
    ck_assert_uint_eq(ha_result_n_rows(a), ha_result_n_rows(b));
    ck_assert_uint_gt(ha_result_n_columns(a), 30);
    for (size_t i = 0; i < ha_result_n_rows(a); i++) {
        for (size_t k = 0; k < ha_result_n_columns(a); k++) {
            double x = ha_result_value(a, i, k), y = ha_result_value(b, i, k);
            ck_assert_str_eq(ha_result_name(a, k), ha_result_name(b, k));
            ck_assert_msg(memcmp(&x, &y, sizeof x) == 0, "row %zu, %s: %.17g and %.17g", i,
                          ha_result_name(a, k), x, y);
        }
    }
    ha_result_free(a);
    ha_result_free(b);
    bg_graph_free(flat);
}
END_TEST

/*
 * At rest of the currents: U = R i + k w, k i = b w + T/2 for each motor, T = d (w1 + w2)/2. With
 * a = k^2/R + b and c = k U/R: a w = c - T/2.
 */
START_TEST(two_motors_on_a_differential_settle_where_the_balance_says)
{
    const double U = 12.0, k = 0.05, d = 4e-3, R[2] = { 1.2, 2.0 };
    double a[2], c[2];

    submodel = make_motor();
    two_motors(graph);
    ha_result *result = simulate(graph, 30.0);
    for (int i = 0; i < 2; i++) {
        a[i] = k * k / R[i] + 1e-5;
        c[i] = k * U / R[i];
    }
    /* T (1 + d/4 (1/a1 + 1/a2)) = d/2 (c1/a1 + c2/a2) */
    double T = d / 2 * (c[0] / a[0] + c[1] / a[1]) / (1 + d / 4 * (1 / a[0] + 1 / a[1]));
    ck_assert_double_eq_tol(last(result, "drag.e"), T, 1e-7 * T);
    ck_assert_double_eq_tol(last(result, "M1.Ij.f"), (c[0] - T / 2) / a[0], 1e-5);
    ck_assert_double_eq_tol(last(result, "M2.Ij.f"), (c[1] - T / 2) / a[1], 1e-5);
    ha_result_free(result);
}
END_TEST

/* A transformer of ratio n behind an inertia J, whose port is the one left free. */
static bg_submodel *make_stage(void)
{
    bg_submodel *stage = make("n = 3; J = 1; 1a > I{J}; 1a > TF{n}", "stage");

    port(stage, "in", "1a");
    port(stage, "out", "TF");
    return stage;
}

/* Two stages in a row, the first with the gearbox's own ratio and half its inertia. */
static bg_submodel *make_gearbox(const bg_submodel *stage)
{
    bg_submodel *box = make("n1 = 2; J = 4", "gearbox");
    bg_graph *body = bg_submodel_body(box);
    ha_expr n1 = bg_graph_lookup(body, "n1"), J = bg_graph_lookup(body, "J");

    ok(instance(body, stage, "s1", "n", n1, "J", ha_div(bg_graph_dag(body), J, number(body, 2.0))));
    ok(plain(body, stage, "s2"));
    ok(bond(body, "s1.out", "s2.in"));
    port(box, "in", "s1.in");
    port(box, "out", "s2.out");
    return box;
}

/* An effort of 10 on J1 + n1^2 J2 + n1^2 n2^2 J3 from rest. */
static void check_gearbox(const char *name, double n1, double J1, double n2, double J2)
{
    char output[32];
    double inertia = J1 + n1 * n1 * J2 + n1 * n1 * n2 * n2 * 2.0;

    element(graph, "Se", "drive", number(graph, 10.0));
    element(graph, "I", "load", number(graph, 2.0));
    ok(bond(graph, "drive", "G.in"));
    ok(bond(graph, "G.out", "load"));
    ha_result *result = simulate(graph, 0.5);
    snprintf(output, sizeof output, "%s.s1.I.f", name);
    ck_assert_double_eq_tol(last(result, output), 5.0 / inertia, 1e-9);
    ck_assert_double_eq_tol(last(result, "load.f"), n1 * n2 * 5.0 / inertia, 1e-9);
    ha_result_free(result);
}

START_TEST(instances_of_instances_pass_parameters_and_ports_on)
{
    submodel = make_stage();
    other = make_gearbox(submodel);
    ok(plain(graph, other, "G"));
    ck_assert_int_eq(bg_graph_n_instances(graph), 3);
    ck_assert_str_eq(bg_instance_name(graph, 0), "G");
    ck_assert_str_eq(bg_instance_name(graph, 2), "G.s2");
    ck_assert_str_eq(bg_instance_submodel_name(graph, 0), "gearbox");
    ck_assert_str_eq(bg_instance_submodel_name(graph, 1), "stage");
    check_gearbox("G", 2.0, 2.0, 3.0, 1.0);
}
END_TEST

START_TEST(parameters_reach_into_inner_instances)
{
    submodel = make_stage();
    other = make_gearbox(submodel);
    ok(instance(graph, other, "G", "n1", number(graph, 5.0), "s2.J", number(graph, 0.5)));
    check_gearbox("G", 5.0, 2.0, 3.0, 0.5);
}
END_TEST

/* Port 1 has e1 = n e2, f2 = n f1, whichever is bonded first inside. */
START_TEST(ports_of_two_ports_are_those_that_were_named)
{
    static const char *const outs[] = { "TF.1", "TF.2" };

    /* the source inside takes the port that is left; e at R: from 1 to 2 e2 = e1/4, else e1 = 4 e2
     */
    for (size_t i = 0; i < HA_COUNT(outs); i++) {
        double e = i == 0 ? 4.0 : 0.25;
        bg_graph *g = bg_graph_new(ctx);
        bg_submodel *s = make("Se{1} > TF{4}", "ratio");
        port(s, "out", outs[i]);
        ok(plain(g, s, "S"));
        element(g, "R", "R", number(g, 1.0));
        ok(bond(g, "S.out", "R"));
        ha_result *result = simulate(g, 1.0);
        ck_assert_double_eq_tol(fabs(last(result, "R.e")), e, 1e-12);
        ck_assert_double_eq_tol(fabs(last(result, "S.Se.f")), e * e, 1e-12);
        ha_result_free(result);
        bg_graph_free(g);
        bg_submodel_free(s);
    }
}
END_TEST

/* Both ports of a transformer go out, the second is bonded first. */
START_TEST(ports_do_not_depend_on_the_order_of_bonds)
{
    submodel = make("TF{4}", "ratio");
    port(submodel, "a", "TF.1");
    port(submodel, "b", "TF.2");
    ok(plain(graph, submodel, "S"));
    element(graph, "Se", "Se", number(graph, 1.0));
    element(graph, "R", "R", number(graph, 1.0));
    ok(bond(graph, "S.b", "R"));
    ok(bond(graph, "Se", "S.a"));
    ha_result *result = simulate(graph, 1.0);
    ck_assert_double_eq_tol(last(result, "R.e"), 0.25, 1e-12);
    ck_assert_double_eq_tol(last(result, "S.TF.e1"), 1.0, 1e-12);
    ck_assert_double_eq_tol(last(result, "S.TF.e2"), 0.25, 1e-12);
    ha_result_free(result);
}
END_TEST

/* A port may have the name of the element that it is at, passed on or not. */
START_TEST(ports_may_be_called_as_elements)
{
    submodel = make("1a > R{2}", "m");
    port(submodel, "1a", "1a");
    other = make("", "outer");
    ok(plain(bg_submodel_body(other), submodel, "x"));
    port(other, "1a", "x.1a");
    ok(plain(graph, other, "M"));
    element(graph, "Se", "Se", number(graph, 3.0));
    ok(bond(graph, "Se", "M.1a"));
    ha_result *result = simulate(graph, 1.0);
    ck_assert_double_eq(last(result, "M.x.R.f"), 1.5);
    ha_result_free(result);
    refused(bond(graph, "Se", "M.x.1a"), HA_ERR_NAME, "inside of an instance");
}
END_TEST

/* m v' = -k v + sin(w t) inside; v of the closed form, and outputs and rates of the body. */
START_TEST(expressions_in_a_body_mean_what_is_inside)
{
    submodel = make("m = 2; k = 3; MSe{sin(t) - k*I.f} > 1; 1 > I{m}", "servo");
    bg_graph *body = bg_submodel_body(submodel);
    ha_expr v = bg_graph_lookup(body, "I.f");
    ok(bg_graph_add_output(body, "speed", "m/s", v));
    ok(bg_graph_add_output(
        body, "force", "N",
        ha_mul(bg_graph_dag(body), bg_graph_lookup(body, "m"), bg_graph_rate(body, v, "a"))));
    port(submodel, "end", "1");
    for (int i = 0; i < 2; i++) {
        const char *name = i == 0 ? "A" : "B";
        char source[8], end[8];
        ok(i == 0
               ? plain(graph, submodel, name)
               : instance(graph, submodel, name, "m", number(graph, 5.0), "k", number(graph, 0.5)));
        snprintf(source, sizeof source, "Se%s", name);
        snprintf(end, sizeof end, "%s.end", name);
        element(graph, "Se", source, number(graph, 0.0));
        ok(bond(graph, source, end));
    }
    ha_result *result = simulate(graph, 2.0);
    for (int i = 0; i < 2; i++) {
        double m = i == 0 ? 2.0 : 5.0, k = i == 0 ? 3.0 : 0.5, n = m * m + k * k, t = 2.0;
        double x = (k * sin(t) - m * cos(t) + m * exp(-k * t / m)) / n;
        ck_assert_double_eq_tol(last(result, i == 0 ? "A.speed" : "B.speed"), x, 1e-8);
        ck_assert_double_eq_tol(last(result, i == 0 ? "A.force" : "B.force"), sin(t) - k * x, 1e-7);
    }
    ha_result_free(result);
}
END_TEST

/* An instance is a copy of what its submodel was. */
START_TEST(instances_live_without_their_submodel)
{
    submodel = make_motor();
    two_motors(graph);
    bg_submodel_free(submodel);
    submodel = NULL;
    ha_result *result = simulate(graph, 0.01);
    ck_assert(last(result, "M1.Ij.f") > 0.0);
    ha_result_free(result);
}
END_TEST

/* A multibond port has the components of its element. */
START_TEST(ports_may_have_several_components)
{
    submodel = make("m = 2; 1a=2>I{m|3}", "mass");
    port(submodel, "at", "1a");
    ok(plain(graph, submodel, "M"));
    bg_element_def def = bg_element_def_default();
    bg_element source = 0;
    ha_expr force[2] = { number(graph, 4.0), number(graph, 9.0) };
    def.type = "Se";
    def.name = "F";
    def.dim = 2;
    def.value = force;
    def.n_values = 2;
    ok(bg_graph_add_element(graph, &def, &source));
    ok(bond(graph, "F", "M.at"));
    ha_result *result = simulate(graph, 1.0);
    ck_assert_double_eq_tol(last(result, "M.I.1.f"), 2.0, 1e-9);
    ck_assert_double_eq_tol(last(result, "M.I.2.f"), 3.0, 1e-9);
    ha_result_free(result);
    element(graph, "Se", "one", number(graph, 1.0));
    refused(bond(graph, "one", "M.at"), HA_ERR_VALUE, "1 component at its tail and 2 at its head");
}
END_TEST

/* --- what is refused ------------------------------------------------------------------------ */

START_TEST(a_port_without_bond_is_named)
{
    bg_causality *causality = NULL;

    submodel = make_motor();
    ok(plain(graph, submodel, "M1"));
    element(graph, "Se", "V", number(graph, 1.0));
    ok(bond(graph, "V", "M1.electric"));
    refused(bg_causality_assign(graph, &causality), HA_ERR_VALUE,
            "port `shaft` of `M1` has no bond");
    ck_assert_int_eq(ha_ctx_diag(ctx, 0)->where.line, 7);
}
END_TEST

START_TEST(an_unknown_port_is_refused_with_the_nearest)
{
    submodel = make_motor();
    ok(plain(graph, submodel, "M1"));
    element(graph, "1", "1x", HA_EXPR_NONE);
    refused(bond(graph, "M1.shat", "1x"), HA_ERR_NAME, "did you mean `shaft`?");
    ha_ctx_clear(ctx);
    refused(bond(graph, "M1.q", "1x"), HA_ERR_NAME, "it has `electric`, `shaft`");
    ha_ctx_clear(ctx);
    refused(bond(graph, "M1", "1x"), HA_ERR_NAME, "the instance `M1` as a whole");
    ha_ctx_clear(ctx);
    refused(bond(graph, "M1.1m", "1x"), HA_ERR_NAME, "has no port `1m`");
    ha_ctx_clear(ctx);
    refused(bond(graph, "M1.Ra.x", "1x"), HA_ERR_NAME, "`M1.Ra.x`, which is no element");
    ha_ctx_clear(ctx);
    refused(bond(graph, "M2.shaft", "1x"), HA_ERR_NAME, "`M2.shaft`, which is no element");
    ha_ctx_clear(ctx);
    bg_bond made = 0;
    refused(bg_graph_add_bond(graph, bg_graph_find(graph, "M1.1m"), bg_graph_find(graph, "1x"), 1,
                              HERE, &made),
            HA_ERR_VALUE, "`M1.1m` is inside of an instance");
}
END_TEST

START_TEST(a_port_at_an_element_takes_one_bond)
{
    submodel = make_stage();
    ok(plain(graph, submodel, "S"));
    element(graph, "1", "1x", HA_EXPR_NONE);
    element(graph, "1", "1y", HA_EXPR_NONE);
    chain(graph, "1x", "S.in", "1y"); /* a junction takes both */
    ok(bond(graph, "S.out", "1x"));
    refused(bond(graph, "S.out", "1y"), HA_ERR_VALUE, "port `out` of `S` is bonded a second time");
}
END_TEST

START_TEST(ports_must_have_a_place)
{
    submodel = make("1a > TF{2} > 1b; 1a > I; 1b > R", "gear");
    refused(bg_submodel_add_port(submodel, "x", "1c", HERE), HA_ERR_NAME, "did you mean `1a`?");
    ha_ctx_clear(ctx);
    refused(bg_submodel_add_port(submodel, "x", "TF.3", HERE), HA_ERR_NAME, "which has 2 ports");
    ha_ctx_clear(ctx);
    refused(bg_submodel_add_port(submodel, "x", "TF.one", HERE), HA_ERR_NAME, "numbered from 1");
    ha_ctx_clear(ctx);
    refused(bg_submodel_add_port(submodel, "x", "1a.1", HERE), HA_ERR_NAME, "have no numbers");
    ha_ctx_clear(ctx);
    refused(bg_submodel_add_port(submodel, "a.b", "1a", HERE), HA_ERR_NAME, "without a dot");
    ha_ctx_clear(ctx);
    port(submodel, "x", "1a");
    refused(bg_submodel_add_port(submodel, "x", "1b", HERE), HA_ERR_NAME, "two ports `x`");
    ha_ctx_clear(ctx);
    port(submodel, "y", "1a"); /* a junction has room for two */
    port(submodel, "r", "R");
    refused(bg_submodel_add_port(submodel, "s", "R", HERE), HA_ERR_VALUE, "same port of `R`");
    ha_ctx_clear(ctx);
    port(submodel, "n", "TF");
    refused(bg_submodel_add_port(submodel, "m", "TF", HERE), HA_ERR_VALUE, "`T.1` and `T.2`");
    ha_ctx_clear(ctx);
    /* bonded inside, both of them: nothing is left */
    refused(plain(graph, submodel, "G"), HA_ERR_VALUE, "none left");
    ck_assert_str_eq(ha_ctx_diag(ctx, ha_ctx_n_diags(ctx) - 1)->text,
                     "in the instance `G` of the submodel `gear`");
}
END_TEST

START_TEST(parameters_must_be_known_and_constant)
{
    submodel = make_motor();
    refused(instance(graph, submodel, "M", "Rn", number(graph, 1.0), NULL, HA_EXPR_NONE),
            HA_ERR_NAME, "did you mean `Rm`?");
    ha_ctx_clear(ctx);
    refused(instance(graph, submodel, "M", "Rm", bg_graph_time(graph), NULL, HA_EXPR_NONE),
            HA_ERR_VALUE, "parameter `Rm` of the instance `M` is no finite constant");
}
END_TEST

/* The default is fine, this instance is not: the error is at the definition, the note at the use.
 */
START_TEST(a_value_out_of_range_names_the_element_and_the_instance)
{
    submodel = make_motor();
    refused(instance(graph, submodel, "M7", "Jm", number(graph, -1.0), NULL, HA_EXPR_NONE),
            HA_ERR_VALUE, "the value of `M7.Ij` is -1");
    ck_assert_str_eq(ha_ctx_diag(ctx, 0)->where.file, "motor.bgl");
    ck_assert_int_eq(ha_ctx_diag(ctx, 0)->where.line, 2);
    ck_assert_int_eq(ha_ctx_diag(ctx, 1)->severity, HA_NOTE);
    ck_assert_int_eq(ha_ctx_diag(ctx, 1)->where.line, 7);
    ck_assert_str_eq(ha_ctx_diag(ctx, 1)->text, "in the instance `M7` of the submodel `motor`");
}
END_TEST

START_TEST(names_of_instances_are_their_own)
{
    bg_element_def def = bg_element_def_default();
    bg_element made = 0;

    submodel = make_motor();
    element(graph, "1", "M", HA_EXPR_NONE);
    refused(plain(graph, submodel, "M"), HA_ERR_NAME, "taken already");
    ha_ctx_clear(ctx);
    refused(plain(graph, submodel, "a.b"), HA_ERR_NAME, "without a dot");
    ha_ctx_clear(ctx);
    ok(plain(graph, submodel, "N"));
    refused(plain(graph, submodel, "N"), HA_ERR_NAME, "taken already");
    ha_ctx_clear(ctx);
    def.type = "1";
    def.name = "N";
    refused(bg_graph_add_element(graph, &def, &made), HA_ERR_NAME, "an element and an instance");
}
END_TEST

START_TEST(a_submodel_is_no_part_of_itself)
{
    submodel = make_motor();
    refused(plain(bg_submodel_body(submodel), submodel, "M"), HA_ERR_ARGUMENT, "contain itself");
}
END_TEST

/* 2^24 elements of a few lines. */
START_TEST(growth_by_powers_is_refused)
{
    bg_submodel *levels[24] = { make("1a > R", "level0") };
    ha_status status = HA_OK;
    int n = 1;

    for (; n < 24 && status == HA_OK; n++) {
        levels[n] = make("", "level");
        status = plain(bg_submodel_body(levels[n]), levels[n - 1], "a");
        status = status == HA_OK ? plain(bg_submodel_body(levels[n]), levels[n - 1], "b") : status;
    }
    refused(status, HA_ERR_LIMIT, "inside each other");
    while (n-- > 0) {
        bg_submodel_free(levels[n]);
    }
}
END_TEST

/* --- pictures ------------------------------------------------------------------------------- */

static char *picture(bg_graph *of, bg_draw_level level)
{
    bg_draw_options options = bg_draw_options_default();
    char *text = NULL;

    options.level = level;
    ok(bg_graph_dot(of, NULL, &options, &text));
    return text;
}

static void has(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "no %s in\n%s", part, text);
}

START_TEST(words_are_instances_with_their_ports)
{
    submodel = make_motor();
    two_motors(graph);
    char *text = picture(graph, BG_DRAW_WORD);
    has(text, "<M1<br/>");
    has(text, ">motor</font>>");
    has(text, "\"0v\" -> \"M1\" [arrowhead=rvee, arrowtail=none, color=\"#111827\", "
              "headlabel=\"electric\"");
    has(text,
        "\"M2\" -> \"n2\" [arrowhead=rvee, arrowtail=none, color=\"#111827\", taillabel=\"shaft\"");
    ck_assert_ptr_null(strstr(text, "M1."));
    free(text);
}
END_TEST

START_TEST(boxes_of_inner_instances_are_inside)
{
    submodel = make_stage();
    other = make_gearbox(submodel);
    ok(plain(graph, other, "G"));
    element(graph, "Se", "Se", HA_EXPR_NONE);
    element(graph, "R", "R", HA_EXPR_NONE);
    ok(bond(graph, "Se", "G.in"));
    ok(bond(graph, "G.out", "R"));
    for (int level = BG_DRAW_MULTIBOND; level <= BG_DRAW_SCALAR; level++) {
        char *text = picture(graph, (bg_draw_level) level);
        has(text, "  subgraph \"cluster_1\" {\n    label=\"G\";\n    subgraph \"cluster_2\" {\n"
                  "      label=\"s1\";\n");
        has(text, "    }\n    subgraph \"cluster_3\" {\n      label=\"s2\";\n");
        free(text);
    }
}
END_TEST

/* --- memory --------------------------------------------------------------------------------- */

static ha_status build(bg_submodel **stage, bg_submodel **box, bg_graph **out)
{
    static const char text[] = "n = 3; J = 1; 1a > I{J}; 1a > TF{n*I.f}";
    bg_parameter_value value = { "s.n", HA_EXPR_NONE, HERE };
    bg_instance_def def = bg_instance_def_default();
    bg_graph *body = bg_graph_new(ctx), *outer = bg_graph_new(ctx);
    bg_instance made = 0;
    bg_bond bonded = 0;
    ha_status status = body == NULL || outer == NULL
                           ? HA_ERR_MEMORY
                           : bg_compact_read(body, text, sizeof text - 1, HERE);

    *stage = status == HA_OK ? bg_submodel_new(body, "stage") : NULL;
    *box = outer == NULL ? NULL : bg_submodel_new(outer, "box");
    if (*stage == NULL) {
        bg_graph_free(body);
    }
    if (*box == NULL) {
        bg_graph_free(outer);
    }
    HA_TRY(*stage == NULL || *box == NULL ? HA_ERR_MEMORY : HA_OK);
    HA_TRY(bg_submodel_add_port(*stage, "in", "1a", HERE));
    HA_TRY(bg_submodel_add_port(*stage, "out", "TF", HERE));
    def.name = "s";
    def.submodel = *stage;
    HA_TRY(bg_graph_add_instance(outer, &def, &made));
    HA_TRY(bg_submodel_add_port(*box, "out", "s.out", HERE));
    HA_TRY(bg_submodel_add_port(*box, "in", "s.in", HERE));
    *out = bg_graph_new(ctx);
    HA_TRY(*out == NULL ? HA_ERR_MEMORY : HA_OK);
    value.value = ha_constant(bg_graph_dag(*out), 2.0);
    HA_TRY(ha_dag_status(bg_graph_dag(*out)));
    def.name = "G";
    def.submodel = *box;
    def.parameters = &value;
    def.n_parameters = 1;
    HA_TRY(bg_graph_add_instance(*out, &def, &made));

    bg_element_def end = bg_element_def_default();
    bg_element added = 0;
    end.type = "1";
    end.name = "x";
    HA_TRY(bg_graph_add_element(*out, &end, &added));
    return bg_graph_add_named_bond(*out, "G.out", "x", HERE, &bonded);
}

static ha_status build_again(void *user)
{
    bg_submodel *stage = NULL, *box = NULL;
    bg_graph *out = NULL;
    ha_status status = build(&stage, &box, &out);

    (void) user;
    bg_graph_free(out);
    bg_submodel_free(box);
    bg_submodel_free(stage);
    return status;
}

START_TEST(every_allocation_may_fail)
{
    ck_assert_uint_gt(memory_survives(ctx, 0, build_again, NULL), 60);
}
END_TEST

/* What the user is to be told goes into an instance, too. */
START_TEST(what_a_value_of_0_means_goes_into_an_instance)
{
    static const char *const if_zero[] = { "the rotor weighs nothing" };
    bg_graph *body = bg_graph_new(ctx);
    const char text[] = "J = 0; 1m > Ij{J}";
    bg_causality *causality = NULL;
    bg_equations *equations = NULL;
    bg_model *model = NULL;

    ok(bg_compact_read(body, text, strlen(text), (ha_where){ "rotor.bgl", 1, 1 }));
    ok(bg_graph_set_if_zero(body, bg_graph_find(body, "Ij"), if_zero));
    submodel = bg_submodel_new(body, "rotor");
    port(submodel, "shaft", "1m");
    ok(plain(graph, submodel, "M"));
    element(graph, "Se", "T", number(graph, 1.0));
    element(graph, "R", "drag", number(graph, 2.0));
    ok(bond(graph, "T", "M.shaft"));
    ok(bond(graph, "M.shaft", "drag"));

    ok(bg_causality_assign(graph, &causality));
    ok(bg_equations_derive(causality, &equations));
    ok(bg_model_compile(equations, NULL, 0, &model));
    ck_assert_int_eq(bg_model_dae(model)->n_absences, 1);
    ck_assert_str_eq(bg_model_dae(model)->absences[0].text, "the rotor weighs nothing");
    bg_model_free(model);
    bg_equations_free(equations);
    bg_causality_free(causality);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("submodel");
    TCase *tcase = tcase_create("submodel");
    const TTest *const tests[] = {
        instances_give_what_the_flat_graph_gives,
        two_motors_on_a_differential_settle_where_the_balance_says,
        instances_of_instances_pass_parameters_and_ports_on,
        parameters_reach_into_inner_instances,
        ports_of_two_ports_are_those_that_were_named,
        ports_do_not_depend_on_the_order_of_bonds,
        ports_may_be_called_as_elements,
        expressions_in_a_body_mean_what_is_inside,
        instances_live_without_their_submodel,
        ports_may_have_several_components,
        a_port_without_bond_is_named,
        an_unknown_port_is_refused_with_the_nearest,
        a_port_at_an_element_takes_one_bond,
        ports_must_have_a_place,
        parameters_must_be_known_and_constant,
        a_value_out_of_range_names_the_element_and_the_instance,
        names_of_instances_are_their_own,
        a_submodel_is_no_part_of_itself,
        what_a_value_of_0_means_goes_into_an_instance,
        growth_by_powers_is_refused,
        words_are_instances_with_their_ports,
        boxes_of_inner_instances_are_inside,
        every_allocation_may_fail,
    };

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    for (size_t i = 0; i < HA_COUNT(tests); i++) {
        tcase_add_test(tcase, tests[i]);
    }
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
