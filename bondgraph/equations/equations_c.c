/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The equations as a C file that needs nothing but <math.h>: the residual r = F(t, y, y') that the
 * solver gets, with the names and the start values of the unknowns. Parameters are inserted as
 * numbers; a comment lists them. alpha and beta are the constants of the stabilisation.
 */
#include <config.h>

#include "bondgraph/equations/equations_priv.h"
#include "lib/core/need.h"
#include "lib/core/utf8.h"
#include "lib/expr/expr_c.h"

#include <stdlib.h>
#include <string.h>

/* The positions of symbols in the text. */
typedef struct {
    const bg_equations *q;
    int *rate_of; /* by node: the unknown of which it is the symbol y' + 1, 0: none */
} names;

static void name_symbol(void *user, ha_expr symbol, ha__strbuf *out)
{
    const names *n = user;
    int unknown = bg__unknown_of(n->q, symbol);

    if (unknown >= 0) {
        ha__strbuf_addf(out, "y[%d]", unknown);
    } else if (n->rate_of[symbol] > 0) {
        ha__strbuf_addf(out, "yp[%d]", n->rate_of[symbol] - 1);
    } else {
        ha__strbuf_add(out, symbol == n->q->time ? "t" : symbol == n->q->alpha ? "alpha" : "beta");
    }
}

/* A text inside a comment, which it can neither end nor begin, nor show in another order than the
   compiler reads it. */
static void add_comment(ha__strbuf *out, const char *text)
{
    for (size_t n = 0; *text != '\0'; text += n) {
        unsigned code = 0;
        bool is_mark = (text[0] == '*' && text[1] == '/') || (text[0] == '/' && text[1] == '*');
        n = ha__utf8_read(text, strlen(text), &code);
        bool is_shown = n > 0 && !ha__utf8_is_control(code);
        n = n > 0 ? n : 1;
        ha__strbuf_add_bytes(out, is_shown ? text : " ", is_shown ? n : 1);
        ha__strbuf_add(out, is_mark ? " " : "");
    }
}

/* ` *   NAME = VALUE` where the value is a constant. */
static ha_status add_constant(ha__strbuf *out, ha_dag *dag, const char *name, ha_expr value)
{
    double x = 0.0;

    HA_TRY(ha_resolve(dag, value, &value));
    if (ha_expr_is_constant(dag, value, &x)) {
        ha__strbuf_add(out, " *   ");
        add_comment(out, name);
        ha__strbuf_add(out, " = ");
        ha__strbuf_add_short_number(out, x);
        ha__strbuf_add(out, "\n");
    }
    return out->status;
}

static ha_status add_constants(const bg_graph *graph, ha__strbuf *out)
{
    ha__strbuf_add(out, " *\n * Parameters\n");
    for (size_t i = 0; i < graph->parameters.count; i++) {
        HA_TRY(add_constant(out, graph->dag, graph->parameters.items[i].name,
                            graph->parameters.items[i].value));
    }
    ha__strbuf_add(out, " * Values of elements\n");
    for (size_t i = 0; i < graph->elements.count; i++) {
        const bg__element *e = &graph->elements.items[i];
        if (e->n_values > 0) {
            HA_TRY(add_constant(out, graph->dag, e->name, e->value[0]));
        }
    }
    return HA_OK;
}

static ha_status add_head(const bg_equations *q, const bg_graph *graph, ha__strbuf *out)
{
    ha__strbuf_add(out, "/*\n * Equations written by halfarrow: r = F(t, y, y'), which is 0.\n");
    HA_TRY(add_constants(graph, out));
    ha__strbuf_addf(out, " */\n#include <math.h>\n\nenum { halfarrow_n = %zu }; /* unknowns */\n\n",
                    q->unknowns.count);
    ha__strbuf_add(out, "const char *const halfarrow_names[] = {\n");
    for (size_t i = 0; i < q->unknowns.count; i++) {
        ha__strbuf_add(out, "    ");
        ha__c_string(out, q->unknowns.items[i].name);
        ha__strbuf_addf(out, ", /* y[%zu] */\n", i);
    }
    ha__strbuf_add(out, "    0\n};\n\n");
    return out->status;
}

static void add_starts(const bg_equations *q, const double *start, ha__strbuf *out)
{
    ha__strbuf_add(out, "/* y at t = 0; of multipliers a guess */\n"
                        "const double halfarrow_start[] = {\n");
    for (size_t i = 0; i < q->unknowns.count; i++) {
        ha__strbuf_add(out, "    ");
        ha__c_number(out, start == NULL ? q->unknowns.items[i].solver.start : start[i]);
        ha__strbuf_add(out, ", /* ");
        add_comment(out, q->unknowns.items[i].name);
        ha__strbuf_add(out, " */\n");
    }
    ha__strbuf_add(out, "    0.0\n};\n\n");
}

/* Every symbol of a row must be among the arguments of the function. */
static ha_status check_symbols(const bg_equations *q, const names *n, const bg__eq_row *row)
{
    ha_expr *symbols = NULL;
    size_t n_symbols = 0;
    ha_status status = ha_expr_symbols(q->dag, row->value, &symbols, &n_symbols);

    for (size_t i = 0; i < n_symbols && status == HA_OK; i++) {
        ha_expr s = symbols[i];
        bool is_argument = s == q->time || s == q->alpha || s == q->beta;
        if (!is_argument && bg__unknown_of(q, s) < 0 && n->rate_of[s] == 0) {
            status = ha_fail(q->ctx, HA_ERR_UNSUPPORTED, HA_NOWHERE,
                             "the %s reads `%s`, which is no argument of a residual in C; write "
                             "the equations as text instead",
                             row->name, ha_symbol_name(q->dag, s));
        }
    }
    free(symbols);
    return status;
}

static ha_status add_residual(const bg_equations *q, names *n, ha__strbuf *out)
{
    ha_expr *roots = NULL;

    for (size_t i = 0; i < q->rows.count; i++) {
        HA_TRY(check_symbols(q, n, &q->rows.items[i]));
    }
    HA_TRY_ALLOC(q->ctx, roots, q->rows.count);
    ha__strbuf_add(out, "/*\n");
    for (size_t i = 0; i < q->rows.count; i++) {
        roots[i] = q->rows.items[i].value;
        ha__strbuf_addf(out, " * r[%zu]: ", i);
        add_comment(out, q->rows.items[i].name);
        ha__strbuf_add(out, "\n");
    }
    ha__strbuf_add(out,
                   " */\nvoid halfarrow_residual(double t, const double y[], const double yp[], "
                   "double alpha,\n                        double beta, double r[])\n{\n"
                   "    (void) t, (void) y, (void) yp, (void) alpha, (void) beta, (void) r;\n");
    ha_status status = ha__expr_c(q->dag, roots, q->rows.count, "r", name_symbol, n, out);
    ha__strbuf_add(out, "}\n");
    ha__free(roots);
    return status;
}

/* Tells what is not in the residual: the values that unknowns take at events. */
static ha_status add_holds(const bg_equations *q, ha__strbuf *out)
{
    for (size_t i = 0; i < q->holds.count; i++) {
        const bg__eq_hold *hold = &q->holds.items[i];
        char *when = ha_expr_text(q->dag, hold->when);
        char *sample = ha_expr_text(q->dag, hold->sample);
        if (when != NULL && sample != NULL) {
            ha__strbuf_addf(out, "\n/*\n * y[%d] is to be set to\n *   ", hold->unknown);
            add_comment(out, sample);
            ha__strbuf_add(
                out,
                hold->is_sampled
                    ? "\n * at the start and whenever this changes its sign:\n *   "
                    : "\n * when this gets above 0, and to its start when it gets below:\n *   ");
            add_comment(out, when);
            ha__strbuf_add(out, "\n */\n");
        }
        bool is_written = when != NULL && sample != NULL;
        free(when);
        free(sample);
        HA_TRY(is_written ? HA_OK : HA_ERR_MEMORY);
    }
    return HA_OK;
}

static ha_status write_all(const bg_equations *q, const bg_graph *graph, const double *start,
                           names *n, ha__strbuf *out)
{
    HA_TRY_ALLOC(q->ctx, n->rate_of, ha_dag_size(q->dag));
    for (size_t i = 0; i < q->unknowns.count; i++) {
        n->rate_of[q->unknowns.items[i].yp] = (int) i + 1;
    }
    HA_TRY(add_head(q, graph, out));
    add_starts(q, start, out);
    ha__c_tables(q->dag, out);
    HA_TRY(add_residual(q, n, out));
    return add_holds(q, out);
}

ha_status bg_equations_c(const bg_equations *q, const bg_causality *causality, const double *start,
                         char **out)
{
    HA_NEED_OF(q, causality != NULL && out != NULL);
    names n = { .q = q };
    ha__strbuf text = HA_STRBUF(q->ctx);
    ha_status status = write_all(q, bg_causality_scalar_graph(causality), start, &n, &text);

    ha__free(n.rate_of);
    return ha__strbuf_finish(&text, status, out);
}
