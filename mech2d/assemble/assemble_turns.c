/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Assembly: whole turns. A row over angles alone, as that of a motion of a hinge or of the start
 * value of one, tells angles apart by more than a turn, although the bodies stand alike; steps of
 * the search would have to turn a body over and over, through positions in which loops are open,
 * and there is an end to their number. So before the search the angles that may move are brought to
 * the turn in which such rows are met best: with c the rate of the row phi by an angle, a body is
 * turned by
 *
 *     -2 pi n,   n = round(phi / (2 pi c)),   when that makes |phi| less.
 *
 * From the fixed angles on: a row that has one angle that is not settled yet settles it. Where each
 * has several, the first of one is taken as it was given.
 */
#include <config.h>

#include "mech2d/assemble/assemble_priv.h"

#include "lib/core/mem.h"

#include <math.h>
#include <string.h>

/* What is known of a row over angles. */
typedef struct {
    bool is_other;    /* it has other coordinates, or is no such row */
    bool is_done;     /* it has settled an angle, or all of its own were */
    int n_left;       /* angles that are not settled */
    int first, angle; /* the first and the last of them, */
    double rate;      /* and what the row changes by the last */
} turn_row;

static bool is_left_out(const m2d_assembly *a, int i)
{
    const m2d__constraint *row = &a->system->rows.items[i];

    return a->is_open[i] || row->is_flow || row->is_rate || row->period > 0.0;
}

/* Finds of each row that is not done what is not settled; the Jacobian is in place. */
static void look(const m2d_assembly *a, const bool *is_settled, turn_row *rows)
{
    const m2d_system *system = a->system;

    for (int i = 0; i < a->n_rows; i++) {
        rows[i].n_left = 0;
        rows[i].is_other = is_left_out(a, i);
    }
    for (int j = 0; j < a->n; j++) {
        for (int64_t k = system->column_start[j]; k < system->column_start[j + 1]; k++) {
            turn_row *row = &rows[system->entry_row[k]];
            double rate = a->velocity_out[k];
            if (rate == 0.0 || !isfinite(rate)) {
                continue;
            }
            row->is_other = row->is_other || j % 3 != M2D_ANGLE;
            if (!is_settled[j / 3]) {
                row->first = row->n_left++ == 0 ? j : row->first;
                row->angle = j;
                row->rate = rate;
            }
        }
    }
}

/* Turns the angle of a row by whole turns if that brings the row nearer to 0. */
static void turn(m2d_assembly *a, int i, const turn_row *row, double *q)
{
    const double whole = 2.0 * acos(-1.0);
    double before = a->residual[i], kept = q[row->angle], n = round(before / (whole * row->rate));

    if (n == 0.0 || !isfinite(n)) {
        return;
    }
    q[row->angle] = kept - whole * n;
    m2d__residual(a, q);
    if (!(fabs(a->residual[i]) < fabs(before))) {
        q[row->angle] = kept;
        m2d__residual(a, q);
    }
}

/* Settles the angles of rows that have no more than one left; false when there are none. */
static bool settle_rows(m2d_assembly *a, bool *is_settled, turn_row *rows, double *q)
{
    bool is_any = false;

    look(a, is_settled, rows);
    for (int i = 0; i < a->n_rows; i++) {
        turn_row *row = &rows[i];
        if (row->is_done || row->is_other || row->n_left > 1) {
            continue;
        }
        row->is_done = is_any = true;
        if (row->n_left == 1 && !is_settled[row->angle / 3]) { /* not by a row before */
            turn(a, i, row, q);
            is_settled[row->angle / 3] = true;
        }
    }
    return is_any;
}

/* Takes an angle of a row that has several left as it stands; false when there is none. */
static bool settle_one(const m2d_assembly *a, bool *is_settled, const turn_row *rows)
{
    for (int i = 0; i < a->n_rows; i++) {
        if (!rows[i].is_done && !rows[i].is_other && rows[i].n_left > 1) {
            is_settled[rows[i].first / 3] = true;
            return true;
        }
    }
    return false;
}

/* The turns from what is settled on; guesses that have been opened say theirs all the same. */
static void take(m2d_assembly *a, bool *is_settled, bool *was_open, turn_row *rows, double *q)
{
    size_t bytes = (size_t) a->n_rows * sizeof *was_open;

    memcpy(was_open, a->is_open, bytes);
    for (int i = 0; i < a->n_rows; i++) {
        const m2d__constraint *row = &a->system->rows.items[i];
        a->is_open[i] = a->is_open[i] && (!row->is_start || row->is_fixed);
    }
    for (int body = 0; body < a->n / 3; body++) {
        is_settled[body] = a->system->masses.items[body].is_fixed[M2D_ANGLE];
    }
    m2d__residual(a, q);
    m2d__jacobian(a, q);
    while (settle_rows(a, is_settled, rows, q) || settle_one(a, is_settled, rows)) {
    }
    memcpy(a->is_open, was_open, bytes);
}

ha_status m2d__take_turns(m2d_assembly *a, double *q)
{
    ha_ctx *ctx = a->system->ctx;
    bool *is_settled = NULL, *was_open = NULL;
    turn_row *rows = NULL;

    if (a->n_rows == 0) {
        return HA_OK;
    }
    is_settled = ha__alloc(ctx, (size_t) (a->n / 3), sizeof *is_settled);
    was_open = ha__alloc(ctx, (size_t) a->n_rows, sizeof *was_open);
    rows = ha__alloc(ctx, (size_t) a->n_rows, sizeof *rows);
    bool is_good = is_settled != NULL && was_open != NULL && rows != NULL;
    if (is_good) {
        take(a, is_settled, was_open, rows, q);
    }
    HA_FREE(is_settled, was_open, rows);
    return is_good ? HA_OK : HA_ERR_MEMORY;
}
