/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of a submodel, for the files of this directory. Not installed. */
#ifndef BONDGRAPH_SUBMODEL_PRIV_H
#define BONDGRAPH_SUBMODEL_PRIV_H

#include "bondgraph/graph/graph_priv.h"
#include "bondgraph/submodel.h"

/* A port of a submodel. */
typedef struct bg__submodel_port {
    int element; /* of the body */
    int port; /* of the element, from 0; -1: the one that the body leaves free; of junctions -1 */
    ha_where where;
} bg__submodel_port;

struct bg_submodel {
    ha_ctx *ctx;
    const char *name; /* in the body's arena, as all texts */
    bg_graph *body;
    ha__symtab port_names; /* in order of ports */
    HA_ARRAY(bg__submodel_port) ports;
};

/* What the name of a bond's end stands for. */
typedef struct bg__end {
    int element;
    int port;          /* of the element; -1: the next */
    int instance_port; /* of the graph's ports; -1: none */
} bg__end;

/* A name that a submodel does not have, for messages. */
typedef struct bg__missing_part {
    const char *user; /* how the message begins: "the bond `V > M1.shat` ends at `M1.shat`" */
    const char *submodel;
    const char *what; /* "port", "parameter" */
    const char *name;
} bg__missing_part;

/* Reports a name that is none of `n` names, with the nearest of them or all. */
ha_status bg__fail_part(ha_ctx *ctx, const bg__missing_part *missing, const char *const *names,
                        size_t n, ha_where where);

/* Finds an end by name. `user` is what asks, for messages: "the bond `A > B`". A name of the form
   `T.1` is a port of an element. */
HA_MUST_CHECK ha_status bg__find_end(bg_graph *graph, const char *name, const char *user,
                                     ha_where where, bg__end *out);

/* The port that the inner bond which is number `port` of its element has in instances: ports that
   bonds from outside have are left out. */
int bg__inner_port(const bg_submodel *submodel, int element, int port);

/* The port of its element that port `i` has in instances, -1 of junctions; HA_ERR_VALUE when the
   body leaves none. */
HA_MUST_CHECK ha_status bg__outer_port(const bg_submodel *submodel, int i, int *out);

/* The location with its file name in the graph's arena. */
ha_where bg__keep_place(bg_graph *graph, ha_where where);

#endif
