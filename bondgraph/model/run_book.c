/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether the energy book of a run closes.
 *
 * What it may be off by goes with the energy that there was and that passed through it,
 *
 *     H = max(T, |V - E_0|),
 *     P = H + sum over the steps of (|change of T| + |change of V|)
 *           + integral of the sum of |power| over all sources and dissipators,
 *
 * T being the kinetic, V the potential and E_0 the energy stored at the start, so that it matters
 * neither where a potential has its 0 nor what was stored all the time. A speed that is wrong by
 * rtol |v| + atol changes E = m v^2 / 2 by m v (rtol |v| + atol) = 2 rtol E + 2 sqrt(E E_a) with
 * E_a = m atol^2 / 2. So the tolerances are worth, of an energy E,
 *
 *     d(E) = 2 rtol E + 2 sqrt(E E_a) + E_a,
 *
 * E_a being what the states of all storages hold where they are as large as their absolute
 * tolerances. Each of N steps may be wrong by d(H), and quadratures and the stabilisation are, by
 * some d(P): a book is open that is off by more than
 *
 *     N d(H) + 300 d(P),
 *
 * and so is one that is off by more than P / 500 + 50 d(P), since many steps, or loose tolerances,
 * do not explain everything.
 */
#include <config.h>

#include "bondgraph/model/run_priv.h"
#include "lib/core/number.h"

#include <math.h>
#include <string.h>

static const double USUAL = 300.0; /* times d(P), beside the steps */
static const double SHARE = 2e-3;  /* of P, beside which */
static const double LEAST = 50.0;  /* times d(P) are enough */

/* What the states of storages hold when they are as large as their absolute tolerances, beside
   none; 0 where that has no value; `room` (n + 2 n_checks + n_integrals), the quadratures at its
   end 0. */
static double least_energy(const ha_dae *dae, double atol, double *work, const double *y,
                           const double *yp, double *room)
{
    const bg_model *m = dae->model;
    const size_t n = (size_t) dae->n, n_checks = (size_t) dae->n_checks;
    double *book[2] = { room + n, room + n + n_checks }, *integrals = room + n + 2 * n_checks;

    memcpy(room, y, n * sizeof *y);
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < n; i++) {
            double tolerance = atol * dae->unknowns[i].scale / m->unknowns[i].tightness;
            room[i] = !m->unknowns[i].is_stored ? y[i] : k == 0 ? 0.0 : tolerance;
        }
        dae->check(m, work, 0.0, room, yp, integrals, book[k]);
        book[k] += dae->n_checks - BG__BOOK_COUNT;
    }
    double least = fabs(book[1][BG__BOOK_KINETIC] - book[0][BG__BOOK_KINETIC]) +
                   fabs(book[1][BG__BOOK_GAIN] - book[0][BG__BOOK_GAIN]);
    return isfinite(least) ? least : 0.0;
}

/* d(E) */
static double worth(double energy, double rtol, double least)
{
    return 2.0 * rtol * energy + 2.0 * sqrt(energy * least) + least;
}

/* What the book may be off by. */
static double find_most(const bg_run_report *report, double rtol, double least)
{
    double passed = report->energy_passed, held = passed - report->solver.passed;
    double of_steps = (double) report->solver.steps * worth(held, rtol, least);
    double of_passed = worth(passed, rtol, least);

    return fmin(of_steps + USUAL * of_passed, SHARE * passed + LEAST * of_passed);
}

static void warn(ha_ctx *ctx, const bg_run_report *report, double most)
{
    const ha_dae_stats *s = &report->solver;
    char off[HA__NUMBER_SIZE], passed[HA__NUMBER_SIZE], explained[HA__NUMBER_SIZE];
    char lost[HA__NUMBER_SIZE], from[HA__NUMBER_SIZE], to[HA__NUMBER_SIZE];
    bool is_in_pass = s->is_lost_in_pass != 0;

    ha_warn(ctx, HA_NOWHERE,
            "the energy book does not close: it is off by %s J where %s J passed through it, and "
            "the tolerances explain no more than %s J; the most at once, %s J, went between t = %s "
            "s and %s s%s; tighten rtol and atol, and where that changes little %s",
            ha__print_rounded_number(off, report->energy_error, 3),
            ha__print_rounded_number(passed, report->energy_passed, 3),
            ha__print_rounded_number(explained, most, 2),
            ha__print_rounded_number(lost, s->lost, 3),
            ha__print_rounded_number(from, s->t_lost[0], 6),
            ha__print_rounded_number(to, s->t_lost[1], 6),
            is_in_pass ? ", where a singular position was passed: reactions are not determined in "
                         "one, nor is friction that hangs on them"
                       : "",
            is_in_pass ? "give what is rigid there compliance, or friction another law or a load "
                         "of its own"
                       : "look there for a constraint that is violated: nobody supplies the work "
                         "that takes its error back");
}

/* A nan, as of an infinite power that came to its end, is not more than anything. */
static void warn_of_none(ha_ctx *ctx, const bg_run_report *report)
{
    const ha_dae_stats *s = &report->solver;
    char off[HA__NUMBER_SIZE], passed[HA__NUMBER_SIZE], from[HA__NUMBER_SIZE], to[HA__NUMBER_SIZE];

    ha_warn(ctx, HA_NOWHERE,
            "the energy book cannot be kept: it is off by %s J where %s J passed through it, since "
            "a power or an energy between t = %s s and %s s is no finite number; look there for a "
            "source or a law that divides by 0 or grows beyond all bounds: what comes after "
            "cannot be relied on",
            ha__print_rounded_number(off, report->energy_error, 3),
            ha__print_rounded_number(passed, report->energy_passed, 3),
            ha__print_rounded_number(from, s->t_lost[0], 6),
            ha__print_rounded_number(to, s->t_lost[1], 6));
}

ha_status bg__warn_of_open_book(ha_ctx *ctx, const ha_dae *dae, double rtol,
                                const bg_run_report *report, double *work, const double *y,
                                const double *yp)
{
    double *room = NULL;

    if (!isfinite(report->energy_error) || !isfinite(report->energy_passed)) {
        warn_of_none(ctx, report);
        return HA_OK;
    }
    HA_TRY_ALLOC(ctx, room,
                 (size_t) dae->n + 2 * (size_t) dae->n_checks + (size_t) dae->n_integrals);
    double least = least_energy(dae, report->atol, work, y, yp, room);
    double most = find_most(report, rtol, least);
    if (report->energy_error > most) {
        warn(ctx, report, most);
    }
    ha__free(room);
    return HA_OK;
}
