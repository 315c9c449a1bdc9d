/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bond graphs as GraphML for other programs: a node for each element, a directed edge from tail to
 * head for each bond and one for each quantity of an element that the value of another reads.
 *
 *   nodes  name, type, value (components separated by ` | `), start (likewise), dim, group; of a
 *          law by expressions what is given: law_e, law_f, law_energy, law_inverse
 *   edges  number (as printed, from 1), tail_port and head_port (in order of appearance, from 1),
 *          dim, stroke (`head` or `tail`, with commas for each component; empty: none), signal
 *          (the quantity that is read, of edges that are no bonds; these have no numbers)
 *
 * Plain keys, which igraph, networkx and Gephi read. yEd shows what yFiles' own keys hold: boxes
 * with the name and type of an element, as wide as these, and arrows with the number of a bond.
 * Places are left to its layouts.
 */
#include <config.h>

#include "bondgraph/draw/export_priv.h"
#include "bondgraph/draw/export_text.h"
#include "bondgraph/graph/law_priv.h"
#include "lib/core/need.h"
#include "lib/expr/expr_dimension.h"

#include "bondgraph/expand.h"
#include "bondgraph/graph/graph_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHARACTER = 8 }; /* width of a character in yEd [pixels] */

typedef struct {
    bg_graph *graph;
    bool is_expanded; /* it is the scalar graph of the one that causality was assigned to */
    const bg_causality *causality; /* NULL: without strokes */
    ha_dag *dag;                   /* a copy, in which rates stand for what they are the rates of */
    int *element_of; /* by node below n_nodes: the element of which it is a quantity + 1, 0: none */
    int n_nodes;
    ha__strbuf *out;
} writer;

/* --- XML -------------------------------------------------------------------------------------- */

static void add_data(ha__strbuf *out, const char *key, const char *text)
{
    ha__strbuf_addf(out, "      <data key=\"%s\">", key);
    ha__strbuf_add_markup(out, text);
    ha__strbuf_add(out, "</data>\n");
}

static void add_count(ha__strbuf *out, const char *key, int n)
{
    ha__strbuf_addf(out, "      <data key=\"%s\">%d</data>\n", key, n);
}

/* What yEd shows at a bond: its number; at a signal: an arrow of dots. */
static void add_edge_graphics(ha__strbuf *out, int number)
{
    ha__strbuf_addf(out,
                    "      <data key=\"edge_graphics\"><y:PolyLineEdge>"
                    "<y:LineStyle color=\"%s\" type=\"%s\" width=\"1.0\"/>"
                    "<y:Arrows source=\"none\" target=\"%s\"/>",
                    number > 0 ? BG__INK : BG__BLUE, number > 0 ? "line" : "dotted",
                    number > 0 ? "standard" : "plain");
    if (number > 0) {
        ha__strbuf_addf(out, "<y:EdgeLabel>%d</y:EdgeLabel>", number);
    }
    ha__strbuf_add(out, "</y:PolyLineEdge></data>\n");
}

/* What yEd shows of an element. */
static void add_node_graphics(ha__strbuf *out, const bg__element *e)
{
    int length = (int) (strlen(e->type->name) + strlen(e->name)) + 2;

    ha__strbuf_addf(out,
                    "      <data key=\"node_graphics\"><y:ShapeNode>"
                    "<y:Geometry height=\"30.0\" width=\"%d.0\"/><y:NodeLabel>",
                    20 + CHARACTER * length);
    if (!bg__is_junction(e) && strcmp(e->type->name, e->name) != 0) {
        ha__strbuf_add_markup(out, e->type->name);
        ha__strbuf_add(out, ": ");
    }
    ha__strbuf_add_markup(out, e->name);
    ha__strbuf_add(out, "</y:NodeLabel><y:Shape type=\"roundrectangle\"/></y:ShapeNode></data>\n");
}

/* --- nodes ------------------------------------------------------------------------------------ */

/* The components of a value, separated by ` | `; nothing where none is given. */
static ha_status add_values(writer *w, const char *key, const ha_expr *values, int n)
{
    ha__strbuf text = HA_STRBUF(w->graph->ctx);
    ha_status status = HA_OK;

    for (int i = 0; i < n && status == HA_OK; i++) {
        bool is_quantity = ha__is_quantity(w->graph->dag, values[i]);
        ha_expr value = is_quantity ? ha_symbol_definition(w->graph->dag, values[i]) : values[i];
        char *one = value == HA_EXPR_NONE ? NULL : ha_expr_text(w->graph->dag, value);
        status = values[i] != HA_EXPR_NONE && one == NULL ? HA_ERR_MEMORY : HA_OK;
        ha__strbuf_addf(&text, "%s%s", i == 0 ? "" : " | ", one == NULL ? "" : one);
        free(one);
    }
    add_data(w->out, key, ha__strbuf_text(&text));
    HA_THEN(status, text.status);
    return ha__strbuf_drop(&text, status);
}

static ha_status add_law(writer *w, const bg__law *law)
{
    for (int part = 0; part < BG__PART_COUNT && law != NULL; part++) {
        ha_expr value = bg__law_given(law, (bg__law_part) part);
        char key[32];
        snprintf(key, sizeof key, "law_%s", bg__law_part_name((bg__law_part) part));
        HA_TRY(value == HA_EXPR_NONE ? HA_OK : add_values(w, key, &value, 1));
    }
    return HA_OK;
}

static ha_status add_node(writer *w, int element)
{
    const bg__element *e = &w->graph->elements.items[element];
    const bg__extras *extra = bg__extra(e);

    ha__strbuf_addf(w->out, "    <node id=\"n%d\">\n", element);
    add_data(w->out, "name", e->name);
    add_data(w->out, "type", e->type->name);
    HA_TRY(add_values(w, "value", e->value, e->n_values));
    HA_TRY(add_values(w, "start", extra->start, extra->start == NULL ? 0 : e->dim));
    HA_TRY(add_law(w, extra->law));
    add_count(w->out, "dim", e->dim);
    add_data(w->out, "group", e->group == NULL ? "" : e->group);
    add_node_graphics(w->out, e);
    ha__strbuf_add(w->out, "    </node>\n");
    return w->out->status;
}

/* --- edges ------------------------------------------------------------------------------------ */

static void add_strokes(writer *w, int bond, int dim)
{
    ha__strbuf text = HA_STRBUF(w->graph->ctx);

    for (int c = 0; c < dim && w->causality != NULL; c++) {
        bg_stroke stroke = w->is_expanded ? bg_causality_scalar_stroke(w->causality, bond)
                                          : bg_causality_stroke(w->causality, bond, c);
        ha__strbuf_addf(&text, "%s%s", c == 0 ? "" : ",",
                        stroke == BG_STROKE_HEAD   ? "head"
                        : stroke == BG_STROKE_TAIL ? "tail"
                                                   : "");
    }
    add_data(w->out, "stroke", ha__strbuf_text(&text));
    w->out->status = w->out->status == HA_OK ? text.status : w->out->status;
    ha__strbuf_clear(&text);
}

static ha_status add_bond(writer *w, int bond)
{
    const bg__bond *b = &w->graph->bonds.items[bond];
    int number = 0;

    HA_TRY(bg_graph_bond_number(w->graph, bond, &number));
    ha__strbuf_addf(w->out, "    <edge id=\"b%d\" source=\"n%d\" target=\"n%d\">\n", number,
                    b->tail, b->head);
    add_count(w->out, "number", number);
    add_count(w->out, "tail_port", b->tail_port + 1);
    add_count(w->out, "head_port", b->head_port + 1);
    add_count(w->out, "bond_dim", b->dim);
    add_strokes(w, bond, b->dim);
    add_data(w->out, "signal", "");
    add_edge_graphics(w->out, number);
    ha__strbuf_add(w->out, "    </edge>\n");
    return w->out->status;
}

static ha_status index_signals(writer *w)
{
    HA_TRY_GET(w->dag, ha_dag_clone(w->graph->dag));
    w->n_nodes = ha_dag_size(w->dag);
    HA_TRY_ALLOC(w->graph->ctx, w->element_of, w->n_nodes);
    for (size_t i = 0; i < w->graph->elements.count; i++) {
        const bg__element *e = &w->graph->elements.items[i];
        int n = (e->dim > e->dim2 ? e->dim : e->dim2) * (int) BG_SIGNAL_COUNT;
        for (int s = 0; s < n && e->signals != NULL; s++) {
            if (e->signals[s] != HA_EXPR_NONE) {
                w->element_of[e->signals[s]] = (int) i + 1;
            }
        }
    }
    for (size_t i = 0; i < w->graph->rates.count; i++) {
        const bg__rate *rate = &w->graph->rates.items[i];
        ha_symbol_define(w->dag, rate->symbol, rate->argument);
    }
    return HA_OK;
}

/* An edge from every element that the value reads. */
static ha_status add_signals(writer *w, int reader, ha_expr value)
{
    ha_expr *symbols = NULL;
    size_t n = 0;

    if (value == HA_EXPR_NONE) {
        return HA_OK;
    }
    HA_TRY(ha_resolve(w->dag, value, &value));
    HA_TRY(ha_expr_symbols(w->dag, value, &symbols, &n));
    for (size_t i = 0; i < n; i++) {
        int from = symbols[i] < w->n_nodes ? w->element_of[symbols[i]] : 0;
        if (from > 0) {
            ha__strbuf_addf(w->out, "    <edge source=\"n%d\" target=\"n%d\">\n", from - 1, reader);
            add_data(w->out, "stroke", "");
            add_data(w->out, "signal", ha_symbol_name(w->dag, symbols[i]));
            add_edge_graphics(w->out, 0);
            ha__strbuf_add(w->out, "    </edge>\n");
        }
    }
    free(symbols);
    return w->out->status;
}

/* --- the file --------------------------------------------------------------------------------- */

static void add_head(ha__strbuf *out)
{
    static const struct {
        const char *id, *owner, *name, *type;
    } keys[] = {
        { "name", "node", "name", "string" },
        { "type", "node", "type", "string" },
        { "value", "node", "value", "string" },
        { "start", "node", "start", "string" },
        { "dim", "node", "dim", "int" },
        { "group", "node", "group", "string" },
        { "law_e", "node", "law_e", "string" },
        { "law_f", "node", "law_f", "string" },
        { "law_energy", "node", "law_energy", "string" },
        { "law_inverse", "node", "law_inverse", "string" },
        { "number", "edge", "number", "int" },
        { "tail_port", "edge", "tail_port", "int" },
        { "head_port", "edge", "head_port", "int" },
        { "bond_dim", "edge", "dim", "int" },
        { "stroke", "edge", "stroke", "string" },
        { "signal", "edge", "signal", "string" },
    };

    ha__strbuf_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" "
                        "xmlns:y=\"http://www.yworks.com/xml/graphml\">\n");
    for (size_t i = 0; i < HA_COUNT(keys); i++) {
        ha__strbuf_addf(out, "  <key id=\"%s\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>\n",
                        keys[i].id, keys[i].owner, keys[i].name, keys[i].type);
    }
    ha__strbuf_add(out,
                   "  <key id=\"node_graphics\" for=\"node\" yfiles.type=\"nodegraphics\"/>\n"
                   "  <key id=\"edge_graphics\" for=\"edge\" yfiles.type=\"edgegraphics\"/>\n");
    ha__strbuf_add(out, "  <graph id=\"bondgraph\" edgedefault=\"directed\">\n");
}

static ha_status write_all(writer *w)
{
    HA_TRY(index_signals(w));
    add_head(w->out);
    for (size_t i = 0; i < w->graph->elements.count; i++) {
        HA_TRY(add_node(w, (int) i));
    }
    for (size_t i = 0; i < w->graph->bonds.count; i++) {
        HA_TRY(add_bond(w, (int) i));
    }
    for (size_t i = 0; i < w->graph->elements.count; i++) {
        const bg__element *e = &w->graph->elements.items[i];
        const bg__extras *extra = bg__extra(e);
        for (int k = 0; k < e->n_values; k++) {
            HA_TRY(add_signals(w, (int) i, e->value[k]));
        }
        for (int part = 0; part < BG__PART_COUNT && extra->law != NULL; part++) {
            HA_TRY(add_signals(w, (int) i, bg__law_given(extra->law, (bg__law_part) part)));
        }
    }
    ha__strbuf_add(w->out, "  </graph>\n</graphml>\n");
    return w->out->status;
}

ha_status bg_graph_graphml(bg_graph *graph, const bg_causality *causality,
                           const bg_draw_options *options, char **out)
{
    HA_NEED(bg_graph_ctx(graph), graph != NULL && options != NULL && out != NULL);
    ha__strbuf text = HA_STRBUF(bg_graph_ctx(graph));
    writer w = { .graph = graph,
                 .causality = causality,
                 .out = &text,
                 .is_expanded = options->level == BG_DRAW_SCALAR };
    bg_graph *expanded = NULL;

    HA_TRY(bg__check_draw_options(bg_graph_ctx(graph), options));
    if (options->level == BG_DRAW_WORD) {
        return ha_fail(bg_graph_ctx(graph), HA_ERR_ARGUMENT, HA_NOWHERE,
                       "GraphML has no level `word`: each node is an element; use multibond or "
                       "scalar");
    }
    if (w.is_expanded) {
        HA_TRY(bg_graph_expand(graph, &expanded));
        w.graph = expanded;
    }
    ha_status status = write_all(&w);
    ha_dag_free(w.dag);
    ha__free(w.element_of);
    bg_graph_free(expanded);
    return ha__strbuf_finish(&text, status, out);
}
