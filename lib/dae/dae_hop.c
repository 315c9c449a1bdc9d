/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps over a singular position, where a multistep method gets stuck.
 *
 * On the positions and velocities that keep the constraints the motion is smooth up to a singular
 * position and beyond, but next to them the accelerations are not: off by delta they are wrong by
 * delta / x at a distance x. So the explicit method of Dormand and Prince (order 5, error estimate
 * of order 4) integrates
 *
 *     y' = g(P(y)),
 *
 * P bringing back to the constraints (dae_project.c) and g being the accelerations that the start
 * system gives there: on the constraints this is the same equation, and smooth enough around them
 * for the method to keep its order. Nothing is evaluated between the stages, so that a singular
 * position between two of them is not seen at all; a stage that happens to lie in one makes the
 * step a little shorter.
 *
 * Next to a singular position the accelerations of a stage may have no solution, where friction
 * hangs on reactions that are not determined; it then has those of the stage before. The ends of a
 * step are not next to one: one that nothing was solved in does not end the step. If all stages had
 * the accelerations of the first the estimated error would be none.
 *
 * Where positions or velocities grow without bound, the projection leads to the other side of the
 * pole all the same, with x = 1 / (t - t*) from the largest to the least. No motion does that: a
 * step with a pole inside is not done.
 *
 * The quadratures are integrated along by the same stages. Where friction has its share in the
 * balance that determines the reactions, they and the power lost have a pole beside the singular
 * position; what a stage next to it takes off the motion is what the books say then, whereas a
 * quadrature with points of its own finds a loss that the motion has not seen.
 */
#include <config.h>

#include "lib/dae/dae_hop.h"

#include "lib/core/mem.h"
#include "lib/dae/dae_priv.h"
#include "lib/dae/method/runge_table.h"

#include <math.h>
#include <string.h>

/* Steps that are tried, as shares of the one asked for. No simple ratios: stages must not meet the
   same place again; the last is the longest. Much shorter ones would get stuck too; longer ones get
   out of a singular position. */
static const double shares[] = { 1.0, 0.37, 0.137, 2.7, 7.4 };
static const double AT_END = 1e-9; /* of a step, missing to the end: the step ends there */
/* Of the nominal size of an unknown: next to a singular position no more is known of it, since
   there round-off counts by its root. */
static const double TRIFLE = 1e-6;
static const double BEYOND = 1e4;    /* times the ends of a step: a pole lies between them */
static const double REGULAR = 1e-10; /* rank of P: only what is singular to round-off is left out */

/* Lowest condition on the way of a hop beside its highest where it went over a singular position:
   there it goes to 0. A linkage that nearly folds, to a sine of 0.03, has more. */
static const double CROSSED = 1e-3;

/* Of 8 conditions evenly spaced over the step from its begin on, the least beside the highest:
   above this share the step went over no singular position. The condition falls to 0 there at least
   as the distance does, and the nearest of the 8 has a seventh of the distance of the farthest, or
   less. */
static const double MAY_CROSS = 0.3;

/* Golden sections, down to 2e-9 of what is searched: there a pole 1 / sqrt(t - t*), the weakest, is
   2e4 times as large as at the ends. What grows nearer than that only is round-off over the
   distance to a singular position, which is no pole. */
enum { MOST_ROUNDS = 42 };

static const ha__runge_table *const table = &ha__runge_order5;

ha_status ha__hopper_init(ha__hopper *hopper, ha_ctx *ctx, const ha_dae *dae, double *work,
                          ha__projector *projector, ha__refiner *refiner)
{
    *hopper = (ha__hopper){
        .ctx = ctx, .dae = dae, .work = work, .projector = projector, .refiner = refiner
    };
    HA_TRY_ALLOC(ctx, hopper->rates, (size_t) table->n_stages * (size_t) dae->n_integrals);
    HA_TRY_ALLOC(ctx, hopper->stages, (size_t) table->n_stages * (size_t) dae->n);
    HA_TRY_ALLOC(ctx, hopper->point, 5 * (size_t) dae->n);
    return HA_OK;
}

void ha__hopper_clear(ha__hopper *hopper)
{
    HA_FREE(hopper->stages, hopper->rates, hopper->point);
    *hopper = (ha__hopper){ 0 };
}

void ha__hopper_begin(ha__hopper *hopper)
{
    hopper->lowest = (double) INFINITY;
    hopper->highest = 0.0;
}

bool ha__hopper_has_crossed(const ha__hopper *hopper)
{
    return hopper->lowest < CROSSED * hopper->highest;
}

/* Projects y and finds yp and the algebraic unknowns there; false where that is not possible. What
   round-off leaves is now more and now less: the most is noted. */
static ha_status land(ha__hopper *hopper, double t, double *y, double *yp, bool *is_good)
{
    int rank = 0;

    HA_TRY(ha__project(hopper->projector, t, REGULAR, y, yp, &rank));
    double noise = ha__projection_noise(hopper->projector, hopper->rtol, hopper->atol, y);
    hopper->noise = fmax(hopper->noise, noise);
    HA_TRY(ha__refine(hopper->refiner, t, y, yp, is_good));
    *is_good = *is_good && rank == hopper->dae->n_conditions &&
               ha__first_not_finite(yp, hopper->dae->n) < 0;
    return HA_OK;
}

/* Keeps what the quadratures integrate at a stage. */
static void keep_rates(ha__hopper *hopper, int stage, double t, const double *y, const double *yp)
{
    const ha_dae *dae = hopper->dae;

    if (dae->n_integrals > 0) {
        dae->rate(dae->model, hopper->work, t, y, yp, hopper->rates + stage * dae->n_integrals);
    }
}

/* y = y0 + h times the weighted sum of the stages; only differential unknowns move. */
static void combine(const ha__hopper *hopper, const double *weights, int n_stages, double h,
                    const double *y0, double *y)
{
    int n = hopper->dae->n;

    memcpy(y, y0, (size_t) n * sizeof *y);
    for (int k = 0; k < n_stages; k++) {
        for (int j = 0; j < n; j++) {
            y[j] += hopper->dae->unknowns[j].kind == HA_DIFFERENTIAL
                        ? h * weights[k] * hopper->stages[k * n + j]
                        : 0.0;
        }
    }
}

/* Local error in units of what is allowed. */
static double error_of(const ha__hopper *hopper, double rtol, double atol, double h,
                       const double *y)
{
    int n = hopper->dae->n, count = 0;
    double sum = 0.0;

    for (int j = 0; j < n; j++) {
        double error = 0.0;
        if (hopper->dae->unknowns[j].kind != HA_DIFFERENTIAL) {
            continue;
        }
        for (int k = 0; k < table->n_stages; k++) {
            error += h * table->error[k] * hopper->stages[k * n + j];
        }
        error /= ha__tolerance(hopper->dae, j, rtol, atol, y[j]);
        sum += error * error;
        count++;
    }
    return sqrt(sum / count);
}

/* All stages of a step from y0, yp0; the end in y, yp. */
static ha_status try_step(ha__hopper *hopper, double t, double h, const double *y0,
                          const double *yp0, double *y, double *yp, bool *is_good)
{
    size_t n = (size_t) hopper->dae->n;

    memcpy(hopper->stages, yp0, n * sizeof *yp);
    memcpy(yp, yp0, n * sizeof *yp);
    *is_good = true;
    for (int k = 1; k < table->n_stages && *is_good; k++) {
        combine(hopper, table->weight + k * (table->n_stages - 1), k, h, y0, y);
        HA_TRY(land(hopper, t + table->node[k] * h, y, yp, is_good));
        memcpy(hopper->stages + (size_t) k * n, yp, n * sizeof *yp);
        keep_rates(hopper, k, t + table->node[k] * h, y, yp);
    }
    return HA_OK;
}

/* The table's sum of the stages of unknown or quadrature j of n, by one row of its weights. */
static double sum_stages(const double *weights, const double *stages, int n, int j)
{
    double sum = 0.0;

    for (int k = 0; k < table->n_stages; k++) {
        sum += weights[k] * stages[k * n + j];
    }
    return sum;
}

/* What quadrature i has gained at the share s of the step; as in inside(). */
static double gained(const ha__hopper *hopper, int i, double s)
{
    int n = hopper->dae->n_integrals, last = table->n_stages - 1;
    double h = hopper->t1 - hopper->t0, rise = 0.0;
    double c = h * sum_stages(table->dense, hopper->rates, n, i);

    for (int k = 0; k < last; k++) {
        rise += h * table->weight[last * last + k] * hopper->rates[k * n + i];
    }
    double a = h * hopper->rates[i] - rise, b = rise - h * hopper->rates[last * n + i];
    double p = s * (1.0 - s);
    return s * rise + p * ((1.0 - s) * a + s * b + p * c);
}

void ha__hop_gain(void *user, double a, double b, double *gain)
{
    const ha__hopper *hopper = user;
    double h = hopper->t1 - hopper->t0;

    for (int i = 0; i < hopper->dae->n_integrals; i++) {
        gain[i] = gained(hopper, i, (b - hopper->t0) / h) - gained(hopper, i, (a - hopper->t0) / h);
    }
}

/* The solution at the share s of the step in unknown j, which is differential, and its rate. */
static double inside(const ha__hopper *hopper, int j, double s, double *rate)
{
    int n = hopper->dae->n;
    const double *y0 = hopper->point, *yp0 = y0 + n, *y1 = yp0 + n, *yp1 = y1 + n;
    double h = hopper->t1 - hopper->t0, rise = y1[j] - y0[j];
    double a = h * yp0[j] - rise, b = rise - h * yp1[j];
    double c = h * sum_stages(table->dense, hopper->stages, n, j);

    double p = s * (1.0 - s), q = (1.0 - s) * a + s * b + p * c;
    double dp = 1.0 - 2.0 * s, dq = b - a + dp * c;
    *rate = (rise + dp * q + p * dq) / h;
    return y0[j] + s * rise + p * q;
}

/* The solution inside the last step as interpolated. */
static void interpolate(const ha__hopper *hopper, double t, double *y, double *yp)
{
    const int n = hopper->dae->n;
    const double *y0 = hopper->point, *y1 = y0 + 2 * n;
    double s = (t - hopper->t0) / (hopper->t1 - hopper->t0), rate = 0.0;

    for (int j = 0; j < n; j++) {
        bool is_smooth = hopper->dae->unknowns[j].kind == HA_DIFFERENTIAL;
        y[j] = is_smooth ? inside(hopper, j, s, &rate) : y0[j] + s * (y1[j] - y0[j]);
        if (yp != NULL && is_smooth) {
            yp[j] = rate;
        }
    }
}

void ha__hop_dense(void *user, double t, double *y, double *yp)
{
    ha__hopper *hopper = user;
    const double *yp1 = hopper->point + 3 * hopper->dae->n;
    int rank = 0;

    interpolate(hopper, t, y, yp);
    if (hopper->status == HA_OK) {
        hopper->status =
            ha__project(hopper->projector, t, REGULAR, y, yp == NULL ? yp1 : yp, &rank);
    }
}

/* --- poles ----------------------------------------------------------------------------------- */

/* True where unknown j may have a pole inside the last step: it grows away from 0 at the begin and
   comes back to it at the end, each so fast that it would do all of its way within the step. With
   x = c / |t - t*|^p it is |x / x'| = |t - t*| / p, and p at least a half. */
static bool may_have_pole(const ha__hopper *hopper, int j)
{
    const ha_dae *dae = hopper->dae;
    size_t n = (size_t) dae->n;
    const double *y0 = hopper->point, *yp0 = y0 + n, *y1 = yp0 + n, *yp1 = y1 + n;
    double h = hopper->t1 - hopper->t0, least = fmin(fabs(y0[j]), fabs(y1[j]));

    return dae->unknowns[j].kind == HA_DIFFERENTIAL && y0[j] * yp0[j] > 0.0 &&
           y1[j] * yp1[j] < 0.0 && fabs(y0[j]) <= 2.0 * h * fabs(yp0[j]) &&
           fabs(y1[j]) <= 2.0 * h * fabs(yp1[j]) &&
           least > TRIFLE * fmax(dae->unknowns[j].nominal, dae->unknowns[j].scale);
}

/* A quantity inside the last step, at time t: of the unknown j, where it is one of an unknown. */
typedef double sought(ha__hopper *hopper, int j, double t);

/* The least found between a and b by golden section; it ends at one that is below `enough`. */
static double seek(ha__hopper *hopper, sought *value, int j, double a, double b, double enough)
{
    const double golden = 0.5 * (sqrt(5.0) - 1.0);
    double t[2] = { b - golden * (b - a), a + golden * (b - a) };
    double x[2] = { value(hopper, j, t[0]), value(hopper, j, t[1]) };

    for (int round = 0; round < MOST_ROUNDS && t[0] < t[1] && !(fmin(x[0], x[1]) < enough);
         round++) {
        int falls = x[1] < x[0], other = 1 - falls;
        *(falls ? &a : &b) = t[other];
        t[other] = t[falls];
        x[other] = x[falls];
        t[falls] = falls ? a + golden * (b - a) : b - golden * (b - a);
        x[falls] = value(hopper, j, t[falls]);
    }
    return fmin(x[0], x[1]);
}

/* Room for values inside the last step. */
static double *room_inside(const ha__hopper *hopper)
{
    return hopper->point + 4 * (size_t) hopper->dae->n;
}

static double less_size(ha__hopper *hopper, int j, double t)
{
    double *y = room_inside(hopper);

    ha__hop_dense(hopper, t, y, NULL);
    return -fabs(y[j]);
}

/* True where unknown j gets beyond all bounds inside the last step: its magnitude rises up to the
   pole and falls behind it. */
static bool is_unbounded(ha__hopper *hopper, int j)
{
    const double *y0 = hopper->point, *y1 = y0 + 2 * (size_t) hopper->dae->n;
    double most = BEYOND * fmax(fabs(y0[j]), fabs(y1[j]));

    return !(seek(hopper, less_size, j, hopper->t0, hopper->t1, -most) >= -most);
}

/* True where the last step went over a pole of the motion: behind it the constraints may have a
   motion again, but nothing gets there. */
static bool has_pole(ha__hopper *hopper)
{
    for (int j = 0; j < hopper->dae->n; j++) {
        if (may_have_pole(hopper, j) && is_unbounded(hopper, j)) {
            return true;
        }
    }
    return false;
}

/* --- the way ---------------------------------------------------------------------------------- */

/* The condition of the constraints where they were evaluated last, which is on the way. */
static double note_condition(ha__hopper *hopper)
{
    double condition = ha__projection_measure(hopper->projector);

    hopper->lowest = fmin(hopper->lowest, condition);
    hopper->highest = fmax(hopper->highest, condition);
    return condition;
}

/* That at a time inside the last step. */
static double condition_at(ha__hopper *hopper, int j, double t)
{
    const double *yp1 = hopper->point + 3 * hopper->dae->n;
    double *y = room_inside(hopper);

    (void) j;
    interpolate(hopper, t, y, NULL);
    HA_THEN(hopper->status, ha__projection_look(hopper->projector, t, y, yp1));
    return note_condition(hopper);
}

/* Notes the conditions on the way of the last step. Its stages, and those of steps that were not
   taken, tell nothing: they are anywhere, and conditions there are as small as one likes. On the
   way the least one is sought, first in even parts, then by golden section about the least of them:
   where the constraints lose rank it gets to 0, and nowhere else does. It is sought until that is
   seen. `least` is that at its begin; that at its end is noted elsewhere. */
static void note_way(ha__hopper *hopper, double least)
{
    enum { PARTS = 8 };
    const double part = (hopper->t1 - hopper->t0) / PARTS;
    double middle = hopper->t0;

    for (int k = 1; k < PARTS && !ha__hopper_has_crossed(hopper); k++) {
        double t = hopper->t0 + k * part, condition = condition_at(hopper, 0, t);
        middle = condition < least ? t : middle;
        least = fmin(least, condition);
    }
    if (!ha__hopper_has_crossed(hopper) && least < MAY_CROSS * hopper->highest) {
        seek(hopper, condition_at, 0, fmax(middle - part, hopper->t0),
             fmin(middle + part, hopper->t1), CROSSED * hopper->highest);
    }
}

/* --- the hop --------------------------------------------------------------------------------- */

double ha__hop_longest(double h)
{
    return shares[HA_COUNT(shares) - 1] * h;
}

ha_status ha__hop(ha__hopper *hopper, double rtol, double atol, double t, double h, double *y,
                  double *yp, double *t1, bool *is_done)
{
    size_t n = (size_t) hopper->dae->n;
    double *y0 = hopper->point, *yp0 = y0 + n, *y_try = yp0 + n, *yp_try = y_try + n;
    double *y_in = room_inside(hopper);
    bool is_good = false;

    *is_done = false;
    HA_TRY(hopper->status);
    hopper->rtol = rtol;
    hopper->atol = atol;
    hopper->noise = 0.0;
    memcpy(y0, y, n * sizeof *y);
    memcpy(yp0, yp, n * sizeof *yp);
    HA_TRY(land(hopper, t, y0, yp0, &is_good));
    is_good = is_good && ha__refiner_has_solved(hopper->refiner);
    hopper->first = ha__projection_condition(hopper->projector);
    double begin = note_condition(hopper);
    keep_rates(hopper, 0, t, y0, yp0);
    for (size_t k = 0; is_good && k < HA_COUNT(shares); k++) {
        double step = shares[k] * h;
        bool is_regular = false;
        if (t + step > hopper->t_end) {
            continue;
        }
        HA_TRY(try_step(hopper, t, step, y0, yp0, y_try, yp_try, &is_regular));
        is_regular = is_regular && ha__refiner_has_solved(hopper->refiner); /* its end */
        if (!is_regular || !(error_of(hopper, rtol, atol, step, y0) <= 1.0)) {
            continue;
        }
        hopper->t0 = t;
        hopper->t1 = hopper->t_end - (t + step) <= AT_END * h ? hopper->t_end : t + step;
        if (has_pole(hopper)) {
            return hopper->status;
        }
        note_way(hopper, begin);
        memcpy(y, y_try, n * sizeof *y);
        memcpy(yp, yp_try, n * sizeof *yp);
        memcpy(y_in, y, n * sizeof *y);
        int rank = 0; /* what is asked of the projection is of the end of the step */
        HA_TRY(ha__project(hopper->projector, t + step, REGULAR, y_in, yp, &rank));
        note_condition(hopper);
        *t1 = hopper->t1;
        *is_done = true;
        return HA_OK;
    }
    return HA_OK;
}
