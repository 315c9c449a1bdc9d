/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Extremes that polynomials through samples do not tell of.
 *
 * A pulse between two samples is in none of them. Where functions of the time alone are extreme
 * there (dae_foresee.c), the outputs are evaluated, too.
 *
 * Others are of outputs that jump or bend inside steps, as abs(x), min(x, 5) or floor(x) do where
 * nothing else hangs on that. Polynomials lead over a jump to values that the output never has. So
 * all that is told of such an output is a value that it takes. Between two samples that leave room
 * for more than was found it is evaluated at both ends and a little inside. It may have its
 * extremum inside where it rises away from one end, and is not highest at the other as if it rose
 * all the way. There the golden section leads to the top if there is one only, whether it is
 * smooth, a bend or the upper side of a jump, to a share of the distance of the samples that is
 * next to nothing. A pulse of the motion between two samples that neither end tells of is not seen.
 */
#include <config.h>

#include "lib/dae/dae_peaks.h"

#include "lib/dae/dae_samples.h"

#include <math.h>

enum { MOST_SECTIONS = 60 };

static const double GOLDEN = 0.3819660112501051; /* (3 - sqrt(5)) / 2 */
static const double INSIDE = 1e-3;               /* of the distance: a little inside */
static const double CLOSE = 1e-10;               /* of the distance: the extremum is found */

/* What an output is at a moment inside a step; of a minimum its negative. */
typedef struct {
    double t, f;
} sample;

/* One output between two samples. */
typedef struct {
    ha__peaks *peaks;
    const ha__inside *in;
    int output;
    double sign; /* -1: its least value is looked for */
} search;

static ha_status look_at(const search *s, double t, sample *out)
{
    double value = 0.0;

    HA_TRY(ha__peaks_look_at(s->peaks, s->in, t, s->output, &value));
    *out = (sample){ t, s->sign * value };
    return HA_OK;
}

/* Goes to the highest value between two by the golden section. */
static ha_status divide(const search *s, sample a, sample b)
{
    const double enough = CLOSE * (b.t - a.t);
    sample c, d;

    HA_TRY(look_at(s, a.t + GOLDEN * (b.t - a.t), &c));
    HA_TRY(look_at(s, b.t - GOLDEN * (b.t - a.t), &d));
    for (int i = 0; i < MOST_SECTIONS && b.t - a.t > enough; i++) {
        double top = ha__larger(c.f, d.f), low = ha__smaller(a.f, b.f);
        if (!(ha__peaks_room(s->peaks, s->output, s->sign, top + (top - low)) > 0.0)) {
            break; /* flat, or no higher than what was found */
        }
        if (c.f >= d.f) {
            b = d;
            d = c;
            HA_TRY(look_at(s, a.t + GOLDEN * (b.t - a.t), &c));
        } else {
            a = c;
            c = d;
            HA_TRY(look_at(s, b.t - GOLDEN * (b.t - a.t), &d));
        }
    }
    return HA_OK;
}

/* Looks between two samples: at both and a little inside, and closer if the highest value may lie
   in between. */
static ha_status look_between(const search *s, double t0, double t1)
{
    sample a, b, a_in, b_in;

    HA_TRY(look_at(s, t0, &a));
    HA_TRY(look_at(s, t1, &b));
    HA_TRY(look_at(s, t0 + INSIDE * (t1 - t0), &a_in));
    HA_TRY(look_at(s, t1 - INSIDE * (t1 - t0), &b_in));
    const bool rises = a_in.f > a.f, falls = b_in.f > b.f;
    const bool is_higher_at_b = b.f >= b_in.f && b_in.f >= a_in.f;
    const bool is_higher_at_a = a.f >= a_in.f && a_in.f >= b_in.f;
    const bool is_inside = (rises && !is_higher_at_b) || (falls && !is_higher_at_a);
    return is_inside ? divide(s, a, b) : HA_OK;
}

/* Whether an output may exceed what was found between samples i and i + 1: by as much as it changes
   there or from the sample before. */
static bool has_room(const search *s, int i)
{
    const ha__samples *samples = &s->peaks->samples;
    const double a = s->sign * ha__samples_values(samples, i)[s->output];
    const double b = s->sign * ha__samples_values(samples, i + 1)[s->output];
    const double before = i > 0 ? s->sign * ha__samples_values(samples, i - 1)[s->output] : a;
    const double change = ha__larger(fabs(b - a), fabs(a - before));

    return change > 0.0 &&
           ha__peaks_room(s->peaks, s->output, s->sign, ha__larger(a, b) + change) > 0.0;
}

ha_status ha__peaks_search(ha__peaks *peaks, const ha__inside *in)
{
    const signed char *may_jump = peaks->dae->output_may_jump;
    double value = 0.0;

    for (int i = 0; i < peaks->n_crests; i++) {
        HA_TRY(ha__peaks_look_at(peaks, in, peaks->crests[i], 0, &value));
    }
    for (int output = 0; may_jump != NULL && output < peaks->n; output++) {
        for (int side = 0; side < 2 && may_jump[output] != 0; side++) {
            const search s = { peaks, in, output, side == 0 ? 1.0 : -1.0 };
            for (int i = peaks->begin; i + 1 < peaks->samples.n; i++) {
                const double t0 = peaks->samples.t[i], t1 = peaks->samples.t[i + 1];
                HA_TRY(has_room(&s, i) ? look_between(&s, t0, t1) : HA_OK);
            }
        }
    }
    return HA_OK;
}
