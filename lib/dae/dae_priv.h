/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the parts of the driver share: consistent start, structure, texts about failures, and the
 * recorder that turns accepted steps into rows. Not installed; knows nothing of SUNDIALS or KLU.
 */
#ifndef LIB_DAE_PRIV_H
#define LIB_DAE_PRIV_H

#include "lib/core/number.h"
#include "lib/core/strbuf.h"
#include "lib/dae.h"
#include "lib/dae/dae_peaks.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Relative error of a value that no shorter step makes smaller: some units in the last place. */
#define HA__ROUND_OFF (64.0 * DBL_EPSILON)

/* What a switched row (ha_dae.is_switched) has of its own unknown where it holds, at most. */
#define HA__YIELDS 1e-6

/* The size of an unknown that an absolute tolerance is a share of. */
static inline double ha__usual_size(const ha_dae_unknown *u)
{
    return u->nominal > 0.0 ? u->nominal : u->scale;
}

/* What an error of a step may be in unknown `j` where it has this value. A tightness makes no
   tolerance smaller than some round-off of the value. */
static inline double ha__tolerance(const ha_dae *dae, int j, double rtol, double atol, double value)
{
    const ha_dae_unknown *u = &dae->unknowns[j];
    double tolerance = rtol * fabs(value) + atol * ha__usual_size(u);
    double tightness = u->tightness;

    if (!(tightness > 1.0)) { /* nearly all: no tighter than round-off by itself */
        return tightness > 0.0 ? tolerance / tightness : tolerance;
    }
    return fmax(tolerance / tightness, fmin(tolerance, HA__ROUND_OFF * fabs(value)));
}

/* The last time that may be the same as t. Grid times k h and the times of clocks are the same by
   what a user wrote, but not by their last digits: a row so little behind an event is before it, as
   one at the event is, and what is so little before the end is the end. */
static inline double ha__late(double t)
{
    return t + 8.0 * DBL_EPSILON * fabs(t);
}

/* dae_opts.c: fails unless the options come from the default function and are in range. */
HA_MUST_CHECK ha_status ha__dae_options_check(ha_ctx *ctx, const ha_dae_options *options);

/* The sides of a system's switching functions (dae_events.c). */
typedef struct ha__sides {
    ha_ctx *ctx;
    const ha_dae *dae;
    double *work;                /* of the callbacks; borrowed, prepared */
    double *g;                   /* (n_switches) values */
    double *low, *high;          /* (n_switches) bounds of clocks */
    double *samples;             /* (n_holds) what is taken at an event */
    signed char *is_taken;       /* (n_holds) sampled in this event */
    bool keeps_held;             /* values that are held stay */
    double *before, *after;      /* (n_continuous) what must not jump */
    double *jump, *jump_nearby;  /* (n_continuous) what the sides change in it at one point */
    double *beyond, *varies;     /* (n_continuous) it on the other sides; what a jump changes by */
    signed char *side;           /* (n_switches) held */
    signed char *is_set;         /* (n_switches) changed in this event */
    double *slack;               /* (n_switches) a value so far beyond 0 is not off its side */
    double *nearby, *g_at;       /* (n) unknowns changed within their tolerances, and g with them */
    double *nearby_p;            /* (n) derivatives that fit these */
    double rtol, atol;           /* of these; both 0: there is no slack */
    struct ha__refiner *refiner; /* borrowed; NULL: none */
    struct ha__slide *slide;     /* borrowed; NULL: no surface can be held */
    double mark;                 /* since when events are counted, */
    int n_recent;                /* and how many there were */
    int n_idle;                  /* stops in a row that were no events */
} ha__sides;

/* Sets it up, without switching functions too; to be freed with ha__sides_clear(), also on
   failure. */
HA_MUST_CHECK ha_status ha__sides_init(ha__sides *sides, ha_ctx *ctx, const ha_dae *dae,
                                       double *work);

/* Frees it. */
void ha__sides_clear(ha__sides *sides);

/* dae_start.c: ha_dae_start() with prepared scratch memory and sides, which are held but where it
   has to look elsewhere for a start; counts go to `stats`. */
HA_MUST_CHECK ha_status ha__dae_start(ha__sides *sides, double t, double *y, double *yp,
                                      ha_dae_stats *stats);

/* Solves as a start does, but inside steps: the sides are held, and a failure is not told. */
typedef struct ha__solver ha__solver;

/* Makes it; sides and stats are borrowed. */
HA_MUST_CHECK ha_status ha__solver_new(ha__sides *sides, ha_dae_stats *stats, ha__solver **out);

/* Frees it; NULL is legal. */
void ha__solver_free(ha__solver *solver);

/* Solves for y' and the algebraic unknowns from guesses, which stay where `*is_good` is false. */
HA_MUST_CHECK ha_status ha__solver_solve(ha__solver *solver, double t, double *y, double *yp,
                                         bool *is_good);

/* As ha_dae_start(), at any time of a run: all values that are held stay as they are in y, and no
   sample is taken. */
HA_MUST_CHECK ha_status ha__dae_start_within(ha_ctx *ctx, const ha_dae *dae,
                                             const double *parameters, double t, double *y,
                                             double *yp);

/* Moves the unknowns by next to nothing, into `out`: for a matrix that has no value at one point
   alone. */
void ha__move_aside(const ha_dae *dae, const double *y, double *out);

/* dae_events.c: the sides at these values, from those in `side` on, evaluated until none changes: a
   condition may stand in what another one decides, as the push of a stop that is met. `g` is the
   functions there; `keeps_clocks` leaves the sides of clocks. */
void ha__settle_sides(const ha_dae *dae, double *work, double t, const double *y, const double *yp,
                      bool keeps_clocks, double *g, signed char *side);

/* Sets the sides of all switching functions but clocks, and conditions under which an unknown takes
   a value, to what these are at this point. */
void ha__sides_follow(ha__sides *sides, double t, const double *y, const double *yp);

/* The time of the first event of a clock in (t, t_end], else t_end; where that cannot be told at
   once, one before it. */
HA_MUST_CHECK ha_status ha__sides_next(ha__sides *sides, double t, double t_end, double *next);

/* How far the switching function that is nearest to it is from leaving its side at this point of a
   step; below 0 where one is off its side. Clocks do not count, and of others those of a kind,
   kinds[k] for function k; NULL: all do. */
double ha__sides_margin(ha__sides *sides, double t, const double *y, const double *yp,
                        const signed char *kinds, int kind);

/* Makes a start consistent, as ha__dae_start(), and finds the sides. */
HA_MUST_CHECK ha_status ha__sides_start(ha__sides *sides, double t, double *y, double *yp,
                                        ha_dae_stats *stats);

/* Looks for an event at the end of a step. At an event the sides are set and y, yp made
   consistent. */
HA_MUST_CHECK ha_status ha__sides_step(ha__sides *sides, double t, double t_end, double *y,
                                       double *yp, ha_dae_stats *stats, bool *is_event);

/* Sets the sides to what they were before the last event. */
void ha__sides_undo(ha__sides *sides);

/* dae_slide.c: surfaces to which both sides lead, and on which the motion goes on. */
typedef struct ha__slide ha__slide;

/* Makes it for a system in `*dae`, which becomes one that mixes the sides while surfaces are held;
   NULL where there are no such functions. `work` and `sides` are borrowed. */
HA_MUST_CHECK ha_status ha__slide_new(ha_ctx *ctx, const ha_dae **dae, double *work,
                                      ha__sides *sides, ha__slide **out);

/* Frees it; NULL is legal. */
void ha__slide_free(ha__slide *slide);

/* How far the share of a side is from leaving 0 to 1; below 0 where one is outside. */
double ha__slide_margin(ha__slide *slide, double t, const double *y, const double *yp);

/* Lets go the surfaces whose shares are outside, and sets their sides; how many. */
int ha__slide_leave(ha__slide *slide, double t, const double *y, const double *yp);

/* Holds surfaces among the sides that are set in this event; how many. */
int ha__slide_enter(ha__slide *slide, double t, const double *y, const double *yp,
                    ha_dae_stats *stats);

/* At a start where functions are 0: holds their surfaces, or sets the sides that they go to; how
   many it did. */
int ha__slide_begin(ha__slide *slide, double t, const double *y, const double *yp,
                    ha_dae_stats *stats);

/* What failed inside a callback of the system that mixes. */
ha_status ha__slide_status(const ha__slide *slide);

/* dae_singular.c: the reciprocal condition estimate of the start system at a point, 0 when it is
   singular there, and the names that take part in the near-singularity in `text`; what locks up, if
   something does, as the beginning of a message in `lock_up`. */
HA_MUST_CHECK ha_status ha__dae_condition(ha_ctx *ctx, const ha_dae *dae, double *work, double t,
                                          const double *y, const double *yp, double *rcond,
                                          ha__strbuf *lock_up, ha__strbuf *text);

/* dae_report.c: index of the first entry that is not finite, -1 when all are. */
int64_t ha__first_not_finite(const double *x, int64_t n);

/* dae_report.c: x with six significant digits. */
const char *ha__dae_number(char buffer[HA__NUMBER_SIZE], double x);

/* dae_report.c: adds the unknowns of an equation with their values, those not finite first. */
void ha__dae_add_values(ha__strbuf *text, const ha_dae *dae, int64_t equation, const double *y,
                        const double *yp);

/* The start system's unknowns (or equations) that a vector singles out, largest first. */
void ha__dae_add_largest(ha__strbuf *text, const ha_dae *dae, const double *x, bool equations);

/* dae_report.c: adds "the derivative of `v`" or "`lambda`": what the start system solves for. */
void ha__dae_add_start_unknown(ha__strbuf *text, const ha_dae *dae, int64_t j);

/* dae_refine.c: makes interpolated values consistent. */
typedef struct ha__refiner ha__refiner;

/* Makes a refiner; NULL where there is nothing to refine, no unknown being algebraic. `work` is
   borrowed. With `has_sizes` its decisions do not depend on units. */
HA_MUST_CHECK ha_status ha__refiner_new(ha_ctx *ctx, const ha_dae *dae, double *work,
                                        bool has_sizes, ha__refiner **out);

/* Frees it; NULL is legal. */
void ha__refiner_free(ha__refiner *refiner);

/* Solves for the algebraic unknowns and the derivatives with the differential unknowns held; leaves
   them as they are where the equations are singular or not finite, and then `*is_done` (may be
   NULL) is false. A refiner NULL does nothing. */
HA_MUST_CHECK ha_status ha__refine(ha__refiner *refiner, double t, double *y, double *yp,
                                   bool *is_done);

/* True where what was refined last, which must be there still, solves the equations. */
bool ha__refiner_has_solved(const ha__refiner *refiner);

/* Makes a projector (dae_project.c); NULL where there are no conditions. `work` is borrowed. With
   `has_sizes` its decisions do not depend on units. */
HA_MUST_CHECK ha_status ha__projector_new(ha_ctx *ctx, const ha_dae *dae, double *work,
                                          bool has_sizes, ha__projector **out);

/* Frees it; NULL is legal. */
void ha__projector_free(ha__projector *projector);

/* The drift of the velocities (n_conditions) at a point; valid until the next call. */
const double *ha__drift(ha__projector *projector, double t, const double *y);

/* Moves the positions and velocities in y; yp is near its derivative. Conditions whose part
   independent of the others is below `threshold`, their length being 1, are left out; `*rank` is
   how many are not. */
HA_MUST_CHECK ha_status ha__project(ha__projector *projector, double t, double threshold, double *y,
                                    const double *yp, int *rank);

/* The same for what is interpolated at a time inside a step; NULL: it stays as it is. */
HA_MUST_CHECK ha_status ha__project_inside(ha__projector *projector, double t, double *y,
                                           const double *yp);

/* Counts a projection at time t that left `rank` conditions. */
void ha__count_projection(ha_dae_stats *stats, const ha_dae *dae, int rank, double t);

/* Looks at a position as ha__project() does, and moves nothing: its condition is known then. */
HA_MUST_CHECK ha_status ha__projection_look(ha__projector *projector, double t, const double *y,
                                            const double *yp);

/* The reciprocal condition estimate of the start system in the last projection, 0: singular. */
double ha__projection_condition(const ha__projector *projector);

/* The same, but of the matrix itself: not by its pivots, which may be small where it is regular. It
   costs some solutions. */
double ha__projection_measure(ha__projector *projector);

/* What round-off has left in the positions and velocities by the last projection, of y, in units of
   the tolerances: root of the mean square over all unknowns. */
double ha__projection_noise(const ha__projector *projector, double rtol, double atol,
                            const double *y);

/* The book among the watched quantities of a run (dae_book.c). */
typedef struct ha__book {
    int n;          /* columns; 0: there is no book */
    double grain;   /* the shortest interval that is looked at [s] */
    double *last;   /* (n) columns at the last time */
    double passed;  /* sum of the magnitudes of their changes */
    double t0, off; /* begin of the interval under way, and what the book was off by there */
    double lost, t_lost[2]; /* the largest change of that in an interval, and where */
    double t_pass[2];       /* where a singular position was passed last; 0, 0: nowhere */
    bool is_in_pass;        /* it was there that this was lost */
    double worst, t_worst;  /* the most that it was off by, at rows too, and when */
    double end;             /* what it is off by at the last time, with its sign */
} ha__book;

/* Sets it up at the start; `grain` is the shortest interval looked at. To be freed with
   ha__book_clear(). */
HA_MUST_CHECK ha_status ha__book_init(ha__book *book, ha_ctx *ctx, int n_columns, double grain);

/* Begins it at time t: `entries` (n + 1) are the columns and what they are off by. */
void ha__book_begin(ha__book *book, double t, const double *entries);

/* Goes on to time t; the last time of a run `is_last`. */
void ha__book_go_on(ha__book *book, double t, const double *entries, bool is_last);

/* Looks at what it is off by between two times, at a row. */
void ha__book_look(ha__book *book, double t, double off);

/* Notes that a singular position was passed between t0 and t1. */
void ha__book_note(ha__book *book, double t0, double t1);

/* What it found. */
void ha__book_report(const ha__book *book, ha_dae_stats *stats);

/* Frees it. */
void ha__book_clear(ha__book *book);

/* The magnitude of something at time t, into `*size`. */
typedef ha_status ha__size_at(void *user, double t, double *size);

/* dae_pole.c: whether a magnitude has a pole between a and b beside which its integral is infinite:
   `*t` is when, or NAN. */
HA_MUST_CHECK ha_status ha__find_pole(double a, double b, ha__size_at *function, void *user,
                                      double *t);

/* Fails at a pole at time t and names what grows; `y` (2, n) and `outputs` (2, n_outputs) are those
   before it and at it. */
HA_MUST_CHECK ha_status ha__fail_at_pole(ha_ctx *ctx, const ha_dae *dae, double t, const double *y,
                                         const double *outputs);

/* The recorder: rows, quadratures and watched quantities of a run (dae_record.c). */
typedef struct ha__recorder {
    ha_ctx *ctx;
    const ha_dae *dae;
    ha_result *result;
    double *work;
    double *extremes;    /* (n_checks) borrowed; NULL: not watched */
    double t_end;        /* last row */
    double step;         /* of the grid */
    const double *times; /* of grid rows from the second on, instead; NULL: none */
    int64_t n_grid;      /* grid rows before the end row */
    int64_t next;        /* number of the next grid row */
    double *row;         /* (1 + n_outputs) */
    double *integrals;   /* (n_integrals) up to the last advanced time */
    double *rates;       /* (3 * n_integrals) at the begin, middle and end of a piece */
    double *reach;       /* (3 * n_integrals) the least and the largest magnitudes of rates in a
                            piece, and the integral of the largest */
    double *kept;        /* (2 n) scratch */
    double *watched;     /* (n_checks) */
    ha__book book;
    ha__peaks peaks;
    ha__refiner *looker; /* of the peaks: it leaves no trace in the rows */
    double t_left;       /* the last time before an event that may end the step; NAN: none does */
    double t_recorded;   /* up to where all is recorded */
    bool has_event_rows; /* a row before and one after each event */
    size_t n_before;     /* rows before the one that was written in case of an event; 0: none was */
    bool ignores_poles;  /* of powers: the method ends at them itself */
    int n_nodes;         /* of Gauss' rule for the quadratures; 0: by Simpson's */
    ha__projector *projector; /* of rows and peaks between steps; NULL: they are as interpolated */
    ha__refiner *refiner;     /* of the rows between steps, unless `settle` does that */
    ha_status (*settle)(void *user, double t, double *y, double *yp); /* NULL: the refiner does */
    void *user;                                                       /* of it */
    ha__gain gain; /* of the step to be recorded; NULL: the recorder integrates */
    void *gain_user;
} ha__recorder;

/* Sets up columns, room for all rows, and scratch memory. `work` is borrowed. */
HA_MUST_CHECK ha_status ha__record_init(ha__recorder *recorder, ha_ctx *ctx, const ha_dae *dae,
                                        const ha_dae_options *options, double *work,
                                        ha_result *result, double *extremes);

/* Frees what ha__record_init() has allocated. */
void ha__record_clear(ha__recorder *recorder);

/* Records the start: watched quantities, rates, and the row at t = 0. */
HA_MUST_CHECK ha_status ha__record_start(ha__recorder *recorder, const double *y, const double *yp);

/* Records an accepted step from t0 to t1 with the solution y, yp at t1: integrates the quadratures,
   writes the grid rows passed and, at t_end, the end row. `y_in`, `yp_in` (n) are scratch. */
HA_MUST_CHECK ha_status ha__record_step(ha__recorder *recorder, double t0, double t1,
                                        const double *y, const double *yp, ha__dense dense,
                                        void *user, double *y_in, double *yp_in);

/* Writes a row at time t, where a run stops, unless there is one or not all is recorded up to
   there; y, yp may be changed. */
HA_MUST_CHECK ha_status ha__record_stop(ha__recorder *recorder, double t, double *y, double *yp);

/* Begins anew after an event at time t: the rates have jumped. */
HA_MUST_CHECK ha_status ha__record_resume(ha__recorder *recorder, double t, const double *y,
                                          const double *yp);

/* A mark to which the record of a run can go back (dae_mark.c). */
typedef struct ha__mark {
    int64_t next;   /* number of the next row of the grid */
    size_t n_rows;  /* of the table */
    double *values; /* quadratures, their rates, largest magnitudes, columns of the book */
    ha__book book;  /* without its columns */
    double *rows;   /* what was cut off of the table, NULL: nothing was */
} ha__mark;

/* Makes room for a mark; to be freed with ha__mark_clear(), also on failure. */
HA_MUST_CHECK ha_status ha__mark_init(ha__mark *mark, const ha__recorder *recorder);

/* Frees it. */
void ha__mark_clear(ha__mark *mark);

/* Marks the time that has been reached. */
void ha__mark_set(ha__mark *mark, const ha__recorder *recorder);

/* Goes back to a mark; `from` gets what was recorded since then. */
HA_MUST_CHECK ha_status ha__record_rewind(ha__recorder *recorder, const ha__mark *to,
                                          ha__mark *from);

/* Takes that back: the record is what it was, whatever was recorded since. */
HA_MUST_CHECK ha_status ha__record_take_up(ha__recorder *recorder, const ha__mark *to,
                                           const ha__mark *from);

/* The time of row `row`: k step or the time given for it; t_end behind the last of the grid. */
double ha__record_time(const ha__recorder *recorder, int64_t row);

/* The time of the next row: a grid time or t_end. */
double ha__record_next(const ha__recorder *recorder);

/* Writes the row at time t and goes on to the next. */
HA_MUST_CHECK ha_status ha__record_row(ha__recorder *recorder, double t, const double *y,
                                       const double *yp);

/* Writes a row that is not on the grid; its time is t, its outputs those at t_outputs. */
HA_MUST_CHECK ha_status ha__record_extra_row(ha__recorder *recorder, double t, double t_outputs,
                                             const double *y, const double *yp);

/* Solves for the derivatives and the algebraic unknowns at a time in a step. */
HA_MUST_CHECK ha_status ha__record_settle(ha__recorder *recorder, double t, double *y, double *yp);

/* Updates the largest magnitudes of the watched quantities. */
void ha__record_watch(ha__recorder *recorder, double t, const double *y, const double *yp);

/* dae_formulas.c: runs a system without unknowns. */
HA_MUST_CHECK ha_status ha__dae_run_formulas(ha__recorder *recorder, const ha_dae_options *options,
                                             ha_dae_stats *stats);

#endif
