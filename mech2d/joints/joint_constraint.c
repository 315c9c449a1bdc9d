/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A joint of the user's own: up to three constraints, each a scalar function of the poses of M and
 * N (Marquis-Favre et al. 2006, part I, eq 13), and the free directions that are to have a name.
 * The functions are kept over the symbols of the mechanism; here those are replaced by the poses.
 */
#include <config.h>

#include "mech2d/mechanism/joint.h"

static ha_expr placed(const m2d__frame *f, const m2d__own_row *row)
{
    const ha_expr poses[6] = { f->OM.x, f->OM.y, f->theta_i, f->ON.x, f->ON.y, f->theta_j };

    return ha_expr_replace(f->dag, row->value, f->own->ends, poses, HA_COUNT(poses));
}

static void rows(const m2d__frame *f, m2d__row *row)
{
    for (int k = 0; k < f->own->n_rows; k++) {
        const m2d__own_row *own = &f->own->rows[k];
        row[k] = (m2d__row){ .label = own->name,
                             .is_angle = own->is_angle,
                             .phi = placed(f, own),
                             .is_rate = own->is_rate };
    }
}

static void coordinates(const m2d__frame *f, ha_expr *coordinate)
{
    for (int k = 0; k < f->own->n_free; k++) {
        coordinate[k] = placed(f, &f->own->free[k]);
    }
}

const m2d__joint_type m2d__joint_constraint = {
    .name = "constraint",
    .title = "A joint of your own: up to three constraints that the model gives as `rows`, or of "
             "velocities as `rates`, and the free directions that it names as `free`.",
    .source = "Marquis-Favre et al. 2006, part I, eq 13",
    .is_written = true,
    .rows = rows,
    .coordinates = coordinates,
};
