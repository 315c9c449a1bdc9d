/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bond graphs to model files:
 *
 *   halfarrow: 1
 *   parameters: {k: 3}
 *   bondgraph:
 *     elements: {R1: {type: R, value: "2*k"}, 1a: {type: "1"}}
 *     bonds: [R1 > 1a]
 *
 * in block style, one element or bond in a line. Elements and bonds keep their order, so that
 * ports, strokes and equations are the same when the file is read. Numbers are plain, all other
 * values and what YAML could take for something else are quoted.
 */
#include <config.h>

#include "mech2d/write.h"

#include "bondgraph/graph/law_priv.h"
#include "bondgraph/model/run_options.h"
#include "bondgraph/text/compact_priv.h"
#include "bondgraph/text/write_names.h"
#include "lib/core/need.h"
#include "lib/core/number.h"
#include "lib/data/yaml_quote.h"

#include <math.h>
#include <string.h>

static const bg__dialect dialect = {
    .title = "a model file",
    .has_laws = true,
    .numbers_ports = true,
    .reserved = " ground energy ",
};

/* True for a word that any reader of YAML takes for a text. */
static bool is_plain(const char *word)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "_0123456789";
    enum { N_LETTERS = 52 }; /* that a word may begin with */
    static const char others[] = " y n yes no on off true false null none nan inf ";
    char lower[8] = "";
    size_t n = strlen(word);

    if (n == 0 || memchr(letters, word[0], N_LETTERS) == NULL || strspn(word, letters) != n) {
        return false;
    }
    for (size_t i = 0; n < sizeof lower && i < n; i++) {
        lower[i] = (char) (word[i] >= 'A' && word[i] <= 'Z' ? word[i] - 'A' + 'a' : word[i]);
    }
    const char *at = n < sizeof lower ? strstr(others, lower) : NULL;
    return at == NULL || at[-1] != ' ' || at[n] != ' ';
}

/* Adds a text, in double quotes where it needs them. */
static void add_text(ha__strbuf *out, const char *text)
{
    if (is_plain(text)) {
        ha__strbuf_add(out, text);
        return;
    }
    ha__yaml_add_quoted(out, text);
}

/* Adds an expression: a number as it is, all else in quotes. */
static void add_expression(ha__strbuf *out, const char *written)
{
    size_t length = strlen(written), sign = written[0] == '-' ? 1 : 0;

    if (sign < length && ha__number_length(written + sign) == length - sign) {
        ha__strbuf_add(out, written);
    } else {
        add_text(out, written);
    }
}

static ha_status take_text(ha__strbuf *text, ha_status status, ha__strbuf *out)
{
    if (status == HA_OK) {
        add_expression(out, ha__strbuf_text(text));
    }
    ha__strbuf_clear(text);
    return status == HA_OK ? out->status : status;
}

static ha_status add_law(bg__writing *w, int element, ha_expr value, ha__strbuf *out)
{
    ha__strbuf text = HA_STRBUF(w->ctx);

    return take_text(&text, bg__writing_add(w, element, value, &text), out);
}

static ha_status add_value(bg__writing *w, int element, int i, ha__strbuf *out)
{
    ha__strbuf text = HA_STRBUF(w->ctx);

    return take_text(&text, bg__writing_add_value(w, element, i, &text), out);
}

static ha_status add_start(bg__writing *w, int element, int i, ha__strbuf *out)
{
    ha__strbuf text = HA_STRBUF(w->ctx);

    return take_text(&text, bg__writing_add_start(w, element, i, &text), out);
}

static ha_status write_parameters(bg__writing *w, ha__strbuf *out)
{
    bool has_title = false;

    for (size_t i = 0; i < w->source->parameters.count; i++) {
        ha__strbuf text = HA_STRBUF(w->ctx);
        ha_status status = w->is_kept[i] ? bg__writing_add_parameter(w, i, &text) : HA_OK;
        if (w->is_kept[i] && status == HA_OK) {
            ha__strbuf_add(out, has_title ? "  " : "parameters:\n  ");
            add_text(out, w->source->parameters.items[i].name);
            ha__strbuf_add(out, ": ");
            add_expression(out, ha__strbuf_text(&text));
            ha__strbuf_add(out, "\n");
            has_title = true;
        }
        ha__strbuf_clear(&text);
        HA_TRY(status);
    }
    return out->status;
}

/* `, value: X`, of a field of several ports its matrix by rows. */
static ha_status write_value(bg__writing *w, int element, ha__strbuf *out)
{
    const bg__element *e = &w->graph->elements.items[element];
    int n = e->is_field ? e->dim : 1;

    ha__strbuf_add(out, ", value: ");
    for (int i = 0; i < n * n; i++) {
        if (e->is_field) {
            ha__strbuf_add(out, i == 0 ? "[[" : i % n == 0 ? "], [" : ", ");
        }
        HA_TRY(add_value(w, element, i, out));
    }
    ha__strbuf_add(out, e->is_field ? "]]" : "");
    return out->status;
}

static ha_status write_law(bg__writing *w, int element, ha__strbuf *out)
{
    const bg__law *law = bg__extra(&w->graph->elements.items[element])->law;

    for (int part = 0; law != NULL && part < BG__PART_COUNT; part++) {
        ha_expr value = bg__law_given(law, (bg__law_part) part);
        if (value != HA_EXPR_NONE) {
            ha__strbuf_addf(out, ", %s: ", bg__law_part_name((bg__law_part) part));
            HA_TRY(add_law(w, element, value, out));
        }
    }
    return HA_OK;
}

/* `, q: 0.1`, of a field of several ports `, q2: 0.1` for each port that has one. */
static ha_status write_starts(bg__writing *w, int element, ha__strbuf *out)
{
    const bg__element *e = &w->graph->elements.items[element];
    const bg__extras *extra = bg__extra(e);
    char letter = e->is_field ? '\0' : bg__start_letter(e->type);

    for (int k = 0; k < e->dim && bg__has_start(e); k++) {
        if (extra->start[k] == HA_EXPR_NONE) {
            continue;
        }
        ha__strbuf_addf(out, ", %c", e->is_field ? bg__field_letter(w, e, k) : letter);
        if (e->dim > 1) {
            ha__strbuf_addf(out, "%d", k + 1);
        }
        ha__strbuf_add(out, ": ");
        HA_TRY(add_start(w, element, k, out));
    }
    return HA_OK;
}

static ha_status write_element(bg__writing *w, int element, ha__strbuf *out)
{
    const bg__element *e = &w->graph->elements.items[element];

    ha__strbuf_add(out, "    ");
    add_text(out, w->names[element]);
    ha__strbuf_add(out, ": {type: ");
    add_text(out, e->type->name);
    if (e->is_field) {
        ha__strbuf_addf(out, ", ports: %d", e->dim);
    }
    if (e->n_values > 0 && bg__takes_value(e->type)) {
        HA_TRY(write_value(w, element, out));
    }
    HA_TRY(write_law(w, element, out));
    HA_TRY(write_starts(w, element, out));
    ha__strbuf_add(out, "}\n");
    return out->status;
}

/* The name of an element, and the port of a field. */
static void add_end(const bg__writing *w, int element, int port, ha__strbuf *text)
{
    const bg__element *e = &w->graph->elements.items[element];

    ha__strbuf_add(text, w->names[element]);
    if (e->is_field) {
        ha__strbuf_addf(text, ".%d", port + 1);
    }
}

static ha_status write_bond(const bg__writing *w, const bg__bond *bond, ha__strbuf *out)
{
    ha__strbuf text = HA_STRBUF(w->ctx);

    add_end(w, bond->tail, bond->tail_port, &text);
    ha__strbuf_add(&text, " > ");
    add_end(w, bond->head, bond->head_port, &text);
    ha__strbuf_add(out, "    - ");
    add_text(out, ha__strbuf_text(&text));
    ha__strbuf_add(out, "\n");
    ha_status status = text.status != HA_OK ? text.status : out->status;
    return ha__strbuf_drop(&text, status);
}

/* The options of a run, where they are not what is taken without. */
static void write_options(const bg_run_options *options, ha__strbuf *out)
{
    bool has_title = false;

    for (size_t i = 0; i < BG__RUN_COUNT; i++) {
        const ha__option *row = &bg__run_options[i];
        double value = ha__option_get(row, options);
        if (!isnan(value) && value != row->value) {
            ha__strbuf_addf(out, "%s  %s: ", has_title ? "" : "simulate:\n", row->key);
            ha__option_add_value(out, row, value);
            ha__strbuf_add(out, "\n");
            has_title = true;
        }
    }
}

static ha_status write_all(bg__writing *w, const char *name, const bg_run_options *options,
                           ha__strbuf *out)
{
    ha__strbuf_add(out, "halfarrow: 1\n");
    if (name != NULL && name[0] != '\0') {
        ha__strbuf_add(out, "name: ");
        add_text(out, name);
        ha__strbuf_add(out, "\n");
    }
    HA_TRY(write_parameters(w, out));
    ha__strbuf_add(out, "bondgraph:\n  elements:\n");
    for (size_t i = 0; i < w->graph->elements.count; i++) {
        HA_TRY(write_element(w, (int) i, out));
    }
    ha__strbuf_add(out, "  bonds:\n");
    for (size_t i = 0; i < w->graph->bonds.count; i++) {
        HA_TRY(write_bond(w, &w->graph->bonds.items[i], out));
    }
    if (options != NULL) {
        write_options(options, out);
    }
    return out->status;
}

ha_status m2d_write_graph(bg_graph *graph, const char *name, const bg_run_options *options,
                          char **out)
{
    HA_NEED(bg_graph_ctx(graph), graph != NULL && out != NULL);
    bg__writing w;
    ha__strbuf text = HA_STRBUF(bg_graph_ctx(graph));
    ha_status status = bg__writing_begin(graph, &dialect, &w);

    HA_THEN(status, write_all(&w, name, options, &text));
    bg__writing_end(&w);
    return ha__strbuf_finish(&text, status, out);
}
