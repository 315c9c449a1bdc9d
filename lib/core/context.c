/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The context: diagnostics, allocation counter, interrupt flag, progress callback.
 *
 * Diagnostics live in a fixed table whose texts are allocated; the table itself is part of the
 * context, so that a failure can always be recorded. A text that cannot be allocated is replaced by
 * the static sentence of its status.
 */
#include <config.h>

#include "lib/context.h"

#include "lib/core/context_priv.h"
#include "lib/core/hash.h"
#include "lib/core/input.h"
#include "lib/core/need.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The last entries are kept for errors: warnings must not crowd them out. */
enum { MAX_DIAGS = 100, MAX_MILD = 90 };

struct ha_ctx {
    ha_diag diags[MAX_DIAGS];
    char *texts[MAX_DIAGS]; /* what to free of a diagnostic: its text, followed by its file name */
    size_t n_diags;
    size_t n_errors;
    size_t n_allocations;
    size_t fail_at; /* number of the first allocation that fails, 0: none */
    const volatile sig_atomic_t *interrupt;
    ha_progress progress;
    void *progress_user;
    uint64_t inputs; /* hash of what was read from files */
    char *files;     /* their names, each with its zero; those that were not found, too */
    size_t files_length;
    const ha__given *given; /* (n_given) texts that stand for files; borrowed */
    size_t n_given;
    void *kept; /* by a layer above */
    void (*free_kept)(void *kept);
};

ha_ctx *ha_ctx_new(void)
{
    return calloc(1, sizeof(ha_ctx));
}

void ha_ctx_free(ha_ctx *ctx)
{
    if (ctx != NULL) {
        if (ctx->kept != NULL) {
            ctx->free_kept(ctx->kept);
        }
        ha_ctx_clear(ctx);
        free(ctx->files);
        free(ctx);
    }
}

size_t ha_ctx_n_diags(const ha_ctx *ctx)
{
    HA_NEED_ELSE(ctx != NULL, 0);
    return ctx->n_diags;
}

const ha_diag *ha_ctx_diag(const ha_ctx *ctx, size_t i)
{
    HA_NEED_ELSE(ctx != NULL, NULL);
    return i < ctx->n_diags ? &ctx->diags[i] : NULL;
}

size_t ha_ctx_n_errors(const ha_ctx *ctx)
{
    HA_NEED_ELSE(ctx != NULL, 0);
    return ctx->n_errors;
}

void ha__ctx_forget(ha_ctx *ctx, size_t first)
{
    for (size_t i = first; i < ctx->n_diags; i++) {
        ctx->n_errors -= ctx->diags[i].severity == HA_ERROR ? 1 : 0;
        free(ctx->texts[i]);
        ctx->texts[i] = NULL;
    }
    ctx->n_diags = first < ctx->n_diags ? first : ctx->n_diags;
}

/* The number of the last error before diagnostic `end`, `end` when there is none. */
static size_t last_error(const ha_ctx *ctx, size_t end)
{
    size_t i = end;

    while (i > 0 && ctx->diags[i - 1].severity != HA_ERROR) {
        i--;
    }
    return i > 0 ? i - 1 : end;
}

void ha__ctx_conclude(ha_ctx *ctx)
{
    const size_t last = last_error(ctx, ctx->n_diags), i = last_error(ctx, last);

    if (last + 1 != ctx->n_diags || i == last || ctx->n_diags == MAX_DIAGS) {
        return; /* it stands alone, or the table was full */
    }
    const ha_diag diag = ctx->diags[last];
    char *text = ctx->texts[last];
    memmove(&ctx->diags[i + 1], &ctx->diags[i], (last - i) * sizeof *ctx->diags);
    memmove(&ctx->texts[i + 1], &ctx->texts[i], (last - i) * sizeof *ctx->texts);
    ctx->diags[i] = diag;
    ctx->texts[i] = text;
    ctx->diags[i + 1].severity = HA_NOTE;
    ctx->diags[i + 1].status = HA_OK;
    ctx->n_errors--;
}

void ha__ctx_note_input(ha_ctx *ctx, const void *bytes, size_t length)
{
    ctx->inputs = ha__hash_bytes(ctx->inputs, bytes, length);
}

uint64_t ha__ctx_inputs(const ha_ctx *ctx)
{
    return ctx->inputs;
}

void ha__ctx_note_file(ha_ctx *ctx, const char *path)
{
    size_t size = strlen(path) + 1;
    char *more = realloc(ctx->files, ctx->files_length + size);

    if (more != NULL) { /* else --watch does not look at it */
        memcpy(more + ctx->files_length, path, size);
        ctx->files = more;
        ctx->files_length += size;
    }
}

const char *ha__ctx_files(const ha_ctx *ctx, size_t *length)
{
    *length = ctx->files_length;
    return ctx->files;
}

void ha__ctx_give(ha_ctx *ctx, const ha__given *given, size_t n)
{
    ctx->given = given;
    ctx->n_given = n;
}

const ha__given *ha__ctx_given(const ha_ctx *ctx, const char *path)
{
    for (size_t i = 0; i < ctx->n_given; i++) {
        if (strcmp(ctx->given[i].name, path) == 0) {
            return &ctx->given[i];
        }
    }
    return NULL;
}

void ha_ctx_clear(ha_ctx *ctx)
{
    HA_NEED_ELSE(ctx != NULL, );
    ha__ctx_forget(ctx, 0);
}

/* The text and, behind its zero, a copy of the file name, in one block; NULL without memory. */
HA_PRINTF(2, 0)
static char *compose(const char *file, const char *format, va_list arguments)
{
    va_list again;

    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    size_t file_size = file == NULL ? 0 : strlen(file) + 1;
    char *text = length < 0 ? NULL : malloc((size_t) length + 1 + file_size);
    if (text != NULL) {
        vsnprintf(text, (size_t) length + 1, format, arguments);
        if (file != NULL) {
            memcpy(text + length + 1, file, file_size);
        }
    }
    return text;
}

/* True when two locations are the same. */
static bool is_same_place(ha_where a, ha_where b)
{
    bool has_same_file =
        a.file == NULL || b.file == NULL ? a.file == b.file : strcmp(a.file, b.file) == 0;

    return has_same_file && a.line == b.line && a.column == b.column;
}

/* True when a warning says what one of the same location has said before. */
static bool is_said(const ha_ctx *ctx, const ha_diag *diag, const char *text)
{
    for (size_t i = 0; i < ctx->n_diags; i++) {
        const ha_diag *d = &ctx->diags[i];
        if (d->severity == HA_WARNING && is_same_place(d->where, diag->where) &&
            strcmp(d->text, text) == 0) {
            return true;
        }
    }
    return false;
}

HA_PRINTF(3, 0)
static void add(ha_ctx *ctx, ha_diag diag, const char *format, va_list arguments)
{
    HA_NEED_ELSE(ctx != NULL, );
    if (diag.severity == HA_ERROR) {
        ctx->n_errors++;
    }
    if (ctx->n_diags >= (diag.severity == HA_ERROR ? MAX_DIAGS : MAX_MILD)) {
        return;
    }

    char *text = compose(diag.where.file, format, arguments);
    if (diag.severity == HA_WARNING && diag.where.line > 0 && text != NULL &&
        is_said(ctx, &diag, text)) {
        free(text); /* as by a part that several variants share */
        return;
    }
    diag.text = text != NULL ? text : ha_status_text(HA_ERR_MEMORY);
    if (diag.where.file != NULL) {
        diag.where.file = text != NULL ? text + strlen(text) + 1 : NULL;
    }
    ctx->texts[ctx->n_diags] = text;
    ctx->diags[ctx->n_diags++] = diag;
}

ha_status ha_fail(ha_ctx *ctx, ha_status status, ha_where where, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    add(ctx, (ha_diag){ HA_ERROR, status, where, NULL }, format, arguments);
    va_end(arguments);
    return status;
}

void ha_warn(ha_ctx *ctx, ha_where where, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    add(ctx, (ha_diag){ HA_WARNING, HA_OK, where, NULL }, format, arguments);
    va_end(arguments);
}

void ha_note(ha_ctx *ctx, ha_where where, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    add(ctx, (ha_diag){ HA_NOTE, HA_OK, where, NULL }, format, arguments);
    va_end(arguments);
}

ha_status ha__refuse(ha_ctx *ctx, const char *function, const char *need)
{
    return ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                   "%s() cannot work with these arguments; it needs that %s", function, need);
}

void ha_ctx_fail_allocation(ha_ctx *ctx, size_t n)
{
    HA_NEED_ELSE(ctx != NULL, );
    ctx->fail_at = n == 0 ? 0 : ctx->n_allocations + n;
}

size_t ha_ctx_n_allocations(const ha_ctx *ctx)
{
    HA_NEED_ELSE(ctx != NULL, 0);
    return ctx->n_allocations;
}

bool ha__ctx_may_allocate(ha_ctx *ctx)
{
    HA_NEED_ELSE(ctx != NULL, false);
    ctx->n_allocations++;
    return ctx->fail_at == 0 || ctx->n_allocations < ctx->fail_at;
}

void ha__ctx_out_of_memory(ha_ctx *ctx)
{
    HA_NEED_ELSE(ctx != NULL, );
    static const char text[] = "out of memory; free some or make the model smaller";

    for (size_t i = 0; i < ctx->n_diags; i++) {
        if (ctx->diags[i].status == HA_ERR_MEMORY) {
            return;
        }
    }
    ctx->n_errors++;
    if (ctx->n_diags < MAX_DIAGS) {
        ctx->diags[ctx->n_diags++] = (ha_diag){ HA_ERROR, HA_ERR_MEMORY, HA_NOWHERE, text };
    }
}

/* True where two texts differ in what stands between backquotes alone. */
static bool are_alike(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        bool is_name = *a == '`';
        a++;
        b++;
        if (is_name) {
            a += strcspn(a, "`");
            b += strcspn(b, "`");
            if (*a == '`' && *b == '`') {
                a++;
                b++;
            }
        }
    }
    return *a == *b;
}

static bool is_repeated(const ha_diag *a, const ha_diag *b)
{
    return a->severity == HA_ERROR && b->severity == HA_ERROR && a->status == b->status &&
           a->where.file != NULL && b->where.file != NULL && a->where.line > 0 &&
           a->where.line == b->where.line && a->where.column == b->where.column &&
           strcmp(a->where.file, b->where.file) == 0 && are_alike(a->text, b->text);
}

HA_PRINTF(3, 4)
static char *compose_at(const char *file, char *instead, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    char *text = compose(file, format, arguments);
    va_end(arguments);
    return text == NULL ? instead : text;
}

/* Tells in diagnostic i how many more are like it. Without memory it stays as it is. */
static void tell_more(ha_ctx *ctx, size_t i, size_t n_more, const char *name)
{
    ha_diag *diag = &ctx->diags[i];
    char *old = ctx->texts[i];
    char *text = compose_at(diag->where.file, old, "%s; so for %zu more that %s%s%s stands for",
                            diag->text, n_more, name == NULL ? "this entry" : "`",
                            name == NULL ? "" : name, name == NULL ? "" : "`");

    if (text != old) {
        diag->text = ctx->texts[i] = text;
        diag->where.file = text + strlen(text) + 1;
        free(old);
    }
}

/* Takes out diagnostic i. */
static void take_out(ha_ctx *ctx, size_t i)
{
    size_t n_behind = --ctx->n_diags - i;

    free(ctx->texts[i]);
    memmove(&ctx->diags[i], &ctx->diags[i + 1], n_behind * sizeof ctx->diags[0]);
    memmove(&ctx->texts[i], &ctx->texts[i + 1], n_behind * sizeof ctx->texts[0]);
    ctx->texts[ctx->n_diags] = NULL;
    ctx->n_errors--;
}

void ha__ctx_fold(ha_ctx *ctx, size_t first, ha__name_entry name, void *user)
{
    for (size_t i = first; i < ctx->n_diags; i++) {
        size_t n_more = 0;
        for (size_t k = ctx->n_diags; k > i + 1; k--) {
            bool has_note = k < ctx->n_diags && ctx->diags[k].severity == HA_NOTE;
            if (!has_note && is_repeated(&ctx->diags[i], &ctx->diags[k - 1])) {
                take_out(ctx, k - 1);
                n_more++;
            }
        }
        if (n_more > 0 && ctx->texts[i] != NULL) {
            tell_more(ctx, i, n_more, name(user, ctx->diags[i].where));
        }
    }
}

void *ha__ctx_kept(const ha_ctx *ctx)
{
    return ctx->kept;
}

void ha__ctx_keep(ha_ctx *ctx, void *kept, void (*free_kept)(void *kept))
{
    ctx->kept = kept;
    ctx->free_kept = free_kept;
}

void ha_ctx_set_interrupt(ha_ctx *ctx, const volatile sig_atomic_t *flag)
{
    HA_NEED_ELSE(ctx != NULL, );
    ctx->interrupt = flag;
}

void ha__ctx_share_interrupt(ha_ctx *to, const ha_ctx *from)
{
    to->interrupt = from->interrupt;
}

int ha_ctx_is_interrupted(const ha_ctx *ctx)
{
    HA_NEED_ELSE(ctx != NULL, 0);
    return ctx->interrupt != NULL && *ctx->interrupt != 0;
}

void ha_ctx_set_progress(ha_ctx *ctx, ha_progress callback, void *user)
{
    HA_NEED_ELSE(ctx != NULL, );
    ctx->progress = callback;
    ctx->progress_user = user;
}

void ha_ctx_report_progress(const ha_ctx *ctx, double done)
{
    HA_NEED_ELSE(ctx != NULL, );
    if (ctx->progress != NULL) {
        ctx->progress(ctx->progress_user, done);
    }
}
