/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of BondGraphTools: the components that have a counterpart, and what a file is read into.
   Not installed. */
#ifndef BONDGRAPH_BGT_PRIV_H
#define BONDGRAPH_BGT_PRIV_H

#include "bondgraph/graph.h"
#include "lib/core/mem.h"
#include "lib/core/symtab.h"
#include "lib/data/yaml.h"

#include <stdbool.h>
#include <stddef.h>

/* A component of its library `base`. */
typedef struct bg__bgt_kind {
    const char *name;      /* as in base/NAME, and the name of our type */
    const char *parameter; /* what its value is called; NULL: it has none */
    double instead; /* value of a component without one, as the library has it; an input: 0 */
    bool is_input;  /* without a value it is an input of the model */
    bool is_port;   /* SS: the port of a sub-model */
    int n_ports;    /* 0: any number */
} bg__bgt_kind;

/* The kind of this name, NULL when there is none. */
const bg__bgt_kind *bg__bgt_kind_find(const char *name, size_t length);

/* A word of a text. */
typedef struct {
    const char *text;
    size_t length;
    ha_where where;
} bg__bgt_word;

/* A component that is no sub-model. */
typedef struct {
    const bg__bgt_kind *kind;
    const char *name; /* its path */
    ha_where where;
    double value;
    ha_expr input;  /* in place of the value, over the time; HA_EXPR_NONE: none */
    ha_expr start;  /* of a storage; HA_EXPR_NONE: not given */
    bool is_given;  /* the value, by the file or a setting */
    bool exposed;   /* SS: it is a port */
    int bonds[2];   /* SS: 2 * bond + end of the bond inside and outside + 1; two-ports: the bond
                       at each port + 1; 0: none */
    int first_port; /* two-ports: the one that was bonded first in the written graph; -1 */
    bg_element element; /* -1 until it is there */
} bg__bgt_leaf;

/* An end of a bond. */
typedef struct {
    int leaf;
    int port; /* of a two-port */
    int sign; /* at a 1-junction; 0: elsewhere */
} bg__bgt_end;

typedef struct {
    bg__bgt_end ends[2]; /* tail, head */
    ha_where where;
    bool is_done[2];
} bg__bgt_bond;

/* A model taken apart: what its netlist can name. */
typedef struct bg__bgt_instance {
    ha__symtab names;                         /* of its components */
    HA_ARRAY(int) leaves;                     /* by name: the component, -1: a sub-model */
    HA_ARRAY(struct bg__bgt_instance *) subs; /* by name: the sub-model, NULL: a component */
    ha__symtab labels;                        /* of its ports */
    HA_ARRAY(int) ports;                      /* by label: the component SS */
    struct bg__bgt_instance *next;            /* the one made before */
} bg__bgt_instance;

typedef struct {
    bg_graph *graph;
    ha_ctx *ctx;
    const char *name; /* of the file; it outlives the document, as locations in the graph must */
    ha_status status; /* the first error; reading goes on after it */
    ha__arena arena;
    const ha__yaml_node *models;
    bg__bgt_instance *instances;
    int n_parts, n_models; /* components and sub-models so far */
    ha__symtab paths;      /* of the leaves, in their order */
    HA_ARRAY(bg__bgt_leaf) leaves;
    HA_ARRAY(bg__bgt_bond) bonds;
} bg__bgt_reader;

/* Memory that ran out and limits end the work, every other error is kept and the work goes on. */
ha_status bg__bgt_go_on(bg__bgt_reader *r, ha_status status);

/* Reads the sections `starts` and `inputs`. */
HA_MUST_CHECK ha_status bg__bgt_read_values(bg__bgt_reader *r, const ha__yaml_node *root);

/* Makes the elements and bonds of what was read. */
HA_MUST_CHECK ha_status bg__bgt_build(bg__bgt_reader *r);

#endif
