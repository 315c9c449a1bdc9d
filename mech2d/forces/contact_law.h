/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Laws of the normal force in a contact: numbers only. Not installed. */
#ifndef MECH2D_CONTACT_LAW_H
#define MECH2D_CONTACT_LAW_H

#include <stdbool.h>
#include <stddef.h>

/* A law: what makes a contact lose energy. */
typedef struct m2d__contact_law {
    const char *name;        /* as written in model files */
    const char *source;      /* where it is from */
    double (*chi)(double c); /* chi for the restitution c in (0, 1]; NULL: it has none */
    bool is_linear;          /* its damping is a setting, its exponent 1 */
} m2d__contact_law;

/* Law number `i` from 0, the first being that of contacts without a law; NULL behind the last. */
const m2d__contact_law *m2d__contact_law_at(size_t i);

/* The name of a law, NULL behind the last. */
const char *m2d__contact_law_name(size_t i);

/* Hertz's stiffness of two elastic bodies of these moduli [Pa] and Poisson's ratios, whose
   curvatures [1/m] at the contact add up to `curvature` > 0: F = K delta^1.5 [N/m^1.5]. */
double m2d__hertz_stiffness(const double modulus[2], const double poisson[2], double curvature);

/* s_i + s_j of these moduli and ratios, s = (1 - nu^2) / E [1/Pa]. */
double m2d__softness(const double modulus[2], const double poisson[2]);

#endif
