/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files: calls in expressions that are no functions of numbers.
 *
 *   distance(A.P, B.Q)  relative(A.P, B.Q).x  in_axes(A.P, O).fx  power(R1): outputs that exist
 * when they are asked for (mech2d/expand/asked.c) sample(x, T)  delay(x, T)  hold(x, when): signals
 * (bondgraph/block.h) without a name of their own; here it is `sample_1`, `hold_2` and so on
 */
#include <config.h>

#include "lib/expr_table.h"
#include "mech2d/read/read_priv.h"

#include <string.h>

enum { LONGEST = 512, DEEPEST = 16 /* signals inside each other */ };

/* Whether a text begins with a call of this name. */
static bool is_call_of(const char *text, const char *name)
{
    size_t length = strcspn(text, " (");

    return strlen(name) == length && strncmp(name, text, length) == 0;
}

/* --- positions -------------------------------------------------------------------------------- */

/* Copies up to `end` without blanks, and with one behind commas; false where it does not fit. */
static bool copy_call(const char *text, const char *end, char *name, size_t size)
{
    size_t n = 0;

    for (; text < end; text++) {
        if (*text != ' ' && n + 3 < size) {
            name[n++] = *text;
        }
        if (*text == ',' && n + 3 < size) {
            name[n++] = ' ';
        }
    }
    name[n] = '\0';
    return n + 3 < size;
}

/* The length of a call of positions, 0: it is none. */
static size_t take_places(m2d__reader *r, const char *text, ha_expr *out)
{
    static const char *const calls[] = { "distance", "relative", "in_axes", "power" };
    const char *end = strchr(text, ')');
    char name[LONGEST];
    bool is_call = false;

    for (size_t i = 0; i < HA_COUNT(calls); i++) {
        is_call = is_call || is_call_of(text, calls[i]);
    }
    if (!is_call || end == NULL || r->entry != NULL || r->in_constraint || m2d__is_closed(r)) {
        return 0;
    }
    end++;
    if (*end == '.') { /* relative(A.P, B.Q).x */
        end += 1 + strspn(end + 1, "abcdefghijklmnopqrstuvwxyz");
    }
    if (!copy_call(text, end, name, sizeof name) ||
        m2d__find_stand_in(r->mechanism, name, r->where, out) != HA_OK) {
        return 0;
    }
    return (size_t) (end - text);
}

/* --- signals -------------------------------------------------------------------------------- */

/* Where an argument ends: at a comma or the closing parenthesis; NULL when there is neither. */
static const char *end_of_argument(const char *text)
{
    int depth = 0;

    for (; *text != '\0'; text++) {
        if (depth == 0 && (*text == ',' || *text == ')')) {
            return text;
        }
        depth += *text == '(' || *text == '[' ? 1 : *text == ')' || *text == ']' ? -1 : 0;
    }
    return NULL;
}

/* A call of a signal, taken apart. */
typedef struct {
    const char *name;
    bg_block_kind kind;
    const char *arguments[2];
    size_t length;
} signal_call;

/* False when the text is no call of a signal; its length is 0 when it has not two arguments. */
static bool take_apart(m2d__reader *r, const char *text, signal_call *call)
{
    static const bg_block_kind kinds[] = { BG_BLOCK_SAMPLE, BG_BLOCK_DELAY, BG_BLOCK_HOLD };
    const char *at = strchr(text, '(');

    for (size_t i = 0; i < HA_COUNT(kinds) && call->name == NULL; i++) {
        call->kind = kinds[i];
        call->name =
            is_call_of(text, bg_block_kind_name(kinds[i])) ? bg_block_kind_name(kinds[i]) : NULL;
    }
    if (call->name == NULL || ha_table_find(r->mechanism->dag, call->name) >= 0 ||
        m2d__has_function(r, call->name)) {
        return false;
    }
    for (int i = 0; i < 2 && at != NULL; i++) {
        const char *from = at + 1;
        at = end_of_argument(from);
        if (at == NULL || *at != (i == 0 ? ',' : ')')) {
            return true;
        }
        call->arguments[i] = ha__arena_text(r->ctx, &r->arena, from, (size_t) (at - from));
        m2d__reader_go_on(r, call->arguments[i] == NULL ? HA_ERR_MEMORY : HA_OK);
    }
    call->length = at == NULL ? 0 : (size_t) (at + 1 - text);
    return true;
}

static ha_status add_signal(m2d__reader *r, const signal_call *call, ha_expr *out)
{
    bg_block_def def = bg_block_def_default();
    const m2d__owner owner = { "the call", call->name, "period", r->where };
    ha_expr values[2] = { HA_EXPR_NONE, HA_EXPR_NONE };
    double period = 0.0;

    for (int i = 0; i < 2; i++) {
        HA_TRY(m2d__parse(r, call->arguments[i], &values[i]));
    }
    HA_TRY_GET(def.name, ha__arena_format(r->ctx, &r->arena, "%s_%d", call->name, ++r->n_calls));
    def.kind = call->kind;
    def.input = values[0];
    def.where = r->where;
    if (call->kind == BG_BLOCK_HOLD) {
        def.when = values[1];
    } else {
        HA_TRY(m2d__constant(r->ctx, r->mechanism->dag, values[1], owner, &period));
        def.period = values[1];
    }
    HA_TRY(m2d_mechanism_add_signal(r->mechanism, &def));
    return m2d__find_stand_in(r->mechanism, def.name, r->where, out);
}

static ha_status refuse(m2d__reader *r, const signal_call *call)
{
    if (call->length == 0) {
        return ha_fail(r->ctx, HA_ERR_SYNTAX, r->where, "`%s` takes two arguments: %s", call->name,
                       call->kind == BG_BLOCK_HOLD ? "hold(x, when)"
                                                   : "what is taken and the period, sample(x, T)");
    }
    if (r->call_depth == DEEPEST) {
        return ha_fail(r->ctx, HA_ERR_LIMIT, r->where,
                       "`%s` stands in more than %d calls of its kind; use `signals`", call->name,
                       (int) DEEPEST);
    }
    return ha_fail(r->ctx, HA_ERR_NAME, r->where,
                   "`%s` keeps a value, which only the mechanism can; it cannot stand in a "
                   "function, a law, a constraint, or a submodel of elements alone: use `signals`",
                   call->name);
}

/* The length of a call of a signal, 0: it is none. What is wrong has been said. */
static size_t take_signal(m2d__reader *r, const char *text, ha_expr *out)
{
    signal_call call = { 0 };

    if (!take_apart(r, text, &call)) {
        return 0;
    }
    bool is_here = (r->entry == NULL || r->part != NULL) && !r->in_constraint && !r->in_law &&
                   r->own == NULL && !m2d__is_in_function(r);
    ha_status status = HA_OK;
    if (call.length == 0 || !is_here || r->call_depth == DEEPEST) {
        status = refuse(r, &call);
    } else if (r->status != HA_ERR_MEMORY) {
        r->call_depth++;
        status = add_signal(r, &call, out);
        r->call_depth--;
    }
    m2d__reader_go_on(r, status);
    if (status != HA_OK) {
        *out = ha_constant(r->mechanism->dag, 1.0); /* harmless: what is wrong has been said */
    }
    return call.length > 0 ? call.length : strlen(text);
}

size_t m2d__take_call(void *user, const char *text, ha_expr *out)
{
    m2d__reader *r = user;
    size_t length = take_places(r, text, out);

    return length > 0 ? length : take_signal(r, text, out);
}
