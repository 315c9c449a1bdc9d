/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Roots that have a value a little beyond the event at which they end. Not installed.
 *
 * A solver looks beyond an event with the sides held, and if(x > a, (x - a)^1.5, 0) has no value
 * there. Where a side is known so is the sign of its g: g = |g| where s = 1, g = -|g| where s = 0.
 * With that put in for g inside of roots they are the same on the side, and have a value beyond.
 */
#ifndef LIB_EXPR_BEYOND_H
#define LIB_EXPR_BEYOND_H

#include "lib/expr/expr_switch.h"

/* True for an operation that has no value below 0: a root, a power that is no whole number. */
bool ha__is_root(const ha_dag *dag, ha_expr node);

/* The root, or another operation, `op` of `x` (power `y`), whose sides are held: of an `if` on a
   side that of each branch, and of some in these. */
HA_MUST_CHECK ha_status ha__root_beyond(const ha__switches *switches, ha_dag *dag, ha_op op,
                                        ha_expr x, ha_expr y, ha_expr *out);

/* The branch of an `if` where its condition is as `is_met` says, with roots that go on beyond it;
   both with their sides held. */
HA_MUST_CHECK ha_status ha__branch_beyond(const ha__switches *switches, ha_dag *dag,
                                          ha_expr condition, bool is_met, ha_expr *branch);

#endif
