/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expressions as infix text that expr_parse.c reads back to the same node.
 *
 * A node is put in parentheses when it binds less tightly than its context asks for
 * (expr_syntax.h). The right operands of the associative operators keep theirs, since a + (b + c)
 * is another node than (a + b) + c; as the constructors order the operands of + and *, these are
 * written in the order that needs no parentheses, though with numbers first. The minus of a product
 * is written before its first factor, -a*b, where the constructors take it out again: not before a
 * number or a difference, whose sign they would change in place.
 *
 * A table prints as it was called, T(x), in a cubic one with its limits, T(min(max(x, 0), 5)),
 * which is no other value; its derivatives with primes, which the parser does not know.
 *
 * The walk keeps its own stack, as expressions can be deeper than the C stack; the length of the
 * text is limited, since a graph with shared parts can be exponentially longer as text: of squares
 * in squares, x^2 being x*x, each doubles it. Such a text is made of few different parts. The text
 * of a node being the same wherever it stands but for the parentheses around it, from some length
 * on it is noted where that of each node begins and ends, and what has been written is copied.
 */
#include <config.h>

#include "lib/expr.h"

#include "lib/core/need.h"
#include "lib/core/strbuf.h"
#include "lib/core/utf8.h"
#include "lib/expr/expr_priv.h"
#include "lib/expr/expr_syntax.h"

#include <math.h>

enum {
    LONGEST = 16 * 1024 * 1024,
    LONG = 64 * 1024, /* text from which on spans are noted */
    END = -1          /* level of a piece that only says that its node is written */
};

/* Something to write: a text, or a node in a context that asks for a level. */
typedef struct piece {
    const char *text; /* NULL: a node */
    ha_expr node;
    int level;
} piece;

/* Where the text of a node stands. */
typedef struct span {
    size_t begin, end; /* end 0: it is not written yet */
} span;

typedef struct printer {
    const ha_dag *dag;
    HA_ARRAY(piece) stack; /* what is still to be written, the next one last */
    ha__strbuf out;
    span *spans; /* by node; NULL: not noted yet */
} printer;

static piece text_piece(const char *text)
{
    return (piece){ text, HA_EXPR_NONE, 0 };
}

static piece node_piece(ha_expr node, int level)
{
    return (piece){ NULL, node, level };
}

/* Schedules pieces that are to be written one after the other. */
static ha_status schedule(printer *p, const piece *pieces, size_t n)
{
    HA_TRY_ROOM(p->dag->ctx, &p->stack, n);
    for (size_t i = n; i > 0; i--) {
        p->stack.items[p->stack.count++] = pieces[i - 1];
    }
    return HA_OK;
}

/* True when the operands of a sum or product are written in reverse: c + (a + b) as a + b + c. */
static bool is_swapped(const ha_dag *dag, ha_expr e)
{
    ha_op op = ha_expr_op(dag, e);
    int level = ha__operator_levels[op];

    if (op != HA_OP_ADD && op != HA_OP_MUL) {
        return false;
    }
    ha_op a = ha_expr_op(dag, ha_expr_operand(dag, e, 0));
    ha_op b = ha_expr_op(dag, ha_expr_operand(dag, e, 1));
    return a != HA_OP_CONSTANT && ha__operator_levels[a] != level &&
           ha__operator_levels[b] == level;
}

/* Operand i of a node in the order of writing. */
static ha_expr written_operand(const ha_dag *dag, ha_expr e, int i)
{
    return ha_expr_operand(dag, e, is_swapped(dag, e) ? 1 - i : i);
}

/* True when the negative of a product or quotient is written -a*b. */
static bool has_leading_minus(const ha_dag *dag, ha_expr negative)
{
    ha_expr e = ha_expr_operand(dag, negative, 0);

    if (ha__operator_levels[ha_expr_op(dag, e)] != HA__LEVEL_PRODUCT) {
        return false;
    }
    while (ha__operator_levels[ha_expr_op(dag, e)] == HA__LEVEL_PRODUCT) {
        e = written_operand(dag, e, 0);
    }
    ha_op first = ha_expr_op(dag, e);
    return first != HA_OP_CONSTANT && first != HA_OP_SUB && first != HA_OP_NEG;
}

/* How tightly the text of a node binds. */
static int level_of(const ha_dag *dag, ha_expr e)
{
    ha_op op = ha_expr_op(dag, e);
    double value = 0.0;

    if (ha_expr_is_constant(dag, e, &value)) {
        return signbit(value) ? HA__LEVEL_SIGN : HA__LEVEL_PRIMARY;
    }
    if (op == HA_OP_NEG && has_leading_minus(dag, e)) {
        return HA__LEVEL_PRODUCT;
    }
    return ha__operator_levels[op] == 0 ? HA__LEVEL_PRIMARY : ha__operator_levels[op];
}

static ha_status schedule_operator(printer *p, ha_expr e, ha_op op)
{
    int level = ha__operator_levels[op];
    ha_expr a = written_operand(p->dag, e, 0);

    if (op == HA_OP_NEG) {
        int inside = has_leading_minus(p->dag, e) ? HA__LEVEL_PRODUCT : HA__LEVEL_POWER;
        return schedule(p, (const piece[]){ text_piece("-"), node_piece(a, inside) }, 2);
    }

    ha_expr b = written_operand(p->dag, e, 1);
    /* the side that is not associative asks for a tighter operand */
    bool is_right = level == HA__LEVEL_POWER;
    int left = is_right ? HA__LEVEL_PRIMARY : level == HA__LEVEL_COMPARISON ? level + 1 : level;
    int right = is_right ? HA__LEVEL_SIGN : level + 1;
    const char *blank = level <= HA__LEVEL_SUM ? " " : "";
    return schedule(p,
                    (const piece[]){ node_piece(a, left), text_piece(blank),
                                     text_piece(ha_op_text(op)), text_piece(blank),
                                     node_piece(b, right) },
                    5);
}

static ha_status schedule_function(printer *p, ha_expr e, ha_op op)
{
    piece pieces[8] = { text_piece(ha_op_text(op)), text_piece("(") };
    size_t n = 2;

    for (int i = 0; i < ha_op_arity(op); i++) {
        if (i > 0) {
            pieces[n++] = text_piece(", ");
        }
        pieces[n++] = node_piece(ha_expr_operand(p->dag, e, i), 0);
    }
    pieces[n++] = text_piece(")");
    return schedule(p, pieces, n);
}

/* T(x), its derivative T'(x), and the position of x among the points of T, knot_T(x). */
static ha_status schedule_table(printer *p, ha_expr e, ha_op op)
{
    const char *primes = "", *name = ha__table_text(p->dag, e, &primes);
    ha_expr x = ha_expr_operand(p->dag, e, op == HA_OP_KNOT ? 0 : 1);

    return schedule(p,
                    (const piece[]){ text_piece(op == HA_OP_KNOT ? "knot_" : ""), text_piece(name),
                                     text_piece(primes), text_piece("("), node_piece(x, 0),
                                     text_piece(")") },
                    6);
}

/* Copies the text of a node that was written; `*is_done` is false where none was. Its end will be
   noted then. */
static ha_status copy_node(printer *p, ha_expr e, bool *is_done)
{
    span *at = p->spans == NULL ? NULL : &p->spans[e];

    *is_done = at != NULL && at->end > 0;
    if (at == NULL) {
        return HA_OK;
    }
    if (!*is_done) {
        at->begin = p->out.length;
        return schedule(p, (const piece[]){ node_piece(e, END) }, 1);
    }
    ha__strbuf_repeat(&p->out, at->begin, at->end - at->begin);
    return HA_OK;
}

static ha_status write_node(printer *p, ha_expr e, int level)
{
    ha_op op = ha_expr_op(p->dag, e);
    double value = 0.0;
    bool is_done = false;

    if (level == END) {
        p->spans[e].end = p->out.length;
        return HA_OK;
    }
    if (level_of(p->dag, e) < level) {
        return schedule(p, (const piece[]){ text_piece("("), node_piece(e, 0), text_piece(")") },
                        3);
    }
    HA_TRY(copy_node(p, e, &is_done));
    if (is_done) {
        return HA_OK;
    }
    if (ha_expr_is_constant(p->dag, e, &value)) {
        ha__strbuf_add_short_number(&p->out, value);
    } else if (op == HA_OP_SYMBOL) {
        ha__strbuf_add(&p->out, ha_symbol_name(p->dag, e));
    } else if (op == HA_OP_KNOT || op == HA_OP_PIECE) {
        return schedule_table(p, e, op);
    } else if (ha__operator_levels[op] > 0) {
        return schedule_operator(p, e, op);
    } else {
        return schedule_function(p, e, op);
    }
    return HA_OK;
}

/* Writes until all is written, or more than `most` bytes. */
static ha_status write_most(printer *p, ha_expr e, size_t most)
{
    HA_TRY(schedule(p, (const piece[]){ node_piece(e, 0) }, 1));
    while (p->stack.count > 0 && p->out.length <= most) {
        piece next = p->stack.items[--p->stack.count];
        if (next.text != NULL) {
            ha__strbuf_add(&p->out, next.text);
        } else {
            HA_TRY(write_node(p, next.node, next.level));
        }
        HA_TRY(p->out.status);
        if (p->out.length > LONG && p->spans == NULL) {
            HA_TRY_ALLOC(p->dag->ctx, p->spans, ha_dag_size(p->dag));
        }
    }
    return HA_OK;
}

static ha_status write_all(printer *p, ha_expr e)
{
    HA_TRY(write_most(p, e, LONGEST));
    return p->out.length <= LONGEST
               ? HA_OK
               : ha_fail(p->dag->ctx, HA_ERR_LIMIT, HA_NOWHERE,
                         "an expression is longer than %d MiB as text; make the model smaller or "
                         "leave its equations unwritten",
                         (int) (LONGEST / 1024 / 1024));
}

char *ha_expr_text(const ha_dag *dag, ha_expr e)
{
    HA_NEED_ELSE(ha__is_expr(dag, e), NULL);
    char *text = NULL;

    if (e == HA_EXPR_NONE) {
        return NULL;
    }
    printer p = { .dag = dag, .out = HA_STRBUF(dag->ctx) };
    if (write_all(&p, e) == HA_OK) {
        text = ha__strbuf_take(&p.out);
    }
    HA_ARRAY_CLEAR(&p.stack);
    ha__free(p.spans);
    ha__strbuf_clear(&p.out);
    return text;
}

char *ha_expr_text_cut(const ha_dag *dag, ha_expr e, size_t most)
{
    HA_NEED_ELSE(ha__is_expr(dag, e), NULL);
    char *text = NULL;

    if (e == HA_EXPR_NONE) {
        return NULL;
    }
    printer p = { .dag = dag, .out = HA_STRBUF(dag->ctx) };
    if (write_most(&p, e, most) == HA_OK) {
        if (p.out.length > most) {
            p.out.length = (size_t) ha__utf8_clip(ha__strbuf_text(&p.out), p.out.length, most);
            ha__strbuf_add(&p.out, "...");
        }
        text = ha__strbuf_take(&p.out);
    }
    HA_ARRAY_CLEAR(&p.stack);
    ha__free(p.spans);
    ha__strbuf_clear(&p.out);
    return text;
}
