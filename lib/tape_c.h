/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tapes as C, and machine code in the place of tapes. Not installed. */
#ifndef LIB_TAPE_C_H
#define LIB_TAPE_C_H

#include "lib/strbuf.h"
#include "lib/tape.h"

/* What a function made of a tape calls back. */
typedef struct ha__tape_host ha__tape_host;

/* Such a function: does what ha__tape_run() does. */
typedef void (*ha__tape_code)(double *work, double *out, const ha__tape_host *host);

/* Adds what stands at the begin of a file of tapes. */
void ha__tape_c_begin(ha__strbuf *out);

/* Adds a tape as the function `name`, an ha__tape_code. */
HA_MUST_CHECK ha_status ha__tape_c(const ha__tape *tape, const char *name, ha__strbuf *out);

/* From now on the tape runs by a function that was compiled from its C. */
void ha__tape_use(ha__tape *tape, ha__tape_code code);

#endif
