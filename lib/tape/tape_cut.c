/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tapes in segments that are alike.
 *
 * The instructions of a tape are in post-order: those that are there for a root alone stand in a
 * row and end with the root's. The equations of like parts of a model are alike, and so are the
 * rows of instructions of their roots: they differ in the slots that they read from outside. So a
 * tape is cut behind each root. The sum over all parts of a model, an energy, is one root, with as
 * many terms as there are parts; where an operand has more than LARGE instructions of its own a cut
 * is before and behind them, too, so that each term of a long sum becomes a segment, and no segment
 * is longer than 3 LARGE + 1.
 */
#include <config.h>

#include "lib/tape/tape_loops.h"

enum { LARGE = 64 };

static size_t first_slot(const ha__segments *s)
{
    return s->tape->n_inputs + s->tape->constants.count;
}

/* The slots of an instruction's operands; their number. */
static int operands_of(const ha__instruction *at, int slots[3])
{
    slots[0] = at->a;
    slots[1] = at->b;
    slots[2] = at->c;
    return ha_op_arity((ha_op) at->op);
}

static bool is_operand(const ha__instruction *at, int slot)
{
    int slots[3], n = operands_of(at, slots);

    for (int k = 0; k < n; k++) {
        if (slots[k] == slot) {
            return true;
        }
    }
    return false;
}

/* Marks in `is_end` the instructions that a cut is behind; `begin` (instructions) is for the first
   of an instruction's own ones, those that are there for it alone. */
static void find_ends(const ha__segments *s, int *begin, bool *is_end)
{
    const ha__instruction *code = s->code;
    int n = (int) ha__tape_length(s->tape), first = (int) first_slot(s);

    for (int i = 0; i < n; i++) {
        begin[i] = i;
        while (begin[i] > 0 && is_operand(&code[i], first + begin[i] - 1)) {
            int operand = begin[i] - 1;
            begin[i] = begin[operand];
            if (operand - begin[operand] >= LARGE) {
                is_end[operand] = true;
                is_end[begin[operand] > 0 ? begin[operand] - 1 : operand] = true;
            }
        }
        is_end[i] = s->root[i] > 0 || i == n - 1;
    }
}

static ha_status allocate(ha__segments *s)
{
    size_t n = ha__tape_length(s->tape), n_slots = ha__tape_work_size(s->tape);

    HA_TRY(ha__tape_code_of(s->tape, &s->code));
    HA_TRY_ALLOC_EACH(s->tape->ctx, n, s->segment, s->root, s->is_kept);
    HA_TRY_ALLOC_EACH(s->tape->ctx, n_slots, s->seen, s->number);
    return HA_OK;
}

/* A slot holds what one root gets first; other roots of the same value are copies. */
static void find_roots(ha__segments *s)
{
    size_t first = first_slot(s);

    for (size_t i = 0; i < s->tape->roots.count; i++) {
        size_t slot = (size_t) s->tape->roots.items[i];
        if (slot < first) {
            continue;
        }
        if (s->root[slot - first] == 0) {
            s->root[slot - first] = (int) i + 1;
        } else {
            s->is_kept[slot - first] = true;
        }
    }
}

static ha_status make_segments(ha__segments *s, const bool *is_end)
{
    int begin = 0;

    for (int i = 0; i < (int) ha__tape_length(s->tape); i++) {
        s->segment[i] = (int) s->items.count;
        if (is_end[i]) {
            HA_TRY_PUSH(s->tape->ctx, &s->items, (ha__segment){ begin, i + 1 - begin, 0, false });
            begin = i + 1;
        }
    }
    return HA_OK;
}

/* Values that another segment reads, or another tape. */
static void find_kept(ha__segments *s)
{
    int first = (int) first_slot(s);

    for (size_t i = 0; i < s->tape->shared.count; i++) {
        s->is_kept[s->tape->shared.items[i] - first] = true;
    }
    for (int i = 0; i < (int) ha__tape_length(s->tape); i++) {
        int slots[3], n = operands_of(&s->code[i], slots);
        for (int k = 0; k < n; k++) {
            int operand = slots[k] - first;
            if (operand >= 0 && s->segment[operand] != s->segment[i]) {
                s->is_kept[operand] = true;
            }
        }
    }
}

/* The operand of a line: a line of the segment, or what it reads from outside, apart from each
   other if the segment is. */
static ha_status read_operand(ha__segments *s, const ha__segment *segment, int slot, int *operand,
                              int *n_read)
{
    int first = (int) first_slot(s) + segment->begin;

    if (slot >= first) {
        *operand = slot - first;
        return HA_OK;
    }
    if (s->seen[slot] != s->n_readings || segment->is_apart) {
        s->seen[slot] = s->n_readings;
        s->number[slot] = (*n_read)++;
        HA_TRY_PUSH(s->tape->ctx, &s->row, slot);
    }
    *operand = -1 - s->number[slot];
    return HA_OK;
}

ha_status ha__segments_read(ha__segments *s, int i)
{
    const ha__segment segment = s->items.items[i];
    int n_read = 0;
    bool is_keeping = false;

    s->n_readings++;
    s->lines.count = s->row.count = 0;
    for (int k = 0; k < segment.length; k++) {
        is_keeping = is_keeping || s->is_kept[segment.begin + k];
    }
    if (is_keeping) {
        HA_TRY_PUSH(s->tape->ctx, &s->row, (int) first_slot(s) + segment.begin);
    }
    for (int at = segment.begin; at < segment.begin + segment.length; at++) {
        const ha__instruction *instruction = &s->code[at];
        ha__line line = { .op = instruction->op,
                          .is_kept = s->is_kept[at] ? 1 : 0,
                          .is_root = s->root[at] > 0 ? 1 : 0 };
        int slots[3], n = operands_of(instruction, slots);
        for (int k = 0; k < n; k++) {
            HA_TRY(read_operand(s, &segment, slots[k], &line.operand[k], &n_read));
        }
        HA_TRY_PUSH(s->tape->ctx, &s->lines, line);
    }
    for (int at = segment.begin; at < segment.begin + segment.length; at++) {
        if (s->root[at] > 0) {
            HA_TRY_PUSH(s->tape->ctx, &s->row, s->root[at] - 1);
        }
    }
    return HA_OK;
}

/* The pattern of segment i. */
static ha_status find_pattern(ha__segments *s, ha__patterns *patterns, int i)
{
    int *pattern = &s->items.items[i].pattern;

    HA_TRY(ha__segments_read(s, i));
    HA_TRY(ha__patterns_find(patterns, s->lines.items, (int) s->lines.count, pattern));
    patterns->items.items[*pattern].n_places++;
    return HA_OK;
}

ha_status ha__segments_cut(ha__segments *s, ha__patterns *patterns)
{
    size_t n = ha__tape_length(s->tape);
    int *begin = NULL;
    bool *is_end = NULL;

    HA_TRY(allocate(s));
    find_roots(s);
    begin = ha__alloc(s->tape->ctx, n, sizeof *begin);
    is_end = ha__alloc(s->tape->ctx, n, sizeof *is_end);
    ha_status status = HA_ERR_MEMORY;
    if (begin != NULL && is_end != NULL) {
        find_ends(s, begin, is_end);
        status = make_segments(s, is_end);
    }
    HA_FREE(begin, is_end);
    HA_TRY(status);
    find_kept(s);
    for (size_t i = 0; i < s->items.count; i++) {
        HA_TRY(find_pattern(s, patterns, (int) i));
    }
    return HA_OK;
}

/* An instruction as a segment of its own, whose pattern tells its operation alone: its value is
   kept, and roots are copies. */
static ha_status set_apart(ha__segments *s, ha__patterns *patterns, int instruction)
{
    int i = (int) s->items.count;

    HA_TRY_PUSH(s->tape->ctx, &s->items, (ha__segment){ instruction, 1, 0, true });
    s->segment[instruction] = i;
    s->is_kept[instruction] = true;
    s->root[instruction] = 0;
    HA_TRY(find_pattern(s, patterns, i));
    patterns->items.items[s->items.items[i].pattern].is_used = true;
    return HA_OK;
}

static ha_status set_all_apart(ha__segments *s, ha__patterns *patterns, const ha__segment *segment)
{
    for (int i = segment->begin; i < segment->begin + segment->length; i++) {
        HA_TRY(set_apart(s, patterns, i));
    }
    return HA_OK;
}

static ha_status leave_whole(ha__segments *s, const ha__segment *segment)
{
    for (int i = segment->begin; i < segment->begin + segment->length; i++) {
        s->segment[i] = (int) s->items.count;
    }
    HA_TRY_PUSH(s->tape->ctx, &s->items, *segment);
    return HA_OK;
}

ha_status ha__segments_break(ha__segments *s, ha__patterns *patterns)
{
    ha__segment *whole = s->items.items;
    size_t n = s->items.count;
    ha_status status = HA_OK;

    s->items.items = NULL;
    s->items.count = s->items.capacity = 0;
    for (size_t i = 0; i < n && status == HA_OK; i++) {
        status = patterns->items.items[whole[i].pattern].is_used
                     ? leave_whole(s, &whole[i])
                     : set_all_apart(s, patterns, &whole[i]);
    }
    ha__free(whole);
    return status;
}

void ha__segments_clear(ha__segments *s)
{
    HA_ARRAY_CLEAR(&s->items, &s->lines, &s->row);
    HA_FREE(s->code, s->segment, s->root, s->is_kept, s->seen, s->number);
    *s = (ha__segments){ .tape = s->tape };
}
