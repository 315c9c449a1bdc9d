/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the strokes that are still open can be completed. Not installed. */
#ifndef BONDGRAPH_COMPLETION_H
#define BONDGRAPH_COMPLETION_H

#include "bondgraph/elements/causal_system.h"

/* A completion of the open bonds of a system, adjusted as strokes are settled. */
typedef struct bg__completion bg__completion;

/*
 * Of all bonds without stroke. `n_in` (elements): ports with ein = 1 so far; `order` (elements): in
 * which the answer does not depend on how the graph was built; `guess` (bonds): strokes at the head
 * to start from, -1: none.
 */
HA_MUST_CHECK ha_status bg__completion_new(const bg__system *system, const int *n_in,
                                           const int *order, const signed char *guess,
                                           bg__completion **out);

/* Frees it; NULL is legal. */
void bg__completion_free(bg__completion *completion);

/* Looks for a completion; -1, or an element whose rule cannot be obeyed together with the others.
   In the latter case only bg__completion_contests() may be asked. */
HA_MUST_CHECK int bg__completion_find(bg__completion *completion);

/* When there is none: true for the junctions and converters whose rules contradict each other. A
   port more that is free, at any of those that can have one, would settle it. */
bool bg__completion_contests(const bg__completion *completion, int element);

/* Settles the stroke of a bond that was open; false: no completion has it there. */
HA_MUST_CHECK bool bg__completion_settle(bg__completion *completion, int bond, int head);

/* The stroke that a bond has in the completion at present: 1 at the head, 0 at the tail. */
int bg__completion_head(const bg__completion *completion, int bond);

#endif
