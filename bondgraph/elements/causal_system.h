/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The system of equations that the strokes give, before anything is solved or inserted: each effort
 * and flow defined once in terms of others, unknowns, rows. Not installed.
 */
#ifndef BONDGRAPH_CAUSAL_SYSTEM_H
#define BONDGRAPH_CAUSAL_SYSTEM_H

#include "bondgraph/graph/graph_priv.h"

/* What an unknown is. */
typedef enum bg__unknown_kind {
    BG__STATE,      /* of a storage in integral causality */
    BG__INTEGRAL,   /* the integral of a flow or effort that somebody reads: a position */
    BG__MULTIPLIER, /* imposed by an implicit residual sink */
    BG__TEAR,       /* a signal that closes an algebraic loop */
    BG__CONTENT,    /* of a dependent storage whose derivative closes a loop */
    BG__RATE        /* the derivative of a tear, content or multiplier, where it is asked for */
} bg__unknown_kind;

/* Sets of what an expression may contain: bit k: an unknown of kind k. */
enum { BG__ANY_DERIVATIVE = 1 << 30 /* y' of an unknown of any kind */ };

/* The measures of an unknown as expressions; HA_EXPR_NONE: not given. */
typedef struct bg__measures {
#define MEASURE(field, value, sentence) ha_expr field; /* see lib/unknown.def */
#include "lib/unknown.def"
#undef MEASURE
} bg__measures;

/* The measures that an element was given, NULL: none. */
bg__measures bg__measures_of(const bg__element *element);

/* An unknown of the solver. */
typedef struct bg__unknown {
    const char *name; /* ELEMENT.suffix; in the scalar graph's arena */
    int element;
    bg__unknown_kind kind;
    ha_expr y, yp;
    ha_expr start;       /* HA_EXPR_NONE: 0 */
    int loop;            /* of a tear or content: number of the loop that it closes; -1 */
    bool is_rate_absent; /* its derivative would be in its row if the element's value were not 0 */
    int is_sampled;      /* of one that holds: at every change of the sign; 2: a random number */
    const ha_expr *hold; /* (2) of one that holds a value (bg_graph_set_hold()); else NULL */
    bg__measures measures;
} bg__unknown;

/* What a row is. */
typedef enum bg__row_kind {
    BG__ROW_STATE,      /* value = 0 as it stands */
    BG__ROW_CONSTRAINT, /* value is what a residual sink wants to be 0; stabilised when derived */
    BG__ROW_LOOP        /* a tear, or the content of a storage, less what it is */
} bg__row_kind;

/* An equation. */
typedef struct bg__row {
    const char *name; /* in the scalar graph's arena */
    int element;
    bg__row_kind kind;
    ha_expr value;
    ha_expr phi;       /* of a constraint: its position level; HA_EXPR_NONE: none */
    ha_expr when;      /* of a switch: where this is not 0, `instead` is 0 in place of value */
    ha_expr instead;   /* HA_EXPR_NONE both: no switch */
    ha_expr shown;     /* value, or both for a switch, as it is printed */
    bool is_assembled; /* of a constraint: it may repeat others, which is found out in numbers */
} bg__row;

/* A symbol that is defined, and by which element (-1: a rate that an output asks for). */
typedef struct bg__definition {
    ha_expr symbol;
    int element;
    ha_expr value; /* what it is defined as, or of what it is the rate */
    bool is_rate;  /* it is the total time derivative of value */
    bool is_tear;  /* it closes a loop: its symbol is an unknown, or one's derivative */
} bg__definition;

/* A signal that is kept as an unknown where rows would fill in (fill.c): its own symbol is what it
   is defined as. */
typedef struct bg__kept {
    ha_expr symbol, unknown;
} bg__kept;

/* The system of a scalar graph with strokes. */
typedef struct bg__system {
    ha_ctx *ctx;
    bg_graph *graph;     /* the scalar graph; owned */
    signed char *heads;  /* (bonds) 1: stroke at the head, 0: at the tail, -1: not assigned */
    int *port_start;     /* (elements + 1) into port_bonds */
    int *port_bonds;     /* bonds of each element in order of ports, of a junction of numbers */
    ha_expr *e, *f;      /* (bonds) symbols of effort and flow */
    ha_expr *value;      /* (elements) a constant value under the element's name, or the value */
    ha_expr *content;    /* (elements) the momentum or displacement, HA_EXPR_NONE: none */
    ha_expr *energy;     /* (elements) the energy found for a law without one, else HA_EXPR_NONE */
    ha_expr alpha, beta; /* symbols of the stabilisation */
    HA_ARRAY(bg__definition) definitions;
    HA_ARRAY(bg__unknown) unknowns;
    HA_ARRAY(bg__row) rows;
    HA_ARRAY(bg__kept) kept;
    int *contained; /* by node below n_nodes: as which bit of such a set it counts, 0: none */
    int n_nodes;
    int *need_start;     /* (definitions + 1) into needs, once sorted */
    HA_ARRAY(int) needs; /* the definitions that each definition reads */
    int *order;          /* (definitions) in causal order, once sorted; tears anywhere */
    int *loop_of;        /* (definitions) number of the loop it is in, -1: none; once sorted */
    int n_loops;
} bg__system;

/* Makes the system's frame around a scalar graph, which it takes over (also on failure). */
HA_MUST_CHECK ha_status bg__system_new(bg_graph *scalar, bg__system **out);

/* Frees it; NULL is legal. */
void bg__system_free(bg__system *system);

/* Marks the unknowns in `contained`. */
HA_MUST_CHECK ha_status bg__system_mark_unknowns(bg__system *system);

/* True when a resolved expression of `dag`, a copy of the graph's, contains one of a set. */
HA_MUST_CHECK ha_status bg__contains(const bg__system *system, ha_dag *dag, ha_expr value, int set,
                                     bool *out);

/* Number of bonds at an element, and the bond at its port `port`. */
int bg__n_ports(const bg__system *system, int element);
int bg__port_bond(const bg__system *system, int element, int port);

/* Adds a definition from outside an element's law; element -1: an output's. */
HA_MUST_CHECK ha_status bg__system_define(bg__system *system, ha_expr symbol, int element,
                                          ha_expr value, bool is_rate);

/* The ein of an element at a bond, -1 when it is not assigned. */
int bg__ein(const bg__system *system, int element, int bond);

#endif
