/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The hinge with clearance (Bera & Samantaray 2011, 2.2, figs 3-5): a bearing of radius R_B about
 * the first body's point M and a journal of radius R_J about N, which fly freely while |MN| is
 * below the clearance R_B - R_J, and touch where it is above (contact_surface.c, a socket). With
 * the unit vectors n along MN and t to its left
 *
 *   delta = |MN| - (R_B - R_J)
 *   v_n = delta',  v_t = (v_N - v_M) . t + R_J omega_N - (R_J + |MN|) omega_M
 *
 * The forces -F_n n - F_t t on the journal and their opposites on the bearing act at one point, at
 * R_J from N and R_J + |MN| from M (the papers' arms R_J and R_B leave the couple F_t delta), so
 * that momentum and power close. With a viscosity the clearance is full of oil (contact_film.c),
 * beside the contact. The rows of the hinge place the bodies at the start, if they can: then the
 * centres coincide and the velocities are those of an ideal joint.
 */
#include <config.h>

#include "lib/core/number.h"
#include "mech2d/forces/contact.h"
#include "mech2d/forces/contact_film.h"

#include <math.h>

enum { BEARING, JOURNAL, CLEARANCE, VISCOSITY, LENGTH, FILM, LEAST_FILM, N_OWN };

static const double LEAST_SHARE = 0.01; /* least thickness of a film over the clearance */

static const m2d__key keys[] = {
    [BEARING] = M2D__POSITIVE_KEY("bearing_radius", LENGTH, true),
    [JOURNAL] = M2D__POSITIVE_KEY("journal_radius", LENGTH, true),
    [CLEARANCE] = M2D__POSITIVE_KEY("clearance", LENGTH, true),
    [VISCOSITY] = M2D__POSITIVE_KEY("viscosity", VISCOSITY, true),
    [LENGTH] = M2D__POSITIVE_KEY("bearing_length", LENGTH, true),
    [FILM] = { .name = "film", .n_values = 1, .choice = m2d__film_kind },
    [LEAST_FILM] = M2D__POSITIVE_KEY("least_film", LENGTH, true),
#define X M2D__CONTACT_KEY
#include "mech2d/forces/contact_keys.def"
#include "mech2d/forces/friction_keys.def"
#undef X
};

/* The radii from two of three settings. */
static void find_radii(ha_dag *dag, const m2d__connection *joint, double *R, double *r)
{
    double c = m2d__model_number(dag, joint, CLEARANCE);

    *R = m2d__model_number(dag, joint, BEARING);
    *r = m2d__model_number(dag, joint, JOURNAL);
    *R = isnan(*R) ? *r + c : *R;
    *r = isnan(*r) ? *R - c : *r;
}

/* Refuses settings that do not give a journal in a bearing. */
static ha_status check_radii(m2d_mechanism *mechanism, const m2d_joint_def *def,
                             const m2d__connection *joint)
{
    char bearing[HA__NUMBER_SIZE], other[HA__NUMBER_SIZE];
    double c = m2d__model_number(mechanism->dag, joint, CLEARANCE);
    double R = m2d__model_number(mechanism->dag, joint, BEARING);
    double r = m2d__model_number(mechanism->dag, joint, JOURNAL);
    int n_given = 3 - (isnan(R) ? 1 : 0) - (isnan(r) ? 1 : 0) - (isnan(c) ? 1 : 0);

    HA_TRY(ha_dag_status(mechanism->dag));
    if (n_given != 2) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where,
                       "joint `%s` has %d of `bearing_radius`, `journal_radius` and `clearance`, "
                       "which is the difference of the two; give two of them",
                       def->name, n_given);
    }
    if (c >= R) {
        return ha_fail(
            mechanism->ctx, HA_ERR_VALUE, def->where,
            "joint `%s` has a clearance of %s m in a bearing of the radius %s m, so that "
            "no journal is left; the clearance must be below the radius of the bearing",
            def->name, ha__print_short_number(other, c), ha__print_short_number(bearing, R));
    }
    return r >= R
               ? ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where,
                         "joint `%s` has a journal of the radius %s m in a bearing of the "
                         "radius %s m; the radius of the journal must be below that of the bearing",
                         def->name, ha__print_short_number(other, r),
                         ha__print_short_number(bearing, R))
               : HA_OK;
}

/* Reads all settings into a contact; what is wrong with them, NULL: nothing. */
static const char *read_settings(ha_dag *dag, const m2d__connection *joint, double *R, double *r,
                                 m2d__normal_law *normal, m2d__friction *friction)
{
    double settings[M2D__N_CONTACT_KEYS];

    find_radii(dag, joint, R, r);
    m2d__model_numbers(dag, joint, N_OWN, M2D__N_CONTACT_KEYS, settings);
    const m2d__touch touch = m2d__surface_touch(m2d__surface_socket(), *R, *r);
    return m2d__contact_laws(settings, &touch, normal, friction);
}

/* Reads the film; what is wrong with it, NULL: nothing. */
static const char *read_film(ha_dag *dag, const m2d__connection *joint, double R, double r,
                             m2d__film *film)
{
    double kind = m2d__model_number(dag, joint, FILM);
    double viscosity = m2d__model_number(dag, joint, VISCOSITY);
    double length = m2d__model_number(dag, joint, LENGTH);
    double least = m2d__model_number(dag, joint, LEAST_FILM);

    *film = (m2d__film){ isnan(viscosity) ? 0.0 : viscosity,           length,        r, R - r,
                         isnan(least) ? LEAST_SHARE * (R - r) : least, M2D__FILM_LONG };
    if (isnan(kind)) {
        film->kind = length < 2.0 * r ? M2D__FILM_SHORT : M2D__FILM_LONG;
    } else {
        film->kind = (m2d__film_is) kind;
    }
    if (film->viscosity == 0.0) {
        return !isnan(kind) || !isnan(length) || !isnan(least)
                   ? "it has settings of an oil film, but no `viscosity`; give it in Pa.s"
                   : NULL;
    }
    return m2d__film_fault(film);
}

static ha_status check(m2d_mechanism *mechanism, const m2d_joint_def *def,
                       const m2d__connection *joint)
{
    m2d__normal_law normal;
    m2d__friction friction;
    m2d__film film;
    double R = 0.0, r = 0.0;

    HA_TRY(check_radii(mechanism, def, joint));
    const char *fault = read_settings(mechanism->dag, joint, &R, &r, &normal, &friction);
    fault = fault != NULL ? fault : read_film(mechanism->dag, joint, R, r, &film);
    return m2d__tell_fault(mechanism, "joint", def->name, fault, def->where);
}

static ha_status expand(m2d__expander *x, const m2d__connection *joint, m2d__rowset *set,
                        ha_expr reaction[3])
{
    m2d__frame frame = m2d__frame_of(x, set->ends[0], set->ends[1], joint);
    m2d__contact contact = { .name = set->name,
                             .group = set->name,
                             .ends = { set->ends[0], set->ends[1] },
                             .where = set->where };
    m2d__film film;
    double R = 0.0, r = 0.0;

    HA_TRY(m2d__keep_elastic_rows(x, set, "joint"));
    (void) read_settings(x->dag, joint, &R, &r, &contact.normal, &contact.friction);
    contact.size = R - r;
    m2d__contact_at(&contact, m2d__surface_socket(), &frame, ha_constant(x->dag, R),
                    ha_constant(x->dag, r));
    (void) read_film(x->dag, joint, R, r, &film);
    if (film.viscosity > 0.0) {
        HA_TRY(m2d__expand_film(x, &film, set, &frame, reaction));
    }
    return m2d__expand_contact(x, &contact, reaction);
}

static ha_expr depth(m2d__expander *x, const m2d__connection *joint, ha_expr mass,
                     double acceleration)
{
    m2d__normal_law normal;
    m2d__friction friction;
    double R = 0.0, r = 0.0;

    (void) read_settings(x->dag, joint, &R, &r, &normal, &friction);
    return m2d__contact_depth(x->dag, &normal,
                              ha_mul(x->dag, ha_constant(x->dag, acceleration * (R - r)), mass));
}

const m2d__joint_model m2d__joint_model_clearance = {
    .name = "clearance",
    .title = "A journal flies in a bearing and touches it.",
    .keys = keys,
    .n_keys = HA_COUNT(keys),
    .joint_type = "revolute",
    .n_bonds = M2D__USE_SHARE,
    .check = check,
    .expand = expand,
    .depth = depth,
};
