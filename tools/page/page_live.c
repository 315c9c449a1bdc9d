/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A live page: beside what every page has it holds the text of the model, the engine, and the
 * script that runs the one in the other. What the script begins with, as a JSON object:
 *
 *   name      of the file; sets: overrides of the command line, which come first
 *   runs      for each run of the page: variant (null: as the file stands), ideal (bits of
 *             switches), numbers (of the scalar bonds of each bond), summary (as in a form),
 *             seconds (of its run)
 *   values    [path, value, unit, low, high, the unit in SI, whether the range was asked for]
 *   fixed     the paths of start values that the file fixes
 *   switches  joint, model, path, value, unit, low, high, isFactor, own, scaled
 *   maxSteps  of a run; view: that of the picture (mech2d scenes)
 *
 * and another, packed, which is there when the engine stands:
 *
 *   text      of the model; with all that it includes, where it includes something
 *   source    the main file as it was written, for those who copy it; null: it is the text
 *   includes  the files of tables, by the names that the file has for them
 *   places    by path: [line, column, text]: scalars, and mappings with null for a text
 *   forms     that no run of the page is of: ideal; steps, elements, bonds (as in page_data.c),
 *             numbers, pictures, equations, summary, structure
 */
#include <config.h>

#include "tools/page/page_live.h"

#include "lib/core/input.h"
#include "mech2d/write.h"
#include "tools/engine/engine_files.h"
#include "tools/page/page_files.h"
#include "tools/page/page_pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TRIALS = 300 * 1000, /* steps of all trial runs together */
    MORE = 10,           /* times the steps of the file's own run */
    LEAST = 2000,        /* steps that a run may take in any case */
    STIFF = 10, /* times that, what a run in the page may take: with springs it takes more */
    DEEPEST = 8 /* keys of a path */
};

/* --- finding ---------------------------------------------------------------------------------- */

static ha_status check_model(const page *p)
{
    size_t length = 0;

    if (p->runs.items[0].run.model.file == NULL) {
        return ha_fail(p->cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "--live needs a model file; write the bond graph as one with `convert`");
    }
    if (engine_module(&length) == NULL) {
        return ha_fail(p->cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "--live: this program was built without the engine of live pages; make "
                       "it first, by `make wasm`");
    }
    if (engine_is_old()) {
        ha_warn(p->cli->ctx, HA_NOWHERE,
                "--live: the engine of live pages is of other sources than this program, whose "
                "results may be others; make it anew, by `make wasm` and `make`");
    }
    return HA_OK;
}

static ha_status read_model(page_live *live)
{
    const cli_call *cli = live->page->cli;
    char *packed = NULL;

    live->text = cli->input;
    live->length = cli->input_length;
    if (live->text == NULL) {
        HA_TRY(ha__input_read(cli->ctx, cli->file, HA__MODEL_BYTES, &live->own, &live->length));
        live->text = live->own;
    }
    HA_TRY(ha__yaml_read_text(cli->ctx, live->text, live->length, cli->file, &live->doc));
    if (ha__yaml_get(ha__yaml_root(live->doc), "include") == NULL) {
        return HA_OK;
    }
    const m2d_read_def def = { .libraries = cli->libraries.items,
                               .n_libraries = (int) cli->libraries.count };
    HA_TRY(m2d_pack_file(cli->ctx, cli->file, &def, &packed));
    live->whole = packed;
    return HA_OK;
}

/* The options of the command line that are for runs, as the section `simulate` of a file that has
   none. */
static ha_status make_section(page_live *live)
{
    const cli_call *cli = live->page->cli;
    ha__strbuf section = HA_STRBUF(cli->ctx);
    const char *text = NULL;

    for (int i = 0; i < BG__RUN_COUNT; i++) {
        cli_option option = (cli_option) (CLI_RUN_FIRST + i);
        if (cli_has(cli, option)) {
            ha__strbuf_addf(&section, "%s%s: %s", section.length == 0 ? "simulate={" : ", ",
                            bg__run_options[i].key, cli->text[option]);
        }
    }
    if (section.length == 0) {
        return ha__strbuf_drop(&section, section.status);
    }
    ha__strbuf_add(&section, "}");
    HA_TRY(ha__strbuf_keep(&section, &live->arena, &text));
    HA_TRY_PUSH(cli->ctx, &live->sets, text);
    return HA_OK;
}

/* What the command line says of the run, as overrides. */
static ha_status list_sets(page_live *live)
{
    const cli_call *cli = live->page->cli;

    for (size_t i = 0; i < cli->sets.count; i++) {
        HA_TRY_PUSH(cli->ctx, &live->sets, cli->sets.items[i]);
    }
    if (ha__yaml_get(ha__yaml_root(live->doc), "simulate") == NULL) {
        return make_section(live);
    }
    for (int i = 0; i < BG__RUN_COUNT; i++) {
        cli_option option = (cli_option) (CLI_RUN_FIRST + i);
        if (cli_has(cli, option)) {
            const char *text = ha__arena_format(cli->ctx, &live->arena, "simulate.%s=%s",
                                                bg__run_options[i].key, cli->text[option]);
            HA_TRY_MEMORY(text);
            HA_TRY_PUSH(cli->ctx, &live->sets, text);
        }
    }
    return HA_OK;
}

ha_status page_live_find(page *p, page_live *out)
{
    *out = (page_live){ .page = p };
    HA_TRY(check_model(p));
    long steps = p->runs.items[0].run.report.solver.steps;
    out->left = p->runs.items[0].run.status == HA_OK ? TRIALS : 0;
    out->most = MORE * steps > LEAST ? MORE * steps : LEAST;
    HA_TRY(read_model(out));
    HA_TRY(list_sets(out));
    HA_TRY(live_find_switches(out));
    cli_begin_work(p->cli);
    ha_status status = live_find_values(out);
    HA_THEN(status, live_draw_forms(out));
    cli_end_work(p->cli);
    HA_TRY(status);
    p->live = out;
    return HA_OK;
}

void page_live_clear(page_live *live)
{
    for (size_t i = 0; i < live->forms.count; i++) {
        json_decref(live->forms.items[i].graph);
    }
    for (size_t i = 0; i < live->switches.count; i++) {
        HA_ARRAY_CLEAR(&live->switches.items[i].own);
        HA_ARRAY_CLEAR(&live->switches.items[i].scaled);
    }
    HA_ARRAY_CLEAR(&live->forms);
    HA_ARRAY_CLEAR(&live->switches);
    HA_ARRAY_CLEAR(&live->values);
    HA_ARRAY_CLEAR(&live->sets);
    ha__arena_clear(&live->arena);
    ha__yaml_free(live->doc);
    ha__free(live->own);
    free(live->whole);
    *live = (page_live){ 0 };
}

/* --- writing ---------------------------------------------------------------------------------- */

static json_t *list_texts(const char *const *texts, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n && list != NULL; i++) {
        if (!cli_json_append(list, json_string(texts[i]))) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static void put_runs(const page_live *live, cli_json *json)
{
    json_t *list = json_array();

    for (size_t i = 0; i < live->page->runs.count; i++) {
        const cli_run *run = &live->page->runs.items[i].run;
        cli_json one = cli_json_new();
        cli_json_put(&one, "variant", run->name == NULL ? json_null() : json_string(run->name));
        cli_json_put_int(&one, "ideal", live_ideal(live, i));
        if (run->model.causality != NULL) {
            cli_json_put(&one, "numbers", live_numbers(&run->model));
        }
        ha__strbuf summary = HA_STRBUF(live->page->cli->ctx);
        page_summarise(&run->model, &summary);
        one.has_failed |= summary.status != HA_OK;
        cli_json_put_text(&one, "summary", ha__strbuf_text(&summary));
        ha__strbuf_clear(&summary);
        cli_json_put_real(&one, "seconds", run->seconds_setup + run->report.solver.seconds);
        json->has_failed |= one.has_failed || !cli_json_append(list, one.object);
    }
    cli_json_put(json, "runs", list);
}

static void put_values(const page_live *live, cli_json *json)
{
    json_t *list = json_array();

    for (size_t i = 0; i < live->values.count; i++) {
        const live_value *v = &live->values.items[i];
        json->has_failed |=
            !cli_json_append(list, json_pack("[s, f, s, f, f, f, b]", v->path, v->value, v->unit,
                                             v->low, v->high, v->factor, v->is_given ? 1 : 0));
    }
    cli_json_put(json, "values", list);
}

/* Start values that the assembly leaves alone. */
static void put_fixed(const page_live *live, cli_json *json)
{
    const ha__yaml_node *bodies = ha__yaml_get(ha__yaml_root(live->doc), "bodies");
    json_t *list = json_array();

    for (size_t i = 0; bodies != NULL && bodies->pairs != NULL && i < bodies->n; i++) {
        const ha__yaml_node *fixed = live_node_at(bodies->pairs[i].value, "start.fixed");
        for (size_t k = 0; fixed != NULL && fixed->items != NULL && k < fixed->n; k++) {
            const char *key = fixed->items[k]->text;
            json->has_failed |=
                !cli_json_append(list, json_sprintf("bodies.%s.start.%s", bodies->pairs[i].key,
                                                    key == NULL ? "" : key));
        }
    }
    cli_json_put(json, "fixed", list);
}

static void put_switches(const page_live *live, cli_json *json)
{
    json_t *list = json_array();

    for (size_t i = 0; i < live->switches.count; i++) {
        const live_switch *s = &live->switches.items[i];
        json->has_failed |= !cli_json_append(
            list, json_pack("{s:s, s:s, s:s, s:f, s:s, s:f, s:f, s:b, s:o, s:o}", "joint", s->joint,
                            "model", s->model, "path", s->path, "value", s->value, "unit", s->unit,
                            "low", s->low, "high", s->high, "isFactor", s->is_factor ? 1 : 0, "own",
                            list_texts(s->own.items, s->own.count), "scaled",
                            list_texts(s->scaled.items, s->scaled.count)));
    }
    cli_json_put(json, "switches", list);
}

static void put_forms(const page_live *live, cli_json *json)
{
    json_t *list = json_array();

    for (size_t i = 0; i < live->forms.count; i++) {
        json_t *graph = json_incref(live->forms.items[i].graph);
        json->has_failed |=
            json_object_set_new(graph, "ideal", json_integer(live->forms.items[i].ideal)) != 0 ||
            !cli_json_append(list, graph);
    }
    cli_json_put(json, "forms", list);
}

/* Where scalars and mappings stand in the main file, by path; those with a path beyond any use are
   left out. */
static void put_places(const ha__yaml_node *node, const char *path, int depth, cli_json *json)
{
    for (size_t i = 0; node->pairs != NULL && i < node->n && depth < DEEPEST; i++) {
        const ha__yaml_node *value = node->pairs[i].value;
        char deeper[512];
        int length = snprintf(deeper, sizeof deeper, "%s%s%s", path, path[0] == '\0' ? "" : ".",
                              node->pairs[i].key);
        if (value->kind == HA__YAML_SEQUENCE || strchr(node->pairs[i].key, '.') != NULL ||
            length >= (int) sizeof deeper) {
            continue;
        }
        cli_json_put(json, deeper,
                     json_pack("[i, i, s?]", value->where.line, value->where.column, value->text));
        put_places(value, deeper, depth + 1, json);
    }
}

/* The files that tables of the main file name, beside it. */
static ha_status put_files(const page_live *live, cli_json *json)
{
    const cli_call *cli = live->page->cli;
    const ha__yaml_node *tables = ha__yaml_get(ha__yaml_root(live->doc), "tables");
    const char *slash = strrchr(cli->file, '/');
    int n = slash == NULL ? 0 : (int) (slash + 1 - cli->file);
    cli_json files = cli_json_new();
    ha_status status = HA_OK;

    for (size_t i = 0; tables != NULL && tables->pairs != NULL && i < tables->n; i++) {
        const ha__yaml_node *file = ha__yaml_get(tables->pairs[i].value, "file");
        char path[4096], *text = NULL;
        size_t length = 0;
        if (file == NULL || file->kind != HA__YAML_SCALAR || status != HA_OK) {
            continue;
        }
        snprintf(path, sizeof path, "%.*s%s", file->text[0] == '/' ? 0 : n, cli->file, file->text);
        status = ha__input_read(cli->ctx, path, HA__MODEL_BYTES, &text, &length);
        if (status == HA_OK) {
            cli_json_put(&files, file->text, json_stringn(text, length));
        }
        ha__free(text);
    }
    json->has_failed |= files.has_failed;
    cli_json_put(json, "includes", files.object);
    return status;
}

/* --- the page --------------------------------------------------------------------------------- */

static void put_name(const page_live *live, cli_json *json)
{
    const char *file = live->page->cli->file, *slash = strrchr(file, '/');

    cli_json_put_text(json, "name", slash == NULL ? file : slash + 1);
    cli_json_put(json, "sets", list_texts(live->sets.items, live->sets.count));
}

static void put_text(const page_live *live, cli_json *json)
{
    cli_json places = cli_json_new();

    if (live->whole != NULL) {
        cli_json_put_text(json, "text", live->whole);
        cli_json_put(json, "source", json_stringn(live->text, live->length));
    } else {
        cli_json_put(json, "text", json_stringn(live->text, live->length));
    }
    put_places(ha__yaml_root(live->doc), "", 0, &places);
    json->has_failed |= places.has_failed;
    cli_json_put(json, "places", places.object);
}

/* Adds an object that was made with some status. */
static ha_status add_object(ha_status status, cli_json *json, ha__strbuf *out)
{
    if (status == HA_OK && json->has_failed) {
        status = ha_fail(out->ctx, HA_ERR_MEMORY, HA_NOWHERE,
                         "out of memory while the live part of the page was made");
    }
    HA_THEN(status, page_add_json(json->object, out));
    json_decref(json->object);
    return status;
}

static ha_status add_data(const page_live *live, ha__strbuf *out)
{
    cli_json json = cli_json_new();
    const scene_view *view = &live->page->view;

    put_name(live, &json);
    put_runs(live, &json);
    put_values(live, &json);
    put_fixed(live, &json);
    put_switches(live, &json);
    cli_json_put_int(&json, "maxSteps", STIFF * live->most);
    cli_json_put(&json, "view",
                 json_pack("[f, f, f, f, f, f]", view->x[0], view->x[1], view->y[0], view->y[1],
                           view->scale, view->symbol));
    return add_object(HA_OK, &json, out);
}

/* What is not needed before the engine, packed. */
static ha_status add_rest(const page_live *live, ha__strbuf *out)
{
    cli_json json = cli_json_new();
    ha__strbuf text = HA_STRBUF(out->ctx);

    put_text(live, &json);
    ha_status status = put_files(live, &json);
    put_forms(live, &json);
    status = add_object(status, &json, &text);
    HA_THEN(status, page_add_packed("live-rest", ha__strbuf_text(&text), out));
    ha__strbuf_clear(&text);
    return status;
}

ha_status page_add_live(const void *user, ha__strbuf *out)
{
    const page *p = user;

    size_t length = 0;

    if (p->live == NULL) {
        return out->status;
    }
    const unsigned char *module = engine_module(&length);
    ha__strbuf_addf(out, "<style>%s</style>\n", page_file("live-style"));
    ha__strbuf_add(out, "<script type=\"application/json\" id=\"live-data\">");
    HA_TRY(add_data(p->live, out));
    ha__strbuf_add(out, "</script>\n");
    HA_TRY(add_rest(p->live, out));
    ha__strbuf_addf(out, "<script type=\"text/plain\" id=\"engine-script\">%s</script>\n",
                    engine_script());
    page_add_bytes("engine", module, length, out);
    ha__strbuf_addf(out, "<script>%s</script>\n", page_file("live-script"));
    return out->status;
}
