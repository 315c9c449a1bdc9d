/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dimensions of signals. With [u] for that of the input of a signal, its output y is
 *
 *   integrator          [y] = [gain] [u] s = [start]
 *   lag                 [y] = [gain] [u] = [start]
 *   derivative-filter   [u] = [start]
 *   both PIDs           [y] = [kp] [u] = [ki] [u] s = [kd] [u] / s = [start] = [limits],
 *                       [u] = [filter_start]
 *   hold, sample, delay [u] = [start]
 *   quantiser           [u] = [step]
 *
 * What is known of both sides of such an equation must agree; a plain number, also a gain that is
 * not given, may be of any dimension.
 */
#include <config.h>

#include "lib/expr/expr_dimension.h"
#include "mech2d/expand/expand_priv.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 160 };

/* A product of a value and, where it is a factor, the input, by a power of the time. */
typedef struct {
    const char *key;
    ha_expr value;
    bool is_factor;
    int seconds;
} term;

/* The dimension of a term; false: it is not known. */
static bool dimension_of(const m2d__expander *x, const bg_block_def *def, const term *of,
                         ha__dimension *out)
{
    ha__dimension input, second;

    if (of->value == HA_EXPR_NONE || !ha__expr_dimension(x->dag, of->value, out)) {
        return false;
    }
    if (of->is_factor && !ha__expr_dimension(x->dag, def->input, &input)) {
        return false;
    }
    *out = of->is_factor ? ha__dimension_times(*out, input, 1) : *out;
    *out =
        ha__dimension_read("1 s", &second) ? ha__dimension_times(*out, second, of->seconds) : *out;
    return true;
}

static ha_status refuse(const m2d__expander *x, const bg_block_def *def, const term *a,
                        ha__dimension of_a, const term *b, ha__dimension of_b)
{
    char words[2][MOST_WORDS];

    return ha_fail(x->ctx, HA_ERR_UNIT, def->where,
                   "signal `%s`: by its `%s`%s it is %s, by its `%s`%s %s; correct one of them, or "
                   "leave the unit out",
                   def->name, a->key, a->is_factor ? " times the input" : "",
                   ha__dimension_words(of_a, words[0], sizeof words[0]), b->key,
                   b->is_factor ? " times the input" : "",
                   ha__dimension_words(of_b, words[1], sizeof words[1]));
}

/* All terms whose dimension is known have the same. */
static ha_status check_terms(const m2d__expander *x, const bg_block_def *def, const term *terms,
                             size_t n)
{
    const term *first = NULL;
    ha__dimension of_first, is;

    for (size_t i = 0; i < n; i++) {
        if (!dimension_of(x, def, &terms[i], &is)) {
            continue;
        }
        if (first != NULL && !ha__dimension_is_like(of_first, is)) {
            return refuse(x, def, first, of_first, &terms[i], is);
        }
        of_first = first == NULL ? is : of_first;
        first = first == NULL ? &terms[i] : first;
    }
    return HA_OK;
}

static ha_status check_pid(const m2d__expander *x, const bg_block_def *def)
{
    const term output[] = { { "kp", def->kp, true, 0 },       { "ki", def->ki, true, 1 },
                            { "kd", def->kd, true, -1 },      { "start", def->start, false, 0 },
                            { "limits", def->low, false, 0 }, { "limits", def->high, false, 0 } };
    const term input[] = { { "input", def->input, false, 0 },
                           { "filter_start", def->filter_start, false, 0 } };

    HA_TRY(check_terms(x, def, output, HA_COUNT(output)));
    return check_terms(x, def, input, HA_COUNT(input));
}

/* What has a gain: it times the input, over the time for an integrator, starts at `start`. */
static ha_status check_gain(const m2d__expander *x, const bg_block_def *def)
{
    int seconds = def->kind == BG_BLOCK_INTEGRATOR ? 1 : 0;
    const term input = { "input", def->input, false, seconds }; /* a gain that is not given is 1 */
    const term gain = { "gain", def->gain, true, seconds };
    const term terms[] = { def->gain == HA_EXPR_NONE ? input : gain,
                           { "start", def->start, false, 0 } };

    return check_terms(x, def, terms, HA_COUNT(terms));
}

/* What has the dimension of its input. */
static ha_status check_input(const m2d__expander *x, const bg_block_def *def)
{
    const term terms[] = { { "input", def->input, false, 0 },
                           { "start", def->start, false, 0 },
                           { "step", def->step, false, 0 } };

    return check_terms(x, def, terms, HA_COUNT(terms));
}

/* The delay of this period that a symbol is, NULL: it is none. */
static const bg_block_def *delay_of(const m2d__expander *x, ha_expr symbol, double period)
{
    const char *name = ha_symbol_name(x->dag, symbol);
    int i = name == NULL ? -1 : ha__symtab_find(&x->mechanism->signal_names, name, strlen(name));
    const bg_block_def *def = i < 0 ? NULL : &x->mechanism->signals.items[i];

    return def != NULL && def->kind == BG_BLOCK_DELAY && m2d__number(x->dag, def->period) == period
               ? def
               : NULL;
}

/* A delay changes at the times of the samples of its period, and these take what was before: two
   periods old. */
static ha_status warn_of_delays(const m2d__expander *x, const bg_block_def *def)
{
    ha_expr *symbols = NULL;
    size_t n = 0;

    if (def->kind != BG_BLOCK_SAMPLE && def->kind != BG_BLOCK_DISCRETE_PID) {
        return HA_OK;
    }
    double period = m2d__number(x->dag, def->period);
    HA_TRY(ha_expr_symbols(x->dag, def->input, &symbols, &n));
    for (size_t i = 0; i < n; i++) {
        const bg_block_def *delay = delay_of(x, symbols[i], period);
        if (delay != NULL) {
            ha_warn(x->ctx, def->where,
                    "signal `%s` takes a value that is two periods old from the delay `%s`: both "
                    "have the period %g s, and what is sampled at a time is made of the values "
                    "before it; for that of one period ago read a `sample` in its place",
                    def->name, delay->name, period);
        }
    }
    free(symbols);
    return HA_OK;
}

ha_status m2d__check_signals(const m2d__expander *x)
{
    static ha_status (*const checks[BG_BLOCK_COUNT])(const m2d__expander *,
                                                     const bg_block_def *) = {
        [BG_BLOCK_INTEGRATOR] = check_gain,  [BG_BLOCK_LAG] = check_gain,
        [BG_BLOCK_DERIVATIVE] = check_input, [BG_BLOCK_PID] = check_pid,
        [BG_BLOCK_HOLD] = check_input,       [BG_BLOCK_SAMPLE] = check_input,
        [BG_BLOCK_DELAY] = check_input,      [BG_BLOCK_QUANTISER] = check_input,
        [BG_BLOCK_DISCRETE_PID] = check_pid,
    };
    ha_status first = HA_OK;

    for (size_t i = 0; i < x->mechanism->signals.count; i++) {
        const bg_block_def *def = &x->mechanism->signals.items[i];
        ha_status status = checks[def->kind] == NULL ? HA_OK : checks[def->kind](x, def);
        HA_THEN(status, warn_of_delays(x, def));
        first = first == HA_OK ? status : first;
    }
    return first;
}

void m2d__drop_units(const m2d__expander *x, bg_block_def *def)
{
    ha_expr *const values[] = { &def->input, &def->gain,  &def->kp,           &def->ki,
                                &def->kd,    &def->low,   &def->high,         &def->when,
                                &def->step,  &def->start, &def->filter_start, &def->deviation,
                                &def->seed };

    for (size_t i = 0; i < HA_COUNT(values); i++) {
        if (*values[i] != HA_EXPR_NONE && ha__is_quantity(x->dag, *values[i])) {
            *values[i] = ha_symbol_definition(x->dag, *values[i]);
        }
    }
}
