/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formats of pictures of bond graphs. Not installed. */
#ifndef BONDGRAPH_EXPORT_FORMATS_H
#define BONDGRAPH_EXPORT_FORMATS_H

#include "bondgraph/export.h"
#include "lib/core/suffix.h"

/* A format of pictures. */
typedef struct bg__draw_format {
    ha__suffix name;
    ha_status (*write)(bg_graph *graph, const bg_causality *causality,
                       const bg_draw_options *options, char **out);
    const char *argument; /* what `dot` is told, which gets the text; NULL: it is the text itself */
    bool has_positions;   /* the options' places are in it */
} bg__draw_format;

extern const ha__suffixes bg__draw_formats; /* of bg__draw_format */

#endif
