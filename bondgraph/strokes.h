/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sequential assignment of strokes. Not installed. */
#ifndef BONDGRAPH_STROKES_H
#define BONDGRAPH_STROKES_H

#include "bondgraph/causality.h"
#include "bondgraph/system.h"

/* A step of the assignment: a stroke was set. */
typedef struct bg__step {
    int bond;
    int reason;       /* the element whose rule asked for it */
    bool is_decision; /* the element's own sense or preference, not a consequence */
} bg__step;

/* What the assignment found. */
typedef struct bg__strokes {
    bg_class outcome; /* BG_CLASS_COUNT: complete; or BG_CONFLICT, BG_NON_INVERTIBLE, BG_UNDECIDED */
    HA_ARRAY(bg__step) trail; /* the steps in order, those undone left out */
    int conflict;     /* the element at which it failed, -1: none */
    int culprit;      /* the element that was being served when it failed, -1: none */
} bg__strokes;

/* Assigns strokes to system->heads; diagnostics name what stands in the way. */
HA_MUST_CHECK ha_status bg__strokes_assign(bg__system *system, bg__strokes *out);

/* Frees the trail. */
void bg__strokes_clear(bg__strokes *strokes);

#endif
