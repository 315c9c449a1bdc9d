/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Bond graphs to model files.
 */
#ifndef MECH2D_WRITE_H
#define MECH2D_WRITE_H

#include "bondgraph/model.h"
#include "mech2d/read.h"

HA_BEGIN_DECLS

/**
 * Writes a graph as a model file in YAML with the sections `parameters`, `bondgraph` and
 * `simulate`; multibonds as their components, laws and fields where no bond has several. What is
 * read back has the same strokes, names and equations. Names with dots get `_` for them, and a
 * warning tells so.
 * @param name    of the model; NULL or "": none
 * @param options those that are no defaults are written as `simulate:`; NULL: none
 * @param out     to be freed with free()
 * @return HA_ERR_UNSUPPORTED (an element takes a position from a mechanism, or its value depends on
 *         what has no name here), HA_ERR_VALUE (an element lacks a bond), HA_ERR_MEMORY
 */
HA_MUST_CHECK ha_status m2d_write_graph(bg_graph *graph, const char *name,
                                        const bg_run_options *options, char **out);

/**
 * Writes a model file with all that it includes as one file, as YAML without comments; neither
 * variants nor overrides are applied.
 * @param def its directories of libraries count; NULL: none
 * @param out to be freed with free()
 * @return as m2d_read_file(); HA_ERR_UNSUPPORTED (a submodel's own file has submodels that nobody
 *         else sees)
 */
HA_MUST_CHECK ha_status m2d_pack_file(ha_ctx *ctx, const char *path, const m2d_read_def *def,
                                      char **out);

HA_END_DECLS

#endif
