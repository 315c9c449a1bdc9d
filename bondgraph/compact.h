/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Bond graphs in one line: `Se>1a>R;1a>I;1a>C{10 uF, q=1e-6}`. The notation is described in the
 * model file documentation: items separated by `;` or new lines, chains of bonds `a>b`, bonds of
 * dimension n `a=n>b`, names made of a type and a suffix, values and start values in braces.
 */
#ifndef BONDGRAPH_COMPACT_H
#define BONDGRAPH_COMPACT_H

#include "bondgraph/graph.h"

HA_BEGIN_DECLS

/**
 * Reads a text into a graph.
 * @param where where the text stands; its file name goes into the errors
 * @return HA_ERR_SYNTAX, HA_ERR_NAME, HA_ERR_VALUE, HA_ERR_UNIT, HA_ERR_LIMIT, HA_ERR_MEMORY; all
 *         errors of the text are reported in one go
 */
HA_MUST_CHECK ha_status bg_compact_read(bg_graph *graph, const char *text, size_t length,
                                        ha_where where);

/**
 * As bg_compact_read(), with values replaced: each setting is PATH=VALUE where PATH is
 * `parameters.NAME`, the name of an element for its value, or `NAME.p`, `NAME.q` for its start.
 * Errors in settings are placed in a file called `--set`.
 */
HA_MUST_CHECK ha_status bg_compact_read_set(bg_graph *graph, const char *text, size_t length,
                                            ha_where where, const char *const *sets, int n_sets);

/**
 * Writes a graph in the notation; what is read back has the same strokes, names and equations. A
 * graph whose components have names, or with bonds of some components only, is written as its
 * scalar graph (bondgraph/expand.h). Names that do not begin with their type get it in front, and a
 * warning tells so.
 * @param out to be freed with free()
 * @return HA_ERR_UNSUPPORTED (an element takes a position from a mechanism, or its value depends on
 *         what has no name here), HA_ERR_VALUE (an element lacks a bond), HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status bg_compact_write(bg_graph *graph, char **out);

HA_END_DECLS

#endif
