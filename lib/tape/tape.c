/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tapes: compilation of expressions to a list of instructions, and their evaluation. */
#include <config.h>

#include "lib/tape/tape.h"

#include "lib/expr/expr_priv.h"
#include "lib/tape/tape_priv.h"

#include <math.h>
#include <string.h>

/* Slots of nodes while a tape is compiled, by their position in dag->order. */
typedef struct {
    ha_dag *dag;
    const ha_expr *inputs;
    size_t n_inputs;
    ha__tape *base; /* that this one goes on from, NULL: none */
    bool goes_on;   /* another one will */
    int *slot;      /* -1: none yet */
    HA_ARRAY(ha__instruction) code;
} compiler;

/* The slot of a node in the order. */
static int *slot_of(const compiler *c, ha_expr e)
{
    return &c->slot[ha__dag_position(c->dag, e)];
}

/* The inputs take the first slots. */
static void place_inputs(compiler *c)
{
    for (size_t i = 0; i < c->n_inputs && c->dag->order.count > 0; i++) {
        if (ha__dag_position(c->dag, c->inputs[i]) >= 0) {
            *slot_of(c, c->inputs[i]) = (int) i;
        }
    }
}

/* What the tape before computes has its slots. */
static void place_shared(compiler *c)
{
    const ha__tape *base = c->base;
    size_t first = base == NULL ? 0 : base->n_inputs + base->constants.count;

    for (size_t i = 0; base != NULL && i < base->nodes.count && c->dag->order.count > 0; i++) {
        if (ha__dag_position(c->dag, base->nodes.items[i]) >= 0) {
            *slot_of(c, base->nodes.items[i]) = (int) (first + i);
        }
    }
}

/* The constants follow the inputs; the last of them is the 0 of missing roots. */
static ha_status place_constants(compiler *c, ha__tape *tape)
{
    for (size_t i = 0; i < c->dag->order.count; i++) {
        double value = 0.0;
        if (ha_expr_is_constant(c->dag, c->dag->order.items[i], &value)) {
            c->slot[i] = (int) (tape->n_inputs + tape->constants.count);
            HA_TRY_PUSH(tape->ctx, &tape->constants, value);
        }
    }
    HA_TRY_PUSH(tape->ctx, &tape->constants, 0.0);
    return HA_OK;
}

static ha_status place_operations(compiler *c, ha__tape *tape)
{
    size_t first = tape->n_inputs + tape->constants.count, n = 0;

    for (size_t i = 0; i < c->dag->order.count; i++) {
        n += c->slot[i] < 0 ? 1 : 0;
    }
    HA_TRY_ROOM(tape->ctx, &c->code, n);
    if (c->goes_on) {
        HA_TRY_ROOM(tape->ctx, &tape->nodes, n);
    }
    for (size_t i = 0; i < c->dag->order.count; i++) {
        const ha__node *node = &c->dag->nodes.items[c->dag->order.items[i]];
        int x[3] = { 0, 0, 0 };
        if (c->slot[i] >= 0) {
            continue;
        }
        if (node->op == HA_OP_SYMBOL) {
            return ha_fail(tape->ctx, HA_ERR_INTERNAL, HA_NOWHERE,
                           "`%s` has no value when the equations are compiled; report this as a "
                           "fault of the program",
                           ha_symbol_name(c->dag, c->dag->order.items[i]));
        }
        for (int k = 0; k < ha__arity[node->op]; k++) {
            x[k] = *slot_of(c, node->x[k]);
        }
        if ((node->op == HA_OP_KNOT || node->op == HA_OP_PIECE) && tape->tables.count == 0) {
            HA_TRY(ha__tables_copy(tape->ctx, &tape->tables, &c->dag->tables));
        }
        c->slot[i] = (int) (first + c->code.count);
        c->code.items[c->code.count++] = (ha__instruction){ node->op, x[0], x[1], x[2] };
        if (c->goes_on) {
            tape->nodes.items[tape->nodes.count++] = c->dag->order.items[i];
        }
    }
    return HA_OK;
}

static ha_status place_roots(compiler *c, ha__tape *tape, const ha_expr *roots, size_t n)
{
    int zero = (int) (tape->n_inputs + tape->constants.count) - 1;

    HA_TRY_ROOM(tape->ctx, &tape->roots, n);
    for (size_t i = 0; i < n; i++) {
        tape->roots.items[tape->roots.count++] =
            roots[i] == HA_EXPR_NONE ? zero : *slot_of(c, roots[i]);
    }
    return HA_OK;
}

/* Orders what the roots that are there need. */
static ha_status order_present(compiler *c, ha__tape *tape, const ha_expr *roots, size_t n_roots)
{
    ha_expr *present = ha__alloc(tape->ctx, n_roots, sizeof *present);
    size_t n = 0;

    HA_TRY_MEMORY(present);
    for (size_t i = 0; i < n_roots; i++) {
        if (roots[i] != HA_EXPR_NONE) {
            present[n++] = roots[i];
        }
    }
    return ha__then_free(ha__dag_order(c->dag, present, n), present);
}

static ha_status fill(compiler *c, ha__tape *tape, const ha_expr *roots, size_t n_roots)
{
    HA_TRY(order_present(c, tape, roots, n_roots));
    HA_TRY_ALLOC(tape->ctx, c->slot, c->dag->order.count);
    memset(c->slot, -1, c->dag->order.count * sizeof *c->slot);
    place_inputs(c);
    place_shared(c);
    HA_TRY(place_constants(c, tape));
    HA_TRY(place_operations(c, tape));
    HA_TRY(ha__tape_order(tape, c->code.items, c->code.count));
    return place_roots(c, tape, roots, n_roots);
}

static ha_status add_shared(ha__tape *tape, int slot)
{
    HA_TRY_PUSH(tape->ctx, &tape->shared, slot);
    return HA_OK;
}

/* Lists what is read of the tape before. */
static ha_status list_shared(const compiler *c, const ha__tape *tape)
{
    ha__tape *base = c->base;
    size_t first = base->n_inputs + base->constants.count;
    bool *is_read = NULL;

    HA_TRY_ALLOC(tape->ctx, is_read, tape->n_inputs);
    for (size_t i = 0; i < c->code.count; i++) {
        const int slots[3] = { c->code.items[i].a, c->code.items[i].b, c->code.items[i].c };
        for (int k = 0; k < 3; k++) {
            if ((size_t) slots[k] < tape->n_inputs) {
                is_read[slots[k]] = true;
            }
        }
    }
    for (size_t i = 0; i < tape->roots.count; i++) {
        if ((size_t) tape->roots.items[i] < tape->n_inputs) {
            is_read[tape->roots.items[i]] = true;
        }
    }
    ha_status status = HA_OK;
    for (size_t slot = first; slot < tape->n_inputs && status == HA_OK; slot++) {
        status = is_read[slot] ? add_shared(base, (int) slot) : HA_OK;
    }
    ha__free(is_read);
    return status;
}

static ha_status make(compiler *c, ha_ctx *ctx, const ha_expr *roots, size_t n_roots,
                      ha__tape **out)
{
    ha__tape *tape = NULL;

    HA_TRY(ha_dag_status(c->dag));
    HA_TRY_ALLOC(ctx, tape, 1);
    tape->ctx = ctx;
    tape->n_inputs = c->base == NULL ? c->n_inputs : ha__tape_work_size(c->base);
    ha_status status = fill(c, tape, roots, n_roots);
    if (status == HA_OK && c->base != NULL) {
        status = list_shared(c, tape);
        HA_ARRAY_CLEAR(&c->base->nodes);
    }
    ha__free(c->slot);
    HA_ARRAY_CLEAR(&c->code);
    return HA_GIVE(status, tape, ha__tape_free, out);
}

ha_status ha__tape_new(ha_ctx *ctx, ha_dag *dag, const ha_expr *roots, size_t n_roots,
                       const ha_expr *inputs, size_t n_inputs, ha__tape **out)
{
    compiler c = { .dag = dag, .inputs = inputs, .n_inputs = n_inputs };

    return make(&c, ctx, roots, n_roots, out);
}

ha_status ha__tape_begin(ha_ctx *ctx, ha_dag *dag, const ha_expr *roots, size_t n_roots,
                         const ha_expr *inputs, size_t n_inputs, ha__tape **out)
{
    compiler c = { .dag = dag, .inputs = inputs, .n_inputs = n_inputs, .goes_on = true };

    return make(&c, ctx, roots, n_roots, out);
}

ha_status ha__tape_continue(ha_ctx *ctx, ha_dag *dag, const ha_expr *roots, size_t n_roots,
                            const ha_expr *inputs, size_t n_inputs, ha__tape *base, ha__tape **out)
{
    compiler c = { .dag = dag, .inputs = inputs, .n_inputs = n_inputs, .base = base };

    return make(&c, ctx, roots, n_roots, out);
}

void ha__tape_free(ha__tape *tape)
{
    if (tape != NULL) {
        ha__tables_clear(&tape->tables);
        HA_ARRAY_CLEAR(&tape->constants, &tape->slots, &tape->runs, &tape->roots, &tape->nodes,
                       &tape->shared, &tape->calls, &tape->table);
        ha__free(tape);
    }
}

size_t ha__tape_work_size(const ha__tape *tape)
{
    return tape->n_inputs + tape->constants.count + tape->n_instructions;
}

size_t ha__tape_length(const ha__tape *tape)
{
    return tape->n_instructions;
}

bool ha__tape_reads(const ha__tape *tape, size_t first, size_t n)
{
    bool is_read = false;

    for (size_t i = 0; i < tape->slots.count; i++) { /* no result is an input */
        is_read = is_read || (size_t) tape->slots.items[i] - first < n;
    }
    for (size_t i = 0; i < tape->roots.count; i++) {
        is_read = is_read || (size_t) tape->roots.items[i] - first < n;
    }
    return is_read;
}

void ha__tape_mark_inputs(const ha__tape *tape, size_t first, size_t n, bool *is_read)
{
    for (size_t i = 0; i < tape->slots.count + tape->roots.count; i++) {
        size_t slot = (size_t) (i < tape->slots.count ? tape->slots.items[i]
                                                      : tape->roots.items[i - tape->slots.count]);
        if (slot - first < n) {
            is_read[slot - first] = true;
        }
    }
}

void ha__tape_prepare(const ha__tape *tape, double *work)
{
    memcpy(work + tape->n_inputs, tape->constants.items,
           tape->constants.count * sizeof *tape->constants.items);
}

/* Runs the machine code. */
static void call(const ha__tape *tape, double *work, double *out)
{
    const int *table = tape->table.items;

    for (size_t i = 0; i < tape->calls.count; i++) {
        const ha__tape_call *at = &tape->calls.items[i];
        at->code(work, out, &tape->host, table, (size_t) at->n);
        if (at->width > 0) { /* straight code has no table */
            table += (ptrdiff_t) at->n * at->width;
        }
    }
}

void ha__tape_run(const ha__tape *tape, double *work, double *out)
{
    const int *at = tape->slots.items;

    if (tape->calls.count > 0) {
        call(tape, work, out);
        return;
    }
    for (size_t i = 0; i < tape->runs.count; i++) {
        int n = tape->runs.items[i].n;
        switch (tape->runs.items[i].op) {
#define RUN(arity, value)                                                                          \
    for (; n > 0; n--, at += (arity) + 1) {                                                        \
        const double a = (arity) > 0 ? work[at[0]] : 0.0, b = (arity) > 1 ? work[at[1]] : 0.0;     \
        const double c = (arity) > 2 ? work[at[2]] : 0.0;                                          \
        (void) a, (void) b, (void) c;                                                              \
        work[at[arity]] = (value);                                                                 \
    }                                                                                              \
    break
#define X(name, text, arity, value, p0, p1, p2)                                                    \
    case HA_OP_##name:                                                                             \
        RUN(arity, value);
#include "lib/expr_ops.def"
#undef X
        case HA_OP_KNOT:
            RUN(2, ha__table_knot(&tape->tables, a, b));
        case HA_OP_PIECE:
            RUN(3, ha__table_piece(&tape->tables, a, b, c));
        default:
            RUN(0, (double) NAN);
#undef RUN
        }
    }
    for (size_t i = 0; i < tape->roots.count; i++) {
        out[i] = work[tape->roots.items[i]];
    }
}
