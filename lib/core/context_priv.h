/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the allocator needs of the context. Not installed. */
#ifndef LIB_CONTEXT_PRIV_H
#define LIB_CONTEXT_PRIV_H

#include "lib/context.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Counts an allocation; false when the test hook wants it to fail. */
bool ha__ctx_may_allocate(ha_ctx *ctx);

/* Adds the out-of-memory diagnostic once; needs no memory. */
void ha__ctx_out_of_memory(ha_ctx *ctx);

/* An object that a layer above keeps in the context, freed with it; there is one. NULL: none. */
void *ha__ctx_kept(const ha_ctx *ctx);

/* Keeps an object in a context that keeps none; `free_kept` frees it. */
void ha__ctx_keep(ha_ctx *ctx, void *kept, void (*free_kept)(void *kept));

/* Notes bytes that were read from a file. */
void ha__ctx_note_input(ha_ctx *ctx, const void *bytes, size_t length);

/* A hash of all that was read from files, in the order of reading. */
uint64_t ha__ctx_inputs(const ha_ctx *ctx);

/* Notes the name of a file that is about to be opened for reading. */
void ha__ctx_note_file(ha_ctx *ctx, const char *path);

/* The names noted, each with its zero, `*length` bytes in all; NULL: none. */
const char *ha__ctx_files(const ha_ctx *ctx, size_t *length);

/* Texts that stand for files (lib/core/input.h); borrowed, as long as the context lives. */
struct ha__given;
void ha__ctx_give(ha_ctx *ctx, const struct ha__given *given, size_t n);

/* The text that stands for the file of this name, NULL when there is none. */
const struct ha__given *ha__ctx_given(const ha_ctx *ctx, const char *path);

/* Takes back the diagnostics from number `first` on: another attempt went well, or says its own. */
void ha__ctx_forget(ha_ctx *ctx, size_t first);

/* Puts the last diagnostic, an error, before the error that was there last: it is the conclusion,
   and that one its note. */
void ha__ctx_conclude(ha_ctx *ctx);

/* Lets an interrupt that is asked of one context end the work done with another. */
void ha__ctx_share_interrupt(ha_ctx *to, const ha_ctx *from);

/* Names the entry of the user's that stands at a location; NULL: it has no name. */
typedef const char *(*ha__name_entry)(void *user, ha_where where);

/* Of the errors from number `first` on at one location, whose texts differ in the names `...`
   alone, keeps the first, which then tells of how many more it speaks: one entry stands for several
   objects. */
void ha__ctx_fold(ha_ctx *ctx, size_t first, ha__name_entry name, void *user);

#endif
