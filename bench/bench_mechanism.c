/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mechanisms against the yardstick, in alternation: medians of the times from creating the
 * integrator to the end time, the set-up before it, steps, what is right, and the ratio.
 */
#include <config.h>

#include "bench/scene.h"
#include "bench/yardstick.h"
#include "mech2d/assemble.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_RUNS = 51 };

/* What a run of the program gives. */
typedef struct {
    double setup, seconds, energy_error;
    long steps;
    double *angle;
} measured;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* --- the scene as a mechanism --------------------------------------------------------------- */

static ha_status add_point(m2d_mechanism *m, int body, const char *name, const double at[2])
{
    m2d_point_def point = m2d_point_def_default();
    char body_name[16] = "ground";

    if (body >= 0) {
        snprintf(body_name, sizeof body_name, "B%d", body);
    }
    point.body = body_name;
    point.name = name;
    point.x = ha_constant(m2d_mechanism_dag(m), at[0]);
    point.y = ha_constant(m2d_mechanism_dag(m), at[1]);
    return m2d_mechanism_add_point(m, &point);
}

static ha_status add_body(m2d_mechanism *m, const scene_body *b, int i)
{
    ha_dag *dag = m2d_mechanism_dag(m);
    m2d_body_def body = m2d_body_def_default();
    char name[16];

    snprintf(name, sizeof name, "B%d", i);
    body.name = name;
    body.mass = ha_constant(dag, b->mass);
    body.inertia = ha_constant(dag, b->inertia);
    for (int d = 0; d < 3; d++) {
        body.start[M2D_X + d] = ha_constant(dag, b->place[d]);
        body.start[M2D_VX + d] = ha_constant(dag, b->rate[d]);
    }
    HA_TRY(m2d_mechanism_add_body(m, &body));
    if (b->torque == 0.0) {
        return HA_OK;
    }

    ha_expr value = ha_constant(dag, b->torque);
    const m2d_setting setting = { "value", &value, 1, HA_NOWHERE };
    m2d_force_def force = m2d_force_def_default();
    force.type = "torque";
    force.name = "drive";
    force.ends[0] = name;
    force.settings = &setting;
    force.n_settings = 1;
    return m2d_mechanism_add_force(m, &force);
}

static ha_status add_between(m2d_mechanism *m, const char *name, const int body[2],
                             double at[2][2], m2d_connection_def def, bool is_joint)
{
    char ends[2][64];

    for (int side = 0; side < 2; side++) {
        char point[32];
        snprintf(point, sizeof point, "%s_%d", name, side);
        HA_TRY(add_point(m, body[side], point, at[side]));
        if (body[side] < 0) {
            snprintf(ends[side], sizeof ends[side], "ground.%s", point);
        } else {
            snprintf(ends[side], sizeof ends[side], "B%d.%s", body[side], point);
        }
        def.ends[side] = ends[side];
    }
    def.name = name;
    return is_joint ? m2d_mechanism_add_joint(m, &def) : m2d_mechanism_add_force(m, &def);
}

static ha_status build(const scene *s, m2d_mechanism *m)
{
    ha_dag *dag = m2d_mechanism_dag(m);
    char name[16];

    HA_TRY(m2d_mechanism_set_gravity(m, ha_constant(dag, 0), ha_constant(dag, -s->gravity),
                                     HA_NOWHERE));
    for (int i = 0; i < s->n_bodies; i++) {
        HA_TRY(add_body(m, &s->bodies[i], i));
    }
    for (int k = 0; k < s->n_hinges; k++) {
        m2d_joint_def joint = m2d_joint_def_default();
        joint.type = "revolute";
        snprintf(name, sizeof name, "J%d", k);
        HA_TRY(add_between(m, name, s->hinges[k].body, s->hinges[k].at, joint, true));
    }
    for (int k = 0; k < s->n_springs; k++) {
        const scene_spring *spring = &s->springs[k];
        ha_expr stiffness = ha_constant(dag, spring->stiffness);
        ha_expr length = ha_constant(dag, spring->length);
        const m2d_setting settings[] = { { "stiffness", &stiffness, 1, HA_NOWHERE },
                                         { "free_length", &length, 1, HA_NOWHERE } };
        const int body[2] = { spring->body, -1 };
        double at[2][2] = { { spring->at[0], spring->at[1] },
                            { spring->ground[0], spring->ground[1] } };
        m2d_force_def force = m2d_force_def_default();
        force.type = "spring-damper";
        force.settings = settings;
        force.n_settings = 2;
        snprintf(name, sizeof name, "S%d", k);
        HA_TRY(add_between(m, name, body, at, force, false));
    }
    return HA_OK;
}

/* --- a run ---------------------------------------------------------------------------------- */

/* Everything between the mechanism and its results. */
typedef struct {
    m2d_mechanism *mechanism;
    m2d_system *system;
    m2d_assembly *assembly;
    bg_causality *causality;
    bg_equations *equations;
    bg_model *model;
    ha_result *result;
    double *start;
} chain;

static ha_status prepare(ha_ctx *ctx, const scene *s, chain *c)
{
    const char **wanted = calloc((size_t) s->n_bodies, sizeof *wanted);
    char(*names)[24] = calloc((size_t) s->n_bodies, sizeof *names);
    ha_status status = wanted == NULL || names == NULL ? HA_ERR_MEMORY : HA_OK;

    for (int i = 0; i < s->n_bodies && status == HA_OK; i++) {
        snprintf(names[i], sizeof names[i], "B%d.angle", i);
        wanted[i] = names[i];
    }
    c->mechanism = m2d_mechanism_new(ctx);
    status = status == HA_OK ? build(s, c->mechanism) : status;
    status = status == HA_OK ? m2d_expand(c->mechanism, &c->system) : status;
    status = status == HA_OK ? m2d_assemble(c->system, &c->assembly) : status;
    status = status == HA_OK ? bg_causality_assign(m2d_system_graph(c->system), &c->causality)
                             : status;
    status = status == HA_OK ? bg_equations_derive(c->causality, &c->equations) : status;
    status = status == HA_OK ? bg_model_compile(c->equations, wanted, s->n_bodies, &c->model)
                             : status;
    if (status == HA_OK) {
        c->start = calloc((size_t) bg_model_n_unknowns(c->model), sizeof *c->start);
        status = c->start == NULL ? HA_ERR_MEMORY : m2d_start(c->assembly, c->model, c->start);
    }
    c->result = ha_result_new(ctx);
    free(wanted);
    free(names);
    return status;
}

static void clear(chain *c)
{
    ha_result_free(c->result);
    bg_model_free(c->model);
    bg_equations_free(c->equations);
    bg_causality_free(c->causality);
    m2d_assembly_free(c->assembly);
    m2d_system_free(c->system);
    m2d_mechanism_free(c->mechanism);
    free(c->start);
    *c = (chain){ 0 };
}

static ha_status measure(const scene *s, double tol, double alpha, measured *out)
{
    ha_ctx *ctx = ha_ctx_new();
    chain c = { 0 };
    double t0 = now();
    bg_run_options options = bg_run_options_default();
    bg_run_report report;

    options.solver.t_end = options.solver.step = s->t_end;
    options.solver.rtol = options.solver.atol = tol;
    options.alpha = options.beta = alpha;
    ha_status status = prepare(ctx, s, &c);
    out->setup = now() - t0;
    options.start = c.start;
    if (status == HA_OK) {
        status = bg_model_run(ctx, c.model, &options, c.result, &report);
        out->seconds = report.solver.seconds;
        out->steps = report.solver.steps;
        out->energy_error = report.energy_error;
    }
    if (status == HA_OK) {
        size_t last = ha_result_n_rows(c.result) - 1;
        for (int i = 0; i < s->n_bodies; i++) {
            out->angle[i] = ha_result_value(c.result, last, (size_t) i + 1);
        }
    } else {
        for (size_t i = 0; i < ha_ctx_n_diags(ctx); i++) {
            fprintf(stderr, "error: %s\n", ha_ctx_diag(ctx, i)->text);
        }
    }
    clear(&c);
    ha_ctx_free(ctx);
    return status;
}

/* --- the table ------------------------------------------------------------------------------ */

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *) a, y = *(const double *) b;

    return (x > y) - (x < y);
}

static double median(double *x, int n)
{
    qsort(x, (size_t) n, sizeof *x, compare_doubles);
    return x[n / 2];
}

/* Correct digits of Andrews' angles, or the error of the first upright's angle; of a chain nothing is
   known but its energy. */
static double truth(int n_squares, const scene *s, const double *angle)
{
    if (n_squares < 0) {
        return (double) NAN;
    }
    return n_squares == 0 ? scene_andrews_digits(angle)
                          : fabs(angle[0] - scene_fourbar_angle(n_squares, s->t_end));
}

static int compare(const char *title, int n_squares, const scene *s, double tol, double alpha,
                   int runs)
{
    double ours[MOST_RUNS], theirs[MOST_RUNS], setup[MOST_RUNS];
    measured m = { .angle = calloc((size_t) s->n_bodies, sizeof(double)) };
    yardstick_result y = { .angle = calloc((size_t) s->n_bodies, sizeof(double)) };
    int failed = m.angle == NULL || y.angle == NULL, fails = 0;

    for (int i = 0; i < runs && !failed; i++) {
        failed = measure(s, tol, alpha, &m) != HA_OK;
        fails |= yardstick_run(s, tol, alpha, &y); /* the yardstick dies at singular positions */
        ours[i] = m.seconds;
        theirs[i] = y.seconds;
        setup[i] = m.setup;
    }
    if (!failed) {
        double a = median(ours, runs), b = median(theirs, runs);
        printf("%-12s %6.0e %6.0f | %8.3f %8.3f %6ld %9.3g %9.2e | %8.3f %6ld %9.3g %9.2e | %5.2f%s\n",
               title, tol, alpha, 1e3 * median(setup, runs), 1e3 * a, m.steps,
               truth(n_squares, s, m.angle), m.energy_error, 1e3 * b, y.steps,
               truth(n_squares, s, y.angle), y.energy_error, a / b,
               fails != 0 ? " (the yardstick does not arrive)" : "");
    } else {
        printf("%-12s %6.0e %6.0f | failed\n", title, tol, alpha);
    }
    free(m.angle);
    free(y.angle);
    return failed;
}

int main(void)
{
    const double tolerances[] = { 1e-6, 1e-8, 1e-10 };
    const int squares[] = { 1, 10, 40 }, links[] = { 10, 100, 1000 };
    int failures = 0;
    scene s;

    printf("truth: correct digits (andrews), error of the angle [rad] (squares); times in ms\n");
    printf("%-12s %6s %6s | %8s %8s %6s %9s %9s | %8s %6s %9s %9s | %5s\n", "case", "tol", "alpha",
           "set-up", "solve", "steps", "truth", "energy/J", "limit", "steps", "truth", "energy/J",
           "ratio");
    if (scene_andrews(&s) == 0) {
        for (size_t i = 0; i < HA_COUNT(tolerances); i++) {
            failures += compare("andrews", 0, &s, tolerances[i], 300, 31);
        }
        scene_clear(&s);
    }
    for (size_t k = 0; k < HA_COUNT(squares); k++) {
        char title[32];
        snprintf(title, sizeof title, "squares %d", squares[k]);
        if (scene_fourbar(squares[k], &s) == 0) {
            for (size_t i = 0; i < HA_COUNT(tolerances); i++) {
                failures += compare(title, squares[k], &s, tolerances[i], 50, squares[k] < 40 ? 15 : 5);
            }
            scene_clear(&s);
        }
    }
    for (size_t k = 0; k < HA_COUNT(links); k++) {
        char title[32];
        snprintf(title, sizeof title, "chain %d", links[k]);
        if (scene_chain(links[k], &s) == 0) {
            failures += compare(title, -1, &s, 1e-6, 20, links[k] < 1000 ? 15 : 3);
            scene_clear(&s);
        }
    }
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
