/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the causality says in words: conflicts, loops, causal paths, and the trace of the steps. */
#include <config.h>

#include "bondgraph/causality_priv.h"
#include "bondgraph/elem_law.h"
#include "lib/strbuf.h"

#include <stdlib.h>
#include <string.h>

static const bg__element *element_at(const bg_causality *c, int element)
{
    return &c->system->graph->elements.items[element];
}

/* --- conflicts ------------------------------------------------------------------------------ */

/* The step that set each bond, -1: none. To be freed. */
static ha_status steps_of_bonds(const bg_causality *c, int **out)
{
    size_t n = c->system->graph->bonds.count;
    int *step = ha__alloc(c->ctx, n, sizeof *step);

    if (step == NULL) {
        return HA_ERR_MEMORY;
    }
    memset(step, -1, n * sizeof *step);
    for (size_t i = 0; i < c->strokes.trail.count; i++) {
        step[c->strokes.trail.items[i].bond] = (int) i;
    }
    *out = step;
    return HA_OK;
}

/* The ein that a junction allows once; of other elements 1. */
static int rare_ein(const bg_causality *c, int element)
{
    return element_at(c, element)->type->slope > 0 ? 0 : 1;
}

/* The bond whose stroke made `element` set another one at step `before`: the one of the kind that it
   allows once, else the last; -1: none. */
static int cause_at(const bg_causality *c, const int *step, int element, int before)
{
    int cause = -1;

    for (int port = 0; port < bg__n_ports(c->system, element); port++) {
        int bond = bg__port_bond(c->system, element, port);
        if (step[bond] < 0 || step[bond] >= before) {
            continue;
        }
        if (bg__ein(c->system, element, bond) == rare_ein(c, element)) {
            return bond;
        }
        cause = cause < 0 || step[bond] > step[cause] ? bond : cause;
    }
    return cause;
}

/* Follows the reasons of a stroke back to the element that wanted it, which is returned; the
   elements on the way are added to `path`, nearest first, it as the last. */
static int trace_back(const bg_causality *c, const int *step, int bond, ha__strbuf *path)
{
    for (;;) {
        const bg__step *s = &c->strokes.trail.items[step[bond]];
        int next = s->why != BG__WHY_FOLLOWS ? -1 : cause_at(c, step, s->reason, step[bond]);
        ha__strbuf_addf(path, " - %s", element_at(c, s->reason)->name);
        if (next < 0) {
            return s->reason;
        }
        bond = next;
    }
}

/* Up to two bonds at an element that contradict each other: of the kind that it allows once. */
static int witnesses(const bg_causality *c, int element, int found[2])
{
    int n = 0;

    for (int pass = 0; pass < 2 && n < 2; pass++) {
        for (int port = 0; port < bg__n_ports(c->system, element) && n < 2; port++) {
            int bond = bg__port_bond(c->system, element, port);
            int ein = bg__ein(c->system, element, bond);
            if (ein >= 0 && (pass == 1 || ein == rare_ein(c, element)) &&
                (n == 0 || bond != found[0])) {
                found[n++] = bond;
            }
        }
    }
    return n;
}

/* Two elements that decide the same thing, with the ways they do it. */
static ha_status report_pair(const bg_causality *c, const int *step)
{
    int pair[2], n = witnesses(c, c->strokes.conflict, pair);
    const bg__element *at = element_at(c, c->strokes.conflict);
    ha__strbuf paths[2] = { HA_STRBUF(c->ctx), HA_STRBUF(c->ctx) };
    int ends[2] = { c->strokes.conflict, c->strokes.conflict };
    bool meets_at_end = n == 1; /* a source found its only bond decided */

    for (int i = 0; i < n; i++) {
        ends[i] = trace_back(c, step, pair[i], &paths[i]);
    }
    if (meets_at_end) {
        at = element_at(c, c->strokes.trail.items[step[pair[0]]].reason);
    }

    const bg__element *a = element_at(c, ends[0]), *b = element_at(c, ends[1]);
    /* what arrives there on the contested bond */
    bool is_effort = n > 0 && bg__ein(c->system, c->strokes.conflict, pair[0]) == 1;
    const char *quantity = is_effort ? "effort" : "flow";
    ha_status status = paths[0].status != HA_OK ? paths[0].status : paths[1].status;
    if (status == HA_OK) {
        status = ha_fail(c->ctx, HA_ERR_CAUSALITY, b->where,
                         "the %s `%s` and the %s `%s` both decide the %s of `%s` (path %s%s%s%s%s); "
                         "remove one of them, or put a resistor or a storage between them",
                         a->type->title, a->name, b->type->title, b->name, quantity, at->name,
                         element_at(c, c->strokes.conflict)->name, ha__strbuf_text(&paths[0]),
                         meets_at_end ? "" : ", and ",
                         meets_at_end ? "" : element_at(c, c->strokes.conflict)->name,
                         ha__strbuf_text(&paths[1]));
    }
    ha__strbuf_clear(&paths[0]);
    ha__strbuf_clear(&paths[1]);
    return status;
}

static ha_status report_non_invertible(const bg_causality *c)
{
    const bg__element *e = element_at(c, c->strokes.culprit);
    const char *reason = "";
    int ein = -1;

    HA_TRY(bg__pin(c->system->graph, e, &ein, &reason));
    if (c->strokes.conflict == c->strokes.culprit) {
        return ha_fail(c->ctx, HA_ERR_CAUSALITY, e->where,
                       "the %s `%s` has one sense only (%s), and the rest of the graph needs the "
                       "other; give it a resistor or a storage to work on",
                       e->type->title, e->name, reason);
    }
    return ha_fail(c->ctx, HA_ERR_CAUSALITY, e->where,
                   "the %s `%s` has one sense only (%s), and the sources around `%s` ask for the "
                   "other; give them a resistor or a storage to work on",
                   e->type->title, e->name, reason,
                   element_at(c, c->strokes.conflict)->name);
}

/* The junctions that contradict each other, converters where there is none: "`a`, `b` and `c`". */
static void name_contest(const bg_causality *c, ha__strbuf *text)
{
    enum { MOST_NAMES = 8 };
    int n[2] = { 0, 0 }; /* others, junctions */

    for (size_t i = 0; i < c->strokes.contest.count; i++) {
        n[bg__is_junction(element_at(c, c->strokes.contest.items[i]))]++;
    }
    bool wants_junctions = n[1] > 0;
    int n_all = n[wants_junctions], n_named = n_all <= MOST_NAMES ? n_all : MOST_NAMES - 1, k = 0;
    for (size_t i = 0; i < c->strokes.contest.count && k < n_named; i++) {
        const bg__element *e = element_at(c, c->strokes.contest.items[i]);
        if (bg__is_junction(e) == wants_junctions) {
            ha__strbuf_addf(text, "%s`%s`", k == 0 ? "" : k == n_all - 1 ? " and " : ", ", e->name);
            k++;
        }
    }
    if (n_named < n_all) {
        ha__strbuf_addf(text, " and %d others", n_all - n_named);
    }
}

static ha_status report_contest(const bg_causality *c)
{
    ha__strbuf names = HA_STRBUF(c->ctx);

    name_contest(c, &names);
    ha_status status = names.status;
    if (status == HA_OK) {
        status = ha_fail(c->ctx, HA_ERR_CAUSALITY, HA_NOWHERE,
                         "no causality exists for the graph: whatever is chosen, the strokes around "
                         "%s contradict each other; add a resistor or a storage to one of them",
                         ha__strbuf_text(&names));
    }
    ha__strbuf_clear(&names);
    return status;
}

ha_status bg__report_conflict(const bg_causality *c)
{
    ha_status status = HA_OK;

    if (c->kind == BG_NON_INVERTIBLE) {
        status = report_non_invertible(c);
    } else if (c->strokes.contest.count > 0) {
        status = report_contest(c);
    } else if (c->strokes.conflict < 0 || c->strokes.culprit < 0) {
        status = ha_fail(c->ctx, HA_ERR_CAUSALITY, HA_NOWHERE,
                         "no causality exists for the graph: every choice around `%s` ends in a "
                         "contradiction; add a resistor or a storage there",
                         c->strokes.conflict < 0 ? "its junctions"
                                                 : element_at(c, c->strokes.conflict)->name);
    } else {
        int *step = NULL;
        HA_TRY(steps_of_bonds(c, &step));
        status = report_pair(c, step);
        ha__free(step);
    }
    return status == HA_ERR_CAUSALITY ? HA_OK : status;
}

/* --- loops ---------------------------------------------------------------------------------- */

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *) a, *(const char *const *) b);
}

/* The elements of all loops, junctions left out: of loop k from start[k] to start[k + 1]. */
typedef struct {
    int *start;         /* (loops + 1) */
    const char **names; /* sorted in each loop, one may be there more than once */
} loop_names;

/* True when a definition belongs to a loop by the name of its element. */
static bool is_named(const bg_causality *c, size_t definition)
{
    int element = c->system->definitions.items[definition].element;

    return c->system->loop_of[definition] >= 0 && element >= 0 &&
           !bg__is_junction(element_at(c, element));
}

static ha_status list_names(const bg_causality *c, loop_names *out)
{
    const bg__system *s = c->system;
    int n = s->n_loops;

    HA_TRY_ALLOC(c->ctx, out->start, n + 1);
    HA_TRY_ALLOC(c->ctx, out->names, s->definitions.count);
    for (size_t i = 0; i < s->definitions.count; i++) {
        if (is_named(c, i)) {
            out->start[s->loop_of[i]]++;
        }
    }
    for (int k = 0, sum = 0; k <= n; k++) {
        sum += out->start[k];
        out->start[k] = sum; /* the end, from which it is filled */
    }
    for (size_t i = 0; i < s->definitions.count; i++) {
        if (is_named(c, i)) {
            out->names[--out->start[s->loop_of[i]]] =
                element_at(c, s->definitions.items[i].element)->name;
        }
    }
    for (int k = 0; k < n; k++) {
        int count = out->start[k + 1] - out->start[k];
        if (count > 1) {
            qsort(out->names + out->start[k], (size_t) count, sizeof *out->names, compare_texts);
        }
    }
    return HA_OK;
}

/* The names of the elements of a loop, each once. */
static ha_status add_loop(bg_causality *c, const loop_names *all, int loop)
{
    ha__strbuf text = HA_STRBUF(c->ctx);

    for (int i = all->start[loop]; i < all->start[loop + 1]; i++) {
        if (i == all->start[loop] || strcmp(all->names[i], all->names[i - 1]) != 0) {
            ha__strbuf_add(&text, i == all->start[loop] ? "" : ", ");
            ha__strbuf_add(&text, all->names[i]);
        }
    }
    if (all->start[loop] == all->start[loop + 1]) {
        ha__strbuf_add(&text, "junctions only");
    }
    const char *kept = text.status != HA_OK
                           ? NULL
                           : ha__arena_text(c->ctx, &c->arena, ha__strbuf_text(&text), text.length);
    ha__strbuf_clear(&text);
    HA_TRY(kept == NULL ? HA_ERR_MEMORY : HA_OK);
    HA_TRY_PUSH(c->ctx, &c->loops, kept);
    return HA_OK;
}

ha_status bg__report_loops(bg_causality *c)
{
    const bg__system *s = c->system;
    loop_names all = { 0 };
    ha_status status = s->n_loops > 0 ? list_names(c, &all) : HA_OK;

    for (int loop = 0; loop < s->n_loops && status == HA_OK; loop++) {
        status = add_loop(c, &all, loop);
    }
    ha__free(all.start);
    ha__free(all.names);
    HA_TRY(status);
    for (size_t i = 0; i < s->unknowns.count; i++) {
        if (s->unknowns.items[i].loop >= 0) {
            HA_TRY_PUSH(c->ctx, &c->tears, s->unknowns.items[i].name);
        }
    }
    return HA_OK;
}

/* --- causal paths --------------------------------------------------------------------------- */

/* A breadth-first search from a dependent storage to what it depends on. */
typedef struct {
    const bg_causality *c;
    int *parent; /* by definition: the one that reads it; -1: start, -2: not met */
    int *queue;
    size_t n;
} path_search;

/* True when a definition ends a causal path: the output of a source or an integrated storage. */
static bool is_origin(const bg_causality *c, int definition)
{
    int element = c->system->definitions.items[definition].element;

    if (element < 0) {
        return false;
    }
    bg__stage stage = element_at(c, element)->type->stage;
    return stage == BG__STAGE_FIXED || stage == BG__STAGE_STORAGE;
}

/* The nearest origin, -1 when there is none. */
static int find_origin(path_search *x, int element)
{
    const bg__system *s = x->c->system;

    for (size_t i = 0; i < s->definitions.count; i++) {
        bool is_start = s->definitions.items[i].element == element;
        x->parent[i] = is_start ? -1 : -2;
        if (is_start) {
            x->queue[x->n++] = (int) i;
        }
    }
    for (size_t k = 0; k < x->n; k++) {
        int at = x->queue[k];
        if (x->parent[at] >= 0 && is_origin(x->c, at)) {
            return at;
        }
        for (int i = s->need_start[at]; i < s->need_start[at + 1]; i++) {
            int need = s->needs.items[i];
            if (x->parent[need] == -2) {
                x->parent[need] = at;
                x->queue[x->n++] = need;
            }
        }
    }
    return -1;
}

/* The elements from the origin up the parents; written from the dependent storage's end. */
static void write_path(const path_search *x, int origin, ha__strbuf *text)
{
    const bg__system *s = x->c->system;
    size_t n = 0;
    int last = -1;

    for (int at = origin; at >= 0; at = x->parent[at]) {
        x->queue[n++] = s->definitions.items[at].element;
    }
    while (n-- > 0) {
        int element = x->queue[n];
        if (element >= 0 && element != last) {
            ha__strbuf_add(text, last < 0 ? "" : " - ");
            ha__strbuf_add(text, element_at(x->c, element)->name);
            last = element;
        }
    }
}

ha_status bg_causality_path(const bg_causality *c, int i, char **out)
{
    size_t n = c->system->definitions.count;
    path_search x = { c, NULL, NULL, 0 };
    ha__strbuf text = HA_STRBUF(c->ctx);
    char *taken = NULL;

    x.parent = ha__alloc(c->ctx, n, sizeof *x.parent);
    x.queue = ha__alloc(c->ctx, n, sizeof *x.queue);
    if (x.parent != NULL && x.queue != NULL) {
        int element = c->roles[BG_DERIVATIVE].items[i];
        int origin = find_origin(&x, element);
        if (origin >= 0) {
            write_path(&x, origin, &text);
        } else {
            ha__strbuf_add(&text, element_at(c, element)->name);
        }
        taken = ha__strbuf_take(&text);
    }
    ha__free(x.parent);
    ha__free(x.queue);
    ha__strbuf_clear(&text);
    if (taken == NULL) {
        return HA_ERR_MEMORY;
    }
    *out = taken;
    return HA_OK;
}

/* --- trace ---------------------------------------------------------------------------------- */

/* The reason of a step, in words; in `buffer` where it is put together. */
static const char *reason_text(const bg_causality *c, const bg__step *step, ha__strbuf *buffer)
{
    const bg__type *type = element_at(c, step->reason)->type;
    bool is_preferred = step->why == BG__WHY_CHOSEN;
    const char *text = "chosen";

    if (step->why == BG__WHY_FOLLOWS) {
        return "follows from its other bonds";
    }
    if (step->why == BG__WHY_FIXED) {
        return "has one sense only";
    }
    if (step->why == BG__WHY_PINNED) {
        ha__strbuf_addf(buffer, "has one sense only: %s", type->pin_reason);
        return ha__strbuf_text(buffer);
    }
    if (type->stage == BG__STAGE_STORAGE) {
        text = is_preferred ? "integral causality preferred"
                            : "integral causality impossible: derivative";
    } else if (type->stage == BG__STAGE_SINK) {
        text = is_preferred ? "explicit: it can impose its zero"
                            : "implicit: it imposes a multiplier";
    }
    if (is_preferred) {
        return text;
    }
    ha__strbuf_addf(buffer, "%s, because the other way %s", text,
                    step->why == BG__WHY_REFUSED ? "contradicts the strokes so far"
                                                 : "leaves bonds that cannot be completed");
    return ha__strbuf_text(buffer);
}

int bg_causality_n_steps(const bg_causality *c)
{
    return (int) c->strokes.trail.count;
}

/* The bond that a scalar bond is a component of, -1 for those inside of elements: first_scalar
   ascends. */
static bg_bond owner_of(const bg_causality *c, bg_bond scalar)
{
    int low = 0, high = c->n_bonds;

    if (scalar >= c->n_user_bonds) {
        return -1;
    }
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (c->first_scalar[middle] <= scalar) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

ha_status bg_causality_step(const bg_causality *c, int i, bg_step *out, char **reason)
{
    const bg__step *step = &c->strokes.trail.items[i];
    const bg__bond *bond = &c->system->graph->bonds.items[step->bond];
    bg_bond owner = owner_of(c, step->bond);
    bg_step found = { .bond = owner,
                      .component = owner < 0 ? 0 : step->bond - c->first_scalar[owner],
                      .stroke = c->system->heads[step->bond] == 1 ? BG_STROKE_HEAD
                                                                  : BG_STROKE_TAIL,
                      .tail = element_at(c, bond->tail)->name,
                      .head = element_at(c, bond->head)->name,
                      .decided = element_at(c, step->reason)->name };
    ha__strbuf buffer = HA_STRBUF(c->ctx);

    HA_TRY(bg_graph_bond_number(c->system->graph, step->bond, &found.number));
    const char *text = reason_text(c, step, &buffer);
    char *taken =
        buffer.status == HA_OK ? ha__copy_text(c->ctx, text, strlen(text)) : NULL;
    ha__strbuf_clear(&buffer);
    if (taken == NULL) {
        return HA_ERR_MEMORY;
    }
    *out = found;
    *reason = taken;
    return HA_OK;
}

ha_status bg_causality_trace(const bg_causality *c, char **out)
{
    ha__strbuf text = HA_STRBUF(c->ctx);
    bg_graph *graph = c->system->graph;
    ha_status status = HA_OK;

    for (size_t i = 0; i < c->strokes.trail.count && status == HA_OK; i++) {
        const bg__step *step = &c->strokes.trail.items[i];
        const bg__bond *bond = &graph->bonds.items[step->bond];
        ha__strbuf reason = HA_STRBUF(c->ctx);
        int number = 0;
        status = bg_graph_bond_number(graph, step->bond, &number);
        ha__strbuf_addf(&text, "%zu  bond %d, %s > %s: stroke at %s; %s: %s\n", i + 1, number,
                        element_at(c, bond->tail)->name, element_at(c, bond->head)->name,
                        element_at(c, c->system->heads[step->bond] == 1 ? bond->head : bond->tail)
                            ->name,
                        element_at(c, step->reason)->name, reason_text(c, step, &reason));
        status = status == HA_OK ? reason.status : status;
        ha__strbuf_clear(&reason);
    }
    char *taken = status == HA_OK ? ha__strbuf_take(&text) : NULL;
    ha__strbuf_clear(&text);
    if (taken == NULL) {
        return status == HA_OK ? HA_ERR_MEMORY : status;
    }
    *out = taken;
    return HA_OK;
}
