/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Jacobian of a model against central differences of its residual. */
#ifndef TESTS_UNIT_BONDGRAPH_DIFFERENCES_H
#define TESTS_UNIT_BONDGRAPH_DIFFERENCES_H

#include "bondgraph/model/model_priv.h"
#include "tests/util/random.h"

#include <math.h>
#include <stdlib.h>

/* The largest error of column `j`, over 1 + the magnitudes that it is the difference of. */
static inline double column_error(const ha_dae *dae, double *work, double cj, int j, double *y,
                                  double *yp, const double *values)
{
    const double h = 1e-6 * (1 + fabs(y[j])), y0 = y[j], yp0 = yp[j];
    double *up = calloc((size_t) dae->n, sizeof *up), *down = calloc((size_t) dae->n, sizeof *down);
    double *column = calloc((size_t) dae->n, sizeof *column), worst = 0.0;

    for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
        column[dae->row[k]] = values[k];
    }
    y[j] = y0 + h;
    yp[j] = yp0 + cj * h;
    dae->residual(dae->model, work, 0.3, y, yp, up);
    y[j] = y0 - h;
    yp[j] = yp0 - cj * h;
    dae->residual(dae->model, work, 0.3, y, yp, down);
    y[j] = y0;
    yp[j] = yp0;
    for (int i = 0; i < dae->n; i++) {
        double size = 1 + fabs(column[i]) + fabs(up[i]) + fabs(down[i]);
        double error = fabs((up[i] - down[i]) / (2 * h) - column[i]) / size;
        worst = error <= worst ? worst : error; /* not a number stays */
    }
    free(up);
    free(down);
    free(column);
    return worst;
}

/* The largest error of the Jacobian near the start, with derivatives at random. */
static inline double jacobian_error(const bg_model *model)
{
    const double parameters[BG__PARAMETER_COUNT] = { 7.0, 11.0, 0.0 };
    const ha_dae *dae = bg_model_dae(model);
    double *work = calloc(dae->work_size, sizeof *work), worst = 0.0;
    double *y = calloc((size_t) dae->n + 1, sizeof *y),
           *yp = calloc((size_t) dae->n + 1, sizeof *yp);
    double *values = calloc((size_t) dae->column_start[dae->n] + 1, sizeof *values);
    uint64_t seed = 3;

    bg_model_start(model, y);
    dae->prepare(dae->model, parameters, work);
    for (int i = 0; i < dae->n; i++) {
        y[i] += 0.1 * random_in(&seed, -1.0, 1.0);
        yp[i] = random_in(&seed, -1.0, 1.0);
    }
    dae->jacobian(dae->model, work, 0.3, 3.0, y, yp, values);
    for (int j = 0; j < dae->n; j++) {
        double error = column_error(dae, work, 3.0, j, y, yp, values);
        worst = error <= worst ? worst : error;
    }
    free(work);
    free(y);
    free(yp);
    free(values);
    return worst;
}

#endif
