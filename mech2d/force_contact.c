/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A contact between two bodies. The second body has a disc of the radius r (0: a point) about N; what
 * the first has about M is its surface:
 *
 *   line     the line through M along x_i, free on the side of y_i:  delta = r - MN . y_i
 *   disc     a disc of radius R about M:                             delta = R + r - |MN|
 *   socket   a hole of radius R > r about M, the disc inside:        delta = |MN| - (R - r)
 *
 * The bodies touch at one point P = N - r n with n = y_i, MN / |MN| or, in a socket, P = N + r n: the
 * forces on both act there. |MN| is sqrt(MN . MN + epsilon^2), so that it has a derivative where the
 * centres of a socket coincide, in free flight.
 */
#include <config.h>

#include "mech2d/contact.h"

#include <math.h>

enum { SURFACE, SURFACE_RADIUS, RADIUS, N_OWN };

static const double SMOOTH = 1e-12; /* epsilon [m] */

/* What a surface is made of: the depth, the normal from M to N, and the radius of the disc, negative
   where it is pressed outwards. */
typedef struct {
    ha_expr depth, radius;
    m2d__vector n;
} geometry;

/* A surface. */
typedef struct {
    const char *name;
    bool has_radius; /* R above 0 */
    bool is_hollow;
    geometry (*of)(const m2d__frame *frame, ha_expr R, ha_expr r);
} surface;

static geometry line(const m2d__frame *f, ha_expr R, ha_expr r)
{
    ha_expr height = m2d__dot(f->dag, m2d__from_to(f->dag, f->OM, f->ON), f->y_il);

    (void) R;
    return (geometry){ ha_sub(f->dag, r, height), r, f->y_il };
}

/* |MN| and its direction. */
static ha_expr distance(const m2d__frame *f, m2d__vector *n)
{
    m2d__vector MN = m2d__from_to(f->dag, f->OM, f->ON);
    ha_expr sum = ha_add(f->dag, m2d__dot(f->dag, MN, MN), ha_constant(f->dag, SMOOTH * SMOOTH));
    ha_expr length = ha_apply(f->dag, HA_OP_SQRT, sum, HA_EXPR_NONE, HA_EXPR_NONE);

    *n = (m2d__vector){ ha_div(f->dag, MN.x, length), ha_div(f->dag, MN.y, length) };
    return length;
}

static geometry disc(const m2d__frame *f, ha_expr R, ha_expr r)
{
    geometry g = { .radius = r };
    ha_expr length = distance(f, &g.n);

    g.depth = ha_sub(f->dag, ha_add(f->dag, R, r), length);
    return g;
}

static geometry socket(const m2d__frame *f, ha_expr R, ha_expr r)
{
    geometry g = { .radius = ha_neg(f->dag, r) };
    ha_expr length = distance(f, &g.n);

    g.depth = ha_sub(f->dag, length, ha_sub(f->dag, R, r));
    return g;
}

static const surface surfaces[] = {
    { "line", false, false, line },
    { "disc", true, false, disc },
    { "socket", true, true, socket },
};

static const char *surface_name(size_t i)
{
    return i < HA_COUNT(surfaces) ? surfaces[i].name : NULL;
}

static const m2d__key keys[] = {
    [SURFACE] = { .name = "surface", .n_values = 1, .choice = surface_name },
    [SURFACE_RADIUS] = { .name = "surface_radius",
                         .n_values = 1,
                         .quantities = { HA__QUANTITY_LENGTH },
                         .is_constant = true,
                         .is_positive = true },
    [RADIUS] = { .name = "radius",
                 .n_values = 1,
                 .quantities = { HA__QUANTITY_LENGTH },
                 .is_constant = true,
                 .is_positive = true },
#define X M2D__CONTACT_KEY
#include "mech2d/contact_keys.def"
#include "mech2d/friction_keys.def"
#undef X
};

/* --- settings -------------------------------------------------------------------------------- */

static const surface *surface_of(ha_dag *dag, const m2d__connection *force)
{
    return &surfaces[(int) m2d__number(dag, m2d__setting(force, SURFACE, 0))];
}

/* The sum of curvatures at the contact, 0: a point on a line. */
static double curvature_of(const surface *s, double R, double r)
{
    double of_disc = r > 0.0 ? 1.0 / r : 0.0;

    return !s->has_radius ? of_disc : s->is_hollow ? of_disc - 1.0 / R : of_disc + 1.0 / R;
}

/* What is wrong with the radii; NULL: nothing. */
static const char *check_radii(const surface *s, double R, double r)
{
    if (!s->has_radius) {
        return R > 0.0 ? "a line has no `surface_radius`; remove it, or give the `surface` disc or "
                         "socket"
                       : NULL;
    }
    if (!(R > 0.0)) {
        return "the surface has no `surface_radius`; give it";
    }
    return s->is_hollow && r >= R ? "`radius` of what is inside of the socket must be below "
                                    "`surface_radius`; the difference is the clearance"
                                  : NULL;
}

/* Reads all settings; what is wrong with them, NULL: nothing. */
static const char *read_settings(ha_dag *dag, const m2d__connection *force,
                                 m2d__normal_law *normal, m2d__friction *friction)
{
    double settings[M2D__N_CONTACT_KEYS];
    const surface *s = surface_of(dag, force);
    double R = m2d__number(dag, m2d__setting(force, SURFACE_RADIUS, 0));
    double r = m2d__number(dag, m2d__setting(force, RADIUS, 0));
    const char *fault = check_radii(s, R, r);

    m2d__contact_numbers(dag, force, N_OWN, M2D__N_CONTACT_KEYS, settings);
    if (fault == NULL) {
        fault = m2d__normal_law_of(settings, curvature_of(s, R, r), normal);
    }
    return fault != NULL ? fault
                         : m2d__friction_of(settings + M2D__CONTACT_FRICTION_LAW, friction);
}

static ha_status check(m2d_mechanism *mechanism, const m2d__connection *force,
                       const m2d_force_def *def)
{
    m2d__normal_law normal;
    m2d__friction friction;
    const char *fault = read_settings(mechanism->dag, force, &normal, &friction);

    return fault == NULL ? HA_OK
                         : ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where, "contact `%s`: %s",
                                   def->name, fault);
}

/* --- elements -------------------------------------------------------------------------------- */

static m2d__use use(m2d__expander *x, const m2d__connection *force)
{
    (void) x;
    (void) force;
    return M2D__USE_SHARE;
}

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

static ha_status expand(m2d__expander *x, const m2d__connection *force)
{
    const m2d__port *M = m2d__end(x, force, 0), *N = m2d__end(x, force, 1);
    m2d__frame frame = m2d__frame_of(x, M, N, force);
    m2d__contact contact = { .name = force->name, .group = force->name, .ends = { M, N } };
    geometry g = surface_of(x->dag, force)
                     ->of(&frame, m2d__setting(force, SURFACE_RADIUS, 0),
                          m2d__setting(force, RADIUS, 0));
    ha_expr zero = ha_constant(x->dag, 0.0), reaction[3] = { zero, zero, zero };

    (void) read_settings(x->dag, force, &contact.normal, &contact.friction); /* nothing was wrong with them */
    contact.where = m2d__keep_where(x->ctx, &x->system->arena, &x->system->file, force->where);
    contact.depth = g.depth;
    m2d__contact_slip(&frame, g.n, g.radius, contact.slip);
    HA_TRY(m2d__expand_contact(x, &contact, reaction));
    return add_outputs(x, force->name, reaction);
}

const m2d__force_type m2d__force_contact = {
    .name = "contact",
    .target = M2D__BETWEEN_POINTS,
    .keys = keys,
    .n_keys = HA_COUNT(keys),
    .check = check,
    .use = use,
    .expand = expand,
};
