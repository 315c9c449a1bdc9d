/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Joints that a live page makes ideal or not: those that the file, or one of its variants, has
 * with springs (`model: compliant`) or with play (`model: clearance`), and those for whose
 * stiffness the command line gives a range. How far from ideal one is, is a factor: of all its
 * stiffnesses and dampings, so that its times stay what they are, or of its clearance.
 *
 * The engine draws no bond graphs. So the page holds that of each form: of all combinations of
 * ideal joints while these are few, else without and with all, and with each alone; those of its
 * runs it has anyhow.
 */
#include <config.h>

#include "tools/page/page_live.h"

#include "lib/core/number.h"
#include "tools/shared/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_FREE = 3, /* switches of which all combinations are drawn */
    MOST_SWITCHES = 30
};

/* Springs of a joint that the file holds ideally: their dampers are this part of the run times the
   stiffness. */
static const double DAMPING = 1.0 / 3000.0;

/* How far a factor goes to both sides where nobody says it. */
static const double FAR = 1000.0, NEAR = 4.0;

typedef struct {
    const char *model;
    const char *const *scaled; /* keys that the factor is for, the first tells it */
    bool is_stiff;             /* the larger the nearer to ideal */
} kind;

static const char *const springs[] = { "stiffness", "angular_stiffness", "damping",
                                       "angular_damping", NULL };
static const char *const plays[] = { "clearance", NULL };
static const kind kinds[] = { { "compliant", springs, true }, { "clearance", plays, false } };

/* A formatted text that lives as long as the page. */
#define TEXT(...) ha__arena_format(live->page->cli->ctx, &live->arena, __VA_ARGS__)

static bool is_scaled(const kind *k, const char *key)
{
    for (size_t i = 0; k->scaled[i] != NULL; i++) {
        if (strcmp(k->scaled[i], key) == 0) {
            return true;
        }
    }
    return false;
}

static const live_switch *find_switch(const page_live *live, const char *joint)
{
    for (size_t i = 0; i < live->switches.count; i++) {
        if (strcmp(live->switches.items[i].joint, joint) == 0 ||
            strcmp(live->switches.items[i].joint, "*") == 0) {
            return &live->switches.items[i];
        }
    }
    return NULL;
}

/* What tells how far from ideal a joint is: a number, or a factor of an expression. */
static ha_status find_range(page_live *live, const kind *k, live_switch *s)
{
    bool is_given = false;
    double factor = 1.0;

    s->is_factor = !live_read_quantity(live, s->text, &s->value, &s->unit, &factor);
    if (s->is_factor) {
        s->value = 1.0;
        s->unit = "";
    }
    HA_TRY(live_given_range(live, s->path, s->unit, &s->low, &s->high, &is_given));
    if (!is_given) {
        s->low = s->value / (k->is_stiff ? FAR : FAR / 10.0);
        s->high = s->value * (k->is_stiff ? FAR : NEAR);
    }
    return HA_OK;
}

/* Keeps PATH=VALUE of a key of the joint. */
static ha_status add_key(page_live *live, const kind *k, live_switch *s, const ha__yaml_pair *pair,
                         bool is_in_file)
{
    ha_ctx *ctx = live->page->cli->ctx;

    if (pair->value->kind != HA__YAML_SCALAR || strcmp(pair->key, "model") == 0) {
        return HA_OK;
    }
    const char *set = TEXT("joints.%s.%s=%s", s->joint, pair->key, pair->value->text);
    HA_TRY_MEMORY(set);
    if (is_scaled(k, pair->key)) {
        HA_TRY_PUSH(ctx, &s->scaled, set);
        return HA_OK;
    }
    if (!is_in_file) {
        HA_TRY_PUSH(ctx, &s->own, set);
    }
    return HA_OK;
}

/* A joint with springs or play, by its entry in the file or in a variant. */
static ha_status add_switch(page_live *live, const kind *k, const ha__yaml_pair *entry,
                            bool is_in_file)
{
    const ha__yaml_node *value = ha__yaml_get(entry->value, k->scaled[0]);
    live_switch s = { .joint = entry->key, .model = k->model };

    if (value == NULL && is_in_file) { /* the variant of the page may have more */
        return HA_OK;
    }
    if (value == NULL || value->kind != HA__YAML_SCALAR || live->switches.count == MOST_SWITCHES ||
        find_switch(live, entry->key) != NULL) {
        return HA_OK;
    }
    s.path = TEXT("joints.%s.%s", s.joint, k->scaled[0]);
    HA_TRY_MEMORY(s.path);
    const char *text = live_text_at(live, s.path);
    s.text = text == NULL ? value->text : text;
    ha_status status = find_range(live, k, &s);
    for (size_t i = 0; i < entry->value->n && status == HA_OK; i++) {
        status = add_key(live, k, &s, &entry->value->pairs[i], is_in_file);
    }
    if (status == HA_OK) {
        HA_TRY_PUSH(live->page->cli->ctx, &live->switches, s);
    }
    return status;
}

/* Those of a section `joints`. */
static ha_status add_joints(page_live *live, const ha__yaml_node *joints, bool is_in_file)
{
    for (size_t i = 0; joints != NULL && joints->pairs != NULL && i < joints->n; i++) {
        const ha__yaml_pair *entry = &joints->pairs[i];
        const ha__yaml_node *model = ha__yaml_get(entry->value, "model");
        for (size_t k = 0; k < HA_COUNT(kinds) && model != NULL; k++) {
            if (model->kind == HA__YAML_SCALAR && strcmp(model->text, kinds[k].model) == 0) {
                HA_TRY(add_switch(live, &kinds[k], entry, is_in_file));
            }
        }
    }
    return HA_OK;
}

/* Springs for a joint that the file holds ideally: in the middle of the range that is asked for. */
static ha_status add_springs(page_live *live, const char *joint, const char *path)
{
    ha_ctx *ctx = live->page->cli->ctx;
    double t_end = live->page->runs.items[0].run.model.options.solver.t_end;
    live_switch s = { .joint = joint, .model = "compliant", .path = path, .unit = "N/m" };
    char digits[HA__NUMBER_SIZE];
    bool is_given = false;

    HA_TRY(live_given_range(live, path, s.unit, &s.low, &s.high, &is_given));
    s.value = sqrt(fmax(s.low, 0.0) * s.high);
    if (!(s.value > 0.0)) {
        return ha_fail(ctx, HA_ERR_VALUE, HA_NOWHERE,
                       "--live: the range of `%s` begins at %g; a stiffness is above 0", path,
                       s.low);
    }
    s.text = TEXT("%s N/m", ha__print_short_number(digits, s.value));
    const char *damping =
        TEXT("joints.%s.damping_factor=%g s", joint, DAMPING * (t_end > 0.0 ? t_end : 1.0));
    const char *scaled = TEXT("%s=%s", path, s.text == NULL ? "" : s.text);
    if (s.text == NULL || damping == NULL || scaled == NULL) {
        return HA_ERR_MEMORY;
    }
    HA_TRY_PUSH(ctx, &s.own, damping);
    HA_TRY_PUSH(ctx, &s.scaled, scaled);
    HA_TRY_PUSH(ctx, &live->switches, s);
    return HA_OK;
}

/* Joints for whose stiffness there is a range, and which the file holds ideally. */
static ha_status add_named(page_live *live)
{
    const cli_call *cli = live->page->cli;
    const ha__yaml_node *joints = ha__yaml_get(ha__yaml_root(live->doc), "joints");

    for (size_t i = 0; i < cli->ranges.count; i++) {
        const char *path = ha__arena_text(cli->ctx, &live->arena, cli->ranges.items[i],
                                          strcspn(cli->ranges.items[i], "="));
        HA_TRY_MEMORY(path);
        for (size_t k = 0; joints != NULL && joints->pairs != NULL && k < joints->n; k++) {
            const char *joint = joints->pairs[k].key;
            const char *wanted = TEXT("joints.%s.stiffness", joint);
            HA_TRY_MEMORY(wanted);
            if (strcmp(path, wanted) == 0 && find_switch(live, joint) == NULL) {
                HA_TRY(add_springs(live, joint, path));
            }
        }
    }
    return HA_OK;
}

ha_status live_find_switches(page_live *live)
{
    const ha__yaml_node *root = ha__yaml_root(live->doc);
    const ha__yaml_node *variants = ha__yaml_get(root, "variants");

    HA_TRY(add_joints(live, ha__yaml_get(root, "joints"), true));
    for (size_t i = 0; variants != NULL && variants->pairs != NULL && i < variants->n; i++) {
        HA_TRY(add_joints(live, ha__yaml_get(variants->pairs[i].value, "joints"), false));
    }
    return add_named(live);
}

/* Whether a joint is ideal in a run of the page, by its variant. */
static bool is_ideal(const page_live *live, const live_switch *one, size_t run)
{
    const cli_call *cli = live->page->cli;
    const ha__yaml_node *root = ha__yaml_root(live->doc), *node = NULL;
    char path[256];

    const char *const names[] = { one->joint, "*" };
    for (size_t k = 0; k < HA_COUNT(names); k++) {
        snprintf(path, sizeof path, "joints.%s.model=", names[k]);
        for (size_t i = cli->sets.count; i-- > 0;) {
            if (strncmp(cli->sets.items[i], path, strlen(path)) == 0) {
                return strcmp(cli->sets.items[i] + strlen(path), one->model) != 0;
            }
        }
        path[strlen(path) - 1] = '\0';
        if (node == NULL && run < cli->variants.count) {
            node = live_node_at(
                ha__yaml_get(ha__yaml_get(root, "variants"), cli->variants.items[run]), path);
        }
    }
    snprintf(path, sizeof path, "joints.%s.model", one->joint);
    node = node == NULL ? live_node_at(root, path) : node;
    return node == NULL || node->kind != HA__YAML_SCALAR || strcmp(node->text, one->model) != 0;
}

unsigned live_ideal(const page_live *live, size_t run)
{
    unsigned bits = 0;

    for (size_t k = 0; k < live->switches.count; k++) {
        bits |= (unsigned) is_ideal(live, &live->switches.items[k], run) << k;
    }
    return bits;
}

/* --- their bond graphs ------------------------------------------------------------------------ */

json_t *live_numbers(const cli_model *model)
{
    json_t *all = json_array();
    bg_bond *bonds = NULL;
    bool is_good = report_bonds(model, &bonds) == HA_OK;

    for (int i = 0; i < bg_graph_n_bonds(model->graph) && is_good; i++) {
        json_t *one = json_array();
        for (int c = 0; c < bg_bond_dim(model->graph, bonds[i]) && is_good; c++) {
            int number = 0;
            is_good = bg_causality_scalar_number(model->causality, bonds[i], c, &number) == HA_OK &&
                      cli_json_append(one, json_integer(number));
        }
        is_good = cli_json_append(all, one) && is_good;
    }
    ha__free(bonds);
    return all;
}

/* Puts a text that a part of the page makes. */
static ha_status put_part(const page *p, const char *key,
                          ha_status (*add)(const void *page, ha__strbuf *out), cli_json *json)
{
    ha__strbuf text = HA_STRBUF(p->cli->ctx);
    ha_status status = add(p, &text);

    cli_json_put_text(json, key, status == HA_OK ? ha__strbuf_text(&text) : "");
    ha__strbuf_clear(&text);
    return status;
}

/* A picture in words that is that of the page is taken from there. */
static void drop_words(const page *whole, page_run *run)
{
    const char *words = whole->runs.items[0].words;

    if (words != NULL && run->words != NULL && strcmp(words, run->words) == 0) {
        ha__free(run->words);
        run->words = NULL;
    }
}

/* All that the page shows of a graph. */
static ha_status put_form(const page *whole, page *p, cli_json *json)
{
    page_run *run = &p->runs.items[0];

    HA_TRY(m2d__kit_prepare(&run->run.model));
    HA_TRY(page_draw_graph(run));
    drop_words(whole, run);
    HA_TRY(page_put_graph(run, json));
    cli_json_put(json, "numbers", live_numbers(&run->run.model));
    HA_TRY(put_part(p, "pictures", page_add_diagrams, json));
    HA_TRY(put_part(p, "equations", page_add_equations, json));
    HA_TRY(put_part(p, "summary", page_add_summary, json));
    return put_part(p, "structure", page_add_structure, json);
}

typedef HA_ARRAY(const char *) text_list;

static ha_status add_texts(ha_ctx *ctx, const char *const *texts, size_t n, text_list *to)
{
    HA_TRY_ROOM(ctx, to, n);
    for (size_t i = 0; i < n; i++) {
        to->items[to->count++] = texts[i];
    }
    return HA_OK;
}

/* The overrides that make it so. */
static ha_status list_sets(page_live *live, unsigned ideal, text_list *sets)
{
    ha_ctx *ctx = live->page->cli->ctx;

    for (size_t i = 0; i < live->switches.count; i++) {
        const live_switch *s = &live->switches.items[i];
        const bool is_ideal = (ideal >> i & 1u) != 0;
        const char *set = TEXT("joints.%s.model=%s", s->joint, is_ideal ? "ideal" : s->model);
        HA_TRY_MEMORY(set);
        HA_TRY_PUSH(ctx, sets, set);
        if (!is_ideal) {
            HA_TRY(add_texts(ctx, s->own.items, s->own.count, sets));
            HA_TRY(add_texts(ctx, s->scaled.items, s->scaled.count, sets));
        }
    }
    return HA_OK;
}

/* Draws it with the command line that makes it so, and keeps it. */
static ha_status keep_form(page_live *live, unsigned ideal, live_call *call, cli_json *json)
{
    page one = { .cli = &call->cli };

    HA_TRY_ROOM(live->page->cli->ctx, &live->forms, 1); /* before there is something to lose */
    HA_TRY_PUSH(call->cli.ctx, &one.runs, (page_run){ 0 });
    page_run *run = &one.runs.items[0];
    ha_status status = cli_load(&call->cli, &run->run.model);
    HA_THEN(status, put_form(live->page, &one, json));
    if (status == HA_OK && !json->has_failed) {
        live->forms.items[live->forms.count++] = (live_form){ ideal, json_incref(json->object) };
    }
    HA_FREE(run->words, run->diagram);
    cli_run_clear(&run->run);
    HA_ARRAY_CLEAR(&one.runs);
    return status;
}

/* A form that does not come off, as with joints of which one must be ideal, is left out. */
static ha_status draw_form(page_live *live, unsigned ideal)
{
    live_call call = { 0 };
    text_list sets = { 0 };
    cli_json json = cli_json_new();
    ha_status status = list_sets(live, ideal, &sets);

    HA_THEN(status, live_call_begin(live, sets.items, sets.count, &call));
    HA_THEN(status, keep_form(live, ideal, &call, &json));
    HA_ARRAY_CLEAR(&sets);
    json_decref(json.object);
    live_call_end(&call);
    return ha_ctx_is_interrupted(live->page->cli->ctx) ? HA_ERR_INTERRUPTED : HA_OK;
}

/* Here, or of a run of the page, from which the page takes it. */
static bool is_drawn(const page_live *live, unsigned ideal)
{
    for (size_t i = 0; i < live->forms.count; i++) {
        if (live->forms.items[i].ideal == ideal) {
            return true;
        }
    }
    for (size_t i = 0; i < live->page->runs.count; i++) {
        if (live->page->runs.items[i].run.model.causality != NULL && live_ideal(live, i) == ideal) {
            return true;
        }
    }
    return false;
}

ha_status live_draw_forms(page_live *live)
{
    size_t n = live->switches.count;
    const unsigned all = (1u << n) - 1u;

    for (unsigned ideal = 0; n <= MOST_FREE && ideal <= all; ideal++) {
        HA_TRY(is_drawn(live, ideal) ? HA_OK : draw_form(live, ideal));
    }
    for (size_t i = 0; n > MOST_FREE && i < n; i++) {
        HA_TRY(is_drawn(live, all & ~(1u << i)) ? HA_OK : draw_form(live, all & ~(1u << i)));
        HA_TRY(is_drawn(live, 1u << i) ? HA_OK : draw_form(live, 1u << i));
    }
    if (n > MOST_FREE) {
        HA_TRY(is_drawn(live, 0) ? HA_OK : draw_form(live, 0));
        HA_TRY(is_drawn(live, all) ? HA_OK : draw_form(live, all));
    }
    return HA_OK;
}
