/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The work of a search for modes, shared by its parts. Not installed. */
#ifndef BONDGRAPH_MODES_PRIV_H
#define BONDGRAPH_MODES_PRIV_H

#include "bondgraph/analysis/linear_priv.h"
#include "bondgraph/modes.h"

/* The work. */
typedef struct {
    bg__linearisation *l;
    bg_modal *out;
    double *unit;   /* (n_states) size of each state */
    double *x;      /* (n_states x 2) of the mode at hand, in these units */
    double *shapes; /* (modes x n_states x 2) x of all modes */
} bg__mode_search;

/* modes.c: one part of the mode at hand: the unknowns of x into l->column; and solves for their
   rates. */
void bg__mode_take_unknowns(bg__mode_search *s, int part);
void bg__mode_take_part(bg__mode_search *s, int part);

/* modes.c: adds the mode at hand: largest state 1, its outputs. */
HA_MUST_CHECK ha_status bg__mode_add(bg__mode_search *s, const double *lambda);

/* modes_sparse.c: the lowest modes of a large model. */
HA_MUST_CHECK ha_status bg__modes_find_sparse(bg__mode_search *s, int n_lowest);

/* modes_second.c: what all modes do to the outputs in second order, and the outputs at rest. The
   derivatives of the linearisation are those of another point then. */
HA_MUST_CHECK ha_status bg__modes_find_second(bg__mode_search *s);

/* mode_energy.c: the number of the output that is effort ('e') or flow ('f') of a bond; searched
   from `*next` on, which becomes the one behind it. */
HA_MUST_CHECK ha_status bg__mode_column(const struct bg__system *s, const bg_modal *modal, int bond,
                                        char what, int *next, int *column);

#endif
