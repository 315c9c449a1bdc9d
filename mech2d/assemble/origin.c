/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where constraints count from that compare with the start: a gear pair meshes, and a wheel stands,
 * as the other constraints place the bodies.
 *
 * The mechanism is assembled without the rows that read an origin; what an origin's function is at
 * the positions found is its value from then on. Those positions meet the rows by construction, so
 * that the assembly with all rows stays there. Where the others cannot be assembled the best
 * positions will do: the assembly with all rows will say what is wrong. Coordinates without a start
 * value start from these positions, too, so that no row is evaluated with all bodies in one place.
 */
#include <config.h>

#include "mech2d/assemble/assemble_priv.h"

/* Compiles the system with the rows that read an origin taken as met; `closed` (rows) keeps what
   assembly is to see of them. */
static ha_status compile_others(m2d_system *system, ha_expr *closed)
{
    for (size_t i = 0; i < system->rows.count; i++) {
        m2d__constraint *row = &system->rows.items[i];
        closed[i] = row->closed;
        if (row->reads_origin) {
            row->closed = ha_constant(bg_graph_dag(system->graph), 0.0);
        }
    }
    return m2d__system_compile(system);
}

double m2d__coordinate(void *user, ha_expr symbol)
{
    const m2d_assembly *a = user;

    for (int j = 0; j < a->n; j++) {
        if (a->system->masses.items[j / 3].q[j % 3] == symbol) {
            return a->q[j];
        }
    }
    return 0.0; /* t */
}

static ha_status define(m2d_assembly *a, const m2d__origin *origin)
{
    ha_dag *dag = bg_graph_dag(a->system->graph);
    ha_expr value = HA_EXPR_NONE;

    HA_TRY(ha_resolve(dag, origin->value, &value));
    double found = ha_expr_value(dag, value, m2d__coordinate, a);
    ha_symbol_define(dag, origin->symbol, ha_constant(dag, found));
    return ha_dag_status(dag);
}

/* Puts what has no start value where it was found. */
static void start_from(m2d_system *system, const double *q)
{
    for (size_t j = 0; j < 3 * system->masses.count; j++) {
        m2d__mass *mass = &system->masses.items[j / 3];
        if (!mass->is_given[j % 3]) {
            mass->start[j % 3] = q[j];
        }
    }
}

static ha_status define_all(m2d_system *system)
{
    m2d_assembly *a = NULL;
    bool is_assembled = false;

    HA_TRY(m2d__assembly_new(system, &a));
    ha_status status = m2d__seek_positions(a, &is_assembled);
    if (status == HA_OK && is_assembled) {
        status = m2d__check_apart(a); /* origins are angles of what is there */
    }
    for (size_t i = 0; i < system->origins.count && status == HA_OK; i++) {
        status = define(a, &system->origins.items[i]);
    }
    start_from(system, a->q);
    m2d_assembly_free(a);
    return status;
}

ha_status m2d__find_origins(m2d_system *system)
{
    size_t n = system->rows.count;
    ha_expr *closed = NULL;

    if (system->origins.count == 0) {
        return HA_OK;
    }
    closed = ha__alloc(system->ctx, n, sizeof *closed);
    if (closed == NULL) {
        return HA_ERR_MEMORY;
    }
    ha_status status = compile_others(system, closed);
    if (status == HA_OK) {
        status = define_all(system);
    }
    for (size_t i = 0; i < n && status == HA_OK; i++) {
        system->rows.items[i].closed = closed[i];
    }
    ha__free(closed);
    return status;
}
