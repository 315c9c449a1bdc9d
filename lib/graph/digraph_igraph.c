/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Graph algorithms through igraph. The only file that includes it.
 *
 * igraph keeps its handlers and its stack of clean-ups in the process, and the stack is not safe
 * with threads: one mutex is held around all its calls, during which handlers that only release
 * what igraph has allocated replace the host's, which would print or abort.
 */
#include <config.h>

#include "lib/graph/digraph_ways.h"

#include "lib/core/context_priv.h"
#include "lib/core/mem.h"
#include "lib/core/versions.h"

#include <igraph/igraph.h>

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* The host's handlers while ours are in place. */
typedef struct guard {
    igraph_error_handler_t *on_error;
    igraph_warning_handler_t *on_warning;
} guard;

static guard enter(void)
{
    pthread_mutex_lock(&mutex);
    return (guard){ igraph_set_error_handler(igraph_error_handler_ignore),
                    igraph_set_warning_handler(igraph_warning_handler_ignore) };
}

static void leave(guard host)
{
    igraph_set_error_handler(host.on_error);
    igraph_set_warning_handler(host.on_warning);
    pthread_mutex_unlock(&mutex);
}

static ha_status from_igraph(ha_ctx *ctx, igraph_error_t error)
{
    if (error == IGRAPH_SUCCESS) {
        return HA_OK;
    }
    if (error == IGRAPH_ENOMEM) {
        ha__ctx_out_of_memory(ctx);
        return HA_ERR_MEMORY;
    }
    return ha_fail(ctx, HA_ERR_INTERNAL, HA_NOWHERE, "igraph failed: %s", igraph_strerror(error));
}

/* An igraph graph with edges from[k] -> to[k] + shift; to be called between enter() and leave(). */
static ha_status make_graph(ha_ctx *ctx, igraph_integer_t n, int m, const int *from, const int *to,
                            int shift, bool directed, igraph_t *graph)
{
    igraph_integer_t *ends = NULL;
    igraph_vector_int_t list;

    HA_TRY_ALLOC(ctx, ends, 2 * (size_t) m);
    for (int k = 0; k < m; k++) {
        ends[2 * (size_t) k] = from[k];
        ends[2 * (size_t) k + 1] = (igraph_integer_t) to[k] + shift;
    }
    igraph_vector_int_view(&list, ends, 2 * (igraph_integer_t) m);
    return ha__then_free(from_igraph(ctx, igraph_create(graph, &list, n, directed)), ends);
}

static ha_status weak_components(ha_ctx *ctx, int n, int m, const int *from, const int *to,
                                 int *component)
{
    igraph_t graph;
    igraph_vector_int_t member;
    guard host = enter();

    ha_status status = make_graph(ctx, n, m, from, to, 0, true, &graph);
    if (status == HA_OK) {
        status = from_igraph(ctx, igraph_vector_int_init(&member, 0));
        if (status == HA_OK) {
            status = from_igraph(
                ctx, igraph_connected_components(&graph, &member, NULL, NULL, IGRAPH_WEAK));
            for (int i = 0; status == HA_OK && i < n; i++) {
                component[i] = (int) VECTOR(member)[i];
            }
            igraph_vector_int_destroy(&member);
        }
        igraph_destroy(&graph);
    }
    leave(host);
    return status;
}

/* Between enter() and leave(). */
static ha_status match_inside(ha_ctx *ctx, int n_left, int n_right, int m, const int *left,
                              const int *right, int *partner, int *size)
{
    igraph_integer_t n = (igraph_integer_t) n_left + n_right;
    igraph_integer_t pairs = 0;
    igraph_t graph;
    igraph_vector_bool_t is_right;
    igraph_vector_int_t partners;

    HA_TRY(make_graph(ctx, n, m, left, right, n_left, false, &graph));
    ha_status status = from_igraph(ctx, igraph_vector_bool_init(&is_right, n));
    if (status != HA_OK) {
        igraph_destroy(&graph);
        return status;
    }
    status = from_igraph(ctx, igraph_vector_int_init(&partners, 0));
    if (status == HA_OK) {
        for (igraph_integer_t i = n_left; i < n; i++) {
            VECTOR(is_right)[i] = true;
        }
        status = from_igraph(ctx, igraph_maximum_bipartite_matching(&graph, &is_right, &pairs, NULL,
                                                                    &partners, NULL, 0.0));
        for (igraph_integer_t i = 0; status == HA_OK && i < n; i++) {
            partner[i] = (int) VECTOR(partners)[i];
        }
        *size = (int) pairs;
        igraph_vector_int_destroy(&partners);
    }
    igraph_vector_bool_destroy(&is_right);
    igraph_destroy(&graph);
    return status;
}

static ha_status match(ha_ctx *ctx, int n_left, int n_right, int m, const int *left,
                       const int *right, int *partner, int *size)
{
    guard host = enter();
    ha_status status = match_inside(ctx, n_left, n_right, m, left, right, partner, size);

    leave(host);
    return status;
}

const ha__digraph_ways ha__digraph_igraph = { weak_components, match };

void ha__igraph_version(char *text, size_t size)
{
    const char *version = "?";

    (void) igraph_version(&version, NULL, NULL, NULL);
    snprintf(text, size, "%s", version);
}
