/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tapes and the machine code made of them against ha_expr_value(), which walks the graph: the same
   operations, so the same bits. */
#include <config.h>

#include "lib/tape/tape.h"

#include "lib/core/mem.h"
#include "lib/expr_table.h"
#include "lib/tape/native.h"
#include "lib/tape/tape_c.h"
#include "tests/util/random.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N_INPUTS = 6, N_NODES = 300, N_ROOTS = 12, N_TRANSLATED = 20 };

static ha_ctx *ctx;
static ha_dag *dag;
static ha_expr inputs[N_INPUTS];
static double values[N_INPUTS];
static uint64_t state;

static void set_up(void)
{
    ctx = ha_ctx_new();
    dag = ha_dag_new(ctx);
    ck_assert_ptr_nonnull(dag);
    for (int i = 0; i < N_INPUTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "in%d", i % 10);
        inputs[i] = ha_symbol(dag, name);
        values[i] = 0.25 * i - 0.6;
    }
}

static void tear_down(void)
{
    ha_dag_free(dag);
    ha_ctx_free(ctx);
}

static double value_of(void *user, ha_expr symbol)
{
    (void) user;
    for (int i = 0; i < N_INPUTS; i++) {
        if (inputs[i] == symbol) {
            return values[i];
        }
    }
    return (double) NAN;
}

static unsigned next_random(unsigned n)
{
    return (unsigned) random_below(&state, (int) n);
}

/* Equal bits; nan of any kind is nan. */
static bool is_same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static ha__tape *compile(const ha_expr *roots, size_t n_roots, size_t n_inputs)
{
    ha__tape *tape = NULL;

    ck_assert_int_eq(ha__tape_new(ctx, dag, roots, n_roots, inputs, n_inputs, &tape), HA_OK);
    ck_assert_ptr_nonnull(tape);
    return tape;
}

/* A prepared work array. */
static double *work_of(const ha__tape *tape)
{
    double *work = calloc(ha__tape_work_size(tape) + 1, sizeof *work);

    ck_assert_ptr_nonnull(work);
    ha__tape_prepare(tape, work);
    return work;
}

static void run(const ha__tape *tape, double *work, double *out)
{
    memcpy(work, values, sizeof values);
    ha__tape_run(tape, work, out);
}

/* All operations, with operands that may well leave their domains: inf and nan must agree, too. */
static void random_roots(unsigned seed, ha_expr *roots)
{
    ha_expr nodes[N_NODES];
    int n = 0;

    state = seed;
    for (; n < N_INPUTS; n++) {
        nodes[n] = inputs[n];
    }
    for (; n < N_INPUTS + 4; n++) {
        nodes[n] = ha_constant(dag, 0.125 * (int) next_random(40) - 2.0);
    }
    for (; n < N_NODES; n++) {
        ha_op op = (ha_op) (HA_OP_ADD + (int) next_random(HA_OP_COUNT - HA_OP_ADD));
        unsigned latest = (unsigned) n < 20 ? (unsigned) n : 20u;
        nodes[n] = ha_apply(dag, op, nodes[n - 1 - (int) next_random(latest)],
                            nodes[next_random((unsigned) n)], nodes[next_random((unsigned) n)]);
    }
    for (int i = 0; i < N_ROOTS; i++) {
        roots[i] = i == 3 || i == 8 ? HA_EXPR_NONE : nodes[next_random(N_NODES)];
    }
    roots[5] = roots[4];                 /* a root twice */
    roots[6] = inputs[2];                /* an input */
    roots[7] = ha_constant(dag, -7.125); /* a constant */
}

START_TEST(random_graphs_have_the_same_bits)
{
    int n_finite = 0;

    for (unsigned seed = 1; seed <= 200; seed++) {
        ha_expr roots[N_ROOTS];
        double out[N_ROOTS];
        random_roots(seed, roots);
        ck_assert_int_eq(ha_dag_status(dag), HA_OK);
        ha__tape *tape = compile(roots, N_ROOTS, N_INPUTS);
        double *work = work_of(tape);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < N_INPUTS; i++) {
                values[i] = 0.01 * (int) next_random(600) - 3.0;
            }
            run(tape, work, out);
            for (int i = 0; i < N_ROOTS; i++) {
                double wanted =
                    roots[i] == HA_EXPR_NONE ? 0.0 : ha_expr_value(dag, roots[i], value_of, NULL);
                n_finite += isfinite(wanted);
                if (!is_same(out[i], wanted)) {
                    ck_abort_msg("seed %u, root %d: %.17g, not %.17g", seed, i, out[i], wanted);
                }
            }
        }
        free(work);
        ha__tape_free(tape);
    }
    ck_assert_int_gt(n_finite, 3000);
}
END_TEST

/* Puts machine code in the place of tapes: loops, or one instruction after the other. */
static ha__native *translate(ha__tape *const *tapes, int n, bool is_straight)
{
    char directory[] = "/tmp/test_tape_XXXXXX", command[sizeof directory + 16];
    ha__strbuf text = HA_STRBUF(ctx);
    ha__translation *translation = NULL;
    ha__native *native = NULL;

    ck_assert_int_eq(
        ha__translation_new(ctx, tapes, (size_t) n, is_straight ? SIZE_MAX : 0, &translation),
        HA_OK);
    ck_assert_int_eq(ha__translation_c(translation, &text), HA_OK);
    ck_assert_ptr_nonnull(mkdtemp(directory));
    setenv("HALFARROW_CACHE", directory, 1);
    ck_assert_int_eq(ha__native_load(ctx, text.text, text.length, &native, NULL), HA_OK);
    ck_assert_int_eq(ha__translation_use(ctx, translation, native), HA_OK);
    snprintf(command, sizeof command, "rm -r %s", directory);
    ck_assert_int_eq(system(command), 0);
    ha__translation_free(translation);
    ha__strbuf_clear(&text);
    return native;
}

START_TEST(machine_code_has_the_same_bits)
{
    ha__tape *tapes[N_TRANSLATED];
    ha_expr roots[N_TRANSLATED][N_ROOTS];
    double out[N_ROOTS];

    for (int k = 0; k < N_TRANSLATED; k++) {
        random_roots(1000 + (unsigned) k, roots[k]);
        tapes[k] = compile(roots[k], N_ROOTS, N_INPUTS);
    }
    ha__native *native = translate(tapes, N_TRANSLATED, _i == 1);
    for (int k = 0; k < N_TRANSLATED; k++) {
        double *work = work_of(tapes[k]);
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < N_INPUTS; i++) {
                values[i] = 0.01 * (int) next_random(600) - 3.0;
            }
            run(tapes[k], work, out);
            for (int i = 0; i < N_ROOTS; i++) {
                ha_expr root = roots[k][i];
                ck_assert(is_same(
                    out[i], root == HA_EXPR_NONE ? 0.0 : ha_expr_value(dag, root, value_of, NULL)));
            }
        }
        free(work);
        ha__tape_free(tapes[k]);
    }
    ha__native_free(native);
}
END_TEST

/* The first half of the roots, then the second, with or without machine code; some are in both. */
START_TEST(a_tape_goes_on_where_another_ends)
{
    enum { HALF = N_ROOTS / 2 };

    for (unsigned seed = 1; seed <= (_i == 0 ? 100u : 4u); seed++) {
        ha_expr roots[N_ROOTS];
        double out[N_ROOTS];
        ha__tape *tapes[2] = { NULL, NULL };
        random_roots(3000 + seed, roots);
        roots[N_ROOTS - 1] = roots[0];
        ck_assert_int_eq(ha__tape_begin(ctx, dag, roots, HALF, inputs, N_INPUTS, &tapes[0]), HA_OK);
        ck_assert_int_eq(ha__tape_continue(ctx, dag, roots + HALF, N_ROOTS - HALF, inputs, N_INPUTS,
                                           tapes[0], &tapes[1]),
                         HA_OK);
        ha__tape *whole = compile(roots, N_ROOTS, N_INPUTS);
        ck_assert_uint_eq(ha__tape_length(tapes[0]) + ha__tape_length(tapes[1]),
                          ha__tape_length(whole));
        ha__tape_free(whole);
        ha__native *native = _i == 0 ? NULL : translate(tapes, 2, _i == 1);
        double *work = work_of(tapes[1]);
        ha__tape_prepare(tapes[0], work);
        for (int i = 0; i < N_INPUTS; i++) {
            values[i] = 0.01 * (int) next_random(600) - 3.0;
        }
        run(tapes[0], work, out);
        ha__tape_run(tapes[1], work, out + HALF);
        for (int i = 0; i < N_ROOTS; i++) {
            ck_assert(is_same(out[i], roots[i] == HA_EXPR_NONE
                                          ? 0.0
                                          : ha_expr_value(dag, roots[i], value_of, NULL)));
        }
        free(work);
        ha__tape_free(tapes[0]);
        ha__tape_free(tapes[1]);
        ha__native_free(native);
    }
}
END_TEST

/* Values that are read far behind where they are computed, in several functions. */
START_TEST(a_tape_of_many_pieces_has_the_same_bits_as_machine_code)
{
    enum { LENGTH = 5000 };
    ha_expr nodes[LENGTH], roots[N_ROOTS];
    double out[N_ROOTS];

    state = 7;
    for (int n = 0; n < LENGTH; n++) {
        ha_expr a = n == 0 ? inputs[0] : nodes[n - 1];
        ha_expr b = n == 0 ? inputs[1] : nodes[next_random((unsigned) n)];
        nodes[n] = n % 3 == 0
                       ? ha_apply(dag, HA_OP_SIN, ha_add(dag, a, inputs[n % N_INPUTS]), -1, -1)
                   : n % 3 == 1 ? ha_mul(dag, a, b)
                                : ha_sub(dag, b, a);
    }
    for (int i = 0; i < N_ROOTS; i++) {
        roots[i] = nodes[LENGTH - 1 - 400 * i];
    }
    ha__tape *tape = compile(roots, N_ROOTS, N_INPUTS);
    ck_assert_uint_gt(ha__tape_length(tape), LENGTH / 2);
    ha__native *native = translate(&tape, 1, _i == 1);
    double *work = work_of(tape);
    run(tape, work, out);
    for (int i = 0; i < N_ROOTS; i++) {
        ck_assert(is_same(out[i], ha_expr_value(dag, roots[i], value_of, NULL)));
    }
    free(work);
    ha__tape_free(tape);
    ha__native_free(native);
}
END_TEST

START_TEST(tables_work_in_machine_code)
{
    const double x[] = { -1.0, 0.0, 2.0 }, y[] = { 3.0, 1.0, 7.0 };
    ha_expr roots[2];
    double out[2];

    for (int kind = HA_TABLE_LINEAR; kind <= HA_TABLE_CUBIC; kind++) {
        ha_table_def def = ha_table_def_default();
        int table = -1;
        def.name = kind == HA_TABLE_LINEAR ? "line" : "curve";
        def.kind = (ha_table_kind) kind;
        def.n = 3;
        def.x = x;
        def.y = y;
        ck_assert_int_eq(ha_table_add(dag, &def, &table), HA_OK);
        roots[kind] = ha_table_apply(dag, table, inputs[0]);
    }
    ha__tape *tape = compile(roots, 2, N_INPUTS);
    ha__native *native = translate(&tape, 1, _i == 1);
    double *work = work_of(tape);
    for (values[0] = -1.5; values[0] < 3.0; values[0] += 0.25) {
        run(tape, work, out);
        ck_assert(is_same(out[0], ha_expr_value(dag, roots[0], value_of, NULL)));
        ck_assert(is_same(out[1], ha_expr_value(dag, roots[1], value_of, NULL)));
    }
    free(work);
    ha__tape_free(tape);
    ha__native_free(native);
}
END_TEST

START_TEST(a_tape_without_roots_or_inputs_runs)
{
    ha_expr root = ha_div(dag, ha_constant(dag, 1.0), ha_constant(dag, 0.0)), none = HA_EXPR_NONE;
    double out = -1.0, nothing = -1.0;
    ha__tape *empty = compile(NULL, 0, 0), *constant = compile(&root, 1, 0);
    ha__tape *missing = compile(&none, 1, 0);
    double *work = work_of(empty);

    ha__tape_run(empty, work, &nothing);
    ck_assert(nothing == -1.0);
    ck_assert_uint_eq(ha__tape_length(empty), 0);
    free(work);
    work = work_of(constant);
    ha__tape_run(constant, work, &out);
    ck_assert(isinf(out));
    free(work);
    work = work_of(missing);
    ha__tape_run(missing, work, &out);
    ck_assert(out == 0.0);
    free(work);
    ha__tape_free(empty);
    ha__tape_free(constant);
    ha__tape_free(missing);
    ha__tape_free(NULL);
}
END_TEST

START_TEST(shared_parts_are_one_instruction_and_the_rest_is_left_out)
{
    ha_expr sine = ha_apply(dag, HA_OP_SIN, inputs[0], HA_EXPR_NONE, HA_EXPR_NONE);
    const ha_expr roots[2] = { ha_mul(dag, sine, inputs[1]), ha_add(dag, sine, inputs[1]) };

    ha_mul(dag, inputs[2], inputs[3]); /* nobody asks for it */
    ha__tape *tape = compile(roots, 2, N_INPUTS);
    ck_assert_uint_eq(ha__tape_length(tape), 3);
    ha__tape_free(tape);
}
END_TEST

START_TEST(a_symbol_that_is_no_input_is_reported_by_name)
{
    ha_expr root = ha_add(dag, inputs[0], ha_mul(dag, inputs[1], ha_symbol(dag, "K1.mass")));
    ha__tape *tape = NULL;

    ck_assert_int_eq(ha__tape_new(ctx, dag, &root, 1, inputs, N_INPUTS, &tape), HA_ERR_INTERNAL);
    ck_assert_ptr_null(tape);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "`K1.mass`"));
}
END_TEST

START_TEST(work_arrays_are_independent)
{
    ha_expr roots[N_ROOTS];
    double out[2][N_ROOTS], again[N_ROOTS];

    random_roots(5, roots);
    ha__tape *tape = compile(roots, N_ROOTS, N_INPUTS);
    double *work[2] = { work_of(tape), work_of(tape) };
    values[0] = 0.5;
    run(tape, work[0], out[0]);
    values[0] = -1.5;
    values[1] = 2.0;
    run(tape, work[1], out[1]);
    ha__tape_run(tape, work[0], again); /* its inputs are as they were */
    for (int i = 0; i < N_ROOTS; i++) {
        ck_assert(is_same(again[i], out[0][i]));
    }
    ha__tape_run(tape, work[1], again);
    for (int i = 0; i < N_ROOTS; i++) {
        ck_assert(is_same(again[i], out[1][i]));
    }
    free(work[0]);
    free(work[1]);
    ha__tape_free(tape);
}
END_TEST

START_TEST(a_tape_outlives_its_graph)
{
    ha_expr root = ha_add(dag, inputs[0], ha_constant(dag, 0.1));
    double out = 0.0;
    ha__tape *tape = compile(&root, 1, N_INPUTS);
    double *work = work_of(tape);

    ha_dag_free(dag);
    dag = NULL;
    values[0] = 3.0;
    run(tape, work, &out);
    ck_assert(out == 3.0 + 0.1);
    free(work);
    ha__tape_free(tape);
}
END_TEST

START_TEST(half_a_million_instructions_run)
{
    ha_expr e = inputs[0];
    double out = 0.0;
    int n = 500 * 1000;

    for (int i = 0; i < n; i++) {
        ha_op op = i % 2 == 0 ? HA_OP_MAX : HA_OP_MIN;
        e = ha_apply(dag, op, inputs[i % N_INPUTS], e, HA_EXPR_NONE);
        e = i % 100 == 0 ? ha_add(dag, ha_constant(dag, 0x1p-10), e) : e;
    }
    ha__tape *tape = compile(&e, 1, N_INPUTS);
    double *work = work_of(tape);
    run(tape, work, &out);
    ck_assert(is_same(out, ha_expr_value(dag, e, value_of, NULL)));
    free(work);
    ha__tape_free(tape);
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    ha_expr roots[N_ROOTS];
    ha_status status = HA_ERR_MEMORY;

    random_roots(9, roots);
    for (size_t n = 1; status != HA_OK; n++) {
        ha__tape *tape = NULL;
        ck_assert_uint_lt(n, 100);
        ha_ctx_clear(ctx);
        ha_ctx_fail_allocation(ctx, n);
        status = ha__tape_new(ctx, dag, roots, N_ROOTS, inputs, N_INPUTS, &tape);
        ha_ctx_fail_allocation(ctx, 0);
        ck_assert_int_eq(status, ha_ctx_n_errors(ctx) > 0 ? HA_ERR_MEMORY : HA_OK);
        ck_assert((tape != NULL) == (status == HA_OK));
        ha__tape_free(tape);
    }
}
END_TEST

START_TEST(a_failed_graph_gives_no_tape)
{
    ha_expr e = inputs[0];
    ha__tape *tape = NULL;

    ha_ctx_fail_allocation(ctx, 1);
    for (int i = 0; i < 100000 && ha_dag_status(dag) == HA_OK; i++) {
        e = ha_add(dag, inputs[1], ha_apply(dag, HA_OP_SIN, e, HA_EXPR_NONE, HA_EXPR_NONE));
    }
    ha_ctx_fail_allocation(ctx, 0);
    ck_assert_int_eq(e, HA_EXPR_NONE);
    ck_assert_int_eq(ha__tape_new(ctx, dag, &e, 1, inputs, N_INPUTS, &tape), HA_ERR_MEMORY);
    ck_assert_ptr_null(tape);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tape");
    TCase *tests = tcase_create("tape");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, random_graphs_have_the_same_bits);
    tcase_add_loop_test(tests, machine_code_has_the_same_bits, 0, 2);
    tcase_add_loop_test(tests, a_tape_goes_on_where_another_ends, 0, 3);
    tcase_add_loop_test(tests, a_tape_of_many_pieces_has_the_same_bits_as_machine_code, 0, 2);
    tcase_add_loop_test(tests, tables_work_in_machine_code, 0, 2);
    tcase_add_test(tests, a_tape_without_roots_or_inputs_runs);
    tcase_add_test(tests, shared_parts_are_one_instruction_and_the_rest_is_left_out);
    tcase_add_test(tests, a_symbol_that_is_no_input_is_reported_by_name);
    tcase_add_test(tests, work_arrays_are_independent);
    tcase_add_test(tests, a_tape_outlives_its_graph);
    tcase_add_test(tests, half_a_million_instructions_run);
    tcase_add_test(tests, every_allocation_may_fail);
    tcase_add_test(tests, a_failed_graph_gives_no_tape);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
