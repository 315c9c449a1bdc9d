/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Linear model and modes through the C API: a wheel (40 kg) on its tyre (180 kN/m) carries a
 * quarter of a car (300 kg) by a spring (20 kN/m) and a damper (1500 N s/m); the road moves the
 * tyre. The eigenvalues s solve (40 s^2 + 1500 s + 200e3)(300 s^2 + 1500 s + 20e3) = (1500 s +
 * 20e3)^2. Build it with: cc quarter_car.c $(pkg-config --cflags --libs halfarrow) -lm
 */
#include "bondgraph/compact.h"
#include "bondgraph/linearise.h"
#include "bondgraph/modes.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char car[] = "Sf{0} > 0tyre > C1{1/180e3}; 0tyre > 1wheel > I1{40};"
                          "1wheel > 0strut > 1s > C2{1/20e3}; 1s > R1{1500}; 0strut > I2{300}";

/* From the graph to a model that can be linearised, with the speed of the road as its input. */
static ha_status compile(bg_graph *graph, bg_causality **causality, bg_equations **equations,
                         bg_model **model)
{
    static const char *const inputs[] = { "Sf" }, *const outputs[] = { "I2.f", "C2.e" };

    HA_TRY(bg_compact_read(graph, car, strlen(car), HA_NOWHERE));
    HA_TRY(bg_graph_add_element_outputs(graph));
    HA_TRY(bg_causality_assign(graph, causality));
    HA_TRY(bg_equations_derive_with(*causality, inputs, 1, equations));
    return bg_model_compile_linear(*equations, outputs, 2, model);
}

static void print_matrix(const char *name, const double *a, int rows, int columns)
{
    for (int i = 0; i < rows; i++) {
        printf("%s", i == 0 ? name : " ");
        for (int j = 0; j < columns; j++) {
            printf(" %11.5g", a[i * columns + j]);
        }
        printf("\n");
    }
}

/* How far an eigenvalue is from solving the equation above, relative to its largest term. */
static double error_of(const double *eigenvalue)
{
    double complex s;

    memcpy(&s, eigenvalue, sizeof s); /* a complex number is its two parts */
    double complex wheel = 40.0 * s * s + 1500.0 * s + 200e3,
                   body = 300.0 * s * s + 1500.0 * s + 20e3;
    double complex strut = 1500.0 * s + 20e3;

    return cabs(wheel * body - strut * strut) / (200e3 * 20e3 + cabs(40.0 * 300.0 * s * s * s * s));
}

static ha_status print_modes(const bg_modal *modal)
{
    for (int k = 0; k < modal->n_modes; k++) {
        const double *s = modal->modes[k].eigenvalue;
        double size = hypot(s[0], s[1]);
        printf("mode %d: %.9g Hz, damping %.9g\n", k + 1, size / (2.0 * acos(-1.0)), -s[0] / size);
        if (error_of(s) > 1e-12) {
            return HA_ERR_SOLVER;
        }
    }
    return modal->n_modes == 2 ? HA_OK : HA_ERR_SOLVER;
}

static ha_status analyse(ha_ctx *ctx, const bg_model *model)
{
    double *y = calloc((size_t) bg_model_n_unknowns(model) + 1, sizeof *y);
    bg_operating_point point = { .y = y }; /* everything at rest */
    bg_linear linear = { 0 };
    bg_modal modal = { 0 };
    ha_status status = y == NULL ? HA_ERR_MEMORY : bg_linearise(ctx, model, &point, &linear);

    if (status == HA_OK) {
        print_matrix("A", linear.a, linear.n_states, linear.n_states);
        print_matrix("B", linear.b, linear.n_states, linear.n_inputs);
        print_matrix("C", linear.c, linear.n_outputs, linear.n_states);
        print_matrix("D", linear.d, linear.n_outputs, linear.n_inputs);
        status = bg_modes(ctx, model, &point, 0, &modal);
    }
    status = status == HA_OK ? print_modes(&modal) : status;
    bg_modal_clear(&modal);
    bg_linear_clear(&linear);
    free(y);
    return status;
}

int main(void)
{
    ha_ctx *ctx = ha_ctx_new();
    bg_graph *graph = bg_graph_new(ctx);
    bg_causality *causality = NULL;
    bg_equations *equations = NULL;
    bg_model *model = NULL;
    ha_status status = compile(graph, &causality, &equations, &model);

    status = status == HA_OK ? analyse(ctx, model) : status;
    for (size_t i = 0; i < ha_ctx_n_diags(ctx); i++) {
        fprintf(stderr, "%s\n", ha_ctx_diag(ctx, i)->text);
    }
    bg_model_free(model);
    bg_equations_free(equations);
    bg_causality_free(causality);
    bg_graph_free(graph);
    ha_ctx_free(ctx);
    return ha_status_exit(status);
}
