/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The energy of modes on the bond graph. */
#ifndef TOOLS_MODES_GRAPH_H
#define TOOLS_MODES_GRAPH_H

#include "lib/core/strbuf.h"
#include "tools/analysis/modes_write.h"

/* What an element of the graph as it is drawn has of an energy: all components of a body together.
 */
typedef struct modes_part {
    const char *element; /* borrowed from the graph */
    int bond;            /* printed number of its bond */
    bg_mode_energy kind;
    double share; /* of the energy of this kind */
} modes_part;

/* The parts of one mode, by kind, the largest of each first. */
typedef struct modes_parts {
    HA_ARRAY(modes_part) items;
} modes_parts;

/* Finds them; the list is to be cleared, also on failure. */
HA_MUST_CHECK ha_status modes_find_parts(const modes_shown *shown, int mode, modes_parts *out);

/* Parts that are shown with their numbers. */
bool modes_is_shown(const modes_part *part);

/* How wide the bond of a part is drawn. */
double modes_width(const modes_part *part);

/* The colour of an energy, as in the style sheet of pages. */
const char *modes_colour(bg_mode_energy kind);

/* Lets `dot` draw the bond graph, a mechanism in its shape, without legend; to be freed with
   free(). */
HA_MUST_CHECK ha_status modes_draw_graph(const modes_shown *shown, char **svg);

/* Adds the picture of the mode that is drawn, with a legend that has the numbers. */
HA_MUST_CHECK ha_status modes_add_picture(cli_call *cli, const modes_shown *shown, ha__strbuf *out);

/* HA_OK when there is a mode to draw. */
HA_MUST_CHECK ha_status modes_check_drawn(cli_call *cli, const modes_shown *shown);

#endif
