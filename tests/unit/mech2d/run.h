/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run from a model file to its results, for tests that look at these. */
#ifndef TESTS_UNIT_MECH2D_RUN_H
#define TESTS_UNIT_MECH2D_RUN_H

#include "bondgraph/model.h"
#include "mech2d/assemble.h"
#include "mech2d/read.h"
#include "tests/util/memory.h"
#include "tests/util/util.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Everything on the way from the file to the results. */
typedef struct {
    ha_ctx *ctx;
    m2d_model *model;
    m2d_system *system;
    m2d_assembly *assembly;
    bg_causality *causality;
    bg_equations *equations;
    bg_model *compiled;
    ha_result *result;
    double *start;
    bool is_for_peaks; /* extremes are looked for, */
    ha_peak *peaks;    /* (outputs) these */
    bg_run_report report;
} run;

/* Runs the system that was expanded. */
static inline ha_status run_expanded(run *r)
{
    HA_TRY(m2d_assemble(r->system, &r->assembly));
    HA_TRY(bg_causality_assign(m2d_system_graph(r->system), &r->causality));
    HA_TRY(bg_equations_derive(r->causality, &r->equations));
    HA_TRY(m2d_release_redundant(r->assembly, r->equations));
    HA_TRY(bg_model_compile_for(r->equations, NULL, 0,
                                (ha_driver) m2d_model_options(r->model)->solver.driver,
                                &r->compiled));
    r->start = calloc((size_t) bg_model_n_unknowns(r->compiled) + 1, sizeof *r->start);
    r->peaks = r->is_for_peaks
                   ? calloc((size_t) bg_model_dae(r->compiled)->n_outputs + 1, sizeof *r->peaks)
                   : NULL;
    HA_TRY(m2d_start(r->assembly, r->compiled, r->start));

    bg_run_options options = *m2d_model_options(r->model);
    options.start = r->start;
    options.solver.peaks = r->peaks;
    return bg_model_run(r->ctx, r->compiled, &options, r->result, &r->report);
}

/* Expands the model that was read. */
static inline ha_status run_expand(run *r)
{
    return m2d_expand(m2d_model_mechanism(r->model), &r->system);
}

/* Runs the model that was read. */
static inline ha_status run_model(run *r)
{
    HA_TRY(run_expand(r));
    return run_expanded(r);
}

static inline void run_check(const run *r, ha_status status)
{
    ck_assert_msg(status == HA_OK, "%s: %s", ha_status_name(status),
                  ha_ctx_n_diags(r->ctx) > 0 ? ha_ctx_diag(r->ctx, 0)->text : "no diagnostic");
}

static inline run run_new(void)
{
    run r = { .ctx = ha_ctx_new() };

    r.result = ha_result_new(r.ctx);
    return r;
}

/* Frees all but the context. */
static inline void run_clear(run *r)
{
    free(r->start);
    free(r->peaks);
    ha_result_free(r->result);
    bg_model_free(r->compiled);
    bg_equations_free(r->equations);
    bg_causality_free(r->causality);
    m2d_assembly_free(r->assembly);
    m2d_system_free(r->system);
    m2d_model_free(r->model);
}

static inline void run_end(run *r)
{
    run_clear(r);
    ha_ctx_free(r->ctx);
}

/* Runs a file of the source tree; NULL: as it stands. */
static inline run run_file(const char *path, const m2d_read_def *def)
{
    run r = run_new();
    ha_status status = m2d_read_file(r.ctx, test_source(path), def, &r.model);

    run_check(&r, status == HA_OK ? run_model(&r) : status);
    return r;
}

/* Runs a text. */
static inline run run_text(const char *text)
{
    run r = run_new();
    ha_status status = m2d_read_text(r.ctx, text, strlen(text), "m.yaml", NULL, &r.model);

    run_check(&r, status == HA_OK ? run_model(&r) : status);
    return r;
}

/* Reads and runs a text that must fail somewhere: its status, and that the first diagnostic has
   this part. */
static inline void run_expect_failure(const char *text, ha_status wanted, const char *part)
{
    run r = run_new();
    ha_status status = m2d_read_text(r.ctx, text, strlen(text), "m.yaml", NULL, &r.model);

    status = status == HA_OK ? run_model(&r) : status;
    ck_assert_uint_ge(ha_ctx_n_diags(r.ctx), 1);
    ck_assert_msg(status == wanted && strstr(ha_ctx_diag(r.ctx, 0)->text, part) != NULL, "%s: %s",
                  ha_status_name(status), ha_ctx_diag(r.ctx, 0)->text);
    run_end(&r);
}

/* A text and what is done with it. */
typedef struct {
    ha_ctx *ctx;
    const char *text;
    const m2d_read_def *def;
    ha_status (*go_on)(run *r);
} run_plan;

static inline ha_status run_attempt(void *user)
{
    const run_plan *p = user;
    run r = { .ctx = p->ctx, .result = ha_result_new(p->ctx) };
    ha_status status = r.result == NULL ? HA_ERR_MEMORY : HA_OK;

    if (status == HA_OK) {
        status = m2d_read_text(r.ctx, p->text, strlen(p->text), "m.yaml", p->def, &r.model);
        ck_assert((r.model != NULL) == (status == HA_OK));
    }
    status = status == HA_OK ? p->go_on(&r) : status;
    run_clear(&r);
    return status;
}

/* Reads a text and goes on with it, each time with another allocation that fails. */
static inline void run_survives_with(const char *text, const m2d_read_def *def,
                                     ha_status (*go_on)(run *r))
{
    run_plan p = { ha_ctx_new(), text, def, go_on };

    ck_assert_uint_gt(memory_survives(p.ctx, 50, run_attempt, &p), 200);
    ha_ctx_free(p.ctx);
}

static inline void run_survives(const char *text, ha_status (*go_on)(run *r))
{
    run_survives_with(text, NULL, go_on);
}

/* A value of row `row`. */
static inline double run_value(const run *r, size_t row, const char *name)
{
    int column = ha_result_find(r->result, name);

    ck_assert_msg(column >= 0, "no output `%s`", name);
    return ha_result_value(r->result, row, (size_t) column);
}

/* A value of the last row. */
static inline double run_last(const run *r, const char *name)
{
    return run_value(r, ha_result_n_rows(r->result) - 1, name);
}

/* The last value agrees with the truth, relatively. */
static inline void run_expect(const run *r, const char *name, double truth, double tolerance)
{
    double found = run_last(r, name);

    ck_assert_msg(fabs(found - truth) <= tolerance * fabs(truth), "%s is %.17g, not %.17g", name,
                  found, truth);
}

/* The last value agrees with the truth, absolutely. */
static inline void run_expect_near(const run *r, const char *name, double truth, double tolerance)
{
    double found = run_last(r, name);

    ck_assert_msg(fabs(found - truth) <= tolerance, "%s is %.17g, not %.17g", name, found, truth);
}

#endif
