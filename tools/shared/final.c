/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The end values of a run and the extremes over it, as JSON and as text. */
#include <config.h>

#include "tools/shared/final.h"

#include "lib/core/number.h"
#include "tools/shared/agreement.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_ASKED = 20,   /* outputs in the summary, where the model lists them */
    MAX_PRINTED = 16, /* where all are wanted: a screenful with the extremes */
    MAX_JOINTS = 12   /* named of those that share a load */
};

bool final_is_there(const cli_run *run)
{
    return run->result != NULL && ha_result_n_rows(run->result) > 0;
}

static double end_value(const cli_run *run, size_t column)
{
    return ha__plain_sign(ha_result_value(run->result, ha_result_n_rows(run->result) - 1, column));
}

json_t *final_object(const cli_run *run, cli_json *json)
{
    json_t *final = json_object();

    /* column 0 is the time */
    for (size_t c = 1; final_is_there(run) && c < ha_result_n_columns(run->result); c++) {
        json->has_failed |= json_object_set_new(final, ha_result_name(run->result, c),
                                                cli_json_real(end_value(run, c))) != 0;
    }
    return final;
}

json_t *final_peaks(const cli_run *run, cli_json *json)
{
    json_t *peaks = json_object();

    for (size_t c = 1; final_is_there(run) && c < ha_result_n_columns(run->result); c++) {
        const ha_peak *peak = &run->peaks[c - 1];
        const cli_member parts[] = {
            cli_real("max", peak->max),
            cli_real("t_max", peak->t_max),
            cli_real("min", peak->min),
            cli_real("t_min", peak->t_min),
        };
        json->has_failed |= json_object_set_new(peaks, ha_result_name(run->result, c),
                                                cli_json_object(parts, HA_COUNT(parts))) != 0;
    }
    return peaks;
}

/* Whether an output stays at nearly nothing beside others of its kind: a point on a hinge, the
   torque of a joint that turns freely. */
static bool is_still(const cli_run *run, size_t column)
{
    const double little = 1e-6;

    return agreement_magnitude(run, column) <= little * agreement_largest(run, column);
}

/* The outputs in the summary, in their order: those listed in the model, or all where there are
   few, else the first that move. */
static int choose(const cli_run *run, size_t columns[MAX_ASKED])
{
    bool is_asked = run->model.outputs != NULL;
    int n = 0, most = is_asked ? MAX_ASKED : MAX_PRINTED;
    size_t end = ha_result_n_columns(run->result);

    for (size_t c = 1; c < end && n < most; c++) {
        if (is_asked || end <= MAX_PRINTED + 1 || !is_still(run, c)) {
            columns[n++] = c;
        }
    }
    return n;
}

/* The extremes over the run, beside the end values. */
static void print_peaks(const cli_run *run, const size_t *columns, int n)
{
    printf("\n%-26s %17s  %-12s  %17s  %s\n", "over the run:", "least", "at [s]", "largest",
           "at [s]");
    for (int i = 0; i < n; i++) {
        const ha_peak *peak = &run->peaks[columns[i] - 1];
        printf("  %-24s %17.9g  %-12.6g  %17.9g  %-12.6g %s\n",
               ha_result_name(run->result, columns[i]), ha__plain_sign(peak->min), peak->t_min,
               ha__plain_sign(peak->max), peak->t_max, ha_result_unit(run->result, columns[i]));
    }
}

static bool has_open_output(const cli_model *model)
{
    const ha_dae *dae = bg_model_dae(model->compiled);

    for (int i = 0; i < dae->n_outputs; i++) {
        if (agreement_is_open(model, dae->outputs[i].name)) {
            return true;
        }
    }
    return false;
}

void final_print_shared(const cli_model *model)
{
    const char *last = "";
    int n = 0;

    if (!has_open_output(model)) {
        return;
    }
    printf("\nOne way of many to share the load are the reactions of ");
    for (int i = 0; i < m2d_system_n_rows(model->system); i++) {
        const char *joint = m2d_system_row_joint(model->system, i);
        if (!m2d_assembly_is_unique(model->assembly, i) && strcmp(joint, last) != 0) {
            if (++n <= MAX_JOINTS) {
                printf("%s%s", n == 1 ? "" : ", ", joint);
            }
            last = joint;
        }
    }
    printf(
        "%s.\nRigid joints do not determine these; a compliance of joints, or fewer constraints, "
        "does.\n",
        n > MAX_JOINTS ? ", ..." : "");
}

void final_print(const cli_run *run)
{
    size_t columns[MAX_ASKED];

    if (!final_is_there(run)) {
        return;
    }
    int n = choose(run, columns);
    size_t more = ha_result_n_columns(run->result) - 1 - (size_t) n;
    print_peaks(run, columns, n);
    printf("\nat %.9g s:\n", end_value(run, 0));
    for (int i = 0; i < n; i++) {
        printf("  %-24s %17.9g %s\n", ha_result_name(run->result, columns[i]),
               end_value(run, columns[i]), ha_result_unit(run->result, columns[i]));
    }
    if (more > 0) {
        printf("  and %zu more outputs; `outputs: [NAME, ...]` chooses, -o FILE.csv writes %s\n",
               more, run->model.outputs == NULL ? "all" : "those listed");
    }
    final_print_shared(&run->model);
}
