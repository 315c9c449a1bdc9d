/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A DC motor with a geared load through the C API and the compact notation: what causality finds,
 * and the speed at the end. The load's inertia depends on the rotor's: J = J1 + n^2 J2, and at rest
 *   w = K U / (K^2 + R n^2 b).
 * Build it with: cc motor.c $(pkg-config --cflags --libs halfarrow) -lm
 */
#include "bondgraph/compact.h"
#include "bondgraph/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "Se{12 V}>1a>R{1.2 ohm}; 1a>I{10 mH}; 1a>GY{0.05}>1b>I1{2e-4 kg.m2};"
                           "1b>TF{0.2}>1c>I2{1e-2 kg.m2}; 1c>R2{1e-3 N.m.s/rad}";

/* Prints the storages that are states and those that are not, with the path to what they follow. */
static ha_status print_causality(bg_graph *graph)
{
    bg_causality *causality = NULL;
    char *path = NULL;

    HA_TRY(bg_causality_assign(graph, &causality));
    printf("%s\n", bg_class_name(bg_causality_class(causality)));
    for (int i = 0; i < bg_causality_count(causality, BG_INTEGRAL); i++) {
        printf("state: %s\n", bg_causality_name(causality, BG_INTEGRAL, i));
    }
    for (int i = 0; i < bg_causality_count(causality, BG_DERIVATIVE); i++) {
        if (bg_causality_path(causality, i, &path) == HA_OK) {
            printf("dependent: %s\n", path);
            free(path);
        }
    }
    bg_causality_free(causality);
    return HA_OK;
}

int main(void)
{
    ha_ctx *ctx = ha_ctx_new();
    bg_graph *graph = bg_graph_new(ctx);
    ha_result *result = ha_result_new(ctx);
    bg_run_options options = bg_run_options_default();
    ha_status status = bg_compact_read(graph, text, strlen(text), HA_NOWHERE);

    options.solver.t_end = 5.0;
    options.solver.rtol = 1e-9;
    status = status == HA_OK ? bg_graph_add_element_outputs(graph) : status;
    status = status == HA_OK ? print_causality(graph) : status;
    status = status == HA_OK ? bg_simulate(graph, &options, result, NULL) : status;
    if (status == HA_OK) {
        double exact = 0.05 * 12 / (0.05 * 0.05 + 1.2 * 0.2 * 0.2 * 1e-3);
        double found = ha_result_value(result, ha_result_n_rows(result) - 1,
                                       (size_t) ha_result_find(result, "I1.f"));
        printf("speed at 5 s: %.9g rad/s, in the end %.9g rad/s\n", found, exact);
        status = fabs(found - exact) < 1e-3 * exact ? HA_OK : HA_ERR_SOLVER;
    }
    for (size_t i = 0; i < ha_ctx_n_diags(ctx); i++) {
        fprintf(stderr, "%s\n", ha_ctx_diag(ctx, i)->text);
    }
    ha_result_free(result);
    bg_graph_free(graph);
    ha_ctx_free(ctx);
    return ha_status_exit(status);
}
