/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of a tape, for the files tape*.c. Not installed. */
#ifndef LIB_TAPE_PRIV_H
#define LIB_TAPE_PRIV_H

#include "lib/core/mem.h"
#include "lib/expr/expr_priv.h"
#include "lib/tape/tape_c.h"

/* An instruction. */
typedef struct ha__instruction {
    int op;      /* ha_op */
    int a, b, c; /* slots of the operands; unused ones are 0 */
} ha__instruction;

/* Instructions of one operation, one behind the other. */
typedef struct ha__tape_part {
    int op; /* ha_op */
    int n;
} ha__tape_part;

/* A call of machine code. */
typedef struct ha__tape_call {
    ha__tape_code code;
    int n;     /* rows of the table it is called for */
    int width; /* ints of a row */
} ha__tape_call;

struct ha__tape_host {
    const ha__tables *tables;
    double (*knot)(const ha__tables *tables, double x, double operand);
    double (*piece)(const ha__tables *tables, double k, double x, double operand);
};

struct ha__tape {
    ha_ctx *ctx;
    size_t n_inputs; /* with the slots of a tape that this one goes on from */
    ha__tables tables;
    HA_ARRAY(double) constants;
    size_t n_instructions;
    HA_ARRAY(int)
    slots; /* of each instruction, in the order of interpretation, those of
              its operands and that of the result, and no more: what is
              read is what costs most */
    HA_ARRAY(ha__tape_part) runs;
    HA_ARRAY(int) roots;           /* slot of each root */
    HA_ARRAY(ha_expr) nodes;       /* of the instructions, until the tape is continued */
    HA_ARRAY(int) shared;          /* slots of instructions that another tape goes on with */
    HA_ARRAY(ha__tape_call) calls; /* machine code; none: the slots are read */
    HA_ARRAY(int) table;           /* the rows of all calls, one behind the other */
    ha__tape_host host;            /* of machine code */
};

/* tape_order.c: fills `slots` and `runs` of n instructions, of which number i writes slot
   n_inputs + n constants + i. */
HA_MUST_CHECK ha_status ha__tape_order(ha__tape *tape, const ha__instruction *code, size_t n);

/* tape_order.c: those instructions again (ha__tape_length()), operands before what is made of them;
   to be freed with ha__free(). */
HA_MUST_CHECK ha_status ha__tape_code_of(const ha__tape *tape, ha__instruction **out);

#endif
