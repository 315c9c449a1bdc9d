/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halfarrow study: a model run again and again; shards of it, put together, for a cluster. */
#include <config.h>

#include "lib/core/number.h"
#include "lib/core/output.h"
#include "lib/core/strbuf.h"
#include "tools/analysis/fit_write.h"
#include "tools/shared/json.h"
#include "tools/shared/source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_JOBS = 1024, MOST_SHARDS = 1000000 };

static ha_status refuse(cli_call *cli, cli_option option, const char *what)
{
    return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE, "`--%s %s`: %s", cli_option_name(option),
                   cli->text[option], what);
}

static ha_status read_whole(cli_call *cli, cli_option option, long most, long *out)
{
    double x = 0.0;

    HA_TRY(cli_number(cli, option, &x));
    if (!(x >= 1.0 && x <= (double) most && x == floor(x))) {
        char text[80];
        snprintf(text, sizeof text, "a whole number from 1 to %ld is needed", most);
        return refuse(cli, option, text);
    }
    *out = (long) x;
    return HA_OK;
}

static ha_status read_shard(cli_call *cli, m2d__study_def *def)
{
    const char *text = cli->text[CLI_SHARD];
    int end = 0;

    if (sscanf(text, "%ld/%ld%n", &def->shard, &def->n_shards, &end) != 2 || text[end] != '\0' ||
        def->shard < 1 || def->n_shards < 1 || def->shard > def->n_shards ||
        def->n_shards > MOST_SHARDS) {
        return refuse(cli, CLI_SHARD, "I/N is needed, with I from 1 to N, such as 2/4");
    }
    return HA_OK;
}

/* `t_end` has room for that option. */
static ha_status read_def(cli_call *cli, m2d_study_option *t_end, m2d__study_def *def)
{
    *t_end = (m2d_study_option){ "t-end", cli->text[CLI_RUN_t_end] };
    *def = (m2d__study_def){ .directory = cli->text[CLI_OUTPUT],
                             .shard = 1,
                             .n_shards = 1,
                             .resumes = cli_has(cli, CLI_RESUME),
                             .options = t_end,
                             .n_options = cli_has(cli, CLI_RUN_t_end) ? 1 : 0 };
    if (def->directory == NULL) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "`study` needs a directory for the results: -o DIR");
    }
    if (cli_has(cli, CLI_JOBS)) {
        HA_TRY(read_whole(cli, CLI_JOBS, MOST_JOBS, &def->jobs));
    }
    if (cli_has(cli, CLI_SHARD)) {
        HA_TRY(read_shard(cli, def));
    }
    bg_run_options any = bg_run_options_default();
    return def->n_options == 0
               ? HA_OK
               : bg_run_options_set(cli->ctx, &any, t_end->name, t_end->value, HA_NOWHERE);
}

/* --- shards --------------------------------------------------------------------------------- */

/* Arguments are directories of shards; without any, that of the results is the one. */
static ha_status merge(cli_call *cli)
{
    const char *to = cli->text[CLI_OUTPUT];
    const bool has_files = cli->files.count > 0;
    long n_runs = 0;

    if (!has_files && to == NULL) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "--merge needs the directories of the shards: `halfarrow study --merge A B "
                       "-o DIR`");
    }
    to = to != NULL ? to : cli->files.items[0];
    HA_TRY(m2d__study_merge(cli->ctx, has_files ? cli->files.items : &to,
                            has_files ? (int) cli->files.count : 1, to, &n_runs));
    if (!cli_has(cli, CLI_QUIET)) {
        fprintf(stderr, "%ld runs put together in %s/results.csv\n", n_runs, to);
    }
    return HA_OK;
}

/* A word for the shell. */
static void add_word(ha__strbuf *text, const char *word)
{
    ha__strbuf_add(text, " '");
    for (; *word != '\0'; word++) {
        char c[2] = { *word, '\0' };
        ha__strbuf_add(text, *word == '\'' ? "'\\''" : c);
    }
    ha__strbuf_add(text, "'");
}

/* An option that was given several times. */
static void add_each(ha__strbuf *text, cli_option option, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        ha__strbuf_addf(text, " --%s", cli_option_name(option));
        add_word(text, words[i]);
    }
}

/* The command of a batch file, with all that says what the study is. */
static void add_command(cli_call *cli, ha__strbuf *text)
{
    ha__strbuf_add(text, "exec \"${HALFARROW:-halfarrow}\" study");
    for (size_t i = 0; i < cli->files.count; i++) {
        add_word(text, cli->files.items[i]);
    }
    add_each(text, CLI_SET, cli->sets.items, cli->sets.count);
    add_each(text, CLI_LIBRARY, cli->libraries.items, cli->libraries.count);
    static const cli_option options[] = { CLI_GRAPH, CLI_VARIANT, CLI_RUN_t_end };
    for (size_t i = 0; i < HA_COUNT(options); i++) {
        if (cli_has(cli, options[i])) {
            ha__strbuf_addf(text, " --%s", cli_option_name(options[i]));
            add_word(text, cli->text[options[i]]);
        }
    }
    ha__strbuf_add(text, " -o");
    add_word(text, cli->text[CLI_OUTPUT]);
}

/* Batch files: an array of shards, each of which goes on with what it has, and what follows them.
 */
static ha_status write_batch(cli_call *cli)
{
    const char *directory = cli->text[CLI_OUTPUT];
    ha__strbuf path = HA_STRBUF(cli->ctx), text = HA_STRBUF(cli->ctx);
    ha_status status = HA_OK;
    long n = 1;

    HA_TRY(read_whole(cli, CLI_SLURM, MOST_SHARDS, &n));
    (void) mkdir(directory, 0777);
    for (int k = 0; k < 2 && status == HA_OK; k++) {
        ha__strbuf_clear(&path);
        ha__strbuf_clear(&text);
        ha__strbuf_addf(&path, "%s/%s.sbatch", directory, k == 0 ? "study" : "merge");
        ha__strbuf_add(&text, "#!/bin/sh\n#SBATCH --job-name=halfarrow\n");
        if (k == 0) {
            ha__strbuf_addf(&text, "#SBATCH --array=1-%ld\n#SBATCH --nodes=1 --ntasks=1\n", n);
            ha__strbuf_add(&text, "#SBATCH --requeue\n");
            add_command(cli, &text);
            ha__strbuf_addf(&text,
                            " --resume -q --shard \"$SLURM_ARRAY_TASK_ID/%ld\" "
                            "--jobs \"${SLURM_CPUS_PER_TASK:-1}\"\n",
                            n);
        } else {
            ha__strbuf_add(&text, "exec \"${HALFARROW:-halfarrow}\" study --merge -o");
            add_word(&text, directory);
            ha__strbuf_add(&text, "\n");
        }
        status = path.status != HA_OK ? path.status : text.status;
        HA_THEN(status, ha__output_write(cli->ctx, ha__strbuf_text(&path), ha__strbuf_text(&text),
                                         text.length));
    }
    ha__strbuf_clear(&path);
    ha__strbuf_clear(&text);
    if (status == HA_OK && !cli_has(cli, CLI_QUIET)) {
        fprintf(stderr,
                "batch files are in %s; start them with\n"
                "  job=$(sbatch --parsable %s/study.sbatch)\n"
                "  sbatch --dependency=afterok:$job %s/merge.sbatch\n",
                directory, directory, directory);
    }
    return status;
}

/* --- runs ----------------------------------------------------------------------------------- */

/* The first runs that failed: number, values and reason. */
static void print_failures(const m2d__study *study, const m2d__study_report *r)
{
    const size_t n = study->variables.count;
    char digits[HA__NUMBER_SIZE];

    for (int k = 0; k < r->n_failures; k++) {
        const double *values = study->values + (size_t) r->failures[k].run * n;
        fprintf(stderr, "  run %ld failed", r->failures[k].run + 1);
        for (size_t i = 0; i < n; i++) {
            fprintf(stderr, ", %s = %s", study->variables.items[i].path,
                    ha__print_rounded_number(digits, values[i], 6));
        }
        fprintf(stderr, ": %s\n", r->failures[k].text);
    }
    if (r->n_failures == M2D__N_FAILURES && r->n_failed > r->n_failures) {
        fprintf(stderr, "  and %ld more, each with its reason in the column `status`\n",
                r->n_failed - r->n_failures);
    }
}

static void print_report(const m2d__study *study, const m2d__study_def *def,
                         const m2d__study_report *r)
{
    fprintf(stderr, "%ld runs in %.3g s: %ld kept from before, %ld failed; compiled %s", r->n_runs,
            r->seconds, r->n_kept, r->n_failed, r->is_quick ? "once" : "for each run");
    if (r->is_quick && r->n_compiled > 0) {
        fprintf(stderr, ", and for each of %ld runs whose equations are others", r->n_compiled);
    }
    fputc('\n', stderr);
    print_failures(study, r);
    if (def->n_shards == 1) {
        fprintf(stderr, "results are in %s/results.csv\n", def->directory);
    } else {
        fprintf(stderr, "shard %ld of %ld is done; --merge puts all together\n", def->shard,
                def->n_shards);
    }
}

static ha_status print_json(cli_call *cli, const m2d__study_report *r)
{
    cli_json json = cli_json_new();
    const cli_member members[] = {
        cli_int("runs", r->n_runs),
        cli_int("kept", r->n_kept),
        cli_int("failed", r->n_failed),
        cli_real("seconds", r->seconds),
    };
    cli_json_put_each(&json, members, HA_COUNT(members));
    return cli_json_print(cli, &json);
}

/* --- fits ----------------------------------------------------------------------------------- */

/* DIR/fit.txt and DIR/fit.csv. */
static ha_status write_fit(cli_call *cli, const fit_job *job)
{
    static const char *const names[] = { "fit.txt", "fit.csv" };
    ha__strbuf path = HA_STRBUF(cli->ctx);
    ha_status status = HA_OK;

    (void) mkdir(cli->text[CLI_OUTPUT], 0777);
    for (size_t i = 0; i < HA_COUNT(names) && status == HA_OK; i++) {
        ha__strbuf_clear(&path);
        ha__strbuf_addf(&path, "%s/%s", cli->text[CLI_OUTPUT], names[i]);
        status = path.status;
        HA_THEN(status, fit_write(cli, job, ha__strbuf_text(&path)));
    }
    return ha__strbuf_drop(&path, status);
}

/* A fit is one piece of work: that of the first shard. */
static ha_status fit(cli_call *cli, const m2d__study_def *def, m2d__study *study, bool is_alone)
{
    fit_job job = { 0 };

    if (def->shard > 1) {
        return HA_OK;
    }
    cli_begin_work(cli);
    ha_status status = fit_find(cli, def->source, study, &job);
    cli_end_work(cli);
    HA_THEN(status, write_fit(cli, &job));
    if (status == HA_OK && is_alone && !cli_has(cli, CLI_QUIET)) {
        status = cli_has(cli, CLI_JSON) ? fit_print_json(cli, &job) : fit_write(cli, &job, "-");
    }
    HA_THEN(status, fit_judge(cli, &job));
    m2d_fit_clear(&job.fit);
    return status;
}

/* Where no run gives a model, the first of those that were tried are told, and why each does not.
 */
static ha_status make_runs(cli_call *cli, const m2d__study_def *def, m2d__study *study)
{
    m2d__study_report report;

    cli_begin_work(cli);
    ha_status status = m2d__study_run(study, def, &report);
    cli_end_work(cli);
    if (status == HA_OK && cli_has(cli, CLI_JSON)) {
        return print_json(cli, &report);
    }
    if (status == HA_OK && !cli_has(cli, CLI_QUIET)) {
        print_report(study, def, &report);
    } else if (!report.has_model) {
        print_failures(study, &report);
    }
    return status;
}

static ha_status run(cli_call *cli)
{
    m2d_source source;
    m2d_study_option t_end;
    m2d__study_def def;
    m2d__study *study = NULL;

    HA_TRY(read_def(cli, &t_end, &def));
    HA_TRY(cli_study(cli,
                     "a model and the file of a study, or a model with the section `study`: "
                     "`halfarrow study FILE STUDY -o DIR`",
                     &source, &study));
    def.source = &source;
    if (cli_has(cli, CLI_SLURM)) {
        m2d__study_free(study);
        return write_batch(cli);
    }
    const bool has_runs = study->measures.count > 0;
    ha_status status = study->fit.data != NULL ? fit(cli, &def, study, !has_runs) : HA_OK;
    HA_THEN(status, has_runs ? make_runs(cli, &def, study) : HA_OK);
    m2d__study_free(study);
    return status;
}

ha_status cmd_study(cli_call *cli)
{
    return cli_has(cli, CLI_MERGE) ? merge(cli) : run(cli);
}
