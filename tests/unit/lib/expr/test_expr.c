/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The expression graph: equal expressions are one node, simplification, replacement, symbols,
 * copies. The truth about a simplified node is the operation itself on the operands' values.
 */
#include <config.h>

#include "lib/expr.h"
#include "lib/expr/expr_priv.h"

#include "tests/util/random.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ha_ctx *ctx;
static ha_dag *dag;
static ha_expr x, y, z;
static double point[3];

static double value_of(void *user, ha_expr symbol)
{
    (void) user;
    return symbol == x ? point[0] : symbol == y ? point[1] : symbol == z ? point[2] : (double) NAN;
}

static void set_up(void)
{
    ctx = ha_ctx_new();
    dag = ha_dag_new(ctx);
    ck_assert_ptr_nonnull(dag);
    x = ha_symbol(dag, "x");
    y = ha_symbol(dag, "y");
    z = ha_symbol(dag, "z");
    point[0] = 0.7;
    point[1] = -1.3;
    point[2] = 0.2;
}

static void tear_down(void)
{
    ha_dag_free(dag);
    ha_ctx_free(ctx);
}

static ha_expr c(double value)
{
    return ha_constant(dag, value);
}

static ha_expr op1(ha_op op, ha_expr a)
{
    return ha_apply(dag, op, a, HA_EXPR_NONE, HA_EXPR_NONE);
}

static ha_expr op2(ha_op op, ha_expr a, ha_expr b)
{
    return ha_apply(dag, op, a, b, HA_EXPR_NONE);
}

static ha_expr op3(ha_op op, ha_expr a, ha_expr b, ha_expr third)
{
    return ha_apply(dag, op, a, b, third);
}

static double value(ha_expr e)
{
    return ha_expr_value(dag, e, value_of, NULL);
}

static void expect_no_errors(void)
{
    ck_assert_int_eq(ha_dag_status(dag), HA_OK);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 0);
}

/* --- nodes ----------------------------------------------------------------------------------- */

START_TEST(equal_expressions_are_one_node)
{
    ha_expr sum = ha_add(dag, x, y), sine = op1(HA_OP_SIN, sum);
    int size = ha_dag_size(dag);

    ck_assert_int_eq(ha_add(dag, x, y), sum);
    ck_assert_int_eq(ha_add(dag, y, x), sum);
    ck_assert_int_eq(op1(HA_OP_SIN, ha_add(dag, y, x)), sine);
    ck_assert_int_eq(ha_dag_size(dag), size);
    ck_assert_int_eq(ha_mul(dag, x, y), ha_mul(dag, y, x));
    ck_assert_int_ne(ha_sub(dag, x, y), ha_sub(dag, y, x));
    ck_assert_int_ne(ha_div(dag, x, y), ha_div(dag, y, x));
    ck_assert_int_ne(op2(HA_OP_POW, x, y), op2(HA_OP_POW, y, x));
    ck_assert_int_ne(op2(HA_OP_LT, x, y), op2(HA_OP_LE, x, y));
    expect_no_errors();
}
END_TEST

START_TEST(equal_constants_are_one_node)
{
    int before = 0;

    ck_assert_int_eq(c(0.1), c(0.1));
    ck_assert_int_eq(c(0.0), c(-0.0));
    ck_assert_int_eq(c((double) NAN), c((double) NAN));
    ck_assert_int_ne(c(0.1), c(nextafter(0.1, 1.0)));
    ck_assert_int_ne(c(HUGE_VAL), c(-HUGE_VAL));
    before = ha_dag_size(dag);
    for (int i = 0; i < 1000; i++) {
        ck_assert_int_eq(c(0.1), c(0.1));
    }
    ck_assert_int_eq(ha_dag_size(dag), before);
    ck_assert(ha_expr_is(dag, c(2.0), 2.0));
    ck_assert(!ha_expr_is(dag, c(2.0), 2.5));
    ck_assert(ha_expr_is(dag, c(0.0), 0.0));
    ck_assert(!ha_expr_is(dag, x, 0.0));
    ck_assert(!ha_expr_is(dag, HA_EXPR_NONE, 0.0));
    ck_assert(!ha_expr_is_constant(dag, HA_EXPR_NONE, NULL));
}
END_TEST

/* Nodes of a late operand, of an early one, and of every other node, are all found again. */
START_TEST(nodes_with_one_operand_in_common_are_found_again)
{
    enum { N = 100000 };
    static ha_expr early[N], late[N];
    ha_expr first = ha_symbol(dag, "first"), symbols[N / 100];

    for (int i = 0; i < N / 100; i++) {
        symbols[i] = ha_symbol(dag, "s");
    }
    ha_expr last = ha_symbol(dag, "last");
    for (int i = 0; i < N; i++) {
        early[i] = op2(HA_OP_POW, first, i == 0 ? last : early[i - 1]);
        late[i] = op2(HA_OP_ATAN2, symbols[i % (N / 100)], i == 0 ? last : late[i - 1]);
    }
    for (int i = 0; i < N / 100; i++) {
        ck_assert_int_eq(ha_mul(dag, symbols[i], last), ha_mul(dag, last, symbols[i]));
    }
    int size = ha_dag_size(dag);
    for (int i = 0; i < N; i++) {
        ck_assert_int_eq(op2(HA_OP_POW, first, i == 0 ? last : early[i - 1]), early[i]);
        ck_assert_int_eq(op2(HA_OP_ATAN2, symbols[i % (N / 100)], i == 0 ? last : late[i - 1]),
                         late[i]);
        ck_assert_int_eq(ha_mul(dag, symbols[i % (N / 100)], last),
                         ha_mul(dag, last, symbols[i % (N / 100)]));
    }
    ck_assert_int_eq(ha_dag_size(dag), size);
    expect_no_errors();
}
END_TEST

START_TEST(every_symbol_is_its_own_whatever_its_name)
{
    char name[] = "mass";
    ha_expr a = ha_symbol(dag, name), b = ha_symbol(dag, "mass"), none = ha_symbol(dag, "");

    ck_assert_int_ne(a, b);
    memset(name, '#', 4);
    ck_assert_str_eq(ha_symbol_name(dag, a), "mass");
    ck_assert_str_eq(ha_symbol_name(dag, none), "");
    ck_assert_int_eq(ha_expr_op(dag, a), HA_OP_SYMBOL);
    ck_assert_int_eq(ha_symbol_definition(dag, a), HA_EXPR_NONE);
}
END_TEST

START_TEST(operands_are_numbered_before_their_operation)
{
    uint64_t state = 7;
    ha_expr nodes[2000];
    int n = 3;

    nodes[0] = x;
    nodes[1] = y;
    nodes[2] = c(2.0);
    while (n < 2000) {
        ha_op op = (ha_op) (HA_OP_ADD + random_below(&state, HA_OP_COUNT - HA_OP_ADD));
        ha_expr operands[3];
        for (int k = 0; k < 3; k++) {
            operands[k] = nodes[random_below(&state, n)];
        }
        nodes[n++] = ha_apply(dag, op, operands[0], operands[1], operands[2]);
    }
    for (ha_expr e = 1; e < ha_dag_size(dag); e++) {
        for (int k = 0; k < 3; k++) {
            ha_expr operand = ha_expr_operand(dag, e, k);
            bool wanted = k < ha_op_arity(ha_expr_op(dag, e));
            ck_assert(wanted ? operand > 0 && operand < e : operand == HA_EXPR_NONE);
        }
    }
    expect_no_errors();
}
END_TEST

START_TEST(a_missing_operand_gives_no_expression)
{
    ck_assert_int_eq(ha_add(dag, x, HA_EXPR_NONE), HA_EXPR_NONE);
    ck_assert_int_eq(ha_neg(dag, HA_EXPR_NONE), HA_EXPR_NONE);
    ck_assert_int_eq(op3(HA_OP_IF, x, y, HA_EXPR_NONE), HA_EXPR_NONE);
    ck_assert_int_ne(op2(HA_OP_SIN, x, HA_EXPR_NONE), HA_EXPR_NONE);
}
END_TEST

/* --- simplification -------------------------------------------------------------------------- */

START_TEST(what_is_promised_is_simplified)
{
    ha_expr xy = ha_mul(dag, x, y), minus_x = ha_neg(dag, x), minus_y = ha_neg(dag, y);
    const ha_expr pairs[][2] = {
        { ha_add(dag, x, c(0.0)), x },
        { ha_add(dag, c(0.0), x), x },
        { ha_sub(dag, x, x), c(0.0) },
        { ha_sub(dag, x, c(0.0)), x },
        { ha_sub(dag, c(0.0), x), minus_x },
        { ha_mul(dag, c(0.0), x), c(0.0) },
        { ha_mul(dag, x, c(0.0)), c(0.0) },
        { ha_mul(dag, x, c(1.0)), x },
        { ha_mul(dag, c(-1.0), x), minus_x },
        { ha_div(dag, x, c(1.0)), x },
        { ha_div(dag, x, x), c(1.0) },
        { ha_div(dag, c(0.0), x), c(0.0) },
        { ha_neg(dag, minus_x), x },
        { ha_add(dag, x, minus_y), ha_sub(dag, x, y) },
        { ha_add(dag, minus_y, x), ha_sub(dag, x, y) },
        { ha_add(dag, x, minus_x), c(0.0) },
        { ha_sub(dag, x, minus_y), ha_add(dag, x, y) },
        { ha_neg(dag, ha_sub(dag, x, y)), ha_sub(dag, y, x) },
        { ha_mul(dag, minus_x, y), ha_neg(dag, xy) },
        { ha_mul(dag, x, minus_y), ha_neg(dag, xy) },
        { ha_mul(dag, minus_x, minus_y), xy },
        { ha_div(dag, minus_x, minus_y), ha_div(dag, x, y) },
        { ha_mul(dag, c(3.0), ha_mul(dag, c(2.0), x)), ha_mul(dag, c(6.0), x) },
        { ha_mul(dag, ha_mul(dag, x, c(2.0)), c(3.0)), ha_mul(dag, c(6.0), x) },
        { ha_mul(dag, c(0.5), ha_mul(dag, c(2.0), x)), x },
        { ha_neg(dag, ha_mul(dag, c(2.0), x)), ha_mul(dag, c(-2.0), x) },
        { op2(HA_OP_POW, x, c(0.0)), c(1.0) },
        { op2(HA_OP_POW, x, c(1.0)), x },
        { op2(HA_OP_POW, x, c(2.0)), ha_mul(dag, x, x) },
        { op2(HA_OP_POW, x, c(0.5)), op1(HA_OP_SQRT, x) },
        { op2(HA_OP_POW, x, c(-1.0)), ha_div(dag, c(1.0), x) },
        { op1(HA_OP_SIN, minus_x), ha_neg(dag, op1(HA_OP_SIN, x)) },
        { op1(HA_OP_COS, minus_x), op1(HA_OP_COS, x) },
        { op3(HA_OP_IF, c(1.0), x, y), x },
        { op3(HA_OP_IF, c(-0.5), x, y), x },
        { op3(HA_OP_IF, c(0.0), x, y), y },
        { op3(HA_OP_IF, x, y, y), y },
        { ha_add(dag, c(2.0), c(3.0)), c(5.0) },
        { op1(HA_OP_COS, c(0.0)), c(1.0) },
        { op2(HA_OP_LT, c(1.0), c(2.0)), c(1.0) },
        { op2(HA_OP_ATAN2, c(0.0), c(-1.0)), c(acos(-1.0)) },
    };

    for (size_t i = 0; i < HA_COUNT(pairs); i++) {
        ck_assert_msg(pairs[i][0] == pairs[i][1], "case %zu", i);
    }
    expect_no_errors();
}
END_TEST

/* What is not finite keeps its form, so that it is found by name when it is evaluated. */
START_TEST(an_operation_that_is_not_finite_stays)
{
    const ha_expr made[] = {
        ha_div(dag, c(1.0), c(0.0)), ha_div(dag, c(0.0), c(0.0)),     op1(HA_OP_LOG, c(0.0)),
        op1(HA_OP_SQRT, c(-1.0)),    ha_mul(dag, c(1e200), c(1e200)),
    };
    static const ha_op ops[] = { HA_OP_DIV, HA_OP_DIV, HA_OP_LOG, HA_OP_SQRT, HA_OP_MUL };

    for (size_t i = 0; i < HA_COUNT(made); i++) {
        ck_assert_int_eq(ha_expr_op(dag, made[i]), ops[i]);
        ck_assert(!isfinite(value(made[i])));
    }
    expect_no_errors();
}
END_TEST

/* Numbers beyond the range of a double must not send the simplifier round in circles. */
START_TEST(large_small_and_infinite_constants_are_handled)
{
    const double extremes[] = { 1e200,     -1e200,       1e-200, 1e308, 5e-324, HUGE_VAL,
                                -HUGE_VAL, (double) NAN, 1.0,    -1.0,  2.0 };
    const ha_op ops[] = { HA_OP_ADD, HA_OP_SUB, HA_OP_MUL, HA_OP_DIV, HA_OP_POW };

    for (size_t i = 0; i < HA_COUNT(extremes); i++) {
        for (size_t j = 0; j < HA_COUNT(extremes); j++) {
            for (size_t k = 0; k < HA_COUNT(extremes); k++) {
                ha_expr a = c(extremes[i]), b = c(extremes[j]), d = c(extremes[k]);
                for (size_t o = 0; o < HA_COUNT(ops); o++) {
                    ha_expr bd = op2(ops[o], b, d), bx = op2(ops[o], b, x);
                    const ha_expr made[] = {
                        ha_mul(dag, a, bd),
                        ha_mul(dag, bd, ha_mul(dag, a, x)),
                        ha_neg(dag, ha_mul(dag, a, bx)),
                        ha_mul(dag, a, ha_mul(dag, d, bx)),
                        ha_neg(dag, bd),
                        ha_sub(dag, ha_neg(dag, bx), ha_mul(dag, a, bd)),
                    };
                    for (size_t m = 0; m < HA_COUNT(made); m++) {
                        ck_assert_int_ne(made[m], HA_EXPR_NONE);
                    }
                }
            }
        }
    }
    expect_no_errors();
}
END_TEST

/* What only adding needs is made again: equal expressions are still one node, in a copy too. */
START_TEST(a_graph_at_rest_finds_its_nodes_again)
{
    enum { N = 2000 };
    static ha_expr made[N];

    for (int i = 0; i < N; i++) {
        made[i] = ha_add(dag, ha_mul(dag, c(i + 2), x), y);
    }
    int size = ha_dag_size(dag);
    ha__dag_rest(dag);
    ha_dag *copy = ha_dag_clone(dag);
    ck_assert_ptr_nonnull(copy);
    for (int i = N - 1; i >= 0; i--) {
        ck_assert_int_eq(ha_add(dag, ha_mul(dag, c(i + 2), x), y), made[i]);
        ck_assert_int_eq(ha_add(copy, ha_mul(copy, ha_constant(copy, i + 2), x), y), made[i]);
    }
    ck_assert_int_eq(ha_dag_size(dag), size);
    ck_assert_int_eq(ha_dag_size(copy), size);
    ha_dag_free(copy);
    expect_no_errors();
}
END_TEST

START_TEST(joined_factors_neither_overflow_nor_vanish)
{
    ha_expr tiny = ha_mul(dag, c(1e-200), ha_mul(dag, c(1e-200), x));
    ha_expr huge = ha_mul(dag, c(1e200), ha_mul(dag, c(1e200), x));

    point[0] = 1e300;
    ck_assert_double_eq_tol(value(tiny) / 1e-100, 1.0, 1e-12);
    point[0] = 1e-300;
    ck_assert_double_eq_tol(value(huge) / 1e100, 1.0, 1e-12);
}
END_TEST

/* The operands from which all simplifications are met. */
static int list_operands(ha_expr *list)
{
    static const double numbers[] = { 0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0 };
    int n = 0;

    for (size_t i = 0; i < HA_COUNT(numbers); i++) {
        list[n++] = c(numbers[i]);
    }
    list[n++] = x;
    list[n++] = y;
    list[n++] = ha_neg(dag, x);
    list[n++] = ha_neg(dag, y);
    list[n++] = ha_sub(dag, x, y);
    list[n++] = ha_sub(dag, y, x);
    list[n++] = ha_add(dag, x, y);
    list[n++] = ha_mul(dag, c(2.0), x);
    list[n++] = ha_mul(dag, c(-0.5), y);
    list[n++] = ha_mul(dag, x, y);
    list[n++] = ha_neg(dag, ha_mul(dag, x, y));
    list[n++] = ha_div(dag, x, y);
    list[n++] = ha_neg(dag, ha_div(dag, x, y));
    list[n++] = op1(HA_OP_SIN, x);
    list[n++] = op1(HA_OP_ABS, y);
    list[n++] = op2(HA_OP_LT, x, y);
    return n;
}

/* The made node has the value of the operation on the operands' values, up to rounding. */
static void compare(ha_op op, const ha_expr operands[3])
{
    ha_expr e = ha_apply(dag, op, operands[0], operands[1], operands[2]);
    double v[3];

    for (int k = 0; k < 3; k++) {
        v[k] = value(operands[k]);
    }
    double wanted = ha_op_value(op, v[0], v[1], v[2]), found = value(e);
    if (!isfinite(wanted)) {
        return;
    }
    double scale = 1.0;
    for (int k = 0; k < ha_op_arity(op); k++) {
        scale = isfinite(v[k]) ? fmax(scale, fabs(v[k])) : scale;
    }
    if (!(fabs(found - wanted) <= 1e-14 * fmax(scale, fabs(wanted)))) {
        ck_abort_msg("%s of %.17g, %.17g, %.17g: %.17g, not %.17g", ha_op_text(op), v[0], v[1],
                     v[2], found, wanted);
    }
}

START_TEST(simplified_nodes_keep_the_value)
{
    static const double points[][2] = {
        { 0.7, -1.3 }, { -0.4, 0.9 }, { 2.5, 1.75 }, { -3.2, -0.6 }, { 0.3, 0.8 }, { 1.0, -1.0 },
    };
    ha_expr list[64];
    int n = list_operands(list);

    for (size_t p = 0; p < HA_COUNT(points); p++) {
        point[0] = points[p][0];
        point[1] = points[p][1];
        for (int op = HA_OP_ADD; op < HA_OP_COUNT; op++) {
            int arity = ha_op_arity((ha_op) op);
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < (arity > 1 ? n : 1); j++) {
                    for (int k = 0; k < (arity > 2 ? n : 1); k++) {
                        compare((ha_op) op, (ha_expr[3]){ list[i], list[j], list[k] });
                    }
                }
            }
        }
    }
    expect_no_errors();
}
END_TEST

START_TEST(sums_and_products_of_three_keep_the_value)
{
    ha_expr list[64];
    int n = list_operands(list);
    const ha_op ops[] = { HA_OP_ADD, HA_OP_SUB, HA_OP_MUL, HA_OP_DIV };

    for (size_t o = 0; o < HA_COUNT(ops); o++) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                ha_expr inner = op2(ops[o], list[i], list[j]);
                for (size_t p = 0; p < HA_COUNT(ops); p++) {
                    for (int k = 0; k < n; k += 3) {
                        compare(ops[p], (ha_expr[3]){ inner, list[k], x });
                        compare(ops[p], (ha_expr[3]){ list[k], inner, x });
                    }
                }
            }
        }
    }
    expect_no_errors();
}
END_TEST

START_TEST(a_quotient_of_equal_constants_is_one)
{
    ck_assert_int_eq(ha_div(dag, c(3.0), c(3.0)), c(1.0));
    ck_assert(isnan(value(ha_div(dag, c(0.0), c(0.0)))));
}
END_TEST

/* --- replacement ----------------------------------------------------------------------------- */

static ha_expr resolved(ha_expr e)
{
    ha_expr out = -77;
    ha_status status = ha_resolve(dag, e, &out);

    ck_assert_msg(status == HA_OK, "%s",
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "no diagnostic");
    return out;
}

START_TEST(definitions_are_inserted_all_the_way_down)
{
    ha_expr e = ha_add(dag, ha_mul(dag, x, y), z);

    ck_assert_int_eq(resolved(e), e);
    ha_symbol_define(dag, x, c(3.0));
    ck_assert_int_eq(ha_symbol_definition(dag, x), c(3.0));
    ck_assert_int_eq(resolved(e), ha_add(dag, ha_mul(dag, c(3.0), y), z));
    ha_symbol_define(dag, y, ha_sub(dag, z, x));
    ck_assert_int_eq(resolved(e), ha_add(dag, ha_mul(dag, c(3.0), ha_sub(dag, z, c(3.0))), z));
    ha_symbol_define(dag, z, c(3.0));
    ck_assert_int_eq(resolved(e), c(3.0));
    ck_assert_int_eq(resolved(x), c(3.0));
    ck_assert_int_eq(resolved(c(5.0)), c(5.0));
    expect_no_errors();
}
END_TEST

START_TEST(a_definition_can_be_changed_after_resolving)
{
    ha_expr inner = ha_symbol(dag, "inner"), outer = ha_symbol(dag, "outer");
    ha_expr e = op1(HA_OP_SIN, ha_mul(dag, outer, y));

    ha_symbol_define(dag, outer, ha_add(dag, inner, c(1.0)));
    ha_symbol_define(dag, inner, c(1.0));
    ck_assert_int_eq(resolved(e), op1(HA_OP_SIN, ha_mul(dag, c(2.0), y)));
    ha_symbol_define(dag, inner, x);
    ck_assert_int_eq(resolved(e), op1(HA_OP_SIN, ha_mul(dag, ha_add(dag, x, c(1.0)), y)));
    ha_symbol_define(dag, x, c(4.0)); /* until now x stood for itself */
    ck_assert_int_eq(resolved(e), op1(HA_OP_SIN, ha_mul(dag, c(5.0), y)));
    ha_symbol_define(dag, inner, HA_EXPR_NONE);
    ha_symbol_define(dag, x, HA_EXPR_NONE);
    ck_assert_int_eq(resolved(e), op1(HA_OP_SIN, ha_mul(dag, ha_add(dag, inner, c(1.0)), y)));
    expect_no_errors();
}
END_TEST

/* The error names the symbol, the graph stays usable, the output is untouched. */
static void expect_circle(ha_expr e, const char *name)
{
    ha_expr out = -77;
    char quoted[64];

    ck_assert_int_eq(ha_resolve(dag, e, &out), HA_ERR_NAME);
    ck_assert_int_eq(out, -77);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
    snprintf(quoted, sizeof quoted, "`%s`", name);
    ck_assert_msg(strstr(ha_ctx_diag(ctx, 0)->text, quoted) != NULL, "%s: %s", quoted,
                  ha_ctx_diag(ctx, 0)->text);
    ck_assert_int_eq(ha_dag_status(dag), HA_OK);
    ha_ctx_clear(ctx);
}

START_TEST(circles_are_found_and_named)
{
    ha_symbol_define(dag, x, x);
    expect_circle(x, "x");
    ha_symbol_define(dag, x, ha_add(dag, x, c(1.0)));
    expect_circle(x, "x");
    expect_circle(op1(HA_OP_COS, ha_mul(dag, x, y)), "x");
    ck_assert_int_eq(resolved(y), y);

    ha_symbol_define(dag, x, c(2.0));
    ck_assert_int_eq(resolved(x), c(2.0));

    ha_symbol_define(dag, x, ha_neg(dag, y));
    ha_symbol_define(dag, y, op1(HA_OP_SIN, x));
    ha_expr out = 0;
    ck_assert_int_eq(ha_resolve(dag, ha_mul(dag, x, z), &out), HA_ERR_NAME);
    const char *text = ha_ctx_diag(ctx, 0)->text;
    ck_assert_msg(strstr(text, "`x`") != NULL || strstr(text, "`y`") != NULL, "%s", text);
}
END_TEST

START_TEST(a_circle_through_the_expression_itself_names_a_symbol)
{
    ha_expr sine = op1(HA_OP_SIN, y);

    ha_symbol_define(dag, y, ha_add(dag, sine, c(1.0)));
    expect_circle(sine, "y");
    expect_circle(ha_add(dag, sine, c(1.0)), "y");
}
END_TEST

START_TEST(parts_that_are_shared_are_no_circle)
{
    ha_expr e = ha_add(dag, x, y);

    ha_symbol_define(dag, x, ha_mul(dag, z, z));
    ha_symbol_define(dag, y, ha_add(dag, x, ha_mul(dag, z, z)));
    resolved(ha_add(dag, ha_mul(dag, e, x), ha_mul(dag, e, y)));
    expect_no_errors();
}
END_TEST

/* x_(k+1) = x_k x_k + x_k: 2^k paths, k nodes. */
START_TEST(shared_parts_cost_once)
{
    ha_expr e = x;

    for (int k = 0; k < 200; k++) {
        e = ha_add(dag, ha_mul(dag, c(0.25), ha_mul(dag, e, e)), ha_mul(dag, c(0.5), e));
    }
    point[0] = 1.0;
    ck_assert(isfinite(value(e)));
    ha_symbol_define(dag, x, y);
    ha_expr in_y = resolved(e);
    point[1] = 1.0;
    ck_assert_double_eq(value(in_y), value(e));
    ck_assert_int_ne(ha_partial(dag, e, x), HA_EXPR_NONE);
    expect_no_errors();
}
END_TEST

/* --- large graphs ---------------------------------------------------------------------------- */

enum { LONG = 1000 * 1000 };

/* x_(k+1) = x_k + 1 / 2^20 - y: a chain as deep as it is long. */
static ha_expr long_chain(void)
{
    ha_expr e = x, step = c(0x1p-20);

    for (int k = 0; k < LONG / 2; k++) {
        e = ha_add(dag, step, op2(HA_OP_MAX, e, y));
    }
    return e;
}

START_TEST(a_chain_of_a_million_nodes_is_walked)
{
    ha_expr e = long_chain(), out = HA_EXPR_NONE, *symbols = NULL;
    size_t n = 0;

    point[0] = 3.0;
    point[1] = -4.0;
    ck_assert_double_eq(value(e), 3.0 + LONG / 2 * 0x1p-20);
    ck_assert_int_eq(ha_expr_symbols(dag, e, &symbols, &n), HA_OK);
    ck_assert_uint_eq(n, 2);
    free(symbols);
    ha_symbol_define(dag, x, z);
    out = resolved(e);
    point[2] = 5.0;
    ck_assert_double_eq(value(out), 5.0 + LONG / 2 * 0x1p-20);
    ha_symbol_set_derivative(dag, x, c(2.0));
    ck_assert_int_eq(ha_dt(dag, e, &out), HA_OK);
    ck_assert_double_eq(value(out), 2.0);
    expect_no_errors();
}
END_TEST

START_TEST(a_chain_of_a_million_definitions_is_followed)
{
    ha_expr *symbols = calloc(LONG, sizeof *symbols);

    ck_assert_ptr_nonnull(symbols);
    for (int k = 0; k < LONG; k++) {
        symbols[k] = ha_symbol(dag, "s");
        ha_symbol_define(dag, symbols[k], k == 0 ? x : ha_neg(dag, symbols[k - 1]));
    }
    ck_assert_int_eq(resolved(symbols[LONG - 1]), ha_neg(dag, x));
    ck_assert_int_eq(resolved(symbols[LONG - 2]), x);
    free(symbols);
    expect_no_errors();
}
END_TEST

/* --- symbols --------------------------------------------------------------------------------- */

START_TEST(the_symbols_of_an_expression_are_listed_once)
{
    ha_expr e = ha_add(dag, op1(HA_OP_SIN, x), ha_mul(dag, ha_mul(dag, x, z), x));
    ha_expr *symbols = NULL, *again = NULL;
    size_t n = 99, m = 99;

    ha_symbol_define(dag, x, y); /* definitions are not looked into */
    ck_assert_int_eq(ha_expr_symbols(dag, e, &symbols, &n), HA_OK);
    ck_assert_uint_eq(n, 2);
    ck_assert((symbols[0] == x && symbols[1] == z) || (symbols[0] == z && symbols[1] == x));
    ck_assert_int_eq(ha_expr_symbols(dag, e, &again, &m), HA_OK);
    ck_assert_uint_eq(m, n);
    ck_assert_mem_eq(symbols, again, n * sizeof *symbols);
    free(symbols);
    free(again);

    ck_assert_int_eq(ha_expr_symbols(dag, c(1.0), &symbols, &n), HA_OK);
    ck_assert_uint_eq(n, 0);
    free(symbols);
    ck_assert_int_eq(ha_expr_symbols(dag, y, &symbols, &n), HA_OK);
    ck_assert_uint_eq(n, 1);
    ck_assert_int_eq(symbols[0], y);
    free(symbols);
}
END_TEST

START_TEST(a_symbol_without_value_gives_nan)
{
    ha_expr other = ha_symbol(dag, "other");

    ck_assert(isnan(value(ha_add(dag, x, other))));
    ck_assert(isnan(ha_expr_value(dag, x, NULL, NULL)));
    ck_assert(isnan(ha_expr_value(dag, HA_EXPR_NONE, value_of, NULL)));
    ck_assert_double_eq(ha_expr_value(dag, c(2.0), NULL, NULL), 2.0);
}
END_TEST

/* --- copies ---------------------------------------------------------------------------------- */

START_TEST(a_clone_has_the_same_numbers_and_a_life_of_its_own)
{
    ha_expr e = ha_mul(dag, op1(HA_OP_EXP, x), ha_add(dag, y, c(0.1))), out = HA_EXPR_NONE;

    ha_symbol_define(dag, y, c(2.0));
    ha_symbol_set_derivative(dag, x, z);
    resolved(e);
    ha_dag *copy = ha_dag_clone(dag);
    ck_assert_ptr_nonnull(copy);
    ck_assert_int_eq(ha_dag_size(copy), ha_dag_size(dag));
    ck_assert_str_eq(ha_symbol_name(copy, x), "x");
    ck_assert_double_eq(ha_expr_value(copy, e, value_of, NULL), value(e));
    ck_assert_int_eq(ha_symbol_definition(copy, y), c(2.0));
    ck_assert_int_eq(ha_add(copy, y, ha_constant(copy, 0.1)), ha_add(dag, y, c(0.1)));

    int size = ha_dag_size(dag);
    ha_symbol_define(copy, y, ha_symbol(copy, "new"));
    ck_assert_int_eq(ha_resolve(copy, e, &out), HA_OK);
    ck_assert_int_eq(ha_dag_size(dag), size);
    ck_assert_int_eq(resolved(e), ha_mul(dag, op1(HA_OP_EXP, x), c(2.1)));
    ck_assert_int_eq(ha_dt(copy, x, &out), HA_OK);
    ck_assert_int_eq(out, z);

    ha_dag_free(dag);
    dag = copy;
    ck_assert_str_eq(ha_symbol_name(dag, z), "z");
    ck_assert(isfinite(value(e)));
}
END_TEST

START_TEST(an_empty_graph_can_be_cloned)
{
    ha_dag *empty = ha_dag_new(ctx), *copy = ha_dag_clone(empty);

    ck_assert_ptr_nonnull(copy);
    ck_assert_int_eq(ha_dag_size(copy), ha_dag_size(empty));
    ck_assert(ha_expr_is(copy, ha_constant(copy, 3.0), 3.0));
    ha_dag_free(copy);
    ha_dag_free(empty);
    ha_dag_free(NULL);
}
END_TEST

/* --- out of memory --------------------------------------------------------------------------- */

START_TEST(the_first_failure_sticks_to_the_graph)
{
    ha_ctx_fail_allocation(ctx, 1);
    ha_expr e = x;
    for (int i = 0; i < 10000 && e != HA_EXPR_NONE; i++) {
        e = ha_add(dag, c(i + 0.5), op1(HA_OP_SIN, e));
    }
    ck_assert_int_eq(e, HA_EXPR_NONE);
    ha_ctx_fail_allocation(ctx, 0);
    ck_assert_int_eq(ha_dag_status(dag), HA_ERR_MEMORY);
    ck_assert_int_eq(c(1.0), HA_EXPR_NONE);
    ck_assert_int_eq(ha_symbol(dag, "late"), HA_EXPR_NONE);
    ck_assert_int_eq(ha_add(dag, x, y), HA_EXPR_NONE);
    ck_assert_int_eq(ha_partial(dag, x, x), HA_EXPR_NONE);
    ha_expr out = -77;
    ck_assert_int_eq(ha_resolve(dag, x, &out), HA_ERR_MEMORY);
    ck_assert_int_eq(ha_dt(dag, x, &out), HA_ERR_MEMORY);
    ck_assert_int_eq(out, -77);
    ha_symbol_define(dag, HA_EXPR_NONE, x);
    ha_symbol_set_derivative(dag, HA_EXPR_NONE, x);
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 1);
}
END_TEST

/* Builds, resolves, differentiates, copies; HA_OK or the first failure. */
static ha_status scenario(ha_dag **made)
{
    ha_expr e = HA_EXPR_NONE, a = HA_EXPR_NONE, b = HA_EXPR_NONE, out = HA_EXPR_NONE;
    ha_expr *symbols = NULL, *partials = NULL;
    size_t n = 0;
    ha_dag *d = ha_dag_new(ctx), *copy = NULL;

    *made = d;
    if (d == NULL) {
        return HA_ERR_MEMORY;
    }
    a = ha_symbol(d, "a");
    b = ha_symbol(d, "b");
    e = a;
    for (int i = 0; i < 300; i++) {
        e = ha_add(d, ha_mul(d, ha_constant(d, 0.1 * i), e), b);
    }
    ha_symbol_set_derivative(d, a, b);
    ha_symbol_define(d, b, ha_add(d, a, ha_constant(d, 7.0)));
    HA_TRY(ha_dag_status(d));
    HA_TRY(ha_gradient(d, e, &symbols, &partials, &n));
    free(symbols);
    free(partials);
    HA_TRY(ha_expr_symbols(d, e, &symbols, &n));
    free(symbols);
    HA_TRY(ha_resolve(d, e, &out));
    HA_TRY(ha_dt(d, out, &out));
    if (isnan(ha_expr_value(d, ha_constant(d, 1.0), NULL, NULL)) ||
        ha_partial(d, e, b) == HA_EXPR_NONE) {
        return HA_ERR_MEMORY;
    }
    copy = ha_dag_clone(d);
    ha_status status = copy == NULL ? HA_ERR_MEMORY : HA_OK;
    ha_dag_free(copy);
    return status;
}

START_TEST(every_allocation_may_fail)
{
    ha_status status = HA_ERR_MEMORY;

    for (size_t n = 1; status != HA_OK; n++) {
        ha_dag *made = NULL;
        ck_assert_uint_lt(n, 1000);
        ha_ctx_clear(ctx);
        ha_ctx_fail_allocation(ctx, n);
        status = scenario(&made);
        ha_ctx_fail_allocation(ctx, 0);
        ha_dag_free(made);
        ck_assert_int_eq(status, ha_ctx_n_errors(ctx) > 0 ? HA_ERR_MEMORY : HA_OK);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("expr");
    TCase *tests = tcase_create("expr");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, equal_expressions_are_one_node);
    tcase_add_test(tests, equal_constants_are_one_node);
    tcase_add_test(tests, nodes_with_one_operand_in_common_are_found_again);
    tcase_add_test(tests, every_symbol_is_its_own_whatever_its_name);
    tcase_add_test(tests, operands_are_numbered_before_their_operation);
    tcase_add_test(tests, a_missing_operand_gives_no_expression);
    tcase_add_test(tests, what_is_promised_is_simplified);
    tcase_add_test(tests, an_operation_that_is_not_finite_stays);
    tcase_add_test(tests, large_small_and_infinite_constants_are_handled);
    tcase_add_test(tests, a_graph_at_rest_finds_its_nodes_again);
    tcase_add_test(tests, joined_factors_neither_overflow_nor_vanish);
    tcase_add_test(tests, simplified_nodes_keep_the_value);
    tcase_add_test(tests, sums_and_products_of_three_keep_the_value);
    tcase_add_test(tests, a_quotient_of_equal_constants_is_one);
    tcase_add_test(tests, definitions_are_inserted_all_the_way_down);
    tcase_add_test(tests, a_definition_can_be_changed_after_resolving);
    tcase_add_test(tests, circles_are_found_and_named);
    tcase_add_test(tests, a_circle_through_the_expression_itself_names_a_symbol);
    tcase_add_test(tests, parts_that_are_shared_are_no_circle);
    tcase_add_test(tests, shared_parts_cost_once);
    tcase_add_test(tests, a_chain_of_a_million_nodes_is_walked);
    tcase_add_test(tests, a_chain_of_a_million_definitions_is_followed);
    tcase_add_test(tests, the_symbols_of_an_expression_are_listed_once);
    tcase_add_test(tests, a_symbol_without_value_gives_nan);
    tcase_add_test(tests, a_clone_has_the_same_numbers_and_a_life_of_its_own);
    tcase_add_test(tests, an_empty_graph_can_be_cloned);
    tcase_add_test(tests, the_first_failure_sticks_to_the_graph);
    tcase_add_test(tests, every_allocation_may_fail);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
