/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The contract of an element type: ports, range of its value, rule of causality, and the law that
 * turns strokes into equations. A new type is one file elem_x.c with a `const bg__type` and one row
 * in elements.def. A type that a user registers in a context (element_type.h) becomes the same
 * struct. Not installed.
 *
 * Causality is told in the variable ein of each port: 1 when effort arrives at the element (the
 * stroke is at its end) and it answers with the flow, 0 when it gives the effort.
 */
#ifndef BONDGRAPH_ELEMENT_H
#define BONDGRAPH_ELEMENT_H

#include "bondgraph/element_type.h"
#include "bondgraph/graph.h"

#include <stdbool.h>

/* When a type gets its strokes (Karnopp & Rosenberg's sequence, with sinks after the storages). */
typedef enum bg__stage {
    BG__STAGE_FIXED,    /* one sense only: sources and detectors */
    BG__STAGE_STORAGE,  /* integral causality preferred */
    BG__STAGE_SINK,     /* explicit preferred, where the whole graph can be completed so */
    BG__STAGE_RESISTOR, /* either sense */
    BG__STAGE_STRUCTURE /* junctions and converters: they only pass on */
} bg__stage;

typedef struct bg_emitter bg__emitter;

/* What the value of an element is, of its effort e and flow f. */
typedef enum bg__measure {
    BG__MEASURE_NONE,
    BG__MEASURE_EFFORT,
    BG__MEASURE_FLOW,
    BG__MEASURE_DISPLACEMENT,
    BG__MEASURE_MOMENTUM,
    BG__MEASURE_RESISTANCE,  /* e / f */
    BG__MEASURE_CAPACITANCE, /* q / e */
    BG__MEASURE_INERTIA,     /* p / f */
    BG__MEASURE_COUNT,
    BG__MEASURE_TRANSFORMER = BG__MEASURE_COUNT, /* e1 / e2, of two domains */
    BG__MEASURE_GYRATOR                          /* e1 / f2 */
} bg__measure;

/* An element type. */
typedef struct bg__type {
    const char *name;  /* as written */
    const char *title; /* in words: "flow source" */
    int min_ports;     /* bonds it needs */
    int max_ports;     /* bonds it can have; 0: any number */
    int gives_power;   /* bit k: the natural half arrow of port k points away from the element */
    bool reads_alpha;  /* its law reads the rate at which drift dies out: what comes of it would
                          hang on when that is raised in a run, so it is not */
    int takes_effort;  /* bit k > 0: effort arrives at port k, whatever the rule leaves open */
    int heats;         /* bit k: port k is thermal, its flow that of entropy */
    bg__stage stage;
    bg_rule rule;
    int base, slope;      /* of BG_RULE_COUNT */
    int preferred;        /* the ein tried first, stages STORAGE to RESISTOR */
    double default_value; /* of an element without value */
    double lowest;        /* of a constant value */
    int excludes_lowest;  /* the lowest value itself is out of range */
    int excludes_zero;    /* zero is out of range */
    int has_matrix;       /* takes a matrix as its value */
    bg__measure measure;  /* what its value is; of types that no unit is known of 0 */
    unsigned laws;        /* what of a law by expressions it takes: BG__LAW_..., 0: none */
    int wants_constant;   /* its law and its energy hold for a constant value only */
    unsigned signals;     /* bit s: the element has signal s (bg_signal) */
    bg_book book;
    int is_resistor;   /* its law ties effort to flow at one instant: a loop through it is one of
                          resistors, not of the junction structure alone */
    int is_registered; /* by a user, not a row of elements.def */

    /* The ein of port 0 that an element with this resolved value (and position) must have whatever
       else happens, -1: none. NULL: none. */
    int (*pin)(const ha_dag *dag, ha_expr value, ha_expr position);
    const char *pin_reason; /* why, for messages: "its modulus is 0 or varies, ..." */

    /* Defines the outputs of the element in terms of its inputs, adds states and rows. */
    ha_status (*emit)(bg__emitter *emitter);

    /* The stored energy; NULL: none. */
    ha_expr (*energy)(bg__emitter *emitter);
} bg__type;

/* The type of this name in a context, NULL when there is none. */
const bg__type *bg__type_find(const ha_ctx *ctx, const char *name, size_t length);

/* The type whose name is the longest that `text` starts with, NULL when there is none. */
const bg__type *bg__type_of_prefix(const ha_ctx *ctx, const char *text, size_t length);

/* Type number `i` of a context from 0, those of elements.def first; NULL behind the last. */
const bg__type *bg__type_at(const ha_ctx *ctx, size_t i);

/* Registered type number `i` from 0 in the order of registration, NULL behind the last. */
const bg__type *bg__type_registered(const ha_ctx *ctx, size_t i);

/* "a" or "an", whichever a type's title takes. */
const char *bg__article(const bg__type *type);

/* Writes the names of all types, separated by blanks, into `text` of `size` bytes, as many as fit;
   returns text. */
const char *bg__type_list(const ha_ctx *ctx, char *text, size_t size);

/* What to use instead of a type that is not known, "did you mean `GY`?" or the list of all, as text
   of `size` bytes; returns text. */
const char *bg__type_remedy(const ha_ctx *ctx, const char *name, char *text, size_t size);

enum { BG__TYPE_LIST_SIZE = 256, BG__MAX_TYPE_PORTS = 8, BG__MAX_FIELD_PORTS = 64 };

#define X(type) extern const bg__type type;
#include "bondgraph/elements.def"
#undef X

/* The quantity that a name stands for in the laws of an element with `n_ports` ports: e, f, p, q,
   numbered from 1 where there are several; BG_SIGNAL_COUNT when it is none. */
bg_signal bg__law_variable(const char *name, int n_ports, int *port);

/* The parts of a law as they are written. */
typedef enum bg__law_part {
    BG__PART_EFFORT,
    BG__PART_FLOW,
    BG__PART_ENERGY,
    BG__PART_INVERSE,
    BG__PART_COUNT
} bg__law_part;

/* The part of this name ("e", "f", "energy", "inverse"), BG__PART_COUNT when there is none. */
bg__law_part bg__law_part_of(const char *name, size_t length);

/* "e", "f", "energy", "inverse". */
const char *bg__law_part_name(bg__law_part part);

/* Where a law keeps a part. */
ha_expr *bg__law_part_place(bg_law *law, bg__law_part part);

/* Bits of bg__type.laws. */
enum {
    BG__LAW_EFFORT = 1,
    BG__LAW_FLOW = 2,
    BG__LAW_ENERGY = 4,
    BG__LAW_INVERSE = 8,
    BG__LAW_NEEDED = 16 /* it has no value that could do instead */
};

/* Bits of bg__type.signals. */
enum {
    BG__HAS_EF = 1 << BG_SIGNAL_E | 1 << BG_SIGNAL_F,
    BG__HAS_P = 1 << BG_SIGNAL_P,
    BG__HAS_Q = 1 << BG_SIGNAL_Q,
    BG__HAS_EF2 = 1 << BG_SIGNAL_E2 | 1 << BG_SIGNAL_F2
};

#endif
