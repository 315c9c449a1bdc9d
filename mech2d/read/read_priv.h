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
#include "mech2d/expand/system_priv.h"
#include "mech2d/mechanism/mechanism_priv.h"
#include "mech2d/read.h"

/* An output that a part asks for. */
typedef struct m2d__part_wanted {
    int part;
    m2d__wanted wanted;
} m2d__part_wanted;

struct m2d_model {
    ha_ctx *ctx;
    ha__arena arena;
    const char *file;
    m2d_mechanism *mechanism;
    const char *name;
    bg_run_options options;
    HA_ARRAY(const char *) variants;
    int n_present; /* how often m2d_read_def.where_present took effect */
    HA_ARRAY(m2d__wanted) outputs;
    HA_ARRAY(m2d__part_wanted) part_outputs; /* of parts, those of each in a row */
    HA_ARRAY(bg_submodel *) submodels;       /* of which the mechanism has instances */
};

/* A submodel of a file, and all that can be used at a location: read_submodel.c. */
typedef struct m2d__entry m2d__entry;
typedef struct m2d__library m2d__library;

/* The functions that can be called: read_function.c. */
typedef struct m2d__functions m2d__functions;
/* A part while its submodel is read: read_part.c. */
typedef struct m2d__instance m2d__instance;

/* An index, `i`, and its value; those around it follow. */
typedef struct m2d__index {
    const char *name;
    double value;
    const struct m2d__index *outer;
} m2d__index;

enum { M2D__MAX_MODEL_KEYS = 64 }; /* of all joint models together */

/* A reading under way. */
typedef struct m2d__reader {
    ha_ctx *ctx;
    ha__yaml *doc;
    m2d_model *model;
    m2d_mechanism *mechanism;        /* of the model, or the body of the submodel being read */
    const m2d__entry *entry;         /* the submodel being read, NULL: the model itself */
    m2d__instance *part;             /* that is being read, NULL: none */
    const m2d__index *index;         /* the innermost, NULL: none */
    double n_repeated;               /* turns of all loops so far */
    const m2d__library *library;     /* submodels that can be used here, NULL: none */
    m2d__library *files;             /* of all files read so far, the last first */
    HA_ARRAY(ha__yaml *) docs;       /* of files that are included */
    ha__arena arena;                 /* nodes and texts of this reading */
    ha_status status;                /* of the first error */
    const ha__yaml_node *parameters; /* the section, NULL: none */
    const ha__yaml_node *signals;    /* the section, NULL: none */
    const ha__yaml_node *values;     /* the section, NULL: none */
    const char **known;              /* (n_known) names for "did you mean" beside parameters */
    size_t n_known;
    ha__symtab output_names;         /* of outputs by expression */
    m2d__functions *functions;       /* that can be called here, NULL: none */
    bool is_function_closed;         /* functions read their arguments alone */
    const ha__yaml_node *bad_tables; /* a section of which errors were reported, NULL: none */
    ha_where where;                  /* of the expression being parsed */
    const ha__yaml_node *misspelt;   /* the mapping in which a key was refused last, NULL: none */
    ha_expr *own; /* (4 * own_ports) while a law is read: symbols of e, f, p, q at the ports of its
                     element, HA_EXPR_NONE: not met yet; else NULL */
    int own_ports;
    int n_calls;           /* signals made by calls, sample(x, T), so far */
    int call_depth;        /* of these inside each other */
    const char *as_output; /* an output by expression that is no name for laws, likewise */
    const char *outside;   /* a parameter outside of the submodel, likewise */
    const char *later;     /* a parameter used before it is defined, by the last expression */
    bool in_constraint;    /* expressions are those of m2d_constraint_lookup(), */
    bool in_rate;          /* and with this, too, of m2d_rate_lookup() */
    bool in_law;           /* expressions are those of m2d_law_lookup(), */
    bool in_slip_law;      /* or, with this, of m2d_slip_lookup() */
    const char *model_keys[M2D__MAX_MODEL_KEYS]; /* see m2d__model_keys() */
    size_t n_model_keys;                         /* 0: they were not listed yet */
} m2d__reader;

/* Keeps the status of a first error; true when reading can go on (it is no lack of memory). */
bool m2d__reader_go_on(m2d__reader *r, ha_status status);

/* After something was read: when it is not in the table of its kind, an error was reported, and
   what names it is not to be reported as well. */
void m2d__note_fault(m2d__reader *r, const ha__symtab *table, const char *name);

/* HA_OK unless an override `parameters.NAME=VALUE` names one that the file has not. */
HA_MUST_CHECK ha_status m2d__check_parameter(m2d__reader *r, const char *set, ha_where where);

/* Makes the values that are varied parameters. */
HA_MUST_CHECK ha_status m2d__vary(m2d__reader *r, const m2d_read_def *def);

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

/* The number that a text is, an expression of constants; `owner` names it in messages. */
HA_MUST_CHECK ha_status m2d__evaluate(m2d__reader *r, const char *text, ha_where where,
                                      m2d__owner owner, double *out);

/* A name with the numbers that its indices are, `link[3].end` of `link[i+1].end`; NULL after an
   error. NULL is legal. */
const char *m2d__indexed(m2d__reader *r, const char *text, ha_where where);

/* The number that an index is, HA_EXPR_NONE when there is none of this name. */
ha_expr m2d__index_of(const m2d__reader *r, const char *name);

/* Calls `take` for each turn of the key `for` of a node, with "[3]" and the like behind names, once
   with "" where there is none. False after an error in that key. */
bool m2d__repeat(m2d__reader *r, const ha__yaml_node *node, const char *object, void *user,
                 void (*take)(m2d__reader *r, void *user, const char *suffix));

/* Reads an entry of a section by `read`, for each turn of its key `for` if it has one. */
void m2d__read_repeated(m2d__reader *r, const ha__yaml_pair *pair, const char *kind,
                        void (*read)(m2d__reader *r, const ha__yaml_pair *pair));

/* A copy of a mapping without a key. */
HA_MUST_CHECK ha_status m2d__without_key(m2d__reader *r, const ha__yaml_node *node, const char *key,
                                         const ha__yaml_node **out);

/* `base` with a variant on it: "*" of each section first, then names. */
HA_MUST_CHECK ha_status m2d__merge_variant(m2d__reader *r, const char *name,
                                           const ha__yaml_node *variant, const ha__yaml_node *base,
                                           const ha__yaml_node **out);

/* Finds the variant of a file or submodel and merges it; `base` is always there. */
HA_MUST_CHECK ha_status m2d__apply_variant(m2d__reader *r, const char *name, ha_where where,
                                           const ha__yaml_node *base, const ha__yaml_node **out);

/* The value that the part being read has for a parameter, HA_EXPR_NONE: its default. */
ha_expr m2d__given_parameter(m2d__reader *r, const char *name);

/* The start of a body or joint with what the user of the part says of it. Either may be NULL. */
const ha__yaml_node *m2d__start_with(m2d__reader *r, const char *name, const ha__yaml_node *start);

/* The dimension of a start value. */
ha__quantity m2d__coordinate_quantity(m2d_coordinate coordinate);

/* Brings in what the file includes: merges it into the document. */
HA_MUST_CHECK ha_status m2d__include(m2d__reader *r, const m2d_read_def *def);

/* Reads a submodel as a part of nothing, to have its errors reported. */
void m2d__try_part(m2d__reader *r, m2d__entry *entry);

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

/* Entries that may need each other. */
typedef enum m2d__named { M2D__PARAMETERS, M2D__VALUES, M2D__FUNCTIONS } m2d__named;

/* Marks the entries of a section that need each other in a circle, marks[i] != 0, with an error for
   each circle. HA_ERR_NAME: there are some. */
HA_MUST_CHECK ha_status m2d__find_circles(m2d__reader *r, const ha__yaml_node *section,
                                          m2d__named kind, char **marks);

/* Makes the functions of a file known, in the mechanism that is being read. */
void m2d__note_functions(m2d__reader *r, const ha__yaml_node *root);

/* Reads those that nobody called, for their errors. */
void m2d__read_functions(m2d__reader *r);

/* ha_function_lookup of the reader. */
HA_MUST_CHECK ha_status m2d__find_function(void *user, const char *name, const ha_function **out);

/* Whether the expression of a function is being read. */
bool m2d__is_in_function(const m2d__reader *r);

/* Whether the user has a function of this name here. */
bool m2d__has_function(const m2d__reader *r, const char *name);

/* Reads an expression that stands in the one being read. */
HA_MUST_CHECK ha_status m2d__parse(m2d__reader *r, const char *text, ha_expr *out);

/* ha_call_lookup of the reader: distance(A.P, B.Q), power(ELEMENT), sample(x, T) and others. */
size_t m2d__take_call(void *user, const char *text, ha_expr *out);

/* Whether a name is an argument of the function that is being read, and its symbol. */
bool m2d__find_argument(const m2d__reader *r, const char *name, ha_expr *out);

/* Whether what is read is a function that sees its arguments alone. */
bool m2d__is_closed(const m2d__reader *r);

/* The names of all functions, `*n` of them. */
const char *const *m2d__function_names(const m2d__reader *r, size_t *n);

/* Makes the names of values and of outputs by expression known. */
void m2d__note_values(m2d__reader *r, const ha__yaml_node *root);

/* Whether a name is that of a value, or, where outputs are read, of an output by expression. */
bool m2d__is_named(const m2d__reader *r, const char *name);

/* The values of the file, and the entries of `outputs`. */
void m2d__read_named(m2d__reader *r, const ha__yaml_node *root);
void m2d__read_outputs(m2d__reader *r, const ha__yaml_node *root);

/* The start values of the joint that was added last: `start: {angle: 30 deg, fixed: [angle]}`. */
void m2d__read_joint_starts(m2d__reader *r, const ha__yaml_pair *joint);

/* Those of the points of a body, which were added: `start: {at: {P: {x: 1}}, fixed: [P.x]}`. */
void m2d__read_point_starts(m2d__reader *r, const ha__yaml_node *node, const char *body);

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

typedef HA_ARRAY(m2d_plate_def) m2d__plates;

/* Reads the shape and the look of a body, whose name `def` has. Its plates are put into `out`, to
   be cleared after the body was added. */
void m2d__read_outline(m2d__reader *r, const ha__yaml_node *node, m2d_body_def *def,
                       m2d__plates *out);

/* The sections of a mechanism. */
void m2d__read_parameters(m2d__reader *r, const ha__yaml_node *root);
void m2d__read_gravity(m2d__reader *r, const ha__yaml_node *root);
void m2d__read_ground(m2d__reader *r, const ha__yaml_node *root);
void m2d__read_bodies(m2d__reader *r, const ha__yaml_node *root);
void m2d__read_library(m2d__reader *r, const ha__yaml_node *root);
void m2d__read_parts(m2d__reader *r, const ha__yaml_node *root);
void m2d__read_joints(m2d__reader *r, const ha__yaml_node *root);
void m2d__read_forces(m2d__reader *r, const ha__yaml_node *root);
void m2d__read_submodels(m2d__reader *r, const ha__yaml_node *root);
void m2d__read_graph(m2d__reader *r, const ha__yaml_node *root);

#endif
