/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two cylinders of the length L in line contact. With s = s_i + s_j, s_k = (1 - nu_k^2) / E_k,
 * E* = 1 / s, D = R_i + R_j of two, R_i - R_j of one in the other, k = D / (R_i R_j), the theories
 * of elastic half spaces end in
 *
 *   delta = c F ln(G / F),   c = s / (pi L)
 *
 * and differ in where they measure the depth:
 *
 *   johnson                G = (4 pi E* L D) / e
 *   radzimovsky            G = (8 / 1.6^2) E* L D e^(2/3)
 *   esdu-78035             G = (4 pi E* L D) e
 *   dubowsky-freudenstein  G = (pi E* L^3 k) e
 *
 * (Goldsmith's law has L instead of L^3, and so a logarithm of what has a dimension.) F has to
 * be found from delta: with w = ln(G / F) it is delta / (c w), and
 *
 *   w exp(-w) = x,  x = delta / (c G),  w > 1
 *
 * that is w = -W(-x) on the lower branch of Lambert's function. It starts from Barry's
 * approximation (Barry, Culligan-Hensley & Barry 1995, ACM Trans. Math. Softw. 21, 161), good to
 * 3 10^-4, and takes two steps of Fritsch, Shafer & Crowley (1973, Commun. ACM 16, 123), each of
 * which takes the error to its fourth power: w and its derivative are exact to round-off. The
 * energy is
 *
 *   integral F d delta = F delta / 2 - c F^2 / 4.
 *
 * The relation ends at w = 1, delta = c G / e, where the stiffness is infinite. Near delta = 0 the
 * force is delta / (c w(sqrt(delta^2 + epsilon^2))), defined on both sides.
 *
 * pereira is a fit to Johnson's relation that gives F at once, in N and mm (Pereira, Ramalho &
 * Ambrosio 2011, Nonlinear Dyn. 63, 681):
 *
 *   F = (a D + b) L E* / D delta^n
 *
 *   outside  a = 0.39,  b = 0.85,   n = 1.094
 *   inside   a = 0.965, b = 0.0965, n = Y D^-0.005, Y = 1.51 ln(1000 D)^-0.151 for D in
 *            [0.005, 0.34954] mm, 0.0151 D + 1.151 for D up to 10 mm
 */
#include <config.h>

#include "mech2d/forces/contact_cylinder.h"

#include "lib/status.h"

#include <math.h>

static const double SMOOTH = 1e-12; /* epsilon [m]: far below any depth */

enum { STEPS = 2 }; /* of Fritsch */

/* --- laws ------------------------------------------------------------------------------------- */

/* E* L D */
static double size(const m2d__cylinders *c)
{
    return c->length * c->touch.radii / c->softness;
}

static double johnson(const m2d__cylinders *c)
{
    return 4.0 * M_PI * size(c) * exp(-1.0);
}

static double radzimovsky(const m2d__cylinders *c)
{
    return 8.0 / (1.6 * 1.6) * size(c) * exp(2.0 / 3.0);
}

static double esdu(const m2d__cylinders *c)
{
    return 4.0 * M_PI * size(c) * exp(1.0);
}

static double dubowsky(const m2d__cylinders *c)
{
    return M_PI / c->softness * c->length * c->length * c->length * c->touch.curvature * exp(1.0);
}

static const m2d__cylinder_law laws[] = {
    { "pereira", "Pereira, Ramalho & Ambrosio 2011, Nonlinear Dyn. 63, 681", NULL },
    { "johnson", "Johnson 1985, Contact Mechanics, 5.6", johnson },
    { "radzimovsky", "Radzimovsky 1953", radzimovsky },
    { "esdu-78035", "ESDU 78035, 1978", esdu },
    { "dubowsky-freudenstein", "Dubowsky & Freudenstein 1971", dubowsky },
};

const m2d__cylinder_law *m2d__cylinder_law_at(size_t i)
{
    return i < HA_COUNT(laws) ? &laws[i] : NULL;
}

const char *m2d__cylinder_law_name(size_t i)
{
    return i < HA_COUNT(laws) ? laws[i].name : NULL;
}

/* The exponent of a cylinder in another, D in mm. */
static double exponent_inside(double D)
{
    double Y = D < 0.34954 ? 1.51 * pow(log(1000.0 * D), -0.151) : 0.0151 * D + 1.151;

    return Y * pow(D, -0.005);
}

/* The fit. */
static const char *pereira(const m2d__cylinders *c, m2d__stiffness *out)
{
    const double mm = 1e3, MPa = 1e-6;
    double D = c->touch.radii * mm, E = MPa / c->softness;
    double a = c->touch.is_hollow ? 0.965 : 0.39, b = c->touch.is_hollow ? 0.0965 : 0.85;

    if (c->touch.is_hollow && !(D >= 0.005 && D <= 10.0)) {
        return "the law `pereira` of cylinders holds for clearances of 0.005 mm to 10 mm; give "
               "another "
               "`cylinder_law`, or a `stiffness` and an `exponent` instead of `cylinder_length`";
    }
    out->exponent = c->touch.is_hollow ? exponent_inside(D) : 1.094;
    out->K = (a * D + b) * c->length * mm * E / D * pow(mm, out->exponent);
    return NULL;
}

const char *m2d__cylinder_stiffness(const m2d__cylinder_law *law, const m2d__cylinders *c,
                                    m2d__stiffness *out)
{
    if (!(c->touch.radii > 0.0)) {
        return "`cylinder_length` is of two cylinders; give both radii and no line, or a "
               "`stiffness`";
    }
    if (law->scale == NULL) {
        return pereira(c, out);
    }
    out->K = 0.0;
    out->compliance = c->softness / (M_PI * c->length);
    out->scale = law->scale(c);
    return NULL;
}

double m2d__cylinder_deepest(const m2d__stiffness *s)
{
    return s->compliance * s->scale * exp(-1.0);
}

/* --- the force ------------------------------------------------------------------------------- */

static ha_expr number(ha_dag *dag, double value)
{
    return ha_constant(dag, value);
}

static ha_expr function(ha_dag *dag, ha_op op, ha_expr a)
{
    return ha_apply(dag, op, a, HA_EXPR_NONE, HA_EXPR_NONE);
}

/* a + b x */
static ha_expr line(ha_dag *dag, double a, double b, ha_expr x)
{
    return ha_add(dag, number(dag, a), ha_mul(dag, number(dag, b), x));
}

/* w = 1 + t + (2 / M_1) (1 - 1 / (1 + M_1 sqrt(t / 2) / (1 + M_2 t exp(M_3 sqrt(t))))),
   t = -1 - ln x */
static ha_expr barry(ha_dag *dag, ha_expr log_x)
{
    const double M1 = 0.3361, M2 = -0.0042, M3 = -0.0201;
    ha_expr t = line(dag, -1.0, -1.0, log_x), root = function(dag, HA_OP_SQRT, t);
    ha_expr decay = function(dag, HA_OP_EXP, ha_mul(dag, number(dag, M3), root));
    ha_expr below = line(dag, 1.0, M2, ha_mul(dag, t, decay));
    ha_expr sum = line(dag, 1.0, M1 / sqrt(2.0), ha_div(dag, root, below));
    ha_expr share = line(dag, 1.0, -1.0, ha_div(dag, number(dag, 1.0), sum));

    return ha_add(dag, line(dag, 1.0, 1.0, t), ha_mul(dag, number(dag, 2.0 / M1), share));
}

/* With z = w + ln(x / w), v = 1 - w and q = 2 v (v + 2 z / 3):
   w (1 + z (q - z) / (v (q - 2 z))) */
static ha_expr fritsch(ha_dag *dag, ha_expr log_x, ha_expr w)
{
    ha_expr z = ha_add(dag, w, ha_sub(dag, log_x, function(dag, HA_OP_LOG, w)));
    ha_expr v = line(dag, 1.0, -1.0, w);
    ha_expr inner = ha_add(dag, v, ha_mul(dag, number(dag, 2.0 / 3.0), z));
    ha_expr q = ha_mul(dag, number(dag, 2.0), ha_mul(dag, v, inner));
    ha_expr above = ha_mul(dag, z, ha_sub(dag, q, z));
    ha_expr below = ha_mul(dag, v, ha_sub(dag, q, ha_mul(dag, number(dag, 2.0), z)));

    return ha_mul(dag, w, line(dag, 1.0, 1.0, ha_div(dag, above, below)));
}

/* w of the depth. */
static ha_expr logarithm(ha_dag *dag, const m2d__stiffness *s, ha_expr depth)
{
    double unit = s->compliance * s->scale;
    ha_expr sum = ha_add(dag, ha_mul(dag, depth, depth), number(dag, SMOOTH * SMOOTH));
    ha_expr twice = ha_sub(dag, function(dag, HA_OP_LOG, sum), number(dag, 2.0 * log(unit)));
    ha_expr log_x = ha_mul(dag, number(dag, 0.5), twice);
    ha_expr w = barry(dag, log_x);

    for (int i = 0; i < STEPS; i++) {
        w = fritsch(dag, log_x, w);
    }
    return w;
}

ha_expr m2d__cylinder_force(ha_dag *dag, const m2d__stiffness *s, ha_expr depth)
{
    ha_expr w = ha_mul(dag, number(dag, s->compliance), logarithm(dag, s, depth));

    return ha_div(dag, depth, w);
}

/* With r^2 = delta^2 + epsilon^2 and F = r / (c w) it is r^2 / (2 c w) (1 - 1 / (2 w)), less that
   of delta = 0. */
ha_expr m2d__cylinder_energy(ha_dag *dag, const m2d__stiffness *s, ha_expr depth)
{
    ha_expr ends[2] = { depth, number(dag, 0.0) }, energy[2];

    for (int k = 0; k < 2; k++) {
        ha_expr w = logarithm(dag, s, ends[k]);
        ha_expr sum = ha_add(dag, ha_mul(dag, ends[k], ends[k]), number(dag, SMOOTH * SMOOTH));
        ha_expr half = ha_div(dag, ha_mul(dag, number(dag, 0.5 / s->compliance), sum), w);
        energy[k] = ha_mul(dag, half, line(dag, 1.0, -0.5, ha_div(dag, number(dag, 1.0), w)));
    }
    return ha_sub(dag, energy[0], energy[1]);
}
