/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A model with all that was made on its way to tapes. Not installed. */
#ifndef MECH2D_STUDY_KIT_H
#define MECH2D_STUDY_KIT_H

#include "bondgraph/causality.h"
#include "mech2d/prepared.h"

/*
 * What was made. A command or a study makes it step by step,
 *
 *     m2d__kit_read(), and changes to the options and to what is wanted;
 *     m2d__kit_prepare(): causality, assembly, equations, tapes, start values;
 *     m2d__kit_warn(), and m2d__kit_run();
 *
 * or what belongs to a step where it needs no more. Zero-initialised is empty.
 */
typedef struct m2d__kit {
    const char *name;        /* of the source, as messages call it; borrowed */
    bg_graph *graph;         /* borrowed from `own` or from `system`; NULL until it is read */
    bg_graph *own;           /* of a bond graph; else NULL */
    m2d_model *file;         /* of a model file; else NULL */
    m2d_system *system;      /* likewise */
    bg_causality *causality; /* NULL until m2d__kit_assign() */
    m2d_assembly *assembly;  /* of a mechanism after m2d__kit_assemble(); else NULL */
    bg_equations *equations; /* while they are compiled, or where they are kept */
    bg_model *compiled;      /* NULL until m2d__kit_compile() */
    double *start;           /* of its unknowns */
    int n_of_bonds;          /* outputs of it, behind all others, that are efforts and flows */
    bg_run_options options;  /* those of the file */

    /* What is wanted. */
    const char **outputs; /* (n_outputs) those of the source; NULL: all */
    int n_outputs;
    const char *more; /* another output, beside them; NULL: none */
    bool with_bonds;  /* all outputs, and effort and flow of every bond */
    bool keeps_equations;
    const char *const *inputs; /* (n_inputs) of derivatives; borrowed */
    int n_inputs;
    const char *const *varied; /* (n_varied) parameters that stay variables; borrowed */
    int n_varied;
    const struct m2d__kit *like; /* one made before with other values: nothing is assembled, the
                                    same constraints are redundant, there is no start; NULL: none */
    /* Another of the compilers of bondgraph/model.h; NULL: the one for the run of the options. */
    ha_status (*compile)(bg_equations *equations, const char *const *outputs, int n_outputs,
                         bg_model **out);
    /* Adds to equations that were derived, or finds out about them; NULL: nothing. */
    ha_status (*extend)(struct m2d__kit *kit);

    /* What such a function finds out. */
    bg_drive drive;   /* how the equations depend on the time */
    char *breaks;     /* an equation in which the time is not periodic; NULL: none */
    bool is_singular; /* the equations cannot be solved at the start */
} m2d__kit;

/* What becomes of the values that vary. */
typedef enum m2d__kit_use {
    M2D__KIT_FIXED,     /* they are overrides */
    M2D__KIT_FREE,      /* they stay variables of what is compiled */
    M2D__KIT_EQUATIONS, /* the same, but assembly has them as numbers */
    M2D__KIT_INPUTS     /* they are inputs with derivatives, for sensitivities */
} m2d__kit_use;

/* How to read it. */
typedef struct m2d__kit_def {
    const m2d_source *source;
    const char *text; /* of the file, read before; NULL: of none */
    size_t length;
    const char *where_present;     /* as in m2d_read_def */
    const m2d_variable *variables; /* (n_variables) with the values to take */
    int n_variables;
    m2d__kit_use use;
    const struct m2d__kit *like; /* as there */
    bool is_still; /* the time stands still: what is given as a function of it, as a prescribed
                      motion, keeps its value at the start and has no rate */
    bool is_bare;  /* of a bond graph, nothing of elements becomes an output: it is not solved */
} m2d__kit_def;

/* Reads a model and expands it. To be cleared, also after a failure. */
HA_MUST_CHECK ha_status m2d__kit_read(ha_ctx *ctx, const m2d__kit_def *def, m2d__kit *kit);

/* Assigns causality. The class of the result may say that the graph is unsound. */
HA_MUST_CHECK ha_status m2d__kit_assign(m2d__kit *kit);

/* Finds start positions and velocities of a mechanism; nothing for a bond graph. What a failed
   assembly came to is kept. */
HA_MUST_CHECK ha_status m2d__kit_assemble(m2d__kit *kit);

/* Derives the equations, compiles them and fills the start values; the causality must be sound. */
HA_MUST_CHECK ha_status m2d__kit_compile(m2d__kit *kit);

/* All of these, from a model that was read to one that can be solved. */
HA_MUST_CHECK ha_status m2d__kit_prepare(m2d__kit *kit);

/* Reads and prepares one for studies, for all methods. To be cleared, also after a failure. */
HA_MUST_CHECK ha_status m2d__kit_make(ha_ctx *ctx, const m2d__kit_def *def, m2d__kit *kit);

/* Warns of a start that is in a contact or beyond a stop. */
HA_MUST_CHECK ha_status m2d__kit_warn(const m2d__kit *kit);

/* Runs it by its options, from its start values. The extremes of all outputs but those of bonds go
   to `peaks` (n_outputs of the model; NULL: nowhere). */
HA_MUST_CHECK ha_status m2d__kit_run(ha_ctx *ctx, m2d__kit *kit, ha_peak *peaks, ha_result *result,
                                     bg_run_report *report);

/* The text of a source, that of its file or its graph; to be freed. HA_ERR_FILE. */
HA_MUST_CHECK ha_status m2d__kit_text(ha_ctx *ctx, const m2d_source *source, char **text,
                                      size_t *length);

/* True of a model file, false of a bond graph. */
bool m2d__kit_is_file(const m2d_source *source);

/* The value that the file or graph gives variable `i` itself [SI]; those of all are disregarded.
   HA_ERR_NAME where it gives none. */
HA_MUST_CHECK ha_status m2d__kit_value(ha_ctx *ctx, const m2d__kit_def *def, int i, double *value);

/* prepared.c: from now on values of any sign, 0 too, are those of the equations compiled. */
void m2d__prepared_keep_sides(m2d_prepared *prepared);

/* Frees what it holds. */
void m2d__kit_clear(m2d__kit *kit);

#endif
