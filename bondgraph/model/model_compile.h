/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files that compile equations share. Not installed. */
#ifndef BONDGRAPH_MODEL_COMPILE_H
#define BONDGRAPH_MODEL_COMPILE_H

#include "bondgraph/model/model_priv.h"
#include "lib/expr/expr_switch.h"

/* An entry of the Jacobian under way. */
typedef struct {
    int row, column;
    ha_expr value;
    ha_expr by_y, by_yp; /* HA_EXPR_NONE: 0 */
} entry;

typedef struct bg__compiler {
    const bg_equations *q;
    ha_dag *dag; /* of the equations, which do not change by what is added to it */
    bg_model *m;
    ha__switches switches;
    ha_expr *rows;  /* (rows) the equations with their sides held */
    ha_expr *rates; /* (3 + losses) the powers likewise */
    int *hold_side; /* (holds) number of the switching function of each */
    size_t *wanted; /* (n_wanted) numbers of those wanted among the outputs of the equations */
    size_t n_wanted;
    ha_expr *kept; /* (1 + checks) stored energy and constraints likewise */
    HA_ARRAY(ha_expr) inputs;
    int *column_of; /* by node: unknown of which it is y: k; y': n + k; -1: neither */
    int n_nodes;
    HA_ARRAY(entry) entries;
    int *last; /* by column: 1 + the last entry of it, 0: none */
    bool *is_differential;
    bool has_solved_states; /* unknowns that are no multipliers, and not differential either */
    /* Compiles the derivatives for a linearisation, bg__model_compile_linear(); NULL: none are
       wanted. A program that only runs models does not link it then. */
    ha_status (*linear)(struct bg__compiler *c);
    bool is_followed;     /* those are wanted, too, that deviations at events need */
    bool is_for_explicit; /* the start system is wanted as a tape */
} bg__compiler;

/* A copy of a text that lives as long as the model; NULL without memory. */
const char *bg__model_keep(bg_model *model, const char *text);

/* Adds the tape of a kind, of n expressions of the inputs. */
HA_MUST_CHECK ha_status bg__model_add_tape(bg__compiler *c, bg__tape_kind kind,
                                           const ha_expr *roots, size_t n);

/* Sets `*is_so` when an expression reads what no error test keeps accurate: a derivative or an
   algebraic unknown. */
HA_MUST_CHECK ha_status bg__model_reads_solved(bg__compiler *c, ha_expr e, int *is_so);

/* model_watch.c: compiles the switching functions, what is held between events, and what else the
   solver watches, in this order. */
HA_MUST_CHECK ha_status bg__model_compile_switches(bg__compiler *c);
HA_MUST_CHECK ha_status bg__model_compile_holds(bg__compiler *c);
HA_MUST_CHECK ha_status bg__model_compile_watched(bg__compiler *c);

/* model_watch.c: the text of what a switching function compares with 0, cut where it is long. */
HA_MUST_CHECK ha_status bg__model_name_condition(bg__compiler *c, ha_expr g, bool is_turned,
                                                 const char **name);

/* model_vary.c: lists the variables, behind all other inputs; compiles the start values and the
   measures of unknowns, behind the names. */
HA_MUST_CHECK ha_status bg__model_list_variables(bg__compiler *c);
HA_MUST_CHECK ha_status bg__model_compile_initial(bg__compiler *c);

/* model_signals.c: compiles what depends on the time alone, behind the outputs. */
HA_MUST_CHECK ha_status bg__model_compile_signals(bg__compiler *c);

/* model_start.c: compiles the start system behind the Jacobian; one tape for K and the rows at x =
   0, so that what they share is computed once. Empty where the equations are not affine in x, or
   where nobody asks for it. */
HA_MUST_CHECK ha_status bg__model_compile_start(bg__compiler *c);

/* model_tested.c: sets the kinds of the unknowns, behind the Jacobian. */
HA_MUST_CHECK ha_status bg__model_choose_tested(bg__compiler *c);

/* model_outputs.c: chooses the outputs wanted, those of these names or of which they are parts;
   NULL: all. HA_ERR_NAME for a name that is none, with the nearest. */
HA_MUST_CHECK ha_status bg__model_choose_outputs(bg__compiler *c, const char *const *wanted,
                                                 int n_wanted);

/* model_outputs.c: adds the outputs chosen. */
HA_MUST_CHECK ha_status bg__model_compile_outputs(bg__compiler *c);

/* model_linear.c: compiles the derivatives for a linearisation, behind the outputs. */
HA_MUST_CHECK ha_status bg__model_compile_linear(bg__compiler *c);

/* Edges of outputs under way, and what of them is on the tape. */
typedef struct {
    HA_ARRAY(bg__edge) edges;
    HA_ARRAY(ha_expr) roots;
} bg__edges;

/* model_edges.c: adds the edges of an output to those under way; the output has a derivative on
   them then. */
HA_MUST_CHECK ha_status bg__edges_add(bg__compiler *c, bg__edges *edges, int output,
                                      ha_expr *value);

#endif
