/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expressions as C. The text of an operation is its value column in expr_ops.def, with the operands
 * put in for a, b and c: what a compiler makes of it is what a tape computes.
 *
 * An operation gets a variable of its own when its value is needed more than once, or when
 * the expression it stands in would be nested deeper than DEEPEST; all others are written where
 * they are used. Variables are declared in the order of the graph, operands before operations.
 */
#include <config.h>

#include "lib/expr/expr_c.h"

#include "lib/core/number.h"
#include "lib/expr/expr_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 4 };

static const char *const templates[HA_OP_COUNT] = {
    [HA_OP_KNOT] = "halfarrow_knot(a, b)", /* of ha__c_tables() */
    [HA_OP_PIECE] = "halfarrow_piece(a, b, c)",
#define X(name, text, arity, value, p0, p1, p2) [HA_OP_##name] = #value,
#include "lib/expr_ops.def"
#undef X
};

typedef struct {
    const ha_dag *dag;
    int *uses;     /* by node: how often its value is needed */
    int *depth;    /* by node: nesting of its text where it is used */
    int *variable; /* by node: number of its variable, 0: none */
    ha__c_name name;
    void *user;
    ha__strbuf *out;
} writer;

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
}

/* The operand 0, 1, 2 that stands at `at` in a template, -1: something else. */
static int operand_at(const char *text, size_t at)
{
    bool is_alone = (at == 0 || !is_letter(text[at - 1])) && !is_letter(text[at + 1]);

    return is_alone && text[at] >= 'a' && text[at] <= 'c' ? text[at] - 'a' : -1;
}

static bool is_leaf(const ha_dag *dag, ha_expr e)
{
    ha_op op = ha_expr_op(dag, e);

    return op == HA_OP_CONSTANT || op == HA_OP_SYMBOL;
}

static void count_uses(writer *w, const ha_expr *roots, size_t n)
{
    for (size_t i = 0; i < w->dag->order.count; i++) {
        ha_expr e = w->dag->order.items[i];
        const char *text = templates[ha_expr_op(w->dag, e)];
        for (size_t at = 0; !is_leaf(w->dag, e) && text[at] != '\0'; at++) {
            int k = operand_at(text, at);
            if (k >= 0) {
                w->uses[ha_expr_operand(w->dag, e, k)]++;
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        w->uses[roots[i]]++;
    }
}

static void choose_variables(writer *w)
{
    int n = 0;

    for (size_t i = 0; i < w->dag->order.count; i++) {
        ha_expr e = w->dag->order.items[i];
        if (is_leaf(w->dag, e)) {
            continue;
        }
        for (int k = 0; k < ha_op_arity(ha_expr_op(w->dag, e)); k++) {
            int below = w->depth[ha_expr_operand(w->dag, e, k)];
            w->depth[e] = below + 1 > w->depth[e] ? below + 1 : w->depth[e];
        }
        if (w->uses[e] > 1 || w->depth[e] > DEEPEST) {
            w->variable[e] = ++n;
            w->depth[e] = 0;
        }
    }
}

void ha__c_number(ha__strbuf *out, double x)
{
    char digits[HA__NUMBER_SIZE];

    if (!isfinite(x)) {
        ha__strbuf_add(out, isnan(x) ? "NAN" : x > 0.0 ? "HUGE_VAL" : "-HUGE_VAL");
        return;
    }
    ha__print_short_number(digits, x);
    ha__strbuf_add(out, digits);
    if (strpbrk(digits, ".e") == NULL) {
        ha__strbuf_add(out, ".0");
    }
}

void ha__c_string(ha__strbuf *out, const char *text)
{
    ha__strbuf_add(out, "\"");
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char) *text;
        if (c < 0x20 || c == 0x7f) {
            ha__strbuf_addf(out, "\\%03o", (unsigned) c);
        } else {
            ha__strbuf_add(out, c == '"' || c == '\\' || c == '?' ? "\\" : "");
            ha__strbuf_add_bytes(out, text, 1);
        }
    }
    ha__strbuf_add(out, "\"");
}

void ha__c_operation(ha__strbuf *out, ha_op op, void (*operand)(void *user, int k, ha__strbuf *out),
                     void *user)
{
    const char *text = templates[op];

    for (size_t at = 0; text[at] != '\0'; at++) {
        int k = operand_at(text, at);
        if (k >= 0) {
            operand(user, k, out);
        } else {
            ha__strbuf_add_bytes(out, text + at, 1);
        }
    }
}

/* Numbers in braces. */
static void add_numbers(ha__strbuf *out, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        ha__strbuf_add(out, i % 4 == 0 ? "\n    " : " ");
        ha__c_number(out, x[i]);
        ha__strbuf_add(out, ",");
    }
    ha__strbuf_add(out, "\n};\n");
}

void ha__c_tables(const ha_dag *dag, ha__strbuf *out)
{
    /* what lib/expr/expr_table.c computes */
    static const char functions[] =
        "static double halfarrow_knot(double x, double table)\n"
        "{\n"
        "    int number = (int) table / 4, low = 0, high = halfarrow_tables[number].n - 1;\n"
        "    const double *at = halfarrow_tables[number].x;\n"
        "    double period = at[high] - at[0], turns = 0.0, n = high;\n"
        "    if (halfarrow_tables[number].is_periodic) {\n"
        "        turns = floor((x - at[0]) / period);\n"
        "        x -= turns * period;\n"
        "    }\n"
        "    while (high - low > 1) {\n"
        "        int middle = low + (high - low) / 2;\n"
        "        if (at[middle] <= x) {\n"
        "            low = middle;\n"
        "        } else {\n"
        "            high = middle;\n"
        "        }\n"
        "    }\n"
        "    double d = (x - at[low]) / (at[high] - at[low]);\n"
        "    if (halfarrow_tables[number].is_periodic) {\n"
        "        return turns * n + low + fmin(fmax(d, 0.0), 1.0);\n"
        "    }\n"
        "    return d < 0.0   ? d / (1.0 - 2.0 * d)\n"
        "           : d > 1.0 ? high + (d - 1.0) / (2.0 * d - 1.0)\n"
        "                     : low + d;\n"
        "}\n\n"
        "static double halfarrow_piece(double k, double x, double table)\n"
        "{\n"
        "    int number = (int) table / 4, order = (int) table % 4;\n"
        "    int is_cubic = halfarrow_tables[number].is_cubic, n = halfarrow_tables[number].n;\n"
        "    const double *at = halfarrow_tables[number].x;\n"
        "    if (halfarrow_tables[number].is_periodic) {\n"
        "        double turns = floor(floor(k) / (n - 1));\n"
        "        k -= turns * (n - 1);\n"
        "        x -= turns * (at[n - 1] - at[0]);\n"
        "    }\n"
        "    int i = (int) fmin(fmax(floor(k), is_cubic ? 0 : -1), is_cubic ? n - 2 : n - 1) + 1;\n"
        "    const double *c = halfarrow_tables[number].c + 4 * i;\n"
        "    double s = x - at[i == 0 ? 0 : i - 1];\n"
        "    return order == 0   ? c[0] + s * (c[1] + s * (c[2] + s * c[3]))\n"
        "           : order == 1 ? c[1] + s * (2.0 * c[2] + s * 3.0 * c[3])\n"
        "           : order == 2 ? 2.0 * c[2] + 6.0 * c[3] * s\n"
        "                        : 6.0 * c[3];\n"
        "}\n\n";

    if (dag->tables.count == 0) {
        return;
    }
    for (size_t i = 0; i < dag->tables.count; i++) {
        const ha__table *table = &dag->tables.items[i];
        ha__strbuf_addf(out, "static const double halfarrow_x%zu[] = { /* %s */", i, table->name);
        add_numbers(out, table->x, table->n);
        ha__strbuf_addf(out, "static const double halfarrow_c%zu[] = {", i);
        add_numbers(out, table->c, 4 * (table->n + 1));
    }
    ha__strbuf_add(
        out,
        "static const struct {\n    int n, is_cubic, is_periodic;\n    const double *x, *c;\n} "
        "halfarrow_tables[] = {\n");
    for (size_t i = 0; i < dag->tables.count; i++) {
        ha__strbuf_addf(out, "    { %zu, %d, %d, halfarrow_x%zu, halfarrow_c%zu },\n",
                        dag->tables.items[i].n, dag->tables.items[i].kind != HA_TABLE_LINEAR,
                        dag->tables.items[i].kind == HA_TABLE_PERIODIC, i, i);
    }
    ha__strbuf_addf(out, "};\n\n%s", functions);
}

/* An operation; its nesting is limited by choose_variables(). */
static void write_operation(writer *w, ha_expr e);

static void write_operand(writer *w, ha_expr e)
{
    double value = 0.0;

    if (ha_expr_is_constant(w->dag, e, &value)) {
        ha__strbuf_add(w->out, signbit(value) ? "(" : "");
        ha__c_number(w->out, value);
        ha__strbuf_add(w->out, signbit(value) ? ")" : "");
    } else if (ha_expr_op(w->dag, e) == HA_OP_SYMBOL) {
        w->name(w->user, e, w->out);
    } else if (w->variable[e] > 0) {
        ha__strbuf_addf(w->out, "v%d", w->variable[e]);
    } else {
        ha__strbuf_add(w->out, "(");
        write_operation(w, e);
        ha__strbuf_add(w->out, ")");
    }
}

/* The operands of an operation. */
typedef struct {
    writer *w;
    ha_expr operation;
} operands;

static void add_operand(void *user, int k, ha__strbuf *out)
{
    const operands *of = user;

    (void) out; /* it is the writer's */
    write_operand(of->w, ha_expr_operand(of->w->dag, of->operation, k));
}

static void write_operation(writer *w, ha_expr e)
{
    operands of = { w, e };

    ha__c_operation(w->out, ha_expr_op(w->dag, e), add_operand, &of);
}

static ha_status write_all(writer *w, const ha_expr *roots, size_t n, const char *target)
{
    for (size_t i = 0; i < w->dag->order.count && w->out->status == HA_OK; i++) {
        ha_expr e = w->dag->order.items[i];
        if (w->variable[e] > 0) {
            ha__strbuf_addf(w->out, "    const double v%d = ", w->variable[e]);
            write_operation(w, e);
            ha__strbuf_add(w->out, ";\n");
        }
    }
    for (size_t i = 0; i < n && w->out->status == HA_OK; i++) {
        ha__strbuf_addf(w->out, "    %s[%zu] = ", target, i);
        if (is_leaf(w->dag, roots[i]) || w->variable[roots[i]] > 0) {
            write_operand(w, roots[i]);
        } else {
            write_operation(w, roots[i]);
        }
        ha__strbuf_add(w->out, ";\n");
    }
    return w->out->status;
}

ha_status ha__expr_c(ha_dag *dag, const ha_expr *roots, size_t n, const char *target,
                     ha__c_name name, void *user, ha__strbuf *out)
{
    size_t size = (size_t) ha_dag_size(dag);
    writer w = { .dag = dag, .name = name, .user = user, .out = out };
    ha_status status = HA_ERR_MEMORY;

    HA_TRY(ha__dag_order(dag, roots, n));
    w.uses = ha__alloc(dag->ctx, size, sizeof *w.uses);
    w.depth = ha__alloc(dag->ctx, size, sizeof *w.depth);
    w.variable = ha__alloc(dag->ctx, size, sizeof *w.variable);
    if (w.uses != NULL && w.depth != NULL && w.variable != NULL) {
        count_uses(&w, roots, n);
        choose_variables(&w);
        status = write_all(&w, roots, n, target);
    }
    HA_FREE(w.uses, w.depth, w.variable);
    return status;
}
