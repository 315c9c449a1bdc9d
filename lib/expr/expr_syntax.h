/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How tightly operators bind: the one table of expr_parse.c and expr_print.c. Not installed. */
#ifndef LIB_EXPR_SYNTAX_H
#define LIB_EXPR_SYNTAX_H

#include "lib/expr.h"

/* Levels, the loosest first. */
enum {
    HA__LEVEL_COMPARISON = 1, /* not associative */
    HA__LEVEL_SUM,            /* to the left */
    HA__LEVEL_PRODUCT,        /* to the left */
    HA__LEVEL_SIGN,           /* unary minus */
    HA__LEVEL_POWER,          /* to the right */
    HA__LEVEL_PRIMARY         /* numbers, names, functions, parentheses */
};

/* The operators by op; 0 for what is written as a function, a number or a name. */
static const unsigned char ha__operator_levels[HA_OP_COUNT] = {
    [HA_OP_LT] = HA__LEVEL_COMPARISON, [HA_OP_LE] = HA__LEVEL_COMPARISON,
    [HA_OP_GT] = HA__LEVEL_COMPARISON, [HA_OP_GE] = HA__LEVEL_COMPARISON,
    [HA_OP_EQ] = HA__LEVEL_COMPARISON, [HA_OP_NE] = HA__LEVEL_COMPARISON,
    [HA_OP_ADD] = HA__LEVEL_SUM,       [HA_OP_SUB] = HA__LEVEL_SUM,
    [HA_OP_MUL] = HA__LEVEL_PRODUCT,   [HA_OP_DIV] = HA__LEVEL_PRODUCT,
    [HA_OP_NEG] = HA__LEVEL_SIGN,      [HA_OP_POW] = HA__LEVEL_POWER,
};

/* Bytes of the indices `[3]`, `[i+1][0]` that a text starts with; 0: none of them is closed. */
static inline size_t ha__indices_length(const char *text)
{
    size_t end = 0;
    int depth = 0;

    for (size_t i = 0; text[i] != '\0' && (depth > 0 || text[i] == '['); i++) {
        depth += text[i] == '[' ? 1 : text[i] == ']' ? -1 : 0;
        end = depth == 0 ? i + 1 : end;
    }
    return end;
}

#endif
