/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mechanisms against the yardstick, in alternation: medians of the times from creating the
 * integrator to the end time, the set-up before it, steps, what is right, and the ratio.
 *
 * Rows of squares and chains run as a user gets them, with the default alpha; the yardstick has one
 * alpha for a whole run and gets the best that is known for it. At tight tolerances the yardstick
 * does not get past a singular position, so that there the program runs alone.
 *
 * "code" is the same run with the equations as machine code, which takes the compiler the time
 * "compile" once in the life of a model.
 *
 * Arguments choose the tables: andrews, squares, tight, chains; none: all of them.
 */
#include <config.h>

#include "bench/scene.h"
#include "bench/yardstick.h"
#include "mech2d/assemble.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { MOST_RUNS = 51 };

/* What a run of the program gives. */
typedef struct {
    double setup, seconds, energy_error, alpha;
    double translation; /* to machine code [s], from the cache if it is there; 0: not done */
    double memory; /* the most that the process had when it was set up [MB] */
    long steps, projections, hops;
    double *angle;
} measured;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

static double peak_memory(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double) usage.ru_maxrss / 1024.0;
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
    status = status == HA_OK ? m2d_release_redundant(c->assembly, c->equations) : status;
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

static ha_status measure(const scene *s, double tol, double alpha, bool as_code, measured *out)
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
    out->memory = peak_memory();
    options.start = c.start;
    if (status == HA_OK && as_code) {
        status = bg_model_build_native(ctx, c.model);
        out->translation = now() - t0 - out->setup;
    }
    if (status == HA_OK) {
        status = bg_model_run(ctx, c.model, &options, c.result, &report);
        out->seconds = report.solver.seconds;
        out->steps = report.solver.steps;
        out->projections = report.solver.projections;
        out->hops = report.solver.hops;
        out->alpha = report.alpha;
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

/* --- the tables ------------------------------------------------------------------------------ */

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

/* What is compared. */
typedef struct {
    const char *kind; /* "squares" */
    int size;
    const scene *scene;
    double tol;
    double alpha; /* NAN: the default */
    double limit; /* alpha of the yardstick; 0: it does not run */
    int runs;
    bool has_code; /* runs with machine code, too */
} contest;

/* Correct digits of Andrews' angles, or the largest error of an upright's angle; of a chain nothing
   is known but its energy. */
static double truth(const contest *c, const double *angle)
{
    double worst = 0.0;

    if (strcmp(c->kind, "andrews") == 0) {
        return scene_andrews_digits(angle);
    }
    if (strcmp(c->kind, "squares") != 0) {
        return (double) NAN;
    }
    double exact = scene_fourbar_angle(c->size, c->scene->t_end);
    for (int i = 0; i <= c->size; i++) {
        worst = fmax(worst, fabs(angle[i] - exact));
    }
    return worst;
}

static void print_head(void)
{
    printf("truth: correct digits (andrews), largest error of an upright [rad] (squares)\n"
           "memory: the most that the program needed up to the end of the set-up\n");
    printf("%-8s %5s %5s | %5s %9s %6s %9s %9s %10s %6s %5s %9s %8s | %5s %9s %6s %9s %8s | %5s %5s\n",
           "case", "size", "tol", "alpha", "set-up/ms", "MB", "solve/ms", "code/ms", "compile/ms",
           "steps", "hops", "truth", "energy/J", "alpha", "limit/ms", "steps", "truth", "energy/J",
           "ratio", "code");
}

/* The medians of a row. */
typedef struct {
    double setup, interpreted, code, translation, yardstick; /* [s]; NAN: not measured */
    double memory;                                           /* [MB] */
} medians;

/* A time [s] in ms, "-" where there is none. */
static void print_time(double seconds, int width)
{
    if (isnan(seconds)) {
        printf(" %*s", width, "-");
    } else {
        printf(" %*.2f", width, 1e3 * seconds);
    }
}

static void print_row(const contest *c, const medians *t, const measured *m,
                      const yardstick_result *y, bool arrives)
{
    printf("%-8s %5d %5.0e | %5.0f %9.2f %6.0f", c->kind, c->size, c->tol, m->alpha,
           1e3 * t->setup, t->memory);
    print_time(t->interpreted, 9);
    print_time(t->code, 9);
    print_time(t->translation, 10);
    printf(" %6ld %5ld %9.3g %8.1e |", m->steps, m->hops, truth(c, m->angle), m->energy_error);
    if (c->limit > 0.0) {
        printf(" %5.0f %9.2f %6ld %9.3g %8.1e | %5.2f", c->limit, 1e3 * t->yardstick, y->steps,
               truth(c, y->angle), y->energy_error, t->interpreted / t->yardstick);
        if (c->has_code) {
            printf(" %5.2f", t->code / t->yardstick);
        }
        printf("%s", arrives ? "" : " (the yardstick does not arrive)");
    }
    printf("\n");
    fflush(stdout);
}

/* The runs of a row in alternation; false when the program failed. */
static bool run_all(const contest *c, medians *t, measured *m, yardstick_result *y, bool *arrives)
{
    double ours[MOST_RUNS], code[MOST_RUNS], theirs[MOST_RUNS], setup[MOST_RUNS];
    measured as_code = { .angle = m->angle };

    for (int i = 0; i < c->runs; i++) {
        if (c->has_code) {
            if (measure(c->scene, c->tol, c->alpha, true, &as_code) != HA_OK) {
                return false;
            }
            t->translation = i == 0 ? as_code.translation : t->translation;
            code[i] = as_code.seconds;
        }
        if (measure(c->scene, c->tol, c->alpha, false, m) != HA_OK) {
            return false;
        }
        t->memory = i == 0 ? m->memory : t->memory;
        if (c->limit > 0.0) {
            *arrives = yardstick_run(c->scene, c->tol, c->limit, y) == 0 && *arrives;
        }
        ours[i] = m->seconds;
        theirs[i] = y->seconds;
        setup[i] = m->setup;
    }
    t->interpreted = median(ours, c->runs);
    t->yardstick = median(theirs, c->runs);
    t->setup = median(setup, c->runs);
    t->code = c->has_code ? median(code, c->runs) : (double) NAN;
    return true;
}

/* A row of a table; 1 when the program failed. */
static int compare(const contest *c)
{
    measured m = { .angle = calloc((size_t) c->scene->n_bodies, sizeof(double)) };
    yardstick_result y = { .angle = calloc((size_t) c->scene->n_bodies, sizeof(double)) };
    medians t = { .translation = (double) NAN };
    bool arrives = true;
    bool is_done = m.angle != NULL && y.angle != NULL && run_all(c, &t, &m, &y, &arrives);

    if (is_done) {
        print_row(c, &t, &m, &y, arrives);
    } else {
        printf("%-8s %5d %5.0e | failed\n", c->kind, c->size, c->tol);
    }
    free(m.angle);
    free(y.angle);
    return is_done ? 0 : 1;
}

static int andrews(void)
{
    const double tolerances[] = { 1e-6, 1e-8, 1e-10 };
    int failures = 0;
    scene s;

    if (scene_andrews(&s) != 0) {
        return 1;
    }
    for (size_t i = 0; i < HA_COUNT(tolerances); i++) {
        failures += compare(&(contest){ "andrews", 7, &s, tolerances[i], 300, 300, 31, true });
    }
    scene_clear(&s);
    return failures;
}

static int squares(void)
{
    const int sizes[] = { 1, 2, 5, 10, 40, 200, 400, 1000 };
    int failures = 0;
    scene s;

    for (size_t k = 0; k < HA_COUNT(sizes); k++) {
        int n = sizes[k], runs = n < 40 ? 15 : n < 200 ? 5 : 3;
        if (scene_fourbar(n, &s) != 0) {
            return failures + 1;
        }
        for (double tol = 1e-6; tol > 0.5e-7; tol /= 10) {
            failures += compare(&(contest){ "squares", n, &s, tol, (double) NAN,
                                            n < 1000 ? 50 : 100, runs, true });
        }
        scene_clear(&s);
    }
    return failures;
}

static int tight(void)
{
    const double tolerances[] = { 1e-8, 1e-9, 1e-10, 1e-11, 1e-12 };
    const int sizes[] = { 1, 2, 5, 40 };
    int failures = 0;
    scene s;

    for (size_t k = 0; k < HA_COUNT(sizes); k++) {
        if (scene_fourbar(sizes[k], &s) != 0) {
            return failures + 1;
        }
        for (size_t i = 0; i < HA_COUNT(tolerances); i++) {
            failures += compare(&(contest){ "squares", sizes[k], &s, tolerances[i], (double) NAN, 0,
                                            sizes[k] < 40 ? 3 : 1, false });
        }
        scene_clear(&s);
    }
    return failures;
}

static int chains(void)
{
    const int links[] = { 10, 100, 1000, 10000 };
    int failures = 0;
    scene s;

    for (size_t k = 0; k < HA_COUNT(links); k++) {
        if (scene_chain(links[k], &s) != 0) {
            return failures + 1;
        }
        failures += compare(&(contest){ "chain", links[k], &s, 1e-6, (double) NAN, 20,
                                        links[k] < 1000 ? 15 : links[k] < 10000 ? 3 : 1, true });
        scene_clear(&s);
    }
    return failures;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } tables[] = { { "chains", chains }, /* first, so that their memory is their own */
                   { "andrews", andrews }, { "squares", squares }, { "tight", tight } };
    int failures = 0;

    print_head();
    for (size_t i = 0; i < HA_COUNT(tables); i++) {
        bool is_wanted = argc == 1;
        for (int k = 1; k < argc; k++) {
            is_wanted = is_wanted || strcmp(argv[k], tables[i].name) == 0;
        }
        failures += is_wanted ? tables[i].run() : 0;
    }
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
