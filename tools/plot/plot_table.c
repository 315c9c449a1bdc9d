/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables as they are plotted. The magnitude of a vector is sqrt(x^2 + y^2); a column in the unit u
 * is shown in the unit w as its value times (1 u)/(1 w), both in SI units.
 */
#include <config.h>

#include "tools/plot/plot_table.h"

#include "lib/core/mem.h"
#include "lib/core/strbuf.h"
#include "lib/data/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char OPENING[] = "magnitude(";

enum { LONGEST = 256 }; /* bytes of a name or a unit */

/* --- magnitudes ------------------------------------------------------------------------------- */

/* The columns of the components of a vector; false: the table has none. */
static bool find_components(const ha_result *table, const char *vector, int columns[2])
{
    static const char *const joints[] = { "", ".f" };
    char name[LONGEST + 8];
    size_t length = strlen(vector);

    if (length > strlen(".force") && strcmp(vector + length - strlen(".force"), ".force") == 0) {
        length -= strlen("orce");
    }
    for (size_t i = 0; i < HA_COUNT(joints); i++) {
        for (int k = 0; k < 2; k++) {
            snprintf(name, sizeof name, "%.*s%s%c", (int) length, vector, joints[i], 'x' + k);
            columns[k] = ha_result_find(table, name);
        }
        if (columns[0] >= 0 && columns[1] >= 0) {
            return true;
        }
    }
    return false;
}

/* A table with the columns of another one and their magnitude behind them. */
static ha_status append(ha_ctx *ctx, const ha_result *from, const char *name, const int columns[2],
                        ha_result *to)
{
    size_t n = ha_result_n_columns(from);
    double *row = NULL;
    ha_status status = HA_OK;

    for (size_t c = 0; c < n; c++) {
        HA_TRY(ha_result_add_column(to, ha_result_name(from, c), ha_result_unit(from, c)));
    }
    HA_TRY(ha_result_add_column(to, name, ha_result_unit(from, (size_t) columns[0])));
    HA_TRY_ALLOC(ctx, row, n + 1);
    for (size_t i = 0; i < ha_result_n_rows(from) && status == HA_OK; i++) {
        for (size_t c = 0; c < n; c++) {
            row[c] = ha_result_value(from, i, c);
        }
        row[n] = hypot(row[columns[0]], row[columns[1]]);
        status = ha_result_add_row(to, row);
    }
    ha__free(row);
    return status;
}

/* Puts what was made instead of a table, or frees it. */
static ha_status replace(ha_result **table, ha_result *made, ha_status status)
{
    if (status == HA_OK) {
        ha_result_free(*table);
        *table = made;
    } else {
        ha_result_free(made);
    }
    return status;
}

static ha_status add_magnitude(ha_ctx *ctx, ha_result **table, const char *name, const char *vector)
{
    int columns[2];

    if (ha_result_find(*table, name) >= 0 || !find_components(*table, vector, columns)) {
        return HA_OK;
    }
    ha_result *made = ha_result_new(ctx);
    HA_TRY_MEMORY(made);
    return replace(table, made, append(ctx, *table, name, columns, made));
}

ha_status plot_add_magnitudes(ha_ctx *ctx, ha_result **table, const char *text)
{
    for (const char *c = strstr(text, OPENING); c != NULL; c = strstr(c + 1, OPENING)) {
        const char *vector = c + strlen(OPENING);
        size_t length = strcspn(vector, ")");
        char name[LONGEST + 16], inner[LONGEST];
        if (vector[length] == ')' && length < sizeof inner) {
            snprintf(inner, sizeof inner, "%.*s", (int) length, vector);
            snprintf(name, sizeof name, "%s%s)", OPENING, inner);
            HA_TRY(add_magnitude(ctx, table, name, inner));
        }
    }
    return HA_OK;
}

/* --- units ------------------------------------------------------------------------------------ */

/* How many of the unit `to` one of the unit `from` is; 0: they are of different dimensions. What is
   wrong with them is asked in a context of its own: most columns are of other dimensions. */
static double ratio_of(const char *from, const char *to)
{
    char text[2][LONGEST + 4];
    ha_ctx *probe = ha_ctx_new();
    double one[2] = { 0.0, 1.0 };

    snprintf(text[0], sizeof text[0], "1 %.*s", LONGEST, from);
    snprintf(text[1], sizeof text[1], "1 %.*s", LONGEST, to);
    bool is_good =
        probe != NULL && from[0] != '\0' &&
        ha__quantity_read(probe, text[0], HA__QUANTITY_ANY, HA_NOWHERE, "", &one[0]) == HA_OK &&
        ha__quantity_read(probe, text[1], HA__QUANTITY_ANY, HA_NOWHERE, "", &one[1]) == HA_OK &&
        ha__quantity_check_like(probe, text[0], text[1], HA_NOWHERE, "") == HA_OK;
    if (probe != NULL) {
        ha_ctx_free(probe);
    }
    return is_good ? one[0] / one[1] : 0.0;
}

/* A table in which the columns that can be are in a unit; `*count` grows by their number. */
static ha_status convert(ha_ctx *ctx, const ha_result *from, const char *unit, ha_result *to,
                         size_t *count)
{
    size_t n = ha_result_n_columns(from);
    double *row = NULL, *ratios = NULL;
    ha_status status = HA_OK;

    HA_TRY_ALLOC(ctx, ratios, n);
    for (size_t c = 0; c < n && status == HA_OK; c++) {
        double ratio = ratio_of(ha_result_unit(from, c), unit);
        bool is_like = ratio > 0.0;
        *count += is_like ? 1 : 0;
        ratios[c] = is_like ? ratio : 1.0;
        status = ha_result_add_column(to, ha_result_name(from, c),
                                      is_like ? unit : ha_result_unit(from, c));
    }
    row = status == HA_OK ? ha__alloc(ctx, n, sizeof *row) : NULL;
    status = status == HA_OK && row == NULL ? HA_ERR_MEMORY : status;
    for (size_t i = 0; i < ha_result_n_rows(from) && status == HA_OK; i++) {
        for (size_t c = 0; c < n; c++) {
            row[c] = ratios[c] * ha_result_value(from, i, c);
        }
        status = ha_result_add_row(to, row);
    }
    HA_FREE(row, ratios);
    return status;
}

static ha_status convert_all(ha_ctx *ctx, ha_result **tables, size_t n, const char *unit)
{
    char text[LONGEST + 4];
    size_t count = 0;
    double one;

    snprintf(text, sizeof text, "1 %s", unit);
    HA_TRY(ha__quantity_read(ctx, text, HA__QUANTITY_ANY, HA_NOWHERE, "`--unit`", &one));
    for (size_t i = 0; i < n; i++) {
        ha_result *made = ha_result_new(ctx);
        HA_TRY_MEMORY(made);
        HA_TRY(replace(&tables[i], made, convert(ctx, tables[i], unit, made, &count)));
    }
    return count > 0 ? HA_OK
                     : ha_fail(ctx, HA_ERR_UNIT, HA_NOWHERE,
                               "nothing in the results is of the dimension of `%s`, which --unit "
                               "names; leave it out",
                               unit);
}

ha_status plot_convert(ha_ctx *ctx, ha_result **tables, size_t n, const char *units)
{
    for (const char *c = units; *c != '\0';) {
        size_t length = strcspn(c, ",");
        char unit[LONGEST];
        if (length >= sizeof unit) {
            return ha_fail(ctx, HA_ERR_UNIT, HA_NOWHERE, "`--unit %s` is no unit", units);
        }
        snprintf(unit, sizeof unit, "%.*s", (int) length, c);
        HA_TRY(length > 0 ? convert_all(ctx, tables, n, unit) : HA_OK);
        c += length + (c[length] == ',' ? 1 : 0);
    }
    return HA_OK;
}
