/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Factors of sparse matrices, real and complex ones, by KLU, which no other file includes.
 *
 *     P A Q = L U
 *
 * block by block of the block triangular form. Matrices of one pattern share the order Q of the
 * columns, which is found once; the rows P are chosen with the values. The scales of rows and
 * columns of real matrices are the caller's; KLU scales the rows of complex ones.
 *
 * Entries are numbered by int: that halves what has to be fetched for them beside 64 bits.
 *
 * The condition is estimated by min |U_kk| / max |U_kk|, which costs next to nothing. Pivots that
 * were chosen for another matrix serve as long as it stays above the WORSE-th part of what it was
 * there.
 */
#include <config.h>

#include "lib/linalg/lu_klu.h"

#include "lib/core/context_priv.h"
#include "lib/core/mem.h"

#include <inttypes.h>
#include <klu.h>
#include <limits.h>

/* The larger, the sooner new pivots are looked for, at some times the cost; the smaller, the more
   digits old ones may lose: two here. */
static const double WORSE = 1e-2;

/* KLU's functions for one kind of numbers. */
typedef struct {
    klu_numeric *(*factor)(int *start, int *row, double *values, klu_symbolic *symbolic,
                           klu_common *common);
    int (*refactor)(int *start, int *row, double *values, klu_symbolic *symbolic,
                    klu_numeric *numeric, klu_common *common);
    int (*solve)(klu_symbolic *symbolic, klu_numeric *numeric, int n, int n_sides, double *x,
                 klu_common *common);
    int (*solve_transposed)(klu_symbolic *symbolic, klu_numeric *numeric, int n, int n_sides,
                            double *x, klu_common *common);
    int (*rcond)(klu_symbolic *symbolic, klu_numeric *numeric, klu_common *common);
    int (*free_numeric)(klu_numeric **numeric, klu_common *common);
} kernel;

static const kernel real_kernel = { klu_factor, klu_refactor, klu_solve,
                                    klu_tsolve, klu_rcond,    klu_free_numeric };

/* With the transpose as it is, not conjugate. */
static int solve_transposed_complex(klu_symbolic *symbolic, klu_numeric *numeric, int n,
                                    int n_sides, double *x, klu_common *common)
{
    return klu_z_tsolve(symbolic, numeric, n, n_sides, x, 0, common);
}

/* The functions for complex numbers, whose values are pairs. Only the constructor of complex
   factors names them, so that a program without such factors links none of them. */
static const kernel complex_kernel = { klu_z_factor, klu_z_refactor,
                                       klu_z_solve,  solve_transposed_complex,
                                       klu_z_rcond,  klu_z_free_numeric };

struct ha__klu {
    ha_ctx *ctx;
    ha__klu_pattern pattern; /* borrowed */
    klu_common common;
    klu_symbolic *symbolic; /* NULL: not analysed yet */
    klu_numeric *numeric;   /* NULL: there are no factors */
    double chosen;          /* condition where the pivots were chosen */
    const kernel *kernel;
};

/* --- patterns -------------------------------------------------------------------------------- */

ha_status ha__klu_check_size(ha_ctx *ctx, int n, int64_t n_entries)
{
    if (n_entries > INT_MAX) {
        return ha_fail(ctx, HA_ERR_LIMIT, HA_NOWHERE,
                       "the linear system of %d unknowns has %" PRId64 " entries, at most %d are "
                       "allowed; make the model smaller",
                       n, n_entries, INT_MAX);
    }
    return HA_OK;
}

ha_status ha__klu_copy(ha_ctx *ctx, int n, const int64_t *start, const int64_t *row,
                       ha__klu_pattern *out)
{
    *out = (ha__klu_pattern){ .n = n };
    HA_TRY(ha__klu_check_size(ctx, n, start[n]));
    HA_TRY_ALLOC(ctx, out->start, (size_t) n + 1, out->row, start[n]);
    for (int j = 0; j <= n; j++) {
        out->start[j] = (int) start[j];
    }
    for (int64_t k = 0; k < start[n]; k++) {
        out->row[k] = (int) row[k];
    }
    return HA_OK;
}

void ha__klu_pattern_clear(ha__klu_pattern *pattern)
{
    HA_FREE(pattern->start, pattern->row);
    *pattern = (ha__klu_pattern){ 0 };
}

/* --- factors --------------------------------------------------------------------------------- */

/* The status of KLU's last call; singular matrices are HA_OK here. */
static ha_status status_of(ha_ctx *ctx, const klu_common *common)
{
    switch (common->status) {
    case KLU_OK:
    case KLU_SINGULAR:
        return HA_OK;
    case KLU_OUT_OF_MEMORY:
    case KLU_TOO_LARGE:
        ha__ctx_out_of_memory(ctx);
        return HA_ERR_MEMORY;
    default:
        return ha_fail(ctx, HA_ERR_INTERNAL, HA_NOWHERE,
                       "KLU refused a matrix (status %d): the pattern of the Jacobian is not valid",
                       (int) common->status);
    }
}

ha_status ha__klu_new(ha_ctx *ctx, const ha__klu_pattern *pattern, ha__klu_ordering ordering,
                      double steady, ha__klu **out)
{
    ha__klu *klu = ha__alloc(ctx, 1, sizeof *klu);

    HA_TRY_MEMORY(klu);
    *klu = (ha__klu){ .ctx = ctx, .pattern = *pattern, .kernel = &real_kernel };
    klu_defaults(&klu->common);
    klu->common.scale = -1; /* the caller's */
    klu->common.tol = steady;
    klu->common.ordering = ordering == HA__KLU_AMD ? 0 : 1;
    *out = klu;
    return HA_OK;
}

ha_status ha__klu_new_complex(ha_ctx *ctx, const ha__klu_pattern *pattern, ha__klu **out)
{
    ha__klu *klu = ha__alloc(ctx, 1, sizeof *klu);

    HA_TRY_MEMORY(klu);
    *klu = (ha__klu){ .ctx = ctx, .pattern = *pattern, .kernel = &complex_kernel };
    klu_defaults(&klu->common);
    *out = klu;
    return HA_OK;
}

static void free_factors(ha__klu *klu)
{
    klu->kernel->free_numeric(&klu->numeric, &klu->common);
}

static void estimate_condition(ha__klu *klu)
{
    klu->kernel->rcond(klu->symbolic, klu->numeric, &klu->common);
}

void ha__klu_free(ha__klu *klu)
{
    if (klu != NULL) {
        free_factors(klu);
        klu_free_symbolic(&klu->symbolic, &klu->common);
        ha__free(klu);
    }
}

ha_status ha__klu_analyse(ha__klu *klu)
{
    const ha__klu_pattern *p = &klu->pattern;

    if (p->n == 0) { /* KLU takes none that is empty; it has its factors */
        return HA_OK;
    }
    if (klu->symbolic == NULL) {
        klu->symbolic = klu_analyze(p->n, p->start, p->row, &klu->common);
    }
    return klu->symbolic == NULL ? status_of(klu->ctx, &klu->common) : HA_OK;
}

ha_status ha__klu_factor(ha__klu *klu, double *values)
{
    const ha__klu_pattern *p = &klu->pattern;

    HA_TRY(ha__klu_analyse(klu));
    free_factors(klu);
    if (p->n == 0 || klu->symbolic->structural_rank < p->n) {
        return HA_OK;
    }
    klu->numeric = klu->kernel->factor(p->start, p->row, values, klu->symbolic, &klu->common);
    HA_TRY(status_of(klu->ctx, &klu->common));
    if (klu->numeric != NULL) {
        estimate_condition(klu);
        klu->chosen = klu->common.rcond;
    }
    return HA_OK;
}

bool ha__klu_refactor(ha__klu *klu, double *values)
{
    const ha__klu_pattern *p = &klu->pattern;

    if (klu->numeric == NULL) {
        return false;
    }
    klu->kernel->refactor(p->start, p->row, values, klu->symbolic, klu->numeric, &klu->common);
    if (klu->common.status != KLU_OK) {
        return false;
    }
    estimate_condition(klu);
    return true;
}

bool ha__klu_is_factored(const ha__klu *klu)
{
    return klu->numeric != NULL || klu->pattern.n == 0;
}

double ha__klu_condition(const ha__klu *klu)
{
    return klu->numeric == NULL ? 0.0 : klu->common.rcond;
}

double ha__klu_measure(ha__klu *klu, double *values)
{
    const ha__klu_pattern *p = &klu->pattern;

    if (klu->numeric == NULL || klu->kernel != &real_kernel) {
        return 0.0;
    }
    klu_condest(p->start, values, klu->symbolic, klu->numeric, &klu->common);
    return klu->common.condest >= 1.0 ? 1.0 / klu->common.condest : 0.0;
}

bool ha__klu_is_worse(const ha__klu *klu)
{
    return !(klu->chosen > 0.0) || !(klu->common.rcond > WORSE * klu->chosen);
}

void ha__klu_solve(ha__klu *klu, double *x)
{
    if (klu->pattern.n > 0) {
        klu->kernel->solve(klu->symbolic, klu->numeric, klu->pattern.n, 1, x, &klu->common);
    }
}

void ha__klu_solve_transposed(ha__klu *klu, double *x)
{
    if (klu->pattern.n > 0) {
        klu->kernel->solve_transposed(klu->symbolic, klu->numeric, klu->pattern.n, 1, x,
                                      &klu->common);
    }
}

void ha__klu_pivots(const ha__klu *klu, int *p, int *q)
{
    for (int k = 0; k < klu->pattern.n; k++) {
        p[k] = klu->numeric->Pnum[k];
        q[k] = klu->symbolic->Q[k];
    }
}

/* --- order ----------------------------------------------------------------------------------- */

/* The order that KLU's analysis finds for a symmetric pattern as a whole. */
static ha_status find_order(ha_ctx *ctx, const ha__klu_pattern *pattern, int *order)
{
    klu_common common;

    klu_defaults(&common);
    common.btf = 0;
    common.ordering = 0; /* AMD */
    klu_symbolic *symbolic = klu_analyze(pattern->n, pattern->start, pattern->row, &common);
    HA_TRY(status_of(ctx, &common));
    for (int k = 0; k < pattern->n; k++) {
        order[k] = symbolic->Q[k];
    }
    klu_free_symbolic(&symbolic, &common);
    return HA_OK;
}

ha_status ha__klu_order(ha_ctx *ctx, int n, const int64_t *start, const int64_t *row, int *order)
{
    ha__klu_pattern pattern = { 0 };
    ha_status status = ha__klu_copy(ctx, n, start, row, &pattern);

    status = status == HA_OK && n > 0 ? find_order(ctx, &pattern, order) : status;
    ha__klu_pattern_clear(&pattern);
    return status;
}
