/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rank, dependent rows and least-norm solutions by SuiteSparseQR. The only file that includes it.
 *
 * With B = R A W (see rank.h) the rows of B are the columns of B', whose QR factorisation tells
 * their rank: a column that lies in the span of those before it leaves nothing below the diagonal
 * and is "dead". First B' is factored in a fill-reducing order; usually no column is dead and all
 * is said. Else it is factored again in the given order: R is then an echelon form in which a
 * column is alive exactly when it starts a new row, and the dead ones are the later dependent rows
 * of A.
 *
 * Least norm: for independent rows B z = c with B' E = Q R gives z = Q R'^-1 E' c, and x = W z.
 */
#include <config.h>

#include "lib/linalg/rank.h"

#include "lib/core/context_priv.h"
#include "lib/core/mem.h"
#include "lib/core/versions.h"

#include <SuiteSparseQR_C.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SPQR_RANK = 4 }; /* place of the rank among SPQR's statistics */

/* B' and what is known of it; freed with problem_clear(). */
typedef struct problem {
    ha_ctx *ctx;
    const ha__matrix *a;
    const double *weight; /* (n_columns) or NULL */
    double tolerance;
    cholmod_common common;
    SuiteSparse_long *start; /* (n_rows + 1) columns of B' */
    SuiteSparse_long *row;
    double *value;
    double *length; /* (n_rows) 1 over the scale of each row */
    int *row_of;    /* (n_rows) row of A of each column of B' */
    int n_kept;     /* columns of B' */
    int *dependent; /* (n_rows) */
    int n_dependent;
} problem;

static void problem_clear(problem *p)
{
    cholmod_l_finish(&p->common);
    ha__free(p->start);
    ha__free(p->row);
    ha__free(p->value);
    ha__free(p->length);
    ha__free(p->row_of);
    ha__free(p->dependent);
}

static double weight_of(const problem *p, int64_t column)
{
    return p->weight == NULL ? 1.0 : p->weight[column];
}

/* The lengths of the rows of A W, or ones; rows of zeros get 1. */
static void measure_rows(problem *p, bool keep_lengths)
{
    const ha__matrix *a = p->a;

    for (int64_t j = 0; j < a->n_columns && !keep_lengths; j++) {
        for (int64_t k = a->column_start[j]; k < a->column_start[j + 1]; k++) {
            p->length[a->row[k]] = hypot(p->length[a->row[k]], a->value[k] * weight_of(p, j));
        }
    }
    for (int i = 0; i < a->n_rows; i++) {
        p->length[i] = p->length[i] > 0.0 ? p->length[i] : 1.0;
    }
}

/* Fills the columns of B' with the rows of B that are not marked dependent. */
static ha_status fill(problem *p)
{
    const ha__matrix *a = p->a;
    int skipped = 0;
    int *place = NULL;

    HA_TRY_ALLOC(p->ctx, place, a->n_rows);
    p->n_kept = 0;
    for (int i = 0; i < a->n_rows; i++) {
        bool skip = skipped < p->n_dependent && p->dependent[skipped] == i;
        skipped += skip ? 1 : 0;
        place[i] = skip ? -1 : p->n_kept;
        if (!skip) {
            p->row_of[p->n_kept++] = i;
        }
    }
    memset(p->start, 0, ((size_t) a->n_rows + 1) * sizeof *p->start);
    for (int64_t j = 0; j < a->n_columns; j++) {
        for (int64_t k = a->column_start[j]; k < a->column_start[j + 1]; k++) {
            bool is_in = place[a->row[k]] >= 0 && a->value[k] * weight_of(p, j) != 0.0;
            p->start[is_in ? place[a->row[k]] + 1 : 0]++;
        }
    }
    p->start[0] = 0;
    for (int i = 0; i < p->n_kept; i++) {
        p->start[i + 1] += p->start[i];
    }
    for (int64_t j = 0; j < a->n_columns; j++) {
        for (int64_t k = a->column_start[j]; k < a->column_start[j + 1]; k++) {
            int column = place[a->row[k]];
            double value = a->value[k] * weight_of(p, j);
            if (column >= 0 && value != 0.0) {
                /* start[column] runs ahead and is put back below */
                p->row[p->start[column]] = (SuiteSparse_long) j;
                p->value[p->start[column]++] = value / p->length[a->row[k]];
            }
        }
    }
    for (int i = p->n_kept; i > 0; i--) {
        p->start[i] = p->start[i - 1];
    }
    p->start[0] = 0;
    ha__free(place);
    return HA_OK;
}

/* CHOLMOD's view of B'; borrowed. */
static cholmod_sparse view(const problem *p)
{
    return (cholmod_sparse){
        .nrow = (size_t) p->a->n_columns,
        .ncol = (size_t) p->n_kept,
        .nzmax = (size_t) p->start[p->n_kept],
        .p = p->start,
        .i = p->row,
        .x = p->value,
        .stype = 0,
        .itype = CHOLMOD_LONG,
        .xtype = CHOLMOD_REAL,
        .dtype = CHOLMOD_DOUBLE,
        .sorted = 1,
        .packed = 1,
    };
}

static ha_status check_input(ha_ctx *ctx, const ha__matrix *a, const ha__rank_options *options)
{
    bool is_finite = true;

    for (int64_t k = 0; k < a->column_start[a->n_columns]; k++) {
        is_finite = is_finite && isfinite(a->value[k]);
    }
    for (int j = 0; options->column_scale != NULL && j < a->n_columns; j++) {
        is_finite = is_finite && isfinite(options->column_scale[j]);
    }
    return is_finite ? HA_OK
                     : ha_fail(ctx, HA_ERR_VALUE, HA_NOWHERE,
                               "the rank of a matrix of %d rows and %d columns cannot be found: an "
                               "entry is not finite; check the start values and parameters",
                               a->n_rows, a->n_columns);
}

static ha_status problem_init(problem *p, ha_ctx *ctx, const ha__matrix *a,
                              const ha__rank_options *options)
{
    size_t n_entries = (size_t) a->column_start[a->n_columns];
    size_t m = (size_t) a->n_rows;

    *p = (problem){ .ctx = ctx, .a = a, .weight = options->column_scale };
    p->tolerance = options->tolerance > 0.0
                       ? options->tolerance
                       : 20.0 * ((double) a->n_rows + (double) a->n_columns) * DBL_EPSILON;
    cholmod_l_start(&p->common);
    p->common.print = 0;
    p->common.error_handler = NULL;
    HA_TRY(check_input(ctx, a, options));
    HA_TRY_ALLOC(ctx, p->start, m + 1);
    HA_TRY_ALLOC(ctx, p->row, n_entries);
    HA_TRY_ALLOC(ctx, p->value, n_entries);
    HA_TRY_ALLOC(ctx, p->length, m);
    HA_TRY_ALLOC(ctx, p->row_of, m);
    HA_TRY_ALLOC(ctx, p->dependent, m);
    measure_rows(p, options->keep_row_lengths);
    return fill(p);
}

/* What CHOLMOD has to say about a failed call. */
static ha_status fail_of(problem *p)
{
    if (p->common.status == CHOLMOD_OUT_OF_MEMORY || p->common.status == CHOLMOD_TOO_LARGE) {
        ha__ctx_out_of_memory(p->ctx);
        return HA_ERR_MEMORY;
    }
    return ha_fail(p->ctx, HA_ERR_INTERNAL, HA_NOWHERE,
                   "SuiteSparseQR failed with status %d on %d rows and %d columns",
                   p->common.status, p->a->n_rows, p->a->n_columns);
}

/* The dead columns of B' in its given order. */
static ha_status find_dependent(problem *p)
{
    cholmod_sparse b = view(p);
    cholmod_sparse *r = NULL;

    if (SuiteSparseQR_C(SPQR_ORDERING_FIXED, p->tolerance, 0, 0, &b, NULL, NULL, NULL, NULL, &r,
                        NULL, NULL, NULL, NULL, &p->common) < 0) {
        return fail_of(p);
    }
    const SuiteSparse_long *start = r->p;
    const SuiteSparse_long *row = r->i;
    SuiteSparse_long alive = 0;
    for (int j = 0; j < p->n_kept; j++) {
        bool starts_row = false;
        for (SuiteSparse_long k = start[j]; k < start[j + 1]; k++) {
            starts_row = starts_row || row[k] == alive;
        }
        if (starts_row) {
            alive++;
        } else {
            p->dependent[p->n_dependent++] = j;
        }
    }
    cholmod_l_free_sparse(&r, &p->common);
    return HA_OK;
}

/* Factors B' in a fill-reducing order; `*rank` from its dead columns. */
static ha_status factor(problem *p, double tolerance, SuiteSparseQR_C_factorization **qr,
                        int64_t *rank)
{
    cholmod_sparse b = view(p);

    *qr = SuiteSparseQR_C_factorize(SPQR_ORDERING_AMD, tolerance, &b, &p->common);
    if (*qr == NULL) {
        return fail_of(p);
    }
    *rank = p->common.SPQR_istat[SPQR_RANK];
    return HA_OK;
}

/* z (n_columns) of least norm with B z = c for the columns of B' (n_kept), all independent. */
static ha_status solve(problem *p, SuiteSparseQR_C_factorization *qr, double *c, double *z)
{
    cholmod_dense right = { .nrow = (size_t) p->n_kept,
                            .ncol = 1,
                            .nzmax = (size_t) p->n_kept,
                            .d = (size_t) p->n_kept,
                            .x = c,
                            .xtype = CHOLMOD_REAL,
                            .dtype = CHOLMOD_DOUBLE };
    cholmod_dense *reduced = SuiteSparseQR_C_solve(SPQR_RTX_EQUALS_ETB, qr, &right, &p->common);
    cholmod_dense *found =
        reduced == NULL ? NULL : SuiteSparseQR_C_qmult(SPQR_QX, qr, reduced, &p->common);

    if (found != NULL) {
        memcpy(z, found->x, (size_t) p->a->n_columns * sizeof *z);
    }
    ha_status status = found == NULL ? fail_of(p) : HA_OK;
    cholmod_l_free_dense(&reduced, &p->common);
    cholmod_l_free_dense(&found, &p->common);
    return status;
}

/* The factorisation of B' without its dependent columns, which are found on the way. `qr` may be
   set on failure too. */
static ha_status decompose(problem *p, SuiteSparseQR_C_factorization **qr, bool needs_factors)
{
    int64_t rank = 0;

    HA_TRY(factor(p, p->tolerance, qr, &rank));
    if (rank == p->n_kept) {
        return HA_OK;
    }
    SuiteSparseQR_C_free(qr, &p->common);
    HA_TRY(find_dependent(p));
    if (needs_factors && p->n_dependent < p->a->n_rows) {
        HA_TRY(fill(p));
        HA_TRY(factor(p, SPQR_NO_TOL, qr, &rank));
    }
    return HA_OK;
}

/* x of least norm; without rows it is 0. */
static ha_status solve_for(problem *p, SuiteSparseQR_C_factorization *qr, const double *b,
                           double *x)
{
    int n = p->a->n_columns;
    double *c = NULL;
    double *z = NULL;
    ha_status status = HA_OK;

    HA_TRY_ALLOC(p->ctx, c, p->n_kept);
    z = ha__alloc(p->ctx, (size_t) n, sizeof *z);
    if (z == NULL) {
        ha__free(c);
        return HA_ERR_MEMORY;
    }
    for (int i = 0; i < p->n_kept; i++) {
        c[i] = b[p->row_of[i]] / p->length[p->row_of[i]];
    }
    if (qr != NULL) {
        status = solve(p, qr, c, z);
    }
    for (int j = 0; j < n && status == HA_OK; j++) {
        x[j] = z[j] * weight_of(p, j);
    }
    ha__free(c);
    ha__free(z);
    return status;
}

/* Both public functions; b and x NULL: the rank only. */
static ha_status run(ha_ctx *ctx, const ha__matrix *a, const ha__rank_options *options,
                     const double *b, double *x, int *rank, int *dependent)
{
    SuiteSparseQR_C_factorization *qr = NULL;
    problem p;
    ha_status status = problem_init(&p, ctx, a, options);

    if (status == HA_OK && p.start[p.n_kept] == 0) {
        /* nothing but zeros */
        for (int i = 0; i < a->n_rows; i++) {
            p.dependent[p.n_dependent++] = i;
        }
    } else if (status == HA_OK) {
        status = decompose(&p, &qr, x != NULL);
    }
    if (status == HA_OK && x != NULL) {
        status = solve_for(&p, qr, b, x);
    }
    if (status == HA_OK && rank != NULL) {
        *rank = a->n_rows - p.n_dependent;
    }
    if (status == HA_OK && dependent != NULL && p.n_dependent > 0) {
        memcpy(dependent, p.dependent, (size_t) p.n_dependent * sizeof *dependent);
    }
    if (qr != NULL) {
        SuiteSparseQR_C_free(&qr, &p.common);
    }
    problem_clear(&p);
    return status;
}

ha_status ha__rank(ha_ctx *ctx, const ha__matrix *a, const ha__rank_options *options, int *rank,
                   int *dependent)
{
    return run(ctx, a, options, NULL, NULL, rank, dependent);
}

ha_status ha__least_norm(ha_ctx *ctx, const ha__matrix *a, const ha__rank_options *options,
                         const double *b, double *x, int *rank, int *dependent)
{
    return run(ctx, a, options, b, x, rank, dependent);
}

void ha__suitesparse_version(char *text, size_t size)
{
    int version[3] = { 0, 0, 0 };

    (void) SuiteSparse_version(version);
    snprintf(text, size, "%d.%d.%d", version[0], version[1], version[2]);
}
