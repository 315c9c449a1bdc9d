/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The oil film of a journal bearing: radius R, length L, clearance c, viscosity mu, the journal's centre
 * at e = MN from the bearing's, E = e.e / c^2. Seen from where the mean of both rates of turning is 0, the
 * surfaces carry no oil along, and the film only resists the speed of the centre there,
 *
 *   v' = v_N - v_M - (omega_M + omega_N) / 2 z x e.
 *
 * Reynolds' equation with the thickness h = c - e.u, u the direction from M at the angle phi, and
 * dh/dt = -v'.u then is linear in v', and so is the force on the journal F = -integral p u L R dphi:
 *
 *   F = -D v' - G (e.v') e / c^2
 *
 *   long    the oil flows around (Sommerfeld 1904; Pinkus & Sternlicht 1961): A = 12 pi mu L (R/c)^3,
 *           D = 2 A / ((2 + E) (1 - E)^(1/2)),  G = 3 A / ((2 + E) (1 - E)^(3/2))
 *   short   it leaves at the ends (Ocvirk & DuBois 1953): A = pi mu R L^3 / c^3,
 *           D = A / (1 - E)^(3/2),  G = 3 A / (1 - E)^(5/2)
 *
 * both for the full film, which stands tension: one that is torn there (half of pi) is not here. The
 * shear of the oil resists the difference of the rates, T = C (omega_N - omega_M),
 * C = 2 pi mu L R^3 / (c (1 - E)^(1/2)) (Petroff). All are Rs, so that power closes, each on a transformer:
 *
 *   O.film.x, O.film.y   D    of v'
 *   O.film.e             G    of v'.e / c
 *   O.film.turn          C    of omega_N - omega_M
 *
 * Since v' turns with the mean rate, half of the couple e x F goes to each body: momentum closes, and with
 * the long film the torque on the journal is Sommerfeld's, 4 pi mu L R^3 omega (1 + 2 E) /
 * (c (2 + E) (1 - E)^(1/2)).
 *
 * Where the film gets thinner than h_0, c (1 - E^(1/2)) < h_0, D, G and C stay what they are at h_0, so
 * that the journal comes to touch the bearing in a finite time; the contact then carries it.
 */
#include <config.h>

#include "mech2d/contact_film.h"

#include "lib/status.h"

#include <math.h>

static const char *const kinds[] = { "long", "short" };

const char *m2d__film_kind(size_t i)
{
    return i < HA_COUNT(kinds) ? kinds[i] : NULL;
}

const char *m2d__film_fault(const m2d__film *film)
{
    if (isnan(film->length)) {
        return "it has a `viscosity`, but no `bearing_length`; give the length of the bearing";
    }
    return film->least >= film->clearance
               ? "`least_film` must be below the clearance: it is the thickness below which the oil "
                 "gives way to the contact"
               : NULL;
}

/* --- resistances ------------------------------------------------------------------------------ */

static ha_expr number(ha_dag *dag, double value)
{
    return ha_constant(dag, value);
}

/* a (1 - E)^-n */
static ha_expr narrow(ha_dag *dag, double a, double n, ha_expr E)
{
    ha_expr rest = ha_sub(dag, number(dag, 1.0), E);
    ha_expr power = ha_apply(dag, HA_OP_POW, rest, number(dag, -n), HA_EXPR_NONE);

    return ha_mul(dag, number(dag, a), power);
}

m2d__film_law m2d__film_law_of(ha_dag *dag, const m2d__film *film, ha_expr E)
{
    double L = film->length, R = film->radius, c = film->clearance, ratio = R / c;
    double most = 1.0 - film->least / c;
    m2d__film_law law;

    E = ha_apply(dag, HA_OP_MIN, E, number(dag, most * most), HA_EXPR_NONE);
    law.twist = narrow(dag, 2.0 * M_PI * film->viscosity * L * R * R * ratio, 0.5, E);
    if (film->is_short) {
        double A = M_PI * film->viscosity * R * pow(L / c, 3.0);
        law.across = narrow(dag, A, 1.5, E);
        law.along = narrow(dag, 3.0 * A, 2.5, E);
    } else {
        double A = 12.0 * M_PI * film->viscosity * L * ratio * ratio * ratio;
        ha_expr around = ha_add(dag, number(dag, 2.0), E);
        law.across = ha_div(dag, narrow(dag, 2.0 * A, 0.5, E), around);
        law.along = ha_div(dag, narrow(dag, 3.0 * A, 1.5, E), around);
    }
    return law;
}

/* --- elements --------------------------------------------------------------------------------- */

/* A resistance to a rate: how it depends on (vx, vy, omega) of both ends. */
typedef struct {
    const char *label;
    ha_expr resistance;
    ha_expr moduli[2][3];
} resistance;

static ha_status add_resistance(m2d__expander *x, const char *name, const m2d__rowset *joint,
                                const resistance *r, ha_expr reaction[3])
{
    const m2d__row row = { .label = r->label };
    m2d__rowset set = { .name = m2d__name(x, name, r->label, NULL),
                        .ends = { joint->ends[0], joint->ends[1] },
                        .n = 1,
                        .rows = &row,
                        .has_moduli = true,
                        .where = joint->where };
    bg_element_def def = bg_element_def_default();
    bg_law law = bg_law_default();
    ha_expr f = ha_symbol(x->dag, "f"), effort = HA_EXPR_NONE;
    bg_element added = 0;

    for (int i = 0; i < 6; i++) {
        set.moduli[i / 3][0][i % 3] = r->moduli[i / 3][i % 3];
    }
    def.name = m2d__name(x, name, r->label, "R");
    HA_TRY(set.name == NULL || def.name == NULL ? HA_ERR_MEMORY : HA_OK);
    HA_TRY(m2d__expand_rows(x, &set));
    def.type = "R";
    def.group = bg_element_group(x->graph, set.junction);
    def.where = joint->where;
    law.f = &f;
    law.effort = ha_mul(x->dag, r->resistance, f);
    def.law = &law;
    HA_TRY(m2d__element(x, &def, &added));
    effort = bg_graph_signal(x->graph, added, 0, BG_SIGNAL_E);
    m2d__add_reaction(x, &set, &effort, reaction);
    return m2d__bond(x, set.junction, added, 1, joint->where);
}

ha_status m2d__expand_film(m2d__expander *x, const m2d__film *film, const m2d__rowset *joint,
                           const m2d__frame *frame, ha_expr reaction[3])
{
    ha_dag *dag = x->dag;
    m2d__vector e = m2d__from_to(dag, frame->OM, frame->ON);
    ha_expr none = number(dag, 0.0), one = number(dag, 1.0), less = number(dag, -1.0);
    ha_expr half = number(dag, 0.5), unit = number(dag, 1.0 / film->clearance);
    ha_expr turn_x = ha_mul(dag, half, e.y), turn_y = ha_neg(dag, ha_mul(dag, half, e.x));
    m2d__vector s = { ha_mul(dag, unit, e.x), ha_mul(dag, unit, e.y) };
    m2d__film_law law = m2d__film_law_of(dag, film, m2d__dot(dag, s, s));
    const resistance all[] = {
        { "x", law.across, { { less, none, turn_x }, { one, none, turn_x } } },
        { "y", law.across, { { none, less, turn_y }, { none, one, turn_y } } },
        { "e", law.along,
          { { ha_neg(dag, s.x), ha_neg(dag, s.y), none }, { s.x, s.y, none } } },
        { "turn", law.twist, { { none, none, less }, { none, none, one } } },
    };
    const char *name = m2d__name(x, joint->name, "film", NULL);

    HA_TRY(name == NULL ? HA_ERR_MEMORY : HA_OK);
    HA_TRY(ha_dag_status(dag));
    for (size_t i = 0; i < HA_COUNT(all); i++) {
        HA_TRY(add_resistance(x, name, joint, &all[i], reaction));
    }
    return HA_OK;
}
