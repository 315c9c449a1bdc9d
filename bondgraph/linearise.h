/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Linearisation of a compiled model at an operating point: the state space form
 *     dx/dt = A x + B u,   y = C x + D u
 * of small deviations, with the constraints eliminated. The states are independent: constraints,
 * their multipliers, algebraic loops and dependent storages are solved for, and the roots of the
 * Baumgarte stabilisation are not among the eigenvalues. All derivatives are exact.
 */
#ifndef BONDGRAPH_LINEARISE_H
#define BONDGRAPH_LINEARISE_H

#include "bondgraph/model.h"

HA_BEGIN_DECLS

/** What to linearise about. */
typedef struct bg_operating_point {
    double t;        /**< time [s] */
    const double *y; /**< (unknowns) values of the unknowns that are consistent with the
                          constraints; algebraic ones are guesses */
    const char *const *preferred; /**< (n_preferred) unknowns that are wanted as states, the first
                                       ones most (`rod.angle`); others are taken where these are
                                       not independent */
    int n_preferred;              /**< number of these */
    double deviation;             /**< of the first input from what the model says [SI] */
    bool force;                   /**< linearise on the edge of a switch, too, and hold what is
                                       sampled */
} bg_operating_point;

/** A linear model. Matrices are stored by rows. */
typedef struct bg_linear {
    int n_states;    /**< number of states */
    int n_inputs;    /**< number of inputs, rates that count included */
    int n_outputs;   /**< number of outputs */
    char **states;   /**< (n_states) independent coordinates, then their rates, then other
                                storages as `.p` or `.q`, then integrals */
    char **inputs;   /**< (n_inputs) as asked for; where the rate of an input counts too, as of
                                a prescribed motion, it follows as `der(NAME)`, `der(der(NAME))` */
    char **outputs;  /**< (n_outputs) names */
    char **sides;    /**< (n_sides) conditions of switches and the side they are on */
    int n_sides;     /**< number of switches */
    int n_positions; /**< number of states that are independent coordinates; as many rates follow */
    double *a;       /**< (n_states x n_states) */
    double *b;       /**< (n_states x n_inputs) */
    double *c;       /**< (n_outputs x n_states) */
    double *d;       /**< (n_outputs x n_inputs) */
    double *eigenvalues; /**< (n_states x 2) real and imaginary part of each, by magnitude; NULL
                              above 300 states */
    int n_unknowns;      /**< number of unknowns of the model */
    double *shape;       /**< (n_unknowns x n_states) deviation of each unknown for each state; of
                              algebraic ones 0 */
    bool is_equilibrium; /**< nothing moves at the operating point */
    double velocity;     /**< largest rate of an independent coordinate there [SI] */
    double acceleration; /**< largest rate of another state there [SI] */
    const char *fastest; /**< the state with this rate */
    int rank;            /**< number of independent constraints, at both levels */
    double residual;     /**< at an equilibrium, or without constraints: the largest relative
                              error that the checks found; round-off. Else NAN */
} bg_linear;

/**
 * Linearises a model that bg_model_compile_linear() made, of equations with inputs from
 * bg_equations_derive_with().
 * @param out to be freed with bg_linear_clear(), also on failure
 * @return HA_ERR_VALUE (on the edge of a switch, by name; derivatives that are not finite),
 *         HA_ERR_UNSUPPORTED (signals that are sampled, or hold a value at the point, act on
 *         the model, by name),
 *         HA_ERR_SINGULAR (the operating point is singular), HA_ERR_SOLVER (the result fails its
 *         own check), HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_linearise(ha_ctx *ctx, const bg_model *model,
                                     const bg_operating_point *point, bg_linear *out);

/**
 * Warns of signals that are sampled or held and act on the model: a linear model that is had all
 * the same (bg_operating_point.force) has their values constant.
 * @param n number of such signals
 * @return HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_held_warn(ha_ctx *ctx, const bg_model *model, int *n);

/**
 * Notes which signals are noise and what becomes of them in an analysis of what is continuous.
 * @param fate the end of the sentence "the noise `n` is ..."
 * @return HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_held_noise(ha_ctx *ctx, const bg_model *model, const char *fate);

/** Frees what it holds. */
void bg_linear_clear(bg_linear *linear);

HA_END_DECLS

#endif
