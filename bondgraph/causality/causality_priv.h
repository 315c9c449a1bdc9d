/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of a causality. Not installed. */
#ifndef BONDGRAPH_CAUSALITY_PRIV_H
#define BONDGRAPH_CAUSALITY_PRIV_H

#include "bondgraph/causality.h"
#include "bondgraph/causality/causal_order.h"
#include "bondgraph/causality/strokes.h"

struct bg_causality {
    ha_ctx *ctx;
    bg__system *system;
    bg__strokes strokes;
    bg_class kind;
    int order;                     /* with all positions of constraints taken as independent */
    int *first_scalar;             /* (bonds of the multibond graph) its first scalar bond */
    int n_bonds;                   /* of the multibond graph */
    int n_user_bonds;              /* scalar bonds of them all; the inner ones follow */
    HA_ARRAY(int) roles[BG_OTHER]; /* scalar elements of each role, by name */
    ha__arena arena;
    HA_ARRAY(const char *) loops; /* names of the elements of each loop */
    HA_ARRAY(const char *) tears; /* names of the tearing variables */
};

/* The status with which equations of this class cannot be solved; HA_OK: they can. */
ha_status bg__class_status(bg_class kind);

/* Adds the diagnostic of a conflict: the elements that contradict each other and the path. */
HA_MUST_CHECK ha_status bg__report_conflict(const bg_causality *causality);

/* Marks the scalar bonds that have a part in a conflict, for pictures; the others stay as they are.
 */
HA_MUST_CHECK ha_status bg__mark_conflict(const bg_causality *causality, bool *is_marked);

/* Tells of each scalar bond whose effort or flow is in an algebraic loop the number of that, from
   1; the others stay as they are. */
HA_MUST_CHECK ha_status bg__mark_loops(const bg_causality *causality, int *loop_of);

/* Lists the loops and their tearing variables by name. */
HA_MUST_CHECK ha_status bg__report_loops(bg_causality *causality);

#endif
