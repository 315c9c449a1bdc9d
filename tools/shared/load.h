/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the command line to a model: reading, expansion, causality, in one object. */
#ifndef TOOLS_LOAD_H
#define TOOLS_LOAD_H

#include "bondgraph/causality.h"
#include "bondgraph/model.h"
#include "mech2d/assemble.h"
#include "mech2d/read.h"
#include "mech2d/system.h"
#include "tools/shared/cli.h"

/* What a command works on. */
typedef struct cli_model {
    const char *name;        /* of the file, as messages call it */
    bg_graph *graph;         /* borrowed from `own` or from `system` */
    bg_graph *own;           /* of a bond graph in a .bgl or .bg file or --graph; else NULL */
    m2d_system *system;      /* of a mechanism; else NULL */
    bg_causality *causality; /* NULL until cli_assign() */
    m2d_assembly *assembly;  /* of a mechanism after cli_assemble(); else NULL */
    bg_model *compiled;      /* NULL until cli_compile() */
    double *start;           /* start values of its unknowns */
    bg_run_options options;  /* what the file says, then the command line */
    m2d_model *file;         /* of a mechanism; else NULL */
    bool with_bonds;         /* effort and flow of every bond and all outputs are wanted */
    bool with_losses;        /* the energy dissipated in each element is wanted, too */
    bool is_singular;        /* its equations cannot be solved at the start */
    const char **outputs;    /* (n_outputs) asked for in the file; NULL: all */
    int n_outputs;
    int n_of_bonds; /* outputs of the model, behind all others, that are efforts and flows */
    bg_drive drive; /* how it depends on the time, where it is to start on its cycle or
                       all outputs are wanted */
    char *breaks;   /* an equation in which the time is not periodic; NULL: none */
    bool is_linear; /* compiled for a linearisation */
    const char *const *inputs; /* (n_inputs) of a linearisation; borrowed */
    int n_inputs;
} cli_model;

/* Reads the model that the command line names; to be freed with cli_model_clear(). */
HA_MUST_CHECK ha_status cli_load(cli_call *cli, cli_model *model);

/* The same with the time standing still: what is given as a function of time, as a prescribed
   motion, keeps its value at the start and has no rate. A value of a model file becomes a parameter
   where `variable` is not NULL. */
HA_MUST_CHECK ha_status cli_load_still(cli_call *cli, const m2d_variable *variable,
                                       cli_model *model);

/* What the command line says about the run overrides the options. */
HA_MUST_CHECK ha_status cli_read_run_options(cli_call *cli, bg_run_options *options);

/* What pictures and pages call the model: what its file says, else the graph of the command line or
   the name of the file without its directory. Borrowed from `cli` or `model`. */
const char *cli_model_title(const cli_call *cli, const cli_model *model);

/* Assigns causality. The class of the result may say that the graph is unsound. */
HA_MUST_CHECK ha_status cli_assign(cli_model *model);

/* Finds start positions and velocities of a mechanism; nothing for a bond graph. What a failed
   assembly came to is kept. */
HA_MUST_CHECK ha_status cli_assemble(cli_model *model);

/* Derives the equations, compiles them and fills the start values; the causality must be sound. */
HA_MUST_CHECK ha_status cli_compile(cli_model *model);

/* From the model that was read to one that can be solved: causality, assembly, compilation. */
HA_MUST_CHECK ha_status cli_prepare(cli_model *model);

/* Translates the equations of a compiled model to machine code; `*is_done` is false where that
   cannot be: they are interpreted then, and a warning says why. Fails when it is interrupted. One
   at a time of all threads. */
HA_MUST_CHECK ha_status cli_translate(ha_ctx *ctx, const cli_model *model, bool *is_done);

/* As cli_compile(), and keeps the equations, to be freed by the caller. */
HA_MUST_CHECK ha_status cli_compile_and_keep(cli_model *model, bg_equations **equations);

/* Frees what a model holds. */
void cli_model_clear(cli_model *model);

#endif
