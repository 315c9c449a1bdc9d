/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The legend of a picture: what the signs mean that occur in it, and no others. */
#include <config.h>

#include "bondgraph/draw/export_priv.h"

/* A sign: the sample that shows it and when it occurs. */
typedef struct {
    bg__edge edge;
    const char *words;
    bool (*occurs)(const bg__edge *edge);
} sign;

static bool is_bond(const bg__edge *e)
{
    return e->kind == BG__EDGE_BOND && e->dim == 1;
}

static bool has_stroke(const bg__edge *e)
{
    return e->has_stroke[0] || e->has_stroke[1];
}

static bool is_multibond(const bg__edge *e)
{
    return e->kind == BG__EDGE_BOND && e->dim > 1;
}

static bool is_mixed(const bg__edge *e)
{
    return e->has_stroke[0] && e->has_stroke[1];
}

static bool is_active(const bg__edge *e)
{
    return e->kind == BG__EDGE_ACTIVE;
}

static bool is_signal(const bg__edge *e)
{
    return e->kind == BG__EDGE_SIGNAL;
}

static bool is_derivative(const bg__edge *e)
{
    return (e->marks & BG__MARK_DERIVATIVE) != 0;
}

static bool is_in_conflict(const bg__edge *e)
{
    return (e->marks & BG__MARK_CONFLICT) != 0;
}

static bool is_in_loop(const bg__edge *e)
{
    return (e->marks & BG__MARK_LOOP) != 0;
}

/* An edge of a kind and a dimension; what else it has follows. */
#define EDGE(k, n, ...)                                                                            \
    {                                                                                              \
        .kind = BG__EDGE_##k, .dim = (n), .label = { "", "" }, __VA_ARGS__                         \
    }

static const sign signs[] = {
    { EDGE(BOND, 1, .number = 0), "half arrow: power counts as positive this way", is_bond },
    { EDGE(BOND, 3, .number = 0), "multibond: n bonds as one", is_multibond },
    { EDGE(BOND, 1, .has_stroke = { false, true }), "stroke: effort arrives there, flow leaves",
      has_stroke },
    { EDGE(BOND, 3, .has_stroke = { true, true }), "strokes of the components named beside them",
      is_mixed },
    { EDGE(ACTIVE, 1, .number = 0), "activated: e or f is read without power", is_active },
    { EDGE(SIGNAL, 1, .number = 0), "signal: modulates", is_signal },
    { EDGE(BOND, 1, .has_stroke = { true, false }, .marks = BG__MARK_DERIVATIVE),
      "storage in derivative causality", is_derivative },
    { EDGE(BOND, 1, .marks = BG__MARK_CONFLICT),
      "conflict (\xc3\x97): strokes contradict each other", is_in_conflict },
    { EDGE(BOND, 1, .has_stroke = { true, false }, .marks = BG__MARK_LOOP),
      "algebraic loop, by number at its elements", is_in_loop },
};

int bg__picture_legend(const bg__picture *picture, bg__sample samples[BG__MOST_SAMPLES])
{
    int n = 0;

    for (size_t i = 0; i < HA_COUNT(signs) && picture->has_legend; i++) {
        bool occurs = false;
        for (size_t k = 0; k < picture->edges.count && !occurs; k++) {
            occurs = signs[i].occurs(&picture->edges.items[k]);
        }
        if (occurs) {
            samples[n++] = (bg__sample){ &signs[i].edge, signs[i].words };
        }
    }
    return n;
}
