/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results from the bytes of a file; `path` names it in messages. Not installed. */
#ifndef LIB_RESULT_PARSE_H
#define LIB_RESULT_PARSE_H

#include "lib/result.h"

#include <stdbool.h>

/* Whether a name that begins so is written behind a `'`, which reading it takes off: a spreadsheet
   would take it for a formula, or its own `'` would be taken off. */
bool ha__csv_is_formula(char first);

/* As ha_result_read_csv(). */
HA_MUST_CHECK ha_status ha__result_parse_csv(ha_ctx *ctx, const char *path, const char *text,
                                             size_t length, ha_result **out);

/* As ha_result_read_mat(). */
HA_MUST_CHECK ha_status ha__result_parse_mat(ha_ctx *ctx, const char *path, const char *text,
                                             size_t length, ha_result **out);

#endif
