/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The equations as text, as they stand before anything is inserted: values, assignments in causal
 * order, differential equations, constraints. der(x) is the total time derivative of x.
 */
#include <config.h>

#include "bondgraph/equations_priv.h"
#include "lib/strbuf.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const bg_causality *c;
    ha_dag *dag; /* a copy in which only rates stand for something: a symbol named der(...) */
    ha__strbuf text;
} writer;

/* The text of an expression in which rates are written as der(...). To be freed. */
static ha_status expr_text(writer *w, ha_expr value, char **out)
{
    ha_expr shown = HA_EXPR_NONE;

    HA_TRY(ha_resolve(w->dag, value, &shown));
    *out = ha_expr_text(w->dag, shown);
    return *out == NULL ? HA_ERR_MEMORY : HA_OK;
}

/* Takes the definitions out and gives each rate its name. */
static ha_status prepare(writer *w)
{
    const bg__system *s = w->c->system;

    for (size_t i = 0; i < s->definitions.count; i++) {
        ha_symbol_define(w->dag, s->definitions.items[i].symbol, HA_EXPR_NONE);
    }
    for (size_t i = 0; i < s->graph->elements.count; i++) {
        ha_expr value = s->value[i];
        if (ha_expr_op(w->dag, value) == HA_OP_SYMBOL) {
            ha_symbol_define(w->dag, value, HA_EXPR_NONE);
        }
    }
    for (size_t i = 0; i < s->graph->parameters.count; i++) {
        ha_symbol_define(w->dag, s->graph->parameters.items[i].value, HA_EXPR_NONE);
    }
    for (size_t i = 0; i < s->definitions.count; i++) {
        const bg__definition *d = &s->definitions.items[s->order[i]];
        ha__strbuf name = HA_STRBUF(w->c->ctx);
        char *text = NULL;
        if (!d->is_rate) {
            continue;
        }
        HA_TRY(expr_text(w, d->value, &text));
        ha__strbuf_addf(&name, "der(%s)", text);
        free(text);
        ha_status status = name.status;
        if (status == HA_OK) {
            ha_symbol_define(w->dag, d->symbol, ha_symbol(w->dag, ha__strbuf_text(&name)));
            status = ha_dag_status(w->dag);
        }
        ha__strbuf_clear(&name);
        HA_TRY(status);
    }
    return HA_OK;
}

static void write_values(writer *w)
{
    const bg__system *s = w->c->system;

    ha__strbuf_add(&w->text, "# values\n");
    for (size_t i = 0; i < s->graph->parameters.count; i++) {
        const bg__output *p = &s->graph->parameters.items[i];
        double x = 0.0;
        if (ha_expr_is_constant(s->graph->dag, ha_symbol_definition(s->graph->dag, p->value), &x)) {
            ha__strbuf_addf(&w->text, "%s = ", p->name);
            ha__strbuf_add_short_number(&w->text, x);
            ha__strbuf_add(&w->text, "\n");
        }
    }
    for (size_t i = 0; i < s->graph->elements.count; i++) {
        const bg__element *e = &s->graph->elements.items[i];
        double x = 0.0;
        ha_expr value = bg__component_value(s->graph, e, 0);
        bool has_value = e->type->stage == BG__STAGE_STORAGE || e->type->book == BG__BOOK_SUPPLY ||
                         e->type->stage == BG__STAGE_RESISTOR || e->type->max_ports == 2;
        if (has_value && ha_expr_is_constant(s->graph->dag, value, &x)) {
            ha__strbuf_addf(&w->text, "%s = ", e->name);
            ha__strbuf_add_short_number(&w->text, x);
            ha__strbuf_add(&w->text, "\n");
        }
    }
}

static ha_status write_assignments(writer *w)
{
    const bg__system *s = w->c->system;

    ha__strbuf_add(&w->text, "\n# assignments, in causal order\n");
    for (size_t i = 0; i < s->definitions.count; i++) {
        const bg__definition *d = &s->definitions.items[s->order[i]];
        char *value = NULL;
        if (d->is_rate) {
            continue;
        }
        HA_TRY(expr_text(w, d->value, &value));
        const char *name = ha_symbol_name(w->dag, d->symbol);
        if (strcmp(name, value) != 0) {
            ha__strbuf_addf(&w->text, "%s = %s\n", name, value);
        }
        free(value);
    }
    return HA_OK;
}

static ha_status write_state_row(writer *w, const bg__row *row)
{
    char *left = NULL, *right = NULL;
    bool is_balance = ha_expr_op(w->dag, row->value) == HA_OP_SUB;
    ha_status status = expr_text(w, is_balance ? ha_expr_operand(w->dag, row->value, 0) : row->value,
                                 &left);

    if (status == HA_OK && is_balance) {
        status = expr_text(w, ha_expr_operand(w->dag, row->value, 1), &right);
    }
    if (status == HA_OK) {
        ha__strbuf_addf(&w->text, "%s = %s\n", left, is_balance ? right : "0");
    }
    free(left);
    free(right);
    return status;
}

static ha_status write_constraint(writer *w, const bg__row *row)
{
    char *f = NULL, *phi = NULL;
    ha_status status = expr_text(w, row->value, &f);

    if (status == HA_OK && row->phi != HA_EXPR_NONE) {
        status = expr_text(w, row->phi, &phi);
    }
    if (status == HA_OK) {
        ha__strbuf_addf(&w->text, "0 = der(%s) + 2*alpha*(%s)", f, f);
        if (phi != NULL) {
            ha__strbuf_addf(&w->text, " + beta^2*(%s)", phi);
        }
        ha__strbuf_add(&w->text, "\n");
    }
    free(f);
    free(phi);
    return status;
}

static ha_status write_rows(writer *w, bg__row_kind kind, const char *title)
{
    const bg__system *s = w->c->system;
    bool has_title = false;

    for (size_t i = 0; i < s->rows.count; i++) {
        if (s->rows.items[i].kind == kind) {
            if (!has_title) {
                ha__strbuf_addf(&w->text, "\n# %s\n", title);
                has_title = true;
            }
            HA_TRY(kind == BG__ROW_STATE ? write_state_row(w, &s->rows.items[i])
                                         : write_constraint(w, &s->rows.items[i]));
        }
    }
    return HA_OK;
}

static ha_status write_all(writer *w)
{
    HA_TRY(prepare(w));
    write_values(w);
    HA_TRY(write_assignments(w));
    HA_TRY(write_rows(w, BG__ROW_STATE, "differential equations"));
    return write_rows(w, BG__ROW_CONSTRAINT,
                      "constraints of implicit residual sinks, stabilised with alpha and beta");
}

ha_status bg_equations_text(const bg_causality *causality, char **out)
{
    if (causality->strokes.outcome != BG_CLASS_COUNT) {
        return HA_ERR_CAUSALITY;
    }

    writer w = { causality, ha_dag_clone(causality->system->graph->dag),
                 HA_STRBUF(causality->ctx) };
    ha_status status = w.dag == NULL ? HA_ERR_MEMORY : write_all(&w);
    char *taken = status == HA_OK ? ha__strbuf_take(&w.text) : NULL;

    ha__strbuf_clear(&w.text);
    ha_dag_free(w.dag);
    if (taken == NULL) {
        return status == HA_OK ? HA_ERR_MEMORY : status;
    }
    *out = taken;
    return HA_OK;
}
