/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The raw equations of a linear bond graph as a dense system, made without strokes: unknowns are
 * the effort and flow of every bond and the content x of every storage, 0: efforts equal, flows sum
 * to 0    TF: e1 = n e2, f2 = n f1    R: e = R f    Re, De: f = 0 1: flows equal, efforts sum to 0
 * GY: e1 = r f2, e2 = r f1    Se, Sf        Rf, Df: e = 0 I: x = I f, x' = e                  C: x
 * = C e, x' = f Their solution is looked for as a Taylor series around a time; values may vary with
 * time.
 */
#ifndef TESTS_UNIT_BONDGRAPH_RAW_EQUATIONS_H
#define TESTS_UNIT_BONDGRAPH_RAW_EQUATIONS_H

#include "bondgraph/elements/causal_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RAW_LEVELS = 3, RAW_MAX_BONDS = 64 };

/* An equation: coefficients a of unknowns (up to one per port and a content), the one at `varying`
   multiplied by the element's value; one term may be differentiated. */
typedef struct {
    int n, unknown[RAW_MAX_BONDS], rate; /* rate: place of the differentiated term, -1: none */
    double factor[RAW_MAX_BONDS];
    int varying;              /* place of the term that the value multiplies, -1: none */
    double value[RAW_LEVELS]; /* Taylor coefficients of the value, and of the right-hand side */
    double right[RAW_LEVELS];
} raw_equation;

typedef struct {
    const bg__system *s;
    double t;
    int n_unknowns, n_equations;
    raw_equation equations[4 * RAW_MAX_BONDS];
} raw_system;

static double raw_at_time(void *user, ha_expr symbol)
{
    const raw_system *x = user;

    return symbol == x->s->graph->time ? x->t : (double) NAN;
}

/* Taylor coefficients of an element's value, an expression of t, at the time. */
static void raw_value(raw_system *x, int element, double out[RAW_LEVELS])
{
    const bg_graph *graph = x->s->graph;
    ha_dag *dag = ha_dag_clone(graph->dag);
    ha_expr value = HA_EXPR_NONE;
    double factorial = 1.0;
    ha_status status = ha_resolve(
        dag, bg__component_value(x->s->graph, &graph->elements.items[element], 0), &value);

    for (int k = 0; k < RAW_LEVELS; k++) {
        out[k] =
            status == HA_OK ? ha_expr_value(dag, value, raw_at_time, x) / factorial : (double) NAN;
        factorial *= k + 1;
        status = status == HA_OK ? ha_dt(dag, value, &value) : status;
    }
    ha_dag_free(dag);
}

static raw_equation *raw_add(raw_system *x)
{
    raw_equation *q = &x->equations[x->n_equations++];

    memset(q, 0, sizeof *q);
    q->rate = q->varying = -1;
    return q;
}

static void raw_term(raw_equation *q, int unknown, double factor)
{
    q->unknown[q->n] = unknown;
    q->factor[q->n++] = factor;
}

static int raw_effort(const raw_system *x, int element, int port)
{
    return 2 * bg__port_bond(x->s, element, port);
}

static int raw_flow(const raw_system *x, int element, int port)
{
    return 2 * bg__port_bond(x->s, element, port) + 1;
}

/* +1 when the half arrow at a port points to the element. */
static double raw_sign(const raw_system *x, int element, int port)
{
    return x->s->graph->bonds.items[bg__port_bond(x->s, element, port)].head == element ? 1.0
                                                                                        : -1.0;
}

static void raw_junction(raw_system *x, int element, bool is_zero)
{
    int n = bg__n_ports(x->s, element);
    raw_equation *sum = raw_add(x);

    for (int port = 0; port < n; port++) {
        int e = raw_effort(x, element, port), f = raw_flow(x, element, port);
        raw_term(sum, is_zero ? f : e, raw_sign(x, element, port));
        if (port > 0) {
            raw_equation *equal = raw_add(x);
            raw_term(equal, is_zero ? e : f, 1.0);
            raw_term(equal, is_zero ? raw_effort(x, element, 0) : raw_flow(x, element, 0), -1.0);
        }
    }
}

/* left = value * right for two-ports, resistors and storages. */
static void raw_law(raw_system *x, int element, int left, double left_sign, int right,
                    double right_sign)
{
    raw_equation *q = raw_add(x);

    raw_term(q, left, left_sign);
    raw_term(q, right, -right_sign);
    q->varying = 1;
    raw_value(x, element, q->value);
}

static void raw_two_port(raw_system *x, int element, bool is_gyrator)
{
    int e1 = raw_effort(x, element, 0), f1 = raw_flow(x, element, 0);
    int e2 = raw_effort(x, element, 1), f2 = raw_flow(x, element, 1);
    double in = raw_sign(x, element, 0), out = -raw_sign(x, element, 1);

    raw_law(x, element, e1, 1.0, is_gyrator ? f2 : e2, is_gyrator ? out : 1.0);
    raw_law(x, element, is_gyrator ? e2 : f2, is_gyrator ? 1.0 : out, f1, in);
}

static void raw_one_port(raw_system *x, int element)
{
    const char *type = x->s->graph->elements.items[element].type->name;
    int e = raw_effort(x, element, 0), f = raw_flow(x, element, 0);
    double in = raw_sign(x, element, 0);

    if (strcmp(type, "R") == 0) {
        raw_law(x, element, e, 1.0, f, in);
    } else if (strcmp(type, "I") == 0 || strcmp(type, "C") == 0) {
        bool is_inertia = type[0] == 'I';
        int content = x->n_unknowns++;
        raw_law(x, element, content, 1.0, is_inertia ? f : e, is_inertia ? in : 1.0);
        raw_equation *q = raw_add(x);
        raw_term(q, content, 1.0);
        raw_term(q, is_inertia ? e : f, is_inertia ? -1.0 : -in);
        q->rate = 0;
    } else {
        bool is_flow =
            strcmp(type, "Sf") == 0 || strcmp(type, "Re") == 0 || strcmp(type, "De") == 0;
        raw_equation *q = raw_add(x);
        raw_term(q, is_flow ? f : e, is_flow ? -in : 1.0);
        if (type[0] == 'S') {
            raw_value(x, element, q->right);
        }
    }
}

/* The equations of a scalar graph at time t. */
static void raw_build(raw_system *x, const bg__system *s, double t)
{
    x->s = s;
    x->t = t;
    x->n_equations = 0;
    x->n_unknowns = 2 * (int) s->graph->bonds.count;
    for (size_t i = 0; i < s->graph->elements.count; i++) {
        const char *type = s->graph->elements.items[i].type->name;
        if (type[0] == '0' || type[0] == '1') {
            raw_junction(x, (int) i, type[0] == '0');
        } else if (bg__n_ports(s, (int) i) == 2) {
            raw_two_port(x, (int) i, strstr(type, "GY") != NULL);
        } else {
            raw_one_port(x, (int) i);
        }
    }
}

/*
 * Householder-free least squares: modified Gram-Schmidt with column pivoting of the m x n matrix a
 * (by columns) on the right-hand side b; returns the norm of what of b is left, `*weakest` the
 * ratio of the smallest to the largest pivot among the first n.
 */
static double raw_project(double *a, int m, int n, double *b, double *weakest)
{
    double largest = 0.0, rest = 0.0;
    double *norm = calloc((size_t) n + 1, sizeof *norm);

    *weakest = 1.0;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int j = k; j < n; j++) {
            norm[j] = 0.0;
            for (int i = 0; i < m; i++) {
                norm[j] += a[j * m + i] * a[j * m + i];
            }
            best = norm[j] > norm[best] ? j : best;
        }
        double pivot = sqrt(norm[best]);
        largest = fmax(largest, pivot);
        *weakest = largest > 0.0 ? fmin(*weakest, pivot / largest) : 0.0;
        if (pivot <= 1e-11 * largest || pivot <= 0.0) {
            break;
        }
        for (int i = 0; i < m; i++) {
            double chosen = a[best * m + i] / pivot;
            a[best * m + i] = a[k * m + i];
            a[k * m + i] = chosen;
        }
        for (int j = k + 1; j <= n; j++) {
            double *column = j < n ? a + j * m : b, dot = 0.0;
            for (int i = 0; i < m; i++) {
                dot += a[k * m + i] * column[i];
            }
            for (int i = 0; i < m; i++) {
                column[i] -= dot * a[k * m + i];
            }
        }
    }
    for (int i = 0; i < m; i++) {
        rest += b[i] * b[i];
    }
    free(norm);
    return sqrt(rest);
}

/* Adds what an equation at Taylor level m says: to column `unknown + n * level` of the matrix, by
   way of put(). */
static double raw_coefficient(const raw_equation *q, int term, int level, int m)
{
    if (term == q->rate) {
        return level == m + 1 ? q->factor[term] * (m + 1) : 0.0;
    }
    if (level > m) {
        return 0.0;
    }
    return term == q->varying ? q->factor[term] * q->value[m - level]
           : level == m       ? q->factor[term]
                              : 0.0;
}

/*
 * How far efforts and flows (bond: e, f, e, f ...) at a time are from any solution of the equations
 * and their first two derivatives, relative to their size: these alone must leave room for the
 * derivatives of all unknowns. 0 for a consistent point of index up to 3.
 */
static double raw_distance(const raw_system *x, const double *ef)
{
    int n = x->n_unknowns, n_known = 2 * (int) x->s->graph->bonds.count;
    int m = RAW_LEVELS * x->n_equations, n_columns = (RAW_LEVELS + 1) * n - n_known;
    double *a = calloc((size_t) m * (size_t) n_columns, sizeof *a);
    double *b = calloc((size_t) m, sizeof *b), weakest = 0.0, size = 1.0;

    for (int row = 0; row < m; row++) {
        const raw_equation *q = &x->equations[row % x->n_equations];
        int level = row / x->n_equations;
        b[row] = q->right[level];
        for (int term = 0; term < q->n; term++) {
            for (int l = 0; l <= level + 1; l++) {
                double c = raw_coefficient(q, term, l, level);
                int at = q->unknown[term] + n * l;
                if (at < n_known) {
                    b[row] -= c * ef[at];
                } else {
                    a[(at - n_known) * m + row] += c;
                }
            }
        }
    }
    for (int i = 0; i < n_known; i++) {
        size = fmax(size, fabs(ef[i]));
    }
    double rest = raw_project(a, m, n_columns, b, &weakest);
    free(a);
    free(b);
    return rest / size;
}

/* How well the equations determine a solution: the smallest beside the largest pivot of the matrix
   with d/dt replaced by a number; 0 when they are singular. */
static double raw_regularity(const raw_system *x)
{
    int n = x->n_unknowns;
    double *a = calloc((size_t) n * (size_t) n, sizeof *a), weakest = 0.0;
    double *b = calloc((size_t) n, sizeof *b);

    for (int row = 0; row < x->n_equations; row++) {
        const raw_equation *q = &x->equations[row];
        for (int term = 0; term < q->n; term++) {
            double c = term == q->rate      ? 1.3719 * q->factor[term]
                       : term == q->varying ? q->value[0] * q->factor[term]
                                            : q->factor[term];
            a[q->unknown[term] * n + row] += c;
        }
    }
    (void) raw_project(a, n, n, b, &weakest);
    free(a);
    free(b);
    return weakest;
}

#endif
