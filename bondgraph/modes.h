/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Modes of vibration of a compiled model at an operating point: eigenvalues of the linear model,
 * with what each does to the outputs, and where its energy sits.
 */
#ifndef BONDGRAPH_MODES_H
#define BONDGRAPH_MODES_H

#include "bondgraph/linearise.h"

HA_BEGIN_DECLS

/** A real eigenvalue, or a conjugate pair by the one with the positive imaginary part. */
typedef struct bg_mode {
    double eigenvalue[2]; /**< real and imaginary part [1/s] */
    double *outputs;      /**< (n_outputs x 2) deviation of each output, complex; the largest state
                               is 1 in units of its usual size */
    double *second;       /**< (n_outputs) what the mode does to the rate of each output [SI/s] in
                               second order: that at the operating point with the displacements of
                               the mode as velocities and no independent acceleration, the real
                               and the imaginary part summed; NULL where something moves, or of
                               no outputs */
} bg_mode;

/** The modes of a model. */
typedef struct bg_modal {
    int n_modes;         /**< number of modes */
    int n_rigid;         /**< the first of these, with the eigenvalue 0, by the rank of the model */
    bg_mode *modes;      /**< (n_modes) by magnitude of the eigenvalue */
    int n_outputs;       /**< number of outputs */
    char **outputs;      /**< (n_outputs) names */
    double *values;      /**< (n_outputs) at the operating point [SI]; NULL as `second` */
    int n_states;        /**< number of states of the linear model */
    bool is_equilibrium; /**< nothing moves at the operating point; else these are no modes */
    double velocity;     /**< largest rate of a coordinate there [SI] */
    double acceleration; /**< largest rate of another state there [SI] */
    double residual; /**< largest relative error of a mode in the equations of the whole model */
    char **sides; /**< (n_sides) conditions of switches and the side they are on, and signals that
                       are held */
    int n_sides;  /**< number of these */
} bg_modal;

/**
 * Finds modes of a model that bg_model_compile_linear() made. All are found for up to 300 states;
 * above, those of the lowest frequencies, by a Krylov method on the sparse equations.
 * @param n_lowest at most so many modes; 0: all up to 300 states, else ten
 * @param out      to be freed with bg_modal_clear(), also on failure
 * @return as bg_linearise()
 */
HA_MUST_CHECK ha_status bg_modes(ha_ctx *ctx, const bg_model *model,
                                 const bg_operating_point *point, int n_lowest, bg_modal *out);

/** Which energy of a mode. */
typedef enum bg_mode_energy {
    BG_MODE_KINETIC,     /**< stored by inertias */
    BG_MODE_POTENTIAL,   /**< stored by springs and capacitors, and by weight */
    BG_MODE_DISSIPATION, /**< lost in resistors */
    BG_MODE_ENERGY_COUNT /**< number of kinds */
} bg_mode_energy;

/** What one element has of the energy of a mode, averaged over a cycle. */
typedef struct bg_mode_share {
    const char *element; /**< name in the scalar graph; borrowed from the causality */
    bg_mode_energy kind; /**< which energy */
    int bond;            /**< printed number of its first bond in the scalar graph */
    double share;        /**< of the sum over all elements of that kind, which is 1 */
} bg_mode_share;

/**
 * The outputs that bg_mode_shares() reads: effort and flow of the bonds of all elements that store
 * or lose energy, which bg_equations_add_bonds() makes.
 * @param names to be freed, each and all, with free()
 * @param n     number of names
 * @return HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_mode_outputs(ha_ctx *ctx, const bg_causality *causality, char ***names,
                                        int *n);

/**
 * Where the energy of a mode sits. With the complex amplitudes of effort e and flow f of a bond
 * into an element, momentum and displacement are e / lambda and f / lambda: an inertia has Re(e /
 * lambda conj f) / 2, a spring Re(e conj(f / lambda)) / 2, a resistor loses Re(e conj f) / 2. An
 * effort e0 at rest works in second order: a spring, or a source with a potential as weight is, has
 * e0 / 2 times `second` of its flow besides. So a pendulum has its potential energy in its weight,
 * and what is negative drives away. A rigid mode has none, and there are none where something
 * moves.
 * @param mode   the number of the mode, from 0
 * @param shares to be freed with free(): one of each element that has any
 * @param n      number of shares
 * @return HA_ERR_MEMORY, HA_ERR_NAME (an output is missing)
 */
HA_MUST_CHECK ha_status bg_mode_shares(ha_ctx *ctx, const bg_causality *causality,
                                       const bg_modal *modal, int mode, bg_mode_share **shares,
                                       int *n);

/** The shapes of all modes of a model, by the energy in its storages; zero-initialised is that of a
    model without modes. */
typedef struct bg_mode_shapes {
    int n_modes;  /**< number of modes, as in bg_modal */
    int n_parts;  /**< ports of storages */
    char **parts; /**< (n_parts) `NAME:PORT`, the element and the number of its port from 1 */
    double *eigenvalues; /**< (n_modes x 2) real and imaginary part [1/s] */
    double *shapes; /**< (n_modes x n_parts x 2) complex, of length 1: of an inertia sqrt(m) times
                         the flow, of a spring sqrt(k) times the displacement; 0 of a rigid mode,
                         and of one that stores nothing */
} bg_mode_shapes;

/**
 * The shapes of modes, to follow them to those of another model.
 * @param modal of a model compiled with bg_mode_outputs()
 * @param out   to be freed with bg_mode_shapes_clear(), also on failure
 * @return HA_ERR_MEMORY, HA_ERR_NAME (an output is missing)
 */
HA_MUST_CHECK ha_status bg_mode_shapes_find(ha_ctx *ctx, const bg_causality *causality,
                                            const bg_modal *modal, bg_mode_shapes *out);

/**
 * Follows modes to those of a model with another value. The likeness (MAC) of shapes a and b is
 * |conj(a)' b|^2: 1 for the same one, and 0 for two modes of a model that loses nothing and stores
 * its energy in inertias and springs. Modes with one eigenvalue, to 1e-7, are compared as the space
 * they span, and turned in it to what they follow, so that branches that cross at just this value
 * keep their shapes. Storages that only one of the models has count for nothing.
 * @param before   the modes at the value before
 * @param now      the modes at this one; those with one eigenvalue are turned
 * @param partner  (now->n_modes) which mode before each follows; -1: none, as of rigid ones
 * @param likeness (now->n_modes) of the two, 0 to 1; NaN where there is no partner or no energy
 * @return HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_mode_shapes_match(ha_ctx *ctx, const bg_mode_shapes *before,
                                             bg_mode_shapes *now, int *partner, double *likeness);

/** Frees what it holds. */
void bg_mode_shapes_clear(bg_mode_shapes *shapes);

/** Frees what it holds. */
void bg_modal_clear(bg_modal *modal);

HA_END_DECLS

#endif
