/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The growable text: what is added, how it is handed over, and that its first failure sticks. */
#include <config.h>

#include "lib/core/strbuf.h"

#include "lib/core/mem.h"
#include "tests/util/util.h"

#include <stdbool.h>
#include <string.h>

static ha_ctx *ctx;
static ha__strbuf text;

static void set_up(void)
{
    ctx = ha_ctx_new();
    ck_assert_ptr_nonnull(ctx);
    text = HA_STRBUF(ctx);
}

static void tear_down(void)
{
    ha__strbuf_clear(&text);
    ha_ctx_free(ctx);
}

START_TEST(an_empty_buffer_is_an_empty_text)
{
    ck_assert_str_eq(ha__strbuf_text(&text), "");
    ck_assert_uint_eq(text.length, 0);
    char *taken = ha__strbuf_take(&text);
    ck_assert_str_eq(taken, "");
    ha__free(taken);
    ha__strbuf_clear(&text);
    ha__strbuf_clear(&text);
}
END_TEST

START_TEST(pieces_are_joined)
{
    ha__strbuf_add(&text, "I1");
    ha__strbuf_add(&text, "");
    ha__strbuf_addf(&text, ".%s = %d%%", "f", -3);
    ha__strbuf_add_bytes(&text, "; more", 2);
    ha__strbuf_add_number(&text, 0.1);
    ha__strbuf_add(&text, " ");
    ha__strbuf_add_short_number(&text, 0.1);
    ck_assert_str_eq(ha__strbuf_text(&text), "I1.f = -3%; 0.10000000000000001 0.1");
    ck_assert_uint_eq(text.length, strlen(ha__strbuf_text(&text)));
    ck_assert_int_eq(text.status, HA_OK);
}
END_TEST

START_TEST(markup_is_only_text)
{
    /* a control character, a byte that is no UTF-8, and U+FFFE are not in XML 1.0, 2.2 */
    ha__strbuf_add_markup(&text, "a<b & \"c\">'d' \xc3\xa9|\x01|\xff|\xef\xbf\xbe|");
    ck_assert_str_eq(ha__strbuf_text(&text), "a&lt;b &amp; &quot;c&quot;&gt;'d' \xc3\xa9| | | |");
}
END_TEST

START_TEST(bytes_may_be_zero)
{
    ha__strbuf_add_bytes(&text, "a\0b", 3);
    ha__strbuf_add_bytes(&text, "c", 1);
    ck_assert_uint_eq(text.length, 4);
    ck_assert_int_eq(memcmp(ha__strbuf_text(&text), "a\0bc", 5), 0);
}
END_TEST

START_TEST(a_part_is_repeated_also_when_the_text_moves)
{
    ha__strbuf_add(&text, "-ab");
    for (int i = 0; i < 16; i++) { /* the length of what follows the sign doubles */
        ha__strbuf_repeat(&text, 1, text.length - 1);
    }
    ck_assert_uint_eq(text.length, 1 + 2 * 65536);
    for (size_t i = 1; i < text.length; i++) {
        ck_assert_int_eq(ha__strbuf_text(&text)[i], i % 2 == 1 ? 'a' : 'b');
    }
    ck_assert_int_eq(ha__strbuf_text(&text)[text.length], '\0');
}
END_TEST

START_TEST(a_long_text_grows_with_few_allocations)
{
    size_t n = 200000;

    for (size_t i = 0; i < n; i++) {
        ha__strbuf_add(&text, "0123456789");
    }
    ck_assert_uint_eq(text.length, 10 * n);
    ck_assert_uint_eq(strlen(ha__strbuf_text(&text)), 10 * n);
    ck_assert_uint_lt(ha_ctx_n_allocations(ctx), 40);
    ck_assert_int_eq(memcmp(ha__strbuf_text(&text) + 10 * n - 10, "0123456789", 11), 0);
}
END_TEST

START_TEST(a_formatted_text_of_any_length_is_whole)
{
    static char word[70000];

    memset(word, 'w', sizeof word - 1);
    ha__strbuf_addf(&text, "<%s>%s", word, "");
    ck_assert_uint_eq(text.length, sizeof word + 1);
    ck_assert_int_eq(ha__strbuf_text(&text)[sizeof word], '>');
}
END_TEST

START_TEST(a_taken_text_leaves_an_empty_usable_buffer)
{
    ha__strbuf_add(&text, "first");
    char *first = ha__strbuf_take(&text);
    ck_assert_str_eq(ha__strbuf_text(&text), "");
    ha__strbuf_add(&text, "second");
    char *second = ha__strbuf_take(&text);
    ck_assert_str_eq(first, "first");
    ck_assert_str_eq(second, "second");
    ha__free(first);
    ha__free(second);
}
END_TEST

START_TEST(a_kept_text_is_in_the_arena_and_leaves_an_empty_usable_buffer)
{
    ha__arena arena = { 0 };
    const char *kept = NULL, *empty = NULL;

    ha__strbuf_add(&text, "bond");
    ck_assert_int_eq(ha__strbuf_keep(&text, &arena, &kept), HA_OK);
    ck_assert_str_eq(ha__strbuf_text(&text), "");
    ck_assert_int_eq(ha__strbuf_keep(&text, &arena, &empty), HA_OK);
    ha__strbuf_add(&text, "other");
    ck_assert_str_eq(kept, "bond");
    ck_assert_str_eq(empty, "");
    ha__arena_clear(&arena);
}
END_TEST

START_TEST(a_text_that_failed_is_not_kept)
{
    ha__arena arena = { 0 };
    const char *kept = "as before";

    ha_ctx_fail_allocation(ctx, 1);
    ha__strbuf_add(&text, "lost");
    ha_ctx_fail_allocation(ctx, 0);
    ck_assert_int_eq(ha__strbuf_keep(&text, &arena, &kept), HA_ERR_MEMORY);
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 1);
    ck_assert_int_eq(text.status, HA_OK);

    ha__strbuf_add(&text, "found");
    ha_ctx_fail_allocation(ctx, 1);
    ck_assert_int_eq(ha__strbuf_keep(&text, &arena, &kept), HA_ERR_MEMORY);
    ha_ctx_fail_allocation(ctx, 0);
    ck_assert_str_eq(kept, "as before");
    ha__arena_clear(&arena);
}
END_TEST

START_TEST(the_first_failure_sticks)
{
    static char large[1000];

    memset(large, 'x', sizeof large - 1);
    ha__strbuf_add(&text, "kept");
    ha_ctx_fail_allocation(ctx, 1);
    ha__strbuf_add(&text, large);
    ck_assert_int_eq(text.status, HA_ERR_MEMORY);
    ck_assert_str_eq(ha__strbuf_text(&text), "kept");
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 1);

    /* also when there would be room again, or was */
    ha_ctx_fail_allocation(ctx, 0);
    ha__strbuf_add(&text, "!");
    ha__strbuf_addf(&text, "%d", 1);
    ha__strbuf_add_number(&text, 1.0);
    ck_assert_str_eq(ha__strbuf_text(&text), "kept");
    ck_assert_ptr_null(ha__strbuf_take(&text));
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 1);

    ha__strbuf_clear(&text);
    ha__strbuf_add(&text, "anew");
    ck_assert_str_eq(ha__strbuf_text(&text), "anew");
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    bool is_done = false;

    for (size_t n = 1; !is_done; n++) {
        ck_assert_uint_lt(n, 100);
        ha_ctx_clear(ctx);
        ha_ctx_fail_allocation(ctx, n);
        for (int i = 0; i < 100; i++) {
            ha__strbuf_addf(&text, "%d ", i);
            ha__strbuf_add_short_number(&text, 1.0 / (1.0 + i));
        }
        char *taken = ha__strbuf_take(&text);
        ha_ctx_fail_allocation(ctx, 0);
        is_done = taken != NULL;
        ck_assert_uint_eq(ha_ctx_n_errors(ctx), is_done ? 0 : 1);
        ck_assert_int_eq(text.status, is_done ? HA_OK : HA_ERR_MEMORY);
        ha__free(taken);
        ha__strbuf_clear(&text);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("strbuf");
    TCase *tests = tcase_create("strbuf");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, an_empty_buffer_is_an_empty_text);
    tcase_add_test(tests, pieces_are_joined);
    tcase_add_test(tests, markup_is_only_text);
    tcase_add_test(tests, bytes_may_be_zero);
    tcase_add_test(tests, a_part_is_repeated_also_when_the_text_moves);
    tcase_add_test(tests, a_long_text_grows_with_few_allocations);
    tcase_add_test(tests, a_formatted_text_of_any_length_is_whole);
    tcase_add_test(tests, a_taken_text_leaves_an_empty_usable_buffer);
    tcase_add_test(tests, a_kept_text_is_in_the_arena_and_leaves_an_empty_usable_buffer);
    tcase_add_test(tests, a_text_that_failed_is_not_kept);
    tcase_add_test(tests, the_first_failure_sticks);
    tcase_add_test(tests, every_allocation_may_fail);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
