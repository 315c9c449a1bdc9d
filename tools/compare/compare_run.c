/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The runs of `halfarrow compare`: each has a context and a model of its own, and threads take one
 * after the other, as many threads as there are processors.
 */
#include <config.h>

#include "tools/compare/comparison.h"

#include "lib/core/clock.h"
#include "lib/core/number.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAX_THREADS = 256, MAX_COUNT = 10000 };

/* What the solver calls the energy that went into an element, in front of its name. */
static const char HEAT[] = "#dissipated.";

/* --- the sweep ------------------------------------------------------------------------------ */

static ha_status fail_sweep(cli_call *cli, const char *what)
{
    return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                   "--sweep `%s` %s; write PATH=FROM:TO:COUNT, for example "
                   "'joints.*.stiffness=1e6:1e10:5'",
                   cli->text[CLI_SWEEP], what);
}

/* A number and the unit behind it, up to `end`. */
static bool read_bound(const char *text, const char *end, double *value, const char **unit,
                       size_t *unit_length)
{
    text += strspn(text, " ");
    size_t n = ha__number_length(text);

    if (n == 0 || n > (size_t) (end - text) || !ha__read_number(text, n, 0, value)) {
        return false;
    }
    text += n;
    text += strspn(text, " ");
    *unit = text;
    *unit_length = text < end ? (size_t) (end - text) : 0;
    return *value > 0.0;
}

ha_status compare_read_sweep(cli_call *cli, compare_sweep *sweep)
{
    const char *text = cli->text[CLI_SWEEP], *unit = NULL, *first_unit = NULL;
    const char *equals = strchr(text, '=');
    const char *colon = equals == NULL ? NULL : strchr(equals, ':');
    const char *last = colon == NULL ? NULL : strchr(colon + 1, ':');
    size_t n = 0, first_n = 0;
    double count = 0.0;

    if (last == NULL || equals == text) {
        return fail_sweep(cli, "is no range");
    }
    if (!read_bound(equals + 1, colon, &sweep->from, &first_unit, &first_n) ||
        !read_bound(colon + 1, last, &sweep->to, &unit, &n)) {
        return fail_sweep(cli, "has a bound that is no positive number");
    }
    if (first_n > 0 && (first_n != n || strncmp(first_unit, unit, n) != 0)) {
        return fail_sweep(cli, "has bounds in two units; give both in one");
    }
    if (!ha__read_number(last + 1, strlen(last + 1), 0, &count) || count != floor(count) ||
        !(count >= 2.0 && count <= MAX_COUNT)) {
        return fail_sweep(cli, "has a COUNT that is no whole number from 2 to 10000");
    }
    sweep->count = (int) count;
    sweep->path = ha__copy_text(cli->ctx, text, (size_t) (equals - text));
    sweep->unit = ha__copy_text(cli->ctx, unit, n);
    return sweep->path == NULL || sweep->unit == NULL ? HA_ERR_MEMORY : HA_OK;
}

/* --- jobs ----------------------------------------------------------------------------------- */

void compare_job_free(compare_job *job)
{
    if (job != NULL) {
        ha_result_free(job->heat);
        cli_run_clear(&job->run);
        HA_ARRAY_CLEAR(&job->cli.sets, &job->cli.variants);
        ha_ctx_free(job->cli.ctx);
        HA_FREE(job->set, job);
    }
}

/* Gives a job the command line with its own variant and value. */
static ha_status set_up_job(compare_set *set, compare_job *job, bool is_present)
{
    const cli_call *cli = set->cli;
    cli_call *own = &job->cli;

    *own = (cli_call){ .ctx = ha_ctx_new(),
                       .command = cli->command,
                       .file = cli->file,
                       .input = cli->input,
                       .input_length = cli->input_length };
    memcpy(own->given, cli->given, sizeof own->given);
    HA_TRY_MEMORY(own->ctx);
    cli_share_interrupt(own->ctx);
    memcpy(own->text, cli->text, sizeof own->text);
    own->given[CLI_VARIANT] = false;
    if (job->run.name != NULL) {
        own->given[CLI_VARIANT] = true;
        HA_TRY_PUSH(own->ctx, &own->variants, job->run.name);
    }
    for (size_t i = 0; i < cli->sets.count; i++) {
        HA_TRY_PUSH(own->ctx, &own->sets, cli->sets.items[i]);
    }
    if (job->set != NULL && is_present) {
        own->where_present = job->set;
    } else if (job->set != NULL) {
        HA_TRY_PUSH(own->ctx, &own->sets, job->set);
    }
    return HA_OK;
}

/* PATH=VALUE of the sweep. */
static ha_status write_setting(const compare_set *set, double value, char **out)
{
    ha__strbuf text = HA_STRBUF(set->cli->ctx);

    ha__strbuf_addf(&text, "%s=", set->sweep.path);
    ha__strbuf_add_short_number(&text, value);
    ha__strbuf_addf(&text, "%s%s", set->sweep.unit[0] != '\0' ? " " : "", set->sweep.unit);
    return ha__strbuf_finish(&text, HA_OK, out);
}

ha_status compare_add_job(compare_set *set, const char *variant, double value, bool is_present)
{
    compare_job *job = NULL;
    char *text = NULL;

    if (!isnan(value)) {
        HA_TRY(write_setting(set, value, &text));
    }
    job = ha__alloc(set->cli->ctx, 1, sizeof *job);
    if (job == NULL) {
        ha__free(text);
        return HA_ERR_MEMORY;
    }
    *job = (compare_job){ .value = value,
                          .set = text,
                          .run = cli_run_new(variant),
                          .n_unknowns = -1,
                          .n_states = -1,
                          .n_multipliers = -1 };
    ha_status status = set_up_job(set, job, is_present);
    if (status != HA_OK) {
        compare_job_free(job);
        return status;
    }
    void *items = ha__room(set->cli->ctx, set->jobs.items, set->jobs.count, 1, &set->jobs.capacity,
                           sizeof *set->jobs.items);
    if (items == NULL) {
        compare_job_free(job);
        return HA_ERR_MEMORY;
    }
    set->jobs.items = items;
    set->jobs.items[set->jobs.count++] = job;
    return HA_OK;
}

ha_status compare_load(compare_job *job)
{
    cli_run *run = &job->run;
    double begin = ha__clock();

    run->status = cli_load(&job->cli, &run->model);
    job->has_path = run->model.file != NULL && m2d_model_n_present(run->model.file) > 0;
    run->status = run->status == HA_OK ? cli_check_end(&job->cli, &run->model) : run->status;
    run->seconds_setup = ha__clock() - begin;
    return run->status;
}

/* Adds the columns of a table that are of elements (their heat) or are not, and its rows. */
static ha_status copy_columns(const ha_result *all, bool of_elements, size_t first_row,
                              ha_result *out)
{
    size_t n = ha_result_n_columns(all), n_kept = 0, length = strlen(HEAT);
    double *row = NULL;
    ha_status status = HA_OK;

    for (size_t c = 0; c < n; c++) {
        const char *name = ha_result_name(all, c);
        if ((strncmp(name, HEAT, length) == 0) == of_elements) {
            HA_TRY(ha_result_add_column(out, name + (of_elements ? length : 0),
                                        ha_result_unit(all, c)));
        }
    }
    HA_TRY(ha_result_reserve(out, ha_result_n_rows(all) - first_row));
    HA_TRY_ALLOC(ha_result_ctx(out), row, n);
    for (size_t i = first_row; i < ha_result_n_rows(all) && status == HA_OK; i++) {
        n_kept = 0;
        for (size_t c = 0; c < n; c++) {
            if ((strncmp(ha_result_name(all, c), HEAT, length) == 0) == of_elements) {
                row[n_kept++] = ha_result_value(all, i, c);
            }
        }
        status = ha_result_add_row(out, row);
    }
    ha__free(row);
    return status;
}

/* Leaves the peaks of the outputs that are no heat, in their order. */
static void keep_peaks(const ha_result *all, ha_peak *peaks)
{
    size_t n = 0;

    for (size_t c = 1; c < ha_result_n_columns(all); c++) {
        if (strncmp(ha_result_name(all, c), HEAT, strlen(HEAT)) != 0) {
            peaks[n++] = peaks[c - 1];
        }
    }
}

/* Takes what was dissipated in each element, as it is at the end, out of the table of outputs. */
static ha_status split_result(compare_job *job)
{
    ha_ctx *ctx = job->cli.ctx;
    size_t n_rows = ha_result_n_rows(job->run.result);
    ha_result *rest = ha_result_new(ctx);

    job->heat = ha_result_new(ctx);
    ha_status status = rest == NULL || job->heat == NULL ? HA_ERR_MEMORY : HA_OK;
    HA_THEN(status, copy_columns(job->run.result, true, n_rows > 0 ? n_rows - 1 : 0, job->heat));
    HA_THEN(status, copy_columns(job->run.result, false, 0, rest));
    if (status != HA_OK) {
        ha_result_free(rest);
        return status;
    }
    keep_peaks(job->run.result, job->run.peaks);
    ha_result_free(job->run.result);
    job->run.result = rest;
    return HA_OK;
}

/* Reads a model that was not read yet, and runs it. */
static ha_status run_job(compare_job *job)
{
    cli_run *run = &job->run;
    double begin = ha__clock();

    if (run->model.graph == NULL) {
        HA_TRY(compare_load(job));
    } else {
        begin -= run->seconds_setup;
    }
    run->model.extend = cli_add_losses;
    run->model.options.solver.events = HA_EVENT_ROWS_NONE;
    HA_TRY(m2d__kit_prepare(&run->model));
    job->n_unknowns = bg_model_n_unknowns(run->model.compiled);
    job->n_states = bg_model_n_states(run->model.compiled);
    job->n_multipliers = bg_model_n_multipliers(run->model.compiled);
    if (cli_has(&job->cli, CLI_COMPILE)) {
        HA_TRY(cli_translate(job->cli.ctx, &run->model, &run->is_compiled));
    }
    HA_TRY(cli_run_solve(&job->cli, run, begin));
    HA_TRY(split_result(job)); /* a run that failed has its rows up to there, too */
    return run->status;
}

/* --- threads -------------------------------------------------------------------------------- */

typedef struct {
    compare_set *set;
    pthread_mutex_t lock;
    size_t next, n_done;
} pool;

/* Takes jobs while there are some. */
static void *work(void *user)
{
    pool *p = user;
    size_t n = p->set->jobs.count;

    for (;;) {
        pthread_mutex_lock(&p->lock);
        size_t i = p->next++;
        pthread_mutex_unlock(&p->lock);
        if (i >= n) {
            return NULL;
        }
        compare_job *job = p->set->jobs.items[i];
        job->run.status = run_job(job);
        if (!job->keeps_model) {
            m2d__kit_clear(&job->run.model);
        }
        pthread_mutex_lock(&p->lock);
        p->n_done++;
        ha_ctx_report_progress(p->set->cli->ctx, (double) p->n_done / (double) n);
        pthread_mutex_unlock(&p->lock);
    }
}

void compare_run(compare_set *set)
{
    pool p = { .set = set, .lock = PTHREAD_MUTEX_INITIALIZER };
    pthread_t threads[MAX_THREADS];
    long n_processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t wanted = n_processors > 1 ? (size_t) n_processors - 1 : 0, n = 0;

    wanted = wanted >= set->jobs.count ? set->jobs.count - 1 : wanted;
    while (n < wanted && n < MAX_THREADS && pthread_create(&threads[n], NULL, work, &p) == 0) {
        n++;
    }
    (void) work(&p); /* this thread works, too, and alone where there can be no others */
    for (size_t i = 0; i < n; i++) {
        pthread_join(threads[i], NULL);
    }
    pthread_mutex_destroy(&p.lock);
}

/* --- reports -------------------------------------------------------------------------------- */

const char *compare_job_name(const compare_job *job)
{
    return job->run.name == NULL ? "base" : job->run.name;
}

void compare_job_title(const compare_set *set, const compare_job *job, ha__strbuf *out)
{
    char number[HA__NUMBER_SIZE];

    ha__strbuf_add(out, compare_job_name(job));
    if (!isnan(job->value)) {
        ha__strbuf_addf(out, " at %s%s%s", ha__print_rounded_number(number, job->value, 6),
                        set->sweep.unit[0] != '\0' ? " " : "", set->sweep.unit);
    }
}

const char *compare_fault(const compare_job *job)
{
    for (size_t i = 0; job->run.status != HA_OK && i < ha_ctx_n_diags(job->cli.ctx); i++) {
        const ha_diag *diag = ha_ctx_diag(job->cli.ctx, i);
        if (diag->severity == HA_ERROR) {
            return diag->text;
        }
    }
    return NULL;
}

void compare_report_diags(const compare_set *set, const compare_job *job)
{
    ha_ctx *ctx = set->cli->ctx;
    ha__strbuf title = HA_STRBUF(ctx);

    compare_job_title(set, job, &title);
    for (size_t i = 0; i < ha_ctx_n_diags(job->cli.ctx); i++) {
        const ha_diag *diag = ha_ctx_diag(job->cli.ctx, i);
        if (diag->severity == HA_ERROR) {
            (void) ha_fail(ctx, diag->status, diag->where, "%s: %s", ha__strbuf_text(&title),
                           diag->text);
        } else if (diag->severity == HA_WARNING) {
            ha_warn(ctx, diag->where, "%s: %s", ha__strbuf_text(&title), diag->text);
        } else {
            ha_note(ctx, diag->where, "%s: %s", ha__strbuf_text(&title), diag->text);
        }
    }
    ha__strbuf_clear(&title);
}
