/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Brings positions and velocities back to the conditions that they drift from.
 *
 * The conditions are phi(t, q) = 0 and f(t, q, v) = 0 with f = d(phi)/dt; J = df/dv is read from
 * the matrix of the start system, where the rows of the conditions stand as df/dt + ... = 0, and M
 * from the rows of the velocities. Each correction is the least in the sense of kinetic energy:
 *
 *     J s = -phi,  s of least s' M s,  q += K s    (positions, again while phi falls)
 *     J s = -f,    s of least s' M s,  v += s      (velocities, twice: f is linear in v)
 *
 * with K v the part of q' that is made of velocities.
 *
 * J is that of the values at the start unless it brings phi down slowly. What the last corrections
 * leave of phi and f is round-off: the share of it in them is the noise that stays in the positions
 * and velocities. That of the positions changes f, and so the velocities once more. Where phi does
 * not get below the tolerances nothing is known of round-off.
 *
 * The start system solves for s, as a change of accelerations that the multipliers make. Where it
 * is nearly singular M becomes its diagonal and the least step is found by an orthogonal
 * factorisation (rank.h), which leaves out the conditions that depend on others at this position:
 * they drift by round-off until the next step.
 *
 * Why: near a singular position x = 0 the constraints read x y = phi in the direction that loses
 * rank. The wanted motion has y = 0; a drift phi gives y = phi / x, which without bound turns the
 * motion off its branch, the sooner the tighter an error test follows it.
 */
#include <config.h>

#include "lib/dae/dae_start_matrix.h"
#include "lib/linalg/rank.h"

#include "lib/core/mem.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_TURNS = 4, SPEED_TURNS = 2 };

static const double LIGHTEST = 1e-6; /* least weight of a mass, as a share of the largest */
static const double REGULAR = 1e-9;  /* condition of the start system from which it serves */
static const double NO_MORE = 0.3;   /* a turn that leaves more than this share was the last */
static const double SLOW = 1e-3;     /* a turn that leaves more than this share calls for a new
                                        J */

struct ha__projector {
    ha__start_matrix matrix;
    int n_velocities;
    int *velocity_of;      /* (n) number of the velocity that an unknown is, -1: none */
    int64_t *column_start; /* (n_velocities + 1) of J */
    int64_t *row;          /* condition of each entry */
    int64_t *source;       /* where each entry stands in the matrix of the start system */
    double *value;
    double *scale;    /* (n_velocities) 1 / sqrt(mass) */
    double *step;     /* (n_velocities) */
    double *move;     /* (n) of each unknown, as the sum over its row */
    double *position; /* (n_conditions) phi */
    double *speed;    /* (n_conditions) f */
    double *right;    /* (n_conditions) */
    double *y;        /* (n) before a turn */
    double *noise;    /* (n) what round-off leaves in each unknown */
    double *change;   /* (n_conditions) of f by the last correction of the positions */
    bool is_regular;  /* the start system serves; it is factored then */
    double condition; /* of it, as estimated last */
};

/* Columns of J: the entries of the conditions' rows in the columns of the velocities. */
static ha_status find_columns(ha__projector *p, ha_ctx *ctx, const ha_dae *dae)
{
    int64_t count = 0;
    int *condition = NULL;

    HA_TRY_ALLOC(ctx, condition, dae->n);
    memset(condition, -1, (size_t) dae->n * sizeof *condition);
    for (int i = 0; i < dae->n_conditions; i++) {
        condition[dae->condition_row[i]] = i;
    }
    for (int j = 0; j < dae->n; j++) {
        if (p->velocity_of[j] < 0) {
            continue;
        }
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            if (condition[dae->row[k]] >= 0) {
                p->row[count] = condition[dae->row[k]];
                p->source[count++] = k;
            }
        }
        p->column_start[p->velocity_of[j] + 1] = count;
    }
    ha__free(condition);
    return HA_OK;
}

/* The rows of a column of J ascend only if the conditions are in the order of their equations. */
static ha_status allocate(ha__projector *p, ha_ctx *ctx, const ha_dae *dae)
{
    int64_t n_entries = dae->column_start[dae->n];

    HA_TRY_ALLOC(ctx, p->velocity_of, dae->n);
    for (int j = 0; j < dae->n; j++) {
        p->velocity_of[j] = dae->unknowns[j].motion == HA_VELOCITY ? p->n_velocities++ : -1;
    }
    HA_TRY_ALLOC(ctx, p->column_start, p->n_velocities + 1);
    HA_TRY_ALLOC_EACH(ctx, n_entries, p->row, p->source, p->value);
    HA_TRY_ALLOC_EACH(ctx, p->n_velocities, p->scale, p->step);
    HA_TRY_ALLOC_EACH(ctx, dae->n, p->move, p->y, p->noise);
    HA_TRY_ALLOC_EACH(ctx, dae->n_conditions, p->position, p->speed, p->right, p->change);
    return find_columns(p, ctx, dae);
}

ha_status ha__projector_new(ha_ctx *ctx, const ha_dae *dae, double *work, bool has_sizes,
                            ha__projector **out)
{
    *out = NULL;
    if (dae->n_conditions == 0) {
        return HA_OK;
    }

    ha__projector *p = ha__alloc(ctx, 1, sizeof *p);
    HA_TRY_MEMORY(p);
    ha_status status = ha__start_matrix_init(&p->matrix, ctx, dae, work);
    p->matrix.has_sizes = has_sizes;
    HA_THEN(status, allocate(p, ctx, dae));
    return HA_GIVE(status, p, ha__projector_free, out);
}

void ha__projector_free(ha__projector *p)
{
    if (p == NULL) {
        return;
    }
    ha__start_matrix_clear(&p->matrix);
    HA_FREE(p->velocity_of, p->column_start, p->row, p->source, p->value, p->scale, p->step,
            p->move, p->position, p->speed, p->right, p->y, p->noise, p->change, p);
}

const double *ha__drift(ha__projector *p, double t, const double *y)
{
    const ha_dae *dae = p->matrix.dae;

    dae->condition(dae->model, p->matrix.work, t, y, p->position, p->speed);
    return p->speed;
}

static double largest(const double *x, int n)
{
    double size = 0.0;

    for (int i = 0; i < n; i++) {
        size = isfinite(x[i]) ? fmax(size, fabs(x[i])) : (double) INFINITY;
    }
    return size;
}

/* What a mass is beside others. */
static double weigh(const ha__projector *p, int unknown, double mass)
{
    return p->matrix.has_sizes ? ha__weight_of_mass(p->matrix.dae, unknown, mass) : mass;
}

/* J and the masses at a point; false where they are not finite. */
static bool evaluate(ha__projector *p, double t, const double *y, const double *yp)
{
    const ha_dae *dae = p->matrix.dae;
    double heaviest = 0.0;

    if (ha__start_matrix_evaluate(&p->matrix, t, y, yp) >= 0) {
        return false;
    }
    for (int64_t k = 0; k < p->column_start[p->n_velocities]; k++) {
        p->value[k] = p->matrix.by_yp[p->source[k]];
    }
    for (int j = 0; j < dae->n; j++) {
        if (p->velocity_of[j] < 0) {
            continue;
        }
        double mass = 0.0;
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            mass = dae->row[k] == j ? fabs(p->matrix.by_yp[k]) : mass;
        }
        p->scale[p->velocity_of[j]] = mass;
        heaviest = fmax(heaviest, weigh(p, j, mass));
    }
    heaviest = heaviest > 0.0 ? heaviest : 1.0;
    for (int j = 0; j < dae->n; j++) {
        if (p->velocity_of[j] >= 0) {
            double *mass = &p->scale[p->velocity_of[j]];
            double least = LIGHTEST * heaviest / weigh(p, j, 1.0);
            *mass = 1.0 / sqrt(fmax(*mass, least));
        }
    }
    return true;
}

/* Evaluates and factors at a point; false where it is not finite. */
static ha_status prepare(ha__projector *p, double t, const double *y, const double *yp,
                         bool *is_finite)
{
    double rcond = 0.0;

    *is_finite = evaluate(p, t, y, yp);
    if (*is_finite) {
        ha__start_matrix_equilibrate(&p->matrix);
        HA_TRY(ha__start_matrix_factor(&p->matrix, &rcond));
        p->is_regular = rcond > REGULAR;
        p->condition = rcond;
    }
    return HA_OK;
}

/* The step by the start system. */
static void solve_regular(ha__projector *p, const double *drift)
{
    ha__start_matrix *matrix = &p->matrix;
    const ha_dae *dae = matrix->dae;

    memset(p->move, 0, (size_t) dae->n * sizeof *p->move);
    for (int i = 0; i < dae->n_conditions; i++) {
        p->move[dae->condition_row[i]] = -drift[i];
    }
    ha__start_matrix_solve(matrix, p->move);
    for (int j = 0; j < dae->n; j++) {
        if (p->velocity_of[j] >= 0) {
            p->step[p->velocity_of[j]] = p->move[j];
        }
    }
}

/* The least step with J s = -drift. */
static ha_status solve(ha__projector *p, const double *drift, double threshold, int *rank)
{
    const ha_dae *dae = p->matrix.dae;
    const ha__matrix j = { dae->n_conditions, p->n_velocities, p->column_start, p->row, p->value };
    const ha__rank_options options = { .column_scale = p->scale, .tolerance = threshold };

    if (p->is_regular) {
        solve_regular(p, drift);
        *rank = dae->n_conditions;
        return HA_OK;
    }
    for (int i = 0; i < dae->n_conditions; i++) {
        p->right[i] = -drift[i];
    }
    return ha__least_norm(p->matrix.ctx, &j, &options, p->right, p->step, rank, NULL);
}

/* q += K s: of the row a q' - b v = 0 of a position, the rate that the velocities s give it. */
static void move_places(ha__projector *p, double *y)
{
    const ha_dae *dae = p->matrix.dae;

    memset(p->move, 0, (size_t) dae->n * sizeof *p->move);
    for (int j = 0; j < dae->n; j++) {
        if (p->velocity_of[j] < 0) {
            continue;
        }
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            p->move[dae->row[k]] -= p->matrix.by_y[k] * p->step[p->velocity_of[j]];
        }
    }
    for (int j = 0; j < dae->n; j++) {
        for (int64_t k = dae->column_start[j];
             dae->unknowns[j].motion == HA_POSITION && k < dae->column_start[j + 1]; k++) {
            if (dae->row[k] == j && p->matrix.by_yp[k] != 0.0) {
                p->noise[j] = p->move[j] / p->matrix.by_yp[k];
                y[j] += p->noise[j];
            }
        }
    }
}

/* v += s */
static void move_velocities(ha__projector *p, double *y)
{
    for (int j = 0; j < p->matrix.dae->n; j++) {
        if (p->velocity_of[j] >= 0) {
            p->noise[j] = p->step[p->velocity_of[j]];
            y[j] += p->noise[j];
        }
    }
}

/* Takes the last move back. */
static void restore(ha__projector *p, double t, double *y)
{
    memcpy(y, p->y, (size_t) p->matrix.dae->n * sizeof *y);
    ha__drift(p, t, y);
}

/* What a correction leaves is the share of it that another one would be. */
static void shrink_noise(ha__projector *p, ha_motion motion, double share)
{
    for (int j = 0; j < p->matrix.dae->n; j++) {
        if (p->matrix.dae->unknowns[j].motion == motion) {
            p->noise[j] *= share;
        }
    }
}

static ha_status project_places(ha__projector *p, double t, double threshold, double *y,
                                const double *yp, int *rank)
{
    int n = p->matrix.dae->n_conditions;
    double before = largest(p->position, n);

    for (int turn = 0; turn < MAX_TURNS && before > 0.0; turn++) {
        memcpy(p->y, y, (size_t) p->matrix.dae->n * sizeof *y);
        memcpy(p->change, p->speed, (size_t) n * sizeof *p->change);
        HA_TRY(solve(p, p->position, threshold, rank));
        move_places(p, y);
        ha__drift(p, t, y);
        for (int i = 0; i < n; i++) {
            p->change[i] = p->speed[i] - p->change[i];
        }
        double after = largest(p->position, n);
        if (!(after < before)) {
            restore(p, t, y);
            return HA_OK;
        }
        shrink_noise(p, HA_POSITION, after / before);
        if (after > NO_MORE * before) {
            return HA_OK;
        }
        bool is_finite = true;
        if (after > SLOW * before) {
            HA_TRY(prepare(p, t, y, yp, &is_finite));
        }
        if (!is_finite) {
            return HA_OK;
        }
        before = after;
    }
    return HA_OK;
}

static ha_status project_velocities(ha__projector *p, double t, double threshold, double *y,
                                    int *rank)
{
    int n = p->matrix.dae->n_conditions;
    double before = largest(p->speed, n);

    for (int turn = 0; turn < SPEED_TURNS && before > 0.0 && isfinite(before); turn++) {
        memcpy(p->y, y, (size_t) p->matrix.dae->n * sizeof *y);
        HA_TRY(solve(p, p->speed, threshold, rank));
        move_velocities(p, y);
        ha__drift(p, t, y);
        double after = largest(p->speed, n);
        if (!(after < before)) {
            restore(p, t, y);
            return HA_OK;
        }
        shrink_noise(p, HA_VELOCITY, after / before);
        before = after;
    }
    return HA_OK;
}

/* The velocities that keep the conditions at positions that are off by round-off are off with them.
 */
static ha_status add_noise_of_places(ha__projector *p, double threshold)
{
    const ha_dae *dae = p->matrix.dae;
    int rank = 0;

    HA_TRY(solve(p, p->change, threshold, &rank));
    for (int j = 0; j < dae->n; j++) {
        if (p->velocity_of[j] >= 0) {
            p->noise[j] = fabs(p->noise[j]) + fabs(p->step[p->velocity_of[j]]);
        }
    }
    return HA_OK;
}

ha_status ha__project(ha__projector *p, double t, double threshold, double *y, const double *yp,
                      int *rank)
{
    bool is_finite = false;

    *rank = p->matrix.dae->n_conditions;
    memset(p->noise, 0, (size_t) p->matrix.dae->n * sizeof *p->noise);
    ha__drift(p, t, y);
    if (!isfinite(largest(p->position, *rank))) {
        return HA_OK;
    }
    HA_TRY(prepare(p, t, y, yp, &is_finite));
    if (!is_finite) {
        return HA_OK;
    }
    memset(p->change, 0, (size_t) p->matrix.dae->n_conditions * sizeof *p->change);
    HA_TRY(project_places(p, t, threshold, y, yp, rank));
    HA_TRY(project_velocities(p, t, threshold, y, rank));
    return p->is_regular ? add_noise_of_places(p, threshold) : HA_OK;
}

ha_status ha__project_inside(ha__projector *p, double t, double *y, const double *yp)
{
    int rank = 0;

    return p != NULL ? ha__project(p, t, REGULAR, y, yp, &rank) : HA_OK;
}

/* False where a projection began so far away that it did not get back: its last correction is one
   of the way then, and tells nothing of round-off. */
static bool has_arrived(const ha__projector *p, double rtol, double atol, const double *y)
{
    const ha_dae *dae = p->matrix.dae;
    double least = (double) INFINITY;

    for (int j = 0; j < dae->n; j++) {
        if (dae->unknowns[j].motion == HA_POSITION) {
            least = fmin(least, ha__tolerance(dae, j, rtol, atol, y[j]));
        }
    }
    return largest(p->position, dae->n_conditions) <= least;
}

double ha__projection_noise(const ha__projector *p, double rtol, double atol, const double *y)
{
    const ha_dae *dae = p->matrix.dae;
    double sum = 0.0;

    if (!has_arrived(p, rtol, atol, y)) {
        return 0.0;
    }
    for (int j = 0; j < dae->n; j++) {
        /* 0 for all but positions and velocities, so for what the error test leaves out */
        double term = p->noise[j] / ha__tolerance(dae, j, rtol, atol, y[j]);
        sum += term * term;
    }
    return sqrt(sum / dae->n);
}

ha_status ha__projection_look(ha__projector *p, double t, const double *y, const double *yp)
{
    bool is_finite = false;

    p->condition = 0.0;
    return prepare(p, t, y, yp, &is_finite);
}

double ha__projection_condition(const ha__projector *p)
{
    return p->condition;
}

double ha__projection_measure(ha__projector *p)
{
    return ha__klu_measure(p->matrix.klu, p->matrix.values);
}

void ha__count_projection(ha_dae_stats *stats, const ha_dae *dae, int rank, double t)
{
    stats->projections++;
    if (rank < dae->n_conditions) {
        if (stats->rank_losses == 0 || rank < stats->lowest_rank) {
            stats->lowest_rank = rank;
            stats->t_lowest_rank = t;
        }
        stats->rank_losses++;
    }
}
