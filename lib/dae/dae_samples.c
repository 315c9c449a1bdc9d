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
 */
#include <config.h>

#include "lib/dae/dae_samples.h"

#include "lib/core/mem.h"

#include <string.h>

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
