/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A system in which sampled values are what they are sampled from. Not installed. */
#ifndef LIB_DAE_HELD_H
#define LIB_DAE_HELD_H

#include "lib/dae/dae_priv.h"

typedef struct ha__held {
    const ha_dae *dae;
    ha_dae system;         /* the system with its pattern and Jacobian made larger */
    int64_t *column_start; /* (n + 1) of these */
    int64_t *row;          /* (column_start[n]) */
    int64_t *from;         /* (column_start[n]) place in the Jacobian of `dae`; -1: none */
    int *hold;             /* (column_start[n]) number of the hold in whose row it is; -1: none */
    bool *is_read;         /* (n) samples read this unknown */
    double *inner;         /* (entries of `dae`) */
    double *y;             /* (n) moved by next to nothing */
    double *above, *below; /* (n_holds) samples there */
    double *sample;        /* (n_holds) */
} ha__held;

/* Sets it up; to be freed with ha__held_clear(), also on failure. It may not be moved. */
HA_MUST_CHECK ha_status ha__held_init(ha__held *held, ha_ctx *ctx, const ha_dae *dae);

/* Frees it. */
void ha__held_clear(ha__held *held);

/* r (n) = F(t, y, y') with h - u in the rows of sampled values. */
void ha__held_residual(const ha__held *held, double *work, double t, const double *y,
                       const double *yp, double *r);

/* What samples read is no observer: its row is solved. `pin` (n) as in ha__choose_pins(). */
void ha__held_unpin(const ha__held *held, int *pin);

/* Fails where a value that is held from a moment of the motion on decides where the model rests:
   `by_y` is dF/dy of `system` there, sides[k] the side of switching function k. */
HA_MUST_CHECK ha_status ha__held_refuse(const ha__held *held, ha_ctx *ctx, const double *by_y,
                                        const signed char *sides);

#endif
