/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hand-written limit: hinged planar bodies in absolute coordinates, index-1 equations with
 * Baumgarte stabilisation, F(t, y, y') = 0 in IDA with KLU and the exact sparse Jacobian.
 *
 * Unknowns of body b: x, y, angle, vx, vy, omega at 6 b; multipliers of hinge k at 6 n + 2 k. With
 * u = R(angle) at, the point of a body is at r = (x, y) + u, moves with (vx - w u_y, vy + w u_x),
 * and the residual of a hinge is, summed over its bodies with -1 and +1, r'' + 2 alpha r' + beta^2
 * r,  r'' = (vx' - w' u_y - w^2 u_x, vy' + w' u_x - w^2 u_y).
 */
#include <config.h>

#include "bench/contest.h"
#include "bench/stamps.h"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const scene *s;
    double alpha, beta;
    double deadline; /* by bench_clock() [s] */
    int n;
    bench_stamps stamps;
    sunindextype *start, *row; /* their pattern */
} problem;

/* A point of a body, relative to the mass centre in inertial axes. */
typedef struct {
    double x, y;
} arm;

static arm turn(double angle, const double at[2])
{
    double c = cos(angle), s = sin(angle);

    return (arm){ at[0] * c - at[1] * s, at[0] * s + at[1] * c };
}

/* --- residual ------------------------------------------------------------------------------- */

static void add_bodies(const problem *p, const double *y, const double *yp, double *r)
{
    for (int b = 0; b < p->s->n_bodies; b++) {
        const scene_body *body = &p->s->bodies[b];
        for (int d = 0; d < 3; d++) {
            r[6 * b + d] = yp[6 * b + d] - y[6 * b + 3 + d];
        }
        r[6 * b + 3] = body->mass * yp[6 * b + 3];
        r[6 * b + 4] = body->mass * (yp[6 * b + 4] + p->s->gravity);
        r[6 * b + 5] = body->inertia * yp[6 * b + 5] - body->torque;
    }
}

static void add_springs(const problem *p, const double *y, double *r)
{
    for (int k = 0; k < p->s->n_springs; k++) {
        const scene_spring *spring = &p->s->springs[k];
        const double *q = y + 6 * spring->body;
        double *f = r + 6 * spring->body;
        arm u = turn(q[2], spring->at);
        double dx = q[0] + u.x - spring->ground[0], dy = q[1] + u.y - spring->ground[1];
        double length = hypot(dx, dy);
        double force = spring->stiffness * (length - spring->length) / length;
        f[3] += force * dx;
        f[4] += force * dy;
        f[5] += force * (u.x * dy - u.y * dx);
    }
}

static void add_hinge(const problem *p, int k, const double *y, const double *yp, double *r)
{
    const scene_hinge *hinge = &p->s->hinges[k];
    const double a2 = 2 * p->alpha, b2 = p->beta * p->beta;
    int o = 6 * p->s->n_bodies + 2 * k;
    double sum[2] = { 0, 0 };

    for (int side = 0; side < 2; side++) {
        int b = hinge->body[side];
        double sign = side == 0 ? -1 : 1;
        if (b < 0) {
            sum[0] += sign * b2 * hinge->at[side][0];
            sum[1] += sign * b2 * hinge->at[side][1];
            continue;
        }
        const double *q = y + 6 * b, *qp = yp + 6 * b;
        arm u = turn(q[2], hinge->at[side]);
        double w = q[5], *f = r + 6 * b;
        sum[0] +=
            sign * (qp[3] - qp[5] * u.y - w * w * u.x + a2 * (q[3] - w * u.y) + b2 * (q[0] + u.x));
        sum[1] +=
            sign * (qp[4] + qp[5] * u.x - w * w * u.y + a2 * (q[4] + w * u.x) + b2 * (q[1] + u.y));
        f[3] -= sign * y[o];
        f[4] -= sign * y[o + 1];
        f[5] -= sign * (u.x * y[o + 1] - u.y * y[o]);
    }
    r[o] = sum[0];
    r[o + 1] = sum[1];
}

static int residual(double t, N_Vector yy, N_Vector yyp, N_Vector rr, void *user)
{
    const problem *p = user;
    if (bench_clock() > p->deadline) {
        return -1;
    }

    const double *y = N_VGetArrayPointer(yy), *yp = N_VGetArrayPointer(yyp);
    double *r = N_VGetArrayPointer(rr);

    (void) t;
    add_bodies(p, y, yp, r);
    add_springs(p, y, r);
    for (int k = 0; k < p->s->n_hinges; k++) {
        add_hinge(p, k, y, yp, r);
    }
    return 0;
}

/* --- Jacobian ------------------------------------------------------------------------------- */

static void stamp_bodies(problem *p, double cj)
{
    for (int b = 0; b < p->s->n_bodies; b++) {
        const scene_body *body = &p->s->bodies[b];
        int o = 6 * b;
        for (int d = 0; d < 3; d++) {
            bench_stamp(&p->stamps, o + d, o + d, cj);
            bench_stamp(&p->stamps, o + d, o + 3 + d, -1);
        }
        bench_stamp(&p->stamps, o + 3, o + 3, body->mass * cj);
        bench_stamp(&p->stamps, o + 4, o + 4, body->mass * cj);
        bench_stamp(&p->stamps, o + 5, o + 5, body->inertia * cj);
    }
}

static void stamp_springs(problem *p, const double *y)
{
    for (int k = 0; k < p->s->n_springs; k++) {
        const scene_spring *spring = &p->s->springs[k];
        int o = 6 * spring->body;
        arm u = turn(y[o + 2], spring->at);
        double dx = y[o] + u.x - spring->ground[0], dy = y[o + 1] + u.y - spring->ground[1];
        double length = hypot(dx, dy), force = spring->stiffness * (1 - spring->length / length);
        double slope = spring->stiffness * spring->length / (length * length * length);
        const double along[3][2] = { { 1, 0 }, { 0, 1 }, { -u.y, u.x } };
        for (int d = 0; d < 3; d++) {
            double rise = slope * (dx * along[d][0] + dy * along[d][1]);
            double fx = rise * dx + force * along[d][0], fy = rise * dy + force * along[d][1];
            double torque = u.x * fy - u.y * fx;
            torque -= d == 2 ? force * (u.y * dy + u.x * dx) : 0;
            bench_stamp(&p->stamps, o + 3, o + d, fx);
            bench_stamp(&p->stamps, o + 4, o + d, fy);
            bench_stamp(&p->stamps, o + 5, o + d, torque);
        }
    }
}

static void stamp_side(problem *p, int k, int side, double cj, const double *y, const double *yp)
{
    const scene_hinge *hinge = &p->s->hinges[k];
    const double a2 = 2 * p->alpha, b2 = p->beta * p->beta;
    int l = 6 * p->s->n_bodies + 2 * k, o = 6 * hinge->body[side];
    double sign = side == 0 ? -1 : 1, w = y[o + 5], turning = yp[o + 5];
    arm u = turn(y[o + 2], hinge->at[side]);
    bench_stamps *a = &p->stamps;

    bench_stamp(a, l, o, sign * b2);
    bench_stamp(a, l, o + 2, sign * (-turning * u.x + w * w * u.y - a2 * w * u.x - b2 * u.y));
    bench_stamp(a, l, o + 3, sign * (cj + a2));
    bench_stamp(a, l, o + 5, sign * (-cj * u.y - 2 * w * u.x - a2 * u.y));
    bench_stamp(a, l + 1, o + 1, sign * b2);
    bench_stamp(a, l + 1, o + 2, sign * (-turning * u.y - w * w * u.x - a2 * w * u.y + b2 * u.x));
    bench_stamp(a, l + 1, o + 4, sign * (cj + a2));
    bench_stamp(a, l + 1, o + 5, sign * (cj * u.x - 2 * w * u.y + a2 * u.x));
    bench_stamp(a, o + 3, l, -sign);
    bench_stamp(a, o + 4, l + 1, -sign);
    bench_stamp(a, o + 5, l, sign * u.y);
    bench_stamp(a, o + 5, l + 1, -sign * u.x);
    bench_stamp(a, o + 5, o + 2, sign * (u.y * y[l + 1] + u.x * y[l]));
}

static void stamp_all(problem *p, double cj, const double *y, const double *yp)
{
    stamp_bodies(p, cj);
    stamp_springs(p, y);
    for (int k = 0; k < p->s->n_hinges; k++) {
        for (int side = 0; side < 2; side++) {
            if (p->s->hinges[k].body[side] >= 0) {
                stamp_side(p, k, side, cj, y, yp);
            }
        }
    }
}

static int jacobian(double t, double cj, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix J,
                    void *user, N_Vector t1, N_Vector t2, N_Vector t3)
{
    problem *p = user;

    (void) t, (void) r, (void) t1, (void) t2, (void) t3;
    p->stamps.values = SUNSparseMatrix_Data(J);
    p->stamps.next = 0;
    memcpy(SUNSparseMatrix_IndexPointers(J), p->start, (size_t) (p->n + 1) * sizeof *p->start);
    memcpy(SUNSparseMatrix_IndexValues(J), p->row, (size_t) p->stamps.n_entries * sizeof *p->row);
    memset(p->stamps.values, 0, (size_t) p->stamps.n_entries * sizeof(double));
    stamp_all(p, cj, N_VGetArrayPointer(y), N_VGetArrayPointer(yp));
    return 0;
}

/* --- pattern -------------------------------------------------------------------------------- */

static void find_pattern(problem *p, const double *y, const double *yp)
{
    bench_stamps *a = &p->stamps;

    a->records = true;
    stamp_all(p, 1, y, yp);
    bench_stamps_end(a, p->n);
    p->start = calloc((size_t) p->n + 1, sizeof *p->start);
    p->row = calloc((size_t) a->n_entries, sizeof *p->row);
    for (int j = 0; j <= p->n; j++) {
        p->start[j] = a->start[j];
    }
    for (int k = 0; k < a->n_entries; k++) {
        p->row[k] = a->rows[k];
    }
}

/* --- run ------------------------------------------------------------------------------------ */

static void set_start(const problem *p, double *y, double *yp, double *is_differential)
{
    scene_start(p->s, y);
    for (int b = 0; b < p->s->n_bodies; b++) {
        const scene_body *body = &p->s->bodies[b];
        for (int d = 0; d < 3; d++) {
            yp[6 * b + d] = body->rate[d];
            is_differential[6 * b + d] = is_differential[6 * b + 3 + d] = 1;
        }
        yp[6 * b + 4] = -p->s->gravity;
        yp[6 * b + 5] = body->torque / body->inertia;
    }
}

static int integrate(problem *p, SUNContext context, double tol, bench_run *out)
{
    N_Vector y = N_VNew_Serial(p->n, context), yp = N_VClone(y), id = N_VClone(y),
             atol = N_VClone(y);
    N_VConst(0, y), N_VConst(0, yp), N_VConst(0, id), N_VConst(tol, atol);
    set_start(p, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), N_VGetArrayPointer(id));

    double begin = bench_processor(), t = 0;
    find_pattern(p, N_VGetArrayPointer(y), N_VGetArrayPointer(yp));
    void *ida = IDACreate(context);
    IDAInit(ida, residual, 0, y, yp);
    IDASetUserData(ida, p);
    IDASVtolerances(ida, tol, atol);
    IDASetId(ida, id);
    IDASetSuppressAlg(ida, 1);
    IDASetMaxNumSteps(ida, 10000000);
#if SUNDIALS_VERSION_MAJOR < 7
    IDASetErrFile(ida, NULL);
#endif
    SUNMatrix J = SUNSparseMatrix(p->n, p->n, p->stamps.n_entries, CSC_MAT, context);
    SUNLinearSolver klu = SUNLinSol_KLU(y, J, context);
    IDASetLinearSolver(ida, klu, J);
    IDASetJacFn(ida, jacobian);
    int flag = IDACalcIC(ida, IDA_YA_YDP_INIT, p->s->t_end * 1e-3);
    flag = flag < 0 ? flag : IDASolve(ida, p->s->t_end, &t, y, yp, IDA_NORMAL);
    out->solve = bench_processor() - begin;
    IDAGetNumSteps(ida, &out->steps);
    IDAGetNumResEvals(ida, &out->evaluations);
    IDAGetNumJacEvals(ida, &out->jacobians);
    memcpy(out->state, N_VGetArrayPointer(y), 6 * (size_t) p->s->n_bodies * sizeof(double));

    IDAFree(&ida);
    SUNLinSolFree(klu);
    SUNMatDestroy(J);
    N_VDestroy(y), N_VDestroy(yp), N_VDestroy(id), N_VDestroy(atol);
    return flag < 0 ? -1 : 0;
}

int bench_limit_ida(const bench_task *task, bench_run *out)
{
    const scene *s = task->scene;
    problem p = { .s = s,
                  .alpha = task->alpha,
                  .beta = task->alpha,
                  .deadline = bench_clock() + task->patience,
                  .n = 6 * s->n_bodies + 2 * s->n_hinges };
    SUNContext context = NULL;

    if (SUNContext_Create(NULL, &context) != 0) {
        return -1;
    }
    out->alpha = task->alpha;
    int status = integrate(&p, context, task->tolerance, out);
    bench_stamps_clear(&p.stamps);
    free(p.start);
    free(p.row);
    SUNContext_Free(&context);
    return status;
}
