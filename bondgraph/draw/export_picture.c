/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a picture of a bond graph shows at the levels multibond and scalar: a node for each element,
 * an edge for each bond and for each signal, and what is special about them.
 *
 *   number      beside the end with fewer bonds, where there is room
 *   components  where the strokes of a multibond differ it has one at both ends, each with the
 *               names of its components
 *   ports       their numbers, where the half arrows do not tell which is which: a two-port takes
 *               power in at port 1 and gives it at port 2
 *   activated   the bond of a detector, with the letter of what it reads
 *
 * Nothing depends on addresses or on time, so that the same graph gives the same picture.
 */
#include <config.h>

#include "bondgraph/draw/export_priv.h"
#include "bondgraph/expand.h"

#include <string.h>

/* A picture being made. */
typedef struct {
    bg__picture *picture;
    bg_graph *graph;       /* the graph drawn: at the scalar level the expanded one */
    const bg_graph *whole; /* the graph as it was given */
    const bg_causality *causality;
    const bg_draw_options *options;
    bool *in_conflict; /* by scalar bond; NULL without causality */
    int *loop_of;      /* by scalar bond: the algebraic loop from 1, 0: none */
    int *loop_at;      /* by element: likewise */
} maker;

void bg__picture_clear(bg__picture *picture)
{
    HA_ARRAY_CLEAR(&picture->nodes, &picture->edges, &picture->groups);
    ha__arena_clear(&picture->arena);
}

/* --- strokes -------------------------------------------------------------------------------- */

/* The number in the scalar graph of a component of a bond. */
static int scalar_bond(const maker *m, int bond, int component)
{
    return m->graph != m->whole ? bond : m->causality->first_scalar[bond] + component;
}

static bg_stroke stroke_of(const maker *m, int bond, int component)
{
    return m->causality == NULL
               ? BG_STROKE_NONE
               : bg_causality_scalar_stroke(m->causality, scalar_bond(m, bond, component));
}

/* Number of components of a bond whose stroke is there. */
static int count_strokes(const maker *m, int bond, bg_stroke stroke)
{
    int n = 0;

    for (int c = 0; c < m->graph->bonds.items[bond].dim; c++) {
        n += stroke_of(m, bond, c) == stroke;
    }
    return n;
}

/* Whether component `c` of a bond is at a storage that does not have the causality it prefers. */
static bool is_derivative_at(const maker *m, int bond, int c, bool at_head)
{
    const bg__bond *b = &m->graph->bonds.items[bond];
    const bg__type *type = m->graph->elements.items[at_head ? b->head : b->tail].type;
    bg_stroke stroke = stroke_of(m, bond, c);
    int ein = stroke == (at_head ? BG_STROKE_HEAD : BG_STROKE_TAIL);

    return type->stage == BG__STAGE_STORAGE && stroke != BG_STROKE_NONE && ein != type->preferred;
}

static unsigned marks_of(const maker *m, int bond)
{
    unsigned marks = 0;

    for (int c = 0; m->causality != NULL && c < m->graph->bonds.items[bond].dim; c++) {
        int scalar = scalar_bond(m, bond, c);
        if (is_derivative_at(m, bond, c, true) || is_derivative_at(m, bond, c, false)) {
            marks |= BG__MARK_DERIVATIVE;
        }
        marks |= m->in_conflict[scalar] ? BG__MARK_CONFLICT : 0;
        marks |= m->loop_of[scalar] > 0 ? BG__MARK_LOOP : 0;
    }
    return marks;
}

/* The stroke of the first component at each element: HEAD when it is at its own end. */
static ha_status find_own_strokes(const maker *m, bg_stroke **out)
{
    bg_stroke *strokes = ha__alloc(m->graph->ctx, m->graph->elements.count, sizeof *strokes);

    HA_TRY_MEMORY(strokes);
    for (size_t i = 0; i < m->graph->bonds.count; i++) {
        const bg__bond *b = &m->graph->bonds.items[i];
        bg_stroke s = stroke_of(m, (int) i, 0);
        if (s != BG_STROKE_NONE) {
            strokes[b->head] = s == BG_STROKE_HEAD ? BG_STROKE_HEAD : BG_STROKE_TAIL;
            strokes[b->tail] = s == BG_STROKE_TAIL ? BG_STROKE_HEAD : BG_STROKE_TAIL;
        }
    }
    *out = strokes;
    return HA_OK;
}

/* --- nodes ---------------------------------------------------------------------------------- */

static ha_status add_nodes(maker *m)
{
    bg__labeller *labeller = NULL;
    bg_stroke *strokes = NULL;
    ha_status status = bg__labeller_new(m->graph, m->options, &labeller);

    HA_THEN(status, find_own_strokes(m, &strokes));
    for (size_t i = 0; i < m->graph->elements.count && status == HA_OK; i++) {
        bg__node node = { .name = m->graph->elements.items[i].name, .small = { "", "", "", "" } };
        status = bg__label_element(labeller, m->picture, (int) i, strokes[i], &node);
        m->picture->nodes.items[m->picture->nodes.count++] = node;
    }
    bg__labeller_free(labeller);
    ha__free(strokes);
    HA_TRY(status);
    return bg__picture_group(m->picture, m->graph, m->whole);
}

/* Adds a line below the others of a node. */
static void add_line(bg__node *node, const char *line)
{
    size_t i = 0;

    while (i + 1 < HA_COUNT(node->small) && node->small[i][0] != '\0') {
        i++;
    }
    node->small[i] = line;
}

/* Tells the nodes what their bonds are part of; a line says it where colours do not print. */
static ha_status mark_nodes(maker *m)
{
    bg__picture *p = m->picture;

    for (size_t i = 0; i < m->graph->bonds.count && m->causality != NULL; i++) {
        const bg__bond *b = &m->graph->bonds.items[i];
        unsigned marks = p->edges.items[i].marks & ~(unsigned) BG__MARK_DERIVATIVE;
        p->nodes.items[b->tail].marks |= marks;
        p->nodes.items[b->head].marks |= marks;
        for (int c = 0; c < b->dim; c++) {
            int loop = m->loop_of[scalar_bond(m, (int) i, c)];
            m->loop_at[b->tail] = m->loop_at[b->tail] == 0 ? loop : m->loop_at[b->tail];
            m->loop_at[b->head] = m->loop_at[b->head] == 0 ? loop : m->loop_at[b->head];
        }
    }
    for (size_t i = 0; i < p->nodes.count; i++) {
        bg__node *node = &p->nodes.items[i];
        if (m->loop_at[i] > 0) {
            const char *line = ha__arena_format(p->ctx, &p->arena, "loop %d", m->loop_at[i]);
            HA_TRY_MEMORY(line);
            add_line(node, line);
        } else if ((node->marks & BG__MARK_CONFLICT) != 0) {
            add_line(node, "conflict");
        }
    }
    return HA_OK;
}

/* --- bonds ---------------------------------------------------------------------------------- */

/* A detector reads effort or flow and has no power. */
static bool is_detector(const bg__element *e)
{
    return e->type->stage == BG__STAGE_FIXED && e->type->book == BG_BOOK_NONE &&
           e->type->max_ports == 1;
}

/* Whether the half arrow of a bond is at a port the way that power goes there by nature. */
static bool is_natural(const bg__element *e, int port, bool at_head)
{
    return ((e->type->gives_power >> port & 1) != 0) != at_head;
}

/* Whether the half arrows of its bonds leave open which port of an element is which. */
static ha_status find_unclear(const maker *m, bool **out)
{
    bool *is_unclear = ha__alloc(m->graph->ctx, m->graph->elements.count, sizeof *is_unclear);

    HA_TRY_MEMORY(is_unclear);
    for (size_t i = 0; i < m->graph->bonds.count; i++) {
        const bg__bond *b = &m->graph->bonds.items[i];
        for (int at_head = 0; at_head < 2; at_head++) {
            int element = at_head ? b->head : b->tail;
            const bg__element *e = &m->graph->elements.items[element];
            bool has_ports = !bg__is_junction(e) && e->n_ports > 1;
            if (has_ports && (e->is_field || e->n_ports > 2 ||
                              !is_natural(e, at_head ? b->head_port : b->tail_port, at_head))) {
                is_unclear[element] = true;
            }
        }
    }
    *out = is_unclear;
    return HA_OK;
}

/* The names of the components whose stroke is there: what follows the element's own name. */
static void add_component_names(const maker *m, int bond, bg_stroke stroke, ha__strbuf *out)
{
    const bg__bond *b = &m->graph->bonds.items[bond];
    const bg__element *tail = &m->graph->elements.items[b->tail];
    const char *separator = "";

    for (int c = 0; c < b->dim; c++) {
        int own = b->tail_first + c;
        const char *name = bg_element_component(m->graph, b->tail, own < tail->dim ? own : 0);
        size_t length = strlen(tail->name);
        if (stroke_of(m, bond, c) == stroke) {
            ha__strbuf_add(out, separator);
            ha__strbuf_add(out, strlen(name) > length ? name + length + 1 : name);
            separator = ",";
        }
    }
}

static void add_separator(ha__strbuf *text, const char *separator)
{
    if (text->length > 0) {
        ha__strbuf_add(text, separator);
    }
}

/* What stands beside an end of a bond. */
static ha_status label_end(maker *m, int bond, bool at_head, const bool *is_unclear, bg__edge *edge)
{
    const bg__bond *b = &m->graph->bonds.items[bond];
    const bg__element *head = &m->graph->elements.items[b->head];
    int n_tail = m->graph->elements.items[b->tail].n_ports;
    bool has_number = (head->n_ports <= n_tail) == at_head;
    ha__strbuf text = HA_STRBUF(m->graph->ctx);

    if (has_number) {
        ha__strbuf_addf(&text, "%d", edge->number);
        if (b->dim > 1) {
            ha__strbuf_addf(&text, ", n=%d", b->dim);
        }
        if (edge->kind == BG__EDGE_ACTIVE) {
            ha__strbuf_add(&text, head->type->base == 1 ? ": e" : ": f");
        }
        if ((edge->marks & BG__MARK_CONFLICT) != 0) {
            ha__strbuf_add(&text, " \xc3\x97");
        }
    }
    if (edge->has_stroke[0] && edge->has_stroke[1]) {
        add_separator(&text, ": ");
        add_component_names(m, bond, at_head ? BG_STROKE_HEAD : BG_STROKE_TAIL, &text);
    }
    if (is_unclear[at_head ? b->head : b->tail]) {
        add_separator(&text, "; ");
        ha__strbuf_addf(&text, "port %d", (at_head ? b->head_port : b->tail_port) + 1);
    }
    return ha__strbuf_keep(&text, &m->picture->arena, &edge->label[at_head]);
}

static bool is_between_groups(const maker *m, const bg__bond *b)
{
    const char *tail = m->graph->elements.items[b->tail].group;
    const char *head = m->graph->elements.items[b->head].group;

    return tail != NULL && head != NULL && strcmp(tail, head) != 0;
}

static ha_status add_bond(maker *m, int bond, const bool *is_unclear)
{
    const bg__bond *b = &m->graph->bonds.items[bond];
    bool is_active = is_detector(&m->graph->elements.items[b->head]);
    bg__edge edge = { .kind = is_active ? BG__EDGE_ACTIVE : BG__EDGE_BOND,
                      .tail = b->tail,
                      .head = b->head,
                      .dim = b->dim,
                      .marks = marks_of(m, bond),
                      .is_between = is_between_groups(m, b),
                      .label = { "", "" } };

    HA_TRY(bg_graph_bond_number(m->graph, bond, &edge.number));
    if (!is_active) {
        edge.has_stroke[0] = count_strokes(m, bond, BG_STROKE_TAIL) > 0;
        edge.has_stroke[1] = count_strokes(m, bond, BG_STROKE_HEAD) > 0;
    }
    HA_TRY(label_end(m, bond, false, is_unclear, &edge));
    HA_TRY(label_end(m, bond, true, is_unclear, &edge));
    m->picture->edges.items[m->picture->edges.count++] = edge;
    return HA_OK;
}

static ha_status add_bonds(maker *m)
{
    bool *is_unclear = NULL;
    ha_status status = find_unclear(m, &is_unclear);

    for (size_t i = 0; i < m->graph->bonds.count && status == HA_OK; i++) {
        status = add_bond(m, (int) i, is_unclear);
    }
    ha__free(is_unclear);
    return status;
}

/* --- all of it ------------------------------------------------------------------------------ */

static ha_status read_causality(maker *m)
{
    HA_TRY_ALLOC(m->graph->ctx, m->loop_at, m->graph->elements.count);
    if (m->causality == NULL) {
        return HA_OK;
    }
    size_t n = m->causality->system->graph->bonds.count;
    HA_TRY_ALLOC_EACH(m->graph->ctx, n, m->in_conflict, m->loop_of);
    HA_TRY(bg__mark_conflict(m->causality, m->in_conflict));
    return bg__mark_loops(m->causality, m->loop_of);
}

static ha_status make_elements(maker *m)
{
    bg__picture *p = m->picture;

    HA_TRY_ROOM(p->ctx, &p->nodes, m->graph->elements.count);
    HA_TRY_ROOM(p->ctx, &p->edges, m->graph->bonds.count);
    p->is_scalar = bg__graph_is_scalar(m->graph);
    HA_TRY(read_causality(m));
    HA_TRY(add_nodes(m));
    HA_TRY(add_bonds(m));
    HA_TRY(mark_nodes(m));
    return bg__picture_signals(p, m->graph);
}

/* Names and types live in graphs, of which the expanded one is freed: the picture keeps them. */
static ha_status keep_names(bg__picture *p)
{
    for (size_t i = 0; i < p->nodes.count; i++) {
        bg__node *node = &p->nodes.items[i];
        for (int k = 0; k <= BG__LINES; k++) {
            const char **text = k < BG__LINES ? &node->small[k] : &node->name;
            if ((*text)[0] != '\0') {
                HA_TRY_GET(*text, ha__arena_text(p->ctx, &p->arena, *text, strlen(*text)));
            }
        }
    }
    return HA_OK;
}

ha_status bg__picture_make(bg_graph *graph, const bg_causality *causality,
                           const bg_draw_options *options, bg__picture *out)
{
    maker m = {
        .picture = out, .graph = graph, .whole = graph, .causality = causality, .options = options
    };
    bg_graph *expanded = NULL;

    *out = (bg__picture){ .ctx = bg_graph_ctx(graph) };
    HA_TRY(bg__check_draw_options(out->ctx, options));
    out->has_legend = options->has_legend != 0;
    out->has_large_letters = options->has_large_letters != 0;
    if (options->level == BG_DRAW_WORD) {
        return bg__picture_words(out, graph);
    }
    if (options->level == BG_DRAW_SCALAR) {
        HA_TRY(bg_graph_expand(graph, &expanded));
        m.graph = expanded;
    }
    ha_status status = make_elements(&m);
    HA_THEN(status, keep_names(out));
    HA_FREE(m.in_conflict, m.loop_of, m.loop_at);
    bg_graph_free(expanded);
    return status;
}
