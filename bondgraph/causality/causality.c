/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Causality of a graph: strokes, the system they give, and the class of the problem. */
#include <config.h>

#include "bondgraph/causality.h"

#include "bondgraph/causality/causality_priv.h"
#include "bondgraph/causality/solvable.h"
#include "bondgraph/expand.h"
#include "bondgraph/graph/names_priv.h"
#include "lib/core/need.h"
#include "lib/expr/expr_priv.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    ha_status status;
    const char *sentence;
} classes[BG_CLASS_COUNT] = {
#define X(name, status, sentence) [BG_##name] = { #name, status, sentence },
#include "bondgraph/classes.def"
#undef X
};

const char *bg_class_name(bg_class kind)
{
    return classes[kind].name;
}

const char *bg_class_text(bg_class kind)
{
    return classes[kind].sentence;
}

/* --- roles ---------------------------------------------------------------------------------- */

static bg_role role_of(const bg__system *s, int element)
{
    const bg__type *type = s->graph->elements.items[element].type;
    int ein = bg__ein(s, element, bg__port_bond(s, element, 0));

    if (ein < 0 || (type->stage != BG__STAGE_STORAGE && type->stage != BG__STAGE_SINK)) {
        return BG_OTHER;
    }
    if (type->stage == BG__STAGE_STORAGE) {
        return ein == type->preferred ? BG_INTEGRAL : BG_DERIVATIVE;
    }
    return ein == type->preferred ? BG_EXPLICIT : BG_IMPLICIT;
}

/* Elements are given in the order of names. */
static ha_status list_in_order(bg_causality *c, const int *by_name)
{
    for (size_t i = 0; i < c->system->graph->elements.count; i++) {
        bg_role role = role_of(c->system, by_name[i]);
        if (role != BG_OTHER) {
            HA_TRY_PUSH(c->ctx, &c->roles[role], by_name[i]);
        }
    }
    return HA_OK;
}

static ha_status list_roles(bg_causality *c)
{
    size_t n = c->system->graph->elements.count;
    const int *ranks = NULL;
    int *by_name = ha__alloc(c->ctx, n, sizeof *by_name);
    ha_status status = by_name == NULL ? HA_ERR_MEMORY : bg__graph_ranks(c->system->graph, &ranks);

    for (size_t i = 0; i < n && status == HA_OK; i++) {
        by_name[ranks[i]] = (int) i;
    }
    HA_THEN(status, list_in_order(c, by_name));
    ha__free(by_name);
    return status;
}

/* --- the system ----------------------------------------------------------------------------- */

/* Signals of matrix transformers: each component of a port is a scalar bond. */
static ha_status define_matrix_signals(bg_causality *c, const bg_graph *graph)
{
    for (size_t b = 0; b < graph->bonds.count; b++) {
        const bg__bond *bond = &graph->bonds.items[b];
        for (int end = 0; end < 2; end++) {
            const bg__element *e = &graph->elements.items[end == 0 ? bond->tail : bond->head];
            int port = end == 0 ? bond->tail_port : bond->head_port;
            for (int i = 0; e->dim2 > 0 && e->signals != NULL && i < bond->dim; i++) {
                const ha_expr *signals = e->signals + i * (int) BG_SIGNAL_COUNT;
                ha_expr effort = signals[port == 0 ? BG_SIGNAL_E : BG_SIGNAL_E2];
                ha_expr flow = signals[port == 0 ? BG_SIGNAL_F : BG_SIGNAL_F2];
                int scalar = c->first_scalar[b] + i;
                if (effort != HA_EXPR_NONE) {
                    HA_TRY(bg__system_define(c->system, effort, -1, c->system->e[scalar], false));
                }
                if (flow != HA_EXPR_NONE) {
                    HA_TRY(bg__system_define(c->system, flow, -1, c->system->f[scalar], false));
                }
            }
        }
    }
    return HA_OK;
}

/* Counts the loops that no resistor is in. */
static ha_status count_meshes(const bg_causality *c, int *n_meshes)
{
    const bg__system *s = c->system;
    bool *has_resistor = ha__alloc(c->ctx, (size_t) s->n_loops, sizeof *has_resistor);

    HA_TRY_MEMORY(has_resistor);
    for (size_t i = 0; i < s->definitions.count; i++) {
        int element = s->definitions.items[i].element;
        if (s->loop_of[i] >= 0 && element >= 0 &&
            s->graph->elements.items[element].type->is_resistor) {
            has_resistor[s->loop_of[i]] = true;
        }
    }
    *n_meshes = 0;
    for (int i = 0; i < s->n_loops; i++) {
        *n_meshes += has_resistor[i] ? 0 : 1;
    }
    ha__free(has_resistor);
    return HA_OK;
}

static bg_class class_of(const bg_causality *c, int n_meshes)
{
    bool depends = c->roles[BG_DERIVATIVE].count > 0;
    bool constrains = c->roles[BG_IMPLICIT].count > 0;
    bool loops = c->system->n_loops > 0;

    if (n_meshes > 0) {
        return BG_CAUSAL_MESH;
    }
    if (depends + constrains + loops > 1) {
        return BG_MIXED;
    }
    return loops        ? BG_CAUSAL_LOOPS
           : depends    ? BG_DEPENDENT_STORAGE
           : constrains ? BG_IMPLICIT_CONSTRAINTS
                        : BG_CAUSAL_ODE;
}

const char *bg_causality_text(const bg_causality *c)
{
    HA_NEED_ELSE(c != NULL, "");
    /* by what there is: loops 1, dependent storages 2, constraints 4 */
    static const char *const mixtures[] = {
        [1 | 2] = "algebraic loops and dependent storages",
        [1 | 4] = "algebraic loops and implicit constraints",
        [2 | 4] = "dependent storages and implicit constraints",
        [1 | 2 | 4] = "algebraic loops, dependent storages and implicit constraints",
    };

    if (c->kind != BG_MIXED) {
        return bg_class_text(c->kind);
    }
    return mixtures[(c->system->n_loops > 0 ? 1 : 0) | (c->roles[BG_DERIVATIVE].count > 0 ? 2 : 0) |
                    (c->roles[BG_IMPLICIT].count > 0 ? 4 : 0)];
}

static ha_status analyse(bg_causality *c, bg_graph *graph)
{
    bg__solvability found = { .kind = BG_CLASS_COUNT };
    int n_meshes = 0;

    HA_TRY(bg__strokes_assign(c->system, &c->strokes));
    HA_TRY(list_roles(c));
    c->kind = c->strokes.outcome;
    if (c->kind != BG_CLASS_COUNT) {
        return bg__report_conflict(c);
    }
    HA_TRY(bg__system_emit(c->system));
    HA_TRY(define_matrix_signals(c, graph));
    HA_TRY(bg__system_sort(c->system));
    HA_TRY(bg__test_solvable(c, &found));
    c->kind = found.kind;
    c->order = found.order;
    HA_TRY(bg__system_tear(c->system));
    HA_TRY(bg__report_loops(c));
    HA_TRY(count_meshes(c, &n_meshes));
    if (c->kind == BG_CLASS_COUNT) {
        c->kind = class_of(c, n_meshes);
    }
    return HA_OK;
}

static ha_status build(bg_causality *c, bg_graph *graph)
{
    bg_graph *scalar = NULL;

    HA_TRY_ALLOC(c->ctx, c->first_scalar, graph->bonds.count);
    c->n_bonds = (int) graph->bonds.count;
    for (size_t b = 0; b < graph->bonds.count; b++) {
        c->first_scalar[b] = c->n_user_bonds;
        c->n_user_bonds += graph->bonds.items[b].dim;
    }
    HA_TRY(bg_graph_expand(graph, &scalar));
    HA_TRY(bg__system_new(scalar, &c->system));
    return analyse(c, graph);
}

ha_status bg_causality_assign(bg_graph *graph, bg_causality **out)
{
    HA_NEED_OF(graph, out != NULL);
    bg_causality *c = ha__alloc(graph->ctx, 1, sizeof *c);

    HA_TRY_MEMORY(c);
    c->ctx = graph->ctx;

    ha_status status = build(c, graph);
    if (status != HA_OK) {
        bg_causality_free(c);
        return status;
    }
    ha__dag_rest(c->system->graph->dag);
    *out = c;
    return HA_OK;
}

void bg_causality_free(bg_causality *c)
{
    if (c == NULL) {
        return;
    }
    for (int role = 0; role < BG_OTHER; role++) {
        HA_ARRAY_CLEAR(&c->roles[role]);
    }
    bg__strokes_clear(&c->strokes);
    bg__system_free(c->system);
    ha__free(c->first_scalar);
    HA_ARRAY_CLEAR(&c->loops, &c->tears);
    ha__arena_clear(&c->arena);
    ha__free(c);
}

/* --- what it says --------------------------------------------------------------------------- */

ha_status bg__class_status(bg_class kind)
{
    return classes[kind].status;
}

ha_status bg_causality_status(const bg_causality *c)
{
    HA_NEED(NULL, c != NULL);
    return bg__class_status(c->kind);
}

bg_class bg_causality_class(const bg_causality *c)
{
    return c->kind;
}

int bg_causality_order(const bg_causality *c, int n_redundant)
{
    HA_NEED_ELSE(c != NULL, 0);
    int order = c->order + 2 * n_redundant;

    return classes[c->kind].status != HA_OK ? -1 : order < 0 ? 0 : order;
}

/* Storages and integrals with a derivative in their equation. */
static int n_dynamic(const bg_causality *c)
{
    const bg__system *s = c->system;
    int n = (int) c->roles[BG_DERIVATIVE].count;

    for (size_t i = 0; i < s->unknowns.count; i++) {
        const bg__unknown *u = &s->unknowns.items[i];
        n += (u->kind == BG__STATE && !u->is_rate_absent) || u->kind == BG__INTEGRAL ? 1 : 0;
    }
    return n;
}

/* The index that inverse signals make: one more than the derivatives of their inputs. */
static int inverse_index(const bg_causality *c)
{
    int index = 0;

    for (int i = 0; i < bg_causality_n_inverses(c); i++) {
        bg_inverse inverse = { 0 };
        if (bg_causality_inverse(c, i, &inverse) == HA_OK && inverse.n_derivatives >= index) {
            index = inverse.n_derivatives + 1;
        }
        bg_inverse_clear(&inverse);
    }
    return index;
}

int bg_causality_index(const bg_causality *c)
{
    HA_NEED_ELSE(c != NULL, 0);
    bool has_positions = false;

    for (size_t i = 0; i < c->system->rows.count; i++) {
        const bg__row *row = &c->system->rows.items[i];
        has_positions |= row->kind == BG__ROW_CONSTRAINT && row->phi != HA_EXPR_NONE;
    }
    if (classes[c->kind].status != HA_OK) {
        return -1;
    }
    int index = has_positions ? 3 : bg_causality_order(c, 0) == n_dynamic(c) ? 1 : 2;
    int other = inverse_index(c);
    return other > index ? other : index;
}

int bg_causality_n_bonds(const bg_causality *c)
{
    HA_NEED_ELSE(c != NULL, 0);
    return bg_graph_n_bonds(c->system->graph);
}

int bg_causality_count(const bg_causality *c, bg_role role)
{
    HA_NEED_ELSE(c != NULL, 0);
    return role == BG_OTHER ? 0 : (int) c->roles[role].count;
}

const char *bg_causality_name(const bg_causality *c, bg_role role, int i)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, bg_causality_count(c, role)), "");
    return c->system->graph->elements.items[c->roles[role].items[i]].name;
}

int bg_causality_n_loops(const bg_causality *c)
{
    HA_NEED_ELSE(c != NULL, 0);
    return (int) c->loops.count;
}

const char *bg_causality_loop(const bg_causality *c, int i)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, bg_causality_n_loops(c)), "");
    return c->loops.items[i];
}

int bg_causality_n_loop_variables(const bg_causality *c)
{
    HA_NEED_ELSE(c != NULL, 0);
    return (int) c->tears.count;
}

const char *bg_causality_loop_variable(const bg_causality *c, int i)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, bg_causality_n_loop_variables(c)), "");
    return c->tears.items[i];
}

bg_stroke bg_causality_scalar_stroke(const bg_causality *c, bg_bond bond)
{
    signed char head = c->system->heads[bond];

    return head < 0 ? BG_STROKE_NONE : head == 1 ? BG_STROKE_HEAD : BG_STROKE_TAIL;
}

bg_stroke bg_causality_stroke(const bg_causality *c, bg_bond bond, int component)
{
    return bg_causality_scalar_stroke(c, c->first_scalar[bond] + component);
}

ha_status bg_causality_scalar_number(const bg_causality *c, bg_bond bond, int component, int *out)
{
    return bg_graph_bond_number(c->system->graph, c->first_scalar[bond] + component, out);
}

const bg_graph *bg_causality_scalar_graph(const bg_causality *c)
{
    HA_NEED_ELSE(c != NULL, NULL);
    return c->system->graph;
}
