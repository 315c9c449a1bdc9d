/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pictures as DOT text.
 *
 *   half arrow       arrowhead rvee, one barb, at the head, on the right seen from the tail: below
 * a bond that runs to the right causal stroke    a tee at the end where effort arrives: teervee at
 * the head, tee at the tail multibond        a double line with its dimension; where the strokes of
 * its components differ, a tee at both ends, each with the names of its components activated bond
 * a thin line with a full arrow derivative       storages in derivative causality: another colour,
 * thick and dashed conflict         another colour, thick, with a cross at its number and a word at
 * its elements algebraic loop   another colour, thick, with the number of the loop at its elements
 *   element          TYPE: value, its name in the group below; a junction is a bare 0 or 1; bold:
 *                    several components
 *   modulation       thin dotted arrow with a full head from the element whose quantity is read
 *   group            light box; instances of submodels are boxes inside each other
 *   legend           a box with a sample of each sign that occurs
 *
 * Arrows of signals take part in the ranking, with no weight: what is read stands before what reads
 * it. Nodes are called by the names of their elements. Where nodes have places the text asks for
 * the engine nop2, which keeps them.
 */
#include <config.h>

#include "bondgraph/draw/export_priv.h"
#include "bondgraph/draw/export_text.h"

#include <stdio.h>
#include <string.h>

enum {
    LABEL_ANGLE = 24, /* [deg] from the bond to its number, on the side without barb */
    /* nodes, above which lines are straight so that a picture takes seconds: ways between places
       that are kept cost the cube of their number */
    MANY = 300,
    MANY_PLACED = 150
};

#define POINTS 72.0 /* per inch */

/* sizes of arrows: of bonds, activated bonds, signals */
#define BOND_ARROW 0.75
#define ACTIVE_ARROW 0.6
#define SIGNAL_ARROW 0.5

typedef struct {
    const bg__picture *picture;
    bg__dot_use use;
    ha__strbuf *out;
    int block; /* the outermost group that is written, -1: what has no group; ALL: everything */
} writer;

enum { ALL = -2 };

/* --- text ----------------------------------------------------------------------------------- */

static void dot_quoted(ha__strbuf *out, const char *text)
{
    ha__strbuf_add(out, "\"");
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') {
            ha__strbuf_add(out, "\\");
        }
        ha__strbuf_add_bytes(out, (unsigned char) *text < 0x20 ? " " : text, 1);
    }
    ha__strbuf_add(out, "\"");
}

static void add_name(const writer *w, int node)
{
    if (w->use == BG__DOT_SHOW) {
        dot_quoted(w->out, w->picture->nodes.items[node].name);
    } else {
        ha__strbuf_addf(w->out, "n%d", node); /* what is read back */
    }
}

/* A length in points. */
static void add_points(ha__strbuf *out, double inches)
{
    bg__add_decimal(out, inches * POINTS);
}

static void add_point(ha__strbuf *out, const char *before, bg__place at)
{
    ha__strbuf_add(out, before);
    add_points(out, at.x);
    ha__strbuf_add(out, ",");
    add_points(out, at.y);
}

/* --- nodes ---------------------------------------------------------------------------------- */

/* The lines of a label: the first one large, the others small. */
static void add_label(const writer *w, const bg__node *node)
{
    const char *colour = (node->marks & BG__MARK_CONFLICT) != 0 ? BG__RED
                         : (node->marks & BG__MARK_LOOP) != 0   ? BG__VIOLET
                                                                : BG__PALE;

    ha__strbuf_add(w->out, node->is_multi ? "<<b>" : "<");
    ha__strbuf_add_markup(w->out, node->head);
    ha__strbuf_add(w->out, node->is_multi ? "</b>" : "");
    for (size_t i = 0; i < HA_COUNT(node->small); i++) {
        if (node->small[i][0] != '\0') {
            ha__strbuf_addf(w->out, "<br/><font point-size=\"%d\" color=\"%s\">",
                            bg__letters_of(w->picture)->small,
                            i + 1 == HA_COUNT(node->small) || node->small[i + 1][0] == '\0'
                                ? colour
                                : BG__PALE);
            ha__strbuf_add_markup(w->out, node->small[i]);
            ha__strbuf_add(w->out, "</font>");
        }
    }
    ha__strbuf_add(w->out, ">");
}

static void add_node(const writer *w, int number, const char *indent)
{
    const bg__node *node = &w->picture->nodes.items[number];

    ha__strbuf_add(w->out, indent);
    add_name(w, number);
    ha__strbuf_add(w->out, " [label=");
    add_label(w, node);
    if (node->is_box) {
        ha__strbuf_add(w->out, ", shape=box, style=\"rounded,filled\", color=\"#9ca3af\", "
                               "fillcolor=\"#f3f4f6\", margin=\"0.12,0.06\"");
    } else if (node->is_junction) {
        /* round, so that the strokes around it do not cross */
        ha__strbuf_addf(w->out, ", fontsize=%d%s", bg__letters_of(w->picture)->junction,
                        node->small[0][0] != '\0'
                            ? ""
                            : ", shape=circle, penwidth=0, width=0.32, fixedsize=true");
    }
    if (node->tooltip[0] != '\0' && w->use == BG__DOT_SHOW) {
        ha__strbuf_add(w->out, ", tooltip=");
        dot_quoted(w->out, node->tooltip);
    }
    if (w->picture->is_placed) {
        ha__strbuf_add(w->out, ", pos=\"");
        add_points(w->out, node->x);
        ha__strbuf_add(w->out, ",");
        add_points(w->out, node->y);
        ha__strbuf_add(w->out, "\"");
    }
    ha__strbuf_addf(w->out, ", class=\"element %s\"];\n", node->kind);
}

/* --- groups --------------------------------------------------------------------------------- */

/* The nodes by group and the groups by the one around them, as lists; group g has number g + 1, and
   0 is the whole. */
typedef struct {
    int *first, *next;   /* (groups + 1), (nodes): first node of a group, the next one; -1: none */
    int *child, *beside; /* (groups + 1): first group inside, next one beside; 0: none */
} group_tree;

static ha_status make_tree(const bg__picture *p, group_tree *tree)
{
    size_t n = p->groups.count;

    HA_TRY_ALLOC(p->ctx, tree->next, p->nodes.count);
    HA_TRY_ALLOC_EACH(p->ctx, n + 1, tree->first, tree->child, tree->beside);
    for (size_t g = 0; g <= n; g++) {
        tree->first[g] = -1;
    }
    for (size_t i = p->nodes.count; i-- > 0;) { /* so that lists are in order of appearance */
        int group = p->nodes.items[i].group + 1;
        tree->next[i] = tree->first[group];
        tree->first[group] = (int) i;
    }
    for (size_t g = n; g > 0; g--) {
        int parent = p->groups.items[g - 1].parent + 1;
        tree->beside[g] = tree->child[parent];
        tree->child[parent] = (int) g;
    }
    return HA_OK;
}

static void clear_tree(group_tree *tree)
{
    HA_FREE(tree->first, tree->next, tree->child, tree->beside);
}

/* The box around the places of a group. */
static void add_bounds(const writer *w, int group)
{
    bg__box box = bg__group_box(w->picture, group);
    const double sides[] = { box.left, box.bottom, box.right, box.top };

    ha__strbuf_add(w->out, " bb=\"");
    for (int i = 0; i < 4; i++) {
        ha__strbuf_add(w->out, i > 0 ? "," : "");
        add_points(w->out, sides[i]);
    }
    ha__strbuf_add(w->out, "\"; lp=\"");
    add_point(w->out, "", bg__title_place(w->picture, group));
    ha__strbuf_add(w->out, "\";");
}

/* Writes a group and all that are inside of it, `depth` levels down. */
static void add_group(const writer *w, const group_tree *tree, int group, int depth)
{
    static const char blanks[] = "                ";
    int width = 2 * (depth + 1) < (int) sizeof blanks ? 2 * (depth + 1) : (int) sizeof blanks - 1;
    const char *indent = blanks + sizeof blanks - 1 - width;

    if (group > 0) {
        ha__strbuf_addf(w->out, "%ssubgraph \"cluster_%d\" {\n%slabel=", indent + 2, group, indent);
        dot_quoted(w->out, w->picture->groups.items[group - 1].title);
        ha__strbuf_add(w->out, ";");
        if (w->picture->is_placed) {
            add_bounds(w, group - 1);
        }
        ha__strbuf_add(w->out, "\n");
    }
    for (int i = tree->first[group]; i >= 0; i = tree->next[i]) {
        add_node(w, i, indent);
    }
    for (int g = tree->child[group]; g > 0; g = tree->beside[g]) {
        if (group > 0 || w->block == ALL) {
            add_group(w, tree, g, depth + 1);
        }
    }
    if (group > 0) {
        ha__strbuf_addf(w->out, "%s}\n", indent + 2);
    }
}

static void add_groups(const writer *w)
{
    group_tree tree = { 0 };

    if (make_tree(w->picture, &tree) == HA_OK) {
        add_group(w, &tree, w->block == ALL ? 0 : w->block + 1, 0);
    } else {
        w->out->status = HA_ERR_MEMORY;
    }
    clear_tree(&tree);
}

/* --- edges ---------------------------------------------------------------------------------- */

static const char *edge_colour(const bg__edge *edge)
{
    return (edge->marks & BG__MARK_CONFLICT) != 0     ? BG__RED
           : (edge->marks & BG__MARK_DERIVATIVE) != 0 ? BG__ORANGE
           : (edge->marks & BG__MARK_LOOP) != 0       ? BG__VIOLET
           : edge->kind == BG__EDGE_SIGNAL            ? BG__BLUE
                                                      : BG__INK;
}

static void add_line(const writer *w, const bg__edge *edge)
{
    const char *colour = edge_colour(edge);
    bool is_marked = edge->marks != 0;

    if (edge->kind == BG__EDGE_SIGNAL) {
        ha__strbuf_addf(w->out,
                        "arrowhead=normal, arrowtail=none, arrowsize=0.5, style=dotted, "
                        "penwidth=0.7, color=\"%s\", weight=0",
                        colour);
        return;
    }
    if (edge->kind == BG__EDGE_ACTIVE) {
        ha__strbuf_add(w->out, "arrowhead=normal, arrowtail=none, arrowsize=0.6, ");
    } else {
        ha__strbuf_addf(w->out, "arrowhead=%s, arrowtail=%s, ",
                        edge->has_stroke[1] ? "teervee" : "rvee",
                        edge->has_stroke[0] ? "tee" : "none");
    }
    ha__strbuf_addf(w->out, "color=\"%s%s%s\"", colour, edge->dim > 1 ? ":" : "",
                    edge->dim > 1 ? colour : "");
    if (is_marked) {
        ha__strbuf_addf(w->out, ", penwidth=%s", edge->dim > 1 ? "1.3" : "2");
    }
    if ((edge->marks & BG__MARK_CONFLICT) != 0) {
        ha__strbuf_addf(w->out, ", fontcolor=\"%s\"", colour);
    } else if ((edge->marks & BG__MARK_DERIVATIVE) != 0) {
        ha__strbuf_add(w->out, ", style=dashed");
    }
}

/* A label at the place that it has on an edge with places. */
static void add_placed_label(const writer *w, const char *kind, const char *key, const char *text,
                             bg__place at)
{
    ha__strbuf_addf(w->out, ", %slabel=", kind);
    dot_quoted(w->out, text);
    ha__strbuf_addf(w->out, ", %s=\"", key);
    add_point(w->out, "", at);
    ha__strbuf_add(w->out, "\"");
}

static void add_placed_labels(const writer *w, const bg__edge *edge)
{
    static const char *const kinds[2] = { "tail", "head" }, *const keys[2] = { "tail_lp",
                                                                               "head_lp" };
    bool is_alone = edge->label[0][0] == '\0' || edge->label[1][0] == '\0';

    for (int end = 0; end < 2; end++) {
        if (edge->label[end][0] != '\0') {
            add_placed_label(w, is_alone ? "" : kinds[end], is_alone ? "lp" : keys[end],
                             edge->label[end], edge->label_at[end]);
        }
    }
    if (bg__shows_dim(edge)) {
        char text[16];
        snprintf(text, sizeof text, "%d", edge->dim);
        add_placed_label(w, "", "lp", text, edge->dim_at);
    }
}

/* Labels whose places Graphviz finds. */
static void add_edge_labels(const writer *w, const bg__edge *edge)
{
    static const char *const ends[2] = { "tail", "head" };
    bool has_words = false;

    for (int end = 0; end < 2; end++) {
        if (edge->label[end][0] != '\0') {
            ha__strbuf_addf(w->out, ", %slabel=", ends[end]);
            dot_quoted(w->out, edge->label[end]);
            has_words = has_words || edge->number == 0;
        }
    }
    if (edge->label[0][0] != '\0' || edge->label[1][0] != '\0') {
        ha__strbuf_addf(w->out, ", labelangle=%d",
                        edge->label[1][0] != '\0' ? -LABEL_ANGLE : LABEL_ANGLE);
    }
    if (bg__shows_dim(edge)) {
        ha__strbuf_addf(w->out, ", label=\"%d\"", edge->dim);
    }
    if (edge->is_between || has_words) {
        ha__strbuf_add(w->out,
                       ", minlen=2"); /* room for the bonds that cross there, or for words */
    }
}

/* The lengths of what Graphviz draws at the ends of an edge [in]: 10 points for an arrow, a quarter
   of that for a stroke, times arrowsize. */
static double end_length(const bg__edge *edge, bool at_head)
{
    double stroke = edge->has_stroke[at_head] ? 2.5 : 0.0;

    if (!at_head) {
        return stroke * BOND_ARROW / POINTS;
    }
    return edge->kind == BG__EDGE_SIGNAL   ? 10.0 * SIGNAL_ARROW / POINTS
           : edge->kind == BG__EDGE_ACTIVE ? 10.0 * ACTIVE_ARROW / POINTS
                                           : (10.0 + stroke) * BOND_ARROW / POINTS;
}

/* The way of an edge whose places are kept: where its ends are, and the curves between what is
   drawn there. */
static void add_way(const writer *w, const bg__edge *edge)
{
    int n = edge->n_places;

    if (!w->picture->is_placed || n == 0) {
        return;
    }
    bg__place *places = ha__alloc(w->picture->ctx, (size_t) n, sizeof *places);
    if (places == NULL) {
        w->out->status = HA_ERR_MEMORY;
        return;
    }
    memcpy(places, edge->places, (size_t) n * sizeof *places);
    bg__shorten(places, n, false, end_length(edge, false));
    bg__shorten(places, n, true, end_length(edge, true));
    ha__strbuf_add(w->out, ", pos=\"");
    if (edge->has_stroke[0]) {
        add_point(w->out, "s,", edge->places[0]);
    }
    add_point(w->out, edge->has_stroke[0] ? " e," : "e,", edge->places[n - 1]);
    for (int i = 0; i < n; i++) {
        add_point(w->out, " ", places[i]);
    }
    ha__strbuf_add(w->out, "\"");
    ha__free(places);
}

static void add_class(const writer *w, const bg__edge *edge)
{
    if (edge->number > 0) {
        ha__strbuf_addf(w->out, ", id=\"bond-%d\"", edge->number);
    }
    ha__strbuf_addf(w->out, ", class=\"%s%s%s%s\"",
                    edge->kind == BG__EDGE_SIGNAL   ? "signal"
                    : edge->kind == BG__EDGE_ACTIVE ? "bond activated"
                                                    : "bond",
                    (edge->marks & BG__MARK_DERIVATIVE) != 0 ? " derivative" : "",
                    (edge->marks & BG__MARK_CONFLICT) != 0 ? " conflict" : "",
                    (edge->marks & BG__MARK_LOOP) != 0 ? " loop" : "");
}

static void add_edge(const writer *w, const bg__edge *edge)
{
    const bg__node *nodes = w->picture->nodes.items;

    if ((w->block != ALL && (bg__outermost(w->picture, nodes[edge->tail].group) != w->block ||
                             bg__outermost(w->picture, nodes[edge->head].group) != w->block)) ||
        (w->use == BG__DOT_PLACE && edge->n_places > 0)) {
        return;
    }
    ha__strbuf_add(w->out, "  ");
    add_name(w, edge->tail);
    ha__strbuf_add(w->out, " -> ");
    add_name(w, edge->head);
    ha__strbuf_add(w->out, " [");
    if (w->use == BG__DOT_SHOW) {
        add_line(w, edge);
        if (w->picture->is_placed && edge->n_places > 0) {
            add_placed_labels(w, edge);
        } else {
            add_edge_labels(w, edge);
        }
        add_way(w, edge);
        add_class(w, edge);
    } else {
        /* room between the nodes is what labels take in the picture, too */
        ha__strbuf_add(w->out, edge->kind == BG__EDGE_SIGNAL ? "weight=0" : "weight=1");
        add_edge_labels(w, edge);
    }
    ha__strbuf_add(w->out, "];\n");
}

/* --- legend --------------------------------------------------------------------------------- */

/* The sample of a line in the signs of Unicode, whose widths no two fonts agree on: its cell has
   room for the widest. */
static void add_sample(const writer *w, const bg__edge *e)
{
    bool is_dashed = e->kind == BG__EDGE_SIGNAL || (e->marks & BG__MARK_DERIVATIVE) != 0;
    const char *line = e->dim > 1  ? "\xe2\x95\x90\xe2\x95\x90"
                       : is_dashed ? "\xe2\x95\x8c\xe2\x95\x8c"
                                   : "\xe2\x94\x80\xe2\x94\x80";

    ha__strbuf_addf(w->out, "<font color=\"%s\">%s%s%s%s</font>", edge_colour(e),
                    e->has_stroke[0] ? "|" : "", line,
                    e->kind == BG__EDGE_BOND ? "\xe2\x87\x81" : "\xe2\x86\x92",
                    e->has_stroke[1] ? "|" : "");
}

/* As the label of the whole, which has no part in the layout. */
static void add_legend(const writer *w)
{
    bg__sample samples[BG__MOST_SAMPLES];
    int n = bg__picture_legend(w->picture, samples);

    if (n == 0) {
        return;
    }
    ha__strbuf_addf(w->out,
                    "  labelloc=b; labeljust=l; fontsize=%d;\n"
                    "  label=<<table border=\"0\" cellborder=\"0\" cellspacing=\"0\" "
                    "cellpadding=\"1\">\n",
                    bg__letters_of(w->picture)->small);
    for (int i = 0; i < n; i++) {
        ha__strbuf_add(w->out, "    <tr><td align=\"left\" width=\"40\">");
        add_sample(w, samples[i].edge);
        ha__strbuf_add(w->out, "</td><td align=\"left\">");
        ha__strbuf_add_markup(w->out, samples[i].words);
        ha__strbuf_add(w->out, "</td></tr>\n");
    }
    ha__strbuf_add(w->out, "  </table>>;\n");
}

/* --- all of it ------------------------------------------------------------------------------- */

static void add_defaults(const writer *w)
{
    bool is_large = w->picture->nodes.count > MANY;
    const bg__letters *letters = bg__letters_of(w->picture);
    bool is_straight = is_large || (w->picture->is_placed && w->picture->nodes.count > MANY_PLACED);

    ha__strbuf_add(w->out, "  graph [");
    if (w->picture->is_placed) {
        /* nop finds ways between the places, nop2 takes those that are given */
        ha__strbuf_addf(w->out, "layout=%s, notranslate=true, ",
                        w->use == BG__DOT_SHOW ? "nop2" : "nop");
    }
    ha__strbuf_addf(w->out,
                    "rankdir=LR, nodesep=%s, ranksep=%s, splines=%s, "
                    "outputorder=edgesfirst, fontname=\"Helvetica\", fontsize=%d, ",
                    /* of a block: labels go beside the middles of its bonds */
                    w->use == BG__DOT_INSIDE ? letters->between
                    : is_large               ? "0.15"
                                             : "0.22",
                    /* numbers of multibonds are long */
                    w->picture->is_scalar ? "0.5" : "0.65", is_straight ? "line" : "true",
                    letters->title);
    ha__strbuf_add(w->out, is_large ? "nslimit=2, mclimit=0.5, " : "");
    ha__strbuf_addf(w->out,
                    "fontcolor=\"" BG__PALE "\", color=\"#d1d5db\", bgcolor=\"white\", "
                    "style=\"rounded,filled\", fillcolor=\"#f3f4f6\", labeljust=r];\n"
                    "  node [shape=plaintext, margin=\"0.06,0.03\", width=0, height=0, "
                    "fontname=\"Helvetica\", fontsize=%d, fontcolor=\"" BG__INK "\"];\n",
                    letters->head);
    ha__strbuf_addf(w->out,
                    "  edge [dir=%s, arrowhead=rvee, arrowtail=none, arrowsize=0.75, "
                    "labeldistance=2.2, fontname=\"Helvetica\", fontsize=%d, "
                    "fontcolor=\"" BG__PALE "\"];\n",
                    w->use == BG__DOT_SHOW ? "both" : "none", letters->edge);
}

static void add_graph(const writer *w)
{
    ha__strbuf_add(w->out, "digraph bondgraph {\n");
    add_defaults(w);
    add_groups(w);
    for (size_t i = 0; i < w->picture->edges.count; i++) {
        add_edge(w, &w->picture->edges.items[i]);
    }
    if (w->use == BG__DOT_SHOW) {
        add_legend(w);
    }
    ha__strbuf_add(w->out, "}\n");
}

void bg__dot_write(const bg__picture *picture, bg__dot_use use, ha__strbuf *out)
{
    const writer w = { picture, use, out, ALL };

    add_graph(&w);
}

void bg__dot_write_block(const bg__picture *picture, int block, ha__strbuf *out)
{
    const writer w = { picture, BG__DOT_INSIDE, out, block };

    add_graph(&w);
}
