/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of a run with IDA, for the files that drive it. Not installed. */
#ifndef LIB_DAE_IDA_H
#define LIB_DAE_IDA_H

#include "lib/dae/dae_pass.h"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

enum { HA__MESSAGE_SIZE = 256 /* of IDA's own messages */ };

/* What a run with IDA needs. */
typedef struct ha__ida {
    ha__run *run;
    ha_ctx *ctx;
    const ha_dae *dae;
    const ha_dae_options *options;
    ha_dae_stats *stats;
    double *work; /* scratch of the callbacks */

    SUNContext sundials;
    void *ida;
    N_Vector y; /* the caller's arrays */
    N_Vector yp;
    N_Vector y_in; /* inside a step, and scratch */
    N_Vector yp_in;
    N_Vector mask;      /* 1 for unknowns in the error test */
    N_Vector solved;    /* 1 for unknowns in which Newton's method has to converge */
    N_Vector sizes;     /* what atol is a share of, */
    N_Vector tightness; /* and by how much tighter a tolerance is than usual: 1 for most; */
    int first_tight;    /* the first unknown in which it is more than 1; n: none */
    long n_grown;       /* of the sizes (ha__nominal), -1: not set yet */
    N_Vector change;    /* scratch of reports */
    N_Vector scratch;
    SUNMatrix matrix;
    SUNLinearSolver solver;
    SUNNonlinearSolver newton;      /* NULL: IDA's own */
    char message[HA__MESSAGE_SIZE]; /* IDA's last message */

    double cj;               /* of the matrix */
    ha_status finish_status; /* of the last time that was done */
    int dense_flag;          /* IDA's first refusal to interpolate, 0: none */
    ha__pass pass;           /* over singular positions */
} ha__ida;

/* HA_OK for IDA_SUCCESS, else a failure of a call that can only fail for lack of memory or of
   us. */
HA_MUST_CHECK ha_status ha__from_ida(const ha__ida *r, int flag);

/* Adds IDA's counts since its last start to those of the run. */
void ha__ida_count(const ha__ida *r);

/* dae_ida_pass.c: what is done with the solution of each step; see ha__newton_finish. */
int ha__ida_finish(void *run, N_Vector predicted, N_Vector correction, N_Vector weights);

/* dae_ida_pass.c: the error weights, 1 / tolerance. */
int ha__ida_weigh(N_Vector y, N_Vector weights, void *run);

/* dae_ida_pass.c: looks at an accepted step of size h for the signs of a singular position and does
   what helps there. */
HA_MUST_CHECK ha_status ha__ida_watch(ha__run *run, double h);

/* dae_ida_pass.c: tries to go on where IDA gave up; `*goes_on` tells whether there is hope. */
HA_MUST_CHECK ha_status ha__ida_recover(ha__ida *r, bool *goes_on);

/* dae_ida_fail.c: says why IDA stopped; returns the status of that. */
HA_MUST_CHECK ha_status ha__ida_fail(ha__ida *r, int flag);

/* dae_ida_fail.c: says that the run stops for a reason of ours. */
HA_MUST_CHECK ha_status ha__ida_stop(ha__run *run, const char *reason, const char *advice);

#endif
