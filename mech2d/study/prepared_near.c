/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far the variables of a model that was compiled stand for their values: it is compared with
 * one that is made with values a little different, and where signs are others, with these.
 */
#include <config.h>

#include "bondgraph/model/model_agree.h"
#include "mech2d/study/prepared_priv.h"

#include <math.h>
#include <string.h>

enum { MOST_SIGNS = 256 }; /* that are kept */

static int sign_of(double x)
{
    return x > 0.0 ? 1 : x < 0.0 ? -1 : 0;
}

void m2d__forget_signs(m2d_prepared *p)
{
    for (size_t i = 0; i < p->known.count; i++) {
        ha__free(p->known.items[i].signs);
    }
    HA_ARRAY_CLEAR(&p->known);
}

/* The first values a little different, each by another share, with other signs where these are
   given; 0 stays. */
static void nudge(const m2d__shared_model *s, const signed char *signs, double by,
                  m2d_variable *variables)
{
    for (int i = 0; i < s->n; i++) {
        double first = s->variables[i].value, size = 1.0 + by * (0.6 + 0.4 * sin(1.0 + i));
        variables[i] = s->variables[i];
        variables[i].value *= signs != NULL && sign_of(first) != signs[i] ? -size : size;
    }
}

static bool have_same_start(const m2d_prepared *p, const m2d__kit *other)
{
    for (int i = 0; i < bg_model_n_unknowns(p->model); i++) {
        double a = p->start[i], b = other->start[i];
        if (!(fabs(a - b) <= 1e-7 * (fabs(a) + fabs(b)) + 1e-9)) {
            return false;
        }
    }
    return true;
}

/* Options of a run that read a value have it as a number. */
static bool have_same_options(const bg_run_options *a, const bg_run_options *b)
{
    bool same = true;

#define HA_OPTION(field, type, value, low, least, high, unit, name, words, sentence)               \
    same = same && (a->solver.field == b->solver.field ||                                          \
                    (a->solver.field != a->solver.field && b->solver.field != b->solver.field));
#include "lib/dae_opts.def"
#undef HA_OPTION
#define HA_OPTION(field, type, value, low, least, high, unit, name, words, sentence)               \
    same = same &&                                                                                 \
           (a->field == b->field || (a->field != a->field && b->field != b->field)); /* nan */
#include "bondgraph/run_opts.def"
#undef HA_OPTION
    return same;
}

/* Compares the model, given nudged values, with one that is made with them; errors are no news. */
static ha_status compare(m2d_prepared *p, const signed char *signs, double by, bool *is_made,
                         bool *agree)
{
    m2d__shared_model *s = p->shared;
    m2d__kit other = { 0 };
    bool is_done = false;

    nudge(s, signs, by, p->variables);
    const m2d__kit_def def = m2d__def_of(s, p->variables, M2D__KIT_FREE);
    ha_status status = m2d__kit_make(p->ctx, &def, &other);
    HA_THEN(status, m2d__update_copies(p, &is_done));
    *is_made = status == HA_OK;
    if (status == HA_OK && is_done) {
        status = bg__models_agree(p->ctx, p->model, other.compiled, agree);
        *agree = *agree && have_same_start(p, &other) &&
                 have_same_options(&s->kit.options, &other.options);
    }
    m2d__kit_clear(&other);
    return status == HA_ERR_MEMORY ? status : HA_OK;
}

ha_status m2d__agrees_near(m2d__shared_model *s, const signed char *signs, bool *agree)
{
    ha_ctx *ctx = ha_ctx_new();
    m2d_prepared p = { .ctx = ctx, .shared = s };
    bool is_made = false;
    ha_status status = ctx == NULL ? HA_ERR_MEMORY : m2d__prepared_init(&p);

    *agree = false;
    for (double by = 1e-2; by > 1e-7 && !is_made && status == HA_OK; by *= 1e-2) {
        status = compare(&p, signs, by, &is_made, agree);
    }
    m2d__prepared_clear(&p);
    ha_ctx_free(ctx);
    return status;
}

/* --- values of other signs ------------------------------------------------------------------ */

/* The signs of the values, of those that do not matter as at first; false where one is 0 that was
   not, or was. */
static bool list_signs(const m2d_prepared *p, signed char *signs)
{
    const m2d__shared_model *s = p->shared;
    bool can_be = true;

    for (int i = 0; i < s->n; i++) {
        int at_first = sign_of(s->variables[i].value), now = sign_of(p->variables[i].value);
        signs[i] = (signed char) (s->is_signed[i] ? now : at_first);
        can_be = can_be && (signs[i] != 0) == (at_first != 0);
    }
    return can_be;
}

/* Whether the model is right for these signs, `known` when that was asked before. */
static bool recall(const m2d_prepared *p, const signed char *signs, bool *known)
{
    for (size_t i = 0; i < p->known.count; i++) {
        if (memcmp(p->known.items[i].signs, signs, (size_t) p->shared->n) == 0) {
            *known = true;
            return p->known.items[i].agree;
        }
    }
    *known = false;
    return false;
}

/* Finds out and keeps it. */
static ha_status learn(m2d_prepared *p, const signed char *signs, bool *agree)
{
    const size_t n = (size_t) p->shared->n;
    m2d__known_signs one = { 0 };

    HA_TRY(m2d__agrees_near(p->shared, signs, &one.agree));
    HA_TRY_ROOM(p->ctx, &p->known, 1);
    HA_TRY_ALLOC(p->ctx, one.signs, n);
    memcpy(one.signs, signs, n);
    p->known.items[p->known.count++] = one;
    *agree = one.agree;
    return HA_OK;
}

/* Whether what was compiled is right for the signs of the values; `signs` (n) is room. Where that
   is asked of too many sets of signs, the rest is compiled: finding out costs more than it saves.
 */
static ha_status ask_signs(m2d_prepared *p, signed char *signs, bool *agree)
{
    bool known = false;

    if (!list_signs(p, signs)) {
        *agree = false;
        return HA_OK;
    }
    *agree = recall(p, signs, &known);
    return known || p->known.count == MOST_SIGNS ? HA_OK : learn(p, signs, agree);
}

ha_status m2d__can_take_values(m2d_prepared *p, bool *out)
{
    const m2d__shared_model *s = p->shared;
    bool has_same = true;
    signed char *signs = NULL;

    *out = s->is_quick;
    for (int i = 0; i < s->n; i++) {
        double value = p->variables[i].value, first = s->variables[i].value;
        *out = *out && isfinite(value);
        has_same = has_same && (!s->is_signed[i] || sign_of(value) == sign_of(first));
    }
    if (!*out || has_same || p->keeps_sides) {
        return HA_OK;
    }
    HA_TRY_ALLOC(p->ctx, signs, s->n);
    return ha__then_free(ask_signs(p, signs, out), signs);
}
