/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Knows where the sources are, also in a build directory, and how a suite is run.
 *
 * Check kills a test after 4 s of the wall clock, which a loaded machine or a debugger takes for
 * anything. No test depends on the clock: the limit here only ends a test that hangs. Check reads
 * it when a test case is made, before test_run() is called; so it is set before main().
 */
#include <config.h>

#include "tests/util/util.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Hours, so that no load and no sanitizer comes near. */
#define SECONDS_OF_A_HANG "14400"

__attribute__((constructor)) static void guard_against_hangs(void)
{
    setenv("CK_DEFAULT_TIMEOUT", SECONDS_OF_A_HANG, 0);
}

const char *test_source(const char *path)
{
    static char buffers[4][4096];
    static unsigned next = 0;
    char *buffer = buffers[next++ % 4];

    snprintf(buffer, sizeof buffers[0], "%s/%s", TEST_SOURCE_DIR, path);
    return buffer;
}

int test_run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);

    /* CK_VERBOSITY=verbose lists every test, CK_FORK=no keeps them in one process for a debugger */
    srunner_run_all(runner, CK_ENV);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int test_run_all(const char *name, SFun set_up, SFun tear_down, const TTest *const *tests, size_t n)
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    for (size_t i = 0; i < n; i++) {
        tcase_add_test(tcase, tests[i]);
    }
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}

void test_near(double got, double wanted, double tolerance)
{
    ck_assert_msg(fabs(got - wanted) <= tolerance, "%.17g is not %.17g", got, wanted);
}
