/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files: signals with a state, in the bond graph and in submodels.
 *
 *   signals:
 *     speed: {type: lag, input: J.f, time_constant: 5 ms}
 *     control: {type: pid, input: wish - speed, kp: 2, ki: 40, limits: [-12 V, 12 V]}
 *
 * Their names are known in all expressions of the file, whatever the order.
 */
#include <config.h>

#include "lib/core/strbuf.h"
#include "lib/core/symtab.h"
#include "lib/expr/expr_dimension.h"
#include "mech2d/read/read_priv.h"

#include <stddef.h>

/* A key of a signal, and where its value goes. */
typedef struct {
    const char *name;
    unsigned kinds; /* bits of the kinds that have it */
    size_t offset;  /* of the value in bg_block_def */
    ha__quantity quantity;
    bool is_constant;
} key;

enum {
    INTEGRATOR = 1 << BG_BLOCK_INTEGRATOR,
    LAG = 1 << BG_BLOCK_LAG,
    DERIVATIVE = 1 << BG_BLOCK_DERIVATIVE,
    PID = 1 << BG_BLOCK_PID,
    HOLD = 1 << BG_BLOCK_HOLD,
    SAMPLED = 1 << BG_BLOCK_SAMPLE | 1 << BG_BLOCK_DELAY,
    QUANTISER = 1 << BG_BLOCK_QUANTISER,
    DISCRETE = 1 << BG_BLOCK_DISCRETE_PID,
    NOISE = 1 << BG_BLOCK_NOISE,
    ANY_PID = PID | DISCRETE,
    WITH_START = INTEGRATOR | LAG | DERIVATIVE | ANY_PID | HOLD | SAMPLED,
    INVERSE = 1 << BG_BLOCK_INVERSE,
    WITH_INPUT = WITH_START | QUANTISER | INVERSE
};

static const key keys[] = {
    { "input", WITH_INPUT, offsetof(bg_block_def, input), HA__QUANTITY_ANY, false },
    { "gain", INTEGRATOR | LAG | DERIVATIVE, offsetof(bg_block_def, gain), HA__QUANTITY_ANY,
      false },
    { "time_constant", LAG | DERIVATIVE, offsetof(bg_block_def, time_constant), HA__QUANTITY_TIME,
      false },
    { "kp", ANY_PID, offsetof(bg_block_def, kp), HA__QUANTITY_ANY, false },
    { "ki", ANY_PID, offsetof(bg_block_def, ki), HA__QUANTITY_ANY, false },
    { "kd", ANY_PID, offsetof(bg_block_def, kd), HA__QUANTITY_ANY, false },
    { "filter_time", PID, offsetof(bg_block_def, filter_time), HA__QUANTITY_TIME, false },
    { "tracking_time", ANY_PID, offsetof(bg_block_def, tracking_time), HA__QUANTITY_TIME, false },
    { "when", HOLD, offsetof(bg_block_def, when), HA__QUANTITY_ANY, false },
    { "period", SAMPLED | DISCRETE | NOISE, offsetof(bg_block_def, period), HA__QUANTITY_TIME,
      true },
    { "step", QUANTISER, offsetof(bg_block_def, step), HA__QUANTITY_ANY, false },
    { "deviation", NOISE, offsetof(bg_block_def, deviation), HA__QUANTITY_ANY, false },
    { "seed", NOISE, offsetof(bg_block_def, seed), HA__QUANTITY_ANY, true },
    { "start", WITH_START, offsetof(bg_block_def, start), HA__QUANTITY_ANY, true },
    { "filter_start", ANY_PID, offsetof(bg_block_def, filter_start), HA__QUANTITY_ANY, true },
};

void m2d__note_signals(m2d__reader *r, const ha__yaml_node *node)
{
    const ha__yaml_node *section = node == NULL ? NULL : ha__yaml_get(node, "signals");

    r->signals = section != NULL && section->kind == HA__YAML_MAPPING ? section : NULL;
    if (section != NULL) {
        m2d__reader_go_on(r, ha__yaml_expect(r->ctx, section, "`signals`", HA__YAML_MAPPING));
    }
}

/* HA_ERR_NAME with the kinds that there are. */
static ha_status refuse_kind(m2d__reader *r, const char *signal, const char *name, ha_where where)
{
    ha__strbuf known = HA_STRBUF(r->ctx);
    const char *kinds[BG_BLOCK_COUNT];

    for (int kind = 0; kind < BG_BLOCK_COUNT; kind++) {
        kinds[kind] = bg_block_kind_name((bg_block_kind) kind);
    }
    const char *nearest = ha__nearest(name, kinds, BG_BLOCK_COUNT);
    if (nearest != NULL) {
        return ha_fail(r->ctx, HA_ERR_NAME, where,
                       "signal `%s` has the unknown type `%s`; did you mean `%s`?", signal, name,
                       nearest);
    }
    for (int kind = 0; kind < BG_BLOCK_COUNT; kind++) {
        ha__strbuf_addf(&known, "%s%s", kind > 0 ? ", " : "",
                        bg_block_kind_name((bg_block_kind) kind));
    }
    return HA_FAIL_WITH(known, r->ctx, HA_ERR_NAME, where,
                        "signal `%s` has the unknown type `%s`; use one of %s", signal, name,
                        ha__strbuf_text(&known));
}

/* The kind of a signal, BG_BLOCK_COUNT after an error. */
static bg_block_kind read_kind(m2d__reader *r, const ha__yaml_pair *pair, const char *object)
{
    const ha__yaml_node *node = m2d__require(r, pair->value, object, "type");
    const char *name = node == NULL ? NULL : m2d__read_name(r, node, object);
    bg_block_kind kind = name == NULL ? BG_BLOCK_COUNT : bg_block_kind_find(name);

    if (name != NULL && kind == BG_BLOCK_COUNT) {
        m2d__reader_go_on(r, refuse_kind(r, pair->key, name, ha__yaml_text_where(node)));
    }
    return kind;
}

/* Reports the keys that no signal of this kind has. */
static ha_status check_keys(m2d__reader *r, const ha__yaml_pair *pair, const char *object,
                            bg_block_kind kind)
{
    const char *known[HA_COUNT(keys) + 2] = { "type" };
    size_t n = 1;

    for (size_t i = 0; i < HA_COUNT(keys); i++) {
        if ((keys[i].kinds >> kind & 1u) != 0) {
            known[n++] = keys[i].name;
        }
    }
    if ((ANY_PID >> kind & 1u) != 0) {
        known[n++] = "limits";
    }
    return m2d__check_keys(r, pair->value, object, known, n);
}

/* A number as it is written, so that its unit is known when the signal is checked. */
static ha_expr with_unit(m2d__reader *r, const ha__yaml_node *node, ha_expr value)
{
    double number = 0.0;

    return node->kind == HA__YAML_SCALAR && ha_expr_is_constant(r->mechanism->dag, value, &number)
               ? ha__quantity_symbol(r->mechanism->dag, node->text, number)
               : value;
}

/* The limits of a controller, both of them. */
static void read_limits(m2d__reader *r, const ha__yaml_pair *pair, bg_block_def *def)
{
    static const ha__quantity quantities[2] = { HA__QUANTITY_ANY, HA__QUANTITY_ANY };
    const ha__yaml_node *node = ha__yaml_get(pair->value, "limits");
    size_t n_errors = ha_ctx_n_errors(r->ctx);
    ha_expr limits[2] = { 0 };

    if (node == NULL) {
        return;
    }
    m2d__read_values(r, node, quantities, 2, m2d__object(r, "limits", "signal", pair->key), 0.0,
                     limits);
    if (ha_ctx_n_errors(r->ctx) == n_errors) {
        def->low = with_unit(r, node->items[0], limits[0]);
        def->high = with_unit(r, node->items[1], limits[1]);
    }
}

static void read_signal(m2d__reader *r, const ha__yaml_pair *pair)
{
    const char *object = m2d__object(r, NULL, "signal", pair->key);
    bg_block_def def = bg_block_def_default();
    ha_status status = ha__yaml_expect(r->ctx, pair->value, object, HA__YAML_MAPPING);

    m2d__reader_go_on(r, status);
    def.kind = status == HA_OK ? read_kind(r, pair, object) : BG_BLOCK_COUNT;
    if (def.kind == BG_BLOCK_COUNT || check_keys(r, pair, object, def.kind) != HA_OK) {
        return;
    }
    for (size_t i = 0; i < HA_COUNT(keys); i++) {
        const ha__yaml_node *node = ha__yaml_get(pair->value, keys[i].name);
        const m2d__owner owner = { "signal", pair->key, keys[i].name, HA_NOWHERE };
        ha_expr *slot = (ha_expr *) (void *) ((char *) &def + keys[i].offset);
        double number = 0.0;
        if (node != NULL && keys[i].is_constant) {
            *slot = m2d__read_constant(r, node, keys[i].quantity, owner, 0.0, &number);
        } else if (node != NULL) {
            *slot = m2d__read_value(r, node, keys[i].quantity,
                                    m2d__object(r, keys[i].name, "signal", pair->key), 1.0);
        }
        if (node != NULL && keys[i].quantity == HA__QUANTITY_ANY) {
            *slot = with_unit(r, node, *slot);
        }
    }
    bool is_needed = (WITH_INPUT >> def.kind & 1u) != 0;
    (void) (is_needed && def.input == HA_EXPR_NONE ? m2d__require(r, pair->value, object, "input")
                                                   : NULL);
    read_limits(r, pair, &def);
    def.name = pair->key;
    def.where = pair->where;
    m2d__reader_go_on(r, m2d_mechanism_add_signal(r->mechanism, &def));
}

void m2d__read_signals(m2d__reader *r)
{
    for (size_t i = 0; r->signals != NULL && i < r->signals->n && r->status != HA_ERR_MEMORY; i++) {
        read_signal(r, &r->signals->pairs[i]);
    }
}
