/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A spring and damper, along the line between two points or on a free direction of a joint
 * (Marquis-Favre et al. 2006, part II, eqs 9-12).
 *
 *   between points:  phi = |MN|
 *   on a direction:  phi = its coordinate, an angle or a signed slide (the papers' |MN| would be
 *                    singular at M = N and wrong for a negative slide)
 *
 *   q = phi - phi_free, f = dq / dt
 *   effort  k q + c f, pulling the second body back; or by expressions
 *           spring(q) or dE/dq of an energy E(q) in place of k q, damper(q, f, ...) of c f
 *
 * The spring is a C whose displacement is q, so that it adds no state; the damper is an R
 * (expand_spring.c). The direction of a line does not exist at length zero: assembly reports a spring
 * that starts there.
 */
#include <config.h>

#include "mech2d/expand_priv.h"

enum { STIFFNESS, DAMPING, FREE, SPRING, ENERGY, DAMPER };

/* The settings, by the kind of phi. */
#define KEYS(STIFFNESS_OF, DAMPING_OF, FREE_OF, FREE_NAME, FREE_IS_POSITIVE, EFFORT_OF)            \
    {                                                                                              \
        [STIFFNESS] = { .name = "stiffness",                                                       \
                        .n_values = 1,                                                             \
                        .quantities = { STIFFNESS_OF },                                            \
                        .is_constant = true,                                                       \
                        .is_positive = true },                                                     \
        [DAMPING] = { .name = "damping",                                                           \
                      .n_values = 1,                                                               \
                      .quantities = { DAMPING_OF },                                                \
                      .is_constant = true,                                                         \
                      .is_positive = true },                                                       \
        [FREE] = { .name = (FREE_NAME),                                                            \
                   .n_values = 1,                                                                  \
                   .quantities = { FREE_OF },                                                      \
                   .is_constant = true,                                                            \
                   .is_positive = (FREE_IS_POSITIVE) },                                            \
        [SPRING] = { .name = "spring",                                                             \
                     .n_values = 1,                                                                \
                     .quantities = { EFFORT_OF },                                                  \
                     .is_optional = true,                                                          \
                     .law = M2D__LAW_OF_Q },                                                       \
        [ENERGY] = { .name = "energy",                                                             \
                     .n_values = 1,                                                                \
                     .quantities = { HA__QUANTITY_ENERGY },                                        \
                     .is_optional = true,                                                          \
                     .law = M2D__LAW_OF_Q },                                                       \
        [DAMPER] = { .name = "damper",                                                             \
                     .n_values = 1,                                                                \
                     .quantities = { EFFORT_OF },                                                  \
                     .is_optional = true,                                                          \
                     .law = M2D__LAW_OF_Q_F },                                                     \
    }

static const m2d__key line_keys[] = KEYS(HA__QUANTITY_STIFFNESS, HA__QUANTITY_DAMPING,
                                         HA__QUANTITY_LENGTH, "free_length", true,
                                         HA__QUANTITY_FORCE);
static const m2d__key slide_keys[] = KEYS(HA__QUANTITY_STIFFNESS, HA__QUANTITY_DAMPING,
                                          HA__QUANTITY_LENGTH, "free_length", false,
                                          HA__QUANTITY_FORCE);
static const m2d__key angle_keys[] = KEYS(HA__QUANTITY_ANGULAR_STIFFNESS,
                                          HA__QUANTITY_ANGULAR_DAMPING, HA__QUANTITY_ANGLE,
                                          "free_angle", false, HA__QUANTITY_TORQUE);

static bool is_given(const m2d__connection *force, int key)
{
    return m2d__setting(force, key, 0) != HA_EXPR_NONE;
}

static bool is_positive(ha_dag *dag, const m2d__connection *force, int key)
{
    return m2d__number(dag, m2d__setting(force, key, 0)) > 0.0;
}

static bool has_spring_law(const m2d__connection *force)
{
    return is_given(force, SPRING) || is_given(force, ENERGY);
}

static ha_status refuse_two(m2d_mechanism *mechanism, const m2d_connection_def *def,
                            const char *number, const char *law)
{
    return ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where,
                   "force `%s` has both `%s` and the law `%s`; give one of them", def->name, number,
                   law);
}

static ha_status check(m2d_mechanism *mechanism, const m2d__connection *force,
                       const m2d_connection_def *def)
{
    if (is_positive(mechanism->dag, force, STIFFNESS) && has_spring_law(force)) {
        return refuse_two(mechanism, def, "stiffness", is_given(force, SPRING) ? "spring" : "energy");
    }
    return is_positive(mechanism->dag, force, DAMPING) && is_given(force, DAMPER)
               ? refuse_two(mechanism, def, "damping", "damper")
               : HA_OK;
}

static m2d__use use(m2d__expander *x, const m2d__connection *force)
{
    bool does_something = has_spring_law(force) || is_given(force, DAMPER) ||
                          is_positive(x->dag, force, STIFFNESS) ||
                          is_positive(x->dag, force, DAMPING);

    return does_something ? M2D__USE_BOND : M2D__USE_NONE;
}

/* The spring, the damper or both, on the 0-junction of the row. */
static ha_status add_elements(m2d__expander *x, const m2d__connection *force, const m2d__rowset *set)
{
    ha_expr q = ha_sub(x->dag, set->rows[0].phi, m2d__setting(force, FREE, 0));
    m2d__spring_damper both = m2d__no_spring_damper(x, force->name, q);

    if (is_positive(x->dag, force, STIFFNESS)) {
        both.compliance =
            ha_div(x->dag, ha_constant(x->dag, 1.0), m2d__setting(force, STIFFNESS, 0));
    }
    if (is_positive(x->dag, force, DAMPING)) {
        both.resistance = m2d__setting(force, DAMPING, 0);
    }
    both.spring.effort = m2d__setting(force, SPRING, 0);
    both.spring.energy = m2d__setting(force, ENERGY, 0);
    if (is_given(force, DAMPER)) { /* its flow is f; its displacement it does not have */
        both.damper.effort =
            ha_expr_replace(x->dag, m2d__setting(force, DAMPER, 0), &x->mechanism->own[0], &q, 1);
    }
    return m2d__add_spring_damper(x, &both, set);
}

static ha_status expand_line(m2d__expander *x, const m2d__connection *force)
{
    m2d__row row = { 0 };
    m2d__rowset set = { .name = force->name, .where = force->where };

    HA_TRY(m2d__expand_line(x, force, &row, &set));
    return add_elements(x, force, &set);
}

static ha_status expand_direction(m2d__expander *x, const m2d__connection *force)
{
    const m2d__connection *joint = &x->mechanism->joints.items[force->on_joint];
    m2d__row row = { 0 };
    m2d__rowset set = { .name = force->name, .where = force->where };

    HA_TRY(m2d__expand_direction(x, joint, force->on_direction, &row, &set));
    return add_elements(x, force, &set);
}

const m2d__force_type m2d__force_spring_damper = {
    .name = "spring-damper",
    .target = M2D__BETWEEN_POINTS,
    .symbol = M2D_SYMBOL_SPRING,
    .keys = line_keys,
    .n_keys = HA_COUNT(line_keys),
    .check = check,
    .use = use,
    .expand = expand_line,
};

const m2d__force_type m2d__force_spring_damper_of_angle = {
    .name = "spring-damper",
    .target = M2D__ON_ANGLE,
    .keys = angle_keys,
    .n_keys = HA_COUNT(angle_keys),
    .check = check,
    .use = use,
    .expand = expand_direction,
};

const m2d__force_type m2d__force_spring_damper_of_slide = {
    .name = "spring-damper",
    .target = M2D__ON_SLIDE,
    .keys = slide_keys,
    .n_keys = HA_COUNT(slide_keys),
    .check = check,
    .use = use,
    .expand = expand_direction,
};
