/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What forces on one coordinate with a spring and a damper share. */
#include <config.h>

#include "mech2d/forces/force_elastic.h"

bool m2d__is_given(const m2d__connection *force, int key)
{
    return m2d__setting(force, key, 0) != HA_EXPR_NONE;
}

double m2d__setting_number(ha_dag *dag, const m2d__connection *force, int key)
{
    return m2d__number(dag, m2d__setting(force, key, 0));
}

bool m2d__has_spring_law(const m2d__connection *force)
{
    return m2d__is_given(force, M2D__SPRING) || m2d__is_given(force, M2D__ENERGY);
}

static ha_status refuse_two(m2d_mechanism *mechanism, const m2d_connection_def *def,
                            const char *number, const char *law)
{
    return ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where,
                   "force `%s` has both `%s` and the law `%s`; give one of them", def->name, number,
                   law);
}

ha_status m2d__check_elastic(m2d_mechanism *mechanism, const m2d__connection *force,
                             const m2d_connection_def *def)
{
    ha_dag *dag = mechanism->dag;

    if (m2d__setting_number(dag, force, M2D__STIFFNESS) > 0.0 && m2d__has_spring_law(force)) {
        return refuse_two(mechanism, def, "stiffness",
                          m2d__is_given(force, M2D__SPRING) ? "spring" : "energy");
    }
    return m2d__setting_number(dag, force, M2D__DAMPING) > 0.0 && m2d__is_given(force, M2D__DAMPER)
               ? refuse_two(mechanism, def, "damping", "damper")
               : HA_OK;
}

ha_status m2d__expand_elastic(m2d__expander *x, const m2d__connection *force, m2d__row *row,
                              m2d__rowset *set)
{
    set->name = force->name;
    set->where = force->where;
    return force->target == M2D__BETWEEN_POINTS
               ? m2d__expand_line(x, force, row, set)
               : m2d__expand_direction(x, &x->mechanism->joints.items[force->on_joint],
                                       force->on_direction, row, set);
}
