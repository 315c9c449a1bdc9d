/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of derived equations. Not installed. */
#ifndef BONDGRAPH_EQUATIONS_PRIV_H
#define BONDGRAPH_EQUATIONS_PRIV_H

#include "bondgraph/causality/causality_priv.h"
#include "bondgraph/elements/emit.h"
#include "bondgraph/equations.h"
#include "bondgraph/equations/reduce.h"
#include "lib/unknown.h"

/* An unknown. */
typedef struct bg__eq_unknown {
    const char *name;  /* ELEMENT.suffix */
    const char *title; /* the output that shows it, or the name */
    bg__unknown_kind kind;
    bool is_algebraic; /* a multiplier whose row stands as it is: no derivative keeps it accurate */
    ha_expr y, yp;
    ha_dae_unknown solver; /* what the solver gets; name and kind follow when it is compiled */
    ha_expr start;         /* its start value, resolved; HA_EXPR_NONE: none was given */
    bg__measures measures; /* resolved */
    bool follows;          /* of a storage without start value: it may be any */
    ha_expr content;       /* of the state of a storage: its momentum or displacement, resolved;
                              HA_EXPR_NONE: not told */
    const char *absence; /* what to tell the user when the value of 0 that keeps its derivative out
                            of its row leaves it undetermined; NULL: there is none */
    ha_where where;      /* of the element, where there is an absence */
} bg__eq_unknown;

/* An equation, resolved: its only symbols are those of bg__inputs. */
typedef struct bg__eq_row {
    const char *name;
    ha_expr value;
} bg__eq_row;

/* An output, resolved. */
typedef struct bg__eq_output {
    const char *name;
    const char *unit;
    ha_expr value;
} bg__eq_output;

/* What is 0 on the manifold of the constraints, by how it dies out: the flow of a stabilised sink,
   its position, the position of a sink that imposes its flow. */
typedef enum bg__condition_kind {
    BG__CONDITION_FLOW,
    BG__CONDITION_POSITION,
    BG__CONDITION_IMPOSED,
    BG__CONDITION_COUNT
} bg__condition_kind;

/* One of these, resolved. */
typedef struct bg__eq_condition {
    bg__condition_kind kind;
    ha_expr value;
    int switched; /* 1 + the row that says so on some sides alone, of a switch or dry friction; 0:
                     it always is */
} bg__eq_condition;

/* What the solver watches: a constraint at position or velocity level. */
typedef struct bg__eq_check {
    bool is_position;
    bool is_released; /* its sink was taken for redundant */
    int row;          /* of its sink */
    ha_expr value;
} bg__eq_check;

/* The value of an element, resolved. */
typedef struct bg__eq_value {
    const char *name;
    ha_where where;
    ha_expr value;
} bg__eq_value;

/* An unknown that holds a value between events. */
typedef struct bg__eq_hold {
    int unknown;
    ha_expr when, sample; /* resolved */
    int is_sampled;       /* at every change of the sign of `when`; 2: a random number */
} bg__eq_hold;

/* A storage in derivative causality whose start was given, which must agree with what follows. */
typedef struct bg__eq_dependent {
    const char *name;
    ha_where where;
    bool is_momentum; /* p, else q */
    double given;
    ha_expr start;   /* the same as an expression of variables, resolved */
    ha_expr content; /* resolved */
} bg__eq_dependent;

/* What went into an element that dissipates. */
typedef struct bg__eq_loss {
    ha_expr heat; /* symbol: the quadrature [J] */
    ha_expr rate; /* resolved [W] */
} bg__eq_loss;

/* A parameter that stays a symbol, so that a compiled model can be given other values of it. */
typedef struct bg__eq_variable {
    const char *name;
    ha_expr symbol;
    double value; /* what it was when the equations were derived */
} bg__eq_variable;

/* An input of a linearisation: a small deviation w, and its first and second rate. */
typedef struct bg__eq_input {
    const char *name;
    ha_expr level[3]; /* symbols w, w', w''; 0 at the operating point */
    int row;          /* of the residual sink whose coordinate deviates by w; -1: of none */
} bg__eq_input;

struct bg_equations {
    ha_ctx *ctx;
    ha_dag *dag;
    ha__arena arena;
    const bg_causality *causality; /* only while they are derived */
    bg__reduction reduction;       /* likewise */
    ha_expr time, alpha, beta, cj; /* symbols */
    bool keeps_alpha;              /* it is not to be raised in a run */
    ha_expr energy_start;          /* symbol: stored energy at the start */
    ha_expr work, loss;            /* symbols: quadratures of supplied and dissipated power, */
    ha_expr passed;                /* and of the magnitudes of all powers */
    HA_ARRAY(bg__eq_unknown) unknowns;
    HA_ARRAY(bg__eq_row) rows;
    HA_ARRAY(bg__eq_output) outputs;
    HA_ARRAY(bg__eq_check) checks;
    HA_ARRAY(bg__eq_value) values; /* of the elements whose value is not constant */
    HA_ARRAY(bg__eq_dependent) dependents;
    HA_ARRAY(bg__eq_hold) holds;
    HA_ARRAY(bg__eq_loss) losses; /* by element, where they were asked for */
    HA_ARRAY(bg__eq_input) inputs;
    HA_ARRAY(bg__eq_variable) variables;
    HA_ARRAY(ha_expr) fixed; /* their symbols */
    HA_ARRAY(bg__eq_condition)
    manifold;                       /* what is 0 in every solution without drift */
    HA_ARRAY(ha_expr) powers;       /* of each source and dissipator, resolved [W] */
    ha_expr stored;                 /* stored energy [J] */
    ha_expr supply_rate, loss_rate; /* power supplied and dissipated [W] */
    ha_expr kinetic, gain; /* kinetic energy, potential energy less what was stored at the start */
    ha_expr energy_error;
    ha_expr energies[BG__N_ENERGIES]; /* the outputs of the energy book */
    int *unknown_of; /* by node below n_nodes: the unknown of which it is the symbol y, -1: none */
    int n_nodes;
};

/* Adds the inputs of these names, before the system is derived: a source gives what it gave and w,
   an explicit residual sink keeps its coordinate at w. */
HA_MUST_CHECK ha_status bg__add_inputs(bg_equations *equations, const char *const *names, int n);

/* The parameter of this name, which may have the name of the section in front; -1: none. */
int bg__find_parameter(const bg_equations *equations, const char *name);

/* Lets the parameters of these names be variables, before the system is derived. */
HA_MUST_CHECK ha_status bg__add_variables(bg_equations *equations, const char *const *names, int n);

/* Lets the flow and the position of row `row`, an implicit sink's, be 0 where its coordinate is at
   the deviation that an input gives it. */
void bg__deviate_row(const bg_equations *equations, int row, ha_expr *flow, ha_expr *phi);

/* The unknown of which a node is the symbol y, -1: none. */
int bg__unknown_of(const bg_equations *equations, ha_expr symbol);

/* equations_input.c: HA_ERR_NAME, with what is spelled like the name of an input, or of a
   parameter. */
HA_MUST_CHECK ha_status bg__refuse_name(const bg_equations *equations, const char *name,
                                        bool is_input);

/* The value with all definitions inserted. */
HA_MUST_CHECK ha_status bg__equation_value(bg_equations *q, ha_expr value, ha_expr *out);

/* A copy of a text in the arena of the equations; NULL without memory. */
const char *bg__equation_text(bg_equations *q, const char *text);

/* What an element's law is asked with, once the equations are derived. */
bg__emitter bg__emitter_of(bg_equations *q, bg__system *s, int element);

/* Adds an output with a copy of its name, its value resolved. */
HA_MUST_CHECK ha_status bg__add_equation_output(bg_equations *q, const char *name, const char *unit,
                                                ha_expr value);

/* Adds the outputs of the energy book. */
HA_MUST_CHECK ha_status bg__add_energy_outputs(bg_equations *q);

/* equations_sums.c: lets quadratures that some outputs (n numbers) read be unknowns; a second
   call does nothing. */
HA_MUST_CHECK ha_status bg__sum_by_unknowns(bg_equations *q, const size_t *outputs, size_t n);

/* Adds the energy book: what is stored, supplied, dissipated, and the error. */
HA_MUST_CHECK ha_status bg__add_energy(bg_equations *q);

#endif
