/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The forces of joints in the picture of a mechanism: an arrow at the point of the second body, as
 * the outputs .fx and .fy have it. Its length goes with the force; nine tenths of all forces of a
 * run are shorter than UNIT, since at a singular position one may be without bound. As in
 * mechanism.js. A sample in a strip of its own at the bottom tells the size: the largest force of
 * 1, 2 or 5 times a power of ten that is no longer than UNIT.
 */
#include <config.h>

#include "tools/scene/scene_svg.h"

#include "lib/core/mem.h"
#include "lib/core/number.h"

#include <math.h>
#include <stdlib.h>

static const double USUAL = 0.9;     /* share of the forces that are no longer than UNIT */
static const double NOTHING = 1e-12; /* [N] round-off of a mechanism at rest without loads */
static const double UNIT = 110.0;    /* units of the picture */
static const double LONGEST = 220.0; /* of an arrow, */
static const double SHORTEST = 4.0;  /* and what is left out; in the same */
static const double TIP = 18.0, TIP_WIDTH = 8.0;
static const double STRIP = 50.0; /* height of the strip of the sample, */
static const double EDGE = 20.0;  /* and what is free beside arrows; in the same */

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
    return ha__strbuf_drop(&name, status);
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
            if (force_of(s, i, row, force) && hypot(force[0], force[1]) > NOTHING) {
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

/* The arrow of a joint in a row: its start and its length in units of the picture, and its
   direction. */
typedef struct {
    double at[2], u[2];
    double length;
} arrow;

/* false: there is none, or it is too short to be seen. */
static bool arrow_of(const scene *s, const scene_view *view, size_t row, int joint, arrow *out)
{
    double force[2], pose[3];

    if (!(s->usual_force > 0.0) || !force_of(s, joint, row, force)) {
        return false;
    }
    double size = hypot(force[0], force[1]);
    out->length = fmin(LONGEST, UNIT * size / s->usual_force);
    scene_point_pose(s, row, m2d_joint_end(s->mechanism, joint, 1), pose);
    for (int k = 0; k < 2; k++) {
        out->at[k] = pose[k] * view->scale;
        out->u[k] = force[k] / size;
    }
    return out->length >= SHORTEST;
}

void scene_fit_forces(const scene *s, scene_view *view, size_t row)
{
    arrow a;

    for (int i = 0; i < m2d_mechanism_n_joints(s->mechanism); i++) {
        if (arrow_of(s, view, row, i, &a)) {
            double x = (a.at[0] + a.u[0] * a.length) / view->scale, edge = EDGE / view->scale;
            double y = (a.at[1] + a.u[1] * a.length) / view->scale;
            view->x[0] = fmin(view->x[0], x - edge);
            view->x[1] = fmax(view->x[1], x + edge);
            view->y[0] = fmin(view->y[0], y - edge);
            view->y[1] = fmax(view->y[1], y + edge);
        }
    }
}

void scene_fit_sample(const scene *s, scene_view *view)
{
    view->y[0] -= s->usual_force > 0.0 ? STRIP / view->scale : 0.0;
}

/* A point of an arrow, so far along it and to its left. */
static void add_point(ha__strbuf *out, const char *command, const arrow *a, double along,
                      double side)
{
    ha__strbuf_add(out, command);
    for (int k = 0; k < 2; k++) {
        double across = k == 0 ? -a->u[1] : a->u[0];
        double x = a->at[k] + a->u[k] * along + across * side;
        ha__strbuf_add(out, k == 0 ? "" : " ");
        ha__strbuf_add_short_number(out, ha__plain_sign(round(x * 100.0) / 100.0));
    }
}

static void add_arrow(ha__strbuf *out, const arrow *a)
{
    const double tip = fmin(TIP, a->length);

    ha__strbuf_add(out, "<path class=\"force\" d=\"");
    add_point(out, "M", a, 0.0, 0.0);
    add_point(out, "L", a, a->length - tip, 0.0);
    ha__strbuf_add(out, "\"/><path class=\"force tip\" d=\"");
    add_point(out, "M", a, a->length, 0.0);
    add_point(out, "L", a, a->length - tip, TIP_WIDTH);
    add_point(out, "L", a, a->length - tip, -TIP_WIDTH);
    ha__strbuf_add(out, "Z\"/>\n");
}

void scene_draw_forces(const scene *s, const scene_view *view, size_t row, ha__strbuf *out)
{
    arrow a;

    for (int i = 0; i < m2d_mechanism_n_joints(s->mechanism); i++) {
        if (arrow_of(s, view, row, i, &a)) {
            add_arrow(out, &a);
        }
    }
}

void scene_draw_sample(const scene *s, const scene_view *view, ha__strbuf *out)
{
    if (!(s->usual_force > 0.0)) {
        return;
    }
    const double power = pow(10.0, floor(log10(s->usual_force))), share = s->usual_force / power;
    const double force = (share >= 5.0 ? 5.0 : share >= 2.0 ? 2.0 : 1.0) * power;
    const double bottom = ceil((view->y[1] - view->y[0]) * view->scale);
    const arrow a = { { EDGE, bottom - EDGE }, { 1.0, 0.0 }, UNIT * force / s->usual_force };
    char number[HA__NUMBER_SIZE];

    add_arrow(out, &a);
    ha__strbuf_addf(out, "<text class=\"sample\" x=\"%d\" y=\"%d\">%s N</text>\n",
                    (int) (2.0 * EDGE + a.length), (int) (bottom - 0.7 * EDGE),
                    ha__print_rounded_number(number, force, 3));
}
