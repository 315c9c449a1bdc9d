/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * At which frequencies a response is found, and where its peaks are.
 *
 * First are frequencies with equal ratios. A pole -a + i b turns the response by 180 deg within a
 * few a of w = b, by the angle atan((w - b) / a), and where a is small no grid sees that. So the
 * frequencies b + a tan(k 10 deg) are added for all poles that are known. Then, where two
 * neighbours differ by more than ten degrees, one is added between them, as often as that takes; a
 * resonance without damping, where the phase jumps, is approached to a ratio of 1 + 1e-6.
 *
 * Poles of large models are not known. There each interval is halved, and its halves again where
 * the logarithm of a magnitude in the middle is off the mean of those at the ends: the flanks of a
 * resonance show where it is.
 *
 * A peak is a sample above its neighbours from which the magnitude m falls on both sides. Near a
 * pole g = 1/m^2 ~ (w - b)^2 + a^2 is a parabola, so three points tell its least value, once they
 * are as close as the half width a; golden sections bring them there. Where they are closer than
 * 1e-12 and g still grows from its least value to the ends, nothing but round-off bounds the peak.
 */
#include <config.h>

#include "bondgraph/analysis/frequency_priv.h"

#include <math.h>
#include <string.h>

static const double STEP = 10.0;       /* degrees between neighbours */
static const double CLOSE = 1e-6;      /* relative distance of neighbours that is not divided */
static const double LIGHT = 0.05;      /* damping ratio below which a pole has frequencies */
static const double UNDAMPED = 1e-12;  /* damping ratio that is round-off */
static const double WIDE = 1e-3;       /* relative distance down to which flanks are looked for */
static const double BENT = 0.02;       /* of ln m in the middle of an interval: it is divided */
static const double FALL = 1e-6;       /* of the magnitude beside a peak; less is none */
static const double FLAT = 1.05;       /* g at the ends beside the least: a parabola, */
static const double NARROW = 0.01;     /* where they are so close, relative */
static const double CERTAIN = 1e-9;    /* relative distance where golden sections end */
static const double GOLDEN = 0.381966; /* (3 - sqrt(5)) / 2 */

enum {
    MOST_TIMES = 20,  /* as many frequencies as were asked for, at most, with known poles, */
    MOST_BLIND = 200, /* and without */
    TURNS = 8,        /* STEPs on each side of a resonance: all but its tails */
    TIMES = 5         /* parabolas, each a third as wide as the last one */
};

/* Three points around the least g = (m0 / m)^2 of a response, m0 being that of the sample. */
typedef struct {
    bg__sweep *s;
    double complex *value;
    int pair;
    double m0, f[3], g[3];
} search;

/* --- samples -------------------------------------------------------------------------------- */

/* Adds a sample behind number `behind`, -1: in front. */
static ha_status add_behind(bg__sweep *s, int behind, double frequency)
{
    bg__sample one = { .frequency = frequency };

    HA_TRY_ALLOC(s->ctx, one.value, (size_t) s->out->n_outputs * (size_t) s->out->n_inputs);
    ha_status status = bg__sweep_respond(s, frequency, one.value);
    void *room = status != HA_OK ? NULL
                                 : ha__room(s->ctx, s->samples.items, s->samples.count, 1,
                                            &s->samples.capacity, sizeof *s->samples.items);
    if (room == NULL) {
        ha__free(one.value);
        return status != HA_OK ? status : HA_ERR_MEMORY;
    }
    s->samples.items = room;
    bg__sample *slot = s->samples.items + behind + 1;
    memmove(slot + 1, slot, (s->samples.count - (size_t) (behind + 1)) * sizeof *slot);
    *slot = one;
    s->samples.count++;
    return HA_OK;
}

/* Adds a sample within the range; nothing where there is one. */
static ha_status add_within(bg__sweep *s, double frequency)
{
    size_t low = 0, high = s->samples.count - 1;

    if (!(frequency > s->samples.items[low].frequency &&
          frequency < s->samples.items[high].frequency)) {
        return HA_OK;
    }
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(s->samples.items[middle].frequency <= frequency ? &low : &high) = middle;
    }
    return s->samples.items[low].frequency == frequency ? HA_OK
                                                        : add_behind(s, (int) low, frequency);
}

/* --- the grid ------------------------------------------------------------------------------- */

/* What the resonance of a pole needs. */
static ha_status add_pole(bg__sweep *s, double damping, double omega)
{
    double per_hertz = 2.0 * acos(-1.0);
    bool is_damped = damping > UNDAMPED * omega;

    for (int k = -TURNS; k <= TURNS && is_damped; k++) {
        double angle = k * STEP * acos(-1.0) / 180.0;
        HA_TRY(add_within(s, (omega + damping * tan(angle)) / per_hertz));
    }
    for (int side = -1; side <= 1 && !is_damped; side += 2) {
        HA_TRY(add_within(s, omega * (1.0 + side * CLOSE) / per_hertz));
    }
    return HA_OK;
}

static ha_status add_poles(bg__sweep *s)
{
    for (int i = 0; i < s->out->n_poles; i++) {
        const double *pole = s->out->poles + 2 * (size_t) i;
        if (pole[1] > 0.0 && fabs(pole[0]) < LIGHT * pole[1]) {
            HA_TRY(add_pole(s, fabs(pole[0]), pole[1]));
        }
    }
    return HA_OK;
}

/* The largest turn between neighbours of all responses [deg]. */
static double turn_between(const bg__sweep *s, const bg__sample *a, const bg__sample *b)
{
    double most = 0.0;

    for (int i = 0; i < s->out->n_outputs * s->out->n_inputs; i++) {
        double complex turned = b->value[i] * conj(a->value[i]);
        bool counts = isfinite(cabs(turned)) && cabs(turned) > 0.0;
        most = counts ? fmax(most, fabs(carg(turned))) : most;
    }
    return most * 180.0 / acos(-1.0);
}

/* How far the logarithm of a magnitude in the middle is off the mean of those at the ends. */
static double bend_at(const bg__sweep *s, size_t middle)
{
    const bg__sample *at = &s->samples.items[middle];
    double most = 0.0;

    for (int i = 0; i < s->out->n_outputs * s->out->n_inputs; i++) {
        double off = log(cabs(at[0].value[i])) -
                     (log(cabs(at[-1].value[i])) + log(cabs(at[1].value[i]))) / 2.0;
        most = isfinite(off) ? fmax(most, fabs(off)) : most;
    }
    return most;
}

/* Adds samples until phases turn little from one to the next, `most` at most; with `is_blind` where
   the flanks of resonances are, too. */
static ha_status refine(bg__sweep *s, size_t most, bool is_blind)
{

    for (size_t i = 0; i + 1 < s->samples.count;) {
        const bg__sample *a = &s->samples.items[i], *b = a + 1;
        bool is_open = b->frequency > a->frequency * (1.0 + CLOSE) && s->samples.count < most;
        bool turns = is_open && turn_between(s, a, b) > STEP;
        bool is_wide = b->frequency > a->frequency * (1.0 + WIDE);
        if (!is_open || !(turns || (is_wide && is_blind))) {
            i++;
            continue;
        }
        HA_TRY(add_behind(s, (int) i, sqrt(a->frequency * b->frequency)));
        i += turns || bend_at(s, i + 1) > BENT ? 0 : 2;
    }
    return HA_OK;
}

/* --- peaks ---------------------------------------------------------------------------------- */

static double magnitude_at(const bg__sweep *s, size_t k, int pair)
{
    return cabs(s->samples.items[k].value[pair]);
}

/* True where the magnitude falls from sample k until it rises above it again, or ends. */
static bool falls(const bg__sweep *s, size_t k, int pair, int step)
{
    double top = magnitude_at(s, k, pair), least = top;

    for (size_t i = k; i > 0 && i + 1 < s->samples.count;) {
        i = step > 0 ? i + 1 : i - 1;
        double m = magnitude_at(s, i, pair);
        if (!(m <= top)) {
            break;
        }
        least = fmin(least, m);
        if (least < top * (1.0 - FALL)) {
            return true;
        }
    }
    return false;
}

static ha_status evaluate(search *p, double frequency, double *g)
{
    double complex *value = p->value;

    memset(value, 0, (size_t) p->s->out->n_outputs * (size_t) p->s->out->n_inputs * sizeof *value);
    HA_TRY(bg__sweep_respond(p->s, frequency, value));
    double ratio = p->m0 / cabs(value[p->pair]);
    *g = ratio * ratio;
    return HA_OK;
}

/* Takes the point x between the ends in: the least one stays in the middle. */
static void take(search *p, double x, double g)
{
    int side = x > p->f[1] ? 2 : 0;

    if (g < p->g[1]) {
        p->f[2 - side] = p->f[1];
        p->g[2 - side] = p->g[1];
        p->f[1] = x;
        p->g[1] = g;
    } else {
        p->f[side] = x;
        p->g[side] = g;
    }
}

static double width_of(const search *p)
{
    return (p->f[2] - p->f[0]) / p->f[1];
}

/* True where a parabola may be put through the points. */
static bool is_flat(const search *p)
{
    return p->g[0] <= FLAT * p->g[1] && p->g[2] <= FLAT * p->g[1] && width_of(p) <= NARROW;
}

/* Golden sections of the longer side until the points are on a parabola, or as close as `least`. */
static ha_status close_in(search *p, double least, bool is_patient)
{
    while ((is_patient || !is_flat(p)) && width_of(p) > least) {
        int longer = p->f[2] - p->f[1] > p->f[1] - p->f[0] ? 2 : 0;
        double x = p->f[1] + GOLDEN * (p->f[longer] - p->f[1]), g = 0.0;
        HA_TRY(evaluate(p, x, &g));
        if (!isfinite(g) || g == 0.0) { /* the pole itself */
            p->f[1] = x;
            p->g[1] = 0.0;
            return HA_OK;
        }
        take(p, x, g);
    }
    return HA_OK;
}

/* Where a parabola through the three points is least. */
static double vertex(const search *p)
{
    double left = p->f[0] - p->f[1], right = p->f[2] - p->f[1];
    double a = (p->g[0] - p->g[1]) / left, b = (p->g[2] - p->g[1]) / right;
    double bend = (b - a) / (right - left), x = (a * right - b * left) / (right - left);

    x = bend > 0.0 ? p->f[1] - x / (2.0 * bend) : p->f[1];
    return fmin(fmax(x, p->f[0]), p->f[2]);
}

/* Parabolas through points nearer and nearer to the last vertex, as far as g shows a difference. */
static ha_status fit(search *p)
{
    double width = (p->f[2] - p->f[0]) / 2.0;

    for (int i = 0; i < TIMES; i++) {
        double x = vertex(p);
        width *= 0.3;
        for (int k = 0; k < 3; k++) {
            p->f[k] = x + (k - 1) * width;
            HA_TRY(evaluate(p, p->f[k], &p->g[k]));
        }
    }
    p->f[1] = vertex(p);
    return evaluate(p, p->f[1], &p->g[1]);
}

/* The least g, by parabolas; where they lead elsewhere, by golden sections alone. */
static ha_status settle(search *p)
{
    search before = *p;

    HA_TRY(fit(p));
    if (p->g[1] <= before.g[1] && p->f[1] > before.f[0] && p->f[1] < before.f[2]) {
        return HA_OK;
    }
    *p = before;
    return close_in(p, CERTAIN, true);
}

/* Appends the peak near sample k to those of its response, and to the samples. */
static ha_status add_peak(search *p, size_t k)
{
    bg_response *out = p->s->out;
    const bg__sample *at = &p->s->samples.items[k];
    int *n = &out->n_peaks[p->pair];

    p->m0 = magnitude_at(p->s, k, p->pair);
    for (int i = -1; i <= 1; i++) {
        double ratio = p->m0 / cabs(at[i].value[p->pair]);
        p->f[i + 1] = at[i].frequency;
        p->g[i + 1] = ratio * ratio;
    }
    bool is_bounded = isfinite(p->m0);
    HA_TRY(is_bounded ? close_in(p, UNDAMPED, false) : HA_OK);
    is_bounded = is_bounded && is_flat(p) && p->g[1] > 0.0;
    HA_TRY(is_bounded ? settle(p) : HA_OK);
    double *room = ha__resize(p->s->ctx, out->peaks[p->pair], 2 * (size_t) *n + 2, sizeof *room);
    HA_TRY_MEMORY(room);
    out->peaks[p->pair] = room;
    room[2 * *n] = p->f[1];
    room[2 * *n + 1] = is_bounded ? p->m0 / sqrt(p->g[1]) : (double) INFINITY;
    (*n)++;
    return is_bounded ? add_within(p->s, p->f[1]) : HA_OK;
}

static ha_status find_peaks(bg__sweep *s)
{
    int n_pairs = s->out->n_outputs * s->out->n_inputs;
    search p = { .s = s };
    ha_status status = HA_OK;

    HA_TRY_ALLOC(s->ctx, p.value, n_pairs);
    for (p.pair = 0; p.pair < n_pairs; p.pair++) {
        for (size_t k = 1; k + 1 < s->samples.count && status == HA_OK; k++) {
            double m = magnitude_at(s, k, p.pair);
            if (m > magnitude_at(s, k - 1, p.pair) && m >= magnitude_at(s, k + 1, p.pair) &&
                falls(s, k, p.pair, -1) && falls(s, k, p.pair, 1)) {
                size_t before = s->samples.count;
                status = add_peak(&p, k);
                k += s->samples.count - before; /* the top itself is no other one */
            }
        }
    }
    ha__free(p.value);
    return status;
}

/* --- the whole ------------------------------------------------------------------------------ */

ha_status bg__sweep_fill(bg__sweep *s, const bg_frequency_range *range)
{
    for (int k = 0; k < range->count; k++) {
        double part = range->count > 1 ? (double) k / (range->count - 1) : 0.0;
        double frequency = range->from * pow(range->to / range->from, part);
        HA_TRY(add_behind(s, k - 1, k + 1 == range->count && k > 0 ? range->to : frequency));
    }
    HA_TRY(add_poles(s));
    bool is_blind = s->out->n_poles < 0;
    size_t times = is_blind ? MOST_BLIND : MOST_TIMES;
    size_t most = s->samples.count + (size_t) range->count * (times - 1);
    HA_TRY(refine(s, most, is_blind));
    HA_TRY(find_peaks(s));
    return refine(s, most, false); /* beside the tops, which lie between those before */
}
