/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The guide: a slider whose two ends touch the walls of its way (Bera & Samantaray 2011, 2.3,
 * eqs 13-18). The way is the line through the first body's point M along x_i, between walls at c /
 * 2 to its left (the side of y_i) and its right; the slider is on the second body, along x_j, its
 * ends at E = N +- d / 2 x_j. With s = ME . y_i an end is in contact
 *
 *   with the left wall   delta = s - c / 2
 *   with the right wall  delta = -s - c / 2
 *
 * The four contacts move along the first body with the slide. Each has its normal force and
 * friction of that load, both at E on both bodies, so that the moments and the inertia of the
 * slider press its ends as they do. Without clearance one wall is always touched. The rows of the
 * joint place the slider at the start, if they can: in the middle.
 */
#include <config.h>

#include "mech2d/forces/contact.h"

#include <math.h>

enum { LENGTH, CLEARANCE, N_OWN };

static const m2d__key keys[] = {
    [LENGTH] = M2D__POSITIVE_KEY("guide_length", LENGTH, true),
    [CLEARANCE] = M2D__POSITIVE_KEY("clearance", LENGTH, false),
#define X M2D__CONTACT_KEY
#include "mech2d/forces/contact_keys.def"
#include "mech2d/forces/friction_keys.def"
#undef X
};

/* A wall at an end of the slider. */
static const struct {
    const char *name;
    double end;  /* along x_j, in halves of its length */
    double side; /* along y_i */
} walls[] = { { "front_left", 1.0, 1.0 },
              { "front_right", 1.0, -1.0 },
              { "back_left", -1.0, 1.0 },
              { "back_right", -1.0, -1.0 } };

/* Reads all settings; what is wrong with them, NULL: nothing. */
static const char *read_settings(ha_dag *dag, const m2d__connection *joint, double *length,
                                 double *clearance, m2d__normal_law *normal,
                                 m2d__friction *friction)
{
    double settings[M2D__N_CONTACT_KEYS];

    *length = m2d__model_number(dag, joint, LENGTH);
    *clearance = m2d__model_number(dag, joint, CLEARANCE);
    *clearance = isnan(*clearance) ? 0.0 : *clearance;
    if (isnan(*length)) {
        return "a guide has no `guide_length`; give the distance of the ends of the slider";
    }
    m2d__model_numbers(dag, joint, N_OWN, M2D__N_CONTACT_KEYS, settings);
    if (isnan(settings[M2D__CONTACT_STIFFNESS])) {
        return "a guide has no `stiffness`; give it: its ends have no radius, without which a "
               "`modulus` says nothing";
    }
    return m2d__contact_laws(settings, &(const m2d__touch){ 0 }, normal, friction);
}

static ha_status check(m2d_mechanism *mechanism, const m2d_joint_def *def,
                       const m2d__connection *joint)
{
    m2d__normal_law normal;
    m2d__friction friction;
    double length = 0.0, clearance = 0.0;

    const char *fault =
        read_settings(mechanism->dag, joint, &length, &clearance, &normal, &friction);
    return m2d__tell_fault(mechanism, "joint", def->name, fault, def->where);
}

static ha_status expand(m2d__expander *x, const m2d__connection *joint, m2d__rowset *set,
                        ha_expr reaction[3])
{
    m2d__frame frame = m2d__frame_of(x, set->ends[0], set->ends[1], joint);
    m2d__contact contact = { .group = set->name,
                             .ends = { set->ends[0], set->ends[1] },
                             .where = set->where };
    ha_expr MN = m2d__dot(x->dag, m2d__from_to(x->dag, frame.OM, frame.ON), frame.y_il);
    ha_expr across = m2d__dot(x->dag, frame.x_jl, frame.y_il);
    double length = 0.0, clearance = 0.0;

    HA_TRY(m2d__keep_elastic_rows(x, set, "joint"));
    (void) read_settings(x->dag, joint, &length, &clearance, &contact.normal, &contact.friction);
    contact.size = fmax(clearance, M2D__SIZE_OF_POINT * x->system->length);
    for (size_t i = 0; i < HA_COUNT(walls); i++) {
        ha_expr half = ha_constant(x->dag, 0.5 * walls[i].end * length);
        ha_expr NE = ha_mul(x->dag, half, across);
        ha_expr s = ha_mul(x->dag, ha_constant(x->dag, walls[i].side), ha_add(x->dag, MN, NE));
        HA_TRY_GET(contact.name, m2d__name(x, set->name, walls[i].name, NULL));
        contact.depth = ha_sub(x->dag, s, ha_constant(x->dag, 0.5 * clearance));
        m2d__contact_slip(&frame, frame.y_il, NE, contact.slip);
        HA_TRY(m2d__expand_contact(x, &contact, reaction));
    }
    return HA_OK;
}

const m2d__joint_model m2d__joint_model_guide = {
    .name = "guide",
    .title = "Both ends of a slider touch the walls of its way.",
    .keys = keys,
    .n_keys = HA_COUNT(keys),
    .joint_type = "translational",
    .n_bonds = M2D__USE_SHARE,
    .check = check,
    .expand = expand,
};
