/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modes as text, tables and JSON. */
#include <config.h>

#include "tools/analysis/modes_write.h"

#include "lib/core/number.h"
#include "lib/core/strbuf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FAINT = 0.005; /* shares and parts of shapes that are not printed as text */
static const double DUST = 1e-12;  /* parts of a shape, or of an eigenvalue, that are round-off */

static const char *const kinds[] = { "kinetic", "potential", "dissipation" };

/* --- what is shown -------------------------------------------------------------------------- */

/* The numbers of the outputs (3 x bodies) that are the positions of the bodies. The search for one
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
                strcmp(name + length + 1, m2d_coordinate_name((m2d_coordinate) (i % 3))) == 0) {
                break;
            }
        }
        numbers[i] = at % (n > 0 ? n : 1);
    }
}

/* The positions (n) of the bodies divided by the largest, which becomes 1. */
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

ha_status modes_show(cli_call *cli, operating *op, const bg_modal *modal, modes_shown *out)
{
    const cli_model *model = &op->run.model;
    size_t n = (size_t) modal->n_modes;

    *out =
        (modes_shown){ .op = op,
                       .model = model,
                       .modal = modal,
                       .mode = modal->n_rigid < modal->n_modes ? modal->n_rigid : -1,
                       .n_bodies = model->system == NULL ? 0 : m2d_system_n_bodies(model->system) };
    HA_TRY_ALLOC(cli->ctx, out->shape, 3 * n * (size_t) out->n_bodies);
    HA_TRY_ALLOC_EACH(cli->ctx, n, out->shares, out->n_shares);
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

const double (*modes_shape(const modes_shown *s, int mode))[2]
{
    return (const double(*)[2])(s->shape + (size_t) mode * 3 * (size_t) s->n_bodies);
}

const char *modes_energy_word(bg_mode_energy kind)
{
    return kinds[kind];
}

double modes_frequency(const bg_mode *mode)
{
    return hypot(mode->eigenvalue[0], mode->eigenvalue[1]) / (2.0 * acos(-1.0));
}

double modes_damping(const bg_mode *mode)
{
    double size = hypot(mode->eigenvalue[0], mode->eigenvalue[1]);

    return fabs(mode->eigenvalue[0]) > DUST * size ? -mode->eigenvalue[0] / size : 0.0;
}

/* --- text ----------------------------------------------------------------------------------- */

static void add_cell(ha__strbuf *out, double x)
{
    char number[HA__NUMBER_SIZE];

    ha__strbuf_addf(out, " %14s", ha__print_rounded_number(number, ha__plain_sign(x), 7));
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
            const double *z = modes_shape(s, mode)[3 * body + c];
            double size = hypot(z[0], z[1]), turn = atan2(z[1], z[0]) * 180.0 / acos(-1.0);
            if (size < FAINT) {
                continue;
            }
            bool is_real = fabs(z[1]) < FAINT * size;
            if (n == 0) {
                ha__strbuf_addf(out, "      %-12s", m2d_system_body_name(s->model->system, body));
            }
            ha__strbuf_addf(out, "%s%s %s", n++ > 0 ? ", " : "",
                            m2d_coordinate_name((m2d_coordinate) c),
                            ha__print_rounded_number(number, is_real ? z[0] : size, 4));
            if (!is_real) {
                ha__strbuf_addf(out, " at %.0f deg", turn);
            }
        }
        ha__strbuf_add(out, n > 0 ? "\n" : "");
    }
}

void modes_add_text(ha__strbuf *out, const modes_shown *s)
{
    const bg_modal *m = s->modal;

    ha__strbuf_addf(out, "%s: %d mode%s of %d states, %d rigid\n", s->model->name, m->n_modes,
                    m->n_modes == 1 ? "" : "s", m->n_states, m->n_rigid);
    if (!m->is_equilibrium) {
        ha__strbuf_add(out, "  operating point: not an equilibrium; the largest acceleration is ");
        char numbers[2][HA__NUMBER_SIZE];
        ha__strbuf_addf(out, "%s, the largest velocity %s",
                        ha__print_rounded_number(numbers[0], m->acceleration, 5),
                        ha__print_rounded_number(numbers[1], m->velocity, 5));
        ha__strbuf_add(out, " [SI]; these are no modes of vibration; `--at equilibrium` looks "
                            "for an equilibrium\n");
    }
    ha__strbuf_add(out, "\n  mode    frequency [Hz]        damping          eigenvalue [1/s]\n");
    for (int k = 0; k < m->n_modes; k++) {
        const bg_mode *mode = &m->modes[k];
        ha__strbuf_addf(out, "  %4d   ", k + 1);
        add_cell(out, modes_frequency(mode));
        add_cell(out, modes_damping(mode));
        add_cell(out, mode->eigenvalue[0]);
        add_cell(out, mode->eigenvalue[1]);
        ha__strbuf_add(out, k < m->n_rigid ? "  rigid\n" : "\n");
        add_shape(out, s, k);
        add_shares(out, s, k);
    }
}

/* --- CSV ------------------------------------------------------------------------------------ */

void modes_add_csv(ha__strbuf *out, const modes_shown *s)
{
    ha__strbuf_add(out, "mode,re [1/s],im [1/s],frequency [Hz],damping [1]");
    for (int i = 0; i < 3 * s->n_bodies; i++) {
        const char *name = m2d_system_body_name(s->model->system, i / 3);
        ha__strbuf_addf(out, ",%s.%s re,%s.%s im", name,
                        m2d_coordinate_name((m2d_coordinate) (i % 3)), name,
                        m2d_coordinate_name((m2d_coordinate) (i % 3)));
    }
    ha__strbuf_add(out, "\n");
    for (int k = 0; k < s->modal->n_modes; k++) {
        const bg_mode *mode = &s->modal->modes[k];
        const double all[] = { mode->eigenvalue[0], mode->eigenvalue[1], modes_frequency(mode),
                               modes_damping(mode) };
        ha__strbuf_addf(out, "%d", k + 1);
        for (int i = 0; i < 4 + 6 * s->n_bodies; i++) {
            ha__strbuf_add(out, ",");
            ha__strbuf_add_number(
                out, ha__plain_sign(i < 4 ? all[i] : modes_shape(s, k)[(i - 4) / 2][i % 2]));
        }
        ha__strbuf_add(out, "\n");
    }
}

/* --- JSON ----------------------------------------------------------------------------------- */

static json_t *shape_json(const modes_shown *s, int mode)
{
    json_t *all = json_object();

    for (int body = 0; body < s->n_bodies; body++) {
        (void) json_object_set_new(all, m2d_system_body_name(s->model->system, body),
                                   cli_json_matrix(modes_shape(s, mode)[3 * body], 3, 2));
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
    const cli_member members[] = {
        cli_value("eigenvalue", cli_json_reals(mode->eigenvalue, 2)),
        cli_real("frequency", modes_frequency(mode)),
        cli_real("damping", modes_damping(mode)),
        cli_value("shape", shape_json(s, k)),
    };
    json_t *all = cli_json_object(members, HA_COUNT(members));

    for (int kind = 0; kind < BG_MODE_ENERGY_COUNT; kind++) {
        (void) json_object_set_new(all, kinds[kind], shares_json(s, k, kind));
    }
    return all;
}

ha_status modes_print_json(cli_call *cli, const modes_shown *shown)
{
    const bg_modal *modal = shown->modal;
    cli_json json = cli_json_new();
    json_t *modes = json_array();

    for (int k = 0; k < modal->n_modes; k++) {
        (void) cli_json_append(modes, mode_json(shown, k));
    }
    const cli_member members[] = {
        cli_value("modes", modes),
        cli_int("rigid", modal->n_rigid),
        cli_int("states", modal->n_states),
        cli_bool("equilibrium", modal->is_equilibrium),
        cli_real("velocity", modal->velocity),
        cli_real("acceleration", modal->acceleration),
        cli_value("sides", cli_json_texts(modal->sides, modal->n_sides)),
    };
    cli_json_put_each(&json, members, HA_COUNT(members));
    return cli_json_print(cli, &json);
}
