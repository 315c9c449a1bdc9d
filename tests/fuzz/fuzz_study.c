/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: any bytes are a study or an error, never a crash. */
#include <config.h>

#include "mech2d/study/study.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ha_ctx *ctx = ha_ctx_new();
    m2d__study *study = NULL;

    if (ctx != NULL &&
        m2d__study_read_text(ctx, (const char *) data, size, "input", &study) != HA_OK &&
        ha_ctx_n_errors(ctx) == 0) {
        __builtin_trap();
    }
    m2d__study_free(study);
    ha_ctx_free(ctx);
    return 0;
}
