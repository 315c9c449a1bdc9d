/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Overflow-checked allocation through the context, growable arrays and arenas. Not installed.
 *
 * Every failure adds one HA_ERR_MEMORY diagnostic, which itself needs no memory.
 */
#ifndef LIB_MEM_H
#define LIB_MEM_H

#include "lib/context.h"

/* A zeroed block of count * size bytes; NULL after adding a diagnostic. A size of 0 gives a
   block. */
void *ha__alloc(ha_ctx *ctx, size_t count, size_t size);

/* Resizes `block` (may be NULL) to count * size bytes, new bytes undefined; NULL after adding a
   diagnostic, the old block then stays valid. */
void *ha__resize(ha_ctx *ctx, void *block, size_t count, size_t size);

/* Frees a block; NULL is legal. */
void ha__free(void *block);

/* Frees several blocks. */
void ha__free_all(void *const *blocks, size_t count);

/* Frees the blocks that are listed. */
#define HA_FREE(...)                                                                               \
    ha__free_all((void *const[]){ __VA_ARGS__ },                                                   \
                 sizeof((void *const[]){ __VA_ARGS__ }) / sizeof(void *))

/* Frees a block that has served a call, the first argument; returns the call's status. The block is
   there before the call: which argument is read first is not defined. */
HA_MUST_CHECK ha_status ha__then_free(ha_status status, void *block);

/* Ends the making of an object: `*out` gets it where `status` is HA_OK, else FREE does away with
   it; the value is `status`, a variable. */
#define HA_GIVE(status, object, FREE, out)                                                         \
    ((status) == HA_OK ? (void) (*(out) = (object)) : FREE(object), (status))

/* A copy of `length` bytes of `text` with a terminating zero; NULL after adding a diagnostic. */
char *ha__copy_text(ha_ctx *ctx, const char *text, size_t length);

/* A growable array of T, used as a struct member: HA_ARRAY(int) ids; zero-initialised is empty. */
#define HA_ARRAY(T)                                                                                \
    struct {                                                                                       \
        T *items;                                                                                  \
        size_t count;                                                                              \
        size_t capacity;                                                                           \
    }

/* Makes room for `extra` more items; returns the (moved) items or NULL after adding a diagnostic,
   the old block then stays valid. */
void *ha__room(ha_ctx *ctx, void *items, size_t count, size_t extra, size_t *capacity, size_t size);

/* Appends a value; returns HA_ERR_MEMORY from the calling function on failure. */
#define HA_TRY_PUSH(ctx, array, ...)                                                               \
    do {                                                                                           \
        HA_TRY_ROOM(ctx, array, 1);                                                                \
        (array)->items[(array)->count++] = __VA_ARGS__;                                            \
    } while (0)

/* Makes room for `extra` more items; returns HA_ERR_MEMORY from the calling function on failure. */
#define HA_TRY_ROOM(ctx, array, extra)                                                             \
    do {                                                                                           \
        if ((array)->items == NULL || (array)->capacity - (array)->count < (size_t) (extra)) {     \
            void *ha_room_ = ha__room((ctx), (array)->items, (array)->count, (size_t) (extra),     \
                                      &(array)->capacity, sizeof *(array)->items);                 \
            if (ha_room_ == NULL) {                                                                \
                return HA_ERR_MEMORY;                                                              \
            }                                                                                      \
            (array)->items = ha_room_;                                                             \
        }                                                                                          \
    } while (0)

/* do_(x) for each of one to eight x. */
#define HA_EACH_1(do_, x) do_(x)
#define HA_EACH_2(do_, x, ...) do_(x) HA_EACH_1(do_, __VA_ARGS__)
#define HA_EACH_3(do_, x, ...) do_(x) HA_EACH_2(do_, __VA_ARGS__)
#define HA_EACH_4(do_, x, ...) do_(x) HA_EACH_3(do_, __VA_ARGS__)
#define HA_EACH_5(do_, x, ...) do_(x) HA_EACH_4(do_, __VA_ARGS__)
#define HA_EACH_6(do_, x, ...) do_(x) HA_EACH_5(do_, __VA_ARGS__)
#define HA_EACH_7(do_, x, ...) do_(x) HA_EACH_6(do_, __VA_ARGS__)
#define HA_EACH_8(do_, x, ...) do_(x) HA_EACH_7(do_, __VA_ARGS__)
#define HA_EACH_NTH(_1, _2, _3, _4, _5, _6, _7, _8, name, ...) name
#define HA_EACH(do_, ...)                                                                          \
    HA_EACH_NTH(__VA_ARGS__, HA_EACH_8, HA_EACH_7, HA_EACH_6, HA_EACH_5, HA_EACH_4, HA_EACH_3,     \
                HA_EACH_2, HA_EACH_1, )                                                            \
    (do_, __VA_ARGS__)

/* do_(x, y) for each of one to four pairs. */
#define HA_PAIRS_2(do_, x, y) do_(x, y)
#define HA_PAIRS_4(do_, x, y, ...) do_(x, y) HA_PAIRS_2(do_, __VA_ARGS__)
#define HA_PAIRS_6(do_, x, y, ...) do_(x, y) HA_PAIRS_4(do_, __VA_ARGS__)
#define HA_PAIRS_8(do_, x, y, ...) do_(x, y) HA_PAIRS_6(do_, __VA_ARGS__)
#define HA_PAIRS(do_, ...)                                                                         \
    HA_EACH_NTH(__VA_ARGS__, HA_PAIRS_8, , HA_PAIRS_6, , HA_PAIRS_4, , HA_PAIRS_2, , )             \
    (do_, __VA_ARGS__)

/* Frees the items of one to eight arrays and leaves the arrays empty. */
#define HA_ARRAY_CLEAR(...)                                                                        \
    do {                                                                                           \
        HA_EACH(HA_ARRAY_CLEAR_ONE, __VA_ARGS__)                                                   \
    } while (0)
#define HA_ARRAY_CLEAR_ONE(array)                                                                  \
    ha__free((array)->items);                                                                      \
    (array)->items = NULL;                                                                         \
    (array)->count = (array)->capacity = 0;

/* Allocates zeroed items into one to four pointer lvalues, each followed by how many; returns
   HA_ERR_MEMORY from the calling function on failure. */
#define HA_TRY_ALLOC(ctx, ...)                                                                     \
    do {                                                                                           \
        ha_ctx *ha_ctx_ = (ctx);                                                                   \
        HA_PAIRS(HA_TRY_ALLOC_ONE, __VA_ARGS__)                                                    \
    } while (0)
#define HA_TRY_ALLOC_ONE(pointer, n_items)                                                         \
    (pointer) = ha__alloc(ha_ctx_, (size_t) (n_items), sizeof *(pointer));                         \
    HA_TRY_MEMORY(pointer);

/* The same for one to eight pointers, each to as many items of its own type. */
#define HA_TRY_ALLOC_EACH(ctx, n_items, ...)                                                       \
    do {                                                                                           \
        ha_ctx *ha_ctx_ = (ctx);                                                                   \
        size_t ha_n_items_ = (size_t) (n_items);                                                   \
        HA_EACH(HA_TRY_ALLOC_NEXT, __VA_ARGS__)                                                    \
    } while (0)
#define HA_TRY_ALLOC_NEXT(pointer) HA_TRY_ALLOC_ONE(pointer, ha_n_items_)

/* Returns HA_ERR_MEMORY from the calling function when a pointer is NULL. */
#define HA_TRY_MEMORY(pointer) HA_TRY((pointer) == NULL ? HA_ERR_MEMORY : HA_OK)

/* Puts what a call gives into the pointer lvalue; returns HA_ERR_MEMORY when it is NULL. */
#define HA_TRY_GET(pointer, ...) HA_TRY_MEMORY((pointer) = (__VA_ARGS__))

/* An arena: many small pieces that are freed together. Zero-initialised is empty. */
typedef struct ha__arena {
    struct ha__arena_block *blocks; /* newest first */
    size_t used;                    /* bytes used of the newest block */
} ha__arena;

/* `count` zeroed items of a type of `size` bytes, aligned for it, that live until
   ha__arena_clear(); NULL after adding a diagnostic. */
void *ha__arena_alloc(ha_ctx *ctx, ha__arena *arena, size_t count, size_t size);

/* A copy of a text in the arena; NULL after adding a diagnostic. */
char *ha__arena_text(ha_ctx *ctx, ha__arena *arena, const char *text, size_t length);

/* Three texts as one in the arena; NULL after adding a diagnostic. */
char *ha__arena_join(ha_ctx *ctx, ha__arena *arena, const char *const parts[3]);

/* A formatted text in the arena; NULL after adding a diagnostic. */
char *ha__arena_format(ha_ctx *ctx, ha__arena *arena, const char *format, ...) HA_PRINTF(3, 4);

/* Frees all pieces and leaves the arena empty. */
void ha__arena_clear(ha__arena *arena);

#endif
