/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Modes over a value of the model.
 *
 * The modes at one value are matched with those at the value before by their shapes. With the
 * outputs p and q of two modes, each output in units of its largest magnitude in all modes there,
 *
 *     MAC = |p* q|^2 / (p* p) (q* q),
 *
 * which is 1 for the same shape and 0 for shapes that have nothing in common. Pairs are taken in
 * the order of MAC less how far the eigenvalues are apart, relative to the larger one. So branches
 * that cross keep their shapes, and those that veer keep near. A mode that is left over begins a
 * branch, and a branch that finds none ends.
 */
#include <config.h>

#include "tools/analysis/modes_sweep.h"

#include "bondgraph/modes.h"
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
} place;

/* A mode over all values. */
typedef struct {
    place *places; /* (count) */
} branch;

typedef struct {
    cli_call *cli;
    sweep range;
    HA_ARRAY(branch) branches;
    const char *name;
    int *rigid;      /* (count) */
    bg_modal before; /* modes at the value before */
    int *branch_of;  /* of these; -1: none, as of rigid ones */
    int i;           /* number of the value */
} locus;

/* --- matching ------------------------------------------------------------------------------- */

/* The largest magnitude of each output in all modes. */
static double *measure(const locus *l, const bg_modal *modal)
{
    double *size = ha__alloc(l->cli->ctx, (size_t) modal->n_outputs, sizeof *size);

    for (int k = 0; size != NULL && k < modal->n_modes; k++) {
        for (int j = 0; j < modal->n_outputs; j++) {
            const double *z = modal->modes[k].outputs + 2 * (size_t) j;
            size[j] = fmax(size[j], hypot(z[0], z[1]));
        }
    }
    return size;
}

static double mac_of(const bg_mode *a, const double *size_a, const bg_mode *b, const double *size_b,
                     int n)
{
    double re = 0.0, im = 0.0, aa = 0.0, bb = 0.0;

    for (int j = 0; j < n; j++) {
        double sa = size_a[j] > 0.0 ? 1.0 / size_a[j] : 0.0;
        double sb = size_b[j] > 0.0 ? 1.0 / size_b[j] : 0.0;
        const double *za = a->outputs + 2 * (size_t) j, *zb = b->outputs + 2 * (size_t) j;
        re += sa * sb * (za[0] * zb[0] + za[1] * zb[1]);
        im += sa * sb * (za[0] * zb[1] - za[1] * zb[0]);
        aa += sa * sa * (za[0] * za[0] + za[1] * za[1]);
        bb += sb * sb * (zb[0] * zb[0] + zb[1] * zb[1]);
    }
    return aa > 0.0 && bb > 0.0 ? (re * re + im * im) / (aa * bb) : 0.0;
}

/* How far two eigenvalues are apart beside the larger one. */
static double apart(const bg_mode *a, const bg_mode *b)
{
    double off = hypot(a->eigenvalue[0] - b->eigenvalue[0], a->eigenvalue[1] - b->eigenvalue[1]);
    double size =
        fmax(hypot(a->eigenvalue[0], a->eigenvalue[1]), hypot(b->eigenvalue[0], b->eigenvalue[1]));

    return size > 0.0 ? off / size : 0.0;
}

static bool is_rigid(const bg_mode *mode)
{
    return mode->eigenvalue[0] == 0.0 && mode->eigenvalue[1] == 0.0;
}

static ha_status put(locus *l, int number, const bg_mode *mode, double mac)
{
    if (number == (int) l->branches.count) {
        branch new = { ha__alloc(l->cli->ctx, (size_t) l->range.count, sizeof *new.places) };
        HA_TRY_MEMORY(new.places);
        HA_TRY_PUSH(l->cli->ctx, &l->branches, new);
    }
    place *to = &l->branches.items[number].places[l->i];
    *to = (place){ { mode->eigenvalue[0], mode->eigenvalue[1] }, mac, true };
    return HA_OK;
}

/* Gives each mode its branch, the best pairs first. */
static ha_status match(locus *l, const bg_modal *now, const double *mac, int *branch_of)
{
    const bg_modal *old = &l->before;
    bool *is_taken = ha__alloc(l->cli->ctx, (size_t) old->n_modes + 1, sizeof *is_taken);

    HA_TRY_MEMORY(is_taken);
    for (int pass = 0; pass < old->n_modes; pass++) {
        double best = -INFINITY;
        int from = -1, to = -1;
        for (int k = 0; k < now->n_modes; k++) {
            for (int h = 0; h < old->n_modes && branch_of[k] < 0; h++) {
                double score = mac[k * old->n_modes + h] - apart(&now->modes[k], &old->modes[h]);
                bool counts = !is_taken[h] && l->branch_of[h] >= 0 && !is_rigid(&now->modes[k]);
                if (counts && score > best) {
                    best = score;
                    from = h;
                    to = k;
                }
            }
        }
        if (from >= 0) {
            is_taken[from] = true;
            branch_of[to] = l->branch_of[from];
        }
    }
    ha_status status = HA_OK;
    for (int k = 0; k < now->n_modes && status == HA_OK; k++) {
        double own = 0.0;
        for (int h = 0; h < old->n_modes; h++) {
            own = branch_of[k] >= 0 && l->branch_of[h] == branch_of[k] ? mac[k * old->n_modes + h]
                                                                       : own;
        }
        if (!is_rigid(&now->modes[k])) {
            branch_of[k] = branch_of[k] >= 0 ? branch_of[k] : (int) l->branches.count;
            status = put(l, branch_of[k], &now->modes[k], own);
        }
    }
    ha__free(is_taken);
    return status;
}

/* Takes the modes at the next value over; `now` is kept for the value after. */
static ha_status take_over(locus *l, bg_modal *now)
{
    int n_old = l->before.n_modes;
    double *size_old = measure(l, &l->before), *size_now = measure(l, now);
    double *mac = ha__alloc(l->cli->ctx, (size_t) n_old * (size_t) now->n_modes, sizeof *mac);
    int *branch_of = ha__alloc(l->cli->ctx, (size_t) now->n_modes, sizeof *branch_of);
    bool is_good = size_old != NULL && size_now != NULL && mac != NULL && branch_of != NULL;

    for (int k = 0; k < now->n_modes && is_good; k++) {
        branch_of[k] = -1;
        for (int h = 0; h < n_old; h++) {
            mac[k * n_old + h] =
                mac_of(&now->modes[k], size_now, &l->before.modes[h], size_old, now->n_outputs);
        }
    }
    ha_status status = is_good ? match(l, now, mac, branch_of) : HA_ERR_MEMORY;
    HA_FREE(size_old, size_now, mac, l->branch_of);
    l->branch_of = branch_of;
    bg_modal_clear(&l->before);
    l->before = *now;
    *now = (bg_modal){ 0 };
    return status;
}

/* --- values --------------------------------------------------------------------------------- */

/* The modes at the value number l->i. */
static ha_status find_at(locus *l, int n_lowest)
{
    cli_call one = *l->cli;
    char number[HA__NUMBER_SIZE], set[512];
    operating op = operating_new();
    bg_modal now = { 0 };

    ha__print_number(number, sweep_value(&l->range, l->i));
    if ((size_t) snprintf(set, sizeof set, "%s=%s", l->range.path, number) >= sizeof set) {
        return ha_fail(l->cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE, "the path `%s` is too long",
                       l->range.path);
    }
    one.sets.items[one.sets.count - 1] = set; /* instead of the first value */
    ha_status status = operating_prepare(&one, true, &op);
    HA_THEN(status, bg_modes(one.ctx, op.run.model.compiled, &op.point, n_lowest, &now));
    one.sets.items[one.sets.count - 1] = l->range.set;
    if (status == HA_OK) {
        l->name = l->cli->file != NULL ? l->cli->file : "--graph";
        l->rigid[l->i] = now.n_rigid;
        status = take_over(l, &now);
    }
    bg_modal_clear(&now);
    operating_clear(&op);
    return status;
}

/* --- output --------------------------------------------------------------------------------- */

static double frequency_of(const place *p)
{
    return p->is_there ? hypot(p->eigenvalue[0], p->eigenvalue[1]) / (2.0 * acos(-1.0))
                       : (double) NAN;
}

static double damping_of(const place *p)
{
    double size = hypot(p->eigenvalue[0], p->eigenvalue[1]);

    return p->is_there ? ha__plain_zero(-p->eigenvalue[0] / size) : (double) NAN;
}

/* Frequency, damping, real and imaginary part, MAC. */
enum { PARTS = 5 };
static const char *const parts[PARTS][2] = {
    { "frequency", "Hz" }, { "damping", "" }, { "re", "1/s" }, { "im", "1/s" }, { "mac", "" }
};

static double part_of(const place *p, int part)
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
                row[1 + PARTS * k + (size_t) part] = part_of(&l->branches.items[k].places[i], part);
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
    table = ha_result_new(l->cli->ctx);
    HA_TRY_MEMORY(table);
    ha_status status = fill_table(l, table);
    HA_THEN(status, to->write(table, path));
    ha_result_free(table);
    return status;
}

static json_t *branch_json(const locus *l, size_t k)
{
    json_t *one = json_object();

    for (int part = 0; part < PARTS; part++) {
        json_t *values = json_array();
        for (int i = 0; i < l->range.count; i++) {
            (void) cli_json_append(values,
                                   cli_json_real(part_of(&l->branches.items[k].places[i], part)));
        }
        (void) json_object_set_new(one, parts[part][0], values);
    }
    return one;
}

static ha_status print_json(const locus *l)
{
    cli_json json = cli_json_new();
    json_t *values = json_array(), *rigid = json_array(), *branches = json_array();

    for (int i = 0; i < l->range.count; i++) {
        (void) cli_json_append(values, cli_json_real(sweep_value(&l->range, i)));
        (void) cli_json_append(rigid, json_integer(l->rigid[i]));
    }
    for (size_t k = 0; k < l->branches.count; k++) {
        (void) cli_json_append(branches, branch_json(l, k));
    }
    cli_json_put_text(&json, "parameter", l->range.path);
    cli_json_put(&json, "values", values);
    cli_json_put(&json, "rigid", rigid);
    cli_json_put(&json, "modes", branches);
    return cli_json_print(l->cli, &json);
}

/* The likeness of a place with the one before it in its branch, "-" where there is none. */
static const char *likeness_of(const branch *b, int i, char *text, size_t size)
{
    if (i == 0 || !b->places[i - 1].is_there) {
        return "-";
    }
    snprintf(text, size, "%.3f", b->places[i].mac);
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
            const place *p = &l->branches.items[k].places[i];
            if (p->is_there) {
                printf("  %-16.9g %4zu %17.7g %14.6g %14.7g %+14.7gi  %s\n",
                       sweep_value(&l->range, i), k + 1, frequency_of(p), damping_of(p),
                       ha__plain_zero(p->eigenvalue[0]), ha__plain_zero(p->eigenvalue[1]),
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
    locus l = { .cli = cli };
    ha_status status = sweep_read(cli, &l.range);

    l.rigid = ha__alloc(cli->ctx, (size_t) l.range.count, sizeof *l.rigid);
    status = status == HA_OK && l.rigid == NULL ? HA_ERR_MEMORY : status;
    for (l.i = 0; l.i < l.range.count && status == HA_OK; l.i++) {
        status = ha_ctx_is_interrupted(cli->ctx) ? HA_ERR_INTERRUPTED : find_at(&l, n_lowest);
    }
    HA_THEN(status, show(&l));
    for (size_t k = 0; k < l.branches.count; k++) {
        ha__free(l.branches.items[k].places);
    }
    HA_ARRAY_CLEAR(&l.branches);
    bg_modal_clear(&l.before);
    HA_FREE(l.rigid, l.branch_of);
    sweep_clear(&l.range);
    return status;
}
