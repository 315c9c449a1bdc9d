/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run of halfarrow as a user has it, from the text of a model file to the state at the end, taken
 * to pieces: set-up (reading, units, assembly, causality, equations, compilation to tapes),
 * translation to machine code, solution.
 */
#include <config.h>

#include "bench/contest.h"
#include "mech2d/assemble.h"
#include "mech2d/read.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- memory --------------------------------------------------------------------------------- */

/* From here on the peak is that of what follows: what freed models leave is given back, and Linux
   is told to forget its own record. */
static void forget_peak(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
    FILE *file = fopen("/proc/self/clear_refs", "w");

    if (file != NULL) {
        fputs("5", file);
        fclose(file);
    }
}

/* Peak of the memory [MB]; NAN where the system does not tell. */
static double peak(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    double kilobytes = (double) NAN;

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "VmHWM:", 6) == 0) {
            kilobytes = strtod(line + 6, NULL);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return kilobytes / 1024;
}

/* --- a run ---------------------------------------------------------------------------------- */

/* Everything between the text and the results. */
typedef struct {
    m2d_model *file;
    m2d_system *system;
    m2d_assembly *assembly;
    bg_causality *causality;
    bg_equations *equations;
    bg_model *model;
    ha_result *result;
    const char **wanted; /* the state of each body */
    char (*names)[24];
    double *start;
} stages;

static ha_status name_outputs(const scene *s, stages *g)
{
    static const char *const parts[] = { "x", "y", "angle", "vx", "vy", "omega" };
    const int n = SCENE_BODY_STATE * s->n_bodies;

    g->wanted = calloc((size_t) n, sizeof *g->wanted);
    g->names = calloc((size_t) n, sizeof *g->names);
    if (g->wanted == NULL || g->names == NULL) {
        return HA_ERR_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        snprintf(g->names[i], sizeof g->names[i], "B%d.%s", i / SCENE_BODY_STATE,
                 parts[i % SCENE_BODY_STATE]);
        g->wanted[i] = g->names[i];
    }
    return HA_OK;
}

static ha_status prepare(ha_ctx *ctx, const bench_task *task, stages *g)
{
    HA_TRY(name_outputs(task->scene, g));
    HA_TRY(m2d_read_text(ctx, task->text, task->length, "bench", NULL, &g->file));
    HA_TRY(m2d_expand(m2d_model_mechanism(g->file), &g->system));
    HA_TRY(m2d_assemble(g->system, &g->assembly));
    HA_TRY(bg_causality_assign(m2d_system_graph(g->system), &g->causality));
    HA_TRY(bg_equations_derive(g->causality, &g->equations));
    HA_TRY(m2d_release_redundant(g->assembly, g->equations));
    HA_TRY(bg_model_compile_for(g->equations, g->wanted, SCENE_BODY_STATE * task->scene->n_bodies,
                                (ha_driver) task->driver, &g->model));
    g->start = calloc((size_t) bg_model_n_unknowns(g->model), sizeof *g->start);
    g->result = ha_result_new(ctx);
    return g->start == NULL || g->result == NULL ? HA_ERR_MEMORY
                                                 : m2d_start(g->assembly, g->model, g->start);
}

static void clear(stages *g)
{
    ha_result_free(g->result);
    bg_model_free(g->model);
    bg_equations_free(g->equations);
    bg_causality_free(g->causality);
    m2d_assembly_free(g->assembly);
    m2d_system_free(g->system);
    m2d_model_free(g->file);
    free(g->wanted);
    free(g->names);
    free(g->start);
}

static ha_status solve(ha_ctx *ctx, const bench_task *task, const stages *g, bench_run *out)
{
    bg_run_options options = bg_run_options_default();
    bg_run_report report;

    options.solver.t_end = options.solver.step = task->scene->t_end;
    options.solver.rtol = options.solver.atol = task->tolerance;
    options.solver.driver = task->driver;
    options.alpha = options.beta = task->alpha;
    options.start = g->start;
    double begin = bench_processor();
    HA_TRY(bg_model_run(ctx, g->model, &options, g->result, &report));
    out->solve = bench_processor() - begin;
    out->steps = report.solver.steps;
    out->evaluations = report.solver.residual_evaluations;
    out->jacobians = report.solver.jacobian_evaluations;
    out->switches = report.solver.switches;
    out->t_switch = report.solver.t_switch;
    out->driver = ha_driver_name((ha_driver) report.solver.driver);
    out->reason = report.solver.switch_reason;
    out->alpha = report.alpha;
    out->audit = report.energy_error;
    for (size_t i = 0; i < (size_t) (SCENE_BODY_STATE * task->scene->n_bodies); i++) {
        out->state[i] = ha_result_value(g->result, ha_result_n_rows(g->result) - 1, i + 1);
    }
    return HA_OK;
}

int bench_halfarrow(const bench_task *task, bench_run *out)
{
    forget_peak();

    double begin = bench_processor();
    ha_ctx *ctx = ha_ctx_new();
    stages g = { 0 };
    ha_status status = prepare(ctx, task, &g);

    out->setup = bench_processor() - begin;
    out->memory = peak();
    if (status == HA_OK && task->as_code) {
        begin = bench_clock(); /* the compiler is another process */
        status = bg_model_build_native(ctx, g.model);
        out->compile = bench_clock() - begin;
    }
    status = status == HA_OK ? solve(ctx, task, &g, out) : status;
    for (size_t i = 0; status != HA_OK && i < ha_ctx_n_diags(ctx); i++) {
        fprintf(stderr, "error: %s\n", ha_ctx_diag(ctx, i)->text);
    }
    clear(&g);
    ha_ctx_free(ctx);
    return status == HA_OK ? 0 : -1;
}
