/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names and numbers for what the driver has to say about a system. */
#include <config.h>

#include "lib/dae/dae_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_NAMES = 6, /* in one list, so that a sentence stays a sentence */
    SUMS = 8       /* at once, which keep the adder busy */
};

static inline void add_zeros(double *sum, const double *x)
{
    for (int k = 0; k < SUMS; k++) {
        sum[k] += 0.0 * x[k];
    }
}

/* True when all entries are finite: 0 * x is 0 for finite x and nan otherwise. */
HA_WIDE static bool are_finite(const double *x, int64_t n)
{
    double sum[SUMS] = { 0.0 };

    if (n >= SUMS) { /* the last of them, some of which come once more */
        add_zeros(sum, x + n - SUMS);
    }
    for (int64_t i = 0; i + SUMS < n; i += SUMS) {
        add_zeros(sum, x + i);
    }
    for (int64_t i = 0; i < n && n < SUMS; i++) {
        sum[i] += 0.0 * x[i];
    }
    for (int k = 0; k < SUMS / 2; k++) {
        sum[k] += sum[k + SUMS / 2];
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]) == 0.0;
}

int64_t ha__first_not_finite(const double *x, int64_t n)
{
    int64_t i = 0;

    if (are_finite(x, n)) {
        return -1;
    }
    while (i < n && isfinite(x[i])) {
        i++;
    }
    return i;
}

const char *ha__dae_number(char buffer[HA__NUMBER_SIZE], double x)
{
    return ha__print_rounded_number(buffer, x, 6);
}

static void add_value(ha__strbuf *text, const ha_dae *dae, int64_t j, const double *y,
                      const double *yp)
{
    char number[HA__NUMBER_SIZE];

    ha__strbuf_addf(text, "`%s` = %s", dae->unknowns[j].name, ha__dae_number(number, y[j]));
    if (dae->unknowns[j].kind == HA_DIFFERENTIAL) {
        ha__strbuf_addf(text, " (derivative %s)", ha__dae_number(number, yp[j]));
    }
}

/* True when unknown j occurs in the equation. */
static bool occurs(const ha_dae *dae, int64_t equation, int64_t j)
{
    for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
        if (dae->row[k] == equation) {
            return true;
        }
    }
    return false;
}

void ha__dae_add_values(ha__strbuf *text, const ha_dae *dae, int64_t equation, const double *y,
                        const double *yp)
{
    int listed = 0;
    int left = 0;

    for (int round = 0; round < 2; round++) {
        for (int64_t j = 0; j < dae->n; j++) {
            bool bad = !isfinite(y[j]) || !isfinite(yp[j]);
            if (bad != (round == 0) || !occurs(dae, equation, j)) {
                continue;
            }
            if (listed == MAX_NAMES) {
                left++;
                continue;
            }
            ha__strbuf_add(text, listed++ == 0 ? "" : ", ");
            add_value(text, dae, j, y, yp);
        }
    }
    if (left > 0) {
        ha__strbuf_addf(text, " and %d more", left);
    }
    if (listed == 0) {
        ha__strbuf_add(text, "none");
    }
}

void ha__dae_add_start_unknown(ha__strbuf *text, const ha_dae *dae, int64_t j)
{
    const char *what = dae->unknowns[j].kind == HA_DIFFERENTIAL ? "the derivative of " : "";

    ha__strbuf_addf(text, "%s`%s`", what, dae->unknowns[j].name);
}

void ha__dae_add_largest(ha__strbuf *text, const ha_dae *dae, const double *x, bool equations)
{
    static const double SHARE = 1e-3; /* of the largest; smaller entries do not take part */
    double bound = HUGE_VAL;
    double largest = 0.0;
    int64_t last = -1;

    for (int listed = 0; listed < MAX_NAMES; listed++) {
        /* the next in descending order of magnitude, equal ones by number */
        int64_t best = -1;
        for (int64_t j = 0; j < dae->n; j++) {
            double size = fabs(x[j]);
            bool later = size < bound || (size == bound && j > last);
            if (later && (best < 0 || size > fabs(x[best]))) {
                best = j;
            }
        }
        if (best < 0 || fabs(x[best]) <= SHARE * largest) {
            return;
        }
        largest = listed == 0 ? fabs(x[best]) : largest;
        bound = fabs(x[best]);
        last = best;
        ha__strbuf_add(text, listed == 0 ? "" : ", ");
        if (equations) {
            ha__strbuf_addf(text, "`%s`", dae->equations[best]);
        } else {
            ha__dae_add_start_unknown(text, dae, best);
        }
    }
}
