/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scanner of the compact notation (grammar: compact.c): from text to nodes, bonds, parameters and
 * pieces of text that are values. Knows nothing of graphs. After an error it goes on with the next
 * item, so that all errors of a text are reported in one go.
 */
#include <config.h>

#include "bondgraph/text/compact_scan.h"
#include "lib/core/utf8.h"

#include <string.h>

enum {
    MAX_TEXT = 64 << 20, /* bytes of a text, as of a model file */
    MAX_NAME = 200       /* bytes of a name */
};

void bg__compact_note(bg__compact *compact, ha_status status)
{
    if (compact->status == HA_OK) {
        compact->status = status;
    }
}

void bg__compact_clear(bg__compact *compact)
{
    ha__symtab_clear(&compact->names);
    HA_ARRAY_CLEAR(&compact->nodes, &compact->bonds, &compact->starts, &compact->parameters,
                   &compact->pieces);
}

/* --- characters ----------------------------------------------------------------------------- */

static char scan_peek(const bg__scanner *s)
{
    return s->at < s->out->length ? s->out->text[s->at] : '\0';
}

ha_where bg__scan_place_of(const bg__scanner *s, size_t at)
{
    return (ha_where){ s->where.file, s->where.line, (int) (at - s->line_start) + s->where.column };
}

ha_where bg__scan_place(const bg__scanner *s)
{
    return bg__scan_place_of(s, s->at);
}

bool bg__is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

bool bg__is_item_end(char c)
{
    return c == '\0' || c == ';' || c == '\n' || c == '#';
}

static void skip_blanks(bg__scanner *s)
{
    while (bg__is_blank(scan_peek(s))) {
        s->at++;
    }
}

void bg__skip_item(bg__scanner *s)
{
    while (!bg__is_item_end(scan_peek(s))) {
        s->at++;
    }
}

/* Bytes of the character of a name at the scanner's location, 0 when there is none. */
static size_t name_character(const bg__scanner *s)
{
    char c = scan_peek(s);
    unsigned code = 0;

    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_') {
        return 1;
    }
    if ((unsigned char) c < 0x80) {
        return 0;
    }

    size_t n = ha__utf8_read(s->out->text + s->at, s->out->length - s->at, &code);
    return n > 0 && ha__utf8_is_letter(code) ? n : 0;
}

/* The character at the scanner's location as messages show it. */
static const char *shown(const bg__scanner *s, char buffer[16])
{
    unsigned code = 0;
    char c = scan_peek(s);
    size_t n = ha__utf8_read(s->out->text + s->at, s->out->length - s->at, &code);

    if (c == '\0' || bg__is_item_end(c)) {
        return "the end of the item";
    }
    if (n == 0 || code < 0x20 || code == 0x7f) {
        return "a byte that is no character";
    }
    buffer[0] = '`';
    memcpy(buffer + 1, s->out->text + s->at, n);
    memcpy(buffer + 1 + n, "`", 2);
    return buffer;
}

/* --- names ---------------------------------------------------------------------------------- */

static void report_type(bg__scanner *s, const bg__piece *name)
{
    char list[BG__TYPE_LIST_SIZE];

    bg__compact_note(s->out,
                     ha_fail(s->out->ctx, HA_ERR_NAME, name->where,
                             "`%.*s` begins with no element type; write one of %s and a suffix",
                             (int) name->length, s->out->text + name->at,
                             bg__type_list(s->out->ctx, list, sizeof list)));
}

/* Reads a name; a length of 0 after reporting that there is none. */
static bg__piece read_name(bg__scanner *s, const char *what)
{
    bg__piece name = { .at = s->at, .where = bg__scan_place(s) };
    char buffer[16];
    size_t n;

    while ((n = name_character(s)) > 0) {
        s->at += n;
    }
    name.length = s->at - name.at;
    if (name.length == 0) {
        bg__compact_note(s->out, ha_fail(s->out->ctx, HA_ERR_SYNTAX, name.where,
                                         "%s here, but there is %s", what, shown(s, buffer)));
    } else if (name.length > MAX_NAME) {
        bg__compact_note(s->out,
                         ha_fail(s->out->ctx, HA_ERR_LIMIT, name.where,
                                 "a name of %zu bytes; names may have %d", name.length, MAX_NAME));
        name.length = 0;
    }
    return name;
}

/* The node of a name, new when the name is. */
static ha_status find_node(bg__scanner *s, const bg__piece *name, int *out)
{
    bg__compact *c = s->out;
    int is_new = 0;

    HA_TRY_ROOM(c->ctx, &c->nodes, 1);
    HA_TRY(ha__symtab_add(c->ctx, &c->names, c->text + name->at, name->length, out, &is_new));
    if (is_new) {
        const bg__type *type = bg__type_of_prefix(c->ctx, c->text + name->at, name->length);
        c->nodes.items[c->nodes.count++] = (bg__compact_node){
            .type = type, .where = name->where, .last_start = -1, .element = -1
        };
        if (type == NULL) {
            report_type(s, name);
        }
    }
    return HA_OK;
}

/* --- bonds ---------------------------------------------------------------------------------- */

/* Keeps the dimensions at the ports of a node; that they agree is the graph's business. */
static void note_port(bg__scanner *s, int number, int dim)
{
    bg__compact_node *node = &s->out->nodes.items[number];

    if (node->n_bonds == 0) {
        node->dim = dim;
    } else if (node->n_bonds == 1 && node->type != NULL && node->type->has_matrix != 0) {
        node->dim2 = dim;
    }
    node->n_bonds++;
    node->total += dim;
}

/* The length of `=12` with blanks, up to `>`, and its number; 0 when it is something else. */
static size_t dimension_length(const bg__scanner *s, int *dim)
{
    const char *text = s->out->text;
    size_t i = s->at + 1, end = s->out->length, digits = 0;

    while (i < end && bg__is_blank(text[i])) {
        i++;
    }
    *dim = 0;
    while (i < end && text[i] >= '0' && text[i] <= '9') {
        *dim = ++digits > MAX_DIGITS ? *dim : *dim * 10 + (text[i] - '0');
        i++;
    }
    while (i < end && bg__is_blank(text[i])) {
        i++;
    }
    return digits > 0 && i < end && text[i] == '>' ? i - s->at : 0;
}

/* Reads `>` or `=3>`; a dimension of 0 after reporting that there is none. */
static int read_arrow(bg__scanner *s)
{
    ha_where where = bg__scan_place(s);
    char buffer[16];
    int dim = 1;

    if (scan_peek(s) == '=') {
        size_t length = dimension_length(s, &dim);
        s->at += length;
        if (length == 0 || dim < 1) {
            bg__compact_note(s->out, ha_fail(s->out->ctx, HA_ERR_SYNTAX, where,
                                             "after `=` stands the dimension of a bond, as in "
                                             "`a=3>b`; a value stands in braces, as in `R{3}`"));
            return 0;
        }
    }
    if (scan_peek(s) == '{') { /* one value was read already */
        bg__compact_note(s->out, ha_fail(s->out->ctx, HA_ERR_SYNTAX, where,
                                         "an element has one pair of braces; write values and "
                                         "starts in it, as in `C{2, q=1}` or `R{1|2}`"));
        return 0;
    }
    if (scan_peek(s) != '>') {
        bg__compact_note(s->out, ha_fail(s->out->ctx, HA_ERR_SYNTAX, where,
                                         "`>`, `{` or the end of the item belongs here, but there "
                                         "is %s",
                                         shown(s, buffer)));
        return 0;
    }
    s->at++;
    return dim;
}

static ha_status add_bond(bg__scanner *s, int tail, int head, int dim, ha_where where)
{
    bg__compact_bond bond = { tail, head, dim, where };

    HA_TRY_PUSH(s->out->ctx, &s->out->bonds, bond);
    note_port(s, tail, dim);
    note_port(s, head, dim);
    return HA_OK;
}

/* --- items ---------------------------------------------------------------------------------- */

static ha_status read_parameter(bg__scanner *s, const bg__piece *name)
{
    bg__compact *c = s->out;
    bg__compact_parameter parameter = { .name = *name };
    size_t from = s->at + 1;

    bg__skip_item(s);
    parameter.value = bg__make_piece(s, from, s->at);
    if (parameter.value.length == 0) {
        bg__compact_note(c, ha_fail(c->ctx, HA_ERR_SYNTAX, parameter.value.where,
                                    "the parameter `%.*s` has no value; write for example `k = 3 "
                                    "N/m`",
                                    (int) name->length, c->text + name->at));
        return HA_OK;
    }
    HA_TRY_PUSH(c->ctx, &c->parameters, parameter);
    return HA_OK;
}

/* True when the item whose first name has been read is `name = value`. */
static bool is_parameter(const bg__scanner *s)
{
    int dim = 0;
    size_t next = s->at + 1;

    return scan_peek(s) == '=' && dimension_length(s, &dim) == 0 &&
           !(next < s->out->length && s->out->text[next] == '>');
}

/* The rest of a chain whose first name has been read. */
static ha_status read_chain(bg__scanner *s, const bg__piece *first)
{
    int node = -1, next = -1;

    HA_TRY(find_node(s, first, &node));
    for (;;) {
        skip_blanks(s);
        if (scan_peek(s) == '{') {
            HA_TRY(bg__read_braces(s, node));
            skip_blanks(s);
        }
        if (bg__is_item_end(scan_peek(s))) {
            return HA_OK;
        }

        ha_where where = bg__scan_place(s);
        int dim = read_arrow(s);
        if (dim == 0) {
            break;
        }
        skip_blanks(s);
        bg__piece name = read_name(s, "a bond needs an element after its `>`");
        if (name.length == 0) {
            break;
        }
        HA_TRY(find_node(s, &name, &next));
        HA_TRY(add_bond(s, node, next, dim, where));
        node = next;
    }
    bg__skip_item(s);
    return HA_OK;
}

static ha_status read_item(bg__scanner *s)
{
    skip_blanks(s);
    if (bg__is_item_end(scan_peek(s))) {
        return HA_OK;
    }

    bg__piece name = read_name(s, "an item begins with the name of an element");
    if (name.length == 0) {
        bg__skip_item(s);
        return HA_OK;
    }
    skip_blanks(s);
    return is_parameter(s) ? read_parameter(s, &name) : read_chain(s, &name);
}

/* Steps over what ends an item: `;`, a comment, a line end. */
static void end_item(bg__scanner *s)
{
    if (scan_peek(s) == '#') {
        while (s->at < s->out->length && s->out->text[s->at] != '\n') {
            s->at++;
        }
    }
    if (scan_peek(s) == '\n') {
        s->line_start = s->at + 1;
        s->where.line++;
        s->where.column = 1;
    }
    s->at++;
}

/* Limits on the text as a whole. Zero bytes would end it early. */
static ha_status check_text(bg__compact *c, ha_where where)
{
    const char *zero = c->length == 0 ? NULL : memchr(c->text, '\0', c->length);

    if (c->length > MAX_TEXT) {
        return ha_fail(c->ctx, HA_ERR_LIMIT, where, "the bond graph has %zu bytes; %d are allowed",
                       c->length, MAX_TEXT);
    }
    if (zero != NULL) {
        return ha_fail(c->ctx, HA_ERR_SYNTAX, where,
                       "the bond graph holds a zero byte, number %zu; it is not a text",
                       (size_t) (zero - c->text) + 1);
    }
    return HA_OK;
}

ha_status bg__compact_scan(ha_ctx *ctx, const char *text, size_t length, ha_where where,
                           bg__compact *out)
{
    bg__scanner s = { .out = out, .where = where };

    *out = (bg__compact){ .ctx = ctx, .text = text, .length = length };
    HA_TRY(check_text(out, where));
    s.where.line = where.line > 0 ? where.line : 1;
    s.where.column = where.column > 0 ? where.column : 1;
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        s.at = s.line_start = 3; /* a byte order mark */
    }
    while (s.at < length) {
        HA_TRY(read_item(&s));
        end_item(&s);
    }
    return HA_OK;
}

/* --- settings ------------------------------------------------------------------------------- */

/* What the end of a path names, taken off it: a start value of an element, a part of its law, or
   its value. */
static bg__part_key path_key(const char *text, size_t from, size_t *end)
{
    static const char value[] = ".value";
    size_t n = sizeof value - 1, dot = *end;
    bg__part_key key = { .part = BG__PART_COUNT };

    if (*end - from > n && memcmp(text + *end - n, value, n) == 0) {
        *end -= n;
        return key;
    }
    while (dot > from && text[dot - 1] != '.') {
        dot--;
    }
    if (dot > from + 1 && bg__read_key(text + dot, *end - dot, &key)) {
        *end = dot - 1;
        return key;
    }
    return (bg__part_key){ .part = BG__PART_COUNT };
}

static ha_status fail_path(bg__compact *c, size_t from, size_t end, ha_where where)
{
    char name[MAX_NAME + 1];
    const char *near = NULL;

    if (end - from <= MAX_NAME) {
        memcpy(name, c->text + from, end - from);
        name[end - from] = '\0';
        near = ha__symtab_nearest(&c->names, name);
    }
    return ha_fail(c->ctx, HA_ERR_NAME, where,
                   "`%.*s` is neither an element nor `parameters.NAME` of the bond graph%s%s%s",
                   (int) (end - from), c->text + from, near == NULL ? "" : "; do you mean `",
                   near == NULL ? "" : near, near == NULL ? "" : "`?");
}

static ha_status set_parameter(bg__compact *c, const bg__piece *name, const bg__piece *value)
{
    for (size_t i = 0; i < c->parameters.count; i++) {
        bg__compact_parameter *p = &c->parameters.items[i];
        if (p->name.length == name->length &&
            memcmp(c->text + p->name.at, c->text + name->at, name->length) == 0) {
            p->value = *value;
            return HA_OK;
        }
    }
    return ha_fail(c->ctx, HA_ERR_NAME, name->where, "the bond graph has no parameter `%.*s`",
                   (int) name->length, c->text + name->at);
}

static ha_status set_node(bg__scanner *s, size_t from, size_t path_end, size_t end, ha_where where)
{
    bg__compact *c = s->out;
    size_t equals = path_end;
    bg__part_key key = path_key(c->text, from, &path_end);
    int number = ha__symtab_find(&c->names, c->text + from, path_end - from);

    if (number < 0) {
        return fail_path(c, from, equals, where);
    }

    bg__compact_node node = c->nodes.items[number];
    HA_TRY(bg__take_part(s, &node, &key, equals + 1, end));
    node.braces = where;
    c->nodes.items[number] = node;
    return HA_OK;
}

ha_status bg__compact_set(bg__compact *c, size_t from, size_t end, ha_where where)
{
    static const char section[] = "parameters.";
    bg__scanner s = { .out = c, .line_start = from, .where = where };
    const char *equals = memchr(c->text + from, '=', end - from);
    size_t n = sizeof section - 1;

    if (equals == NULL || equals == c->text + from) {
        return ha_fail(c->ctx, HA_ERR_SYNTAX, where,
                       "`%.*s` is not PATH=VALUE, as in `R1=2 ohm` or `parameters.k=3`",
                       (int) (end - from), c->text + from);
    }

    size_t path_end = (size_t) (equals - c->text);
    if (path_end - from > n && memcmp(c->text + from, section, n) == 0) {
        bg__piece name = bg__make_piece(&s, from + n, path_end);
        bg__piece value = bg__make_piece(&s, path_end + 1, end);
        return set_parameter(c, &name, &value);
    }
    return set_node(&s, from, path_end, end, where);
}
