/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The equations of a causal graph, in causal order: derived, completed, written.
 */
#ifndef BONDGRAPH_EQUATIONS_H
#define BONDGRAPH_EQUATIONS_H

#include "bondgraph/causality.h"

HA_BEGIN_DECLS

/** The equations of a causal graph. */
typedef struct bg_equations bg_equations;

/**
 * Derives the equations by walking the strokes.
 * @return the causality's own status when it is unsound; HA_ERR_UNSUPPORTED when a
 *         derivative is missing or an equation would have to be differentiated twice, named in the
 *         diagnostic; HA_ERR_SINGULAR when everything cancels in an equation of a loop;
 *         HA_ERR_NAME (an expression reads a quantity that its element does not have);
 *         HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_equations_derive(const bg_causality *causality, bg_equations **out);

/**
 * As bg_equations_derive(), with inputs for a linearisation: small deviations from what the model
 * says. An input is named by its element: a source (`Se`, `V.e`, `push.x`), whose effort or flow
 * deviates, or the residual sink of a prescribed motion (`O.drive`), whose coordinate deviates; or
 * it is a parameter (`m`, `parameters.m`), whose value deviates. The equations mean the same as
 * without inputs where the deviations are 0.
 * @param inputs (n_inputs) names
 * @return HA_ERR_NAME for a name that is none, with the nearest one; HA_ERR_ARGUMENT for an element
 *         that is neither a source nor a residual sink; what bg_equations_derive() returns
 */
HA_MUST_CHECK ha_status bg_equations_derive_with(const bg_causality *causality,
                                                 const char *const *inputs, int n_inputs,
                                                 bg_equations **out);

/**
 * As bg_equations_derive(), with parameters that stay variables: a model compiled from the
 * equations can be given other values of them (bg_model_copy(), bg_model_set()). What was decided
 * by their values before the equations are derived, as which constraints are redundant, stays as it
 * was.
 * @param variables (n_variables) names of parameters (`m`, `parameters.m`), each defined as a
 * number
 * @return HA_ERR_NAME for a name that is no parameter, with the nearest one; what
 *         bg_equations_derive() returns
 */
HA_MUST_CHECK ha_status bg_equations_derive_varied(const bg_causality *causality,
                                                   const char *const *variables, int n_variables,
                                                   bg_equations **out);

/** Frees them; NULL is legal. */
void bg_equations_free(bg_equations *equations);

/** How equations depend on the time. */
typedef struct bg_drive {
    int is_driven; /**< not 0: they read the time */
    double period; /**< after which they repeat [s]; 0: none is known, or they do not read the
                        time; where they prescribe an angle that grows they repeat with its
                        turns */
    const char
        *breaks; /**< an equation in which the time stands otherwise than in periodic
                      functions and in angles; NULL: there is none; borrowed from the equations */
} bg_drive;

/** Finds out whether equations repeat with the time, from their expressions. HA_ERR_MEMORY. */
HA_MUST_CHECK ha_status bg_equations_drive(const bg_equations *equations, bg_drive *out);

/**
 * Takes a redundant constraint out: the multiplier of the implicit residual sink `name` ("O.x") is
 * held at zero instead of its flow, which others keep at zero already and which is still watched.
 * @return HA_ERR_NAME when there is no such sink; HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_equations_release(bg_equations *equations, const char *name);

/**
 * Makes the effort and the flow of every scalar bond outputs, `#N.e` and `#N.f`, where N is the
 * number of the bond in the scalar graph (bg_graph_bond_number()); both are as the half arrow
 * counts them, so that their product is the power in its direction. No name that a user gives
 * starts with `#`; as wanted output `#` names them all. They stand behind all others in order of
 * the scalar graph's bonds, effort first.
 * @param causality that the equations were derived from
 * @param n         how many there are
 */
HA_MUST_CHECK ha_status bg_equations_add_bonds(bg_equations *equations,
                                               const bg_causality *causality, int *n);

/**
 * Makes the energy that went into each element that dissipates an output, `#dissipated.NAME` [J],
 * NAME being that of the scalar graph; the solver integrates it from step to step as it does
 * `energy.dissipated`, which is the sum of all. As wanted output `#dissipated` names them all.
 * @param causality that the equations were derived from
 * @param n         how many there are
 */
HA_MUST_CHECK ha_status bg_equations_add_losses(bg_equations *equations,
                                                const bg_causality *causality, int *n);

/**
 * The equations as text, in causal order, before anything is inserted: values, assignments,
 * algebraic loops, differential equations, constraints. To be freed with free().
 * @return HA_ERR_CAUSALITY when the graph has no complete causality; what bg_equations_derive()
 *         returns where the rows cannot be brought to index 1; HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_equations_text(const bg_causality *causality, char **out);

/**
 * As bg_equations_text(), as a LaTeX document that compiles by itself (amsmath, geometry): `R1.f`
 * is an f with the index R1, whatever the name; long sums and lists break over lines and pages.
 */
HA_MUST_CHECK ha_status bg_equations_latex(const bg_causality *causality, char **out);

/**
 * The derived equations as a C17 file that needs <math.h> only: the residual F(t, y, y') that the
 * solver gets, in the same arithmetic and with its jumps in it, the names of the unknowns and their
 * start values. Parameters are inserted; a comment lists them. To be freed with free().
 * @param causality that the equations were derived from
 * @param start     (number of unknowns) start values; NULL: those of the graph
 * @return HA_ERR_UNSUPPORTED when an equation reads what is no argument of the residual;
 *         HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_equations_c(const bg_equations *equations, const bg_causality *causality,
                                       const double *start, char **out);

HA_END_DECLS

#endif
