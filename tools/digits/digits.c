/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Digits by agreement. Three runs decide: A and B, by two methods, and C, by the method of B at a
 * tenth of its tolerance. An output x agrees to
 *
 *     -log10( max over the pairs (A, C), (B, C) of |dx at the end|, |d max x|, |d min x|  /  |x| )
 *
 * digits, less 0.3, with |x| the largest magnitude of that output over the run, at least 1e-12 of
 * the largest of its kind, which is its unit (kinds.h). Where all of a kind are below 1e-10 of what
 * is usual for it (agreement.h) they are round-off, and agree. C is the result: what A and B are
 * off by is what is seen, and C is off by less. Two methods do not miss the same event, and do not
 * add up the same errors. Where they disagree the tolerances are tightened by ten.
 *
 * The methods are ida for A and explicit8 for B. ida gets a hundredth of the tolerance, since it
 * loses so much more of it over a run. Where explicit8 takes many times the steps of ida, though
 * its order is higher, the equations are stiff; where they are, or it stops, ida alone is left, and
 * then three tolerances have to agree. A tolerance with which ida stops, too, is passed over: with
 * a tighter one it may get through. Round-off grows as steps get shorter, so that runs may agree
 * less with a tighter tolerance: what is kept is what agreed best.
 *
 * Friction that holds gives way by what alpha makes of it, and a current that a switch cuts flows
 * on, whatever the tolerance and the method. So where a law reads alpha, B has twice as large a
 * one, as in estimate.c.
 */
#include <config.h>

#include "tools/digits/digits.h"

#include "lib/core/clock.h"
#include "lib/core/mem.h"
#include "tools/digits/estimate.h"
#include "tools/shared/agreement.h"
#include "tools/shared/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double TIGHTEST = 1e-14; /* rtol; beyond is round-off */
static const double AHEAD = 0.01;     /* of the tolerance of explicit8: ida errs so much more */
static const double TIGHTEST_IDA = 2e-14;
static const double FLOOR = 1e-12; /* of the largest magnitude of a kind */
static const double MARGIN = 0.3;  /* digits: what C may be off by besides */
static const double MOST_DIGITS = 16.0;
static const double STIFF = 5.0; /* times the steps of ida: explicit ones are no good then */
static const long FEWEST = 5000; /* steps that explicit8 may take in any case */

enum { MOST_STOPPED = 3 }; /* tolerances with which runs stop, before that is believed */

/* --- one run -------------------------------------------------------------------------------- */

/* Runs the model by a method with a tolerance, firmer than another run. What is said of a run that
   is not the result is not passed on. */
static ha_status run_once(cli_call *cli, digits *d, ha_driver driver, double rtol, long max_steps,
                          const cli_run *firmer_than, cli_run *out)
{
    cli_call own = *cli;
    double begin = ha__clock();

    *out = cli_run_new(NULL);
    HA_TRY_GET(own.ctx, ha_ctx_new());
    cli_share_interrupt(own.ctx);
    ha_status status = cli_load(&own, &out->model);
    if (status == HA_OK) {
        ha_dae_options *solver = &out->model.options.solver;
        solver->driver = (long) driver;
        solver->rtol = rtol;
        solver->atol = 0.0; /* follows rtol */
        solver->max_steps = max_steps < solver->max_steps ? max_steps : solver->max_steps;
        solver->events = HA_EVENT_ROWS_NONE;
        if (firmer_than != NULL) {
            estimate_make_firmer(&out->model.options, &firmer_than->report);
        }
        status = m2d__kit_prepare(&out->model);
    }
    if (cli_has(cli, CLI_COMPILE)) {
        HA_THEN(status, cli_translate(own.ctx, &out->model, &out->is_compiled));
    }
    HA_THEN(status, cli_run_solve(&own, out, begin));
    out->status = status == HA_OK ? out->status : status;
    out->ctx = own.ctx;
    if (d->n_runs < DIGITS_MOST_RUNS) {
        d->runs[d->n_runs++] = (digits_run){ (long) driver, rtol, out->status };
    }
    return out->status == HA_ERR_INTERRUPTED ? HA_ERR_INTERRUPTED : HA_OK;
}

/* The runs of one tolerance: by ida, by explicit8 where that can, and the closer one. */
typedef struct {
    cli_run first, second, result;
} trio;

/* --- agreement ------------------------------------------------------------------------------ */

static double difference(const cli_run *a, const cli_run *b, size_t c)
{
    const ha_peak *p = &a->peaks[c - 1], *q = &b->peaks[c - 1];

    return fmax(fabs(agreement_end(a, c) - agreement_end(b, c)),
                fmax(fabs(p->max - q->max), fabs(p->min - q->min)));
}

static bool is_unknown(const cli_run *run, size_t c)
{
    return isnan(agreement_end(run, c)) || isnan(agreement_magnitude(run, c));
}

/* Below this an output is round-off: beside others of its kind, or with all of them. */
static double least_magnitude(const cli_run *run, size_t column)
{
    double largest = agreement_largest(run, column);

    return agreement_is_round_off(run, column) ? largest : FLOOR * largest;
}

/* Digits to which an output agrees; NAN where it does not count. */
static double agree(const cli_run *a, const cli_run *b, const cli_run *c, size_t column)
{
    const char *name = ha_result_name(c->result, column);
    const double least = least_magnitude(c, column), size = agreement_magnitude(c, column);

    if (strcmp(name, "energy.error") == 0 || agreement_is_open(&c->model, name) ||
        agreement_is_held(c, column, 0.0)) {
        return (double) NAN;
    }
    if (is_unknown(a, column) || is_unknown(b, column) || is_unknown(c, column)) {
        return 0.0;
    }
    double off = fmax(difference(a, c, column), difference(b, c, column));
    if (off == 0.0 || size <= least) {
        return MOST_DIGITS;
    }
    return fmax(0.0, fmin(MOST_DIGITS, -log10(off / fmax(size, least)) - MARGIN));
}

/* Compares the runs; where they agree better than any before, the closer one becomes `*out`. */
static ha_status compare(cli_call *cli, digits *d, trio *t, cli_run *out)
{
    const size_t n = ha_result_n_columns(t->result.result);
    digits found = { .reached = MOST_DIGITS, .worst = -1 };

    HA_TRY_ALLOC(cli->ctx, found.agreed, n);
    for (size_t i = 1; i < n; i++) {
        double n_digits = agree(&t->first, &t->second, &t->result, i);
        found.agreed[i - 1] = n_digits;
        found.n_left_out += isnan(n_digits) ? 1 : 0;
        if (n_digits < found.reached || (found.worst < 0 && !isnan(n_digits))) {
            found.reached = fmin(n_digits, found.reached);
            found.worst = (int) i;
        }
    }
    if (d->agreed != NULL && found.reached <= d->reached) {
        ha__free(found.agreed);
        return HA_OK;
    }
    ha__free(d->agreed);
    d->agreed = found.agreed;
    d->reached = found.reached;
    d->worst = found.worst;
    d->n_left_out = found.n_left_out;
    cli_run_clear(out);
    *out = t->result;
    t->result = cli_run_new(NULL);
    return HA_OK;
}

/* --- the search ----------------------------------------------------------------------------- */

/* The error that stopped a run which has a context of its own; NULL: none did. */
static const ha_diag *fault_of(const cli_run *run)
{
    for (size_t i = 0; run->ctx != NULL && i < ha_ctx_n_diags(run->ctx); i++) {
        if (ha_ctx_diag(run->ctx, i)->severity == HA_ERROR) {
            return ha_ctx_diag(run->ctx, i);
        }
    }
    return NULL;
}

/* `fault` is why the last run stopped, "" where it did not; `kept` has the most digits. */
static ha_status fail(cli_call *cli, const digits *d, const cli_run *kept, const char *fault)
{
    if (d->worst < 0) {
        return ha_fail(cli->ctx, kept->status == HA_OK ? HA_ERR_SOLVER : kept->status, HA_NOWHERE,
                       "%d digits cannot be had, since no runs could be compared: %s", d->asked,
                       fault[0] != '\0' ? fault : "no output counts");
    }
    const char *cause = fault[0] != '\0' ? "with tighter tolerances a run stops: "
                        : kept->report.reads_alpha
                            ? "alpha decides by how much friction that holds gives way and how "
                              "soon a switch has cut a current, or the motion makes what "
                              "tolerances leave so much larger; take a larger --alpha"
                            : "the motion makes what tolerances next to round-off leave so much "
                              "larger";
    return ha_fail(cli->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                   "%d digits cannot be had: the runs agree to %d, held back by `%s`; %s%s; ask "
                   "for fewer digits, for an earlier end time, or for outputs without it",
                   d->asked, (int) d->reached, ha_result_name(kept->result, (size_t) d->worst),
                   cause, fault);
}

static void clear(trio *t)
{
    cli_run_clear(&t->first);
    cli_run_clear(&t->second);
    cli_run_clear(&t->result);
}

static ha_status run_trio(cli_call *cli, digits *d, double rtol, trio *t)
{
    const long any = 1000000000;

    const double closer = d->is_one_method ? rtol : fmax(AHEAD * rtol, TIGHTEST_IDA);
    HA_TRY(run_once(cli, d, HA_DRIVER_IDA, closer, any, NULL, &t->first));
    if (!d->is_one_method) {
        double most = fmax((double) FEWEST, STIFF * (double) t->first.report.solver.steps);
        HA_TRY(run_once(cli, d, HA_DRIVER_EXPLICIT8, rtol, (long) most, &t->first, &t->second));
        if (t->second.status == HA_OK) {
            HA_TRY(
                run_once(cli, d, HA_DRIVER_EXPLICIT8, 0.1 * rtol, (long) most, NULL, &t->result));
        }
        if (t->second.status == HA_OK && t->result.status == HA_OK) {
            return HA_OK;
        }
        cli_run_clear(&t->second);
        cli_run_clear(&t->result);
        d->is_one_method = true;
    }
    HA_TRY(run_once(cli, d, HA_DRIVER_IDA, 0.3 * rtol, any, &t->first, &t->second));
    return run_once(cli, d, HA_DRIVER_IDA, 0.03 * rtol, any, NULL, &t->result);
}

/* The first run of three that began and stopped; NULL: all that began are done. */
static const cli_run *stopped_of(const trio *t)
{
    const cli_run *runs[] = { &t->first, &t->second, &t->result };

    for (size_t i = 0; i < HA_COUNT(runs); i++) {
        if (runs[i]->ctx != NULL && runs[i]->status != HA_OK) {
            return runs[i];
        }
    }
    return NULL;
}

/* How far a run got; -1 where it has no row. */
static double reach(const cli_run *run)
{
    size_t n = run->result != NULL ? ha_result_n_rows(run->result) : 0;

    return n > 0 ? ha_result_value(run->result, n - 1, 0) : -1.0;
}

/* The run of three that got furthest, and of those the closest. */
static cli_run *furthest_of(trio *t)
{
    cli_run *best = &t->first;

    best = reach(&t->second) >= reach(best) && t->second.ctx != NULL ? &t->second : best;
    return reach(&t->result) >= reach(best) && t->result.ctx != NULL ? &t->result : best;
}

ha_status digits_solve(cli_call *cli, long asked, digits *d, cli_run *out)
{
    ha_status status = HA_OK;
    bool is_enough = false;
    int n_stopped = 0;
    char fault[400] = "";

    *d = (digits){ .asked = (int) asked, .worst = -1 };
    for (double rtol = pow(10.0, -(double) (asked + 1));
         rtol >= 3.0 * TIGHTEST && status == HA_OK && !is_enough; rtol *= 0.1) {
        trio t = { .first = cli_run_new(NULL),
                   .second = cli_run_new(NULL),
                   .result = cli_run_new(NULL) };
        status = run_trio(cli, d, rtol, &t);
        const cli_run *stopped = stopped_of(&t);
        bool is_done = status == HA_OK && stopped == NULL;
        const ha_diag *why = stopped != NULL ? fault_of(stopped) : NULL;
        snprintf(fault, sizeof fault, "%s", why != NULL ? why->text : "");
        if (is_done) {
            status = compare(cli, d, &t, out);
            is_enough = status == HA_OK && d->reached >= (double) asked;
        } else if (out->ctx == NULL) {
            cli_run *furthest = furthest_of(&t);
            *out = *furthest;
            *furthest = cli_run_new(NULL);
        }
        clear(&t);
        n_stopped += is_done ? 0 : 1;
        if (n_stopped == MOST_STOPPED) {
            break;
        }
    }
    if (status != HA_OK || is_enough) {
        return status;
    }
    return fail(cli, d, out, fault);
}

/* --- what is said --------------------------------------------------------------------------- */

json_t *digits_object(const digits *d, const cli_run *run, cli_json *json)
{
    json_t *object = json_object();

    for (size_t c = 1; d->agreed != NULL && c < ha_result_n_columns(run->result); c++) {
        if (!isnan(d->agreed[c - 1])) {
            json->has_failed |= json_object_set_new(object, ha_result_name(run->result, c),
                                                    cli_json_real(d->agreed[c - 1])) != 0;
        }
    }
    return object;
}

json_t *digits_left_out(const digits *d, const cli_run *run, cli_json *json)
{
    json_t *names = json_array();

    for (size_t c = 1; d->agreed != NULL && c < ha_result_n_columns(run->result); c++) {
        if (isnan(d->agreed[c - 1])) {
            json->has_failed |=
                !cli_json_append(names, json_string(ha_result_name(run->result, c)));
        }
    }
    return names;
}

json_t *digits_runs(const digits *d, cli_json *json)
{
    json_t *runs = json_array();

    for (int i = 0; i < d->n_runs; i++) {
        const digits_run *run = &d->runs[i];
        json_t *one =
            json_pack("{s:s, s:f, s:s}", "driver", ha_driver_name((ha_driver) run->driver), "rtol",
                      run->rtol, "status", cli_status_word(run->status));
        json->has_failed |= !cli_json_append(runs, one);
    }
    return runs;
}

void digits_print(const digits *d, const cli_run *run)
{
    if (d->n_runs == 0) {
        estimate_print(&d->estimate);
        return;
    }
    if (d->n_runs > 0 && d->worst >= 0) {
        printf("  digits                   %d of %d asked in all outputs, fewest in %s, by %d "
               "runs%s\n",
               (int) d->reached, d->asked, ha_result_name(run->result, (size_t) d->worst),
               d->n_runs, d->is_one_method ? " of ida alone" : " of ida and explicit8");
    }
    for (size_t c = 1; d->agreed != NULL && c < ha_result_n_columns(run->result); c++) {
        const char *name = ha_result_name(run->result, c);
        if (agreement_is_open(&run->model, name)) {
            printf("  left out                 %s, which is not the only reaction possible\n",
                   name);
        }
    }
}

void digits_clear(digits *d)
{
    ha__free(d->agreed);
    *d = (digits){ 0 };
}
