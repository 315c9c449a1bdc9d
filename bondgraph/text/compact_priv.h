/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the scanner of the compact notation hands to its builder. Not installed. */
#ifndef BONDGRAPH_COMPACT_PRIV_H
#define BONDGRAPH_COMPACT_PRIV_H

#include "bondgraph/graph.h"
#include "bondgraph/graph/element.h"
#include "lib/core/mem.h"
#include "lib/core/symtab.h"

#include <stdbool.h>

/* A piece of the text. */
typedef struct bg__piece {
    size_t at;      /* first byte */
    size_t length;  /* bytes, blanks at both ends excluded */
    ha_where where; /* location of the first byte */
} bg__piece;

/* Consecutive pieces: the components of one value. */
typedef struct bg__pieces {
    size_t first; /* index into bg__compact.pieces */
    int count;    /* 0: none given */
} bg__pieces;

/* An element as the text tells it. */
typedef struct bg__compact_node {
    const bg__type *type; /* NULL: the name begins with no type, reported */
    ha_where where;       /* where its name stands first */
    ha_where braces;      /* where its value stands */
    bool is_given;        /* it has had its braces */
    int n_bonds;          /* bonds seen so far */
    int dim, dim2;        /* components at port 1 and port 2, 0: not bonded (yet) */
    long long total;      /* components of all bonds together */
    bool is_field;        /* they are the ports of one multiport; settled when the graph is built */
    bg__pieces value;     /* its value */
    bg__pieces law[BG__PART_COUNT]; /* its law by expressions */
    bg__pieces start;               /* its start value */
    char start_letter;              /* 'p' or 'q', 0: none given */
    int last_start;     /* the start of one of its ports that was given last, -1: none */
    bg_element element; /* its number in the graph, -1 until it is there */
} bg__compact_node;

/* A bond of the text. */
typedef struct bg__compact_bond {
    int tail, head; /* nodes */
    int dim;        /* number of components */
    ha_where where; /* its location */
} bg__compact_bond;

/* The start of one port of a field, `q2 = value`. */
typedef struct bg__compact_start {
    char letter; /* 'p' or 'q' */
    int port;    /* from 1 */
    int before;  /* the one of the same element that was given before it, -1: none */
    bg__piece value;
} bg__compact_start;

/* A parameter of the text. */
typedef struct bg__compact_parameter {
    bg__piece name;  /* what it is called */
    bg__piece value; /* a constant */
} bg__compact_parameter;

/* A text, scanned. Node number k has the name number k. */
typedef struct bg__compact {
    ha_ctx *ctx;
    const char *text; /* borrowed */
    size_t length;
    ha_status status; /* the first error found; scanning goes on after it */
    ha__symtab names;
    HA_ARRAY(bg__compact_node) nodes;
    HA_ARRAY(bg__compact_bond) bonds;
    HA_ARRAY(bg__compact_start) starts;
    HA_ARRAY(bg__compact_parameter) parameters;
    HA_ARRAY(bg__piece) pieces;
} bg__compact;

/* Scans `text`, which stays borrowed. Errors of the text are reported and kept in out->status; what
   is returned is HA_OK, HA_ERR_MEMORY or HA_ERR_LIMIT. To be freed with bg__compact_clear(). */
HA_MUST_CHECK ha_status bg__compact_scan(ha_ctx *ctx, const char *text, size_t length,
                                         ha_where where, bg__compact *out);

/* Replaces a value by the setting PATH=VALUE that stands in the text from `from` to `end`. */
HA_MUST_CHECK ha_status bg__compact_set(bg__compact *compact, size_t from, size_t end,
                                        ha_where where);

/* Frees what scanning has made. */
void bg__compact_clear(bg__compact *compact);

/* True when elements of a type have a value. */
bool bg__takes_value(const bg__type *type);

/* The letter of the integral that elements of a type start with, '\0': they have none. */
char bg__start_letter(const bg__type *type);

/* Keeps the first error. */
void bg__compact_note(bg__compact *compact, ha_status status);

#endif
