/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables: piecewise polynomials through the points (x_0, y_0) ... (x_n-1, y_n-1), by the
 * coefficients of lib/expr/expr_spline.c. Pieces -1 and n-1 are the constants y_0 and y_n-1.
 *
 * In the expression graph a table is two operations, with the number of the table as an operand
 * that is a constant, so that whatever copies and rewrites expressions takes them as any other:
 *
 *   knot(x)      the position among the points: continuous, increasing, k at x_k, linear between;
 *                beyond the ends d/(1 + 2|d|) further, d in lengths of the last piece, which
 *                stays less than half a unit away
 *   piece(k, x)  the polynomial floor(k), limited to those there are, and its derivatives
 *
 *   linear table  T(x) = piece(floor(knot(x)), x)
 *   cubic table   T(x) = piece(knot(c), c),    c = min(x_n-1, max(x_0, x)), of a spline likewise
 *   periodic one  T(x) = piece(knot(x), x)
 *
 * A periodic table has n - 1 pieces in each period P = x_n-1 - x_0: its knot counts on, piece k is
 * piece k - (n - 1) r of x - P r, r = floor(k / (n - 1)), and nothing happens where a period ends.
 *
 * The second derivative of a cubic table, the third one of a spline, jumps at the points and is
 * written with floor(knot(c)). So what bends does so by floor, min and max, whose events are known
 * (lib/expr/expr_switch.h), and with their sides held a polynomial is continued beyond its piece,
 * as the solver wants it. The position of a moment in a long list of samples costs a bisection.
 */
#include <config.h>

#include "lib/expr_table.h"

#include "lib/core/symtab.h"
#include "lib/expr/expr_priv.h"
#include "lib/expr/expr_spline.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { COOKIE = 0x68617462, N_ORDERS = HA__TABLE_ORDERS, LONGEST_NAME = 64 };

ha_table_def ha_table_def_default(void)
{
    return (ha_table_def){ .name = "", .cookie = COOKIE };
}

/* --- polynomials ------------------------------------------------------------------------------ */

static bool is_spline(ha_table_kind kind)
{
    return kind == HA_TABLE_NATURAL || kind == HA_TABLE_PERIODIC;
}

/* The number of the last point that is not right of x; 0 when there is none, n - 2 at most. */
static size_t find_point(const ha__table *table, double x)
{
    size_t low = 0, high = table->n - 1;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (table->x[middle] <= x) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static double period_of(const ha__table *table)
{
    return table->x[table->n - 1] - table->x[0];
}

static double periodic_knot(const ha__table *table, double x)
{
    double turns = floor((x - table->x[0]) / period_of(table));

    if (!isfinite(x)) {
        return x;
    }
    x -= turns * period_of(table);
    size_t k = find_point(table, x);
    double d = (x - table->x[k]) / (table->x[k + 1] - table->x[k]);
    return turns * (double) (table->n - 1) + (double) k + fmin(fmax(d, 0.0), 1.0);
}

double ha__table_knot(const ha__tables *tables, double x, double operand)
{
    const ha__table *table = &tables->items[(size_t) operand / N_ORDERS];

    if (table->kind == HA_TABLE_PERIODIC) {
        return periodic_knot(table, x);
    }
    size_t k = find_point(table, x);
    double d = (x - table->x[k]) / (table->x[k + 1] - table->x[k]);

    if (d < 0.0) { /* before the first point, as k is 0 */
        return isinf(d) ? -0.5 : d / (1.0 - 2.0 * d);
    }
    if (d > 1.0) { /* behind the last */
        d -= 1.0;
        return (double) (k + 1) + (isinf(d) ? 0.5 : d / (1.0 + 2.0 * d));
    }
    return (double) k + d;
}

/* The number of the polynomial of position k, from 0 for piece -1. */
static size_t piece_number(const ha__table *table, double k)
{
    double first = table->kind != HA_TABLE_LINEAR ? 0.0 : -1.0;
    double last = (double) table->n - (table->kind != HA_TABLE_LINEAR ? 2.0 : 1.0);

    return (size_t) (fmin(fmax(floor(k), first), last) + 1.0);
}

/* Derivative `order` of a polynomial at s. */
static double polynomial(const double c[N_ORDERS], int order, double s)
{
    switch (order) {
    case 0:
        return c[0] + s * (c[1] + s * (c[2] + s * c[3]));
    case 1:
        return c[1] + s * (2.0 * c[2] + s * 3.0 * c[3]);
    case 2:
        return 2.0 * c[2] + 6.0 * c[3] * s;
    default:
        return 6.0 * c[3];
    }
}

/* s of x in a polynomial; 0 in the constants, so that x may be infinite there. */
static double distance(const ha__table *table, size_t piece, double x)
{
    return piece == 0 || piece == table->n ? 0.0 : x - table->x[piece - 1];
}

/* The whole periods before piece k of a periodic table. */
static double turns_of(const ha__table *table, double k)
{
    return floor(floor(k) / (double) (table->n - 1));
}

double ha__table_piece(const ha__tables *tables, double k, double x, double operand)
{
    const ha__table *table = &tables->items[(size_t) operand / N_ORDERS];

    if (isnan(k) || isnan(x) || (table->kind == HA_TABLE_PERIODIC && isinf(k))) {
        return (double) NAN;
    }
    if (table->kind == HA_TABLE_PERIODIC) {
        double turns = turns_of(table, k);
        k -= turns * (double) (table->n - 1);
        x -= turns * period_of(table);
    }
    size_t piece = piece_number(table, k);
    return polynomial(table->c + N_ORDERS * piece, (int) ((size_t) operand % N_ORDERS),
                      distance(table, piece, x));
}

/* By the control points of Bernstein, between which a cubic p lies: p(a), p(a) + h p'(a) / 3,
   p(b) - h p'(b) / 3, p(b). The derivatives of a cubic are such, too. */
static void bound_piece(const ha__table *table, size_t piece, int order, const double x[2],
                        double out[2])
{
    const double *c = table->c + N_ORDERS * piece;
    double a = distance(table, piece, x[0]), b = distance(table, piece, x[1]), h = b - a;
    double control[4] = { polynomial(c, order, a), 0.0, 0.0, polynomial(c, order, b) };
    bool is_constant = order + 1 >= N_ORDERS;

    control[1] = control[0] + (is_constant ? 0.0 : h * polynomial(c, order + 1, a) / 3.0);
    control[2] = control[3] - (is_constant ? 0.0 : h * polynomial(c, order + 1, b) / 3.0);
    for (int i = 0; i < 4; i++) {
        out[0] = fmin(out[0], isnan(control[i]) ? -HUGE_VAL : control[i]);
        out[1] = fmax(out[1], isnan(control[i]) ? HUGE_VAL : control[i]);
    }
}

/* One of the pieces that ranges of k and x touch. Where it is the only one, x may be anywhere,
   since the number of the piece may be held. Each of several has its own part of x: what its
   polynomial would be beyond does not count. */
static void bound_part(const ha__table *table, size_t piece, int order, const double x[2],
                       bool is_only, double out[2])
{
    bool is_end = piece == 0 || piece == table->n;
    double part[2] = { x[0], x[1] };

    if (!is_only && !is_end) {
        part[0] = fmax(x[0], table->x[piece - 1]);
        part[1] = fmax(part[0], fmin(x[1], table->x[piece]));
    }
    bound_piece(table, piece, order, part, out);
}

/* The same of a periodic table, whose x begins anew in each period. */
static void bound_periodic(const ha__table *table, int order, const double k[2], const double x[2],
                           double out[2])
{
    double n = (double) (table->n - 1), first = floor(k[0]), count = floor(k[1]) - first + 1.0;
    bool is_all = !(count < n) || !isfinite(k[0]);

    for (size_t i = 0; i < (is_all ? table->n - 1 : (size_t) count); i++) {
        double turns = is_all ? 0.0 : turns_of(table, first + (double) i);
        size_t piece = is_all ? i : (size_t) (first + (double) i - turns * n);
        const double *ends = table->x + piece;
        double back = turns * period_of(table), shifted[2] = { x[0] - back, x[1] - back };
        bound_part(table, piece + 1, order, is_all ? ends : shifted, false, out);
    }
}

void ha__table_piece_range(const ha__tables *tables, const double k[2], const double x[2],
                           double operand, double out[2])
{
    const ha__table *table = &tables->items[(size_t) operand / N_ORDERS];
    int order = (int) ((size_t) operand % N_ORDERS);

    out[0] = HUGE_VAL;
    out[1] = -HUGE_VAL;
    if (table->kind == HA_TABLE_PERIODIC) {
        bound_periodic(table, order, k, x, out);
        return;
    }
    size_t first = piece_number(table, k[0]), last = piece_number(table, k[1]);
    for (size_t i = first; i <= last; i++) {
        bound_part(table, i, order, x, first == last, out);
    }
}

/* --- tables of a graph ------------------------------------------------------------------------ */

/* Copies the points and makes the polynomials. */
static ha_status fill(ha_ctx *ctx, ha__tables *tables, const ha_table_def *def, ha__table *out)
{
    double *x = ha__arena_alloc(ctx, &tables->arena, def->n, sizeof *x);
    double *c = ha__arena_alloc(ctx, &tables->arena, N_ORDERS * (def->n + 1), sizeof *c);
    char *name = ha__arena_text(ctx, &tables->arena, def->name, strlen(def->name));

    if (x == NULL || c == NULL || name == NULL) {
        return HA_ERR_MEMORY;
    }
    memcpy(x, def->x, def->n * sizeof *x);
    HA_TRY(ha__table_pieces(ctx, def, c));
    *out = (ha__table){ .name = name, .kind = def->kind, .n = def->n, .x = x, .c = c };
    return HA_OK;
}

/* Copies a table. */
static ha_status add_copy(ha_ctx *ctx, ha__tables *tables, const ha__table *from)
{
    size_t n_c = N_ORDERS * (from->n + 1);
    double *x = ha__arena_alloc(ctx, &tables->arena, from->n, sizeof *x);
    double *c = ha__arena_alloc(ctx, &tables->arena, n_c, sizeof *c);
    char *name = ha__arena_text(ctx, &tables->arena, from->name, strlen(from->name));
    ha__table copy = *from;

    if (x == NULL || c == NULL || name == NULL) {
        return HA_ERR_MEMORY;
    }
    memcpy(x, from->x, from->n * sizeof *x);
    memcpy(c, from->c, n_c * sizeof *c);
    copy.name = name;
    copy.x = x;
    copy.c = c;
    HA_TRY_PUSH(ctx, tables, copy);
    return HA_OK;
}

ha_status ha__tables_copy(ha_ctx *ctx, ha__tables *to, const ha__tables *from)
{
    for (size_t i = 0; i < from->count; i++) {
        HA_TRY(add_copy(ctx, to, &from->items[i]));
    }
    return HA_OK;
}

void ha__tables_clear(ha__tables *tables)
{
    HA_ARRAY_CLEAR(tables);
    ha__arena_clear(&tables->arena);
}

static bool is_same(const ha__table *a, const ha__table *b)
{
    return a->n == b->n && a->kind == b->kind && strcmp(a->name, b->name) == 0 &&
           memcmp(a->x, b->x, a->n * sizeof *a->x) == 0 &&
           memcmp(a->c, b->c, N_ORDERS * (a->n + 1) * sizeof *a->c) == 0;
}

ha_expr ha__table_operand_copy(const ha_dag *from, ha_dag *to, ha_expr operand)
{
    double value = 0.0;
    size_t i = 0;

    ha_expr_is_constant(from, operand, &value);
    const ha__table *table = &from->tables.items[(size_t) value / N_ORDERS];
    while (i < to->tables.count && !is_same(&to->tables.items[i], table)) {
        i++;
    }
    if (i == to->tables.count) {
        ha_status status = add_copy(to->ctx, &to->tables, table);
        if (status != HA_OK) {
            ha__dag_fail(to, status);
            return HA_EXPR_NONE;
        }
        to->tables.items[i].is_foreign = true;
    }
    return ha_constant(to, (double) (N_ORDERS * i + (size_t) value % N_ORDERS));
}

int ha_table_find(const ha_dag *dag, const char *name)
{
    for (size_t i = 0; i < dag->tables.count; i++) {
        const ha__table *table = &dag->tables.items[i];
        if (!table->is_foreign && strcmp(table->name, name) == 0) {
            return (int) i;
        }
    }
    return -1;
}

int ha_table_count(const ha_dag *dag)
{
    return (int) dag->tables.count;
}

const char *ha_table_name(const ha_dag *dag, int table)
{
    return dag->tables.items[table].name;
}

/* --- definitions ------------------------------------------------------------------------------ */

bool ha_table_is_name(const char *name)
{
    bool is_well_formed = isalpha((unsigned char) name[0]) || name[0] == '_';

    for (size_t i = 0; name[i] != '\0'; i++) {
        is_well_formed = is_well_formed && (isalnum((unsigned char) name[i]) || name[i] == '_');
    }
    for (int op = HA_OP_ADD; op < (int) HA_OP_COUNT; op++) {
        is_well_formed = is_well_formed && strcmp(ha_op_text((ha_op) op), name) != 0;
    }
    return is_well_formed && strlen(name) <= LONGEST_NAME;
}

static ha_status check_name(const ha_dag *dag, const ha_table_def *def)
{
    const char *name = def->name;

    if (!ha_table_is_name(name)) {
        return ha_fail(dag->ctx, HA_ERR_NAME, def->where,
                       "`%.64s` cannot be the name of a table; use up to %d letters, digits and "
                       "`_`, a letter first, and not the name of a function",
                       name, (int) LONGEST_NAME);
    }
    if (ha_table_find(dag, name) >= 0) {
        return ha_fail(dag->ctx, HA_ERR_NAME, def->where,
                       "there is a table `%s` already; choose another name", name);
    }
    return HA_OK;
}

static ha_status check_points(const ha_dag *dag, const ha_table_def *def)
{
    if (def->n < 2) {
        return ha_fail(dag->ctx, HA_ERR_VALUE, def->where,
                       "table `%s` has %zu point%s; give at least 2", def->name, def->n,
                       def->n == 1 ? "" : "s");
    }
    for (size_t i = 0; i < def->n; i++) {
        if (!isfinite(def->x[i]) || !isfinite(def->y[i])) {
            return ha_fail(dag->ctx, HA_ERR_VALUE, def->where,
                           "point %zu of table `%s` is (%g, %g); give finite numbers", i + 1,
                           def->name, def->x[i], def->y[i]);
        }
        if (i > 0 && !(def->x[i] > def->x[i - 1])) {
            return ha_fail(
                dag->ctx, HA_ERR_VALUE, def->where,
                "the x of table `%s` do not increase: point %zu is at %.17g, point %zu at "
                "%.17g; sort the points, and give one value at each x",
                def->name, i, def->x[i - 1], i + 1, def->x[i]);
        }
    }
    return HA_OK;
}

/* HA_OK when what repeats itself ends where it began. */
static ha_status check_period(const ha_dag *dag, const ha_table_def *def)
{
    double first = def->y[0], last = def->y[def->n - 1], largest = 0.0;

    for (size_t i = 0; i < def->n; i++) {
        largest = fmax(largest, fabs(def->y[i]));
    }
    if (def->n < 3) {
        return ha_fail(dag->ctx, HA_ERR_VALUE, def->where,
                       "the periodic table `%s` has %zu points; give at least 3, of which the last "
                       "is the first again",
                       def->name, def->n);
    }
    if (!(fabs(last - first) <= 1e-12 * largest)) {
        return ha_fail(
            dag->ctx, HA_ERR_VALUE, def->where,
            "the periodic table `%s` begins with y = %.17g and ends with %.17g; give the "
            "first value again at the end of the period",
            def->name, first, last);
    }
    return HA_OK;
}

/* HA_OK when every polynomial is finite. */
static ha_status check_pieces(const ha_dag *dag, const ha_table_def *def, const ha__table *table)
{
    for (size_t i = 0; i < N_ORDERS * (table->n + 1); i++) {
        if (!isfinite(table->c[i])) {
            size_t k = i / N_ORDERS;
            return ha_fail(dag->ctx, HA_ERR_VALUE, def->where,
                           "points %zu and %zu of table `%s` are too close for their difference in "
                           "value; take one of them out",
                           k, k + 1, def->name);
        }
    }
    return HA_OK;
}

ha_status ha_table_add(ha_dag *dag, const ha_table_def *def, int *out)
{
    ha__table table = { 0 };

    HA_TRY(dag->status);
    if (def->cookie != COOKIE || def->name == NULL ||
        (def->n > 0 && (def->x == NULL || def->y == NULL))) {
        return ha_fail(dag->ctx, HA_ERR_ARGUMENT, def->where,
                       "the definition of a table does not come from ha_table_def_default(), or "
                       "lacks its name or points; start from that and give them");
    }
    HA_TRY(check_name(dag, def));
    HA_TRY(check_points(dag, def));
    if (def->kind == HA_TABLE_PERIODIC) {
        HA_TRY(check_period(dag, def));
    }
    HA_TRY(fill(dag->ctx, &dag->tables, def, &table));
    HA_TRY(check_pieces(dag, def, &table));
    HA_TRY_PUSH(dag->ctx, &dag->tables, table);
    if (out != NULL) {
        *out = (int) dag->tables.count - 1;
    }
    return HA_OK;
}

/* --- expressions ------------------------------------------------------------------------------ */

ha_expr ha_table_apply(ha_dag *dag, int number, ha_expr x)
{
    const ha__table *table = &dag->tables.items[number];
    ha_expr operand = ha_constant(dag, (double) (N_ORDERS * number));

    if (table->kind == HA_TABLE_CUBIC || table->kind == HA_TABLE_NATURAL) {
        ha_expr low = ha_constant(dag, table->x[0]),
                high = ha_constant(dag, table->x[table->n - 1]);
        /* in this order the slope at the ends is that inside: a motion may begin there */
        x = ha_apply(dag, HA_OP_MAX, low, x, HA_EXPR_NONE);
        x = ha_apply(dag, HA_OP_MIN, high, x, HA_EXPR_NONE);
    }
    ha_expr k = ha_apply(dag, HA_OP_KNOT, x, operand, HA_EXPR_NONE);
    if (table->kind == HA_TABLE_LINEAR) {
        k = ha_apply(dag, HA_OP_FLOOR, k, HA_EXPR_NONE, HA_EXPR_NONE);
    }
    return ha_apply(dag, HA_OP_PIECE, k, x, operand);
}

int ha_table_of(const ha_dag *dag, ha_expr piece)
{
    double operand = 0.0;

    ha_expr_is_constant(dag, ha_expr_operand(dag, piece, 2), &operand);
    return (int) operand / N_ORDERS;
}

bool ha__is_table(const ha_dag *dag, ha_expr operand)
{
    double value = 0.0;

    return ha_expr_is_constant(dag, operand, &value) && value >= 0.0 && value == floor(value) &&
           value < (double) (N_ORDERS * dag->tables.count);
}

ha_expr ha__table_slope(ha_dag *dag, ha_expr piece)
{
    double operand = 0.0;

    ha_expr_is_constant(dag, ha_expr_operand(dag, piece, 2), &operand);
    const ha__table *table = &dag->tables.items[(size_t) operand / N_ORDERS];
    size_t order = (size_t) operand % N_ORDERS;
    if (order == (table->kind == HA_TABLE_LINEAR ? 1 : N_ORDERS - 1)) {
        return ha_constant(dag, 0.0);
    }
    ha_expr k = ha_expr_operand(dag, piece, 0);
    if (order == (is_spline(table->kind) ? 2 : 1) && ha_expr_op(dag, k) == HA_OP_KNOT) {
        k = ha_apply(dag, HA_OP_FLOOR, k, HA_EXPR_NONE, HA_EXPR_NONE);
    }
    return ha_apply(dag, HA_OP_PIECE, k, ha_expr_operand(dag, piece, 1),
                    ha_constant(dag, operand + 1.0));
}

ha_expr ha__table_derivative(ha_dag *dag, int table, int order, ha_expr x)
{
    ha_expr y = HA_EXPR_NONE, at = ha_symbol(dag, "x");

    if (order == 0) {
        return ha_table_apply(dag, table, x);
    }
    y = ha_table_apply(dag, table, at);
    for (int i = 0; i < order; i++) {
        y = ha_partial(dag, y, at);
    }
    return ha_expr_replace(dag, y, &at, &x, 1);
}

const char *ha__table_text(const ha_dag *dag, ha_expr e, const char **primes)
{
    static const char *const orders[N_ORDERS] = { "", "'", "''", "'''" };
    bool is_knot = ha_expr_op(dag, e) == HA_OP_KNOT;
    double operand = 0.0;

    ha_expr_is_constant(dag, ha_expr_operand(dag, e, is_knot ? 1 : 2), &operand);
    *primes = is_knot ? "" : orders[(size_t) operand % N_ORDERS];
    return dag->tables.items[(size_t) operand / N_ORDERS].name;
}
