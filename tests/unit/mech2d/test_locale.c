/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A host program in German, where a decimal point is a comma: models, tables and units are read,
 * and results and models written, as in the C locale. The locale is made in a folder of its own;
 * where localedef or its sources (Debian: locales) are missing the tests are skipped.
 */
#include <config.h>

#include "mech2d/study/study.h"
#include "mech2d/write.h"
#include "tests/unit/mech2d/run.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <unistd.h>

static char folder[] = "/tmp/halfarrow-locale-XXXXXX";

static void set_locale(bool is_german)
{
    ck_assert_ptr_nonnull(setlocale(LC_ALL, is_german ? "de_DE.UTF-8" : "C"));
    ck_assert_str_eq(nl_langinfo(RADIXCHAR), is_german ? "," : ".");
}

/* What is in a file, which goes. */
static char *take(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 4 << 20);

    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_gt(fread(text, 1, (4 << 20) - 1, file), 0);
    fclose(file);
    remove(path);
    return text;
}

/* The result of an example as a text. */
static char *tell(const char *path)
{
    char name[100];
    run r = run_file(path, NULL);

    snprintf(name, sizeof name, "%s/result.csv", folder);
    run_check(&r, ha_result_write_csv(r.result, name));
    run_end(&r);
    return take(name);
}

START_TEST(results_are_the_same)
{
    static const char *const paths[] = { "examples/pendulum.yaml", "examples/motor_four_bar.yaml",
                                         "examples/trailing_arm.yaml", "examples/belt.yaml" };

    set_locale(false);
    char *plain = tell(paths[_i]);
    set_locale(true);
    char *german = tell(paths[_i]);
    set_locale(false);
    ck_assert_str_eq(plain, german);
    free(plain);
    free(german);
}
END_TEST

/* Numbers with units are read from a model, a table of results from a file, and a model from its
 * own text. */
START_TEST(what_was_written_is_read)
{
    static const char text[] = "halfarrow: 1\n"
                               "bondgraph:\n"
                               "  elements:\n"
                               "    Se: {type: Se, value: 1.5 kN}\n"
                               "    a: {type: '1'}\n"
                               "    R: {type: R, value: 2.5 N.s/m}\n"
                               "    I: {type: I, value: 0.25 kg}\n"
                               "    C: {type: C, e: 0.5*q + 0.25*q^3, q: 0.5}\n"
                               "  bonds: [Se > a > R, a > I, a > C]\n"
                               "simulate: {t_end: 12.5 ms, step: 2.5 ms}\n";
    char name[100], *written = NULL;
    ha_result *back = NULL;

    set_locale(true);
    run r = run_text(text);
    snprintf(name, sizeof name, "%s/result.csv", folder);
    run_check(&r, ha_result_write_csv(r.result, name));
    run_check(&r, ha_result_read_csv(r.ctx, name, &back));
    ck_assert_uint_eq(ha_result_n_rows(back), 6);
    ck_assert_double_eq(ha_result_value(back, 5, 0), 0.0125);
    ck_assert_double_eq(run_value(&r, 0, "Se.e"), 1500.0);
    ck_assert_double_eq(run_value(&r, 0, "C.e"), 0.28125);
    run_check(&r, m2d_write_graph(m2d_system_graph(r.system), "model", m2d_model_options(r.model),
                                  &written));
    run again = run_text(written);
    ck_assert_double_eq(run_last(&r, "I.p"), run_last(&again, "I.p"));
    free(written);
    ha_result_free(back);
    remove(name);
    run_end(&again);
    run_end(&r);
    set_locale(false);
}
END_TEST

/* The rows of a study that were kept are taken over. */
START_TEST(a_study_goes_on)
{
    static const char text[] = "{vary: {R: {list: [1.5, 2.5]}}, measure: {u: end(C.e)}}";
    static const m2d_source circuit = { .graph = "Se{10}>1a>R;1a>C" };
    static const m2d_study_option end = { "t-end", "0.5 s" };
    m2d__study_report report;
    m2d__study *s = NULL;
    ha_ctx *ctx = ha_ctx_new();
    char name[100];

    const m2d__study_def def = { .source = &circuit,
                                 .directory = folder,
                                 .jobs = 1,
                                 .shard = 1,
                                 .n_shards = 1,
                                 .resumes = true,
                                 .options = &end,
                                 .n_options = 1 };
    set_locale(true);
    ck_assert_int_eq(m2d__study_read_text(ctx, text, sizeof text - 1, "study", &s), HA_OK);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(m2d__study_run(s, &def, &report), HA_OK);
        ck_assert_int_eq(report.n_kept, 2 * i);
    }
    snprintf(name, sizeof name, "%s/results.journal", folder);
    remove(name);
    snprintf(name, sizeof name, "%s/results.csv", folder);
    remove(name);
    m2d__study_free(s);
    ha_ctx_free(ctx);
    set_locale(false);
}
END_TEST

/* Makes the locale; false where that cannot be done. */
static bool make_locale(void)
{
    char path[100], command[300];

    if (mkdtemp(folder) == NULL) {
        return false;
    }
    snprintf(path, sizeof path, "%s/de_DE.UTF-8", folder);
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s >/dev/null 2>&1", path);
    bool is_made = system(command) == 0 && setenv("LOCPATH", folder, 1) == 0 &&
                   setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
    setlocale(LC_ALL, "C");
    return is_made;
}

static void remove_locale(void)
{
    char command[100];

    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0) {
        printf("%s is left\n", folder);
    }
}

int main(void)
{
    const int skipped = 77;

    if (!make_locale()) {
        printf("skipped: no German locale could be made (Debian: locales)\n");
        remove_locale();
        return skipped;
    }
    Suite *suite = suite_create("locale");
    TCase *tests = tcase_create("locale");
    tcase_add_loop_test(tests, results_are_the_same, 0, 4);
    tcase_add_test(tests, what_was_written_is_read);
    tcase_add_test(tests, a_study_goes_on);
    suite_add_tcase(suite, tests);
    int status = test_run(suite);
    remove_locale();
    return status;
}
