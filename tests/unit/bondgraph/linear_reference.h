/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a linear model is compared with: the whole system as it is compiled, with its multipliers,
 * loops and stabilisation, solved densely; and differences. Not installed.
 */
#ifndef TESTS_UNIT_BONDGRAPH_LINEAR_REFERENCE_H
#define TESTS_UNIT_BONDGRAPH_LINEAR_REFERENCE_H

#include "bondgraph/analysis/linear_priv.h"
#include "tests/util/random.h"
#include "tests/util/util.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* x = A^-1 b by Gauss' elimination with the largest entry of each column; `a` (n x n) by rows and
   `b` are overwritten, b with x. */
static inline void complex_solve(int n, double complex *a, double complex *b)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = cabs(a[i * n + k]) > cabs(a[best * n + k]) ? i : best;
        }
        for (int j = k; j < n && best != k; j++) {
            double complex swap = a[k * n + j];
            a[k * n + j] = a[best * n + j];
            a[best * n + j] = swap;
        }
        double complex swap = b[k];
        b[k] = b[best];
        b[best] = swap;
        for (int i = k + 1; i < n; i++) {
            double complex factor = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n && factor != 0.0; j++) {
                a[i * n + j] -= factor * a[k * n + j];
            }
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) {
            b[k] -= a[k * n + j] * b[j];
        }
        b[k] /= a[k * n + k];
    }
}

/* C (s - A)^-1 B + D of the first input, its rates as powers of s, into `out` (n_outputs). */
static inline void transfer_of(const bg_linear *linear, double complex s, double complex *out)
{
    int n = linear->n_states;
    double complex *a = calloc((size_t) (n * n) + 1, sizeof *a);
    double complex *x = calloc((size_t) n + 1, sizeof *x);

    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            a[i * n + j] = (i == j ? s : 0.0) - linear->a[i * n + j];
        }
        double complex power = 1.0;
        for (int k = 0; k < linear->n_inputs; k++, power *= s) {
            x[i] += linear->b[i * linear->n_inputs + k] * power;
        }
    }
    complex_solve(n, a, x);
    for (int i = 0; i < linear->n_outputs; i++) {
        double complex power = 1.0;
        out[i] = 0.0;
        for (int k = 0; k < linear->n_inputs; k++, power *= s) {
            out[i] += linear->d[i * linear->n_inputs + k] * power;
        }
        for (int j = 0; j < n; j++) {
            out[i] += linear->c[i * n + j] * x[j];
        }
    }
    free(a);
    free(x);
}

/* The derivatives of the model at the point, in l->values; to be freed with reference_clear(). */
static inline ha_status reference_new(ha_ctx *ctx, const bg_model *model,
                                      const bg_operating_point *point, bg_linear *scratch,
                                      bg__linearisation *l)
{
    size_t n = (size_t) model->dae.n;

    *l = (bg__linearisation){ .ctx = ctx, .m = model, .point = point, .out = scratch };
    l->work = calloc(model->dae.work_size + 1, sizeof *l->work);
    l->values = calloc((size_t) model->n_linear + 1, sizeof *l->values);
    l->y = calloc(n + 1, sizeof *l->y);
    l->yp = calloc(n + 1, sizeof *l->yp);
    l->size = calloc(n + (size_t) model->n_inputs + 1, sizeof *l->size);
    return bg__linear_evaluate(l);
}

static inline void reference_clear(bg__linearisation *l)
{
    free(l->work);
    free(l->values);
    free(l->y);
    free(l->yp);
    free(l->size);
    if (l->out != NULL) {
        bg_linear_clear(l->out);
    }
}

/* (F_y + s F_y') Y = -F_w and the outputs h_y Y + s h_y' Y + h_w, w = 1, s, s^2 of one input. */
static inline void descriptor_of(const bg__linearisation *l, double complex s, double complex *out)
{
    const bg_model *m = l->m;
    int n = m->dae.n;
    double complex *a = calloc((size_t) (n * n) + 1, sizeof *a);
    double complex *y = calloc((size_t) n + 1, sizeof *y);
    const double complex power[] = { 1.0, s, s * s };

    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < m->dae.n_outputs && pass > 0; i++) {
            out[i] = 0.0;
        }
        for (int i = 0; i < m->n_linear; i++) {
            const bg__linear_entry *e = &m->linear[i];
            int column = n > 0 ? e->column % n : 0;
            bool is_input = e->column >= 2 * n, is_rate = !is_input && e->column >= n;
            double complex by = l->values[i] * (is_rate ? s : 1.0);
            if (e->block == BG__LINEAR_EQUATION && pass == 0) {
                if (is_input) {
                    y[e->row] -= by * power[e->column - 2 * n];
                } else {
                    a[e->row * n + column] += by;
                }
            } else if (e->block == BG__LINEAR_OUTPUT && pass > 0) {
                out[e->row] += by * (is_input ? power[e->column - 2 * n] : y[column]);
            }
        }
        if (pass == 0) {
            complex_solve(n, a, y);
        }
    }
    free(a);
    free(y);
}

/* The linear model and the whole system agree at 20 values of s at random, to 1e-10 of the largest
   response over them; one input. */
static inline void compare_transfer(const bg__linearisation *l, const bg_linear *linear,
                                    uint64_t *seed)
{
    enum { N = 20 };
    size_t n = (size_t) linear->n_outputs;
    double complex *got = calloc(N * n + 1, sizeof *got), *wanted = calloc(N * n + 1, sizeof *got);

    for (int k = 0; k < N; k++) {
        double size = exp(random_in(seed, -2.0, 3.0)), turn = random_in(seed, -1.5, 1.5);
        double complex s = size * (cos(turn) + sin(turn) * csqrt(-1.0));
        transfer_of(linear, s, got + (size_t) k * n);
        descriptor_of(l, s, wanted + (size_t) k * n);
    }
    double most =
        0.0; /* of all outputs, or the input: round-off of what is small comes from there */
    for (size_t i = 0; i < N * n; i++) {
        most = fmax(most, cabs(wanted[i]));
    }
    for (size_t i = 0; i < n; i++) {
        double largest = 0.1 * fmax(most, 1.0), worst = 0.0;
        for (size_t k = 0; k < N; k++) {
            largest = fmax(largest, cabs(wanted[k * n + i]));
            worst = fmax(worst, cabs(got[k * n + i] - wanted[k * n + i]));
        }
        ck_assert_msg(worst <= 1e-10 * largest, "%s is off by %g of %g", linear->outputs[i], worst,
                      largest);
    }
    free(got);
    free(wanted);
}

/* True of an unknown that is a state, under its own name or that of its content. */
static inline bool is_named_state(const bg__linearisation *l, const bg_linear *linear, int j)
{
    const char *name = l->m->dae.unknowns[j].name;

    for (int k = 0; k < linear->n_states; k++) {
        if (strncmp(linear->states[k], name, strlen(name) - 1) == 0 &&
            strlen(linear->states[k]) == strlen(name)) {
            return true;
        }
    }
    return false;
}

/* A against central differences of the rates that the equations give, along each state. */
static inline void compare_differences(const bg__linearisation *l, const bg_linear *linear)
{
    const double parameters[BG__PARAMETER_COUNT] = { 3.0, 4.0, 0.0 };
    const double step = 1e-6;
    int n = l->m->dae.n, ns = linear->n_states;
    double *y = calloc((size_t) n + 1, sizeof *y), *low = calloc((size_t) n + 1, sizeof *y);
    double *high = calloc((size_t) n + 1, sizeof *y);

    for (int k = 0; k < ns; k++) {
        for (int side = -1; side <= 1; side += 2) {
            for (int j = 0; j < n; j++) {
                y[j] = l->y[j] + side * step * linear->shape[j * ns + k];
            }
            ck_assert_int_eq(
                ha_dae_start(l->ctx, &l->m->dae, parameters, l->point->t, y, side < 0 ? low : high),
                HA_OK);
        }
        /* rates of the states times their shape are those of all unknowns, where that is constant
         */
        double largest = 1.0, worst = 0.0;
        for (int j = 0; j < n; j++) {
            double wanted = (high[j] - low[j]) / (2.0 * step), got = 0.0;
            for (int i = 0; i < ns; i++) {
                got += linear->shape[j * ns + i] * linear->a[i * ns + k];
            }
            bool counts = l->m->dae.unknowns[j].kind == HA_DIFFERENTIAL &&
                          (!isnan(linear->residual) || is_named_state(l, linear, j));
            largest = counts ? fmax(largest, fabs(wanted)) : largest;
            worst = counts ? fmax(worst, fabs(wanted - got)) : worst;
        }
        ck_assert_msg(worst <= 1e-6 * largest, "along %s: off by %g of %g", linear->states[k],
                      worst, largest);
    }
    free(y);
    free(low);
    free(high);
}

#endif
