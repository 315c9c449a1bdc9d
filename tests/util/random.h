/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers at random, the same ones in each run: Knuth's linear congruential generator of 64 bits,
 * whose low bits, which repeat soon, are mixed with the high ones. The state is the caller's; each
 * seed begins a sequence. Not installed.
 */
#ifndef TESTS_UTIL_RANDOM_H
#define TESTS_UTIL_RANDOM_H

#include <stdint.h>

/* 64 bits. */
static inline uint64_t random_bits(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state ^ *state >> 32;
}

/* One of 0 ... n - 1. */
static inline int random_below(uint64_t *state, int n)
{
    return (int) ((random_bits(state) >> 33) % (uint64_t) n);
}

/* In [low, high). */
static inline double random_in(uint64_t *state, double low, double high)
{
    return low + (high - low) * ((double) (random_bits(state) >> 11) * 0x1p-53);
}

#endif
