/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The hash of tables and of names in the cache. Not installed.
 *
 * Words w_1, w_2, ... of 64 bits go in one after the other,
 *
 *     h = (h ^ w) c,  h = h ^ (h >> 29),
 *
 * with c odd, 2^64 by the golden ratio: the product carries each bit of a word upwards, the shift
 * brings the high bits down again. For given words each step is one-to-one in h.
 */
#ifndef LIB_HASH_H
#define LIB_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The hash that has seen one more word. A hash begins with any value, such as 0. */
static inline uint64_t ha__hash_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

/* The hash that has seen some bytes: their number, and 8 at a time, the last ones padded with
   zeros. */
static inline uint64_t ha__hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;

    hash ^= length;
    for (size_t i = 0; i < length; i += sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, at + i, length - i < sizeof word ? length - i : sizeof word);
        hash = ha__hash_word(hash, word);
    }
    return hash;
}

/* A hash whose low bits, which choose the slot of a table, depend on all of it. */
static inline size_t ha__hash_fold(uint64_t hash)
{
    return (size_t) (hash ^ hash >> 32);
}

#endif
