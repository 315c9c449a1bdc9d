/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Newton's method, whatever the equations. Not installed. */
#ifndef LIB_NEWTON_H
#define LIB_NEWTON_H

#include <stdbool.h>

/* What becomes of an iteration. */
typedef enum ha__newton_state {
    HA__NEWTON_GOES_ON,
    HA__NEWTON_DONE,
    HA__NEWTON_STUCK,  /* it gets no nearer to a solution */
    HA__NEWTON_STOPPED /* something failed; its owner knows what */
} ha__newton_state;

/* The equations and what is wanted of their solution. `user` holds the iterate x and the step. */
typedef struct ha__newton {
    int most;          /* iterations */
    int most_halvings; /* of a step that makes nothing better; 0: it is taken whole or not at all */

    /* Evaluates the equations at iterate k, their matrix where it is due, and solves for the step;
       may end the iteration. */
    ha__newton_state (*solve)(void *user, int k);

    /* x += share dx. False where that makes nothing better: x is as before. */
    bool (*move)(void *user, double share);

    /* After step k: is it enough? NULL: `solve` tells. */
    ha__newton_state (*judge)(void *user, int k);
} ha__newton;

/* Iterates; never returns HA__NEWTON_GOES_ON. */
ha__newton_state ha__newton_iterate(const ha__newton *method, void *user);

/* What the sizes of the changes tell, from one system to the next; zero-initialised knows
   nothing. */
typedef struct ha__newton_changes {
    double c;      /* |d_2| / |d_1|^2 when it was last measured */
    int believed;  /* systems for which it still is */
    double before; /* size of the last change */
} ha__newton_changes;

/* A way to judge: whether what is left after change k of this size is below the bound. Where the
   iteration does not end as HA__NEWTON_DONE, `believed` is to be set to 0. */
ha__newton_state ha__newton_judge(ha__newton_changes *changes, int k, double size, double bound);

#endif
