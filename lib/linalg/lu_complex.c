/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sparse complex linear systems by the complex routines of KLU, which choose the pivots anew for
 * each matrix: along an axis of frequencies the entries change by powers of ten.
 */
#include <config.h>

#include "lib/linalg/lu_complex.h"

#include "lib/core/mem.h"
#include "lib/linalg/lu_klu.h"

#include <klu.h>

struct ha__lu_complex {
    ha_ctx *ctx;
    ha__klu_pattern pattern;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
};

ha_status ha__lu_complex_new(ha_ctx *ctx, int n, const int64_t *start, const int64_t *row,
                             ha__lu_complex **out)
{
    ha__lu_complex *lu = ha__alloc(ctx, 1, sizeof *lu);

    *out = lu;
    HA_TRY_MEMORY(lu);
    lu->ctx = ctx;
    klu_defaults(&lu->common);
    return ha__klu_copy(ctx, n, start, row, &lu->pattern);
}

void ha__lu_complex_free(ha__lu_complex *lu)
{
    if (lu != NULL) {
        klu_z_free_numeric(&lu->numeric, &lu->common);
        klu_free_symbolic(&lu->symbolic, &lu->common);
        ha__klu_pattern_clear(&lu->pattern);
        ha__free(lu);
    }
}

ha_status ha__lu_complex_factor(ha__lu_complex *lu, double *a, bool *is_singular)
{
    const ha__klu_pattern *p = &lu->pattern;

    if (lu->symbolic == NULL) {
        lu->symbolic = klu_analyze(p->n, p->start, p->row, &lu->common);
    }
    klu_z_free_numeric(&lu->numeric, &lu->common);
    if (lu->symbolic != NULL) {
        lu->numeric = klu_z_factor(p->start, p->row, a, lu->symbolic, &lu->common);
    }
    *is_singular = lu->common.status == KLU_SINGULAR;
    if (lu->numeric == NULL && !*is_singular) {
        return ha_fail(lu->ctx, HA_ERR_MEMORY, HA_NOWHERE,
                       "KLU could not factor a complex matrix of %d rows (status %d)", p->n,
                       (int) lu->common.status);
    }
    return HA_OK;
}

void ha__lu_complex_solve(ha__lu_complex *lu, double *x)
{
    klu_z_solve(lu->symbolic, lu->numeric, lu->pattern.n, 1, x, &lu->common);
}
