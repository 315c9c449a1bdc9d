/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sparse linear systems of masses and constraints, with one pattern and many values,
 *
 *     K = [ M  -G' ]     H = S K = [  M  -G' ] = L D L',
 *         [ G   C  ]               [ -G  -C  ]
 *
 * S changing signs of rows. With M positive definite and C positive semidefinite H is quasi-definite:
 * L D L' exists in whatever order and needs no pivoting (Vanderbei, SIAM J. Optim. 5, 1995). Speeds
 * whose mass stands alone are eliminated first, which leaves the Schur complement -(C + G M^-1 G') of
 * the multipliers; their order is that of approximate minimum degree, which KLU's analysis gives.
 *
 * A column of L with the entries l_i, i > j, and the pivot d changes d l_i l_k of each pair i >= k in
 * what is left. The place of each of these is found once, so that a factor is made without a search:
 * half the work of a method that does not know of the symmetry.
 *
 * Rows with nothing but their diagonal entry, those of places, give their unknown at once; what it
 * does in other rows goes to their right-hand sides, and the symmetry is that of the others.
 *
 * That a row of constraints follows from others, as at a singular position, shows in a pivot that is
 * nothing but round-off: what is left of the row is zero then. The row is left out and its multiplier
 * is zero; the accelerations are those that all constraints allow, unless the row contradicts them.
 */
#include <config.h>

#include "lib/ldl.h"

#include "lib/lu.h"
#include "lib/mem.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SAME = 1e-11;      /* difference of entries that ought to be equal, beside them */
static const double DEPENDENT = 1e-14; /* pivot beside its start that is round-off */
static const double CONSISTENT = 1e-6; /* what is left of a dependent row beside the largest */
static const size_t MOST_UPDATES = 64; /* for each unknown; beyond, other methods serve better */

/* An entry of A on its way into the factor: of (i, j), i after j or the same. */
typedef struct {
    int from;   /* entry of A */
    int mirror; /* the one of (j, i) */
    int to;     /* place in the factor, and in the two lowest bits: that mirror has the other sign, and
                   that the sign of row i is -1 */
} entry;

/* An entry of A by which an unknown that is known at once enters another row. */
typedef struct {
    int from;
    int unknown; /* in A */
    int to;      /* column of the factor that has the row as its own */
    float flips; /* the sign of the row */
} tie;

struct ha__ldl {
    ha_ctx *ctx;
    const int64_t *a_start, *a_row; /* borrowed */
    int n;
    int n_known;        /* columns of unknowns that are known at once, */
    int n_first;        /* and of these and those that are eliminated first */
    signed char *is_known; /* (n) its row has nothing but the diagonal entry */
    int *order;         /* (n) unknown of each column */
    int *place;         /* (n) column of each unknown */
    signed char *sign;  /* (n) of each row of A */
    int *start;         /* (n + 1) columns of the factor, each with its pivot at the head */
    HA_ARRAY(int) row;
    HA_ARRAY(int) update; /* where each product of a column goes */
    HA_ARRAY(entry) entries;
    HA_ARRAY(tie) ties; /* of what is known */
    signed char *width; /* (n) 2, 0: this column and the next have the same rows; 1: others */
    double *value;      /* the factor: L below the pivots */
    double *inverse;    /* (n) 1 / pivot, 0: the row follows from others */
    double *begin;      /* (n) pivots before unknowns not marked were eliminated */
    double *column;     /* (n) of products */
    double *x;          /* (n) in the order of the columns */
    double condition;
    int n_dependent;
};

/* --- signs ----------------------------------------------------------------------------------- */

/* The entry (i, j) of A, -1: there is none. */
static int64_t find(const ha__ldl *s, int64_t i, int j)
{
    int64_t low = s->a_start[j], high = s->a_start[j + 1];

    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (s->a_row[middle] < i) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < s->a_start[j + 1] && s->a_row[low] == i ? low : -1;
}

/* Finds rows with nothing but a good pivot. */
static void find_known(ha__ldl *s, const signed char *first)
{
    for (int j = 0; j < s->n; j++) {
        s->is_known[j] = first[j];
    }
    for (int j = 0; j < s->n; j++) {
        for (int64_t k = s->a_start[j]; k < s->a_start[j + 1]; k++) {
            if (s->a_row[k] != j) {
                s->is_known[s->a_row[k]] = 0;
            }
        }
    }
}

/* Signs of rows that make the matrix symmetric: 1 for those marked, for another what its entries with
   these say. False where an entry has no counterpart. */
static bool find_signs(ha__ldl *s, const double *a, const signed char *first)
{
    for (int j = 0; j < s->n; j++) {
        s->sign[j] = first[j] != 0 ? 1 : -1;
    }
    for (int j = 0; j < s->n; j++) {
        double largest = 0.0;
        for (int64_t k = s->a_start[j]; k < s->a_start[j + 1] && s->is_known[j] == 0; k++) {
            int i = (int) s->a_row[k];
            int64_t mirror = find(s, j, i);
            if (mirror < 0) {
                return false;
            }
            if (first[j] == 0 && first[i] != 0 && fabs(a[k]) > largest && a[mirror] != 0.0) {
                largest = fabs(a[k]);
                s->sign[j] = (a[k] > 0.0) == (a[mirror] > 0.0) ? 1 : -1;
            }
        }
    }
    return true;
}

/* --- order ----------------------------------------------------------------------------------- */

/* The pattern of what is left of the unknowns that are not marked. */
typedef struct {
    const ha__ldl *s;
    const int *number; /* (n) among them, -1: marked */
    int *seen;         /* (n) last column that has the row, plus one */
    int m;             /* number of them */
    int64_t *start;
    HA_ARRAY(int64_t) row;
} rest;

/* Adds rows of a column of A to a column of what is left. */
static ha_status add_rows(rest *r, int column, int of)
{
    const ha__ldl *s = r->s;

    for (int64_t k = s->a_start[of]; k < s->a_start[of + 1]; k++) {
        int i = r->number[s->a_row[k]];
        if (i >= 0 && r->seen[i] != column + 1) {
            r->seen[i] = column + 1;
            HA_TRY_PUSH(s->ctx, &r->row, i);
        }
    }
    return HA_OK;
}

static ha_status find_rest(rest *r)
{
    const ha__ldl *s = r->s;

    HA_TRY_ALLOC(s->ctx, r->seen, r->m);
    HA_TRY_ALLOC(s->ctx, r->start, r->m + 1);
    for (int j = 0; j < s->n; j++) {
        if (r->number[j] < 0) {
            continue;
        }
        HA_TRY(add_rows(r, r->number[j], j));
        for (int64_t k = s->a_start[j]; k < s->a_start[j + 1]; k++) {
            if (r->number[s->a_row[k]] < 0) {
                HA_TRY(add_rows(r, r->number[j], (int) s->a_row[k]));
            }
        }
        r->start[r->number[j] + 1] = (int64_t) r->row.count;
    }
    return HA_OK;
}

/* Orders what is left for little fill: `order` (m) of its numbers. */
static ha_status order_rest(rest *r, int *order)
{
    if (r->m == 0) {
        return HA_OK;
    }
    HA_TRY(find_rest(r));
    return ha__lu_order(r->s->ctx, r->m, r->start, r->row.items, order);
}

/* What is known at once, the others of those marked, and then the rest. */
static ha_status find_order(ha__ldl *s, const signed char *first)
{
    rest r = { .s = s };
    int *number = ha__alloc(s->ctx, (size_t) s->n, sizeof *number);
    int *others = ha__alloc(s->ctx, (size_t) s->n, sizeof *others);
    int *order = ha__alloc(s->ctx, (size_t) s->n, sizeof *order);
    ha_status status = number == NULL || others == NULL || order == NULL ? HA_ERR_MEMORY : HA_OK;

    for (int j = 0; j < s->n && status == HA_OK; j++) {
        number[j] = first[j] != 0 ? -1 : r.m;
        if (s->is_known[j] != 0) {
            s->order[s->n_known++] = j;
        } else if (first[j] == 0) {
            others[r.m++] = j;
        }
    }
    s->n_first = s->n_known;
    for (int j = 0; j < s->n && status == HA_OK; j++) {
        if (first[j] != 0 && s->is_known[j] == 0) {
            s->order[s->n_first++] = j;
        }
    }
    r.number = number;
    status = status == HA_OK ? order_rest(&r, order) : status;
    for (int k = 0; k < r.m && status == HA_OK; k++) {
        s->order[s->n_first + k] = others[order[k]];
    }
    for (int k = 0; k < s->n && status == HA_OK; k++) {
        s->place[s->order[k]] = k;
    }
    ha__free(number);
    ha__free(others);
    ha__free(order);
    ha__free(r.seen);
    ha__free(r.start);
    HA_ARRAY_CLEAR(&r.row);
    return status;
}

/* --- the pattern of the factor ------------------------------------------------------------------ */

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *) a, y = *(const int *) b;

    return (x > y) - (x < y);
}

/* Adds a row to column j of the factor unless it is there. */
static ha_status add_row(ha__ldl *s, int *seen, int j, int row)
{
    if (row > j && seen[row] != j + 1) {
        seen[row] = j + 1;
        HA_TRY_PUSH(s->ctx, &s->row, row);
    }
    return HA_OK;
}

/* The rows of each column: those of A, and those of columns whose first row it is. */
static ha_status find_rows(ha__ldl *s, int *seen, int *child, int *sibling)
{
    for (int j = 0; j < s->n; j++) {
        int head = (int) s->row.count;
        s->start[j] = head;
        HA_TRY_PUSH(s->ctx, &s->row, j);
        int of = s->order[j];
        for (int64_t k = s->a_start[of]; k < s->a_start[of + 1] && s->is_known[of] == 0; k++) {
            HA_TRY(add_row(s, seen, j, s->place[s->a_row[k]]));
        }
        for (int c = child[j] - 1; c >= 0; c = sibling[c] - 1) {
            for (int k = s->start[c] + 1; k < s->start[c + 1]; k++) {
                HA_TRY(add_row(s, seen, j, s->row.items[k]));
            }
        }
        int count = (int) s->row.count - head;
        s->start[j + 1] = head + count;
        qsort(s->row.items + head + 1, (size_t) count - 1, sizeof *s->row.items, compare_ints);
        if (count > 1) {
            int parent = s->row.items[head + 1];
            sibling[j] = child[parent];
            child[parent] = j + 1;
        }
    }
    return HA_OK;
}

/* Finds neighbours with the same rows among the columns that are not eliminated first. */
static void find_widths(ha__ldl *s)
{
    for (int j = 0; j < s->n; j++) {
        s->width[j] = 1;
    }
    for (int j = s->n_first; j + 1 < s->n; j++) {
        int count = s->start[j + 1] - s->start[j], next = s->start[j + 2] - s->start[j + 1];
        if (s->width[j] == 1 && count == next + 1 && s->row.items[s->start[j] + 1] == j + 1) {
            s->width[j] = 2;
            s->width[j + 1] = 0;
        }
    }
}

/* Where the products of each column go; false where they are too many. */
static ha_status find_updates(ha__ldl *s, bool *is_small)
{
    size_t count = 0;

    for (int j = 0; j < s->n; j++) {
        size_t length = (size_t) (s->start[j + 1] - s->start[j] - 1);
        count += length * (length + 1) / 2;
    }
    *is_small = count <= MOST_UPDATES * (size_t) s->n && s->row.count < INT_MAX / 4;
    if (!*is_small) {
        return HA_OK;
    }
    HA_TRY_ROOM(s->ctx, &s->update, count);
    for (int j = 0; j < s->n; j++) {
        for (int k = s->start[j] + 1; k < s->start[j + 1]; k++) {
            int at = s->start[s->row.items[k]];
            for (int i = k; i < s->start[j + 1]; i++) {
                while (s->row.items[at] != s->row.items[i]) {
                    at++;
                }
                s->update.items[s->update.count++] = at;
            }
        }
    }
    return HA_OK;
}

/* Where the entries of A go. */
static ha_status find_entries(ha__ldl *s)
{
    for (int j = 0; j < s->n; j++) {
        int column = s->place[j];
        for (int64_t k = s->a_start[j]; k < s->a_start[j + 1]; k++) {
            int i = (int) s->a_row[k], at = s->start[column];
            if (s->is_known[j] != 0 && i != j) {
                HA_TRY_PUSH(s->ctx, &s->ties, (tie){ (int) k, j, s->place[i], (float) s->sign[i] });
                continue;
            }
            if (s->place[i] < column) {
                continue;
            }
            while (s->row.items[at] != s->place[i]) {
                at++;
            }
            HA_TRY_PUSH(s->ctx, &s->entries,
                        (entry){ (int) k, (int) find(s, j, i),
                                 4 * at + (s->sign[i] != s->sign[j] ? 1 : 0) +
                                     (s->sign[i] < 0 ? 2 : 0) });
        }
    }
    return HA_OK;
}

static ha_status find_pattern(ha__ldl *s, bool *is_small)
{
    int *scratch = ha__alloc(s->ctx, 3 * (size_t) s->n, sizeof *scratch);

    if (scratch == NULL) {
        return HA_ERR_MEMORY;
    }
    ha_status status = find_rows(s, scratch, scratch + s->n, scratch + 2 * (size_t) s->n);
    ha__free(scratch);
    HA_TRY(status);
    find_widths(s);
    HA_TRY(find_updates(s, is_small));
    if (*is_small) {
        HA_TRY(find_entries(s));
        HA_TRY_ALLOC(s->ctx, s->value, s->row.count);
    }
    return HA_OK;
}

/* --- numbers ----------------------------------------------------------------------------------- */

/* Brings A into the factor; false where it is not symmetric. */
static bool gather(ha__ldl *s, const double *a)
{
    static const double signs[2] = { 1.0, -1.0 };
    bool is_symmetric = true;

    memset(s->value, 0, s->row.count * sizeof *s->value);
    for (size_t k = 0; k < s->entries.count; k++) {
        const entry *e = &s->entries.items[k];
        double x = a[e->from], mirror = signs[e->to & 1] * a[e->mirror];
        is_symmetric &= fabs(x - mirror) <= SAME * fabs(x);
        s->value[e->to >> 2] = signs[e->to >> 1 & 1] * x;
    }
    return is_symmetric;
}

/* Divides the `count` entries of a column by its pivot and takes their products off what is left, the
   places of which are `to`. Short columns, which most are, go without a loop. */
static inline void eliminate(double *value, double *l, double *scratch, int count, double inverse,
                             const int *to)
{
    if (count == 1) {
        double a = l[0], ca = a * inverse;
        value[to[0]] -= ca * a;
        l[0] = ca;
    } else if (count == 2) {
        double a = l[0], b = l[1], ca = a * inverse, cb = b * inverse;
        value[to[0]] -= ca * a;
        value[to[1]] -= cb * a;
        value[to[2]] -= cb * b;
        l[0] = ca;
        l[1] = cb;
    } else if (count == 4) {
        double a = l[0], b = l[1], c = l[2], d = l[3];
        double ca = a * inverse, cb = b * inverse, cc = c * inverse, cd = d * inverse;
        value[to[0]] -= ca * a;
        value[to[1]] -= cb * a;
        value[to[2]] -= cc * a;
        value[to[3]] -= cd * a;
        value[to[4]] -= cb * b;
        value[to[5]] -= cc * b;
        value[to[6]] -= cd * b;
        value[to[7]] -= cc * c;
        value[to[8]] -= cd * c;
        value[to[9]] -= cd * d;
        l[0] = ca;
        l[1] = cb;
        l[2] = cc;
        l[3] = cd;
    } else {
        for (int k = 0; k < count; k++) {
            scratch[k] = l[k] * inverse;
        }
        for (int k = 0; k < count; k++) {
            double x = l[k];
            for (int i = k; i < count; i++) {
                value[*to++] -= scratch[i] * x;
            }
            l[k] = scratch[k];
        }
    }
}

/* The products of so many entries. */
static inline int products(int count)
{
    return count * (count + 1) / 2;
}

/* Eliminates the unknowns that are marked; returns the rest of the list of places. */
static const int *eliminate_first(ha__ldl *s)
{
    const int *to = s->update.items;

    for (int j = 0; j < s->n_first; j++) {
        double *l = s->value + s->start[j];
        int count = s->start[j + 1] - s->start[j] - 1;
        s->inverse[j] = 1.0 / l[0];
        eliminate(s->value, l + 1, s->column, count, s->inverse[j], to);
        to += products(count);
    }
    return to;
}

bool ha__ldl_factor(ha__ldl *s, const double *a)
{
    double least = 1.0;

    if (!gather(s, a)) {
        return false;
    }
    const int *to = eliminate_first(s);
    for (int j = s->n_first; j < s->n; j++) {
        s->begin[j] = fabs(s->value[s->start[j]]);
    }
    s->n_dependent = 0;
    for (int j = s->n_first; j < s->n; j++) {
        double *l = s->value + s->start[j], size = fabs(l[0]);
        int count = s->start[j + 1] - s->start[j] - 1;
        bool is_dependent = !(size > DEPENDENT * s->begin[j]); /* a nan is no pivot */
        if (is_dependent || size < least * s->begin[j]) {
            least = is_dependent ? 0.0 : size / s->begin[j];
            s->n_dependent += is_dependent ? 1 : 0;
        }
        s->inverse[j] = is_dependent ? 0.0 : 1.0 / l[0];
        eliminate(s->value, l + 1, s->column, count, s->inverse[j], to);
        to += products(count);
    }
    s->condition = least;
    return true;
}

double ha__ldl_condition(const ha__ldl *s)
{
    return s->condition;
}

/* The right-hand side in the order of the columns, what is known at once taken to it. */
static void begin_solution(ha__ldl *s, const double *a, const double *b, double *x)
{
    for (int j = 0; j < s->n_known; j++) {
        int i = s->order[j];
        x[i] = b[i] * s->inverse[j];
    }
    for (int j = s->n_known; j < s->n; j++) {
        int i = s->order[j];
        s->x[j] = s->sign[i] < 0 ? -b[i] : b[i];
    }
    for (size_t k = 0; k < s->ties.count; k++) {
        const tie *t = &s->ties.items[k];
        s->x[t->to] -= (double) t->flips * (a[t->from] * x[t->unknown]);
    }
}

/* True when nothing is left of the rows that follow from others. */
static bool is_consistent(const ha__ldl *s)
{
    double largest = 0.0, worst = 0.0;

    for (int j = s->n_first; j < s->n && s->n_dependent > 0; j++) {
        double size = fabs(s->x[j]);
        largest = fmax(largest, size);
        worst = s->inverse[j] == 0.0 ? fmax(worst, size) : worst;
    }
    return worst <= CONSISTENT * largest;
}

/* Takes column j off what is below. */
static inline void forward_one(ha__ldl *s, int j)
{
    const int *row = s->row.items;
    const double *l = s->value;
    double *y = s->x, yj = y[j];

    for (int k = s->start[j] + 1; k < s->start[j + 1]; k++) {
        y[row[k]] -= l[k] * yj;
    }
}

/* The same for two columns with the same rows, as those of the two multipliers of a hinge are. */
static inline void forward_two(ha__ldl *s, int j)
{
    const int *row = s->row.items;
    const int head = s->start[j] + 1, end = s->start[j + 1];
    const double *l0 = s->value, *l1 = l0 + (end - head);
    double *y = s->x, y0 = y[j], y1 = y[j + 1] -= l0[head] * y0;

    for (int k = head + 1; k < end; k++) {
        y[row[k]] -= l0[k] * y0 + l1[k] * y1;
    }
}

/* The unknown of column j from those after it. */
static inline void backward_one(ha__ldl *s, int j)
{
    const int *row = s->row.items;
    const double *l = s->value;
    double *y = s->x, sum = y[j] * s->inverse[j];

    for (int k = s->start[j] + 1; k < s->start[j + 1]; k++) {
        sum -= l[k] * y[row[k]];
    }
    y[j] = sum;
}

/* The same for two columns with the same rows. */
static inline void backward_two(ha__ldl *s, int j)
{
    const int *row = s->row.items;
    const int head = s->start[j] + 1, end = s->start[j + 1];
    const double *l0 = s->value, *l1 = l0 + (end - head);
    double *y = s->x, sum = y[j] * s->inverse[j], next = y[j + 1] * s->inverse[j + 1];

    for (int k = head + 1; k < end; k++) {
        double yk = y[row[k]];
        sum -= l0[k] * yk;
        next -= l1[k] * yk;
    }
    y[j + 1] = next;
    y[j] = sum - l0[head] * next;
}

bool ha__ldl_solve(ha__ldl *s, const double *a, const double *b, double *x)
{
    begin_solution(s, a, b, x);
    for (int j = s->n_known; j < s->n_first; j++) {
        forward_one(s, j);
    }
    for (int j = s->n_first; j < s->n; j += s->width[j]) {
        if (s->width[j] == 1) {
            forward_one(s, j);
        } else {
            forward_two(s, j);
        }
    }
    bool is_done = is_consistent(s);
    for (int j = s->n - 1; j >= s->n_first; j--) {
        if (s->width[j] == 1) {
            backward_one(s, j);
        } else {
            backward_two(s, --j);
        }
    }
    for (int j = s->n_known; j < s->n_first; j++) {
        backward_one(s, j);
    }
    for (int j = s->n_known; j < s->n; j++) {
        x[s->order[j]] = s->x[j];
    }
    return is_done;
}

/* --- making ------------------------------------------------------------------------------------ */

static ha_status init(ha__ldl *s, const double *a, const signed char *first, bool *is_fit)
{
    HA_TRY_ALLOC(s->ctx, s->order, s->n);
    HA_TRY_ALLOC(s->ctx, s->place, s->n);
    HA_TRY_ALLOC(s->ctx, s->sign, s->n);
    HA_TRY_ALLOC(s->ctx, s->start, s->n + 1);
    HA_TRY_ALLOC(s->ctx, s->width, s->n);
    HA_TRY_ALLOC(s->ctx, s->inverse, s->n);
    HA_TRY_ALLOC(s->ctx, s->begin, s->n);
    HA_TRY_ALLOC(s->ctx, s->column, s->n);
    HA_TRY_ALLOC(s->ctx, s->x, s->n);
    HA_TRY_ALLOC(s->ctx, s->is_known, s->n);
    find_known(s, first);
    *is_fit = s->a_start[s->n] < INT_MAX && find_signs(s, a, first);
    if (*is_fit) {
        HA_TRY(find_order(s, first));
        HA_TRY(find_pattern(s, is_fit));
    }
    if (*is_fit) {
        *is_fit = gather(s, a);
    }
    return HA_OK;
}

ha_status ha__ldl_new(ha_ctx *ctx, int n, const int64_t *start, const int64_t *row,
                      const double *a, const signed char *first, ha__ldl **out)
{
    ha__ldl *s = ha__alloc(ctx, 1, sizeof *s);
    bool is_fit = false;

    if (s == NULL) {
        return HA_ERR_MEMORY;
    }
    *s = (ha__ldl){ .ctx = ctx, .n = n, .a_start = start, .a_row = row };
    ha_status status = init(s, a, first, &is_fit);
    if (status != HA_OK || !is_fit) {
        ha__ldl_free(s);
        s = NULL;
    }
    if (status == HA_OK) {
        *out = s;
    }
    return status;
}

void ha__ldl_free(ha__ldl *s)
{
    if (s != NULL) {
        ha__free(s->order);
        ha__free(s->place);
        ha__free(s->sign);
        ha__free(s->start);
        HA_ARRAY_CLEAR(&s->row);
        HA_ARRAY_CLEAR(&s->update);
        HA_ARRAY_CLEAR(&s->entries);
        HA_ARRAY_CLEAR(&s->ties);
        ha__free(s->value);
        ha__free(s->width);
        ha__free(s->inverse);
        ha__free(s->begin);
        ha__free(s->column);
        ha__free(s->x);
        ha__free(s->is_known);
        ha__free(s);
    }
}
