/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Start values that have to agree: those of dependent storages and of residual sinks. What is given
 * is kept, what is not follows, and what contradicts is refused by name.
 */
#include <config.h>

#include "bondgraph/compact.h"
#include "bondgraph/model.h"
#include "tests/util/util.h"

#include <math.h>
#include <string.h>

static ha_ctx *ctx;

static void setup(void)
{
    ctx = ha_ctx_new();
}

static void teardown(void)
{
    ha_ctx_free(ctx);
}

static ha_status run(const char *text, ha_result *result)
{
    bg_graph *graph = bg_graph_new(ctx);
    bg_run_options options = bg_run_options_default();

    options.solver.t_end = 1.0;
    ck_assert_int_eq(bg_compact_read(graph, text, strlen(text), HA_NOWHERE), HA_OK);
    ck_assert_int_eq(bg_graph_add_element_outputs(graph), HA_OK);
    ha_status status = bg_simulate(graph, &options, result, NULL);
    bg_graph_free(graph);
    return status;
}

static const struct {
    const char *text, *name;
    double start;
} follows[] = {
    { "1 > I1{1}; 1 > I2{2, p=2}; 1 > R", "I1.p", 1.0 },
    { "0 > C1{1}; 0 > C2{2, q=2}; 0 > R", "C1.q", 1.0 },
    { "0 > C1{1}; 0 > C2{e = q + q^3, q=2}; 0 > R", "C1.q", 10.0 },
    /* f1 = f2 at the sink: 1, so that p2 = 3 */
    { "1a > I1{1, p=1}; 1a > 0; 0 > 1b; 1b > I2{3}; 0 > Re", "I2.p", 3.0 },
    /* two sinks, two masses that follow: f2 = f1 / 2, f3 = f2 / 3 */
    { "1a > I1{1, p=1}; 1a > 0a; 0a > TF1{0.5} > 1b; 1b > I2{3}; 0a > Re1; 1b > 0b; 0b > TF2{1/3} "
      "> 1c; 1c > I3{2}; 0b > Re2",
      "I3.f", 1.0 / 6.0 },
};

START_TEST(a_start_that_is_not_given_follows_from_those_that_are)
{
    ha_result *result = ha_result_new(ctx);

    ck_assert_int_eq(run(follows[_i].text, result), HA_OK);
    int column = ha_result_find(result, follows[_i].name);
    ck_assert_int_ge(column, 0);
    ck_assert_double_eq_tol(ha_result_value(result, 0, (size_t) column), follows[_i].start, 1e-8);
    ha_result_free(result);
}
END_TEST

static const struct {
    const char *text, *said;
} contradicts[] = {
    { "Se{1} > 1; 1 > Re; 1 > I{1, p=0.3}", "it holds a flow at 0, which they make 0.3" },
    { "1a > I1{1, p=1}; 1a > 0; 0 > 1b; 1b > I2{3, p=2}; 0 > Re", "the constraint of Re" },
    { "1 > I1{1, p=1}; 1 > I2{2, p=1}", "the given p = 1 disagrees" },

    { "Sf{1} > 0; 0 > Re; 0 > 1; 1 > I{1, p=3}", "the constraint of Re" },
};

START_TEST(a_start_that_contradicts_is_refused_by_name)
{
    ha_result *result = ha_result_new(ctx);

    ck_assert_int_eq(run(contradicts[_i].text, result), HA_ERR_VALUE);
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 1);
    const char *text = ha_ctx_diag(ctx, 0)->text;
    ck_assert_msg(strstr(text, contradicts[_i].said) != NULL, "%s", text);
    ha_result_free(result);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("start values");
    TCase *tests = tcase_create("start values");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, a_start_that_is_not_given_follows_from_those_that_are, 0,
                        (int) HA_COUNT(follows));
    tcase_add_loop_test(tests, a_start_that_contradicts_is_refused_by_name, 0,
                        (int) HA_COUNT(contradicts));
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
