/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Andrews' seven-body mechanism through the C API: the model of andrews.yaml from definition
 * structs. Build it with: cc andrews.c $(pkg-config --cflags --libs halfarrow)
 */
#include "mech2d/simulate.h"

#include <stdio.h>
#include <stdlib.h>

/* Mass [kg], inertia [kg m2], angle at the start [rad]; the first two angles are fixed. */
static const double bodies[7][3] = {
    { 43.25e-3, 2.194e-6, -0.0617138900142764496 }, { 3.65e-3, 4.410e-7, -0.0617138900142764496 },
    { 23.73e-3, 5.255e-6, 0.455279819163070380 },   { 7.06e-3, 5.667e-7, 0.710033369709728435 },
    { 70.50e-3, 1.169e-5, 0.487364979543842550 },   { 7.06e-3, 5.667e-7, 1.007879054383935308 },
    { 54.98e-3, 1.912e-5, 1.230547444549821192 },
};

/* Points [m] from the mass centre of their body, two a line. */
static const struct {
    const char *body, *name;
    double x, y;
} points[] = {
    /* clang-format off */
    { "ground", "O", 0, 0 },                 { "ground", "A", -69.34e-3, -2.27e-3 },
    { "ground", "B", -36.35e-3, 32.73e-3 },  { "ground", "C", 14e-3, 72e-3 },
    { "K1", "O", -0.92e-3, 0 },              { "K1", "H", 7e-3 - 0.92e-3, 0 },
    { "K2", "H", 11.5e-3, 0 },               { "K2", "E", 11.5e-3 - 28e-3, 0 },
    { "K3", "B", -10.43e-3, 18.74e-3 },      { "K3", "E", -10.43e-3, 18.74e-3 - 35e-3 },
    { "K3", "D", 20e-3 - 10.43e-3, 18.74e-3 - 18e-3 },
    { "K4", "F", 0, 20e-3 - 14.21e-3 },      { "K4", "E", 0, -14.21e-3 },
    { "K5", "A", -23.08e-3, -9.16e-3 },      { "K5", "F", 40e-3 - 23.08e-3, -9.16e-3 },
    { "K6", "G", 14.21e-3 - 20e-3, 0 },      { "K6", "E", 14.21e-3, 0 },
    { "K7", "A", 4.49e-3, 12.28e-3 },        { "K7", "G", 4.49e-3, 12.28e-3 - 40e-3 },
    /* clang-format on */
};

static const char *const joints[][3] = {
    { "O", "ground.O", "K1.O" },  { "H", "K1.H", "K2.H" },  { "E3", "K2.E", "K3.E" },
    { "E4", "K2.E", "K4.E" },     { "E6", "K2.E", "K6.E" }, { "B", "ground.B", "K3.B" },
    { "F", "K4.F", "K5.F" },      { "G", "K6.G", "K7.G" },  { "A5", "ground.A", "K5.A" },
    { "A7", "ground.A", "K7.A" },
};

static ha_status build(m2d_mechanism *m, ha_dag *dag)
{
    ha_expr zero = ha_constant(dag, 0.0), torque = ha_constant(dag, 0.033);
    ha_expr stiffness = ha_constant(dag, 4530.0), length = ha_constant(dag, 77.85e-3);
    const m2d_setting value = { "value", &torque, 1, HA_NOWHERE };
    const m2d_setting settings[] = { { "stiffness", &stiffness, 1, HA_NOWHERE },
                                     { "free_length", &length, 1, HA_NOWHERE } };
    m2d_force_def spring = m2d_force_def_default(), drive = m2d_force_def_default();

    HA_TRY(m2d_mechanism_set_gravity(m, zero, zero, HA_NOWHERE));
    for (int i = 0; i < 7; i++) {
        m2d_body_def body = m2d_body_def_default();
        char name[4] = { 'K', (char) ('1' + i) };
        body.name = name;
        body.mass = ha_constant(dag, bodies[i][0]);
        body.inertia = ha_constant(dag, bodies[i][1]);
        body.start[M2D_ANGLE] = ha_constant(dag, bodies[i][2]);
        body.is_fixed[M2D_ANGLE] = i < 2;
        HA_TRY(m2d_mechanism_add_body(m, &body));
    }
    for (size_t i = 0; i < HA_COUNT(points); i++) {
        m2d_point_def point = m2d_point_def_default();
        point.body = points[i].body;
        point.name = points[i].name;
        point.x = ha_constant(dag, points[i].x);
        point.y = ha_constant(dag, points[i].y);
        HA_TRY(m2d_mechanism_add_point(m, &point));
    }
    for (size_t i = 0; i < HA_COUNT(joints); i++) {
        m2d_joint_def joint = m2d_joint_def_default();
        joint.type = "revolute";
        joint.name = joints[i][0];
        joint.ends[0] = joints[i][1];
        joint.ends[1] = joints[i][2];
        HA_TRY(m2d_mechanism_add_joint(m, &joint));
    }
    spring.type = "spring-damper";
    spring.name = "spring";
    spring.ends[0] = "K3.D";
    spring.ends[1] = "ground.C";
    spring.settings = settings;
    spring.n_settings = 2;
    HA_TRY(m2d_mechanism_add_force(m, &spring));
    drive.type = "torque";
    drive.name = "drive";
    drive.ends[0] = "K1";
    drive.settings = &value;
    drive.n_settings = 1;
    return m2d_mechanism_add_force(m, &drive);
}

int main(void)
{
    ha_ctx *ctx = ha_ctx_new();
    m2d_mechanism *mechanism = m2d_mechanism_new(ctx);
    bg_run_options options = bg_run_options_default();
    ha_result *result = ha_result_new(ctx);
    ha_status status = build(mechanism, m2d_mechanism_dag(mechanism));

    options.solver.t_end = 0.03;
    options.solver.step = 1e-4;
    options.solver.rtol = 1e-8;
    options.alpha = options.beta = 500;
    status = status == HA_OK ? m2d_simulate(mechanism, &options, result, NULL) : status;
    for (size_t c = 0; status == HA_OK && c < ha_result_n_columns(result); c++) {
        printf("%s = %.17g\n", ha_result_name(result, c),
               ha_result_value(result, ha_result_n_rows(result) - 1, c));
    }
    for (size_t i = 0; i < ha_ctx_n_diags(ctx); i++) {
        fprintf(stderr, "%s\n", ha_ctx_diag(ctx, i)->text);
    }
    ha_result_free(result);
    m2d_mechanism_free(mechanism);
    ha_ctx_free(ctx);
    return ha_status_exit(status);
}
