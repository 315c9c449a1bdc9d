/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A set of numbers from which the lowest is taken.
 *
 * Bit i of level 0 says that i is there, bit i of the next level that word i of the one below has a
 * bit, up to a level of one word: a number is found in as many steps as there are levels, three for
 * a quarter of a million numbers, and a million of them lie in 128 kB.
 */
#include <config.h>

#include "lib/graph/lowest.h"

#include "lib/core/mem.h"

enum { WORD = 64 };

ha_status ha__lowest_init(ha_ctx *ctx, ha__lowest *set, size_t n)
{
    *set = (ha__lowest){ 0 };
    do {
        n = n == 0 ? 1 : (n - 1) / WORD + 1;
        HA_TRY_ALLOC(ctx, set->words[set->n_levels], n);
        set->n_levels++;
    } while (n > 1);
    return HA_OK;
}

void ha__lowest_clear(ha__lowest *set)
{
    for (int level = 0; level < set->n_levels; level++) {
        ha__free(set->words[level]);
    }
    *set = (ha__lowest){ 0 };
}

bool ha__lowest_is_empty(const ha__lowest *set)
{
    return set->words[set->n_levels - 1][0] == 0;
}

void ha__lowest_add(ha__lowest *set, int number)
{
    bool was_empty = true;

    for (int level = 0; level < set->n_levels && was_empty; level++) {
        uint64_t *word = &set->words[level][number / WORD];
        was_empty = *word == 0;
        *word |= UINT64_C(1) << (number % WORD);
        number /= WORD;
    }
}

/* The number of the lowest bit of a word that is not 0: multiplied by that bit, a sequence in which
   each six bits in a row are different ones (de Bruijn) is shifted by the number. */
static int lowest_bit(uint64_t word)
{
    static const signed char numbers[WORD] = {
        0,  1,  48, 2,  57, 49, 28, 3,  61, 58, 50, 42, 38, 29, 17, 4,  62, 55, 59, 36, 53, 51,
        43, 22, 45, 39, 33, 30, 24, 18, 12, 5,  63, 47, 56, 27, 60, 41, 37, 16, 54, 35, 52, 21,
        44, 32, 23, 11, 46, 26, 40, 15, 34, 20, 31, 10, 25, 14, 19, 9,  13, 8,  7,  6,
    };

    return numbers[(word & (~word + 1)) * UINT64_C(0x03F79D71B4CB0A89) >> 58];
}

int ha__lowest_take(ha__lowest *set)
{
    int number = 0;
    bool is_empty = true;

    for (int level = set->n_levels - 1; level >= 0; level--) {
        number = WORD * number + lowest_bit(set->words[level][number]);
    }
    for (int level = 0, i = number; level < set->n_levels && is_empty; level++) {
        uint64_t *word = &set->words[level][i / WORD];
        *word &= ~(UINT64_C(1) << (i % WORD));
        is_empty = *word == 0;
        i /= WORD;
    }
    return number;
}
