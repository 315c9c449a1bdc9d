/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether equations can be differentiated by a value of a file.
 *
 * They can where the value stands for itself in all that is compiled. Some values are read as
 * numbers on the way: those of a law of contact, a default that is made of others, a 0 that spares
 * an element. What reads such a number has a derivative by the value, and the equations do not know
 * it. So the model is compiled with the value as a variable, and once more with the value a little
 * different; the first one, given that value, must then be the second.
 */
#include <config.h>

#include "mech2d/prepared.h"

#include "bondgraph/model/model_agree.h"
#include "lib/core/context_priv.h"
#include "lib/core/mem.h"
#include "lib/core/need.h"
#include "mech2d/study/kit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Shares of the value by which it is moved, or what is taken for 0: the first that gives a model.
 */
static const double steps[] = { 1e-2, -1e-2, 1e-4, -1e-4, 1e-6, -1e-6 };

enum { LONGEST_PATH = 320 };

typedef struct {
    ha_ctx *ctx; /* of the trial */
    const m2d__kit_def *def;
    m2d_variable variable; /* with the value of the file */
} trial;

/* The path of the value that an input names; `*is_found` is false where it is none of the file's
   parameters. */
static ha_status find_path(ha_ctx *ctx, const m2d__kit_def *def, const char *name, trial *t,
                           char *path, bool *is_found)
{
    static const char section[] = "parameters.";
    const bool is_path = strchr(name, '.') != NULL;
    const size_t n_diags = ha_ctx_n_diags(ctx);
    m2d__kit_def one = *def;

    int length = snprintf(path, LONGEST_PATH, "%s%s", is_path ? "" : section, name);
    *is_found = false;
    if (length < 0 || length >= LONGEST_PATH || strncmp(path, section, sizeof section - 1) != 0) {
        return HA_OK;
    }
    t->variable = (m2d_variable){ .path = path, .where = { name, 0, 0 } };
    one.variables = &t->variable;
    one.n_variables = 1;
    ha_status status = m2d__kit_value(ctx, &one, 0, &t->variable.value);
    *is_found = status == HA_OK;
    ha__ctx_forget(ctx, n_diags); /* a source or a force, or what the model says itself */
    return status == HA_ERR_MEMORY ? status : HA_OK;
}

static ha_status make(const trial *t, double value, const m2d__kit *like, m2d__kit *kit)
{
    m2d_variable variable = t->variable;
    m2d__kit_def def = *t->def;

    variable.value = value;
    def.variables = &variable;
    def.n_variables = 1;
    def.use = M2D__KIT_EQUATIONS;
    def.like = like;
    return m2d__kit_make(t->ctx, &def, kit);
}

/* Compares at a value nearby; what cannot be made there is passed over. */
static ha_status compare(const trial *t, const m2d__kit *here, double value, bool *is_made,
                         bool *agree)
{
    m2d__kit there = { 0 };
    bg_model *moved = NULL;
    ha_status status = make(t, value, here, &there);

    *is_made = status == HA_OK;
    if (status == HA_OK) {
        status = bg_model_copy(t->ctx, here->compiled, &moved);
        HA_THEN(status, bg_model_set(moved, &value));
        HA_THEN(status, bg__models_agree(t->ctx, moved, there.compiled, agree));
    }
    bg_model_free(moved);
    m2d__kit_clear(&there);
    return status == HA_ERR_MEMORY ? status : HA_OK;
}

static ha_status try_value(const trial *t, bool *is_made, bool *agree)
{
    const double value = t->variable.value;
    m2d__kit here = { 0 };
    ha_status status = make(t, value, NULL, &here);

    *is_made = false;
    *agree = status != HA_OK; /* what is wrong with the model is said when it is made for use */
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !*is_made && status == HA_OK; i++) {
        double step = value != 0.0 ? steps[i] * value : steps[i];
        status = compare(t, &here, value + step, is_made, agree);
    }
    m2d__kit_clear(&here);
    return status == HA_ERR_MEMORY ? status : HA_OK;
}

static ha_status refuse(ha_ctx *ctx, const char *name, double value, bool is_made)
{
    const char *why =
        !is_made ? "with a value near it there is no such model"
        : value == 0.0
            ? "what a value of 0 switches off, or what reads it as a number while "
              "the model is built, has no derivative"
            : "its value is read as a number while the model is built, as that of a law of "
              "contact, an outline or an option is";

    return ha_fail(ctx, HA_ERR_UNSUPPORTED, HA_NOWHERE,
                   "the model cannot be differentiated by `%s`, which is %.9g: %s; vary it with "
                   "`--set`, `compare` or `study`%s",
                   name, value, why, value == 0.0 ? ", or give it a small value" : "");
}

static ha_status check_one(ha_ctx *ctx, const m2d__kit_def *def, const char *name)
{
    trial t = { .ctx = ha_ctx_new(), .def = def };
    char path[LONGEST_PATH];
    bool is_found = false, is_made = false, agree = false;
    ha_status status = t.ctx == NULL ? HA_ERR_MEMORY : HA_OK;

    HA_THEN(status, find_path(t.ctx, def, name, &t, path, &is_found));
    if (status == HA_OK && is_found) {
        status = try_value(&t, &is_made, &agree);
        if (status == HA_OK && !agree) {
            status = refuse(ctx, name, t.variable.value, is_made);
        }
    }
    ha_ctx_free(t.ctx);
    return status;
}

ha_status m2d_check_inputs(ha_ctx *ctx, const m2d_source *source, const char *const *names, int n)
{
    HA_NEED(ctx, ctx != NULL && source != NULL && (names != NULL || n <= 0));
    HA_NEED(ctx, source->path != NULL || source->graph != NULL);
    char *text = NULL;
    size_t length = 0;

    if (n <= 0) {
        return HA_OK;
    }
    HA_TRY(m2d__kit_text(ctx, source, &text, &length));
    const m2d__kit_def def = { .source = source, .text = text, .length = length };
    ha_status status = HA_OK;
    for (int i = 0; i < n && status != HA_ERR_MEMORY; i++) {
        ha_status one = check_one(ctx, &def, names[i]);
        status = one != HA_OK ? one : status;
    }
    ha__free(text);
    return status;
}
