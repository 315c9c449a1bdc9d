/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The equations on a page: lines of `equations`, by which the script finds what they are about. */
#include <config.h>

#include "tools/page/page.h"

#include "bondgraph/equations.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 1500 /* `equations` has all */ };

/* Adds the lines: those that begin with # are headings. */
static void add_lines(char *text, ha__strbuf *out)
{
    int n = 0;
    bool is_open = false;

    for (char *line = text, *next = NULL; line != NULL && n < MOST_LINES; line = next, n++) {
        next = strchr(line, '\n');
        if (next != NULL) {
            *next++ = '\0';
        }
        if (line[0] == '#') {
            ha__strbuf_add(out, is_open ? "</ul>\n<h3>" : "<h3>");
            ha__strbuf_add_markup(out, line + 1 + strspn(line + 1, " "));
            ha__strbuf_add(out, "</h3>\n<ul class=\"equations\">\n");
            is_open = true;
        } else if (is_open && line[0] != '\0') {
            ha__strbuf_add(out, "<li><code>");
            ha__strbuf_add_markup(out, line);
            ha__strbuf_add(out, "</code></li>\n");
        }
    }
    ha__strbuf_add(out, is_open ? "</ul>\n" : "");
    ha__strbuf_add(out, n == MOST_LINES ? "<p>The command equations has all.</p>\n" : "");
}

ha_status page_add_equations(const void *user, ha__strbuf *out)
{
    const page *p = user;
    const bg_causality *causality = p->runs.items[0].run.model.causality;
    char *text = NULL;

    if (causality == NULL || p->runs.items[0].run.model.compiled == NULL) {
        return out->status;
    }
    HA_TRY(bg_equations_text(causality, &text));
    add_lines(text, out);
    free(text);
    return out->status;
}
