/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random bond graphs: trees and meshes of junctions with two-ports between them and one-ports on
   them, as descriptions that can be written in any order; and what their causality comes to. */
#ifndef TESTS_UNIT_BONDGRAPH_RANDOM_GRAPH_H
#define TESTS_UNIT_BONDGRAPH_RANDOM_GRAPH_H

#include "bondgraph/causality/causality_priv.h"
#include "tests/util/random.h"
#include "tests/util/util.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ELEMENTS = 64, MAX_BONDS = 25, MAX_TEXT = 16384 };

/* --- numbers by chance ----------------------------------------------------------------------- */

static uint64_t random_state;

static int chance(int n)
{
    return random_below(&random_state, n);
}

static double uniform(double low, double high)
{
    return low + (high - low) * chance(1000003) / 1000002.0;
}

/* --- descriptions ---------------------------------------------------------------------------- */

typedef struct {
    const char *type;
    char name[16];
    char value[64]; /* in braces, or "" */
} described;

typedef struct {
    int n_elements, n_bonds;
    described e[MAX_ELEMENTS];
    struct {
        int tail, head;
    } b[MAX_BONDS];
} description;

static int add(description *d, const char *type)
{
    described *e = &d->e[d->n_elements];

    e->type = type;
    /* names in random order, so that the key of the procedure is no order of making */
    snprintf(e->name, sizeof e->name, "%s_%d%c", type, chance(90) + 10,
             (char) ('a' + d->n_elements % 26));
    for (int i = 0; i < d->n_elements; i++) {
        if (strcmp(d->e[i].name, e->name) == 0) {
            snprintf(e->name, sizeof e->name, "%s_x%d", type, d->n_elements % 1000);
        }
    }
    return d->n_elements++;
}

static void bond(description *d, int a, int b)
{
    bool is_turned = chance(4) == 0;

    d->b[d->n_bonds].tail = is_turned ? b : a;
    d->b[d->n_bonds++].head = is_turned ? a : b;
}

/* Sources start from 0 with slope 0, so that no constraint is violated at the start. */
static void give_value(described *e)
{
    double x = uniform(0.4, 2.5), w = uniform(1.0, 3.0);

    if (strcmp(e->type, "Se") == 0 || strcmp(e->type, "Sf") == 0) {
        snprintf(e->value, sizeof e->value, "{%.3f*(1-cos(%.3f*t))}", x, w);
    } else if (strcmp(e->type, "MTF") == 0) {
        snprintf(e->value, sizeof e->value, "{%.3f+0.3*sin(%.3f*t)}", x, w);
    } else if (strchr("ICRTG", e->type[0]) != NULL && e->type[1] != 'e' && e->type[1] != 'f') {
        snprintf(e->value, sizeof e->value, "{%.3f}", x);
    }
}

static const char *two_port_type(void)
{
    static const char *const types[] = { "TF", "TF", "TF", "GY", "GY", "MTF" };

    return types[chance((int) HA_COUNT(types))];
}

static const char *one_port_type(void)
{
    static const char *const types[] = { "Se", "Sf", "I", "I",  "I",  "C",  "C",  "C",
                                         "R",  "R",  "R", "Re", "Re", "Df", "De", "Rf" };

    return types[chance((int) HA_COUNT(types))];
}

/* Bonds a to b, directly or through one or two two-ports. */
static void connect(description *d, int a, int b)
{
    int n_between = chance(5) == 0 ? 2 : chance(2);

    for (int i = 0; i < n_between && d->n_bonds < MAX_BONDS - 2; i++) {
        int middle = add(d, two_port_type());
        bond(d, a, middle);
        a = middle;
    }
    bond(d, a, b);
}

static description random_graph(unsigned seed)
{
    description d = { 0 };
    random_state = seed;
    int n_bonds = 2 + chance(seed % 2 == 0 ? 9 : MAX_BONDS - 3);
    int n_junctions = 1 + chance(n_bonds / 4 + 1);
    int n_extra = n_junctions > 2 ? chance(3) : 0;

    for (int i = 0; i < n_junctions; i++) {
        add(&d, chance(2) == 0 ? "0" : "1");
        if (i > 0 && d.n_bonds < n_bonds) {
            int other = 0;
            do {
                other = chance(d.n_elements - 1);
            } while (d.e[other].type[0] != '0' && d.e[other].type[0] != '1');
            connect(&d, other, d.n_elements - 1 == other ? 0 : d.n_elements - 1);
        }
    }
    int junctions[MAX_ELEMENTS], n = 0;
    for (int i = 0; i < d.n_elements; i++) {
        if (d.e[i].type[0] == '0' || d.e[i].type[0] == '1') {
            junctions[n++] = i;
        }
    }
    for (int i = 0; i < n_extra && d.n_bonds < n_bonds; i++) {
        int a = chance(n), b = chance(n);
        if (a != b) {
            connect(&d, junctions[a], junctions[b]);
        }
    }
    for (int k = 0; k < n || d.n_bonds < n_bonds; k++) {
        if (d.n_bonds < MAX_BONDS) {
            bond(&d, junctions[k < n ? k : chance(n)], add(&d, one_port_type()));
        }
    }
    for (int i = 0; i < d.n_elements; i++) {
        give_value(&d.e[i]);
    }
    return d;
}

static bool is_two_port(const described *e)
{
    return strstr(e->type, "TF") != NULL || strstr(e->type, "GY") != NULL;
}

/* True when bond b may come next: all earlier bonds of its two-ports are placed, because their
   ports are taken in order of appearance. */
static bool is_next(const description *d, const bool *is_placed, int b)
{
    for (int end = 0; end < 2; end++) {
        int e = end == 0 ? d->b[b].tail : d->b[b].head;
        for (int i = 0; i < b && is_two_port(&d->e[e]); i++) {
            if ((d->b[i].tail == e || d->b[i].head == e) && !is_placed[i]) {
                return false;
            }
        }
    }
    return true;
}

/* The graph in compact notation; shuffled: elements and bonds in random order. */
static void write_text(const description *d, bool is_shuffled, char text[MAX_TEXT])
{
    int order[MAX_ELEMENTS], n = 0;
    bool is_placed[MAX_BONDS] = { false };

    text[0] = '\0';
    for (int i = 0; i < d->n_elements; i++) {
        order[i] = i;
    }
    for (int i = d->n_elements - 1; i > 0 && is_shuffled; i--) {
        int k = chance(i + 1), swap = order[i];
        order[i] = order[k];
        order[k] = swap;
    }
    for (int i = 0; i < d->n_elements; i++) {
        n += snprintf(text + n, MAX_TEXT - (size_t) n, "%s%s; ", d->e[order[i]].name,
                      d->e[order[i]].value);
    }
    for (int placed = 0; placed < d->n_bonds;) {
        int b = is_shuffled ? chance(d->n_bonds) : placed;
        if (!is_placed[b] && is_next(d, is_placed, b)) {
            is_placed[b] = true;
            placed++;
            n += snprintf(text + n, MAX_TEXT - (size_t) n, "%s>%s; ", d->e[d->b[b].tail].name,
                          d->e[d->b[b].head].name);
        }
    }
}

/* --- what is found -------------------------------------------------------------------------- */

/* The last error, "" when there is none. */
static inline const char *last_error(const ha_ctx *ctx)
{
    return ha_ctx_n_diags(ctx) == 0 ? "" : ha_ctx_diag(ctx, ha_ctx_n_diags(ctx) - 1)->text;
}

/* What must not depend on the order of the text, as a sorted text. */
static int compare_lines(const void *a, const void *b)
{
    return strcmp(a, b);
}

static inline void summarise(const bg_causality *c, char text[MAX_TEXT])
{
    static char lines[MAX_BONDS][64];
    const bg_graph *graph = c->system->graph;
    int n = snprintf(text, MAX_TEXT, "%s %d loops;", bg_class_name(bg_causality_class(c)),
                     bg_causality_n_loops(c));

    for (int role = 0; role < BG_OTHER; role++) {
        n += snprintf(text + n, MAX_TEXT - (size_t) n, " role %d:", role);
        for (int i = 0; i < bg_causality_count(c, (bg_role) role); i++) {
            n += snprintf(text + n, MAX_TEXT - (size_t) n, " %s",
                          bg_causality_name(c, (bg_role) role, i));
        }
    }
    for (size_t b = 0; b < graph->bonds.count; b++) {
        const bg__bond *at = &graph->bonds.items[b];
        snprintf(lines[b], sizeof lines[b], " %s>%s:%d", graph->elements.items[at->tail].name,
                 graph->elements.items[at->head].name, c->system->heads[b]);
    }
    qsort(lines, graph->bonds.count, sizeof lines[0], compare_lines);
    for (size_t b = 0; b < graph->bonds.count; b++) {
        n += snprintf(text + n, MAX_TEXT - (size_t) n, "%s", lines[b]);
    }
    for (size_t i = 0; i < ha_ctx_n_diags(c->ctx); i++) {
        n += snprintf(text + n, MAX_TEXT - (size_t) n, " %s", ha_ctx_diag(c->ctx, i)->text);
    }
    char *trace = NULL;
    if (bg_causality_trace(c, &trace) == HA_OK) {
        snprintf(text + n, MAX_TEXT - (size_t) n, "\n%s", trace);
    }
    free(trace);
}

#endif
