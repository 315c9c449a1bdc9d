/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sequential causality assignment (Karnopp & Rosenberg), completed by a search.
 *
 * Each scalar bond carries one Boolean; each element a rule over the ein of its ports (element.h).
 * In this order, within a stage by user priority and then by name, never by order of insertion:
 *   1  elements with one sense: sources, detectors                conflict: BG_CONFLICT
 *   2  elements whose value leaves one sense (bg__type.pin)       conflict: BG_NON_INVERTIBLE
 *   3  storages, integral preferred
 *   3b residual sinks, explicit preferred
 *   4  resistors
 *   5  bonds that are still open
 * After each choice its consequences are propagated: a rule that counts is complete when the count
 * is reached or when all open ports are needed for it. Each end of a bond is counted once, so the
 * propagation is linear.
 *
 * From stage 3 on a choice that fails is taken the other way; when both ways fail, the latest
 * choice before it is reversed (chronological backtracking). Run to its end the search finds the
 * complete assignment that is best in the order of the stages, or proves that there is none. It is
 * given up, as BG_UNDECIDED, after a fixed amount of undone work; a conflict is never claimed
 * without proof.
 */
#include <config.h>

#include "bondgraph/strokes.h"

#include <stdlib.h>
#include <string.h>

/* Bonds that may be undone before the search is given up. */
enum { MAX_UNDONE = 20 * 1000 * 1000 };

/* A choice that was made. */
typedef struct {
    int candidate;      /* index into the list of choices */
    size_t trail_count; /* length of the trail before it */
    bool is_reversed;   /* the preferred way has failed */
} choice;

typedef struct {
    bg__system *system;
    bg__strokes *out;
    int *n_open; /* (elements) ports without stroke */
    int *n_in;   /* (elements) ports with ein = 1 */
    HA_ARRAY(int) queue;  /* elements to look at */
    HA_ARRAY(int) candidates; /* elements to choose for, in order; -1 - b: bond b */
    HA_ARRAY(choice) choices;
    long undone;
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
static ha_status set(search *x, int element, int bond, int ein, int reason, bool is_decision)
{
    const bg__bond *b = &x->system->graph->bonds.items[bond];

    HA_TRY_PUSH(x->system->ctx, &x->out->trail, (bg__step){ bond, reason, is_decision });
    x->system->heads[bond] = (signed char) (b->head == element ? ein : 1 - ein);
    count_end(x, b->tail, bond, 1);
    count_end(x, b->head, bond, 1);
    HA_TRY_PUSH(x->system->ctx, &x->queue, b->tail);
    HA_TRY_PUSH(x->system->ctx, &x->queue, b->head);
    return HA_OK;
}

static void undo_to(search *x, size_t trail_count)
{
    x->undone += (long) (x->out->trail.count - trail_count);
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
            HA_TRY(set(x, element, bond, ein, element, false));
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
    if (type->rule == BG__RULE_EQUAL) {
        int n_out = n - n_open - n_in;
        *fits = n_in == 0 || n_out == 0;
        return *fits && n_open > 0 && n_open < n ? set_open(x, element, n_in > 0) : HA_OK;
    }
    if (type->rule == BG__RULE_COUNT) {
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

/* --- stages 1 and 2 ------------------------------------------------------------------------- */

/* Orders elements by stage, priority, name. */
typedef struct {
    int stage, priority, element;
    const char *name;
} key;

static int compare_keys(const void *a, const void *b)
{
    const key *x = a, *y = b;

    if (x->stage != y->stage) {
        return x->stage - y->stage;
    }
    if (x->priority != y->priority) {
        return x->priority > y->priority ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

static ha_status sorted_keys(search *x, key **out)
{
    size_t n = x->system->graph->elements.count;
    key *keys = ha__alloc(x->system->ctx, n, sizeof *keys);

    if (keys == NULL) {
        return HA_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        const bg__element *e = element_at(x, (int) i);
        keys[i] = (key){ (int) e->type->stage, e->priority, (int) i, e->name };
    }
    qsort(keys, n, sizeof *keys, compare_keys);
    *out = keys;
    return HA_OK;
}

static ha_status serve_fixed(search *x, const key *keys, size_t n)
{
    for (size_t i = 0; i < n && keys[i].stage == BG__STAGE_FIXED; i++) {
        bool fits = true;
        int element = keys[i].element;
        int bond = bg__port_bond(x->system, element, 0);
        int wanted = element_at(x, element)->type->base;
        if (x->system->heads[bond] < 0) {
            HA_TRY(set(x, element, bond, wanted, element, true));
        } else {
            HA_TRY_PUSH(x->system->ctx, &x->queue, element);
        }
        HA_TRY(propagate(x, &fits));
        if (!fits) {
            x->out->outcome = BG_CONFLICT;
            x->out->culprit = element;
            return HA_OK;
        }
    }
    return HA_OK;
}

static ha_status pinned_ein(search *x, int element, int *ein)
{
    const bg__element *e = element_at(x, element);
    ha_dag *dag = x->system->graph->dag;
    ha_expr value = HA_EXPR_NONE;

    *ein = -1;
    if (e->type->pin != NULL) {
        HA_TRY(ha_resolve(dag, bg__component_value(x->system->graph, e, 0), &value));
        *ein = e->type->pin(dag, value, e->position == NULL ? HA_EXPR_NONE : e->position[0]);
    }
    return HA_OK;
}

static ha_status serve_pinned(search *x, const key *keys, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool fits = true;
        int ein = -1, element = keys[i].element;
        int bond = bg__n_ports(x->system, element) > 0 ? bg__port_bond(x->system, element, 0) : -1;
        HA_TRY(pinned_ein(x, element, &ein));
        if (ein < 0 || bond < 0) {
            continue;
        }
        if (x->system->heads[bond] < 0) {
            HA_TRY(set(x, element, bond, ein, element, true));
            HA_TRY(propagate(x, &fits));
        } else if (bg__ein(x->system, element, bond) != ein) {
            x->out->conflict = element;
            fits = false;
        }
        if (!fits) {
            x->out->outcome = BG_NON_INVERTIBLE;
            x->out->culprit = element;
            return HA_OK;
        }
    }
    return HA_OK;
}

/* --- stages 3 to 5 -------------------------------------------------------------------------- */

static ha_status list_candidates(search *x, const key *keys, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (keys[i].stage != BG__STAGE_FIXED && keys[i].stage != BG__STAGE_STRUCTURE) {
            HA_TRY_PUSH(x->system->ctx, &x->candidates, keys[i].element);
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (int p = 0; p < bg__n_ports(x->system, keys[i].element); p++) {
            HA_TRY_PUSH(x->system->ctx, &x->candidates,
                        -1 - bg__port_bond(x->system, keys[i].element, p));
        }
    }
    return HA_OK;
}

/* Makes a choice: the preferred way, or the other. */
static ha_status choose(search *x, int candidate, bool is_reversed, bool *fits)
{
    int c = x->candidates.items[candidate];
    int bond = c < 0 ? -1 - c : bg__port_bond(x->system, c, 0);
    int element = c < 0 ? x->system->graph->bonds.items[bond].head : c;
    int preferred = c < 0 ? 1 : element_at(x, c)->type->preferred;

    HA_TRY(set(x, element, bond, is_reversed ? 1 - preferred : preferred, element, true));
    return propagate(x, fits);
}

/* Reverses the latest choice that still can be; `*found` is false when there is none. */
static ha_status backtrack(search *x, int *next, bool *found)
{
    bool fits = false;

    while (x->choices.count > 0 && !fits && x->undone < MAX_UNDONE) {
        choice *latest = &x->choices.items[x->choices.count - 1];
        undo_to(x, latest->trail_count);
        if (latest->is_reversed) {
            x->choices.count--;
            continue;
        }
        latest->is_reversed = true;
        *next = latest->candidate + 1;
        HA_TRY(choose(x, latest->candidate, true, &fits));
    }
    *found = fits;
    return HA_OK;
}

static ha_status search_all(search *x)
{
    int next = 0;

    while (next < (int) x->candidates.count) {
        int c = x->candidates.items[next];
        int bond = c < 0 ? -1 - c : bg__port_bond(x->system, c, 0);
        bool fits = true;
        if (x->system->heads[bond] >= 0) {
            next++;
            continue;
        }
        HA_TRY_PUSH(x->system->ctx, &x->choices, (choice){ next, x->out->trail.count, false });
        HA_TRY(choose(x, next, false, &fits));
        next++;
        if (!fits) {
            HA_TRY(backtrack(x, &next, &fits));
        }
        if (!fits) {
            x->out->outcome = x->undone >= MAX_UNDONE ? BG_UNDECIDED : BG_CONFLICT;
            return HA_OK;
        }
    }
    x->out->conflict = -1;
    return HA_OK;
}

/* --- the whole ------------------------------------------------------------------------------ */

static ha_status run(search *x, const key *keys)
{
    size_t n = x->system->graph->elements.count;
    bool fits = true;

    for (size_t i = 0; i < n; i++) {
        x->n_open[i] = bg__n_ports(x->system, (int) i);
    }
    HA_TRY(serve_fixed(x, keys, n));
    if (x->out->outcome == BG_CLASS_COUNT) {
        HA_TRY(serve_pinned(x, keys, n));
    }
    if (x->out->outcome != BG_CLASS_COUNT) {
        return HA_OK;
    }
    /* junctions with a single bond have one sense that nothing else may have woken */
    for (size_t i = 0; i < n; i++) {
        HA_TRY_PUSH(x->system->ctx, &x->queue, keys[i].element);
    }
    HA_TRY(propagate(x, &fits));
    if (!fits) {
        x->out->outcome = BG_CONFLICT;
        return HA_OK;
    }
    HA_TRY(list_candidates(x, keys, n));
    return search_all(x);
}

ha_status bg__strokes_assign(bg__system *system, bg__strokes *out)
{
    size_t n = system->graph->elements.count;
    search x = { .system = system, .out = out };
    key *keys = NULL;
    ha_status status = sorted_keys(&x, &keys);

    *out = (bg__strokes){ .outcome = BG_CLASS_COUNT, .conflict = -1, .culprit = -1 };
    x.n_open = ha__alloc(system->ctx, n, sizeof *x.n_open);
    x.n_in = ha__alloc(system->ctx, n, sizeof *x.n_in);
    if (status == HA_OK && (x.n_open == NULL || x.n_in == NULL)) {
        status = HA_ERR_MEMORY;
    }
    if (status == HA_OK) {
        status = run(&x, keys);
    }
    ha__free(keys);
    ha__free(x.n_open);
    ha__free(x.n_in);
    HA_ARRAY_CLEAR(&x.queue);
    HA_ARRAY_CLEAR(&x.candidates);
    HA_ARRAY_CLEAR(&x.choices);
    return status;
}

void bg__strokes_clear(bg__strokes *strokes)
{
    HA_ARRAY_CLEAR(&strokes->trail);
}
