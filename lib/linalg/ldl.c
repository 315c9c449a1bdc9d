/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sparse linear systems of masses and constraints, with one pattern and many values,
 *
 *     K = [ M  -G' ]     H = K S = [  M  G' ] = L D L',
 *         [ G   C  ]               [  G -C  ]
 *
 * S changing signs of unknowns. With M positive definite and C positive semidefinite H is
 * quasi-definite: L D L' exists in whatever order and needs no pivoting (Vanderbei, SIAM J.
 * Optim. 5, 1995). Speeds whose mass stands alone are eliminated first, which leaves the Schur
 * complement -(C + G M^-1 G') of the multipliers, the rest.
 *
 * A column with the entries a_i, i > j, and the pivot d changes a_i a_k / d of each pair i >= k in
 * what is left, and the right-hand side with it: half the work of a method that does not know of
 * the symmetry. Of a column that is eliminated first the matrix itself is all that is kept; the
 * right-hand side is taken along, so that each column is met once on the way down and once on the
 * way back. Where the products go, and what never changes, is found beforehand (ldl_pattern.c).
 *
 * Rows with nothing but their diagonal entry, those of positions, give their unknown at once; what
 * it does in other rows goes to their right-hand sides, and the symmetry is that of the others.
 *
 * That a row of constraints follows from others, as at a singular position, shows in a pivot that
 * is nothing but round-off: what is left of the row is zero then. The row is left out and its
 * multiplier is zero; the accelerations are those that all constraints allow, unless the row
 * contradicts them.
 */
#include <config.h>

#include "lib/linalg/ldl_priv.h"

#include <math.h>
#include <string.h>

static const double SAME = 1e-11;      /* difference of entries that ought to be equal, to them */
static const double DEPENDENT = 1e-14; /* pivot beside its start that is round-off */
static const double CONSISTENT = 1e-6; /* what is left of a dependent row beside the largest */

/* --- the start ------------------------------------------------------------------------------- */

static bool is_symmetric(const ha__ldl *s, const double *a)
{
    bool is_so = true;

    for (size_t k = 0; k < s->pairs.count; k++) {
        const ha__ldl_pair *p = &s->pairs.items[k];
        double x = a[p->from];
        is_so &= fabs(x - p->sign * a[p->mirror]) <= SAME * fabs(x);
    }
    return is_so;
}

/* The rest before anything that changes is taken off, and its right-hand side. */
static void begin_rest(ha__ldl *s, const double *a, const double *b)
{
    const int *order = s->order + s->n_first;

    memcpy(s->value, s->base, s->n_values * sizeof *s->value);
    memset(s->taken, 0, (size_t) (s->n - s->n_first) * sizeof *s->taken);
    for (size_t k = 0; k < s->own.count; k++) {
        const ha__ldl_own *own = &s->own.items[k];
        s->value[own->to] += own->sign * a[own->from];
    }
    for (size_t k = 0; k < s->changing.count; k++) {
        int j = s->changing.items[k];
        s->inverse[j] = 1.0 / a[s->pivot[j]];
    }
    for (int j = 0; j < s->n - s->n_first; j++) {
        s->y[j] = b[order[j]];
    }
}

/* The unknowns that are known at once, and what they do in the rest. */
static void take_known(ha__ldl *s, const double *a, const double *b, double *x)
{
    for (int j = 0; j < s->n_known; j++) {
        int i = s->order[j];
        x[i] = b[i] * s->inverse[j];
    }
    for (size_t k = 0; k < s->ties.count; k++) {
        const ha__ldl_tie *t = &s->ties.items[k];
        s->y[t->to] -= a[t->from] * x[t->unknown];
    }
}

/* --- columns that are eliminated first ------------------------------------------------------- */

/* Takes a column with the share t of its unknown off the right-hand side. */
static inline void take_share(const ha__ldl_entry *e, int count, const double *a, double t,
                              double *y)
{
    if (count == 2) {
        y[e[0].to] -= a[e[0].from] * t;
        y[e[1].to] -= a[e[1].from] * t;
        return;
    }
    for (int k = 0; k < count; k++) {
        y[e[k].to] -= a[e[k].from] * t;
    }
}

/* The same, and the products of the column off the rest. Short columns, which most are, go without
   a loop. Returns the rest of the list `to`. */
static inline const int *take_column(ha__ldl *s, const ha__ldl_entry *e, int count, const double *a,
                                     double inverse, double t, const int *to)
{
    double *value = s->value, *y = s->y, *g = s->column;

    if (count == 4) {
        double g0 = a[e[0].from], g1 = a[e[1].from], g2 = a[e[2].from], g3 = a[e[3].from];
        double c0 = g0 * inverse, c1 = g1 * inverse, c2 = g2 * inverse, c3 = g3 * inverse;
        y[e[0].to] -= g0 * t;
        y[e[1].to] -= g1 * t;
        y[e[2].to] -= g2 * t;
        y[e[3].to] -= g3 * t;
        value[to[0]] -= c0 * g0;
        value[to[1]] -= c1 * g0;
        value[to[2]] -= c2 * g0;
        value[to[3]] -= c3 * g0;
        value[to[4]] -= c1 * g1;
        value[to[5]] -= c2 * g1;
        value[to[6]] -= c3 * g1;
        value[to[7]] -= c2 * g2;
        value[to[8]] -= c3 * g2;
        value[to[9]] -= c3 * g3;
        return to + 10;
    }
    for (int k = 0; k < count; k++) {
        g[k] = a[e[k].from];
        y[e[k].to] -= g[k] * t;
    }
    for (int k = 0; k < count; k++) {
        double x = g[k] * inverse;
        for (int i = k; i < count; i++) {
            value[*to++] -= g[i] * x;
        }
    }
    return to;
}

/* Eliminates a column of those that go first, whose entries begin at e; a call for each would be
   6 % of a small solution. */
__attribute__((always_inline)) static inline const int *
eliminate_first(ha__ldl *s, int j, const ha__ldl_entry *e, const double *a, const double *b,
                double *x, const int *to)
{
    const ha__ldl_first first = s->firsts[j];
    double inverse = s->inverse[j], t = b[first.unknown] * inverse;

    x[first.unknown] = t;
    if (first.is_fixed == 0) {
        return take_column(s, e, first.count, a, inverse, t, to);
    }
    take_share(e, first.count, a, t, s->y);
    return to;
}

/* The sum of the entries of a column times unknowns of the rest. */
static inline double sum_of(const ha__ldl_entry *e, int count, const double *a, const double *y)
{
    double sum = 0.0;

    if (count == 2) {
        return a[e[0].from] * y[e[0].to] + a[e[1].from] * y[e[1].to];
    }
    if (count == 4) {
        return a[e[0].from] * y[e[0].to] + a[e[1].from] * y[e[1].to] +
               (a[e[2].from] * y[e[2].to] + a[e[3].from] * y[e[3].to]);
    }
    for (int k = 0; k < count; k++) {
        sum += a[e[k].from] * y[e[k].to];
    }
    return sum;
}

/* The unknown of a column from those of the rest. */
static inline void solve_first(const ha__ldl *s, int j, const ha__ldl_entry *e, const double *a,
                               double *x)
{
    x[s->firsts[j].unknown] -= sum_of(e, s->firsts[j].count, a, s->y) * s->inverse[j];
}

/* --- the rest -------------------------------------------------------------------------------- */

/* The inverse of a pivot of the rest, 0 where nothing of it is left. */
static inline double invert(ha__ldl *s, int j, double pivot, double taken)
{
    double size = fabs(pivot), begin = fabs(pivot + taken);
    bool is_dependent = !(size > DEPENDENT * begin); /* a nan is no pivot */

    if (is_dependent || size < s->condition * begin) {
        s->condition = is_dependent ? 0.0 : size / begin;
        s->n_dependent += is_dependent ? 1 : 0;
    }
    return s->inverse[s->n_first + j] = is_dependent ? 0.0 : 1.0 / pivot;
}

/* Eliminates a column with `count` rows below; v are its values. */
static inline void eliminate_one(ha__ldl *s, int j, int count, double *v, const int *row,
                                 const int *to)
{
    double inverse = invert(s, j, v[0], s->taken[j]), yj = s->y[j];
    double *value = s->value, *column = s->column;

    v++;
    for (int k = 0; k < count; k++) {
        column[k] = v[k];
        v[k] *= inverse;
        s->y[row[k]] -= v[k] * yj;
        s->taken[row[k]] += v[k] * column[k];
    }
    for (int k = 0; k < count; k++) {
        for (int i = k; i < count; i++) {
            value[*to++] -= v[i] * column[k];
        }
    }
}

/* The products of two columns with two rows below, as those of a hinge in a chain have; `between`
   is the entry of L between them. */
static inline void take_two_rows(ha__ldl *s, double *v, const int *row, const int *to,
                                 double between, const double inverse[2], const double y[2])
{
    double a = v[0], b = v[1] - between * a, c = v[2], d = v[3] - between * c, *value = s->value;
    double la = a * inverse[0], lb = b * inverse[1], lc = c * inverse[0], ld = d * inverse[1];
    double first = la * a + lb * b, both = lc * a + ld * b, second = lc * c + ld * d;

    v[0] = la;
    v[1] = lb;
    v[2] = lc;
    v[3] = ld;
    s->y[row[0]] -= la * y[0] + lb * y[1];
    s->y[row[1]] -= lc * y[0] + ld * y[1];
    s->taken[row[0]] += first;
    s->taken[row[1]] += second;
    value[to[0]] -= first;
    value[to[1]] -= both;
    value[to[2]] -= second;
}

/* The same with `count` rows. */
static inline void take_rows(ha__ldl *s, int count, double *v, const int *row, const int *to,
                             double between, const double inverse[2], const double y[2])
{
    double *column = s->column;

    for (int k = 0; k < count; k++) {
        double a = v[2 * k], b = v[2 * k + 1] - between * a;
        double la = a * inverse[0], lb = b * inverse[1];
        column[2 * k] = a;
        column[2 * k + 1] = b;
        v[2 * k] = la;
        v[2 * k + 1] = lb;
        s->y[row[k]] -= la * y[0] + lb * y[1];
        s->taken[row[k]] += la * a + lb * b;
    }
    for (int k = 0; k < 2 * count; k += 2) {
        for (int i = k; i < 2 * count; i += 2) {
            s->value[*to++] -= v[i] * column[k] + v[i + 1] * column[k + 1];
        }
    }
}

/* Eliminates two columns with the same rows below. */
static inline void eliminate_two(ha__ldl *s, int j, int count, double *v, const int *row,
                                 const int *to)
{
    double *y = s->y, inverse[2];

    inverse[0] = invert(s, j, v[0], s->taken[j]);
    double between = v[1] * inverse[0], off = between * v[1];
    inverse[1] = invert(s, j + 1, v[2] - off, s->taken[j + 1] + off);
    v[1] = between;
    y[j + 1] -= between * y[j];
    if (count == 2) {
        take_two_rows(s, v + 3, row, to, between, inverse, y + j);
    } else {
        take_rows(s, count, v + 3, row, to, between, inverse, y + j);
    }
}

/* True when nothing is left of the rows that follow from others. */
static bool is_consistent(const ha__ldl *s)
{
    const double *inverse = s->inverse + s->n_first;
    double largest = 0.0, worst = 0.0;

    for (int j = 0; j < s->n - s->n_first && s->n_dependent > 0; j++) {
        double size = fabs(s->y[j]);
        largest = fmax(largest, size);
        worst = inverse[j] == 0.0 ? fmax(worst, size) : worst;
    }
    return worst <= CONSISTENT * largest;
}

/* The unknowns of a block from those below; v are its values. */
static inline void solve_block(ha__ldl *s, int j, const ha__ldl_block *block, const double *v,
                               const int *row)
{
    const double *inverse = s->inverse + s->n_first;
    double *y = s->y, sum = 0.0, next = 0.0;

    if (block->width == 1) {
        for (int k = 0; k < block->count; k++) {
            sum += v[k + 1] * y[row[k]];
        }
        y[j] = y[j] * inverse[j] - sum;
        return;
    }
    for (int k = 0; k < block->count; k++) {
        double yk = y[row[k]];
        sum += v[2 * k + 3] * yk;
        next += v[2 * k + 4] * yk;
    }
    y[j + 1] = y[j + 1] * inverse[j + 1] - next;
    y[j] = y[j] * inverse[j] - sum - v[1] * y[j + 1];
}

/* --- all ------------------------------------------------------------------------------------- */

/* Number of values of a block. */
static inline int size_of(const ha__ldl_block *block)
{
    return block->width == 1 ? 1 + block->count : 3 + 2 * block->count;
}

/* Down: before each block the columns that enter it. */
static void eliminate(ha__ldl *s, const double *a, const double *b, double *x)
{
    const int *row = s->row.items, *to = s->update.items, *rest_to = s->rest_update.items;
    const ha__ldl_entry *e = s->entries.items;
    double *v = s->value;
    int j = 0, first = s->n_known;

    s->condition = 1.0;
    s->n_dependent = 0;
    for (size_t q = 0; q < s->blocks.count; q++) {
        const ha__ldl_block *block = &s->blocks.items[q];
        for (; first < block->first; first++) {
            to = eliminate_first(s, first, e, a, b, x, to);
            e += s->firsts[first].count;
        }
        if (block->width == 1) {
            eliminate_one(s, j, block->count, v, row, rest_to);
        } else {
            eliminate_two(s, j, block->count, v, row, rest_to);
        }
        j += block->width;
        v += size_of(block);
        row += block->count;
        rest_to += block->count * (block->count + 1) / 2;
    }
    for (; first < s->n_first; first++) { /* they enter none */
        int unknown = s->firsts[first].unknown;
        x[unknown] = b[unknown] * s->inverse[first];
    }
}

/* The way back. */
static void solve(ha__ldl *s, const double *a, double *x)
{
    const int *row = s->row.items + s->row.count;
    const double *v = s->value + s->n_values;
    const ha__ldl_entry *e = s->entries.items + s->entries.count;
    int j = s->n - s->n_first;

    for (size_t q = s->blocks.count; q-- > 0;) {
        const ha__ldl_block *block = &s->blocks.items[q];
        int begin = q > 0 ? block[-1].first : s->n_known;
        row -= block->count;
        v -= size_of(block);
        j -= block->width;
        solve_block(s, j, block, v, row);
        for (int first = block->first; first-- > begin;) {
            e -= s->firsts[first].count;
            solve_first(s, first, e, a, x);
        }
    }
    for (j = s->n_first; j < s->n; j++) {
        x[s->order[j]] = (double) s->sign[j] * s->y[j - s->n_first];
    }
}

bool ha__ldl_solve(ha__ldl *s, const double *a, const double *b, double *x, bool *is_done)
{
    if (!is_symmetric(s, a)) {
        return false;
    }
    begin_rest(s, a, b);
    take_known(s, a, b, x);
    eliminate(s, a, b, x);
    *is_done = is_consistent(s);
    solve(s, a, x);
    return true;
}

double ha__ldl_condition(const ha__ldl *s)
{
    return s->condition;
}

static ha_status init(ha__ldl *s, const ha__ldl_system *system, const double *a, bool *is_fit)
{
    HA_TRY_ALLOC_EACH(s->ctx, s->n, s->order, s->sign, s->inverse);
    HA_TRY_ALLOC(s->ctx, s->column, 2 * (size_t) s->n);
    HA_TRY(ha__ldl_analyse(s, system, a, is_fit));
    *is_fit = *is_fit && is_symmetric(s, a);
    return HA_OK;
}

ha_status ha__ldl_new(ha_ctx *ctx, const ha__ldl_system *system, const double *a, ha__ldl **out)
{
    ha__ldl *s = ha__alloc(ctx, 1, sizeof *s);
    bool is_fit = false;

    HA_TRY_MEMORY(s);
    *s = (ha__ldl){ .ctx = ctx, .n = system->n };
    ha_status status = init(s, system, a, &is_fit);
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
        HA_FREE(s->order, s->sign);
        HA_ARRAY_CLEAR(&s->pairs, &s->ties);
        ha__free(s->pivot);
        HA_ARRAY_CLEAR(&s->changing);
        ha__free(s->firsts);
        HA_ARRAY_CLEAR(&s->entries, &s->update, &s->blocks, &s->row, &s->rest_update, &s->own);
        HA_FREE(s->base, s->value, s->inverse, s->taken, s->y, s->column, s);
    }
}
