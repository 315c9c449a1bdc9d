/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names and numbers: each different name gets the next number from 0. Not installed. */
#ifndef LIB_SYMTAB_H
#define LIB_SYMTAB_H

#include "lib/core/mem.h"

#include <stdint.h>

/* A slot of the hash table. */
typedef struct ha__symtab_slot {
    int entry;     /* number + 1, 0: empty */
    uint32_t hash; /* of its name, which is looked at only when this agrees */
} ha__symtab_slot;

/* A table of names. Zero-initialised is empty; freed with ha__symtab_clear(). */
typedef struct ha__symtab {
    ha__arena arena;
    HA_ARRAY(const char *) names; /* by number */
    ha__symtab_slot *slots;       /* hash table; linear probing */
    size_t n_slots;               /* a power of two */
} ha__symtab;

/* The number of a name, a new one when the name is new (`*is_new`, may be NULL, says so). */
HA_MUST_CHECK ha_status ha__symtab_add(ha_ctx *ctx, ha__symtab *table, const char *name,
                                       size_t length, int *out, int *is_new);

/* The number of a name, -1 when it is not there. */
int ha__symtab_find(const ha__symtab *table, const char *name, size_t length);

/* The name of a number; borrowed from the table. */
const char *ha__symtab_name(const ha__symtab *table, int number);

/* The name of the table that is nearest to `name` in spelling, NULL when none is near. */
const char *ha__symtab_nearest(const ha__symtab *table, const char *name);

/* Fills an empty table with the names of another, with their numbers. */
HA_MUST_CHECK ha_status ha__symtab_copy(ha_ctx *ctx, const ha__symtab *from, ha__symtab *to);

/* Frees the table and leaves it empty. */
void ha__symtab_clear(ha__symtab *table);

/* Number of edits (insert, delete, replace, swap of neighbours) from a to b, at most `limit` + 1.
 */
int ha__edit_distance(const char *a, const char *b, int limit);

/* The one of `n` names that is nearest to `name`, NULL when none is near enough to suggest. */
const char *ha__nearest(const char *name, const char *const *names, size_t n);

#endif
