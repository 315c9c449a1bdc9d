/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Word bond graphs: one box for each group of a graph, elements without group as they are, and
 * between them the bonds that cross from one to another; those of the same two in the same
 * direction are drawn as one with the sum of their dimensions.
 *
 * An instance of a submodel is a box with all that is inside of it; it names the submodel, too. Bonds
 * at different ports of it are drawn one by one, each with the name of its port beside the box.
 */
#include <config.h>

#include "bondgraph/export_priv.h"

#include "bondgraph/graph_priv.h"

#include <stdlib.h>
#include <string.h>

/* A bond between two words, in order of their numbers. */
typedef struct {
    int tail, head;
    const char *ports[2]; /* of instances, at the tail and at the head; "": none */
    int bond; /* its number in the graph */
    int dim;
} word_bond;

/* Whether two bonds join the same: below 0, 0, above 0. */
static int compare_ends(const word_bond *x, const word_bond *y)
{
    int by_port = strcmp(x->ports[0], y->ports[0]);

    if (x->tail != y->tail) {
        return x->tail < y->tail ? -1 : 1;
    }
    if (x->head != y->head) {
        return x->head < y->head ? -1 : 1;
    }
    return by_port != 0 ? by_port : strcmp(x->ports[1], y->ports[1]);
}

static int compare(const void *a, const void *b)
{
    const word_bond *x = a, *y = b;
    int by_ends = compare_ends(x, y);

    return by_ends != 0 ? by_ends : x->bond < y->bond ? -1 : x->bond > y->bond;
}

/* Writes the box of a group; an instance has the name of its submodel below its own. */
static void add_box(const bg_graph *graph, const char *name, ha__strbuf *out)
{
    int instance = ha__symtab_find(&graph->instance_names, name, strlen(name));

    ha__strbuf_add(out, " [shape=box, style=\"rounded,filled\", color=\"#9ca3af\", "
                        "fillcolor=\"#f3f4f6\", margin=\"0.12,0.06\"");
    if (instance >= 0) {
        ha__strbuf_add(out, ", label=<");
        bg__dot_html(out, name);
        ha__strbuf_add(out, "<br/><font point-size=\"9\" color=\"" BG__PALE "\">");
        bg__dot_html(out, graph->instances.items[instance].submodel);
        ha__strbuf_add(out, "</font>>");
    }
    ha__strbuf_add(out, "];\n");
}

/* Writes a node for each word and finds the word of each element. */
static ha_status add_words(const bg_graph *graph, ha__symtab *names, int *word_of, ha__strbuf *out)
{
    for (size_t i = 0; i < graph->elements.count; i++) {
        const bg__element *e = &graph->elements.items[i];
        bool is_group = e->group != NULL && e->group[0] != '\0';
        const char *name = is_group ? e->group : e->name;
        size_t length = is_group ? bg__box_length(graph, name, 0) : strlen(name);
        int is_new = 0;
        HA_TRY(ha__symtab_add(graph->ctx, names, name, length, &word_of[i], &is_new));
        if (is_new) {
            ha__strbuf_add(out, "  ");
            bg__dot_quoted(out, ha__symtab_name(names, word_of[i]));
            if (is_group) {
                add_box(graph, ha__symtab_name(names, word_of[i]), out);
            } else {
                ha__strbuf_add(out, ";\n");
            }
        }
    }
    return HA_OK;
}

static void add_port(const char *port, const char *end, ha__strbuf *out)
{
    if (port[0] != '\0') {
        ha__strbuf_addf(out, ", %slabel=", end);
        bg__dot_quoted(out, port);
    }
}

static void add_bonds(const ha__symtab *names, const word_bond *bonds, size_t n, ha__strbuf *out)
{
    for (size_t i = 0; i < n; i++) {
        const word_bond *bond = &bonds[i];
        int dim = bond->dim;
        while (i + 1 < n && compare_ends(bond, &bonds[i + 1]) == 0) {
            dim += bonds[++i].dim;
        }
        ha__strbuf_add(out, "  ");
        bg__dot_quoted(out, ha__symtab_name(names, bond->tail));
        ha__strbuf_add(out, " -> ");
        bg__dot_quoted(out, ha__symtab_name(names, bond->head));
        ha__strbuf_add(out, dim > 1 ? " [color=\"" BG__INK ":" BG__INK "\""
                                    : " [color=\"" BG__INK "\"");
        if (dim > 1) {
            ha__strbuf_addf(out, ", label=\"%d\"", dim);
        }
        add_port(bond->ports[0], "tail", out);
        add_port(bond->ports[1], "head", out);
        if (bond->ports[0][0] != '\0' || bond->ports[1][0] != '\0') {
            ha__strbuf_add(out, ", minlen=2"); /* room for the names of ports */
        }
        ha__strbuf_add(out, "];\n");
    }
}

/* The bonds between different words, in the order in which they are drawn. */
static size_t find_bonds(const bg_graph *graph, const int *word_of, word_bond *bonds)
{
    size_t n = 0, at = 0;

    for (size_t i = 0; i < graph->bonds.count; i++) {
        const bg__bond *b = &graph->bonds.items[i];
        word_bond *bond = &bonds[n];
        *bond = (word_bond){ word_of[b->tail], word_of[b->head], { "", "" }, (int) i, b->dim };
        for (; at < graph->attachments.count && graph->attachments.items[at].bond == (int) i; at++) {
            const bg__attachment *a = &graph->attachments.items[at];
            bond->ports[a->end] = graph->ports.items[a->port].name;
        }
        n += bond->tail != bond->head;
    }
    qsort(bonds, n, sizeof *bonds, compare);
    return n;
}

ha_status bg__dot_words(const bg_graph *graph, ha__strbuf *out)
{
    ha__symtab names = { 0 };
    int *word_of = ha__alloc(graph->ctx, graph->elements.count, sizeof *word_of);
    word_bond *bonds = ha__alloc(graph->ctx, graph->bonds.count + 1, sizeof *bonds);
    ha_status status = word_of == NULL || bonds == NULL ? HA_ERR_MEMORY
                                                        : add_words(graph, &names, word_of, out);

    if (status == HA_OK) {
        add_bonds(&names, bonds, find_bonds(graph, word_of, bonds), out);
    }
    ha__symtab_clear(&names);
    ha__free(word_of);
    ha__free(bonds);
    return status;
}
