/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of the plane that a picture of a mechanism shows: all that it comes to in its runs. */
#include <config.h>

#include "tools/scene/scene_svg.h"

#include <math.h>

enum {
    MARGIN = 60,    /* around all, in units of the picture */
    REACH = 32,     /* of points from mass centres, below which symbols are smaller, */
    FEW_POINTS = 40 /* but not for as few as these */
};

static void include(scene_view *view, double x, double y, double radius)
{
    bool is_new = view->x[0] > view->x[1];

    if (!isfinite(x) || !isfinite(y)) {
        return;
    }
    view->x[0] = is_new ? x - radius : fmin(view->x[0], x - radius);
    view->x[1] = is_new ? x + radius : fmax(view->x[1], x + radius);
    view->y[0] = is_new ? y - radius : fmin(view->y[0], y - radius);
    view->y[1] = is_new ? y + radius : fmax(view->y[1], y + radius);
}

scene_view scene_view_new(void)
{
    return (scene_view){ .x = { 1.0, 0.0 }, .y = { 1.0, 0.0 } };
}

static void add_reaches(const scene *s, scene_view *view)
{
    double at[3];

    for (int i = 0; i < m2d_mechanism_n_points(s->mechanism); i++) {
        m2d_point_pose(s->mechanism, i, at);
        if (m2d_point_body(s->mechanism, i) >= 0 && hypot(at[0], at[1]) > 0.0) {
            view->reach += hypot(at[0], at[1]);
            view->n_reaches++;
        }
    }
}

/* The corners of a body's plates, with what is about them. */
static void include_plates(const scene *s, size_t row, int body, scene_view *view)
{
    double pose[3], at[2];

    scene_body_pose(s, row, body, pose);
    double c = cos(pose[2]), sn = sin(pose[2]);
    for (int k = 0; k < m2d_body_n_plates(s->mechanism, body); k++) {
        m2d_plate plate = m2d_body_plate(s->mechanism, body, k);
        for (int i = 0; i < plate.n_points; i++) {
            m2d_body_plate_point(s->mechanism, body, k, i, at);
            include(view, pose[0] + c * at[0] - sn * at[1], pose[1] + sn * at[0] + c * at[1],
                    plate.radius);
        }
    }
}

void scene_extend(const scene *s, scene_view *view)
{
    double pose[3], radii[2];

    add_reaches(s, view);

    for (size_t row = 0; row < ha_result_n_rows(s->result); row++) {
        for (int i = 0; i < m2d_mechanism_n_bodies(s->mechanism); i++) {
            scene_body_pose(s, row, i, pose);
            include(view, pose[0], pose[1], 0.0);
            include_plates(s, row, i, view);
        }
        for (int i = 0; i < m2d_mechanism_n_points(s->mechanism); i++) {
            scene_point_pose(s, row, i, pose);
            include(view, pose[0], pose[1], 0.0);
        }
        for (int i = 0; i < m2d_mechanism_n_joints(s->mechanism); i++) {
            m2d_joint_radii(s->mechanism, i, radii);
            for (int end = 0; end < 2; end++) {
                scene_point_pose(s, row, m2d_joint_end(s->mechanism, i, end), pose);
                include(view, pose[0], pose[1], radii[end]);
            }
        }
    }
}

void scene_fit(scene_view *view)
{
    double width = view->x[1] - view->x[0], height = view->y[1] - view->y[0];
    double longer = fmax(width, height), least = 0.0;

    if (!(longer > 0.0)) { /* one point, or nothing */
        include(view, view->x[0] > view->x[1] ? 0.0 : view->x[0],
                view->x[0] > view->x[1] ? 0.0 : view->y[0], 0.5);
        longer = 1.0;
    }
    view->scale = (SCENE_SIZE - 2 * MARGIN) / longer;
    view->symbol = view->n_reaches <= FEW_POINTS
                       ? 1.0
                       : fmax(0.2, fmin(1.0, view->reach / view->n_reaches * view->scale / REACH));
    least = 0.5 * longer; /* a mechanism on a line still has a picture */
    width = view->x[1] - view->x[0];
    height = view->y[1] - view->y[0];
    double dx = MARGIN / view->scale + fmax(0.0, (least - width) / 2.0);
    double dy = MARGIN / view->scale + fmax(0.0, (least - height) / 2.0);
    view->x[0] -= dx;
    view->x[1] += dx;
    view->y[0] -= dy;
    view->y[1] += dy;
}
