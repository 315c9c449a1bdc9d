/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formats of pictures of bond graphs. A new one is a file export_x.c with its function and a
   row of draw_formats.def. Not installed. */
#ifndef BONDGRAPH_EXPORT_FORMATS_H
#define BONDGRAPH_EXPORT_FORMATS_H

#include "bondgraph/export.h"
#include "lib/core/suffix.h"

/* Makes the text of a picture, as bg_graph_dot(). */
typedef ha_status bg__draw_writer(bg_graph *graph, const bg_causality *causality,
                                  const bg_draw_options *options, char **out);

#define X(suffix, sentence, write, argument, has_positions) bg__draw_writer write;
#include "bondgraph/draw_formats.def"
#undef X

/* A format of pictures, see draw_formats.def. */
typedef struct bg__draw_format {
    ha__suffix name;
    bg__draw_writer *write;
    const char *argument;
    bool has_positions;
} bg__draw_format;

extern const ha__suffixes bg__draw_formats; /* of bg__draw_format */

#endif
