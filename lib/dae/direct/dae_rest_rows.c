/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which rows and unknowns of a system play which part at rest.
 *
 * Velocities that have to vanish follow from the rows of positions: q' = v and no more says v = 0,
 * and then q' = v2 - v says v2 = 0. A row q' = v - q / T says nothing of the kind.
 */
#include <config.h>

#include "lib/dae/direct/dae_rest_rows.h"

#include <string.h>

static bool is_differential(const ha_dae *dae, int j)
{
    return dae->unknowns[j].kind == HA_DIFFERENTIAL;
}

static bool is_velocity(const ha_dae *dae, int j)
{
    return dae->unknowns[j].motion == HA_VELOCITY;
}

/* The row of a differential unknown that acts on nothing, as one that only integrates; -1. */
static int row_of_observer(const ha_dae *dae, const ha__start_matrix *matrix, int j)
{
    int row = -1;

    for (int64_t k = dae->column_start[j]; is_differential(dae, j) && k < dae->column_start[j + 1];
         k++) {
        bool is_other = matrix->by_yp[k] != 0.0 && row >= 0;
        if (matrix->by_y[k] != 0.0 || is_other) {
            return -1;
        }
        row = matrix->by_yp[k] != 0.0 ? (int) dae->row[k] : row;
    }
    return row;
}

int ha__velocity_of(const ha_dae *dae, const ha__start_matrix *matrix, int position)
{
    int found = -1, n = 0;

    for (int j = 0; j < dae->n; j++) {
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            if (dae->row[k] == position && matrix->by_y[k] != 0.0) {
                found = is_velocity(dae, j) ? j : found;
                n++;
            }
        }
    }
    return n == 1 ? found : -1;
}

/* What moves the position of each row. */
typedef struct {
    int n;        /* velocities that do and are not known to vanish, */
    int sum;      /* and the sum of their numbers: of one that is left, its number */
    bool is_else; /* something else does as well */
} movers;

static void find_movers(const ha_dae *dae, const ha__start_matrix *matrix, movers *of)
{
    for (int j = 0; j < dae->n; j++) {
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            movers *m = &of[dae->row[k]];
            if (dae->row[k] == j || !is_velocity(dae, j)) {
                m->is_else |= dae->row[k] != j || matrix->by_y[k] != 0.0;
            } else {
                m->n++;
                m->sum += j;
            }
        }
    }
}

/* The velocity that row i says vanishes; -1: it says nothing of the kind. */
static int stopped_by(const ha_dae *dae, const movers *of, int i)
{
    bool is_position = is_differential(dae, i) && dae->unknowns[i].motion == HA_POSITION;

    return is_position && of[i].n == 1 && !of[i].is_else ? of[i].sum : -1;
}

static void add(ha__stops *stops, int row, int velocity)
{
    stops->is[velocity] = true;
    stops->velocity[stops->n] = velocity;
    stops->row[stops->n++] = row;
}

/* The velocity of a row vanishes: so do those that are left beside it elsewhere. */
static void stop(const ha_dae *dae, movers *of, int row, ha__stops *stops)
{
    int first = stops->n;

    add(stops, row, of[row].sum);
    while (first < stops->n) {
        int j = stops->velocity[first++];
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            int i = (int) dae->row[k];
            of[i].n -= i != j ? 1 : 0;
            of[i].sum -= i != j ? j : 0;
            int next = stopped_by(dae, of, i);
            if (next >= 0 && !stops->is[next]) {
                add(stops, i, next);
            }
        }
    }
}

ha_status ha__find_stops(ha_ctx *ctx, const ha_dae *dae, const ha__start_matrix *matrix,
                         ha__stops *stops)
{
    movers *of = NULL;

    HA_TRY_ALLOC_EACH(ctx, dae->n, stops->is, stops->velocity, stops->row, of);
    find_movers(dae, matrix, of);
    for (int i = 0; i < dae->n; i++) {
        int velocity = stopped_by(dae, of, i);
        if (velocity >= 0 && !stops->is[velocity]) {
            stop(dae, of, i, stops);
        }
    }
    ha__free(of);
    return HA_OK;
}

void ha__stops_clear(ha__stops *stops)
{
    HA_FREE(stops->is, stops->velocity, stops->row);
    *stops = (ha__stops){ 0 };
}

void ha__find_kept(const ha_dae *dae, const bool *stops, bool *is_kept)
{
    for (int i = 0; i < dae->n_conditions; i++) {
        is_kept[dae->condition_row[i]] = dae->lacks_place[i] == 0;
    }
    for (int i = 0; i < dae->n && dae->is_switched != NULL; i++) {
        is_kept[i] = is_kept[i] || dae->is_switched[i] != 0;
    }
    for (int j = 0; j < dae->n; j++) {
        bool is_free = is_velocity(dae, j) && !stops[j];
        for (int64_t k = dae->column_start[j]; is_free && k < dae->column_start[j + 1]; k++) {
            is_kept[dae->row[k]] = false;
        }
    }
}

ha_status ha__choose_pins(ha_ctx *ctx, const ha_dae *dae, const ha__start_matrix *matrix,
                          const bool *is_held, int *pin)
{
    memset(pin, -1, (size_t) dae->n * sizeof *pin);
    for (int j = 0; j < dae->n; j++) {
        bool is_kept = is_held != NULL && is_held[j];
        int row = is_kept                                   ? ha__velocity_of(dae, matrix, j)
                  : dae->unknowns[j].motion == HA_NO_MOTION ? row_of_observer(dae, matrix, j)
                                                            : -1;
        if (row >= 0) {
            pin[row] = is_kept ? row : j;
        } else if (is_kept) {
            return ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                           "`%s` cannot be held: it is no position that one velocity moves",
                           dae->unknowns[j].name);
        }
    }
    return HA_OK;
}
