/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The blocks of a picture that has the shape of what it shows: export_arrange.c makes and places
 * them, export_pack.c keeps them apart and near, export_improve.c moves them so that the picture is
 * easy to read, export_route.c leads the bonds between them. Not installed.
 */
#ifndef BONDGRAPH_EXPORT_BLOCK_H
#define BONDGRAPH_EXPORT_BLOCK_H

#include "bondgraph/draw/export_priv.h"
#include "bondgraph/draw/export_text.h"

#define BG__GAP 0.4 /* between blocks [in] */

/* An outermost group with all that is in it, or elements without group that are bonded. */
typedef struct bg__block {
    bool is_given; /* its place, in the unit of the options */
    bool is_known; /* given, or from neighbours */
    bg__place place;
    bg__box box;                /* as it is inside */
    double x, y, width, height; /* [in] centre and size */
    double title;               /* height of its title */
    double flip_x, flip_y;      /* -1: mirrored */
} bg__block;

typedef struct bg__blocks {
    bg__picture *picture;
    int *block_of; /* (nodes) */
    bg__block *items;
    int n;
} bg__blocks;

/* --- export_block.c --------------------------------------------------------------------------- */

/* Where a place inside of a block goes with it. */
bg__place bg__block_move(const bg__block *block, bg__place at);

/* Where a node goes with its block. */
bg__place bg__block_place(const bg__blocks *blocks, int node);

/* The box of a block where it is. */
bg__box bg__block_box(const bg__block *block);

/* The part of the segment from a to b that is inside of a box, as a fraction of it. */
double bg__segment_inside(bg__place a, bg__place b, const bg__box *box);

/* Whether the segment from a to b comes through the inside of a box. */
bool bg__segment_meets(bg__place a, bg__place b, const bg__box *box);

/* --- export_pack.c ---------------------------------------------------------------------------- */

/* Pushes blocks that overlap apart, until none do or it is in vain. */
void bg__blocks_push(bg__blocks *blocks);

/* Closes what is empty between blocks, their order along both axes kept. */
HA_MUST_CHECK ha_status bg__blocks_close(bg__blocks *blocks);

/* --- export_improve.c ------------------------------------------------------------------------- */

/* How hard the picture is to read: bonds through blocks, bonds that cross, their length, the size
   of the whole, and what does not lie as the places say. */
HA_MUST_CHECK ha_status bg__blocks_cost(bg__blocks *blocks, double *out);

/* Moves, mirrors and exchanges blocks while that makes the picture easier to read. */
HA_MUST_CHECK ha_status bg__blocks_improve(bg__blocks *blocks);

/* --- export_route.c --------------------------------------------------------------------------- */

/* Finds the ways of bonds and signals between blocks whose nodes have their places, around all that
   is not theirs. */
HA_MUST_CHECK ha_status bg__blocks_route(bg__blocks *blocks);

#endif
