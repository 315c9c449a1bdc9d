/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frequency response.
 *
 * The deviations of everything under the input w e^(s t), s = 2 pi i f, obey
 *
 *     (F_y + s F_y') Y = -(F_w + s F_w' + s^2 F_w''),
 *
 * with the rates of an input that is a coordinate; the outputs are h_y Y + s h_y' Y + h_w + ... One
 * sparse complex matrix is factored for each frequency. The stabilisation is in it and cancels:
 * inputs keep the constraints.
 *
 * Which frequencies: frequency_grid.c.
 *
 * Zeros: the finite eigenvalues of [[A - s, B], [C, D]]. There are n - r of them with r the first
 * for which D, C B, C A B, ... is not 0.
 */
#include <config.h>

#include "bondgraph/analysis/frequency_priv.h"
#include "lib/core/need.h"
#include "lib/linalg/eigen.h"

#include <math.h>
#include <string.h>

static const double NOTHING = 1e-11; /* of a Markov parameter beside its terms */
static const double LOST = 1e-14;    /* residual of a solution with old pivots: they are no good */
static const double TURN = 170.0;    /* degrees from which a turn may be to either side */

enum { LEVELS = 3 /* an input, its rate and the rate of that */ };

typedef bg__sweep sweep;

/* --- one frequency -------------------------------------------------------------------------- */

/* A complex number of its parts. */
static double complex number_of(double re, double im)
{
    const double parts[2] = { re, im };
    double complex value = 0.0;

    memcpy(&value, parts, sizeof parts);
    return value;
}

/* The right-hand side of input `w`. */
static void fill_right(sweep *s, double complex at, int w)
{
    const bg_model *m = s->l->m;
    const double complex power[LEVELS] = { 1.0, at, at * at };
    int first = 2 * m->dae.n + LEVELS * w;

    memset(s->y, 0, (size_t) m->dae.n * sizeof *s->y);
    for (int i = 0; i < m->n_linear; i++) {
        const bg__linear_entry *e = &m->linear[i];
        if (e->block == BG__LINEAR_EQUATION && e->column >= first && e->column < first + LEVELS) {
            s->y[e->row] -=
                s->l->values[i] * s->pencil.row_scale[e->row] * power[e->column - first];
        }
    }
}

/* The outputs of the unknowns in s->y. */
static void read_response(const sweep *s, double complex at, int w, double complex *value)
{
    const bg_model *m = s->l->m;
    const double complex power[LEVELS] = { 1.0, at, at * at };
    int n = m->dae.n, first = 2 * n + LEVELS * w, n_inputs = s->out->n_inputs;

    for (int i = 0; i < m->n_linear; i++) {
        const bg__linear_entry *e = &m->linear[i];
        double complex x = 0.0;
        if (e->block != BG__LINEAR_OUTPUT) {
            continue;
        }
        if (e->column < n) {
            x = s->y[e->column] * s->pencil.size[e->column];
        } else if (e->column < 2 * n) {
            x = at * s->y[e->column - n] * s->pencil.size[e->column - n];
        } else if (e->column >= first && e->column < first + LEVELS) {
            x = power[e->column - first];
        }
        value[e->row * n_inputs + w] += s->l->values[i] * x;
    }
}

/* The factors of the matrix: with the pivots of the frequency before, unless they serve no more. */
static ha_status factor(sweep *s, bool is_anew)
{
    bool is_done = s->has_pivots && !is_anew && ha__klu_is_factored(s->klu) &&
                   ha__klu_refactor(s->klu, s->matrix) && !ha__klu_is_worse(s->klu);

    if (!is_done) {
        HA_TRY(ha__klu_factor(s->klu, s->matrix));
    }
    s->has_pivots = true;
    return HA_OK;
}

/* How far M x is from the right-hand side in s->y, beside the largest of their terms. */
static double residual_of(const sweep *s)
{
    const bg__linear_pencil *p = &s->pencil;
    double worst = 0.0, unit = 0.0;

    memset(s->rest, 0, 2 * (size_t) p->n * sizeof *s->rest);
    for (int j = 0; j < p->n; j++) {
        const double *x = s->x + 2 * (size_t) j;
        for (int64_t k = p->start[j]; k < p->start[j + 1]; k++) {
            const double *m = s->matrix + 2 * k;
            double *sum = s->rest + 2 * p->row[k];
            double re = m[0] * x[0] - m[1] * x[1], im = m[0] * x[1] + m[1] * x[0];
            sum[0] += re;
            sum[1] += im;
            unit = fmax(unit, fabs(re) + fabs(im));
        }
    }
    for (int i = 0; i < p->n; i++) {
        double re = creal(s->y[i]), im = cimag(s->y[i]);
        worst = fmax(worst, fabs(s->rest[2 * i] - re) + fabs(s->rest[2 * i + 1] - im));
        unit = fmax(unit, fabs(re) + fabs(im));
    }
    return unit > 0.0 ? worst / unit : 0.0;
}

/* Solves for the right-hand side in s->y, the result replaces it; anew where old pivots lose
   digits. False: the matrix is singular. */
static ha_status solve(sweep *s, bool *is_regular)
{
    size_t size = 2 * (size_t) s->pencil.n * sizeof *s->x;

    for (int attempt = 0; attempt < 2; attempt++) {
        *is_regular = ha__klu_is_factored(s->klu);
        if (!*is_regular) {
            return HA_OK;
        }
        memcpy(s->x, s->y, size);
        ha__klu_solve(s->klu, s->x);
        if (attempt > 0 || residual_of(s) <= LOST) {
            break;
        }
        HA_TRY(factor(s, true));
    }
    memcpy(s->y, s->x, size);
    return HA_OK;
}

ha_status bg__sweep_respond(sweep *s, double frequency, double complex *value)
{
    const bg__linear_pencil *p = &s->pencil;
    double omega = 2.0 * acos(-1.0) * frequency;
    double complex at = number_of(0.0, omega);

    for (int64_t k = 0; k < p->start[p->n]; k++) {
        s->matrix[2 * k] = p->a[k];
        s->matrix[2 * k + 1] = omega * p->e[k];
    }
    HA_TRY(factor(s, false));
    for (int w = 0; w < s->out->n_inputs; w++) {
        bool is_regular = true;
        fill_right(s, at, w);
        HA_TRY(solve(s, &is_regular));
        if (is_regular) {
            read_response(s, at, w, value);
        }
        for (int i = 0; i < s->out->n_outputs && !is_regular; i++) { /* a pole without damping */
            value[i * s->out->n_inputs + w] = (double) INFINITY;
        }
    }
    return HA_OK;
}

/* --- the table ------------------------------------------------------------------------------ */

/* Whether sample k has a phase: the magnitude is neither 0 nor without bound. */
static bool has_phase(const double *magnitude, size_t k)
{
    return magnitude[k] > 0.0 && isfinite(magnitude[k]);
}

/* Whether the magnitude grows towards the gap between samples k and `next`, from both of its sides
   where there are samples: between them is a pole, not a zero. */
static bool is_pole_between(const double *magnitude, size_t n, size_t k, size_t next)
{
    double slope = 0.0;

    for (size_t i = k + 1; i < next; i++) {
        slope += (double) (isfinite(magnitude[i]) ? -INFINITY : INFINITY);
    }
    if (slope == 0.0 && k > 0 && has_phase(magnitude, k - 1)) {
        slope += log(magnitude[k] / magnitude[k - 1]);
    }
    if (isfinite(slope) && next + 1 < n && has_phase(magnitude, next + 1)) {
        slope += log(magnitude[next] / magnitude[next + 1]);
    }
    return slope > 0.0;
}

/*
 * Makes phases (n) continuous. Over a pole or a zero on the imaginary axis a phase jumps by half a
 * turn, to either side as round-off has it: as the damping goes to 0 it falls at a pole and
 * rises at a zero. At the pole itself, or the zero, it is halfway.
 */
static void unwrap(const double *magnitude, double *phase, size_t n)
{
    size_t last = n; /* the last sample with a phase; n: none yet */

    for (size_t k = 0; k < n; k++) {
        if (!has_phase(magnitude, k)) {
            continue;
        }
        for (size_t i = 0; i < k && last == n; i++) {
            phase[i] = phase[k];
        }
        if (last < n) {
            double turn = phase[k] - phase[last];
            turn -= 360.0 * round(turn / 360.0);
            if (fabs(turn) > TURN && (turn > 0.0) == is_pole_between(magnitude, n, last, k)) {
                turn += turn > 0.0 ? -360.0 : 360.0;
            }
            phase[k] = phase[last] + turn;
        }
        for (size_t i = last + 1; last < n && i < k; i++) {
            phase[i] = (phase[last] + phase[k]) / 2.0;
        }
        last = k;
    }
    for (size_t i = last + 1; last < n && i < n; i++) {
        phase[i] = phase[last];
    }
}

/* Magnitudes, and phases without jumps of a whole turn. */
static ha_status copy_samples(sweep *s)
{
    bg_response *out = s->out;
    size_t n = s->samples.count, n_pairs = (size_t) out->n_outputs * (size_t) out->n_inputs;

    out->n = (int) n;
    HA_TRY_ALLOC(s->ctx, out->frequency, n);
    HA_TRY_ALLOC_EACH(s->ctx, n * n_pairs, out->magnitude, out->phase);
    for (size_t k = 0; k < n; k++) {
        out->frequency[k] = s->samples.items[k].frequency;
        for (size_t i = 0; i < n_pairs; i++) {
            double complex value = s->samples.items[k].value[i];
            out->magnitude[i * n + k] = cabs(value);
            out->phase[i * n + k] = carg(value) * 180.0 / acos(-1.0);
        }
    }
    for (size_t i = 0; i < n_pairs; i++) {
        unwrap(out->magnitude + i * n, out->phase + i * n, n);
    }
    return HA_OK;
}

/* --- poles and zeros ------------------------------------------------------------------------ */

/* The first power of A for which C A^k B is not 0, 0 for D itself counting as -1; n: none is. The
   vector `x` (2 n) is scratch. */
static int relative_degree(const bg_linear *m, int output, int input, double *x)
{
    int n = m->n_states;
    const double *c = m->c + (size_t) output * (size_t) n;
    double *next = x + n;

    if (m->d[output * m->n_inputs + input] != 0.0) {
        return 0;
    }
    for (int i = 0; i < n; i++) {
        x[i] = m->b[i * m->n_inputs + input];
    }
    for (int k = 1; k <= n; k++) {
        double sum = 0.0, terms = 0.0;
        for (int i = 0; i < n; i++) {
            sum += c[i] * x[i];
            terms += fabs(c[i] * x[i]);
        }
        if (fabs(sum) > NOTHING * terms) {
            return k;
        }
        double largest = 0.0;
        for (int i = 0; i < n; i++) {
            double least = 0.0;
            next[i] = 0.0;
            for (int j = 0; j < n; j++) {
                next[i] += m->a[i * n + j] * x[j];
                least += fabs(m->a[i * n + j] * x[j]);
            }
            next[i] = fabs(next[i]) > NOTHING * least ? next[i] : 0.0;
            largest = fmax(largest, fabs(next[i]));
        }
        for (int i = 0; i < n; i++) {
            x[i] = largest > 0.0 ? next[i] / largest : 0.0;
        }
    }
    return n + 1;
}

static ha_status find_zeros(sweep *s, const bg_linear *m, int output, int input)
{
    size_t n = (size_t) m->n_states, size = n + 1;
    int pair = output * m->n_inputs + input, found = 0;
    double *a = ha__alloc(s->ctx, 2 * size * size + 4 * size, sizeof *a);

    HA_TRY_MEMORY(a);
    double *e = a + size * size, *scratch = e + size * size;
    int wanted = (int) n - relative_degree(m, output, input, scratch);
    for (size_t i = 0; i < n; i++) {
        memcpy(a + i * size, m->a + i * n, n * sizeof *a);
        a[i * size + n] = m->b[i * (size_t) m->n_inputs + (size_t) input];
        a[n * size + i] = m->c[(size_t) output * n + i];
        e[i * size + i] = 1.0;
    }
    a[n * size + n] = m->d[pair];
    s->out->n_zeros[pair] = wanted < 0 ? 0 : wanted;
    s->out->zeros[pair] = ha__alloc(s->ctx, 2 * size, sizeof **s->out->zeros);
    ha_status status = s->out->zeros[pair] == NULL ? HA_ERR_MEMORY : HA_OK;
    if (status == HA_OK && wanted > 0) {
        status = ha__pencil_eigenvalues(s->ctx, (int) size, a, e, 0.0, scratch, &found);
        s->out->n_zeros[pair] = found < wanted ? found : wanted;
        memcpy(s->out->zeros[pair], scratch, 2 * (size_t) s->out->n_zeros[pair] * sizeof *scratch);
    }
    ha__free(a);
    return status;
}

/* What is known without a linear model: a large one would take longer than the response. */
static void skip_poles(sweep *s)
{
    bg_response *out = s->out;
    bg_linear *linear = s->l->out;

    bg__linear_tell_rest(s->l);
    out->is_equilibrium = linear->is_equilibrium;
    out->sides = linear->sides; /* moved */
    out->n_sides = linear->n_sides;
    linear->sides = NULL;
    linear->n_sides = 0;
}

/* From the linear model, where that is small. */
static ha_status find_poles(sweep *s, const bg_operating_point *point)
{
    bg_response *out = s->out;
    bg_linear linear = { 0 };

    if (s->l->out->n_states > BG__MOST_DENSE) {
        skip_poles(s);
        return HA_OK;
    }
    ha_status status = bg_linearise(s->ctx, s->l->m, point, &linear);
    if (status == HA_OK && linear.eigenvalues != NULL) {
        out->poles = linear.eigenvalues;
        out->n_poles = linear.n_states;
        linear.eigenvalues = NULL;
        for (int i = 0; i < out->n_outputs && linear.n_inputs == out->n_inputs; i++) {
            for (int w = 0; w < out->n_inputs && status == HA_OK; w++) {
                status = find_zeros(s, &linear, i, w);
            }
        }
    }
    out->is_equilibrium = linear.is_equilibrium;
    out->sides = linear.sides; /* moved */
    out->n_sides = linear.n_sides;
    linear.sides = NULL;
    linear.n_sides = 0;
    bg_linear_clear(&linear);
    return status;
}

/* --- the whole ------------------------------------------------------------------------------ */

static ha_status copy_names(sweep *s)
{
    const bg_model *m = s->l->m;
    bg_response *out = s->out;

    out->n_poles = -1;
    HA_TRY_ALLOC(s->ctx, out->inputs, m->n_inputs / LEVELS, out->outputs, m->dae.n_outputs);
    for (; out->n_inputs < m->n_inputs / LEVELS; out->n_inputs++) {
        const char *name = m->inputs[LEVELS * out->n_inputs];
        HA_TRY_GET(out->inputs[out->n_inputs], ha__copy_text(s->ctx, name, strlen(name)));
    }
    for (; out->n_outputs < m->dae.n_outputs; out->n_outputs++) {
        const char *name = m->dae.outputs[out->n_outputs].name;
        HA_TRY_GET(out->outputs[out->n_outputs], ha__copy_text(s->ctx, name, strlen(name)));
    }
    size_t n_pairs = (size_t) out->n_outputs * (size_t) out->n_inputs;
    HA_TRY_ALLOC_EACH(s->ctx, n_pairs, out->n_zeros, out->zeros, out->n_peaks, out->peaks);
    memset(out->n_zeros, -1, n_pairs * sizeof *out->n_zeros);
    return n_pairs > 0
               ? HA_OK
               : ha_fail(s->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                         "a frequency response is that of an output to an input; name them with "
                         "--u NAME and --y NAME");
}

static ha_status run_sweep(sweep *s, const bg_operating_point *point,
                           const bg_frequency_range *range)
{
    size_t n = (size_t) s->l->m->dae.n;

    bool is_one = range->count == 1 && range->from > 0.0 && range->to == range->from;
    bool is_range = range->count >= 2 && range->from > 0.0 && range->to > range->from;

    if (!(is_one || is_range) || !isfinite(range->to) || range->count > 100000) {
        return ha_fail(s->ctx, HA_ERR_VALUE, HA_NOWHERE,
                       "the frequencies are from %g to %g Hz, %d of them; give 0 < from < to and a "
                       "count from 2 to 100000, or one frequency: from = to and the count 1",
                       range->from, range->to, range->count);
    }
    HA_TRY(copy_names(s));
    HA_TRY(bg__linear_begin(s->l));
    HA_TRY(bg__linear_check_inputs(s->l));
    HA_TRY(bg__linear_check_outputs(s->l));
    HA_TRY(find_poles(s, point));
    HA_TRY(bg__linear_pencil_new(s->l, &s->pencil));
    const bg__linear_pencil *p = &s->pencil;
    size_t n_entries = (size_t) p->start[p->n];
    HA_TRY_ALLOC(s->ctx, s->matrix, 2 * n_entries, s->y, n);
    HA_TRY_ALLOC_EACH(s->ctx, 2 * n, s->x, s->rest);
    HA_TRY(ha__klu_copy(s->ctx, p->n, p->start, p->row, &s->pattern));
    HA_TRY(ha__klu_new_complex(s->ctx, &s->pattern, &s->klu));
    HA_TRY(bg__sweep_fill(s, range));
    return copy_samples(s);
}

ha_status bg_frequency(ha_ctx *ctx, const bg_model *model, const bg_operating_point *point,
                       const bg_frequency_range *range, bg_response *out)
{
    HA_NEED(ctx, ctx != NULL && model != NULL && point != NULL && point->y != NULL &&
                     range != NULL && out != NULL);
    bg_linear linear = { 0 };
    bg__linearisation l = { .ctx = ctx, .m = model, .point = point, .out = &linear };
    sweep s = { .ctx = ctx, .l = &l, .out = out };

    *out = (bg_response){ 0 };
    if (!model->is_linear) {
        return ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "the model was not compiled for linearisation; compile it with "
                       "bg_model_compile_linear()");
    }
    ha_status status = run_sweep(&s, point, range);
    for (size_t i = 0; i < s.samples.count; i++) {
        ha__free(s.samples.items[i].value);
    }
    HA_ARRAY_CLEAR(&s.samples);
    bg__linear_pencil_clear(&s.pencil);
    ha__klu_free(s.klu);
    ha__klu_pattern_clear(&s.pattern);
    HA_FREE(s.matrix, s.x, s.rest, s.y);
    bg__linear_release(&l);
    bg_linear_clear(&linear);
    return status;
}

void bg_response_clear(bg_response *r)
{
    for (int i = 0; i < r->n_outputs * r->n_inputs && r->zeros != NULL; i++) {
        ha__free(r->zeros[i]);
    }
    for (int i = 0; i < r->n_outputs * r->n_inputs && r->peaks != NULL; i++) {
        ha__free(r->peaks[i]);
    }
    for (int i = 0; i < r->n_sides; i++) {
        ha__free(r->sides[i]);
    }
    for (int i = 0; i < r->n_inputs; i++) {
        ha__free(r->inputs[i]);
    }
    for (int i = 0; i < r->n_outputs; i++) {
        ha__free(r->outputs[i]);
    }
    HA_FREE(r->inputs, r->outputs, r->frequency, r->magnitude, r->phase, r->poles, r->n_zeros,
            r->zeros, r->n_peaks, r->peaks, r->sides);
    *r = (bg_response){ 0 };
}
