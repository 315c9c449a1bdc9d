/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the fuzz targets of readers of results share. */
#ifndef TESTS_FUZZ_FUZZ_RESULT_H
#define TESTS_FUZZ_FUZZ_RESULT_H

#include "lib/data/result_parse.h"

#include <stdint.h>
#include <stdlib.h>

/* A reader. */
typedef ha_status (*fuzz_reader)(ha_ctx *ctx, const char *name, const char *text, size_t length,
                                 ha_result **out);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A failure has its diagnostic, success has a table. */
static inline int fuzz_result(fuzz_reader read, const uint8_t *data, size_t size)
{
    ha_ctx *ctx = ha_ctx_new();
    ha_result *result = NULL;

    if (ctx != NULL) {
        const char *text = size == 0 ? "" : (const char *) data;
        ha_status status = read(ctx, "fuzz", text, size, &result);
        if ((status == HA_OK) != (ha_ctx_n_errors(ctx) == 0) ||
            (status == HA_OK) != (result != NULL)) {
            abort();
        }
    }
    ha_result_free(result);
    ha_ctx_free(ctx);
    return 0;
}

#endif
