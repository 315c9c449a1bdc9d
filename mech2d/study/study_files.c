/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of a study: the journals of its shards, and the table. */
#include <config.h>

#include "lib/core/hash.h"
#include "lib/core/input.h"
#include "lib/core/number.h"
#include "lib/core/output.h"
#include "lib/core/reason.h"
#include "lib/core/strbuf.h"
#include "mech2d/study/study.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of a journal, all of which is read at once. */
enum { MOST_BYTES = 1 << 30 };

static const char magic[] = "# halfarrow study";

/* --- what the rows follow from -------------------------------------------------------------- */

/* A text with its length, so that no two lists of texts are alike that are split otherwise. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    const size_t length = text == NULL ? 0 : strlen(text);

    hash = ha__hash_word(hash, text == NULL ? 0 : (uint64_t) length + 1);
    return ha__hash_bytes(hash, text, length);
}

/* The values that vary, and what they are in all runs. */
static uint64_t hash_values(uint64_t h, const m2d__study *s)
{
    h = ha__hash_word(h, s->variables.count);
    for (size_t i = 0; i < s->variables.count; i++) {
        h = hash_text(h, s->variables.items[i].path);
    }
    return ha__hash_bytes(h, s->values,
                          (size_t) s->n_runs * s->variables.count * sizeof *s->values);
}

/* What is measured. */
static ha_status hash_measures(uint64_t *hash, const m2d__study *s)
{
    uint64_t h = ha__hash_word(*hash, s->calls.count);

    for (size_t i = 0; i < s->calls.count; i++) {
        h = ha__hash_word(h, (uint64_t) s->calls.items[i].kind);
        h = ha__hash_bytes(h, &s->calls.items[i].t, sizeof s->calls.items[i].t);
        h = hash_text(h, s->outputs.items[s->calls.items[i].output]);
    }
    h = ha__hash_word(h, s->measures.count);
    for (size_t i = 0; i < s->measures.count; i++) {
        char *value = ha_expr_text(s->dag, s->measures.items[i].value);
        HA_TRY_MEMORY(value);
        h = hash_text(hash_text(h, s->measures.items[i].name), value);
        free(value);
    }
    *hash = h;
    return HA_OK;
}

ha_status m2d__study_fingerprint(const m2d__study *s, const m2d__study_def *def, uint64_t *hash)
{
    const m2d_source *source = def->source;
    uint64_t h = ha__hash_word(hash_text(1, PACKAGE_VERSION), def->inputs);

    h = hash_text(hash_text(h, source->graph), source->variant);
    h = ha__hash_word(h, (uint64_t) source->n_sets);
    for (int i = 0; i < source->n_sets; i++) {
        h = hash_text(h, source->sets[i]);
    }
    h = ha__hash_word(h, (uint64_t) def->n_options);
    for (int i = 0; i < def->n_options; i++) {
        h = hash_text(hash_text(h, def->options[i].name), def->options[i].value);
    }
    h = hash_values(h, s);
    HA_TRY(hash_measures(&h, s));
    *hash = h;
    return HA_OK;
}

/* A field of a table, in quotes where it has to be. */
static void add_field(ha__strbuf *text, const char *field)
{
    if (strpbrk(field, ",\"\n") == NULL) {
        ha__strbuf_add(text, field);
        return;
    }
    ha__strbuf_add(text, "\"");
    for (; *field != '\0'; field++) {
        char c[3] = { *field == '\n' ? ' ' : *field, *field == '"' ? '"' : '\0', '\0' };
        ha__strbuf_add(text, c);
    }
    ha__strbuf_add(text, "\"");
}

ha_status m2d__study_header(const m2d__study *s, char **out)
{
    ha__strbuf text = HA_STRBUF(s->ctx);

    ha__strbuf_add(&text, "run");
    for (size_t i = 0; i < s->variables.count; i++) {
        ha__strbuf_add(&text, ",");
        add_field(&text, s->variables.items[i].path);
    }
    for (size_t i = 0; i < s->measures.count; i++) {
        ha__strbuf_add(&text, ",");
        add_field(&text, s->measures.items[i].name);
    }
    ha__strbuf_add(&text, ",status\n");
    return ha__strbuf_finish(&text, HA_OK, out);
}

ha_status m2d__study_row(const m2d__study *s, ha_ctx *ctx, long run, const double *values,
                         const char *status, char **out)
{
    ha__strbuf text = HA_STRBUF(ctx);
    char digits[HA__NUMBER_SIZE];

    ha__strbuf_addf(&text, "%ld", run + 1);
    for (size_t i = 0; i < s->variables.count; i++) {
        double x = s->values[(size_t) run * s->variables.count + i];
        ha__strbuf_add(&text, ",");
        ha__strbuf_add(&text, ha__print_number(digits, x));
    }
    for (size_t i = 0; i < s->measures.count; i++) {
        ha__strbuf_add(&text, ",");
        ha__strbuf_add(&text, ha__print_number(digits, ha__plain_sign(values[i])));
    }
    ha__strbuf_add(&text, ",");
    add_field(&text, status);
    ha__strbuf_add(&text, "\n");
    return ha__strbuf_finish(&text, HA_OK, out);
}

/* --- journals ------------------------------------------------------------------------------- */

static ha_status fail_file(ha_ctx *ctx, const char *path, const char *what, int error)
{
    char reason[256];

    return ha_fail(ctx, HA_ERR_OUTPUT, (ha_where){ path, 0, 0 }, "%s: %s", what,
                   ha__reason(error, reason, sizeof reason));
}

static char *text_of(ha_ctx *ctx, const char *directory, const char *name)
{
    ha__strbuf text = HA_STRBUF(ctx);

    ha__strbuf_addf(&text, "%s/%s", directory, name);
    return ha__strbuf_take(&text);
}

/* The name of a shard's journal. */
static void name_journal(long shard, long n, char *name, size_t size)
{
    if (n == 1) {
        snprintf(name, size, "results.journal");
    } else {
        snprintf(name, size, "shard-%ld-of-%ld.journal", shard, n);
    }
}

/* Whether a text is a number as rows have it, of runs that failed NAN. */
static bool is_number(const char *text, size_t length)
{
    static const char *const words[] = { "nan", "inf", "-inf" };
    double x = 0.0;

    for (size_t i = 0; i < HA_COUNT(words); i++) {
        if (length == strlen(words[i]) && memcmp(text, words[i], length) == 0) {
            return true;
        }
    }
    return ha__read_number(text, length, 0, &x);
}

/* Whether a line, from behind the number of its run, is a row: `n` numbers and a status. */
static bool is_row(size_t n, const char *at, const char *end)
{
    for (size_t i = 0; i < n; i++) {
        const char *stop =
            at < end && *at == ',' ? memchr(at + 1, ',', (size_t) (end - at - 1)) : NULL;
        if (stop == NULL || !is_number(at + 1, (size_t) (stop - at - 1))) {
            return false;
        }
        at = stop;
    }
    return at + 1 < end && *at == ',' &&
           (at[1] == '"' ? end - at > 2 && end[-1] == '"'
                         : memchr(at + 1, ',', (size_t) (end - at - 1)) == NULL);
}

/* How many columns of a table are between the run and the status, by its header. */
static size_t n_numbers(const char *header)
{
    size_t n = 0;
    bool is_quoted = false;

    for (; *header != '\n' && *header != '\0'; header++) {
        is_quoted = is_quoted != (*header == '"');
        n += *header == ',' && !is_quoted ? 1 : 0;
    }
    return n == 0 ? 0 : n - 1;
}

/* Takes the rows over that are in a journal of `n_runs`: whole lines that are one of a run.
   `*whole` is where the last whole line ends. */
static ha_status take_rows(ha_ctx *ctx, const char *text, size_t length, char **rows, long n_runs,
                           long *n_done, size_t *whole)
{
    const char *head_end = memchr(text, '\n', length);
    const size_t n = head_end == NULL ? 0 : n_numbers(head_end + 1);

    const char *line = text, *end = NULL;

    *whole = 0;
    for (; (end = memchr(line, '\n', length - (size_t) (line - text))) != NULL; line = end + 1) {
        char *stop = NULL;
        long run = strtol(line, &stop, 10);
        *whole = (size_t) (end + 1 - text);
        if (stop == line || run < 1 || run > n_runs || rows[run - 1] != NULL ||
            !is_row(n, stop, end)) {
            continue;
        }
        HA_TRY_GET(rows[run - 1], ha__copy_text(ctx, line, (size_t) (end + 1 - line)));
        ++*n_done;
    }
    return HA_OK;
}

/* The fingerprint, the number of runs and the header of a journal's first two lines. */
static bool read_head(const char *text, unsigned long long *hash, long *n_runs, long *shard,
                      long *n_shards)
{
    return strncmp(text, magic, sizeof magic - 1) == 0 &&
           sscanf(text + sizeof magic - 1, " %llx runs %ld shard %ld of %ld", hash, n_runs, shard,
                  n_shards) == 4;
}

/* Reads a journal. One that is too large is refused: what was cut off of it would be lost. */
static ha_status read_journal(ha_ctx *ctx, const char *path, char **text, size_t *length)
{
    struct stat status;

    if (stat(path, &status) == 0 && status.st_size > MOST_BYTES) {
        return ha_fail(ctx, HA_ERR_LIMIT, (ha_where){ path, 0, 0 },
                       "this journal is too large to be read: it has %lld bytes and may have %d; "
                       "make the study in more shards, each of which has a journal of its own",
                       (long long) status.st_size, (int) MOST_BYTES);
    }
    return ha__input_read(ctx, path, MOST_BYTES, text, length);
}

static ha_status write_all(m2d__journal *j, const char *text, size_t length)
{
    size_t done = j->file < 0 ? length : 0;

    while (done < length) {
        ssize_t n = write(j->file, text + done, length - done);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            int error = n < 0 ? errno : ENOSPC;
            char what[128];
            (void) !ftruncate(j->file, (off_t) j->length);
            snprintf(what, sizeof what,
                     "the results cannot be written; %ld of %ld runs are kept: make room and go on "
                     "with --resume",
                     j->n_done, j->n_runs);
            return fail_file(j->ctx, j->path, what, error);
        }
        done += (size_t) n;
    }
    j->length += (long long) length;
    return HA_OK;
}

/* What is in a journal that is there already; empty when there is none. */
static ha_status read_old(m2d__journal *j, const m2d__study_def *def, uint64_t hash, bool *is_new)
{
    unsigned long long found = 0;
    long n_runs = 0, shard = 0, n_shards = 0;
    size_t length = 0, whole = 0;
    char *text = NULL;
    struct stat status;

    *is_new = stat(j->path, &status) != 0 || status.st_size == 0;
    if (*is_new) {
        return HA_OK;
    }
    if (!def->resumes) {
        return ha_fail(j->ctx, HA_ERR_ARGUMENT, (ha_where){ j->path, 0, 0 },
                       "there are results of a study already; --resume goes on with it, or take "
                       "another directory");
    }
    HA_TRY(read_journal(j->ctx, j->path, &text, &length));
    ha_status result = HA_OK;
    if (memchr(text, '\n', length) == NULL) {
        *is_new = true; /* killed while its first line was written */
    } else if (!read_head(text, &found, &n_runs, &shard, &n_shards) || found != hash ||
               n_runs != j->n_runs) {
        result = ha_fail(j->ctx, HA_ERR_VALUE, (ha_where){ j->path, 0, 0 },
                         "these results are of another study: the model, the study, the variant or "
                         "a value set has changed since; take another directory");
    } else {
        result = take_rows(j->ctx, text, length, j->rows, j->n_runs, &j->n_done, &whole);
        j->length = (long long) whole;
    }
    ha__free(text);
    return result;
}

ha_status m2d__journal_open(ha_ctx *ctx, const m2d__study *s, const m2d__study_def *def,
                            m2d__journal *out)
{
    uint64_t hash = 0;
    char name[80], head[160], *header = NULL;
    bool is_new = false;

    *out =
        (m2d__journal){ .ctx = ctx, .directory = def->directory, .file = -1, .n_runs = s->n_runs };
    HA_TRY_ALLOC(ctx, out->rows, s->n_runs);
    if (def->directory == NULL) {
        return HA_OK;
    }
    HA_TRY(m2d__study_fingerprint(s, def, &hash));
    if (mkdir(def->directory, 0777) != 0 && errno != EEXIST) {
        return fail_file(ctx, def->directory, "the directory of the results cannot be made", errno);
    }
    name_journal(def->shard, def->n_shards, name, sizeof name);
    HA_TRY_GET(out->path, text_of(ctx, def->directory, name));
    HA_TRY(read_old(out, def, hash, &is_new));
    out->file = open(out->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (out->file < 0 || ftruncate(out->file, (off_t) out->length) != 0) {
        return fail_file(ctx, out->path, "the results cannot be written", errno);
    }
    if (!is_new) {
        return HA_OK;
    }
    HA_TRY(m2d__study_header(s, &header));
    snprintf(head, sizeof head, "%s %016llx runs %ld shard %ld of %ld\n", magic,
             (unsigned long long) hash, s->n_runs, def->shard, def->n_shards);
    ha__strbuf both = HA_STRBUF(ctx);
    ha__strbuf_addf(&both, "%s%s", head, header);
    ha__free(header);
    ha_status status = both.status;
    HA_THEN(status, write_all(out, ha__strbuf_text(&both), both.length));
    return ha__strbuf_drop(&both, status);
}

ha_status m2d__journal_add(m2d__journal *j, long i, char *row)
{
    j->rows[i] = row;
    HA_TRY(write_all(j, row, strlen(row)));
    j->n_done++;
    return HA_OK;
}

void m2d__journal_close(m2d__journal *j)
{
    if (j->file >= 0) {
        close(j->file);
    }
    for (long i = 0; j->rows != NULL && i < j->n_runs; i++) {
        ha__free(j->rows[i]);
    }
    HA_FREE(j->rows, j->path);
    *j = (m2d__journal){ .file = -1 };
}

ha_status m2d__study_write(ha_ctx *ctx, const char *directory, const char *header,
                           char *const *rows, long n)
{
    char *path = text_of(ctx, directory, "results.csv");
    ha__output out;

    HA_TRY_MEMORY(path);
    ha_status status = ha__output_open(ctx, path, &out);
    if (status == HA_OK) {
        ha__output_add(&out, header, strlen(header));
        for (long i = 0; i < n; i++) {
            ha__output_add(&out, rows[i], strlen(rows[i]));
        }
        status = ha__output_close(&out);
    }
    ha__free(path);
    return status;
}

/* --- merging -------------------------------------------------------------------------------- */

typedef struct {
    ha_ctx *ctx;
    unsigned long long hash;
    char *first;  /* path of the first journal */
    char *header; /* of the table, with its end */
    char **rows;
    long n_runs, n_done;
} merging;

static ha_status add_journal(merging *m, const char *path)
{
    unsigned long long hash = 0;
    long n_runs = 0, shard = 0, n_shards = 0;
    size_t length = 0, whole = 0;
    char *text = NULL;

    HA_TRY(read_journal(m->ctx, path, &text, &length));
    const char *end = memchr(text, '\n', length);
    const char *next =
        end == NULL ? NULL : memchr(end + 1, '\n', length - (size_t) (end + 1 - text));
    ha_status status = HA_OK;
    if (next == NULL || !read_head(text, &hash, &n_runs, &shard, &n_shards) || n_runs < 1) {
        status = ha_fail(m->ctx, HA_ERR_SYNTAX, (ha_where){ path, 0, 0 },
                         "this is no journal of a study; take it out of the directory");
    } else if (m->rows == NULL) {
        m->hash = hash;
        m->n_runs = n_runs;
        m->first = ha__copy_text(m->ctx, path, strlen(path));
        m->header = ha__copy_text(m->ctx, end + 1, (size_t) (next - end));
        m->rows = ha__alloc(m->ctx, (size_t) n_runs, sizeof *m->rows);
        status = m->first == NULL || m->header == NULL || m->rows == NULL ? HA_ERR_MEMORY : HA_OK;
    } else if (hash != m->hash || n_runs != m->n_runs) {
        status = ha_fail(m->ctx, HA_ERR_VALUE, (ha_where){ path, 0, 0 },
                         "this shard is of another study than `%s`: the model, the study, the "
                         "variant or a value set differs; make all shards of one study",
                         m->first);
    }
    HA_THEN(status, take_rows(m->ctx, text, length, m->rows, m->n_runs, &m->n_done, &whole));
    ha__free(text);
    return status;
}

static ha_status add_directory(merging *m, const char *directory)
{
    DIR *dir = opendir(directory);
    int n = 0;
    ha_status status = HA_OK;

    if (dir == NULL) {
        return ha__input_fail(m->ctx, directory, errno);
    }
    for (const struct dirent *e = readdir(dir); e != NULL && status == HA_OK; e = readdir(dir)) {
        size_t length = strlen(e->d_name);
        bool is_journal = length > 8 && strcmp(e->d_name + length - 8, ".journal") == 0;
        char *path = is_journal ? text_of(m->ctx, directory, e->d_name) : NULL;
        if (is_journal) {
            n++;
            status = path == NULL ? HA_ERR_MEMORY : add_journal(m, path);
        }
        ha__free(path);
    }
    closedir(dir);
    if (status == HA_OK && n == 0) {
        status = ha_fail(m->ctx, HA_ERR_FILE, (ha_where){ directory, 0, 0 },
                         "there is no shard in this directory: no file `*.journal`");
    }
    return status;
}

static ha_status refuse_missing(const merging *m)
{
    long first = 0;

    while (m->rows[first] != NULL) {
        first++;
    }
    return ha_fail(m->ctx, HA_ERR_FILE, HA_NOWHERE,
                   "%ld of %ld runs are missing, the first is run %ld; finish the shards that are "
                   "not done with --resume, or name their directories",
                   m->n_runs - m->n_done, m->n_runs, first + 1);
}

ha_status m2d__study_merge(ha_ctx *ctx, const char *const *directories, int n,
                           const char *directory, long *n_runs)
{
    merging m = { .ctx = ctx };
    ha_status status = HA_OK;

    for (int i = 0; i < n && status == HA_OK; i++) {
        status = add_directory(&m, directories[i]);
    }
    if (status == HA_OK && m.n_done < m.n_runs) {
        status = refuse_missing(&m);
    }
    if (status == HA_OK && mkdir(directory, 0777) != 0 && errno != EEXIST) {
        status = fail_file(ctx, directory, "the directory of the results cannot be made", errno);
    }
    HA_THEN(status, m2d__study_write(ctx, directory, m.header, m.rows, m.n_runs));
    for (long i = 0; m.rows != NULL && i < m.n_runs; i++) {
        ha__free(m.rows[i]);
    }
    *n_runs = m.n_runs;
    HA_FREE(m.rows, m.first, m.header);
    return status;
}
