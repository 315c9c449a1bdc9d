/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A context for each test of a program that needs nothing else. Not installed. */
#ifndef TESTS_UTIL_CONTEXT_H
#define TESTS_UTIL_CONTEXT_H

#include "lib/context.h"
#include "tests/util/util.h"

static ha_ctx *ctx;

static void set_up(void)
{
    ctx = ha_ctx_new();
    ck_assert_ptr_nonnull(ctx);
}

static void tear_down(void)
{
    ha_ctx_free(ctx);
}

#endif
