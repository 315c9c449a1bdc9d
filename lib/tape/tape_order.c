/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order in which a tape is interpreted.
 *
 * What an instruction costs is mostly to find out which one it is. So the instructions of a stretch
 * of the tape are taken in runs of one operation: as long as one is ready, its operands being
 * there, it goes on with the operation at hand, then with the one of which most are ready. A run is
 * a loop without a decision. The order within a stretch does not change what is computed, and a
 * stretch is so short that its values stay in the fastest cache.
 */
#include <config.h>

#include "lib/tape/tape_priv.h"

enum { STRETCH = 2048 };

/* The instructions of a stretch whose operands are there, as lists by operation. */
typedef struct {
    const ha__instruction *code;
    size_t begin, count;   /* of the stretch */
    size_t first;          /* slot of instruction 0 */
    int head[HA_OP_COUNT]; /* 1 + the first ready, 0: none */
    int n_ready[HA_OP_COUNT];
    int *next;      /* (count) in its list, as head */
    int *waits_for; /* (count) operands that are not there */
    int *user;      /* (count) 1 + the first use of an instruction, 0: none */
    int *next_user; /* (3 count) use 3 i + k is operand k of instruction i */
} stretch;

/* The instruction in the stretch that computes an operand, -1: it comes from before. */
static int source_of(const stretch *s, int slot)
{
    size_t begin = s->first + s->begin;

    return (size_t) slot >= begin ? (int) ((size_t) slot - begin) : -1;
}

static void make_ready(stretch *s, int i)
{
    int op = s->code[s->begin + (size_t) i].op;

    s->next[i] = s->head[op];
    s->head[op] = i + 1;
    s->n_ready[op]++;
}

static void find_uses(stretch *s)
{
    for (size_t i = 0; i < s->count; i++) {
        s->user[i] = s->waits_for[i] = 0;
    }
    for (size_t i = 0; i < s->count; i++) {
        const ha__instruction *at = &s->code[s->begin + i];
        const int operand[3] = { at->a, at->b, at->c };
        for (int k = 0; k < 3; k++) {
            int source = source_of(s, operand[k]);
            if (source >= 0) {
                s->next_user[3 * i + (size_t) k] = s->user[source];
                s->user[source] = 3 * (int) i + k + 1;
                s->waits_for[i]++;
            }
        }
    }
    for (size_t i = s->count; i-- > 0;) { /* so that lists begin with the earliest */
        if (s->waits_for[i] == 0) {
            make_ready(s, (int) i);
        }
    }
}

/* Takes the next ready instruction of an operation. */
static ha_status take(stretch *s, ha__tape *tape, int op)
{
    int i = s->head[op] - 1;
    size_t number = s->begin + (size_t) i;
    const ha__instruction *at = &s->code[number];
    const int operands[3] = { at->a, at->b, at->c };

    s->head[op] = s->next[i];
    s->n_ready[op]--;
    for (int k = 0; k < ha_op_arity((ha_op) op); k++) {
        HA_TRY_PUSH(tape->ctx, &tape->slots, operands[k]);
    }
    HA_TRY_PUSH(tape->ctx, &tape->slots, (int) (s->first + number));
    for (int use = s->user[i]; use > 0; use = s->next_user[use - 1]) {
        if (--s->waits_for[(use - 1) / 3] == 0) {
            make_ready(s, (use - 1) / 3);
        }
    }
    return HA_OK;
}

/* The operation of which most are ready, -1 when none is. */
static int choose(const stretch *s)
{
    int best = -1;

    for (int op = 0; op < HA_OP_COUNT; op++) {
        if (s->n_ready[op] > (best < 0 ? 0 : s->n_ready[best])) {
            best = op;
        }
    }
    return best;
}

static ha_status order_stretch(stretch *s, ha__tape *tape)
{
    int op = -1;

    find_uses(s);
    while ((op = choose(s)) >= 0) {
        int n = 0;
        for (; s->head[op] > 0; n++) {
            HA_TRY(take(s, tape, op));
        }
        HA_TRY_PUSH(tape->ctx, &tape->runs, (ha__tape_part){ op, n });
    }
    return HA_OK;
}

static ha_status order_all(stretch *s, ha__tape *tape, const ha__instruction *code, size_t n)
{
    size_t n_slots = n;

    for (size_t i = 0; i < n; i++) {
        n_slots += (size_t) ha_op_arity((ha_op) code[i].op);
    }
    HA_TRY_ROOM(tape->ctx, &tape->slots, n_slots);
    tape->n_instructions = n;
    s->code = code;
    s->first = tape->n_inputs + tape->constants.count;
    for (size_t begin = 0; begin < n; begin += STRETCH) {
        s->begin = begin;
        s->count = n - begin < STRETCH ? n - begin : STRETCH;
        HA_TRY(order_stretch(s, tape));
    }
    return HA_OK;
}

ha_status ha__tape_order(ha__tape *tape, const ha__instruction *code, size_t n)
{
    const size_t longest = n < STRETCH ? n : STRETCH;
    stretch s = { 0 };

    HA_TRY_ALLOC(tape->ctx, s.next, 6 * longest);
    s.waits_for = s.next + longest;
    s.user = s.waits_for + longest;
    s.next_user = s.user + longest;
    return ha__then_free(order_all(&s, tape, code, n), s.next);
}

ha_status ha__tape_code_of(const ha__tape *tape, ha__instruction **out)
{
    size_t first = tape->n_inputs + tape->constants.count;
    const int *slot = tape->slots.items;
    ha__instruction *code = NULL;

    HA_TRY_ALLOC(tape->ctx, code, tape->n_instructions);
    for (size_t i = 0; i < tape->runs.count; i++) {
        ha__tape_part run = tape->runs.items[i];
        int arity = ha_op_arity((ha_op) run.op);
        for (int k = 0; k < run.n; k++, slot += arity + 1) {
            code[(size_t) slot[arity] - first] =
                (ha__instruction){ run.op, arity > 0 ? slot[0] : 0, arity > 1 ? slot[1] : 0,
                                   arity > 2 ? slot[2] : 0 };
        }
    }
    *out = code;
    return HA_OK;
}
