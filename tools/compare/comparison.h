/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of `halfarrow compare` share: the runs, and how their outcome is written. */
#ifndef TOOLS_COMPARISON_H
#define TOOLS_COMPARISON_H

#include "lib/compare.h"
#include "lib/core/strbuf.h"
#include "tools/shared/json.h"
#include "tools/shared/plot.h"
#include "tools/shared/solve.h"

/* --sweep PATH=FROM:TO:COUNT. */
typedef struct compare_sweep {
    char *path; /* NULL: none */
    char *unit; /* "" for plain numbers */
    double from, to;
    int count;
} compare_sweep;

/* A run of a variant, at one value of the sweep if there is one. */
typedef struct compare_job {
    double value;     /* of the sweep; NAN: the file's own */
    char *set;        /* the PATH=VALUE of it, NULL: none */
    cli_call cli;     /* with a context of its own, so that threads share nothing */
    size_t against;   /* the job that it is compared with; its own number: none */
    bool has_path;    /* the variant has a value where the sweep sets one */
    bool keeps_model; /* else the model is freed when the run is over */
    cli_run run;
    ha_result
        *heat; /* [J] that went into each element in all: a column each, one row; NULL: none */
    int n_unknowns, n_states, n_multipliers; /* -1: not compiled */
} compare_job;

/* All of it. The first job is of the first variant, which the others are compared with. */
typedef struct compare_set {
    cli_call *cli;
    compare_sweep sweep;
    HA_ARRAY(const char *) variants;
    HA_ARRAY(compare_job *) jobs;
    HA_ARRAY(ha_compare *) compares; /* of each job with its `against`; NULL: none */
    plot_names chosen;               /* outputs to show in full */
    char *names;                     /* the text that --y gave, cut to names */
    ha__arena arena;                 /* names of variants */
} compare_set;

/* How a storage or constraint ended up, in one variant and not so in another. */
typedef struct compare_role {
    const char *name;
    bg_role role;
} compare_role;

/* A bond of both with strokes at different ends. */
typedef struct compare_stroke {
    const char *tail, *head;
    bg_stroke first, other;
} compare_stroke;

/* What differs in structure between the first variant and another; names are borrowed. */
typedef struct compare_structure {
    HA_ARRAY(compare_role) first_roles, other_roles; /* of only one of them */
    HA_ARRAY(compare_stroke) strokes;
    int n_common_bonds, n_first_bonds, n_other_bonds; /* scalar; in both, only in one */
    char *first_text, *other_text;                    /* the equations, cut to lines */
    HA_ARRAY(const char *) first_lines, other_lines;  /* of only one of them */
} compare_structure;

/* --- compare_run.c ---------------------------------------------------------------------------- */

/* Reads --sweep. */
HA_MUST_CHECK ha_status compare_read_sweep(cli_call *cli, compare_sweep *sweep);

/* Adds a job; `value` NAN: as the variant stands, else with the sweep's path set to it where the
   variant has it (is_present) or in any case. */
HA_MUST_CHECK ha_status compare_add_job(compare_set *set, const char *variant, double value,
                                        bool is_present);

/* Reads the model of a job, without running it. */
HA_MUST_CHECK ha_status compare_load(compare_job *job);

/* Runs the jobs on all processors; what became of each is in it. */
void compare_run(compare_set *set);

/* Copies a job's diagnostics to those of the program, with the name of the run in front. */
void compare_report_diags(const compare_set *set, const compare_job *job);

/* Why a job failed, its first error; borrowed, NULL: it did not. */
const char *compare_fault(const compare_job *job);

/* Frees a job and what it holds; NULL is legal. */
void compare_job_free(compare_job *job);

/* The name of its variant, "base" for the file as it stands. */
const char *compare_job_name(const compare_job *job);

/* "compliant" or "compliant at 1e+06". */
void compare_job_title(const compare_set *set, const compare_job *job, ha__strbuf *out);

/* --- compare_structure.c ---------------------------------------------------------------------- */

/* True when the causality of both was found, so that it can be compared. */
bool compare_have_structures(const compare_job *first, const compare_job *other);

/* Finds what differs; both must have their causality. */
HA_MUST_CHECK ha_status compare_structures(const compare_job *first, const compare_job *other,
                                           compare_structure *out);

/* Frees what it holds. */
void compare_structure_clear(compare_structure *structure);

/* "integral storage", ... */
const char *compare_role_word(bg_role role);

/* --- compare_facts.c -------------------------------------------------------------------------- */

/* What is said of each run: numbers, by key for programs and by label for people. */
enum { COMPARE_N_FACTS = 18 };

/* Number `i` of them. */
const char *compare_fact_key(int i);
const char *compare_fact_label(int i);

/* The numbers of a job; NAN what is not known. */
void compare_facts(const compare_job *job, double facts[COMPARE_N_FACTS]);

/* The name of the class, "" when there is no causality. */
const char *compare_class(const compare_job *job);

/* Differences by name; NULL when the output is not in both. */
const ha_difference *compare_find(const compare_set *set, size_t job, const char *name);

/* The energy dissipated, in all (NULL) or in an element; NAN where it is not known. */
double compare_dissipated(const compare_job *job, const char *element);

/* Name of element number `i` from 0 that dissipates in a job or in the first; NULL behind the last.
 */
const char *compare_dissipator(const compare_set *set, size_t j, size_t i);

/* The first job of a variant that is compared with another, from `begin` on; the number of jobs
   when there is none. */
size_t compare_next_shown(const compare_set *set, size_t begin);

/* True for an output that --y names, and for all without it. */
bool compare_is_listed(const compare_set *set, const char *name);

/* A number with 6 digits for tables, "-" for one that is not known. */
void compare_add_number(ha__strbuf *out, double x, int width);

/* What a sweep shows of an output: the largest difference in rows, or by how much the peak, the
   largest magnitude over the run, has changed, also where it lies between rows. */
typedef enum compare_measure { COMPARE_LARGEST, COMPARE_PEAK, COMPARE_N_MEASURES } compare_measure;

/* The peaks of a job and of the one that it is compared with, the other's first; NAN: not known. */
void compare_peaks(const compare_set *set, size_t job, const ha_difference *d, double peaks[2]);

/* That of a run, not below 0; NAN where it was not done. */
double compare_measured(const compare_set *set, size_t job, const char *output,
                        compare_measure measure);

/* "largest differences", ... */
const char *compare_measure_label(compare_measure measure);

/* The order of an output over the sweep, for one variant, by its last `most` runs that were done;
   NAN: too few. */
double compare_order(const compare_set *set, const char *variant, const char *output,
                     compare_measure measure, size_t most);

/* --- what is written -------------------------------------------------------------------------- */

/* Curves of how differences fall over the sweep. */
typedef struct compare_sweep_plot {
    HA_ARRAY(ha_result *) tables;
    HA_ARRAY(plot_curve) curves;
    ha__arena arena;  /* titles */
    plot_panel panel; /* of all of it */
    int n_dashes;     /* variants that have curves */
} compare_sweep_plot;

/* Makes them of the runs of a sweep; to be freed with compare_sweep_plot_clear(). */
HA_MUST_CHECK ha_status compare_sweep_plot_init(const compare_set *set, compare_sweep_plot *plot);
void compare_sweep_plot_clear(compare_sweep_plot *plot);

/* b - a of an output over the common times, as a table of one column. Free it with
   ha_result_free(). */
HA_MUST_CHECK ha_status compare_difference(const compare_set *set, size_t j, const ha_difference *d,
                                           ha_result **out);

/* The picture through gnuplot: of the sweep, or of the chosen outputs and their differences. */
HA_MUST_CHECK ha_status compare_plot(const compare_set *set, const char *path);

/* Adds all that is said of the runs: for people, as a table with a row for each difference, ... */
HA_MUST_CHECK ha_status compare_text(const compare_set *set, ha__strbuf *out);
HA_MUST_CHECK ha_status compare_csv(const compare_set *set, ha__strbuf *out);

/* ... as the object that --json prints, ... */
HA_MUST_CHECK ha_status compare_json(const compare_set *set);

/* ... and as a page that needs neither a network nor a script. */
HA_MUST_CHECK ha_status compare_html(const compare_set *set, ha__strbuf *out);

#endif
