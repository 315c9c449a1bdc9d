/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Machine code instead of a model's tapes: they are written as C (lib/tape/tape_c.c), compiled
 * and loaded (lib/tape/native.c). The numbers stay the same to the last bit, the cost of
 * interpreting goes.
 */
#include <config.h>

#include "bondgraph/model/model_priv.h"
#include "lib/core/need.h"
#include "lib/tape/tape_c.h"

ha_status bg_model_build_native(ha_ctx *ctx, bg_model *model)
{
    HA_NEED(ctx, ctx != NULL && model != NULL);
    ha__tape *tapes[BG__TAPE_COUNT];
    ha__translation *translation = NULL;
    ha__strbuf text = HA_STRBUF(ctx);
    ha__native *native = NULL;

    if (model->native != NULL) {
        return HA_OK;
    }
    for (int kind = 0; kind < BG__TAPE_COUNT; kind++) {
        /* where functions switch is found over ranges (lib/tape/tape_range.c), which machine code
           cannot tell */
        bool is_ranged =
            kind == BG__TAPE_CLOCK || kind == BG__TAPE_ENCLOSE || kind == BG__TAPE_SIGNAL;
        tapes[kind] = is_ranged ? NULL : model->tapes[kind];
    }
    HA_TRY(ha__translation_new(ctx, tapes, BG__TAPE_COUNT, HA__STRAIGHT_MAX, &translation));
    ha_status status = ha__translation_c(translation, &text);
    HA_THEN(status, ha__native_load(ctx, text.text, text.length, &native, NULL));
    HA_THEN(status, ha__translation_use(ctx, translation, native));
    if (status == HA_OK) {
        model->native = native;
    } else {
        ha__native_free(native);
    }
    ha__translation_free(translation);
    return ha__strbuf_drop(&text, status);
}
