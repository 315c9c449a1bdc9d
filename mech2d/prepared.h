/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A model ready to run, again and again, with other values: read, expanded, assembled and compiled
 * once. Values that vary are inputs of what was compiled; a run with other values assembles and
 * solves, and no more. Where that cannot be - a value decides what equations there are, as a mass
 * of 0 does, or is read as a number while they are derived - the model is read and compiled again,
 * with the same result. Which of both happens depends on the values alone.
 *
 * @code
 * const m2d_variable crank = { .path = "parameters.crank", .value = 0.05 };
 * m2d_source source = { .path = "four_bar.yaml" };
 * m2d_prepared *model = NULL;
 * status = m2d_prepare(ctx, &source, &crank, 1, &model);
 * m2d_prepared_set(model, 0, 0.06);
 * status = m2d_prepared_run(model, &options, result, &report);
 * @endcode
 *
 * Threads: each runs a copy (m2d_prepared_copy()) with a context of its own.
 */
#ifndef MECH2D_PREPARED_H
#define MECH2D_PREPARED_H

#include "bondgraph/model.h"
#include "mech2d/assemble.h"
#include "mech2d/read.h"

HA_BEGIN_DECLS

/** Where a model comes from. Zero-initialised but for `path` or `graph`: as it stands. */
typedef struct m2d_source {
    const char *path; /**< a model file, a bond graph in a .bgl or .bg file, "-" for standard input;
                           NULL: `graph` */
    const char *text; /**< what stands in the file, which then is not read; NULL: it is */
    size_t text_length;           /**< bytes of the text; 0: as many as stand before a zero */
    const char *graph;            /**< a bond graph in the compact notation */
    const char *variant;          /**< as in m2d_read_def */
    const char *const *sets;      /**< (n_sets) overrides PATH=VALUE */
    int n_sets;                   /**< number of overrides */
    const char *const *libraries; /**< (n_libraries) as in m2d_read_def */
    int n_libraries;              /**< number of these */
    const char *const *outputs;   /**< (n_outputs) the outputs wanted; NULL: those of the file */
    int n_outputs;                /**< number of these */
} m2d_source;

/** A model ready to run. */
typedef struct m2d_prepared m2d_prepared;

/**
 * Reads, expands, assembles and compiles a model.
 * @param variables (n) values that may be changed, and what they are for now
 * @return what reading, m2d_expand(), m2d_assemble(), bg_causality_assign(),
 *         bg_equations_derive() and bg_model_compile() return
 */
HA_MUST_CHECK ha_status m2d_prepare(ha_ctx *ctx, const m2d_source *source,
                                    const m2d_variable *variables, int n, m2d_prepared **out);

/** A copy with values of its own, for another thread; it shares what was compiled with the model,
 * which must outlive it and may not be set or run meanwhile from another thread than its own. */
HA_MUST_CHECK ha_status m2d_prepared_copy(ha_ctx *ctx, const m2d_prepared *prepared,
                                          m2d_prepared **out);

/** Frees it; NULL is legal. */
void m2d_prepared_free(m2d_prepared *prepared);

/** Gives variable `i` a value [SI] for the runs to come. */
void m2d_prepared_set(m2d_prepared *prepared, int i, double value);

/** Number of variables. */
int m2d_prepared_n_variables(const m2d_prepared *prepared);

/** Value of variable `i` [SI]. */
double m2d_prepared_value(const m2d_prepared *prepared, int i);

/** The options that the file gives, defaults else; borrowed. */
const bg_run_options *m2d_prepared_options(const m2d_prepared *prepared);

/** True when values can change without compiling again. */
bool m2d_prepared_is_quick(const m2d_prepared *prepared);

/** True when the sign of variable `i` may decide what equations there are; false of one that only
 * start values read. */
bool m2d_prepared_is_signed(const m2d_prepared *prepared, int i);

/**
 * Makes the values set take effect: assembles, and compiles again where that is needed. Runs do it
 * themselves.
 * @return as m2d_prepare()
 */
HA_MUST_CHECK ha_status m2d_prepared_update(m2d_prepared *prepared);

/** The compiled model with the values of the last update; borrowed until the next one. */
const bg_model *m2d_prepared_model(const m2d_prepared *prepared);

/** Start values of its unknowns (bg_model_n_unknowns()); borrowed likewise. */
const double *m2d_prepared_start(const m2d_prepared *prepared);

/** Number of updates that compiled the model again. */
long m2d_prepared_n_compiled(const m2d_prepared *prepared);

/**
 * Runs with the values set: bg_model_run() from the assembled start.
 * @param options NULL: those of m2d_prepared_options()
 * @return also what m2d_prepared_update() returns
 */
HA_MUST_CHECK ha_status m2d_prepared_run(m2d_prepared *prepared, const bg_run_options *options,
                                         ha_result *result, bg_run_report *report);

/**
 * Whether equations can be differentiated by values of a file: by inputs of
 * bg_equations_derive_with() that are parameters, named as there. A value that is read as a number
 * while the model is built would have derivatives of 0. Names that are no parameters are passed
 * over.
 * @param names (n) inputs
 * @return HA_ERR_UNSUPPORTED where one is not for that, each by name
 */
HA_MUST_CHECK ha_status m2d_check_inputs(ha_ctx *ctx, const m2d_source *source,
                                         const char *const *names, int n);

HA_END_DECLS

#endif
