/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two bodies with a joint of any type between them, moving under gravity, for tests of all types.
 */
#ifndef TESTS_UNIT_MECH2D_TWO_BODIES_H
#define TESTS_UNIT_MECH2D_TWO_BODIES_H

#include "mech2d/mechanism/joint.h"
#include "tests/unit/mech2d/run.h"

#include <stdio.h>

enum { TWO_BODIES_ROOM = 2048 };

static const double two_bodies_mass = 1.3, two_bodies_inertia = 0.2, two_bodies_gravity = 9.81;

/* The settings of a type, 0.7 and 0.9, as in a model file. */
static inline void two_bodies_settings(char text[TWO_BODIES_ROOM], const m2d__joint_type *type)
{
    for (int i = 0; i < type->n_keys; i++) {
        size_t used = strlen(text);
        snprintf(text + used, TWO_BODIES_ROOM - used, ", %s: %s", type->keys[i].name,
                 type->keys[i].n_values == 1 ? "0.7" : "[0.7, 0.9]");
    }
    if (type->is_written) {
        size_t used = strlen(text);
        snprintf(text + used, TWO_BODIES_ROOM - used,
                 ", rows: {a: MN.x_j - 0.2*MN.y_i, b: {value: theta_j + 2*theta_i, unit: rad}}");
    }
}

/* A model of two bodies with a joint of this type, a motion of the direction if there is one, and
   more in the mapping of the joint (""), as in ", model: compliant". */
static inline void two_bodies(char text[TWO_BODIES_ROOM], const m2d__joint_type *type,
                              const char *direction, const char *more)
{
    snprintf(
        text, TWO_BODIES_ROOM, "%s",
        "halfarrow: 1\nbodies:\n"
        "  A: {mass: 2.1, inertia: 0.5, points: {P: {at: [0.3, 0.1], axis: 0.2}}, start: {angle: "
        "0.1, vx: 0.4, omega: 0.9}}\n"
        "  B: {mass: 1.3, inertia: 0.2, points: {P: {at: [-0.4, 0.2], axis: -0.3}}, start: {x: "
        "1.4, y: 0.5, angle: 0.6, vy: 0.5, omega: -0.7}}\n"
        "joints:\n  J: {between: [A.P, B.P], type: ");
    strcat(text, type->name);
    two_bodies_settings(text, type);
    if (direction != NULL) {
        size_t used = strlen(text);
        snprintf(text + used, TWO_BODIES_ROOM - used, ", motion: {%s: 0.3 + 0.2*sin(4*t)}",
                 direction);
    }
    strcat(text, more);
    strcat(text, "}\nsimulate: {t_end: 0.3, rtol: 1e-11, atol: 1e-11, alpha: 20}\n");
}

/* m a = F + m g and J alpha = torque + arm x F at the point of the joint, along the run. (A row at
   a step of the solver has its Newton error, all others are solved to round-off.) */
static inline void two_bodies_check(const run *r)
{
    for (size_t row = 0; row < ha_result_n_rows(r->result); row += 20) {
        double fx = run_value(r, row, "J.fx"), fy = run_value(r, row, "J.fy");
        double armx = run_value(r, row, "B.P.x") - run_value(r, row, "B.x");
        double army = run_value(r, row, "B.P.y") - run_value(r, row, "B.y");
        double torque = run_value(r, row, "J.torque") + armx * fy - army * fx;
        double size = 1.0 + fabs(fx) + fabs(fy) + fabs(torque);
        ck_assert_double_eq_tol(two_bodies_mass * run_value(r, row, "B.ax"), fx, 1e-8 * size);
        ck_assert_double_eq_tol(two_bodies_mass * (run_value(r, row, "B.ay") + two_bodies_gravity),
                                fy, 1e-8 * size);
        ck_assert_double_eq_tol(two_bodies_inertia * run_value(r, row, "B.alpha"), torque,
                                1e-8 * size);
    }
}

static inline int two_bodies_rows(const m2d__joint_type *type)
{
    return type->is_written ? 2 : type->n_rows;
}

#endif
