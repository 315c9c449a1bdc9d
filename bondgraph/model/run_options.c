/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All options of a run: those of the solver, then those of the model. */
#include <config.h>

#include "bondgraph/model/run_options.h"

#include "lib/core/need.h"

#include <math.h>

const ha__option bg__run_options[BG__RUN_COUNT] = {
#define HA_OPTION(field, type, value, low, least, high, unit, name, words, sentence)               \
    HA__OPTION_ROW(bg_run_options, solver.field, field, value, low, least, high, unit, name,       \
                   words, sentence),
#include "lib/dae_opts.def"
#undef HA_OPTION
#define HA_OPTION(field, type, value, low, least, high, unit, name, words, sentence)               \
    HA__OPTION_ROW(bg_run_options, field, field, value, low, least, high, unit, name, words,       \
                   sentence),
#include "bondgraph/run_opts.def"
#undef HA_OPTION
};

bg_run_options bg_run_options_default(void)
{
    return (bg_run_options){
#define HA_OPTION(field, type, value, low, least, high, unit, name, words, sentence)               \
    .field = (value),
#include "bondgraph/run_opts.def"
#undef HA_OPTION
        .solver = ha_dae_options_default()
    };
}

ha_status bg_run_options_set(ha_ctx *ctx, bg_run_options *options, const char *name,
                             const char *text, ha_where where)
{
    HA_NEED(ctx, ctx != NULL && options != NULL && name != NULL && text != NULL);
    const ha__option *row = ha__option_find(ctx, bg__run_options, BG__RUN_COUNT, name, where);

    return row == NULL ? HA_ERR_NAME : ha__option_read(ctx, row, options, text, where);
}
