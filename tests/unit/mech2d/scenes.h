/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mechanisms that several tests of mech2d use. */
#ifndef TESTS_UNIT_MECH2D_SCENES_H
#define TESTS_UNIT_MECH2D_SCENES_H

#include "lib/context.h"
#include "mech2d/mechanism.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A number of the mechanism. */
static inline ha_expr scene_number(m2d_mechanism *m, double value)
{
    return ha_constant(m2d_mechanism_dag(m), value);
}

static inline ha_status scene_point(m2d_mechanism *m, const char *body, const char *name, double x,
                                    double y)
{
    m2d_point_def def = m2d_point_def_default();

    def.body = body;
    def.name = name;
    def.x = scene_number(m, x);
    def.y = scene_number(m, y);
    return m2d_mechanism_add_point(m, &def);
}

static inline ha_status scene_joint(m2d_mechanism *m, const char *type, const char *name,
                                    const char *first, const char *second)
{
    m2d_joint_def def = m2d_joint_def_default();

    def.type = type;
    def.name = name;
    def.ends[0] = first;
    def.ends[1] = second;
    return m2d_mechanism_add_joint(m, &def);
}

/* A body with a guess of its angle and nothing else. */
static inline ha_status scene_body(m2d_mechanism *m, const char *name, double mass, double inertia,
                                   double angle, bool is_fixed)
{
    m2d_body_def def = m2d_body_def_default();

    def.name = name;
    def.mass = scene_number(m, mass);
    def.inertia = scene_number(m, inertia);
    def.start[M2D_ANGLE] = scene_number(m, angle);
    def.is_fixed[M2D_ANGLE] = is_fixed;
    return m2d_mechanism_add_body(m, &def);
}

/* Andrews' squeezer mechanism (IVP test set): angles of the bodies at the start. */
static const double andrews_start[7] = {
    -0.0617138900142764496358948458001,
    -0.0617138900142764496358948458001,
    0.455279819163070380255912382449,
    0.222668390165885884674473185609 + 0.487364979543842550225598953530,
    0.487364979543842550225598953530,
    -0.222668390165885884674473185609 + 1.23054744454982119249735015568,
    1.23054744454982119249735015568,
};

/* Andrews' mechanism with given angles; those of K1 and K2 are fixed. */
static inline ha_status scene_andrews(m2d_mechanism *m, const double angles[7])
{
    static const struct {
        const char *name;
        double mass, inertia;
    } bodies[7] = { { "K1", 0.04325, 2.194e-6 }, { "K2", 0.00365, 4.410e-7 },
                    { "K3", 0.02373, 5.255e-6 }, { "K4", 0.00706, 5.667e-7 },
                    { "K5", 0.07050, 1.169e-5 }, { "K6", 0.00706, 5.667e-7 },
                    { "K7", 0.05498, 1.912e-5 } };
    /* local coordinates less those of the mass centre */
    static const struct {
        const char *body, *name;
        double x, y;
    } points[] = {
        { "ground", "O", 0.0, 0.0 },
        { "ground", "A", -0.06934, -0.00227 },
        { "ground", "B", -0.03635, 0.03273 },
        { "ground", "C", 0.014, 0.072 },
        { "K1", "O", -0.00092, 0.0 },
        { "K1", "H", 0.007 - 0.00092, 0.0 },
        { "K2", "H", 0.0115, 0.0 },
        { "K2", "E", 0.0115 - 0.028, 0.0 },
        { "K3", "B", -0.01043, 0.01874 },
        { "K3", "E", -0.01043, 0.01874 - 0.035 },
        { "K3", "D", 0.02 - 0.01043, 0.01874 - 0.018 },
        { "K4", "F", 0.0, 0.02 - 0.01421 },
        { "K4", "E", 0.0, -0.01421 },
        { "K5", "A", -0.02308, -0.00916 },
        { "K5", "F", 0.04 - 0.02308, -0.00916 },
        { "K6", "G", -(0.02 - 0.01421), 0.0 },
        { "K6", "E", 0.01421, 0.0 },
        { "K7", "A", 0.00449, 0.01228 },
        { "K7", "G", 0.00449, 0.01228 - 0.04 },
    };
    static const char *const joints[][3] = {
        { "O", "ground.O", "K1.O" },  { "H", "K1.H", "K2.H" },  { "E3", "K2.E", "K3.E" },
        { "E4", "K2.E", "K4.E" },     { "E6", "K2.E", "K6.E" }, { "B", "ground.B", "K3.B" },
        { "F", "K4.F", "K5.F" },      { "G", "K6.G", "K7.G" },  { "A5", "ground.A", "K5.A" },
        { "A7", "ground.A", "K7.A" },
    };

    HA_TRY(m2d_mechanism_set_gravity(m, scene_number(m, 0.0), scene_number(m, 0.0), HA_NOWHERE));
    for (int i = 0; i < 7; i++) {
        HA_TRY(scene_body(m, bodies[i].name, bodies[i].mass, bodies[i].inertia, angles[i], i < 2));
    }
    for (size_t i = 0; i < HA_COUNT(points); i++) {
        HA_TRY(scene_point(m, points[i].body, points[i].name, points[i].x, points[i].y));
    }
    for (size_t i = 0; i < HA_COUNT(joints); i++) {
        HA_TRY(scene_joint(m, "revolute", joints[i][0], joints[i][1], joints[i][2]));
    }

    const ha_expr values[3] = { scene_number(m, 4530.0), scene_number(m, 0.07785),
                                scene_number(m, 0.033) };
    const m2d_setting spring_settings[] = { { "stiffness", &values[0], 1, HA_NOWHERE },
                                            { "free_length", &values[1], 1, HA_NOWHERE } };
    const m2d_setting drive_settings[] = { { "value", &values[2], 1, HA_NOWHERE } };
    m2d_force_def spring = m2d_force_def_default(), drive = m2d_force_def_default();
    spring.type = "spring-damper";
    spring.name = "spring";
    spring.ends[0] = "K3.D";
    spring.ends[1] = "ground.C";
    spring.settings = spring_settings;
    spring.n_settings = 2;
    HA_TRY(m2d_mechanism_add_force(m, &spring));
    drive.type = "torque";
    drive.name = "drive";
    drive.ends[0] = "K1";
    drive.settings = drive_settings;
    drive.n_settings = 1;
    return m2d_mechanism_add_force(m, &drive);
}

/* The mass centres of Andrews' mechanism at the start, x and y of each body (113-bit program). */
static const double andrews_centres[7][2] = {
    { 9.182485980307614e-04, -5.674074562905483e-05 },
    { -4.491433359933072e-03, 2.775362557942899e-04 },
    { -1.874218667031546e-02, 2.048510678907393e-02 },
    { -3.022293983015889e-02, 1.207118235666394e-02 },
    { -5.323682815570414e-02, 1.663184796661631e-02 },
    { -2.854326853678360e-02, -1.072225470725229e-02 },
    { -5.926240280179172e-02, -1.060069833271284e-02 },
};

/* Two squares side by side, upright, of bars of the length L, the mass M and the inertia J, their
   tops moving with the speed V = W L: the parts between the grounds G0, G1, G2. */
#define SQUARES_BODIES                                                                             \
    "  U0: {mass: M, inertia: J, points: {A: [-L/2, 0], B: [L/2, 0]}, start: {x: 0 m, y: "         \
    "L/2, angle: pi/2, vx: V/2, omega: -W}}\n"                                                     \
    "  U1: {mass: M, inertia: J, points: {A: [-L/2, 0], B: [L/2, 0]}, start: {x: L, y: "           \
    "L/2, angle: pi/2, vx: V/2, omega: -W}}\n"                                                     \
    "  U2: {mass: M, inertia: J, points: {A: [-L/2, 0], B: [L/2, 0]}, start: {x: 2*L, "            \
    "y: L/2, angle: pi/2, vx: V/2, omega: -W}}\n"                                                  \
    "  C0: {mass: M, inertia: J, points: {A: [-L/2, 0], B: [L/2, 0]}, start: {x: L/2, "            \
    "y: L, vx: V}}\n"                                                                              \
    "  C1: {mass: M, inertia: J, points: {A: [-L/2, 0], B: [L/2, 0]}, start: {x: 1.5*L, "          \
    "y: L, vx: V}}\n"

#define SQUARES_JOINTS                                                                             \
    "  J0: {type: revolute, between: [ground.G0, U0.A]}\n"                                         \
    "  J1: {type: revolute, between: [ground.G1, U1.A]}\n"                                         \
    "  J2: {type: revolute, between: [ground.G2, U2.A]}\n"                                         \
    "  K0: {type: revolute, between: [U0.B, C0.A]}\n"                                              \
    "  L0: {type: revolute, between: [U1.B, C0.B]}\n"                                              \
    "  K1: {type: revolute, between: [U1.B, C1.A]}\n"                                              \
    "  L1: {type: revolute, between: [U2.B, C1.B]}\n"

/* A chain of n uniform links of 1 m and 1 kg as a model file (size bytes), laid along `degrees`
   from the first: hinged to the ground at the origin, or free. Returns the length of the text, to
   which forces may be appended. */
static inline int scene_chain(char *text, size_t size, int n, int degrees, bool is_hinged)
{
    int at = snprintf(text, size, "halfarrow: 1\nground: {points: {O: [0, 0]}}\nbodies:\n");
    int dx = degrees == 0, dy = degrees == 0 ? 0 : degrees > 0 ? 1 : -1;

    for (int i = 0; i < n; i++) {
        at += snprintf(text + at, size - (size_t) at,
                       "  b%d: {mass: 1, inertia: 1/12, points: {P: [-0.5, 0], Q: [0.5, 0]}, "
                       "start: {angle: %d deg, x: %.1f, y: %.1f}}\n",
                       i, degrees, dx * (i + 0.5), dy * (i + 0.5));
    }
    at += snprintf(text + at, size - (size_t) at, "joints:\n");
    for (int i = is_hinged ? 0 : 1; i < n; i++) {
        char end[16];
        snprintf(end, sizeof end, i == 0 ? "ground.O" : "b%d.Q", i - 1);
        at += snprintf(text + at, size - (size_t) at,
                       "  j%d: {type: revolute, between: [%s, b%d.P]}\n", i, end, i);
    }
    return at;
}

#endif
