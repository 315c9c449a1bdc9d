/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the solver watches of a compiled model: the switching functions, what is held between
 * events, what must not jump there, the constraints, the energy book, the conditions of motion.
 */
#include <config.h>

#include "bondgraph/model/model_compile.h"
#include "lib/core/strbuf.h"
#include "lib/expr/expr_priv.h"

#include <stdlib.h>

/* "a function of x, y": what depends on other conditions goes by what it reads besides, for nobody
   reads an expression of sides; NULL where it depends on none, or reads nothing besides. */
static ha_status name_inner(bg__compiler *c, ha_expr g, const char **name)
{
    enum { MOST = 4 };
    const ha__marks *is_side = &c->switches.is_side;
    ha__strbuf text = HA_STRBUF(c->m->ctx);
    ha_expr *symbols = NULL;
    size_t n = 0, n_sides = 0, n_others = 0;

    *name = NULL;
    HA_TRY(ha_expr_symbols(c->dag, g, &symbols, &n));
    for (size_t i = 0; i < n; i++) {
        size_t node = (size_t) symbols[i];
        if (node < is_side->count && is_side->items[node] != 0) {
            n_sides++;
        } else if (n_others++ < MOST) {
            ha__strbuf_add(&text, n_others == 1 ? "a function of " : ", ");
            ha__strbuf_add(&text, ha_symbol_name(c->dag, symbols[i]));
        }
    }
    ha__strbuf_add(&text, n_others > MOST ? ", ..." : "");
    free(symbols);
    bool is_inner = n_sides > 0 && n_others > 0 && text.status == HA_OK;
    ha_status status = text.status;
    if (is_inner) {
        *name = bg__model_keep(c->m, ha__strbuf_text(&text));
        status = *name == NULL ? HA_ERR_MEMORY : HA_OK;
    }
    return ha__strbuf_drop(&text, status);
}

ha_status bg__model_name_condition(bg__compiler *c, ha_expr g, bool is_turned, const char **name)
{
    enum { LONGEST = 60 };
    ha_expr compared = is_turned ? ha_neg(c->dag, g) : g;
    ha__strbuf whole = HA_STRBUF(c->m->ctx);

    HA_TRY(ha_dag_status(c->dag));
    bool is_floor = ha_expr_op(c->dag, compared) == HA_OP_FLOOR_SIDE; /* no name of the user's */
    ha_expr shown = is_floor ? ha_expr_operand(c->dag, compared, 0) : compared;
    char *text = ha_expr_text_cut(c->dag, shown, LONGEST);
    ha__strbuf_addf(&whole, is_floor ? "sin(pi*(%s))" : "%s", text == NULL ? "a condition" : text);
    free(text);
    *name = whole.status == HA_OK ? bg__model_keep(c->m, ha__strbuf_text(&whole)) : NULL;
    return ha__strbuf_drop(&whole, *name == NULL ? HA_ERR_MEMORY : HA_OK);
}

static ha_status name_switch(bg__compiler *c, size_t i)
{
    bg_model *m = c->m;
    const ha__switch *s = &c->switches.items.items[i];

    m->is_turned[i] = s->is_turned;
    HA_TRY(name_inner(c, s->g, &m->switches[i]));
    return m->switches[i] != NULL
               ? HA_OK
               : bg__model_name_condition(c, s->g, s->is_turned, &m->switches[i]);
}

/* The tapes of the switching functions: all of them, the clocks, the others. */
static ha_status add_switch_tapes(bg__compiler *c, const ha_expr *g, ha_expr *roots, size_t n)
{
    const bg_model *m = c->m;

    HA_TRY(bg__model_add_tape(c, BG__TAPE_SWITCH, g, n));
    for (size_t i = 0; i < n; i++) {
        roots[i] = m->is_clock[i] != 0 ? g[i] : HA_EXPR_NONE;
    }
    HA_TRY(bg__model_add_tape(c, BG__TAPE_CLOCK, roots, n));
    for (size_t i = 0; i < n; i++) {
        roots[i] = m->is_clock[i] != 0 ? HA_EXPR_NONE : g[i];
    }
    return bg__model_add_tape(c, BG__TAPE_ENCLOSE, roots, n);
}

/* The unknowns and derivatives that a tape of n results reads: j of y_j, n + j of y'_j. */
static ha_status list_inputs(bg_model *m, bg__tape_kind tape, size_t n, int **list, int *n_list)
{
    int n_inputs = 2 * m->dae.n;
    bool *is_read = ha__alloc(m->ctx, (size_t) n_inputs, sizeof *is_read);

    HA_TRY_MEMORY(is_read);
    *list = ha__alloc(m->ctx, n > 0 ? (size_t) n_inputs : 0, sizeof **list);
    ha_status status = *list == NULL ? HA_ERR_MEMORY : HA_OK;
    if (n > 0 && status == HA_OK) {
        ha__tape_mark_inputs(m->tapes[tape], BG__IN_Y, (size_t) n_inputs, is_read);
    }
    for (int k = 0; k < n_inputs && status == HA_OK; k++) {
        if (is_read[k]) {
            (*list)[(*n_list)++] = k;
        }
    }
    ha__free(is_read);
    return status;
}

/* Which of them read what is solved for, and which unknowns and derivatives the others read. */
static ha_status list_switch_inputs(bg__compiler *c, const ha_expr *g, size_t n)
{
    bg_model *m = c->m;

    HA_TRY_ALLOC(m->ctx, m->reads_solved, n);
    for (size_t i = 0; i < n; i++) {
        int reads = 0;
        HA_TRY(bg__model_reads_solved(c, g[i], &reads));
        m->reads_solved[i] = (signed char) reads;
    }
    return list_inputs(m, BG__TAPE_ENCLOSE, n, &m->switch_inputs, &m->dae.n_switch_inputs);
}

/* Room for the enclosures. */
static void reserve_enclosure(bg_model *m, size_t n)
{
    m->clock_high = m->dae.work_size;
    m->dae.work_size += ha__tape_work_size(m->tapes[BG__TAPE_CLOCK]);
    m->enclosure = m->dae.work_size;
    m->dae.work_size += BG__ENCLOSURE_ARRAYS * ha__tape_work_size(m->tapes[BG__TAPE_ENCLOSE]);
    m->dae.work_size += BG__ENCLOSURE_RESULTS * n;
}

ha_status bg__model_compile_switches(bg__compiler *c)
{
    size_t n = c->switches.items.count;
    bg_model *m = c->m;
    ha_expr *g = NULL;
    ha_status status = HA_OK;

    HA_TRY_ALLOC_EACH(m->ctx, n, m->switches, m->is_clock, m->is_turned);
    HA_TRY_ALLOC(m->ctx, g, 2 * n);
    for (size_t i = 0; i < n && status == HA_OK; i++) {
        g[i] = c->switches.items.items[i].g;
        m->is_clock[i] = c->switches.items.items[i].is_clock;
        status = name_switch(c, i);
        HA_THEN(status, bg__model_reads_solved(c, g[i], &m->dae.switching_reads_solved));
    }
    HA_THEN(status, add_switch_tapes(c, g, g + n, n));
    HA_THEN(status, list_switch_inputs(c, g, n));
    ha__free(g);
    HA_TRY(status);
    reserve_enclosure(m, n);
    return HA_OK;
}

/* What is held between events: the values are taken as they stand, from the state at the event. */
ha_status bg__model_compile_holds(bg__compiler *c)
{
    size_t n = c->q->holds.count;
    bg_model *m = c->m;
    ha_expr *roots = NULL;

    HA_TRY_ALLOC_EACH(m->ctx, n, m->holds, roots);
    for (size_t i = 0; i < n; i++) {
        const bg__eq_hold *hold = &c->q->holds.items[i];
        roots[i] = hold->sample;
        m->holds[i] =
            (ha_dae_hold){ hold->unknown, c->hold_side[i],
                           c->q->unknowns.items[hold->unknown].solver.start, hold->is_sampled };
    }
    m->dae.n_holds = (int) n;
    m->dae.holds = m->holds;
    ha_status status = bg__model_add_tape(c, BG__TAPE_SAMPLE, roots, n);
    ha__free(roots);
    HA_THEN(status, list_inputs(m, BG__TAPE_SAMPLE, n, &m->sample_inputs, &m->dae.n_sample_inputs));
    m->dae.sample_inputs = m->sample_inputs;
    return status;
}

/* What must not jump at an event: the stored energy and the constraints, with their sides held.
   Without switches there are no events. */
static ha_status compile_kept(bg__compiler *c)
{
    size_t n = c->switches.items.count > 0 ? c->q->checks.count + 1 : 0;
    bg_model *m = c->m;

    HA_TRY_ALLOC_EACH(m->ctx, n, m->continuous, m->round_off);
    for (size_t i = 0; i < n; i++) {
        m->continuous[i] = i == 0 ? "stored energy" : m->constraints[i - 1];
        m->round_off[i] = i == 0 ? 0.0 : 1e-12; /* constraints are small differences */
    }
    m->dae.round_off = m->round_off;
    m->dae.n_continuous = (int) n;
    m->dae.continuous = m->continuous;
    return bg__model_add_tape(c, BG__TAPE_KEEP, c->kept, n);
}

static ha_status name_constraints(bg__compiler *c)
{
    size_t n = c->q->checks.count;
    bg_model *m = c->m;

    m->n_constraints = (int) n;
    HA_TRY_ALLOC_EACH(m->ctx, n, m->is_position, m->is_released, m->constraints);
    for (size_t i = 0; i < n; i++) {
        const bg__eq_check *check = &c->q->checks.items[i];
        m->is_position[i] = check->is_position;
        m->is_released[i] = check->is_released;
        HA_TRY_GET(m->constraints[i], bg__model_keep(m, c->q->rows.items[check->row].name));
    }
    return HA_OK;
}

/* Watched: the constraints, the unknowns, the energy book. */
static ha_status compile_checks(bg__compiler *c)
{
    const ha_expr book[BG__BOOK_COUNT] = { c->q->kinetic, c->q->gain, c->q->passed,
                                           c->q->energy_error };
    size_t n = c->q->checks.count, n_unknowns = c->q->unknowns.count, at = 0;
    bg_model *m = c->m;
    ha_expr *roots = NULL;

    HA_TRY(name_constraints(c));
    HA_TRY(bg__model_reads_solved(c, c->q->energy_error, &m->dae.check_reads_solved));
    for (size_t i = 0; i < n; i++) {
        HA_TRY(bg__model_reads_solved(c, c->q->checks.items[i].value, &m->dae.check_reads_solved));
    }
    HA_TRY_ALLOC(m->ctx, roots, n + n_unknowns + BG__BOOK_COUNT);
    for (size_t i = 0; i < n; i++) {
        roots[at++] = c->q->checks.items[i].value;
    }
    for (size_t i = 0; i < n_unknowns; i++) {
        roots[at++] = c->q->unknowns.items[i].y;
    }
    for (size_t i = 0; i < BG__BOOK_COUNT; i++) {
        roots[at++] = book[i];
    }
    m->dae.n_checks = (int) at;
    m->dae.n_columns = BG__BOOK_ERROR;
    return ha__then_free(bg__model_add_tape(c, BG__TAPE_CHECK, roots, at), roots);
}

/* Whether check number `i` is the flow of a constraint that has a position level. */
static bool has_position(const bg__compiler *c, size_t i)
{
    const bg__eq_check *check = &c->q->checks.items[i];

    return i > 0 && check[-1].is_position && check[-1].row == check->row;
}

/* Whether a flow is one of velocities, of positions and the time, and of nothing else. */
static ha_status is_of_velocities(const bg__compiler *c, ha_expr flow, bool *out)
{
    const bg_equations *q = c->q;
    const ha_expr *symbols = NULL;
    bool has_velocity = false, has_other = false;
    size_t n = 0;

    HA_TRY(ha__dag_symbols(c->dag, flow, &symbols, &n));
    for (size_t i = 0; i < n; i++) {
        int u = bg__unknown_of(q, symbols[i]);
        ha_motion motion = u < 0 ? HA_NO_MOTION : q->unknowns.items[u].solver.motion;
        has_velocity = has_velocity || motion == HA_VELOCITY;
        has_other = has_other || (u >= 0 && motion == HA_NO_MOTION);
    }
    *out = has_velocity && !has_other;
    return HA_OK;
}

/* The constraint that check number `i` is the flow of counts among the conditions of motion when
   its row is stabilised and nothing but velocities and positions is in it: so it is with a position
   level. */
static ha_status is_condition(const bg__compiler *c, size_t i, bool *out)
{
    const bg__eq_check *check = &c->q->checks.items[i];

    *out = !check->is_position && !check->is_released &&
           !c->q->unknowns.items[check->row].is_algebraic;
    return !*out || has_position(c, i) ? HA_OK : is_of_velocities(c, check->value, out);
}

static ha_status compile_conditions(bg__compiler *c)
{
    const bg_equations *q = c->q;
    bg_model *m = c->m;
    ha_expr *roots = NULL;
    bool is_one = false;
    int n = 0, at = 0;

    for (size_t i = 0; i < q->checks.count; i++) {
        HA_TRY(is_condition(c, i, &is_one));
        n += is_one ? 1 : 0;
    }
    HA_TRY_ALLOC_EACH(m->ctx, n, m->condition_row, m->lacks_place);
    HA_TRY_ALLOC(m->ctx, roots, 2 * (size_t) n);
    ha_status status = HA_OK;
    for (size_t i = 0; i < q->checks.count && status == HA_OK; i++) {
        const bg__eq_check *flow = &q->checks.items[i];
        status = is_condition(c, i, &is_one);
        if (status == HA_OK && is_one) {
            m->condition_row[at] = flow->row;
            m->lacks_place[at] = !has_position(c, i);
            roots[at] = has_position(c, i) ? c->kept[i] : ha_constant(c->dag, 0.0);
            roots[n + at++] = c->kept[i + 1]; /* of check i, with its sides held */
        }
    }
    m->dae.n_conditions = n;
    m->dae.lacks_place = m->lacks_place;
    m->dae.condition_row = m->condition_row;
    HA_THEN(status, ha_dag_status(c->dag));
    HA_THEN(status, bg__model_add_tape(c, BG__TAPE_CONDITION, roots, 2 * (size_t) n));
    m->dae.work_size += 2 * (size_t) n; /* what it gives, behind its work array */
    ha__free(roots);
    return status;
}

/* Says which equations are constraints on some sides alone. */
static ha_status list_switched(const bg__compiler *c)
{
    const bg_equations *q = c->q;
    bg_model *m = c->m;

    HA_TRY_ALLOC(m->ctx, m->is_switched, q->unknowns.count);
    for (size_t i = 0; i < q->manifold.count; i++) {
        int row = q->manifold.items[i].switched - 1;
        if (row >= 0) {
            m->is_switched[row] = 1;
            m->dae.is_switched = m->is_switched;
        }
    }
    return HA_OK;
}

ha_status bg__model_compile_watched(bg__compiler *c)
{
    HA_TRY(list_switched(c));
    HA_TRY(compile_checks(c));
    HA_TRY(compile_kept(c));
    return compile_conditions(c);
}
