/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hand-written limit: hinged planar bodies in absolute coordinates, multipliers eliminated at each
 * evaluation, Dormand and Prince's explicit steps of ARKODE, Baumgarte stabilisation.
 *
 * State of body b: x, y, angle, vx, vy, omega at 6 b. With M the masses, G the rows of the hinges,
 * a0 = M^-1 f the accelerations of the bodies if they were free and
 *   p = G a0 + (dG/dt) v + 2 alpha G v + beta^2 r,
 * r being how far the two points of each hinge are apart, the multipliers l and accelerations a are
 *   (G M^-1 G^T) l = -p,   a = a0 + M^-1 G^T l.
 * A row of G has the signs -1 and +1 for the two bodies; with u = R(angle) at its part for a body
 * is (1, 0, -u_y) for x and (0, 1, u_x) for y. The matrix, one block of 2 x 2 for each two hinges
 * with a body in common, is symmetric and positive definite: KLU factorises it without pivoting,
 * with the analysis of the first.
 */
#include <config.h>

#include "bench/contest.h"
#include "bench/stamps.h"

#include <arkode/arkode_erkstep.h>
#include <klu.h>
#include <nvector/nvector_serial.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A point of a body, relative to the mass centre in inertial axes. */
typedef struct {
    double x, y;
} arm;

typedef struct {
    const scene *s;
    double alpha, beta, deadline;
    int *first, *sides;    /* of body b: the sides 2 hinge + side at first[b] up to first[b + 1] */
    double *cosine, *sine; /* (bodies) */
    arm *arms;             /* (2 hinges) */
    double *rate;          /* (3 bodies) accelerations */
    double *multipliers;   /* (2 hinges) first -p */
    bench_stamps stamps;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
} problem;

/* --- free bodies ---------------------------------------------------------------------------- */

static void turn_bodies(problem *p, const double *y)
{
    for (int b = 0; b < p->s->n_bodies; b++) {
        p->cosine[b] = cos(y[6 * b + 2]);
        p->sine[b] = sin(y[6 * b + 2]);
    }
}

static arm turn(const problem *p, int body, const double at[2])
{
    double c = p->cosine[body], s = p->sine[body];

    return (arm){ at[0] * c - at[1] * s, at[0] * s + at[1] * c };
}

static void free_rates(problem *p, const double *y)
{
    for (int b = 0; b < p->s->n_bodies; b++) {
        p->rate[3 * b] = 0;
        p->rate[3 * b + 1] = -p->s->gravity;
        p->rate[3 * b + 2] = p->s->bodies[b].torque / p->s->bodies[b].inertia;
    }
    for (int k = 0; k < p->s->n_springs; k++) {
        const scene_spring *spring = &p->s->springs[k];
        const scene_body *body = &p->s->bodies[spring->body];
        const double *q = y + 6 * spring->body;
        double *a = p->rate + 3 * spring->body;
        arm u = turn(p, spring->body, spring->at);
        double dx = q[0] + u.x - spring->ground[0], dy = q[1] + u.y - spring->ground[1];
        double length = sqrt(dx * dx + dy * dy);
        double force = spring->stiffness * (length - spring->length) / length;
        a[0] -= force * dx / body->mass;
        a[1] -= force * dy / body->mass;
        a[2] -= force * (u.x * dy - u.y * dx) / body->inertia;
    }
}

/* --- hinges --------------------------------------------------------------------------------- */

/* Sets the arms and -p of a hinge. */
static void set_hinge(problem *p, int k, const double *y)
{
    const scene_hinge *hinge = &p->s->hinges[k];
    const double a2 = 2 * p->alpha, b2 = p->beta * p->beta;
    double sum[2] = { 0, 0 };

    for (int side = 0; side < 2; side++) {
        int b = hinge->body[side];
        double sign = side == 0 ? -1 : 1;
        if (b < 0) {
            sum[0] += sign * b2 * hinge->at[side][0];
            sum[1] += sign * b2 * hinge->at[side][1];
            continue;
        }
        const double *q = y + 6 * b, *a = p->rate + 3 * b;
        double w = q[5];
        arm u = turn(p, b, hinge->at[side]);
        p->arms[2 * k + side] = u;
        sum[0] +=
            sign * (a[0] - a[2] * u.y - w * w * u.x + a2 * (q[3] - w * u.y) + b2 * (q[0] + u.x));
        sum[1] +=
            sign * (a[1] + a[2] * u.x - w * w * u.y + a2 * (q[4] + w * u.x) + b2 * (q[1] + u.y));
    }
    p->multipliers[2 * k] = -sum[0];
    p->multipliers[2 * k + 1] = -sum[1];
}

/* What a body adds for each two of its sides. */
static void stamp_body(problem *p, int b)
{
    double by_mass = 1 / p->s->bodies[b].mass, by_inertia = 1 / p->s->bodies[b].inertia;
    bench_stamps *a = &p->stamps;

    for (int i = p->first[b]; i < p->first[b + 1]; i++) {
        for (int j = p->first[b]; j < p->first[b + 1]; j++) {
            int k = p->sides[i] / 2, l = p->sides[j] / 2;
            double sign = (p->sides[i] & 1) == (p->sides[j] & 1) ? 1 : -1;
            arm u = p->arms[p->sides[i]], v = p->arms[p->sides[j]];
            bench_stamp(a, 2 * k, 2 * l, sign * (by_mass + by_inertia * u.y * v.y));
            bench_stamp(a, 2 * k, 2 * l + 1, -sign * by_inertia * u.y * v.x);
            bench_stamp(a, 2 * k + 1, 2 * l, -sign * by_inertia * u.x * v.y);
            bench_stamp(a, 2 * k + 1, 2 * l + 1, sign * (by_mass + by_inertia * u.x * v.x));
        }
    }
}

/* Accelerations if free, -p, and the matrix. */
static void assemble(problem *p, const double *y)
{
    turn_bodies(p, y);
    free_rates(p, y);
    for (int k = 0; k < p->s->n_hinges; k++) {
        set_hinge(p, k, y);
    }
    p->stamps.next = 0;
    for (int b = 0; b < p->s->n_bodies; b++) {
        stamp_body(p, b);
    }
}

/* Adds M^-1 G^T l. */
static void add_reactions(problem *p)
{
    for (int k = 0; k < p->s->n_hinges; k++) {
        const double *l = p->multipliers + 2 * k;
        for (int side = 0; side < 2; side++) {
            int b = p->s->hinges[k].body[side];
            if (b < 0) {
                continue;
            }
            const scene_body *body = &p->s->bodies[b];
            double sign = side == 0 ? -1 : 1, *a = p->rate + 3 * b;
            arm u = p->arms[2 * k + side];
            a[0] += sign * l[0] / body->mass;
            a[1] += sign * l[1] / body->mass;
            a[2] += sign * (u.x * l[1] - u.y * l[0]) / body->inertia;
        }
    }
}

static int rates(double t, N_Vector yy, N_Vector yyp, void *user)
{
    problem *p = user;
    if (bench_clock() > p->deadline) {
        return -1;
    }

    const double *y = N_VGetArrayPointer(yy);
    double *yp = N_VGetArrayPointer(yyp);
    bench_stamps *a = &p->stamps;

    (void) t;
    memset(a->values, 0, (size_t) a->n_entries * sizeof *a->values);
    assemble(p, y);
    if (p->numeric == NULL) {
        p->numeric = klu_factor(a->start, a->rows, a->values, p->symbolic, &p->common);
    } else {
        klu_refactor(a->start, a->rows, a->values, p->symbolic, p->numeric, &p->common);
    }
    klu_solve(p->symbolic, p->numeric, 2 * p->s->n_hinges, 1, p->multipliers, &p->common);
    add_reactions(p);
    for (int b = 0; b < p->s->n_bodies; b++) {
        for (int d = 0; d < 3; d++) {
            yp[6 * b + d] = y[6 * b + 3 + d];
            yp[6 * b + 3 + d] = p->rate[3 * b + d];
        }
    }
    return 0;
}

/* --- pattern -------------------------------------------------------------------------------- */

/* The sides at each body: counted, then filled in. */
static void find_sides(problem *p)
{
    const scene *s = p->s;
    int *filled = calloc((size_t) s->n_bodies, sizeof *filled);

    for (int i = 0; i < 2 * s->n_hinges; i++) {
        p->first[s->hinges[i / 2].body[i % 2] + 1]++;
    }
    p->first[0] = 0; /* the ground's are of no interest */
    for (int b = 0; b < s->n_bodies; b++) {
        p->first[b + 1] += p->first[b];
    }
    for (int i = 0; i < 2 * s->n_hinges; i++) {
        int b = s->hinges[i / 2].body[i % 2];
        if (b >= 0) {
            p->sides[p->first[b] + filled[b]++] = i;
        }
    }
    free(filled);
}

/* Without block triangular form, scaling and pivoting. */
static void analyse(problem *p, const double *y)
{
    bench_stamps *a = &p->stamps;

    find_sides(p);
    a->records = true;
    assemble(p, y);
    bench_stamps_end(a, 2 * p->s->n_hinges);
    a->values = calloc((size_t) a->n_entries, sizeof *a->values);
    klu_defaults(&p->common);
    p->common.btf = 0;
    p->common.scale = 0;
    p->common.tol = 0;
    p->symbolic = klu_analyze(2 * p->s->n_hinges, a->start, a->rows, &p->common);
}

/* --- run ------------------------------------------------------------------------------------ */

static void allocate(problem *p)
{
    const size_t bodies = (size_t) p->s->n_bodies, hinges = (size_t) p->s->n_hinges;

    p->first = calloc(bodies + 1, sizeof *p->first);
    p->sides = calloc(2 * hinges, sizeof *p->sides);
    p->cosine = calloc(bodies, sizeof *p->cosine);
    p->sine = calloc(bodies, sizeof *p->sine);
    p->arms = calloc(2 * hinges, sizeof *p->arms);
    p->rate = calloc(3 * bodies, sizeof *p->rate);
    p->multipliers = calloc(2 * hinges, sizeof *p->multipliers);
}

static void clear(problem *p)
{
    klu_free_numeric(&p->numeric, &p->common);
    klu_free_symbolic(&p->symbolic, &p->common);
    free(p->first), free(p->sides);
    free(p->cosine), free(p->sine);
    free(p->arms), free(p->rate), free(p->multipliers);
    free(p->stamps.values);
    bench_stamps_clear(&p->stamps);
}

static int integrate(problem *p, SUNContext context, double tol, bench_run *out)
{
    N_Vector y = N_VNew_Serial(6 * p->s->n_bodies, context);
    double begin = bench_processor(), t = 0;

    scene_start(p->s, N_VGetArrayPointer(y));
    allocate(p);
    analyse(p, N_VGetArrayPointer(y));
    void *erk = ERKStepCreate(rates, 0, y, context);
    ERKStepSetUserData(erk, p);
    ERKStepSetTableNum(erk, ARKODE_DORMAND_PRINCE_7_4_5);
    ERKStepSStolerances(erk, tol, tol);
    ERKStepSetMaxNumSteps(erk, 10000000);
#if SUNDIALS_VERSION_MAJOR < 7
    ERKStepSetErrFile(erk, NULL);
#endif
    int flag = ERKStepEvolve(erk, p->s->t_end, y, &t, ARK_NORMAL);
    out->solve = bench_processor() - begin;
    ERKStepGetNumSteps(erk, &out->steps);
    ERKStepGetNumRhsEvals(erk, &out->evaluations);
    memcpy(out->state, N_VGetArrayPointer(y), 6 * (size_t) p->s->n_bodies * sizeof(double));

    ERKStepFree(&erk);
    clear(p);
    N_VDestroy(y);
    return flag < 0 ? -1 : 0;
}

int bench_limit_schur(const bench_task *task, bench_run *out)
{
    problem p = { .s = task->scene,
                  .alpha = task->alpha,
                  .beta = task->alpha,
                  .deadline = bench_clock() + task->patience };
    SUNContext context = NULL;

    if (SUNContext_Create(NULL, &context) != 0) {
        return -1;
    }
    out->alpha = task->alpha;
    int status = integrate(&p, context, task->tolerance, out);
    SUNContext_Free(&context);
    return status;
}
