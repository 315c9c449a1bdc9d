/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exhaustive search for a smallest feedback vertex set of a component of at most 64 vertices:
 * some vertex of a shortest cycle must be in the set; disjoint cycles give a lower bound on its
 * size.
 */
#include <config.h>

#include "lib/graph/feedback_exact.h"

static const long MAX_NODES = 100000; /* of one search */

int ha__lowest_vertex(uint64_t set)
{
    int i = 0;

    for (; (set & 0xff) == 0; set >>= 8) {
        i += 8;
    }
    for (; (set & 1) == 0; set >>= 1) {
        i++;
    }
    return i;
}

/* What of `alive` is left after all vertices without predecessor or successor have gone. */
static uint64_t peel(const ha__feedback_search *s, uint64_t alive)
{
    for (uint64_t before = 0; before != alive;) {
        before = alive;
        for (uint64_t rest = alive; rest != 0; rest &= rest - 1) {
            int v = ha__lowest_vertex(rest);
            if ((s->out[v] & alive) == 0 || (s->in[v] & alive) == 0) {
                alive &= ~ha__vertex(v);
            }
        }
    }
    return alive;
}

/* The vertices of a shortest cycle through v in `alive`, 0 when there is none below `limit`. */
static uint64_t cycle_through(const ha__feedback_search *s, uint64_t alive, int v, int limit)
{
    uint64_t level[HA__LARGEST_EXACT + 1];
    uint64_t seen = 0;
    int depth = 0;

    level[0] = ha__vertex(v);
    while ((seen & ha__vertex(v)) == 0) {
        uint64_t next = 0;
        for (uint64_t rest = level[depth]; rest != 0; rest &= rest - 1) {
            next |= s->out[ha__lowest_vertex(rest)];
        }
        next &= alive & ~seen;
        if (next == 0 || depth + 1 >= limit) {
            return 0;
        }
        seen |= next;
        level[++depth] = next;
    }
    uint64_t cycle = ha__vertex(v);
    for (int at = v; depth > 1;) {
        at = ha__lowest_vertex(level[--depth] & s->in[at]);
        cycle |= ha__vertex(at);
    }
    return cycle;
}

/* A shortest cycle in `alive`, the one through the lowest vertex; 0 when there is none. */
static uint64_t shortest_cycle(const ha__feedback_search *s, uint64_t alive)
{
    uint64_t best = 0;
    int limit = s->n + 1;

    for (uint64_t rest = alive; rest != 0 && limit > 2; rest &= rest - 1) {
        uint64_t cycle = cycle_through(s, alive, ha__lowest_vertex(rest), limit);
        if (cycle != 0) {
            best = cycle;
            limit = 0;
            for (uint64_t c = cycle; c != 0; c &= c - 1) {
                limit++;
            }
        }
    }
    return best;
}

/* Number of disjoint cycles found greedily: no set is smaller. */
static int lower_bound(const ha__feedback_search *s, uint64_t alive)
{
    int count = 0;

    for (uint64_t cycle = shortest_cycle(s, alive); cycle != 0; count++) {
        alive = peel(s, alive & ~cycle);
        cycle = shortest_cycle(s, alive);
    }
    return count;
}

/* Finds a set of at most `size` vertices; false when there is none or the search is too long. */
static bool find(ha__feedback_search *s, uint64_t alive, int size, uint64_t *chosen)
{
    alive = peel(s, alive);
    if (alive == 0) {
        return true;
    }
    if (++s->nodes > MAX_NODES || lower_bound(s, alive) > size) {
        return false;
    }
    for (uint64_t rest = shortest_cycle(s, alive); rest != 0; rest &= rest - 1) {
        int v = ha__lowest_vertex(rest);
        uint64_t kept = *chosen;
        *chosen |= ha__vertex(v);
        if (find(s, alive & ~ha__vertex(v), size - 1, chosen)) {
            return true;
        }
        *chosen = kept;
    }
    return false;
}

bool ha__feedback_solve(ha__feedback_search *s, uint64_t *chosen)
{
    uint64_t all = s->n == HA__LARGEST_EXACT ? UINT64_MAX : ha__vertex(s->n) - 1;

    for (int size = lower_bound(s, all); s->nodes <= MAX_NODES; size++) {
        *chosen = 0;
        if (find(s, all, size, chosen)) {
            return true;
        }
    }
    return false;
}
