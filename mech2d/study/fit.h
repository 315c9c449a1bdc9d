/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits of values of a model to measurements. Not installed. */
#ifndef MECH2D_STUDY_FIT_H
#define MECH2D_STUDY_FIT_H

#include "mech2d/study/study.h"

/* What a fit is made of. */
typedef struct m2d__fit_def {
    const m2d_source *source;                                 /* but for the outputs */
    ha_status (*adjust)(void *user, bg_run_options *options); /* NULL: they stay as in the file */
    void *user;
    void (*share_interrupt)(ha_ctx *ctx); /* lets a context see an interrupt; NULL: none */
} m2d__fit_def;

/* Measurements: of each output at each time a value and what its residual is multiplied with. */
typedef struct m2d__fit_data {
    size_t n_rows, n_outputs;
    double *times;        /* (n_rows) ascending [s] */
    const char **outputs; /* (n_outputs) in the arena of the study */
    const char **units;   /* (n_outputs) that the file gives, "": none; likewise */
    double *values;       /* (n_outputs x n_rows) [unit of the file] */
    double *factors;      /* (n_outputs x n_rows) 1 / sigma, or the root of the weight */
    size_t n_counted;     /* values whose factor is not 0 */
    bool has_sigma;       /* standard deviations are known */
    bool has_weights;     /* factors are not all 1 */
} m2d__fit_data;

/* How it ended. */
typedef enum m2d__fit_end {
    M2D__FIT_DONE,
    M2D__FIT_UNDETERMINED,  /* the data do not determine all of the parameters */
    M2D__FIT_NOT_CONVERGED, /* too many runs */
    M2D__FIT_END_COUNT
} m2d__fit_end;

/* What came of it. Zero-initialised is empty. */
typedef struct m2d__fit {
    m2d__fit_end end;
    int n;               /* parameters */
    m2d__fit_data data;  /* in the units of the outputs */
    double *value;       /* (n) estimates [SI] */
    bool *is_held;       /* (n) at a bound beyond which the fit would be better */
    double *deviation;   /* (n) standard errors; NAN: of what is held or not determined */
    double *correlation; /* (n x n) of the estimates; NAN likewise */
    double chi2;         /* sum of the squares of the weighted residuals */
    double rms;          /* root of the mean square of the residuals, not weighted, where all have
                            one unit; else NAN */
    long freedom;        /* data less the parameters that were fitted */
    double condition;    /* of dr/d(ln p): largest singular value over the least */
    int n_loose;         /* combinations of parameters that are not determined */
    double *loose;       /* (n_loose x n) their shares, as relative changes, the largest 1 */
    int runs, jacobians; /* that were made, those with derivatives */
    int failed;          /* of the runs; a step was shortened for each */
    ha_result *table;    /* t, then OUTPUT, data(OUTPUT) and residual(OUTPUT) of each output */
} m2d__fit;

/* Fits; `out` is to be freed with m2d__fit_clear(), also on failure. An end that is not
   M2D__FIT_DONE is no failure of the call. */
HA_MUST_CHECK ha_status m2d__fit_find(m2d__study *study, const m2d__fit_def *def, m2d__fit *out);

/* Frees what it holds. */
void m2d__fit_clear(m2d__fit *fit);

/* fit_data.c: reads the data of a study. */
HA_MUST_CHECK ha_status m2d__fit_read_data(m2d__study *study, m2d__fit_data *out);

/* fit_data.c: converts what was read to the units of the outputs, as a run gives them. */
HA_MUST_CHECK ha_status m2d__fit_convert(m2d__study *study, m2d__fit_data *data,
                                         const ha_result *run);

/* Frees what it holds. */
void m2d__fit_clear_data(m2d__fit_data *data);

/* fit_statistics.c: what the residuals `r` (m) and their derivatives `a` (m x n), by columns, say
   of the estimates. Singular values below `tiny` times the largest are those of combinations that
   are not determined. `size` (n) are usual magnitudes of the parameters. */
HA_MUST_CHECK ha_status m2d__fit_judge(ha_ctx *ctx, m2d__fit *fit, int m, const double *r,
                                       const double *a, const double *size, double tiny);

#endif
