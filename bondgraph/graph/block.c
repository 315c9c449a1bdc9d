/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signals with a state.
 *
 * A state x' = r is a flow source with the flow r on a sensor, whose effort is 0 and whose
 * displacement is x: no power flows, and the solver integrates x as any displacement. So blocks
 * need no equations of their own. With the input u and the output y:
 *
 *   integrator          x' = K u                         y = x
 *   lag                 x' = (K u - x) / T               y = x
 *   derivative-filter   x' = (u - x) / T                 y = K (u - x) / T
 *   pid                 i' = ki u + (y - v) / Tt         v = kp u + i + kd (u - x) / Tf
 *                       x' = (u - x) / Tf                y = min(max(v, low), high)
 *   hold                x = u where `when` gets above 0  y = x
 *   sample              x = u at 0, T, 2 T, ...          y = x
 *   delay               x = u, z = x at these times      y = z
 *   quantiser                                            y = s floor(u / s + 1/2)
 *   discrete-pid        i = i + ki T u + (y - v) T / Tt  v = kp u + i + ki T u + kd (u - z) / T
 *                       z = u                            y = min(max(v, low), high)
 *   noise               x = g(g(x))                      y = s sqrt(-2 log(a)) cos(2 pi b)
 *   inverse             0 = u                            y: the multiplier of this constraint
 *
 * The times are those at which sin(pi t / T) changes its sign. All that is sampled at a time is
 * made of what was before: so z is u one time earlier, and x = x + K u is a sum.
 *
 * Noise is made of g(x) = 16807 x mod m, m = 2^31 - 1 (Park and Miller, Comm. ACM 31, 1988, 1192),
 * which has no round-off in 53 bits; of a = g(x) / m and b = g(g(x)) / m it makes normal numbers by
 * Box and Muller.
 *
 * The integral of a limited PID would run away while its output stays at a limit (windup). The term
 * (y - v) / Tt leads it back (back-calculation): it is 0 within the limits, continuous, and beyond
 * them v settles at Tt ki u from the limit. Stopping the integral while v is beyond a limit would
 * be a jump of its rate, which throws v back to the limit that it just left: where ki u > -kp u' it
 * would switch for ever.
 */
#include <config.h>

#include "bondgraph/block.h"

#include "bondgraph/graph/graph_priv.h"
#include "lib/core/need.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { COOKIE = 0x6267626b };

bg_block_def bg_block_def_default(void)
{
    return (bg_block_def){ .cookie = COOKIE };
}

/* --- kinds ------------------------------------------------------------------------------------ */

static const char *const kind_names[BG_BLOCK_COUNT] = {
    [BG_BLOCK_INTEGRATOR] = "integrator",
    [BG_BLOCK_LAG] = "lag",
    [BG_BLOCK_DERIVATIVE] = "derivative-filter",
    [BG_BLOCK_PID] = "pid",
    [BG_BLOCK_HOLD] = "hold",
    [BG_BLOCK_SAMPLE] = "sample",
    [BG_BLOCK_DELAY] = "delay",
    [BG_BLOCK_QUANTISER] = "quantiser",
    [BG_BLOCK_DISCRETE_PID] = "discrete-pid",
    [BG_BLOCK_NOISE] = "noise",
    [BG_BLOCK_INVERSE] = "inverse",
};

bg_block_kind bg_block_kind_find(const char *name)
{
    HA_NEED_ELSE(name != NULL, BG_BLOCK_COUNT);
    int kind = 0;

    while (kind < BG_BLOCK_COUNT && strcmp(kind_names[kind], name) != 0) {
        kind++;
    }
    return (bg_block_kind) kind;
}

const char *bg_block_kind_name(bg_block_kind kind)
{
    return kind_names[kind];
}

/* --- parameters ------------------------------------------------------------------------------- */

/* A block under construction. */
typedef struct {
    bg_graph *graph;
    ha_dag *dag;
    const bg_block_def *def;
} block;

static ha_status require(const block *b, const char *what, ha_expr value)
{
    return value != HA_EXPR_NONE ? HA_OK
                                 : ha_fail(b->graph->ctx, HA_ERR_VALUE, b->def->where,
                                           "signal `%s` (%s) has no `%s`; give it", b->def->name,
                                           kind_names[b->def->kind], what);
}

/* The number that a parameter stands for, nan where it is no constant. */
static ha_status number_of(const block *b, ha_expr value, double *out)
{
    ha_expr resolved = HA_EXPR_NONE;

    *out = (double) NAN;
    HA_TRY(ha_resolve(b->dag, value, &resolved));
    (void) ha_expr_is_constant(b->dag, resolved, out);
    return HA_OK;
}

/* A time that must be there and positive where it is constant. */
static ha_status require_time(const block *b, const char *what, ha_expr value)
{
    double number = 0.0;

    HA_TRY(require(b, what, value));
    HA_TRY(number_of(b, value, &number));
    if (number <= 0.0 || isinf(number)) {
        return ha_fail(b->graph->ctx, HA_ERR_VALUE, b->def->where,
                       "`%s` of signal `%s` is %g s; give a positive time", what, b->def->name,
                       number);
    }
    return HA_OK;
}

static ha_status check_limits(const block *b)
{
    double low = (double) NAN, high = (double) NAN;

    if (b->def->low == HA_EXPR_NONE || b->def->high == HA_EXPR_NONE) {
        return HA_OK;
    }
    HA_TRY(number_of(b, b->def->low, &low));
    HA_TRY(number_of(b, b->def->high, &high));
    if (low >= high) {
        return ha_fail(b->graph->ctx, HA_ERR_VALUE, b->def->where,
                       "the limits of signal `%s` are %g and %g; give the lower one first",
                       b->def->name, low, high);
    }
    return HA_OK;
}

/* The tracking time, given or kp / ki. */
static ha_status find_tracking(const block *b, ha_expr *out)
{
    const bg_block_def *def = b->def;

    *out = def->tracking_time;
    if (*out == HA_EXPR_NONE && def->kp == HA_EXPR_NONE) {
        return ha_fail(b->graph->ctx, HA_ERR_VALUE, def->where,
                       "signal `%s` has limits and an integral, but no `kp`; give `tracking_time`",
                       def->name);
    }
    if (*out == HA_EXPR_NONE) {
        *out = ha_div(b->dag, def->kp, def->ki);
        HA_TRY(ha_dag_status(b->dag));
    }
    return require_time(b, "tracking_time", *out);
}

/* --- elements --------------------------------------------------------------------------------- */

/* An element of the block: `NAME.part`. */
static ha_status add_part(const block *b, const char *part, const char *type, ha_expr value,
                          ha_expr start, bg_element *out)
{
    bg_element_def def = bg_element_def_default();
    ha__arena *arena = &b->graph->arena;

    HA_TRY_GET(def.name, ha__arena_format(b->graph->ctx, arena, "%s.%s", b->def->name, part));
    def.type = type;
    def.value = &value;
    def.n_values = value == HA_EXPR_NONE ? 0 : 1;
    def.start = start == HA_EXPR_NONE ? NULL : &start;
    def.group = b->def->group == NULL ? b->def->name : b->def->group;
    def.domain = BG_DOMAIN_END; /* it may be of any dimension */
    def.where = b->def->where;
    return bg_graph_add_element(b->graph, &def, out);
}

/* A state, whose rate is set by set_rate(). */
typedef struct {
    bg_element source, sensor;
    ha_expr x;
} state;

static ha_status add_state(const block *b, const char *const parts[2], ha_expr start, state *out)
{
    bg_bond bond = 0;

    HA_TRY(add_part(b, parts[0], "MSf", ha_constant(b->dag, 0.0), HA_EXPR_NONE, &out->source));
    HA_TRY(add_part(b, parts[1], "Df", HA_EXPR_NONE,
                    start == HA_EXPR_NONE ? ha_constant(b->dag, 0.0) : start, &out->sensor));
    HA_TRY(bg_graph_add_bond(b->graph, out->source, out->sensor, 1, b->def->where, &bond));
    out->x = bg_graph_signal(b->graph, out->sensor, 0, BG_SIGNAL_Q);
    return ha_dag_status(b->dag);
}

static ha_status set_rate(const block *b, const state *s, ha_expr rate)
{
    HA_TRY(ha_dag_status(b->dag));
    return bg_graph_set_value(b->graph, s->source, &rate, 1);
}

static const char *const main_parts[2] = { "rate", "state" };
static const char *const filter_parts[2] = { "filter", "filtered" };

/* --- laws ------------------------------------------------------------------------------------- */

static ha_expr or_one(const block *b, ha_expr value)
{
    return value == HA_EXPR_NONE ? ha_constant(b->dag, 1.0) : value;
}

static ha_status add_integrator(const block *b, ha_expr *y)
{
    state s;

    HA_TRY(add_state(b, main_parts, b->def->start, &s));
    *y = s.x;
    return set_rate(b, &s, ha_mul(b->dag, or_one(b, b->def->gain), b->def->input));
}

static ha_status add_lag(const block *b, ha_expr *y)
{
    const bg_block_def *def = b->def;
    state s;

    HA_TRY(require_time(b, "time_constant", def->time_constant));
    HA_TRY(add_state(b, main_parts, def->start, &s));
    ha_expr aim = ha_mul(b->dag, or_one(b, def->gain), def->input);
    *y = s.x;
    return set_rate(b, &s, ha_div(b->dag, ha_sub(b->dag, aim, s.x), def->time_constant));
}

/* The filtered derivative of the input with time T: (u - x) / T. */
static ha_status add_filter(const block *b, const char *const parts[2], ha_expr T, ha_expr start,
                            ha_expr *rate)
{
    state s;

    HA_TRY(add_state(b, parts, start, &s));
    *rate = ha_div(b->dag, ha_sub(b->dag, b->def->input, s.x), T);
    return set_rate(b, &s, *rate);
}

static ha_status add_derivative(const block *b, ha_expr *y)
{
    const bg_block_def *def = b->def;
    ha_expr rate = HA_EXPR_NONE;

    HA_TRY(require_time(b, "time_constant", def->time_constant));
    HA_TRY(add_filter(b, main_parts, def->time_constant, def->start, &rate));
    *y = ha_mul(b->dag, or_one(b, def->gain), rate);
    return ha_dag_status(b->dag);
}

/* v within the limits that are given. */
static ha_expr limited(const block *b, ha_expr v)
{
    if (b->def->low != HA_EXPR_NONE) {
        v = ha_apply(b->dag, HA_OP_MAX, v, b->def->low, HA_EXPR_NONE);
    }
    return b->def->high == HA_EXPR_NONE
               ? v
               : ha_apply(b->dag, HA_OP_MIN, v, b->def->high, HA_EXPR_NONE);
}

static ha_status add_pid(const block *b, ha_expr *y)
{
    const bg_block_def *def = b->def;
    bool has_limit = def->low != HA_EXPR_NONE || def->high != HA_EXPR_NONE;
    ha_expr v = ha_constant(b->dag, 0.0), rate = HA_EXPR_NONE, tracking = HA_EXPR_NONE;
    state integral = { 0 };

    HA_TRY(check_limits(b));
    if (def->kp != HA_EXPR_NONE) {
        v = ha_mul(b->dag, def->kp, def->input);
    }
    if (def->ki != HA_EXPR_NONE) {
        HA_TRY(has_limit ? find_tracking(b, &tracking) : HA_OK);
        HA_TRY(add_state(b, main_parts, def->start, &integral));
        v = ha_add(b->dag, v, integral.x);
    }
    if (def->kd != HA_EXPR_NONE) {
        HA_TRY(require_time(b, "filter_time", def->filter_time));
        HA_TRY(add_filter(b, filter_parts, def->filter_time, def->filter_start, &rate));
        v = ha_add(b->dag, v, ha_mul(b->dag, def->kd, rate));
    }
    *y = limited(b, v);
    if (def->ki == HA_EXPR_NONE) {
        return ha_dag_status(b->dag);
    }
    ha_expr of_integral = ha_mul(b->dag, def->ki, def->input);
    if (has_limit) {
        ha_expr back = ha_div(b->dag, ha_sub(b->dag, *y, v), tracking);
        of_integral = ha_add(b->dag, of_integral, back);
    }
    return set_rate(b, &integral, of_integral);
}

static ha_status add_hold(const block *b, ha_expr *y)
{
    const bg_block_def *def = b->def;
    double number = 0.0;
    state s;

    HA_TRY(require(b, "when", def->when));
    HA_TRY(number_of(b, def->when, &number));
    if (!isnan(number)) {
        return ha_fail(b->graph->ctx, HA_ERR_VALUE, def->where,
                       "`when` of signal `%s` is the constant %g; give what gets above 0 when a "
                       "value is to be held",
                       def->name, number);
    }
    HA_TRY(add_state(b, main_parts, def->start, &s));
    *y = s.x;
    return bg_graph_set_hold(b->graph, s.sensor, (const ha_expr[2]){ def->when, def->input });
}

/* A state that takes the value of an expression at the times of the period. */
typedef struct {
    bg_element sensor;
    ha_expr x, clock;
} sampled;

static ha_status add_clocked(const block *b, const char *const parts[2], ha_expr start,
                             sampled *out)
{
    const bg_block_def *def = b->def;
    state s;

    HA_TRY(require_time(b, "period", def->period));
    HA_TRY(add_state(b, parts, start, &s));
    ha_expr turns = ha_div(b->dag, bg_graph_time(b->graph), def->period);
    ha_expr turn = ha_mul(b->dag, ha_constant(b->dag, M_PI), turns);
    ha_expr clock = ha_apply(b->dag, HA_OP_SIN, turn, HA_EXPR_NONE, HA_EXPR_NONE);
    *out = (sampled){ s.sensor, s.x, clock };
    return ha_dag_status(b->dag);
}

static ha_status set_next(const block *b, const sampled *s, ha_expr next)
{
    bool is_random = b->def->kind == BG_BLOCK_NOISE;

    HA_TRY(ha_dag_status(b->dag));
    HA_TRY(bg_graph_set_hold(b->graph, s->sensor, (const ha_expr[2]){ s->clock, next }));
    return bg_graph_set_is_sampled(b->graph, s->sensor, is_random ? 2 : 1);
}

static ha_status add_sampled(const block *b, const char *const parts[2], ha_expr input, ha_expr *x)
{
    sampled s;

    HA_TRY(add_clocked(b, parts, b->def->start, &s));
    *x = s.x;
    return set_next(b, &s, input);
}

static ha_status add_sample(const block *b, ha_expr *y)
{
    return add_sampled(b, main_parts, b->def->input, y);
}

static ha_status add_delay(const block *b, ha_expr *y)
{
    static const char *const parts[2] = { "last", "latest" };
    ha_expr latest = HA_EXPR_NONE;

    HA_TRY(add_sampled(b, parts, b->def->input, &latest));
    return add_sampled(b, main_parts, latest, y);
}

static ha_status add_quantiser(const block *b, ha_expr *y)
{
    const bg_block_def *def = b->def;
    double number = 0.0;

    HA_TRY(require(b, "step", def->step));
    HA_TRY(number_of(b, def->step, &number));
    if (number <= 0.0 || isinf(number)) {
        return ha_fail(b->graph->ctx, HA_ERR_VALUE, def->where,
                       "`step` of signal `%s` is %g; give a positive one", def->name, number);
    }
    ha_expr steps = ha_add(b->dag, ha_div(b->dag, def->input, def->step), ha_constant(b->dag, 0.5));
    *y =
        ha_mul(b->dag, def->step, ha_apply(b->dag, HA_OP_FLOOR, steps, HA_EXPR_NONE, HA_EXPR_NONE));
    return ha_dag_status(b->dag);
}

/* v of the discrete PID; the last input is z, HA_EXPR_NONE: it is not needed. */
static ha_expr discrete_sum(const block *b, ha_expr integral, ha_expr z)
{
    const bg_block_def *def = b->def;
    ha_dag *dag = b->dag;
    ha_expr v = ha_constant(dag, 0.0);

    if (def->kp != HA_EXPR_NONE) {
        v = ha_mul(dag, def->kp, def->input);
    }
    if (integral != HA_EXPR_NONE) {
        ha_expr step = ha_mul(dag, ha_mul(dag, def->ki, def->period), def->input);
        v = ha_add(dag, v, ha_add(dag, integral, step));
    }
    if (z != HA_EXPR_NONE) {
        ha_expr rate = ha_div(dag, ha_sub(dag, def->input, z), def->period);
        v = ha_add(dag, v, ha_mul(dag, def->kd, rate));
    }
    return v;
}

/* What the integral becomes: what the limits cut off is taken back. */
static ha_expr next_integral(const block *b, ha_expr integral, ha_expr v)
{
    const bg_block_def *def = b->def;
    ha_dag *dag = b->dag;
    ha_expr step = ha_mul(dag, ha_mul(dag, def->ki, def->period), def->input);
    ha_expr cut = ha_sub(dag, limited(b, v), v);

    if (def->tracking_time != HA_EXPR_NONE) {
        cut = ha_mul(dag, cut, ha_div(dag, def->period, def->tracking_time));
    }
    return ha_add(dag, ha_add(dag, integral, step), cut);
}

static ha_status add_discrete_pid(const block *b, ha_expr *y)
{
    static const char *const parts[2][2] = { { "summing", "sum" }, { "keeping", "last" } };
    const bg_block_def *def = b->def;
    sampled sum = { 0 }, last = { 0 }, output = { 0 };

    HA_TRY(check_limits(b));
    if (def->tracking_time != HA_EXPR_NONE) {
        HA_TRY(require_time(b, "tracking_time", def->tracking_time));
    }
    if (def->ki != HA_EXPR_NONE) {
        HA_TRY(add_clocked(b, parts[0], def->start, &sum));
    }
    if (def->kd != HA_EXPR_NONE) {
        HA_TRY(add_clocked(b, parts[1], def->filter_start, &last));
    }
    HA_TRY(add_clocked(b, main_parts, HA_EXPR_NONE, &output));
    ha_expr v = discrete_sum(b, sum.x, last.x);
    if (def->ki != HA_EXPR_NONE) {
        HA_TRY(set_next(b, &sum, next_integral(b, sum.x, v)));
    }
    if (def->kd != HA_EXPR_NONE) {
        HA_TRY(set_next(b, &last, def->input));
    }
    *y = output.x;
    return set_next(b, &output, limited(b, v));
}

/* --- noise ------------------------------------------------------------------------------------ */

static const double modulus = 2147483647.0;

/* g(x) = 16807 x mod m. */
static ha_expr next_random(ha_dag *dag, ha_expr x)
{
    ha_expr m = ha_constant(dag, modulus), product = ha_mul(dag, ha_constant(dag, 16807.0), x);
    ha_expr turns = ha_apply(dag, HA_OP_FLOOR, ha_div(dag, product, m), HA_EXPR_NONE, HA_EXPR_NONE);

    return ha_sub(dag, product, ha_mul(dag, m, turns));
}

/* Where the row of a seed begins, from 1 to m - 1: seeds that are near each other begin far from
   each other (the constants of SplitMix, Steele et al. 2014). */
static ha_status first_random(const block *b, double *out)
{
    const double most = 9007199254740992.0; /* 2^53 */
    double seed = 0.0;

    if (b->def->seed != HA_EXPR_NONE) {
        HA_TRY(number_of(b, b->def->seed, &seed));
    }
    if (!(seed >= 0.0 && seed <= most) || seed != floor(seed)) {
        return ha_fail(b->graph->ctx, HA_ERR_VALUE, b->def->where,
                       "`seed` of signal `%s` is %g; give a whole number from 0 on", b->def->name,
                       seed);
    }
    uint64_t z = (uint64_t) seed + UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z = z ^ (z >> 31);
    *out = 1.0 + (double) (z % (uint64_t) (modulus - 1.0));
    return HA_OK;
}

static ha_status add_noise(const block *b, ha_expr *y)
{
    static const char *const parts[2] = { "drawing", "drawn" };
    ha_dag *dag = b->dag;
    sampled drawn = { 0 }, output = { 0 };
    double first = 0.0;

    HA_TRY(first_random(b, &first));
    HA_TRY(add_clocked(b, parts, ha_constant(dag, first), &drawn));
    HA_TRY(add_clocked(b, main_parts, HA_EXPR_NONE, &output));
    ha_expr one = next_random(dag, drawn.x), two = next_random(dag, one);
    ha_expr m = ha_constant(dag, modulus), turn = ha_constant(dag, 2.0 * M_PI);
    ha_expr log_a = ha_apply(dag, HA_OP_LOG, ha_div(dag, one, m), HA_EXPR_NONE, HA_EXPR_NONE);
    ha_expr size = ha_apply(dag, HA_OP_SQRT, ha_mul(dag, ha_constant(dag, -2.0), log_a),
                            HA_EXPR_NONE, HA_EXPR_NONE);
    ha_expr wave = ha_apply(dag, HA_OP_COS, ha_mul(dag, turn, ha_div(dag, two, m)), HA_EXPR_NONE,
                            HA_EXPR_NONE);
    HA_TRY(set_next(b, &drawn, two));
    *y = output.x;
    return set_next(b, &output, ha_mul(dag, or_one(b, b->def->deviation), ha_mul(dag, size, wave)));
}

/* A flow u into a sink that wants none: no power, and an effort that is free to act elsewhere. */
static ha_status add_inverse(const block *b, ha_expr *y)
{
    bg_element flow = 0, sink = 0;
    bg_bond bond = 0;

    HA_TRY(add_part(b, "flow", "MSf", b->def->input, HA_EXPR_NONE, &flow));
    HA_TRY(add_part(b, "effort", "Re", HA_EXPR_NONE, HA_EXPR_NONE, &sink));
    HA_TRY(bg_graph_set_is_inverse(b->graph, sink, 1));
    HA_TRY(bg_graph_add_bond(b->graph, flow, sink, 1, b->def->where, &bond));
    *y = bg_graph_signal(b->graph, sink, 0, BG_SIGNAL_E);
    return ha_dag_status(b->dag);
}

ha_status bg_graph_add_block(bg_graph *graph, const bg_block_def *def, ha_expr *output)
{
    HA_NEED_OF(graph, def != NULL);
    static ha_status (*const kinds[BG_BLOCK_COUNT])(const block *b, ha_expr *y) = {
        [BG_BLOCK_INTEGRATOR] = add_integrator,
        [BG_BLOCK_LAG] = add_lag,
        [BG_BLOCK_DERIVATIVE] = add_derivative,
        [BG_BLOCK_PID] = add_pid,
        [BG_BLOCK_HOLD] = add_hold,
        [BG_BLOCK_SAMPLE] = add_sample,
        [BG_BLOCK_DELAY] = add_delay,
        [BG_BLOCK_QUANTISER] = add_quantiser,
        [BG_BLOCK_DISCRETE_PID] = add_discrete_pid,
        [BG_BLOCK_NOISE] = add_noise,
        [BG_BLOCK_INVERSE] = add_inverse,
    };
    const block b = { graph, graph->dag, def };
    ha_expr y = HA_EXPR_NONE;

    if (def->cookie != COOKIE || def->name == NULL || (unsigned) def->kind >= BG_BLOCK_COUNT) {
        return ha_fail(graph->ctx, HA_ERR_ARGUMENT, def->where,
                       "the definition of a signal does not come from bg_block_def_default(), or "
                       "lacks its name; start from that and give one");
    }
    HA_TRY(def->kind == BG_BLOCK_NOISE ? HA_OK : require(&b, "input", def->input));
    HA_TRY(kinds[def->kind](&b, &y));
    HA_TRY(bg_graph_add_output(graph, def->name, "", y));
    if (output != NULL) {
        *output = y;
    }
    return HA_OK;
}
