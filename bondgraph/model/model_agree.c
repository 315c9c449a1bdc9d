/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether two compiled models are the same: one with other values of its variables, and one that
 * was derived with these values. Where they differ, a value was read as a number on the way, and
 * the variable does not stand for all of it. Both have the same equations then but for numbers, so
 * that they agree to the last digits where they agree at all; they are compared at points drawn
 * around the starts.
 */
#include <config.h>

#include "bondgraph/model/model_agree.h"

#include "bondgraph/model/model_compile.h"

#include "bondgraph/model/model_priv.h"
#include "lib/core/random.h"

#include <math.h>
#include <string.h>

enum { POINTS = 6 };

static const double round_off = 1e-9; /* of the numbers compared */

/* Room for both models, and a point with the sides of its switches. */
typedef struct {
    const bg_model *m[2];
    double *work[2], *out[2];
    double *y, *yp, *integrals;
    signed char *sides; /* (n_switches) */
    double t;
} both;

static bool are_equal(const double *a, const double *b, size_t n)
{
    double largest = 0.0;

    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, isfinite(a[i]) ? fabs(a[i]) : 0.0);
    }
    for (size_t i = 0; i < n; i++) {
        bool is_same = a[i] == b[i] || (isnan(a[i]) && isnan(b[i])) ||
                       fabs(a[i] - b[i]) <= round_off * (fabs(a[i]) + fabs(b[i])) + 1e-15 * largest;
        if (!is_same) {
            return false;
        }
    }
    return true;
}

static bool have_same_names(const bg_model *a, const bg_model *b)
{
    bool same = a->dae.n == b->dae.n && a->dae.n_outputs == b->dae.n_outputs &&
                a->dae.n_switches == b->dae.n_switches && a->dae.n_checks == b->dae.n_checks &&
                a->dae.n_integrals == b->dae.n_integrals && a->dae.n_holds == b->dae.n_holds &&
                a->n_dependents == b->n_dependents && a->n_states == b->n_states &&
                a->dae.column_start[a->dae.n] == b->dae.column_start[b->dae.n];

    for (int i = 0; i < a->dae.n && same; i++) {
        same =
            strcmp(a->names[i], b->names[i]) == 0 && strcmp(a->equations[i], b->equations[i]) == 0;
    }
    for (int i = 0; i < a->dae.n_outputs && same; i++) {
        same = strcmp(a->outputs[i].name, b->outputs[i].name) == 0;
    }
    return same;
}

static bool have_same_starts(const bg_model *a, const bg_model *b)
{
    bool same = true;

    for (int i = 0; i < a->dae.n && same; i++) {
        same = are_equal(&a->unknowns[i].start, &b->unknowns[i].start, 1);
    }
    for (int i = 0; i < a->n_dependents && same; i++) {
        same = are_equal(&a->dependents[i].given, &b->dependents[i].given, 1);
    }
    return same;
}

static size_t most_results(const ha_dae *dae)
{
    size_t n = (size_t) dae->n + (size_t) dae->n_start_values;

    n += (size_t) (dae->n_outputs + dae->n_integrals + dae->n_checks + dae->n_switches);
    return n + (size_t) (dae->n_holds + dae->n_continuous) + (size_t) dae->column_start[dae->n];
}

static ha_status allocate(ha_ctx *ctx, both *x)
{
    const ha_dae *dae = &x->m[0]->dae;

    for (int k = 0; k < 2; k++) {
        HA_TRY_ALLOC(ctx, x->work[k], x->m[k]->dae.work_size);
        HA_TRY_ALLOC(ctx, x->out[k], most_results(&x->m[k]->dae));
    }
    HA_TRY_ALLOC(ctx, x->integrals, dae->n_integrals, x->sides, dae->n_switches);
    HA_TRY_ALLOC_EACH(ctx, dae->n, x->y, x->yp);
    return HA_OK;
}

static void clear(both *x)
{
    HA_FREE(x->work[0], x->work[1], x->out[0], x->out[1], x->y, x->yp, x->integrals, x->sides);
}

/* Sides are all above at first, then all below, then any: a law stands on each of them. */
static void draw_point(both *x, int number, uint32_t *state)
{
    const bg_model *m = x->m[0];

    for (int i = 0; i < m->dae.n; i++) {
        double size = m->unknowns[i].size > 0.0 ? m->unknowns[i].size : 1.0;
        x->y[i] = m->unknowns[i].start + 0.3 * size * ha__random_sign(state);
        x->yp[i] = size * ha__random_sign(state);
    }
    for (int i = 0; i < m->dae.n_integrals; i++) {
        x->integrals[i] = ha__random_sign(state);
    }
    for (int i = 0; i < m->dae.n_switches; i++) {
        x->sides[i] = number > 1 ? ha__random_sign(state) >= 0.0 : number == 0;
    }
    x->t = 1.0 + ha__random_sign(state);
}

/* Evaluates all of one model at the point; the number of results. */
static size_t evaluate(const both *x, int k)
{
    const ha_dae *d = &x->m[k]->dae;
    double *w = x->work[k], *out = x->out[k];

    d->residual(d->model, w, x->t, x->y, x->yp, out);
    out += d->n;
    d->jacobian(d->model, w, x->t, 0.7, x->y, x->yp, out);
    out += d->column_start[d->n];
    d->output(d->model, w, x->t, x->y, x->yp, x->integrals, out);
    out += d->n_outputs;
    d->rate(d->model, w, x->t, x->y, x->yp, out);
    out += d->n_integrals;
    d->check(d->model, w, x->t, x->y, x->yp, x->integrals, out);
    out += d->n_checks;
    d->switching(d->model, w, x->t, x->y, x->yp, out);
    out += d->n_switches;
    d->sample(d->model, w, x->t, x->y, x->yp, out);
    out += d->n_holds;
    d->keep(d->model, w, x->t, x->y, x->yp, out);
    out += d->n_continuous;
    return (size_t) (out - x->out[k]);
}

static bool agree_at_points(both *x)
{
    const double parameters[BG__PARAMETER_COUNT] = { 3.0, 5.0, 7.0 };
    bool is_same = true;
    uint32_t state = 7;

    for (int k = 0; k < 2; k++) {
        x->m[k]->dae.prepare(x->m[k], parameters, x->work[k]);
    }
    for (int i = 0; i < POINTS && is_same; i++) {
        draw_point(x, i, &state);
        for (int k = 0; k < 2; k++) {
            x->m[k]->dae.set_sides(x->m[k], x->work[k], x->sides);
        }
        size_t n = evaluate(x, 0);
        is_same = n == evaluate(x, 1) && are_equal(x->out[0], x->out[1], n);
    }
    return is_same;
}

ha_status bg__models_agree(ha_ctx *ctx, const bg_model *a, const bg_model *b, bool *agree)
{
    both x = { .m = { a, b } };
    ha_status status = HA_OK;

    *agree = have_same_names(a, b) && have_same_starts(a, b);
    if (*agree) {
        status = allocate(ctx, &x);
        *agree = status == HA_OK && agree_at_points(&x);
    }
    clear(&x);
    return status;
}

bool bg__model_reads(const bg_model *m, int i)
{
    for (int k = 0; k < BG__TAPE_COUNT; k++) {
        if (k != BG__TAPE_INITIAL && ha__tape_reads(m->tapes[k], m->variables_at + (size_t) i, 1)) {
            return true;
        }
    }
    return false;
}

ha_status bg__model_name_switches(bg_model *m, const bg_model *like)
{
    for (int i = 0; i < m->dae.n_switches && m->dae.n_switches == like->dae.n_switches; i++) {
        const char *name = bg__model_keep(m, like->switches[i]);
        HA_TRY_MEMORY(name);
        m->switches[i] = name;
    }
    return HA_OK;
}
