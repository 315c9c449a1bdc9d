/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random mechanisms at rest: bars with revolute and translational joints, closed loops among them,
   springs that are not stretched, and a force `push` of nothing. Not installed. */
#ifndef TESTS_RANDOM_MECHANISM_H
#define TESTS_RANDOM_MECHANISM_H

#include "tests/util/random.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ROOM = 16384, MOST = 8 };

/* A mechanism under way: bodies where they are at the start. */
typedef struct {
    uint64_t seed;
    int n_bodies, n_points[MOST];
    double pose[MOST][3];
    char points[MOST][ROOM / 8], joints[ROOM / 2], forces[ROOM / 4], ground[ROOM / 8];
    int n_ground, n_joints;
} random_plan;

/* Adds a point of a body, -1 the ground, at x, y of the plane with an axis there; its name. */
static void add_point(random_plan *p, int body, double x, double y, double axis, char name[32])
{
    const double zero[3] = { 0.0, 0.0, 0.0 };
    const double *pose = body < 0 ? zero : p->pose[body];
    double c = cos(pose[2]), s = sin(pose[2]), dx = x - pose[0], dy = y - pose[1];
    char *text = body < 0 ? p->ground : p->points[body];
    int number = body < 0 ? p->n_ground++ : p->n_points[body]++;

    snprintf(text + strlen(text), 200, "%sP%d: {at: [%.17g, %.17g], axis: %.17g}",
             number == 0 ? "" : ", ", number, c * dx + s * dy, c * dy - s * dx, axis - pose[2]);
    if (body < 0) {
        snprintf(name, 32, "ground.P%d", number);
    } else {
        snprintf(name, 32, "b%d.P%d", body, number);
    }
}

static void add_joint(random_plan *p, int a, int b)
{
    double x = random_in(&p->seed, -1.0, 1.0), y = random_in(&p->seed, -1.0, 1.0);
    double axis = random_in(&p->seed, -1.5, 1.5);
    bool slides = random_below(&p->seed, 4) == 0;
    char one[32], other[32];

    add_point(p, a, x, y, slides ? axis : 0.0, one);
    add_point(p, b, x, y, slides ? axis : 0.0, other);
    snprintf(p->joints + strlen(p->joints), 200, "  j%d: {type: %s, between: [%s, %s]}\n",
             p->n_joints++, slides ? "translational" : "revolute", one, other);
}

static void add_spring(random_plan *p, int a, int b, int number)
{
    double x[2], y[2];
    char names[2][32];

    for (int i = 0; i < 2; i++) {
        x[i] = random_in(&p->seed, -2.0, 2.0);
        y[i] = random_in(&p->seed, -2.0, 2.0);
        add_point(p, i == 0 ? a : b, x[i], y[i], 0.0, names[i]);
    }
    snprintf(p->forces + strlen(p->forces), 300,
             "  s%d: {type: spring-damper, between: [%s, %s], stiffness: %.17g, damping: %.17g, "
             "free_length: %.17g}\n",
             number, names[0], names[1], random_in(&p->seed, 1.0, 20.0),
             random_in(&p->seed, 0.0, 1.0), hypot(x[1] - x[0], y[1] - y[0]));
}

/* Writes the mechanism of a seed as a model file of at most ROOM bytes; the bodies are b0, b1, ...,
   the springs s0, ..., the joints j0, ... */
static void write_mechanism(uint64_t seed, char *text)
{
    static random_plan p;
    char push[32];

    p = (random_plan){ .seed = seed * UINT64_C(0x9e3779b97f4a7c15) + 1 };
    p.n_bodies = 1 + random_below(&p.seed, MOST - 1);
    for (int i = 0; i < p.n_bodies; i++) {
        for (int k = 0; k < 3; k++) {
            p.pose[i][k] = random_in(&p.seed, -1.0, 1.0);
        }
        add_joint(&p, random_below(&p.seed, i + 1) - 1, i);
    }
    for (int i = random_below(&p.seed, 3); i > 0 && p.n_bodies > 3; i--) {
        int a = random_below(&p.seed, p.n_bodies);
        add_joint(&p, a, (a + 1 + random_below(&p.seed, p.n_bodies - 1)) % p.n_bodies);
    }
    for (int i = 0; i < 1 + p.n_bodies / 2; i++) {
        int a = random_below(&p.seed, p.n_bodies);
        add_spring(&p, a, random_below(&p.seed, a + 1) - 1, i);
    }
    add_point(&p, p.n_bodies - 1, 0.3, 0.4, 0.0, push);
    int n = snprintf(text, ROOM, "halfarrow: 1\ngravity: [0, 0]\nground: {points: {%s}}\nbodies:\n",
                     p.ground);
    for (int i = 0; i < p.n_bodies; i++) {
        n += snprintf(text + n, ROOM - (size_t) n,
                      "  b%d: {mass: %.17g, inertia: %.17g, points: {%s}, start: {x: %.17g, y: "
                      "%.17g, angle: %.17g, fixed: [x, y, angle]}}\n",
                      i, random_in(&p.seed, 0.5, 3.0), random_in(&p.seed, 0.1, 1.0), p.points[i],
                      p.pose[i][0], p.pose[i][1], p.pose[i][2]);
    }
    snprintf(text + n, ROOM - (size_t) n,
             "joints:\n%sforces:\n%s  push: {type: force, on: %s, value: [0, 0]}\n", p.joints,
             p.forces, push);
}

#endif
