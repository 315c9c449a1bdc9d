/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signals that are kept as unknowns where rows would fill in.
 *
 * What is no unknown is inserted wherever it is read, so that a row comes to contain all unknowns
 * behind it. In a chain of n signals, each the one before and a state, that is n^2 / 2 entries,
 * torn or not. With one signal in every few kept as an unknown s, with the row s - g(...) = 0, each
 * row contains a few unknowns only, and the sparse factorisation of the solver does the rest.
 *
 * Only the rows of states read such unknowns, each of which has its own derivative for itself. The
 * rows of loops and constraints, from which the index is reduced, are as if nothing was kept: what
 * cancels in them is seen there (reduce_entries.c), and it cancels in no row by itself when parts
 * of it are unknowns. They are few beside the states, or torn to be short (tear.c).
 *
 * How many different unknowns a row contains is estimated without listing them: each gets a random
 * number in (0, 1], and the k-th smallest of those in a row, r, tells that there are (k - 1) / r
 * (Cohen, J. Comput. Syst. Sci. 55, 1997; exact below k). The k smallest of a union come from those
 * of its members, so that all rows together take a time in proportion to what they read. Only where
 * there would be more than MOST entries, and as many times as many as rows, signals are chosen: in
 * causal order, each that would contain more than WIDEST unknowns, counted one by one. Rates are
 * not: they are derivatives of others.
 */
#include <config.h>

#include "bondgraph/causality/causal_order.h"
#include "lib/expr/expr_copy.h"
#include "lib/expr/expr_priv.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
    SMALLEST = 8,      /* numbers that are kept of a set */
    WIDEST = 12,       /* unknowns in a signal that is not kept */
    MOST = 100000,     /* entries of all rows */
    MOST_OF_ROW = 100, /* on an average */
    FEWEST_ROWS = 300  /* below, there can hardly be so many */
};

/* The smallest numbers of the unknowns in a signal, ascending. */
typedef struct {
    int n;
    float least[SMALLEST];
} sketch;

/* The unknowns in a signal. */
typedef struct {
    int n; /* WIDEST + 1: more */
    int items[WIDEST];
} contents;

/* What is behind the definitions. */
typedef struct {
    bg__system *s;
    int *definition_of; /* by node: the definition of a symbol, -1 */
    int *unknown_of;    /* by node: the unknown that it is, or the derivative of, -1 */
    HA_ARRAY(ha_expr) pending;
    HA_ARRAY(int) definitions, unknowns; /* read by what was looked at last */
    int *seen;                           /* by node: 1 + when it was met last */
    int now;
} search;

/* A number in (0, 1] that looks random. */
static float number_of(int unknown)
{
    uint64_t x = ((uint64_t) unknown + 1U) * UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return ((float) ((x ^ (x >> 31)) >> 40) + 1.0F) * 0x1p-24F;
}

static ha_status search_init(search *x, bg__system *s)
{
    const size_t size = (size_t) ha_dag_size(s->graph->dag);

    x->s = s;
    HA_TRY_ALLOC_EACH(s->ctx, size, x->definition_of, x->unknown_of, x->seen);
    memset(x->definition_of, -1, size * sizeof *x->definition_of);
    memset(x->unknown_of, -1, size * sizeof *x->unknown_of);
    for (size_t i = 0; i < s->definitions.count; i++) {
        if (!s->definitions.items[i].is_tear) {
            x->definition_of[s->definitions.items[i].symbol] = (int) i;
        }
    }
    for (size_t i = 0; i < s->unknowns.count; i++) {
        x->unknown_of[s->unknowns.items[i].y] = x->unknown_of[s->unknowns.items[i].yp] = (int) i;
    }
    return HA_OK;
}

static void search_clear(search *x)
{
    HA_FREE(x->definition_of, x->unknown_of, x->seen);
    HA_ARRAY_CLEAR(&x->pending, &x->definitions, &x->unknowns);
}

static ha_status push_symbols(search *x, ha_expr value)
{
    const ha_expr *symbols = NULL;
    size_t n = 0;

    HA_TRY(ha__dag_symbols(x->s->graph->dag, value, &symbols, &n));
    for (size_t i = 0; i < n; i++) {
        if (x->seen[symbols[i]] != x->now) {
            x->seen[symbols[i]] = x->now;
            HA_TRY_PUSH(x->s->ctx, &x->pending, symbols[i]);
        }
    }
    return HA_OK;
}

/* Lists the definitions and unknowns that an expression reads. */
static ha_status look(search *x, ha_expr value)
{
    x->now++;
    x->definitions.count = x->unknowns.count = 0;
    HA_TRY(push_symbols(x, value));
    while (x->pending.count > 0) {
        ha_expr symbol = x->pending.items[--x->pending.count];
        ha_expr meaning = ha_symbol_definition(x->s->graph->dag, symbol);
        if (x->unknown_of[symbol] >= 0) {
            HA_TRY_PUSH(x->s->ctx, &x->unknowns, x->unknown_of[symbol]);
        } else if (x->definition_of[symbol] >= 0) {
            HA_TRY_PUSH(x->s->ctx, &x->definitions, x->definition_of[symbol]);
        } else if (meaning != HA_EXPR_NONE) {
            HA_TRY(push_symbols(x, meaning));
        }
    }
    return HA_OK;
}

/* --- estimate ------------------------------------------------------------------------------- */

static void add_number(sketch *set, float number)
{
    int at = set->n;

    for (int i = 0; i < set->n; i++) {
        if (set->least[i] == number) {
            return;
        }
    }
    if (set->n == SMALLEST && number > set->least[SMALLEST - 1]) {
        return;
    }
    set->n += set->n < SMALLEST ? 1 : 0;
    at = set->n - 1;
    while (at > 0 && set->least[at - 1] > number) {
        set->least[at] = set->least[at - 1];
        at--;
    }
    set->least[at] = number;
}

/* The sketch of what was looked at last. */
static sketch unite(const search *x, const sketch *sketches)
{
    sketch set = { 0 };

    for (size_t i = 0; i < x->unknowns.count; i++) {
        add_number(&set, number_of(x->unknowns.items[i]));
    }
    for (size_t i = 0; i < x->definitions.count; i++) {
        const sketch *other = &sketches[x->definitions.items[i]];
        for (int k = 0; k < other->n; k++) {
            add_number(&set, other->least[k]);
        }
    }
    return set;
}

static double size_of(const sketch *set)
{
    return set->n < SMALLEST ? (double) set->n
                             : (double) (SMALLEST - 1) / (double) set->least[SMALLEST - 1];
}

/* The entries of all rows. */
static ha_status estimate(search *x, double *entries)
{
    const bg__system *s = x->s;
    sketch *sketches = ha__alloc(s->ctx, s->definitions.count, sizeof *sketches);
    ha_status status = sketches == NULL ? HA_ERR_MEMORY : HA_OK;

    for (size_t i = 0; i < s->definitions.count && status == HA_OK; i++) {
        status = look(x, s->definitions.items[s->order[i]].value);
        if (status == HA_OK) {
            sketches[s->order[i]] = unite(x, sketches);
        }
    }
    *entries = 0.0;
    for (size_t i = 0; i < s->rows.count && status == HA_OK; i++) {
        status = look(x, s->rows.items[i].value);
        if (status == HA_OK) {
            sketch row = unite(x, sketches);
            *entries += size_of(&row);
        }
    }
    ha__free(sketches);
    return status;
}

/* --- choice --------------------------------------------------------------------------------- */

static void add_unknown(contents *set, int unknown)
{
    for (int i = 0; i < set->n && i < WIDEST; i++) {
        if (set->items[i] == unknown) {
            return;
        }
    }
    if (set->n < WIDEST) {
        set->items[set->n] = unknown;
    }
    set->n += set->n <= WIDEST ? 1 : 0;
}

/* The unknowns in what was looked at last; a number below 0 stands for a signal that is kept. */
static contents collect(const search *x, const contents *sets)
{
    contents set = { 0 };

    for (size_t i = 0; i < x->unknowns.count; i++) {
        add_unknown(&set, x->unknowns.items[i]);
    }
    for (size_t i = 0; i < x->definitions.count; i++) {
        const contents *other = &sets[x->definitions.items[i]];
        for (int k = 0; k < other->n && k < WIDEST; k++) {
            add_unknown(&set, other->items[k]);
        }
        set.n = other->n > WIDEST ? WIDEST + 1 : set.n;
    }
    return set;
}

/* Chooses the signals that are kept, in causal order. */
static ha_status choose(search *x, contents *sets, bool *is_kept)
{
    const bg__system *s = x->s;

    for (size_t i = 0; i < s->definitions.count; i++) {
        int at = s->order[i];
        const bg__definition *d = &s->definitions.items[at];
        if (d->is_tear) {
            continue;
        }
        HA_TRY(look(x, d->value));
        sets[at] = collect(x, sets);
        is_kept[at] = sets[at].n > WIDEST && !d->is_rate;
        if (is_kept[at]) {
            sets[at].n = 1;
            sets[at].items[0] = -1 - at;
        }
    }
    return HA_OK;
}

/* The unknown of a signal, with a row that is still to be filled in. */
static ha_status add_unknown_of(bg__system *s, const bg__definition *d)
{
    ha_dag *dag = s->graph->dag;
    const char *name = ha_symbol_name(dag, d->symbol);
    const char *rate = ha__arena_format(s->ctx, &s->graph->arena, "der(%s)", name);

    HA_TRY(rate == NULL ? HA_ERR_MEMORY : HA_OK);
    bg__unknown unknown = { .name = name,
                            .element = d->element,
                            .kind = BG__TEAR,
                            .y = ha_symbol(dag, name),
                            .yp = ha_symbol(dag, rate),
                            .loop = -1,
                            .measures = bg__measures_of(NULL) };
    bg__row row = { .name = d->element < 0 ? name : s->graph->elements.items[d->element].name,
                    .element = d->element,
                    .kind = BG__ROW_LOOP,
                    .value = d->value,
                    .shown = ha_sub(dag, unknown.y, d->value) };
    ha_symbol_set_derivative(dag, unknown.y, unknown.yp);
    ha_symbol_set_derivative(dag, unknown.yp, HA_EXPR_NONE);
    HA_TRY(ha_dag_status(dag));
    HA_TRY_PUSH(s->ctx, &s->unknowns, unknown);
    HA_TRY_PUSH(s->ctx, &s->rows, row);
    return HA_OK;
}

/* True for a row that reads unknowns for kept signals. */
static bool is_short(const bg__system *s, size_t row, size_t first)
{
    return row >= first || s->rows.items[row].kind == BG__ROW_STATE;
}

/* What these rows say in `dag`, a copy of the graph in which kept signals stand for their unknowns;
   values (rows). */
static ha_status resolve_rows(const bg__system *s, ha_dag *dag, size_t first, ha_expr *values)
{
    for (size_t i = 0; i < s->rows.count; i++) {
        if (is_short(s, i, first)) {
            HA_TRY(ha_resolve(dag, s->rows.items[i].value, &values[i]));
        }
    }
    return HA_OK;
}

/* Takes the values over from there. */
static ha_status take_rows(bg__system *s, ha_dag *dag, size_t first, const ha_expr *values)
{
    ha_dag *own = s->graph->dag;
    const int n_nodes = ha_dag_size(own);
    ha__copy copy;

    HA_TRY(ha__copy_begin(&copy, dag, own));
    for (int e = 0; e < n_nodes; e++) {
        if (ha_expr_op(own, e) == HA_OP_SYMBOL) {
            ha__copy_map(&copy, e, e);
        }
    }
    ha_status status = HA_OK;
    for (size_t i = 0; i < s->rows.count && status == HA_OK; i++) {
        ha_expr value = HA_EXPR_NONE;
        if (is_short(s, i, first)) {
            status = ha__copy_expr(&copy, values[i], &value);
            s->rows.items[i].value = i < first ? value : ha_sub(own, s->unknowns.items[i].y, value);
        }
    }
    ha__copy_end(&copy);
    return status == HA_OK ? ha_dag_status(own) : status;
}

/* Fills in the rows of unknowns from number `first` on, and shortens those of states. */
static ha_status shorten_rows(bg__system *s, ha_dag *dag, size_t first)
{
    ha_expr *values = ha__alloc(s->ctx, s->rows.count, sizeof *values);
    ha_status status = values == NULL ? HA_ERR_MEMORY : resolve_rows(s, dag, first, values);

    status = status == HA_OK ? take_rows(s, dag, first, values) : status;
    ha__free(values);
    return status;
}

/* Leaves what sources and sinks give as it stands: a linearisation may add to it. */
static void leave_inputs(const bg__system *s, ha_dag *dag)
{
    for (size_t i = 0; i < s->definitions.count; i++) {
        const bg__definition *d = &s->definitions.items[i];
        const bg__type *type = d->element < 0 ? NULL : s->graph->elements.items[d->element].type;
        if (type != NULL && (type->book == BG_BOOK_SUPPLY || type->stage == BG__STAGE_SINK)) {
            ha_symbol_define(dag, d->symbol, HA_EXPR_NONE);
        }
    }
}

static ha_status keep(search *x, const bool *is_kept)
{
    bg__system *s = x->s;
    const size_t first = s->rows.count;

    for (size_t i = 0; i < s->definitions.count; i++) {
        if (is_kept[i]) {
            HA_TRY(add_unknown_of(s, &s->definitions.items[i]));
            bg__kept kept = { s->definitions.items[i].symbol,
                              s->unknowns.items[s->unknowns.count - 1].y };
            HA_TRY_PUSH(s->ctx, &s->kept, kept);
        }
    }
    ha_dag *dag = ha_dag_clone(s->graph->dag);
    HA_TRY(dag == NULL ? HA_ERR_MEMORY : HA_OK);
    bg__forget_values(dag); /* they are inserted later */
    leave_inputs(s, dag);
    bg__system_use_kept(s, dag);
    ha_status status = shorten_rows(s, dag, first);
    ha_dag_free(dag);
    HA_TRY(status);
    return bg__system_mark_unknowns(s);
}

static ha_status keep_chosen(search *x)
{
    const bg__system *s = x->s;
    contents *sets = ha__alloc(s->ctx, s->definitions.count, sizeof *sets);
    bool *is_kept = ha__alloc(s->ctx, s->definitions.count, sizeof *is_kept);
    ha_status status = sets == NULL || is_kept == NULL ? HA_ERR_MEMORY : choose(x, sets, is_kept);

    status = status == HA_OK ? keep(x, is_kept) : status;
    HA_FREE(sets, is_kept);
    return status;
}

void bg__system_use_kept(const bg__system *s, ha_dag *dag)
{
    for (size_t i = 0; i < s->kept.count; i++) {
        ha_symbol_define(dag, s->kept.items[i].symbol, s->kept.items[i].unknown);
    }
}

/* True with a storage in derivative causality outside loops: its rate would have to be found
   twice. */
static bool has_rates(const bg__system *s)
{
    for (size_t i = 0; i < s->definitions.count; i++) {
        if (s->definitions.items[i].is_rate && s->definitions.items[i].element >= 0) {
            return true;
        }
    }
    return false;
}

ha_status bg__system_keep_signals(bg__system *s)
{
    search x = { 0 };
    double entries = 0.0;

    if (s->rows.count < FEWEST_ROWS || has_rates(s)) {
        return HA_OK;
    }
    ha_status status = search_init(&x, s);
    status = status == HA_OK ? estimate(&x, &entries) : status;
    if (status == HA_OK && entries > fmax(MOST, MOST_OF_ROW * (double) s->rows.count)) {
        status = keep_chosen(&x);
    }
    search_clear(&x);
    return status;
}
