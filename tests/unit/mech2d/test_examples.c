/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every example, mechanism or bond graph: it runs, its Jacobian equals central differences, the
 * power into each junction, transformer and gyrator sums to zero along the run, and the energy book
 * closes.
 */
#include <config.h>

#include "bondgraph/causality/causality_priv.h"
#include "bondgraph/compact.h"
#include "bondgraph/model/model_priv.h"
#include "lib/core/strbuf.h"
#include "mech2d/assemble.h"
#include "mech2d/read.h"
#include "tests/util/random.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *path;
    double t_end;
    double energy; /* allowed error of the energy book [J], from the size of the energies */
    int order;     /* twice the mobility, and a state for each free storage elsewhere */
} example;

static const example examples[] = {
    { "examples/andrews.yaml", 0.03, 1e-8, 2 },
    { "examples/coupled_inertias.bgl", 2.0, 1e-8, 1 },
    { "examples/differential.yaml", 0.5, 1e-5, 4 },
    { "examples/double_pendulum.yaml", 2.0, 1e-6, 4 },
    { "examples/four_bar.yaml", 1.0, 1e-6, 2 },
    { "examples/incline.yaml", 2.0, 1e-6, 2 },
    { "examples/inverted_pendulum.yaml", 2.0, 1e-6, 4 },
    { "examples/motor.bgl", 0.5, 1e-8, 2 },
    { "examples/motor_four_bar.yaml", 0.5, 1e-5, 3 },
    { "examples/pendulum.yaml", 2.0, 1e-6, 2 },
    { "examples/planetary_gear.yaml", 0.5, 1e-6, 2 },
    { "examples/rlc.bgl", 0.02, 1e-8, 2 },
    { "examples/scotch_yoke.yaml", 0.2, 1e-4, 0 },
    { "examples/slider_crank.yaml", 0.5, 1e-5, 2 },
    { "examples/slider_crank_driven.yaml", 0.08, 1e-3, 0 },
    { "examples/track.yaml", 2.0, 1e-6, 2 },
    { "examples/trailing_arm.yaml", 0.5, 1e-3, 4 },
    { "examples/whitworth.yaml", 1.0, 1e-4, 0 },
};

static ha_ctx *ctx;
static m2d_model *file;
static m2d_system *planar;
static m2d_assembly *assembly;
static bg_graph *graph; /* of a .bgl file */
static bg_causality *causality;
static bg_equations *equations;
static bg_model *model;
static ha_result *result;
static bg_run_options options;
static double *start;

static void setup(void)
{
    ctx = ha_ctx_new();
    result = ha_result_new(ctx);
}

static void teardown(void)
{
    ha_result_free(result);
    free(start);
    bg_model_free(model);
    bg_equations_free(equations);
    bg_causality_free(causality);
    m2d_assembly_free(assembly);
    m2d_system_free(planar);
    m2d_model_free(file);
    bg_graph_free(graph);
    ha_ctx_free(ctx);
    start = NULL;
    model = NULL;
    equations = NULL;
    causality = NULL;
    assembly = NULL;
    planar = NULL;
    file = NULL;
    graph = NULL;
}

static bg_graph *read_mechanism(const char *path)
{
    ck_assert_int_eq(m2d_read_file(ctx, path, NULL, &file), HA_OK);
    ck_assert_int_eq(m2d_expand(m2d_model_mechanism(file), &planar), HA_OK);
    ck_assert_int_eq(m2d_assemble(planar, &assembly), HA_OK);
    options = *m2d_model_options(file);
    return m2d_system_graph(planar);
}

static bg_graph *read_graph(const char *path)
{
    char text[16384];
    FILE *stream = fopen(path, "rb");

    ck_assert_ptr_nonnull(stream);
    size_t n = fread(text, 1, sizeof text, stream);
    ck_assert_uint_lt(n, sizeof text);
    fclose(stream);
    graph = bg_graph_new(ctx);
    ck_assert_int_eq(bg_compact_read(graph, text, n, HA_NOWHERE), HA_OK);
    options = bg_run_options_default();
    return graph;
}

/* Outputs e0 f0 e1 f1 ... of all scalar bonds, the only ones that are compiled. */
static void add_bond_outputs(void)
{
    bg__system *s = causality->system;

    for (size_t b = 0; b < s->graph->bonds.count; b++) {
        char name[32];
        snprintf(name, sizeof name, "bonds.e%zu", b);
        ck_assert_int_eq(bg_graph_add_output(s->graph, name, "", s->e[b]), HA_OK);
        snprintf(name, sizeof name, "bonds.f%zu", b);
        ck_assert_int_eq(bg_graph_add_output(s->graph, name, "", s->f[b]), HA_OK);
    }
}

static void compile(const example *x)
{
    static const char *const wanted[] = { "bonds" };
    const char *path = test_source(x->path);
    bool is_mechanism = strstr(path, ".yaml") != NULL;
    bg_graph *from = is_mechanism ? read_mechanism(path) : read_graph(path);

    ck_assert_int_eq(bg_causality_assign(from, &causality), HA_OK);
    add_bond_outputs();
    ck_assert_int_eq(bg_equations_derive(causality, &equations), HA_OK);
    ck_assert_int_eq(bg_model_compile(equations, wanted, 1, &model), HA_OK);
    start = calloc((size_t) bg_model_n_unknowns(model) + 1, sizeof *start);
    if (is_mechanism) {
        ck_assert_int_eq(m2d_start(assembly, model, start), HA_OK);
    } else {
        bg_model_start(model, start);
    }
    options.start = start;
    options.solver.t_end = x->t_end;
    options.solver.step = x->t_end / 50;
    options.solver.rtol = options.solver.atol = 1e-10;
}

START_TEST(the_order_is_what_can_be_chosen)
{
    compile(&examples[_i]);
    int n_redundant = assembly == NULL ? 0 : m2d_assembly_n_redundant(assembly);
    ck_assert_int_eq(bg_causality_order(causality, n_redundant), examples[_i].order);
}
END_TEST

/* dF/dy_j + cj dF/dy'_j by differences against the column of the Jacobian. */
static void compare_column(const ha_dae *dae, double *work, double cj, int j, double *y, double *yp,
                           const double *values)
{
    const double h = 1e-6 * (1 + fabs(y[j])), y0 = y[j], yp0 = yp[j];
    double *up = calloc((size_t) dae->n, sizeof *up), *down = calloc((size_t) dae->n, sizeof *down);
    double *column = calloc((size_t) dae->n, sizeof *column);

    for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
        column[dae->row[k]] = values[k];
    }
    y[j] = y0 + h;
    yp[j] = yp0 + cj * h;
    dae->residual(dae->model, work, 0.0, y, yp, up);
    y[j] = y0 - h;
    yp[j] = yp0 - cj * h;
    dae->residual(dae->model, work, 0.0, y, yp, down);
    y[j] = y0;
    yp[j] = yp0;
    for (int i = 0; i < dae->n; i++) {
        double size = fabs(column[i]) + fabs(up[i]) + fabs(down[i]);
        ck_assert_double_eq_tol((up[i] - down[i]) / (2 * h), column[i], 2e-6 * (1 + size));
    }
    free(up);
    free(down);
    free(column);
}

START_TEST(jacobian_equals_central_differences)
{
    const double parameters[BG__PARAMETER_COUNT] = { 7.0, 11.0, 0.0 };
    uint64_t seed = 3;

    compile(&examples[_i]);
    const ha_dae *dae = bg_model_dae(model);
    double *work = calloc(dae->work_size, sizeof *work);
    double *yp = calloc((size_t) dae->n + 1, sizeof *yp);
    double *values = calloc((size_t) dae->column_start[dae->n] + 1, sizeof *values);
    dae->prepare(dae->model, parameters, work);
    for (int i = 0; i < dae->n; i++) {
        start[i] += 0.1 * random_in(&seed, -1.0, 1.0);
        yp[i] = random_in(&seed, -1.0, 1.0);
    }
    dae->jacobian(dae->model, work, 0.0, 3.0, start, yp, values);
    for (int j = 0; j < dae->n; j++) {
        compare_column(dae, work, 3.0, j, start, yp, values);
    }
    free(work);
    free(yp);
    free(values);
}
END_TEST

/* Sum of sign * e * f over the bonds of an element, and of the magnitudes. */
static double power_into(int element, size_t row, double *size)
{
    const bg__system *s = causality->system;
    double sum = 0.0;

    *size = 0.0;
    for (int port = 0; port < bg__n_ports(s, element); port++) {
        int bond = bg__port_bond(s, element, port);
        double sign = s->graph->bonds.items[bond].head == element ? 1 : -1;
        double power = ha_result_value(result, row, (size_t) (1 + 2 * bond)) *
                       ha_result_value(result, row, (size_t) (2 + 2 * bond));
        sum += sign * power;
        *size += fabs(power);
    }
    return sum;
}

START_TEST(power_balances_along_a_run)
{
    bg_run_report report;

    compile(&examples[_i]);
    ck_assert_int_eq(bg_model_run(ctx, model, &options, result, &report), HA_OK);
    const bg_graph *scalar = bg_causality_scalar_graph(causality);
    int n_balances = 0;
    for (size_t row = 0; row < ha_result_n_rows(result); row++) {
        for (int e = 0; e < bg_graph_n_elements(scalar); e++) {
            double size = 0.0;
            if (scalar->elements.items[e].type->stage == BG__STAGE_STRUCTURE) {
                ck_assert_double_le(fabs(power_into(e, row, &size)), 1e-12 * (size + 1e-6));
                n_balances++;
            }
        }
    }
    ck_assert_int_gt(n_balances, 0);
    ck_assert_double_le(report.energy_error, examples[_i].energy);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("examples");
    TCase *tcase = tcase_create("examples");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, jacobian_equals_central_differences, 0, (int) HA_COUNT(examples));
    tcase_add_loop_test(tcase, the_order_is_what_can_be_chosen, 0, (int) HA_COUNT(examples));
    tcase_add_loop_test(tcase, power_balances_along_a_run, 0, (int) HA_COUNT(examples));
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
