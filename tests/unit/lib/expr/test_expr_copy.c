/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies of expressions into another graph: they have the value of the original for what the
   symbols of its map stand for; deep ones, shared ones, symbols without meaning and circles. */
#include <config.h>

#include "lib/expr/expr_copy.h"

#include "tests/util/util.h"

#include <math.h>
#include <string.h>

static ha_ctx *ctx;
static ha_dag *from, *to;
static ha_expr x, y, X;
static ha__copy copy;

static void set_up(void)
{
    ctx = ha_ctx_new();
    from = ha_dag_new(ctx);
    to = ha_dag_new(ctx);
    x = ha_symbol(from, "x");
    y = ha_symbol(from, "y");
    X
    = ha_symbol(to, "X");
    copy = (ha__copy){ 0 };
}

static void tear_down(void)
{
    ha__copy_end(&copy);
    ha_dag_free(from);
    ha_dag_free(to);
    ha_ctx_free(ctx);
}

static double value_of(void *user, ha_expr symbol)
{
    (void) user;
    (void) symbol;
    return 0.7;
}

static ha_expr copied(ha_expr e)
{
    ha_expr out = HA_EXPR_NONE;

    ck_assert_int_eq(ha__copy_begin(&copy, from, to), HA_OK);
    ha__copy_map(&copy, x, X);
    ck_assert_int_eq(ha__copy_expr(&copy, e, &out), HA_OK);
    return out;
}

START_TEST(a_copy_has_the_value_of_the_original)
{
    ha_expr s = ha_apply(from, HA_OP_SIN, x, HA_EXPR_NONE, HA_EXPR_NONE);
    ha_expr e = ha_add(from, ha_mul(from, s, ha_constant(from, 3.5)), ha_div(from, x, s));
    ha_expr c = ha_apply(from, HA_OP_IF, ha_sub(from, x, ha_constant(from, 1.0)), e, s);

    ha_expr out = copied(c);
    double expected = ha_expr_value(from, c, value_of, NULL);
    double found = ha_expr_value(to, out, value_of, NULL);
    ck_assert(memcmp(&expected, &found, sizeof found) == 0);
}
END_TEST

START_TEST(symbols_are_replaced_by_what_they_stand_for)
{
    ha_symbol_define(from, y, ha_mul(from, x, x));
    ha_expr out = copied(ha_add(from, y, ha_constant(from, 1.0)));

    ck_assert_double_eq(ha_expr_value(to, out, value_of, NULL), 0.7 * 0.7 + 1.0);
}
END_TEST

/* The map comes first: a symbol with a meaning may become a symbol. */
START_TEST(the_map_wins_over_a_meaning)
{
    ha_symbol_define(from, x, ha_constant(from, 5.0));
    ck_assert_int_eq(copied(x), X);
}
END_TEST

START_TEST(no_expression_stays_none)
{
    ck_assert_int_eq(copied(HA_EXPR_NONE), HA_EXPR_NONE);
}
END_TEST

/* Far deeper than a stack of calls could go, and as a tree far larger than memory. */
START_TEST(depth_and_sharing_are_no_limit)
{
    enum { DEPTH = 300000 };
    ha_expr e = x;

    for (int i = 0; i < DEPTH; i++) {
        e = ha_apply(from, HA_OP_SIN, ha_add(from, e, ha_mul(from, e, x)), HA_EXPR_NONE,
                     HA_EXPR_NONE);
    }
    ha_expr out = copied(e);
    ck_assert_int_ge(ha_dag_size(to), 3 * DEPTH);
    ck_assert_int_le(ha_dag_size(to), ha_dag_size(from) + 1);
    ck_assert_double_eq(ha_expr_value(to, out, value_of, NULL),
                        ha_expr_value(from, e, value_of, NULL));
}
END_TEST

START_TEST(a_symbol_that_stands_for_nothing_is_named)
{
    ha_expr out = 12;

    ha_expr e = ha_add(from, x, y);
    ck_assert_int_eq(ha__copy_begin(&copy, from, to), HA_OK);
    ha__copy_map(&copy, x, X);
    ck_assert_int_eq(ha__copy_expr(&copy, e, &out), HA_ERR_NAME);
    ck_assert_int_eq(out, 12);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "the symbol `y`"));
    /* a failure leaves the copy fit for others */
    ck_assert_int_eq(ha__copy_expr(&copy, x, &out), HA_OK);
    ck_assert_int_eq(out, X);
}
END_TEST

START_TEST(a_circle_is_refused)
{
    ha_expr z = ha_symbol(from, "z"), out = HA_EXPR_NONE;

    ha_symbol_define(from, y, ha_add(from, z, x));
    ha_symbol_define(from, z, ha_mul(from, y, x));
    ck_assert_int_eq(ha__copy_begin(&copy, from, to), HA_OK);
    ha__copy_map(&copy, x, X);
    ck_assert_int_eq(ha__copy_expr(&copy, y, &out), HA_ERR_NAME);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "expression of itself"));
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    ha_expr e = ha_apply(from, HA_OP_SIN, ha_add(from, x, ha_constant(from, 2.0)), HA_EXPR_NONE,
                         HA_EXPR_NONE);
    ha_status status = HA_ERR_MEMORY;

    for (size_t n = 1; status != HA_OK; n++) {
        ha_expr out = HA_EXPR_NONE;
        ck_assert_uint_lt(n, 100);
        ha_ctx_clear(ctx);
        ha_dag *target = ha_dag_new(ctx);
        ha_expr symbol = ha_symbol(target, "X");
        ha_ctx_fail_allocation(ctx, n);
        status = ha__copy_begin(&copy, from, target);
        if (status == HA_OK) {
            ha__copy_map(&copy, x, symbol);
            status = ha__copy_expr(&copy, e, &out);
        }
        ha_ctx_fail_allocation(ctx, 0);
        ck_assert(status == HA_OK || status == HA_ERR_MEMORY);
        ck_assert((out != HA_EXPR_NONE) == (status == HA_OK));
        ha__copy_end(&copy);
        copy = (ha__copy){ 0 };
        ha_dag_free(target);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("expr_copy");
    TCase *tcase = tcase_create("expr_copy");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_copy_has_the_value_of_the_original);
    tcase_add_test(tcase, symbols_are_replaced_by_what_they_stand_for);
    tcase_add_test(tcase, the_map_wins_over_a_meaning);
    tcase_add_test(tcase, no_expression_stays_none);
    tcase_add_test(tcase, depth_and_sharing_are_no_limit);
    tcase_add_test(tcase, a_symbol_that_stands_for_nothing_is_named);
    tcase_add_test(tcase, a_circle_is_refused);
    tcase_add_test(tcase, every_allocation_may_fail);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
