/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options of a run: defaults, setting by name, and the check before a run. Everything comes from
 * lib/dae_opts.def.
 */
#include <config.h>

#include "lib/dae.h"

#include "lib/core/number.h"
#include "lib/core/symtab.h"
#include "lib/dae/dae_priv.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { COOKIE = 0x64616531 }; /* set by the default function */

/* A row of lib/dae_opts.def. */
typedef struct option {
    const char *name;
    const char *unit;
    size_t offset; /* of the field in ha_dae_options */
    bool is_long;  /* else double */
    double value;
    double low;
    double least; /* above 0; 0: any */
    double high;
} option;

static const option options_table[] = {
#define X(field, type, value, low, least, high, unit, option, sentence)                            \
    { option,                                                                                      \
      unit,                                                                                        \
      offsetof(ha_dae_options, field),                                                             \
      _Generic(((ha_dae_options *) NULL)->field, long                                              \
               : true, default                                                                     \
               : false),                                                                           \
      (double) (value),                                                                            \
      (double) (low),                                                                              \
      (double) (least),                                                                            \
      (double) (high) },
#include "lib/dae_opts.def"
#undef X
};

/* All names, each with a blank before it. */
static const char listed[] =
#define X(field, type, value, low, least, high, unit, option, sentence) " " option
#include "lib/dae_opts.def"
#undef X
    ;

ha_dae_options ha_dae_options_default(void)
{
    return (ha_dae_options)
    {
#define X(field, type, value, low, least, high, unit, option, sentence) .field = (value),
#include "lib/dae_opts.def"
#undef X
        .cookie = COOKIE
    };
}

static double get(const ha_dae_options *options, const option *row)
{
    const char *field = (const char *) options + row->offset;
    double x = 0.0;
    long k = 0;

    if (row->is_long) {
        memcpy(&k, field, sizeof k);
        return (double) k;
    }
    memcpy(&x, field, sizeof x);
    return x;
}

static void put(ha_dae_options *options, const option *row, double value)
{
    char *field = (char *) options + row->offset;
    long k = row->is_long ? (long) value : 0;

    if (row->is_long) {
        memcpy(field, &k, sizeof k);
    } else {
        memcpy(field, &value, sizeof value);
    }
}

/* Fails unless the value of an option is in its range. */
static ha_status check(ha_ctx *ctx, const option *row, double value, ha_where where)
{
    char number[HA__NUMBER_SIZE];
    char low[HA__NUMBER_SIZE];
    char least[HA__NUMBER_SIZE];
    char high[HA__NUMBER_SIZE];
    const char *unit = strcmp(row->unit, "1") == 0 || strcmp(row->unit, "SI") == 0 ? "" : row->unit;
    const char *gap = unit[0] == '\0' ? "" : " ";

    if (value >= row->low && value <= row->high && (value == 0.0 || value >= row->least) &&
        (!row->is_long || value == floor(value))) {
        return HA_OK;
    }
    if (row->least > 0.0) {
        return ha_fail(ctx, HA_ERR_VALUE, where,
                       "option `%s` is %s; give 0, or a number from %s to %s%s%s", row->name,
                       ha__dae_number(number, value), ha__dae_number(least, row->least),
                       ha__dae_number(high, row->high), gap, unit);
    }
    return ha_fail(ctx, HA_ERR_VALUE, where, "option `%s` is %s; give %s from %s to %s%s%s",
                   row->name, ha__dae_number(number, value),
                   row->is_long ? "a whole number" : "a number", ha__dae_number(low, row->low),
                   ha__dae_number(high, row->high), gap, unit);
}

ha_status ha_dae_options_set(ha_ctx *ctx, ha_dae_options *options, const char *name, double value,
                             ha_where where)
{
    const char *names[HA_COUNT(options_table)];

    for (size_t i = 0; i < HA_COUNT(options_table); i++) {
        const option *row = &options_table[i];
        names[i] = row->name;
        if (strcmp(name, row->name) == 0) {
            HA_TRY(check(ctx, row, value, where));
            put(options, row, value);
            return HA_OK;
        }
    }

    const char *near = ha__nearest(name, names, HA_COUNT(names));
    if (near != NULL) {
        return ha_fail(ctx, HA_ERR_NAME, where,
                       "there is no solver option `%s`; did you mean `%s`?", name, near);
    }
    return ha_fail(ctx, HA_ERR_NAME, where, "there is no solver option `%s`; there are:%s", name,
                   listed);
}

const char *ha_driver_name(ha_driver driver)
{
    static const char *const names[] = { "ida", "explicit", "auto", "explicit8" };

    return names[driver];
}

ha_status ha_dae_options_set_driver(ha_ctx *ctx, ha_dae_options *options, const char *word,
                                    ha_where where)
{
    for (int i = HA_DRIVER_IDA; i <= HA_DRIVER_EXPLICIT8; i++) {
        if (strcmp(word, ha_driver_name((ha_driver) i)) == 0) {
            options->driver = i;
            return HA_OK;
        }
    }
    return ha_fail(ctx, HA_ERR_VALUE, where,
                   "option `driver` is `%s`; give ida, explicit, explicit8 or auto", word);
}

const char *ha_projection_name(ha_projection projection)
{
    static const char *const names[] = { "none", "auto", "steps" };

    return names[projection];
}

ha_status ha_dae_options_set_projection(ha_ctx *ctx, ha_dae_options *options, const char *word,
                                        ha_where where)
{
    for (int i = HA_PROJECTION_NONE; i <= HA_PROJECTION_STEPS; i++) {
        if (strcmp(word, ha_projection_name((ha_projection) i)) == 0) {
            options->projection = i;
            return HA_OK;
        }
    }
    return ha_fail(ctx, HA_ERR_VALUE, where,
                   "option `projection` is `%s`; give none, auto or steps", word);
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
    for (size_t i = 0; i < HA_COUNT(options_table); i++) {
        HA_TRY(check(ctx, &options_table[i], get(options, &options_table[i]), HA_NOWHERE));
    }
    return HA_OK;
}
