/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of prepared models share. Not installed. */
#ifndef MECH2D_PREPARED_PRIV_H
#define MECH2D_PREPARED_PRIV_H

#include "lib/core/mem.h"
#include "mech2d/prepared.h"
#include "mech2d/study/kit.h"

/* What all copies share. */
typedef struct {
    ha_ctx *ctx; /* of the kit: what is said while it is tried is no news */
    char *text;  /* of the file */
    size_t length;
    ha__arena arena;
    m2d_source source;
    m2d_variable *variables; /* (n) with the values it was compiled with */
    int n;
    m2d__kit kit;    /* with free variables, or as the values were at first */
    bool *is_signed; /* (n) the sign of the value may decide what equations there are */
    bool is_quick;   /* the variables stand for all of their values */
} m2d__shared_model;

/* Signs that values may have, and whether the model that was compiled is right for them. */
typedef struct {
    signed char *signs; /* (n) */
    bool agree;
} m2d__known_signs;

struct m2d_prepared {
    ha_ctx *ctx;
    m2d__shared_model *shared;
    bool is_owner;
    m2d_variable *variables; /* (n) with the values to come */
    double *values;          /* (n) the same, for what takes an array */
    bool is_current;         /* the values are those of what is below */
    bool keeps_sides;        /* whatever the signs of values */
    bool is_own;             /* of the kit, else of the copies */
    m2d_system *system;      /* copies */
    bg_model *model;
    m2d_assembly *assembly;
    double *start;
    int *unknowns; /* those that assembly starts */
    m2d__kit own;  /* for values that have to be compiled */
    long n_compiled;
    HA_ARRAY(m2d__known_signs) known;
};

/* What a kit is made of: the source with these values. */
m2d__kit_def m2d__def_of(const m2d__shared_model *s, const m2d_variable *variables,
                         m2d__kit_use use);

/* Makes the copies and room for values; `ctx` and `shared` are set. */
HA_MUST_CHECK ha_status m2d__prepared_init(m2d_prepared *p);

/* Frees what it does not share. */
void m2d__prepared_clear(m2d_prepared *p);

/* Gives the copies the values; `*is_done` is false where other constraints are redundant. */
HA_MUST_CHECK ha_status m2d__update_copies(m2d_prepared *p, bool *is_done);

/* Finds out, in a context of its own, whether the model agrees with those that are made with other
   values near the first ones, or near these with other signs (n); NULL: their own. */
HA_MUST_CHECK ha_status m2d__agrees_near(m2d__shared_model *s, const signed char *signs,
                                         bool *agree);

/* Whether what was compiled is right for the values, but for what assembly finds. */
HA_MUST_CHECK ha_status m2d__can_take_values(m2d_prepared *p, bool *out);

/* Forgets for which signs it is right. */
void m2d__forget_signs(m2d_prepared *p);

#endif
