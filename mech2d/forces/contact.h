/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two bodies that touch at one point: what contact forces, clearance joints and sliders are made
 * of. Not installed.
 */
#ifndef MECH2D_CONTACT_H
#define MECH2D_CONTACT_H

#include "mech2d/expand/expand_priv.h"
#include "mech2d/forces/contact_cylinder.h"
#include "mech2d/forces/contact_law.h"
#include "mech2d/forces/friction_law.h"

/* Numbers of the settings behind those of a type's own. */
enum {
#define X(id, name, quantity, excludes_zero, most, choice) M2D__CONTACT_##id,
#include "mech2d/forces/contact_keys.def"
#include "mech2d/forces/friction_keys.def"
#undef X
    M2D__N_CONTACT_KEYS
};

enum {
#define X(id, name, quantity, excludes_zero, most, choice) M2D__FRICTION_##id,
#include "mech2d/forces/friction_keys.def"
#undef X
    M2D__N_FRICTION_KEYS
};

/* A row of a table of keys, for the .def files. */
#define M2D__CONTACT_KEY(id, NAME, QUANTITY, EXCLUDES_ZERO, MOST, CHOICE)                          \
    { .name = (NAME),                                                                              \
      .n_values = 1,                                                                               \
      .quantities = { HA__QUANTITY_##QUANTITY },                                                   \
      .is_optional = true,                                                                         \
      .is_constant = true,                                                                         \
      .is_positive = true,                                                                         \
      .excludes_zero = (EXCLUDES_ZERO),                                                            \
      .most = (MOST),                                                                              \
      .choice = (CHOICE) },

/* The law of a contact, in numbers. */
typedef struct m2d__normal_law {
    const m2d__contact_law *law;
    m2d__stiffness at_rest;
    double chi, damping; /* one of them 0 */
    double least_speed;  /* of approach, where there is less */
} m2d__normal_law;

/* Where two bodies may touch, over the symbols of two ports M and N. */
typedef struct m2d__contact {
    const char *name;         /* "stop" */
    const char *group;        /* of its elements: "stop", or the joint */
    const m2d__port *ends[2]; /* M, N */
    ha_expr depth;            /* above 0 in contact [m] */
    double size;              /* how far bodies fall onto it, about [m] */
    ha_expr deepest;          /* a run ends at this depth [m]; HA_EXPR_NONE: at none */
    ha_expr slip[2][3];       /* d(sliding speed) / d (vx, vy, omega) of each end */
    m2d__normal_law normal;
    m2d__friction friction; /* without friction where mu is 0 */
    ha_where where;
} m2d__contact;

/* Reads the laws of a contact from its settings (M2D__N_CONTACT_KEYS; NAN: not given). A message
   where they do not go together, else NULL. */
const char *m2d__contact_laws(const double *settings, const m2d__touch *touch,
                              m2d__normal_law *normal, m2d__friction *friction);

/* How deep a contact goes that takes up this energy [J], in m. */
ha_expr m2d__contact_depth(ha_dag *dag, const m2d__normal_law *normal, ha_expr energy);

/* Reads friction alone from its settings (M2D__N_FRICTION_KEYS); likewise. */
const char *m2d__friction_of(const double *settings, m2d__friction *out);

/* The numbers of `n` settings of a connection from key `first` on, NAN where they are not given. */
void m2d__contact_numbers(ha_dag *dag, const m2d__connection *connection, int first, int n,
                          double *out);

/* The number of a setting of a joint's model, NAN where it is not given. */
double m2d__model_number(ha_dag *dag, const m2d__connection *joint, int key);

/* The numbers of `n` settings of a joint's model from key `first` on; likewise. */
void m2d__model_numbers(ha_dag *dag, const m2d__connection *joint, int first, int n, double *out);

/* A surface and a disc on it: the depth, the normal n from the surface to the centre of the disc
   (of a hollow one from its centre), and the radius of the disc, negative where the surface is
   hollow. */
typedef struct m2d__geometry {
    ha_expr depth, radius;
    m2d__vector n;
} m2d__geometry;

/* A surface that the first body has about its point M. */
typedef struct m2d__surface {
    const char *name; /* as written in model files */
    bool has_radius;  /* its radius R is above 0 */
    bool is_hollow;
    m2d__geometry (*of)(const m2d__frame *frame, ha_expr R, ha_expr r);
} m2d__surface;

/* Surface number `i` from 0; NULL behind the last. */
const m2d__surface *m2d__surface_at(size_t i);

/* The name of a surface, NULL behind the last. */
const char *m2d__surface_name(size_t i);

/* A hole around a disc. */
const m2d__surface *m2d__surface_socket(void);

/* What the stiffness of a surface of radius R and a disc of radius r depends on. */
m2d__touch m2d__surface_touch(const m2d__surface *surface, double R, double r);

/* The depth at which bodies are about to go through each other, so that they are pushed on instead
   of back; HA_EXPR_NONE: none is. The centres of two discs are next to one another there. */
ha_expr m2d__surface_deepest(const m2d__surface *surface, ha_dag *dag, ha_expr R, ha_expr r);

/* What is wrong with the radii, for a message; NULL: nothing. */
const char *m2d__surface_fault(const m2d__surface *surface, double R, double r);

/* Fills the depth and the moduli of the sliding speed of a contact. Both bodies touch at one point,
   so that forces there close power and momentum. */
void m2d__contact_at(m2d__contact *contact, const m2d__surface *surface, const m2d__frame *frame,
                     ha_expr R, ha_expr r);

/* The moduli of the sliding speed of the bodies at a point P along t, n turned by 90 degrees to the
   left: that of the second body there less that of the first. With omega x a . t = omega a . n all
   that is needed of P is NP . n. */
void m2d__contact_slip(const m2d__frame *frame, m2d__vector n, ha_expr NP_n, ha_expr slip[2][3]);

/* Adds the elements and outputs of a contact; adds the force and torque on the second body at its
   point to `reaction`. */
HA_MUST_CHECK ha_status m2d__expand_contact(m2d__expander *x, const m2d__contact *contact,
                                            ha_expr reaction[3]);

/* Adds friction of this load to the 0-junction of a set of one row: the R `NAME.PART`, whose effort
   goes to `*effort`. */
HA_MUST_CHECK ha_status m2d__add_friction(m2d__expander *x, const m2d__friction *friction,
                                          const char *name, const m2d__rowset *set, ha_expr load,
                                          ha_expr *effort);

#endif
