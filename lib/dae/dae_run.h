/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run, whatever the method: the loop over its steps, and what a method must be able to do. Not
 * installed; knows nothing of SUNDIALS or KLU.
 */
#ifndef LIB_DAE_RUN_H
#define LIB_DAE_RUN_H

#include "lib/dae/dae_nominal.h"
#include "lib/dae/dae_priv.h"

typedef struct ha__run ha__run;

/* What a method of integration can do. */
typedef struct ha__method {
    const char *name; /* as the option `driver` has it */

    /* Makes ready to begin at run->stats->t_reached with run->y, run->yp, into run->state. */
    ha_status (*open)(ha__run *run);

    /* Begins anew from there: the equations have switched. */
    ha_status (*restart)(ha__run *run);

    /* Has the next step end at run->next_stop at the latest. */
    ha_status (*set_stop)(ha__run *run);

    /* How long the next step may be at most. */
    ha_status (*plan)(ha__run *run, double *h);

    /* One step from *t0 to *t1 into run->y, run->yp; *t0 = t_end when the end is reached without
       one; *t1 = *t0 when there is none and run->gives_up says why. */
    ha_status (*step)(ha__run *run, double *t0, double *t1);

    /* The polynomials that the inputs of the switching functions (n_switch_inputs of the system)
       are inside that step, of u = (t - *base) / *h: coefficient k of input i goes to
       out[k * n_switch_inputs + i]. Their degree, at most HA__MOST_DEGREE; -1: there are none. */
    int (*unfold)(ha__run *run, double *out, double *base, double *h);

    /* There are such of algebraic unknowns and of derivatives, too. */
    bool unfolds_solved;

    /* The solution inside that step; `user` is the run, y and yp are its y_in and yp_in. */
    ha__dense dense;

    /* Takes the last step again, to a time inside it, into run->y, run->yp. Leaves these as they
       are where that cannot be done. Where it is a step of its own, and fails the test of its
       error, run->is_rejected is set: the method is back where it began, and takes a shorter one
       next. NULL: what is interpolated there serves. */
    ha_status (*land)(ha__run *run, double t);

    /* Looks at the accepted step of size h, after events. */
    ha_status (*watch)(ha__run *run, double h);

    /* Fails with why the run stops, for a reason of the loop. */
    ha_status (*stop)(ha__run *run, const char *reason, const char *advice);

    /* Adds its counts since it began to those of the run. */
    void (*count)(const ha__run *run);

    /* Frees run->state, also when `open` has failed. */
    void (*close)(ha__run *run);
} ha__method;

enum { HA__MOST_DEGREE = 8 /* of an interpolant */ };

/* A look into a step for events (dae_look.c). */
typedef struct ha__look {
    ha__run *run;
    double *coefficients; /* ((HA__MOST_DEGREE + 1) n_switch_inputs) of the interpolant */
    double *inputs;       /* (5 n_switch_inputs) in the middle, bounds, bounds of the slopes */
    double *bounds;       /* (5 n_switches) of values, of slopes; what tolerances leave open */
    signed char *kind;    /* (n_switches) how each is looked at */
    int n_watched;        /* functions that are no clocks, */
    int n_enclosed;       /* those of them that are enclosed in this step, */
    int n_sampled;        /* and those that are looked at in points only */
    int degree;           /* of the interpolant in this step; -1: there is none */
    double base, h;       /* of u = (t - base) / h */
    double t1, end;       /* the end of the step, and u there */
    bool has_noise;       /* what the tolerances leave open is known for this step */
    int left;             /* pieces that may still be enclosed in it */
} ha__look;

/* Sets it up for a run; to be freed with ha__look_clear(), also on failure. */
HA_MUST_CHECK ha_status ha__look_init(ha__look *look, ha__run *run);

/* Frees it. */
void ha__look_clear(ha__look *look);

/* Begins to look into the step up to t1. */
void ha__look_begin(ha__look *look, double t1);

/* True when a switching function leaves its side in that step behind t, as it is interpolated: `*t`
   becomes the first moment at which one is off, `*velocity` how fast it leaves. */
bool ha__look_next(ha__look *look, double *t, double *speed);

/* What a method has seen of what depends on the time alone (dae_foresee.c). */
typedef struct ha__foresight {
    double *recent;   /* values at the ends of the last steps */
    double *lengths;  /* of those steps */
    double *low;      /* (n, that of all signals) bounds of what was seen */
    double *high;     /* (n) */
    double *least;    /* (n) the least distance of those that counts */
    double *harmless; /* (2 n_signals) bounds of values that did no harm */
    double *bounds;   /* (2 n) scratch */
    long n_seen;      /* steps that were seen */
    double begin;     /* of the step that was planned last, */
    double planned;   /* how long it was to be at most, */
    double stop;      /* and where it has to end for a signal; infinite: nowhere */
    double end;       /* where it has to end at the latest */
    bool is_first;    /* no step has ended since */
    bool may_do_none; /* the last one ended at a signal as planned: harmless, if the next does */
} ha__foresight;

/* Sets it up for a run; to be freed with ha__foresight_clear(), also on failure. */
HA_MUST_CHECK ha_status ha__foresight_init(ha__foresight *foresight, ha__run *run);

/* Frees it. */
void ha__foresight_clear(ha__foresight *foresight);

/* Before a step: has it end where something that depends on the time alone does what no step has
   seen. */
HA_MUST_CHECK ha_status ha__run_foresee(ha__run *run);

/* The first time from t0 to t1 at which something does so; t1: none. */
double ha__run_unseen(ha__run *run, double t0, double t1);

/* The times from t0 to t1, in order, at which the first n signals are off what they are at
   `n_points` + 1 evenly spaced times there; how many. */
int ha__run_find_crests(ha__run *run, int n, double t0, double t1, int n_points,
                        double crests[HA__MOST_CRESTS]);

/* How far the last steps led (dae_pace.c). */
typedef struct {
    long window;    /* steps that are taken together */
    long steps;     /* those taken when the last window ended, */
    long same;      /* windows one after the other that did not lead to the end */
    double t;       /* the time that they had reached, */
    double advance; /* and how far that window led [s] */
} ha__pace;

/* dae_sources.c: HA_ERR_SOLVER when a source has a pole in the step from t0 to t1. */
HA_MUST_CHECK ha_status ha__run_check_sources(ha__run *run, double t0, double t1);

/* What a run needs. */
struct ha__run {
    ha_ctx *ctx;
    const ha_dae *dae;
    const ha_dae_options *options;
    ha_dae_stats *stats;
    double *work; /* scratch of the callbacks */
    ha__nominal nominal;
    ha__recorder recorder;
    ha__sides sides;
    ha__slide *slide; /* of the sides; owned */
    const ha__method *method;
    void *state; /* of the method */
    const char
        *gives_up; /* why the method would rather leave the rest to another; NULL: it would not */
    double share;  /* of the tolerances, that the error test gets */
    long on_trial; /* steps of an implicit method after which an explicit one is tried, */
    long steps_at_switch;    /* and those taken before it */
    double t_at_switch;      /* when that was, */
    long evaluations_before; /* those made before it, */
    double implicit_pace;    /* time that the implicit method gained by one; 0: it was not tried */
    double *y, *yp;          /* (n) the caller's: values at stats->t_reached */
    double *y_in, *yp_in;    /* (n) inside a step, and scratch */
    bool is_rejected;        /* the last step, taken again to an earlier end, was given up */
    bool is_between; /* a step is recorded, and y, yp are changing for an event at its end */
    ha__look look;
    ha__foresight foresight;
    ha__pace pace;
    double next_clock; /* time of the next event of a clock, or t_end */
    double next_stop;  /* where the next step ends at the latest */

    int64_t bad_equation; /* that was last not finite, -1: none */
    double bad_value;
    double bad_time;
    double *bad_y; /* (n) where it was not finite */
    double *bad_yp;
};

/* The methods (dae_ida.c, dae_explicit.c, dae_kinematic.c). */
extern const ha__method ha__method_ida, ha__method_explicit, ha__method_kinematic;

/* dae_pace.c: HA_ERR_SOLVER when the steps that are allowed cannot lead to the end. */
HA_MUST_CHECK ha_status ha__run_check_pace(ha__run *run);

/* dae_run_auto.c: the share of the tolerances that the error test gets, 0 to 1: less than all of
   them where errors of the method that a run begins with add up. */
double ha__run_share(const ha_dae *dae, const ha_dae_options *options);

/* dae_run_auto.c: the method to begin with, and why it is not another. */
void ha__run_choose(ha__run *run);

/* dae_run_auto.c: after a step, or where one could not be taken, another method when the option
   driver lets it be chosen and this one gives up; `*is_changed` tells. */
HA_MUST_CHECK ha_status ha__run_reconsider(ha__run *run, bool *is_changed);

/* dae_run_event.c: has the next step end at the next event of a clock, or at the end of the run. */
HA_MUST_CHECK ha_status ha__run_set_stop(ha__run *run);

/* dae_run_event.c: ends the step from t0 to *t1 where a switching function leaves its side, if one
   does; it may be rejected on the way. */
HA_MUST_CHECK ha_status ha__run_end_at_event(ha__run *run, double t0, double *t1);

/* dae_run_event.c: ends the step from t0 to *t1 where a surface held by dae_slide.c is left; the
 * same. */
HA_MUST_CHECK ha_status ha__run_end_at_leave(ha__run *run, double t0, double *t1);

/* dae_run_event.c: the last time before the event that the step from t0 ends with at t1; NAN where
   it ends with none. What jumps at the event is there as it was before. */
double ha__run_left_of_event(ha__run *run, double t0, double t1);

/* dae_run_event.c: after a step, switches where an event was, and begins anew there; also without
   an event where the step was cut short for one, since the method is not where the run is. */
HA_MUST_CHECK ha_status ha__run_handle_event(ha__run *run, bool is_cut, bool *is_event);

/* dae_run_fail.c: notes an equation that is not finite, for the report should the run fail of it.
 */
void ha__run_note_not_finite(ha__run *run, int64_t equation, double value, double t,
                             const double *y, const double *yp);

/* dae_run_fail.c: adds which equation could not be evaluated, and where, if that was tried since
   the last accepted step; true when it was. */
bool ha__run_add_not_finite(const ha__run *run, ha__strbuf *text);

/* dae_run_fail.c: adds what happens where the run stopped: equations nearly singular, or something
   that runs away; `head` gets what the message is to begin with, if a mechanism locks up. */
HA_MUST_CHECK ha_status ha__run_add_place(const ha__run *run, ha__strbuf *head, ha__strbuf *text);

#endif
