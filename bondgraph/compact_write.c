/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bond graphs to the compact notation (grammar: compact.c): parameters, then each element with its
 * values in a line, then each bond. What is read back has its elements and bonds in the same order,
 * so that ports, strokes and equations are the same.
 */
#include <config.h>

#include "bondgraph/compact.h"

#include "bondgraph/compact_priv.h"
#include "bondgraph/write_priv.h"

#include <math.h>

static const bg__dialect dialect = {
    .title = "the compact notation",
    .has_components = true,
    .has_type_prefix = true,
    .reserved = "",
};

static ha_status write_parameters(bg__writing *w, ha__strbuf *text)
{
    for (size_t i = 0; i < w->source->parameters.count; i++) {
        const bg__output *p = &w->source->parameters.items[i];
        if (w->is_kept[i]) {
            double value = ha_expr_value(
                w->source->dag, ha_symbol_definition(w->source->dag, p->value), NULL, NULL);
            ha__strbuf_addf(text, "%s = ", p->name);
            ha__strbuf_add_short_number(text, value);
            ha__strbuf_add(text, "\n");
        }
    }
    return text->status;
}

/* The components of a value, separated by `|`. */
static ha_status write_values(bg__writing *w, int element, const ha_expr *values, int n,
                              ha__strbuf *text)
{
    for (int i = 0; i < n; i++) {
        ha__strbuf_add(text, i == 0 ? "" : " | ");
        HA_TRY(bg__writing_add(w, element, values[i], text));
    }
    return HA_OK;
}

static ha_status write_element(bg__writing *w, int element, ha__strbuf *text)
{
    const bg__element *e = &w->graph->elements.items[element];
    bool has_value = e->n_values > 0 && bg__takes_value(e->type);
    char letter = bg__start_letter(e->type);
    bool has_start = letter != '\0' && bg__has_start(e);

    ha__strbuf_add(text, w->names[element]);
    if (has_value || has_start) {
        ha__strbuf_add(text, "{");
    }
    if (has_value) {
        HA_TRY(write_values(w, element, e->value, e->n_values, text));
    }
    if (has_start) {
        ha__strbuf_addf(text, "%s%c=", has_value ? ", " : "", letter);
        HA_TRY(write_values(w, element, e->start, e->dim, text));
    }
    ha__strbuf_add(text, has_value || has_start ? "}\n" : "\n");
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
    bg__writing w;
    ha__strbuf text = HA_STRBUF(bg_graph_ctx(graph));
    ha_status status = bg__writing_begin(graph, &dialect, &w);

    if (status == HA_OK) {
        status = write_all(&w, &text);
    }
    bg__writing_end(&w);
    if (status == HA_OK) {
        ha__strbuf_add(&text, ""); /* of an empty graph, too, there is a text */
        char *taken = ha__strbuf_take(&text);
        status = taken == NULL ? HA_ERR_MEMORY : HA_OK;
        *out = taken == NULL ? *out : taken;
    }
    ha__strbuf_clear(&text);
    return status;
}
