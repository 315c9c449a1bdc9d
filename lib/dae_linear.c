/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The linear systems A x = b of Newton's method: KLU behind the places, which need no solver.
 *
 * The row of a place q is q' = a sum of speeds and others, so that its pivot cj is good and no other
 * place stands in it. With E the places and R the rest
 *
 *     A_RR - A_RE D^-1 A_ER,  D = A_EE diagonal,
 *
 * is what KLU gets, a third smaller for a mechanism; its pattern and the list of products that make
 * it are found once.
 *
 * KLU chooses its pivots in the equilibrated matrix and keeps them: later matrices are factored with
 * the same pivots and scales, a few times as fast. Whether the pivots still do is seen where it
 * matters: a solution whose residual is not small is corrected, and if that does not help calls for
 * new ones.
 */
#include <config.h>

#include "lib/dae_linear.h"

#include "lib/mem.h"

#include <klu.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdbool.h>
#include <string.h>
#include <sunmatrix/sunmatrix_sparse.h>

static const double GOOD = 1e-10; /* residual beside the terms of its row */
static const double STEADY = 0.1; /* least pivot beside the largest in its column */

/* A product that goes into an entry of the reduced matrix: to -= a * b / pivot. */
typedef struct {
    int64_t to;
    int64_t a; /* entry (row, place) of A */
    int64_t b; /* entry (place, column) of A */
    int place;
} product;

/* An entry of A that ties a place to the rest. */
typedef struct {
    int64_t entry;
    int place; /* number in A */
    int other; /* number in the reduced matrix, of the row or column */
} tie;

typedef struct linear {
    ha_ctx *ctx;
    const ha_dae *dae;
    int n;           /* of A */
    int m;           /* of the reduced matrix */
    int *reduced;    /* (n) number in the reduced matrix, -1: a place */
    int *kept;       /* (m) number in A */
    int n_places;
    int *places;     /* (n_places) numbers of those that are not kept */
    int64_t *pivot;  /* (n) entry of a place's pivot, -1: none */
    double *inverse; /* (n) of a place: 1 / pivot */
    SuiteSparse_long *start, *row; /* the reduced pattern */
    int64_t *from;                 /* by reduced entry: entry of A, -1: none */
    HA_ARRAY(product) products;
    HA_ARRAY(tie) below; /* A_RE */
    HA_ARRAY(tie) right; /* A_ER */
    double *value;       /* the reduced matrix, in the scales */
    double *scale;       /* of its entries */
    double *row_scale;   /* (m) powers of two */
    double *column_scale;
    double *x;           /* (m) */
    double *sum, *size;  /* (n) residual of a solution and its terms */
    double *correction;  /* (n) of it */
    klu_l_common common;
    klu_l_symbolic *symbolic;
    klu_l_numeric *numeric;
} linear;

static linear *content(SUNLinearSolver solver)
{
    return solver->content;
}

/* --- the reduced pattern ------------------------------------------------------------------- */

/* Places whose row holds a diagonal entry and no other place; something is left for KLU. */
static void choose_places(linear *s)
{
    const ha_dae *dae = s->dae;

    for (int j = 0; j < s->n; j++) {
        s->pivot[j] = -1;
        s->reduced[j] = dae->motions != NULL && dae->motions[j] == HA_PLACE ? -1 : 0;
    }
    for (int j = 0; j < s->n; j++) {
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            int i = (int) dae->row[k];
            if (i == j) {
                s->pivot[j] = k;
            } else if (s->reduced[j] < 0 && s->reduced[i] < 0) {
                s->reduced[i] = 0; /* another place in its row: it stays */
            }
        }
    }
    for (int j = 0; j < s->n; j++) {
        bool is_last = j == s->n - 1 && s->m == 0;
        if (s->reduced[j] < 0 && s->pivot[j] >= 0 && !is_last) {
            s->places[s->n_places++] = j;
        } else {
            s->kept[s->m] = j;
            s->reduced[j] = s->m++;
        }
    }
}

/* What is built up column by column. */
typedef struct {
    linear *s;
    int64_t *at;      /* (n) entry of a row in the column under way, -1: none */
    HA_ARRAY(SuiteSparse_long) row;
    HA_ARRAY(int64_t) from;
} builder;

/* The entry of a row of A in the column under way. */
static ha_status entry_of(builder *b, int64_t row, int64_t *entry)
{
    if (b->at[row] < 0) {
        b->at[row] = (int64_t) b->row.count;
        HA_TRY_PUSH(b->s->ctx, &b->row, b->s->reduced[row]);
        HA_TRY_PUSH(b->s->ctx, &b->from, -1);
    }
    *entry = b->at[row];
    return HA_OK;
}

/* What the elimination of a place adds to the column under way, where A has the entry `b_entry`. */
static ha_status add_products(builder *b, int64_t place, int64_t b_entry)
{
    const ha_dae *dae = b->s->dae;

    for (int64_t k = dae->column_start[place]; k < dae->column_start[place + 1]; k++) {
        int64_t to = 0;
        if (b->s->reduced[dae->row[k]] >= 0) {
            HA_TRY(entry_of(b, dae->row[k], &to));
            HA_TRY_PUSH(b->s->ctx, &b->s->products, (product){ to, k, b_entry, (int) place });
        }
    }
    return HA_OK;
}

static ha_status add_column(builder *b, int column)
{
    const ha_dae *dae = b->s->dae;
    size_t begin = b->row.count;

    for (int64_t k = dae->column_start[column]; k < dae->column_start[column + 1]; k++) {
        int64_t to = 0;
        if (b->s->reduced[dae->row[k]] < 0) {
            HA_TRY(add_products(b, dae->row[k], k));
        } else {
            HA_TRY(entry_of(b, dae->row[k], &to));
            b->from.items[to] = k;
        }
    }
    for (size_t k = begin; k < b->row.count; k++) {
        b->at[b->s->kept[b->row.items[k]]] = -1;
    }
    b->s->start[b->s->reduced[column] + 1] = (SuiteSparse_long) b->row.count;
    return HA_OK;
}

static ha_status find_ties(linear *s)
{
    const ha_dae *dae = s->dae;

    for (int j = 0; j < s->n; j++) {
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            int i = (int) dae->row[k];
            if (s->reduced[j] < 0 && s->reduced[i] >= 0) {
                HA_TRY_PUSH(s->ctx, &s->below, (tie){ k, j, s->reduced[i] });
            } else if (s->reduced[j] >= 0 && s->reduced[i] < 0) {
                HA_TRY_PUSH(s->ctx, &s->right, (tie){ k, i, s->reduced[j] });
            }
        }
    }
    return HA_OK;
}

static ha_status find_pattern(builder *b)
{
    linear *s = b->s;

    HA_TRY_ALLOC(s->ctx, b->at, s->n);
    for (int i = 0; i < s->n; i++) {
        b->at[i] = -1;
    }
    for (int j = 0; j < s->n; j++) {
        if (s->reduced[j] >= 0) {
            HA_TRY(add_column(b, j));
        }
    }
    HA_TRY_ALLOC(s->ctx, s->value, b->row.count);
    HA_TRY_ALLOC(s->ctx, s->scale, b->row.count);
    s->row = b->row.items;
    s->from = b->from.items;
    b->row.items = NULL;
    b->from.items = NULL;
    return find_ties(s);
}

/* --- factors --------------------------------------------------------------------------------- */

/* The reduced matrix, without scales. */
static void reduce(linear *s, const double *a)
{
    SuiteSparse_long n_entries = s->start[s->m];

    for (int i = 0; i < s->n_places; i++) {
        int j = s->places[i];
        s->inverse[j] = 1.0 / a[s->pivot[j]];
    }
    for (SuiteSparse_long k = 0; k < n_entries; k++) {
        s->value[k] = s->from[k] < 0 ? 0.0 : a[s->from[k]];
    }
    for (size_t i = 0; i < s->products.count; i++) {
        const product *p = &s->products.items[i];
        s->value[p->to] -= a[p->a] * a[p->b] * s->inverse[p->place];
    }
}

/* The power of two that brings x to about 1. */
static double scale_of(double x)
{
    int exponent = 0;

    if (!(x > 0.0) || !isfinite(x)) {
        return 1.0;
    }
    frexp(x, &exponent);
    return ldexp(1.0, -exponent);
}

/* Scales that bring the largest entry of each row and then of each column to about 1. */
static void find_scales(linear *s)
{
    for (int i = 0; i < s->m; i++) {
        s->row_scale[i] = 0.0;
    }
    for (SuiteSparse_long k = 0; k < s->start[s->m]; k++) {
        double size = fabs(s->value[k]), *largest = &s->row_scale[s->row[k]];
        *largest = size > *largest ? size : *largest;
    }
    for (int i = 0; i < s->m; i++) {
        s->row_scale[i] = scale_of(s->row_scale[i]);
    }
    for (int j = 0; j < s->m; j++) {
        double largest = 0.0;
        for (SuiteSparse_long k = s->start[j]; k < s->start[j + 1]; k++) {
            double size = fabs(s->value[k]) * s->row_scale[s->row[k]];
            largest = size > largest ? size : largest;
        }
        s->column_scale[j] = scale_of(largest);
        for (SuiteSparse_long k = s->start[j]; k < s->start[j + 1]; k++) {
            s->scale[k] = s->row_scale[s->row[k]] * s->column_scale[j];
        }
    }
}

static void apply_scales(linear *s)
{
    SuiteSparse_long n_entries = s->start[s->m];

    for (SuiteSparse_long k = 0; k < n_entries; k++) {
        s->value[k] *= s->scale[k];
    }
}

/* Factors a matrix with pivots of its own. */
static int factor_anew(linear *s, const double *a)
{
    reduce(s, a);
    find_scales(s);
    apply_scales(s);
    klu_l_free_numeric(&s->numeric, &s->common);
    s->numeric = klu_l_factor(s->start, s->row, s->value, s->symbolic, &s->common);
    if (s->numeric == NULL) {
        return s->common.status == KLU_SINGULAR ? SUNLS_LUFACT_FAIL : SUNLS_PACKAGE_FAIL_UNREC;
    }
    return SUNLS_SUCCESS;
}

/* Factors a matrix with the pivots and scales chosen before. */
static int factor_again(linear *s, const double *a)
{
    reduce(s, a);
    apply_scales(s);
    klu_l_refactor(s->start, s->row, s->value, s->symbolic, s->numeric, &s->common);
    return s->common.status == KLU_OK ? SUNLS_SUCCESS : factor_anew(s, a);
}

/* x = A^-1 b */
static void solve_with(linear *s, const double *a, const double *b, double *x)
{
    for (int i = 0; i < s->m; i++) {
        s->x[i] = b[s->kept[i]];
    }
    for (size_t i = 0; i < s->below.count; i++) { /* b_R - A_RE D^-1 b_E */
        const tie *at = &s->below.items[i];
        s->x[at->other] -= a[at->entry] * (b[at->place] * s->inverse[at->place]);
    }
    for (int i = 0; i < s->m; i++) {
        s->x[i] *= s->row_scale[i];
    }
    klu_l_solve(s->symbolic, s->numeric, s->m, 1, s->x, &s->common);
    memcpy(x, b, (size_t) s->n * sizeof *x);
    for (int i = 0; i < s->m; i++) {
        s->x[i] *= s->column_scale[i];
        x[s->kept[i]] = s->x[i];
    }
    for (size_t i = 0; i < s->right.count; i++) { /* b_E - A_ER x_R */
        const tie *at = &s->right.items[i];
        x[at->place] -= a[at->entry] * s->x[at->other];
    }
    for (int i = 0; i < s->n_places; i++) {
        x[s->places[i]] *= s->inverse[s->places[i]];
    }
}

/* True when each row of A x = b holds but for round-off of its terms. */
static bool is_good(linear *s, const double *a, const double *b, const double *x)
{
    const ha_dae *dae = s->dae;
    bool good = true;

    for (int i = 0; i < s->n; i++) {
        s->sum[i] = b[i];
        s->size[i] = fabs(b[i]);
    }
    for (int j = 0; j < s->n; j++) {
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            double term = a[k] * x[j];
            s->sum[dae->row[k]] -= term;
            s->size[dae->row[k]] += fabs(term);
        }
    }
    for (int i = 0; i < s->n; i++) {
        good = good && fabs(s->sum[i]) <= GOOD * s->size[i];
    }
    return good;
}

/* x = A^-1 b, corrected once where a row does not hold; false when one still does not. */
static bool solve_well(linear *s, const double *a, const double *b, double *x)
{
    solve_with(s, a, b, x);
    if (is_good(s, a, b, x)) {
        return true;
    }
    solve_with(s, a, s->sum, s->correction);
    for (int i = 0; i < s->n; i++) {
        x[i] += s->correction[i];
    }
    return is_good(s, a, b, x);
}

/* --- the operations of a SUNLinearSolver ------------------------------------------------------ */

static SUNLinearSolver_Type get_type(SUNLinearSolver solver)
{
    (void) solver;
    return SUNLINEARSOLVER_DIRECT;
}

static int initialize(SUNLinearSolver solver)
{
    (void) solver;
    return SUNLS_SUCCESS;
}

static int setup(SUNLinearSolver solver, SUNMatrix matrix)
{
    linear *s = content(solver);
    const double *a = SM_DATA_S(matrix);

    return s->numeric == NULL ? factor_anew(s, a) : factor_again(s, a);
}

static int solve(SUNLinearSolver solver, SUNMatrix matrix, N_Vector x_vector, N_Vector b_vector,
                 sunrealtype tolerance)
{
    linear *s = content(solver);
    const double *a = SM_DATA_S(matrix);
    double *x = NV_DATA_S(x_vector), *b = NV_DATA_S(b_vector);

    (void) tolerance; /* it is a direct solver */
    if (s->numeric == NULL) {
        return SUNLS_LUFACT_FAIL;
    }
    if (solve_well(s, a, b, x)) {
        return SUNLS_SUCCESS;
    }
    int flag = factor_anew(s, a);
    if (flag == SUNLS_SUCCESS) {
        (void) solve_well(s, a, b, x); /* as good as the matrix allows */
    }
    return flag;
}

static void linear_clear(linear *s)
{
    klu_l_free_numeric(&s->numeric, &s->common);
    klu_l_free_symbolic(&s->symbolic, &s->common);
    ha__free(s->reduced);
    ha__free(s->kept);
    ha__free(s->places);
    ha__free(s->pivot);
    ha__free(s->inverse);
    ha__free(s->start);
    ha__free(s->row);
    ha__free(s->from);
    HA_ARRAY_CLEAR(&s->products);
    HA_ARRAY_CLEAR(&s->below);
    HA_ARRAY_CLEAR(&s->right);
    ha__free(s->value);
    ha__free(s->scale);
    ha__free(s->row_scale);
    ha__free(s->column_scale);
    ha__free(s->x);
    ha__free(s->sum);
    ha__free(s->size);
    ha__free(s->correction);
}

static int destroy(SUNLinearSolver solver)
{
    linear_clear(content(solver));
    ha__free(solver->content);
    solver->content = NULL;
    SUNLinSolFreeEmpty(solver);
    return SUNLS_SUCCESS;
}

static ha_status linear_init(linear *s)
{
    builder b = { .s = s };

    HA_TRY_ALLOC(s->ctx, s->reduced, s->n);
    HA_TRY_ALLOC(s->ctx, s->kept, s->n);
    HA_TRY_ALLOC(s->ctx, s->places, s->n);
    HA_TRY_ALLOC(s->ctx, s->pivot, s->n);
    HA_TRY_ALLOC(s->ctx, s->inverse, s->n);
    HA_TRY_ALLOC(s->ctx, s->sum, s->n);
    HA_TRY_ALLOC(s->ctx, s->size, s->n);
    HA_TRY_ALLOC(s->ctx, s->correction, s->n);
    choose_places(s);
    HA_TRY_ALLOC(s->ctx, s->start, s->m + 1);
    HA_TRY_ALLOC(s->ctx, s->row_scale, s->m);
    HA_TRY_ALLOC(s->ctx, s->column_scale, s->m);
    HA_TRY_ALLOC(s->ctx, s->x, s->m);
    ha_status status = find_pattern(&b);
    ha__free(b.at);
    HA_ARRAY_CLEAR(&b.row);
    HA_ARRAY_CLEAR(&b.from);
    HA_TRY(status);

    klu_l_defaults(&s->common);
    s->common.scale = -1; /* scaled here */
    s->common.tol = STEADY;
    s->common.ordering = 1; /* COLAMD: the rows of constraints have no diagonal for AMD */
    s->symbolic = klu_l_analyze(s->m, s->start, s->row, &s->common);
    return s->symbolic == NULL ? HA_ERR_MEMORY : HA_OK;
}

SUNLinearSolver ha__linear_new(ha_ctx *ctx, SUNContext context, const ha_dae *dae)
{
    linear *s = ha__alloc(ctx, 1, sizeof *s);
    SUNLinearSolver solver = s == NULL ? NULL : SUNLinSolNewEmpty(context);

    if (solver == NULL) {
        ha__free(s);
        return NULL;
    }
    *s = (linear){ .ctx = ctx, .dae = dae, .n = dae->n };
    solver->content = s;
    solver->ops->gettype = get_type;
    solver->ops->initialize = initialize;
    solver->ops->setup = setup;
    solver->ops->solve = solve;
    solver->ops->free = destroy;
    if (linear_init(s) != HA_OK) {
        SUNLinSolFree(solver);
        return NULL;
    }
    return solver;
}
