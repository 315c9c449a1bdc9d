/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The forces of a wheel and the circle that friction keeps them in, as tables of a plot. */
#ifndef TOOLS_FRICTION_CIRCLE_H
#define TOOLS_FRICTION_CIRCLE_H

#include "lib/result.h"

/* The least and the largest radius of the circle. */
typedef enum friction_bound { FRICTION_LEAST, FRICTION_MOST, FRICTION_BOUND_COUNT } friction_bound;

/* The lateral force of a wheel over its longitudinal one, in a table of two columns to be freed by
   the caller; HA_ERR_NAME where the result has no such wheel. */
HA_MUST_CHECK ha_status friction_forces(ha_ctx *ctx, const ha_result *from, const char *wheel,
                                        ha_result **out);

/* The circle, likewise, whose radius is the least or the largest limit of the wheel in the result;
   NULL where the wheel has none, and where the least is as large as the largest. */
HA_MUST_CHECK ha_status friction_circle(ha_ctx *ctx, const ha_result *from, const char *wheel,
                                        friction_bound bound, ha_result **out);

#endif
