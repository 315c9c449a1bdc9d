/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Laws by expressions and multiports, as they are given: what each type takes, what its expressions
 * may read, and the field that the scalar elements of an element share.
 *
 * The expressions of a storage may read its own displacements and momenta and parameters only. With
 * anything else that varies, E(q, u), power flows through u that appears at no bond: dE/dt = e f +
 * dE/du u'. Such an element needs a port for u, whose effort is dE/du.
 */
#include <config.h>

#include "bondgraph/graph/law_priv.h"

#include "lib/core/need.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_VARIABLES = BG_SIGNAL_Q + 1 };

bg_law bg_law_default(void)
{
    return (bg_law){ 0 };
}

/* --- names ----------------------------------------------------------------------------------- */

bg_signal bg__law_variable(const char *name, int n_ports, int *port)
{
    static const char letters[] = {
        [BG_SIGNAL_E] = 'e', [BG_SIGNAL_F] = 'f', [BG_SIGNAL_P] = 'p', [BG_SIGNAL_Q] = 'q'
    };
    const char *digits = name[0] == '\0' ? name : name + 1;
    size_t n = strlen(digits);
    int number = 0;

    if (n > 4 || strspn(digits, "0123456789") != n || digits[0] == '0') {
        return BG_SIGNAL_COUNT;
    }
    for (size_t i = 0; i < n; i++) {
        number = number * 10 + (digits[i] - '0');
    }
    if (n_ports == 1 ? n > 0 : number < 1 || number > n_ports) {
        return BG_SIGNAL_COUNT;
    }
    *port = n_ports == 1 ? 0 : number - 1;
    for (size_t s = 0; s < HA_COUNT(letters); s++) {
        if (letters[s] == name[0]) {
            return (bg_signal) s;
        }
    }
    return BG_SIGNAL_COUNT;
}

static const char *const part_names[BG__PART_COUNT] = { [BG__PART_EFFORT] = "e",
                                                        [BG__PART_FLOW] = "f",
                                                        [BG__PART_ENERGY] = "energy",
                                                        [BG__PART_INVERSE] = "inverse" };

bg__law_part bg__law_part_of(const char *name, size_t length)
{
    int part = 0;

    while (part < BG__PART_COUNT &&
           (strlen(part_names[part]) != length || memcmp(part_names[part], name, length) != 0)) {
        part++;
    }
    return (bg__law_part) part;
}

const char *bg__law_part_name(bg__law_part part)
{
    return part_names[part];
}

ha_expr *bg__law_part_place(bg_law *law, bg__law_part part)
{
    ha_expr *const parts[BG__PART_COUNT] = { [BG__PART_EFFORT] = &law->effort,
                                             [BG__PART_FLOW] = &law->flow,
                                             [BG__PART_ENERGY] = &law->energy,
                                             [BG__PART_INVERSE] = &law->inverse };

    return parts[part];
}

ha_expr bg__law_given(const bg__law *law, bg__law_part part)
{
    const ha_expr parts[BG__PART_COUNT] = { [BG__PART_EFFORT] = law->effort,
                                            [BG__PART_FLOW] = law->flow,
                                            [BG__PART_ENERGY] = law->energy,
                                            [BG__PART_INVERSE] = law->inverse };

    return parts[part];
}

/* --- what may be read ------------------------------------------------------------------------ */

/* An expression of a law and the quantities of the element that it may read, as bits. */
typedef struct {
    const char *name; /* as written */
    unsigned bit;     /* BG__LAW_... */
    ha_expr value;
    unsigned may_read;
} part;

enum { E = 1 << BG_SIGNAL_E, F = 1 << BG_SIGNAL_F, P = 1 << BG_SIGNAL_P, Q = 1 << BG_SIGNAL_Q };

static unsigned contents_of(const bg__type *type)
{
    return type->signals & (P | Q);
}

static void list_parts(const bg__type *type, const bg__law *law, part parts[4])
{
    unsigned content = contents_of(type);
    bool is_storage = content != 0;

    parts[0] = (part){ "e", BG__LAW_EFFORT, law->effort, is_storage ? content : F };
    parts[1] = (part){ "f", BG__LAW_FLOW, law->flow, is_storage ? content : E };
    parts[2] = (part){ "energy", BG__LAW_ENERGY, law->energy, content };
    parts[3] = (part){ "inverse", BG__LAW_INVERSE, law->inverse, content == P ? F : E };
}

/* The quantity of the element that a symbol stands for, BG_SIGNAL_COUNT: none. */
static bg_signal variable_of(const bg__law *law, ha_expr symbol)
{
    for (int s = 0; s < N_VARIABLES; s++) {
        for (int k = 0; k < law->n_ports && law->variables[s] != NULL; k++) {
            if (law->variables[s][k] == symbol) {
                return (bg_signal) s;
            }
        }
    }
    return BG_SIGNAL_COUNT;
}

/* The names of the quantities of these bits: "q", "p or q". */
static const char *names_of(unsigned bits)
{
    return bits == (P | Q) ? "p or q" : bits == P ? "p" : bits == Q ? "q" : bits == E ? "e" : "f";
}

static ha_status check_part(bg_graph *graph, const bg__element *e, const bg__law *law,
                            const part *checked)
{
    ha_expr *symbols = NULL;
    size_t n = 0;
    ha_status status = HA_OK;

    if (checked->value == HA_EXPR_NONE) {
        return HA_OK;
    }
    if ((e->type->laws & checked->bit) == 0 ||
        (law->n_ports > 1 && checked->bit != BG__LAW_ENERGY)) {
        return ha_fail(graph->ctx, HA_ERR_VALUE, e->where,
                       "`%s` is %s %s%s and takes no law `%s = ...`%s", e->name,
                       bg__article(e->type), e->type->title,
                       law->n_ports > 1 ? " of several ports" : "", checked->name,
                       (e->type->laws & BG__LAW_ENERGY) != 0 ? "; give its energy instead"
                                                             : "; give a value instead");
    }
    HA_TRY(ha_expr_symbols(graph->dag, checked->value, &symbols, &n));
    for (size_t i = 0; i < n && status == HA_OK; i++) {
        bg_signal s = variable_of(law, symbols[i]);
        if (s != BG_SIGNAL_COUNT && (checked->may_read >> s & 1u) == 0) {
            status =
                ha_fail(graph->ctx, HA_ERR_VALUE, e->where,
                        "the law `%s = ...` of `%s` reads `%s`; there it must be a function of "
                        "%s, as %s %s needs",
                        checked->name, e->name, ha_symbol_name(graph->dag, symbols[i]),
                        names_of(checked->may_read), bg__article(e->type), e->type->title);
        }
    }
    free(symbols);
    return status;
}

/* A storage needs the side that it gives in integral causality, an R one of both. */
static ha_status check_complete(bg_graph *graph, const bg__element *e, const bg__law *law)
{
    bool is_whole =
        law->energy != HA_EXPR_NONE || law->effort != HA_EXPR_NONE || law->flow != HA_EXPR_NONE;

    return is_whole ? HA_OK
                    : ha_fail(graph->ctx, HA_ERR_VALUE, e->where,
                              "the law of `%s` says neither its %s nor its %s; give one", e->name,
                              (e->type->laws & BG__LAW_EFFORT) != 0 ? "effort" : "flow",
                              (e->type->laws & BG__LAW_ENERGY) != 0 ? "energy" : "flow");
}

static ha_status check_law(bg_graph *graph, const bg__element *e, const bg__law *law)
{
    part parts[4];

    list_parts(e->type, law, parts);
    for (size_t i = 0; i < HA_COUNT(parts); i++) {
        HA_TRY(check_part(graph, e, law, &parts[i]));
    }
    if (e->n_values > 0) {
        return ha_fail(graph->ctx, HA_ERR_VALUE, e->where,
                       "`%s` has a value and a law; leave one of them out", e->name);
    }
    return check_complete(graph, e, law);
}

/* --- taking a law ---------------------------------------------------------------------------- */

static ha_status copy_exprs(bg_graph *graph, const ha_expr *from, int n, const ha_expr **to)
{
    ha_expr *copy = ha__arena_alloc(graph->ctx, &graph->arena, (size_t) n, sizeof *copy);

    HA_TRY_MEMORY(copy);
    for (int i = 0; i < n; i++) {
        copy[i] = from == NULL ? HA_EXPR_NONE : from[i];
    }
    *to = copy;
    return HA_OK;
}

ha_status bg__law_copy(bg_graph *graph, const bg__element *e, const bg_law *law,
                       const bg__law **out)
{
    const ha_expr *given[N_VARIABLES] = { [BG_SIGNAL_E] = law->e,
                                          [BG_SIGNAL_F] = law->f,
                                          [BG_SIGNAL_P] = law->p,
                                          [BG_SIGNAL_Q] = law->q };
    bg__law *copy = ha__arena_alloc(graph->ctx, &graph->arena, 1, sizeof *copy);

    HA_TRY_MEMORY(copy);
    HA_TRY(ha_dag_status(graph->dag));
    copy->n_ports = e->is_field ? e->dim : 1;
    copy->effort = law->effort;
    copy->flow = law->flow;
    copy->energy = law->energy;
    copy->inverse = law->inverse;
    for (int s = 0; s < N_VARIABLES; s++) {
        HA_TRY(copy_exprs(graph, given[s], copy->n_ports, &copy->variables[s]));
    }
    HA_TRY(check_law(graph, e, copy));
    *out = copy;
    return HA_OK;
}

ha_status bg_graph_set_law(bg_graph *graph, bg_element element, const bg_law *law)
{
    HA_NEED_OF(graph, HA_IS_INDEX(element, bg_graph_n_elements(graph)) && law != NULL);
    bg__element *e = &graph->elements.items[element];
    bg__extras *extra = bg__own_extra(graph, e);

    return extra == NULL ? HA_ERR_MEMORY : bg__law_copy(graph, e, law, &extra->law);
}

ha_status bg__check_field(bg_graph *graph, const bg__element *e)
{
    if (e->type->laws == 0 || e->type->max_ports > 1) {
        return ha_fail(graph->ctx, HA_ERR_VALUE, e->where,
                       "`%s` is %s %s, whose components cannot be the ports of a field; use C, I, "
                       "IC or R",
                       e->name, bg__article(e->type), e->type->title);
    }
    return e->dim <= BG__MAX_FIELD_PORTS ? HA_OK
                                         : ha_fail(graph->ctx, HA_ERR_LIMIT, e->where,
                                                   "the field `%s` has %d ports; %d are allowed",
                                                   e->name, e->dim, BG__MAX_FIELD_PORTS);
}

/* --- asking ---------------------------------------------------------------------------------- */

static bool reads(ha_dag *dag, ha_expr value, ha_expr symbol)
{
    return value != HA_EXPR_NONE && symbol != HA_EXPR_NONE &&
           !ha_expr_is(dag, ha_partial(dag, value, symbol), 0.0);
}

bool bg__law_is_inertia(ha_dag *dag, const bg__law *law, int port)
{
    return reads(dag, law->energy, law->variables[BG_SIGNAL_P][port]);
}

bool bg__has_signal(const bg_graph *graph, const bg__element *e, int component, bg_signal signal)
{
    const bg__extras *extra = bg__extra(e);
    bool has_both = contents_of(e->type) == (P | Q);

    if ((e->type->signals >> signal & 1u) == 0) {
        return false;
    }
    if (!has_both || extra->law == NULL || (signal != BG_SIGNAL_P && signal != BG_SIGNAL_Q)) {
        return true;
    }
    return bg__law_is_inertia(graph->dag, extra->law, component) == (signal == BG_SIGNAL_P);
}

int bg_element_is_field(const bg_graph *graph, bg_element element)
{
    HA_NEED_ELSE(HA_IS_INDEX(element, bg_graph_n_elements(graph)), 0);
    return graph->elements.items[element].is_field;
}

/* --- fields ---------------------------------------------------------------------------------- */

/* Each port of an energy needs its own displacement or its own momentum in it. */
static ha_status check_ports(bg_graph *graph, const bg__element *e, const bg__law *law)
{
    for (int k = 0; k < law->n_ports && law->energy != HA_EXPR_NONE; k++) {
        bool is_i = reads(graph->dag, law->energy, law->variables[BG_SIGNAL_P][k]);
        bool is_c = reads(graph->dag, law->energy, law->variables[BG_SIGNAL_Q][k]);
        char suffix[16] = "";
        if (law->n_ports > 1) {
            snprintf(suffix, sizeof suffix, "%d", k + 1);
        }
        if (is_i == is_c) {
            const char *wanted = names_of(contents_of(e->type));
            return ha_fail(graph->ctx, HA_ERR_VALUE, e->where,
                           "the energy of `%s` reads %s q%s %s p%s; each port needs one of its own "
                           "in the energy (%s, numbered by port where there are several)",
                           e->name, is_i ? "both" : "neither", suffix, is_i ? "and" : "nor", suffix,
                           wanted);
        }
    }
    return HA_OK;
}

/* A storage may read nothing but its own content and constants. */
static ha_status check_own(bg_graph *graph, const bg__element *e, const bg__law *law, ha_expr value)
{
    ha_expr *symbols = NULL;
    size_t n = 0;
    ha_status status = HA_OK;

    if (value == HA_EXPR_NONE) {
        return HA_OK;
    }
    HA_TRY(ha_resolve(graph->dag, value, &value));
    HA_TRY(ha_expr_symbols(graph->dag, value, &symbols, &n));
    for (size_t i = 0; i < n && status == HA_OK; i++) {
        if (variable_of(law, symbols[i]) == BG_SIGNAL_COUNT) {
            status =
                ha_fail(graph->ctx, HA_ERR_UNSUPPORTED, e->where,
                        "the law of the %s `%s` reads `%s`, which varies; the power that it "
                        "exchanges through `%s` would be at no bond: give it a second port for "
                        "that, with an energy of both",
                        e->type->title, e->name, ha_symbol_name(graph->dag, symbols[i]),
                        ha_symbol_name(graph->dag, symbols[i]));
        }
    }
    free(symbols);
    return status;
}

static ha_status check_storage(bg_graph *graph, const bg__element *e, const bg__law *law)
{
    HA_TRY(check_ports(graph, e, law));
    HA_TRY(check_own(graph, e, law, law->energy));
    HA_TRY(check_own(graph, e, law, law->effort));
    HA_TRY(check_own(graph, e, law, law->flow));
    return check_own(graph, e, law, law->inverse);
}

/* A field needs a matrix or a law, and an IC its energy. */
static ha_status check_given(bg_graph *graph, const bg__element *e)
{
    const bg__extras *extra = bg__extra(e);
    bool needs_law = (e->type->laws & BG__LAW_NEEDED) != 0;

    if (extra->law == NULL && needs_law) {
        return ha_fail(graph->ctx, HA_ERR_VALUE, e->where,
                       "`%s` is %s %s and has no energy; give energy = ... as a function of q or p "
                       "of each port",
                       e->name, bg__article(e->type), e->type->title);
    }
    if (extra->law == NULL && e->is_field && e->n_values != e->dim * e->dim) {
        return ha_fail(graph->ctx, HA_ERR_VALUE, e->where,
                       "`%s` is %s %s with %d ports and has no law; give its matrix of %d values%s",
                       e->name, bg__article(e->type), e->type->title, e->dim, e->dim * e->dim,
                       (e->type->laws & BG__LAW_ENERGY) != 0 ? " or its energy" : "");
    }
    if (extra->law != NULL && contents_of(e->type) != 0) {
        HA_TRY(check_storage(graph, e, extra->law));
    }
    return extra->law == NULL ? HA_OK : bg__check_law_agrees(graph, e);
}

static ha_status name_contents(bg_graph *graph, const bg__element *e, bg__field *field)
{
    HA_TRY(ha_dag_status(graph->dag));
    for (int k = 0; k < field->n_ports; k++) {
        bool is_i =
            contents_of(e->type) == P || (contents_of(e->type) == (P | Q) &&
                                          bg__law_is_inertia(graph->dag, bg__extra(e)->law, k));
        char suffix[16] = "";
        if (field->n_ports > 1) {
            snprintf(suffix, sizeof suffix, "%d", k + 1);
        }
        const char *name = ha__arena_format(graph->ctx, &graph->arena, "%s.%c%s", field->name,
                                            is_i ? 'p' : 'q', suffix);
        HA_TRY_MEMORY(name);
        field->content[k] = ha_symbol(graph->dag, name);
    }
    return ha_dag_status(graph->dag);
}

/* The law in the arena of the scalar graph, which outlives the graph it comes from. */
static ha_status copy_law(bg_graph *scalar, const bg__law *from, const bg__law **out)
{
    bg__law *copy = NULL;

    if (from == NULL) {
        *out = NULL;
        return HA_OK;
    }
    HA_TRY_GET(copy, ha__arena_alloc(scalar->ctx, &scalar->arena, 1, sizeof *copy));
    *copy = *from;
    for (int s = 0; s < N_VARIABLES; s++) {
        HA_TRY(copy_exprs(scalar, from->variables[s], from->n_ports, &copy->variables[s]));
    }
    *out = copy;
    return HA_OK;
}

ha_status bg__field_new(bg_graph *scalar, const bg__element *e, const char *name, int first,
                        const bg__field **out)
{
    const bg__extras *extra = bg__extra(e);

    bg__field *field = ha__arena_alloc(scalar->ctx, &scalar->arena, 1, sizeof *field);

    HA_TRY_MEMORY(field);
    HA_TRY(check_given(scalar, e));
    field->n_ports = e->is_field ? e->dim : 1;
    field->first = first;
    HA_TRY_GET(field->name, ha__arena_text(scalar->ctx, &scalar->arena, name, strlen(name)));
    HA_TRY(copy_law(scalar, extra->law, &field->law));
    if (extra->law == NULL) {
        HA_TRY(copy_exprs(scalar, e->value, e->dim * e->dim, &field->matrix));
    }
    HA_TRY_GET(field->content, ha__arena_alloc(scalar->ctx, &scalar->arena, (size_t) field->n_ports,
                                               sizeof *field->content));
    HA_TRY(name_contents(scalar, e, field));
    *out = field;
    return HA_OK;
}
