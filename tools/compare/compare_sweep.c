/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How differences fall over the values of a sweep: as tables that plots are made of. */
#include <config.h>

#include "tools/compare/comparison.h"

#include "lib/core/number.h"

#include <math.h>
#include <stdint.h>

/* The largest differences of the chosen outputs over the value, one row for each run. */
static ha_status make_table(const compare_set *set, const char *variant, ha_result **out)
{
    ha_ctx *ctx = set->cli->ctx;
    ha_result *table = ha_result_new(ctx);
    double *row = ha__alloc(ctx, set->chosen.count + 1, sizeof *row);
    ha_status status = table == NULL || row == NULL ? HA_ERR_MEMORY : HA_OK;

    HA_THEN(status, ha_result_add_column(table, set->sweep.path, set->sweep.unit));
    for (size_t i = 0; i < set->chosen.count && status == HA_OK; i++) {
        status = ha_result_add_column(table, set->chosen.items[i], "");
    }
    for (size_t j = 0; j < set->jobs.count && status == HA_OK; j++) {
        const compare_job *job = set->jobs.items[j];
        if (job->run.name != variant || isnan(job->value) || job->against == j) {
            continue;
        }
        row[0] = job->value;
        for (size_t i = 0; i < set->chosen.count; i++) {
            row[i + 1] = compare_measured(set, j, set->chosen.items[i], COMPARE_LARGEST);
        }
        status = ha_result_add_row(table, row);
    }
    ha__free(row);
    return HA_GIVE(status, table, ha_result_free, out);
}

/* "K1.angle [rad], compliant: order -1" */
static const char *curve_title(const compare_set *set, const char *variant, const char *output,
                               ha__arena *arena)
{
    const ha_result *result = set->jobs.items[0]->run.result;
    int column = result == NULL ? -1 : ha_result_find(result, output);
    const char *unit = column < 0 ? "" : ha_result_unit(result, (size_t) column);
    char number[HA__NUMBER_SIZE] = "unknown";
    double order = compare_order(set, variant, output, COMPARE_LARGEST, SIZE_MAX);

    if (!isnan(order)) {
        ha__print_rounded_number(number, order, 3);
    }
    return ha__arena_format(set->cli->ctx, arena, "%s%s%s%s, %s: order %s", output,
                            unit[0] == '\0' ? "" : " [", unit, unit[0] == '\0' ? "" : "]",
                            variant == NULL ? "base" : variant, number);
}

static ha_status add_variant(const compare_set *set, const char *variant, compare_sweep_plot *plot)
{
    ha_ctx *ctx = set->cli->ctx;
    ha_result *table = NULL;

    HA_TRY_ROOM(ctx, &plot->tables, 1);
    HA_TRY(make_table(set, variant, &table));
    plot->tables.items[plot->tables.count++] = table;
    for (size_t i = 0; i < set->chosen.count && ha_result_n_rows(table) > 0; i++) {
        plot_curve curve = { table,
                             i + 1,
                             curve_title(set, variant, set->chosen.items[i], &plot->arena),
                             plot->n_dashes % 5,
                             PLOT_BOTH,
                             0 };
        HA_TRY_MEMORY(curve.title);
        HA_TRY_PUSH(ctx, &plot->curves, curve);
    }
    plot->n_dashes += ha_result_n_rows(table) > 0 ? 1 : 0;
    return HA_OK;
}

ha_status compare_sweep_plot_init(const compare_set *set, compare_sweep_plot *plot)
{
    const char *unit = set->sweep.unit;

    *plot = (compare_sweep_plot){ 0 };
    for (size_t v = 0; v < set->variants.count; v++) {
        ha_status status = add_variant(set, set->variants.items[v], plot);
        if (status != HA_OK) {
            compare_sweep_plot_clear(plot);
            return status;
        }
    }
    const char *label =
        ha__arena_format(set->cli->ctx, &plot->arena, "%s%s%s%s", set->sweep.path,
                         unit[0] == '\0' ? "" : " [", unit, unit[0] == '\0' ? "" : "]");
    if (label == NULL) {
        compare_sweep_plot_clear(plot);
        return HA_ERR_MEMORY;
    }
    plot->panel = (plot_panel){ .x_label = label,
                                .y_label = "largest difference",
                                .log_x = true,
                                .log_y = true,
                                .curves = plot->curves.items,
                                .n = plot->curves.count };
    return HA_OK;
}

void compare_sweep_plot_clear(compare_sweep_plot *plot)
{
    for (size_t i = 0; i < plot->tables.count; i++) {
        ha_result_free(plot->tables.items[i]);
    }
    HA_ARRAY_CLEAR(&plot->tables, &plot->curves);
    ha__arena_clear(&plot->arena);
    *plot = (compare_sweep_plot){ 0 };
}
