/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the causal system to equations in states and multipliers alone.
 *
 * The rates (storages in derivative causality) are inserted in causal order; after that every
 * effort and flow is an expression of t, the unknowns y and their derivatives y'. A row of a
 * residual sink with the flow f and, at position level, phi becomes (Baumgarte 1972)
 *     df/dt + 2 alpha f + beta^2 phi = 0,
 * with d/dt the total derivative, explicit time included. A sink whose flow contains a multiplier
 * or a derivative is an algebraic equation for it already and stands as f = 0. A tear s, which
 * closes an algebraic loop, keeps its row s - g = 0; where s' is asked for, it becomes an unknown
 * too, with the row d(s - g)/dt = 0 (reduce.c).
 */
#include <config.h>

#include "bondgraph/equations/equations_priv.h"

#include "bondgraph/causality/causal_order.h"
#include "bondgraph/causality/solvable.h"
#include "bondgraph/elements/emit.h"
#include "lib/core/need.h"
#include "lib/core/number.h"
#include "lib/expr/expr_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ha_status bg__equation_value(bg_equations *q, ha_expr value, ha_expr *out)
{
    HA_TRY(ha_dag_status(q->dag));
    return ha_resolve(q->dag, value, out);
}

const char *bg__equation_text(bg_equations *q, const char *text)
{
    return ha__arena_text(q->ctx, &q->arena, text, strlen(text));
}

/* --- unknowns ------------------------------------------------------------------------------- */

static double at_start(void *user, ha_expr symbol)
{
    const bg_equations *q = user;

    for (size_t i = 0; i < q->variables.count; i++) {
        if (q->variables.items[i].symbol == symbol) {
            return q->variables.items[i].value;
        }
    }
    for (size_t i = 0; i < 3 * q->inputs.count; i++) {
        if (q->inputs.items[i / 3].level[i % 3] == symbol) {
            return 0.0; /* a deviation */
        }
    }
    return symbol == q->time ? 0.0 : (double) NAN;
}

int bg__unknown_of(const bg_equations *q, ha_expr symbol)
{
    return symbol < q->n_nodes ? q->unknown_of[symbol] : -1;
}

static ha_status index_unknowns(bg_equations *q)
{
    q->n_nodes = ha_dag_size(q->dag);
    HA_TRY_ALLOC(q->ctx, q->unknown_of, q->n_nodes);
    memset(q->unknown_of, -1, (size_t) q->n_nodes * sizeof *q->unknown_of);
    for (size_t i = 0; i < q->unknowns.count; i++) {
        q->unknown_of[q->unknowns.items[i].y] = (int) i;
    }
    return HA_OK;
}

/* What a value of 0 means to the user, should it leave the unknown undetermined. */
static ha_status explain_absence(bg_equations *q, const bg__element *e, bg__eq_unknown *unknown)
{
    unknown->where = e->where;
    if (e->where.file != NULL) {
        HA_TRY_GET(unknown->where.file, bg__equation_text(q, e->where.file));
    }
    unknown->absence = bg__absence_text(q->ctx, &q->arena, e);
    return unknown->absence == NULL ? HA_ERR_MEMORY : HA_OK;
}

/* The derivatives that are unknowns of their own: each takes the place of y' over, and the unknown
   gets another y', which nothing reads. */
static ha_status add_rates(bg_equations *q)
{
    const bg__system *s = q->causality->system;

    for (size_t i = 0; i < s->rows.count; i++) {
        int j = q->reduction.rate_of[i];
        if (j < 0) {
            continue;
        }
        const char *name = ha_symbol_name(q->dag, q->unknowns.items[j].yp);
        bg__eq_unknown rate = { .name = bg__equation_text(q, name),
                                .kind = BG__RATE,
                                .y = q->unknowns.items[j].yp,
                                .yp = ha_symbol(q->dag, "unused") };
        rate.title = rate.name;
        q->unknowns.items[j].yp = ha_symbol(q->dag, "unused");
        HA_TRY(rate.name == NULL ? HA_ERR_MEMORY : ha_dag_status(q->dag));
        HA_TRY_PUSH(q->ctx, &q->unknowns, rate);
    }
    return HA_OK;
}

/* What they are follows when they are compiled. */
static ha_status resolve_measures(bg_equations *q, const bg__measures *given, bg__measures *out)
{
#define MEASURE(field, value, sentence)                                                            \
    out->field = HA_EXPR_NONE;                                                                     \
    HA_TRY(given->field == HA_EXPR_NONE ? HA_OK : bg__equation_value(q, given->field, &out->field));
#include "lib/unknown.def"
#undef MEASURE
    return ha_dag_status(q->dag);
}

static ha_status add_measures(bg_equations *q)
{
    const bg__system *s = q->causality->system;
    const bg__measures none = bg__measures_of(NULL);

    for (size_t i = 0; i < q->unknowns.count; i++) {
        const bg__measures *given = i < s->unknowns.count ? &s->unknowns.items[i].measures : &none;
        HA_TRY(resolve_measures(q, given, &q->unknowns.items[i].measures));
    }
    return HA_OK;
}

/* Inertias carry speeds; what integrates a flow is a position. */
static ha_motion motion_of(const bg__system *s, const bg__unknown *u)
{
    if (u->kind == BG__MULTIPLIER || u->hold != NULL) {
        return HA_NO_MOTION;
    }
    return u->kind == BG__STATE &&
                   s->graph->elements.items[u->element].type->book == BG_BOOK_KINETIC
               ? HA_VELOCITY
               : HA_POSITION;
}

/* A storage without start value may start with any; bodies, which have sizes, are assembled. */
static bool start_follows(const bg__system *s, const bg__unknown *u)
{
    const bg__type *type = s->graph->elements.items[u->element].type;

    return u->kind == BG__STATE && type->stage == BG__STAGE_STORAGE && u->start == HA_EXPR_NONE &&
           u->measures.size == HA_EXPR_NONE;
}

/* The momenta and displacements of the storages whose states these are. */
static ha_status add_contents(bg_equations *q)
{
    const bg__system *s = q->causality->system;

    for (size_t i = 0; i < q->unknowns.count; i++) {
        ha_expr content = i < s->unknowns.count && s->unknowns.items[i].kind == BG__STATE
                              ? s->content[s->unknowns.items[i].element]
                              : HA_EXPR_NONE;
        if (content != HA_EXPR_NONE) {
            HA_TRY(bg__equation_value(q, content, &q->unknowns.items[i].content));
        }
    }
    return HA_OK;
}

static ha_status add_unknowns(bg_equations *q)
{
    const bg__system *s = q->causality->system;

    for (size_t i = 0; i < s->unknowns.count; i++) {
        const bg__unknown *u = &s->unknowns.items[i];
        bg__eq_unknown unknown = {
            .name = bg__equation_text(q, u->name), .kind = u->kind, .y = u->y, .yp = u->yp
        };
        unknown.title = unknown.name;
        unknown.solver.motion = motion_of(s, u);
        unknown.solver.is_stored = u->kind == BG__STATE;
        unknown.follows = start_follows(s, u);
        HA_TRY_MEMORY(unknown.name);
        if (u->is_rate_absent) {
            HA_TRY(explain_absence(q, &s->graph->elements.items[u->element], &unknown));
        }
        if (u->start != HA_EXPR_NONE) {
            ha_expr start = HA_EXPR_NONE;
            HA_TRY(bg__equation_value(q, u->start, &start));
            unknown.start = start;
            unknown.solver.start = ha_expr_value(q->dag, start, at_start, q);
            HA_TRY(ha_dag_status(q->dag));
        }
        if (!isfinite(unknown.solver.start)) {
            return ha_fail(q->ctx, HA_ERR_VALUE, s->graph->elements.items[u->element].where,
                           "the start value of `%s` is not a finite number at t = 0; give it as a "
                           "number, or as an expression of parameters",
                           s->graph->elements.items[u->element].name);
        }
        HA_TRY_PUSH(q->ctx, &q->unknowns, unknown);
    }
    HA_TRY(add_rates(q));
    HA_TRY(index_unknowns(q));
    HA_TRY(add_contents(q));
    return add_measures(q);
}

/* What the unknowns that hold a value take, and when. */
static ha_status add_holds(bg_equations *q)
{
    const bg__system *s = q->causality->system;

    for (size_t i = 0; i < s->unknowns.count; i++) {
        bg__eq_hold hold = { (int) i, HA_EXPR_NONE, HA_EXPR_NONE, s->unknowns.items[i].is_sampled };
        const ha_expr *given = s->unknowns.items[i].hold;
        if (given != NULL) {
            HA_TRY(bg__equation_value(q, given[0], &hold.when));
            HA_TRY(bg__equation_value(q, given[1], &hold.sample));
            HA_TRY_PUSH(q->ctx, &q->holds, hold);
        }
    }
    return HA_OK;
}

/* --- rows ----------------------------------------------------------------------------------- */

static ha_status stabilise(bg_equations *q, ha_expr f, ha_expr phi, ha_expr *out)
{
    ha_expr rate = HA_EXPR_NONE, sum = HA_EXPR_NONE;

    HA_TRY(ha_dt(q->dag, f, &rate));
    sum = ha_mul(q->dag, ha_mul(q->dag, ha_constant(q->dag, 2.0), q->alpha), f);
    sum = ha_add(q->dag, rate, sum);
    if (phi != HA_EXPR_NONE) {
        sum = ha_add(q->dag, sum, ha_mul(q->dag, ha_mul(q->dag, q->beta, q->beta), phi));
    }
    *out = sum;
    return ha_dag_status(q->dag);
}

/* What the solver watches of a sink. */
static ha_status add_checks(bg_equations *q, ha_expr f, ha_expr phi)
{
    if (phi != HA_EXPR_NONE) {
        HA_TRY_PUSH(q->ctx, &q->checks, (bg__eq_check){ true, false, (int) q->rows.count, phi });
    }
    HA_TRY_PUSH(q->ctx, &q->checks, (bg__eq_check){ false, false, (int) q->rows.count, f });
    return HA_OK;
}

static ha_status push_row(bg_equations *q, const char *what, const char *name, ha_expr value)
{
    const char *text = ha__arena_format(q->ctx, &q->arena, "%s of %s", what, name);

    HA_TRY(text == NULL ? HA_ERR_MEMORY : ha_dag_status(q->dag));
    HA_TRY_PUSH(q->ctx, &q->rows, (bg__eq_row){ text, value });
    return HA_OK;
}

/* The other equation of a switch, where it is on that side. */
static ha_status switch_row(bg_equations *q, const bg__row *row, ha_expr *value)
{
    ha_expr when = HA_EXPR_NONE, instead = HA_EXPR_NONE;

    if (row->when == HA_EXPR_NONE) {
        return HA_OK;
    }
    HA_TRY(bg__equation_value(q, row->when, &when));
    HA_TRY(bg__equation_value(q, row->instead, &instead));
    *value = ha_apply(q->dag, HA_OP_IF, when, instead, *value);
    return ha_dag_status(q->dag);
}

static ha_status add_row(bg_equations *q, int i)
{
    static const char *const kinds[] = {
        [BG__ROW_STATE] = "balance", [BG__ROW_CONSTRAINT] = "constraint", [BG__ROW_LOOP] = "loop"
    };
    const bg__row *row = &q->causality->system->rows.items[i];
    bg__row_form form = q->reduction.form[i];
    ha_expr value = HA_EXPR_NONE, phi = HA_EXPR_NONE;

    HA_TRY(bg__reduced_row(q->causality->system, &q->reduction, q->dag, i, &value));
    if (row->phi != HA_EXPR_NONE) {
        HA_TRY(bg__equation_value(q, row->phi, &phi));
    }
    bg__deviate_row(q, i, &value, &phi);
    if (row->when != HA_EXPR_NONE) {
        q->unknowns.items[i].is_algebraic = true; /* in one of its states, at least */
    } else if (row->kind == BG__ROW_CONSTRAINT) {
        HA_TRY(add_checks(q, value, phi));
        /* the unknown of an element and its row are added together */
        q->unknowns.items[i].is_algebraic = form != BG__STABILISED;
    }
    if (form == BG__STABILISED) {
        if (row->kind != BG__ROW_CONSTRAINT) { /* a constraint of states: its drift is watched */
            HA_TRY_PUSH(q->ctx, &q->checks,
                        (bg__eq_check){ false, false, (int) q->rows.count, value });
        }
        int switched = row->when != HA_EXPR_NONE ? i + 1 : 0;
        if (phi != HA_EXPR_NONE) {
            HA_TRY_PUSH(q->ctx, &q->manifold,
                        (bg__eq_condition){ BG__CONDITION_POSITION, phi, switched });
        }
        HA_TRY_PUSH(q->ctx, &q->manifold,
                    (bg__eq_condition){ BG__CONDITION_FLOW, value, switched });
        HA_TRY(stabilise(q, value, phi, &value));
    }
    HA_TRY(switch_row(q, row, &value));
    return push_row(q, kinds[row->kind], row->name, value);
}

static ha_status add_rows(bg_equations *q)
{
    const bg__system *s = q->causality->system;

    for (size_t i = 0; i < s->rows.count; i++) {
        HA_TRY(add_row(q, (int) i));
    }
    for (size_t i = 0; i < s->rows.count; i++) {
        ha_expr rate = HA_EXPR_NONE;
        if (q->reduction.rate_of[i] >= 0) {
            HA_TRY(ha_dt(q->dag, q->rows.items[i].value, &rate));
            HA_TRY(push_row(q, "derivative of the loop", s->rows.items[i].name, rate));
        }
    }
    return HA_OK;
}

/* The positions that explicit sinks bring to 0 are part of the manifold, too. */
static ha_status add_explicit_positions(bg_equations *q)
{
    bg__system *s = q->causality->system;

    for (int i = 0; i < (int) s->graph->elements.count; i++) {
        const bg__element *e = &s->graph->elements.items[i];
        bg__emitter em = bg__emitter_of(q, s, i);
        ha_expr phi = e->type->stage == BG__STAGE_SINK ? bg__position(&em) : HA_EXPR_NONE;
        if (phi != HA_EXPR_NONE && bg__effort_arrives(&em, 0) == e->type->preferred) {
            HA_TRY(bg__equation_value(q, phi, &phi));
            HA_TRY_PUSH(q->ctx, &q->manifold, (bg__eq_condition){ BG__CONDITION_IMPOSED, phi, 0 });
        }
    }
    return HA_OK;
}

/* --- values --------------------------------------------------------------------------------- */

/* The values that vary, by element: they explain a start that cannot be evaluated. */
static ha_status add_values(bg_equations *q)
{
    const bg__system *s = q->causality->system;

    for (size_t i = 0; i < s->graph->elements.count; i++) {
        const bg__element *e = &s->graph->elements.items[i];
        bg__eq_value value = { NULL, e->where, HA_EXPR_NONE };
        HA_TRY(bg__equation_value(q, s->value[i], &value.value));
        if (ha_expr_is_constant(q->dag, value.value, NULL)) {
            continue;
        }
        HA_TRY_GET(value.name, bg__equation_text(q, e->name));
        if (e->where.file != NULL) {
            value.where.file = bg__equation_text(q, e->where.file);
        }
        HA_TRY_PUSH(q->ctx, &q->values, value);
    }
    return HA_OK;
}

/* --- outputs -------------------------------------------------------------------------------- */

static ha_status add_outputs(bg_equations *q)
{
    const bg_graph *graph = q->causality->system->graph;

    for (size_t i = 0; i < graph->outputs.count; i++) {
        const bg__output *output = &graph->outputs.items[i];
        HA_TRY(bg__add_equation_output(q, output->name, output->unit, output->value));
    }
    return HA_OK;
}

/* An unknown that an output shows goes by that name in messages: by its own where there is such an
   output (`I.f`), else by the first. */
static ha_status title_unknowns(bg_equations *q)
{
    int n = ha_dag_size(q->dag);
    const char **title = ha__alloc(q->ctx, (size_t) n, sizeof *title);

    HA_TRY_MEMORY(title);
    for (size_t i = q->outputs.count; i-- > 0;) {
        const char **named = &title[q->outputs.items[i].value];
        int u = bg__unknown_of(q, q->outputs.items[i].value);
        if (u < 0 || *named == NULL || strcmp(*named, q->unknowns.items[u].name) != 0) {
            *named = q->outputs.items[i].name;
        }
    }
    for (size_t i = 0; i < q->unknowns.count; i++) {
        bg__eq_unknown *u = &q->unknowns.items[i];
        u->title = title[u->y] != NULL ? title[u->y] : u->name;
    }
    ha__free(title);
    return HA_OK;
}

/* --- start values of dependent storages ----------------------------------------------------- */

/* The given start of a storage that depends on others; the start of a run tells whether it
   agrees. */
static ha_status add_dependent(bg_equations *q, int element)
{
    bg__system *s = q->causality->system;
    const bg__element *e = &s->graph->elements.items[element];
    bg__emitter em = bg__emitter_of(q, s, element);
    bg__eq_dependent d = { .where = e->where, .is_momentum = e->type->book == BG_BOOK_KINETIC };
    ha_expr start = bg__start(&em);

    if (start == HA_EXPR_NONE) {
        return HA_OK;
    }
    HA_TRY(bg__equation_value(q, bg__content(&em), &d.content));
    HA_TRY(bg__equation_value(q, start, &start));
    d.given = ha_expr_value(q->dag, start, at_start, q);
    d.start = start;
    d.name = bg__equation_text(q, e->name);
    if (d.where.file != NULL) {
        d.where.file = bg__equation_text(q, d.where.file);
    }
    HA_TRY(d.name == NULL || (e->where.file != NULL && d.where.file == NULL) ? HA_ERR_MEMORY
                                                                             : HA_OK);
    HA_TRY(ha_dag_status(q->dag));
    HA_TRY_PUSH(q->ctx, &q->dependents, d);
    return HA_OK;
}

static ha_status add_dependents(bg_equations *q)
{
    for (size_t i = 0; i < q->causality->roles[BG_DERIVATIVE].count; i++) {
        HA_TRY(add_dependent(q, q->causality->roles[BG_DERIVATIVE].items[i]));
    }
    return HA_OK;
}

/* --- the whole ------------------------------------------------------------------------------ */

/* Names of inputs of a linearisation, and of variables. */
typedef struct {
    const char *const *inputs, *const *variables;
    int n_inputs, n_variables;
} wanted;

static ha_status derive(bg_equations *q, const wanted *names)
{
    const bg__system *s = q->causality->system;

    q->time = s->graph->time;
    q->alpha = s->alpha;
    q->beta = s->beta;
    q->cj = ha_symbol(q->dag, "cj");
    for (size_t i = 0; i < s->graph->elements.count; i++) {
        q->keeps_alpha = q->keeps_alpha || s->graph->elements.items[i].type->reads_alpha;
    }
    q->energy_start = ha_symbol(q->dag, "stored energy at the start");
    q->work = ha_symbol(q->dag, "energy.supplied");
    q->loss = ha_symbol(q->dag, "energy.dissipated");
    q->passed = ha_symbol(q->dag, "energy passed");
    HA_TRY(bg__add_variables(q, names->variables, names->n_variables));
    HA_TRY(bg__add_inputs(q, names->inputs, names->n_inputs));
    HA_TRY(bg__system_derive(s, q->dag));
    if (s->rows.count != s->unknowns.count) {
        return ha_fail(q->ctx, HA_ERR_INTERNAL, HA_NOWHERE,
                       "the laws of the elements give %zu equations for %zu unknowns; report this "
                       "as a fault of the program",
                       s->rows.count, s->unknowns.count);
    }
    HA_TRY(bg__system_reduce(s, q->dag, &q->reduction));
    HA_TRY(add_unknowns(q));
    HA_TRY(add_rows(q));
    bg__system_use_kept(s, q->dag); /* outputs are not differentiated */
    HA_TRY(add_explicit_positions(q));
    HA_TRY(add_holds(q));
    HA_TRY(add_values(q));
    HA_TRY(bg__add_energy(q));
    HA_TRY(add_outputs(q));
    HA_TRY(bg__add_energy_outputs(q));
    HA_TRY(title_unknowns(q));
    return add_dependents(q);
}

/* What is wrong was reported when causality was assigned; a call after that was cleared must not be
   silent. */
static ha_status refuse_unsound(const bg_causality *c)
{
    if (ha_ctx_n_errors(c->ctx) > 0) {
        return bg_causality_status(c);
    }
    return ha_fail(
        c->ctx, bg_causality_status(c), HA_NOWHERE,
        "no equations follow from a graph of class %s (%s); mend what its analysis names",
        bg_class_name(c->kind), bg_causality_text(c));
}

static ha_status derive_all(const bg_causality *causality, const wanted *names, bg_equations **out)
{
    bg_equations *q = NULL;

    if (bg_causality_status(causality) != HA_OK) {
        return refuse_unsound(causality);
    }
    q = ha__alloc(causality->ctx, 1, sizeof *q);
    HA_TRY_MEMORY(q);
    q->ctx = causality->ctx;
    q->causality = causality;
    q->dag = ha_dag_clone(causality->system->graph->dag);

    ha_status status = q->dag == NULL ? HA_ERR_MEMORY : derive(q, names);
    if (q->dag != NULL) {
        ha__dag_forget(q->dag); /* what was resolved and derived is as large as the graph itself */
    }
    q->causality = NULL;
    bg__reduction_clear(&q->reduction);
    return HA_GIVE(status, q, bg_equations_free, out);
}

ha_status bg_equations_derive_with(const bg_causality *causality, const char *const *inputs,
                                   int n_inputs, bg_equations **out)
{
    HA_NEED_OF(causality, out != NULL && (inputs != NULL || n_inputs <= 0));
    return derive_all(causality, &(wanted){ .inputs = inputs, .n_inputs = n_inputs }, out);
}

ha_status bg_equations_derive_varied(const bg_causality *causality, const char *const *variables,
                                     int n_variables, bg_equations **out)
{
    HA_NEED_OF(causality, out != NULL && (variables != NULL || n_variables <= 0));
    return derive_all(causality, &(wanted){ .variables = variables, .n_variables = n_variables },
                      out);
}

ha_status bg_equations_derive(const bg_causality *causality, bg_equations **out)
{
    return bg_equations_derive_with(causality, NULL, 0, out);
}

void bg_equations_free(bg_equations *q)
{
    if (q == NULL) {
        return;
    }
    ha_dag_free(q->dag);
    ha__free(q->unknown_of);
    HA_ARRAY_CLEAR(&q->unknowns, &q->rows, &q->outputs, &q->checks, &q->values, &q->dependents,
                   &q->holds, &q->losses);
    HA_ARRAY_CLEAR(&q->inputs, &q->variables, &q->fixed, &q->manifold, &q->powers);
    ha__arena_clear(&q->arena);
    ha__free(q);
}
