/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bond graphs as DOT text.
 *
 *   half arrow       arrowhead lvee, one barb, at the head
 *   causal stroke    a tee at the end where effort arrives: teelvee at the head, tee at the tail
 *   multibond        a double line with its dimension; where the strokes of its components differ,
 *                    a tee at both ends, each with the names of its components
 *   derivative       storages in derivative causality: another colour, thick and dashed
 *   element          TYPE: value, its name in the group below; a junction is a bare 0 or 1; bold:
 *                    several components
 *   residual sink    rSe[alpha,beta] while its effort is a multiplier, rSe: f=0 when it is explicit
 *   modulation       thin dotted arrow with a full head from the element whose quantity is read
 *   group            light box; instances of submodels are boxes inside each other
 *
 * Arrows of signals take part in the ranking, with no weight: what is read stands before what reads
 * it.
 * Nodes are called by the names of their elements. Nothing depends on addresses or on time, so that
 * the same graph gives the same bytes.
 */
#include <config.h>

#include "bondgraph/export_priv.h"

#include "bondgraph/graph_priv.h"
#include "lib/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_VALUE = 28,    /* characters of a value in the picture; the tooltip has it all */
    MAX_LISTED = 4,    /* components whose values are listed */
    DIGITS = 4,        /* significant digits of a value in the picture */
    LABEL_ANGLE = 24,  /* [deg] from the bond to its number, on the side without barb */
    MAX_DEPTH = 8      /* definitions inside definitions that arrows follow */
};

#define DERIVATIVE "#c2410c"
#define SIGNAL "#2563eb"

/* A picture being written. */
typedef struct {
    bg_graph *graph;    /* the graph drawn: at the scalar level the expanded one */
    const bg_graph *whole; /* the graph as it was given */
    bool is_expanded;
    const bg_causality *causality;
    const bg_draw_options *options;
    ha__strbuf out;
    int *reader_of;     /* (elements) modulated element whose arrow from here was drawn last, + 1 */
    int *element_of;    /* (nodes of the dag) the element whose quantity a symbol is, + 1 */
    int *rate_of;       /* (nodes of the dag) the rate that a symbol is, + 1 */
    int *output_of;     /* (nodes of the dag) the output that a symbol alone is, + 1 */
    size_t n_symbols;
} picture;

/* --- text ----------------------------------------------------------------------------------- */

/* A number with few digits. Up to 1e22 powers of ten are exact, so that the quotient is the double
   nearest to the rounded decimal and prints short. */
static void add_rounded(ha__strbuf *out, double x)
{
    double size = fabs(x);
    double shift = 0.0;

    if (size > 0.0 && isfinite(x)) {
        shift = DIGITS - 1 - floor(log10(size));
        if (shift > 0.0 && shift <= 22.0) {
            x = round(x * pow(10.0, shift)) / pow(10.0, shift);
        }
    }
    ha__strbuf_add_short_number(out, x);
}

/* Adds a text cut to MAX_VALUE characters. */
static void add_cut(ha__strbuf *out, const char *text)
{
    size_t length = 0;
    int n = 0;

    for (; text[length] != '\0'; length++) {
        /* bytes 10xxxxxx continue a character */
        if (((unsigned char) text[length] & 0xc0) != 0x80 && n++ == MAX_VALUE) {
            break;
        }
    }
    ha__strbuf_add_bytes(out, text, length);
    if (text[length] != '\0') {
        ha__strbuf_add(out, "\xe2\x80\xa6");
    }
}

/* A name without the group that the element is drawn in; NULL when nothing is left. */
static const char *short_name(const char *name, const char *group)
{
    size_t length = group == NULL ? 0 : strlen(group);

    if (length == 0 || strncmp(name, group, length) != 0) {
        return name;
    }
    return name[length] == '.' ? name + length + 1 : name[length] == '\0' ? NULL : name;
}

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '.' || ((unsigned char) c & 0x80) != 0;
}

/* How the picture calls a quantity: by the output that it is, in its group. */
static const char *symbol_name(const picture *p, ha_expr symbol, const char *group)
{
    const char *name = ha_symbol_name(p->graph->dag, symbol);
    const char *found = NULL;

    if ((size_t) symbol < p->n_symbols && p->output_of[symbol] > 0) {
        name = p->graph->outputs.items[p->output_of[symbol] - 1].name;
    }
    found = short_name(name, group);
    return found == NULL ? name : found;
}

/* Adds the text of an expression with its `n` symbols called as the picture does. */
static void add_renamed(const picture *p, ha__strbuf *out, const char *text,
                        const ha_expr *symbols, size_t n, const char *group)
{
    while (*text != '\0') {
        size_t length = 0;
        const char *name = NULL;
        while (is_name_byte(text[length])) {
            length++;
        }
        for (size_t i = 0; i < n && length > 0 && name == NULL; i++) {
            const char *own = ha_symbol_name(p->graph->dag, symbols[i]);
            if (strlen(own) == length && strncmp(own, text, length) == 0) {
                name = symbol_name(p, symbols[i], group);
            }
        }
        length = length == 0 ? 1 : length;
        if (name != NULL) {
            ha__strbuf_add(out, name);
        } else {
            ha__strbuf_add_bytes(out, text, length);
        }
        text += length;
    }
}

static void add_expression(picture *p, ha__strbuf *out, ha_expr value, const char *group)
{
    ha_expr *symbols = NULL;
    size_t n = 0;
    char *text = ha_expr_text(p->graph->dag, value);

    if (text == NULL || ha_expr_symbols(p->graph->dag, value, &symbols, &n) != HA_OK) {
        out->status = HA_ERR_MEMORY;
    } else {
        add_renamed(p, out, text, symbols, n, group);
    }
    free(text);
    free(symbols);
}

static void add_value(picture *p, ha__strbuf *out, ha_expr value, const char *group)
{
    double x = 0.0;

    if (value == HA_EXPR_NONE) {
        ha__strbuf_add(out, "?");
    } else if (ha_expr_is_constant(p->graph->dag, value, &x)) {
        add_rounded(out, x);
    } else {
        add_expression(p, out, value, group);
    }
}

/* --- strokes -------------------------------------------------------------------------------- */

static bg_stroke stroke_of(const picture *p, bg_bond bond, int component)
{
    if (p->causality == NULL) {
        return BG_STROKE_NONE;
    }
    return p->is_expanded ? bg_causality_scalar_stroke(p->causality, bond)
                               : bg_causality_stroke(p->causality, bond, component);
}

/* Whether component `c` of a bond is at a storage that does not have the causality it prefers. */
static bool is_derivative_at(const picture *p, bg_bond bond, int c, bool at_head)
{
    const bg__bond *b = &p->graph->bonds.items[bond];
    const bg__type *type = p->graph->elements.items[at_head ? b->head : b->tail].type;
    bg_stroke stroke = stroke_of(p, bond, c);
    int ein = stroke == (at_head ? BG_STROKE_HEAD : BG_STROKE_TAIL);

    return type->stage == BG__STAGE_STORAGE && stroke != BG_STROKE_NONE && ein != type->preferred;
}

static bool is_derivative(const picture *p, bg_bond bond)
{
    for (int c = 0; c < p->graph->bonds.items[bond].dim; c++) {
        if (is_derivative_at(p, bond, c, true) || is_derivative_at(p, bond, c, false)) {
            return true;
        }
    }
    return false;
}

/* Number of components of a bond whose stroke is there. */
static int count_strokes(const picture *p, bg_bond bond, bg_stroke stroke)
{
    int n = 0;

    for (int c = 0; c < p->graph->bonds.items[bond].dim; c++) {
        n += stroke_of(p, bond, c) == stroke;
    }
    return n;
}

/* --- elements ------------------------------------------------------------------------------- */

/* How a residual sink is written: it depends on which side of its bond is unknown. */
static void add_sink(picture *p, int number, const bg_stroke *strokes)
{
    const bg__element *e = &p->graph->elements.items[number];
    bool is_effort = e->type->name[1] == 'e'; /* Re imposes an effort, Rf a flow */
    int ein = strokes[number] == BG_STROKE_HEAD;
    bool is_known = strokes[number] != BG_STROKE_NONE;
    const bg_draw_options *o = p->options;

    ha__strbuf_add(&p->out, is_effort ? "rSe" : "rSf");
    if (is_known && ein == e->type->preferred) {
        ha__strbuf_add(&p->out, is_effort ? ": f=0" : ": e=0");
    } else if (is_known) {
        ha__strbuf_add(&p->out, "[");
        if (isnan(o->alpha)) {
            ha__strbuf_add(&p->out, "\xce\xb1");
        } else {
            add_rounded(&p->out, o->alpha);
        }
        ha__strbuf_add(&p->out, ",");
        if (isnan(o->beta)) {
            ha__strbuf_add(&p->out, "\xce\xb2");
        } else {
            add_rounded(&p->out, o->beta);
        }
        ha__strbuf_add(&p->out, "]");
    }
}

/* 1 when all values of an element are the same, else their number. */
static int count_different(const bg__element *e)
{
    for (int i = 1; i < e->n_values; i++) {
        if (e->value[i] != e->value[0]) {
            return e->n_values;
        }
    }
    return e->n_values > 0 ? 1 : 0;
}

static void add_values(picture *p, ha__strbuf *out, const bg__element *e)
{
    int n = count_different(e);

    for (int i = 0; i < n; i++) {
        if (i > 0) {
            ha__strbuf_add(out, ", ");
        }
        add_value(p, out, e->value[i], e->group);
    }
}

static void add_value_text(picture *p, const bg__element *e)
{
    ha__strbuf text = HA_STRBUF(p->graph->ctx);
    ha__strbuf cut = HA_STRBUF(p->graph->ctx);

    add_values(p, &text, e);
    add_cut(&cut, ha__strbuf_text(&text));
    bg__dot_html(&p->out, ha__strbuf_text(&cut));
    if (text.status != HA_OK || cut.status != HA_OK) {
        p->out.status = HA_ERR_MEMORY;
    }
    ha__strbuf_clear(&text);
    ha__strbuf_clear(&cut);
}

static void add_tooltip(picture *p, const bg__element *e)
{
    ha__strbuf text = HA_STRBUF(p->graph->ctx);

    ha__strbuf_addf(&text, "%s %s", e->type->title, e->name);
    if (e->n_values > 0) {
        ha__strbuf_add(&text, ": ");
        add_values(p, &text, e);
    }
    ha__strbuf_add(&p->out, ", tooltip=");
    bg__dot_quoted(&p->out, ha__strbuf_text(&text));
    if (text.status != HA_OK) {
        p->out.status = HA_ERR_MEMORY;
    }
    ha__strbuf_clear(&text);
}

static void begin_small_line(picture *p)
{
    ha__strbuf_add(&p->out, "<br/><font point-size=\"9\" color=\"" BG__PALE "\">");
}

/* The label of an element: TYPE: value, or several values on a line of their own, and below the
   name unless that says no more. */
static void add_element_label(picture *p, int number, const bg_stroke *strokes)
{
    const bg__element *e = &p->graph->elements.items[number];
    const char *name = short_name(e->name, e->group);
    bool is_multi = e->dim > 1 || e->dim2 > 1;
    int n_values = e->dim2 > 0 || e->n_values > MAX_LISTED ? 0 : count_different(e);

    ha__strbuf_add(&p->out, is_multi ? "<<b>" : "<");
    if (e->type->stage == BG__STAGE_SINK) {
        add_sink(p, number, strokes);
    } else {
        ha__strbuf_add(&p->out, e->type->name);
    }
    ha__strbuf_add(&p->out, is_multi ? "</b>" : "");
    if (n_values == 1) {
        ha__strbuf_add(&p->out, ": ");
        add_value_text(p, e);
    } else if (n_values > 1) {
        begin_small_line(p);
        add_value_text(p, e);
        ha__strbuf_add(&p->out, "</font>");
    }
    if (!bg__is_junction(e) && name != NULL && strcmp(name, e->type->name) != 0) {
        begin_small_line(p);
        bg__dot_html(&p->out, name);
        ha__strbuf_add(&p->out, "</font>");
    }
    ha__strbuf_add(&p->out, ">");
}

static void add_node(picture *p, int number, const bg_stroke *strokes, const char *indent)
{
    const bg__element *e = &p->graph->elements.items[number];

    ha__strbuf_add(&p->out, indent);
    bg__dot_quoted(&p->out, e->name);
    ha__strbuf_add(&p->out, " [label=");
    add_element_label(p, number, strokes);
    if (bg__is_junction(e)) {
        ha__strbuf_add(&p->out, ", fontsize=15, width=0.22, height=0.26, fixedsize=true");
    }
    add_tooltip(p, e);
    ha__strbuf_addf(&p->out, ", class=\"element %s\"];\n", e->type->name);
}

/* The ein side of each one-port: BG_STROKE_HEAD when its (first) stroke is at its own end. */
static ha_status find_own_strokes(const picture *p, bg_stroke **out)
{
    bg_stroke *strokes = ha__alloc(p->graph->ctx, p->graph->elements.count, sizeof *strokes);

    if (strokes == NULL) {
        return HA_ERR_MEMORY;
    }
    for (size_t i = 0; i < p->graph->bonds.count; i++) {
        const bg__bond *b = &p->graph->bonds.items[i];
        bg_stroke s = stroke_of(p, (bg_bond) i, 0);
        if (s != BG_STROKE_NONE) {
            strokes[b->head] = s == BG_STROKE_HEAD ? BG_STROKE_HEAD : BG_STROKE_TAIL;
            strokes[b->tail] = s == BG_STROKE_TAIL ? BG_STROKE_HEAD : BG_STROKE_TAIL;
        }
    }
    *out = strokes;
    return HA_OK;
}

/* --- groups --------------------------------------------------------------------------------- */

/* The groups in order of appearance, those around each before it, and the group of each element, -1:
   none. */
static ha_status find_groups(const picture *p, ha__symtab *names, int *group_of)
{
    for (size_t i = 0; i < p->graph->elements.count; i++) {
        const char *group = p->graph->elements.items[i].group;
        size_t length = 0;
        group_of[i] = -1;
        while (group != NULL && group[length] != '\0') {
            length = bg__box_length(p->whole, group, length);
            HA_TRY(ha__symtab_add(p->graph->ctx, names, group, length, &group_of[i], NULL));
        }
    }
    return HA_OK;
}

/* The elements sorted by group, keeping their order: first[g] is the first of group g. */
static ha_status sort_by_group(const picture *p, const int *group_of, int n_groups, int **first,
                               int **members)
{
    size_t n = p->graph->elements.count;

    HA_TRY_ALLOC(p->graph->ctx, *first, n_groups + 2);
    HA_TRY_ALLOC(p->graph->ctx, *members, n);
    /* group -1 counts as 0 */
    for (size_t i = 0; i < n; i++) {
        (*first)[group_of[i] + 2]++;
    }
    for (int g = 1; g <= n_groups + 1; g++) {
        (*first)[g] += (*first)[g - 1];
    }
    for (size_t i = 0; i < n; i++) {
        (*members)[(*first)[group_of[i] + 1]++] = (int) i;
    }
    for (int g = n_groups + 1; g > 0; g--) {
        (*first)[g] = (*first)[g - 1];
    }
    (*first)[0] = 0;
    return HA_OK;
}

/* The groups as a tree; group g has number g + 1, and 0 is the whole. */
typedef struct {
    const ha__symtab *names;
    const int *first, *members; /* elements by group */
    int *child, *next;          /* (groups + 1) first group inside, next one beside; 0: none */
} group_tree;

/* The length of the name of the instance around a group, 0: none. */
static size_t outer_length(const picture *p, const char *name)
{
    size_t outer = 0;

    for (size_t next = bg__box_length(p->whole, name, 0); name[next] != '\0';
         next = bg__box_length(p->whole, name, next)) {
        outer = next;
    }
    return outer;
}

static ha_status make_tree(const picture *p, group_tree *tree)
{
    int n = (int) tree->names->names.count;

    HA_TRY_ALLOC(p->graph->ctx, tree->child, n + 1);
    HA_TRY_ALLOC(p->graph->ctx, tree->next, n + 1);
    for (int g = n; g > 0; g--) { /* so that lists are in order of appearance */
        const char *name = ha__symtab_name(tree->names, g - 1);
        size_t outer = outer_length(p, name);
        int parent = outer == 0 ? 0 : ha__symtab_find(tree->names, name, outer) + 1;
        tree->next[g] = tree->child[parent];
        tree->child[parent] = g;
    }
    return HA_OK;
}

/* Writes a group and all that are inside of it, `depth` levels down. */
static void add_group(picture *p, const group_tree *tree, int group, int depth,
                      const bg_stroke *strokes)
{
    static const char blanks[] = "                ";
    int width = 2 * (depth + 1) < (int) sizeof blanks ? 2 * (depth + 1) : (int) sizeof blanks - 1;
    const char *indent = blanks + sizeof blanks - 1 - width;

    if (group > 0) {
        const char *name = ha__symtab_name(tree->names, group - 1);
        size_t outer = outer_length(p, name);
        ha__strbuf_addf(&p->out, "%ssubgraph \"cluster_%d\" {\n%slabel=", indent + 2, group, indent);
        bg__dot_quoted(&p->out, name + outer + (outer > 0));
        ha__strbuf_add(&p->out, ";\n");
    }
    for (int i = tree->first[group]; i < tree->first[group + 1]; i++) {
        add_node(p, tree->members[i], strokes, indent);
    }
    for (int g = tree->child[group]; g > 0; g = tree->next[g]) {
        add_group(p, tree, g, depth + 1, strokes);
    }
    if (group > 0) {
        ha__strbuf_addf(&p->out, "%s}\n", indent + 2);
    }
}

static ha_status add_groups(picture *p, const ha__symtab *names, const int *first,
                            const int *members, const bg_stroke *strokes)
{
    group_tree tree = { .names = names, .first = first, .members = members };
    ha_status status = make_tree(p, &tree);

    if (status == HA_OK) {
        add_group(p, &tree, 0, 0, strokes);
    }
    ha__free(tree.child);
    ha__free(tree.next);
    return status;
}

/* --- bonds ---------------------------------------------------------------------------------- */

/* The names of the components whose stroke is there: what follows the element's own name. */
static void add_component_names(picture *p, bg_bond bond, bg_stroke stroke)
{
    const bg__bond *b = &p->graph->bonds.items[bond];
    const bg__element *tail = &p->graph->elements.items[b->tail];
    const char *separator = "";

    for (int c = 0; c < b->dim; c++) {
        int own = b->tail_first + c;
        const char *name = bg_element_component(p->graph, b->tail, own < tail->dim ? own : 0);
        size_t length = strlen(tail->name);
        if (stroke_of(p, bond, c) == stroke) {
            ha__strbuf_add(&p->out, separator);
            ha__strbuf_add(&p->out, strlen(name) > length ? name + length + 1 : name);
            separator = ",";
        }
    }
}

/* The number of a bond and its dimension, and where its components differ the names of those whose
   stroke is at this end. The number stands at the end with fewer bonds, where there is room. */
static void add_end_label(picture *p, bg_bond bond, bool at_head, int number, bool is_mixed)
{
    const bg__bond *b = &p->graph->bonds.items[bond];
    int n_head = p->graph->elements.items[b->head].n_ports;
    int n_tail = p->graph->elements.items[b->tail].n_ports;
    bool has_number = (n_head <= n_tail) == at_head;

    if (!has_number && !is_mixed) {
        return;
    }
    ha__strbuf_addf(&p->out, ", %slabel=\"", at_head ? "head" : "tail");
    if (has_number) {
        ha__strbuf_addf(&p->out, "%d", number);
        if (b->dim > 1) {
            ha__strbuf_addf(&p->out, ", n=%d", b->dim);
        }
        ha__strbuf_add(&p->out, is_mixed ? ": " : "");
    }
    if (is_mixed) {
        add_component_names(p, bond, at_head ? BG_STROKE_HEAD : BG_STROKE_TAIL);
    }
    ha__strbuf_addf(&p->out, "\", labelangle=%d", at_head ? LABEL_ANGLE : -LABEL_ANGLE);
}

static void add_ends(picture *p, bg_bond bond, int number)
{
    int at_head = count_strokes(p, bond, BG_STROKE_HEAD);
    int at_tail = count_strokes(p, bond, BG_STROKE_TAIL);
    bool is_mixed = at_head > 0 && at_tail > 0;

    ha__strbuf_addf(&p->out, "arrowhead=%s, arrowtail=%s", at_head > 0 ? "teelvee" : "lvee",
                    at_tail > 0 ? "tee" : "none");
    add_end_label(p, bond, true, number, is_mixed);
    add_end_label(p, bond, false, number, is_mixed);
}

static bool is_between_groups(const picture *p, const bg__bond *b)
{
    const char *tail = p->graph->elements.items[b->tail].group;
    const char *head = p->graph->elements.items[b->head].group;

    return tail != NULL && head != NULL && strcmp(tail, head) != 0;
}

static ha_status add_bond(picture *p, bg_bond bond)
{
    const bg__bond *b = &p->graph->bonds.items[bond];
    bool is_dependent = is_derivative(p, bond);
    const char *colour = is_dependent ? DERIVATIVE : BG__INK;
    int number = 0;

    HA_TRY(bg_graph_bond_number(p->graph, bond, &number));
    ha__strbuf_add(&p->out, "  ");
    bg__dot_quoted(&p->out, p->graph->elements.items[b->tail].name);
    ha__strbuf_add(&p->out, " -> ");
    bg__dot_quoted(&p->out, p->graph->elements.items[b->head].name);
    ha__strbuf_add(&p->out, " [");
    add_ends(p, bond, number);
    if (b->dim > 1) {
        ha__strbuf_addf(&p->out, ", color=\"%s:%s\"", colour, colour);
    } else {
        ha__strbuf_addf(&p->out, ", color=\"%s\"", colour);
    }
    if (is_dependent) {
        ha__strbuf_addf(&p->out, ", penwidth=%s, style=dashed", b->dim > 1 ? "1.3" : "2");
    }
    if (is_between_groups(p, b)) {
        ha__strbuf_add(&p->out, ", minlen=2"); /* room for the bonds that cross there */
    }
    ha__strbuf_addf(&p->out, ", id=\"bond-%d\", class=\"bond%s\"];\n", number,
                    is_dependent ? " derivative" : "");
    return HA_OK;
}

/* --- modulation ----------------------------------------------------------------------------- */

static ha_status index_symbols(picture *p)
{
    bg_graph *g = p->graph;

    p->n_symbols = (size_t) ha_dag_size(g->dag);
    HA_TRY_ALLOC(g->ctx, p->element_of, p->n_symbols);
    HA_TRY_ALLOC(g->ctx, p->rate_of, p->n_symbols);
    HA_TRY_ALLOC(g->ctx, p->output_of, p->n_symbols);
    HA_TRY_ALLOC(g->ctx, p->reader_of, g->elements.count);
    for (size_t i = 0; i < g->elements.count; i++) {
        const bg__element *e = &g->elements.items[i];
        int n = (e->dim > e->dim2 ? e->dim : e->dim2) * (int) BG_SIGNAL_COUNT;
        for (int s = 0; s < n && e->signals != NULL; s++) {
            if (e->signals[s] != HA_EXPR_NONE) {
                p->element_of[e->signals[s]] = (int) i + 1;
            }
        }
    }
    for (size_t i = 0; i < g->rates.count; i++) {
        p->rate_of[g->rates.items[i].symbol] = (int) i + 1;
    }
    for (size_t i = 0; i < g->outputs.count; i++) {
        if (g->outputs.items[i].value != HA_EXPR_NONE) {
            p->output_of[g->outputs.items[i].value] = (int) i + 1;
        }
    }
    return HA_OK;
}

static void add_signal(picture *p, int from, int to)
{
    if (from == to || p->reader_of[from] == to + 1) {
        return;
    }
    p->reader_of[from] = to + 1;
    ha__strbuf_add(&p->out, "  ");
    bg__dot_quoted(&p->out, p->graph->elements.items[from].name);
    ha__strbuf_add(&p->out, " -> ");
    bg__dot_quoted(&p->out, p->graph->elements.items[to].name);
    ha__strbuf_add(&p->out, " [arrowhead=normal, arrowtail=none, arrowsize=0.5, style=dotted, "
                            "penwidth=0.7, color=\"" SIGNAL "\", weight=0, class=\"signal\"];\n");
}

/* Draws an arrow from every element whose quantity `value` reads; rates and symbols that stand for
   something are read through. */
static ha_status add_signals_of(picture *p, int reader, ha_expr value, int depth)
{
    ha_expr *symbols = NULL;
    size_t n = 0;
    ha_status status = HA_OK;

    if (value == HA_EXPR_NONE || ha_expr_is_constant(p->graph->dag, value, NULL) ||
        depth > MAX_DEPTH) {
        return HA_OK;
    }
    HA_TRY(ha_expr_symbols(p->graph->dag, value, &symbols, &n));
    for (size_t i = 0; i < n && status == HA_OK; i++) {
        size_t s = (size_t) symbols[i];
        if (s < p->n_symbols && p->element_of[s] > 0) {
            add_signal(p, p->element_of[s] - 1, reader);
        } else if (s < p->n_symbols && p->rate_of[s] > 0) {
            status = add_signals_of(p, reader, p->graph->rates.items[p->rate_of[s] - 1].argument,
                                    depth + 1);
        } else {
            status = add_signals_of(p, reader, ha_symbol_definition(p->graph->dag, symbols[i]),
                                    depth + 1);
        }
    }
    free(symbols);
    return status;
}

static ha_status add_signals(picture *p)
{
    for (size_t i = 0; i < p->graph->elements.count; i++) {
        const bg__element *e = &p->graph->elements.items[i];
        for (int k = 0; k < e->n_values; k++) {
            HA_TRY(add_signals_of(p, (int) i, e->value[k], 0));
        }
    }
    return HA_OK;
}

/* --- all of it ------------------------------------------------------------------------------- */

static ha_status add_elements(picture *p, ha__symtab *names, int *group_of)
{
    int *first = NULL, *members = NULL;
    bg_stroke *strokes = NULL;
    ha_status status = find_groups(p, names, group_of);

    if (status == HA_OK) {
        status = sort_by_group(p, group_of, (int) names->names.count, &first, &members);
    }
    if (status == HA_OK) {
        status = find_own_strokes(p, &strokes);
    }
    if (status == HA_OK) {
        status = add_groups(p, names, first, members, strokes);
    }
    ha__free(first);
    ha__free(members);
    ha__free(strokes);
    return status;
}

static ha_status add_all(picture *p)
{
    ha__symtab names = { 0 };
    int *group_of = NULL;
    ha_status status = HA_OK;

    HA_TRY(index_symbols(p));
    HA_TRY_ALLOC(p->graph->ctx, group_of, p->graph->elements.count);
    status = add_elements(p, &names, group_of);

    ha__symtab_clear(&names);
    ha__free(group_of);
    HA_TRY(status);
    if (!bg__graph_is_scalar(p->graph)) {
        ha__strbuf_add(&p->out, "  graph [ranksep=0.65];\n"); /* numbers of multibonds are long */
    }
    for (int b = 0; b < (int) p->graph->bonds.count; b++) {
        HA_TRY(add_bond(p, b));
    }
    return add_signals(p);
}

ha_status bg__dot_elements(bg_graph *graph, bg_graph *expanded, const bg_causality *causality,
                           const bg_draw_options *options, ha__strbuf *out)
{
    picture p = { .graph = expanded != NULL ? expanded : graph, .whole = graph, .is_expanded = expanded != NULL,
                  .causality = causality, .options = options, .out = *out };
    ha_status status = add_all(&p);

    ha__free(p.reader_of);
    ha__free(p.element_of);
    ha__free(p.rate_of);
    ha__free(p.output_of);
    *out = p.out;
    return status;
}
