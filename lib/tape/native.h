/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Machine code from C: compiles a text with the system's compiler and loads it. Not installed.
 *
 * What was compiled stays in a cache, $HALFARROW_CACHE or $XDG_CACHE_HOME/halfarrow or
 * $HOME/.cache/halfarrow, under a name that the text and the command line make.
 */
#ifndef LIB_NATIVE_H
#define LIB_NATIVE_H

#include "lib/context.h"

#include <stdbool.h>

/* A loaded library. */
typedef struct ha__native ha__native;

/*
 * Loads the library that the text makes, from the cache or by $CC (else `cc`); `*was_cached` tells
 * which. HA_ERR_PROCESS (no compiler, or it refused), HA_ERR_OUTPUT or HA_ERR_FILE (the cache
 * cannot be used), HA_ERR_INTERRUPTED, HA_ERR_MEMORY.
 */
HA_MUST_CHECK ha_status ha__native_load(ha_ctx *ctx, const char *text, size_t length,
                                        ha__native **out, bool *was_cached);

/* A function of the library, to be cast; NULL: there is none of this name. */
void (*ha__native_function(const ha__native *native, const char *name))(void);

/* Unloads it; NULL is legal. Its functions are gone then. */
void ha__native_free(ha__native *native);

#endif
