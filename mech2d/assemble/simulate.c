/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a mechanism to results in one call. */
#include <config.h>

#include "mech2d/simulate.h"

#include "lib/core/mem.h"
#include "lib/core/need.h"
#include "mech2d/assemble.h"

/* What is between the mechanism and its results. */
typedef struct {
    m2d_system *system;
    m2d_assembly *assembly;
    bg_causality *causality;
    bg_equations *equations;
    bg_model *model;
    double *start;
} steps;

static void steps_clear(steps *s)
{
    ha__free(s->start);
    bg_model_free(s->model);
    bg_equations_free(s->equations);
    bg_causality_free(s->causality);
    m2d_assembly_free(s->assembly);
    m2d_system_free(s->system);
}

static ha_status run(m2d_mechanism *mechanism, const bg_run_options *options, ha_result *result,
                     bg_run_report *report, steps *s)
{
    ha_ctx *ctx = m2d_mechanism_ctx(mechanism);
    bg_run_options own = *options;

    HA_TRY(m2d_expand(mechanism, &s->system));
    HA_TRY(m2d_assemble(s->system, &s->assembly));
    HA_TRY(options->from == BG_FROM_GIVEN ? m2d_warn_of_depth(s->assembly) : HA_OK);
    HA_TRY(bg_causality_assign(m2d_system_graph(s->system), &s->causality));
    HA_TRY(bg_equations_derive(s->causality, &s->equations));
    HA_TRY(m2d_release_redundant(s->assembly, s->equations));
    HA_TRY(
        bg_model_compile_for(s->equations, NULL, 0, (ha_driver) options->solver.driver, &s->model));
    HA_TRY_ALLOC(ctx, s->start, bg_model_n_unknowns(s->model));
    HA_TRY(m2d_start(s->assembly, s->model, s->start));
    own.start = s->start;
    return bg_model_run(ctx, s->model, &own, result, report);
}

ha_status m2d_simulate(m2d_mechanism *mechanism, const bg_run_options *options, ha_result *result,
                       bg_run_report *report)
{
    HA_NEED(m2d_mechanism_ctx(mechanism), mechanism != NULL && options != NULL && result != NULL);
    steps s = { 0 };
    bg_run_report unwanted;
    ha_status status = run(mechanism, options, result, report == NULL ? &unwanted : report, &s);

    steps_clear(&s);
    return status;
}
