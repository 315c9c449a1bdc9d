/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an element's law is written with. */
#include <config.h>

#include "bondgraph/elements/emit.h"

#include "lib/core/format.h"

#include <string.h>

static const bg__element *element_of(const bg__emitter *em)
{
    return &em->system->graph->elements.items[em->element];
}

int bg__effort_arrives(const bg__emitter *em, int port)
{
    return bg__ein(em->system, em->element, em->bonds[port]);
}

int bg__sign(const bg__emitter *em, int port)
{
    return em->system->graph->bonds.items[em->bonds[port]].head == em->element ? 1 : -1;
}

/* The sign of a bond drawn in the natural direction of the port. */
static int natural_sign(const bg__emitter *em, int port)
{
    return (element_of(em)->type->gives_power & 1 << port) != 0 ? -1 : 1;
}

/* True when the bond is drawn against the natural direction of the port. (Signs are compared, not
   truth values: gcc 12 at -O2 drops one side of `(x < 0) != ((bits >> port & 1) != 0)`.) */
static bool is_reversed(const bg__emitter *em, int port)
{
    return bg__sign(em, port) != natural_sign(em, port);
}

ha_expr bg__effort(const bg__emitter *em, int port)
{
    return em->system->e[em->bonds[port]];
}

ha_expr bg__bond_flow(const bg__emitter *em, int port)
{
    return em->system->f[em->bonds[port]];
}

ha_expr bg__flow(const bg__emitter *em, int port)
{
    ha_expr flow = bg__bond_flow(em, port);

    return is_reversed(em, port) ? ha_neg(em->dag, flow) : flow;
}

static ha_status define(bg__emitter *em, ha_expr symbol, ha_expr value)
{
    return bg__system_define(em->system, symbol, em->element, value, false);
}

ha_status bg__set_effort(bg__emitter *em, int port, ha_expr value)
{
    return define(em, em->system->e[em->bonds[port]], value);
}

ha_status bg__set_bond_flow(bg__emitter *em, int port, ha_expr value)
{
    return define(em, em->system->f[em->bonds[port]], value);
}

ha_status bg__set_flow(bg__emitter *em, int port, ha_expr value)
{
    return bg__set_bond_flow(em, port, is_reversed(em, port) ? ha_neg(em->dag, value) : value);
}

const bg__field *bg__field_of(const bg__emitter *em)
{
    return bg__extra(element_of(em))->field;
}

int bg__field_port(const bg__emitter *em)
{
    return bg__extra(element_of(em))->field_port;
}

bg__emitter bg__sibling(const bg__emitter *em, int port)
{
    bg__emitter other = *em;

    other.element = bg__field_of(em)->first + port;
    other.bonds = em->system->port_bonds + em->system->port_start[other.element];
    return other;
}

ha_status bg__define_content(bg__emitter *em, ha_expr value)
{
    return define(em, bg__field_of(em)->content[bg__field_port(em)], value);
}

ha_expr bg__content(const bg__emitter *em)
{
    return em->system->content[em->element];
}

const char *bg__name(const bg__emitter *em)
{
    return element_of(em)->name;
}

ha_where bg__where(const bg__emitter *em)
{
    return element_of(em)->where;
}

ha_expr bg__value(const bg__emitter *em)
{
    return em->system->value[em->element];
}

ha_expr bg__position(const bg__emitter *em)
{
    const bg__element *e = element_of(em);
    const bg__extras *extra = bg__extra(e);

    return extra->position == NULL ? HA_EXPR_NONE : extra->position[0];
}

ha_expr bg__start(const bg__emitter *em)
{
    const bg__element *e = element_of(em);
    const bg__extras *extra = bg__extra(e);

    return extra->start == NULL ? HA_EXPR_NONE : extra->start[0];
}

bool bg__is_alone(const bg__emitter *em)
{
    return bg__extra(element_of(em))->alone != 0;
}

bool bg__is_only(const bg__emitter *em)
{
    const bg_graph *graph = em->system->graph;
    const bg__element *e = element_of(em);
    int n = 0;

    for (size_t i = 0; i < graph->elements.count; i++) {
        n += graph->elements.items[i].type == e->type ? graph->elements.items[i].dim : 0;
    }
    return n == 1;
}

ha_expr bg__rest(const bg__emitter *em)
{
    const bg__extras *extra = bg__extra(element_of(em));

    return extra->rest == NULL ? HA_EXPR_NONE : extra->rest[0];
}

bool bg__is_read(const bg__emitter *em, bg_signal signal)
{
    const bg__element *e = element_of(em);

    return e->signals != NULL && e->signals[signal] != HA_EXPR_NONE;
}

ha_status bg__define_signal(bg__emitter *em, bg_signal signal, ha_expr value)
{
    if (signal == BG_SIGNAL_P || signal == BG_SIGNAL_Q) {
        em->system->content[em->element] = value;
    }
    return bg__is_read(em, signal) ? define(em, element_of(em)->signals[signal], value) : HA_OK;
}

ha_status bg__rate_of(bg__emitter *em, ha_expr value, ha_expr *out)
{
    ha_expr symbol = ha_symbol(em->dag, "rate");

    HA_TRY(bg__system_define(em->system, symbol, em->element, value, true));
    *out = symbol;
    return HA_OK;
}

bg__measures bg__measures_of(const bg__element *element)
{
    static const bg__extras none = { 0 };
    const bg__extras *extra = element != NULL ? bg__extra(element) : &none;

    return (bg__measures){
#define MEASURE(field, value, sentence)                                                            \
    .field = extra->field == NULL ? HA_EXPR_NONE : extra->field[0],
#include "lib/unknown.def"
#undef MEASURE
    };
}

bg__unknown *bg__last_unknown(bg__emitter *em)
{
    return &em->system->unknowns.items[em->system->unknowns.count - 1];
}

/* The name before the suffix of a quantity: of a port of a field that of the field. */
static const char *own_name(const bg__emitter *em)
{
    return bg__field_of(em) != NULL ? bg__field_of(em)->name : element_of(em)->name;
}

/* The number of a port behind the suffix, "" where there is one port. */
static const char *port_number(const bg__emitter *em, char buffer[16])
{
    bool is_numbered = bg__field_of(em) != NULL && bg__field_of(em)->n_ports > 1;

    buffer[0] = '\0';
    if (is_numbered) {
        ha__format(buffer, 16, "%d", bg__field_port(em) + 1);
    }
    return buffer;
}

const char *bg__quantity_name(const bg__emitter *em, const char *suffix)
{
    bg_graph *graph = em->system->graph;
    char number[16];

    return ha__arena_format(graph->ctx, &graph->arena, "%s.%s%s", own_name(em), suffix,
                            port_number(em, number));
}

/* What the symbol of an unknown is called: the flow into an element whose bond counts it outwards
   is another quantity than the flow of that bond, which has the name of the unknown. */
static const char *symbol_name(const bg__emitter *em, const char *suffix, const char *name)
{
    bg_graph *graph = em->system->graph;
    bool is_reversed =
        strcmp(suffix, "f") == 0 && em->n_ports == 1 && bg__flow(em, 0) != bg__bond_flow(em, 0);

    return is_reversed ? ha__arena_format(graph->ctx, &graph->arena, "%s_in", name) : name;
}

ha_status bg__add_unknown(bg__emitter *em, bg__unknown_kind kind, const char *suffix, ha_expr start,
                          ha_expr *y, ha_expr *yp)
{
    bg_graph *graph = em->system->graph;
    const char *name = bg__quantity_name(em, suffix);
    const char *shown = name == NULL ? NULL : symbol_name(em, suffix, name);
    const char *rate_name =
        shown == NULL ? NULL : ha__arena_format(graph->ctx, &graph->arena, "der(%s)", shown);

    HA_TRY_MEMORY(rate_name);

    bool has_measures = kind != BG__MULTIPLIER;
    bg__unknown unknown = { .name = name,
                            .element = em->element,
                            .kind = kind,
                            .y = ha_symbol(em->dag, shown),
                            .yp = ha_symbol(em->dag, rate_name),
                            .start = start,
                            .loop = -1,
                            .hold = bg__extra(element_of(em))->hold,
                            .is_sampled = bg__extra(element_of(em))->is_sampled,
                            .measures = bg__measures_of(has_measures ? element_of(em) : NULL) };
    HA_TRY(ha_dag_status(em->dag));
    ha_symbol_set_derivative(em->dag, unknown.y, unknown.yp);
    ha_symbol_set_derivative(em->dag, unknown.yp, HA_EXPR_NONE);
    HA_TRY_PUSH(em->system->ctx, &em->system->unknowns, unknown);
    *y = unknown.y;
    *yp = unknown.yp;
    return HA_OK;
}

ha_status bg__add_row(bg__emitter *em, bg__row_kind kind, ha_expr value, ha_expr phi)
{
    return bg__add_switched_row(em, kind, value, phi, HA_EXPR_NONE, HA_EXPR_NONE);
}

ha_status bg__add_switched_row(bg__emitter *em, bg__row_kind kind, ha_expr value, ha_expr phi,
                               ha_expr when, ha_expr instead)
{
    ha_expr shown =
        when == HA_EXPR_NONE ? value : ha_apply(em->dag, HA_OP_IF, when, instead, value);
    bool is_assembled = phi != HA_EXPR_NONE || bg__extra(element_of(em))->assembled != 0;
    bg__row row = { element_of(em)->name, em->element, kind, value, phi, when, instead, shown,
                    is_assembled };

    HA_TRY(ha_dag_status(em->dag));
    HA_TRY_PUSH(em->system->ctx, &em->system->rows, row);
    return HA_OK;
}
