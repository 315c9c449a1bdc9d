/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files: overrides and variants, the sections, options and outputs.
 *
 * Order: overrides of `variants.` paths, the variant merged over the file, the other overrides;
 * then the sections are read from the result.
 */
#include <config.h>

#include "mech2d/read.h"

#include "bondgraph/model/run_options.h"
#include "lib/core/context_priv.h"
#include "lib/core/need.h"
#include "lib/core/strbuf.h"
#include "lib/core/symtab.h"
#include "mech2d/read/read_priv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- overrides and variants ----------------------------------------------------------------- */

/* Refuses a parameter that is not one of the file's, with the nearest of these. */
static ha_status refuse_parameter(m2d__reader *r, const char *name, const ha__yaml_node *parameters,
                                  ha_where where)
{
    size_t n = parameters == NULL || parameters->pairs == NULL ? 0 : parameters->n;
    const char **known = NULL;

    HA_TRY_ALLOC(r->ctx, known, n + 1);
    for (size_t i = 0; i < n; i++) {
        known[i] = parameters->pairs[i].key;
    }
    const char *near = ha__nearest(name, known, n);
    ha__free(known);
    return ha_fail(r->ctx, HA_ERR_NAME, where,
                   "cannot set `%s`: the file has no such parameter%s%s%s", name,
                   near == NULL ? "; give it under `parameters` first" : "; did you mean `",
                   near == NULL ? "" : near, near == NULL ? "" : "`?");
}

/* A name without its section: the file has no key of this name, but a parameter, a body or an
   element. */
static ha_status check_section(m2d__reader *r, const char *set, ha_where where)
{
    static const char *const sections[][2] = {
        { "parameters", NULL },     { "bodies", NULL }, { "joints", NULL },
        { "forces", NULL },         { "parts", NULL },  { "bondgraph", "elements" },
        { "bondgraph", "signals" },
    };
    const ha__yaml_node *root = ha__yaml_root(r->doc);
    const char *path = ha__arena_text(r->ctx, &r->arena, set, strcspn(set, "= "));
    const char *name = ha__arena_text(r->ctx, &r->arena, set, strcspn(set, "=. "));

    HA_TRY(path == NULL || name == NULL ? HA_ERR_MEMORY : HA_OK);
    size_t first = strchr(path, '.') != NULL ? 1 : 0; /* a parameter has no parts */
    for (size_t i = first; i < HA_COUNT(sections) && ha__yaml_get(root, name) == NULL; i++) {
        const char *inner = sections[i][1];
        const ha__yaml_node *section = ha__yaml_get(root, sections[i][0]);
        section = inner == NULL || section == NULL ? section : ha__yaml_get(section, inner);
        if (section == NULL || ha__yaml_get(section, name) == NULL) {
            continue;
        }
        return i == 0 ? ha_fail(r->ctx, HA_ERR_NAME, where,
                                "cannot set `%s`: it is a parameter; write `parameters.%s`", path,
                                path)
                      : ha_fail(r->ctx, HA_ERR_NAME, where,
                                "cannot set `%s`: `%s` stands under `%s`; write `%s%s%s.%s%s`",
                                path, name, inner == NULL ? sections[i][0] : inner, sections[i][0],
                                inner == NULL ? "" : ".", inner == NULL ? "" : inner, path,
                                strchr(path, '.') != NULL ? "" : ".KEY");
    }
    return HA_OK;
}

/* The override of a parameter has the dimension that the file gives it, where both have a unit: a
   formula such as -a/2 does not tell, for its number may be of any. */
static ha_status check_dimension(m2d__reader *r, const char *name, const char *set,
                                 const ha__yaml_node *value, ha_where where)
{
    const char *equals = strchr(set, '=');
    const char *object = ha__arena_format(r->ctx, &r->arena, "`parameters.%s`", name);

    HA_TRY_MEMORY(object);
    if (equals == NULL || value->kind != HA__YAML_SCALAR) {
        return HA_OK;
    }
    return ha__quantity_check_like(r->ctx, equals + 1, value->text, where, object);
}

/* An override of a parameter must name one that the file has: a new one would change nothing. */
ha_status m2d__check_parameter(m2d__reader *r, const char *set, ha_where where)
{
    static const char section[] = "parameters.";
    const ha__yaml_node *parameters = ha__yaml_get(ha__yaml_root(r->doc), "parameters");

    if (strncmp(set, section, sizeof section - 1) != 0) {
        return check_section(r, set, where);
    }
    char *name =
        ha__copy_text(r->ctx, set + sizeof section - 1, strcspn(set + sizeof section - 1, "= "));
    HA_TRY_MEMORY(name);
    const ha__yaml_node *value = ha__yaml_get(parameters, name);
    return ha__then_free(value != NULL ? check_dimension(r, name, set, value, where)
                                       : refuse_parameter(r, name, parameters, where),
                         name);
}

static ha_status apply_sets(m2d__reader *r, const m2d_read_def *def, bool of_variants)
{
    ha_status first = HA_OK;

    for (int i = 0; i < def->n_sets; i++) {
        bool is_of_variants = strncmp(def->sets[i], "variants.", 9) == 0;
        if (is_of_variants == of_variants) {
            ha_where where = { "--set", i + 1, 1 };
            bool is_of_instance = m2d__is_set_of_instance(def->sets[i]);
            ha_status status = is_of_instance ? m2d__set_of_instance(r, def->sets[i], where)
                                              : m2d__check_parameter(r, def->sets[i], where);
            if (status == HA_OK && !is_of_instance) {
                status = ha__yaml_set(r->doc, def->sets[i], where);
            }
            first = first == HA_OK ? status : first;
        }
    }
    return first;
}

static ha_status change(m2d__reader *r, const m2d_read_def *def)
{
    HA_TRY(m2d__include(r, def));
    HA_TRY(apply_sets(r, def, true));
    if (def->variant != NULL) {
        const ha__yaml_node *root = ha__yaml_root(r->doc);
        HA_TRY(m2d__apply_variant(r, def->variant, root->where, root, &root));
        ha__yaml_set_root(r->doc, root);
    }
    HA_TRY(apply_sets(r, def, false));
    if (def->where_present != NULL) {
        size_t n = 0;
        HA_TRY(ha__yaml_set_present(r->doc, def->where_present, (ha_where){ "--sweep", 1, 1 }, &n));
        r->model->n_present = (int) n;
    }
    return m2d__vary(r, def);
}

/* --- options, outputs, names ---------------------------------------------------------------- */

void m2d__read_version(m2d__reader *r, const ha__yaml_node *root)
{
    const ha__yaml_node *node = ha__yaml_get(root, "halfarrow");
    const char *text = NULL;

    if (node == NULL) {
        m2d__reader_go_on(r, ha_fail(r->ctx, HA_ERR_NAME, root->where,
                                     "the file has no `halfarrow`; write `halfarrow: 1` as its "
                                     "first line"));
    }
    text = node == NULL ? NULL : m2d__read_name(r, node, "`halfarrow`");
    if (text != NULL && strcmp(text, "1") != 0) {
        m2d__reader_go_on(r, ha_fail(r->ctx, HA_ERR_VALUE, node->where,
                                     "`halfarrow` is %s, but this program reads version 1 of model "
                                     "files; write `halfarrow: 1`",
                                     text));
    }
}

static void read_option(m2d__reader *r, const ha__option *row, const ha__yaml_node *node)
{
    const m2d__owner owner = { "section", "simulate", row->key, HA_NOWHERE };
    bg_run_options *run = &r->model->options;

    if (row->words != NULL) {
        const char *object = m2d__object(r, row->key, "section", "simulate");
        const char *word = m2d__read_name(r, node, object);
        m2d__reader_go_on(
            r, word == NULL ? HA_OK
                            : ha__option_set_word(r->ctx, row, object, run, word, node->where));
        return;
    }
    double value = (double) NAN;
    (void) m2d__read_constant(r, node, ha__option_quantity(row), owner, value, &value);
    const char *object = m2d__object(r, row->key, "section", "simulate");
    m2d__reader_go_on(
        r, isnan(value) ? HA_OK : ha__option_set(r->ctx, row, object, run, value, node->where));
}

static void read_simulate(m2d__reader *r, const ha__yaml_node *root)
{
    const ha__yaml_node *section =
        m2d__section(r, root, "simulate", "`simulate`", HA__YAML_MAPPING);
    const char *keys[BG__RUN_COUNT];

    for (size_t i = 0; i < BG__RUN_COUNT; i++) {
        keys[i] = bg__run_options[i].key;
    }
    if (section != NULL) {
        (void) m2d__check_keys(r, section, "`simulate`", keys, BG__RUN_COUNT);
    }
    for (size_t i = 0; section != NULL && i < BG__RUN_COUNT; i++) {
        const ha__yaml_node *node = ha__yaml_get(section, keys[i]);
        if (node != NULL) {
            read_option(r, &bg__run_options[i], node);
        }
    }
}

static ha_status keep_variant(m2d__reader *r, const char *name)
{
    const char *copy = ha__arena_text(r->ctx, &r->model->arena, name, strlen(name));

    HA_TRY_MEMORY(copy);
    HA_TRY_PUSH(r->ctx, &r->model->variants, copy);
    return HA_OK;
}

static void read_variants(m2d__reader *r, const ha__yaml_node *root)
{
    const ha__yaml_node *section =
        m2d__section(r, root, "variants", "`variants`", HA__YAML_MAPPING);

    for (size_t i = 0; section != NULL && i < section->n; i++) {
        const ha__yaml_pair *pair = &section->pairs[i];
        m2d__reader_go_on(r, ha__yaml_expect(r->ctx, pair->value,
                                             m2d__object(r, NULL, "variant", pair->key),
                                             HA__YAML_MAPPING));
        m2d__reader_go_on(r, keep_variant(r, pair->key));
    }
}

static void read_name(m2d__reader *r, const ha__yaml_node *root)
{
    const ha__yaml_node *node = ha__yaml_get(root, "name");
    const char *name = node == NULL ? NULL : m2d__read_name(r, node, "`name`");

    if (name != NULL) {
        r->model->name = ha__arena_text(r->ctx, &r->model->arena, name, strlen(name));
        m2d__reader_go_on(r, r->model->name == NULL ? HA_ERR_MEMORY : HA_OK);
    }
}

/* --- the whole ------------------------------------------------------------------------------- */

static void read_sections(m2d__reader *r)
{
    static const char *const keys[] = { "halfarrow", "name",      "gravity",   "parameters",
                                        "ground",    "bodies",    "joints",    "forces",
                                        "submodels", "bondgraph", "simulate",  "outputs",
                                        "variants",  "tables",    "functions", "values",
                                        "parts",     "include",   "study" };
    static void (*const sections[])(m2d__reader * r, const ha__yaml_node *root) = {
        m2d__read_version, read_name,        m2d__read_tables, m2d__read_parameters,
        m2d__read_gravity, m2d__read_ground, m2d__read_bodies, m2d__read_library,
        m2d__read_parts,   m2d__read_joints, m2d__read_forces, m2d__read_submodels,
        m2d__read_graph,   read_simulate,    m2d__read_named,  m2d__read_outputs,
        read_variants,
    };
    const ha__yaml_node *root = ha__yaml_root(r->doc);

    (void) m2d__check_keys(r, root, "the file", keys, HA_COUNT(keys));
    m2d__note_misspelt(r, root, keys, HA_COUNT(keys));
    if (ha__yaml_get(root, "bondgraph") == NULL && ha__yaml_get(root, "parts") == NULL) {
        /* a bond graph needs no mechanism, and parts may be all of it */
        (void) m2d__require(r, root, "the file", "bodies");
    }
    m2d__note_signals(r, ha__yaml_get(root, "bondgraph"));
    m2d__note_functions(r, root);
    m2d__note_values(r, root);
    for (size_t i = 0; i < HA_COUNT(sections) && r->status != HA_ERR_MEMORY; i++) {
        sections[i](r, root);
    }
    m2d__read_functions(r);
    m2d__reader_go_on(r, ha_dag_status(r->mechanism->dag));
}

/* A reading and the changes that it was asked for. */
typedef struct {
    m2d__reader *reader;
    const m2d_read_def *def;
} changed;

/* The path of the `--set` at a location: up to its `=`. */
static const char *name_of_set(void *user, ha_where where)
{
    const changed *c = user;

    if (strcmp(where.file, "--set") != 0 || where.line > c->def->n_sets) {
        return NULL;
    }
    const char *set = c->def->sets[where.line - 1];
    return ha__arena_text(c->reader->ctx, &c->reader->arena, set, strcspn(set, "= \t"));
}

/* Reads a document, which it frees. */
static ha_status read_document(ha_ctx *ctx, ha__yaml *doc, const m2d_read_def *def, m2d_model **out)
{
    static const m2d_read_def plain = { 0 };
    m2d__reader r = { .ctx = ctx, .doc = doc, .status = HA_ERR_MEMORY };
    changed c = { &r, def == NULL ? &plain : def };
    size_t n_diags = ha_ctx_n_diags(ctx);

    r.model = ha__alloc(ctx, 1, sizeof *r.model);
    if (r.model != NULL) {
        r.model->ctx = ctx;
        r.model->name = "";
        r.model->options = bg_run_options_default();
        r.mechanism = r.model->mechanism = m2d_mechanism_new(ctx);
    }
    if (r.mechanism != NULL) {
        r.status = change(&r, c.def);
        if (r.status == HA_OK) {
            read_sections(&r);
        }
    }
    ha__ctx_fold(ctx, n_diags, name_of_set, &c);
    ha__yaml_free(doc);
    for (size_t i = 0; i < r.docs.count; i++) {
        ha__yaml_free(r.docs.items[i]);
    }
    HA_ARRAY_CLEAR(&r.docs);
    ha__symtab_clear(&r.output_names);
    ha__arena_clear(&r.arena);
    return HA_GIVE(r.status, r.model, m2d_model_free, out);
}

ha_status m2d_read_file(ha_ctx *ctx, const char *path, const m2d_read_def *def, m2d_model **out)
{
    HA_NEED(ctx, ctx != NULL && path != NULL && out != NULL);
    ha__yaml *doc = NULL;

    HA_TRY(ha__yaml_read_file(ctx, path, &doc));
    return read_document(ctx, doc, def, out);
}

ha_status m2d_read_text(ha_ctx *ctx, const char *text, size_t length, const char *name,
                        const m2d_read_def *def, m2d_model **out)
{
    HA_NEED(ctx, ctx != NULL && text != NULL && name != NULL && out != NULL);
    ha__yaml *doc = NULL;

    HA_TRY(ha__yaml_read_text(ctx, text, length, name, &doc));
    return read_document(ctx, doc, def, out);
}

void m2d_model_free(m2d_model *model)
{
    if (model != NULL) {
        m2d_mechanism_free(model->mechanism);
        for (size_t i = 0; i < model->submodels.count; i++) {
            bg_submodel_free(model->submodels.items[i]);
        }
        HA_ARRAY_CLEAR(&model->submodels, &model->variants, &model->outputs, &model->part_outputs);
        ha__arena_clear(&model->arena);
        ha__free(model);
    }
}

m2d_mechanism *m2d_model_mechanism(m2d_model *model)
{
    HA_NEED_ELSE(model != NULL, NULL);
    return model->mechanism;
}

const char *m2d_model_name(const m2d_model *model)
{
    HA_NEED_ELSE(model != NULL, "");
    return model->name;
}

const bg_run_options *m2d_model_options(const m2d_model *model)
{
    HA_NEED_ELSE(model != NULL, NULL);
    return &model->options;
}

int m2d_model_n_variants(const m2d_model *model)
{
    HA_NEED_ELSE(model != NULL, 0);
    return (int) model->variants.count;
}

int m2d_model_n_present(const m2d_model *model)
{
    HA_NEED_ELSE(model != NULL, 0);
    return model->n_present;
}

const char *m2d_model_variant(const m2d_model *model, int i)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, m2d_model_n_variants(model)), "");
    return model->variants.items[i];
}

int m2d_model_n_outputs(const m2d_model *model)
{
    HA_NEED_ELSE(model != NULL, 0);
    return (int) model->outputs.count;
}

const char *m2d_model_output(const m2d_model *model, int i)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, m2d_model_n_outputs(model)), "");
    return model->outputs.items[i].name;
}
