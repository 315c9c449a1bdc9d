/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Causality: which end of each bond computes its effort and which its flow, and what follows from
 * it for the equations. Immutable once assigned.
 */
#ifndef BONDGRAPH_CAUSALITY_H
#define BONDGRAPH_CAUSALITY_H

#include "bondgraph/graph.h"

HA_BEGIN_DECLS

/** The causality of a graph. */
typedef struct bg_causality bg_causality;

/** What kind of problem a graph is, in order of precedence. */
typedef enum bg_class {
#define X(name, status, sentence) BG_##name, /**< see bondgraph/classes.def */
#include "bondgraph/classes.def"
#undef X
    BG_CLASS_COUNT /**< number of classes */
} bg_class;

/** How a storage, sink or resistor ended up. */
typedef enum bg_role {
    BG_INTEGRAL,   /**< storage in integral causality: a state */
    BG_DERIVATIVE, /**< storage in derivative causality: it depends on others */
    BG_IMPLICIT,   /**< residual sink that imposes an unknown multiplier */
    BG_EXPLICIT,   /**< residual sink that imposes its zero and costs no unknown */
    BG_OTHER       /**< everything else */
} bg_role;

/**
 * Assigns causality to a graph. The result remembers names and needs the graph no longer. An
 * unsound graph (a conflict, ...) gives a result too, whose class says so and to which
 * diagnostics were added; the status is then still HA_OK, and bg_causality_status() is not.
 * @return HA_ERR_VALUE (an element's port is not bonded), HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_causality_assign(bg_graph *graph, bg_causality **out);

/** Frees it; NULL is legal. */
void bg_causality_free(bg_causality *causality);

/**
 * HA_OK when equations can be derived and solved; else HA_ERR_CAUSALITY, or HA_ERR_SINGULAR (at the
 * values given only).
 */
HA_MUST_CHECK ha_status bg_causality_status(const bg_causality *causality);

/** The class of the problem. */
bg_class bg_causality_class(const bg_causality *causality);

/** What the class says of this problem, in a sentence; of a mixed one which difficulties it has. */
const char *bg_causality_text(const bg_causality *causality);

/** The name of a class as in reports: "IMPLICIT_CONSTRAINTS". */
const char *bg_class_name(bg_class kind);

/** A sentence that explains a class. */
const char *bg_class_text(bg_class kind);

/**
 * The order of the model: the number of start values that can be chosen, for values in general.
 * Storages in integral causality and positions less what the implicit constraints take away; a
 * constraint with a position level takes a flow and a position.
 * @param n_redundant constraints with a position level that follow from others at the start, which
 *                    the graph alone does not tell
 * @return -1 for a graph whose equations cannot be solved
 */
int bg_causality_order(const bg_causality *causality, int n_redundant);

/** How the input of an inverse signal (BG_BLOCK_INVERSE) depends on the signal. */
typedef struct bg_inverse {
    char *signal;      /**< its name */
    int n_derivatives; /**< how often the input has to be differentiated before the signal appears,
                            for values in general: on a path of the fewest integrations; -1: the
                            signal does not act on it */
    int n_path;        /**< number of states on such a path */
    const char **path; /**< (n_path) these, from the signal on; names borrowed */
} bg_inverse;

/** True of a graph with inverse signals. */
bool bg_graph_has_inverse(const bg_graph *graph);

/** The number of inverse signals. */
int bg_causality_n_inverses(const bg_causality *causality);

/**
 * Says how an inverse signal acts, from 0 on.
 * @param out to be cleared with bg_inverse_clear(), also on failure
 */
HA_MUST_CHECK ha_status bg_causality_inverse(const bg_causality *causality, int i, bg_inverse *out);

/** Frees what it holds. */
void bg_inverse_clear(bg_inverse *inverse);

/**
 * The index to expect of the equations as the elements and junctions give them, before the solver
 * brings it to 1: 1 when every storage and integral has a start value of its own, 3 with
 * constraints that have a position level, else 2 (of some graphs with hidden constraints it is
 * higher).
 * @return -1 for a graph whose equations cannot be solved
 */
int bg_causality_index(const bg_causality *causality);

/** Number of scalar bonds. */
int bg_causality_n_bonds(const bg_causality *causality);

/** Number of scalar elements with this role. */
int bg_causality_count(const bg_causality *causality, bg_role role);

/** Name of scalar element number `i` with this role, in order of names; borrowed. */
const char *bg_causality_name(const bg_causality *causality, bg_role role, int i);

/** Number of algebraic loops (strongly connected components of the signals). */
int bg_causality_n_loops(const bg_causality *causality);

/** The names of the elements of loop `i`, separated by ", "; borrowed. */
const char *bg_causality_loop(const bg_causality *causality, int i);

/** Number of tearing variables of all loops: unknowns from which the rest follows. */
int bg_causality_n_loop_variables(const bg_causality *causality);

/** Name of tearing variable `i` ("R1.f"; "C3.q", the content of a dependent storage); borrowed. */
const char *bg_causality_loop_variable(const bg_causality *causality, int i);

/**
 * The causal path from dependent storage number `i` (of BG_DERIVATIVE) to a storage or source that
 * it depends on, as text: "I3 - 1c - TF - 1b - I2". To be freed with free(). O(bonds).
 */
HA_MUST_CHECK ha_status bg_causality_path(const bg_causality *causality, int i, char **out);

/** Where the stroke of a bond's component is. */
typedef enum bg_stroke {
    BG_STROKE_NONE, /**< not assigned, after a conflict */
    BG_STROKE_HEAD, /**< at the head: the head receives the effort and returns the flow */
    BG_STROKE_TAIL  /**< at the tail: the tail receives the effort and returns the flow */
} bg_stroke;

/** The stroke of a component of a bond of the graph that causality was assigned to. */
bg_stroke bg_causality_stroke(const bg_causality *causality, bg_bond bond, int component);

/** A step of the procedure: a stroke that was set. Names are borrowed from the causality. */
typedef struct bg_step {
    bg_bond bond;     /**< of the graph that causality was assigned to; -1: inside of an element */
    int component;    /**< of that bond */
    int number;       /**< of the bond of the scalar graph, as it is printed */
    bg_stroke stroke; /**< where the stroke was set */
    const char *tail; /**< name of the element at the tail, in the scalar graph */
    const char *head; /**< name of the element at the head, likewise */
    const char *decided; /**< name of the element whose rule or preference decided it, likewise */
    int follows;         /**< not 0: it follows from strokes of earlier steps at that element; 0: it
                              is a decision, from which others follow */
} bg_step;

/** Number of steps: of strokes that were set, a conflict may have left others out. */
int bg_causality_n_steps(const bg_causality *causality);

/**
 * Step `i` of the procedure.
 * @param reason why it was taken ("integral causality preferred"), to be freed with free()
 */
HA_MUST_CHECK ha_status bg_causality_step(const bg_causality *causality, int i, bg_step *out,
                                          char **reason);

/** The number of the scalar bond that a component of a bond is, as it is printed. */
HA_MUST_CHECK ha_status bg_causality_scalar_number(const bg_causality *causality, bg_bond bond,
                                                   int component, int *out);

/**
 * The steps of the procedure, one line each with its reason, and the conflict if there was one. To
 * be freed with free().
 */
HA_MUST_CHECK ha_status bg_causality_trace(const bg_causality *causality, char **out);

/**
 * The scalar graph on which the analysis was made (bondgraph/expand.h); borrowed from the
 * causality.
 */
const bg_graph *bg_causality_scalar_graph(const bg_causality *causality);

/** The stroke of a bond of the scalar graph. */
bg_stroke bg_causality_scalar_stroke(const bg_causality *causality, bg_bond bond);

HA_END_DECLS

#endif
