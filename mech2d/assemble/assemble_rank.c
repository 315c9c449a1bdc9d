/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks of the constraints at the assembled positions: of those on positions, which leave the
 * mobility of positions, and of all, which leave that of velocities.
 */
#include <config.h>

#include "mech2d/assemble/assemble_priv.h"

/* Takes the elastic rows out of those that were found dependent. */
static void keep_redundant(m2d_assembly *a, int n_dependent)
{
    a->n_redundant = 0;
    for (int i = 0; i < n_dependent; i++) {
        const m2d__constraint *row = &a->system->rows.items[a->redundant[i]];
        if (!row->is_elastic && !row->is_start) {
            a->redundant[a->n_redundant++] = a->redundant[i];
        }
    }
}

/* Rank of the constraints at the assembled positions, with those on velocities or without, angles
   counted as displacements at the model length. */
static ha_status rank_of(m2d_assembly *a, bool without_rates, int *rank)
{
    const ha__matrix matrix = m2d__matrix_of(a);
    const ha__rank_options options = { .column_scale = a->free_scale, .room = &a->rank_room };

    a->seeks_rates = !without_rates;
    m2d__open_rows(a, true);
    m2d__jacobian(a, a->q);
    for (int j = 0; j < a->n; j++) {
        a->free_scale[j] = j % 3 == 2 ? 1.0 / a->system->length : 1.0;
    }
    HA_TRY(m2d__check_finite(a));
    if (a->n > 0 && a->n_rows > 0) {
        HA_TRY(ha__rank(a->system->ctx, &matrix, &options, rank, a->redundant));
    }
    return HA_OK;
}

ha_status m2d__find_rank(m2d_assembly *a)
{
    HA_TRY(rank_of(a, true, &a->position_rank));
    if (m2d_system_n_rates(a->system) > 0) {
        HA_TRY(rank_of(a, false, &a->rank));
    } else {
        a->rank = a->position_rank;
    }
    keep_redundant(a, a->n_rows - a->rank);
    a->is_ranked = true;
    return HA_OK;
}
