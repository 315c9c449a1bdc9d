/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Model files: values, which are quantities with a unit or expressions. */
#include <config.h>

#include "bondgraph/graph/element.h"
#include "lib/core/number.h"
#include "lib/core/symtab.h"
#include "lib/expr/expr_dimension.h"
#include "mech2d/read/read_priv.h"

#include <math.h>
#include <string.h>

bool m2d__reader_go_on(m2d__reader *r, ha_status status)
{
    if (r->status == HA_OK || status == HA_ERR_MEMORY) {
        r->status = status;
    }
    return r->status != HA_ERR_MEMORY;
}

void m2d__note_fault(m2d__reader *r, const ha__symtab *table, const char *name)
{
    const char *full = m2d__inside(r->mechanism, name);

    if (full == NULL || ha__symtab_find(table, full, strlen(full)) < 0) {
        m2d__reader_go_on(r, m2d__mark_faulty(r->mechanism, name));
    }
}

void m2d__note_misspelt(m2d__reader *r, const ha__yaml_node *node, const char *const *keys,
                        size_t n)
{
    for (size_t i = 0; node->kind == HA__YAML_MAPPING && i < node->n; i++) {
        const ha__yaml_node *section = node->pairs[i].value;
        const char *meant = ha__nearest(node->pairs[i].key, keys, n);
        if (meant == NULL || strcmp(meant, node->pairs[i].key) == 0) {
            continue;
        }
        m2d__reader_go_on(r, m2d__mark_faulty(r->mechanism, meant)); /* the ground is one name */
        for (size_t k = 0; section->kind == HA__YAML_MAPPING && k < section->n; k++) {
            m2d__reader_go_on(r, m2d__mark_faulty(r->mechanism, section->pairs[k].key));
        }
    }
}

const char *m2d__object(m2d__reader *r, const char *key, const char *kind, const char *name)
{
    const char *full = r->part == NULL ? name : m2d__inside(r->mechanism, name);
    name = full == NULL ? name : full;

    const char *text =
        key == NULL ? ha__arena_format(r->ctx, &r->arena, "%s `%s`", kind, name)
                    : ha__arena_format(r->ctx, &r->arena, "`%s` of %s `%s`", key, kind, name);

    if (text == NULL) {
        m2d__reader_go_on(r, HA_ERR_MEMORY);
        return kind;
    }
    return text;
}

const char *m2d__read_name(m2d__reader *r, const ha__yaml_node *node, const char *object)
{
    const char *text = NULL;

    if (!m2d__reader_go_on(r, ha__yaml_text(r->ctx, node, object, &text))) {
        return NULL;
    }
    return text;
}

ha_status m2d__check_keys(m2d__reader *r, const ha__yaml_node *node, const char *object,
                          const char *const *keys, size_t n)
{
    ha_status status = ha__yaml_check_keys(r->ctx, node, object, keys, n);

    r->misspelt = status == HA_ERR_NAME ? node : r->misspelt;
    m2d__reader_go_on(r, status);
    return status;
}

/* True when a key of the node may be this one, misspelt. */
static bool has_similar(const ha__yaml_node *node, const char *key)
{
    for (size_t i = 0; i < node->n; i++) {
        if (ha__nearest(node->pairs[i].key, &key, 1) != NULL) {
            return true;
        }
    }
    return false;
}

const ha__yaml_node *m2d__require(m2d__reader *r, const ha__yaml_node *node, const char *object,
                                  const char *key)
{
    const ha__yaml_node *value = ha__yaml_get(node, key);

    if (value == NULL && (r->misspelt != node || !has_similar(node, key))) {
        m2d__reader_go_on(r, ha__yaml_require(r->ctx, node, object, key, &value));
    }
    return value;
}

const ha__yaml_node *m2d__section(m2d__reader *r, const ha__yaml_node *parent, const char *key,
                                  const char *object, ha__yaml_kind kind)
{
    const ha__yaml_node *node = ha__yaml_get(parent, key);

    if (node == NULL) {
        return NULL;
    }
    ha_status status = ha__yaml_expect(r->ctx, node, object, kind);
    m2d__reader_go_on(r, status);
    return status == HA_OK && node->kind == kind ? node : NULL;
}

/* --- expressions ---------------------------------------------------------------------------- */

/* The own quantity of the element or force whose law is being read, HA_EXPR_NONE: it is none. */
static ha_expr own_quantity(m2d__reader *r, const char *name)
{
    for (size_t i = 0; r->in_slip_law && i < M2D__N_SLIPS; i++) {
        if (strcmp(name, m2d__slip_name(i)) == 0) {
            return m2d_slip_lookup(r->mechanism, name);
        }
    }
    if (r->in_law && !r->in_slip_law && (strcmp(name, "q") == 0 || strcmp(name, "f") == 0)) {
        return m2d_law_lookup(r->mechanism, name);
    }

    int port = 0;
    bg_signal signal =
        r->own == NULL ? BG_SIGNAL_COUNT : bg__law_variable(name, r->own_ports, &port);

    if (signal == BG_SIGNAL_COUNT) {
        return HA_EXPR_NONE;
    }
    ha_expr *own = &r->own[(int) signal * r->own_ports + port];
    if (*own == HA_EXPR_NONE) {
        *own = ha_symbol(r->mechanism->dag, name);
    }
    return *own;
}

/* Looks a name up, and notices a parameter that is used before it is defined. */
static ha_expr lookup(void *user, const char *name)
{
    m2d__reader *r = user;
    ha_expr own = own_quantity(r, name);

    if (own != HA_EXPR_NONE || m2d__find_argument(r, name, &own)) {
        return own;
    }
    if (m2d__is_closed(r)) {
        return strcmp(name, "t") == 0 ? r->mechanism->time : HA_EXPR_NONE;
    }
    own = m2d__index_of(r, name);
    if (own != HA_EXPR_NONE) {
        return own;
    }
    name = m2d__indexed(r, name, r->where);
    if (name == NULL) {
        return ha_constant(r->mechanism->dag, 1.0); /* harmless: what is wrong has been said */
    }
    ha_expr found = r->in_rate         ? m2d_rate_lookup(r->mechanism, name)
                    : r->in_constraint ? m2d_constraint_lookup(r->mechanism, name)
                                       : m2d_mechanism_lookup_at(r->mechanism, name, r->where);

    bool is_signal = r->signals != NULL && ha__yaml_find(r->signals, name) != NULL;
    if (found == HA_EXPR_NONE && !r->in_constraint && (is_signal || m2d__is_named(r, name))) {
        m2d__reader_go_on(r, m2d__find_stand_in(r->mechanism, name, r->where, &found));
        return found;
    }
    if (found == HA_EXPR_NONE && r->parameters != NULL) {
        const ha__yaml_pair *pair = ha__yaml_find(r->parameters, name);
        r->later = pair == NULL ? r->later : pair->key;
    }
    int output = ha__symtab_find(&r->output_names, name, strlen(name));
    if (found == HA_EXPR_NONE && output >= 0) {
        r->as_output = ha__symtab_name(&r->output_names, output);
    }
    if (found == HA_EXPR_NONE && r->part != NULL) {
        int outside = ha__symtab_find(&r->mechanism->parameter_names, name, strlen(name));
        r->outside = outside < 0 ? NULL : ha__symtab_name(&r->mechanism->parameter_names, outside);
    }
    const char *full = m2d__inside(r->mechanism, name);
    return found == HA_EXPR_NONE && full != NULL && m2d__is_faulty(r->mechanism, full)
               ? ha_constant(r->mechanism->dag, 1.0) /* harmless: why it is missing has been said */
               : found;
}

/* Adds to an error in an expression what its author may have meant, where what went wrong tells. */
static void add_hint(m2d__reader *r, ha_status status)
{
    if (status == HA_ERR_NAME && r->later != NULL) {
        ha_note(r->ctx, r->where,
                "`%s` is a parameter that stands further down; put it before what uses it",
                r->later);
    } else if (status == HA_ERR_NAME && r->as_output != NULL) {
        ha_note(r->ctx, r->where,
                "`%s` is an output by expression, for results alone; put it under `values` to use "
                "it in other expressions, too",
                r->as_output);
    } else if (status == HA_ERR_NAME && r->outside != NULL) {
        ha_note(
            r->ctx, r->where,
            "`%s` is a parameter outside of the submodel; give the submodel one of its own, and "
            "its part this value: `parameters: {%s: %s}`",
            r->outside, r->outside, r->outside);
    } else if (status == HA_ERR_NAME && m2d__is_closed(r)) {
        ha_note(r->ctx, r->where,
                "a function that is called in a submodel reads its arguments alone: what it needs "
                "must be one of them");
    } else if (status == HA_ERR_NAME && r->in_rate) {
        ha_note(
            r->ctx, r->where,
            "constraints on velocities are written with the velocities vM, vN, vMN multiplied "
            "by axes like `vN.y_j`, the angular velocities omega_i and omega_j, the vectors and "
            "angles that `rows` may have, parameters and `t`");
    } else if (status == HA_ERR_NAME && r->in_constraint) {
        ha_note(r->ctx, r->where,
                "constraints are written with the vectors OM, ON, MN, x_0, y_0, x_i, y_i, x_j, y_j "
                "multiplied like `MN.y_i`, the angles theta_i and theta_j, parameters and `t`");
    }
}

/* The names that a misspelt one may have meant: parameters and signals. The list is made again only
   when it has grown. */
static const char *const *known_names(m2d__reader *r, size_t *n)
{
    const ha__symtab *names = &r->mechanism->parameter_names;
    size_t n_names = names->names.count, n_signals = r->signals == NULL ? 0 : r->signals->n;

    *n = r->part == NULL ? n_names : 0;
    if (*n == 0 || n_signals == 0) {
        return names->names.items;
    }
    if (r->n_known != n_names + n_signals) {
        const char **all = ha__arena_alloc(r->ctx, &r->arena, n_names + n_signals, sizeof *all);
        if (all == NULL) {
            return names->names.items;
        }
        memcpy(all, names->names.items, n_names * sizeof *all);
        for (size_t i = 0; i < n_signals; i++) {
            all[n_names + i] = r->signals->pairs[i].key;
        }
        r->known = all;
        r->n_known = n_names + n_signals;
    }
    *n = r->n_known;
    return r->known;
}

static ha_status parse(m2d__reader *r, const char *text, const char *object, ha_expr *out)
{
    size_t n_known = 0;
    const char *const *known = known_names(r, &n_known);
    ha_parse_def def = { .where = r->where,
                         .lookup = lookup,
                         .lookup_user = r,
                         .function = m2d__find_function,
                         .call = m2d__take_call,
                         .object = object,
                         .known = known,
                         .n_known = n_known };

    def.functions = m2d__function_names(r, &def.n_functions);
    r->later = r->as_output = r->outside = NULL;
    ha_status status = ha_expr_parse(r->mechanism->dag, text, &def, out);
    add_hint(r, status);
    return status;
}

ha_status m2d__parse(m2d__reader *r, const char *text, ha_expr *out)
{
    return parse(r, text, "an argument", out);
}

/* An angle of more than a turn in radians that do not say so is as a rule one in degrees. */
static void warn_of_turns(const m2d__reader *r, const char *text, double angle, const char *object)
{
    const double turn = 2.0 * acos(-1.0);
    size_t length = 0;

    if (ha__quantity_unit_in(text, &length) == NULL && fabs(angle) > turn) {
        ha_warn(r->ctx, r->where,
                "%s: the angle %s without a unit is in radians, %.3g turns; write `%s deg`, or `%s "
                "rad` where that is meant",
                object, text, fabs(angle) / turn, text, text);
    }
}

ha_status m2d__take_dimension(m2d__reader *r, const ha__yaml_node *node, ha_expr symbol)
{
    ha__dimension is;

    return node->kind == HA__YAML_SCALAR && ha__dimension_read(node->text, &is)
               ? ha__symbol_set_dimension(r->mechanism->dag, symbol, is)
               : HA_OK;
}

/* Refuses an expression of another dimension, where parameters with a unit tell which it has. */
static ha_status check_dimension(const m2d__reader *r, const char *text, ha_expr value,
                                 ha__quantity quantity, const char *object)
{
    char words[160];
    const char *unit = ha__quantity_unit(quantity);
    ha__dimension is;

    if (!ha__expr_dimension(r->mechanism->dag, value, &is) || ha__dimension_is_of(is, quantity)) {
        return HA_OK;
    }
    return ha_fail(r->ctx, HA_ERR_UNIT, r->where,
                   "%s: `%s` is %s by the units of its parameters, %s%s%s is expected; correct "
                   "them, or leave them out",
                   object, text, ha__dimension_words(is, words, sizeof words),
                   ha__quantity_words(quantity), unit[0] == '\0' ? "" : " in ", unit);
}

ha_status m2d__evaluate(m2d__reader *r, const char *text, ha_where where, m2d__owner owner,
                        double *out)
{
    const ha_where around = r->where;
    ha_expr value = HA_EXPR_NONE;

    r->where = where;
    ha_status status = parse(r, text, m2d__object(r, owner.key, owner.kind, owner.name), &value);
    r->where = around;
    HA_TRY(status);
    return m2d__constant(r->ctx, r->mechanism->dag, value, owner, out);
}

static ha_status read_value(m2d__reader *r, const ha__yaml_node *node, ha__quantity quantity,
                            const char *object, ha_expr *out)
{
    const char *text = NULL;
    double value = 0.0;

    HA_TRY(ha__yaml_text(r->ctx, node, object, &text));
    r->where = ha__yaml_text_where(node);
    if (ha__quantity_is_number_with_unit(text)) {
        HA_TRY(ha__quantity_read(r->ctx, text, quantity, r->where, object, &value));
        if (quantity == HA__QUANTITY_ANGLE) {
            warn_of_turns(r, text, value, object);
        }
        *out = ha_constant(r->mechanism->dag, value);
        return ha_dag_status(r->mechanism->dag);
    }
    HA_TRY(parse(r, text, object, out));
    return check_dimension(r, text, *out, quantity, object);
}

ha_expr m2d__read_value(m2d__reader *r, const ha__yaml_node *node, ha__quantity quantity,
                        const char *object, double instead)
{
    ha_expr value = HA_EXPR_NONE;
    ha_status status = read_value(r, node, quantity, object, &value);

    m2d__reader_go_on(r, status);
    return status == HA_OK ? value : ha_constant(r->mechanism->dag, instead);
}

ha_expr m2d__read_constant(m2d__reader *r, const ha__yaml_node *node, ha__quantity quantity,
                           m2d__owner owner, double instead, double *number)
{
    const char *object = m2d__object(r, owner.key, owner.kind, owner.name);
    ha_expr value = HA_EXPR_NONE;
    double found = instead;
    ha_status status = read_value(r, node, quantity, object, &value);

    if (status == HA_OK) {
        owner.where = node->where;
        status = m2d__constant(r->ctx, r->mechanism->dag, value, owner, &found);
    }
    m2d__reader_go_on(r, status);
    *number = status == HA_OK ? found : instead;
    return status == HA_OK ? value : ha_constant(r->mechanism->dag, instead);
}

void m2d__read_values(m2d__reader *r, const ha__yaml_node *node, const ha__quantity *quantities,
                      int n, const char *object, double instead, ha_expr *values)
{
    const ha__yaml_node *const *items = NULL;

    for (int i = 0; i < n; i++) {
        values[i] = ha_constant(r->mechanism->dag, instead);
    }
    if (n == 1) {
        values[0] = m2d__read_value(r, node, quantities[0], object, instead);
        return;
    }
    ha_status status = ha__yaml_items(r->ctx, node, object, (size_t) n, &items);
    m2d__reader_go_on(r, status);
    for (int i = 0; i < n && status == HA_OK; i++) {
        values[i] = m2d__read_value(r, items[i], quantities[i], object, instead);
    }
}
