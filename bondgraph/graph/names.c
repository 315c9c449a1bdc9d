/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names in a bond graph: components, signals, parameters, outputs, and the numbers of bonds.
 *
 * A name is resolved in this order: the time `t`, a parameter, an output, a signal. A signal is
 * ELEMENT.SUFFIX or ELEMENT.LABEL.SUFFIX; the element's own name may contain dots, the longest
 * element name wins.
 */
#include <config.h>

#include "bondgraph/graph/names_priv.h"

#include "bondgraph/graph/law_priv.h"
#include "lib/core/format.h"
#include "lib/core/need.h"
#include "lib/core/sort.h"
#include "lib/core/strbuf.h"
#include "lib/core/utf8.h"
#include "lib/expr/expr_priv.h"

#include <string.h>

/* --- components ----------------------------------------------------------------------------- */

/* The label of a component, in `buffer` where it is only a number. */
static const char *label_of(const bg__element *element, int component, char buffer[16])
{
    if (bg__extra(element)->labels != NULL && element->dim2 == 0) {
        return bg__extra(element)->labels[component];
    }
    ha__format(buffer, 16, "%d", component + 1);
    return buffer;
}

ha_status bg__name_components(bg_graph *graph, bg__element *e)
{
    char buffer[16];

    if (e->dim == 1) {
        return HA_OK;
    }
    bg__extras *extra = bg__own_extra(graph, e);
    HA_TRY_MEMORY(extra);
    extra->components =
        ha__arena_alloc(graph->ctx, &graph->arena, (size_t) e->dim, sizeof *extra->components);
    for (int i = 0; i < e->dim && extra->components != NULL; i++) {
        HA_TRY_GET(extra->components[i], ha__arena_format(graph->ctx, &graph->arena, "%s.%s",
                                                          e->name, label_of(e, i, buffer)));
    }
    return extra->components == NULL ? HA_ERR_MEMORY : HA_OK;
}

const char *bg_element_component(const bg_graph *graph, bg_element element, int component)
{
    HA_NEED_ELSE(HA_IS_INDEX(component, bg_element_dim(graph, element)), "");
    const bg__element *e = &graph->elements.items[element];

    return e->dim == 1 ? e->name : bg__extra(e)->components[component];
}

ha_status bg__check_name(ha_ctx *ctx, const char *name, ha_where where)
{
    size_t length = strlen(name), at = 0, n = 1;
    unsigned code = 0;

    while (name[at] >= ' ' && name[at] <= '~') { /* nearly all names are of these */
        at++;
    }
    while (at < length && n > 0) {
        n = ha__utf8_read(name + at, length - at, &code);
        n = n > 0 && ha__utf8_is_control(code) ? 0 : n;
        at += n;
    }
    return n > 0 ? HA_OK
                 : ha_fail(ctx, HA_ERR_NAME, where,
                           "the name `%.*s...` has no printable character of UTF-8 at byte %zu; "
                           "leave out what is there",
                           ha__utf8_clip(name, at, 64), name, at + 1);
}

/* --- signals -------------------------------------------------------------------------------- */

const char *bg__signal_suffix(const bg__type *type, bg_signal signal)
{
    static const char *const suffixes[BG_SIGNAL_COUNT] = { "e", "f", "p", "q", "e2", "f2" };

    if (type->max_ports > 1 && signal == BG_SIGNAL_E) {
        return "e1";
    }
    return type->max_ports > 1 && signal == BG_SIGNAL_F ? "f1" : suffixes[signal];
}

/* The slot of a signal's symbol, with all slots made when the first is asked for. */
static ha_expr *signal_slot(bg_graph *graph, bg__element *e, int component, bg_signal signal)
{
    size_t n = (size_t) (e->dim > e->dim2 ? e->dim : e->dim2) * BG_SIGNAL_COUNT;

    if (e->signals == NULL) {
        e->signals = ha__arena_alloc(graph->ctx, &graph->arena, n, sizeof *e->signals);
    }
    return e->signals == NULL ? NULL
                              : &e->signals[component * (int) BG_SIGNAL_COUNT + (int) signal];
}

ha_expr bg_graph_signal(bg_graph *graph, bg_element element, int component, bg_signal signal)
{
    HA_NEED_ELSE(HA_IS_INDEX(element, bg_graph_n_elements(graph)) &&
                     HA_IS_INDEX((int) signal, (int) BG_SIGNAL_COUNT) && component >= 0 &&
                     (component < graph->elements.items[element].dim ||
                      component < graph->elements.items[element].dim2),
                 HA_EXPR_NONE);
    bg__element *e = &graph->elements.items[element];
    ha_expr *slot = signal_slot(graph, e, component, signal);

    if (slot == NULL) {
        ha__dag_fail(graph->dag, HA_ERR_MEMORY);
        return HA_EXPR_NONE;
    }
    if (*slot == HA_EXPR_NONE) {
        ha__strbuf name = HA_STRBUF(graph->ctx);
        bool is_numbered = e->is_field && e->dim > 1;
        ha__strbuf_add(&name, e->dim2 > 0 || is_numbered
                                  ? e->name
                                  : bg_element_component(graph, element, component));
        if (e->dim2 > 0) {
            ha__strbuf_addf(&name, ".%d", component + 1);
        }
        ha__strbuf_addf(&name, ".%s", bg__signal_suffix(e->type, signal));
        if (is_numbered) {
            ha__strbuf_addf(&name, "%d", component + 1);
        }
        ha__dag_fail(graph->dag, name.status);
        *slot = ha_symbol(graph->dag, ha__strbuf_text(&name));
        ha__strbuf_clear(&name);
    }
    return *slot;
}

/* The signal with this suffix that a type has, BG_SIGNAL_COUNT when there is none. */
static bg_signal find_signal(const bg__type *type, const char *suffix)
{
    for (int s = 0; s < BG_SIGNAL_COUNT; s++) {
        if ((type->signals >> s & 1u) != 0 &&
            strcmp(bg__signal_suffix(type, (bg_signal) s), suffix) == 0) {
            return (bg_signal) s;
        }
    }
    return BG_SIGNAL_COUNT;
}

static int find_component(const bg__element *element, const char *label, size_t length)
{
    char buffer[16];

    for (int i = 0; i < element->dim; i++) {
        const char *own = label_of(element, i, buffer);
        if (strlen(own) == length && strncmp(own, label, length) == 0) {
            return i;
        }
    }
    return -1;
}

/* The signal `q2` of a field: a quantity and the number of its port. */
static ha_expr lookup_port(bg_graph *graph, int element, const char *suffix)
{
    const bg__element *e = &graph->elements.items[element];
    size_t n = strlen(suffix);
    size_t length = strcspn(suffix, "0123456789");
    char quantity[8] = "", digits[16];

    if (length == 0 || length >= sizeof quantity) {
        return HA_EXPR_NONE;
    }
    memcpy(quantity, suffix, length);
    bg_signal signal = find_signal(e->type, quantity);
    for (int k = 0; k < e->dim && n > length && signal != BG_SIGNAL_COUNT; k++) {
        ha__format(digits, sizeof digits, "%d", k + 1);
        if (strcmp(digits, suffix + length) == 0) {
            return bg__has_signal(graph, e, k, signal) ? bg_graph_signal(graph, element, k, signal)
                                                       : HA_EXPR_NONE;
        }
    }
    return HA_EXPR_NONE;
}

static ha_expr lookup_signal(bg_graph *graph, const char *name)
{
    const char *suffix = strrchr(name, '.');
    size_t length = suffix == NULL ? 0 : (size_t) (suffix - name);
    int component = 0;
    int element = suffix == NULL ? -1 : ha__symtab_find(&graph->names, name, length);

    if (element >= 0 && graph->elements.items[element].is_field &&
        graph->elements.items[element].dim > 1) {
        return lookup_port(graph, element, suffix + 1);
    }
    if (suffix != NULL && element < 0) {
        size_t split = length;
        while (split > 0 && name[split - 1] != '.') {
            split--;
        }
        element = split == 0 ? -1 : ha__symtab_find(&graph->names, name, split - 1);
        component = element < 0 ? -1
                                : find_component(&graph->elements.items[element], name + split,
                                                 length - split);
    } else if (element >= 0 && (graph->elements.items[element].dim > 1 ||
                                graph->elements.items[element].dim2 > 0)) {
        return HA_EXPR_NONE; /* each component has its own */
    }
    if (element < 0 || component < 0) {
        return HA_EXPR_NONE;
    }

    bg_signal signal = find_signal(graph->elements.items[element].type, suffix + 1);
    return signal != BG_SIGNAL_COUNT &&
                   bg__has_signal(graph, &graph->elements.items[element], component, signal)
               ? bg_graph_signal(graph, element, component, signal)
               : HA_EXPR_NONE;
}

ha_expr bg_graph_lookup(void *user, const char *name)
{
    HA_NEED_ELSE(user != NULL && name != NULL, HA_EXPR_NONE);
    bg_graph *graph = user;

    if (strcmp(name, "t") == 0) {
        return graph->time;
    }
    int i = ha__symtab_find(&graph->parameter_names, name, strlen(name));
    if (i >= 0) {
        return graph->parameters.items[i].value;
    }
    i = ha__symtab_find(&graph->output_names, name, strlen(name));
    if (i >= 0) {
        return graph->outputs.items[i].value;
    }
    return lookup_signal(graph, name);
}

ha_expr bg_graph_rate(bg_graph *graph, ha_expr value, const char *name)
{
    HA_NEED_ELSE(graph != NULL && name != NULL && ha__is_expr(graph->dag, value), HA_EXPR_NONE);
    bg__rate rate = { .argument = value };

    if (value == HA_EXPR_NONE) {
        return HA_EXPR_NONE;
    }
    void *items = ha__room(graph->ctx, graph->rates.items, graph->rates.count, 1,
                           &graph->rates.capacity, sizeof *graph->rates.items);
    if (items == NULL) {
        ha__dag_fail(graph->dag, HA_ERR_MEMORY);
        return HA_EXPR_NONE;
    }
    graph->rates.items = items;
    rate.symbol = ha_symbol(graph->dag, name);
    if (rate.symbol != HA_EXPR_NONE) {
        graph->rates.items[graph->rates.count++] = rate;
    }
    return rate.symbol;
}

const char *const bg__energy_names[BG__N_ENERGIES] = { "energy.kinetic", "energy.potential",
                                                       "energy.supplied", "energy.dissipated",
                                                       "energy.error" };

ha_expr bg_graph_energy(bg_graph *graph, const char *name)
{
    HA_NEED_ELSE(graph != NULL && name != NULL, HA_EXPR_NONE);
    for (int i = 0; i < BG__N_ENERGIES; i++) {
        if (strcmp(name, bg__energy_names[i]) == 0) {
            if (graph->energies[i] == 0) { /* the time is symbol 0, or what was before it */
                graph->energies[i] = ha_symbol(graph->dag, name);
            }
            return graph->energies[i];
        }
    }
    return HA_EXPR_NONE;
}

/* --- parameters and outputs ----------------------------------------------------------------- */

ha_status bg_graph_name_parameter(bg_graph *graph, const char *name, ha_expr symbol)
{
    HA_NEED_OF(graph, name != NULL);
    HA_TRY(bg__check_name(graph->ctx, name, HA_NOWHERE));
    int number = 0, is_new = 0;
    bg__output parameter = { .value = symbol };

    if (symbol <= 0 || symbol >= ha_dag_size(graph->dag) ||
        ha_expr_op(graph->dag, symbol) != HA_OP_SYMBOL) {
        return ha_fail(graph->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "the parameter `%s` has no symbol; make one with ha_symbol()", name);
    }
    HA_TRY_ROOM(graph->ctx, &graph->parameters, 1);
    HA_TRY(
        ha__symtab_add(graph->ctx, &graph->parameter_names, name, strlen(name), &number, &is_new));
    if (!is_new) {
        return ha_fail(graph->ctx, HA_ERR_NAME, HA_NOWHERE,
                       "the parameter `%s` is given twice; rename one", name);
    }
    parameter.name = ha__symtab_name(&graph->parameter_names, number);
    graph->parameters.items[graph->parameters.count++] = parameter;
    return HA_OK;
}

ha_status bg_graph_add_parameter(bg_graph *graph, const char *name, double value, ha_expr *out)
{
    HA_NEED_OF(graph, name != NULL && out != NULL);
    ha_expr symbol = ha_symbol(graph->dag, name);

    HA_TRY(ha_dag_status(graph->dag));
    HA_TRY(bg_graph_name_parameter(graph, name, symbol));
    ha_symbol_define(graph->dag, symbol, ha_constant(graph->dag, value));
    *out = symbol;
    return ha_dag_status(graph->dag);
}

ha_status bg_graph_add_output(bg_graph *graph, const char *name, const char *unit, ha_expr value)
{
    HA_NEED_OF(graph, name != NULL && unit != NULL);
    HA_TRY(bg__check_name(graph->ctx, name, HA_NOWHERE));
    HA_NEED_OF(graph, ha__may_be(graph->dag, value));
    int number = 0, is_new = 0;
    bg__output output = { .value = value };

    HA_TRY(ha_dag_status(graph->dag));
    if (value == HA_EXPR_NONE) {
        return ha_fail(graph->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "the output `%s` has no expression; give one", name);
    }
    HA_TRY(ha__symtab_add(graph->ctx, &graph->unit_names, unit, strlen(unit), &number, NULL));
    output.unit = ha__symtab_name(&graph->unit_names, number);
    HA_TRY_ROOM(graph->ctx, &graph->outputs, 1);
    HA_TRY(ha__symtab_add(graph->ctx, &graph->output_names, name, strlen(name), &number, &is_new));
    if (!is_new) {
        return ha_fail(graph->ctx, HA_ERR_NAME, HA_NOWHERE,
                       "the output `%s` is given twice; rename one", name);
    }
    output.name = ha__symtab_name(&graph->output_names, number);
    graph->outputs.items[graph->outputs.count++] = output;
    return HA_OK;
}

int bg_graph_n_outputs(const bg_graph *graph)
{
    HA_NEED_ELSE(graph != NULL, 0);
    return (int) graph->outputs.count;
}

const char *bg_output_name(const bg_graph *graph, int i)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, bg_graph_n_outputs(graph)), "");
    return graph->outputs.items[i].name;
}

const char *bg_output_unit(const bg_graph *graph, int i)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, bg_graph_n_outputs(graph)), "");
    return graph->outputs.items[i].unit;
}

int bg_graph_find_output(const bg_graph *graph, const char *name)
{
    HA_NEED_ELSE(graph != NULL && name != NULL, -1);
    return ha__symtab_find(&graph->output_names, name, strlen(name));
}

static ha_status add_signal_output(bg_graph *graph, int element, int component, bg_signal signal)
{
    ha_expr e = bg_graph_signal(graph, element, component, signal);

    /* the symbol is called as users write it: "R1.e" */
    HA_TRY(ha_dag_status(graph->dag));
    return bg_graph_add_output(graph, ha_symbol_name(graph->dag, e), "", e);
}

ha_status bg_graph_add_element_outputs(bg_graph *graph)
{
    HA_NEED(NULL, graph != NULL);
    for (size_t i = 0; i < graph->elements.count; i++) {
        const bg__element *e = &graph->elements.items[i];
        for (int k = 0; k < BG_SIGNAL_COUNT; k++) {
            bool is_second = k == BG_SIGNAL_E2 || k == BG_SIGNAL_F2;
            int dim = is_second && e->dim2 > 0 ? e->dim2 : e->dim;
            for (int c = 0; c < dim; c++) {
                HA_TRY(bg__has_signal(graph, &graph->elements.items[i], c, (bg_signal) k)
                           ? add_signal_output(graph, (int) i, c, (bg_signal) k)
                           : HA_OK);
            }
        }
    }
    return HA_OK;
}

/* --- orders --------------------------------------------------------------------------------- */

static ha_status make_ranks(bg_graph *graph, int *order)
{
    int n = (int) graph->elements.count;

    HA_TRY(ha__sort_names(graph->ctx, n, (const char *const *) graph->names.names.items, order));
    HA_TRY_ROOM(graph->ctx, &graph->ranks, (size_t) n);
    for (int i = 0; i < n; i++) {
        graph->ranks.items[order[i]] = i;
    }
    graph->ranks.count = (size_t) n;
    return HA_OK;
}

ha_status bg__graph_ranks(bg_graph *graph, const int **out)
{
    ha_status status = HA_OK;

    if (graph->ranks.count != graph->elements.count) {
        int *order = NULL;
        HA_TRY_ALLOC(graph->ctx, order, graph->elements.count);
        status = make_ranks(graph, order);
        ha__free(order);
    }
    if (status == HA_OK) {
        *out = graph->ranks.items;
    }
    return status;
}

/* Sorts bonds: those of sources first, then by the names at the tails, at the heads, by port. */
static ha_status sort_bonds(bg_graph *graph, uint64_t *keys, int *bonds)
{
    size_t n = graph->bonds.count;
    const int *ranks = NULL;

    HA_TRY(bg__graph_ranks(graph, &ranks));
    for (size_t i = 0; i < n; i++) {
        const bg__bond *bond = &graph->bonds.items[i];
        keys[i] = (uint64_t) ranks[bond->head] << 32 | (uint32_t) bond->tail_port;
        bonds[i] = (int) i;
    }
    HA_TRY(ha__sort_by_keys(graph->ctx, n, keys, bonds));
    for (size_t i = 0; i < n; i++) {
        const bg__bond *bond = &graph->bonds.items[bonds[i]];
        bool is_source = graph->elements.items[bond->tail].type->book == BG_BOOK_SUPPLY ||
                         graph->elements.items[bond->head].type->book == BG_BOOK_SUPPLY;
        keys[i] = (is_source ? 0 : UINT64_C(1) << 32) | (uint64_t) ranks[bond->tail];
    }
    return ha__sort_by_keys(graph->ctx, n, keys, bonds);
}

static ha_status make_numbers(bg_graph *graph)
{
    size_t n = graph->bonds.count;
    uint64_t *keys = ha__alloc(graph->ctx, n, sizeof *keys);
    int *bonds = ha__alloc(graph->ctx, n, sizeof *bonds);
    ha_status status =
        keys == NULL || bonds == NULL ? HA_ERR_MEMORY : sort_bonds(graph, keys, bonds);

    if (status == HA_OK) {
        void *items = ha__room(graph->ctx, graph->numbers.items, graph->numbers.count, n,
                               &graph->numbers.capacity, sizeof *graph->numbers.items);
        status = items == NULL ? HA_ERR_MEMORY : HA_OK;
        if (items != NULL) {
            graph->numbers.items = items;
            for (size_t i = 0; i < n; i++) {
                graph->numbers.items[bonds[i]] = (int) i + 1;
            }
            graph->numbers.count = n;
        }
    }
    HA_FREE(keys, bonds);
    return status;
}

ha_status bg_graph_bond_number(bg_graph *graph, bg_bond bond, int *out)
{
    HA_NEED_OF(graph, HA_IS_INDEX(bond, bg_graph_n_bonds(graph)) && out != NULL);
    if (graph->numbers.count != graph->bonds.count) {
        HA_TRY(make_numbers(graph));
    }
    *out = graph->numbers.items[bond];
    return HA_OK;
}
