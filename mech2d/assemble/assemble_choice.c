/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the joints and the fixed start values leave open. Below the rows of the constraint Jacobian
 * at the start one unit row is put for each coordinate: first those that are fixed, then the angles
 * that were given as guesses, the other guesses, the other angles, and the rest. A row that is
 * independent of all before it is a coordinate that nothing before it decides; behind the fixed
 * ones that is a choice that the assembly made. Their number alone follows from the rank with the
 * fixed ones.
 *
 * The decomposition keeps the order of the rows, so that with the rows of all coordinates it fills
 * up: its time grows with the cube of their number.
 */
#include <config.h>

#include "mech2d/assemble/assemble_priv.h"

#include "lib/linalg/rank.h"

/* The order in which coordinates are asked for. */
typedef enum { FIXED, GUESSED_ANGLE, GUESSED, ANGLE, REST, N_KINDS } kind;

static kind kind_of(const m2d_assembly *a, int j)
{
    const m2d__mass *mass = &a->system->masses.items[j / 3];
    bool is_angle = j % 3 == M2D_ANGLE;

    if (mass->is_fixed[j % 3]) {
        return FIXED;
    }
    return mass->is_given[j % 3] ? (is_angle ? GUESSED_ANGLE : GUESSED) : is_angle ? ANGLE : REST;
}

/* The Jacobian with the unit rows below it. */
typedef struct {
    int64_t *column_start; /* (n + 1) */
    int64_t *row;          /* (n_entries + n) */
    double *value;         /* (n_entries + n) */
    double *scale;         /* (n) angles count as displacements at the model length */
    int *asked;            /* (n) coordinates in the order of their rows */
    int *unit;             /* (n) 1 + row of each coordinate; 0: none, or dependent */
    int *dependent;        /* (n_rows + n) */
} stack;

static void clear(stack *s)
{
    HA_FREE(s->column_start, s->row, s->value, s->scale, s->asked, s->unit, s->dependent);
}

static ha_status allocate(const m2d_assembly *a, stack *s)
{
    ha_ctx *ctx = a->system->ctx;
    size_t n = (size_t) a->n, n_entries = a->system->n_entries + n;

    HA_TRY_ALLOC(ctx, s->column_start, n + 1, s->dependent, (size_t) a->n_rows + n);
    HA_TRY_ALLOC_EACH(ctx, n_entries, s->row, s->value);
    HA_TRY_ALLOC_EACH(ctx, n, s->scale, s->asked, s->unit);
    return HA_OK;
}

/* Sorts the coordinates by kind; the number of fixed ones. */
static int sort(const m2d_assembly *a, stack *s)
{
    int n_fixed = 0, at = 0;

    for (int k = 0; k < N_KINDS; k++) {
        for (int j = 0; j < a->n; j++) {
            if ((int) kind_of(a, j) == k) {
                s->asked[at++] = j;
            }
        }
        n_fixed = k == FIXED ? at : n_fixed;
    }
    return n_fixed;
}

/* The Jacobian with the rows of the first `n_asked` coordinates below it. */
static void fill(const m2d_assembly *a, stack *s, int n_asked)
{
    const m2d_system *system = a->system;

    for (int k = 0; k < n_asked; k++) {
        s->unit[s->asked[k]] = 1 + a->n_rows + k;
    }
    for (int j = 0; j < a->n; j++) {
        int64_t at = s->column_start[j];
        for (int64_t k = system->column_start[j]; k < system->column_start[j + 1]; k++) {
            s->row[at] = system->entry_row[k];
            bool is_flow = system->rows.items[system->entry_row[k]].is_flow;
            s->value[at++] = is_flow ? 0.0 : a->velocity_out[k]; /* it decides no position */
        }
        if (s->unit[j] > 0) {
            s->row[at] = s->unit[j] - 1;
            s->value[at++] = 1.0;
        }
        s->column_start[j + 1] = at;
        s->scale[j] = j % 3 == M2D_ANGLE ? 1.0 / system->length : 1.0;
    }
}

/* The coordinates behind the fixed ones whose rows are independent, ascending in `out` unless that
   is NULL; their number. */
static ha_status find(const m2d_assembly *a, stack *s, int *out, int *n)
{
    int n_fixed = sort(a, s), n_asked = out == NULL ? n_fixed : a->n, rank = 0;
    const ha__matrix matrix = { a->n_rows + n_asked, a->n, s->column_start, s->row, s->value };
    const ha__rank_options options = { .column_scale = s->scale };

    fill(a, s, n_asked);
    if (matrix.n_rows > 0) {
        HA_TRY(ha__rank(a->system->ctx, &matrix, &options, &rank, s->dependent));
    }
    *n = a->n - rank;
    if (out == NULL) {
        return HA_OK;
    }
    for (int k = 0; k < a->n_rows + a->n - rank; k++) {
        if (s->dependent[k] >= a->n_rows) {
            s->unit[s->asked[s->dependent[k] - a->n_rows]] = 0;
        }
    }
    *n = 0;
    for (int j = 0; j < a->n; j++) {
        if (s->unit[j] > a->n_rows + n_fixed) {
            out[(*n)++] = j;
        }
    }
    return HA_OK;
}

ha_status m2d_assembly_choices(const m2d_assembly *a, int *out, int *n)
{
    stack s = { 0 };
    int found = -1;

    if (!a->is_ranked || a->n == 0) {
        *n = a->is_ranked ? 0 : -1;
        return HA_OK;
    }
    ha_status status = allocate(a, &s);
    HA_THEN(status, find(a, &s, out, &found));
    clear(&s);
    *n = status == HA_OK ? found : *n;
    return status;
}
