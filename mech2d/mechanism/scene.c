/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a picture of a mechanism shows.
 *
 * The outline of a body is the convex hull of its points and its mass centre, by the chain of
 * Andrew (1979): the corners in order of x; the lower chain from left to right and the upper one
 * back keep a corner only while the chain turns left there, (b - a) x (c - b) > 0. What is off the
 * line by less than 1e-9 of the lengths counts as on it.
 */
#include <config.h>

#include "mech2d/scene.h"

#include "mech2d/mechanism/mechanism_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const symbol_names[M2D_SYMBOL_COUNT] = {
    [M2D_SYMBOL_POINTS] = "points",     [M2D_SYMBOL_PIN] = "pin",
    [M2D_SYMBOL_SLIDER] = "slider",     [M2D_SYMBOL_SLOT] = "slot",
    [M2D_SYMBOL_WELD] = "weld",         [M2D_SYMBOL_ROD] = "rod",
    [M2D_SYMBOL_CYLINDER] = "cylinder", [M2D_SYMBOL_WHEEL] = "wheel",
    [M2D_SYMBOL_WHEELS] = "wheels",     [M2D_SYMBOL_TYRE] = "tyre",
    [M2D_SYMBOL_SPRING] = "spring",
};

const char *m2d_symbol_name(m2d_symbol symbol)
{
    return symbol_names[symbol];
}

m2d_symbol m2d_joint_symbol(const m2d_mechanism *mechanism, int i)
{
    return mechanism->joints.items[i].joint->symbol;
}

m2d_symbol m2d_force_symbol(const m2d_mechanism *mechanism, int i)
{
    const m2d__connection *force = &mechanism->forces.items[i];

    return force->target == M2D__BETWEEN_POINTS ? force->force->symbol : M2D_SYMBOL_POINTS;
}

/* The setting of this name of a joint, in numbers. */
static double setting_of(const m2d_mechanism *mechanism, const m2d__connection *joint,
                         const char *name)
{
    for (int k = 0; k < joint->joint->n_keys; k++) {
        if (strcmp(joint->joint->keys[k].name, name) == 0) {
            return m2d__number(mechanism->dag, joint->settings[k * M2D__MAX_COMPONENTS]);
        }
    }
    return 0.0;
}

void m2d_joint_radii(m2d_mechanism *mechanism, int i, double *radii)
{
    const m2d__connection *joint = &mechanism->joints.items[i];

    radii[0] = radii[1] = 0.0;
    if (joint->joint->symbol == M2D_SYMBOL_WHEELS) {
        radii[0] = m2d__number(mechanism->dag, joint->settings[0]);
        radii[1] = m2d__number(mechanism->dag, joint->settings[1]);
    } else if (joint->joint->symbol == M2D_SYMBOL_WHEEL) {
        radii[1] = m2d__number(mechanism->dag, joint->settings[0]);
    } else if (joint->joint->symbol == M2D_SYMBOL_TYRE) {
        radii[1] = setting_of(mechanism, joint, "radius");
    }
}

/* --- outlines --------------------------------------------------------------------------------- */

static int compare_corners(const void *a, const void *b)
{
    const double *p = a, *q = b;

    if (p[0] != q[0]) {
        return p[0] < q[0] ? -1 : 1;
    }
    return p[1] < q[1] ? -1 : p[1] > q[1];
}

/* Whether the way from a over b to c turns left. */
static bool turns_left(const double a[2], const double b[2], const double c[2])
{
    double u[2] = { b[0] - a[0], b[1] - a[1] }, v[2] = { c[0] - b[0], c[1] - b[1] };

    return u[0] * v[1] - u[1] * v[0] > 1e-9 * hypot(u[0], u[1]) * hypot(v[0], v[1]);
}

/* Adds a corner to the chain hull[from] ... hull[n - 1]; the new n. */
static int extend(double (*hull)[2], int from, int n, const double corner[2])
{
    while (n - from >= 2 && !turns_left(hull[n - 2], hull[n - 1], corner)) {
        n--;
    }
    hull[n][0] = corner[0];
    hull[n][1] = corner[1];
    return n + 1;
}

/* The mass centre and the points of a body in order of x, each once; their number. */
static int list_corners(m2d_mechanism *mechanism, int body, double (*corners)[2])
{
    int n = 0, kept = 1;

    corners[n][0] = corners[n][1] = 0.0;
    n++;
    for (int i = 0; i < (int) mechanism->points.count; i++) {
        const m2d__point *point = &mechanism->points.items[i];
        if (point->body == body) {
            corners[n][0] = m2d__number(mechanism->dag, point->x);
            corners[n][1] = m2d__number(mechanism->dag, point->y);
            n++;
        }
    }
    qsort(corners, (size_t) n, sizeof *corners, compare_corners);
    for (int i = 1; i < n; i++) {
        if (compare_corners(corners[i], corners[kept - 1]) != 0) {
            corners[kept][0] = corners[i][0];
            corners[kept][1] = corners[i][1];
            kept++;
        }
    }
    return kept;
}

ha_status m2d_body_outline(m2d_mechanism *mechanism, int i, double (*corners)[2], int *n)
{
    double(*hull)[2] = NULL;
    int n_corners = list_corners(mechanism, i, corners), n_hull = 0, upper = 0;

    *n = n_corners;
    if (n_corners < 3) {
        return HA_OK;
    }
    HA_TRY_ALLOC(mechanism->ctx, hull, 2 * n_corners);
    for (int k = 0; k < n_corners; k++) {
        n_hull = extend(hull, 0, n_hull, corners[k]);
    }
    upper = n_hull - 1;
    for (int k = n_corners - 2; k >= 0; k--) {
        n_hull = extend(hull, upper, n_hull, corners[k]);
    }
    *n = n_hull - 1; /* the last corner is the first again */
    memcpy(corners, hull, (size_t) *n * sizeof *corners);
    ha__free(hull);
    return HA_OK;
}
