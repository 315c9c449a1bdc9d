/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Laws of the normal force in a contact. With the depth delta, the approach speed v = delta' and
 * the speed v_minus at which the contact began,
 *
 *   F = K delta^n (1 + chi v / v_minus), at least 0,
 *
 * and the laws differ in chi as a function of the restitution c that is asked for. What a lone mass
 * really gets, e, follows from one integration over the contact: with y = v / v_minus the equation
 * m v dv / d delta = -F separates, -y dy / (1 + chi y) = const delta^n d delta, so that
 *
 *   chi (1 + e) = ln((1 + chi) / (1 - chi e))
 *
 * for every m, K, n and speed. The law `exact` takes the chi for which e = c.
 *
 * kelvin-voigt is F = K delta + D v, at least 0: its damping is given, the force jumps at first
 * touch.
 *
 * Stiffness by Hertz, of bodies with radii R_i, R_j (of a hollow one negative, of a plane
 * infinite):
 *
 *   K = 4 / (3 (s_i + s_j)) / sqrt(1 / R_i + 1 / R_j),   s = (1 - nu^2) / E,   n = 3/2
 */
#include <config.h>

#include "mech2d/forces/contact_law.h"

#include "lib/status.h"

#include <math.h>

static const double NEARLY_ELASTIC = 1e-5; /* 1 - c below which the root is taken from its series */

/* 0 where chi is that of the restitution e; negative below the root, positive above. */
static double mismatch(double chi, double e)
{
    return log1p(chi) - log1p(-chi * e) - chi * (1.0 + e);
}

/* The root chi > 0 of the mismatch, which starts as -chi^2 (1 - e^2) / 2 + chi^3 (1 + e^3) / 3 and
   is infinite at 1 / e. */
static double chi_exact(double e)
{
    double low = 0.0, high = 1.0 / e;

    if (1.0 - e < NEARLY_ELASTIC) {
        return 1.5 * (1.0 - e * e) / (1.0 + e * e * e);
    }
    for (int i = 0; i < 200; i++) {
        double middle = 0.5 * (low + high);
        *(mismatch(middle, e) < 0.0 ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

static double chi_hunt_crossley(double c)
{
    return 1.5 * (1.0 - c);
}

static double chi_herbert_mcwhannell(double c)
{
    return 6.0 * (1.0 - c) / ((2.0 * c - 1.0) * (2.0 * c - 1.0) + 3.0);
}

static double chi_lee_wang(double c)
{
    return 0.75 * (1.0 - c);
}

static double chi_lankarani_nikravesh(double c)
{
    return 0.75 * (1.0 - c * c);
}

static double chi_gonthier(double c)
{
    return (1.0 - c * c) / c;
}

static double chi_flores(double c)
{
    return 1.6 * (1.0 - c) / c;
}

static double chi_hu_guo(double c)
{
    return 1.5 * (1.0 - c) / c;
}

static const m2d__contact_law laws[] = {
    { "exact", "the root of the relation above", chi_exact, false },
    { "hunt-crossley", "Hunt & Crossley 1975, J. Appl. Mech. 42, 440", chi_hunt_crossley, false },
    { "herbert-mcwhannell", "Herbert & McWhannell 1977", chi_herbert_mcwhannell, false },
    { "lee-wang", "Lee & Wang 1983", chi_lee_wang, false },
    { "lankarani-nikravesh", "Lankarani & Nikravesh 1990, J. Mech. Des. 112, 369",
      chi_lankarani_nikravesh, false },
    { "gonthier", "Gonthier et al. 2004, Multibody Syst. Dyn. 11, 209", chi_gonthier, false },
    { "flores", "Flores et al. 2011, Multibody Syst. Dyn. 25, 357", chi_flores, false },
    { "hu-guo", "Hu & Guo 2015", chi_hu_guo, false },
    { "kelvin-voigt", "linear spring and damper", NULL, true },
};

const m2d__contact_law *m2d__contact_law_at(size_t i)
{
    return i < HA_COUNT(laws) ? &laws[i] : NULL;
}

const char *m2d__contact_law_name(size_t i)
{
    return i < HA_COUNT(laws) ? laws[i].name : NULL;
}

/* --- stiffness ------------------------------------------------------------------------------- */

double m2d__softness(const double modulus[2], const double poisson[2])
{
    double s = 0.0;

    for (int k = 0; k < 2; k++) {
        s += (1.0 - poisson[k] * poisson[k]) / modulus[k];
    }
    return s;
}

double m2d__hertz_stiffness(const double modulus[2], const double poisson[2], double curvature)
{
    return 4.0 / (3.0 * m2d__softness(modulus, poisson)) / sqrt(curvature);
}
