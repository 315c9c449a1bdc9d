/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files: the bond graph of other domains.
 *
 *   bondgraph:
 *     elements: {V: {type: Se, value: 12 V}, K: {type: GY, value: 0.05}, 1m: {type: "1"}}
 *     bonds: [V > 1m > K, K > O.axis]
 *     signals: {control: {type: pid, input: wish - J.f, kp: 2, ki: 5}}
 *
 * A field is an element with the key `ports`: {type: C, ports: 2, value: [[1, 0.2], [0.2, 3]]}.
 */
#include <config.h>

#include "bondgraph/graph/element.h"
#include "bondgraph/graph/unit.h"
#include "lib/expr/expr_dimension.h"
#include "mech2d/read/read_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char blanks[] = " \t\r\n";

/* A start value, which must be constant; it keeps its unit, of which the domain is told. */
static ha_expr read_quantity(m2d__reader *r, const ha__yaml_node *node, m2d__owner owner)
{
    double number = 0.0;
    ha_expr value = m2d__read_constant(r, node, HA__QUANTITY_ANY, owner, 0.0, &number);
    bool is_quantity =
        node->kind == HA__YAML_SCALAR && ha__quantity_is_number_with_unit(node->text);

    return is_quantity ? ha__quantity_symbol(r->mechanism->dag, node->text, number) : value;
}

static ha_expr read_start(m2d__reader *r, const ha__yaml_pair *pair, const char *key)
{
    const ha__yaml_node *node = ha__yaml_get(pair->value, key);
    const m2d__owner owner = { "element", pair->key, key, HA_NOWHERE };

    return node == NULL ? HA_EXPR_NONE : read_quantity(r, node, owner);
}

/* What is read of an element before it is added. */
typedef struct {
    const ha__yaml_pair *pair;
    int n;           /* ports, 1 where the type says it */
    bool is_field;   /* it has the key `ports` */
    ha_expr *own;    /* (4 * n) symbols of its own quantities */
    ha_expr *matrix; /* (n * n) of a field */
    ha_expr *starts; /* (n) of a field */
} element;

/* The number of ports of a field: the key `ports`. */
static int read_ports(m2d__reader *r, const ha__yaml_pair *pair)
{
    const ha__yaml_node *node = ha__yaml_get(pair->value, "ports");
    const m2d__owner owner = { "element", pair->key, "ports", HA_NOWHERE };
    double number = 0.0;

    (void) m2d__read_constant(r, node, HA__QUANTITY_ANY, owner, 1.0, &number);
    if (!(number >= 1.0 && number <= BG__MAX_FIELD_PORTS && number == floor(number))) {
        m2d__reader_go_on(r,
                          ha_fail(r->ctx, HA_ERR_VALUE, node->where,
                                  "`ports` of element `%s` is %g; give a whole number from 1 to %d",
                                  pair->key, number, BG__MAX_FIELD_PORTS));
        return 1;
    }
    return (int) number;
}

/* The arrays of a field; false without memory. */
static bool make_arrays(m2d__reader *r, element *e)
{
    const struct {
        ha_expr **array;
        int n;
    } arrays[] = { { &e->own, 4 * e->n }, { &e->matrix, e->n * e->n }, { &e->starts, e->n } };

    for (size_t a = 0; a < HA_COUNT(arrays); a++) {
        ha_expr *made = ha__arena_alloc(r->ctx, &r->arena, (size_t) arrays[a].n, sizeof *made);
        if (made == NULL) {
            m2d__reader_go_on(r, HA_ERR_MEMORY);
            return false;
        }
        *arrays[a].array = made;
    }
    return true;
}

/* The value of a field: its matrix, a sequence of rows. */
static void read_matrix(m2d__reader *r, const element *e, const ha__yaml_node *node)
{
    ha__quantity any[BG__MAX_FIELD_PORTS];
    const char *object = m2d__object(r, "value", "element", e->pair->key);
    const ha__yaml_node *const *rows = NULL;

    for (int i = 0; i < e->n; i++) {
        any[i] = HA__QUANTITY_ANY;
    }
    if (e->n == 1) {
        m2d__read_values(r, node, any, 1, object, 1.0, e->matrix);
        return;
    }
    ha_status status = ha__yaml_items(r->ctx, node, object, (size_t) e->n, &rows);
    m2d__reader_go_on(r, status);
    for (int i = 0; i < e->n * e->n; i++) { /* where a row cannot be read: the identity */
        e->matrix[i] = ha_constant(r->mechanism->dag, i % (e->n + 1) == 0 ? 1.0 : 0.0);
    }
    for (int i = 0; i < e->n && status == HA_OK; i++) {
        m2d__read_values(r, rows[i], any, e->n, object, 1.0, e->matrix + i * e->n);
    }
}

/* The port whose start a key like "q2" gives. */
static bool is_start(const element *e, const char *key, int *port)
{
    bg_signal signal = e->n == 1 ? BG_SIGNAL_COUNT : bg__law_variable(key, e->n, port);

    return signal == BG_SIGNAL_P || signal == BG_SIGNAL_Q;
}

/* The starts of a field: `q: [0.1, 0]` of all ports, `q2: 0.1` of one. */
static void read_starts(m2d__reader *r, const element *e)
{
    for (size_t i = 0; i < e->pair->value->n; i++) {
        const ha__yaml_pair *given = &e->pair->value->pairs[i];
        const m2d__owner owner = { "element", e->pair->key, given->key, HA_NOWHERE };
        const ha__yaml_node *const *items = NULL;
        const ha__yaml_node *one = given->value;
        int first = 0, n = 1;
        if (strcmp(given->key, "p") == 0 || strcmp(given->key, "q") == 0) {
            n = e->n;
            ha_status status =
                n == 1 ? HA_OK
                       : ha__yaml_items(r->ctx, one,
                                        m2d__object(r, given->key, "element", e->pair->key),
                                        (size_t) n, &items);
            m2d__reader_go_on(r, status);
            n = status == HA_OK ? n : 0;
        } else if (!is_start(e, given->key, &first)) {
            continue;
        }
        for (int k = 0; k < n; k++) {
            e->starts[first + k] = read_quantity(r, items == NULL ? one : items[k], owner);
        }
    }
}

/* The law by expressions: keys `e`, `f`, `energy`, `inverse`; true when one of them is there. */
static bool read_law(m2d__reader *r, const element *e, bg_law *law)
{
    bool is_there = false;

    r->own = e->own;
    r->own_ports = e->n;
    for (int part = 0; part < BG__PART_COUNT; part++) {
        const char *key = bg__law_part_name((bg__law_part) part);
        const ha__yaml_node *node = ha__yaml_get(e->pair->value, key);
        if (node != NULL) {
            is_there = true;
            *bg__law_part_place(law, (bg__law_part) part) = m2d__read_value(
                r, node, HA__QUANTITY_ANY, m2d__object(r, key, "element", e->pair->key), 1.0);
        }
    }
    r->own = NULL;
    law->e = &e->own[BG_SIGNAL_E * e->n];
    law->f = &e->own[BG_SIGNAL_F * e->n];
    law->p = &e->own[BG_SIGNAL_P * e->n];
    law->q = &e->own[BG_SIGNAL_Q * e->n];
    return is_there;
}

/* Checks the keys. A field has more of them: the starts of its ports. */
static ha_status check_keys(m2d__reader *r, const element *e, const char *object)
{
    enum { N_KEYS = 11 };
    const char *keys[N_KEYS + 2 * BG__MAX_FIELD_PORTS] = { "type",  "value",  "p",      "q",
                                                           "e",     "f",      "energy", "inverse",
                                                           "ports", "domain", "for" };
    char names[2 * BG__MAX_FIELD_PORTS][16];
    size_t n = N_KEYS;

    for (int k = 0; k < 2 * e->n && e->is_field; k++) {
        snprintf(names[k], sizeof names[k], "%c%d", k % 2 == 0 ? 'p' : 'q', k / 2 + 1);
        keys[n++] = names[k];
    }
    return m2d__check_keys(r, e->pair->value, object, keys, n);
}

/* What a field has instead of a value and a start. */
static void read_field(m2d__reader *r, const element *e, m2d_element_def *def)
{
    const ha__yaml_node *value = ha__yaml_get(e->pair->value, "value");

    def->n_ports = e->n;
    if (value != NULL) {
        read_matrix(r, e, value);
        def->matrix = e->matrix;
    }
    read_starts(r, e);
    def->starts = e->starts;
}

static void read_one_port(m2d__reader *r, const element *e, m2d_element_def *def)
{
    const ha__yaml_node *value = ha__yaml_get(e->pair->value, "value");

    if (value != NULL) {
        def->value = m2d__read_value(r, value, HA__QUANTITY_ANY,
                                     m2d__object(r, "value", "element", e->pair->key), 1.0);
    }
    if (value != NULL && value->kind == HA__YAML_SCALAR && r->status == HA_OK) {
        m2d__reader_go_on(r, bg__unit_of(r->ctx, &r->arena, value->text, &def->unit));
    }
    def->p = read_start(r, e->pair, "p");
    def->q = read_start(r, e->pair, "q");
}

/* `domain: electrical`. */
static bg_domain read_domain(m2d__reader *r, const ha__yaml_pair *pair)
{
    const ha__yaml_node *node = ha__yaml_get(pair->value, "domain");
    const char *object = m2d__object(r, "domain", "element", pair->key);
    const char *text = node == NULL ? NULL : m2d__read_name(r, node, object);
    bg_domain domain = text == NULL ? BG_DOMAIN_OPEN : bg_domain_find(text);

    if (text != NULL && domain == BG_DOMAIN_OPEN) {
        m2d__reader_go_on(r, ha_fail(r->ctx, HA_ERR_NAME, ha__yaml_text_where(node),
                                     "%s is `%s`; use electrical, translational, rotational, "
                                     "hydraulic or thermal",
                                     object, text));
    }
    return domain;
}

static void read_element(m2d__reader *r, const ha__yaml_pair *pair)
{
    const char *object = m2d__object(r, NULL, "element", pair->key);
    bool is_mapping = pair->value->kind == HA__YAML_MAPPING;
    element e = { .pair = pair,
                  .n = 1,
                  .is_field = is_mapping && ha__yaml_get(pair->value, "ports") != NULL };
    m2d_element_def def = m2d_element_def_default();
    bg_law law = bg_law_default();

    e.n = e.is_field ? read_ports(r, pair) : 1;
    if (check_keys(r, &e, object) == HA_ERR_SYNTAX || !make_arrays(r, &e)) {
        return;
    }
    const ha__yaml_node *type = m2d__require(r, pair->value, object, "type");
    if (e.is_field) {
        read_field(r, &e, &def);
    } else {
        read_one_port(r, &e, &def);
    }
    if (read_law(r, &e, &law)) {
        def.law = &law;
    }
    def.domain = read_domain(r, pair);
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

static void read_named(m2d__reader *r, const ha__yaml_pair *pair)
{
    if (!m2d__read_instance(r, pair)) {
        read_element(r, pair);
    }
    m2d__note_fault(r, &r->mechanism->element_names, pair->key);
}

/* A chain, and where it stands. */
typedef struct {
    const char *text;
    ha_where where;
} chain;

static void read_turn(m2d__reader *r, void *user, const char *suffix)
{
    const chain *c = user;
    const char *text = m2d__indexed(r, c->text, c->where);

    (void) suffix;
    m2d__reader_go_on(r, text == NULL ? HA_OK : read_chain(r, text, c->where));
}

/* `A > B`, or `{for: {i: [0, 3]}, bond: "A[i] > B"}`. */
static void read_bond(m2d__reader *r, const ha__yaml_node *node)
{
    static const char *const keys[] = { "for", "bond" };
    static const char object[] = "an entry of `bonds`";
    const ha__yaml_node *text = node;

    if (node->kind == HA__YAML_MAPPING) {
        (void) m2d__check_keys(r, node, object, keys, HA_COUNT(keys));
        text = m2d__require(r, node, object, "bond");
    }
    chain c = { text == NULL ? NULL : m2d__read_name(r, text, object), HA_NOWHERE };
    if (c.text != NULL) {
        c.where = ha__yaml_text_where(text);
        (void) m2d__repeat(r, node, object, &c, read_turn);
    }
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
        m2d__read_repeated(r, &elements->pairs[i], "element", read_named);
    }
    m2d__read_signals(r);
    bonds = m2d__section(r, node, "bonds", of_bonds, HA__YAML_SEQUENCE);
    for (size_t i = 0; bonds != NULL && i < bonds->n && r->status != HA_ERR_MEMORY; i++) {
        read_bond(r, bonds->items[i]);
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
