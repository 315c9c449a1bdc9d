/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers at random, the same ones in each run: a linear congruential generator of 32 bits
 * (Numerical Recipes), for perturbations that only must have no special direction. The state is the
 * caller's; each seed begins a sequence. Not installed.
 */
#ifndef LIB_RANDOM_H
#define LIB_RANDOM_H

#include <stdint.h>

/* In [0, 1). */
static inline double ha__random(uint32_t *state)
{
    *state = *state * UINT32_C(1664525) + UINT32_C(1013904223);
    return 0x1p-32 * *state;
}

/* In [-1, 1). */
static inline double ha__random_sign(uint32_t *state)
{
    return 2.0 * ha__random(state) - 1.0;
}

#endif
