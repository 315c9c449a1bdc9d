/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The texts of elements in pictures.
 *
 *   large    TYPE: value unit, for one value; a junction is a bare 0 or 1; a residual sink is
 *            rSe[alpha,beta] while its effort is a multiplier and rSe: f=0 when it is explicit
 *   small    several values, or the law, in two lines where long; the name unless that says no more
 *   tooltip  the type in words, the name, the values in full
 *
 * Expressions call quantities by the outputs that they are, and by what is left of their names
 * inside of the group that is drawn around them.
 */
#include <config.h>

#include "bondgraph/draw/export_priv.h"
#include "lib/expr.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_VALUE = 36, /* characters of a value in the picture; the tooltip has it all */
    MAX_LINE = 18,  /* bytes of values that stay in one line */
    MAX_LISTED = 4, /* components whose values are listed */
    DIGITS = 4      /* significant digits of a value in the picture */
};

struct bg__labeller {
    bg_graph *graph;
    const bg_draw_options *options;
    int *output_of; /* (nodes of the dag) the output that a symbol alone is, + 1 */
    size_t n_symbols;
};

ha_status bg__labeller_new(bg_graph *graph, const bg_draw_options *options, bg__labeller **out)
{
    bg__labeller *l = ha__alloc(graph->ctx, 1, sizeof *l);

    HA_TRY_MEMORY(l);
    *l = (bg__labeller){ .graph = graph,
                         .options = options,
                         .n_symbols = (size_t) ha_dag_size(graph->dag) };
    l->output_of = ha__alloc(graph->ctx, l->n_symbols, sizeof *l->output_of);
    if (l->output_of == NULL) {
        ha__free(l);
        return HA_ERR_MEMORY;
    }
    for (size_t i = 0; i < graph->outputs.count; i++) {
        if (graph->outputs.items[i].value != HA_EXPR_NONE) {
            l->output_of[graph->outputs.items[i].value] = (int) i + 1;
        }
    }
    *out = l;
    return HA_OK;
}

void bg__labeller_free(bg__labeller *labeller)
{
    if (labeller != NULL) {
        HA_FREE(labeller->output_of, labeller);
    }
}

/* --- numbers and expressions ------------------------------------------------------------------ */

/* A number with few digits. Up to 1e22 powers of ten are exact, so that the quotient is the double
   nearest to the rounded decimal and prints short. */
static void add_rounded(ha__strbuf *out, double x)
{
    double size = fabs(x);
    double shift = 0.0;

    if (size > 0.0 && isfinite(x)) {
        shift = DIGITS - 1 - floor(log10(size));
        if (shift > 0.0 && shift <= 22.0) {
            x = round(x * pow(10.0, shift)) / pow(10.0, shift);
        }
    }
    ha__strbuf_add_short_number(out, x);
}

/* Adds a text cut to MAX_VALUE characters. */
static void add_cut(ha__strbuf *out, const char *text)
{
    size_t length = 0;
    int n = 0;

    for (; text[length] != '\0'; length++) {
        /* bytes 10xxxxxx continue a character */
        if (((unsigned char) text[length] & 0xc0) != 0x80 && n++ == MAX_VALUE) {
            break;
        }
    }
    ha__strbuf_add_bytes(out, text, length);
    if (text[length] != '\0') {
        ha__strbuf_add(out, "\xe2\x80\xa6");
    }
}

/* A name without the group that the element is drawn in; NULL when nothing is left. */
static const char *short_name(const char *name, const char *group)
{
    size_t length = group == NULL ? 0 : strlen(group);

    if (length == 0 || strncmp(name, group, length) != 0) {
        return name;
    }
    return name[length] == '.' ? name + length + 1 : name[length] == '\0' ? NULL : name;
}

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || ((unsigned char) c & 0x80) != 0;
}

/* How the picture calls a quantity: by the output that it is, in its group. */
static const char *symbol_name(const bg__labeller *l, ha_expr symbol, const char *group)
{
    const char *name = ha_symbol_name(l->graph->dag, symbol);
    const char *found = NULL;

    if ((size_t) symbol < l->n_symbols && l->output_of[symbol] > 0) {
        name = l->graph->outputs.items[l->output_of[symbol] - 1].name;
    }
    found = short_name(name, group);
    return found == NULL ? name : found;
}

/* Adds the text of an expression with its `n` symbols called as the picture does. */
static void add_renamed(const bg__labeller *l, ha__strbuf *out, const char *text,
                        const ha_expr *symbols, size_t n, const char *group)
{
    while (*text != '\0') {
        size_t length = 0;
        const char *name = NULL;
        while (is_name_byte(text[length])) {
            length++;
        }
        for (size_t i = 0; i < n && length > 0 && name == NULL; i++) {
            const char *own = ha_symbol_name(l->graph->dag, symbols[i]);
            if (strlen(own) == length && strncmp(own, text, length) == 0) {
                name = symbol_name(l, symbols[i], group);
            }
        }
        length = length == 0 ? 1 : length;
        if (name != NULL) {
            ha__strbuf_add(out, name);
        } else {
            ha__strbuf_add_bytes(out, text, length);
        }
        text += length;
    }
}

enum { LONGEST = 200 }; /* text of an expression: no label is read that is longer */

static void add_expression(bg__labeller *l, ha__strbuf *out, ha_expr value, const char *group)
{
    ha_expr *symbols = NULL;
    size_t n = 0;
    char *text = ha_expr_text_cut(l->graph->dag, value, LONGEST);

    if (text == NULL || ha_expr_symbols(l->graph->dag, value, &symbols, &n) != HA_OK) {
        out->status = HA_ERR_MEMORY;
    } else {
        add_renamed(l, out, text, symbols, n, group);
    }
    free(text);
    free(symbols);
}

/* --- values ----------------------------------------------------------------------------------- */

static void add_value(bg__labeller *l, ha__strbuf *out, const bg__element *e, int i)
{
    const bg__extras *extra = bg__extra(e);
    ha_expr value = e->value[i];
    const bg_unit *unit = extra->n_units == 0 ? NULL : &extra->units[extra->n_units == 1 ? 0 : i];
    double x = 0.0;

    if (value == HA_EXPR_NONE) {
        ha__strbuf_add(out, "?");
    } else if (!ha_expr_is_constant(l->graph->dag, value, &x)) {
        add_expression(l, out, value, e->group);
    } else if (unit == NULL || unit->name[0] == '\0') {
        add_rounded(out, x);
    } else {
        add_rounded(out, x / unit->size);
        ha__strbuf_addf(out, " %s", unit->name);
    }
}

/* 1 when all values of an element are the same, else their number. */
static int count_different(const bg__element *e)
{
    for (int i = 1; i < e->n_values; i++) {
        if (e->value[i] != e->value[0]) {
            return e->n_values;
        }
    }
    return e->n_values > 0 ? 1 : 0;
}

static void add_values(bg__labeller *l, ha__strbuf *out, const bg__element *e)
{
    int n = count_different(e);

    for (int i = 0; i < n; i++) {
        if (i > 0) {
            ha__strbuf_add(out, ", ");
        }
        add_value(l, out, e, i);
    }
}

/* A law as it is written: "e = 2*q". */
static void add_law(bg__labeller *l, ha__strbuf *out, const bg__element *e)
{
    const bg__extras *extra = bg__extra(e);
    const ha_expr parts[BG__PART_COUNT] = { [BG__PART_EFFORT] = extra->law->effort,
                                            [BG__PART_FLOW] = extra->law->flow,
                                            [BG__PART_ENERGY] = extra->law->energy,
                                            [BG__PART_INVERSE] = HA_EXPR_NONE };
    const char *separator = "";

    for (int part = 0; part < BG__PART_COUNT; part++) {
        if (parts[part] != HA_EXPR_NONE) {
            ha__strbuf_addf(out, "%s%s = ", separator, bg__law_part_name((bg__law_part) part));
            add_expression(l, out, parts[part], e->group);
            separator = "; ";
        }
    }
}

/* Whether a sink of a mechanism holds velocities alone: there is no position to be brought back. */
static bool is_of_velocities(const bg__element *e)
{
    const bg__extras *extra = bg__extra(e);
    bool is_alone = e->type->stage == BG__STAGE_SINK && extra->assembled != 0;

    for (int i = 0; i < e->dim && extra->position != NULL && is_alone; i++) {
        is_alone = extra->position[i] == HA_EXPR_NONE;
    }
    return is_alone;
}

/* How a residual sink is written: it depends on which side of its bond is unknown. */
static void add_sink(const bg__labeller *l, ha__strbuf *out, const bg__element *e,
                     bg_stroke own_stroke)
{
    bool is_effort = e->type->name[1] == 'e'; /* Re imposes an effort, Rf a flow */
    int ein = own_stroke == BG_STROKE_HEAD;
    const bg_draw_options *o = l->options;

    ha__strbuf_add(out, is_effort ? "rSe" : "rSf");
    if (own_stroke == BG_STROKE_NONE) {
        return;
    }
    if (ein == e->type->preferred) {
        ha__strbuf_add(out, is_effort ? ": f=0" : ": e=0");
        return;
    }
    ha__strbuf_add(out, "[");
    if (isnan(o->alpha)) {
        ha__strbuf_add(out, "\xce\xb1");
    } else {
        add_rounded(out, o->alpha);
    }
    if (!is_of_velocities(e)) {
        ha__strbuf_add(out, ",");
        if (isnan(o->beta)) {
            ha__strbuf_add(out, "\xce\xb2");
        } else {
            add_rounded(out, o->beta);
        }
    }
    ha__strbuf_add(out, "]");
}

/* --- the node --------------------------------------------------------------------------------- */

static ha_status label_head(bg__labeller *l, bg__picture *p, const bg__element *e,
                            bg_stroke own_stroke, bool has_value, bg__node *node)
{
    ha__strbuf text = HA_STRBUF(p->ctx), value = HA_STRBUF(p->ctx);

    if (e->type->stage == BG__STAGE_SINK) {
        add_sink(l, &text, e, own_stroke);
    } else {
        ha__strbuf_add(&text, e->type->name);
    }
    if (has_value) {
        add_values(l, &value, e);
        ha__strbuf_add(&text, ": ");
        add_cut(&text, ha__strbuf_text(&value));
    }
    text.status = text.status == HA_OK ? value.status : text.status;
    ha__strbuf_clear(&value);
    return ha__strbuf_keep(&text, &p->arena, &node->head);
}

/* Where a list of values is broken into two lines: after the separator that is nearest to its
   middle; its end where it stays in one. */
static size_t find_break(const char *text, size_t length)
{
    size_t best = length;

    for (size_t i = 0; i + 1 < length && length > MAX_LINE; i++) {
        size_t after = i + 2;
        bool is_separator = (text[i] == ',' || text[i] == ';') && text[i + 1] == ' ';
        if (is_separator && (best == length || labs(2 * (long) after - (long) length) <
                                                   labs(2 * (long) best - (long) length))) {
            best = after;
        }
    }
    return best;
}

/* Keeps a part of a text, without blanks at its end, cut where it is long. */
static ha_status keep_line(bg__picture *p, const char *text, size_t length, const char **out)
{
    ha__strbuf part = HA_STRBUF(p->ctx), cut = HA_STRBUF(p->ctx);

    while (length > 0 && text[length - 1] == ' ') {
        length--;
    }
    ha__strbuf_add_bytes(&part, text, length);
    add_cut(&cut, ha__strbuf_text(&part));
    cut.status = cut.status == HA_OK ? part.status : cut.status;
    ha__strbuf_clear(&part);
    return ha__strbuf_keep(&cut, &p->arena, out);
}

/* Fills one line or two with the values of an element; returns in `n` how many. */
static ha_status label_values(bg__labeller *l, bg__picture *p, const bg__element *e,
                              const char **lines, int *n)
{
    ha__strbuf text = HA_STRBUF(p->ctx);
    ha_status status = HA_OK;

    if (bg__extra(e)->law != NULL) {
        add_law(l, &text, e);
    } else {
        add_values(l, &text, e);
    }
    status = text.status;
    if (status == HA_OK) {
        const char *all = ha__strbuf_text(&text);
        size_t first = find_break(all, text.length);
        status = keep_line(p, all, first, &lines[0]);
        *n = 1;
        if (status == HA_OK && first < text.length) {
            status = keep_line(p, all + first, text.length - first, &lines[1]);
            *n = 2;
        }
    }
    return ha__strbuf_drop(&text, status);
}

static ha_status label_tooltip(bg__labeller *l, bg__picture *p, const bg__element *e,
                               const char **out)
{
    const bg__extras *extra = bg__extra(e);
    ha__strbuf text = HA_STRBUF(p->ctx);

    ha__strbuf_addf(&text, "%s %s%s", e->type->title, e->name,
                    is_of_velocities(e) ? ": a constraint on velocities alone" : "");
    if (extra->law != NULL || e->n_values > 0) {
        ha__strbuf_add(&text, ": ");
        if (extra->law != NULL) {
            add_law(l, &text, e);
        } else {
            add_values(l, &text, e);
        }
    }
    return ha__strbuf_keep(&text, &p->arena, out);
}

ha_status bg__label_element(bg__labeller *l, bg__picture *p, int element, bg_stroke own_stroke,
                            bg__node *node)
{
    const bg__element *e = &l->graph->elements.items[element];
    const bg__extras *extra = bg__extra(e);
    const char *name = short_name(e->name, e->group);
    int n_values = e->dim2 > 0 || e->n_values > MAX_LISTED ? 0 : count_different(e);
    int line = 0;

    node->kind = e->type->name;
    node->is_junction = bg__is_junction(e);
    node->is_multi = e->dim > 1 || e->dim2 > 1;
    HA_TRY(label_head(l, p, e, own_stroke, n_values == 1 && extra->law == NULL, node));
    if (n_values > 1 || extra->law != NULL) {
        HA_TRY(label_values(l, p, e, node->small, &line));
    }
    if (!node->is_junction && name != NULL && strcmp(name, e->type->name) != 0) {
        node->small[line++] = name;
    }
    return label_tooltip(l, p, e, &node->tooltip);
}
