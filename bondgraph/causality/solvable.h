/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the equations of a causal graph can be solved, and their order. Not installed. */
#ifndef BONDGRAPH_SOLVABLE_H
#define BONDGRAPH_SOLVABLE_H

#include "bondgraph/causality/causality_priv.h"
#include "bondgraph/causality/pencil.h"

/* What the columns and rows that depend on each other are called: entries other than 0 (n). */
typedef struct bg__dependence {
    uint64_t *right, *left;
} bg__dependence;

/* What the test of a system has found. */
typedef struct bg__solvability {
    bg_class kind; /* BG_STRUCTURALLY_SINGULAR, BG_SINGULAR_AT_VALUES, BG_CLASS_COUNT: regular */
    int order;     /* of a regular system; else 0 */
} bg__solvability;

/*
 * Tests the sorted system of a causality, before anything is made of its loops. Adds a diagnostic
 * that names the elements concerned where the equations are singular.
 */
HA_MUST_CHECK ha_status bg__test_solvable(const bg_causality *causality, bg__solvability *out);

/*
 * Proves by the balance of power that loops are regular, in linear time: sets is_proved (n_loops)
 * of those of which it does, provided that the others are regular; leaves the rest as it is.
 */
HA_MUST_CHECK ha_status bg__prove_loops(const bg__system *system, bool *is_proved);

/* Likewise, that all loops being regular the system is regular and its order the number of its
   states, although storages depend; implicit constraints being left out. */
HA_MUST_CHECK ha_status bg__prove_states(const bg__system *system, bool *is_proved);

/* Adds the diagnostic of a system that is singular in the way `kind` says. */
HA_MUST_CHECK ha_status bg__report_singular(const bg_causality *causality, bg_class kind,
                                            const bg__pencil *pencil,
                                            const bg__dependence *dependence);

/* What a value of 0 of an element means to the user where its flow is not determined; in the arena,
   NULL after a diagnostic. */
const char *bg__absence_text(ha_ctx *ctx, ha__arena *arena, const bg__element *element);

#endif
