/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Model files: a mechanism in YAML with its simulation options, wanted outputs and variants.
 */
#ifndef MECH2D_READ_H
#define MECH2D_READ_H

#include "bondgraph/model.h"
#include "mech2d/system.h"

HA_BEGIN_DECLS

/** What a model file says. */
typedef struct m2d_model m2d_model;

/** A value of a file that becomes a parameter, so that it may take others: see m2d_system_vary().
 */
typedef struct m2d_variable {
    const char *path; /**< as in an override PATH=VALUE: "parameters.r", "bodies.K1.mass" */
    double value;     /**< that it has for now [SI]; NAN: that of the file, which a parameter with
                           the name m2d_variable_name() then has, too, but no other use of */
    ha_where where;   /**< where the user named it */
    const char *unit; /**< the SI unit of the value, so that its dimension is checked; NULL: none */
    bool is_factor;   /**< the value is a factor of what a model file says there, 1 for now */
} m2d_variable;

/** How a file is read; zero-initialised: as it stands. */
typedef struct m2d_read_def {
    const char *variant; /**< name of the variant to apply; NULL, or `base` unless the file has a
                              variant of this name: none */
    const char *const *sets;   /**< (n_sets) overrides PATH=VALUE, which win over the variant */
    int n_sets;                /**< number of overrides */
    const char *where_present; /**< an override PATH=VALUE after all others that counts only where
                                    PATH leads to something already; NULL: none */
    const char *const *libraries; /**< (n_libraries) directories in which `include` looks for files,
                                       behind that of the file and before the installed one */
    int n_libraries;              /**< number of such directories */
    const m2d_variable *variables; /**< (n_variables) values given as parameters, after all
                                        overrides; those that are none get the names of
                                        m2d_variable_name() */
    int n_variables;               /**< number of these */
} m2d_read_def;

/**
 * Reads a model file; all its errors are reported in one go, each with its location.
 * @param path a file, "-" for standard input
 * @param def  NULL: as it stands
 * @return HA_ERR_FILE, HA_ERR_SYNTAX, HA_ERR_NAME, HA_ERR_VALUE, HA_ERR_UNIT, HA_ERR_LIMIT or
 *         HA_ERR_MEMORY: that of the first error
 */
HA_MUST_CHECK ha_status m2d_read_file(ha_ctx *ctx, const char *path, const m2d_read_def *def,
                                      m2d_model **out);

/** As m2d_read_file(), from `length` bytes of text; `name` stands for the file in messages, and
   files of submodels are looked for beside it. */
HA_MUST_CHECK ha_status m2d_read_text(ha_ctx *ctx, const char *text, size_t length,
                                      const char *name, const m2d_read_def *def, m2d_model **out);

/** The name of the parameter that a variable is: that behind `parameters.`, else one made of its
    number `i`, into `name` of `size` bytes. */
void m2d_variable_name(const m2d_variable *variable, int i, char *name, size_t size);

/** Frees a model; NULL is legal. */
void m2d_model_free(m2d_model *model);

/** The mechanism; borrowed. */
m2d_mechanism *m2d_model_mechanism(m2d_model *model);

/** The name of the model, "" when it has none; borrowed. */
const char *m2d_model_name(const m2d_model *model);

/** The options of `simulate:`, defaults where the file gives none; borrowed. */
const bg_run_options *m2d_model_options(const m2d_model *model);

/** Number of variants. */
int m2d_model_n_variants(const m2d_model *model);

/** How often m2d_read_def.where_present took effect. */
int m2d_model_n_present(const m2d_model *model);

/** Name of variant `i`, in order of the file; borrowed. */
const char *m2d_model_variant(const m2d_model *model, int i);

/** Number of entries of `outputs:`; 0: all outputs are wanted. */
int m2d_model_n_outputs(const m2d_model *model);

/** Entry `i` of `outputs:` as it was written; borrowed. */
const char *m2d_model_output(const m2d_model *model, int i);

/**
 * The outputs that the file asks for, with "energy", "K1" or "O.force" expanded to all components.
 * `distance(A.P, B.Q)`, `relative(A.P, B.Q)`, `power(ELEMENT)`, and `.force` and `.length` of
 * spring-dampers exist only when they are asked for here.
 * Signals of elements that are no outputs by themselves ("K1.x.p") are added to the graph: to be
 * called before bg_causality_assign().
 * @param names (*n) names for bg_model_compile(), borrowed from system and model, the array to be
 *              freed with free(); NULL when the file asks for all
 * @return HA_ERR_NAME for an output that does not exist, at its location with the nearest name
 */
HA_MUST_CHECK ha_status m2d_model_select(const m2d_model *model, m2d_system *system,
                                         const char ***names, int *n);

/**
 * Whether an output is one of those that an entry stands for, as in `outputs:`: "K1" for all whose
 * names begin with "K1.", "O.force" for the components of the reaction of O.
 * @return 1 or 0
 */
int m2d_output_is_of(const char *entry, const char *name);

HA_END_DECLS

#endif
