/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Laws of tyres. With the slip velocity s = (v_long - R omega, v_lat), v = |s|, and the load N, the
 * force f on the ground is along s, so that it brakes:
 *
 *   dry      f = N T(v) s / v
 *   slip     the same, with v_A and v_S that grow with the speed: v_A = max(s_A |R omega|, v_A min)
 *   linear   f_k = C_k s_k / V,  V = max(|v_long|, speed_floor)
 *   law      f_k as the user writes it
 *
 * T is the curve of Zimmer (PlanarMechanics): with S(u) = (3 u - u^3) / 2, level beyond -1 and 1,
 *
 *   T(v) = mu_A S(v / v_A)                                         up to v_A,
 *   T(v) = mu_A - (mu_A - mu_S) (1 + S(2 (v - v_A) / (v_S - v_A) - 1)) / 2   above.
 *
 * T(v) / v is smooth at v = 0, where it is 1.5 mu_A / v_A, so that nothing is special there. Zimmer
 * adds 1e-4 m/s to v; so does `slip_floor`.
 *
 * A tyre with a spring. Between wheel and contact is a spring k with the deflection u, and the
 * contact slides with w:
 *
 *   u' = s - w,   f = k u,   w = g f,   g = v / F(v)
 *
 * where F(v) is the force of the law at v. In a steady motion u' = 0 and f = F(v) s / v. Near v = 0
 * a law with a slip has g = |V| / C, and so u' + |V| u / sigma = s with sigma = C / k: the
 * relaxation length (Pacejka 2012, section 5.2). At rest g = 0, and the tyre is a spring that
 * holds, with no creep; nothing is divided by the speed. Of dry and slip the rise of T, which a
 * spring replaces at rest, is that with v_A = s_A |R omega| alone:
 *
 *   N g = max(v, v_A) / (mu_A (3 - min(v / v_A, 1)^2) / 2 - (mu_A - mu_S) (1 + S) / 2).
 *
 * Power: s f = k u u' + g f^2, the first stored, the second lost. A damper c / (1 + (v_long /
 * v_0)^2) beside the spring and the contact takes the swinging of a wheel that stands.
 */
#include <config.h>

#include "mech2d/joints/wheel_tyre.h"

#include <math.h>

static const double TINY = 1e-15;       /* [m/s] a slip that is none */
static const double DAMPED = 0.1;       /* [m/s] v_0 */
static const double LEAST_SHARE = 1e-6; /* of the nominal load */
static const double RISE = 1.5;         /* S'(0) */

static const char *const names[M2D__WHEEL_COUNT] = { "ideal", "dry", "slip", "linear", "law" };

const char *m2d__wheel_model_name(size_t i)
{
    return i < M2D__WHEEL_COUNT ? names[i] : NULL;
}

/* --- expressions ---------------------------------------------------------------------------- */

static ha_expr number(const m2d__tyre *t, double x)
{
    return ha_constant(t->dag, x);
}

static ha_expr scaled(const m2d__tyre *t, double factor, ha_expr e)
{
    return ha_mul(t->dag, number(t, factor), e);
}

static ha_expr square(const m2d__tyre *t, ha_expr e)
{
    return ha_mul(t->dag, e, e);
}

static ha_expr one_of(const m2d__tyre *t, ha_op op, ha_expr a, ha_expr b)
{
    return ha_apply(t->dag, op, a, b, HA_EXPR_NONE);
}

static ha_expr size_of(const m2d__tyre *t, ha_expr e)
{
    return one_of(t, HA_OP_ABS, e, HA_EXPR_NONE);
}

/* s . s */
static ha_expr squared_slip(const m2d__tyre *t)
{
    return ha_add(t->dag, square(t, t->slip[0]), square(t, t->slip[1]));
}

/* |s| + more, with a slope at 0 */
static ha_expr slip_speed(const m2d__tyre *t, double more)
{
    ha_expr sum = ha_add(t->dag, squared_slip(t), number(t, TINY * TINY));

    return ha_add(t->dag, one_of(t, HA_OP_SQRT, sum, HA_EXPR_NONE), number(t, more));
}

/* max(share |R omega|, least) */
static ha_expr slip_limit(const m2d__tyre *t, double share, double least)
{
    if (t->model != M2D__WHEEL_SLIP) {
        return number(t, least);
    }
    ha_expr of_speed = scaled(t, share, size_of(t, t->rolling));
    return least > 0.0 ? one_of(t, HA_OP_MAX, of_speed, number(t, least)) : of_speed;
}

/* (1 + S(2 (v - v_A) / (v_S - v_A) - 1)) / 2 = x^2 (3 - 2 x), x = (v - v_A) / (v_S - v_A) in [0, 1]
 */
static ha_expr fallen(const m2d__tyre *t, ha_expr v, ha_expr v_A, ha_expr v_S)
{
    ha_expr zero = number(t, 0.0), one = number(t, 1.0);
    ha_expr x = ha_div(t->dag, ha_sub(t->dag, v, v_A), ha_sub(t->dag, v_S, v_A));
    ha_expr in = one_of(t, HA_OP_MIN, one_of(t, HA_OP_MAX, x, zero), one);

    return ha_mul(t->dag, square(t, in), ha_sub(t->dag, number(t, 3.0), scaled(t, 2.0, in)));
}

/* mu_A - (mu_A - mu_S) fallen */
static ha_expr level(const m2d__tyre *t, ha_expr v, ha_expr v_A, ha_expr v_S)
{
    ha_expr lost = ha_mul(t->dag, ha_sub(t->dag, t->adhesion, t->sliding), fallen(t, v, v_A, v_S));

    return ha_sub(t->dag, t->adhesion, lost);
}

/* T(v) / v of a rigid tyre */
static ha_expr secant(const m2d__tyre *t)
{
    ha_expr v_A = slip_limit(t, t->adhesion_slip, t->adhesion_speed);
    ha_expr v_S = slip_limit(t, t->sliding_slip, t->sliding_speed), v = HA_EXPR_NONE;
    ha_expr v2 = squared_slip(t), v_A2 = square(t, v_A);

    if (t->slip_floor > 0.0) {
        v = slip_speed(t, t->slip_floor);
        v2 = square(t, v);
    } else {
        v = one_of(t, HA_OP_SQRT, one_of(t, HA_OP_MAX, v2, v_A2), HA_EXPR_NONE);
    }
    ha_expr bend = ha_sub(t->dag, number(t, RISE), scaled(t, 0.5, ha_div(t->dag, v2, v_A2)));
    ha_expr rise = ha_mul(t->dag, ha_div(t->dag, t->adhesion, v_A), bend);
    ha_expr beyond = ha_div(t->dag, level(t, v, v_A, v_S), v);
    return ha_apply(t->dag, HA_OP_IF, one_of(t, HA_OP_LT, v2, v_A2), rise, beyond);
}

/* V of the linear law */
static ha_expr speed(const m2d__tyre *t)
{
    ha_expr along = size_of(t, t->along);

    return t->speed_floor > 0.0 ? one_of(t, HA_OP_MAX, along, number(t, t->speed_floor)) : along;
}

ha_expr m2d__tyre_force(const m2d__tyre *t, int direction)
{
    if (t->model == M2D__WHEEL_LAW) {
        const ha_expr values[M2D__N_SLIPS] = { t->slip[0], t->slip[1], t->load, t->along,
                                               t->rolling };
        return ha_expr_replace(t->dag, t->law[direction], t->symbols, values, M2D__N_SLIPS);
    }
    if (t->model == M2D__WHEEL_LINEAR) {
        return ha_div(t->dag, scaled(t, t->stiffness[direction], t->slip[direction]), speed(t));
    }
    return ha_mul(t->dag, ha_mul(t->dag, t->load, secant(t)), t->slip[direction]);
}

ha_expr m2d__tyre_leak(const m2d__tyre *t, int direction)
{
    if (t->model == M2D__WHEEL_LINEAR) {
        return scaled(t, 1.0 / t->stiffness[direction], size_of(t, t->along));
    }

    ha_expr rising = t->model == M2D__WHEEL_SLIP
                         ? scaled(t, t->adhesion_slip, size_of(t, t->rolling))
                         : number(t, 0.0);
    ha_expr v_A = slip_limit(t, t->adhesion_slip, t->adhesion_speed);
    ha_expr v_S = slip_limit(t, t->sliding_slip, t->sliding_speed);
    ha_expr v = slip_speed(t, 0.0), top = one_of(t, HA_OP_MAX, v, rising);
    ha_expr width = ha_add(t->dag, square(t, rising), number(t, TINY * TINY));
    ha_expr x2 = ha_div(t->dag, square(t, v), width);
    ha_expr in = ha_sub(t->dag, number(t, RISE), scaled(t, 0.5, x2));
    /* speeds are compared, not x, which is of any size where the wheel does not turn */
    ha_expr bend = ha_apply(t->dag, HA_OP_IF, one_of(t, HA_OP_LT, v, rising), in, number(t, 1.0));
    ha_expr lost = ha_mul(t->dag, ha_sub(t->dag, t->adhesion, t->sliding), fallen(t, v, v_A, v_S));
    ha_expr mu = ha_sub(t->dag, ha_mul(t->dag, t->adhesion, bend), lost);
    ha_expr load = one_of(t, HA_OP_MAX, t->load, number(t, t->least_load));
    return ha_div(t->dag, top, ha_mul(t->dag, load, mu));
}

ha_expr m2d__tyre_damping(const m2d__tyre *t)
{
    ha_expr ratio = scaled(t, 1.0 / DAMPED, t->along);

    return ha_div(t->dag, number(t, t->damping), ha_add(t->dag, number(t, 1.0), square(t, ratio)));
}

/* --- settings ------------------------------------------------------------------------------- */

static ha_expr setting(const m2d__connection *wheel, int key, int component)
{
    return wheel->settings[key * M2D__MAX_COMPONENTS + component];
}

static double number_of(const m2d__tyre *t, const m2d__connection *wheel, int key)
{
    ha_expr e = setting(wheel, key, 0);

    return e == HA_EXPR_NONE ? 0.0 : m2d__number(t->dag, e);
}

/* The slope of the law at no slip, for each unit of slip [N]. */
static double slope(const m2d__tyre *t, int direction, double load)
{
    return t->model == M2D__WHEEL_LINEAR
               ? t->stiffness[direction]
               : RISE * m2d__number(t->dag, t->adhesion) * load / t->adhesion_slip;
}

void m2d__tyre_read(m2d__tyre *t, const m2d__connection *wheel)
{
    double sigma = number_of(t, wheel, M2D__WHEEL_RELAXATION);
    double load = number_of(t, wheel, M2D__WHEEL_NOMINAL_LOAD);

    t->model = (m2d__wheel_model) number_of(t, wheel, M2D__WHEEL_MODEL);
    t->adhesion = setting(wheel, M2D__WHEEL_ADHESION, 0);
    t->sliding = setting(wheel, M2D__WHEEL_SLIDING, 0);
    t->adhesion_speed = number_of(t, wheel, M2D__WHEEL_ADHESION_SPEED);
    t->sliding_speed = number_of(t, wheel, M2D__WHEEL_SLIDING_SPEED);
    t->adhesion_slip = number_of(t, wheel, M2D__WHEEL_ADHESION_SLIP);
    t->sliding_slip = number_of(t, wheel, M2D__WHEEL_SLIDING_SLIP);
    t->slip_floor = number_of(t, wheel, M2D__WHEEL_SLIP_FLOOR);
    t->speed_floor = number_of(t, wheel, M2D__WHEEL_SPEED_FLOOR);
    t->damping = number_of(t, wheel, M2D__WHEEL_CONTACT_DAMPING);
    load = load > 0.0 ? load : number_of(t, wheel, M2D__WHEEL_LOAD);
    t->least_load = LEAST_SHARE * load;
    for (int k = 0; k < 2; k++) {
        ha_expr C = setting(wheel, M2D__WHEEL_STIFFNESS, k);
        t->stiffness[k] = C == HA_EXPR_NONE ? 0.0 : m2d__number(t->dag, C);
        t->contact[k] = number_of(t, wheel, M2D__WHEEL_CONTACT_STIFFNESS);
        t->contact[k] = sigma > 0.0 ? slope(t, k, load) / sigma : t->contact[k];
    }
    t->law[0] = setting(wheel, M2D__WHEEL_F_LONG, 0);
    t->law[1] = setting(wheel, M2D__WHEEL_F_LAT, 0);
}

static const char *friction_fault(const m2d__tyre *t, bool is_elastic)
{
    if (t->adhesion == HA_EXPR_NONE || t->sliding == HA_EXPR_NONE) {
        return "its model needs `adhesion` and `sliding`, the coefficients of friction before and "
               "after the peak";
    }
    if (is_elastic &&
        (!(m2d__number(t->dag, t->adhesion) > 0.0) || !(m2d__number(t->dag, t->sliding) > 0.0))) {
        return "a tyre with a spring needs `adhesion` and `sliding` above 0: a contact without "
               "friction slides at once, and nothing says how fast";
    }
    if (t->model == M2D__WHEEL_SLIP) {
        if (!(t->sliding_slip > t->adhesion_slip) || !(t->adhesion_slip > 0.0)) {
            return "the model slip needs `adhesion_slip` above 0 and `sliding_slip` above that";
        }
    }
    return t->sliding_speed > t->adhesion_speed && t->adhesion_speed > 0.0
               ? NULL
               : "its model needs `adhesion_speed` above 0 and `sliding_speed` above that, also "
                 "for a wheel that does not turn";
}

const char *m2d__tyre_fault(const m2d__tyre *t, const m2d__connection *wheel)
{
    bool relaxes = setting(wheel, M2D__WHEEL_RELAXATION, 0) != HA_EXPR_NONE;
    bool is_elastic = relaxes || setting(wheel, M2D__WHEEL_CONTACT_STIFFNESS, 0) != HA_EXPR_NONE;
    bool needs_load = t->model == M2D__WHEEL_DRY || t->model == M2D__WHEEL_SLIP;

    if (t->model == M2D__WHEEL_IDEAL) {
        return NULL;
    }
    if (needs_load && setting(wheel, M2D__WHEEL_LOAD, 0) == HA_EXPR_NONE) {
        return "its model needs the `load` that presses it on the ground";
    }
    if (t->model == M2D__WHEEL_LAW) {
        return is_elastic ? "a law of your own has no spring; leave `relaxation_length` and "
                            "`contact_stiffness` out, or take another model"
               : t->law[0] == HA_EXPR_NONE || t->law[1] == HA_EXPR_NONE
                   ? "the model law needs `f_long` and `f_lat`"
                   : NULL;
    }
    if (t->model == M2D__WHEEL_LINEAR) {
        return !(t->stiffness[0] > 0.0) || !(t->stiffness[1] > 0.0)
                   ? "the model linear needs `slip_stiffness`, two numbers above 0: of the slip "
                     "along and across"
               : !is_elastic && !(t->speed_floor > 0.0)
                   ? "the model linear divides by the speed: give `speed_floor` above 0, or a tyre "
                     "that needs none: `relaxation_length`"
                   : NULL;
    }
    if (relaxes && t->model == M2D__WHEEL_DRY) {
        return "the model dry has no slip stiffness of which a relaxation length could be one; "
               "give `contact_stiffness`";
    }
    if (is_elastic && isnan(t->least_load)) {
        return "a spring needs a number for the load: give `nominal_load` beside a `load` that "
               "varies";
    }
    return friction_fault(t, is_elastic);
}

/* --- laws that push --------------------------------------------------------------------------- */

typedef struct {
    const ha_expr *symbols;
    double values[M2D__N_SLIPS];
} sample;

static double sample_value(void *user, ha_expr symbol)
{
    const sample *s = user;

    for (int k = 0; k < M2D__N_SLIPS; k++) {
        if (s->symbols[k] == symbol) {
            return s->values[k];
        }
    }
    return (double) NAN;
}

/* The power that the law takes at a sample, NAN where it has none, and the size of its terms. */
static double power_at(const m2d__tyre *t, const ha_expr law[2], sample *s, double *size)
{
    double sum = 0.0;

    *size = 0.0;
    for (int k = 0; k < 2; k++) {
        double term = ha_expr_value(t->dag, law[k], sample_value, s) * s->values[k];
        sum += term;
        *size += fabs(term);
    }
    return sum;
}

bool m2d__tyre_pushes(m2d_mechanism *mechanism, const m2d__tyre *t, m2d__push *push)
{
    static const double slips[] = { -5.0, -0.5, -0.02, 0.0, 0.02, 0.5, 5.0 };
    static const double speeds[] = { -20.0, -0.3, 0.3, 20.0 }, loads[] = { 100.0, 4000.0 };
    enum { N = HA_COUNT(slips), N_SPEEDS = HA_COUNT(speeds) };
    ha_expr law[2];
    sample s = { .symbols = mechanism->slips };

    for (int k = 0; k < 2; k++) {
        if (ha_resolve(t->dag, t->law[k], &law[k]) != HA_OK) {
            return false;
        }
    }
    for (size_t i = 0; i < (size_t) N * N * N_SPEEDS * HA_COUNT(loads); i++) {
        double along = speeds[i / (N * N) % N_SPEEDS], long_slip = slips[i % N], size = 0.0;
        double values[M2D__N_SLIPS] = { long_slip, slips[i / N % N], loads[i / (N * N * N_SPEEDS)],
                                        along, along - long_slip };
        for (int k = 0; k < M2D__N_SLIPS; k++) {
            s.values[k] = values[k];
        }
        double power = power_at(t, law, &s, &size);
        if (power < -1e-12 * size) {
            *push = (m2d__push){ { values[0], values[1] }, values[3], values[4], values[2], power };
            return true;
        }
    }
    return false;
}
