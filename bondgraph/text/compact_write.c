/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bond graphs to the compact notation (grammar: compact.c): parameters, then each element with its
 * values in a line, then each bond. What is read back has its elements and bonds in the same order,
 * so that ports, strokes and equations are the same.
 */
#include <config.h>

#include "bondgraph/compact.h"

#include "bondgraph/graph/law_priv.h"
#include "bondgraph/text/compact_priv.h"
#include "bondgraph/text/write_names.h"
#include "lib/core/need.h"

static const bg__dialect dialect = {
    .title = "the compact notation",
    .has_components = true,
    .has_laws = true,
    .has_type_prefix = true,
    .reserved = "",
};

static ha_status write_parameters(bg__writing *w, ha__strbuf *text)
{
    for (size_t i = 0; i < w->source->parameters.count; i++) {
        if (w->is_kept[i]) {
            ha__strbuf_addf(text, "%s = ", w->source->parameters.items[i].name);
            HA_TRY(bg__writing_add_parameter(w, i, text));
            ha__strbuf_add(text, "\n");
        }
    }
    return text->status;
}

/* Adds one of the components of a value. */
typedef ha_status add_one(bg__writing *w, int element, int i, ha__strbuf *text);

/* The components of a value, separated by `|`. */
static ha_status write_values(bg__writing *w, int element, add_one *add, int n, ha__strbuf *text)
{
    for (int i = 0; i < n; i++) {
        ha__strbuf_add(text, i == 0 ? "" : " | ");
        HA_TRY(add(w, element, i, text));
    }
    return HA_OK;
}

/* Adds what begins the next part of the braces. */
static void begin_part(ha__strbuf *text, bool *is_open)
{
    ha__strbuf_add(text, *is_open ? ", " : "{");
    *is_open = true;
}

static ha_status write_law(bg__writing *w, int element, ha__strbuf *text, bool *is_open)
{
    const bg__law *law = bg__extra(&w->graph->elements.items[element])->law;

    for (int part = 0; law != NULL && part < BG__PART_COUNT; part++) {
        ha_expr value = bg__law_given(law, (bg__law_part) part);
        if (value != HA_EXPR_NONE) {
            begin_part(text, is_open);
            ha__strbuf_addf(text, "%s = ", bg__law_part_name((bg__law_part) part));
            HA_TRY(bg__writing_add(w, element, value, text));
        }
    }
    return HA_OK;
}

/* The starts of a field, each by its port: those that are not given stay so. */
static ha_status write_field_starts(bg__writing *w, int element, ha__strbuf *text, bool *is_open)
{
    const bg__element *e = &w->graph->elements.items[element];
    const bg__extras *extra = bg__extra(e);

    for (int k = 0; k < e->dim && bg__has_start(e); k++) {
        if (extra->start[k] != HA_EXPR_NONE) {
            begin_part(text, is_open);
            ha__strbuf_addf(text, "%c%d=", bg__field_letter(w, e, k), k + 1);
            HA_TRY(bg__writing_add_start(w, element, k, text));
        }
    }
    return HA_OK;
}

static ha_status write_element(bg__writing *w, int element, ha__strbuf *text)
{
    const bg__element *e = &w->graph->elements.items[element];
    char letter = bg__start_letter(e->type);
    bool is_open = false, has_ports = e->is_field && e->dim > 1;

    ha__strbuf_add(text, w->names[element]);
    if (e->n_values > 0 && bg__takes_value(e->type)) {
        begin_part(text, &is_open);
        HA_TRY(write_values(w, element, bg__writing_add_value, e->n_values, text));
    }
    HA_TRY(write_law(w, element, text, &is_open));
    if (has_ports) {
        HA_TRY(write_field_starts(w, element, text, &is_open));
    } else if (bg__has_start(e)) {
        begin_part(text, &is_open);
        ha__strbuf_addf(text, "%c=", e->is_field ? bg__field_letter(w, e, 0) : letter);
        HA_TRY(write_values(w, element, bg__writing_add_start, e->dim, text));
    }
    ha__strbuf_add(text, is_open ? "}\n" : "\n");
    return text->status;
}

static ha_status write_all(bg__writing *w, ha__strbuf *text)
{
    HA_TRY(write_parameters(w, text));
    for (size_t i = 0; i < w->graph->elements.count; i++) {
        HA_TRY(write_element(w, (int) i, text));
    }
    for (size_t i = 0; i < w->graph->bonds.count; i++) {
        const bg__bond *b = &w->graph->bonds.items[i];
        if (b->dim == 1) {
            ha__strbuf_addf(text, "%s>%s\n", w->names[b->tail], w->names[b->head]);
        } else {
            ha__strbuf_addf(text, "%s=%d>%s\n", w->names[b->tail], b->dim, w->names[b->head]);
        }
    }
    return text->status;
}

ha_status bg_compact_write(bg_graph *graph, char **out)
{
    HA_NEED(bg_graph_ctx(graph), graph != NULL && out != NULL);
    bg__writing w;
    ha__strbuf text = HA_STRBUF(bg_graph_ctx(graph));
    ha_status status = bg__writing_begin(graph, &dialect, &w);

    HA_THEN(status, write_all(&w, &text));
    bg__writing_end(&w);
    ha__strbuf_add(&text, ""); /* of an empty graph, too, there is a text */
    return ha__strbuf_finish(&text, status, out);
}
