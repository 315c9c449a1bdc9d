/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Products that are as smooth as a solver needs them, though abs and sign are in them. Not
 * installed.
 *
 *   a abs(a), a abs(a)^p            have the slopes 2 abs(a), (1 + p) abs(a)^p on both sides of 0
 *   sign(a) abs(a)^p, p > 0         is continuous there, upright for p < 1
 *   abs(a) abs(a), sign(a) abs(a)   are a^2 and a
 *
 * So there is nothing to stop for at a = 0, and with the side held such a product would be another
 * one: s f^2 = e has two solutions f, or none, where f abs(f) = e has one. sqrt(x) is x^(1/2) here.
 */
#ifndef LIB_EXPR_ODD_H
#define LIB_EXPR_ODD_H

#include "lib/expr.h"

enum {
    HA__MOST_FACTORS = 8 /* of a product; what has more is not looked at */
};

/* A factor of a product. */
typedef struct ha__factor {
    ha_expr e;
    bool is_below; /* it is what is divided by */
    bool is_kept;  /* it stays as it is */
} ha__factor;

/* The factors of a product, in their order. */
typedef struct ha__factors {
    int n;
    ha__factor items[HA__MOST_FACTORS];
} ha__factors;

/* True for a node that is taken apart into factors. */
bool ha__is_product(const ha_dag *dag, ha_expr e);

/* Finds the factors of a product; false where none of them is to be kept. */
bool ha__find_odd(const ha_dag *dag, ha_expr product, ha__factors *factors);

/* What is inside abs or sign of a factor that is kept. */
ha_expr ha__odd_inside(const ha_dag *dag, ha_expr factor);

#endif
