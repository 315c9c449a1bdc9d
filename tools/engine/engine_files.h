/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine of pages that the program holds, made by embed.sh: the module, which `make wasm` made,
   and the script that runs it. */
#ifndef TOOLS_ENGINE_FILES_H
#define TOOLS_ENGINE_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* The module, in gzip format, `*length` bytes; NULL: the program was built without. */
const unsigned char *engine_module(size_t *length);

/* True of a module that was made of other sources than the program. */
bool engine_is_old(void);

/* engine.js: makeEngine(), behind a comment with the licences of all that is in the module. */
const char *engine_script(void);

#endif
