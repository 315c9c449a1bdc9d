/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs over a period, and how the states after it depend on those before.
 *
 * A deviation of independent states dx moves all unknowns by N dx, N being the tangent space of the
 * constraints (linear_states.c), and then back on the constraints. Where the end goes by dX, the
 * derivative of the end by the begin, the monodromy matrix M, follows from what the states really
 * were moved by, D, of which round-off and the way back are part:
 *
 *     M D = dX,     D = [x(+h) - x(-h)],   dX = [X(+h) - X(-h)].
 */
#include <config.h>

#include "bondgraph/analysis/held.h"
#include "bondgraph/analysis/periodic_priv.h"
#include "lib/core/context_priv.h"
#include "lib/dae/dae_priv.h"
#include "lib/linalg/least.h"

#include <math.h>
#include <string.h>

static const double REGULAR = 1e-9; /* constraints whose independent part is smaller depend */
static const double BEFORE = 1e-12; /* of the time, before the end */
static const double TINY = 1e-12;   /* singular values of D beside the largest */

/* --- runs ----------------------------------------------------------------------------------- */

/* Says why a run failed. */
static ha_status tell(bg__shooting *s, ha_status status, double time)
{
    char number[HA__NUMBER_SIZE];
    size_t n = ha_ctx_n_diags(s->quiet);
    const char *text = n > 0 ? ha_ctx_diag(s->quiet, n - 1)->text : ha_status_text(status);

    return status == HA_ERR_MEMORY
               ? status
               : ha_fail(s->ctx, status, HA_NOWHERE,
                         "no cycle is found: the run over %s s that it takes fails: %s",
                         ha__dae_number(number, time), text);
}

ha_status bg__shoot(bg__shooting *s, const double *from, double time,
                    const ha_dae_observer *observer, double *end)
{
    bg_run_options o = s->options->run;
    bg_run_report report;
    ha_result *table = ha_result_new(s->ctx);

    HA_TRY_MEMORY(table);
    o.from = BG_FROM_GIVEN;
    o.digits = 0;
    o.start = from;
    o.last = end;
    /* what is sampled at the end is sampled at the begin of the next period */
    o.solver.t_end = o.solver.step = time * (s->m->dae.n_holds > 0 ? 1.0 - BEFORE : 1.0);
    o.solver.rtol = fmin(o.solver.rtol, s->rtol);
    o.solver.events = HA_EVENT_ROWS_NONE;
    o.solver.peaks = NULL;
    o.solver.observer = observer;
    o.solver.is_motion_only = true; /* a run over what is found tells of its energy */
    ha__ctx_forget(s->quiet, 0);
    ha_status status = ha_ctx_is_interrupted(s->ctx)
                           ? HA_ERR_INTERRUPTED
                           : bg_model_run(s->quiet, s->m, &o, table, &report);
    ha_result_free(table);
    s->out->runs++;
    s->is_implicit = s->is_implicit || report.solver.driver == HA_DRIVER_IDA;
    s->has_events = s->has_events || report.solver.events > 0;
    return status == HA_OK || status == HA_ERR_INTERRUPTED ? status : tell(s, status, time);
}

ha_status bg__cycle_rates(bg__shooting *s, double t, double *y, double *yp)
{
    const double parameters[BG__PARAMETER_COUNT] = { BG__LINEAR_ALPHA, BG__LINEAR_BETA, 0.0 };

    memset(yp, 0, (size_t) s->m->dae.n * sizeof *yp);
    return ha__dae_start_within(s->ctx, &s->m->dae, parameters, t, y, yp);
}

/* --- states --------------------------------------------------------------------------------- */

/* True of an unknown in a list of unknowns and derivatives. */
static bool is_listed(const bg_model *m, const int *list, int n, int j)
{
    bool found = false;

    for (int k = 0; k < n && !found; k++) {
        found = list[k] % m->dae.n == j;
    }
    return found;
}

bool bg__cycle_acts(const bg_model *m, int j)
{
    const ha_dae *dae = &m->dae;

    return bg__held_acts(m, j) || is_listed(m, dae->sample_inputs, dae->n_sample_inputs, j) ||
           is_listed(m, dae->switch_inputs, dae->n_switch_inputs, j);
}

/* Values that are held and act are states, too, which no constraint binds. */
static void add_held(bg__shooting *s)
{
    size_t n = (size_t) s->m->dae.n;

    for (int i = 0; i < s->m->dae.n_holds; i++) {
        int h = s->m->dae.holds[i].unknown;
        if (bg__cycle_acts(s->m, h)) {
            s->basis[(size_t) s->n_states * n + (size_t) h] = 1.0;
            s->state[s->n_states++] = h;
        }
    }
}

/* Takes over the states of a linearisation, and the directions of the tangent space. */
static ha_status take_states(bg__shooting *s, bg__linearisation *l)
{
    size_t n = (size_t) s->m->dae.n;
    int *before = s->state, n_before = s->n_states;

    ha__free(s->basis);
    s->state = NULL;
    s->basis = NULL;
    s->n_states = 0;
    size_t room = (size_t) l->out->n_states + (size_t) s->m->dae.n_holds;
    s->state = ha__alloc(s->ctx, room, sizeof *s->state);
    s->basis = ha__alloc(s->ctx, n * room, sizeof *s->basis);
    if (s->state == NULL || s->basis == NULL) {
        ha__free(before);
        return HA_ERR_MEMORY;
    }
    for (int k = 0; k < l->out->n_states; k++) {
        if (!bg__cycle_acts(s->m, l->state[k])) {
            continue;
        }
        memset(l->column, 0, (n + (size_t) s->m->n_inputs) * sizeof *l->column);
        l->column[l->state[k]] = 1.0;
        bg__tangent_follow(&l->tangent, l->column);
        for (size_t j = 0; j < n; j++) {
            bool moves = bg__linear_is_differential(l, (int) j);
            s->basis[(size_t) s->n_states * n + j] = moves ? l->column[j] : 0.0;
        }
        s->state[s->n_states++] = l->state[k];
    }
    add_held(s);
    s->has_monodromy =
        s->has_monodromy && s->n_states == n_before &&
        (n_before == 0 || memcmp(before, s->state, (size_t) n_before * sizeof *before) == 0);
    ha__free(before);
    return HA_OK;
}

ha_status bg__cycle_tangent(bg__shooting *s)
{
    const bg_operating_point point = { .y = s->y, .force = true };
    bg_linear linear = { 0 };
    bg__linearisation l = { .ctx = s->ctx, .m = s->m, .point = &point, .out = &linear };
    ha_status status = bg__linear_begin(&l);

    HA_THEN(status, take_states(s, &l));
    bg__linear_release(&l);
    bg_linear_clear(&linear);
    return status;
}

ha_status bg__cycle_move(bg__shooting *s, const double *dx, double *out)
{
    size_t n = (size_t) s->m->dae.n;
    int rank = 0;

    memcpy(out, s->y, n * sizeof *out);
    for (size_t k = 0; k < (size_t) s->n_states; k++) {
        for (size_t j = 0; j < n; j++) {
            out[j] += dx[k] * s->basis[k * n + j];
        }
    }
    return s->projector == NULL ? HA_OK
                                : ha__project(s->projector, 0.0, REGULAR, out, s->yp, &rank);
}

/* True of the name of an angle. */
static bool is_angle(const char *name)
{
    size_t length = strlen(name), end = strlen(".angle");

    return length > end && strcmp(name + length - end, ".angle") == 0;
}

bool bg__cycle_turns(const bg_model *m, int j)
{
    return m->dae.unknowns[j].motion == HA_POSITION && is_angle(m->dae.unknowns[j].name);
}

double bg__cycle_change(const bg_model *m, int j, double from, double to, double *turns)
{
    const double turn = 2.0 * acos(-1.0);

    *turns = bg__cycle_turns(m, j) ? round((to - from) / turn) : 0.0;
    return to - from - turn * *turns;
}

/* The usual magnitude of an unknown; of one of which nothing is known the largest that was seen. */
static double scale_of(const bg__shooting *s, int j)
{
    const ha_dae_unknown *u = &s->m->dae.unknowns[j];
    double seen = fmax(s->scale[j], fmax(fabs(s->y[j]), fabs(s->end[j])));
    double size = u->size > 0.0 ? u->size : 1.0;

    if (u->motion == HA_POSITION) {
        return size;
    }
    if (u->motion == HA_VELOCITY) {
        return size * 2.0 * acos(-1.0) / s->period;
    }
    seen = fmax(seen, 0.1 * fabs(s->yp[j]) * s->period);
    return seen > 0.0 ? seen : 1.0;
}

double bg__cycle_residual(bg__shooting *s)
{
    double worst = 0.0;

    for (int j = 0; j < s->m->dae.n; j++) {
        bool counts = s->m->dae.unknowns[j].kind == HA_DIFFERENTIAL && bg__cycle_acts(s->m, j);
        double change = bg__cycle_change(s->m, j, s->y[j], s->end[j], &s->turns[j]);
        s->scale[j] = scale_of(s, j);
        s->residual[j] = counts && change != 0.0 ? change / s->scale[j] : 0.0;
        worst = isnan(s->residual[j]) ? s->residual[j] : fmax(worst, fabs(s->residual[j]));
    }
    return worst;
}

/* --- monodromy ------------------------------------------------------------------------------ */

/* Where the states, moved by `by` in number k, are at the begin, and after a period; added to the
   columns k of D and dX with a factor. */
static ha_status add_shot(bg__shooting *s, int k, double by, double factor, double *room)
{
    size_t ns = (size_t) s->n_states;
    double *dx = room, *from = room + ns, *to = from + ns * ns;

    memset(dx, 0, ns * sizeof *dx);
    dx[k] = by;
    HA_TRY(bg__cycle_move(s, dx, s->try_y));
    HA_TRY(bg__shoot(s, s->try_y, s->period, NULL, s->try_end));
    for (size_t i = 0; i < ns; i++) {
        int j = s->state[i];
        from[i * ns + (size_t) k] += factor * (s->try_y[j] - s->y[j]);
        to[i * ns + (size_t) k] += factor * (s->try_end[j] - s->end[j]);
    }
    return HA_OK;
}

/* M from M D = dX, row by row: D' m = dX'. */
static ha_status divide(bg__shooting *s, double *room, double *out)
{
    size_t ns = (size_t) s->n_states;
    double *from = room + ns, *to = from + ns * ns, *turned = to + ns * ns;
    int rank = 0;

    for (size_t i = 0; i < ns; i++) {
        for (size_t k = 0; k < ns; k++) {
            turned[k * ns + i] = from[i * ns + k];
        }
    }
    for (size_t i = 0; i < ns; i++) {
        HA_TRY(ha__least_squares(s->ctx, s->n_states, s->n_states, turned, to + i * ns, TINY,
                                 out + i * ns, &rank));
    }
    return HA_OK;
}

ha_status bg__cycle_differences(bg__shooting *s, double step, bool is_rough, double *out)
{
    size_t ns = (size_t) s->n_states;
    double *room = ha__alloc(s->ctx, ns + 3 * ns * ns + 1, sizeof *room);
    ha_status status = room == NULL ? HA_ERR_MEMORY : HA_OK;

    for (int k = 0; k < s->n_states && status == HA_OK; k++) {
        double h = step * s->scale[s->state[k]];
        status = add_shot(s, k, h, 1.0, room);
        HA_THEN(status, is_rough ? HA_OK : add_shot(s, k, -h, -1.0, room));
    }
    HA_THEN(status, divide(s, room, out));
    ha__free(room);
    return status;
}
