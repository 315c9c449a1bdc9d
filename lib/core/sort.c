/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sorting of many keys in linear time.
 *
 * Keys of 64 bits: by their bytes, the lowest first, counting how often each value of a byte occurs
 * (Knuth 5.2.5). Bytes that all keys share are passed over.
 *
 * Names: by their first 8 bytes as one key, the first byte the highest; those that are equal so far
 * by their next 8 bytes, and so on. A name that has ended is padded with zeros.
 */
#include <config.h>

#include "lib/core/sort.h"

#include "lib/core/mem.h"

#include <string.h>

enum { BYTE_VALUES = 256, KEY_BYTES = 8 };

/* Room for one pass. */
typedef struct {
    uint64_t *keys;
    int *values;
} spare;

/* Sorts by one byte into `to`. */
static void sort_by_byte(size_t n, int byte, const size_t counts[BYTE_VALUES], const uint64_t *keys,
                         const int *values, spare *to)
{
    size_t next[BYTE_VALUES];

    next[0] = 0;
    for (int b = 1; b < BYTE_VALUES; b++) {
        next[b] = next[b - 1] + counts[b - 1];
    }
    for (size_t i = 0; i < n; i++) {
        size_t to_at = next[keys[i] >> (8 * byte) & 255u]++;
        to->keys[to_at] = keys[i];
        to->values[to_at] = values[i];
    }
}

/* Few keys: each is moved down to where it belongs. */
static void sort_few(size_t n, uint64_t *keys, int *values)
{
    for (size_t i = 1; i < n; i++) {
        uint64_t key = keys[i];
        int value = values[i];
        size_t k = i;
        for (; k > 0 && keys[k - 1] > key; k--) {
            keys[k] = keys[k - 1];
            values[k] = values[k - 1];
        }
        keys[k] = key;
        values[k] = value;
    }
}

static void sort_with(size_t n, uint64_t *keys, int *values, spare *other)
{
    enum { FEW = 24 };
    size_t counts[KEY_BYTES][BYTE_VALUES];
    uint64_t *first_keys = keys;
    int *first_values = values;

    if (n <= FEW) {
        sort_few(n, keys, values);
        return;
    }
    memset(counts, 0, sizeof counts);
    for (size_t i = 0; i < n; i++) {
        for (int byte = 0; byte < KEY_BYTES; byte++) {
            counts[byte][keys[i] >> (8 * byte) & 255u]++;
        }
    }
    for (int byte = 0; byte < KEY_BYTES; byte++) {
        if (counts[byte][keys[0] >> (8 * byte) & 255u] == n) {
            continue;
        }
        sort_by_byte(n, byte, counts[byte], keys, values, other);
        spare swap = { keys, values };
        keys = other->keys;
        values = other->values;
        *other = swap;
    }
    if (keys != first_keys) {
        memcpy(first_keys, keys, n * sizeof *keys);
        memcpy(first_values, values, n * sizeof *values);
        *other = (spare){ keys, values };
    }
}

static ha_status spare_init(ha_ctx *ctx, size_t n, spare *other)
{
    *other = (spare){ ha__alloc(ctx, n, sizeof(uint64_t)), ha__alloc(ctx, n, sizeof(int)) };
    return other->keys == NULL || other->values == NULL ? HA_ERR_MEMORY : HA_OK;
}

static void spare_clear(spare *other)
{
    HA_FREE(other->keys, other->values);
}

ha_status ha__sort_by_keys(ha_ctx *ctx, size_t n, uint64_t *keys, int *values)
{
    spare other;
    ha_status status = spare_init(ctx, n, &other);

    if (status == HA_OK) {
        sort_with(n, keys, values, &other);
    }
    spare_clear(&other);
    return status;
}

void ha__group(int n, const int *group, const int *item, int n_groups, int *start, int *list)
{
    for (int k = 0; k < n; k++) {
        start[group[k] + 1]++;
    }
    for (int g = 0; g < n_groups; g++) {
        start[g + 1] += start[g];
    }
    for (int k = n - 1; k >= 0; k--) { /* each end moves down to the begin */
        list[--start[group[k] + 1]] = item == NULL ? k : item[k];
    }
    memmove(start, start + 1, (size_t) n_groups * sizeof *start);
    start[n_groups] = n;
}

/* --- names ----------------------------------------------------------------------------------- */

/* Names that are equal in their first `depth` bytes. */
typedef struct {
    size_t first, n, depth;
} stretch;

/* The 8 bytes of a name from `at`, which is not behind its end. */
static uint64_t bytes_at(const char *name, size_t at)
{
    uint64_t key = 0;

    for (int byte = 0; byte < KEY_BYTES; byte++) {
        key = key << 8 | (unsigned char) name[at];
        at += name[at] != '\0' ? 1 : 0;
    }
    return key;
}

typedef struct {
    ha_ctx *ctx;
    const char *const *names;
    int *order;
    uint64_t *keys;
    spare other;
    HA_ARRAY(stretch) pending;
} name_sort;

static ha_status sort_stretch(name_sort *x, stretch s)
{
    uint64_t *keys = x->keys + s.first;
    int *order = x->order + s.first;

    for (size_t i = 0; i < s.n; i++) {
        keys[i] = bytes_at(x->names[order[i]], s.depth);
    }
    sort_with(s.n, keys, order, &x->other);
    for (size_t i = 0, next = 0; i < s.n; i = next) {
        for (next = i + 1; next < s.n && keys[next] == keys[i]; next++) {
        }
        /* a key whose last byte is 0 has reached the end of the name */
        if (next - i > 1 && (keys[i] & 255u) != 0) {
            HA_TRY_PUSH(x->ctx, &x->pending,
                        (stretch){ s.first + i, next - i, s.depth + KEY_BYTES });
        }
    }
    return HA_OK;
}

static ha_status sort_all(name_sort *x, size_t n)
{
    HA_TRY(spare_init(x->ctx, n, &x->other));
    HA_TRY_ALLOC(x->ctx, x->keys, n);
    for (size_t i = 0; i < n; i++) {
        x->order[i] = (int) i;
    }
    HA_TRY_PUSH(x->ctx, &x->pending, (stretch){ 0, n, 0 });
    while (x->pending.count > 0) {
        stretch s = x->pending.items[--x->pending.count];
        HA_TRY(sort_stretch(x, s));
    }
    return HA_OK;
}

ha_status ha__sort_names(ha_ctx *ctx, int n, const char *const *names, int *order)
{
    name_sort x = { .ctx = ctx, .names = names, .order = order };
    ha_status status = sort_all(&x, (size_t) n);

    ha__free(x.keys);
    spare_clear(&x.other);
    HA_ARRAY_CLEAR(&x.pending);
    return status;
}
