/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order in which the segments of a tape run as loops.
 *
 * Segments of one pattern that stand one behind the other are one call, a loop over the rows of a
 * table. So the segments of a stretch of the tape are sorted: by their level, which is above the
 * levels of the segments whose values they read, and by their pattern within a level. A stretch is
 * so short that its values stay in a fast cache.
 */
#include <config.h>

#include "lib/tape/tape_loops.h"

#include "lib/core/sort.h"

#include <stdint.h>

enum { STRETCH = 4096 }; /* instructions */

/* What is ordered. */
typedef struct {
    ha__segments *segments;
    ha__patterns *patterns;
    ha__loops *loops;
    int *level;     /* (segments) */
    uint64_t *keys; /* (segments) for sorting: level and pattern */
    int *order;     /* (segments) */
} orderer;

/* A level above those of the segments from `begin` on that segment i reads. */
static int level_of(const orderer *o, int begin, int i)
{
    const ha__segments *s = o->segments;
    const ha__segment *segment = &s->items.items[i];
    int first = (int) (s->tape->n_inputs + s->tape->constants.count), level = 0;

    for (int at = segment->begin; at < segment->begin + segment->length; at++) {
        const ha__instruction *in = &s->code[at];
        const int slots[3] = { in->a, in->b, in->c }; /* one that is not there is 0, an input */
        for (int k = 0; k < 3; k++) {
            int source = slots[k] < first ? -1 : s->segment[slots[k] - first];
            if (source >= begin && source != i && o->level[source] >= level) {
                level = o->level[source] + 1;
            }
        }
    }
    return level;
}

/* A row of a pattern: another one of the last call, or of a new one. */
static ha_status add_row(orderer *o, int pattern, const int *row, size_t n)
{
    ha__loops *loops = o->loops;
    ha_ctx *ctx = o->patterns->ctx;

    HA_TRY_ROOM(ctx, &loops->table, n);
    for (size_t k = 0; k < n; k++) {
        loops->table.items[loops->table.count++] = row[k];
    }
    if (loops->items.count == 0 || loops->items.items[loops->items.count - 1].pattern != pattern) {
        HA_TRY_PUSH(ctx, &loops->items, (ha__loop){ pattern, 0 });
    }
    loops->items.items[loops->items.count - 1].n++;
    return HA_OK;
}

static ha_status order_stretch(orderer *o, int begin, int end)
{
    ha__segments *s = o->segments;
    size_t n = (size_t) (end - begin);

    for (int i = begin; i < end; i++) {
        o->level[i] = level_of(o, begin, i);
        o->order[i] = i;
        o->keys[i] = (uint64_t) o->level[i] << 32 | (uint64_t) s->items.items[i].pattern;
    }
    HA_TRY(ha__sort_by_keys(o->patterns->ctx, n, o->keys + begin, o->order + begin));
    for (int i = begin; i < end; i++) {
        HA_TRY(ha__segments_read(s, o->order[i]));
        HA_TRY(add_row(o, s->items.items[o->order[i]].pattern, s->row.items, s->row.count));
    }
    return HA_OK;
}

/* The roots that no segment gives: inputs, constants, values of other roots or of instructions that
   are apart. */
static ha_status add_copies(orderer *o)
{
    const ha__segments *s = o->segments;
    const ha__tape *tape = s->tape;
    size_t first = tape->n_inputs + tape->constants.count;
    int copy = 0;

    HA_TRY(ha__patterns_find(o->patterns, NULL, 0, &copy));
    for (size_t i = 0; i < tape->roots.count; i++) {
        int slot = tape->roots.items[i];
        if ((size_t) slot < first || s->root[(size_t) slot - first] != (int) i + 1) {
            HA_TRY(add_row(o, copy, (const int[]){ slot, (int) i }, 2));
            o->patterns->items.items[copy].is_used = true;
        }
    }
    return HA_OK;
}

static ha_status order_all(orderer *o)
{
    int n = (int) o->segments->items.count, begin = 0, length = 0;
    ha_ctx *ctx = o->patterns->ctx;

    HA_TRY_ALLOC_EACH(ctx, n, o->level, o->keys, o->order);
    for (int i = 0; i < n; i++) {
        length += o->segments->items.items[i].length;
        if (length >= STRETCH || i == n - 1) {
            HA_TRY(order_stretch(o, begin, i + 1));
            begin = i + 1;
            length = 0;
        }
    }
    return add_copies(o);
}

ha_status ha__loops_order(ha__segments *segments, ha__patterns *patterns, ha__loops *loops)
{
    orderer o = { .segments = segments, .patterns = patterns, .loops = loops };
    ha_status status = order_all(&o);

    HA_FREE(o.level, o.keys, o.order);
    return status;
}

void ha__loops_clear(ha__loops *loops)
{
    HA_ARRAY_CLEAR(&loops->items, &loops->table);
}
