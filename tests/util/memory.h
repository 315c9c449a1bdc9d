/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What happens without memory, at every place where it may be asked for. Not installed. */
#ifndef TESTS_UTIL_MEMORY_H
#define TESTS_UTIL_MEMORY_H

#include "lib/context.h"

#include <check.h>

/*
 * Calls a function again and again, each time with another allocation of the context that fails,
 * the first, the second, ..., and all after it, until it needs no more: what there is not enough
 * memory for is given up, and said with one error. Of long functions not every place is tried: the
 * n-th is followed by n + 1 + n / `density` (0: by the next). The function frees what it made.
 * Returns the number of allocations that were enough.
 */
static inline size_t memory_survives(ha_ctx *context, size_t density,
                                     ha_status (*attempt)(void *user), void *user)
{
    for (size_t n = 1; n < 100000; n += 1 + (density == 0 ? 0 : n / density)) {
        ha_ctx_clear(context);
        ha_ctx_fail_allocation(context, n);
        ha_status status = attempt(user);
        ha_ctx_fail_allocation(context, 0);
        ck_assert_msg(status == HA_OK || status == HA_ERR_MEMORY, "allocation %zu: %s", n,
                      ha_status_name(status));
        ck_assert_msg(ha_ctx_n_errors(context) == (status == HA_OK ? 0 : 1),
                      "allocation %zu: %zu errors, the last %s", n, ha_ctx_n_errors(context),
                      ha_ctx_n_diags(context) == 0
                          ? "none"
                          : ha_ctx_diag(context, ha_ctx_n_diags(context) - 1)->text);
        if (status == HA_OK) {
            return n;
        }
    }
    ck_abort_msg("no number of allocations is enough");
}

#endif
