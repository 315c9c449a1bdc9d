/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tapes as C, in one of two ways.
 *
 * Straight: an instruction becomes `const double tN = value;` with the value column of
 * expr_ops.def, N its slot. What the compiler may make of that are the bits of the interpreter, so
 * it must not contract products and sums (-ffp-contract=off) nor evaluate functions itself in
 * another way (-fno-builtin); square root, magnitude and floor are exact and may become
 * instructions.
 *
 * A compiler takes more than linear time for a long function. So a tape is cut into pieces of PIECE
 * instructions, one function each; a value that a later piece needs goes to its slot of the work
 * array, all others live in registers.
 *
 * Loops: a compiler takes long for many instructions, and a processor has to fetch them all. A
 * large model has many like parts, though. So its tapes are cut into segments, of which many have
 * the same pattern (tape_cut.c); a pattern is a function with a loop over its occurrences, and
 * which slots it reads and writes in each is in a table that is made with the tapes (tape_loops.c),
 * not in the text. At most PATTERNS_MAX instructions are in patterns: what occurs most goes first,
 * the rest becomes loops over single operations. So the time that the compiler takes is bounded.
 */
#include <config.h>

#include "lib/tape/tape_c.h"

#include "lib/core/sort.h"
#include "lib/expr/expr_c.h"
#include "lib/tape/tape_loops.h"
#include "lib/tape/tape_priv.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { PIECE = 1000, PATTERNS_MAX = 6000 };

struct ha__translation {
    ha_ctx *ctx;
    ha__tape *const *tapes;
    size_t n_tapes;
    bool is_straight;
    ha__patterns patterns;
    ha__segments *segments; /* (n_tapes) */
    ha__loops *loops;       /* (n_tapes) */
};

/* What the pieces of a tape need of each other. */
typedef struct {
    const ha__tape *tape;
    ha__instruction *code;
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

static void add_head(ha__strbuf *out)
{
    ha__strbuf_add(out, "#include <math.h>\n#include <stddef.h>\n\n"
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
    return (ha__tape_length(tape) + PIECE - 1) / PIECE;
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
    const ha__instruction *instruction = &w->code[i];
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

    end = end < ha__tape_length(w->tape) ? end : ha__tape_length(w->tape);
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
    ha__strbuf_addf(
        w->out,
        "\nvoid %s(double *restrict w, double *restrict out, const host *h, const int *at, "
        "size_t n)\n{\n    (void) w, (void) out, (void) h, (void) at, (void) n;\n",
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

    HA_TRY(ha__tape_code_of(tape, &w->code));
    HA_TRY_ALLOC_EACH(tape->ctx, n, w->last_piece, w->root_head);
    HA_TRY_ALLOC(tape->ctx, w->root_next, tape->roots.count);
    for (size_t i = 0; i < ha__tape_length(tape); i++) {
        const ha__instruction *at = &w->code[i];
        /* operands that an operation does not have are slot 0, an input, or come earlier */
        w->last_piece[at->a] = w->last_piece[at->b] = w->last_piece[at->c] = (int) (i / PIECE);
    }
    for (size_t i = 0; i < tape->shared.count; i++) { /* read by another tape */
        w->last_piece[tape->shared.items[i]] = INT_MAX;
    }
    for (size_t i = tape->roots.count; i-- > 0;) {
        size_t slot = (size_t) tape->roots.items[i];
        w->root_next[i] = w->root_head[slot];
        w->root_head[slot] = i + 1;
    }
    return HA_OK;
}

/* Adds a tape as the function `name`, an ha__tape_code. */
static ha_status add_straight(const ha__tape *tape, const char *name, ha__strbuf *out)
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
    HA_FREE(w.code, w.last_piece, w.root_head, w.root_next);
    return status;
}

/* --- loops ----------------------------------------------------------------------------------- */

/* Patterns, those of most occurrences first, until they are long enough together. */
static ha_status choose_patterns(ha__patterns *p)
{
    size_t n = p->items.count, length = 0;
    uint64_t *keys = ha__alloc(p->ctx, n, sizeof *keys);
    int *order = ha__alloc(p->ctx, n, sizeof *order);
    ha_status status = keys == NULL || order == NULL ? HA_ERR_MEMORY : HA_OK;

    for (size_t i = 0; i < n && status == HA_OK; i++) {
        keys[i] = UINT64_MAX - p->items.items[i].n_places;
        order[i] = (int) i;
    }
    HA_THEN(status, ha__sort_by_keys(p->ctx, n, keys, order));
    for (size_t i = 0; i < n && status == HA_OK; i++) {
        ha__pattern *pattern = &p->items.items[order[i]];
        length += (size_t) pattern->n_lines;
        pattern->is_used = length <= PATTERNS_MAX;
    }
    HA_FREE(keys, order);
    return status;
}

static ha_status make_loops(ha__translation *t)
{
    HA_TRY_ALLOC_EACH(t->ctx, t->n_tapes, t->segments, t->loops);
    for (size_t i = 0; i < t->n_tapes; i++) {
        t->segments[i].tape = t->tapes[i];
        if (t->tapes[i] != NULL) {
            HA_TRY(ha__segments_cut(&t->segments[i], &t->patterns));
        }
    }
    HA_TRY(choose_patterns(&t->patterns));
    for (size_t i = 0; i < t->n_tapes; i++) {
        if (t->tapes[i] != NULL) {
            HA_TRY(ha__segments_break(&t->segments[i], &t->patterns));
            HA_TRY(ha__loops_order(&t->segments[i], &t->patterns, &t->loops[i]));
            ha__segments_clear(&t->segments[i]);
        }
    }
    return HA_OK;
}

/* --- translations ---------------------------------------------------------------------------- */

ha_status ha__translation_new(ha_ctx *ctx, ha__tape *const *tapes, size_t n_tapes,
                              size_t straight_max, ha__translation **out)
{
    ha__translation *t = ha__alloc(ctx, 1, sizeof *t);
    size_t length = 0;

    HA_TRY_MEMORY(t);
    for (size_t i = 0; i < n_tapes; i++) {
        length += tapes[i] == NULL ? 0 : ha__tape_length(tapes[i]);
    }
    t->ctx = t->patterns.ctx = ctx;
    t->tapes = tapes;
    t->n_tapes = n_tapes;
    t->is_straight = length <= straight_max;
    ha_status status = t->is_straight ? HA_OK : make_loops(t);
    return HA_GIVE(status, t, ha__translation_free, out);
}

void ha__translation_free(ha__translation *t)
{
    if (t == NULL) {
        return;
    }
    for (size_t i = 0; i < t->n_tapes; i++) {
        if (t->segments != NULL) {
            ha__segments_clear(&t->segments[i]);
        }
        if (t->loops != NULL) {
            ha__loops_clear(&t->loops[i]);
        }
    }
    HA_FREE(t->segments, t->loops);
    ha__patterns_clear(&t->patterns);
    ha__free(t);
}

enum { NAME_SIZE = 64 };

/* The name of the function of a tape or pattern. */
static const char *name_of(const char *kind, size_t number, char name[NAME_SIZE])
{
    snprintf(name, NAME_SIZE, "halfarrow_%s%zu", kind, number);
    return name;
}

ha_status ha__translation_c(const ha__translation *t, ha__strbuf *out)
{
    char name[NAME_SIZE];

    add_head(out);
    for (size_t i = 0; t->is_straight && i < t->n_tapes; i++) {
        if (t->tapes[i] != NULL) {
            HA_TRY(add_straight(t->tapes[i], name_of("tape", i, name), out));
        }
    }
    for (size_t i = 0; i < t->patterns.items.count; i++) {
        if (t->patterns.items.items[i].is_used) {
            ha__pattern_c(&t->patterns, (int) i, name_of("loop", i, name), out);
        }
    }
    return out->status;
}

static ha_status find_function(ha_ctx *ctx, const ha__native *native, const char *name,
                               ha__tape_code *out)
{
    *out = (ha__tape_code) ha__native_function(native, name);
    if (*out == NULL) {
        return ha_fail(ctx, HA_ERR_PROCESS, HA_NOWHERE,
                       "the compiled model has no function `%s`: empty the directory of compiled "
                       "models (HALFARROW_CACHE, by default ~/.cache/halfarrow)",
                       name);
    }
    return HA_OK;
}

/* The calls of tape i. */
static ha_status add_calls(ha_ctx *ctx, const ha__translation *t, size_t i,
                           const ha__native *native, ha__tape *tape)
{
    char name[NAME_SIZE];
    ha__tape_call call = { NULL, 1, 0 };

    if (t->is_straight) {
        HA_TRY(find_function(ctx, native, name_of("tape", i, name), &call.code));
        HA_TRY_PUSH(ctx, &tape->calls, call);
    }
    for (size_t k = 0; !t->is_straight && k < t->loops[i].items.count; k++) {
        ha__loop loop = t->loops[i].items.items[k];
        call.n = loop.n;
        call.width = t->patterns.items.items[loop.pattern].width;
        HA_TRY(
            find_function(ctx, native, name_of("loop", (size_t) loop.pattern, name), &call.code));
        HA_TRY_PUSH(ctx, &tape->calls, call);
    }
    return HA_OK;
}

ha_status ha__translation_use(ha_ctx *ctx, ha__translation *t, const ha__native *native)
{
    ha_status status = HA_OK;

    for (size_t i = 0; i < t->n_tapes && status == HA_OK; i++) {
        if (t->tapes[i] != NULL) {
            status = add_calls(ctx, t, i, native, t->tapes[i]);
        }
    }
    for (size_t i = 0; i < t->n_tapes; i++) {
        ha__tape *tape = t->tapes[i];
        if (tape != NULL && status != HA_OK) {
            HA_ARRAY_CLEAR(&tape->calls);
        } else if (tape != NULL) {
            tape->host = (ha__tape_host){ &tape->tables, ha__table_knot, ha__table_piece };
        }
    }
    for (size_t i = 0; i < t->n_tapes && !t->is_straight && status == HA_OK; i++) {
        if (t->tapes[i] != NULL) {
            t->tapes[i]->table.items = t->loops[i].table.items;
            t->tapes[i]->table.count = t->loops[i].table.count;
            t->tapes[i]->table.capacity = t->loops[i].table.capacity;
            t->loops[i].table.items = NULL;
            t->loops[i].table.count = t->loops[i].table.capacity = 0;
        }
    }
    return status;
}
