/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a picture of a bond graph shows, whatever it is written as: export_picture.c and
 * export_word.c fill it from a graph, export_layout.c places it, export_dot.c and export_tikz.c
 * write it. Not installed.
 */
#ifndef BONDGRAPH_EXPORT_PRIV_H
#define BONDGRAPH_EXPORT_PRIV_H

#include "bondgraph/causality/causality_priv.h"
#include "bondgraph/export.h"
#include "lib/core/strbuf.h"

/* What is special about a node or an edge: a set of these. */
enum {
    BG__MARK_DERIVATIVE = 1, /* a storage that does not have the causality it prefers */
    BG__MARK_CONFLICT = 2,   /* part of a contradiction between strokes */
    BG__MARK_LOOP = 4        /* part of an algebraic loop */
};

enum { BG__LINES = 4 }; /* below the head of a node */

/* An element, a junction, or a box of the word level. Texts live in the picture's arena. */
typedef struct bg__node {
    const char *name;             /* unique in the picture */
    const char *kind;             /* type of the element; "box" */
    const char *head;             /* what is written large: "I: 2 kg", "1", "crank" */
    const char *small[BG__LINES]; /* lines below it; "": none */
    const char *tooltip;          /* "": none */
    int group;                    /* the innermost, -1: none */
    unsigned marks;
    bool is_junction, is_multi, is_box;
    double x, y, width, height; /* centre and size [in], y up; once placed */
} bg__node;

/* What an edge is. */
typedef enum bg__edge_kind {
    BG__EDGE_BOND,
    BG__EDGE_ACTIVE, /* an activated bond: effort or flow is read and carries no power */
    BG__EDGE_SIGNAL  /* a quantity of the tail modulates the head */
} bg__edge_kind;

/* A place [in]. */
typedef struct bg__place {
    double x, y;
} bg__place;

/* A bond or a signal. */
typedef struct bg__edge {
    bg__edge_kind kind;
    int tail, head; /* nodes */
    int number;     /* of the bond; 0: a signal, or several bonds of the word level */
    int dim;
    bool has_stroke[2];    /* at the tail, at the head */
    const char *label[2];  /* beside the tail, beside the head; "": none */
    bg__place label_at[2]; /* their centres; once placed */
    bg__place dim_at;      /* likewise of the dimension, at the word level */
    unsigned marks;
    bool is_between;   /* two groups */
    int n_places;      /* 1 + 3 k points of Bezier curves from tail to head, 0: not placed */
    bg__place *places; /* in the picture's arena */
} bg__edge;

/* A box around elements. */
typedef struct bg__group {
    const char *name;  /* in full */
    const char *title; /* without the names of those around it */
    int parent;        /* -1: none */
} bg__group;

typedef struct bg__picture {
    ha_ctx *ctx;
    ha__arena arena;
    HA_ARRAY(bg__node) nodes;
    HA_ARRAY(bg__edge) edges;
    HA_ARRAY(bg__group) groups; /* those around each before it */
    bool is_scalar;             /* no bond has several components */
    bool has_legend;
    bool has_large_letters;
    bool is_placed; /* its nodes have places, which are to be kept */
} bg__picture;

/* HA_ERR_ARGUMENT when the options do not come from bg_draw_options_default(). */
HA_MUST_CHECK ha_status bg__check_draw_options(ha_ctx *ctx, const bg_draw_options *options);

/* The outermost group around a group; -1 for none. */
int bg__outermost(const bg__picture *picture, int group);

/* Fills an empty picture from a graph; to be cleared also after a failure. */
HA_MUST_CHECK ha_status bg__picture_make(bg_graph *graph, const bg_causality *causality,
                                         const bg_draw_options *options, bg__picture *out);

/* Frees what a picture holds. */
void bg__picture_clear(bg__picture *picture);

/* --- export_group.c --------------------------------------------------------------------------- */

/* The length of the part of a group's name that is the box around it, or inside of the box whose
   name is its first `length` bytes (0: outermost): up to an instance of a submodel, else all of
   it. */
size_t bg__box_length(const bg_graph *graph, const char *group, size_t length);

/* Adds the groups of the elements of `drawn`, whose instances `whole` knows, and tells each node
   its own. */
HA_MUST_CHECK ha_status bg__picture_group(bg__picture *picture, const bg_graph *drawn,
                                          const bg_graph *whole);

/* --- export_label.c --------------------------------------------------------------------------- */

/* What writing the texts of elements needs. */
typedef struct bg__labeller bg__labeller;

/* Prepares it for a graph; freed with bg__labeller_free(). */
HA_MUST_CHECK ha_status bg__labeller_new(bg_graph *graph, const bg_draw_options *options,
                                         bg__labeller **out);
void bg__labeller_free(bg__labeller *labeller);

/* Fills the texts of the node of an element; `own_stroke` is the stroke of its first bond, HEAD: at
   the element. */
HA_MUST_CHECK ha_status bg__label_element(bg__labeller *labeller, bg__picture *picture, int element,
                                          bg_stroke own_stroke, bg__node *node);

/* --- export_signal.c -------------------------------------------------------------------------- */

/* Adds an edge from each element whose quantity the value of another reads; nodes are elements. */
HA_MUST_CHECK ha_status bg__picture_signals(bg__picture *picture, bg_graph *graph);

/* --- export_word.c ---------------------------------------------------------------------------- */

/* Adds one node for each group and for each element without one, and the bonds between them. */
HA_MUST_CHECK ha_status bg__picture_words(bg__picture *picture, const bg_graph *graph);

/* --- export_legend.c -------------------------------------------------------------------------- */

/* A line of the legend: a sample and what it means. */
typedef struct bg__sample {
    const bg__edge *edge; /* NULL: the mark of nodes */
    const char *words;
} bg__sample;

enum { BG__MOST_SAMPLES = 10 };

/* Lists the samples of what occurs in a picture; returns their number. */
int bg__picture_legend(const bg__picture *picture, bg__sample samples[BG__MOST_SAMPLES]);

/* --- export_dot.c ----------------------------------------------------------------------------- */

/* What DOT text is for. */
typedef enum bg__dot_use {
    BG__DOT_SHOW,  /* a picture */
    BG__DOT_PLACE, /* a layout, of which places are read back: no legend, edges without ends */
    BG__DOT_INSIDE /* the layout of one block */
} bg__dot_use;

/* Writes a picture as DOT text; with their places where it is placed. */
void bg__dot_write(const bg__picture *picture, bg__dot_use use, ha__strbuf *out);

/* Writes the graph of a block, to be placed: what is in an outermost group, or, of -1, in none. */
void bg__dot_write_block(const bg__picture *picture, int block, ha__strbuf *out);

/* --- export_arrange.c, export_layout.c, export_room.c ----------------------------------------- */

/* Places the groups and the nodes without group where the options say, the others near to what they
   are bonded to, and leads bonds and signals between them; nothing without places. */
HA_MUST_CHECK ha_status bg__picture_arrange(bg__picture *picture, const bg_draw_options *options);

/* Finds the places of all nodes and edges, by the program `dot` of Graphviz; nothing where they
   have theirs already. */
HA_MUST_CHECK ha_status bg__picture_layout(bg__picture *picture);

/* Finds the places within each block for itself, as one graph would put their columns in line. */
HA_MUST_CHECK ha_status bg__picture_place_blocks(bg__picture *picture);

/* Finds the places of the labels of all edges, whose characters have about that width [in]. */
HA_MUST_CHECK ha_status bg__picture_place_labels(bg__picture *picture, double character);

/* Runs `dot` with a text; as ha__process_run(). */
HA_MUST_CHECK ha_status bg__run_dot(ha_ctx *ctx, const char *const *arguments, const char *text,
                                    char **output, size_t *length);

/* --- export_tikz.c ---------------------------------------------------------------------------- */

/* The first text of a picture that has a letter which pdflatex lacks; NULL: none. */
const char *bg__tikz_foreign(const bg__picture *picture);

/* Writes a picture with places as a LaTeX document. */
void bg__tikz_write(const bg__picture *picture, ha__strbuf *out);

#endif
