/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What runs of one model are compared by. */
#include <config.h>

#include "tools/shared/agreement.h"

#include <math.h>
#include <string.h>

static const double HELD = 1e-6; /* of the largest of its unit: a point that moves less is held */

double agreement_end(const cli_run *run, size_t column)
{
    return ha_result_value(run->result, ha_result_n_rows(run->result) - 1, column);
}

double agreement_magnitude(const cli_run *run, size_t column)
{
    const ha_peak *peak = &run->peaks[column - 1];

    return fmax(fabs(peak->max), fabs(peak->min));
}

double agreement_largest(const cli_run *run, size_t column)
{
    return run->largest[column - 1];
}

double agreement_largest_of(const cli_run *run, const char *unit)
{
    for (size_t c = 1; c < ha_result_n_columns(run->result); c++) {
        if (strcmp(ha_result_unit(run->result, c), unit) == 0) {
            return agreement_largest(run, c);
        }
    }
    return 0.0;
}

double agreement_usual(const cli_run *run, size_t column)
{
    const char *unit = ha_result_unit(run->result, column);
    const double t_end = run->model.options.solver.t_end, t = t_end > 0.0 ? t_end : 1.0;
    double length = agreement_largest_of(run, "m");
    double speed = fmax(agreement_largest_of(run, "m/s"), length / t);
    double angle = fmax(1.0, agreement_largest_of(run, "rad"));
    double turning = fmax(agreement_largest_of(run, "rad/s"), angle / t);

    return fmax(agreement_largest(run, column), strcmp(unit, "m/s") == 0      ? speed
                                                : strcmp(unit, "m/s2") == 0   ? speed / t
                                                : strcmp(unit, "rad") == 0    ? angle
                                                : strcmp(unit, "rad/s") == 0  ? turning
                                                : strcmp(unit, "rad/s2") == 0 ? turning / t
                                                                              : 0.0);
}

bool agreement_is_open(const cli_model *model, const char *name)
{
    for (int i = 0; model->assembly != NULL && i < m2d_system_n_rows(model->system); i++) {
        const char *joint = m2d_system_row_joint(model->system, i);
        size_t n = strlen(joint);
        static const char *const parts[] = { ".fx", ".fy", ".torque", ".drive" };
        if (m2d_assembly_is_unique(model->assembly, i) || strncmp(name, joint, n) != 0) {
            continue;
        }
        for (size_t k = 0; k < HA_COUNT(parts); k++) {
            if (strcmp(name + n, parts[k]) == 0) {
                return true;
            }
        }
    }
    return false;
}

bool agreement_is_held(const cli_run *run, size_t c, double drift)
{
    const char *name = ha_result_name(run->result, c), *dot = strchr(name, '.');
    const ha_peak *peak = &run->peaks[c - 1];
    bool is_of_point = run->model.system != NULL && run->model.outputs == NULL && dot != NULL &&
                       strchr(dot + 1, '.') != NULL;

    return is_of_point && peak->max - peak->min <= fmax(drift, HELD * agreement_largest(run, c));
}
