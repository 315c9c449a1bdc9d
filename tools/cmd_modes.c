/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halfarrow modes: eigenvalues with their shapes and where their energy sits. */
#include <config.h>

#include "bondgraph/modes.h"
#include "lib/core/output.h"
#include "tools/analysis/modes_graph.h"
#include "tools/analysis/modes_motion.h"
#include "tools/analysis/modes_sweep.h"
#include "tools/page/film.h"
#include "tools/page/page_modes.h"

#include <math.h>

/* --- files ---------------------------------------------------------------------------------- */

static ha_status write_out(cli_call *cli, const char *path, ha_status status, ha__strbuf *out)
{
    HA_THEN(status, out->status);
    HA_THEN(status, ha__output_write(cli->ctx, path, ha__strbuf_text(out), out->length));
    ha__strbuf_clear(out);
    return status;
}

static ha_status write_text(cli_call *cli, const modes_shown *shown, const char *path)
{
    ha__strbuf out = HA_STRBUF(cli->ctx);

    modes_add_text(&out, shown);
    return write_out(cli, path, HA_OK, &out);
}

static ha_status write_csv(cli_call *cli, const modes_shown *shown, const char *path)
{
    ha__strbuf out = HA_STRBUF(cli->ctx);

    modes_add_csv(&out, shown);
    return write_out(cli, path, HA_OK, &out);
}

static ha_status write_picture(cli_call *cli, const modes_shown *shown, const char *path)
{
    ha__strbuf out = HA_STRBUF(cli->ctx);
    ha_status status = modes_add_picture(cli, shown, &out);

    return write_out(cli, path, status, &out);
}

/* Row 0 of the motion is the rest. */
static size_t row_of(const void *user, int picture)
{
    (void) user;
    return (size_t) picture + 1;
}

static ha_status write_film(cli_call *cli, const modes_shown *shown, const char *path)
{
    ha_result *motion = NULL;
    scene moving = { 0 };
    scene_view view = scene_view_new();

    HA_TRY(modes_check_drawn(cli, shown));
    HA_TRY(modes_motion(cli, shown, shown->mode, &motion));
    if (motion == NULL) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, (ha_where){ shown->model->name, 0, 0 },
                       "the model has no bodies, nothing of it can be seen to move; -o FILE.svg "
                       "draws the energy of a mode on the bond graph");
    }
    ha_status status =
        scene_open(cli->ctx, m2d_model_mechanism(shown->model->file), motion, &moving);
    if (status == HA_OK) {
        scene_extend(&moving, &view);
        scene_fit(&view);
        const film f = { .ctx = cli->ctx,
                         .title = shown->model->name,
                         .scene = &moving,
                         .view = &view,
                         .n_pictures = MODES_PICTURES,
                         .row_of = row_of,
                         .has_rest = true };
        status = film_write_gif(&f, path);
    }
    scene_clear(&moving);
    ha_result_free(motion);
    return status;
}

/* A format of modes. */
typedef struct {
    ha__suffix name;
    ha_status (*write)(cli_call *cli, const modes_shown *shown, const char *path);
} format;

static const format formats[] = {
    { { ".txt", "text, as it is printed" }, write_text },
    { { ".csv", "a table: eigenvalues and the shapes of all bodies" }, write_csv },
    { { ".svg", "the bond graph with the energy of one mode, by width and colour" },
      write_picture },
    { { ".html", "a page of all modes: table, energy on the bond graph, mechanism in motion" },
      page_modes_write },
    { { ".gif", "the mechanism in one mode, which needs the programs rsvg-convert and ffmpeg" },
      write_film },
};

const ha__suffixes modes_formats = { HA__SUFFIXES(formats), .what = "the modes",
                                     .has_plain = true };

static ha_status write_file(cli_call *cli, const modes_shown *shown, const char *path)
{
    const format *to = ha__suffix_find(&modes_formats, path);

    return to->write(cli, shown, path);
}

/* --- the command ---------------------------------------------------------------------------- */

/* What the command works with. */
typedef struct {
    operating op;
    bg_modal modal;
    modes_shown shown;
} job;

/* The mode that is drawn. */
static ha_status choose_mode(cli_call *cli, job *j)
{
    double mode = 0.0;

    if (!cli_has(cli, CLI_MODE)) {
        return HA_OK;
    }
    HA_TRY(cli_number(cli, CLI_MODE, &mode));
    if (!(mode >= 1.0 && mode <= j->modal.n_modes && mode == floor(mode))) {
        return ha_fail(cli->ctx, HA_ERR_VALUE, HA_NOWHERE,
                       "--mode is %g; give the number of one of the %d modes", mode,
                       j->modal.n_modes);
    }
    j->shown.mode = (int) mode - 1;
    return HA_OK;
}

/* How many are wanted; 0: not said. */
static ha_status read_count(cli_call *cli, int *n)
{
    double count = 0.0;

    *n = 0;
    if (!cli_has(cli, CLI_COUNT)) {
        return HA_OK;
    }
    HA_TRY(cli_number(cli, CLI_COUNT, &count));
    if (!(count >= 1.0 && count <= 10000.0 && count == floor(count))) {
        return ha_fail(cli->ctx, HA_ERR_VALUE, HA_NOWHERE,
                       "--count is %g; give the number of modes, a whole number from 1 on", count);
    }
    *n = (int) count;
    return HA_OK;
}

static ha_status find(cli_call *cli, job *j)
{
    int count = 0;

    HA_TRY(read_count(cli, &count));
    HA_TRY(operating_prepare(cli, true, &j->op));
    HA_TRY(bg_modes(cli->ctx, j->op.run.model.compiled, &j->op.point, count, &j->modal));
    HA_TRY(modes_show(cli, &j->op, &j->modal, &j->shown));
    return choose_mode(cli, j);
}

static ha_status show(cli_call *cli, job *j)
{
    if (cli_has(cli, CLI_OUTPUT)) {
        HA_TRY(write_file(cli, &j->shown, cli->text[CLI_OUTPUT]));
    }
    if (cli_has(cli, CLI_JSON)) {
        return modes_print_json(cli, &j->shown);
    }
    return cli_has(cli, CLI_OUTPUT) ? HA_OK : write_file(cli, &j->shown, "-");
}

static ha_status follow(cli_call *cli)
{
    int count = 0;

    HA_TRY(read_count(cli, &count));
    cli_begin_work(cli);
    ha_status status = modes_sweep(cli, count);
    cli_end_work(cli);
    return status;
}

ha_status cmd_modes(cli_call *cli)
{
    if (cli_has(cli, CLI_SWEEP)) {
        return follow(cli);
    }
    job j = { .op = operating_new() };

    cli_begin_work(cli);
    ha_status status = find(cli, &j);
    HA_THEN(status, show(cli, &j));
    cli_end_work(cli);
    modes_clear(&j.shown);
    bg_modal_clear(&j.modal);
    operating_clear(&j.op);
    return status;
}
