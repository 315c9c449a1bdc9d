/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples of all outputs, at the ends of steps and at any time inside: there the solution is
 * interpolated, brought back to its constraints, and what has to be solved for is; the quadratures
 * are integrated from the sample before, by Gauss' rule or as the method does.
 */
#include <config.h>

#include "lib/dae/dae_priv.h"

#include <string.h>

int ha__peaks_add(ha__peaks *peaks, double t, const double *integrals)
{
    const int i = ha__samples_insert(&peaks->samples, t);

    if (peaks->dae->n_integrals > 0) {
        memcpy(ha__samples_integrals(&peaks->samples, i), integrals,
               (size_t) peaks->dae->n_integrals * sizeof *integrals);
    }
    return i;
}

int ha__peaks_evaluate(ha__peaks *peaks, double t, const double *y, const double *yp,
                       const double *integrals)
{
    const int i = ha__peaks_add(peaks, t, integrals);

    peaks->dae->output(peaks->dae->model, peaks->work, t, y, yp, integrals,
                       ha__samples_values(&peaks->samples, i));
    return i;
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
        HA_TRY(ha__project_inside(in->projector, t, in->y_in, in->yp_in));
    }
    return settles ? in->settle(in->settler, t, in->y_in, in->yp_in) : HA_OK;
}

/* The quadratures at a time inside the step, from the sample before it on. */
static ha_status integrate_to(ha__peaks *peaks, const ha__inside *in, double t)
{
    const ha_dae *dae = peaks->dae;
    const ha__nodes nodes = ha__gauss(in->n_nodes);
    double *inner = peaks->inner, *rates = inner + dae->n_integrals;
    int i = peaks->samples.n - 1;

    while (peaks->samples.t[i] > t) {
        i--;
    }
    double a = peaks->samples.t[i], half = 0.5 * (t - a);
    memcpy(inner, ha__samples_integrals(&peaks->samples, i),
           (size_t) dae->n_integrals * sizeof *inner);
    if (in->gain != NULL) {
        in->gain(in->gain_user, a, t, rates);
        for (int j = 0; j < dae->n_integrals; j++) {
            inner[j] += rates[j];
        }
        return HA_OK;
    }
    for (int k = 0; half > 0.0 && k < nodes.n; k++) {
        double at = a + half * (1.0 + nodes.at[k][0]);
        HA_TRY(solve_at(peaks, in, at, dae->rate_reads_solved != 0));
        dae->rate(dae->model, peaks->work, at, in->y_in, in->yp_in, rates);
        for (int j = 0; j < dae->n_integrals; j++) {
            inner[j] += half * nodes.at[k][1] * rates[j];
        }
    }
    return HA_OK;
}

ha_status ha__peaks_sample_at(ha__peaks *peaks, const ha__inside *in, double t, int *sample)
{
    const ha_dae *dae = peaks->dae;

    if (dae->n_integrals > 0 && dae->rate_is_zero == 0) {
        HA_TRY(integrate_to(peaks, in, t));
    }
    HA_TRY(solve_at(peaks, in, t, dae->output_reads_solved != 0));
    *sample = ha__peaks_evaluate(peaks, t, in->y_in, in->yp_in, peaks->inner);
    return HA_OK;
}
