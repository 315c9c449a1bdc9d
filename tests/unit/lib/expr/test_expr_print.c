/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions as text: the texts themselves, and that the parser reads them back to the same node.
 */
#include <config.h>

#include "lib/expr.h"

#include "tests/util/random.h"
#include "tests/util/util.h"

#include <check.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = { "a", "b", "c", "d", "1j.f", "K1.angle" };

static ha_ctx *ctx;
static ha_dag *dag;
static ha_expr symbols[HA_COUNT(names)];

static ha_expr lookup(void *user, const char *name)
{
    (void) user;
    for (size_t i = 0; i < HA_COUNT(names); i++) {
        if (strcmp(names[i], name) == 0) {
            return symbols[i];
        }
    }
    return HA_EXPR_NONE;
}

static void set_up(void)
{
    ctx = ha_ctx_new();
    dag = ha_dag_new(ctx);
    ck_assert_ptr_nonnull(dag);
    for (size_t i = 0; i < HA_COUNT(names); i++) {
        symbols[i] = ha_symbol(dag, names[i]);
    }
}

static void tear_down(void)
{
    ha_dag_free(dag);
    ha_ctx_free(ctx);
}

static ha_expr parse(const char *text)
{
    ha_parse_def def = { .lookup = lookup };
    ha_expr e = HA_EXPR_NONE;

    ck_assert_msg(ha_expr_parse(dag, text, &def, &e) == HA_OK, "`%s`: %s", text,
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "?");
    return e;
}

static void expect_text(const char *expression, const char *text)
{
    char *found = ha_expr_text(dag, parse(expression));

    ck_assert_ptr_nonnull(found);
    ck_assert_msg(strcmp(found, text) == 0, "`%s` is written `%s`, should be `%s`", expression,
                  found, text);
    ck_assert_int_eq(parse(found), parse(expression));
    free(found);
}

START_TEST(parentheses_are_minimal)
{
    expect_text("((a))", "a");
    expect_text("(a + b) + c", "a + b + c");
    expect_text("a + (b + c)", "b + c + a");
    expect_text("(a + b) + (c + d)", "a + b + (c + d)");
    expect_text("2 + (b + c)", "2 + (b + c)");
    expect_text("a - (b - c)", "a - (b - c)");
    expect_text("(a - b) - c", "a - b - c");
    expect_text("(a*b)*c", "a*b*c");
    expect_text("a/(b*c)", "a/(b*c)");
    expect_text("(a/b)*c", "a/b*c");
    expect_text("a*(b + c)", "a*(b + c)");
    expect_text("(a^b)^c", "(a^b)^c");
    expect_text("a^(b^c)", "a^b^c");
    expect_text("(a + b)^c", "(a + b)^c");
    expect_text("a^(b + c)", "a^(b + c)");
    expect_text("a^(-b)", "a^-b");
    expect_text("(-a)^b", "(-a)^b");
    expect_text("-(a^b)", "-a^b");
    expect_text("-(a*b)", "-a*b");
    expect_text("-(a*b*c)", "-a*b*c");
    expect_text("-(a/b)", "-a/b");
    expect_text("-((a - b)*c)", "-c*(a - b)");
    expect_text("-((a - b)/c)", "-((a - b)/c)");
    expect_text("-(2/a)", "-(2/a)");
    expect_text("(-2)/a", "-2/a");
    expect_text("-(a + b)", "-(a + b)");
    expect_text("(a < b) < c", "(a < b) < c");
    expect_text("(a + b) <= c", "a + b <= c");
    expect_text("(a < b) + c", "c + (a < b)");
    expect_text("a < (b == c)", "a < (b == c)");
    expect_text("if(a != b, a, b)", "if(a != b, a, b)");
    expect_text("sin((a + b)*c)", "sin(c*(a + b))");
    expect_text("atan2(a, -b)", "atan2(a, -b)");
}
END_TEST

START_TEST(numbers_are_short_and_exact)
{
    expect_text("0.1", "0.1");
    expect_text("1e-6", "1e-06");
    expect_text("1/3", "0.3333333333333333");
    expect_text("-3*a", "-3*a");
    expect_text("a - -3", "3 + a");
    expect_text("(-3)^a", "(-3)^a");
    expect_text("3^a", "3^a");
    expect_text("a^-3", "a^-3");
    expect_text("1e300", "1e+300");
    expect_text("1/0", "1/0");
    expect_text("(-8)^0.1", "(-8)^0.1");
    expect_text("pi", "3.141592653589793");
}
END_TEST

START_TEST(names_are_written_as_they_are)
{
    expect_text("1j.f*K1.angle", "1j.f*K1.angle");
    expect_text("2*1j.f", "2*1j.f");
}
END_TEST

static uint64_t seed;

static int any(int n)
{
    return random_below(&seed, n);
}

/* Random graphs reach forms that no text reaches, since the constructors work on any operands. */
START_TEST(every_node_is_read_back_to_itself)
{
    enum { NODES = 4000, RECENT = 60, DEEP = 400 };
    static ha_expr nodes[NODES + HA_COUNT(names)];
    size_t n = 0;

    for (unsigned start = 1; start < 6; start++) {
        seed = start;
        n = 0;
        for (size_t i = 0; i < HA_COUNT(names); i++) {
            nodes[n++] = symbols[i];
        }
        for (int i = 0; i < NODES; i++) {
            ha_op op = (ha_op) (HA_OP_ADD + any(HA_OP_COUNT - HA_OP_ADD));
            ha_expr x[3];
            for (int k = 0; k < 3; k++) {
                size_t back = (size_t) any(n < RECENT ? (int) n : RECENT);
                x[k] = any(6) == 0   ? ha_constant(dag, (any(9) - 4) / (1.0 + any(3)))
                       : any(3) == 0 ? symbols[any((int) HA_COUNT(names))]
                                     : nodes[n - 1 - back];
            }
            ha_expr e = ha_apply(dag, op, x[0], x[1], x[2]);
            char *text = ha_expr_text(dag, e);
            ck_assert_ptr_nonnull(text);
            /* short ones only go on, so that texts stay within the parser's limits */
            if (strlen(text) < DEEP) {
                ck_assert_msg(parse(text) == e, "seed %u: `%s`", start, text);
                nodes[n++] = e;
            }
            free(text);
        }
        ck_assert_uint_gt(n, NODES / 4);
        seed = start;
    }
}
END_TEST

START_TEST(deep_expressions_need_no_deep_stack)
{
    enum { DEPTH = 300000 };
    ha_expr e = symbols[0];

    for (int i = 0; i < DEPTH; i++) {
        e = ha_apply(dag, HA_OP_TANH, e, HA_EXPR_NONE, HA_EXPR_NONE);
    }
    char *text = ha_expr_text(dag, e);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_eq(strlen(text), (size_t) DEPTH * 6 + 1);
    free(text);
}
END_TEST

/* x_k+1 = atan2(k + x_k, (k + x_k)*(k + x_k)), as text by joining texts. */
static ha_expr tower(int height, char **text)
{
    ha_expr e = symbols[0];

    *text = strdup("a");
    for (int k = 1; k <= height; k++) {
        size_t size = 3 * strlen(*text) + 60;
        char *next = malloc(size);
        snprintf(next, size, "atan2(%d + %s, (%d + %s)*(%d + %s))", k, *text, k, *text, k, *text);
        free(*text);
        *text = next;
        ha_expr sum = ha_add(dag, ha_constant(dag, k), e);
        e = ha_apply(dag, HA_OP_ATAN2, sum, ha_mul(dag, sum, sum), HA_EXPR_NONE);
    }
    return e;
}

START_TEST(a_long_text_of_few_parts_is_whole)
{
    char *wanted = NULL;
    ha_expr e = tower(12, &wanted);
    char *text = ha_expr_text(dag, e);

    ck_assert_uint_gt(strlen(wanted), 5000000);
    ck_assert_ptr_nonnull(text);
    ck_assert_msg(strcmp(text, wanted) == 0, "another text of %zu bytes", strlen(text));
    free(text);
    free(wanted);
}
END_TEST

START_TEST(texts_that_explode_are_refused)
{
    ha_expr e = symbols[0];

    for (int i = 0; i < 200; i++) {
        e = ha_add(dag, ha_apply(dag, HA_OP_SIN, e, HA_EXPR_NONE, HA_EXPR_NONE),
                   ha_apply(dag, HA_OP_COS, e, HA_EXPR_NONE, HA_EXPR_NONE));
    }
    ck_assert_ptr_null(ha_expr_text(dag, e));
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
    ck_assert_int_eq(ha_ctx_diag(ctx, 0)->status, HA_ERR_LIMIT);
    ck_assert_ptr_null(ha_expr_text(dag, HA_EXPR_NONE));

    /* their beginning is not, and costs no more than it is long */
    char *text = ha_expr_text_cut(dag, e, 40), *longer = ha_expr_text_cut(dag, e, 4000);
    ck_assert_uint_eq(strlen(text), 43);
    ck_assert_int_eq(strncmp(text, longer, 40), 0);
    ck_assert_str_eq(text + 40, "...");
    free(text);
    free(longer);
    text = ha_expr_text_cut(dag, symbols[0], 1);
    ck_assert_str_eq(text, "a");
    free(text);

    /* no letter is cut in two */
    ha_expr greek = ha_symbol(dag, "a\xce\xb1\xce\xb2");
    text = ha_expr_text_cut(dag, greek, 4);
    ck_assert_str_eq(text, "a\xce\xb1...");
    free(text);
    ck_assert_ptr_null(ha_expr_text_cut(dag, HA_EXPR_NONE, 40));
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
}
END_TEST

START_TEST(failing_allocations_are_reported)
{
    char *wanted = NULL;
    const ha_expr expressions[] = { parse("if(a < b, -sin(a)^2*b, atan2(c, 1 - d))"),
                                    tower(9, &wanted) };

    free(wanted);
    for (size_t i = 0; i < HA_COUNT(expressions); i++) {
        size_t before = ha_ctx_n_allocations(ctx);
        char *text = ha_expr_text(dag, expressions[i]);
        size_t n_allocations = ha_ctx_n_allocations(ctx) - before;
        ck_assert_ptr_nonnull(text);
        free(text);
        ck_assert_uint_ge(n_allocations, 2);
        for (size_t n = 1; n <= n_allocations; n++) {
            ha_ctx_fail_allocation(ctx, n);
            ck_assert_ptr_null(ha_expr_text(dag, expressions[i]));
            ck_assert_uint_eq(ha_ctx_n_errors(ctx), 1);
            ha_ctx_clear(ctx);
        }
        ha_ctx_fail_allocation(ctx, 0);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("expr_print");
    TCase *tests = tcase_create("expr_print");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, parentheses_are_minimal);
    tcase_add_test(tests, numbers_are_short_and_exact);
    tcase_add_test(tests, names_are_written_as_they_are);
    tcase_add_test(tests, every_node_is_read_back_to_itself);
    tcase_add_test(tests, deep_expressions_need_no_deep_stack);
    tcase_add_test(tests, a_long_text_of_few_parts_is_whole);
    tcase_add_test(tests, texts_that_explode_are_refused);
    tcase_add_test(tests, failing_allocations_are_reported);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
