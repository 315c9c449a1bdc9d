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
#include "mech2d/read/read_priv.h"

#include <string.h>
#include <sys/stat.h>

enum {
    DEEPEST = 32,     /* submodels inside each other */
    MOST_FILES = 1024 /* read for one model */
};

/* How far a submodel is. */
typedef enum { UNREAD, READING, READ } progress;

/* A submodel of the section `submodels`. */
struct m2d__entry {
    const char *name;
    ha_where where;
    const ha__yaml_node *node; /* as the section has it, later the body */
    m2d__library *library;     /* what the body can use */
    m2d__library *included;    /* the library of its own file, NULL: none */
    const m2d__entry *outer;   /* whose reading asked for it */
    progress progress;
    bg_submodel *submodel; /* NULL: not read yet, or with errors */
};

/* The submodels of a file, which can be used in it. */
struct m2d__library {
    bool is_identified; /* the next two are known: it is no text or pipe without a name */
    dev_t device;
    ino_t inode;
    bool is_open;              /* the body of the file is being read */
    const ha__yaml_node *root; /* of the file, which has the tables */
    m2d__library *next;        /* file that was read before this one */
    m2d__entry *entries;
    size_t n;
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

/* True when the library is that of this file. */
static bool is_of(const m2d__library *library, const struct stat *file)
{
    return library->is_identified && library->device == file->st_dev &&
           library->inode == file->st_ino;
}

/* The library of a file: the entries of its section `submodels`. `path` is the file's. */
static ha_status make_library(m2d__reader *r, const ha__yaml_node *root, const char *path,
                              m2d__library **out)
{
    struct stat file;
    const ha__yaml_node *section =
        m2d__section(r, root, "submodels", "`submodels`", HA__YAML_MAPPING);
    m2d__library *library = ha__arena_alloc(r->ctx, &r->arena, 1, sizeof *library);

    HA_TRY_MEMORY(library);
    *library = (m2d__library){ .root = root, .next = r->files };
    if (path != NULL && strcmp(path, "-") != 0 && stat(path, &file) == 0) {
        library->is_identified = true;
        library->device = file.st_dev;
        library->inode = file.st_ino;
    }
    if (section != NULL) {
        library->entries = ha__arena_alloc(r->ctx, &r->arena, section->n, sizeof *library->entries);
        HA_TRY_MEMORY(library->entries);
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

static m2d__entry *find(const m2d__library *library, const char *name)
{
    for (size_t i = 0; library != NULL && i < library->n; i++) {
        if (strcmp(library->entries[i].name, name) == 0) {
            return &library->entries[i];
        }
    }
    return NULL;
}

/* What the body of a submodel can use. */
static const m2d__library *seen_by(const m2d__entry *entry)
{
    return entry->included != NULL ? entry->included : entry->library;
}

/* The submodel whose name is near to one that is unknown, NULL when none is. */
static const char *nearest(m2d__reader *r, const char *name)
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
    struct stat file;
    int n = 0;

    *out = NULL;
    if (strcmp(path, "-") == 0) {
        return ha_fail(r->ctx, HA_ERR_VALUE, where,
                       "a submodel cannot be read from standard input; give the name of a file");
    }
    bool is_known = stat(path, &file) == 0; /* reading the file will say why not */
    for (m2d__library *l = r->files; l != NULL; l = l->next) {
        n++;
        if (is_known && is_of(l, &file)) {
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
    path = m2d__path_of(r, name, file->where.file);
    HA_TRY_MEMORY(path);
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

static void read_body(m2d__reader *r, m2d__entry *entry)
{
    static const char *const own[] = {
        "parameters", "ports", "elements", "bonds", "signals", "file"
    };
    static const char *const of_file[] = { "parameters", "ports", "elements",  "bonds", "signals",
                                           "halfarrow",  "name",  "submodels", "tables" };
    bool is_file = entry->included != NULL;
    const char *const *keys = is_file ? of_file : own;
    size_t n_keys = is_file ? HA_COUNT(of_file) : HA_COUNT(own);
    const char *object = m2d__object(r, NULL, "submodel", entry->name);
    size_t n_errors = ha_ctx_n_errors(r->ctx);
    bg_submodel *submodel = NULL;

    if (m2d__check_keys(r, entry->node, object, keys, n_keys) == HA_ERR_SYNTAX) {
        return;
    }
    m2d__read_tables(r, seen_by(entry)->root);
    m2d__note_signals(r, entry->node);
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

    entry->progress = READING;
    entry->outer = r->entry;
    r->library = entry->library;
    ha_status status = ha__yaml_get(entry->node, "file") != NULL ? include(r, entry) : HA_OK;
    m2d__reader_go_on(r, status);
    if (status == HA_OK) {
        r->entry = entry;
        r->library = seen_by(entry);
        set_open(entry, true);
        r->mechanism = m2d_mechanism_new(r->ctx);
        if (m2d__reader_go_on(r, r->mechanism == NULL ? HA_ERR_MEMORY : HA_OK)) {
            read_body(r, entry);
            m2d__reader_go_on(r, ha_dag_status(r->mechanism->dag));
        }
        m2d_mechanism_free(r->mechanism);
        set_open(entry, false);
    }
    entry->progress = READ;
    r->library = around.library;
    r->entry = around.entry;
    r->mechanism = around.mechanism;
    r->parameters = around.parameters;
    r->signals = around.signals;
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
    ha_status status = chain.status;
    if (status == HA_OK) {
        status = ha_fail(r->ctx, HA_ERR_NAME, where,
                         "the submodel `%s` would contain itself: %s; take one of them out",
                         entry->name, ha__strbuf_text(&chain));
    }
    ha__strbuf_clear(&chain);
    return status;
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

/* The submodel of an entry, read if it was not; NULL after an error. */
static bg_submodel *submodel_of(m2d__reader *r, m2d__entry *entry, ha_where where)
{
    if (entry->progress == READING) {
        m2d__reader_go_on(r, refuse_circle(r, entry, where));
        return NULL;
    }
    if (entry->progress == UNREAD) {
        ha_status status = check_depth(r, where);
        m2d__reader_go_on(r, status);
        if (status != HA_OK) {
            return NULL;
        }
        read_entry(r, entry);
    }
    return entry->submodel;
}

void m2d__read_submodels(m2d__reader *r, const ha__yaml_node *root)
{
    m2d__library *library = NULL;

    if (!m2d__reader_go_on(r, make_library(r, root, root->where.file, &library))) {
        return;
    }
    library->is_open = true;
    r->library = library;
    for (size_t i = 0; i < library->n && r->status != HA_ERR_MEMORY; i++) {
        if (library->entries[i].progress == UNREAD) {
            read_entry(r, &library->entries[i]);
        }
    }
}

/* --- instances ------------------------------------------------------------------------------ */

/* The text of a scalar, NULL when it is none. */
static const char *text_of(const ha__yaml_node *node)
{
    return node != NULL && node->kind == HA__YAML_SCALAR ? node->text : NULL;
}

/* The text of the default of a parameter of a submodel: `R`, or `stage1.n` of an instance in it.
   NULL when there is none. */
static const char *default_of(const m2d__entry *entry, const char *name)
{
    for (;;) {
        const char *dot = strchr(name, '.');
        if (dot == NULL) {
            return text_of(ha__yaml_get(ha__yaml_get(entry->node, "parameters"), name));
        }

        const ha__yaml_node *elements = ha__yaml_get(entry->node, "elements"), *instance = NULL;
        for (size_t i = 0; elements != NULL && elements->pairs != NULL && i < elements->n; i++) {
            const char *key = elements->pairs[i].key;
            size_t length = (size_t) (dot - name);
            if (strncmp(key, name, length) == 0 && key[length] == '\0') {
                instance = elements->pairs[i].value;
            }
        }
        const char *type = text_of(ha__yaml_get(instance, "type"));
        entry = type == NULL ? NULL : find(seen_by(entry), type);
        if (entry == NULL) {
            return NULL;
        }
        name = dot + 1;
    }
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
        const char *text = text_of(parameter->value), *like = default_of(entry, parameter->key);
        values[i].name = parameter->key;
        values[i].where = parameter->where;
        values[i].value = m2d__read_value(r, parameter->value, HA__QUANTITY_ANY, owner, 1.0);
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
    static const char *const keys[] = { "type", "parameters" };
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
    const char *name = text_of(type), *near = NULL;
    m2d__entry *entry = NULL;

    if (name == NULL || bg__type_find(r->ctx, name, strlen(name)) != NULL) {
        return false;
    }
    entry = find(r->library, name);
    if (entry != NULL) {
        read_instance(r, entry, pair);
        return true;
    }
    near = nearest(r, name);
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
