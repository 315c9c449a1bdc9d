/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A linear model on a page: dx/dt = A x + B u, y = C x + D u as one table, with a column for each
 * state and input, and a row for the rate of each state and each output.
 */
#include <config.h>

#include "tools/page/page_linear.h"

#include "lib/core/number.h"

enum { MOST_STATES = 16, MOST_OTHERS = 12 /* inputs, outputs: more are no table to read */ };

static void add_heads(ha__strbuf *out, char *const *names, int n)
{
    for (int i = 0; i < n; i++) {
        ha__strbuf_add(out, "<th scope=\"col\">");
        ha__strbuf_add_markup(out, names[i]);
        ha__strbuf_add(out, "</th>");
    }
}

static void add_cells(ha__strbuf *out, const double *row, int n)
{
    char number[HA__NUMBER_SIZE];

    for (int i = 0; i < n; i++) {
        ha__strbuf_addf(out, "<td class=\"number\">%s</td>",
                        ha__print_rounded_number(number, ha__plain_sign(row[i]), 6));
    }
}

/* The rows of two matrices side by side. */
static void add_rows(ha__strbuf *out, const bg_linear *l, const char *format, char *const *names,
                     int n, const double *left, const double *right)
{
    for (int i = 0; i < n; i++) {
        ha__strbuf_add(out, "<tr><th scope=\"row\">");
        ha__strbuf_add(out, format);
        ha__strbuf_add_markup(out, names[i]);
        ha__strbuf_add(out, format[0] == '\0' ? "</th>" : ")</th>");
        add_cells(out, left + (size_t) i * (size_t) l->n_states, l->n_states);
        add_cells(out, right + (size_t) i * (size_t) l->n_inputs, l->n_inputs);
        ha__strbuf_add(out, "</tr>\n");
    }
}

static void add_table(const bg_linear *l, ha__strbuf *out)
{
    ha__strbuf_add(out, "<div class=\"scroll\"><table><caption>dx/dt = A x + B u, y = C x + D u, "
                        "in SI units</caption><thead><tr><th></th>");
    add_heads(out, l->states, l->n_states);
    add_heads(out, l->inputs, l->n_inputs);
    ha__strbuf_add(out, "</tr></thead>\n");
    add_rows(out, l, "der(", l->states, l->n_states, l->a, l->b);
    add_rows(out, l, "", l->outputs, l->n_outputs, l->c, l->d);
    ha__strbuf_add(out, "</table></div>\n");
}

ha_status page_add_linear(const bg_linear *l, ha__strbuf *out)
{
    bool is_small =
        l->n_states <= MOST_STATES && l->n_inputs <= MOST_OTHERS && l->n_outputs <= MOST_OTHERS;

    ha__strbuf_add(out, "<section id=\"linear\" data-title=\"State space\">\n"
                        "<h2>State space form</h2>\n");
    if (is_small) {
        add_table(l, out);
    } else {
        ha__strbuf_addf(out,
                        "<p>%d states, %d inputs, %d outputs: too many for a table; "
                        "<code>linearise</code> writes the matrices.</p>\n",
                        l->n_states, l->n_inputs, l->n_outputs);
    }
    ha__strbuf_add(out, "</section>\n");
    return out->status;
}
