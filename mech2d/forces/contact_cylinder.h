/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The force between two cylinders in line contact. Not installed. */
#ifndef MECH2D_CONTACT_CYLINDER_H
#define MECH2D_CONTACT_CYLINDER_H

#include "lib/expr.h"

#include <stdbool.h>
#include <stddef.h>

/* What touches, as far as its stiffness is concerned. */
typedef struct m2d__touch {
    double curvature; /* sum of curvatures at the contact [1/m]; 0: not known */
    double radii;     /* R + r of two discs, R - r of one in a hole [m]; 0: there are not two */
    bool is_hollow;
} m2d__touch;

/* Two cylinders of one length [m] and of s = (1 - nu^2) / E summed over both [1/Pa]. */
typedef struct m2d__cylinders {
    double length, softness;
    m2d__touch touch;
} m2d__cylinders;

/* The force at rest over the depth delta. */
typedef struct m2d__stiffness {
    double K, exponent;       /* F = K delta^exponent; */
    double compliance, scale; /* or, with K = 0, delta = compliance F ln(scale / F) [m/N, N] */
} m2d__stiffness;

/* A law of cylinders. */
typedef struct m2d__cylinder_law {
    const char *name;                         /* as written in model files */
    const char *source;                       /* where it is from */
    double (*scale)(const m2d__cylinders *c); /* NULL: it is the fit */
} m2d__cylinder_law;

/* Law number `i` from 0, the first being that of cylinders without a law; NULL behind the last. */
const m2d__cylinder_law *m2d__cylinder_law_at(size_t i);

/* The name of a law, NULL behind the last. */
const char *m2d__cylinder_law_name(size_t i);

/* The stiffness of cylinders under a law. A message where they are out of its range, else NULL. */
const char *m2d__cylinder_stiffness(const m2d__cylinder_law *law, const m2d__cylinders *cylinders,
                                    m2d__stiffness *out);

/* The depth at which an implicit law ends: there its stiffness is infinite, and no force belongs to
   more. */
double m2d__cylinder_deepest(const m2d__stiffness *stiffness);

/* The force of an implicit law, and the energy that is stored, over the depth. Odd and even in it,
   undefined beyond the deepest. */
ha_expr m2d__cylinder_force(ha_dag *dag, const m2d__stiffness *stiffness, ha_expr depth);
ha_expr m2d__cylinder_energy(ha_dag *dag, const m2d__stiffness *stiffness, ha_expr depth);

#endif
