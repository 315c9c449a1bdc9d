/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Machine code in the place of a model's tapes: they are written as C (lib/tape_c.c), compiled and
 * loaded (lib/native.c). The numbers stay the same to the last bit, the cost of interpreting goes.
 */
#include <config.h>

#include "bondgraph/model_priv.h"
#include "lib/tape_c.h"

/* The name of a tape's function. */
static void name_of(ha__strbuf *name, int kind)
{
    name->length = 0;
    ha__strbuf_addf(name, "halfarrow_tape%d", kind);
}

/* Where clocks change is found over ranges (lib/tape_range.c), which machine code cannot tell. */
static bool is_translated(int kind)
{
    return kind != BG__TAPE_CLOCK;
}

static ha_status write_tapes(const bg_model *m, ha__strbuf *name, ha__strbuf *text)
{
    ha__tape_c_begin(text);
    for (int kind = 0; kind < BG__TAPE_COUNT; kind++) {
        name_of(name, kind);
        HA_TRY(name->status);
        if (is_translated(kind)) {
            HA_TRY(ha__tape_c(m->tapes[kind], name->text, text));
        }
    }
    return text->status;
}

static ha_status use(ha_ctx *ctx, bg_model *m, const ha__native *native, ha__strbuf *name)
{
    ha__tape_code codes[BG__TAPE_COUNT] = { NULL };

    for (int kind = 0; kind < BG__TAPE_COUNT; kind++) {
        name_of(name, kind);
        HA_TRY(name->status);
        codes[kind] = (ha__tape_code) ha__native_function(native, name->text);
        if (codes[kind] == NULL && is_translated(kind)) {
            return ha_fail(ctx, HA_ERR_PROCESS, HA_NOWHERE,
                           "the compiled model has no function `%s`: empty the directory of compiled "
                           "models (HALFARROW_CACHE, by default ~/.cache/halfarrow)",
                           name->text);
        }
    }
    for (int kind = 0; kind < BG__TAPE_COUNT; kind++) {
        if (is_translated(kind)) {
            ha__tape_use(m->tapes[kind], codes[kind]);
        }
    }
    return HA_OK;
}

ha_status bg_model_build_native(ha_ctx *ctx, bg_model *model)
{
    ha__strbuf name = HA_STRBUF(ctx), text = HA_STRBUF(ctx);
    ha__native *native = NULL;
    ha_status status = model->native == NULL ? write_tapes(model, &name, &text) : HA_OK;

    if (status == HA_OK && model->native == NULL) {
        status = ha__native_load(ctx, text.text, text.length, &native, NULL);
    }
    if (native != NULL) {
        status = use(ctx, model, native, &name);
        if (status == HA_OK) {
            model->native = native;
        } else {
            ha__native_free(native);
        }
    }
    ha__strbuf_clear(&name);
    ha__strbuf_clear(&text);
    return status;
}
