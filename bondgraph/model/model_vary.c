/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Models with other values of their variables.
 *
 * A variable is an input of all tapes, written into their work arrays when a run begins. So nothing
 * is compiled again for another value: a copy of a model has values, start values and what follows
 * from these of its own, and shares all else.
 */
#include <config.h>

#include "bondgraph/model/model_compile.h"

#include "lib/core/need.h"
#include "lib/core/number.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* --- compilation ---------------------------------------------------------------------------- */

ha_status bg__model_list_variables(bg__compiler *c)
{
    const bg_equations *q = c->q;
    bg_model *m = c->m;

    m->variables_at = c->inputs.count;
    m->n_variables = (int) q->variables.count;
    HA_TRY_ALLOC_EACH(m->ctx, m->n_variables, m->variables, m->values_now);
    for (int i = 0; i < m->n_variables; i++) {
        HA_TRY_PUSH(q->ctx, &c->inputs, q->variables.items[i].symbol);
        m->values_now[i] = q->variables.items[i].value;
        HA_TRY_GET(m->variables[i], bg__model_keep(m, q->variables.items[i].name));
    }
    return HA_OK;
}

/* Whether a start value may be another where variables have other values. */
static bool may_vary(const bg__compiler *c, ha_expr start)
{
    return c->m->n_variables > 0 && start != HA_EXPR_NONE &&
           !ha_expr_is_constant(c->dag, start, NULL);
}

/* The initial values under way. */
typedef struct {
    bg__compiler *c;
    ha_expr *roots;
} initial_list;

static void add_initial(initial_list *list, int of, size_t field, double usual, ha_expr value)
{
    bg_model *m = list->c->m;

    list->roots[m->n_initial] = value;
    m->initial[m->n_initial++] = (bg__initial){ of, field, usual };
}

static void add_starts(initial_list *list)
{
    const bg_equations *q = list->c->q;
    const size_t start = offsetof(ha_dae_unknown, start);

    for (size_t i = 0; i < q->unknowns.count; i++) {
        if (may_vary(list->c, q->unknowns.items[i].start)) {
            add_initial(list, (int) i, start, 0.0, q->unknowns.items[i].start);
        }
    }
    for (size_t i = 0; i < q->dependents.count; i++) {
        if (may_vary(list->c, q->dependents.items[i].start)) {
            add_initial(list, (int) (q->unknowns.count + i), start, 0.0,
                        q->dependents.items[i].start);
        }
    }
    list->c->m->n_starts = list->c->m->n_initial;
}

/* The size that an expression is, or the usual one where it is none. */
static double size_of(double value, double usual)
{
    return isfinite(value) && value != 0.0 ? fabs(value) : usual;
}

static double *field_of(ha_dae_unknown *unknown, size_t field)
{
    return (double *) ((char *) unknown + field);
}

/* Takes a measure that is a number, lists another. */
static void add_measure(initial_list *list, int i, size_t field, double usual, ha_expr value)
{
    double number = (double) NAN;

    if (value != HA_EXPR_NONE && !ha_expr_is_constant(list->c->dag, value, &number)) {
        add_initial(list, i, field, usual, value);
    }
    *field_of(&list->c->m->unknowns[i], field) = size_of(number, usual);
}

static void add_measures(initial_list *list)
{
    const bg_equations *q = list->c->q;

    for (size_t i = 0; i < q->unknowns.count; i++) {
        const bg__measures *measures = &q->unknowns.items[i].measures;
#define MEASURE(field, value, sentence)                                                            \
    add_measure(list, (int) i, offsetof(ha_dae_unknown, field), (value), measures->field);
#include "lib/unknown.def"
#undef MEASURE
    }
}

ha_status bg__model_compile_initial(bg__compiler *c)
{
    const size_t n_measures = sizeof(bg__measures) / sizeof(ha_expr);
    size_t n = (1 + n_measures) * c->q->unknowns.count + c->q->dependents.count;
    initial_list list = { c, NULL };
    bg_model *m = c->m;

    HA_TRY_ALLOC_EACH(m->ctx, n, m->initial, list.roots);
    add_starts(&list);
    add_measures(&list);
    return ha__then_free(bg__model_add_tape(c, BG__TAPE_INITIAL, list.roots, (size_t) m->n_initial),
                         list.roots);
}

/* --- other values --------------------------------------------------------------------------- */

int bg_model_n_variables(const bg_model *model)
{
    HA_NEED_ELSE(model != NULL, 0);
    return model->n_variables;
}

const char *bg_model_variable_name(const bg_model *model, int i)
{
    HA_NEED_ELSE(model != NULL && HA_IS_INDEX(i, model->n_variables), "");
    return model->variables[i];
}

double bg_model_variable(const bg_model *model, int i)
{
    HA_NEED_ELSE(model != NULL && HA_IS_INDEX(i, model->n_variables), (double) NAN);
    return model->values_now[i];
}

/* Copies an array of n items of a size into `*array`, which pointed to those of another model. */
static ha_status own(ha_ctx *ctx, void **array, size_t n, size_t size)
{
    const void *from = *array;

    HA_TRY_GET(*array, ha__alloc(ctx, n, size));
    if (n > 0) {
        memcpy(*array, from, n * size);
    }
    return HA_OK;
}

ha_status bg_model_copy(ha_ctx *ctx, const bg_model *model, bg_model **out)
{
    HA_NEED(ctx, ctx != NULL && model != NULL && out != NULL);
    bg_model *m = ha__alloc(ctx, 1, sizeof *m);
    void *arrays[4] = { model->values_now, model->unknowns, model->holds, model->dependents };
    const size_t n[4] = { (size_t) model->n_variables, (size_t) model->dae.n,
                          (size_t) model->dae.n_holds, (size_t) model->n_dependents };
    const size_t size[4] = { sizeof *model->values_now, sizeof *model->unknowns,
                             sizeof *model->holds, sizeof *model->dependents };
    ha_status status = m == NULL ? HA_ERR_MEMORY : HA_OK;
    int done = 0;

    while (done < 4 && status == HA_OK) {
        status = own(ctx, &arrays[done], n[done], size[done]);
        done += status == HA_OK ? 1 : 0;
    }
    if (status != HA_OK) {
        ha__free_all(arrays, (size_t) done);
        ha__free(m);
        return status;
    }
    *m = *model;
    m->ctx = ctx;
    m->is_copy = true;
    m->values_now = arrays[0];
    m->dae.unknowns = m->unknowns = arrays[1];
    m->dae.holds = m->holds = arrays[2];
    m->dependents = arrays[3];
    m->dae.model = m;
    *out = m;
    return HA_OK;
}

/* The tape reads the variables, and y at the start. */
static void evaluate_initial(const bg_model *m, double *work, double *found)
{
    for (int i = 0; i < m->dae.n; i++) {
        work[BG__IN_Y + i] = m->unknowns[i].start;
        work[BG__IN_Y + m->dae.n + i] = (double) NAN;
    }
    ha__tape_run(m->tapes[BG__TAPE_INITIAL], work, found);
}

static ha_status take_starts(bg_model *m, const double *found)
{
    for (int i = 0; i < m->n_starts; i++) {
        int k = m->initial[i].of;
        bool is_unknown = k < m->dae.n;
        if (is_unknown) {
            m->unknowns[k].start = found[i];
        } else {
            m->dependents[k - m->dae.n].given = found[i];
        }
        if (!isfinite(found[i])) {
            return ha_fail(m->ctx, HA_ERR_VALUE, HA_NOWHERE,
                           "the start value of `%s` is not a finite number with these values of "
                           "the parameters",
                           is_unknown ? m->names[k] : m->dependents[k - m->dae.n].name);
        }
    }
    for (int i = 0; i < m->dae.n_holds; i++) {
        m->holds[i].rest = m->unknowns[m->holds[i].unknown].start;
    }
    return HA_OK;
}

static void take_measures(bg_model *m, const double *found)
{
    for (int i = m->n_starts; i < m->n_initial; i++) {
        const bg__initial *to = &m->initial[i];
        *field_of(&m->unknowns[to->of], to->field) = size_of(found[i], to->usual);
    }
}

ha_status bg__model_restart(bg_model *m)
{
    static const double none[BG__PARAMETER_COUNT] = { 0 };
    double *work = NULL, *found = NULL;

    if (m->n_initial == 0) {
        return HA_OK;
    }
    work = ha__alloc(m->ctx, ha__tape_work_size(m->tapes[BG__TAPE_INITIAL]) + (size_t) m->n_initial,
                     sizeof *work);
    HA_TRY_MEMORY(work);
    bg__model_prepare_tape(m, BG__TAPE_INITIAL, none, work);
    work[BG__IN_T] = 0.0;
    found = work + ha__tape_work_size(m->tapes[BG__TAPE_INITIAL]);
    if (m->n_starts > 0) {
        evaluate_initial(m, work, found);
    }
    ha_status status = take_starts(m, found);
    if (status == HA_OK && m->n_starts < m->n_initial) {
        evaluate_initial(m, work, found);
        take_measures(m, found);
    }
    ha__free(work);
    return status;
}

ha_status bg_model_set(bg_model *model, const double *values)
{
    HA_NEED(NULL, model != NULL && (values != NULL || model->n_variables == 0));
    HA_NEED(model->ctx, model->is_copy);
    for (int i = 0; i < model->n_variables; i++) {
        if (!isfinite(values[i])) {
            return ha_fail(model->ctx, HA_ERR_VALUE, HA_NOWHERE,
                           "the value of `%s` is not a finite number; give one",
                           model->variables[i]);
        }
    }
    if (model->n_variables > 0) {
        memcpy(model->values_now, values, (size_t) model->n_variables * sizeof *values);
    }
    return bg__model_restart(model);
}
