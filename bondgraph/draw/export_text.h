/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours, sizes and numbers that the writers of pictures share. Not installed. */
#ifndef BONDGRAPH_EXPORT_TEXT_H
#define BONDGRAPH_EXPORT_TEXT_H

#include "bondgraph/draw/export_priv.h"

#define BG__INK "#111827"
#define BG__PALE "#6b7280"
#define BG__ORANGE "#c2410c"
#define BG__RED "#b91c1c"
#define BG__VIOLET "#7c3aed"
#define BG__BLUE "#2563eb"

/* about the width of a character of a label [in] */
#define BG__DOT_CHARACTER 0.062
#define BG__TIKZ_CHARACTER 0.045

#define BG__LEGEND_LINE 0.22 /* [in] */

/* Sizes of letters [pt], and of titles of groups [in]. */
typedef struct bg__letters {
    int head, junction; /* of nodes: of elements, of junctions */
    int small;          /* the lines below; the legend */
    int edge;
    int title;
    double title_height, title_character;
    const char *between; /* the nodes of a block [in]: labels go beside the middles of its bonds */
} bg__letters;

/* The letters of a picture; of NULL the usual ones. */
const bg__letters *bg__letters_of(const bg__picture *picture);

/* A rectangle [in], y up. */
typedef struct bg__box {
    double left, bottom, right, top;
} bg__box;

/* Adds a number with three decimals. */
void bg__add_decimal(ha__strbuf *out, double x);

/* The box around the nodes of a group, those of groups inside included, with a margin and its
   title. */
bg__box bg__group_box(const bg__picture *picture, int group);

/* The centre of the title of a group: at the top of its box, right, left or in the middle, where
   the fewest bonds go through it. */
bg__place bg__title_place(const bg__picture *picture, int group);

/* The box around everything that is placed. */
bg__box bg__picture_box(const bg__picture *picture);

/* Takes a length off an end of `n` points of Bezier curves. */
void bg__shorten(bg__place *places, int n, bool at_head, double length);

/* from + s along, or s to the right of it where is_right */
bg__place bg__place_beside(bg__place from, bg__place along, double s, bool is_right);

/* The direction in which an edge arrives at its head, or leaves its tail. */
bg__place bg__direction_at(const bg__edge *edge, bool at_head);

/* The point of an edge after a fraction of its length, by the chords of its curves, and its
   direction there. */
bg__place bg__point_at(const bg__edge *edge, double fraction, bg__place *along);

/* Whether the way of an edge comes through a box, by samples. */
bool bg__goes_through(const bg__edge *edge, const bg__box *box);

/* Whether an edge shows its dimension as a number of its own: at the word level. */
bool bg__shows_dim(const bg__edge *edge);

/* About the width of the title of a group [in]. */
double bg__title_width(const bg__picture *picture, const char *title);

#endif
