/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run of a study whose values the model is compiled with. Values of 0 and of another sign than
 * those are compiled again, so that it is one with few zeros; some runs may have values that no
 * model can be made of, so that there are several candidates, far from each other. They follow from
 * what values there are, not from the order of the runs.
 *
 * The runs are sorted by their values. Among those with the fewest zeros, and at last among all,
 * the candidates are at 1/2, 1/4, 3/4, 1/8 ... (van der Corput 1935).
 */
#include <config.h>

#include "lib/core/sort.h"
#include "mech2d/study/study.h"

#include <string.h>

/* A key with the order of the numbers. */
static uint64_t key_of(double x)
{
    const uint64_t sign = UINT64_C(1) << 63;
    uint64_t bits = 0;

    memcpy(&bits, &x, sizeof bits);
    return (bits & sign) != 0 ? ~bits : bits | sign;
}

static uint64_t n_zeros(const m2d__study *s, int run)
{
    uint64_t n = 0;

    for (size_t i = 0; i < s->variables.count; i++) {
        n += s->values[(size_t) run * s->variables.count + i] == 0.0 ? 1 : 0;
    }
    return n;
}

/* The runs by the number of their zeros, then by their values; `keys` (runs) is room. */
static ha_status sort_runs(const m2d__study *s, uint64_t *keys, int *runs)
{
    const size_t n = (size_t) s->n_runs, n_values = s->variables.count;

    for (size_t k = 0; k < n; k++) {
        runs[k] = (int) k;
    }
    for (size_t i = n_values; i-- > 0;) { /* the sort is stable, so the first value comes last */
        for (size_t k = 0; k < n; k++) {
            keys[k] = key_of(s->values[(size_t) runs[k] * n_values + i]);
        }
        HA_TRY(ha__sort_by_keys(s->ctx, n, keys, runs));
    }
    for (size_t k = 0; k < n; k++) {
        keys[k] = n_zeros(s, runs[k]);
    }
    return ha__sort_by_keys(s->ctx, n, keys, runs);
}

/* Number k, from 0, of 1/2, 1/4, 3/4, 1/8, ... */
static double spread(int k)
{
    double share = 0.0, bit = 0.5;

    for (int i = k + 1; i > 0; i /= 2) {
        share += i % 2 != 0 ? bit : 0.0;
        bit *= 0.5;
    }
    return share;
}

ha_status m2d__study_bases(const m2d__study *s, long *bases)
{
    const size_t n = (size_t) s->n_runs;
    uint64_t *keys = ha__alloc(s->ctx, n, sizeof *keys);
    int *runs = ha__alloc(s->ctx, n, sizeof *runs);
    ha_status status = keys == NULL || runs == NULL ? HA_ERR_MEMORY : sort_runs(s, keys, runs);
    size_t n_few = 0;

    while (status == HA_OK && n_few < n && keys[n_few] == keys[0]) {
        n_few++;
    }
    for (int k = 0; k < M2D__N_BASES && status == HA_OK; k++) {
        bool is_few = k < M2D__N_BASES / 2;
        double at = spread(is_few ? k : k - M2D__N_BASES / 2) * (double) (is_few ? n_few : n);
        bases[k] = runs[(size_t) at];
    }
    HA_FREE(keys, runs);
    return status;
}
