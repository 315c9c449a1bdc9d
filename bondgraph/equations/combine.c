/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows that are dependent in their highest derivatives.
 *
 * A matching gives every row F_i an unknown z_j of its own, but the matrix J_ij = dF_i/dz_j can be
 * singular all the same: terms of several rows cancel. Then some combination
 *     G = F_r + sum over i of lambda_i F_i,  sum over i of lambda_i J_ij = -J_rj for all j,
 * contains no z. It replaces a row r that is not differentiated itself, from which
 * nothing is lost: F_r follows from G and the others. Being free of z, G is then differentiated
 * like any row without one (reduce.c). This is the linear combination method of Tan, Nedialkov and
 * Pryce (Conversion methods for improving structural analysis of differential-algebraic equation
 * systems, BIT 57, 2017); it ends, because each combination lowers the bound on the order that the
 * structure gives.
 *
 * A combination of differentiated rows alone would be the derivative of one that contains nothing,
 * so that every regular system has a row to replace. Which rows are dependent is found in residues
 * (reduce.c), for all values at once; the lambda are then expressions, by elimination. They may
 * contain states and the time, but no z.
 */
#include <config.h>

#include "bondgraph/equations/reduce_priv.h"

#include "lib/core/sort.h"
#include "lib/graph/digraph.h"
#include "lib/linalg/modular.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_ROWS = 200,    /* that are looked through at once, as a dense matrix */
    MAX_COMBINED = 24, /* that are eliminated by expressions */
    MAX_ROUNDS = 4     /* combinations for each row; fewer do */
};

/* Rows, the z in them, and what elimination makes of them. */
typedef struct {
    bg__reducer *x;
    int n, n_z;
    int row[MAX_ROWS]; /* in order of elimination: what may be replaced comes last */
    int *z;            /* (n_z) the unknown of each column */
    int *column_of;    /* (x->n) by unknown: column, -1 */
    uint64_t *value;   /* (n * n_z) J, then eliminated */
    uint64_t *factor;  /* (n * n) what multiplies each row in each eliminated one */
    int *pivot;        /* (n) column in which a row was eliminated, -1 */
} block;

bool bg__holds_highest(const bg__reducer *x, const bg__incidence *entry)
{
    return entry->k + x->times[entry->row] == x->level[entry->j];
}

/* A row may be replaced when nothing but its value says what it is. */
static bool is_replaceable(const bg__reducer *x, int row)
{
    const bg__row *r = &x->s->rows.items[row];

    return x->times[row] == 0 && r->when == HA_EXPR_NONE && !r->is_assembled;
}

/* Rows with a low rank are replaced last. */
static int rank_of(const bg__reducer *x, int row)
{
    bg__row_kind kind = x->s->rows.items[row].kind;

    return !is_replaceable(x, row)      ? 0
           : kind == BG__ROW_STATE      ? 1
           : kind == BG__ROW_CONSTRAINT ? 2
                                        : 3;
}

static void order_rows(block *b, const int *rows, int n)
{
    for (int rank = 0; rank <= 3; rank++) {
        for (int i = 0; i < n; i++) {
            if (rank_of(b->x, rows[i]) == rank) {
                b->row[b->n++] = rows[i];
            }
        }
    }
}

/* --- elimination in residues ----------------------------------------------------------------- */

static ha_status fill(block *b)
{
    const bg__reducer *x = b->x;

    memset(b->column_of, -1, (size_t) x->n * sizeof *b->column_of);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < b->n; i++) {
            for (int e = x->start[b->row[i]]; e < x->start[b->row[i] + 1]; e++) {
                const bg__incidence *entry = &x->entries.items[e];
                int *column = &b->column_of[entry->j];
                if (!bg__holds_highest(x, entry)) {
                    continue;
                }
                if (round == 0 && *column < 0) {
                    *column = b->n_z++;
                    b->z[*column] = entry->j;
                } else if (round == 1) {
                    b->value[(size_t) i * (size_t) b->n_z + (size_t) *column] =
                        x->residue[entry->partial];
                }
            }
        }
        if (round == 0) {
            HA_TRY_ALLOC(x->s->ctx, b->value, (size_t) b->n * (size_t) b->n_z);
        }
    }
    return HA_OK;
}

/* row i -= f * row p, in J and in the factors. */
static void subtract(block *b, int i, int p, uint64_t f)
{
    uint64_t *to = b->value + (size_t) i * (size_t) b->n_z;
    const uint64_t *from = b->value + (size_t) p * (size_t) b->n_z;

    for (int j = 0; j < b->n_z; j++) {
        to[j] = ha__mod_sub(to[j], ha__mod_mul(f, from[j]));
    }
    for (int j = 0; j < b->n; j++) {
        uint64_t *at = &b->factor[i * b->n + j];
        *at = ha__mod_sub(*at, ha__mod_mul(f, b->factor[p * b->n + j]));
    }
}

static uint64_t at(const block *b, int i, int column)
{
    return b->value[(size_t) i * (size_t) b->n_z + (size_t) column];
}

/* Eliminates row by row until one depends on those before it and may be replaced; -1: none. */
static int find_dependent(block *b)
{
    for (int i = 0; i < b->n; i++) {
        b->factor[i * b->n + i] = 1;
        b->pivot[i] = -1;
        for (int p = 0; p < i; p++) {
            if (b->pivot[p] >= 0 && at(b, i, b->pivot[p]) != 0) {
                subtract(
                    b, i, p,
                    ha__mod_mul(at(b, i, b->pivot[p]), ha__mod_inverse(at(b, p, b->pivot[p]))));
            }
        }
        for (int j = 0; j < b->n_z && b->pivot[i] < 0; j++) {
            b->pivot[i] = at(b, i, j) != 0 ? j : -1;
        }
        if (b->pivot[i] < 0 && is_replaceable(b->x, b->row[i])) {
            return i;
        }
    }
    return -1;
}

/* --- the combination as an expression -------------------------------------------------------- */

/* The equations for the lambda: one for each z in the rows, a column for each row and one for the
   right side. */
typedef struct {
    ha_dag *dag;
    bg__reducer *x;
    int n, n_z;                /* rows that are combined with row r, equations */
    int row[MAX_COMBINED + 1]; /* r is the last */
    ha_expr *entry;            /* (n_z * (n + 1)) */
    uint64_t *residue;         /* likewise */
    ha_expr lambda[MAX_COMBINED];
} equations;

static void set(equations *q, int z, int i, ha_expr value, uint64_t residue)
{
    int at = z * (q->n + 1) + i;

    q->entry[at] = residue == 0 ? ha_constant(q->dag, 0.0) : value;
    q->residue[at] = residue;
}

static void fill_equations(equations *q, const block *b)
{
    const bg__reducer *x = b->x;

    for (int k = 0; k < q->n_z * (q->n + 1); k++) {
        q->entry[k] = ha_constant(q->dag, 0.0);
    }
    for (int i = 0; i <= q->n; i++) {
        for (int e = x->start[q->row[i]]; e < x->start[q->row[i] + 1]; e++) {
            const bg__incidence *entry = &x->entries.items[e];
            if (bg__holds_highest(x, entry)) {
                uint64_t residue = x->residue[entry->partial];
                bool is_right = i == q->n;
                set(q, b->column_of[entry->j], i,
                    is_right ? ha_neg(q->dag, entry->partial) : entry->partial,
                    is_right ? ha__mod_sub(0, residue) : residue);
            }
        }
    }
}

/* How well an entry serves as a pivot: 1 and -1 best, then numbers, then what varies. */
static int merit(const equations *q, int at)
{
    double number = 0.0;

    if (q->residue[at] == 0) {
        return 0;
    }
    return !ha_expr_is_constant(q->dag, q->entry[at], &number) ? 1 : fabs(number) == 1.0 ? 3 : 2;
}

/* equation `to` -= f * equation `from`. */
static void subtract_equation(equations *q, int to, int from, ha_expr f, uint64_t f_residue)
{
    for (int i = 0; i <= q->n; i++) {
        int a = to * (q->n + 1) + i, b = from * (q->n + 1) + i;
        if (q->residue[b] != 0) {
            set(q, to, i, ha_sub(q->dag, q->entry[a], ha_mul(q->dag, f, q->entry[b])),
                ha__mod_sub(q->residue[a], ha__mod_mul(f_residue, q->residue[b])));
        }
    }
}

/* Gauss and Jordan: solves for all lambda; false when they are not determined. */
static bool solve(equations *q)
{
    bool is_used[MAX_ROWS * 2] = { false };
    int of_lambda[MAX_COMBINED];

    for (int i = 0; i < q->n; i++) {
        int best = -1, best_merit = 0;
        for (int z = 0; z < q->n_z; z++) {
            int m = is_used[z] ? 0 : merit(q, z * (q->n + 1) + i);
            if (m > best_merit) {
                best = z;
                best_merit = m;
            }
        }
        if (best < 0) {
            return false;
        }
        is_used[best] = true;
        of_lambda[i] = best;
        int pivot = best * (q->n + 1) + i;
        for (int z = 0; z < q->n_z; z++) {
            int at = z * (q->n + 1) + i;
            if (z != best && q->residue[at] != 0) {
                subtract_equation(q, z, best, ha_div(q->dag, q->entry[at], q->entry[pivot]),
                                  ha__mod_mul(q->residue[at], ha__mod_inverse(q->residue[pivot])));
            }
        }
    }
    for (int i = 0; i < q->n; i++) {
        const ha_expr *equation = q->entry + of_lambda[i] * (q->n + 1);
        q->lambda[i] = ha_div(q->dag, equation[q->n], equation[i]);
    }
    return true;
}

/* Row i without what it does not depend on, differentiated as often as it is. */
static ha_status value_of(const bg__reducer *x, int row, ha_expr *out)
{
    HA_TRY(ha_resolve(x->dag, x->value[row], out));
    for (int e = 0; e < 2; e++) {
        for (size_t i = 0; i < x->out->absences.count; i++) {
            const bg__absence *absence = &x->out->absences.items[i];
            if (absence->row == row) {
                ha_symbol_define(x->dag, absence->symbol,
                                 e == 0 ? ha_constant(x->dag, 0.0) : HA_EXPR_NONE);
            }
        }
        if (e == 0) {
            HA_TRY(ha_resolve(x->dag, *out, out));
        }
    }
    return x->times[row] == 0 ? HA_OK : ha_dt(x->dag, *out, out);
}

/* Puts the combination instead of the last of the rows. */
static ha_status replace(equations *q)
{
    bg__reducer *x = q->x;
    int r = q->row[q->n];
    ha_expr sum = HA_EXPR_NONE;

    HA_TRY(value_of(x, r, &sum));
    for (int i = 0; i < q->n; i++) {
        ha_expr term = HA_EXPR_NONE;
        HA_TRY(value_of(x, q->row[i], &term));
        sum = ha_add(q->dag, sum, ha_mul(q->dag, q->lambda[i], term));
    }
    HA_TRY(ha_dag_status(q->dag));
    x->value[r] = sum;
    x->is_combined[r] = true;
    x->n_combined++;
    return HA_OK;
}

/* Combines row number `dependent` of the block with those that it depends on. */
static ha_status combine(const block *b, int dependent, bool *is_done)
{
    equations q = { .dag = b->x->dag, .x = b->x, .n_z = b->n_z };
    ha_ctx *ctx = b->x->s->ctx;

    for (int i = 0; i < dependent; i++) {
        if (b->factor[dependent * b->n + i] != 0) {
            if (q.n == MAX_COMBINED || b->x->s->rows.items[b->row[i]].when != HA_EXPR_NONE) {
                return HA_OK;
            }
            q.row[q.n++] = b->row[i];
        }
    }
    if (q.n == 0) {
        return HA_OK;
    }
    q.row[q.n] = b->row[dependent];
    q.entry = ha__alloc(ctx, (size_t) (q.n_z * (q.n + 1)), sizeof *q.entry);
    q.residue = ha__alloc(ctx, (size_t) (q.n_z * (q.n + 1)), sizeof *q.residue);
    ha_status status = q.entry == NULL || q.residue == NULL ? HA_ERR_MEMORY : HA_OK;
    if (status == HA_OK) {
        fill_equations(&q, b);
        *is_done = solve(&q);
        status = *is_done ? replace(&q) : ha_dag_status(q.dag);
    }
    HA_FREE(q.entry, q.residue);
    return status;
}

static ha_status look_through(block *b, bool *is_done)
{
    ha_ctx *ctx = b->x->s->ctx;

    HA_TRY_ALLOC(ctx, b->factor, b->n * b->n, b->pivot, b->n);
    HA_TRY_ALLOC_EACH(ctx, b->x->n, b->z, b->column_of);
    HA_TRY(fill(b));
    int dependent = b->n_z <= 2 * MAX_ROWS ? find_dependent(b) : -1;
    return dependent < 0 ? HA_OK : combine(b, dependent, is_done);
}

ha_status bg__combine_rows(bg__reducer *x, const int *rows, int n, bool *is_done)
{
    block b = { .x = x };

    *is_done = false;
    if (n > MAX_ROWS || x->n_combined >= MAX_ROUNDS * x->n) {
        return HA_OK;
    }
    order_rows(&b, rows, n);
    ha_status status = look_through(&b, is_done);
    HA_FREE(b.z, b.column_of, b.value, b.factor, b.pivot);
    return status;
}

/* --- dependent rows that are all matched ----------------------------------------------------- */

/* The strongly connected components of the rows: a row leads to those that its z are matched with.
   The matrix J is regular just when its blocks for these components are. */
typedef struct {
    bg__reducer *x;
    HA_ARRAY(int) from;
    HA_ARRAY(int) to;
    int *component;      /* (x->n) */
    int *member, *first; /* rows by components: (x->n), (n_components + 2) */
    int n_components;
} partition;

static ha_status find_components(partition *p)
{
    bg__reducer *x = p->x;

    for (int i = 0; i < x->n; i++) {
        for (int e = x->start[i]; e < x->start[i + 1]; e++) {
            const bg__incidence *entry = &x->entries.items[e];
            int other = x->row_of[entry->j];
            if (bg__holds_highest(x, entry) && other >= 0 && other != i) {
                HA_TRY_PUSH(x->s->ctx, &p->from, i);
                HA_TRY_PUSH(x->s->ctx, &p->to, other);
            }
        }
    }
    HA_TRY_ALLOC_EACH(x->s->ctx, x->n, p->component, p->member);
    HA_TRY(ha__digraph_strong(x->s->ctx, x->n, (int) p->from.count, p->from.items, p->to.items,
                              p->component, &p->n_components));
    HA_TRY_ALLOC(x->s->ctx, p->first, p->n_components + 1);
    ha__group(x->n, p->component, NULL, p->n_components, p->first, p->member);
    return HA_OK;
}

/* The rows that a component leads to, itself included, in `x->queue`; 0: too many. */
static int list_reached(const partition *p, int c)
{
    bg__reducer *x = p->x;
    int n = 0;

    x->stamp++;
    for (int k = p->first[c]; k < p->first[c + 1]; k++) {
        x->queue[n++] = p->member[k];
        x->seen[p->member[k]] = x->stamp;
    }
    for (int next = 0; next < n && n <= MAX_ROWS; next++) {
        for (int e = x->start[x->queue[next]]; e < x->start[x->queue[next] + 1]; e++) {
            const bg__incidence *entry = &x->entries.items[e];
            int other = bg__holds_highest(x, entry) ? x->row_of[entry->j] : -1;
            if (other >= 0 && x->seen[other] != x->stamp) {
                x->seen[other] = x->stamp;
                x->queue[n++] = other;
            }
        }
    }
    return n <= MAX_ROWS ? n : 0;
}

ha_status bg__combine_dependent(bg__reducer *x, bool *is_done)
{
    partition p = { .x = x };
    ha_status status = find_components(&p);

    *is_done = false;
    for (int c = 0; c < p.n_components && status == HA_OK && !*is_done; c++) {
        int size = p.first[c + 1] - p.first[c];
        int n = size > 1 && size <= MAX_ROWS ? list_reached(&p, c) : 0;
        status = n == 0 ? HA_OK : bg__combine_rows(x, x->queue, n, is_done);
    }
    HA_ARRAY_CLEAR(&p.from, &p.to);
    HA_FREE(p.component, p.member, p.first);
    return status;
}
