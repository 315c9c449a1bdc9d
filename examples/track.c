/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A joint of one's own through the C API: the bead of track.yaml, whose pin stays on the parabola
 * y = depth (x / half)^2. It starts at rest at x = half; at the bottom its speed is sqrt(2 g
 * depth). Build it with: cc track.c $(pkg-config --cflags --libs halfarrow) -lm
 */
#include "lib/expr.h"
#include "mech2d/mechanism.h"
#include "mech2d/simulate.h"

#include <math.h>
#include <stdio.h>

static const double half = 0.5, depth = 0.4, gravity = 9.81;

/* An expression of the constraint's own names. */
static ha_expr read(m2d_mechanism *m, const char *text)
{
    ha_parse_def def = { .lookup = m2d_constraint_lookup, .lookup_user = m };
    ha_expr e = HA_EXPR_NONE;

    return ha_expr_parse(m2d_mechanism_dag(m), text, &def, &e) == HA_OK ? e : HA_EXPR_NONE;
}

static ha_expr number(m2d_mechanism *m, double x)
{
    return ha_constant(m2d_mechanism_dag(m), x);
}

static ha_status add_bead(m2d_mechanism *m)
{
    m2d_body_def body = m2d_body_def_default();
    m2d_point_def point = m2d_point_def_default();

    body.name = "bead";
    body.mass = number(m, 0.2);
    body.inertia = number(m, 1e-5);
    body.start[M2D_X] = number(m, half);
    body.start[M2D_VX] = number(m, 0.0);
    body.is_fixed[M2D_X] = body.is_fixed[M2D_VX] = true;
    HA_TRY(m2d_mechanism_add_body(m, &body));
    point.body = "bead";
    point.name = "B";
    point.x = point.y = number(m, 0.0);
    HA_TRY(m2d_mechanism_add_point(m, &point));
    point.body = "ground";
    point.name = "O";
    return m2d_mechanism_add_point(m, &point);
}

static ha_status add_track(m2d_mechanism *m)
{
    m2d_row_def rows[] = { { .name = "path", .value = read(m, "ON.y_0 - depth*(ON.x_0/half)^2") },
                           { .name = "turn", .value = read(m, "theta_j - theta_i") } };
    m2d_row_def slide = { .name = "slide", .value = read(m, "ON.x_0") };
    m2d_joint_def joint = m2d_joint_def_default();

    rows[1].is_angle = true;
    joint.type = "constraint";
    joint.name = "track";
    joint.ends[0] = "ground.O";
    joint.ends[1] = "bead.B";
    joint.rows = rows;
    joint.n_rows = 2;
    joint.free = &slide;
    joint.n_free = 1;
    return m2d_mechanism_add_joint(m, &joint);
}

static ha_status build(m2d_mechanism *m)
{
    HA_TRY(m2d_mechanism_add_parameter(m, "half", number(m, half), HA_NOWHERE, NULL));
    HA_TRY(m2d_mechanism_add_parameter(m, "depth", number(m, depth), HA_NOWHERE, NULL));
    HA_TRY(add_bead(m));
    return add_track(m);
}

/* What an output is in the last row. */
static double last(const ha_result *result, const char *name)
{
    return ha_result_value(result, ha_result_n_rows(result) - 1,
                           (size_t) ha_result_find(result, name));
}

int main(void)
{
    ha_ctx *ctx = ha_ctx_new();
    m2d_mechanism *m = m2d_mechanism_new(ctx);
    ha_result *result = ha_result_new(ctx);
    bg_run_options options = bg_run_options_default();
    ha_status status = build(m);

    options.solver.t_end = 2.0;
    options.solver.rtol = 1e-9;
    status = status == HA_OK ? m2d_simulate(m, &options, result, NULL) : status;
    if (status == HA_OK) {
        double vx = last(result, "bead.vx"), vy = last(result, "bead.vy");
        double fallen = depth - last(result, "bead.y");
        printf("slide %.9g m, speed %.9g m/s, sqrt(2 g h) %.9g m/s\n", last(result, "track.slide"),
               hypot(vx, vy), sqrt(2.0 * gravity * fallen));
        status = fabs(hypot(vx, vy) - sqrt(2.0 * gravity * fallen)) < 1e-6 ? HA_OK : HA_ERR_SOLVER;
    }
    for (size_t i = 0; i < ha_ctx_n_diags(ctx); i++) {
        fprintf(stderr, "%s\n", ha_ctx_diag(ctx, i)->text);
    }
    ha_result_free(result);
    m2d_mechanism_free(m);
    ha_ctx_free(ctx);
    return status == HA_OK ? 0 : 1;
}
