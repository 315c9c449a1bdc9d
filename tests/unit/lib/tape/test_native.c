/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machine code from C: the cache, and what can go wrong with it. */
#include <config.h>

#include "lib/tape/native.h"

#include "tests/util/util.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char text[] = "int answer(void) { return 42; }\n";

static ha_ctx *ctx;
static char directory[] = "/tmp/test_native_XXXXXX";
static char cache[sizeof directory + 16];

static void set_up(void)
{
    ctx = ha_ctx_new();
    strcpy(directory + sizeof directory - 7, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(cache, sizeof cache, "%s/a/b", directory);
    setenv("HALFARROW_CACHE", cache, 1);
    unsetenv("CC");
}

static void tear_down(void)
{
    char command[sizeof directory + 16];

    snprintf(command, sizeof command, "rm -rf %s", directory);
    ck_assert_int_eq(system(command), 0);
    ha_ctx_free(ctx);
}

/* Loads the text, expects the answer and returns whether it came from the cache. */
static bool load_and_ask(const char *from)
{
    ha__native *native = NULL;
    bool was_cached = false;

    ck_assert_int_eq(ha__native_load(ctx, from, strlen(from), &native, &was_cached), HA_OK);
    int (*answer)(void) = (int (*)(void)) ha__native_function(native, "answer");
    ck_assert(answer != NULL);
    ck_assert_int_eq(answer(), from == text ? 42 : 43);
    ck_assert(ha__native_function(native, "question") == NULL);
    ha__native_free(native);
    return was_cached;
}

static ha_status refused(const char *from, const char *why)
{
    ha__native *native = NULL;
    ha_status status = ha__native_load(ctx, from, strlen(from), &native, NULL);

    ck_assert_ptr_null(native);
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 1);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, why));
    return status;
}

START_TEST(a_text_is_compiled_once)
{
    ck_assert(!load_and_ask(text));
    ck_assert(load_and_ask(text));
    ck_assert(!load_and_ask("int answer(void) { return 43; }\n"));
    ck_assert(load_and_ask(text));
}
END_TEST

/* Opens the only file of the cache with this ending. */
static FILE *open_cached(const char *ending, const char *mode)
{
    char pattern[sizeof cache + 8];
    glob_t found;

    snprintf(pattern, sizeof pattern, "%s/*%s", cache, ending);
    ck_assert_int_eq(glob(pattern, 0, NULL, &found), 0);
    ck_assert_uint_eq(found.gl_pathc, 1);
    FILE *file = fopen(found.gl_pathv[0], mode);
    ck_assert_ptr_nonnull(file);
    globfree(&found);
    return file;
}

/* As if another text had the same hash. */
START_TEST(a_library_of_another_text_is_not_believed)
{
    ck_assert(!load_and_ask(text));
    FILE *source = open_cached(".c", "w");
    fputs("int answer(void) { return 41; }\n", source);
    fclose(source);
    ck_assert(!load_and_ask(text));
    ck_assert(load_and_ask(text));
}
END_TEST

START_TEST(a_library_cut_short_is_compiled_anew)
{
    for (long length = 0; length <= 8192; length += 4096) {
        ck_assert(!load_and_ask(text) || length > 0);
        FILE *library = open_cached(".so", "r+b");
        ck_assert_int_eq(ftruncate(fileno(library), length), 0);
        fclose(library);
        ck_assert(!load_and_ask(text));
        ck_assert(load_and_ask(text));
    }
}
END_TEST

START_TEST(a_library_with_a_wrong_byte_is_compiled_anew)
{
    ck_assert(!load_and_ask(text));
    FILE *library = open_cached(".so", "r+b");
    ck_assert_int_eq(fseek(library, -1, SEEK_END), 0);
    int last = fgetc(library);
    ck_assert_int_eq(fseek(library, -1, SEEK_END), 0);
    fputc(last ^ 1, library);
    fclose(library);
    ck_assert(!load_and_ask(text));
    ck_assert(load_and_ask(text));
}
END_TEST

/* A compiler of its own, which is replaced by another of the same name. */
START_TEST(another_compiler_compiles_anew)
{
    char compiler[sizeof directory + 8];

    snprintf(compiler, sizeof compiler, "%s/mine", directory);
    setenv("CC", compiler, 1);
    for (int version = 1; version <= 2; version++) {
        FILE *script = fopen(compiler, "w");
        ck_assert_ptr_nonnull(script);
        fprintf(script, "#!/bin/sh\n# %.*s\nexec cc \"$@\"\n", version, "version");
        fclose(script);
        ck_assert_int_eq(chmod(compiler, 0755), 0);
        ck_assert(!load_and_ask(text));
        ck_assert(load_and_ask(text));
    }
}
END_TEST

START_TEST(several_processes_may_compile_at_once)
{
    enum { N_PROCESSES = 4 };
    pid_t pids[N_PROCESSES];

    for (int i = 0; i < N_PROCESSES; i++) {
        pids[i] = fork();
        ck_assert_int_ge(pids[i], 0);
        if (pids[i] == 0) {
            for (int k = 0; k < 3; k++) {
                load_and_ask(text);
            }
            _exit(EXIT_SUCCESS);
        }
    }
    for (int i = 0; i < N_PROCESSES; i++) {
        int status = -1;
        ck_assert_int_eq(waitpid(pids[i], &status, 0), pids[i]);
        ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
    }
    ck_assert(load_and_ask(text));
}
END_TEST

START_TEST(a_missing_compiler_is_named)
{
    setenv("CC", "no-such-compiler-anywhere -O9", 1);
    ck_assert_int_eq(refused(text, "install the package gcc"), HA_ERR_PROCESS);
}
END_TEST

START_TEST(an_empty_command_line_is_refused)
{
    setenv("CC", "  ", 1);
    ck_assert_int_eq(refused(text, "CC"), HA_ERR_PROCESS);
}
END_TEST

START_TEST(what_the_compiler_says_is_quoted)
{
    ck_assert_int_eq(refused("int answer(void) { return wrong; }\n", "wrong"), HA_ERR_PROCESS);
}
END_TEST

START_TEST(code_is_not_loaded_from_where_others_write)
{
    ck_assert(!load_and_ask(text));
    ck_assert_int_eq(chmod(cache, 0777), 0);
    ck_assert_int_eq(refused(text, "where others can write"), HA_ERR_FILE);
}
END_TEST

START_TEST(a_cache_that_cannot_be_made_is_named)
{
    setenv("HALFARROW_CACHE", "/dev/null/halfarrow", 1);
    ck_assert_int_eq(refused(text, "/dev/null/halfarrow"), HA_ERR_OUTPUT);
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    ha_status status = HA_ERR_MEMORY;

    for (size_t n = 1; status != HA_OK; n++) {
        ha__native *native = NULL;
        ck_assert_uint_lt(n, 200);
        ha_ctx_clear(ctx);
        ha_ctx_fail_allocation(ctx, n);
        status = ha__native_load(ctx, text, strlen(text), &native, NULL);
        ha_ctx_fail_allocation(ctx, 0);
        ck_assert_int_eq(status, ha_ctx_n_errors(ctx) > 0 ? HA_ERR_MEMORY : HA_OK);
        ck_assert((native != NULL) == (status == HA_OK));
        ha__native_free(native);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("native");
    TCase *tests = tcase_create("native");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_text_is_compiled_once);
    tcase_add_test(tests, a_library_of_another_text_is_not_believed);
    tcase_add_test(tests, a_library_cut_short_is_compiled_anew);
    tcase_add_test(tests, a_library_with_a_wrong_byte_is_compiled_anew);
    tcase_add_test(tests, another_compiler_compiles_anew);
    tcase_add_test(tests, several_processes_may_compile_at_once);
    tcase_add_test(tests, a_missing_compiler_is_named);
    tcase_add_test(tests, an_empty_command_line_is_refused);
    tcase_add_test(tests, what_the_compiler_says_is_quoted);
    tcase_add_test(tests, code_is_not_loaded_from_where_others_write);
    tcase_add_test(tests, a_cache_that_cannot_be_made_is_named);
    tcase_add_test(tests, every_allocation_may_fail);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
