/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Pictures of bond graphs: half arrows, causal strokes, multibonds as double lines, modulating
 * signals as thin arrows. In an SVG the group of bond number 12 has the id `bond-12`.
 */
#ifndef BONDGRAPH_EXPORT_H
#define BONDGRAPH_EXPORT_H

#include "bondgraph/causality.h"

HA_BEGIN_DECLS

/** How much a picture shows. */
typedef enum bg_draw_level {
    BG_DRAW_WORD,       /**< one box for each group, without strokes */
    BG_DRAW_MULTIBOND,  /**< the graph as it is */
    BG_DRAW_SCALAR,     /**< every component drawn for itself */
    BG_DRAW_LEVEL_COUNT /**< number of levels */
} bg_draw_level;

/** Where a part of a model is, for a picture that has its shape. */
typedef struct bg_draw_place {
    const char *name; /**< a group, or an element without group */
    double x;         /**< to the right; in any unit, the same for all */
    double y;         /**< up */
} bg_draw_place;

/** What to draw; start from bg_draw_options_default(). */
typedef struct bg_draw_options {
    bg_draw_level level; /**< BG_DRAW_MULTIBOND by default */
    double alpha;        /**< printed at residual sinks [1/s]; NAN, the default: the Greek letter */
    double beta;         /**< likewise */
    int has_legend;      /**< a legend of the signs that occur; 1, the default */
    const bg_draw_place *places; /**< (n_places) borrowed; NULL: `dot` decides */
    int n_places;          /**< number of places; parts without one go near their neighbours */
    int has_large_letters; /**< small letters nearly as large as the others, as a projector needs
                                them; 0, the default: not so */
    int cookie;            /**< set by bg_draw_options_default() */
} bg_draw_options;

/** Options with their defaults. */
bg_draw_options bg_draw_options_default(void);

/** The level of this name ("word", "multibond", "scalar"); BG_DRAW_LEVEL_COUNT: there is none. */
bg_draw_level bg_draw_level_find(const char *name);

/**
 * The picture as DOT text for Graphviz; the same graph gives the same bytes. Places are not in it.
 * @param causality of this graph; NULL: without strokes
 * @param out       to be freed with free()
 * @return HA_ERR_ARGUMENT, HA_ERR_VALUE (scalar level: an element lacks a bond), HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_graph_dot(bg_graph *graph, const bg_causality *causality,
                                     const bg_draw_options *options, char **out);

/**
 * The graph as GraphML, for other programs: a node for each element (name, type, value, start, dim,
 * group), an edge for each bond (number, tail_port, head_port, dim, stroke) and for each quantity
 * of an element that another reads (signal). Not at the level BG_DRAW_WORD.
 * @return as bg_graph_dot()
 */
HA_MUST_CHECK ha_status bg_graph_graphml(bg_graph *graph, const bg_causality *causality,
                                         const bg_draw_options *options, char **out);

/**
 * The picture as a LaTeX document with one TikZ picture, which needs the package tikz and no other.
 * The program `dot` of Graphviz finds the places. Letters that pdflatex lacks are printed there by
 * their numbers (U+6C49), which a note says; xelatex and lualatex print them where their font has
 * them.
 * @return as bg_graph_dot(); HA_ERR_PROCESS (`dot` is missing or failed)
 */
HA_MUST_CHECK ha_status bg_graph_tikz(bg_graph *graph, const bg_causality *causality,
                                      const bg_draw_options *options, char **out);

/**
 * The picture as SVG text. The program `dot` of Graphviz renders it.
 * @return as bg_graph_dot(); HA_ERR_PROCESS (`dot` is missing or failed)
 */
HA_MUST_CHECK ha_status bg_graph_svg(bg_graph *graph, const bg_causality *causality,
                                     const bg_draw_options *options, char **out);

/**
 * Draws to a file, which appears complete or not at all: .dot is the text, .graphml is GraphML,
 * .tex is TikZ, .svg, .pdf and .png are rendered by the program `dot` of Graphviz, which places the
 * nodes of .tex, too. "-" is DOT text on standard output. Where `dot` is missing or fails the text
 * is written to a file of the same name with the suffix .dot instead.
 * @return as bg_graph_dot(); HA_ERR_ARGUMENT (another suffix), HA_ERR_PROCESS (`dot` is missing or
 *         failed), HA_ERR_OUTPUT
 */
HA_MUST_CHECK ha_status bg_graph_draw(bg_graph *graph, const bg_causality *causality,
                                      const bg_draw_options *options, const char *path);

HA_END_DECLS

#endif
