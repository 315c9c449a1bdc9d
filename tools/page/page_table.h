/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tables of a page are made of. */
#ifndef TOOLS_PAGE_TABLE_H
#define TOOLS_PAGE_TABLE_H

#include "tools/page/page.h"

/* Begins a table with a column for each run, whose names are above it where there are several. */
void page_begin_table(const page *p, const char *caption, ha__strbuf *out);

/* Begins a row with its label. */
void page_begin_row(const char *label, ha__strbuf *out);

/* Begins a row about an output, which the page lights up with what belongs to it. */
void page_begin_output(const char *name, ha__strbuf *out);

/* Adds a cell with a number and its unit; a dash for NAN. */
void page_add_number(ha__strbuf *out, double x, const char *unit);

/* The same with so many significant digits. */
void page_add_rounded(ha__strbuf *out, double x, const char *unit, int digits);

/* Ends a table. */
void page_end_table(ha__strbuf *out);

#endif
