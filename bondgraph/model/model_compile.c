/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compilation of equations: tapes for the residual F(t, y, y'), its Jacobian, the outputs, the
 * power supplied and dissipated; a fixed sparsity pattern; names. What the solver watches is in
 * model_watch.c.
 *
 * The Jacobian is exact: each row is differentiated symbolically with respect to the y and y' that
 * occur in it, and the entry of unknown j is dF/dy_j + cj dF/dy'_j with cj an input of the tape, so
 * that mass terms and constraint gradients can be read from it (cj = 1 less cj = 0). A pair that
 * vanishes identically is not in the pattern. An unknown with a dF/dy' that does not vanish is
 * differential for the solver.
 *
 * What jumps or bends in the equations is held on its side of the switching functions
 * (lib/expr/expr_switch.h), which the solver watches; the powers hold the same sides. Outputs and
 * checks are evaluated as they stand.
 */
#include <config.h>

#include "bondgraph/model/model_compile.h"
#include "lib/core/need.h"
#include "lib/core/sort.h"
#include "lib/expr/expr_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *bg__model_keep(bg_model *m, const char *text)
{
    return ha__arena_text(m->ctx, &m->arena, text, strlen(text));
}

/* Replaces a text, NULL or not, by a copy that lives as long as the model. */
static ha_status keep_text(bg_model *m, const char **text)
{
    bool is_given = *text != NULL;

    *text = is_given ? bg__model_keep(m, *text) : NULL;
    return is_given && *text == NULL ? HA_ERR_MEMORY : HA_OK;
}

static ha_status list_inputs(bg__compiler *c)
{
    const bg_equations *q = c->q;
    const ha_expr fixed[BG__IN_Y] = { q->time,         q->cj,   q->alpha, q->beta,
                                      q->energy_start, q->work, q->loss };
    int n = (int) q->unknowns.count;

    for (int i = 0; i < BG__IN_Y; i++) {
        HA_TRY_PUSH(q->ctx, &c->inputs, fixed[i]);
    }
    c->n_nodes = ha_dag_size(c->dag);
    HA_TRY_ALLOC(q->ctx, c->column_of, c->n_nodes);
    memset(c->column_of, -1, (size_t) c->n_nodes * sizeof *c->column_of);
    for (int i = 0; i < n; i++) {
        HA_TRY_PUSH(q->ctx, &c->inputs, q->unknowns.items[i].y);
        c->column_of[q->unknowns.items[i].y] = i;
    }
    for (int i = 0; i < n; i++) {
        HA_TRY_PUSH(q->ctx, &c->inputs, q->unknowns.items[i].yp);
        c->column_of[q->unknowns.items[i].yp] = n + i;
    }
    for (size_t i = 0; i < c->switches.items.count; i++) {
        HA_TRY_PUSH(q->ctx, &c->inputs, c->switches.items.items[i].side);
    }
    for (size_t i = 0; i < q->losses.count; i++) {
        HA_TRY_PUSH(q->ctx, &c->inputs, q->losses.items[i].heat);
    }
    HA_TRY_PUSH(q->ctx, &c->inputs, q->passed);
    for (size_t i = 0; i < 3 * q->inputs.count; i++) {
        ha_expr symbol = q->inputs.items[i / 3].level[i % 3];
        HA_TRY_PUSH(q->ctx, &c->inputs, symbol);
        c->column_of[symbol] = 2 * n + (int) i;
    }
    return bg__model_list_variables(c);
}

/* The powers with their sides held; last the sum of their magnitudes, whose bends are none of the
   equations'. */
static ha_status hold_powers(bg__compiler *c)
{
    const bg_equations *q = c->q;
    size_t n = 2 + q->losses.count;
    ha_expr passed = ha_constant(c->dag, 0.0);

    HA_TRY_ALLOC(q->ctx, c->rates, n + 1);
    for (size_t i = 0; i < n; i++) {
        ha_expr rate = i == 0   ? q->supply_rate
                       : i == 1 ? q->loss_rate
                                : q->losses.items[i - 2].rate;
        HA_TRY(ha__hold_sides(&c->switches, q->ctx, c->dag, rate, &c->rates[i]));
    }
    for (size_t i = 0; i < q->powers.count; i++) {
        ha_expr power = HA_EXPR_NONE;
        HA_TRY(ha__hold_sides(&c->switches, q->ctx, c->dag, q->powers.items[i], &power));
        power = ha_apply(c->dag, HA_OP_ABS, power, HA_EXPR_NONE, HA_EXPR_NONE);
        passed = ha_add(c->dag, passed, power);
    }
    c->rates[n] = passed;
    return ha_dag_status(c->dag);
}

/* The equations, powers and what must not jump, with their sides held. */
static ha_status hold_sides(bg__compiler *c)
{
    const bg_equations *q = c->q;

    c->switches.time = q->time;
    c->switches.fixed = q->fixed.items;
    c->switches.n_fixed = q->fixed.count;
    for (size_t i = 0; i < q->holds.count; i++) {
        HA_TRY_PUSH(q->ctx, &c->switches.resting, q->unknowns.items[q->holds.items[i].unknown].y);
    }
    HA_TRY_ALLOC(q->ctx, c->rows, q->rows.count);
    for (size_t i = 0; i < q->rows.count; i++) {
        HA_TRY(ha__hold_sides(&c->switches, q->ctx, c->dag, q->rows.items[i].value, &c->rows[i]));
    }
    HA_TRY(hold_powers(c));
    HA_TRY_ALLOC(q->ctx, c->hold_side, q->holds.count);
    for (size_t i = 0; i < q->holds.count; i++) {
        HA_TRY(
            ha__hold_side(&c->switches, q->ctx, c->dag, q->holds.items[i].when, &c->hold_side[i]));
    }
    HA_TRY_ALLOC(q->ctx, c->kept, q->checks.count + 1);
    for (size_t i = 0; i <= q->checks.count; i++) {
        ha_expr value = i == 0 ? q->stored : q->checks.items[i - 1].value;
        HA_TRY(ha__hold_sides(&c->switches, q->ctx, c->dag, value, &c->kept[i]));
    }
    c->m->dae.n_switches = (int) c->switches.items.count;
    return HA_OK;
}

/* Adds dF/dy_j or cj dF/dy'_j to the entries of a row. */
static ha_status add_entry(bg__compiler *c, int row, ha_expr symbol, ha_expr partial)
{
    int n = (int) c->q->unknowns.count;
    int column = symbol < c->n_nodes ? c->column_of[symbol] : -1;
    ha_expr by_y = partial, by_yp = HA_EXPR_NONE;

    if (column < 0 || column >= 2 * n || ha_expr_is(c->dag, partial, 0.0)) {
        return HA_OK;
    }
    if (column >= n) {
        column -= n;
        c->is_differential[column] = true;
        by_y = HA_EXPR_NONE;
        by_yp = partial;
        partial = ha_mul(c->dag, c->q->cj, partial);
    }
    HA_TRY(ha_dag_status(c->dag));
    entry *last = c->last[column] == 0 ? NULL : &c->entries.items[c->last[column] - 1];
    if (last != NULL && last->row == row) {
        last->value = ha_add(c->dag, last->value, partial);
        last->by_y = by_y != HA_EXPR_NONE ? by_y : last->by_y;
        last->by_yp = by_yp != HA_EXPR_NONE ? by_yp : last->by_yp;
        return ha_dag_status(c->dag);
    }
    HA_TRY_PUSH(c->q->ctx, &c->entries, (entry){ row, column, partial, by_y, by_yp });
    c->last[column] = (int) c->entries.count;
    return HA_OK;
}

static ha_status differentiate(bg__compiler *c)
{
    for (size_t row = 0; row < c->q->rows.count; row++) {
        ha_expr *symbols = NULL, *partials = NULL;
        size_t n = 0;
        ha_status status = HA_OK;
        HA_TRY(ha_gradient(c->dag, c->rows[row], &symbols, &partials, &n));
        for (size_t i = 0; i < n && status == HA_OK; i++) {
            status = add_entry(c, (int) row, symbols[i], partials[i]);
        }
        free(symbols);
        free(partials);
        HA_TRY(status);
    }
    return HA_OK;
}

/* The pattern in compressed columns by two counting sorts: rows come out ascending. */
static ha_status build_pattern(bg__compiler *c, ha_expr **values)
{
    bg_model *m = c->m;
    size_t n = c->q->unknowns.count;

    HA_TRY_ALLOC(m->ctx, m->column_start, n + 1);
    HA_TRY_ALLOC_EACH(m->ctx, c->entries.count, m->row, *values);
    for (size_t i = 0; i < c->entries.count; i++) {
        m->column_start[c->entries.items[i].column + 1]++;
    }
    for (size_t j = 0; j < n; j++) {
        m->column_start[j + 1] += m->column_start[j];
    }

    /* the entries are in order of rows already: filling each column in turn keeps them so */
    int64_t *next = ha__alloc(m->ctx, n + 1, sizeof *next);
    HA_TRY_MEMORY(next);
    memcpy(next, m->column_start, (n + 1) * sizeof *next);
    for (size_t i = 0; i < c->entries.count; i++) {
        int64_t slot = next[c->entries.items[i].column]++;
        m->row[slot] = c->entries.items[i].row;
        (*values)[slot] = c->entries.items[i].value;
    }
    ha__free(next);
    return HA_OK;
}

ha_status bg__model_add_tape(bg__compiler *c, bg__tape_kind kind, const ha_expr *roots, size_t n)
{
    bg_model *m = c->m;

    HA_TRY(
        ha__tape_new(m->ctx, c->dag, roots, n, c->inputs.items, c->inputs.count, &m->tapes[kind]));
    m->reads_rates[kind] =
        ha__tape_reads(m->tapes[kind], BG__IN_Y + (size_t) m->dae.n, (size_t) m->dae.n);
    m->offset[kind] = m->dae.work_size;
    m->dae.work_size += ha__tape_work_size(m->tapes[kind]);
    return HA_OK;
}

/* -------------------------------------------------------------------------------------------- */

static ha_status compile_residual(bg__compiler *c)
{
    bg_model *m = c->m;

    HA_TRY(ha__tape_begin(m->ctx, c->dag, c->rows, c->q->rows.count, c->inputs.items,
                          c->inputs.count, &m->tapes[BG__TAPE_RESIDUAL]));
    m->reads_rates[BG__TAPE_RESIDUAL] = true;
    m->offset[BG__TAPE_RESIDUAL] = m->dae.work_size;
    return HA_OK;
}

/* The Jacobian has sines and products of the residual, and is asked for at the same points. Behind
   their work array is room for a residual. */
static ha_status continue_residual(bg__compiler *c, const ha_expr *values, size_t n)
{
    bg_model *m = c->m;

    HA_TRY(ha__tape_continue(m->ctx, c->dag, values, n, c->inputs.items, c->inputs.count,
                             m->tapes[BG__TAPE_RESIDUAL], &m->tapes[BG__TAPE_JACOBIAN]));
    m->offset[BG__TAPE_JACOBIAN] = m->offset[BG__TAPE_RESIDUAL];
    m->dae.work_size += ha__tape_work_size(m->tapes[BG__TAPE_JACOBIAN]) + c->q->rows.count;
    return HA_OK;
}

static ha_status compile_jacobian(bg__compiler *c)
{
    ha_expr *values = NULL;

    HA_TRY_ALLOC_EACH(c->q->ctx, c->q->unknowns.count, c->is_differential, c->last);
    HA_TRY(differentiate(c));
    for (size_t j = 0; j < c->q->unknowns.count; j++) {
        c->has_solved_states |=
            !c->is_differential[j] && c->q->unknowns.items[j].kind != BG__MULTIPLIER;
    }
    ha__dag_forget(c->dag); /* the tapes ask for memory next */

    ha_status status = build_pattern(c, &values);
    HA_THEN(status, continue_residual(c, values, c->entries.count));
    ha__free(values);
    return status;
}

ha_status bg__model_reads_solved(bg__compiler *c, ha_expr e, int *is_so)
{
    int n_unknowns = (int) c->q->unknowns.count;
    const ha_expr *symbols = NULL;
    size_t n = 0;

    if (*is_so != 0 && !c->has_solved_states) {
        return HA_OK;
    }
    HA_TRY(ha__dag_symbols(c->dag, e, &symbols, &n));
    for (size_t i = 0; i < n; i++) {
        int column = symbols[i] < c->n_nodes ? c->column_of[symbols[i]] : -1;
        bool is_rate = column >= n_unknowns && column < 2 * n_unknowns;
        if (is_rate && !c->is_differential[column - n_unknowns]) {
            c->m->dae.reads_solved_rates = 1;
        }
        if (column >= n_unknowns || (column >= 0 && !c->is_differential[column])) {
            *is_so = 1;
        }
    }
    return HA_OK;
}

/* What is named in messages lives as long as the model. */
static ha_status keep_named(bg_model *m, const char **name, ha_where *where)
{
    HA_TRY(keep_text(m, name));
    return keep_text(m, &where->file);
}

/* Adds the tape of expressions, which are freed, unless something went wrong before. */
static ha_status add_roots(bg__compiler *c, bg__tape_kind kind, ha_expr *roots, size_t n,
                           ha_status status)
{
    HA_THEN(status, bg__model_add_tape(c, kind, roots, n));
    ha__free(roots);
    return status;
}

static ha_status compile_values(bg__compiler *c)
{
    size_t n = c->q->values.count;
    bg_model *m = c->m;
    ha_expr *roots = NULL;
    ha_status status = HA_OK;

    HA_TRY_ALLOC_EACH(m->ctx, n, m->values, roots);
    for (size_t i = 0; i < n && status == HA_OK; i++) {
        m->values[i] = c->q->values.items[i];
        roots[i] = m->values[i].value;
        status = keep_named(m, &m->values[i].name, &m->values[i].where);
    }
    m->n_values = (int) n;
    return add_roots(c, BG__TAPE_VALUE, roots, n, status);
}

static ha_status compile_dependents(bg__compiler *c)
{
    size_t n = c->q->dependents.count;
    bg_model *m = c->m;
    ha_expr *roots = NULL;
    ha_status status = HA_OK;

    HA_TRY_ALLOC_EACH(m->ctx, n, m->dependents, roots);
    for (size_t i = 0; i < n && status == HA_OK; i++) {
        m->dependents[i] = c->q->dependents.items[i];
        roots[i] = m->dependents[i].content;
        status = keep_named(m, &m->dependents[i].name, &m->dependents[i].where);
    }
    m->n_dependents = (int) n;
    return add_roots(c, BG__TAPE_DEPENDENT, roots, n, status);
}

static ha_status compile_energy(bg__compiler *c)
{
    size_t n = 3 + c->q->losses.count;
    bool is_zero = true;

    for (size_t i = 0; i < n; i++) {
        HA_TRY(bg__model_reads_solved(c, c->rates[i], &c->m->dae.rate_reads_solved));
        is_zero = is_zero && ha_expr_is(c->dag, c->rates[i], 0.0);
    }
    c->m->dae.rate_is_zero = is_zero;
    c->m->dae.n_integrals = (int) n;
    c->m->dae.n_loose = 1;
    HA_TRY(bg__model_add_tape(c, BG__TAPE_RATE, c->rates, n));
    return bg__model_add_tape(c, BG__TAPE_STORED, &c->q->stored, 1);
}

/* --- names ---------------------------------------------------------------------------------- */

static ha_status name_unknowns(bg__compiler *c)
{
    const bg_equations *q = c->q;
    bg_model *m = c->m;
    size_t n = q->unknowns.count;

    HA_TRY_ALLOC_EACH(m->ctx, n, m->unknowns, m->names, m->by_name, m->equations, m->follows);
    for (size_t i = 0; i < n; i++) {
        const bg__eq_unknown *u = &q->unknowns.items[i];
        bool is_multiplier = u->kind == BG__MULTIPLIER;
        m->unknowns[i] = u->solver;
        m->unknowns[i].name = u->title;
        m->names[i] = u->name;
        m->equations[i] = q->rows.items[i].name;
        HA_TRY(keep_text(m, &m->unknowns[i].name));
        HA_TRY(keep_text(m, &m->names[i]));
        HA_TRY(keep_text(m, &m->equations[i]));
        m->unknowns[i].motion = c->is_differential[i] ? u->solver.motion : HA_NO_MOTION;
        m->follows[i] = u->follows && c->is_differential[i];
        m->n_states += c->is_differential[i] ? 1 : 0;
        m->n_multipliers += is_multiplier ? 1 : 0;
    }
    return ha__sort_names(m->ctx, (int) n, m->names, m->by_name);
}

/* What the user is told of zero inertias. */
static ha_status list_absences(bg__compiler *c)
{
    const bg_equations *q = c->q;
    bg_model *m = c->m;
    int n = 0;

    HA_TRY_ALLOC(m->ctx, m->absences, q->unknowns.count);
    for (size_t i = 0; i < q->unknowns.count; i++) {
        const bg__eq_unknown *u = &q->unknowns.items[i];
        ha_dae_absence absence = { (int) i, NULL, u->where };
        if (u->absence == NULL) {
            continue;
        }
        absence.text = u->absence;
        HA_TRY(keep_named(m, &absence.text, &absence.where));
        m->absences[n++] = absence;
    }
    m->dae.n_absences = n;
    m->dae.absences = m->absences;
    return HA_OK;
}

static bool has_tears(const bg_equations *q)
{
    for (size_t i = 0; i < q->unknowns.count; i++) {
        if (q->unknowns.items[i].kind == BG__TEAR) {
            return true;
        }
    }
    return false;
}

/* A tear is guessed as 0, or as 1 where its row cannot be evaluated there: a resistance that
   depends on its own flow may vanish with it. Newton's method goes on from there. */
static ha_status guess_tears(bg__compiler *c)
{
    const double parameters[BG__PARAMETER_COUNT] = { 0 };
    bg_model *m = c->m;
    size_t n = c->q->unknowns.count;
    double *y = ha__alloc(m->ctx, n, sizeof *y), *room = ha__alloc(m->ctx, 2 * n, sizeof *room);
    double *work = ha__alloc(m->ctx, m->dae.work_size, sizeof *work);
    ha_status status = y == NULL || room == NULL || work == NULL ? HA_ERR_MEMORY : HA_OK;

    if (status == HA_OK) {
        m->dae.prepare(m, parameters, work);
        bg_model_start(m, y);
        m->dae.residual(m, work, 0.0, y, room, room + n); /* y' = 0 */
    }
    for (size_t i = 0; i < n && status == HA_OK; i++) { /* row i is that of unknown i */
        if (c->q->unknowns.items[i].kind == BG__TEAR && !isfinite(room[n + i])) {
            m->unknowns[i].start = 1.0;
        }
    }
    HA_FREE(y, room, work);
    return status;
}

static ha_status name_inputs(bg__compiler *c)
{
    bg_model *m = c->m;

    m->n_inputs = 3 * (int) c->q->inputs.count;
    HA_TRY_ALLOC(m->ctx, m->inputs, m->n_inputs);
    for (int i = 0; i < m->n_inputs; i++) {
        ha_expr symbol = c->q->inputs.items[i / 3].level[i % 3];
        HA_TRY_GET(m->inputs[i], bg__model_keep(m, ha_symbol_name(c->dag, symbol)));
    }
    return HA_OK;
}

static ha_status compile_linear(bg__compiler *c)
{
    HA_TRY(name_inputs(c));
    if (c->linear != NULL) {
        return c->linear(c);
    }
    HA_TRY(bg__model_add_tape(c, BG__TAPE_LINEAR, NULL, 0));
    return bg__model_add_tape(c, BG__TAPE_EDGE, NULL, 0);
}

static ha_status compile(bg__compiler *c)
{
    bg_model *m = c->m;

    bg__model_bind(m, (int) c->q->unknowns.count);
    m->keeps_alpha = c->q->keeps_alpha;
    HA_TRY(hold_sides(c));
    HA_TRY(list_inputs(c));
    HA_TRY(compile_residual(c));
    HA_TRY(compile_jacobian(c));
    HA_TRY(bg__model_compile_start(c));
    HA_TRY(bg__model_check_structure(c->q, m));
    HA_TRY(bg__model_compile_switches(c));
    HA_TRY(bg__model_compile_holds(c));
    HA_TRY(bg__model_compile_outputs(c));
    HA_TRY(bg__model_compile_signals(c));
    HA_TRY(compile_linear(c));
    HA_TRY(compile_energy(c));
    HA_TRY(bg__model_compile_watched(c));
    HA_TRY(compile_values(c));
    HA_TRY(compile_dependents(c));
    HA_TRY(name_unknowns(c));
    HA_TRY(bg__model_compile_initial(c));
    HA_TRY(bg__model_choose_tested(c));
    HA_TRY(list_absences(c));
    m->dae.unknowns = m->unknowns;
    m->dae.equations = m->equations;
    m->dae.switches = m->switches;
    m->dae.is_clock = m->is_clock;
    m->dae.switch_reads_solved = m->reads_solved;
    m->dae.switch_inputs = m->switch_inputs;
    m->dae.column_start = m->column_start;
    m->dae.row = m->row;
    HA_TRY(bg__model_restart(m));
    return has_tears(c->q) ? guess_tears(c) : HA_OK;
}

/* What a model is compiled for besides IDA. */
typedef struct {
    bool is_explicit;                    /* explicit steps */
    bool followed;                       /* deviations that are followed through events */
    ha_status (*linear)(bg__compiler *); /* linearisation: bg__model_compile_linear() */
} purpose;

static ha_status compile_for(bg_equations *equations, const char *const *outputs, int n_outputs,
                             purpose what, bg_model **out)
{
    HA_NEED_OF(equations, out != NULL);
    ha_ctx *ctx = equations->ctx;
    bg__compiler c = { .q = equations,
                       .dag = equations->dag,
                       .m = ha__alloc(ctx, 1, sizeof *c.m),
                       .linear = what.linear,
                       .is_followed = what.followed,
                       .is_for_explicit = what.is_explicit };
    ha_status status = c.m == NULL ? HA_ERR_MEMORY : HA_OK;

    if (status == HA_OK) {
        c.m->ctx = ctx;
        status = ha_dag_status(c.dag);
    }
    HA_THEN(status, bg__model_choose_outputs(&c, outputs, n_outputs));
    if (status == HA_OK && what.followed) {
        status = bg__sum_by_unknowns(equations, c.wanted, c.n_wanted);
    }
    if (status == HA_OK) {
        status = compile(&c);
        ha__dag_recover(c.dag); /* the equations can be compiled again */
        ha__dag_rest(c.dag);
    }
    ha__switches_clear(&c.switches);
    HA_FREE(c.rows, c.rates, c.hold_side, c.kept, c.wanted);
    HA_ARRAY_CLEAR(&c.inputs, &c.entries);
    HA_FREE(c.column_of, c.is_differential, c.last);
    return HA_GIVE(status, c.m, bg_model_free, out);
}

ha_status bg_model_compile(bg_equations *equations, const char *const *outputs, int n_outputs,
                           bg_model **out)
{
    return compile_for(equations, outputs, n_outputs, (purpose){ .is_explicit = true }, out);
}

ha_status bg_model_compile_for(bg_equations *equations, const char *const *outputs, int n_outputs,
                               ha_driver driver, bg_model **out)
{
    return compile_for(equations, outputs, n_outputs,
                       (purpose){ .is_explicit = driver != HA_DRIVER_IDA }, out);
}

ha_status bg_model_compile_linear(bg_equations *equations, const char *const *outputs,
                                  int n_outputs, bg_model **out)
{
    return compile_for(equations, outputs, n_outputs,
                       (purpose){ .linear = bg__model_compile_linear }, out);
}

ha_status bg_model_compile_periodic(bg_equations *equations, const char *const *outputs,
                                    int n_outputs, bg_model **out)
{
    return compile_for(equations, outputs, n_outputs,
                       (purpose){ .is_explicit = true, .linear = bg__model_compile_linear }, out);
}

ha_status bg_model_compile_sensitive(bg_equations *equations, const char *const *outputs,
                                     int n_outputs, bg_model **out)
{
    return compile_for(
        equations, outputs, n_outputs,
        (purpose){ .is_explicit = true, .linear = bg__model_compile_linear, .followed = true },
        out);
}
