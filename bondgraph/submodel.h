/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Submodels: a bond graph with a name and ports, of which other graphs hold any number of
 * instances.
 *
 * A submodel is made of a graph, its body. What the body calls parameters are the submodel's: each
 * has a default, and every instance may give another value. A port is a junction of
 * the body, or a port of an element in it, to which bonds from outside are attached.
 *
 * An instance `M1` is a copy of the body in which every name has the prefix `M1.`: the element
 * `M1.Ra`, the parameter `M1.R`, the signal `M1.Ra.f`. Bodies may hold instances of other
 * submodels; names then have several prefixes, `gearbox.stage1.J`. Copies are flat: causality and
 * equations see elements and bonds as if all of them had been written one by one. What is inside
 * can be read by its name and bonded through the ports only.
 *
 * The half arrow of a bond at a port is as it is drawn outside, and flows at an element's port are
 * counted as that half arrow says. A port at a junction takes any number of bonds, a port at an
 * element takes one.
 */
#ifndef BONDGRAPH_SUBMODEL_H
#define BONDGRAPH_SUBMODEL_H

#include "bondgraph/graph.h"

HA_BEGIN_DECLS

/** A submodel. */
typedef struct bg_submodel bg_submodel;

/** An instance: its number in the graph; instances inside of it follow it. */
typedef int bg_instance;

/**
 * Makes a submodel of a graph, which belongs to it from then on and can still be changed; instances
 * are copies of what it is when they are made. NULL when there is no memory, the graph is then
 * still the caller's. Free it with bg_submodel_free().
 */
bg_submodel *bg_submodel_new(bg_graph *body, const char *name);

/** Frees a submodel and its body, not its instances; NULL is legal. */
void bg_submodel_free(bg_submodel *submodel);

/** The name of a submodel; borrowed. */
const char *bg_submodel_name(const bg_submodel *submodel);

/** The body of a submodel; borrowed. */
bg_graph *bg_submodel_body(const bg_submodel *submodel);

/**
 * Adds a port. `inner` is what it leads to in the body: a junction by name; an element by name,
 * whose port is then the one that the body leaves free; `T.1`, the port of this number of an
 * element; or `stage1.out`, a port of an instance in the body, which is passed on. The bonds in the
 * body have the other ports of an element in order of appearance.
 * @param where where the user wrote it, for diagnostics
 * @return HA_ERR_NAME (nothing of that name in the body, name taken or with a dot),
 *         HA_ERR_VALUE (two ports at one port of an element), HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_submodel_add_port(bg_submodel *submodel, const char *name,
                                             const char *inner, ha_where where);

/** Number of ports. */
int bg_submodel_n_ports(const bg_submodel *submodel);

/** Name of port `i`; borrowed. */
const char *bg_submodel_port_name(const bg_submodel *submodel, int i);

/**
 * Finds a port by its name.
 * @param user how the message begins: "the bond `V > M1.shat` ends at `M1.shat`"
 * @param out  its number; may be NULL
 * @return HA_ERR_NAME with the nearest port
 */
HA_MUST_CHECK ha_status bg_submodel_find_port(const bg_submodel *submodel, const char *name,
                                              const char *user, ha_where where, int *out);

/**
 * Checks that a name is one of the submodel's parameters, `R`, or a parameter of an instance in its
 * body, `stage1.n`.
 * @param user how the message begins: "the instance `M1` sets `Q`"
 * @return HA_ERR_NAME with the nearest parameter
 */
HA_MUST_CHECK ha_status bg_submodel_check_parameter(const bg_submodel *submodel, const char *name,
                                                    const char *user, ha_where where);

/** The value of a parameter of an instance. */
typedef struct bg_parameter_value {
    const char *name; /**< a parameter of the submodel, `R`, or of an instance in it, `stage1.n` */
    ha_expr value;  /**< a constant or an expression of parameters of the graph that the instance is
                         added to */
    ha_where where; /**< where the user wrote it, for diagnostics */
} bg_parameter_value;

/** What an instance is made of; start from bg_instance_def_default(). Everything is copied. */
typedef struct bg_instance_def {
    const char *name; /**< unique among the elements and instances of the graph; no dot in it */
    const bg_submodel *submodel;          /**< what it is an instance of */
    const bg_parameter_value *parameters; /**< (n_parameters) those that differ from the defaults */
    int n_parameters;                     /**< number of values */
    ha_where where;                       /**< where the user wrote it, for diagnostics */
    int cookie;                           /**< set by bg_instance_def_default() */
} bg_instance_def;

/** A definition in which nothing is given. */
bg_instance_def bg_instance_def_default(void);

/**
 * Adds an instance of a submodel: its elements, bonds, parameters and the instances in it, and the
 * outputs of the body that are more than a signal of an element.
 * After an error the graph holds a part of them and serves for nothing more.
 * @return HA_ERR_NAME (name taken, unknown parameter), HA_ERR_VALUE (a parameter is not constant,
 *         or an element's value is out of its range for these parameters; the element at a
 *         port has no port left), HA_ERR_ARGUMENT (the submodel's own body), HA_ERR_LIMIT (too many
 * parts), HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_graph_add_instance(bg_graph *graph, const bg_instance_def *def,
                                              bg_instance *out);

/**
 * Adds a bond between ends that are given by name: an element, a port of one by its number
 * (`C1.2`), or the port of an instance (`M1.shaft`). A bond that names no port takes the first that
 * is free. Its dimension is that of the tail's end.
 * @return HA_ERR_NAME (no such end, with the nearest one), HA_ERR_VALUE (the port is bonded
 * already, dimensions differ, as bg_graph_add_bond()), HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_graph_add_named_bond(bg_graph *graph, const char *tail, const char *head,
                                                ha_where where, bg_bond *out);

/** Number of instances of a graph, those inside of others included. */
int bg_graph_n_instances(const bg_graph *graph);

/** Name of an instance with its prefixes, `gearbox.stage1`; borrowed. */
const char *bg_instance_name(const bg_graph *graph, bg_instance instance);

/** Name of the submodel of an instance; borrowed. */
const char *bg_instance_submodel_name(const bg_graph *graph, bg_instance instance);

HA_END_DECLS

#endif
