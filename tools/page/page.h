/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of `report`: one HTML file that needs nothing else, neither files nor network. */
#ifndef TOOLS_PAGE_H
#define TOOLS_PAGE_H

#include "tools/shared/scene_svg.h"
#include "tools/shared/solve.h"

#include <jansson.h>
#include <stdint.h>

/* A run on the page. */
typedef struct page_run {
    cli_run run;
    char *diagram;       /* the causal bond graph as SVG; NULL: there is none */
    char *bare;          /* without strokes, for the trace; NULL: there is none */
    bool is_bare_scalar; /* the latter is the scalar graph */
    scene scene;
    bool has_scene;
} page_run;

/* What the page shows. */
typedef struct page {
    cli_call *cli;
    HA_ARRAY(page_run) runs;
    scene_view view; /* of all mechanisms */
} page;

/* The name of a run on the page, never NULL. */
const char *page_run_name(const page_run *run);

/* --- page.c --------------------------------------------------------------------------------- */

/* Adds the whole page. */
HA_MUST_CHECK ha_status page_write(const page *p, ha__strbuf *out);

/* --- page_tables.c -------------------------------------------------------------------------- */

/* Adds a sentence on what the model is. */
HA_MUST_CHECK ha_status page_add_summary(const page *p, ha__strbuf *out);

/* Adds the tables that need no script: structure, audit, final values, peaks; a column for each
   run, of the peaks four. */
HA_MUST_CHECK ha_status page_add_structure(const page *p, ha__strbuf *out);
HA_MUST_CHECK ha_status page_add_audit(const page *p, ha__strbuf *out);
HA_MUST_CHECK ha_status page_add_values(const page *p, ha__strbuf *out);
HA_MUST_CHECK ha_status page_add_peaks(const page *p, ha__strbuf *out);

/* --- page_diagram.c ------------------------------------------------------------------------- */

/* Lets `dot` draw the bond graph of a run, with strokes and without. */
HA_MUST_CHECK ha_status page_draw_graph(page_run *run);

/* Adds the pictures of the bond graphs; those without strokes for the trace. */
HA_MUST_CHECK ha_status page_add_diagrams(const page *p, bool is_bare, ha__strbuf *out);

/* --- page_data.c ---------------------------------------------------------------------------- */

/* Adds the time series, bonds and steps of all runs as JSON for the script of the page. */
HA_MUST_CHECK ha_status page_add_data(const page *p, ha__strbuf *out);

/* --- page_series.c -------------------------------------------------------------------------- */

/* Rows of a result that a page keeps, and its columns, each content once. */
typedef struct page_series {
    ha_ctx *ctx;
    const ha_result *result;
    int *series_of; /* (columns) number of the series, -1: not wanted */
    int *column_of; /* (n_series) the first column with this content */
    bool *is_exact; /* (n_series) kept in single precision whatever the size */
    int n_series;
    uint64_t *content; /* (columns) of equal numbers equal, else nearly always not */
    int *next;         /* (n_series) with the same place in the table, -1: the last */
    int *table;        /* (n_table) the first series of each place, -1: none */
    size_t n_table;
    size_t n_rows;  /* kept */
    bool is_coarse; /* 16 bits of their range, else single precision */
} page_series;

/* Begins without columns; to be freed with page_series_clear(). */
HA_MUST_CHECK ha_status page_series_new(ha_ctx *ctx, const ha_result *result, page_series *out);

/* Frees what it holds. */
void page_series_clear(page_series *s);

/* The number of the series of a column, which is wanted from now on; -1 for column -1. */
int page_series_want(page_series *s, int column, bool is_exact);

/* Decides how many rows are kept and how precisely; no columns are wanted after that. */
void page_series_plan(page_series *s);

/* The row of the result that is kept as number `i`. */
size_t page_series_row(const page_series *s, size_t i);

/* The kept times, and the series, as JSON; NULL without memory. */
json_t *page_series_time(const page_series *s);
json_t *page_series_values(const page_series *s);

#endif
