/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scalar functions phi of the poses of two ports M and N and of the time, in the bond graph.
 *
 *   port M -> O.M (transformer, moduli d phi / d (x, y, angle) of M) -> O.0 -> whatever is on it
 *   port N -> O.N (likewise of N)                                    -> O.0
 *
 * so that the flow out of O.0 is d phi / dt (Marquis-Favre et al. 2006, part I, eqs 14-17). Where
 * phi depends on the time itself, the flow source O.time adds that part. Joints put a residual sink
 * on O.0, springs and dampers storages and resistors; this is the only file that derives moduli.
 *
 * What is bonded to the ground is left out, since it does not move. A body that gets the force F
 * and the torque T at N from rows between it and the ground gives the ground their opposites, with
 * the moment -(T + ON x F) about the origin. These are the efforts at the port of O.N, where power
 * leaves the body. Rows that the user wrote may hold two bodies against the fixed axes: what they
 * give both goes to the ground; it is 0 where the rows depend on relative poses alone.
 */
#include <config.h>

#include "mech2d/expand/expand_priv.h"

#include <stdlib.h>
#include <string.h>

m2d__frame m2d__frame_of(m2d__expander *x, const m2d__port *M, const m2d__port *N,
                         const m2d__connection *connection)
{
    m2d__frame frame = m2d__frame_between(x->dag, M->pose, N->pose);

    if (connection != NULL) {
        frame.settings = connection->settings;
        frame.own = connection->own;
    }
    return frame;
}

/* The partial derivatives of a function with respect to the symbols of two ports, and its rate by
   the time alone. */
static ha_status gradient(m2d__expander *x, ha_expr value, const m2d__port *const ends[2],
                          ha_expr partials[2][3], ha_expr *of_time)
{
    ha_expr *symbols = NULL, *found = NULL;
    ha_expr zero = ha_constant(x->dag, 0.0), passing = zero;
    size_t n = 0;

    HA_TRY(ha_dt(x->dag, bg_graph_time(x->graph), &passing));
    HA_TRY(ha_gradient(x->dag, value, &symbols, &found, &n));
    *of_time = zero;
    for (int k = 0; k < 6; k++) {
        partials[k / 3][k % 3] = zero;
    }
    for (size_t i = 0; i < n; i++) {
        if (symbols[i] == bg_graph_time(x->graph)) {
            *of_time = ha_mul(x->dag, found[i], passing);
        }
        for (int k = 0; k < 6; k++) {
            if (symbols[i] == ends[k / 3]->pose[k % 3]) {
                partials[k / 3][k % 3] = found[i];
            }
        }
    }
    free(symbols);
    free(found);
    return ha_dag_status(x->dag);
}

/* The coefficients of the velocities of two ports in a row on velocities, and what is left. */
static ha_status rate_gradient(m2d__expander *x, ha_expr value, ha_expr partials[2][3],
                               ha_expr *rest)
{
    const ha_expr *rates = x->mechanism->rates;
    ha_expr zeros[6];

    for (int k = 0; k < 6; k++) {
        partials[k / 3][k % 3] = ha_partial(x->dag, value, rates[k]);
        zeros[k] = ha_constant(x->dag, 0.0);
    }
    *rest = ha_expr_replace(x->dag, value, rates, zeros, HA_COUNT(zeros));
    return ha_dag_status(x->dag);
}

ha_status m2d__rate(m2d__expander *x, ha_expr value, const m2d__port *const ends[2], ha_expr *out)
{
    ha_expr partials[2][3], rate;

    HA_TRY(gradient(x, value, ends, partials, &rate));
    for (int k = 0; k < 6; k++) {
        rate = ha_add(x->dag, rate,
                      ha_mul(x->dag, partials[k / 3][k % 3], ends[k / 3]->velocity[k % 3]));
    }
    *out = rate;
    return ha_dag_status(x->dag);
}

ha_status m2d__set_rate(m2d__expander *x, const m2d__rowset *set, int row, ha_expr *out)
{
    ha_expr rate = set->is_turning ? set->rate : ha_constant(x->dag, 0.0);

    for (int k = 0; k < 6 && !set->is_turning; k++) {
        rate = ha_add(
            x->dag, rate,
            ha_mul(x->dag, set->moduli[k / 3][row][k % 3], set->ends[k / 3]->velocity[k % 3]));
    }
    *out = rate;
    return ha_dag_status(x->dag);
}

/* Adds what the ground gets through a transformer. */
static void add_to_ground(m2d__expander *x, const m2d__port *port, bg_element transformer)
{
    ha_dag *dag = x->dag;
    ha_expr *sum = x->system->on_ground, e[3];

    for (int i = 0; i < 3; i++) {
        e[i] = bg_graph_signal(x->graph, transformer, i, BG_SIGNAL_E);
        sum[i] = ha_add(dag, sum[i], e[i]);
    }
    sum[2] = ha_add(dag, sum[2], ha_mul(dag, port->pose[0], e[1]));
    sum[2] = ha_sub(dag, sum[2], ha_mul(dag, port->pose[1], e[0]));
}

/* A point mass has no row that turns it; what keeps its own angle is at no point of it. */
static ha_status check_turning(m2d__expander *x, const m2d__rowset *set, int end)
{
    bool is_turned = false;

    for (int k = 0; k < set->n; k++) {
        is_turned = is_turned || !ha_expr_is(x->dag, set->moduli[end][k][2], 0.0);
    }
    return is_turned && set->ends[end]->name != NULL
               ? m2d__check_turning(x, set->ends[end]->body, "the joint or force", set->name,
                                    set->where)
               : HA_OK;
}

/* The transformer of one end: port -> O.M -> O.0. */
static ha_status add_transformer(m2d__expander *x, m2d__rowset *set, int end,
                                 const char *const *labels)
{
    bg_element transformer = 0;

    HA_TRY(check_turning(x, set, end));
    const bg_element_def def = { .type = "MTF",
                                 .name = m2d__name(x, set->name, end == 0 ? "M" : "N", NULL),
                                 .dim = 3,
                                 .dim2 = set->n,
                                 .labels = labels,
                                 .value = &set->moduli[end][0][0],
                                 .n_values = 3 * set->n,
                                 .group = m2d__set_group(set),
                                 .where = set->where };
    HA_TRY(m2d__element(x, &def, &transformer));
    if (set->is_own || set->ends[1 - end]->body == M2D__GROUND) {
        add_to_ground(x, set->ends[end], transformer);
    }
    HA_TRY(m2d__bond(x, set->ends[end]->element, transformer, 3, set->where));
    return m2d__bond(x, transformer, set->junction, set->n, set->where);
}

/* The part of the flow that comes from the time in phi, if there is one. */
static ha_status add_time(m2d__expander *x, const m2d__rowset *set, const char *const *labels,
                          const ha_expr *rates)
{
    bg_element source = 0;
    bool is_zero = true;

    for (int k = 0; k < set->n; k++) {
        is_zero = is_zero && ha_expr_is(x->dag, rates[k], 0.0);
    }
    if (is_zero) {
        return HA_OK;
    }
    const bg_element_def def = { .type = "Sf",
                                 .name = m2d__name(x, set->name, "time", NULL),
                                 .dim = set->n,
                                 .labels = labels,
                                 .value = rates,
                                 .n_values = set->n,
                                 .group = m2d__set_group(set),
                                 .where = set->where };
    HA_TRY(m2d__element(x, &def, &source));
    return m2d__bond(x, source, set->junction, set->n, set->where);
}

ha_status m2d__expand_rows(m2d__expander *x, m2d__rowset *set)
{
    const char *labels[M2D__MAX_ROWS];
    ha_expr rates[M2D__MAX_ROWS];

    for (int k = 0; k < set->n; k++) {
        ha_expr partials[2][3];
        labels[k] = set->rows[k].label;
        rates[k] = ha_constant(x->dag, 0.0);
        if (set->has_moduli) {
            continue;
        }
        HA_TRY(set->rows[k].is_rate
                   ? rate_gradient(x, set->rows[k].phi, partials, &rates[k])
                   : gradient(x, set->rows[k].phi, set->ends, partials, &rates[k]));
        for (int i = 0; i < 6; i++) {
            set->moduli[i / 3][k][i % 3] = partials[i / 3][i % 3];
        }
    }
    const bg_element_def def = { .type = "0",
                                 .name = m2d__name(x, set->name, "0", NULL),
                                 .dim = set->n,
                                 .labels = labels,
                                 .group = m2d__set_group(set),
                                 .where = set->where };
    HA_TRY(m2d__element(x, &def, &set->junction));
    for (int end = 0; end < 2; end++) {
        if (set->ends[end]->body != M2D__GROUND) {
            HA_TRY(add_transformer(x, set, end, labels));
        }
    }
    return add_time(x, set, labels, rates);
}

/* Whether a row reads the origin of its set. */
static ha_status reads_origin(m2d__expander *x, const m2d__rowset *set, ha_expr e, bool *out)
{
    ha_expr *symbols = NULL;
    size_t n = 0;

    *out = false;
    if (set->origin == NULL) {
        return HA_OK;
    }
    HA_TRY(ha_expr_symbols(x->dag, e, &symbols, &n));
    for (size_t i = 0; i < n; i++) {
        *out = *out || symbols[i] == *set->origin;
    }
    free(symbols);
    return HA_OK;
}

/* The same of a row on velocities: the row over the flows of the bodies. */
static ha_status keep_rate(m2d__expander *x, const m2d__rowset *set, int row,
                           m2d__constraint constraint)
{
    ha_expr partials[2][3], rest = HA_EXPR_NONE, rate = HA_EXPR_NONE;

    HA_TRY(rate_gradient(x, set->rows[row].phi, partials, &rest));
    HA_TRY(m2d__set_rate(x, set, row, &rate));
    constraint.is_angle = set->rows[row].is_angle;
    constraint.is_flow = true;
    constraint.phi = constraint.closed = ha_add(x->dag, rate, rest);
    constraint.where = set->where;
    HA_TRY_PUSH(x->ctx, &x->system->rows, constraint);
    return ha_dag_status(x->dag);
}

/* What assembly needs to know of a row. */
static ha_status keep_row(m2d__expander *x, const m2d__rowset *set, const m2d__row *row,
                          m2d__constraint constraint)
{
    if (row->is_rate) {
        return keep_rate(x, set, (int) (row - set->rows), constraint);
    }
    constraint.is_angle = row->is_angle;
    constraint.is_motion = row->is_motion;
    constraint.phi = constraint.closed = row->phi;
    constraint.where = set->where;
    if (row->angle != HA_EXPR_NONE) {
        constraint.is_angle = true;
        constraint.closed = row->angle;
        constraint.period = row->period;
    }
    HA_TRY(reads_origin(x, set, constraint.closed, &constraint.reads_origin));
    HA_TRY_PUSH(x->ctx, &x->system->rows, constraint);
    return HA_OK;
}

ha_status m2d__keep_elastic_rows(m2d__expander *x, const m2d__rowset *set, const char *kind)
{
    ha__arena *arena = &x->system->arena;
    const char *joint = ha__arena_text(x->ctx, arena, set->name, strlen(set->name));

    for (int k = 0; k < set->n && joint != NULL; k++) {
        const char *name =
            set->n == 1 ? joint
                        : ha__arena_format(x->ctx, arena, "%s.%s", joint, set->rows[k].label);
        const m2d__constraint constraint = {
            .name = name, .kind = kind, .joint = joint, .is_elastic = true
        };
        HA_TRY_MEMORY(name);
        HA_TRY(keep_row(x, set, &set->rows[k], constraint));
    }
    return joint == NULL ? HA_ERR_MEMORY : HA_OK;
}

ha_status m2d__add_sink(m2d__expander *x, const m2d__rowset *set, const char *kind,
                        bg_element *sink)
{
    const char *labels[M2D__MAX_ROWS];
    ha_expr position[M2D__MAX_ROWS];

    for (int k = 0; k < set->n; k++) {
        labels[k] = set->rows[k].label;
        position[k] = set->rows[k].is_rate ? HA_EXPR_NONE : set->rows[k].phi;
    }
    const bg_element_def def = { .type = "Re",
                                 .name = set->name,
                                 .dim = set->n,
                                 .labels = labels,
                                 .position = position,
                                 .assembled = 1,
                                 .group = m2d__set_group(set),
                                 .where = set->where };
    HA_TRY(m2d__element(x, &def, sink));
    HA_TRY(m2d__bond(x, set->junction, *sink, set->n, set->where));
    for (int k = 0; k < set->n; k++) {
        const m2d__constraint constraint = { .name = bg_element_component(x->graph, *sink, k),
                                             .kind = kind,
                                             .joint = bg_element_name(x->graph, *sink) };
        HA_TRY(keep_row(x, set, &set->rows[k], constraint));
    }
    return HA_OK;
}

/* The axis of a joint that has one of its own: a 0-junction on it. */
static ha_status expand_axis(m2d__expander *x, const m2d__connection *joint, m2d__row *row,
                             m2d__rowset *set)
{
    const m2d__direction *direction = joint->joint->directions;
    const char *const names[2] = { m2d__name(x, joint->name, direction->name, NULL),
                                   m2d__name(x, joint->name, direction->rate, NULL) };
    const char *axis = m2d__name(x, joint->name, "axis", NULL);

    HA_TRY(axis == NULL || names[0] == NULL || names[1] == NULL ? HA_ERR_MEMORY : HA_OK);
    *row = (m2d__row){ .label = direction->name,
                       .is_angle = direction->is_angle,
                       .phi = bg_graph_lookup(x->graph, names[0]) };
    set->ends[0] = m2d__end(x, joint, 0);
    set->ends[1] = m2d__end(x, joint, 1);
    set->n = 1;
    set->rows = row;
    set->is_turning = true;
    set->rate = bg_graph_lookup(x->graph, names[1]);
    for (int i = 0; i < 6; i++) {
        set->moduli[i / 3][0][i % 3] = ha_constant(x->dag, 0.0);
    }
    const bg_element_def def = { .type = "0",
                                 .name = m2d__name(x, set->name, "0", NULL),
                                 .group = m2d__set_group(set),
                                 .where = set->where };
    HA_TRY(m2d__element(x, &def, &set->junction));
    return m2d__bond(x, bg_graph_find(x->graph, axis), set->junction, 1, set->where);
}

ha_status m2d__expand_direction(m2d__expander *x, const m2d__connection *joint, int direction,
                                m2d__row *row, m2d__rowset *set)
{
    const m2d__port *M = m2d__end(x, joint, 0), *N = m2d__end(x, joint, 1);
    m2d__frame frame = m2d__frame_of(x, M, N, joint);
    ha_expr coordinates[M2D__MAX_DIRECTIONS] = { 0 };

    HA_TRY(ha_dag_status(x->dag));
    if (joint->joint->expand != NULL) {
        set->where = m2d__keep_where(x->ctx, &x->system->arena, &x->system->file, set->where);
        return expand_axis(x, joint, row, set);
    }
    joint->joint->coordinates(&frame, coordinates);
    HA_TRY(ha_dag_status(x->dag));
    *row = (m2d__row){ .label = joint->joint->directions[direction].name,
                       .is_angle = joint->joint->directions[direction].is_angle,
                       .phi = coordinates[direction] };
    set->ends[0] = M;
    set->ends[1] = N;
    set->n = 1;
    set->is_own = joint->own != NULL;
    set->rows = row;
    set->where = m2d__keep_where(x->ctx, &x->system->arena, &x->system->file, set->where);
    return m2d__expand_rows(x, set);
}
