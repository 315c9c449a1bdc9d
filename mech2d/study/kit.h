/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A model with all that was made on its way to tapes. Not installed. */
#ifndef MECH2D_STUDY_KIT_H
#define MECH2D_STUDY_KIT_H

#include "bondgraph/causality.h"
#include "mech2d/prepared.h"

/* What was made; zero-initialised is empty. */
typedef struct m2d__kit {
    bg_graph *own;      /* of a bond graph; else NULL */
    m2d_model *file;    /* of a model file; else NULL */
    m2d_system *system; /* likewise */
    bg_causality *causality;
    bg_equations *equations; /* where they were wanted */
    m2d_assembly *assembly;
    const char **outputs; /* (n_outputs) those of the file; NULL: all */
    int n_outputs;
    int n_of_bonds; /* outputs of the model, behind all others, that are efforts and flows */
    bg_model *model;
    double *start; /* of its unknowns */
    bg_run_options options;
} m2d__kit;

/* What becomes of the values that vary. */
typedef enum m2d__kit_use {
    M2D__KIT_FIXED,     /* they are overrides */
    M2D__KIT_FREE,      /* they stay variables of what is compiled */
    M2D__KIT_EQUATIONS, /* the same, but assembly has them as numbers */
    M2D__KIT_INPUTS     /* they are inputs with derivatives, for sensitivities */
} m2d__kit_use;

/* How to make it. */
typedef struct m2d__kit_def {
    const m2d_source *source;
    const char *text; /* of the file, read before; NULL: of none */
    size_t length;
    const m2d_variable *variables; /* (n_variables) with the values to take */
    int n_variables;
    m2d__kit_use use;
    const struct m2d__kit *like; /* one made before with other values: nothing is assembled, the
                                    same constraints are redundant, there is no start; NULL: none */
    /* Changes the options that were read, before what they ask for is compiled; NULL: nothing. */
    ha_status (*adjust)(void *user, const bg_graph *graph, bg_run_options *options);
    void *user;
    bool is_for_run; /* compiled for the driver of the options alone, else for all */
    bool with_bonds; /* all outputs are wanted, and effort and flow of every bond */
} m2d__kit_def;

/* Makes it; to be cleared, also after a failure. */
HA_MUST_CHECK ha_status m2d__kit_make(ha_ctx *ctx, const m2d__kit_def *def, m2d__kit *kit);

/* The text of a source, that of its file or its graph; to be freed. HA_ERR_FILE. */
HA_MUST_CHECK ha_status m2d__kit_read(ha_ctx *ctx, const m2d_source *source, char **text,
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
