/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which elements contradict each other where there is no causality: in words, and for pictures. */
#include <config.h>

#include "bondgraph/causality/causality_priv.h"
#include "bondgraph/elements/elem_law.h"
#include "lib/core/strbuf.h"

#include <string.h>

static const bg__element *element_at(const bg_causality *c, int element)
{
    return &c->system->graph->elements.items[element];
}

/* The step that set each bond, -1: none. To be freed. */
static ha_status steps_of_bonds(const bg_causality *c, int **out)
{
    size_t n = c->system->graph->bonds.count;
    int *step = ha__alloc(c->ctx, n, sizeof *step);

    HA_TRY_MEMORY(step);
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

/* The bond whose stroke made `element` set another one at step `before`: the one of the kind that
   it allows once, else the last; -1: none. */
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
   elements on the way are added to `path`, nearest first, it as the last, and the bonds are marked
   (NULL: neither). */
static int trace_back(const bg_causality *c, const int *step, int bond, ha__strbuf *path,
                      bool *is_marked)
{
    for (;;) {
        const bg__step *s = &c->strokes.trail.items[step[bond]];
        int next = s->why != BG__WHY_FOLLOWS ? -1 : cause_at(c, step, s->reason, step[bond]);
        if (is_marked != NULL) {
            is_marked[bond] = true;
        }
        if (path != NULL) {
            ha__strbuf_addf(path, " - %s", element_at(c, s->reason)->name);
        }
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
        ends[i] = trace_back(c, step, pair[i], &paths[i], NULL);
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
        status =
            ha_fail(c->ctx, HA_ERR_CAUSALITY, b->where,
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

/* Why an element has one sense only at the port where the strokes want the other. */
static ha_status find_reason(const bg_causality *c, int element, const char **reason)
{
    int n = bg__n_ports(c->system, element);
    bool is_found = false;

    for (int port = 0; port < n && !is_found; port++) {
        int ein = -1, bond = bg__port_bond(c->system, element, port);
        HA_TRY(bg__pin(c->system->graph, element_at(c, element), port, &ein, reason));
        is_found = ein >= 0 && bg__ein(c->system, element, bond) != ein;
    }
    return HA_OK;
}

static ha_status report_non_invertible(const bg_causality *c)
{
    const bg__element *e = element_at(c, c->strokes.culprit);
    const char *reason = "";

    HA_TRY(find_reason(c, c->strokes.culprit, &reason));
    if (c->strokes.conflict == c->strokes.culprit) {
        return ha_fail(c->ctx, HA_ERR_CAUSALITY, e->where,
                       "the %s `%s` has one sense only (%s), and the rest of the graph needs the "
                       "other; give it a resistor or a storage to work on",
                       e->type->title, e->name, reason);
    }
    return ha_fail(c->ctx, HA_ERR_CAUSALITY, e->where,
                   "the %s `%s` has one sense only (%s), and the sources around `%s` ask for the "
                   "other; give them a resistor or a storage to work on",
                   e->type->title, e->name, reason, element_at(c, c->strokes.conflict)->name);
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
    return HA_FAIL_WITH(names, c->ctx, HA_ERR_CAUSALITY, HA_NOWHERE,
                        "no causality exists for the graph: whatever is chosen, the strokes around "
                        "%s contradict each other; add a resistor or a storage to one of them",
                        ha__strbuf_text(&names));
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

/* --- for pictures --------------------------------------------------------------------------- */

/* Marks the bonds of an element; -1: none. */
static void mark_bonds_of(const bg_causality *c, int element, bool *is_marked)
{
    for (int port = 0; element >= 0 && port < bg__n_ports(c->system, element); port++) {
        is_marked[bg__port_bond(c->system, element, port)] = true;
    }
}

/* Marks the bonds between elements that contradict each other. */
static ha_status mark_contest(const bg_causality *c, bool *is_marked)
{
    const bg_graph *g = c->system->graph;
    bool *is_in = ha__alloc(c->ctx, g->elements.count, sizeof *is_in);

    HA_TRY_MEMORY(is_in);
    for (size_t i = 0; i < c->strokes.contest.count; i++) {
        is_in[c->strokes.contest.items[i]] = true;
    }
    for (size_t i = 0; i < g->bonds.count; i++) {
        is_marked[i] = is_in[g->bonds.items[i].tail] && is_in[g->bonds.items[i].head];
    }
    ha__free(is_in);
    return HA_OK;
}

ha_status bg__mark_conflict(const bg_causality *c, bool *is_marked)
{
    int pair[2], n = 0, *step = NULL;

    if (c->kind != BG_CONFLICT && c->kind != BG_NON_INVERTIBLE) {
        return HA_OK;
    }
    if (c->kind == BG_CONFLICT && c->strokes.contest.count > 0) {
        return mark_contest(c, is_marked);
    }
    if (c->kind == BG_NON_INVERTIBLE || c->strokes.conflict < 0 || c->strokes.culprit < 0) {
        mark_bonds_of(c, c->strokes.conflict, is_marked);
        mark_bonds_of(c, c->strokes.culprit, is_marked);
        return HA_OK;
    }
    HA_TRY(steps_of_bonds(c, &step));
    n = witnesses(c, c->strokes.conflict, pair);
    for (int i = 0; i < n; i++) {
        trace_back(c, step, pair[i], NULL, is_marked);
    }
    ha__free(step);
    return HA_OK;
}
