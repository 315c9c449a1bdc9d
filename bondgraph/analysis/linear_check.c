/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a linear model is checked against before it is let out.
 *
 * The deviations of all unknowns obey (F_y + s F_y') y = 0, whose finite eigenvalues s are as many
 * as there are differential unknowns. Those are the eigenvalues of A, one 0 for each value that is
 * held between events, and the roots of the stabilisation: of each independent constraint
 *
 *     s^2 + 2 alpha s + beta^2   with position and flow,
 *     s + 2 alpha                of a flow alone,
 *     s + beta                   of a position alone, whose flow is imposed.
 *
 * They are found from the two matrices as they are, shifted and inverted, without K, N or A. That
 * is affordable for a few hundred unknowns. For more there are probes, vectors at random: with M
 * the map from y_d to y_d' of the ordinary system and P_yd the rows of the manifold,
 *
 *     M N x = N A x                         the tangent space is invariant, and A is M on it;
 *     P_yd p(M) z = 0 for any z             M beside it has the roots of the polynomial p alone,
 *
 * where p is the product of the polynomials above that occur. Together they say the same.
 *
 * Both hold where N is constant. Along a motion it changes with the time, and where constraints
 * read the time. Without constraints both hold anywhere.
 */
#include <config.h>

#include "bondgraph/analysis/linear_pencil.h"
#include "lib/core/random.h"
#include "lib/linalg/eigen.h"
#include "lib/linalg/spectrum.h"

#include <math.h>
#include <string.h>

static const double UNEQUAL = 1e-8; /* relative error that is one; more where something moves */

enum { MOST_DENSE = 300 /* unknowns for that */, PROBES = 4 };

static double tolerance_of(const bg__linearisation *l)
{
    return UNEQUAL + 10.0 * l->unrest;
}

/* --- all eigenvalues ------------------------------------------------------------------------ */

/* Number of differential unknowns that satisfy a condition or, without one, of all. */
static int count_differential(const bg__linearisation *l,
                              bool (*is_counted)(const bg__linearisation *l, int j))
{
    int n = 0;

    for (int j = 0; j < l->m->dae.n; j++) {
        n += bg__linear_is_differential(l, j) && (is_counted == NULL || is_counted(l, j));
    }
    return n;
}

/* Independent flows that are not those of positions. */
static int lone_flows(const bg__linearisation *l)
{
    return l->n_of[BG__CONDITION_FLOW] - l->n_of[BG__CONDITION_POSITION];
}

/* What the eigenvalues of the whole system ought to be; returns their number. */
static int list_expected(const bg__linearisation *l, double *out)
{
    const double a = BG__LINEAR_ALPHA, b = BG__LINEAR_BETA;
    int n = l->out->n_states, positions = l->n_of[BG__CONDITION_POSITION];
    int flows = lone_flows(l), imposed = l->n_of[BG__CONDITION_IMPOSED];

    memcpy(out, l->out->eigenvalues, 2 * (size_t) n * sizeof *out);
    for (int k = 0; k < count_differential(l, bg__linear_is_held); k++, n++) {
        out[2 * n] = out[2 * n + 1] = 0.0;
    }
    for (int k = 0; k < 2 * positions; k++, n++) {
        out[2 * n] = -a;
        out[2 * n + 1] = (k % 2 == 0 ? 1.0 : -1.0) * sqrt(b * b - a * a);
    }
    for (int k = 0; k < flows + imposed; k++, n++) {
        out[2 * n] = k < flows ? -2.0 * a : -b;
        out[2 * n + 1] = 0.0;
    }
    return n;
}

static ha_status refuse_spectrum(const bg__linearisation *l, const ha__spectrum_difference *d)
{
    return ha_fail(l->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                   "the linearisation fails its own check: the whole system has %d eigenvalue%s "
                   "about %.9g %+.9gi, the linear model and the stabilisation have %d about %.9g "
                   "%+.9gi (relative error %.2g); constraints that are nearly dependent do this, "
                   "and values that differ by many powers of ten: look at `assemble`, at redundant "
                   "joints and at the units of values",
                   d->n_first, d->n_first == 1 ? "" : "s", d->mean[0][0], d->mean[0][1],
                   d->n_second, d->mean[1][0], d->mean[1][1], d->error);
}

/* A shift that is not among the eigenvalues, and large enough for all of them to be found with
   errors that are round-off of the largest; where these are 0, of the usual rates. */
static double choose_shift(int n, const double *expected, double usual)
{
    double largest = 1e-3 * usual;

    for (int i = 0; i < n; i++) {
        largest = fmax(largest, hypot(expected[2 * i], expected[2 * i + 1]));
    }
    return largest > 0.0 ? 0.618 * largest : 1.0;
}

/* -(A + shift E)^-1 E among the differential unknowns, by rows (n_finite x n_finite). */
static ha_status invert_pencil(bg__linearisation *l, const bg__linear_pencil *p, double shift,
                               size_t n_finite, double *dense)
{
    ha__lu *lu = NULL;
    double *shifted = ha__alloc(l->ctx, (size_t) p->start[p->n], sizeof *shifted);
    ha_status status = shifted == NULL ? HA_ERR_MEMORY : HA_OK;

    for (int64_t k = 0; k < p->start[p->n] && status == HA_OK; k++) {
        shifted[k] = p->a[k] + shift * p->e[k];
    }
    HA_THEN(status, ha__lu_new(l->ctx, p->n, p->start, p->row, l->k_mark, &lu));
    if (status == HA_OK && ha__lu_factor_safely(lu, shifted) != HA__LU_DONE) {
        status = ha_fail(l->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                         "the linearisation cannot be checked: the whole system is singular at s = "
                         "%.6g, which is none of the eigenvalues that the linear model has",
                         shift);
    }
    for (int j = 0, column = 0; j < p->n && status == HA_OK; j++) {
        if (!bg__linear_is_differential(l, j)) {
            continue;
        }
        memset(l->right, 0, (size_t) p->n * sizeof *l->right);
        for (int64_t k = p->start[j]; k < p->start[j + 1]; k++) {
            l->right[p->row[k]] = -p->e[k];
        }
        ha__lu_solve_at_once(lu, shifted, l->right, l->solution);
        bg__linear_correct(l, lu, shifted, p->row_scale, p->size);
        for (int i = 0, row = 0; i < p->n; i++) {
            if (bg__linear_is_differential(l, i)) {
                dense[(size_t) row++ * n_finite + (size_t) column] = l->solution[i];
            }
        }
        column++;
    }
    ha__lu_free(lu);
    ha__free(shifted);
    return status;
}

/* The finite eigenvalues (n_finite x 2) of the pencil: s with A y = -s E y is shift + 1 / mu, mu
   being those of the inverse. */
static ha_status find_finite(bg__linearisation *l, int n_finite, double shift, double *values)
{
    bg__linear_pencil pencil = { 0 };
    double *dense = ha__alloc(l->ctx, (size_t) n_finite * (size_t) n_finite, sizeof *dense);
    ha_status status = dense == NULL ? HA_ERR_MEMORY : bg__linear_pencil_new(l, &pencil);

    HA_THEN(status, invert_pencil(l, &pencil, shift, (size_t) n_finite, dense));
    HA_THEN(status, ha__eigenvalues(l->ctx, n_finite, dense, values, NULL));
    for (int i = 0; i < n_finite && status == HA_OK; i++) {
        double square = values[2 * i] * values[2 * i] + values[2 * i + 1] * values[2 * i + 1];
        values[2 * i] = shift + values[2 * i] / square;
        values[2 * i + 1] = -values[2 * i + 1] / square;
    }
    bg__linear_pencil_clear(&pencil);
    ha__free(dense);
    return status;
}

static ha_status check_spectrum(bg__linearisation *l)
{
    size_t n = (size_t) l->m->dae.n;
    int n_finite = count_differential(l, NULL);
    ha__spectrum_difference difference = { 0 };
    double shift = 0.0, *values = ha__alloc(l->ctx, 6 * n, sizeof *values);
    ha_status status = values == NULL ? HA_ERR_MEMORY : HA_OK;

    if (status == HA_OK && list_expected(l, values + 2 * n) != n_finite) {
        status = ha_fail(l->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                         "the linearisation fails its own check: %d differential unknowns are not "
                         "%d states and %d independent constraints; constraints that are nearly "
                         "dependent do this: look at `assemble` and at redundant joints",
                         n_finite, l->out->n_states, l->out->rank);
    }
    if (status == HA_OK) {
        shift = choose_shift(n_finite, values + 2 * n, l->usual);
        status = find_finite(l, n_finite, shift, values);
    }
    if (status == HA_OK) {
        status = ha__compare_spectra(l->ctx, n_finite, values, values + 2 * n, shift,
                                     tolerance_of(l), &difference);
        l->out->residual = fmax(l->out->residual, difference.error);
    }
    if (status == HA_OK && !(difference.error <= tolerance_of(l))) {
        status = refuse_spectrum(l, &difference);
    }
    ha__free(values);
    return status;
}

/* The direction N x of states x. */
static void take_direction(bg__linearisation *l, const double *x)
{
    memset(l->column, 0, ((size_t) l->m->dae.n + (size_t) l->m->n_inputs) * sizeof *l->column);
    for (int k = 0; k < l->out->n_states; k++) {
        l->column[l->state[k]] = x[k] / l->content[k];
    }
    bg__tangent_follow(&l->tangent, l->column);
}

/* A direction at random, the same for each run: each state between -1 and 1 of its size. */
static void take_probe(bg__linearisation *l, uint32_t *seed, double *x)
{
    for (int k = 0; k < l->out->n_states; k++) {
        x[k] = ha__random_sign(seed) * l->size[l->state[k]] * l->content[k];
    }
    take_direction(l, x);
}

/* How far y_d' of N x is from N A x, beside the terms of that and `unit`, the rates of unknowns in
   any direction. `x` and `rate` (n_states). */
static double defect_of(bg__linearisation *l, double unit, const double *x, double *rate)
{
    const bg_linear *out = l->out;
    size_t ns = (size_t) out->n_states;
    double defect = 0.0;

    bg__linear_solve(l);
    for (size_t i = 0; i < ns; i++) {
        rate[i] = 0.0;
        for (size_t k = 0; k < ns; k++) {
            rate[i] += out->a[i * ns + k] * x[k];
        }
    }
    take_direction(l, rate);
    for (size_t j = 0; j < (size_t) l->m->dae.n; j++) {
        if (!bg__linear_is_differential(l, (int) j) || bg__linear_is_held(l, (int) j)) {
            continue;
        }
        double difference = l->solution[j] - l->column[j], terms = fabs(l->solution[j]);
        for (size_t k = 0; k < ns; k++) {
            terms += fabs(out->shape[j * ns + k] * rate[k]);
        }
        defect = fmax(defect, fabs(difference) / l->size[j]);
        unit = fmax(unit, terms / l->size[j]);
    }
    return unit > 0.0 ? defect / unit : 0.0;
}

/* The direction y becomes M y + c y, or with a square M^2 y + b M y + c y. `kept` (2 n): what it
   was, then the magnitudes of the terms. */
static void apply(bg__linearisation *l, double b, double c, bool is_square, double *kept)
{
    size_t n = (size_t) l->m->dae.n;
    double *terms = kept + n;

    memcpy(kept, l->column, n * sizeof *kept);
    bg__linear_solve(l);
    for (size_t j = 0; j < n; j++) {
        l->column[j] = bg__linear_is_differential(l, (int) j) ? l->solution[j] : 0.0;
        terms[j] = (is_square ? b : 1.0) * l->column[j];
    }
    if (is_square) {
        bg__linear_solve(l);
    }
    for (size_t j = 0; j < n; j++) {
        bool is_differential = bg__linear_is_differential(l, (int) j);
        double square = is_square && is_differential ? l->solution[j] : 0.0;
        l->column[j] = square + terms[j] + c * kept[j];
        terms[j] = fabs(square) + fabs(terms[j]) + fabs(c * kept[j]);
    }
}

/* How far the rows of the manifold are from 0 in the direction, beside the largest of the terms
   (n unknowns) that went into it. */
static double leave_manifold(bg__linearisation *l, const double *terms)
{
    const bg_model *m = l->m;
    double worst = 0.0, unit = 0.0;

    bg__linear_solve(l);
    for (int i = 0; i < m->n_linear;) {
        double sum = 0.0, largest = 0.0, size = 0.0;
        int block = (int) m->linear[i].block, row = m->linear[i].row;
        for (; i < m->n_linear && (int) m->linear[i].block == block && m->linear[i].row == row;
             i++) {
            int j = m->linear[i].column;
            double term = l->values[i] * bg__linear_change(l, j);
            bool is_given = j < m->dae.n && bg__linear_is_differential(l, j);
            sum += term;
            largest += is_given ? fabs(l->values[i]) * terms[j] : fabs(term);
            size += fabs(l->values[i]) * (j < m->dae.n ? l->size[j] : 1.0);
        }
        if (block == (int) BG__LINEAR_MANIFOLD && size > 0.0 && bg__linear_holds(l, row)) {
            worst = fmax(worst, fabs(sum) / size);
            unit = fmax(unit, largest / size);
        }
    }
    return unit > 0.0 ? worst / unit : 0.0;
}

/* A direction at random, that need not keep the constraints. */
static void take_any(bg__linearisation *l, uint32_t *seed)
{
    memset(l->column, 0, ((size_t) l->m->dae.n + (size_t) l->m->n_inputs) * sizeof *l->column);
    for (int j = 0; j < l->m->dae.n; j++) {
        bool moves = bg__linear_is_differential(l, j) && !bg__linear_is_held(l, j);
        l->column[j] = moves ? ha__random_sign(seed) * l->size[j] : 0.0;
    }
}

/* The largest rate of an unknown there, by its size. */
static double usual_rate(bg__linearisation *l)
{
    double most = 0.0;

    bg__linear_solve(l);
    for (int j = 0; j < l->m->dae.n; j++) {
        bool counts = bg__linear_is_differential(l, j);
        most = counts ? fmax(most, fabs(l->solution[j]) / l->size[j]) : most;
    }
    return most;
}

/* P_yd p(M) z of the direction z. */
static double probe_stabilisation(bg__linearisation *l, double *kept)
{
    const double a = BG__LINEAR_ALPHA, b = BG__LINEAR_BETA;

    if (lone_flows(l) > 0) {
        apply(l, 0.0, 2.0 * a, false, kept);
    }
    if (l->n_of[BG__CONDITION_IMPOSED] > 0) {
        apply(l, 0.0, b, false, kept);
    }
    if (l->n_of[BG__CONDITION_POSITION] > 0) {
        apply(l, 2.0 * a, b * b, true, kept);
    }
    return l->out->rank > 0 ? leave_manifold(l, kept + l->m->dae.n) : 0.0;
}

static ha_status check_probes(bg__linearisation *l)
{
    bg_linear *out = l->out;
    uint32_t seed = 1;
    double *room = NULL;
    double closed = 0.0, died_out = 0.0;

    HA_TRY_ALLOC(l->ctx, room, 2 * ((size_t) out->n_states + (size_t) l->m->dae.n));
    for (int probe = 0; probe < PROBES; probe++) {
        take_any(l, &seed);
        double usual = usual_rate(l);
        l->usual = fmax(l->usual, usual);
        died_out = fmax(died_out, probe_stabilisation(l, room));
        take_probe(l, &seed, room);
        closed = fmax(closed, defect_of(l, usual, room, room + out->n_states));
    }
    ha__free(room);
    out->residual = fmax(out->residual, fmax(closed, died_out));
    if (out->residual <= tolerance_of(l)) {
        return HA_OK;
    }
    return ha_fail(l->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                   "the linearisation fails its own check: the motions that keep the constraints "
                   "%s (relative error %.2g); constraints that are nearly dependent do this: look "
                   "at `assemble` and at redundant joints",
                   closed >= died_out ? "do not stay among themselves"
                                      : "are not what the stabilisation leaves",
                   out->residual);
}

/* Whether N changes with the time: something moves, or the constraints read the time. */
static bool is_moving(bg__linearisation *l)
{
    const bg_model *m = l->m;
    double *w = l->work + m->offset[BG__TAPE_LINEAR], *later = l->room;
    bool is_moving = !l->out->is_equilibrium;

    w[BG__IN_T] = l->point->t + 1.0;
    ha__tape_run(m->tapes[BG__TAPE_LINEAR], w, later);
    w[BG__IN_T] = l->point->t;
    for (int i = 0; i < m->n_linear; i++) {
        is_moving |= m->linear[i].block == BG__LINEAR_MANIFOLD && later[i] != l->values[i];
    }
    return is_moving;
}

ha_status bg__linear_check(bg__linearisation *l)
{
    l->out->residual = (double) NAN;
    if (l->out->rank > 0 && is_moving(l)) {
        return HA_OK;
    }
    l->out->residual = 0.0;
    HA_TRY(check_probes(l));
    return l->m->dae.n <= MOST_DENSE ? check_spectrum(l) : HA_OK;
}
