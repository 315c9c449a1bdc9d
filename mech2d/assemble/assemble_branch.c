/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The branch that an assembly is on, told by the turns at the hinges of loops:
 *
 *   P --bar i--> M = N --bar j--> Q,   turn = (theta_j + psi_j) - (theta_i + psi_i), wrapped
 *
 * with psi the direction of a bar in its body's axes. Two assemblies with the same signs of all
 * turns are on the same branch as long as no bars are in line.
 *
 * Hinges outside of loops are left out by taking away, again and again, joints at a body that has
 * no other one; what is between two loops stays.
 */
#include <config.h>

#include "mech2d/branch.h"

#include "mech2d/mechanism/mechanism_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The joints, without those that hang on one body alone. */
typedef struct {
    m2d_mechanism *mechanism;
    bool *is_in_loop; /* (joints) */
    int *degree;      /* (bodies + 1) joints left, of the ground first */
} loops;

static int body_at(const loops *l, int joint, int end)
{
    const m2d__connection *j = &l->mechanism->joints.items[joint];

    return l->mechanism->points.items[j->points[end]].body;
}

/* Takes a joint away if one of its bodies has no other one. */
static bool prune_one(loops *l, int joint)
{
    int *first = &l->degree[body_at(l, joint, 0) + 1],
        *second = &l->degree[body_at(l, joint, 1) + 1];

    if (!l->is_in_loop[joint] || (*first > 1 && *second > 1)) {
        return false;
    }
    l->is_in_loop[joint] = false;
    (*first)--;
    (*second)--;
    return true;
}

static void prune(loops *l)
{
    int n = (int) l->mechanism->joints.count;
    bool has_changed = true;

    for (int i = 0; i < n; i++) {
        l->is_in_loop[i] = true;
        l->degree[body_at(l, i, 0) + 1]++;
        l->degree[body_at(l, i, 1) + 1]++;
    }
    while (has_changed) { /* both ways, so that chains go in one pass */
        has_changed = false;
        for (int i = 0; i < n; i++) {
            has_changed |= prune_one(l, i);
        }
        for (int i = n - 1; i >= 0; i--) {
            has_changed |= prune_one(l, i);
        }
    }
}

/* The direction from point P to point Q of a body in its axes; false when they are one. */
static bool direction(m2d_mechanism *mechanism, int P, int Q, double *out)
{
    double p[3], q[3];

    m2d_point_pose(mechanism, P, p);
    m2d_point_pose(mechanism, Q, q);
    *out = atan2(q[1] - p[1], q[0] - p[0]);
    return hypot(q[0] - p[0], q[1] - p[1]) > 0.0;
}

/* Another joint's point on the body of an end of a joint, away from that end; -1: none. */
static int far_end(const loops *l, int joint, int end)
{
    int at = l->mechanism->joints.items[joint].points[end], body = body_at(l, joint, end);
    double angle = 0.0;

    for (int i = 0; i < (int) l->mechanism->joints.count; i++) {
        for (int k = 0; k < 2 && i != joint && l->is_in_loop[i]; k++) {
            int point = l->mechanism->joints.items[i].points[k];
            if (body_at(l, i, k) == body && direction(l->mechanism, point, at, &angle)) {
                return point;
            }
        }
    }
    return -1;
}

static double wrap(double angle)
{
    return remainder(angle, 2.0 * acos(-1.0));
}

/* The turn at a hinge; false when it has none. */
static bool turn_at(const loops *l, const m2d_assembly *assembly, int joint, m2d_turn *out)
{
    const m2d__connection *j = &l->mechanism->joints.items[joint];
    int bodies[2] = { body_at(l, joint, 0), body_at(l, joint, 1) };
    double psi[2] = { 0.0, 0.0 };

    if (j->joint != &m2d__joint_revolute || !l->is_in_loop[joint] || bodies[0] == M2D__GROUND ||
        bodies[1] == M2D__GROUND) {
        return false;
    }
    *out = (m2d_turn){ .joint = joint,
                       .points = { far_end(l, joint, 0), j->points[0], j->points[1],
                                   far_end(l, joint, 1) } };
    if (out->points[0] < 0 || out->points[3] < 0) {
        return false;
    }
    (void) direction(l->mechanism, out->points[0], out->points[1], &psi[0]);
    (void) direction(l->mechanism, out->points[2], out->points[3], &psi[1]);
    out->angle = wrap(m2d_assembly_value(assembly, bodies[1], M2D_ANGLE) + psi[1] -
                      m2d_assembly_value(assembly, bodies[0], M2D_ANGLE) - psi[0]);
    bool is_given = m2d_assembly_is_given(assembly, bodies[0], M2D_ANGLE) &&
                    m2d_assembly_is_given(assembly, bodies[1], M2D_ANGLE);
    out->given = is_given ? wrap(m2d_assembly_guess(assembly, bodies[1], M2D_ANGLE) + psi[1] -
                                 m2d_assembly_guess(assembly, bodies[0], M2D_ANGLE) - psi[0])
                          : (double) NAN;
    return true;
}

static ha_status find(loops *l, const m2d_assembly *assembly, m2d_turn **out, int *n)
{
    size_t n_joints = l->mechanism->joints.count;
    m2d_turn *turns = NULL;
    int found = 0;

    HA_TRY_ALLOC(l->mechanism->ctx, l->degree, l->mechanism->bodies.count + 1);
    HA_TRY_ALLOC_EACH(l->mechanism->ctx, n_joints, l->is_in_loop, turns);
    prune(l);
    for (int i = 0; i < (int) n_joints; i++) {
        found += turn_at(l, assembly, i, &turns[found]) ? 1 : 0;
    }
    *out = turns;
    *n = found;
    return HA_OK;
}

ha_status m2d_find_turns(m2d_mechanism *mechanism, const m2d_assembly *assembly, m2d_turn **out,
                         int *n)
{
    loops l = { .mechanism = mechanism };
    ha_status status = find(&l, assembly, out, n);

    HA_FREE(l.is_in_loop, l.degree);
    return status;
}

/* --- parts ---------------------------------------------------------------------------------- */

/* The root of a body in the trees of bodies that are joined; paths are halved on the way. */
static int root_of(int *parent, int i)
{
    for (; parent[i] != i; i = parent[i]) {
        parent[i] = parent[parent[i]];
    }
    return i;
}

/* Joins the bodies of two points; the ground, number 0, stays a root. */
static void join(const m2d_mechanism *mechanism, int *parent, const int points[2])
{
    if (points[0] >= 0 && points[1] >= 0) {
        int a = root_of(parent, mechanism->points.items[points[0]].body + 1);
        int b = root_of(parent, mechanism->points.items[points[1]].body + 1);
        parent[a > b ? a : b] = a > b ? b : a;
    }
}

ha_status m2d_find_parts(const m2d_mechanism *mechanism, int *part, int *n)
{
    int n_bodies = (int) mechanism->bodies.count;
    int *parent = NULL;

    HA_TRY_ALLOC(mechanism->ctx, parent, n_bodies + 1);
    for (int i = 0; i <= n_bodies; i++) {
        parent[i] = i;
    }
    for (size_t i = 0; i < mechanism->joints.count; i++) {
        join(mechanism, parent, mechanism->joints.items[i].points);
    }
    for (size_t i = 0; i < mechanism->forces.count; i++) {
        join(mechanism, parent, mechanism->forces.items[i].points);
    }
    *n = 0;
    for (int i = 0; i < n_bodies; i++) { /* a root comes before what hangs on it */
        int root = root_of(parent, i + 1);
        part[i] = root == 0 ? 0 : root == i + 1 ? ++*n : part[root - 1];
    }
    ha__free(parent);
    return HA_OK;
}
