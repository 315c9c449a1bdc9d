/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Studies by the library's call: against a closed form; what is wrong; without memory. */
#include <config.h>

#include "mech2d/study.h"
#include "mech2d/study/study.h"
#include "tests/util/context.h"
#include "tests/util/memory.h"

#include <math.h>
#include <string.h>

static const m2d_source circuit = { .graph = "Se{10}>1a>R;1a>C" };
static const char text_of_one[] = "{vary: {R: {list: [1]}}, measure: {u: end(C.e)}}";
static const m2d_study_option one_second = { "t-end", "1 s" };

static m2d_study_def def_of(const char *text)
{
    return (
        m2d_study_def){ .source = &circuit, .text = text, .options = &one_second, .n_options = 1 };
}

/* u(t) = U (1 - exp(-t/RC)) */
START_TEST(runs_are_in_the_order_of_the_design)
{
    const m2d_study_def def =
        def_of("{vary: {R: {list: [1, 2]}, C: {list: [1, 2, 4]}}, measure: {u: end(C.e)}}");
    m2d_study s;

    ck_assert_int_eq(m2d_study_make(ctx, &def, &s), HA_OK);
    ck_assert_int_eq(s.n_runs, 6);
    ck_assert_int_eq(s.n_failed, 0);
    ck_assert(s.is_quick);
    ck_assert_str_eq(s.names[1], "C");
    ck_assert_str_eq(s.names[2], "u");
    for (int i = 0; i < 6; i++) {
        double r = s.values[2 * i], c = s.values[2 * i + 1];
        ck_assert_double_eq(r, i / 3 + 1.0);
        ck_assert_double_eq(c, (double) (1 << i % 3));
        ck_assert_double_eq_tol(s.measures[i], 10.0 * (1.0 - exp(-1.0 / (r * c))), 1e-4);
        ck_assert_str_eq(s.status[i], "done");
    }
    m2d_study_clear(&s);
}
END_TEST

START_TEST(a_run_that_fails_is_a_row)
{
    const m2d_study_def def =
        def_of("{vary: {R: {list: [1, 2]}}, measure: {root: sqrt(end(C.e) - 5)}}");
    m2d_study s;

    ck_assert_int_eq(m2d_study_make(ctx, &def, &s), HA_OK);
    ck_assert_int_eq(s.n_failed, 1);
    ck_assert(isfinite(s.measures[0]) && isnan(s.measures[1]));
    ck_assert_str_eq(s.status[1], "the measure `root` is not a finite number");
    m2d_study_clear(&s);
}
END_TEST

START_TEST(what_is_wrong_is_said)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        { "{vary: {R: {list: []}}, measure: {u: end(C.e)}}", "is empty" },
        { "{vary: {X: {list: [1]}}, measure: {u: end(C.e)}}", "`X`" },
        { "{vary: {R: {list: [1]}}, measure: {u: end(C.x)}}", "`C.x`" },
        { "{fit: {data: a.csv, parameters: {R: {start: 1}}}}", "measures nothing" },
        { "3", "is a scalar" },
        { "", "is empty" },
    };
    const m2d_study_def def = def_of(cases[_i].text);
    m2d_study s;

    ck_assert_int_ne(m2d_study_make(ctx, &def, &s), HA_OK);
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 1);
    const char *said = ha_ctx_diag(ctx, 0)->text;
    ck_assert_msg(strstr(said, cases[_i].says) != NULL, "%s", said);
    m2d_study_clear(&s);
}
END_TEST

START_TEST(nonsense_is_refused)
{
    m2d_study_def def = def_of(text_of_one);
    m2d_study s;

    ck_assert_int_eq(m2d_study_make(ctx, NULL, &s), HA_ERR_ARGUMENT);
    ck_assert_int_eq(m2d_study_make(ctx, &def, NULL), HA_ERR_ARGUMENT);
    def.jobs = -1;
    ck_assert_int_eq(m2d_study_make(ctx, &def, &s), HA_ERR_ARGUMENT);
    def = def_of(NULL);
    ck_assert_int_eq(m2d_study_make(ctx, &def, &s), HA_ERR_ARGUMENT);
    m2d_study_clear(NULL);
}
END_TEST

/* Texts that are split otherwise are of another study. */
START_TEST(fingerprints_tell_lists_apart)
{
    static const char *const lists[][2] = {
        { "12345678", "9" }, { "023456788", NULL }, { "x", "" }, { "x", NULL }, { "", "x" },
    };
    uint64_t hashes[HA_COUNT(lists)];
    m2d__study *s = NULL;

    ck_assert_int_eq(m2d__study_read_text(ctx, text_of_one, sizeof text_of_one - 1, "study", &s),
                     HA_OK);
    for (size_t i = 0; i < HA_COUNT(lists); i++) {
        const m2d_source source = { .graph = "Se{10}>1a>R;1a>C",
                                    .sets = lists[i],
                                    .n_sets = lists[i][1] == NULL ? 1 : 2 };
        const m2d__study_def def = { .source = &source };
        ck_assert_int_eq(m2d__study_fingerprint(s, &def, &hashes[i]), HA_OK);
        for (size_t k = 0; k < i; k++) {
            ck_assert_msg(hashes[i] != hashes[k], "lists %zu and %zu", k, i);
        }
    }
    m2d__study_free(s);
}
END_TEST

static ha_status attempt(void *user)
{
    m2d_study s;
    ha_status status = m2d_study_make(ctx, user, &s);

    m2d_study_clear(&s);
    return status;
}

START_TEST(memory_may_fail)
{
    m2d_study_def def = def_of(text_of_one);

    def.jobs = 1;
    ck_assert_uint_gt(memory_survives(ctx, 0, attempt, &def), 20);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("study");
    TCase *tcase = tcase_create("study");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, runs_are_in_the_order_of_the_design);
    tcase_add_test(tcase, a_run_that_fails_is_a_row);
    tcase_add_loop_test(tcase, what_is_wrong_is_said, 0, 6);
    tcase_add_test(tcase, nonsense_is_refused);
    tcase_add_test(tcase, fingerprints_tell_lists_apart);
    tcase_add_test(tcase, memory_may_fail);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
