/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files: what is repeated, and names with an index.
 *
 *   J: {type: revolute, for: {i: [0, n - 2]}, between: ["link[i].end", "link[i+1].start"]}
 *
 * makes J[0], J[1] and so on, in which `i` is a number. The range has both ends in it, and may be
 * empty, [0, -1]. An index in a name is an expression of constants; of a ring it is
 * `link[mod(i+1, n)]` or, with what all expressions have, `link[if(i < n-1, i+1, 0)]`. Names are
 * used as `link[3].end`, without expressions, from here on.
 */
#include <config.h>

#include "lib/core/strbuf.h"
#include "mech2d/read/read_priv.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_LOOPS = 3, MOST_REPEATED = 100 * 1000 };

/* --- names with an index -------------------------------------------------------------------- */

/* The length of `[...]` at the start of a text with its closing bracket, 0: it is not closed. */
static size_t bracket_length(const char *text)
{
    int depth = 0;

    for (size_t n = 0; text[n] != '\0'; n++) {
        depth += text[n] == '[' ? 1 : text[n] == ']' ? -1 : 0;
        if (depth == 0) {
            return n + 1;
        }
    }
    return 0;
}

/* Adds the number that an index is. */
static ha_status add_index(m2d__reader *r, const char *name, const char *text, size_t length,
                           ha_where where, ha__strbuf *out)
{
    const m2d__owner owner = { "the name", name, "index", where };
    const char *inner = ha__arena_text(r->ctx, &r->arena, text, length);
    double value = 0.0;

    HA_TRY_MEMORY(inner);
    if (length > 0 && strspn(inner, "0123456789") == length) {
        ha__strbuf_addf(out, "[%s]", inner);
        return HA_OK;
    }
    HA_TRY(m2d__evaluate(r, inner, where, owner, &value));
    if (!(value >= 0.0 && value <= MOST_REPEATED) || value != floor(value)) {
        return ha_fail(r->ctx, HA_ERR_VALUE, where,
                       "the index `%s` of `%s` is %g; it must be a whole number from 0 on", inner,
                       name, value);
    }
    ha__strbuf_addf(out, "[%d]", (int) value);
    return HA_OK;
}

static ha_status add_indexed(m2d__reader *r, const char *text, ha_where where, ha__strbuf *out)
{
    for (const char *rest = text; *rest != '\0';) {
        size_t plain = strcspn(rest, "["), length = bracket_length(rest + plain);
        ha__strbuf_add_bytes(out, rest, plain);
        rest += plain;
        if (*rest == '\0') {
            break;
        }
        if (length < 2) {
            return ha_fail(
                r->ctx, HA_ERR_SYNTAX, where,
                "`%s` has a bracket that is not closed; write for example `link[i+1].end`", text);
        }
        HA_TRY(add_index(r, text, rest + 1, length - 2, where, out));
        rest += length;
    }
    return out->status;
}

const char *m2d__indexed(m2d__reader *r, const char *text, ha_where where)
{
    ha__strbuf out = HA_STRBUF(r->ctx);
    const char *indexed = NULL;

    if (text == NULL || strchr(text, '[') == NULL) {
        return text;
    }
    ha_status status = add_indexed(r, text, where, &out);
    if (status == HA_OK) {
        indexed =
            ha__arena_text(r->ctx, &r->arena, ha__strbuf_text(&out), strlen(ha__strbuf_text(&out)));
        status = indexed == NULL ? HA_ERR_MEMORY : HA_OK;
    }
    ha__strbuf_clear(&out);
    m2d__reader_go_on(r, status);
    return indexed;
}

ha_expr m2d__index_of(const m2d__reader *r, const char *name)
{
    for (const m2d__index *i = r->index; i != NULL; i = i->outer) {
        if (strcmp(i->name, name) == 0) {
            return ha_constant(r->mechanism->dag, i->value);
        }
    }
    return HA_EXPR_NONE;
}

/* --- repetition ----------------------------------------------------------------------------- */

/* The loops of a `for`, the last running fastest. */
typedef struct {
    m2d__reader *r;
    const char *object;
    int n;
    m2d__index index[MOST_LOOPS];
    int first[MOST_LOOPS], count[MOST_LOOPS];
} loops;

/* A whole number of a range. */
static ha_status read_bound(loops *l, const ha__yaml_node *node, const char *name, int *out)
{
    const m2d__owner owner = { "`for`", name, "bound", node->where };
    const char *text = NULL;
    double value = 0.0;

    HA_TRY(ha__yaml_text(l->r->ctx, node, l->object, &text));
    HA_TRY(m2d__evaluate(l->r, text, ha__yaml_text_where(node), owner, &value));
    if (!(fabs(value) <= MOST_REPEATED) || value != floor(value)) {
        return ha_fail(l->r->ctx, HA_ERR_LIMIT, ha__yaml_text_where(node),
                       "`%s` in `for` of %s goes to %g; give whole numbers up to %d", name,
                       l->object, value, (int) MOST_REPEATED);
    }
    *out = (int) value;
    return HA_OK;
}

/* `i: [0, 18]`. */
static ha_status read_range(loops *l, const ha__yaml_pair *pair)
{
    const ha__yaml_node *const *items = NULL;
    int last = 0, at = l->n;

    HA_TRY(m2d__check_symbol(l->r->ctx, "index", pair->key, pair->where));
    HA_TRY(ha__yaml_items(l->r->ctx, pair->value, l->object, 2, &items));
    HA_TRY(read_bound(l, items[0], pair->key, &l->first[at]));
    HA_TRY(read_bound(l, items[1], pair->key, &last));
    l->count[at] = last - l->first[at] + 1;
    l->index[at] = (m2d__index){ .name = pair->key };
    l->n++;
    if (l->count[at] < 0 || l->first[at] < 0) {
        return ha_fail(l->r->ctx, HA_ERR_VALUE, pair->where,
                       "`%s` in `for` of %s runs from %d to %d; give the first, from 0 on, and the "
                       "last, which is not before it",
                       pair->key, l->object, l->first[at], last);
    }
    return HA_OK;
}

static ha_status read_loops(loops *l, const ha__yaml_node *node)
{
    double total = 1.0;

    HA_TRY(ha__yaml_expect(l->r->ctx, node, l->object, HA__YAML_MAPPING));
    if (node->n == 0 || node->n > MOST_LOOPS) {
        return ha_fail(l->r->ctx, HA_ERR_VALUE, node->where,
                       "`for` of %s has %zu indices; give 1 to %d, as in `for: {i: [0, 3]}`",
                       l->object, node->n, (int) MOST_LOOPS);
    }
    for (size_t k = 0; k < node->n; k++) {
        HA_TRY(read_range(l, &node->pairs[k]));
        total *= l->count[k];
    }
    l->r->n_repeated += total;
    return l->r->n_repeated <= MOST_REPEATED
               ? HA_OK
               : ha_fail(l->r->ctx, HA_ERR_LIMIT, node->where,
                         "with %s the file repeats more than %d times; use fewer", l->object,
                         (int) MOST_REPEATED);
}

/* The name's end of one turn: "[3]", "[1][0]". */
static void print_suffix(const loops *l, char *suffix, size_t size)
{
    int used = 0;

    for (int k = 0; k < l->n; k++) {
        used += snprintf(suffix + used, size - (size_t) used, "[%d]", (int) l->index[k].value);
    }
}

/* Goes to the next turn; false behind the last. */
static bool advance(loops *l, int *turns)
{
    for (int k = l->n - 1; k >= 0; k--) {
        if (++turns[k] < l->count[k]) {
            return true;
        }
        turns[k] = 0;
    }
    return false;
}

static void run_loops(loops *l, void *user,
                      void (*take)(m2d__reader *r, void *user, const char *suffix))
{
    const m2d__index *around = l->r->index;
    int turns[MOST_LOOPS] = { 0 };
    size_t n_errors = ha_ctx_n_errors(l->r->ctx);

    for (int k = 0; k < l->n; k++) {
        if (l->count[k] == 0) {
            return;
        }
        l->index[k].outer = k == 0 ? around : &l->index[k - 1];
    }
    l->r->index = &l->index[l->n - 1];
    do {
        char suffix[16 * MOST_LOOPS] = "";
        for (int k = 0; k < l->n; k++) {
            l->index[k].value = l->first[k] + turns[k];
        }
        print_suffix(l, suffix, sizeof suffix);
        take(l->r, user, suffix); /* the first that is wrong stands for all */
    } while (ha_ctx_n_errors(l->r->ctx) == n_errors && l->r->status != HA_ERR_MEMORY &&
             advance(l, turns));
    l->r->index = around;
}

bool m2d__repeat(m2d__reader *r, const ha__yaml_node *node, const char *object, void *user,
                 void (*take)(m2d__reader *r, void *user, const char *suffix))
{
    const ha__yaml_node *range = ha__yaml_get(node, "for");
    loops l = { .r = r, .object = object };

    if (range == NULL) {
        take(r, user, "");
        return true;
    }
    ha_status status = read_loops(&l, range);
    m2d__reader_go_on(r, status);
    if (status == HA_OK) {
        run_loops(&l, user, take);
    }
    return status == HA_OK;
}

/* --- entries of sections -------------------------------------------------------------------- */

/* An entry that is repeated. */
typedef struct {
    const ha__yaml_pair *pair;
    const ha__yaml_node *value; /* without its `for` */
    void (*read)(m2d__reader *r, const ha__yaml_pair *pair);
} entry;

static void read_turn(m2d__reader *r, void *user, const char *suffix)
{
    const entry *e = user;
    ha__yaml_pair named = { e->pair->key, e->pair->where, e->value };

    if (suffix[0] != '\0') {
        named.key = ha__arena_format(r->ctx, &r->arena, "%s%s", e->pair->key, suffix);
    }
    if (named.key == NULL) {
        m2d__reader_go_on(r, HA_ERR_MEMORY);
        return;
    }
    e->read(r, &named);
}

void m2d__read_repeated(m2d__reader *r, const ha__yaml_pair *pair, const char *kind,
                        void (*read)(m2d__reader *r, const ha__yaml_pair *pair))
{
    entry e = { pair, pair->value, read };

    if (ha__yaml_get(pair->value, "for") == NULL) {
        read(r, pair);
        return;
    }
    size_t n_errors = ha_ctx_n_errors(r->ctx);
    ha_status status = m2d__without_key(r, pair->value, "for", &e.value);
    bool is_read =
        m2d__reader_go_on(r, status) &&
        m2d__repeat(r, pair->value, m2d__object(r, NULL, kind, pair->key), &e, read_turn);
    if (!is_read || ha_ctx_n_errors(r->ctx) > n_errors) {
        m2d__reader_go_on(r, m2d__mark_faulty(r->mechanism, pair->key));
    }
}
