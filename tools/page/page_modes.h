/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modes of vibration on a page: a table, the energy on the bond graph, the mechanism in motion. */
#ifndef TOOLS_PAGE_MODES_H
#define TOOLS_PAGE_MODES_H

#include "tools/analysis/modes_write.h"
#include "tools/scene/scene_svg.h"

/* Modes with their pictures. */
typedef struct page_modes {
    cli_call *cli; /* borrowed, as what follows */
    const modes_shown *shown;
    int n;               /* modes on the page: the first ones */
    char *graph;         /* SVG; NULL: `dot` could not draw it */
    ha_result **motions; /* (n) NULL each without bodies */
    scene *scenes;       /* (n) of the motions */
    scene_view view;     /* of all motions */
} page_modes;

/* Draws graph and motions; to be freed with page_modes_clear(), also on failure. */
HA_MUST_CHECK ha_status page_modes_new(cli_call *cli, const modes_shown *shown, page_modes *out);

/* Frees what it holds. */
void page_modes_clear(page_modes *modes);

/* Adds the section of a page. */
HA_MUST_CHECK ha_status page_add_modes(const page_modes *modes, ha__strbuf *out);

/* What the script works on; NULL without memory. */
json_t *page_modes_data(const page_modes *modes);

/* Writes a page of nothing else. */
HA_MUST_CHECK ha_status page_modes_write(cli_call *cli, const modes_shown *shown, const char *path);

#endif
