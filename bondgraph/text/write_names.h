/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the writers of files share: names that the file can hold, and expressions in which elements
 * are called by these names. Not installed.
 *
 * A graph is written as it is where the format can say it, else as its scalar graph. Refused, with
 * the name of the element, is what no file says: constraints at position level and displacements
 * that are expressions of positions, as the joints and springs of mechanisms have them. Laws by
 * expressions and fields are written where the format has them and the graph is written as it is.
 */
#ifndef BONDGRAPH_WRITE_NAMES_H
#define BONDGRAPH_WRITE_NAMES_H

#include "bondgraph/graph/graph_priv.h"
#include "lib/core/strbuf.h"
#include "lib/data/dimension.h"

/* What a format can say. */
typedef struct bg__dialect {
    const char *title;    /* in messages: "the compact notation" */
    bool has_components;  /* elements may have several components */
    bool has_type_prefix; /* a name begins with the name of its type, the longest that fits */
    bool has_laws;        /* elements may have laws by expressions, and be fields */
    bool numbers_ports;   /* a bond says which port of a field it joins; else they are in order */
    bool has_free_names;  /* all but blanks and dots may be in a name, else letters, digits, _ */
    const char *reserved; /* words that are no names, each between blanks: " ground "; "": none */
} bg__dialect;

/* A graph being written. Element i and bond i of `graph` are written in this order. */
typedef struct bg__writing {
    ha_ctx *ctx;
    const bg__dialect *dialect;
    bg_graph *source;   /* the graph of the caller */
    bg_graph *graph;    /* the graph that is written: the caller's or `expanded` */
    bg_graph *expanded; /* its scalar graph; NULL: not needed */
    ha_dag *dag;        /* a copy of the graph's, in which signals are called as in the file */
    const char **names; /* (elements) as in the file */
    bool *is_kept;      /* (parameters of source) it stands in the file, else its value does */
    bool *is_sayable;   /* by node below n_nodes: a symbol that the file can name */
    int n_nodes;
    ha__symtab taken; /* names in the file */
    ha__arena arena;
} bg__writing;

/* Prepares the writing of a graph; to be ended with bg__writing_end(), also on failure. Elements
   that are called otherwise than in the graph are told by a warning. */
HA_MUST_CHECK ha_status bg__writing_begin(bg_graph *graph, const bg__dialect *dialect,
                                          bg__writing *out);

/* Frees it. */
void bg__writing_end(bg__writing *w);

/* Adds the text of a value of an element. HA_ERR_UNSUPPORTED when it depends on what the file
   cannot name. */
HA_MUST_CHECK ha_status bg__writing_add(bg__writing *w, int element, ha_expr value,
                                        ha__strbuf *text);

/* The same of value `i` of an element, a number in its unit. */
HA_MUST_CHECK ha_status bg__writing_add_value(bg__writing *w, int element, int i, ha__strbuf *text);

/* The same of start value `i`, which is given. */
HA_MUST_CHECK ha_status bg__writing_add_start(bg__writing *w, int element, int i, ha__strbuf *text);

/* Adds a number in a unit (NULL: none is given), else in that of its dimension, else without one.
 */
HA_MUST_CHECK ha_status bg__writing_add_number(bg__writing *w, double x, const bg_unit *given,
                                               ha__dimension is, ha__strbuf *text);

/* Adds what a parameter stands for: a number, or an expression of those before it. */
HA_MUST_CHECK ha_status bg__writing_add_parameter(bg__writing *w, size_t parameter,
                                                  ha__strbuf *text);

/* The letter of the start value of port `port` of a field: 'p' or 'q'. */
char bg__field_letter(bg__writing *w, const bg__element *e, int port);

/* The number that the value of an element is; HA_ERR_UNSUPPORTED when it varies. */
HA_MUST_CHECK ha_status bg__writing_number(bg__writing *w, int element, ha_expr value, double *out);

/* True when an element has a start value, for at least one component. */
bool bg__has_start(const bg__element *element);

#endif
