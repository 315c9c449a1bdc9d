/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings of a joint or force: each is taken by its key, and checked against it. */
#include <config.h>

#include "lib/core/strbuf.h"
#include "mech2d/mechanism/mechanism_priv.h"

#include <string.h>

static const m2d__key *find_key(const m2d__key *keys, int n, const char *name)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(keys[i].name, name) == 0) {
            return &keys[i];
        }
    }
    return NULL;
}

ha_status m2d__take_choice(m2d_mechanism *mechanism, const m2d__key *key, const m2d_choice *choice,
                           m2d__owner owner, ha_expr *out)
{
    ha__strbuf known = HA_STRBUF(mechanism->ctx);
    size_t i = 0;

    while (key->choice(i) != NULL && strcmp(key->choice(i), choice->name) != 0) {
        i++;
    }
    if (key->choice(i) != NULL) {
        *out = ha_constant(mechanism->dag, (double) i);
        return ha_dag_status(mechanism->dag);
    }
    for (i = 0; key->choice(i) != NULL; i++) {
        ha__strbuf_addf(&known, "%s`%s`", i > 0 ? ", " : "", key->choice(i));
    }
    return HA_FAIL_WITH(known, mechanism->ctx, HA_ERR_NAME, owner.where,
                        "`%s` of %s `%s` is `%s`, which is not known; use one of %s", key->name,
                        owner.kind, owner.name, choice->name, ha__strbuf_text(&known));
}

static ha_status check_setting(m2d_mechanism *mechanism, const m2d__key *key,
                               const m2d_setting *setting, m2d__owner owner)
{
    double value = 0.0;

    if (key->choice != NULL) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, owner.where,
                       "`%s` of %s `%s` is a name, but a value is given; choose one", key->name,
                       owner.kind, owner.name);
    }
    if (setting->n_values != key->n_values) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, owner.where,
                       "`%s` of %s `%s` has %d value%s; give %d", key->name, owner.kind, owner.name,
                       setting->n_values, setting->n_values == 1 ? "" : "s", key->n_values);
    }
    for (int i = 0; i < key->n_values; i++) {
        if (setting->values[i] == HA_EXPR_NONE) {
            HA_TRY(ha_dag_status(mechanism->dag));
            return ha_fail(mechanism->ctx, HA_ERR_VALUE, owner.where,
                           "%s `%s` has no `%s`; give it a value", owner.kind, owner.name,
                           key->name);
        }
        if (key->law != M2D__NO_LAW) {
            HA_TRY(m2d__check_law(mechanism, setting->values[i], key->law, owner));
        } else if (key->is_positive) {
            HA_TRY(m2d__check_range(mechanism, setting->values[i], key, owner));
        } else if (key->is_constant) {
            HA_TRY(
                m2d__constant(mechanism->ctx, mechanism->dag, setting->values[i], owner, &value));
        }
    }
    return HA_OK;
}

/* A setting that neither the type has nor the model, but perhaps another model. */
static ha_status fail_setting(m2d_mechanism *mechanism, const m2d_connection_def *def,
                              const m2d__key *keys, int n_keys, const m2d__joint_model *model,
                              m2d__owner owner)
{
    const m2d__joint_model *other = model == NULL ? NULL : m2d__joint_model_with(owner.key);

    if (other != NULL) {
        return ha_fail(mechanism->ctx, HA_ERR_NAME, owner.where,
                       "`%s` of joint `%s` is a setting of the model `%s`, but the joint has the "
                       "model `%s`; give it `model: %s`, or remove the setting",
                       owner.key, owner.name, other->name, model->name, other->name);
    }
    const char *near = NULL;
    for (int i = 0; i < n_keys && near == NULL; i++) {
        near = ha__nearest(owner.key, &keys[i].name, 1);
    }
    return ha_fail(mechanism->ctx, HA_ERR_NAME, owner.where,
                   "%s `%s` of type `%s` has no setting `%s`; %s%s%s", owner.kind, owner.name,
                   def->type, owner.key, near == NULL ? "remove it" : "did you mean `",
                   near == NULL ? "" : near, near == NULL ? "" : "`?");
}

/* Puts the names that are chosen into the order of the type's keys, as numbers. */
static ha_status sort_choices(m2d_mechanism *mechanism, const m2d_connection_def *def,
                              const m2d__key *keys, int n_keys, const m2d__joint_model *model,
                              ha_expr *values)
{
    m2d__owner owner = { model != NULL ? "joint" : "force", def->name, NULL, def->where };

    for (int i = 0; i < def->n_choices; i++) {
        const m2d_choice *choice = &def->choices[i];
        const m2d__key *key = find_key(keys, n_keys, choice->key);
        owner.key = choice->key;
        owner.where = choice->where.file != NULL ? choice->where : def->where;
        if (model != NULL && m2d__joint_model_key(model, choice->key) >= 0) {
            continue;
        }
        if (key == NULL || key->choice == NULL) {
            return fail_setting(mechanism, def, keys, n_keys, model, owner);
        }
        HA_TRY(m2d__take_choice(mechanism, key, choice, owner,
                                &values[(key - keys) * M2D__MAX_COMPONENTS]));
    }
    return HA_OK;
}

/* Puts the settings into the order of the type's keys; what is not given is 0, or HA_EXPR_NONE
   where the key is optional. Those of the joint model (NULL: none) are left to it. */
static ha_status sort_settings(m2d_mechanism *mechanism, const m2d_connection_def *def,
                               const m2d__key *keys, int n_keys, const m2d__joint_model *model,
                               ha_expr *values)
{
    m2d__owner owner = { model != NULL ? "joint" : "force", def->name, NULL, def->where };

    for (int i = 0; i < n_keys * M2D__MAX_COMPONENTS; i++) {
        values[i] = HA_EXPR_NONE;
    }
    for (int i = 0; i < def->n_settings; i++) {
        const m2d_setting *setting = &def->settings[i];
        const m2d__key *key = find_key(keys, n_keys, setting->key);
        owner.key = setting->key;
        owner.where = setting->where.file != NULL ? setting->where : def->where;
        if (model != NULL && m2d__joint_model_key(model, setting->key) >= 0) {
            continue;
        }
        if (key == NULL) {
            return fail_setting(mechanism, def, keys, n_keys, model, owner);
        }
        HA_TRY(check_setting(mechanism, key, setting, owner));
        memcpy(values + (key - keys) * M2D__MAX_COMPONENTS, setting->values,
               (size_t) key->n_values * sizeof *values);
    }
    HA_TRY(sort_choices(mechanism, def, keys, n_keys, model, values));
    for (int i = 0; i < n_keys; i++) {
        if (keys[i].is_required && values[i * M2D__MAX_COMPONENTS] == HA_EXPR_NONE) {
            return ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where,
                           "%s `%s` has no `%s`; give it a value", owner.kind, owner.name,
                           keys[i].name);
        }
    }
    for (int i = 0; i < n_keys * M2D__MAX_COMPONENTS; i++) {
        if (values[i] == HA_EXPR_NONE && !keys[i / M2D__MAX_COMPONENTS].is_optional) {
            values[i] = ha_constant(mechanism->dag, 0.0);
        }
    }
    return ha_dag_status(mechanism->dag);
}

ha_status m2d__take_settings(m2d_mechanism *mechanism, const m2d_connection_def *def,
                             const m2d__key *keys, int n_keys, m2d__connection *connection)
{
    HA_TRY_GET(connection->settings,
               ha__arena_alloc(mechanism->ctx, &mechanism->arena,
                               (size_t) n_keys * M2D__MAX_COMPONENTS + 1, sizeof(ha_expr)));
    return sort_settings(mechanism, def, keys, n_keys, connection->model, connection->settings);
}

ha_status m2d__tell_fault(m2d_mechanism *mechanism, const char *kind, const char *name,
                          const char *fault, ha_where where)
{
    HA_TRY(ha_dag_status(mechanism->dag));
    return fault == NULL
               ? HA_OK
               : ha_fail(mechanism->ctx, HA_ERR_VALUE, where, "%s `%s`: %s", kind, name, fault);
}
