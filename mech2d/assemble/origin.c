/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The last part of an expansion: origins, and the tapes of all constraints.
 *
 * Some constraints compare with the start: a gear pair meshes, and a wheel stands, as the other
 * constraints hold the bodies at the start. What they count from is an origin.
 *
 * The mechanism is assembled without the rows that read an origin. The origin's function, evaluated
 * at the positions found, is the value of the origin from then on. Those positions meet the rows by
 * construction, so the assembly with all rows stays there. Where the other rows cannot be
 * assembled, the best positions found serve: the assembly with all rows says what is wrong.
 * Coordinates without a start value start from these positions, too. No row is then evaluated with
 * all bodies at one point.
 */
#include <config.h>

#include "lib/core/need.h"
#include "lib/expr/expr_priv.h"
#include "mech2d/assemble/assemble_priv.h"

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

/* Coordinates without a start value start where they were found. */
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

/* Gives the origins their values. */
static ha_status find_origins(m2d_system *system)
{
    if (system->origins.count == 0) {
        return HA_OK;
    }
    HA_TRY(m2d__system_compile(system, M2D__ROWS_WITHOUT_ORIGIN));
    return define_all(system);
}

ha_status m2d_expand(m2d_mechanism *mechanism, m2d_system **out)
{
    HA_NEED(m2d_mechanism_ctx(mechanism), mechanism != NULL && out != NULL);
    m2d_system *system = NULL;

    HA_TRY(m2d__expand(mechanism, &system));
    ha_status status = find_origins(system);
    HA_THEN(status, m2d__system_compile(system, M2D__ALL_ROWS));
    if (status != HA_OK) {
        m2d_system_free(system);
        return status;
    }
    ha__dag_rest(bg_graph_dag(system->graph));
    *out = system;
    return HA_OK;
}
