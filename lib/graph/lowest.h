/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A set of numbers 0 ... n - 1 from which the lowest is taken. Not installed. */
#ifndef LIB_LOWEST_H
#define LIB_LOWEST_H

#include "lib/context.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HA__LOWEST_LEVELS = 6 }; /* 64^6 numbers and more than an int has */

/* A set. Zero-initialised it is legal to clear. */
typedef struct ha__lowest {
    uint64_t *words[HA__LOWEST_LEVELS]; /* by level */
    int n_levels;
} ha__lowest;

/* Makes an empty set for numbers below `n`; to be cleared, also on failure. */
HA_MUST_CHECK ha_status ha__lowest_init(ha_ctx *ctx, ha__lowest *set, size_t n);

/* Frees a set. */
void ha__lowest_clear(ha__lowest *set);

/* True when nothing is in the set. */
bool ha__lowest_is_empty(const ha__lowest *set);

/* Adds a number. */
void ha__lowest_add(ha__lowest *set, int number);

/* Takes the lowest number out of a set that is not empty. */
int ha__lowest_take(ha__lowest *set);

#endif
