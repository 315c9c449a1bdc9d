/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether an equilibrium is stable.
 *
 * Small models: by all eigenvalues. An undamped mechanism has eigenvalues +-i omega =
 * sqrt(-omega^2), and omega^2 is exact to round-off of the largest one. So growth counts from about
 * the root of that on, relative to the largest eigenvalue.
 *
 * Large models: by energy, where there is one. With independent coordinates x and velocities v
 *
 *     x' = v,   v' = S x + D v,      W = dv'/df for forces f along the coordinates.
 *
 * W is the inverse of the mass matrix. With W = L L^T, x = L z makes S^ = L^-1 S L and
 * D^ = L^-1 D L, and where S^ is symmetric
 *
 *     E = (u^2 - z^T S^ z) / 2,      E' = u^T D^ u,      u = z',
 *
 * so that nothing grows where -S^ and -(D^ + its transpose) have no negative eigenvalue, whatever
 * the forces that depend on the velocity and do no work. This is proved by Cholesky's factors,
 * whose round-off is that of the largest eigenvalue. Where -S^ has one and D^ is symmetric a motion
 * grows (Kelvin and Chetaev). Otherwise, as with forces that have no potential, only the modes of
 * the lowest frequencies are looked at: one that grows says enough, none that does says nothing.
 */
#include <config.h>

#include "bondgraph/analysis/linear_priv.h"
#include "bondgraph/modes.h"
#include "lib/linalg/dense.h"

#include <math.h>
#include <string.h>

static const double GROWS = 1e-7;     /* real part beside the largest eigenvalue */
static const double SAME = 1e-10;     /* of the largest entry: a matrix is symmetric */
static const double NOTHING = 1e-12;  /* of the largest eigenvalue: none that is negative */
static const double NEGATIVE = 1e-11; /* one that surely is */

/* --- eigenvalues ---------------------------------------------------------------------------- */

/* The eigenvalue that grows fastest; -1: none grows. */
static int find_growing(const bg_linear *linear)
{
    double largest = 0.0;
    int worst = -1;

    for (int k = 0; k < linear->n_states; k++) {
        const double *value = linear->eigenvalues + (size_t) 2 * (size_t) k;
        largest = fmax(largest, hypot(value[0], value[1]));
    }
    for (int k = 0; k < linear->n_states; k++) {
        double growth = linear->eigenvalues[2 * k];
        if (growth > GROWS * largest && (worst < 0 || growth > linear->eigenvalues[2 * worst])) {
            worst = k;
        }
    }
    return worst;
}

/* --- energy --------------------------------------------------------------------------------- */

/* The matrices (n x n), by rows. */
typedef struct {
    bg__linearisation *l;
    size_t n;
    double *w, *s, *d;
} motion;

/* A in units of the unknowns: row i, column j. */
static double entry(const motion *x, size_t i, size_t j)
{
    const bg__linearisation *l = x->l;

    return l->out->a[i * 2 * x->n + j] * l->content[j] / l->content[i];
}

/* Whether the rates of the coordinates are the velocities, and nothing else. */
static bool is_motion(const motion *x)
{
    bool is_so = x->l->out->n_states == 2 * x->l->out->n_positions;

    for (size_t i = 0; i < x->n && is_so; i++) {
        for (size_t j = 0; j < 2 * x->n && is_so; j++) {
            is_so = fabs(entry(x, i, j) - (j == x->n + i ? 1.0 : 0.0)) <= NOTHING;
        }
    }
    return is_so;
}

/* W, by a force on each independent velocity in turn. */
static void find_compliance(motion *x)
{
    bg__linearisation *l = x->l;

    for (size_t k = 0; k < x->n; k++) {
        int row = l->state[x->n + k];
        memset(l->right, 0, (size_t) l->m->dae.n * sizeof *l->right);
        l->right[row] = 1.0;
        ha__lu_solve_at_once(l->lu, l->k_value, l->right, l->solution);
        double sign = l->solution[row] < 0.0 ? -1.0 : 1.0; /* forces may be on either side */
        for (size_t i = 0; i < x->n; i++) {
            x->w[i * x->n + k] = sign * l->solution[l->state[x->n + i]];
        }
    }
}

static double largest_of(const motion *x, const double *a)
{
    double largest = 0.0;

    for (size_t k = 0; k < x->n * x->n; k++) {
        largest = isnan(a[k]) ? (double) INFINITY : fmax(largest, fabs(a[k]));
    }
    return largest;
}

/* The largest part of a - a'. */
static double asymmetry(const motion *x, const double *a)
{
    double largest = 0.0;

    for (size_t i = 0; i < x->n; i++) {
        for (size_t j = 0; j < i; j++) {
            largest = fmax(largest, fabs(a[i * x->n + j] - a[j * x->n + i]));
        }
    }
    return largest;
}

/* Whether -(a + a') / 2 has no eigenvalue below -shift; `room` (n x n). */
static bool is_negative(const motion *x, const double *a, double shift, double *room)
{
    for (size_t i = 0; i < x->n; i++) {
        for (size_t j = 0; j <= i; j++) {
            room[i * x->n + j] =
                -0.5 * (a[i * x->n + j] + a[j * x->n + i]) + (i == j ? shift : 0.0);
        }
    }
    return ha__dense_cholesky((int) x->n, room);
}

/* The largest row sum of magnitudes, at least the largest eigenvalue. */
static double norm_of(const motion *x, const double *a)
{
    double largest = 0.0;

    for (size_t i = 0; i < x->n; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < x->n; j++) {
            sum += fabs(a[i * x->n + j]);
        }
        largest = fmax(largest, sum);
    }
    return largest;
}

/* What the matrices say; W is overwritten. */
static bg_stability judge_energy(motion *x)
{
    double *l = x->w;

    if (!(asymmetry(x, l) <= SAME * largest_of(x, l)) || !ha__dense_cholesky((int) x->n, l)) {
        return BG_STABILITY_OPEN;
    }
    ha__dense_transform((int) x->n, l, x->s);
    ha__dense_transform((int) x->n, l, x->d);
    double size = norm_of(x, x->s), rate = sqrt(size) + norm_of(x, x->d);
    if (!(asymmetry(x, x->s) <= SAME * largest_of(x, x->s)) || !isfinite(rate) ||
        !is_negative(x, x->d, NOTHING * rate, x->w)) {
        return BG_STABILITY_OPEN;
    }
    if (is_negative(x, x->s, NOTHING * size, x->w)) {
        return BG_STABLE;
    }
    bool is_free = asymmetry(x, x->d) <= SAME * rate;
    return is_free && !is_negative(x, x->s, NEGATIVE * size, x->w) ? BG_UNSTABLE
                                                                   : BG_STABILITY_OPEN;
}

static ha_status judge_motion(bg__linearisation *l, bg_stability *stability)
{
    motion x = { .l = l, .n = (size_t) l->out->n_positions };
    double *room = NULL;

    if (!is_motion(&x)) {
        return HA_OK;
    }
    HA_TRY_ALLOC(l->ctx, room, 3 * x.n * x.n);
    x.w = room;
    x.s = x.w + x.n * x.n;
    x.d = x.s + x.n * x.n;
    find_compliance(&x);
    for (size_t i = 0; i < x.n; i++) {
        for (size_t j = 0; j < x.n; j++) {
            x.s[i * x.n + j] = entry(&x, x.n + i, j);
            x.d[i * x.n + j] = entry(&x, x.n + i, x.n + j);
        }
    }
    *stability = judge_energy(&x);
    ha__free(room);
    return HA_OK;
}

/* --- the whole ------------------------------------------------------------------------------ */

/* Whether one of the lowest modes grows. */
static ha_status judge_modes(ha_ctx *quiet, const bg_model *m, const bg_operating_point *point,
                             bg_stability *stability)
{
    bg_modal modal = { 0 };
    double largest = 0.0;

    ha_status status = bg_modes(quiet, m, point, 0, &modal);
    for (int k = 0; k < modal.n_modes && status == HA_OK; k++) {
        const double *value = modal.modes[k].eigenvalue;
        largest = fmax(largest, hypot(value[0], value[1]));
    }
    for (int k = 0; k < modal.n_modes && status == HA_OK; k++) {
        *stability = modal.modes[k].eigenvalue[0] > GROWS * largest ? BG_UNSTABLE : *stability;
    }
    bg_modal_clear(&modal);
    return status;
}

static ha_status judge(bg__linearisation *l, int *growing, bg_stability *stability)
{
    HA_TRY(bg__linear_begin(l));
    HA_TRY(bg__linear_finish(l));
    if (l->out->eigenvalues != NULL) {
        *growing = find_growing(l->out);
        *stability = *growing < 0 ? BG_STABLE : BG_UNSTABLE;
        return HA_OK;
    }
    HA_TRY(judge_motion(l, stability));
    return *stability != BG_STABILITY_OPEN ? HA_OK : judge_modes(l->ctx, l->m, l->point, stability);
}

ha_status bg__stability(const bg_model *m, const bg_operating_point *point, bg_linear *linear,
                        int *growing, bg_stability *stability)
{
    ha_ctx *quiet = ha_ctx_new(); /* of what fails here nobody is to hear */
    bg__linearisation l = {
        .ctx = quiet, .m = m, .point = point, .out = linear, .skips_outputs = true
    };

    *growing = -1;
    *stability = BG_STABILITY_OPEN;
    bg_linear_clear(linear);
    HA_TRY(quiet == NULL ? HA_ERR_MEMORY : HA_OK);
    ha_status status = judge(&l, growing, stability);
    bg__linear_release(&l);
    ha_ctx_free(quiet);
    return status == HA_ERR_MEMORY ? HA_ERR_MEMORY : HA_OK;
}
