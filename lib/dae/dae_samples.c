/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples of the outputs. What is asked of the polynomial through some of them is a sum of weights
 * times their values: with
 *
 *     d_k = 1 / (product over l but k of (t_k - t_l))
 *
 * the divided difference is the sum of d_k f_k, and the derivative at a node
 *
 *     p'(t_j) = sum over k but j of (d_k / d_j) (f_k - f_j) / (t_j - t_k).
 *
 * Where outputs turn.
 *
 * Of thousands of outputs few have an extremum in a step, and fewer one that exceeds those before.
 * The cubic through four samples tells, for all of them at once: it must change the sign of its
 * slope, and be able to exceed. With slopes a and b at the ends of a span of length h it is no more
 * than h |b - a| / 2 above both ends. It says nothing where it is far from the parabola through
 * three of its samples, which are too far apart then.
 *
 * Closely, p is the polynomial through n samples in Newton's form,
 *
 *     p(t) = c0 + c1 (t - t0) + c2 (t - t0) (t - t1) + ...,
 *
 * those nearest to the extremum first, with p'(t) = 0 there. Its terms fall as long as the output
 * is smooth over the samples; with those behind the least, p would swing (next to an event, where
 * samples lie closer and closer, by more than all that they differ). The last term and the first
 * that is left out tell what p is off by, and, differentiated, what its slope is off by, E'. An
 * error of the slope shifts the extremum by about E' / |p''|, so that an output that is evaluated
 * there is below the extremum by
 *
 *     E'^2 / (2 |p''|).
 *
 * Where p is highest at the end of the span its slope there may have the other sign: by s = |E'| -
 * |p'|. Then the output is higher inside by about s^2 / (2 |p''|).
 */
#include <config.h>

#include "lib/dae/dae_samples.h"

#include "lib/core/mem.h"

#include <math.h>
#include <string.h>

enum { NEWTON_STEPS = 6, CERTAIN_TERMS = 3 /* those of a parabola */ };

static const double BESIDE = 0.05; /* of its change: a slope so near 0 may have changed its sign */
static const double SLACK = 0.5;   /* of the distance from that parabola, by the length of the span:
                                      what   the slopes of the cubic may be off by */
static const double LUCK = 0.05; /* of the term before the last one, which may be small by chance */
static const double ROUGH = 0.5; /* of the spread of four samples: how far from the cubic the
                                    parabola through three may be */

/* --- the list ------------------------------------------------------------------------------- */

ha__nodes ha__gauss(int n)
{
    static const double three[][2] = { { -0.7745966692414834, 5.0 / 9.0 },
                                       { 0.0, 8.0 / 9.0 },
                                       { 0.7745966692414834, 5.0 / 9.0 } };
    static const double five[][2] = { { -0.9061798459386640, 0.2369268850561891 },
                                      { -0.5384693101056831, 0.4786286704993665 },
                                      { 0.0, 128.0 / 225.0 },
                                      { 0.5384693101056831, 0.4786286704993665 },
                                      { 0.9061798459386640, 0.2369268850561891 } };

    return n == 5 ? (ha__nodes){ five, 5 } : (ha__nodes){ three, 3 };
}

ha_status ha__samples_init(ha__samples *samples, ha_ctx *ctx, const ha_dae *dae)
{
    const int n_blocks = (dae->n_outputs + HA__BLOCK - 1) / HA__BLOCK;
    size_t n_integrals = (size_t) dae->n_integrals;

    *samples = (ha__samples){ .dae = dae, .stride = HA__BLOCK * n_blocks };
    for (int i = 0; i < HA__MOST_SAMPLES; i++) {
        samples->slot[i] = i;
    }
    HA_TRY_ALLOC(ctx, samples->values, HA__MOST_SAMPLES * (size_t) samples->stride);
    HA_TRY_ALLOC(ctx, samples->integrals, HA__MOST_SAMPLES * n_integrals);
    return HA_OK;
}

void ha__samples_clear(ha__samples *samples)
{
    HA_FREE(samples->values, samples->integrals);
    *samples = (ha__samples){ 0 };
}

double *ha__samples_values(const ha__samples *samples, int i)
{
    return samples->values + (size_t) samples->slot[i] * (size_t) samples->stride;
}

double *ha__samples_integrals(const ha__samples *samples, int i)
{
    return samples->integrals + (size_t) samples->slot[i] * (size_t) samples->dae->n_integrals;
}

double ha__samples_widest(const ha__samples *samples, int first)
{
    const double *t = samples->t;
    int widest = first;

    for (int i = first; i + 1 < samples->n; i++) {
        widest = t[i + 1] - t[i] > t[widest + 1] - t[widest] ? i : widest;
    }
    return 0.5 * (t[widest] + t[widest + 1]);
}

int ha__samples_insert(ha__samples *samples, double t)
{
    int i = samples->n, slot = samples->slot[samples->n];

    for (; i > 0 && samples->t[i - 1] > t; i--) {
        samples->t[i] = samples->t[i - 1];
        samples->slot[i] = samples->slot[i - 1];
    }
    samples->t[i] = t;
    samples->slot[i] = slot;
    samples->n++;
    return i;
}

void ha__samples_remove(ha__samples *samples, int i)
{
    int slot = samples->slot[i];

    for (samples->n--; i < samples->n; i++) {
        samples->t[i] = samples->t[i + 1];
        samples->slot[i] = samples->slot[i + 1];
    }
    samples->slot[i] = slot;
}

void ha__samples_keep(ha__samples *samples, int n)
{
    int gone = samples->n - n, slot[HA__MOST_SAMPLES];

    if (gone <= 0) {
        return;
    }
    memcpy(slot, samples->slot, (size_t) gone * sizeof *slot);
    memmove(samples->slot, samples->slot + gone, (size_t) n * sizeof *slot);
    memcpy(samples->slot + n, slot, (size_t) gone * sizeof *slot);
    memmove(samples->t, samples->t + gone, (size_t) n * sizeof *samples->t);
    samples->n = n;
}

/* The product over l of (t_k - t_l). */
static double lower_product(const double *t, int n, int k)
{
    double product = 1.0;

    for (int l = 0; l < n; l++) {
        product *= l == k ? 1.0 : t[k] - t[l];
    }
    return product;
}

void ha__samples_difference(int n, const double *times, double *weight)
{
    for (int k = 0; k < n; k++) {
        weight[k] = 1.0 / lower_product(times, n, k);
    }
}

void ha__samples_slope(int n, const double *times, const double *difference, int j, double *weight)
{
    double sum = 0.0;

    for (int k = 0; k < n; k++) {
        weight[k] = k == j ? 0.0 : difference[k] / (difference[j] * (times[j] - times[k]));
        sum += weight[k];
    }
    weight[j] = -sum;
}

/* --- roughly -------------------------------------------------------------------------------- */

static ha__cubic cubic_at(const ha__samples *s, int a, int b, const int node[HA__CUBIC])
{
    ha__cubic c = { .a = a, .b = b, .length = s->t[b] - s->t[a] };
    double t[HA__CUBIC];

    for (int k = 0; k < HA__CUBIC; k++) {
        c.node[k] = node[k];
        t[k] = s->t[node[k]];
    }
    ha__samples_difference(HA__CUBIC, t, c.third);
    ha__samples_slope(HA__CUBIC, t, c.third, a - node[0], c.begin);
    ha__samples_slope(HA__CUBIC, t, c.third, b == node[HA__CUBIC - 1] ? HA__CUBIC - 1 : b - node[0],
                      c.end);
    for (int k = 0; k < HA__CUBIC; k++) {
        c.third[k] *= (t[3] - t[0]) * (t[3] - t[1]) * (t[3] - t[2]);
    }
    return c;
}

ha__cubic ha__cubic_around(const ha__samples *s, int i)
{
    const int last = s->n - HA__CUBIC, first = i < 1 ? 0 : i - 1 < last ? i - 1 : last;
    const int node[HA__CUBIC] = { first, first + 1, first + 2, first + 3 };

    return cubic_at(s, i, i + 1, node);
}

ha__cubic ha__cubic_over(const ha__samples *s, int begin)
{
    const int end = s->n - 1, inner = end - begin - 1, first = s->n - HA__CUBIC;
    int node[HA__CUBIC] = { first, first + 1, first + 2, end };

    if (inner > 2) {
        node[0] = begin;
        node[1] = begin + (inner + 2) / 3;
        node[2] = end - (inner + 2) / 3;
    }
    return cubic_at(s, begin, end, node);
}

HA_WIDE static double judge(const ha__cubic *c, const ha__view *v, int first,
                            double *restrict turns, double *restrict rough)
{
    const double *w = c->begin, *x = c->end, *z = c->third, half = 0.5 * c->length,
                 slack = SLACK / c->length;
    const double *u0 = v->f[0] + first, *u1 = v->f[1] + first, *u2 = v->f[2] + first;
    const double *u3 = v->f[3] + first, *a = v->a + first, *b = v->b + first;
    const double *high = v->high + first, *low = v->low + first;
    double most[HA__BLOCK];

    for (int k = 0; k < HA__BLOCK; k++) {
        double begin = w[0] * u0[k] + w[1] * u1[k] + w[2] * u2[k] + w[3] * u3[k];
        double end = x[0] * u0[k] + x[1] * u1[k] + x[2] * u2[k] + x[3] * u3[k];
        double third = fabs(z[0] * u0[k] + z[1] * u1[k] + z[2] * u2[k] + z[3] * u3[k]);
        double bend = fabs(end - begin), over = ha__larger(half * bend, third);
        double largest = ha__larger(ha__larger(u0[k], u1[k]), ha__larger(u2[k], u3[k]));
        double least = ha__smaller(ha__smaller(u0[k], u1[k]), ha__smaller(u2[k], u3[k]));
        double beyond =
            over + ha__larger(ha__larger(a[k], b[k]) - high[k], low[k] - ha__smaller(a[k], b[k]));
        double both = ha__smaller(ha__larger(begin, end), -ha__smaller(begin, end)) +
                      BESIDE * bend + slack * third;
        turns[k] = ha__smaller(beyond, both);
        rough[k] = ha__smaller(beyond, third - ROUGH * (largest - least));
        most[k] = ha__larger(turns[k], rough[k]);
    }
    for (int k = 0; k < HA__BLOCK / 2; k++) {
        most[k] = ha__larger(most[k], most[k + HA__BLOCK / 2]);
    }
    for (int k = 0; k < HA__BLOCK / 4; k++) {
        most[k] = ha__larger(most[k], most[k + HA__BLOCK / 4]);
    }
    return ha__larger(ha__larger(most[0], most[1]), ha__larger(most[2], most[3]));
}

double ha__cubic_judge(const ha__cubic *c, const ha__view *v, int first, double *restrict turns,
                       double *restrict rough)
{
    return judge(c, v, first, turns, rough);
}

/* --- closely -------------------------------------------------------------------------------- */

/* The polynomial in Newton's form, the nodes nearest to samples i and i + 1 first. */
typedef struct {
    int n;     /* its terms, */
    int n_all; /* and those that are known */
    double t[HA__DEGREE_NODES], c[HA__DEGREE_NODES];
} newton_form;

static newton_form form_at(const ha__samples *s, int n, int i, int output)
{
    newton_form p = { 0 };

    for (int k = 0; p.n < n && k < 2 * HA__DEGREE_NODES; k++) {
        int at = k % 2 == 0 ? i - k / 2 : i + 1 + k / 2;
        if (at >= 0 && at < s->n) {
            p.t[p.n] = s->t[at];
            p.c[p.n++] = ha__samples_values(s, at)[output];
        }
    }
    p.n_all = p.n;
    for (int order = 1; order < p.n; order++) {
        for (int k = p.n - 1; k >= order; k--) {
            p.c[k] = (p.c[k] - p.c[k - 1]) / (p.t[k] - p.t[k - order]);
        }
    }
    return p;
}

/* Its value, its first and its second derivative. */
static void evaluate_form(const newton_form *p, double t, double out[3])
{
    out[0] = p->c[p->n - 1];
    out[1] = out[2] = 0.0;
    for (int k = p->n - 2; k >= 0; k--) {
        out[2] = out[2] * (t - p->t[k]) + 2.0 * out[1];
        out[1] = out[1] * (t - p->t[k]) + out[0];
        out[0] = out[0] * (t - p->t[k]) + p->c[k];
    }
}

/* Term k. */
static double term_of(const newton_form *p, int k, double t)
{
    double term = p->c[k];

    for (int l = 0; l < k; l++) {
        term *= t - p->t[l];
    }
    return term;
}

/* What the slope of term k is about: the largest of its parts, whose sum is 0 once in each gap. */
static double slope_of(const newton_form *p, int k, double t)
{
    double largest = 0.0;

    for (int j = 0; j < k; j++) {
        double product = fabs(p->c[k]);
        for (int l = 0; l < k; l++) {
            product *= l == j ? 1.0 : fabs(t - p->t[l]);
        }
        largest = ha__larger(largest, product);
    }
    return largest;
}

/* What p is off by: the largest of the last term, the first that was left out, and a share of the
   one before. One alone may be small by chance. */
static double error_of(const newton_form *p, double t,
                       double (*what)(const newton_form *p, int k, double t))
{
    double left_out = p->n < p->n_all ? fabs(what(p, p->n, t)) : 0.0;
    double last = ha__larger(fabs(what(p, p->n - 1, t)), left_out);

    return ha__larger(last, LUCK * fabs(what(p, p->n - 2, t)));
}

/* Leaves out the terms behind the least one halfway between samples. */
static void cut(newton_form *p, double t)
{
    double least = HUGE_VAL;
    int n = p->n;

    for (int k = CERTAIN_TERMS; k < p->n; k++) {
        double term = fabs(term_of(p, k, t));
        if (term < least) {
            least = term;
            n = k + 1;
        }
    }
    p->n = n;
}

/* Where p' is 0 in a span at the ends of which its signs differ: by Newton's method, and halving
   where that leads out of what is left of the span. */
static double find_turn(const newton_form *p, double a, double b, double slope_a, double slope_b)
{
    double t = a + slope_a / (slope_a - slope_b) * (b - a), out[3];

    for (int step = 0; step < NEWTON_STEPS; step++) {
        evaluate_form(p, t, out);
        *(out[1] * slope_a > 0.0 ? &a : &b) = t;
        const double next = t - out[1] / out[2];
        if (next == t) {
            break;
        }
        t = next > a && next < b ? next : 0.5 * (a + b);
    }
    return t;
}

ha__extremum ha__find_extremum(const ha__samples *s, int n, int i, int output)
{
    const double a = s->t[i], b = s->t[i + 1];
    newton_form p = form_at(s, n, i, output);
    double first[3], last[3], out[3];

    cut(&p, 0.5 * (a + b));
    evaluate_form(&p, a, first);
    evaluate_form(&p, b, last);
    ha__extremum e = { .sign = first[1] >= last[1] ? 1.0 : -1.0, .middle = 0.5 * (a + b) };
    if (first[1] * last[1] < 0.0) {
        e.t = find_turn(&p, a, b, first[1], last[1]);
    } else {
        e.t = e.sign * first[0] > e.sign * last[0] ? a : b;
    }
    evaluate_form(&p, e.t, out);
    const double off = error_of(&p, e.t, slope_of);
    e.f = e.sign * out[0];
    e.error = error_of(&p, e.t, term_of);
    e.below = 0.5 * off * off / fabs(out[2]);
    if (e.t <= a || e.t >= b) {
        double turned = ha__larger(off - fabs(out[1]), 0.0);
        e.room = 0.5 * turned * ha__smaller(b - a, turned / fabs(out[2]));
    }
    return e;
}
