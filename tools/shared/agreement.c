/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What runs of one model are compared by. */
#include <config.h>

#include "tools/shared/agreement.h"

#include "lib/data/dimension.h"
#include "lib/data/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double HELD = 1e-6; /* of the largest of its unit: a point that moves less is held */
static const double NOTHING = 1e-10; /* of what is usual for a unit */
/* of all that may be of a kind: what is left of a difference, taken on by a two-port */
static const double ROUND_OFF = 1e-14;

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
    const struct {
        const char *unit;
        double size;
    } usual[] = { { "m/s", speed },
                  { "m/s2", speed / t },
                  { "rad", angle },
                  { "rad/s", turning },
                  { "rad/s2", turning / t } };
    double size = agreement_largest(run, column);
    ha__dimension is, of;
    double factor = 1.0;

    if (!ha__dimension_of_unit(unit, &is, &factor)) {
        return size;
    }
    for (size_t i = 0; i < HA_COUNT(usual); i++) {
        if (ha__dimension_of_unit(usual[i].unit, &of, NULL) && memcmp(&is, &of, sizeof is) == 0) {
            return fmax(size, usual[i].size / factor);
        }
    }
    return size;
}

/* What is usual for a torque or an energy: an energy, or a force times a position; else 0. */
static double usual_work(const cli_run *run, size_t column)
{
    double force = agreement_largest_of(run, "N"), length = agreement_largest_of(run, "m");
    ha__dimension is, of;
    double factor = 1.0;
    bool is_work = ha__dimension_of_unit(ha_result_unit(run->result, column), &is, &factor) &&
                   ha__dimension_of_unit("N.m", &of, NULL) && memcmp(&is, &of, sizeof is) == 0;

    return is_work ? fmax(agreement_largest_of(run, "J"), force * length) / factor : 0.0;
}

bool agreement_is_round_off(const cli_run *run, size_t column)
{
    double largest = agreement_largest(run, column);

    return largest <= NOTHING * fmax(agreement_usual(run, column), usual_work(run, column)) ||
           largest <= ROUND_OFF * run->beside[column - 1];
}

bool agreement_is_open(const cli_model *model, const char *name)
{
    static const char *const reactions[] = { ".fx", ".fy", ".torque", ".drive" };
    const char *dot = strrchr(name, '.');
    bool is_reaction = false;

    for (size_t k = 0; dot != NULL && k < HA_COUNT(reactions); k++) {
        is_reaction = is_reaction || strcmp(dot, reactions[k]) == 0;
    }
    int n = is_reaction && model->assembly != NULL ? m2d_system_n_rows(model->system) : 0;
    for (int i = 0; i < n; i++) {
        if (!m2d_assembly_is_unique(model->assembly, i)) {
            const char *joint = m2d_system_row_joint(model->system, i);
            if (strncmp(name, joint, strlen(joint)) == 0 && name + strlen(joint) == dot) {
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
