/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every test program needs. Not installed. */
#ifndef TESTS_UTIL_UTIL_H
#define TESTS_UTIL_UTIL_H

#include <check.h>
#include <stddef.h>

/* The one limit of time is that of test_run(). */
#pragma GCC poison tcase_set_timeout

/* Path of a file of the source tree, given from its top ("examples/andrews.yaml"). The text is
   valid until the fourth next call. */
const char *test_source(const char *path);

/* Runs a suite, prints what failed and returns the exit status of the program. Takes the suite. */
int test_run(Suite *suite);

/* Runs `n` tests, each between set_up() and tear_down(), which may be NULL; as test_run(). */
int test_run_all(const char *name, SFun set_up, SFun tear_down, const TTest *const *tests,
                 size_t n);

/* Fails the test where a number is not the wanted one, or none. */
void test_near(double got, double wanted, double tolerance);

#endif
