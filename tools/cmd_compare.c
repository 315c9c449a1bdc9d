/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * halfarrow compare: runs variants, and with --sweep each of them at several values, and says what
 * differs. A run that fails is reported and does not stop the others.
 */
#include <config.h>

#include "tools/compare/comparison.h"

#include "lib/core/output.h"
#include "lib/core/strbuf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CHOSEN = 5 };

/* A format of comparisons, besides those of pictures. */
typedef struct {
    ha__suffix name;
    ha_status (*write)(const compare_set *set, ha__strbuf *out);
} format;

static const format formats[] = {
    { { ".csv", "the differences as a table; also for `-`" }, compare_csv },
    { { ".txt", "text, as it is printed" }, compare_text },
    { { ".html", "a page with plots, complete in itself" }, compare_html },
};

const ha__suffixes cmd_compare_formats = { HA__SUFFIXES(formats), .what = "the comparison",
                                           .has_plain = true, .more = &gnuplot_formats };

/* --- what is run ---------------------------------------------------------------------------- */

/* The base and all variants that the file has. */
static ha_status add_all_variants(compare_set *set, const cli_model *model)
{
    cli_call *cli = set->cli;
    int n = model->file == NULL ? 0 : m2d_model_n_variants(model->file);

    HA_TRY_PUSH(cli->ctx, &set->variants, model->file == NULL ? NULL : "base");
    for (int i = 0; i < n; i++) {
        const char *name = m2d_model_variant(model->file, i);
        const char *copy = ha__arena_text(cli->ctx, &set->arena, name, strlen(name));
        HA_TRY_MEMORY(copy);
        if (strcmp(name, "base") != 0) {
            HA_TRY_PUSH(cli->ctx, &set->variants, copy);
        }
    }
    if (set->variants.count == 1 && !cli_has(cli, CLI_SWEEP)) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, (ha_where){ model->name, 0, 0 },
                       "the model has no variants to compare; give it some under `variants`, or "
                       "compare it with itself at other values: --sweep PATH=FROM:TO:COUNT");
    }
    return HA_OK;
}

/* The variants given; one alone is compared with the file as it stands. Without any, all. */
static ha_status choose_variants(compare_set *set)
{
    cli_call *cli = set->cli;
    cli_model model = { 0 };

    if (cli->variants.count == 1 && !cli_has(cli, CLI_SWEEP)) {
        HA_TRY_PUSH(cli->ctx, &set->variants, "base");
    }
    for (size_t i = 0; i < cli->variants.count; i++) {
        HA_TRY_PUSH(cli->ctx, &set->variants, cli->variants.items[i]);
    }
    if (cli->variants.count > 0) {
        return HA_OK;
    }
    ha_status status = cli_load(cli, &model);
    if (status == HA_OK) {
        ha_ctx_clear(cli->ctx); /* what it says will be said by the runs */
        status = add_all_variants(set, &model);
    }
    m2d__kit_clear(&model);
    return status;
}

/* Reads the model of a variant as it stands (NAN) or with a value; its diagnostics are reported. */
static ha_status try_load(compare_set *set, const char *variant, double value, bool is_present,
                          bool *has_path)
{
    HA_TRY(compare_add_job(set, variant, value, is_present));
    compare_job *job = set->jobs.items[--set->jobs.count];
    ha_status status = compare_load(job);
    *has_path = job->has_path;
    if (status != HA_OK) {
        compare_report_diags(set, job);
        cli_print_diags(set->cli); /* while the names of files are there */
    }
    compare_job_free(job);
    return status;
}

/* Does a variant have the sweep's path? A model that is right by itself and not with the value has
   it: what is wrong is the value, which its run will tell. */
static ha_status probe(compare_set *set, const char *variant, bool *has_path)
{
    bool unused = false;

    HA_TRY(try_load(set, variant, (double) NAN, false, &unused));
    HA_TRY(compare_add_job(set, variant, set->sweep.from, true));
    compare_job *job = set->jobs.items[--set->jobs.count];
    *has_path = compare_load(job) != HA_OK || job->has_path;
    compare_job_free(job);
    return HA_OK;
}

/* A path that no variant has must be one that can be set. */
static ha_status check_path(compare_set *set)
{
    bool unused = false;

    if (strchr(set->sweep.path, '*') != NULL) {
        return ha_fail(set->cli->ctx, HA_ERR_NAME, HA_NOWHERE,
                       "nothing to sweep: no variant has a value at `%s`; give it one in the "
                       "file or in a variant",
                       set->sweep.path);
    }
    ha_status status = try_load(set, set->variants.items[0], set->sweep.from, false, &unused);
    return status == HA_ERR_NAME || status == HA_ERR_SYNTAX ? status : HA_OK;
}

/* Value number k of the sweep: equal ratios, the ends exactly. */
static double sweep_value(const compare_sweep *sweep, int k)
{
    double share = (double) k / (double) (sweep->count - 1);

    return k == 0                  ? sweep->from
           : k + 1 == sweep->count ? sweep->to
                                   : sweep->from * pow(sweep->to / sweep->from, share);
}

/* Adds the runs of a variant over the sweep, each compared with that of job `reference`, or with
   the run of the first variant at the same value, which is `reference` and those that follow it. */
static ha_status add_sweep(compare_set *set, const char *variant, size_t reference, bool goes_along,
                           bool is_present)
{
    for (int k = 0; k < set->sweep.count; k++) {
        size_t own = set->jobs.count;
        HA_TRY(compare_add_job(set, variant, sweep_value(&set->sweep, k), is_present));
        set->jobs.items[own]->against = goes_along ? reference + (size_t) k : reference;
        set->jobs.items[own]->keeps_model = k == 0;
    }
    return HA_OK;
}

/*
 * A value is swept in every variant that has it, so that the others, ideal joints among compliant
 * ones, are run once. A value that none has is set in all. One variant alone is compared with
 * itself as it stands.
 */
static ha_status plan_sweep(compare_set *set)
{
    size_t n = set->variants.count;
    bool *has_path = NULL, is_anywhere = false;
    ha_status status = HA_OK;

    HA_TRY_ALLOC(set->cli->ctx, has_path, n);
    for (size_t v = 0; v < n && status == HA_OK; v++) {
        status = probe(set, set->variants.items[v], &has_path[v]);
        is_anywhere |= has_path[v];
    }
    if (status == HA_OK && !is_anywhere) {
        status = check_path(set);
    }
    bool goes_along = n > 1 && (has_path[0] || !is_anywhere);
    HA_THEN(status, goes_along ? add_sweep(set, set->variants.items[0], 0, true, is_anywhere)
                               : compare_add_job(set, set->variants.items[0], (double) NAN, false));
    for (size_t v = n > 1 ? 1 : 0; v < n && status == HA_OK; v++) {
        if (has_path[v] || !is_anywhere) {
            status = add_sweep(set, set->variants.items[v], 0, goes_along, is_anywhere);
        } else {
            status = goes_along ? ha_fail(set->cli->ctx, HA_ERR_NAME, HA_NOWHERE,
                                          "the variant `%s` has no value at `%s`, which the first "
                                          "variant has; name the variant without it first",
                                          set->variants.items[v], set->sweep.path)
                                : compare_add_job(set, set->variants.items[v], (double) NAN, false);
        }
    }
    ha__free(has_path);
    return status;
}

/* Reads the models, so that one that is wrong is reported before anything is run. */
static ha_status plan_variants(compare_set *set)
{
    for (size_t v = 0; v < set->variants.count; v++) {
        HA_TRY(compare_add_job(set, set->variants.items[v], (double) NAN, false));
        compare_job *job = set->jobs.items[v];
        ha_status status = compare_load(job);
        if (status != HA_OK) {
            compare_report_diags(set, job);
            return status;
        }
    }
    return HA_OK;
}

static ha_status plan(compare_set *set)
{
    HA_TRY(choose_variants(set));
    HA_TRY(set->sweep.path != NULL ? plan_sweep(set) : plan_variants(set));
    for (size_t j = 0; j < set->jobs.count; j++) {
        compare_job *job = set->jobs.items[j];
        job->keeps_model |= j == 0 || isnan(job->value);
    }
    return HA_OK;
}

/* --- what came out -------------------------------------------------------------------------- */

static ha_status compare_all(compare_set *set)
{
    for (size_t j = 0; j < set->jobs.count; j++) {
        const compare_job *job = set->jobs.items[j], *other = set->jobs.items[job->against];
        ha_compare *compare = NULL;
        bool has_both = job != other && job->run.result != NULL && other->run.result != NULL &&
                        ha_result_n_rows(job->run.result) > 0 &&
                        ha_result_n_rows(other->run.result) > 0;
        if (has_both) {
            HA_TRY(ha_compare_results(other->run.result, job->run.result, &compare));
        }
        void *items = ha__room(set->cli->ctx, set->compares.items, set->compares.count, 1,
                               &set->compares.capacity, sizeof *set->compares.items);
        if (items == NULL) {
            ha_compare_free(compare);
            return HA_ERR_MEMORY;
        }
        set->compares.items = items;
        set->compares.items[set->compares.count++] = compare;
    }
    return HA_OK;
}

/* --y, every name of which must be an output of the first run. */
static ha_status choose_named(compare_set *set)
{
    const char *text = set->cli->text[CLI_Y];
    const ha_result *const results[] = { set->jobs.items[0]->run.result };

    HA_TRY_GET(set->names, ha__copy_text(set->cli->ctx, text, strlen(text)));
    return plot_choose(set->cli->ctx, results, 1, set->names, &set->chosen);
}

/* True when some run differs in an output. */
static bool differs(const compare_set *set, const char *name)
{
    for (size_t j = 0; j < set->jobs.count; j++) {
        const ha_difference *d = compare_find(set, j, name);
        if (d != NULL && d->largest != 0.0) {
            return true;
        }
    }
    return false;
}

static ha_status choose_output(compare_set *set, const char *name)
{
    if (set->chosen.count < MOST_CHOSEN && differs(set, name)) {
        HA_TRY_PUSH(set->cli->ctx, &set->chosen, name);
    }
    return HA_OK;
}

/* The angles of the bodies, or the first outputs of a model without bodies, that differ. */
static ha_status choose_outputs(compare_set *set)
{
    const compare_job *first = set->jobs.items[0];
    const m2d_system *system = first->run.model.system;
    ha__strbuf name = HA_STRBUF(set->cli->ctx);
    ha_status status = HA_OK;

    if (first->run.result == NULL) {
        return HA_OK;
    }
    if (cli_has(set->cli, CLI_Y)) {
        return choose_named(set);
    }
    for (int i = 0; system != NULL && i < m2d_system_n_bodies(system) && status == HA_OK; i++) {
        name.length = 0;
        ha__strbuf_addf(&name, "%s.angle", m2d_system_body_name(system, i));
        status = name.status;
        int found =
            status == HA_OK ? ha_result_find(first->run.result, ha__strbuf_text(&name)) : -1;
        if (found > 0) {
            status = choose_output(set, ha_result_name(first->run.result, (size_t) found));
        }
    }
    ha__strbuf_clear(&name);
    HA_TRY(status);
    bool has_angles = set->chosen.count > 0;
    for (size_t c = 1; !has_angles && c < ha_result_n_columns(first->run.result); c++) {
        HA_TRY(choose_output(set, ha_result_name(first->run.result, c)));
    }
    return HA_OK;
}

/* What the program ends with: the first failure; of a sweep, whose values may be wrong for the
   model, that the work failed. */
static ha_status overall(const compare_set *set)
{
    for (size_t j = 0; j < set->jobs.count; j++) {
        ha_status status = set->jobs.items[j]->run.status;
        if (status != HA_OK) {
            return set->sweep.path != NULL && ha_status_exit(status) == 2 ? HA_ERR_SOLVER : status;
        }
    }
    return HA_OK;
}

static ha_status write_file(const compare_set *set, const char *path)
{
    ha__strbuf text = HA_STRBUF(set->cli->ctx);
    const format *to = ha__suffix_find(&cmd_compare_formats, path);

    if (to == NULL) {
        return compare_plot(set, path);
    }
    ha_status status = to->write(set, &text);
    HA_THEN(status, text.status);
    HA_THEN(status, ha__output_write(set->cli->ctx, path, ha__strbuf_text(&text), text.length));
    return ha__strbuf_drop(&text, status);
}

static ha_status write_all(const compare_set *set)
{
    cli_call *cli = set->cli;
    ha__strbuf text = HA_STRBUF(cli->ctx);

    if (cli_has(cli, CLI_OUTPUT)) {
        HA_TRY(write_file(set, cli->text[CLI_OUTPUT]));
    }
    if (cli_has(cli, CLI_JSON)) {
        return compare_json(set);
    }
    if (cli_has(cli, CLI_OUTPUT) &&
        (strcmp(cli->text[CLI_OUTPUT], "-") == 0 || cli_has(cli, CLI_QUIET))) {
        return HA_OK;
    }
    ha_status status = compare_text(set, &text);
    HA_THEN(status, text.status);
    if (status == HA_OK) {
        fwrite(ha__strbuf_text(&text), 1, text.length, stdout);
    }
    return ha__strbuf_drop(&text, status);
}

/* -------------------------------------------------------------------------------------------- */

static ha_status run(cli_call *cli, compare_set *set)
{
    if (cli_has(cli, CLI_JSON) && cli_has(cli, CLI_OUTPUT) &&
        strcmp(cli->text[CLI_OUTPUT], "-") == 0) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "--json and `-o -` both want standard output; write the table to a file");
    }
    if (cli_has(cli, CLI_SWEEP)) {
        HA_TRY(compare_read_sweep(cli, &set->sweep));
    }
    HA_TRY(plan(set));
    compare_run(set);
    cli_end_work(cli);
    for (size_t j = 0; j < set->jobs.count; j++) {
        compare_report_diags(set, set->jobs.items[j]);
    }
    cli_print_diags(cli);
    HA_TRY(compare_all(set));
    HA_TRY(choose_outputs(set));
    HA_TRY(write_all(set));
    return overall(set);
}

ha_status cmd_compare(cli_call *cli)
{
    compare_set set = { .cli = cli };

    cli_begin_work(cli);
    ha_status status = run(cli, &set);
    cli_end_work(cli);
    cli_print_diags(cli); /* while the jobs are there, whose locations they name */
    for (size_t j = 0; j < set.compares.count; j++) {
        ha_compare_free(set.compares.items[j]);
    }
    for (size_t j = 0; j < set.jobs.count; j++) {
        compare_job_free(set.jobs.items[j]);
    }
    HA_ARRAY_CLEAR(&set.compares, &set.jobs, &set.variants, &set.chosen);
    HA_FREE(set.sweep.path, set.sweep.unit, set.names);
    ha__arena_clear(&set.arena);
    return status;
}
