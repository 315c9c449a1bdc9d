/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What forces on one coordinate phi with a spring and a damper share: the settings of both, by
 * numbers or by laws over q and f, and the row of phi. Not installed.
 */
#ifndef MECH2D_FORCE_ELASTIC_H
#define MECH2D_FORCE_ELASTIC_H

#include "mech2d/expand/expand_priv.h"

/* The shared settings, first in the table of such a force; its own follow. */
enum { M2D__STIFFNESS, M2D__DAMPING, M2D__SPRING, M2D__ENERGY, M2D__DAMPER, M2D__N_ELASTIC };

/* Their rows, by the kind of phi. */
#define M2D__ELASTIC_KEYS(STIFFNESS_OF, DAMPING_OF, EFFORT_OF)                                     \
    [M2D__STIFFNESS] = { .name = "stiffness",                                                      \
                         .n_values = 1,                                                            \
                         .quantities = { STIFFNESS_OF },                                           \
                         .is_constant = true,                                                      \
                         .is_positive = true },                                                    \
    [M2D__DAMPING] = { .name = "damping",                                                          \
                       .n_values = 1,                                                              \
                       .quantities = { DAMPING_OF },                                               \
                       .is_constant = true,                                                        \
                       .is_positive = true },                                                      \
    [M2D__SPRING] = { .name = "spring",                                                            \
                      .n_values = 1,                                                               \
                      .quantities = { EFFORT_OF },                                                 \
                      .is_optional = true,                                                         \
                      .law = M2D__LAW_OF_Q },                                                      \
    [M2D__ENERGY] = { .name = "energy",                                                            \
                      .n_values = 1,                                                               \
                      .quantities = { HA__QUANTITY_ENERGY },                                       \
                      .is_optional = true,                                                         \
                      .law = M2D__LAW_OF_Q },                                                      \
    [M2D__DAMPER] = { .name = "damper",                                                            \
                      .n_values = 1,                                                               \
                      .quantities = { EFFORT_OF },                                                 \
                      .is_optional = true,                                                         \
                      .law = M2D__LAW_OF_Q_F }

#define M2D__ELASTIC_LENGTH_KEYS                                                                   \
    M2D__ELASTIC_KEYS(HA__QUANTITY_STIFFNESS, HA__QUANTITY_DAMPING, HA__QUANTITY_FORCE)
#define M2D__ELASTIC_ANGLE_KEYS                                                                    \
    M2D__ELASTIC_KEYS(HA__QUANTITY_ANGULAR_STIFFNESS, HA__QUANTITY_ANGULAR_DAMPING,                \
                      HA__QUANTITY_TORQUE)

/* True when an optional setting is given. */
bool m2d__is_given(const m2d__connection *force, int key);

/* The number that a constant setting has. */
double m2d__setting_number(ha_dag *dag, const m2d__connection *force, int key);

/* True when the spring is given by its effort or its energy. */
bool m2d__has_spring_law(const m2d__connection *force);

/* HA_OK when neither the spring nor the damper is given twice. */
HA_MUST_CHECK ha_status m2d__check_elastic(m2d_mechanism *mechanism, const m2d__connection *force,
                                           const m2d_connection_def *def);

/* The row of phi: the length between two points, or a direction of a joint. `set` and `row` as for
   m2d__expand_direction(). */
HA_MUST_CHECK ha_status m2d__expand_elastic(m2d__expander *x, const m2d__connection *force,
                                            m2d__row *row, m2d__rowset *set);

#endif
