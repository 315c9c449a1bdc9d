/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Overflow-checked allocation through the context, growable arrays and arenas.
 *
 * The arrays of a large model are walked through a few times each: to have the system map and clear
 * them page by page takes as long as a walk. Large blocks are asked for in large pages, where the
 * system has them.
 */
#include <config.h>

#include "lib/core/mem.h"

#include "lib/core/context_priv.h"
#include "lib/core/format.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_MADVISE
#include <sys/mman.h>
#include <unistd.h>
#endif

enum { LARGE_BLOCK = 4 * 1024 * 1024 /* two large pages of most systems; bytes */ };

/* Asks for large pages where a block is large: advice, on which nothing but time depends. */
static void advise(void *block, size_t bytes)
{
#if defined(HAVE_MADVISE) && defined(MADV_HUGEPAGE)
    long page = bytes < LARGE_BLOCK ? -1 : sysconf(_SC_PAGESIZE);

    if (block != NULL && page > 0) {
        size_t inside = (size_t) page - (uintptr_t) block % (size_t) page; /* to the next page */
        int before = errno;
        (void) madvise((char *) block + inside, bytes - inside, MADV_HUGEPAGE);
        errno = before;
    }
#else
    (void) block, (void) bytes;
#endif
}

/* Bytes of count * size, at least 1; 0 when they do not fit into a size_t. */
static size_t bytes_of(size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX - 1) / size) {
        return 0;
    }
    return count * size == 0 ? 1 : count * size;
}

void *ha__alloc(ha_ctx *ctx, size_t count, size_t size)
{
    size_t bytes = bytes_of(count, size);
    void *block = bytes != 0 && ha__ctx_may_allocate(ctx) ? calloc(1, bytes) : NULL;

    if (block == NULL) {
        ha__ctx_out_of_memory(ctx);
    }
    advise(block, bytes);
    return block;
}

void *ha__resize(ha_ctx *ctx, void *block, size_t count, size_t size)
{
    size_t bytes = bytes_of(count, size);
    void *moved = bytes != 0 && ha__ctx_may_allocate(ctx) ? realloc(block, bytes) : NULL;

    if (moved == NULL) {
        ha__ctx_out_of_memory(ctx);
    }
    advise(moved, bytes);
    return moved;
}

void ha__free(void *block)
{
    free(block);
}

ha_status ha__then_free(ha_status status, void *block)
{
    ha__free(block);
    return status;
}

void ha__free_all(void *const *blocks, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ha__free(blocks[i]);
    }
}

char *ha__copy_text(ha_ctx *ctx, const char *text, size_t length)
{
    char *copy = ha__alloc(ctx, length + 1, 1);

    if (copy != NULL) {
        memcpy(copy, text, length);
    }
    return copy;
}

void *ha__room(ha_ctx *ctx, void *items, size_t count, size_t extra, size_t *capacity, size_t size)
{
    if (items != NULL && *capacity - count >= extra) {
        return items;
    }
    if (extra > SIZE_MAX / 4 - count) {
        ha__ctx_out_of_memory(ctx);
        return NULL;
    }

    size_t wanted = 2 * count > count + extra ? 2 * count : count + extra;
    wanted = wanted < 8 ? 8 : wanted;
    void *moved = ha__resize(ctx, items, wanted, size);
    if (moved != NULL) {
        *capacity = wanted;
    }
    return moved;
}

/* A block of an arena; the pieces follow its head. */
struct ha__arena_block {
    struct ha__arena_block *next;
    size_t size;
    max_align_t pieces[];
};

/* Bytes of an arena's first block; each further one has twice as many, up to a most: few pieces do
   not make the system map and clear pages for many. */
enum { FIRST_BLOCK = 1024, MOST_BLOCK = 16 * 1024, ARENA_ALIGN = sizeof(max_align_t) };

/* Room of an arena's next block. */
static size_t next_room(const ha__arena *arena, size_t bytes)
{
    size_t last = arena->blocks == NULL ? FIRST_BLOCK / 2 : arena->blocks->size;
    size_t room = last < MOST_BLOCK / 2 ? 2 * last : MOST_BLOCK;

    return bytes > room ? bytes : room;
}

/* `bytes` bytes behind the last piece, moved up to a multiple of `align`. */
static void *take(ha_ctx *ctx, ha__arena *arena, size_t bytes, size_t align)
{
    size_t start = (arena->used + align - 1) / align * align;

    if (bytes == 0 || bytes > SIZE_MAX / 2) {
        ha__ctx_out_of_memory(ctx);
        return NULL;
    }
    if (arena->blocks == NULL || start > arena->blocks->size ||
        arena->blocks->size - start < bytes) {
        size_t room = next_room(arena, bytes);
        struct ha__arena_block *block = ha__alloc(ctx, 1, sizeof *block + room);
        if (block == NULL) {
            return NULL;
        }
        block->next = arena->blocks;
        block->size = room;
        arena->blocks = block;
        start = 0;
    }
    arena->used = start + bytes;
    return (char *) arena->blocks->pieces + start;
}

/* The size of a type is a multiple of its alignment, which is a power of two. */
static size_t alignment_of(size_t size)
{
    size_t lowest = size & (~size + 1); /* its lowest bit */

    return lowest == 0 || lowest > ARENA_ALIGN ? ARENA_ALIGN : lowest;
}

void *ha__arena_alloc(ha_ctx *ctx, ha__arena *arena, size_t count, size_t size)
{
    return take(ctx, arena, bytes_of(count, size), alignment_of(size));
}

char *ha__arena_text(ha_ctx *ctx, ha__arena *arena, const char *text, size_t length)
{
    char *copy = take(ctx, arena, length + 1, 1); /* texts lie close together */

    if (copy != NULL) {
        memcpy(copy, text, length);
    }
    return copy;
}

char *ha__arena_join(ha_ctx *ctx, ha__arena *arena, const char *const parts[3])
{
    size_t lengths[3] = { strlen(parts[0]), strlen(parts[1]), strlen(parts[2]) };
    char *text = take(ctx, arena, lengths[0] + lengths[1] + lengths[2] + 1, 1);

    if (text != NULL) {
        memcpy(text, parts[0], lengths[0]);
        memcpy(text + lengths[0], parts[1], lengths[1]);
        memcpy(text + lengths[0] + lengths[1], parts[2], lengths[2] + 1);
    }
    return text;
}

char *ha__arena_format(ha_ctx *ctx, ha__arena *arena, const char *format, ...)
{
    char brief[128]; /* most texts are names: they are formatted once */
    va_list arguments;

    va_start(arguments, format);
    int length = ha__vformat(brief, sizeof brief, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : take(ctx, arena, (size_t) length + 1, 1);
    if (text != NULL && (size_t) length < sizeof brief) {
        memcpy(text, brief, (size_t) length + 1);
    } else if (text != NULL) {
        va_start(arguments, format);
        (void) ha__vformat(text, (size_t) length + 1, format, arguments);
        va_end(arguments);
    }
    return text;
}

void ha__arena_clear(ha__arena *arena)
{
    while (arena->blocks != NULL) {
        struct ha__arena_block *next = arena->blocks->next;
        ha__free(arena->blocks);
        arena->blocks = next;
    }
    arena->used = 0;
}
