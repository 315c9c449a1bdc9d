/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Outputs at the operating point that jump or bend there (bondgraph/model/model_edges.c).
 *
 * On an edge the jump d of an output and the derivatives d_j of the jump have to vanish, beside the
 * derivatives h_j of the output. The point is within EDGE of the edge, so that
 *
 *   |d| <= 10 EDGE max |h_j|,   |d_j| <= SAME max |h_j| + (SAME / EDGE) |g|
 *
 * are those of an output that has a derivative there: x |x| at x = 1e-10 has d_j = 4e-10, |x|
 * has 2.
 */
#include <config.h>

#include "bondgraph/analysis/linear_priv.h"

#include <math.h>

/* The largest derivative of an output. */
static double largest_of(const bg__linearisation *l, int output)
{
    double largest = 0.0;

    for (int i = l->first_output; i < l->end_output; i++) {
        largest = l->m->linear[i].row == output ? fmax(largest, fabs(l->values[i])) : largest;
    }
    return largest;
}

/* `of`: the switching function, the jump, its derivatives. */
static bool has_derivative(const bg__linearisation *l, const bg__edge *edge, const double *of)
{
    const double largest = largest_of(l, edge->output);
    bool is_smooth = fabs(of[1]) <= 10.0 * BG__EDGE * largest;

    for (int i = 0; i < edge->n_bends; i++) {
        double most = BG__SAME * largest + BG__SAME / BG__EDGE * fabs(of[0]);
        is_smooth = is_smooth && fabs(of[2 + i]) <= most;
    }
    return is_smooth;
}

static ha_status refuse(const bg__linearisation *l, const bg__edge *edge, double g)
{
    return ha_fail(l->ctx, HA_ERR_VALUE, HA_NOWHERE,
                   "the output `%s` cannot be linearised here: its condition `%s` > 0 is on its "
                   "edge (%g), and on both sides the output has other values or derivatives; move "
                   "the operating point with --at, take one side with --force, or leave this "
                   "output out",
                   l->m->dae.outputs[edge->output].name, edge->text,
                   bg__linear_compared(g, edge->is_turned));
}

ha_status bg__linear_check_outputs(bg__linearisation *l)
{
    const bg_model *m = l->m;
    double *values = NULL;
    ha_status status = HA_OK;
    size_t n = 0;

    if (m->n_edges == 0) {
        return HA_OK;
    }
    for (int k = 0; k < m->n_edges; k++) {
        n += 2 + (size_t) m->edges[k].n_bends;
    }
    HA_TRY_ALLOC(l->ctx, values, n);
    ha__tape_run(m->tapes[BG__TAPE_EDGE],
                 bg__linear_put(l, BG__TAPE_EDGE, l->point->t, l->y, l->yp), values);
    const double *of = values;
    for (int k = 0; k < m->n_edges && status == HA_OK; k++) {
        const bg__edge *edge = &m->edges[k];
        bool is_on_edge = fabs(of[0]) <= BG__EDGE && !l->point->force;
        status = is_on_edge && !has_derivative(l, edge, of) ? refuse(l, edge, of[0]) : HA_OK;
        HA_THEN(status, bg__linear_list_side(l, edge->text, edge->is_turned, of[0] >= 0.0));
        of += 2 + edge->n_bends;
    }
    ha__free(values);
    return status;
}
