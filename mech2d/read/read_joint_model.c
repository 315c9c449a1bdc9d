/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Model files: the key `model` of a joint, and the settings of the model. */
#include <config.h>

#include "mech2d/read/read_priv.h"

#include <string.h>

size_t m2d__list_model_keys(const char **keys)
{
    size_t n = 0;

    for (size_t i = 0; m2d__joint_model_at(i) != NULL; i++) {
        const m2d__joint_model *model = m2d__joint_model_at(i);
        for (int k = 0; k < model->n_keys && n < M2D__MAX_MODEL_KEYS; k++) {
            bool is_listed = false;
            for (size_t other = 0; other < n; other++) {
                is_listed = is_listed || strcmp(keys[other], model->keys[k].name) == 0;
            }
            keys[n] = model->keys[k].name;
            n += is_listed ? 0 : 1;
        }
    }
    return n;
}

const char *const *m2d__model_keys(m2d__reader *r, size_t *n)
{
    if (r->n_model_keys == 0) {
        r->n_model_keys = m2d__list_model_keys(r->model_keys);
    }
    *n = r->n_model_keys;
    return r->model_keys;
}

/* Appends the value of a node to `values`, or those of a sequence. */
static void read_entries(m2d__reader *r, const ha__yaml_node *node, const m2d__key *key,
                         const char *object, ha_expr *values, int *n)
{
    double instead = key->excludes_zero ? 1.0 : 0.0;

    if (node->kind == HA__YAML_SEQUENCE) {
        for (size_t i = 0; i < node->n; i++) {
            read_entries(r, node->items[i], key, object, values, n);
        }
    } else if (*n < M2D__MAX_MATRIX) {
        values[(*n)++] = m2d__read_value(r, node, key->quantities[0], object, instead);
    } else {
        (*n)++; /* too many: what takes the setting says so */
    }
}

/* HA_OK when the rows of a matrix, if the node is one, are as long as it has rows. */
static ha_status check_square(m2d__reader *r, const ha__yaml_node *node, const char *object)
{
    bool has_row = false;

    for (size_t i = 0; node->kind == HA__YAML_SEQUENCE && i < node->n; i++) {
        has_row = has_row || node->items[i]->kind == HA__YAML_SEQUENCE;
    }
    for (size_t i = 0; has_row && i < node->n; i++) {
        const ha__yaml_node *row = node->items[i];
        if (row->kind != HA__YAML_SEQUENCE || row->n != node->n) {
            return ha_fail(r->ctx, HA_ERR_VALUE, row->where,
                           "%s is a matrix of %zu rows, of which row %zu has %zu entries; give all "
                           "rows %zu entries",
                           object, node->n, i + 1, row->kind == HA__YAML_SEQUENCE ? row->n : 1,
                           node->n);
        }
    }
    return HA_OK;
}

void m2d__read_choice(m2d__reader *r, const ha__yaml_node *node, const m2d__key *key,
                      const char *object, m2d_connection_def *def, m2d_choice *choices)
{
    const char *name = m2d__read_name(r, node, object);

    if (name != NULL) {
        choices[def->n_choices++] = (m2d_choice){ key->name, name, node->where };
        def->choices = choices;
    }
}

/* Reads a setting; false when it cannot be given to the joint. */
static bool read_setting(m2d__reader *r, const ha__yaml_node *node, const m2d__key *key,
                         const char *joint, ha_expr *values, m2d_setting *out)
{
    const char *object = m2d__object(r, key->name, "joint", joint);
    int n = key->n_values;

    r->in_law = key->law != M2D__NO_LAW;
    if (key->is_matrix) {
        ha_status status = check_square(r, node, object);
        m2d__reader_go_on(r, status);
        if (status != HA_OK) {
            r->in_law = false;
            return false;
        }
        n = 0;
        read_entries(r, node, key, object, values, &n);
    } else {
        m2d__read_values(r, node, key->quantities, n, object, key->excludes_zero ? 1.0 : 0.0,
                         values);
    }
    r->in_law = false;
    *out = (m2d_setting){ key->name, values, n, node->where };
    return true;
}

/* The model that a key is of: the one that is named, or any that has it. */
static const m2d__joint_model *meant_by(const m2d__key *key, const m2d_joint_def *def,
                                        bool is_named)
{
    return is_named ? m2d__joint_model_find(def->model) : m2d__joint_model_with(key->name);
}

bool m2d__read_joint_model(m2d__reader *r, const ha__yaml_node *node, m2d_joint_def *def,
                           m2d_setting *settings, ha_expr (*values)[M2D__MAX_MATRIX],
                           m2d_choice *choices)
{
    const ha__yaml_node *name = ha__yaml_get(node, "model");
    const char *object = m2d__object(r, "model", "joint", def->name);
    bool is_complete = true;
    int n = 0;

    def->model = name == NULL ? NULL : m2d__read_name(r, name, object);
    if (name != NULL && (def->model == NULL || m2d__joint_model_find(def->model) == NULL)) {
        def->where = name->where;
        return def->model != NULL; /* an unknown one is reported when the joint is added */
    }
    for (size_t i = 0; m2d__joint_model_at(i) != NULL; i++) {
        const m2d__joint_model *model = m2d__joint_model_at(i);
        for (int k = 0; k < model->n_keys; k++) {
            const m2d__key *key = &model->keys[k];
            const ha__yaml_node *value = ha__yaml_get(node, key->name);
            if (value == NULL || meant_by(key, def, name != NULL) != model) {
                continue;
            }
            if (key->choice != NULL) {
                m2d__read_choice(r, value, key, m2d__object(r, key->name, "joint", def->name), def,
                                 choices);
                continue;
            }
            bool is_read =
                read_setting(r, value, key, def->name, values[n++], &settings[def->n_settings]);
            def->n_settings += is_read ? 1 : 0;
            is_complete = is_complete && is_read;
        }
    }
    return is_complete;
}
