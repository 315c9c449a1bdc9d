/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Peaks: the extremes of every output over a run, wherever they lie.
 *
 * A smooth output is extreme at the ends of the run, on either side of a jump, or where its rate is
 * 0. The first two are evaluated as they come. For the third the outputs at the ends of the steps,
 * and in rows between them, are samples, through which polynomials lead (dae_samples.c). If such a
 * polynomial has an extremum that exceeds all, and its error is about what the step may be wrong
 * by, rtol of the output's magnitude, that is the extremum. Else all outputs are evaluated at its
 * time, with all that has to be solved for, and become a sample, too. So outputs that exceed
 * nothing cost next to nothing, and most others no evaluation. Where samples are too far apart to
 * tell, others are put between them.
 *
 * Where a method leaves what is solved for inaccurate at its steps, samples of outputs that read it
 * are a guide to the time of an extremum, where outputs are evaluated: what is told of them is a
 * value as a row has it. Those of which samples are off by a part of the output's range are looked
 * at in rows alone. Outputs that have changed by less than the tolerance of others of their unit
 * are noise, of which steps and rows are enough. No polynomial tells of outputs that jump or bend
 * inside steps (dae_kinks.c). What outputs must exceed that are not looked for is infinite.
 */
#include <config.h>

#include "lib/dae/dae_priv.h"

#include "lib/core/mem.h"

#include <math.h>
#include <string.h>

enum {
    GUIDE_NODES = 5, /* of a polynomial through values that are not right */
    KEPT = 7,        /* samples of the steps before */
    MOST_LOOKS = 6,  /* at an extremum */
    MOST_MOVES = 3,  /* from one pair of samples to the next */
    MOST_ADDED = 4,  /* samples to a step, where they are too far apart */
    DOUBT = 20,      /* looks in a row at which guides were useless */
    SELDOM = 8,      /* steps between looks at magnitudes */
    MOST_VAIN = 3    /* steps in which that did not help */
};

static const double GAIN = 0.1;     /* of the tolerance, by which a new extremum counts */
static const double CERTAIN = 10.0; /* times that: the error of a polynomial of a degree less than
                                       the one that is taken */
static const double NEAR = 0.15;    /* of a step: rows so near to a sample are no samples; */
static const double NEXT = 1e-3;    /* evaluated values so near are none */
static const double USELESS = 0.1;  /* of the range of an output, by which guides are off */
static const double FADES = 0.5;    /* what guides have reached, from step to step: to this share */
static const double NOISE = 10.0;   /* times rtol: what changes by less is noise */

/* Where the extremes are kept: those of outputs that are right, and those of all samples. */
enum { MAX, MIN, T_MAX, T_MIN, N_FOUND, HIGH = N_FOUND, LOW, N_EXTREMES };

static double *extreme(const ha__peaks *peaks, int which)
{
    return peaks->extremes + (size_t) which * (size_t) peaks->samples.stride;
}

int ha__peaks_size(const ha__peaks *peaks)
{
    return peaks->found != NULL ? N_FOUND * peaks->samples.stride : 0;
}

/* The number of the unit of an output; the first output of each is listed among the turns, which
   there are none of yet. */
static int find_unit(ha__peaks *peaks, int output)
{
    const ha_dae_output *outputs = peaks->dae->outputs;
    int unit = 0;

    while (unit < peaks->n_units &&
           strcmp(outputs[peaks->turns[unit]].unit, outputs[output].unit) != 0) {
        unit++;
    }
    if (unit == peaks->n_units) {
        peaks->turns[peaks->n_units++] = output;
    }
    return unit;
}

ha_status ha__peaks_init(ha__peaks *peaks, ha_ctx *ctx, const ha_dae *dae, double *work,
                         const ha_dae_options *options)
{
    *peaks = (ha__peaks){ .ctx = ctx, .dae = dae, .work = work, .rtol = options->rtol };
    if (options->peaks == NULL || dae->n_outputs == 0) {
        return HA_OK;
    }
    bool is_part = options->n_peaks >= 0 && options->n_peaks < dae->n_outputs;
    peaks->n = is_part ? options->n_peaks : dae->n_outputs;
    HA_TRY(ha__samples_init(&peaks->samples, ctx, dae));
    HA_TRY_ALLOC_EACH(ctx, peaks->samples.stride, peaks->unit, peaks->largest, peaks->turns,
                      peaks->n_vain, peaks->credit);
    HA_TRY_ALLOC(ctx, peaks->inner, 2 * (size_t) dae->n_integrals);
    HA_TRY_ALLOC(ctx, peaks->extremes, (size_t) N_EXTREMES * (size_t) peaks->samples.stride);
    peaks->found = options->peaks;
    for (int i = 0; i < peaks->samples.stride; i++) {
        const double least = i < peaks->n ? -HUGE_VAL : HUGE_VAL;
        peaks->unit[i] = i < peaks->n ? find_unit(peaks, i) : 0;
        extreme(peaks, MAX)[i] = extreme(peaks, HIGH)[i] = least;
        extreme(peaks, MIN)[i] = extreme(peaks, LOW)[i] = -least;
        extreme(peaks, T_MAX)[i] = extreme(peaks, T_MIN)[i] = (double) NAN;
    }
    return HA_OK;
}

/* Gives the caller what was found. */
static void give(const ha__peaks *peaks)
{
    for (int i = 0; peaks->found != NULL && i < peaks->dae->n_outputs; i++) {
        const double t_max = extreme(peaks, T_MAX)[i], t_min = extreme(peaks, T_MIN)[i];
        peaks->found[i] = (ha_peak){ .max = isnan(t_max) ? t_max : extreme(peaks, MAX)[i],
                                     .t_max = t_max,
                                     .min = isnan(t_min) ? t_min : extreme(peaks, MIN)[i],
                                     .t_min = t_min };
    }
}

void ha__peaks_clear(ha__peaks *peaks)
{
    give(peaks);
    ha__samples_clear(&peaks->samples);
    HA_FREE(peaks->unit, peaks->largest, peaks->turns, peaks->n_vain, peaks->credit, peaks->inner,
            peaks->extremes);
    *peaks = (ha__peaks){ 0 };
}

/* --- what is known -------------------------------------------------------------------------- */

static void note(ha__peaks *peaks, int output, double t, double value)
{
    double *max = extreme(peaks, MAX) + output, *min = extreme(peaks, MIN) + output;

    if (value > *max) {
        *max = value;
        extreme(peaks, T_MAX)[output] = t;
    }
    if (value < *min) {
        *min = value;
        extreme(peaks, T_MIN)[output] = t;
    }
}

/* The same for all of n blocks. */
HA_WIDE static void note_blocks(int n, double t, const double *restrict values,
                                double *restrict max, double *restrict t_max, double *restrict min,
                                double *restrict t_min)
{
    for (int first = 0; first < n * HA__BLOCK; first += HA__BLOCK) {
        for (int i = first; i < first + HA__BLOCK; i++) {
            t_max[i] = values[i] > max[i] ? t : t_max[i];
            max[i] = values[i] > max[i] ? values[i] : max[i];
            t_min[i] = values[i] < min[i] ? t : t_min[i];
            min[i] = values[i] < min[i] ? values[i] : min[i];
        }
    }
}

void ha__peaks_note(ha__peaks *peaks, double t, const double *outputs)
{
    const int n_blocks = peaks->n / HA__BLOCK;

    if (n_blocks > 0) {
        note_blocks(n_blocks, t, outputs, extreme(peaks, MAX), extreme(peaks, T_MAX),
                    extreme(peaks, MIN), extreme(peaks, T_MIN));
    }
    for (int i = n_blocks * HA__BLOCK; i < peaks->n; i++) {
        note(peaks, i, t, outputs[i]);
    }
}

/* Lets what guides have reached fade to what was found, where anything was: the first ones behind
   an event may be far off, and would hide all that comes. */
HA_WIDE static void fade(int n, const double *restrict max, const double *restrict min,
                         double *restrict high, double *restrict low)
{
    for (int first = 0; first < n; first += HA__BLOCK) {
        for (int i = first; i < first + HA__BLOCK; i++) {
            double above = high[i] - max[i], below = min[i] - low[i];
            high[i] = above < HUGE_VAL ? max[i] + FADES * above : high[i];
            low[i] = below < HUGE_VAL ? min[i] - FADES * below : low[i];
        }
    }
}

/* Widens what samples reach that are no more than a guide. */
HA_WIDE static void widen(int n, const double *restrict values, double *restrict high,
                          double *restrict low)
{
    for (int first = 0; first < n; first += HA__BLOCK) {
        for (int i = first; i < first + HA__BLOCK; i++) {
            high[i] = ha__larger(values[i], high[i]);
            low[i] = ha__smaller(values[i], low[i]);
        }
    }
}

/* The largest magnitudes by unit, which need not be of the last step. */
static void measure(ha__peaks *peaks)
{
    if (peaks->n_steps++ % SELDOM != 0) {
        return;
    }
    for (int i = 0; i < peaks->n; i++) {
        double *largest = &peaks->largest[peaks->unit[i]];
        double magnitude = ha__larger(peaks->high[i], -peaks->low[i]);
        *largest = magnitude > *largest && magnitude < HUGE_VAL ? magnitude : *largest;
    }
}

static bool is_noise(const ha__peaks *peaks, int output)
{
    double spread = peaks->high[output] - peaks->low[output];

    return !(spread > NOISE * peaks->rtol * peaks->largest[peaks->unit[output]]);
}

/* What an output may be wrong by. */
static double tolerance(const ha__peaks *peaks, int output)
{
    return peaks->rtol * ha__larger(fabs(peaks->high[output]), fabs(peaks->low[output]));
}

/* Whether the samples of an output are right, and what lies between follows from them. */
static bool is_certain(const ha__peaks *peaks, const ha__inside *in, int output)
{
    const ha_dae *dae = peaks->dae;
    const bool is_direct = dae->output_reads_solved == 0 ||
                           (dae->output_is_direct != NULL && dae->output_is_direct[output] != 0);
    const bool may_jump = dae->output_may_jump != NULL && dae->output_may_jump[output] != 0;

    return (in->is_exact || is_direct) && !may_jump;
}

double ha__peaks_room(const ha__peaks *peaks, int output, double sign, double value)
{
    const double found = sign > 0.0 ? extreme(peaks, MAX)[output] : -extreme(peaks, MIN)[output];

    return value - found - GAIN * tolerance(peaks, output);
}

/* --- samples -------------------------------------------------------------------------------- */

void ha__peaks_begin(ha__peaks *peaks, double t, const double *y, const double *yp,
                     const double *integrals, bool is_start)
{
    if (peaks->found == NULL) {
        return;
    }
    size_t bytes = (size_t) peaks->samples.stride * sizeof(double);
    ha__samples_keep(&peaks->samples, 0);
    peaks->begin = ha__peaks_evaluate(peaks, t, y, yp, integrals);
    if (is_start) {
        ha__peaks_note(peaks, t, ha__samples_values(&peaks->samples, 0));
    }
    memcpy(extreme(peaks, HIGH), extreme(peaks, MAX), bytes); /* what was lost counts no more */
    memcpy(extreme(peaks, LOW), extreme(peaks, MIN), bytes);
    memset(peaks->credit, 0, (size_t) peaks->samples.stride * sizeof *peaks->credit);
}

void ha__peaks_forget(ha__peaks *peaks)
{
    ha__samples_keep(&peaks->samples, 0);
}

bool ha__peaks_are_at(const ha__peaks *peaks, double t)
{
    return peaks->found == NULL || (peaks->samples.n > 0 && peaks->samples.t[peaks->begin] == t);
}

void ha__peaks_row(ha__peaks *peaks, double t1, double t, const double *integrals,
                   const double *outputs)
{
    ha__samples *s = &peaks->samples;

    if (peaks->found == NULL) {
        return;
    }
    double near = NEAR * (t1 - s->t[peaks->begin]);
    if (t - s->t[s->n - 1] > near && t1 - t > near) {
        int i = ha__peaks_add(peaks, t, integrals);
        memcpy(ha__samples_values(s, i), outputs, (size_t) peaks->dae->n_outputs * sizeof *outputs);
    }
}

/* Evaluates all outputs at a time in the step as a sample, and notes them. */
static ha_status evaluate_at(ha__peaks *peaks, const ha__inside *in, double t, int *sample)
{
    HA_TRY(ha__peaks_sample_at(peaks, in, t, sample));
    ha__peaks_note(peaks, t, ha__samples_values(&peaks->samples, *sample));
    return HA_OK;
}

/* The same; they become a sample, but where there is one. The values stay until the next call. */
static ha_status evaluate(ha__peaks *peaks, const ha__inside *in, double t, const double **values)
{
    ha__samples *s = &peaks->samples;
    const double near = NEXT * (in->t1 - in->t0);
    int i = s->n - 1;

    while (i > 0 && s->t[i] - near > t) {
        i--;
    }
    const bool is_there = fabs(s->t[i] - t) <= near;
    HA_TRY(evaluate_at(peaks, in, is_there && !in->is_exact ? s->t[i] : t, &i));
    *values = ha__samples_values(s, i);
    if (is_there || s->n == HA__MOST_SAMPLES) {
        ha__samples_remove(s, i);
    }
    return HA_OK;
}

ha_status ha__peaks_look_at(ha__peaks *peaks, const ha__inside *in, double t, int output,
                            double *value)
{
    int sample = 0;

    HA_TRY(evaluate_at(peaks, in, t, &sample));
    *value = ha__samples_values(&peaks->samples, sample)[output];
    ha__samples_remove(&peaks->samples, sample);
    return HA_OK;
}

/* Puts samples in the first steps, until there are enough for a cubic: at equal distances, and
   where a row is there already in the widest gap. */
static ha_status fill(ha__peaks *peaks, const ha__inside *in)
{
    const ha__samples *s = &peaks->samples;
    const int n = HA__CUBIC - s->n;
    const double *values = NULL;

    for (int k = 1; k <= n; k++) {
        HA_TRY(evaluate(peaks, in, in->t0 + (in->t1 - in->t0) * k / (n + 1), &values));
    }
    for (int k = 0; k < n && s->n < HA__CUBIC; k++) {
        HA_TRY(evaluate(peaks, in, ha__samples_widest(s, peaks->begin), &values));
    }
    return HA_OK;
}

/* --- where to look -------------------------------------------------------------------------- */

/* Lists the outputs that may have an extremum in a span that exceeds all; `is_rough` tells that the
   samples are too far apart to tell. */
static void find_turns(ha__peaks *peaks, const ha__cubic *c)
{
    const ha__samples *s = &peaks->samples;
    double turns[HA__BLOCK], rough[HA__BLOCK];
    ha__view v = { .a = ha__samples_values(s, c->a),
                   .b = ha__samples_values(s, c->b),
                   .high = peaks->high,
                   .low = peaks->low };

    for (int k = 0; k < HA__CUBIC; k++) {
        v.f[k] = ha__samples_values(s, c->node[k]);
    }
    peaks->n_turns = 0;
    peaks->rough = -1;
    for (int first = 0; first < peaks->n; first += HA__BLOCK) {
        if (!(ha__cubic_judge(c, &v, first, turns, rough) > 0.0)) {
            continue;
        }
        for (int k = 0; k < HA__BLOCK; k++) {
            if (turns[k] > 0.0 && !is_noise(peaks, first + k)) {
                peaks->turns[peaks->n_turns++] = first + k;
            }
            if (rough[k] > 0.0 && peaks->n_vain[first + k] < MOST_VAIN &&
                !is_noise(peaks, first + k)) {
                peaks->rough = first + k;
            }
        }
    }
}

/* --- looking closer ------------------------------------------------------------------------- */

/* The extremum of an output that has one about a time in the step. */
static ha__extremum find_about(const ha__peaks *peaks, int n, double t, int output)
{
    const ha__samples *s = &peaks->samples;
    ha__extremum e = { 0 };
    int i = peaks->begin, last = s->n - 2;

    while (i < last && s->t[i + 1] <= t) {
        i++;
    }
    for (int moves = 0; moves < MOST_MOVES; moves++) {
        e = ha__find_extremum(s, n, i, output);
        if (e.t <= s->t[i] && i > peaks->begin) {
            i--;
        } else if (e.t >= s->t[i + 1] && i < last) {
            i++;
        } else {
            break;
        }
    }
    return e;
}

/* Whether an extremum exceeds what was found and what samples reach. */
static bool exceeds(const ha__peaks *peaks, const ha__extremum *e, int output)
{
    double high = e->sign > 0.0 ? peaks->high[output] : -peaks->low[output];
    double most = e->sign > 0.0 ? extreme(peaks, MAX)[output] : -extreme(peaks, MIN)[output];
    double allowed = tolerance(peaks, output);
    double gain = ha__larger(GAIN * allowed, ha__smaller(e->error, CERTAIN * allowed));

    return e->f + e->room >= high - allowed && e->f + e->room > most + gain;
}

/* Keeps book of how near to what is right samples are that are not. */
static void credit(ha__peaks *peaks, int output, double off)
{
    int *credit = &peaks->credit[output];
    double spread = extreme(peaks, HIGH)[output] - extreme(peaks, LOW)[output];

    if (off <= tolerance(peaks, output)) {
        *credit = *credit > 0 ? *credit + 1 : 1;
    } else if (off > USELESS * spread) {
        *credit = *credit < 0 ? *credit - 1 : -1;
    } else {
        *credit = 0;
    }
}

/* Looks at the extremum of an output about a time. */
static ha_status look(ha__peaks *peaks, const ha__inside *in, double t, int output)
{
    const int n = in->is_exact ? HA__DEGREE_NODES : GUIDE_NODES;
    const ha__samples *s = &peaks->samples;
    const double *values = NULL;

    for (int looks = 0; looks < MOST_LOOKS; looks++) {
        const int n_before = s->n;
        ha__extremum e = find_about(peaks, n, t, output);
        double allowed = tolerance(peaks, output);
        bool is_right = is_certain(peaks, in, output);
        e.room = in->is_exact ? e.room : 0.0;
        if (!exceeds(peaks, &e, output) || peaks->credit[output] <= -DOUBT) {
            break;
        }
        if (e.error <= CERTAIN * allowed && e.room == 0.0 && is_right) {
            note(peaks, output, e.t, e.sign * e.f);
            break;
        }
        if (e.room > 0.0) { /* the samples are too far apart to tell on which side of one it is */
            t = e.middle;
            HA_TRY(evaluate(peaks, in, t, &values));
            continue;
        }
        HA_TRY(evaluate(peaks, in, e.t, &values));
        if (!in->is_exact && looks == 0) {
            credit(peaks, output, fabs(values[output] - e.sign * e.f));
        }
        if (e.below <= GAIN * allowed || s->n == n_before) {
            break;
        }
        t = e.t;
    }
    return HA_OK;
}

/* Looks at what turns in a span. */
static ha_status look_all(ha__peaks *peaks, const ha__inside *in, const ha__cubic *c)
{
    const ha__samples *s = &peaks->samples;
    const double *f[HA__CUBIC], a = s->t[c->a];

    for (int k = 0; k < HA__CUBIC; k++) {
        f[k] = ha__samples_values(s, c->node[k]); /* which keep their slots */
    }
    for (int k = 0; k < peaks->n_turns; k++) {
        double begin = 0.0, end = 0.0;
        for (int i = 0; i < HA__CUBIC; i++) {
            begin += c->begin[i] * f[i][peaks->turns[k]];
            end += c->end[i] * f[i][peaks->turns[k]];
        }
        double share = ha__smaller(ha__larger(begin / (begin - end), 0.0), 1.0);
        HA_TRY(look(peaks, in, a + share * c->length, peaks->turns[k]));
    }
    return HA_OK;
}

/* Looks from sample to sample, and puts others between where these do not tell enough. An output
   of which they never do is not smooth, and no cause to. */
static ha_status look_closely(ha__peaks *peaks, const ha__inside *in)
{
    const ha__samples *s = &peaks->samples;
    const double *values = NULL;

    for (int i = peaks->begin, added = 0; i + 1 < s->n;) {
        const double a = s->t[i], b = s->t[i + 1];
        const ha__cubic c = ha__cubic_around(s, i);
        find_turns(peaks, &c);
        if (peaks->rough >= 0 && added < MOST_ADDED) {
            HA_TRY(evaluate(peaks, in, 0.5 * (a + b), &values));
            peaks->n_vain[peaks->rough] += ++added == MOST_ADDED ? 1 : 0;
            continue;
        }
        HA_TRY(look_all(peaks, in, &c));
        do { /* others have come between; in the shortest of steps two may be at one time */
            i++;
        } while (s->t[i] < b);
    }
    return HA_OK;
}

/* Looks for extremes in a step; one as long as a unit in the last place of the time has no times
   inside, and too few samples after an event. */
static ha_status look_inside(ha__peaks *peaks, const ha__inside *in)
{
    const ha__cubic whole = ha__cubic_over(&peaks->samples, peaks->begin);

    find_turns(peaks, &whole);
    return peaks->rough >= 0 ? look_closely(peaks, in) : look_all(peaks, in, &whole);
}

ha_status ha__peaks_step(ha__peaks *peaks, const ha__inside *in)
{
    ha__samples *s = &peaks->samples;

    if (peaks->found == NULL || !(in->t1 > in->t0)) {
        return HA_OK;
    }
    int end = ha__peaks_evaluate(peaks, in->t1, in->y, in->yp, in->integrals);
    if (in->is_exact) {
        ha__peaks_note(peaks, in->t1, ha__samples_values(s, end));
    }
    if (!isnan(in->t_left)) { /* what jumps at the end has no continuation there */
        ha__samples_remove(s, end);
        HA_TRY(evaluate_at(peaks, in, in->t_left, &end));
    }
    peaks->high = in->is_exact ? extreme(peaks, MAX) : extreme(peaks, HIGH);
    peaks->low = in->is_exact ? extreme(peaks, MIN) : extreme(peaks, LOW);
    measure(peaks);
    HA_TRY(fill(peaks, in));
    HA_TRY(s->n < HA__CUBIC ? HA_OK : look_inside(peaks, in));
    HA_TRY(ha__peaks_search(peaks, in));
    if (!in->is_exact) {
        fade(peaks->n, extreme(peaks, MAX), extreme(peaks, MIN), peaks->high, peaks->low);
    }
    for (int i = peaks->begin + 1; !in->is_exact && i < s->n; i++) {
        widen(peaks->n, ha__samples_values(s, i), peaks->high, peaks->low);
    }
    ha__samples_keep(s, KEPT);
    peaks->begin = s->n - 1;
    return HA_OK;
}
