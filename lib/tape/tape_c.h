/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tapes as C, and machine code instead of tapes. Not installed. */
#ifndef LIB_TAPE_C_H
#define LIB_TAPE_C_H

#include "lib/core/strbuf.h"
#include "lib/tape/native.h"
#include "lib/tape/tape.h"

/* What machine code calls back. */
typedef struct ha__tape_host ha__tape_host;

/* A function that was compiled: does a part of what ha__tape_run() does, once for each of the n
   rows of a table of slots. */
typedef void (*ha__tape_code)(double *work, double *out, const ha__tape_host *host,
                              const int *table, size_t n);

/* Up to so many instructions, in all tapes together, the text is best straight: it runs up to twice
   as fast as loops, and a compiler takes at most about two seconds. */
enum { HA__STRAIGHT_MAX = 6000 };

/* The translation of several tapes. */
typedef struct ha__translation ha__translation;

/*
 * Translates tapes (n_tapes; NULL are left out): one instruction after the other when there are at
 * most `straight_max` of them, else as loops.
 */
HA_MUST_CHECK ha_status ha__translation_new(ha_ctx *ctx, ha__tape *const *tapes, size_t n_tapes,
                                            size_t straight_max, ha__translation **out);

/* Frees it; NULL is legal. */
void ha__translation_free(ha__translation *translation);

/* Adds the C text, a file. */
HA_MUST_CHECK ha_status ha__translation_c(const ha__translation *translation, ha__strbuf *out);

/*
 * From now on the tapes run by what the text was compiled to, for as long as that is loaded. The
 * translation is used up. HA_ERR_PROCESS: a function is missing, and the tapes stay as they are.
 */
HA_MUST_CHECK ha_status ha__translation_use(ha_ctx *ctx, ha__translation *translation,
                                            const ha__native *native);

#endif
