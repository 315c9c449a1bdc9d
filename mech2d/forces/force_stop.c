/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * End stops on a free direction of a joint or on the length between two points: phi is held between
 * a lower limit l and an upper limit u, of which one may be missing.
 *
 *   depth     d = phi - u, rate f = phi', beyond the upper limit,
 *             d = l - phi, rate f = -phi', beyond the lower one
 *   spring    S(d) = k d, or by the law `spring`, or dE/dd of the law `energy`
 *   damper    D(d, f) = c f, or by the law `damper`
 *   push      max(S + D, 0) where d > 0, else 0: a stop pushes back and never pulls
 *
 * The spring is a C of displacement phi with the energy E(d) = int_0^d S; the damper is the R that
 * gives the rest of the push, max(S + D, 0) - S. So the energy book closes, and where S >= 0 and
 * D f >= 0 the R dissipates: where D f >= -S f that is D f, else f < 0 and it is -S f, all that the
 * spring gives back.
 *
 * d > 0 and S + D > 0 are conditions of the model, so that the solver stops where a limit is met
 * and left. Until then it takes trial steps beyond them, with the condition held: S and D are
 * evaluated at max(d, 0), and laws such as d^1.5, which have no value below 0, are continued there,
 *
 *   S(d) = S(0) + (S(r) - S(0)) d / r,  D(d, f) = D(r, f),  r = sqrt(d^2 + e^2)
 *
 * with a depth e that is nothing.
 */
#include <config.h>

#include "mech2d/forces/force_elastic.h"

#include <math.h>
#include <string.h>

enum { LOWER = M2D__N_ELASTIC, UPPER };

/* The settings, by the kind of phi. */
#define KEYS(ELASTIC, LIMIT_OF, IS_POSITIVE)                                                       \
    {                                                                                              \
        ELASTIC,                                                                                   \
            [LOWER] = { .name = "lower",                                                           \
                        .n_values = 1,                                                             \
                        .quantities = { LIMIT_OF },                                                \
                        .is_optional = true,                                                       \
                        .is_constant = true,                                                       \
                        .is_positive = (IS_POSITIVE) },                                            \
            [UPPER] = { .name = "upper",                                                           \
                        .n_values = 1,                                                             \
                        .quantities = { LIMIT_OF },                                                \
                        .is_optional = true,                                                       \
                        .is_constant = true,                                                       \
                        .is_positive = (IS_POSITIVE) },                                            \
    }

static const m2d__key line_keys[] = KEYS(M2D__ELASTIC_LENGTH_KEYS, HA__QUANTITY_LENGTH, true);
static const m2d__key slide_keys[] = KEYS(M2D__ELASTIC_LENGTH_KEYS, HA__QUANTITY_LENGTH, false);
static const m2d__key angle_keys[] = KEYS(M2D__ELASTIC_ANGLE_KEYS, HA__QUANTITY_ANGLE, false);

/* --- settings ------------------------------------------------------------------------------- */

/* The spring over the depth q and the energy that it stores, 0 at depth 0. */
typedef struct {
    ha_expr effort, energy;
} spring;

/* The energy of an effort by rule, HA_EXPR_NONE: none is found. */
static ha_status integrate(ha_dag *dag, ha_expr effort, ha_expr q, ha_expr *energy)
{
    HA_TRY(ha_resolve(dag, effort, &effort));
    *energy = ha_antiderivative(dag, effort, q);
    return ha_dag_status(dag);
}

/* The spring that the settings give; of one whose energy is not found that is HA_EXPR_NONE. */
static ha_status spring_of(ha_dag *dag, const m2d__connection *force, ha_expr q, spring *out)
{
    ha_expr zero = ha_constant(dag, 0.0);
    spring s = { m2d__setting(force, M2D__SPRING, 0), m2d__setting(force, M2D__ENERGY, 0) };

    if (s.effort == HA_EXPR_NONE && s.energy == HA_EXPR_NONE) {
        s.effort = ha_mul(dag, m2d__setting(force, M2D__STIFFNESS, 0), q);
        s.energy = ha_mul(dag, ha_constant(dag, 0.5), ha_mul(dag, s.effort, q));
    } else if (s.effort == HA_EXPR_NONE) {
        s.effort = ha_partial(dag, s.energy, q);
    }
    if (s.energy == HA_EXPR_NONE) {
        HA_TRY(integrate(dag, s.effort, q, &s.energy));
    }
    if (s.energy != HA_EXPR_NONE) {
        s.energy = ha_sub(dag, s.energy, ha_expr_replace(dag, s.energy, &q, &zero, 1));
    }
    *out = s;
    return ha_dag_status(dag);
}

/* The value of a law at depth 0. */
static ha_status at_zero(ha_dag *dag, ha_expr law, ha_expr q, double *out)
{
    ha_expr zero = ha_constant(dag, 0.0);

    HA_TRY(ha_resolve(dag, ha_expr_replace(dag, law, &q, &zero, 1), &law));
    *out = ha_expr_value(dag, law, NULL, NULL);
    return ha_dag_status(dag);
}

static ha_status check_spring(m2d_mechanism *mechanism, const m2d__connection *force,
                              const m2d_connection_def *def)
{
    ha_dag *dag = mechanism->dag;
    spring s = { 0 };
    double effort = 0.0, energy = 0.0;

    HA_TRY(spring_of(dag, force, mechanism->own[0], &s));
    if (s.energy == HA_EXPR_NONE) {
        return ha_fail(mechanism->ctx, HA_ERR_UNSUPPORTED, def->where,
                       "no antiderivative of `spring` of force `%s` is found; give its energy as "
                       "an expression of `q`, too, as `energy`",
                       def->name);
    }
    HA_TRY(at_zero(dag, s.effort, mechanism->own[0], &effort));
    HA_TRY(at_zero(dag, s.energy, mechanism->own[0], &energy));
    if (!(effort >= 0.0) || !isfinite(effort) || !isfinite(energy)) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where,
                       "the spring of force `%s` pushes with %g and stores %g J at q = 0, where "
                       "the stop begins; give a law that is finite and not negative there",
                       def->name, effort, energy);
    }
    return HA_OK;
}

static ha_status check(m2d_mechanism *mechanism, const m2d__connection *force,
                       const m2d_connection_def *def)
{
    ha_dag *dag = mechanism->dag;

    if (!m2d__is_given(force, LOWER) && !m2d__is_given(force, UPPER)) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where,
                       "the stop `%s` has no limit; give `lower`, `upper` or both", def->name);
    }
    if (m2d__is_given(force, LOWER) && m2d__is_given(force, UPPER) &&
        m2d__setting_number(dag, force, LOWER) > m2d__setting_number(dag, force, UPPER)) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where,
                       "the stop `%s` has the lower limit %g above the upper one, %g; swap them",
                       def->name, m2d__setting_number(dag, force, LOWER),
                       m2d__setting_number(dag, force, UPPER));
    }
    if (!(m2d__setting_number(dag, force, M2D__STIFFNESS) > 0.0) && !m2d__has_spring_law(force)) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where,
                       "the stop `%s` has nothing to push with; give a `stiffness` above 0, or a "
                       "law `spring` or `energy`",
                       def->name);
    }
    HA_TRY(m2d__check_elastic(mechanism, force, def));
    return check_spring(mechanism, force, def);
}

/* --- laws ----------------------------------------------------------------------------------- */

static const double nothing = 1e-20; /* e [m, rad] */

/* r over q. */
static ha_expr radius(ha_dag *dag, ha_expr q)
{
    ha_expr square = ha_add(dag, ha_mul(dag, q, q), ha_constant(dag, nothing * nothing));

    return ha_apply(dag, HA_OP_SQRT, square, HA_EXPR_NONE, HA_EXPR_NONE);
}

/* A spring by a law, continued below q = 0. */
static spring continued(ha_dag *dag, spring s, ha_expr q)
{
    ha_expr r = radius(dag, q), zero = ha_constant(dag, 0.0);
    ha_expr at_zero = ha_expr_replace(dag, s.effort, &q, &zero, 1);
    ha_expr rise = ha_sub(dag, ha_expr_replace(dag, s.effort, &q, &r, 1), at_zero);

    return (spring){ ha_add(dag, at_zero, ha_mul(dag, rise, ha_div(dag, q, r))),
                     ha_expr_replace(dag, s.energy, &q, &r, 1) };
}

/* The damper over q and f. */
static ha_expr damper_of(ha_dag *dag, const m2d__connection *force, const ha_expr own[2])
{
    ha_expr r = radius(dag, own[0]);

    return m2d__is_given(force, M2D__DAMPER)
               ? ha_expr_replace(dag, m2d__setting(force, M2D__DAMPER, 0), &own[0], &r, 1)
               : ha_mul(dag, m2d__setting(force, M2D__DAMPING, 0), own[1]);
}

/* One side of a stop: where its depth is at a value of phi. */
typedef struct {
    m2d__expander *x;
    const m2d__connection *force;
    const spring *spring;
    bool is_upper;
} side;

static ha_expr apply(const side *s, ha_op op, ha_expr a, ha_expr b, ha_expr c)
{
    return ha_apply(s->x->dag, op, a, b, c);
}

static ha_expr limit(const side *s)
{
    return m2d__setting(s->force, s->is_upper ? UPPER : LOWER, 0);
}

static ha_expr if_beyond(const side *s, ha_expr phi, ha_expr value, double otherwise)
{
    ha_expr is_beyond = apply(s, s->is_upper ? HA_OP_GT : HA_OP_LT, phi, limit(s), HA_EXPR_NONE);

    return apply(s, HA_OP_IF, is_beyond, value, ha_constant(s->x->dag, otherwise));
}

/* A law over the depth and its rate at phi and phi' = f. */
static ha_expr law_at(const side *s, ha_expr law, ha_expr phi, ha_expr f)
{
    ha_dag *dag = s->x->dag;
    ha_expr d = s->is_upper ? ha_sub(dag, phi, limit(s)) : ha_sub(dag, limit(s), phi);
    const ha_expr values[2] = { apply(s, HA_OP_MAX, d, ha_constant(dag, 0.0), HA_EXPR_NONE),
                                s->is_upper ? f : ha_neg(dag, f) };

    return ha_expr_replace(dag, law, s->x->mechanism->own, values, 2);
}

/* What the damper adds to the push: max(S + D, 0) - S. What is compared is above 0 away from the
   limit, so that no sign changes there. */
static ha_expr damping_at(const side *s, ha_expr phi)
{
    ha_dag *dag = s->x->dag;
    ha_expr f = s->x->mechanism->own[1];
    ha_expr S = law_at(s, s->spring->effort, phi, f);
    ha_expr law = damper_of(dag, s->force, s->x->mechanism->own);
    ha_expr sum = if_beyond(s, phi, ha_add(dag, S, law_at(s, law, phi, f)), 1.0);
    ha_expr push = apply(s, HA_OP_MAX, sum, ha_constant(dag, 0.0), HA_EXPR_NONE);

    return ha_sub(dag, push, S);
}

/* Adds one side to the laws; its push is against the sense of phi beyond the upper limit. */
static void add_side(const side *s, ha_expr phi, bool is_damped, m2d__spring_damper *both)
{
    ha_dag *dag = s->x->dag;
    ha_expr q = s->x->mechanism->own[0], f = s->x->mechanism->own[1];
    ha_expr effort = if_beyond(s, q, law_at(s, s->spring->effort, q, f), 0.0);

    both->spring.effort = s->is_upper ? ha_add(dag, both->spring.effort, effort)
                                      : ha_sub(dag, both->spring.effort, effort);
    both->spring.energy =
        ha_add(dag, both->spring.energy, if_beyond(s, q, law_at(s, s->spring->energy, q, f), 0.0));
    if (is_damped) {
        ha_expr damping = if_beyond(s, phi, damping_at(s, phi), 0.0);
        both->damper.effort = s->is_upper ? ha_add(dag, both->damper.effort, damping)
                                          : ha_sub(dag, both->damper.effort, damping);
    }
}

/* How far phi is beyond a limit, below 0 between them. */
static ha_expr depth_of(m2d__expander *x, const m2d__connection *force, ha_expr phi)
{
    ha_expr depth = ha_constant(x->dag, -(double) INFINITY);

    if (m2d__is_given(force, LOWER)) {
        depth = ha_sub(x->dag, m2d__setting(force, LOWER, 0), phi);
    }
    if (m2d__is_given(force, UPPER)) {
        ha_expr above = ha_sub(x->dag, phi, m2d__setting(force, UPPER, 0));
        depth = m2d__is_given(force, LOWER)
                    ? ha_apply(x->dag, HA_OP_MAX, depth, above, HA_EXPR_NONE)
                    : above;
    }
    return depth;
}

/* Keeps what says how far the stop is passed and what its spring then holds. */
static ha_status keep_bump(m2d__expander *x, const m2d__connection *force, const m2d__row *row,
                           const m2d__spring_damper *both)
{
    const ha_expr q = x->mechanism->own[0];
    const m2d__bump bump = {
        .name = ha__arena_text(x->ctx, &x->system->arena, force->name, strlen(force->name)),
        .is_stop = true,
        .is_angle = row->is_angle,
        .depth = depth_of(x, force, row->phi),
        .effort = ha_expr_replace(x->dag, both->spring.effort, &q, &row->phi, 1),
        .energy = ha_expr_replace(x->dag, both->spring.energy, &q, &row->phi, 1),
        .size = M2D__SIZE_OF_POINT * x->system->length,
        .most = (double) INFINITY,
        .where = force->where
    };

    HA_TRY_MEMORY(bump.name);
    HA_TRY_PUSH(x->ctx, &x->system->bumps, bump);
    return ha_dag_status(x->dag);
}

/* The spring and the damper, on the 0-junction of the row. */
static ha_status expand(m2d__expander *x, const m2d__connection *force)
{
    m2d__row row = { 0 };
    m2d__rowset set = { 0 };

    HA_TRY(m2d__expand_elastic(x, force, &row, &set));
    ha_expr phi = row.phi, zero = ha_constant(x->dag, 0.0);
    m2d__spring_damper both = m2d__no_spring_damper(x, force->name, phi);
    bool is_damped =
        m2d__is_given(force, M2D__DAMPER) || m2d__setting_number(x->dag, force, M2D__DAMPING) > 0.0;
    spring s = { 0 };

    HA_TRY(spring_of(x->dag, force, x->mechanism->own[0], &s));
    if (m2d__has_spring_law(force)) {
        s = continued(x->dag, s, x->mechanism->own[0]);
    }
    both.spring.effort = both.spring.energy = zero;
    both.damper.effort = is_damped ? zero : HA_EXPR_NONE;
    for (int k = LOWER; k <= UPPER; k++) {
        const side one = { x, force, &s, k == UPPER };
        if (m2d__is_given(force, k)) {
            add_side(&one, phi, is_damped, &both);
        }
    }
    HA_TRY(ha_dag_status(x->dag));
    HA_TRY(keep_bump(x, force, &row, &both));
    return m2d__add_spring_damper(x, &both, &set);
}

const m2d__force_type m2d__force_stop = {
    .name = "stop",
    .on = { [M2D__BETWEEN_POINTS] = M2D__FORCE_KEYS(line_keys),
            [M2D__ON_ANGLE] = M2D__FORCE_KEYS(angle_keys),
            [M2D__ON_SLIDE] = M2D__FORCE_KEYS(slide_keys) },
    .symbol = M2D_SYMBOL_CYLINDER,
    .use = M2D__USE_BOND,
    .check = check,
    .expand = expand,
};
