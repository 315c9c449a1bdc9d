/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Patterns of instructions: instructions up to which slots they read and write. They are found by a
 * hash of their lines, and as C they are loops over a table of slots.
 */
#include <config.h>

#include "lib/tape/tape_pattern.h"

#include "lib/core/hash.h"
#include "lib/expr/expr_c.h"

#include <stdint.h>
#include <string.h>

enum { FEWEST_HEADS = 64 };

/* The hash of the numbers that make lines. */
static size_t hash(const ha__line *lines, int n)
{
    uint64_t h = 0;

    for (int i = 0; i < n; i++) {
        const ha__line *l = &lines[i];
        const int numbers[] = { l->op,         l->operand[0], l->operand[1],
                                l->operand[2], l->is_kept,    l->is_root };
        h = ha__hash_bytes(h, numbers, sizeof numbers);
    }
    return ha__hash_fold(h);
}

static void link_pattern(ha__patterns *p, int number)
{
    ha__pattern *pattern = &p->items.items[number];
    size_t at = hash(p->lines.items + pattern->first, pattern->n_lines) & (p->head.count - 1);

    pattern->next = p->head.items[at];
    p->head.items[at] = number;
}

/* Twice as many heads. */
static ha_status grow(ha__patterns *p)
{
    size_t n = p->head.count == 0 ? FEWEST_HEADS : 2 * p->head.count;

    HA_TRY_ROOM(p->ctx, &p->head, n - p->head.count);
    p->head.count = n;
    memset(p->head.items, -1, n * sizeof *p->head.items);
    for (size_t i = 0; i < p->items.count; i++) {
        link_pattern(p, (int) i);
    }
    return HA_OK;
}

static bool is_same(const ha__line *a, const ha__line *b, int n)
{
    return n == 0 || memcmp(a, b, (size_t) n * sizeof *a) == 0; /* ints alone: no padding */
}

/* Slots read and ints of a row. */
static void measure(ha__pattern *pattern, const ha__line *lines)
{
    bool is_keeping = false;
    int n_roots = 0;

    for (int i = 0; i < pattern->n_lines; i++) {
        for (int k = 0; k < 3; k++) {
            int slot = -lines[i].operand[k]; /* its number + 1 */
            pattern->n_read = slot > pattern->n_read ? slot : pattern->n_read;
        }
        is_keeping = is_keeping || lines[i].is_kept != 0;
        n_roots += lines[i].is_root;
    }
    if (pattern->n_lines == 0) {
        pattern->n_read = n_roots = 1;
    }
    pattern->width = (is_keeping ? 1 : 0) + pattern->n_read + n_roots;
}

ha_status ha__patterns_find(ha__patterns *p, const ha__line *lines, int n, int *out)
{
    ha__pattern fresh = { .first = p->lines.count, .n_lines = n };

    if (p->items.count >= p->head.count) {
        HA_TRY(grow(p));
    }
    for (int i = p->head.items[hash(lines, n) & (p->head.count - 1)]; i >= 0;
         i = p->items.items[i].next) {
        const ha__pattern *pattern = &p->items.items[i];
        if (pattern->n_lines == n && is_same(p->lines.items + pattern->first, lines, n)) {
            *out = i;
            return HA_OK;
        }
    }
    measure(&fresh, lines);
    for (int i = 0; i < n; i++) {
        HA_TRY_PUSH(p->ctx, &p->lines, lines[i]);
    }
    HA_TRY_PUSH(p->ctx, &p->items, fresh);
    *out = (int) p->items.count - 1;
    link_pattern(p, *out);
    return HA_OK;
}

void ha__patterns_clear(ha__patterns *p)
{
    HA_ARRAY_CLEAR(&p->lines, &p->items, &p->head);
}

/* --- C --------------------------------------------------------------------------------------- */

static void add_operand(void *user, int k, ha__strbuf *out)
{
    const ha__line *line = user;
    int operand = line->operand[k];

    ha__strbuf_addf(out, operand < 0 ? "x%d" : "t%d", operand < 0 ? -1 - operand : operand);
}

/* What is done for a row. All is read before anything is written: no slot is both. */
static void add_body(const ha__patterns *p, const ha__pattern *pattern, ha__strbuf *out)
{
    const ha__line *lines = p->lines.items + pattern->first;
    int root = pattern->width, is_keeping = 0;

    for (int i = 0; i < pattern->n_lines; i++) {
        root -= lines[i].is_root;
        is_keeping = is_keeping || lines[i].is_kept != 0;
    }
    for (int k = 0; k < pattern->n_read; k++) {
        ha__strbuf_addf(out, "        const double x%d = w[at[%d]];\n", k, k + is_keeping);
    }
    for (int i = 0; i < pattern->n_lines; i++) {
        ha__line line = lines[i];
        ha__strbuf_addf(out, "        const double t%d = ", i);
        ha__c_operation(out, (ha_op) line.op, add_operand, &line);
        ha__strbuf_add(out, ";\n");
    }
    for (int i = 0; i < pattern->n_lines; i++) {
        if (lines[i].is_kept != 0) {
            ha__strbuf_addf(out, "        w[at[0] + %d] = t%d;\n", i, i);
        }
        if (lines[i].is_root != 0) {
            ha__strbuf_addf(out, "        out[at[%d]] = t%d;\n", root++, i);
        }
    }
    if (pattern->n_lines == 0) {
        ha__strbuf_add(out, "        out[at[1]] = x0;\n");
    }
}

void ha__pattern_c(const ha__patterns *p, int pattern, const char *name, ha__strbuf *out)
{
    const ha__pattern *at = &p->items.items[pattern];

    ha__strbuf_addf(out,
                    "\nvoid %s(double *w, double *restrict out, const host *h, const int *at, "
                    "size_t n)\n{\n    (void) out, (void) h;\n"
                    "    for (; n > 0; n--, at += %d) {\n",
                    name, at->width);
    add_body(p, at, out);
    ha__strbuf_add(out, "    }\n}\n");
}
