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
 * do not explain everything, or by more than M / 100 + F, which no tolerances excuse. Rows count as
 * steps do.
 *
 * A result whose book is off by a twentieth of what moved is wrong, and the run has failed. What
 * moved are the joules that there were, and those that came and went; how often they went to and
 * fro between storages does not matter:
 *
 *     20 (|off| - F) > M,   M = H + integral of the sum of |power|,
 *     F = 50 K + 20 sqrt(M K) + 10^-12 (|E_0| + L) + V_r,
 *
 * where what is below the tolerances of the speeds, K = sum of m atol^2 / 2, or of round-off in
 * what is stored all the time, is no motion, and a motion hardly above it is not known well, nor is
 * V_r, what V changes by where positions are off by 10^-12 of their sizes: a body at rest in its
 * joints has weight. The potential energy is not in K: stiff springs hold much at strokes as small
 * as their tolerances, which is not nothing. Where a constraint holds all there is, nothing moves
 * but by round-off of what holds it: L is what that would store within the time 1/alpha in which
 * errors of constraints die out, if nothing worked against it.
 */
#include <config.h>

#include "bondgraph/model/run_priv.h"
#include "lib/core/number.h"
#include "lib/core/strbuf.h"

#include <math.h>
#include <string.h>

static const double USUAL = 300.0; /* times d(P), beside the steps */
static const double SHARE = 2e-3;  /* of P, beside which */
static const double LEAST = 50.0;  /* times d(P) are enough */
static const double SAID = 1e-2;   /* of M, beside the floor F */
static const double WRONG = 0.05;  /* of M, likewise */
static const double SLOW = 20.0;   /* times sqrt(M K) */
static const double KEPT = 1e-9;   /* the most of constraint errors, in SI units, that do nothing */
static const double ROUND = 1e-12; /* of what is stored all the time, or is held */

/* What the states of storages hold when they are as large as their absolute tolerances, beside
   none: all of it, and the smaller of its two parts; and what the potential energy changes by where
   positions do by round-off. 0 where that has no value. */
typedef struct {
    double all, part, round_off;
} least_energy;

static double or_zero(double x)
{
    return isfinite(x) ? x : 0.0;
}

/* An unknown with storages empty, with these at their tolerances, and empty with positions that are
   wrong by round-off. */
static double least_value(const bg_model *m, int k, size_t i, double atol, const double *y)
{
    const ha_dae_unknown *u = &m->unknowns[i];

    if (u->is_stored != 0) {
        return k == 1 ? atol * u->scale / u->tightness : 0.0;
    }
    return y[i] + (k == 2 && u->motion == HA_POSITION ? ROUND * u->size : 0.0);
}

/* `room` (n + 3 n_checks + n_integrals), the quadratures at its end 0. */
static least_energy find_least(const ha_dae *dae, double atol, double *work, const double *y,
                               const double *yp, double *room)
{
    const bg_model *m = dae->model;
    const size_t n = (size_t) dae->n, n_checks = (size_t) dae->n_checks;
    double *book[3], *integrals = room + n + 3 * n_checks;

    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < n; i++) {
            room[i] = least_value(m, k, i, atol, y);
        }
        book[k] = room + n + (size_t) k * n_checks;
        dae->check(m, work, 0.0, room, yp, integrals, book[k]);
        book[k] += dae->n_checks - BG__BOOK_COUNT;
    }
    double kinetic = or_zero(fabs(book[1][BG__BOOK_KINETIC] - book[0][BG__BOOK_KINETIC]));
    double gain = or_zero(fabs(book[1][BG__BOOK_GAIN] - book[0][BG__BOOK_GAIN]));
    double part = kinetic > 0.0 && gain > 0.0 ? fmin(kinetic, gain) : kinetic + gain;
    double round_off = or_zero(fabs(book[2][BG__BOOK_GAIN] - book[0][BG__BOOK_GAIN]));
    return (least_energy){ kinetic + gain, part, round_off };
}

/* What the algebraic unknowns, which are efforts and flows that hold, would make the storages hold
   in a time, from 0, if nothing worked against them. Row i of the equations has the derivative of
   unknown i. `room` (5 n) */
static double find_held(const ha_dae *dae, double time, double *work, const double *y, double *room)
{
    const bg_model *m = dae->model;
    const int n = dae->n;
    double *free = room, *rates = room + n, *with = rates + n, *without = with + n;

    memset(rates, 0, (size_t) n * sizeof *rates);
    dae->residual(m, work, 0.0, y, rates, with);
    for (int i = 0; i < n; i++) {
        free[i] = m->unknowns[i].kind == HA_DIFFERENTIAL ? y[i] : 0.0;
    }
    dae->residual(m, work, 0.0, free, rates, without);
    for (int i = 0; i < n; i++) {
        with[i] -= without[i];
        rates[i] = m->unknowns[i].is_stored != 0 ? 1.0 : 0.0;
    }
    double *mass = without; /* of each row, as long as no row has the derivative of another */
    dae->residual(m, work, 0.0, free, rates, room + 4 * n);
    for (int i = 0; i < n; i++) {
        mass[i] = room[4 * n + i] - without[i];
        free[i] = m->unknowns[i].is_stored != 0 ? 0.0 : free[i];
    }
    double none = bg__model_stored(m, work, free, rates);
    for (int i = 0; i < n; i++) {
        free[i] =
            m->unknowns[i].is_stored != 0 && mass[i] != 0.0 ? time * with[i] / mass[i] : free[i];
    }
    return or_zero(fabs(bg__model_stored(m, work, free, rates) - none));
}

/* d(E) */
static double worth(double energy, double rtol, double least)
{
    return 2.0 * rtol * energy + 2.0 * sqrt(energy * least) + least;
}

/* What the book may be off by, when `moved` is M, below `floor` nothing moves and `round_off` is no
   news. */
static double find_most(const bg_run_report *report, double rtol, double least, double moved,
                        double floor, double round_off)
{
    double passed = report->energy_passed, held = passed - report->solver.passed;
    double of_steps = (double) report->solver.steps * worth(held, rtol, least);
    double of_passed = worth(passed, rtol, least);
    double most = fmin(of_steps + USUAL * of_passed, SHARE * passed + LEAST * of_passed);

    return fmax(fmin(most, SAID * moved + floor), round_off);
}

/* --- what is said ---------------------------------------------------------------------------- */

/* Why a book may be open: where that is, and what helps. */
typedef struct {
    const char *where, *advice;
} cause;

/* Explicit steps conserve energy as well as they are exact; implicit ones take the energy of what
   is faster than they are. */
static cause find_cause(const bg_run_report *report)
{
    static const cause
        pass = { ", where a singular position was passed: reactions are not determined in one, nor "
                 "is friction that hangs on them",
                 "tighten rtol and atol, and where that changes little give what is rigid there "
                 "compliance, or friction another law or a load of its own" },
        constraint = { "", "tighten rtol and atol, and where that changes little look there for a "
                           "constraint that is violated: nobody supplies the work that takes its "
                           "error back" },
        damped = { "; it vanished, since implicit steps take the energy of vibrations that are "
                   "faster than they are",
                   "where these matter take the driver explicit8, or a max-step of a twentieth of "
                   "their period, and where they do not give them a damper that takes it" },
        coarse = { "", "tighten rtol and atol, or give a max-step" };
    const ha_dae_stats *s = &report->solver;
    double error = fmax(report->constraint_error, report->velocity_error);
    bool is_gone = s->off_at_end < -0.5 * report->energy_error;

    return s->is_lost_in_pass != 0                 ? pass
           : error > KEPT                          ? constraint
           : is_gone && s->driver == HA_DRIVER_IDA ? damped
                                                   : coarse;
}

/* Says that the book is open: that the run has failed of it, or a warning. */
static ha_status tell(ha_ctx *ctx, const bg_run_report *report, double most, bool is_failure)
{
    const ha_dae_stats *s = &report->solver;
    const cause why = find_cause(report);
    char off[HA__NUMBER_SIZE], passed[HA__NUMBER_SIZE], explained[HA__NUMBER_SIZE];
    char lost[HA__NUMBER_SIZE], from[HA__NUMBER_SIZE], to[HA__NUMBER_SIZE], when[HA__NUMBER_SIZE];
    ha__strbuf text = HA_STRBUF(ctx);

    ha__strbuf_addf(&text, "%s: it is off by %s J, at t = %s s, where %s J passed through it, ",
                    is_failure ? "the result is wrong, since the energy book does not close"
                               : "the energy book does not close",
                    ha__print_rounded_number(off, report->energy_error, 3),
                    ha__print_rounded_number(when, s->t_worst, 6),
                    ha__print_rounded_number(passed, report->energy_passed, 3));
    ha__strbuf_addf(&text,
                    "and the tolerances explain no more than %s J; the most at once, %s J, went "
                    "between t = %s s and %s s%s; %s",
                    ha__print_rounded_number(explained, most, 2),
                    ha__print_rounded_number(lost, s->lost, 3),
                    ha__print_rounded_number(from, s->t_lost[0], 6),
                    ha__print_rounded_number(to, s->t_lost[1], 6), why.where, why.advice);
    ha_status status = text.status;
    if (status == HA_OK && is_failure) {
        status = ha_fail(ctx, HA_ERR_SOLVER, HA_NOWHERE, "%s", ha__strbuf_text(&text));
    } else if (status == HA_OK) {
        ha_warn(ctx, HA_NOWHERE, "%s", ha__strbuf_text(&text));
    }
    return ha__strbuf_drop(&text, status);
}

/* Inverse dynamics has no errors of steps: velocities jumped. */
static ha_status fail_of_jump(ha_ctx *ctx, const bg_run_report *report)
{
    char off[HA__NUMBER_SIZE], passed[HA__NUMBER_SIZE], when[HA__NUMBER_SIZE];

    return ha_fail(ctx, HA_ERR_SOLVER, HA_NOWHERE,
                   "the mechanism passed a singular position at about t = %s s, where its branch "
                   "is not determined, or the prescribed motion has a kink there; what comes after "
                   "is wrong: the energy book is off by %s J, where %s J passed through it; let "
                   "the motion end or turn back before, prescribe that of another joint, or smooth "
                   "it",
                   ha__print_rounded_number(when, report->solver.t_lost[1], 6),
                   ha__print_rounded_number(off, report->energy_error, 3),
                   ha__print_rounded_number(passed, report->energy_passed, 3));
}

/* A nan, as of an infinite power that came to its end, is not more than anything: nothing can be
   said about such a run. */
static ha_status fail_of_none(ha_ctx *ctx, const bg_run_report *report)
{
    const ha_dae_stats *s = &report->solver;
    char from[HA__NUMBER_SIZE], to[HA__NUMBER_SIZE];

    return ha_fail(ctx, HA_ERR_SOLVER, HA_NOWHERE,
                   "the energy book cannot be kept, and what comes after cannot be relied on: a "
                   "power or an energy between t = %s s and %s s is no finite number; look there "
                   "for a source or a law that divides by 0 or grows beyond all bounds",
                   ha__print_rounded_number(from, s->t_lost[0], 6),
                   ha__print_rounded_number(to, s->t_lost[1], 6));
}

ha_status bg__judge_book(ha_ctx *ctx, const ha_dae *dae, const bg__book_terms *terms,
                         const bg_run_report *report, double *work, const double *y,
                         const double *yp)
{
    const size_t n = (size_t) dae->n;
    double *room = NULL;

    if (!isfinite(report->energy_error) || !isfinite(report->energy_passed)) {
        return fail_of_none(ctx, report);
    }
    HA_TRY_ALLOC(ctx, room, 5 * n + 3 * (size_t) dae->n_checks + (size_t) dae->n_integrals);
    least_energy least = find_least(dae, report->atol, work, y, yp, room);
    double held = find_held(dae, 1.0 / report->alpha, work, y, room);
    ha__free(room);
    double moved = report->energy_passed - report->solver.passed + terms->exchanged;
    double round_off = ROUND * (fabs(terms->stored) + held) + least.round_off;
    double floor = LEAST * least.part + SLOW * sqrt(moved * least.part) + round_off;
    double most = find_most(report, terms->rtol, least.all, moved, floor, ROUND * held);
    if (!(report->energy_error > most)) {
        return HA_OK;
    }
    bool is_failure = report->energy_error - floor > WRONG * moved;
    return is_failure && report->solver.driver == HA_DRIVER_KINEMATIC
               ? fail_of_jump(ctx, report)
               : tell(ctx, report, most, is_failure);
}
