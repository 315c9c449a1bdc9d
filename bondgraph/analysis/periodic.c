/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steady cycles by shooting.
 *
 * With X(x, T) where independent states x are a time T later, a cycle is a solution of
 *
 *     X(x, T) - x = 2 pi k,        k full turns of angles, 0 of all others.
 *
 * A run over a period gives X, and runs from deviations the monodromy matrix M = dX/dx
 * (periodic_shot.c). Newton's step is that of
 *
 *     (M - I) dx + X' dT = -(X - x - 2 pi k),
 *     x' . dx = 0,
 *
 * where nothing drives the model, so that T is unknown and a shift in time goes from one solution
 * to the next; else dT = 0 and the second line is not there. Both are solved by singular values:
 * where cycles come in families, as those of a motion without losses, the next one is taken.
 *
 * A step that does not bring the end nearer to the begin is halved, and where that does not help
 * the model goes on by itself, ever longer, towards what attracts it.
 *
 * At the end M is found anew from differences on both sides, of two lengths h and h / 2, whose
 * errors are of the order h^2, so that (4 M(h/2) - M(h)) / 3 has one of the order h^4. Its
 * eigenvalues are the Floquet multipliers.
 */
#include <config.h>

#include "bondgraph/analysis/periodic_priv.h"
#include "lib/core/context_priv.h"
#include "lib/core/need.h"
#include "lib/linalg/eigen.h"
#include "lib/linalg/least.h"

#include <math.h>
#include <string.h>

static const double COARSE = 1e-6;        /* rtol of the first runs, */
static const double RTOL = 1e-10;         /* of the last ones, */
static const double RTOL_IMPLICIT = 1e-9; /* and of those by the implicit method */
static const double SMOOTHLY = 1e-9;      /* of the run that is followed for the multipliers */
static const double ENOUGH = 1.0;         /* times rtol: the end is where the begin was */
static const double FINE = 3e-3;          /* of steps on both sides, in scales */
static const double GOOD = 0.02;          /* is left by a step whose matrix stays */
static const double SINGULAR = 1e-8;      /* singular value beside the largest */
static const double NOISE = 1e3;          /* times rtol: as near as it gets */
static const double LONGEST = 0.3;        /* change of the period in a step, as a share */
static const double FARTHEST = 1.0;       /* of a step, in scales */
static const double REPEATS = 1e-5;       /* rates after a period, beside the usual ones */
static const double AT_REST = 1e-6;       /* of the scales, in a period */
/* magnitude of a multiplier less 1: double ones are known to the root of 1e-9 */
static const double ON_CIRCLE = 3e-5;
static const double UNSURE = 1e-2; /* error of a multiplier that may be on either side of 1 */

/* At most: steps of Newton's method, halvings of one, times the model goes on by itself where no
   step is any good, looks at the rates over a period, starts of what has come to rest. */
enum { MOST_STEPS = 60, MOST_HALVINGS = 5, MOST_SETTLINGS = 7, LOOKS = 7, MOST_REVIVALS = 6 };

/* --- one step ------------------------------------------------------------------------------- */

/* The period from s->y; returns through `*error` how far its end is off. */
static ha_status evaluate(bg__shooting *s, double *error)
{
    HA_TRY(bg__cycle_rates(s, 0.0, s->y, s->yp));
    HA_TRY(bg__shoot(s, s->y, s->period, NULL, s->end));
    HA_TRY(bg__cycle_rates(s, s->period, s->end, s->end_p));
    *error = bg__cycle_residual(s);
    return HA_OK;
}

/* The equations of a step in units of the scales; the last unknown is the change of the period. */
static void fill(const bg__shooting *s, double *a, double *b)
{
    size_t ns = (size_t) s->n_states, width = ns + (s->options->is_driven ? 0 : 1);

    for (size_t i = 0; i < ns; i++) {
        int row = s->state[i];
        b[i] = -s->residual[row];
        for (size_t k = 0; k < ns; k++) {
            double entry = s->monodromy[i * ns + k] - (i == k ? 1.0 : 0.0);
            a[i * width + k] = entry * s->scale[s->state[k]] / s->scale[row];
        }
        if (width > ns) {
            a[i * width + ns] = s->end_p[row] * s->period / s->scale[row];
            a[ns * width + i] = s->yp[row] * s->period / s->scale[row];
        }
    }
}

/* Newton's step: the change of the states in their units, and of the period; the tangent space is
   known. */
static ha_status find_step(bg__shooting *s, double *dx, double *dt)
{
    size_t ns = (size_t) s->n_states, width = ns + (s->options->is_driven ? 0 : 1);
    double *room = ha__alloc(s->ctx, width * width + 2 * width + 1, sizeof *room);
    double *a = room, *b = a + width * width, *x = b + width;
    double longest = 1.0;
    int rank = 0;

    HA_TRY_MEMORY(room);
    ha_status status =
        s->has_monodromy ? HA_OK : bg__cycle_differences(s, sqrt(s->rtol), true, s->monodromy);
    if (status == HA_OK) {
        fill(s, a, b);
        status = ha__least_squares(s->ctx, (int) width, (int) width, a, b, SINGULAR, x, &rank);
    }
    for (size_t k = 0; k < width && status == HA_OK; k++) {
        longest = fmax(longest, fabs(x[k]) / (k < ns ? FARTHEST : LONGEST));
    }
    for (size_t k = 0; k < ns && status == HA_OK; k++) {
        dx[k] = x[k] / longest * s->scale[s->state[k]];
    }
    *dt = status == HA_OK && width > ns ? x[ns] / longest * s->period : 0.0;
    ha__free(room);
    return status;
}

/* Values that are held between events and act on nothing go with the cycle. */
static void take_over_held(bg__shooting *s)
{
    for (int i = 0; i < s->m->dae.n_holds; i++) {
        int h = s->m->dae.holds[i].unknown;
        s->y[h] = bg__cycle_acts(s->m, h) ? s->y[h] : s->end[h];
    }
}

static void keep(const bg__shooting *s, double *to[4])
{
    const double *from[4] = { s->y, s->yp, s->end, s->end_p };

    for (int i = 0; i < 4; i++) {
        to[i] = s->kept + (size_t) i * (size_t) s->m->dae.n;
        memcpy(to[i], from[i], (size_t) s->m->dae.n * sizeof(double));
    }
}

static void restore(bg__shooting *s)
{
    double *to[4] = { s->y, s->yp, s->end, s->end_p };

    for (int i = 0; i < 4; i++) {
        memcpy(to[i], s->kept + (size_t) i * (size_t) s->m->dae.n,
               (size_t) s->m->dae.n * sizeof(double));
    }
    (void) bg__cycle_residual(s);
}

/* True of a failure that a shorter step, or another start, may not have. */
static bool may_be_mended(ha_status status)
{
    return status == HA_ERR_SOLVER || status == HA_ERR_SINGULAR || status == HA_ERR_VALUE;
}

/* Takes as much of a step as brings the end nearer to the begin; `*is_taken` false: none does. */
static ha_status take_step(bg__shooting *s, const double *dx, double dt, double *error,
                           bool *is_taken)
{
    size_t ns = (size_t) s->n_states;
    const double before = *error, period = s->period;
    double *kept[4] = { NULL }, *part = NULL;

    HA_TRY_ALLOC(s->ctx, part, ns + 1);
    keep(s, kept);
    ha_status status = HA_OK;
    double share = 1.0;
    *is_taken = false;
    for (int i = 0; i <= MOST_HALVINGS && status == HA_OK && !*is_taken; i++, share *= 0.5) {
        size_t first = ha_ctx_n_diags(s->ctx);
        for (size_t k = 0; k < ns; k++) {
            part[k] = share * dx[k];
        }
        status = bg__cycle_move(s, part, s->try_y);
        memcpy(s->y, s->try_y, (size_t) s->m->dae.n * sizeof *s->y);
        take_over_held(s);
        s->period = period + share * dt;
        HA_THEN(status, evaluate(s, error));
        *is_taken = status == HA_OK && *error < (1.0 - 0.25 * share) * before;
        if (may_be_mended(status)) {
            ha__ctx_forget(s->ctx, first);
            status = HA_OK;
        }
        if (!*is_taken) {
            s->period = period;
            restore(s);
        }
    }
    *error = *is_taken ? *error : before;
    ha__free(part);
    return status;
}

/* --- the search ----------------------------------------------------------------------------- */

/* Goes on by itself for some periods. */
static ha_status settle(bg__shooting *s, int n_periods, double *error)
{
    HA_TRY(bg__shoot(s, s->y, n_periods * s->period, NULL, s->end));
    memcpy(s->y, s->end, (size_t) s->m->dae.n * sizeof *s->y);
    HA_TRY(s->options->is_driven ? HA_OK : bg__cycle_guess(s));
    return evaluate(s, error);
}

/* The unknown that is farthest from where it was. */
static const char *farthest(const bg__shooting *s)
{
    int worst = 0;

    for (int j = 0; j < s->m->dae.n; j++) {
        worst = fabs(s->residual[j]) > fabs(s->residual[worst]) ? j : worst;
    }
    return s->m->dae.n > 0 ? s->m->dae.unknowns[worst].name : "";
}

static ha_status fail(bg__shooting *s, double error)
{
    char period[HA__NUMBER_SIZE], off[HA__NUMBER_SIZE];

    return ha_fail(s->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                   "no cycle is found: after a period of %s s `%s` is off by %s of its size, which "
                   "neither Newton's method nor waiting makes less; start nearer to the cycle, or "
                   "give another --period, as a multiple of this one",
                   ha__print_rounded_number(period, s->period, 6), farthest(s),
                   ha__print_rounded_number(off, error, 3));
}

/* Where a run of it fails no step is taken. */
static ha_status try_step(bg__shooting *s, double *dx, double *error, bool *is_taken)
{
    size_t first = ha_ctx_n_diags(s->ctx);
    double dt = 0.0;
    ha_status status = find_step(s, dx, &dt);

    HA_THEN(status, take_step(s, dx, dt, error, is_taken));
    if (!may_be_mended(status)) {
        return status;
    }
    ha__ctx_forget(s->ctx, first);
    return HA_OK;
}

/* Newton steps with runs of s->rtol until nothing is left. */
static ha_status converge(bg__shooting *s, double *dx, int *settlings, double *error)
{
    ha_status status = HA_OK;

    while (status == HA_OK && !(*error <= ENOUGH * s->rtol)) {
        const double before = *error;
        bool is_taken = false;
        HA_TRY(bg__cycle_tangent(s));
        bool is_fresh = !s->has_monodromy;
        HA_TRY(try_step(s, dx, error, &is_taken));
        s->out->iterations++;
        s->has_monodromy = is_taken && *error <= GOOD * before;
        if (!is_taken && is_fresh && *error <= NOISE * s->rtol) {
            break;
        }
        if (s->out->iterations >= MOST_STEPS ||
            (!is_taken && is_fresh && *settlings >= MOST_SETTLINGS)) {
            return fail(s, *error);
        }
        if (!is_taken && is_fresh) {
            status = settle(s, 1 << (*settlings)++, error);
        }
    }
    return status;
}

static ha_status iterate(bg__shooting *s, double *error)
{
    double *dx = NULL;
    int settlings = 0;

    HA_TRY_ALLOC(s->ctx, dx, s->m->dae.n);
    ha_status status = converge(s, dx, &settlings, error);
    if (status == HA_OK) {
        s->rtol = s->is_implicit ? RTOL_IMPLICIT : RTOL;
        status = evaluate(s, error);
    }
    HA_THEN(status, converge(s, dx, &settlings, error));
    ha__free(dx);
    return status;
}

/* --- what was found ------------------------------------------------------------------------- */

/* The equations must be the same after the period and the turns: so must all rates be. */
static ha_status check_repeats(bg__shooting *s)
{
    double *y = s->try_y, *yp = s->try_end;
    size_t bytes = (size_t) s->m->dae.n * sizeof *y;
    char period[HA__NUMBER_SIZE];

    for (int look = 0; look < LOOKS; look++) {
        double t = s->period * look / LOOKS, rate = 0.0;
        size_t first = ha_ctx_n_diags(s->ctx);
        memcpy(y, s->y, bytes);
        ha_status status = bg__cycle_rates(s, t, y, yp);
        memcpy(y, s->end, bytes);
        HA_THEN(status, bg__cycle_rates(s, t + s->period, y, s->end_p));
        for (int j = 0; j < s->m->dae.n && status == HA_OK; j++) {
            rate = fmax(rate, fabs(yp[j]) * s->period / s->scale[j]);
        }
        for (int j = 0; j < s->m->dae.n && status == HA_OK; j++) {
            double off = fabs(s->end_p[j] - yp[j]) * s->period / s->scale[j];
            if (off > REPEATS * (1.0 + rate) && bg__cycle_acts(s->m, j)) {
                return ha_fail(s->ctx, HA_ERR_VALUE, HA_NOWHERE,
                               "the motion does not go on as before after %s s: `%s` comes back, "
                               "but its rate is another then; give the period after which all "
                               "that depends on the time or on turning angles repeats",
                               ha__print_rounded_number(period, s->period, 6),
                               s->m->dae.unknowns[j].name);
            }
        }
        if (status != HA_OK && !may_be_mended(status)) {
            return status;
        }
        ha__ctx_forget(s->ctx, first); /* the point is not one that the cycle comes to */
    }
    return HA_OK;
}

static bool moves(const bg__shooting *s)
{
    double most = 0.0;

    for (int j = 0; j < s->m->dae.n && !s->options->is_driven; j++) {
        bool counts = s->m->dae.unknowns[j].kind == HA_DIFFERENTIAL && bg__cycle_acts(s->m, j);
        most = counts ? fmax(most, fabs(s->yp[j]) * s->period / s->scale[j]) : most;
    }
    return s->options->is_driven || most > AT_REST;
}

static ha_status refuse_rest(bg__shooting *s)
{
    return ha_fail(s->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                   "there is no cycle: nothing that repeats drives the model, and what is left is "
                   "rest or steady motion; a long `run`, or `statics`, shows it");
}

/* Sets whether all multipliers are inside the unit circle, but for the one nearest to 1 of a cycle
   that nothing drives; or none outside; or whether they are not known well enough to tell. */
static void judge(bg__shooting *s, const double *values)
{
    bg_cycle *out = s->out;
    double error = out->floquet_error, margin = fmax(ON_CIRCLE, error);
    int free_one = -1, n_outside = 0, n_on = 0;

    for (int k = 0; k < s->n_states && !s->options->is_driven; k++) {
        double own = hypot(values[2 * k] - 1.0, values[2 * k + 1]);
        bool is_nearest =
            free_one < 0 || own < hypot(values[2 * free_one] - 1.0, values[2 * free_one + 1]);
        free_one = is_nearest ? k : free_one;
    }
    for (int k = 0; k < s->n_states; k++) {
        double beyond = hypot(values[2 * k], values[2 * k + 1]) - 1.0;
        n_outside += k != free_one && beyond > margin ? 1 : 0;
        n_on += k != free_one && fabs(beyond) <= margin ? 1 : 0;
        out->is_open |= k != free_one && error > UNSURE && fabs(beyond) <= error;
    }
    out->is_stable = !out->is_open && n_outside == 0 && n_on == 0;
    out->is_marginal = !out->is_open && n_outside == 0 && n_on > 0;
}

/* The error of multipliers of which two agree but for its root, as a double one is known. */
static double error_of(const double *values, int n, double error)
{
    bool is_double = false;

    for (int k = 0; k < n; k++) {
        for (int h = 0; h < k; h++) {
            double off =
                hypot(values[2 * k] - values[2 * h], values[2 * k + 1] - values[2 * h + 1]);
            bool counts = hypot(values[2 * k], values[2 * k + 1]) > UNSURE;
            is_double = is_double || (counts && off <= 3.0 * sqrt(error));
        }
    }
    return is_double && error < 1.0 ? sqrt(error) : error;
}

/* M by differences; `*error` is what the coarser one has other eigenvalues by. */
static ha_status difference(bg__shooting *s, double *m, double *error)
{
    size_t ns = (size_t) s->n_states;
    double *room = ha__alloc(s->ctx, ns * ns + 4 * ns + 1, sizeof *room);
    double *fine = room, *a = fine + ns * ns, *b = a + 2 * ns;

    HA_TRY_MEMORY(room);
    ha_status status = bg__cycle_differences(s, FINE, false, m);
    HA_THEN(status, bg__cycle_differences(s, 0.5 * FINE, false, fine));
    for (size_t i = 0; i < ns * ns && status == HA_OK; i++) {
        m[i] = (4.0 * fine[i] - m[i]) / 3.0;
    }
    HA_THEN(status, ha__eigenvalues(s->ctx, s->n_states, fine, a, NULL));
    HA_THEN(status, ha__eigenvalues(s->ctx, s->n_states, m, b, NULL));
    for (size_t k = 0; k < ns && status == HA_OK; k++) {
        *error = fmax(*error, hypot(a[2 * k] - b[2 * k], a[2 * k + 1] - b[2 * k + 1]));
    }
    ha__free(room);
    return status;
}

static ha_status find_floquet(bg__shooting *s)
{
    double *m = ha__alloc(s->ctx, (size_t) s->n_states * (size_t) s->n_states + 1, sizeof *m);
    double *error = &s->out->floquet_error;

    s->out->floquet = ha__alloc(s->ctx, 2 * (size_t) s->n_states, sizeof *s->out->floquet);
    ha_status status = m == NULL || s->out->floquet == NULL ? HA_ERR_MEMORY : HA_OK;
    s->out->is_exact = !s->is_implicit && !s->has_events && s->m->dae.n_holds == 0;
    if (s->out->is_exact) {
        s->rtol = SMOOTHLY;
        HA_THEN(status, bg__cycle_follow(s, m, error));
        *error = fmax(*error, s->rtol);
    } else {
        HA_THEN(status, difference(s, m, error));
    }
    HA_THEN(status, ha__eigenvalues(s->ctx, s->n_states, m, s->out->floquet, NULL));
    if (status == HA_OK) {
        judge(s, s->out->floquet);
        *error = error_of(s->out->floquet, s->n_states, *error);
    }
    ha__free(m);
    return status;
}

static char *copy_name(bg__shooting *s, int j)
{
    const char *name = s->m->dae.unknowns[j].name;

    return ha__copy_text(s->ctx, name, strlen(name));
}

static ha_status list_names(bg__shooting *s)
{
    bg_cycle *out = s->out;
    int n = s->m->dae.n;

    HA_TRY_ALLOC(s->ctx, out->states, s->n_states);
    HA_TRY_ALLOC_EACH(s->ctx, n, out->turns, out->turned, out->drifts, out->drift);
    for (int k = 0; k < s->n_states; k++) {
        HA_TRY_GET(out->states[k], copy_name(s, s->state[k]));
        out->n_states = k + 1;
    }
    for (int j = 0; j < n; j++) {
        bool acts = bg__cycle_acts(s->m, j);
        if (s->m->dae.unknowns[j].kind != HA_DIFFERENTIAL || (acts && s->turns[j] == 0.0)) {
            continue;
        }
        char *name = copy_name(s, j);
        HA_TRY_MEMORY(name);
        if (acts) {
            out->turned[out->n_turns] = (int) s->turns[j];
            out->turns[out->n_turns++] = name;
        } else {
            out->drift[out->n_drifts] = s->end[j] - s->y[j];
            out->drifts[out->n_drifts++] = name;
        }
    }
    return HA_OK;
}

/* A gear may need several periods of what drives it. */
static ha_status lengthen(bg__shooting *s, double *error)
{
    HA_TRY(bg__cycle_tangent(s));
    int n = bg__cycle_whole_turns(s);

    s->period *= n;
    return n > 1 ? evaluate(s, error) : HA_OK;
}

/* Newton's method; where it leads to a rest that may be unstable, from where the model has come by
   itself, ever later. */
static ha_status find_cycle(bg__shooting *s, double *error)
{
    size_t bytes = (size_t) s->m->dae.n * sizeof *s->y;
    double *begin = NULL;

    HA_TRY_ALLOC(s->ctx, begin, s->m->dae.n);
    memcpy(begin, s->y, bytes);
    ha_status status = iterate(s, error);
    size_t first = ha_ctx_n_diags(s->ctx);
    bool was_at_rest = status == HA_OK && !moves(s);
    for (int k = 0; k < MOST_REVIVALS && status == HA_OK && !moves(s); k++) {
        memcpy(s->y, begin, bytes);
        s->has_monodromy = false;
        s->rtol = COARSE;
        s->period = s->first_period;
        status = settle(s, 8 << k, error);
        HA_THEN(status, iterate(s, error));
    }
    ha__free(begin);
    if (was_at_rest && (may_be_mended(status) || (status == HA_OK && !moves(s)))) {
        ha__ctx_forget(s->ctx, first);
        return refuse_rest(s);
    }
    return status;
}

static ha_status search(bg__shooting *s)
{
    double error = 0.0;

    HA_TRY(bg__cycle_refuse_noise(s));
    s->period = s->options->period;
    HA_TRY(s->options->is_driven || s->period > 0.0 ? HA_OK : bg__cycle_guess(s));
    HA_TRY(s->options->is_driven ? bg__cycle_check_sampling(s) : HA_OK);
    s->first_period = s->period;
    HA_TRY(evaluate(s, &error));
    HA_TRY(s->options->is_driven ? lengthen(s, &error) : HA_OK);
    HA_TRY(find_cycle(s, &error));
    HA_TRY(bg__cycle_check_held(s));
    HA_TRY(bg__cycle_tangent(s));
    s->out->period = s->period;
    s->out->error = error;
    HA_TRY(find_floquet(s));
    HA_TRY(list_names(s));
    return check_repeats(s);
}

/* --- setting up ----------------------------------------------------------------------------- */

static ha_status make_room(bg__shooting *s)
{
    const double parameters[BG__PARAMETER_COUNT] = { BG__LINEAR_ALPHA, BG__LINEAR_BETA, 0.0 };
    size_t n = (size_t) s->m->dae.n;
    double **const rooms[] = { &s->scale, &s->y,        &s->yp,    &s->end,    &s->end_p,
                               &s->turns, &s->residual, &s->try_y, &s->try_end };

    for (size_t i = 0; i < HA_COUNT(rooms); i++) {
        HA_TRY_ALLOC(s->ctx, *rooms[i], n);
    }
    HA_TRY_ALLOC(s->ctx, s->kept, 4 * n, s->monodromy, n * n, s->work, s->m->dae.work_size);
    HA_TRY_GET(s->quiet, ha_ctx_new());
    s->m->dae.prepare(s->m, parameters, s->work);
    return ha__projector_new(s->ctx, &s->m->dae, s->work, true, &s->projector);
}

static void release(bg__shooting *s)
{
    ha__projector_free(s->projector);
    ha_ctx_free(s->quiet);
    HA_FREE(s->work, s->state, s->basis, s->scale, s->y, s->yp, s->end, s->end_p, s->turns,
            s->residual, s->try_y, s->try_end, s->kept, s->monodromy);
}

static ha_status check_options(ha_ctx *ctx, const bg_model *model, const bg_cycle_options *options)
{
    if (!model->is_linear) {
        return ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "the model was not compiled for cycles; compile it with "
                       "bg_model_compile_periodic()");
    }
    if (options->is_driven && !(options->period > 0.0 && isfinite(options->period))) {
        return ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "the period of what drives the model is not known; give it with --period");
    }
    return HA_OK;
}

ha_status bg_periodic(ha_ctx *ctx, const bg_model *model, const bg_cycle_options *options,
                      double *y, bg_cycle *out)
{
    HA_NEED(ctx, ctx != NULL && model != NULL && options != NULL && y != NULL && out != NULL);
    bg__shooting s = { .ctx = ctx, .m = model, .options = options, .out = out, .rtol = COARSE };

    *out = (bg_cycle){ 0 };
    HA_TRY(check_options(ctx, model, options));
    ha_status status = make_room(&s);
    if (status == HA_OK) {
        size_t bytes = (size_t) model->dae.n * sizeof *y;
        memcpy(s.y, y, bytes);
        status = search(&s);
        memcpy(y, s.y, bytes);
    }
    release(&s);
    return status;
}

void bg_cycle_clear(bg_cycle *cycle)
{
    for (int k = 0; k < cycle->n_states; k++) {
        ha__free(cycle->states[k]);
    }
    for (int k = 0; k < cycle->n_turns; k++) {
        ha__free(cycle->turns[k]);
    }
    for (int k = 0; k < cycle->n_drifts; k++) {
        ha__free(cycle->drifts[k]);
    }
    HA_FREE(cycle->states, cycle->floquet, cycle->turns, cycle->turned, cycle->drifts,
            cycle->drift);
    *cycle = (bg_cycle){ 0 };
}
