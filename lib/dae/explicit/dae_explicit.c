/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A method for systems that are not stiff: algebraic unknowns eliminated at each evaluation
 * (dae_rates.c), the differential ones integrated by an explicit Runge-Kutta method (runge.c).
 *
 * The step follows the estimated error by a proportional-integral controller (Hairer, Norsett,
 * Wanner: Solving Ordinary Differential Equations II, IV.2): after an accepted step
 *
 *     h_new = 0.9 h err^-(1/k - 3/4 b) err_before^b,   b = 0.04, k the power of h in err
 *
 * (explicit_test.c for one that is not accepted).
 *
 * Where nothing moves the error is zero, and tells nothing of how long a step is stable. The drift
 * from the constraints dies out at rates that are known, at most 2 alpha. Beyond the bound of
 * stability (runge.c) a step would enlarge what round-off has left of it: h times the fastest of
 * these rates stays below the bound.
 *
 * Nothing is evaluated between the stages, so that most steps pass a singular position without
 * seeing it. Where the steps collapse before one it is passed by single steps whose stages are
 * brought back to the constraints (dae_hop.c), and from then on drift is taken back where it is
 * worth it. What was interpolated is exact where the equations switch: algebraic unknowns are
 * solved for there.
 */
#include <config.h>

#include "lib/dae/explicit/explicit_priv.h"

#include "lib/core/mem.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    STIFF = 50, /* steps at the bound of stability tell that a system is stiff, */
    FREE = 6,   /* unless there are so many others in a row between them */
    VAIN = 50   /* steps that are tried in vain more often than others are taken */
};

static const double SAFETY = 0.9;
static const double MEMORY = 0.04; /* b */
static const double MOST_GROWTH = 10.0;
static const double LEAST_GROWTH = 0.2;
static const double NO_VALUE = 0.25; /* share of a step in which a stage has no value */
static const double CALM = 1e-4;     /* errors below this are not remembered */
static const double STABLE = 0.7;    /* share of the bound of stability that drift may take */
static const double HINDERED = 8.0;  /* times as long a step could be but for that */
static const char TOO_SHORT[] = "explicit steps have become too short to advance the time";
static const double AT_STOP = 1e-2; /* a step that ends so near a stop ends there */

/* ---- evaluation ---- */

static bool takes_newton(const ha__explicit *e)
{
    return e->run->dae->start_system == NULL;
}

/* Newton's plain method has not got there, as where a law is flat: the equations are solved as at a
   start, from the guesses that it began with. */
static ha_status solve_again(ha__explicit *e, double t, double *y, double *yp, bool *is_good)
{
    ha__run *run = e->run;
    size_t bytes = (size_t) run->dae->n * sizeof *y;

    memcpy(yp, e->yp_guess, bytes);
    for (int j = 0; j < run->dae->n; j++) {
        y[j] = e->index[j] >= 0 ? y[j] : e->y_guess[j];
    }
    if (e->solver == NULL) {
        HA_TRY(ha__solver_new(&run->sides, run->stats, &e->solver));
    }
    return ha__solver_solve(e->solver, t, y, yp, is_good);
}

/* The derivatives at all unknowns; notes an equation that has no value. */
ha_status ha__explicit_evaluate(ha__explicit *e, double t, double *y, double *yp, bool *is_good)
{
    double value = 0.0;

    if (takes_newton(e)) {
        memcpy(e->y_guess, y, (size_t) e->run->dae->n * sizeof *y);
        memcpy(e->yp_guess, yp, (size_t) e->run->dae->n * sizeof *yp);
    }
    HA_TRY(ha__rates_evaluate(e->rates, t, y, yp, is_good));
    if (!*is_good && takes_newton(e)) {
        HA_TRY(solve_again(e, t, y, yp, is_good));
    }
    int64_t bad = ha__rates_bad(e->rates, &value);
    if (bad < 0) { /* what has no value tells nothing of the constraints */
        ha__pass_note_condition(&e->pass, ha__rates_condition(e->rates));
    } else if (!*is_good) {
        ha__run_note_not_finite(e->run, bad, value, t, y, yp);
    }
    return HA_OK;
}

static ha_status rates(void *user, double t, const double *y, double *f, bool *is_good)
{
    ha__explicit *e = user;

    ha__explicit_spread(e, y, e->y);
    HA_TRY(ha__explicit_evaluate(e, t, e->y, e->yp, is_good));
    ha__explicit_collect(e, e->yp, f);
    return HA_OK;
}

/* The guess of algebraic unknowns at t is the nearest of those known: what is interpolated inside a
   long step may be far off. */
static void guess(ha__explicit *e, double t)
{
    const ha__run *run = e->run;
    const double from_begin = fabs(t - e->t0), from_end = fabs(t - run->stats->t_reached);

    if (takes_newton(e) && fmin(from_begin, from_end) < fabs(t - e->t_settled)) {
        memcpy(e->y, from_begin < from_end ? e->begin : run->y,
               (size_t) run->dae->n * sizeof *e->y);
    }
}

/* Solves for derivatives and algebraic unknowns in a row or at a point of a quadrature; where that
   is not possible what was interpolated stays. */
static ha_status settle(void *user, double t, double *y, double *yp)
{
    ha__explicit *e = user;
    size_t bytes = (size_t) e->run->dae->n * sizeof *y;
    bool is_good = false;

    guess(e, t);
    memcpy(e->yp, yp, bytes);
    for (int i = 0; i < e->n; i++) {
        e->y[e->number[i]] = y[e->number[i]];
    }
    HA_TRY(ha__explicit_evaluate(e, t, e->y, e->yp, &is_good));
    if (is_good) {
        memcpy(y, e->y, bytes);
        memcpy(yp, e->yp, bytes);
        e->t_settled = t;
    }
    return HA_OK;
}

/* ---- set-up ---- */

static int order_of(const ha__run *run)
{
    return run->stats->driver == HA_DRIVER_EXPLICIT8 ? 8 : 5;
}

static ha_status allocate(ha__explicit *e)
{
    ha__run *run = e->run;
    ha_ctx *ctx = run->ctx;
    int n = run->dae->n;

    HA_TRY_ALLOC_EACH(ctx, n, e->number, e->index);
    for (int j = 0; j < n; j++) {
        e->index[j] = run->dae->unknowns[j].kind == HA_DIFFERENTIAL ? e->n : -1;
        if (run->dae->unknowns[j].kind == HA_DIFFERENTIAL) {
            e->n_leading += e->n == j ? 1 : 0;
            e->number[e->n++] = j;
        }
    }
    HA_TRY_ALLOC_EACH(ctx, n, e->y, e->yp, e->y_guess, e->yp_guess, e->begin, e->end, e->begin_p,
                      e->end_p);
    HA_TRY_ALLOC_EACH(ctx, e->n, e->y0, e->f0, e->y1, e->f1, e->weights, e->direction, e->beside);
    HA_TRY(ha__rates_new(ctx, run->dae, run->work, run->stats, &e->rates));
    return ha__runge_new(ctx, order_of(run), e->n, rates, e, &e->runge);
}

static ha_status open_explicit(ha__run *run)
{
    ha__explicit *e = ha__alloc(run->ctx, 1, sizeof *e);

    HA_TRY_MEMORY(e);
    *e = (ha__explicit){ .run = run, .condition_before = 1.0 };
    run->state = e;
    run->recorder.n_nodes = order_of(run) == 8 ? 5 : 3;
    run->recorder.settle = settle;
    run->recorder.user = e;
    HA_TRY(allocate(e));
    HA_TRY(ha__pass_init(&e->pass, run, true));
    memcpy(e->y, run->y, (size_t) run->dae->n * sizeof *e->y);
    return HA_OK;
}

static void close_explicit(ha__run *run)
{
    ha__explicit *e = run->state;

    if (e == NULL) {
        return;
    }
    HA_FREE(e->number, e->index, e->y, e->yp, e->y_guess, e->yp_guess, e->begin, e->end, e->begin_p,
            e->end_p, e->y0, e->f0, e->y1, e->f1, e->weights, e->direction, e->beside);
    ha__rates_free(e->rates);
    ha__solver_free(e->solver);
    ha__runge_free(e->runge);
    ha__pass_clear(&e->pass);
    ha__free(e);
    run->recorder.settle = NULL;
    run->recorder.gain = NULL;
    run->state = NULL;
}

static ha_status restart(ha__run *run)
{
    ha__explicit *e = run->state;

    e->h = 0.0;
    e->n_looks = 0;
    e->condition_before = 1.0; /* not known: the step may have been cut */
    return HA_OK;
}

static ha_status set_stop(ha__run *run)
{
    (void) run; /* every step looks */
    return HA_OK;
}

/* ---- a step ---- */

static double norm(const ha__explicit *e, const double *a, const double *b)
{
    double sum = 0.0;

    for (int i = 0; i < e->n; i++) {
        double x = (a[i] - (b == NULL ? 0.0 : b[i])) * e->weights[i];
        sum += x * x;
    }
    return e->n > 0 ? sqrt(sum / e->n) : 0.0;
}

/* Newton's method begins from what is known at the values reached. Rows have left other values
   there, and a step that was tried in vain what it had far out, from where nothing may lead back.
 */
static void guess_as_reached(ha__explicit *e)
{
    const ha__run *run = e->run;
    const size_t bytes = (size_t) run->dae->n * sizeof *e->y;

    if (takes_newton(e)) {
        memcpy(e->y, run->y, bytes);
        memcpy(e->yp, run->yp, bytes);
    }
}

/* The first step: one of Euler's tells how fast the rates change (the same book, I, II.4). */
static ha_status find_first_step(ha__explicit *e, double t)
{
    double room = e->run->next_stop - t;
    bool is_good = false;

    ha__explicit_collect(e, e->run->y, e->y0);
    ha__explicit_collect(e, e->run->yp, e->f0);
    ha__explicit_weigh(e, e->y0, e->y0);
    double size = norm(e, e->y0, NULL), rate = norm(e, e->f0, NULL);
    double h = fmin(size < 1e-5 || rate < 1e-5 ? 1e-6 : 0.01 * size / rate, room);
    for (int i = 0; i < e->n; i++) {
        e->y1[i] = e->y0[i] + h * e->f0[i];
    }
    guess_as_reached(e);
    HA_TRY(rates(e, t + h, e->y1, e->f1, &is_good));
    double bend = is_good ? norm(e, e->f1, e->f0) / h : 0.0, fastest = fmax(rate, bend);
    is_good = is_good && (isfinite(bend) || !isfinite(rate)); /* else it went too far to tell */
    double longer = fastest <= 1e-15 ? fmax(1e-6, 1e-3 * h)
                                     : pow(0.01 / fastest, 1.0 / ha__runge_power(e->runge));
    e->h = fmin(is_good ? fmin(100.0 * h, longer) : NO_VALUE * h, room);
    e->error_before = CALM;
    return HA_OK;
}

/* The longest step with which drift dies out. */
static double stable_with_drift(const ha__explicit *e)
{
    const ha__run *run = e->run;
    double rate = fmax(run->options->drift_bound, run->stats->drift_rate);

    return rate > 0.0 ? STABLE * ha__runge_stability(e->runge) / rate : (double) INFINITY;
}

/* The step to be tried: no longer than is allowed, to the next stop where that is near. */
static double limit(ha__explicit *e, double t)
{
    double h = e->h, most = e->run->options->max_step, room = e->run->next_stop - t;
    double stable = stable_with_drift(e);

    h = most > 0.0 ? fmin(h, most) : h;
    e->is_hindered = h > HINDERED * stable;
    h = fmin(h, stable);
    return h * (1.0 + AT_STOP) >= room ? room : fmin(h, 0.5 * room); /* no tiny step at the end */
}

static ha_status plan(ha__run *run, double *h)
{
    ha__explicit *e = run->state;
    double t = run->stats->t_reached;

    if (e->h == 0.0) {
        HA_TRY(find_first_step(e, t));
    }
    *h = limit(e, t);
    return HA_OK;
}

/* A step of the size h from the values reached; its error, infinite where it has no end. */
static ha_status make_step(ha__explicit *e, double t, double h, double *error)
{
    bool is_good = false;

    *error = (double) INFINITY;
    ha__explicit_collect(e, e->run->y, e->y0);
    ha__explicit_collect(e, e->run->yp, e->f0);
    guess_as_reached(e);
    HA_TRY(ha__runge_step(e->runge, t, h, e->y0, e->f0, e->y1, e->f1, &is_good));
    if (is_good) {
        HA_TRY(ha__explicit_test(e, t, h, error));
    }
    return HA_OK;
}

/* True if a step from t may be that much longer than the one that was planned: it meets nothing
   that no step has seen. */
static bool may_end(const ha__explicit *e, double t, double h)
{
    const double most = e->run->options->max_step, t1 = t + h;

    return (most <= 0.0 || h <= most) && t1 <= e->run->next_stop &&
           ha__run_unseen(e->run, t, t1) >= t1;
}

/* A step of about the size h. The next one begins where it ends, and next to a singular position
   would begin with wrong accelerations: so this one ends elsewhere if its error lets it, at best
   behind the position, where the next one leads away. */
static ha_status try_step(ha__explicit *e, double t, double *h, double *error)
{
    static const double shares[] = { 1.2, 1.1, 0.8, 1.0 }; /* the last is known to be good */
    const double planned = *h;

    HA_TRY(make_step(e, t, planned, error));
    bool leads_on = !(*error <= 1.0) || t + planned >= e->run->next_stop ||
                    ha__pass_leads_on(&e->pass, e->condition_before, e->condition);
    for (size_t k = 0; !leads_on && k < HA_COUNT(shares); k++) {
        *h = shares[k] * planned;
        if (shares[k] <= 1.0 || may_end(e, t, *h)) {
            HA_TRY(make_step(e, t, *h, error));
            leads_on = *error <= 1.0;
        }
    }
    return HA_OK;
}

/* Takes drift back at the end of a step and keeps book of the rank. */
static ha_status project(ha__explicit *e)
{
    ha__run *run = e->run;
    bool is_good = false;

    HA_TRY(ha__pass_project(&e->pass, e->t1, run->y, run->yp));
    memcpy(e->y, run->y, (size_t) run->dae->n * sizeof *e->y);
    memcpy(e->yp, run->yp, (size_t) run->dae->n * sizeof *e->yp);
    HA_TRY(ha__explicit_evaluate(e, e->t1, e->y, e->yp, &is_good));
    if (is_good) { /* else those before are as good as any */
        memcpy(run->y, e->y, (size_t) run->dae->n * sizeof *e->y);
        memcpy(run->yp, e->yp, (size_t) run->dae->n * sizeof *e->yp);
    }
    return HA_OK;
}

/* Takes the step tried over and chooses the next. */
static ha_status accept(ha__explicit *e, double t, double h, double error)
{
    ha__run *run = e->run;
    size_t bytes = (size_t) run->dae->n * sizeof *e->y;
    double k = 1.0 / ha__runge_power(e->runge), planned = e->h;

    memcpy(e->begin, run->y, bytes);
    memcpy(e->begin_p, run->yp, bytes);
    memcpy(run->y, e->y, bytes); /* the last stage is the end */
    memcpy(run->yp, e->yp, bytes);
    memcpy(e->end, run->y, bytes);
    e->t0 = t;
    e->t1 = e->t_settled = h >= run->next_stop - t ? run->next_stop : t + h;
    e->is_hop = false;
    run->recorder.gain = NULL;
    double growth =
        SAFETY * pow(fmax(error, DBL_MIN), 0.75 * MEMORY - k) * pow(e->error_before, MEMORY);
    e->h = h * fmin(fmax(growth, LEAST_GROWTH), MOST_GROWTH);
    e->h = h < planned ? fmax(e->h, planned) : e->h; /* a stop or a limit made it short */
    e->error_before = fmax(error, CALM);
    e->condition_before = e->condition;
    ha__pass_settle_condition(&e->pass);
    if (!ha__pass_is_short(&e->pass, h)) {
        ha__pass_note_step(&e->pass, h);
        HA_TRY(ha__pass_note_position(&e->pass, e->t1));
    }
    run->stats->last_step = h;
    return ha__pass_projects_now(&e->pass, e->drift) ? project(e) : HA_OK;
}

/* ---- singular positions ---- */

/* One step over what lies ahead. */
static ha_status hop(ha__explicit *e, double t, bool *is_done)
{
    ha__run *run = e->run;
    ha__pass *p = &e->pass;
    const size_t bytes = (size_t) run->dae->n * sizeof *e->begin;

    memcpy(e->begin, run->y, bytes);
    memcpy(e->end, run->yp, bytes);
    p->hopper.t_end = run->next_stop;
    HA_TRY(ha__pass_begin_hop(p));
    HA_TRY(ha__pass_try(p, t, &e->t1, is_done));
    if (*is_done && !ha__pass_has_met(p)) {
        memcpy(run->y, e->begin, bytes);
        memcpy(run->yp, e->end, bytes);
        *is_done = false;
    }
    if (*is_done) {
        e->t0 = t;
        e->t_settled = e->t1;
        e->is_hop = true;
        run->recorder.gain = ha__hop_gain;
        run->recorder.gain_user = &p->hopper;
        e->h = p->typical;
        e->error_before = CALM;
        p->lowest = 1.0;
        e->condition_before = 1.0;
        ha__pass_count(p, t, e->t1);
        memcpy(e->y, run->y, (size_t) run->dae->n * sizeof *e->y);
    }
    return HA_OK;
}

/* Passes a singular position where the steps tell of one. What is not passed within the tolerance
   is tried with more error, as much as round-off makes of it, but only where the condition tells of
   one, too: what is fast for another reason calls for short steps. For the same reason a hop counts
   only where it met something singular: the stages of a long step may lie on both sides of what is
   fast, and its error then tells nothing. */
static ha_status pass(ha__explicit *e, double t, bool *is_done)
{
    *is_done = false;
    if (e->pass.projector == NULL || !ha__pass_is_short(&e->pass, e->h)) {
        return HA_OK;
    }
    HA_TRY(hop(e, t, is_done));
    if (!*is_done && ha__pass_is_near(&e->pass)) {
        (void) ha__pass_allow_more(&e->pass);
    }
    return HA_OK;
}

/* ---- failure ---- */

/* Adds the differential unknown with the largest error in the step tried last. */
static void add_largest_error(const ha__explicit *e, ha__strbuf *text)
{
    char number[HA__NUMBER_SIZE];
    double largest = 0.0;
    int worst = ha__runge_worst(e->runge, e->weights, &largest);

    if (worst >= 0 && largest > 1e-3) {
        ha__strbuf_addf(text, "; the largest local error is in `%s`, %s times its tolerance",
                        e->run->dae->unknowns[e->number[worst]].name,
                        ha__dae_number(number, largest));
    }
}

/* Fails: where, how far, after `what`, and why. */
static ha_status fail(ha__explicit *e, double h, const char *what, const char *reason,
                      const char *advice)
{
    ha__run *run = e->run;
    char time[HA__NUMBER_SIZE], end[HA__NUMBER_SIZE], step[HA__NUMBER_SIZE];
    ha__strbuf text = HA_STRBUF(run->ctx), head = HA_STRBUF(run->ctx);

    if (!ha__run_add_not_finite(run, &text)) {
        add_largest_error(e, &text);
    }
    ha_status status = ha__run_add_place(run, &head, &text);
    if (run->stats->singular_passes > 0) {
        ha__strbuf_addf(&text, "; singular positions were passed before, %ld time%s",
                        run->stats->singular_passes, run->stats->singular_passes == 1 ? "" : "s");
    }
    HA_THEN(status, text.status);
    if (status == HA_OK) {
        status =
            ha_fail(run->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                    "%sthe solver stopped at t = %s s of %s s after %ld steps, %s %s s: %s%s; %s",
                    ha__strbuf_text(&head), ha__dae_number(time, run->stats->t_reached),
                    ha__dae_number(end, run->options->t_end), run->stats->steps, what,
                    ha__dae_number(step, h), reason, ha__strbuf_text(&text), advice);
    }
    ha__strbuf_clear(&head);
    return ha__strbuf_drop(&text, status);
}

static ha_status stop(ha__run *run, const char *reason, const char *advice)
{
    return fail(run->state, run->stats->last_step, "the last of", reason, advice);
}

/* ---- the method ---- */

static ha_status step(ha__run *run, double *t0, double *t1)
{
    ha__explicit *e = run->state;
    double t = run->stats->t_reached, error = 0.0;
    bool is_done = false;

    *t0 = t;
    if (e->h == 0.0) {
        HA_TRY(find_first_step(e, t));
    }
    while (!is_done) {
        double h = limit(e, t);
        if (run->options->driver == HA_DRIVER_AUTO && t + h == t) {
            run->gives_up = TOO_SHORT;
            *t1 = t;
            return HA_OK;
        }
        HA_TRY(try_step(e, t, &h, &error));
        if (error <= 1.0) {
            e->vain_steps -= e->vain_steps > 0 ? 1 : 0;
            HA_TRY(accept(e, t, h, error));
            break;
        }
        e->vain_steps++;
        run->stats->error_test_failures += isfinite(error) ? 1 : 0;
        run->stats->convergence_failures += isfinite(error) ? 0 : 1;
        e->h = ha__explicit_shorter(e, h, error);
        HA_TRY(pass(e, t, &is_done));
        bool is_lost = !is_done && t + 0.1 * e->h == t;
        bool is_left = is_lost && (t == 0.0 || ha__pass_is_near(&e->pass)); /* else none leads on */
        if (run->options->driver == HA_DRIVER_AUTO && (is_left || e->vain_steps > VAIN)) {
            run->gives_up = is_lost ? TOO_SHORT : "explicit steps were tried in vain too often";
            *t1 = is_done ? e->t1 : t;
            return HA_OK;
        }
        if (is_lost) {
            return fail(e, e->h, "the step down to",
                        isfinite(error)
                            ? "the steps have become too short to advance the time"
                            : "the equations cannot be solved, even with very short steps",
                        "there the solution grows beyond all bounds, jumps, or passes a singular "
                        "position");
        }
    }
    *t1 = e->t1;
    return HA_OK;
}

/* Counts steps at the bound of stability; some elsewhere in a row take that back. */
static ha_status watch(ha__run *run, double h)
{
    ha__explicit *e = run->state;

    (void) h;
    HA_TRY(e->status);
    if (e->is_hop) {
        return HA_OK;
    }
    bool is_bound = e->is_hindered || e->stiffness >= ha__runge_stability(e->runge);
    e->free_steps = is_bound ? 0 : e->free_steps + 1;
    e->bound_steps = is_bound ? e->bound_steps + 1 : e->free_steps >= FREE ? 0 : e->bound_steps;
    if (e->bound_steps >= STIFF) {
        run->gives_up =
            "the stability of explicit steps limited them, not their error: it is stiff";
    }
    return HA_OK;
}

static void count(const ha__run *run)
{
    const ha__explicit *e = run->state;

    run->stats->last_order = e != NULL && e->runge != NULL ? ha__runge_order(e->runge) : 0;
}

const ha__method ha__method_explicit = {
    .name = "explicit",
    .open = open_explicit,
    .restart = restart,
    .set_stop = set_stop,
    .plan = plan,
    .step = step,
    .unfold = ha__explicit_unfold,
    .dense = ha__explicit_dense,
    .land = ha__explicit_land,
    .watch = watch,
    .stop = stop,
    .count = count,
    .close = close_explicit,
};
