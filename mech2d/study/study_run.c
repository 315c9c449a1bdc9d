/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The runs of a study, by several threads. Each has a copy of the model and takes the next run that
 * is not done; the row goes to the journal under a lock. The model is compiled with the values of
 * one run, the same one whoever computes what and in whatever order the runs stand.
 */
#include <config.h>

#include "lib/core/clock.h"
#include "lib/core/context_priv.h"
#include "mech2d/study/pass_errors.h"
#include "mech2d/study/study.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the threads share; `lock` guards all below it. */
typedef struct {
    m2d__study *study;
    const m2d__study_def *def;
    const m2d_prepared *model;
    pthread_mutex_t lock;
    m2d__journal journal;
    long next, n_mine, n_done;
    ha_status status;
    m2d__study_report *report;
} team;

/* One of the threads. */
typedef struct {
    team *team;
    ha_ctx *ctx;
    m2d_prepared *model;
    ha_peak *peaks;
    double *values, *room;
    bool reports; /* progress, in the thread that called */
} worker;

/* What a run gave. */
typedef struct {
    char *row;            /* of the table */
    const double *values; /* of the measures */
    char status[512];     /* in it: `done`, or why the run failed */
    bool has_failed;
} made_row;

static bool is_mine(const m2d__study_def *def, long run)
{
    return run % def->n_shards == def->shard - 1;
}

/* Values of a run for the model. */
static void set_values(const m2d__study *s, m2d_prepared *model, long run)
{
    for (size_t i = 0; i < s->variables.count; i++) {
        m2d_prepared_set(model, (int) i, s->values[(size_t) run * s->variables.count + i]);
    }
}

/* The first error of a context, one that says why a run failed. */
static const char *first_error(const ha_ctx *ctx, ha_status status)
{
    for (size_t i = 0; i < ha_ctx_n_diags(ctx); i++) {
        if (ha_ctx_diag(ctx, i)->severity == HA_ERROR) {
            return ha_ctx_diag(ctx, i)->text;
        }
    }
    return ha_status_text(status);
}

/* --- one run -------------------------------------------------------------------------------- */

/* The options of a model, with those of all runs. */
static ha_status find_options(ha_ctx *ctx, const m2d__study_def *def, const m2d_prepared *model,
                              bg_run_options *out)
{
    *out = *m2d_prepared_options(model);
    for (int i = 0; i < def->n_options; i++) {
        HA_TRY(
            bg_run_options_set(ctx, out, def->options[i].name, def->options[i].value, HA_NOWHERE));
    }
    return HA_OK;
}

static ha_status solve(worker *w, ha_result *result)
{
    const team *t = w->team;
    bg_run_options options;
    bg_run_report report;

    HA_TRY(m2d_prepared_update(w->model));
    HA_TRY(find_options(w->ctx, t->def, w->model, &options));
    if (!(options.solver.t_end >= 0.0)) {
        return ha_fail(w->ctx, HA_ERR_VALUE, HA_NOWHERE, "the model has no end time");
    }
    if (!t->study->needs_rows) {
        options.solver.step = options.solver.t_end;
    }
    options.solver.events = HA_EVENT_ROWS_NONE;
    options.solver.peaks = w->peaks;
    return m2d_prepared_run(w->model, &options, result, &report);
}

/* The name of the first measure that is no number; NULL: all are. */
static const char *find_bad(const worker *w)
{
    const m2d__study *s = w->team->study;

    for (size_t i = 0; i < s->measures.count; i++) {
        if (!isfinite(w->values[i])) {
            return s->measures.items[i].name;
        }
    }
    return NULL;
}

/* Says in the row that a measure is no number, and whether at() asks for a time after the end. */
static void tell_bad(const worker *w, const ha_result *result, const char *bad, made_row *made)
{
    const m2d__study *s = w->team->study;
    size_t rows = ha_result_n_rows(result);
    double end = rows > 0 ? ha_result_value(result, rows - 1, 0) : 0.0;
    int n =
        snprintf(made->status, sizeof made->status, "the measure `%s` is not a finite number", bad);

    for (size_t i = 0; i < s->calls.count; i++) {
        const m2d__call *call = &s->calls.items[i];
        if (call->kind == M2D__CALL_AT && call->t > end && n > 0 &&
            (size_t) n < sizeof made->status) {
            snprintf(made->status + n, sizeof made->status - (size_t) n,
                     ": at() asks for t = %g s and the run ends at %g s", call->t, end);
            return;
        }
    }
}

/* The row of a run. HA_ERR_INTERRUPTED and HA_ERR_MEMORY end the study, all else is a row. */
static ha_status make_row(worker *w, long run, made_row *made)
{
    const m2d__study *s = w->team->study;
    ha_result *result = ha_result_new(w->ctx);
    const size_t size = sizeof made->status;

    HA_TRY_MEMORY(result);
    ha_ctx_clear(w->ctx);
    set_values(s, w->model, run);
    ha_status status = solve(w, result);
    for (size_t i = 0; i < s->measures.count; i++) {
        w->values[i] = (double) NAN;
    }
    if (status == HA_OK) {
        m2d__study_measure(s, result, w->peaks, w->room, w->values);
        const char *bad = find_bad(w);
        if (bad != NULL) {
            tell_bad(w, result, bad, made);
        }
        made->has_failed = bad != NULL;
    } else {
        snprintf(made->status, size, "%s", first_error(w->ctx, status));
        made->has_failed = true;
    }
    ha_result_free(result);
    if (status == HA_ERR_INTERRUPTED || status == HA_ERR_MEMORY) {
        return status;
    }
    return m2d__study_row(s, w->ctx, run, w->values, made->status, &made->row);
}

/* --- threads -------------------------------------------------------------------------------- */

/* The next run that is to be made, -1: none. */
static long take_next(team *t)
{
    pthread_mutex_lock(&t->lock);
    long run = t->next;
    while (run < t->study->n_runs && (!is_mine(t->def, run) || t->journal.rows[run] != NULL)) {
        run++;
    }
    t->next = run + 1;
    run = t->status == HA_OK && run < t->study->n_runs ? run : -1;
    pthread_mutex_unlock(&t->lock);
    return run;
}

/* Adds a run to those that are told, which are the first of all that failed. */
static void list_failure(m2d__study_report *report, long run, const char *text)
{
    int i = report->n_failures;

    while (i > 0 && report->failures[i - 1].run >= run) {
        i--;
    }
    if (i == M2D__N_FAILURES || (i < report->n_failures && report->failures[i].run == run)) {
        return;
    }
    report->n_failures += report->n_failures < M2D__N_FAILURES ? 1 : 0;
    memmove(report->failures + i + 1, report->failures + i,
            (size_t) (report->n_failures - 1 - i) * sizeof *report->failures);
    report->failures[i].run = run;
    snprintf(report->failures[i].text, sizeof report->failures[i].text, "%s", text);
}

static void keep(team *t, long run, ha_status status, const made_row *made)
{
    m2d__study_report *report = t->report;

    pthread_mutex_lock(&t->lock);
    if (status == HA_OK && t->status != HA_ERR_OUTPUT) { /* which is said once */
        status = m2d__journal_add(&t->journal, run, made->row);
        HA_THEN(status, t->def->table == NULL ? HA_OK
                                              : m2d__study_take(t->def->table, t->study->ctx, run,
                                                                made->values, made->status));
        t->n_done++;
        report->n_failed += made->has_failed ? 1 : 0;
        if (made->has_failed) {
            list_failure(report, run, made->status);
        }
    } else if (made != NULL) {
        ha__free(made->row);
    }
    t->status = t->status == HA_OK ? status : t->status;
    pthread_mutex_unlock(&t->lock);
}

/* How much of the work is done. The other threads go on meanwhile, and the progress is told
   without the lock, so that they need not wait for it. */
static double part_done(team *t)
{
    pthread_mutex_lock(&t->lock);
    double part = (double) t->n_done / (double) t->n_mine;
    pthread_mutex_unlock(&t->lock);
    return part;
}

static ha_status prepare_worker(worker *w)
{
    const team *t = w->team;

    HA_TRY(m2d_prepared_copy(w->ctx, t->model, &w->model));
    HA_TRY_ALLOC(w->ctx, w->peaks, bg_model_dae(m2d_prepared_model(t->model))->n_outputs);
    HA_TRY_ALLOC(w->ctx, w->values, t->study->measures.count);
    HA_TRY_ALLOC(w->ctx, w->room, ha__tape_work_size(t->study->tape));
    return HA_OK;
}

static void *work(void *user)
{
    worker *w = user;
    team *t = w->team;
    ha_status status = prepare_worker(w);

    if (status != HA_OK) {
        keep(t, 0, status, NULL);
    }
    for (long run = status == HA_OK ? take_next(t) : -1; run >= 0; run = take_next(t)) {
        made_row made = { .status = "done", .values = w->values };
        if (ha_ctx_is_interrupted(w->ctx) != 0) {
            keep(t, run, HA_ERR_INTERRUPTED, NULL);
            break;
        }
        status = make_row(w, run, &made);
        keep(t, run, status, &made);
        if (w->reports) {
            ha_ctx_report_progress(t->study->ctx, part_done(t));
        }
    }
    pthread_mutex_lock(&t->lock);
    t->report->n_compiled += m2d_prepared_n_compiled(w->model);
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

static void end_worker(worker *w)
{
    m2d_prepared_free(w->model);
    HA_FREE(w->peaks, w->values, w->room);
    ha_ctx_free(w->ctx);
}

static ha_status work_together(team *t, long jobs)
{
    worker *workers = NULL;
    pthread_t *threads = NULL;
    long n_started = 0;

    workers = ha__alloc(t->study->ctx, (size_t) jobs, sizeof *workers);
    threads = ha__alloc(t->study->ctx, (size_t) jobs, sizeof *threads);
    ha_status status = workers == NULL || threads == NULL ? HA_ERR_MEMORY : HA_OK;
    for (long i = 0; i < jobs && status == HA_OK; i++) {
        workers[i] = (worker){ .team = t, .ctx = ha_ctx_new(), .reports = i == 0 };
        status = workers[i].ctx == NULL ? HA_ERR_MEMORY : HA_OK;
        if (status == HA_OK) {
            ha__ctx_share_interrupt(workers[i].ctx, t->study->ctx);
        }
        if (i > 0 && status == HA_OK && pthread_create(&threads[i], NULL, work, &workers[i]) == 0) {
            n_started++;
        } else if (i > 0) {
            end_worker(&workers[i]);
            break; /* with as many as there are */
        }
    }
    if (status == HA_OK) {
        work(&workers[0]);
    }
    for (long i = 1; i <= n_started; i++) {
        pthread_join(threads[i], NULL);
        end_worker(&workers[i]);
    }
    if (workers != NULL) {
        end_worker(&workers[0]);
    }
    HA_FREE(workers, threads);
    return status != HA_OK ? status : t->status;
}

/* --- the whole ------------------------------------------------------------------------------ */

/* Whether a fault is one of the study, and so of all runs, whatever their values. */
static bool is_of_all(ha_status status)
{
    return status == HA_ERR_NAME || status == HA_ERR_SYNTAX || status == HA_ERR_FILE ||
           status == HA_ERR_UNIT;
}

/* Tells what was said of a run: outputs where a measure takes them, values where they vary. */
static void pass_errors(m2d__study *s, const ha_ctx *from, ha_status status)
{
    const m2d__handed_over given = { .outputs = s->outputs.items,
                                     .output_wheres = s->output_wheres.items,
                                     .n_outputs = s->outputs.count,
                                     .variables = s->variables.items,
                                     .n_variables = s->variables.count };

    (void) m2d__pass_errors(s->ctx, from, status, &given);
}

/* The model, compiled with the values of a run. */
static ha_status prepare_run(m2d__study *s, const m2d__study_def *def, long run, ha_ctx *own,
                             m2d_prepared **out)
{
    m2d_source source = *def->source;

    source.outputs = s->outputs.items;
    source.n_outputs = (int) s->outputs.count;
    for (size_t i = 0; i < s->variables.count; i++) {
        s->variables.items[i].value = s->values[(size_t) run * s->variables.count + i];
    }
    ha_ctx_clear(own);
    return m2d_prepare(own, &source, s->variables.items, (int) s->variables.count, out);
}

/* The model of a run that it can be made of, in a context of its own, so that what is said of
   those before is no news. Where it can be made of none, the errors are those of run 1, and the
   first runs that were tried are told. */
static ha_status prepare(m2d__study *s, const m2d__study_def *def, ha_ctx *own,
                         m2d__study_report *report, m2d_prepared **out)
{
    long bases[M2D__N_BASES];
    ha_status status = HA_ERR_VALUE;

    HA_TRY(m2d__study_bases(s, bases));
    for (int k = 0; k < M2D__N_BASES && status != HA_OK && !is_of_all(status); k++) {
        status = prepare_run(s, def, bases[k], own, out);
        if (status != HA_OK) {
            list_failure(report, bases[k], first_error(own, status));
        }
    }
    report->has_model = status == HA_OK;
    report->n_failures = status == HA_OK || is_of_all(status) ? 0 : report->n_failures;
    if (status != HA_OK) {
        status = prepare_run(s, def, 0, own, out);
        pass_errors(s, own, status);
    }
    return status;
}

static ha_status check_options(const m2d__study *s, const m2d__study_def *def,
                               const m2d_prepared *model)
{
    bg_run_options options;

    HA_TRY(find_options(s->ctx, def, model, &options));
    return options.solver.t_end >= 0.0
               ? HA_OK
               : ha_fail(s->ctx, HA_ERR_VALUE, (ha_where){ def->source->path, 0, 0 },
                         "the model has no end time; give --t-end TIME, or `simulate: {t_end: "
                         "TIME}` in the file");
}

/* Whether a row that was kept is one of a run that failed. */
static bool has_failed(const char *row)
{
    static const char done[] = ",done\n";
    const size_t n = strlen(row), n_done = sizeof done - 1;

    return n < n_done || strcmp(row + n - n_done, done) != 0;
}

static void count(team *t)
{
    for (long run = 0; run < t->study->n_runs; run++) {
        if (is_mine(t->def, run)) {
            const char *row = t->journal.rows[run];
            t->n_mine++;
            t->n_done += row != NULL ? 1 : 0;
            t->report->n_failed += row != NULL && has_failed(row) ? 1 : 0;
        }
    }
    t->report->n_runs = t->n_mine;
    t->report->n_kept = t->n_done;
}

static ha_status run(team *t, m2d_prepared *model)
{
    m2d__study *s = t->study;
    char *header = NULL;

    HA_TRY(m2d__journal_open(s->ctx, s, t->def, &t->journal));
    count(t);
    long left = t->n_mine - t->n_done;
    t->model = model;
    if (left > 0) {
        HA_TRY(work_together(t, t->def->jobs < left ? t->def->jobs : left));
    }
    if (t->def->n_shards > 1 || t->def->directory == NULL) {
        return HA_OK;
    }
    HA_TRY(m2d__study_header(s, &header));
    return ha__then_free(
        m2d__study_write(s->ctx, t->def->directory, header, t->journal.rows, s->n_runs), header);
}

static long n_processors(void)
{
    const long n = sysconf(_SC_NPROCESSORS_ONLN);

    return n > 0 ? n : 1;
}

ha_status m2d__study_run(m2d__study *s, const m2d__study_def *def, m2d__study_report *report)
{
    const double begin = ha__clock();
    m2d__study_def known = *def;
    team t = { .study = s, .def = &known, .report = report, .journal = { .file = -1 } };
    m2d_prepared *model = NULL;
    ha_ctx *own = ha_ctx_new();

    *report = (m2d__study_report){ 0 };
    HA_TRY_MEMORY(own);
    pthread_mutex_init(&t.lock, NULL);
    ha_status status = prepare(s, def, own, report, &model);
    known.inputs = ha__ctx_inputs(own);
    known.jobs = def->jobs > 0 ? def->jobs : n_processors();
    HA_THEN(status, m2d__study_find_columns(s, m2d_prepared_model(model)));
    HA_THEN(status, check_options(s, def, model));
    HA_THEN(status, run(&t, model));
    if (status == HA_ERR_INTERRUPTED) {
        status = ha_fail(s->ctx, status, HA_NOWHERE,
                         "interrupted; %ld of %ld runs are kept, --resume goes on with them",
                         t.journal.n_done, t.n_mine);
    }
    report->is_quick = model != NULL && m2d_prepared_is_quick(model);
    m2d__journal_close(&t.journal);
    pthread_mutex_destroy(&t.lock);
    m2d_prepared_free(model);
    ha_ctx_free(own);
    report->seconds = ha__clock() - begin;
    return status;
}
