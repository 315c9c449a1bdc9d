/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The equations on a page: lines of `equations`, by which the script finds what they are about;
   those of the first run, and of others that have others. */
#include <config.h>

#include "tools/page/page.h"

#include "bondgraph/equations.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 1500 /* `equations` has all */ };

/* Adds lines: those that begin with # are headings. */
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

/* The text of a run's equations, NULL where it has none. */
static ha_status find_text(const page_run *run, char **out)
{
    *out = NULL;
    return run->run.model.causality == NULL || run->run.model.compiled == NULL
               ? HA_OK
               : bg_equations_text(run->run.model.causality, out);
}

static ha_status add_run(const page *p, size_t i, ha__strbuf *out)
{
    char *first = NULL, *text = NULL;
    ha_status status = find_text(&p->runs.items[i], &text);

    if (i > 0) {
        HA_THEN(status, find_text(&p->runs.items[0], &first));
    }
    if (status == HA_OK && text != NULL && (first == NULL || strcmp(first, text) != 0)) {
        ha__strbuf_addf(out, "<div class=\"of-run\" data-run=\"%zu\">\n", i);
        add_lines(text, out);
        ha__strbuf_add(out, "</div>\n");
    }
    free(first);
    free(text);
    return status != HA_OK ? status : out->status;
}

ha_status page_add_equations(const void *user, ha__strbuf *out)
{
    const page *p = user;

    for (size_t i = 0; i < p->runs.count; i++) {
        HA_TRY(add_run(p, i, out));
    }
    return out->status;
}
