/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The places of nodes and edges, read back from Graphviz's plain format, in inches with y up:
 *
 *   node NAME x y width height ...
 *   edge TAIL HEAD n x1 y1 ... xn yn ...          n = 1 + 3 k points of Bezier curves
 *
 * Nodes are called n0, n1, ... there; edges that join the same nodes come in the order of the text.
 */
#include <config.h>

#include "bondgraph/draw/export_priv.h"
#include "bondgraph/draw/export_text.h"
#include "lib/core/number.h"
#include "lib/core/process.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- reading -------------------------------------------------------------------------------- */

/* A text being read, from left to right. */
typedef struct {
    const char *at;
    bool is_good;
} reader;

static double read_number(reader *r)
{
    double x = 0.0, sign = 1.0;

    r->at += strspn(r->at, " ");
    if (*r->at == '-') {
        sign = -1.0;
        r->at++;
    }
    size_t length = ha__number_length(r->at);
    r->is_good = r->is_good && length > 0 && ha__read_number(r->at, length, 0, &x);
    r->at += length;
    return sign * x;
}

/* The number of a node that is called n12, below `n`; else 0 and no good. */
static size_t read_node(reader *r, size_t n)
{
    r->at += strspn(r->at, " ");
    r->is_good = r->is_good && *r->at == 'n';
    r->at += *r->at == 'n';
    double x = read_number(r);
    r->is_good = r->is_good && x >= 0.0 && x < (double) n;
    return r->is_good ? (size_t) x : 0;
}

static void read_node_line(reader *r, bg__picture *p)
{
    size_t number = read_node(r, p->nodes.count);

    if (r->is_good) {
        bg__node *node = &p->nodes.items[number];
        node->x = read_number(r);
        node->y = read_number(r);
        node->width = read_number(r);
        node->height = read_number(r);
    }
}

/* Edges that are still without places, by tail. */
typedef struct {
    int *first; /* (nodes) -1: none */
    int *next;  /* (edges) */
} waiting;

/* The next edge between two nodes, taken out of the list; -1: there is none. */
static int take_edge(const bg__picture *p, waiting *w, size_t tail, size_t head)
{
    for (int *at = &w->first[tail]; *at >= 0; at = &w->next[*at]) {
        int edge = *at;
        if ((size_t) p->edges.items[edge].head == head) {
            *at = w->next[edge];
            return edge;
        }
    }
    return -1;
}

static ha_status read_edge_line(reader *r, bg__picture *p, waiting *w)
{
    size_t tail = read_node(r, p->nodes.count), head = read_node(r, p->nodes.count);
    double n = read_number(r);
    int edge = r->is_good ? take_edge(p, w, tail, head) : -1;

    r->is_good = r->is_good && edge >= 0 && n >= 4.0 && n < 1e6;
    if (!r->is_good) {
        return HA_OK;
    }
    bg__place *places = ha__arena_alloc(p->ctx, &p->arena, (size_t) n, sizeof *places);
    HA_TRY_MEMORY(places);
    for (int i = 0; i < (int) n; i++) {
        places[i].x = read_number(r);
        places[i].y = read_number(r);
    }
    p->edges.items[edge].places = places;
    p->edges.items[edge].n_places = (int) n;
    return HA_OK;
}

static ha_status read_lines(const char *text, bg__picture *p, waiting *w)
{
    reader r = { text, true };

    HA_TRY_ALLOC(p->ctx, w->first, p->nodes.count + 1, w->next, p->edges.count + 1);
    memset(w->first, -1, p->nodes.count * sizeof *w->first);
    for (size_t i = p->edges.count; i-- > 0;) {
        w->next[i] = w->first[p->edges.items[i].tail];
        w->first[p->edges.items[i].tail] = (int) i;
    }
    while (*r.at != '\0' && r.is_good) {
        if (strncmp(r.at, "node ", 5) == 0) {
            r.at += 5;
            read_node_line(&r, p);
        } else if (strncmp(r.at, "edge ", 5) == 0) {
            r.at += 5;
            HA_TRY(read_edge_line(&r, p, w));
        }
        r.at += strcspn(r.at, "\n");
        r.at += *r.at == '\n';
    }
    return r.is_good ? HA_OK
                     : ha_fail(p->ctx, HA_ERR_PROCESS, HA_NOWHERE,
                               "Graphviz's `dot` gave a layout that cannot be read (near `%.40s`); "
                               "use version 2.40 or newer of the package graphviz",
                               r.at);
}

static ha_status read_layout(const char *text, bg__picture *p)
{
    waiting w = { NULL, NULL };
    ha_status status = read_lines(text, p, &w);

    HA_FREE(w.first, w.next);
    return status;
}

/* --- running -------------------------------------------------------------------------------- */

ha_status bg__run_dot(ha_ctx *ctx, const char *const *arguments, const char *text, char **output,
                      size_t *length)
{
    ha__process process = { .arguments = arguments,
                            .input = text,
                            .input_length = strlen(text),
                            .time_limit = 600.0,
                            .title = "Graphviz's `dot`",
                            .advice = "install the package graphviz, or write a .dot file" };

    return ha__process_run(ctx, &process, output, length);
}

/* Has the graphs of a text placed, which are of the picture. */
static ha_status place(bg__picture *picture, const ha__strbuf *text)
{
    static const char *const arguments[] = { "dot", "-Tplain", NULL };
    char *plain = NULL;
    size_t length = 0;

    HA_TRY(text->status);
    HA_TRY(bg__run_dot(picture->ctx, arguments, ha__strbuf_text(text), &plain, &length));
    return ha__then_free(read_layout(plain, picture), plain);
}

ha_status bg__picture_layout(bg__picture *picture)
{
    ha__strbuf text = HA_STRBUF(picture->ctx);

    if (picture->is_placed) {
        return HA_OK;
    }
    bg__dot_write(picture, BG__DOT_PLACE, &text);
    return ha__strbuf_drop(&text, place(picture, &text));
}

static bool has_groups(const bg__picture *picture, int group)
{
    for (size_t i = 0; i < picture->groups.count; i++) {
        if (picture->groups.items[i].parent == group) {
            return true;
        }
    }
    return false;
}

/* Places a block whose groups have groups. */
static ha_status place_nested(bg__picture *picture, int block)
{
    ha__strbuf text = HA_STRBUF(picture->ctx);

    bg__dot_write_block(picture, block, &text);
    return ha__strbuf_drop(&text, place(picture, &text));
}

/* A run of `dot` may place many graphs. One that has clusters in a cluster must come first: else
   its order follows from what the graphs before it left in memory, and so does the picture, which
   then is another one each time (Graphviz 2.43). */
ha_status bg__picture_place_blocks(bg__picture *picture)
{
    ha__strbuf text = HA_STRBUF(picture->ctx);
    ha_status status = HA_OK;

    for (int block = -1; block < (int) picture->groups.count && status == HA_OK; block++) {
        if (block >= 0 && picture->groups.items[block].parent >= 0) {
            continue;
        }
        if (block >= 0 && has_groups(picture, block)) {
            status = place_nested(picture, block);
        } else {
            bg__dot_write_block(picture, block, &text);
        }
    }
    HA_THEN(status, place(picture, &text));
    return ha__strbuf_drop(&text, status);
}
