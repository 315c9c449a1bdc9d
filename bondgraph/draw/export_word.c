/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Word bond graphs: one box for each group of a graph, elements without group as they are, and
 * between them the bonds that cross from one to another; those of the same two in the same
 * direction are drawn as one with the sum of their dimensions.
 *
 * An instance of a submodel is a box with all that is inside of it; it names the submodel, too.
 * Bonds at different ports of it are drawn one by one, each with the name of its port beside the
 * box.
 */
#include <config.h>

#include "bondgraph/draw/export_priv.h"

#include "bondgraph/graph/graph_priv.h"

#include <stdlib.h>
#include <string.h>

/* A bond between two words, in order of their numbers. */
typedef struct {
    int tail, head;
    const char *ports[2]; /* of instances, at the tail and at the head; "": none */
    int bond;             /* its number in the graph */
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

/* Fills the node of a group; an instance has the name of its submodel below its own. */
static void label_box(const bg_graph *graph, bg__node *node)
{
    int instance = ha__symtab_find(&graph->instance_names, node->name, strlen(node->name));

    node->kind = "box";
    node->is_box = true;
    if (instance >= 0) {
        node->small[0] = graph->instances.items[instance].submodel;
    }
}

/* Adds a node for each word and finds the word of each element. */
static ha_status add_words(bg__picture *p, const bg_graph *graph, ha__symtab *names, int *word_of)
{
    for (size_t i = 0; i < graph->elements.count; i++) {
        const bg__element *e = &graph->elements.items[i];
        bool is_group = e->group != NULL && e->group[0] != '\0';
        const char *name = is_group ? e->group : e->name;
        size_t length = is_group ? bg__box_length(graph, name, 0) : strlen(name);
        int is_new = 0;
        HA_TRY(ha__symtab_add(graph->ctx, names, name, length, &word_of[i], &is_new));
        if (is_new) {
            bg__node node = {
                .kind = e->type->name, .small = { "", "", "", "" }, .tooltip = "", .group = -1
            };
            HA_TRY_GET(node.name, ha__arena_text(p->ctx, &p->arena, name, length));
            node.head = node.name;
            if (is_group) {
                label_box(graph, &node);
            }
            HA_TRY_PUSH(p->ctx, &p->nodes, node);
        }
    }
    return HA_OK;
}

static ha_status add_bonds(bg__picture *p, const word_bond *bonds, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const word_bond *bond = &bonds[i];
        bg__edge edge = { .kind = BG__EDGE_BOND,
                          .tail = bond->tail,
                          .head = bond->head,
                          .dim = bond->dim,
                          .label = { bond->ports[0], bond->ports[1] } };
        while (i + 1 < n && compare_ends(bond, &bonds[i + 1]) == 0) {
            edge.dim += bonds[++i].dim;
        }
        HA_TRY_PUSH(p->ctx, &p->edges, edge);
    }
    return HA_OK;
}

/* The bonds between different words, in the order in which they are drawn. */
static size_t find_bonds(const bg_graph *graph, const int *word_of, word_bond *bonds)
{
    size_t n = 0, at = 0;

    for (size_t i = 0; i < graph->bonds.count; i++) {
        const bg__bond *b = &graph->bonds.items[i];
        word_bond *bond = &bonds[n];
        *bond = (word_bond){ word_of[b->tail], word_of[b->head], { "", "" }, (int) i, b->dim };
        for (; at < graph->attachments.count && graph->attachments.items[at].bond == (int) i;
             at++) {
            const bg__attachment *a = &graph->attachments.items[at];
            bond->ports[a->end] = graph->ports.items[a->port].name;
        }
        n += bond->tail != bond->head;
    }
    qsort(bonds, n, sizeof *bonds, compare);
    return n;
}

ha_status bg__picture_words(bg__picture *picture, const bg_graph *graph)
{
    ha__symtab names = { 0 };
    int *word_of = ha__alloc(graph->ctx, graph->elements.count, sizeof *word_of);
    word_bond *bonds = ha__alloc(graph->ctx, graph->bonds.count + 1, sizeof *bonds);
    ha_status status = word_of == NULL || bonds == NULL
                           ? HA_ERR_MEMORY
                           : add_words(picture, graph, &names, word_of);

    HA_THEN(status, add_bonds(picture, bonds, find_bonds(graph, word_of, bonds)));
    picture->is_scalar = true; /* no numbers that take room */
    ha__symtab_clear(&names);
    HA_FREE(word_of, bonds);
    return status;
}
