/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One compiled model, shared by threads with a context each: the same results to the last bit. */
#include <config.h>

#include "bondgraph/compact.h"
#include "bondgraph/model.h"
#include "tests/util/util.h"

#include <pthread.h>
#include <string.h>

enum { N_THREADS = 4, N_RUNS = 5 };

static const char text[] =
    "Se{-2*9.81}>1y;1x>I1{2};1y>I2{2};1a>I3{0.3, p=0.5};1a>Df{q=0.4};1x>Dfx;1y>Dfy;"
    "1a>MTF1{0.7*cos(Df.q)}>0x;0x>1x;0x>Re1;1a>MTF2{0.7*sin(Df.q)}>0y;0y>1y;0y>Re2";

/* What a thread gets and leaves. */
typedef struct {
    const bg_model *model;
    ha_status status;
    double end[64];
    size_t n;
} job;

static void *work(void *user)
{
    job *j = user;

    for (int i = 0; i < N_RUNS && j->status == HA_OK; i++) {
        ha_ctx *ctx = ha_ctx_new();
        ha_result *result = ha_result_new(ctx);
        bg_run_options options = bg_run_options_default();
        bg_run_report report;
        options.solver.t_end = 1.0;
        j->status = bg_model_run(ctx, j->model, &options, result, &report);
        j->n = ha_result_n_columns(result);
        for (size_t c = 0; c < j->n && c < 64 && j->status == HA_OK; c++) {
            j->end[c] = ha_result_value(result, ha_result_n_rows(result) - 1, c);
        }
        ha_result_free(result);
        ha_ctx_free(ctx);
    }
    return NULL;
}

START_TEST(threads_share_a_model)
{
    ha_ctx *ctx = ha_ctx_new();
    bg_graph *graph = bg_graph_new(ctx);
    bg_causality *causality = NULL;
    bg_equations *equations = NULL;
    bg_model *model = NULL;
    pthread_t threads[N_THREADS];
    job jobs[N_THREADS];

    ck_assert_int_eq(bg_compact_read(graph, text, strlen(text), HA_NOWHERE), HA_OK);
    ck_assert_int_eq(bg_graph_add_element_outputs(graph), HA_OK);
    ck_assert_int_eq(bg_causality_assign(graph, &causality), HA_OK);
    ck_assert_int_eq(bg_equations_derive(causality, &equations), HA_OK);
    ck_assert_int_eq(bg_model_compile(equations, NULL, 0, &model), HA_OK);
    for (int i = 0; i < N_THREADS; i++) {
        jobs[i] = (job){ .model = model };
        ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
    }
    for (int i = 0; i < N_THREADS; i++) {
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
        ck_assert_int_eq(jobs[i].status, HA_OK);
    }
    for (int i = 1; i < N_THREADS; i++) {
        ck_assert_uint_eq(jobs[i].n, jobs[0].n);
        ck_assert_mem_eq(jobs[i].end, jobs[0].end, jobs[0].n * sizeof(double));
    }
    bg_model_free(model);
    bg_equations_free(equations);
    bg_causality_free(causality);
    bg_graph_free(graph);
    ha_ctx_free(ctx);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("threads");
    TCase *tcase = tcase_create("threads");

    tcase_add_test(tcase, threads_share_a_model);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
