/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Couplings of two planes of motion along their common line (Marquis-Favre et al. 2006, part II,
 * eqs 28-37). The second body moves in the other plane: its x and y are that plane's, and it takes
 * its own gravity. With e and n, the directions of the common line and across it in each plane,
 * which are x_0 and y_0 where no `angle` is given, M and N are at
 *
 *   OM . e_i along and OM . n_i across the line,  ON . e_j and ON . n_j.
 *
 * First kind: two hinges whose axes meet on the line.
 *
 *   x:        ON . e_j - OM . e_i = 0
 *   y:        OM . n_i = 0
 *   y_other:  ON . n_j = 0
 *
 * Second kind: a slider along x_il is between the first body and the hinges, which the first plane
 * sees at P = (ON . e_j) e_i.
 *
 *   y:        (P - OM) . y_il = 0
 *   y_other:  ON . n_j = 0
 *
 * The planes need not be perpendicular: they hold what is across them, and the rows are the same.
 * Free directions: slide, in the first kind ON . e_j, in the second (P - OM) . x_il; and the angles
 * by which both axes are turned from the line, which the piece between the hinges keeps.
 */
#include <config.h>

#include "mech2d/mechanism/joint.h"

enum { ANGLE };

static const m2d__key keys[] = {
    [ANGLE] = { .name = "angle",
                .n_values = 2,
                .quantities = { HA__QUANTITY_ANGLE, HA__QUANTITY_ANGLE },
                .is_constant = true },
};

/* The angle of the common line in the first plane (0) or the second (1). */
static ha_expr angle_of(const m2d__frame *f, int plane)
{
    return f->settings[ANGLE * M2D__MAX_COMPONENTS + plane];
}

/* e of a plane. */
static m2d__vector line_of(const m2d__frame *f, int plane)
{
    ha_expr angle = angle_of(f, plane);

    return (m2d__vector){ ha_apply(f->dag, HA_OP_COS, angle, HA_EXPR_NONE, HA_EXPR_NONE),
                          ha_apply(f->dag, HA_OP_SIN, angle, HA_EXPR_NONE, HA_EXPR_NONE) };
}

/* How far a point is along the line of its plane, and across it. */
static ha_expr along(const m2d__frame *f, int plane, m2d__vector at)
{
    return m2d__dot(f->dag, at, line_of(f, plane));
}

static ha_expr across(const m2d__frame *f, int plane, m2d__vector at)
{
    m2d__vector e = line_of(f, plane);

    return m2d__dot(f->dag, at, (m2d__vector){ ha_neg(f->dag, e.y), e.x });
}

static void hinged_rows(const m2d__frame *f, m2d__row *row)
{
    ha_expr x = ha_sub(f->dag, along(f, 1, f->ON), along(f, 0, f->OM));

    row[0] = (m2d__row){ .label = "x", .phi = x };
    row[1] = (m2d__row){ .label = "y", .phi = across(f, 0, f->OM) };
    row[2] = (m2d__row){ .label = "y_other", .phi = across(f, 1, f->ON) };
}

/* P - OM */
static m2d__vector to_hinges(const m2d__frame *f)
{
    m2d__vector e = line_of(f, 0);
    ha_expr way = along(f, 1, f->ON);

    return m2d__from_to(f->dag, f->OM,
                        (m2d__vector){ ha_mul(f->dag, way, e.x), ha_mul(f->dag, way, e.y) });
}

static void sliding_rows(const m2d__frame *f, m2d__row *row)
{
    row[0] = (m2d__row){ .label = "y", .phi = m2d__dot(f->dag, to_hinges(f), f->y_il) };
    row[1] = (m2d__row){ .label = "y_other", .phi = across(f, 1, f->ON) };
}

static void add_angles(const m2d__frame *f, ha_expr *coordinate)
{
    coordinate[1] = ha_sub(f->dag, f->theta_i, angle_of(f, 0));
    coordinate[2] = ha_sub(f->dag, f->theta_j, angle_of(f, 1));
}

static void hinged_coordinates(const m2d__frame *f, ha_expr *coordinate)
{
    coordinate[0] = along(f, 1, f->ON);
    add_angles(f, coordinate);
}

static void sliding_coordinates(const m2d__frame *f, ha_expr *coordinate)
{
    coordinate[0] = m2d__dot(f->dag, to_hinges(f), f->x_il);
    add_angles(f, coordinate);
}

#define ANGLES                                                                                     \
    { "angle", "omega", true, "theta_i, from the common line" },                                   \
    {                                                                                              \
        "angle_other", "omega_other", true, "theta_j, from the common line"                        \
    }

static const m2d__direction hinged_directions[] = {
    { "slide", "speed", false, "ON along the common line" }, ANGLES
};
static const m2d__direction sliding_directions[] = {
    { "slide", "speed", false, "((x_N, 0) - OM) . x_i" }, ANGLES
};

static const char *const hinged_formulas[] = { "MN . x_0 = 0", "OM . y_0 = 0", "ON . y_0' = 0" };
static const char *const sliding_formulas[] = { "((x_N, 0) - OM) . y_i = 0", "ON . y_0' = 0" };

const m2d__joint_type m2d__joint_perpendicular = {
    .name = "perpendicular",
    .title = "Couples two planes along their common line, the x axis of both unless `angle` says "
             "otherwise: two hinges that meet there. The second body's y is that of its own plane.",
    .source = "Marquis-Favre et al. 2006, part II, eqs 28-32",
    .formulas = hinged_formulas,
    .keys = keys,
    .n_keys = HA_COUNT(keys),
    .n_rows = 3,
    .rows = hinged_rows,
    .directions = hinged_directions,
    .n_directions = HA_COUNT(hinged_directions),
    .coordinates = hinged_coordinates,
};

const m2d__joint_type m2d__joint_perpendicular_translational = {
    .name = "perpendicular-translational",
    .title = "The same with a slider between the first body and the hinges, along x_i.",
    .source = "Marquis-Favre et al. 2006, part II, eqs 33-37",
    .formulas = sliding_formulas,
    .keys = keys,
    .n_keys = HA_COUNT(keys),
    .n_rows = 2,
    .rows = sliding_rows,
    .directions = sliding_directions,
    .n_directions = HA_COUNT(sliding_directions),
    .coordinates = sliding_coordinates,
};
