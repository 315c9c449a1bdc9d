/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sparse linear systems A x = b, again and again with the same pattern: KLU (lu_klu.c) behind
 * unknowns that need no solver.
 *
 * E are unknowns that are eliminated with their diagonal entry as pivot; no two of them meet in a
 * row or column. With R the rest
 *
 *     A_RR - A_RE D^-1 A_ER,  D = A_EE diagonal,
 *
 * is what KLU gets; its pattern and the list of products that make it are found once.
 *
 * KLU chooses its pivots in the equilibrated matrix and keeps them: later matrices are factored
 * with the same pivots and scales, a few times as fast. Whether the pivots still do is seen where
 * it matters: a solution whose residual is not small is corrected, and if that does not help calls
 * for new ones. The residual of the reduced matrix is looked at first: it is half the work, and
 * says enough when it is very small.
 */
#include <config.h>

#include "lib/linalg/lu.h"

#include "lib/core/mem.h"
#include "lib/linalg/lu_klu.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double GOOD = 1e-10; /* residual beside the terms of its row */
static const double SURE = 1e-12; /* the same in the reduced matrix, where a row has other terms */
static const double NOTHING = 1e-24;  /* and beside the whole solution, in the scales: terms of its
                                         row are 1e-14 of it then, and say nothing */
static const double SINGULAR = 1e-14; /* condition of a matrix that is singular but for round-off */
static const double STEADY = 0.1;     /* least pivot beside the largest in its column */

/* A product that goes into an entry of the reduced matrix: to -= a * b / pivot. */
typedef struct {
    int to;
    int a; /* entry (row, eliminated) of A */
    int b; /* entry (eliminated, column) of A */
    int eliminated;
} product;

/* An entry of A that ties an eliminated unknown to the rest. */
typedef struct {
    int entry;
    int eliminated; /* number in A */
    int other;      /* number of the row in the reduced matrix, or of the column in A */
} tie;

struct ha__lu {
    ha_ctx *ctx;
    const int64_t *a_start, *a_row; /* borrowed */
    int n;                          /* of A */
    int m;                          /* of the reduced matrix */
    int *reduced;                   /* (n) number in the reduced matrix, -1: eliminated */
    int *kept;                      /* (m) number in A */
    int n_eliminated;
    int *eliminated;  /* (n_eliminated) numbers of those that are not kept */
    int *pivot;       /* (n) entry of the pivot of an eliminated one, -1: none */
    double *inverse;  /* (n) of an eliminated one: 1 / pivot */
    int *start, *row; /* the reduced pattern */
    int *from;        /* by reduced entry: entry of A, -1: none */
    HA_ARRAY(product) products;
    HA_ARRAY(tie) below; /* A_RE */
    HA_ARRAY(tie) right; /* A_ER */
    double *value;       /* the reduced matrix, in the scales */
    double *scale;       /* of its entries */
    double *row_scale;   /* (m) powers of two */
    double *column_scale;
    double *b, *x;      /* (m) of the reduced matrix, in the scales */
    double *sum, *size; /* (n) residual of a solution and its terms */
    double *correction; /* (n) of it */
    ha__klu *klu;       /* of the reduced matrix; NULL: it has no rows */
};

/* --- the reduced pattern ------------------------------------------------------------------- */

/* Numbers the unknowns that are left; notes the pivots of those that are not. */
static void number_unknowns(ha__lu *s, const signed char *eliminated)
{
    for (int j = 0; j < s->n; j++) {
        s->pivot[j] = -1;
        for (int64_t k = s->a_start[j]; k < s->a_start[j + 1]; k++) {
            s->pivot[j] = s->a_row[k] == j ? (int) k : s->pivot[j];
        }
        if (eliminated[j] != 0 && s->pivot[j] >= 0) {
            s->eliminated[s->n_eliminated++] = j;
            s->reduced[j] = -1;
        } else {
            s->kept[s->m] = j;
            s->reduced[j] = s->m++;
        }
    }
}

/* What is built up column by column. */
typedef struct {
    ha__lu *s;
    int *at; /* (n) entry of a row in the column under way, -1: none */
    HA_ARRAY(int) row;
    HA_ARRAY(int) from;
} builder;

/* The entry of a row of A in the column under way. */
static ha_status entry_of(builder *b, int64_t row, int *entry)
{
    if (b->at[row] < 0) {
        if (b->row.count == INT_MAX) {
            return ha_fail(
                b->s->ctx, HA_ERR_LIMIT, HA_NOWHERE,
                "the linear system of %d unknowns has more than %d entries where unknowns are "
                "eliminated; make the model smaller",
                b->s->n, INT_MAX);
        }
        b->at[row] = (int) b->row.count;
        HA_TRY_PUSH(b->s->ctx, &b->row, b->s->reduced[row]);
        HA_TRY_PUSH(b->s->ctx, &b->from, -1);
    }
    *entry = b->at[row];
    return HA_OK;
}

/* What the elimination of an unknown adds to the column under way, where A has the entry `b_entry`.
 */
static ha_status add_products(builder *b, int64_t eliminated, int64_t b_entry)
{
    const int64_t *start = b->s->a_start, *row = b->s->a_row;

    for (int64_t k = start[eliminated]; k < start[eliminated + 1]; k++) {
        int to = 0;
        if (b->s->reduced[row[k]] >= 0) {
            HA_TRY(entry_of(b, row[k], &to));
            HA_TRY_PUSH(b->s->ctx, &b->s->products,
                        (product){ to, (int) k, (int) b_entry, (int) eliminated });
        }
    }
    return HA_OK;
}

static ha_status add_column(builder *b, int column)
{
    const int64_t *start = b->s->a_start, *row = b->s->a_row;
    size_t begin = b->row.count;

    for (int64_t k = start[column]; k < start[column + 1]; k++) {
        int to = 0;
        if (b->s->reduced[row[k]] < 0) {
            HA_TRY(add_products(b, row[k], k));
        } else {
            HA_TRY(entry_of(b, row[k], &to));
            b->from.items[to] = (int) k;
        }
    }
    for (size_t k = begin; k < b->row.count; k++) {
        b->at[b->s->kept[b->row.items[k]]] = -1;
    }
    b->s->start[b->s->reduced[column] + 1] = (int) b->row.count;
    return HA_OK;
}

static ha_status find_ties(ha__lu *s)
{
    const int64_t *start = s->a_start, *row = s->a_row;

    for (int j = 0; j < s->n; j++) {
        for (int64_t k = start[j]; k < start[j + 1]; k++) {
            int i = (int) row[k];
            if (s->reduced[j] < 0 && s->reduced[i] >= 0) {
                HA_TRY_PUSH(s->ctx, &s->below, (tie){ (int) k, j, s->reduced[i] });
            } else if (s->reduced[j] >= 0 && s->reduced[i] < 0) {
                HA_TRY_PUSH(s->ctx, &s->right, (tie){ (int) k, i, j });
            }
        }
    }
    return HA_OK;
}

static ha_status find_pattern(builder *b)
{
    ha__lu *s = b->s;

    HA_TRY_ALLOC(s->ctx, b->at, s->n);
    memset(b->at, -1, (size_t) s->n * sizeof *b->at);
    for (int j = 0; j < s->n; j++) {
        if (s->reduced[j] >= 0) {
            HA_TRY(add_column(b, j));
        }
    }
    HA_TRY_ALLOC_EACH(s->ctx, b->row.count, s->value, s->scale);
    s->row = b->row.items;
    s->from = b->from.items;
    b->row.items = NULL;
    b->from.items = NULL;
    return find_ties(s);
}

/* --- factors --------------------------------------------------------------------------------- */

/* The reduced matrix, without scales. */
static void reduce(ha__lu *s, const double *a)
{
    int n_entries = s->start[s->m];

    for (int i = 0; i < s->n_eliminated; i++) {
        int j = s->eliminated[i];
        s->inverse[j] = 1.0 / a[s->pivot[j]];
    }
    for (int k = 0; k < n_entries; k++) {
        s->value[k] = s->from[k] < 0 ? 0.0 : a[s->from[k]];
    }
    for (size_t i = 0; i < s->products.count; i++) {
        const product *p = &s->products.items[i];
        s->value[p->to] -= a[p->a] * a[p->b] * s->inverse[p->eliminated];
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
static void find_scales(ha__lu *s)
{
    memset(s->row_scale, 0, (size_t) s->m * sizeof *s->row_scale);
    for (int k = 0; k < s->start[s->m]; k++) {
        double size = fabs(s->value[k]), *largest = &s->row_scale[s->row[k]];
        *largest = size > *largest ? size : *largest;
    }
    for (int i = 0; i < s->m; i++) {
        s->row_scale[i] = scale_of(s->row_scale[i]);
    }
    for (int j = 0; j < s->m; j++) {
        double largest = 0.0;
        for (int k = s->start[j]; k < s->start[j + 1]; k++) {
            double size = fabs(s->value[k]) * s->row_scale[s->row[k]];
            largest = size > largest ? size : largest;
        }
        s->column_scale[j] = scale_of(largest);
        for (int k = s->start[j]; k < s->start[j + 1]; k++) {
            s->scale[k] = s->row_scale[s->row[k]] * s->column_scale[j];
        }
    }
}

static void apply_scales(ha__lu *s)
{
    int n_entries = s->start[s->m];

    for (int k = 0; k < n_entries; k++) {
        s->value[k] *= s->scale[k];
    }
}

static bool is_factored(const ha__lu *s)
{
    return s->m == 0 || ha__klu_is_factored(s->klu);
}

/* Factors a matrix with pivots of its own. */
static ha__lu_flag factor_anew(ha__lu *s, const double *a)
{
    reduce(s, a);
    if (s->m == 0) {
        return HA__LU_DONE;
    }
    find_scales(s);
    apply_scales(s);
    if (ha__klu_factor(s->klu, s->value) != HA_OK) {
        return HA__LU_FAILED;
    }
    return ha__klu_is_factored(s->klu) ? HA__LU_DONE : HA__LU_SINGULAR;
}

/* Factors a matrix with the pivots and scales chosen before. */
static ha__lu_flag factor_again(ha__lu *s, const double *a)
{
    reduce(s, a);
    if (s->m == 0) {
        return HA__LU_DONE;
    }
    apply_scales(s);
    return ha__klu_refactor(s->klu, s->value) ? HA__LU_DONE : factor_anew(s, a);
}

/* x = A^-1 b */
static void solve_with(ha__lu *s, const double *a, const double *b, double *x)
{
    for (int i = 0; i < s->m; i++) {
        s->x[i] = b[s->kept[i]];
    }
    for (size_t i = 0; i < s->below.count; i++) { /* b_R - A_RE D^-1 b_E */
        const tie *at = &s->below.items[i];
        s->x[at->other] -= a[at->entry] * (b[at->eliminated] * s->inverse[at->eliminated]);
    }
    for (int i = 0; i < s->m; i++) {
        s->x[i] *= s->row_scale[i];
        s->b[i] = s->x[i];
    }
    if (s->m > 0) {
        ha__klu_solve(s->klu, s->x);
    }
    memcpy(x, b, (size_t) s->n * sizeof *x);
    for (int i = 0; i < s->m; i++) {
        x[s->kept[i]] = s->x[i] * s->column_scale[i];
    }
    for (size_t i = 0; i < s->right.count; i++) { /* b_E - A_ER x_R */
        const tie *at = &s->right.items[i];
        x[at->eliminated] -= a[at->entry] * x[at->other];
    }
    for (int i = 0; i < s->n_eliminated; i++) {
        x[s->eliminated[i]] *= s->inverse[s->eliminated[i]];
    }
}

/* The largest residual that says nothing, in the scales: where a disturbance has hardly arrived
   yet, at the far end of a long chain, all terms of a row are smaller than that. */
static double smallest_residual(const ha__lu *s)
{
    double largest = 0.0;

    for (int i = 0; i < s->m; i++) {
        double size = fabs(s->x[i]);
        largest = size > largest ? size : largest;
    }
    return NOTHING * largest;
}

/* True when each row of the reduced matrix holds, as it was solved last, but for round-off of its
   terms or of the solution. The rows of what was eliminated hold then, too: they give it. */
static bool is_solved(ha__lu *s)
{
    double smallest = smallest_residual(s);
    bool good = true;

    for (int i = 0; i < s->m; i++) {
        s->sum[i] = s->b[i];
        s->size[i] = fabs(s->b[i]);
    }
    for (int j = 0; j < s->m; j++) {
        double x = s->x[j];
        for (int k = s->start[j]; k < s->start[j + 1]; k++) {
            double term = s->value[k] * x;
            s->sum[s->row[k]] -= term;
            s->size[s->row[k]] += fabs(term);
        }
    }
    for (int i = 0; i < s->m; i++) {
        double sum = fabs(s->sum[i]);
        good = good && (sum <= SURE * s->size[i] || sum <= smallest);
    }
    return good;
}

/* True when each row of A x = b holds but for round-off of its terms; `sum` is left what is
 * missing. */
static bool is_good(ha__lu *s, const double *a, const double *b, const double *x)
{
    const int64_t *start = s->a_start, *row = s->a_row;
    bool good = true;

    for (int i = 0; i < s->n; i++) {
        s->sum[i] = b[i];
        s->size[i] = fabs(b[i]);
    }
    for (int j = 0; j < s->n; j++) {
        for (int64_t k = start[j]; k < start[j + 1]; k++) {
            double term = a[k] * x[j];
            s->sum[row[k]] -= term;
            s->size[row[k]] += fabs(term);
        }
    }
    for (int i = 0; i < s->n; i++) {
        good = good && fabs(s->sum[i]) <= GOOD * s->size[i];
    }
    return good;
}

/* x = A^-1 b, corrected once where a row does not hold; false when one still does not. */
static bool solve_well(ha__lu *s, const double *a, const double *b, double *x)
{
    solve_with(s, a, b, x);
    if ((s->m > 0 && is_solved(s)) || is_good(s, a, b, x)) {
        return true;
    }
    solve_with(s, a, s->sum, s->correction);
    for (int i = 0; i < s->n; i++) {
        x[i] += s->correction[i];
    }
    return is_good(s, a, b, x);
}

static void clear(ha__lu *s)
{
    ha__klu_free(s->klu);
    HA_FREE(s->reduced, s->kept, s->eliminated, s->pivot, s->inverse, s->start, s->row, s->from);
    HA_ARRAY_CLEAR(&s->products, &s->below, &s->right);
    HA_FREE(s->value, s->scale, s->row_scale, s->column_scale, s->b, s->x, s->sum, s->size,
            s->correction);
}

/* True when every column of the reduced matrix has a diagonal entry, as AMD wants it. */
static bool has_diagonal(const ha__lu *s)
{
    int n_diagonal = 0;

    for (int j = 0; j < s->m; j++) {
        for (int k = s->start[j]; k < s->start[j + 1]; k++) {
            n_diagonal += s->row[k] == j ? 1 : 0;
        }
    }
    return n_diagonal == s->m;
}

static ha_status init(ha__lu *s, const signed char *eliminated)
{
    builder b = { .s = s };

    HA_TRY_ALLOC_EACH(s->ctx, s->n, s->reduced, s->kept, s->eliminated, s->pivot, s->inverse,
                      s->sum, s->size, s->correction);
    number_unknowns(s, eliminated);
    HA_TRY_ALLOC(s->ctx, s->start, s->m + 1);
    HA_TRY_ALLOC_EACH(s->ctx, s->m, s->row_scale, s->column_scale, s->b, s->x);
    ha_status status = find_pattern(&b);
    ha__free(b.at);
    HA_ARRAY_CLEAR(&b.row, &b.from);
    HA_TRY(status);

    if (s->m == 0) {
        return HA_OK;
    }
    const ha__klu_pattern pattern = { s->m, s->start, s->row };
    HA_TRY(ha__klu_new(s->ctx, &pattern, has_diagonal(s) ? HA__KLU_AMD : HA__KLU_COLAMD, STEADY,
                       &s->klu));
    return ha__klu_analyse(s->klu);
}

ha_status ha__lu_new(ha_ctx *ctx, int n, const int64_t *start, const int64_t *row,
                     const signed char *eliminated, ha__lu **out)
{
    HA_TRY(ha__klu_check_size(ctx, n, start[n]));
    ha__lu *s = ha__alloc(ctx, 1, sizeof *s);
    HA_TRY_MEMORY(s);
    *s = (ha__lu){ .ctx = ctx, .n = n, .a_start = start, .a_row = row };
    ha_status status = init(s, eliminated);
    return HA_GIVE(status, s, ha__lu_free, out);
}

void ha__lu_free(ha__lu *s)
{
    if (s != NULL) {
        clear(s);
        ha__free(s);
    }
}

ha__lu_flag ha__lu_factor(ha__lu *s, const double *a)
{
    return is_factored(s) ? factor_again(s, a) : factor_anew(s, a);
}

void ha__lu_pivots(const ha__lu *s, int *p, int *q)
{
    int n = s->n_eliminated;

    for (int k = 0; k < n; k++) {
        p[k] = q[k] = s->eliminated[k];
    }
    if (s->m > 0) {
        ha__klu_pivots(s->klu, p + n, q + n);
    }
    for (int k = n; k < s->n; k++) {
        p[k] = s->kept[p[k]];
        q[k] = s->kept[q[k]];
    }
}

ha__lu_flag ha__lu_factor_safely(ha__lu *s, const double *a)
{
    ha__lu_flag flag = ha__lu_factor(s, a);

    if (flag == HA__LU_DONE && s->m > 0 && ha__klu_is_worse(s->klu)) {
        flag = factor_anew(s, a);
    }
    return flag == HA__LU_DONE && !(ha__lu_condition(s) > SINGULAR) ? HA__LU_SINGULAR : flag;
}

double ha__lu_condition(const ha__lu *s)
{
    return s->m == 0 ? 1.0 : ha__klu_condition(s->klu);
}

void ha__lu_solve_at_once(ha__lu *s, const double *a, const double *b, double *x)
{
    solve_with(s, a, b, x);
}

ha__lu_flag ha__lu_solve(ha__lu *s, const double *a, const double *b, double *x)
{
    if (!is_factored(s)) {
        return HA__LU_SINGULAR;
    }
    if (solve_well(s, a, b, x)) {
        return HA__LU_DONE;
    }
    ha__lu_flag flag = factor_anew(s, a);
    if (flag == HA__LU_DONE) {
        flag = solve_well(s, a, b, x) ? HA__LU_DONE : HA__LU_POOR;
    }
    return flag;
}
