/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: any bytes are a table of results in CSV or an error, never a crash. */
#include <config.h>

#include "lib/result_parse.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ha_ctx *ctx = ha_ctx_new();
    ha_result *result = NULL;

    if (ctx != NULL) {
        const char *text = size == 0 ? "" : (const char *) data;
        ha_status status = ha__result_parse_csv(ctx, "fuzz", text, size, &result);
        /* a failure has its diagnostic, success has a table */
        if ((status == HA_OK) != (ha_ctx_n_errors(ctx) == 0) ||
            (status == HA_OK) != (result != NULL)) {
            abort();
        }
    }
    ha_result_free(result);
    ha_ctx_free(ctx);
    return 0;
}
