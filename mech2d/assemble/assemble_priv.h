/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of assembly share. Not installed. */
#ifndef MECH2D_ASSEMBLE_PRIV_H
#define MECH2D_ASSEMBLE_PRIV_H

#include "lib/linalg/rank.h"
#include "mech2d/assemble.h"
#include "mech2d/expand/system_priv.h"

/* The start that is sought, and room to seek it. Coordinates are numbered 3 * body + component. */
struct m2d_assembly {
    const m2d_system *system;
    int n;            /* coordinates */
    int n_rows;       /* constraints */
    double t;         /* of prescribed motions, 0 of a start */
    double *q, *v;    /* (n) coordinates and rates */
    double *residual; /* (n_rows) at position level, periods taken off */
    double *rate;     /* (n_rows) at velocity level */
    double *scale;    /* (n) 1 / sqrt(weight) of each coordinate */
    bool *is_open;    /* (n_rows) a row that is not asked for: an elastic one, a start value, while
                         positions are sought one on velocities; it counts as met */
    bool seeks_rates; /* of start values those of rates are asked for, and rows on velocities */
    int released;     /* a fixed coordinate, or n + a fixed start value, that is let go; -1: none */
    int *redundant;   /* (n_rows) constraints that depend on those before them */
    bool *is_shared;  /* (n_rows) the row's multiplier is not determined */
    int n_redundant, rank, position_rank; /* of all constraints; of those on positions */
    bool is_ranked;                       /* positions were found, so that these two are known */
    int n_steps, n_attempts;
    bool is_known;  /* it was assembled without a word, */
    long n_changes; /* when the system had so many */
    bool is_stuck;  /* the last search for positions ended where no step helped */

    /* room */
    double *position_work, *velocity_work; /* of the tapes, their constants in place */
    double *position_out;                  /* (n_rows + n_lines) */
    double *velocity_out;                  /* (n_entries + n_rows) */
    double *free_scale;                    /* (n) 0 where a coordinate is held */
    double *step, *trial;                  /* (n) */
    double *right, *whole;                 /* (n_rows) */
    ha__rank_room *rank_room;              /* of the steps */
};

/* Which coordinates may move, each set containing those before it. */
typedef enum m2d__freedom {
    M2D__FREE_POSITIONS, /* x and y that were not given */
    M2D__FREE_UNGIVEN,   /* all that were not given */
    M2D__FREE_GUESSES,   /* all that are not fixed */
    M2D__FREE_ALL        /* fixed ones, too: to find out why assembly failed */
} m2d__freedom;

/* Opens all elastic rows and start values, or only what is of the other level. */
void m2d__open_rows(m2d_assembly *a, bool all);

/* Opens the start values that are guesses, of the other level, or released, and closes the others;
   elastic rows stay as they are. */
void m2d__open_guesses(m2d_assembly *a);

/* The guess of a start value that is closed and violated most, -1: none is. */
int m2d__worst_guess(const m2d_assembly *a, const double *residual);

/* Opens the guess of a start value that is violated most, else the elastic row; false when all are
   open or met. */
bool m2d__open_worst(m2d_assembly *a, const double *residual);

/* The Jacobian of the constraints as it was evaluated last; borrowed. */
ha__matrix m2d__matrix_of(const m2d_assembly *a);

/* HA_OK when every entry of the Jacobian is finite; else names the row. */
HA_MUST_CHECK ha_status m2d__check_finite(const m2d_assembly *a);

/* Both ranks, and what is redundant with all constraints. */
HA_MUST_CHECK ha_status m2d__find_rank(m2d_assembly *a);

/* Fills free_scale for the coordinates, or for the rates when `is_rate`; the number of free ones.
 */
int m2d__set_free(m2d_assembly *a, m2d__freedom freedom, bool is_rate);

/* Evaluates the constraints at q into `residual` and the lengths into position_out; the largest
   residual in units of the model length or radians. */
double m2d__residual(m2d_assembly *a, const double *q);

/* Evaluates the constraint Jacobian at q into velocity_out, the time derivatives behind it. */
void m2d__jacobian(m2d_assembly *a, const double *q);

/* The rates of all rows at the velocities v, the Jacobian being in place, into `rate`; the largest
   in units of the terms it is made of. */
double m2d__rates(m2d_assembly *a, const double *v);

/* The Jacobian as a matrix. */
ha_status m2d__least_norm(m2d_assembly *a, const double *right, double *x);

/* HA_ERR_SINGULAR when two ends that must be apart are at one point at q: a direction from one to
   the other does not exist there. */
HA_MUST_CHECK ha_status m2d__check_apart(m2d_assembly *a);

/* Assembles again, after m2d_system_set(); with the same result as a new one. Where no value that
   assembly reads is another and it had nothing to say, that is the result at hand. */
HA_MUST_CHECK ha_status m2d__assemble_again(m2d_assembly *a);

/* The unknowns of a model that are the positions and rates of the system: (2 n) of coordinate j
   2 j and 2 j + 1; -1: it has none. */
HA_MUST_CHECK ha_status m2d__find_motion(const m2d_system *system, const bg_model *model,
                                         int *unknowns);

/* m2d_start() with these. */
HA_MUST_CHECK ha_status m2d__put_motion(const m2d_assembly *a, const bg_model *model,
                                        const int *unknowns, double *y);

/* Makes the object without assembling anything. */
HA_MUST_CHECK ha_status m2d__assembly_new(const m2d_system *system, m2d_assembly **out);

/* The residual of an assembled mechanism, in model lengths or rad: fixed starts that users copy
   with 12 digits agree to this. */
static const double m2d__accepted_residual = 1e-10;

/* Steps of the coordinates that are free until the residual no longer falls. The residual of q is
   evaluated and its size in `*size`, before and then. */
HA_MUST_CHECK ha_status m2d__search_positions(m2d_assembly *a, m2d__freedom freedom, double *q,
                                              double *size);

/* Seeks positions; q is then the best that was found, `*is_assembled` tells whether it will do. */
HA_MUST_CHECK ha_status m2d__seek_positions(m2d_assembly *a, bool *is_assembled);

/* The value of a coordinate's symbol at q, 0 of any other; `user` is the assembly: fits
   ha_expr_value(). */
double m2d__coordinate(void *user, ha_expr symbol);

/* Says why the positions cannot be found, of which a->q are the best that were: if from there the
   mechanism closes with the fixed values let go, these contradict it. `q` (n) is room. */
HA_MUST_CHECK ha_status m2d__fail_positions(m2d_assembly *a, double *q);

/* Says why velocities cannot be found, of which a->v are the best that were. */
HA_MUST_CHECK ha_status m2d__fail_velocities(m2d_assembly *a);

/* Brings the angles at q that may move to the turn that rows over angles want. */
HA_MUST_CHECK ha_status m2d__take_turns(m2d_assembly *a, double *q);

/* Says which joints start between two positions that they allow equally. */
HA_MUST_CHECK ha_status m2d__note_ties(m2d_assembly *a);

/* Finds positions; velocities at these positions; rank of the constraints at these positions. */
HA_MUST_CHECK ha_status m2d__assemble_positions(m2d_assembly *a);
HA_MUST_CHECK ha_status m2d__assemble_velocities(m2d_assembly *a);
/* Finds the rows whose multipliers are not determined; the rank is known and the Jacobian in place.
 */
HA_MUST_CHECK ha_status m2d__find_shared(m2d_assembly *a);

#endif
