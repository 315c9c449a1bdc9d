/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gear pairs: wheels of pitch radii r_i and r_j with their centres in M and N, which other joints
 * keep at their distance, on the ground or on an arm that turns.
 *
 * At the pitch point both wheels have one velocity. With psi the direction of MN,
 *   external:  r_i theta_i' + r_j theta_j' = (r_i + r_j) psi'
 *   internal:  r_i theta_i' - r_j theta_j' = (r_i - r_j) psi'   (either may be the ring)
 * which is the external pair with r_j negative. At position level
 *   slip:  R w(a - a(start)) = 0,  a = (r_i theta_i + r_j theta_j) / R - psi,  R = r_i + r_j,
 * with w the angle brought between -pi and pi, because psi is known up to whole turns only. The
 * multiplier is the force at the pitch circle, for |MN| = |R|, which the start must have. The teeth
 * mesh as the other joints and the start values place them. Free direction: angle = theta_j -
 * theta_i.
 */
#include <config.h>

#include "mech2d/mechanism/joint.h"

enum { RADII };

static const m2d__key keys[] = {
    [RADII] = { .name = "radii",
                .n_values = 2,
                .quantities = { HA__QUANTITY_LENGTH, HA__QUANTITY_LENGTH },
                .is_required = true,
                .is_constant = true,
                .is_positive = true,
                .excludes_zero = true },
};

/* The radii of a pair, the second with its sign, and their sum. */
typedef struct {
    ha_expr r_i, r_j, R;
} pair;

static pair pair_of(const m2d__frame *f, bool is_internal)
{
    const ha_expr *radii = &f->settings[RADII * M2D__MAX_COMPONENTS];
    pair p = { radii[0], is_internal ? ha_neg(f->dag, radii[1]) : radii[1], HA_EXPR_NONE };

    p.R = ha_add(f->dag, p.r_i, p.r_j);
    return p;
}

/* a */
static ha_expr turned(const m2d__frame *f, bool is_internal)
{
    pair p = pair_of(f, is_internal);
    m2d__vector MN = m2d__from_to(f->dag, f->OM, f->ON);
    ha_expr arc =
        ha_add(f->dag, ha_mul(f->dag, p.r_i, f->theta_i), ha_mul(f->dag, p.r_j, f->theta_j));
    ha_expr psi = ha_apply(f->dag, HA_OP_ATAN2, MN.y, MN.x, HA_EXPR_NONE);

    return ha_sub(f->dag, ha_div(f->dag, arc, p.R), psi);
}

/* w(a), without a jump where a turns by whole turns */
static ha_expr wrapped(ha_dag *dag, ha_expr a)
{
    ha_expr sine = ha_apply(dag, HA_OP_SIN, a, HA_EXPR_NONE, HA_EXPR_NONE);
    ha_expr cosine = ha_apply(dag, HA_OP_COS, a, HA_EXPR_NONE, HA_EXPR_NONE);

    return ha_apply(dag, HA_OP_ATAN2, sine, cosine, HA_EXPR_NONE);
}

static void make_row(const m2d__frame *f, bool is_internal, m2d__row *row)
{
    ha_expr a = ha_sub(f->dag, turned(f, is_internal), f->origin);
    ha_expr slip = ha_mul(f->dag, pair_of(f, is_internal).R, wrapped(f->dag, a));

    *row = (m2d__row){ .label = "slip", .phi = slip };
}

static ha_expr external_origin(const m2d__frame *f)
{
    return turned(f, false);
}

static void external_rows(const m2d__frame *f, m2d__row *row)
{
    make_row(f, false, row);
}

static ha_expr internal_origin(const m2d__frame *f)
{
    return turned(f, true);
}

static void internal_rows(const m2d__frame *f, m2d__row *row)
{
    make_row(f, true, row);
}

static ha_expr external_fit(const m2d__frame *f, ha_expr *asked)
{
    *asked = pair_of(f, false).R;
    return m2d__length(f->dag, m2d__from_to(f->dag, f->OM, f->ON));
}

static ha_expr internal_fit(const m2d__frame *f, ha_expr *asked)
{
    *asked = pair_of(f, true).R;
    return m2d__length(f->dag, m2d__from_to(f->dag, f->OM, f->ON));
}

static const char *internal_fault(const double *settings)
{
    const double *radii = &settings[RADII * M2D__MAX_COMPONENTS];

    return radii[0] == radii[1] ? "both radii are equal; the ring must be larger than its pinion"
                                : NULL;
}

static void coordinates(const m2d__frame *f, ha_expr *coordinate)
{
    coordinate[0] = ha_sub(f->dag, f->theta_j, f->theta_i);
}

static const m2d__direction directions[] = { { "angle", "omega", true, "theta_j - theta_i" } };

static const char *const external_formulas[] = {
    "r_i theta_i + r_j theta_j - (r_i + r_j) psi stays as at the start, psi the direction of MN"
};
static const char *const internal_formulas[] = {
    "r_i theta_i - r_j theta_j - (r_i - r_j) psi stays as at the start, psi the direction of MN"
};

#define GEAR(NAME, TITLE, FORMULAS, ROWS, ORIGIN, FIT, FAULT)                                      \
    {                                                                                              \
        .name = NAME, .title = TITLE, .formulas = FORMULAS, .keys = keys,                          \
        .n_keys = HA_COUNT(keys), .n_rows = 1, .rows = ROWS, .origin = ORIGIN, .fault = FAULT,     \
        .keeps_apart = true, .fit_name = "the distance of the centres", .fit = FIT,                \
        .symbol = M2D_SYMBOL_WHEELS, .directions = directions,                                     \
        .n_directions = HA_COUNT(directions), .coordinates = coordinates                           \
    }

const m2d__joint_type m2d__joint_gear =
    GEAR("gear",
         "Two wheels with their centres in M and N mesh. Bearings or an arm that turns hold the "
         "distance.",
         external_formulas, external_rows, external_origin, external_fit, NULL);
const m2d__joint_type m2d__joint_internal_gear =
    GEAR("internal-gear", "A wheel in a ring with inner teeth, either of them the first body.",
         internal_formulas, internal_rows, internal_origin, internal_fit, internal_fault);
