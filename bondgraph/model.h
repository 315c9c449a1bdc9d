/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * From equations to numbers: the compiled model, which threads may share, and a run of it.
 */
#ifndef BONDGRAPH_MODEL_H
#define BONDGRAPH_MODEL_H

#include "bondgraph/equations.h"
#include "lib/dae.h"
#include "lib/result.h"

HA_BEGIN_DECLS

/** A compiled model: immutable, may be shared by threads. */
typedef struct bg_model bg_model;

/**
 * Compiles equations to tapes, for all drivers. What is derived on the way goes into the
 * expressions that the equations have, once: compiled again in the same way they do not grow. They
 * mean what they did before, also after a failure, but no other thread may use them, or the
 * causality and the graph they are of, during the call.
 * @param outputs   (n_outputs) names of the outputs wanted; NULL: all that the graph has (of its
 *                  elements it has them after bg_graph_add_element_outputs()) and the energies
 * @return HA_ERR_NAME (unknown output, with the nearest one), HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_model_compile(bg_equations *equations, const char *const *outputs,
                                         int n_outputs, bg_model **out);

/**
 * As bg_model_compile(), with what a run with this driver needs and no more: for HA_DRIVER_IDA
 * without the equations for accelerations and multipliers.
 */
HA_MUST_CHECK ha_status bg_model_compile_for(bg_equations *equations, const char *const *outputs,
                                             int n_outputs, ha_driver driver, bg_model **out);

/** As bg_model_compile(), for bg_linearise() (bondgraph/linearise.h); it can also be run. */
HA_MUST_CHECK ha_status bg_model_compile_linear(bg_equations *equations, const char *const *outputs,
                                                int n_outputs, bg_model **out);

/** As bg_model_compile_linear(), for bg_sensitivities() (bondgraph/sensitivity.h): with all
 * drivers, and with what events do to deviations. Work and heat that its outputs read are unknowns
 * of it, and of what is compiled of the same equations afterwards. */
HA_MUST_CHECK ha_status bg_model_compile_sensitive(bg_equations *equations,
                                                   const char *const *outputs, int n_outputs,
                                                   bg_model **out);

/** As bg_model_compile_linear(), for bg_periodic() (bondgraph/periodic.h): with all drivers. */
HA_MUST_CHECK ha_status bg_model_compile_periodic(bg_equations *equations,
                                                  const char *const *outputs, int n_outputs,
                                                  bg_model **out);

/**
 * Translates the tapes of a model to machine code, with the C compiler that the environment
 * variable CC names (else `cc`): a run then gives the same numbers to the last bit and is faster.
 * What was compiled is kept in a cache, the directory $HALFARROW_CACHE, else
 * $XDG_CACHE_HOME/halfarrow, else $HOME/.cache/halfarrow, and is found there by its content. No
 * other thread may use the model during the call.
 * @return HA_ERR_PROCESS (no compiler, or it failed), HA_ERR_FILE or HA_ERR_OUTPUT (the cache
 *         cannot be used), HA_ERR_INTERRUPTED, HA_ERR_MEMORY; the model then works as before
 */
HA_MUST_CHECK ha_status bg_model_build_native(ha_ctx *ctx, bg_model *model);

/** Frees it; NULL is legal. No run may be using it. */
void bg_model_free(bg_model *model);

/** Number of variables: parameters of which a compiled model can be given other values
    (bg_equations_derive_varied()). */
int bg_model_n_variables(const bg_model *model);

/** Name of variable `i`, that of the parameter; borrowed. */
const char *bg_model_variable_name(const bg_model *model, int i);

/** Value of variable `i` [SI]. */
double bg_model_variable(const bg_model *model, int i);

/**
 * A copy with values of the variables of its own; it shares the tapes and all else with the model,
 * which must outlive it. Cheap: the memory of a few arrays of the number of unknowns. Copies of one
 * model may be set and run by several threads at once, each with a context of its own.
 */
HA_MUST_CHECK ha_status bg_model_copy(ha_ctx *ctx, const bg_model *model, bg_model **out);

/**
 * Gives the variables of a copy other values; start values that read them follow. The nominal sizes
 * of the unknowns, which tolerances count from, stay those of the model that was compiled.
 * @param model  from bg_model_copy()
 * @param values (n_variables) [SI]
 * @return HA_ERR_VALUE: a value, or a start value that follows, is not finite; HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_model_set(bg_model *model, const double *values);

/** The model as a solver sees it; borrowed. */
const ha_dae *bg_model_dae(const bg_model *model);

/** Number of unknowns: states, multipliers, loop variables and their derivatives where needed. */
int bg_model_n_unknowns(const bg_model *model);

/** Number of unknowns whose derivative appears in the equations. */
int bg_model_n_states(const bg_model *model);

/** Number of multipliers of implicit constraints. */
int bg_model_n_multipliers(const bg_model *model);

/** Index of the unknown of this name (`ELEMENT.f`, `.q`, `.e`), -1 when there is none. O(n). */
int bg_model_find_unknown(const bg_model *model, const char *name);

/** Name of unknown `i` as in the bond graph (`K1.x.f`); borrowed. The solver's messages call it by
    the output that shows it. */
const char *bg_model_unknown_name(const bg_model *model, int i);

/** Start values of the unknowns as the graph gives them, into y (n_unknowns). */
void bg_model_start(const bg_model *model, double *y);

/**
 * Tells whether a model can be solved at t = 0, without running it: finds the algebraic unknowns
 * and the derivatives with the others held.
 * @param y (n_unknowns) in: start values; out: the algebraic unknowns too
 * @return HA_ERR_SINGULAR, HA_ERR_VALUE or HA_ERR_SOLVER with a diagnostic that names the unknowns
 *         and equations concerned; HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_model_probe(ha_ctx *ctx, const bg_model *model, double *y);

/** Where a run starts. */
typedef enum bg_from {
    BG_FROM_GIVEN,       /**< from the start values */
    BG_FROM_EQUILIBRIUM, /**< at rest in the equilibrium found from these, see ha_dae_rest() */
    BG_FROM_PERIODIC     /**< on the steady cycle near these; bg_model_run() does not look for it:
                              bg_periodic() does (bondgraph/periodic.h) */
} bg_from;

/** Options of a run; start from bg_run_options_default(). */
typedef struct bg_run_options {
    ha_dae_options solver; /**< options of the solver */
#define HA_OPTION(field, type, value, low, least, high, unit, name, words, sentence)               \
    type field; /**< see bondgraph/run_opts.def */
#include "bondgraph/run_opts.def"
#undef HA_OPTION
    const double *start; /**< (n_unknowns) start values instead of the graph's; NULL: the graph's */
    double *last; /**< (n_unknowns) where the values at the time reached go, also of a run that
                     failed after its start; NULL: nowhere */
} bg_run_options;

/** Options with their defaults. */
bg_run_options bg_run_options_default(void);

/**
 * Sets an option of a run, of the solver or of the model, by its name ("max-step", "max_step") from
 * a text as on the command line: "20 ms", "1e-8", "explicit"; unit and range are checked.
 * @return HA_ERR_NAME, HA_ERR_UNIT, HA_ERR_SYNTAX or HA_ERR_VALUE with a diagnostic at `where`
 */
HA_MUST_CHECK ha_status bg_run_options_set(ha_ctx *ctx, bg_run_options *options, const char *name,
                                           const char *text, ha_where where);

/** What a run reports besides its time series; errors of a run that did not start are NAN. */
typedef struct bg_run_report {
    ha_dae_stats solver;      /**< counts and times */
    double alpha;             /**< the alpha used [1/s], the last if it was raised */
    const char *alpha_reason; /**< where it comes from: "as given", ...; static text */
    bool reads_alpha;         /**< results hang on alpha: friction that holds, what a switch cuts */
    double beta;              /**< the beta used [1/s] */
    double atol;         /**< the absolute tolerance: as given, or rtol, of the nominal size of each
                              unknown; solver.atol has what comes of that */
    double energy_error; /**< largest magnitude of energy.error [J] */
    double energy_passed;    /**< what passed through the energy book: the largest energy stored
                                  beside that at the start, the magnitudes of what the storages
                                  took and gave, and the integral of the magnitudes of the powers
                                  of all sources and dissipators [J] */
    double constraint_error; /**< largest magnitude of a constraint at position level [m, rad] */
    double velocity_error;   /**< largest magnitude of a constraint's flow [m/s, rad/s] */
} bg_run_report;

/**
 * Runs a model; rows go to `result` as ha_dae_run() says. What was computed before a failure is
 * kept in `result` and `report`.
 */
HA_MUST_CHECK ha_status bg_model_run(ha_ctx *ctx, const bg_model *model,
                                     const bg_run_options *options, ha_result *result,
                                     bg_run_report *report);

/**
 * From a graph to results in one call: causality, equations, compilation, run, with the outputs
 * that the graph has.
 * @param result an empty table; rows so far are kept on failure
 * @param report may be NULL
 * @return what bg_causality_assign(), bg_equations_derive(), bg_model_compile() and bg_model_run()
 *         return
 */
HA_MUST_CHECK ha_status bg_simulate(bg_graph *graph, const bg_run_options *options,
                                    ha_result *result, bg_run_report *report);

HA_END_DECLS

#endif
