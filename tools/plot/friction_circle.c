/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The friction circle of a wheel: its lateral force over its longitudinal one,
 *
 *     f_long^2 + f_lat^2 <= limit^2,  limit = adhesion load,
 *
 * with the circles of the least and of the largest limit of the run.
 */
#include <config.h>

#include "tools/plot/friction_circle.h"

#include "lib/core/context_priv.h"
#include "lib/core/strbuf.h"
#include "lib/core/symtab.h"

#include <math.h>
#include <string.h>

enum { CORNERS = 180 /* of a circle as it is drawn */ };

static const double EQUAL = 1e-3; /* limits that differ by a smaller share are one */

/* The column "WHEEL.SIGNAL" of a table, -1: there is none. */
static ha_status find(ha_ctx *ctx, const ha_result *from, const char *wheel, const char *signal,
                      int *column)
{
    ha__strbuf name = HA_STRBUF(ctx);

    ha__strbuf_addf(&name, "%s.%s", wheel, signal);
    *column = ha_result_find(from, ha__strbuf_text(&name));
    return ha__strbuf_drop(&name, name.status);
}

/* Names the wheels that there are. */
static ha_status fail_name(ha_ctx *ctx, const ha_result *from, const char *wheel)
{
    static const char END[] = ".f_long";
    ha__strbuf known = HA_STRBUF(ctx);

    for (size_t c = 1; c < ha_result_n_columns(from); c++) {
        const char *name = ha_result_name(from, c);
        size_t length = strlen(name), end = strlen(END);
        if (length > end && strcmp(name + length - end, END) == 0) {
            ha__strbuf_add(&known, known.length > 0 ? ", `" : "`");
            ha__strbuf_add_bytes(&known, name, length - end);
            ha__strbuf_add(&known, "`");
        }
    }
    return HA_FAIL_WITH(known, ctx, HA_ERR_NAME, HA_NOWHERE,
                        "there is no wheel `%s`: the result has no `%s.f_long` and `.f_lat`; "
                        "its wheels are %s",
                        wheel, wheel,
                        known.length > 0 ? ha__strbuf_text(&known)
                                         : "none; have `outputs` of the model ask for them");
}

/* An empty table with both forces as columns. */
static ha_status begin(ha_ctx *ctx, ha_result **out)
{
    HA_TRY_GET(*out, ha_result_new(ctx));
    HA_TRY(ha_result_add_column(*out, "f_long", "N"));
    return ha_result_add_column(*out, "f_lat", "N");
}

/* What was begun, or nothing. */
static ha_status finish(ha_status status, ha_result **out)
{
    if (status != HA_OK) {
        ha_result_free(*out);
        *out = NULL;
    }
    return status;
}

ha_status friction_forces(ha_ctx *ctx, const ha_result *from, const char *wheel, ha_result **out)
{
    int along = -1, across = -1;

    *out = NULL;
    HA_TRY(find(ctx, from, wheel, "f_long", &along));
    HA_TRY(find(ctx, from, wheel, "f_lat", &across));
    if (along < 0 || across < 0) {
        return fail_name(ctx, from, wheel);
    }
    ha_status status = begin(ctx, out);
    for (size_t i = 0; i < ha_result_n_rows(from) && status == HA_OK; i++) {
        const double row[2] = { ha_result_value(from, i, (size_t) along),
                                ha_result_value(from, i, (size_t) across) };
        status = ha_result_add_row(*out, row);
    }
    return finish(status, out);
}

/* The least and the largest limit of a wheel; NAN: it has none. */
static ha_status find_limits(ha_ctx *ctx, const ha_result *from, const char *wheel,
                             double limits[FRICTION_BOUND_COUNT])
{
    int column = -1;

    limits[FRICTION_LEAST] = limits[FRICTION_MOST] = (double) NAN;
    HA_TRY(find(ctx, from, wheel, "limit", &column));
    for (size_t i = 0; column >= 0 && i < ha_result_n_rows(from); i++) {
        double x = ha_result_value(from, i, (size_t) column);
        limits[FRICTION_LEAST] =
            fmin(limits[FRICTION_LEAST], x); /* of a number and NAN the number */
        limits[FRICTION_MOST] = fmax(limits[FRICTION_MOST], x);
    }
    return HA_OK;
}

ha_status friction_circle(ha_ctx *ctx, const ha_result *from, const char *wheel,
                          friction_bound bound, ha_result **out)
{
    double limits[FRICTION_BOUND_COUNT];

    *out = NULL;
    HA_TRY(find_limits(ctx, from, wheel, limits));
    double radius = limits[bound], most = limits[FRICTION_MOST];
    if (!(radius > 0.0) || (bound == FRICTION_LEAST && !(radius < (1.0 - EQUAL) * most))) {
        return HA_OK;
    }
    ha_status status = begin(ctx, out);
    for (int i = 0; i <= CORNERS && status == HA_OK; i++) {
        double angle = 2.0 * acos(-1.0) * i / CORNERS;
        const double row[2] = { radius * cos(angle), radius * sin(angle) };
        status = ha_result_add_row(*out, row);
    }
    return finish(status, out);
}
