/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names and numbers, and the nearest name for "did you mean". */
#include <config.h>

#include "lib/core/symtab.h"

#include "lib/core/hash.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static uint32_t hash_of(const char *name, size_t length)
{
    return (uint32_t) ha__hash_fold(ha__hash_bytes(0, name, length));
}

static bool is_name(const char *stored, const char *name, size_t length)
{
    size_t i = 0;

    while (i < length && stored[i] == name[i] && stored[i] != '\0') {
        i++;
    }
    return i == length && stored[i] == '\0';
}

/* The slot of a name, or the empty slot where it belongs. The table must have slots. */
static ha__symtab_slot *slot_of(const ha__symtab *table, const char *name, size_t length,
                                uint32_t hash)
{
    size_t last = table->n_slots - 1;
    size_t i = hash & last;

    while (table->slots[i].entry != 0 &&
           (table->slots[i].hash != hash ||
            !is_name(table->names.items[table->slots[i].entry - 1], name, length))) {
        i = (i + 1) & last;
    }
    return &table->slots[i];
}

/* Keeps the hash table at most half full. */
static ha_status grow(ha_ctx *ctx, ha__symtab *table)
{
    if (2 * (table->names.count + 1) <= table->n_slots) {
        return HA_OK;
    }

    size_t n_slots = table->n_slots == 0 ? 32 : 2 * table->n_slots;
    ha__symtab_slot *slots = ha__alloc(ctx, n_slots, sizeof *slots);
    HA_TRY_MEMORY(slots);
    for (size_t i = 0; i < table->n_slots; i++) {
        size_t to = table->slots[i].hash & (n_slots - 1);
        if (table->slots[i].entry == 0) {
            continue;
        }
        while (slots[to].entry != 0) {
            to = (to + 1) & (n_slots - 1);
        }
        slots[to] = table->slots[i];
    }
    ha__free(table->slots);
    table->slots = slots;
    table->n_slots = n_slots;
    return HA_OK;
}

ha_status ha__symtab_add(ha_ctx *ctx, ha__symtab *table, const char *name, size_t length, int *out,
                         int *is_new)
{
    uint32_t hash = hash_of(name, length);

    HA_TRY(grow(ctx, table));
    ha__symtab_slot *slot = slot_of(table, name, length, hash);
    bool is_known = slot->entry != 0;
    if (!is_known) {
        const char *copy = ha__arena_text(ctx, &table->arena, name, length);
        HA_TRY_MEMORY(copy);
        HA_TRY_PUSH(ctx, &table->names, copy);
        *slot = (ha__symtab_slot){ (int) table->names.count, hash };
    }
    if (is_new != NULL) {
        *is_new = !is_known;
    }
    *out = slot->entry - 1;
    return HA_OK;
}

ha_status ha__symtab_copy(ha_ctx *ctx, const ha__symtab *from, ha__symtab *to)
{
    if (from->n_slots == 0) {
        return HA_OK;
    }
    HA_TRY_ROOM(ctx, &to->names, from->names.count);
    for (size_t i = 0; i < from->names.count; i++) {
        const char *name = from->names.items[i];
        const char *copy = ha__arena_text(ctx, &to->arena, name, strlen(name));
        HA_TRY_MEMORY(copy);
        to->names.items[to->names.count++] = copy;
    }
    HA_TRY_ALLOC(ctx, to->slots, from->n_slots);
    memcpy(to->slots, from->slots, from->n_slots * sizeof *to->slots);
    to->n_slots = from->n_slots;
    return HA_OK;
}

int ha__symtab_find(const ha__symtab *table, const char *name, size_t length)
{
    return table->n_slots == 0 ? -1
                               : slot_of(table, name, length, hash_of(name, length))->entry - 1;
}

const char *ha__symtab_name(const ha__symtab *table, int number)
{
    return table->names.items[number];
}

const char *ha__symtab_nearest(const ha__symtab *table, const char *name)
{
    return ha__nearest(name, table->names.items, table->names.count);
}

void ha__symtab_clear(ha__symtab *table)
{
    ha__arena_clear(&table->arena);
    HA_ARRAY_CLEAR(&table->names);
    ha__free(table->slots);
    *table = (ha__symtab){ 0 };
}

/*
 * Optimal string alignment distance (Damerau 1964 without overlapping edits), by rows:
 * d[i][j] = min(d[i-1][j] + 1, d[i][j-1] + 1, d[i-1][j-1] + (a_i != b_j),
 *               d[i-2][j-2] + 1 if a_i = b_{j-1} and a_{i-1} = b_j).
 */
int ha__edit_distance(const char *a, const char *b, int limit)
{
    enum { LONGEST = 64 };
    int rows[3][LONGEST + 1];
    size_t n = strlen(a), m = strlen(b);

    if (n > LONGEST || m > LONGEST || (int) n - (int) m > limit || (int) m - (int) n > limit) {
        return limit + 1; /* each letter that one has more is an edit */
    }
    for (size_t j = 0; j <= m; j++) {
        rows[0][j] = (int) j;
    }
    for (size_t i = 1; i <= n; i++) {
        int *now = rows[i % 3], *last = rows[(i - 1) % 3], *before = rows[(i + 1) % 3];
        now[0] = (int) i;
        for (size_t j = 1; j <= m; j++) {
            int best = last[j - 1] + (a[i - 1] != b[j - 1]);
            best = last[j] + 1 < best ? last[j] + 1 : best;
            best = now[j - 1] + 1 < best ? now[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                best = before[j - 2] + 1 < best ? before[j - 2] + 1 : best;
            }
            now[j] = best;
        }
    }
    return rows[n % 3][m] <= limit ? rows[n % 3][m] : limit + 1;
}

/* True when two names differ in nothing but the case of their letters. */
static bool is_same_in_letters(const char *a, const char *b)
{
    while (*a != '\0' && tolower((unsigned char) *a) == tolower((unsigned char) *b)) {
        a++;
        b++;
    }
    return *a == *b;
}

/* A third of the letters of the longer name may differ, at least one and at most four. A name of
   one letter is like no other. */
static int allowed_distance(const char *a, const char *b)
{
    enum { MOST = 4 };
    size_t n = strlen(a), m = strlen(b), third = (n > m ? n : m) / 3;

    return n < 2 || m < 2 ? 0 : third < 1 ? 1 : third < MOST ? (int) third : MOST;
}

const char *ha__nearest(const char *name, const char *const *names, size_t n)
{
    const char *nearest = NULL;
    int least = INT_MAX;

    for (size_t i = 0; i < n; i++) {
        int limit = allowed_distance(name, names[i]);
        int distance =
            is_same_in_letters(name, names[i]) ? 0 : ha__edit_distance(name, names[i], limit);
        if (distance <= limit && distance < least) {
            nearest = names[i];
            least = distance;
        }
    }
    return nearest;
}
