/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expressions from infix text, by precedence climbing over the levels of expr_syntax.h.
 *
 *   expression = sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
 *   sum        = product { ("+" | "-") product }
 *   product    = signed { ("*" | "/") signed }
 *   signed     = ("-" | "+") signed | power
 *   power      = primary ["^" signed]              so -2^2 = -4, 2^-1 = 0.5, 2^3^2 = 2^9
 *   primary    = number | name | "pi" | function "(" expression { "," expression } ")" | call
 *              | "(" expression ")"
 *   name       = letters, digits, "_", with single dots between them
 *
 * Numbers and names that begin with a digit (junctions of bond graphs are called 1a or 0x): a run
 * of digits that is directly followed by a letter or "_", or by a dot and one of these, begins a
 * name, unless what follows is an exponent with digits. So 1a.f, 1e, 0x and 1.f are names; 1e3, 1.5
 * and 2.e5 are numbers; 1e3a and 1.5a are errors, since an operator is missing. `pi` is always the
 * number; a name directly before a parenthesis is always a function.
 */
#include <config.h>

#include "lib/expr.h"

#include "lib/core/hint.h"
#include "lib/core/need.h"
#include "lib/core/number.h"
#include "lib/core/symtab.h"
#include "lib/core/utf8.h"
#include "lib/expr/expr_priv.h"
#include "lib/expr/expr_syntax.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum {
    LONGEST = 64 * 1024, /* bytes of an expression */
    DEEPEST = 200,       /* parentheses, arguments, signs and powers inside each other */
    NAME_SIZE = 256,     /* bytes of a name with its zero */
    MOST_OPERANDS = 16   /* of a function of the user; those of ours have 3 */
};

typedef struct parser {
    ha_dag *dag;
    const ha_parse_def *def;
    const char *text;
    size_t length;
    size_t at; /* the next byte to read */
    int depth;
} parser;

/* --- errors ---------------------------------------------------------------------------------- */

/* The location of a byte of the text, which may have several lines. */
static ha_where location(const parser *p, size_t at)
{
    ha_where where = p->def->where;

    if (where.line == 0) {
        return where;
    }
    for (size_t i = 0; i < at; i++) {
        where.line += p->text[i] == '\n' ? 1 : 0;
        where.column = p->text[i] == '\n' ? 1 : where.column + 1;
    }
    return where;
}

static ha_status fail_at(const parser *p, size_t at, ha_status status, const char *format, ...)
    HA_PRINTF(4, 5);

static ha_status fail_at(const parser *p, size_t at, ha_status status, const char *format, ...)
{
    enum { SHOWN = 100 };
    char detail[2 * NAME_SIZE + 256];
    const char *object = p->def->object == NULL ? "expression" : p->def->object;
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    if (p->def->where.line > 0) {
        return ha_fail(p->dag->ctx, status, location(p, at), "%s: %s", object, detail);
    }
    return ha_fail(p->dag->ctx, status, p->def->where, "%s: %s (byte %zu of `%.*s`)", object,
                   detail, at + 1, ha__utf8_clip(p->text, p->length, SHOWN), p->text);
}

/* Signs that people type for those of the grammar; the longer before the shorter. */
static const struct {
    const char *typed, *advice;
} slips[] = {
    { "**", "write `^` for a power" },
    { "&&", "write a product of two comparisons for `and`" },
    { "||", "write max(a, b) of two comparisons for `or`" },
    { "=<", "write `<=`" },
    { "=>", "write `>=`" },
    { "<>", "write `!=`" },
    { "=", "write `==` to compare" },
    { "!", "write if(c, 0, 1) for `not`" },
    { "?", "write if(c, a, b)" },
    { ",", "write a decimal point, and commas only between arguments" },
    { "[", "write parentheses" },
    { "{", "write parentheses" },
    { "%", "write a factor 0.01 for percent, a - b*floor(a/b) for a remainder" },
    { "\u00b7", "write `*`" },
    { "\u22c5", "write `*`" },
    { "\u00d7", "write `*`" },
    { "\u00f7", "write `/`" },
    { "\u2212", "write `-`" },
    { "\u2013", "write `-`" },
    { "\u00b2", "write ^2" },
    { "\u00b3", "write ^3" },
    { "\u00b0", "write a factor pi/180" },
    { ".inf", "write a finite number" },
    { ".nan", "write a finite number" },
};

/* Bytes of the letter at byte `at`, 0 when there is none. */
static size_t letter_at(const parser *p, size_t at)
{
    unsigned code = 0;
    size_t n = ha__utf8_read(p->text + at, p->length - at, &code);

    if (n == 1) {
        return isalpha((unsigned char) p->text[at]) || p->text[at] == '_' ? 1 : 0;
    }
    return n > 0 && ha__utf8_is_letter(code) ? n : 0;
}

/* Bytes of the letter or digit at byte `at`, 0 when there is none. */
static size_t name_byte_at(const parser *p, size_t at)
{
    return isdigit((unsigned char) p->text[at]) ? 1 : letter_at(p, at);
}

/* Bytes of the name at a byte, 0 when there is none. */
static size_t name_length(const parser *p, size_t at)
{
    size_t end = at;

    for (size_t n = name_byte_at(p, end); n > 0; n = name_byte_at(p, end)) {
        end += n + ha__indices_length(p->text + end + n);
        if (p->text[end] == '.' && name_byte_at(p, end + 1) > 0) {
            end++;
        }
    }
    return end - at;
}

/* What stands at byte `at` is none of what was expected. */
static ha_status fail_expected(const parser *p, size_t at, const char *expected)
{
    unsigned code = 0;
    size_t n = ha__utf8_read(p->text + at, p->length - at, &code);

    if (at == p->length) {
        return fail_at(p, at, HA_ERR_SYNTAX, "the expression ends where %s is expected", expected);
    }
    for (size_t i = 0; i < HA_COUNT(slips); i++) {
        if (strncmp(p->text + at, slips[i].typed, strlen(slips[i].typed)) == 0) {
            return fail_at(p, at, HA_ERR_SYNTAX, "found `%s` where %s is expected; %s",
                           slips[i].typed, expected, slips[i].advice);
        }
    }
    const size_t name = name_length(p, at);
    if (name > 0 && at > 0 && strchr(" \t\r\n", p->text[at - 1]) != NULL) {
        return fail_at(p, at, HA_ERR_SYNTAX,
                       "found `%.*s` where %s is expected; a quantity with a unit stands alone: "
                       "inside of an expression put the name of a parameter that is the quantity",
                       ha__utf8_clip(p->text + at, name, NAME_SIZE - 1), p->text + at, expected);
    }
    if (n == 0 || code < ' ') {
        return fail_at(p, at, HA_ERR_SYNTAX, "found the byte 0x%02X where %s is expected",
                       (unsigned) (unsigned char) p->text[at], expected);
    }
    return fail_at(p, at, HA_ERR_SYNTAX, "found `%.*s` where %s is expected", (int) n, p->text + at,
                   expected);
}

/* --- tokens ---------------------------------------------------------------------------------- */

static void skip_blanks(parser *p)
{
    while (p->at < p->length && strchr(" \t\r\n", p->text[p->at]) != NULL) {
        p->at++;
    }
}

/* Bytes of the number here, 0 when there is none or when its digits begin a name. */
static size_t number_here(const parser *p)
{
    const char *text = p->text + p->at;
    size_t digits = strspn(text, "0123456789");
    size_t n = ha__number_length(text);
    bool is_run = n == digits || (n == digits + 1 && text[digits] == '.');

    return digits > 0 && is_run && letter_at(p, p->at + n) > 0 ? 0 : n;
}

/* The binary operator here, HA_OP_COUNT when there is none; the longest one wins. */
static ha_op operator_here(const parser *p)
{
    ha_op found = HA_OP_COUNT;
    size_t length = 0;

    for (int op = HA_OP_ADD; op < (int) HA_OP_COUNT; op++) {
        const char *text = ha_op_text((ha_op) op);
        size_t n = strlen(text);
        if (ha__operator_levels[op] > 0 && ha_op_arity((ha_op) op) == 2 && n > length &&
            strncmp(p->text + p->at, text, n) == 0) {
            found = (ha_op) op;
            length = n;
        }
    }
    for (size_t i = 0; i < HA_COUNT(slips); i++) {
        size_t n = strlen(slips[i].typed);
        if (n > length && strncmp(p->text + p->at, slips[i].typed, n) == 0) {
            return HA_OP_COUNT; /* a**b, a=<b, a<>b are no operators of ours */
        }
    }
    return found;
}

/* What stands before the parenthesis of arguments. */
typedef struct {
    const char *name; /* NULL: no function */
    int arity;
    ha_op op;         /* HA_OP_COUNT: a table, or a function of the user */
    int table, order; /* of the table's derivative */
    const ha_function *own;
} function;

/* The function or table of this name. */
static function function_of(const ha_dag *dag, const char *name)
{
    int table = ha_table_find(dag, name);

    for (int op = HA_OP_ADD; op < (int) HA_OP_COUNT; op++) {
        if (ha_op_arity((ha_op) op) > 0 && ha__operator_levels[op] == 0 &&
            strcmp(ha_op_text((ha_op) op), name) == 0) {
            return (function){
                ha_op_text((ha_op) op), ha_op_arity((ha_op) op), (ha_op) op, -1, 0, NULL
            };
        }
    }
    return (
        function){ table < 0 ? NULL : ha_table_name(dag, table), 1, HA_OP_COUNT, table, 0, NULL };
}

/* The same, or the function of the user. */
static ha_status find_function(const parser *p, const char *name, function *out)
{
    const ha_function *own = NULL;

    *out = function_of(p->dag, name);
    if (out->name != NULL || p->def->function == NULL) {
        return HA_OK;
    }
    HA_TRY(p->def->function(p->def->lookup_user, name, &own));
    if (own != NULL) {
        *out = (function){ own->name, (int) own->n, HA_OP_COUNT, -1, 0, own };
    }
    return HA_OK;
}

/* --- names ----------------------------------------------------------------------------------- */

/* Fills `names` with those of all functions; returns their number. */
static size_t list_functions(const char *names[HA_OP_COUNT])
{
    size_t n = 0;

    for (int op = HA_OP_ADD; op < (int) HA_OP_COUNT; op++) {
        if (ha_op_arity((ha_op) op) > 0 && ha__operator_levels[op] == 0) {
            names[n++] = ha_op_text((ha_op) op);
        }
    }
    return n;
}

static ha_status fail_function(const parser *p, size_t at, const char *name)
{
    const char *functions[HA_OP_COUNT];
    size_t n = list_functions(functions);
    const char *nearest = ha__function_meant(name);

    nearest = nearest == NULL ? ha__nearest(name, functions, n) : nearest;
    if (nearest == NULL && p->def->n_functions > 0) {
        nearest = ha__nearest(name, p->def->functions, p->def->n_functions);
    }
    for (int i = 0; i < ha_table_count(p->dag) && nearest == NULL; i++) {
        const char *table = ha_table_name(p->dag, i);
        nearest = ha__nearest(name, &table, 1);
    }
    if (nearest != NULL) {
        return fail_at(p, at, HA_ERR_NAME, "unknown function `%s`; did you mean `%s`?", name,
                       nearest);
    }
    return fail_at(p, at, HA_ERR_NAME,
                   "unknown function `%s`; write * between a name and a parenthesis for a product",
                   name);
}

static bool is_hexadecimal(const char *name)
{
    return name[0] == '0' && (name[1] == 'x' || name[1] == 'X') && name[2] != '\0' &&
           strspn(name + 2, "0123456789abcdefABCDEF") == strlen(name + 2);
}

static ha_status fail_name(const parser *p, size_t at, const char *name)
{
    static const char *const infinite[] = { "nan", "inf", "infinity" };
    static const char *const constants[] = { "pi" };
    const char *nearest =
        p->def->n_known == 0 ? NULL : ha__nearest(name, p->def->known, p->def->n_known);
    size_t digits = strspn(name, "0123456789");

    for (size_t i = 0; i < HA_COUNT(infinite); i++) {
        if (strcasecmp(name, infinite[i]) == 0) {
            return fail_at(p, at, HA_ERR_NAME, "`%s` is no finite number; write a finite one",
                           name);
        }
    }
    if (is_hexadecimal(name)) {
        return fail_at(p, at, HA_ERR_NAME,
                       "unknown name `%s`; numbers are written in decimal, not "
                       "in hexadecimal",
                       name);
    }
    bool is_function = function_of(p->dag, name).name != NULL;
    for (size_t i = 0; i < p->def->n_functions; i++) {
        is_function = is_function || strcmp(p->def->functions[i], name) == 0;
    }
    if (is_function) {
        return fail_at(p, at, HA_ERR_NAME,
                       "`%s` is a function; write its arguments in parentheses behind it", name);
    }
    if (nearest == NULL) {
        nearest = ha__nearest(name, constants, HA_COUNT(constants));
    }
    if (nearest != NULL) {
        return fail_at(p, at, HA_ERR_NAME, "unknown name `%s`; did you mean `%s`?", name, nearest);
    }
    if (digits > 0) {
        return fail_at(
            p, at, HA_ERR_NAME,
            "unknown name `%s`; write %.*s*%s for a product; for a quantity with a unit, which "
            "stands alone, put the name of a parameter that is it",
            name, (int) digits, name, name + digits);
    }
    return fail_at(p, at, HA_ERR_NAME,
                   "unknown name `%s`; define it before it is used, or correct its spelling", name);
}

/* What a name stands for. */
static ha_status find_name(parser *p, size_t at, const char *name, ha_expr *out)
{
    static const double pi = 3.14159265358979323846;

    if (strcmp(name, "pi") == 0) {
        *out = ha_constant(p->dag, pi);
        return p->dag->status;
    }
    *out = p->def->lookup == NULL ? HA_EXPR_NONE : p->def->lookup(p->def->lookup_user, name);
    HA_TRY(p->dag->status);
    return *out == HA_EXPR_NONE ? fail_name(p, at, name) : HA_OK;
}

/* --- grammar --------------------------------------------------------------------------------- */

static ha_status parse_level(parser *p, int level, ha_expr *out);

static ha_status parse_number(parser *p, size_t n, ha_expr *out)
{
    enum { SHOWN = 60 };
    const char *text = p->text + p->at;
    double value = 0.0;
    int width = (int) (n < SHOWN ? n : SHOWN);

    if (!ha__read_number(text, n, 0, &value)) {
        return fail_at(p, p->at, HA_ERR_VALUE,
                       "the number %.*s is too large or has too many digits; numbers reach up to "
                       "1.7e308 with at most 400 digits",
                       width, text);
    }
    if (value == 0.0 && strcspn(text, "123456789") < strcspn(text, "eE") &&
        strcspn(text, "123456789") < n) {
        return fail_at(p, p->at, HA_ERR_VALUE,
                       "the number %.*s is too small to be told from 0; write 0 or a larger number",
                       width, text);
    }
    p->at += n;
    if (letter_at(p, p->at) > 0) {
        return fail_at(p, p->at, HA_ERR_SYNTAX,
                       "an operator is missing between the number %.*s and `%.*s`; write * for a "
                       "product",
                       width, text, ha__utf8_clip(p->text + p->at, name_length(p, p->at), SHOWN),
                       p->text + p->at);
    }
    *out = ha_constant(p->dag, value);
    return p->dag->status;
}

/* The arguments of a function, from its opening parenthesis on. */
static ha_status parse_arguments(parser *p, size_t name_at, function f, ha_expr *out)
{
    ha_expr x[MOST_OPERANDS + 1] = { 0 };
    int n = 0;

    p->at++;
    skip_blanks(p);
    bool is_open = p->text[p->at] != ')';
    while (is_open) {
        HA_TRY(parse_level(p, HA__LEVEL_COMPARISON, &x[n < MOST_OPERANDS ? n : MOST_OPERANDS]));
        n++;
        skip_blanks(p);
        is_open = p->text[p->at] == ',';
        p->at += is_open ? 1 : 0;
    }
    if (p->text[p->at] != ')') {
        return fail_expected(p, p->at, "an operator, `,` or `)`");
    }
    p->at++;
    if (n != f.arity) {
        return fail_at(p, name_at, HA_ERR_SYNTAX, "`%s` takes %d argument%s, not %d", f.name,
                       f.arity, f.arity == 1 ? "" : "s", n);
    }
    *out = f.own != NULL         ? ha_expr_replace(p->dag, f.own->is, f.own->arguments, x, f.own->n)
           : f.op == HA_OP_COUNT ? ha__table_derivative(p->dag, f.table, f.order, x[0])
                                 : ha_apply(p->dag, f.op, x[0], x[1], x[2]);
    return p->dag->status;
}

/* Copies the name here, steps behind it and the blanks that follow. */
static ha_status take_name(parser *p, char name[NAME_SIZE])
{
    size_t n = name_length(p, p->at);

    if (n >= NAME_SIZE) {
        return fail_at(p, p->at, HA_ERR_LIMIT, "a name has more than %d bytes; shorten it",
                       (int) NAME_SIZE - 1);
    }
    memcpy(name, p->text + p->at, n);
    name[n] = '\0';
    p->at += n;
    skip_blanks(p);
    return HA_OK;
}

/* Steps behind the primes after the name of a table, T'(x), T''(x); their number. */
static int take_primes(parser *p, const char *name)
{
    size_t n = ha_table_find(p->dag, name) < 0 ? 0 : strspn(p->text + p->at, "'");

    p->at += n <= 2 && p->text[p->at + n] == '(' ? n : 0;
    return (int) n;
}

/* A name alone, or the function it names before a parenthesis; then `*f` is set. */
static ha_status parse_name(parser *p, function *f, ha_expr *out)
{
    char name[NAME_SIZE];
    size_t start = p->at, whole = 0;

    HA_TRY(take_name(p, name));
    int order = take_primes(p, name);
    if (p->text[p->at] != '(') {
        return find_name(p, start, name, out);
    }
    if (p->def->call != NULL) {
        whole = p->def->call(p->def->lookup_user, p->text + start, out);
        HA_TRY(p->dag->status);
    }
    if (whole > 0) {
        p->at = start + whole;
        return HA_OK;
    }
    HA_TRY(find_function(p, name, f));
    f->order = order;
    return f->name == NULL ? fail_function(p, start, name) : HA_OK;
}

static ha_status parse_primary(parser *p, ha_expr *out)
{
    static const char expected[] = "a number, a name, a function or `(`";
    size_t start = p->at, n = number_here(p);
    function f = { .name = NULL };

    if (n > 0) {
        return parse_number(p, n, out);
    }
    if (name_byte_at(p, p->at) > 0) {
        HA_TRY(parse_name(p, &f, out));
        return f.name == NULL ? HA_OK : parse_arguments(p, start, f, out);
    }
    if (p->text[p->at] != '(') {
        return fail_expected(p, p->at, expected);
    }
    p->at++;
    HA_TRY(parse_level(p, HA__LEVEL_COMPARISON, out));
    skip_blanks(p);
    if (p->text[p->at] != ')') {
        return fail_expected(p, p->at, "an operator or `)`");
    }
    p->at++;
    return HA_OK;
}

/* signed and power; every way into the depth leads through here. */
static ha_status parse_signed(parser *p, ha_expr *out)
{
    skip_blanks(p);
    if (p->depth == DEEPEST) {
        return fail_at(p, p->at, HA_ERR_LIMIT,
                       "more than %d levels are nested here; define parts of it as parameters",
                       (int) DEEPEST);
    }
    p->depth++;

    char sign = p->text[p->at];
    if (sign == '-' || sign == '+') {
        p->at++;
        HA_TRY(parse_signed(p, out));
        *out = sign == '-' ? ha_neg(p->dag, *out) : *out;
    } else {
        HA_TRY(parse_primary(p, out));
        skip_blanks(p);
        if (operator_here(p) == HA_OP_POW) {
            ha_expr exponent = HA_EXPR_NONE;
            p->at += strlen(ha_op_text(HA_OP_POW));
            HA_TRY(parse_signed(p, &exponent));
            *out = ha_apply(p->dag, HA_OP_POW, *out, exponent, HA_EXPR_NONE);
        }
    }
    p->depth--;
    return p->dag->status;
}

/* All operators of this level and of tighter ones. */
static ha_status parse_level(parser *p, int level, ha_expr *out)
{
    if (level >= HA__LEVEL_SIGN) {
        return parse_signed(p, out);
    }
    HA_TRY(parse_level(p, level + 1, out));
    for (int n = 0;; n++) {
        skip_blanks(p);
        ha_op op = operator_here(p);
        ha_expr right = HA_EXPR_NONE;
        if (op == HA_OP_COUNT || ha__operator_levels[op] != level) {
            return HA_OK;
        }
        if (level == HA__LEVEL_COMPARISON && n > 0) {
            return fail_at(p, p->at, HA_ERR_SYNTAX,
                           "comparisons do not chain; write (a < b)*(b < c)");
        }
        p->at += strlen(ha_op_text(op));
        HA_TRY(parse_level(p, level + 1, &right));
        *out = ha_apply(p->dag, op, *out, right, HA_EXPR_NONE);
        HA_TRY(p->dag->status);
    }
}

ha_status ha_expr_parse(ha_dag *dag, const char *text, const ha_parse_def *def, ha_expr *out)
{
    HA_NEED_OF(dag, text != NULL && def != NULL && out != NULL);
    parser p = { .dag = dag, .def = def, .text = text, .length = strlen(text) };
    ha_expr e = HA_EXPR_NONE;

    HA_TRY(dag->status);
    if (p.length > LONGEST) {
        p.length = 0;
        return fail_at(&p, 0, HA_ERR_LIMIT,
                       "the expression has more than %d bytes; define parts of it as parameters",
                       (int) LONGEST);
    }
    skip_blanks(&p);
    if (p.at == p.length) {
        return fail_at(&p, 0, HA_ERR_SYNTAX, "there is no expression; write a number or a formula");
    }
    HA_TRY(parse_level(&p, HA__LEVEL_COMPARISON, &e));
    skip_blanks(&p);
    if (p.at < p.length) {
        return fail_expected(&p, p.at, "an operator or the end");
    }
    *out = e;
    return HA_OK;
}
