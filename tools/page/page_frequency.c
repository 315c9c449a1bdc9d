/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A frequency response on a page: the Bode plot, then poles, zeros and margins as a table. */
#include <config.h>

#include "tools/page/page_frequency.h"

#include "lib/core/number.h"
#include "tools/analysis/frequency_plot.h"
#include "tools/analysis/frequency_write.h"

#include <math.h>

enum { MOST_ROOTS = 24 }; /* in a cell */

static void add_number(ha__strbuf *out, double x, int digits)
{
    char number[HA__NUMBER_SIZE];

    ha__strbuf_add(out, ha__print_rounded_number(number, ha__plain_sign(x), digits));
}

/* Roots, of which a conjugate pair is written once. */
static void add_roots(ha__strbuf *out, const double *roots, int n)
{
    int shown = 0;

    ha__strbuf_add(out, n < 0 ? "not computed" : n == 0 ? "none" : "");
    for (int i = 0; i < n; i++) {
        const double *z = roots + 2 * (size_t) i;
        if (z[1] < 0.0) {
            continue;
        }
        if (shown == MOST_ROOTS) {
            ha__strbuf_add(out, "; ...");
            break;
        }
        ha__strbuf_add(out, shown++ > 0 ? "; " : "");
        add_number(out, z[0], 6);
        if (z[1] > 0.0) {
            ha__strbuf_add(out, " &#177; ");
            add_number(out, z[1], 6);
            ha__strbuf_add(out, "i");
        }
    }
}

static void add_margins(ha__strbuf *out, const frequency_margins *m)
{
    if (!isnan(m->gain)) {
        ha__strbuf_add(out, "gain ");
        add_number(out, 20.0 * log10(m->gain), 4);
        ha__strbuf_add(out, " dB at ");
        add_number(out, m->gain_frequency, 4);
        ha__strbuf_add(out, isnan(m->phase) ? " Hz" : " Hz; ");
    }
    if (!isnan(m->phase)) {
        ha__strbuf_add(out, "phase ");
        add_number(out, m->phase, 4);
        ha__strbuf_add(out, " deg at ");
        add_number(out, m->phase_frequency, 4);
        ha__strbuf_add(out, " Hz");
    }
    ha__strbuf_add(out, isnan(m->gain) && isnan(m->phase) ? "none" : "");
}

static void add_table(const bg_response *r, ha__strbuf *out)
{
    ha__strbuf_add(out, "<p>Poles [1/s]: ");
    add_roots(out, r->poles, r->n_poles);
    ha__strbuf_add(out, "</p>\n<div class=\"scroll\"><table><thead><tr><th scope=\"col\">response"
                        "</th><th scope=\"col\">zeros [1/s]</th><th scope=\"col\">margins</th>"
                        "</tr></thead>\n");
    for (int i = 0; i < r->n_outputs * r->n_inputs; i++) {
        const frequency_margins margins = frequency_margins_of(r, i);
        ha__strbuf_add(out, "<tr><th scope=\"row\">");
        ha__strbuf_add_markup(out, r->outputs[i / r->n_inputs]);
        ha__strbuf_add(out, "/");
        ha__strbuf_add_markup(out, r->inputs[i % r->n_inputs]);
        ha__strbuf_add(out, "</th><td class=\"number\">");
        add_roots(out, r->zeros[i], r->n_zeros[i]);
        ha__strbuf_add(out, "</td><td class=\"number\">");
        add_margins(out, &margins);
        ha__strbuf_add(out, "</td></tr>\n");
    }
    ha__strbuf_add(out, "</table></div>\n");
}

ha_status page_add_frequency(const bg_response *r, page_panels *panels, ha__strbuf *out)
{
    frequency_panels bode = { 0 };
    ha_status status = frequency_panels_new(out->ctx, r, FREQUENCY_BODE, &bode);

    ha__strbuf_add(out, "<section id=\"frequency\" data-title=\"Frequency response\">\n"
                        "<h2>Frequency response</h2>\n");
    ha__strbuf_add(out,
                   r->is_equilibrium
                       ? ""
                       : "<p>The operating point is no equilibrium: something moves there.</p>\n");
    ha__strbuf_add(out, "<div class=\"charts\">\n");
    for (size_t i = 0; i < bode.panels.count && status == HA_OK; i++) {
        status = page_add_panel(panels, &bode.panels.items[i], out);
    }
    ha__strbuf_add(out, "</div>\n");
    add_table(r, out);
    ha__strbuf_add(out, "</section>\n");
    frequency_panels_clear(&bode);
    return status == HA_OK ? out->status : status;
}
