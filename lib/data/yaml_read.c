/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From text to the tree of a model file; the only file that includes libyaml.
 *
 * libyaml's events are turned into nodes as they come, so that text nested too deep is refused when
 * the limit is met and not when it has all been read. What libyaml leaves to its users is done
 * here: duplicate keys, aliases without bound, several documents, positions in bytes (libyaml
 * counts characters), and errors that say what to do. The text is checked to be UTF-8 beforehand.
 */
#include <config.h>

#include "lib/data/yaml.h"

#include "lib/data/yaml_priv.h"

#include "lib/core/context_priv.h"
#include "lib/core/input.h"
#include "lib/core/symtab.h"
#include "lib/core/utf8.h"
#include "lib/core/versions.h"

#include <yaml.h>

#include <stdio.h>
#include <string.h>

static const size_t most_bytes = (size_t) 64 * 1024 * 1024;

/* What an alias stands for. */
typedef struct anchor {
    const ha__yaml_node *node; /* NULL: still being read */
    size_t size;               /* nodes in it, aliases expanded */
    int height;                /* collections inside each other in it */
} anchor;

/* A collection that is being read. */
typedef struct frame {
    ha__yaml_kind kind;
    ha_where where;
    size_t first;    /* number of its first pair in the list of pairs */
    const char *key; /* the key that waits for its value, NULL: none */
    ha_where key_where;
    int anchor;  /* number of its anchor, -1: none */
    size_t size; /* as in anchor, so far */
    int height;
    bool is_flow; /* in brackets or braces */
} frame;

/* Where libyaml's marks are in the text: a pointer that follows them. */
typedef struct cursor {
    size_t index;      /* characters before it */
    size_t byte;       /* bytes before it */
    size_t line;       /* of libyaml, from 0 */
    size_t line_start; /* byte where this line begins */
} cursor;

typedef struct reader {
    ha__yaml *doc;
    yaml_parser_t parser;
    const char *text;
    size_t length;
    ha_where origin; /* of the first byte */
    bool is_value;   /* any kind of root is fine, and so is none */
    cursor at;
    frame frames[HA__YAML_DEEPEST];
    int depth;
    HA_ARRAY(ha__yaml_pair) pairs; /* of all open collections */
    ha__symtab names;              /* of anchors */
    HA_ARRAY(anchor) anchors;      /* by number of the name */
    size_t n_expanded;             /* nodes so far, aliases expanded */
    int n_documents;
    ha_status status; /* of errors that do not stop the reading */
    const ha__yaml_node *root;
} reader;

/* --- locations ------------------------------------------------------------------------------- */

static bool is_inside(char byte)
{
    return ((unsigned char) byte & 0xC0) == 0x80;
}

/* The byte where the character before byte `at` begins. */
static size_t step_back(const reader *r, size_t at)
{
    at -= at > 0 ? 1 : 0;
    while (at > 0 && is_inside(r->text[at])) {
        at--;
    }
    return at;
}

static size_t step(const reader *r, size_t at)
{
    at += at < r->length ? 1 : 0;
    while (at < r->length && is_inside(r->text[at])) {
        at++;
    }
    return at;
}

/* The location of a mark. Marks mostly move forward, which makes this cheap. */
static ha_where location(reader *r, yaml_mark_t mark)
{
    cursor *c = &r->at;

    for (; c->index < mark.index && c->byte < r->length; c->index++) {
        c->byte = step(r, c->byte);
    }
    for (; c->index > mark.index && c->byte > 0; c->index--) {
        c->byte = step_back(r, c->byte);
    }
    /* libyaml puts the end of a text whose last line is not closed on a line of its own */
    bool is_end = c->byte == r->length && c->byte > 0 && mark.column == 0 && mark.line > 0;
    if (is_end && r->text[c->byte - 1] != '\n' && r->text[c->byte - 1] != '\r') {
        mark.line--;
        for (size_t i = c->byte; i > 0 && r->text[i - 1] != '\n'; i = step_back(r, i)) {
            mark.column++;
        }
    }
    if (c->line != mark.line) {
        c->line = mark.line;
        c->line_start = c->byte;
        for (size_t i = 0; i < mark.column; i++) {
            c->line_start = step_back(r, c->line_start);
        }
    }
    if (r->origin.line == 0) {
        return r->origin;
    }
    size_t column = c->byte - c->line_start + (mark.line == 0 ? (size_t) r->origin.column : 1);
    return (ha_where){ r->origin.file, r->origin.line + (int) mark.line, (int) column };
}

/* --- nodes ----------------------------------------------------------------------------------- */

static ha_status fail_size(reader *r, ha_where where)
{
    return ha_fail(r->doc->ctx, HA_ERR_LIMIT, where,
                   "the text has more than %d values, those repeated by aliases counted each time; "
                   "write less or fewer aliases",
                   (int) HA__YAML_MOST_NODES);
}

/* Takes a node as the key of the open mapping. */
static ha_status take_key(reader *r, frame *open, const ha__yaml_node *node)
{
    if (node->kind != HA__YAML_SCALAR) {
        return ha_fail(r->doc->ctx, HA_ERR_SYNTAX, node->where, "a key is %s; keys are plain names",
                       ha__yaml_kind_text(node->kind));
    }
    if (node->text[0] == '\0') {
        return ha_fail(r->doc->ctx, HA_ERR_SYNTAX, node->where,
                       "a key is empty; write a name before the colon");
    }
    if (strcmp(node->text, "<<") == 0 && !node->is_quoted) {
        return ha_fail(
            r->doc->ctx, HA_ERR_SYNTAX, node->where,
            "merge keys (`<<`) are no part of YAML 1.2; repeat the keys, or use variants");
    }
    open->key = node->text;
    open->key_where = node->where;
    return HA_OK;
}

/* Puts a finished node of `size` nodes into the open collection, or makes it the root. */
static ha_status add_node(reader *r, const ha__yaml_node *node, size_t size, int height)
{
    if (r->depth == 0) {
        r->root = node;
        return HA_OK;
    }

    frame *open = &r->frames[r->depth - 1];
    open->size += size;
    open->height = height + 1 > open->height ? height + 1 : open->height;
    if (open->kind == HA__YAML_MAPPING && open->key == NULL) {
        return take_key(r, open, node);
    }
    HA_TRY_PUSH(r->doc->ctx, &r->pairs, (ha__yaml_pair){ open->key, open->key_where, node });
    open->key = NULL;
    return HA_OK;
}

/* The number of a new anchor's name, -1 without a name. Its node comes later. */
static ha_status open_anchor(reader *r, const yaml_char_t *name, int *number)
{
    const char *text = (const char *) name;
    int is_new = 0;

    *number = -1;
    if (name == NULL) {
        return HA_OK;
    }
    HA_TRY(ha__symtab_add(r->doc->ctx, &r->names, text, strlen(text), number, &is_new));
    if (is_new) {
        HA_TRY_PUSH(r->doc->ctx, &r->anchors, (anchor){ 0 });
    }
    r->anchors.items[*number] = (anchor){ 0 };
    return HA_OK;
}

static void close_anchor(reader *r, int number, const ha__yaml_node *node, size_t size, int height)
{
    if (number >= 0) {
        r->anchors.items[number] = (anchor){ node, size, height };
    }
}

/* Tags of the core schema change nothing but that !!str means text. */
static ha_status check_tag(reader *r, const yaml_char_t *tag, ha_where where, bool *is_text)
{
    static const char core[] = "tag:yaml.org,2002:";
    static const char *const known[] = { "str", "int", "float", "bool", "null", "seq", "map" };
    const char *text = (const char *) tag;

    if (text == NULL || strcmp(text, "!") == 0) {
        return HA_OK;
    }
    for (size_t i = 0; i < HA_COUNT(known); i++) {
        if (strncmp(text, core, strlen(core)) == 0 && strcmp(text + strlen(core), known[i]) == 0) {
            *is_text = *is_text || i == 0;
            return HA_OK;
        }
    }
    return ha_fail(r->doc->ctx, HA_ERR_SYNTAX, where,
                   "the tag `%.*s` means nothing in a model; leave it out",
                   ha__utf8_clip(text, strlen(text), 60), text);
}

/* --- events ---------------------------------------------------------------------------------- */

static ha_status count_nodes(reader *r, size_t n, ha_where where)
{
    r->n_expanded += n;
    return r->n_expanded > HA__YAML_MOST_NODES ? fail_size(r, where) : HA_OK;
}

static ha_status on_scalar(reader *r, const yaml_event_t *event)
{
    ha_where where = location(r, event->start_mark);
    const char *text = (const char *) event->data.scalar.value;
    size_t length = event->data.scalar.length;
    bool is_quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    const ha__yaml_node *node = NULL;
    int number = -1;

    HA_TRY(check_tag(r, event->data.scalar.tag, where, &is_quoted));
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char) text[i] < ' ' && text[i] != '\n' && text[i] != '\t') {
            return ha_fail(r->doc->ctx, HA_ERR_SYNTAX, where,
                           "the text in quotes holds the control character 0x%02X; leave it out",
                           (unsigned) (unsigned char) text[i]);
        }
    }
    HA_TRY(count_nodes(r, 1, where));
    HA_TRY(open_anchor(r, event->data.scalar.anchor, &number));
    HA_TRY(ha__yaml_scalar(r->doc, text, length, is_quoted, where, &node));
    close_anchor(r, number, node, 1, 0);
    return add_node(r, node, 1, 0);
}

static ha_status on_alias(reader *r, const yaml_event_t *event)
{
    ha_where where = location(r, event->start_mark);
    const char *name = (const char *) event->data.alias.anchor;
    int number = ha__symtab_find(&r->names, name, strlen(name));
    int width = ha__utf8_clip(name, strlen(name), 60);

    if (number < 0) {
        return ha_fail(r->doc->ctx, HA_ERR_NAME, where,
                       "there is no anchor `&%.*s` before the alias `*%.*s`; put a `*` that is no "
                       "alias in quotes",
                       width, name, width, name);
    }
    anchor target = r->anchors.items[number];
    if (target.node == NULL) {
        return ha_fail(r->doc->ctx, HA_ERR_SYNTAX, where,
                       "the alias `*%.*s` stands inside of what it repeats; take it out", width,
                       name);
    }
    if (r->depth + target.height > HA__YAML_DEEPEST) {
        return ha_fail(r->doc->ctx, HA_ERR_LIMIT, where,
                       "the alias `*%.*s` leads to a nesting of more than %d; write it flatter",
                       width, name, (int) HA__YAML_DEEPEST);
    }
    HA_TRY(count_nodes(r, target.size, where));
    return add_node(r, target.node, target.size, target.height);
}

static ha_status on_start(reader *r, const yaml_event_t *event)
{
    bool is_sequence = event->type == YAML_SEQUENCE_START_EVENT;
    ha_where where = location(r, event->start_mark);
    frame opened = { .kind = is_sequence ? HA__YAML_SEQUENCE : HA__YAML_MAPPING, .where = where };
    bool is_text = false;

    if (r->depth == HA__YAML_DEEPEST) {
        return ha_fail(r->doc->ctx, HA_ERR_LIMIT, where,
                       "more than %d sequences and mappings are nested here; write it flatter",
                       (int) HA__YAML_DEEPEST);
    }
    HA_TRY(check_tag(r,
                     is_sequence ? event->data.sequence_start.tag : event->data.mapping_start.tag,
                     where, &is_text));
    HA_TRY(count_nodes(r, 1, where));
    HA_TRY(open_anchor(
        r, is_sequence ? event->data.sequence_start.anchor : event->data.mapping_start.anchor,
        &opened.anchor));
    opened.is_flow = is_sequence ? event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
                                 : event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
    opened.first = r->pairs.count;
    opened.size = 1;
    opened.height = 1;
    r->frames[r->depth++] = opened;
    return HA_OK;
}

/* Reports every key that a mapping has had before; the reading goes on. */
static void check_duplicates(reader *r, const ha__yaml_node *mapping)
{
    for (size_t i = 0; i < mapping->n; i++) {
        const ha__yaml_pair *pair = &mapping->pairs[i];
        const ha__yaml_pair *first = ha__yaml_find(mapping, pair->key);
        if (first != pair) {
            r->status = ha_fail(r->doc->ctx, HA_ERR_NAME, pair->where,
                                "the key `%.*s` is given twice, first at line %d, column %d; "
                                "remove one or give it another name",
                                ha__utf8_clip(pair->key, strlen(pair->key), 60), pair->key,
                                first->where.line, first->where.column);
        }
    }
}

/* Whether a text opens a bracket that it does not close. */
static bool is_cut(const ha__yaml_node *item)
{
    int depth = 0;

    for (const char *c = item->is_quoted || item->text == NULL ? "" : item->text; *c != '\0'; c++) {
        depth += *c == '(' ? 1 : *c == ')' ? -1 : 0;
    }
    return depth > 0;
}

/* Refuses an expression that a comma cuts in two, as in `[max(v, 1), 0]` or `{f: max(v, 1)}`. */
static ha_status check_commas(reader *r, size_t first)
{
    for (size_t i = first + 1; i < r->pairs.count; i++) {
        const ha__yaml_pair *next = &r->pairs.items[i];
        const ha__yaml_node *item = next[-1].value;
        if (is_cut(item) && (next->key == NULL || ha__yaml_is_null(next->value))) {
            return ha_fail(r->doc->ctx, HA_ERR_SYNTAX, item->where,
                           "the comma behind `%.*s` ends an item: put the expression in quotes",
                           ha__utf8_clip(item->text, strlen(item->text), 60), item->text);
        }
    }
    return HA_OK;
}

static ha_status on_end(reader *r)
{
    frame closed = r->frames[--r->depth];
    const ha__yaml_node *node = NULL;

    HA_TRY(closed.is_flow ? check_commas(r, closed.first) : HA_OK);
    const ha__yaml_pair *first = r->pairs.count == 0 ? NULL : r->pairs.items + closed.first;
    HA_TRY(ha__yaml_collect(r->doc, closed.kind, closed.where, first, r->pairs.count - closed.first,
                            &node));
    r->pairs.count = closed.first;
    if (closed.kind == HA__YAML_MAPPING) {
        check_duplicates(r, node);
    }
    close_anchor(r, closed.anchor, node, closed.size, closed.height);
    return add_node(r, node, closed.size, closed.height);
}

static ha_status on_document(reader *r, const yaml_event_t *event)
{
    if (++r->n_documents > 1) {
        return ha_fail(r->doc->ctx, HA_ERR_SYNTAX, location(r, event->start_mark),
                       "a second document begins here; keep one model to a file");
    }
    return HA_OK;
}

static ha_status on_event(reader *r, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return on_scalar(r, event);
    case YAML_ALIAS_EVENT:
        return on_alias(r, event);
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        return on_start(r, event);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return on_end(r);
    case YAML_DOCUMENT_START_EVENT:
        return on_document(r, event);
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
    case YAML_DOCUMENT_END_EVENT:
        break;
    }
    return HA_OK;
}

/* --- errors of libyaml ----------------------------------------------------------------------- */

/* What to do about a problem that libyaml found, "" when its words say it all. */
static const char *advice_for(const char *problem, char byte)
{
    static const struct {
        const char *problem, *advice;
    } rows[] = {
        { "mapping values are not allowed",
          "; put a value that holds `: ` in quotes, or check the indentation" },
        { "did not find expected key", "; check the indentation of this line and of those before" },
        { "did not find expected '-'", "; check the indentation of this line and of those before" },
        { "could not find expected ':'", "; write a colon and a blank behind the key" },
        { "did not find expected ',' or '}'", "; separate entries by commas and close the brace" },
        { "did not find expected ',' or ']'", "; separate items by commas and close the bracket" },
        { "did not find expected <document start>",
          "; check the indentation, the model is one mapping" },
        { "found unexpected end of stream", "; close the quotes" },
        { "did not find expected alphabetic",
          "; put a text that begins with `*`, `&` or `!` in quotes" },
        { "cannot start any token", "; put a text that begins with this character in quotes" },
        { "found incompatible YAML", "; leave the %YAML line out" },
    };

    if (byte == '\t') {
        return "; indent with blanks, not with tabs";
    }
    for (size_t i = 0; i < HA_COUNT(rows); i++) {
        if (strstr(problem, rows[i].problem) != NULL) {
            return rows[i].advice;
        }
    }
    return "";
}

static ha_status fail_syntax(reader *r)
{
    const yaml_parser_t *parser = &r->parser;

    if (parser->error == YAML_MEMORY_ERROR) {
        ha__ctx_out_of_memory(r->doc->ctx);
        return HA_ERR_MEMORY;
    }

    const char *problem = parser->problem != NULL ? parser->problem : "the text is no YAML";
    bool has_context = parser->context != NULL && parser->context[0] != '\0';
    ha_where start = location(r, parser->context_mark);
    ha_where where = location(r, parser->problem_mark);
    char byte = r->at.byte < r->length ? r->text[r->at.byte] : '\0';
    const char *advice = advice_for(problem, byte);
    if (has_context && start.line > 0 &&
        (start.line != where.line || start.column != where.column)) {
        return ha_fail(r->doc->ctx, HA_ERR_SYNTAX, where,
                       "%s %s that begins at line %d, column %d%s", problem, parser->context,
                       start.line, start.column, advice);
    }
    return ha_fail(r->doc->ctx, HA_ERR_SYNTAX, where, "%s%s%s%s", problem, has_context ? " " : "",
                   has_context ? parser->context : "", advice);
}

/* --- text
 * ----------------------------------------------------------------------------------------- */

static ha_status read_events(reader *r)
{
    for (;;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&r->parser, &event)) {
            return fail_syntax(r);
        }
        bool is_last = event.type == YAML_STREAM_END_EVENT;
        ha_status status = on_event(r, &event);
        yaml_event_delete(&event);
        HA_TRY(status);
        if (is_last) {
            return r->status;
        }
    }
}

static ha_status check_root(const reader *r)
{
    if (r->root == NULL || ha__yaml_is_null(r->root)) {
        return ha_fail(r->doc->ctx, HA_ERR_SYNTAX, r->origin,
                       "the file is empty; a model is a mapping such as `halfarrow: 1`");
    }
    if (r->root->kind != HA__YAML_MAPPING) {
        return ha_fail(r->doc->ctx, HA_ERR_SYNTAX, r->root->where,
                       "the file is %s; a model is a mapping of keys and values such as "
                       "`halfarrow: 1`",
                       ha__yaml_kind_text(r->root->kind));
    }
    return HA_OK;
}

/* Reads the text of a reader whose first members are set; sets its root. */
static ha_status read_all(reader *r)
{
    enum { BOM_BYTES = 3 };

    if (r->length > most_bytes) {
        return ha_fail(r->doc->ctx, HA_ERR_LIMIT, r->origin,
                       "the text has more than 64 MiB; make the model smaller");
    }
    if (r->length >= BOM_BYTES && memcmp(r->text, "\xEF\xBB\xBF", BOM_BYTES) == 0) {
        r->text += BOM_BYTES;
        r->length -= BOM_BYTES;
    }
    HA_TRY(ha__yaml_check_text(r->doc->ctx, r->text, r->length, r->origin));
    if (!yaml_parser_initialize(&r->parser)) {
        ha__ctx_out_of_memory(r->doc->ctx);
        return HA_ERR_MEMORY;
    }
    yaml_parser_set_encoding(&r->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r->parser, (const unsigned char *) r->text, r->length);

    ha_status status = read_events(r);
    yaml_parser_delete(&r->parser);
    HA_ARRAY_CLEAR(&r->pairs, &r->anchors);
    ha__symtab_clear(&r->names);
    return status == HA_OK && !r->is_value ? check_root(r) : status;
}

ha_status ha__yaml_read_value(ha__yaml *doc, const char *text, size_t length, ha_where where,
                              const ha__yaml_node **out)
{
    reader *r = NULL;

    if (where.file != NULL) {
        HA_TRY_GET(where.file,
                   ha__arena_text(doc->ctx, &doc->arena, where.file, strlen(where.file)));
    }
    HA_TRY_ALLOC(doc->ctx, r, 1);
    r->doc = doc;
    r->text = text;
    r->length = length;
    r->origin = where;
    r->is_value = true;
    ha_status status = read_all(r);
    const ha__yaml_node *root = r->root;
    ha__free(r);
    HA_TRY(status);
    return root != NULL ? (*out = root, HA_OK) : ha__yaml_scalar(doc, "", 0, false, where, out);
}

/* Reads a model into a new document. */
static ha_status read_model(ha__yaml *doc, const char *text, size_t length, const char *name)
{
    reader *r = NULL;
    const char *file = ha__arena_text(doc->ctx, &doc->arena, name, strlen(name));

    HA_TRY_MEMORY(file);
    HA_TRY_ALLOC(doc->ctx, r, 1);
    r->doc = doc;
    r->text = text;
    r->length = length;
    r->origin = (ha_where){ file, 1, 1 };
    ha_status status = read_all(r);
    doc->root = r->root;
    ha__free(r);
    return status;
}

ha_status ha__yaml_read_text(ha_ctx *ctx, const char *text, size_t length, const char *name,
                             ha__yaml **out)
{
    ha__yaml *doc = NULL;

    HA_TRY_ALLOC(ctx, doc, 1);
    doc->ctx = ctx;
    ha_status status = read_model(doc, text, length, name);
    return HA_GIVE(status, doc, ha__yaml_free, out);
}

/* --- files ----------------------------------------------------------------------------------- */

ha_status ha__yaml_read_file(ha_ctx *ctx, const char *path, ha__yaml **out)
{
    char *text = NULL;
    size_t length = 0;

    /* a byte more tells a file that is longer than any model may be */
    HA_TRY(ha__input_read(ctx, path, most_bytes + 1, &text, &length));
    return ha__then_free(ha__yaml_read_text(ctx, text, length, path, out), text);
}

void ha__yaml_version(char *text, size_t size)
{
    snprintf(text, size, "%s", yaml_get_version_string());
}
