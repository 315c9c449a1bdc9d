/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The context: diagnostics in order with copies of everything, their limit, hook, interruption. */
#include <config.h>

#include "lib/context.h"

#include "lib/core/context_priv.h"
#include "lib/core/mem.h"
#include "tests/util/context.h"

#include <stdio.h>
#include <string.h>

/* --- diagnostics ----------------------------------------------------------------------------- */

START_TEST(a_new_context_has_nothing_to_say)
{
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 0);
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 0);
    ck_assert_uint_eq(ha_ctx_n_allocations(ctx), 0);
    ck_assert_ptr_null(ha_ctx_diag(ctx, 0));
    ck_assert_int_eq(ha_ctx_is_interrupted(ctx), 0);
    ha_ctx_report_progress(ctx, 0.5);
    ha_ctx_clear(ctx);
    ha_ctx_free(NULL);
}
END_TEST

START_TEST(diagnostics_come_in_order_with_severity_status_and_place)
{
    const ha_where where = { "model.yaml", 3, 14 };

    ck_assert_int_eq(ha_fail(ctx, HA_ERR_NAME, where, "`%s` is unknown", "K9"), HA_ERR_NAME);
    ha_note(ctx, HA_NOWHERE, "known are %d", 7);
    ha_warn(ctx, where, "large");
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 3);
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 1);

    const ha_diag *error = ha_ctx_diag(ctx, 0);
    ck_assert_int_eq(error->severity, HA_ERROR);
    ck_assert_int_eq(error->status, HA_ERR_NAME);
    ck_assert_str_eq(error->text, "`K9` is unknown");
    ck_assert_str_eq(error->where.file, "model.yaml");
    ck_assert_int_eq(error->where.line, 3);
    ck_assert_int_eq(error->where.column, 14);
    ck_assert_int_eq(ha_ctx_diag(ctx, 1)->severity, HA_NOTE);
    ck_assert_int_eq(ha_ctx_diag(ctx, 1)->status, HA_OK);
    ck_assert_str_eq(ha_ctx_diag(ctx, 1)->text, "known are 7");
    ck_assert_ptr_null(ha_ctx_diag(ctx, 1)->where.file);
    ck_assert_int_eq(ha_ctx_diag(ctx, 2)->severity, HA_WARNING);
    ck_assert_int_eq(ha_ctx_diag(ctx, 2)->status, HA_OK);
    ck_assert_ptr_null(ha_ctx_diag(ctx, 3));
}
END_TEST

START_TEST(text_and_file_name_are_copied)
{
    char name[] = "K1", file[] = "a.bgl";

    ck_assert_int_eq(ha_fail(ctx, HA_ERR_VALUE, (ha_where){ file, 1, 2 }, "mass of `%s`", name),
                     HA_ERR_VALUE);
    memset(name, '#', 2);
    memset(file, '#', 5);
    ck_assert_str_eq(ha_ctx_diag(ctx, 0)->text, "mass of `K1`");
    ck_assert_str_eq(ha_ctx_diag(ctx, 0)->where.file, "a.bgl");
}
END_TEST

START_TEST(long_and_empty_texts_are_kept_whole)
{
    static char text[100001];

    memset(text, 'x', sizeof text - 1);
    ha_warn(ctx, (ha_where){ text, 1, 1 }, "%s", text);
    ha_warn(ctx, (ha_where){ "", 0, 0 }, "%s", "");
    ck_assert_str_eq(ha_ctx_diag(ctx, 0)->text, text);
    ck_assert_str_eq(ha_ctx_diag(ctx, 0)->where.file, text);
    ck_assert_str_eq(ha_ctx_diag(ctx, 1)->text, "");
    ck_assert_str_eq(ha_ctx_diag(ctx, 1)->where.file, "");
}
END_TEST

static const char *entry(void *user, ha_where where)
{
    (void) where;
    return user;
}

START_TEST(errors_of_one_entry_that_differ_in_names_alone_are_folded_into_one)
{
    const ha_where one = { "--set", 2, 20 }, other = { "--set", 3, 20 };
    char path[] = "joints.*.k";

    ha_fail(ctx, HA_ERR_VALUE, one, "earlier `%s`", "A");
    ha_fail(ctx, HA_ERR_VALUE, one, "`%s` is %d", "A", -1);
    ha_fail(ctx, HA_ERR_VALUE, other, "`%s` is %d", "B", -1); /* elsewhere */
    ha_fail(ctx, HA_ERR_VALUE, one, "`%s` is %d", "longer", -1);
    ha_warn(ctx, one, "`%s` is %d", "C", -1);               /* no error */
    ha_fail(ctx, HA_ERR_VALUE, one, "`%s` is %d", "D", -2); /* another text */
    ha_fail(ctx, HA_ERR_NAME, one, "`%s` is %d", "E", -1);  /* another fault */
    ha_fail(ctx, HA_ERR_VALUE, one, "`%s` is %d", "F", -1);
    ha_note(ctx, one, "with a note of its own");
    ha_fail(ctx, HA_ERR_VALUE, one, "`%s` is %d", "", -1);
    ha__ctx_fold(ctx, 1, entry, path);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 8);
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 6);
    ck_assert_str_eq(ha_ctx_diag(ctx, 0)->text, "earlier `A`");
    ck_assert_str_eq(ha_ctx_diag(ctx, 1)->text,
                     "`A` is -1; so for 2 more that `joints.*.k` stands for");
    ck_assert_str_eq(ha_ctx_diag(ctx, 1)->where.file, "--set");
    ck_assert_str_eq(ha_ctx_diag(ctx, 2)->text, "`B` is -1");
    ck_assert_str_eq(ha_ctx_diag(ctx, 7)->text, "with a note of its own");

    /* without places nothing is known of entries */
    ha_ctx_clear(ctx);
    ha_fail(ctx, HA_ERR_VALUE, HA_NOWHERE, "`%s`", "A");
    ha_fail(ctx, HA_ERR_VALUE, HA_NOWHERE, "`%s`", "B");
    ha__ctx_fold(ctx, 0, entry, NULL);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 2);
    ha_fail(ctx, HA_ERR_VALUE, one, "`%s`", "A");
    ha_fail(ctx, HA_ERR_VALUE, one, "`%s`", "B");
    ha__ctx_fold(ctx, 0, entry, NULL);
    ck_assert_str_eq(ha_ctx_diag(ctx, 2)->text, "`A`; so for 1 more that this entry stands for");
}
END_TEST

START_TEST(a_conclusion_comes_before_the_error_that_it_explains)
{
    const ha_where where = { "model.yaml", 3, 7 };

    ha_fail(ctx, HA_ERR_SOLVER, HA_NOWHERE, "alone");
    ha__ctx_conclude(ctx);
    ck_assert_str_eq(ha_ctx_diag(ctx, 0)->text, "alone");
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 1);
    ha_fail(ctx, HA_ERR_VALUE, where, "what it did");
    ha_note(ctx, HA_NOWHERE, "more of that");
    ha_fail(ctx, HA_ERR_SOLVER, HA_NOWHERE, "why");
    ha__ctx_conclude(ctx);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 4);
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 2);
    ck_assert_str_eq(ha_ctx_diag(ctx, 0)->text, "alone");
    ck_assert_str_eq(ha_ctx_diag(ctx, 1)->text, "why");
    ck_assert_int_eq(ha_ctx_diag(ctx, 1)->severity, HA_ERROR);
    ck_assert_str_eq(ha_ctx_diag(ctx, 2)->text, "what it did");
    ck_assert_str_eq(ha_ctx_diag(ctx, 2)->where.file, "model.yaml");
    ck_assert_int_eq(ha_ctx_diag(ctx, 2)->severity, HA_NOTE);
    ck_assert_int_eq(ha_ctx_diag(ctx, 2)->status, HA_OK);
    ck_assert_str_eq(ha_ctx_diag(ctx, 3)->text, "more of that");
}
END_TEST

/* What the table has no room for leaves what is there as it is. */
START_TEST(a_conclusion_beyond_the_limit_moves_nothing)
{
    for (int i = 0; i < 101; i++) {
        ha_fail(ctx, HA_ERR_VALUE, HA_NOWHERE, "%d", i);
    }
    ha__ctx_conclude(ctx);
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 101);
    ck_assert_str_eq(ha_ctx_diag(ctx, 98)->text, "98");
    ck_assert_str_eq(ha_ctx_diag(ctx, 99)->text, "99");
}
END_TEST

START_TEST(beyond_the_limit_only_the_count_goes_on)
{
    for (int i = 0; i < 250; i++) {
        ck_assert_int_eq(ha_fail(ctx, HA_ERR_SYNTAX, HA_NOWHERE, "error %d", i), HA_ERR_SYNTAX);
    }
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 100);
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 250);
    ck_assert_str_eq(ha_ctx_diag(ctx, 99)->text, "error 99");

    /* a failure of memory is counted, too */
    ha__ctx_out_of_memory(ctx);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 100);
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 251);
}
END_TEST

START_TEST(warnings_do_not_crowd_an_error_out)
{
    for (int i = 0; i < 250; i++) {
        ha_warn(ctx, HA_NOWHERE, "warning %d", i);
    }
    ck_assert_int_eq(ha_fail(ctx, HA_ERR_VALUE, HA_NOWHERE, "the error"), HA_ERR_VALUE);
    ck_assert_str_eq(ha_ctx_diag(ctx, ha_ctx_n_diags(ctx) - 1)->text, "the error");
}
END_TEST

START_TEST(a_warning_about_one_place_is_given_once)
{
    const ha_where here = { "a.yaml", 2, 5 }, there = { "b.yaml", 2, 5 },
                   below = { "a.yaml", 3, 5 };

    ha_warn(ctx, here, "large");
    ha_warn(ctx, here, "large");
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
    ha_warn(ctx, here, "small");
    ha_warn(ctx, there, "large");
    ha_warn(ctx, below, "large");
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 4);
    ck_assert_int_eq(ha_fail(ctx, HA_ERR_VALUE, here, "large"), HA_ERR_VALUE);
    ck_assert_int_eq(ha_fail(ctx, HA_ERR_VALUE, here, "large"), HA_ERR_VALUE);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 6);
    ha_warn(ctx, HA_NOWHERE, "of a run");
    ha_warn(ctx, HA_NOWHERE, "of a run");
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 8);
}
END_TEST

START_TEST(clearing_forgets_all_and_starts_anew)
{
    for (int i = 0; i < 120; i++) {
        ha_warn(ctx, HA_NOWHERE, "warning %d", i);
    }
    ck_assert_int_eq(ha_fail(ctx, HA_ERR_SYNTAX, HA_NOWHERE, "bad"), HA_ERR_SYNTAX);
    ha_ctx_clear(ctx);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 0);
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 0);
    ck_assert_ptr_null(ha_ctx_diag(ctx, 0));
    ha_warn(ctx, HA_NOWHERE, "again");
    ck_assert_str_eq(ha_ctx_diag(ctx, 0)->text, "again");
}
END_TEST

START_TEST(two_contexts_do_not_see_each_other)
{
    ha_ctx *other = ha_ctx_new();

    ck_assert_ptr_nonnull(other);
    ha_warn(other, HA_NOWHERE, "there");
    ha_ctx_fail_allocation(other, 1);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 0);
    void *block = ha__alloc(ctx, 1, 1);
    ck_assert_ptr_nonnull(block);
    ha__free(block);
    ha_ctx_free(other);
}
END_TEST

/* --- out of memory --------------------------------------------------------------------------- */

START_TEST(out_of_memory_is_said_once_until_cleared)
{
    for (int round = 0; round < 2; round++) {
        ha_warn(ctx, HA_NOWHERE, "before");
        ha__ctx_out_of_memory(ctx);
        ha__ctx_out_of_memory(ctx);
        ck_assert_uint_eq(ha_ctx_n_diags(ctx), 2);
        ck_assert_uint_eq(ha_ctx_n_errors(ctx), 1);
        ck_assert_int_eq(ha_ctx_diag(ctx, 1)->status, HA_ERR_MEMORY);
        ck_assert_int_eq(ha_ctx_diag(ctx, 1)->severity, HA_ERROR);
        ck_assert_uint_gt(strlen(ha_ctx_diag(ctx, 1)->text), 10);
        ha_ctx_clear(ctx);
    }
}
END_TEST

START_TEST(the_hook_fails_the_nth_allocation_and_all_after_it)
{
    for (size_t n = 1; n <= 5; n++) {
        ha_ctx_fail_allocation(ctx, n);
        for (size_t k = 1; k <= 8; k++) {
            void *block = ha__alloc(ctx, 1, 16);
            ck_assert_msg((block != NULL) == (k < n), "n %zu, allocation %zu", n, k);
            ha__free(block);
        }
        ha_ctx_fail_allocation(ctx, 0);
        void *block = ha__alloc(ctx, 1, 16);
        ck_assert_ptr_nonnull(block);
        ha__free(block);
    }
}
END_TEST

START_TEST(allocations_are_counted)
{
    size_t before = ha_ctx_n_allocations(ctx);
    void *block = ha__alloc(ctx, 1, 1);
    void *moved = ha__resize(ctx, block, 100, 1);

    ck_assert_ptr_nonnull(moved);
    ck_assert_uint_eq(ha_ctx_n_allocations(ctx) - before, 2);
    ha__free(moved);
}
END_TEST

START_TEST(a_failure_can_be_told_without_memory_of_the_context)
{
    ha_ctx_fail_allocation(ctx, 1);
    ck_assert_int_eq(ha_fail(ctx, HA_ERR_SOLVER, HA_NOWHERE, "stopped at t = %d", 3),
                     HA_ERR_SOLVER);
    ck_assert_str_eq(ha_ctx_diag(ctx, 0)->text, "stopped at t = 3");
}
END_TEST

/* --- interruption and progress --------------------------------------------------------------- */

START_TEST(the_interrupt_flag_is_read_each_time)
{
    static volatile sig_atomic_t flag = 0;

    ha_ctx_set_interrupt(ctx, &flag);
    ck_assert_int_eq(ha_ctx_is_interrupted(ctx), 0);
    flag = 1;
    ck_assert_int_ne(ha_ctx_is_interrupted(ctx), 0);
    flag = 0;
    ck_assert_int_eq(ha_ctx_is_interrupted(ctx), 0);
    flag = 1;
    ha_ctx_set_interrupt(ctx, NULL);
    ck_assert_int_eq(ha_ctx_is_interrupted(ctx), 0);
}
END_TEST

static void remember(void *user, double done)
{
    *(double *) user = done;
}

START_TEST(progress_goes_to_the_callback)
{
    double done = -1.0;

    ha_ctx_set_progress(ctx, remember, &done);
    ha_ctx_report_progress(ctx, 0.25);
    ck_assert(done == 0.25);
    ha_ctx_set_progress(ctx, NULL, NULL);
    ha_ctx_report_progress(ctx, 0.5);
    ck_assert(done == 0.25);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("context");
    TCase *tests = tcase_create("context");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_new_context_has_nothing_to_say);
    tcase_add_test(tests, diagnostics_come_in_order_with_severity_status_and_place);
    tcase_add_test(tests, text_and_file_name_are_copied);
    tcase_add_test(tests, long_and_empty_texts_are_kept_whole);
    tcase_add_test(tests, errors_of_one_entry_that_differ_in_names_alone_are_folded_into_one);
    tcase_add_test(tests, a_conclusion_comes_before_the_error_that_it_explains);
    tcase_add_test(tests, a_conclusion_beyond_the_limit_moves_nothing);
    tcase_add_test(tests, beyond_the_limit_only_the_count_goes_on);
    tcase_add_test(tests, warnings_do_not_crowd_an_error_out);
    tcase_add_test(tests, a_warning_about_one_place_is_given_once);
    tcase_add_test(tests, clearing_forgets_all_and_starts_anew);
    tcase_add_test(tests, two_contexts_do_not_see_each_other);
    tcase_add_test(tests, out_of_memory_is_said_once_until_cleared);
    tcase_add_test(tests, the_hook_fails_the_nth_allocation_and_all_after_it);
    tcase_add_test(tests, allocations_are_counted);
    tcase_add_test(tests, a_failure_can_be_told_without_memory_of_the_context);
    tcase_add_test(tests, the_interrupt_flag_is_read_each_time);
    tcase_add_test(tests, progress_goes_to_the_callback);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
