/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The polynomials of a table. Not installed. */
#ifndef LIB_EXPR_SPLINE_H
#define LIB_EXPR_SPLINE_H

#include "lib/expr_table.h"

enum { HA__TABLE_ORDERS = 4 }; /* derivatives of a cubic, itself included */

/* The coefficients of the polynomials of a table, into c (n + 1, HA__TABLE_ORDERS): the constant
   left of the first point, the pieces, the constant right of the last one. HA_ERR_MEMORY. */
HA_MUST_CHECK ha_status ha__table_pieces(ha_ctx *ctx, const ha_table_def *def, double *c);

#endif
