/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of a compiled model. Not installed. */
#ifndef BONDGRAPH_MODEL_PRIV_H
#define BONDGRAPH_MODEL_PRIV_H

#include "bondgraph/equations/equations_priv.h"
#include "bondgraph/model.h"
#include "lib/tape/native.h"
#include "lib/tape/tape.h"

/* The tapes of a model. */
typedef enum bg__tape_kind {
    BG__TAPE_RESIDUAL,
    BG__TAPE_JACOBIAN,
    BG__TAPE_START, /* start system: its matrix, the rest of the equations; or empty */
    BG__TAPE_OUTPUT,
    BG__TAPE_HELD,      /* the same with the sides held; empty where nothing switches */
    BG__TAPE_RATE,      /* power supplied, power dissipated, of elements, magnitudes of all */
    BG__TAPE_STORED,    /* stored energy */
    BG__TAPE_CHECK,     /* constraints, the unknowns, then the energy book */
    BG__TAPE_CONDITION, /* stabilised constraints: at position level, then their flows */
    BG__TAPE_VALUE,     /* values of elements that vary */
    BG__TAPE_DEPENDENT, /* contents of dependent storages whose start was given */
    BG__TAPE_SWITCH,    /* switching functions */
    BG__TAPE_SAMPLE,    /* what unknowns that hold a value take at an event */
    BG__TAPE_CLOCK,     /* those of the time alone, over ranges; 0 for others */
    BG__TAPE_ENCLOSE,   /* all others, over spans of time; 0 for clocks */
    BG__TAPE_SIGNAL,    /* parts of the equations that depend on the time alone, over ranges */
    BG__TAPE_KEEP,      /* stored energy and constraints, sides held: what must not jump */
    BG__TAPE_LINEAR,    /* derivatives for a linearisation; empty without */
    BG__TAPE_EDGE,      /* outputs on both sides of their edges; empty without */
    BG__TAPE_INITIAL,   /* start values of unknowns and of dependent storages; measures */
    BG__TAPE_COUNT
} bg__tape_kind;

/* A derivative for a linearisation: of an equation, of an output, or of what is 0 on the manifold
   of the constraints. */
typedef enum bg__linear_block {
    BG__LINEAR_EQUATION,
    BG__LINEAR_OUTPUT,
    BG__LINEAR_MANIFOLD,
    BG__LINEAR_CONTENT, /* of the momentum or displacement that an unknown, the row, is state of */
    BG__LINEAR_SWITCH,  /* of a switching function; the time has the column behind the inputs */
    BG__LINEAR_HOLD,    /* of what an unknown takes that holds a value; the time likewise */
    BG__LINEAR_TIME,    /* of an equation by the time alone */
    BG__LINEAR_COUNT
} bg__linear_block;

/* Its root on the tape has the same number. Columns are y, y', inputs. */
typedef struct bg__linear_entry {
    bg__linear_block block;
    int row, column;
} bg__linear_entry;

/* An edge of an output. On its tape: the switching function, the jump of the output from the side
   below to that above, and the derivatives of the jump that do not vanish. */
typedef struct bg__edge {
    int output, n_bends;
    const char *text; /* what is compared with 0 */
    bool is_turned;   /* the switching function is less that */
} bg__edge;

/* The energy book at the end of what is watched: the columns and what they are off by. */
enum {
    BG__BOOK_KINETIC,
    BG__BOOK_GAIN,   /* potential energy less what was stored at the start */
    BG__BOOK_PASSED, /* the magnitudes of all powers, integrated */
    BG__BOOK_ERROR,
    BG__BOOK_COUNT
};

/* More work arrays of the tape that encloses, and arrays of results. */
enum { BG__LOW, BG__HIGH, BG__SLOPE_LOW, BG__SLOPE_HIGH, BG__ENCLOSURE_ARRAYS };
enum { BG__ENCLOSURE_RESULTS = 5 };

/* The inputs of all tapes: these, then y, y', the sides of the switching functions and the other
   quadratures, then the inputs of a linearisation, then the variables. */
enum {
    BG__IN_T,
    BG__IN_CJ,
    BG__IN_ALPHA,
    BG__IN_BETA,
    BG__IN_ENERGY, /* stored at the start */
    BG__IN_WORK,   /* supplied since then */
    BG__IN_LOSS,   /* dissipated since then */
    BG__IN_Y
};

/* The parameters of ha_dae.prepare. */
enum {
    BG__PARAMETER_ALPHA,
    BG__PARAMETER_BETA,
    BG__PARAMETER_ENERGY,
    BG__PARAMETER_DEVIATION, /* of the first input of a linearisation */
    BG__PARAMETER_COUNT
};

/* Alpha and beta of a search for an equilibrium, where drift is taken back by projection. Friction
   that holds reads alpha, and has many equilibria: with another alpha another one is found. */
#define BG__REST_DRIFT 100.0

/* What follows from the start and from variables: the start of an unknown, or behind them all of a
   dependent storage; or a measure of an unknown. */
typedef struct bg__initial {
    int of;
    size_t field; /* where it is in ha_dae_unknown */
    double usual; /* of a measure: what it is where the expression is no size */
} bg__initial;

struct bg_model {
    ha_ctx *ctx; /* of the thread that made it; for freeing only */
    ha_dae dae;
    ha__tape *tapes[BG__TAPE_COUNT];
    size_t offset[BG__TAPE_COUNT];    /* of each tape's work array in the scratch memory */
    bool reads_rates[BG__TAPE_COUNT]; /* a tape reads y' */
    int64_t *column_start, *row;
    int64_t *start_column, *start_row; /* of the start system; NULL: it has no tape */
    int *start_index;                  /* of its entries among what changes and what does not */
    double *start_constant;
    ha_dae_output *outputs;
    signed char *output_is_direct; /* by output, for the solver */
    signed char *output_may_jump;
    ha_dae_unknown *unknowns;
    const char **names; /* ELEMENT.suffix of each unknown */
    int *by_name;       /* the unknowns in the order of their names */
    const char **equations;
    const char **switches;     /* (dae.n_switches) text of what each compares with 0 */
    signed char *is_summed;    /* (dae.n_outputs) where it is linear: the output reads what a
                                  run has behind it */
    signed char *is_turned;    /* (dae.n_switches) the switching function is less that */
    signed char *is_clock;     /* (dae.n_switches) it changes with the time alone */
    ha_dae_hold *holds;        /* (dae.n_holds) unknowns that hold a value between events */
    int *sample_inputs;        /* (dae.n_sample_inputs) what the values that they take read */
    const char **continuous;   /* (dae.n_continuous) what must not jump, */
    double *round_off;         /* (dae.n_continuous) and by how much it may seem to */
    signed char *reads_solved; /* (dae.n_switches) it reads what is solved for at each step */
    int *switch_inputs;        /* (dae.n_switch_inputs) what those that are no clocks read */
    size_t clock_high;         /* offset of a second work array of the clocks' tape */
    size_t signal_high;        /* offset of that of the signals' tape */
    size_t enclosure;          /* offset of more arrays of the tape that encloses, of its size:
                                  BG__ENCLOSURE_ARRAYS, and room for its results */
    ha_dae_absence *absences;
    bool *follows;            /* by unknown: a start that was not given and may be any */
    bool *is_position;        /* by constraint: position level, else velocity level */
    bool *is_released;        /* by constraint: its sink was taken for redundant */
    const char **constraints; /* by constraint: name of its sink's row */
    int n_constraints;
    int *condition_row;       /* equation of each stabilised constraint */
    signed char *lacks_place; /* of each: 1: it has no position level */
    signed char *is_switched; /* (dae.n) an equation that is a constraint on some sides alone */
    bg__eq_value *values;     /* (n_values) names and locations in the text */
    int n_values;
    bg__eq_dependent *dependents; /* (n_dependents) names, locations in the text and given starts */
    int n_dependents;
    int n_states, n_multipliers;
    bool is_stabilised;       /* alpha or beta occurs in an equation */
    bool keeps_alpha;         /* alpha is not to be raised in a run */
    bool is_linear;           /* compiled for a linearisation */
    bg__linear_entry *linear; /* (n_linear) what is on the tape */
    int n_linear;
    bg__edge *edges; /* (n_edges) of outputs, where it is linear */
    int n_edges;
    int n_inputs;                   /* of a linearisation; each deviation, then its rates */
    const char **inputs;            /* (n_inputs) */
    int n_manifold;                 /* rows of that block */
    bg__condition_kind *conditions; /* (n_manifold) what dies out in each */
    int *switched_row;              /* (n_manifold) the equation that says so on some sides alone;
                                       -1: it always is so */
    bool *has_content;              /* by unknown: it is named by its momentum or displacement */
    int n_variables;
    size_t variables_at;    /* their first number among the inputs */
    const char **variables; /* (n_variables) names */
    double *values_now;     /* (n_variables) their values */
    int n_initial, n_starts;
    bg__initial *initial; /* (n_initial) what each root of that tape is, the n_starts first */
    bool is_copy;         /* it owns `values_now`, `unknowns`, `holds` and `dependents` alone */
    ha__native *native;   /* what the tapes' machine code lies in; NULL: there is none */
    ha__arena arena;
};

/* Lets the first input of a linearisation deviate, in scratch memory that was prepared. */
void bg__model_deviate(const bg_model *model, double *work, double deviation);

/* Evaluates the start values that are expressions of variables, and the measures of unknowns. */
HA_MUST_CHECK ha_status bg__model_restart(bg_model *model);

/* Prepares one work array of a tape. */
void bg__model_prepare_tape(const bg_model *model, bg__tape_kind kind, const double *parameters,
                            double *work);

/* Makes a model the system of n unknowns that a solver sees, with its callbacks. */
void bg__model_bind(bg_model *model, int n);

/* HA_ERR_VALUE, with an error for each element whose value is not finite at t = 0 and the given
   values, when that keeps an equation from being evaluated; `work` prepared. */
HA_MUST_CHECK ha_status bg__model_check_values(ha_ctx *ctx, const bg_model *model, double *work,
                                               const double *y, const double *yp);

/* Makes sure that the structure of a compiled model is as regular as the causal analysis says;
   HA_ERR_INTERNAL when it is not. */
HA_MUST_CHECK ha_status bg__model_check_structure(const bg_equations *equations,
                                                  const bg_model *model);

/* What dependent storages start with, as it follows from the others at t = 0 and a consistent
   start: `found` (n_dependents) [kg m/s, m ...]; `work` prepared. */
void bg__model_dependents(const bg_model *model, double *work, const double *y, const double *yp,
                          double *found);

/* The stored energy [J] at t = 0 and the given values; `work` prepared. */
double bg__model_stored(const bg_model *model, double *work, const double *y, const double *yp);

#endif
