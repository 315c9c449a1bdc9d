/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The choice between the methods of a run.
 *
 * Local errors add up over a run. BDF methods of low order make many steps of it, whose errors have
 * one sign where the motion oscillates: over long runs IDA loses three to four digits against its
 * tolerance, explicit steps of order 8 about one, in no more time. So with the driver `auto` a run
 * begins with these where the equations are linear in the accelerations and multipliers, so that
 * one linear system gives them, and smooth: what switches with the motion, as contacts and friction
 * do, is stiff more often than not, or becomes so. Clocks are no obstacle: a step ends at each.
 *
 * Explicit steps are limited either by their error or by the stability of the method: then h
 * |lambda| stays at its bound (runge.c), the system is stiff, and IDA goes on. It may cease to be
 * stiff: after a number of steps, doubled each time, explicit steps are tried again, which costs
 * little when they give up soon.
 *
 * A vibration next to nothing, which IDA steps over, may keep explicit steps short by the round-off
 * in its stiff spring, which is no bound of stability. So where the whole run would take more than
 * MANY explicit steps, IDA is tried, too. It goes on where an evaluation of explicit steps gains
 * SLOWER times less time than one of IDA did.
 *
 * Where IDA is chosen at the begin its test of errors gets a tenth of the tolerance: an oscillator
 * of one mass and one spring is off by 2.3e-4 of its amplitude after 32 periods with rtol = 1e-6,
 * with a tenth by 7e-5. (Of 200 four-bars with a hinge that rubs one in five was off by over 1000
 * rtol, with a tenth one in 25, in a fifth more time.) What there is to gain ends where round-off
 * begins, at LEAST, and the share s rises towards it so that s rtol falls with rtol. What is stiff
 * gets all of it: a tighter one would follow vibrations of its springs that it steps over. Drift
 * and the sides of switches keep all of it in any case: with drift taken back as far as a tenth
 * asks for, 2 of 60 runs of a slider-crank that a stop throws went on in steps of which every
 * second one failed.
 */
#include <config.h>

#include "lib/dae/dae_run.h"

static const long FIRST_TRIAL = 500; /* steps of IDA before explicit steps are tried again */
static const long ENOUGH = 100;      /* explicit steps that tell how fast they go on */
static const long PATIENCE = 5000;   /* explicit steps before their number is estimated */
static const double MANY = 1e6;
static const double SLOWER = 5.0;
static const double SHARE = 0.1;   /* of the tolerance, for the error test of IDA */
static const double LEAST = 1e-12; /* relative tolerance of which all is left */

static long evaluations(const ha_dae_stats *stats)
{
    return stats->residual_evaluations + stats->jacobian_evaluations;
}

static void use(ha__run *run, ha_driver driver)
{
    run->method = driver == HA_DRIVER_IDA         ? &ha__method_ida
                  : driver == HA_DRIVER_KINEMATIC ? &ha__method_kinematic
                                                  : &ha__method_explicit;
    run->stats->driver = (int) driver;
    run->gives_up = NULL;
    run->steps_at_switch = run->stats->steps;
    run->t_at_switch = run->stats->t_reached;
    run->evaluations_before = evaluations(run->stats);
}

static bool switches_with_the_motion(const ha_dae *dae)
{
    for (int k = 0; k < dae->n_switches; k++) {
        if (dae->is_clock[k] == 0) {
            return true;
        }
    }
    return false;
}

/* Why not explicit steps; NULL: nothing is against them. */
static const char *objection(const ha_dae *dae)
{
    return switches_with_the_motion(dae) ? "the equations switch with the motion"
           : dae->start_system == NULL   ? "the equations are not linear in derivatives and "
                                           "algebraic unknowns"
           : dae->reads_solved_rates != 0
               ? "a derivative is asked for of what is solved for, not integrated"
               : NULL;
}

double ha__run_share(const ha_dae *dae, const ha_dae_options *options)
{
    bool is_first = dae->n > 0 && options->driver == HA_DRIVER_AUTO && objection(dae) != NULL;

    return is_first ? fmin(1.0, fmax(SHARE, sqrt(LEAST / options->rtol))) : 1.0;
}

void ha__run_choose(ha__run *run)
{
    const char *against = objection(run->dae);
    bool is_auto = run->options->driver == HA_DRIVER_AUTO;

    run->on_trial = FIRST_TRIAL;
    use(run, !is_auto          ? (ha_driver) run->options->driver
             : against == NULL ? HA_DRIVER_EXPLICIT8
                               : HA_DRIVER_IDA);
    run->stats->first_driver = run->stats->driver;
    if (is_auto) {
        run->stats->switch_reason =
            against != NULL ? against
                            : "nothing switches with the motion, and no step told of stiffness";
    }
}

/* True when IDA has had its steps and explicit ones may be tried again. */
static bool is_time_for_trial(const ha__run *run)
{
    return run->stats->driver == HA_DRIVER_IDA && run->stats->switches > 0 &&
           run->stats->steps - run->steps_at_switch >= run->on_trial;
}

/* The time that an evaluation of the method in use has gained. */
static double pace(const ha__run *run)
{
    long n = evaluations(run->stats) - run->evaluations_before;

    return n > 0 ? (run->stats->t_reached - run->t_at_switch) / (double) n : 0.0;
}

/* Why explicit steps are too slow; NULL: they are not. */
static const char *find_slow(const ha__run *run)
{
    long n = run->stats->steps - run->steps_at_switch;
    double gained = run->stats->t_reached - run->t_at_switch;
    double left = run->options->t_end - run->stats->t_reached;

    if (run->stats->driver == HA_DRIVER_IDA) {
        return NULL;
    }
    if (run->implicit_pace > 0.0) {
        return n >= ENOUGH && pace(run) < run->implicit_pace / SLOWER ? "the other is faster"
                                                                      : NULL;
    }
    return n >= PATIENCE && (double) n * left > MANY * gained
               ? "explicit steps do not get long, as beside a vibration next to nothing"
               : NULL;
}

ha_status ha__run_reconsider(ha__run *run, bool *is_changed)
{
    const char *reason = run->gives_up;

    *is_changed = false;
    if (run->options->driver != HA_DRIVER_AUTO || run->stats->t_reached >= run->options->t_end) {
        return HA_OK;
    }
    if (is_time_for_trial(run)) {
        reason = "it may no longer be stiff";
        run->on_trial *= 2;
    }
    reason = reason == NULL ? find_slow(run) : reason;
    if (reason == NULL) {
        return HA_OK;
    }
    run->method->count(run);
    run->implicit_pace = run->stats->driver == HA_DRIVER_IDA ? pace(run) : run->implicit_pace;
    run->method->close(run);
    if (run->stats->switches++ == 0) {
        run->stats->t_switch = run->stats->t_reached;
        run->stats->switch_reason = reason;
    }
    use(run, run->stats->driver == HA_DRIVER_IDA ? HA_DRIVER_EXPLICIT8 : HA_DRIVER_IDA);
    HA_TRY(run->method->open(run));
    HA_TRY(ha__record_resume(&run->recorder, run->stats->t_reached, run->y, run->yp));
    *is_changed = true;
    return ha__run_set_stop(run);
}
