/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inputs of a linearisation: small deviations w from what a model says.
 *
 * A source gives value + w in place of its value. A residual sink keeps its coordinate at w: with
 * the position phi and the flow f = d(phi)/dt
 *     phi - w = 0,   f - w' = 0,
 * stabilised as before, or, where it imposes the flow, f = w' - beta (phi - w). Each w has a first
 * and a second rate, symbols of their own, so that total time derivatives find them. All are 0 at
 * the operating point; what reads none of them is as it was.
 *
 * A parameter stands for its value + w in the copy of the graph's expressions that the equations
 * have.
 */
#include <config.h>

#include "bondgraph/equations/equations_input.h"

#include "bondgraph/equations/equations_priv.h"

#include "bondgraph/elements/emit.h"

#include <string.h>

/* Ends of names that say which quantity of an element is meant, and what they stand for. */
static const char *const endings[][2] = {
    { ".e", "" },     { ".f", "" }, { ".fx", ".x" }, { ".fy", ".y" }, { ".torque", ".angle" },
    { ".torque", "" }
};

/* The scalar element that an input of this name is of; -1: none. */
static int find_element(const bg_equations *q, const char *name)
{
    const bg_graph *graph = q->causality->system->graph;
    int found = bg_graph_find(graph, name);
    char other[256];

    for (size_t i = 0; i < HA_COUNT(endings) && found < 0; i++) {
        size_t length = strlen(name), n = strlen(endings[i][0]), m = strlen(endings[i][1]);
        if (length > n && length - n + m < sizeof other &&
            strcmp(name + length - n, endings[i][0]) == 0) {
            memcpy(other, name, length - n);
            memcpy(other + length - n, endings[i][1], m + 1);
            found = bg_graph_find(graph, other);
        }
    }
    return found;
}

static bool can_be_input(const bg__element *e)
{
    return e->type->book == BG_BOOK_SUPPLY || e->type->stage == BG__STAGE_SINK;
}

const char *bg__input_name(const bg_causality *causality, size_t *i)
{
    const bg_graph *graph = causality->system->graph;

    for (; *i < graph->elements.count; ++*i) {
        if (can_be_input(&graph->elements.items[*i])) {
            return graph->elements.items[(*i)++].name;
        }
    }
    size_t parameter = (*i)++ - graph->elements.count;
    return parameter < graph->parameters.count ? graph->parameters.items[parameter].name : NULL;
}

ha_status bg__refuse_name(const bg_equations *q, const char *name, bool is_input)
{
    const bg_graph *graph = q->causality->system->graph;
    const char **known = NULL, *next;
    size_t n = 0, place = is_input ? 0 : graph->elements.count;

    HA_TRY_ALLOC(q->ctx, known, graph->elements.count + graph->parameters.count);
    while ((next = bg__input_name(q->causality, &place)) != NULL) {
        known[n++] = next;
    }
    const char *near = ha__nearest(name, known, n);
    ha__free(known);
    return ha_fail(q->ctx, HA_ERR_NAME, HA_NOWHERE, "%s `%s`%s%s%s%s%s",
                   is_input ? "the input" : "the model has no parameter", name,
                   is_input ? " is not known" : "", near == NULL ? "" : "; did you mean `",
                   near == NULL ? "" : near, near == NULL ? "" : "`?",
                   is_input ? "; an input is a source, a component of a force (`push.fx`), a "
                              "torque, a prescribed motion (`O.drive`) or a parameter"
                            : "");
}

/* The row of a sink that is one; -1: it imposes its flow. */
static int row_of(const bg__system *s, int element)
{
    for (size_t i = 0; i < s->rows.count; i++) {
        if (s->rows.items[i].element == element && s->rows.items[i].kind == BG__ROW_CONSTRAINT) {
            return (int) i;
        }
    }
    return -1;
}

/* What an element gives to its bond is changed by `more`, counted in its natural direction. */
static void give_more(bg_equations *q, const bg__emitter *em, ha_expr more)
{
    bool gives_flow = bg__effort_arrives(em, 0) == 1;
    ha_expr symbol = gives_flow ? bg__bond_flow(em, 0) : bg__effort(em, 0);
    ha_expr given = ha_symbol_definition(q->dag, symbol);
    bool is_reversed = gives_flow && bg__flow(em, 0) != symbol;

    ha_symbol_define(q->dag, symbol,
                     is_reversed ? ha_sub(q->dag, given, more) : ha_add(q->dag, given, more));
}

static ha_status make_levels(bg_equations *q, const char *name, bg__eq_input *input)
{
    const char *rate = ha__arena_format(q->ctx, &q->arena, "der(%s)", name);
    const char *second = rate == NULL ? NULL : ha__arena_format(q->ctx, &q->arena, "der(%s)", rate);

    input->name = ha__arena_text(q->ctx, &q->arena, name, strlen(name));
    HA_TRY(second == NULL || input->name == NULL ? HA_ERR_MEMORY : HA_OK);
    input->level[0] = ha_symbol(q->dag, name);
    input->level[1] = ha_symbol(q->dag, rate);
    input->level[2] = ha_symbol(q->dag, second);
    for (int k = 0; k < 3; k++) {
        ha_symbol_set_derivative(q->dag, input->level[k],
                                 k < 2 ? input->level[k + 1] : HA_EXPR_NONE);
    }
    return ha_dag_status(q->dag);
}

int bg__find_parameter(const bg_equations *q, const char *name)
{
    static const char section[] = "parameters.";
    const bg_graph *graph = q->causality->system->graph;

    name += strncmp(name, section, sizeof section - 1) == 0 ? sizeof section - 1 : 0;
    for (size_t i = 0; i < graph->parameters.count; i++) {
        if (strcmp(graph->parameters.items[i].name, name) == 0) {
            return (int) i;
        }
    }
    return -1;
}

static ha_status add_parameter(bg_equations *q, const char *name, int number)
{
    ha_expr symbol = q->causality->system->graph->parameters.items[number].value;
    bg__eq_input input = { .row = -1 };

    HA_TRY(make_levels(q, name, &input));
    HA_TRY_PUSH(q->ctx, &q->inputs, input);
    ha_expr meaning = ha_symbol_definition(q->dag, symbol);
    ha_symbol_define(q->dag, symbol, ha_add(q->dag, meaning, input.level[0]));
    return ha_dag_status(q->dag);
}

static ha_status add_input(bg_equations *q, const char *name)
{
    bg__system *s = q->causality->system;
    int element = find_element(q, name), parameter = bg__find_parameter(q, name);
    bg__eq_input input = { .row = -1 };

    if (parameter >= 0 && (element < 0 || !can_be_input(&s->graph->elements.items[element]))) {
        return add_parameter(q, name, parameter);
    }
    if (element < 0 || !can_be_input(&s->graph->elements.items[element])) {
        return bg__refuse_name(q, name, true);
    }
    bg__emitter em = {
        s, q->dag, element, s->port_bonds + s->port_start[element], bg__n_ports(s, element), 0, 0
    };
    bool is_sink = s->graph->elements.items[element].type->stage == BG__STAGE_SINK;
    HA_TRY(make_levels(q, name, &input));
    input.row = is_sink ? row_of(s, element) : -1;
    if (!is_sink) {
        give_more(q, &em, input.level[0]);
    } else if (input.row < 0) {
        ha_expr pull = ha_mul(q->dag, q->beta, input.level[0]);
        give_more(q, &em, ha_add(q->dag, input.level[1], pull));
    }
    HA_TRY(ha_dag_status(q->dag));
    HA_TRY_PUSH(q->ctx, &q->inputs, input);
    return HA_OK;
}

ha_status bg__add_inputs(bg_equations *q, const char *const *names, int n)
{
    ha_status status = HA_OK;

    for (int i = 0; i < n && status != HA_ERR_MEMORY; i++) {
        ha_status one = add_input(q, names[i]);
        status = one != HA_OK ? one : status;
    }
    return status;
}

void bg__deviate_row(const bg_equations *q, int row, ha_expr *flow, ha_expr *phi)
{
    for (size_t i = 0; i < q->inputs.count; i++) {
        const bg__eq_input *input = &q->inputs.items[i];
        if (input->row == row) {
            *flow = ha_sub(q->dag, *flow, input->level[1]);
            *phi = *phi == HA_EXPR_NONE ? *phi : ha_sub(q->dag, *phi, input->level[0]);
        }
    }
}
