/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The equations in a notation, as they stand before anything is inserted: values, assignments in
 * causal order, algebraic loops, differential equations, constraints. Of an algebraic loop the
 * signals that are solved for are named, and their rows given. And the notation of plain text, in
 * which der(x) is the total time derivative of x.
 */
#include <config.h>

#include "bondgraph/equations/equations_notation.h"
#include "bondgraph/equations/equations_priv.h"
#include "bondgraph/equations/reduce.h"
#include "lib/core/need.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const bg_causality *c;
    const bg__notation *notation;
    ha_dag *dag;      /* a copy in which only rates and silent bonds stand for something */
    ha_dag *meanings; /* a copy in which all that is outside the system stands for something */
    bg__reduction reduction; /* what becomes of the rows */
    ha__strbuf text;         /* assignments and rows */
    bool *is_silent;         /* by node: effort or flow of a bond that is not worth a line */
    HA_ARRAY(bool) shown;    /* by node: the symbol occurs in the text */
} writer;

/* Notes the symbols of an expression that is written. */
static ha_status note_symbols(writer *w, ha_expr value)
{
    ha_expr *symbols = NULL;
    size_t n = 0;

    HA_TRY(ha_expr_symbols(w->dag, value, &symbols, &n));
    ha_status status = HA_OK;
    for (size_t i = 0; i < n && status == HA_OK; i++) {
        while (status == HA_OK && w->shown.count <= (size_t) symbols[i]) {
            void *items = ha__room(w->c->ctx, w->shown.items, w->shown.count, 1, &w->shown.capacity,
                                   sizeof *w->shown.items);
            status = items == NULL ? HA_ERR_MEMORY : HA_OK;
            if (items != NULL) {
                w->shown.items = items;
                w->shown.items[w->shown.count++] = false;
            }
        }
        if (status == HA_OK) {
            w->shown.items[symbols[i]] = true;
        }
    }
    free(symbols);
    return status;
}

/* The text of an expression in which rates are written as der(...). To be freed. */
static ha_status expr_text(writer *w, ha_expr value, char **out)
{
    ha_expr shown = HA_EXPR_NONE;

    HA_TRY(ha_resolve(w->dag, value, &shown));
    HA_TRY(note_symbols(w, shown));
    *out = w->notation->expression(w->dag, shown);
    return *out == NULL ? HA_ERR_MEMORY : HA_OK;
}

/* Bonds between junctions, and those of detectors, only repeat what others say. */
static ha_status mark_silent(writer *w)
{
    const bg__system *s = w->c->system;

    HA_TRY_ALLOC(w->c->ctx, w->is_silent, ha_dag_size(w->dag));
    for (size_t b = 0; b < s->graph->bonds.count; b++) {
        const bg__bond *bond = &s->graph->bonds.items[b];
        const bg__element *tail = &s->graph->elements.items[bond->tail];
        const bg__element *head = &s->graph->elements.items[bond->head];
        bool is_inner = bg__is_junction(tail) && bg__is_junction(head);
        bool is_detector = head->type->stage == BG__STAGE_FIXED && head->type->book == BG_BOOK_NONE;
        w->is_silent[s->e[b]] = w->is_silent[s->f[b]] = is_inner || is_detector;
    }
    return HA_OK;
}

static bool is_silent(const writer *w, const bg__definition *d)
{
    ha_op op = ha_expr_op(w->dag, d->value);

    return w->is_silent[d->symbol] && (op == HA_OP_SYMBOL || op == HA_OP_CONSTANT);
}

/* A symbol named der(...) for the rate of an expression. */
static ha_status rate_symbol(writer *w, ha_expr value, ha_expr *out)
{
    ha__strbuf name = HA_STRBUF(w->c->ctx);
    char *text = NULL;

    HA_TRY(expr_text(w, value, &text));
    w->notation->rate(&name, text);
    free(text);
    ha_status status = name.status;
    if (status == HA_OK) {
        *out = ha_symbol(w->dag, ha__strbuf_text(&name));
        status = ha_dag_status(w->dag);
    }
    return ha__strbuf_drop(&name, status);
}

/* Lets a symbol stand for the rate of an expression. */
static ha_status name_rate(writer *w, ha_expr symbol, ha_expr value)
{
    ha_expr rate = HA_EXPR_NONE;

    HA_TRY(rate_symbol(w, value, &rate));
    ha_symbol_define(w->dag, symbol, rate);
    return HA_OK;
}

/* Takes the meanings out, except those of silent bonds, and gives each rate its name. */
static ha_status prepare(writer *w)
{
    const bg__system *s = w->c->system;

    HA_TRY(mark_silent(w));
    for (ha_expr e = 1; e < ha_dag_size(w->dag); e++) {
        if (ha_expr_op(w->dag, e) == HA_OP_SYMBOL) {
            ha_symbol_define(w->dag, e, HA_EXPR_NONE);
        }
    }
    for (size_t i = 0; i < s->definitions.count; i++) {
        const bg__definition *d = &s->definitions.items[i];
        if (!d->is_rate && !d->is_tear && is_silent(w, d)) {
            ha_symbol_define(w->dag, d->symbol, d->value);
        }
    }
    for (size_t i = 0; i < s->unknowns.count; i++) {
        const bg__unknown *u = &s->unknowns.items[i];
        if (u->kind == BG__CONTENT) {
            HA_TRY(name_rate(w, u->yp, u->y));
        }
    }
    for (size_t i = 0; i < s->definitions.count; i++) {
        const bg__definition *d = &s->definitions.items[s->order[i]];
        if (d->is_rate) {
            HA_TRY(name_rate(w, d->symbol, d->value));
        }
    }
    return HA_OK;
}

/* A line `NAME = VALUE`. */
static void add_assignment(const writer *w, ha__strbuf *out, const char *name, const char *value)
{
    w->notation->name(out, name);
    ha__strbuf_addf(out, "%s%s\n", w->notation->equals, value);
}

/* What a symbol stands for outside the system: the number where that is a constant, also through
   parameters of parameters. */
static ha_status find_meaning(ha_dag *dag, ha_expr symbol, bool *is_constant, ha_expr *out)
{
    ha_expr meaning = ha_symbol_definition(dag, symbol), resolved = HA_EXPR_NONE;

    if (meaning != HA_EXPR_NONE) {
        HA_TRY(ha_resolve(dag, meaning, &resolved));
        *is_constant = ha_expr_is_constant(dag, resolved, NULL);
        *out = *is_constant ? resolved : meaning;
    }
    return HA_OK;
}

/* What the symbols in the text stand for outside the system: parameters, values of elements by
   name, outputs that are fed back. Constants or all others. */
static ha_status write_meanings(writer *w, ha__strbuf *head, bool constants)
{
    int n = ha_dag_size(w->c->system->graph->dag); /* all behind are names of this text */
    ha_dag *dag = w->meanings;
    bool *is_defined = ha__alloc(w->c->ctx, w->shown.count, sizeof *is_defined);

    HA_TRY_MEMORY(is_defined);
    for (size_t i = 0; i < w->c->system->definitions.count; i++) {
        size_t symbol = (size_t) w->c->system->definitions.items[i].symbol;
        if (symbol < w->shown.count) {
            is_defined[symbol] = true;
        }
    }
    ha_status status = HA_OK;
    for (int e = 0; e < (int) w->shown.count && e < n && status == HA_OK; e++) {
        ha_expr meaning = HA_EXPR_NONE;
        bool is_constant = false;
        if (w->shown.items[e] && !is_defined[e]) {
            status = find_meaning(dag, e, &is_constant, &meaning);
        }
        if (meaning != HA_EXPR_NONE && is_constant == constants) {
            char *text = w->notation->expression(dag, meaning);
            status = text == NULL ? HA_ERR_MEMORY : HA_OK;
            if (text != NULL) {
                add_assignment(w, head, ha_symbol_name(dag, e), text);
            }
            free(text);
        }
    }
    ha__free(is_defined);
    return status;
}

/* True when an expression comes to a symbol of this name, so that an assignment says nothing. */
static bool is_symbol_called(writer *w, ha_expr value, const char *name)
{
    ha_expr shown = HA_EXPR_NONE;

    return ha_resolve(w->dag, value, &shown) == HA_OK &&
           ha_expr_op(w->dag, shown) == HA_OP_SYMBOL &&
           strcmp(ha_symbol_name(w->dag, shown), name) == 0;
}

static ha_status write_assignments(writer *w)
{
    const bg__system *s = w->c->system;

    for (size_t i = 0; i < s->definitions.count; i++) {
        const bg__definition *d = &s->definitions.items[s->order[i]];
        char *value = NULL;
        if (d->is_rate || d->is_tear || is_silent(w, d)) {
            continue;
        }
        HA_TRY(expr_text(w, d->value, &value));
        const char *name = ha_symbol_name(w->dag, d->symbol);
        if (!is_symbol_called(w, d->value, name)) {
            add_assignment(w, &w->text, name, value);
        }
        free(value);
    }
    return HA_OK;
}

static ha_status write_state_row(writer *w, const bg__row *row)
{
    char *left = NULL, *right = NULL;
    bool is_balance = ha_expr_op(w->dag, row->value) == HA_OP_SUB;
    ha_status status =
        expr_text(w, is_balance ? ha_expr_operand(w->dag, row->value, 0) : row->value, &left);

    if (status == HA_OK && is_balance) {
        status = expr_text(w, ha_expr_operand(w->dag, row->value, 1), &right);
    }
    if (status == HA_OK) {
        ha__strbuf_addf(&w->text, "%s%s%s\n", left, w->notation->equals, is_balance ? right : "0");
    }
    free(left);
    free(right);
    return status;
}

/* `0 = der(VALUE)`. */
static ha_status write_rate(writer *w, ha_expr value)
{
    ha_expr rate = HA_EXPR_NONE;
    char *text = NULL;

    HA_TRY(rate_symbol(w, value, &rate));
    HA_TRY(expr_text(w, rate, &text));
    ha__strbuf_addf(&w->text, "0%s%s\n", w->notation->equals, text);
    free(text);
    return HA_OK;
}

/* True when a combination of rows takes the place of row i. */
static bool is_combined(const writer *w, int i)
{
    return w->reduction.value != NULL && w->reduction.value[i] != HA_EXPR_NONE;
}

/* A row that is written as 0 = ..., in the form that it is given. */
static ha_status write_residual(writer *w, int i)
{
    const bg__row *row = &w->c->system->rows.items[i];
    char *f = NULL, *phi = NULL;
    ha_expr value = is_combined(w, i) ? w->reduction.value[i] : row->value;
    ha_status status = expr_text(w, is_combined(w, i) ? value : row->shown, &f);

    if (status == HA_OK && row->when != HA_EXPR_NONE) {
        ha__strbuf_addf(&w->text, "0%s%s\n", w->notation->equals, f);
        free(f);
        return HA_OK;
    }
    if (status == HA_OK && w->reduction.form[i] != BG__STABILISED) {
        ha__strbuf_addf(&w->text, "0%s%s\n", w->notation->equals, f);
        free(f);
        return w->reduction.form[i] == BG__TWICE ? write_rate(w, value) : HA_OK;
    }

    if (status == HA_OK && row->phi != HA_EXPR_NONE) {
        status = expr_text(w, row->phi, &phi);
    }
    if (status == HA_OK) {
        ha__strbuf_addf(&w->text, "0%s", w->notation->equals);
        w->notation->stabilised(&w->text, f, phi);
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
            HA_TRY(kind == BG__ROW_STATE && !is_combined(w, (int) i)
                       ? write_state_row(w, &s->rows.items[i])
                       : write_residual(w, (int) i));
        }
    }
    return HA_OK;
}

/* The rows of the tears, loop by loop; of each loop its elements and what it is solved for. */
static ha_status write_loops(writer *w)
{
    const bg__system *s = w->c->system;
    int *next = ha__alloc(w->c->ctx, s->rows.count, sizeof *next);         /* row, -1: none */
    int *first = ha__alloc(w->c->ctx, (size_t) s->n_loops, sizeof *first); /* row + 1, 0: none */
    ha_status status = next == NULL || first == NULL ? HA_ERR_MEMORY : HA_OK;

    for (size_t i = s->rows.count; i-- > 0 && status == HA_OK;) {
        int loop = s->unknowns.items[i].loop;
        if (loop >= 0) {
            next[i] = first[loop] - 1;
            first[loop] = (int) i + 1;
        }
    }
    for (int loop = 0; loop < s->n_loops && status == HA_OK; loop++) {
        ha__strbuf_addf(&w->text, "\n# algebraic loop through %s: solved for",
                        bg_causality_loop(w->c, loop));
        for (int i = first[loop] - 1; i >= 0; i = next[i]) {
            ha__strbuf_addf(&w->text, "%s %s", i == first[loop] - 1 ? "" : ",",
                            s->unknowns.items[i].name);
        }
        ha__strbuf_add(&w->text, "\n");
        for (int i = first[loop] - 1; i >= 0 && status == HA_OK; i = next[i]) {
            status = write_residual(w, i);
        }
    }
    HA_FREE(next, first);
    return status;
}

/* The rows outside loops: those of contents that are behind one or behind another derivative, or of
   signals that are kept as unknowns. */
static ha_status write_others(writer *w, bg__unknown_kind kind, const char *title)
{
    const bg__system *s = w->c->system;
    bool has_title = false;

    for (size_t i = 0; i < s->rows.count; i++) {
        const bg__unknown *u = &s->unknowns.items[i];
        if (s->rows.items[i].kind != BG__ROW_LOOP || u->loop >= 0 || u->kind != kind) {
            continue;
        }
        if (!has_title) {
            ha__strbuf_addf(&w->text, "\n# %s\n", title);
            has_title = true;
        }
        HA_TRY(write_residual(w, (int) i));
    }
    return HA_OK;
}

/* The values that are held between events: what they are from the event on at which the condition
   changes. */
static ha_status write_holds(writer *w)
{
    const bg__system *s = w->c->system;
    bool has_title = false;

    for (size_t i = 0; i < s->unknowns.count; i++) {
        const bg__unknown *u = &s->unknowns.items[i];
        ha_expr zero = ha_constant(w->dag, 0.0), rest = u->start == HA_EXPR_NONE ? zero : u->start;
        char *text = NULL;
        if (u->hold == NULL) {
            continue;
        }
        ha_expr is_held = ha_apply(w->dag, HA_OP_GT, u->hold[0], zero, HA_EXPR_NONE);
        HA_TRY(ha_dag_status(w->dag));
        HA_TRY(expr_text(
            w, u->is_sampled ? u->hold[1] : ha_apply(w->dag, HA_OP_IF, is_held, u->hold[1], rest),
            &text));
        ha__strbuf_add(&w->text,
                       has_title ? "" : "\n# held values, set where their condition changes\n");
        w->notation->name(&w->text, u->name);
        ha__strbuf_addf(&w->text, "%s%s\n", w->notation->equals, text);
        has_title = true;
        free(text);
    }
    return HA_OK;
}

/* What the equations make of the rows. */
static ha_status find_forms(writer *w)
{
    ha_dag *solved = ha_dag_clone(w->c->system->graph->dag);
    ha_status status = solved == NULL ? HA_ERR_MEMORY : bg__system_derive(w->c->system, solved);

    HA_THEN(status, bg__system_reduce(w->c->system, solved, &w->reduction));
    if (status == HA_OK && w->reduction.value != NULL) {
        status = bg__copy_alike(w->c->system, solved, w->dag, w->reduction.value);
    }
    ha_dag_free(solved);
    return status;
}

/* The body is written first: it shows which values and outputs the head must list. */
static ha_status write_all(writer *w, ha__strbuf *head)
{
    HA_TRY(find_forms(w));
    HA_TRY(prepare(w));
    HA_TRY(write_assignments(w));
    HA_TRY(write_loops(w));
    HA_TRY(write_others(w, BG__CONTENT, "contents of dependent storages"));
    HA_TRY(write_others(w, BG__TEAR, "signals that are solved for"));
    HA_TRY(write_rows(w, BG__ROW_STATE, "differential equations"));
    HA_TRY(
        write_rows(w, BG__ROW_CONSTRAINT, "constraints of implicit residual sinks and switches"));
    HA_TRY(write_holds(w));
    ha__strbuf_add(head, "# values of parameters and elements\n");
    HA_TRY(write_meanings(w, head, true));
    ha__strbuf_add(head, "\n# assignments, in causal order\n");
    HA_TRY(write_meanings(w, head, false));
    ha__strbuf_add(head, ha__strbuf_text(&w->text));
    return w->text.status;
}

ha_status bg__equations_write(const bg_causality *causality, const bg__notation *notation,
                              char **out)
{
    HA_NEED_OF(causality, out != NULL);
    if (causality->strokes.outcome != BG_CLASS_COUNT) {
        return ha_fail(causality->ctx, HA_ERR_CAUSALITY, HA_NOWHERE,
                       "no equations follow from a graph of class %s (%s); mend what its analysis "
                       "names",
                       bg_class_name(causality->kind), bg_causality_text(causality));
    }

    writer w = { .c = causality,
                 .notation = notation,
                 .dag = ha_dag_clone(causality->system->graph->dag),
                 .meanings = ha_dag_clone(causality->system->graph->dag),
                 .text = HA_STRBUF(causality->ctx) };
    ha__strbuf head = HA_STRBUF(causality->ctx);
    bool is_ready = w.dag != NULL && w.meanings != NULL;
    ha_status status = is_ready ? write_all(&w, &head) : HA_ERR_MEMORY;

    ha__strbuf_clear(&w.text);
    ha_dag_free(w.dag);
    ha_dag_free(w.meanings);
    bg__reduction_clear(&w.reduction);
    ha__free(w.is_silent);
    HA_ARRAY_CLEAR(&w.shown);
    return ha__strbuf_finish(&head, status, out);
}

/* --- plain text ------------------------------------------------------------------------------- */

static void text_name(ha__strbuf *out, const char *name)
{
    ha__strbuf_add(out, name);
}

static void text_rate(ha__strbuf *out, const char *argument)
{
    ha__strbuf_addf(out, "der(%s)", argument);
}

static void text_stabilised(ha__strbuf *out, const char *f, const char *phi)
{
    ha__strbuf_addf(out, "der(%s) + 2*alpha*(%s)", f, f);
    if (phi != NULL) {
        ha__strbuf_addf(out, " + beta^2*(%s)", phi);
    }
}

ha_status bg_equations_text(const bg_causality *causality, char **out)
{
    static const bg__notation notation = { " = ", ha_expr_text, text_name, text_rate,
                                           text_stabilised };

    return bg__equations_write(causality, &notation, out);
}
