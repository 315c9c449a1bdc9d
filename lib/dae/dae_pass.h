/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is done at singular positions, whatever the method. Not installed. */
#ifndef LIB_DAE_PASS_H
#define LIB_DAE_PASS_H

#include "lib/dae/dae_hop.h"
#include "lib/dae/dae_run.h"
#include "lib/dae/dae_usual.h"

/* What a run knows of singular positions; zero-initialised is empty. */
typedef struct ha__pass {
    ha__run *run;             /* borrowed */
    ha__projector *projector; /* NULL: there is nothing that drifts, and nothing to be passed */
    ha__refiner *refiner;     /* of its own, NULL: that of the rows serves */
    ha__hopper hopper;
    bool projects; /* drift is taken back, by a multistep method after each step */

    double typical;   /* step size lately, short ones left out */
    long steps_since; /* the last restart */
    long short_steps; /* in a row */
    long patience;    /* how many of them it takes to tell of drift */

    double allowed; /* error of the next explicit step, in tolerances, */
    double loudest; /* and the most that round-off has left where such steps went */
    double reach;   /* of the next hop, in typical steps */
    double t_vain;  /* where a hop should have led and did not */

    double usual;  /* condition, of a method that knows it, */
    double lowest; /* and the lowest since the last step */

    ha__usual usual_position; /* condition of the constraints alone, of the same */

    double noise;       /* of the last steps, by round-off, in units of the tolerances asked for */
    double least_noise; /* since the last restart */
    double relaxed;     /* factor of the tolerances; 0: none was needed so far */

    double t_window;  /* start of the steps whose mean is taken; 0: those of a start */
    int window_steps; /* and their number */

    double t_good;   /* end of the last step that was not short, */
    double *y_good;  /* (n) values */
    double *yp_good; /* (n) and derivatives there, */
    ha__mark good;   /* and what was recorded up to there; */
    ha__mark vain;   /* since then, in steps that led nowhere */
} ha__pass;

/* Sets it up; with `has_sizes` its decisions do not depend on units. To be freed with
   ha__pass_clear(), also on failure. */
HA_MUST_CHECK ha_status ha__pass_init(ha__pass *p, ha__run *run, bool has_sizes);

/* Frees it. */
void ha__pass_clear(ha__pass *p);

/* --- drift ----------------------------------------------------------------------------------- */

/* Takes drift back in y at time t, where yp is near its derivative, and keeps book of the rank. */
HA_MUST_CHECK ha_status ha__pass_project(ha__pass *p, double t, double *y, const double *yp);

/* From now on drift is taken back, where the method may choose. */
void ha__pass_begin_projecting(ha__pass *p);

/* True when it is to be taken back after a step of an explicit method: always where that is asked
   for, else where it is worth it. `drift`, of the velocities, is in tolerances. */
bool ha__pass_projects_now(const ha__pass *p, double drift);

/* --- steps ----------------------------------------------------------------------------------- */

/* Begins anew from the values reached. */
void ha__pass_settle(ha__pass *p);

/* True when a step is short beside the typical one. */
bool ha__pass_is_short(const ha__pass *p, double h);

/* Notes a step that was not short: the typical one follows, and explicit steps over what comes are
   asked to be exact again. */
void ha__pass_note_step(ha__pass *p, double h);

/* The same, and counts those that were; keeps the values reached as good ones unless it was. */
void ha__pass_follow(ha__pass *p, double h, bool is_short);

/* After the first short step: whether it became short at once or one step after the other. */
void ha__pass_set_patience(ha__pass *p, bool is_sudden);

/* True when steps are short for so long that drift is to be looked at. */
bool ha__pass_may_drift(const ha__pass *p);

/* True when explicit steps are due after a step h: the steps have collapsed and lead no further, or
   are about to. `drift`, of the velocities, is in units of what the error test allows; 0: not
   looked at. */
bool ha__pass_is_stuck(ha__pass *p, double h, double drift);

/* A hop did not help after a step h: perhaps this is how short they must be. */
void ha__pass_give_way(ha__pass *p, double h);

/* --- noise ----------------------------------------------------------------------------------- */

/* After a projection of y: relaxes the tolerances as far as round-off makes it necessary. */
void ha__pass_follow_noise(ha__pass *p, const double *y);

/* --- condition ------------------------------------------------------------------------------- */

/* Notes the condition of an evaluation, */
void ha__pass_note_condition(ha__pass *p, double condition);

/* and the end of a step. */
void ha__pass_settle_condition(ha__pass *p);

/* True when the condition since the last step tells of a singular position. */
bool ha__pass_is_near(const ha__pass *p);

/* --- explicit steps -------------------------------------------------------------------------- */

/* False where a step ends so near a singular position that no explicit step leads on from there, by
   the conditions of the equations where it begins and ends. */
bool ha__pass_leads_on(const ha__pass *p, double begin, double end);

/* Tries an explicit step of about the typical length from t and the values of the run, its error at
   most so many times the tolerance as is allowed now; see ha__hop(). */
HA_MUST_CHECK ha_status ha__pass_try(ha__pass *p, double t, double *t1, bool *is_done);

/* Allows the next one more error, as much as round-off makes of it; false where that is no more. */
bool ha__pass_allow_more(ha__pass *p);

/* True when the explicit steps since they began met a singular position, by the condition of the
   equations before them and on the way. */
bool ha__pass_has_met(const ha__pass *p);

/* Notes the values at the end t of a step that was not short. */
HA_MUST_CHECK ha_status ha__pass_note_position(ha__pass *p, double t);

/* Before the first try of an explicit step from the values reached: drift is taken back from now
   on. */
HA_MUST_CHECK ha_status ha__pass_begin_hop(ha__pass *p);

/* Counts the steps from t0 to t1 as a hop, and as one over a singular position if that is what it
   was. */
void ha__pass_count(const ha__pass *p, double t0, double t1);

/* Passes what lies ahead of the last good values by explicit steps; `*is_done` is false where it
   cannot be passed, and the values of the run are no longer those reached. */
HA_MUST_CHECK ha_status ha__pass_over(ha__pass *p, bool *is_done);

#endif
