/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Peaks: the extremes of every output over a run, wherever they lie.
 *
 * A smooth output is extreme at the ends of the run, on either side of a jump, or where its rate is
 * 0. The first two are evaluated as they come. For the third each step is sampled at its ends and
 * at a few times between, from the solution as the method interpolates it, which costs little.
 * Where the middle one of three samples is the largest, a maximum of the output lies between them:
 * near that of the cubic through them and a fourth. With samples d apart the cubic is off by the
 * order of d^4, its maximum in time by that of d^3, and so the output there, being stationary, by
 * that of d^6. There the output is evaluated with all that has to be solved for, if the cubic
 * exceeds all samples and cubics so far: what is reported is a value that the output has, and the
 * choice among maxima is off by no more than the samples are.
 *
 * Most steps need no such look. The outputs at the ends of the last four steps are enough to tell:
 * a step is sampled where the cubic through these has an extremum in it or near its end that may
 * exceed what was found, or where the last one is not where the parabola of the three before it
 * leads, so that they do not resolve the motion. Outputs that have changed by less than the
 * tolerance of others of their unit are noise, of which steps and rows are enough.
 *
 * Quadratures inside the step are the integral of the polynomial through the sampled rates r_i,
 *
 *     I(t) = I(t0) + sum over i of r_i * (integral of L_i from t0 to t) + c (t - t0) / (t1 - t0),
 *
 * with c such that I(t1) is what the recorder has.
 */
#include <config.h>

#include "lib/dae/dae_peaks.h"

#include "lib/core/mem.h"

#include <math.h>
#include <string.h>

enum {
    NEWTON_STEPS = 3,
    ENDS = 4,              /* of steps that are kept */
    MOST_OF_POLYNOMIAL = 8 /* samples inside: polynomials through more oscillate at the ends */
};

static const double EXACT = 1e-7;  /* rtol below which the cubic's maximum is not exact enough */
static const double SAME = 1e-10;  /* of a peak: what is lost where another output was looked at */
static const double DOUBT = 0.1;   /* of the spread of three samples: what a cubic may be off by */
static const double CLOSE = 0.05;  /* of the distance of samples: that of three values around it */
static const double CLOSEST = 3.0; /* of that: how far from them their parabola may lead */
static const double BESIDE = 0.1;  /* of the distance of samples: how far out a cubic's maximum may
                                      be, which the next step would see from its side */

ha_status ha__peaks_init(ha__peaks *peaks, ha_ctx *ctx, const ha_dae *dae, double *work,
                         double rtol, ha_peak *found)
{
    size_t n_outputs = (size_t) dae->n_outputs, n_integrals = (size_t) dae->n_integrals;

    *peaks = (ha__peaks){ .ctx = ctx, .dae = dae, .work = work, .rtol = rtol };
    if (found == NULL || n_outputs == 0) {
        return HA_OK;
    }
    HA_TRY_ALLOC(ctx, peaks->values, HA__MOST_SAMPLES * n_outputs);
    HA_TRY_ALLOC(ctx, peaks->rates, HA__MOST_SAMPLES * n_integrals);
    HA_TRY_ALLOC(ctx, peaks->integrals, n_integrals);
    HA_TRY_ALLOC(ctx, peaks->inner, n_integrals);
    HA_TRY_ALLOC(ctx, peaks->row, n_outputs);
    HA_TRY_ALLOC(ctx, peaks->best, 2 * n_outputs);
    HA_TRY_ALLOC(ctx, peaks->ends, ENDS * n_outputs);
    HA_TRY_ALLOC(ctx, peaks->unit, n_outputs);
    HA_TRY_ALLOC(ctx, peaks->largest, n_outputs);
    peaks->found = found;
    for (int i = 0; i < dae->n_outputs; i++) {
        while (strcmp(dae->outputs[peaks->unit[i]].unit, dae->outputs[i].unit) != 0) {
            peaks->unit[i]++;
        }
    }
    for (size_t i = 0; i < n_outputs; i++) {
        found[i] = (ha_peak){ (double) NAN, (double) NAN, (double) NAN, (double) NAN };
        peaks->best[2 * i] = peaks->best[2 * i + 1] = -HUGE_VAL;
    }
    return HA_OK;
}

void ha__peaks_clear(ha__peaks *peaks)
{
    HA_FREE(peaks->values, peaks->rates, peaks->integrals, peaks->inner, peaks->row, peaks->best,
            peaks->ends, peaks->unit, peaks->largest);
    *peaks = (ha__peaks){ 0 };
}

static void note(ha_peak *peak, double t, double value)
{
    if (!(value <= peak->max) && !isnan(value)) {
        peak->max = value;
        peak->t_max = t;
    }
    if (!(value >= peak->min) && !isnan(value)) {
        peak->min = value;
        peak->t_min = t;
    }
}

void ha__peaks_note(ha__peaks *peaks, double t, const double *outputs)
{
    for (int i = 0; peaks->found != NULL && i < peaks->dae->n_outputs; i++) {
        note(&peaks->found[i], t, outputs[i]);
    }
}

/* --- which steps ------------------------------------------------------------------------------ */

static const double UNRESOLVED = 0.1; /* of the spread of three steps: what a parabola may be off */
static const double NOISE = 10.0;     /* times rtol: what changes by less is noise */

/* The largest magnitudes by unit. */
static void measure(ha__peaks *peaks, const double *outputs)
{
    for (int i = 0; i < peaks->dae->n_outputs; i++) {
        double *largest = &peaks->largest[peaks->unit[i]];
        *largest = fabs(outputs[i]) > *largest ? fabs(outputs[i]) : *largest;
    }
}

static bool is_noise(const ha__peaks *peaks, int output)
{
    const double *best = peaks->best + 2 * (size_t) output;

    return !(best[0] + best[1] > NOISE * peaks->rtol * peaks->largest[peaks->unit[output]]);
}

/* Value `k` of an output at the ends of steps, 0 the oldest. */
static double end_value(const ha__peaks *peaks, int k, int output)
{
    return peaks->ends[(size_t) k * (size_t) peaks->dae->n_outputs + (size_t) output];
}

/* Whether an extremum of an output may be in the last step that exceeds what was found. */
static bool is_near(const ha__peaks *peaks, int output)
{
    const double *t = peaks->t_end, *best = peaks->best + 2 * (size_t) output;
    double f[ENDS], low = HUGE_VAL, high = -HUGE_VAL;

    for (int k = 0; k < ENDS; k++) {
        f[k] = end_value(peaks, k, output);
        low = k > 0 ? fmin(low, f[k]) : low;
        high = k > 0 ? fmax(high, f[k]) : high;
    }
    const double spread = high - low, h = t[3] - t[2];
    if (!(high + spread > best[0] || spread - low > best[1]) || is_noise(peaks, output)) {
        return false;
    }
    /* divided differences of the parabola through three, and of the cubic through four */
    double d01 = (f[1] - f[0]) / (t[1] - t[0]), d12 = (f[2] - f[1]) / (t[2] - t[1]);
    double d23 = (f[3] - f[2]) / h, d012 = (d12 - d01) / (t[2] - t[0]);
    double d123 = (d23 - d12) / (t[3] - t[1]), d0123 = (d123 - d012) / (t[3] - t[0]);
    if (fabs(d0123) * (t[3] - t[0]) * (t[3] - t[1]) * h > UNRESOLVED * spread) {
        return true;
    }
    double begin = d23 - d123 * h - d0123 * h * (t[2] - t[1]); /* the rates of the cubic */
    double end = d23 + d123 * h + d0123 * h * (t[3] - t[1]);
    double beside = 0.5 * fabs(end - begin);
    return fmin(begin, end) - beside <= 0.0 && fmax(begin, end) + beside >= 0.0;
}

/* Takes over the outputs at the end of a step. */
static void push_end(ha__peaks *peaks, double t, const double *outputs)
{
    size_t n = (size_t) peaks->dae->n_outputs;

    memmove(peaks->ends, peaks->ends + n, (ENDS - 1) * n * sizeof *outputs);
    memmove(peaks->t_end, peaks->t_end + 1, (ENDS - 1) * sizeof *outputs);
    memcpy(peaks->ends + (ENDS - 1) * n, outputs, n * sizeof *outputs);
    peaks->t_end[ENDS - 1] = t;
    peaks->n_ends = peaks->n_ends < ENDS ? peaks->n_ends + 1 : ENDS;
    measure(peaks, outputs);
}

/* Whether the step is to be sampled. */
static bool is_wanted(const ha__peaks *peaks)
{
    if (peaks->n_ends < ENDS || peaks->rtol < EXACT) {
        return true;
    }
    for (int i = 0; i < peaks->dae->n_outputs; i++) {
        if (is_near(peaks, i)) {
            return true;
        }
    }
    return false;
}

/* --- samples -------------------------------------------------------------------------------- */

static double *values_of(const ha__peaks *peaks, int sample)
{
    return peaks->values + (size_t) sample * (size_t) peaks->dae->n_outputs;
}

static double *rates_of(const ha__peaks *peaks, int sample)
{
    return peaks->rates + (size_t) sample * (size_t) peaks->dae->n_integrals;
}

static bool has_integrals(const ha_dae *dae)
{
    return dae->n_integrals > 0 && dae->rate_is_zero == 0;
}

static void sample_rates(ha__peaks *peaks, int sample, double t, const double *y, const double *yp)
{
    const ha_dae *dae = peaks->dae;

    peaks->t[sample] = t;
    if (has_integrals(dae)) {
        dae->rate(dae->model, peaks->work, t, y, yp, rates_of(peaks, sample));
    }
}

void ha__peaks_begin(ha__peaks *peaks, double t, const double *y, const double *yp,
                     const double *integrals, bool is_start)
{
    const ha_dae *dae = peaks->dae;

    if (peaks->found == NULL) {
        return;
    }
    peaks->n = 1;
    sample_rates(peaks, 0, t, y, yp);
    if (dae->n_integrals > 0) {
        memcpy(peaks->integrals, integrals, (size_t) dae->n_integrals * sizeof *integrals);
    }
    peaks->t_looked = -1.0;
    dae->output(dae->model, peaks->work, t, y, yp, integrals, values_of(peaks, 0));
    if (is_start) {
        ha__peaks_note(peaks, t, values_of(peaks, 0));
        peaks->n_ends = 0;
        push_end(peaks, t, values_of(peaks, 0));
    }
}

void ha__peaks_sample(ha__peaks *peaks, int n_nodes, int64_t n_rows)
{
    int64_t least = n_nodes == 5 ? 5 : 2; /* steps of order 8 are long */
    int64_t most = has_integrals(peaks->dae) ? MOST_OF_POLYNOMIAL : HA__MOST_SAMPLES - 2;

    peaks->n_inner = (int) (n_rows < least ? least : n_rows < most ? n_rows : most);
}

/* The integral from the first sample to t of the Lagrange polynomial of sample i. */
static double lagrange_integral(const ha__peaks *peaks, int i, double t)
{
    static const double nodes[][2] = { { -0.9061798459386640, 0.2369268850561891 },
                                       { -0.5384693101056831, 0.4786286704993665 },
                                       { 0.0, 128.0 / 225.0 },
                                       { 0.5384693101056831, 0.4786286704993665 },
                                       { 0.9061798459386640, 0.2369268850561891 } };
    const double half = 0.5 * (t - peaks->t[0]);
    double sum = 0.0;

    for (size_t q = 0; q < HA_COUNT(nodes); q++) {
        double at = peaks->t[0] + half * (1.0 + nodes[q][0]), product = half * nodes[q][1];
        for (int k = 0; k < peaks->n; k++) {
            product *= k == i ? 1.0 : (at - peaks->t[k]) / (peaks->t[i] - peaks->t[k]);
        }
        sum += product;
    }
    return sum;
}

/* The quadratures at a time inside, into peaks->inner. */
static void integrate_to(ha__peaks *peaks, const ha__inside *in, double t)
{
    const int n = peaks->dae->n_integrals;
    const double share = (t - in->t0) / (in->t1 - in->t0);

    if (n == 0) {
        return;
    }
    for (int j = 0; j < n; j++) {
        peaks->inner[j] = peaks->integrals[j] + share * (in->integrals[j] - peaks->integrals[j]);
    }
    for (int i = 0; has_integrals(peaks->dae) && i < peaks->n; i++) {
        const double *rates = rates_of(peaks, i);
        double weight =
            lagrange_integral(peaks, i, t) - share * lagrange_integral(peaks, i, in->t1);
        for (int j = 0; j < n; j++) {
            peaks->inner[j] += weight * rates[j];
        }
    }
}

/* The solution at a time in the step, into y_in, yp_in. */
static ha_status solve_at(const ha__peaks *peaks, const ha__inside *in, double t, bool settles)
{
    size_t bytes = (size_t) peaks->dae->n * sizeof *in->y;

    if (t >= in->t1) {
        memcpy(in->y_in, in->y, bytes);
        memcpy(in->yp_in, in->yp, bytes);
    } else {
        in->dense(in->user, t, in->y_in, in->yp_in);
    }
    return settles ? in->settle(in->settler, t, in->y_in, in->yp_in) : HA_OK;
}

/* Samples the step; all rates first, since they give the quadratures between. */
static ha_status sample(ha__peaks *peaks, const ha__inside *in)
{
    const ha_dae *dae = peaks->dae;
    const int n = peaks->n_inner + 2;
    const bool settles = in->settles_all && dae->output_reads_solved != 0;

    for (int pass = has_integrals(dae) ? 0 : 1; pass < 2; pass++) {
        for (int i = 1; i < n; i++) {
            double t = i == n - 1 ? in->t1 : in->t0 + (in->t1 - in->t0) * i / (n - 1);
            HA_TRY(solve_at(peaks, in, t, settles && i < n - 1));
            if (pass == 0) {
                sample_rates(peaks, i, t, in->y_in, in->yp_in);
                continue;
            }
            peaks->t[i] = t;
            peaks->n = n;
            integrate_to(peaks, in, t);
            dae->output(dae->model, peaks->work, t, in->y_in, in->yp_in, peaks->inner,
                        values_of(peaks, i));
        }
        peaks->n = n;
    }
    return HA_OK;
}

/* --- looking closer ------------------------------------------------------------------------- */

/* Four samples of an output, with the sign that makes the extremum a maximum, as a polynomial in
   Newton's form: f(t) = c0 + c1 (t - t0) + c2 (t - t0) (t - t1) + c3 (t - t0) (t - t1) (t - t2). */
typedef struct {
    double t[4], c[4];
} cubic;

static cubic cubic_through(const ha__peaks *peaks, int i, int output, double sign)
{
    cubic p;

    for (int k = 0; k < 4; k++) {
        p.t[k] = peaks->t[i + k];
        p.c[k] = sign * values_of(peaks, i + k)[output];
    }
    for (int order = 1; order < 4; order++) {
        for (int k = 3; k >= order; k--) {
            p.c[k] = (p.c[k] - p.c[k - 1]) / (p.t[k] - p.t[k - order]);
        }
    }
    return p;
}

/* The value of a cubic, its first and its second derivative. */
static void evaluate_cubic(const cubic *p, double t, double out[3])
{
    out[0] = p->c[3];
    out[1] = out[2] = 0.0;
    for (int k = 2; k >= 0; k--) {
        out[2] = out[2] * (t - p->t[k]) + 2.0 * out[1];
        out[1] = out[1] * (t - p->t[k]) + out[0];
        out[0] = out[0] * (t - p->t[k]) + p->c[k];
    }
}

/* The maximum of a cubic near a time, by Newton's method; false where it has none there. */
static bool maximum_of(const cubic *p, double *t, double *f)
{
    double out[3];

    for (int step = 0; step < NEWTON_STEPS; step++) {
        evaluate_cubic(p, *t, out);
        if (!(out[2] < 0.0)) {
            return false;
        }
        *t -= out[1] / out[2];
    }
    evaluate_cubic(p, *t, out);
    *f = out[0];
    return out[2] < 0.0;
}

/* Evaluates all outputs with what has to be solved for. */
static ha_status evaluate(ha__peaks *peaks, const ha__inside *in, double t)
{
    const ha_dae *dae = peaks->dae;

    HA_TRY(solve_at(peaks, in, t, dae->output_reads_solved != 0));
    integrate_to(peaks, in, t);
    dae->output(dae->model, peaks->work, t, in->y_in, in->yp_in, peaks->inner, peaks->row);
    ha__peaks_note(peaks, t, peaks->row);
    peaks->t_looked = t;
    return HA_OK;
}

/* Evaluates the outputs around a time near an extremum of one of them, and at the vertex of the
   parabola through these values. */
static ha_status close_in(ha__peaks *peaks, const ha__inside *in, double t, int output)
{
    const double reach = CLOSE * (peaks->t[1] - peaks->t[0]);
    const double middle = fmin(fmax(t, in->t0 + reach), in->t1 - reach);
    double f[3];

    for (int k = 0; k < 3; k++) {
        HA_TRY(evaluate(peaks, in, middle + (k - 1) * reach));
        f[k] = peaks->row[output];
    }
    double curvature = f[2] - 2.0 * f[1] + f[0];
    double away = curvature != 0.0 ? 0.5 * reach * (f[0] - f[2]) / curvature : 0.0;
    return fabs(away) < CLOSEST * reach
               ? evaluate(peaks, in, fmin(fmax(middle + away, in->t0), in->t1))
               : HA_OK;
}

/* Looks at the extremum between samples i and i + 2 of an output, if there is one. */
static ha_status look(ha__peaks *peaks, const ha__inside *in, int i, int output, double sign,
                      double *best)
{
    const double gap = BESIDE * (peaks->t[1] - peaks->t[0]);
    const bool is_first = i == 0, is_last = i + 3 == peaks->n;
    double f[3], t = peaks->t[i + 1], high = 0.0;

    for (int k = 0; k < 3; k++) {
        f[k] = sign * values_of(peaks, i + k)[output];
    }
    bool rises = f[1] > f[0] || (is_first && f[0] > f[1] && f[0] - f[1] < f[1] - f[2]);
    bool falls = f[2] < f[1] || (is_last && f[2] > f[1] && f[2] - f[1] < f[1] - f[0]);
    const double spread = fabs(f[1] - f[0]) + fabs(f[2] - f[1]);
    const double doubt = peaks->rtol < EXACT ? DOUBT * spread : 0.0;
    if (!(rises && falls) || f[1] + spread < *best) {
        return HA_OK;
    }
    cubic p = cubic_through(peaks, is_last ? i - 1 : i, output, sign);
    if (!maximum_of(&p, &t, &high) || !(high > *best - doubt) || t < peaks->t[i] - gap ||
        t > peaks->t[i + 2] + gap) {
        return HA_OK;
    }
    *best = fmax(*best, high);
    evaluate_cubic(&p, peaks->t_looked, f); /* where it was looked for another output */
    if (peaks->t_looked >= in->t0 && f[0] >= high - SAME * fmax(fabs(high), spread)) {
        return HA_OK;
    }
    t = fmin(fmax(t, in->t0), in->t1);
    HA_TRY(evaluate(peaks, in, t));
    return peaks->rtol < EXACT ? close_in(peaks, in, t, output) : HA_OK;
}

/* Looks at all extremes of an output in the step; what its samples exceed is passed by. */
static ha_status look_all(ha__peaks *peaks, const ha__inside *in, int output)
{
    double *best = peaks->best + 2 * (size_t) output;

    for (int i = 0; i + 2 < peaks->n; i++) {
        HA_TRY(look(peaks, in, i, output, 1.0, &best[0]));
        HA_TRY(look(peaks, in, i, output, -1.0, &best[1]));
    }
    for (int i = 0; i < peaks->n; i++) {
        double f = values_of(peaks, i)[output];
        best[0] = fmax(best[0], f);
        best[1] = fmax(best[1], -f);
    }
    return HA_OK;
}

/* Follows the outputs at the end of a step; of noise this is all. */
static void follow(ha__peaks *peaks, double t, const double *outputs)
{
    for (int i = 0; i < peaks->dae->n_outputs; i++) {
        double *best = peaks->best + 2 * (size_t) i;
        if (is_noise(peaks, i)) {
            note(&peaks->found[i], t, outputs[i]);
        }
        best[0] = fmax(best[0], outputs[i]);
        best[1] = fmax(best[1], -outputs[i]);
    }
}

ha_status ha__peaks_step(ha__peaks *peaks, const ha__inside *in)
{
    const ha_dae *dae = peaks->dae;

    if (peaks->found == NULL || !(in->t1 > in->t0)) {
        return HA_OK;
    }
    dae->output(dae->model, peaks->work, in->t1, in->y, in->yp, in->integrals, peaks->row);
    push_end(peaks, in->t1, peaks->row);
    if (is_wanted(peaks)) {
        HA_TRY(sample(peaks, in));
        for (int output = 0; output < dae->n_outputs; output++) {
            if (!is_noise(peaks, output)) {
                HA_TRY(look_all(peaks, in, output));
            }
        }
    } else {
        peaks->n = 2;
        peaks->t[1] = in->t1;
    }
    follow(peaks, in->t1, peaks->ends + (size_t) (ENDS - 1) * (size_t) dae->n_outputs);
    return isnan(in->t_left) ? HA_OK : evaluate(peaks, in, in->t_left);
}
