/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reduction of the index to 1.
 *
 * The solver finds the derivatives y' of the unknowns that have one and the others themselves:
 * these are its highest derivatives, z. The index is at most 1 when the rows determine z, for which
 * every row must have a z of its own. A row without one (a tear s = g(q) whose derivative s' enters
 * elsewhere; the flow of a sink) is differentiated, with all rows that compete with it for too few
 * z: Pantelides' algorithm (SIAM J. Sci. Stat. Comput. 9, 1988), here for one differentiation.
 * Where more would be needed, or rows that have a z each are dependent in them, rows are combined
 * first (combine.c), and all begins again.
 *
 * What becomes of a row r that was differentiated depends on the z it is matched with. The
 * derivative of a tear, content or multiplier s: r = 0 stays for s, dr/dt = 0 joins it for s',
 * which becomes an unknown of its own (Mattsson and Soderlind, SIAM J. Sci. Comput. 14, 1993: a
 * dummy derivative); no start value is needed and nothing drifts. The derivative of a state: the
 * states obey a constraint, and the row is stabilised as dr/dt + 2 alpha r = 0. Where terms cancel
 * the matching is not enough to tell which signals are determined so (dummy.c).
 *
 * Which unknowns a row contains, reduce_entries.c says.
 */
#include <config.h>

#include "bondgraph/equations/reduce_priv.h"

#include "lib/core/strbuf.h"
#include "lib/expr/expr_copy.h"
#include "lib/linalg/modular.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAMES = 6 };

void bg__reduction_clear(bg__reduction *r)
{
    HA_FREE(r->form, r->rate_of, r->value);
    HA_ARRAY_CLEAR(&r->absences);
    *r = (bg__reduction){ 0 };
}

ha_status bg__copy_alike(const bg__system *s, ha_dag *from, ha_dag *to, ha_expr *values)
{
    ha__copy copy;
    ha_status status = HA_OK;

    HA_TRY(ha__copy_begin(&copy, from, to));
    for (ha_expr e = 1; e < ha_dag_size(s->graph->dag); e++) {
        if (ha_expr_op(from, e) == HA_OP_SYMBOL) {
            ha__copy_map(&copy, e, e);
        }
    }
    for (size_t i = 0; i < s->rows.count && status == HA_OK; i++) {
        status = ha__copy_expr(&copy, values[i], &values[i]);
    }
    ha__copy_end(&copy);
    return status;
}

ha_status bg__reduced_row(const bg__system *s, const bg__reduction *r, ha_dag *dag, int row,
                          ha_expr *out)
{
    ha_expr value = HA_EXPR_NONE;
    size_t first = 0, last = r->absences.count;
    bool is_combined = r->value != NULL && r->value[row] != HA_EXPR_NONE;

    HA_TRY(ha_resolve(dag, is_combined ? r->value[row] : s->rows.items[row].value, &value));
    while (first < last) { /* the first absence of the row */
        size_t middle = (first + last) / 2;
        if (r->absences.items[middle].row < row) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    last = first;
    for (; last < r->absences.count && r->absences.items[last].row == row; last++) {
        ha_symbol_define(dag, r->absences.items[last].symbol, ha_constant(dag, 0.0));
    }
    if (last > first) {
        HA_TRY(ha_dag_status(dag));
        HA_TRY(ha_resolve(dag, value, &value));
    }
    for (; first < last; first++) {
        ha_symbol_define(dag, r->absences.items[first].symbol, HA_EXPR_NONE);
    }
    *out = value;
    return ha_dag_status(dag);
}

/* --- matching ------------------------------------------------------------------------------- */

/* Finds a z for a row by an alternating path; false when there is none, and the queue then holds
   the `*n_reached` rows that compete. */
static bool augment(bg__reducer *x, int row, bool keeps_settled, int *n_reached)
{
    int n = 0;

    x->stamp++;
    x->queue[n++] = row;
    for (int next = 0; next < n; next++) {
        int i = x->queue[next];
        for (int e = x->start[i]; e < x->start[i + 1]; e++) {
            const bg__incidence *entry = &x->entries.items[e];
            int j = entry->j;
            if (!bg__holds_highest(x, entry) || x->seen[j] == x->stamp ||
                (keeps_settled && x->times[i] == 0 && bg__is_settled(x, j))) {
                continue;
            }
            x->seen[j] = x->stamp;
            x->from[j] = i;
            if (x->row_of[j] >= 0) {
                x->queue[n++] = x->row_of[j];
                continue;
            }
            for (int free_one = j; free_one >= 0;) { /* along the path, back to the row */
                int r = x->from[free_one], other = x->unknown_of[r];
                x->row_of[free_one] = r;
                x->unknown_of[r] = free_one;
                free_one = r == row ? -1 : other;
            }
            return true;
        }
    }
    *n_reached = n;
    return false;
}

static ha_status refuse(const bg__reducer *x, int n_reached)
{
    const bg__system *s = x->s;
    ha__strbuf names = HA_STRBUF(s->ctx);
    int n = n_reached < MAX_NAMES ? n_reached : MAX_NAMES;

    for (int i = 0; i < n; i++) {
        ha__strbuf_addf(&names, "%s`%s`", i == 0 ? "" : ", ", s->rows.items[x->queue[i]].name);
    }
    if (n_reached > n) {
        ha__strbuf_addf(&names, " and %d more", n_reached - n);
    }
    ha_status status = names.status;
    if (status == HA_OK) {
        int element = s->rows.items[x->queue[0]].element;
        status = ha_fail(s->ctx, HA_ERR_UNSUPPORTED,
                         element < 0 ? HA_NOWHERE : s->graph->elements.items[element].where,
                         "the equations at %s leave too little free and would have to be "
                         "differentiated twice (an index above 2), which is not done; put a "
                         "compliance, inertia or resistance between these elements",
                         ha__strbuf_text(&names));
    }
    return ha__strbuf_drop(&names, status);
}

/* No row of those that compete for too few z would be differentiated twice. */
static bool can_be_differentiated(const bg__reducer *x, int n_reached)
{
    for (int i = 0; i < n_reached; i++) {
        int row = x->queue[i];
        for (int e = x->start[row]; e < x->start[row + 1]; e++) {
            if (x->times[row] == 1 || x->entries.items[e].k == 1) {
                return false;
            }
        }
    }
    return true;
}

static void differentiate(bg__reducer *x, int n_reached)
{
    for (int i = 0; i < n_reached; i++) {
        int row = x->queue[i];
        x->times[row] = 1;
        for (int e = x->start[row]; e < x->start[row + 1]; e++) {
            x->level[x->entries.items[e].j] = 1;
        }
    }
}

/* A row without unknowns holds for all values, or for none. */
static ha_status refuse_empty(const bg__reducer *x, int row)
{
    const bg__row *r = &x->s->rows.items[row];

    return ha_fail(x->s->ctx, HA_ERR_SINGULAR,
                   r->element < 0 ? HA_NOWHERE : x->s->graph->elements.items[r->element].where,
                   "the equation at `%s` determines nothing: all unknowns cancel in it, whatever "
                   "the values of the elements; something is constrained twice, or a loop of "
                   "junctions and transformers has the gain 1",
                   r->name);
}

/* Each row is first offered its own unknown. */
static void match_own(bg__reducer *x)
{
    for (int i = 0; i < x->n; i++) {
        for (int e = x->start[i]; e < x->start[i + 1] && x->unknown_of[i] < 0; e++) {
            const bg__incidence *entry = &x->entries.items[e];
            if (entry->j == i && bg__holds_highest(x, entry)) {
                x->row_of[i] = i;
                x->unknown_of[i] = i;
            }
        }
    }
}

/* Gives a row a z of its own, or combines it with those that compete for too few. A sink that finds
   none may be redundant and is left as it is: the start of the run tells. */
static ha_status match_row(bg__reducer *x, int row, bool *is_combined)
{
    bool is_sink = x->s->rows.items[row].kind == BG__ROW_CONSTRAINT;
    bool is_empty = x->start[row] == x->start[row + 1];
    int n = 0;

    if (is_empty) {
        return is_sink ? HA_OK : refuse_empty(x, row);
    }
    while (x->unknown_of[row] < 0 && !augment(x, row, false, &n)) {
        if (!can_be_differentiated(x, n)) {
            HA_TRY(bg__combine_rows(x, x->queue, n, is_combined));
            return *is_combined || (is_sink && x->times[row] == 1) ? HA_OK : refuse(x, n);
        }
        differentiate(x, n);
    }
    return HA_OK;
}

static ha_status match(bg__reducer *x, bool *is_combined)
{
    match_own(x);
    for (int i = 0; i < x->n && !*is_combined; i++) {
        HA_TRY(match_row(x, i, is_combined));
    }
    return *is_combined ? HA_OK : bg__combine_dependent(x, is_combined);
}

/* Tries to match a differentiated row with the derivative of a signal instead of that of a state:
   the signal then needs no start value and the row no stabilisation. */
static void settle(bg__reducer *x, int row)
{
    int state = x->unknown_of[row];

    for (int e = x->start[row]; e < x->start[row + 1] && !bg__is_settled(x, x->unknown_of[row]);
         e++) {
        int j = x->entries.items[e].j, other = x->row_of[j], unused = 0;
        if (!bg__holds_highest(x, &x->entries.items[e]) || bg__is_settled(x, j) || j == state ||
            !bg__is_signal(x, j)) {
            continue;
        }
        x->row_of[j] = row;
        x->unknown_of[row] = j;
        x->row_of[state] = -1;
        if (other < 0) { /* left over by a redundant sink */
            return;
        }
        x->unknown_of[other] = -1;
        if (!augment(x, other, true, &unused)) {
            x->row_of[j] = other;
            x->unknown_of[other] = j;
            x->row_of[state] = row;
            x->unknown_of[row] = state;
        }
    }
}

/* --- forms ---------------------------------------------------------------------------------- */

/* A sink whose flow contains neither a multiplier nor a tear nor a derivative is differentiated
   from the beginning. */
static ha_status form_of_sinks(const bg__system *s, ha_dag *dag, bg__reduction *r)
{
    for (size_t i = 0; i < s->rows.count; i++) {
        ha_expr value = HA_EXPR_NONE;
        bool is_algebraic = false;
        r->rate_of[i] = -1;
        if (s->rows.items[i].kind != BG__ROW_CONSTRAINT) {
            continue;
        }
        HA_TRY(ha_resolve(dag, s->rows.items[i].value, &value));
        HA_TRY(bg__contains(s, dag, value, 1 << BG__MULTIPLIER | 1 << BG__TEAR | BG__ANY_DERIVATIVE,
                            &is_algebraic));
        r->form[i] = is_algebraic ? BG__AS_IT_STANDS : BG__STABILISED;
    }
    return HA_OK;
}

/* A loop, the content of a storage behind another, a sink without position level, or one whose flow
   seems to contain an algebraic unknown. */
static bool needs_reduction(const bg__system *s, const bg__reduction *r)
{
    for (size_t i = 0; i < s->rows.count; i++) {
        const bg__row *row = &s->rows.items[i];
        if (row->kind == BG__ROW_LOOP) {
            return true;
        }
        if (row->kind == BG__ROW_CONSTRAINT && row->when == HA_EXPR_NONE &&
            (!row->is_assembled || r->form[i] == BG__AS_IT_STANDS)) {
            return true;
        }
    }
    return false;
}

static ha_status set_forms(bg__reducer *x)
{
    const bg__system *s = x->s;

    for (int i = 0; i < x->n; i++) {
        if (x->times[i] == 0) {
            x->out->form[i] = BG__AS_IT_STANDS;
        } else if (bg__is_settled(x, x->unknown_of[i])) {
            x->out->form[i] = BG__TWICE;
            x->out->rate_of[i] = x->unknown_of[i];
        } else {
            x->out->form[i] = BG__STABILISED;
        }
    }
    for (int j = 0; j < x->n; j++) {
        const bg__unknown *u = &s->unknowns.items[j];
        if (u->kind == BG__TEAR && x->level[j] == 1 && !bg__is_settled(x, j)) {
            return ha_fail(s->ctx, HA_ERR_UNSUPPORTED,
                           u->element < 0 ? HA_NOWHERE : s->graph->elements.items[u->element].where,
                           "`%s`, which closes an algebraic loop, would become a state through the "
                           "derivatives in the loop, and nothing gives its start value; put a "
                           "compliance, inertia or resistance into the loop",
                           u->name);
        }
    }
    return HA_OK;
}

static ha_status allocate(bg__reducer *x)
{
    ha_ctx *ctx = x->s->ctx;

    HA_TRY_ALLOC_EACH(ctx, x->n, x->value, x->is_combined);
    HA_TRY_ALLOC(ctx, x->start, x->n + 1);
    HA_TRY_ALLOC_EACH(ctx, x->n, x->level, x->times, x->row_of, x->unknown_of, x->seen, x->from,
                      x->queue);
    return HA_OK;
}

/* The state before any row is matched. */
static void begin(bg__reducer *x)
{
    memset(x->start, 0, (size_t) (x->n + 1) * sizeof *x->start);
    for (int i = 0; i < x->n; i++) {
        x->row_of[i] = x->unknown_of[i] = -1;
        x->level[i] = 0;
        x->times[i] = x->out->form[i] == BG__STABILISED && !x->is_combined[i];
    }
    for (size_t e = 0; e < x->entries.count; e++) {
        const bg__incidence *entry = &x->entries.items[e];
        if (entry->row < x->n) {
            x->start[entry->row + 1] = (int) e + 1;
        }
        if (entry->k + (entry->row < x->n ? x->times[entry->row] : 0) >= 1) {
            x->level[entry->j] = 1;
        }
    }
    for (int i = 0; i < x->n; i++) {
        x->start[i + 1] = x->start[i + 1] < x->start[i] ? x->start[i] : x->start[i + 1];
    }
}

/* Brings the combinations into the graph of the equations. */
static ha_status keep_combined(bg__reducer *x, ha_dag *dag)
{
    if (x->n_combined == 0) {
        return HA_OK;
    }
    HA_TRY_ALLOC(x->s->ctx, x->out->value, x->n);
    for (int i = 0; i < x->n; i++) {
        x->out->value[i] = x->is_combined[i] ? x->value[i] : HA_EXPR_NONE;
    }
    return bg__copy_alike(x->s, x->dag, dag, x->out->value);
}

static ha_status reduce(bg__reducer *x, ha_dag *dag)
{
    bool is_combined = true;

    bg__forget_values(x->dag);
    HA_TRY(bg__system_derive(x->s, x->dag));
    HA_TRY(bg__index_symbols(x));
    HA_TRY(allocate(x));
    for (int i = 0; i < x->n; i++) {
        x->value[i] = x->s->rows.items[i].value;
    }
    while (is_combined) {
        is_combined = false;
        HA_TRY(bg__find_entries(x));
        begin(x);
        HA_TRY(match(x, &is_combined));
    }
    for (int i = 0; i < x->n; i++) {
        if (x->times[i] == 1 && x->unknown_of[i] >= 0 && !bg__is_settled(x, x->unknown_of[i])) {
            settle(x, i);
        }
    }
    HA_TRY(bg__choose_dummies(x));
    HA_TRY(keep_combined(x, dag));
    return set_forms(x);
}

static void clear(bg__reducer *x)
{
    ha_dag_free(x->dag);
    HA_ARRAY_CLEAR(&x->entries);
    HA_FREE(x->value, x->is_combined, x->residue, x->start, x->of_symbol, x->level, x->times,
            x->row_of, x->unknown_of, x->seen, x->from, x->queue);
}

ha_status bg__system_reduce(const bg__system *s, ha_dag *dag, bg__reduction *out)
{
    bg__reducer x = { .s = s, .out = out, .n = (int) s->rows.count };

    *out = (bg__reduction){ 0 };
    HA_TRY_ALLOC_EACH(s->ctx, s->rows.count, out->form, out->rate_of);
    HA_TRY(form_of_sinks(s, dag, out));
    if (!needs_reduction(s, out)) {
        return HA_OK;
    }
    x.dag = ha_dag_clone(s->graph->dag);
    ha_status status = x.dag == NULL ? HA_ERR_MEMORY : reduce(&x, dag);
    clear(&x);
    return status;
}
