/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operating point of a linearisation, and the derivatives of the model there.
 */
#include <config.h>

#include "bondgraph/analysis/held.h"
#include "bondgraph/analysis/linear_priv.h"
#include "lib/dae/dae_priv.h"

#include <math.h>
#include <string.h>

static const double NOTHING = 1e-12; /* of the largest derivative of an equation */

/* --- operating point ------------------------------------------------------------------------ */

/* What holds a value by a condition; NULL: nothing does. */
static const ha_dae_hold *held_by(const bg_model *m, int condition)
{
    for (int i = 0; i < m->dae.n_holds; i++) {
        if (m->dae.holds[i].condition == condition) {
            return &m->dae.holds[i];
        }
    }
    return NULL;
}

/* Adds what `text` has gathered to the sides, but once: those inside others may go by one text. */
static ha_status list_text(bg__linearisation *l, ha__strbuf *text)
{
    char *taken = ha__strbuf_take(text);
    bool is_new = true;

    HA_TRY_MEMORY(taken);
    for (int i = 0; i < l->out->n_sides; i++) {
        is_new = is_new && strcmp(l->out->sides[i], taken) != 0;
    }
    if (is_new) {
        l->out->sides[l->out->n_sides++] = taken;
    } else {
        ha__free(taken);
    }
    return HA_OK;
}

ha_status bg__linear_list_side(bg__linearisation *l, const char *compared, bool is_turned,
                               bool is_above)
{
    ha__strbuf text = HA_STRBUF(l->ctx);
    const char *above = is_turned ? " <= 0" : " >= 0", *below = is_turned ? " > 0" : " < 0";

    ha__strbuf_add(&text, compared);
    ha__strbuf_add(&text, is_above ? above : below);
    return list_text(l, &text);
}

/* Of a condition by which a signal holds a value "u is held", "u is not held". */
static ha_status list_side(bg__linearisation *l, int condition, bool is_above)
{
    const ha_dae_hold *hold = held_by(l->m, condition);

    if (hold == NULL) {
        return bg__linear_list_side(l, l->m->switches[condition], l->m->is_turned[condition] != 0,
                                    is_above);
    }
    ha__strbuf text = HA_STRBUF(l->ctx);
    bg__held_add_name(l->m, hold->unknown, &text);
    ha__strbuf_add(&text, hold->is_sampled != 0 || is_above ? " is held" : " is not held");
    return list_text(l, &text);
}

/* Sets the sides (n_switches) of the switches by their functions g, and lists them; leaves room
   for those of outputs (linear_edges.c). */
static ha_status choose_sides(bg__linearisation *l, double *g, signed char *sides)
{
    int n = l->m->dae.n_switches;

    HA_TRY_ALLOC(l->ctx, l->out->sides, n + l->m->n_edges);
    if (n == 0) {
        return HA_OK;
    }
    ha__settle_sides(&l->m->dae, l->work, l->point->t, l->y, l->yp, false, g, sides);
    for (int i = 0; i < n; i++) {
        sides[i] = g[i] >= 0.0;
        HA_TRY(list_side(l, i, sides[i] != 0));
    }
    l->m->dae.set_sides(l->m, l->work, sides);
    return HA_OK;
}

double *bg__linear_put(bg__linearisation *l, bg__tape_kind kind, double t, const double *y,
                       const double *yp)
{
    double *w = l->work + l->m->offset[kind];
    size_t n = (size_t) l->m->dae.n;

    w[BG__IN_T] = t;
    memcpy(w + BG__IN_Y, y, n * sizeof *y);
    memcpy(w + BG__IN_Y + n, yp, n * sizeof *yp);
    return w;
}

void bg__linear_differentiate(bg__linearisation *l, double t, const double *y, const double *yp)
{
    double *w = bg__linear_put(l, BG__TAPE_LINEAR, t, y, yp);

    ha__tape_run(l->m->tapes[BG__TAPE_LINEAR], w, l->values);
}

/* What the equations are at one choice of sides. */
typedef struct {
    double *values;   /* (n_linear) derivatives */
    double *residual; /* (n) the equations themselves, at the rates of the point */
} form;

/* True where neither the equations nor their derivatives differ, beside the largest derivative of
   each row; what is not finite on one side is another form. */
static bool is_same(const bg__linearisation *l, const form *a, const form *b)
{
    double largest = 0.0;

    for (int i = 0, first = 0; i <= l->m->n_linear; i++) {
        const bg__linear_entry *e = &l->m->linear[i], *begin = &l->m->linear[first];
        if (i == l->m->n_linear || e->row != begin->row || e->block != begin->block) {
            for (int k = first; k < i; k++) {
                double off = fabs(a->values[k] - b->values[k]);
                double size = fmax(fabs(a->values[k]), fabs(b->values[k]));
                if (!(off <= BG__SAME * size + NOTHING * largest) || !isfinite(size)) {
                    return false;
                }
            }
            bool is_row = first < i && begin->block == BG__LINEAR_EQUATION;
            double jump = is_row ? fabs(a->residual[begin->row] - b->residual[begin->row]) : 0.0;
            if (!(jump <= 10.0 * BG__EDGE * largest)) {
                return false;
            }
            first = i;
            largest = 0.0;
        }
        largest = i < l->m->n_linear ? fmax(largest, fabs(a->values[i])) : 0.0;
    }
    return true;
}

static void take_form(bg__linearisation *l, const signed char *sides, form *out)
{
    const ha_dae *dae = &l->m->dae;

    dae->set_sides(l->m, l->work, sides);
    bg__linear_differentiate(l, l->point->t, l->y, l->yp);
    memcpy(out->values, l->values, (size_t) l->m->n_linear * sizeof *l->values);
    dae->residual(l->m, l->work, l->point->t, l->y, l->yp, out->residual);
}

static ha_status fail_on_edge(const bg__linearisation *l, int i, const double *g)
{
    return ha_fail(l->ctx, HA_ERR_VALUE, HA_NOWHERE,
                   "the model cannot be linearised here: the condition `%s` > 0 is on its edge "
                   "(%g), and on both sides the law has other values or derivatives; move the "
                   "operating point with --at, or take one side with --force",
                   l->m->switches[i], bg__linear_compared(g[i], l->m->is_turned[i] != 0));
}

static bool is_on_edge(const bg__linearisation *l, const double *g, int i)
{
    return fabs(g[i]) <= BG__EDGE && held_by(l->m, i) == NULL;
}

/* Turns switch `which` to its other side, or all of them, -1, that are on their edges. */
static void turn(const bg__linearisation *l, const double *g, int which, signed char *sides)
{
    for (int i = 0; i < l->m->dae.n_switches; i++) {
        bool is_turned = is_on_edge(l, g, i) && (which < 0 || which == i);
        sides[i] = is_turned ? !sides[i] : sides[i];
    }
}

/* Compares the form at hand with those on the other side of each edge, and of all of them, of which
   `last` is one. */
static ha_status compare_forms(bg__linearisation *l, const double *g, signed char *sides, int last,
                               form *here, form *other)
{
    take_form(l, sides, here);
    for (int i = last; i >= -1; i--) {
        if (i >= 0 && !is_on_edge(l, g, i)) {
            continue;
        }
        turn(l, g, i, sides);
        take_form(l, sides, other);
        turn(l, g, i, sides);
        HA_TRY(is_same(l, here, other) ? HA_OK : fail_on_edge(l, i >= 0 ? i : last, g));
    }
    return HA_OK;
}

/* On the edge of a switch a law that only changes its form may have one derivative all the same, as
   dry friction that is smooth in the speed has at rest; where it has two, or jumps, the model has
   none. */
static ha_status check_edges(bg__linearisation *l, const double *g, signed char *sides)
{
    size_t n = (size_t) l->m->dae.n, n_linear = (size_t) l->m->n_linear;
    double *room = NULL;
    int last = l->m->dae.n_switches - 1;

    while (last >= 0 && !is_on_edge(l, g, last)) {
        last--;
    }
    if (last < 0) {
        return HA_OK;
    }
    HA_TRY_ALLOC(l->ctx, room, 2 * (n + n_linear));
    form here = { room, room + n_linear };
    form other = { here.residual + n, here.residual + n + n_linear };
    ha_status status = compare_forms(l, g, sides, last, &here, &other);
    l->m->dae.set_sides(l->m, l->work, sides);
    memcpy(l->values, here.values, n_linear * sizeof *l->values);
    ha__free(room);
    return status;
}

/* The derivatives at the operating point. */
static ha_status differentiate_here(bg__linearisation *l)
{
    size_t n = (size_t) l->m->dae.n_switches;
    double *g = ha__alloc(l->ctx, n, sizeof *g);
    signed char *sides = ha__alloc(l->ctx, n, sizeof *sides);
    bool *is_edge = ha__alloc(l->ctx, n, sizeof *is_edge);
    ha_status status = g == NULL || sides == NULL || is_edge == NULL ? HA_ERR_MEMORY : HA_OK;

    HA_THEN(status, choose_sides(l, g, sides));
    if (status == HA_OK) {
        bg__linear_differentiate(l, l->point->t, l->y, l->yp);
    }
    if (status == HA_OK && !l->point->force) {
        for (size_t i = 0; i < n; i++) {
            is_edge[i] = fabs(g[i]) <= BG__EDGE;
        }
        status = check_edges(l, g, sides);
        HA_THEN(status, bg__held_refuse_active(l->ctx, l->m, sides, is_edge, l->values));
    }
    HA_FREE(g, sides, is_edge);
    return status;
}

ha_status bg__linear_evaluate(bg__linearisation *l)
{
    const double *given = l->stabilisation;
    const double parameters[BG__PARAMETER_COUNT] = { given != NULL ? given[0] : BG__LINEAR_ALPHA,
                                                     given != NULL ? given[1] : BG__LINEAR_BETA,
                                                     0.0, l->point->deviation };
    const bg_model *m = l->m;

    memcpy(l->y, l->point->y, (size_t) m->dae.n * sizeof *l->y);
    HA_TRY(l->point->force ? HA_OK : bg__held_refuse_samples(l->ctx, m));
    HA_TRY(ha__dae_start_within(l->ctx, &m->dae, parameters, l->point->t, l->y, l->yp));
    m->dae.prepare(m, parameters, l->work);
    HA_TRY(differentiate_here(l));
    for (int i = 0; i < m->n_linear; i++) {
        const bg__linear_entry *e = &m->linear[i];
        if (!isfinite(l->values[i])) {
            const char *name = e->block == BG__LINEAR_OUTPUT     ? m->dae.outputs[e->row].name
                               : e->block == BG__LINEAR_EQUATION ? m->dae.equations[e->row]
                                                                 : "a constraint";
            return ha_fail(l->ctx, HA_ERR_VALUE, HA_NOWHERE,
                           "the model cannot be linearised here: a derivative of `%s` is not a "
                           "finite number; move the operating point away from where its law has a "
                           "vertical tangent or a jump",
                           name);
        }
    }
    for (int j = 0; j < m->dae.n; j++) {
        double size = m->dae.unknowns[j].size;
        l->size[j] = size > 0.0 ? size : 1.0;
    }
    return HA_OK;
}

/* --- K -------------------------------------------------------------------------------------- */

/* The column of K that an entry is in; -1: none. */
static int k_column(const bg__linearisation *l, const bg__linear_entry *e)
{
    int n = l->m->dae.n;

    if (e->block != BG__LINEAR_EQUATION || e->column >= 2 * n) {
        return -1;
    }
    if (e->column >= n) {
        return bg__linear_is_differential(l, e->column - n) ? e->column - n : -1;
    }
    return bg__linear_is_differential(l, e->column) ? -1 : e->column;
}

ha_status bg__linear_refactor(bg__linearisation *l)
{
    for (int i = 0; i < l->m->n_linear; i++) {
        if (l->k_place[i] >= 0) {
            l->k_value[l->k_place[i]] = l->values[i];
        }
    }
    ha__lu_flag flag = ha__lu_factor_safely(l->lu, l->k_value);
    if (flag == HA__LU_FAILED) {
        return HA_ERR_MEMORY;
    }
    return flag == HA__LU_DONE
               ? HA_OK
               : ha_fail(l->ctx, HA_ERR_SINGULAR, HA_NOWHERE,
                         "the model cannot be linearised here: its equations do not determine the "
                         "accelerations, as at a singular position; move the operating point");
}

/* In compressed columns; entries come by rows, so that those of a column are ascending. */
ha_status bg__linear_factor(bg__linearisation *l)
{
    const bg_model *m = l->m;
    size_t n = (size_t) m->dae.n;
    int64_t *next = NULL;

    HA_TRY_ALLOC(l->ctx, l->k_start, n + 2);
    HA_TRY_ALLOC_EACH(l->ctx, m->n_linear, l->k_row, l->k_value, l->k_place);
    HA_TRY_ALLOC(l->ctx, l->k_mark, n);
    next = l->k_start + 1; /* column j's next slot; becomes the start of column j + 1 */
    for (int i = 0; i < m->n_linear; i++) {
        int column = k_column(l, &m->linear[i]);
        if (column >= 0 && column + 2 <= (int) n) {
            next[column + 1]++;
        }
    }
    for (size_t j = 1; j <= n; j++) {
        next[j] += next[j - 1];
    }
    for (int i = 0; i < m->n_linear; i++) {
        int column = k_column(l, &m->linear[i]);
        l->k_place[i] = -1;
        if (column >= 0) {
            l->k_row[next[column]] = m->linear[i].row;
            l->k_place[i] = next[column]++;
        }
    }
    HA_TRY(ha__lu_new(l->ctx, (int) n, l->k_start, l->k_row, l->k_mark, &l->lu));
    return bg__linear_refactor(l);
}
