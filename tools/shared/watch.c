/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A command again at each save of a file that it reads.
 *
 * A child process does the work, as the command line does it once: nothing of one run is left in
 * the next. It tells the parent the names of all files that it has opened or looked for: the model,
 * what it includes, tables. The parent looks at their times and sizes ten times a second, and
 * begins again when two looks agree on something new, since editors write in pieces and rename.
 *
 * A page in a browser learns of it by a script beside it (tools/page/watch.js), which has the stamp
 * of the page that is there now, and the errors when there is no new one.
 */
#include <config.h>

#include "tools/shared/watch.h"

#include "lib/core/context_priv.h"
#include "lib/core/output.h"
#include "lib/core/strbuf.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOOK = 100 /* between looks [ms] */ };

/* What tells a file from what it was. */
typedef struct {
    bool is_there;
    struct timespec time;
    off_t size;
    ino_t number;
} look;

typedef struct {
    cli_call *cli;
    ha__strbuf names; /* of files, each with its zero */
    HA_ARRAY(look) looks;
    int round; /* from 1 on */
} watcher;

/* --- the note for a page -------------------------------------------------------------------- */

static char *note_path(ha_ctx *ctx, const char *path)
{
    ha__strbuf text = HA_STRBUF(ctx);

    ha__strbuf_addf(&text, "%s.watch.js", path);
    return ha__strbuf_take(&text);
}

/* True when the command writes a page to a file. */
static bool has_page(const cli_call *cli)
{
    return strcmp(cli->command->name, "report") == 0 && cli_has(cli, CLI_OUTPUT) &&
           strcmp(cli->text[CLI_OUTPUT], "-") != 0;
}

/* A text as a string of a script; what could end the script is written otherwise. */
static void add_string(ha__strbuf *out, const char *text)
{
    ha__strbuf_add(out, "\"");
    for (const unsigned char *c = (const unsigned char *) text; *c != '\0'; c++) {
        if (*c < 0x20 || *c == '"' || *c == '\\' || *c == '<') {
            ha__strbuf_addf(out, "\\u%04x", *c);
        } else {
            ha__strbuf_add_bytes(out, (const char *) c, 1);
        }
    }
    ha__strbuf_add(out, "\"");
}

static void add_diags(const ha_ctx *ctx, ha__strbuf *out)
{
    ha__strbuf text = HA_STRBUF(out->ctx);

    for (size_t i = 0; i < ha_ctx_n_diags(ctx); i++) {
        const ha_diag *d = ha_ctx_diag(ctx, i);
        if (d->severity == HA_ERROR && d->where.file != NULL) {
            ha__strbuf_addf(&text, "%s:%d:%d: %s\n", d->where.file, d->where.line, d->where.column,
                            d->text);
        } else if (d->severity == HA_ERROR) {
            ha__strbuf_addf(&text, "%s\n", d->text);
        }
    }
    add_string(out, ha__strbuf_text(&text));
    ha__strbuf_clear(&text);
}

static ha_status write_note(cli_call *cli)
{
    ha__strbuf text = HA_STRBUF(cli->ctx);
    char *path = note_path(cli->ctx, cli->text[CLI_OUTPUT]);
    ha_status status = path == NULL ? HA_ERR_MEMORY : HA_OK;

    ha__strbuf_add(&text, "halfarrowWatch(");
    add_string(&text, cli->has_written ? cli->stamp : "");
    ha__strbuf_add(&text, ", ");
    add_diags(cli->ctx, &text);
    ha__strbuf_add(&text, ");\n");
    HA_THEN(status, text.status);
    HA_THEN(status, ha__output_write(cli->ctx, path, ha__strbuf_text(&text), text.length));
    ha__strbuf_clear(&text);
    ha__free(path);
    return status;
}

static void remove_note(cli_call *cli)
{
    char *path = has_page(cli) ? note_path(cli->ctx, cli->text[CLI_OUTPUT]) : NULL;

    if (path != NULL) {
        (void) remove(path);
    }
    ha__free(path);
}

/* --- the child ------------------------------------------------------------------------------ */

/* Writes bytes into the pipe; a signal on the way loses none. */
static void write_all(int pipe, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t n = write(pipe, bytes, length);
        if (n < 0 && errno != EINTR) {
            return; /* nobody reads it any more */
        }
        bytes += n > 0 ? n : 0;
        length -= n > 0 ? (size_t) n : 0;
    }
}

/* The whole of a command line, and the names of its files into the pipe. */
static void work(cli_call *cli, int pipe)
{
    ha_status status = cli->command->run(cli);
    size_t length = 0;

    HA_THEN(status, cli_finish_output(cli));
    if (has_page(cli)) { /* a run that fails leaves a page all the same, wrong input does not */
        ha_status noted = write_note(cli);
        HA_THEN(status, noted);
    }
    cli_print_diags(cli);
    const char *names = ha__ctx_files(cli->ctx, &length);
    write_all(pipe, names, length);
    _exit(ha_status_exit(status));
}

/* --- the parent ----------------------------------------------------------------------------- */

static ha_status fail_process(ha_ctx *ctx)
{
    return ha_fail(ctx, HA_ERR_PROCESS, HA_NOWHERE,
                   "no process can be started: %s; end some others, or leave --watch out",
                   strerror(errno));
}

/* What ends the watch ends the work, too. */
static void pass_interrupt(const watcher *w, pid_t child)
{
    if (ha_ctx_is_interrupted(w->cli->ctx)) {
        (void) kill(child, SIGTERM);
    }
}

static void read_names(watcher *w, pid_t child, int pipe)
{
    char room[4096];
    bool is_first = true;
    ssize_t n = 0;

    do {
        n = read(pipe, room, sizeof room);
        if (n > 0 && is_first) { /* of a child that was killed there are none: the old ones stay */
            ha__strbuf_clear(&w->names);
            is_first = false;
        }
        if (n > 0) {
            ha__strbuf_add_bytes(&w->names, room, (size_t) n);
        }
        pass_interrupt(w, child);
    } while (n > 0 || (n < 0 && errno == EINTR));
}

/* Does the work once. */
static ha_status run_once(watcher *w)
{
    int ends[2] = { -1, -1 }, code = 0;

    snprintf(w->cli->stamp, sizeof w->cli->stamp, "%lld-%ld-%d", (long long) time(NULL),
             (long) getpid(), ++w->round);
    if (pipe(ends) != 0) {
        return fail_process(w->cli->ctx);
    }
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        (void) close(ends[0]);
        work(w->cli, ends[1]);
    }
    (void) close(ends[1]);
    if (child > 0) {
        read_names(w, child, ends[0]);
        while (waitpid(child, &code, 0) < 0 && errno == EINTR) {
            pass_interrupt(w, child);
        }
    }
    (void) close(ends[0]);
    HA_TRY(child > 0 ? w->names.status : fail_process(w->cli->ctx));
    if (WIFSIGNALED(code)) {
        fprintf(stderr, "halfarrow: error: the work was ended by the signal %d\n", WTERMSIG(code));
    }
    return HA_OK;
}

static bool is_same(const look *a, const look *b)
{
    return a->is_there == b->is_there && a->time.tv_sec == b->time.tv_sec &&
           a->time.tv_nsec == b->time.tv_nsec && a->size == b->size && a->number == b->number;
}

static bool is_later(struct timespec a, struct timespec b)
{
    return a.tv_sec > b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec > b.tv_nsec);
}

static size_t count_names(const watcher *w)
{
    size_t n = 0;

    for (size_t i = 0; i < w->names.length; i++) {
        n += ha__strbuf_text(&w->names)[i] == '\0';
    }
    return n;
}

/* Looks at all files; the name of one that differs from the look before, NULL: none does. */
static const char *look_again(watcher *w)
{
    const char *name = ha__strbuf_text(&w->names), *changed = NULL;

    for (size_t i = 0; i < w->looks.count; i++, name += strlen(name) + 1) {
        struct stat found;
        look now = { 0 };
        if (stat(name, &found) == 0) {
            now = (look){ true, found.st_mtim, found.st_size, found.st_ino };
        }
        changed = is_same(&now, &w->looks.items[i]) ? changed : name;
        w->looks.items[i] = now;
    }
    return changed;
}

/* The first look after the work; the name of a file that was saved while it went on, or NULL. */
static const char *look_first(watcher *w, struct timespec begin, struct timespec end)
{
    const char *name = NULL;

    (void) look_again(w);
    name = ha__strbuf_text(&w->names);
    for (size_t i = 0; i < w->looks.count; i++, name += strlen(name) + 1) {
        const look *l = &w->looks.items[i];
        if (l->is_there && is_later(l->time, begin) && !is_later(l->time, end)) {
            return name;
        }
    }
    return NULL;
}

/* Waits until a file has been saved, or for an interrupt; `changed` is one that has been already,
   or NULL. */
static void wait_for_change(watcher *w, const char *changed)
{
    static const struct timespec pause = { 0, LOOK * 1000000L };
    bool is_done = false;

    while (!is_done && !ha_ctx_is_interrupted(w->cli->ctx)) {
        (void) nanosleep(&pause, NULL);
        const char *now = look_again(w);
        is_done = now == NULL && changed != NULL;
        changed = now != NULL ? now : changed;
    }
    if (is_done && !cli_has(w->cli, CLI_QUIET)) {
        fprintf(stderr, "halfarrow: note: `%s` has changed: again\n", changed);
    }
}

static ha_status go_on(watcher *w)
{
    struct timespec begin = { 0 }, end = { 0 };

    (void) clock_gettime(CLOCK_REALTIME, &begin);
    HA_TRY(run_once(w));
    (void) clock_gettime(CLOCK_REALTIME, &end);
    size_t n = count_names(w);
    HA_TRY_ROOM(w->cli->ctx, &w->looks, n);
    w->looks.count = n;
    memset(w->looks.items, 0, n * sizeof *w->looks.items);
    if (ha_ctx_is_interrupted(w->cli->ctx)) {
        return HA_ERR_INTERRUPTED;
    }
    const char *changed = look_first(w, begin, end);
    if (!cli_has(w->cli, CLI_QUIET) && changed == NULL) {
        fprintf(stderr, "halfarrow: note: waiting for `%s`%s to change; Ctrl-C ends\n",
                w->cli->file, n > 1 ? " or a file that it reads" : "");
    }
    wait_for_change(w, changed);
    return ha_ctx_is_interrupted(w->cli->ctx) ? HA_ERR_INTERRUPTED : HA_OK;
}

ha_status watch(cli_call *cli)
{
    watcher w = { .cli = cli, .names = HA_STRBUF(cli->ctx) };
    ha_status status = HA_OK;

    if (cli->file == NULL || strcmp(cli->file, "-") == 0) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "--watch looks at files, and %s is none; give a FILE",
                       cli->file == NULL ? "--graph" : "standard input");
    }
    ha__strbuf_add_bytes(&w.names, cli->file, strlen(cli->file) + 1);
    cli_begin_work(cli);
    while (status == HA_OK) {
        status = go_on(&w);
    }
    cli_end_work(cli);
    remove_note(cli);
    ha__strbuf_clear(&w.names);
    HA_ARRAY_CLEAR(&w.looks);
    return status == HA_ERR_INTERRUPTED ? HA_OK : status; /* that is how it ends */
}
