/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the writers of DOT text share. Not installed. */
#ifndef BONDGRAPH_EXPORT_PRIV_H
#define BONDGRAPH_EXPORT_PRIV_H

#include "bondgraph/export.h"
#include "lib/strbuf.h"

#define BG__INK "#111827"
#define BG__PALE "#6b7280"

/* HA_ERR_ARGUMENT when the options do not come from bg_draw_options_default(). */
HA_MUST_CHECK ha_status bg__check_draw_options(ha_ctx *ctx, const bg_draw_options *options);

/* Adds a quoted string. */
void bg__dot_quoted(ha__strbuf *out, const char *text);

/* Adds text inside a label of HTML kind. */
void bg__dot_html(ha__strbuf *out, const char *text);

/* The length of the part of a group's name that is the box around it, or inside of the box whose name
   is its first `length` bytes (0: outermost): up to an instance of a submodel, else all of it. */
size_t bg__box_length(const bg_graph *graph, const char *group, size_t length);

/* Adds nodes, groups, bonds and signals. `expanded` is the scalar graph of `graph` where that is
   drawn, else NULL. */
HA_MUST_CHECK ha_status bg__dot_elements(bg_graph *graph, bg_graph *expanded,
                                         const bg_causality *causality,
                                         const bg_draw_options *options, ha__strbuf *out);

/* Adds one node for each group and for each element without one, and the bonds between them. */
HA_MUST_CHECK ha_status bg__dot_words(const bg_graph *graph, ha__strbuf *out);

#endif
