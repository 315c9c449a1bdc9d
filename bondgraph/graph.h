/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Bond graphs as they are drawn: elements, junctions and bonds without causality. Editable.
 *
 * An element has a type (graph-formats.md of the documentation lists them), a name that is unique
 * in the graph, and one or more components: an I with components x, y, angle is three inertias that
 * share a picture. A bond joins a tail and a head; its half arrow is at the head and counts power
 * e * f as positive in that direction. Elements, bonds and outputs are numbered from 0 as they are
 * made, but nothing that is decided or printed depends on that order where names differ.
 *
 * Values are expressions of the graph's own expression graph, over `t`, parameters and signals.
 */
#ifndef BONDGRAPH_GRAPH_H
#define BONDGRAPH_GRAPH_H

#include "lib/context.h"
#include "lib/expr.h"

HA_BEGIN_DECLS

/** A bond graph. */
typedef struct bg_graph bg_graph;

/** An element: its number in the graph. */
typedef int bg_element;

/** A bond: its number in the graph. */
typedef int bg_bond;

/** A quantity that can be read from an element. */
typedef enum bg_signal {
    BG_SIGNAL_E,    /**< effort of the element's bond (of a two-port: of port 1) */
    BG_SIGNAL_F,    /**< flow of the element's bond as the half arrow counts it */
    BG_SIGNAL_P,    /**< momentum of an I, integral of the effort of a De */
    BG_SIGNAL_Q,    /**< displacement of a C, integral of the flow of a Df */
    BG_SIGNAL_E2,   /**< effort of port 2 of a two-port */
    BG_SIGNAL_F2,   /**< flow of port 2 of a two-port */
    BG_SIGNAL_COUNT /**< number of kinds */
} bg_signal;

/**
 * A law by expressions, in place of a value; start from bg_law_default(). The expressions are over
 * symbols that the caller makes for the element's own quantities, and over parameters; those of an
 * R also over `t` and signals. All flows are counted in the natural direction of the element.
 *
 *   C      effort e = phi(q), or energy E(q), e = dE/dq
 *   I      flow f = psi(p), or energy E(p), f = dE/dp
 *   R      effort e = phi(f), flow f = psi(e), or both, which are then each other's inverse
 *   C, I, IC with several ports (is_field)
 *          energy E(q1, q2, ...): e_k = dE/dq_k, and at the I ports of an IC f_k = dE/dp_k
 *
 * In derivative causality a C or I takes its inverse, q = chi(e) or p = chi(f), where that is
 * given; else the law is solved for the content, which needs a slope at the start. An energy may be
 * given beside an effort or a flow: it is then what the energy book counts. An inverse, the two
 * laws of an R, and an energy beside a law must agree with each other: that is tried at many values
 * when causality is assigned.
 */
typedef struct bg_law {
    const ha_expr *e; /**< (ports) symbols of the efforts; NULL or HA_EXPR_NONE: not used */
    const ha_expr *f; /**< (ports) symbols of the flows, likewise */
    const ha_expr *p; /**< (ports) symbols of the momenta, likewise */
    const ha_expr *q; /**< (ports) symbols of the displacements, likewise */
    ha_expr effort;   /**< the effort; HA_EXPR_NONE: not given */
    ha_expr flow;     /**< the flow; HA_EXPR_NONE: not given */
    ha_expr energy;   /**< the stored energy [J]; HA_EXPR_NONE: not given */
    ha_expr inverse;  /**< the displacement or momentum; HA_EXPR_NONE: not given */
} bg_law;

/** A law in which nothing is given. */
bg_law bg_law_default(void);

/**
 * What an element is made of; start from bg_element_def_default(). Arrays and strings are copied.
 * In all arrays of expressions HA_EXPR_NONE means: not given.
 */
typedef struct bg_element_def {
    const char *type; /**< a type of graph-formats.md: "Se", "I", "1" */
    const char *name; /**< unique in the graph */
    int dim;          /**< number of components, 1 by default; a matrix transformer: of port 1 */
    int dim2;         /**< matrix transformer: components of port 2; else 0 (the same as dim) */
    const char *const *labels; /**< (dim) names of the components, `name.label`; NULL: 1, 2, ...;
                                    a matrix transformer: (dim2), of port 2 */
    const ha_expr *value;      /**< (n_values) the element's value in SI: capacitance, inertia,
                                    resistance, modulus, effort or flow; a matrix: f2 = M f1, row
                                    by row, M[i * dim + j] (dim2 x dim) */
    int n_values; /**< 0: all are 1; 1: the same for all components; else dim or dim2 * dim; of a
                       field 0 or dim * dim */
#define EXTRA(field, type, kind, sentence) type field; /**< see bondgraph/extras.def */
#include "bondgraph/extras.def"
#undef EXTRA
    const bg_law *law; /**< law by expressions of a C, I, IC or R, the same for all components;
                            NULL: the value says it */
    int is_field;      /**< not 0: the dim components are the ports of one C, I, IC or R, which
                            a matrix or a law couples. The value is the matrix C of q = C e, I
                            of p = I f or R of e = R f, row by row (dim * dim) */
    const char *group; /**< the part of the model it belongs to ("K1"), for drawing; NULL:
                            none */
    ha_where where;    /**< where the user wrote it, for diagnostics */
    int cookie;        /**< set by bg_element_def_default() */
} bg_element_def;

/** A definition with defaults: one component, value 1, nothing else. */
bg_element_def bg_element_def_default(void);

/** Makes an empty graph; NULL when there is no memory. Free it with bg_graph_free(). */
bg_graph *bg_graph_new(ha_ctx *ctx);

/**
 * Makes an empty graph whose expression graph is a copy of `dag` (expressions keep their numbers),
 * in which `time` is the symbol of the time. NULL when there is no memory.
 */
bg_graph *bg_graph_new_with(ha_ctx *ctx, const ha_dag *dag, ha_expr time);

/** Frees a graph; NULL is legal. */
void bg_graph_free(bg_graph *graph);

/** The context the graph was made with. */
ha_ctx *bg_graph_ctx(const bg_graph *graph);

/** The expression graph of the graph's values; borrowed, expressions may be added to it. */
ha_dag *bg_graph_dag(bg_graph *graph);

/** The symbol of the time `t` [s]. */
ha_expr bg_graph_time(const bg_graph *graph);

/**
 * Adds an element.
 * @return HA_ERR_NAME (unknown type, name taken), HA_ERR_VALUE (dimensions, or a constant out of
 *         the type's range), HA_ERR_ARGUMENT, HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_graph_add_element(bg_graph *graph, const bg_element_def *def,
                                             bg_element *out);

/**
 * Adds a bond of dimension `dim` from tail to head. Ports are taken in order of appearance.
 * @return HA_ERR_VALUE when an element has no free port, dimensions differ, or both ends are one
 *         element; HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_graph_add_bond(bg_graph *graph, bg_element tail, bg_element head,
                                          int dim, ha_where where, bg_bond *out);

/** A bond between some of the components of two elements. */
typedef struct bg_bond_def {
    bg_element tail; /**< element at the tail */
    bg_element head; /**< element at the head, where the half arrow is */
    int dim;         /**< number of components of the bond */
    int tail_first;  /**< first component of the tail element that it joins */
    int head_first;  /**< first component of the head element that it joins */
    ha_where where;  /**< where the user wrote it, for diagnostics */
} bg_bond_def;

/**
 * Adds a bond that joins components tail_first ... tail_first + dim - 1 of the tail to components
 * head_first ... of the head; only junctions can be bonded in part.
 * @return as bg_graph_add_bond()
 */
HA_MUST_CHECK ha_status bg_graph_add_partial_bond(bg_graph *graph, const bg_bond_def *def,
                                                  bg_bond *out);

/** Replaces the values of an element, as in bg_element_def. */
HA_MUST_CHECK ha_status bg_graph_set_value(bg_graph *graph, bg_element element,
                                           const ha_expr *value, int n_values);

/**
 * Replaces the law of an element, as in bg_element_def.
 * @return HA_ERR_VALUE when its type has no such law, or an expression reads a quantity of the
 *         element that it may not
 */
HA_MUST_CHECK ha_status bg_graph_set_law(bg_graph *graph, bg_element element, const bg_law *law);

/** What bonds can carry: the rows of bondgraph/domains.def. */
typedef enum bg_domain {
    BG_DOMAIN_OPEN,                                          /**< nothing is said */
#define X(name, text, e, f, q, p, R, C, I) BG_DOMAIN_##name, /**< see bondgraph/domains.def */
#include "bondgraph/domains.def"
#undef X
    BG_DOMAIN_END /**< no domain: behind the last */
} bg_domain;

/** The domain of a name, "electrical"; BG_DOMAIN_OPEN: there is none. */
bg_domain bg_domain_find(const char *name);

/**
 * Finds the domains of all bonds and gives the outputs that are efforts, flows, momenta and
 * displacements of elements, and have no unit, that of the domain. A bond's domain follows from the
 * units of values and from what elements say of themselves; a junction's bonds share it, those of a
 * transformer or gyrator need not. Values without unit fit everywhere.
 *
 * @return HA_ERR_UNIT when two elements of a bond are of different domains, or a value is of no
 *         quantity that its element is measured in; each is named
 */
HA_MUST_CHECK ha_status bg_graph_find_domains(bg_graph *graph);

/** How a value is shown in pictures: in which unit. */
typedef struct bg_unit {
    const char *name; /**< "mH" */
    double size;      /**< of one unit, in SI units: 1e-3; not 0 */
} bg_unit;

/**
 * Says in which units the values of an element are shown; they stay numbers in SI units.
 * @param units (n_units) copied
 * @param n_units 0: none; 1: the same for all values; else one for each value
 * @return HA_ERR_ARGUMENT when their number is another, or a size is not a positive finite number
 */
HA_MUST_CHECK ha_status bg_graph_set_units(bg_graph *graph, bg_element element,
                                           const bg_unit *units, int n_units);

/**
 * Replaces an extra of an element, as in bg_element_def: bg_graph_set_start(),
 * bg_graph_set_position(), bg_graph_set_size() ..., one for each row of bondgraph/extras.def.
 * @return HA_ERR_VALUE when the element cannot have it; HA_ERR_MEMORY
 */
#define EXTRA(field, type, kind, sentence)                                                         \
    HA_MUST_CHECK ha_status bg_graph_set_##field(bg_graph *graph, bg_element element, type field);
#include "bondgraph/extras.def"
#undef EXTRA

/**
 * The symbol that stands for a quantity of an element in expressions, always the same one. That the
 * element has the quantity is checked when equations are derived.
 */
ha_expr bg_graph_signal(bg_graph *graph, bg_element element, int component, bg_signal signal);

/**
 * A symbol that stands for the total time derivative of an expression over signals, for use in
 * outputs: `name` serves printing.
 */
ha_expr bg_graph_rate(bg_graph *graph, ha_expr value, const char *name);

/**
 * The symbol of an energy of the energy book, "energy.kinetic", ".potential", ".supplied",
 * ".dissipated" or ".error", for use in outputs; HA_EXPR_NONE: it is none of these.
 */
ha_expr bg_graph_energy(bg_graph *graph, const char *name);

/**
 * The expression of a name as users write it: `t`, `NAME.e`, `NAME.label.q`, `NAME.q2` of a field,
 * a parameter, an output added before; HA_EXPR_NONE when it is unknown. `user` is the graph: fits
 * ha_parse_def.lookup.
 */
ha_expr bg_graph_lookup(void *user, const char *name);

/** True when the components of an element are the ports of one multiport. */
int bg_element_is_field(const bg_graph *graph, bg_element element);

/** Adds a parameter: a name with a constant value that expressions may use. */
HA_MUST_CHECK ha_status bg_graph_add_parameter(bg_graph *graph, const char *name, double value,
                                               ha_expr *out);

/**
 * Makes a symbol of the graph's expression graph a parameter: one that stands for a constant or for
 * an expression of other parameters (ha_symbol_define()).
 * @return HA_ERR_NAME when the name is taken; HA_ERR_ARGUMENT (no such symbol); HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_graph_name_parameter(bg_graph *graph, const char *name, ha_expr symbol);

/**
 * Adds a named output: an expression over signals, parameters and `t`.
 * @return HA_ERR_NAME when the name is taken; HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_graph_add_output(bg_graph *graph, const char *name, const char *unit,
                                            ha_expr value);

/**
 * Adds the outputs `ELEMENT.e .f .p .q` (two-ports `.e1 .f1 .e2 .f2`, fields `.e1 .f1 .q1` and so
 * on) of every component of every element, where its type has them.
 */
HA_MUST_CHECK ha_status bg_graph_add_element_outputs(bg_graph *graph);

/** Number of outputs. */
int bg_graph_n_outputs(const bg_graph *graph);

/** Name of output `i`; borrowed. */
const char *bg_output_name(const bg_graph *graph, int i);

/** Unit of output `i`, "" where it has none; borrowed. */
const char *bg_output_unit(const bg_graph *graph, int i);

/** The number of the output of this name, -1 when there is none. */
int bg_graph_find_output(const bg_graph *graph, const char *name);

/** Number of elements. */
int bg_graph_n_elements(const bg_graph *graph);

/** Number of bonds. */
int bg_graph_n_bonds(const bg_graph *graph);

/** The element of this name, -1 when there is none. */
bg_element bg_graph_find(const bg_graph *graph, const char *name);

/** Name of an element; borrowed. */
const char *bg_element_name(const bg_graph *graph, bg_element element);

/** Type of an element as written ("MTF"); borrowed. */
const char *bg_element_type_name(const bg_graph *graph, bg_element element);

/** Group of an element, "" when it has none; borrowed. */
const char *bg_element_group(const bg_graph *graph, bg_element element);

/** Number of components of an element. */
int bg_element_dim(const bg_graph *graph, bg_element element);

/** Name of a component (`K1.x`; the element's own name where it has one component); borrowed. */
const char *bg_element_component(const bg_graph *graph, bg_element element, int component);

/** Value `i` of an element; HA_EXPR_NONE when it has none. */
ha_expr bg_element_value(const bg_graph *graph, bg_element element, int i);

/** Number of values of an element. */
int bg_element_n_values(const bg_graph *graph, bg_element element);

/** The element at the tail of a bond. */
bg_element bg_bond_tail(const bg_graph *graph, bg_bond bond);

/** The element at the head (half arrow) of a bond. */
bg_element bg_bond_head(const bg_graph *graph, bg_bond bond);

/** First component of the tail element that a bond joins. */
int bg_bond_tail_first(const bg_graph *graph, bg_bond bond);

/** First component of the head element that a bond joins. */
int bg_bond_head_first(const bg_graph *graph, bg_bond bond);

/** Number of components of a bond. */
int bg_bond_dim(const bg_graph *graph, bg_bond bond);

/**
 * The number of a bond that is printed beside it, from 1: sources first, then by the names at its
 * ends. Independent of the order in which the graph was built; O(n log n) once after a change.
 */
HA_MUST_CHECK ha_status bg_graph_bond_number(bg_graph *graph, bg_bond bond, int *out);

HA_END_DECLS

#endif
