/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether what a law says twice agrees, at trial values.
 *
 *   storage   law y = phi(x) of the content x, inverse x = chi(y), energy E(x)
 *             phi(chi(y)) = y at every y = phi(x),  phi(x) = dE/dx
 *   resistor  e = phi(f), f = psi(e)
 *             phi(psi(e)) = e at every e = phi(f),  psi(phi(f)) = f at every f = psi(e)
 *
 * An inverse is tried at values which the law takes, so that one of a single branch passes: sqrt(e)
 * of e = q^2, or e/k + d of a spring that bears beyond d only. Both sides must agree to a
 * thousandth of what they are or of what a relative change of the argument makes of them:
 * coefficients rounded for writing pass, a factor that was forgotten does not. Where a side has no
 * value, nothing is said.
 *
 * Trial values lie on both sides of 0 and of the start, from a part in 10^9 to a thousand. What
 * else a resistor's law reads has an arbitrary value: the laws must agree for all.
 */
#include <config.h>

#include "bondgraph/graph/law_priv.h"

#include <math.h>

/* Those that read best in a message first. */
static const double sizes[] = { 0.53,  1.37,   0.17,   7.1,    1.3e-2, 1.9e-3,
                                130.0, 1300.0, 1.1e-4, 1.7e-6, 1.3e-9 };

/* Of everything else that varies: in the range of fractions and of large numbers alike. */
static const double other_value = 0.7;

/* An expression as a function of one symbol. */
typedef struct {
    ha_dag *dag;
    ha_expr value, slope, symbol;
    double argument;
} function;

static double symbol_value(void *user, ha_expr symbol)
{
    const function *f = user;

    return symbol == f->symbol ? f->argument : other_value;
}

static double value_at(function *f, double x)
{
    f->argument = x;
    return ha_expr_value(f->dag, f->value, symbol_value, f);
}

/* By how much the value changes when the argument doubles, about. */
static double effect_at(function *f, double x)
{
    f->argument = x;
    double effect = x * ha_expr_value(f->dag, f->slope, symbol_value, f);
    return isfinite(effect) ? fabs(effect) : 0.0;
}

static ha_status make_function(bg_graph *graph, ha_expr value, const ha_expr *symbols,
                               function *out)
{
    *out = (function){ .dag = graph->dag, .symbol = symbols == NULL ? HA_EXPR_NONE : symbols[0] };
    HA_TRY(ha_resolve(graph->dag, value, &out->value));
    out->slope = out->symbol == HA_EXPR_NONE ? ha_constant(graph->dag, 0.0)
                                             : ha_partial(graph->dag, out->value, out->symbol);
    return ha_dag_status(graph->dag);
}

/* --- trials ---------------------------------------------------------------------------------- */

enum { N_SIZES = sizeof sizes / sizeof sizes[0], N_TRIALS = 4 * N_SIZES };

/* Trial values about 0 and about the start. */
static ha_status list_trials(bg_graph *graph, const bg__element *e, double trials[N_TRIALS])
{
    const bg__extras *extra = bg__extra(e);
    ha_expr start = HA_EXPR_NONE;
    double middle = 0.0;

    if (extra->start != NULL && extra->start[0] != HA_EXPR_NONE) {
        HA_TRY(ha_resolve(graph->dag, extra->start[0], &start));
        double value = ha_expr_value(graph->dag, start, NULL, NULL);
        HA_TRY(ha_dag_status(graph->dag));
        middle = isfinite(value) ? value : 0.0;
    }
    for (int i = 0; i < N_SIZES; i++) {
        trials[4 * i] = sizes[i];
        trials[4 * i + 1] = -sizes[i];
        trials[4 * i + 2] = middle * (1.0 + sizes[i]);
        trials[4 * i + 3] = middle * (1.0 - sizes[i]);
    }
    return ha_dag_status(graph->dag);
}

static bool differs(double a, double b, double effect)
{
    return isfinite(a) && isfinite(b) && fabs(a - b) > 1e-3 * (fmax(fabs(a), fabs(b)) + effect);
}

/* The first trial value x at which back does not undo law; false: none. y = law(x),
   again[0] = back(y), again[1] = law(back(y)). */
static bool find_trial(function *law, function *back, const double trials[N_TRIALS], double *x,
                       double *y, double again[2])
{
    for (int i = 0; i < N_TRIALS; i++) {
        *x = trials[i];
        *y = value_at(law, *x);
        again[0] = isfinite(*y) ? value_at(back, *y) : (double) NAN;
        again[1] = isfinite(again[0]) ? value_at(law, again[0]) : (double) NAN;
        if (isfinite(again[1]) && differs(*y, again[1], effect_at(law, again[0]))) {
            return true;
        }
    }
    return false;
}

/* --- storages -------------------------------------------------------------------------------- */

static ha_status check_inverse(bg_graph *graph, const bg__element *e, bool is_inertia,
                               function *law)
{
    const char *content = is_inertia ? "p" : "q", *gives = is_inertia ? "flow" : "effort";
    const bg__law *of = bg__extra(e)->law;
    double trials[N_TRIALS], x = 0.0, y = 0.0, again[2] = { 0.0, 0.0 };
    function inverse;

    HA_TRY(make_function(graph, of->inverse, of->variables[is_inertia ? BG_SIGNAL_F : BG_SIGNAL_E],
                         &inverse));
    HA_TRY(list_trials(graph, e, trials));
    bool is_wrong = find_trial(law, &inverse, trials, &x, &y, again);
    HA_TRY(ha_dag_status(graph->dag));
    return !is_wrong
               ? HA_OK
               : ha_fail(graph->ctx, HA_ERR_VALUE, e->where,
                         "the inverse of `%s` does not undo its law: at %s = %g the law gives "
                         "the %s %g, for which the inverse gives %s = %g, and there the law "
                         "gives %g; correct one of them, or leave the inverse out",
                         e->name, content, x, gives, y, content, again[0], again[1]);
}

static ha_status check_energy(bg_graph *graph, const bg__element *e, bool is_inertia,
                              function *direct, function *by_energy)
{
    double trials[N_TRIALS], a = 0.0, b = 0.0;
    int i = 0;

    HA_TRY(list_trials(graph, e, trials));
    for (; i < N_TRIALS; i++) {
        a = value_at(direct, trials[i]);
        b = value_at(by_energy, trials[i]);
        if (differs(a, b, effect_at(direct, trials[i]))) {
            break;
        }
    }
    HA_TRY(ha_dag_status(graph->dag));
    return i == N_TRIALS
               ? HA_OK
               : ha_fail(graph->ctx, HA_ERR_VALUE, e->where,
                         "the energy of `%s` is not that of its law: at %s = %g its derivative is "
                         "%g, and the law gives the %s %g; correct one of them, or leave one out",
                         e->name, is_inertia ? "p" : "q", trials[i], b,
                         is_inertia ? "flow" : "effort", a);
}

static ha_status check_storage(bg_graph *graph, const bg__element *e)
{
    const bg__law *law = bg__extra(e)->law;
    bool is_inertia = (e->type->signals >> BG_SIGNAL_P & 1u) != 0;
    const ha_expr *content = law->variables[is_inertia ? BG_SIGNAL_P : BG_SIGNAL_Q];
    ha_expr direct = is_inertia ? law->flow : law->effort;
    function by_law, by_energy;

    HA_TRY(make_function(graph, direct != HA_EXPR_NONE ? direct : law->energy, content, &by_law));
    if (direct == HA_EXPR_NONE || law->energy != HA_EXPR_NONE) {
        HA_TRY(make_function(graph, law->energy, content, &by_energy));
        HA_TRY(make_function(graph, by_energy.slope, content, &by_energy));
    }
    if (direct == HA_EXPR_NONE) {
        by_law = by_energy;
    } else if (law->energy != HA_EXPR_NONE) {
        HA_TRY(check_energy(graph, e, is_inertia, &by_law, &by_energy));
    }
    return law->inverse == HA_EXPR_NONE ? HA_OK : check_inverse(graph, e, is_inertia, &by_law);
}

/* --- resistors ------------------------------------------------------------------------------- */

static ha_status check_resistor(bg_graph *graph, const bg__element *e)
{
    const bg__extras *extra = bg__extra(e);
    static const char *const letters[] = { "f", "e" };
    double trials[N_TRIALS], x = 0.0, y = 0.0, again[2] = { 0.0, 0.0 };
    function laws[2]; /* e = phi(f), f = psi(e) */

    HA_TRY(make_function(graph, extra->law->effort, extra->law->variables[BG_SIGNAL_F], &laws[0]));
    HA_TRY(make_function(graph, extra->law->flow, extra->law->variables[BG_SIGNAL_E], &laws[1]));
    HA_TRY(list_trials(graph, e, trials));
    for (int way = 0; way < 2; way++) {
        bool is_wrong = find_trial(&laws[way], &laws[1 - way], trials, &x, &y, again);
        HA_TRY(ha_dag_status(graph->dag));
        if (is_wrong) {
            const char *from = letters[way], *to = letters[1 - way];
            return ha_fail(graph->ctx, HA_ERR_VALUE, e->where,
                           "the two laws of `%s` do not undo each other: at %s = %g the one gives "
                           "%s = %g, for which the other gives %s = %g, and there the first gives "
                           "%s = %g; correct one of them, or leave one out",
                           e->name, from, x, to, y, from, again[0], to, again[1]);
        }
    }
    return HA_OK;
}

ha_status bg__check_law_agrees(bg_graph *graph, const bg__element *e)
{
    const bg__law *law = bg__extra(e)->law;

    if (law->n_ports > 1) {
        return HA_OK;
    }
    if (e->type->stage == BG__STAGE_RESISTOR) {
        bool has_both = law->effort != HA_EXPR_NONE && law->flow != HA_EXPR_NONE;
        return has_both ? check_resistor(graph, e) : HA_OK;
    }
    bool is_double =
        law->inverse != HA_EXPR_NONE ||
        (law->energy != HA_EXPR_NONE && (law->effort != HA_EXPR_NONE || law->flow != HA_EXPR_NONE));
    return is_double ? check_storage(graph, e) : HA_OK;
}
