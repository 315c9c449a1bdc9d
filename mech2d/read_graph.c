/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files: the bond graph of other domains.
 *
 *   bondgraph:
 *     elements: {V: {type: Se, value: 12 V}, K: {type: GY, value: 0.05}, 1m: {type: "1"}}
 *     bonds: [V > 1m > K, K > O.axis]
 *     signals: {control: {type: pid, input: wish - J.f, kp: 2, ki: 5}}
 */
#include <config.h>

#include "bondgraph/element.h"
#include "mech2d/read_priv.h"

#include <string.h>

static const char blanks[] = " \t\r\n";

/* A start value, which must be constant. */
static ha_expr read_start(m2d__reader *r, const ha__yaml_pair *pair, const char *key)
{
    const ha__yaml_node *node = ha__yaml_get(pair->value, key);
    const m2d__owner owner = { "element", pair->key, key, HA_NOWHERE };
    double number = 0.0;

    return node == NULL ? HA_EXPR_NONE
                        : m2d__read_constant(r, node, HA__QUANTITY_ANY, owner, 0.0, &number);
}

/* The law by expressions: keys `e`, `f`, `energy`, `inverse`; true when one of them is there. */
static bool read_law(m2d__reader *r, const ha__yaml_pair *pair, ha_expr own[4], bg_law *law)
{
    bool is_there = false;

    r->own = own;
    for (int part = 0; part < BG__PART_COUNT; part++) {
        const char *key = bg__law_part_name((bg__law_part) part);
        const ha__yaml_node *node = ha__yaml_get(pair->value, key);
        if (node != NULL) {
            is_there = true;
            *bg__law_part_place(law, (bg__law_part) part) = m2d__read_value(
                r, node, HA__QUANTITY_ANY, m2d__object(r, key, "element", pair->key), 1.0);
        }
    }
    r->own = NULL;
    law->e = &own[BG_SIGNAL_E];
    law->f = &own[BG_SIGNAL_F];
    law->p = &own[BG_SIGNAL_P];
    law->q = &own[BG_SIGNAL_Q];
    return is_there;
}

static void read_element(m2d__reader *r, const ha__yaml_pair *pair)
{
    static const char *const keys[] = { "type", "value", "p", "q", "e", "f", "energy", "inverse" };
    ha_expr own[4] = { HA_EXPR_NONE, HA_EXPR_NONE, HA_EXPR_NONE, HA_EXPR_NONE };
    bg_law law = bg_law_default();
    const char *object = m2d__object(r, NULL, "element", pair->key);
    const ha__yaml_node *type = NULL, *value = ha__yaml_get(pair->value, "value");
    m2d_element_def def = m2d_element_def_default();

    ha_status status = m2d__check_keys(r, pair->value, object, keys, HA_COUNT(keys));
    if (status == HA_ERR_SYNTAX) {
        return;
    }
    type = m2d__require(r, pair->value, object, "type");
    if (value != NULL) {
        def.value = m2d__read_value(r, value, HA__QUANTITY_ANY,
                                    m2d__object(r, "value", "element", pair->key), 1.0);
    }
    def.p = read_start(r, pair, "p");
    def.q = read_start(r, pair, "q");
    if (read_law(r, pair, own, &law)) {
        def.law = &law;
    }
    def.name = pair->key;
    def.where = pair->where;
    def.type = type == NULL ? NULL : m2d__read_name(r, type, object);
    if (def.type != NULL) {
        m2d__reader_go_on(r, m2d_mechanism_add_element(r->mechanism, &def));
    }
}

/* The next name of a chain, without the blanks around it; *text goes behind its `>`, to NULL behind
   the last. */
static ha_status next_name(m2d__reader *r, const char **text, const char **out)
{
    const char *start = *text + strspn(*text, blanks), *end = strchr(start, '>');
    size_t length = end == NULL ? strlen(start) : (size_t) (end - start);

    *text = end == NULL ? NULL : end + 1;
    while (length > 0 && strchr(blanks, start[length - 1]) != NULL) {
        length--;
    }
    *out = ha__arena_text(r->ctx, &r->arena, start, length);
    return *out == NULL ? HA_ERR_MEMORY : HA_OK;
}

static ha_status refuse_chain(m2d__reader *r, const char *text, ha_where where)
{
    return ha_fail(
        r->ctx, HA_ERR_SYNTAX, where,
        "the bond `%s` does not join two elements; write `A > B`, with the half arrow at "
        "B, or a chain `A > B > C`",
        text);
}

/* The bonds of `A > B > C`. */
static ha_status read_chain(m2d__reader *r, const char *text, ha_where where)
{
    const char *rest = text, *tail = NULL, *head = NULL;

    HA_TRY(next_name(r, &rest, &tail));
    if (rest == NULL || tail[0] == '\0') {
        return refuse_chain(r, text, where);
    }
    for (; rest != NULL; tail = head) {
        HA_TRY(next_name(r, &rest, &head));
        if (head[0] == '\0') {
            return refuse_chain(r, text, where);
        }
        HA_TRY(m2d_mechanism_add_bond(r->mechanism, tail, head, where));
    }
    return HA_OK;
}

void m2d__read_elements(m2d__reader *r, const ha__yaml_node *node, const char *object)
{
    const char *of_elements = ha__arena_format(r->ctx, &r->arena, "`elements` of %s", object);
    const char *of_bonds = ha__arena_format(r->ctx, &r->arena, "`bonds` of %s", object);
    const ha__yaml_node *elements = NULL, *bonds = NULL;

    if (of_elements == NULL || of_bonds == NULL) {
        m2d__reader_go_on(r, HA_ERR_MEMORY);
        return;
    }
    elements = m2d__section(r, node, "elements", of_elements, HA__YAML_MAPPING);
    for (size_t i = 0; elements != NULL && i < elements->n && r->status != HA_ERR_MEMORY; i++) {
        if (!m2d__read_instance(r, &elements->pairs[i])) {
            read_element(r, &elements->pairs[i]);
        }
        m2d__note_fault(r, &r->mechanism->element_names, elements->pairs[i].key);
    }
    m2d__read_signals(r);
    bonds = m2d__section(r, node, "bonds", of_bonds, HA__YAML_SEQUENCE);
    for (size_t i = 0; bonds != NULL && i < bonds->n && r->status != HA_ERR_MEMORY; i++) {
        const char *text = m2d__read_name(r, bonds->items[i], "an entry of `bonds`");
        if (text != NULL) {
            m2d__reader_go_on(r, read_chain(r, text, ha__yaml_text_where(bonds->items[i])));
        }
    }
}

void m2d__read_graph(m2d__reader *r, const ha__yaml_node *root)
{
    static const char *const keys[] = { "elements", "bonds", "signals" };
    const ha__yaml_node *section =
        m2d__section(r, root, "bondgraph", "`bondgraph`", HA__YAML_MAPPING);

    if (section != NULL) {
        (void) m2d__check_keys(r, section, "`bondgraph`", keys, HA_COUNT(keys));
        m2d__note_misspelt(r, section, keys, HA_COUNT(keys));
        m2d__read_elements(r, section, "`bondgraph`");
    }
}
