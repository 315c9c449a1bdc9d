/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modes as text, tables and JSON. */
#include <config.h>

#include "tools/analysis/modes_write.h"

#include "bondgraph/export.h"
#include "lib/core/number.h"
#include "lib/core/output.h"
#include "lib/core/strbuf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double FAINT = 0.005; /* shares and parts of shapes that are not printed as text */
static const double DUST = 1e-12;  /* parts of a shape that are round-off */
enum { TITLE = 26, WIDEST_TITLE = 560 /* pixels */ };

static const char *const kinds[] = { "kinetic", "potential", "dissipation" };
static const char *const coordinates[] = { "x", "y", "angle" };

/* --- what is shown -------------------------------------------------------------------------- */

/* The numbers of the outputs (3 x bodies) that are the places of the bodies. The search for one
   begins behind the last, since they come in one order. */
static void find_places(const modes_shown *s, int *numbers)
{
    int n = s->modal->n_outputs, at = 0;

    for (int i = 0; i < 3 * s->n_bodies; i++) {
        const char *body = m2d_system_body_name(s->model->system, i / 3);
        size_t length = strlen(body);
        for (int tries = 0; tries < n; tries++, at++) {
            const char *name = s->modal->outputs[at % n];
            if (strncmp(name, body, length) == 0 && name[length] == '.' &&
                strcmp(name + length + 1, coordinates[i % 3]) == 0) {
                break;
            }
        }
        numbers[i] = at % (n > 0 ? n : 1);
    }
}

/* The places (n) of the bodies divided by the largest, which becomes 1. */
static void normalise(const bg_mode *mode, const int *numbers, int n, double (*shape)[2])
{
    double largest = 0.0, by[2] = { 1.0, 0.0 };

    for (int i = 0; i < n; i++) {
        const double *z = mode->outputs + 2 * numbers[i];
        if (hypot(z[0], z[1]) > largest * (1.0 + 1e-9)) {
            largest = hypot(z[0], z[1]);
            by[0] = z[0] / (largest * largest);
            by[1] = -z[1] / (largest * largest);
        }
    }
    for (int i = 0; i < n; i++) {
        const double *z = mode->outputs + 2 * numbers[i];
        shape[i][0] = z[0] * by[0] - z[1] * by[1];
        shape[i][1] = z[0] * by[1] + z[1] * by[0];
        for (int part = 0; part < 2; part++) {
            shape[i][part] = fabs(shape[i][part]) > DUST ? shape[i][part] : 0.0;
        }
    }
}

ha_status modes_show(cli_call *cli, const cli_model *model, const bg_modal *modal, modes_shown *out)
{
    size_t n = (size_t) modal->n_modes;

    *out =
        (modes_shown){ .model = model,
                       .modal = modal,
                       .mode = modal->n_rigid < modal->n_modes ? modal->n_rigid : -1,
                       .n_bodies = model->system == NULL ? 0 : m2d_system_n_bodies(model->system) };
    HA_TRY_ALLOC(cli->ctx, out->shape, 3 * n * (size_t) out->n_bodies);
    HA_TRY_ALLOC(cli->ctx, out->shares, n);
    HA_TRY_ALLOC(cli->ctx, out->n_shares, n);
    HA_TRY_ALLOC(cli->ctx, out->numbers, 3 * out->n_bodies);
    find_places(out, out->numbers);
    for (int k = 0; k < modal->n_modes; k++) {
        normalise(&modal->modes[k], out->numbers, 3 * out->n_bodies,
                  out->shape + (size_t) k * 3 * (size_t) out->n_bodies);
        HA_TRY(bg_mode_shares(cli->ctx, model->causality, modal, k, &out->shares[k],
                              &out->n_shares[k]));
    }
    return HA_OK;
}

void modes_clear(modes_shown *shown)
{
    for (int k = 0; shown->shares != NULL && k < shown->modal->n_modes; k++) {
        free(shown->shares[k]);
    }
    HA_FREE(shown->numbers, shown->shape, shown->shares, shown->n_shares);
}

static const double (*shape_of(const modes_shown *s, int mode))[2]
{
    return (const double(*)[2])(s->shape + (size_t) mode * 3 * (size_t) s->n_bodies);
}

static double frequency_of(const bg_mode *mode)
{
    return hypot(mode->eigenvalue[0], mode->eigenvalue[1]) / (2.0 * acos(-1.0));
}

static double damping_of(const bg_mode *mode)
{
    double size = hypot(mode->eigenvalue[0], mode->eigenvalue[1]);

    return size > 0.0 ? -mode->eigenvalue[0] / size : 0.0;
}

/* --- text ----------------------------------------------------------------------------------- */

static void add_cell(ha__strbuf *out, double x)
{
    char number[HA__NUMBER_SIZE];

    ha__strbuf_addf(out, " %14s", ha__print_rounded_number(number, ha__plain_zero(x), 7));
}

static void add_shares(ha__strbuf *out, const modes_shown *s, int mode)
{
    for (int kind = 0; kind < BG_MODE_ENERGY_COUNT; kind++) {
        int n = 0;
        for (int i = 0; i < s->n_shares[mode]; i++) {
            const bg_mode_share *share = &s->shares[mode][i];
            if ((int) share->kind == kind && fabs(share->share) >= FAINT) {
                if (n++ == 0) {
                    ha__strbuf_addf(out, "      %-12s", kinds[kind]);
                }
                ha__strbuf_addf(out, "%s%s %.0f %%", n > 1 ? ", " : "", share->element,
                                100.0 * share->share);
            }
        }
        ha__strbuf_add(out, n > 0 ? "\n" : "");
    }
}

/* "rod: x 0.5, angle 1 at 90 deg". */
static void add_shape(ha__strbuf *out, const modes_shown *s, int mode)
{
    char number[HA__NUMBER_SIZE];

    for (int body = 0; body < s->n_bodies; body++) {
        int n = 0;
        for (int c = 0; c < 3; c++) {
            const double *z = shape_of(s, mode)[3 * body + c];
            double size = hypot(z[0], z[1]), turn = atan2(z[1], z[0]) * 180.0 / acos(-1.0);
            if (size < FAINT) {
                continue;
            }
            bool is_real = fabs(z[1]) < FAINT * size;
            if (n == 0) {
                ha__strbuf_addf(out, "      %-12s", m2d_system_body_name(s->model->system, body));
            }
            ha__strbuf_addf(out, "%s%s %s", n++ > 0 ? ", " : "", coordinates[c],
                            ha__print_rounded_number(number, is_real ? z[0] : size, 4));
            if (!is_real) {
                ha__strbuf_addf(out, " at %.0f deg", turn);
            }
        }
        ha__strbuf_add(out, n > 0 ? "\n" : "");
    }
}

static void add_text(ha__strbuf *out, const modes_shown *s)
{
    const bg_modal *m = s->modal;

    ha__strbuf_addf(out, "%s: %d mode%s of %d states, %d rigid\n", s->model->name, m->n_modes,
                    m->n_modes == 1 ? "" : "s", m->n_states, m->n_rigid);
    if (!m->is_equilibrium) {
        ha__strbuf_add(out, "  operating point: not an equilibrium; the largest acceleration is ");
        ha__strbuf_add_short_number(out, m->acceleration);
        ha__strbuf_add(out, ", the largest velocity ");
        ha__strbuf_add_short_number(out, m->velocity);
        ha__strbuf_add(out, " [SI]; these are no modes of vibration\n");
    }
    ha__strbuf_add(out, "\n  mode    frequency [Hz]        damping          eigenvalue [1/s]\n");
    for (int k = 0; k < m->n_modes; k++) {
        const bg_mode *mode = &m->modes[k];
        ha__strbuf_addf(out, "  %4d   ", k + 1);
        add_cell(out, frequency_of(mode));
        add_cell(out, damping_of(mode));
        add_cell(out, mode->eigenvalue[0]);
        add_cell(out, mode->eigenvalue[1]);
        ha__strbuf_add(out, k < m->n_rigid ? "  rigid\n" : "\n");
        add_shape(out, s, k);
        add_shares(out, s, k);
    }
}

/* --- CSV ------------------------------------------------------------------------------------ */

static void add_csv(ha__strbuf *out, const modes_shown *s)
{
    ha__strbuf_add(out, "mode,re [1/s],im [1/s],frequency [Hz],damping [1]");
    for (int i = 0; i < 3 * s->n_bodies; i++) {
        const char *name = m2d_system_body_name(s->model->system, i / 3);
        ha__strbuf_addf(out, ",%s.%s re,%s.%s im", name, coordinates[i % 3], name,
                        coordinates[i % 3]);
    }
    ha__strbuf_add(out, "\n");
    for (int k = 0; k < s->modal->n_modes; k++) {
        const bg_mode *mode = &s->modal->modes[k];
        const double all[] = { mode->eigenvalue[0], mode->eigenvalue[1], frequency_of(mode),
                               damping_of(mode) };
        ha__strbuf_addf(out, "%d", k + 1);
        for (int i = 0; i < 4 + 6 * s->n_bodies; i++) {
            ha__strbuf_add(out, ",");
            ha__strbuf_add_number(
                out, ha__plain_zero(i < 4 ? all[i] : shape_of(s, k)[(i - 4) / 2][i % 2]));
        }
        ha__strbuf_add(out, "\n");
    }
}

/* --- files ---------------------------------------------------------------------------------- */

/* A format of modes. */
typedef struct {
    ha__suffix name;
    void (*add)(ha__strbuf *out, const modes_shown *shown); /* NULL: a picture */
} format;

static const format formats[] = {
    { { ".txt", "text, as it is printed" }, add_text },
    { { ".csv", "a table: eigenvalues and the shapes of all bodies" }, add_csv },
    { { ".svg", "the bond graph with the energy of one mode, by width and colour" }, NULL },
};

const ha__suffixes modes_formats = { HA__SUFFIXES(formats), .what = "the modes",
                                     .has_plain = true };

/* The bonds of storages and resistors as wide as their shares, each kind in its colour; all others
   are faint. */
static void add_style(ha__strbuf *out, const modes_shown *s, int mode)
{
    static const char *const colours[] = { "#1d4ed8", "#15803d", "#b91c1c" };

    ha__strbuf_add(out, "<style>g.edge{opacity:0.35}");
    for (int i = 0; i < s->n_shares[mode]; i++) {
        const bg_mode_share *share = &s->shares[mode][i];
        const char *colour = colours[share->kind];
        double width = 1.0 + 5.0 * fmin(fabs(share->share), 1.0);
        ha__strbuf_addf(out,
                        "#bond-%d{opacity:1}#bond-%d path,#bond-%d polyline{stroke:%s;"
                        "stroke-width:%.2f}#bond-%d text{fill:%s}",
                        share->bond, share->bond, share->bond, colour, width, share->bond, colour);
    }
    ha__strbuf_add(out, "</style>\n");
}

/* What is shown, and what the colours mean. */
static void add_title(ha__strbuf *out, const modes_shown *s, int mode)
{
    const bg_mode *m = &s->modal->modes[mode];
    char numbers[2][HA__NUMBER_SIZE];

    ha__strbuf_addf(out,
                    "<text x=\"8\" y=\"17\" font-family=\"sans-serif\" font-size=\"13\">mode %d: "
                    "%s Hz, damping %s; <tspan fill=\"#1d4ed8\">kinetic</tspan>, <tspan "
                    "fill=\"#15803d\">potential</tspan>, <tspan fill=\"#b91c1c\">dissipation"
                    "</tspan>, width by share</text>\n",
                    mode + 1, ha__print_rounded_number(numbers[0], frequency_of(m), 5),
                    ha__print_rounded_number(numbers[1], ha__plain_zero(damping_of(m)), 3));
}

static ha_status write_picture(cli_call *cli, const modes_shown *s, const char *path)
{
    bg_draw_options options = bg_draw_options_default();
    ha__strbuf out = HA_STRBUF(cli->ctx);
    char *svg = NULL;

    if (s->mode < 0) {
        return ha_fail(cli->ctx, HA_ERR_VALUE, HA_NOWHERE,
                       "there is no mode to draw: %d were found, %d of them rigid, which have no "
                       "energy; choose one with --mode N",
                       s->modal->n_modes, s->modal->n_rigid);
    }
    options.level = BG_DRAW_SCALAR; /* shares are those of scalar bonds */
    options.has_legend = 0;
    HA_TRY(bg_graph_svg(s->model->graph, s->model->causality, &options, &svg));
    const char *start = strstr(svg, "<svg"), *box = strstr(svg, "viewBox=\"0.00 0.00 ");
    double size[2] = { 0.0, 0.0 };
    ha_status status = HA_OK;
    if (start == NULL || box == NULL ||
        sscanf(box + strlen("viewBox=\"0.00 0.00 "), "%lf %lf", &size[0], &size[1]) != 2) {
        status = ha_fail(cli->ctx, HA_ERR_PROCESS, HA_NOWHERE,
                         "the picture that `dot` made has no size; try another version of it");
    }
    if (status == HA_OK) { /* `dot` counts in points, of which 3 are 4 pixels */
        double width = fmax(size[0] * 4.0 / 3.0, WIDEST_TITLE);
        ha__strbuf_addf(&out,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
                        "width=\"%.0f\" height=\"%.0f\">\n",
                        width, size[1] * 4.0 / 3.0 + TITLE, width, size[1] * 4.0 / 3.0 + TITLE);
        add_style(&out, s, s->mode);
        ha__strbuf_add(&out, "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
        add_title(&out, s, s->mode);
        ha__strbuf_addf(&out, "<svg y=\"%d\"", (int) TITLE);
        ha__strbuf_add(&out, start + strlen("<svg"));
        ha__strbuf_add(&out, "</svg>\n");
        status = out.status;
    }
    if (status == HA_OK) {
        status = ha__output_write(cli->ctx, path, ha__strbuf_text(&out), out.length);
    }
    ha__strbuf_clear(&out);
    free(svg);
    return status;
}

ha_status modes_write(cli_call *cli, const modes_shown *shown, const char *path)
{
    ha__strbuf out = HA_STRBUF(cli->ctx);
    const format *to = ha__suffix_find(&modes_formats, path);

    if (to->add == NULL) {
        return write_picture(cli, shown, path);
    }
    to->add(&out, shown);
    ha_status status = out.status;
    if (status == HA_OK) {
        status = ha__output_write(cli->ctx, path, ha__strbuf_text(&out), out.length);
    }
    ha__strbuf_clear(&out);
    return status;
}

/* --- JSON ----------------------------------------------------------------------------------- */

static json_t *pair_of(const double *z)
{
    json_t *pair = json_array();

    (void) cli_json_append(pair, cli_json_real(ha__plain_zero(z[0])));
    (void) cli_json_append(pair, cli_json_real(ha__plain_zero(z[1])));
    return pair;
}

static json_t *shape_json(const modes_shown *s, int mode)
{
    json_t *all = json_object();

    for (int body = 0; body < s->n_bodies; body++) {
        json_t *one = json_array();
        for (int c = 0; c < 3; c++) {
            (void) cli_json_append(one, pair_of(shape_of(s, mode)[3 * body + c]));
        }
        (void) json_object_set_new(all, m2d_system_body_name(s->model->system, body), one);
    }
    return all;
}

static json_t *shares_json(const modes_shown *s, int mode, int kind)
{
    json_t *all = json_object();

    for (int i = 0; i < s->n_shares[mode]; i++) {
        const bg_mode_share *share = &s->shares[mode][i];
        if ((int) share->kind == kind) {
            (void) json_object_set_new(all, share->element, cli_json_real(share->share));
        }
    }
    return all;
}

static json_t *mode_json(const modes_shown *s, int k)
{
    const bg_mode *mode = &s->modal->modes[k];
    json_t *all = json_object();

    (void) json_object_set_new(all, "eigenvalue", pair_of(mode->eigenvalue));
    (void) json_object_set_new(all, "frequency", cli_json_real(frequency_of(mode)));
    (void) json_object_set_new(all, "damping", cli_json_real(ha__plain_zero(damping_of(mode))));
    (void) json_object_set_new(all, "shape", shape_json(s, k));
    for (int kind = 0; kind < BG_MODE_ENERGY_COUNT; kind++) {
        (void) json_object_set_new(all, kinds[kind], shares_json(s, k, kind));
    }
    return all;
}

ha_status modes_print_json(cli_call *cli, const modes_shown *shown)
{
    cli_json json = cli_json_new();
    json_t *modes = json_array();

    for (int k = 0; k < shown->modal->n_modes; k++) {
        (void) cli_json_append(modes, mode_json(shown, k));
    }
    cli_json_put(&json, "modes", modes);
    cli_json_put_int(&json, "rigid", shown->modal->n_rigid);
    cli_json_put_int(&json, "states", shown->modal->n_states);
    cli_json_put(&json, "equilibrium", json_boolean(shown->modal->is_equilibrium));
    cli_json_put_real(&json, "velocity", shown->modal->velocity);
    cli_json_put_real(&json, "acceleration", shown->modal->acceleration);
    return cli_json_print(cli, &json);
}
