/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the causality says in words: loops, causal paths, and the trace of the steps. */
#include <config.h>

#include "bondgraph/causality/causality_priv.h"
#include "bondgraph/elements/elem_law.h"
#include "lib/core/need.h"
#include "lib/core/strbuf.h"

#include <stdlib.h>
#include <string.h>

static const bg__element *element_at(const bg_causality *c, int element)
{
    return &c->system->graph->elements.items[element];
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

    HA_TRY_ALLOC(c->ctx, out->start, n + 1, out->names, s->definitions.count);
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
    HA_TRY_MEMORY(kept);
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
    HA_FREE(all.start, all.names);
    HA_TRY(status);
    for (size_t i = 0; i < s->unknowns.count; i++) {
        if (s->unknowns.items[i].loop >= 0) {
            HA_TRY_PUSH(c->ctx, &c->tears, s->unknowns.items[i].name);
        }
    }
    return HA_OK;
}

ha_status bg__mark_loops(const bg_causality *c, int *loop_of)
{
    const bg__system *s = c->system;
    int n_symbols = ha_dag_size(s->graph->dag), *loops = NULL;

    if (s->n_loops == 0) {
        return HA_OK;
    }
    HA_TRY_ALLOC(c->ctx, loops, n_symbols);
    for (size_t i = 0; i < s->definitions.count; i++) {
        if (s->definitions.items[i].symbol < n_symbols) {
            loops[s->definitions.items[i].symbol] = s->loop_of[i] + 1;
        }
    }
    for (size_t i = 0; i < s->graph->bonds.count; i++) {
        loop_of[i] = loops[s->e[i]] > 0 ? loops[s->e[i]] : loops[s->f[i]];
    }
    ha__free(loops);
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

/* The definitions of a storage, and of what arrives at it: its content may be solved for, which no
   definition shows. */
static void list_starts(path_search *x, int element)
{
    const bg__system *s = x->c->system;
    int bond = bg__port_bond(s, element, 0);

    if (s->definitions.count == 0) { /* of an unsound graph there are none */
        return;
    }
    ha_expr arrives = bg__ein(s, element, bond) == 1 ? s->e[bond] : s->f[bond];
    int arriving = -1;

    for (size_t i = 0; i < s->definitions.count; i++) {
        bool is_start = s->definitions.items[i].element == element;
        x->parent[i] = is_start ? -1 : -2;
        if (is_start) {
            x->queue[x->n++] = (int) i;
        } else if (s->definitions.items[i].symbol == arrives) {
            arriving = (int) i;
        }
    }
    if (arriving >= 0 && x->n > 0) {
        x->parent[arriving] = x->queue[0];
        x->queue[x->n++] = arriving;
    }
}

/* The nearest origin, -1 when there is none. */
static int find_origin(path_search *x, int element)
{
    const bg__system *s = x->c->system;

    list_starts(x, element);
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
    HA_NEED_OF(c, out != NULL);
    size_t n = c->system->definitions.count;
    path_search x = { c, NULL, NULL, 0 };
    ha__strbuf text = HA_STRBUF(c->ctx);
    ha_status status = HA_ERR_MEMORY;

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
        status = HA_OK;
    }
    HA_FREE(x.parent, x.queue);
    return ha__strbuf_finish(&text, status, out);
}

/* --- trace ---------------------------------------------------------------------------------- */

/* Why the element of a step has one sense only. */
static const char *pin_reason(const bg_causality *c, const bg__step *step)
{
    const char *reason = "";

    for (int port = 0; port < bg__n_ports(c->system, step->reason); port++) {
        int ein = -1;
        if (bg__port_bond(c->system, step->reason, port) == step->bond &&
            bg__pin(c->system->graph, element_at(c, step->reason), port, &ein, &reason) != HA_OK) {
            return "";
        }
    }
    return reason;
}

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
        ha__strbuf_addf(buffer, "has one sense only: %s", pin_reason(c, step));
        return ha__strbuf_text(buffer);
    }
    if (type->stage == BG__STAGE_STORAGE) {
        text = is_preferred ? "integral causality preferred"
                            : "integral causality impossible: derivative";
    } else if (type->stage == BG__STAGE_SINK) {
        text =
            is_preferred ? "explicit: it can impose its zero" : "implicit: it imposes a multiplier";
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
    HA_NEED_ELSE(c != NULL, 0);
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
    HA_NEED_OF(c, HA_IS_INDEX(i, bg_causality_n_steps(c)) && out != NULL);
    const bg__step *step = &c->strokes.trail.items[i];
    const bg__bond *bond = &c->system->graph->bonds.items[step->bond];
    bg_bond owner = owner_of(c, step->bond);
    bg_step found = { .bond = owner,
                      .component = owner < 0 ? 0 : step->bond - c->first_scalar[owner],
                      .stroke = c->system->heads[step->bond] == 1 ? BG_STROKE_HEAD : BG_STROKE_TAIL,
                      .tail = element_at(c, bond->tail)->name,
                      .head = element_at(c, bond->head)->name,
                      .decided = element_at(c, step->reason)->name,
                      .follows = step->why == BG__WHY_FOLLOWS };
    ha__strbuf buffer = HA_STRBUF(c->ctx);

    HA_TRY(bg_graph_bond_number(c->system->graph, step->bond, &found.number));
    const char *text = reason_text(c, step, &buffer);
    char *taken = buffer.status == HA_OK ? ha__copy_text(c->ctx, text, strlen(text)) : NULL;
    ha__strbuf_clear(&buffer);
    HA_TRY_MEMORY(taken);
    *out = found;
    *reason = taken;
    return HA_OK;
}

ha_status bg_causality_trace(const bg_causality *c, char **out)
{
    HA_NEED_OF(c, out != NULL);
    ha__strbuf text = HA_STRBUF(c->ctx);
    bg_graph *graph = c->system->graph;
    ha_status status = HA_OK;

    for (size_t i = 0; i < c->strokes.trail.count && status == HA_OK; i++) {
        const bg__step *step = &c->strokes.trail.items[i];
        const bg__bond *bond = &graph->bonds.items[step->bond];
        ha__strbuf reason = HA_STRBUF(c->ctx);
        int number = 0;
        status = bg_graph_bond_number(graph, step->bond, &number);
        ha__strbuf_addf(
            &text, "%zu  bond %d, %s > %s: stroke at %s; %s: %s\n", i + 1, number,
            element_at(c, bond->tail)->name, element_at(c, bond->head)->name,
            element_at(c, c->system->heads[step->bond] == 1 ? bond->head : bond->tail)->name,
            element_at(c, step->reason)->name, reason_text(c, step, &reason));
        HA_THEN(status, reason.status);
        ha__strbuf_clear(&reason);
    }
    return ha__strbuf_finish(&text, status, out);
}
