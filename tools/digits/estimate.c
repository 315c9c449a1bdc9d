/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The digits of a run, estimated.
 *
 * With Phi(T, t) what the motion makes at the end of a disturbance at t, and d_k the local errors
 * of the steps, the end values y are off by
 *
 *     e(tol) = sum over the steps of Phi(T, t_k) d_k.
 *
 * A method tells the d_k, each of them about as large as the tolerance, but nothing of Phi, which
 * is 1 in a damped motion, grows with T where a period hangs on the energy, and as exp(lambda T) in
 * a chaotic one. No book tells it either: energy is kept whatever the phase is. To carry a
 * disturbance along costs as much as a second run, and has to be told of each event; so it is a
 * second run, whose disturbances are the local errors of a tolerance ten times as large, without
 * rows. Both have the same Phi, and
 *
 *     D = |y(10 tol) - y(tol)| = |e(10 tol) - e(tol)|,   which is about 9 |e(tol)|,
 *
 * since steps get longer with the tolerance such that d_k grows with it. D itself is taken for the
 * error. That is a digit too careful as a rule, and needs no more than that the looser run is at
 * least twice as wrong as the run: |e(tol)| <= |e(10 tol)| / 2 makes |e(tol)| <= D. Where a motion
 * has no digit, D is as large as the motion. Two errors may pass each other, so that D is small by
 * chance; in a smooth run the largest D of its last quarter counts, an event in which would make D
 * large between two times of it. With events five times the D of the end counts: of 6000 random
 * mechanisms six had up to 0.7 digits less than D told, all of them with contacts. Where the looser
 * run needs as many steps as the run, it is not the tolerance that decides on these (drift does, or
 * a limit), and both err alike: then, and where the tolerance is so loose that errors do not go
 * with it, the second run is one with a tenth of the tolerance and half the steps, and D is about
 * |e(tol)|.
 *
 * Friction that holds gives way a little, and a current that a switch cuts flows on a little, the
 * more so the smaller alpha is, which is a number of the method and the same at any tolerance. So
 * the second run has twice as large an alpha, where a law reads it. Such an error goes with
 * 1 / alpha, of which D sees half; it comes with events, for which five times D counts.
 *
 * The digits are -log10(D / |y|) of the output that has the fewest, less 0.5; |y| is the largest
 * magnitude of the output over the run, or a thousandth of what is usual for its kind where that is
 * more: what is nothing but round-off beside its kind has no digits to speak of. Usual is the
 * largest magnitude of the kind, which is the unit, and without one what shares junctions
 * (kinds.h); of a speed also that of a position divided by the end time, of an acceleration that of
 * a speed, and of an angle 1 rad. Left out are energy.error, reactions that others could replace,
 * and points that a joint holds. Digits that the energy book or the constraints contradict are not
 * told: with E the largest energy of the run and L its largest length, no more than -log10(|error
 * of the book| / E) and -log10(|error of the constraints| / L).
 *
 * Extremes have digits of their own, which are found alike: by D of the largest and the least
 * value. Friction that hangs on a speed far below the tolerance of speeds, say, or a force of a
 * contact between two steps, is no better known than that, whatever the end is like.
 *
 * What it cannot know: what both runs miss alike, and what a model leaves out. Of a start that is
 * wrong it knows nothing.
 */
#include <config.h>

#include "tools/digits/estimate.h"
#include "tools/shared/agreement.h"

#include "lib/core/mem.h"
#include "tools/shared/cli.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double LOOSER = 10.0;  /* times the tolerance */
static const double LOOSEST = 2e-4; /* rtol of a looser run: beyond, errors do not go with it */
static const double TIGHTEST = 1e-14;
static const double STEPS = 2.0;         /* times those of the run: no more are taken for it, */
static const double MORE_STEPS = 1000.0; /* but for these, which cost little where */
static const double MORE_WORK = 1e5;     /* steps times unknowns are no more than this */
static const double FIRMER = 2.0;        /* times alpha, where friction holds by it */
static const double LONGER = 1.5;        /* the longest step allowed: it may be what decides */
static const double FEWER = 0.9;         /* of the steps: a looser run that takes more is as good */
static const double MARGIN = 0.5;
static const double JUMPS = 5.0;       /* times D: errors at the end that pass each other unseen */
static const double DRIFT = 10.0;      /* times rtol, of a point that a joint holds */
static const double SMALL = 1e-3;      /* of what is usual for a kind */
static const double MOST = 15.0;       /* digits: the rest is round-off */
static const double UNSURE = 2.0;      /* digits: fewer are told in the first line, */
static const double UNSURE_PEAK = 1.0; /* of extremes these, which count the worst moment */
static const double NONE = 0.05;       /* digits that are printed as none */
static const double SAME = 1e-9; /* of the end time: rows nearer to each other are of one time */

enum { PIECES = 16, LAST_PIECES = 4 /* of them are compared where nothing jumps */ };

estimate estimate_none(const char *reason)
{
    return (estimate){ .digits = (double) NAN, .peak_digits = (double) NAN, .reason = reason };
}

void estimate_make_firmer(bg_run_options *options, const bg_run_report *than)
{
    if (than->reads_alpha) {
        options->alpha = FIRMER * than->alpha;
        options->beta = FIRMER * than->beta;
    }
}

/* The options of a second run with the tolerance times a factor, whose extremes go to `peaks`. Its
   rows are every k-th of the run. */
static bg_run_options change(const cli_run *run, double factor, size_t k, ha_peak *peaks)
{
    bg_run_options options = run->model.options;
    ha_dae_options *s = &options.solver;
    double n_steps = (double) run->report.solver.steps, step = s->t_end / fmax(n_steps, 1.0);
    bool is_tighter = factor < 1.0;

    s->rtol = fmax(s->rtol * factor, TIGHTEST);
    s->atol *= factor;
    s->max_step = is_tighter ? 0.5 * step : LONGER * s->max_step;
    double more = fmin(MORE_STEPS, MORE_WORK / bg_model_n_unknowns(run->model.compiled));
    s->max_steps = (long) (STEPS * fmax(1.0, 0.5 / factor) * n_steps + more);
    s->step = (double) k * (s->step > 0.0 ? s->step : s->t_end / HA_DAE_ROWS);
    s->events = HA_EVENT_ROWS_NONE;
    s->peaks = peaks;
    options.last = NULL;
    estimate_make_firmer(&options, &run->report);
    return options;
}

/* The column of the velocity of a point whose acceleration a column has, else the column. */
static size_t velocity_of(const cli_run *run, size_t c)
{
    const char *name = ha_result_name(run->result, c), *last = strrchr(name, '.');
    char other[256];

    if (last == NULL || (strcmp(last, ".ax") != 0 && strcmp(last, ".ay") != 0) ||
        strlen(name) >= sizeof other) {
        return c;
    }
    snprintf(other, sizeof other, "%s", name);
    other[last - name + 1] = 'v';
    int found = ha_result_find(run->result, other);
    return found > 0 ? (size_t) found : c;
}

/* True of an output of a point that a joint holds but for drift, as the constraints tell it or the
   tolerance allows between steps. Its acceleration is what stabilisation makes of the drift. */
static bool is_held(const cli_run *run, size_t column)
{
    size_t c = velocity_of(run, column);
    const char *unit = ha_result_unit(run->result, c);
    double drift = strcmp(unit, "m") == 0     ? run->report.constraint_error
                   : strcmp(unit, "m/s") == 0 ? run->report.velocity_error
                                              : 0.0;

    drift = fmax(2.0 * drift, DRIFT * run->model.options.solver.rtol * agreement_usual(run, c));
    return agreement_is_held(run, c, drift);
}

/* True when an output says nothing of the digits. */
static bool is_left_out(const cli_run *run, size_t c)
{
    const char *name = ha_result_name(run->result, c);

    return strcmp(name, "energy.error") == 0 || agreement_is_open(&run->model, name) ||
           agreement_is_round_off(run, c) || is_held(run, c);
}

/* Lets the estimate be no more than an error beside a size leaves: none, where it is no number. */
static void bound(estimate *e, double error, double size, const char *worst, const char *reason)
{
    double digits = error == 0.0 ? MOST : -log10(error / size) - MARGIN;

    digits = isnan(digits) ? 0.0 : fmin(MOST, fmax(0.0, digits));
    if (digits < e->digits) {
        e->digits = digits;
        e->worst = worst;
        e->reason = reason;
    }
}

/* The same of the extremes. */
static void bound_peak(estimate *e, double error, double size, const char *worst)
{
    estimate of_peak = { .digits = e->peak_digits, .worst = e->peak_worst };

    bound(&of_peak, error, size, worst, NULL);
    e->peak_digits = of_peak.digits;
    e->peak_worst = of_peak.worst;
}

/* The larger of two; not a number where one of them is not. */
static double larger(double a, double b)
{
    return a >= b || isnan(a) ? a : b;
}

/* The largest difference of an output at the end and, in a smooth run, before it; row i of the
   other is row i k of the run. */
static double differ(const cli_run *run, const ha_result *other, size_t k, size_t c)
{
    size_t last = ha_result_n_rows(other) - 1;
    double off = fabs(agreement_end(run, c) - ha_result_value(other, last, c));
    bool is_smooth = run->report.solver.events == 0;

    for (size_t i = last; is_smooth && i > 0 && last - i < LAST_PIECES; i--) {
        bool is_there =
            i * k < ha_result_n_rows(run->result) &&
            fabs(ha_result_value(other, i, 0) - ha_result_value(run->result, i * k, 0)) <=
                SAME * run->model.options.solver.t_end;
        if (is_there) {
            off = larger(
                off, fabs(ha_result_value(run->result, i * k, c) - ha_result_value(other, i, c)));
        }
    }
    return is_smooth ? off : JUMPS * off;
}

/* What another tolerance changes in the outputs, those of bonds, which pages add, left out. */
static void compare(const cli_run *run, const ha_result *other, size_t k, const ha_peak *peaks,
                    estimate *e)
{
    const size_t n = ha_result_n_columns(run->result) - (size_t) run->model.n_of_bonds;

    for (size_t c = 1; c < n; c++) {
        double size = fmax(agreement_magnitude(run, c), SMALL * agreement_usual(run, c));
        if (!is_left_out(run, c)) {
            bound(e, differ(run, other, k, c), size, ha_result_name(run->result, c),
                  "by a run with another tolerance");
            const ha_peak *a = &run->peaks[c - 1], *b = &peaks[c - 1];
            if (!isnan(a->max)) { /* they were looked for */
                bound_peak(e, larger(fabs(a->max - b->max), fabs(a->min - b->min)), size,
                           ha_result_name(run->result, c));
            }
        }
    }
}

/* What the book and the constraints contradict. */
static void check(const cli_run *run, estimate *e)
{
    double energy = fmax(agreement_largest_of(run, "J"), run->report.energy_passed);
    double length = agreement_largest_of(run, "m");

    if (energy > 0.0) {
        bound(e, fabs(run->report.solver.off_at_end), energy, NULL, "by the energy book");
    }
    if (length > 0.0) {
        bound(e, run->report.constraint_error, length, NULL, "by the errors of the constraints");
    }
}

/* A second run with the tolerance times a factor; `*n_steps` are those it took. `peaks` is room. */
static ha_status run_again(ha_ctx *ctx, const cli_run *run, double factor, ha_peak *peaks,
                           estimate *e, long *n_steps)
{
    size_t k = 1 + ha_result_n_rows(run->result) / PIECES;
    const bg_run_options options = change(run, factor, k, peaks);
    bg_run_report report = { 0 };
    ha_result *result = ha_result_new(ctx);

    HA_TRY(result == NULL ? HA_ERR_MEMORY : HA_OK);
    ha_status status = bg_model_run(ctx, run->model.compiled, &options, result, &report);
    size_t n = ha_result_n_rows(result);
    *e = (estimate){ .digits = MOST, .peak_digits = MOST };
    *n_steps = report.solver.steps;
    if (status == HA_ERR_INTERRUPTED || status == HA_ERR_MEMORY) {
        *e = estimate_none(ha_status_text(status));
    } else if (n == 0 || ha_result_value(result, n - 1, 0) < options.solver.t_end) {
        *e = (estimate){ .reason = "since a run with another tolerance does not get to the end" };
    } else {
        compare(run, result, k, peaks, e);
        check(run, e);
    }
    ha_result_free(result);
    return HA_OK;
}

/* The run with the looser tolerance, or where that tells nothing the tighter one. */
static ha_status run_twice(ha_ctx *ctx, const cli_run *run, ha_peak *peaks, estimate *e)
{
    const long taken = run->report.solver.steps;
    bool is_loose = LOOSER * run->model.options.solver.rtol > LOOSEST;
    long n_steps = taken;

    if (!is_loose) {
        HA_TRY(run_again(ctx, run, LOOSER, peaks, e, &n_steps));
    }
    bool is_told = !is_loose && (isnan(e->digits) || (double) n_steps <= FEWER * (double) taken);
    return is_told || taken == 0 ? HA_OK : run_again(ctx, run, 1.0 / LOOSER, peaks, e, &n_steps);
}

void estimate_digits(const cli_run *run, estimate *out)
{
    ha_ctx *ctx = run->status == HA_OK ? ha_ctx_new() : NULL;
    ha_status status = ctx == NULL ? HA_ERR_MEMORY : HA_OK;

    *out = estimate_none("the run has no end");
    if (ctx != NULL) {
        cli_share_interrupt(ctx);
        ha_peak *peaks = ha__alloc(ctx, ha_result_n_columns(run->result), sizeof *peaks);
        status = peaks == NULL ? HA_ERR_MEMORY : run_twice(ctx, run, peaks, out);
        ha__free(peaks);
        ha_ctx_free(ctx);
    }
    if (run->status == HA_OK && status != HA_OK) {
        *out = estimate_none(ha_status_text(status));
    }
}

/* True where the end values have so few digits that it has to be told. */
static bool is_doubtful(const estimate *e)
{
    return e->digits < UNSURE; /* not known is no doubt */
}

/* "; no digit of b.x, at most 2.1e-13 m, is sure" */
static void print_count(const cli_run *run, double digits, const char *worst)
{
    int c = worst == NULL ? -1 : ha_result_find(run->result, worst);
    bool is_none = digits < NONE;

    if (is_none) {
        printf("; no digit");
    } else {
        printf("; %.1f digits", digits);
    }
    if (c > 0) {
        const char *unit = ha_result_unit(run->result, (size_t) c);
        printf(" of %s, at most %.2g%s%s,", worst, agreement_magnitude(run, (size_t) c),
               unit[0] == '\0' ? "" : " ", unit);
    }
    printf(" %s sure", is_none ? "is" : "are");
}

/* What helps where a tolerance that was chosen leaves too few digits, and what does not where
   tighter ones do. */
static void print_remedy(const estimate *e, const cli_run *run)
{
    bool needs_alpha = run->report.reads_alpha && !e->is_alpha_raised;

    if (e->failed_rtol > 0.0) {
        printf(", and with rtol %g the run does not get there: take --digits 3, or an earlier end",
               e->failed_rtol);
    } else if (e->n_tightened == 0) {
        printf(": take --digits 3, %s",
               needs_alpha ? "a smaller --rtol, or a larger --alpha" : "or a smaller --rtol");
    } else {
        printf(", nor at rtol %g%s: %s", run->model.options.solver.rtol,
               e->is_alpha_raised ? " and with a larger alpha" : "",
               needs_alpha ? "take a larger --alpha, or an earlier end"
                           : "small errors grow that much, or it stays next to 0; take an earlier "
                             "end, or leave it out of the outputs");
    }
}

void estimate_print_doubt(const estimate *e, const cli_run *run)
{
    if (is_doubtful(e) || e->failed_rtol > 0.0) {
        print_count(run, e->digits, e->worst);
        printf(" at the end");
        print_remedy(e, run);
    } else if (e->n_tightened > 0) {
        printf("; at rtol %g%s, as rtol %g left %.1f digits", run->model.options.solver.rtol,
               e->is_alpha_raised ? " and with a larger alpha" : "", e->first_rtol,
               e->first_digits);
    }
    if (!is_doubtful(e) && e->peak_digits < UNSURE_PEAK) {
        print_count(run, e->peak_digits, e->peak_worst);
        printf(" in its extremes: %s",
               run->report.reads_alpha
                   ? "alpha decides on them; a ten times larger --alpha shows whether they settle"
                   : "take a smaller --rtol");
    }
}

void estimate_print(const estimate *e)
{
    printf("  correct digits           ");
    if (isnan(e->digits)) {
        printf("not known: %s\n", e->reason);
    } else if (e->digits >= MOST) {
        printf("all but round-off, at the end\n");
    } else {
        printf("about %.1f at the end, %s%s%s\n", e->digits, e->reason,
               e->worst == NULL ? "" : ", fewest in ", e->worst == NULL ? "" : e->worst);
    }
    if (e->peak_digits < e->digits && e->peak_worst != NULL) {
        printf("  correct digits           about %.1f of the extremes, fewest in %s\n",
               e->peak_digits, e->peak_worst);
    }
}
