/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ideal joint: its rows hold exactly. A residual sink on their 0-junction asks for the flow
 * d phi / dt = 0; its effort is the multiplier lambda: M a + J^T lambda = f.
 */
#include <config.h>

#include "mech2d/expand/expand_priv.h"

static ha_status expand(m2d__expander *x, const m2d__connection *joint, m2d__rowset *set,
                        ha_expr reaction[3])
{
    ha_expr efforts[M2D__MAX_ROWS];

    (void) joint;
    HA_TRY(m2d__expand_rows(x, set));
    HA_TRY(m2d__add_sink(x, set, "joint", &set->sink));
    for (int k = 0; k < set->n; k++) {
        efforts[k] = bg_graph_signal(x->graph, set->sink, k, BG_SIGNAL_E);
    }
    m2d__add_reaction(x, set, efforts, reaction);
    return ha_dag_status(x->dag);
}

const m2d__joint_model m2d__joint_model_ideal = {
    .name = "ideal",
    .title = "The constraints hold exactly.",
    .is_exact = true,
    .expand = expand,
};
