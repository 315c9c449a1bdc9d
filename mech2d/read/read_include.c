/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files: `include: [FILE, ...]` brings in submodels, functions, tables and parameters.
 *
 * Their sections are merged with those of the file before anything is read: what is included comes
 * first, so that parameters of the file may use it and may replace its parameters. A file is looked
 * for beside the one that names it, in the directories of libraries, then among those installed. It
 * is read once, however many name it: the device and inode tell files apart. Those being read form
 * a chain, in which a file that comes again is refused.
 */
#include <config.h>

#include "lib/core/input.h"
#include "lib/core/need.h"
#include "lib/core/strbuf.h"
#include "mech2d/read/read_priv.h"

#include <string.h>

enum { MOST_FILES = 1024 };

/* What may be included, and what one file replaces of another. */
static const struct {
    const char *key;
    bool is_replaced;
} sections[] = {
    { "parameters", true }, { "tables", false }, { "functions", false }, { "submodels", false }
};

/* A file of the model. */
typedef struct source {
    const char *path;
    ha__file_id file;
    bool is_open;
    const struct source *outer; /* that includes it, while it is open */
    struct source *next;
} source;

/* What includes bring in so far. */
typedef struct {
    m2d__reader *r;
    const m2d_read_def *def;
    source *sources; /* the last first */
    int n;
    const ha__yaml_node *merged[HA_COUNT(sections)]; /* NULL: nothing */
} including;

static ha_status include_all(including *in, const ha__yaml_node *root, source *from);

/* --- finding -------------------------------------------------------------------------------- */

/* The first directory where the file is, beside the other when it is nowhere. */
static const char *find_path(including *in, const char *name, const char *from)
{
    const char *beside = m2d__path_of(in->r, name, from);
    ha__file_id file = { 0 };

    if (beside == NULL || name[0] == '/' || ha__input_identify(in->r->ctx, beside, &file)) {
        return beside;
    }
    for (int i = 0; i <= in->def->n_libraries; i++) {
        const char *directory =
            i < in->def->n_libraries ? in->def->libraries[i] : PKGDATADIR "/library";
        const char *path = ha__arena_format(in->r->ctx, &in->r->arena, "%s/%s", directory, name);
        if (path == NULL || ha__input_identify(in->r->ctx, path, &file)) {
            return path;
        }
    }
    return beside;
}

/* The file includes itself, by way of others. */
static ha_status refuse_circle(including *in, const source *at, const source *from, ha_where where)
{
    ha__strbuf chain = HA_STRBUF(in->r->ctx);
    const source *steps[MOST_FILES];
    int n = 0;

    for (const source *s = from; s != NULL && n < MOST_FILES; s = s->outer) {
        steps[n++] = s;
        if (s == at) {
            break;
        }
    }
    while (n-- > 0) {
        ha__strbuf_addf(&chain, "`%s` includes `%s`%s", steps[n]->path,
                        n > 0 ? steps[n - 1]->path : at->path, n > 0 ? ", " : "");
    }
    return HA_FAIL_WITH(chain, in->r->ctx, HA_ERR_NAME, where,
                        "the file `%s` would include itself: %s; take one of them out", at->path,
                        ha__strbuf_text(&chain));
}

/* --- merging -------------------------------------------------------------------------------- */

/* HA_ERR_NAME for the first name that two sections of a kind have, with both locations. */
static ha_status check_twice(including *in, size_t section, const ha__yaml_node *more)
{
    const ha__yaml_node *before = in->merged[section];

    for (size_t i = 0; before != NULL && !sections[section].is_replaced && i < more->n; i++) {
        const ha__yaml_pair *pair = &more->pairs[i], *other = ha__yaml_find(before, pair->key);
        if (other != NULL) {
            return ha_fail(in->r->ctx, HA_ERR_NAME, pair->where,
                           "`%s` of `%s` is also in `%s`, line %d, which is included; rename one",
                           pair->key, sections[section].key,
                           other->where.file == NULL ? "" : other->where.file, other->where.line);
        }
    }
    return HA_OK;
}

/* Adds the sections of a file behind what is there. */
static ha_status merge_sections(including *in, const ha__yaml_node *root)
{
    for (size_t i = 0; i < HA_COUNT(sections); i++) {
        const ha__yaml_node *more = ha__yaml_get(root, sections[i].key);
        if (more == NULL || ha__yaml_is_null(more)) {
            continue;
        }
        HA_TRY(ha__yaml_expect(in->r->ctx, more, sections[i].key, HA__YAML_MAPPING));
        HA_TRY(check_twice(in, i, more));
        HA_TRY(ha__yaml_merge(in->r->doc, in->merged[i], more, &in->merged[i]));
    }
    return HA_OK;
}

/* The root with the sections merged, without its `include`. */
static ha_status make_root(including *in, const ha__yaml_node *root)
{
    m2d__reader *r = in->r;
    ha__yaml_node *copy = ha__arena_alloc(r->ctx, &r->arena, 1, sizeof *copy);
    ha__yaml_pair *pairs =
        ha__arena_alloc(r->ctx, &r->arena, root->n + HA_COUNT(sections), sizeof *pairs);
    size_t n = 0;

    if (copy == NULL || pairs == NULL) {
        return HA_ERR_MEMORY;
    }
    for (size_t i = 0; i < root->n; i++) {
        if (strcmp(root->pairs[i].key, "include") != 0) {
            pairs[n++] = root->pairs[i];
        }
    }
    for (size_t i = 0; i < HA_COUNT(sections); i++) {
        size_t at = 0;
        while (at < n && strcmp(pairs[at].key, sections[i].key) != 0) {
            at++;
        }
        if (in->merged[i] != NULL) {
            pairs[at] = (ha__yaml_pair){ sections[i].key, in->merged[i]->where, in->merged[i] };
            n = at == n ? n + 1 : n;
        }
    }
    *copy =
        (ha__yaml_node){ .kind = HA__YAML_MAPPING, .where = root->where, .n = n, .pairs = pairs };
    ha__yaml_set_root(r->doc, copy);
    return HA_OK;
}

/* --- files ---------------------------------------------------------------------------------- */

static source *new_source(including *in, const char *path, const source *outer)
{
    source *s = ha__arena_alloc(in->r->ctx, &in->r->arena, 1, sizeof *s);

    if (s != NULL) {
        *s = (source){ .path = path, .is_open = true, .outer = outer, .next = in->sources };
        in->sources = s;
        in->n++;
    }
    return s;
}

/* Reads a file that was not read before, and what it includes. */
static ha_status read_source(including *in, source *s)
{
    static const char *const keys[] = { "halfarrow", "name",      "include",  "parameters",
                                        "tables",    "functions", "submodels" };
    m2d__reader *r = in->r;
    ha__yaml *doc = NULL;

    HA_TRY_ROOM(r->ctx, &r->docs, 1);
    HA_TRY(ha__yaml_read_file(r->ctx, s->path, &doc));
    r->docs.items[r->docs.count++] = doc;
    const ha__yaml_node *root = ha__yaml_root(doc);
    size_t n_errors = ha_ctx_n_errors(r->ctx);
    m2d__read_version(r, root);
    HA_TRY(m2d__check_keys(r, root, "an included file", keys, HA_COUNT(keys)));
    HA_TRY(ha_ctx_n_errors(r->ctx) > n_errors ? HA_ERR_NAME : HA_OK);
    HA_TRY(include_all(in, root, s));
    return merge_sections(in, root);
}

static ha_status include_one(including *in, const ha__yaml_node *item, source *from)
{
    m2d__reader *r = in->r;
    ha__file_id file = { 0 };
    const char *name = NULL;

    HA_TRY(ha__yaml_text(r->ctx, item, "an entry of `include`", &name));
    const char *path = find_path(in, name, item->where.file);
    HA_TRY_MEMORY(path);
    bool is_there = ha__input_identify(r->ctx, path, &file); /* reading it says why not */
    for (const source *s = in->sources; s != NULL; s = s->next) {
        if (ha__is_same_file(&s->file, &file)) {
            return s->is_open ? refuse_circle(in, s, from, ha__yaml_text_where(item)) : HA_OK;
        }
    }
    if (in->n >= MOST_FILES) {
        return ha_fail(r->ctx, HA_ERR_LIMIT, item->where,
                       "the model includes more than %d files; put some of them together",
                       (int) MOST_FILES);
    }
    source *s = new_source(in, path, from);
    HA_TRY_MEMORY(s);
    s->file = file;
    ha_status status = read_source(in, s);
    s->is_open = false;
    if (status != HA_OK && status != HA_ERR_MEMORY) {
        ha_note(r->ctx, item->where,
                is_there ? "included here"
                         : "included here; looked for beside this file, in the directories of "
                           "--library and in " PKGDATADIR "/library");
    }
    return status;
}

/* Includes what the key `include` of a file says. */
static ha_status include_all(including *in, const ha__yaml_node *root, source *from)
{
    const ha__yaml_node *list = ha__yaml_get(root, "include");

    if (list == NULL) {
        return HA_OK;
    }
    HA_TRY(ha__yaml_expect(in->r->ctx, list, "`include`", HA__YAML_SEQUENCE));
    for (size_t i = 0; i < list->n; i++) {
        HA_TRY(include_one(in, list->items[i], from));
    }
    return HA_OK;
}

ha_status m2d__include(m2d__reader *r, const m2d_read_def *def)
{
    const ha__yaml_node *root = ha__yaml_root(r->doc);
    including in = { .r = r, .def = def };
    const char *path = root->where.file == NULL ? "" : root->where.file;

    if (ha__yaml_get(root, "include") == NULL) {
        return HA_OK;
    }
    source *s = new_source(&in, path, NULL);
    HA_TRY_MEMORY(s);
    if (strcmp(path, "-") != 0) {
        (void) ha__input_identify(r->ctx, path,
                                  &s->file); /* a text has none, and is not included by its name */
    }
    HA_TRY(include_all(&in, root, s));
    HA_TRY(merge_sections(&in, root));
    return make_root(&in, root);
}
