/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files that read model files share. Not installed.
 *
 * A reader goes on after an error, to report as many as it can: what could not be read is replaced
 * by a harmless value, and the status of the first error is kept.
 */
#ifndef MECH2D_READ_PRIV_H
#define MECH2D_READ_PRIV_H

#include "lib/core/mem.h"
#include "lib/data/units.h"
#include "lib/data/yaml.h"
#include "mech2d/mechanism/mechanism_priv.h"
#include "mech2d/read.h"

/* An entry of `outputs:`. */
typedef struct m2d__wanted {
    const char *name;
    ha_where where;
} m2d__wanted;

struct m2d_model {
    ha_ctx *ctx;
    ha__arena arena;
    const char *file;
    m2d_mechanism *mechanism;
    const char *name;
    bg_run_options options;
    HA_ARRAY(const char *) variants;
    int n_present; /* places where m2d_read_def.where_present took effect */
    HA_ARRAY(m2d__wanted) outputs;
    HA_ARRAY(bg_submodel *) submodels; /* of which the mechanism has instances */
};

/* A submodel of a file, and all that can be used at a place: read_submodel.c. */
typedef struct m2d__entry m2d__entry;
typedef struct m2d__library m2d__library;

enum { M2D__MAX_MODEL_KEYS = 64 }; /* of all joint models together */

/* A reading under way. */
typedef struct m2d__reader {
    ha_ctx *ctx;
    ha__yaml *doc;
    m2d_model *model;
    m2d_mechanism *mechanism;        /* of the model, or the body of the submodel being read */
    const m2d__entry *entry;         /* the submodel being read, NULL: the model itself */
    const m2d__library *library;     /* submodels that can be used here, NULL: none */
    m2d__library *files;             /* of all files read so far, the last first */
    HA_ARRAY(ha__yaml *) docs;       /* of files that are included */
    ha__arena arena;                 /* nodes and texts of this reading */
    ha_status status;                /* of the first error */
    const ha__yaml_node *parameters; /* the section, NULL: none */
    const ha__yaml_node *signals;    /* the section, NULL: none */
    const ha__yaml_node *bad_tables; /* a section of which errors were reported, NULL: none */
    ha_where where;                  /* of the expression being parsed */
    const ha__yaml_node *misspelt;   /* the mapping in which a key was refused last, NULL: none */
    ha_expr *own; /* (4 * own_ports) while a law is read: symbols of e, f, p, q at the ports of its
                     element, HA_EXPR_NONE: not met yet; else NULL */
    int own_ports;
    const char *later;  /* a parameter used before it is defined, by the last expression */
    bool in_constraint; /* expressions are those of m2d_constraint_lookup() */
    bool in_law;        /* expressions are those of m2d_law_lookup() */
    const char *model_keys[M2D__MAX_MODEL_KEYS]; /* see m2d__model_keys() */
    size_t n_model_keys;                         /* 0: they were not listed yet */
} m2d__reader;

/* Keeps the status of a first error; true when reading can go on (it is no lack of memory). */
bool m2d__reader_go_on(m2d__reader *r, ha_status status);

/* After something was read: when it is not in the table of its kind, an error was reported, and
   what names it is not to be reported as well. */
void m2d__note_fault(m2d__reader *r, const ha__symtab *table, const char *name);

/* Marks what stands in a section whose key was misspelt: it was not read. */
void m2d__note_misspelt(m2d__reader *r, const ha__yaml_node *node, const char *const *keys,
                        size_t n);

/* A text like "`mass` of body `K1`" for messages; never NULL. */
const char *m2d__object(m2d__reader *r, const char *key, const char *kind, const char *name);

/* Gives the symbol of a parameter the dimension of its value, if that is a quantity with a unit. */
HA_MUST_CHECK ha_status m2d__take_dimension(m2d__reader *r, const ha__yaml_node *node,
                                            ha_expr symbol);

/* Reads a scalar: a quantity, or an expression over parameters, `t` and outputs. After an error the
   value is `instead`. */
ha_expr m2d__read_value(m2d__reader *r, const ha__yaml_node *node, ha__quantity quantity,
                        const char *object, double instead);

/* Reads a constant that nothing but numbers and parameters makes, and its number; after an error
   both are `instead`. */
ha_expr m2d__read_constant(m2d__reader *r, const ha__yaml_node *node, ha__quantity quantity,
                           m2d__owner owner, double instead, double *number);

/* Reads a sequence of n values; each that cannot be read is `instead`. */
void m2d__read_values(m2d__reader *r, const ha__yaml_node *node, const ha__quantity *quantities,
                      int n, const char *object, double instead, ha_expr *values);

/* A text that is not empty; NULL after an error. */
const char *m2d__read_name(m2d__reader *r, const ha__yaml_node *node, const char *object);

/* Reports the keys that are not among the known ones; HA_ERR_SYNTAX when the node is no mapping. */
ha_status m2d__check_keys(m2d__reader *r, const ha__yaml_node *node, const char *object,
                          const char *const *keys, size_t n);

/* The value of a key that must be there; NULL after an error. Where the keys were checked just
   before and one that was refused looks like this one, that error is enough. */
const ha__yaml_node *m2d__require(m2d__reader *r, const ha__yaml_node *node, const char *object,
                                  const char *key);

/* The section of this key when it is there and of this kind; NULL otherwise. */
const ha__yaml_node *m2d__section(m2d__reader *r, const ha__yaml_node *parent, const char *key,
                                  const char *object, ha__yaml_kind kind);

/* The key `halfarrow`, which every file has. */
void m2d__read_version(m2d__reader *r, const ha__yaml_node *root);

/* The keys `elements` and `bonds` of the bond graph or of a submodel. */
void m2d__read_elements(m2d__reader *r, const ha__yaml_node *node, const char *object);

/* Reads an element whose type is a submodel, or nearly so; false when it is not. */
bool m2d__read_instance(m2d__reader *r, const ha__yaml_pair *pair);

/* Whether an override is of a parameter of an instance, `parameters.M1.R=3`. */
bool m2d__is_set_of_instance(const char *set);

/* Puts such an override into the document. HA_ERR_NAME (no such instance), HA_ERR_SYNTAX. */
HA_MUST_CHECK ha_status m2d__set_of_instance(m2d__reader *r, const char *set, ha_where where);

/* The path of a file that is named in another: relative to that one's directory; NULL without
   memory. */
const char *m2d__path_of(m2d__reader *r, const char *name, const char *from);

/* Makes the names of the section `signals` in the bond graph or submodel `node` known (NULL: none),
   so that what stands before it can use them. */
void m2d__note_signals(m2d__reader *r, const ha__yaml_node *node);

/* The signals of the section that was noted. */
void m2d__read_signals(m2d__reader *r);

/* The tables of a file. */
void m2d__read_tables(m2d__reader *r, const ha__yaml_node *root);

enum { M2D__MAX_CHOICES = 8 }; /* settings of one joint or force that are names */

/* Reads a setting that is a name and appends it to the choices of a joint or force. */
void m2d__read_choice(m2d__reader *r, const ha__yaml_node *node, const m2d__key *key,
                      const char *object, m2d_connection_def *def, m2d_choice *choices);

/* Lists the keys of all joint models, each once; their number. */
size_t m2d__list_model_keys(const char **keys);

/* The same, listed once for all joints of a reading, `*n` of them. */
const char *const *m2d__model_keys(m2d__reader *reader, size_t *n);

/* Reads the model of a joint and the settings of that model into what `def` has already: settings
   behind those that are there, with room for values. Where no model is named it takes those of any
   model, to have them refused with the model that they are of; where one is named those of others
   are left alone, so that a variant can change the model. False when the joint cannot be added. */
bool m2d__read_joint_model(m2d__reader *r, const ha__yaml_node *node, m2d_joint_def *def,
                           m2d_setting *settings, ha_expr (*values)[M2D__MAX_MATRIX],
                           m2d_choice *choices);

/* The sections of a mechanism. */
void m2d__read_parameters(m2d__reader *r, const ha__yaml_node *root);
void m2d__read_gravity(m2d__reader *r, const ha__yaml_node *root);
void m2d__read_ground(m2d__reader *r, const ha__yaml_node *root);
void m2d__read_bodies(m2d__reader *r, const ha__yaml_node *root);
void m2d__read_joints(m2d__reader *r, const ha__yaml_node *root);
void m2d__read_forces(m2d__reader *r, const ha__yaml_node *root);
void m2d__read_submodels(m2d__reader *r, const ha__yaml_node *root);
void m2d__read_graph(m2d__reader *r, const ha__yaml_node *root);

/* Adds the outputs of an entry like distance(A.P, B.Q) or SPRING.force to the graph and the system:
   the *n from number *first on; *n = 0 when the entry is nothing of that kind. */
HA_MUST_CHECK ha_status m2d__add_asked(ha_ctx *ctx, m2d_system *system, const m2d__wanted *entry,
                                       int *first, int *n);

#endif
