/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a page says of small motions about the start, or about what --at says. */
#ifndef TOOLS_PAGE_ANALYSIS_H
#define TOOLS_PAGE_ANALYSIS_H

#include "bondgraph/frequency.h"
#include "tools/analysis/operating.h"
#include "tools/page/page.h"

/* Modes and frequency response of a model; zero-initialised is empty. */
typedef struct page_analysis {
    cli_call cli;  /* of its own, with one variant */
    ha_ctx *quiet; /* where modes are looked for that nobody asked for; NULL: not so */
    operating at[2];
    bg_modal modal;
    modes_shown shown;
    page_modes modes;
    bool has_modes;
    bg_response response;
    ha__strbuf frequency; /* the section, and that of the matrices */
} page_analysis;

/*
 * Finds them for the first run and puts them on the page, which borrows them. Modes are found where
 * the start is an equilibrium and the model not large, or where --at says the operating point; a
 * frequency response and the matrices where --u and --y say of what. To be freed with
 * page_analysis_clear(), also on failure.
 */
HA_MUST_CHECK ha_status page_analyse(page *p, page_analysis *out);

/* Frees what it holds. */
void page_analysis_clear(page_analysis *analysis);

#endif
