/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The derivatives of the differential unknowns y_d as a function of the time and of them,
 *
 *     y_d' = g(t, y_d),   from  F(t, y, y') = 0  for  x = (y_d', y_a).
 *
 * F is affine in x for a mechanism: F = K x + r with K and r functions of t and y_d alone, so that
 * one linear system gives the accelerations and the multipliers. A model that knows this evaluates
 * K and r together (ha_dae.start_system). Other systems are solved by Newton's method from the last
 * x, with K = dF/dx read from the Jacobian.
 *
 * K is solved behind its diagonal: rows of positions have nothing else, those of velocities a mass
 * and the multipliers that act there. With M the masses and G the constraints what is left is the
 * Schur complement G M^-1 G' of the multipliers, on the graph of the constraints. Where it is
 * symmetric, as that of constraints is that do no work, it is factored as such (lib/linalg/ldl.c),
 * else by KLU (lib/linalg/lu.c).
 */
#include <config.h>

#include "lib/dae/explicit/dae_rates.h"

#include "lib/core/mem.h"
#include "lib/dae/method/newton.h"
#include "lib/linalg/ldl.h"
#include "lib/linalg/lu.h"

#include <math.h>
#include <string.h>

enum {
    MAX_ITERATIONS = 8,
    CROWDED = 32, /* entries of a column */
    AT_ONCE = 4   /* unknowns, for vector registers */
};

static const double CONVERGED = 1e-12; /* change of an unknown beside it and its scale */
static const double CLEAR = 1e-6;      /* least term of a row beside that of a good pivot */

struct ha__rates {
    ha_ctx *ctx;
    const ha_dae *dae;
    double *work;
    ha_dae_stats *stats;
    const int64_t *start, *row; /* pattern of K */
    double *found;              /* of a start system: what changes of K, r, the constants of K */
    int64_t n_found;            /* up to the constants */
    double *value;              /* K; of a start system for KLU alone */
    double *by_yp;              /* Jacobian less K's other part; NULL: a start system is there */
    double *r;                  /* (n), of a start system in `found` */
    double *x;                  /* (n) */
    int *order;                 /* (n) unknowns, the differential ones before the others */
    int n_differential;
    int n_leading;           /* of these stand before all others as it is */
    signed char *eliminated; /* (n) */
    ha__ldl *ldl;            /* where rows times 1 or -1 make K symmetric, NULL: they do not */
    ha__lu *lu;              /* else; both NULL: there was no evaluation yet */
    double t;                /* of the values under way, */
    double *y, *yp;          /* the caller's */
    bool is_still;           /* the last step changed nothing */
    ha_status status;        /* of what stopped it */
    int64_t bad;             /* equation that was not finite, -1: none */
    double bad_value;
};

static bool is_affine(const ha__rates *g)
{
    return g->dae->start_system != NULL;
}

/* Room for the values of K and r, the constants in their place. */
static ha_status init_values(ha__rates *g)
{
    const ha_dae *dae = g->dae;

    HA_TRY_ALLOC(g->ctx, g->value, g->start[dae->n]);
    if (!is_affine(g)) {
        HA_TRY_ALLOC(g->ctx, g->by_yp, g->start[dae->n], g->found, dae->n);
        g->n_found = dae->n;
        g->r = g->found;
        return HA_OK;
    }
    g->n_found = (int64_t) dae->n_start_values + dae->n;
    HA_TRY_ALLOC(g->ctx, g->found, g->n_found + dae->n_start_constants);
    memcpy(g->found + g->n_found, dae->start_constant,
           (size_t) dae->n_start_constants * sizeof *g->found);
    g->r = g->found + dae->n_start_values;
    return HA_OK;
}

static ha_status init(ha__rates *g)
{
    const ha_dae *dae = g->dae;

    g->start = is_affine(g) ? dae->start_column : dae->column_start;
    g->row = is_affine(g) ? dae->start_row : dae->row;
    HA_TRY(init_values(g));
    HA_TRY_ALLOC_EACH(g->ctx, dae->n, g->x, g->eliminated, g->order);
    for (int j = 0; j < dae->n; j++) {
        g->n_differential += dae->unknowns[j].kind == HA_DIFFERENTIAL ? 1 : 0;
    }
    for (int j = 0, k = 0, l = g->n_differential; j < dae->n; j++) {
        g->order[dae->unknowns[j].kind == HA_DIFFERENTIAL ? k++ : l++] = j;
    }
    while (g->n_leading < g->n_differential && g->order[g->n_leading] == g->n_leading) {
        g->n_leading++;
    }
    return HA_OK;
}

ha_status ha__rates_new(ha_ctx *ctx, const ha_dae *dae, double *work, ha_dae_stats *stats,
                        ha__rates **out)
{
    ha__rates *g = ha__alloc(ctx, 1, sizeof *g);

    HA_TRY_MEMORY(g);
    *g = (ha__rates){ .ctx = ctx, .dae = dae, .work = work, .stats = stats, .bad = -1 };
    ha_status status = init(g);
    return HA_GIVE(status, g, ha__rates_free, out);
}

void ha__rates_free(ha__rates *g)
{
    if (g != NULL) {
        ha__ldl_free(g->ldl);
        ha__lu_free(g->lu);
        HA_FREE(g->found, g->value, g->by_yp, g->x, g->eliminated, g->order, g);
    }
}

int64_t ha__rates_bad(const ha__rates *g, double *value)
{
    *value = g->bad_value;
    return g->bad;
}

double ha__rates_condition(const ha__rates *g)
{
    if (g->bad >= 0) {
        return 0.0;
    }
    return g->ldl != NULL  ? ha__ldl_condition(g->ldl)
           : g->lu != NULL ? ha__lu_condition(g->lu)
                           : 0.0;
}

bool ha__rates_is_symmetric(const ha__rates *g)
{
    return g->ldl != NULL;
}

/* dF/dx of a system that is not affine. */
static void find_jacobian(ha__rates *g, double t, const double *y, const double *yp)
{
    const ha_dae *dae = g->dae;

    dae->jacobian(dae->model, g->work, t, 0.0, y, yp, g->value);
    dae->jacobian(dae->model, g->work, t, 1.0, y, yp, g->by_yp);
    for (int j = 0; j < dae->n; j++) {
        for (int64_t k = g->start[j];
             dae->unknowns[j].kind == HA_DIFFERENTIAL && k < g->start[j + 1]; k++) {
            g->value[k] = g->by_yp[k] - g->value[k];
        }
    }
}

/* K of a start system entry by entry. */
static void list_entries(ha__rates *g)
{
    for (int64_t k = 0; k < g->start[g->dae->n]; k++) {
        g->value[k] = g->found[g->dae->start_index[k]];
    }
}

/* Notes the first row with a value that is not finite, -1: there is none. */
static void note_bad(ha__rates *g)
{
    const ha_dae *dae = g->dae;

    g->bad = ha__first_not_finite(g->r, dae->n);
    g->bad_value = g->bad >= 0 ? g->r[g->bad] : 0.0;
    int64_t entry = g->bad >= 0 ? -1 : ha__first_not_finite(g->value, g->start[dae->n]);
    if (entry >= 0) {
        g->bad = g->row[entry];
        g->bad_value = g->value[entry];
    }
}

/* K and F at a point; for an affine system F is that at x = 0. False where one is not finite. */
static bool evaluate(ha__rates *g, double t, const double *y, const double *yp)
{
    const ha_dae *dae = g->dae;
    bool is_finite = false;

    g->stats->residual_evaluations++;
    g->stats->jacobian_evaluations++;
    if (is_affine(g)) {
        dae->start_system(dae->model, g->work, t, y, g->found); /* r is behind K */
        is_finite = ha__first_not_finite(g->found, g->n_found) < 0;
        if (!is_finite || g->ldl == NULL) {
            list_entries(g);
        }
    } else {
        dae->residual(dae->model, g->work, t, y, yp, g->r);
        find_jacobian(g, t, y, yp);
    }
    g->bad = -1;
    if (!is_finite) {
        note_bad(g);
    }
    return g->bad < 0;
}

/* The diagonal entry of column j. */
static double diagonal(const ha__rates *g, int j)
{
    for (int64_t k = g->start[j]; k < g->start[j + 1]; k++) {
        if (g->row[k] == j) {
            return fabs(g->value[k]);
        }
    }
    return 0.0;
}

/* Finds of each row of constraints the largest of the terms g^2 / m of G M^-1 G', the inverse of
   the mass that the multiplier feels, and the largest but this one: terms of a row have the same
   unit. */
static void find_terms(const ha__rates *g, double (*most)[2])
{
    for (int j = 0; j < g->dae->n; j++) {
        double mass = diagonal(g, j);
        for (int64_t k = g->start[j]; mass > 0.0 && k < g->start[j + 1]; k++) {
            double term = g->value[k] * g->value[k] / mass;
            double *row = most[g->row[k]];
            row[1] = fmax(row[1], fmin(row[0], term));
            row[0] = fmax(row[0], term);
        }
    }
}

/* True when the diagonal entry of column j is a good pivot: it is there, and no other mass is lost
   beside it in a row of constraints. */
static bool has_pivot(const ha__rates *g, int j, double (*most)[2])
{
    double mass = diagonal(g, j);

    for (int64_t k = g->start[j]; mass > 0.0 && k < g->start[j + 1]; k++) {
        double term = g->value[k] * g->value[k] / mass;
        const double *row = most[g->row[k]];
        if (g->row[k] != j && row[1] > 0.0 && row[1] < CLEAR * term) {
            return false;
        }
    }
    return mass > 0.0;
}

/* Chooses differential unknowns whose derivatives do not meet: the positions and, where masses are
   diagonal, the velocities. */
static ha_status choose_eliminated(ha__rates *g)
{
    const ha_dae *dae = g->dae;
    double(*most)[2] = ha__alloc(g->ctx, (size_t) dae->n, sizeof *most);

    HA_TRY_MEMORY(most);
    find_terms(g, most);
    for (int j = 0; j < dae->n; j++) {
        g->eliminated[j] = dae->unknowns[j].kind == HA_DIFFERENTIAL && has_pivot(g, j, most);
    }
    ha__free(most);
    for (int j = 0; j < dae->n; j++) {
        for (int64_t k = g->start[j]; k < g->start[j + 1]; k++) {
            if (g->row[k] != j && g->eliminated[g->row[k]] != 0) {
                g->eliminated[j] = 0; /* it meets another one */
            }
        }
    }
    return HA_OK;
}

/* Chooses how K is solved, which the first one shows. */
static ha_status choose_solver(ha__rates *g)
{
    HA_TRY(choose_eliminated(g));
    if (is_affine(g)) {
        const ha__ldl_system system = { .n = g->dae->n,
                                        .start = g->start,
                                        .row = g->row,
                                        .slot = g->dae->start_index,
                                        .n_changing = (int) g->n_found,
                                        .first = g->eliminated };
        HA_TRY(ha__ldl_new(g->ctx, &system, g->found, &g->ldl));
    }
    return HA_OK;
}

/* Leaves unknowns with many neighbours to KLU: eliminated first they would tie all of these to one
   another, as the body does that hundreds of others are hinged to. */
static void keep_crowded(ha__rates *g)
{
    for (int j = 0; j < g->dae->n; j++) {
        if (g->start[j + 1] - g->start[j] > CROWDED) {
            g->eliminated[j] = 0;
        }
    }
}

/* x = K^-1 r by KLU. */
static ha_status solve_generally(ha__rates *g, bool *is_done)
{
    if (g->lu == NULL) {
        keep_crowded(g);
        HA_TRY(ha__lu_new(g->ctx, g->dae->n, g->start, g->row, g->eliminated, &g->lu));
    }
    ha__lu_flag flag = ha__lu_factor_safely(g->lu, g->value);
    *is_done = flag == HA__LU_DONE;
    if (*is_done) {
        ha__lu_solve_at_once(g->lu, g->value, g->r, g->x);
    }
    return flag == HA__LU_FAILED ? HA_ERR_MEMORY : HA_OK;
}

/* x = K^-1 r; `*is_done` is false where K is singular or x not finite. */
static ha_status solve(ha__rates *g, bool *is_done)
{
    if (g->ldl == NULL && g->lu == NULL) {
        HA_TRY(choose_solver(g));
    }
    if (g->ldl != NULL && !ha__ldl_solve(g->ldl, g->found, g->r, g->x, is_done)) {
        ha__ldl_free(g->ldl); /* it was symmetric by chance */
        g->ldl = NULL;
        list_entries(g);
    }
    if (g->ldl == NULL) {
        HA_TRY(solve_generally(g, is_done));
    }
    *is_done = *is_done && ha__first_not_finite(g->x, g->dae->n) < 0;
    return HA_OK;
}

ha_status ha__rates_solve(ha__rates *g, double *x, bool *is_done)
{
    const size_t bytes = (size_t) g->dae->n * sizeof *x;

    memcpy(g->r, x, bytes);
    HA_TRY(solve(g, is_done));
    memcpy(x, g->x, bytes);
    return HA_OK;
}

/* to = -x of AT_ONCE unknowns */
static inline void negate(const double *restrict x, double *restrict to)
{
    for (int i = 0; i < AT_ONCE; i++) {
        to[i] = -x[i];
    }
}

/* Takes the solution of an affine system over. */
static void take_all(const ha__rates *g, double *y, double *yp)
{
    int k = 0;

    for (; k + AT_ONCE <= g->n_leading; k += AT_ONCE) {
        negate(g->x + k, yp + k);
    }
    for (; k < g->n_differential; k++) {
        int j = g->order[k];
        yp[j] = -g->x[j];
    }
    for (; k < g->dae->n; k++) {
        int j = g->order[k];
        y[j] = -g->x[j];
    }
}

/* K and F at the values, and what solves them. */
static ha__newton_state find_step(void *user, int k)
{
    ha__rates *g = user;
    bool is_solved = evaluate(g, g->t, g->y, g->yp);

    (void) k;
    g->status = is_solved ? solve(g, &is_solved) : HA_OK;
    return g->status == HA_OK && is_solved ? HA__NEWTON_GOES_ON : HA__NEWTON_STOPPED;
}

static bool take_step(void *user, double share)
{
    ha__rates *g = user;

    g->is_still = true;
    for (int k = 0; k < g->dae->n; k++) {
        int j = g->order[k];
        double *to = k < g->n_differential ? &g->yp[j] : &g->y[j];
        double least = CONVERGED * (fabs(*to) + g->dae->unknowns[j].scale);
        g->is_still = g->is_still && fabs(g->x[j]) <= least;
        *to -= share * g->x[j];
    }
    g->stats->newton_iterations++;
    return true;
}

static ha__newton_state judge(void *user, int k)
{
    const ha__rates *g = user;

    (void) k;
    return g->is_still ? HA__NEWTON_DONE : HA__NEWTON_GOES_ON;
}

ha_status ha__rates_evaluate(ha__rates *g, double t, double *y, double *yp, bool *is_good)
{
    static const ha__newton method = { MAX_ITERATIONS, 0, find_step, take_step, judge };

    g->t = t;
    g->y = y;
    g->yp = yp;
    if (is_affine(g)) { /* one step from x = 0 */
        *is_good = find_step(g, 0) == HA__NEWTON_GOES_ON;
        if (*is_good) {
            take_all(g, y, yp);
        }
    } else {
        *is_good = ha__newton_iterate(&method, g) == HA__NEWTON_DONE;
    }
    return g->status;
}
