/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files: submodels, and instances of them among the elements of a bond graph.
 *
 *   submodels:
 *     motor:
 *       parameters: {R: 1.2 ohm, k: 0.05}
 *       ports: {electric: 1i, shaft: K}
 *       elements: {1i: {type: "1"}, Ra: {type: R, value: R}, K: {type: GY, value: k}}
 *       bonds: [1i > Ra, 1i > K]
 *     pump: {file: pump.yaml}
 *   bondgraph:
 *     elements: {M1: {type: motor, parameters: {R: 3 ohm}}}
 *     bonds: [V > M1.electric, M1.shaft > O.axis]
 *
 * The body of a submodel is read as a mechanism of its own, by the functions that read the file's:
 * so parameters and expressions in it mean what is inside, and nothing from outside is seen. It is
 * read when it is first asked for. Those being read form a chain, in which a submodel that comes
 * again is refused.
 *
 * A file has its own submodels, seen by what is in the file alone. It is read once, however many
 * name it and however its name is written: the device and inode tell files apart. So the work is
 * bounded by what the files hold, and a file that is read while its own body is has come round to
 * itself.
 */
#include <config.h>

#include "bondgraph/graph/element.h"
#include "lib/core/strbuf.h"
#include "lib/expr/expr_dimension.h"
#include "mech2d/read/read_submodel.h"

#include <string.h>

enum {
    DEEPEST = 32,     /* submodels inside each other */
    MOST_FILES = 1024 /* read for one model */
};

/* --- libraries ------------------------------------------------------------------------------ */

static ha_status check_name(m2d__reader *r, const ha__yaml_pair *pair)
{
    HA_TRY(m2d__check_name(r->ctx, "submodel", pair->key, false, pair->where));
    if (bg__type_find(r->ctx, pair->key, strlen(pair->key)) != NULL) {
        return ha_fail(r->ctx, HA_ERR_NAME, pair->where,
                       "`%s` cannot be the name of a submodel, it is a type of elements; choose "
                       "another name",
                       pair->key);
    }
    return HA_OK;
}

/* The library of a file: the entries of its section `submodels`. `path` is the file's. */
static ha_status make_library(m2d__reader *r, const ha__yaml_node *root, const char *path,
                              m2d__library **out)
{
    const ha__yaml_node *section =
        m2d__section(r, root, "submodels", "`submodels`", HA__YAML_MAPPING);
    m2d__library *library = ha__arena_alloc(r->ctx, &r->arena, 1, sizeof *library);

    HA_TRY_MEMORY(library);
    *library = (m2d__library){ .root = root, .next = r->files };
    if (path != NULL && strcmp(path, "-") != 0) {
        (void) ha__input_identify(r->ctx, path, &library->file);
    }
    if (section != NULL) {
        HA_TRY_GET(library->entries,
                   ha__arena_alloc(r->ctx, &r->arena, section->n, sizeof *library->entries));
        for (size_t i = 0; i < section->n; i++) {
            const ha__yaml_pair *pair = &section->pairs[i];
            library->entries[library->n++] = (m2d__entry){
                .name = pair->key, .where = pair->where, .node = pair->value, .library = library
            };
            m2d__reader_go_on(r, check_name(r, pair));
        }
    }
    r->files = library;
    *out = library;
    return HA_OK;
}

m2d__entry *m2d__find_submodel(const m2d__library *library, const char *name)
{
    for (size_t i = 0; library != NULL && i < library->n; i++) {
        if (strcmp(library->entries[i].name, name) == 0) {
            return &library->entries[i];
        }
    }
    return NULL;
}

m2d__library *m2d__seen_by(const m2d__entry *entry)
{
    return entry->included != NULL ? entry->included : entry->library;
}

const char *m2d__nearest_submodel(m2d__reader *r, const char *name)
{
    size_t n = r->library == NULL ? 0 : r->library->n;
    const char **names = ha__arena_alloc(r->ctx, &r->arena, n, sizeof *names);

    if (names == NULL) {
        m2d__reader_go_on(r, HA_ERR_MEMORY);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        names[i] = r->library->entries[i].name;
    }
    return ha__nearest(name, names, n);
}

/* --- files ---------------------------------------------------------------------------------- */

const char *m2d__path_of(m2d__reader *r, const char *name, const char *from)
{
    const char *slash = from == NULL ? NULL : strrchr(from, '/');

    return name[0] == '/' || slash == NULL
               ? name
               : ha__arena_format(r->ctx, &r->arena, "%.*s/%s", (int) (slash - from), from, name);
}

/* The library of a file that was read before, NULL when there is none. */
static ha_status find_file(m2d__reader *r, const char *path, ha_where where, m2d__library **out)
{
    ha__file_id file = { 0 };
    int n = 0;

    *out = NULL;
    if (strcmp(path, "-") == 0) {
        return ha_fail(r->ctx, HA_ERR_VALUE, where,
                       "a submodel cannot be read from standard input; give the name of a file");
    }
    (void) ha__input_identify(r->ctx, path, &file); /* reading the file will say why not */
    for (m2d__library *l = r->files; l != NULL; l = l->next) {
        n++;
        if (ha__is_same_file(&l->file, &file)) {
            *out = l;
        }
    }
    if (*out != NULL && (*out)->is_open) {
        return ha_fail(r->ctx, HA_ERR_NAME, where,
                       "the file `%s` would include itself here; take one of the inclusions out",
                       path);
    }
    return *out != NULL || n < MOST_FILES
               ? HA_OK
               : ha_fail(r->ctx, HA_ERR_LIMIT, where,
                         "the model is made of more than %d files; put submodels together in one",
                         (int) MOST_FILES);
}

/* Reads a file. */
static ha_status read_file(m2d__reader *r, const char *path, m2d__library **out)
{
    ha__yaml *doc = NULL;

    HA_TRY_ROOM(r->ctx, &r->docs, 1);
    HA_TRY(ha__yaml_read_file(r->ctx, path, &doc));
    r->docs.items[r->docs.count++] = doc;
    m2d__read_version(r, ha__yaml_root(doc));
    return make_library(r, ha__yaml_root(doc), path, out);
}

/* Makes the root of the file of a submodel the body; reads the file if it was not. */
static ha_status include(m2d__reader *r, m2d__entry *entry)
{
    static const char *const keys[] = { "file" };
    const ha__yaml_node *file = ha__yaml_get(entry->node, "file");
    const char *object = m2d__object(r, NULL, "submodel", entry->name), *name = NULL, *path = NULL;
    m2d__library *library = NULL;

    HA_TRY(ha__yaml_check_keys(r->ctx, entry->node, object, keys, HA_COUNT(keys)));
    HA_TRY(ha__yaml_text(r->ctx, file, m2d__object(r, "file", "submodel", entry->name), &name));
    HA_TRY_GET(path, m2d__path_of(r, name, file->where.file));
    HA_TRY(find_file(r, path, ha__yaml_text_where(file), &library));
    ha_status status = library == NULL ? read_file(r, path, &library) : HA_OK;
    if (status != HA_OK) {
        ha_note(r->ctx, file->where, "included here as the submodel `%s`", entry->name);
        return status;
    }
    entry->node = library->root;
    entry->included = library;
    return HA_OK;
}

/* Reads the file of a submodel, if it has one and this was not done. */
static ha_status open_file(m2d__reader *r, m2d__entry *entry)
{
    return entry->included == NULL && ha__yaml_get(entry->node, "file") != NULL ? include(r, entry)
                                                                                : HA_OK;
}

/* --- bodies --------------------------------------------------------------------------------- */

static void read_ports(m2d__reader *r, bg_submodel *submodel, const ha__yaml_node *body)
{
    const ha__yaml_node *section = m2d__section(
        r, body, "ports", m2d__object(r, "ports", "submodel", bg_submodel_name(submodel)),
        HA__YAML_MAPPING);

    for (size_t i = 0; section != NULL && i < section->n; i++) {
        const ha__yaml_pair *pair = &section->pairs[i];
        const char *inner = m2d__read_name(r, pair->value, m2d__object(r, NULL, "port", pair->key));
        ha_status status = m2d__check_name(r->ctx, "port", pair->key, true, pair->where);
        m2d__reader_go_on(r, status);
        if (status == HA_OK && inner != NULL) {
            m2d__reader_go_on(r, bg_submodel_add_port(submodel, pair->key, inner,
                                                      ha__yaml_text_where(pair->value)));
        }
    }
}

/* Makes the submodel of a body that was read without errors. */
static ha_status make_submodel(m2d__reader *r, const m2d__entry *entry, bg_submodel **out)
{
    bg_submodel *submodel = NULL;

    HA_TRY_ROOM(r->ctx, &r->model->submodels, 1);
    HA_TRY(m2d__expand_submodel(r->mechanism, entry->name, &submodel));
    r->model->submodels.items[r->model->submodels.count++] = submodel;
    read_ports(r, submodel, entry->node);
    *out = submodel;
    return HA_OK;
}

ha_status m2d__check_body(m2d__reader *r, const m2d__entry *entry)
{
    static const char *const keys[] = { "parameters", "ports",   "elements", "bonds",     "signals",
                                        "bodies",     "joints",  "forces",   "parts",     "ground",
                                        "variants",   "outputs", "file",     "halfarrow", "name",
                                        "submodels",  "tables",  "functions" };
    static const size_t n_own = 12, n_of_section = 13;
    const char *of_file[HA_COUNT(keys)];
    bool is_file = entry->included != NULL;

    memcpy(of_file, keys, n_own * sizeof *keys);
    memcpy(of_file + n_own, keys + n_of_section, (HA_COUNT(keys) - n_of_section) * sizeof *keys);
    return m2d__check_keys(r, entry->node, m2d__object(r, NULL, "submodel", entry->name),
                           is_file ? of_file : keys, is_file ? HA_COUNT(keys) - 1 : n_of_section);
}

bool m2d__is_mechanism(const ha__yaml_node *body)
{
    static const char *const keys[] = { "bodies", "joints",   "forces", "parts",
                                        "ground", "variants", "outputs" };

    for (size_t i = 0; i < HA_COUNT(keys); i++) {
        if (ha__yaml_get(body, keys[i]) != NULL) {
            return true;
        }
    }
    return false;
}

static void read_body(m2d__reader *r, m2d__entry *entry)
{
    const char *object = m2d__object(r, NULL, "submodel", entry->name);
    size_t n_errors = ha_ctx_n_errors(r->ctx);
    bg_submodel *submodel = NULL;

    if (m2d__check_body(r, entry) == HA_ERR_SYNTAX) {
        return;
    }
    m2d__read_tables(r, m2d__seen_by(entry)->root);
    m2d__note_signals(r, entry->node);
    r->is_function_closed = entry->included == NULL;
    m2d__note_functions(r, m2d__seen_by(entry)->root);
    m2d__read_parameters(r, entry->node);
    if (r->status != HA_ERR_MEMORY) {
        m2d__read_elements(r, entry->node, object);
    }
    if (ha_ctx_n_errors(r->ctx) == n_errors && r->status != HA_ERR_MEMORY) {
        m2d__reader_go_on(r, make_submodel(r, entry, &submodel));
    }
    entry->submodel = ha_ctx_n_errors(r->ctx) == n_errors ? submodel : NULL;
}

/* Notes whether the body of the entry's file is being read. */
static void set_open(const m2d__entry *entry, bool is_open)
{
    if (entry->included != NULL) {
        entry->included->is_open = is_open;
    }
}

/* Reads a submodel in a mechanism of its own. */
static void read_entry(m2d__reader *r, m2d__entry *entry)
{
    m2d__reader around = *r;

    entry->progress = M2D__READING;
    entry->outer = r->entry;
    r->library = entry->library;
    ha_status status = open_file(r, entry);
    m2d__reader_go_on(r, status);
    if (status == HA_OK && !m2d__is_mechanism(entry->node)) {
        r->entry = entry;
        r->library = m2d__seen_by(entry);
        set_open(entry, true);
        r->values = NULL;
        r->mechanism = m2d_mechanism_new(r->ctx);
        if (m2d__reader_go_on(r, r->mechanism == NULL ? HA_ERR_MEMORY : HA_OK)) {
            read_body(r, entry);
            m2d__reader_go_on(r, ha_dag_status(r->mechanism->dag));
        }
        m2d_mechanism_free(r->mechanism);
        set_open(entry, false);
    }
    entry->progress = M2D__READ;
    r->library = around.library;
    r->entry = around.entry;
    r->mechanism = around.mechanism;
    r->parameters = around.parameters;
    r->signals = around.signals;
    r->values = around.values;
    r->functions = around.functions;
    r->is_function_closed = around.is_function_closed;
}

/* Refuses a submodel that is inside of itself, with all on the way round. */
static ha_status refuse_circle(m2d__reader *r, const m2d__entry *entry, ha_where where)
{
    ha__strbuf chain = HA_STRBUF(r->ctx);
    const m2d__entry *steps[DEEPEST + 1];
    int n = 0;

    for (const m2d__entry *e = r->entry; e != NULL && n <= DEEPEST; e = e->outer) {
        steps[n++] = e;
        if (e == entry) {
            break;
        }
    }
    while (n-- > 0) {
        ha__strbuf_addf(&chain, "`%s` contains `%s`%s", steps[n]->name,
                        n > 0 ? steps[n - 1]->name : entry->name, n > 0 ? ", " : "");
    }
    return HA_FAIL_WITH(chain, r->ctx, HA_ERR_NAME, where,
                        "the submodel `%s` would contain itself: %s; take one of them out",
                        entry->name, ha__strbuf_text(&chain));
}

static ha_status check_depth(m2d__reader *r, ha_where where)
{
    int depth = 0;

    for (const m2d__entry *e = r->entry; e != NULL; e = e->outer) {
        depth++;
    }
    return depth < DEEPEST ? HA_OK
                           : ha_fail(r->ctx, HA_ERR_LIMIT, where,
                                     "submodels are more than %d deep inside each other; use fewer "
                                     "levels",
                                     (int) DEEPEST);
}

ha_status m2d__open_submodel(m2d__reader *r, m2d__entry *entry, ha_where where)
{
    if (entry->progress == M2D__READING) {
        return refuse_circle(r, entry, where);
    }
    HA_TRY(check_depth(r, where));
    return open_file(r, entry);
}

/* The submodel of an entry, read if it was not; NULL after an error. */
static bg_submodel *submodel_of(m2d__reader *r, m2d__entry *entry, ha_where where)
{
    if (entry->progress == M2D__READING) {
        m2d__reader_go_on(r, refuse_circle(r, entry, where));
        return NULL;
    }
    if (entry->progress == M2D__UNREAD) {
        ha_status status = check_depth(r, where);
        m2d__reader_go_on(r, status);
        if (status != HA_OK) {
            return NULL;
        }
        read_entry(r, entry);
    }
    if (m2d__is_mechanism(entry->node)) {
        m2d__reader_go_on(r, ha_fail(r->ctx, HA_ERR_VALUE, where,
                                     "the submodel `%s` has bodies, joints or the like and is no "
                                     "element; make it one of the `parts`",
                                     entry->name));
    }
    return entry->submodel;
}

void m2d__read_library(m2d__reader *r, const ha__yaml_node *root)
{
    m2d__library *library = NULL;

    if (m2d__reader_go_on(r, make_library(r, root, root->where.file, &library))) {
        library->is_open = true;
        library->has_tables = true;
        r->library = library;
    }
}

void m2d__read_submodels(m2d__reader *r, const ha__yaml_node *root)
{
    const m2d__library *library = r->library;

    (void) root;
    for (size_t i = 0; library != NULL && i < library->n && r->status != HA_ERR_MEMORY; i++) {
        m2d__entry *entry = &library->entries[i];
        if (entry->progress == M2D__UNREAD) {
            read_entry(r, entry);
        }
        if (m2d__is_mechanism(entry->node) && !entry->is_part) {
            m2d__try_part(r, entry);
        }
    }
}

/* --- instances ------------------------------------------------------------------------------ */

const char *m2d__text_of(const ha__yaml_node *node)
{
    return node != NULL && node->kind == HA__YAML_SCALAR ? node->text : NULL;
}

/* The value of the key that stands from `name` to `end`, NULL: there is none. */
static const ha__yaml_node *named(const ha__yaml_node *section, const char *name, const char *end)
{
    for (size_t i = 0; section != NULL && section->pairs != NULL && i < section->n; i++) {
        const char *key = section->pairs[i].key;
        if (strncmp(key, name, (size_t) (end - name)) == 0 && key[end - name] == '\0') {
            return section->pairs[i].value;
        }
    }
    return NULL;
}

const char *m2d__default_of(const m2d__entry *entry, const char *name)
{
    for (;;) {
        const char *dot = strchr(name, '.');
        if (dot == NULL) {
            return m2d__text_of(ha__yaml_get(ha__yaml_get(entry->node, "parameters"), name));
        }

        const ha__yaml_node *instance = named(ha__yaml_get(entry->node, "elements"), name, dot);
        instance =
            instance == NULL ? named(ha__yaml_get(entry->node, "parts"), name, dot) : instance;
        const char *type = m2d__text_of(ha__yaml_get(instance, "type"));
        entry = type == NULL ? NULL : m2d__find_submodel(m2d__seen_by(entry), type);
        if (entry == NULL) {
            return NULL;
        }
        name = dot + 1;
    }
}

ha_expr m2d__read_given(m2d__reader *r, const ha__yaml_node *node, const char *owner,
                        const char *like)
{
    ha_expr value = m2d__read_value(r, node, HA__QUANTITY_ANY, owner, 1.0);
    const char *text = m2d__text_of(node);
    ha__dimension ignored;
    bool has_default = like != NULL && ha__dimension_read(like, &ignored);
    double number = 0.0;

    return text != NULL && !has_default && ha__quantity_is_number_with_unit(text) &&
                   ha_expr_is_constant(r->mechanism->dag, value, &number)
               ? ha__quantity_symbol(r->mechanism->dag, text, number)
               : value;
}

/* The values that an instance gives to parameters. */
static void read_values(m2d__reader *r, const m2d__entry *entry, const ha__yaml_pair *pair,
                        bg_instance_def *def)
{
    const char *object = m2d__object(r, "parameters", "instance", pair->key);
    const ha__yaml_node *section =
        m2d__section(r, pair->value, "parameters", object, HA__YAML_MAPPING);
    size_t n = section == NULL ? 0 : section->n;
    bg_parameter_value *values = ha__arena_alloc(r->ctx, &r->arena, n, sizeof *values);

    if (values == NULL) {
        m2d__reader_go_on(r, HA_ERR_MEMORY);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const ha__yaml_pair *parameter = &section->pairs[i];
        const char *owner = m2d__object(r, parameter->key, "instance", pair->key);
        const char *text = m2d__text_of(parameter->value),
                   *like = m2d__default_of(entry, parameter->key);
        values[i].name = parameter->key;
        values[i].where = parameter->where;
        values[i].value = m2d__read_given(r, parameter->value, owner, like);
        if (text != NULL && like != NULL) {
            m2d__reader_go_on(r, ha__quantity_check_like(r->ctx, text, like,
                                                         ha__yaml_text_where(parameter->value),
                                                         owner));
        }
    }
    def->parameters = values;
    def->n_parameters = (int) n;
}

static void read_instance(m2d__reader *r, m2d__entry *entry, const ha__yaml_pair *pair)
{
    static const char *const keys[] = { "type", "parameters", "for" };
    const ha__yaml_node *type = ha__yaml_get(pair->value, "type");
    bg_instance_def def = bg_instance_def_default();

    (void) m2d__check_keys(r, pair->value, m2d__object(r, NULL, "instance", pair->key), keys,
                           HA_COUNT(keys));
    def.submodel = submodel_of(r, entry, type->where);
    if (def.submodel == NULL) {
        return;
    }
    def.name = pair->key;
    def.where = pair->where;
    read_values(r, entry, pair, &def);
    m2d__reader_go_on(r, m2d_mechanism_add_instance(r->mechanism, &def));
}

bool m2d__read_instance(m2d__reader *r, const ha__yaml_pair *pair)
{
    const ha__yaml_node *type = ha__yaml_get(pair->value, "type");
    const char *name = m2d__text_of(type), *near = NULL;

    if (name == NULL || bg__type_find(r->ctx, name, strlen(name)) != NULL) {
        return false;
    }
    m2d__entry *entry = m2d__find_submodel(r->library, name);
    if (entry != NULL) {
        read_instance(r, entry, pair);
        return true;
    }
    near = m2d__nearest_submodel(r, name);
    if (near == NULL) {
        return false;
    }
    m2d__reader_go_on(r,
                      ha_fail(r->ctx, HA_ERR_NAME, ha__yaml_text_where(type),
                              "element `%s` has the unknown type `%s`; did you mean the submodel "
                              "`%s`?",
                              pair->key, name, near));
    return true;
}
