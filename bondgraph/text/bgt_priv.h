/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The components of BondGraphTools that have a counterpart. Not installed. */
#ifndef BONDGRAPH_BGT_PRIV_H
#define BONDGRAPH_BGT_PRIV_H

#include <stdbool.h>
#include <stddef.h>

/* A component of its library `base`. */
typedef struct bg__bgt_kind {
    const char *name;      /* as in base/NAME, and the name of our type */
    const char *parameter; /* what its value is called; NULL: it has none */
    double instead; /* value of a component without one, as the library has it; an input: 0 */
    bool is_input;  /* without a value it is an input of the model */
    bool is_port;   /* SS: the port of a sub-model */
    int n_ports;    /* 0: any number */
} bg__bgt_kind;

/* The kind of this name, NULL when there is none. */
const bg__bgt_kind *bg__bgt_kind_find(const char *name, size_t length);

#endif
