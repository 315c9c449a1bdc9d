/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The oil film of a journal bearing: radius R, length L, clearance c, viscosity mu, the journal's
 * centre at e = MN from the bearing's, E = e.e / c^2. Seen from where the mean of both rates of
 * turning is 0, the surfaces carry no oil along, and the film only resists the speed of the centre
 * there,
 *
 *   v' = v_N - v_M - (omega_M + omega_N) / 2 z x e.
 *
 * With the thickness h = c - e.u, u the direction from M at the angle phi, and dh/dt = -v'.u
 * Reynolds' equation is linear in v'. So is the force on the journal, F = -integral p u L R dphi:
 *
 *   F = -D v' - G (e.v') e / c^2
 *
 *   long    the oil flows around (Sommerfeld 1904; Pinkus & Sternlicht 1961):
 *           A = 12 pi mu L (R/c)^3,
 *           D = 2 A / ((2 + E) (1 - E)^(1/2)),  G = 3 A / ((2 + E) (1 - E)^(3/2))
 *   short   it leaves at the ends (Ocvirk & DuBois 1953):
 *           A = pi mu R L^3 / c^3,
 *           D = A / (1 - E)^(3/2),  G = 3 A / (1 - E)^(5/2)
 *
 * both for the full film, which stands tension. A short one may be torn where its pressure would be
 * negative, which is where v'.u < 0: over the half circle that is left, with d = v' / |v'|, m = e.d
 * / c, h = e.(z x d) / c, r^2 = 1 - E and the integrals of Ocvirk by Sommerfeld's substitution
 *
 *   torn    F = -A (K v' + H z x v'),  A that of short / pi,  beta = pi + 2 atan(m / r),
 *           K = beta (1 + 2 m^2 - h^2) / (2 r^5) + 3 m / r^4
 *           H = 3 beta m h / (2 r^5) + h (2 + m^2 / (1 - h^2)) / r^4
 *
 * which takes power, F.v' = -A K v'.v', as the integral of p >= 0 does. The shear of the oil
 * resists the difference of the rates (Petroff):
 *
 *   T = C (omega_N - omega_M),  C = 2 pi mu L R^3 / (c (1 - E)^(1/2))
 *
 * All are Rs, so that power closes, each on a transformer:
 *
 *   O.film.x, O.film.y   D    of v'
 *   O.film.e             G    of v'.e / c; not of a torn film
 *   O.film.turn          C    of omega_N - omega_M
 *
 * Since v' turns with the mean rate, half of the couple e x F goes to each body: momentum closes,
 * and with the long film the torque on the journal is Sommerfeld's, 4 pi mu L R^3 omega (1 + 2 E) /
 * (c (2 + E) (1 - E)^(1/2)).
 *
 * Where the film gets thinner than h_0, c (1 - E^(1/2)) < h_0, D, G and C stay what they are at
 * h_0, so that the journal comes to touch the bearing in a finite time; the contact then carries
 * it.
 */
#include <config.h>

#include "mech2d/forces/contact_film.h"

#include "lib/status.h"

#include <math.h>

static const char *const kinds[] = {
    [M2D__FILM_LONG] = "long", [M2D__FILM_SHORT] = "short", [M2D__FILM_TORN] = "torn"
};
static const double SLOW = 1e-9; /* of |v'|, whose root is smooth [m/s] */

const char *m2d__film_kind(size_t i)
{
    return i < HA_COUNT(kinds) ? kinds[i] : NULL;
}

const char *m2d__film_fault(const m2d__film *film)
{
    if (isnan(film->length)) {
        return "it has a `viscosity`, but no `bearing_length`; give the length of the bearing";
    }
    return film->least >= film->clearance ? "`least_film` must be below the clearance: it is the "
                                            "thickness below which the oil "
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
    if (film->kind != M2D__FILM_LONG) {
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

static ha_expr square(ha_dag *dag, ha_expr a)
{
    return ha_mul(dag, a, a);
}

static ha_expr root(ha_dag *dag, ha_expr a)
{
    return ha_apply(dag, HA_OP_SQRT, a, HA_EXPR_NONE, HA_EXPR_NONE);
}

void m2d__film_torn(ha_dag *dag, const m2d__film *film, m2d__vector s, m2d__vector v, ha_expr *K,
                    ha_expr *H)
{
    double c = film->clearance, most = 1.0 - film->least / c, ratio = film->length / c;
    ha_expr A = number(dag, film->viscosity * film->radius * ratio * ratio * ratio);
    ha_expr limit = number(dag, most * most), one = number(dag, 1.0);
    ha_expr E = ha_apply(dag, HA_OP_MAX, m2d__dot(dag, s, s), limit, HA_EXPR_NONE);
    ha_expr shrink = root(dag, ha_div(dag, limit, E)); /* to the least thickness */
    ha_expr speed = root(dag, ha_add(dag, m2d__dot(dag, v, v), number(dag, SLOW * SLOW)));
    ha_expr share = ha_div(dag, shrink, speed);
    const m2d__vector turned = { ha_neg(dag, v.y), v.x };
    ha_expr m = ha_mul(dag, share, m2d__dot(dag, s, v));
    ha_expr h = ha_mul(dag, share, m2d__dot(dag, s, turned));
    ha_expr inner = square(dag, shrink);
    ha_expr rr = ha_sub(dag, one, ha_mul(dag, inner, m2d__dot(dag, s, s))), r = root(dag, rr);
    ha_expr mm = square(dag, m), hh = square(dag, h);
    ha_expr angle = ha_apply(dag, HA_OP_ATAN, ha_div(dag, m, r), HA_EXPR_NONE, HA_EXPR_NONE);
    /* A / r^4 and half of beta / r */
    ha_expr a = ha_div(dag, A, square(dag, rr));
    ha_expr b = ha_div(dag, ha_add(dag, number(dag, 0.5 * M_PI), angle), r);
    ha_expr three = number(dag, 3.0), two = number(dag, 2.0);
    ha_expr k = ha_mul(dag, b, ha_sub(dag, ha_add(dag, one, ha_mul(dag, two, mm)), hh));
    ha_expr rest = ha_add(dag, two, ha_div(dag, mm, ha_sub(dag, one, hh)));

    *K = ha_mul(dag, a, ha_add(dag, k, ha_mul(dag, three, m)));
    *H = ha_mul(dag, ha_mul(dag, a, h), ha_add(dag, ha_mul(dag, three, ha_mul(dag, b, m)), rest));
}

/* --- elements --------------------------------------------------------------------------------- */

/* A rate that a film resists: how it depends on (vx, vy, omega) of both ends. */
typedef struct {
    const char *label;
    ha_expr moduli[2][3];
} film_rate;

enum { ACROSS_X, ACROSS_Y, ALONG, TWIST, N_RATES };

/* Adds the transformers of a rate to the 0-junction of which the set tells. */
static ha_status add_rate(m2d__expander *x, const char *name, const m2d__rowset *joint,
                          const film_rate *rate, const m2d__row *row, m2d__rowset *set)
{
    *set = (m2d__rowset){ .name = m2d__name(x, name, rate->label, NULL),
                          .ends = { joint->ends[0], joint->ends[1] },
                          .n = 1,
                          .rows = row,
                          .has_moduli = true,
                          .where = joint->where };
    for (int i = 0; i < 6; i++) {
        set->moduli[i / 3][0][i % 3] = rate->moduli[i / 3][i % 3];
    }
    return set->name == NULL ? HA_ERR_MEMORY : m2d__expand_rows(x, set);
}

/* Adds the R of a rate: its effort is resistance f + more. */
static ha_status add_resistance(m2d__expander *x, const m2d__rowset *set, ha_expr resistance,
                                ha_expr more, ha_expr reaction[3])
{
    ha_expr f = ha_symbol(x->dag, "f"), effort = HA_EXPR_NONE;
    bg_element added = 0;

    const bg_law law = { .f = &f, .effort = ha_add(x->dag, ha_mul(x->dag, resistance, f), more) };
    const bg_element_def def = { .type = "R",
                                 .name = m2d__name(x, set->name, "R", NULL),
                                 .law = &law,
                                 .group = m2d__set_group(set),
                                 .where = set->where };
    HA_TRY(m2d__element(x, &def, &added));
    effort = bg_graph_signal(x->graph, added, 0, BG_SIGNAL_E);
    m2d__add_reaction(x, set, &effort, reaction);
    return m2d__bond(x, set->junction, added, 1, set->where);
}

/* The resistances to the speed of the centre, on the sets of x and y. */
static ha_status add_torn(m2d__expander *x, const m2d__film *film, m2d__vector s,
                          const m2d__rowset *sets, ha_expr reaction[3])
{
    m2d__vector v = { 0 };
    ha_expr K = HA_EXPR_NONE, H = HA_EXPR_NONE;

    HA_TRY(m2d__set_rate(x, &sets[ACROSS_X], 0, &v.x));
    HA_TRY(m2d__set_rate(x, &sets[ACROSS_Y], 0, &v.y));
    m2d__film_torn(x->dag, film, s, v, &K, &H);
    HA_TRY(add_resistance(x, &sets[ACROSS_X], K, ha_neg(x->dag, ha_mul(x->dag, H, v.y)), reaction));
    return add_resistance(x, &sets[ACROSS_Y], K, ha_mul(x->dag, H, v.x), reaction);
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
    const film_rate rates[N_RATES] = {
        [ACROSS_X] = { "x", { { less, none, turn_x }, { one, none, turn_x } } },
        [ACROSS_Y] = { "y", { { none, less, turn_y }, { none, one, turn_y } } },
        [ALONG] = { "e", { { ha_neg(dag, s.x), ha_neg(dag, s.y), none }, { s.x, s.y, none } } },
        [TWIST] = { "turn", { { none, none, less }, { none, none, one } } },
    };
    const ha_expr full[N_RATES] = { law.across, law.across, law.along, law.twist };
    const bool is_torn = film->kind == M2D__FILM_TORN;
    const char *name = m2d__name(x, joint->name, "film", NULL);
    m2d__row rows[N_RATES] = { { 0 } };
    m2d__rowset sets[N_RATES];

    HA_TRY_MEMORY(name);
    HA_TRY(ha_dag_status(dag));
    for (int i = 0; i < N_RATES; i++) {
        rows[i].label = rates[i].label;
        if (i != ALONG || !is_torn) {
            HA_TRY(add_rate(x, name, joint, &rates[i], &rows[i], &sets[i]));
        }
        if (i == TWIST || !is_torn) {
            HA_TRY(add_resistance(x, &sets[i], full[i], none, reaction));
        }
    }
    return is_torn ? add_torn(x, film, s, sets, reaction) : HA_OK;
}
