/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frequency responses as text, tables and JSON.
 *
 * Margins of a loop that is closed over the response: by how much the gain may grow where the phase
 * is -180 deg, and how far the phase is from -180 deg where the magnitude is 1; both where that
 * happens first, between two frequencies by straight lines over log f, of log magnitude and phase.
 */
#include <config.h>

#include "tools/analysis/frequency_write.h"

#include "lib/core/number.h"
#include "lib/core/output.h"
#include "lib/core/strbuf.h"
#include "tools/analysis/frequency_plot.h"

#include <math.h>
#include <string.h>

/* One response. */
typedef struct {
    const bg_response *r;
    int output, input, number;
    const double *magnitude, *phase;
    frequency_margins margins;
} pair;

/* --- margins -------------------------------------------------------------------------------- */

static const double FLAT = 1e-9; /* [deg, or of the logarithm] smaller is round-off of 0 */

/* The last value of a sequence whose sign is known, and its number; -1: there is none yet. */
typedef struct {
    int k;
    double y;
} known_sign;

/* Where a sequence passes through 0 between its last value and this one, as a real number of the
   sequence; -1: it does not. What only comes near to 0, as a phase at high frequencies, has a sign
   by round-off. */
static double crossing(known_sign *last, int k, double y)
{
    const known_sign before = *last;

    if (fabs(y) < FLAT) {
        return -1.0;
    }
    *last = (known_sign){ isfinite(y) ? k : -1, y };
    if (before.k < 0 || !(before.y * y < 0.0)) {
        return -1.0;
    }
    /* not a number where the value is infinite, as the logarithm of a gain of 0: no margin there */
    return !isfinite(y) ? -1.0 : before.k + (k == before.k + 1 ? before.y / (before.y - y) : 1.0);
}

/* A sequence at a real number. */
static double value_at(const double *y, double at)
{
    int k = (int) at;
    double part = at - k;

    return part > 0.0 ? y[k] + part * (y[k + 1] - y[k]) : y[k];
}

static double log_at(const double *y, double at)
{
    int k = (int) at;
    double part = at - k;

    return part > 0.0 ? exp(log(y[k]) + part * (log(y[k + 1]) - log(y[k]))) : y[k];
}

/* The phase less -180 deg and whole turns, near 0. */
static double beyond(double phase)
{
    return phase + 180.0 - 360.0 * round((phase + 180.0) / 360.0);
}

frequency_margins frequency_margins_of(const bg_response *r, int number)
{
    const double none = (double) NAN;
    const double *magnitude = r->magnitude + (size_t) number * (size_t) r->n;
    const double *phase = r->phase + (size_t) number * (size_t) r->n;
    frequency_margins m = { none, none, none, none };
    known_sign turn = { -1, 0.0 }, size = { -1, 0.0 };

    for (int k = 0; k < r->n; k++) {
        double y = beyond(phase[k]);
        turn.k = fabs(y) < 90.0 ? turn.k : -1;
        double at = fabs(y) < 90.0 ? crossing(&turn, k, y) : -1.0;
        if (at >= 0.0 && isnan(m.gain)) {
            m.gain = 1.0 / log_at(magnitude, at);
            m.gain_frequency = log_at(r->frequency, at);
        }
        at = crossing(&size, k, log(magnitude[k]));
        if (at >= 0.0 && isnan(m.phase)) {
            m.phase = beyond(value_at(phase, at));
            m.phase_frequency = log_at(r->frequency, at);
        }
    }
    return m;
}

static pair pair_of(const bg_response *r, int number)
{
    size_t first = (size_t) number * (size_t) r->n;

    return (pair){ r,
                   number / r->n_inputs,
                   number % r->n_inputs,
                   number,
                   r->magnitude + first,
                   r->phase + first,
                   frequency_margins_of(r, number) };
}

static void add_pair_name(ha__strbuf *out, const pair *p)
{
    ha__strbuf_addf(out, "%s/%s", p->r->outputs[p->output], p->r->inputs[p->input]);
}

/* --- text ----------------------------------------------------------------------------------- */

static void add_number(ha__strbuf *out, double x)
{
    char number[HA__NUMBER_SIZE];

    ha__strbuf_add(out, ha__print_rounded_number(number, ha__plain_sign(x), 7));
}

static void add_roots(ha__strbuf *out, const char *title, const double *roots, int n)
{
    ha__strbuf_addf(out, "  %-8s", title);
    ha__strbuf_add(out, n < 0 ? " not computed" : n == 0 ? " none" : "");
    for (int i = 0; i < n; i++) {
        ha__strbuf_add(out, i == 0 ? " " : ", ");
        add_number(out, roots[2 * i]);
        if (roots[2 * i + 1] != 0.0) {
            ha__strbuf_add(out, roots[2 * i + 1] > 0.0 ? " + " : " - ");
            add_number(out, fabs(roots[2 * i + 1]));
            ha__strbuf_add(out, "i");
        }
    }
    ha__strbuf_add(out, "\n");
}

static void add_margins(ha__strbuf *out, const pair *p)
{
    if (!isnan(p->margins.gain)) {
        ha__strbuf_add(out, "  margin   gain ");
        add_number(out, p->margins.gain);
        ha__strbuf_add(out, " at ");
        add_number(out, p->margins.gain_frequency);
        ha__strbuf_add(out, " Hz, where the phase is -180 deg\n");
    }
    if (!isnan(p->margins.phase)) {
        ha__strbuf_add(out, "  margin   phase ");
        add_number(out, p->margins.phase);
        ha__strbuf_add(out, " deg at ");
        add_number(out, p->margins.phase_frequency);
        ha__strbuf_add(out, " Hz, where the magnitude is 1\n");
    }
}

/* Zeros, margins and peaks, then a few frequencies. */
static void add_pair_text(ha__strbuf *out, const pair *p)
{
    const bg_response *r = p->r;
    int every = r->n > 20 ? (r->n + 19) / 20 : 1;

    ha__strbuf_add(out, "\n");
    add_pair_name(out, p);
    ha__strbuf_add(out, "\n");
    add_roots(out, "zeros", r->zeros[p->number], r->n_zeros[p->number]);
    add_margins(out, p);
    for (int k = 0; k < r->n_peaks[p->number]; k++) {
        const double *peak = r->peaks[p->number] + 2 * (size_t) k;
        ha__strbuf_add(out, isfinite(peak[1]) ? "  peak     " : "  peak     without bound,");
        if (isfinite(peak[1])) {
            add_number(out, peak[1]);
        }
        ha__strbuf_add(out, isfinite(peak[1]) ? " at " : " a resonance without damping, at ");
        add_number(out, peak[0]);
        ha__strbuf_add(out, " Hz\n");
    }
    ha__strbuf_add(out, "   frequency [Hz]      magnitude    phase [deg]\n");
    for (int k = 0; k < r->n; k += every) {
        char numbers[3][HA__NUMBER_SIZE];
        ha__strbuf_addf(out, "   %14s %14s %14s\n",
                        ha__print_rounded_number(numbers[0], r->frequency[k], 7),
                        ha__print_rounded_number(numbers[1], p->magnitude[k], 7),
                        ha__print_rounded_number(numbers[2], ha__plain_sign(p->phase[k]), 7));
    }
}

static void add_text(ha__strbuf *out, const bg_response *r, const char *title)
{
    ha__strbuf_addf(out, "%s: response at %d frequenc%s\n", title, r->n, r->n == 1 ? "y" : "ies");
    if (!r->is_equilibrium) {
        ha__strbuf_add(out, "  operating point: not an equilibrium; `--at equilibrium` looks for "
                            "one\n");
    }
    add_roots(out, "poles", r->poles, r->n_poles);
    for (int i = 0; i < r->n_outputs * r->n_inputs; i++) {
        pair p = pair_of(r, i);
        add_pair_text(out, &p);
    }
}

/* --- CSV ------------------------------------------------------------------------------------ */

static void add_csv(ha__strbuf *out, const bg_response *r, const char *title)
{
    (void) title;
    ha__strbuf_add(out, "frequency [Hz]");
    for (int i = 0; i < r->n_outputs * r->n_inputs; i++) {
        pair p = pair_of(r, i);
        for (int part = 0; part < 2; part++) {
            ha__strbuf_add(out, ",");
            add_pair_name(out, &p);
            ha__strbuf_add(out, part == 0 ? " magnitude" : " phase [deg]");
        }
    }
    ha__strbuf_add(out, "\n");
    for (int k = 0; k < r->n; k++) {
        ha__strbuf_add_number(out, r->frequency[k]);
        for (int i = 0; i < r->n_outputs * r->n_inputs; i++) {
            size_t at = (size_t) i * (size_t) r->n + (size_t) k;
            ha__strbuf_add(out, ",");
            ha__strbuf_add_number(out, r->magnitude[at]);
            ha__strbuf_add(out, ",");
            ha__strbuf_add_number(out, ha__plain_sign(r->phase[at]));
        }
        ha__strbuf_add(out, "\n");
    }
}

/* --- files ---------------------------------------------------------------------------------- */

/* A format of responses. */
typedef struct {
    ha__suffix name;
    void (*add)(ha__strbuf *out, const bg_response *response, const char *title);
} format;

static const format formats[] = {
    { { ".txt", "text, as it is printed" }, add_text },
    { { ".csv", "a table: frequency, then magnitude and phase of each output by each input" },
      add_csv },
};

const ha__suffixes frequency_formats = { HA__SUFFIXES(formats), .what = "the frequency response",
                                         .has_plain = true, .more = &gnuplot_formats };

static ha_status write_picture(cli_call *cli, const bg_response *response, const char *path)
{
    frequency_panels panels = { 0 };
    frequency_kind kind = FREQUENCY_BODE;
    ha_status status = frequency_read_kind(cli, &kind);

    HA_THEN(status, frequency_panels_new(cli->ctx, response, kind, &panels));
    HA_THEN(status, gnuplot_write(cli->ctx, panels.panels.items, panels.panels.count, path));
    frequency_panels_clear(&panels);
    return status;
}

ha_status frequency_write(cli_call *cli, const bg_response *response, const char *title,
                          const char *path)
{
    ha__strbuf out = HA_STRBUF(cli->ctx);
    const format *to = ha__suffix_find(&frequency_formats, path);

    if (to == NULL) {
        return write_picture(cli, response, path);
    }
    to->add(&out, response, title);
    ha_status status = out.status;
    HA_THEN(status, ha__output_write(cli->ctx, path, ha__strbuf_text(&out), out.length));
    return ha__strbuf_drop(&out, status);
}

/* --- JSON ----------------------------------------------------------------------------------- */

enum { KEYS = 5 }; /* that have a value for each response */

static json_t *roots_of(const double *roots, int n)
{
    return n < 0 ? json_null() : cli_json_matrix(roots, n, 2);
}

static json_t *margins_of(const pair *p)
{
    const cli_member members[] = {
        cli_real("gain", p->margins.gain),
        cli_real("gain_frequency", p->margins.gain_frequency),
        cli_real("phase", p->margins.phase),
        cli_real("phase_frequency", p->margins.phase_frequency),
    };

    return cli_json_object(members, HA_COUNT(members));
}

ha_status frequency_print_json(cli_call *cli, const bg_response *r)
{
    static const char *const keys[KEYS] = { "magnitude", "phase", "zeros", "peaks", "margins" };
    cli_json json = cli_json_new();
    json_t *all[KEYS];
    ha__strbuf name = HA_STRBUF(cli->ctx);

    for (int key = 0; key < KEYS; key++) {
        all[key] = json_object();
    }
    for (int i = 0; i < r->n_outputs * r->n_inputs; i++) {
        pair p = pair_of(r, i);
        json_t *values[] = { cli_json_reals(p.magnitude, r->n), cli_json_reals(p.phase, r->n),
                             roots_of(r->zeros[i], r->n_zeros[i]),
                             roots_of(r->peaks[i], r->n_peaks[i]), margins_of(&p) };
        ha__strbuf_clear(&name);
        add_pair_name(&name, &p);
        for (int key = 0; key < KEYS; key++) {
            json.has_failed |=
                json_object_set_new(all[key], ha__strbuf_text(&name), values[key]) != 0;
        }
    }
    ha__strbuf_clear(&name);
    cli_json_put(&json, "frequency", cli_json_reals(r->frequency, r->n));
    for (int key = 0; key < KEYS; key++) {
        cli_json_put(&json, keys[key], all[key]);
    }
    const cli_member members[] = {
        cli_value("poles", roots_of(r->poles, r->n_poles)),
        cli_bool("equilibrium", r->is_equilibrium),
        cli_value("sides", cli_json_texts(r->sides, r->n_sides)),
    };
    cli_json_put_each(&json, members, HA_COUNT(members));
    return cli_json_print(cli, &json);
}
