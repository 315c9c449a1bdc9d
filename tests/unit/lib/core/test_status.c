/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Status codes. The truth is the program's contract: exit status 0 done, 1 the work failed, 2 the
 * command line or the model is wrong, 3 a fault of the program, 130 interrupted.
 */
#include <config.h>

#include "lib/status.h"

#include "tests/util/util.h"

#include <string.h>

static const struct {
    ha_status status;
    const char *name;
} all[] = {
#define X(name, value, exit_status, sentence) { name, #name },
#include "lib/status.def"
#undef X
};

START_TEST(success_is_zero_and_every_error_is_negative_and_different)
{
    ck_assert_int_eq(HA_OK, 0);
    for (size_t i = 0; i < HA_COUNT(all); i++) {
        ck_assert_msg(all[i].status == HA_OK || all[i].status < 0, "%s", all[i].name);
        for (size_t j = 0; j < i; j++) {
            ck_assert_msg(all[i].status != all[j].status, "%s and %s", all[i].name, all[j].name);
        }
    }
}
END_TEST

START_TEST(every_status_has_its_name_and_a_sentence_of_its_own)
{
    for (size_t i = 0; i < HA_COUNT(all); i++) {
        ck_assert_str_eq(ha_status_name(all[i].status), all[i].name);
        ck_assert_uint_gt(strlen(ha_status_text(all[i].status)), 3);
        for (size_t j = 0; j < i; j++) {
            ck_assert_str_ne(ha_status_text(all[i].status), ha_status_text(all[j].status));
        }
    }
}
END_TEST

START_TEST(exit_statuses_follow_the_contract)
{
    static const struct {
        ha_status status;
        int exit_status;
    } contract[] = {
        { HA_OK, 0 },           { HA_ERR_SOLVER, 1 },    { HA_ERR_ASSEMBLY, 1 },
        { HA_ERR_SINGULAR, 1 }, { HA_ERR_OUTPUT, 1 },    { HA_ERR_ARGUMENT, 2 },
        { HA_ERR_SYNTAX, 2 },   { HA_ERR_NAME, 2 },      { HA_ERR_VALUE, 2 },
        { HA_ERR_UNIT, 2 },     { HA_ERR_CAUSALITY, 2 }, { HA_ERR_FILE, 2 },
        { HA_ERR_MEMORY, 3 },   { HA_ERR_INTERNAL, 3 },  { HA_ERR_INTERRUPTED, 130 },
    };

    for (size_t i = 0; i < HA_COUNT(contract); i++) {
        ck_assert_msg(ha_status_exit(contract[i].status) == contract[i].exit_status, "%s gives %d",
                      ha_status_name(contract[i].status), ha_status_exit(contract[i].status));
    }
    for (size_t i = 0; i < HA_COUNT(all); i++) {
        int code = ha_status_exit(all[i].status);
        ck_assert_msg((code == 0) == (all[i].status == HA_OK), "%s", all[i].name);
        ck_assert_msg((code >= 0 && code <= 3) || code == 130, "%s gives %d", all[i].name, code);
    }
}
END_TEST

START_TEST(an_unknown_code_is_a_fault_of_the_program)
{
    static const int codes[] = { 1, 12345, -12345 };

    for (size_t i = 0; i < HA_COUNT(codes); i++) {
        ha_status status = (ha_status) codes[i];
        ck_assert_ptr_nonnull(ha_status_name(status));
        ck_assert_ptr_nonnull(ha_status_text(status));
        ck_assert_int_eq(ha_status_exit(status), 3);
    }
}
END_TEST

static int n_evaluations;

static ha_status evaluated(ha_status status)
{
    n_evaluations++;
    return status;
}

static ha_status try_it(ha_status status)
{
    HA_TRY(evaluated(status));
    n_evaluations += 100;
    return HA_OK;
}

START_TEST(a_failed_expression_returns_from_the_caller_and_is_evaluated_once)
{
    n_evaluations = 0;
    ck_assert_int_eq(try_it(HA_ERR_NAME), HA_ERR_NAME);
    ck_assert_int_eq(n_evaluations, 1);
    ck_assert_int_eq(try_it(HA_OK), HA_OK);
    ck_assert_int_eq(n_evaluations, 102);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("status");
    TCase *tests = tcase_create("status");

    tcase_add_test(tests, success_is_zero_and_every_error_is_negative_and_different);
    tcase_add_test(tests, every_status_has_its_name_and_a_sentence_of_its_own);
    tcase_add_test(tests, exit_statuses_follow_the_contract);
    tcase_add_test(tests, an_unknown_code_is_a_fault_of_the_program);
    tcase_add_test(tests, a_failed_expression_returns_from_the_caller_and_is_evaluated_once);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
