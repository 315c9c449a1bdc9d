/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helper programs: small ones of POSIX whose output is known. */
#include <config.h>

#include "lib/core/process.h"

#include "lib/core/mem.h"
#include "tests/util/util.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static ha_ctx *ctx;
static char *output;
static size_t length;

static void set_up(void)
{
    ctx = ha_ctx_new();
    ck_assert_ptr_nonnull(ctx);
    output = NULL;
    length = 0;
}

static void tear_down(void)
{
    ha__free(output);
    output = NULL;
    ha_ctx_free(ctx);
}

static ha_status shell(const char *script, const char *input, size_t input_length, double limit)
{
    const char *const arguments[] = { "sh", "-c", script, NULL };
    const ha__process process = { .arguments = arguments,
                                  .input = input,
                                  .input_length = input_length,
                                  .time_limit = limit,
                                  .title = "the shell" };

    return ha__process_run(ctx, &process, &output, &length);
}

static void expect_ok(ha_status status)
{
    ck_assert_msg(status == HA_OK, "%s: %s", ha_status_name(status),
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "no diagnostic");
}

static void expect_failure(ha_status status, ha_status expected, const char *text)
{
    ck_assert_int_eq(status, expected);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
    ck_assert_msg(strstr(ha_ctx_diag(ctx, 0)->text, text) != NULL, "`%s` is not in: %s", text,
                  ha_ctx_diag(ctx, 0)->text);
    ck_assert_ptr_null(output);
    ha_ctx_clear(ctx);
}

static int n_open_files(void)
{
    int count = 0;
    DIR *dir = opendir("/proc/self/fd");

    if (dir == NULL) {
        return -1;
    }
    while (readdir(dir) != NULL) {
        count++;
    }
    closedir(dir);
    return count;
}

START_TEST(output_is_collected)
{
    expect_ok(shell("printf 'a\\0b'", NULL, 0, 0.0));
    ck_assert_uint_eq(length, 3);
    ck_assert_mem_eq(output, "a\0b", 4); /* with the zero behind */
}
END_TEST

START_TEST(no_output_is_an_empty_text)
{
    expect_ok(shell("true", NULL, 0, 0.0));
    ck_assert_uint_eq(length, 0);
    ck_assert_str_eq(output, "");
}
END_TEST

/* Both directions at once, far beyond what the channels hold. */
START_TEST(much_input_comes_back)
{
    const char *const arguments[] = { "cat", NULL };
    const size_t size = 20000000;
    char *input = malloc(size);

    ck_assert_ptr_nonnull(input);
    for (size_t i = 0; i < size; i++) {
        input[i] = (char) (i * 7 % 251);
    }
    const ha__process process = { .arguments = arguments, .input = input, .input_length = size };
    expect_ok(ha__process_run(ctx, &process, &output, &length));
    ck_assert_uint_eq(length, size);
    ck_assert_mem_eq(output, input, size);
    free(input);
}
END_TEST

START_TEST(a_program_that_does_not_read_is_no_matter)
{
    const size_t size = 5000000;
    char *input = calloc(size, 1);

    ck_assert_ptr_nonnull(input);
    expect_ok(shell("exec 0<&-; echo done", input, size, 0.0));
    ck_assert_str_eq(output, "done\n");
    free(input);
}
END_TEST

START_TEST(a_missing_program_is_named_with_advice)
{
    const char *const arguments[] = { "no-such-program-as-this", NULL };
    ha__process process = { .arguments = arguments,
                            .title = "Graphviz's `dot`",
                            .advice = "install the package graphviz, or write a .dot file" };

    expect_failure(ha__process_run(ctx, &process, &output, &length), HA_ERR_PROCESS,
                   "Graphviz's `dot` was not found; install the package graphviz, or write");
    process.title = process.advice = NULL;
    expect_failure(ha__process_run(ctx, &process, &output, &length), HA_ERR_PROCESS,
                   "no-such-program-as-this was not found");
}
END_TEST

/* valgrind reports it as a missing one, therefore no more of the text is compared */
START_TEST(a_file_that_is_no_program_is_told)
{
    const char *const arguments[] = { "/dev/null", NULL };
    const ha__process process = { .arguments = arguments };

    expect_failure(ha__process_run(ctx, &process, &output, &length), HA_ERR_PROCESS, "/dev/null ");
}
END_TEST

START_TEST(a_failure_quotes_standard_error)
{
    expect_failure(shell("echo partial; echo 'line 3: bad' >&2; exit 4", NULL, 0, 0.0),
                   HA_ERR_PROCESS, "the shell failed with exit status 4: line 3: bad");
    expect_failure(shell("exit 1", NULL, 0, 0.0), HA_ERR_PROCESS, "failed with exit status 1");
    expect_failure(shell("kill -9 $$", NULL, 0, 0.0), HA_ERR_PROCESS, "killed by signal 9");
}
END_TEST

START_TEST(a_flood_on_standard_error_is_no_matter)
{
    expect_ok(shell("head -c 1000000 /dev/zero >&2; echo done", NULL, 0, 0.0));
    ck_assert_str_eq(output, "done\n");
}
END_TEST

START_TEST(the_time_limit_ends_a_program)
{
    /* were they not ended, this test would hang */
    expect_failure(shell("exec sleep 100000", NULL, 0, 0.2), HA_ERR_PROCESS, "after 0.2 s");
    /* also one that has closed its channels */
    expect_failure(shell("exec sleep 100000 >&- 2>&-", NULL, 0, 0.2), HA_ERR_PROCESS,
                   "after 0.2 s");
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1); /* no zombie */
}
END_TEST

/* Check's own limit is 4 s, which a loaded machine takes for a test of milliseconds. */
START_TEST(a_slow_machine_fails_no_test)
{
    ck_assert_uint_eq(sleep(5), 0);
}
END_TEST

START_TEST(the_output_limit_ends_a_program)
{
    const char *const arguments[] = { "cat", "/dev/zero", NULL };
    const ha__process process = { .arguments = arguments, .max_output = 1000000 };

    expect_failure(ha__process_run(ctx, &process, &output, &length), HA_ERR_PROCESS,
                   "more than 1000000 bytes");
}
END_TEST

START_TEST(an_interrupt_ends_a_program)
{
    const volatile sig_atomic_t stop = 1;

    ha_ctx_set_interrupt(ctx, &stop);
    expect_failure(shell("exec sleep 100000", NULL, 0, 0.0), HA_ERR_INTERRUPTED, "interrupted");
}
END_TEST

START_TEST(arguments_are_not_seen_by_a_shell)
{
    const char *const arguments[] = { "printf", "%s|", "a b", "$HOME", "`x`", "", NULL };
    const ha__process process = { .arguments = arguments };

    expect_ok(ha__process_run(ctx, &process, &output, &length));
    ck_assert_str_eq(output, "a b|$HOME|`x`||");
}
END_TEST

static void on_pipe(int number)
{
    (void) number;
}

START_TEST(the_process_is_left_as_it_was)
{
    struct sigaction before = { .sa_handler = on_pipe };
    struct sigaction after;
    sigset_t blocked;
    sigset_t mask;
    int open_files = n_open_files();
    char *input = calloc(1000000, 1);

    sigaction(SIGPIPE, &before, NULL);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
    expect_ok(shell("exec 0<&-; true", input, 1000000, 0.0));
    sigaction(SIGPIPE, NULL, &after);
    sigprocmask(SIG_SETMASK, NULL, &mask);
    ck_assert(after.sa_handler == on_pipe);
    ck_assert_int_eq(sigismember(&mask, SIGTERM), 1);
    ck_assert_int_eq(sigismember(&mask, SIGPIPE), 0);
    ck_assert_int_eq(n_open_files(), open_files);
    signal(SIGPIPE, SIG_DFL);
    sigemptyset(&mask);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    free(input);
}
END_TEST

/* The child does not inherit that SIGPIPE is ignored, nor a blocked signal. */
START_TEST(the_child_has_default_signals)
{
    sigset_t blocked;

    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
    expect_failure(shell("kill -PIPE $$; sleep 1; true", NULL, 0, 0.0), HA_ERR_PROCESS,
                   "killed by signal 13");
    expect_failure(shell("kill -TERM $$; sleep 1; true", NULL, 0, 0.0), HA_ERR_PROCESS,
                   "killed by signal 15");
    signal(SIGPIPE, SIG_DFL);
    sigemptyset(&blocked);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
}
END_TEST

START_TEST(a_host_that_ignores_its_children_is_served)
{
    signal(SIGCHLD, SIG_IGN);
    expect_ok(shell("echo done", NULL, 0, 0.0));
    ck_assert_str_eq(output, "done\n");
    signal(SIGCHLD, SIG_DFL);
}
END_TEST

START_TEST(closed_standard_channels_are_no_matter)
{
    int keep = dup(STDIN_FILENO);

    close(STDIN_FILENO);
    expect_ok(shell("cat", "text", 4, 0.0));
    ck_assert_str_eq(output, "text");
    if (keep >= 0) {
        dup2(keep, STDIN_FILENO);
        close(keep);
    }
}
END_TEST

START_TEST(lack_of_memory_is_reported_wherever_it_strikes)
{
    for (size_t n = 1;; n++) {
        ha_ctx_clear(ctx);
        ha_ctx_fail_allocation(ctx, n);
        ha_status status = shell("head -c 300000 /dev/zero", NULL, 0, 0.0);
        if (status == HA_OK) {
            ck_assert_uint_gt(n, 1);
            return;
        }
        ck_assert_int_eq(status, HA_ERR_MEMORY);
        ck_assert_ptr_null(output);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        output_is_collected,
        no_output_is_an_empty_text,
        much_input_comes_back,
        a_program_that_does_not_read_is_no_matter,
        a_missing_program_is_named_with_advice,
        a_file_that_is_no_program_is_told,
        a_failure_quotes_standard_error,
        a_flood_on_standard_error_is_no_matter,
        the_time_limit_ends_a_program,
        a_slow_machine_fails_no_test,
        the_output_limit_ends_a_program,
        an_interrupt_ends_a_program,
        arguments_are_not_seen_by_a_shell,
        the_process_is_left_as_it_was,
        the_child_has_default_signals,
        a_host_that_ignores_its_children_is_served,
        closed_standard_channels_are_no_matter,
        lack_of_memory_is_reported_wherever_it_strikes,
    };

    return test_run_all("process", set_up, tear_down, tests, HA_COUNT(tests));
}
