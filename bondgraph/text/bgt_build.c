/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The graph of a file of BondGraphTools: bonds through ports of sub-models become one. */
#include <config.h>

#include "bondgraph/text/bgt_priv.h"

#include <string.h>

static ha_status refuse_open_port(bg__bgt_reader *r, const bg__bgt_leaf *l)
{
    return ha_fail(
        r->ctx, HA_ERR_VALUE, l->where,
        "`%s` is a base/SS that is not bonded on both sides: only the port of a sub-model "
        "that is bonded outside and inside has a counterpart here",
        l->name);
}

/* Follows the ports of sub-models from an end of a bond to the component behind them. */
static ha_status follow(bg__bgt_reader *r, int mark, int *out)
{
    for (;;) {
        const bg__bgt_leaf *l = &r->leaves.items[r->bonds.items[mark / 2].ends[mark % 2].leaf];
        if (!l->kind->is_port) {
            *out = mark;
            return HA_OK;
        }
        int other = l->bonds[0] == mark + 1 ? l->bonds[1] : l->bonds[0];
        if (other == 0) {
            return refuse_open_port(r, l);
        }
        mark = (other - 1) ^ 1;
    }
}

/* A bond between two components that are no ports; first and second in the order of the arrow that
   the file draws. */
typedef struct {
    bg__bgt_end tail, head;
    ha_where where;
} joined;

typedef HA_ARRAY(joined) joined_array;

static void note_first_port(bg__bgt_reader *r, const bg__bgt_end *end)
{
    bg__bgt_leaf *l = &r->leaves.items[end->leaf];

    if (l->kind->n_ports == 2 && l->first_port < 0) {
        l->first_port = end->port;
    }
}

static ha_status join(bg__bgt_reader *r, joined_array *out)
{
    for (int mark = 0; mark < 2 * (int) r->bonds.count; mark++) {
        bg__bgt_bond *b = &r->bonds.items[mark / 2];
        const bg__bgt_end *near = &b->ends[mark % 2];
        int far = 0;
        if (b->is_done[mark % 2] || r->leaves.items[near->leaf].kind->is_port) {
            continue;
        }
        HA_TRY(follow(r, mark ^ 1, &far));
        bg__bgt_bond *other = &r->bonds.items[far / 2];
        const bg__bgt_end *end = &other->ends[far % 2];
        b->is_done[mark % 2] = other->is_done[far % 2] = true;
        /* our half arrow follows the sign of a 1-junction, else the arrow of the file */
        bool is_forward = end->sign != 0    ? end->sign > 0
                          : near->sign != 0 ? near->sign < 0
                                            : mark % 2 == 0;
        joined j = { is_forward ? *near : *end, is_forward ? *end : *near, b->where };
        HA_TRY_PUSH(r->ctx, out, j);
        note_first_port(r, &j.tail);
        note_first_port(r, &j.head);
    }
    return HA_OK;
}

static ha_status add_element(bg__bgt_reader *r, bg__bgt_leaf *l)
{
    bg_element_def def = bg_element_def_default();
    double value = l->value;

    if (l->first_port == 0) {
        bool is_transformer = strcmp(l->kind->name, "TF") == 0;
        if (is_transformer && value == 0.0) {
            return ha_fail(r->ctx, HA_ERR_VALUE, l->where,
                           "the ratio of `%s` is 0, so that nothing passes; give another", l->name);
        }
        value = is_transformer ? 1.0 / value : -value;
    }
    ha_expr e = l->input != HA_EXPR_NONE ? l->input : ha_constant(bg_graph_dag(r->graph), value);
    def.type = l->kind->name;
    def.name = l->name;
    def.value = &e;
    def.n_values = l->kind->parameter == NULL ? 0 : 1;
    def.start = l->start == HA_EXPR_NONE ? NULL : &l->start;
    def.where = l->where;
    return bg_graph_add_element(r->graph, &def, &l->element);
}

/* A 0-junction between two 1-junctions with opposite flows. */
static ha_status add_reversal(bg__bgt_reader *r, const joined *j)
{
    bg_element_def def = bg_element_def_default();
    bg_element between = -1, ends[2] = { r->leaves.items[j->tail.leaf].element,
                                         r->leaves.items[j->head.leaf].element };
    bg_bond ignored = 0;

    def.type = "0";
    def.where = j->where;
    for (int k = 1; k == 1 || bg_graph_find(r->graph, def.name) >= 0; k++) {
        HA_TRY_GET(def.name, ha__arena_format(r->ctx, &r->arena, "0_%s_%s_%d",
                                              r->leaves.items[j->tail.leaf].name,
                                              r->leaves.items[j->head.leaf].name, k));
    }
    HA_TRY(bg_graph_add_element(r->graph, &def, &between));
    for (int k = 0; k < 2; k++) {
        bool is_inward = j->tail.sign < 0;
        HA_TRY(bg_graph_add_bond(r->graph, is_inward ? ends[k] : between,
                                 is_inward ? between : ends[k], 1, j->where, &ignored));
    }
    return HA_OK;
}

static ha_status build(bg__bgt_reader *r, const joined_array *bonds)
{
    bg_bond ignored = 0;

    for (size_t i = 0; i < r->leaves.count; i++) {
        bg__bgt_leaf *l = &r->leaves.items[i];
        if (l->kind->is_port) {
            HA_TRY(bg__bgt_go_on(r, l->bonds[0] == 0 || l->bonds[1] == 0 ? refuse_open_port(r, l)
                                                                         : HA_OK));
        } else {
            HA_TRY(bg__bgt_go_on(r, add_element(r, l)));
        }
    }
    for (size_t i = 0; i < bonds->count && r->status == HA_OK; i++) {
        const joined *j = &bonds->items[i];
        bool is_reversal = j->tail.sign != 0 && j->tail.sign == j->head.sign;
        HA_TRY(bg__bgt_go_on(
            r, is_reversal ? add_reversal(r, j)
                           : bg_graph_add_bond(r->graph, r->leaves.items[j->tail.leaf].element,
                                               r->leaves.items[j->head.leaf].element, 1, j->where,
                                               &ignored)));
    }
    return HA_OK;
}

ha_status bg__bgt_build(bg__bgt_reader *r)
{
    joined_array bonds = { 0 };
    ha_status status = join(r, &bonds);

    HA_THEN(status, build(r, &bonds));
    HA_ARRAY_CLEAR(&bonds);
    return status;
}
