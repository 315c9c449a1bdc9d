/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quantities: numbers with a unit, as model files hold them ("28 mm", "1500 rev/min"). Not
 * installed.
 *
 *   quantity = [sign] number [[blanks] unit]
 *   unit     = factor { ("." | "*" | "/") factor }            from left to right: N/m.s = (N/m).s
 *   factor   = (name | "(" unit ")") [power] | "1"
 *   power    = ["^" | "**"] [sign] digits                     whole and not 0; m2, m^2, s-1, mm²
 *   name     = [prefix] unit name                             letters, "_", "%", "°"
 *
 * A quantity without unit is in SI units. A number, a blank and a word is always a quantity, also
 * where an expression could stand; without the blank ("0.3kg") it is one when the rest is a unit of
 * lib/data/unit_names.def. Decimal prefixes and powers of ten move the exponent of the number as
 * text, so that 72 mm is exactly the double nearest to 0.072; any other unit costs one
 * multiplication.
 */
#ifndef LIB_UNITS_H
#define LIB_UNITS_H

#include "lib/context.h"

#include <stdbool.h>

/* What a quantity can be expected to be: the rows of lib/data/quantities.def. */
typedef enum ha__quantity {
#define X(name, words, si, example, other, kg, m, s, A, K, mol, cd, rad) HA__QUANTITY_##name,
#include "lib/data/quantities.def"
#undef X
    HA__QUANTITY_ANY /* any dimension, also none */
} ha__quantity;

/* How messages call a quantity: "a mass"; static storage. */
const char *ha__quantity_words(ha__quantity quantity);

/* The SI unit of a quantity: "kg", "" for numbers and for HA__QUANTITY_ANY; static storage. */
const char *ha__quantity_unit(ha__quantity quantity);

/* True when a text is a quantity rather than an expression. Looks at the form alone: the unit may
   still turn out to be unknown. */
bool ha__quantity_is_number_with_unit(const char *text);

/* The unit of a text that is a quantity with one, `*length` bytes in it; NULL: it has none. */
const char *ha__quantity_unit_in(const char *text, size_t *length);

/* Reads a quantity and converts it to SI. `object` names it in errors ("`mass` of body `K1`"),
   `where` is the location of the first byte. HA_ERR_SYNTAX when there is no decimal number,
   HA_ERR_VALUE when it is not finite, HA_ERR_UNIT when the unit is unknown or of another dimension.
   Any thread may call this with its own context. */
HA_MUST_CHECK ha_status ha__quantity_read(ha_ctx *ctx, const char *text, ha__quantity expected,
                                          ha_where where, const char *object, double *out);

/* HA_ERR_UNIT when both texts are quantities with a unit and these have different dimensions; HA_OK
   for all other texts, faulty ones too. */
HA_MUST_CHECK ha_status ha__quantity_check_like(ha_ctx *ctx, const char *text, const char *like,
                                                ha_where where, const char *object);

#endif
