/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Studies: a model run again and again with values that vary. Not installed.
 *
 * A study says which values vary (`vary`, or `cases`), how they are put together (`design`), and
 * what is measured of each run (`measure`). The row of a run follows from its values alone, so that
 * neither the order of the runs nor who computes them changes a byte of the table.
 */
#ifndef MECH2D_STUDY_STUDY_H
#define MECH2D_STUDY_STUDY_H

#include "lib/core/mem.h"
#include "lib/data/yaml.h"
#include "lib/expr.h"
#include "lib/tape/tape.h"
#include "mech2d/fit.h"
#include "mech2d/study.h"

/* How values are put together. */
typedef enum m2d__design {
    M2D__DESIGN_GRID, /* each with each, the last fastest */
    M2D__DESIGN_ZIP,  /* the first of all, the second of all, ... */
    M2D__DESIGN_RANDOM,
    M2D__DESIGN_LATIN, /* random, and each value in each of as many strata of equal probability */
    M2D__DESIGN_CASES, /* rows of a file */
    M2D__DESIGN_COUNT
} m2d__design;

/* What a value does. */
typedef enum m2d__vary_kind {
    M2D__VARY_LIST,
    M2D__VARY_RANGE,
    M2D__VARY_NORMAL,
    M2D__VARY_UNIFORM
} m2d__vary_kind;

/* A value that varies. */
typedef struct m2d__vary {
    m2d__vary_kind kind;
    double *list;     /* (n) in the arena */
    int n;            /* of a list, or of a range as a list */
    double a, b;      /* mean and deviation, or bounds */
    bool is_log;      /* of a range */
    const char *like; /* the first of its values that has a unit, as text; NULL: none has */
    ha_where where;
} m2d__vary;

/* What a measure takes of an output. */
typedef enum m2d__call_kind {
    M2D__CALL_END,
    M2D__CALL_AT,
    M2D__CALL_PEAK,
    M2D__CALL_LEAST,
    M2D__CALL_RMS,
    M2D__CALL_MEAN,
    M2D__CALL_COUNT
} m2d__call_kind;

/* One such. */
typedef struct m2d__call {
    m2d__call_kind kind;
    int output;
    double t; /* of M2D__CALL_AT */
} m2d__call;

/* A measure. */
typedef struct m2d__measure {
    const char *name;
    ha_where where;
    ha_expr value;
} m2d__measure;

/* What to fit to what. */
typedef struct m2d__fit_plan {
    const char *data; /* file; NULL: nothing is fitted */
    ha_where where;
    HA_ARRAY(m2d_fit_parameter) parameters;
    HA_ARRAY(m2d_fit_sigma) sigmas;
} m2d__fit_plan;

typedef struct m2d__study {
    ha_ctx *ctx;
    ha__arena arena;
    ha__yaml *doc;
    const char *file;
    m2d__design design;
    HA_ARRAY(m2d_variable) variables;
    HA_ARRAY(m2d__vary) varied; /* of each variable; empty for cases */
    long n_runs;
    uint64_t seed;
    double *values; /* (n_runs, variables) row by row */
    ha_dag *dag;    /* of the measures */
    HA_ARRAY(m2d__measure) measures;
    HA_ARRAY(m2d__call) calls;
    HA_ARRAY(ha_expr) inputs; /* a symbol for each call */
    HA_ARRAY(const char *) outputs;
    HA_ARRAY(ha_where) output_wheres;
    int *columns;    /* (outputs) of each in the table of a run */
    ha__tape *tape;  /* of the measures over the calls */
    bool needs_rows; /* a call needs more than the start and the end */
    m2d__fit_plan fit;
} m2d__study;

/* Reads a study, from its file, or the section `study` of a model file where `is_section`; to be
   freed with m2d__study_free(). */
HA_MUST_CHECK ha_status m2d__study_read(ha_ctx *ctx, const char *path, bool is_section,
                                        m2d__study **out);

/* The same from `length` bytes of text; `name` stands for the file. */
HA_MUST_CHECK ha_status m2d__study_read_text(ha_ctx *ctx, const char *text, size_t length,
                                             const char *name, m2d__study **out);

/* Frees it; NULL is legal. */
void m2d__study_free(m2d__study *study);

/* study_read.c: a value of what varies; all of these have one dimension. */
HA_MUST_CHECK ha_status m2d__study_read_value(m2d__study *study, m2d__vary *vary,
                                              const ha__yaml_node *node, const char *what,
                                              double *out);

/* study_read.c: the SI unit of what varies; NULL: it has none. */
HA_MUST_CHECK ha_status m2d__study_find_unit(m2d__study *study, const m2d__vary *vary,
                                             const char **out);

/* study_read.c: the path of a file that stands beside the study; NULL: no memory. */
const char *m2d__study_beside(m2d__study *study, const char *path);

/* fit_read.c: reads what `fit` says. */
HA_MUST_CHECK ha_status m2d__fit_read(m2d__study *study, const ha__yaml_node *node);

/* study_design.c: the values of all runs. */
HA_MUST_CHECK ha_status m2d__study_design(m2d__study *study);

/* How many runs the model is tried to be compiled with. */
enum { M2D__N_BASES = 20 };

/* study_base.c: the runs whose values the model is to be compiled with, the best ones first, some
   of them twice; `bases` (M2D__N_BASES). */
HA_MUST_CHECK ha_status m2d__study_bases(const m2d__study *study, long *bases);

/* study_measure.c: adds a measure. */
HA_MUST_CHECK ha_status m2d__study_add_measure(m2d__study *study, const char *name,
                                               const ha__yaml_node *node);

/* study_measure.c: compiles the measures. */
HA_MUST_CHECK ha_status m2d__study_compile(m2d__study *study);

/* study_measure.c: finds the outputs in the table that runs of a model give. HA_ERR_NAME. */
HA_MUST_CHECK ha_status m2d__study_find_columns(m2d__study *study, const bg_model *model);

/* study_measure.c: what the measures are of a run: `values` (measures). `room` is
   ha__tape_work_size() of the tape. */
void m2d__study_measure(const m2d__study *study, const ha_result *result, const ha_peak *peaks,
                        double *room, double *values);

/* What is run. */
typedef struct m2d__study_def {
    const m2d_source *source; /* but for the outputs */
    const char *directory;    /* NULL: nothing is written */
    long jobs;                /* threads; 0: as many as there are processors */
    long shard, n_shards;     /* from 1; 1 of 1: all */
    bool resumes;
    uint64_t inputs;                 /* hash of what the model is read from */
    const m2d_study_option *options; /* (n_options) of all runs */
    int n_options;
    m2d_study *table; /* gets the numbers, too; NULL: there is none */
} m2d__study_def;

/* Of the runs that failed the first ones are told. */
enum { M2D__N_FAILURES = 5 };

/* A run that failed. */
typedef struct m2d__study_failure {
    long run;
    char text[512];
} m2d__study_failure;

/* What came of it. */
typedef struct m2d__study_report {
    long n_runs, n_kept, n_failed; /* of this shard: all, those found done already, failed ones */
    long n_compiled;               /* runs whose model was compiled for itself */
    double seconds;
    bool has_model;                               /* some run gives one; else nothing was made */
    bool is_quick;                                /* which was compiled once */
    m2d__study_failure failures[M2D__N_FAILURES]; /* of those made now, in their order */
    int n_failures;                               /* in there */
} m2d__study_report;

/* study_make.c: takes a run over. */
HA_MUST_CHECK ha_status m2d__study_take(m2d_study *out, ha_ctx *ctx, long run,
                                        const double *measures, const char *status);

/* study_run.c: makes the runs of a shard that are not made yet and, where the shard is all, the
   table DIRECTORY/results.csv. Where no run gives a model it fails, and the report has the first
   of those that were tried. */
HA_MUST_CHECK ha_status m2d__study_run(m2d__study *study, const m2d__study_def *def,
                                       m2d__study_report *report);

/* --- study_files.c: the journal ----------------------------------------------------------------
 */
/*
 * A shard appends the row of each run to its journal as soon as it is done, in one piece. A process
 * that is killed leaves a last line without end at most, which is taken off. The first line has the
 * fingerprint of model and study: rows of another study are never taken over.
 */
typedef struct m2d__journal {
    ha_ctx *ctx;
    const char *directory;
    char *path;
    int file;    /* descriptor */
    char **rows; /* (n_runs) with their ends; NULL: not done */
    long n_runs;
    long n_done;
    long long length; /* bytes of whole lines */
} m2d__journal;

/* Hash of what the rows follow from. */
HA_MUST_CHECK ha_status m2d__study_fingerprint(const m2d__study *study, const m2d__study_def *def,
                                               uint64_t *hash);

/* The header of the table. */
HA_MUST_CHECK ha_status m2d__study_header(const m2d__study *study, char **out);

/* The row of run `run`, from 0, with its end; to be freed with free(). */
HA_MUST_CHECK ha_status m2d__study_row(const m2d__study *study, ha_ctx *ctx, long run,
                                       const double *values, const char *status, char **out);

/* Opens the journal of a shard, with what is in it. */
HA_MUST_CHECK ha_status m2d__journal_open(ha_ctx *ctx, const m2d__study *study,
                                          const m2d__study_def *def, m2d__journal *out);

/* Appends the row of run `i`, from 0, and keeps it. HA_ERR_OUTPUT. */
HA_MUST_CHECK ha_status m2d__journal_add(m2d__journal *journal, long i, char *row);

/* Closes it. */
void m2d__journal_close(m2d__journal *journal);

/* Writes the table of all rows. */
HA_MUST_CHECK ha_status m2d__study_write(ha_ctx *ctx, const char *directory, const char *header,
                                         char *const *rows, long n);

/* Puts the journals of all shards in these directories together to DIRECTORY/results.csv. */
HA_MUST_CHECK ha_status m2d__study_merge(ha_ctx *ctx, const char *const *directories, int n,
                                         const char *directory, long *n_runs);

#endif
