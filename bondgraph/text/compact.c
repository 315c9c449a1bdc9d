/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bond graphs in the compact notation, `Se>1a>R;1a>I;1a>C{10 uF, q=1e-6}`:
 *
 *   text       = item { (";" | line end) item }         `#` starts a comment up to the line end
 *   item       = [ chain | parameter ]
 *   chain      = element { arrow element }              an element alone declares it
 *   arrow      = ">" | "=" digits ">"                   a bond, half arrow right; of dimension n
 *   element    = name [ "{" part { "," part } "}" ]     braces once for each element of the text
 *   part       = value | ("p" | "q") [digits] "=" value the value, the start of the integral
 *              | ("e" | "f" | "energy" | "inverse") "=" expression    the law of a C, I, IC or R
 *   value      = single { "|" single }                  one, or one for each component
 *   single     = quantity | expression                  lib/data/units.h, lib/expr.h
 *   parameter  = name "=" single                        a constant over the parameters before it
 *   name       = (letter | digit | "_") { ... }         of an element: a type and a suffix
 *
 * The longest type that a name begins with is its type: `Re1` is a residual sink, `R_e1` a
 * resistor. Blanks are free between the parts, line ends are not; braces end in their item.
 * All bonds of an element have the same dimension, which becomes the element's. Only a transformer
 * may have two, m at its first port and n at its second; its value is then the matrix M of
 * f2 = M f1 with n rows of m entries, row by row. With m = n components, m values are the moduli of
 * m transformers side by side and m * m values are a matrix.
 * A C, I or R with n bonds of its own, or components, whose value is a matrix of n * n, or whose
 * law is an energy, is a field of n ports; an IC always is. Ports are taken in order of appearance.
 * Values may name elements that come later: they are read when the whole graph stands. A name may
 * be an element's or a parameter's, not both.
 */
#include <config.h>

#include "bondgraph/compact.h"

#include "bondgraph/graph/unit.h"
#include "bondgraph/text/compact_priv.h"
#include "lib/core/need.h"
#include "lib/core/strbuf.h"
#include "lib/data/units.h"
#include "lib/expr/expr_dimension.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { OBJECT_SIZE = 256, MAX_COMPONENTS = 20000000 };

/* The scanned text and the graph that is built from it. */
typedef struct {
    bg_graph *graph;
    ha_ctx *ctx;
    bg__compact text;
    HA_ARRAY(char) scratch;   /* one piece with a terminating zero */
    HA_ARRAY(ha_expr) values; /* the components of one value */
    HA_ARRAY(ha_expr)
    own;           /* symbols of the own quantities of the element whose law is read: by
                      signal, by port; HA_EXPR_NONE: not read yet */
    int law_ports; /* ports of that element, 0: no law is being read */
    bool in_start; /* a quantity keeps its unit, of which the domain is told */
} builder;

static const char *name_of(const builder *b, size_t node)
{
    return ha__symtab_name(&b->text.names, (int) node);
}

/* Memory that ran out ends the work, every other error is kept and the work goes on. */
static ha_status go_on(builder *b, ha_status status)
{
    if (status == HA_ERR_MEMORY) {
        return status;
    }
    bg__compact_note(&b->text, status);
    return HA_OK;
}

/* --- elements and bonds --------------------------------------------------------------------- */

static bool has_letter(const bg__type *type, char letter)
{
    return (type->signals & (letter == 'p' ? BG__HAS_P : BG__HAS_Q)) != 0;
}

/* Refuses parts of the braces that the type has no use for. */
static void check_parts(builder *b, bg__compact_node *node, const char *name)
{
    char letter = bg__start_letter(node->type);

    if (node->value.count > 0 && !bg__takes_value(node->type)) {
        bg__compact_note(&b->text, ha_fail(b->ctx, HA_ERR_VALUE, node->braces,
                                           "`%s` is %s %s and has no value; leave it out", name,
                                           bg__article(node->type), node->type->title));
        node->value.count = 0;
    }
    if (node->start_letter != '\0' && !has_letter(node->type, node->start_letter)) {
        bg__compact_note(&b->text,
                         ha_fail(b->ctx, HA_ERR_VALUE, node->braces,
                                 "`%s` is %s %s and has no start value `%c`%s%.*s%s", name,
                                 bg__article(node->type), node->type->title, node->start_letter,
                                 letter == '\0' ? "; leave it out" : "; it starts with `",
                                 letter == '\0' ? 0 : 1, &letter, letter == '\0' ? "" : "`"));
        node->start.count = 0;
    }
}

/* The number of entries of a matrix, of dimensions that the graph has not judged yet. */
static long long entries(int rows, int columns)
{
    return (long long) rows * columns;
}

/* Settles whether a transformer has a matrix: 0 in dim2 when it has none. */
static void settle_matrix(bg__compact_node *node)
{
    if (node->dim == 0) {
        node->dim = 1;
    }
    bool is_square = node->dim2 == node->dim, has_matrix = node->dim > 1;
    if (is_square && !(has_matrix && node->value.count == entries(node->dim, node->dim))) {
        node->dim2 = 0;
    }
}

/* Settles whether the bonds of an element are the ports of one field. */
static void settle_field(bg__compact_node *node)
{
    long long n = node->total;
    bool has_matrix = n > 1 && n < MAX_COMPONENTS && node->value.count == n * n;
    bool has_energy = n > 1 && node->law[BG__PART_ENERGY].count > 0;
    bool is_needed = (node->type->laws & BG__LAW_NEEDED) != 0;

    node->is_field = node->type->laws != 0 && (has_matrix || has_energy || is_needed);
    if (node->is_field) {
        node->dim = n < 1 ? 1 : n > INT_MAX ? INT_MAX : (int) n;
    }
}

/* A matrix needs values from the start; they are replaced when the values are read. */
static ha_status add_matrix(builder *b, bg_element_def *def, bg_element *out)
{
    int n = def->dim * def->dim2;

    b->values.count = 0;
    for (int i = 0; i < n; i++) {
        HA_TRY_PUSH(b->ctx, &b->values, ha_constant(bg_graph_dag(b->graph), 1.0));
    }
    def->value = b->values.items;
    def->n_values = n;
    return bg_graph_add_element(b->graph, def, out);
}

static ha_status add_element(builder *b, size_t number)
{
    bg__compact_node *node = &b->text.nodes.items[number];
    bg_element_def def = bg_element_def_default();
    ha_status status;

    if (node->type == NULL) {
        return HA_OK; /* reported */
    }
    check_parts(b, node, name_of(b, number));
    settle_matrix(node);
    settle_field(node);
    def.is_field = node->is_field;
    def.type = node->type->name;
    def.name = name_of(b, number);
    def.dim = node->dim;
    def.dim2 = node->dim2;
    def.where = node->where;
    if (node->dim2 > 0 && node->value.count != entries(node->dim, node->dim2)) {
        return ha_fail(b->ctx, HA_ERR_VALUE, node->is_given ? node->braces : node->where,
                       "`%s` joins %d components to %d and has %d values; give its matrix, %d rows "
                       "of %d values, row by row, separated by `|`",
                       def.name, node->dim, node->dim2, node->value.count, node->dim2, node->dim);
    }
    status = node->dim2 > 0 ? add_matrix(b, &def, &node->element)
                            : bg_graph_add_element(b->graph, &def, &node->element);
    if (status != HA_OK) {
        node->element = -1;
    }
    return status;
}

static ha_status add_elements(builder *b)
{
    long long total = 0;

    for (size_t i = 0; i < b->text.nodes.count; i++) {
        total += b->text.nodes.items[i].dim > 1 ? b->text.nodes.items[i].dim : 1;
        if (total > MAX_COMPONENTS) {
            return ha_fail(b->ctx, HA_ERR_LIMIT, b->text.nodes.items[i].where,
                           "the elements up to `%s` have more than %d components in all",
                           name_of(b, i), MAX_COMPONENTS);
        }
        HA_TRY(go_on(b, add_element(b, i)));
    }
    return HA_OK;
}

static ha_status add_bonds(builder *b)
{
    for (size_t i = 0; i < b->text.bonds.count; i++) {
        const bg__compact_bond *bond = &b->text.bonds.items[i];
        const bg__compact_node *tail = &b->text.nodes.items[bond->tail];
        const bg__compact_node *head = &b->text.nodes.items[bond->head];
        bg_bond ignored;
        if (tail->element >= 0 && head->element >= 0) {
            HA_TRY(go_on(b, bg_graph_add_bond(b->graph, tail->element, head->element, bond->dim,
                                              bond->where, &ignored)));
        }
    }
    return HA_OK;
}

/* --- values --------------------------------------------------------------------------------- */

/* The own quantity of the element whose law is being read, HA_EXPR_NONE: it is none. */
static ha_expr own_quantity(builder *b, const char *name)
{
    int port = 0;
    bg_signal signal =
        b->law_ports == 0 ? BG_SIGNAL_COUNT : bg__law_variable(name, b->law_ports, &port);

    if (signal == BG_SIGNAL_COUNT) {
        return HA_EXPR_NONE;
    }
    ha_expr *slot = &b->own.items[(int) signal * b->law_ports + port];
    if (*slot == HA_EXPR_NONE) {
        *slot = ha_symbol(bg_graph_dag(b->graph), name);
    }
    return *slot;
}

/* The graph's names; quantities of an element that has been reported count as known. */
static ha_expr lookup(void *user, const char *name)
{
    builder *b = user;
    const char *dot = strchr(name, '.');
    ha_expr own = own_quantity(b, name);
    int node =
        ha__symtab_find(&b->text.names, name, dot == NULL ? strlen(name) : (size_t) (dot - name));
    ha_expr e = bg_graph_lookup(b->graph, name);

    if (own != HA_EXPR_NONE) {
        return own;
    }
    if (e == HA_EXPR_NONE && dot != NULL && node >= 0 && b->text.nodes.items[node].element < 0) {
        return ha_constant(bg_graph_dag(b->graph), 1.0);
    }
    return e;
}

/* Reads one quantity or expression. */
static ha_status read_single(builder *b, const bg__piece *piece, const char *object, ha_expr *out)
{
    ha_dag *dag = bg_graph_dag(b->graph);
    double x = 0.0;

    b->scratch.count = 0;
    HA_TRY_ROOM(b->ctx, &b->scratch, piece->length + 1);
    memcpy(b->scratch.items, b->text.text + piece->at, piece->length);
    b->scratch.items[piece->length] = '\0';
    if (ha__quantity_is_number_with_unit(b->scratch.items)) {
        HA_TRY(ha__quantity_read(b->ctx, b->scratch.items, HA__QUANTITY_ANY, piece->where, object,
                                 &x));
        *out = b->in_start ? ha__quantity_symbol(dag, b->scratch.items, x) : ha_constant(dag, x);
        return ha_dag_status(dag);
    }

    ha_parse_def def = {
        .where = piece->where, .lookup = lookup, .lookup_user = b, .object = object
    };
    return ha_expr_parse(dag, b->scratch.items, &def, out);
}

/* Reads the components of a value into b->values; false in `*good` after reporting an error. */
static ha_status read_values(builder *b, const bg__pieces *pieces, const char *object, bool *good)
{
    *good = true;
    b->values.count = 0;
    for (int i = 0; i < pieces->count; i++) {
        const bg__piece *piece = &b->text.pieces.items[pieces->first + (size_t) i];
        ha_expr e = HA_EXPR_NONE;
        if (piece->length == 0) {
            *good = false; /* reported */
            continue;
        }
        ha_status status = read_single(b, piece, object, &e);
        *good = *good && status == HA_OK;
        HA_TRY(go_on(b, status));
        HA_TRY_PUSH(b->ctx, &b->values, e);
    }
    return HA_OK;
}

/* The number of components given must be 1 or that of the element. */
static bool is_count_right(builder *b, const bg__compact_node *node, int count, const char *object)
{
    long long matrix = entries(node->dim, node->is_field ? node->dim : node->dim2);

    if (matrix > 0 ? count == matrix : count == 1 || count == node->dim) {
        return true;
    }
    bg__compact_note(&b->text, ha_fail(b->ctx, HA_ERR_VALUE, node->braces,
                                       "%s has %d components; give 1 or %lld", object, count,
                                       matrix > 0 ? matrix : (long long) node->dim));
    return false;
}

/* The units that the values of an element are written in, where one is. */
static ha_status find_units(builder *b, const bg__pieces *pieces, ha__arena *arena, bg_unit *units,
                            bool *has_one)
{
    *has_one = false;
    for (int i = 0; i < pieces->count; i++) {
        const bg__piece *piece = &b->text.pieces.items[pieces->first + (size_t) i];
        char *text = ha__arena_text(b->ctx, arena, b->text.text + piece->at, piece->length);
        HA_TRY_MEMORY(text);
        HA_TRY(bg__unit_of(b->ctx, arena, text, &units[i]));
        *has_one = *has_one || units[i].name[0] != '\0';
    }
    return HA_OK;
}

static ha_status set_units(builder *b, const bg__compact_node *node)
{
    ha__arena arena = { 0 };
    size_t n = (size_t) node->value.count;
    bg_unit *units = ha__arena_alloc(b->ctx, &arena, n + 1, sizeof *units);
    bool has_one = false;
    ha_status status =
        units == NULL ? HA_ERR_MEMORY : find_units(b, &node->value, &arena, units, &has_one);

    if (status == HA_OK && has_one) {
        status = bg_graph_set_units(b->graph, node->element, units, (int) n);
    }
    ha__arena_clear(&arena);
    return status;
}

static ha_status set_value(builder *b, const bg__compact_node *node, const char *name)
{
    char object[OBJECT_SIZE];
    bool good = false;

    snprintf(object, sizeof object, "the value of `%s`", name);
    HA_TRY(read_values(b, &node->value, object, &good));
    if (good && is_count_right(b, node, node->value.count, object)) {
        HA_TRY(go_on(
            b, bg_graph_set_value(b->graph, node->element, b->values.items, node->value.count)));
        return set_units(b, node);
    }
    return HA_OK;
}

/* Fills b->values with the start of each component from one value or one for each. */
static ha_status read_starts(builder *b, const bg__compact_node *node, const char *object,
                             bool *good)
{
    bg__compact_node plain = *node;

    plain.dim2 = 0;
    plain.is_field = false;
    HA_TRY(read_values(b, &node->start, object, good));
    if (*good && node->start.count > 0) {
        *good = is_count_right(b, &plain, node->start.count, object);
    }
    while (*good && b->values.count < (size_t) node->dim) {
        ha_expr last = node->start.count > 0 ? b->values.items[0] : HA_EXPR_NONE;
        HA_TRY_PUSH(b->ctx, &b->values, last);
    }
    return HA_OK;
}

/* The start of one port, `q2 = ...`. */
static ha_status read_port_start(builder *b, const bg__compact_node *node,
                                 const bg__compact_start *start, const char *name, bool *good)
{
    char object[OBJECT_SIZE];

    snprintf(object, sizeof object, "the start value `%c%d` of `%.200s`", start->letter,
             start->port, name);
    if (!node->is_field || start->port > node->dim || !has_letter(node->type, start->letter)) {
        *good = false;
        return go_on(b,
                     ha_fail(b->ctx, HA_ERR_VALUE, start->value.where,
                             "%s is given, but it has no such port; its type is %s with %d port%s",
                             object, node->type->name, node->dim, node->dim == 1 ? "" : "s"));
    }
    ha_status status = start->value.length == 0 ? HA_ERR_SYNTAX /* reported */
                                                : read_single(b, &start->value, object,
                                                              &b->values.items[start->port - 1]);
    *good = *good && status == HA_OK;
    return go_on(b, status);
}

static ha_status set_start(builder *b, const bg__compact_node *node, const char *name)
{
    char object[OBJECT_SIZE];
    bool good = false;

    if (node->start.count == 0 && node->last_start < 0) {
        return HA_OK;
    }
    snprintf(object, sizeof object, "the start value `%c` of `%s`", node->start_letter, name);
    HA_TRY(read_starts(b, node, object, &good));
    for (int i = node->last_start; i >= 0 && good; i = b->text.starts.items[i].before) {
        HA_TRY(read_port_start(b, node, &b->text.starts.items[i], name, &good));
    }
    return good ? go_on(b, bg_graph_set_start(b->graph, node->element, b->values.items)) : HA_OK;
}

/* --- laws ----------------------------------------------------------------------------------- */

/* Reads one part of a law. */
static ha_status read_law_part(builder *b, const bg__compact_node *node, bg__law_part part,
                               const char *name, bg_law *law, bool *good)
{
    char object[OBJECT_SIZE];

    snprintf(object, sizeof object, "the law `%s` of `%s`", bg__law_part_name(part), name);
    HA_TRY(read_values(b, &node->law[part], object, good));
    if (*good && node->law[part].count > 1) {
        *good = false;
        return go_on(b, ha_fail(b->ctx, HA_ERR_VALUE, node->braces,
                                "%s has %d components; give one, it holds for all", object,
                                node->law[part].count));
    }
    if (*good && node->law[part].count == 1) {
        *bg__law_part_place(law, part) = b->values.items[0];
    }
    return HA_OK;
}

static ha_status set_law(builder *b, const bg__compact_node *node, const char *name)
{
    bg_law law = bg_law_default();
    int n = node->is_field ? node->dim : 1;
    bool good = true;

    b->own.count = 0;
    for (int i = 0; i < n * (BG_SIGNAL_Q + 1); i++) {
        HA_TRY_PUSH(b->ctx, &b->own, HA_EXPR_NONE);
    }
    b->law_ports = n;
    for (int part = 0; part < BG__PART_COUNT && good; part++) {
        HA_TRY(read_law_part(b, node, (bg__law_part) part, name, &law, &good));
    }
    b->law_ports = 0;
    law.e = b->own.items + BG_SIGNAL_E * n;
    law.f = b->own.items + BG_SIGNAL_F * n;
    law.p = b->own.items + BG_SIGNAL_P * n;
    law.q = b->own.items + BG_SIGNAL_Q * n;
    return good ? go_on(b, bg_graph_set_law(b->graph, node->element, &law)) : HA_OK;
}

static bool has_law(const bg__compact_node *node)
{
    for (int part = 0; part < BG__PART_COUNT; part++) {
        if (node->law[part].count > 0) {
            return true;
        }
    }
    return false;
}

static ha_status set_values(builder *b)
{
    for (size_t i = 0; i < b->text.nodes.count; i++) {
        const bg__compact_node *node = &b->text.nodes.items[i];
        if (node->element >= 0 && node->value.count > 0) {
            HA_TRY(set_value(b, node, name_of(b, i)));
        }
        if (node->element >= 0 && has_law(node)) {
            HA_TRY(set_law(b, node, name_of(b, i)));
        }
        if (node->element >= 0) {
            b->in_start = true;
            HA_TRY(set_start(b, node, name_of(b, i)));
            b->in_start = false;
        }
    }
    return HA_OK;
}

/* --- parameters ----------------------------------------------------------------------------- */

/* A parameter may not be called as an element of the text is. */
static ha_status check_parameter(builder *b, const bg__compact_parameter *parameter)
{
    const char *name = b->text.text + parameter->name.at;
    int length = (int) parameter->name.length;

    if (ha__symtab_find(&b->text.names, name, parameter->name.length) >= 0) {
        return ha_fail(b->ctx, HA_ERR_NAME, parameter->name.where,
                       "`%.*s` is an element and cannot be a parameter; give its value in braces, "
                       "`%.*s{...}`",
                       length, name, length, name);
    }
    if (name[0] >= '0' && name[0] <= '9') {
        return ha_fail(b->ctx, HA_ERR_NAME, parameter->name.where,
                       "`%.*s` cannot name a parameter; begin with a letter", length, name);
    }
    return HA_OK;
}

static ha_status add_parameter(builder *b, const bg__compact_parameter *parameter)
{
    char name[OBJECT_SIZE], object[OBJECT_SIZE];
    ha_expr e = HA_EXPR_NONE;
    double value = 0.0;
    ha__dimension is;

    HA_TRY(check_parameter(b, parameter));
    snprintf(name, sizeof name, "%.*s", (int) parameter->name.length,
             b->text.text + parameter->name.at);
    snprintf(object, sizeof object, "the parameter `%.200s`", name);
    HA_TRY(read_single(b, &parameter->value, object, &e));
    bool has_dimension = ha__dimension_read(b->scratch.items, &is) ||
                         ha__expr_dimension(bg_graph_dag(b->graph), e, &is);
    HA_TRY(ha_resolve(bg_graph_dag(b->graph), e, &e));
    if (!ha_expr_is_constant(bg_graph_dag(b->graph), e, &value)) {
        return ha_fail(b->ctx, HA_ERR_VALUE, parameter->value.where,
                       "%s is not a constant; it can only use parameters before it", object);
    }
    if (strcmp(name, "pi") == 0 || bg_graph_lookup(b->graph, name) != HA_EXPR_NONE) {
        return ha_fail(b->ctx, HA_ERR_NAME, parameter->name.where,
                       "the name `%s` has a meaning already; give the parameter another one", name);
    }
    HA_TRY(bg_graph_add_parameter(b->graph, name, value, &e));
    return has_dimension ? ha__symbol_set_dimension(bg_graph_dag(b->graph), e, is) : HA_OK;
}

static ha_status add_parameters(builder *b)
{
    for (size_t i = 0; i < b->text.parameters.count; i++) {
        HA_TRY(go_on(b, add_parameter(b, &b->text.parameters.items[i])));
    }
    return HA_OK;
}

/* -------------------------------------------------------------------------------------------- */

/* The settings stand behind the text, which ends at `length`. */
static ha_status scan(builder *b, const char *text, size_t length, ha_where where,
                      const char *const *sets, int n_sets)
{
    size_t at = length;

    HA_TRY(bg__compact_scan(b->ctx, text, length, where, &b->text));
    for (int i = 0; i < n_sets; i++) {
        size_t end = at + strlen(sets[i]);
        HA_TRY(go_on(b, bg__compact_set(&b->text, at, end, (ha_where){ "--set", i + 1, 1 })));
        at = end;
    }
    return HA_OK;
}

static ha_status build(builder *b, const char *text, size_t length, ha_where where,
                       const char *const *sets, int n_sets)
{
    HA_TRY(scan(b, text, length, where, sets, n_sets));
    HA_TRY(add_elements(b));
    HA_TRY(add_bonds(b));
    HA_TRY(add_parameters(b));
    HA_TRY(set_values(b));
    return b->text.status;
}

static ha_status read_all(bg_graph *graph, const char *text, size_t length, ha_where where,
                          const char *const *sets, int n_sets)
{
    builder b = { .graph = graph, .ctx = bg_graph_ctx(graph) };
    ha_status status = build(&b, text, length, where, sets, n_sets);

    bg__compact_clear(&b.text);
    HA_ARRAY_CLEAR(&b.scratch, &b.values, &b.own);
    return status;
}

ha_status bg_compact_read(bg_graph *graph, const char *text, size_t length, ha_where where)
{
    HA_NEED(bg_graph_ctx(graph), graph != NULL && text != NULL);
    return read_all(graph, text, length, where, NULL, 0);
}

ha_status bg_compact_read_set(bg_graph *graph, const char *text, size_t length, ha_where where,
                              const char *const *sets, int n_sets)
{
    HA_NEED(bg_graph_ctx(graph), graph != NULL && text != NULL && (sets != NULL || n_sets <= 0));
    ha__strbuf all = HA_STRBUF(bg_graph_ctx(graph));

    ha__strbuf_add_bytes(&all, text, length);
    for (int i = 0; i < n_sets; i++) {
        ha__strbuf_add(&all, sets[i]);
    }
    ha_status status = all.status;
    HA_THEN(status, read_all(graph, ha__strbuf_text(&all), length, where, sets, n_sets));
    return ha__strbuf_drop(&all, status);
}
