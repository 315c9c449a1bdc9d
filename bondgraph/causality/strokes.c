/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sequential causality assignment (Karnopp & Rosenberg) that looks ahead where it must.
 *
 * Each scalar bond carries one Boolean; each element a rule over the ein of its ports (element.h).
 * In this order, within a stage by user priority and then by name, never by order of insertion:
 *   1  elements with one sense: sources, detectors                conflict: BG_CONFLICT
 *   2  elements whose value or law leaves one sense (bg__pin)      conflict: BG_NON_INVERTIBLE;
 *      those whose law can be solved for the other prefer theirs
 *   3  storages, integral preferred
 *   3b residual sinks, explicit preferred
 *   4  resistors
 *   5  bonds that are still open
 * After each choice its consequences are propagated: a rule that counts is complete when the count
 * is reached or when all open ports are needed for it. Each end of a bond is counted once, so the
 * propagation is linear.
 *
 * Wanted is the complete assignment that is best in this order: what is served first gets its
 * preference whenever the rest can still be completed somehow. The strokes that can be completed
 * are a delta-matroid, for which this also gives the fewest storages in derivative causality
 * (Bouchet 1987).
 *
 * First all are served without looking ahead: a choice whose consequences contradict each other is
 * taken the other way, and a bond for which both ways fail is left open, as are all others when too
 * much has been taken back. When none is left open the assignment is the best one: it proves of
 * each choice that it could be completed, and what was refused contradicted choices before it. Else
 * some choice was wrong. The bonds entangled with those left open, which rules connect with them
 * through bonds that stage 1 did not reach, are then freed and served once more, now each with the
 * answer to the question whether the strokes can be completed (completion.h). A conflict is claimed
 * only when they cannot without any choice.
 */
#include <config.h>

#include "bondgraph/causality/strokes.h"

#include "bondgraph/causality/completion.h"
#include "bondgraph/elements/elem_law.h"
#include "bondgraph/graph/names_priv.h"
#include "lib/core/sort.h"

#include <limits.h>
#include <string.h>

/* Strokes that may be taken back for each bond before the rest is served looking ahead. */
enum { MOST_UNDONE = 4 };

/* How much an element cares. */
typedef enum { MUST, PREFERS, TAKES_ANY } zeal;

/* A bond to be served: the sense that an element wants there. */
typedef struct {
    int element, bond, ein;
    zeal zeal;
} choice;

typedef struct {
    bg__system *system;
    bg__strokes *out;
    int *order;          /* (elements) by stage, priority, name */
    int *n_open;         /* (elements) ports without stroke */
    int *n_in;           /* (elements) ports with ein = 1 */
    HA_ARRAY(int) queue; /* elements to look at */
    HA_ARRAY(int) left;  /* bonds for which both ways failed */
    size_t n_undone;     /* strokes taken back so far */
    bg__completion *completion;
    size_t n_settled; /* steps of the trail that the completion knows */
} search;

static const bg__element *element_at(const search *x, int element)
{
    return &x->system->graph->elements.items[element];
}

/* --- setting and propagating ---------------------------------------------------------------- */

static void count_end(search *x, int element, int bond, int by)
{
    x->n_open[element] -= by;
    x->n_in[element] += bg__ein(x->system, element, bond) == 1 ? by : 0;
}

/* Sets the stroke of an open bond so that `element` has this ein. */
static ha_status set(search *x, int element, int bond, int ein, int reason, bg__why why)
{
    const bg__bond *b = &x->system->graph->bonds.items[bond];

    HA_TRY_PUSH(x->system->ctx, &x->out->trail, (bg__step){ bond, reason, why });
    x->system->heads[bond] = (signed char) (b->head == element ? ein : 1 - ein);
    count_end(x, b->tail, bond, 1);
    count_end(x, b->head, bond, 1);
    HA_TRY_PUSH(x->system->ctx, &x->queue, b->tail);
    HA_TRY_PUSH(x->system->ctx, &x->queue, b->head);
    return HA_OK;
}

static void undo_to(search *x, size_t trail_count)
{
    x->n_undone += x->out->trail.count - trail_count;
    while (x->out->trail.count > trail_count) {
        int bond = x->out->trail.items[--x->out->trail.count].bond;
        const bg__bond *b = &x->system->graph->bonds.items[bond];
        count_end(x, b->tail, bond, -1);
        count_end(x, b->head, bond, -1);
        x->system->heads[bond] = -1;
    }
}

/* Gives all open ports of an element the same ein. */
static ha_status set_open(search *x, int element, int ein)
{
    int n = bg__n_ports(x->system, element);

    for (int port = 0; port < n && x->n_open[element] > 0; port++) {
        int bond = bg__port_bond(x->system, element, port);
        if (x->system->heads[bond] < 0) {
            HA_TRY(set(x, element, bond, ein, element, BG__WHY_FOLLOWS));
        }
    }
    return HA_OK;
}

/* Applies an element's rule; `*fits` is false when it cannot be obeyed any more. */
static ha_status apply_rule(search *x, int element, bool *fits)
{
    const bg__type *type = element_at(x, element)->type;
    int n = bg__n_ports(x->system, element);
    int n_in = x->n_in[element], n_open = x->n_open[element];
    int wanted = type->base + type->slope * n;

    *fits = true;
    if (type->rule == BG_RULE_EQUAL) {
        int n_out = n - n_open - n_in;
        *fits = n_in == 0 || n_out == 0;
        return *fits && n_open > 0 && n_open < n ? set_open(x, element, n_in > 0) : HA_OK;
    }
    if (type->rule == BG_RULE_COUNT) {
        *fits = n_in <= wanted && n_in + n_open >= wanted;
        if (*fits && n_open > 0 && (n_in == wanted || n_in + n_open == wanted)) {
            return set_open(x, element, n_in != wanted);
        }
    }
    return HA_OK;
}

/* Applies rules until nothing follows any more or one fails; that element is noted. */
static ha_status propagate(search *x, bool *fits)
{
    *fits = true;
    while (x->queue.count > 0 && *fits) {
        int element = x->queue.items[--x->queue.count];
        HA_TRY(apply_rule(x, element, fits));
        if (!*fits) {
            x->out->conflict = element;
        }
    }
    x->queue.count = 0;
    return HA_OK;
}

/* --- stage 1 --------------------------------------------------------------------------------- */

/* Orders elements by stage, then the higher priority, then name. */
static ha_status order_elements(search *x)
{
    size_t n = x->system->graph->elements.count;
    const int *ranks = NULL;
    uint64_t *keys = ha__alloc(x->system->ctx, n, sizeof *keys);
    ha_status status = keys == NULL ? HA_ERR_MEMORY : bg__graph_ranks(x->system->graph, &ranks);

    for (size_t i = 0; i < n && status == HA_OK; i++) {
        x->order[ranks[i]] = (int) i;
    }
    for (size_t i = 0; i < n && status == HA_OK; i++) {
        const bg__element *e = element_at(x, x->order[i]);
        /* 0 for the highest priority */
        uint32_t behind = (uint32_t) ((int64_t) INT_MAX - bg__extra(e)->priority);
        keys[i] = (uint64_t) e->type->stage << 32 | behind;
    }
    HA_THEN(status, ha__sort_by_keys(x->system->ctx, n, keys, x->order));
    ha__free(keys);
    return status;
}

static void fail(search *x, bg_class outcome, int conflict, int culprit)
{
    x->out->outcome = outcome;
    x->out->conflict = conflict;
    x->out->culprit = culprit;
}

static ha_status serve_fixed(search *x)
{
    size_t n = x->system->graph->elements.count;
    bool fits = true;

    for (size_t i = 0; i < n && fits; i++) {
        int element = x->order[i], bond = bg__port_bond(x->system, element, 0);
        const bg__type *type = element_at(x, element)->type;
        if (type->stage != BG__STAGE_FIXED) {
            break;
        }
        if (x->system->heads[bond] < 0) {
            HA_TRY(set(x, element, bond, type->base, element, BG__WHY_FIXED));
        } else {
            HA_TRY_PUSH(x->system->ctx, &x->queue, element);
        }
        HA_TRY(propagate(x, &fits));
        if (!fits) {
            fail(x, BG_CONFLICT, x->out->conflict, element);
        }
    }
    /* junctions with a single bond have one sense that nothing else may have woken */
    for (size_t i = 0; i < n && fits; i++) {
        HA_TRY_PUSH(x->system->ctx, &x->queue, x->order[i]);
    }
    if (fits) {
        HA_TRY(propagate(x, &fits));
        if (!fits) {
            fail(x, BG_CONFLICT, x->out->conflict, -1);
        }
    }
    return HA_OK;
}

/* --- stages 2 to 5 --------------------------------------------------------------------------- */

/* How a choice is served: by its immediate consequences, or by looking ahead. */
typedef ha_status serve_fn(search *x, const choice *c);

static ha_status serve_pin(search *x, int element, int port, serve_fn *serve)
{
    const bg__element *e = element_at(x, element);
    const char *reason = NULL;
    bool yields = false;
    int ein = -1;

    HA_TRY(bg__pin(x->system->graph, e, port, &ein, &reason));
    if (ein < 0) {
        return HA_OK;
    }
    if (port == 0) {
        HA_TRY(bg__yields(x->system->graph, e, &yields));
    }
    const choice c = { element, bg__port_bond(x->system, element, port), ein,
                       yields ? PREFERS : MUST };
    return serve(x, &c);
}

/* The ports that may have to be pinned, from 0. */
static int n_pins(const bg__type *type)
{
    return type->takes_effort != 0 ? type->max_ports : 1;
}

static ha_status serve_pinned(search *x, serve_fn *serve)
{
    for (size_t i = 0; i < x->system->graph->elements.count; i++) {
        int element = x->order[i];
        for (int port = 0; port < n_pins(element_at(x, element)->type); port++) {
            HA_TRY(serve_pin(x, element, port, serve));
        }
    }
    return HA_OK;
}

static ha_status serve_preferring(search *x, serve_fn *serve)
{
    for (size_t i = 0; i < x->system->graph->elements.count; i++) {
        int element = x->order[i];
        const bg__type *type = element_at(x, element)->type;
        bool prefers = type->stage != BG__STAGE_FIXED && type->stage != BG__STAGE_STRUCTURE;
        for (int port = 0; prefers && port < bg__n_ports(x->system, element); port++) {
            const choice c = { element, bg__port_bond(x->system, element, port), type->preferred,
                               PREFERS };
            HA_TRY(serve(x, &c));
        }
    }
    return HA_OK;
}

static ha_status serve_bonds(search *x, serve_fn *serve)
{
    for (size_t i = 0; i < x->system->graph->elements.count; i++) {
        for (int port = 0; port < bg__n_ports(x->system, x->order[i]); port++) {
            int bond = bg__port_bond(x->system, x->order[i], port);
            const choice c = { x->system->graph->bonds.items[bond].head, bond, 1, TAKES_ANY };
            HA_TRY(serve(x, &c));
        }
    }
    return HA_OK;
}

static ha_status serve_all(search *x, serve_fn *serve)
{
    HA_TRY(serve_pinned(x, serve));
    HA_TRY(serve_preferring(x, serve));
    return serve_bonds(x, serve);
}

/* Serves a choice without looking ahead. */
static ha_status serve_quickly(search *x, const choice *c)
{
    size_t trail_count = x->out->trail.count;
    bool fits = true;

    if (x->system->heads[c->bond] >= 0) {
        if (c->zeal == MUST && bg__ein(x->system, c->element, c->bond) != c->ein) {
            HA_TRY_PUSH(x->system->ctx, &x->left, c->bond);
        }
        return HA_OK;
    }
    if (x->n_undone > MOST_UNDONE * x->system->graph->bonds.count) {
        HA_TRY_PUSH(x->system->ctx, &x->left, c->bond);
        return HA_OK;
    }
    HA_TRY(set(x, c->element, c->bond, c->ein, c->element,
               c->zeal == MUST ? BG__WHY_PINNED : BG__WHY_CHOSEN));
    HA_TRY(propagate(x, &fits));
    if (!fits && c->zeal != MUST) {
        undo_to(x, trail_count);
        HA_TRY(set(x, c->element, c->bond, 1 - c->ein, c->element, BG__WHY_REFUSED));
        HA_TRY(propagate(x, &fits));
    }
    if (!fits) {
        undo_to(x, trail_count);
        HA_TRY_PUSH(x->system->ctx, &x->left, c->bond);
    }
    return HA_OK;
}

/* --- looking ahead --------------------------------------------------------------------------- */

/* Marks the bonds that were open after the first `n_certain` steps and that rules connect with
   those left open. */
static ha_status mark_entangled(search *x, size_t n_certain, bool *is_certain, bool *is_met,
                                bool *is_entangled)
{
    for (size_t i = 0; i < n_certain; i++) {
        is_certain[x->out->trail.items[i].bond] = true;
    }
    while (x->left.count > 0) {
        int bond = x->left.items[--x->left.count];
        const bg__bond *b = &x->system->graph->bonds.items[bond];
        if (is_certain[bond]) {
            continue; /* a pinned element that stage 1 contradicts */
        }
        is_entangled[bond] = true;
        for (int end = 0; end < 2; end++) {
            int element = end == 0 ? b->tail : b->head;
            bool passes = element_at(x, element)->type->rule != BG_RULE_FREE && !is_met[element];
            is_met[element] = true;
            for (int port = 0; passes && port < bg__n_ports(x->system, element); port++) {
                int next = bg__port_bond(x->system, element, port);
                if (!is_certain[next] && !is_entangled[next]) {
                    is_entangled[next] = true;
                    HA_TRY_PUSH(x->system->ctx, &x->left, next);
                }
            }
        }
    }
    return HA_OK;
}

/* Takes back the strokes of the marked bonds; they are noted as a guess. */
static void free_entangled(search *x, const bool *is_entangled, signed char *guess)
{
    size_t n_kept = 0;

    memset(guess, -1, x->system->graph->bonds.count);
    for (size_t i = 0; i < x->out->trail.count; i++) {
        const bg__step step = x->out->trail.items[i];
        const bg__bond *b = &x->system->graph->bonds.items[step.bond];
        if (!is_entangled[step.bond]) {
            x->out->trail.items[n_kept++] = step;
            continue;
        }
        count_end(x, b->tail, step.bond, -1);
        count_end(x, b->head, step.bond, -1);
        guess[step.bond] = x->system->heads[step.bond];
        x->system->heads[step.bond] = -1;
    }
    x->out->trail.count = n_kept;
    x->n_settled = n_kept;
}

/* Sets and propagates what has a completion, and tells the completion. */
static ha_status commit(search *x, const choice *c, int ein, bg__why why)
{
    bool fits = true;

    HA_TRY(set(x, c->element, c->bond, ein, c->element, why));
    HA_TRY(propagate(x, &fits));
    for (; fits && x->n_settled < x->out->trail.count; x->n_settled++) {
        int bond = x->out->trail.items[x->n_settled].bond;
        fits = bg__completion_settle(x->completion, bond, x->system->heads[bond]);
    }
    if (!fits) { /* a completion obeys every rule, and so all that follows from it */
        return ha_fail(x->system->ctx, HA_ERR_INTERNAL, element_at(x, c->element)->where,
                       "the strokes around `%s` have a completion that breaks a rule; report this "
                       "with the model",
                       element_at(x, c->element)->name);
    }
    return HA_OK;
}

/* The element at which a pinned sense is contradicted; itself where that is further away. */
static ha_status find_contradiction(search *x, const choice *c, int *out)
{
    size_t trail_count = x->out->trail.count;
    bool fits = true;

    if (x->system->heads[c->bond] < 0) {
        HA_TRY(set(x, c->element, c->bond, c->ein, c->element, BG__WHY_PINNED));
        HA_TRY(propagate(x, &fits));
        undo_to(x, trail_count);
    }
    *out = fits ? c->element : x->out->conflict;
    return HA_OK;
}

/* Serves a choice as well as the strokes can still be completed. */
static ha_status serve_ahead(search *x, const choice *c)
{
    const bg__bond *b = &x->system->graph->bonds.items[c->bond];
    bool is_head = b->head == c->element;
    bool is_set = x->system->heads[c->bond] >= 0;

    if (x->out->outcome != BG_CLASS_COUNT || (is_set && c->zeal != MUST)) {
        return HA_OK;
    }
    if (c->zeal == TAKES_ANY) {
        return commit(x, c, bg__completion_head(x->completion, c->bond), BG__WHY_CHOSEN);
    }
    if (is_set ? bg__ein(x->system, c->element, c->bond) == c->ein
               : bg__completion_settle(x->completion, c->bond, is_head ? c->ein : 1 - c->ein)) {
        return is_set ? HA_OK
                      : commit(x, c, c->ein, c->zeal == MUST ? BG__WHY_PINNED : BG__WHY_CHOSEN);
    }
    if (c->zeal == MUST) {
        int conflict = -1;
        HA_TRY(find_contradiction(x, c, &conflict));
        fail(x, BG_NON_INVERTIBLE, conflict, c->element);
        return HA_OK;
    }
    return commit(x, c, 1 - c->ein, BG__WHY_INCOMPLETE);
}

static ha_status list_contest(search *x)
{
    for (size_t i = 0; i < x->system->graph->elements.count; i++) {
        if (bg__completion_contests(x->completion, x->order[i])) {
            HA_TRY_PUSH(x->system->ctx, &x->out->contest, x->order[i]);
        }
    }
    return HA_OK;
}

static ha_status complete_entangled(search *x, const signed char *guess)
{
    HA_TRY(bg__completion_new(x->system, x->n_in, x->order, guess, &x->completion));
    int conflict = bg__completion_find(x->completion);
    if (conflict >= 0) {
        fail(x, BG_CONFLICT, conflict, -1);
        return list_contest(x);
    }
    return serve_all(x, serve_ahead);
}

static ha_status look_ahead(search *x, size_t n_certain)
{
    ha_ctx *ctx = x->system->ctx;
    size_t n = x->system->graph->elements.count, n_bonds = x->system->graph->bonds.count;
    bool *is_certain = ha__alloc(ctx, n_bonds, sizeof *is_certain);
    bool *is_entangled = ha__alloc(ctx, n_bonds, sizeof *is_entangled);
    bool *is_met = ha__alloc(ctx, n, sizeof *is_met);
    signed char *guess = ha__alloc(ctx, n_bonds, sizeof *guess);
    ha_status status = HA_ERR_MEMORY;

    if (is_certain != NULL && is_entangled != NULL && is_met != NULL && guess != NULL) {
        status = mark_entangled(x, n_certain, is_certain, is_met, is_entangled);
    }
    if (status == HA_OK) {
        free_entangled(x, is_entangled, guess);
        status = complete_entangled(x, guess);
    }
    HA_FREE(is_certain, is_entangled, is_met, guess);
    return status;
}

/* --- the whole ------------------------------------------------------------------------------- */

static ha_status run(search *x)
{
    for (size_t i = 0; i < x->system->graph->elements.count; i++) {
        x->n_open[i] = bg__n_ports(x->system, (int) i);
    }
    HA_TRY(order_elements(x));
    HA_TRY(serve_fixed(x));
    if (x->out->outcome != BG_CLASS_COUNT) {
        return HA_OK;
    }

    size_t n_certain = x->out->trail.count;
    HA_TRY(serve_all(x, serve_quickly));
    x->out->conflict = -1;
    return x->left.count > 0 ? look_ahead(x, n_certain) : HA_OK;
}

ha_status bg__strokes_assign(bg__system *system, bg__strokes *out)
{
    size_t n = system->graph->elements.count;
    search x = { .system = system, .out = out };
    ha_status status = HA_ERR_MEMORY;

    *out = (bg__strokes){ .outcome = BG_CLASS_COUNT, .conflict = -1, .culprit = -1 };
    x.order = ha__alloc(system->ctx, n, sizeof *x.order);
    x.n_open = ha__alloc(system->ctx, n, sizeof *x.n_open);
    x.n_in = ha__alloc(system->ctx, n, sizeof *x.n_in);
    if (x.order != NULL && x.n_open != NULL && x.n_in != NULL) {
        status = run(&x);
    }
    HA_FREE(x.order, x.n_open, x.n_in);
    HA_ARRAY_CLEAR(&x.queue, &x.left);
    bg__completion_free(x.completion);
    return status;
}

void bg__strokes_clear(bg__strokes *strokes)
{
    HA_ARRAY_CLEAR(&strokes->trail, &strokes->contest);
}
