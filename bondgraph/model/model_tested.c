/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which unknowns are in the error test of the solver, and in which Newton's method has to converge.
 *
 * At each time the differential unknowns y_d determine x, the algebraic unknowns and the
 * derivatives of the differential ones, by F(t, y_d, x) = 0: x = psi(t, y_d). No formula of the
 * solver carries an algebraic unknown from one step to the next, so that its error spoils nothing
 * that follows; it is in the test so that no step gets longer than its own changes allow, which a
 * source may bring about while no y_d moves.
 *
 * The test compares it with the polynomial through its last values, and sees there the errors e of
 * the y_d as psi' e. Where psi' is of the model that is no more than e is worth. But a stabilised
 * equation df/dt + 2 alpha f + beta^2 phi = 0 answers an error of f or phi with accelerations that
 * are 2 alpha and beta^2 times as large, numbers of the run and not of the model, and in all x that
 * hang on these accelerations they show. In the test these would keep e below the tolerance by that
 * factor, and since e bends with each change of the step, a longer step always fails and the order
 * never rises: at a tolerance of 1e-8 a sink beside a loop of gyrators took 23,000 steps instead of
 * 66. So what is left out of the test is every algebraic unknown that a stabilised equation
 * reaches: with the equations matched with the x, in the pattern of dF/dx, that of a stabilised
 * equation is reached, and so is that of each equation that contains one reached. (Which blocks of
 * dF/dx reach each other does not depend on the matching.)
 *
 * An iteration of Newton's method that has brought the tested unknowns has brought those left out
 * as near as their equations tell, provided that these are linear in them: then the rest of the
 * equations after a change d is F'' d d / 2 with at least one factor from the tested ones, which
 * vanishes with them. Where an entry of dF/dx for an unknown left out contains one left out, itself
 * or another, there are terms without such a factor. The method then has to converge in both.
 */
#include <config.h>

#include "bondgraph/model/model_compile.h"
#include "lib/expr/expr_priv.h"
#include "lib/graph/digraph.h"

#include <string.h>

/* The pattern of dF/dx and what is reached in it. */
typedef struct {
    bg__compiler *c;
    int n, n_pairs;
    int *row, *column;   /* (n_pairs) */
    int *first, *next;   /* the pairs of each column, linked: (n), (n_pairs); -1: the end */
    int *unknown_of;     /* (n) by row: its match, -1 */
    int *queue, n_queue; /* unknowns reached */
    bool *is_reached;    /* (n) by unknown */
} reach;

static ha_status allocate(reach *r)
{
    ha_ctx *ctx = r->c->q->ctx;
    size_t most = r->c->entries.count;

    HA_TRY_ALLOC_EACH(ctx, most, r->row, r->column, r->next);
    HA_TRY_ALLOC_EACH(ctx, r->n, r->first, r->unknown_of, r->queue, r->is_reached);
    return HA_OK;
}

static void clear(reach *r)
{
    HA_FREE(r->row, r->column, r->next, r->first, r->unknown_of, r->queue, r->is_reached);
}

static void list_pairs(reach *r)
{
    const bg__compiler *c = r->c;

    memset(r->first, -1, (size_t) r->n * sizeof *r->first);
    for (size_t i = 0; i < c->entries.count; i++) {
        const entry *e = &c->entries.items[i];
        ha_expr value = c->is_differential[e->column] ? e->by_yp : e->by_y;
        if (value != HA_EXPR_NONE) {
            r->row[r->n_pairs] = e->row;
            r->column[r->n_pairs] = e->column;
            r->next[r->n_pairs] = r->first[e->column];
            r->first[e->column] = r->n_pairs++;
        }
    }
}

/* Reaches the match of a row; redundant constraints may have none. */
static void reach_row(reach *r, int row)
{
    int j = r->unknown_of[row];

    if (j >= 0 && !r->is_reached[j]) {
        r->is_reached[j] = true;
        r->queue[r->n_queue++] = j;
    }
}

/* Whether an equation is stabilised: then it contains alpha or beta. */
static ha_status is_stabilised(const reach *r, int row, bool *is_so)
{
    const bg_equations *q = r->c->q;
    const ha_expr *symbols = NULL;
    size_t n = 0;

    *is_so = false;
    HA_TRY(ha__dag_symbols(r->c->dag, r->c->rows[row], &symbols, &n));
    for (size_t i = 0; i < n; i++) {
        *is_so = *is_so || symbols[i] == q->alpha || symbols[i] == q->beta;
    }
    return HA_OK;
}

static ha_status spread(reach *r)
{
    bool is_so = false;

    list_pairs(r);
    HA_TRY(ha__digraph_matching(r->c->q->ctx, r->n, r->n, r->n_pairs, r->row, r->column,
                                r->unknown_of, NULL, NULL));
    for (int row = 0; row < r->n; row++) {
        HA_TRY(is_stabilised(r, row, &is_so));
        if (is_so) {
            r->c->m->is_stabilised = true;
            reach_row(r, row);
        }
    }
    for (int next = 0; next < r->n_queue; next++) {
        for (int k = r->first[r->queue[next]]; k >= 0; k = r->next[k]) {
            reach_row(r, r->row[k]);
        }
    }
    return HA_OK;
}

/* An algebraic unknown that is reached is left out; a multiplier, too, whose stabilised equation is
   redundant and has no match. */
static void set_kinds(const reach *r)
{
    const bg__compiler *c = r->c;

    for (int j = 0; j < r->n; j++) {
        const bg__eq_unknown *u = &c->q->unknowns.items[j];
        bool is_kept = u->kind == BG__MULTIPLIER && !u->is_algebraic;
        c->m->unknowns[j].kind = c->is_differential[j]         ? HA_DIFFERENTIAL
                                 : is_kept || r->is_reached[j] ? HA_ALGEBRAIC
                                                               : HA_ALGEBRAIC_TESTED;
    }
}

/* Finds out in which of the unknowns left out the equations are not linear. */
static ha_status find_nonlinear(const bg__compiler *c)
{
    ha_dae_unknown *unknowns = c->m->unknowns;
    int n_unknowns = (int) c->q->unknowns.count;

    for (size_t i = 0; i < c->entries.count; i++) {
        const entry *e = &c->entries.items[i];
        const ha_expr *symbols = NULL;
        size_t n = 0;
        if (e->by_y == HA_EXPR_NONE || unknowns[e->column].kind == HA_DIFFERENTIAL ||
            unknowns[e->column].kind == HA_ALGEBRAIC_TESTED) {
            continue;
        }
        HA_TRY(ha__dag_symbols(c->dag, e->by_y, &symbols, &n));
        for (size_t k = 0; k < n; k++) {
            int j = symbols[k] < c->n_nodes ? c->column_of[symbols[k]] : -1;
            if (j >= 0 && j < n_unknowns && unknowns[j].kind != HA_DIFFERENTIAL &&
                unknowns[j].kind != HA_ALGEBRAIC_TESTED) {
                unknowns[j].kind = unknowns[e->column].kind = HA_ALGEBRAIC_NONLINEAR;
            }
        }
    }
    return HA_OK;
}

/* Whether an equation contains the derivative of an unknown that is not its own. */
static bool shares_rates(const bg__compiler *c)
{
    bool is_so = false;

    for (size_t i = 0; i < c->entries.count; i++) {
        const entry *e = &c->entries.items[i];
        is_so = is_so || (e->by_yp != HA_EXPR_NONE && e->row != e->column);
    }
    return is_so;
}

/* Whether an expression contains a derivative or an algebraic unknown that is tested. */
static ha_status contains_tested(const bg__compiler *c, ha_expr e, bool *is_so)
{
    int n_unknowns = (int) c->q->unknowns.count;
    const ha_expr *symbols = NULL;
    size_t n = 0;

    if (e == HA_EXPR_NONE || ha_expr_is_constant(c->dag, e, NULL)) {
        return HA_OK;
    }
    HA_TRY(ha__dag_symbols(c->dag, e, &symbols, &n));
    for (size_t i = 0; i < n; i++) {
        int j = symbols[i] < c->n_nodes ? c->column_of[symbols[i]] : -1;
        *is_so =
            *is_so || j >= n_unknowns || (j >= 0 && c->m->unknowns[j].kind == HA_ALGEBRAIC_TESTED);
    }
    return HA_OK;
}

/* Whether the equations are not linear in these. */
static ha_status bends_rates(const bg__compiler *c, bool *is_so)
{
    for (size_t i = 0; i < c->entries.count && !*is_so; i++) {
        const entry *e = &c->entries.items[i];
        ha_unknown_kind kind = c->m->unknowns[e->column].kind;
        ha_expr by = kind == HA_DIFFERENTIAL       ? e->by_yp
                     : kind == HA_ALGEBRAIC_TESTED ? e->by_y
                                                   : HA_EXPR_NONE;
        HA_TRY(contains_tested(c, by, is_so));
    }
    return HA_OK;
}

ha_status bg__model_choose_tested(bg__compiler *c)
{
    reach r = { .c = c, .n = (int) c->q->unknowns.count };
    bool is_bent = false;
    ha_status status = allocate(&r);

    HA_THEN(status, spread(&r));
    if (status == HA_OK) {
        set_kinds(&r);
        status = find_nonlinear(c);
        c->m->dae.shares_rates = shares_rates(c);
    }
    if (status == HA_OK) {
        status = bends_rates(c, &is_bent);
        c->m->dae.bends_rates = is_bent;
    }
    clear(&r);
    return status;
}
