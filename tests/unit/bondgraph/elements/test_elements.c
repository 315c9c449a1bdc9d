/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conformance of every row of bondgraph/elements.def, and of registered types of each kind by the
 * same tests. An element is bonded to a source at each
 * port: an effort source where its rule lets effort arrive, else a flow source; the half arrows are
 * drawn all ways. What comes out of a short run is compared with the textbook law written down
 * here, by type, in terms of the efforts and flows at the ports in their natural direction.
 */
#include <config.h>

#include "bondgraph/graph/element.h"
#include "bondgraph/model.h"

#include "tests/unit/bondgraph/registered.h"
#include "tests/util/util.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PORTS = 4 };

enum {
#define X(type) +1
    N_TYPES = N_REGISTERED
#include "bondgraph/elements.def"
#undef X
};

static ha_ctx *ctx;
static bg_graph *graph;

static void set_up(void)
{
    ctx = ha_ctx_new();
    ck_assert_int_eq(register_types(ctx), HA_OK);
    graph = bg_graph_new(ctx);
    ck_assert_ptr_nonnull(graph);
}

static void tear_down(void)
{
    bg_graph_free(graph);
    graph = NULL;
    ha_ctx_free(ctx);
}

static void start_anew(void)
{
    bg_graph_free(graph);
    ha_ctx_clear(ctx);
    graph = bg_graph_new(ctx);
    ck_assert_ptr_nonnull(graph);
}

/* The last diagnostic, "" when there is none. */
static const char *last_text(void)
{
    size_t n = ha_ctx_n_diags(ctx);

    return n == 0 ? "" : ha_ctx_diag(ctx, n - 1)->text;
}

static ha_expr number(double x)
{
    return ha_constant(bg_graph_dag(graph), x);
}

static ha_status try_add(const char *type, const char *name, ha_expr value, bg_element *out)
{
    bg_element_def def = bg_element_def_default();

    def.type = type;
    def.name = name;
    def.value = &value;
    def.n_values = value == HA_EXPR_NONE ? 0 : 1;
    return bg_graph_add_element(graph, &def, out);
}

static bg_element add(const char *type, const char *name, ha_expr value)
{
    bg_element added = -1;

    ck_assert_msg(try_add(type, name, value, &added) == HA_OK, "%s: %s", name, last_text());
    return added;
}

static void bond(bg_element tail, bg_element head)
{
    bg_bond added = -1;

    ck_assert_msg(bg_graph_add_bond(graph, tail, head, 1, HA_NOWHERE, &added) == HA_OK, "%s",
                  last_text());
}

static bool is_junction(const bg__type *type)
{
    return type->max_ports == 0;
}

/* --- ports, values, names -------------------------------------------------------------------- */

/* The type bonded `n` times, each time to a junction. */
static void bond_to_junctions(bg_element element, int n)
{
    for (int i = 0; i < n; i++) {
        char name[24];
        snprintf(name, sizeof name, "0j%d", i);
        bond(element, add("0", name, HA_EXPR_NONE));
    }
}

START_TEST(too_few_bonds_are_refused_by_name)
{
    const bg__type *type = bg__type_at(ctx, (size_t) _i);

    for (int n = 0; n < type->min_ports; n++) {
        bg_causality *causality = NULL;
        start_anew();
        bond_to_junctions(add(type->name, "tested", HA_EXPR_NONE), n);
        ck_assert_int_eq(bg_causality_assign(graph, &causality), HA_ERR_VALUE);
        ck_assert_ptr_null(causality);
        ck_assert_uint_eq(ha_ctx_n_errors(ctx), 1);
        ck_assert_msg(strstr(last_text(), "`tested`") != NULL, "%s", last_text());
    }
}
END_TEST

START_TEST(too_many_bonds_are_refused_by_name)
{
    const bg__type *type = bg__type_at(ctx, (size_t) _i);
    int n = is_junction(type) ? 1000 : type->max_ports;
    bg_element element = add(type->name, "tested", HA_EXPR_NONE), other = -1;
    bg_bond added = -77;

    bond_to_junctions(element, n);
    ck_assert_int_eq(bg_graph_n_bonds(graph), n);
    other = add("0", "0last", HA_EXPR_NONE);
    if (is_junction(type)) {
        bond(element, other);
        return;
    }
    ck_assert_int_eq(bg_graph_add_bond(graph, other, element, 1, HA_NOWHERE, &added), HA_ERR_VALUE);
    ck_assert_msg(strstr(last_text(), "`tested`") != NULL, "%s", last_text());
    ck_assert_int_eq(added, -77);
    ck_assert_int_eq(bg_graph_n_bonds(graph), n);
}
END_TEST

/* The value is refused, with name and number in the text, when given and when set later. */
static void expect_refused(const bg__type *type, double x, const char *digits)
{
    bg_element element = -77, later = -1;
    ha_expr value = number(x), one = number(type->default_value);

    ha_ctx_clear(ctx);
    ck_assert_msg(try_add(type->name, "tested", value, &element) == HA_ERR_VALUE, "%s{%s}",
                  type->name, digits);
    ck_assert_int_eq(element, -77);
    ck_assert_int_eq(bg_graph_find(graph, "tested"), -1);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
    ck_assert_msg(strstr(last_text(), "`tested`") != NULL, "%s", last_text());
    ck_assert_msg(strstr(last_text(), digits) != NULL, "%s: %s", digits, last_text());

    later = add(type->name, "later", one);
    ck_assert_int_eq(bg_graph_set_value(graph, later, &value, 1), HA_ERR_VALUE);
    ck_assert_msg(strstr(last_text(), "`later`") != NULL, "%s", last_text());
    ck_assert_int_eq(bg_element_value(graph, later, 0), one);
    start_anew();
}

static void expect_accepted(const bg__type *type, double x)
{
    bg_element element = add(type->name, "tested", number(x));
    ha_expr value = number(x);

    ck_assert_int_eq(bg_graph_set_value(graph, element, &value, 1), HA_OK);
    start_anew();
}

START_TEST(values_just_outside_the_range_are_refused)
{
    const bg__type *type = bg__type_at(ctx, (size_t) _i);
    char digits[32];

    expect_refused(type, HUGE_VAL, "inf");
    expect_refused(type, -HUGE_VAL, "-inf");
    expect_refused(type, (double) NAN, "nan");
    expect_accepted(type, DBL_MAX);
    expect_accepted(type, 1.0);
    expect_accepted(type, DBL_MIN);
    if (isfinite(type->lowest)) {
        double outside = nextafter(type->lowest, -HUGE_VAL);
        snprintf(digits, sizeof digits, "%.1g", outside);
        expect_refused(type, outside, digits);
        expect_refused(type, type->lowest - 17.5, "-17.5");
        if (type->excludes_lowest == 0) {
            expect_accepted(type, type->lowest);
        }
    } else {
        expect_accepted(type, -DBL_MAX);
    }
    if (type->excludes_zero != 0 || (type->excludes_lowest != 0 && type->lowest == 0.0)) {
        expect_refused(type, 0.0, "0");
    } else {
        expect_accepted(type, 0.0);
    }
}
END_TEST

START_TEST(the_number_of_values_must_fit)
{
    const bg__type *type = bg__type_at(ctx, (size_t) _i);
    bg_element_def def = bg_element_def_default();
    ha_expr values[6];
    bg_element added = -1;

    for (int i = 0; i < 6; i++) {
        values[i] = number(1.0 + i);
    }
    def.type = type->name;
    def.name = "tested";
    def.value = values;
    def.dim = 3;
    def.n_values = 2;
    ck_assert_int_eq(bg_graph_add_element(graph, &def, &added), HA_ERR_VALUE);
    ck_assert_ptr_nonnull(strstr(last_text(), "`tested`"));
    def.dim2 = 2;
    def.n_values = 6;
    ck_assert_int_eq(bg_graph_add_element(graph, &def, &added),
                     type->has_matrix != 0 ? HA_OK : HA_ERR_VALUE);
    start_anew();
    for (int n = 0; n <= 3; n += n == 0 ? 1 : 2) {
        char name[16];
        snprintf(name, sizeof name, "tested%d", n % 10);
        for (int i = 0; i < 3; i++) {
            values[i] = number(1.0 + i);
        }
        def.name = name;
        def.dim2 = 0;
        def.n_values = n;
        ck_assert_msg(bg_graph_add_element(graph, &def, &added) == HA_OK, "%s", last_text());
        ck_assert_int_eq(bg_element_n_values(graph, added), n);
    }
    def.name = "large";
    def.n_values = 0;
    def.dim = 0;
    ck_assert_int_eq(bg_graph_add_element(graph, &def, &added), HA_ERR_VALUE);
    def.dim = -1;
    ck_assert_int_eq(bg_graph_add_element(graph, &def, &added), HA_ERR_VALUE);
    def.dim = 2147483647;
    ck_assert_int_eq(bg_graph_add_element(graph, &def, &added), HA_ERR_VALUE);
}
END_TEST

START_TEST(types_are_found_by_name_and_by_prefix)
{
    const bg__type *type = bg__type_at(ctx, (size_t) _i);
    char text[32];

    ck_assert_ptr_eq(bg__type_find(ctx, type->name, strlen(type->name)), type);
    snprintf(text, sizeof text, "%s_1", type->name);
    ck_assert_ptr_eq(bg__type_of_prefix(ctx, text, strlen(text)), type);
    ck_assert_ptr_null(bg__type_find(ctx, text, strlen(text)));
    ck_assert_ptr_null(bg__type_at(ctx, N_TYPES));
}
END_TEST

/* --- runs ------------------------------------------------------------------------------------ */

/* An element in its surroundings. */
typedef struct {
    const bg__type *type;
    int n;                     /* ports */
    int ein[MAX_PORTS];        /* 1: effort arrives */
    bool points_in[MAX_PORTS]; /* the half arrow points to the element */
    double value, start;
} setting;

/* What the source at port k gives: a + b sin(w t), its integral from 0, and its rate. */
static const double mean = 0.7, swing = 0.45, pulse = 3.0;

static double given(int k, double t)
{
    return (k + 1) * mean + swing * sin((k + 1) * pulse * t);
}

static double given_integral(int k, double t)
{
    double w = (k + 1) * pulse;

    return (k + 1) * mean * t + swing * (1.0 - cos(w * t)) / w;
}

static double given_rate(int k, double t)
{
    double w = (k + 1) * pulse;

    return swing * w * cos(w * t);
}

static ha_expr given_expression(int k)
{
    ha_dag *dag = bg_graph_dag(graph);
    ha_expr phase = ha_mul(dag, number((k + 1) * pulse), bg_graph_time(graph));

    return ha_add(
        dag, number((k + 1) * mean),
        ha_mul(dag, number(swing), ha_apply(dag, HA_OP_SIN, phase, HA_EXPR_NONE, HA_EXPR_NONE)));
}

static char text_of_setting[200];

/* Tolerance of the solver; results are compared a thousand times coarser. */
static double tolerance = 1e-11;

static void describe(const setting *s)
{
    int n = snprintf(text_of_setting, sizeof text_of_setting, "%s{%g} with ports", s->type->name,
                     s->value);

    for (int k = 0; k < s->n; k++) {
        n += snprintf(text_of_setting + n, sizeof text_of_setting - (size_t) n, " %s%s",
                      s->ein[k] == 1 ? "Se" : "Sf", s->points_in[k] ? "->" : "<-");
    }
}

/* The sign with which the half arrow counts the flow in the natural direction of port k. */
static int natural(const setting *s, int k)
{
    bool gives = (s->type->gives_power >> k & 1) != 0;

    return s->points_in[k] == gives ? -1 : 1;
}

static bool needs_law(const bg__type *type)
{
    return (type->laws & BG__LAW_NEEDED) != 0;
}

/* A type that has no value gets the energy q^2 / (2 value). */
static bg_element add_with_energy(const setting *s)
{
    bg_element_def def = bg_element_def_default();
    ha_dag *dag = bg_graph_dag(graph);
    bg_law law = bg_law_default();
    ha_expr q = ha_symbol(dag, "q");
    bg_element added = -1;

    law.q = &q;
    law.energy = ha_div(dag, ha_mul(dag, q, q), number(2.0 * s->value));
    def.type = s->type->name;
    def.name = "tested";
    def.law = &law;
    def.is_field = 1;
    ck_assert_msg(bg_graph_add_element(graph, &def, &added) == HA_OK, "%s", last_text());
    return added;
}

static void build(const setting *s)
{
    bool has_start = s->type->stage == BG__STAGE_STORAGE && s->ein[0] == s->type->preferred;
    bool has_value = s->type->stage != BG__STAGE_SINK && !is_junction(s->type);
    double value = s->type == &bg__type_sw && s->ein[0] == 1 ? 0.0 : s->value;
    bg_element tested =
        needs_law(s->type) ? add_with_energy(s)
                           : add(s->type->name, "tested", has_value ? number(value) : HA_EXPR_NONE);

    for (int k = 0; k < s->n; k++) {
        char name[24];
        snprintf(name, sizeof name, "source%d", k);
        bg_element source = add(s->ein[k] == 1 ? "Se" : "Sf", name, given_expression(k));
        bond(s->points_in[k] ? source : tested, s->points_in[k] ? tested : source);
    }
    if (has_start || (s->type->signals & (BG__HAS_P | BG__HAS_Q)) != 0) {
        ha_expr start = number(s->start);
        if (has_start || s->type->stage == BG__STAGE_FIXED) {
            ck_assert_int_eq(bg_graph_set_start(graph, tested, &start), HA_OK);
        }
    }
    ck_assert_int_eq(bg_graph_add_element_outputs(graph), HA_OK);
}

static bool is_open; /* the energy book need not close */

/* Runs the graph; the result is to be freed. */
static ha_result *run_graph(double t_end, double step, double *energy_error)
{
    bg_causality *causality = NULL;
    bg_equations *equations = NULL;
    bg_model *model = NULL;
    bg_run_options options = bg_run_options_default();
    bg_run_report report;
    ha_result *result = ha_result_new(ctx);

    options.solver.t_end = t_end;
    options.solver.step = step;
    options.solver.rtol = options.solver.atol = tolerance;
    ha_status status = bg_causality_assign(graph, &causality);
    status = status != HA_OK ? status : bg_equations_derive(causality, &equations);
    status = status != HA_OK ? status : bg_model_compile(equations, NULL, 0, &model);
    status = status != HA_OK ? status : bg_model_run(ctx, model, &options, result, &report);
    /* what closes a gap does work that is in no book: rows are kept */
    ck_assert_msg(status == HA_OK || (is_open && status == HA_ERR_SOLVER), "%s: %s",
                  text_of_setting, last_text());
    *energy_error = report.energy_error;
    bg_model_free(model);
    bg_equations_free(equations);
    bg_causality_free(causality);
    return result;
}

static double output(const ha_result *result, size_t row, const char *name)
{
    int column = ha_result_find(result, name);

    ck_assert_msg(column >= 0, "%s: no output %s", text_of_setting, name);
    return ha_result_value(result, row, (size_t) column);
}

/* Efforts and flows at the ports, the flows in the natural direction. */
typedef struct {
    const setting *s;
    const ha_result *result;
    size_t row;
    double t, e[MAX_PORTS], f[MAX_PORTS];
} state;

static void expect(const state *x, const char *what, double found, double wanted)
{
    if (!(fabs(found - wanted) <= 1e3 * tolerance * fmax(1.0, fabs(wanted)))) {
        ck_abort_msg("%s, t = %g: %s is %.15g, not %.15g", text_of_setting, x->t, what, found,
                     wanted);
    }
}

/* --- laws ------------------------------------------------------------------------------------ */

static void law_se(const state *x)
{
    expect(x, "e", x->e[0], x->s->value);
}

static void law_sf(const state *x)
{
    expect(x, "f", x->f[0], x->s->value);
}

/* e = dp/dt with p = I f. */
static void law_i(const state *x)
{
    double sign = natural(x->s, 0) * (x->s->points_in[0] ? 1 : -1);

    expect(x, "p", output(x->result, x->row, "tested.p"), x->s->value * x->f[0]);
    if (x->s->ein[0] == 1) {
        expect(x, "I f", x->s->value * x->f[0], x->s->start + given_integral(0, x->t));
    } else {
        expect(x, "e", x->e[0], x->s->value * sign * given_rate(0, x->t));
    }
}

/* f = dq/dt with q = C e. */
static void law_c(const state *x)
{
    double sign = natural(x->s, 0) * (x->s->points_in[0] ? 1 : -1);

    expect(x, "q", output(x->result, x->row, "tested.q"), x->s->value * x->e[0]);
    if (x->s->ein[0] == 1) {
        expect(x, "f", x->f[0], x->s->value * given_rate(0, x->t));
    } else {
        expect(x, "C e", x->s->value * x->e[0], x->s->start + sign * given_integral(0, x->t));
    }
}

static void law_r(const state *x)
{
    expect(x, "e", x->e[0], x->s->value * x->f[0]);
}

/* What goes in comes out as heat. */
static void law_rs(const state *x)
{
    expect(x, "e1", x->e[0], x->s->value * x->f[0]);
    expect(x, "T f2", x->e[1] * x->f[1], x->e[0] * x->f[0]);
}

static void law_tf(const state *x)
{
    expect(x, "f2", x->f[1], x->s->value * x->f[0]);
    expect(x, "e1", x->e[0], x->s->value * x->e[1]);
    expect(x, "power", x->e[0] * x->f[0] - x->e[1] * x->f[1], 0.0);
}

static void law_gy(const state *x)
{
    expect(x, "e1", x->e[0], x->s->value * x->f[1]);
    expect(x, "e2", x->e[1], x->s->value * x->f[0]);
    expect(x, "power", x->e[0] * x->f[0] - x->e[1] * x->f[1], 0.0);
}

static void law_0(const state *x)
{
    double flow = 0.0, power = 0.0;

    for (int k = 0; k < x->s->n; k++) {
        expect(x, "effort", x->e[k], x->e[0]);
        flow += x->f[k];
        power += x->e[k] * x->f[k];
    }
    expect(x, "sum of flows", flow, 0.0);
    expect(x, "power", power, 0.0);
}

/* The natural direction of a junction's port is towards it. */
static void law_1(const state *x)
{
    double effort = 0.0, power = 0.0;

    for (int k = 0; k < x->s->n; k++) {
        double sign = x->s->points_in[k] ? 1.0 : -1.0, first = x->s->points_in[0] ? 1.0 : -1.0;
        expect(x, "flow", sign * x->f[k], first * x->f[0]);
        effort += sign * x->e[k];
        power += x->e[k] * x->f[k];
    }
    expect(x, "sum of efforts", effort, 0.0);
    expect(x, "power", power, 0.0);
}

static void law_de(const state *x)
{
    expect(x, "f", x->f[0], 0.0);
    expect(x, "e", x->e[0], given(0, x->t));
    expect(x, "p", output(x->result, x->row, "tested.p"), x->s->start + given_integral(0, x->t));
}

static void law_df(const state *x)
{
    double sign = natural(x->s, 0) * (x->s->points_in[0] ? 1 : -1);

    expect(x, "e", x->e[0], 0.0);
    expect(x, "f", x->f[0], sign * given(0, x->t));
    expect(x, "q", output(x->result, x->row, "tested.q"),
           x->s->start + sign * given_integral(0, x->t));
}

static void law_re(const state *x)
{
    expect(x, "f", x->f[0], 0.0);
}

static void law_rf(const state *x)
{
    expect(x, "e", x->e[0], 0.0);
}

/* Given the effort it is tested open, given the flow closed. */
static void law_sw(const state *x)
{
    expect(x, "what it imposes", x->s->ein[0] == 1 ? x->f[0] : x->e[0], 0.0);
}

/* Its source never lets it rest. */
static void law_dry(const state *x)
{
    expect(x, "e", x->e[0], x->s->value * (x->f[0] > 0.0 ? 1.0 : -1.0));
}

static void law_quad(const state *x)
{
    expect(x, "e", x->e[0], x->s->value * x->f[0] * fabs(x->f[0]));
}

/* C e = sinh q, and so C e' = cosh(q) f. */
static void law_hard(const state *x)
{
    double sign = natural(x->s, 0) * (x->s->points_in[0] ? 1 : -1);
    double q = output(x->result, x->row, "tested.q");

    expect(x, "C e", x->s->value * x->e[0], sinh(q));
    if (x->s->ein[0] == 1) {
        expect(x, "f", cosh(q) * x->f[0], x->s->value * given_rate(0, x->t));
    } else {
        expect(x, "q", q, x->s->start + sign * given_integral(0, x->t));
    }
}

/* p = m f g with g = 1 / sqrt(1 - f^2 / c^2), and so e = m g^3 f'. */
static void law_fast(const state *x)
{
    double sign = natural(x->s, 0) * (x->s->points_in[0] ? 1 : -1);
    double p = output(x->result, x->row, "tested.p"), u = x->f[0] / fast_limit;
    double g = 1.0 / sqrt(1.0 - u * u);

    expect(x, "p", p, x->s->value * x->f[0] * g);
    if (x->s->ein[0] == 1) {
        expect(x, "p", p, x->s->start + given_integral(0, x->t));
    } else {
        expect(x, "e", x->e[0], x->s->value * g * g * g * sign * given_rate(0, x->t));
    }
}

static void law_circ(const state *x)
{
    for (int k = 0; k < 3; k++) {
        expect(x, "f", x->f[k], x->s->value * (x->e[(k + 1) % 3] - x->e[(k + 2) % 3]));
    }
}

static const struct {
    const char *type;
    void (*law)(const state *x);
} laws[] = {
    { "Se", law_se },     { "MSe", law_se },    { "Sf", law_sf },    { "MSf", law_sf },
    { "I", law_i },       { "C", law_c },       { "IC", law_c },     { "R", law_r },
    { "MR", law_r },      { "RS", law_rs },     { "TF", law_tf },    { "MTF", law_tf },
    { "GY", law_gy },     { "MGY", law_gy },    { "0", law_0 },      { "1", law_1 },
    { "De", law_de },     { "Df", law_df },     { "Re", law_re },    { "Rf", law_rf },
    { "Sw", law_sw },     { "Dry", law_dry },   { "Lin", law_r },    { "Quad", law_quad },
    { "Hard", law_hard }, { "Fast", law_fast }, { "Lever", law_tf }, { "Gyr", law_gy },
    { "Circ", law_circ }, { "Sup", law_se },
};

static void (*law_of(const bg__type *type))(const state *x)
{
    for (size_t i = 0; i < HA_COUNT(laws); i++) {
        if (strcmp(laws[i].type, type->name) == 0) {
            return laws[i].law;
        }
    }
    ck_abort_msg("the type %s has no law in this test; write one", type->name);
    return NULL;
}

/* --- settings -------------------------------------------------------------------------------- */

/* The bond's effort and flow as its source sees it, the flow in the natural direction. */
static void read_ports(state *x)
{
    for (int k = 0; k < x->s->n; k++) {
        char name[24];
        snprintf(name, sizeof name, "source%d.e", k);
        x->e[k] = output(x->result, x->row, name);
        snprintf(name, sizeof name, "source%d.f", k);
        x->f[k] = output(x->result, x->row, name) * natural(x->s, k);
        if (x->s->ein[k] == 1) {
            expect(x, "the source's effort", x->e[k], given(k, x->t));
        } else { /* out of the source */
            expect(x, "the source's flow", x->f[k] * natural(x->s, k),
                   (x->s->points_in[k] ? 1.0 : -1.0) * given(k, x->t));
        }
    }
}

/* The element's own outputs say the same. */
static void check_outputs(const state *x)
{
    static const char *const names[2][2] = { { "tested.e1", "tested.f1" },
                                             { "tested.e2", "tested.f2" } };
    int n = is_junction(x->s->type) ? 0 : x->s->n;
    int n_read = n < 2 ? n : 2; /* a signal reads no third port */

    for (int k = 0; k < n_read; k++) {
        expect(x, "own e", output(x->result, x->row, n == 1 ? "tested.e" : names[k][0]), x->e[k]);
        expect(x, "own f", output(x->result, x->row, n == 1 ? "tested.f" : names[k][1]),
               x->f[k] * natural(x->s, k));
    }
}

static void check_setting(const setting *s)
{
    double energy_error = -1.0;

    describe(s);
    start_anew();
    build(s);
    ha_result *result = run_graph(1.0, 0.125, &energy_error);
    ck_assert_uint_ge(ha_result_n_rows(result), 9);
    for (size_t row = 0; row < ha_result_n_rows(result); row++) {
        state x = { .s = s, .result = result, .row = row, .t = ha_result_value(result, row, 0) };
        read_ports(&x);
        check_outputs(&x);
        law_of(s->type)(&x);
    }
    ck_assert_msg(energy_error <= 1e4 * tolerance, "%s: energy error %g", text_of_setting,
                  energy_error);
    ha_result_free(result);
}

/* Effort must arrive at a port, whatever the rule leaves open. */
static bool takes_effort(const setting *s, int port)
{
    return (s->type->takes_effort >> port & 1) != 0;
}

/* One of the senses that the rule allows. */
static void take_any_sense(setting *s)
{
    for (int k = 0; k < s->n; k++) {
        s->ein[k] = takes_effort(s, k)               ? 1
                    : s->type->rule == BG_RULE_FREE  ? s->type->preferred
                    : s->type->rule == BG_RULE_EQUAL ? 0
                                                     : k < s->type->base + s->type->slope * s->n;
    }
}

/* The rule of the type by its definition. */
static bool is_allowed(const setting *s)
{
    int n_in = 0;

    for (int k = 0; k < s->n; k++) {
        n_in += s->ein[k];
        if (takes_effort(s, k) && s->ein[k] == 0) {
            return false;
        }
    }
    switch (s->type->rule) {
    case BG_RULE_COUNT:
        return n_in == s->type->base + s->type->slope * s->n;
    case BG_RULE_EQUAL:
        return n_in == 0 || n_in == s->n;
    case BG_RULE_FREE:
        break;
    }
    return true;
}

/* All senses and all directions of the half arrows with n ports; returns the number of senses. */
static int check_senses(const bg__type *type, int n, double value)
{
    int n_senses = 0;

    for (int senses = 0; senses < 1 << n; senses++) {
        setting s = { .type = type, .n = n, .value = value, .start = -0.35 };
        for (int k = 0; k < n; k++) {
            s.ein[k] = senses >> k & 1;
        }
        /* an implicit sink needs something that answers to its multiplier: see below */
        bool is_implicit = type->stage == BG__STAGE_SINK && s.ein[0] != type->preferred;
        /* an energy has integral causality only */
        bool is_dependent = needs_law(type) && s.ein[0] != type->preferred;
        if (!is_allowed(&s) || is_implicit || is_dependent) {
            continue;
        }
        n_senses++;
        for (int arrows = 0; arrows < 1 << n; arrows++) {
            for (int k = 0; k < n; k++) {
                s.points_in[k] = (arrows >> k & 1) != 0;
            }
            check_setting(&s);
        }
    }
    return n_senses;
}

START_TEST(every_sense_obeys_the_law)
{
    static const double values[] = { 1.0, 0.37, 2.6, -1.7 };
    const bg__type *type = bg__type_at(ctx, (size_t) _i);

    if (is_junction(type)) {
        for (int n = 1; n <= MAX_PORTS; n++) {
            ck_assert_int_eq(check_senses(type, n, 1.0), n);
        }
        return;
    }
    for (size_t i = 0; i < HA_COUNT(values); i++) {
        if (values[i] > type->lowest) {
            ck_assert_int_ge(check_senses(type, type->max_ports, values[i]), 1);
        }
    }
}
END_TEST

/* The senses in a table of the textbook, so that the rule itself cannot be wrong unnoticed. */
START_TEST(the_rules_are_those_of_the_textbook)
{
    static const struct {
        const char *type;
        const char *senses[8]; /* ein of the ports */
    } book[] = {
        { "Se", { "0" } },
        { "MSe", { "0" } },
        { "Sf", { "1" } },
        { "MSf", { "1" } },
        { "De", { "1" } },
        { "Df", { "0" } },
        { "I", { "0", "1" } },
        { "C", { "0", "1" } },
        { "R", { "0", "1" } },
        { "IC", { "0", "1" } },
        { "MR", { "0", "1" } },
        { "RS", { "01", "11" } },
        { "Sw", { "0", "1" } },
        { "Dry", { "0" } },
        { "Re", { "0", "1" } },
        { "Rf", { "0", "1" } },
        { "TF", { "01", "10" } },
        { "MTF", { "01", "10" } },
        { "GY", { "00", "11" } },
        { "MGY", { "00", "11" } },
        { "Lin", { "0", "1" } },
        { "Quad", { "0" } },
        { "Hard", { "0", "1" } },
        { "Fast", { "0", "1" } },
        { "Lever", { "01", "10" } },
        { "Gyr", { "00", "11" } },
        { "Circ", { "111" } },
        { "Sup", { "0" } },
        { "0", { "001", "010", "100" } },
        { "1", { "011", "101", "110" } },
    };
    size_t row = 0;

    while (row < HA_COUNT(book) &&
           strcmp(book[row].type, bg__type_at(ctx, (size_t) _i)->name) != 0) {
        row++;
    }
    ck_assert_msg(row < HA_COUNT(book), "%s", bg__type_at(ctx, (size_t) _i)->name);
    int n = (int) strlen(book[row].senses[0]);
    for (int senses = 0; senses < 1 << n; senses++) {
        setting s = { .type = bg__type_at(ctx, (size_t) _i), .n = n };
        char text[8] = "";
        bool is_in_book = false;
        for (int k = 0; k < n; k++) {
            s.ein[k] = senses >> (n - 1 - k) & 1;
            text[k] = (char) ('0' + s.ein[k]);
        }
        for (int i = 0; i < 8 && book[row].senses[i] != NULL; i++) {
            is_in_book = is_in_book || strcmp(book[row].senses[i], text) == 0;
        }
        ck_assert_msg(is_allowed(&s) == is_in_book, "%s %s", bg__type_at(ctx, (size_t) _i)->name,
                      text);
    }
}
END_TEST

START_TEST(without_a_value_it_is_one)
{
    const bg__type *type = bg__type_at(ctx, (size_t) _i);
    setting s = {
        .type = type, .n = type->max_ports == 0 ? 1 : type->max_ports, .value = 1.0, .start = 0.0
    };
    double energy_error = 0.0;

    if (is_junction(type) || type->stage == BG__STAGE_SINK || needs_law(type)) {
        return;
    }
    take_any_sense(&s);
    s.points_in[0] = type->gives_power != 1;
    describe(&s);
    build(&s);
    ck_assert_int_eq(bg_graph_set_value(graph, bg_graph_find(graph, "tested"), NULL, 0), HA_OK);
    ha_result *result = run_graph(0.5, 0.25, &energy_error);
    for (size_t row = 0; row < ha_result_n_rows(result); row++) {
        state x = { .s = &s, .result = result, .row = row, .t = ha_result_value(result, row, 0) };
        read_ports(&x);
        law_of(type)(&x);
    }
    ha_result_free(result);
}
END_TEST

/* --- signals --------------------------------------------------------------------------------- */

START_TEST(only_quantities_that_exist_can_be_read)
{
    const bg__type *type = bg__type_at(ctx, (size_t) _i);

    for (int signal = 0; signal < BG_SIGNAL_COUNT; signal++) {
        bg_causality *causality = NULL;
        setting s = { .type = type, .n = is_junction(type) ? 1 : type->max_ports, .value = 1.0 };
        take_any_sense(&s);
        start_anew();
        describe(&s);
        build(&s);
        ha_expr symbol =
            bg_graph_signal(graph, bg_graph_find(graph, "tested"), 0, (bg_signal) signal);
        ck_assert_int_ne(symbol, HA_EXPR_NONE);
        ck_assert_int_eq(bg_graph_add_output(graph, "asked", "", symbol), HA_OK);
        bool is_there = (type->signals >> signal & 1u) != 0 &&
                        !(needs_law(type) && signal == BG_SIGNAL_P); /* it was given a q */
        ha_status status = bg_causality_assign(graph, &causality);
        ck_assert_msg(status == (is_there ? HA_OK : HA_ERR_NAME), "%s, signal %d: %s", type->name,
                      signal, ha_status_name(status));
        if (!is_there) {
            ck_assert_msg(strstr(last_text(), "`tested.") != NULL, "%s", last_text());
        }
        bg_causality_free(causality);
    }
}
END_TEST

/* --- values with one sense ------------------------------------------------------------------- */

/* The type with the value 0 or one that varies, bonded so that it would have to be divided by. */
static void expect_one_sense(const bg__type *type, ha_expr value, const int good[2],
                             const char *what)
{
    for (int way = 0; way < 2; way++) {
        bg_causality *causality = NULL;
        start_anew();
        ha_expr v = value == HA_EXPR_NONE ? number(0.0) : bg_graph_time(graph);
        bg_element tested = add(type->name, "tested", v);
        for (int k = 0; k < type->max_ports; k++) {
            int ein = way == 0 ? good[k] : 1 - good[k];
            bond(add(ein == 1 ? "Se" : "Sf", k == 0 ? "source0" : "source1", number(1.0)), tested);
        }
        ck_assert_int_eq(bg_causality_assign(graph, &causality), HA_OK);
        bg_class found = bg_causality_class(causality);
        ck_assert_msg(found == (way == 0 ? BG_CAUSAL_ODE : BG_NON_INVERTIBLE), "%s{%s}: %s",
                      type->name, what, bg_class_name(found));
        if (way == 1) {
            ck_assert_int_eq(bg_causality_status(causality), HA_ERR_CAUSALITY);
            ck_assert_msg(strstr(last_text(), "`tested`") != NULL, "%s", last_text());
        }
        bg_causality_free(causality);
    }
}

START_TEST(a_value_that_cannot_be_divided_by_leaves_one_sense)
{
    static const int tf[2] = { 0, 1 }, gy[2] = { 0, 0 }, r[2] = { 0, 0 };

    for (size_t i = 0; i < N_TYPES; i++) {
        const bg__type *type = bg__type_at(ctx, i);
        if (strstr(type->name, "TF") != NULL) {
            expect_one_sense(type, HA_EXPR_NONE, tf, "0");
            expect_one_sense(type, 0, tf, "t");
        } else if (strstr(type->name, "GY") != NULL) {
            expect_one_sense(type, HA_EXPR_NONE, gy, "0");
        } else if (strcmp(type->name, "R") == 0 || strcmp(type->name, "Lin") == 0) {
            expect_one_sense(type, HA_EXPR_NONE, r, "0");
        }
    }
}
END_TEST

/* --- sinks and positions --------------------------------------------------------------------- */

/* The run of the graph as it is; outputs are added. The energy book must close up to `gap`. */
static ha_result *run_as_it_is(double gap)
{
    double energy_error = -1.0;

    ck_assert_int_eq(bg_graph_add_element_outputs(graph), HA_OK);
    ha_result *result = run_graph(1.0, 0.125, &energy_error);
    ck_assert_msg(fabs(energy_error - gap) <= 1e4 * tolerance, "%s: energy error %g",
                  text_of_setting, energy_error);
    return result;
}

/* A constraint on an inertia (Re) or a capacitance (Rf) that a source works against. */
START_TEST(an_implicit_sink_holds_what_it_constrains)
{
    for (int arrow = 0; arrow < 2; arrow++) {
        bool is_re = _i == 0;
        start_anew();
        bg_element junction = add(is_re ? "1" : "0", is_re ? "1j" : "0j", HA_EXPR_NONE);
        bg_element sink = add(is_re ? "Re" : "Rf", "sink", HA_EXPR_NONE);
        bond(add(is_re ? "Se" : "Sf", "source", given_expression(0)), junction);
        bond(junction, add(is_re ? "I" : "C", "storage", number(0.8)));
        bond(arrow == 0 ? junction : sink, arrow == 0 ? sink : junction);
        snprintf(text_of_setting, sizeof text_of_setting, "%s, arrow %d", is_re ? "Re" : "Rf",
                 arrow);
        ha_result *result = run_as_it_is(0.0);
        size_t last = ha_result_n_rows(result) - 1;
        for (size_t row = 0; row <= last; row++) {
            state x = { .t = ha_result_value(result, row, 0) };
            double sign = arrow == 0 ? 1.0 : -1.0;
            expect(&x, "what is held", output(result, row, is_re ? "sink.f" : "sink.e"), 0.0);
            if (row == 0 || row == last) { /* the solver's own values, nothing interpolated */
                expect(&x, "what holds it", output(result, row, is_re ? "sink.e" : "sink.f"),
                       sign * given(0, x.t));
            }
        }
        ha_result_free(result);
    }
}
END_TEST

/* An explicit sink with a position imposes f = -beta phi: q decays as exp(-beta t). Closing the gap
   takes work, which nobody supplies: it is the error of the energy book. */
START_TEST(an_explicit_sink_with_a_position_closes_the_gap)
{
    bg_element junction = add("1", "1j", HA_EXPR_NONE), sink = add("Re", "sink", HA_EXPR_NONE);
    bg_element meter = add("Df", "meter", HA_EXPR_NONE);
    ha_expr start = number(0.3), phi = HA_EXPR_NONE;

    bond(add("Se", "source", number(2.0)), junction);
    bond(junction, sink);
    bond(junction, meter);
    phi = bg_graph_signal(graph, meter, 0, BG_SIGNAL_Q);
    ck_assert_int_eq(bg_graph_set_start(graph, meter, &start), HA_OK);
    ck_assert_int_eq(bg_graph_set_position(graph, sink, &phi), HA_OK);
    snprintf(text_of_setting, sizeof text_of_setting, "explicit sink with a position");
    is_open = true;
    ha_result *result = run_as_it_is(2.0 * 0.3 * (1.0 - exp(-20.0)));
    for (size_t row = 0; row < ha_result_n_rows(result); row++) {
        state x = { .t = ha_result_value(result, row, 0) };
        double beta = 20.0; /* the default: 20 / min(t_end, 1 s) */
        expect(&x, "q", output(result, row, "meter.q"), 0.3 * exp(-beta * x.t));
        expect(&x, "f", output(result, row, "sink.f"), -beta * 0.3 * exp(-beta * x.t));
        expect(&x, "e", output(result, row, "sink.e"), 2.0);
    }
    ha_result_free(result);
}
END_TEST

/* A spring whose displacement is an expression of the model: no state of its own. */
START_TEST(a_capacitance_takes_its_displacement_from_a_position)
{
    bg_element junction = add("1", "1j", HA_EXPR_NONE), spring = add("C", "spring", number(0.25));
    bg_element meter = add("Df", "meter", HA_EXPR_NONE);
    ha_expr start = number(0.2), position = HA_EXPR_NONE;
    ha_dag *dag = bg_graph_dag(graph);

    bond(junction, add("I", "mass", number(1.0)));
    bond(junction, spring);
    bond(junction, meter);
    position = ha_sub(dag, bg_graph_signal(graph, meter, 0, BG_SIGNAL_Q), number(0.05));
    ck_assert_int_eq(bg_graph_set_start(graph, meter, &start), HA_OK);
    ck_assert_int_eq(bg_graph_set_position(graph, spring, &position), HA_OK);
    snprintf(text_of_setting, sizeof text_of_setting, "spring with a position");
    ha_result *result = run_as_it_is(0.0);
    for (size_t row = 0; row < ha_result_n_rows(result); row++) {
        state x = { .t = ha_result_value(result, row, 0) };
        double wanted = 0.15 * cos(2.0 * x.t); /* w^2 = 1 / (m C) = 4 */
        expect(&x, "q", output(result, row, "spring.q"), wanted);
        expect(&x, "e", output(result, row, "spring.e"), wanted / 0.25);
        expect(&x, "meter.q", output(result, row, "meter.q"), wanted + 0.05);
    }
    ha_result_free(result);
}
END_TEST

/* An inertia of 0 is no special case: the effort on it is 0. */
START_TEST(an_inertia_of_zero_takes_no_effort)
{
    bg_element junction = add("1", "1j", HA_EXPR_NONE);

    bond(add("Se", "source", given_expression(0)), junction);
    bond(junction, add("I", "nothing", number(0.0)));
    bond(junction, add("R", "damper", number(0.5)));
    snprintf(text_of_setting, sizeof text_of_setting, "zero inertia");
    tolerance = 1e-8;
    ha_result *result = run_as_it_is(0.0);
    for (size_t row = 0; row < ha_result_n_rows(result); row++) {
        state x = { .t = ha_result_value(result, row, 0) };
        expect(&x, "e", output(result, row, "nothing.e"), 0.0);
        expect(&x, "f", output(result, row, "nothing.f"), given(0, x.t) / 0.5);
    }
    ha_result_free(result);
    tolerance = 1e-11;
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("elements");
    TCase *tests = tcase_create("elements");
    int n = N_TYPES;

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, too_few_bonds_are_refused_by_name, 0, n);
    tcase_add_loop_test(tests, too_many_bonds_are_refused_by_name, 0, n);
    tcase_add_loop_test(tests, values_just_outside_the_range_are_refused, 0, n);
    tcase_add_loop_test(tests, the_number_of_values_must_fit, 0, n);
    tcase_add_loop_test(tests, types_are_found_by_name_and_by_prefix, 0, n);
    tcase_add_loop_test(tests, the_rules_are_those_of_the_textbook, 0, n);
    tcase_add_loop_test(tests, every_sense_obeys_the_law, 0, n);
    tcase_add_loop_test(tests, without_a_value_it_is_one, 0, n);
    tcase_add_loop_test(tests, only_quantities_that_exist_can_be_read, 0, n);
    tcase_add_test(tests, a_value_that_cannot_be_divided_by_leaves_one_sense);
    tcase_add_loop_test(tests, an_implicit_sink_holds_what_it_constrains, 0, 2);
    tcase_add_test(tests, an_explicit_sink_with_a_position_closes_the_gap);
    tcase_add_test(tests, a_capacitance_takes_its_displacement_from_a_position);
    tcase_add_test(tests, an_inertia_of_zero_takes_no_effort);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
