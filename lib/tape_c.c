/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tapes as C.
 *
 * An instruction becomes `const double tN = value;` with the value column of expr_ops.def, N its slot.
 * What the compiler may make of that are the bits of the interpreter: it must not contract products
 * and sums (-ffp-contract=off) nor evaluate functions itself in another way (-fno-builtin); square
 * root, magnitude and floor are exact and may become instructions.
 *
 * A compiler takes more than linear time for a long function. So a tape is cut into pieces of PIECE
 * instructions, one function each; a value that a later piece needs goes to its slot of the work
 * array, all others live in registers.
 */
#include <config.h>

#include "lib/tape_c.h"

#include "lib/expr_c.h"
#include "lib/tape_priv.h"

#include <math.h>

enum { PIECE = 1000 };

/* What the pieces of a tape need of each other. */
typedef struct {
    const ha__tape *tape;
    ha__strbuf *out;
    size_t first;      /* slot of instruction 0 */
    size_t piece;      /* that is being written */
    int *last_piece;   /* (slots) the last piece that reads a slot */
    size_t *root_next; /* (roots) the next root of the same slot + 1, 0: none */
    size_t *root_head; /* (slots) a root of this slot + 1, 0: none */
} writer;

/* The operands of one instruction. */
typedef struct {
    const writer *w;
    const ha__instruction *instruction;
} operands;

void ha__tape_c_begin(ha__strbuf *out)
{
    ha__strbuf_add(out, "#include <math.h>\n\n"
                        "#ifdef __GNUC__\n"
                        "#define fabs(x) __builtin_fabs(x)\n"
                        "#define sqrt(x) __builtin_sqrt(x)\n"
                        "#define floor(x) __builtin_floor(x)\n"
                        "#endif\n\n"
                        "typedef struct {\n"
                        "    const void *tables;\n"
                        "    double (*knot)(const void *, double, double);\n"
                        "    double (*piece)(const void *, double, double, double);\n"
                        "} host;\n\n"
                        "#define halfarrow_knot(a, b) h->knot(h->tables, a, b)\n"
                        "#define halfarrow_piece(a, b, c) h->piece(h->tables, a, b, c)\n");
}

static size_t n_pieces(const ha__tape *tape)
{
    return (tape->code.count + PIECE - 1) / PIECE;
}

/* A value by its slot: a number, a value of this piece, or what lies in the work array. */
static void add_slot(const writer *w, size_t slot)
{
    const ha__tape *tape = w->tape;

    if (slot >= w->first + w->piece * PIECE) {
        ha__strbuf_addf(w->out, "t%zu", slot);
    } else if (slot >= tape->n_inputs && slot < w->first) {
        double value = tape->constants.items[slot - tape->n_inputs];
        ha__strbuf_add(w->out, signbit(value) ? "(" : "");
        ha__c_number(w->out, value);
        ha__strbuf_add(w->out, signbit(value) ? ")" : "");
    } else {
        ha__strbuf_addf(w->out, "w[%zu]", slot);
    }
}

static void add_operand(void *user, int k, ha__strbuf *out)
{
    const operands *of = user;
    const int slots[3] = { of->instruction->a, of->instruction->b, of->instruction->c };

    (void) out; /* it is the writer's */
    add_slot(of->w, (size_t) slots[k]);
}

static void add_instruction(writer *w, size_t i)
{
    const ha__instruction *instruction = &w->tape->code.items[i];
    operands of = { w, instruction };
    size_t slot = w->first + i;

    ha__strbuf_addf(w->out, "    const double t%zu = ", slot);
    ha__c_operation(w->out, (ha_op) instruction->op, add_operand, &of);
    ha__strbuf_add(w->out, ";\n");
    if (w->last_piece[slot] > (int) w->piece) {
        ha__strbuf_addf(w->out, "    w[%zu] = t%zu;\n", slot, slot);
    }
    for (size_t root = w->root_head[slot]; root > 0; root = w->root_next[root - 1]) {
        ha__strbuf_addf(w->out, "    out[%zu] = t%zu;\n", root - 1, slot);
    }
}

static void add_piece(writer *w, const char *name)
{
    size_t begin = w->piece * PIECE, end = begin + PIECE;

    end = end < w->tape->code.count ? end : w->tape->code.count;
    ha__strbuf_addf(w->out,
                    "\nstatic void %s_%zu(double *restrict w, double *restrict out, "
                    "const host *h)\n{\n    (void) w, (void) out, (void) h;\n",
                    name, w->piece);
    for (size_t i = begin; i < end && w->out->status == HA_OK; i++) {
        add_instruction(w, i);
    }
    ha__strbuf_add(w->out, "}\n");
}

/* Calls the pieces, then writes the roots that are inputs or constants. */
static void add_function(writer *w, const char *name)
{
    ha__strbuf_addf(w->out, "\nvoid %s(double *restrict w, double *restrict out, const host *h)\n{\n"
                            "    (void) w, (void) out, (void) h;\n",
                    name);
    for (size_t i = 0; i < n_pieces(w->tape); i++) {
        ha__strbuf_addf(w->out, "    %s_%zu(w, out, h);\n", name, i);
    }
    w->piece = n_pieces(w->tape);
    for (size_t i = 0; i < w->tape->roots.count; i++) {
        size_t slot = (size_t) w->tape->roots.items[i];
        if (slot < w->first) {
            ha__strbuf_addf(w->out, "    out[%zu] = ", i);
            add_slot(w, slot);
            ha__strbuf_add(w->out, ";\n");
        }
    }
    ha__strbuf_add(w->out, "}\n");
}

/* Who reads what. */
static ha_status find_uses(writer *w)
{
    const ha__tape *tape = w->tape;
    size_t n = ha__tape_work_size(tape);

    HA_TRY_ALLOC(tape->ctx, w->last_piece, n);
    HA_TRY_ALLOC(tape->ctx, w->root_head, n);
    HA_TRY_ALLOC(tape->ctx, w->root_next, tape->roots.count);
    for (size_t i = 0; i < tape->code.count; i++) {
        const ha__instruction *at = &tape->code.items[i];
        /* operands that an operation does not have are slot 0, an input, or come earlier */
        w->last_piece[at->a] = w->last_piece[at->b] = w->last_piece[at->c] = (int) (i / PIECE);
    }
    for (size_t i = tape->roots.count; i-- > 0;) {
        size_t slot = (size_t) tape->roots.items[i];
        w->root_next[i] = w->root_head[slot];
        w->root_head[slot] = i + 1;
    }
    return HA_OK;
}

ha_status ha__tape_c(const ha__tape *tape, const char *name, ha__strbuf *out)
{
    writer w = { .tape = tape, .out = out, .first = tape->n_inputs + tape->constants.count };
    ha_status status = find_uses(&w);

    for (; w.piece < n_pieces(tape) && status == HA_OK; w.piece++) {
        add_piece(&w, name);
        status = out->status;
    }
    if (status == HA_OK) {
        add_function(&w, name);
        status = out->status;
    }
    ha__free(w.last_piece);
    ha__free(w.root_head);
    ha__free(w.root_next);
    return status;
}

void ha__tape_use(ha__tape *tape, ha__tape_code code)
{
    tape->host = (ha__tape_host){ &tape->tables, ha__table_knot, ha__table_piece };
    tape->native = code;
}
