/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dimensions of expressions, as far as they can be followed. Not installed. */
#ifndef LIB_EXPR_DIMENSION_H
#define LIB_EXPR_DIMENSION_H

#include "lib/data/dimension.h"
#include "lib/expr.h"

/* Says of which dimension a symbol is; that of what it stands for counts no more. */
HA_MUST_CHECK ha_status ha__symbol_set_dimension(ha_dag *dag, ha_expr symbol, ha__dimension is);

/* A quantity as it is written, "3 kg", of the value x in SI units: a symbol of that name and
   dimension, which stands for x; a constant where the text has no unit. Names of users have no such
   form. HA_EXPR_NONE without memory. */
ha_expr ha__quantity_symbol(ha_dag *dag, const char *text, double x);

/* Whether a symbol is such a quantity. */
bool ha__is_quantity(const ha_dag *dag, ha_expr symbol);

/* The dimension of an expression: of symbols that have one, their negatives, products, quotients,
   whole powers and sums. False where it cannot be told: plain numbers have any. */
bool ha__expr_dimension(const ha_dag *dag, ha_expr e, ha__dimension *out);

/* The same where small whole numbers and their inverses have none: for the unit that is shown, not
   for what is refused. */
bool ha__expr_dimension_likely(const ha_dag *dag, ha_expr e, ha__dimension *out);

#endif
