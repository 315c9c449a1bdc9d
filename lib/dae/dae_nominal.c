/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nominal sizes of the unknowns, which absolute tolerances follow where none is given.
 *
 * The error of unknown j may then be rtol (|y_j| + N_j) in a step, with
 *
 *   N_j(t) = max( M_j(t), K_j(t) ),   M_j(t) = max |y_j| up to t,
 *
 * and K_j what its kin say of one that is 0 by nature or as yet:
 *
 *   given        K_j = the nominal value of the model,
 *   a position   K_j = L_j, the size of the mechanism: where its origin is means nothing,
 *   a velocity   K_j = 0.01 L_j max_k M_k / L_k over all of them, at least 1e-4 L_j / T: what is at
 *                rest has no size of its own, and an error of that leads to less than one of L_j,
 *   a storage    K_j = 1e-4 sqrt(2 E / h_j), E = max_k h_k M_k^2 / 2,
 *                h the curvature of its energy,
 *   an integral  K_j = 1e-4 T max_k |a_jk| N_k, where y_j' = sum a_jk y_k does not read y_j.
 *
 * So tolerances are in the units of the unknowns: other units give the same steps. M grows with the
 * solution and K with M, without a jump. At the start, and after events, M_j is at least 1e-9 T
 * |y_j'|, with T the end time: what begins at 0 begins with short steps and has its size soon. For
 * sources that are 0 at the start the rates at later times are looked at, too. An unknown of which
 * all this says nothing has N_j = 1, in SI units, until an event tells more.
 */
#include <config.h>

#include "lib/dae/dae_nominal.h"

#include "lib/core/mem.h"

#include <math.h>
#include <string.h>

static const double SPEEDS = 0.01, KIN = 1e-4; /* shares of what is usual for kin */
static const double BEGIN = 1e-9; /* of the end time: what an unknown gets to in it is its least */

static const double LEAST = 0.01; /* of a usual way in the run: less is rest */

/* Times at which sources are looked at, in the run. */
static const double looks[] = { 1e-6, 1e-3, 0.03, 0.17, 0.41, 0.77 };

static bool is_tested(const ha_dae *dae, int j)
{
    ha_unknown_kind kind = dae->unknowns[j].kind;

    return kind == HA_DIFFERENTIAL || kind == HA_ALGEBRAIC_TESTED;
}

ha_status ha__nominal_init(ha__nominal *s, ha_ctx *ctx, const ha_dae *dae, bool is_on, double t_end,
                           double *work)
{
    size_t n = (size_t) dae->n;

    *s = (ha__nominal){
        .ctx = ctx, .is_on = is_on && n > 0, .dae = *dae, .work = work, .t_end = t_end
    };
    if (!s->is_on) {
        return HA_OK;
    }
    HA_TRY_ALLOC_EACH(ctx, n, s->unknowns, s->reached, s->mass, s->self, s->r, s->is_guess);
    memcpy(s->unknowns, dae->unknowns, n * sizeof *s->unknowns);
    s->dae.unknowns = s->unknowns;
    return HA_OK;
}

void ha__nominal_clear(ha__nominal *s)
{
    HA_FREE(s->unknowns, s->reached, s->mass, s->self, s->r, s->is_guess);
    HA_ARRAY_CLEAR(&s->terms);
}

/* --- kin ------------------------------------------------------------------------------------- */

/* The terms of column j in the rows of integrals: y_i' = -(dF_i/dy_j) / (dF_i/dy_i') y_j + ... Not
   of multipliers: at a singular position these grow beyond all bounds. */
static ha_status list_column(ha__nominal *s, int j, const double *by_y)
{
    if (!is_tested(&s->dae, j)) {
        return HA_OK;
    }
    for (int64_t k = s->dae.column_start[j]; k < s->dae.column_start[j + 1]; k++) {
        int i = (int) s->dae.row[k];
        const ha_dae_unknown *u = &s->unknowns[i];
        double rate = fabs(by_y[k] / s->mass[i]);
        bool is_integral = u->kind == HA_DIFFERENTIAL && u->size == 0.0 && u->curvature == 0.0 &&
                           s->mass[i] != 0.0 && s->self[i] == 0.0;
        if (is_integral && i != j && rate > 0.0 && isfinite(rate)) {
            HA_TRY_PUSH(s->ctx, &s->terms, (ha__nominal_term){ i, j, rate });
        }
    }
    return HA_OK;
}

/* dF/dy, and dF_j/dy_j' of each row's own unknown, at the start. */
static ha_status read_jacobian(ha__nominal *s, const double *y, const double *yp, double *by_y,
                               double *sum)
{
    const ha_dae *dae = &s->dae;
    ha_status status = HA_OK;

    dae->jacobian(dae->model, s->work, 0.0, 0.0, y, yp, by_y);
    dae->jacobian(dae->model, s->work, 0.0, 1.0, y, yp, sum);
    for (int j = 0; j < dae->n; j++) {
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            if (dae->row[k] == j) {
                s->mass[j] = sum[k] - by_y[k];
                s->self[j] = by_y[k];
            }
        }
    }
    for (int j = 0; j < dae->n && status == HA_OK; j++) {
        status = list_column(s, j, by_y);
    }
    return status;
}

static ha_status find_kin(ha__nominal *s, const double *y, const double *yp)
{
    size_t n_entries = (size_t) s->dae.column_start[s->dae.n];
    double *values = ha__alloc(s->ctx, 2 * n_entries, sizeof *values);
    ha_status status =
        values == NULL ? HA_ERR_MEMORY : read_jacobian(s, y, yp, values, values + n_entries);

    ha__free(values);
    return status;
}

/* The rate of the velocities, at least one that is next to rest, and the energy, that kin have
 * reached.
 */
static void survey(const ha__nominal *s, double *rate, double *energy)
{
    *rate = s->t_end > 0.0 ? LEAST / s->t_end : 0.0;
    *energy = 0.0;
    for (int j = 0; j < s->dae.n; j++) {
        const ha_dae_unknown *u = &s->unknowns[j];
        double reached = s->reached[j];
        if (u->motion == HA_VELOCITY && u->size > 0.0) {
            *rate = fmax(*rate, reached / u->size);
        }
        *energy = fmax(*energy, 0.5 * u->curvature * reached * reached);
    }
}

static double kin_of(const ha_dae_unknown *u, double rate, double energy)
{
    return u->size > 0.0 && u->motion == HA_VELOCITY ? SPEEDS * u->size * rate
           : u->size > 0.0                           ? u->size
           : u->curvature > 0.0                      ? KIN * sqrt(2.0 * energy / u->curvature)
                                                     : 0.0;
}

/* N of all: it only grows. */
static void grow(ha__nominal *s)
{
    double rate = 0.0, energy = 0.0;

    s->n_grown++;
    survey(s, &rate, &energy);
    for (int j = 0; j < s->dae.n; j++) {
        ha_dae_unknown *u = &s->unknowns[j];
        u->nominal = fmax(u->nominal, fmax(s->reached[j], kin_of(u, rate, energy)));
    }
    for (size_t i = 0; i < s->terms.count; i++) {
        const ha__nominal_term *term = &s->terms.items[i];
        ha_dae_unknown *u = &s->unknowns[term->j];
        u->nominal = fmax(u->nominal, KIN * s->t_end * term->rate * s->unknowns[term->of].nominal);
    }
}

static void reach(ha__nominal *s, int j, double value)
{
    s->reached[j] = isfinite(value) ? fmax(s->reached[j], fabs(value)) : s->reached[j];
}

/* What the rates, of algebraic unknowns the values, are at a later time with the states held: as a
   residual says it, row by row. */
static void look(ha__nominal *s, double t, const double *y, const double *yp)
{
    s->dae.residual(s->dae.model, s->work, t, y, yp, s->r);
    for (int j = 0; j < s->dae.n; j++) {
        if (s->mass[j] != 0.0) {
            reach(s, j, BEGIN * s->t_end * s->r[j] / s->mass[j]);
        } else if (s->self[j] != 0.0 && is_tested(&s->dae, j)) {
            reach(s, j, KIN * s->r[j] / s->self[j]);
        }
    }
}

/* From a point on: values, and where the rates lead to. */
static void begin(ha__nominal *s, const double *y, const double *yp)
{
    for (int j = 0; j < s->dae.n; j++) {
        s->unknowns[j].nominal = s->is_guess[j] ? 0.0 : s->unknowns[j].nominal;
        reach(s, j, y[j]);
        reach(s, j, BEGIN * s->t_end * yp[j]);
    }
    grow(s);
    for (int j = 0; j < s->dae.n; j++) {
        s->is_guess[j] = s->unknowns[j].nominal == 0.0;
        s->unknowns[j].nominal = s->is_guess[j] ? 1.0 : s->unknowns[j].nominal;
    }
}

ha_status ha__nominal_start(ha__nominal *s, const double *y, const double *yp)
{
    if (!s->is_on) {
        return HA_OK;
    }
    HA_TRY(find_kin(s, y, yp));
    for (size_t i = 0; i < HA_COUNT(looks); i++) {
        look(s, looks[i] * s->t_end, y, yp);
    }
    begin(s, y, yp);
    return HA_OK;
}

void ha__nominal_go_on(ha__nominal *s, const double *y)
{
    bool is_more = false;

    for (int j = 0; j < s->dae.n && s->is_on; j++) {
        is_more = is_more || fabs(y[j]) > s->reached[j];
        reach(s, j, y[j]);
    }
    if (is_more) {
        grow(s);
    }
}

void ha__nominal_resume(ha__nominal *s, const double *y, const double *yp)
{
    if (s->is_on) {
        begin(s, y, yp);
    }
}

void ha__nominal_range(const ha__nominal *s, double atol, double *range)
{
    bool is_any = false;

    range[0] = range[1] = atol;
    for (int j = 0; j < s->dae.n; j++) {
        double tolerance = ha__tolerance(&s->dae, j, 0.0, atol, 0.0);
        if (is_tested(&s->dae, j)) {
            range[0] = is_any ? fmin(range[0], tolerance) : tolerance;
            range[1] = is_any ? fmax(range[1], tolerance) : tolerance;
            is_any = true;
        }
    }
}
