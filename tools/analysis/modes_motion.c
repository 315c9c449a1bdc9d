/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The motion of a mechanism in one of its modes.
 *
 * The shape z of a mode, complex, displaces the pose at the phase p by a Re(z exp(i p)), and the
 * constraints then take it back (m2d_project()): links stay rigid, however large the swing. The
 * amplitude a turns no body by more than TURN and moves none by more than WAY of the size of the
 * mechanism; it is halved where the constraints do not let it swing as far.
 */
#include <config.h>

#include "tools/analysis/modes_motion.h"

#include "lib/core/mem.h"
#include "mech2d/scene.h"

#include <math.h>

static const double TURN = 0.35; /* [rad] */
static const double WAY = 0.12;
static const double CYCLE = 2.0; /* [s] for the eye */
enum { MOST_HALVINGS = 12 };

typedef struct {
    cli_call *cli;
    const modes_shown *s;
    ha_ctx *ctx;
    const double (*shape)[2]; /* (n) */
    size_t n;                 /* coordinates */
    double *base;             /* (n) */
    double *way, *pose;       /* (MODES_PICTURES x n) */
} swing;

/* How far apart points and mass centres are. */
static double size_of(const swing *w)
{
    m2d_mechanism *mechanism = m2d_model_mechanism(w->s->model->file);
    int n_points = m2d_mechanism_n_points(mechanism);
    double low[2] = { (double) INFINITY, (double) INFINITY };
    double high[2] = { -(double) INFINITY, -(double) INFINITY };

    for (int i = 0; i < n_points + (int) w->n / 3; i++) {
        int body = i < n_points ? m2d_point_body(mechanism, i) : i - n_points;
        double at[3] = { 0.0, 0.0, 0.0 }, pose[3] = { 0.0, 0.0, 0.0 };
        if (i < n_points) {
            m2d_point_pose(mechanism, i, at);
        }
        for (int k = 0; k < 3 && body >= 0; k++) {
            pose[k] = w->base[3 * body + k];
        }
        const double position[2] = { pose[0] + cos(pose[2]) * at[0] - sin(pose[2]) * at[1],
                                     pose[1] + sin(pose[2]) * at[0] + cos(pose[2]) * at[1] };
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], position[k]);
            high[k] = fmax(high[k], position[k]);
        }
    }
    return fmax(high[0] - low[0], high[1] - low[1]);
}

/* The largest amplitude that looks right: a turn or a way of the size of everything. */
static double first_amplitude(const swing *w)
{
    double turn = 0.0, way = 0.0, size = size_of(w);

    for (size_t i = 0; i < w->n; i++) {
        double part = hypot(w->shape[i][0], w->shape[i][1]);
        turn = i % 3 == 2 ? fmax(turn, part) : turn;
        way = i % 3 == 2 ? way : fmax(way, part);
    }
    return fmin(turn > 0.0 ? TURN / turn : (double) INFINITY,
                way > 0.0 ? WAY * size / way : (double) INFINITY);
}

/* Finds the poses of a cycle with the largest amplitude that the constraints allow. */
static ha_status find_poses(const swing *w)
{
    double amplitude = first_amplitude(w), turn = 2.0 * acos(-1.0) / MODES_PICTURES;
    bool are_met = false;

    for (int tries = 0; tries < MOST_HALVINGS && !are_met; tries++, amplitude /= 2.0) {
        for (size_t k = 0; k < MODES_PICTURES; k++) {
            double c = sin(turn * (double) k), s = cos(turn * (double) k); /* begins at rest pose */
            for (size_t i = 0; i < w->n; i++) {
                double part = c * w->shape[i][0] + s * w->shape[i][1];
                w->way[k * w->n + i] = isfinite(amplitude) ? amplitude * part : 0.0;
            }
        }
        HA_TRY(m2d_project(w->s->model->system, w->s->op->point.t, w->base, w->way, MODES_PICTURES,
                           w->pose, &are_met));
    }
    for (size_t i = 0; i < MODES_PICTURES * w->n && !are_met; i++) {
        w->pose[i] = w->base[i % w->n]; /* nothing moves */
    }
    return HA_OK;
}

static ha_status add_columns(const swing *w, ha_result *table)
{
    ha__arena names = { 0 };
    ha_status status = ha_result_add_column(table, "t", "s");

    for (size_t i = 0; i < w->n && status == HA_OK; i++) {
        const char *name = ha__arena_format(w->ctx, &names, "%s.%s",
                                            m2d_system_body_name(w->s->model->system, (int) i / 3),
                                            m2d_coordinate_name((m2d_coordinate) (i % 3)));
        status = name == NULL ? HA_ERR_MEMORY
                              : ha_result_add_column(table, name, i % 3 == 2 ? "rad" : "m");
    }
    ha__arena_clear(&names);
    return status;
}

static ha_status add_pose(const swing *w, double t, const double *pose, ha_result *table)
{
    double *row = ha__alloc(w->ctx, w->n + 1, sizeof *row);

    HA_TRY_MEMORY(row);
    row[0] = t;
    for (size_t i = 0; i < w->n; i++) {
        row[i + 1] = pose[i];
    }
    return ha__then_free(ha_result_add_row(table, row), row);
}

static ha_status fill(swing *w, int mode, ha_result *table)
{
    w->shape = modes_shape(w->s, mode);
    HA_TRY(operating_places(w->cli, w->s->op, w->base));
    HA_TRY(find_poses(w));
    HA_TRY(add_columns(w, table));
    HA_TRY(add_pose(w, 0.0, w->base, table));
    for (size_t k = 0; k <= MODES_PICTURES; k++) {
        HA_TRY(add_pose(w, CYCLE * (double) k / MODES_PICTURES, w->pose + k % MODES_PICTURES * w->n,
                        table));
    }
    return HA_OK;
}

ha_status modes_motion(cli_call *cli, const modes_shown *shown, int mode, ha_result **out)
{
    swing w = { .cli = cli, .s = shown, .ctx = cli->ctx, .n = 3 * (size_t) shown->n_bodies };
    ha_result *table = NULL;

    *out = NULL;
    if (w.n == 0) {
        return HA_OK;
    }
    w.base = ha__alloc(w.ctx, w.n, sizeof *w.base);
    w.way = ha__alloc(w.ctx, MODES_PICTURES * w.n, sizeof *w.way);
    w.pose = ha__alloc(w.ctx, MODES_PICTURES * w.n, sizeof *w.pose);
    table = ha_result_new(w.ctx);
    ha_status status =
        w.base == NULL || w.way == NULL || w.pose == NULL || table == NULL ? HA_ERR_MEMORY : HA_OK;
    HA_THEN(status, fill(&w, mode, table));
    HA_FREE(w.base, w.way, w.pose);
    return HA_GIVE(status, table, ha_result_free, out);
}
