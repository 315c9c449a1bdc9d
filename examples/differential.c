/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The model of differential.yaml through the C API: a submodel for the motor, two instances of it,
 * and the rest in the compact notation. In the end the currents are at rest; with a = k^2/R + b and
 * c = k U/R of each motor, and half of the load's torque T = d (w1 + w2)/2 on both,
 *   a w = c - T/2,   T (1 + d/4 (1/a1 + 1/a2)) = d/2 (c1/a1 + c2/a2).
 * Build it with: cc differential.c $(pkg-config --cflags --libs halfarrow) -lm
 */
#include "bondgraph/compact.h"
#include "bondgraph/model.h"
#include "bondgraph/submodel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char motor_text[] =
    "R = 0.6 ohm; L = 2 mH; k = 0.1; J = 1e-3 kg.m2; b = 1e-4\n"
    "1i > Ra{R}; 1i > Ia{L}; 1i > GY{k} > 1m; 1m > Irotor{J}; 1m > Rbearing{b}";

static const char load_text[] =
    "Se{24 V} > 0v; 0d > 1l > Iload{0.05 kg.m2}; 1l > Rdrag{0.01}; TFleft{0.5}; TFright{0.5}";

/* A submodel is a graph with a name and ports. */
static ha_status make_motor(ha_ctx *ctx, bg_submodel **out)
{
    bg_graph *body = bg_graph_new(ctx);

    HA_TRY(body == NULL ? HA_ERR_MEMORY : HA_OK);
    ha_status status = bg_compact_read(body, motor_text, strlen(motor_text), HA_NOWHERE);
    *out = status == HA_OK ? bg_submodel_new(body, "motor") : NULL;
    if (*out == NULL) {
        bg_graph_free(body);
        return status == HA_OK ? HA_ERR_MEMORY : status;
    }
    HA_TRY(bg_submodel_add_port(*out, "electric", "1i", HA_NOWHERE));
    return bg_submodel_add_port(*out, "shaft", "1m", HA_NOWHERE);
}

static ha_status add_motor(bg_graph *graph, const bg_submodel *motor, const char *name,
                           const bg_parameter_value *parameters, int n_parameters)
{
    bg_instance_def def = bg_instance_def_default();
    bg_instance instance;

    def.name = name;
    def.submodel = motor;
    def.parameters = parameters;
    def.n_parameters = n_parameters;
    return bg_graph_add_instance(graph, &def, &instance);
}

/* Motors, load, and the bonds between them. */
static ha_status build(bg_graph *graph, const bg_submodel *motor)
{
    static const char *const bonds[][2] = {
        { "0v", "left.electric" }, { "0v", "right.electric" },   { "left.shaft", "TFleft" },
        { "TFleft", "0d" },        { "right.shaft", "TFright" }, { "TFright", "0d" },
    };
    ha_dag *dag = bg_graph_dag(graph);
    const bg_parameter_value worn[] = { { "R", ha_constant(dag, 0.9), HA_NOWHERE },
                                        { "k", ha_constant(dag, 0.08), HA_NOWHERE } };

    HA_TRY(bg_compact_read(graph, load_text, strlen(load_text), HA_NOWHERE));
    HA_TRY(add_motor(graph, motor, "left", NULL, 0));
    HA_TRY(add_motor(graph, motor, "right", worn, 2));
    for (size_t i = 0; i < HA_COUNT(bonds); i++) {
        bg_bond bond;
        HA_TRY(bg_graph_add_named_bond(graph, bonds[i][0], bonds[i][1], HA_NOWHERE, &bond));
    }
    return bg_graph_add_element_outputs(graph);
}

/* Prints the last value of an output and what it is in the end. */
static ha_status compare(const ha_result *result, const char *name, double exact)
{
    double found = ha_result_value(result, ha_result_n_rows(result) - 1,
                                   (size_t) ha_result_find(result, name));

    printf("%-14s %.9g, in the end %.9g\n", name, found, exact);
    return fabs(found - exact) < 1e-6 * exact ? HA_OK : HA_ERR_SOLVER;
}

static ha_status check(const ha_result *result)
{
    const double U = 24.0, d = 0.01, R[2] = { 0.6, 0.9 }, k[2] = { 0.1, 0.08 }, b = 1e-4;
    double a[2], c[2];

    for (int i = 0; i < 2; i++) {
        a[i] = k[i] * k[i] / R[i] + b;
        c[i] = k[i] * U / R[i];
    }
    double T = d / 2 * (c[0] / a[0] + c[1] / a[1]) / (1 + d / 4 * (1 / a[0] + 1 / a[1]));
    HA_TRY(compare(result, "left.Irotor.f", (c[0] - T / 2) / a[0]));
    HA_TRY(compare(result, "right.Irotor.f", (c[1] - T / 2) / a[1]));
    return compare(result, "Rdrag.e", T);
}

int main(void)
{
    ha_ctx *ctx = ha_ctx_new();
    bg_graph *graph = bg_graph_new(ctx);
    bg_submodel *motor = NULL;
    ha_result *result = ha_result_new(ctx);
    bg_run_options options = bg_run_options_default();
    ha_status status = make_motor(ctx, &motor);

    options.solver.t_end = 60.0;
    options.solver.rtol = 1e-9;
    status = status == HA_OK ? build(graph, motor) : status;
    status = status == HA_OK ? bg_simulate(graph, &options, result, NULL) : status;
    status = status == HA_OK ? check(result) : status;
    for (size_t i = 0; i < ha_ctx_n_diags(ctx); i++) {
        fprintf(stderr, "%s\n", ha_ctx_diag(ctx, i)->text);
    }
    ha_result_free(result);
    bg_graph_free(graph);
    bg_submodel_free(motor);
    ha_ctx_free(ctx);
    return ha_status_exit(status);
}
