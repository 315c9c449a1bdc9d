/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dry friction on a free direction of a joint. With the load N and the rate q' of the direction
 *
 *   of a slide   F = N f(q'),       N = |F_n|,
 *                                   or |F_n / 2 + T / a| + |F_n / 2 - T / a| in a guide of length a
 *   of an angle  M = r N f(r q'),   N = |(F_x, F_y)| in a pin of radius r
 *
 * where f is the law (friction_law.c) and F_n, T, F_x, F_y are the reaction of the joint on the
 * second body, F_n across the slide; or the load is given. The reaction of an ideal joint is made
 * of its multipliers, which friction changes: the solver solves for both at once. |x| is sqrt(x^2 +
 * epsilon^2), whose derivative exists at 0.
 */
#include <config.h>

#include "mech2d/forces/contact.h"

#include <math.h>

enum { LOAD, ARM, N_OWN };

static const double SMOOTH = 1e-12; /* epsilon [N]: the weight of 0.1 ng */

#define KEYS(ARM_NAME, ARM_IS_REQUIRED)                                                            \
    [LOAD] = { .name = "load",                                                                     \
               .n_values = 1,                                                                      \
               .quantities = { HA__QUANTITY_FORCE },                                               \
               .is_optional = true },                                                              \
    [ARM] = { .name = (ARM_NAME),                                                                  \
              .n_values = 1,                                                                       \
              .quantities = { HA__QUANTITY_LENGTH },                                               \
              .is_required = (ARM_IS_REQUIRED),                                                    \
              .is_optional = true,                                                                 \
              .is_constant = true,                                                                 \
              .is_positive = true,                                                                 \
              .excludes_zero = true },

static const m2d__key angle_keys[] = { KEYS("radius", true)
#define X M2D__CONTACT_KEY
#include "mech2d/forces/friction_keys.def"
#undef X
};

static const m2d__key slide_keys[] = { KEYS("length", false)
#define X M2D__CONTACT_KEY
#include "mech2d/forces/friction_keys.def"
#undef X
};

static const char *read_settings(ha_dag *dag, const m2d__connection *force, m2d__friction *friction)
{
    double settings[M2D__N_FRICTION_KEYS];
    const char *fault = NULL;

    m2d__contact_numbers(dag, force, N_OWN, M2D__N_FRICTION_KEYS, settings);
    fault = m2d__friction_of(settings, friction);
    return fault == NULL && isnan(settings[M2D__FRICTION_FRICTION])
               ? "it has no `friction`; give the coefficient"
               : fault;
}

/* Refuses a constant load that would let friction drive what it should brake. */
static ha_status check_load(m2d_mechanism *mechanism, const m2d__connection *force,
                            const m2d_force_def *def)
{
    const m2d__owner owner = { "force", def->name, "load", def->where };
    ha_expr load = m2d__setting(force, LOAD, 0);
    bool varies = false;

    if (load == HA_EXPR_NONE) {
        return HA_OK;
    }
    HA_TRY(m2d__varies(mechanism, load, &varies));
    return varies ? HA_OK : m2d__check_positive(mechanism, load, false, owner);
}

static ha_status check(m2d_mechanism *mechanism, const m2d__connection *force,
                       const m2d_force_def *def)
{
    m2d__friction friction;
    const char *fault = read_settings(mechanism->dag, force, &friction);

    HA_TRY(ha_dag_status(mechanism->dag));
    HA_TRY(check_load(mechanism, force, def));
    return m2d__tell_fault(mechanism, "friction", def->name, fault, def->where);
}

/* --- the load -------------------------------------------------------------------------------- */

/* sqrt(sum + epsilon^2) */
static ha_expr root(ha_dag *dag, ha_expr sum)
{
    ha_expr above = ha_add(dag, sum, ha_constant(dag, SMOOTH * SMOOTH));

    return ha_apply(dag, HA_OP_SQRT, above, HA_EXPR_NONE, HA_EXPR_NONE);
}

/* |a + b| */
static ha_expr size_of_sum(ha_dag *dag, ha_expr a, ha_expr b)
{
    ha_expr sum = ha_add(dag, a, b);

    return root(dag, ha_mul(dag, sum, sum));
}

/* The reaction of the joint on its second body. */
static ha_status find_reaction(m2d__expander *x, const char *joint, ha_expr reaction[3])
{
    static const char *const names[3] = { "fx", "fy", "torque" };

    for (int i = 0; i < 3; i++) {
        const char *name = m2d__name(x, joint, names[i], NULL);
        HA_TRY_MEMORY(name);
        reaction[i] = bg_graph_lookup(x->graph, name);
    }
    return ha_dag_status(x->dag);
}

/* The sum of the two normal forces of a guide, or the one without length. */
static ha_expr guide_load(m2d__expander *x, const m2d__rowset *set, const ha_expr reaction[3],
                          ha_expr length)
{
    ha_dag *dag = x->dag;
    const ha_expr *along = set->moduli[1][0]; /* d slide / d (x, y) of N: a unit vector */
    ha_expr across =
        ha_sub(dag, ha_mul(dag, reaction[1], along[0]), ha_mul(dag, reaction[0], along[1]));

    if (length == HA_EXPR_NONE) {
        return root(dag, ha_mul(dag, across, across));
    }
    ha_expr half = ha_mul(dag, ha_constant(dag, 0.5), across);
    ha_expr couple = ha_div(dag, reaction[2], length);
    return ha_add(dag, size_of_sum(dag, half, couple), size_of_sum(dag, half, ha_neg(dag, couple)));
}

/* Refuses a joint whose reaction is 0 by its type: the load would be epsilon, the friction none. */
static ha_status check_reaction(m2d__expander *x, const m2d__connection *force, ha_expr load)
{
    const m2d__connection *joint = &x->mechanism->joints.items[force->on_joint];

    if (joint->joint->n_rows > 0 && !ha_expr_is_constant(x->dag, load, NULL)) {
        return HA_OK;
    }
    return ha_fail(x->ctx, HA_ERR_VALUE, force->where,
                   "friction `%s` has no load: joint `%s` (`%s`) holds nothing that its friction "
                   "could be pressed with; give the force that presses, as `load: 100 N`",
                   force->name, joint->name, joint->joint->name);
}

static ha_status find_load(m2d__expander *x, const m2d__connection *force, const m2d__rowset *set,
                           ha_expr *load)
{
    const m2d__connection *joint = &x->mechanism->joints.items[force->on_joint];
    ha_expr reaction[3];

    *load = m2d__setting(force, LOAD, 0);
    if (*load != HA_EXPR_NONE) {
        return HA_OK;
    }
    HA_TRY(find_reaction(x, joint->name, reaction));
    if (set->rows[0].is_angle) {
        *load = root(x->dag, ha_add(x->dag, ha_mul(x->dag, reaction[0], reaction[0]),
                                    ha_mul(x->dag, reaction[1], reaction[1])));
    } else {
        *load = guide_load(x, set, reaction, m2d__setting(force, ARM, 0));
    }
    HA_TRY(ha_dag_status(x->dag));
    return check_reaction(x, force, *load);
}

static ha_status expand(m2d__expander *x, const m2d__connection *force)
{
    const m2d__connection *joint = &x->mechanism->joints.items[force->on_joint];
    m2d__row row = { 0 };
    m2d__rowset set = { .name = force->name, .where = force->where };
    m2d__friction friction;
    ha_expr load = HA_EXPR_NONE, effort = HA_EXPR_NONE;

    (void) read_settings(x->dag, force, &friction); /* nothing was wrong with them */
    HA_TRY(m2d__expand_direction(x, joint, force->on_direction, &row, &set));
    HA_TRY(find_load(x, force, &set, &load));
    if (row.is_angle) {
        friction.arm = m2d__number(x->dag, m2d__setting(force, ARM, 0));
    }
    HA_TRY(m2d__add_friction(x, &friction, force->name, &set, load, &effort));
    HA_TRY(m2d__output(x, force->name, "load", NULL, "N", load));
    return m2d__output(x, force->name, row.is_angle ? "torque" : "force", NULL,
                       row.is_angle ? "N.m" : "N", ha_neg(x->dag, effort));
}

const m2d__force_type m2d__force_friction = {
    .name = "friction",
    .on = { [M2D__ON_ANGLE] = M2D__FORCE_KEYS(angle_keys),
            [M2D__ON_SLIDE] = M2D__FORCE_KEYS(slide_keys) },
    .use = M2D__USE_BOND,
    .check = check,
    .expand = expand,
};
