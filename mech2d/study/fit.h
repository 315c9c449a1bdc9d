/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of a fit (mech2d/fit.h). Not installed. */
#ifndef MECH2D_STUDY_FIT_H
#define MECH2D_STUDY_FIT_H

#include "lib/core/mem.h"
#include "mech2d/fit.h"

/* Measurements: of each output at each time a value and what its residual is multiplied with. */
typedef struct m2d__fit_data {
    size_t n_rows, n_outputs;
    double *times;        /* (n_rows) ascending [s] */
    const char **outputs; /* (n_outputs) in the arena of the fit */
    const char **units;   /* (n_outputs) that the file gives, "": none; likewise */
    double *values;       /* (n_outputs x n_rows) [unit of the file] */
    double *factors;      /* (n_outputs x n_rows) 1 / sigma, or the root of the weight */
    size_t n_counted;     /* values whose factor is not 0 */
    bool has_sigma;       /* standard deviations are known */
    bool has_weights;     /* factors are not all 1 */
} m2d__fit_data;

/* fit_data.c: takes the data of a fit; texts go to the arena. */
HA_MUST_CHECK ha_status m2d__fit_take(ha_ctx *ctx, ha__arena *arena, const m2d_fit_def *def,
                                      m2d__fit_data *out);

/* fit_data.c: converts what was read to the units of the outputs, as a run gives them. */
HA_MUST_CHECK ha_status m2d__fit_convert(ha_ctx *ctx, const m2d_fit_def *def, m2d__fit_data *data,
                                         const ha_result *run);

/* Frees what it holds. */
void m2d__fit_clear_data(m2d__fit_data *data);

/* fit_statistics.c: what the residuals `r` (m) and their derivatives `a` (m x n), by columns, say
   of the estimates. Singular values below `tiny` times the largest are those of combinations that
   are not determined. `size` (n) are usual magnitudes of the parameters. */
HA_MUST_CHECK ha_status m2d__fit_judge(ha_ctx *ctx, const m2d__fit_data *data, const double *r,
                                       const double *a, const double *size, double tiny,
                                       m2d_fit *fit);

/* fit_statistics.c: warns of outputs that the model does not follow: after the fit, whose table is
   given, the residuals are large beside the scatter of the data. */
void m2d__fit_doubt(ha_ctx *ctx, const m2d__fit_data *data, const ha_result *table, ha_where where);

#endif
