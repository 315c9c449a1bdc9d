/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzz target: any bytes are a quantity or an error, never a crash. The first byte chooses what is
 * expected, the rest is the text.
 */
#include <config.h>

#include "lib/data/units.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_text(ha_ctx *ctx, const char *text, ha__quantity expected)
{
    static const double untouched = 12345.0;
    double x = untouched;
    bool is_quantity = ha__quantity_is_number_with_unit(text);
    ha_status status = ha__quantity_read(ctx, text, expected, (ha_where){ "fuzz", 1, 1 }, "x", &x);

    if (ha_ctx_n_errors(ctx) != (status != HA_OK) || !isfinite(x) ||
        (status != HA_OK && (x < untouched || x > untouched))) {
        abort();
    }
    /* a text without a number is never taken for a quantity */
    if (is_quantity && strpbrk(text, "0123456789") == NULL) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ha_ctx *ctx = ha_ctx_new();
    char *text = malloc(size + 1);

    if (ctx != NULL && text != NULL && size > 0) {
        memcpy(text, data + 1, size - 1);
        text[size - 1] = '\0';
        read_text(ctx, text, (ha__quantity) (data[0] % (HA__QUANTITY_ANY + 1)));
    }
    free(text);
    ha_ctx_free(ctx);
    return 0;
}
