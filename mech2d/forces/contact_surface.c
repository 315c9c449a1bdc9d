/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Surfaces that may touch. The second body has a disc of the radius r (0: a point) about N; what
 * the first has about M is its surface:
 *
 *   line     the line through M along x_i, free on the side of y_i:  delta = r - MN . y_i
 *   disc     a disc of radius R about M:                             delta = R + r - |MN|
 *   socket   a hole of radius R > r about M, the disc inside:        delta = |MN| - (R - r)
 *
 * The bodies touch at one point P = N - r n with n = y_i, MN / |MN| or, in a socket, P = N + r n:
 * the forces on both act there. |MN| is sqrt(MN . MN + epsilon^2), so that it has a derivative
 * where the centres of a socket coincide, in free flight.
 */
#include <config.h>

#include "mech2d/forces/contact.h"

static const double SMOOTH = 1e-12; /* epsilon [m] */
static const double DEEPEST = 0.95; /* of two discs, in sums of their radii: next to the centres */

static m2d__geometry line(const m2d__frame *f, ha_expr R, ha_expr r)
{
    ha_expr height = m2d__dot(f->dag, m2d__from_to(f->dag, f->OM, f->ON), f->y_il);

    (void) R;
    return (m2d__geometry){ ha_sub(f->dag, r, height), r, f->y_il };
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

static m2d__geometry disc(const m2d__frame *f, ha_expr R, ha_expr r)
{
    m2d__geometry g = { .radius = r };
    ha_expr length = distance(f, &g.n);

    g.depth = ha_sub(f->dag, ha_add(f->dag, R, r), length);
    return g;
}

static m2d__geometry socket(const m2d__frame *f, ha_expr R, ha_expr r)
{
    m2d__geometry g = { .radius = ha_neg(f->dag, r) };
    ha_expr length = distance(f, &g.n);

    g.depth = ha_sub(f->dag, length, ha_sub(f->dag, R, r));
    return g;
}

static const m2d__surface surfaces[] = {
    { "line", false, false, line },
    { "disc", true, false, disc },
    { "socket", true, true, socket },
};

const m2d__surface *m2d__surface_at(size_t i)
{
    return i < HA_COUNT(surfaces) ? &surfaces[i] : NULL;
}

const m2d__surface *m2d__surface_socket(void)
{
    return &surfaces[HA_COUNT(surfaces) - 1];
}

const char *m2d__surface_name(size_t i)
{
    return i < HA_COUNT(surfaces) ? surfaces[i].name : NULL;
}

m2d__touch m2d__surface_touch(const m2d__surface *s, double R, double r)
{
    double of_disc = r > 0.0 ? 1.0 / r : 0.0, of_surface = s->has_radius ? 1.0 / R : 0.0;
    double curvature = s->is_hollow ? of_disc - of_surface : of_disc + of_surface;
    double radii = s->is_hollow ? R - r : R + r;

    return (m2d__touch){ curvature, s->has_radius && r > 0.0 ? radii : 0.0, s->is_hollow };
}

ha_expr m2d__surface_deepest(const m2d__surface *s, ha_dag *dag, ha_expr R, ha_expr r)
{
    return s->has_radius && !s->is_hollow
               ? ha_mul(dag, ha_constant(dag, DEEPEST), ha_add(dag, R, r))
               : HA_EXPR_NONE;
}

const char *m2d__surface_fault(const m2d__surface *s, double R, double r)
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

void m2d__contact_slip(const m2d__frame *f, m2d__vector n, ha_expr NP_n, ha_expr slip[2][3])
{
    ha_expr MN_n = m2d__dot(f->dag, m2d__from_to(f->dag, f->OM, f->ON), n);

    slip[0][0] = n.y;
    slip[0][1] = ha_neg(f->dag, n.x);
    slip[0][2] = ha_neg(f->dag, ha_add(f->dag, MN_n, NP_n));
    slip[1][0] = ha_neg(f->dag, n.y);
    slip[1][1] = n.x;
    slip[1][2] = NP_n;
}

void m2d__contact_at(m2d__contact *contact, const m2d__surface *surface, const m2d__frame *frame,
                     ha_expr R, ha_expr r)
{
    m2d__geometry g = surface->of(frame, R, r);

    contact->depth = g.depth;
    m2d__contact_slip(frame, g.n, ha_neg(frame->dag, g.radius), contact->slip);
}
