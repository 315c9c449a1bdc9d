/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exhaustive search for a smallest feedback vertex set of a small graph. Not installed. */
#ifndef LIB_FEEDBACK_EXACT_H
#define LIB_FEEDBACK_EXACT_H

#include <stdbool.h>
#include <stdint.h>

enum {
    HA__LARGEST_EXACT = 64 /* vertices of a component, the bits of a word */
};

/* A component as sets of vertices: bit i is vertex i. */
typedef struct ha__feedback_search {
    int n;
    uint64_t out[HA__LARGEST_EXACT]; /* successors */
    uint64_t in[HA__LARGEST_EXACT];  /* predecessors */
    long nodes;                      /* visited so far */
} ha__feedback_search;

/* The set of vertex `i` alone. */
static inline uint64_t ha__vertex(int i)
{
    return UINT64_C(1) << i;
}

/* Index of the lowest vertex of a set that is not empty. */
int ha__lowest_vertex(uint64_t set);

/* A smallest set of the component; false when the search is too long. */
bool ha__feedback_solve(ha__feedback_search *s, uint64_t *chosen);

#endif
