/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The work of a linearisation, shared by its parts. Not installed. */
#ifndef BONDGRAPH_LINEAR_PRIV_H
#define BONDGRAPH_LINEAR_PRIV_H

#include "bondgraph/analysis/tangent.h"
#include "bondgraph/equilibrium.h"
#include "bondgraph/linearise.h"
#include "bondgraph/model/model_priv.h"
#include "lib/linalg/lu.h"

/* The stabilisation: any will do, it is eliminated; no two of its roots are the same. */
#define BG__LINEAR_ALPHA 7.0
#define BG__LINEAR_BETA 9.0

/* States of which all eigenvalues are found, at the cost of their cube. */
enum { BG__MOST_DENSE = 300 };

/* A switching function this small has no side; derivatives on both sides, which lie up to it apart,
   agree to BG__SAME. */
#define BG__EDGE 1e-9
#define BG__SAME 1e-6

/* A derivative of an equation by what is given in a direction. */
typedef struct {
    int row;    /* the equation */
    int column; /* of a direction */
    int at;     /* number of the derivative */
} bg__linear_push;

/* The work. Directions are the states, then the inputs. */
typedef struct {
    ha_ctx *ctx;
    const bg_model *m;
    const bg_operating_point *point;
    bg_linear *out;
    const double *stabilisation; /* (2) alpha and beta; NULL: two that differ */
    double *work, *values;       /* of the tapes; (n_linear) derivatives */
    double *room;                /* (n_linear) */
    double *y, *yp, *size;       /* (n) */
    int64_t *k_start, *k_row;
    double *k_value;
    int64_t *k_place; /* (n_linear) of each derivative in K; -1: it is not in it */
    signed char *k_mark;
    bg__linear_push *push; /* (n_push) what a direction does to the equations by itself */
    int n_push;
    int *own; /* (n_own) numbers of the derivatives of switched rows by their own unknowns */
    int n_own;
    double *correction;           /* (n) */
    int first_output, end_output; /* derivatives of the outputs, which stand together */
    bool skips_outputs;           /* C and D are not wanted */
    ha__lu *lu;
    bg__tangent tangent;           /* of y, then of the inputs */
    int n_of[BG__CONDITION_COUNT]; /* independent conditions of each kind */
    double usual;                  /* largest rate of an unknown in any direction, by its size */
    double unrest;                 /* largest rate of a state beside its usual ones */
    double noise;                  /* a rate up to this is round-off */
    int *partner;                  /* (n) of a position: the speed that it integrates; -1 */
    int *state;                    /* (n_states) the unknowns that are states */
    double *content; /* (n_states) derivative of the content by the unknown, 1 without */
    int *level;      /* (out->n_inputs) number of each among the model's */
    double *column, *right, *solution; /* (n + inputs), (n), (n) */
} bg__linearisation;

/* True of an unknown whose derivative appears. */
static inline bool bg__linear_is_differential(const bg__linearisation *l, int j)
{
    return l->m->dae.unknowns[j].kind == HA_DIFFERENTIAL;
}

/* linear_point.c: the consistent operating point, the sides of the switches there, all
   derivatives; then the factors of K. */
HA_MUST_CHECK ha_status bg__linear_evaluate(bg__linearisation *work);
HA_MUST_CHECK ha_status bg__linear_factor(bg__linearisation *work);

/* What a switching function compares with 0. */
static inline double bg__linear_compared(double g, bool is_turned)
{
    return (is_turned ? -g : g) + 0.0; /* no -0 */
}

/* linear_point.c: the inputs of a tape, at another point; its work array. */
double *bg__linear_put(bg__linearisation *work, bg__tape_kind kind, double t, const double *y,
                       const double *yp);

/* linear_point.c: adds "x - 1 >= 0" or "x - 1 < 0" to the sides, of what is compared with 0; where
   it is turned, "x - 1 <= 0" or "x - 1 > 0", for x > 1. */
HA_MUST_CHECK ha_status bg__linear_list_side(bg__linearisation *work, const char *compared,
                                             bool is_turned, bool is_above);

/* linear_edges.c: HA_ERR_VALUE for an output that has no derivative at the operating point; lists
   the sides of the others. */
HA_MUST_CHECK ha_status bg__linear_check_outputs(bg__linearisation *work);

/* linear_point.c: all derivatives at another point, the switches on their sides. */
void bg__linear_differentiate(bg__linearisation *work, double t, const double *y, const double *yp);

/* linear_point.c: the factors of K anew, with other values of the derivatives. */
HA_MUST_CHECK ha_status bg__linear_refactor(bg__linearisation *work);

/* linear_states.c: true of a row of the manifold that holds on the sides at hand: an open switch
   and friction that slides constrain nothing, and their equations give their own unknown. */
bool bg__linear_holds(const bg__linearisation *work, int row);

/* What a row yields that holds, its derivative `value` by its own unknown; 0 of one that does not
   hold. */
double bg__linear_yield(double value);

/* linear_states.c: which unknowns are independent on the manifold, and their order and names;
   the names of inputs and outputs. */
HA_MUST_CHECK ha_status bg__linear_find_tangent(bg__linearisation *work);
HA_MUST_CHECK ha_status bg__linear_list_states(bg__linearisation *work);

/* linearise.c: HA_ERR_VALUE for inputs by which nothing has a derivative, each by name. */
HA_MUST_CHECK ha_status bg__linear_check_inputs(const bg__linearisation *work);

/* linearise.c: everything up to the names of the states, inputs and outputs; then A, B and where it
   is asked for C and D, whether it is at rest, the eigenvalues of small models, and the check;
   frees what the work holds but not its result. */
HA_MUST_CHECK ha_status bg__linear_begin(bg__linearisation *work);
HA_MUST_CHECK ha_status bg__linear_finish(bg__linearisation *work);
void bg__linear_release(bg__linearisation *work);

/* linearise.c: whether it is at rest; without A by the sizes of the unknowns. */
void bg__linear_tell_rest(bg__linearisation *work);

/* linearise.c: adds to `out` (n_outputs), `step` apart, what the direction that was solved for last
   does to them. */
void bg__linear_read_outputs(const bg__linearisation *work, double *out, size_t step);

/* linearise.c: solves for y' and the algebraic unknowns of the direction in `column`: (n) unknowns,
   of which the algebraic ones are 0, and the inputs. */
void bg__linear_solve(bg__linearisation *work);

/* linearise.c: takes out of the solution how far the rows that hold yield; `lu` has the factors of
   `matrix`, whose rows are multiplied by `scale` and its columns by `size` (n each; NULL: by 1). */
void bg__linear_correct(bg__linearisation *work, ha__lu *lu, const double *matrix,
                        const double *scale, const double *size);

/* linearise.c: the same along the motion, the time going on by 1; of a model that was compiled for
   sensitivities. */
void bg__linear_solve_along(bg__linearisation *work);

/* What the direction that was solved for last does to a column of the derivatives: an unknown, its
   rate, an input. */
double bg__linear_change(const bg__linearisation *work, int column);

/* linear_check.c: whether the linear model is right, by what else is known of its eigenvalues. */
HA_MUST_CHECK ha_status bg__linear_check(bg__linearisation *work);

/* stability.c: whether an equilibrium is stable. `linear` becomes the linear model there, to be
   cleared; `*growing` is the number of the eigenvalue that grows fastest, -1 where none does or
   they are not found. What fails leaves it open. */
HA_MUST_CHECK ha_status bg__stability(const bg_model *model, const bg_operating_point *point,
                                      bg_linear *linear, int *growing, bg_stability *stability);

/* equilibrium.c: the outputs (n_outputs) with nothing that changes, F(t, y, 0) = 0; the energy book
   begins there. */
HA_MUST_CHECK ha_status bg__outputs_at_rest(ha_ctx *ctx, const bg_model *model, double t,
                                            double deviation, const double *y, double *outputs);

/* True of an unknown that is constant between events: it is no state. */
bool bg__linear_is_held(const bg__linearisation *work, int j);

#endif
