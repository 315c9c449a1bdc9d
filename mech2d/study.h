/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Studies: a model run again and again with values that vary, by several threads, and measured.
 *
 * @code
 * const m2d_source source = { .path = "four_bar.yaml" };
 * const m2d_study_def def = {
 *     .source = &source,
 *     .text = "{vary: {parameters.a: {list: [0.1, 0.2]}}, measure: {top: peak(rocker.angle)}}",
 * };
 * m2d_study study;
 * status = m2d_study_make(ctx, &def, &study);
 * @endcode
 */
#ifndef MECH2D_STUDY_H
#define MECH2D_STUDY_H

#include "mech2d/prepared.h"

HA_BEGIN_DECLS

/** An option of all runs, as `halfarrow run` takes it: "t-end", "2 s". */
typedef struct m2d_study_option {
    const char *name;  /**< with - or _ between words */
    const char *value; /**< as text */
} m2d_study_option;

/** What to run. Zero-initialised but for `source` and `text`: with the options of the file, on all
 * processors. */
typedef struct m2d_study_def {
    const m2d_source *source; /**< the model; its outputs are those that are measured */
    const char *text;         /**< what the file of a study says: `vary`, `design`, `measure` */
    const char *name;         /**< what messages call it, and beside what `cases` are looked for;
                                   NULL: "study" */
    const m2d_study_option *options; /**< (n_options) */
    int n_options;                   /**< number of these */
    int jobs;                        /**< threads; 0: as many as there are processors */
} m2d_study_def;

/** What came of it, in the order of the design, whoever computed what. Zero-initialised is empty.
 */
typedef struct m2d_study {
    long n_runs;    /**< number of runs */
    int n_values;   /**< number of values that vary */
    int n_measures; /**< number of measures */
    char **names;   /**< (n_values + n_measures) paths of the values, then names of the measures */
    double *values; /**< (n_runs x n_values) [SI] */
    double *measures; /**< (n_runs x n_measures); NAN of runs that failed [SI] */
    char **status;    /**< (n_runs) "done", or why the run failed */
    long n_failed;    /**< number of runs that failed */
    bool is_quick;    /**< the model was compiled once for all runs */
    double seconds;   /**< what it took [s] */
} m2d_study;

/**
 * Makes all runs of a study. A run that fails is a row as others. Numbers depend neither on the
 * number of threads nor on the order in which runs end. The interrupt flag of the context ends it.
 * @param out to be freed with m2d_study_clear(), also on failure
 * @return HA_ERR_SYNTAX, HA_ERR_VALUE, HA_ERR_NAME (of the study, or an option),
 * HA_ERR_INTERRUPTED; what m2d_prepare() returns where no run gives a model
 */
HA_MUST_CHECK ha_status m2d_study_make(ha_ctx *ctx, const m2d_study_def *def, m2d_study *out);

/** Frees what it holds. */
void m2d_study_clear(m2d_study *study);

HA_END_DECLS

#endif
