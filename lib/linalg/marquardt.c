/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nonlinear least squares within bounds: the method of Levenberg and Marquardt as MINPACK has it
 * (More, in: Numerical Analysis, Lecture Notes in Mathematics 630, 1978), by cminpack.
 *
 * MINPACK knows no bounds. Variables beyond a bound are taken to stand at it: r(x) is r(P x), with
 * the projection P onto the bounds, and a variable beyond one has the derivative 0. What is at its
 * bound at the end of a search is held there if the gradient A' r says that r would be smaller
 * beyond it, and is free otherwise; the search is repeated over the free variables until that
 * changes no more. |r| never grows, neither in a search nor from one to the next.
 *
 * Next to the minimum |r|^2 changes by less than r is wrong by, and no reduction tells how near it
 * is. The derivatives of it do: A' r = 0 is solved on by the steps d of Gauss and Newton, A d = r,
 * as long as each is half as long as the one before, by |A d|, or less.
 *
 * At an x without residuals they are taken to be huge: MINPACK then makes the step ten times
 * shorter.
 */
#include <config.h>

#include "lib/linalg/marquardt.h"

#include "lib/core/mem.h"
#include "lib/linalg/least.h"

#include <cminpack.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_LAST = 20 };

static const double HUGE_RESIDUAL = 1e100;
static const double GRADIENT = 1e-10;  /* cosine between r and the columns of A: orthogonal */
static const double REDUCTION = 1e-12; /* of |r|^2: none */
static const double FIRST_STEP = 0.5;  /* of |x|, in the scale of the columns; all of it would take
                                          a single variable to 0, which is unlike its neighbours */
static const double LOOSE = 1e-8;      /* of singular values: a combination that r does not tell */
static const double NEAR = 1e-10;      /* of |r|: a step that leads nowhere */
static const double NOISE = 1e-6;      /* of |r|: it has not grown */
static const double GAIN = 1e-10;      /* of |r|: less is none, from search to search */

typedef struct {
    ha_ctx *ctx;
    const ha__marquardt_def *def;
    ha__marquardt_report *report;
    double *x; /* (n) all variables, within their bounds */
    double *a; /* (m x n) */
    int *free; /* (n_free) numbers of those that are not held */
    int n_free;
    double *work; /* (n) free variables, and what MINPACK needs */
    int *pivots;  /* (n) */
    ha_status status;
} search;

static double within(const search *s, int j, double x)
{
    return fmin(fmax(x, s->def->least[j]), s->def->most[j]);
}

static bool is_at_bound(const search *s, int j)
{
    return s->x[j] <= s->def->least[j] || s->x[j] >= s->def->most[j];
}

static ha_status find_residuals(search *s, double *r, bool *exists)
{
    *exists = true;
    s->report->evaluations++;
    HA_TRY(s->def->residuals(s->def->user, s->x, r, exists));
    for (int i = 0; i < s->def->m && *exists; i++) {
        *exists = isfinite(r[i]) != 0;
    }
    return HA_OK;
}

static ha_status find_jacobian(search *s)
{
    s->report->jacobians++;
    return s->def->jacobian(s->def->user, s->x, s->a);
}

/* What MINPACK calls: residuals for `flag` 1, else derivatives. */
static int evaluate(void *user, int m, int n, const double *x, double *r, double *a, int ld,
                    int flag)
{
    search *s = user;
    bool exists = true;

    for (int k = 0; k < n; k++) {
        s->x[s->free[k]] = within(s, s->free[k], x[k]);
    }
    s->status = flag == 1 ? find_residuals(s, r, &exists) : find_jacobian(s);
    if (s->status != HA_OK) {
        return -1;
    }
    s->report->shortened += exists ? 0 : 1;
    for (int i = 0; i < m && !exists; i++) {
        r[i] = HUGE_RESIDUAL;
    }
    for (int k = 0; k < n && flag != 1; k++) {
        double *column = a + (size_t) k * (size_t) ld;
        const double *from = s->a + (size_t) s->free[k] * (size_t) m;
        bool is_beyond = s->x[s->free[k]] < x[k] || s->x[s->free[k]] > x[k];
        for (int i = 0; i < m; i++) {
            column[i] = is_beyond ? 0.0 : from[i];
        }
    }
    return 0;
}

/* A search over the free variables. */
static ha_status find_over_free(search *s, double *r)
{
    const ha__marquardt_def *def = s->def;
    int m = def->m, n = s->n_free, n_evaluations = 0, n_jacobians = 0;
    size_t width = (size_t) n;
    double *x = s->work, *scale = x + width, *qtf = scale + width, *wa = qtf + width,
           *wa4 = wa + 3 * width, *a = wa4 + m;
    int left = def->most_evaluations - s->report->evaluations;

    for (int k = 0; k < n; k++) {
        x[k] = s->x[s->free[k]];
    }
    int info = lmder(evaluate, s, m, n, x, r, a, m, REDUCTION, def->tolerance, GRADIENT,
                     left > 1 ? left : 1, scale, 1, FIRST_STEP, 0, &n_evaluations, &n_jacobians,
                     s->pivots, qtf, wa, wa + width, wa + 2 * width, wa4);
    HA_TRY(s->status);
    if (info <= 0) {
        return ha_fail(s->ctx, HA_ERR_INTERNAL, HA_NOWHERE,
                       "a fit of %d variables to %d numbers was refused", n, m);
    }
    for (int k = 0; k < n; k++) {
        s->x[s->free[k]] = within(s, s->free[k], x[k]);
    }
    s->report->has_converged = info != 5;
    return HA_OK;
}

/* Holds what is at a bound beyond which r would be smaller; true when others are held than before.
 */
static bool choose_held(search *s, const double *r, bool *is_held)
{
    bool changes = false;

    s->n_free = 0;
    for (int j = 0; j < s->def->n; j++) {
        const double *column = s->a + (size_t) j * (size_t) s->def->m;
        double gradient = 0.0;
        for (int i = 0; i < s->def->m; i++) {
            gradient += column[i] * r[i];
        }
        bool holds = s->x[j] <= s->def->least[j]  ? gradient > 0.0
                     : s->x[j] >= s->def->most[j] ? gradient < 0.0
                                                  : false;
        changes = changes || holds != is_held[j];
        is_held[j] = holds;
        if (!holds) {
            s->free[s->n_free++] = j;
        }
    }
    return changes;
}

/* A free variable that stands at a bound may have been stopped there on its way. */
static bool is_one_stopped(const search *s)
{
    for (int k = 0; k < s->n_free; k++) {
        if (is_at_bound(s, s->free[k])) {
            return true;
        }
    }
    return false;
}

static double norm_of(int m, const double *r)
{
    double sum = 0.0;

    for (int i = 0; i < m; i++) {
        sum += r[i] * r[i];
    }
    return sqrt(sum);
}

static ha_status find(search *s, double *r, bool *is_held)
{
    bool exists = true;
    double before = INFINITY;

    HA_TRY(find_residuals(s, r, &exists));
    if (!exists) {
        return ha_fail(s->ctx, HA_ERR_VALUE, HA_NOWHERE,
                       "the fit cannot begin: there is no run with the start values");
    }
    HA_TRY(find_jacobian(s));
    (void) choose_held(s, r, is_held);
    s->report->has_converged = true;
    for (int round = 0; s->n_free > 0 && round < 3 * s->def->n + 3; round++) {
        HA_TRY(find_over_free(s, r));
        HA_TRY(find_jacobian(s));
        double norm = norm_of(s->def->m, r);
        bool changes = choose_held(s, r, is_held);
        if (!s->report->has_converged ||
            (!changes && (!is_one_stopped(s) || norm >= (1.0 - GAIN) * before))) {
            break;
        }
        before = norm;
    }
    return HA_OK;
}

/* --- the last steps ------------------------------------------------------------------------- */

/* What the last steps need. */
typedef struct {
    double *a;     /* (m x n_free) by rows, columns of length 1 */
    double *scale; /* (n_free) lengths of the columns */
    double *d;     /* (n_free) */
    double *x;     /* (n) before the step */
    double *r;     /* (m) after the step */
} last_steps;

/* The step over the free variables, and |A d|. */
static ha_status find_step(search *s, last_steps *l, const double *r, double *length)
{
    size_t m = (size_t) s->def->m, n = (size_t) s->n_free;
    int rank = 0;

    for (size_t k = 0; k < n; k++) {
        const double *column = s->a + (size_t) s->free[k] * m;
        double norm = norm_of(s->def->m, column);
        l->scale[k] = norm > 0.0 ? norm : 1.0;
        for (size_t i = 0; i < m; i++) {
            l->a[i * n + k] = column[i] / l->scale[k];
        }
    }
    HA_TRY(ha__least_squares(s->ctx, s->def->m, s->n_free, l->a, r, LOOSE, l->d, &rank));
    double sum = 0.0;
    for (size_t i = 0; i < m; i++) {
        double part = 0.0;
        for (size_t k = 0; k < n; k++) {
            part += l->a[i * n + k] * l->d[k];
        }
        sum += part * part;
    }
    *length = sqrt(sum);
    return HA_OK;
}

/* Takes the step where it stays within the bounds and |r| does not grow by more than its noise. */
static ha_status take_step(search *s, last_steps *l, double *r, bool *is_taken)
{
    const ha__marquardt_def *def = s->def;

    *is_taken = true;
    memcpy(l->x, s->x, (size_t) def->n * sizeof *l->x);
    for (int k = 0; k < s->n_free; k++) {
        int j = s->free[k];
        s->x[j] -= l->d[k] / l->scale[k];
        *is_taken = *is_taken && s->x[j] > def->least[j] && s->x[j] < def->most[j];
    }
    if (*is_taken) {
        HA_TRY(find_residuals(s, l->r, is_taken));
        *is_taken = *is_taken && norm_of(def->m, l->r) <= (1.0 + NOISE) * norm_of(def->m, r);
    }
    if (*is_taken) {
        memcpy(r, l->r, (size_t) def->m * sizeof *r);
        return find_jacobian(s);
    }
    memcpy(s->x, l->x, (size_t) def->n * sizeof *l->x);
    return HA_OK;
}

static ha_status go_on(search *s, last_steps *l, double *r)
{
    double before = INFINITY, length = 0.0;
    bool is_taken = true;

    for (int i = 0; i < MOST_LAST && is_taken; i++) {
        HA_TRY(find_step(s, l, r, &length));
        if (!(length <= 0.5 * before) || length <= NEAR * norm_of(s->def->m, r)) {
            break;
        }
        before = length;
        HA_TRY(take_step(s, l, r, &is_taken));
    }
    return HA_OK;
}

/* Steps of Gauss and Newton from where the search has ended. */
static ha_status take_last_steps(search *s, double *r)
{
    size_t m = (size_t) s->def->m, n = (size_t) s->def->n;
    double *room = ha__alloc(s->ctx, m * n + 3 * n + m, sizeof *room);

    HA_TRY_MEMORY(room);
    last_steps l = { .a = room,
                     .scale = room + m * n,
                     .d = room + m * n + n,
                     .x = room + m * n + 2 * n,
                     .r = room + m * n + 3 * n };
    return ha__then_free(go_on(s, &l, r), room);
}

/* --- the whole ------------------------------------------------------------------------------ */

ha_status ha__marquardt(ha_ctx *ctx, const ha__marquardt_def *def, double *x, double *r, double *a,
                        bool *is_held, ha__marquardt_report *report)
{
    size_t m = (size_t) def->m, n = (size_t) def->n;
    search s = { .ctx = ctx, .def = def, .report = report, .x = x, .a = a };

    *report = (ha__marquardt_report){ 0 };
    memset(is_held, 0, n * sizeof *is_held);
    s.free = ha__alloc(ctx, n, sizeof *s.free);
    s.pivots = ha__alloc(ctx, n, sizeof *s.pivots);
    s.work = ha__alloc(ctx, 6 * n + m + m * n, sizeof *s.work);
    ha_status status = s.free == NULL || s.pivots == NULL || s.work == NULL ? HA_ERR_MEMORY : HA_OK;
    HA_THEN(status, find(&s, r, is_held));
    if (status == HA_OK && report->has_converged && s.n_free > 0) {
        status = take_last_steps(&s, r);
    }
    HA_FREE(s.free, s.pivots, s.work);
    return status;
}
