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

/*
 * Tests the sorted system of a causality, before anything is made of its loops: sets its order and,
 * where the equations are singular, its class to BG_STRUCTURALLY_SINGULAR or BG_SINGULAR_AT_VALUES
 * with a diagnostic that names the elements concerned.
 */
HA_MUST_CHECK ha_status bg__test_solvable(bg_causality *causality);

/*
 * Proves by the balance of power that loops are regular, in linear time: sets is_proved (n_loops)
 * of those of which it does, provided that the others are regular; leaves the rest as it is.
 */
HA_MUST_CHECK ha_status bg__prove_loops(const bg__system *system, bool *is_proved);

/* Likewise, that all loops being regular the system is regular and its order the number of its
   states, although storages depend; implicit constraints being left out. */
HA_MUST_CHECK ha_status bg__prove_states(const bg__system *system, bool *is_proved);

/* Adds the diagnostic of a singular system of the causality's class. */
HA_MUST_CHECK ha_status bg__report_singular(const bg_causality *causality, const bg__pencil *pencil,
                                            const bg__dependence *dependence);

/* What a value of 0 of an element means to the user where its flow is not determined; in the arena,
   NULL after a diagnostic. */
const char *bg__absence_text(ha_ctx *ctx, ha__arena *arena, const bg__element *element);

#endif
