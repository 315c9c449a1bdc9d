/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of a run. */
#include <config.h>

#include "lib/dae.h"

#include "tests/unit/lib/dae/dae_systems.h"

#include <stdbool.h>

START_TEST(options_have_their_defaults)
{
    ha_dae_options options = ha_dae_options_default();

    ck_assert_double_eq(options.rtol, 1e-6);
    ck_assert_double_eq(options.atol, 0.0);
    ck_assert_int_eq(options.max_order, 5);
    ck_assert_double_eq(options.step, 0.0);
}
END_TEST

START_TEST(options_are_set_by_name)
{
    ha_dae_options options = ha_dae_options_default();

    expect_ok(ha_dae_options_set(ctx, &options, "t-end", 3.0, HA_NOWHERE));
    expect_ok(ha_dae_options_set(ctx, &options, "rtol", 1e-8, HA_NOWHERE));
    expect_ok(ha_dae_options_set(ctx, &options, "max-steps", 77.0, HA_NOWHERE));
    expect_ok(ha_dae_options_set(ctx, &options, "atol", 1e-30, HA_NOWHERE));
    expect_ok(ha_dae_options_set(ctx, &options, "atol", 0.0, HA_NOWHERE));
    ck_assert_double_eq(options.t_end, 3.0);
    ck_assert_double_eq(options.rtol, 1e-8);
    ck_assert_int_eq(options.max_steps, 77);
}
END_TEST

/* The words of the table are the names of the drivers. */
START_TEST(drivers_have_their_words)
{
    static const char *const words[] = {
#define HA_OPTION(field, type, value, low, least, high, unit, name, words, sentence) words,
#include "lib/dae_opts.def"
#undef HA_OPTION
    };
    char all[100] = "";
    bool is_there = false;

    for (int i = HA_DRIVER_IDA; i <= HA_DRIVER_KINEMATIC; i++) {
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? " " : "",
                 ha_driver_name((ha_driver) i));
    }
    for (size_t i = 0; i < HA_COUNT(words); i++) {
        is_there = is_there || (words[i] != NULL && strcmp(words[i], all) == 0);
    }
    ck_assert(is_there);
}
END_TEST

START_TEST(wrong_options_are_refused)
{
    ha_dae_options options = ha_dae_options_default();
    const ha_where where = { "a.yaml", 3, 5 };

    EXPECT_FAILURE(ha_dae_options_set(ctx, &options, "rtoll", 1.0, where), HA_ERR_NAME, "`rtoll`",
                   "did you mean `rtol`");
    ck_assert_int_eq(ha_ctx_diag(ctx, 0)->where.line, 3);
    ha_ctx_clear(ctx);
    EXPECT_FAILURE(ha_dae_options_set(ctx, &options, "banana", 1.0, where), HA_ERR_NAME, "`banana`",
                   " max_order");
    ha_ctx_clear(ctx);
    EXPECT_FAILURE(ha_dae_options_set(ctx, &options, "rtol", 2.0, where), HA_ERR_VALUE, "`rtol`",
                   "is 2;", "0.1");
    ha_ctx_clear(ctx);
    EXPECT_FAILURE(ha_dae_options_set(ctx, &options, "t-end", (double) NAN, where), HA_ERR_VALUE,
                   "`t-end`", "nan");
    ha_ctx_clear(ctx);
    EXPECT_FAILURE(ha_dae_options_set(ctx, &options, "atol", 1e-300, where), HA_ERR_VALUE, "`atol`",
                   "is 1e-300;", "give 0, or a number from 1e-30");
    ha_ctx_clear(ctx);
    EXPECT_FAILURE(ha_dae_options_set(ctx, &options, "max-order", 2.5, where), HA_ERR_VALUE,
                   "`max-order`", "whole number");
    ck_assert_double_eq(options.rtol, 1e-6);
}
END_TEST

START_TEST(a_run_checks_its_options)
{
    ha_dae dae = oscillator();
    ha_dae_options options = ha_dae_options_default();
    ha_dae_options unset;

    EXPECT_FAILURE(run(&dae, &options), HA_ERR_VALUE, "end time");
    ha_ctx_clear(ctx);
    memset(&unset, 0, sizeof unset);
    EXPECT_FAILURE(run(&dae, &unset), HA_ERR_ARGUMENT, "ha_dae_options_default");
    ha_ctx_clear(ctx);
    options.t_end = -5.0;
    EXPECT_FAILURE(run(&dae, &options), HA_ERR_VALUE, "`t-end`", "-5");
    ha_ctx_clear(ctx);
    options.t_end = 1.0;
    options.rtol = 0.0;
    EXPECT_FAILURE(run(&dae, &options), HA_ERR_VALUE, "`rtol`");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        options_have_their_defaults, options_are_set_by_name,  drivers_have_their_words,
        wrong_options_are_refused,   a_run_checks_its_options,
    };

    return run_tests("dae_opts", tests, HA_COUNT(tests));
}
