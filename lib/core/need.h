/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a public function asks of its arguments, one line for each (lib/context.h). Not installed.
 */
#ifndef LIB_NEED_H
#define LIB_NEED_H

#include "lib/context.h"

/* Adds the error that `function` was called without what it needs; a context may be missing. */
ha_status ha__refuse(ha_ctx *ctx, const char *function, const char *need);

/* Refuses the call unless the condition on its arguments holds. */
#define HA_NEED(ctx, condition)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            return ha__refuse(ctx, __func__, #condition);                                          \
        }                                                                                          \
    } while (0)

/* As HA_NEED(), of a method: there must be an object, whose context is told of the rest. */
#define HA_NEED_OF(object, condition)                                                              \
    do {                                                                                           \
        if ((object) == NULL || !(condition)) {                                                    \
            return ha__refuse((object) == NULL ? NULL : (object)->ctx, __func__, #condition);      \
        }                                                                                          \
    } while (0)

/* In a function without status: returns a harmless value unless the condition holds. */
#define HA_NEED_ELSE(condition, value)                                                             \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            return value;                                                                          \
        }                                                                                          \
    } while (0)

/* True for the numbers of a list of `n`. */
#define HA_IS_INDEX(i, n) ((i) >= 0 && (i) < (n))

#endif
