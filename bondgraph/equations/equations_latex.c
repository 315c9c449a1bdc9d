/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The equations as a LaTeX document: each part a heading and an align, which may break over pages.
 * A rate that stands inside of an expression is not broken: the breaks that long sums have are
 * taken out of it again. Those of a constraint stay, between parentheses that do not group.
 */
#include <config.h>

#include "bondgraph/equations/equations_notation.h"
#include "lib/core/mem.h"
#include "lib/expr/expr_latex.h"

#include <string.h>

enum { LONG = 50 }; /* bytes of a part of a constraint that gets lines of its own */

static const char line_break[] = " \\\\ &\\quad{}";

static void add_unbroken(ha__strbuf *out, const char *text)
{
    for (const char *at; (at = strstr(text, line_break)) != NULL;
         text = at + sizeof line_break - 1) {
        ha__strbuf_add_bytes(out, text, (size_t) (at - text));
    }
    ha__strbuf_add(out, text);
}

static void latex_rate(ha__strbuf *out, const char *argument)
{
    const char raw[] = { HA__LATEX_RAW, '\0' };

    ha__strbuf_addf(out, "%s\\frac{\\mathrm{d}}{\\mathrm{d}t}\\left(", raw);
    add_unbroken(out, argument);
    ha__strbuf_add(out, "\\right)");
}

static void latex_stabilised(ha__strbuf *out, const char *f, const char *phi)
{
    bool is_long = strlen(f) > LONG || (phi != NULL && strlen(phi) > LONG);

    ha__strbuf_addf(out, "\\frac{\\mathrm{d}}{\\mathrm{d}t}\\bigl(%s\\bigr)", f);
    ha__strbuf_add(out, is_long ? line_break : "");
    ha__strbuf_addf(out, " + 2 \\, \\alpha \\bigl(%s\\bigr)", f);
    if (phi != NULL) {
        ha__strbuf_add(out, is_long ? line_break : "");
        ha__strbuf_addf(out, " + \\beta^{2} \\bigl(%s\\bigr)", phi);
    }
}

/* Puts the lines of a part into an environment. */
static void add_document(ha__strbuf *out, const char *lines)
{
    bool is_open = false;

    ha__strbuf_add(out, "\\documentclass{article}\n"
                        "\\usepackage[T1]{fontenc}\n"
                        "\\usepackage[utf8]{inputenc}\n"
                        "\\usepackage{amsmath}\n"
                        "\\usepackage[a4paper,margin=2cm]{geometry}\n"
                        "\\allowdisplaybreaks\n"
                        "\\begin{document}\n");
    for (size_t n = 0; *lines != '\0'; lines += n + (lines[n] == '\n')) {
        n = strcspn(lines, "\n");
        if (n == 0 || lines[0] == '#') {
            ha__strbuf_add(out, is_open ? "\n\\end{align*}\n" : "");
            is_open = false;
        }
        if (n > 2 && lines[0] == '#') {
            ha__strbuf_addf(out, "\\section*{%c",
                            lines[2] >= 'a' && lines[2] <= 'z' ? lines[2] - 'a' + 'A' : lines[2]);
            ha__latex_text(out, lines + 3, n - 3);
            ha__strbuf_add(out, "}\n");
        } else if (n > 0) {
            ha__strbuf_add(out, is_open ? " \\\\\n" : "\\begin{align*}\n");
            ha__strbuf_add(out, "  ");
            ha__strbuf_add_bytes(out, lines, n);
            is_open = true;
        }
    }
    ha__strbuf_add(out, is_open ? "\n\\end{align*}\n\\end{document}\n" : "\\end{document}\n");
}

ha_status bg_equations_latex(const bg_causality *causality, char **out)
{
    static const bg__notation notation = { " &= ", ha__expr_latex, ha__latex_name, latex_rate,
                                           latex_stabilised };
    ha__strbuf document = HA_STRBUF(bg_graph_ctx(bg_causality_scalar_graph(causality)));
    char *lines = NULL;

    HA_TRY(bg__equations_write(causality, &notation, &lines));
    add_document(&document, lines);
    ha__free(lines);
    return ha__strbuf_finish(&document, HA_OK, out);
}
