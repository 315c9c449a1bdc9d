/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A contact between two bodies as a force: a disc or a point of the second body on a surface of the
 * first (contact_surface.c).
 */
#include <config.h>

#include "mech2d/forces/contact.h"

#include <math.h>

enum { SURFACE, SURFACE_RADIUS, RADIUS, N_OWN };

static const m2d__key keys[] = {
    [SURFACE] = { .name = "surface", .n_values = 1, .choice = m2d__surface_name },
    [SURFACE_RADIUS] = M2D__POSITIVE_KEY("surface_radius", LENGTH, false),
    [RADIUS] = M2D__POSITIVE_KEY("radius", LENGTH, false),
#define X M2D__CONTACT_KEY
#include "mech2d/forces/contact_keys.def"
#include "mech2d/forces/friction_keys.def"
#undef X
};

/* --- settings -------------------------------------------------------------------------------- */

static const m2d__surface *surface_of(ha_dag *dag, const m2d__connection *force)
{
    double number = m2d__number(dag, m2d__setting(force, SURFACE, 0));

    return m2d__surface_at(isnan(number) ? 0 : (size_t) number); /* NAN: without memory */
}

/* Reads all settings; what is wrong with them, NULL: nothing. */
static const char *read_settings(ha_dag *dag, const m2d__connection *force, m2d__normal_law *normal,
                                 m2d__friction *friction)
{
    double settings[M2D__N_CONTACT_KEYS];
    const m2d__surface *s = surface_of(dag, force);
    double R = m2d__number(dag, m2d__setting(force, SURFACE_RADIUS, 0));
    double r = m2d__number(dag, m2d__setting(force, RADIUS, 0));
    const char *fault = m2d__surface_fault(s, R, r);

    m2d__contact_numbers(dag, force, N_OWN, M2D__N_CONTACT_KEYS, settings);
    if (fault == NULL) {
        const m2d__touch touch = m2d__surface_touch(s, R, r);
        fault = m2d__contact_laws(settings, &touch, normal, friction);
    }
    return fault;
}

static ha_status check(m2d_mechanism *mechanism, const m2d__connection *force,
                       const m2d_force_def *def)
{
    m2d__normal_law normal;
    m2d__friction friction;
    const char *fault = read_settings(mechanism->dag, force, &normal, &friction);

    return m2d__tell_fault(mechanism, "contact", def->name, fault, def->where);
}

/* --- elements -------------------------------------------------------------------------------- */

static ha_status add_outputs(m2d__expander *x, const char *name, const ha_expr reaction[3])
{
    static const struct {
        const char *name, *unit;
    } outputs[3] = { { "fx", "N" }, { "fy", "N" }, { "torque", "N.m" } };

    for (int i = 0; i < 3; i++) {
        HA_TRY(m2d__output(x, name, outputs[i].name, NULL, outputs[i].unit, reaction[i]));
    }
    return HA_OK;
}

/* A contact is as large as its disc; that of a point as a hundredth of the mechanism. */
static double size_of(ha_dag *dag, const m2d__connection *force, double of_mechanism)
{
    double r = m2d__number(dag, m2d__setting(force, RADIUS, 0));

    return r > 0.0 ? r : M2D__SIZE_OF_POINT * of_mechanism;
}

static ha_status expand(m2d__expander *x, const m2d__connection *force)
{
    const m2d__port *M = m2d__end(x, force, 0), *N = m2d__end(x, force, 1);
    m2d__frame frame = m2d__frame_of(x, M, N, force);
    m2d__contact contact = { .name = force->name, .group = force->name, .ends = { M, N } };
    ha_expr zero = ha_constant(x->dag, 0.0), reaction[3] = { zero, zero, zero };

    /* nothing was wrong with them in check() */
    (void) read_settings(x->dag, force, &contact.normal, &contact.friction);
    contact.size = size_of(x->dag, force, x->system->length);
    contact.deepest = m2d__surface_deepest(surface_of(x->dag, force), x->dag,
                                           m2d__setting(force, SURFACE_RADIUS, 0),
                                           m2d__setting(force, RADIUS, 0));
    contact.where = m2d__keep_where(x->ctx, &x->system->arena, &x->system->file, force->where);
    m2d__contact_at(&contact, surface_of(x->dag, force), &frame,
                    m2d__setting(force, SURFACE_RADIUS, 0), m2d__setting(force, RADIUS, 0));
    HA_TRY(m2d__expand_contact(x, &contact, reaction));
    return add_outputs(x, force->name, reaction);
}

static ha_expr depth(m2d__expander *x, const m2d__connection *force, ha_expr mass,
                     double acceleration, ha_expr size)
{
    m2d__normal_law normal;
    m2d__friction friction;
    ha_expr r = m2d__setting(force, RADIUS, 0);
    ha_expr height = m2d__number(x->dag, r) > 0.0
                         ? r
                         : ha_mul(x->dag, ha_constant(x->dag, M2D__SIZE_OF_POINT), size);
    ha_expr weight = ha_mul(x->dag, ha_constant(x->dag, acceleration), mass);

    (void) read_settings(x->dag, force, &normal, &friction);
    return m2d__contact_depth(x->dag, &normal, ha_mul(x->dag, weight, height));
}

const m2d__force_type m2d__force_contact = {
    .name = "contact",
    .on[M2D__BETWEEN_POINTS] = M2D__FORCE_KEYS(keys),
    .use = M2D__USE_SHARE,
    .check = check,
    .depth = depth,
    .expand = expand,
};
