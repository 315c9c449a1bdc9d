/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of a run share. Not installed. */
#ifndef BONDGRAPH_RUN_PRIV_H
#define BONDGRAPH_RUN_PRIV_H

#include "bondgraph/model/model_priv.h"

/* run.c: alpha and beta of a run with these options, as its start makes them. */
HA_MUST_CHECK ha_status bg__model_stabilisation(ha_ctx *ctx, const bg_model *model,
                                                const bg_run_options *options, double out[2]);

/* Moves start values that were not given until the given ones of dependent storages and the
   constraints on flows alone agree with all others; names what does not. `y`, `yp` are a consistent
   start and stay one, `work` is prepared. HA_ERR_VALUE: they contradict each other. */
HA_MUST_CHECK ha_status bg__meet_start(ha_ctx *ctx, const bg_model *model, const double *parameters,
                                       double *work, double *y, double *yp);

/* Warns when a state that carries energy stayed so small that the absolute tolerance decided its
   accuracy: `dae` is that of a model with the scales of the run, `largest` (n) magnitudes of it,
   `y` and `yp` at its end, `work` prepared. */
HA_MUST_CHECK ha_status bg__warn_of_coarse_tolerance(ha_ctx *ctx, const ha_dae *dae, double atol,
                                                     const double *largest, double *work,
                                                     const double *y, const double *yp);

/* What the energy book is judged by, besides what was reported. */
typedef struct bg__book_terms {
    double rtol;
    double stored;    /* at the start [J] */
    double exchanged; /* magnitudes of the powers of all sources and dissipators, integrated [J] */
} bg__book_terms;

/* Warns when the energy book is off by more than the tolerances explain: `dae` is that of a model
   with the scales of the run, `y` and `yp` at its end, `work` prepared. HA_ERR_SOLVER: it is off by
   as much as moved. */
HA_MUST_CHECK ha_status bg__judge_book(ha_ctx *ctx, const ha_dae *dae, const bg__book_terms *terms,
                                       const bg_run_report *report, double *work, const double *y,
                                       const double *yp);

/* Warns of outputs that are not finite in some row. */
void bg__warn_of_no_numbers(const ha_result *result);

#endif
