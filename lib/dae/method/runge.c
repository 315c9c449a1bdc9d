/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps of explicit Runge-Kutta methods,
 *
 *     k_i = f(t + c_i h, y_i),   y_i = y + h sum_j a_ij k_j,   y(t + h) = y + h sum_i b_i k_i,
 *
 * with the coefficients of runge_table.c. The last stage is at the end of the step, with the values
 * there, and is the first of the next one; that before it is at the end, too. Between the ends
 * (Hairer, Norsett, Wanner: Solving Ordinary Differential Equations I, II.6), with s = (t - t0) / h
 * and u = 1 - s,
 *
 *     y = y0 + s (r_1 + u (r_2 + s (r_3 + u (r_4 + ...)))),
 *
 * where r_1 to r_3 make it a cubic with the right ends and slopes, and the others are h sum_j d_ij
 * k_j, some with stages of their own, which are made when values inside the step are asked for.
 *
 * With two estimates e5 and e3 of the error of order 8 what is taken for it is (II.10)
 *
 *     |e5|^2 / sqrt(|e5|^2 + |e3|^2 / 100),
 *
 * which goes with h^8 as the error does.
 *
 * Both look at the ends alone. A step far beyond the bound of stability that begins next to rest,
 * at 1e-18 say, ends next to it, too, and its stages and its interpolant are nowhere near: the
 * polynomial of z = h lambda that they are grows as z^15. A motion that the step follows does not
 * leave the cubic of its ends by more than
 *
 *     |y1 - y0| + h (|f0| + |f1|),
 *
 * all that its ends tell of how far it goes: what does so is an error, the bulge.
 *
 * What has died out leaves stages that are larger than the solution by a power of z all the same.
 * They cancel at the end of the step, and not inside it: next to the bound of stability the
 * interpolant P may be 10^4 times less exact than the end. It follows the equations as well as
 *
 *     share h |P' - f(t, P)|
 *
 * says at moments that no stage is at, the defect. An error of P that is fast makes h |f(P) -
 * f(y)| = z |P - y|, one that is not grows to a fraction of the defect in the step: share is 1/5.
 *
 * Why not ERKStep of ARKODE, which has such tables: its interpolant is a Hermite cubic, or costs
 * evaluations for more; and it does not tell the last two stages, of which
 *
 *     h |lambda| = h |k_n - k_(n-1)| / |y_n - y_(n-1)|
 *
 * is seen that a step is limited by the stability of the method and not by its error (the same, II,
 * IV.2).
 */
#include <config.h>

#include "lib/dae/method/runge.h"
#include "lib/dae/method/runge_table.h"

#include "lib/core/mem.h"

#include <math.h>
#include <string.h>

enum {
    CUBIC = 3,              /* parts of the interpolant that make it a cubic, */
    MOST_PARTS = CUBIC + 4, /* and the most that there are */
    MOST_STAGES = 16,       /* with those for the interpolant */
    AT_ONCE = 8 /* unknowns, for vector registers, which come in several sizes (HA_WIDE) */
};

static const double nothing[AT_ONCE] = { 0.0 };

struct ha__runge {
    const ha__runge_table *table;
    ha__runge_rates rates;
    void *user;
    int n;
    int room;        /* n rounded up to AT_ONCE: sums have no rest; what is behind n stays 0 */
    double t0, h;    /* of the last step */
    double *k;       /* (n_stages + n_extra, room) */
    double *y0, *y1; /* (room) its ends */
    double *before;  /* (room) its last stage but one */
    double *y;       /* (room) of a stage inside */
    double *part;    /* (CUBIC + n_dense, room) of the interpolant, */
    double *rate;    /* (room) and its f(t, P) */
    int n_parts;     /* those of the last step; 0: they are not made yet */
};

ha_status ha__runge_new(ha_ctx *ctx, int order, int n, ha__runge_rates rates, void *user,
                        ha__runge **out)
{
    const ha__runge_table *table = order == 8 ? &ha__runge_order8 : &ha__runge_order5;
    ha__runge *m = ha__alloc(ctx, 1, sizeof *m);
    const size_t size = ((size_t) n + AT_ONCE - 1) / AT_ONCE * AT_ONCE;

    HA_TRY_MEMORY(m);
    *m = (ha__runge){ .table = table, .rates = rates, .user = user, .n = n, .room = (int) size };
    m->k = ha__alloc(ctx, (size_t) (table->n_stages + table->n_extra) * size, sizeof *m->k);
    m->y0 = ha__alloc(ctx, size, sizeof *m->y0);
    m->y1 = ha__alloc(ctx, size, sizeof *m->y1);
    m->before = ha__alloc(ctx, size, sizeof *m->before);
    m->y = ha__alloc(ctx, size, sizeof *m->y);
    m->part = ha__alloc(ctx, (size_t) (CUBIC + table->n_dense) * size, sizeof *m->part);
    m->rate = ha__alloc(ctx, size, sizeof *m->rate);
    if (m->k == NULL || m->y0 == NULL || m->y1 == NULL || m->before == NULL || m->y == NULL ||
        m->part == NULL || m->rate == NULL) {
        ha__runge_free(m);
        return HA_ERR_MEMORY;
    }
    *out = m;
    return HA_OK;
}

void ha__runge_free(ha__runge *m)
{
    if (m != NULL) {
        HA_FREE(m->k, m->y0, m->y1, m->before, m->y, m->part, m->rate, m);
    }
}

static double *stage(const ha__runge *m, int i)
{
    return m->k + (size_t) i * (size_t) m->room;
}

/* A stage or a part of the interpolant in a sum, times a factor. */
typedef struct {
    double factor;
    const double *k;
} term;

/* The first `count` stages times h and their weights, without those that are 0; returns their
   number. */
static inline int find_terms(const ha__runge *m, int count, const double *weights, term *terms)
{
    const double h = m->h, *k = m->k;
    term *to = terms;

    for (int j = 0; j < count; j++, k += m->room) {
        if (weights[j] != 0.0) {
            *to++ = (term){ h * weights[j], k };
        }
    }
    return (int) (to - terms);
}

/* to = from plus the sum of n >= 1 terms, for AT_ONCE unknowns from `begin` on; `from` and `to`
   have those alone. They stay in registers: to load and store them for each term takes longer than
   to add. */
static inline void sum_some(const term *terms, int n, int begin, const double *from,
                            double *restrict to)
{
    for (int i = 0; i < AT_ONCE; i++) {
        to[i] = from[i] + terms[0].factor * terms[0].k[begin + i];
    }
    for (int j = 1; j < n; j++) {
        const double *k = terms[j].k + begin;
        for (int i = 0; i < AT_ONCE; i++) {
            to[i] += terms[j].factor * k[i];
        }
    }
}

/* to = from, or 0 where that is NULL, plus the sum of n >= 1 terms */
HA_WIDE static void sum_terms(const ha__runge *m, const term *terms, int n, const double *from,
                              double *to)
{
    for (int begin = 0; begin < m->room; begin += AT_ONCE) {
        sum_some(terms, n, begin, from == NULL ? nothing : from + begin, to + begin);
    }
}

/* The same of h times the first `count` stages with the weights. */
static void sum_stages(const ha__runge *m, int count, const double *weights, const double *from,
                       double *to)
{
    term terms[MOST_STAGES];

    sum_terms(m, terms, find_terms(m, count, weights, terms), from, to);
}

/* y_i */
static void combine(const ha__runge *m, int i, double *y)
{
    int width = m->table->n_stages + m->table->n_extra - 1;

    sum_stages(m, i, m->table->weight + (size_t) i * (size_t) width, m->y0, y);
}

ha_status ha__runge_step(ha__runge *m, double t0, double h, const double *y0, const double *f0,
                         double *y1, double *f1, bool *is_good)
{
    size_t bytes = (size_t) m->n * sizeof *y0;

    m->t0 = t0;
    memcpy(m->y0, y0, bytes);
    memcpy(stage(m, 0), f0, bytes);
    return ha__runge_again(m, h, y1, f1, is_good);
}

ha_status ha__runge_again(ha__runge *m, double h, double *y1, double *f1, bool *is_good)
{
    const ha__runge_table *table = m->table;
    size_t bytes = (size_t) m->n * sizeof *y1;

    m->h = h;
    m->n_parts = 0;
    *is_good = true;
    for (int i = 1; i < table->n_stages && *is_good; i++) {
        double *y = i == table->n_stages - 2 ? m->before : m->y1;
        combine(m, i, y);
        HA_TRY(m->rates(m->user, m->t0 + table->node[i] * h, y, stage(m, i), is_good));
    }
    if (*is_good) {
        memcpy(y1, m->y1, bytes);
        memcpy(f1, stage(m, table->n_stages - 1), bytes);
    }
    return HA_OK;
}

/* An estimated error of an unknown, times its weight. */
static double error_of(const ha__runge *m, const double *share, int l, const double *weights)
{
    double error = 0.0;

    for (int i = 0; i < m->table->n_stages; i++) {
        error += share[i] * stage(m, i)[l];
    }
    return m->h * weights[l] * error;
}

/* The mean square of an estimate. */
HA_WIDE static double mean_square(const ha__runge *m, const double *share, const double *weights)
{
    double error[AT_ONCE], sum = 0.0;
    term terms[MOST_STAGES];
    const int n = find_terms(m, m->table->n_stages, share, terms);

    for (int begin = 0; begin < m->n; begin += AT_ONCE) {
        sum_some(terms, n, begin, nothing, error);
        for (int i = 0; i < AT_ONCE && begin + i < m->n; i++) {
            double x = error[i] * weights[begin + i];
            sum += x * x;
        }
    }
    return m->n > 0 ? sum / m->n : 0.0;
}

double ha__runge_error(const ha__runge *m, const double *weights)
{
    double square = mean_square(m, m->table->error, weights);

    if (m->table->low_error == NULL || square == 0.0) {
        return sqrt(square);
    }
    return square / sqrt(square + 0.01 * mean_square(m, m->table->low_error, weights));
}

int ha__runge_worst(const ha__runge *m, const double *weights, double *error)
{
    int worst = -1;

    *error = 0.0;
    for (int l = 0; l < m->n; l++) {
        double size = fabs(error_of(m, m->table->error, l, weights));
        if (size > *error) {
            *error = size;
            worst = l;
        }
    }
    return worst;
}

double ha__runge_stiffness(const ha__runge *m, const double *weights)
{
    const double *last = stage(m, m->table->n_stages - 1);
    const double *before = stage(m, m->table->n_stages - 2);
    double rates = 0.0, places = 0.0;

    for (int l = 0; l < m->n; l++) {
        double a = (last[l] - before[l]) * weights[l], b = (m->y1[l] - m->before[l]) * weights[l];
        rates += a * a;
        places += b * b;
    }
    return places > 0.0 ? m->h * sqrt(rates / places) : 0.0;
}

double ha__runge_stability(const ha__runge *m)
{
    return m->table->stable;
}

double ha__runge_smoothness(const ha__runge *m)
{
    return m->table->smooth;
}

int ha__runge_power(const ha__runge *m)
{
    return m->table->power;
}

int ha__runge_order(const ha__runge *m)
{
    return m->table->order;
}

/* Evaluates the stages that the interpolant needs; false where one has no value. */
static ha_status find_extra(ha__runge *m, bool *is_good)
{
    const ha__runge_table *table = m->table;

    *is_good = true;
    for (int i = table->n_stages; i < table->n_stages + table->n_extra && *is_good; i++) {
        combine(m, i, m->y);
        HA_TRY(m->rates(m->user, m->t0 + table->node[i] * m->h, m->y, stage(m, i), is_good));
    }
    return HA_OK;
}

/* r_1 and so on; where a stage has no value the cubic is all. */
static ha_status find_parts(ha__runge *m)
{
    const ha__runge_table *table = m->table;
    const int n_stages = table->n_stages + table->n_extra;
    const size_t n = (size_t) m->room;
    const double *first = stage(m, 0), *last = stage(m, table->n_stages - 1);
    bool is_good = false;

    HA_TRY(find_extra(m, &is_good));
    for (size_t l = 0; l < n; l++) {
        double rise = m->y1[l] - m->y0[l], bend = m->h * first[l] - rise;
        m->part[l] = rise;
        m->part[n + l] = bend;
        m->part[2 * n + l] = rise - m->h * last[l] - bend;
    }
    for (int i = 0; i < table->n_dense && is_good; i++) {
        double *part = m->part + (size_t) (CUBIC + i) * n;
        sum_stages(m, n_stages, table->dense + (size_t) i * (size_t) n_stages, NULL, part);
    }
    m->n_parts = is_good ? CUBIC + table->n_dense : CUBIC;
    return HA_OK;
}

/* The same of the parts from `first` on, times factors. */
static void sum_parts(const ha__runge *m, int first, const double *factors, const double *from,
                      double *to)
{
    term terms[MOST_PARTS];
    const int n = m->n_parts - first;

    for (int i = 0; i < n; i++) {
        terms[i] = (term){ factors[first + i], m->part + (size_t) (first + i) * (size_t) m->room };
    }
    sum_terms(m, terms, n, from, to);
}

/* What r_i is multiplied by at t, and d/dt of that. */
static void find_factors(const ha__runge *m, double t, double *factor, double *slope)
{
    const double s = (t - m->t0) / m->h, u = 1.0 - s;
    double product = 1.0, rate = 0.0;

    for (int i = 0; i < m->n_parts; i++) { /* s, s u, s u s, ... */
        rate = i % 2 == 0 ? rate * s + product : rate * u - product;
        product *= i % 2 == 0 ? s : u;
        factor[i] = product;
        slope[i] = rate / m->h;
    }
}

ha_status ha__runge_dense(ha__runge *m, double t, double *y, double *f)
{
    const size_t bytes = (size_t) m->n * sizeof *y;
    double factor[MOST_PARTS], slope[MOST_PARTS];

    if (m->n_parts == 0) {
        HA_TRY(find_parts(m));
    }
    find_factors(m, t, factor, slope);
    sum_parts(m, 0, factor, m->y0, m->y);
    memcpy(y, m->y, bytes);
    if (f != NULL) {
        sum_parts(m, 0, slope, NULL, m->rate);
        memcpy(f, m->rate, bytes);
    }
    return HA_OK;
}

/* By how much the interpolant is off the cubic, s of the step behind its begin. */
static void find_bulges(ha__runge *m, double s, double *bulges)
{
    double factor[MOST_PARTS], product = s * (1.0 - s) * s;

    for (int i = CUBIC; i < m->n_parts; i++) {
        factor[i] = product *= i % 2 == 0 ? s : 1.0 - s;
    }
    sum_parts(m, CUBIC, factor, NULL, bulges);
}

ha_status ha__runge_bulge(ha__runge *m, const double *weights, double *error)
{
    const double *first = stage(m, 0), *last = stage(m, m->table->n_stages - 1);

    *error = 0.0;
    if (m->n_parts == 0) {
        HA_TRY(find_parts(m));
    }
    if (m->n_parts == CUBIC) {
        return HA_OK;
    }
    find_bulges(m, 0.3, m->y); /* two places, of which no symmetry of a part makes both zero */
    find_bulges(m, 0.7, m->rate);
    for (int l = 0; l < m->n; l++) {
        double a = fabs(m->y[l]), b = fabs(m->rate[l]), bulge = a > b ? a : b;
        double way = fabs(m->y1[l] - m->y0[l]) + m->h * (fabs(first[l]) + fabs(last[l]));
        *error = bulge > way ? fmax(*error, bulge * weights[l]) : *error;
    }
    return HA_OK;
}

/* The largest defect at t, times h and a weight. */
static ha_status defect_at(ha__runge *m, double t, const double *weights, double *largest)
{
    double factor[MOST_PARTS], slope[MOST_PARTS];
    bool is_good = true;

    *largest = 0.0;
    find_factors(m, t, factor, slope);
    sum_parts(m, 0, factor, m->y0, m->y);
    HA_TRY(m->rates(m->user, t, m->y, m->rate, &is_good));
    sum_parts(m, 0, slope, NULL, m->y);
    for (int l = 0; l < m->n && is_good; l++) {
        *largest = fmax(*largest, m->h * fabs(m->y[l] - m->rate[l]) * weights[l]);
    }
    return HA_OK;
}

ha_status ha__runge_defect(ha__runge *m, const double *weights, double *error)
{
    static const double moments[] = { 0.25, 0.5, 0.8 }, share = 0.2;

    *error = 0.0;
    if (m->n_parts == 0) {
        HA_TRY(find_parts(m));
    }
    for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
        double largest = 0.0;
        HA_TRY(defect_at(m, m->t0 + moments[i] * m->h, weights, &largest));
        *error = fmax(*error, share * largest);
    }
    return HA_OK;
}

ha_status ha__runge_unfold(ha__runge *m, int *degree)
{
    if (m->n_parts == 0) {
        HA_TRY(find_parts(m));
    }
    *degree = m->n_parts;
    return HA_OK;
}

/* r_i is multiplied by s, s u, s u s ..., whose coefficients follow one from the other. */
void ha__runge_coefficients(const ha__runge *m, int l, double *out, int stride)
{
    double product[MOST_PARTS + 2] = { 1.0 };

    out[0] = m->y0[l];
    for (int i = 0; i < m->n_parts; i++) {
        double part = m->part[(size_t) i * (size_t) m->room + (size_t) l];
        out[(i + 1) * stride] = 0.0;
        for (int k = i + 1; k > 0; k--) {
            product[k] = i % 2 == 0 ? product[k - 1] : product[k] - product[k - 1];
        }
        product[0] = i % 2 == 0 ? 0.0 : product[0];
        for (int k = 0; k <= i + 1; k++) {
            out[k * stride] += part * product[k];
        }
    }
}
