/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the writers of files share.
 *
 * Names. An element keeps its name where the format allows it. Otherwise characters that are not
 * allowed become `_`, the type is put in front where the format reads the type from the name, and
 * `_2`, `_3` ... is put behind where the name is taken. Parameters keep their names or give way to
 * their values.
 *
 * Values. Symbols that are neither the time nor a parameter nor a signal (points of a mechanism,
 * outputs that are fed back) are replaced by what they stand for until only such are left.
 */
#include <config.h>

#include "bondgraph/text/write_names.h"

#include "bondgraph/expand.h"
#include "bondgraph/graph/law_priv.h"
#include "lib/core/utf8.h"
#include "lib/expr/expr_dimension.h"
#include "lib/expr_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAME = 200, KEPT = 170 }; /* bytes of a name, and those kept of one that is changed */

bool bg__has_start(const bg__element *element)
{
    for (int c = 0; c < element->dim && bg__extra(element)->start != NULL; c++) {
        if (bg__extra(element)->start[c] != HA_EXPR_NONE) {
            return true;
        }
    }
    return false;
}

/* --- what can be said ------------------------------------------------------------------------- */

/* True when only some components have a start value. */
static bool has_partial_start(const bg__element *e)
{
    for (int c = 0; c < e->dim && bg__has_start(e); c++) {
        if (bg__extra(e)->start[c] == HA_EXPR_NONE) {
            return true;
        }
    }
    return false;
}

/* Components with names, bonds of some components only, and the like need the scalar graph. */
static bool is_plain(const bg_graph *graph)
{
    for (size_t i = 0; i < graph->elements.count; i++) {
        const bg__element *e = &graph->elements.items[i];
        bool is_single = e->dim == 1 && e->dim2 == 0;
        if (!is_single && (bg__extra(e)->labels != NULL || e->n_ports == 0 ||
                           (has_partial_start(e) && !e->is_field))) {
            return false;
        }
    }
    for (size_t i = 0; i < graph->bonds.count; i++) {
        const bg__bond *b = &graph->bonds.items[i];
        const bg__element *ends[] = { &graph->elements.items[b->tail],
                                      &graph->elements.items[b->head] };
        for (int k = 0; k < 2; k++) {
            if (bg__is_junction(ends[k]) && ends[k]->dim != b->dim) {
                return false;
            }
        }
    }
    return true;
}

/* Every component has an element of its own, but for the ports of fields. */
static bool has_scalar_bonds(const bg_graph *graph)
{
    for (size_t i = 0; i < graph->elements.count; i++) {
        const bg__element *e = &graph->elements.items[i];
        if (!e->is_field && (e->dim != 1 || e->dim2 != 0)) {
            return false;
        }
    }
    for (size_t i = 0; i < graph->bonds.count; i++) {
        if (graph->bonds.items[i].dim != 1) {
            return false;
        }
    }
    return true;
}

static ha_status choose_graph(bg__writing *w)
{
    bool as_it_is = w->dialect->has_components ? is_plain(w->source)
                    : w->dialect->has_laws     ? has_scalar_bonds(w->source)
                                               : bg__graph_is_scalar(w->source);

    if (!as_it_is) {
        HA_TRY(bg_graph_expand(w->source, &w->expanded));
    }
    w->graph = as_it_is ? w->source : w->expanded;
    return HA_OK;
}

/* Refuses laws that the format does not have, and those of components. */
static ha_status check_law(const bg__writing *w, const bg__element *e)
{
    const bg__extras *extra = bg__extra(e);
    bool has_law = extra->law != NULL || e->is_field || extra->field != NULL;

    if (!has_law || (w->dialect->has_laws && extra->field == NULL && !e->type->is_registered)) {
        return HA_OK;
    }
    return ha_fail(w->ctx, HA_ERR_UNSUPPORTED, e->where,
                   "`%s` has %s, which %s is not written with%s", e->name,
                   extra->law != NULL ? "a law by expressions" : "coupled ports", w->dialect->title,
                   w->dialect->has_laws ? " where bonds with several components are taken apart; "
                                          "write it to the compact notation, or with bonds of one "
                                          "component"
                                        : "; only elements with values can be written");
}

/* In a format that does not number them, the bonds of a field must come in order of its ports. */
static ha_status check_port_order(const bg__writing *w)
{
    for (size_t i = 0; i < w->graph->bonds.count && !w->dialect->numbers_ports; i++) {
        const bg__bond *b = &w->graph->bonds.items[i];
        const int ends[] = { b->tail, b->head }, ports[] = { b->tail_port, b->head_port };
        for (int k = 0; k < 2; k++) {
            const bg__element *e = &w->graph->elements.items[ends[k]];
            int port = 0;
            for (size_t before = 0; before < i && e->is_field; before++) {
                const bg__bond *other = &w->graph->bonds.items[before];
                port += other->tail == ends[k] || other->head == ends[k] ? other->dim : 0;
            }
            if (e->is_field && port != ports[k]) {
                return ha_fail(w->ctx, HA_ERR_UNSUPPORTED, e->where,
                               "the bonds of the field `%s` are not in the order of its ports (the "
                               "one at port %d comes where that at port %d should), and %s has no "
                               "numbers of ports; write the bonds in that order",
                               e->name, ports[k] + 1, port + 1, w->dialect->title);
            }
        }
    }
    return HA_OK;
}

/* Refuses elements with laws or positions that cannot be said, and tells when a potential is
   lost. */
static ha_status check_elements(bg__writing *w)
{
    const char *potential = NULL;

    for (size_t i = 0; i < w->graph->elements.count; i++) {
        const bg__element *e = &w->graph->elements.items[i];
        const bg__extras *extra = bg__extra(e);
        HA_TRY(check_law(w, e));
        if (extra->hold != NULL) {
            return ha_fail(
                w->ctx, HA_ERR_UNSUPPORTED, e->where,
                "`%s` holds a value between events, which %s cannot say; only mechanisms "
                "without contacts, and graphs without signals of the type hold, can be "
                "written",
                e->name, w->dialect->title);
        }
        for (int c = 0; c < e->dim; c++) {
            if (extra->position != NULL && extra->position[c] != HA_EXPR_NONE) {
                bool is_sink = e->type->stage == BG__STAGE_SINK;
                return ha_fail(w->ctx, HA_ERR_UNSUPPORTED, e->where,
                               "`%s` is a %s that follows from positions of the mechanism, which "
                               "%s cannot say; only mechanisms without %s can be written",
                               e->name, is_sink ? "constraint" : "spring displacement",
                               w->dialect->title, is_sink ? "joints and motions" : "springs");
            }
            if (extra->potential != NULL && extra->potential[c] != HA_EXPR_NONE) {
                potential = e->name;
            }
        }
    }
    if (potential != NULL) {
        ha_warn(w->ctx, HA_NOWHERE,
                "%s knows no potential energies: in the written model `%s` and its like count as "
                "supplied work",
                w->dialect->title, potential);
    }
    return check_port_order(w);
}

/* --- names ------------------------------------------------------------------------------------ */

/* Bytes of the character at `text`, and whether a name of the dialect may have it. */
static size_t character(const bg__dialect *dialect, const char *text, bool *is_allowed)
{
    unsigned code = 0;
    size_t n = ha__utf8_read(text, strlen(text), &code);
    bool is_word = (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z') ||
                   (code >= '0' && code <= '9') || code == '_';

    if (n == 0) {
        *is_allowed = false;
        return 1;
    }
    *is_allowed = dialect->has_free_names ? code > ' ' && code != '.' && code != 0x7f
                                          : is_word || (code >= 0x80 && ha__utf8_is_letter(code));
    return n;
}

static bool is_reserved(const bg__dialect *dialect, const char *name)
{
    size_t n = strlen(name);

    for (const char *at = dialect->reserved; (at = strstr(at, name)) != NULL; at++) {
        if (at > dialect->reserved && at[-1] == ' ' && at[n] == ' ') {
            return true;
        }
    }
    return false;
}

static bool is_word(const bg__dialect *dialect, const char *name)
{
    bool is_allowed = name[0] != '\0' && strlen(name) <= MAX_NAME && !is_reserved(dialect, name);

    for (size_t at = 0; is_allowed && name[at] != '\0';) {
        at += character(dialect, name + at, &is_allowed);
    }
    return is_allowed;
}

static bool has_prefix(const bg__writing *w, const bg__element *e, const char *name)
{
    return !w->dialect->has_type_prefix ||
           bg__type_of_prefix(w->ctx, name, strlen(name)) == e->type;
}

/* A new name for an element, into `name`. */
static void make_name(const bg__writing *w, const bg__element *e, ha__strbuf *name)
{
    bool is_allowed = false;

    if (!has_prefix(w, e, e->name)) {
        ha__strbuf_addf(name, "%s_", e->type->name);
    }
    for (const char *at = e->name; *at != '\0' && name->length < KEPT;) {
        size_t n = character(w->dialect, at, &is_allowed);
        ha__strbuf_add_bytes(name, is_allowed ? at : "_", is_allowed ? n : 1);
        at += n;
    }
    /* what was replaced may have been part of the type's name */
    if (name->status == HA_OK && !has_prefix(w, e, ha__strbuf_text(name))) {
        ha__strbuf rest = *name;
        *name = HA_STRBUF(w->ctx);
        ha__strbuf_addf(name, "%s_%s", e->type->name, ha__strbuf_text(&rest));
        ha__strbuf_clear(&rest);
    }
}

/* Takes a name, or the first of NAME_2, NAME_3 ... that is free. */
static ha_status take_name(bg__writing *w, const char *name, const char **out)
{
    const char *tried = name;
    int number = 0, is_new = 0;

    for (int k = 2;; k++) {
        if (is_word(w->dialect, tried)) {
            HA_TRY(ha__symtab_add(w->ctx, &w->taken, tried, strlen(tried), &number, &is_new));
            if (is_new) {
                *out = ha__symtab_name(&w->taken, number);
                return HA_OK;
            }
        }
        HA_TRY_GET(tried, ha__arena_format(w->ctx, &w->arena, "%s_%d", name, k));
    }
}

static ha_status rename_element(bg__writing *w, size_t i)
{
    const bg__element *e = &w->graph->elements.items[i];
    ha__strbuf name = HA_STRBUF(w->ctx);

    make_name(w, e, &name);
    ha_status status = name.status;
    HA_THEN(status, take_name(w, ha__strbuf_text(&name), &w->names[i]));
    return ha__strbuf_drop(&name, status);
}

/* True for a name that means an own quantity in a law: the parameter gives way to its value. */
static bool is_own_quantity(const bg__writing *w, const char *name)
{
    int port = 0;

    for (size_t i = 0; i < w->graph->elements.count; i++) {
        const bg__element *e = &w->graph->elements.items[i];
        const bg__extras *extra = bg__extra(e);
        if (extra->law != NULL &&
            bg__law_variable(name, extra->law->n_ports, &port) != BG_SIGNAL_COUNT) {
            return true;
        }
    }
    return false;
}

/* Names that can stay are taken first. */
static ha_status name_elements(bg__writing *w)
{
    size_t n_changed = 0, first = 0;

    HA_TRY_ALLOC(w->ctx, w->names, w->graph->elements.count);
    for (size_t i = 0; i < w->graph->elements.count; i++) {
        const bg__element *e = &w->graph->elements.items[i];
        if (is_word(w->dialect, e->name) && has_prefix(w, e, e->name)) {
            HA_TRY(take_name(w, e->name, &w->names[i]));
        }
    }
    for (size_t i = 0; i < w->source->parameters.count; i++) {
        const char *name = w->source->parameters.items[i].name;
        int is_new = 0, number = 0;
        if (is_word(w->dialect, name) && !(name[0] >= '0' && name[0] <= '9') &&
            !is_own_quantity(w, name)) {
            HA_TRY(ha__symtab_add(w->ctx, &w->taken, name, strlen(name), &number, &is_new));
        }
        w->is_kept[i] = is_new != 0;
    }
    for (size_t i = 0; i < w->graph->elements.count; i++) {
        if (w->names[i] == NULL) {
            HA_TRY(rename_element(w, i));
            first = n_changed++ == 0 ? i : first;
        }
    }
    if (n_changed > 0) {
        ha_warn(w->ctx, HA_NOWHERE,
                "%s cannot hold all names: `%s` is written as `%s`, in all %zu name%s changed",
                w->dialect->title, w->graph->elements.items[first].name, w->names[first], n_changed,
                n_changed == 1 ? " is" : "s are");
    }
    return HA_OK;
}

/* --- values ----------------------------------------------------------------------------------- */

/* The signals of an element that is called otherwise, by its new name. */
static ha_status rename_signals(bg__writing *w, size_t i)
{
    const bg__element *e = &w->graph->elements.items[i];
    int n = (e->dim > e->dim2 ? e->dim : e->dim2) * (int) BG_SIGNAL_COUNT;

    for (int s = 0; e->signals != NULL && s < n; s++) {
        ha_expr symbol = e->signals[s];
        if (symbol == HA_EXPR_NONE || strcmp(e->name, w->names[i]) == 0) {
            continue;
        }
        const char *name = ha__arena_format(w->ctx, &w->arena, "%s%s", w->names[i],
                                            ha_symbol_name(w->dag, symbol) + strlen(e->name));
        HA_TRY_MEMORY(name);
        ha_symbol_define(w->dag, symbol, ha_symbol(w->dag, name));
    }
    return ha_dag_status(w->dag);
}

/* The own quantities in a law, by the names that they have in files: `q`, of a field `q1`, `q2`. */
static ha_status name_quantities(bg__writing *w, const bg__law *law)
{
    static const char letters[] = {
        [BG_SIGNAL_E] = 'e', [BG_SIGNAL_F] = 'f', [BG_SIGNAL_P] = 'p', [BG_SIGNAL_Q] = 'q'
    };

    for (int s = 0; law != NULL && s <= BG_SIGNAL_Q; s++) {
        for (int k = 0; k < law->n_ports && law->variables[s] != NULL; k++) {
            const char *name = law->n_ports == 1
                                   ? ha__arena_format(w->ctx, &w->arena, "%c", letters[s])
                                   : ha__arena_format(w->ctx, &w->arena, "%c%d", letters[s], k + 1);
            HA_TRY_MEMORY(name);
            if (law->variables[s][k] != HA_EXPR_NONE) {
                ha_symbol_define(w->dag, law->variables[s][k], ha_symbol(w->dag, name));
            }
        }
    }
    return ha_dag_status(w->dag);
}

static void mark_quantities(bg__writing *w, const bg__law *law)
{
    for (int s = 0; law != NULL && s <= BG_SIGNAL_Q; s++) {
        for (int k = 0; k < law->n_ports && law->variables[s] != NULL; k++) {
            if (law->variables[s][k] != HA_EXPR_NONE) {
                w->is_sayable[ha_symbol_definition(w->dag, law->variables[s][k])] = true;
            }
        }
    }
}

static void mark_signals(bg__writing *w, const bg__element *e)
{
    int n = (e->dim > e->dim2 ? e->dim : e->dim2) * (int) BG_SIGNAL_COUNT;

    for (int s = 0; e->signals != NULL && s < n; s++) {
        if (e->signals[s] != HA_EXPR_NONE) {
            ha_expr renamed = ha_symbol_definition(w->dag, e->signals[s]);
            w->is_sayable[renamed == HA_EXPR_NONE ? e->signals[s] : renamed] = true;
        }
    }
}

static ha_status prepare_values(bg__writing *w)
{
    HA_TRY_GET(w->dag, ha_dag_clone(w->graph->dag));
    for (size_t i = 0; i < w->source->parameters.count; i++) {
        if (w->is_kept[i]) {
            ha_symbol_define(w->dag, w->source->parameters.items[i].value, HA_EXPR_NONE);
        }
    }
    for (size_t i = 0; i < w->graph->elements.count; i++) {
        HA_TRY(rename_signals(w, i));
        HA_TRY(name_quantities(w, bg__extra(&w->graph->elements.items[i])->law));
    }
    w->n_nodes = ha_dag_size(w->dag);
    HA_TRY_ALLOC(w->ctx, w->is_sayable, w->n_nodes);
    w->is_sayable[w->graph->time] = true;
    for (size_t i = 0; i < w->source->parameters.count; i++) {
        w->is_sayable[w->source->parameters.items[i].value] |= w->is_kept[i];
    }
    for (size_t i = 0; i < w->graph->elements.count; i++) {
        mark_signals(w, &w->graph->elements.items[i]);
        mark_quantities(w, bg__extra(&w->graph->elements.items[i])->law);
    }
    return HA_OK;
}

ha_status bg__writing_begin(bg_graph *graph, const bg__dialect *dialect, bg__writing *out)
{
    *out = (bg__writing){ .ctx = graph->ctx, .dialect = dialect, .source = graph };
    HA_TRY(choose_graph(out));
    HA_TRY(check_elements(out));
    if (ha_table_count(out->graph->dag) > 0) {
        return ha_fail(out->ctx, HA_ERR_UNSUPPORTED, HA_NOWHERE,
                       "the model has the table `%s`, which %s cannot say; put a formula in its "
                       "place",
                       ha_table_name(out->graph->dag, 0), dialect->title);
    }
    HA_TRY_ALLOC(out->ctx, out->is_kept, graph->parameters.count);
    HA_TRY(name_elements(out));
    return prepare_values(out);
}

void bg__writing_end(bg__writing *w)
{
    HA_FREE(w->names, w->is_kept, w->is_sayable);
    ha_dag_free(w->dag);
    ha__symtab_clear(&w->taken);
    ha__arena_clear(&w->arena);
    bg_graph_free(w->expanded);
}

/* Refuses a value that depends on what cannot be named. */
static ha_status check_symbols(bg__writing *w, int element, ha_expr value)
{
    const bg__element *e = &w->graph->elements.items[element];
    ha_expr *symbols = NULL;
    size_t n = 0;
    ha_status status = ha_expr_symbols(w->dag, value, &symbols, &n);

    for (size_t i = 0; i < n && status == HA_OK; i++) {
        if (symbols[i] >= w->n_nodes || !w->is_sayable[symbols[i]]) {
            status = ha_fail(w->ctx, HA_ERR_UNSUPPORTED, e->where,
                             "the value of `%s` depends on `%s`, which %s cannot name; express it "
                             "by the time, parameters and quantities of elements",
                             e->name, ha_symbol_name(w->dag, symbols[i]), w->dialect->title);
        }
    }
    free(symbols);
    return status;
}

ha_status bg__writing_add(bg__writing *w, int element, ha_expr value, ha__strbuf *text)
{
    char *written = NULL;

    HA_TRY(ha_resolve(w->dag, value, &value));
    HA_TRY(check_symbols(w, element, value));
    HA_TRY_GET(written, ha_expr_text(w->dag, value));
    ha__strbuf_add(text, written);
    free(written);
    return text->status;
}

ha_status bg__writing_add_parameter(bg__writing *w, size_t parameter, ha__strbuf *text)
{
    ha_expr symbol = w->source->parameters.items[parameter].value;
    ha_expr value = ha_symbol_definition(w->source->dag, symbol);
    char *written = NULL;
    ha__dimension is;
    double x = 0.0;

    HA_TRY(ha_resolve(w->dag, value, &value));
    if (ha_expr_is_constant(w->dag, value, &x) && ha__expr_dimension(w->dag, symbol, &is)) {
        return bg__writing_add_number(w, x, NULL, is, text);
    }
    HA_TRY_GET(written, ha_expr_text(w->dag, value));
    ha__strbuf_add(text, written);
    free(written);
    return text->status;
}

char bg__field_letter(bg__writing *w, const bg__element *e, int port)
{
    bool has_p = (e->type->signals >> BG_SIGNAL_P & 1u) != 0;
    bool has_q = (e->type->signals >> BG_SIGNAL_Q & 1u) != 0;

    return has_p && has_q ? (bg__law_is_inertia(w->graph->dag, bg__extra(e)->law, port) ? 'p' : 'q')
           : has_p        ? 'p'
                          : 'q';
}

ha_status bg__writing_number(bg__writing *w, int element, ha_expr value, double *out)
{
    const bg__element *e = &w->graph->elements.items[element];

    HA_TRY(ha_resolve(w->graph->dag, value, &value));
    if (!ha_expr_is_constant(w->graph->dag, value, out) || !isfinite(*out)) {
        return ha_fail(w->ctx, HA_ERR_UNSUPPORTED, e->where,
                       "the value of `%s` is no constant, but %s holds numbers only; give it a "
                       "number",
                       e->name, w->dialect->title);
    }
    return HA_OK;
}
