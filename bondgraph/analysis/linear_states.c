/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The states of a linearisation: unknowns that are independent on the manifold of the constraints.
 * Positions are chosen first, with the user's wishes; speeds then follow their positions, so that
 * coordinates come with their own rates.
 */
#include <config.h>

#include "bondgraph/analysis/linear_priv.h"
#include "lib/core/symtab.h"
#include "lib/dae/dae_priv.h"

#include <math.h>
#include <string.h>

static const double ROUND_OFF = 1e-12; /* of a row that was solved for, its own being 1 */

/* How much an unknown is wanted as a state: the positions that the caller prefers, in their order,
   before the rates of positions that are states, before all others. */
enum { POSITIONS_FIRST = 1000000, PARTNER_STAYS = 1000 };

/* --- independent unknowns ------------------------------------------------------------------- */

/* What each position integrates: the speed with the largest coefficient in its equation. */
static ha_status find_partners(bg__linearisation *l)
{
    const bg_model *m = l->m;
    double *most = NULL;

    HA_TRY_ALLOC_EACH(l->ctx, m->dae.n, l->partner, most);
    memset(l->partner, -1, (size_t) m->dae.n * sizeof *l->partner);
    for (int i = 0; i < m->n_linear; i++) {
        const bg__linear_entry *e = &m->linear[i];
        bool is_speed = e->block == BG__LINEAR_EQUATION && e->column < m->dae.n &&
                        m->dae.unknowns[e->column].motion == HA_VELOCITY;
        const ha_dae_unknown *row = &m->dae.unknowns[e->row];
        if (is_speed && row->motion == HA_POSITION && row->is_stored == 0 &&
            fabs(l->values[i]) > most[e->row]) {
            most[e->row] = fabs(l->values[i]);
            l->partner[e->row] = e->column;
        }
    }
    ha__free(most);
    return HA_OK;
}

/* Whether a row of the manifold has a speed in it: the flow of a constraint, not its position. */
static void mark_flows(const bg__linearisation *l, bool *is_flow)
{
    for (int i = 0; i < l->m->n_linear; i++) {
        const bg__linear_entry *e = &l->m->linear[i];
        if (e->block == BG__LINEAR_MANIFOLD && e->column < l->m->dae.n) {
            is_flow[e->row] |= l->m->dae.unknowns[e->column].motion != HA_POSITION;
        }
    }
}

/* True of a column that is given, not solved for: a differential unknown or an input. */
static bool is_plain(const bg__linearisation *l, int column)
{
    int n = l->m->dae.n;

    return column >= 2 * n || (column < n && bg__linear_is_differential(l, column));
}

double bg__linear_yield(double value)
{
    return fabs(value) <= HA__YIELDS ? value : 0.0;
}

bool bg__linear_holds(const bg__linearisation *l, int row)
{
    const int equation = l->m->switched_row[row];

    for (int k = 0; k < l->n_own && equation >= 0; k++) {
        if (l->m->linear[l->own[k]].row == equation && fabs(l->values[l->own[k]]) > HA__YIELDS) {
            return false;
        }
    }
    return true;
}

/* Adds the manifold's rows of one kind, of differential unknowns and inputs alone. */
static ha_status add_rows(bg__linearisation *l, const bool *is_flow, bool flows)
{
    const bg_model *m = l->m;
    HA_ARRAY(bg__term) terms = { 0 };
    ha_status status = HA_OK;

    for (int i = 0; i < m->n_linear && status == HA_OK;) {
        const bg__linear_entry *e = &m->linear[i];
        if (e->block != BG__LINEAR_MANIFOLD) {
            i++;
            continue;
        }
        int row = e->row;
        bool is_usable = is_flow[row] == flows && bg__linear_holds(l, row);
        terms.count = 0;
        for (; i < m->n_linear && m->linear[i].block == BG__LINEAR_MANIFOLD &&
               m->linear[i].row == row && status == HA_OK;
             i++) {
            int column = m->linear[i].column, n = m->dae.n;
            is_usable = is_usable && is_plain(l, column);
            bg__term term = { column >= 2 * n ? column - n : column, l->values[i] };
            void *room =
                ha__room(l->ctx, terms.items, terms.count, 1, &terms.capacity, sizeof *terms.items);
            status = room == NULL ? HA_ERR_MEMORY : HA_OK;
            if (status == HA_OK) {
                terms.items = room;
                terms.items[terms.count++] = term;
            }
        }
        size_t before = l->tangent.pivots.count;
        if (status == HA_OK && is_usable) {
            status = bg__tangent_add(&l->tangent, terms.items, (int) terms.count);
        }
        l->n_of[m->conditions[row]] += l->tangent.pivots.count > before;
    }
    HA_ARRAY_CLEAR(&terms);
    return status;
}

/* Numbers the manifold's rows that read what is solved for, from 0 on; others are -1. */
static int number_solved_rows(const bg__linearisation *l, int *number)
{
    int n = 0;

    memset(number, -1, (size_t) l->m->n_manifold * sizeof *number);
    for (int i = 0; i < l->m->n_linear; i++) {
        const bg__linear_entry *e = &l->m->linear[i];
        if (e->block == BG__LINEAR_MANIFOLD && !is_plain(l, e->column) && number[e->row] < 0 &&
            bg__linear_holds(l, e->row)) {
            number[e->row] = n++;
        }
    }
    return n;
}

/* What those rows (width each) are of differential unknowns and inputs. */
static void fill_solved_rows(bg__linearisation *l, const int *number, size_t width, double *rows)
{
    for (size_t j = 0; j < width; j++) {
        if (j < (size_t) l->m->dae.n && !bg__linear_is_differential(l, (int) j)) {
            continue;
        }
        memset(l->column, 0, width * sizeof *l->column);
        l->column[j] = 1.0;
        bg__linear_solve(l);
        for (int i = 0; i < l->m->n_linear; i++) {
            const bg__linear_entry *e = &l->m->linear[i];
            if (e->block == BG__LINEAR_MANIFOLD && number[e->row] >= 0) {
                rows[(size_t) number[e->row] * width + j] +=
                    l->values[i] * bg__linear_change(l, e->column);
            }
        }
    }
}

/* Adds the rows that read algebraic unknowns or derivatives, with these expressed by the others.
   Most of them are what those are solved from, and nothing is left. */
static ha_status add_solved_rows(bg__linearisation *l)
{
    size_t width = (size_t) l->m->dae.n + (size_t) l->m->n_inputs;
    int *number = ha__alloc(l->ctx, (size_t) l->m->n_manifold, sizeof *number);
    bg__term *terms = ha__alloc(l->ctx, width, sizeof *terms);
    int n = number == NULL ? 0 : number_solved_rows(l, number);
    double *rows = ha__alloc(l->ctx, (size_t) n * width, sizeof *rows);
    ha_status status = number == NULL || rows == NULL || terms == NULL ? HA_ERR_MEMORY : HA_OK;

    if (status == HA_OK && n > 0) {
        fill_solved_rows(l, number, width, rows);
    }
    for (int row = 0; row < l->m->n_manifold && status == HA_OK; row++) {
        size_t before = l->tangent.pivots.count;
        for (size_t j = 0; j < width && number[row] >= 0; j++) {
            double value = rows[(size_t) number[row] * width + j];
            terms[j] = (bg__term){ (int) j, fabs(value) * l->size[j] > ROUND_OFF ? value : 0.0 };
        }
        if (number[row] >= 0) {
            status = bg__tangent_add(&l->tangent, terms, (int) width);
            l->n_of[l->m->conditions[row]] += l->tangent.pivots.count > before;
        }
    }
    HA_FREE(number, rows, terms);
    return status;
}

/* The user's wishes; then, once the positions are chosen, speeds follow their positions. */
static ha_status prefer_positions(bg__linearisation *l)
{
    const bg_model *m = l->m;
    ha__symtab preferred = { 0 };
    ha_status status = HA_OK;

    for (int k = 0; k < l->point->n_preferred && status == HA_OK; k++) {
        const char *name = l->point->preferred[k];
        int number = 0, is_new = 0;
        status = ha__symtab_add(l->ctx, &preferred, name, strlen(name), &number, &is_new);
    }
    for (int j = 0; j < m->dae.n + m->n_inputs && status == HA_OK; j++) {
        const char *name = j < m->dae.n ? m->dae.unknowns[j].name : "";
        int k = ha__symtab_find(&preferred, name, strlen(name));
        l->tangent.keep[j] = j >= m->dae.n ? -1 : k >= 0 ? POSITIONS_FIRST - k : 1;
    }
    ha__symtab_clear(&preferred);
    return status;
}

static void prefer_speeds(bg__linearisation *l)
{
    for (int j = 0; j < l->m->dae.n; j++) {
        if (l->partner[j] >= 0) {
            bool stays = l->tangent.pivot_of[j] < 0;
            l->tangent.keep[l->partner[j]] = stays ? PARTNER_STAYS : 0;
        }
    }
}

ha_status bg__linear_find_tangent(bg__linearisation *l)
{
    const bg_model *m = l->m;
    bool *is_flow = NULL;

    HA_TRY(find_partners(l));
    for (int i = 0; i < m->n_inputs; i++) {
        l->size[m->dae.n + i] = 1.0;
    }
    HA_TRY(bg__tangent_new(l->ctx, m->dae.n + m->n_inputs, l->size, &l->tangent));
    HA_TRY_ALLOC(l->ctx, is_flow, m->n_manifold);
    mark_flows(l, is_flow);
    ha_status status = prefer_positions(l);
    HA_THEN(status, add_rows(l, is_flow, false));
    if (status == HA_OK) {
        prefer_speeds(l);
        status = add_rows(l, is_flow, true);
    }
    HA_THEN(status, add_solved_rows(l));
    ha__free(is_flow);
    l->out->rank = (int) l->tangent.pivots.count;
    return status;
}

/* --- states --------------------------------------------------------------------------------- */

/* A value that is held between events is a constant, not a state. */
bool bg__linear_is_held(const bg__linearisation *l, int j)
{
    const bg_model *m = l->m;

    for (int i = 0; i < m->dae.n_holds; i++) {
        if (m->dae.holds[i].unknown == j) {
            return true;
        }
    }
    return false;
}

static bool is_state(const bg__linearisation *l, int j)
{
    return bg__linear_is_differential(l, j) && l->tangent.pivot_of[j] < 0 &&
           !bg__linear_is_held(l, j);
}

static bool is_position(const bg__linearisation *l, int j)
{
    return is_state(l, j) && l->partner[j] >= 0 && is_state(l, l->partner[j]);
}

/* Adds a state, once. */
static void add_state(bg__linearisation *l, int j)
{
    for (int k = 0; k < l->out->n_states; k++) {
        if (l->state[k] == j) {
            return;
        }
    }
    l->state[l->out->n_states++] = j;
}

static void sort_states(bg__linearisation *l)
{
    const bg_model *m = l->m;
    int n = m->dae.n;

    for (int j = 0; j < n; j++) {
        if (is_position(l, j)) {
            l->state[l->out->n_states++] = j;
        }
    }
    l->out->n_positions = l->out->n_states;
    for (int k = 0; k < l->out->n_positions; k++) {
        add_state(l, l->partner[l->state[k]]);
    }
    for (int stored = 1; stored >= 0; stored--) {
        for (int j = 0; j < n; j++) {
            if (is_state(l, j) && (m->dae.unknowns[j].is_stored != 0) == (stored != 0)) {
                add_state(l, j);
            }
        }
    }
}

static char *copy_name(const bg__linearisation *l, const char *name)
{
    return ha__copy_text(l->ctx, name, strlen(name));
}

/* A storage that goes by its own name is shown by its content: "I1.f" becomes "I1.p". */
static ha_status name_states(bg__linearisation *l)
{
    const bg_model *m = l->m;

    HA_TRY_ALLOC_EACH(l->ctx, l->out->n_states, l->content, l->out->states);
    for (int k = 0; k < l->out->n_states; k++) {
        int j = l->state[k];
        bool shows_content = m->has_content[j] && k >= l->out->n_positions &&
                             strcmp(m->names[j], m->dae.unknowns[j].name) == 0;
        char *name = copy_name(l, m->dae.unknowns[j].name);
        HA_TRY_MEMORY(name);
        l->out->states[k] = name;
        l->content[k] = 1.0;
        for (int i = 0; i < m->n_linear && shows_content; i++) {
            const bg__linear_entry *e = &m->linear[i];
            if (e->block == BG__LINEAR_CONTENT && e->row == j && e->column == j) {
                char *suffix = strrchr(name, '.');
                l->content[k] = l->values[i];
                if (suffix != NULL && suffix[1] == 'f') {
                    suffix[1] = 'p';
                }
            }
        }
    }
    return HA_OK;
}

/* An input itself, and those of its rates that something reads. */
static ha_status list_inputs(bg__linearisation *l)
{
    const bg_model *m = l->m;
    bool *is_read = NULL;

    HA_TRY_ALLOC_EACH(l->ctx, m->n_inputs, l->level, is_read);
    l->out->inputs = ha__alloc(l->ctx, (size_t) m->n_inputs, sizeof *l->out->inputs);
    for (int i = 0; i < m->n_linear; i++) {
        int input = m->linear[i].column - 2 * m->dae.n;
        if (input >= 0 && input < m->n_inputs) { /* behind them is the time */
            is_read[input] = true;
        }
    }
    ha_status status = l->out->inputs == NULL ? HA_ERR_MEMORY : HA_OK;
    for (int i = 0; i < m->n_inputs && status == HA_OK; i++) {
        if (i % 3 == 0 || is_read[i]) {
            char *name = copy_name(l, m->inputs[i]);
            status = name == NULL ? HA_ERR_MEMORY : HA_OK;
            if (name != NULL) {
                l->level[l->out->n_inputs] = i;
                l->out->inputs[l->out->n_inputs++] = name;
            }
        }
    }
    ha__free(is_read);
    return status;
}

static ha_status list_outputs(bg__linearisation *l)
{
    HA_TRY_ALLOC(l->ctx, l->out->outputs, l->m->dae.n_outputs);
    for (int i = 0; i < l->m->dae.n_outputs; i++) {
        char *name = copy_name(l, l->m->dae.outputs[i].name);
        HA_TRY_MEMORY(name);
        l->out->outputs[l->out->n_outputs++] = name;
    }
    return HA_OK;
}

ha_status bg__linear_list_states(bg__linearisation *l)
{
    sort_states(l);
    HA_TRY(name_states(l));
    HA_TRY(list_inputs(l));
    return list_outputs(l);
}
