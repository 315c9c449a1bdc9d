/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files: tables.
 *
 *   tables:
 *     valve: {x: [0, 0.2, 1], y: [0, 0.5, 0.6], kind: cubic}
 *     drive: {file: drive.csv, columns: [1, 3]}
 *
 * A table has no unit and no parameters: its points are plain numbers in SI. The tables of a file
 * are known in all expressions of that file.
 */
#include <config.h>

#include "lib/core/number.h"
#include "lib/data/csv.h"
#include "lib/expr_table.h"
#include "mech2d/read/read_priv.h"

#include <string.h>

/* A plain number. */
static ha_status read_number(m2d__reader *r, const ha__yaml_node *node, const char *object,
                             double *out)
{
    const char *text = NULL;

    HA_TRY(ha__yaml_text(r->ctx, node, object, &text));
    if (!ha__read_number(text, strlen(text), 0, out)) {
        return ha_fail(r->ctx, HA_ERR_VALUE, ha__yaml_text_where(node),
                       "`%s` in %s is no number; give plain numbers in SI units", text, object);
    }
    return HA_OK;
}

/* The numbers of a list. */
static ha_status read_list(m2d__reader *r, const ha__yaml_node *node, const char *object,
                           ha__column *out)
{
    HA_TRY(ha__yaml_expect(r->ctx, node, object, HA__YAML_SEQUENCE));
    HA_TRY_ROOM(r->ctx, out, node->n);
    for (size_t i = 0; i < node->n; i++) {
        HA_TRY(read_number(r, node->items[i], object, &out->items[i]));
        out->count++;
    }
    return HA_OK;
}

static ha_status read_lists(m2d__reader *r, const ha__yaml_pair *pair, ha__column columns[2])
{
    static const char *const keys[2] = { "x", "y" };
    const char *object = m2d__object(r, NULL, "table", pair->key);

    for (int i = 0; i < 2; i++) {
        const ha__yaml_node *node = NULL;
        HA_TRY(ha__yaml_require(r->ctx, pair->value, object, keys[i], &node));
        HA_TRY(read_list(r, node, m2d__object(r, keys[i], "table", pair->key), &columns[i]));
    }
    if (columns[0].count != columns[1].count) {
        return ha_fail(r->ctx, HA_ERR_VALUE, pair->where,
                       "table `%s` has %zu `x`, but %zu `y`; give one y for each x", pair->key,
                       columns[0].count, columns[1].count);
    }
    return HA_OK;
}

/* The numbers of the columns, 1 and 2 where none are given. */
static ha_status read_columns(m2d__reader *r, const ha__yaml_pair *pair, int columns[2])
{
    enum { MOST = 10000 };
    const ha__yaml_node *node = ha__yaml_get(pair->value, "columns"), *const *items = NULL;
    const char *object = m2d__object(r, "columns", "table", pair->key);

    if (node == NULL) {
        return HA_OK;
    }
    HA_TRY(ha__yaml_items(r->ctx, node, object, 2, &items));
    for (int i = 0; i < 2; i++) {
        double number = 0.0;
        HA_TRY(read_number(r, items[i], object, &number));
        if (!(number >= 1.0 && number <= MOST) || number != (double) (int) number) {
            return ha_fail(r->ctx, HA_ERR_VALUE, ha__yaml_text_where(items[i]),
                           "%s is %g; give whole numbers from 1 to %d", object, number, (int) MOST);
        }
        columns[i] = (int) number;
    }
    return HA_OK;
}

static ha_status read_file(m2d__reader *r, const ha__yaml_pair *pair, ha__column columns[2])
{
    const ha__yaml_node *file = ha__yaml_get(pair->value, "file");
    const char *name = NULL;
    int numbers[2] = { 1, 2 };

    if (ha__yaml_get(pair->value, "x") != NULL || ha__yaml_get(pair->value, "y") != NULL) {
        return ha_fail(r->ctx, HA_ERR_VALUE, pair->where,
                       "table `%s` has a `file` and points of its own; remove either", pair->key);
    }
    HA_TRY(ha__yaml_text(r->ctx, file, m2d__object(r, "file", "table", pair->key), &name));
    HA_TRY(read_columns(r, pair, numbers));
    const char *path = m2d__path_of(r, name, file->where.file);
    HA_TRY_MEMORY(path);
    ha_status status = ha__csv_read(r->ctx, path, numbers, columns);
    if (status != HA_OK) {
        ha_note(r->ctx, ha__yaml_text_where(file), "read here as the table `%s`", pair->key);
    }
    return status;
}

static const char *const kinds[] = { [HA_TABLE_LINEAR] = "linear",
                                     [HA_TABLE_CUBIC] = "cubic",
                                     [HA_TABLE_NATURAL] = "natural",
                                     [HA_TABLE_PERIODIC] = "periodic" };

static ha_status read_kind(m2d__reader *r, const ha__yaml_pair *pair, ha_table_kind *out)
{
    const ha__yaml_node *node = ha__yaml_get(pair->value, "kind");
    const char *text = "linear";

    if (node != NULL) {
        HA_TRY(ha__yaml_text(r->ctx, node, m2d__object(r, "kind", "table", pair->key), &text));
    }
    for (int kind = 0; kind < (int) HA_COUNT(kinds); kind++) {
        if (strcmp(text, kinds[kind]) == 0) {
            *out = (ha_table_kind) kind;
            return HA_OK;
        }
    }
    return ha_fail(r->ctx, HA_ERR_NAME, ha__yaml_text_where(node),
                   "table `%s` has the unknown kind `%s`; use `linear`, `cubic`, `natural` or "
                   "`periodic`",
                   pair->key, text);
}

static ha_status add_table(m2d__reader *r, const ha__yaml_pair *pair, ha__column columns[2])
{
    static const char *const keys[] = { "x", "y", "kind", "file", "columns" };
    const char *object = m2d__object(r, NULL, "table", pair->key);
    ha_table_def def = ha_table_def_default();

    HA_TRY(ha__yaml_expect(r->ctx, pair->value, object, HA__YAML_MAPPING));
    HA_TRY(ha__yaml_check_keys(r->ctx, pair->value, object, keys, HA_COUNT(keys)));
    bool is_file = ha__yaml_get(pair->value, "file") != NULL;
    if (!is_file && ha__yaml_get(pair->value, "columns") != NULL) {
        return ha_fail(r->ctx, HA_ERR_VALUE, pair->where,
                       "table `%s` has `columns`, but no `file`; give one", pair->key);
    }
    HA_TRY(read_kind(r, pair, &def.kind));
    HA_TRY(is_file ? read_file(r, pair, columns) : read_lists(r, pair, columns));
    def.name = pair->key;
    def.n = columns[0].count;
    def.x = columns[0].items;
    def.y = columns[1].items;
    def.where = pair->where;
    return ha_table_add(r->mechanism->dag, &def, NULL);
}

/* A table of other points, for what uses one that could not be read. */
static ha_status add_instead(m2d__reader *r, const char *name)
{
    static const double points[2] = { 0.0, 1.0 };
    ha_table_def def = ha_table_def_default();

    def.name = name;
    def.n = HA_COUNT(points);
    def.x = def.y = points;
    return ha_table_is_name(name) && ha_table_find(r->mechanism->dag, name) < 0
               ? ha_table_add(r->mechanism->dag, &def, NULL)
               : HA_OK;
}

void m2d__read_tables(m2d__reader *r, const ha__yaml_node *root)
{
    const ha__yaml_node *section = m2d__section(r, root, "tables", "`tables`", HA__YAML_MAPPING);
    bool is_bad = section != NULL && section == r->bad_tables;

    for (size_t i = 0; section != NULL && i < section->n && r->status != HA_ERR_MEMORY; i++) {
        const ha__yaml_pair *pair = &section->pairs[i];
        ha__column columns[2] = { { 0 }, { 0 } };
        ha_status status = is_bad ? HA_ERR_VALUE : add_table(r, pair, columns);
        m2d__reader_go_on(r, status);
        if (status != HA_OK) {
            r->bad_tables = section;
            m2d__reader_go_on(r, add_instead(r, pair->key));
        }
        HA_ARRAY_CLEAR(&columns[0], &columns[1]);
    }
}
