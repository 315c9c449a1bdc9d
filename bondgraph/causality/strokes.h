/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sequential assignment of strokes. Not installed. */
#ifndef BONDGRAPH_STROKES_H
#define BONDGRAPH_STROKES_H

#include "bondgraph/causality.h"
#include "bondgraph/elements/causal_system.h"

/* Why a stroke is where it is. */
typedef enum bg__why {
    BG__WHY_FOLLOWS,   /* from other strokes, by the element's rule */
    BG__WHY_FIXED,     /* the element has one sense */
    BG__WHY_PINNED,    /* its value leaves it one sense */
    BG__WHY_CHOSEN,    /* preferred, and possible */
    BG__WHY_REFUSED,   /* the preferred way contradicts strokes that are there */
    BG__WHY_INCOMPLETE /* with the preferred way the strokes cannot be completed */
} bg__why;

/* A step of the assignment: a stroke was set. */
typedef struct bg__step {
    int bond;
    int reason; /* the element whose rule, sense or preference asked for it */
    bg__why why;
} bg__step;

/* What the assignment found. */
typedef struct bg__strokes {
    bg_class outcome;         /* BG_CLASS_COUNT: complete; or BG_CONFLICT, BG_NON_INVERTIBLE */
    HA_ARRAY(bg__step) trail; /* the steps in order, those undone left out */
    int conflict;             /* the element at which it failed, -1: none */
    int culprit;              /* the element that was being served when it failed, -1: none */
    HA_ARRAY(int) contest;    /* elements that contradict each other, when no completion exists */
} bg__strokes;

/* Assigns strokes to system->heads, those that are certain when there is no causality. */
HA_MUST_CHECK ha_status bg__strokes_assign(bg__system *system, bg__strokes *out);

/* Frees what it holds. */
void bg__strokes_clear(bg__strokes *strokes);

#endif
