/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Laws by expressions and multiports, for the element types that take them. Not installed. */
#ifndef BONDGRAPH_ELEM_LAW_H
#define BONDGRAPH_ELEM_LAW_H

#include "bondgraph/elements/emit.h"

/* The law of a C, or of an I where `is_inertia`, given by expressions. */
HA_MUST_CHECK ha_status bg__law_store_emit(bg__emitter *em, bool is_inertia);

/* The energy that goes into the book for this port. */
ha_expr bg__law_energy(bg__emitter *em);

/* The law of an R given by expressions. */
HA_MUST_CHECK ha_status bg__law_resistor_emit(bg__emitter *em);

/* The ein that a law leaves a port in `*ein`, -1: both; `*reason` says why. */
HA_MUST_CHECK ha_status bg__law_pin(bg_graph *graph, const bg__element *element, int *ein,
                                    const char **reason);

/* The law of a port of a C-field, or of an I-field where `is_inertia`, given by a matrix. */
HA_MUST_CHECK ha_status bg__field_store_emit(bg__emitter *em, bool is_inertia);

/* The energy of this port's share: half its content times what it gives. */
ha_expr bg__field_energy(bg__emitter *em, bool is_inertia);

/* The law of a port of an R-field given by a matrix. */
HA_MUST_CHECK ha_status bg__field_resistor_emit(bg__emitter *em);

/* The ein that an element of the scalar graph must have at a port whatever else happens, -1: none;
   `*reason` says why. */
HA_MUST_CHECK ha_status bg__pin(bg_graph *graph, const bg__element *element, int port, int *ein,
                                const char **reason);

/* Whether the law of a pinned resistor can be solved for what it does not give, so that it may be
   taken in the other sense where nothing else is left. */
HA_MUST_CHECK ha_status bg__yields(bg_graph *graph, const bg__element *element, bool *yields);

#endif
