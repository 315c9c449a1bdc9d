/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Extrema by the polynomials through samples, and what is told of their errors. */
#include <config.h>

#include "lib/dae/dae_samples.h"

#include "tests/util/util.h"

#include <math.h>
#include <string.h>

/* Functions with a maximum; t = 0 is an event, next to which two are not smooth. */
static double by_sine(double t)
{
    return sin(t);
}

static double by_bell(double t)
{
    return 1.0 / (1.0 + (t - 1.4) * (t - 1.4));
}

static double by_root(double t)
{
    return sqrt(t) * (3.0 - t);
}

static double by_contact(double t)
{
    return t * sqrt(t) * (2.0 - t) * exp(-t);
}

static const struct {
    double (*at)(double t);
    double top; /* where it is highest */
} functions[] = { { by_sine, 1.5707963267948966 },
                  { by_bell, 1.4 },
                  { by_root, 1.0 },
                  { by_contact, 0.8138593383654928 /* t^2 - 4.5 t + 3 = 0, the smaller t */ } };

/* Samples of a function at times that grow by a factor, of which the top is between the last two,
   at a share of the way. */
static ha_status take_samples(ha__samples *s, ha_ctx *ctx, const ha_dae *dae, int function,
                              double factor, double share)
{
    enum { N = 8 };
    double times[N] = { 0.0 }, length = 1.0;

    HA_TRY(ha__samples_init(s, ctx, dae));
    for (int k = 1; k < N; k++, length *= factor) {
        times[k] = times[k - 1] + length;
    }
    const double gap = times[N - 1] - times[N - 2];
    const double scale = functions[function].top / (times[N - 2] + share * gap);
    for (int k = 0; k < N; k++) {
        int i = ha__samples_insert(s, scale * times[k]);
        ha__samples_values(s, i)[0] = functions[function].at(s->t[i]);
    }
    return HA_OK;
}

/* What is told of the error holds: the extremum is no further off the function at its time than 30
   times that, and the function there no further below its top. At an end of the gap the room that
   is told has the top in it. */
START_TEST(errors_of_extrema_are_told)
{
    static const double factors[] = { 1.0, 1.3, 1.6, 2.0 };
    const ha_dae_output output = { .name = "f", .unit = "1" };
    const ha_dae dae = { .n_outputs = 1, .outputs = &output };
    ha_ctx *ctx = ha_ctx_new();

    for (size_t k = 0; k < HA_COUNT(factors); k++) {
        for (double share = 0.05; share < 1.0; share += 0.1) {
            ha__samples s = { 0 };
            ck_assert_int_eq(take_samples(&s, ctx, &dae, _i, factors[k], share), HA_OK);
            const int last = s.n - 2;
            const double top = functions[_i].at(functions[_i].top);
            const ha__extremum e = ha__find_extremum(&s, HA__DEGREE_NODES, last, 0);
            const double there = functions[_i].at(e.t), least = 1e-14 * top;
            ck_assert(e.t >= s.t[last] && e.t <= s.t[last + 1]);
            ck_assert_double_eq(e.sign, 1.0);
            ck_assert_msg(fabs(e.f - there) <= 30.0 * e.error + least,
                          "factor %g, share %g: off by %g, told %g", factors[k], share,
                          fabs(e.f - there), e.error);
            ck_assert_msg(top - there <= 30.0 * (e.below + e.room) + least,
                          "factor %g, share %g: below by %g, told %g", factors[k], share,
                          top - there, e.below + e.room);
            ha__samples_clear(&s);
        }
    }
    ha_ctx_free(ctx);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("dae_samples");
    TCase *tests = tcase_create("samples");

    tcase_add_loop_test(tests, errors_of_extrema_are_told, 0, (int) HA_COUNT(functions));
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
