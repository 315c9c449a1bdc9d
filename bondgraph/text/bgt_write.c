/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bond graphs to files of BondGraphTools (bgt_read.c says how the two differ): our port 1 is their
 * port 1, our port 2 their port 0, moduli stay as they are. Start values are not stored there.
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

static ha_status write_component(bg__writing *w, int element, ha__strbuf *text)
{
    const bg__element *e = &w->graph->elements.items[element];
    const bg__bgt_kind *kind = NULL;
    double value = 0.0;

    HA_TRY(find_kind(w, e, &kind));
    ha__strbuf_add(text, "    - '");
    add_quoted(text, w->names[element]);
    ha__strbuf_addf(text, " base/%s", kind->name);
    if (kind->parameter != NULL) {
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

/* What the file does not hold. */
static void warn_of_starts(bg__writing *w)
{
    const char *first = NULL;
    size_t n = 0;

    for (size_t i = 0; i < w->graph->elements.count; i++) {
        const bg__element *e = &w->graph->elements.items[i];
        if (bg__has_start(e) && !ha_expr_is(w->graph->dag, bg__extra(e)->start[0], 0.0)) {
            first = n++ == 0 ? e->name : first;
        }
    }
    if (n == 1) {
        ha_warn(w->ctx, HA_NOWHERE, "%s has no start values: that of `%s` is not written",
                w->dialect->title, first);
    } else if (n > 1) {
        ha_warn(w->ctx, HA_NOWHERE,
                "%s has no start values: that of `%s` is not written, nor %s of %zu more",
                w->dialect->title, first, n == 2 ? "that" : "those", n - 1);
    }
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
    warn_of_starts(w);
    return text->status;
}

ha_status bg_bgt_write(bg_graph *graph, const char *name, char **out)
{
    HA_NEED(bg_graph_ctx(graph), graph != NULL && name != NULL && out != NULL);
    bg__writing w;
    ha__strbuf text = HA_STRBUF(bg_graph_ctx(graph));
    ha_status status = bg__writing_begin(graph, &dialect, &w);

    HA_THEN(status, write_all(&w, name, &text));
    bg__writing_end(&w);
    if (status == HA_OK) {
        char *taken = ha__strbuf_take(&text);
        status = taken == NULL ? HA_ERR_MEMORY : HA_OK;
        *out = taken == NULL ? *out : taken;
    }
    ha__strbuf_clear(&text);
    return status;
}
