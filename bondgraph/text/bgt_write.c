/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bond graphs to files of BondGraphTools (bgt_read.c says how the two differ): our port 1 is their
 * port 1, our port 2 their port 0, moduli stay as they are. Start values and sources that vary go
 * to sections of their own (bgt_values.c).
 */
#include <config.h>

#include "bondgraph/bgt.h"

#include "bondgraph/text/bgt_priv.h"
#include "bondgraph/text/write_names.h"
#include "lib/core/need.h"

#include <string.h>

static const bg__dialect dialect = {
    .title = "the format of BondGraphTools",
    .has_free_names = true,
    .reserved = "",
};

/* A text in single quotes, in which a quote is written twice. */
static void add_quoted(ha__strbuf *text, const char *word)
{
    for (; *word != '\0'; word++) {
        ha__strbuf_add_bytes(text, word, 1);
        if (*word == '\'') {
            ha__strbuf_add(text, "'");
        }
    }
}

/* The counterpart of an element; M marks a value that may vary, which numbers do not. */
static ha_status find_kind(bg__writing *w, const bg__element *e, const bg__bgt_kind **out)
{
    const char *type = e->type->name[0] == 'M' ? e->type->name + 1 : e->type->name;

    *out = e->type->is_registered ? NULL : bg__bgt_kind_find(type, strlen(type));
    return *out != NULL
               ? HA_OK
               : ha_fail(w->ctx, HA_ERR_UNSUPPORTED, e->where,
                         "`%s` is %s %s, which %s does not have; remove it or write another "
                         "format",
                         e->name, bg__article(e->type), e->type->title, w->dialect->title);
}

/* Whether the value of an element varies with the time, and with nothing else. */
static ha_status find_input(bg__writing *w, const bg__element *e, const bg__bgt_kind *kind,
                            bool *out)
{
    ha_dag *dag = w->graph->dag;
    const ha_expr time = bg_graph_time(w->graph), half = ha_constant(dag, 0.5);
    ha_expr value = HA_EXPR_NONE;

    *out = false;
    if (!kind->is_input) {
        return HA_OK;
    }
    HA_TRY(ha_resolve(dag, bg__component_value(w->graph, e, 0), &value));
    bool is_constant = ha_expr_is_constant(dag, value, NULL);
    value = ha_expr_replace(dag, value, &time, &half, 1);
    *out = !is_constant && ha_expr_is_constant(dag, value, NULL);
    return ha_dag_status(dag);
}

static ha_status write_component(bg__writing *w, int element, ha__strbuf *text)
{
    const bg__element *e = &w->graph->elements.items[element];
    const bg__bgt_kind *kind = NULL;
    bool is_input = false;
    double value = 0.0;

    HA_TRY(find_kind(w, e, &kind));
    HA_TRY(find_input(w, e, kind, &is_input));
    ha__strbuf_add(text, "    - '");
    add_quoted(text, w->names[element]);
    ha__strbuf_addf(text, " base/%s", kind->name);
    if (kind->parameter != NULL && !is_input) {
        HA_TRY(bg__writing_number(w, element, bg__component_value(w->graph, e, 0), &value));
        ha__strbuf_addf(text, " %s=", kind->parameter);
        ha__strbuf_add_short_number(text, value);
    }
    ha__strbuf_add(text, "'\n");
    return text->status;
}

static void write_end(const bg__writing *w, int element, int port, bool is_tail, ha__strbuf *text)
{
    const bg__element *e = &w->graph->elements.items[element];

    add_quoted(text, w->names[element]);
    if (e->type->max_ports == 2) {
        ha__strbuf_add(text, port == 0 ? ".1" : ".0");
    } else if (strcmp(e->type->name, "1") == 0) {
        ha__strbuf_add(text, is_tail ? ".inverting" : ".non_inverting");
    }
}

/* Begins an entry of a section, which begins with its first. */
static void begin_entry(bg__writing *w, int element, const char *section, bool is_first,
                        ha__strbuf *text)
{
    if (is_first) {
        ha__strbuf_addf(text, "%s:\n", section);
    }
    ha__strbuf_add(text, "  '");
    add_quoted(text, w->names[element]);
    ha__strbuf_add(text, "': ");
}

static ha_status write_starts(bg__writing *w, ha__strbuf *text)
{
    size_t n = 0;

    for (size_t i = 0; i < w->graph->elements.count; i++) {
        const bg__element *e = &w->graph->elements.items[i];
        double value = 0.0;
        if (bg__has_start(e) && !ha_expr_is(w->graph->dag, bg__extra(e)->start[0], 0.0)) {
            HA_TRY(bg__writing_number(w, (int) i, bg__extra(e)->start[0], &value));
            begin_entry(w, (int) i, "starts", n++ == 0, text);
            ha__strbuf_add_short_number(text, value);
            ha__strbuf_add(text, "\n");
        }
    }
    return text->status;
}

static ha_status write_inputs(bg__writing *w, ha__strbuf *text)
{
    size_t n = 0;

    for (size_t i = 0; i < w->graph->elements.count; i++) {
        const bg__element *e = &w->graph->elements.items[i];
        const bg__bgt_kind *kind = NULL;
        bool is_input = false;
        HA_TRY(find_kind(w, e, &kind));
        HA_TRY(find_input(w, e, kind, &is_input));
        if (is_input) {
            begin_entry(w, (int) i, "inputs", n++ == 0, text);
            ha__strbuf_add(text, "'");
            HA_TRY(bg__writing_add(w, (int) i, bg__component_value(w->graph, e, 0), text));
            ha__strbuf_add(text, "'\n");
        }
    }
    return text->status;
}

static ha_status write_all(bg__writing *w, const char *name, ha__strbuf *text)
{
    ha__strbuf_add(text, "version: '0.1'\nroot: '");
    add_quoted(text, name);
    ha__strbuf_add(text, "'\nmodels:\n  /:\n    components:\n");
    for (size_t i = 0; i < w->graph->elements.count; i++) {
        HA_TRY(write_component(w, (int) i, text));
    }
    ha__strbuf_add(text, w->graph->bonds.count > 0 ? "    netlist:\n" : "    netlist: []\n");
    for (size_t i = 0; i < w->graph->bonds.count; i++) {
        const bg__bond *b = &w->graph->bonds.items[i];
        ha__strbuf_add(text, "    - '");
        write_end(w, b->tail, b->tail_port, true, text);
        ha__strbuf_add(text, " ");
        write_end(w, b->head, b->head_port, false, text);
        ha__strbuf_add(text, "'\n");
    }
    HA_TRY(write_starts(w, text));
    return write_inputs(w, text);
}

ha_status bg_bgt_write(bg_graph *graph, const char *name, char **out)
{
    HA_NEED(bg_graph_ctx(graph), graph != NULL && name != NULL && out != NULL);
    bg__writing w;
    ha__strbuf text = HA_STRBUF(bg_graph_ctx(graph));
    ha_status status = bg__writing_begin(graph, &dialect, &w);

    HA_THEN(status, write_all(&w, name, &text));
    bg__writing_end(&w);
    return ha__strbuf_finish(&text, status, out);
}
