/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Start values that have to agree. With the states y of a model, the conditions on its start are
 *
 *   g_i - s_i(y) = 0   for a storage in derivative causality whose start g_i is given,
 *   f_k(y) = 0         for a constraint on flows alone, a residual sink.
 *
 * The user gives some start values; storages without one follow, so that the conditions hold: from
 * y by Newton's method with the shortest step, d = J^T (J J^T)^+ c over the free states alone. Rows
 * of J that follow from others drop out in its orthogonalisation. Where nothing is free, or the
 * conditions contradict each other, the first that does not hold is named.
 */
#include <config.h>

#include "bondgraph/model/run_priv.h"
#include "lib/core/number.h"
#include "lib/core/random.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_PASSES = 8, DIRECTIONS = 3, MOST_ENTRIES = 10000000 };

static const double AGREES = 1e-9;  /* relatively: the same start */
static const double HELD = 1e-6;    /* of its terms: a constraint is kept */
static const double FLOOR = 1e-7;   /* [m/s, rad/s, A ...] below all absolute tolerances */
static const double NUDGE = 1e-4;   /* relatively: where differences are taken */
static const double FOLLOWS = 1e-9; /* of a row of J: its length behind the others */

typedef struct {
    ha_ctx *ctx;
    const bg_model *m;
    const double *parameters;
    double *work, *y, *yp;
    int n, n_dependents; /* conditions: dependents, then constraints */
    int n_free;
    int *free;          /* (n_free) states */
    double *c, *size;   /* (n) the conditions, and what they are measured by */
    double *other;      /* (n) conditions at another point */
    double *y_other;    /* (number of unknowns) */
    double *J;          /* (n x n_free) by rows */
    double *d;          /* (n_free) */
    double *checks;     /* (n_checks) */
    double *integrals;  /* (n_integrals) zeros */
    double *dependents; /* (n_dependents) */
} conditions;

static void conditions_clear(conditions *s)
{
    HA_FREE(s->free, s->c, s->size, s->other, s->y_other, s->J, s->d, s->checks, s->integrals,
            s->dependents);
}

static int n_flows(const bg_model *m)
{
    int n = 0;

    for (int i = 0; i < m->n_constraints; i++) {
        n += m->is_position[i] ? 0 : 1;
    }
    return n;
}

static ha_status conditions_init(conditions *s)
{
    const bg_model *m = s->m;

    s->n_dependents = m->n_dependents;
    s->n = m->n_dependents + n_flows(m);
    HA_TRY_ALLOC(s->ctx, s->checks, m->dae.n_checks, s->integrals, m->dae.n_integrals);
    HA_TRY_ALLOC(s->ctx, s->dependents, m->n_dependents);
    HA_TRY_ALLOC_EACH(s->ctx, m->dae.n, s->free, s->y_other);
    HA_TRY_ALLOC_EACH(s->ctx, s->n, s->c, s->size, s->other);
    for (int j = 0; j < m->dae.n; j++) {
        if (m->follows[j]) {
            s->free[s->n_free++] = j;
        }
    }
    return HA_OK;
}

/* The conditions at y. */
static void evaluate(conditions *s, const double *y, double *c)
{
    const bg_model *m = s->m;
    int n = s->n_dependents;

    bg__model_dependents(m, s->work, y, s->yp, s->dependents);
    m->dae.check(m, s->work, 0.0, y, s->yp, s->integrals, s->checks);
    for (int i = 0; i < n; i++) {
        c[i] = m->dependents[i].given - s->dependents[i];
    }
    for (int i = 0; i < m->n_constraints; i++) {
        if (!m->is_position[i]) {
            c[n++] = s->checks[i];
        }
    }
}

/* What a constraint is measured by: the sum of its terms, seen where all states change by a share
   of their own, in three directions. */
static void measure(conditions *s)
{
    uint32_t state = 1;

    for (int i = 0; i < s->n; i++) {
        double given = i < s->n_dependents ? fabs(s->m->dependents[i].given) : 0.0;
        s->size[i] = i < s->n_dependents ? fmax(given, fabs(given - s->c[i])) : 0.0;
    }
    for (int turn = 0; turn < DIRECTIONS; turn++) {
        for (int j = 0; j < s->m->dae.n; j++) {
            s->y_other[j] = s->y[j] * (1.0 + NUDGE * ha__random_sign(&state));
        }
        evaluate(s, s->y_other, s->other);
        for (int i = s->n_dependents; i < s->n; i++) {
            double change = fabs(s->other[i] - s->c[i]) / NUDGE;
            s->size[i] = isfinite(change) ? fmax(s->size[i], change) : s->size[i];
        }
    }
}

static bool holds(const conditions *s, int i)
{
    return i < s->n_dependents ? fabs(s->c[i]) <= AGREES * s->size[i]
                               : !(fabs(s->c[i]) > HELD * s->size[i] + FLOOR);
}

/* The first condition that does not hold; -1: all do. */
static int find_broken(const conditions *s)
{
    int i = 0;

    while (i < s->n && holds(s, i)) {
        i++;
    }
    return i < s->n ? i : -1;
}

/* J, by differences between consistent starts: what depends may be an algebraic unknown. */
static ha_status differentiate(conditions *s)
{
    const size_t size = (size_t) s->m->dae.n * sizeof *s->y;

    for (int k = 0; k < s->n_free; k++) {
        int j = s->free[k];
        double step = NUDGE * fmax(fabs(s->y[j]), 1.0);
        memcpy(s->y_other, s->y, size);
        s->y_other[j] += step;
        HA_TRY(ha_dae_start(s->ctx, &s->m->dae, s->parameters, 0.0, s->y_other, s->yp));
        evaluate(s, s->y_other, s->other);
        for (int i = 0; i < s->n; i++) {
            s->J[(size_t) i * (size_t) s->n_free + (size_t) k] = (s->other[i] - s->c[i]) / step;
        }
    }
    return HA_OK;
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0.0;

    for (int k = 0; k < n; k++) {
        sum += a[k] * b[k];
    }
    return sum;
}

static void add_times(double *a, double factor, const double *b, int n)
{
    for (int k = 0; k < n; k++) {
        a[k] += factor * b[k];
    }
}

/* The shortest d with J d = -c: the rows of J are made orthonormal one after the other, and d gets
   along each what is left of its condition. J is spoilt. */
static void solve(conditions *s)
{
    const int n = s->n_free;

    memset(s->d, 0, (size_t) n * sizeof *s->d);
    for (int i = 0; i < s->n; i++) {
        double *row = s->J + (size_t) i * (size_t) n;
        double length = sqrt(dot(row, row, n)), rest = s->c[i] + dot(row, s->d, n);
        for (int turn = 0; turn < 2; turn++) {
            for (int h = 0; h < i; h++) {
                const double *before = s->J + (size_t) h * (size_t) n;
                add_times(row, -dot(row, before, n), before, n);
            }
        }
        double left = sqrt(dot(row, row, n));
        bool is_new = left > FOLLOWS * length && isfinite(rest / left);
        if (is_new) {
            add_times(s->d, -rest / (left * left), row, n);
        }
        for (int k = 0; k < n; k++) {
            row[k] = is_new ? row[k] / left : 0.0;
        }
    }
}

/* Moves the free states until the conditions hold, as far as they can. */
static ha_status move(conditions *s, int *broken)
{
    if (s->n_free == 0 || (size_t) s->n * (size_t) s->n_free > MOST_ENTRIES) {
        return HA_OK;
    }
    HA_TRY_ALLOC(s->ctx, s->J, (size_t) s->n * (size_t) s->n_free, s->d, s->n_free);
    for (int pass = 0; pass < MOST_PASSES && *broken >= 0; pass++) {
        HA_TRY(differentiate(s));
        solve(s);
        for (int k = 0; k < s->n_free; k++) {
            s->y[s->free[k]] += s->d[k];
        }
        HA_TRY(ha_dae_start(s->ctx, &s->m->dae, s->parameters, 0.0, s->y, s->yp));
        evaluate(s, s->y, s->c);
        measure(s);
        *broken = find_broken(s);
    }
    return HA_OK;
}

static ha_status refuse_dependent(const conditions *s, int i)
{
    const bg__eq_dependent *d = &s->m->dependents[i];
    char given[HA__NUMBER_SIZE], follows[HA__NUMBER_SIZE];

    return ha_fail(s->ctx, HA_ERR_VALUE, d->where,
                   "`%s` depends on other storages, from whose start values its own follows as %s; "
                   "the given %s = %s disagrees: leave it out or change the others",
                   d->name, ha__print_rounded_number(follows, d->given - s->c[i], 12),
                   d->is_momentum ? "p" : "q", ha__print_rounded_number(given, d->given, 12));
}

static ha_status refuse_constraint(const conditions *s, int i)
{
    int number = -1;
    char found[HA__NUMBER_SIZE];

    for (int left = i - s->n_dependents; left >= 0; left--) {
        do {
            number++;
        } while (s->m->is_position[number]);
    }
    return ha_fail(s->ctx, HA_ERR_VALUE, HA_NOWHERE,
                   "the start values contradict the %s: it holds a flow at 0, which they make %s "
                   "(in SI units); change them, or leave out one that may follow from the others",
                   s->m->constraints[number], ha__print_rounded_number(found, s->c[i], 6));
}

static ha_status meet(conditions *s)
{
    HA_TRY(conditions_init(s));
    evaluate(s, s->y, s->c);
    measure(s);

    int broken = find_broken(s);
    if (broken >= 0) {
        HA_TRY(move(s, &broken));
    }
    return broken < 0                 ? HA_OK
           : broken < s->n_dependents ? refuse_dependent(s, broken)
                                      : refuse_constraint(s, broken);
}

ha_status bg__meet_start(ha_ctx *ctx, const bg_model *m, const double *parameters, double *work,
                         double *y, double *yp)
{
    conditions s = { .ctx = ctx, .m = m, .parameters = parameters, .work = work, .y = y, .yp = yp };
    ha_status status = m->n_dependents + n_flows(m) == 0 ? HA_OK : meet(&s);

    conditions_clear(&s);
    return status;
}
