/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Elements whose law is given by expressions (law.c).
 *
 * A storage in integral causality: its content x (q of a C, p of an I) is the state, x' = the power
 * variable that arrives, and it gives dE/dx_k(x_1, ..., x_n), or the effort phi(q) or flow psi(p)
 * where that is given. So a field by its energy is conservative whatever the expression. Where the
 * model gives q as an expression of positions, it is taken from there and is no state. In
 * derivative causality x is chi of what arrives, where the inverse x = chi is given; else it is an
 * unknown with the row dE/dx_k(x_1, ..., x_n) = what arrives, for which the second derivative of E
 * must not vanish at the start. Its total time derivative is given.
 *
 * Energy of a one-port with an effort phi(q): the integral of phi from 0 to q, F(q) - F(0), where
 * an antiderivative F is found by rule (lib/expr/expr_integral.c). Where none is found it is an
 * unknown of its own, w' = e f, which starts with the integral by adaptive quadrature
 * (lib/expr/quadrature.h). The same with psi and p. The absolute tolerance of p is scaled by the
 * inertia dp/df at the start, so that it acts on velocities as for a linear I.
 */
#include <config.h>

#include "bondgraph/elements/elem_law.h"

#include "bondgraph/graph/law_priv.h"
#include "lib/expr/quadrature.h"

#include <math.h>

/* --- expressions in terms of the ports ------------------------------------------------------- */

/* What a quantity of port `port` is in the equations. */
static ha_expr quantity(const bg__emitter *em, bg_signal signal, int port)
{
    const bg__field *field = bg__field_of(em);
    bg__emitter sibling = bg__sibling(em, port);

    if (signal == BG_SIGNAL_E) {
        return bg__effort(&sibling, 0);
    }
    return signal == BG_SIGNAL_F ? bg__flow(&sibling, 0) : field->content[port];
}

/* An expression of the law with the quantities of this element in it. */
static ha_expr insert(const bg__emitter *em, ha_expr value)
{
    const bg__field *field = bg__field_of(em);
    ha_expr symbols[(BG_SIGNAL_Q + 1) * BG__MAX_FIELD_PORTS];
    ha_expr own[(BG_SIGNAL_Q + 1) * BG__MAX_FIELD_PORTS];
    size_t n = 0;

    for (int s = 0; s <= BG_SIGNAL_Q; s++) {
        for (int k = 0; k < field->n_ports && value != HA_EXPR_NONE; k++) {
            if (field->law->variables[s][k] != HA_EXPR_NONE) {
                symbols[n] = field->law->variables[s][k];
                own[n++] = quantity(em, (bg_signal) s, k);
            }
        }
    }
    return ha_expr_replace(em->dag, value, symbols, own, n);
}

/* The symbol of this port's content in the expressions. */
static ha_expr content_variable(const bg__emitter *em, bool is_inertia)
{
    return bg__field_of(em)
        ->law->variables[is_inertia ? BG_SIGNAL_P : BG_SIGNAL_Q][bg__field_port(em)];
}

/* The effort of a C or the flow of an I as a function of the content, in symbols of the law. */
static ha_expr given(const bg__emitter *em, bool is_inertia)
{
    const bg__law *law = bg__field_of(em)->law;
    ha_expr direct = is_inertia ? law->flow : law->effort;

    return direct != HA_EXPR_NONE
               ? direct
               : ha_partial(em->dag, law->energy, content_variable(em, is_inertia));
}

/* --- energy ---------------------------------------------------------------------------------- */

/* The stored energy of a one-port as an antiderivative of its law, in symbols of the law;
   HA_EXPR_NONE: none is found. The reference is the content 0 where that has a finite energy. */
static ha_status energy_by_rule(const bg__emitter *em, bool is_inertia, ha_expr *out)
{
    ha_expr x = content_variable(em, is_inertia), zero = ha_constant(em->dag, 0.0);
    ha_expr law = HA_EXPR_NONE;

    HA_TRY(ha_resolve(em->dag, given(em, is_inertia), &law));
    ha_expr energy = x == HA_EXPR_NONE ? HA_EXPR_NONE : ha_antiderivative(em->dag, law, x);
    ha_expr reference = ha_expr_replace(em->dag, energy, &x, &zero, 1);
    bool is_finite = isfinite(ha_expr_value(em->dag, reference, NULL, NULL));
    *out = energy != HA_EXPR_NONE && is_finite ? ha_sub(em->dag, energy, reference) : energy;
    return ha_dag_status(em->dag);
}

typedef struct {
    ha_dag *dag;
    ha_expr law, symbol;
    double x;
} integrand;

static double symbol_value(void *user, ha_expr symbol)
{
    const integrand *in = user;

    return symbol == in->symbol ? in->x : (double) NAN;
}

static double value_at(void *user, double x)
{
    integrand *in = user;

    in->x = x;
    return ha_expr_value(in->dag, in->law, symbol_value, in);
}

/* The energy at the start: the integral of the law from 0 to the start of the content. */
static ha_status start_energy(const bg__emitter *em, bool is_inertia, ha_expr *out)
{
    integrand in = { em->dag, HA_EXPR_NONE, content_variable(em, is_inertia), 0.0 };
    ha_expr start = bg__start(em);
    double from = 0.0, energy = 0.0;

    HA_TRY(ha_resolve(em->dag, given(em, is_inertia), &in.law));
    if (start != HA_EXPR_NONE) {
        HA_TRY(ha_resolve(em->dag, start, &start));
        from = ha_expr_value(em->dag, start, NULL, NULL);
    }
    bool is_found = ha__integrate(value_at, &in, 0.0, from, &energy);
    HA_TRY(ha_dag_status(em->dag)); /* without memory there is no value either */
    if (!is_found) {
        return ha_fail(em->system->ctx, HA_ERR_VALUE, bg__where(em),
                       "the energy of `%s` at its start cannot be found by quadrature of its law "
                       "from 0 to %g; give its energy as an expression",
                       bg__name(em), from);
    }
    *out = ha_constant(em->dag, energy);
    return ha_dag_status(em->dag);
}

/* The energy as an unknown, w' = e f. */
static ha_status integrate_energy(bg__emitter *em, bool is_inertia)
{
    ha_expr start = HA_EXPR_NONE, y = HA_EXPR_NONE, yp = HA_EXPR_NONE;

    if (bg__position(em) != HA_EXPR_NONE || bg__effort_arrives(em, 0) != is_inertia) {
        return ha_fail(em->system->ctx, HA_ERR_UNSUPPORTED, bg__where(em),
                       "no antiderivative of the law of `%s` is found, and it has no state of its "
                       "own to integrate its energy with; give its energy as an expression",
                       bg__name(em));
    }
    HA_TRY(start_energy(em, is_inertia, &start));
    HA_TRY(bg__add_unknown(em, BG__INTEGRAL, "energy", start, &y, &yp));
    em->system->energy[em->element] = y;
    ha_expr power = ha_mul(em->dag, bg__effort(em, 0), bg__flow(em, 0));
    return bg__add_row(em, BG__ROW_STATE, ha_sub(em->dag, yp, power), HA_EXPR_NONE);
}

/* Keeps the energy of a one-port whose law does not give it for bg__law_energy(). */
static ha_status find_energy(bg__emitter *em, bool is_inertia)
{
    ha_expr energy = HA_EXPR_NONE;

    if (bg__field_of(em)->n_ports > 1 || bg__field_of(em)->law->energy != HA_EXPR_NONE) {
        return HA_OK;
    }
    HA_TRY(energy_by_rule(em, is_inertia, &energy));
    if (energy == HA_EXPR_NONE) {
        return integrate_energy(em, is_inertia);
    }
    em->system->energy[em->element] = insert(em, energy);
    return ha_dag_status(em->dag);
}

ha_expr bg__law_energy(bg__emitter *em)
{
    const bg__field *field = bg__field_of(em);

    if (field->law->energy != HA_EXPR_NONE) { /* one energy of all ports, entered with the first */
        return bg__field_port(em) == 0 ? insert(em, field->law->energy) : ha_constant(em->dag, 0.0);
    }
    return em->system->energy[em->element];
}

/* --- storages -------------------------------------------------------------------------------- */

static ha_status store_content(bg__emitter *em, bool is_inertia, ha_expr value)
{
    HA_TRY(bg__define_content(em, value));
    return bg__define_signal(em, is_inertia ? BG_SIGNAL_P : BG_SIGNAL_Q, value);
}

/* The content as an unknown that the law says, solved with the rest. */
static ha_status solve_content(bg__emitter *em, bool is_inertia, ha_expr *out)
{
    ha_expr yp = HA_EXPR_NONE, arrives = is_inertia ? bg__flow(em, 0) : bg__effort(em, 0);

    HA_TRY(bg__add_unknown(em, BG__CONTENT, is_inertia ? "p" : "q", bg__start(em), out, &yp));
    ha_expr given_there = insert(em, given(em, is_inertia));
    return bg__add_row(em, BG__ROW_LOOP, ha_sub(em->dag, given_there, arrives), HA_EXPR_NONE);
}

static ha_status derivative_emit(bg__emitter *em, bool is_inertia)
{
    ha_expr inverse = bg__field_of(em)->law->inverse, x = HA_EXPR_NONE, rate = HA_EXPR_NONE;

    if (inverse != HA_EXPR_NONE) {
        x = insert(em, inverse);
    } else {
        HA_TRY(solve_content(em, is_inertia, &x));
    }
    HA_TRY(store_content(em, is_inertia, x));
    HA_TRY(bg__rate_of(em, x, &rate));
    HA_TRY(is_inertia ? bg__set_effort(em, 0, rate) : bg__set_flow(em, 0, rate));
    return find_energy(em, is_inertia);
}

/* The slope of the law, df/dp or de/dq. */
static ha_expr curvature(const bg__emitter *em, bool is_inertia)
{
    return insert(em, ha_partial(em->dag, given(em, is_inertia), content_variable(em, is_inertia)));
}

/* The inertia dp/df: what the absolute tolerance of a momentum is scaled by. */
static ha_expr inertia(const bg__emitter *em)
{
    return ha_div(em->dag, ha_constant(em->dag, 1.0), curvature(em, true));
}

static ha_status integrate_content(bg__emitter *em, bool is_inertia, ha_expr *out)
{
    ha_expr yp = HA_EXPR_NONE;
    ha_expr rate = is_inertia ? bg__effort(em, 0) : bg__flow(em, 0);

    HA_TRY(bg__add_unknown(em, BG__STATE, is_inertia ? "p" : "q", bg__start(em), out, &yp));
    bg__last_unknown(em)->measures.curvature = curvature(em, is_inertia);
    if (is_inertia) {
        bg__last_unknown(em)->measures.scale = inertia(em);
    }
    return bg__add_row(em, BG__ROW_STATE, ha_sub(em->dag, yp, rate), HA_EXPR_NONE);
}

ha_status bg__law_store_emit(bg__emitter *em, bool is_inertia)
{
    ha_expr x = bg__position(em), y = HA_EXPR_NONE;

    if (bg__effort_arrives(em, 0) != is_inertia) {
        return derivative_emit(em, is_inertia);
    }
    if (x == HA_EXPR_NONE) {
        HA_TRY(integrate_content(em, is_inertia, &x));
    }
    HA_TRY(store_content(em, is_inertia, x));
    y = insert(em, given(em, is_inertia));
    HA_TRY(is_inertia ? bg__set_flow(em, 0, y) : bg__set_effort(em, 0, y));
    return find_energy(em, is_inertia);
}

/* --- resistors ------------------------------------------------------------------------------- */

/* A law in the sense that it does not give: an unknown, with the law as its equation. */
static ha_status solve_law(bg__emitter *em, bool gives_effort)
{
    const bg__law *law = bg__field_of(em)->law;
    ha_expr u = HA_EXPR_NONE, rate = HA_EXPR_NONE;

    HA_TRY(bg__add_unknown(em, BG__TEAR, gives_effort ? "e" : "f", HA_EXPR_NONE, &u, &rate));
    HA_TRY(gives_effort ? bg__set_effort(em, 0, u) : bg__set_flow(em, 0, u));
    ha_expr arrives = gives_effort ? bg__flow(em, 0) : bg__effort(em, 0);
    ha_expr says = insert(em, gives_effort ? law->flow : law->effort);
    return bg__add_row(em, BG__ROW_LOOP, ha_sub(em->dag, arrives, says), HA_EXPR_NONE);
}

ha_status bg__law_resistor_emit(bg__emitter *em)
{
    const bg__law *law = bg__field_of(em)->law;
    bool gives_effort = bg__effort_arrives(em, 0) == 0;
    ha_expr direct = gives_effort ? law->effort : law->flow;

    if (direct == HA_EXPR_NONE) {
        return solve_law(em, gives_effort);
    }
    return gives_effort ? bg__set_effort(em, 0, insert(em, direct))
                        : bg__set_flow(em, 0, insert(em, direct));
}

/* --- causality ------------------------------------------------------------------------------- */

/* The contents of a law at the start. */
typedef struct {
    const bg__field *field;
    double value[BG__MAX_FIELD_PORTS];
} starts;

static ha_status list_starts(bg_graph *graph, const bg__field *field, starts *out)
{
    *out = (starts){ field, { 0.0 } };
    for (int k = 0; k < field->n_ports; k++) {
        const bg__element *port = &graph->elements.items[field->first + k];
        const ha_expr *given = bg__extra(port)->start;
        ha_expr start = given == NULL ? HA_EXPR_NONE : given[0];
        if (start != HA_EXPR_NONE) {
            HA_TRY(ha_resolve(graph->dag, start, &start));
            out->value[k] = ha_expr_value(graph->dag, start, NULL, NULL);
        }
    }
    return ha_dag_status(graph->dag);
}

static double start_value(void *user, ha_expr symbol)
{
    const starts *at = user;
    const bg__law *law = at->field->law;

    for (int k = 0; k < at->field->n_ports; k++) {
        if (symbol == law->variables[BG_SIGNAL_P][k] || symbol == law->variables[BG_SIGNAL_Q][k]) {
            return at->value[k];
        }
    }
    return (double) NAN;
}

/* The law of a port can be solved for its content near the start: its slope there is not 0. */
static ha_status has_slope(bg_graph *graph, const bg__element *e, bool *out)
{
    const bg__extras *extra = bg__extra(e);
    const bg__law *law = extra->field->law;
    starts at;
    bool is_inertia =
        e->type->preferred == 1 || bg__law_is_inertia(graph->dag, law, extra->field_port);
    ha_expr x = law->variables[is_inertia ? BG_SIGNAL_P : BG_SIGNAL_Q][extra->field_port];
    ha_expr direct = is_inertia ? law->flow : law->effort, slope = HA_EXPR_NONE;

    HA_TRY(list_starts(graph, extra->field, &at));
    slope = x == HA_EXPR_NONE
                ? HA_EXPR_NONE
                : ha_partial(
                      graph->dag,
                      direct != HA_EXPR_NONE ? direct : ha_partial(graph->dag, law->energy, x), x);
    if (slope != HA_EXPR_NONE) {
        HA_TRY(ha_resolve(graph->dag, slope, &slope));
    }
    double value = ha_expr_value(graph->dag, slope, start_value, &at);
    *out = isfinite(value) && value != 0.0;
    return ha_dag_status(graph->dag);
}

/* A storage whose content can neither be given nor be solved for keeps integral causality. */
static ha_status pin_storage(bg_graph *graph, const bg__element *e, int *ein, const char **reason)
{
    const bg__extras *extra = bg__extra(e);
    bool is_free = extra->field->law->inverse != HA_EXPR_NONE;

    if (!is_free) {
        HA_TRY(has_slope(graph, e, &is_free));
    }
    *reason =
        extra->field->n_ports > 1
            ? "the second derivative of its energy is 0 at the start"
            : "its law has no inverse, and no slope at the start to solve it by; give one, as "
              "in inverse = ..., or another start";
    *ein = is_free ? -1 : e->type->preferred;
    return HA_OK;
}

ha_status bg__law_pin(bg_graph *graph, const bg__element *e, int *ein, const char **reason)
{
    const bg__law *law = bg__extra(e)->field->law;

    if (e->type->stage == BG__STAGE_STORAGE) {
        return pin_storage(graph, e, ein, reason);
    }
    *reason =
        law->flow == HA_EXPR_NONE ? "its law gives the effort only" : "its law gives the flow only";
    *ein = law->flow == HA_EXPR_NONE ? 0 : law->effort == HA_EXPR_NONE ? 1 : -1;
    return HA_OK;
}

ha_status bg__yields(bg_graph *graph, const bg__element *e, bool *yields)
{
    const bg__field *field = bg__extra(e)->field;
    const bg__law *law = field == NULL ? NULL : field->law;

    *yields = false;
    if (law == NULL || e->type->stage != BG__STAGE_RESISTOR || field->n_ports > 1) {
        return HA_OK;
    }
    ha_expr direct = law->flow == HA_EXPR_NONE ? law->effort : law->flow;
    ha_expr x = law->variables[law->flow == HA_EXPR_NONE ? BG_SIGNAL_F : BG_SIGNAL_E][0];
    ha_expr slope = x == HA_EXPR_NONE ? HA_EXPR_NONE : ha_partial(graph->dag, direct, x);
    HA_TRY(ha_dag_status(graph->dag));
    *yields = slope != HA_EXPR_NONE && !ha_expr_is(graph->dag, slope, 0.0);
    return HA_OK;
}
