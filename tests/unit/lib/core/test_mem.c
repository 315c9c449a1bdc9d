/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocation, arrays and arenas: sizes that do not fit, contents kept, the failing hook. */
#include <config.h>

#include "lib/core/mem.h"

#include "tests/util/util.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef HA_ARRAY(int) ints;

static ha_ctx *ctx;

/* True when all bytes have this value. */
static bool is_filled(const unsigned char *bytes, size_t n, unsigned char value)
{
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] != value) {
            return false;
        }
    }
    return true;
}

static void set_up(void)
{
    ctx = ha_ctx_new();
    ck_assert_ptr_nonnull(ctx);
}

static void tear_down(void)
{
    ha_ctx_free(ctx);
}

/* One out-of-memory error was added; forgets it. */
static void expect_out_of_memory(void)
{
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
    ck_assert_int_eq(ha_ctx_diag(ctx, 0)->status, HA_ERR_MEMORY);
    ha_ctx_clear(ctx);
}

/* --- blocks ---------------------------------------------------------------------------------- */

START_TEST(a_block_is_zeroed)
{
    unsigned char *block = ha__alloc(ctx, 1000, 7);

    ck_assert_ptr_nonnull(block);
    ck_assert(is_filled(block, 7000, 0));
    ha__free(block);
}
END_TEST

START_TEST(an_empty_block_is_a_block)
{
    void *a = ha__alloc(ctx, 0, 8), *b = ha__alloc(ctx, 8, 0), *c = ha__resize(ctx, NULL, 0, 8);

    ck_assert_ptr_nonnull(a);
    ck_assert_ptr_nonnull(b);
    ck_assert_ptr_nonnull(c);
    c = ha__resize(ctx, c, 0, 0);
    ck_assert_ptr_nonnull(c);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 0);
    ha__free(a);
    ha__free(b);
    ha__free(c);
    ha__free(NULL);
}
END_TEST

START_TEST(sizes_that_do_not_fit_are_out_of_memory)
{
    static const size_t sizes[][2] = {
        { SIZE_MAX, 1 },         { 1, SIZE_MAX },         { SIZE_MAX, SIZE_MAX },
        { SIZE_MAX / 2 + 1, 2 }, { SIZE_MAX / 8 + 1, 8 }, { SIZE_MAX / 7, 8 },
        { 3, SIZE_MAX / 2 },     { SIZE_MAX / 3 * 2, 3 },
    };

    for (size_t i = 0; i < HA_COUNT(sizes); i++) {
        char *old = ha__copy_text(ctx, "kept", 4);
        ck_assert_ptr_null(ha__alloc(ctx, sizes[i][0], sizes[i][1]));
        expect_out_of_memory();
        ck_assert_ptr_null(ha__resize(ctx, old, sizes[i][0], sizes[i][1]));
        expect_out_of_memory();
        ck_assert_str_eq(old, "kept");
        ha__free(old);
    }
}
END_TEST

START_TEST(resizing_keeps_the_contents)
{
    int *block = ha__alloc(ctx, 10, sizeof *block);

    for (int i = 0; i < 10; i++) {
        block[i] = i;
    }
    block = ha__resize(ctx, block, 100000, sizeof *block);
    ck_assert_ptr_nonnull(block);
    block = ha__resize(ctx, block, 5, sizeof *block);
    ck_assert_ptr_nonnull(block);
    for (int i = 0; i < 5; i++) {
        ck_assert_int_eq(block[i], i);
    }
    ha__free(block);
}
END_TEST

START_TEST(a_large_block_is_zeroed_and_grows_with_its_contents)
{
    const size_t n = (size_t) 1 << 21, larger = 5 * n / 2;
    int *block = ha__alloc(ctx, n, sizeof *block);

    ck_assert_ptr_nonnull(block);
    ck_assert(is_filled((const unsigned char *) block, n * sizeof *block, 0));
    for (size_t i = 0; i < n; i++) {
        block[i] = (int) i;
    }
    block = ha__resize(ctx, block, larger, sizeof *block);
    ck_assert_ptr_nonnull(block);
    for (size_t i = 0; i < n; i++) {
        ck_assert_int_eq(block[i], (int) i);
    }
    block[larger - 1] = 1; /* it is all there */
    ha__free(block);
}
END_TEST

START_TEST(a_failed_resize_leaves_the_old_block)
{
    char *block = ha__copy_text(ctx, "abcdef", 6);

    ha_ctx_fail_allocation(ctx, 1);
    ck_assert_ptr_null(ha__resize(ctx, block, 1000, 1));
    expect_out_of_memory();
    ck_assert_str_eq(block, "abcdef");
    ha__free(block);
}
END_TEST

START_TEST(a_text_is_copied_to_its_length)
{
    static const char bytes[] = { 'a', '\0', 'b', 'c' };
    char *empty = ha__copy_text(ctx, "xyz", 0), *part = ha__copy_text(ctx, "xyz", 2);
    char *binary = ha__copy_text(ctx, bytes, 3);

    ck_assert_str_eq(empty, "");
    ck_assert_str_eq(part, "xy");
    ck_assert_int_eq(memcmp(binary, "a\0b\0", 4), 0);
    ha__free(empty);
    ha__free(part);
    ha__free(binary);
}
END_TEST

/* --- arrays ---------------------------------------------------------------------------------- */

static ha_status push(ints *array, int value)
{
    HA_TRY_PUSH(ctx, array, value);
    return HA_OK;
}

static ha_status make_room(ints *array, size_t extra)
{
    HA_TRY_ROOM(ctx, array, extra);
    return HA_OK;
}

START_TEST(an_array_grows_to_a_million_with_few_allocations)
{
    ints array = { 0 };
    int n = 1000 * 1000, n_failed = 0;

    for (int i = 0; i < n; i++) {
        n_failed += push(&array, i) != HA_OK;
    }
    ck_assert_int_eq(n_failed, 0);
    ck_assert_uint_eq(array.count, (size_t) n);
    ck_assert_uint_ge(array.capacity, array.count);
    int n_wrong = 0;
    for (int i = 0; i < n; i++) {
        n_wrong += array.items[i] != i;
    }
    ck_assert_int_eq(n_wrong, 0);
    ck_assert_uint_lt(ha_ctx_n_allocations(ctx), 40);
    HA_ARRAY_CLEAR(&array);
    ck_assert_ptr_null(array.items);
    ck_assert_uint_eq(array.count, 0);
    ck_assert_uint_eq(array.capacity, 0);
    HA_ARRAY_CLEAR(&array);
}
END_TEST

START_TEST(room_once_made_needs_no_more_memory)
{
    ints array = { 0 };

    ck_assert_int_eq(push(&array, -1), HA_OK);
    ck_assert_int_eq(make_room(&array, 1000), HA_OK);
    ha_ctx_fail_allocation(ctx, 1);
    for (int i = 0; i < 1000; i++) {
        ck_assert_int_eq(push(&array, i), HA_OK);
    }
    ck_assert_int_eq(make_room(&array, 0), HA_OK);
    ck_assert_int_eq(array.items[0], -1);
    ck_assert_int_eq(array.items[1000], 999);
    HA_ARRAY_CLEAR(&array);
}
END_TEST

START_TEST(a_failed_push_leaves_the_array_as_it_was)
{
    ints array = { 0 };

    ha_ctx_fail_allocation(ctx, 1);
    ck_assert_int_eq(push(&array, 1), HA_ERR_MEMORY);
    expect_out_of_memory();
    ck_assert_ptr_null(array.items);
    ck_assert_uint_eq(array.count, 0);
    ck_assert_uint_eq(array.capacity, 0);

    ha_ctx_fail_allocation(ctx, 2);
    int n = 0;
    while (push(&array, n) == HA_OK) {
        n++;
    }
    expect_out_of_memory();
    ck_assert_int_ge(n, 1);
    ck_assert_uint_eq(array.count, (size_t) n);
    for (int i = 0; i < n; i++) {
        ck_assert_int_eq(array.items[i], i);
    }
    HA_ARRAY_CLEAR(&array);
}
END_TEST

START_TEST(room_that_does_not_fit_is_out_of_memory)
{
    static const size_t extras[] = { SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2, SIZE_MAX / 4 };
    ints array = { 0 };

    ck_assert_int_eq(push(&array, 42), HA_OK);
    for (size_t i = 0; i < HA_COUNT(extras); i++) {
        ck_assert_int_eq(make_room(&array, extras[i]), HA_ERR_MEMORY);
        expect_out_of_memory();
        ck_assert_uint_eq(array.count, 1);
        ck_assert_int_eq(array.items[0], 42);
    }
    HA_ARRAY_CLEAR(&array);
}
END_TEST

static ha_status allocate(int **out, int n)
{
    HA_TRY_ALLOC(ctx, *out, n);
    return HA_OK;
}

START_TEST(allocated_items_are_zeroed_and_may_be_none)
{
    int *items = NULL, *none = NULL;

    ck_assert_int_eq(allocate(&items, 100), HA_OK);
    ck_assert_int_eq(allocate(&none, 0), HA_OK);
    ck_assert_ptr_nonnull(none);
    for (int i = 0; i < 100; i++) {
        ck_assert_int_eq(items[i], 0);
    }
    ha__free(items);
    ha__free(none);
    ha_ctx_fail_allocation(ctx, 1);
    ck_assert_int_eq(allocate(&items, 1), HA_ERR_MEMORY);
    ck_assert_ptr_null(items);
    expect_out_of_memory();
}
END_TEST

/* --- arenas ---------------------------------------------------------------------------------- */

START_TEST(pieces_are_aligned_zeroed_and_apart)
{
    enum { N = 20000 };
    static unsigned char *pieces[N];
    ha__arena arena = { 0 };

    for (int i = 0; i < N; i++) {
        size_t size = (size_t) (i * 7919 % 301);
        pieces[i] = ha__arena_alloc(ctx, &arena, 1, size);
        ck_assert_ptr_nonnull(pieces[i]);
        for (size_t align = 2; align <= sizeof(double) && size % align == 0; align *= 2) {
            ck_assert_uint_eq((uintptr_t) pieces[i] % align, 0);
        }
        ck_assert(is_filled(pieces[i], size, 0));
        memset(pieces[i], i % 251, size);
    }
    for (int i = 0; i < N; i++) {
        ck_assert(is_filled(pieces[i], (size_t) (i * 7919 % 301), (unsigned char) (i % 251)));
    }
    ha__arena_clear(&arena);
}
END_TEST

START_TEST(small_pieces_share_blocks_and_a_large_piece_fits)
{
    ha__arena arena = { 0 };

    for (int i = 0; i < 1000; i++) {
        ck_assert_ptr_nonnull(ha__arena_alloc(ctx, &arena, 1, 16));
    }
    ck_assert_uint_eq(ha_ctx_n_allocations(ctx), 5); /* of 1, 2, 4, 8 and 16 kB for 16,000 bytes */

    char *large = ha__arena_alloc(ctx, &arena, 1000, 1001);
    ck_assert_ptr_nonnull(large);
    memset(large, 'x', 1000 * 1001);
    char *after = ha__arena_alloc(ctx, &arena, 1, 16);
    ck_assert_ptr_nonnull(after);
    ck_assert_int_eq(after[0], 0);
    ha__arena_clear(&arena);
    ck_assert_ptr_nonnull(ha__arena_alloc(ctx, &arena, 1, 16));
    ha__arena_clear(&arena);
    ha__arena_clear(&arena);
}
END_TEST

START_TEST(texts_in_an_arena_are_copies)
{
    ha__arena arena = { 0 };
    char name[] = "motor";
    char *copy = ha__arena_text(ctx, &arena, name, 5), *part = ha__arena_text(ctx, &arena, name, 3);
    char *empty = ha__arena_text(ctx, &arena, name, 0);
    char *format = ha__arena_format(ctx, &arena, "%s.%d of %s", name, 12, "x");
    char *nothing = ha__arena_format(ctx, &arena, "%s", "");

    memset(name, '#', 5);
    ck_assert_str_eq(copy, "motor");
    ck_assert_str_eq(part, "mot");
    ck_assert_str_eq(empty, "");
    ck_assert_str_eq(format, "motor.12 of x");
    ck_assert_str_eq(nothing, "");
    ha__arena_clear(&arena);
}
END_TEST

START_TEST(an_arena_refuses_what_does_not_fit_and_stays_usable)
{
    static const size_t sizes[][2] = {
        { SIZE_MAX, 1 },
        { SIZE_MAX, 2 },
        { SIZE_MAX / 2 + 1, 1 },
        { SIZE_MAX / 2, 2 },
    };
    ha__arena arena = { 0 };
    char *first = ha__arena_text(ctx, &arena, "first", 5);

    for (size_t i = 0; i < HA_COUNT(sizes); i++) {
        ck_assert_ptr_null(ha__arena_alloc(ctx, &arena, sizes[i][0], sizes[i][1]));
        expect_out_of_memory();
    }
    ha_ctx_fail_allocation(ctx, 1);
    ck_assert_ptr_null(ha__arena_alloc(ctx, &arena, 1, 100000));
    expect_out_of_memory();
    ck_assert_ptr_nonnull(ha__arena_alloc(ctx, &arena, 1, 8)); /* still room in the first block */
    ck_assert_str_eq(first, "first");
    ha__arena_clear(&arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mem");
    TCase *tests = tcase_create("mem");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_block_is_zeroed);
    tcase_add_test(tests, an_empty_block_is_a_block);
    tcase_add_test(tests, sizes_that_do_not_fit_are_out_of_memory);
    tcase_add_test(tests, resizing_keeps_the_contents);
    tcase_add_test(tests, a_large_block_is_zeroed_and_grows_with_its_contents);
    tcase_add_test(tests, a_failed_resize_leaves_the_old_block);
    tcase_add_test(tests, a_text_is_copied_to_its_length);
    tcase_add_test(tests, an_array_grows_to_a_million_with_few_allocations);
    tcase_add_test(tests, room_once_made_needs_no_more_memory);
    tcase_add_test(tests, a_failed_push_leaves_the_array_as_it_was);
    tcase_add_test(tests, room_that_does_not_fit_is_out_of_memory);
    tcase_add_test(tests, allocated_items_are_zeroed_and_may_be_none);
    tcase_add_test(tests, pieces_are_aligned_zeroed_and_apart);
    tcase_add_test(tests, small_pieces_share_blocks_and_a_large_piece_fits);
    tcase_add_test(tests, texts_in_an_arena_are_copies);
    tcase_add_test(tests, an_arena_refuses_what_does_not_fit_and_stays_usable);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
