/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Poles of magnitudes, and what is none. */
#include <config.h>

#include "lib/dae/dae_priv.h"

#include "tests/util/util.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double POLE = 1.0 / 3.0;

/* |t - t*|^-p, with a floor under the distance and a background. */
typedef struct {
    double power, least, background;
    long n;
} shape;

static ha_status size_at(void *user, double t, double *size)
{
    shape *s = user;

    *size = s->background + pow(fmax(fabs(t - POLE), s->least), -s->power);
    s->n++;
    return HA_OK;
}

static double find(shape *s, double a, double b)
{
    double t = 0.0;

    s->n = 0;
    ck_assert_int_eq(ha__find_pole(a, b, size_at, s, &t), HA_OK);
    return t;
}

/* Wherever it lies in the range, in the middle and at the ends too. */
START_TEST(poles_without_an_integral_are_found)
{
    static const double powers[] = { 1.0, 1.5, 2.0, 3.0, 6.0 };

    for (size_t i = 0; i < sizeof powers / sizeof powers[0]; i++) {
        for (double share = 0.0; share < 1.01; share += 0.1) {
            shape s = { .power = powers[i], .background = 1.0 };
            double h = 1e-2, t = find(&s, POLE - share * h, POLE + (1.0 - share) * h);
            ck_assert_double_eq_tol(t, POLE, 1e-9);
        }
    }
}
END_TEST

START_TEST(what_can_be_integrated_is_none)
{
    static const double powers[] = { -2.0, -1.0, 0.0, 0.25, 0.5 };

    for (size_t i = 0; i < sizeof powers / sizeof powers[0]; i++) {
        for (double share = 0.0; share < 1.01; share += 0.1) {
            shape s = { .power = powers[i], .least = 1e-200, .background = 1.0 };
            ck_assert(isnan(find(&s, POLE - share, POLE + 1.0 - share)));
        }
    }
}
END_TEST

/* A peak a hundred thousandth wide is none; a look at what is smooth is cheap. */
START_TEST(a_peak_that_is_bounded_is_none)
{
    shape narrow = { .power = 2.0, .least = 1e-5 }, smooth = { .power = -1.0 };

    ck_assert(isnan(find(&narrow, 0.0, 1.0)));
    ck_assert(isnan(find(&smooth, 0.0, 1.0)));
    ck_assert_int_le(smooth.n, 20);
}
END_TEST

/* A range whose times cannot be told from one another tells nothing. */
START_TEST(round_off_is_none)
{
    shape s = { .power = 3.0 };

    ck_assert(isnan(find(&s, POLE, nextafter(POLE, 1.0))));
}
END_TEST

static const char *said(const double *unknowns, const double *outputs)
{
    static const ha_dae_unknown all[] = { { .name = "slow", .kind = HA_DIFFERENTIAL },
                                          { .name = "fast", .kind = HA_DIFFERENTIAL },
                                          { .name = "force", .kind = HA_ALGEBRAIC } };
    static const ha_dae_output reads[] = { { "power", "W" }, { "more", "W" } };
    static char text[500];
    const ha_dae dae = { .n = 3, .unknowns = all, .n_outputs = 2, .outputs = reads };
    ha_ctx *ctx = ha_ctx_new();

    ck_assert_int_eq(ha__fail_at_pole(ctx, &dae, 1.5, unknowns, outputs), HA_ERR_SOLVER);
    snprintf(text, sizeof text, "%s", ha_ctx_diag(ctx, 0)->text);
    ha_ctx_free(ctx);
    return text;
}

/* Values before, then at the pole: an unknown that is integrated comes first, the fastest of them.
 */
START_TEST(what_grows_is_named)
{
    const double calm[6] = { 1.0, 1.0, 1.0, 2.0, 2.0, 1e30 };
    const double wild[6] = { 1.0, 1.0, 1.0, 1e12, -1e14, 1e30 };
    const double steady[4] = { 1.0, 0.0, 1.0, 1.0 }, output[4] = { 1.0, 1.0, 1.0, 1e15 };

    ck_assert_ptr_nonnull(strstr(said(wild, output), "t = 1.5 s: `fast` grows beyond all bounds"));
    ck_assert_ptr_nonnull(strstr(said(calm, output), "`more` grows beyond all bounds"));
    ck_assert_ptr_nonnull(strstr(said(calm, steady), ": a power grows beyond all bounds"));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        poles_without_an_integral_are_found, what_grows_is_named, what_can_be_integrated_is_none,
        a_peak_that_is_bounded_is_none,      round_off_is_none,
    };

    return test_run_all("pole", NULL, NULL, tests, sizeof tests / sizeof tests[0]);
}
