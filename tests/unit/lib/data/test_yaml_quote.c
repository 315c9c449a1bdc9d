/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts between double quotes are read as they were. */
#include <config.h>

#include "lib/data/yaml_quote.h"

#include "lib/data/yaml.h"

#include "tests/util/context.h"

#include <string.h>

static const char *const texts[] = {
    "",
    "plain",
    "a \"word\" and a \\",
    "tab\tline\n",
    "delete \x7f",
    "\xC2\x80 next line \xC2\x85 end",
    "separators \xE2\x80\xA8 \xE2\x80\xA9",
    "direction \xE2\x80\xAE",
    "byte order \xEF\xBB\xBF, no character \xEF\xBF\xBF",
    "tag \xF3\xA0\x80\x81",
    "Ma\xC3\x9F, \xF0\x9F\x9A\x9C",
};

START_TEST(what_is_written_is_read)
{
    ha__strbuf text = HA_STRBUF(ctx);
    ha__yaml *doc = NULL;

    ha__strbuf_add(&text, "key: ");
    ha__yaml_add_quoted(&text, texts[_i]);
    ck_assert_ptr_null(strchr(text.text, '\n'));
    ck_assert(!ha__yaml_needs_escape(text.text));
    ck_assert_int_eq(ha__yaml_read_text(ctx, text.text, text.length, "m.yaml", &doc), HA_OK);
    ck_assert_str_eq(ha__yaml_root(doc)->pairs[0].value->text, texts[_i]);
    ha__yaml_free(doc);
    ha__strbuf_clear(&text);
}
END_TEST

START_TEST(controls_need_escapes_letters_do_not)
{
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        bool is_clean = i < 3 || i + 1 == sizeof texts / sizeof texts[0];
        ck_assert_msg(ha__yaml_needs_escape(texts[i]) != is_clean, "text %zu", i);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("yaml_quote");
    TCase *tcase = tcase_create("yaml_quote");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, what_is_written_is_read, 0, (int) (sizeof texts / sizeof texts[0]));
    tcase_add_test(tcase, controls_need_escapes_letters_do_not);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
