/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the balance of power proves about a system, in time linear in its size and without a number:
 * most systems are regular for no better reason than that resistances and storages are positive.
 *
 * Signs. A value made of constants by products, quotients and sums of terms of one sign is positive
 * or negative whatever its constants were rounded from; other values are taken for neither.
 *
 * Loops. Let S be the homogeneous definitions, each x_i = sum of a_ij x_j over what it reads, with
 * the states and the outputs of storages in derivative causality taken as 0. S is block triangular;
 * its determinant is the product of those of the loops. Let x solve S.
 *   1. A definition that reads zeros only is 0. In the law of a junction, of a converter with a
 *      modulus that has a sign, or of a resistor with R > 0 all a_ij are other than 0: if all but
 *      one of its quantities are 0, so is the last.
 *   2. A bond whose effort or flow is 0 carries no power. Take a part of the graph that the others
 *      join, made of junctions, such converters and such resistors. No power comes into it, and the
 *      first two pass on what they get: sum of R f^2 = 0, so that e = f = 0 at each of the
 *      resistors.
 *   3. Rule 1 again.
 * A loop all of whose signals are found to be 0 so is regular if the others are: of the singular
 * loops that are so found, take the last in causal order. What it has as a solution goes on through
 * regular blocks, up to a solution of S that is not 0 there, against what was found.
 *
 * States. Take the network without its storages as a hybrid multiport [u_s; y_d] = H [y_s; u_d]: y
 * what storages in integral (s) and derivative (d) causality have as flow of an inertia or effort
 * of a capacitance, u the other quantity at their ports, counted as power out of the network. The
 * loops being regular it exists. If all elements in it are as above, or sources that obey nobody,
 *     -(H + H^T) is positive semidefinite.
 * If no output of a storage in derivative causality is in a loop, H_dd is strictly triangular in
 * causal order. A semidefinite matrix with zeros on the diagonal has zeros in their rows, so that
 * H_dd, skew and triangular, is 0, and H_sd = -H_ds^T. With u = M y', M diagonal and positive, what
 * multiplies y_s' is
 *     M_s + H_ds^T M_d H_ds,
 * positive definite: every state keeps its start value, the system is regular, and its order is the
 * number of its states.
 */
#include <config.h>

#include "bondgraph/causality/solvable.h"

#include "lib/graph/digraph.h"

#include <math.h>

/* Nodes looked at for the sign of one value. */
enum { MAX_NODES = 64 };

/* What is known of an element. */
typedef enum {
    OTHER,    /* nothing */
    LOSSLESS, /* it passes on the power that it gets */
    RESISTIVE /* it gets power unless effort and flow are 0 */
} conduct;

/* A proof about loops under way. */
typedef struct {
    const bg__system *s;
    ha_ctx *ctx;
    int n;               /* definitions */
    conduct *conduct;    /* (elements) */
    int *reader_start;   /* (n + 1) into readers */
    int *readers;        /* the definitions that read each one */
    int *e, *f;          /* (bonds) definition of the effort and flow, -1: none */
    bool *is_law;        /* (n) an effort or flow by the law of an element whose conduct is known */
    bool *is_zero;       /* (n) */
    int *n_left;         /* (n) of the quantities in a definition: not known to be 0 */
    HA_ARRAY(int) queue; /* found to be 0, readers not told yet */
} proof;

/* --- signs ---------------------------------------------------------------------------------- */

static int sign_of_number(double x)
{
    return !isfinite(x) || x == 0.0 ? 0 : x > 0.0 ? 1 : -1;
}

static int sign(const ha_dag *dag, ha_expr value, int *n_nodes);

static int sign_of_operation(const ha_dag *dag, ha_expr value, int *n_nodes)
{
    ha_op op = ha_expr_op(dag, value);
    int a = sign(dag, ha_expr_operand(dag, value, 0), n_nodes);
    int b = op == HA_OP_NEG ? 0 : sign(dag, ha_expr_operand(dag, value, 1), n_nodes);

    return op == HA_OP_NEG   ? -a
           : op == HA_OP_ADD ? (a == b ? a : 0)
           : op == HA_OP_SUB ? (a == -b ? a : 0)
                             : a * b;
}

/* 1 for a positive value, -1 for a negative one, 0: it is neither, or nothing is known. */
static int sign(const ha_dag *dag, ha_expr value, int *n_nodes)
{
    ha_op op = value == HA_EXPR_NONE ? HA_OP_COUNT : ha_expr_op(dag, value);
    double number = 0.0;

    if (++*n_nodes > MAX_NODES) {
        return 0;
    }
    if (op == HA_OP_SYMBOL) {
        return sign(dag, ha_symbol_definition(dag, value), n_nodes);
    }
    if (op == HA_OP_NEG || op == HA_OP_ADD || op == HA_OP_SUB || op == HA_OP_MUL ||
        op == HA_OP_DIV) {
        return sign_of_operation(dag, value, n_nodes);
    }
    bool is_number = op == HA_OP_CONSTANT && ha_expr_is_constant(dag, value, &number);
    return is_number ? sign_of_number(number) : 0;
}

static int sign_of(const ha_dag *dag, ha_expr value)
{
    int n_nodes = 0;

    return sign(dag, value, &n_nodes);
}

static int sign_of_value(const bg__system *s, int element)
{
    return sign_of(s->graph->dag, s->value[element]);
}

/* --- elements ------------------------------------------------------------------------------- */

/* Types that users register have laws of their own, and so have multiports. */
static conduct conduct_of(const bg__system *s, int element)
{
    const bg__element *e = &s->graph->elements.items[element];

    if (e->type->is_registered != 0 || bg__extra(e)->field != NULL) {
        return OTHER;
    }
    if (e->type->stage == BG__STAGE_STRUCTURE) {
        return bg__is_junction(e) || sign_of_value(s, element) != 0 ? LOSSLESS : OTHER;
    }
    bool loses = e->type->is_resistor != 0 && e->type->book == BG_BOOK_LOSS;
    return loses && sign_of_value(s, element) > 0 ? RESISTIVE : OTHER;
}

/* --- rules 1 and 3 -------------------------------------------------------------------------- */

static ha_status find_zero(proof *x, int definition)
{
    if (definition < 0 || x->is_zero[definition]) {
        return HA_OK;
    }
    x->is_zero[definition] = true;
    HA_TRY_PUSH(x->ctx, &x->queue, definition);
    return HA_OK;
}

/* Looks at a definition in which one quantity is left. */
static ha_status conclude(proof *x, int definition)
{
    const bg__system *s = x->s;

    if (!x->is_zero[definition]) {
        return find_zero(x, definition);
    }
    for (int k = s->need_start[definition];
         k < s->need_start[definition + 1] && x->is_law[definition]; k++) {
        if (!x->is_zero[s->needs.items[k]]) {
            return find_zero(x, s->needs.items[k]);
        }
    }
    return HA_OK;
}

static ha_status lose_one(proof *x, int definition)
{
    return --x->n_left[definition] == 1 ? conclude(x, definition) : HA_OK;
}

static ha_status propagate(proof *x)
{
    while (x->queue.count > 0) {
        int i = x->queue.items[--x->queue.count];
        HA_TRY(lose_one(x, i));
        for (int k = x->reader_start[i]; k < x->reader_start[i + 1]; k++) {
            HA_TRY(lose_one(x, x->readers[k]));
        }
    }
    return HA_OK;
}

/* --- rule 2 --------------------------------------------------------------------------------- */

static bool carries_power(const proof *x, int bond)
{
    return x->e[bond] >= 0 && x->f[bond] >= 0 && !x->is_zero[x->e[bond]] && !x->is_zero[x->f[bond]];
}

/* The parts that bonds with power join: the component of each element. */
static ha_status find_parts(const proof *x, int *part)
{
    const bg_graph *graph = x->s->graph;
    int *tail = NULL, *head = NULL, n = 0;
    ha_status status = HA_ERR_MEMORY;

    tail = ha__alloc(x->ctx, graph->bonds.count, sizeof *tail);
    head = ha__alloc(x->ctx, graph->bonds.count, sizeof *head);
    if (tail != NULL && head != NULL) {
        for (size_t b = 0; b < graph->bonds.count; b++) {
            if (carries_power(x, (int) b)) {
                tail[n] = graph->bonds.items[b].tail;
                head[n++] = graph->bonds.items[b].head;
            }
        }
        status = ha__digraph_weak(x->ctx, (int) graph->elements.count, n, tail, head, part, NULL);
    }
    HA_FREE(tail, head);
    return status;
}

/* The one of a bond's ends that takes power for good, -1: none. */
static int resistor_at(const proof *x, int bond)
{
    const bg__bond *b = &x->s->graph->bonds.items[bond];

    return x->conduct[b->tail] == RESISTIVE   ? b->tail
           : x->conduct[b->head] == RESISTIVE ? b->head
                                              : -1;
}

static ha_status balance(proof *x, const int *part, bool *is_open)
{
    const bg_graph *graph = x->s->graph;

    for (size_t b = 0; b < graph->bonds.count; b++) {
        const bg__bond *bond = &graph->bonds.items[b];
        if (carries_power(x, (int) b) &&
            (x->conduct[bond->tail] == OTHER || x->conduct[bond->head] == OTHER)) {
            is_open[part[bond->tail]] = true;
        }
    }
    for (size_t b = 0; b < graph->bonds.count; b++) {
        int resistor = resistor_at(x, (int) b);
        if (resistor >= 0 && !is_open[part[resistor]]) {
            HA_TRY(find_zero(x, x->e[b]));
            HA_TRY(find_zero(x, x->f[b]));
        }
    }
    return HA_OK;
}

static ha_status balance_power(proof *x)
{
    size_t n = x->s->graph->elements.count;
    int *part = ha__alloc(x->ctx, n, sizeof *part);
    bool *is_open = ha__alloc(x->ctx, n, sizeof *is_open);
    ha_status status = part == NULL || is_open == NULL ? HA_ERR_MEMORY : find_parts(x, part);

    HA_THEN(status, balance(x, part, is_open));
    HA_FREE(part, is_open);
    return status;
}

/* --- loops ---------------------------------------------------------------------------------- */

static ha_status list_readers(proof *x)
{
    const bg__system *s = x->s;

    HA_TRY_ALLOC(x->ctx, x->reader_start, x->n + 2, x->readers, s->needs.count);
    /* each start is filled one slot behind its own, where it is counted up to the next one's */
    int *next = x->reader_start + 1;
    for (size_t k = 0; k < s->needs.count; k++) {
        next[s->needs.items[k] + 1]++;
    }
    for (int i = 0; i < x->n; i++) {
        next[i + 1] += next[i];
    }
    for (int i = 0; i < x->n; i++) {
        for (int k = s->need_start[i]; k < s->need_start[i + 1]; k++) {
            x->readers[next[s->needs.items[k]]++] = i;
        }
    }
    return HA_OK;
}

static ha_status match_bonds(proof *x)
{
    const bg__system *s = x->s;
    size_t n_nodes = (size_t) ha_dag_size(s->graph->dag), n_bonds = s->graph->bonds.count;
    int *definition_of = NULL; /* by node: 1 + the definition of the symbol */

    HA_TRY_ALLOC_EACH(x->ctx, n_bonds, x->e, x->f);
    HA_TRY_ALLOC(x->ctx, x->is_law, x->n, definition_of, n_nodes); /* what is freed here last */
    for (int i = 0; i < x->n; i++) {
        definition_of[s->definitions.items[i].symbol] = i + 1;
    }
    for (size_t b = 0; b < n_bonds; b++) {
        x->e[b] = definition_of[s->e[b]] - 1;
        x->f[b] = definition_of[s->f[b]] - 1;
        for (int k = 0; k < 2; k++) {
            int i = k == 0 ? x->e[b] : x->f[b];
            int element = i >= 0 ? s->definitions.items[i].element : -1;
            if (element >= 0) {
                x->is_law[i] = x->conduct[element] != OTHER;
            }
        }
    }
    ha__free(definition_of);
    return HA_OK;
}

static ha_status start(proof *x)
{
    const bg__system *s = x->s;
    size_t n_elements = s->graph->elements.count;

    HA_TRY_ALLOC(x->ctx, x->conduct, n_elements);
    HA_TRY_ALLOC_EACH(x->ctx, x->n, x->is_zero, x->n_left);
    for (size_t i = 0; i < n_elements; i++) {
        x->conduct[i] = conduct_of(s, (int) i);
    }
    HA_TRY(list_readers(x));
    HA_TRY(match_bonds(x));
    for (int i = 0; i < x->n; i++) {
        x->n_left[i] = 1 + s->need_start[i + 1] - s->need_start[i];
    }
    for (int i = 0; i < x->n; i++) {
        if (x->n_left[i] == 1 || s->definitions.items[i].is_rate) {
            HA_TRY(find_zero(x, i));
        }
    }
    return propagate(x);
}

static ha_status prove(proof *x, bool *is_proved)
{
    HA_TRY(start(x));
    HA_TRY(balance_power(x));
    HA_TRY(propagate(x));
    for (int l = 0; l < x->s->n_loops; l++) {
        is_proved[l] = true;
    }
    for (int i = 0; i < x->n; i++) {
        if (x->s->loop_of[i] >= 0 && !x->is_zero[i]) {
            is_proved[x->s->loop_of[i]] = false;
        }
    }
    return HA_OK;
}

/* An output of a storage in derivative causality, or another rate, is in a loop. */
static bool has_rate_in_loop(const bg__system *s)
{
    for (size_t i = 0; i < s->definitions.count; i++) {
        if (s->definitions.items[i].is_rate && s->loop_of[i] >= 0) {
            return true;
        }
    }
    return false;
}

ha_status bg__prove_loops(const bg__system *s, bool *is_proved)
{
    proof x = { .s = s, .ctx = s->ctx, .n = (int) s->definitions.count };
    /* a loop with a rate is another one in S */
    ha_status status = s->n_loops > 0 && !has_rate_in_loop(s) ? prove(&x, is_proved) : HA_OK;

    HA_FREE(x.conduct, x.reader_start, x.readers, x.e, x.f, x.is_law, x.is_zero, x.n_left);
    HA_ARRAY_CLEAR(&x.queue);
    return status;
}

/* --- states --------------------------------------------------------------------------------- */

/* A storage with a content of its own. */
static bool is_positive_storage(const bg__system *s, int element)
{
    const bg__element *e = &s->graph->elements.items[element];
    const bg__extras *extra = bg__extra(e);

    return e->type->stage == BG__STAGE_STORAGE && e->type->is_registered == 0 &&
           extra->field == NULL &&
           (extra->position == NULL || extra->position[0] == HA_EXPR_NONE) &&
           sign_of_value(s, element) > 0;
}

/* Every rate is that of a storage; a source, sink or detector gives nothing that follows from
   states. Multipliers are taken as given. */
static ha_status is_quiet(const bg__system *s, const bg__definition *d, int n_needs, bool *out)
{
    const int set = BG__ANY_DERIVATIVE | 1 << BG__STATE | 1 << BG__INTEGRAL | 1 << BG__TEAR |
                    1 << BG__CONTENT | 1 << BG__RATE;
    const bg__type *type = d->element < 0 ? NULL : s->graph->elements.items[d->element].type;
    ha_expr value = d->value;

    *out = type != NULL;
    if (type == NULL || (type->stage != BG__STAGE_FIXED && type->stage != BG__STAGE_SINK)) {
        return HA_OK;
    }
    *out = type->is_registered == 0 && n_needs == 0 && !d->is_rate;
    if (*out && !ha_expr_is(s->graph->dag, value, 0.0) && sign_of(s->graph->dag, value) == 0) {
        bool reads_states = false;
        HA_TRY(ha_resolve(s->graph->dag, value, &value));
        HA_TRY(bg__contains(s, s->graph->dag, value, set, &reads_states));
        *out = !reads_states;
    }
    return HA_OK;
}

static bool is_known(const bg__system *s, int element)
{
    bg__stage stage = s->graph->elements.items[element].type->stage;

    return stage == BG__STAGE_FIXED || stage == BG__STAGE_SINK || conduct_of(s, element) != OTHER ||
           is_positive_storage(s, element);
}

ha_status bg__prove_states(const bg__system *s, bool *is_proved)
{
    bool is_so = !has_rate_in_loop(s);

    for (size_t i = 0; i < s->graph->elements.count && is_so; i++) {
        is_so = is_known(s, (int) i);
    }
    for (size_t i = 0; i < s->definitions.count && is_so; i++) {
        HA_TRY(
            is_quiet(s, &s->definitions.items[i], s->need_start[i + 1] - s->need_start[i], &is_so));
    }
    *is_proved = is_so;
    return HA_OK;
}
