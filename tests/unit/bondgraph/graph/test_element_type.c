/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Element types that users register: what is refused and why, where a type is known, and models
 * with such elements against closed forms and central differences. That the laws of registered.h
 * hold in all senses is tested in test_elements.c.
 */
#include <config.h>

#include "bondgraph/compact.h"
#include "bondgraph/element_type.h"
#include "bondgraph/model.h"

#include "tests/unit/bondgraph/differences.h"
#include "tests/unit/bondgraph/registered.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ha_ctx *ctx;

static void set_up(void)
{
    ctx = ha_ctx_new();
}

static void tear_down(void)
{
    ha_ctx_free(ctx);
}

static const char *last_text(void)
{
    size_t n = ha_ctx_n_diags(ctx);

    return n == 0 ? "" : ha_ctx_diag(ctx, n - 1)->text;
}

static ha_status read_graph(const char *text, bg_graph **out)
{
    *out = bg_graph_new(ctx);
    return *out == NULL ? HA_ERR_MEMORY : bg_compact_read(*out, text, strlen(text), HA_NOWHERE);
}

/* From text to a compiled model; what was made is freed unless asked for. */
static ha_status compile(const char *text, bg_model **out)
{
    bg_graph *graph = NULL;
    bg_causality *causality = NULL;
    bg_equations *equations = NULL;
    bg_model *model = NULL;
    ha_status status = read_graph(text, &graph);

    status = status != HA_OK ? status : bg_graph_add_element_outputs(graph);
    status = status != HA_OK ? status : bg_causality_assign(graph, &causality);
    status = status != HA_OK ? status : bg_causality_status(causality);
    status = status != HA_OK ? status : bg_equations_derive(causality, &equations);
    status = status != HA_OK ? status : bg_model_compile(equations, NULL, 0, &model);
    bg_equations_free(equations);
    bg_causality_free(causality);
    bg_graph_free(graph);
    if (out != NULL) {
        *out = model;
    } else {
        bg_model_free(model);
    }
    return status;
}

/* The last value of an output after a run. */
static double run(const char *text, double t_end, const char *output)
{
    bg_run_options options = bg_run_options_default();
    bg_run_report report;
    bg_model *model = NULL;
    ha_result *result = ha_result_new(ctx);
    ha_status status = compile(text, &model);

    options.solver.t_end = t_end;
    options.solver.rtol = 1e-11;
    options.solver.atol = 1e-12;
    status = status != HA_OK ? status : bg_model_run(ctx, model, &options, result, &report);
    ck_assert_msg(status == HA_OK, "%s: %s", text, last_text());
    ck_assert_msg(report.energy_error <= 1e-8, "%s: energy error %g", text, report.energy_error);
    int column = ha_result_find(result, output);
    ck_assert_int_ge(column, 0);
    double found = ha_result_value(result, ha_result_n_rows(result) - 1, (size_t) column);
    ha_result_free(result);
    bg_model_free(model);
    return found;
}

static void expect_text(const char *part)
{
    ck_assert_msg(strstr(last_text(), part) != NULL, "`%s` is not in: %s", part, last_text());
}

/* --- registration ---------------------------------------------------------------------------- */

static void expect_refused(const bg_element_type *type, ha_status status, const char *part)
{
    bg_graph *graph = bg_graph_new(ctx);
    bg_element_def def = bg_element_def_default();
    bg_element added = -1;

    ha_ctx_clear(ctx);
    ck_assert_int_eq(bg_element_type_register(ctx, type), status);
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 1);
    expect_text(part);
    def.type = "Bad";
    def.name = "x";
    ck_assert_int_eq(bg_graph_add_element(graph, &def, &added), HA_ERR_NAME);
    bg_graph_free(graph);
}

static bg_element_type bad_type(void)
{
    bg_element_type type = bg_element_type_default();

    type.name = "Bad";
    type.title = "bad element";
    type.emit = quad_emit;
    return type;
}

#define EXPECT_REFUSED(field, wrong, part)                                                         \
    do {                                                                                           \
        bg_element_type bad = bad_type();                                                          \
        bad.field = (wrong);                                                                       \
        expect_refused(&bad, HA_ERR_VALUE, part);                                                  \
    } while (0)

START_TEST(bad_descriptors_are_refused_by_name)
{
    bg_element_type type = bad_type();

    EXPECT_REFUSED(title, NULL, "title");
    EXPECT_REFUSED(title, "", "title");
    EXPECT_REFUSED(n_ports, 0, "n_ports");
    EXPECT_REFUSED(n_ports, 9, "n_ports");
    EXPECT_REFUSED(gives_power, 2, "gives_power");
    EXPECT_REFUSED(n_efforts, 2, "n_efforts");
    EXPECT_REFUSED(n_efforts, -1, "n_efforts");
    EXPECT_REFUSED(rule, BG_RULE_EQUAL, "two ports");
    EXPECT_REFUSED(kind, BG_KIND_COUNT, "enumeration");
    EXPECT_REFUSED(kind, BG_KIND_STORAGE, "BG_BOOK_KINETIC");
    EXPECT_REFUSED(book, BG_BOOK_KINETIC, "no energy function");
    EXPECT_REFUSED(energy, hard_energy, "energy function");
    EXPECT_REFUSED(preferred, 2, "preferred");
    EXPECT_REFUSED(lowest, 2.0, "default_value");
    EXPECT_REFUSED(lowest, (double) NAN, "default_value");
    EXPECT_REFUSED(default_value, HUGE_VAL, "default_value");
    EXPECT_REFUSED(emit, NULL, "no emit");
    EXPECT_REFUSED(pin, reg_pin_zero, "pin_reason");
    type.kind = BG_KIND_SOURCE;
    type.n_ports = 2;
    expect_refused(&type, HA_ERR_VALUE, "one port");
    type.n_ports = 1;
    type.rule = BG_RULE_FREE;
    expect_refused(&type, HA_ERR_VALUE, "one sense");
    type = registered_type(2);
    type.has_momentum = 1;
    expect_refused(&type, HA_ERR_VALUE, "both");
    type.has_momentum = type.has_displacement = 0;
    expect_refused(&type, HA_ERR_VALUE, "has_displacement");
    type = bad_type();
    type.cookie = 0;
    expect_refused(&type, HA_ERR_ARGUMENT, "bg_element_type_default()");
}
END_TEST

START_TEST(a_name_must_be_of_letters_and_free)
{
    static const char *const names[] = { "",         "R2",
                                         "a b",      "x.y",
                                         "\xc3\xa4", "AVeryLongNameOfMoreThanThirtyTwoLetters" };
    bg_element_type type = bad_type();

    for (size_t i = 0; i < HA_COUNT(names); i++) {
        type.name = names[i];
        expect_refused(&type, HA_ERR_NAME, names[i]);
    }
    type.name = "R";
    expect_refused(&type, HA_ERR_NAME, "it is a resistor");
    type.name = "Mine";
    ck_assert_int_eq(bg_element_type_register(ctx, &type), HA_OK);
    expect_refused(&type, HA_ERR_NAME, "it is a bad element");
}
END_TEST

START_TEST(strings_are_copied)
{
    char name[] = "Mine", title[] = "element of mine";
    bg_element_type type = bad_type();

    type.name = name;
    type.title = title;
    ck_assert_int_eq(bg_element_type_register(ctx, &type), HA_OK);
    memset(name, 'x', 4);
    memset(title, 'x', 4);
    ck_assert_int_eq(compile("Se > Mine", NULL), HA_ERR_CAUSALITY);
    expect_text("the element of mine `Mine`");
}
END_TEST

START_TEST(a_type_is_known_in_its_context_only)
{
    ha_ctx *mine = ctx, *other = ha_ctx_new();

    ck_assert_int_eq(register_types(ctx), HA_OK);
    ck_assert_int_eq(compile("Sf > Quad", NULL), HA_OK);
    ctx = other;
    ck_assert_int_eq(compile("Sf > Quad", NULL), HA_ERR_NAME);
    ck_assert_ptr_null(strstr(last_text(), "Lever"));
    ck_assert_int_eq(register_types(ctx), HA_OK);
    ck_assert_int_eq(compile("Sf > Quad", NULL), HA_OK);
    ck_assert_int_eq(compile("Sf > x", NULL), HA_ERR_NAME);
    expect_text("Quad Hard Fast Lever");
    ctx = mine;
    ha_ctx_free(other);
    ck_assert_int_eq(compile("Sf > Quad", NULL), HA_OK);
}
END_TEST

START_TEST(values_out_of_range_and_wrong_senses_are_told_of)
{
    ck_assert_int_eq(register_types(ctx), HA_OK);
    ck_assert_int_eq(compile("Sf > Quad{-2}", NULL), HA_ERR_VALUE);
    expect_text("of at least 0, as a quadratic resistor needs");
    ck_assert_int_eq(compile("Se > Quad", NULL), HA_ERR_CAUSALITY);
    expect_text("the quadratic resistor `Quad`");
    ck_assert_int_eq(compile("Se > Lin{0}", NULL), HA_ERR_CAUSALITY);
    expect_text("by which nothing can be divided");
    ck_assert_int_eq(compile("Sf > Hard{2 + t}", NULL), HA_ERR_UNSUPPORTED);
    expect_text("hardening spring");
    ck_assert_int_eq(compile("Sf > Quad{e = 3*f}", NULL), HA_ERR_VALUE);
    expect_text("takes no law");
}
END_TEST

/* --- laws that are wrong --------------------------------------------------------------------- */

/* What the law does wrong. */
typedef enum fault {
    SAYS_NOTHING,
    FAILS_SILENTLY,
    FAILS_WITH_A_TEXT,
    SAYS_WHAT_ARRIVES,
    SAYS_IT_TWICE,
    SAYS_A_PORT_TOO_MUCH,
    SAYS_NO_EXPRESSION,
    HAS_A_STATE_WITHOUT_RATE,
    HAS_A_STATE_TWICE,
    HAS_A_STATE_WITHOUT_NAME,
    SAYS_A_RATE_TWICE,
    SAYS_A_RATE_OF_NOTHING,
    HAS_NO_SUCH_CONTENT,
    N_FAULTS
} fault;

static ha_status faulty_state(bg_emitter *em, fault what)
{
    ha_expr y = HA_EXPR_NONE, one = ha_constant(bg_emitter_dag(em), 1.0);

    HA_TRY(bg_emitter_add_state(em, what == HAS_A_STATE_WITHOUT_NAME ? "a b" : "y", one, &y));
    if (what == HAS_A_STATE_TWICE) {
        return bg_emitter_add_state(em, "y", one, &y);
    }
    if (what == SAYS_A_RATE_OF_NOTHING) {
        return bg_emitter_set_rate(em, one, one);
    }
    if (what == SAYS_A_RATE_TWICE) {
        HA_TRY(bg_emitter_set_rate(em, y, one));
        HA_TRY(bg_emitter_set_rate(em, y, one));
    }
    return bg_emitter_set_effort(em, 0, one);
}

static ha_status faulty_emit(bg_emitter *em)
{
    fault what = *(const fault *) bg_emitter_user(em);
    ha_expr one = ha_constant(bg_emitter_dag(em), 1.0);

    ck_assert_int_eq(bg_emitter_effort(em, 1), HA_EXPR_NONE);
    ck_assert_int_eq(bg_emitter_flow(em, -1), HA_EXPR_NONE);
    switch (what) {
    case FAILS_SILENTLY:
        return HA_ERR_SINGULAR;
    case FAILS_WITH_A_TEXT:
        return ha_fail(bg_emitter_ctx(em), HA_ERR_VALUE, bg_emitter_where(em), "`%s` is too hot",
                       bg_emitter_name(em));
    case SAYS_WHAT_ARRIVES:
        return bg_emitter_set_flow(em, 0, one);
    case SAYS_IT_TWICE:
        HA_TRY(bg_emitter_set_effort(em, 0, one));
        return bg_emitter_set_effort(em, 0, one);
    case SAYS_A_PORT_TOO_MUCH:
        return bg_emitter_set_effort(em, 1, one);
    case SAYS_NO_EXPRESSION:
        return bg_emitter_set_effort(em, 0, HA_EXPR_NONE);
    case HAS_NO_SUCH_CONTENT:
        return bg_emitter_set_content(em, BG_SIGNAL_P, one);
    case HAS_A_STATE_WITHOUT_RATE:
    case HAS_A_STATE_TWICE:
    case HAS_A_STATE_WITHOUT_NAME:
    case SAYS_A_RATE_TWICE:
    case SAYS_A_RATE_OF_NOTHING:
        return faulty_state(em, what);
    case SAYS_NOTHING:
    case N_FAULTS:
        break;
    }
    return HA_OK;
}

START_TEST(a_law_that_is_wrong_is_told_of)
{
    static const struct {
        ha_status status;
        const char *text;
    } wanted[N_FAULTS] = {
        [SAYS_NOTHING] = { HA_ERR_ARGUMENT, "does not say the effort at port 1" },
        [FAILS_SILENTLY] = { HA_ERR_SINGULAR, "the law of the bad element `Bad_1` fails" },
        [FAILS_WITH_A_TEXT] = { HA_ERR_VALUE, "`Bad_1` is too hot" },
        [SAYS_WHAT_ARRIVES] = { HA_ERR_ARGUMENT, "flow at port 1, where that arrives" },
        [SAYS_IT_TWICE] = { HA_ERR_ARGUMENT, "effort at port 1 twice" },
        [SAYS_A_PORT_TOO_MUCH] = { HA_ERR_ARGUMENT, "effort at port 2, which" },
        [SAYS_NO_EXPRESSION] = { HA_ERR_ARGUMENT, "no expression as its effort" },
        [HAS_A_STATE_WITHOUT_RATE] = { HA_ERR_ARGUMENT, "does not say its rate" },
        [HAS_A_STATE_TWICE] = { HA_ERR_NAME, "two states that are named `y`" },
        [HAS_A_STATE_WITHOUT_NAME] = { HA_ERR_NAME, "named `a b`" },
        [SAYS_A_RATE_TWICE] = { HA_ERR_ARGUMENT, "one of its states twice" },
        [SAYS_A_RATE_OF_NOTHING] = { HA_ERR_ARGUMENT, "none of its states" },
        [HAS_NO_SUCH_CONTENT] = { HA_ERR_ARGUMENT, "momentum or displacement" },
    };
    fault what = (fault) _i;
    bg_element_type type = bad_type();

    type.emit = faulty_emit;
    type.user = &what;
    ck_assert_int_eq(bg_element_type_register(ctx, &type), HA_OK);
    ck_assert_int_eq(compile("Sf > Bad_1", NULL), wanted[what].status);
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 1);
    expect_text(wanted[what].text);
}
END_TEST

/* --- models ---------------------------------------------------------------------------------- */

/* A thermistor: R = R0 exp(B (1/T - 1/T0)), T' = (P - K (T - T0)) / H. */
typedef struct {
    double b, t0, k, h;
} thermistor;

static ha_status thermistor_emit(bg_emitter *em)
{
    const thermistor *x = bg_emitter_user(em);
    ha_dag *dag = bg_emitter_dag(em);
    ha_expr t0 = ha_constant(dag, x->t0), t = HA_EXPR_NONE, f = bg_emitter_flow(em, 0);

    HA_TRY(bg_emitter_add_state(em, "T", t0, &t));
    ha_expr one = ha_constant(dag, 1.0);
    ha_expr power =
        ha_mul(dag, ha_constant(dag, x->b), ha_sub(dag, ha_div(dag, one, t), ha_div(dag, one, t0)));
    ha_expr r = ha_mul(dag, bg_emitter_value(em), reg_function(dag, HA_OP_EXP, power));
    ha_expr e = ha_mul(dag, r, f);
    ha_expr cooling = ha_mul(dag, ha_constant(dag, x->k), ha_sub(dag, t, t0));
    HA_TRY(bg_emitter_set_rate(
        em, t, ha_div(dag, ha_sub(dag, ha_mul(dag, e, f), cooling), ha_constant(dag, x->h))));
    return bg_emitter_set_effort(em, 0, e);
}

/* In the steady state K (T - T0) = R(T) f^2. */
START_TEST(a_law_may_have_states_and_parameters_of_its_own)
{
    thermistor x = { 3000.0, 300.0, 0.02, 0.01 };
    bg_element_type type = bad_type();
    double f = 0.05, t = x.t0;

    type.name = "Th";
    type.title = "thermistor";
    type.emit = thermistor_emit;
    type.user = &x;
    ck_assert_int_eq(bg_element_type_register(ctx, &type), HA_OK);
    for (int i = 0; i < 200; i++) {
        double g = 100.0 * exp(x.b * (1.0 / t - 1.0 / x.t0)) * f * f - x.k * (t - x.t0);
        double dg = (g + x.k * (t - x.t0)) * -x.b / (t * t) - x.k;
        t -= g / dg;
    }
    double found = run("Sf{0.05} > Th{100}", 60.0, "Th.e");
    double wanted = x.k * (t - x.t0) / f;
    ck_assert_msg(fabs(found - wanted) <= 1e-8 * wanted, "%.12g, not %.12g", found, wanted);
}
END_TEST

/* A fall against K v |v|: v = sqrt(g/K) tanh(t sqrt(g K)). */
START_TEST(a_registered_resistor_works_among_the_others)
{
    ck_assert_int_eq(register_types(ctx), HA_OK);
    double found = run("Se{9.81} > 1 > I; 1 > Quad{0.1}", 1.0, "I.f");
    double wanted = sqrt(9.81 / 0.1) * tanh(sqrt(9.81 * 0.1));
    ck_assert_msg(fabs(found - wanted) <= 1e-8, "%.12g, not %.12g", found, wanted);
}
END_TEST

/* Behind a lever e1 = n e2, f2 = n f1 a resistance R is n^2 R; a loop of resistors closes there. */
START_TEST(a_registered_type_may_be_in_an_algebraic_loop)
{
    ck_assert_int_eq(register_types(ctx), HA_OK);
    double found = run("Se{10} > 1 > Lin1{2}; 1 > Lever{3} > 0 > Lin2{4}; 0 > R3{12}", 0.1, "Se.f");
    double wanted = 10.0 / (2.0 + 9.0 * (4.0 * 12.0 / 16.0));
    ck_assert_msg(fabs(found - wanted) <= 1e-9, "%.12g, not %.12g", found, wanted);
}
END_TEST

/* dr/dy and dr/dyp of the model with every type against central differences. */
START_TEST(the_jacobian_is_that_of_central_differences)
{
    static const char text[] =
        "Se{3*sin(t)} > 1a > I{2}; 1a > Quad{0.3}; 1a > Hard{0.7, q=0.4};"
        "1a > Lever{1.5} > 1b > Fast{2.5, p=3}; 1b > Lin{0.8}; 1b > Gyr{0.6} > 0c > C{0.5, q=0.2};"
        "0c > Circ{0.4}; 0d > Hard2{2, q=0.3}; 0d > Circ; Sf{1} > 0e > C3{0.2}; 0e > Circ";
    bg_model *model = NULL;

    ck_assert_int_eq(register_types(ctx), HA_OK);
    ck_assert_msg(compile(text, &model) == HA_OK, "%s", last_text());
    ck_assert_double_le(jacobian_error(model), 2e-6);
    bg_model_free(model);
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    static const char text[] = "Se{3*sin(t)} > 1 > Hard{2, q=0.3}; 1 > Lin{2}; 1 > Lever{2} > Fast";
    size_t n = 0;

    ck_assert_int_eq(register_types(ctx), HA_OK);
    ck_assert_msg(compile(text, NULL) == HA_OK, "%s", last_text());
    ha_ctx_free(ctx);
    for (bool is_done = false; !is_done; n++) {
        ctx = ha_ctx_new();
        ha_ctx_fail_allocation(ctx, n + 1);
        ha_status status = register_types(ctx);
        status = status != HA_OK ? status : compile(text, NULL);
        is_done = status == HA_OK;
        ck_assert_msg(is_done || status == HA_ERR_MEMORY, "allocation %zu: %s", n,
                      ha_status_name(status));
        ha_ctx_free(ctx);
    }
    ck_assert_uint_ge(n, 200);
    ctx = ha_ctx_new();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("element types");
    TCase *tests = tcase_create("element types");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, bad_descriptors_are_refused_by_name);
    tcase_add_test(tests, a_name_must_be_of_letters_and_free);
    tcase_add_test(tests, strings_are_copied);
    tcase_add_test(tests, a_type_is_known_in_its_context_only);
    tcase_add_test(tests, values_out_of_range_and_wrong_senses_are_told_of);
    tcase_add_loop_test(tests, a_law_that_is_wrong_is_told_of, 0, N_FAULTS);
    tcase_add_test(tests, a_law_may_have_states_and_parameters_of_its_own);
    tcase_add_test(tests, a_registered_resistor_works_among_the_others);
    tcase_add_test(tests, a_registered_type_may_be_in_an_algebraic_loop);
    tcase_add_test(tests, the_jacobian_is_that_of_central_differences);
    tcase_add_test(tests, every_allocation_may_fail);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
