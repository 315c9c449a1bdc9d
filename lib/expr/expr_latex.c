/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expressions in LaTeX. Quotients are fractions, powers superscripts, choices cases; everything
 * else is infix, with parentheses where a part binds less tightly than its context asks for
 * (expr_syntax.h).
 *
 * The walk keeps its own stack, as expressions can be deeper than the C stack. A sum that is not
 * inside of parentheses, fractions and the like is broken where its line gets long.
 */
#include <config.h>

#include "lib/expr/expr_latex.h"

#include "lib/core/number.h"
#include "lib/core/utf8.h"
#include "lib/expr/expr_priv.h"
#include "lib/expr/expr_syntax.h"

#include <math.h>
#include <string.h>

enum { LONGEST = 16 * 1024 * 1024, LINE = 150 };

/* Something to write: a text, or a node in a context that asks for a level. */
typedef struct {
    const char *text; /* NULL: a node */
    ha_expr node;
    int level;
    bool is_inside; /* of something that cannot be broken */
} piece;

typedef struct {
    const ha_dag *dag;
    HA_ARRAY(piece) stack; /* what is still to be written, the next one last */
    ha__strbuf out;
    size_t line; /* where the line begins */
} printer;

/* --- names ------------------------------------------------------------------------------------ */

static const char *greek(unsigned code)
{
    static const char *const small[] = {
        "alpha",     "beta", "gamma", "delta",    "epsilon", "zeta", "eta",
        "theta",     "iota", "kappa", "lambda",   "mu",      "nu",   "xi",
        "mathit{o}", "pi",   "rho",   "varsigma", "sigma",   "tau",  "upsilon",
        "varphi",    "chi",  "psi",   "omega",
    };
    static const char *const capital[] = {
        "mathrm{A}", "mathrm{B}", "Gamma",     "Delta",  "mathrm{E}", "mathrm{Z}", "mathrm{H}",
        "Theta",     "mathrm{I}", "mathrm{K}", "Lambda", "mathrm{M}", "mathrm{N}", "Xi",
        "mathrm{O}", "Pi",        "mathrm{P}", NULL,     "Sigma",     "mathrm{T}", "Upsilon",
        "Phi",       "mathrm{X}", "Psi",       "Omega",
    };

    if (code >= 0x3b1 && code < 0x3b1 + HA_COUNT(small)) {
        return small[code - 0x3b1];
    }
    return code >= 0x391 && code < 0x391 + HA_COUNT(capital) ? capital[code - 0x391] : NULL;
}

static void add_ascii(ha__strbuf *out, char c)
{
    if (strchr("#$%&_{}", c) != NULL) {
        ha__strbuf_addf(out, "\\%c", c);
    } else if (c == '\\' || c == '~' || c == '^') {
        ha__strbuf_add(out, c == '\\'  ? "\\textbackslash{}"
                            : c == '~' ? "\\textasciitilde{}"
                                       : "\\textasciicircum{}");
    } else {
        ha__strbuf_add_bytes(out, c < 0x20 || c == 0x7f ? " " : &c, 1);
    }
}

/* Latin letters with accents, without those that the encoding OT1 of pdflatex lacks. */
static bool is_latin(unsigned code)
{
    static const unsigned missing[] = { 0xd0,  0xde,  0xf0,  0xfe,  0x104, 0x105, 0x110, 0x111,
                                        0x118, 0x119, 0x126, 0x127, 0x12e, 0x12f, 0x138, 0x13f,
                                        0x140, 0x149, 0x14a, 0x14b, 0x166, 0x167, 0x172, 0x173 };

    for (size_t i = 0; i < HA_COUNT(missing); i++) {
        if (code == missing[i]) {
            return false;
        }
    }
    return code >= 0xc0 && code <= 0x17e;
}

bool ha__latex_has(unsigned code)
{
    return code < 0x80 || is_latin(code) || greek(code) != NULL;
}

void ha__latex_text(ha__strbuf *out, const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        unsigned code = 0;
        size_t n = ha__utf8_read(text + at, length - at, &code);
        if (n <= 1) {
            add_ascii(out, n == 0 ? '?' : text[at]);
        } else if (greek(code) != NULL) {
            ha__strbuf_addf(out, "\\ensuremath{\\%s}", greek(code));
        } else if (is_latin(code)) {
            ha__strbuf_add_bytes(out, text + at, n);
        } else {
            ha__strbuf_addf(out, "\\texttt{U+%04X}", code);
        }
        at += n > 0 ? n : 1;
    }
}

/* The quantity that a suffix tells: its letter, and in `*index` what stands behind. */
static char quantity_of(const char *suffix, const char **index)
{
    if (strcmp(suffix, "f_in") == 0) { /* what flows in where the bond counts it out */
        *index = "\\mathrm{in}";
        return 'f';
    }

    size_t digits = strspn(suffix + 1, "0123456789");
    *index = suffix + 1;
    return suffix[0] != '\0' && strchr("efpq", suffix[0]) != NULL && suffix[1 + digits] == '\0' &&
                   digits <= 1
               ? suffix[0]
               : '\0';
}

/* The quantity of an element, or of a bond that has a number only; false when the name is none. */
static bool add_quantity(ha__strbuf *out, const char *name, size_t length, bool is_rate)
{
    char text[256];
    const char *dot = NULL, *index = NULL;

    if (length >= sizeof text) {
        return false;
    }
    memcpy(text, name, length);
    text[length] = '\0';
    dot = strrchr(text, '.');
    const char *letter = dot == NULL ? "" : dot + 1;
    bool is_bond = strncmp(text, "bond.", 5) == 0 && dot == text + 4 && letter[0] != '\0' &&
                   letter[1] == '_' && strspn(letter + 2, "0123456789") == strlen(letter + 2);
    if (!is_bond && (dot == NULL || quantity_of(letter, &index) == '\0')) {
        return false;
    }
    ha__strbuf_addf(out, is_rate ? "\\dot{%c}_{" : "%c_{", letter[0]);
    if (is_bond) {
        ha__strbuf_add(out, letter + 2);
    } else {
        ha__strbuf_addf(out, "%s%s\\text{", index, index[0] == '\0' ? "" : ",");
        ha__latex_text(out, text, (size_t) (dot - text));
        ha__strbuf_add(out, "}");
    }
    ha__strbuf_add(out, "}");
    return true;
}

void ha__latex_name(ha__strbuf *out, const char *name)
{
    size_t length = strlen(name);
    bool is_rate = length > 5 && strncmp(name, "der(", 4) == 0 && name[length - 1] == ')';
    bool is_letter =
        length == 1 && ((name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z'));

    if (name[0] == HA__LATEX_RAW || is_letter) {
        ha__strbuf_add(out, is_letter ? name : name + 1);
    } else if (!add_quantity(out, is_rate ? name + 4 : name, is_rate ? length - 5 : length,
                             is_rate)) {
        ha__strbuf_add(out, "\\text{");
        ha__latex_text(out, name, length);
        ha__strbuf_add(out, "}");
    }
}

/* --- the walk --------------------------------------------------------------------------------- */

static piece text_piece(const char *text)
{
    return (piece){ .text = text, .is_inside = true };
}

static piece node_piece(ha_expr node, int level)
{
    return (piece){ .node = node, .level = level, .is_inside = true };
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

static void add_number(ha__strbuf *out, double x)
{
    char digits[HA__NUMBER_SIZE];
    const char *e = strchr(ha__print_short_number(digits, x), 'e');

    if (!isfinite(x)) {
        ha__strbuf_add(out, isnan(x) ? "\\text{nan}" : x > 0.0 ? "\\infty" : "-\\infty");
        return;
    }
    ha__strbuf_add_bytes(out, digits, e == NULL ? strlen(digits) : (size_t) (e - digits));
    if (e != NULL) {
        const char *exponent = e + 1 + (e[1] == '+');
        bool is_negative = exponent[0] == '-';
        exponent += is_negative;
        exponent += strspn(exponent, "0");
        ha__strbuf_addf(out, " \\cdot 10^{%s%s}", is_negative ? "-" : "", exponent);
    }
}

/* How tightly the text of a node binds. */
static int level_of(const ha_dag *dag, ha_expr e)
{
    char digits[HA__NUMBER_SIZE];
    ha_op op = ha_expr_op(dag, e);
    double x = 0.0;

    if (ha_expr_is_constant(dag, e, &x)) {
        return signbit(x)                                               ? HA__LEVEL_SUM
               : strchr(ha__print_short_number(digits, x), 'e') != NULL ? HA__LEVEL_PRODUCT
                                                                        : HA__LEVEL_PRIMARY;
    }
    if (op == HA_OP_SYMBOL) {
        return ha_symbol_name(dag, e)[0] == HA__LATEX_RAW ? HA__LEVEL_POWER : HA__LEVEL_PRIMARY;
    }
    if (op == HA_OP_DIV || ha__operator_levels[op] == 0) {
        return HA__LEVEL_POWER; /* may not be raised to a power as it is */
    }
    return op == HA_OP_NEG ? HA__LEVEL_SUM : ha__operator_levels[op];
}

/* True when the text of a factor begins with a digit, which may not follow a thin space. */
static bool begins_with_digit(const ha_dag *dag, ha_expr e)
{
    while (ha_expr_op(dag, e) == HA_OP_POW || ha_expr_op(dag, e) == HA_OP_MUL) {
        e = ha_expr_operand(dag, e, 0);
    }
    return ha_expr_op(dag, e) == HA_OP_CONSTANT;
}

static const char *operator_text(const ha_dag *dag, ha_op op, ha_expr right)
{
    switch ((int) op) {
    case HA_OP_MUL:
        return begins_with_digit(dag, right) ? " \\cdot " : " \\, ";
    case HA_OP_ADD:
        return " + ";
    case HA_OP_SUB:
        return " - ";
    case HA_OP_LE:
        return " \\le ";
    case HA_OP_GE:
        return " \\ge ";
    case HA_OP_EQ:
        return " = ";
    case HA_OP_NE:
        return " \\ne ";
    default:
        return op == HA_OP_LT ? " < " : " > ";
    }
}

static ha_status schedule_infix(printer *p, const piece *at, ha_op op)
{
    ha_expr a = ha_expr_operand(p->dag, at->node, 0), b = ha_expr_operand(p->dag, at->node, 1);
    int level = ha__operator_levels[op];
    bool is_sum = level == HA__LEVEL_SUM;
    int left = level == HA__LEVEL_COMPARISON ? level + 1 : level;
    piece pieces[] = { node_piece(a, left), text_piece(operator_text(p->dag, op, b)),
                       node_piece(b, op == HA_OP_MUL ? level : level + 1) };

    for (size_t i = 0; i < HA_COUNT(pieces); i++) {
        pieces[i].is_inside = at->is_inside || !is_sum;
    }
    return schedule(p, pieces, HA_COUNT(pieces));
}

/* Functions that LaTeX has a command for. */
static const char *command_of(ha_op op)
{
    static const char *const commands[HA_OP_COUNT] = {
        [HA_OP_SIN] = "\\sin",     [HA_OP_COS] = "\\cos",     [HA_OP_TAN] = "\\tan",
        [HA_OP_ASIN] = "\\arcsin", [HA_OP_ACOS] = "\\arccos", [HA_OP_ATAN] = "\\arctan",
        [HA_OP_SINH] = "\\sinh",   [HA_OP_COSH] = "\\cosh",   [HA_OP_TANH] = "\\tanh",
        [HA_OP_EXP] = "\\exp",     [HA_OP_LOG] = "\\ln",      [HA_OP_MIN] = "\\min",
        [HA_OP_MAX] = "\\max",
    };

    return commands[op];
}

static ha_status schedule_function(printer *p, ha_expr e, ha_op op)
{
    piece pieces[9];
    size_t n = 0;

    if (command_of(op) != NULL) {
        pieces[n++] = text_piece(command_of(op));
    } else {
        pieces[n++] = text_piece("\\operatorname{");
        pieces[n++] = text_piece(ha_op_text(op));
        pieces[n++] = text_piece("}");
    }
    pieces[n++] = text_piece("\\left(");
    for (int i = 0; i < ha_op_arity(op); i++) {
        if (i > 0) {
            pieces[n++] = text_piece(", ");
        }
        pieces[n++] = node_piece(ha_expr_operand(p->dag, e, i), 0);
    }
    pieces[n++] = text_piece("\\right)");
    return schedule(p, pieces, n);
}

/* What is set between brackets of its own. */
static ha_status schedule_enclosed(printer *p, ha_expr e, ha_op op)
{
    const piece a = node_piece(ha_expr_operand(p->dag, e, 0), 0);
    const piece b = node_piece(ha_expr_operand(p->dag, e, 1), 0);
    const piece c = node_piece(ha_expr_operand(p->dag, e, 2), 0);

    if (op == HA_OP_DIV) {
        return schedule(
            p, (const piece[]){ text_piece("\\frac{"), a, text_piece("}{"), b, text_piece("}") },
            5);
    }
    if (op == HA_OP_IF) {
        return schedule(p,
                        (const piece[]){ text_piece("\\begin{cases} "), b, text_piece(" & "), a,
                                         text_piece(" \\\\ "), c,
                                         text_piece(" & \\text{else} \\end{cases}") },
                        7);
    }
    if (op == HA_OP_POW) {
        const piece base = node_piece(a.node, HA__LEVEL_PRIMARY);
        return schedule(p, (const piece[]){ base, text_piece("^{"), b, text_piece("}") }, 4);
    }
    const char *const left = op == HA_OP_SQRT  ? "\\sqrt{"
                             : op == HA_OP_ABS ? "\\left|"
                                               : "\\left\\lfloor ";
    const char *const right = op == HA_OP_SQRT  ? "}"
                              : op == HA_OP_ABS ? "\\right|"
                                                : "\\right\\rfloor ";
    return schedule(p, (const piece[]){ text_piece(left), a, text_piece(right) }, 3);
}

/* T(x), its derivative T'(x), and the position of x among the points of T. */
static ha_status schedule_table(printer *p, ha_expr e, ha_op op)
{
    const char *primes = "", *name = ha__table_text(p->dag, e, &primes);
    ha_expr x = ha_expr_operand(p->dag, e, op == HA_OP_KNOT ? 0 : 1);

    ha__strbuf_add(&p->out, "\\operatorname{");
    ha__latex_text(&p->out, name, strlen(name));
    ha__strbuf_addf(&p->out, "}%s%s\\left(", op == HA_OP_KNOT ? "_{\\text{knot}}" : "", primes);
    return schedule(p, (const piece[]){ node_piece(x, 0), text_piece("\\right)") }, 2);
}

static ha_status write_node(printer *p, const piece *at)
{
    ha_op op = ha_expr_op(p->dag, at->node);
    double value = 0.0;

    if (level_of(p->dag, at->node) < at->level) {
        return schedule(p,
                        (const piece[]){ text_piece("\\left("), node_piece(at->node, 0),
                                         text_piece("\\right)") },
                        3);
    }
    if (ha_expr_is_constant(p->dag, at->node, &value)) {
        add_number(&p->out, value);
        return HA_OK;
    }
    if (op == HA_OP_SYMBOL) {
        ha__latex_name(&p->out, ha_symbol_name(p->dag, at->node));
        return HA_OK;
    }
    if (op == HA_OP_KNOT || op == HA_OP_PIECE) {
        return schedule_table(p, at->node, op);
    }
    if (op == HA_OP_NEG) {
        piece inside = node_piece(ha_expr_operand(p->dag, at->node, 0), HA__LEVEL_PRODUCT);
        return schedule(p, (const piece[]){ text_piece("-"), inside }, 2);
    }
    if (op == HA_OP_DIV || op == HA_OP_POW || op == HA_OP_IF || op == HA_OP_SQRT ||
        op == HA_OP_ABS || op == HA_OP_FLOOR) {
        return schedule_enclosed(p, at->node, op);
    }
    return ha__operator_levels[op] > 0 ? schedule_infix(p, at, op)
                                       : schedule_function(p, at->node, op);
}

static void write_text(printer *p, const piece *at)
{
    if (!at->is_inside && p->out.length - p->line > LINE) {
        ha__strbuf_add(&p->out, " \\\\ &\\quad{}");
        p->line = p->out.length;
    }
    ha__strbuf_add(&p->out, at->text);
}

static ha_status write_all(printer *p, ha_expr e)
{
    HA_TRY(schedule(p, (const piece[]){ { .node = e } }, 1));
    while (p->stack.count > 0) {
        piece next = p->stack.items[--p->stack.count];
        if (next.text != NULL) {
            write_text(p, &next);
        } else {
            HA_TRY(write_node(p, &next));
        }
        HA_TRY(p->out.status);
        if (p->out.length > LONGEST) {
            return ha_fail(
                p->dag->ctx, HA_ERR_LIMIT, HA_NOWHERE,
                "an expression is longer than %d MiB as LaTeX; make the model smaller or "
                "leave its equations unwritten",
                LONGEST / 1024 / 1024);
        }
    }
    return HA_OK;
}

char *ha__expr_latex(const ha_dag *dag, ha_expr e)
{
    char *text = NULL;

    if (e == HA_EXPR_NONE) {
        return NULL;
    }
    printer p = { .dag = dag, .out = HA_STRBUF(dag->ctx) };
    if (write_all(&p, e) == HA_OK) {
        text = ha__strbuf_take(&p.out);
    }
    HA_ARRAY_CLEAR(&p.stack);
    ha__strbuf_clear(&p.out);
    return text;
}
