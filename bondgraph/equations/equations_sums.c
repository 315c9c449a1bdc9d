/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quadratures as unknowns.
 *
 * A quadrature W = integral of a power P(t, y, y', p) dt is no unknown of a run: the solver sums it
 * beside the motion. Deviations are followed for unknowns alone, through events, too. So where
 * deviations of W are asked for it becomes one, with the equation
 *
 *     W' - P = 0,     W(0) = 0,
 *
 * and outputs read it instead. The energy book keeps its own sums.
 *
 * What the motion does decides on the steps, as it does without: of W, which is 0 before the first
 * contact, a relative tolerance would want steps of nothing there. So its tolerance is LOOSE rtol
 * joules: none.
 */
#include <config.h>

#include "bondgraph/equations/equations_priv.h"
#include "lib/core/strbuf.h"

static const double LOOSE = 1e15; /* [J] over rtol */

/* A quadrature, and the symbol of the unknown that takes its place. */
typedef struct {
    const char *name;
    ha_expr sum, rate;
} quadrature;

static quadrature quadrature_of(const bg_equations *q, size_t i)
{
    quadrature all[] = { { "supplied", q->work, q->supply_rate },
                         { "dissipated", q->loss, q->loss_rate } };

    if (i < HA_COUNT(all)) {
        return all[i];
    }
    const bg__eq_loss *loss = &q->losses.items[i - HA_COUNT(all)];
    return (quadrature){ ha_symbol_name(q->dag, loss->heat), loss->heat, loss->rate };
}

/* A value in which something stands for a sum; but not in what the book is off by, which is made of
   its sums, wherever that is read. */
static ha_expr exchange(bg_equations *q, ha_expr value, ha_expr sum, ha_expr other)
{
    const ha_expr error = q->energy_error, turned = ha_neg(q->dag, error);
    const ha_expr from[3] = { error, turned, sum }, to[3] = { error, turned, other };

    return ha_expr_replace(q->dag, value, from, to, HA_COUNT(from));
}

/* Whether one of some outputs reads a quadrature, so that it is another one without. */
static bool is_read(bg_equations *q, const size_t *outputs, size_t n, ha_expr sum)
{
    const ha_expr zero = ha_constant(q->dag, 0.0);
    bool is_so = false;

    for (size_t i = 0; i < n && !is_so; i++) {
        ha_expr value = q->outputs.items[outputs[i]].value;
        is_so = exchange(q, value, sum, zero) != value;
    }
    return is_so;
}

/* The unknown and its equation; `*y` is its symbol. */
static ha_status add(bg_equations *q, const quadrature *sum, ha_expr *y)
{
    ha__strbuf text = HA_STRBUF(q->ctx);
    bg__eq_unknown unknown = { .kind = BG__INTEGRAL,
                               .start = HA_EXPR_NONE,
                               .content = HA_EXPR_NONE,
                               .measures = bg__measures_of(NULL) };
    bg__eq_row row = { 0 };

    ha__strbuf_addf(&text, "sum of %s", sum->name);
    ha_status status = text.status;
    unknown.name = unknown.title = bg__equation_text(q, ha__strbuf_text(&text));
    row.name = unknown.name;
    ha__strbuf_clear(&text);
    HA_TRY(status);
    HA_TRY_MEMORY(unknown.name);
    unknown.y = ha_symbol(q->dag, unknown.name);
    unknown.yp = ha_symbol(q->dag, "rate of a sum");
    unknown.measures.nominal = ha_constant(q->dag, 1.0);
    unknown.measures.tightness = ha_constant(q->dag, 1.0 / LOOSE);
    row.value = ha_sub(q->dag, unknown.yp, sum->rate);
    HA_TRY(ha_dag_status(q->dag));
    HA_TRY_PUSH(q->ctx, &q->unknowns, unknown);
    HA_TRY_PUSH(q->ctx, &q->rows, row);
    *y = unknown.y;
    return HA_OK;
}

/* All outputs read the unknown instead. */
static void put_in(bg_equations *q, ha_expr sum, ha_expr y)
{
    for (size_t i = 0; i < q->outputs.count; i++) {
        ha_expr *value = &q->outputs.items[i].value;
        *value = exchange(q, *value, sum, y);
    }
}

ha_status bg__sum_by_unknowns(bg_equations *q, const size_t *outputs, size_t n)
{
    for (size_t i = 0; i < 2 + q->losses.count; i++) {
        const quadrature sum = quadrature_of(q, i);
        ha_expr y = HA_EXPR_NONE;
        bool is_one = is_read(q, outputs, n, sum.sum);
        HA_TRY(ha_dag_status(q->dag));
        if (is_one) {
            HA_TRY(add(q, &sum, &y));
            put_in(q, sum.sum, y);
            HA_TRY(ha_dag_status(q->dag));
        }
    }
    return HA_OK;
}
