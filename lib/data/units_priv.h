/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files units*.c share. Not installed. */
#ifndef LIB_UNITS_PRIV_H
#define LIB_UNITS_PRIV_H

#include "lib/status.h"

#include <stdbool.h>
#include <stddef.h>

#define HA__PI 3.14159265358979323846

/* The base units; the radian counts as one. */
typedef enum ha__base_unit {
    HA__BASE_KG,
    HA__BASE_M,
    HA__BASE_S,
    HA__BASE_A,
    HA__BASE_K,
    HA__BASE_MOL,
    HA__BASE_CD,
    HA__BASE_RAD,
    HA__N_BASES
} ha__base_unit;

/* A unit: times / over * 10^ten times the product of base units to these powers. */
typedef struct ha__unit {
    double times, over;
    int ten;
    int powers[HA__N_BASES];
    bool is_energy; /* written with a unit of energy or power (J, Wh), not as N.m */
} ha__unit;

/* The unit one, with no dimension. */
#define HA__UNIT_ONE ((ha__unit){ 1.0, 1.0, 0, { 0 }, false })

/* What became of reading a unit. */
typedef enum ha__unit_fault {
    HA__UNIT_FINE,
    HA__UNIT_UNKNOWN,    /* no unit of this name */
    HA__UNIT_OFFSET,     /* has an offset, a time origin or is logarithmic */
    HA__UNIT_NO_DATA,    /* not in our table, and the udunits2 database cannot be read */
    HA__UNIT_POWER,      /* the power is not whole, is zero or too large */
    HA__UNIT_JOIN,       /* two units with a blank between them */
    HA__UNIT_UNEXPECTED, /* something that is no unit, or no unit where one must stand */
    HA__UNIT_NESTING     /* too many parentheses */
} ha__unit_fault;

/* A unit as text and what was found in it. */
typedef struct ha__unit_text {
    const char *text;
    size_t length;
    bool own_only; /* look up lib/data/unit_names.def only */
    size_t at;     /* where reading stands; after a fault where the offending part begins */
    size_t part;   /* bytes of the offending part */
} ha__unit_text;

/* Reads a whole unit, all of text; `*out` is set when it is fine. */
ha__unit_fault ha__unit_read(ha__unit_text *text, ha__unit *out);

/* The unit of a name (`length` bytes, at most HA__UNIT_NAME) without power. */
ha__unit_fault ha__unit_find(const char *name, size_t length, bool own_only, ha__unit *out);

/* The known name nearest to a misspelt one, written into `buffer`; false when none is near. */
bool ha__unit_nearest(const char *name, size_t length, char *buffer, size_t size);

/* A name that is two units without a sign between them, `kgm`, written into `buffer` as `kg.m`;
   false when it is none. */
bool ha__unit_split(const char *name, size_t length, char *buffer, size_t size);

enum { HA__UNIT_NAME = 64 };

/* The unit that udunits2 knows by exactly this name or symbol, prefixes not stripped. */
ha__unit_fault ha__udunits_find(const char *name, ha__unit *out);

/* True when a character (first byte at `text`, `length` bytes left) belongs to unit names; `*n` is
   its number of bytes. */
bool ha__unit_is_letter(const char *text, size_t length, size_t *n);

#endif
