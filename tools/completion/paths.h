/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a shell offers as a path into a model file. */
#ifndef TOOLS_COMPLETION_PATHS_H
#define TOOLS_COMPLETION_PATHS_H

#include "lib/context.h"

/*
 * Prints the paths to the values of a model file, as `bodies.rod.mass`, a line each with `end` and
 * the value behind it: those that begin as `word` does behind its first `length` bytes, which are
 * printed before each. Nothing of a file that is none.
 */
void paths_print(ha_ctx *ctx, const char *file, const char *word, int length, const char *end);

#endif
