/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What files of BondGraphTools have no words for, in sections of their own, which it passes over:
 *
 *   starts: {C1: 1e-3, motor.L: 0.2}     q of a C, p of an I
 *   inputs: {V: 12*sin(2*pi*50*t)}       of Se and Sf, in place of a value; without the section it
 *                                        takes them for inputs of its simulation
 */
#include <config.h>

#include "bondgraph/text/bgt_priv.h"
#include "lib/expr.h"

#include <string.h>

static ha_expr lookup(void *user, const char *name)
{
    bg_graph *graph = user;

    return strcmp(name, "t") == 0 ? bg_graph_time(graph) : HA_EXPR_NONE;
}

/* The expression of an entry. */
static ha_status parse(bg__bgt_reader *r, const ha__yaml_pair *pair, const char *section,
                       ha_where where, ha_expr *out)
{
    const char *text = NULL;
    const char *object = ha__arena_format(r->ctx, &r->arena, "`%s` under `%s`", pair->key, section);
    const ha_parse_def def = {
        .where = where, .object = object, .lookup = lookup, .lookup_user = r->graph
    };

    HA_TRY_MEMORY(object);
    HA_TRY(ha__yaml_text(r->ctx, pair->value, object, &text));
    return ha_expr_parse(bg_graph_dag(r->graph), text, &def, out);
}

static bool is_storage(const bg__bgt_kind *kind)
{
    return strcmp(kind->name, "C") == 0 || strcmp(kind->name, "I") == 0;
}

static ha_status read_start(bg__bgt_reader *r, const ha__yaml_pair *pair, ha_where where,
                            bg__bgt_leaf *leaf)
{
    double value = 0.0;

    HA_TRY(parse(r, pair, "starts", where, &leaf->start));
    return ha_expr_is_constant(bg_graph_dag(r->graph), leaf->start, &value)
               ? HA_OK
               : ha_fail(r->ctx, HA_ERR_VALUE, where,
                         "the start of `%s` depends on `t`; give a number", pair->key);
}

static ha_status read_input(bg__bgt_reader *r, const ha__yaml_pair *pair, ha_where where,
                            bg__bgt_leaf *leaf)
{
    HA_TRY(parse(r, pair, "inputs", where, &leaf->input));
    if (leaf->is_given) {
        return ha_fail(r->ctx, HA_ERR_VALUE, where,
                       "`%s` has a value among the components and another under `inputs`; take "
                       "one out",
                       pair->key);
    }
    leaf->is_given = true;
    return HA_OK;
}

/* An entry of a section, which must be of a component of its kind. */
static ha_status read_entry(bg__bgt_reader *r, const ha__yaml_pair *pair, bool is_start)
{
    int number = ha__symtab_find(&r->paths, pair->key, strlen(pair->key));
    bg__bgt_leaf *leaf = number < 0 ? NULL : &r->leaves.items[number];
    ha_where where = pair->where;

    where.file = r->name;
    if (leaf == NULL || !(is_start ? is_storage(leaf->kind) : leaf->kind->is_input)) {
        return ha_fail(r->ctx, HA_ERR_NAME, where, "`%s` under `%s` is no component %s", pair->key,
                       is_start ? "starts" : "inputs",
                       is_start ? "base/C or base/I" : "base/Se or base/Sf");
    }
    return is_start ? read_start(r, pair, where, leaf) : read_input(r, pair, where, leaf);
}

static ha_status read_section(bg__bgt_reader *r, const ha__yaml_node *root, bool is_starts)
{
    const ha__yaml_node *section = ha__yaml_get(root, is_starts ? "starts" : "inputs");

    if (section == NULL) {
        return HA_OK;
    }
    HA_TRY(ha__yaml_expect(r->ctx, section, is_starts ? "`starts`" : "`inputs`", HA__YAML_MAPPING));
    for (size_t i = 0; i < section->n; i++) {
        HA_TRY(bg__bgt_go_on(r, read_entry(r, &section->pairs[i], is_starts)));
    }
    return HA_OK;
}

ha_status bg__bgt_read_values(bg__bgt_reader *r, const ha__yaml_node *root)
{
    HA_TRY(read_section(r, root, true));
    return read_section(r, root, false);
}
