/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tapes as loops over patterns, against ha_expr_value(): the same operations, so the same bits. */
#include <config.h>

#include "lib/tape/tape_c.h"

#include "tests/util/random.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PARTS = 400, MOST_ROOTS = 4000 };

static char directory[] = "/tmp/test_tape_loops_XXXXXX";
static ha_ctx *ctx;
static ha_dag *dag;
static ha_expr inputs[2 * MOST_PARTS], roots[MOST_ROOTS];
static double values[2 * MOST_PARTS];
static size_t n_inputs, n_roots;
static int *number; /* by node: input */
static uint64_t state;

static void set_up(void)
{
    ctx = ha_ctx_new();
    dag = ha_dag_new(ctx);
    ck_assert_ptr_nonnull(dag);
    number = calloc(MOST_PARTS * 1000, sizeof *number);
    n_inputs = n_roots = 0;
    state = 1;
    strcpy(directory + sizeof directory - 7, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    setenv("HALFARROW_CACHE", directory, 1);
}

static void tear_down(void)
{
    char command[sizeof directory + 16];

    snprintf(command, sizeof command, "rm -rf %s", directory);
    ck_assert_int_eq(system(command), 0);
    free(number);
    ha_dag_free(dag);
    ha_ctx_free(ctx);
}

static unsigned next_random(unsigned n)
{
    return (unsigned) random_below(&state, (int) n);
}

static ha_expr input(void)
{
    char name[24];

    snprintf(name, sizeof name, "in%zu", n_inputs);
    inputs[n_inputs] = ha_symbol(dag, name);
    values[n_inputs] = 0.01 * (int) next_random(600) - 3.0;
    number[inputs[n_inputs]] = (int) n_inputs;
    return inputs[n_inputs++];
}

static double value_of(void *user, ha_expr symbol)
{
    (void) user;
    return values[number[symbol]];
}

static ha_expr apply1(ha_op op, ha_expr a)
{
    return ha_apply(dag, op, a, HA_EXPR_NONE, HA_EXPR_NONE);
}

/* Parts in a row, each tied to the one before; the last roots are sums over all of them, in the
   order of the parts and against it. */
static void make_parts(int n)
{
    ha_expr before = ha_constant(dag, 1.0), sum = ha_constant(dag, 0.0), back = sum;

    for (int i = 0; i < n; i++) {
        ha_expr x = input(), v = input(), mass = ha_constant(dag, 1.0 + 0.5 * i);
        ha_expr sine = apply1(HA_OP_SIN, x), cosine = apply1(HA_OP_COS, x);
        roots[n_roots++] = ha_sub(dag, ha_mul(dag, mass, v), ha_mul(dag, sine, before));
        roots[n_roots++] = ha_add(dag, ha_mul(dag, cosine, before), ha_mul(dag, sine, v));
        roots[n_roots++] = ha_mul(dag, mass, ha_mul(dag, cosine, v));
        roots[n_roots] = roots[n_roots - 1];      /* one once more */
        roots[n_roots + 1] = x;                   /* an input */
        roots[n_roots + 2] = ha_constant(dag, i); /* a constant */
        roots[n_roots + 3] = HA_EXPR_NONE;
        n_roots += 4;
        sum = ha_add(dag, sum, ha_mul(dag, mass, ha_mul(dag, v, v)));
        back = ha_sub(dag, ha_mul(dag, v, ha_mul(dag, x, x)), back);
        before = cosine;
    }
    roots[n_roots++] = sum;
    roots[n_roots++] = back;
}

/* No two parts are alike, and any part reads of all. */
static void make_unlike(int n)
{
    ha_expr nodes[MOST_PARTS * 50];
    int count = 0;

    for (; count < 20; count++) {
        nodes[count] = input();
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 20 + (int) next_random(20); k++, count++) {
            ha_op op = (ha_op) (HA_OP_ADD + (int) next_random(HA_OP_COUNT - HA_OP_ADD));
            op = op == HA_OP_KNOT || op == HA_OP_PIECE ? HA_OP_SIN : op;
            nodes[count] = ha_apply(dag, op, nodes[count - 1], nodes[next_random((unsigned) count)],
                                    nodes[next_random((unsigned) count)]);
        }
        roots[n_roots++] = nodes[count - 1];
    }
}

static ha__tape *compile(void)
{
    ha__tape *tape = NULL;

    ck_assert_int_eq(ha_dag_status(dag), HA_OK);
    ck_assert_int_eq(ha__tape_new(ctx, dag, roots, n_roots, inputs, n_inputs, &tape), HA_OK);
    return tape;
}

/* The text of a tape as loops, and what it is the text of. */
static size_t translate(ha__tape **tape, ha__translation **translation, ha__native **native)
{
    ha__strbuf text = HA_STRBUF(ctx);

    ck_assert_int_eq(ha__translation_new(ctx, tape, 1, 0, translation), HA_OK);
    ck_assert_int_eq(ha__translation_c(*translation, &text), HA_OK);
    if (native != NULL) {
        ck_assert_int_eq(ha__native_load(ctx, text.text, text.length, native, NULL), HA_OK);
        ck_assert_int_eq(ha__translation_use(ctx, *translation, *native), HA_OK);
    }
    size_t length = text.length;
    ha__strbuf_clear(&text);
    return length;
}

/* Runs a tape as it is; every root has the bits of its expression. */
static void check_bits(const ha__tape *tape)
{
    double *work = calloc(ha__tape_work_size(tape), sizeof *work);
    double *out = calloc(n_roots, sizeof *out);

    ck_assert(work != NULL && out != NULL);
    ha__tape_prepare(tape, work);
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < n_inputs; i++) {
            values[i] = 0.01 * (int) next_random(600) - 3.0;
        }
        memcpy(work, values, n_inputs * sizeof *values);
        ha__tape_run(tape, work, out);
        for (size_t i = 0; i < n_roots; i += i % 7 == 0 || n_roots < 1000 ? 1 : 13) {
            double wanted =
                roots[i] == HA_EXPR_NONE ? 0.0 : ha_expr_value(dag, roots[i], value_of, NULL);
            ck_assert_msg(memcmp(&out[i], &wanted, sizeof wanted) == 0 ||
                              (isnan(out[i]) && isnan(wanted)),
                          "root %zu: %.17g, not %.17g", i, out[i], wanted);
        }
    }
    free(work);
    free(out);
}

/* Checks the bits of the roots as loops; returns the length of the text. */
static size_t check_loops(void)
{
    ha__tape *tape = compile();
    ha__translation *translation = NULL;
    ha__native *native = NULL;

    size_t length = translate(&tape, &translation, &native);
    check_bits(tape);
    ha__translation_free(translation);
    ha__tape_free(tape);
    ha__native_free(native);
    return length;
}

START_TEST(like_parts_have_the_same_bits)
{
    const int n[] = { 1, 2, 3, MOST_PARTS };

    make_parts(n[_i]);
    check_loops();
}
END_TEST

START_TEST(the_text_does_not_grow_with_the_number_of_like_parts)
{
    size_t length[2];

    for (int k = 0; k < 2; k++) {
        ha__tape *tape = NULL;
        ha__translation *translation = NULL;
        n_inputs = n_roots = 0;
        make_parts(k == 0 ? 100 : MOST_PARTS);
        tape = compile();
        length[k] = translate(&tape, &translation, NULL);
        ha__translation_free(translation);
        ha__tape_free(tape);
    }
    ck_assert_uint_le(length[1], length[0] + length[0] / 10); /* longer numbers of lines at most */
}
END_TEST

START_TEST(unlike_parts_have_the_same_bits_and_a_bounded_text)
{
    make_unlike(MOST_PARTS);
    ck_assert_uint_lt(check_loops(), 1000 * 1000); /* 6000 lines, 3 slots each */
}
END_TEST

START_TEST(a_library_without_the_functions_leaves_the_tape_as_it_was)
{
    static const char other[] = "int halfarrow_other;\n";
    ha__translation *translation = NULL;
    ha__native *native = NULL;

    make_parts(5);
    ha__tape *tape = compile();
    translate(&tape, &translation, NULL);
    ck_assert_int_eq(ha__native_load(ctx, other, sizeof other - 1, &native, NULL), HA_OK);
    ck_assert_int_eq(ha__translation_use(ctx, translation, native), HA_ERR_PROCESS);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "halfarrow_loop"));
    ha__native_free(native);
    ha__translation_free(translation);
    check_bits(tape);
    ha__tape_free(tape);
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    ha_status status = HA_ERR_MEMORY;

    make_parts(20);
    ha__tape *tape = compile();
    for (size_t n = 1; status != HA_OK; n++) {
        ha__translation *translation = NULL;
        ha__strbuf text = HA_STRBUF(ctx);
        ck_assert_uint_lt(n, 1000);
        ha_ctx_clear(ctx);
        ha_ctx_fail_allocation(ctx, n);
        status = ha__translation_new(ctx, &tape, 1, 0, &translation);
        ck_assert((translation != NULL) == (status == HA_OK));
        status = status == HA_OK ? ha__translation_c(translation, &text) : status;
        ha_ctx_fail_allocation(ctx, 0);
        ck_assert_int_eq(status, ha_ctx_n_errors(ctx) > 0 ? HA_ERR_MEMORY : HA_OK);
        ha__strbuf_clear(&text);
        ha__translation_free(translation);
    }
    check_bits(tape);
    ha__tape_free(tape);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tape_loops");
    TCase *tests = tcase_create("tape_loops");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, like_parts_have_the_same_bits, 0, 4);
    tcase_add_test(tests, the_text_does_not_grow_with_the_number_of_like_parts);
    tcase_add_test(tests, unlike_parts_have_the_same_bits_and_a_bounded_text);
    tcase_add_test(tests, a_library_without_the_functions_leaves_the_tape_as_it_was);
    tcase_add_test(tests, every_allocation_may_fail);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
