/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A branch of equilibria as text, as a table and as JSON. */
#include <config.h>

#include "tools/analysis/branch_write.h"

#include "lib/core/number.h"
#include "lib/data/result_format.h"
#include "tools/shared/json.h"

#include <math.h>
#include <stdio.h>

enum {
    MOST_COLUMNS = 5, /* outputs in the text, where the file lists them */
    MOST_LABEL = 256
};

const char *const stability_words[] = { "stable", "unstable", "not known" };

static double value_of(const branch_shown *s, const bg_branch_point *point)
{
    return ha__plain_sign(s->range->from + point->deviation);
}

/* --- JSON ----------------------------------------------------------------------------------- */

static json_t *stable_json(bg_stability stability)
{
    return stability == BG_STABILITY_OPEN ? json_null() : json_boolean(stability == BG_STABLE);
}

static json_t *point_json(const branch_shown *s, const bg_branch_point *point)
{
    const ha_dae *dae = bg_model_dae(s->model->compiled);
    json_t *final = json_object();

    for (int i = 0; i < dae->n_outputs; i++) {
        (void) json_object_set_new(final, dae->outputs[i].name, cli_json_real(point->outputs[i]));
    }
    const cli_member members[] = {
        cli_real("value", value_of(s, point)),
        cli_value("stable", stable_json(point->stability)),
        cli_bool("turning", point->is_turning),
        cli_value("final", final),
    };
    return cli_json_object(members, HA_COUNT(members));
}

static ha_status print_json(cli_call *cli, const branch_shown *s)
{
    cli_json json = cli_json_new();
    json_t *points = json_array(), *turning = json_array();

    for (int i = 0; i < s->branch->n_points; i++) {
        const bg_branch_point *point = &s->branch->points[i];
        (void) cli_json_append(points, point_json(s, point));
        if (point->is_turning) {
            (void) cli_json_append(turning, cli_json_real(value_of(s, point)));
        }
    }
    const cli_member members[] = {
        cli_text("status", cli_status_word(s->status)),
        cli_text("parameter", s->range->path),
        cli_value("points", points),
        cli_value("turning", turning),
        cli_int("steps", s->branch->steps),
        cli_text("ended", s->branch->ended),
    };
    cli_json_put_each(&json, members, HA_COUNT(members));
    return cli_json_print(cli, &json);
}

/* --- table ---------------------------------------------------------------------------------- */

static ha_status fill_table(cli_call *cli, const branch_shown *s, ha_result *table)
{
    const ha_dae *dae = bg_model_dae(s->model->compiled);
    double *row = NULL;

    HA_TRY(ha_result_add_column(table, s->range->path, s->range->unit));
    HA_TRY(ha_result_add_column(table, "stable", ""));
    HA_TRY(ha_result_add_column(table, "turning", ""));
    for (int i = 0; i < dae->n_outputs; i++) {
        HA_TRY(ha_result_add_column(table, dae->outputs[i].name, dae->outputs[i].unit));
    }
    HA_TRY_ALLOC(cli->ctx, row, 3 + (size_t) dae->n_outputs);
    ha_status status = HA_OK;
    for (int k = 0; k < s->branch->n_points && status == HA_OK; k++) {
        const bg_branch_point *point = &s->branch->points[k];
        bool is_open = point->stability == BG_STABILITY_OPEN;
        row[0] = value_of(s, point);
        row[1] = is_open ? (double) NAN : point->stability == BG_STABLE ? 1.0 : 0.0;
        row[2] = point->is_turning ? 1.0 : 0.0;
        for (int i = 0; i < dae->n_outputs; i++) {
            row[3 + i] = ha__plain_sign(point->outputs[i]);
        }
        status = ha_result_add_row(table, row);
    }
    ha__free(row);
    return status;
}

static ha_status write_table(cli_call *cli, const branch_shown *s, const char *path)
{
    const ha__result_format *to = ha__suffix_find(&ha__result_formats, path);
    ha_result *table = ha_result_new(cli->ctx);

    HA_TRY_MEMORY(table);
    ha_status status = fill_table(cli, s, table);
    HA_THEN(status, to->write(table, path));
    ha_result_free(table);
    return status;
}

/* --- text ----------------------------------------------------------------------------------- */

static void print_text(const branch_shown *s)
{
    const bg_branch *b = s->branch;
    char label[MOST_LABEL];

    snprintf(label, sizeof label, "%s%s%s%s", s->range->path, s->range->unit[0] == '\0' ? "" : " [",
             s->range->unit, s->range->unit[0] == '\0' ? "" : "]");
    printf("%s: equilibria over %s\n", s->model->name, s->range->path);
    printf("  points                   %d, %d turning point%s, %d steps\n", b->n_points,
           b->n_turning, b->n_turning == 1 ? "" : "s", b->steps);
    if (b->ended != NULL) {
        printf("  end                      %s\n", b->ended);
    }
    const ha_dae *dae = bg_model_dae(s->model->compiled);
    int n = s->model->outputs == NULL       ? 0
            : dae->n_outputs < MOST_COLUMNS ? dae->n_outputs
                                            : MOST_COLUMNS;
    printf("\n  %-24s %-*s", label, n > 0 ? 10 : 0, "stability");
    for (int i = 0; i < n; i++) {
        printf(" %17s", dae->outputs[i].name);
    }
    printf("\n");
    for (int i = 0; i < b->n_points; i++) {
        const bg_branch_point *point = &b->points[i];
        printf("  %-24.12g %-*s", value_of(s, point), n > 0 ? 10 : 0,
               point->is_turning ? "turns back" : stability_words[point->stability]);
        for (int k = 0; k < n; k++) {
            printf(" %17.9g", ha__plain_sign(point->outputs[k]));
        }
        printf("\n");
    }
    printf("\n  -o FILE.csv or --json has all outputs at each point\n");
}

ha_status branch_show(cli_call *cli, const branch_shown *shown)
{
    if (cli_has(cli, CLI_OUTPUT)) {
        HA_TRY(write_table(cli, shown, cli->text[CLI_OUTPUT]));
    }
    if (cli_has(cli, CLI_JSON)) {
        return print_json(cli, shown);
    }
    if (!cli_has(cli, CLI_OUTPUT)) {
        print_text(shown);
    }
    return HA_OK;
}
