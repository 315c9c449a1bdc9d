/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The contract of a joint model: what stands for the rows of a joint in the bond graph. A joint
 * type says what the joint is (its rows and free directions), its model how the rows are held:
 * exactly, by multipliers, or by something that gives way. A new model is one file joint_model_x.c
 * and one row of joint_models.def. Not installed.
 */
#ifndef MECH2D_JOINT_MODEL_H
#define MECH2D_JOINT_MODEL_H

#include "mech2d/mechanism.h"
#include "mech2d/mechanism/joint.h"

struct m2d__connection;
struct m2d__expander;
struct m2d__rowset;

/* What was given for a key of a model. */
typedef struct m2d__model_setting {
    int n_values;          /* 0: not given */
    const ha_expr *values; /* (n_values) */
    ha_where where;
} m2d__model_setting;

/* A model of a joint. */
typedef struct m2d__joint_model {
    const char *name;     /* as written in model files */
    const char *title;    /* what it is, a sentence for the manual */
    const m2d__key *keys; /* (n_keys) settings of its own, in no joint type */
    int n_keys;
    const char *joint_type; /* the only type of joint that it is for; NULL: any */
    int n_bonds;            /* to each end for the rows; 0: one */
    bool is_exact;          /* the rows are constraints, which the rows of motions join */

    /* HA_OK when the settings, each well formed, go together and with the joint's type. NULL: they
       always do. */
    ha_status (*check)(m2d_mechanism *mechanism, const m2d_joint_def *def,
                       const struct m2d__connection *joint);

    /* Adds what holds the rows of the set, which has at least one; fills the force and torque on
       the second body at its point, in inertial axes. */
    ha_status (*expand)(struct m2d__expander *expander, const struct m2d__connection *joint,
                        struct m2d__rowset *set, ha_expr reaction[3]);

    /* The largest stiffness in any direction, of its rows of a length [N/m] and of an angle
       [N.m/rad]. NULL: none. */
    void (*stiffness)(struct m2d__expander *expander, const struct m2d__connection *joint,
                      ha_expr *of_lengths, ha_expr *of_angles);

    /* How deep a body of this mass [kg] goes at least that falls through the clearance with this
       acceleration [m/s2], in m. NULL: nothing touches. */
    ha_expr (*depth)(struct m2d__expander *expander, const struct m2d__connection *joint,
                     ha_expr mass, double acceleration);
} m2d__joint_model;

#define X(model) extern const m2d__joint_model model;
#include "mech2d/joint_models.def"
#undef X

/* The model of this name, NULL: the first; NULL when there is none. */
const m2d__joint_model *m2d__joint_model_find(const char *name);

/* Model number `i` from 0, NULL behind the last. */
const m2d__joint_model *m2d__joint_model_at(size_t i);

/* The first model that has a key of this name, NULL when there is none. */
const m2d__joint_model *m2d__joint_model_with(const char *key);

/* Number of the key of this name of a model, -1 when it has none. */
int m2d__joint_model_key(const m2d__joint_model *model, const char *key);

#endif
