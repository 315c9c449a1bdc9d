/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drag of air on a point, along the axis e of the point:
 *
 *   F = -k |v| v e,   k = c rho A / 2,   v = the velocity of the point along e less that of the air
 *
 * in both directions. In the bond graph a transformer to v and a resistor:
 *
 *   point -> D.N (transformer: e) -> D.0 (0-junction) -> D (R: k |v| v)   <- D.time (Sf) the wind
 *
 * The wind blows along e of the inertial frame: its component along the axis is what counts.
 */
#include <config.h>

#include "mech2d/expand/expand_priv.h"

enum { COEFFICIENT, AREA, DENSITY, WIND };

#define DRAG_KEY(NAME, QUANTITY)                                                                   \
    {                                                                                              \
        .name = NAME, .n_values = 1, .quantities = { QUANTITY }, .is_required = true,              \
        .is_constant = true, .is_positive = true                                                   \
    }

static const m2d__key keys[] = {
    [COEFFICIENT] = DRAG_KEY("coefficient", HA__QUANTITY_NUMBER),
    [AREA] = DRAG_KEY("area", HA__QUANTITY_AREA),
    [DENSITY] = DRAG_KEY("density", HA__QUANTITY_DENSITY),
    [WIND] = { .name = "wind",
               .n_values = 2,
               .quantities = { HA__QUANTITY_VELOCITY, HA__QUANTITY_VELOCITY } },
};

/* The component of a vector along the axis of the point. */
static ha_expr along(ha_dag *dag, const ha_expr axis[2], ha_expr x, ha_expr y)
{
    return ha_add(dag, ha_mul(dag, axis[0], x), ha_mul(dag, axis[1], y));
}

/* The wind on D.0, where there is one. */
static ha_status add_wind(m2d__expander *x, const m2d__connection *force, const m2d__rowset *set,
                          const ha_expr axis[2])
{
    ha_expr speed = along(x->dag, axis, m2d__setting(force, WIND, 0), m2d__setting(force, WIND, 1));
    ha_expr against = ha_neg(x->dag, speed);
    bg_element wind = 0;

    if (ha_expr_is(x->dag, speed, 0.0)) {
        return HA_OK;
    }
    const bg_element_def def = { .type = "Sf",
                                 .name = m2d__name(x, force->name, "time", NULL),
                                 .value = &against,
                                 .n_values = 1,
                                 .group = set->name,
                                 .where = set->where };
    HA_TRY(m2d__element(x, &def, &wind));
    return m2d__bond(x, wind, set->junction, 1, set->where);
}

static ha_status add_resistor(m2d__expander *x, const m2d__connection *force,
                              const m2d__rowset *set, bg_element *out)
{
    ha_dag *dag = x->dag;
    ha_expr f = ha_symbol(dag, "f"), k = ha_constant(dag, 0.5);

    for (int key = COEFFICIENT; key <= DENSITY; key++) {
        k = ha_mul(dag, k, m2d__setting(force, key, 0));
    }
    ha_expr size = ha_apply(dag, HA_OP_ABS, f, HA_EXPR_NONE, HA_EXPR_NONE);
    const bg_law law = { .f = &f, .effort = ha_mul(dag, k, ha_mul(dag, f, size)) };
    const bg_element_def def = {
        .type = "R", .name = force->name, .law = &law, .group = set->name, .where = set->where
    };
    HA_TRY(m2d__element(x, &def, out));
    return m2d__bond(x, set->junction, *out, 1, set->where);
}

static ha_status expand(m2d__expander *x, const m2d__connection *force)
{
    const m2d__port ground = { .body = M2D__GROUND }, *N = m2d__end(x, force, 0);
    ha_expr c = ha_apply(x->dag, HA_OP_COS, N->pose[2], HA_EXPR_NONE, HA_EXPR_NONE);
    ha_expr s = ha_apply(x->dag, HA_OP_SIN, N->pose[2], HA_EXPR_NONE, HA_EXPR_NONE);
    const ha_expr axis[2] = { c, s }, zero = ha_constant(x->dag, 0.0);
    const m2d__row row = { .label = "drag" };
    m2d__rowset set = { .name = force->name,
                        .ends = { &ground, N },
                        .n = 1,
                        .rows = &row,
                        .has_moduli = true,
                        .moduli = { { { zero, zero, zero } }, { { c, s, zero } } } };
    bg_element drag = 0;

    set.where = m2d__keep_where(x->ctx, &x->system->arena, &x->system->file, force->where);
    HA_TRY(ha_dag_status(x->dag));
    HA_TRY(m2d__expand_rows(x, &set));
    HA_TRY(add_wind(x, force, &set, axis));
    HA_TRY(add_resistor(x, force, &set, &drag));
    return m2d__element_outputs(x, drag, (const char *const[]){ "N" },
                                (const char *const[]){ "m/s" }, NULL);
}

const m2d__force_type m2d__force_air_drag = {
    .name = "air-drag",
    .on[M2D__ON_POINT] = M2D__FORCE_KEYS(keys),
    .use = M2D__USE_BOND,
    .expand = expand,
};
