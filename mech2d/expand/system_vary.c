/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expanded mechanisms with other values of parameters.
 *
 * The parameters chosen are inputs of the tapes of the constraints, and of one more tape, which
 * gives what assembly takes as numbers: masses, inertias and start values of the bodies, the length
 * of the model. A copy has these numbers for itself and shares all else. It counts how often
 * something that assembly reads became another.
 */
#include <config.h>

#include "lib/core/need.h"
#include "mech2d/expand/system_priv.h"
#include "mech2d/mechanism/mechanism_priv.h"

#include <math.h>
#include <string.h>

/* Lets the chosen parameters stand for nothing, or for their values again. */
static void define(m2d_system *system, bool is_back)
{
    ha_dag *dag = bg_graph_dag(system->graph);

    for (size_t i = 0; i < system->variables.count; i++) {
        ha_symbol_define(dag, system->variables.items[i],
                         is_back ? ha_constant(dag, system->values[i]) : HA_EXPR_NONE);
    }
}

static ha_status compile_numbers(m2d_system *system, const m2d_mechanism *mechanism)
{
    ha_dag *dag = bg_graph_dag(system->graph);
    size_t n = system->masses.count * M2D__N_NUMBERS;
    ha_expr *roots = ha__alloc(system->ctx, n + 1, sizeof *roots);
    ha_status status = roots == NULL ? HA_ERR_MEMORY : HA_OK;

    for (size_t i = 0; i < n && status == HA_OK; i++) {
        const m2d__body *body = &mechanism->bodies.items[i / M2D__N_NUMBERS];
        size_t k = i % M2D__N_NUMBERS;
        ha_expr e = k == 0 ? body->mass : k == 1 ? body->inertia : m2d__start_of(body, (int) k - 2);
        status = e == HA_EXPR_NONE ? HA_OK : ha_resolve(dag, e, &roots[i]);
    }
    HA_THEN(status, ha_resolve(dag, system->length_value, &roots[n]));
    HA_THEN(status, ha__tape_new(system->ctx, dag, roots, n + 1, system->variables.items,
                                 system->variables.count, &system->numbers));
    ha__free(roots);
    return status;
}

/* The symbol of a parameter, HA_EXPR_NONE: there is none of this name. */
static ha_expr find(const m2d_mechanism *mechanism, const char *name)
{
    for (int i = 0; i < m2d_mechanism_n_parameters(mechanism); i++) {
        if (strcmp(m2d_parameter_name(mechanism, i), name) == 0) {
            return mechanism->parameters.items[i];
        }
    }
    return HA_EXPR_NONE;
}

ha_status m2d_system_vary(m2d_system *system, m2d_mechanism *mechanism, const char *const *names,
                          int n)
{
    HA_NEED_OF(system, mechanism != NULL && (names != NULL || n <= 0));
    HA_NEED_OF(system, system->numbers == NULL && !system->is_copy);
    if (system->origins.count > 0) {
        return ha_fail(
            system->ctx, HA_ERR_UNSUPPORTED, HA_NOWHERE,
            "what gears and wheels count from is found anew for each set of values; read "
            "and expand the mechanism again");
    }
    HA_TRY_ALLOC(system->ctx, system->values, n);
    for (int i = 0; i < n; i++) {
        ha_expr symbol = find(mechanism, names[i]);
        if (symbol == HA_EXPR_NONE) {
            return ha_fail(system->ctx, HA_ERR_NAME, HA_NOWHERE,
                           "the mechanism has no parameter `%s`", names[i]);
        }
        system->values[i] = m2d__number(bg_graph_dag(system->graph), symbol);
        HA_TRY_PUSH(system->ctx, &system->variables, symbol);
    }
    define(system, false);
    ha_status status = m2d__system_compile(system, M2D__ALL_ROWS);
    HA_THEN(status, compile_numbers(system, mechanism));
    define(system, true);
    return status;
}

/* Marks the variables that the constraints read; in their tapes these come behind the coordinates
   and the time. */
static void mark_read(m2d_system *system)
{
    const size_t first = 3 * system->masses.count + 1, n = system->variables.count;

    ha__tape_mark_inputs(system->position, first, n, system->is_read);
    ha__tape_mark_inputs(system->velocity, first, n, system->is_read);
}

ha_status m2d_system_copy(ha_ctx *ctx, const m2d_system *system, m2d_system **out)
{
    HA_NEED(ctx, ctx != NULL && system != NULL && out != NULL);
    m2d_system *copy = ha__alloc(ctx, 1, sizeof *copy);
    m2d__mass *masses = ha__alloc(ctx, system->masses.count, sizeof *masses);
    double *values = ha__alloc(ctx, system->variables.count, sizeof *values);
    bool *is_read = ha__alloc(ctx, system->variables.count, sizeof *is_read);

    if (copy == NULL || masses == NULL || values == NULL || is_read == NULL) {
        HA_FREE(copy, masses, values, is_read);
        return HA_ERR_MEMORY;
    }
    if (system->masses.count > 0) {
        memcpy(masses, system->masses.items, system->masses.count * sizeof *masses);
    }
    if (system->variables.count > 0) {
        memcpy(values, system->values, system->variables.count * sizeof *values);
    }
    *copy = *system;
    copy->ctx = ctx;
    copy->is_copy = true;
    copy->masses.items = masses;
    copy->values = values;
    copy->is_read = is_read;
    mark_read(copy);
    *out = copy;
    return HA_OK;
}

/* HA_OK when the bodies have numbers that they may have. */
static ha_status check(const m2d_system *system)
{
    for (size_t i = 0; i < system->masses.count; i++) {
        const m2d__mass *mass = &system->masses.items[i];
        bool is_good = mass->mass >= 0.0 && mass->inertia >= 0.0 && isfinite(mass->mass) &&
                       isfinite(mass->inertia);
        for (int k = 0; k < M2D_N_COORDINATES; k++) {
            is_good = is_good && isfinite(mass->start[k]);
        }
        if (!is_good) {
            return ha_fail(system->ctx, HA_ERR_VALUE, mass->where,
                           "body `%s` has the mass %.6g kg, the inertia %.6g kg.m2 or start values "
                           "that it cannot have; change the values of the parameters",
                           mass->name, mass->mass, mass->inertia);
        }
    }
    return HA_OK;
}

/* Gives `*to` a value; true when it is another, as -0 is than 0. */
static bool put(double *to, double value)
{
    bool is_other = memcmp(to, &value, sizeof value) != 0;

    *to = value;
    return is_other;
}

/* Takes over what the tape of numbers gave; true when a number is another. */
static bool take_numbers(m2d_system *system, const double *found)
{
    bool is_other = put(&system->length, found[system->masses.count * M2D__N_NUMBERS]);

    for (size_t i = 0; i < system->masses.count; i++) {
        m2d__mass *mass = &system->masses.items[i];
        const double *of = found + i * M2D__N_NUMBERS;
        is_other = put(&mass->mass, of[0]) || is_other;
        is_other = put(&mass->inertia, of[1]) || is_other;
        for (int k = 0; k < M2D_N_COORDINATES; k++) {
            bool is_said = mass->is_given[k] || mass->is_sought[k];
            is_other = (is_said && put(&mass->start[k], of[2 + k])) || is_other;
        }
    }
    return is_other;
}

ha_status m2d_system_set(m2d_system *system, const double *values)
{
    HA_NEED_OF(system, system->is_copy && (values != NULL || system->variables.count == 0));
    size_t n = system->variables.count, n_numbers = system->masses.count * M2D__N_NUMBERS;
    double *work = NULL;
    bool is_other = false;

    if (system->numbers == NULL) {
        return HA_OK;
    }
    HA_TRY_ALLOC(system->ctx, work, ha__tape_work_size(system->numbers) + n_numbers + 1);
    double *found = work + ha__tape_work_size(system->numbers);
    ha__tape_prepare(system->numbers, work);
    for (size_t i = 0; i < n; i++) {
        work[i] = values[i];
        is_other = (put(&system->values[i], values[i]) && system->is_read[i]) || is_other;
    }
    ha__tape_run(system->numbers, work, found);
    is_other = take_numbers(system, found) || is_other;
    system->n_changes += is_other ? 1 : 0;
    ha__free(work);
    return check(system);
}
