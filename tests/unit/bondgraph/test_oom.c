/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Out of memory everywhere: the way of the data from a text to a file is gone again and again, and
 * each time one allocation later fails. Every stage then returns HA_ERR_MEMORY with one diagnostic
 * and gives nothing; the stages before it stay usable. Leaks are for the sanitizer to find.
 */
#include <config.h>

#include "bondgraph/compact.h"
#include "bondgraph/model.h"
#include "tests/util/util.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Integral and derivative storages, a gyrator, constraints both ways, expressions, start values. */
static const char *const texts[] = {
    "Se{12}>1a>R1{1.2};1a>I1{10 mH, p=0.02};1a>GY{0.05}>1b>I2{2e-4};1b>TF{0.2}>1c>I3{0.01};1c>R2",
    "Se{2*sin(3*t)}>1a>I1;1a>0c>1b>I2;1b>C{0.1, q=0.1};Re>0c;1b>Df",
    "Se1{1}>1x>I1;Se2{-9.81}>1y>I2;1t>I3;1t>MTF1{1+0.1*cos(t)}>1x;1t>TF2>1y",
    "Se=2>1a=2>R;1a=2>I;1a=2>C",
    /* a loop whose variable is differentiated, and one through a storage */
    "Se{sin(t)}>1s>R;1s>I;1s>0x;0x>TF1{2}>0y;0x>TF2{3}>0y;0y>C",
    "1a>MTF{2+0.1*t}>0b>R{1.5};1a>C{2,q=3}",
    /* laws and fields */
    "Se{sin(t)}>1>I{f=p/sqrt(1+p^2),p=0.5};1>C{e=exp(q^2)*q,q=0.1};1>R{e=0.3*f*abs(f)}",
    "Se{sin(t)}>1s>R;1s>I1;1s>0x;0x>TF1{2}>0y;0x>TF2{3}>0y;0y>C{1|0.2|0.2|3,q2=0.3};1w>C;1w>I2",
    "Se{1}>1a>IC{energy=p1^2*(1+q2)/2+q2^2,q2=0.3};1b>IC;1b>I{2};1a>R{2|1|-1|3};1b>R",
    "",
};

enum { N_TEXTS = HA_COUNT(texts) };

/* What the stages make. */
typedef struct {
    bg_graph *graph;
    bg_causality *causality;
    bg_equations *equations;
    bg_model *model;
    ha_result *result;
    char *text, *trace, *path, *reason;
    bg_step step;
} work;

static ha_ctx *ctx;
static char file[64];

static void set_up(void)
{
    ctx = ha_ctx_new();
    strcpy(file, "/tmp/test_oom_XXXXXX");
    int descriptor = mkstemp(file);
    ck_assert_int_ge(descriptor, 0);
    close(descriptor);
}

static void tear_down(void)
{
    remove(file);
    ha_ctx_free(ctx);
}

static void clear(work *w)
{
    free(w->text);
    free(w->trace);
    free(w->reason);
    free(w->path);
    ha_result_free(w->result);
    bg_model_free(w->model);
    bg_equations_free(w->equations);
    bg_causality_free(w->causality);
    bg_graph_free(w->graph);
    *w = (work){ 0 };
}

/* Options of a short run. */
static bg_run_options short_run(void)
{
    bg_run_options options = bg_run_options_default();

    options.solver.t_end = 1e-3;
    options.solver.step = 5e-4;
    return options;
}

static ha_status read_text(work *w, const char *text)
{
    w->graph = bg_graph_new(ctx);
    if (w->graph == NULL) {
        return HA_ERR_MEMORY;
    }
    HA_TRY(bg_compact_read(w->graph, text, strlen(text), (ha_where){ "a.bgl", 1, 1 }));
    return bg_graph_add_element_outputs(w->graph);
}

static ha_status analyse(work *w)
{
    HA_TRY(bg_causality_assign(w->graph, &w->causality));
    HA_TRY(bg_causality_trace(w->causality, &w->trace));
    if (bg_causality_n_steps(w->causality) > 0) {
        HA_TRY(bg_causality_step(w->causality, 0, &w->step, &w->reason));
    }
    if (bg_causality_count(w->causality, BG_DERIVATIVE) > 0) {
        HA_TRY(bg_causality_path(w->causality, 0, &w->path));
    }
    return bg_equations_text(w->causality, &w->text);
}

static ha_status run_model(work *w)
{
    bg_run_options options = short_run();
    bg_run_report report;
    int n_bonds = 0, n_losses = 0;

    HA_TRY(bg_equations_derive(w->causality, &w->equations));
    HA_TRY(bg_equations_add_bonds(w->equations, w->causality, &n_bonds));
    HA_TRY(bg_equations_add_losses(w->equations, w->causality, &n_losses));
    HA_TRY(bg_model_compile(w->equations, NULL, 0, &w->model));
    w->result = ha_result_new(ctx);
    if (w->result == NULL) {
        return HA_ERR_MEMORY;
    }
    HA_TRY(bg_model_run(ctx, w->model, &options, w->result, &report));
    return ha_result_write_csv(w->result, file);
}

static ha_status go_all_the_way(work *w, const char *text)
{
    HA_TRY(read_text(w, text));
    HA_TRY(analyse(w));
    return run_model(w);
}

/* Nothing comes out of a stage that failed. */
static void expect_failure(const work *w, ha_status status, size_t n)
{
    ck_assert_msg(status == HA_ERR_MEMORY, "allocation %zu: %s: %s", n, ha_status_name(status),
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, ha_ctx_n_diags(ctx) - 1)->text
                                          : "no diagnostic");
    ck_assert_msg(ha_ctx_n_errors(ctx) >= 1, "allocation %zu: no diagnostic", n);
    ck_assert_msg(ha_ctx_n_errors(ctx) == 1, "allocation %zu: %zu errors, the second: %s", n,
                  ha_ctx_n_errors(ctx), ha_ctx_diag(ctx, 1)->text);
    /* a warning of the run may stand before it */
    ck_assert_int_eq(ha_ctx_diag(ctx, ha_ctx_n_diags(ctx) - 1)->status, HA_ERR_MEMORY);
    ck_assert(w->model == NULL || w->equations != NULL);
}

START_TEST(every_allocation_on_the_way_from_text_to_file_may_fail)
{
    ha_status status = HA_ERR_MEMORY;
    work w = { 0 };
    size_t n = 0;

    while (status != HA_OK) {
        n++;
        ck_assert_uint_lt(n, 20000);
        ha_ctx_clear(ctx);
        ha_ctx_fail_allocation(ctx, n);
        status = go_all_the_way(&w, texts[_i]);
        ha_ctx_fail_allocation(ctx, 0);
        if (status != HA_OK) {
            expect_failure(&w, status, n);
        }
        clear(&w);
    }
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 0);
    ck_assert_uint_gt(n, 30);
}
END_TEST

/* The stages before the one that failed work as before: it succeeds when it is done again. */
START_TEST(a_failed_stage_can_be_done_again)
{
    work w = { 0 };
    size_t n = 0;
    ha_status status = HA_ERR_MEMORY;

    ck_assert_int_eq(read_text(&w, texts[_i]), HA_OK);
    for (n = 1; status != HA_OK; n++) {
        bg_causality *causality = NULL;
        ha_ctx_clear(ctx);
        ha_ctx_fail_allocation(ctx, n);
        status = bg_causality_assign(w.graph, &causality);
        ha_ctx_fail_allocation(ctx, 0);
        ck_assert((causality != NULL) == (status == HA_OK));
        ck_assert_msg(status == HA_OK || status == HA_ERR_MEMORY, "%zu: %s", n,
                      ha_status_name(status));
        bg_causality_free(causality);
    }
    ha_ctx_clear(ctx);
    ck_assert_int_eq(analyse(&w), HA_OK);
    status = HA_ERR_MEMORY;
    for (n = 1; status != HA_OK; n++) {
        bg_equations *equations = NULL;
        ha_ctx_clear(ctx);
        ha_ctx_fail_allocation(ctx, n);
        status = bg_equations_derive(w.causality, &equations);
        ha_ctx_fail_allocation(ctx, 0);
        ck_assert((equations != NULL) == (status == HA_OK));
        bg_equations_free(equations);
    }
    ha_ctx_clear(ctx);
    ck_assert_msg(run_model(&w) == HA_OK, "%s",
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "");
    clear(&w);
}
END_TEST

/* A run that fails for memory can be repeated with the same model, and gives the same rows. */
START_TEST(a_failed_run_can_be_repeated)
{
    work w = { 0 };
    bg_run_options options = short_run();
    bg_run_report report;
    ha_status status = HA_ERR_MEMORY;

    ck_assert_int_eq(go_all_the_way(&w, texts[_i]), HA_OK);
    for (size_t n = 1; status != HA_OK; n++) {
        ck_assert_uint_lt(n, 5000);
        ha_result *result = ha_result_new(ctx);
        ha_ctx_clear(ctx);
        ha_ctx_fail_allocation(ctx, n);
        status = bg_model_run(ctx, w.model, &options, result, &report);
        ha_ctx_fail_allocation(ctx, 0);
        ck_assert_msg(status == HA_OK || status == HA_ERR_MEMORY, "%zu: %s", n,
                      ha_status_name(status));
        ck_assert_uint_eq(ha_ctx_n_errors(ctx), status == HA_OK ? 0 : 1);
        if (status == HA_OK) {
            ck_assert_uint_eq(ha_result_n_rows(result), ha_result_n_rows(w.result));
            for (size_t c = 0; c < ha_result_n_columns(result); c++) {
                size_t row = ha_result_n_rows(result) - 1;
                ck_assert(ha_result_value(result, row, c) == ha_result_value(w.result, row, c));
            }
        }
        ha_result_free(result);
    }
    clear(&w);
}
END_TEST

/* A table that cannot be written leaves the file as it was. */
START_TEST(a_failed_writing_leaves_the_old_file)
{
    work w = { 0 };
    ha_status status = HA_ERR_MEMORY;
    char line[8] = "";

    ck_assert_int_eq(go_all_the_way(&w, texts[0]), HA_OK);
    for (size_t n = 1; status != HA_OK; n++) {
        FILE *old = fopen(file, "w");
        ck_assert_ptr_nonnull(old);
        fputs("old\n", old);
        fclose(old);
        ha_ctx_clear(ctx);
        ha_ctx_fail_allocation(ctx, n);
        status = ha_result_write_csv(w.result, file);
        ha_ctx_fail_allocation(ctx, 0);
        old = fopen(file, "r");
        ck_assert_ptr_nonnull(fgets(line, sizeof line, old));
        fclose(old);
        ck_assert_msg((strcmp(line, "old\n") == 0) == (status != HA_OK), "%s", line);
    }
    clear(&w);
}
END_TEST

/* The conflict and the errors of a text are told, or the lack of memory is. */
START_TEST(reports_of_unsound_graphs_may_run_out_of_memory)
{
    static const char *const unsound[] = {
        "Se1>0a>R;Se2>0a",
        "1a>1b",
        "Se{1}>1a>R1;1a>0b>R2;0b>1c>R3;1c>C;1c>R4>1d;",
        "Se1>TF{t}>Se2",
        "Se>1>R{;X>Y;R>R;I{-1}>1",
        "Se>1a>R1;1a>0>R2;0>R3;1a>R4",
        /* strokes that need looking ahead, with a completion and without */
        "1x>C1;1y>C2;1z>C3;1x>GY1>1y;1y>GY2>1z;1z>GY3>1x",
        "Se1>1x;Se2>1y;Se3>1z;1x>GY1>1y;1y>GY2>1z;1z>GY3>1x",
    };
    const char *text = unsound[_i];
    size_t n_errors = 0;
    bool is_done = false;

    for (size_t n = 0; !is_done; n++) {
        work w = { 0 };
        ck_assert_uint_lt(n, 5000);
        ha_ctx_clear(ctx);
        ha_ctx_fail_allocation(ctx, n);
        ha_status status = go_all_the_way(&w, text);
        ha_ctx_fail_allocation(ctx, 0);
        if (n == 0) { /* without a failure */
            n_errors = ha_ctx_n_errors(ctx);
        }
        is_done = n > 0 && status != HA_ERR_MEMORY;
        if (is_done) {
            ck_assert_uint_eq(ha_ctx_n_errors(ctx), n_errors);
        }
        ck_assert(status == HA_OK || ha_ctx_n_errors(ctx) > 0);
        clear(&w);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("oom");
    TCase *tests = tcase_create("oom");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, every_allocation_on_the_way_from_text_to_file_may_fail, 0, N_TEXTS);
    tcase_add_loop_test(tests, a_failed_stage_can_be_done_again, 0, N_TEXTS);
    tcase_add_loop_test(tests, a_failed_run_can_be_repeated, 0, N_TEXTS);
    tcase_add_test(tests, a_failed_writing_leaves_the_old_file);
    tcase_add_loop_test(tests, reports_of_unsound_graphs_may_run_out_of_memory, 0, 8);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
