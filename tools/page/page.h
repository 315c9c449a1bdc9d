/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages: one HTML file each that needs nothing else, neither files nor network. */
#ifndef TOOLS_PAGE_H
#define TOOLS_PAGE_H

#include "tools/digits/estimate.h"
#include "tools/page/page_limits.h"
#include "tools/page/page_modes.h"
#include "tools/page/page_panels.h"
#include "tools/scene/scene_svg.h"
#include "tools/shared/json.h"
#include "tools/shared/solve.h"

#include <jansson.h>
#include <stdint.h>

/* A part of the time of a run. */
typedef struct page_window {
    double from, to;  /* [s]; from < to where there is such a part */
    const char *what; /* in words: "last period of the drive" */
    int body;         /* whose angle tells where in the cycle something is; -1: none */
} page_window;

/* A run on the page. */
typedef struct page_run {
    cli_run run;
    char *words;   /* the word bond graph as SVG; NULL: there is none */
    char *diagram; /* the causal bond graph; NULL: there is none, or it is too large to be read */
    scene scene;
    bool has_scene;
    page_window window; /* what is shown first of its time */
    estimate estimate;  /* of its digits */
} page_run;

/* What the page shows. */
typedef struct page {
    cli_call *cli;
    HA_ARRAY(page_run) runs;
    scene_view view;       /* of all mechanisms */
    page_modes *modes;     /* of the first run; NULL: none */
    const char *frequency; /* the section of its frequency response; NULL: none */
    page_panels panels;    /* of that section */
    page_limits limits;
    const struct page_live *live; /* what makes it live (page_live.h); NULL: it is not */
} page;

/* The name of a run on the page, never NULL. */
const char *page_run_name(const page_run *run);

/* --- page.c --------------------------------------------------------------------------------- */

/* What a mark in a template is replaced by. */
typedef struct page_part {
    const char *name; /* as `{{NAME}}` has it */
    ha_status (*add)(const void *user, ha__strbuf *out);
} page_part;

/* Adds a template that the program holds with its parts (n); all have the version, and the style,
   the script and the policy of pages. */
HA_MUST_CHECK ha_status page_fill(const char *template, const page_part *own, size_t n,
                                  const void *user, ha__strbuf *out);

/* Adds the page of `report`. */
HA_MUST_CHECK ha_status page_write(const page *p, ha__strbuf *out);

/* --- page_window.c -------------------------------------------------------------------------- */

/* Finds the body that turns and the last cycle of a run with rows and a scene, if it has one. */
void page_find_window(page_run *run);

/* --- page_loads.c --------------------------------------------------------------------------- */

/* Adds the largest loads of joints, the largest first. */
HA_MUST_CHECK ha_status page_add_loads(const void *page, ha__strbuf *out);

/* --- page_equations.c ----------------------------------------------------------------------- */

/* Adds the equations, a line each. */
HA_MUST_CHECK ha_status page_add_equations(const void *page, ha__strbuf *out);

/* --- page_tables.c -------------------------------------------------------------------------- */

/* Adds a sentence on what a model is. */
void page_summarise(const cli_model *model, ha__strbuf *out);

/* The same of the first run. Of these the first argument is the page. */
HA_MUST_CHECK ha_status page_add_summary(const void *page, ha__strbuf *out);

/* Adds the tables that need no script: structure, audit, final values, peaks; a column for each
   run, of the peaks four. */
HA_MUST_CHECK ha_status page_add_structure(const void *page, ha__strbuf *out);
HA_MUST_CHECK ha_status page_add_audit(const void *page, ha__strbuf *out);
HA_MUST_CHECK ha_status page_add_values(const void *page, ha__strbuf *out);
HA_MUST_CHECK ha_status page_add_peaks(const void *page, ha__strbuf *out);

/* --- page_diagram.c ------------------------------------------------------------------------- */

/* Lets `dot` draw the bond graph of a run: its parts in words, and all bonds with their strokes. */
HA_MUST_CHECK ha_status page_draw_graph(page_run *run);

/* Adds these pictures. */
HA_MUST_CHECK ha_status page_add_diagrams(const void *page, ha__strbuf *out);

/* --- page_svg.c ----------------------------------------------------------------------------- */

/* Adds a picture of Graphviz from its start tag on, with `prefix` before each identifier. */
void page_add_svg(const char *svg, const char *prefix, ha__strbuf *out);

/* --- page_data.c ---------------------------------------------------------------------------- */

/* Adds the time series, bonds and steps of all runs as JSON for the script of the page. */
HA_MUST_CHECK ha_status page_add_data(const void *page, ha__strbuf *out);

/* Puts steps, elements and bonds of a run whose causality is known, without numbers. */
HA_MUST_CHECK ha_status page_put_graph(const page_run *run, cli_json *json);

/* Adds an object so that no browser takes a part of it for markup. */
HA_MUST_CHECK ha_status page_add_json(json_t *object, ha__strbuf *out);

/* Puts the points of a mechanism. */
void page_put_points(const scene *sc, cli_json *json);

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
    int *next;         /* (n_series) with the same slot in the table, -1: the last */
    int *table;        /* (n_table) the first series of each slot, -1: none */
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

/* Numbers (n) as a series in single precision; NULL without memory. */
json_t *page_pack(ha_ctx *ctx, const double *values, size_t n);

#endif
