/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The values of all runs of a study.
 *
 * Numbers at random are functions of (seed, variable, run) by a hash (SplitMix64, Steele, Lea,
 * Flood 2014), so that none depends on how many were drawn before. A normal one is the inverse of
 * the distribution at a uniform one: the rational approximation of Acklam (2003), corrected by one
 * step of Halley's method with erfc.
 *
 * Latin hypercube (McKay, Beckman, Conover 1979): of n runs each variable has one in each of n
 * strata of equal probability, in the order of a random permutation of its own (Fisher-Yates).
 */
#include <config.h>

#include "mech2d/study/study.h"

#include <math.h>

static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

/* In (0, 1), of a purpose, a variable and a run. */
static double uniform(const m2d__study *s, uint64_t purpose, size_t variable, long run)
{
    uint64_t x = mix(mix(mix(s->seed + 1) ^ mix(purpose << 32 ^ variable)) ^ (uint64_t) run);

    return ((double) (x >> 11) + 0.5) * 0x1p-53;
}

static double normal(double p)
{
    static const double a[] = { -3.969683028665376e+01, 2.209460984245205e+02,
                                -2.759285104469687e+02, 1.383577518672690e+02,
                                -3.066479806614716e+01, 2.506628277459239e+00 },
                        b[] = { -5.447609879822406e+01, 1.615858368580409e+02,
                                -1.556989798598866e+02, 6.680131188771972e+01,
                                -1.328068155288572e+01 },
                        c[] = { -7.784894002430293e-03, -3.223964580411365e-01,
                                -2.400758277161838e+00, -2.549732539343734e+00,
                                4.374664141464968e+00,  2.938163982698783e+00 },
                        d[] = { 7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                                3.754408661907416e+00 };
    const double tail = fmin(p, 1.0 - p), low = 0.02425;
    double x = 0.0;

    if (tail < low) {
        double q = sqrt(-2.0 * log(tail));
        x = (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
            ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1.0);
        x = p < 0.5 ? x : -x;
    } else {
        double q = p - 0.5, r = q * q;
        x = (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
            (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1.0);
    }
    double e = 0.5 * erfc(-x / sqrt(2.0)) - p;
    double u = e * sqrt(2.0 * acos(-1.0)) * exp(0.5 * x * x);
    return x - u / (1.0 + 0.5 * x * u);
}

/* The value of a variable where its distribution is p. */
static double value_at(const m2d__vary *v, double p)
{
    switch (v->kind) {
    case M2D__VARY_LIST: {
        int i = (int) (p * v->n);
        return v->list[i < v->n ? i : v->n - 1];
    }
    case M2D__VARY_NORMAL:
        return v->a + v->b * normal(p);
    case M2D__VARY_RANGE:
    case M2D__VARY_UNIFORM:
        return v->is_log ? v->a * pow(v->b / v->a, p) : v->a + p * (v->b - v->a);
    }
    return (double) NAN;
}

static ha_status allocate(m2d__study *s, double n_runs)
{
    const double most = 1e8;

    if (!(n_runs <= most)) {
        return ha_fail(s->ctx, HA_ERR_LIMIT, (ha_where){ s->file, 0, 0 },
                       "the study has %.6g runs; 1e8 are allowed", n_runs);
    }
    s->n_runs = (long) n_runs;
    HA_TRY_ALLOC(s->ctx, s->values, (size_t) s->n_runs * s->variables.count + 1);
    return HA_OK;
}

/* HA_OK when all variables are lists, which this design needs. */
static ha_status need_lists(const m2d__study *s)
{
    for (size_t i = 0; i < s->varied.count; i++) {
        if (s->varied.items[i].n == 0) {
            return ha_fail(s->ctx, HA_ERR_VALUE, s->varied.items[i].where,
                           "`%s` is at random or has no `count`, but the design is %s: give a list "
                           "or from, to and count, or choose the design random or latin-hypercube",
                           s->variables.items[i].path,
                           s->design == M2D__DESIGN_GRID ? "grid" : "zip");
        }
    }
    return HA_OK;
}

static ha_status make_grid(m2d__study *s)
{
    size_t n = s->variables.count;
    double product = 1.0;

    HA_TRY(need_lists(s));
    for (size_t i = 0; i < n; i++) {
        product *= s->varied.items[i].n;
    }
    HA_TRY(allocate(s, product));
    for (long run = 0; run < s->n_runs; run++) {
        long rest = run;
        for (size_t i = n; i-- > 0;) {
            const m2d__vary *v = &s->varied.items[i];
            s->values[(size_t) run * n + i] = v->list[rest % v->n];
            rest /= v->n;
        }
    }
    return HA_OK;
}

static ha_status make_zip(m2d__study *s)
{
    size_t n = s->variables.count;

    HA_TRY(need_lists(s));
    for (size_t i = 1; i < n; i++) {
        if (s->varied.items[i].n != s->varied.items[0].n) {
            return ha_fail(s->ctx, HA_ERR_VALUE, s->varied.items[i].where,
                           "`%s` has %d values and `%s` has %d; the design zip takes the first of "
                           "all, the second of all, and so on: give as many of each",
                           s->variables.items[i].path, s->varied.items[i].n,
                           s->variables.items[0].path, s->varied.items[0].n);
        }
    }
    HA_TRY(allocate(s, s->varied.items[0].n));
    for (long run = 0; run < s->n_runs; run++) {
        for (size_t i = 0; i < n; i++) {
            s->values[(size_t) run * n + i] = s->varied.items[i].list[run];
        }
    }
    return HA_OK;
}

static ha_status make_random(m2d__study *s)
{
    const bool is_latin = s->design == M2D__DESIGN_LATIN;
    size_t n = s->variables.count;
    long *order = NULL;

    if (s->n_runs == 0) {
        return ha_fail(s->ctx, HA_ERR_VALUE, (ha_where){ s->file, 0, 0 },
                       "a design at random needs `runs`, the number of runs");
    }
    HA_TRY(allocate(s, (double) s->n_runs));
    HA_TRY_ALLOC(s->ctx, order, s->n_runs);
    for (size_t i = 0; i < n; i++) {
        for (long k = 0; k < s->n_runs; k++) {
            order[k] = k;
        }
        for (long k = s->n_runs - 1; k > 0 && is_latin; k--) {
            long other = (long) (uniform(s, 2, i, k) * (double) (k + 1)), keep = order[k];
            order[k] = order[other];
            order[other] = keep;
        }
        for (long run = 0; run < s->n_runs; run++) {
            double p = uniform(s, 1, i, run);
            p = is_latin ? ((double) order[run] + p) / (double) s->n_runs : p;
            s->values[(size_t) run * n + i] = value_at(&s->varied.items[i], p);
        }
    }
    ha__free(order);
    return HA_OK;
}

ha_status m2d__study_design(m2d__study *s)
{
    if (s->variables.count == 0 || (s->design == M2D__DESIGN_CASES && s->n_runs == 0)) {
        return ha_fail(
            s->ctx, HA_ERR_VALUE, (ha_where){ s->file, 0, 0 }, "the design is empty: %s",
            s->design == M2D__DESIGN_CASES
                ? "the file of cases has no rows"
                : "nothing varies; give for example `vary: {parameters.r: {list: [1, 2]}}`");
    }
    switch (s->design) {
    case M2D__DESIGN_GRID:
        return make_grid(s);
    case M2D__DESIGN_ZIP:
        return make_zip(s);
    case M2D__DESIGN_RANDOM:
    case M2D__DESIGN_LATIN:
        return make_random(s);
    case M2D__DESIGN_CASES:
    case M2D__DESIGN_COUNT:
        break;
    }
    return HA_OK;
}
