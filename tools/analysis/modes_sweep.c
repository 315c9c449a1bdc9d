/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Modes over a value of the model, followed by their shapes (bondgraph/modes.h). A mode that is
 * left over begins a branch, and a branch that finds none ends.
 *
 * Two modes whose frequencies seem to cross may veer: within a range that is narrower than a step
 * they turn into each other and keep their order. Then shapes alone tell the wrong branches. So
 * where two eigenvalues pass each other, modes are found between the two values as well, halfway
 * and again in the half where they still pass. Where they veer there comes a half in which they do
 * not; those that cross do so to the last.
 */
#include <config.h>

#include "tools/analysis/modes_sweep.h"

#include "bondgraph/modes.h"
#include "lib/core/context_priv.h"
#include "lib/core/number.h"
#include "lib/data/result_format.h"
#include "tools/analysis/operating.h"
#include "tools/analysis/sweep.h"
#include "tools/shared/json.h"

#include <math.h>
#include <stdio.h>

/* A mode at a value. */
typedef struct {
    double eigenvalue[2], mac;
    bool is_there;
} station;

/* A mode over all values. */
typedef struct {
    station *stations; /* (count) */
} branch;

typedef struct {
    cli_call *cli;
    sweep range;
    HA_ARRAY(branch) branches;
    const char *name;
    int *rigid;            /* (count) */
    bg_mode_shapes before; /* modes at the value before */
    int *branch_of;        /* of these; -1: none, as of rigid ones */
    int i;                 /* number of the value */
    int n_lowest;          /* modes that are wanted; 0: all */
} locus;

enum { MOST_HALVINGS = 12 };

static const double NEAR = 0.25; /* of how far two eigenvalues were apart: they pass each other */

/* --- modes at a value ----------------------------------------------------------------------- */

static ha_status find_shapes(const locus *l, double value, bg_mode_shapes *out, int *n_rigid)
{
    cli_call one = *l->cli;
    char number[HA__NUMBER_SIZE], set[512];
    operating op = operating_new();
    bg_modal modal = { 0 };

    ha__print_number(number, value);
    if ((size_t) snprintf(set, sizeof set, "%s=%s", l->range.path, number) >= sizeof set) {
        return ha_fail(l->cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE, "the path `%s` is too long",
                       l->range.path);
    }
    one.sets.items[one.sets.count - 1] = set; /* instead of the first value */
    ha_status status = operating_prepare(&one, true, &op);
    HA_THEN(status, bg_modes(one.ctx, op.run.model.compiled, &op.point, l->n_lowest, &modal));
    HA_THEN(status, bg_mode_shapes_find(one.ctx, op.run.model.causality, &modal, out));
    one.sets.items[one.sets.count - 1] = l->range.set;
    *n_rigid = modal.n_rigid;
    bg_modal_clear(&modal);
    operating_clear(&op);
    return status;
}

/* --- following ------------------------------------------------------------------------------ */

/* From eigenvalue h to eigenvalue k. */
static void subtract(const bg_mode_shapes *s, int k, int h, double *out)
{
    out[0] = s->eigenvalues[2 * k] - s->eigenvalues[2 * h];
    out[1] = s->eigenvalues[2 * k + 1] - s->eigenvalues[2 * h + 1];
}

/* Whether the eigenvalues of two modes pass each other on their ways from a to b. */
static bool do_pass(const bg_mode_shapes *a, const bg_mode_shapes *b, const int *partner, int k,
                    int h)
{
    double from[2], to[2];

    subtract(a, partner[k], partner[h], from);
    subtract(b, k, h, to);
    double way[2] = { to[0] - from[0], to[1] - from[1] };
    double square = way[0] * way[0] + way[1] * way[1];
    double s = square > 0.0 ? -(from[0] * way[0] + from[1] * way[1]) / square : 0.0;
    double least = hypot(from[0] + s * way[0], from[1] + s * way[1]);

    return from[1] * to[1] < 0.0 && s > 0.0 && s < 1.0 &&
           least < NEAR * fmax(hypot(from[0], from[1]), hypot(to[0], to[1]));
}

static bool any_pass(const bg_mode_shapes *a, const bg_mode_shapes *b, const int *partner)
{
    bool is_one = false;

    for (int k = 0; k < b->n_modes && !is_one; k++) {
        for (int h = 0; h < k && partner[k] >= 0 && !is_one; h++) {
            is_one = partner[h] >= 0 && do_pass(a, b, partner, k, h);
        }
    }
    return is_one;
}

/* Joins the ways from a to the middle and on to b, unless a mode is lost on them. */
static void join(const bg_mode_shapes *b, const int *first, const double *first_mac,
                 const int *second, const double *second_mac, int *partner, double *mac)
{
    bool is_whole = true;

    for (int k = 0; k < b->n_modes; k++) {
        int through = second[k] >= 0 ? first[second[k]] : -1;
        is_whole = is_whole && (partner[k] < 0) == (through < 0);
    }
    for (int k = 0; k < b->n_modes && is_whole; k++) {
        if (partner[k] >= 0 && partner[k] != first[second[k]]) {
            partner[k] = first[second[k]];
            mac[k] = fmin(first_mac[second[k]], second_mac[k]);
        }
    }
}

static ha_status follow(const locus *l, const bg_mode_shapes *a, double from, bg_mode_shapes *b,
                        double to, int halvings, int *partner, double *mac);

/* The same by way of the middle, where there are modes to be found. */
static ha_status follow_through(const locus *l, const bg_mode_shapes *a, double from,
                                bg_mode_shapes *b, double to, int halvings, int *partner,
                                double *mac)
{
    ha_ctx *ctx = l->cli->ctx;
    const double middle = 0.5 * (from + to);
    const size_t n_diags = ha_ctx_n_diags(ctx);
    bg_mode_shapes between = { 0 };
    int n_rigid = 0;
    ha_status status = find_shapes(l, middle, &between, &n_rigid);

    if (status != HA_OK) {
        bg_mode_shapes_clear(&between);
        if (status != HA_ERR_MEMORY && status != HA_ERR_INTERRUPTED) {
            ha__ctx_forget(ctx, n_diags);
            status = HA_OK;
        }
        return status;
    }
    size_t n = (size_t) between.n_modes + 1, n_b = (size_t) b->n_modes + 1;
    int *partners = ha__alloc(ctx, n + n_b, sizeof *partners);
    double *macs = ha__alloc(ctx, n + n_b, sizeof *macs);
    status = partners == NULL || macs == NULL ? HA_ERR_MEMORY : HA_OK;
    HA_THEN(status, follow(l, a, from, &between, middle, halvings + 1, partners, macs));
    HA_THEN(status, follow(l, &between, middle, b, to, halvings + 1, partners + n, macs + n));
    if (status == HA_OK) {
        join(b, partners, macs, partners + n, macs + n, partner, mac);
    }
    HA_FREE(partners, macs);
    bg_mode_shapes_clear(&between);
    return status;
}

/* Which mode of a each of b comes from, in finer steps where two pass each other. */
static ha_status follow(const locus *l, const bg_mode_shapes *a, double from, bg_mode_shapes *b,
                        double to, int halvings, int *partner, double *mac)
{
    HA_TRY(bg_mode_shapes_match(l->cli->ctx, a, b, partner, mac));
    return halvings < MOST_HALVINGS && any_pass(a, b, partner)
               ? follow_through(l, a, from, b, to, halvings, partner, mac)
               : HA_OK;
}

static ha_status put(locus *l, int number, const double *eigenvalue, double mac)
{
    if (number == (int) l->branches.count) {
        HA_TRY_ROOM(l->cli->ctx, &l->branches, 1); /* before there is something to lose */
        branch new = { ha__alloc(l->cli->ctx, (size_t) l->range.count, sizeof *new.stations) };
        HA_TRY_MEMORY(new.stations);
        l->branches.items[l->branches.count++] = new;
    }
    station *to = &l->branches.items[number].stations[l->i];
    *to = (station){ { eigenvalue[0], eigenvalue[1] }, mac, true };
    return HA_OK;
}

/* Gives each mode the branch of the one that it follows, or a new one. */
static ha_status extend(locus *l, const bg_mode_shapes *now, const int *partner, const double *mac,
                        int *branch_of)
{
    for (int k = 0; k < now->n_modes; k++) {
        const double *eigenvalue = now->eigenvalues + 2 * k;
        bool is_rigid = eigenvalue[0] == 0.0 && eigenvalue[1] == 0.0;
        branch_of[k] = is_rigid          ? -1
                       : partner[k] >= 0 ? l->branch_of[partner[k]]
                                         : (int) l->branches.count;
        HA_TRY(is_rigid ? HA_OK : put(l, branch_of[k], eigenvalue, mac[k]));
    }
    return HA_OK;
}

/* Takes the modes at the next value over; `now` is kept for the value after. */
static ha_status take_over(locus *l, bg_mode_shapes *now)
{
    double *mac = ha__alloc(l->cli->ctx, (size_t) now->n_modes + 1, sizeof *mac);
    int *partner = ha__alloc(l->cli->ctx, (size_t) now->n_modes + 1, sizeof *partner);
    int *branch_of = ha__alloc(l->cli->ctx, (size_t) now->n_modes + 1, sizeof *branch_of);
    bool is_good = mac != NULL && partner != NULL && branch_of != NULL;
    ha_status status = is_good ? HA_OK : HA_ERR_MEMORY;

    HA_THEN(status, follow(l, &l->before, sweep_value(&l->range, l->i - 1), now,
                           sweep_value(&l->range, l->i), 0, partner, mac));
    HA_THEN(status, extend(l, now, partner, mac, branch_of));
    HA_FREE(mac, partner, l->branch_of);
    l->branch_of = branch_of;
    bg_mode_shapes_clear(&l->before);
    l->before = *now;
    *now = (bg_mode_shapes){ 0 };
    return status;
}

/* The modes at the value number l->i. */
static ha_status find_at(locus *l)
{
    bg_mode_shapes now = { 0 };
    ha_status status = find_shapes(l, sweep_value(&l->range, l->i), &now, &l->rigid[l->i]);

    if (status == HA_OK) {
        l->name = l->cli->file != NULL ? l->cli->file : "--graph";
        status = take_over(l, &now);
    }
    bg_mode_shapes_clear(&now);
    return status;
}

/* --- output --------------------------------------------------------------------------------- */

static double frequency_of(const station *p)
{
    return p->is_there ? hypot(p->eigenvalue[0], p->eigenvalue[1]) / (2.0 * acos(-1.0))
                       : (double) NAN;
}

static double damping_of(const station *p)
{
    double size = hypot(p->eigenvalue[0], p->eigenvalue[1]);

    return p->is_there ? ha__plain_sign(-p->eigenvalue[0] / size) : (double) NAN;
}

/* Frequency, damping, real and imaginary part, MAC. */
enum { PARTS = 5 };
static const char *const parts[PARTS][2] = {
    { "frequency", "Hz" }, { "damping", "" }, { "re", "1/s" }, { "im", "1/s" }, { "mac", "" }
};

static double part_of(const station *p, int part)
{
    const double values[PARTS] = { frequency_of(p), damping_of(p),
                                   p->is_there ? p->eigenvalue[0] : (double) NAN,
                                   p->is_there ? p->eigenvalue[1] : (double) NAN,
                                   p->is_there ? p->mac : (double) NAN };

    return values[part];
}

static ha_status fill_table(const locus *l, ha_result *table)
{
    double *row = NULL;
    char name[64];

    HA_TRY(ha_result_add_column(table, l->range.path, ""));
    for (size_t k = 0; k < l->branches.count; k++) {
        for (int part = 0; part < PARTS; part++) {
            snprintf(name, sizeof name, "mode%zu.%s", k + 1, parts[part][0]);
            HA_TRY(ha_result_add_column(table, name, parts[part][1]));
        }
    }
    HA_TRY_ALLOC(l->cli->ctx, row, 1 + PARTS * l->branches.count);
    ha_status status = HA_OK;
    for (int i = 0; i < l->range.count && status == HA_OK; i++) {
        row[0] = sweep_value(&l->range, i);
        for (size_t k = 0; k < l->branches.count; k++) {
            for (int part = 0; part < PARTS; part++) {
                row[1 + PARTS * k + (size_t) part] =
                    part_of(&l->branches.items[k].stations[i], part);
            }
        }
        status = ha_result_add_row(table, row);
    }
    ha__free(row);
    return status;
}

static ha_status write_table(const locus *l, const char *path)
{
    const ha__result_format *to = ha__suffix_find(&ha__result_formats, path);
    ha_result *table = NULL;

    if (to == NULL) {
        return ha_fail(l->cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "modes over a value are written as a table; end `%s` in .csv or .mat", path);
    }
    HA_TRY_GET(table, ha_result_new(l->cli->ctx));
    ha_status status = fill_table(l, table);
    HA_THEN(status, to->write(table, path));
    ha_result_free(table);
    return status;
}

static json_t *branch_json(const locus *l, size_t k)
{
    cli_json one = cli_json_new();

    for (int part = 0; part < PARTS; part++) {
        json_t *values = json_array();
        for (int i = 0; i < l->range.count; i++) {
            one.has_failed |= !cli_json_append(
                values, cli_json_real(part_of(&l->branches.items[k].stations[i], part)));
        }
        cli_json_put(&one, parts[part][0], values);
    }
    if (one.has_failed) {
        json_decref(one.object);
        return NULL;
    }
    return one.object;
}

static ha_status print_json(const locus *l)
{
    cli_json json = cli_json_new();
    json_t *values = json_array(), *rigid = json_array(), *branches = json_array();

    for (int i = 0; i < l->range.count; i++) {
        json.has_failed |= !cli_json_append(values, cli_json_real(sweep_value(&l->range, i))) ||
                           !cli_json_append(rigid, json_integer(l->rigid[i]));
    }
    for (size_t k = 0; k < l->branches.count; k++) {
        json.has_failed |= !cli_json_append(branches, branch_json(l, k));
    }
    cli_json_put_text(&json, "parameter", l->range.path);
    cli_json_put(&json, "values", values);
    cli_json_put(&json, "rigid", rigid);
    cli_json_put(&json, "modes", branches);
    return cli_json_print(l->cli, &json);
}

/* The likeness of a value with the one before it in its branch, "-" where there is none. */
static const char *likeness_of(const branch *b, int i, char *text, size_t size)
{
    if (!isfinite(b->stations[i].mac)) {
        return "-";
    }
    snprintf(text, size, "%.3f", b->stations[i].mac);
    return text;
}

static void print_text(const locus *l)
{
    char likeness[32];

    printf("%s: %zu modes over %s\n\n  %-16s mode    frequency [Hz]        damping      "
           "eigenvalue [1/s]               likeness\n",
           l->name, l->branches.count, l->range.path, l->range.path);
    for (int i = 0; i < l->range.count; i++) {
        for (size_t k = 0; k < l->branches.count; k++) {
            const station *p = &l->branches.items[k].stations[i];
            if (p->is_there) {
                printf("  %-16.9g %4zu %17.7g %14.6g %14.7g %+14.7gi  %s\n",
                       sweep_value(&l->range, i), k + 1, frequency_of(p), damping_of(p),
                       ha__plain_sign(p->eigenvalue[0]), ha__plain_sign(p->eigenvalue[1]),
                       likeness_of(&l->branches.items[k], i, likeness, sizeof likeness));
            }
        }
    }
}

static ha_status show(const locus *l)
{
    if (cli_has(l->cli, CLI_OUTPUT)) {
        HA_TRY(write_table(l, l->cli->text[CLI_OUTPUT]));
    }
    if (cli_has(l->cli, CLI_JSON)) {
        return print_json(l);
    }
    if (!cli_has(l->cli, CLI_OUTPUT)) {
        print_text(l);
    }
    return HA_OK;
}

ha_status modes_sweep(cli_call *cli, int n_lowest)
{
    locus l = { .cli = cli, .n_lowest = n_lowest };
    ha_status status = sweep_read(cli, &l.range);

    l.rigid = ha__alloc(cli->ctx, (size_t) l.range.count, sizeof *l.rigid);
    status = status == HA_OK && l.rigid == NULL ? HA_ERR_MEMORY : status;
    for (l.i = 0; l.i < l.range.count && status == HA_OK; l.i++) {
        status = ha_ctx_is_interrupted(cli->ctx) ? HA_ERR_INTERRUPTED : find_at(&l);
    }
    HA_THEN(status, show(&l));
    for (size_t k = 0; k < l.branches.count; k++) {
        ha__free(l.branches.items[k].stations);
    }
    HA_ARRAY_CLEAR(&l.branches);
    bg_mode_shapes_clear(&l.before);
    HA_FREE(l.rigid, l.branch_of);
    sweep_clear(&l.range);
    return status;
}
