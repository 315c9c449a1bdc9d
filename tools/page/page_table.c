/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tables of a page are made of. */
#include <config.h>

#include "tools/page/page_table.h"

#include "lib/core/number.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 6 };

void page_begin_table(const page *p, const char *caption, ha__strbuf *out)
{
    ha__strbuf_addf(out, "<div class=\"scroll\"><table>\n<caption>%s</caption>\n", caption);
    if (p->runs.count < 2) {
        return;
    }
    ha__strbuf_add(out, "<thead><tr><td></td>");
    for (size_t i = 0; i < p->runs.count; i++) {
        ha__strbuf_addf(out, "<th scope=\"col\" class=\"run-%zu\">", i);
        ha__strbuf_add_markup(out, page_run_name(&p->runs.items[i]));
        ha__strbuf_add(out, "</th>");
    }
    ha__strbuf_add(out, "</tr></thead>\n");
}

void page_begin_row(const char *label, ha__strbuf *out)
{
    ha__strbuf_add(out, "<tr><th scope=\"row\">");
    ha__strbuf_add_markup(out, label);
    ha__strbuf_add(out, "</th>");
}

void page_add_number(ha__strbuf *out, double x, const char *unit)
{
    page_add_rounded(out, x, unit, DIGITS);
}

void page_begin_output(const char *name, ha__strbuf *out)
{
    ha__strbuf_add(out, "<tr data-output=\"");
    ha__strbuf_add_markup(out, name);
    ha__strbuf_add(out, "\"><th scope=\"row\">");
    ha__strbuf_add_markup(out, name);
    ha__strbuf_add(out, "</th>");
}

void page_end_table(ha__strbuf *out)
{
    ha__strbuf_add(out, "</table></div>\n");
}

/* Rounds to so many digits; 12000 rather than 1.2e+04. */
static const char *print_digits(char *text, double x, int digits)
{
    const double most = 1e6; /* zeros beyond are more to count than an exponent is to read */
    double rounded = x;

    ha__print_rounded_number(text, x, digits);
    /* the number that this is, all of whose digits are to be shown, has no exponent */
    if (fabs(x) < most && ha__read_number(text, strlen(text), 0, &rounded)) {
        ha__print_rounded_number(text, rounded, digits);
    }
    return text;
}

void page_add_rounded(ha__strbuf *out, double x, const char *unit, int digits_shown)
{
    char digits[HA__NUMBER_SIZE];

    ha__strbuf_add(out, "<td class=\"number\">");
    if (isnan(x)) {
        ha__strbuf_add(out, "\xe2\x80\x93</td>");
        return;
    }
    ha__strbuf_add(out, print_digits(digits, x, digits_shown));
    if (unit[0] != '\0') {
        ha__strbuf_add(out, " <small>");
        ha__strbuf_add_markup(out, unit);
        ha__strbuf_add(out, "</small>");
    }
    ha__strbuf_add(out, "</td>");
}
