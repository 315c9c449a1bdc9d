/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The oil between a journal and its bearing. Not installed. */
#ifndef MECH2D_CONTACT_FILM_H
#define MECH2D_CONTACT_FILM_H

#include "mech2d/expand/expand_priv.h"

/* Where the oil goes: around, or out at the ends; torn where it would have to stand tension. */
typedef enum m2d__film_is { M2D__FILM_LONG, M2D__FILM_SHORT, M2D__FILM_TORN } m2d__film_is;

/* A film. Lengths in m. */
typedef struct m2d__film {
    double viscosity; /* [Pa.s]; 0: there is none */
    double length;    /* of the bearing */
    double radius;    /* of the journal */
    double clearance;
    double least; /* thickness from which on it gets no stiffer */
    m2d__film_is kind;
} m2d__film;

/* Resistances, as expressions over E, the square of the eccentricity over the clearance. */
typedef struct m2d__film_law {
    ha_expr across; /* force per speed of the centre [N.s/m] */
    ha_expr along;  /* what is more of it along the eccentricity, over E [N.s/m] */
    ha_expr twist;  /* torque per difference of the rates of turning [N.m.s/rad] */
} m2d__film_law;

/* Number `i` of the kinds of films, as written in model files; NULL behind the last. */
const char *m2d__film_kind(size_t i);

/* What is wrong with a film, for a message; NULL: nothing. */
const char *m2d__film_fault(const m2d__film *film);

/* The resistances of a film, of a torn one as if it were not. */
m2d__film_law m2d__film_law_of(ha_dag *dag, const m2d__film *film, ha_expr E);

/* Those of a torn film at the position s, e / c, and the speed v: the force
   is -K v - H z x v [N.s/m]. */
void m2d__film_torn(ha_dag *dag, const m2d__film *film, m2d__vector s, m2d__vector v, ha_expr *K,
                    ha_expr *H);

/* Adds the elements of a film between the bearing about M and the journal about N of a frame; adds
   its force and torque on the second body to `reaction`. */
HA_MUST_CHECK ha_status m2d__expand_film(m2d__expander *x, const m2d__film *film,
                                         const m2d__rowset *joint, const m2d__frame *frame,
                                         ha_expr reaction[3]);

#endif
