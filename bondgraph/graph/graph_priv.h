/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of a bond graph, for the files of this directory. Not installed. */
#ifndef BONDGRAPH_GRAPH_PRIV_H
#define BONDGRAPH_GRAPH_PRIV_H

#include "bondgraph/graph.h"
#include "bondgraph/graph/element.h"
#include "lib/core/mem.h"
#include "lib/core/symtab.h"

/* A law by expressions; the arrays live in the graph's arena. */
typedef struct bg__law {
    int n_ports;
    const ha_expr *variables[BG_SIGNAL_Q + 1]; /* by signal: (n_ports) its symbols in the
                                                  expressions, HA_EXPR_NONE: not used */
    ha_expr effort, flow, energy, inverse;     /* HA_EXPR_NONE: not given */
} bg__law;

/* What the scalar elements of one multiport share, or a one-port with a law has for itself. */
typedef struct bg__field {
    const char *name; /* of the multiport, or of the one-port */
    int n_ports;
    int first;             /* scalar element at port 1; the others follow */
    const bg__law *law;    /* NULL: the matrix */
    const ha_expr *matrix; /* (n_ports * n_ports) */
    ha_expr *content;      /* (n_ports) symbols of the displacements and momenta */
} bg__field;

/* What only some elements have: a large graph has hundreds of thousands of others. Arrays live in
   the graph's arena. */
typedef struct bg__extras {
    const char *const *labels; /* (dim, of a matrix dim2); NULL: 1, 2, ... */
    const char **components;   /* (dim) names of components; NULL when there is one */
    const bg_unit *units;      /* (n_units) that its values are shown in */
    int n_units;               /* 0, 1 or n_values */
    const bg__law *law;        /* NULL: the value */
    const bg__field *field;    /* of the scalar graph: the multiport it is a port of; NULL: none */
    int field_port;            /* which */
#define EXTRA(field, type, kind, sentence) type field; /* see bondgraph/extras.def */
#include "bondgraph/extras.def"
#undef EXTRA
} bg__extras;

/* An element. Arrays live in the graph's arena. */
typedef struct bg__element {
    const bg__type *type;
    const char *name;
    const char *group;
    ha_expr *value;    /* (n_values) */
    ha_expr *signals;  /* (dim or dim2, BG_SIGNAL_COUNT) or NULL; HA_EXPR_NONE: not asked */
    bg__extras *extra; /* NULL: none; read it by bg__extra(), write it by bg__own_extra() */
    ha_where where;
    int dim;
    int dim2;         /* of a matrix: components of port 2; else 0 */
    int n_values;     /* 0: the type's default for all components */
    int n_ports;      /* ports bonded (of junctions: bonds of any component) */
    bool is_field;    /* its components are the ports of one multiport */
    bool is_inside;   /* of an instance: bonded through that one's ports only */
    bool is_numbered; /* a bond names one of its ports, so that they are not in order */
} bg__element;

/* A bond. */
typedef struct bg__bond {
    int tail, head;             /* elements */
    int tail_port, head_port;   /* which port of the element, from 0 in order of appearance */
    int tail_first, head_first; /* first component joined */
    int dim;
} bg__bond;

/* A named output or parameter. */
typedef struct bg__output {
    const char *name;
    const char *unit;
    ha_expr value;
} bg__output;

/* A symbol that stands for the total time derivative of an expression. */
typedef struct bg__rate {
    ha_expr symbol;
    ha_expr argument;
} bg__rate;

/* An instance of a submodel. */
typedef struct bg__instance {
    const char *name;     /* with its prefixes */
    const char *submodel; /* the name of what it is an instance of */
    int first_port, n_ports;
    bool is_inside; /* of another instance */
    ha_where where;
} bg__instance;

/* A port of an instance. */
typedef struct bg__port {
    const char *name; /* "shaft" */
    int instance;
    int element;
    int port; /* of the element; -1: a junction */
    int n_bonds;
    bool is_passed_on; /* it is a port of the instance around it, too */
} bg__port;

/* That an end of a bond is at a port of an instance. */
typedef struct bg__attachment {
    int bond;
    int end;  /* 0: tail, 1: head */
    int port; /* of the graph's ports */
} bg__attachment;

/* The energies of the book. */
enum { BG__N_ENERGIES = 5 };
extern const char *const bg__energy_names[BG__N_ENERGIES];

struct bg_graph {
    ha_ctx *ctx;
    ha_dag *dag;
    ha__arena arena;
    ha_expr time;
    ha__symtab names; /* of elements, in order of elements */
    HA_ARRAY(bg__element) elements;
    HA_ARRAY(bg__bond) bonds;
    ha__symtab output_names; /* in order of outputs */
    ha__symtab unit_names;   /* of outputs, each once */
    HA_ARRAY(bg__output) outputs;
    ha__symtab parameter_names; /* in order of parameters */
    HA_ARRAY(bg__output) parameters;
    HA_ARRAY(bg__rate) rates;
    ha_expr energies[BG__N_ENERGIES]; /* symbols of bg_graph_energy(), 0: none was asked for */
    HA_ARRAY(int) ranks;       /* rank of each element by name; empty: not made since a change */
    ha__symtab instance_names; /* in order of instances */
    HA_ARRAY(bg__instance) instances;
    HA_ARRAY(bg__port) ports;             /* of instances, those of each in a row */
    HA_ARRAY(bg__attachment) attachments; /* in order of bonds */
    const char *file;                     /* the file name that bg__keep_place() copied last */
    const char *group;                    /* the group that bg__keep_group() copied last */
    HA_ARRAY(int) numbers; /* printed number of each bond; empty: not made since a change */
};

/* What an element has that most have not. */
static inline const bg__extras *bg__extra(const bg__element *element)
{
    static const bg__extras none = { 0 };

    return element->extra != NULL ? element->extra : &none;
}

/* The same to write to, made where there was none; NULL after adding a diagnostic. */
bg__extras *bg__own_extra(bg_graph *graph, bg__element *element);

/* Refuses an element that cannot hold a value and was told to. */
HA_MUST_CHECK ha_status bg__check_hold(bg_graph *graph, const bg__element *element);

/* True for 0- and 1-junctions: any number of bonds, partial bonds allowed. */
static inline bool bg__is_junction(const bg__element *element)
{
    return element->type->max_ports == 0;
}

/* The value of a component: given, common, or the type's default. */
ha_expr bg__component_value(const bg_graph *graph, const bg__element *element, int component);

/* Adds an element as it is, with a copy of its name, which must be new. */
HA_MUST_CHECK ha_status bg__push_element(bg_graph *graph, bg__element element, bg_element *out);

/* A constant value must be in the range of the element's type. */
HA_MUST_CHECK ha_status bg__check_range(bg_graph *graph, const bg__element *element, ha_expr value);

/* Copies of n texts in the graph's arena; NULL of NULL. */
HA_MUST_CHECK ha_status bg__copy_texts(bg_graph *graph, const char *const *from, int n,
                                       const char *const **to);

/* A copy of the name of a group, or NULL: one for all elements of it that are added in a row. */
HA_MUST_CHECK ha_status bg__keep_group(bg_graph *graph, const char *group, const char **out);

/* True when every element and bond has one component and there is no matrix. */
bool bg__graph_is_scalar(const bg_graph *graph);

#endif
