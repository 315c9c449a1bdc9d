/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Element types of your own. A type is told in a bg_element_type and registered in a context; all
 * graphs and models of that context then know it as they know R or C: by bg_graph_add_element(), in
 * the compact notation, and as `type: NAME` in model files that are read afterwards.
 *
 * Its law is a function that is called once for each element, after all strokes are set. It makes
 * expressions (lib/expr.h) of what arrives at the ports and says what the element gives there:
 *
 *     static ha_status emit(bg_emitter *em)                  // e = K f |f|
 *     {
 *         ha_dag *dag = bg_emitter_dag(em);
 *         ha_expr f = bg_emitter_flow(em, 0);
 *         ha_expr size = ha_apply(dag, HA_OP_ABS, f, HA_EXPR_NONE, HA_EXPR_NONE);
 *         return bg_emitter_set_effort(em, 0, ha_mul(dag, bg_emitter_value(em),
 *                                                    ha_mul(dag, f, size)));
 *     }
 *
 * Causality is told in the variable ein of each port: 1 when effort arrives at the element, which
 * then gives the flow; 0 when it gives the effort. Ports count from 0. Flows are counted in the
 * natural direction of the port; a bond drawn the other way is negated behind the scenes.
 */
#ifndef BONDGRAPH_ELEMENT_TYPE_H
#define BONDGRAPH_ELEMENT_TYPE_H

#include "bondgraph/graph.h"

HA_BEGIN_DECLS

/** What kind of element it is, which says when it gets its strokes. */
typedef enum bg_kind {
    BG_KIND_SOURCE,    /**< one port with one sense, served first */
    BG_KIND_STORAGE,   /**< one port, its preferred sense is integral causality */
    BG_KIND_RESISTOR,  /**< its law ties effort to flow at one instant; served after the storages */
    BG_KIND_CONVERTER, /**< passes on; its strokes follow from those of others */
    BG_KIND_COUNT      /**< number of kinds */
} bg_kind;

/** The rule of causality that the ports of an element obey. */
typedef enum bg_rule {
    BG_RULE_COUNT, /**< at a given number of them effort arrives: 0, 1, all but 1, or all */
    BG_RULE_EQUAL, /**< of two ports, both have the same ein */
    BG_RULE_FREE   /**< each as it likes: the law has all senses */
} bg_rule;

/** How an element counts in the energy book. */
typedef enum bg_book {
    BG_BOOK_NONE,      /**< passes power on, or has none */
    BG_BOOK_KINETIC,   /**< stores kinetic energy */
    BG_BOOK_POTENTIAL, /**< stores potential energy */
    BG_BOOK_SUPPLY,    /**< power out of it is supplied, unless the element has a potential */
    BG_BOOK_LOSS       /**< power into it is dissipated */
} bg_book;

/** How an element of a graph counts in the energy book. */
bg_book bg_element_book(const bg_graph *graph, bg_element element);

/** An element at the moment its law is asked for; valid during the call only. */
typedef struct bg_emitter bg_emitter;

/** An element type; start from bg_element_type_default(). Strings are copied. */
typedef struct bg_element_type {
    const char *name;     /**< as written, letters only: "Rq". In the compact notation the longest
                               type that a name begins with wins: `Rq1` is then one of these */
    const char *title;    /**< in words, for messages: "quadratic resistor" */
    int n_ports;          /**< bonds that it needs, 1 to 8; a source or storage has 1 */
    unsigned gives_power; /**< bit k: the natural half arrow of port k points away from it */
    bg_kind kind;         /**< what it is */
    bg_rule rule;         /**< rule of causality */
    int n_efforts;        /**< of BG_RULE_COUNT: at how many ports effort arrives; 0, 1, n_ports - 1
                               or n_ports */
    int preferred;        /**< of BG_RULE_FREE: the ein tried first, 0 or 1; a storage's integral
                               causality */
    double default_value; /**< of an element without value; 1 */
    double lowest;        /**< of a constant value; -HUGE_VAL */
    int excludes_lowest;  /**< not 0: the lowest value itself is out of range */
    int excludes_zero;    /**< not 0: zero is out of range */
    int wants_constant;   /**< not 0: a value that varies is refused, since the law or the energy
                               would not hold */
    int has_momentum;     /**< not 0: elements have the signal `.p`, see bg_emitter_set_content() */
    int has_displacement; /**< not 0: elements have the signal `.q`, likewise */
    bg_book book;         /**< column of the energy book */
    void *user;           /**< for the functions below, by bg_emitter_user(); borrowed, must live as
                               long as the context */

    /** The ein of port 0 that an element with this value must have whatever else happens, -1: none.
        The value is resolved: a constant, or an expression of what varies. `position` is the
        element's position expression or HA_EXPR_NONE. NULL: none ever. */
    int (*pin)(const ha_dag *dag, ha_expr value, ha_expr position);
    const char *pin_reason; /**< why, for messages: "its resistance is 0, by which ..." */

    /** Says what the element gives at each port. An error without diagnostic gets one. */
    ha_status (*emit)(bg_emitter *emitter);

    /** The stored energy [J], of BG_BOOK_KINETIC and BG_BOOK_POTENTIAL; else NULL. It may read the
        content, efforts and flows; it defines nothing. */
    ha_expr (*energy)(bg_emitter *emitter);

    int cookie; /**< set by bg_element_type_default() */
} bg_element_type;

/** A type of one port with any value, dissipated power, rule BG_RULE_COUNT and effort out. */
bg_element_type bg_element_type_default(void);

/**
 * Makes a type known in a context, for good. A context belongs to one thread, and so do its types;
 * another thread registers them in its own.
 * @return HA_ERR_NAME (name taken, or not of letters), HA_ERR_VALUE (a field that contradicts
 *         another or is out of range), HA_ERR_ARGUMENT, HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_element_type_register(ha_ctx *ctx, const bg_element_type *type);

/** The context, for ha_fail(). */
ha_ctx *bg_emitter_ctx(const bg_emitter *emitter);

/** The expression graph that the law is written in; borrowed. */
ha_dag *bg_emitter_dag(const bg_emitter *emitter);

/** The `user` of the type. */
void *bg_emitter_user(const bg_emitter *emitter);

/** The element's name; borrowed. */
const char *bg_emitter_name(const bg_emitter *emitter);

/** Where the user wrote the element. */
ha_where bg_emitter_where(const bg_emitter *emitter);

/** The symbol of the time `t` [s]. */
ha_expr bg_emitter_time(const bg_emitter *emitter);

/** The ein of a port: 1 when effort arrives there and the law gives the flow, else 0. */
int bg_emitter_effort_arrives(const bg_emitter *emitter, int port);

/** The effort at a port; HA_EXPR_NONE when there is no such port. */
ha_expr bg_emitter_effort(const bg_emitter *emitter, int port);

/** The flow at a port in its natural direction; HA_EXPR_NONE when there is no such port. */
ha_expr bg_emitter_flow(const bg_emitter *emitter, int port);

/** The element's value; in printed equations a constant one goes by the element's name. */
ha_expr bg_emitter_value(const bg_emitter *emitter);

/** The element's start value (`p=`, `q=`), HA_EXPR_NONE when it has none. */
ha_expr bg_emitter_start(const bg_emitter *emitter);

/** The element's position expression, HA_EXPR_NONE when it has none. */
ha_expr bg_emitter_position(const bg_emitter *emitter);

/**
 * Says what the effort at a port is, where ein is 0.
 * @return HA_ERR_ARGUMENT (no such port, effort arrives there, said before, no value),
 *         HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_emitter_set_effort(bg_emitter *emitter, int port, ha_expr value);

/**
 * Says what the flow at a port is in its natural direction, where ein is 1.
 * @return as bg_emitter_set_effort()
 */
HA_MUST_CHECK ha_status bg_emitter_set_flow(bg_emitter *emitter, int port, ha_expr value);

/**
 * Adds a state to the element, named ELEMENT.suffix, that starts with `start` (HA_EXPR_NONE: 0).
 * Its rate must be said by bg_emitter_set_rate().
 * @return HA_ERR_NAME (no suffix of letters, digits and `_`, or one used before), HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_emitter_add_state(bg_emitter *emitter, const char *suffix, ha_expr start,
                                             ha_expr *out);

/**
 * Says what the time derivative of a state is.
 * @return HA_ERR_ARGUMENT (no state of the element, said before, no value), HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_emitter_set_rate(bg_emitter *emitter, ha_expr state, ha_expr rate);

/**
 * A symbol that stands for the total time derivative of an expression: what a storage gives in
 * derivative causality.
 * @return HA_ERR_ARGUMENT, HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_emitter_rate_of(bg_emitter *emitter, ha_expr value, ha_expr *out);

/**
 * Says what the momentum (BG_SIGNAL_P) or displacement (BG_SIGNAL_Q) of the element is, which its
 * type must have. A type that has one must say it in each sense.
 * @return HA_ERR_ARGUMENT (the type has no such signal, or no value), HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_emitter_set_content(bg_emitter *emitter, bg_signal signal,
                                               ha_expr value);

/** The momentum or displacement said last, for the energy; HA_EXPR_NONE before. */
ha_expr bg_emitter_content(const bg_emitter *emitter);

HA_END_DECLS

#endif
