/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is wrong with a singular system, in words: the vectors that the pencil takes to zero say
 * which efforts and flows nothing determines (from the right) and which laws then say the same
 * (from the left). Elements are named in order of their names, whatever the order of the graph.
 */
#include <config.h>

#include "bondgraph/causality/solvable.h"

#include "lib/core/number.h"
#include "lib/core/strbuf.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_NAMED = 8 };

/* What a dependence touches. */
typedef struct {
    const bg_causality *c;
    bg_class kind; /* in which way the system is singular */
    const bg_graph *graph;
    const bg__pencil *pencil;
    const bg__dependence *dependence;
    bool *is_open;          /* (elements) at a bond, or of an unknown, that is not determined */
    bool *is_bound;         /* (elements) whose law says what others say */
    int n_efforts, n_flows; /* that are not determined */
    int n_open;             /* elements that are */
    bool only_sinks;        /* the laws are all constraints or pass on */
    int n_sinks;            /* constraints among the laws */
} finding;

static const bg__element *element_at(const finding *x, int element)
{
    return &x->graph->elements.items[element];
}

/* --- collection ----------------------------------------------------------------------------- */

static bool is_open_symbol(const finding *x, ha_expr symbol)
{
    int column = symbol < x->pencil->n_nodes ? x->pencil->column_of[symbol] : -1;

    return column >= 0 && x->dependence->right[column] != 0;
}

static void collect_bonds(finding *x)
{
    const bg__system *s = x->c->system;

    for (size_t b = 0; b < x->graph->bonds.count; b++) {
        bool e = is_open_symbol(x, s->e[b]), f = is_open_symbol(x, s->f[b]);
        x->n_efforts += e ? 1 : 0;
        x->n_flows += f ? 1 : 0;
        if (e || f) {
            x->is_open[x->graph->bonds.items[b].tail] = true;
            x->is_open[x->graph->bonds.items[b].head] = true;
        }
    }
}

/* The unknowns, where no effort or flow of a bond stands for them: of a flow `I.f`, else an
   effort. */
static void collect_unknowns(finding *x)
{
    const bg__system *s = x->c->system;

    for (size_t k = 0; k < s->unknowns.count; k++) {
        const bg__unknown *u = &s->unknowns.items[k];
        if (!is_open_symbol(x, u->y) || u->element < 0) {
            continue;
        }
        size_t length = strlen(u->name);
        bool is_flow = length > 2 && strcmp(u->name + length - 2, ".f") == 0;
        x->n_flows += is_flow ? 1 : 0;
        x->n_efforts += is_flow ? 0 : 1;
        x->is_open[u->element] = true;
    }
}

static void collect_laws(finding *x)
{
    const bg__system *s = x->c->system;

    x->only_sinks = true;
    for (int i = 0; i < x->pencil->n; i++) {
        int k = i - x->pencil->n_definitions;
        int element = k < 0 ? s->definitions.items[i].element : s->rows.items[k].element;
        if (x->dependence->left[i] == 0 || element < 0) {
            continue;
        }
        bool is_sink = k >= 0 && s->rows.items[k].kind == BG__ROW_CONSTRAINT &&
                       s->rows.items[k].when == HA_EXPR_NONE;
        x->is_bound[element] = true;
        x->n_sinks += is_sink ? 1 : 0;
        x->only_sinks = x->only_sinks &&
                        (is_sink || element_at(x, element)->type->stage == BG__STAGE_STRUCTURE);
    }
}

/* --- words ---------------------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
    return strcmp((*(const bg__element *const *) a)->name, (*(const bg__element *const *) b)->name);
}

/* The marked elements that are wanted, by name; *n of them, to be freed with ha__free(). */
static ha_status sorted(const finding *x, const bool *marks, bool (*is_wanted)(const bg__element *),
                        const bg__element ***out, size_t *n)
{
    const bg__element **list = NULL;

    *n = 0;
    HA_TRY_ALLOC(x->c->ctx, list, x->graph->elements.count);
    for (size_t i = 0; i < x->graph->elements.count; i++) {
        if (marks[i] && (is_wanted == NULL || is_wanted(element_at(x, (int) i)))) {
            list[(*n)++] = element_at(x, (int) i);
        }
    }
    if (*n > 0) {
        qsort(list, *n, sizeof *list, compare_names);
    }
    *out = list;
    return HA_OK;
}

/* Adds "`a`, `b` and 3 more"; with values "`a` = 3". */
static ha_status add_names(const finding *x, const bool *marks,
                           bool (*is_wanted)(const bg__element *), bool with_values,
                           ha__strbuf *text)
{
    const bg__element **list = NULL;
    size_t n = 0;

    HA_TRY(sorted(x, marks, is_wanted, &list, &n));
    for (size_t i = 0; i < n && i < MAX_NAMED; i++) {
        double value = 0.0;
        char digits[HA__NUMBER_SIZE];
        ha__strbuf_addf(text, "%s`%s`", i == 0 ? "" : ", ", list[i]->name);
        if (with_values &&
            ha_expr_is_constant(x->graph->dag, bg__component_value(x->graph, list[i], 0), &value)) {
            ha__strbuf_addf(text, " = %s", ha__print_rounded_number(digits, value, 12));
        }
    }
    if (n > MAX_NAMED) {
        ha__strbuf_addf(text, " and %zu more", n - MAX_NAMED);
    }
    ha__free(list);
    return text->status;
}

static bool is_valued(const bg__element *e)
{
    return e->type->max_ports > 0 && e->type->stage != BG__STAGE_FIXED &&
           e->type->stage != BG__STAGE_SINK;
}

static bool is_sink(const bg__element *e)
{
    return e->type->stage == BG__STAGE_SINK;
}

static const char *quantity(const finding *x)
{
    return x->n_flows == 0 ? "effort" : x->n_efforts == 0 ? "flow" : "effort and the flow";
}

/* What to do about it. */
static const char *remedy(const finding *x)
{
    return x->n_open == 1 ? "bond a resistor or a storage to it"
           : x->n_flows == 0
               ? "bond a resistor or a storage to a 0-junction among them, or remove one of the "
                 "bonds that are parallel"
           : x->n_efforts == 0
               ? "bond a resistor or a storage to a 1-junction among them, or remove one of the "
                 "bonds that are parallel"
               : "put a resistor or a storage between them, or remove one of the bonds that are "
                 "parallel";
}

/* Where the first of the marked elements stands. */
static ha_where first_where(const finding *x, const bool *marks)
{
    const bg__element *first = NULL;

    for (size_t i = 0; i < x->graph->elements.count; i++) {
        const bg__element *e = element_at(x, (int) i);
        if (marks[i] && (first == NULL || strcmp(e->name, first->name) < 0)) {
            first = e;
        }
    }
    return first == NULL ? HA_NOWHERE : first->where;
}

/* --- diagnostics ---------------------------------------------------------------------------- */

/* Constraints that say the same, or what other laws say. */
static ha_status tell_redundant(const finding *x, ha_status status)
{
    ha__strbuf names = HA_STRBUF(x->c->ctx);
    ha_status told = add_names(x, x->is_bound, is_sink, false, &names);
    const char *list = told == HA_OK ? ha__strbuf_text(&names) : "";
    ha_where where = first_where(x, x->is_bound);

    if (told == HA_OK && x->n_sinks > 1) {
        told = ha_fail(x->c->ctx, status, where,
                       "the constraints %s repeat each other, so that nothing determines how they "
                       "share what they impose; remove one of them",
                       list);
    } else if (told == HA_OK) {
        told = ha_fail(x->c->ctx, status, where,
                       "what the constraint %s wants to be zero is decided by other elements "
                       "already, and nothing determines what it imposes; remove it, or put a "
                       "resistor or a storage between it and what decides",
                       list);
    }
    ha__strbuf_clear(&names);
    return told;
}

/* The values of what is touched: " at the values given (`TF1` = 3, `TF2` = 3)". */
static ha_status add_values(const finding *x, ha__strbuf *text)
{
    bool *touched = NULL;

    HA_TRY_ALLOC(x->c->ctx, touched, x->graph->elements.count);
    for (size_t i = 0; i < x->graph->elements.count; i++) {
        touched[i] = x->is_open[i] || x->is_bound[i];
    }
    ha__strbuf_add(text, " at the values given (");
    ha_status status = add_names(x, touched, is_valued, true, text);
    ha__strbuf_add(text, ")");
    ha__free(touched);
    return status;
}

static ha_status tell_open(const finding *x, ha_status status)
{
    ha__strbuf names = HA_STRBUF(x->c->ctx), when = HA_STRBUF(x->c->ctx);
    bool is_structural = x->kind == BG_STRUCTURALLY_SINGULAR;
    ha_status told = add_names(x, x->is_open, NULL, false, &names);

    if (told == HA_OK && is_structural) {
        ha__strbuf_add(&when, ", whatever the values of the elements");
    } else if (told == HA_OK) {
        told = add_values(x, &when);
    }
    told = told != HA_OK ? told : when.status;
    if (told == HA_OK) {
        told = ha_fail(x->c->ctx, status, first_where(x, x->is_open),
                       "the %s %s%s %s determined by nothing%s; %s%s", quantity(x),
                       x->n_open > 1 ? "on the bonds between " : "of ", ha__strbuf_text(&names),
                       x->n_flows > 0 && x->n_efforts > 0 ? "are" : "is", ha__strbuf_text(&when),
                       is_structural ? "" : "other values would do: change one, or ", remedy(x));
    }
    ha__strbuf_clear(&names);
    ha__strbuf_clear(&when);
    return told;
}

const char *bg__absence_text(ha_ctx *ctx, ha__arena *arena, const bg__element *e)
{
    const bg__extras *extra = bg__extra(e);

    return extra->if_zero != NULL
               ? ha__arena_text(ctx, arena, extra->if_zero[0], strlen(extra->if_zero[0]))
               : ha__arena_format(ctx, arena,
                                  "`%s` has the value 0 and nothing determines its flow; give it a "
                                  "value above 0, or a resistance or a constraint that determines "
                                  "the flow",
                                  e->name);
}

/* Values of 0 that leave a flow open, each of its own text once; *n_told of them. */
static ha_status tell_absences(const finding *x, ha_status status, int *n_told)
{
    const bg__system *s = x->c->system;
    const char *last = NULL;

    *n_told = 0;
    for (size_t k = 0; k < s->unknowns.count; k++) {
        const bg__unknown *u = &s->unknowns.items[k];
        if (!u->is_rate_absent || !x->is_open[u->element]) {
            continue;
        }
        const bg__element *e = element_at(x, u->element);
        const char *text = bg__absence_text(x->c->ctx, &s->graph->arena, e);
        HA_TRY_MEMORY(text);
        if (last == NULL || strcmp(last, text) != 0) {
            (void) ha_fail(x->c->ctx, status, e->where, "%s", text);
            (*n_told)++;
        }
        last = text;
    }
    return HA_OK;
}

static ha_status tell(finding *x)
{
    ha_status status = bg__class_status(x->kind);
    int n_told = 0;

    HA_TRY_ALLOC_EACH(x->c->ctx, x->graph->elements.count, x->is_open, x->is_bound);
    collect_bonds(x);
    collect_laws(x);
    if (x->n_efforts + x->n_flows == 0) {
        collect_unknowns(x);
    }
    for (size_t i = 0; i < x->graph->elements.count; i++) {
        x->n_open += x->is_open[i] ? 1 : 0;
    }
    if (x->kind == BG_SINGULAR_AT_VALUES) {
        HA_TRY(tell_absences(x, status, &n_told));
    }
    if (n_told > 0) {
        return HA_OK;
    }
    ha_status told =
        x->n_sinks > 0 && x->only_sinks ? tell_redundant(x, status) : tell_open(x, status);
    return told == status ? HA_OK : told;
}

ha_status bg__report_singular(const bg_causality *c, bg_class kind, const bg__pencil *pencil,
                              const bg__dependence *dependence)
{
    finding x = {
        .c = c, .kind = kind, .graph = c->system->graph, .pencil = pencil, .dependence = dependence
    };
    ha_status status = tell(&x);

    HA_FREE(x.is_open, x.is_bound);
    return status;
}
