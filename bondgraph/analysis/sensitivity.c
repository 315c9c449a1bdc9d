/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sensitivities: how the outputs of a run depend on parameters p.
 *
 * The deviations s = dy/dp are followed over the steps of the run (follow.c), with the parameter as
 * the input that deviates. At the start, what is independent deviates as the start values do, and
 * what depends on it as the tangent space of the constraints says, of which p is part. An output h
 * deviates by h_y s + h_y' s' + h_w. What events do is in sensitivity_events.c.
 *
 * A law that reads the rate alpha at which drift dies out, as that of what dry friction holds, is
 * differentiated with that of the run.
 *
 * The run is made twice, the second time with a tighter tolerance; the difference is the error
 * that is told.
 */
#include <config.h>

#include "bondgraph/analysis/sensitivity_priv.h"

#include "bondgraph/model/run_priv.h"
#include "lib/core/need.h"
#include "lib/dae/dae_priv.h"

#include <math.h>
#include <string.h>

static const double TIGHTER = 1e-2;     /* rtol of the second run, of the first */
static const double TIGHTEST = 1e-12;   /* and its least */
static const double SHARE = 0.1;        /* of rtol: the error of a step of the deviations */
static const double LEAST = 1e-11;      /* and its least, above round-off */
static const double START_ERROR = 1e-5; /* of start values' derivatives beside the constraints */
static const double START_NOISE = 1e-8; /* of sizes: change of a start value that is round-off */

/* --- rows ----------------------------------------------------------------------------------- */

/* The derivatives of all outputs at a time inside the step. */
static ha_status differentiate(bg__sensing *s, double t, ha_dae_inside inside, void *run)
{
    size_t n_outputs = (size_t) s->m->dae.n_outputs, n_parameters = (size_t) s->n_parameters;

    HA_TRY(inside(run, t, s->y, s->yp));
    bg__linear_differentiate(&s->l, t, s->y, s->yp);
    HA_TRY(bg__linear_refactor(&s->l));
    memset(s->derivative, 0, n_outputs * n_parameters * sizeof *s->derivative);
    for (size_t k = 0; k < n_parameters; k++) {
        bg__sense_deviation(s, (int) k);
        bg__linear_read_outputs(&s->l, s->derivative + k, n_parameters);
    }
    for (size_t i = 0; i < n_outputs * n_parameters; i++) {
        double scale = s->def->scales == NULL ? 1.0 : s->def->scales[i % n_parameters];
        s->derivative[i] =
            s->m->is_summed[i / n_parameters] ? (double) NAN : s->derivative[i] / scale;
    }
    return HA_OK;
}

/* Rows are where those of the run are: at multiples of the step or at the times given, and at the
   end. */
static void find_next_row(bg__sensing *s)
{
    const ha_dae_options *o = &s->def->options->solver;
    size_t row = (size_t) ++s->row;
    double next = o->times == NULL    ? (double) row * s->step
                  : row <= o->n_times ? o->times[row - 1]
                                      : s->t_end;

    s->t_row = s->t_row >= s->t_end                ? (double) INFINITY
               : next >= s->t_end - 1e-9 * s->step ? s->t_end
                                                   : next;
}

static ha_status add_row(bg__sensing *s, double t, ha_dae_inside inside, void *run)
{
    size_t at = 0;

    find_next_row(s);
    HA_TRY(differentiate(s, t, inside, run));
    s->values[at++] = t;
    for (size_t i = 0; i < (size_t) s->m->dae.n_outputs * (size_t) s->n_parameters; i++) {
        if (!s->m->is_summed[i / (size_t) s->n_parameters]) {
            s->values[at++] = s->derivative[i];
        }
    }
    return ha_result_add_row(s->def->curves, s->values);
}

static ha_status add_columns(bg__sensing *s)
{
    ha__strbuf name = HA_STRBUF(s->ctx);
    ha_status status = ha_result_add_column(s->def->curves, "t", "s");

    for (int i = 0; i < s->m->dae.n_outputs; i++) {
        for (int k = 0; k < s->n_parameters && !s->m->is_summed[i]; k++) {
            ha__strbuf_clear(&name);
            ha__strbuf_addf(&name, "d(%s)/d(%s)", s->m->dae.outputs[i].name, s->out->parameters[k]);
            HA_THEN(status, name.status);
            HA_THEN(status, ha_result_add_column(s->def->curves, ha__strbuf_text(&name), ""));
        }
    }
    return ha__strbuf_drop(&name, status);
}

/* --- steps ---------------------------------------------------------------------------------- */

/* A run that begins anew, with another method, has its deviations begin anew. */
static void begin_again(bg__sensing *s)
{
    size_t all = (size_t) s->n_parameters * (size_t) s->m->dae.n;

    memcpy(bg__follow_columns(s->follow), s->start, all * sizeof *s->start);
    bg__follow_switch(s->follow);
    s->t = 0.0;
    s->t_row = s->writes ? 0.0 : (double) INFINITY;
    s->row = 0;
    s->has_sides = false;
    s->is_first = true;
    s->out->events = 0;
    if (s->writes) {
        ha_result_cut(s->def->curves, 0);
    }
}

/* What an event at a time would do. */
static ha_status look(bg__sensing *s, double t, ha_dae_inside inside, void *run)
{
    HA_TRY(inside(run, t, s->y, s->yp_before));
    bg__linear_differentiate(&s->l, t, s->y, s->yp_before);
    return bg__sense_foresee(s, t);
}

/* What an event at the start would do, before anything is sampled: that is made of start values. */
static ha_status look_before(bg__sensing *s, double t, ha_dae_inside inside, void *run)
{
    const ha_dae *dae = &s->m->dae;
    ha__refiner *refiner = NULL;

    HA_TRY(inside(run, t, s->y, s->yp_before));
    for (int i = 0; i < dae->n_holds; i++) {
        s->y[dae->holds[i].unknown] = s->def->options->start[dae->holds[i].unknown];
    }
    ha_status status = ha__refiner_new(s->ctx, dae, s->l.work, true, &refiner);
    HA_THEN(status, ha__refine(refiner, t, s->y, s->yp_before, NULL));
    ha__refiner_free(refiner);
    HA_TRY(status);
    bg__linear_differentiate(&s->l, t, s->y, s->yp_before);
    return bg__sense_foresee(s, t);
}

/* Samples are taken at the start, which is on no edge. */
static ha_status start_events(bg__sensing *s, double t, double step, ha_dae_inside inside,
                              void *run)
{
    if (s->m->dae.n_holds > 0) {
        HA_TRY(look_before(s, t, inside, run));
        bg__sense_held(s, -1);
    }
    HA_TRY(look(s, t, inside, run));
    return bg__sense_edges(s, t, step);
}

static ha_status take_step(void *user, double t0, double t1, const double *y, ha_dae_inside inside,
                           void *run)
{
    bg__sensing *s = user;
    double t = t0;

    (void) y;
    if (t0 < s->t) {
        begin_again(s);
    }
    HA_TRY(bg__sense_enter(s, t0, t1, inside, run));
    if (s->is_first && s->m->dae.n_switches > 0) {
        HA_TRY(start_events(s, t0, t1 - t0, inside, run));
    }
    s->is_first = false;
    while (s->t_row <= t1) {
        HA_TRY(bg__follow_step(s->follow, t, s->t_row, inside, run));
        t = s->t_row;
        HA_TRY(add_row(s, t, inside, run));
    }
    HA_TRY(bg__follow_step(s->follow, t, t1, inside, run));
    s->t = t1;
    s->last_step = t1 - t0;
    HA_TRY(s->m->dae.n_switches > 0 ? look(s, t1, inside, run) : HA_OK);
    if (t1 >= s->t_end && s->m->dae.n_switches > 0) {
        HA_TRY(bg__sense_edges(s, t1, s->last_step));
    }
    return t1 < s->t_end ? HA_OK : differentiate(s, t1, inside, run);
}

/* --- the start ------------------------------------------------------------------------------ */

/* What depends on the independent start values deviates as the constraints say; where what was
   given says otherwise, the start is not a smooth function of the parameter. */
static ha_status complete(bg__sensing *s, int k)
{
    bg__linearisation *l = &s->l;
    size_t n = (size_t) s->m->dae.n;
    double *v = s->start + (size_t) k * n, worst = 0.0, usual = 0.0;
    const double *given = s->def->start_rates == NULL ? NULL : s->def->start_rates + (size_t) k * n;

    memset(l->column, 0, (n + (size_t) s->m->n_inputs) * sizeof *l->column);
    for (size_t j = 0; j < n && given != NULL; j++) {
        l->column[j] = bg__linear_is_differential(l, (int) j) ? given[j] : 0.0;
    }
    l->column[n + (size_t) s->input[k]] = 1.0;
    bg__tangent_follow(&l->tangent, l->column);
    for (size_t j = 0; j < n; j++) {
        bool moves = bg__linear_is_differential(l, (int) j);
        v[j] = moves ? l->column[j] : 0.0;
        usual = fmax(usual, fabs(v[j]) / l->size[j]);
        worst = fmax(worst, moves && given != NULL ? fabs(v[j] - given[j]) / l->size[j] : 0.0);
    }
    double size = s->def->sizes == NULL ? 1.0 : s->def->sizes[k];
    return worst <= START_ERROR * usual || worst * size <= START_NOISE
               ? HA_OK
               : ha_fail(s->ctx, HA_ERR_VALUE, HA_NOWHERE,
                         "there are no sensitivities: the start is no smooth function of `%s`; a "
                         "small change of it leads to another position; give start values that fix "
                         "the mechanism",
                         s->out->parameters[k]);
}

static ha_status make_room(bg__sensing *s)
{
    size_t n = (size_t) s->m->dae.n, n_parameters = (size_t) s->n_parameters;
    size_t n_switches = (size_t) s->m->dae.n_switches, n_outputs = (size_t) s->m->dae.n_outputs;

    HA_TRY_ALLOC(s->ctx, s->input, n_parameters, s->start, n_parameters * n);
    HA_TRY_ALLOC(s->ctx, s->hold_rate, s->m->dae.n_holds);
    HA_TRY_ALLOC(s->ctx, s->held, (size_t) s->m->dae.n_holds * n_parameters);
    HA_TRY_ALLOC(s->ctx, s->delay, n_switches * n_parameters);
    HA_TRY_ALLOC(s->ctx, s->derivative, n_outputs * n_parameters);
    HA_TRY_ALLOC(s->ctx, s->values, 1 + n_outputs * n_parameters);
    HA_TRY_ALLOC_EACH(s->ctx, n, s->y, s->yp, s->yp_before, s->r, s->r_beyond);
    HA_TRY_ALLOC_EACH(s->ctx, n_switches, s->rate, s->ahead, s->is_still, s->grazes, s->sides,
                      s->sides_next, s->g);
    for (int k = 0; k < s->n_parameters; k++) {
        s->input[k] = 3 * k; /* of a value and its two rates */
    }
    return HA_OK;
}

static ha_status begin(bg__sensing *s, double rtol)
{
    HA_TRY(make_room(s));
    HA_TRY(bg__linear_begin(&s->l));
    for (int k = 0; k < s->n_parameters; k++) {
        HA_TRY(complete(s, k));
    }
    HA_TRY(bg__follow_new(&s->l, s->n_parameters, s->input, fmax(SHARE * rtol, LEAST), &s->follow));
    HA_TRY(s->writes ? add_columns(s) : HA_OK);
    begin_again(s);
    return HA_OK;
}

static void release(bg__sensing *s)
{
    bg__linear_release(&s->l);
    bg__follow_free(s->follow);
    HA_FREE(s->input, s->start, s->y, s->yp, s->yp_before, s->hold_rate, s->held, s->delay, s->rate,
            s->ahead, s->is_still, s->grazes, s->sides, s->sides_next, s->g, s->r, s->r_beyond,
            s->derivative, s->values);
}

/* --- runs ----------------------------------------------------------------------------------- */

/* What a run that went along a surface between two sides was is no motion of either. */
static ha_status check_run(bg__sensing *s, const bg_run_report *report)
{
    return report->solver.slides == 0
               ? HA_OK
               : ha_fail(s->ctx, HA_ERR_UNSUPPORTED, HA_NOWHERE,
                         "there are no sensitivities: from %g s on the motion goes along the "
                         "surface between two sides of a condition, for which they are not found; "
                         "end the run before, or smooth what switches there",
                         report->solver.t_slide);
}

/* A run with its deviations; `value` (n_outputs x n_parameters) at its end. */
static ha_status run_once(bg__sensing *s, double rtol, double *value)
{
    const ha_dae_observer observer = { s, take_step };
    size_t n_outputs = (size_t) s->m->dae.n_outputs;
    ha_result *table = ha_result_new(s->ctx);
    bg_run_options o = *s->def->options;
    ha_status status = table == NULL ? HA_ERR_MEMORY : begin(s, rtol);

    o.solver.observer = &observer;
    o.solver.rtol = rtol;
    o.solver.peaks = NULL;
    o.digits = 0;
    HA_THEN(status, bg_model_run(s->ctx, s->m, &o, table, &s->out->report));
    HA_THEN(status, check_run(s, &s->out->report));
    if (status == HA_OK) {
        size_t last = ha_result_n_rows(table) - 1;
        for (size_t i = 0; i < n_outputs; i++) {
            s->out->end[i] = ha_result_value(table, last, i + 1);
        }
        memcpy(value, s->derivative, n_outputs * (size_t) s->n_parameters * sizeof *value);
        s->out->t = s->t;
    }
    ha_result_free(table);
    return status;
}

/* Opens what a run needs, makes it, and frees all of it. */
static ha_status run_with(ha_ctx *ctx, const bg_model *m, const bg_sensitivity_def *def,
                          double rtol, bool writes, bg_sensitivity *out, double *value)
{
    const bg_operating_point point = { .y = def->options->start, .force = true };
    bg_linear linear = { 0 };
    bg__sensing s = { .ctx = ctx,
                      .m = m,
                      .def = def,
                      .out = out,
                      .l = { .ctx = ctx, .m = m, .point = &point, .out = &linear },
                      .n_parameters = out->n_parameters,
                      .step = def->options->solver.step,
                      .t_end = def->options->solver.t_end,
                      .writes = writes && def->curves != NULL };
    double stabilisation[2] = { 0 };
    s.step = s.step > 0.0 ? s.step : s.t_end / HA_DAE_ROWS;
    s.l.stabilisation = m->keeps_alpha ? stabilisation : NULL;
    ha_status status =
        m->keeps_alpha ? bg__model_stabilisation(ctx, m, def->options, stabilisation) : HA_OK;
    HA_THEN(status, run_once(&s, rtol, value));

    release(&s);
    bg_linear_clear(&linear);
    return status;
}

static ha_status copy_name(ha_ctx *ctx, const char *name, char **out)
{
    *out = ha__copy_text(ctx, name, strlen(name));
    return *out == NULL ? HA_ERR_MEMORY : HA_OK;
}

static ha_status make_result(ha_ctx *ctx, const bg_model *m, const bg_sensitivity_def *def,
                             bg_sensitivity *out)
{
    size_t n = (size_t) m->dae.n_outputs;

    out->n_outputs = m->dae.n_outputs;
    out->n_parameters = m->n_inputs / 3;
    size_t all = n * (size_t) out->n_parameters;
    HA_TRY_ALLOC(ctx, out->parameters, out->n_parameters);
    HA_TRY_ALLOC_EACH(ctx, n, out->end, out->outputs, out->units);
    HA_TRY_ALLOC_EACH(ctx, all, out->value, out->error);
    for (int k = 0; k < out->n_parameters; k++) {
        HA_TRY(copy_name(ctx, def->names != NULL ? def->names[k] : m->inputs[3 * k],
                         &out->parameters[k]));
    }
    for (size_t i = 0; i < n; i++) {
        HA_TRY(copy_name(ctx, m->dae.outputs[i].name, &out->outputs[i]));
        HA_TRY(copy_name(ctx, m->dae.outputs[i].unit, &out->units[i]));
    }
    return HA_OK;
}

ha_status bg_sensitivities(ha_ctx *ctx, const bg_model *model, const bg_sensitivity_def *def,
                           bg_sensitivity *out)
{
    HA_NEED(ctx, ctx != NULL && model != NULL && def != NULL && out != NULL);
    HA_NEED(ctx, def->options != NULL && def->options->start != NULL &&
                     def->options->from == BG_FROM_GIVEN && def->options->solver.t_end > 0.0);
    double rtol = def->options->solver.rtol, tighter = fmax(TIGHTER * rtol, fmin(rtol, TIGHTEST));

    *out = (bg_sensitivity){ 0 };
    if (!model->is_linear) {
        return ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "the model was not compiled for sensitivities; compile it with "
                       "bg_model_compile_sensitive()");
    }
    HA_TRY(make_result(ctx, model, def, out));
    HA_TRY(run_with(ctx, model, def, rtol, false, out, out->error));
    HA_TRY(run_with(ctx, model, def, tighter, true, out, out->value));
    for (int i = 0; i < out->n_outputs * out->n_parameters; i++) {
        out->error[i] = fabs(out->error[i] - out->value[i]);
    }
    return HA_OK;
}

static void free_names(char **names, int n)
{
    for (int i = 0; i < n && names != NULL; i++) {
        ha__free(names[i]);
    }
    ha__free(names);
}

void bg_sensitivity_clear(bg_sensitivity *s)
{
    free_names(s->parameters, s->n_parameters);
    free_names(s->outputs, s->n_outputs);
    free_names(s->units, s->n_outputs);
    HA_FREE(s->end, s->value, s->error);
    *s = (bg_sensitivity){ 0 };
}
