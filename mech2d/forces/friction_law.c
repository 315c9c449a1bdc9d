/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Laws of dry friction. All give F / N over the sliding speed v, so that the load N may vary and
 * vanish; mu is that of sliding, mu_s that of breaking away, nu the viscous part, v_f, v_s and v_0
 * the settings friction_speed, stribeck_speed and dead_speed.
 *
 *   coulomb        mu tanh(v / v_f) + nu v
 *   coulomb-atan   mu (2 / pi) atan(v / v_f) + nu v
 *   coulomb-sqrt   mu v / sqrt(v^2 + v_f^2) + nu v
 *   threlfall      mu (1 - exp(-3 min(|v| / v_f, 1))) sgn v
 *   ambrosio       mu times a ramp from 0 at v_0 to 1 at v_f
 *   bengisu-akay   |v| < v_f: mu_s (1 - (1 - |v| / v_f)^2),
 *                  else mu + (mu_s - mu) exp(-(|v| - v_f) / v_s), times sgn v
 *   karnopp        |v| < v_f: mu_s sgn v, at v = 0 what holds, at most mu_s; else mu sgn v; + nu v
 *   stribeck       (mu + (mu_s - mu) exp(-|v / v_s|^d)) tanh(v / v_f) + nu v
 *   brown-mcphee   mu tanh(4 v / v_f) + (mu_s - mu) (v / v_f) / ((v / (2 v_f))^2 + 3/4)^2 + nu v
 *   zimmer         mu_s S(v / v_f) up to v_f, then by S(x) from mu_s down to mu at v_s, S(x) =
 *                  (3 x - x^3) / 2 between -1 and 1
 *   lugre          s_0 z + s_1 z' + nu v, z' = v - s_0 |v| z / (mu + (mu_s - mu) exp(-|v / v_s|^d))
 *   dahl           s_0 z + nu v, z' = v (1 - s_0 z sgn v / mu)^a
 *
 * s_1 of lugre may wear off with the speed, s_1 exp(-(v / v_d)^2). With g the curve in z' and
 * u = s_0 z the power that is not stored is
 *
 *   (s_0 z + s_1 z') v - s_0 z z' = |v| / g (u^2 - s_1 v u + s_1 |v| g),
 *
 * at no u below 0 if s_1 |v| <= 4 g. |v| exp(-(v / v_d)^2) being v_d / sqrt(2 e) at most, the law
 * is passive at any speed if s_1 v_d <= 4 sqrt(2 e) mu.
 *
 * All but karnopp, lugre and dahl have no force at rest: what they hold creeps. Where |v| or sgn v
 * stand, v = 0 is an event; the laws are continuous there.
 *
 * What holds is the multiplier of v = 0 as long as it is within its limit: the element Dry
 * (bondgraph/elements/elem_dry.c) beside the R of the law. Several contacts that hold one rigid
 * body would leave their multipliers open; there it is mu_s tanh(v / v_c), v_c = v_f / 1000, which
 * they share by their loads.
 *
 * A lubricant adds c v tanh(4 N / N_t) (Brown & McPhee's transition with the load N).
 */
#include <config.h>

#include "mech2d/forces/friction_law.h"

#include "lib/status.h"

#include <math.h>

static const double SMOOTH = 1e-12; /* of squares that are 0 where their root has no derivative */
static const double CREEP = 1e-3;   /* of v_f, at which what is shared holds fully */

/* --- pieces ---------------------------------------------------------------------------------- */

static ha_expr number(ha_dag *dag, double value)
{
    return ha_constant(dag, value);
}

static ha_expr function(ha_dag *dag, ha_op op, ha_expr a)
{
    return ha_apply(dag, op, a, HA_EXPR_NONE, HA_EXPR_NONE);
}

static ha_expr scaled(ha_dag *dag, double factor, ha_expr a)
{
    return ha_mul(dag, number(dag, factor), a);
}

static ha_expr square(ha_dag *dag, ha_expr a)
{
    return ha_mul(dag, a, a);
}

/* tanh(v / v_0) */
static ha_expr step(ha_dag *dag, ha_expr v, double v_0)
{
    return function(dag, HA_OP_TANH, scaled(dag, 1.0 / v_0, v));
}

/* F + nu v */
static ha_expr with_viscous(ha_dag *dag, const m2d__friction *f, ha_expr force, ha_expr v)
{
    return f->viscous == 0.0 ? force : ha_add(dag, force, scaled(dag, f->viscous, v));
}

/* |v / v_s|^d, smooth at 0 */
static ha_expr stribeck_power(ha_dag *dag, const m2d__friction *f, ha_expr v)
{
    ha_expr ratio = square(dag, scaled(dag, 1.0 / f->v_stribeck, v));

    return f->exponent == 2.0 ? ratio
                              : ha_apply(dag, HA_OP_POW, ha_add(dag, ratio, number(dag, SMOOTH)),
                                         number(dag, 0.5 * f->exponent), HA_EXPR_NONE);
}

/* mu + (mu_s - mu) exp(-|v / v_s|^d) */
static ha_expr stribeck_curve(ha_dag *dag, const m2d__friction *f, ha_expr v)
{
    ha_expr decay = function(dag, HA_OP_EXP, ha_neg(dag, stribeck_power(dag, f, v)));

    return ha_add(dag, number(dag, f->mu), scaled(dag, f->mu_static - f->mu, decay));
}

/* --- laws ------------------------------------------------------------------------------------ */

static ha_expr coulomb(ha_dag *dag, const m2d__friction *f, ha_expr v, ha_expr z)
{
    (void) z;
    return with_viscous(dag, f, scaled(dag, f->mu, step(dag, v, f->v)), v);
}

static ha_expr coulomb_atan(ha_dag *dag, const m2d__friction *f, ha_expr v, ha_expr z)
{
    ha_expr angle = function(dag, HA_OP_ATAN, scaled(dag, 1.0 / f->v, v));

    (void) z;
    return with_viscous(dag, f, scaled(dag, f->mu * 2.0 / M_PI, angle), v);
}

static ha_expr coulomb_sqrt(ha_dag *dag, const m2d__friction *f, ha_expr v, ha_expr z)
{
    ha_expr sum = ha_add(dag, square(dag, v), number(dag, f->v * f->v));
    ha_expr ratio = ha_div(dag, v, function(dag, HA_OP_SQRT, sum));

    (void) z;
    return with_viscous(dag, f, scaled(dag, f->mu, ratio), v);
}

static ha_expr threlfall(ha_dag *dag, const m2d__friction *f, ha_expr v, ha_expr z)
{
    ha_expr ratio = scaled(dag, 1.0 / f->v, function(dag, HA_OP_ABS, v));
    ha_expr least = ha_apply(dag, HA_OP_MIN, ratio, number(dag, 1.0), HA_EXPR_NONE);
    ha_expr gap = function(dag, HA_OP_EXP, scaled(dag, -3.0, least));
    ha_expr size = ha_sub(dag, number(dag, 1.0), gap);

    (void) z;
    return scaled(dag, f->mu, ha_mul(dag, size, function(dag, HA_OP_SIGN, v)));
}

/* From 0 at v = v_0 to 1 at v_f. */
static ha_expr ramp(ha_dag *dag, const m2d__friction *f, ha_expr v)
{
    ha_expr rise = scaled(dag, 1.0 / (f->v - f->v_dead), ha_sub(dag, v, number(dag, f->v_dead)));
    ha_expr above = ha_apply(dag, HA_OP_MAX, rise, number(dag, 0.0), HA_EXPR_NONE);

    return ha_apply(dag, HA_OP_MIN, above, number(dag, 1.0), HA_EXPR_NONE);
}

static ha_expr ambrosio(ha_dag *dag, const m2d__friction *f, ha_expr v, ha_expr z)
{
    (void) z;
    return scaled(dag, f->mu, ha_sub(dag, ramp(dag, f, v), ramp(dag, f, ha_neg(dag, v))));
}

static ha_expr bengisu_akay(ha_dag *dag, const m2d__friction *f, ha_expr v, ha_expr z)
{
    ha_expr size = function(dag, HA_OP_ABS, v), one = number(dag, 1.0);
    ha_expr rest = ha_sub(dag, one, scaled(dag, 1.0 / f->v, size));
    ha_expr inner = scaled(dag, f->mu_static, ha_sub(dag, one, square(dag, rest)));
    ha_expr beyond = ha_sub(dag, size, number(dag, f->v));
    ha_expr decay = function(dag, HA_OP_EXP, scaled(dag, -1.0 / f->v_stribeck, beyond));
    ha_expr outer = ha_add(dag, number(dag, f->mu), scaled(dag, f->mu_static - f->mu, decay));
    ha_expr is_inner = ha_apply(dag, HA_OP_LT, size, number(dag, f->v), HA_EXPR_NONE);

    (void) z;
    return ha_mul(dag, ha_apply(dag, HA_OP_IF, is_inner, inner, outer),
                  function(dag, HA_OP_SIGN, v));
}

/* 1 where v > v_f, or v < -v_f */
static ha_expr is_beyond(ha_dag *dag, const m2d__friction *f, ha_expr v, double sign)
{
    return ha_apply(dag, sign > 0.0 ? HA_OP_GT : HA_OP_LT, v, number(dag, sign * f->v),
                    HA_EXPR_NONE);
}

static ha_expr karnopp(ha_dag *dag, const m2d__friction *f, ha_expr v, ha_expr z)
{
    ha_expr right = is_beyond(dag, f, v, 1.0), left = is_beyond(dag, f, v, -1.0);
    ha_expr force = scaled(dag, f->mu, ha_sub(dag, right, left));

    (void) z;
    if (f->is_shared) {
        ha_expr holds = scaled(dag, f->mu_static, step(dag, v, CREEP * f->v));
        force = ha_apply(dag, HA_OP_IF, ha_add(dag, right, left), force, holds);
    }
    return with_viscous(dag, f, force, v);
}

static ha_expr karnopp_limit(ha_dag *dag, const m2d__friction *f, ha_expr v, ha_expr N)
{
    ha_expr slides = ha_add(dag, is_beyond(dag, f, v, 1.0), is_beyond(dag, f, v, -1.0));

    return ha_apply(dag, HA_OP_IF, slides, number(dag, -1.0), scaled(dag, f->mu_static, N));
}

static ha_expr stribeck(ha_dag *dag, const m2d__friction *f, ha_expr v, ha_expr z)
{
    (void) z;
    return with_viscous(dag, f, ha_mul(dag, stribeck_curve(dag, f, v), step(dag, v, f->v)), v);
}

static ha_expr brown_mcphee(ha_dag *dag, const m2d__friction *f, ha_expr v, ha_expr z)
{
    ha_expr ratio = scaled(dag, 1.0 / f->v, v);
    ha_expr sum = ha_add(dag, scaled(dag, 0.25, square(dag, ratio)), number(dag, 0.75));
    ha_expr peak = scaled(dag, f->mu_static - f->mu, ha_div(dag, ratio, square(dag, sum)));
    ha_expr force = ha_add(dag, scaled(dag, f->mu, step(dag, v, 0.25 * f->v)), peak);

    (void) z;
    return with_viscous(dag, f, force, v);
}

/* (3 x - x^3) / 2, from -1 at x = -1 to 1 at 1, and level beyond */
static ha_expr s_curve(ha_dag *dag, ha_expr x)
{
    ha_expr above = ha_apply(dag, HA_OP_MAX, x, number(dag, -1.0), HA_EXPR_NONE);
    ha_expr in = ha_apply(dag, HA_OP_MIN, above, number(dag, 1.0), HA_EXPR_NONE);
    ha_expr share = ha_sub(dag, number(dag, 1.5), scaled(dag, 0.5, square(dag, in)));

    return ha_mul(dag, in, share);
}

/* From -1 up to v_f to 1 from v_s on. */
static ha_expr worn_off(ha_dag *dag, const m2d__friction *f, ha_expr v)
{
    ha_expr behind = ha_sub(dag, v, number(dag, 0.5 * (f->v + f->v_stribeck)));

    return s_curve(dag, scaled(dag, 2.0 / (f->v_stribeck - f->v), behind));
}

static ha_expr zimmer(ha_dag *dag, const m2d__friction *f, ha_expr v, ha_expr z)
{
    ha_expr rise = scaled(dag, f->mu_static, s_curve(dag, scaled(dag, 1.0 / f->v, v)));
    ha_expr fall = ha_sub(dag, worn_off(dag, f, v), worn_off(dag, f, ha_neg(dag, v)));

    (void) z;
    return with_viscous(dag, f, ha_sub(dag, rise, scaled(dag, 0.5 * (f->mu_static - f->mu), fall)),
                        v);
}

static ha_expr lugre_rate(ha_dag *dag, const m2d__friction *f, ha_expr v, ha_expr z)
{
    ha_expr pull = ha_mul(dag, scaled(dag, f->stiffness, function(dag, HA_OP_ABS, v)), z);

    return ha_sub(dag, v, ha_div(dag, pull, stribeck_curve(dag, f, v)));
}

static ha_expr lugre(ha_dag *dag, const m2d__friction *f, ha_expr v, ha_expr z)
{
    ha_expr damping = number(dag, f->damping);

    if (f->v_fading > 0.0) {
        ha_expr power = ha_neg(dag, square(dag, scaled(dag, 1.0 / f->v_fading, v)));
        damping = ha_mul(dag, damping, function(dag, HA_OP_EXP, power));
    }
    ha_expr force =
        ha_add(dag, scaled(dag, f->stiffness, z), ha_mul(dag, damping, lugre_rate(dag, f, v, z)));

    return with_viscous(dag, f, force, v);
}

static ha_expr dahl_rate(ha_dag *dag, const m2d__friction *f, ha_expr v, ha_expr z)
{
    if (f->dahl == 1.0) {
        ha_expr size = scaled(dag, f->stiffness / f->mu, function(dag, HA_OP_ABS, v));
        return ha_sub(dag, v, ha_mul(dag, size, z));
    }
    /* odd in what is left of the way to sliding, so that it comes back from beyond */
    ha_expr share = ha_mul(dag, scaled(dag, f->stiffness / f->mu, z), function(dag, HA_OP_SIGN, v));
    ha_expr left = ha_sub(dag, number(dag, 1.0), share);
    ha_expr sum = ha_add(dag, square(dag, left), number(dag, SMOOTH));
    ha_expr power = ha_apply(dag, HA_OP_POW, sum, number(dag, 0.5 * (f->dahl - 1.0)), HA_EXPR_NONE);
    return ha_mul(dag, v, ha_mul(dag, left, power));
}

static ha_expr dahl(ha_dag *dag, const m2d__friction *f, ha_expr v, ha_expr z)
{
    return with_viscous(dag, f, scaled(dag, f->stiffness, z), v);
}

static const m2d__friction_law laws[] = {
    { .name = "coulomb", .source = "regularised by a hyperbolic tangent", .force = coulomb },
    { .name = "coulomb-atan", .source = "regularised by an arc tangent", .force = coulomb_atan },
    { .name = "coulomb-sqrt", .source = "regularised by a root", .force = coulomb_sqrt },
    { .name = "threlfall",
      .source = "Threlfall 1978, Mech. Mach. Theory 13, 475",
      .force = threlfall },
    { .name = "ambrosio", .source = "Ambrosio 2003", .force = ambrosio },
    { .name = "bengisu-akay",
      .source = "Bengisu & Akay 1994, J. Sound Vib. 171, 557",
      .force = bengisu_akay },
    { .name = "karnopp",
      .source = "Karnopp 1985, J. Dyn. Syst. Meas. Control 107, 100",
      .force = karnopp,
      .limit = karnopp_limit },
    { .name = "stribeck",
      .source = "Stribeck's curve, regularised",
      .steepness = 20.0,
      .force = stribeck },
    { .name = "brown-mcphee", .source = "Brown & McPhee 2016", .force = brown_mcphee },
    { .name = "zimmer",
      .source = "Zimmer 2014, PlanarMechanics, the wheel with dry friction",
      .steepness = 3.0,
      .force = zimmer },
    { .name = "lugre",
      .source = "Canudas de Wit, Olsson, Astrom & Lischinsky 1995",
      .force = lugre,
      .rate = lugre_rate },
    { .name = "dahl", .source = "Dahl 1968", .force = dahl, .rate = dahl_rate },
};

ha_expr m2d__lubricant(ha_dag *dag, const m2d__friction *f, ha_expr v, ha_expr N)
{
    return scaled(dag, f->lubricant, ha_mul(dag, v, step(dag, N, 0.25 * f->load)));
}

const m2d__friction_law *m2d__friction_law_at(size_t i)
{
    return i < HA_COUNT(laws) ? &laws[i] : NULL;
}

const char *m2d__friction_law_name(size_t i)
{
    return i < HA_COUNT(laws) ? laws[i].name : NULL;
}
