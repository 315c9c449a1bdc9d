/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sliding: motion along a surface g(t, y) = 0 to which both sides lead.
 *
 * Where the equations of the side g < 0 make g rise, and those of the side g >= 0 make it fall, the
 * solution can leave to neither side. It stays on the surface (Filippov 1988): with a share s of
 * the one side and 1 - s of the other,
 *
 *     F = F_0 + s (F_1 - F_0) = 0,   s such that dg/dt = 0,   0 <= s <= 1,
 *
 * which is what a relay that switches ever faster comes to, and friction that sticks. Several
 * surfaces are held at once with a share of each,
 *
 *     F = F_0 + sum over k of s_k (F_k - F_0),
 *
 * F_k being F with side k alone set to 1. The shares are solved for at every point, by Newton's
 * method from the rates of g for s = 0 and for each s_k = 1; where forces alone switch its first
 * step is exact. They follow from the differential unknowns, so that nothing is added to the
 * system: its callbacks are replaced by such as mix those of the sides. The Jacobian has the shares
 * as they are.
 *
 * At an event the surfaces just met are held where all shares are inside 0 and 1 and each s_k makes
 * the rate of its g_k fall. A step ends where a share leaves that range; the side that it leaves to
 * is set then. A function that reads algebraic unknowns or derivatives is no surface in y; the
 * sides may contradict themselves there, with g > 0 by the one and g < 0 by the other, and g itself
 * is held at 0 then, in place of its rate. One that hangs on its own side is not held.
 */
#include <config.h>

#include "lib/dae/dae_priv.h"

#include "lib/core/mem.h"
#include "lib/linalg/dense.h"

#include <math.h>
#include <string.h>

enum {
    MOST = 16,     /* surfaces that are held at once */
    MOST_TURNS = 8 /* of Newton's method for the shares */
};

static const double INSIDE = 1e-12; /* of its range is a share where a surface is first held */
static const double STILL = 1e-10;  /* rate of a g beside what its side makes of it */

struct ha__slide {
    ha__slide *self; /* what the model of `outer` points to */
    ha_ctx *ctx;
    ha_dae outer;  /* mixes */
    ha_dae solved; /* `outer` for the refiner */
    ha_dae inner;  /* the callbacks of the system */
    double *work;  /* borrowed */
    ha__sides *sides;
    ha__refiner *refiner;
    int n;                       /* surfaces that are held */
    int surface[MOST];           /* their switching functions */
    double share[MOST];          /* of side 1 */
    double rate[MOST + 1][MOST]; /* of each g for s = 0 and for each s_k = 1 */
    double *y, *yp;              /* (n) where the shares are solved for */
    double *y_last;              /* (n) where they were last, */
    double t_last;               /* at this time; NAN: nowhere */
    bool is_held;                /* the shares are not to be solved for */
    signed char *side;           /* (n_switches) scratch */
    double *span;                /* (4 n_switches + 2 n_switch_inputs) scratch of enclosures */
    double *part;                /* as long as what a callback gives; scratch */
    ha_status status;            /* of what failed inside a callback, which cannot return it */
};

/* --- shares ---------------------------------------------------------------------------------- */

/* Sets the sides of the surfaces to 0, but that of number `k` to 1; -1: of none. */
static void set_corner(ha__slide *s, int k)
{
    memcpy(s->side, s->sides->side, (size_t) s->inner.n_switches * sizeof *s->side);
    for (int i = 0; i < s->n; i++) {
        s->side[s->surface[i]] = i == k;
    }
    s->inner.set_sides(s->inner.model, s->work, s->side);
}

/* The rates of the surfaces' functions at a point, or their values: its enclosure is exact. */
static void find_rates(ha__slide *s, double t, const double *y, const double *yp, double *rate)
{
    const ha_dae *dae = &s->inner;
    size_t n = (size_t) dae->n_switches;
    double *value = s->span + 4 * n, *slope = value + dae->n_switch_inputs;
    const ha_dae_span span = { t, 0.0, value, value, value, slope, slope };

    for (int i = 0; i < dae->n_switch_inputs; i++) {
        int number = dae->switch_inputs[i];
        value[i] = number < dae->n ? y[number] : yp[number - dae->n];
        slope[i] = number < dae->n ? yp[number] : 0.0;
    }
    dae->enclose(dae->model, s->work, &span, s->span, s->span + n, s->span + 2 * n,
                 s->span + 3 * n);
    for (int i = 0; i < s->n; i++) {
        size_t k = (size_t) s->surface[i];
        size_t low = dae->switch_reads_solved[k] != 0 ? k : 2 * n + k;
        rate[i] = 0.5 * (s->span[low] + s->span[low + n]);
    }
}

/* The rates with the shares as they are, into `rate`. */
static bool rates_of(ha__slide *s, double t, const double *y, const double *yp, double *rate)
{
    size_t bytes = (size_t) s->inner.n * sizeof *y;
    bool is_good = false;

    memcpy(s->y, y, bytes);
    memmove(s->yp, yp, bytes); /* start_system() has no other y' */
    ha_status status = ha__refine(s->refiner, t, s->y, s->yp, &is_good);
    s->status = s->status == HA_OK ? status : s->status;
    set_corner(s, -1);
    find_rates(s, t, s->y, s->yp, rate);
    for (int i = 0; i < s->n; i++) {
        is_good = is_good && isfinite(rate[i]);
    }
    return is_good;
}

/* Moves the shares by a step of Newton's method against the rates; false where there is none. */
static bool move_shares(ha__slide *s, const double *rate)
{
    double a[MOST * MOST], b[MOST], x[MOST];
    const int n = s->n;

    for (int i = 0; i < n; i++) {
        b[i] = -rate[i];
        for (int k = 0; k < n; k++) {
            a[i * n + k] = s->rate[1 + k][i] - s->rate[0][i];
        }
    }
    if (!ha__dense_solve(n, a, b, x)) {
        return false;
    }
    for (int k = 0; k < s->n; k++) {
        s->share[k] += x[k];
    }
    return true;
}

/* True where the functions do not change any more. */
static bool are_still(const ha__slide *s, const double *rate)
{
    for (int i = 0; i < s->n; i++) {
        if (!(fabs(rate[i]) <= STILL * fabs(s->rate[1 + i][i] - s->rate[0][i]))) {
            return false;
        }
    }
    return true;
}

static bool find_shares(ha__slide *s, double t, const double *y, const double *yp)
{
    double rate[MOST];

    memset(s->share, 0, sizeof s->share);
    if (!rates_of(s, t, y, yp, s->rate[0])) {
        return false;
    }
    for (int k = 0; k < s->n; k++) {
        s->share[k] = 1.0;
        bool is_good = rates_of(s, t, y, yp, s->rate[1 + k]);
        s->share[k] = 0.0;
        if (!is_good) {
            return false;
        }
    }
    memcpy(rate, s->rate[0], sizeof rate);
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        if (!move_shares(s, rate) || !rates_of(s, t, y, yp, rate)) {
            return false;
        }
        if (are_still(s, rate)) {
            return true;
        }
    }
    return false;
}

/* True where the shares are those of this point. */
static bool is_where_they_were(const ha__slide *s, double t, const double *y)
{
    bool is_same = t == s->t_last;

    for (int j = 0; j < s->inner.n && is_same; j++) {
        is_same = s->inner.unknowns[j].kind != HA_DIFFERENTIAL || y[j] == s->y_last[j];
    }
    return is_same;
}

/* The shares at a point; not a number where there are none. */
static void follow(ha__slide *s, double t, const double *y, const double *yp)
{
    if (s->n == 0 || s->is_held || is_where_they_were(s, t, y)) {
        return;
    }
    s->is_held = true; /* while the refiner asks */
    bool is_good = find_shares(s, t, y, yp);
    s->is_held = false;
    for (int k = 0; k < s->n && !is_good; k++) {
        s->share[k] = (double) NAN;
    }
    s->t_last = t;
    memcpy(s->y_last, y, (size_t) s->inner.n * sizeof *y);
}

/* --- callbacks ------------------------------------------------------------------------------- */

/* What a callback is given. */
typedef struct {
    double t, cj;
    const double *y, *yp, *integrals;
} point;

/* Puts what a callback of the system gives at a point. */
typedef void evaluate(const ha_dae *dae, double *work, const point *p, double *values);

/* The mixture of the n values of the sides. */
static void mix(ha__slide *s, evaluate *inner, const point *p, size_t n, double *values)
{
    if (s->n == 0) {
        inner(&s->inner, s->work, p, values);
        return;
    }
    set_corner(s, -1);
    inner(&s->inner, s->work, p, values);
    double *part = s->part, *base = s->part + n;
    memcpy(base, values, n * sizeof *values);
    for (int k = 0; k < s->n; k++) {
        if (s->share[k] == 0.0) {
            continue;
        }
        set_corner(s, k);
        inner(&s->inner, s->work, p, part);
        for (size_t i = 0; i < n; i++) {
            values[i] += s->share[k] * (part[i] - base[i]);
        }
    }
    set_corner(s, -1);
}

static void inner_residual(const ha_dae *dae, double *work, const point *p, double *values)
{
    dae->residual(dae->model, work, p->t, p->y, p->yp, values);
}

static void inner_jacobian(const ha_dae *dae, double *work, const point *p, double *values)
{
    dae->jacobian(dae->model, work, p->t, p->cj, p->y, p->yp, values);
}

static void inner_start_system(const ha_dae *dae, double *work, const point *p, double *values)
{
    dae->start_system(dae->model, work, p->t, p->y, values);
}

static void inner_output(const ha_dae *dae, double *work, const point *p, double *values)
{
    dae->held_output(dae->model, work, p->t, p->y, p->yp, p->integrals, values);
}

static void inner_rate(const ha_dae *dae, double *work, const point *p, double *values)
{
    dae->rate(dae->model, work, p->t, p->y, p->yp, values);
}

static void inner_check(const ha_dae *dae, double *work, const point *p, double *values)
{
    dae->check(dae->model, work, p->t, p->y, p->yp, p->integrals, values);
}

/* The object behind the model; it is the run's own. */
static ha__slide *slide_of(const void *model)
{
    return *(ha__slide *const *) model;
}

static void residual(const void *model, double *work, double t, const double *y, const double *yp,
                     double *r)
{
    ha__slide *s = slide_of(model);

    (void) work;
    follow(s, t, y, yp);
    mix(s, inner_residual, &(point){ t, 0.0, y, yp, NULL }, (size_t) s->inner.n, r);
}

static void jacobian(const void *model, double *work, double t, double cj, const double *y,
                     const double *yp, double *values)
{
    ha__slide *s = slide_of(model);

    (void) work;
    follow(s, t, y, yp);
    mix(s, inner_jacobian, &(point){ t, cj, y, yp, NULL },
        (size_t) s->inner.column_start[s->inner.n], values);
}

static void start_system(const void *model, double *work, double t, const double *y, double *values)
{
    ha__slide *s = slide_of(model);

    (void) work;
    follow(s, t, y, s->yp);
    mix(s, inner_start_system, &(point){ t, 0.0, y, NULL, NULL },
        (size_t) s->inner.n_start_values + (size_t) s->inner.n, values);
}

static void output(const void *model, double *work, double t, const double *y, const double *yp,
                   const double *integrals, double *out)
{
    ha__slide *s = slide_of(model);

    if (s->n == 0 || s->inner.held_output == NULL) {
        s->inner.output(s->inner.model, work, t, y, yp, integrals, out);
        return;
    }
    follow(s, t, y, yp);
    mix(s, inner_output, &(point){ t, 0.0, y, yp, integrals }, (size_t) s->inner.n_outputs, out);
}

static void rate(const void *model, double *work, double t, const double *y, const double *yp,
                 double *rates)
{
    ha__slide *s = slide_of(model);

    (void) work;
    follow(s, t, y, yp);
    mix(s, inner_rate, &(point){ t, 0.0, y, yp, NULL }, (size_t) s->inner.n_integrals, rates);
}

static void check(const void *model, double *work, double t, const double *y, const double *yp,
                  const double *integrals, double *watched)
{
    ha__slide *s = slide_of(model);

    (void) work;
    follow(s, t, y, yp);
    mix(s, inner_check, &(point){ t, 0.0, y, yp, integrals }, (size_t) s->inner.n_checks, watched);
}

static void set_sides(const void *model, double *work, const signed char *sides)
{
    ha__slide *s = slide_of(model);

    (void) work, (void) sides; /* those that are held */
    s->t_last = (double) NAN;
    set_corner(s, -1);
}

/* The others know nothing of the sides, or are asked on one of them. */
#define PASS_ON(callback, parameters, arguments)                                                   \
    static void callback parameters                                                                \
    {                                                                                              \
        const ha_dae *dae = &slide_of(model)->inner;                                               \
        model = dae->model;                                                                        \
        dae->callback arguments;                                                                   \
    }

#define AT_POINT const void *model, double *work, double t, const double *y, const double *yp

PASS_ON(prepare, (const void *model, const double *parameters, double *work),
        (model, parameters, work))
PASS_ON(switching, (AT_POINT, double *values), (model, work, t, y, yp, values))
PASS_ON(sample, (AT_POINT, double *values), (model, work, t, y, yp, values))
PASS_ON(keep, (AT_POINT, double *values), (model, work, t, y, yp, values))
PASS_ON(clocks, (const void *model, double *work, double t0, double t1, double *low, double *high),
        (model, work, t0, t1, low, high))
PASS_ON(signals, (const void *model, double *work, double t0, double t1, double *low, double *high),
        (model, work, t0, t1, low, high))
PASS_ON(enclose,
        (const void *model, double *work, const ha_dae_span *span, double *low, double *high,
         double *slope_low, double *slope_high),
        (model, work, span, low, high, slope_low, slope_high))
PASS_ON(condition,
        (const void *model, double *work, double t, const double *y, double *phi, double *f),
        (model, work, t, y, phi, f))
PASS_ON(set_drift_rate, (const void *model, double *work, double rate), (model, work, rate))

/* --- the object ------------------------------------------------------------------------------ */

/* True of a switching function whose surface can be held. */
static bool can_hold(const ha_dae *dae, int k)
{
    for (int i = 0; i < dae->n_holds; i++) {
        if (dae->holds[i].condition == k) {
            return false;
        }
    }
    return dae->is_clock[k] == 0;
}

/* The callbacks that mix in the places of those of the system, where it has these. */
static void wrap(ha__slide *s, const ha_dae *dae)
{
    s->inner = s->outer = *dae;
    s->outer.model = &s->self;
    s->outer.prepare = prepare;
    s->outer.residual = residual;
    s->outer.jacobian = jacobian;
    s->outer.start_system = dae->start_system != NULL ? start_system : NULL;
    s->outer.output = output;
    s->outer.rate = rate;
    s->outer.check = check;
    s->outer.switching = switching;
    s->outer.clocks = clocks;
    s->outer.signals = signals;
    s->outer.enclose = enclose;
    s->outer.sample = sample;
    s->outer.keep = keep;
    s->outer.set_sides = set_sides;
    s->outer.set_drift_rate = dae->set_drift_rate != NULL ? set_drift_rate : NULL;
    s->outer.condition = condition;
    s->solved = s->outer;
    s->solved.output_reads_solved = 1; /* so that derivatives are solved for in any system */
}

static ha_status allocate(ha__slide *s)
{
    const ha_dae *dae = &s->inner;
    size_t n = (size_t) dae->n;
    size_t room = n + (size_t) dae->column_start[dae->n] + (size_t) dae->n_start_values +
                  (size_t) dae->n_outputs + (size_t) dae->n_integrals + (size_t) dae->n_checks;

    HA_TRY_ALLOC(s->ctx, s->part, 2 * room, s->side, dae->n_switches);
    HA_TRY_ALLOC(s->ctx, s->span, 4 * (size_t) dae->n_switches + 2 * (size_t) dae->n_switch_inputs);
    HA_TRY_ALLOC_EACH(s->ctx, n, s->y, s->yp, s->y_last);
    return ha__refiner_new(s->ctx, &s->solved, s->work, true, &s->refiner);
}

ha_status ha__slide_new(ha_ctx *ctx, const ha_dae **dae, double *work, ha__sides *sides,
                        ha__slide **out)
{
    bool is_any = false;

    *out = NULL;
    for (int k = 0; k < (*dae)->n_switches; k++) {
        is_any = is_any || can_hold(*dae, k);
    }
    if (!is_any || (*dae)->enclose == NULL) {
        return HA_OK;
    }

    ha__slide *s = ha__alloc(ctx, 1, sizeof *s);
    HA_TRY_MEMORY(s);
    *s = (ha__slide){ .ctx = ctx, .work = work, .sides = sides, .t_last = (double) NAN };
    s->self = s;
    wrap(s, *dae);
    ha_status status = allocate(s);
    if (status != HA_OK) {
        ha__slide_free(s);
        return status;
    }
    *dae = &s->outer;
    *out = s;
    return HA_OK;
}

void ha__slide_free(ha__slide *s)
{
    if (s != NULL) {
        ha__refiner_free(s->refiner);
        HA_FREE(s->part, s->y, s->yp, s->y_last, s->side, s->span, s);
    }
}

/* --- events ---------------------------------------------------------------------------------- */

double ha__slide_margin(ha__slide *s, double t, const double *y, const double *yp)
{
    double least = (double) INFINITY;

    if (s == NULL) {
        return least;
    }
    follow(s, t, y, yp);
    for (int k = 0; k < s->n; k++) {
        double margin = fmin(s->share[k], 1.0 - s->share[k]);
        least = margin < least || isnan(margin) ? margin : least;
    }
    return isnan(least) ? -(double) INFINITY : least;
}

/* Holds surface k no longer; its side is that to which its share went. */
static void let_go(ha__slide *s, int i)
{
    int k = s->surface[i];

    s->sides->side[k] = s->share[i] > 0.5;
    s->sides->slack[k] = 0.0;
    s->sides->is_set[k] = 1;
    s->n--;
    for (int l = i; l < s->n; l++) {
        s->surface[l] = s->surface[l + 1];
        s->share[l] = s->share[l + 1];
    }
    s->t_last = (double) NAN;
}

int ha__slide_leave(ha__slide *s, double t, const double *y, const double *yp)
{
    int n = 0;

    if (s == NULL || !(ha__slide_margin(s, t, y, yp) < 0.0)) {
        return 0;
    }
    for (int i = s->n - 1; i >= 0; i--) {
        if (!(s->share[i] >= 0.0 && s->share[i] <= 1.0)) {
            let_go(s, i);
            n++;
        }
    }
    return n;
}

/* True where function k is another on its other side, at the point where the shares were sought. */
static bool hangs_on_itself(ha__slide *s, int k)
{
    double *value[2] = { s->span, s->span + s->inner.n_switches };

    for (int i = 0; i < 2; i++) {
        set_corner(s, i == 0 ? -1 : k);
        s->inner.switching(s->inner.model, s->work, s->t_last, s->y, s->yp, value[i]);
    }
    set_corner(s, -1);
    return value[0][k] != value[1][k];
}

/* Holds surface k, too, if both sides lead to it. */
static bool try_surface(ha__slide *s, int k, double t, const double *y, const double *yp,
                        ha_dae_stats *stats)
{
    int last = s->n;

    for (int i = 0; i < s->n; i++) {
        if (s->surface[i] == k) {
            return false;
        }
    }
    if (s->n == MOST) {
        return false;
    }
    s->surface[s->n++] = k;
    s->rate[1 + last][last] = (double) NAN;
    s->t_last = (double) NAN;
    double least = s->inner.switch_reads_solved[k] != 0 ? 0.0 : INSIDE; /* a share may grow */
    bool holds = ha__slide_margin(s, t, y, yp) >= least && s->rate[1 + last][last] < 0.0 &&
                 s->rate[0][last] > 0.0 && !hangs_on_itself(s, k);
    if (holds) {
        s->sides->slack[k] = (double) INFINITY;
        s->sides->side[k] = 0;
        stats->t_slide = stats->slides == 0 ? t : stats->t_slide;
        stats->slides++;
    } else {
        s->n = last;
        s->t_last = (double) NAN;
        set_corner(s, -1);
    }
    return holds;
}

int ha__slide_begin(ha__slide *s, double t, const double *y, const double *yp, ha_dae_stats *stats)
{
    size_t n = s != NULL ? (size_t) s->inner.n_switches : 0;
    int n_found = 0;

    for (size_t k = 0; k < n; k++) {
        if (s->n == MOST || s->sides->g[k] != 0.0 || !can_hold(&s->inner, (int) k)) {
            continue;
        }
        bool holds = try_surface(s, (int) k, t, y, yp, stats);
        bool leaves = !holds && s->rate[1 + s->n][s->n] < 0.0;
        s->sides->side[k] = holds || leaves ? 0 : s->sides->side[k];
        s->sides->is_set[k] = 1;
        n_found += holds || leaves;
    }
    return n_found;
}

int ha__slide_enter(ha__slide *s, double t, const double *y, const double *yp, ha_dae_stats *stats)
{
    int n = 0;

    for (int k = 0; s != NULL && k < s->inner.n_switches; k++) {
        bool is_met = s->sides->is_set[k] != 0 && can_hold(&s->inner, k);
        n += is_met && try_surface(s, k, t, y, yp, stats) ? 1 : 0;
    }
    return n;
}

ha_status ha__slide_status(const ha__slide *s)
{
    return s != NULL ? s->status : HA_OK;
}
