/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What messages suggest for a name that is none. Not installed. */
#ifndef LIB_HINT_H
#define LIB_HINT_H

#include "lib/core/strbuf.h"
#include "lib/core/symtab.h"

/* What a function that other programs have is called here, "sign" for "sgn"; NULL: no other name of
   one is known. Static storage. */
const char *ha__function_meant(const char *name);

/* Adds what `name`, "arm.w", may have meant among the names of a table: "did you mean `arm.vx`?"
   of one that is near; where "arm." begins others, these: "`arm` has .x, .y"; else `otherwise`. */
void ha__hint_member(ha__strbuf *text, const ha__symtab *table, const char *name,
                     const char *otherwise);

#endif
