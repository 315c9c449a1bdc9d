/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How equations are written. Not installed. */
#ifndef BONDGRAPH_EQUATIONS_NOTATION_H
#define BONDGRAPH_EQUATIONS_NOTATION_H

#include "bondgraph/equations.h"
#include "lib/core/strbuf.h"

/* A notation. Texts have no line ends. */
typedef struct bg__notation {
    const char *equals; /* between the sides of an equation */
    /* The text of an expression, to be freed with free(); NULL when there is no memory. */
    char *(*expression)(const ha_dag *dag, ha_expr value);
    /* Adds the name of a symbol. */
    void (*name)(ha__strbuf *out, const char *name);
    /* Adds the name of a symbol for the total time derivative of what `argument` says. */
    void (*rate)(ha__strbuf *out, const char *argument);
    /* Adds df/dt + 2 alpha f + beta^2 phi; phi may be NULL. */
    void (*stabilised)(ha__strbuf *out, const char *f, const char *phi);
} bg__notation;

/* Writes the equations: a line for each, a line `# TITLE` before each part and an empty one before
   all parts but the first. To be freed with free(). */
HA_MUST_CHECK ha_status bg__equations_write(const bg_causality *causality,
                                            const bg__notation *notation, char **out);

#endif
