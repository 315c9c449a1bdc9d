/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Machine code from C, and the cache of it.
 *
 * The cache holds NAME.c and NAME.so, NAME being a hash of the text, of the command line and of
 * what else makes a library: the version of the program, the machine, the file of the compiler. The
 * first holds the text, and behind it the mark, size and hash of the second: a library is believed
 * when both are what they should be, so that a library that is damaged, or two texts of one hash,
 * harm nobody. Both files appear complete or not at all, in any order, from several processes at
 * once; a process uses the library that it compiled itself. Code is loaded from the cache: its
 * directory must belong to the user, and nobody else may write there.
 */
#include <config.h>

#include "lib/tape/native.h"

#include "lib/core/hash.h"
#include "lib/core/leftover.h"
#include "lib/core/mem.h"
#include "lib/core/output.h"
#include "lib/core/process.h"
#include "lib/core/reason.h"
#include "lib/core/strbuf.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { MAX_WORDS = 16, MARK_SIZE = 80 };

static const double TIME_LIMIT = 1800.0; /* [s] for the compiler; it can be interrupted */

/* Products and sums stay as they are written, and functions come from the C library: the bits of a
   tape. */
static const char *const flags[] = {
    "-O1", "-fPIC", "-shared", "-ffp-contract=off", "-w", "-fno-builtin", "-fno-math-errno",
    "-x",  "c",     "-"
};

struct ha__native {
    void *handle;
};

/* What a load needs. */
typedef struct {
    ha_ctx *ctx;
    const char *text;
    size_t length;
    char *command; /* words of $CC, with zeros instead of blanks */
    const char *words[MAX_WORDS + sizeof flags / sizeof *flags + 4];
    size_t n_words;
    size_t n_given; /* of them from $CC */
    ha__strbuf directory, source, library;
} loader;

static bool is_set(const char *value)
{
    return value != NULL && value[0] != '\0';
}

static ha_status find_directory(loader *l)
{
    const char *own = getenv("HALFARROW_CACHE"), *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");

    if (is_set(own)) {
        ha__strbuf_add(&l->directory, own);
    } else if (is_set(cache)) {
        ha__strbuf_addf(&l->directory, "%s/halfarrow", cache);
    } else if (is_set(home)) {
        ha__strbuf_addf(&l->directory, "%s/.cache/halfarrow", home);
    } else {
        return ha_fail(l->ctx, HA_ERR_FILE, HA_NOWHERE,
                       "there is no directory for compiled models: none of HALFARROW_CACHE, "
                       "XDG_CACHE_HOME and HOME is set; set one");
    }
    return l->directory.status;
}

/* Makes the directory and those above it. */
static ha_status make_directory(loader *l)
{
    char *path = l->directory.text;
    struct stat found;

    for (char *at = strchr(path + 1, '/'); at != NULL; at = strchr(at + 1, '/')) {
        *at = '\0';
        int ignored = mkdir(path, 0777); /* most are there; the last one tells */
        (void) ignored;
        *at = '/';
    }
    if ((mkdir(path, 0700) != 0 && errno != EEXIST) || stat(path, &found) != 0 ||
        !S_ISDIR(found.st_mode)) {
        return ha_fail(l->ctx, HA_ERR_OUTPUT, HA_NOWHERE,
                       "the directory `%s` for compiled models cannot be made; set HALFARROW_CACHE "
                       "to one that can",
                       path);
    }
    if (found.st_uid != geteuid() || (found.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
        return ha_fail(l->ctx, HA_ERR_FILE, HA_NOWHERE,
                       "code is not loaded from `%s`, where others can write; make it yours alone "
                       "(chmod 700) or set HALFARROW_CACHE to another directory",
                       path);
    }
    return HA_OK;
}

/* The words of the command line up to the name of the output. */
static ha_status find_command(loader *l)
{
    const char *given = getenv("CC");

    given = is_set(given) ? given : "cc";
    HA_TRY_GET(l->command, ha__copy_text(l->ctx, given, strlen(given)));
    for (char *at = l->command; *at != '\0' && l->n_words < MAX_WORDS;) {
        at += strspn(at, " \t");
        if (*at != '\0') {
            l->words[l->n_words++] = at;
            at += strcspn(at, " \t");
        }
        if (*at != '\0') {
            *at++ = '\0';
        }
    }
    if (l->n_words == 0 || l->n_words == MAX_WORDS) {
        return ha_fail(
            l->ctx, HA_ERR_PROCESS, HA_NOWHERE,
            "the environment variable CC is `%s`, which names no C compiler with at most %d "
            "words; correct it, or unset it for `cc`",
            given, MAX_WORDS - 1);
    }
    l->n_given = l->n_words;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        l->words[l->n_words++] = flags[i];
    }
    return HA_OK;
}

/* Finds a program as the shell does; all zeros: there is none. */
static ha_status find_program(ha_ctx *ctx, const char *program, struct stat *found)
{
    const char *path = strchr(program, '/') == NULL ? getenv("PATH") : NULL;
    const struct stat none = { 0 };
    bool is_found = path == NULL && stat(program, found) == 0;

    while (path != NULL && !is_found) {
        size_t length = strcspn(path, ":");
        ha__strbuf name = HA_STRBUF(ctx);
        ha__strbuf_addf(&name, "%.*s/%s", (int) length, path, program);
        HA_TRY(name.status);
        is_found = stat(name.text, found) == 0 && S_ISREG(found->st_mode);
        ha__strbuf_clear(&name);
        path = path[length] == ':' ? path + length + 1 : NULL;
    }
    *found = is_found ? *found : none;
    return HA_OK;
}

/* Another compiler is another file: its size and date stand for its version. */
static ha_status hash_programs(const loader *l, uint64_t *h)
{
    for (size_t i = 0; i < l->n_given; i++) {
        struct stat found = { 0 };
        if (l->words[i][0] != '-') {
            HA_TRY(find_program(l->ctx, l->words[i], &found));
        }
        const long long facts[] = { (long long) found.st_size, (long long) found.st_mtime };
        *h = ha__hash_bytes(*h, facts, sizeof facts);
    }
    return HA_OK;
}

static ha_status name_files(loader *l)
{
    uint64_t h = ha__hash_bytes(0, PACKAGE_VERSION, sizeof PACKAGE_VERSION);
    struct utsname system;

    if (uname(&system) >= 0) {
        h = ha__hash_bytes(h, system.machine, strlen(system.machine) + 1);
    }
    for (size_t i = 0; i < l->n_words; i++) {
        h = ha__hash_bytes(h, l->words[i], strlen(l->words[i]) + 1);
    }
    HA_TRY(hash_programs(l, &h));
    h = ha__hash_bytes(h, l->text, l->length);
    ha__strbuf_addf(&l->source, "%s/%016llx.c", l->directory.text, (unsigned long long) h);
    ha__strbuf_addf(&l->library, "%s/%016llx.so", l->directory.text, (unsigned long long) h);
    HA_TRY(l->source.status);
    return l->library.status;
}

/* The mark of a library; false when it cannot be read. */
static bool read_mark(const char *library, char mark[MARK_SIZE])
{
    FILE *file = fopen(library, "rb");
    unsigned char piece[4096];
    uint64_t h = 0;
    unsigned long long size = 0;
    size_t n = 0;

    if (file == NULL) {
        return false;
    }
    while ((n = fread(piece, 1, sizeof piece, file)) > 0) {
        h = ha__hash_bytes(h, piece, n);
        size += n;
    }
    bool is_read = ferror(file) == 0;
    fclose(file);
    snprintf(mark, MARK_SIZE, "/* library of %llu bytes, %016llx */\n", size,
             (unsigned long long) h);
    return is_read;
}

/* A file goes on with this text. */
static bool is_next(FILE *file, const char *text, size_t length)
{
    char piece[4096];

    while (length > 0) {
        size_t n = length < sizeof piece ? length : sizeof piece;
        if (fread(piece, 1, n, file) != n || memcmp(piece, text, n) != 0) {
            return false;
        }
        text += n;
        length -= n;
    }
    return true;
}

/* True when both files are there and the first holds the text and the mark of the second. */
static bool is_cached(const loader *l)
{
    char mark[MARK_SIZE];
    FILE *file = fopen(l->source.text, "rb");

    if (file == NULL) {
        return false;
    }
    bool is_same = is_next(file, l->text, l->length) && read_mark(l->library.text, mark) &&
                   is_next(file, mark, strlen(mark)) && fgetc(file) == EOF;
    fclose(file);
    return is_same;
}

/* What name_part() makes: the compiler, which has a limit of time, is not at work on it. */
static bool is_part(const char *name)
{
    return ha__leftover_has_end(name, ".so.", 6);
}

/* A name for the library under way that nothing else has, no other thread either. */
static ha_status name_part(const loader *l, ha__strbuf *part)
{
    char reason[256];

    ha__strbuf_addf(part, "%s/", l->directory.text);
    HA_TRY(part->status);
    ha__leftover_clean(part->text, is_part, TIME_LIMIT + 60.0);
    ha__strbuf_clear(part);
    *part = HA_STRBUF(l->ctx);
    ha__strbuf_addf(part, "%s.XXXXXX", l->library.text);
    HA_TRY(part->status);
    int file = mkstemp(part->text);
    if (file < 0) {
        int error = errno;
        ha__strbuf_clear(part);
        return ha_fail(l->ctx, HA_ERR_OUTPUT, HA_NOWHERE,
                       "`%s` cannot be written: %s; set HALFARROW_CACHE to another directory",
                       l->library.text, ha__reason(error, reason, sizeof reason));
    }
    close(file);
    return HA_OK;
}

/* Runs the compiler. */
static ha_status compile(loader *l, const char *part)
{
    ha__strbuf title = HA_STRBUF(l->ctx);
    ha__process process = { .arguments = l->words,
                            .input = l->text,
                            .input_length = l->length,
                            .time_limit = TIME_LIMIT,
                            .advice = "install the package gcc, or set CC to a compiler" };
    char *output = NULL;
    size_t length = 0;

    ha__strbuf_addf(&title, "the C compiler `%s`", l->words[0]);
    HA_TRY(title.status);
    process.title = title.text;
    l->words[l->n_words] = "-o";
    l->words[l->n_words + 1] = part;
    l->words[l->n_words + 2] = NULL;
    ha_status status = ha__process_run(l->ctx, &process, &output, &length);
    ha__free(output);
    return ha__strbuf_drop(&title, status);
}

/* NULL: it cannot be loaded. */
static ha_status open_library(const loader *l, const char *library, ha__native **out)
{
    ha__native *native = ha__alloc(l->ctx, 1, sizeof *native);

    HA_TRY_MEMORY(native);
    native->handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (native->handle == NULL) {
        ha__free(native);
        native = NULL;
    }
    *out = native;
    return HA_OK;
}

/* The library and the text with its mark get their names. */
static ha_status keep(const loader *l, const char *part)
{
    char mark[MARK_SIZE], reason[256];
    ha__strbuf source = HA_STRBUF(l->ctx);

    if (!read_mark(part, mark) || rename(part, l->library.text) != 0) {
        return ha_fail(l->ctx, HA_ERR_OUTPUT, HA_NOWHERE,
                       "`%s` cannot be written: %s; set HALFARROW_CACHE to another directory",
                       l->library.text, ha__reason(errno, reason, sizeof reason));
    }
    ha__strbuf_add_bytes(&source, l->text, l->length);
    ha__strbuf_add(&source, mark);
    ha_status status = source.status;
    HA_THEN(status, ha__output_write(l->ctx, l->source.text, source.text, source.length));
    return ha__strbuf_drop(&source, status);
}

/* Compiles, loads and keeps a library. */
static ha_status build(loader *l, const char *part, ha__native **out)
{
    HA_TRY(compile(l, part));
    HA_TRY(open_library(l, part, out));
    if (*out == NULL) {
        const char *reason = dlerror();
        return ha_fail(
            l->ctx, HA_ERR_FILE, HA_NOWHERE,
            "the compiled model cannot be loaded: %s; set HALFARROW_CACHE to a directory "
            "that programs may be run from",
            reason == NULL ? "no reason is given" : reason);
    }
    return keep(l, part);
}

static ha_status load(loader *l, ha__native **out, bool *was_cached)
{
    ha__strbuf part = HA_STRBUF(l->ctx);

    HA_TRY(find_directory(l));
    HA_TRY(make_directory(l));
    HA_TRY(find_command(l));
    HA_TRY(name_files(l));
    if (is_cached(l)) {
        HA_TRY(open_library(l, l->library.text, out));
        *was_cached = *out != NULL; /* or it is of another system, which shares the directory */
    }
    if (*out != NULL) {
        return HA_OK;
    }
    HA_TRY(name_part(l, &part));
    ha_status status = build(l, part.text, out);
    if (status != HA_OK) {
        ha__native_free(*out);
        *out = NULL;
        remove(part.text);
    }
    return ha__strbuf_drop(&part, status);
}

ha_status ha__native_load(ha_ctx *ctx, const char *text, size_t length, ha__native **out,
                          bool *was_cached)
{
    loader l = { .ctx = ctx,
                 .text = text,
                 .length = length,
                 .directory = HA_STRBUF(ctx),
                 .source = HA_STRBUF(ctx),
                 .library = HA_STRBUF(ctx) };
    ha__native *native = NULL;
    bool cached = false;
    ha_status status = load(&l, &native, &cached);

    if (status == HA_OK) {
        *out = native;
    }
    if (status == HA_OK && was_cached != NULL) {
        *was_cached = cached;
    }
    ha__free(l.command);
    ha__strbuf_clear(&l.directory);
    ha__strbuf_clear(&l.source);
    return ha__strbuf_drop(&l.library, status);
}

void (*ha__native_function(const ha__native *native, const char *name))(void)
{
    void *object = dlsym(native->handle, name);
    void (*function)(void) = NULL;

    memcpy(&function, &object, sizeof function); /* ISO C has no cast between them; POSIX has */
    return function;
}

void ha__native_free(ha__native *native)
{
    if (native != NULL) {
        dlclose(native->handle);
        ha__free(native);
    }
}
