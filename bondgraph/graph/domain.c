/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The domains of bonds. Each component of each port of an element is a terminal; a bond joins two,
 * and so do the components of a junction, whose bonds all have one terminal. (A transformer or
 * gyrator has a terminal for each port.) A terminal starts with the set of all domains and one
 * more, that of those nobody here knows, whose units have a base unit that none of ours has, as the
 * mole. Each value with a unit leaves the domains in which its element is measured in that, each
 * `domain` its own. An empty set is a conflict of the element with the one that narrowed the set
 * before.
 */
#include <config.h>

#include "bondgraph/graph/graph_priv.h"

#include "lib/core/need.h"
#include "lib/core/strbuf.h"
#include "lib/data/dimension.h"
#include "lib/expr/expr_dimension.h"

#include <stdio.h>
#include <string.h>

enum { N_DOMAINS = BG_DOMAIN_END - 1, OTHER = 1 << N_DOMAINS, ALL = (OTHER << 1) - 1, WORDS = 160 };

/* What is known of a domain: its name, and the unit of each measure. */
static const struct {
    const char *name, *units[BG__MEASURE_COUNT];
} domains[N_DOMAINS] = {
#define X(id, name, e, f, q, p, R, C, I) { name, { "", e, f, q, p, R, C, I } },
#include "bondgraph/domains.def"
#undef X
};

typedef struct {
    bg_graph *graph;
    int *first;   /* by element: its first terminal */
    int *parent;  /* by terminal: another of the same bond, itself at the root */
    int *set;     /* by root: bits of domains */
    int *witness; /* by root: the element that narrowed the set last, -1: none */
    ha__dimension measures[N_DOMAINS][BG__MEASURE_COUNT];
} search;

bg_domain bg_domain_find(const char *name)
{
    HA_NEED_ELSE(name != NULL, BG_DOMAIN_OPEN);
    int i = 0;

    while (i < N_DOMAINS && strcmp(domains[i].name, name) != 0) {
        i++;
    }
    return i < N_DOMAINS ? (bg_domain) (i + 1) : BG_DOMAIN_OPEN;
}

/* --- terminals -------------------------------------------------------------------------------- */

/* Junctions, which take any number of bonds, have one port. */
static bool has_places_by_port(const bg__element *e)
{
    return e->type->max_ports > 1 && !e->is_field;
}

static int width(const bg__element *e)
{
    return e->dim2 > e->dim ? e->dim2 : e->dim;
}

static int n_places(const bg__element *e)
{
    return has_places_by_port(e) ? width(e) * e->type->max_ports : width(e);
}

static int place_of(const search *s, int element, int port, int component)
{
    const bg__element *e = &s->graph->elements.items[element];
    int of_port = has_places_by_port(e) ? port * width(e) : e->is_field ? port : 0;

    return s->first[element] + (of_port + component) % n_places(e);
}

static int find_root(search *s, int terminal)
{
    while (s->parent[terminal] != terminal) {
        terminal = s->parent[terminal] = s->parent[s->parent[terminal]];
    }
    return terminal;
}

static ha_status make_places(search *s)
{
    const bg_graph *graph = s->graph;
    int n = 0;

    HA_TRY_ALLOC(graph->ctx, s->first, graph->elements.count + 1);
    for (size_t i = 0; i < graph->elements.count; i++) {
        s->first[i] = n;
        n += n_places(&graph->elements.items[i]);
    }
    HA_TRY_ALLOC_EACH(graph->ctx, (size_t) n + 1, s->parent, s->set, s->witness);
    for (int i = 0; i < n; i++) {
        s->parent[i] = i;
        s->set[i] = ALL;
        s->witness[i] = -1;
    }
    for (size_t b = 0; b < graph->bonds.count; b++) {
        const bg__bond *bond = &graph->bonds.items[b];
        for (int c = 0; c < bond->dim; c++) {
            int tail = place_of(s, bond->tail, bond->tail_port, bond->tail_first + c);
            int head = place_of(s, bond->head, bond->head_port, bond->head_first + c);
            s->parent[find_root(s, tail)] = find_root(s, head);
        }
    }
    return HA_OK;
}

/* --- values ---------------------------------------------------------------------------------- */

static ha__dimension read_dimension(const char *unit)
{
    ha__dimension is = { { 0 } };

    (void) ha__dimension_of_unit(unit, &is, NULL);
    return is;
}

/* With e and f all are known, but for radians: q = f s, p = e s, R = e/f, C = q/e, I = p/f. */
static void find_measures(search *s)
{
    const ha__dimension second = read_dimension("s");

    for (int d = 0; d < N_DOMAINS; d++) {
        ha__dimension *is = s->measures[d];
        const ha__dimension e = is[BG__MEASURE_EFFORT] =
            read_dimension(domains[d].units[BG__MEASURE_EFFORT]);
        const ha__dimension f = is[BG__MEASURE_FLOW] =
            read_dimension(domains[d].units[BG__MEASURE_FLOW]);
        const ha__dimension q = is[BG__MEASURE_DISPLACEMENT] = ha__dimension_times(f, second, 1);
        const ha__dimension p = is[BG__MEASURE_MOMENTUM] = ha__dimension_times(e, second, 1);
        is[BG__MEASURE_RESISTANCE] = ha__dimension_times(e, f, -1);
        is[BG__MEASURE_CAPACITANCE] = ha__dimension_times(q, e, -1);
        is[BG__MEASURE_INERTIA] = ha__dimension_times(p, f, -1);
    }
}

/* How a dimension follows from an expression. */
typedef bool follow(const ha_dag *dag, ha_expr e, ha__dimension *out);

/* Part of a signal (block.c), which may be of any dimension. */
static bool is_signal(const bg__element *e)
{
    return bg__extra(e)->domain == BG_DOMAIN_END;
}

/* The dimension of a unit of an element, radians not counted: most are that of its measure in a
   domain, which is known. */
static bool dimension_of_unit(const search *s, const bg__element *e, const char *unit,
                              ha__dimension *out)
{
    const bg__measure measure =
        e->type->measure < BG__MEASURE_COUNT ? e->type->measure : BG__MEASURE_NONE;

    for (int d = 0; d < N_DOMAINS && unit[0] != '\0'; d++) {
        if (strcmp(domains[d].units[measure], unit) == 0) {
            *out = s->measures[d][measure];
            return true;
        }
    }
    return unit[0] != '\0' && ha__dimension_of_unit(unit, out, NULL);
}

/* The dimension of a value, from its unit or from those of parameters; false: not known. */
static bool dimension_of(const search *s, const bg__element *e, int value, follow *of_expression,
                         ha__dimension *out)
{
    static const ha__dimension none = { { 0 } };
    const bg__extras *extra = bg__extra(e);
    const int i = extra->n_units == 1 ? 0 : value;

    bool is_known = (extra->n_units > 0 && dimension_of_unit(s, e, extra->units[i].name, out)) ||
                    (value < e->n_values && of_expression(s->graph->dag, e->value[value], out));
    return is_known && memcmp(out, &none, sizeof none) != 0;
}

static int domains_with(const search *s, ha__dimension is, bg__measure measure)
{
    int set = 0;

    for (int d = 0; d < N_DOMAINS; d++) {
        bool has_it = domains[d].units[measure][0] != '\0' &&
                      ha__dimension_is_like(is, s->measures[d][measure]);
        set |= has_it ? 1 << d : 0;
    }
    return set;
}

/* Whether a base unit is in it that no domain has: then it is of one that nobody here knows. */
static bool is_foreign(const search *s, ha__dimension is)
{
    bool found = false;

    for (size_t i = 0; i < sizeof is.powers && !found; i++) {
        found = is.powers[i] != 0;
        for (int d = 0; d < N_DOMAINS; d++) {
            const ha__dimension *own = s->measures[d];
            found = found && own[BG__MEASURE_EFFORT].powers[i] == 0 &&
                    own[BG__MEASURE_FLOW].powers[i] == 0;
        }
    }
    return found;
}

/* What to say of a unit that is a product with t, which is the tonne there. */
static const char *hint_of_time(const bg__element *e)
{
    const bg__extras *extra = bg__extra(e);
    const char *unit = extra->n_units > 0 ? extra->units[0].name : "";
    const size_t length = strlen(unit);
    const bool has_it = length > 2 && strcmp(unit + length - 2, "*t") == 0;

    return has_it ? "; in a unit the `t` is the tonne: make the number a parameter, say v, and "
                    "write v*t for the time"
                  : "";
}

static ha_status refuse_value(const search *s, const bg__element *e, ha__dimension is)
{
    char words[WORDS];
    ha__strbuf list = HA_STRBUF(s->graph->ctx);

    for (int d = 0; d < N_DOMAINS; d++) {
        const char *unit = domains[d].units[e->type->measure];
        bool is_again = d > 0 && strcmp(unit, domains[d - 1].units[e->type->measure]) == 0;
        if (unit[0] != '\0' && !is_again) {
            ha__strbuf_addf(&list, "%s%s", list.length > 0 ? ", " : "", unit);
        }
    }
    return HA_FAIL_WITH(list, s->graph->ctx, HA_ERR_UNIT, e->where,
                        "the value of `%s` is %s, in which no %s is measured; give it in one of "
                        "%s, or without a unit%s",
                        e->name, ha__dimension_words(is, words, sizeof words), e->type->title,
                        ha__strbuf_text(&list), hint_of_time(e));
}

/* --- narrowing ------------------------------------------------------------------------------- */

/* "electrical", or what the first of a set is called. */
static const char *name_of(int set)
{
    int d = 0;

    while (d < N_DOMAINS && (set >> d & 1) == 0) {
        d++;
    }
    return d < N_DOMAINS ? domains[d].name : "of another domain";
}

/* The unit of a measure where all domains of a set have the same; "": none. */
static const char *unit_in(int set, bg__measure measure)
{
    const char *unit = NULL;

    for (int d = 0; d < N_DOMAINS; d++) {
        if ((set >> d & 1) != 0) {
            const char *own = domains[d].units[measure];
            unit = unit == NULL || strcmp(unit, own) == 0 ? own : "";
        }
    }
    return unit == NULL || (set & OTHER) != 0 ? "" : unit;
}

/* " with a flow in W/K" where two domains of one name meet, else "". */
static const char *flow_in(int set, int other, char *text, size_t size)
{
    bool is_named_twice = strcmp(name_of(set), name_of(other)) == 0;

    snprintf(text, size, "%s%s", is_named_twice ? " with a flow in " : "",
             is_named_twice ? unit_in(set, BG__MEASURE_FLOW) : "");
    return text;
}

static ha_status refuse_domain(const search *s, const bg__element *e, int set, int root)
{
    const bg__element *other = &s->graph->elements.items[s->witness[root]];
    char flow[2][40];

    return ha_fail(s->graph->ctx, HA_ERR_UNIT, e->where,
                   "`%s` is %s%s, but `%s`, which shares its bond, is %s%s: correct the unit or "
                   "the `domain` of one, or put a transformer or gyrator between them",
                   e->name, name_of(set), flow_in(set, s->set[root], flow[0], sizeof flow[0]),
                   other->name, name_of(s->set[root]),
                   flow_in(s->set[root], set, flow[1], sizeof flow[1]));
}

static ha_status narrow(search *s, int element, int terminal, int set)
{
    const bg__element *elements = s->graph->elements.items;
    int root = find_root(s, terminal);

    if ((s->set[root] & set) == 0) {
        return refuse_domain(s, &elements[element], set, root);
    }
    if ((s->set[root] & set) != s->set[root]) {
        s->set[root] &= set;
        s->witness[root] = element;
    }
    return HA_OK;
}

/* All domains of the name of one. */
static int set_of_name(int domain)
{
    int set = 0;

    for (int d = 0; d < N_DOMAINS; d++) {
        set |= strcmp(domains[d].name, domains[domain - 1].name) == 0 ? 1 << d : 0;
    }
    return set;
}

static ha_status narrow_by_domain(search *s, int element)
{
    const bg__element *e = &s->graph->elements.items[element];
    int domain = bg__extra(e)->domain;

    for (int k = 0; k < n_places(e); k++) {
        if ((e->type->heats >> k / width(e) & 1) != 0) {
            HA_TRY(narrow(s, element, s->first[element] + k, 1 << (BG_DOMAIN_THERMAL - 1)));
        } else if (domain > BG_DOMAIN_OPEN && domain < BG_DOMAIN_END) {
            HA_TRY(narrow(s, element, s->first[element] + k, set_of_name(domain)));
        }
    }
    return HA_OK;
}

static ha_status narrow_by_value(search *s, int element, int component)
{
    const bg__element *e = &s->graph->elements.items[element];
    ha__dimension is;

    if (!dimension_of(s, e, e->n_values == 1 ? 0 : component, ha__expr_dimension, &is)) {
        return HA_OK;
    }
    int set = domains_with(s, is, e->type->measure);
    if (set == 0 && !is_foreign(s, is) && !is_signal(e)) {
        return refuse_value(s, e, is);
    }
    return narrow(s, element, s->first[element] + component, set == 0 ? OTHER : set);
}

/* The same of 2*R0, which most likely is like R0; where that does not fit, the 2 is something. */
static ha_status narrow_by_likely(search *s, int element, int component)
{
    const bg__element *e = &s->graph->elements.items[element];
    const int terminal = s->first[element] + component;
    ha__dimension is;

    if (!dimension_of(s, e, e->n_values == 1 ? 0 : component, ha__expr_dimension_likely, &is)) {
        return HA_OK;
    }
    int set = domains_with(s, is, e->type->measure);
    return (s->set[find_root(s, terminal)] & set) == 0 ? HA_OK : narrow(s, element, terminal, set);
}

static ha_status narrow_by_values(search *s, ha_status (*by_value)(search *, int, int))
{
    for (size_t i = 0; i < s->graph->elements.count; i++) {
        const bg__element *e = &s->graph->elements.items[i];
        bool has_values = e->type->measure != BG__MEASURE_NONE &&
                          e->type->measure < BG__MEASURE_COUNT && !e->is_field &&
                          (e->n_values == 1 || e->n_values == e->dim);
        for (int c = 0; has_values && c < e->dim; c++) {
            HA_TRY(by_value(s, (int) i, c));
        }
    }
    return HA_OK;
}

/* --- between domains ------------------------------------------------------------------------- */

/* The one domain that is left of a terminal, -1: more than one. */
static int domain_at(search *s, int terminal)
{
    int set = s->set[find_root(s, terminal)];

    for (int d = 0; d < N_DOMAINS; d++) {
        if (set == 1 << d) {
            return d;
        }
    }
    return -1;
}

/* The modulus of a transformer is e1 / e2, that of a gyrator e1 / f2. */
static ha_status check_ratio(search *s, int element)
{
    static const ha__dimension none = { { 0 } };
    const bg__element *e = &s->graph->elements.items[element];
    bool is_gyrator = e->type->measure == BG__MEASURE_GYRATOR;
    int first = domain_at(s, place_of(s, element, 0, 0));
    int second = domain_at(s, place_of(s, element, 1, 0));
    char words[WORDS];
    ha__dimension is;

    if (first < 0 || second < 0 || !dimension_of(s, e, 0, ha__expr_dimension, &is)) {
        return HA_OK;
    }
    bg__measure other = is_gyrator ? BG__MEASURE_FLOW : BG__MEASURE_EFFORT;
    ha__dimension wanted =
        ha__dimension_times(s->measures[first][BG__MEASURE_EFFORT], s->measures[second][other], -1);
    if (ha__dimension_is_like(is, wanted) || memcmp(&is, &none, sizeof is) == 0) {
        return HA_OK;
    }
    return ha_fail(s->graph->ctx, HA_ERR_UNIT, e->where,
                   "the value of `%s` is %s, but a %s from %s to %s has the effort of one side by "
                   "the %s of the other, %s per %s; give it so, or without a unit",
                   e->name, ha__dimension_words(is, words, sizeof words), e->type->title,
                   domains[first].name, domains[second].name, is_gyrator ? "flow" : "effort",
                   domains[first].units[BG__MEASURE_EFFORT], domains[second].units[other]);
}

static ha_status check_ratios(search *s)
{
    for (size_t i = 0; i < s->graph->elements.count; i++) {
        const bg__element *e = &s->graph->elements.items[i];
        if (e->type->measure >= BG__MEASURE_COUNT && e->n_values == 1 && e->dim == 1) {
            HA_TRY(check_ratio(s, (int) i));
        }
    }
    return HA_OK;
}

/* --- starts ---------------------------------------------------------------------------------- */

/* What the start value of an element is: its momentum or its displacement. */
static bg__measure measure_of_start(const bg__element *e)
{
    unsigned both = e->type->signals & (BG__HAS_P | BG__HAS_Q);

    return both == BG__HAS_P   ? BG__MEASURE_MOMENTUM
           : both == BG__HAS_Q ? BG__MEASURE_DISPLACEMENT
                               : BG__MEASURE_NONE;
}

static ha_status refuse_start(const search *s, const bg__element *e, ha__dimension is, int set)
{
    bool is_momentum = measure_of_start(e) == BG__MEASURE_MOMENTUM;
    const char *unit = unit_in(set, measure_of_start(e));
    const char *what = is_momentum ? "momentum" : "displacement";
    char words[WORDS];

    if (unit[0] == '\0') {
        return ha_fail(s->graph->ctx, HA_ERR_UNIT, e->where,
                       "the start value `%c` of `%s` is %s, in which no %s is measured; give it "
                       "another unit, or none",
                       is_momentum ? 'p' : 'q', e->name,
                       ha__dimension_words(is, words, sizeof words), what);
    }
    return ha_fail(s->graph->ctx, HA_ERR_UNIT, e->where,
                   "the start value `%c` of `%s` is %s, but the %s of what is %s is in %s; give it "
                   "so, or without a unit",
                   is_momentum ? 'p' : 'q', e->name, ha__dimension_words(is, words, sizeof words),
                   what, name_of(set), unit);
}

/* A start with a unit tells the domain, too. */
static ha_status narrow_by_start(search *s, int element, int component)
{
    static const ha__dimension none = { { 0 } };
    const bg__element *e = &s->graph->elements.items[element];
    const int terminal = s->first[element] + component;
    ha__dimension is;

    if (!ha__expr_dimension(s->graph->dag, bg__extra(e)->start[component], &is) ||
        memcmp(&is, &none, sizeof none) == 0) {
        return HA_OK;
    }
    int known = s->set[find_root(s, terminal)], set = domains_with(s, is, measure_of_start(e));
    if ((known & (set == 0 && is_foreign(s, is) ? OTHER : set)) == 0) {
        return refuse_start(s, e, is, known);
    }
    return set == 0 ? HA_OK : narrow(s, element, terminal, set);
}

static ha_status narrow_by_starts(search *s)
{
    for (size_t i = 0; i < s->graph->elements.count; i++) {
        const bg__element *e = &s->graph->elements.items[i];
        const ha_expr *start = bg__extra(e)->start;
        bool has_start = start != NULL && measure_of_start(e) != BG__MEASURE_NONE && !is_signal(e);
        for (int c = 0; has_start && c < e->dim; c++) {
            HA_TRY(start[c] == HA_EXPR_NONE ? HA_OK : narrow_by_start(s, (int) i, c));
        }
    }
    return HA_OK;
}

static ha_status narrow_all(search *s)
{
    for (size_t i = 0; i < s->graph->elements.count; i++) {
        HA_TRY(narrow_by_domain(s, (int) i));
    }
    HA_TRY(narrow_by_values(s, narrow_by_value));
    HA_TRY(narrow_by_starts(s));
    return narrow_by_values(s, narrow_by_likely);
}

/* --- outputs --------------------------------------------------------------------------------- */

/* Notes the units of the signals of an element, by their expressions. */
static void note_units(search *s, int element, const char **units)
{
    static const bg__measure measures[BG_SIGNAL_COUNT] = {
        [BG_SIGNAL_E] = BG__MEASURE_EFFORT,   [BG_SIGNAL_F] = BG__MEASURE_FLOW,
        [BG_SIGNAL_P] = BG__MEASURE_MOMENTUM, [BG_SIGNAL_Q] = BG__MEASURE_DISPLACEMENT,
        [BG_SIGNAL_E2] = BG__MEASURE_EFFORT,  [BG_SIGNAL_F2] = BG__MEASURE_FLOW,
    };
    const bg__element *e = &s->graph->elements.items[element];

    for (int k = 0; e->signals != NULL && k < width(e) * BG_SIGNAL_COUNT; k++) {
        int signal = k % BG_SIGNAL_COUNT,
            port = has_places_by_port(e) && (signal == BG_SIGNAL_E2 || signal == BG_SIGNAL_F2);
        int terminal = s->first[element] + port * width(e) + k / BG_SIGNAL_COUNT;
        if (e->signals[k] != HA_EXPR_NONE) {
            units[e->signals[k]] = unit_in(s->set[find_root(s, terminal)], measures[signal]);
        }
    }
}

static ha_status set_units(search *s)
{
    bg_graph *graph = s->graph;
    const char **units = NULL;
    ha_status status = HA_OK;
    int number = 0;

    HA_TRY_ALLOC(graph->ctx, units, (size_t) ha_dag_size(graph->dag) + 1);
    for (size_t i = 0; i < graph->elements.count; i++) {
        note_units(s, (int) i, units);
    }
    for (size_t i = 0; i < graph->outputs.count && status == HA_OK; i++) {
        bg__output *output = &graph->outputs.items[i];
        const char *unit = units[output->value];
        if (output->unit[0] != '\0' || unit == NULL) {
            continue;
        }
        status = ha__symtab_add(graph->ctx, &graph->unit_names, unit, strlen(unit), &number, NULL);
        if (status == HA_OK) {
            output->unit = ha__symtab_name(&graph->unit_names, number);
        }
    }
    ha__free(units);
    return status;
}

ha_status bg_graph_find_domains(bg_graph *graph)
{
    HA_NEED(NULL, graph != NULL);
    search s = { .graph = graph };

    HA_TRY(ha_dag_status(graph->dag));
    find_measures(&s);
    ha_status status = make_places(&s);
    HA_THEN(status, narrow_all(&s));
    HA_THEN(status, check_ratios(&s));
    HA_THEN(status, set_units(&s));
    HA_FREE(s.first, s.parent, s.set, s.witness);
    return status;
}
