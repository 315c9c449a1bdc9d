/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Outputs of a run that have no value somewhere, as the root of a length that became negative: what
 * is solved for is looked at in each step, but outputs are only written. Said of each is when that
 * is first, and in how many rows.
 */
#include <config.h>

#include "bondgraph/model/run_priv.h"
#include "lib/core/number.h"
#include "lib/dae/dae_priv.h"

#include <math.h>

enum { MOST_NAMED = 5 };

/* Whether all values are, as they nearly always are. */
static bool is_finite(const ha_result *result)
{
    const size_t n = ha_result_n_rows(result) * ha_result_n_columns(result);

    return ha__first_not_finite(ha_result_data(result), (int64_t) n) < 0;
}

/* The first row in which a column is not finite, and how many there are. */
static size_t find_first(const ha_result *result, size_t column, size_t *n)
{
    const size_t n_rows = ha_result_n_rows(result), n_columns = ha_result_n_columns(result);
    const double *value = ha_result_data(result) + column;
    size_t first = 0;

    *n = 0;
    for (size_t row = 0; row < n_rows; row++) {
        if (!isfinite(value[row * n_columns])) {
            first = *n == 0 ? row : first;
            *n += 1;
        }
    }
    return first;
}

static void warn(const ha_result *result, size_t column, size_t first, size_t n)
{
    char when[HA__NUMBER_SIZE];
    const char *what =
        isnan(ha_result_value(result, first, column)) ? "is no number" : "is infinite";

    ha_warn(
        ha_result_ctx(result), HA_NOWHERE,
        "the output `%s` %s at t = %s s, and has no finite value in %zu of %zu rows: look there "
        "for a root or a logarithm of what is negative, or a divisor that is 0; keep it away "
        "from that, as by max(x, 0) or if(c, a, b)",
        ha_result_name(result, column), what,
        ha__print_rounded_number(when, ha_result_value(result, first, 0), 6), n,
        ha_result_n_rows(result));
}

void bg__warn_of_no_numbers(const ha_result *result)
{
    size_t n_outputs = 0, n = 0;

    if (is_finite(result)) {
        return;
    }
    for (size_t column = 1; column < ha_result_n_columns(result); column++) {
        size_t first = find_first(result, column, &n);
        if (n > 0 && ++n_outputs <= MOST_NAMED) {
            warn(result, column, first, n);
        }
    }
    if (n_outputs > MOST_NAMED) {
        ha_warn(ha_result_ctx(result), HA_NOWHERE,
                "%zu outputs more have no finite value in some rows", n_outputs - MOST_NAMED);
    }
}
