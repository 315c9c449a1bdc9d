/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An expanded mechanism: what it is asked, and the tapes of its constraints.
 *
 * The constraints phi are resolved to functions of the coordinates and the time; their partial
 * derivatives, by one reverse sweep for each, are the entries of the constraint Jacobian.
 */
#include <config.h>

#include "lib/core/need.h"
#include "mech2d/expand/system_priv.h"

#include <stdlib.h>

static void free_tapes(m2d_system *system)
{
    ha__tape_free(system->position);
    ha__tape_free(system->velocity);
    HA_FREE(system->column_start, system->entry_row);
    system->position = system->velocity = NULL;
    system->column_start = system->entry_row = NULL;
}

void m2d_system_free(m2d_system *system)
{
    if (system == NULL) {
        return;
    }
    if (system->is_copy) {
        HA_FREE(system->masses.items, system->values, system->is_read, system);
        return;
    }
    free_tapes(system);
    ha__tape_free(system->numbers);
    ha__free(system->values);
    HA_ARRAY_CLEAR(&system->variables, &system->masses, &system->rows, &system->origins,
                   &system->lines, &system->springs);
    HA_ARRAY_CLEAR(&system->accelerations, &system->bumps, &system->poses, &system->spots,
                   &system->rollers);
    ha__symtab_clear(&system->pose_names);
    ha__symtab_clear(&system->outputs);
    bg_graph_free(system->graph);
    ha__arena_clear(&system->arena);
    ha__free(system);
}

bg_graph *m2d_system_graph(m2d_system *system)
{
    HA_NEED_ELSE(system != NULL, NULL);
    return system->graph;
}

int m2d_system_n_bodies(const m2d_system *system)
{
    HA_NEED_ELSE(system != NULL, 0);
    return (int) system->masses.count;
}

const char *m2d_system_body_name(const m2d_system *system, int i)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, m2d_system_n_bodies(system)), "");
    return system->masses.items[i].name;
}

int m2d_system_n_joints(const m2d_system *system)
{
    HA_NEED_ELSE(system != NULL, 0);
    return system->n_joints;
}

int m2d_system_n_rows(const m2d_system *system)
{
    HA_NEED_ELSE(system != NULL, 0);
    return (int) system->rows.count - system->n_starts;
}

int m2d_system_n_elastic(const m2d_system *system)
{
    HA_NEED_ELSE(system != NULL, 0);
    int n = 0;

    for (size_t i = 0; i < system->rows.count; i++) {
        n += system->rows.items[i].is_elastic ? 1 : 0;
    }
    return n;
}

bool m2d_system_row_is_elastic(const m2d_system *system, int i)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, m2d_system_n_rows(system)), false);
    return system->rows.items[i].is_elastic;
}

const char *m2d_system_row_name(const m2d_system *system, int i)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, m2d_system_n_rows(system)), "");
    return system->rows.items[i].name;
}

const char *m2d_system_row_joint(const m2d_system *system, int i)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, m2d_system_n_rows(system)), "");
    return system->rows.items[i].joint;
}

const char *m2d_system_row_unit(const m2d_system *system, int i)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, m2d_system_n_rows(system)), "");
    return system->rows.items[i].is_angle ? "rad" : "m";
}

int m2d_system_n_rates(const m2d_system *system)
{
    HA_NEED_ELSE(system != NULL, 0);
    int n = 0;

    for (size_t i = 0; i < system->rows.count; i++) {
        n += system->rows.items[i].is_flow ? 1 : 0;
    }
    return n;
}

bool m2d_system_row_is_rate(const m2d_system *system, int i)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, m2d_system_n_rows(system)), false);
    return system->rows.items[i].is_flow;
}

/* --- tapes ---------------------------------------------------------------------------------- */

/* An entry of the Jacobian. */
typedef struct {
    int row, column;
    ha_expr value;
} entry;

/* What the compilation of the tapes needs. */
typedef struct {
    m2d_system *system;
    ha_dag *dag;
    int time;                    /* its number among the inputs */
    HA_ARRAY(ha_expr) inputs;    /* coordinates, then the time, then the variables */
    HA_ARRAY(ha_expr) positions; /* roots of the position tape */
    HA_ARRAY(ha_expr) rates;     /* partial derivatives of the constraints by the time */
    HA_ARRAY(entry) entries;     /* row by row */
    HA_ARRAY(ha_expr) columns;   /* entries, column by column, then the rates */
    HA_ARRAY(ha_expr) flows;     /* rates of the coordinates, in their order */
    HA_ARRAY(int)
    column_of; /* input number of a node, of a rate that of its coordinate; -1:
                  none */
} compiler;

static ha_status add_inputs(compiler *c)
{
    ha_ctx *ctx = c->system->ctx;
    size_t n = (size_t) ha_dag_size(c->dag);

    for (size_t i = 0; i < c->system->masses.count; i++) {
        for (int k = 0; k < 3; k++) {
            HA_TRY_PUSH(ctx, &c->inputs, c->system->masses.items[i].q[k]);
            HA_TRY_PUSH(ctx, &c->flows, c->system->masses.items[i].f[k]);
        }
    }
    HA_TRY_PUSH(ctx, &c->inputs, bg_graph_time(c->system->graph));
    HA_TRY_ROOM(ctx, &c->column_of, n);
    for (size_t i = 0; i < n; i++) {
        c->column_of.items[c->column_of.count++] = -1;
    }
    for (size_t i = 0; i < c->inputs.count; i++) {
        c->column_of.items[c->inputs.items[i]] = (int) i;
    }
    for (size_t i = 0; i < c->flows.count; i++) {
        c->column_of.items[c->flows.items[i]] = (int) i;
    }
    c->time = (int) c->inputs.count - 1;
    for (size_t i = 0; i < c->system->variables.count; i++) {
        HA_TRY_PUSH(ctx, &c->inputs, c->system->variables.items[i]);
    }
    return HA_OK;
}

/* Whether a symbol counts: a rate in a row on velocities, else a coordinate or the time. */
static bool is_variable(const compiler *c, ha_expr symbol, int column, bool is_rate)
{
    bool is_flow =
        column >= 0 && (size_t) column < c->flows.count && c->flows.items[column] == symbol;

    return column >= 0 && is_flow == is_rate;
}

/* What a row on velocities is without any. */
static ha_status rest_of(compiler *c, ha_expr row, ha_expr *out)
{
    HA_ARRAY(ha_expr) zeros = { 0 };
    ha_status status = HA_OK;

    for (size_t i = 0; i < c->flows.count && status == HA_OK; i++) {
        void *room = ha__room(c->system->ctx, zeros.items, zeros.count, 1, &zeros.capacity,
                              sizeof *zeros.items);
        status = room == NULL ? HA_ERR_MEMORY : HA_OK;
        zeros.items = room != NULL ? room : zeros.items;
        if (room != NULL) {
            zeros.items[zeros.count++] = ha_constant(c->dag, 0.0);
        }
    }
    if (status == HA_OK) {
        *out = ha_expr_replace(c->dag, row, c->flows.items, zeros.items, zeros.count);
        status = ha_dag_status(c->dag);
    }
    HA_ARRAY_CLEAR(&zeros);
    return status;
}

/* The entries of one row of the Jacobian, and its rate by the time alone. */
static ha_status add_row(compiler *c, int row, ha_expr phi, bool is_rate)
{
    ha_ctx *ctx = c->system->ctx;
    ha_expr *symbols = NULL, *partials = NULL, of_time = ha_constant(c->dag, 0.0);
    ha_expr passing = of_time;
    size_t n = 0;

    HA_TRY(ha_dt(c->dag, bg_graph_time(c->system->graph), &passing));
    HA_TRY(is_rate ? rest_of(c, phi, &of_time) : HA_OK);
    HA_TRY(ha_gradient(c->dag, phi, &symbols, &partials, &n));
    void *room = ha__room(ctx, c->entries.items, c->entries.count, n, &c->entries.capacity,
                          sizeof *c->entries.items);
    c->entries.items = room != NULL ? room : c->entries.items;
    for (size_t i = 0; i < n && room != NULL; i++) {
        int column = (size_t) symbols[i] < c->column_of.count ? c->column_of.items[symbols[i]] : -1;
        if (!is_variable(c, symbols[i], column, is_rate)) {
            continue;
        }
        if (column == c->time) {
            of_time = ha_mul(c->dag, partials[i], passing);
        } else {
            c->entries.items[c->entries.count++] = (entry){ row, column, partials[i] };
        }
    }
    free(symbols);
    free(partials);
    HA_TRY_MEMORY(room);
    HA_TRY_PUSH(ctx, &c->rates, of_time);
    return ha_dag_status(c->dag);
}

/* Sorts the entries by columns (they come by rows, so that rows ascend in each column). */
static ha_status sort_entries(compiler *c)
{
    m2d_system *system = c->system;
    size_t n = c->entries.count, n_columns = (size_t) c->time;
    size_t n_roots = n + c->rates.count;

    HA_TRY_ALLOC(system->ctx, system->column_start, n_columns + 2, system->entry_row, n);
    HA_TRY_ROOM(system->ctx, &c->columns, n_roots);
    int64_t *next = system->column_start + 1; /* next[j] counts, then starts, then ends column j */
    for (size_t i = 0; i < n; i++) {
        next[c->entries.items[i].column + 1]++;
    }
    for (size_t j = 0; j < n_columns; j++) {
        next[j + 1] += next[j];
    }
    for (size_t i = 0; i < n; i++) {
        const entry *e = &c->entries.items[i];
        int64_t slot = next[e->column]++;
        system->entry_row[slot] = e->row;
        c->columns.items[slot] = e->value;
    }
    for (size_t i = 0; i < c->rates.count; i++) {
        c->columns.items[n + i] = c->rates.items[i];
    }
    c->columns.count = n_roots;
    system->n_entries = n;
    return HA_OK;
}

static ha_status compile(compiler *c, m2d__rows rows)
{
    m2d_system *system = c->system;

    HA_TRY(ha_dag_status(c->dag));
    HA_TRY(add_inputs(c));
    for (size_t i = 0; i < system->rows.count; i++) {
        const m2d__constraint *row = &system->rows.items[i];
        bool is_met = rows == M2D__ROWS_WITHOUT_ORIGIN && row->reads_origin;
        ha_expr phi = HA_EXPR_NONE;
        HA_TRY(ha_resolve(c->dag, is_met ? ha_constant(c->dag, 0.0) : row->closed, &phi));
        HA_TRY_PUSH(system->ctx, &c->positions, row->is_flow ? ha_constant(c->dag, 0.0) : phi);
        HA_TRY(add_row(c, (int) i, phi, row->is_flow));
    }
    for (size_t i = 0; i < system->lines.count; i++) {
        ha_expr length = HA_EXPR_NONE;
        HA_TRY(ha_resolve(c->dag, system->lines.items[i].length, &length));
        HA_TRY_PUSH(system->ctx, &c->positions, length);
    }
    HA_TRY(sort_entries(c));
    HA_TRY(ha__tape_new(system->ctx, c->dag, c->positions.items, c->positions.count,
                        c->inputs.items, c->inputs.count, &system->position));
    return ha__tape_new(system->ctx, c->dag, c->columns.items, c->columns.count, c->inputs.items,
                        c->inputs.count, &system->velocity);
}

ha_status m2d__system_compile(m2d_system *system, m2d__rows rows)
{
    compiler c = { .system = system, .dag = bg_graph_dag(system->graph) };

    free_tapes(system);
    ha_status status = compile(&c, rows);

    HA_ARRAY_CLEAR(&c.inputs, &c.positions, &c.rates, &c.entries, &c.columns, &c.flows,
                   &c.column_of);
    return status;
}
