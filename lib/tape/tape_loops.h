/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tapes as loops over patterns. Not installed. */
#ifndef LIB_TAPE_LOOPS_H
#define LIB_TAPE_LOOPS_H

#include "lib/tape/tape_pattern.h"
#include "lib/tape/tape_priv.h"

/* Instructions in a row, an occurrence of a pattern. */
typedef struct ha__segment {
    int begin; /* instruction */
    int length;
    int pattern;
    bool is_apart; /* one instruction with a pattern for its operation */
} ha__segment;

/* A tape in segments. Zero-initialised but for `tape` is empty. */
typedef struct ha__segments {
    const ha__tape *tape;
    ha__instruction *code; /* (instructions) the tape's, once it is cut */
    HA_ARRAY(ha__segment) items;
    int *segment;             /* (instructions) */
    int *root;                /* (instructions) the first root it gives + 1, 0: none */
    bool *is_kept;            /* (instructions) its value is needed in its slot */
    int n_readings;           /* of segments, by ha__segments_read() */
    int *seen;                /* (slots) the last reading in which a slot was met */
    int *number;              /* (slots) its number among the slots that the segment reads */
    HA_ARRAY(ha__line) lines; /* of the segment read last, */
    HA_ARRAY(int) row;        /* and its row of a table */
} ha__segments;

/* Cuts a tape into segments; adds their patterns. */
HA_MUST_CHECK ha_status ha__segments_cut(ha__segments *segments, ha__patterns *patterns);

/* Cuts the segments whose pattern is not used into single instructions; adds their patterns, and
   those are used. */
HA_MUST_CHECK ha_status ha__segments_break(ha__segments *segments, ha__patterns *patterns);

/* Reads the lines and the row of segment i. */
HA_MUST_CHECK ha_status ha__segments_read(ha__segments *segments, int i);

void ha__segments_clear(ha__segments *segments);

/* A call of a pattern. */
typedef struct ha__loop {
    int pattern;
    int n; /* rows */
} ha__loop;

/* The calls that run a tape. Zero-initialised is empty. */
typedef struct ha__loops {
    HA_ARRAY(ha__loop) items;
    HA_ARRAY(int) table;
} ha__loops;

/* Puts a tape's segments in an order of few calls. */
HA_MUST_CHECK ha_status ha__loops_order(ha__segments *segments, ha__patterns *patterns,
                                        ha__loops *loops);

void ha__loops_clear(ha__loops *loops);

#endif
