/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The work of a search for a cycle, shared by its parts. Not installed. */
#ifndef BONDGRAPH_PERIODIC_PRIV_H
#define BONDGRAPH_PERIODIC_PRIV_H

#include "bondgraph/analysis/linear_priv.h"
#include "bondgraph/periodic.h"
#include "lib/dae/dae_priv.h"

/* The search. */
typedef struct {
    ha_ctx *ctx;
    ha_ctx *quiet; /* of the runs: what they say is told only where they fail */
    const bg_model *m;
    const bg_cycle_options *options;
    bg_cycle *out;
    double rtol;         /* of the runs */
    double period;       /* as it stands [s] */
    double first_period; /* given, or guessed [s] */
    double *work;        /* of the callbacks */
    ha__projector *projector;
    int n_states, *state;    /* (n_states) unknowns that are independent and act on something */
    double *basis;           /* (n x n_states) by columns of n: the tangent space at `y` */
    double *scale;           /* (n) usual magnitude of each unknown */
    double *y, *yp;          /* (n) at the begin of a period, and its derivative */
    double *end, *end_p;     /* (n) after a period */
    double *turns;           /* (n) full turns that an unknown is farther then */
    double *residual;        /* (n) what it is off by, in its scale; 0 of what acts on nothing */
    double *try_y, *try_end; /* (n) of a run with a deviation */
    double *kept;            /* (4 n) y, yp, end, end_p before a step that may be taken back */
    double *monodromy;       /* (n_states x n_states) by rows, of the last full step of Newton's */
    bool has_monodromy;      /* it is there, and good */
    bool is_implicit;        /* a run took the implicit method, */
    bool has_events;         /* or had an event */
} bg__shooting;

/* periodic_shot.c: runs from `from` (n) for `time` to `end` (n), with an observer or NULL; what a
   failed run says is told. HA_ERR_INTERRUPTED where the observer ends it. */
HA_MUST_CHECK ha_status bg__shoot(bg__shooting *s, const double *from, double time,
                                  const ha_dae_observer *observer, double *end);

/* periodic_shot.c: y' at a point; its algebraic unknowns too. */
HA_MUST_CHECK ha_status bg__cycle_rates(bg__shooting *s, double t, double *y, double *yp);

/* periodic_shot.c: the independent states and the tangent space at s->y. */
HA_MUST_CHECK ha_status bg__cycle_tangent(bg__shooting *s);

/* periodic_shot.c: s->y moved by the states' changes dx (n_states), back on the constraints. */
HA_MUST_CHECK ha_status bg__cycle_move(bg__shooting *s, const double *dx, double *out);

/* periodic_shot.c: what s->end is off by from s->y: turns and residual. Returns the largest. */
double bg__cycle_residual(bg__shooting *s);

/* periodic_shot.c: the derivative of the states after a period by those at its begin, by
   differences on both sides of `step` scales; with one side only where `is_rough`. */
HA_MUST_CHECK ha_status bg__cycle_differences(bg__shooting *s, double step, bool is_rough,
                                              double *out);

/* periodic_exact.c: the same exactly, for smooth equations that are not stiff; `*error` is what the
   integration leaves, for deviations of one scale. */
HA_MUST_CHECK ha_status bg__cycle_follow(bg__shooting *s, double *out, double *error);

/* periodic_search.c: a guess of the period where nothing drives the model, with s->y on the way. */
HA_MUST_CHECK ha_status bg__cycle_guess(bg__shooting *s);

/* The number of periods after which what is prescribed in parts of a turn has made whole ones. */
int bg__cycle_whole_turns(const bg__shooting *s);

/* periodic_shot.c: true of an unknown that is in the equations other than by its own rate. */
bool bg__cycle_acts(const bg_model *m, int j);

/* periodic_held.c: fails where the period is not one of samples, by name. */
HA_MUST_CHECK ha_status bg__cycle_check_sampling(bg__shooting *s);

/* Refuses signals that are noise, which never come again. */
HA_MUST_CHECK ha_status bg__cycle_refuse_noise(const bg__shooting *s);

/* periodic_held.c: fails where a value is held over the begin of the cycle. */
HA_MUST_CHECK ha_status bg__cycle_check_held(bg__shooting *s);

/* periodic_shot.c: true of the angle of a body, which comes back after whole turns. */
bool bg__cycle_turns(const bg_model *m, int j);

/* periodic_shot.c: by how much an unknown has changed but for full turns. */
double bg__cycle_change(const bg_model *m, int j, double from, double to, double *turns);

#endif
