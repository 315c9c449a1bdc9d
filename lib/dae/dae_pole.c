/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Poles of rates that are integrated.
 *
 * Where a law divides by something that goes through 0, a power may go as c / |t - t*|^p while the
 * unknowns are smooth, and no error test sees it. With p >= 1 its integral has no value: no motion
 * gets over that.
 *
 * The largest |r| in a range is enclosed ever closer: of five points, evenly spaced, the half about
 * the largest is kept. In a range of length h, |r| h falls as h where r is bounded, as h^(1 - p) at
 * a pole: by less than FALLS where p is near to 1 or more.
 */
#include <config.h>

#include "lib/dae/dae_priv.h"

#include <math.h>

enum { POINTS = 5, FIRST_HALVINGS = 7, HALVINGS = 23 };

static const double FALLS = 0.25;
static const double RESOLVED = 1e-14; /* of the time */
static const double GROWS = 2.0;      /* what has the pole, beside what it was */

typedef struct {
    ha__size_at *function;
    void *user;
    double t[POINTS], size[POINTS];
} range;

static ha_status look(range *r, int k, double t)
{
    r->t[k] = t;
    return r->function(r->user, t, &r->size[k]);
}

static int largest_of(const range *r)
{
    int largest = 0;

    for (int k = 1; k < POINTS; k++) {
        largest = r->size[k] > r->size[largest] ? k : largest;
    }
    return largest;
}

/* Keeps the half about the largest value. */
static ha_status halve(range *r)
{
    const int largest = largest_of(r), last = POINTS - 2;
    const int middle = largest < 1 ? 1 : largest > last ? last : largest;
    const range whole = *r;

    for (int k = 0; k < 3; k++) {
        r->t[2 * k] = whole.t[middle - 1 + k];
        r->size[2 * k] = whole.size[middle - 1 + k];
    }
    for (int k = 1; k < POINTS; k += 2) {
        HA_TRY(look(r, k, 0.5 * (r->t[k - 1] + r->t[k + 1])));
    }
    return HA_OK;
}

/* True where its times can be told from one another. */
static bool is_wide(const range *r)
{
    return r->t[POINTS - 1] - r->t[0] > RESOLVED * fabs(r->t[0]);
}

/* |r| h */
static double area(const range *r)
{
    return r->size[largest_of(r)] * (r->t[POINTS - 1] - r->t[0]);
}

/* Halves the range so often, or as long as its times differ; whether |r| h stays as it is. */
static ha_status narrow(range *r, int halvings, bool *stays)
{
    double before = area(r);

    for (int k = 0; k < halvings && is_wide(r); k++) {
        HA_TRY(halve(r));
    }
    *stays = area(r) > FALLS * before || isinf(area(r));
    return HA_OK;
}

ha_status ha__find_pole(double a, double b, ha__size_at *function, void *user, double *t)
{
    range r = { .function = function, .user = user };
    bool stays = false;

    for (int k = 0; k < POINTS; k++) {
        HA_TRY(look(&r, k, a + k * (b - a) / (POINTS - 1)));
    }
    HA_TRY(narrow(&r, FIRST_HALVINGS, &stays)); /* enough for most */
    stays = stays && is_wide(&r);
    HA_TRY(stays ? narrow(&r, HALVINGS, &stays) : HA_OK);
    *t = stays ? r.t[largest_of(&r)] : (double) NAN;
    return HA_OK;
}

/* How much something has grown at the pole; 0 where that has no value. */
static double growth(double before, double at)
{
    double times = fabs(at) / fabs(before);

    return isfinite(times) ? times : 0.0;
}

/* What has the pole: first of all an unknown that is integrated, which the rest hangs on. */
static const char *find_name(const ha_dae *dae, const double *y, const double *outputs)
{
    const char *name = NULL;
    double most = GROWS;

    for (int j = 0; j < dae->n; j++) {
        double times = growth(y[j], y[dae->n + j]);
        if (dae->unknowns[j].kind == HA_DIFFERENTIAL && times > most) {
            most = times;
            name = dae->unknowns[j].name;
        }
    }
    const bool is_unknown = name != NULL;
    for (int i = 0; i < dae->n_outputs && !is_unknown; i++) {
        double times = growth(outputs[i], outputs[dae->n_outputs + i]);
        if (times > most) {
            most = times;
            name = dae->outputs[i].name;
        }
    }
    return name;
}

ha_status ha__fail_at_pole(ha_ctx *ctx, const ha_dae *dae, double t, const double *y,
                           const double *outputs)
{
    const char *name = find_name(dae, y, outputs);
    char time[HA__NUMBER_SIZE];

    return ha_fail(ctx, HA_ERR_SOLVER, HA_NOWHERE,
                   "the solver stopped at t = %s s: %s%s%s grows beyond all bounds there, and the "
                   "energy has no value behind; look for a modulus or a law that divides by 0",
                   ha__dae_number(time, t), name == NULL ? "" : "`",
                   name == NULL ? "a power" : name, name == NULL ? "" : "`");
}
