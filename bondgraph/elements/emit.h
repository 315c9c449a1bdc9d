/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an element's law is written with: its inputs as symbols, its outputs as definitions, states
 * and rows. Not installed.
 *
 * Port flows are counted in the port's natural direction (into a storage, out of a source, into
 * port 1 and out of port 2 of a two-port); a bond drawn the other way enters with its flow negated.
 */
#ifndef BONDGRAPH_EMIT_H
#define BONDGRAPH_EMIT_H

#include "bondgraph/elements/causal_system.h"
#include "bondgraph/graph/element.h"

/* An element at its turn. */
struct bg_emitter {
    bg__system *system;
    ha_dag *dag;
    int element;      /* of the scalar graph */
    const int *bonds; /* (n_ports) bond at each port */
    int n_ports;
    unsigned given; /* of a registered type: bit k: the law has said what port k gives */
    int n_rates;    /* likewise: states whose rate it has said */
};

/* The ein of a port: 1 when effort arrives there. */
int bg__effort_arrives(const bg__emitter *em, int port);

/* The sign of a bond at a junction: +1 when its half arrow points to the element. */
int bg__sign(const bg__emitter *em, int port);

/* The effort at a port. */
ha_expr bg__effort(const bg__emitter *em, int port);

/* The flow at a port in its natural direction. */
ha_expr bg__flow(const bg__emitter *em, int port);

/* The flow at a port as the half arrow counts it. */
ha_expr bg__bond_flow(const bg__emitter *em, int port);

/* Defines the effort at a port. */
HA_MUST_CHECK ha_status bg__set_effort(bg__emitter *em, int port, ha_expr value);

/* Defines the flow at a port, given in its natural direction. */
HA_MUST_CHECK ha_status bg__set_flow(bg__emitter *em, int port, ha_expr value);

/* Defines the flow at a port, given as the half arrow counts it. */
HA_MUST_CHECK ha_status bg__set_bond_flow(bg__emitter *em, int port, ha_expr value);

/* The multiport that the element is a port of, or the law it has for itself; NULL: none. */
const bg__field *bg__field_of(const bg__emitter *em);

/* Which port of it, from 0. */
int bg__field_port(const bg__emitter *em);

/* The element at another port of the same multiport. */
bg__emitter bg__sibling(const bg__emitter *em, int port);

/* Says what the content of the element's port of a field is. */
HA_MUST_CHECK ha_status bg__define_content(bg__emitter *em, ha_expr value);

/* The momentum or displacement of a storage, HA_EXPR_NONE before its law has said it. */
ha_expr bg__content(const bg__emitter *em);

/* The element's name, and where the user wrote it. */
const char *bg__name(const bg__emitter *em);
ha_where bg__where(const bg__emitter *em);

/* The value of the element; a constant one as a symbol with the element's name. */
ha_expr bg__value(const bg__emitter *em);

/* The element's position expression, HA_EXPR_NONE when it has none. */
ha_expr bg__position(const bg__emitter *em);

/* The element's start value, HA_EXPR_NONE when it has none. */
ha_expr bg__start(const bg__emitter *em);

/* Whether the element is dry friction that shares what it holds with no other, and no motion is
   prescribed there. */
bool bg__is_alone(const bg__emitter *em);

/* Whether the model has no other element of this type. */
bool bg__is_only(const bg__emitter *em);

/* The flow below which dry friction takes what it comes upon for standing; HA_EXPR_NONE. */
ha_expr bg__rest(const bg__emitter *em);

/* True when somebody reads this signal of the element. */
bool bg__is_read(const bg__emitter *em, bg_signal signal);

/* Says what a signal of the element is, if somebody reads it. */
HA_MUST_CHECK ha_status bg__define_signal(bg__emitter *em, bg_signal signal, ha_expr value);

/* A symbol that stands for the total time derivative of `value`. */
HA_MUST_CHECK ha_status bg__rate_of(bg__emitter *em, ha_expr value, ha_expr *out);

/* The name of a quantity, "C1.q", of a port of a field "C1.q2"; in the graph's arena, NULL without
   memory. */
const char *bg__quantity_name(const bg__emitter *em, const char *suffix);

/* A new unknown of the solver, named ELEMENT.suffix. */
HA_MUST_CHECK ha_status bg__add_unknown(bg__emitter *em, bg__unknown_kind kind, const char *suffix,
                                        ha_expr start, ha_expr *y, ha_expr *yp);

/* The unknown added last: more can be said of it. Valid until the next is added. */
bg__unknown *bg__last_unknown(bg__emitter *em);

/* A new equation: `instead` = 0 where `when` is not 0, else value = 0. */
HA_MUST_CHECK ha_status bg__add_switched_row(bg__emitter *em, bg__row_kind kind, ha_expr value,
                                             ha_expr phi, ha_expr when, ha_expr instead);

/* A new equation: value = 0, named after the element. */
HA_MUST_CHECK ha_status bg__add_row(bg__emitter *em, bg__row_kind kind, ha_expr value, ha_expr phi);

#endif
