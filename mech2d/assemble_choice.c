/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the joints and the fixed start values leave open. Below the rows of the constraint Jacobian at
 * the start one unit row is put for each coordinate: first those that are fixed, then the angles that
 * were given as guesses, the other guesses, the other angles, and the rest. A row that is independent
 * of all before it is a coordinate that nothing before it decides; behind the fixed ones that is a
 * choice that the assembly made.
 */
#include <config.h>

#include "mech2d/assemble_priv.h"

#include "lib/rank.h"

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
    int *dependent;        /* (n_rows + n) */
} stack;

static void clear(stack *s)
{
    ha__free(s->column_start);
    ha__free(s->row);
    ha__free(s->value);
    ha__free(s->scale);
    ha__free(s->asked);
    ha__free(s->dependent);
}

static ha_status allocate(const m2d_assembly *a, stack *s)
{
    ha_ctx *ctx = a->system->ctx;
    size_t n = (size_t) a->n, n_entries = a->system->n_entries + n;

    HA_TRY_ALLOC(ctx, s->column_start, n + 1);
    HA_TRY_ALLOC(ctx, s->row, n_entries);
    HA_TRY_ALLOC(ctx, s->value, n_entries);
    HA_TRY_ALLOC(ctx, s->scale, n);
    HA_TRY_ALLOC(ctx, s->asked, n);
    HA_TRY_ALLOC(ctx, s->dependent, (size_t) a->n_rows + n);
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

static void fill(const m2d_assembly *a, stack *s)
{
    const m2d_system *system = a->system;

    for (int j = 0; j < a->n; j++) {
        s->column_start[j + 1] = system->column_start[j + 1] + j + 1;
        for (int64_t k = system->column_start[j]; k < system->column_start[j + 1]; k++) {
            s->row[k + j] = system->entry_row[k];
            s->value[k + j] = a->velocity_out[k];
        }
        s->scale[j] = j % 3 == M2D_ANGLE ? 1.0 / system->length : 1.0;
    }
    for (int k = 0; k < a->n; k++) {
        int64_t last = s->column_start[s->asked[k] + 1] - 1;
        s->row[last] = a->n_rows + k;
        s->value[last] = 1.0;
    }
}

/* Marks the rows that are not dependent, behind those of the constraints and `n_fixed` more. */
static ha_status find(const m2d_assembly *a, stack *s, int n_fixed, bool *is_choice)
{
    const ha__matrix matrix = { a->n_rows + a->n, a->n, s->column_start, s->row, s->value };
    const ha__rank_options options = { .column_scale = s->scale };
    int rank = 0;

    HA_TRY(ha__rank(a->system->ctx, &matrix, &options, &rank, s->dependent));
    for (int k = n_fixed; k < a->n; k++) {
        is_choice[s->asked[k]] = true;
    }
    for (int k = 0; k < a->n_rows + a->n - rank; k++) {
        if (s->dependent[k] >= a->n_rows) {
            is_choice[s->asked[s->dependent[k] - a->n_rows]] = false;
        }
    }
    return HA_OK;
}

ha_status m2d_assembly_choices(const m2d_assembly *a, int *out, int *n)
{
    stack s = { 0 };
    bool *is_choice = NULL;

    if (!a->is_ranked || a->n == 0) {
        *n = a->is_ranked ? 0 : -1;
        return HA_OK;
    }
    ha_status status = allocate(a, &s);
    is_choice = status == HA_OK ? ha__alloc(a->system->ctx, (size_t) a->n, sizeof *is_choice) : NULL;
    status = status == HA_OK && is_choice == NULL ? HA_ERR_MEMORY : status;
    if (status == HA_OK) {
        int n_fixed = sort(a, &s);
        fill(a, &s);
        status = find(a, &s, n_fixed, is_choice);
    }
    if (status == HA_OK) {
        *n = 0;
        for (int j = 0; j < a->n; j++) {
            if (is_choice[j]) {
                out[(*n)++] = j;
            }
        }
    }
    ha__free(is_choice);
    clear(&s);
    return status;
}
