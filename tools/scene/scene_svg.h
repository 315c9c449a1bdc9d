/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The picture of a mechanism at one time of a run, as SVG: of a page and of the frames of a film.
 */
#ifndef TOOLS_SCENE_SVG_H
#define TOOLS_SCENE_SVG_H

#include "lib/core/strbuf.h"
#include "lib/result.h"
#include "mech2d/scene.h"

/* A mechanism and how it moves. */
typedef struct scene {
    ha_ctx *ctx;
    m2d_mechanism *mechanism;
    const ha_result *result;
    int (*columns)[3];    /* (bodies) of the result: x, y, angle */
    double (*corners)[2]; /* (points + 1) room for an outline */
    int *order;           /* (bodies) from the lowest layer to the highest */
    int *steer;           /* (joints) of the result: what a tyre is turned by; -1: none */
    int (*force)[2];      /* (joints) of the result: fx, fy; -1: none. NULL: no forces are shown */
    double usual_force;   /* [N], of arrows; 0: none are shown */
} scene;

/* The part of the plane that is drawn. */
typedef struct scene_view {
    double x[2], y[2]; /* to the right and up [m]; new while x[0] > x[1] */
    double scale;      /* units of the picture for a metre */
    double reach;      /* sum of the distances of points from their mass centres [m] */
    int n_reaches;
    double symbol; /* size of symbols, 1 but where many bodies are small beside all of it */
} scene_view;

/* A view of nothing yet. */
scene_view scene_view_new(void);

enum { SCENE_SIZE = 1000 }; /* units of the picture along its longer side */

/* Prepares the picture; the mechanism and the result, which has the poses of all bodies, are
   borrowed. To be freed with scene_clear(), also on failure. */
HA_MUST_CHECK ha_status scene_open(ha_ctx *ctx, m2d_mechanism *mechanism, const ha_result *result,
                                   scene *out);

/* Frees what it holds. */
void scene_clear(scene *s);

/* scene_force.c: has the forces of the joints drawn as arrows, where the result has them. */
HA_MUST_CHECK ha_status scene_show_forces(scene *s);

/* scene_force.c: adds these arrows as they are in a row. */
void scene_draw_forces(const scene *s, const scene_view *view, size_t row, ha__strbuf *out);

/* scene_force.c: makes a view that was fitted contain these arrows, too, at the same scale. */
void scene_fit_forces(const scene *s, scene_view *view, size_t row);

/* scene_force.c: adds a strip at the bottom of a view that was fitted, for the sample. */
void scene_fit_sample(const scene *s, scene_view *view);

/* scene_force.c: adds the sample, an arrow with the force that it stands for, to an SVG of this
   view, outside of scene_draw(). */
void scene_draw_sample(const scene *s, const scene_view *view, ha__strbuf *out);

/* Makes the view contain all that the mechanism comes to. */
void scene_extend(const scene *s, scene_view *view);

/* Adds a margin to a view and gives it its scale and the size of its symbols. */
void scene_fit(scene_view *view);

/* The pose x, y, angle of a body in a row; of the ground (-1) the origin. */
void scene_body_pose(const scene *s, size_t row, int body, double *pose);

/* The pose x, y, angle of a point and its axis in a row, in the inertial frame. */
void scene_point_pose(const scene *s, size_t row, int point, double *pose);

/* The start tag of an SVG of this view, with a title; text may be NULL. */
void scene_begin(const scene_view *view, const char *title, ha__strbuf *out);

/*
 * Adds the mechanism as it is in a row. What moves with a body is in groups with the class
 * `body-K`, whose `transform` is all that changes from row to row; what joins two points is a path
 * with the class `between-P-Q`, of which `d` changes (scene_line()). What belongs to joint J is in
 * groups with the class `joint-J`, to force F with `load-F`.
 */
HA_MUST_CHECK ha_status scene_draw(const scene *s, const scene_view *view, size_t row,
                                   ha__strbuf *out);

#endif
