/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The largest force of a joint in a part of a run. Rows are as far from each other as the user has
 * them, so that the largest is between two: it is that of the parabola through the largest square
 * |f|^2 of a row and its neighbours, where that is but little more. Beside a jump it is the row.
 */
#include <config.h>

#include "tools/page/page_load.h"

#include <math.h>

static const double MORE = 1.05; /* of a square, at most, for the parabola to be believed */

/* The columns of a joint's force; false: it has none. */
static bool find_columns(const page_run *run, int joint, int columns[2])
{
    ha__strbuf name = HA_STRBUF(run->scene.ctx);

    for (int k = 0; k < 2; k++) {
        ha__strbuf_clear(&name);
        ha__strbuf_addf(&name, "%s.f%c", m2d_joint_name(run->scene.mechanism, joint), "xy"[k]);
        columns[k] =
            name.status == HA_OK ? ha_result_find(run->run.result, ha__strbuf_text(&name)) : -1;
    }
    ha__strbuf_clear(&name);
    return columns[0] >= 0 && columns[1] >= 0;
}

static double square(const page_run *run, const int columns[2], size_t row)
{
    double x = ha_result_value(run->run.result, row, (size_t) columns[0]);
    double y = ha_result_value(run->run.result, row, (size_t) columns[1]);

    return x * x + y * y;
}

/* Moves a peak from its row to the vertex of the parabola. */
static void refine(const page_run *run, const int columns[2], size_t row, page_load *load)
{
    const ha_result *r = run->run.result;

    if (row == 0 || row + 1 >= ha_result_n_rows(r)) {
        return;
    }
    double before = ha_result_value(r, row, 0) - ha_result_value(r, row - 1, 0);
    double after = ha_result_value(r, row + 1, 0) - ha_result_value(r, row, 0);
    double y = square(run, columns, row);
    double left = (y - square(run, columns, row - 1)) / before;
    double right = (square(run, columns, row + 1) - y) / after;
    double bend = (right - left) / (before + after), slope = right - bend * after;
    if (!(before > 0.0 && after > 0.0 && bend < 0.0)) {
        return;
    }
    double step = -slope / (2.0 * bend), top = y + slope * step / 2.0;
    if (step > -before && step < after && top <= MORE * y) {
        load->size = sqrt(top);
        load->time += step;
    }
}

/* The angle of a body at a time, between rows. */
static double angle_at(const page_run *run, int body, size_t row, double time)
{
    const ha_result *r = run->run.result;
    size_t column = (size_t) run->scene.columns[body][2], other = row;
    double t = ha_result_value(r, row, 0), angle = ha_result_value(r, row, column);

    if (time > t && row + 1 < ha_result_n_rows(r)) {
        other = row + 1;
    } else if (time < t && row > 0) {
        other = row - 1;
    }
    double span = ha_result_value(r, other, 0) - t;
    return span == 0.0 ? angle
                       : angle + (ha_result_value(r, other, column) - angle) * (time - t) / span;
}

bool page_find_load(const page_run *run, int joint, const page_window *window, page_load *out)
{
    const ha_result *r = run->run.result;
    double most = -1.0;
    size_t at = 0;
    int columns[2];

    if (!find_columns(run, joint, columns)) {
        return false;
    }
    for (size_t row = 0; row < ha_result_n_rows(r); row++) {
        double t = ha_result_value(r, row, 0), y = square(run, columns, row);
        if (t >= window->from && t <= window->to && isfinite(y) && y > most) {
            most = y;
            at = row;
        }
    }
    if (most < 0.0) {
        return false;
    }
    *out = (page_load){ joint, sqrt(most), ha_result_value(r, at, 0), (double) NAN };
    refine(run, columns, at, out);
    out->time = fmin(fmax(out->time, window->from), window->to);
    if (window->body >= 0) {
        out->angle = angle_at(run, window->body, at, out->time);
    }
    return true;
}
