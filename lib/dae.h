/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A differential-algebraic equation system F(t, y, y') = 0 as a solver sees it: numbers, tapes
 * behind callbacks, a sparsity pattern and names. Immutable, so that threads may share it; all that
 * changes during a run is in the caller's scratch memory. And the drivers that run one: IDA with
 * KLU, and Runge-Kutta methods with the multipliers eliminated.
 */
#ifndef LIB_DAE_H
#define LIB_DAE_H

#include "lib/context.h"
#include "lib/result.h"
#include "lib/unknown.h"

#include <stdbool.h>
#include <stdint.h>

HA_BEGIN_DECLS

/** A row of the output table. */
typedef struct ha_dae_output {
    const char *name; /**< "K1.angle"; borrowed from the model */
    const char *unit; /**< "rad", "" for a number; borrowed from the model */
} ha_dae_output;

/**
 * A term c y'_j of equation j whose coefficient c is 0 in this model: a massless body. Legal, but
 * when the start is singular and a c above 0 would mend it, this is what the user is told.
 */
typedef struct ha_dae_absence {
    int number;       /**< j, of the unknown and of the equation */
    const char *text; /**< "body `K1` has mass 0 and ...; give it a mass"; borrowed from the
                           model */
    ha_where where;   /**< where the user wrote it; borrowed from the model */
} ha_dae_absence;

/**
 * An unknown that is constant between events: its equation says that its derivative is 0. Where the
 * switching function `condition` gets above 0 it takes a new value, which it holds until the
 * function gets below 0; then it is `rest`.
 */
typedef struct ha_dae_hold {
    int unknown;    /**< number of the unknown, a differential one */
    int condition;  /**< number of the switching function */
    double rest;    /**< its value while the function is below 0 */
    int is_sampled; /**< not 0: it takes a new value at every change of the sign instead, and at the
                         start; the values of all that do so at once are those before the event;
                         2: from a row of random numbers, of which at rest `rest` is the mean */
} ha_dae_hold;

/**
 * A span of time in which the inputs of the switching functions that are no clocks
 * (ha_dae.switch_inputs) are known to be between bounds.
 */
typedef struct ha_dae_span {
    double t;                 /**< its middle [s] */
    double half;              /**< half its length [s] */
    const double *middle;     /**< (n_switch_inputs) the inputs in the middle */
    const double *low;        /**< (n_switch_inputs) lower bounds, in the order of the list */
    const double *high;       /**< (n_switch_inputs) upper bounds */
    const double *slope_low;  /**< (n_switch_inputs) bounds of how fast the inputs change [1/s] */
    const double *slope_high; /**< (n_switch_inputs) upper ones */
} ha_dae_span;

/**
 * The system. All callbacks get the model and a scratch array of `work_size` doubles that the
 * caller has prepared once with `prepare`; they allocate nothing and cannot fail: where a value
 * does not exist they write nan or inf, and the driver then tries a shorter step. The values of the
 * Jacobian are affine in cj. n may be 0: a model of formulas only.
 */
typedef struct ha_dae {
    const void *model;              /**< first argument of the callbacks */
    int n;                          /**< number of unknowns and of equations */
    const ha_dae_unknown *unknowns; /**< (n) */
    const char *const *equations;   /**< (n) names of the equations, "constraint O.x" */
    int n_absences;                 /**< number of terms that are absent */
    const ha_dae_absence *absences; /**< (n_absences) in order of their numbers */
    size_t work_size;               /**< doubles of scratch memory one thread needs */
    int n_outputs;                  /**< number of outputs */
    const ha_dae_output *outputs;   /**< (n_outputs) */
    int n_integrals;                /**< number of quadratures (work, dissipation) */
    int n_loose;                    /**< the last so many of them may bend anywhere: no step is made
                                         shorter for them */
    int n_checks;                   /**< number of watched quantities (constraint errors) */
    int n_columns;                  /**< number of columns of a book, which are the last quantities
                                         watched but one, that one being what the book is off by, 0
                                         in an exact solution; 0: there is no book */
    int book_output;                /**< number from 1 of the output that is what the book is off
                                         by, which needs no second look then; 0: none is */
    int n_switches;                 /**< number of switching functions; 0: the system is smooth */
    const char *const *switches;    /**< (n_switches) what each is, for messages: "t - 1" */
    const signed char *is_clock;    /**< (n_switches) 1: changes with the time alone */
    const signed char *switch_reads_solved; /**< (n_switches) 1: reads algebraic unknowns or y',
                                                 which an explicit method does not interpolate */
    int n_switch_inputs;      /**< number of unknowns and derivatives that those which are no clocks
                                   read */
    const int *switch_inputs; /**< (n_switch_inputs) these, ascending: j of y_j, n + j of y'_j */
    int n_signals;            /**< number of parts of the equations that depend on the time alone,
                                   and do not just grow with it */
    int n_output_signals;     /**< number of such parts of the outputs that no equation has */
    int n_holds;              /**< number of unknowns that hold a value between events */
    const ha_dae_hold *holds; /**< (n_holds) which, and when */
    int n_sample_inputs;      /**< number of unknowns and derivatives that `sample` reads */
    const int *sample_inputs; /**< (n_sample_inputs) these, ascending: j of y_j, n + j of y'_j */
    int n_continuous;         /**< number of quantities that must not jump at an event */
    const char *const *continuous; /**< (n_continuous) their names, for messages */
    const double *round_off;       /**< (n_continuous) a change up to this is no jump */
    int rate_reads_solved; /**< not 0: `rate` reads algebraic unknowns or y'; no error test sees how
                                far these are off, so that they are solved for at every point of a
                                quadrature */
    int rate_is_zero;      /**< not 0: all rates of quadratures are 0 whatever happens */
    int output_reads_solved;             /**< not 0: `output` reads such; solved for at the rows */
    const signed char *output_is_direct; /**< (n_outputs) 1: that output reads nothing such; NULL:
                                              as output_reads_solved says of all */
    const signed char *output_may_jump;  /**< (n_outputs) 1: that output may jump or bend between
                                              events; NULL: none does */
    int switching_reads_solved; /**< not 0: `switching` reads such; solved for at the ends of the
                                     steps and wherever an event is looked for */
    int check_reads_solved;     /**< not 0: `check` reads such; solved for at the ends of the steps;
                                     not for what is nothing but an unknown */
    int reads_solved_rates; /**< not 0: one of these reads the derivative of an algebraic unknown,
                                 which only a method that interpolates these knows */
    int shares_rates; /**< not 0: an equation contains the derivative of an unknown that is not its
                           own, that of the same number; what Newton's method leaves of the one,
                           divided by the step, is then an error of others */
    int bends_rates;  /**< not 0: the equations are not linear in derivatives and algebraic
                           unknowns in the error test; Newton's method may then need its matrix
                           at each iterate */
    int n_conditions; /**< number of conditions of motion: phi(t, positions) = 0 and f = 0
                           with f = d(phi)/dt, which the solution keeps but for drift */
    const signed char *lacks_place; /**< (n_conditions) 1: a condition on velocities alone, which
                                       are not the rate of any phi: that is 0 */
    const int *condition_row; /**< (n_conditions) the equation df/dt + ... = 0 of each, ascending */
    const signed char *is_switched; /**< (n) 1: an equation that says f = 0 on some sides alone, as
                                         df/dt + 2 alpha f = epsilon y, y being the unknown of its
                                         number and epsilon at most 1e-6; NULL: none is */
    const int64_t *column_start;    /**< (n + 1) Jacobian pattern, compressed columns */
    const int64_t *row;             /**< (column_start[n]) row of each entry, ascending */

    const int64_t *start_column;  /**< (n + 1) pattern of K in `start_system`, compressed columns */
    const int64_t *start_row;     /**< (start_column[n]) row of each entry, ascending */
    int n_start_values;           /**< number of values that K has but for constants */
    int n_start_constants;        /**< number of its constants */
    const double *start_constant; /**< (n_start_constants) these */
    const int *start_index; /**< (start_column[n]) where the value of each entry of K is: among
                                 those of `start_system`, or behind them among the constants;
                                 entries at one index are equal at all times */

    /** Fills the scratch memory with the model's constants and the run's parameters. */
    void (*prepare)(const void *model, const double *parameters, double *work);
    /** r (n) = F(t, y, y'). */
    void (*residual)(const void *model, double *work, double t, const double *y, const double *yp,
                     double *r);
    /** values (column_start[n]) = dF/dy + cj dF/dy'. */
    void (*jacobian)(const void *model, double *work, double t, double cj, const double *y,
                     const double *yp, double *values);
    /**
     * Where F = K x + r is affine in x, y' of the differential unknowns and the algebraic unknowns,
     * with K and r functions of t and the differential unknowns alone, which are what is read of y:
     * values (n_start_values + n) = what changes in K, and then r. NULL: F is not affine, or not
     * known to be.
     */
    void (*start_system)(const void *model, double *work, double t, const double *y,
                         double *values);
    /**
     * out (n_outputs). `integrals` (n_integrals) are the quadratures since the start; the start's
     * energy and the like are the model's business (see prepare).
     */
    void (*output)(const void *model, double *work, double t, const double *y, const double *yp,
                   const double *integrals, double *out);
    /** out (n_outputs), as `output`, with the sides of the switching functions as they are held;
        NULL: they hang on none but clocks. */
    void (*held_output)(const void *model, double *work, double t, const double *y,
                        const double *yp, const double *integrals, double *out);
    /** rates (n_integrals): what the quadratures integrate. */
    void (*rate)(const void *model, double *work, double t, const double *y, const double *yp,
                 double *rates);
    /** watched (n_checks): quantities whose largest magnitude over the run is reported. */
    void (*check)(const void *model, double *work, double t, const double *y, const double *yp,
                  const double *integrals, double *watched);
    /**
     * values (n_switches): functions whose sign decides between two forms of the equations. The
     * equations hold the side they are on, so that they are smooth; a change of a sign is an event,
     * at which the run goes on from a consistent state on the other side.
     */
    void (*switching)(const void *model, double *work, double t, const double *y, const double *yp,
                      double *values);
    /** Bounds of the switching functions that are clocks while the time runs from t0 to t1, into
        low and high (n_switches); those of others are not set. */
    void (*clocks)(const void *model, double *work, double t0, double t1, double *low,
                   double *high);
    /** Bounds of the signals, with the sides that are held, while the time runs from t0 to t1, into
        low and high (n_signals + n_output_signals), those of the equations first; single values
        where these are equal. */
    void (*signals)(const void *model, double *work, double t0, double t1, double *low,
                    double *high);
    /**
     * Bounds over a span of time of the switching functions that are no clocks, into low and high
     * (n_switches), and of how fast they change, into slope_low and slope_high (n_switches), which
     * are infinite where they jump; of clocks 0. Up to round-off.
     */
    void (*enclose)(const void *model, double *work, const ha_dae_span *span, double *low,
                    double *high, double *slope_low, double *slope_high);
    /** values (n_holds): what the unknowns that hold a value take when their condition gets above
        0. */
    void (*sample)(const void *model, double *work, double t, const double *y, const double *yp,
                   double *values);
    /** values (n_continuous): quantities that only an infinite effort could make jump. */
    void (*keep)(const void *model, double *work, double t, const double *y, const double *yp,
                 double *values);
    /** Puts the sides (n_switches) into the scratch memory, 1: the function is at least 0, 0: it is
        below. */
    void (*set_sides)(const void *model, double *work, const signed char *sides);
    /** From now on drift dies out at this rate [1/s]; NULL where that cannot be set. */
    void (*set_drift_rate)(const void *model, double *work, double rate);
    /** phi and f (n_conditions each). */
    void (*condition)(const void *model, double *work, double t, const double *y, double *phi,
                      double *f);
} ha_dae;

/** When drift from the conditions of motion is taken back. */
typedef enum ha_projection {
    HA_PROJECTION_NONE, /**< never */
    HA_PROJECTION_AUTO, /**< where it counts, from the time at which it gets in the way */
    HA_PROJECTION_STEPS /**< after each step */
} ha_projection;

/** The method of integration. */
typedef enum ha_driver {
    HA_DRIVER_IDA,       /**< BDF of variable order, implicit: for all systems */
    HA_DRIVER_EXPLICIT,  /**< Runge-Kutta, algebraic unknowns eliminated at each evaluation: fast
                              where the system is not stiff */
    HA_DRIVER_AUTO,      /**< HA_DRIVER_EXPLICIT8 where nothing switches with the motion, until the
                              steps tell of stiffness; else HA_DRIVER_IDA */
    HA_DRIVER_EXPLICIT8, /**< as HA_DRIVER_EXPLICIT with order 8 instead of 5: fewer and longer
                             steps, whose errors add up to less */
    HA_DRIVER_KINEMATIC  /**< inverse dynamics, without integration: where all motions are
                              prescribed, positions, velocities, accelerations and multipliers are
                              solved for at each time */
} ha_driver;

/** What the table of results has at events. */
typedef enum ha_event_rows {
    HA_EVENT_ROWS_NONE, /**< nothing: its rows are on a grid of times */
    HA_EVENT_ROWS       /**< a row before and one after each event, at the same time */
} ha_event_rows;

/** The extremes of an output over a run, both sides of each jump included. NAN: not known. */
typedef struct ha_peak {
    double max;   /**< the largest value, in the unit of the output */
    double t_max; /**< when it was, the earliest time [s] */
    double min;   /**< the smallest value */
    double t_min; /**< when it was, the earliest time [s] */
} ha_peak;

/** The solution inside a step: y and y' (n each, y' may be NULL) at time t, consistent. */
typedef ha_status (*ha_dae_inside)(void *run, double t, double *y, double *yp);

/** Someone who is shown each step of a run. A run that one method did not lead to the end is taken
    again from the start by another: then t0 is less than the t1 before, and what was shown until
    then is void. */
typedef struct ha_dae_observer {
    void *user; /**< first argument of `step` */
    /**
     * After an accepted step from t0 to t1, with the solution y (n) at its end, there before an
     * event; `inside` and `run` give it in between, during the call. Another status than HA_OK
     * ends the run with it; HA_ERR_INTERRUPTED says that enough was seen.
     */
    ha_status (*step)(void *user, double t0, double t1, const double *y, ha_dae_inside inside,
                      void *run);
} ha_dae_observer;

/** Rows of a run that is given no `step`, behind the first: its step is the end time over these. */
#define HA_DAE_ROWS 500.0

/** Options of a run; start from ha_dae_options_default(). The list is lib/dae_opts.def. */
typedef struct ha_dae_options {
#define HA_OPTION(field, type, value, low, least, high, unit, name, words, sentence)               \
    type field; /**< see lib/dae_opts.def */
#include "lib/dae_opts.def"
#undef HA_OPTION
    double drift_rate; /**< rate at which the model lets drift die out at the start [1/s], if it may
                            be higher during the run while the steps tell of faster motion; 0: it
                            may not */
    double drift_bound; /**< the largest rate at which drift dies out at the start, if it may be
                             raised or not: explicit steps are no longer than they are stable with
                             it [1/s]; 0: not known */
    ha_peak *peaks; /**< (n_outputs) where the extremes of the outputs go, those between rows and
                         steps included; NULL: nowhere, which saves time */
    int n_peaks; /**< extremes are looked for of so many of the first outputs, those of the others
                      are not known: a search takes time; -1: of all */
    const ha_dae_observer *observer; /**< who is shown each step; NULL: nobody */
    bool is_motion_only; /**< quadratures stay 0, for who looks at the motion alone, which saves
                              time: what is made of them, as a book, means nothing then */
    const double *times; /**< (n_times) of the rows between the start and the end, ascending,
                            instead of multiples of `step`; start and end are rows as ever; NULL:
                            none [s] */
    size_t n_times;      /**< number of these */
    int cookie;          /**< set by ha_dae_options_default(), checked by ha_dae_run() */
} ha_dae_options;

/** Counts and times of a run. */
typedef struct ha_dae_stats {
    int driver;                /**< the last method of integration, never HA_DRIVER_AUTO */
    int first_driver;          /**< the first one */
    long switches;             /**< changes of it, with HA_DRIVER_AUTO */
    double t_switch;           /**< the first of these [s] */
    const char *switch_reason; /**< and its reason, a text that lasts; without one why
                                    HA_DRIVER_AUTO chose the first one; NULL: it was told */
    long steps;                /**< accepted steps */
    long residual_evaluations; /**< evaluations of F */
    long jacobian_evaluations; /**< evaluations of the Jacobian */
    long newton_iterations;    /**< nonlinear iterations */
    long error_test_failures;  /**< steps repeated because the error was too large */
    long convergence_failures; /**< steps repeated because Newton did not converge */
    long events;               /**< times at which the equations switched */
    long slides;               /**< times that a surface between two sides was met to which both
                                    lead, and on which the motion went on */
    double t_slide;            /**< the first of these [s] */
    long projections;          /**< times that drift was taken back */
    double t_projects;         /**< with HA_PROJECTION_AUTO: since when, if it was [s] */
    long rank_losses;          /**< times that conditions were left out of it: they followed from
                                    others at a singular position */
    int lowest_rank;           /**< the fewest that were not left out */
    double t_lowest_rank;      /**< and when that was [s] */
    long restarts;             /**< new starts of the method on the way: one for each event, and
                                    those where it had given up */
    long hops;                 /**< times that the steps had collapsed and explicit ones, of the
                                    usual length, went on */
    double hop_error;          /**< what they allowed their error to be, in units of the
                                    tolerance */
    double t_hop;              /**< when that was first [s] */
    long singular_passes;      /**< those of them that went over a singular position, by how the
                                    condition of the equations changed */
    double t_singular;         /**< the first of these [s] */
    double relaxed;            /**< largest factor by which round-off had the tolerances relaxed,
                                    0: they were not */
    double t_relaxed;          /**< when that was [s] */
    double drift_rate;         /**< last rate at which drift dies out, if it was changed [1/s] */
    double passed;             /**< magnitudes of the changes of all columns of the book, from step
                                    to step, summed */
    double lost;               /**< largest change of what the book is off by in a step, or in a
                                    thousandth of the run where steps are shorter */
    double t_lost[2];          /**< begin and end of it [s] */
    double t_worst;            /**< when the book was off by most, at steps and rows [s] */
    double off_at_end;         /**< what it is off by at the end, with its sign */
    int is_lost_in_pass;       /**< not 0: a singular position was passed there */
    double atol[2];            /**< the least and the largest absolute tolerance of an unknown, at
                                    the end */
    double seconds;            /**< from the consistent start to the end time, rows included [s] */
    double t_reached;          /**< time up to which the result goes [s] */
    double last_step;          /**< last step size [s] */
    int last_order;            /**< last order of the method */
} ha_dae_stats;

/** Options with their defaults. */
ha_dae_options ha_dae_options_default(void);

/**
 * Sets an option by its name ("max-step", "max_step") from a number; the range is checked. The
 * words of an option are numbered from 0, as in ha_driver and ha_projection.
 * @return HA_ERR_NAME or HA_ERR_VALUE with a diagnostic at `where`.
 */
HA_MUST_CHECK ha_status ha_dae_options_set(ha_ctx *ctx, ha_dae_options *options, const char *name,
                                           double value, ha_where where);

/** The name of a driver: "ida", "explicit", "auto". */
const char *ha_driver_name(ha_driver driver);

/**
 * Runs a system from t = 0 to options->t_end and appends a row to `result` for each time of the
 * output grid k * options->step, or of options->times (interpolated with the order of the method)
 * and for the end time (of the solver's own differential values); algebraic unknowns and
 * derivatives are made consistent.
 *
 * The start is made consistent first as by ha_dae_start(). Quadratures are integrated by Simpson's
 * rule, or Gauss' in the longer explicit steps, over each accepted step from the interpolated
 * solution, exactly to the time of each row.
 * An end time of 0 gives the consistent start in one row.
 *
 * @param parameters what `prepare` gets; its meaning is the model's
 * @param y          (n) in: start values (of algebraic unknowns: guesses); out: values at the end
 *                   or, after a failure, at stats->t_reached
 * @param yp         (n) in: guesses of the derivatives; out: derivatives at the same time
 * @param result     an empty table; columns t and the outputs are set up by the call; rows so far
 *                   are kept on failure
 * @param extremes   (n_checks) largest magnitude of each watched quantity over the start and all
 *                   accepted steps, of what the book is off by over the rows too; may be NULL
 * @param stats      counts and times, also after a failure; may be NULL
 * @return HA_ERR_SINGULAR or HA_ERR_SOLVER with a diagnostic that names the variable or equation,
 *         HA_ERR_INTERRUPTED, HA_ERR_VALUE, HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status ha_dae_run(ha_ctx *ctx, const ha_dae *dae, const ha_dae_options *options,
                                   const double *parameters, double *y, double *yp,
                                   ha_result *result, double *extremes, ha_dae_stats *stats);

/**
 * Finds y' of the differential unknowns and the values of the algebraic ones at time t with the
 * differential values held, by a damped Newton method on F(t, y, y') = 0 with KLU, down to
 * round-off of each equation's own terms; y' of algebraic unknowns becomes 0. Unknowns that hold
 * sampled values stay: a run takes its first samples from these again. Of a singular system
 * it says which absent terms make it so or, when there are none, tells a structurally from a
 * numerically singular system and names the unknowns and equations concerned.
 * @return HA_ERR_SINGULAR, HA_ERR_SOLVER (no solution near the guesses), HA_ERR_VALUE (an equation
 *         is not finite at the guesses) or HA_ERR_MEMORY; y and yp then hold what was tried, which
 *         is no solution
 */
HA_MUST_CHECK ha_status ha_dae_start(ha_ctx *ctx, const ha_dae *dae, const double *parameters,
                                     double t, double *y, double *yp);

/** What a search for an equilibrium did. */
typedef struct ha_dae_rest_stats {
    int iterations;   /**< steps that were taken */
    double error;     /**< the farthest that one more step would go, in units of the sizes */
    double travelled; /**< the farthest that an unknown went, in units of its size */
    bool was_at_rest; /**< the start values are an equilibrium already */
} ha_dae_rest_stats;

/**
 * Finds values near `y` that solve F(t, y, 0) = 0: nothing changes, at the inputs of time t.
 * From a poor start it goes as the system would go by itself if its kinetic energy were taken away
 * again and again, so that it comes to a stable equilibrium where there is one downhill.
 *
 * @param parameters what `prepare` gets
 * @param is_held (n) true of a position that stays, whatever effort that takes; NULL: none
 * @param y (n) in: start values, positions that meet their constraints; out: the equilibrium, or
 *          after a failure what was reached
 * @param effort (n) out: of each position that is held what holds it, [N] or [N.m], in the sense in
 *               which its velocity counts; else 0; NULL: not wanted
 * @param stats may be NULL
 * @return HA_ERR_SOLVER (none was found; the diagnostic names what goes on moving),
 *         HA_ERR_SINGULAR, HA_ERR_VALUE, HA_ERR_INTERRUPTED, HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status ha_dae_rest(ha_ctx *ctx, const ha_dae *dae, const double *parameters,
                                    double t, const bool *is_held, double *y, double *effort,
                                    ha_dae_rest_stats *stats);

/** Structure of the system that ha_dae_start() solves: unknowns y' (differential), y (algebraic).
 */
typedef struct ha_dae_structure {
    int structural_rank; /**< n when a complete matching of unknowns and equations exists */
    int n_blocks;        /**< number of blocks of the block triangular form */
    int largest_block;   /**< number of unknowns of the largest block */
    double rcond;        /**< cheap reciprocal condition estimate at these values; 0: singular */
} ha_dae_structure;

/** Analyses the start system at the given values (BTF and a KLU factorisation). */
HA_MUST_CHECK ha_status ha_dae_analyse(ha_ctx *ctx, const ha_dae *dae, const double *parameters,
                                       double t, const double *y, const double *yp,
                                       ha_dae_structure *out);

HA_END_DECLS

#endif
