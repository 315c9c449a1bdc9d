/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors of the plane, in inertial axes, made of expressions. Not installed. */
#ifndef MECH2D_VECTOR_H
#define MECH2D_VECTOR_H

#include "lib/expr.h"

/* A vector. */
typedef struct m2d__vector {
    ha_expr x, y;
} m2d__vector;

/* a . b */
static inline ha_expr m2d__dot(ha_dag *dag, m2d__vector a, m2d__vector b)
{
    return ha_add(dag, ha_mul(dag, a.x, b.x), ha_mul(dag, a.y, b.y));
}

/* The vector from point a to point b. */
static inline m2d__vector m2d__from_to(ha_dag *dag, m2d__vector a, m2d__vector b)
{
    return (m2d__vector){ ha_sub(dag, b.x, a.x), ha_sub(dag, b.y, a.y) };
}

/* The length of a vector. */
static inline ha_expr m2d__length(ha_dag *dag, m2d__vector a)
{
    return ha_apply(dag, HA_OP_SQRT, m2d__dot(dag, a, a), HA_EXPR_NONE, HA_EXPR_NONE);
}

#endif
