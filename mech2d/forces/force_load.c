/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Given loads, in inertial axes: effort sources on the junction of what they act on.
 *
 *   force   fx, fy at a point        -> components x, y of the point's junction
 *   wrench  fx, fy, cz at a point    -> all components of the point's junction
 *   torque  cz on a body             -> component angle of the body's junction
 */
#include <config.h>

#include "mech2d/expand/expand_priv.h"

static const char *const effort_units[3] = { "N", "N", "N.m" };
static const char *const flow_units[3] = { "m/s", "m/s", "rad/s" };

enum { VALUE, BOOK };

/* A source of `n` components on the components of a junction from `first` on. */
static ha_status add_source(m2d__expander *x, const m2d__connection *force, bg_element junction,
                            int first, int n)
{
    bg_element source = 0;

    const bg_element_def def = {
        .type = "Se",
        .name = force->name,
        .dim = n,
        .labels = m2d__labels + first,
        .value = &force->settings[VALUE * M2D__MAX_COMPONENTS],
        .n_values = n,
        .is_loss = (int) m2d__number(x->dag, force->settings[BOOK * M2D__MAX_COMPONENTS]),
        .group = force->name,
        .where = m2d__keep_where(x->ctx, &x->system->arena, &x->system->file, force->where)
    };
    HA_TRY(m2d__element(x, &def, &source));
    const bg_unit units[3] = { { effort_units[0], 1.0 },
                               { effort_units[1], 1.0 },
                               { effort_units[2], 1.0 } };
    HA_TRY(bg_graph_set_units(x->graph, source, units + first, n));
    HA_TRY(m2d__bond_to(x, source, junction, first, n, def.where));
    return m2d__element_outputs(x, source, effort_units + first, flow_units + first, NULL);
}

static ha_status expand_force(m2d__expander *x, const m2d__connection *force)
{
    return add_source(x, force, m2d__end(x, force, 0)->element, 0, 2);
}

static ha_status expand_wrench(m2d__expander *x, const m2d__connection *force)
{
    HA_TRY(m2d__check_turning(x, m2d__end(x, force, 0)->body, "force", force->name, force->where));
    return add_source(x, force, m2d__end(x, force, 0)->element, 0, 3);
}

static ha_status expand_torque(m2d__expander *x, const m2d__connection *force)
{
    HA_TRY(m2d__check_turning(x, force->body, "force", force->name, force->where));
    return add_source(x, force, x->system->masses.items[force->body].junction, 2, 1);
}

/* Where the power of a load is counted, by number. */
static const char *book_name(size_t i)
{
    static const char *const names[] = { "supplied", "dissipated" };

    return i < HA_COUNT(names) ? names[i] : NULL;
}

#define BOOK_KEY                                                                                   \
    {                                                                                              \
        .name = "book", .n_values = 1, .choice = book_name                                         \
    }

static const m2d__key force_keys[] = {
    [VALUE] = { .name = "value",
                .n_values = 2,
                .quantities = { HA__QUANTITY_FORCE, HA__QUANTITY_FORCE },
                .is_required = true },
    [BOOK] = BOOK_KEY,
};

static const m2d__key wrench_keys[] = {
    [VALUE] = { .name = "value",
                .n_values = 3,
                .quantities = { HA__QUANTITY_FORCE, HA__QUANTITY_FORCE, HA__QUANTITY_TORQUE },
                .is_required = true },
    [BOOK] = BOOK_KEY,
};

static const m2d__key torque_keys[] = {
    [VALUE] = { .name = "value",
                .n_values = 1,
                .quantities = { HA__QUANTITY_TORQUE },
                .is_required = true },
    [BOOK] = BOOK_KEY,
};

const m2d__force_type m2d__force_force = {
    .name = "force",
    .on[M2D__ON_POINT] = M2D__FORCE_KEYS(force_keys),
    .use = M2D__USE_SHARE,
    .expand = expand_force,
};

const m2d__force_type m2d__force_wrench = {
    .name = "wrench",
    .on[M2D__ON_POINT] = M2D__FORCE_KEYS(wrench_keys),
    .use = M2D__USE_SHARE,
    .expand = expand_wrench,
};

const m2d__force_type m2d__force_torque = {
    .name = "torque",
    .on[M2D__ON_BODY] = M2D__FORCE_KEYS(torque_keys),
    .use = M2D__USE_SHARE,
    .expand = expand_torque,
};
