/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The forces of joints in the picture of a mechanism: an arrow at the point of the second body, as
 * the outputs .fx and .fy have it. Its length goes with the force; nine tenths of all forces of a
 * run are shorter than UNIT, since at a singular position one may be without bound. As in
 * mechanism.js.
 */
#include <config.h>

#include "tools/shared/scene_svg.h"

#include "lib/core/mem.h"
#include "lib/core/number.h"

#include <math.h>
#include <stdlib.h>

static const double USUAL = 0.9;     /* share of the forces that are no longer than UNIT */
static const double UNIT = 110.0;    /* units of the picture */
static const double LONGEST = 220.0; /* of an arrow, */
static const double SHORTEST = 4.0;  /* and what is left out; in the same */
static const double TIP = 18.0, TIP_WIDTH = 8.0;

static ha_status find_columns(scene *s, int joint)
{
    ha__strbuf name = HA_STRBUF(s->ctx);
    ha_status status = HA_OK;

    for (int k = 0; k < 2 && status == HA_OK; k++) {
        ha__strbuf_clear(&name);
        ha__strbuf_addf(&name, "%s.f%c", m2d_joint_name(s->mechanism, joint), "xy"[k]);
        s->force[joint][k] = ha_result_find(s->result, ha__strbuf_text(&name));
        status = name.status;
    }
    ha__strbuf_clear(&name);
    return status;
}

/* The force of a joint in a row; false: there is none. */
static bool force_of(const scene *s, int joint, size_t row, double force[2])
{
    for (int k = 0; k < 2; k++) {
        int column = s->force[joint][k];
        force[k] = column < 0 ? (double) NAN : ha_result_value(s->result, row, (size_t) column);
    }
    return isfinite(force[0]) && isfinite(force[1]);
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

ha_status scene_show_forces(scene *s)
{
    const int n = m2d_mechanism_n_joints(s->mechanism);
    const size_t n_rows = ha_result_n_rows(s->result);
    double *sizes = NULL, force[2];
    size_t count = 0;

    HA_TRY_ALLOC(s->ctx, s->force, n);
    for (int i = 0; i < n; i++) {
        HA_TRY(find_columns(s, i));
    }
    HA_TRY_ALLOC(s->ctx, sizes, (size_t) n * n_rows);
    for (int i = 0; i < n; i++) {
        for (size_t row = 0; row < n_rows; row++) {
            if (force_of(s, i, row, force)) {
                sizes[count++] = hypot(force[0], force[1]);
            }
        }
    }
    if (count > 0) {
        qsort(sizes, count, sizeof *sizes, ascending);
        s->usual_force = sizes[(size_t) (USUAL * (double) (count - 1))];
    }
    ha__free(sizes);
    return HA_OK;
}

/* A point of an arrow from (x, y) along the unit vector u. */
static void add_point(ha__strbuf *out, const char *command, const double at[2], const double u[2],
                      double along, double side)
{
    ha__strbuf_add(out, command);
    for (int k = 0; k < 2; k++) {
        double across = k == 0 ? -u[1] : u[0], x = at[k] + u[k] * along + across * side;
        ha__strbuf_add(out, k == 0 ? "" : " ");
        ha__strbuf_add_short_number(out, ha__plain_zero(round(x * 100.0) / 100.0));
    }
}

static void add_arrow(ha__strbuf *out, const double at[2], const double u[2], double length)
{
    const double tip = fmin(TIP, length);

    ha__strbuf_add(out, "<path class=\"force\" d=\"");
    add_point(out, "M", at, u, 0.0, 0.0);
    add_point(out, "L", at, u, length - tip, 0.0);
    ha__strbuf_add(out, "\"/><path class=\"force tip\" d=\"");
    add_point(out, "M", at, u, length, 0.0);
    add_point(out, "L", at, u, length - tip, TIP_WIDTH);
    add_point(out, "L", at, u, length - tip, -TIP_WIDTH);
    ha__strbuf_add(out, "Z\"/>\n");
}

void scene_draw_forces(const scene *s, const scene_view *view, size_t row, ha__strbuf *out)
{
    double force[2], place[3];

    for (int i = 0; s->usual_force > 0.0 && i < m2d_mechanism_n_joints(s->mechanism); i++) {
        if (!force_of(s, i, row, force)) {
            continue;
        }
        double size = hypot(force[0], force[1]);
        double length = fmin(LONGEST, UNIT * size / s->usual_force);
        scene_place(s, row, m2d_joint_end(s->mechanism, i, 1), place);
        if (length >= SHORTEST) {
            const double at[2] = { place[0] * view->scale, place[1] * view->scale };
            const double u[2] = { force[0] / size, force[1] / size };
            add_arrow(out, at, u, length);
        }
    }
}
