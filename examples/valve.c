/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An element type of one's own through the C API: a turbulent valve, flow f = c sign(e) sqrt|e|,
 * which empties a tank. In this sense the slope is infinite at e = 0; so the valve has the other
 * one, e = f |f| / c^2, and the pipe's inertance decides its flow. Here the inertance is small
 * enough for the closed form without it to hold to 1e-7: p(t) = (sqrt(p0) - c t / (2 C))^2,  where
 * the tank has the pressure p = q / C. Build it with: cc valve.c $(pkg-config --cflags --libs
 * halfarrow) -lm
 */
#include "bondgraph/compact.h"
#include "bondgraph/element_type.h"
#include "bondgraph/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The value of the valve is c. */
static ha_status valve_emit(bg_emitter *em)
{
    ha_dag *dag = bg_emitter_dag(em);
    ha_expr c = bg_emitter_value(em), f = bg_emitter_flow(em, 0);
    ha_expr size = ha_apply(dag, HA_OP_ABS, f, HA_EXPR_NONE, HA_EXPR_NONE);

    return bg_emitter_set_effort(em, 0, ha_div(dag, ha_mul(dag, f, size), ha_mul(dag, c, c)));
}

static ha_status register_valve(ha_ctx *ctx)
{
    bg_element_type type = bg_element_type_default();

    type.name = "Valve";
    type.title = "turbulent valve";
    type.n_efforts = 0; /* flow in, effort out */
    type.lowest = 0.0;
    type.excludes_lowest = 1;
    type.emit = valve_emit;
    return bg_element_type_register(ctx, &type);
}

int main(void)
{
    static const char model[] = "C{2, q=8} > 1 > Valve{0.5}; 1 > I{1e-6}";
    ha_ctx *ctx = ha_ctx_new();
    bg_graph *graph = bg_graph_new(ctx);
    ha_result *result = ha_result_new(ctx);
    bg_run_options options = bg_run_options_default();
    ha_status status = register_valve(ctx);

    options.solver.t_end = 8.0;
    options.solver.rtol = 1e-10;
    status = status == HA_OK ? bg_compact_read(graph, model, strlen(model), HA_NOWHERE) : status;
    status = status == HA_OK ? bg_graph_add_element_outputs(graph) : status;
    status = status == HA_OK ? bg_simulate(graph, &options, result, NULL) : status;
    if (status == HA_OK) {
        double root = sqrt(8.0 / 2.0) - 0.5 * 8.0 / (2.0 * 2.0), exact = root * root;
        double found = ha_result_value(result, ha_result_n_rows(result) - 1,
                                       (size_t) ha_result_find(result, "C.e"));
        printf("p(8 s) = %.9g Pa, exact %.9g Pa\n", found, exact);
        status = fabs(found - exact) < 1e-7 ? HA_OK : HA_ERR_SOLVER;
    }
    for (size_t i = 0; i < ha_ctx_n_diags(ctx); i++) {
        fprintf(stderr, "%s\n", ha_ctx_diag(ctx, i)->text);
    }
    ha_result_free(result);
    bg_graph_free(graph);
    ha_ctx_free(ctx);
    return ha_status_exit(status);
}
