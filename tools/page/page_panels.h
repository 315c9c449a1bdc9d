/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots on a page, which its script draws (panels.js). */
#ifndef TOOLS_PAGE_PANELS_H
#define TOOLS_PAGE_PANELS_H

#include "lib/core/strbuf.h"
#include "tools/shared/plot.h"

#include <jansson.h>

/* The panels of a page, in order; the list is to be freed with json_decref(). */
typedef struct page_panels {
    json_t *list; /* NULL: none, or no memory */
    int n;
} page_panels;

/*
 * Adds the place of a panel to the page, and what it shows to the list. Of many rows those are kept
 * that can be seen: of each of so many pieces of a curve the first, the lowest, the highest and the
 * last.
 */
HA_MUST_CHECK ha_status page_add_panel(page_panels *panels, const plot_panel *panel,
                                       ha__strbuf *out);

/* Adds the data of a page that has nothing else. */
HA_MUST_CHECK ha_status page_add_panels_data(const page_panels *panels, ha__strbuf *out);

#endif
