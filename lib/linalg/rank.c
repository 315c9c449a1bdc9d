/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rank, dependent rows and least-norm solutions.
 *
 * With B = R A W (see rank.h) the rows of B are the columns of B', whose QR factorisation tells
 * their rank: a column that lies in the span of those before it has no pivot. First B' is factored
 * in an order that keeps the triangle sparse; usually every column has a pivot and all is said.
 * Else it is factored again in the given order, in which the columns without a pivot are the later
 * dependent rows of A.
 *
 * Least norm: for independent rows B z = c, with the triangle R of B' (R' R = B B'), z = B' u with
 * R' R u = c, and x = W z. Though R' R has the square of B's condition, the error of z grows with
 * the condition itself [P]; what is left of c is solved for once more.
 *
 * A step of a projection comes from here, and whether a row counts as dependent decides which way a
 * mechanism takes. Both must not change with the processor. So the sums are our own, in a fixed
 * order (triangle.h), not those of a BLAS, which has others for each processor.
 *
 * [P] C. C. Paige: An error analysis of a method for solving matrix equations, Mathematics of
 *     Computation 27 (1973), 355-359.
 */
#include <config.h>

#include "lib/linalg/rank.h"

#include "lib/core/context_priv.h"
#include "lib/core/mem.h"
#include "lib/core/versions.h"
#include "lib/linalg/triangle.h"

#include <SuiteSparse_config.h>
#include <colamd.h>

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* An assembly has one for each set of coordinates that are free, of rows that are closed. */
enum { N_ORDERS = 8 };

/* An order of the columns of B' and what it follows from: the pattern of A, and which of its
   entries and rows are in B'. */
typedef struct known_order {
    int n_kept;            /* columns of B'; 0: nothing is known */
    int64_t *column_start; /* (n_columns + 1) of A */
    int64_t *row;          /* (n_entries) of A */
    bool *is_in;           /* (n_entries) */
    int *slot;             /* (n_rows) */
    int *order;            /* (n_rows + 1) column k of the order */
} known_order;

/* B' and what is known of it. */
typedef struct ha__rank_room {
    int n_rows, n_columns; /* that there is room for, */
    int64_t n_entries;     /* and entries */
    ha_ctx *ctx;
    const ha__matrix *a;
    const double *weight; /* (n_columns) or NULL */
    double tolerance;
    double *length; /* (n_rows) the scale of each row of A W */
    int *slot;      /* (n_rows) column of B' of each row of A; -1: left out */
    int *row_of;    /* (n_rows) and back; n_kept are set */
    bool *is_in;    /* (n_entries) the entry of A is one of B' */
    int n_kept;     /* columns of B' */
    int64_t *start; /* (n_columns + 1) rows of B', */
    ha__term *term; /* their terms, columns ascending */
    int *turn;      /* (n_columns) rows of B' by their last column, */
    int *next;      /* (n_rows + 2) how many of each come before */
    int *dependent; /* (n_rows) */
    int n_dependent;
    double *sums;         /* (2 n_rows + n_columns) of a solution */
    int *column_start;    /* (n_rows + 1) the pattern of B' by columns, in COLAMD's integers, */
    int *column_rows;     /* (n_column_rows) with what COLAMD works in behind */
    size_t n_column_rows; /* 0: there is none yet */
    known_order orders[N_ORDERS];
    int n_orders; /* found so far; the last few are kept */
    ha__triangle triangle;
} problem;

static void clear_order(known_order *o)
{
    HA_FREE(o->column_start, o->row, o->is_in, o->slot, o->order);
    *o = (known_order){ 0 };
}

void ha__rank_room_free(ha__rank_room *p)
{
    if (p == NULL) {
        return;
    }
    for (int i = 0; i < N_ORDERS; i++) {
        clear_order(&p->orders[i]);
    }
    HA_FREE(p->length, p->slot, p->row_of, p->is_in, p->start, p->term, p->turn, p->next,
            p->dependent, p->sums, p->column_start, p->column_rows);
    ha__triangle_clear(&p->triangle);
    ha__free(p);
}

static double weight_of(const problem *p, int64_t column)
{
    return p->weight == NULL ? 1.0 : p->weight[column];
}

/* The lengths of the rows of A W, or ones; rows of zeros get 1. */
static void measure_rows(problem *p, bool keep_lengths)
{
    const ha__matrix *a = p->a;

    memset(p->length, 0, (size_t) a->n_rows * sizeof *p->length);
    for (int64_t j = 0; j < a->n_columns && !keep_lengths; j++) {
        for (int64_t k = a->column_start[j]; k < a->column_start[j + 1]; k++) {
            double *length = &p->length[a->row[k]], x = a->value[k] * weight_of(p, j);
            *length = *length == 0.0 ? fabs(x) : x == 0.0 ? *length : hypot(*length, x);
        }
    }
    for (int i = 0; i < a->n_rows; i++) {
        p->length[i] = p->length[i] > 0.0 ? p->length[i] : 1.0;
    }
}

/* The rows of A that are not dependent, in their order. */
static void keep_independent(problem *p)
{
    int skipped = 0;

    p->n_kept = 0;
    for (int i = 0; i < p->a->n_rows; i++) {
        bool skip = skipped < p->n_dependent && p->dependent[skipped] == i;
        skipped += skip ? 1 : 0;
        p->slot[i] = skip ? -1 : p->n_kept;
        if (!skip) {
            p->row_of[p->n_kept++] = i;
        }
    }
    for (int64_t j = 0; j < p->n_columns; j++) {
        double weight = weight_of(p, j);
        for (int64_t k = p->a->column_start[j]; k < p->a->column_start[j + 1]; k++) {
            p->is_in[k] = p->slot[p->a->row[k]] >= 0 && p->a->value[k] * weight != 0.0;
        }
    }
}

/* The pattern of B' by columns, into `start` (n_kept + 1) and `rows`. */
static void list_by_columns(const problem *p, int *start, int *rows)
{
    const ha__matrix *a = p->a;

    for (int64_t j = 0; j < a->n_columns; j++) {
        for (int64_t k = a->column_start[j]; k < a->column_start[j + 1]; k++) {
            start[p->is_in[k] ? p->slot[a->row[k]] + 1 : 0]++;
        }
    }
    start[0] = 0;
    for (int i = 0; i < p->n_kept; i++) {
        start[i + 1] += start[i];
    }
    for (int j = 0; j < a->n_columns; j++) {
        for (int64_t k = a->column_start[j]; k < a->column_start[j + 1]; k++) {
            if (p->is_in[k]) {
                /* runs ahead and is put back below */
                rows[start[p->slot[a->row[k]]]++] = j;
            }
        }
    }
    for (int i = p->n_kept; i > 0; i--) {
        start[i] = start[i - 1];
    }
    start[0] = 0;
}

static ha_status fail_of(problem *p)
{
    return ha_fail(p->ctx, HA_ERR_INTERNAL, HA_NOWHERE, "COLAMD failed on %d rows and %d columns",
                   p->a->n_rows, p->a->n_columns);
}

static bool is_same(const problem *p, const known_order *o)
{
    const ha__matrix *a = p->a;
    const size_t n = (size_t) p->n_entries;

    return o->order != NULL && o->n_kept == p->n_kept &&
           memcmp(o->is_in, p->is_in, n * sizeof *o->is_in) == 0 &&
           memcmp(o->slot, p->slot, (size_t) p->n_rows * sizeof *o->slot) == 0 &&
           memcmp(o->row, a->row, n * sizeof *o->row) == 0 &&
           memcmp(o->column_start, a->column_start,
                  ((size_t) p->n_columns + 1) * sizeof *o->column_start) == 0;
}

/* The order of the columns of B' where it is known; NULL: it is not. */
static const known_order *find_order(const problem *p)
{
    for (int i = 0; i < N_ORDERS; i++) {
        if (is_same(p, &p->orders[i])) {
            return &p->orders[i];
        }
    }
    return NULL;
}

static ha_status make_order(problem *p, known_order *o)
{
    if (o->order != NULL) {
        return HA_OK;
    }
    HA_TRY_ALLOC(p->ctx, o->column_start, p->n_columns + 1, o->slot, p->n_rows);
    HA_TRY_ALLOC(p->ctx, o->order, p->n_rows + 1);
    HA_TRY_ALLOC_EACH(p->ctx, p->n_entries, o->row, o->is_in);
    return HA_OK;
}

/* Room for the pattern and COLAMD, which needs least of it for all columns. */
static ha_status make_pattern(problem *p)
{
    if (p->n_column_rows == 0) {
        bool is_large = p->n_entries > INT_MAX;
        size_t room =
            is_large ? 0 : colamd_recommended((int) p->n_entries, p->n_columns, p->n_rows);
        if (room == 0 || room > INT_MAX) {
            return fail_of(p);
        }
        HA_TRY_ALLOC(p->ctx, p->column_rows, room);
        p->n_column_rows = room;
    }
    memset(p->column_start, 0, ((size_t) p->n_kept + 1) * sizeof *p->column_start);
    return HA_OK;
}

/* COLAMD's order of the columns of B'; it works on integers alone, in the pattern. */
static ha_status seek_order(problem *p, const known_order **out)
{
    int statistics[COLAMD_STATS];
    known_order *o = &p->orders[p->n_orders++ % N_ORDERS];
    const size_t n = (size_t) p->n_entries;
    ha_status status = make_order(p, o);

    o->n_kept = 0;
    HA_THEN(status, make_pattern(p));
    if (status != HA_OK) {
        clear_order(o);
        return status;
    }
    memcpy(o->column_start, p->a->column_start, ((size_t) p->n_columns + 1) * sizeof(int64_t));
    memcpy(o->row, p->a->row, n * sizeof *o->row);
    memcpy(o->is_in, p->is_in, n * sizeof *o->is_in);
    memcpy(o->slot, p->slot, (size_t) p->n_rows * sizeof *o->slot);
    list_by_columns(p, p->column_start, p->column_rows);
    if (!colamd(p->n_columns, p->n_kept, (int) p->n_column_rows, p->column_rows, p->column_start,
                NULL, statistics)) {
        return fail_of(p);
    }
    memcpy(o->order, p->column_start, (size_t) p->n_kept * sizeof *o->order);
    o->n_kept = p->n_kept;
    *out = o;
    return HA_OK;
}

/* Puts the columns of B' in an order in which its triangle is sparse. */
static ha_status order(problem *p)
{
    const known_order *known = find_order(p);

    if (known == NULL) {
        HA_TRY(seek_order(p, &known));
    }
    for (int k = 0; k < p->n_kept; k++) {
        p->slot[p->row_of[known->order[k]]] = k;
    }
    for (int i = 0; i < p->n_rows; i++) {
        if (p->slot[i] >= 0) {
            p->row_of[p->slot[i]] = i;
        }
    }
    return HA_OK;
}

/* Puts the terms of a row in the order of their columns; they are few. */
static void sort_terms(ha__term *terms, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        ha__term moved = terms[i];
        int64_t at = i;
        for (; at > 0 && terms[at - 1].column > moved.column; at--) {
            terms[at] = terms[at - 1];
        }
        terms[at] = moved;
    }
}

/* Fills the rows of B'. */
static void fill(problem *p)
{
    const ha__matrix *a = p->a;
    int64_t count = 0;

    for (int64_t j = 0; j < a->n_columns; j++) {
        p->start[j] = count;
        for (int64_t k = a->column_start[j]; k < a->column_start[j + 1]; k++) {
            if (p->is_in[k]) {
                double value = a->value[k] * weight_of(p, j) / p->length[a->row[k]];
                p->term[count++] = (ha__term){ p->slot[a->row[k]], value };
            }
        }
        sort_terms(p->term + p->start[j], count - p->start[j]);
    }
    p->start[a->n_columns] = count;
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

static ha_status allocate(problem *p)
{
    const size_t m = (size_t) p->n_rows, n = (size_t) p->n_columns;

    HA_TRY_ALLOC(p->ctx, p->start, n + 1, p->turn, n, p->next, m + 2, p->sums, 2 * m + n);
    HA_TRY_ALLOC(p->ctx, p->column_start, m + 1);
    HA_TRY_ALLOC_EACH(p->ctx, m, p->length, p->slot, p->row_of, p->dependent);
    HA_TRY_ALLOC_EACH(p->ctx, p->n_entries, p->is_in, p->term);
    return HA_OK;
}

/* Room for a matrix of this size: that which is there, or another one. */
static ha_status make_room(ha_ctx *ctx, const ha__matrix *a, problem **room)
{
    const int64_t n_entries = a->column_start[a->n_columns];
    problem *p = *room;

    if (p != NULL && p->n_rows == a->n_rows && p->n_columns == a->n_columns &&
        p->n_entries == n_entries) {
        return HA_OK;
    }
    ha__rank_room_free(p);
    *room = p = ha__alloc(ctx, 1, sizeof *p);
    HA_TRY_MEMORY(p);
    p->ctx = ctx;
    p->n_rows = a->n_rows;
    p->n_columns = a->n_columns;
    p->n_entries = n_entries;
    ha_status status = allocate(p);
    if (status != HA_OK) {
        ha__rank_room_free(p);
        *room = NULL;
    }
    return status;
}

static void take_problem(problem *p, ha_ctx *ctx, const ha__matrix *a,
                         const ha__rank_options *options)
{
    p->ctx = ctx;
    p->a = a;
    p->weight = options->column_scale;
    p->tolerance = options->tolerance > 0.0
                       ? options->tolerance
                       : 20.0 * ((double) a->n_rows + (double) a->n_columns) * DBL_EPSILON;
    p->n_dependent = 0;
    measure_rows(p, options->keep_row_lengths);
    keep_independent(p);
}

static int last_column(const problem *p, int j)
{
    return p->start[j] == p->start[j + 1] ? -1 : p->term[p->start[j + 1] - 1].column;
}

/* Sorts the rows of B' by their last column, by counting; those of zeros come first. */
static void take_turns(problem *p)
{
    int *next = p->next;

    memset(next, 0, ((size_t) p->n_kept + 2) * sizeof *next);
    for (int j = 0; j < p->a->n_columns; j++) {
        next[last_column(p, j) + 2]++;
    }
    for (int k = 0; k <= p->n_kept; k++) {
        next[k + 1] += next[k];
    }
    for (int j = 0; j < p->a->n_columns; j++) {
        p->turn[next[last_column(p, j) + 1]++] = j;
    }
}

/* The triangle of B' in the order of `slot`; columns with pivots up to `tolerance` have no row. */
static ha_status factor(problem *p, double tolerance)
{
    fill(p);
    take_turns(p);
    HA_TRY(ha__triangle_init(&p->triangle, p->ctx, p->n_kept));
    for (int i = 0; i < p->a->n_columns; i++) {
        int j = p->turn[i];
        HA_TRY(ha__triangle_add(&p->triangle, p->term + p->start[j],
                                (size_t) (p->start[j + 1] - p->start[j])));
    }
    return ha__triangle_settle(&p->triangle, tolerance);
}

static bool all_have_pivots(const problem *p)
{
    for (int k = 0; k < p->n_kept; k++) {
        if (p->triangle.rows[k].count == 0) {
            return false;
        }
    }
    return true;
}

/* The columns of B' in its given order that have no pivot. */
static ha_status find_dependent(problem *p)
{
    keep_independent(p);
    HA_TRY(factor(p, p->tolerance));
    for (int k = 0; k < p->n_kept; k++) {
        if (p->triangle.rows[k].count == 0) {
            p->dependent[p->n_dependent++] = k;
        }
    }
    return HA_OK;
}

/* True when B' has fewer rows that are not zero than columns. */
static bool has_too_few(const problem *p)
{
    int count = 0;

    for (int j = 0; j < p->n_columns; j++) {
        count += weight_of(p, j) != 0.0 ? 1 : 0;
    }
    return count < p->n_kept;
}

/* The triangle of B' without its dependent columns, which are found on the way. */
static ha_status decompose(problem *p, bool needs_factors)
{
    if (!has_too_few(p)) {
        HA_TRY(order(p));
        HA_TRY(factor(p, p->tolerance));
        if (all_have_pivots(p)) {
            return HA_OK;
        }
    }
    HA_TRY(find_dependent(p));
    if (needs_factors && p->n_dependent < p->a->n_rows) {
        keep_independent(p);
        HA_TRY(order(p));
        HA_TRY(factor(p, 0.0));
    }
    return HA_OK;
}

/* z += B' u with R' R u = c; then c -= B B' u. `u` (n_kept) is room for that. */
static void solve(const problem *p, double *c, double *u, double *z)
{
    memcpy(u, c, (size_t) p->n_kept * sizeof *u);
    ha__triangle_solve(&p->triangle, u);
    for (int j = 0; j < p->a->n_columns; j++) {
        double step = 0.0;
        for (int64_t k = p->start[j]; k < p->start[j + 1]; k++) {
            step += p->term[k].value * u[p->term[k].column];
        }
        z[j] += step;
        for (int64_t k = p->start[j]; k < p->start[j + 1]; k++) {
            c[p->term[k].column] -= p->term[k].value * step;
        }
    }
}

/* x of least norm; `c` and `u` (n_kept) and `z` (n_columns, zeros) are room for that. */
static void solve_for(const problem *p, const double *b, double *c, double *u, double *z, double *x)
{
    for (int k = 0; k < p->n_kept; k++) {
        c[k] = b[p->row_of[k]] / p->length[p->row_of[k]];
    }
    solve(p, c, u, z);
    solve(p, c, u, z);
    for (int j = 0; j < p->a->n_columns; j++) {
        x[j] = z[j] * weight_of(p, j);
    }
}

static void least_norm(const problem *p, const double *b, double *x)
{
    const size_t n_kept = (size_t) p->n_kept, n = (size_t) p->n_columns;

    if (p->n_dependent == p->n_rows) {
        memset(x, 0, n * sizeof *x);
        return;
    }
    double *z = p->sums + 2 * n_kept;
    memset(z, 0, n * sizeof *z);
    solve_for(p, b, p->sums, p->sums + n_kept, z, x);
}

/* Both public functions; b and x NULL: the rank only. */
static ha_status run(ha_ctx *ctx, const ha__matrix *a, const ha__rank_options *options,
                     const double *b, double *x, int *rank, int *dependent)
{
    problem *own = NULL, **room = options->room != NULL ? options->room : &own;

    ha_status status = check_input(ctx, a, options);
    HA_THEN(status, make_room(ctx, a, room));
    if (status == HA_OK) {
        take_problem(*room, ctx, a, options);
        status = decompose(*room, x != NULL);
    }
    if (status == HA_OK && x != NULL) {
        least_norm(*room, b, x);
    }
    if (status == HA_OK && rank != NULL) {
        *rank = a->n_rows - (*room)->n_dependent;
    }
    if (status == HA_OK && dependent != NULL && (*room)->n_dependent > 0) {
        memcpy(dependent, (*room)->dependent, (size_t) (*room)->n_dependent * sizeof *dependent);
    }
    ha__rank_room_free(own);
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
