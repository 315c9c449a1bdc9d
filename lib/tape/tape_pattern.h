/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Patterns of instructions that occur again and again in tapes. Not installed. */
#ifndef LIB_TAPE_PATTERN_H
#define LIB_TAPE_PATTERN_H

#include "lib/core/mem.h"
#include "lib/core/strbuf.h"

#include <stdbool.h>

/* An instruction of a pattern. */
typedef struct ha__line {
    int op;         /* ha_op */
    int operand[3]; /* line of the pattern; -1 - k: the k-th slot it reads; unused ones are 0 */
    int is_kept;    /* 1: its value goes to its slot */
    int is_root;    /* 1: and to a root */
} ha__line;

/*
 * A pattern. Where it occurs is a row of a table: the slot of line 0 if a line is kept, the slots
 * that it reads, the roots that it gives.
 */
typedef struct ha__pattern {
    size_t first; /* of its lines */
    int n_lines;  /* 0: the pattern that gives a root the value of a slot */
    int n_read;
    int width;       /* of a row */
    size_t n_places; /* where it occurs; the user's */
    bool is_used;    /* the user's, too */
    int next;        /* of the same hash, -1: none */
} ha__pattern;

/* Patterns, by number. Zero-initialised but for ctx is empty. */
typedef struct ha__patterns {
    ha_ctx *ctx;
    HA_ARRAY(ha__line) lines;
    HA_ARRAY(ha__pattern) items;
    HA_ARRAY(int) head; /* the first pattern of a hash, -1: none; their number is a power of two */
} ha__patterns;

/* Finds the pattern with these lines (n), or adds it. */
HA_MUST_CHECK ha_status ha__patterns_find(ha__patterns *patterns, const ha__line *lines, int n,
                                          int *out);

void ha__patterns_clear(ha__patterns *patterns);

/* Adds the C of a pattern as the function `name`, an ha__tape_code. */
void ha__pattern_c(const ha__patterns *patterns, int pattern, const char *name, ha__strbuf *out);

#endif
