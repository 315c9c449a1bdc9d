/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From strokes to equations in causal order. Not installed. */
#ifndef BONDGRAPH_CAUSAL_ORDER_H
#define BONDGRAPH_CAUSAL_ORDER_H

#include "bondgraph/elements/causal_system.h"

/* Emits the laws of all elements; all strokes must be assigned. */
HA_MUST_CHECK ha_status bg__system_emit(bg__system *system);

/* Orders the definitions causally and finds the loops. */
HA_MUST_CHECK ha_status bg__system_sort(bg__system *system);

/* Chooses the signals that are solved for where loops are and makes unknowns and rows of them; what
   else is in the loops then follows in causal order (tear.c). */
HA_MUST_CHECK ha_status bg__system_tear(bg__system *system);

/* Makes unknowns of signals where inserting them would fill in the rows (fill.c). */
HA_MUST_CHECK ha_status bg__system_keep_signals(bg__system *system);

/* Has each such signal stand for its unknown in `dag`, a copy of the graph's. */
void bg__system_use_kept(const bg__system *system, ha_dag *dag);

/* The edges needed -> reader of the sorted definitions as two lists of needs.count numbers, both to
   be freed with ha__free(), also on failure. */
HA_MUST_CHECK ha_status bg__system_edges(const bg__system *system, int **from, int **to);

/* Inserts the rates in causal order into `dag`, a copy of the graph's, so that every symbol can be
   resolved there; loops must be torn. */
HA_MUST_CHECK ha_status bg__system_derive(const bg__system *system, ha_dag *dag);

/* Takes the meaning of every constant other than 0 away, in a copy of the graph's `dag`. */
void bg__forget_values(ha_dag *dag);

#endif
