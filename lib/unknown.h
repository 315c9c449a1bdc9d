/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * An unknown of a differential-algebraic system: all that is known of it, from the element that it
 * comes from to the solver.
 */
#ifndef LIB_UNKNOWN_H
#define LIB_UNKNOWN_H

#include "lib/status.h"

HA_BEGIN_DECLS

/** What an unknown is for the solver. */
typedef enum ha_unknown_kind {
    HA_DIFFERENTIAL,     /**< its derivative appears; its start value is given; in the error test */
    HA_ALGEBRAIC,        /**< no derivative appears; its start value is solved for; not in the error
                             test: for multipliers, which the differential unknowns keep accurate */
    HA_ALGEBRAIC_TESTED, /**< as HA_ALGEBRAIC but in the error test: for an unknown that can change
                             while no differential unknown does (an algebraic loop driven by a
                             source), because rows between two steps are interpolated. Without a
                             differential unknown all algebraic ones are in the test. */
    HA_ALGEBRAIC_NONLINEAR /**< as HA_ALGEBRAIC, and some equation is not linear in it, also with
                             the differential and the tested ones held: Newton's method goes on
                             until it has converged in this one too */
} ha_unknown_kind;

/** What an unknown is in a motion that is kept to conditions; only differential ones take part. */
typedef enum ha_motion {
    HA_NO_MOTION, /**< neither of the following */
    HA_POSITION,  /**< its equation, of the same number, is q' = a sum of velocities and others */
    HA_VELOCITY   /**< its equation, of the same number, holds the mass times its derivative */
} ha_motion;

/** An unknown of the system. Zeros are right for all but the name and the scale. */
typedef struct ha_dae_unknown {
    const char *name;                                 /**< "K1.omega"; borrowed from the model */
    ha_unknown_kind kind;                             /**< differential or algebraic */
#define MEASURE(field, value, sentence) double field; /**< see lib/unknown.def; 0: not given */
#include "lib/unknown.def"
#undef MEASURE
    ha_motion motion; /**< what moves when drift is taken back */
    double start;     /**< its value at t = 0, of an algebraic one a guess */
    int is_stored;    /**< not 0: the state of a storage of energy */
} ha_dae_unknown;

HA_END_DECLS

#endif
