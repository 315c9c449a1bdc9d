/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part of a run that its page shows first: the last cycle, where there is one. That is the last
 * period of what drives the model. Of a model that nothing drives it is the last turn of the body
 * that turns the most, if the motion is steady: if all velocities are the same at both ends of that
 * turn, to a fiftieth of what they go through.
 */
#include <config.h>

#include "tools/page/page.h"

#include <math.h>

static const double TURN = 6.283185307179586;
static const double STEADY = 0.02;
static const double LEAST = 0.1; /* [rad] that the body which turns goes through */

static double value(const page_run *run, size_t row, int column)
{
    return ha_result_value(run->run.result, row, (size_t) column);
}

/* The body that turns farthest from the first row to the last; -1: none does. */
static int find_turning(const page_run *run)
{
    size_t last = ha_result_n_rows(run->run.result) - 1;
    double most = LEAST;
    int found = -1;

    for (int i = 0; i < m2d_mechanism_n_bodies(run->scene.mechanism); i++) {
        int column = run->scene.columns[i][2];
        double turn = fabs(value(run, last, column) - value(run, 0, column));
        if (turn > most) {
            most = turn;
            found = i;
        }
    }
    return found;
}

/* The row from which a body makes its last turn; 0: it does not turn so far. */
static size_t find_turn(const page_run *run, int body)
{
    int column = run->scene.columns[body][2];
    size_t row = ha_result_n_rows(run->run.result) - 1;
    double end = value(run, row, column);

    while (row > 0 && fabs(value(run, row, column) - end) < TURN) {
        row--;
    }
    return row;
}

/* Whether a column has about the same value in two rows as it has in the last one. */
static bool is_same(const page_run *run, size_t from, int column)
{
    size_t last = ha_result_n_rows(run->run.result) - 1;
    double low = value(run, last, column), high = low;

    for (size_t row = from; row < last; row++) {
        low = fmin(low, value(run, row, column));
        high = fmax(high, value(run, row, column));
    }
    /* a speed that hardly changes is small change beside the speed */
    double size = fmax(high - low, fmax(fabs(high), fabs(low)));
    return !(fabs(value(run, from, column) - value(run, last, column)) > STEADY * size);
}

/* Whether all bodies have about the velocities of the last row already in this one. */
static bool is_steady(const page_run *run, size_t from)
{
    static const char *const speeds[] = { "vx", "vy", "omega" };
    ha__strbuf name = HA_STRBUF(run->scene.ctx);
    bool is_good = true;

    for (int i = 0; i < m2d_mechanism_n_bodies(run->scene.mechanism) && is_good; i++) {
        for (size_t k = 0; k < HA_COUNT(speeds) && is_good; k++) {
            ha__strbuf_clear(&name);
            ha__strbuf_addf(&name, "%s.%s", m2d_body_name(run->scene.mechanism, i), speeds[k]);
            int column = ha_result_find(run->run.result, ha__strbuf_text(&name));
            is_good = name.status == HA_OK && (column < 0 || is_same(run, from, column));
        }
    }
    ha__strbuf_clear(&name);
    return is_good;
}

void page_find_window(page_run *run)
{
    size_t last = ha_result_n_rows(run->run.result) - 1;
    double begin = ha_result_value(run->run.result, 0, 0);
    double end = ha_result_value(run->run.result, last, 0);
    double period = run->run.model.drive.is_driven ? run->run.model.drive.period : 0.0;

    run->window = (page_window){ .body = run->has_scene ? find_turning(run) : -1 };
    if (period > 0.0) {
        if (end - period >= begin - 1e-9 * period) {
            run->window.from = fmax(begin, end - period);
            run->window.to = end;
            run->window.what = "the last period of the drive";
        }
        return;
    }
    size_t from = run->window.body < 0 ? 0 : find_turn(run, run->window.body);
    if (from > 0 && !run->run.model.drive.is_driven && is_steady(run, from)) {
        run->window.from = ha_result_value(run->run.result, from, 0);
        run->window.to = end;
        run->window.what = "the last turn, which is steady";
    }
}
