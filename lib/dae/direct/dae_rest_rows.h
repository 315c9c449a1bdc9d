/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which rows and unknowns of a system play which part at rest. The matrix has been evaluated. Not
   installed. */
#ifndef LIB_DAE_REST_ROWS_H
#define LIB_DAE_REST_ROWS_H

#include "lib/dae/dae_start_matrix.h"

/* The only velocity that moves a position; -1: there are none or several. */
int ha__velocity_of(const ha_dae *dae, const ha__start_matrix *matrix, int position);

/* Velocities that have to vanish at rest; zero-initialised is empty. */
typedef struct ha__stops {
    bool *is;      /* (dae->n) of each unknown, whether it is one */
    int n;         /* number of these */
    int *velocity; /* (n) each behind those that its row has besides it, */
    int *row;      /* (n) and the row that says so, of a position */
} ha__stops;

/* Finds them; to be freed with ha__stops_clear(), also on failure. */
HA_MUST_CHECK ha_status ha__find_stops(ha_ctx *ctx, const ha_dae *dae,
                                       const ha__start_matrix *matrix, ha__stops *stops);

/* Frees them. */
void ha__stops_clear(ha__stops *stops);

/* Says of each row whether it is a condition on velocities that all vanish at rest: what a motion
   that is prescribed as a function of time would have them do does not count, since the time stands
   still. One that is switched is such a condition only where it holds. `is_kept` (n), false at
   first. */
void ha__find_kept(const ha_dae *dae, const bool *stops, bool *is_kept);

/* Which rows hold an unknown instead of being solved: the balance of momentum of a position that is
   held (`is_held` (n), NULL: none), and the integral of an observer. `pin` (n), by row: the
   unknown, -1: it is an equation. HA_ERR_ARGUMENT where a position cannot be held. */
HA_MUST_CHECK ha_status ha__choose_pins(ha_ctx *ctx, const ha_dae *dae,
                                        const ha__start_matrix *matrix, const bool *is_held,
                                        int *pin);

#endif
