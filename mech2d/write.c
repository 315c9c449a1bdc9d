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

#include "bondgraph/compact_priv.h"
#include "bondgraph/write_priv.h"
#include "lib/number.h"

#include <math.h>
#include <string.h>

static const bg__dialect dialect = {
    .title = "a model file",
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
    ha__strbuf_add(out, "\"");
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') {
            ha__strbuf_add(out, "\\");
        }
        if ((unsigned char) *text < 0x20) {
            ha__strbuf_addf(out, "\\x%02x", (unsigned) *text);
        } else {
            ha__strbuf_add_bytes(out, text, 1);
        }
    }
    ha__strbuf_add(out, "\"");
}

static ha_status add_value(bg__writing *w, int element, ha_expr value, ha__strbuf *out)
{
    ha__strbuf text = HA_STRBUF(w->ctx);
    ha_status status = bg__writing_add(w, element, value, &text);
    const char *written = ha__strbuf_text(&text);
    size_t length = strlen(written), sign = written[0] == '-' ? 1 : 0;

    if (status == HA_OK && sign < length && ha__number_length(written + sign) == length - sign) {
        ha__strbuf_add(out, written);
    } else if (status == HA_OK) {
        add_text(out, written);
    }
    ha__strbuf_clear(&text);
    return status == HA_OK ? out->status : status;
}

static void write_parameters(const bg__writing *w, ha__strbuf *out)
{
    const ha_dag *dag = w->source->dag;
    bool has_title = false;

    for (size_t i = 0; i < w->source->parameters.count; i++) {
        const bg__output *p = &w->source->parameters.items[i];
        double value = 0.0;
        if (w->is_kept[i] &&
            ha_expr_is_constant(dag, ha_symbol_definition(dag, p->value), &value)) {
            ha__strbuf_add(out, has_title ? "  " : "parameters:\n  ");
            add_text(out, p->name);
            ha__strbuf_add(out, ": ");
            ha__strbuf_add_short_number(out, value);
            ha__strbuf_add(out, "\n");
            has_title = true;
        }
    }
}

static ha_status write_element(bg__writing *w, int element, ha__strbuf *out)
{
    const bg__element *e = &w->graph->elements.items[element];
    char letter = bg__start_letter(e->type);

    ha__strbuf_add(out, "    ");
    add_text(out, w->names[element]);
    ha__strbuf_add(out, ": {type: ");
    add_text(out, e->type->name);
    if (e->n_values > 0 && bg__takes_value(e->type)) {
        ha__strbuf_add(out, ", value: ");
        HA_TRY(add_value(w, element, e->value[0], out));
    }
    if (letter != '\0' && bg__has_start(e)) {
        ha__strbuf_addf(out, ", %c: ", letter);
        HA_TRY(add_value(w, element, e->start[0], out));
    }
    ha__strbuf_add(out, "}\n");
    return out->status;
}

static void write_bond(const bg__writing *w, const bg__bond *bond, ha__strbuf *out)
{
    ha__strbuf text = HA_STRBUF(w->ctx);

    ha__strbuf_addf(&text, "%s > %s", w->names[bond->tail], w->names[bond->head]);
    ha__strbuf_add(out, "    - ");
    add_text(out, ha__strbuf_text(&text));
    ha__strbuf_add(out, "\n");
    ha__strbuf_clear(&text);
}

/* The options of a run, where they are not what is taken without. */
static void write_options(const bg_run_options *options, ha__strbuf *out)
{
    const bg_run_options plain = bg_run_options_default();
    const struct {
        const char *key;
        double value, instead;
    } rows[] = {
        { "t_end", options->solver.t_end, plain.solver.t_end },
        { "step", options->solver.step, plain.solver.step },
        { "rtol", options->solver.rtol, plain.solver.rtol },
        { "atol", options->solver.atol, plain.solver.atol },
        { "alpha", options->alpha, (double) NAN },
        { "beta", options->beta, (double) NAN },
        { "max_step", options->solver.max_step, plain.solver.max_step },
        { "max_steps", (double) options->solver.max_steps, (double) plain.solver.max_steps },
    };

    bool has_title = false;

    for (size_t i = 0; i < HA_COUNT(rows); i++) {
        bool is_default = rows[i].value - rows[i].instead == 0.0 || isnan(rows[i].value);
        if (!is_default) {
            ha__strbuf_addf(out, "%s  %s: ", has_title ? "" : "simulate:\n", rows[i].key);
            has_title = true;
            ha__strbuf_add_short_number(out, rows[i].value);
            ha__strbuf_add(out, "\n");
        }
    }
    if (options->solver.projection != plain.solver.projection) {
        ha__strbuf_addf(out, "%s  projection: %s\n", has_title ? "" : "simulate:\n",
                        ha_projection_name((ha_projection) options->solver.projection));
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
    write_parameters(w, out);
    ha__strbuf_add(out, "bondgraph:\n  elements:\n");
    for (size_t i = 0; i < w->graph->elements.count; i++) {
        HA_TRY(write_element(w, (int) i, out));
    }
    ha__strbuf_add(out, "  bonds:\n");
    for (size_t i = 0; i < w->graph->bonds.count; i++) {
        write_bond(w, &w->graph->bonds.items[i], out);
    }
    if (options != NULL) {
        write_options(options, out);
    }
    return out->status;
}

ha_status m2d_write_graph(bg_graph *graph, const char *name, const bg_run_options *options,
                          char **out)
{
    bg__writing w;
    ha__strbuf text = HA_STRBUF(bg_graph_ctx(graph));
    ha_status status = bg__writing_begin(graph, &dialect, &w);

    if (status == HA_OK) {
        status = write_all(&w, name, options, &text);
    }
    bg__writing_end(&w);
    if (status == HA_OK) {
        char *taken = ha__strbuf_take(&text);
        status = taken == NULL ? HA_ERR_MEMORY : HA_OK;
        *out = taken == NULL ? *out : taken;
    }
    ha__strbuf_clear(&text);
    return status;
}
