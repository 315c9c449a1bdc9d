/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formats of files of results. Not installed. */
#ifndef LIB_RESULT_FORMAT_H
#define LIB_RESULT_FORMAT_H

#include "lib/core/suffix.h"
#include "lib/result.h"

/* A format of results. */
typedef struct ha__result_format {
    ha__suffix name;
    ha_status (*read)(ha_ctx *ctx, const char *path, ha_result **out);
    ha_status (*write)(const ha_result *result, const char *path);
} ha__result_format;

extern const ha__suffixes ha__result_formats; /* of ha__result_format */

#endif
