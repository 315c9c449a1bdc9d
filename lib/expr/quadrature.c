/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adaptive quadrature (Piessens et al., QUADPACK, 1983): on each piece the Gauss-Kronrod rule of 7
 * and 15 points, whose difference bounds the error; the piece with the largest error is halved.
 *
 * Beyond their outermost node both rules are blind: a step or kink there leaves no difference. So
 * the function at each end, where it is finite, is compared with the polynomial through the 15
 * points, and what it is off, times the distance of the end from its node, adds to the error.
 */
#include <config.h>

#include "lib/expr/quadrature.h"

#include <math.h>

enum { N_NODES = 8, N_POINTS = 2 * N_NODES - 1, MAX_HALVINGS = 400, MAX_PIECES = MAX_HALVINGS + 1 };

/* Nodes from the outside to the middle, weights of Kronrod, of Gauss (0: not a node of it). */
static const double rule[N_NODES][3] = {
    { 0.991455371120812639206854697526329, 0.022935322010529224963732008058970, 0.0 },
    { 0.949107912342758524526189684047851, 0.063092092629978553290700663189204,
      0.129484966168869693270611432679082 },
    { 0.864864423359769072789712788640926, 0.104790010322250183839876322541518, 0.0 },
    { 0.741531185599394439863864773280788, 0.140653259715525918745189590510238,
      0.279705391489276667901467771423780 },
    { 0.586087235467691130294144691693013, 0.169004726639267902826583426598550, 0.0 },
    { 0.405845151377397166906606412076961, 0.190350578064785409913256402421014,
      0.381830050505118944950369775488975 },
    { 0.207784955007898467600689403773245, 0.204432940075298892414161999234649, 0.0 },
    { 0.0, 0.209482141084727828012999174891714, 0.417959183673469387755102040816327 },
};

typedef struct {
    double a, b, value, size, error; /* size: the integral of |f| */
} piece;

/* The value at 1 of the polynomial that is 1 at node i of the 15 (from -1 to 1) and 0 at the
 * others. */
static double end_weight(int i)
{
    double weight = 1.0, nodes[N_POINTS];

    for (int k = 0; k < N_NODES; k++) {
        nodes[k] = -rule[k][0];
        nodes[N_POINTS - 1 - k] = rule[k][0];
    }
    for (int k = 0; k < N_POINTS; k++) {
        weight *= k == i ? 1.0 : (1.0 - nodes[k]) / (nodes[i] - nodes[k]);
    }
    return weight;
}

/* The error that the two rules cannot see; `values` at the nodes from a to b. */
static double blind_error(double (*f)(void *user, double x), void *user, const piece *p,
                          const double values[N_POINTS])
{
    double blind = 0.5 * fabs(p->b - p->a) * (1.0 - rule[0][0]), error = 0.0;

    for (int end = 0; end < 2; end++) {
        double off = f(user, end == 0 ? p->a : p->b);
        bool is_finite = isfinite(off);
        for (int i = 0; i < N_POINTS; i++) {
            off -= end_weight(i) * values[end == 0 ? N_POINTS - 1 - i : i];
        }
        error += is_finite ? blind * fabs(off) : 0.0;
    }
    return error;
}

static void measure(double (*f)(void *user, double x), void *user, piece *p)
{
    double middle = 0.5 * (p->a + p->b), half = 0.5 * (p->b - p->a), gauss = 0.0;
    double values[N_POINTS];

    p->value = p->size = 0.0;
    for (int i = 0; i < N_NODES; i++) {
        bool is_middle = i == N_NODES - 1;
        double right = f(user, middle + half * rule[i][0]);
        double left = is_middle ? 0.0 : f(user, middle - half * rule[i][0]);
        values[i] = left;
        values[N_POINTS - 1 - i] = right;
        p->value += half * rule[i][1] * (left + right);
        p->size += fabs(half) * rule[i][1] * (fabs(left) + fabs(right));
        gauss += half * rule[i][2] * (left + right);
    }
    p->error = fabs(p->value - gauss) + blind_error(f, user, p, values);
}

/* The index of the piece with the largest error; sums in `*total`. */
static int add_up(const piece *pieces, int n, piece *total)
{
    int worst = 0;

    *total = (piece){ 0 };
    for (int i = 0; i < n; i++) {
        total->value += pieces[i].value;
        total->size += pieces[i].size;
        total->error += pieces[i].error;
        worst = pieces[i].error > pieces[worst].error ? i : worst;
    }
    return worst;
}

bool ha__integrate(double (*f)(void *user, double x), void *user, double a, double b, double *out)
{
    static const double wanted = 1e-13, accepted = 1e-9;
    piece pieces[MAX_PIECES], total = { 0 };
    int n = 1;

    if (a == b) { /* whatever f is there: an energy is 0 where its law is log(0) */
        *out = 0.0;
        return true;
    }
    pieces[0] = (piece){ .a = a, .b = b };
    measure(f, user, &pieces[0]);
    for (;;) {
        int worst = add_up(pieces, n, &total);
        if (!isfinite(total.value) || total.error <= wanted * total.size || n == MAX_PIECES) {
            break;
        }
        double middle = 0.5 * (pieces[worst].a + pieces[worst].b);
        pieces[n] = (piece){ .a = middle, .b = pieces[worst].b };
        pieces[worst].b = middle;
        measure(f, user, &pieces[worst]);
        measure(f, user, &pieces[n++]);
    }
    *out = total.value;
    return isfinite(total.value) && total.error <= accepted * total.size;
}
