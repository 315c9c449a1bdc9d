/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions and names in LaTeX's mathematics. Not installed. */
#ifndef LIB_EXPR_LATEX_H
#define LIB_EXPR_LATEX_H

#include "lib/core/strbuf.h"
#include "lib/expr.h"

/* A name that begins with this byte is LaTeX already. */
#define HA__LATEX_RAW '\1'

/* An expression. Sums that are not inside of something may contain breaks `\\ &\quad` for align.
   Needs amsmath. To be freed with free(); NULL when there is no memory or the text would be longer
   than 16 MiB. */
char *ha__expr_latex(const ha_dag *dag, ha_expr e);

/* Adds the name of a symbol: `R1.f` is f with the index R1, `TF.e2` e with the index 2, TF. */
void ha__latex_name(ha__strbuf *out, const char *name);

/* Whether pdflatex has this letter: ASCII, Greek, and Latin with accents. */
bool ha__latex_has(unsigned code);

/* Adds a text for text mode: special characters are escaped, Greek letters are symbols, letters
   that pdflatex does not have are written U+XXXX. */
void ha__latex_text(ha__strbuf *out, const char *text, size_t length);

#endif
