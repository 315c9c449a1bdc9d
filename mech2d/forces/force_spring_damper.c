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
 *           spring(q) or dE/dq of an energy E(q) instead of k q, damper(q, f, ...) of c f
 *
 * The spring is a C whose displacement is q, so that it adds no state; the damper is an R
 * (expand_spring.c). The direction of a line does not exist at length zero: assembly reports a
 * spring that starts there.
 */
#include <config.h>

#include "mech2d/forces/force_elastic.h"

#include <string.h>

enum { FREE = M2D__N_ELASTIC };

#define FREE_KEY(FREE_OF, FREE_NAME, FREE_IS_POSITIVE)                                             \
    [FREE] = { .name = (FREE_NAME),                                                                \
               .n_values = 1,                                                                      \
               .quantities = { FREE_OF },                                                          \
               .is_constant = true,                                                                \
               .is_positive = (FREE_IS_POSITIVE) }

static const m2d__key line_keys[] = { M2D__ELASTIC_LENGTH_KEYS,
                                      FREE_KEY(HA__QUANTITY_LENGTH, "free_length", true) };
static const m2d__key slide_keys[] = { M2D__ELASTIC_LENGTH_KEYS,
                                       FREE_KEY(HA__QUANTITY_LENGTH, "free_length", false) };
static const m2d__key angle_keys[] = { M2D__ELASTIC_ANGLE_KEYS,
                                       FREE_KEY(HA__QUANTITY_ANGLE, "free_angle", false) };

/* A spring-damper without a law of either is legal, as one whose stiffness and damping are 0; but
   where not even that is written, something was forgotten. */
static ha_status check(m2d_mechanism *mechanism, const m2d__connection *force,
                       const m2d_connection_def *def)
{
    bool has_law = false;

    HA_TRY(m2d__check_elastic(mechanism, force, def));
    for (int i = 0; i < def->n_settings; i++) {
        has_law = has_law || strncmp(def->settings[i].key, "free_", strlen("free_")) != 0;
    }
    if (!has_law) {
        ha_warn(mechanism->ctx, def->where,
                "force `%s` does nothing: it has neither `stiffness` nor `damping`; give one, or "
                "one of "
                "the laws `spring`, `energy` and `damper`",
                def->name);
    }
    return HA_OK;
}

static bool is_positive(ha_dag *dag, const m2d__connection *force, int key)
{
    return m2d__setting_number(dag, force, key) > 0.0;
}

static bool is_idle(m2d__expander *x, const m2d__connection *force)
{
    return !m2d__has_spring_law(force) && !m2d__is_given(force, M2D__DAMPER) &&
           !is_positive(x->dag, force, M2D__STIFFNESS) && !is_positive(x->dag, force, M2D__DAMPING);
}

/* The spring, the damper or both, on the 0-junction of the row. */
static ha_status expand(m2d__expander *x, const m2d__connection *force)
{
    m2d__row row = { 0 };
    m2d__rowset set = { 0 };

    HA_TRY(m2d__expand_elastic(x, force, &row, &set));
    ha_expr q = ha_sub(x->dag, row.phi, m2d__setting(force, FREE, 0));
    m2d__spring_damper both = m2d__no_spring_damper(x, force->name, q);

    if (is_positive(x->dag, force, M2D__STIFFNESS)) {
        both.compliance =
            ha_div(x->dag, ha_constant(x->dag, 1.0), m2d__setting(force, M2D__STIFFNESS, 0));
    }
    if (is_positive(x->dag, force, M2D__DAMPING)) {
        both.resistance = m2d__setting(force, M2D__DAMPING, 0);
    }
    both.spring.effort = m2d__setting(force, M2D__SPRING, 0);
    both.spring.energy = m2d__setting(force, M2D__ENERGY, 0);
    if (m2d__is_given(force, M2D__DAMPER)) { /* its flow is f; its displacement it does not have */
        both.damper.effort = ha_expr_replace(x->dag, m2d__setting(force, M2D__DAMPER, 0),
                                             &x->mechanism->own[0], &q, 1);
    }
    return m2d__add_spring_damper(x, &both, &set);
}

const m2d__force_type m2d__force_spring_damper = {
    .name = "spring-damper",
    .on = { [M2D__BETWEEN_POINTS] = M2D__FORCE_KEYS(line_keys),
            [M2D__ON_ANGLE] = M2D__FORCE_KEYS(angle_keys),
            [M2D__ON_SLIDE] = M2D__FORCE_KEYS(slide_keys) },
    .symbol = M2D_SYMBOL_SPRING,
    .use = M2D__USE_BOND,
    .check = check,
    .is_idle = is_idle,
    .expand = expand,
};
