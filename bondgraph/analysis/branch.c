/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Branches of equilibria by pseudo-arclength.
 *
 * The equilibria F(y, 0; w) = 0 of a model with a value that deviates by w are curves in the space
 * of (y, w). At a turning point the value has an extreme, F_y is singular, but [F_y F_w] has its
 * full rank: the curve goes on. So it is followed by its own length,
 *
 *     ds^2 = sum over the positions of (dq / size)^2 + (dw / range)^2.
 *
 * The tangent solves [F_y F_w; c'] z = [0; 1] with c the last tangent; a step goes along it, and
 * Newton's method with the same matrix comes back to the curve across it. Steps become shorter
 * where that takes many iterations or the tangent turns. Between two points whose tangents have
 * other signs in w the turning point is found by false position; wanted values are found from the
 * straight line between two points with w held. Where one is not, the step was too long.
 *
 * Derivatives are those of the linearisation, exact. A coordinate that acts on nothing stays.
 */
#include <config.h>

#include "bondgraph/branch.h"

#include "bondgraph/analysis/linear_priv.h"
#include "lib/core/need.h"
#include "lib/core/number.h"
#include "lib/dae/dae_priv.h"

#include <math.h>
#include <string.h>

static const double FIRST = 0.01;       /* length of the first step */
static const double LONGEST = 0.1;      /* of a step */
static const double SHORTEST = 1e-9;    /* of one: the branch ends */
static const double CONVERGED = 1e-9;   /* step of Newton's method, in sizes */
static const double STRAIGHT = 0.97;    /* cosine of the angle by which the tangent may turn */
static const double STRAIGHTER = 0.995; /* the same, of a step after which they may grow */
static const double FLAT = 1e-10;       /* w' at a turning point */
static const double AT_TURN = 1e-6; /* of the spacing: a wanted value is that of a turning point */

enum {
    MOST_ITERATIONS = 8, /* of Newton's method in a step; a shorter step is tried then */
    FEW = 4,             /* of them: steps may grow */
    MOST_STEPS = 20000,  /* along a branch */
    MOST_TRIES = 60      /* to come to a turning point: more than halving a double takes */
};

/* A point with its tangent. */
typedef struct {
    double *z; /* (n + 1) unknowns and w */
    double *d; /* (n + 1) direction of unit length */
} station;

typedef struct {
    ha_ctx *ctx;
    const bg_model *m;
    const bg_branch_options *options;
    bg_branch *out;
    size_t n;
    double *work, *values; /* of the tapes; (n_linear) derivatives */
    double *yp;            /* (n) zeros */
    double *g;             /* switching functions */
    signed char *sides;
    bool *is_pinned; /* (n) the row of an unknown only holds it */
    double *weight;  /* (n + 1) 1 / size in the length; 0: it does not count */
    int64_t *start, *row;
    int64_t *at;    /* (n_linear) slot of each derivative in the matrix; -1: none */
    double *matrix; /* its values: F_y, F_w, then the row c */
    signed char *mark;
    ha__lu *lu;
    double *right, *step, *trial; /* (n + 1) */
    station a, b, turn;
} walk;

/* --- equations ------------------------------------------------------------------------------ */

/* Sets value and sides at a point. */
static void take_point(walk *k, const double *z)
{
    const ha_dae *dae = &k->m->dae;

    bg__model_deviate(k->m, k->work, z[k->n]);
    ha__settle_sides(dae, k->work, k->options->t, z, k->yp, false, k->g, k->sides);
}

/* The matrix at a point, with `c` as its last row; HA_ERR_SINGULAR is told by no diagnostic. */
static ha_status factor(walk *k, const double *z, const double *c)
{
    double *w = k->work + k->m->offset[BG__TAPE_LINEAR];
    size_t n = k->n;

    w[BG__IN_T] = k->options->t;
    memcpy(w + BG__IN_Y, z, n * sizeof *z);
    memset(w + BG__IN_Y + n, 0, n * sizeof *z);
    ha__tape_run(k->m->tapes[BG__TAPE_LINEAR], w, k->values);
    memset(k->matrix, 0, (size_t) k->start[n + 1] * sizeof *k->matrix);
    for (int i = 0; i < k->m->n_linear; i++) {
        if (k->at[i] >= 0) {
            k->matrix[k->at[i]] = k->values[i];
        }
    }
    for (size_t j = 0; j <= n; j++) {
        int64_t last = k->start[j + 1] - 1; /* the row c is the last of each column */
        k->matrix[last] = c[j];
        if (j < n && k->is_pinned[j]) {
            int64_t e = k->start[j];
            while (k->row[e] != (int64_t) j) {
                e++;
            }
            k->matrix[e] = 1.0;
        }
    }
    for (int64_t e = 0; e < k->start[n + 1]; e++) {
        if (!isfinite(k->matrix[e])) {
            return HA_ERR_VALUE;
        }
    }
    ha__lu_flag flag = ha__lu_factor_safely(k->lu, k->matrix);
    return flag == HA__LU_FAILED ? HA_ERR_MEMORY : flag == HA__LU_DONE ? HA_OK : HA_ERR_SINGULAR;
}

static double dot(const walk *k, const double *a, const double *b)
{
    double sum = 0.0;

    for (size_t j = 0; j <= k->n; j++) {
        sum += k->weight[j] * k->weight[j] * a[j] * b[j];
    }
    return sum;
}

/* Newton's method from z with the last equation c' (z - z0) = 0, z0 being where it begins;
   `*n_iterations` more than allowed: it does not converge. */
static ha_status correct(walk *k, const double *c, double *z, int *n_iterations)
{
    bool is_close = false;

    for (int i = 1; i <= MOST_ITERATIONS; i++) {
        take_point(k, z);
        ha_status status = factor(k, z, c);
        if (status == HA_ERR_MEMORY) {
            return status;
        }
        if (status != HA_OK) {
            break;
        }
        k->m->dae.residual(k->m, k->work, k->options->t, z, k->yp, k->right);
        for (size_t j = 0; j < k->n; j++) {
            k->right[j] = k->is_pinned[j] ? 0.0 : -k->right[j];
        }
        k->right[k->n] = 0.0;
        ha__lu_solve_at_once(k->lu, k->matrix, k->right, k->step);
        double length = sqrt(dot(k, k->step, k->step));
        if (!(length < 1.0)) {
            break;
        }
        for (size_t j = 0; j <= k->n; j++) {
            z[j] += k->step[j];
        }
        if (is_close) { /* one more, for what the length does not count */
            *n_iterations = i;
            return HA_OK;
        }
        is_close = length <= CONVERGED;
    }
    *n_iterations = MOST_ITERATIONS + 1;
    return HA_OK;
}

/* The tangent at a point in the sense of `before`; HA_ERR_SINGULAR where there is none. */
static ha_status find_tangent(walk *k, const double *before, station *at)
{
    for (size_t j = 0; j <= k->n; j++) {
        k->trial[j] = k->weight[j] * k->weight[j] * before[j];
        k->right[j] = 0.0;
    }
    k->right[k->n] = 1.0;
    take_point(k, at->z);
    HA_TRY(factor(k, at->z, k->trial));
    ha__lu_solve_at_once(k->lu, k->matrix, k->right, at->d);
    double length = sqrt(dot(k, at->d, at->d));
    for (size_t j = 0; j <= k->n; j++) {
        at->d[j] /= length;
    }
    return isfinite(length) ? HA_OK : HA_ERR_SINGULAR;
}

/* --- points --------------------------------------------------------------------------------- */

static ha_status judge(const walk *k, const double *z, bg_stability *stability)
{
    const bg_operating_point point = { .t = k->options->t, .y = z, .deviation = z[k->n] };
    bg_linear linear = { 0 };
    int growing = -1;
    ha_status status = bg__stability(k->m, &point, &linear, &growing, stability);

    bg_linear_clear(&linear);
    return status;
}

static ha_status add_point(walk *k, const double *z, bool is_turning)
{
    bg_branch *out = k->out;
    const ha_dae *dae = &k->m->dae;
    void *room = ha__resize(k->ctx, out->points, (size_t) out->n_points + 1, sizeof *out->points);

    HA_TRY_MEMORY(room);
    out->points = room;
    bg_branch_point *point = &out->points[out->n_points];
    *point = (bg_branch_point){ .deviation = z[k->n],
                                .is_turning = is_turning,
                                .stability = BG_STABILITY_OPEN };
    HA_TRY_ALLOC(k->ctx, point->outputs, dae->n_outputs);
    out->n_points++;
    out->n_turning += is_turning;
    HA_TRY(bg__outputs_at_rest(k->ctx, k->m, k->options->t, z[k->n], z, point->outputs));
    return is_turning ? HA_OK : judge(k, z, &point->stability);
}

/* Adds the wanted values between two points, from `from`, which is not among them, to `to`;
   `*is_good` false: one is not found from the straight line between them. That of a turning point
   is there already. */
static ha_status add_wanted(walk *k, const double *from, const double *to, bool *is_good)
{
    size_t n = k->n;
    double *z = ha__alloc(k->ctx, 2 * (n + 1), sizeof *z), *c = z == NULL ? NULL : z + n + 1;
    double spacing = k->options->deviation / (k->options->count - 1);
    double first = from[n] / spacing, last = to[n] / spacing;
    bool is_up = last > first;
    ha_status status = z == NULL ? HA_ERR_MEMORY : HA_OK;

    double i = is_up ? floor(first) + 1.0 : ceil(first) - 1.0;
    for (; status == HA_OK && *is_good && (is_up ? i <= last : i >= last);
         i += is_up ? 1.0 : -1.0) {
        double share = (i * spacing - from[n]) / (to[n] - from[n]);
        int iterations = 0;
        bool is_turn = (from == k->turn.z && fabs(i - first) < AT_TURN) ||
                       (to == k->turn.z && fabs(i - last) < AT_TURN);
        if (is_turn || i < 0.0 || i > k->options->count - 1) {
            continue;
        }
        for (size_t j = 0; j <= n; j++) {
            z[j] = from[j] + share * (to[j] - from[j]);
            c[j] = j == n ? 1.0 : 0.0;
        }
        z[n] = i * spacing;
        status = correct(k, c, z, &iterations);
        *is_good = iterations <= MOST_ITERATIONS;
        HA_THEN(status, *is_good ? add_point(k, z, false) : HA_OK);
    }
    ha__free(z);
    return status;
}

/* The point at a length along the tangent of a, corrected, with its tangent; `*is_good` false:
   there is none, or the curve turns too much on the way. */
static ha_status go(walk *k, double length, station *to, int *iterations, bool *is_good)
{
    *is_good = false;
    for (size_t j = 0; j <= k->n; j++) {
        to->z[j] = k->a.z[j] + length * k->a.d[j];
        to->d[j] = k->weight[j] * k->weight[j] * k->a.d[j];
    }
    HA_TRY(correct(k, to->d, to->z, iterations));
    if (*iterations > MOST_ITERATIONS) {
        return HA_OK;
    }
    ha_status status = find_tangent(k, k->a.d, to);
    *is_good = status == HA_OK && dot(k, to->d, k->a.d) >= STRAIGHT;
    return status == HA_ERR_MEMORY ? status : HA_OK;
}

/* Finds the turning point on the way of `length` from a to b, into k->turn; `*is_good` as in go().
 */
static ha_status find_turning(walk *k, double length, bool *is_good)
{
    double low = 0.0, high = length, f_low = k->a.d[k->n], f_high = k->b.d[k->n];
    int iterations = 0, side = 0;

    for (int i = 0; i < MOST_TRIES; i++) {
        double s = (low * f_high - high * f_low) / (f_high - f_low);
        HA_TRY(go(k, s, &k->turn, &iterations, is_good));
        double f = k->turn.d[k->n];
        if (!*is_good || fabs(f) * k->weight[k->n] <= FLAT || high - low <= 1e-14 * length) {
            return HA_OK;
        }
        bool is_low = (f > 0.0) == (f_low > 0.0);
        if (is_low) { /* Illinois: the end that stays counts half */
            low = s;
            f_low = f;
            f_high *= side < 0 ? 0.5 : 1.0;
        } else {
            high = s;
            f_high = f;
            f_low *= side > 0 ? 0.5 : 1.0;
        }
        side = is_low ? -1 : 1;
    }
    return HA_OK;
}

/* Takes back the points from number n on. */
static void forget_points(bg_branch *out, int n)
{
    while (out->n_points > n) {
        bg_branch_point *last = &out->points[--out->n_points];
        out->n_turning -= last->is_turning != 0;
        ha__free(last->outputs);
    }
}

/* Adds what lies between a and b, all of it or, with `*is_good` false, nothing. */
static ha_status record(walk *k, double length, bool *is_good)
{
    bool turns = k->a.d[k->n] * k->b.d[k->n] < 0.0;
    int n_before = k->out->n_points;
    const double *from = k->a.z;

    if (turns) {
        HA_TRY(find_turning(k, length, is_good));
        HA_TRY(*is_good ? add_wanted(k, from, k->turn.z, is_good) : HA_OK);
        HA_TRY(*is_good ? add_point(k, k->turn.z, true) : HA_OK);
        from = k->turn.z;
    }
    HA_TRY(*is_good ? add_wanted(k, from, k->b.z, is_good) : HA_OK);
    if (!*is_good) {
        forget_points(k->out, n_before);
    }
    return HA_OK;
}

/* --- the walk ------------------------------------------------------------------------------- */

static ha_status fail(walk *k, ha_status status)
{
    char value[HA__NUMBER_SIZE];

    ha__print_rounded_number(value, k->a.z[k->n], 6);
    return status == HA_ERR_SINGULAR
               ? ha_fail(k->ctx, status, HA_NOWHERE,
                         "the branch of equilibria cannot be followed: at a deviation of %s of the "
                         "value they are not isolated; hold what may be anywhere, by a spring or a "
                         "joint",
                         value)
               : ha_fail(k->ctx, status, HA_NOWHERE,
                         "the branch of equilibria ends at a deviation of %s of the value: no "
                         "step from there leads on, however short; a contact that opens, or a law "
                         "with a jump, may be the cause",
                         value);
}

/* One step from a to b, its length being adapted; b becomes a. */
static ha_status advance(walk *k, double *length)
{
    int iterations = 0;
    bool is_good = false;

    while (!is_good) {
        HA_TRY(ha_ctx_is_interrupted(k->ctx) ? HA_ERR_INTERRUPTED : HA_OK);
        HA_TRY(go(k, *length, &k->b, &iterations, &is_good));
        HA_TRY(is_good ? record(k, *length, &is_good) : HA_OK);
        if (!is_good && (*length *= 0.5) < SHORTEST) {
            return fail(k, HA_ERR_SOLVER);
        }
    }
    bool is_easy = iterations <= FEW && dot(k, k->a.d, k->b.d) >= STRAIGHTER;
    *length = is_easy ? fmin(LONGEST, 1.6 * *length) : *length;
    station passed = k->a;
    k->a = k->b;
    k->b = passed;
    k->out->steps++;
    return HA_OK;
}

static ha_status follow(walk *k, double *y)
{
    size_t n = k->n, bytes = n * sizeof *y;
    double last = k->options->deviation, length = FIRST;
    int iterations = 0;

    memcpy(k->a.z, y, bytes);
    k->b.d[n] = 1.0;
    HA_TRY(correct(k, k->b.d, k->a.z, &iterations));
    memset(k->b.d, 0, bytes);
    k->b.d[n] = last > 0.0 ? 1.0 : -1.0;
    ha_status status = iterations > MOST_ITERATIONS ? HA_ERR_SINGULAR : HA_OK;
    HA_THEN(status, find_tangent(k, k->b.d, &k->a));
    if (status != HA_OK) {
        return status == HA_ERR_MEMORY ? status : fail(k, HA_ERR_SINGULAR);
    }
    HA_TRY(add_point(k, k->a.z, false));
    k->out->ended = "the branch was given up after too many steps";
    for (int i = 0; i < MOST_STEPS; i++) {
        HA_TRY(advance(k, &length));
        double share = k->a.z[n] / last;
        memcpy(y, k->a.z, bytes);
        if (share >= 1.0 || share < 0.0) {
            k->out->ended = share < 0.0 ? "the branch came back to where the value began"
                                        : "the value has come to its end";
            return HA_OK;
        }
    }
    return HA_OK;
}

/* Sampled values are not known to the derivatives, and friction that holds has no branch: where it
   rests hangs on the way that the value took. */
static bool has_no_branch(const bg_model *m)
{
    return m->dae.n_holds > 0 || m->dae.is_switched != NULL;
}

/* Each wanted value has a search of its own, from the last one. Turning points are not seen. */
static ha_status visit(walk *k, double *y)
{
    double parameters[BG__PARAMETER_COUNT] = { BG__REST_DRIFT, BG__REST_DRIFT, 0.0, 0.0 };
    const bg_branch_options *o = k->options;

    k->out->ended = k->m->dae.n_holds > 0 ? "a search at each value, as signals are sampled"
                                          : "a search at each value, as friction holds";
    for (int i = 0; i < o->count; i++) {
        k->a.z[k->n] = parameters[BG__PARAMETER_DEVIATION] = o->deviation * i / (o->count - 1);
        HA_TRY(ha_dae_rest(k->ctx, &k->m->dae, parameters, o->t, NULL, y, NULL, NULL));
        memcpy(k->a.z, y, k->n * sizeof *y);
        HA_TRY(add_point(k, k->a.z, false));
        k->out->steps++;
    }
    return HA_OK;
}

/* --- setting up ----------------------------------------------------------------------------- */

/* Rows that only say that an unknown stays: of what acts on nothing, of what is held. */
static void find_pins(walk *k)
{
    const bg_model *m = k->m;

    for (size_t j = 0; j < k->n; j++) {
        bool acts = false, is_moved = false;
        for (int i = 0; i < m->n_linear; i++) {
            const bg__linear_entry *e = &m->linear[i];
            bool counts = e->block == BG__LINEAR_EQUATION && e->column < (int) k->n;
            acts = acts || (counts && e->column == (int) j);
            is_moved = is_moved || (counts && e->row == (int) j);
        }
        bool is_state = m->dae.unknowns[j].kind == HA_DIFFERENTIAL;
        k->is_pinned[j] = is_state && (!acts || !is_moved);
    }
}

/* The column that a derivative has in the matrix; -1: none. */
static int column_of(const walk *k, const bg__linear_entry *e)
{
    int n = (int) k->n;

    if (e->block != BG__LINEAR_EQUATION || k->is_pinned[e->row]) {
        return -1;
    }
    return e->column < n ? e->column : e->column == 2 * n ? n : -1;
}

/* The pattern by columns: derivatives come by rows, so that those of a column ascend; the diagonal
   of a pinned row stands where its row belongs. */
static ha_status make_pattern(walk *k)
{
    size_t n = k->n, room = (size_t) k->m->n_linear + 2 * n + 2;
    int64_t *next = NULL;

    HA_TRY_ALLOC(k->ctx, k->start, n + 2, k->at, k->m->n_linear);
    HA_TRY_ALLOC_EACH(k->ctx, room, k->row, k->matrix);
    HA_TRY_ALLOC_EACH(k->ctx, n + 1, k->mark, next);
    for (int i = 0; i < k->m->n_linear; i++) {
        int column = column_of(k, &k->m->linear[i]);
        next[column < 0 ? n : (size_t) column] += column >= 0;
    }
    for (size_t j = 0; j <= n; j++) {
        bool has_pin = j < n && k->is_pinned[j];
        k->start[j + 1] = k->start[j] + next[j] + 1 + (has_pin ? 1 : 0);
        next[j] = k->start[j];
    }
    int i = 0;
    for (size_t r = 0; r < n; r++) {
        if (k->is_pinned[r]) {
            k->row[next[r]++] = (int64_t) r;
        }
        for (; i < k->m->n_linear && k->m->linear[i].block == BG__LINEAR_EQUATION &&
               k->m->linear[i].row == (int) r;
             i++) {
            int column = column_of(k, &k->m->linear[i]);
            k->at[i] = -1;
            if (column >= 0) {
                k->at[i] = next[column];
                k->row[next[column]++] = (int64_t) r;
            }
        }
    }
    for (; i < k->m->n_linear; i++) {
        k->at[i] = -1;
    }
    for (size_t j = 0; j <= n; j++) {
        k->row[next[j]] = (int64_t) n;
    }
    ha__free(next);
    return ha__lu_new(k->ctx, (int) n + 1, k->start, k->row, k->mark, &k->lu);
}

static ha_status make_room(walk *k, const double *y)
{
    const double parameters[BG__PARAMETER_COUNT] = { BG__LINEAR_ALPHA, BG__LINEAR_BETA, 0.0, 0.0 };
    const ha_dae *dae = &k->m->dae;
    double **const rooms[] = { &k->right, &k->step, &k->trial,  &k->weight, &k->a.z, &k->a.d,
                               &k->b.z,   &k->b.d,  &k->turn.z, &k->turn.d, &k->yp };

    for (size_t i = 0; i < HA_COUNT(rooms); i++) {
        HA_TRY_ALLOC(k->ctx, *rooms[i], k->n + 1);
    }
    HA_TRY_ALLOC(k->ctx, k->work, dae->work_size, k->values, k->m->n_linear, k->is_pinned, k->n);
    HA_TRY_ALLOC_EACH(k->ctx, dae->n_switches, k->g, k->sides);
    dae->prepare(k->m, parameters, k->work);
    for (size_t j = 0; j < k->n; j++) {
        const ha_dae_unknown *u = &dae->unknowns[j];
        bool counts = u->kind == HA_DIFFERENTIAL && u->motion != HA_VELOCITY;
        double size = u->size > 0.0 ? u->size : fmax(1.0, fabs(y[j]));
        k->weight[j] = counts ? 1.0 / size : 0.0;
    }
    k->weight[k->n] = 1.0 / fabs(k->options->deviation);
    find_pins(k);
    return make_pattern(k);
}

static void release(walk *k)
{
    ha__lu_free(k->lu);
    HA_FREE(k->right, k->step, k->trial, k->weight, k->a.z, k->a.d, k->b.z, k->b.d, k->turn.z,
            k->turn.d, k->yp, k->work, k->values, k->g, k->sides, k->is_pinned, k->start, k->row,
            k->at, k->matrix, k->mark);
}

ha_status bg_branch_follow(ha_ctx *ctx, const bg_model *model, const bg_branch_options *options,
                           double *y, bg_branch *out)
{
    HA_NEED(ctx, ctx != NULL && model != NULL && options != NULL && y != NULL && out != NULL);
    walk k = { .ctx = ctx, .m = model, .options = options, .out = out, .n = (size_t) model->dae.n };

    *out = (bg_branch){ 0 };
    if (!model->is_linear || model->n_inputs != 3) {
        return ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "the model was not compiled for a branch; compile it with "
                       "bg_model_compile_linear(), of equations with one input");
    }
    if (!(fabs(options->deviation) > 0.0) || !isfinite(options->deviation) || options->count < 2) {
        return ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "a branch needs a first and a last value that differ");
    }
    ha_status status = make_room(&k, y);
    HA_THEN(status, has_no_branch(model) ? visit(&k, y) : follow(&k, y));
    release(&k);
    return status;
}

void bg_branch_clear(bg_branch *branch)
{
    forget_points(branch, 0);
    ha__free(branch->points);
    *branch = (bg_branch){ 0 };
}
