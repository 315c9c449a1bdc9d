/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of joint models, and what joints take from it. */
#include <config.h>

#include "mech2d/mechanism/joint_model.h"

#include "lib/core/strbuf.h"
#include "mech2d/mechanism/mechanism_priv.h"

#include <string.h>

static const m2d__joint_model *const models[] = {
#define X(model) &model,
#include "mech2d/joint_models.def"
#undef X
};

const m2d__joint_model *m2d__joint_model_at(size_t i)
{
    return i < HA_COUNT(models) ? models[i] : NULL;
}

const m2d__joint_model *m2d__joint_model_find(const char *name)
{
    for (size_t i = 0; i < HA_COUNT(models); i++) {
        if (name == NULL || strcmp(models[i]->name, name) == 0) {
            return models[i];
        }
    }
    return NULL;
}

int m2d__joint_model_key(const m2d__joint_model *model, const char *key)
{
    for (int i = 0; i < model->n_keys; i++) {
        if (strcmp(model->keys[i].name, key) == 0) {
            return i;
        }
    }
    return -1;
}

const m2d__joint_model *m2d__joint_model_with(const char *key)
{
    for (size_t i = 0; i < HA_COUNT(models); i++) {
        if (m2d__joint_model_key(models[i], key) >= 0) {
            return models[i];
        }
    }
    return NULL;
}

/* --- what joints take ----------------------------------------------------------------------- */

static ha_status fail_model(m2d_mechanism *mechanism, const m2d_joint_def *def)
{
    ha__strbuf known = HA_STRBUF(mechanism->ctx);

    for (size_t i = 0; i < HA_COUNT(models); i++) {
        ha__strbuf_addf(&known, "%s`%s`", i > 0 ? ", " : "", models[i]->name);
    }
    return HA_FAIL_WITH(known, mechanism->ctx, HA_ERR_NAME, def->where,
                        "joint `%s` has the model `%s`, which is not known; use one of %s",
                        def->name, def->model, ha__strbuf_text(&known));
}

static ha_status check_value(m2d_mechanism *mechanism, const m2d__key *key, ha_expr e,
                             bool is_of_matrix, m2d__owner owner)
{
    double number = 0.0;
    bool varies = false;

    HA_TRY(m2d__varies(mechanism, e, &varies));
    if (varies && key->law != M2D__NO_LAW) {
        return m2d__check_law(mechanism, e, key->law, owner);
    }
    return key->is_positive && !is_of_matrix
               ? m2d__check_range(mechanism, e, key, owner)
               : m2d__constant(mechanism->ctx, mechanism->dag, e, owner, &number);
}

/* HA_OK when the values are as many as a key may have, each in its range. */
static ha_status check_setting(m2d_mechanism *mechanism, const m2d__key *key,
                               const m2d_setting *setting, m2d__owner owner)
{
    bool is_legal = key->is_matrix ? setting->n_values >= 1 && setting->n_values <= M2D__MAX_MATRIX
                                   : setting->n_values == key->n_values;

    if (key->choice != NULL) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, owner.where,
                       "`%s` of joint `%s` is a name, but a value is given; choose one", key->name,
                       owner.name);
    }
    if (!is_legal) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, owner.where,
                       "`%s` of joint `%s` has %d values; give %s", key->name, owner.name,
                       setting->n_values,
                       key->is_matrix ? "one, one for each row of the joint, or a matrix" : "one");
    }
    for (int i = 0; i < setting->n_values; i++) {
        bool is_of_matrix = key->is_matrix && setting->n_values > 1;
        HA_TRY(check_value(mechanism, key, setting->values[i], is_of_matrix, owner));
    }
    return HA_OK;
}

static ha_status keep_setting(m2d_mechanism *mechanism, const m2d_setting *setting, ha_where where,
                              m2d__model_setting *out)
{
    size_t n = (size_t) setting->n_values;
    ha_expr *values = ha__arena_alloc(mechanism->ctx, &mechanism->arena, n, sizeof *values);

    HA_TRY_MEMORY(values);
    memcpy(values, setting->values, n * sizeof *values);
    out->n_values = setting->n_values;
    out->values = values;
    out->where = m2d__keep_where(mechanism->ctx, &mechanism->arena, &mechanism->file, where);
    return HA_OK;
}

/* The names that are chosen, as numbers. */
static ha_status take_choices(m2d_mechanism *mechanism, const m2d_joint_def *def,
                              const m2d__joint_model *model, m2d__model_setting *settings)
{
    m2d__owner owner = { "joint", def->name, NULL, def->where };

    for (int i = 0; i < def->n_choices; i++) {
        const m2d_choice *choice = &def->choices[i];
        int key = m2d__joint_model_key(model, choice->key);
        ha_expr number = HA_EXPR_NONE;
        owner.key = choice->key;
        owner.where = choice->where.file != NULL ? choice->where : def->where;
        if (key >= 0 && model->keys[key].choice != NULL) {
            const m2d_setting chosen = { choice->key, &number, 1, owner.where };
            HA_TRY(m2d__take_choice(mechanism, &model->keys[key], choice, owner, &number));
            HA_TRY(keep_setting(mechanism, &chosen, owner.where, &settings[key]));
        }
    }
    return HA_OK;
}

ha_status m2d__take_model(m2d_mechanism *mechanism, const m2d_joint_def *def,
                          m2d__connection *joint)
{
    m2d__owner owner = { "joint", def->name, NULL, def->where };
    m2d__model_setting *settings = NULL;

    joint->model = m2d__joint_model_find(def->model);
    if (joint->model == NULL) {
        return fail_model(mechanism, def);
    }
    HA_TRY_GET(settings, ha__arena_alloc(mechanism->ctx, &mechanism->arena,
                                         (size_t) joint->model->n_keys + 1, sizeof *settings));
    joint->model_settings = settings;
    HA_TRY(take_choices(mechanism, def, joint->model, settings));
    for (int i = 0; i < def->n_settings; i++) {
        const m2d_setting *setting = &def->settings[i];
        int key = m2d__joint_model_key(joint->model, setting->key);
        owner.key = setting->key;
        owner.where = setting->where.file != NULL ? setting->where : def->where;
        if (key >= 0) {
            HA_TRY(check_setting(mechanism, &joint->model->keys[key], setting, owner));
            HA_TRY(keep_setting(mechanism, setting, owner.where, &settings[key]));
        }
    }
    return HA_OK;
}
