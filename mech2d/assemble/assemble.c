/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Assembly: the object, its room, evaluation of the constraints and their rank, and what is asked.
 *
 * A coordinate q_j moves against the weight w_j: the mass, and of angles the inertia, both at least
 * 1e-6 of the largest (compared as masses, an inertia being divided by the square of the model
 * length). Steps are sought as x_j = z_j / sqrt(w_j) with least |z|.
 *
 * Elastic rows, of compliant joints, are closed like constraints, so that a mechanism starts alike
 * whatever its joints are. Where fixed values or the lengths of the bodies keep them from closing,
 * one after the other is opened, the one violated most first: that joint starts deformed. They
 * count neither in the mobility nor among the redundant constraints.
 *
 * Start values of joints and points are rows, too: of positions while these are sought, of rates
 * while velocities are. Guesses open as elastic rows do, and before these; fixed ones stay closed.
 */
#include <config.h>

#include "mech2d/assemble.h"

#include "lib/core/need.h"
#include "lib/core/number.h"
#include "mech2d/assemble/assemble_priv.h"

#include <math.h>
#include <string.h>

static const double lightest = 1e-6; /* smallest weight as a share of the largest */

/* --- evaluation ----------------------------------------------------------------------------- */

double m2d__residual(m2d_assembly *a, const double *q)
{
    const m2d_system *system = a->system;
    double largest = 0.0;

    memcpy(a->position_work, q, (size_t) a->n * sizeof *q);
    a->position_work[a->n] = a->t;
    ha__tape_run(system->position, a->position_work, a->position_out);
    for (int i = 0; i < a->n_rows; i++) {
        const m2d__constraint *row = &system->rows.items[i];
        double phi = a->position_out[i];
        if (row->period > 0.0) {
            phi -= row->period * round(phi / row->period);
        }
        phi = a->is_open[i] ? 0.0 : phi;
        a->residual[i] = phi;
        double size = fabs(phi) / (row->is_angle ? 1.0 : system->length);
        largest = isfinite(size) ? fmax(largest, size) : (double) INFINITY;
    }
    return largest;
}

void m2d__jacobian(m2d_assembly *a, const double *q)
{
    memcpy(a->velocity_work, q, (size_t) a->n * sizeof *q);
    a->velocity_work[a->n] = a->t;
    ha__tape_run(a->system->velocity, a->velocity_work, a->velocity_out);
    for (size_t k = 0; k < a->system->n_entries; k++) {
        a->velocity_out[k] = a->is_open[a->system->entry_row[k]] ? 0.0 : a->velocity_out[k];
    }
    for (int i = 0; i < a->n_rows; i++) {
        double *of_time = a->velocity_out + a->system->n_entries + i;
        *of_time = a->is_open[i] ? 0.0 : *of_time;
    }
}

void m2d__open_rows(m2d_assembly *a, bool all)
{
    for (int i = 0; i < a->n_rows; i++) {
        const m2d__constraint *row = &a->system->rows.items[i];
        bool is_asleep = row->is_start ? row->is_rate != a->seeks_rates || a->released == a->n + i
                                       : row->is_flow && !a->seeks_rates;
        a->is_open[i] = is_asleep || (all && (row->is_elastic || row->is_start));
    }
}

void m2d__open_guesses(m2d_assembly *a)
{
    for (int i = 0; i < a->n_rows; i++) {
        const m2d__constraint *row = &a->system->rows.items[i];
        bool is_asleep = row->is_rate != a->seeks_rates || a->released == a->n + i;
        a->is_open[i] = row->is_start ? is_asleep || !row->is_fixed : a->is_open[i];
    }
}

/* The closed row of start values that are guesses, or of elastic ones, that is violated most by
   more than `least`, -1: none. */
static int find_worst(const m2d_assembly *a, const double *residual, bool of_starts, double least)
{
    double largest = least;
    int worst = -1;

    for (int i = 0; i < a->n_rows; i++) {
        const m2d__constraint *row = &a->system->rows.items[i];
        double size = fabs(residual[i]) / (row->is_angle ? 1.0 : a->system->length);
        bool may_open = of_starts ? row->is_start && !row->is_fixed : row->is_elastic;
        if (may_open && !a->is_open[i] && size > largest) {
            largest = size;
            worst = i;
        }
    }
    return worst;
}

int m2d__worst_guess(const m2d_assembly *a, const double *residual)
{
    return find_worst(a, residual, true, m2d__accepted_residual);
}

bool m2d__open_worst(m2d_assembly *a, const double *residual)
{
    int worst = m2d__worst_guess(a, residual);

    worst = worst >= 0 ? worst : find_worst(a, residual, false, 0.0);
    if (worst >= 0) {
        a->is_open[worst] = true;
    }
    return worst >= 0;
}

ha__matrix m2d__matrix_of(const m2d_assembly *a)
{
    return (ha__matrix){ a->n_rows, a->n, a->system->column_start, a->system->entry_row,
                         a->velocity_out };
}

/* A constraint that has no value or no slope at the positions of its points. */
static ha_status fail_not_finite(const m2d_assembly *a, int row, bool is_value)
{
    const m2d__constraint *c = &a->system->rows.items[row];
    const bool is_start = a->n_steps == 0;

    return ha_fail(
        a->system->ctx, is_start ? HA_ERR_VALUE : HA_ERR_ASSEMBLY, c->where,
        "%s `%s` cannot be assembled: the %s of its constraint `%s` %s not finite at the "
        "positions that %s; give its bodies other start values, or change the constraint",
        c->kind, c->joint, is_value ? "value" : "derivatives", c->name, is_value ? "is" : "are",
        is_start ? "assembly starts from" : "assembly came to");
}

/* HA_OK when all rows and their derivatives, evaluated before, are finite. */
ha_status m2d__check_finite(const m2d_assembly *a)
{
    const ha__matrix matrix = m2d__matrix_of(a);

    for (int i = 0; i < a->n_rows; i++) {
        if (!isfinite(a->residual[i])) {
            return fail_not_finite(a, i, true);
        }
    }
    for (int j = 0; j < a->n; j++) {
        for (int64_t k = matrix.column_start[j]; k < matrix.column_start[j + 1]; k++) {
            if (!isfinite(matrix.value[k])) {
                return fail_not_finite(a, (int) matrix.row[k], false);
            }
        }
    }
    return HA_OK;
}

ha_status m2d__least_norm(m2d_assembly *a, const double *right, double *x)
{
    const ha__matrix matrix = m2d__matrix_of(a);
    const ha__rank_options options = { .column_scale = a->free_scale, .room = &a->rank_room };

    HA_TRY(m2d__check_finite(a));
    return ha__least_norm(a->system->ctx, &matrix, &options, right, x, NULL, NULL);
}

/* --- freedom -------------------------------------------------------------------------------- */

int m2d__set_free(m2d_assembly *a, m2d__freedom freedom, bool is_rate)
{
    int n_free = 0;

    for (int j = 0; j < a->n; j++) {
        const m2d__mass *mass = &a->system->masses.items[j / 3];
        int coordinate = j % 3 + (is_rate ? M2D_VX : M2D_X);
        bool is_free = freedom == M2D__FREE_ALL || !mass->is_fixed[coordinate] || a->released == j;
        if (freedom == M2D__FREE_POSITIONS || freedom == M2D__FREE_UNGIVEN) {
            is_free = is_free && !mass->is_given[coordinate];
        }
        if (freedom == M2D__FREE_POSITIONS) {
            is_free = is_free && j % 3 != 2;
        }
        a->free_scale[j] = is_free ? a->scale[j] : 0.0;
        n_free += is_free ? 1 : 0;
    }
    return n_free;
}

static void set_scales(m2d_assembly *a)
{
    const m2d_system *system = a->system;
    double square = system->length * system->length, largest = 0.0;

    for (size_t i = 0; i < system->masses.count; i++) {
        const m2d__mass *mass = &system->masses.items[i];
        largest = fmax(largest, fmax(mass->mass, mass->inertia / square));
    }
    largest = largest > 0.0 ? largest : 1.0;
    for (int j = 0; j < a->n; j++) {
        const m2d__mass *mass = &system->masses.items[j / 3];
        double weight = j % 3 == 2 ? mass->inertia / square : mass->mass;
        weight = fmax(weight, lightest * largest) / largest;
        a->scale[j] = 1.0 / sqrt(j % 3 == 2 ? weight * square : weight);
    }
}

/* --- the object ----------------------------------------------------------------------------- */

/* What is only known once the positions are. */
static void set_unknown_rates(m2d_assembly *a)
{
    for (int j = 0; j < a->n; j++) {
        a->v[j] = (double) NAN;
    }
    for (int i = 0; i < a->n_rows; i++) {
        a->rate[i] = (double) NAN;
    }
}

static ha_status allocate(m2d_assembly *a)
{
    ha_ctx *ctx = a->system->ctx;
    size_t n = (size_t) a->n, m = (size_t) a->n_rows;

    HA_TRY_ALLOC(ctx, a->position_work, ha__tape_work_size(a->system->position));
    HA_TRY_ALLOC(ctx, a->velocity_work, ha__tape_work_size(a->system->velocity));
    HA_TRY_ALLOC(ctx, a->position_out, m + a->system->lines.count);
    HA_TRY_ALLOC(ctx, a->velocity_out, a->system->n_entries + m);
    HA_TRY_ALLOC_EACH(ctx, n, a->q, a->v, a->scale, a->free_scale, a->step, a->trial);
    HA_TRY_ALLOC_EACH(ctx, m, a->residual, a->rate, a->is_open, a->redundant, a->is_shared,
                      a->right, a->whole);
    return HA_OK;
}

/* As if nothing was assembled yet, with the values of the system. */
static void reset(m2d_assembly *a)
{
    const m2d_system *system = a->system;
    const size_t n = (size_t) a->n;

    set_unknown_rates(a);
    ha__tape_prepare(system->position, a->position_work);
    ha__tape_prepare(system->velocity, a->velocity_work);
    for (size_t i = 0; i < system->variables.count; i++) {
        a->position_work[n + 1 + i] = a->velocity_work[n + 1 + i] = system->values[i];
    }
    set_scales(a);
    a->released = -1;
    a->seeks_rates = a->is_ranked = false;
    a->n_redundant = a->rank = a->position_rank = a->n_steps = a->n_attempts = 0;
    memset(a->q, 0, n * sizeof *a->q);
    for (int i = 0; i < a->n_rows; i++) {
        a->is_open[i] = system->rows.items[i].is_start;
        a->is_shared[i] = false;
        a->redundant[i] = 0;
        a->residual[i] = 0.0;
    }
}

ha_status m2d__check_apart(m2d_assembly *a)
{
    const double shortest = 1e-12; /* of the model length: below is the round-off of assembly */

    m2d__residual(a, a->q);
    for (size_t i = 0; i < a->system->lines.count; i++) {
        const m2d__line *line = &a->system->lines.items[i];
        if (line->fit_name == NULL &&
            !(a->position_out[a->n_rows + (int) i] > shortest * a->system->length)) {
            return ha_fail(a->system->ctx, HA_ERR_SINGULAR, line->where,
                           "`%s` starts with both ends at one point, where the direction from one "
                           "to the other does not exist; move one end or change the start",
                           line->name);
        }
    }
    return HA_OK;
}

/* Wheels mesh at their pitch circles only where the other joints put them so; elsewhere the ratio
   is that of the radii still. The lengths at the start are evaluated. */
static void check_fits(m2d_assembly *a)
{
    const double loosest = 1e-3; /* of what is asked: positions may be written with few digits */

    for (size_t i = 0; i < a->system->lines.count; i++) {
        const m2d__line *line = &a->system->lines.items[i];
        double length = a->position_out[a->n_rows + (int) i];
        if (line->fit_name != NULL && !(fabs(length - line->asked) <= loosest * line->asked)) {
            char found[HA__NUMBER_SIZE], asked[HA__NUMBER_SIZE];
            ha__print_rounded_number(found, length, 4);
            ha__print_rounded_number(asked, line->asked, 4);
            ha_warn(a->system->ctx, line->where,
                    "joint `%s`: %s is %s m at the start, but the joint's radii ask for %s m; the "
                    "wheels turn by the radii and their force has another arm; correct the radii, "
                    "the points, the axis or the start",
                    line->name, line->fit_name, found, asked);
        }
    }
}

static ha_status assemble(m2d_assembly *a)
{
    HA_TRY(m2d__assemble_positions(a));
    HA_TRY(m2d__note_ties(a));
    HA_TRY(m2d__check_apart(a));
    check_fits(a);
    HA_TRY(m2d__find_rank(a));
    HA_TRY(m2d__find_shared(a));
    return m2d__assemble_velocities(a);
}

/* What all rows are at, open ones too. The Jacobian is left as the fixed starts of positions and
   the other rows make it. */
static void measure(m2d_assembly *a)
{
    if (a->is_ranked) {
        a->seeks_rates = true;
        m2d__open_rows(a, false);
        m2d__jacobian(a, a->q);
        m2d__rates(a, a->v);
    }
    a->seeks_rates = false;
    m2d__open_rows(a, false);
    m2d__residual(a, a->q);
    m2d__open_guesses(a);
    m2d__jacobian(a, a->q);
}

ha_status m2d__assembly_new(const m2d_system *system, m2d_assembly **out)
{
    m2d_assembly *a = ha__alloc(system->ctx, 1, sizeof *a);

    HA_TRY_MEMORY(a);
    a->system = system;
    a->n = 3 * (int) system->masses.count;
    a->n_rows = (int) system->rows.count;
    ha_status status = allocate(a);
    if (status != HA_OK) {
        m2d_assembly_free(a);
        return status;
    }
    reset(a);
    *out = a;
    return HA_OK;
}

ha_status m2d__assemble_again(m2d_assembly *a)
{
    const size_t n_said = ha_ctx_n_diags(a->system->ctx);

    if (a->is_known && a->n_changes == a->system->n_changes) {
        return HA_OK;
    }
    reset(a);
    ha_status status = assemble(a);
    if (status != HA_ERR_MEMORY && m2d_system_n_elastic(a->system) + a->system->n_starts > 0) {
        measure(a);
    }
    /* what was said is to be said again; of a warning that stands already none is added */
    a->is_known = status == HA_OK && n_said == 0 && ha_ctx_n_diags(a->system->ctx) == 0;
    a->n_changes = a->system->n_changes;
    return status;
}

ha_status m2d_try_assemble(const m2d_system *system, m2d_assembly **out)
{
    HA_NEED_OF(system, out != NULL);
    m2d_assembly *a = NULL;

    HA_TRY(m2d__assembly_new(system, &a));
    ha_status status = m2d__assemble_again(a);
    if (status == HA_ERR_MEMORY) {
        m2d_assembly_free(a);
        return status;
    }
    *out = a;
    return status;
}

ha_status m2d_assemble(const m2d_system *system, m2d_assembly **out)
{
    HA_NEED_OF(system, out != NULL);
    m2d_assembly *a = NULL;
    ha_status status = m2d_try_assemble(system, &a);

    return HA_GIVE(status, a, m2d_assembly_free, out);
}

void m2d_assembly_free(m2d_assembly *a)
{
    if (a == NULL) {
        return;
    }
    HA_FREE(a->q, a->v, a->residual, a->rate, a->scale, a->is_open, a->redundant, a->is_shared,
            a->position_work, a->velocity_work, a->position_out, a->velocity_out, a->free_scale,
            a->step, a->trial, a->right, a->whole);
    ha__rank_room_free(a->rank_room);
    ha__free(a);
}

/* --- what is asked -------------------------------------------------------------------------- */

double m2d_assembly_value(const m2d_assembly *assembly, int body, m2d_coordinate coordinate)
{
    HA_NEED_ELSE(assembly != NULL && HA_IS_INDEX(body, assembly->n / 3) &&
                     HA_IS_INDEX((int) coordinate, (int) M2D_N_COORDINATES),
                 (double) NAN);
    return coordinate >= M2D_VX ? assembly->v[3 * body + (int) coordinate - M2D_VX]
                                : assembly->q[3 * body + (int) coordinate];
}

double m2d_assembly_guess(const m2d_assembly *assembly, int body, m2d_coordinate coordinate)
{
    HA_NEED_ELSE(assembly != NULL && HA_IS_INDEX(body, assembly->n / 3) &&
                     HA_IS_INDEX((int) coordinate, (int) M2D_N_COORDINATES),
                 (double) NAN);
    const m2d__mass *mass = &assembly->system->masses.items[body];

    return mass->is_given[coordinate] || mass->is_sought[coordinate] ? mass->start[coordinate]
                                                                     : 0.0;
}

bool m2d_assembly_is_given(const m2d_assembly *assembly, int body, m2d_coordinate coordinate)
{
    HA_NEED_ELSE(assembly != NULL && HA_IS_INDEX(body, assembly->n / 3) &&
                     HA_IS_INDEX((int) coordinate, (int) M2D_N_COORDINATES),
                 false);
    return assembly->system->masses.items[body].is_given[coordinate];
}

bool m2d_assembly_is_fixed(const m2d_assembly *assembly, int body, m2d_coordinate coordinate)
{
    HA_NEED_ELSE(assembly != NULL && HA_IS_INDEX(body, assembly->n / 3) &&
                     HA_IS_INDEX((int) coordinate, (int) M2D_N_COORDINATES),
                 false);
    return assembly->system->masses.items[body].is_fixed[coordinate];
}

double m2d_assembly_residual(const m2d_assembly *assembly, int row)
{
    HA_NEED_ELSE(assembly != NULL && HA_IS_INDEX(row, assembly->n_rows), (double) NAN);
    return assembly->residual[row];
}

double m2d_assembly_rate(const m2d_assembly *assembly, int row)
{
    HA_NEED_ELSE(assembly != NULL && HA_IS_INDEX(row, assembly->n_rows), (double) NAN);
    return assembly->rate[row];
}

int m2d_assembly_n_starts(const m2d_assembly *assembly)
{
    HA_NEED_ELSE(assembly != NULL, 0);
    return assembly->system->n_starts;
}

m2d_start_value m2d_assembly_start(const m2d_assembly *assembly, int i)
{
    static const m2d_start_value none = { 0 };
    HA_NEED_ELSE(HA_IS_INDEX(i, m2d_assembly_n_starts(assembly)), none);
    int at = m2d_system_n_rows(assembly->system) + i;
    const m2d__constraint *row = &assembly->system->rows.items[at];

    return (m2d_start_value){
        .name = row->name,
        .unit = row->is_rate ? (row->is_angle ? "rad/s" : "m/s") : (row->is_angle ? "rad" : "m"),
        .given = row->given,
        .value = row->given + (row->is_rate ? assembly->rate[at] : assembly->residual[at]),
        .is_fixed = row->is_fixed,
    };
}

int m2d_assembly_n_steps(const m2d_assembly *assembly)
{
    HA_NEED_ELSE(assembly != NULL, 0);
    return assembly->n_steps;
}

int m2d_assembly_n_attempts(const m2d_assembly *assembly)
{
    HA_NEED_ELSE(assembly != NULL, 0);
    return assembly->n_attempts;
}

int m2d_assembly_mobility_count(const m2d_assembly *assembly)
{
    HA_NEED_ELSE(assembly != NULL, 0);
    return m2d_assembly_speed_count(assembly) + m2d_system_n_rates(assembly->system);
}

int m2d_assembly_speed_count(const m2d_assembly *assembly)
{
    HA_NEED_ELSE(assembly != NULL, 0);
    return assembly->n - m2d_system_n_rows(assembly->system) +
           m2d_system_n_elastic(assembly->system);
}

int m2d_assembly_mobility(const m2d_assembly *assembly)
{
    HA_NEED_ELSE(assembly != NULL, -1);
    return assembly->is_ranked ? assembly->n - assembly->position_rank : -1;
}

int m2d_assembly_speed_mobility(const m2d_assembly *assembly)
{
    HA_NEED_ELSE(assembly != NULL, -1);
    return assembly->is_ranked ? assembly->n - assembly->rank : -1;
}

int m2d_assembly_n_redundant(const m2d_assembly *assembly)
{
    HA_NEED_ELSE(assembly != NULL, 0);
    return assembly->n_redundant;
}

int m2d_assembly_n_redundant_rates(const m2d_assembly *assembly)
{
    HA_NEED_ELSE(assembly != NULL, 0);
    int n = 0;

    for (int i = 0; i < assembly->n_redundant; i++) {
        n += assembly->system->rows.items[assembly->redundant[i]].is_flow ? 1 : 0;
    }
    return n;
}

const char *m2d_assembly_redundant(const m2d_assembly *assembly, int i)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, m2d_assembly_n_redundant(assembly)), "");
    return m2d_system_row_name(assembly->system, assembly->redundant[i]);
}
