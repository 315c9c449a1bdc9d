/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of the solver: defaults, setting by name, and the check before a run. */
#include <config.h>

#include "lib/dae.h"

#include "lib/dae/dae_priv.h"
#include "lib/data/options.h"

#include <string.h>

enum { COOKIE = 0x64616531 }; /* set by the default function */

static const ha__option rows[] = {
#define HA_OPTION(field, type, value, low, least, high, unit, name, words, sentence)               \
    HA__OPTION_ROW(ha_dae_options, field, field, value, low, least, high, unit, name, words,       \
                   sentence),
#include "lib/dae_opts.def"
#undef HA_OPTION
};

ha_dae_options ha_dae_options_default(void)
{
    return (ha_dae_options){
#define HA_OPTION(field, type, value, low, least, high, unit, name, words, sentence)               \
    .field = (value),
#include "lib/dae_opts.def"
#undef HA_OPTION
        .n_peaks = -1, .cookie = COOKIE
    };
}

ha_status ha_dae_options_set(ha_ctx *ctx, ha_dae_options *options, const char *name, double value,
                             ha_where where)
{
    const ha__option *row = ha__option_find(ctx, rows, HA_COUNT(rows), name, where);

    return row == NULL ? HA_ERR_NAME : ha__option_set(ctx, row, NULL, options, value, where);
}

const char *ha_driver_name(ha_driver driver)
{
    static const char *const names[] = { "ida", "explicit", "auto", "explicit8", "kinematic" };

    return names[driver];
}

/* The times of rows ascend between the start and the end. */
static ha_status check_times(ha_ctx *ctx, const ha_dae_options *options)
{
    char text[2][HA__NUMBER_SIZE];
    double before = 0.0;

    for (size_t i = 0; i < options->n_times && options->times != NULL; i++) {
        double t = options->times[i];
        if (!(t > before && t < options->t_end)) {
            return ha_fail(ctx, HA_ERR_VALUE, HA_NOWHERE,
                           "the times of rows must ascend between 0 and the end time; %s s is "
                           "behind %s s",
                           ha__dae_number(text[0], t), ha__dae_number(text[1], before));
        }
        before = t;
    }
    return HA_OK;
}

ha_status ha__dae_options_check(ha_ctx *ctx, const ha_dae_options *options)
{
    if (options->cookie != COOKIE) {
        return ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "the options of a run were not made by ha_dae_options_default()");
    }
    if (options->t_end == -1.0) {
        return ha_fail(ctx, HA_ERR_VALUE, HA_NOWHERE,
                       "no end time is given; set `t_end` in the model or --t-end");
    }
    for (size_t i = 0; i < HA_COUNT(rows); i++) {
        HA_TRY(
            ha__option_check(ctx, &rows[i], NULL, ha__option_get(&rows[i], options), HA_NOWHERE));
    }
    return check_times(ctx, options);
}
