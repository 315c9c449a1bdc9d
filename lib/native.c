/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Machine code from C, and the cache of it.
 *
 * The cache holds NAME.c and NAME.so, NAME being a hash of the command line and the text. The text is
 * compared in full before the library is believed, so that two texts of one hash harm nobody, and is
 * written before the compiler runs; both files appear complete or not at all. Code is loaded from the
 * cache: its directory must belong to the user, and nobody else may write there.
 */
#include <config.h>

#include "lib/native.h"

#include "lib/mem.h"
#include "lib/output.h"
#include "lib/process.h"
#include "lib/reason.h"
#include "lib/strbuf.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_WORDS = 16 };

static const double TIME_LIMIT = 1800.0; /* [s] for the compiler; it can be interrupted */

/* Products and sums stay as they are written, and functions come from the C library: the bits of a
   tape. */
static const char *const flags[] = { "-O1",  "-fPIC",        "-shared",          "-ffp-contract=off",
                                     "-w",   "-fno-builtin", "-fno-math-errno",  "-x",
                                     "c",    "-" };

struct ha__native {
    void *handle;
};

/* What a load needs. */
typedef struct {
    ha_ctx *ctx;
    const char *text;
    size_t length;
    char *command; /* words of $CC, with zeros in the places of blanks */
    const char *words[MAX_WORDS + sizeof flags / sizeof *flags + 4];
    size_t n_words;
    ha__strbuf directory, source, library;
} loader;

/* FNV-1a, 64 bits. */
static uint64_t hash(uint64_t h, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;

    for (size_t i = 0; i < length; i++) {
        h = (h ^ at[i]) * UINT64_C(0x100000001b3);
    }
    return h;
}

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
    l->command = ha__copy_text(l->ctx, given, strlen(given));
    if (l->command == NULL) {
        return HA_ERR_MEMORY;
    }
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
        return ha_fail(l->ctx, HA_ERR_PROCESS, HA_NOWHERE,
                       "the environment variable CC is `%s`, which names no C compiler with at most %d "
                       "words; correct it, or unset it for `cc`",
                       given, MAX_WORDS - 1);
    }
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        l->words[l->n_words++] = flags[i];
    }
    return HA_OK;
}

static ha_status name_files(loader *l)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < l->n_words; i++) {
        h = hash(h, l->words[i], strlen(l->words[i]) + 1);
    }
    h = hash(h, l->text, l->length);
    ha__strbuf_addf(&l->source, "%s/%016llx.c", l->directory.text, (unsigned long long) h);
    ha__strbuf_addf(&l->library, "%s/%016llx.so", l->directory.text, (unsigned long long) h);
    HA_TRY(l->source.status);
    return l->library.status;
}

/* True when both files are there and the first holds the text. */
static bool is_cached(const loader *l)
{
    FILE *file = fopen(l->source.text, "rb");
    char piece[4096];
    size_t at = 0, n = 0;

    if (file == NULL) {
        return false;
    }
    while ((n = fread(piece, 1, sizeof piece, file)) > 0 && n <= l->length - at &&
           memcmp(piece, l->text + at, n) == 0) {
        at += n;
    }
    fclose(file);
    return n == 0 && at == l->length && access(l->library.text, R_OK) == 0;
}

/* A name for the library under way that nothing else has, no other thread either. */
static ha_status name_part(const loader *l, ha__strbuf *part)
{
    char reason[256];
    int file = -1;

    ha__strbuf_addf(part, "%s.XXXXXX", l->library.text);
    HA_TRY(part->status);
    file = mkstemp(part->text);
    if (file < 0) {
        int error = errno;
        ha__strbuf_clear(part);
        return ha_fail(l->ctx, HA_ERR_OUTPUT, HA_NOWHERE, "`%s` cannot be written: %s",
                       l->library.text, ha__reason(error, reason, sizeof reason));
    }
    close(file);
    return HA_OK;
}

/* Runs the compiler; the library gets its name when it is complete. */
static ha_status compile(loader *l)
{
    ha__strbuf part = HA_STRBUF(l->ctx);
    ha__process process = { .arguments = l->words,
                            .input = l->text,
                            .input_length = l->length,
                            .time_limit = TIME_LIMIT,
                            .title = "the C compiler",
                            .advice = "install the package gcc, or set CC to a compiler" };
    char *output = NULL;
    size_t length = 0;

    HA_TRY(name_part(l, &part));
    l->words[l->n_words] = "-o";
    l->words[l->n_words + 1] = ha__strbuf_text(&part);
    l->words[l->n_words + 2] = NULL;
    ha_status status = ha__process_run(l->ctx, &process, &output, &length);
    ha__free(output);
    if (status == HA_OK && rename(part.text, l->library.text) != 0) {
        char reason[256];
        status = ha_fail(l->ctx, HA_ERR_OUTPUT, HA_NOWHERE,
                         "`%s` cannot be written: %s; set HALFARROW_CACHE to another directory",
                         l->library.text, ha__reason(errno, reason, sizeof reason));
    }
    if (status != HA_OK) {
        remove(part.text);
    }
    ha__strbuf_clear(&part);
    return status;
}

static ha_status open_library(const loader *l, ha__native **out)
{
    ha__native *native = ha__alloc(l->ctx, 1, sizeof *native);

    if (native == NULL) {
        return HA_ERR_MEMORY;
    }
    native->handle = dlopen(l->library.text, RTLD_NOW | RTLD_LOCAL);
    if (native->handle == NULL) {
        const char *reason = dlerror();
        ha_status status = ha_fail(l->ctx, HA_ERR_FILE, HA_NOWHERE,
                                   "the compiled model cannot be loaded: %s; remove `%s` so that it "
                                   "is compiled anew, or set HALFARROW_CACHE to another directory",
                                   reason == NULL ? "no reason is given" : reason, l->library.text);
        ha__free(native);
        return status;
    }
    *out = native;
    return HA_OK;
}

static ha_status load(loader *l, ha__native **out, bool *was_cached)
{
    HA_TRY(find_directory(l));
    HA_TRY(make_directory(l));
    HA_TRY(find_command(l));
    HA_TRY(name_files(l));
    *was_cached = is_cached(l);
    if (!*was_cached) {
        remove(l->library.text); /* of another text */
        HA_TRY(ha__output_write(l->ctx, l->source.text, l->text, l->length));
        HA_TRY(compile(l));
    }
    return open_library(l, out);
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
    bool cached = false;
    ha_status status = load(&l, out, &cached);

    if (status == HA_OK && was_cached != NULL) {
        *was_cached = cached;
    }
    ha__free(l.command);
    ha__strbuf_clear(&l.directory);
    ha__strbuf_clear(&l.source);
    ha__strbuf_clear(&l.library);
    return status;
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
