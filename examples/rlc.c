/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A series RLC circuit through the C API: 12 V on 0.5 ohm, 20 mH and 1 mF, from rest.
 *   i = U / (w L) e^(-d t) sin(w t),  d = R / (2 L),  w^2 = 1 / (L C) - d^2
 * Build it with: cc rlc.c $(pkg-config --cflags --libs halfarrow) -lm
 */
#include "bondgraph/model.h"

#include <math.h>
#include <stdio.h>

static ha_status add(bg_graph *graph, const char *type, const char *name, double value,
                     int junction, int *out)
{
    bg_element_def def = bg_element_def_default();
    ha_expr number = ha_constant(bg_graph_dag(graph), value);
    bool is_source = type[0] == 'S';
    bg_bond bond;

    def.type = type;
    def.name = name;
    def.value = &number;
    def.n_values = 1;
    HA_TRY(bg_graph_add_element(graph, &def, out));
    /* the half arrow points away from a source and into everything else */
    return bg_graph_add_bond(graph, is_source ? *out : junction, is_source ? junction : *out, 1,
                             HA_NOWHERE, &bond);
}

static ha_status build(bg_graph *graph)
{
    bg_element_def def = bg_element_def_default();
    bg_element junction, element;

    def.type = "1";
    def.name = "1a";
    HA_TRY(bg_graph_add_element(graph, &def, &junction));
    HA_TRY(add(graph, "Se", "U", 12.0, junction, &element));
    HA_TRY(add(graph, "R", "R", 0.5, junction, &element));
    HA_TRY(add(graph, "I", "L", 20e-3, junction, &element));
    HA_TRY(add(graph, "C", "C", 1e-3, junction, &element));
    return bg_graph_add_element_outputs(graph);
}

int main(void)
{
    ha_ctx *ctx = ha_ctx_new();
    bg_graph *graph = bg_graph_new(ctx);
    ha_result *result = ha_result_new(ctx);
    bg_run_options options = bg_run_options_default();
    ha_status status = build(graph);

    options.solver.t_end = 0.1;
    options.solver.rtol = 1e-12;
    status = status == HA_OK ? bg_simulate(graph, &options, result, NULL) : status;
    if (status == HA_OK) {
        double d = 0.5 / (2 * 20e-3), w = sqrt(1 / (20e-3 * 1e-3) - d * d);
        double exact = 12 / (w * 20e-3) * exp(-d * 0.1) * sin(w * 0.1);
        double found = ha_result_value(result, ha_result_n_rows(result) - 1,
                                       (size_t) ha_result_find(result, "L.f"));
        printf("i(0.1 s) = %.12g A, exact %.12g A\n", found, exact);
        status = fabs(found - exact) < 1e-8 ? HA_OK : HA_ERR_SOLVER;
    }
    for (size_t i = 0; i < ha_ctx_n_diags(ctx); i++) {
        fprintf(stderr, "%s\n", ha_ctx_diag(ctx, i)->text);
    }
    ha_result_free(result);
    bg_graph_free(graph);
    ha_ctx_free(ctx);
    return ha_status_exit(status);
}
