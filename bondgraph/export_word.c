/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Word bond graphs: one box for each group of a graph, elements without group as they are, and
 * between them the bonds that cross from one to another; those of the same two in the same
 * direction are drawn as one with the sum of their dimensions.
 */
#include <config.h>

#include "bondgraph/export_priv.h"

#include "bondgraph/graph_priv.h"

#include <stdlib.h>
#include <string.h>

/* A bond between two words, in order of their numbers. */
typedef struct {
    int tail, head;
    int bond; /* its number in the graph */
    int dim;
} word_bond;

static int compare(const void *a, const void *b)
{
    const word_bond *x = a, *y = b;

    if (x->tail != y->tail) {
        return x->tail < y->tail ? -1 : 1;
    }
    if (x->head != y->head) {
        return x->head < y->head ? -1 : 1;
    }
    return x->bond < y->bond ? -1 : x->bond > y->bond;
}

/* Writes a node for each word and finds the word of each element. */
static ha_status add_words(const bg_graph *graph, ha__symtab *names, int *word_of, ha__strbuf *out)
{
    for (size_t i = 0; i < graph->elements.count; i++) {
        const bg__element *e = &graph->elements.items[i];
        bool is_group = e->group != NULL && e->group[0] != '\0';
        const char *name = is_group ? e->group : e->name;
        int is_new = 0;
        HA_TRY(ha__symtab_add(graph->ctx, names, name, strlen(name), &word_of[i], &is_new));
        if (is_new) {
            ha__strbuf_add(out, "  ");
            bg__dot_quoted(out, name);
            ha__strbuf_add(out, is_group ? " [shape=box, style=\"rounded,filled\", color="
                                           "\"#9ca3af\", fillcolor=\"#f3f4f6\", "
                                           "margin=\"0.12,0.06\"];\n"
                                         : ";\n");
        }
    }
    return HA_OK;
}

static void add_bonds(const ha__symtab *names, const word_bond *bonds, size_t n, ha__strbuf *out)
{
    for (size_t i = 0; i < n; i++) {
        int dim = bonds[i].dim;
        while (i + 1 < n && bonds[i + 1].tail == bonds[i].tail &&
               bonds[i + 1].head == bonds[i].head) {
            dim += bonds[++i].dim;
        }
        ha__strbuf_add(out, "  ");
        bg__dot_quoted(out, ha__symtab_name(names, bonds[i].tail));
        ha__strbuf_add(out, " -> ");
        bg__dot_quoted(out, ha__symtab_name(names, bonds[i].head));
        if (dim > 1) {
            ha__strbuf_addf(out, " [color=\"" BG__INK ":" BG__INK "\", label=\"%d\"];\n", dim);
        } else {
            ha__strbuf_add(out, " [color=\"" BG__INK "\"];\n");
        }
    }
}

static ha_status write_words(const bg_graph *graph, ha__symtab *names, int *word_of,
                             word_bond *bonds, ha__strbuf *out)
{
    size_t n = 0;

    HA_TRY(add_words(graph, names, word_of, out));
    for (size_t i = 0; i < graph->bonds.count; i++) {
        const bg__bond *b = &graph->bonds.items[i];
        if (word_of[b->tail] != word_of[b->head]) {
            bonds[n++] = (word_bond){ word_of[b->tail], word_of[b->head], (int) i, b->dim };
        }
    }
    qsort(bonds, n, sizeof *bonds, compare);
    add_bonds(names, bonds, n, out);
    return HA_OK;
}

ha_status bg__dot_words(const bg_graph *graph, ha__strbuf *out)
{
    ha__symtab names = { 0 };
    int *word_of = ha__alloc(graph->ctx, graph->elements.count, sizeof *word_of);
    word_bond *bonds = ha__alloc(graph->ctx, graph->bonds.count, sizeof *bonds);
    ha_status status = word_of == NULL || bonds == NULL
                           ? HA_ERR_MEMORY
                           : write_words(graph, &names, word_of, bonds, out);

    ha__symtab_clear(&names);
    ha__free(word_of);
    ha__free(bonds);
    return status;
}
