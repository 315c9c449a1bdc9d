/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The engine as a WebAssembly module: a request in, a reply out. engine.js calls this and says what
 * both mean.
 *
 * Texts of a request come one by one (engine_take()), each into memory of engine_alloc() that then
 * belongs to the request. engine_run() does the work. The reply is a text of JSON (engine_reply())
 * and the table of results (engine_values()); both last until the next request.
 */
#include <config.h>

#include "bondgraph/model/run_options.h"
#include "lib/core/clock.h"
#include "lib/core/context_priv.h"
#include "lib/core/hash.h"
#include "lib/core/input.h"
#include "lib/core/number.h"
#include "lib/core/strbuf.h"
#include "mech2d/assemble.h"
#include "mech2d/study/kit.h"
#include "tools/scene/scene_svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name)))

/* What a text of a request is. */
typedef enum {
    TEXT,
    NAME,
    VARIANT,
    SET,
    OUTPUT,
    INCLUDE_NAME,
    INCLUDE,
    OPTION,
    BONDS,
    SCENE,
    NO_STRUCTURE,
    NO_PEAKS
} kind;

typedef struct {
    char *text;
    size_t length;
    kind kind;
} taken;

static struct {
    ha_ctx *ctx; /* of a request and its reply */
    HA_ARRAY(taken) texts;
    HA_ARRAY(ha__given) given;
    m2d__kit kit;
    ha_result *result;
    bg_run_report report;
    ha_peak *peaks; /* of the outputs, but for bonds; NULL: not wanted */
    double *values; /* of the result, column by column; NULL: not asked for */
    double seconds;
    ha_status status;
    ha__strbuf reply;
} at;

/* --- requests ------------------------------------------------------------------------------- */

static void forget_run(void)
{
    ha__strbuf_clear(&at.reply);
    HA_FREE(at.peaks, at.values);
    ha_result_free(at.result);
    m2d__kit_clear(&at.kit);
    at.result = NULL;
    at.peaks = NULL;
    at.values = NULL;
}

EXPORT(engine_alloc) void *engine_alloc(size_t size)
{
    return malloc(size + 1);
}

/* Begins a request; what belongs to the last one is gone. */
EXPORT(engine_begin) int engine_begin(void)
{
    forget_run();
    for (size_t i = 0; i < at.texts.count; i++) {
        free(at.texts.items[i].text);
    }
    HA_ARRAY_CLEAR(&at.texts, &at.given);
    ha_ctx_free(at.ctx);
    at.ctx = ha_ctx_new();
    return at.ctx != NULL ? HA_OK : HA_ERR_MEMORY;
}

static ha_status keep_text(taken one)
{
    HA_TRY_PUSH(at.ctx, &at.texts, one);
    return HA_OK;
}

/* Takes a text and its memory, also where there is no room for it. */
EXPORT(engine_take) int engine_take(int what, char *text, size_t length)
{
    text[length] = '\0';
    ha_status status = keep_text((taken){ text, length, (kind) what });
    if (status != HA_OK) {
        free(text);
    }
    return status;
}

static const char *last_of(kind what)
{
    const char *text = NULL;

    for (size_t i = 0; i < at.texts.count; i++) {
        text = at.texts.items[i].kind == what ? at.texts.items[i].text : text;
    }
    return text;
}

/* The texts of a kind, to be freed; NULL: none or no memory. */
static ha_status list_of(kind what, const char ***out, int *n)
{
    HA_TRY_ALLOC(at.ctx, *out, at.texts.count);
    for (size_t i = 0; i < at.texts.count; i++) {
        if (at.texts.items[i].kind == what) {
            (*out)[(*n)++] = at.texts.items[i].text;
        }
    }
    return HA_OK;
}

/* --- a run ---------------------------------------------------------------------------------- */

/* Options are texts NAME=VALUE, named as those of `halfarrow run`, with what it makes of them. */
static ha_status read_options(bg_run_options *options)
{
    for (size_t i = 0; i < at.texts.count; i++) {
        taken *t = &at.texts.items[i];
        char *value = t->kind == OPTION ? strchr(t->text, '=') : NULL;
        if (value == NULL) {
            continue;
        }
        *value++ = '\0';
        const ha__option *row =
            ha__option_find(at.ctx, bg__run_options, BG__RUN_COUNT, t->text, HA_NOWHERE);
        HA_TRY(row == NULL ? HA_ERR_NAME
                           : ha__option_read(at.ctx, row, options, value, HA_NOWHERE));
    }
    if (options->solver.driver == HA_DRIVER_KINEMATIC && bg_graph_has_inverse(at.kit.graph)) {
        options->solver.driver = HA_DRIVER_AUTO; /* inverse signals leave motions free */
    }
    return HA_OK;
}

static ha_status check_options(const bg_run_options *options)
{
    if (!(options->solver.t_end >= 0.0)) {
        return ha_fail(at.ctx, HA_ERR_VALUE, (ha_where){ at.kit.name, 0, 0 },
                       "the model has no end time; give `simulate: {t_end: TIME}` in the file");
    }
    if (options->from == BG_FROM_PERIODIC || options->digits > 0) {
        return ha_fail(at.ctx, HA_ERR_UNSUPPORTED, HA_NOWHERE,
                       "%s is not done in a page; run the model with the program",
                       options->digits > 0 ? "a run to a number of digits"
                                           : "a search for the steady cycle");
    }
    return HA_OK;
}

static ha_status give_files(void)
{
    for (size_t i = 0; i + 1 < at.texts.count; i++) {
        const taken *name = &at.texts.items[i], *text = &at.texts.items[i + 1];
        if (name->kind == INCLUDE_NAME) {
            HA_TRY_PUSH(at.ctx, &at.given, ((ha__given){ name->text, text->text, text->length }));
        }
    }
    ha__ctx_give(at.ctx, at.given.items, at.given.count);
    return HA_OK;
}

static ha_status run(m2d_source *source)
{
    static const char *const library[] = { "library" };
    const m2d__kit_def def = { .source = source,
                               .text = source->text,
                               .length = source->text_length };

    source->libraries = library;
    source->n_libraries = 1;
    HA_TRY(give_files());
    HA_TRY(m2d__kit_read(at.ctx, &def, &at.kit));
    HA_TRY(read_options(&at.kit.options));
    HA_TRY(check_options(&at.kit.options));
    at.kit.with_bonds = last_of(BONDS) != NULL;
    HA_TRY(m2d__kit_prepare(&at.kit));
    HA_TRY_GET(at.result, ha_result_new(at.ctx));
    if (last_of(NO_PEAKS) == NULL) {
        HA_TRY_ALLOC(at.ctx, at.peaks, bg_model_dae(at.kit.compiled)->n_outputs);
    }
    HA_TRY(m2d__kit_warn(&at.kit));
    return m2d__kit_run(at.ctx, &at.kit, at.peaks, at.result, &at.report);
}

static ha_status work(void)
{
    m2d_source source = { .path = last_of(NAME),
                          .text = last_of(TEXT),
                          .variant = last_of(VARIANT) };
    const char **sets = NULL, **outputs = NULL;

    source.path = source.path == NULL ? "model.yaml" : source.path;
    source.text = source.text == NULL ? "" : source.text;
    source.text_length = strlen(source.text);
    ha_status status = list_of(SET, &sets, &source.n_sets);
    HA_THEN(status, list_of(OUTPUT, &outputs, &source.n_outputs));
    source.sets = sets;
    source.outputs = source.n_outputs > 0 ? outputs : NULL;
    HA_THEN(status, run(&source));
    HA_FREE(sets, outputs);
    return status;
}

/* --- the reply ------------------------------------------------------------------------------ */

static void put_text(const char *key, const char *text)
{
    ha__strbuf *out = &at.reply;

    ha__strbuf_addf(out, "%s%s%s\"", key != NULL ? "\"" : "", key != NULL ? key : "",
                    key != NULL ? "\":" : "");
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') {
            ha__strbuf_add_bytes(out, "\\", 1);
        }
        if ((unsigned char) *c < 0x20) {
            ha__strbuf_addf(out, "\\u%04x", (unsigned) *c);
        } else {
            ha__strbuf_add_bytes(out, c, 1);
        }
    }
    ha__strbuf_add(out, "\"");
}

static void put_real(const char *key, double value)
{
    ha__strbuf_addf(&at.reply, "\"%s\":", key);
    if (isfinite(value)) {
        ha__strbuf_add_number(&at.reply, ha__plain_sign(value));
    } else {
        ha__strbuf_add(&at.reply, "null");
    }
}

static const char *comma(bool is_first)
{
    return is_first ? "" : ",";
}

/* As the program prints them. */
static ha_status put_message(void)
{
    static const char *const words[] = { "note", "warning", "error" };
    ha__strbuf text = HA_STRBUF(at.ctx);

    for (size_t i = 0; i < ha_ctx_n_diags(at.ctx); i++) {
        const ha_diag *d = ha_ctx_diag(at.ctx, i);
        if (d->where.file != NULL && d->where.line > 0) {
            ha__strbuf_addf(&text, "%s:%d:%d: ", d->where.file, d->where.line, d->where.column);
        }
        ha__strbuf_addf(&text, "%s: %s\n",
                        words[d->severity == HA_ERROR     ? 2
                              : d->severity == HA_WARNING ? 1
                                                          : 0],
                        d->text);
    }
    put_text("message", ha__strbuf_text(&text));
    ha_status status = text.status;
    ha__strbuf_clear(&text);
    return status;
}

static void put_columns(void)
{
    ha__strbuf *out = &at.reply;

    ha__strbuf_add(out, ",\"columns\":[");
    for (size_t c = 0; at.result != NULL && c < ha_result_n_columns(at.result); c++) {
        ha__strbuf_addf(out, "%s{", comma(c == 0));
        put_text("name", ha_result_name(at.result, c));
        ha__strbuf_add(out, ",");
        put_text("unit", ha_result_unit(at.result, c));
        if (at.peaks != NULL && c > 0 && c <= (size_t) at.kit.options.solver.n_peaks) {
            const ha_peak *p = &at.peaks[c - 1];
            ha__strbuf_add(out, ",");
            put_real("max", p->max);
            ha__strbuf_add(out, ",");
            put_real("t_max", p->t_max);
            ha__strbuf_add(out, ",");
            put_real("min", p->min);
            ha__strbuf_add(out, ",");
            put_real("t_min", p->t_min);
        }
        ha__strbuf_add(out, "}");
    }
    ha__strbuf_add(out, "]");
}

static const char *word_of(bg_stroke stroke)
{
    return stroke == BG_STROKE_HEAD ? "\"head\"" : stroke == BG_STROKE_TAIL ? "\"tail\"" : "null";
}

static void put_bond(bg_graph *graph, bg_bond b, int number)
{
    ha__strbuf *out = &at.reply;

    ha__strbuf_addf(out, "{\"bond\":%d,", number);
    put_text("tail", bg_element_name(graph, bg_bond_tail(graph, b)));
    ha__strbuf_add(out, ",");
    put_text("head", bg_element_name(graph, bg_bond_head(graph, b)));
    ha__strbuf_add(out, ",\"strokes\":[");
    for (int c = 0; c < bg_bond_dim(graph, b); c++) {
        ha__strbuf_addf(out, "%s%s", comma(c == 0),
                        word_of(bg_causality_stroke(at.kit.causality, b, c)));
    }
    ha__strbuf_add(out, "]}");
}

static ha_status put_bonds(bg_graph *graph)
{
    int n = bg_graph_n_bonds(graph), number = 0;
    bg_bond *bonds = NULL;
    ha_status status = HA_OK;

    HA_TRY_ALLOC(at.ctx, bonds, n);
    for (int b = 0; b < n && status == HA_OK; b++) {
        status = bg_graph_bond_number(graph, b, &number);
        if (status == HA_OK) {
            bonds[number - 1] = b;
        }
    }
    ha__strbuf_add(&at.reply, ",\"bonds\":[");
    for (int i = 0; i < n && status == HA_OK; i++) {
        ha__strbuf_add(&at.reply, comma(i == 0));
        put_bond(graph, bonds[i], i + 1);
    }
    ha__strbuf_add(&at.reply, "]");
    ha__free(bonds);
    return status;
}

static void put_role(const char *key, bg_role role)
{
    ha__strbuf_addf(&at.reply, ",\"%s\":[", key);
    for (int i = 0; i < bg_causality_count(at.kit.causality, role); i++) {
        ha__strbuf_add(&at.reply, comma(i == 0));
        put_text(NULL, bg_causality_name(at.kit.causality, role, i));
    }
    ha__strbuf_add(&at.reply, "]");
}

/* The hash is that of all the text before it. */
static ha_status put_structure(void)
{
    const m2d__kit *kit = &at.kit;

    ha__strbuf_add(&at.reply, ",\"structure\":");
    if (kit->causality == NULL || last_of(NO_STRUCTURE) != NULL) {
        ha__strbuf_add(&at.reply, "null");
        return HA_OK;
    }
    size_t begin = at.reply.length;
    ha__strbuf_add(&at.reply, "{");
    put_text("class", bg_class_name(bg_causality_class(kit->causality)));
    ha__strbuf_add(&at.reply, ",");
    put_text("class_text", bg_causality_text(kit->causality));
    put_role("integral", BG_INTEGRAL);
    put_role("derivative", BG_DERIVATIVE);
    put_role("implicit_constraints", BG_IMPLICIT);
    put_role("explicit_constraints", BG_EXPLICIT);
    ha__strbuf_add(&at.reply, ",\"redundant_constraints\":[");
    for (int i = 0; kit->assembly != NULL && i < m2d_assembly_n_redundant(kit->assembly); i++) {
        ha__strbuf_add(&at.reply, comma(i == 0));
        put_text(NULL, m2d_assembly_redundant(kit->assembly, i));
    }
    ha__strbuf_add(&at.reply, "]");
    HA_TRY(put_bonds(kit->graph));
    HA_TRY(at.reply.status);
    uint64_t hash = ha__hash_bytes(0, ha__strbuf_text(&at.reply) + begin, at.reply.length - begin);
    ha__strbuf_addf(&at.reply, ",\"hash\":\"%016llx\"}", (unsigned long long) hash);
    return HA_OK;
}

static void put_points(m2d_mechanism *mechanism)
{
    ha__strbuf *out = &at.reply;

    ha__strbuf_add(out, ",\"points\":[");
    for (int i = 0; i < m2d_mechanism_n_points(mechanism); i++) {
        double pose[3];
        m2d_point_pose(mechanism, i, pose);
        ha__strbuf_addf(out, "%s[", comma(i == 0));
        put_text(NULL, m2d_point_name(mechanism, i));
        ha__strbuf_addf(out, ",%d,", m2d_point_body(mechanism, i));
        ha__strbuf_add_number(out, pose[0]);
        ha__strbuf_add(out, ",");
        ha__strbuf_add_number(out, pose[1]);
        ha__strbuf_add(out, "]");
    }
    ha__strbuf_add(out, "]");
}

/* The view that was given; false: none was. */
static bool read_view(scene_view *view)
{
    double *const fields[] = { &view->x[0], &view->x[1],  &view->y[0],
                               &view->y[1], &view->scale, &view->symbol };
    const char *text = last_of(SCENE);
    char *end = NULL;

    *view = scene_view_new();
    for (size_t i = 0; text != NULL && i < HA_COUNT(fields); i++) {
        *fields[i] = strtod(text, &end);
        text = end > text ? end : NULL;
    }
    return text != NULL;
}

/* The mechanism as it is at the start. */
static ha_status put_scene(void)
{
    scene_view view;
    scene drawn = { 0 };
    ha__strbuf text = HA_STRBUF(at.ctx);

    if (at.kit.file == NULL || at.result == NULL || ha_result_n_rows(at.result) == 0 ||
        !read_view(&view)) {
        return HA_OK;
    }
    m2d_mechanism *mechanism = m2d_model_mechanism(at.kit.file);
    if (m2d_mechanism_n_bodies(mechanism) == 0) {
        return HA_OK;
    }
    ha_status status = scene_open(at.ctx, mechanism, at.result, &drawn);
    HA_THEN(status, scene_draw(&drawn, &view, 0, &text));
    if (status == HA_OK) {
        ha__strbuf_add(&at.reply, ",");
        put_text("scene", ha__strbuf_text(&text));
        put_points(mechanism);
    }
    scene_clear(&drawn);
    ha__strbuf_clear(&text);
    return status;
}

static ha_status put_reply(void)
{
    const ha_dae_stats *s = &at.report.solver;

    at.reply = HA_STRBUF(at.ctx);
    ha__strbuf_add(&at.reply, "{");
    put_text("status", at.status == HA_OK ? "done" : "failed");
    ha__strbuf_addf(&at.reply, ",\"exit\":%d,", ha_status_exit(at.status));
    HA_TRY(put_message());
    ha__strbuf_add(&at.reply, ",");
    put_real("seconds", at.seconds);
    ha__strbuf_addf(&at.reply, ",\"steps\":%ld,\"events\":%ld,", s->steps, s->events);
    put_text("driver", ha_driver_name((ha_driver) s->driver));
    ha__strbuf_add(&at.reply, ",");
    put_real("t_reached", s->t_reached);
    ha__strbuf_add(&at.reply, ",");
    put_real("energy_error", at.report.energy_error);
    ha__strbuf_add(&at.reply, ",");
    put_real("energy_passed", at.report.energy_passed);
    ha__strbuf_add(&at.reply, ",");
    put_real("multipliers",
             at.kit.compiled != NULL ? bg_model_n_multipliers(at.kit.compiled) : (double) NAN);
    ha__strbuf_addf(&at.reply, ",\"rows\":%zu",
                    at.result == NULL ? 0 : ha_result_n_rows(at.result));
    put_columns();
    HA_TRY(put_structure());
    HA_TRY(put_scene());
    ha__strbuf_add(&at.reply, "}");
    return at.reply.status;
}

/* Does the work; what it came to is in the reply, "" where there is no memory for one. */
EXPORT(engine_run) int engine_run(void)
{
    double begin = ha__clock();

    at.report = (bg_run_report){ .energy_error = (double) NAN, .energy_passed = (double) NAN };
    at.status = work();
    at.seconds = ha__clock() - begin;
    return put_reply();
}

EXPORT(engine_reply) const char *engine_reply(void)
{
    return ha__strbuf_text(&at.reply);
}

/* All values, column by column, as pages draw them; NULL: no memory. */
EXPORT(engine_values) const double *engine_values(void)
{
    const size_t n = ha_result_n_columns(at.result), rows = ha_result_n_rows(at.result);
    const double *from = ha_result_data(at.result);
    double *to = at.values != NULL ? NULL : ha__alloc(at.ctx, n * rows, sizeof *to);

    at.values = to != NULL ? to : at.values;
    for (size_t i = 0; to != NULL && i < n; i++) {
        for (size_t k = i; k < n * rows; k += n) {
            *to++ = from[k];
        }
    }
    return at.values;
}
