/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files: named values, and the entries of `outputs`.
 *
 *   values: {slip: "front.vx - R*wheel.f"}
 *   outputs:
 *     - wheel.f
 *     - {pin: "sqrt(O.fx^2 + O.fy^2)"}
 *     - {tilt: {value: rod.angle, unit: deg}}
 *
 * All names are known in the expressions of the file, whatever the order. `outputs` of a submodel
 * are those that the name of a part of it stands for.
 */
#include <config.h>

#include "mech2d/read/read_priv.h"

#include <string.h>

/* Adds a value or output by expression: a scalar, or a mapping with its unit. */
static ha_status read_one(m2d__reader *r, const ha__yaml_pair *pair, bool is_output)
{
    static const char *const keys[] = { "value", "unit" };
    const char *kind = is_output ? "output" : "value";
    const char *object = m2d__object(r, NULL, kind, pair->key);
    const ha__yaml_node *node = pair->value, *unit = NULL;
    m2d_value_def def = { .name = pair->key, .where = pair->where };
    size_t n_errors = ha_ctx_n_errors(r->ctx);

    if (node->kind == HA__YAML_MAPPING) {
        HA_TRY(m2d__check_keys(r, node, object, keys, HA_COUNT(keys)));
        unit = ha__yaml_get(node, "unit");
        HA_TRY(ha__yaml_require(r->ctx, node, object, "value", &node));
    }
    if (unit != NULL) {
        def.where = ha__yaml_text_where(unit);
        HA_TRY(ha__yaml_text(r->ctx, unit, m2d__object(r, "unit", kind, pair->key), &def.unit));
    }
    m2d_mechanism_begin_outputs(r->mechanism, is_output);
    def.value = m2d__read_value(r, node, HA__QUANTITY_ANY, object, 1.0);
    m2d_mechanism_begin_outputs(r->mechanism, false);
    if (ha_ctx_n_errors(r->ctx) > n_errors) {
        return HA_OK; /* it was reported */
    }
    return is_output ? m2d_mechanism_add_output(r->mechanism, &def)
                     : m2d_mechanism_add_value(r->mechanism, &def);
}

void m2d__read_named(m2d__reader *r, const ha__yaml_node *root)
{
    const ha__yaml_node *section = m2d__section(r, root, "values", "`values`", HA__YAML_MAPPING);
    char *marks = NULL;

    if (section == NULL || m2d__find_circles(r, section, M2D__VALUES, &marks) == HA_ERR_MEMORY) {
        return;
    }
    for (size_t i = 0; i < section->n && r->status != HA_ERR_MEMORY; i++) {
        if (marks[i] == 0) {
            m2d__reader_go_on(r, read_one(r, &section->pairs[i], false));
        }
    }
}

void m2d__note_values(m2d__reader *r, const ha__yaml_node *root)
{
    const ha__yaml_node *section = ha__yaml_get(root, "values");
    const ha__yaml_node *outputs = ha__yaml_get(root, "outputs");
    bool is_list = outputs != NULL && outputs->kind == HA__YAML_SEQUENCE;

    r->values = section != NULL && section->kind == HA__YAML_MAPPING ? section : NULL;
    for (size_t i = 0; is_list && i < outputs->n; i++) {
        const ha__yaml_node *item = outputs->items[i];
        for (size_t k = 0; item->kind == HA__YAML_MAPPING && k < item->n; k++) {
            const char *name = item->pairs[k].key;
            int number = 0;
            m2d__reader_go_on(
                r, ha__symtab_add(r->ctx, &r->output_names, name, strlen(name), &number, NULL));
        }
    }
}

bool m2d__is_named(const m2d__reader *r, const char *name)
{
    return (r->values != NULL && ha__yaml_find(r->values, name) != NULL) ||
           (r->mechanism->in_output && r->entry == NULL &&
            ha__symtab_find(&r->output_names, name, strlen(name)) >= 0);
}

static ha_status keep_output(m2d__reader *r, const char *name, ha_where where)
{
    m2d_model *model = r->model;
    const char *full = m2d__inside(r->mechanism, name);

    HA_TRY_MEMORY(full);
    m2d__part_wanted of_part = {
        r->mechanism->part,
        { ha__arena_text(r->ctx, &model->arena, full, strlen(full)),
          m2d__keep_where(r->ctx, &model->arena, &model->file, where) },
    };
    HA_TRY_MEMORY(of_part.wanted.name);
    if (r->part == NULL) {
        HA_TRY_PUSH(r->ctx, &model->outputs, of_part.wanted);
    } else if (r->mechanism == model->mechanism) { /* else the submodel is only tried */
        HA_TRY_PUSH(r->ctx, &model->part_outputs, of_part);
    }
    return HA_OK;
}

/* An entry is a name, or a mapping of names to expressions. */
static void read_entry(m2d__reader *r, const ha__yaml_node *node)
{
    if (node->kind != HA__YAML_MAPPING) {
        const char *name = m2d__read_name(r, node, "an entry of `outputs`");
        name = m2d__indexed(r, name, node->where);
        m2d__reader_go_on(r, name == NULL ? HA_OK : keep_output(r, name, node->where));
        return;
    }
    for (size_t i = 0; i < node->n && r->status != HA_ERR_MEMORY; i++) {
        const ha__yaml_pair *pair = &node->pairs[i];
        ha_status status = read_one(r, pair, true);
        HA_THEN(status, keep_output(r, pair->key, pair->where));
        m2d__reader_go_on(r, status);
    }
}

void m2d__read_outputs(m2d__reader *r, const ha__yaml_node *root)
{
    const ha__yaml_node *section = m2d__section(r, root, "outputs", "`outputs`", HA__YAML_SEQUENCE);

    for (size_t i = 0; section != NULL && i < section->n && r->status != HA_ERR_MEMORY; i++) {
        read_entry(r, section->items[i]);
    }
}
