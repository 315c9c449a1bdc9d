/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scanner of the compact notation (grammar: compact.c): from text to nodes, bonds, parameters and
 * pieces of text that are values. Knows nothing of graphs. After an error it goes on with the next
 * item, so that all errors of a text are reported in one go.
 */
#include <config.h>

#include "bondgraph/text/compact_priv.h"
#include "lib/core/utf8.h"

#include <string.h>

enum {
    MAX_TEXT = 64 << 20,  /* bytes of a text, as of a model file */
    MAX_NAME = 200,       /* bytes of a name */
    MAX_PIECES = 1 << 20, /* components of one value; more cannot fit any element */
    MAX_DIGITS = 9        /* of a dimension */
};

/* The scanner's place in the text. */
typedef struct {
    bg__compact *out;
    size_t at;         /* next byte */
    size_t line_start; /* first byte of the line */
    ha_where where;    /* file, line, and what to add to columns on the first line */
} scanner;

void bg__compact_note(bg__compact *compact, ha_status status)
{
    if (compact->status == HA_OK) {
        compact->status = status;
    }
}

void bg__compact_clear(bg__compact *compact)
{
    ha__symtab_clear(&compact->names);
    HA_ARRAY_CLEAR(&compact->nodes);
    HA_ARRAY_CLEAR(&compact->bonds);
    HA_ARRAY_CLEAR(&compact->starts);
    HA_ARRAY_CLEAR(&compact->parameters);
    HA_ARRAY_CLEAR(&compact->pieces);
}

/* --- characters ----------------------------------------------------------------------------- */

/* The next byte, '\0' at the end (a zero byte inside the text is refused before). */
static char peek(const scanner *s)
{
    return s->at < s->out->length ? s->out->text[s->at] : '\0';
}

static ha_where place_of(const scanner *s, size_t at)
{
    return (ha_where){ s->where.file, s->where.line, (int) (at - s->line_start) + s->where.column };
}

static ha_where place(const scanner *s)
{
    return place_of(s, s->at);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_item_end(char c)
{
    return c == '\0' || c == ';' || c == '\n' || c == '#';
}

static void skip_blanks(scanner *s)
{
    while (is_blank(peek(s))) {
        s->at++;
    }
}

static void skip_item(scanner *s)
{
    while (!is_item_end(peek(s))) {
        s->at++;
    }
}

/* Bytes of the character of a name at the scanner's place, 0 when there is none. */
static size_t name_character(const scanner *s)
{
    char c = peek(s);
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

/* The character at the scanner's place as messages show it. */
static const char *shown(const scanner *s, char buffer[16])
{
    unsigned code = 0;
    char c = peek(s);
    size_t n = ha__utf8_read(s->out->text + s->at, s->out->length - s->at, &code);

    if (c == '\0' || is_item_end(c)) {
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

static void report_type(scanner *s, const bg__piece *name)
{
    char list[BG__TYPE_LIST_SIZE];

    bg__compact_note(s->out,
                     ha_fail(s->out->ctx, HA_ERR_NAME, name->where,
                             "`%.*s` begins with no element type; write one of %s and a suffix",
                             (int) name->length, s->out->text + name->at,
                             bg__type_list(s->out->ctx, list, sizeof list)));
}

/* Reads a name; a length of 0 after reporting that there is none. */
static bg__piece read_name(scanner *s, const char *what)
{
    bg__piece name = { .at = s->at, .where = place(s) };
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
static ha_status find_node(scanner *s, const bg__piece *name, int *out)
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

/* --- values --------------------------------------------------------------------------------- */

/* The piece between two places of one line, blanks at its ends excluded. */
static bg__piece make_piece(const scanner *s, size_t from, size_t to)
{
    const char *text = s->out->text;

    while (from < to && is_blank(text[from])) {
        from++;
    }
    while (to > from && is_blank(text[to - 1])) {
        to--;
    }
    return (bg__piece){ from, to - from, place_of(s, from) };
}

/* The end of a part of the braces: the next `separator` or `,` outside parentheses, or `end`. */
static size_t part_end(const char *text, size_t from, size_t end, char separator)
{
    int depth = 0;

    for (size_t i = from; i < end; i++) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth <= 0 && (text[i] == ',' || text[i] == separator)) {
            return i;
        }
    }
    return end;
}

/* Splits `a | b | c` into pieces. */
static ha_status read_pieces(scanner *s, size_t from, size_t end, bg__pieces *out)
{
    bg__compact *c = s->out;

    *out = (bg__pieces){ .first = c->pieces.count };
    for (size_t at = from;; at++) {
        size_t next = part_end(c->text, at, end, '|');
        bg__piece piece = make_piece(s, at, next);
        if (piece.length == 0) {
            bg__compact_note(c, ha_fail(c->ctx, HA_ERR_SYNTAX, piece.where,
                                        "a value is missing here; write for example `{2 ohm}`"));
        }
        if (out->count >= MAX_PIECES) {
            return ha_fail(c->ctx, HA_ERR_LIMIT, piece.where,
                           "more than %d components in one value; give fewer", MAX_PIECES);
        }
        HA_TRY_PUSH(c->ctx, &c->pieces, piece);
        out->count++;
        at = next;
        if (at >= end) {
            return HA_OK;
        }
    }
}

/* What a part of the braces, or a setting, gives. */
typedef struct {
    char letter;       /* of a start value, '\0': none */
    int port;          /* of a start value: from 1; 0: of the element */
    bg__law_part part; /* of a law; BG__PART_COUNT: no law */
} part_key;

/* The meaning of a key of `length` bytes; false when it has none. */
static bool read_key(const char *text, size_t length, part_key *out)
{
    *out = (part_key){ .part = bg__law_part_of(text, length) };
    if (out->part != BG__PART_COUNT) {
        return true;
    }
    if (length == 0 || length > MAX_DIGITS || (text[0] != 'p' && text[0] != 'q') ||
        (length > 1 && text[1] == '0')) {
        return false;
    }
    out->letter = text[0];
    for (size_t i = 1; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        out->port = out->port * 10 + (text[i] - '0');
    }
    return true;
}

/* The length of `KEY =` at the start of a part, 0 when it is something else. */
static size_t key_length(const char *text, size_t at, size_t end, part_key *out)
{
    size_t i = at, n = 0;

    while (i < end && ((text[i] >= 'a' && text[i] <= 'z') || (text[i] >= '0' && text[i] <= '9'))) {
        i++;
    }
    n = i - at;
    while (i < end && is_blank(text[i])) {
        i++;
    }
    if (i >= end || text[i] != '=' || (i + 1 < end && text[i + 1] == '=') ||
        !read_key(text + at, n, out)) {
        *out = (part_key){ .part = BG__PART_COUNT };
        return 0;
    }
    return i + 1 - at;
}

/* The start of one port of a field that has been given, -1: none. */
static int find_port_start(const bg__compact *c, const bg__compact_node *node, const part_key *key)
{
    int i = node->last_start;

    while (i >= 0 &&
           (c->starts.items[i].letter != key->letter || c->starts.items[i].port != key->port)) {
        i = c->starts.items[i].before;
    }
    return i;
}

/* Keeps the start of one port of a field, in place of an earlier one. */
static ha_status set_port_start(scanner *s, bg__compact_node *node, const part_key *key,
                                const bg__piece *value)
{
    bg__compact *c = s->out;
    int old = find_port_start(c, node, key);

    if (value->length == 0) {
        bg__compact_note(c, ha_fail(c->ctx, HA_ERR_SYNTAX, value->where,
                                    "a value is missing here; write for example `{q2 = 1e-3}`"));
    }
    if (key->port > BG__MAX_FIELD_PORTS) {
        bg__compact_note(c, ha_fail(c->ctx, HA_ERR_LIMIT, value->where,
                                    "the start of port %d; a field may have %d ports", key->port,
                                    BG__MAX_FIELD_PORTS));
        return HA_OK;
    }
    if (old >= 0) {
        c->starts.items[old].value = *value;
        return HA_OK;
    }
    HA_TRY_PUSH(c->ctx, &c->starts,
                (bg__compact_start){ key->letter, key->port, node->last_start, *value });
    node->last_start = (int) c->starts.count - 1;
    return HA_OK;
}

/* True when what a part gives has been given before. */
static bool is_given(const bg__compact *c, const bg__compact_node *node, const part_key *key)
{
    if (key->part != BG__PART_COUNT) {
        return node->law[key->part].count > 0;
    }
    if (key->port > 0) {
        return find_port_start(c, node, key) >= 0;
    }
    return key->letter != '\0' ? node->start_letter != '\0' : node->value.count > 0;
}

/* Takes what stands behind the `=` of a key, or a value. */
static ha_status take_part(scanner *s, bg__compact_node *node, const part_key *key, size_t from,
                           size_t end)
{
    if (key->port > 0) {
        bg__piece value = make_piece(s, from, end);
        return set_port_start(s, node, key, &value);
    }
    if (key->letter != '\0') {
        node->start_letter = key->letter;
    }
    return read_pieces(s, from, end,
                       key->part != BG__PART_COUNT ? &node->law[key->part]
                       : key->letter != '\0'       ? &node->start
                                                   : &node->value);
}

/* One part of the braces: a value, a start value, a part of a law. */
static ha_status read_part(scanner *s, bg__compact_node *node, size_t from, size_t end)
{
    bg__compact *c = s->out;
    bg__piece part = make_piece(s, from, end);
    part_key key;
    size_t prefix = key_length(c->text, part.at, end, &key);

    if (is_given(c, node, &key)) {
        bg__compact_note(c, ha_fail(c->ctx, HA_ERR_VALUE, part.where,
                                    "a second %s for the same element; give one, components are "
                                    "separated by `|`",
                                    key.part != BG__PART_COUNT ? bg__law_part_name(key.part)
                                    : key.letter != '\0'       ? "start value"
                                                               : "value"));
        return HA_OK;
    }
    return take_part(s, node, &key, prefix > 0 ? part.at + prefix : from, end);
}

/* The closing brace of the brace at the scanner's place, 0 after reporting that there is none. */
static size_t find_brace(scanner *s)
{
    const char *text = s->out->text;

    for (size_t i = s->at + 1; i < s->out->length; i++) {
        if (text[i] == '}') {
            return i;
        }
        if (is_item_end(text[i]) || text[i] == '{') {
            break;
        }
    }
    bg__compact_note(s->out, ha_fail(s->out->ctx, HA_ERR_SYNTAX, place(s),
                                     "this `{` is not closed in its item; write `}` after the "
                                     "value"));
    return 0;
}

static ha_status read_braces(scanner *s, int number)
{
    bg__compact *c = s->out;
    size_t close = find_brace(s);
    bg__compact_node node = c->nodes.items[number];
    ha_where where = place(s);

    if (close == 0) {
        skip_item(s);
        return HA_OK;
    }
    if (node.is_given) {
        bg__compact_note(c, ha_fail(c->ctx, HA_ERR_VALUE, where,
                                    "`%s` has its value already, at line %d, column %d; give it "
                                    "once",
                                    ha__symtab_name(&c->names, number), node.braces.line,
                                    node.braces.column));
        s->at = close + 1;
        return HA_OK;
    }
    node.is_given = true;
    node.braces = where;
    for (size_t at = s->at + 1;; at++) {
        size_t next = part_end(c->text, at, close, ',');
        HA_TRY(read_part(s, &node, at, next));
        at = next;
        if (at >= close) {
            break;
        }
    }
    c->nodes.items[number] = node;
    s->at = close + 1;
    return HA_OK;
}

/* --- bonds ---------------------------------------------------------------------------------- */

/* Keeps the dimensions at the ports of a node; that they agree is the graph's business. */
static void note_port(scanner *s, int number, int dim)
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
static size_t dimension_length(const scanner *s, int *dim)
{
    const char *text = s->out->text;
    size_t i = s->at + 1, end = s->out->length, digits = 0;

    while (i < end && is_blank(text[i])) {
        i++;
    }
    *dim = 0;
    while (i < end && text[i] >= '0' && text[i] <= '9') {
        *dim = ++digits > MAX_DIGITS ? *dim : *dim * 10 + (text[i] - '0');
        i++;
    }
    while (i < end && is_blank(text[i])) {
        i++;
    }
    return digits > 0 && i < end && text[i] == '>' ? i - s->at : 0;
}

/* Reads `>` or `=3>`; a dimension of 0 after reporting that there is none. */
static int read_arrow(scanner *s)
{
    ha_where where = place(s);
    char buffer[16];
    int dim = 1;

    if (peek(s) == '=') {
        size_t length = dimension_length(s, &dim);
        s->at += length;
        if (length == 0 || dim < 1) {
            bg__compact_note(s->out, ha_fail(s->out->ctx, HA_ERR_SYNTAX, where,
                                             "after `=` stands the dimension of a bond, as in "
                                             "`a=3>b`; a value stands in braces, as in `R{3}`"));
            return 0;
        }
    }
    if (peek(s) == '{') { /* one value was read already */
        bg__compact_note(s->out, ha_fail(s->out->ctx, HA_ERR_SYNTAX, where,
                                         "an element has one pair of braces; write values and "
                                         "starts in it, as in `C{2, q=1}` or `R{1|2}`"));
        return 0;
    }
    if (peek(s) != '>') {
        bg__compact_note(s->out, ha_fail(s->out->ctx, HA_ERR_SYNTAX, where,
                                         "`>`, `{` or the end of the item belongs here, but there "
                                         "is %s",
                                         shown(s, buffer)));
        return 0;
    }
    s->at++;
    return dim;
}

static ha_status add_bond(scanner *s, int tail, int head, int dim, ha_where where)
{
    bg__compact_bond bond = { tail, head, dim, where };

    HA_TRY_PUSH(s->out->ctx, &s->out->bonds, bond);
    note_port(s, tail, dim);
    note_port(s, head, dim);
    return HA_OK;
}

/* --- items ---------------------------------------------------------------------------------- */

static ha_status read_parameter(scanner *s, const bg__piece *name)
{
    bg__compact *c = s->out;
    bg__compact_parameter parameter = { .name = *name };
    size_t from = s->at + 1;

    skip_item(s);
    parameter.value = make_piece(s, from, s->at);
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
static bool is_parameter(const scanner *s)
{
    int dim = 0;
    size_t next = s->at + 1;

    return peek(s) == '=' && dimension_length(s, &dim) == 0 &&
           !(next < s->out->length && s->out->text[next] == '>');
}

/* The rest of a chain whose first name has been read. */
static ha_status read_chain(scanner *s, const bg__piece *first)
{
    int node = -1, next = -1;

    HA_TRY(find_node(s, first, &node));
    for (;;) {
        skip_blanks(s);
        if (peek(s) == '{') {
            HA_TRY(read_braces(s, node));
            skip_blanks(s);
        }
        if (is_item_end(peek(s))) {
            return HA_OK;
        }

        ha_where where = place(s);
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
    skip_item(s);
    return HA_OK;
}

static ha_status read_item(scanner *s)
{
    skip_blanks(s);
    if (is_item_end(peek(s))) {
        return HA_OK;
    }

    bg__piece name = read_name(s, "an item begins with the name of an element");
    if (name.length == 0) {
        skip_item(s);
        return HA_OK;
    }
    skip_blanks(s);
    return is_parameter(s) ? read_parameter(s, &name) : read_chain(s, &name);
}

/* Steps over what ends an item: `;`, a comment, a line end. */
static void end_item(scanner *s)
{
    if (peek(s) == '#') {
        while (s->at < s->out->length && s->out->text[s->at] != '\n') {
            s->at++;
        }
    }
    if (peek(s) == '\n') {
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
    scanner s = { .out = out, .where = where };

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
static part_key path_key(const char *text, size_t from, size_t *end)
{
    static const char value[] = ".value";
    size_t n = sizeof value - 1, dot = *end;
    part_key key = { .part = BG__PART_COUNT };

    if (*end - from > n && memcmp(text + *end - n, value, n) == 0) {
        *end -= n;
        return key;
    }
    while (dot > from && text[dot - 1] != '.') {
        dot--;
    }
    if (dot > from + 1 && read_key(text + dot, *end - dot, &key)) {
        *end = dot - 1;
        return key;
    }
    return (part_key){ .part = BG__PART_COUNT };
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

static ha_status set_node(scanner *s, size_t from, size_t path_end, size_t end, ha_where where)
{
    bg__compact *c = s->out;
    size_t equals = path_end;
    part_key key = path_key(c->text, from, &path_end);
    int number = ha__symtab_find(&c->names, c->text + from, path_end - from);

    if (number < 0) {
        return fail_path(c, from, equals, where);
    }

    bg__compact_node node = c->nodes.items[number];
    HA_TRY(take_part(s, &node, &key, equals + 1, end));
    node.braces = where;
    c->nodes.items[number] = node;
    return HA_OK;
}

ha_status bg__compact_set(bg__compact *c, size_t from, size_t end, ha_where where)
{
    static const char section[] = "parameters.";
    scanner s = { .out = c, .line_start = from, .where = where };
    const char *equals = memchr(c->text + from, '=', end - from);
    size_t n = sizeof section - 1;

    if (equals == NULL || equals == c->text + from) {
        return ha_fail(c->ctx, HA_ERR_SYNTAX, where,
                       "`%.*s` is not PATH=VALUE, as in `R1=2 ohm` or `parameters.k=3`",
                       (int) (end - from), c->text + from);
    }

    size_t path_end = (size_t) (equals - c->text);
    if (path_end - from > n && memcmp(c->text + from, section, n) == 0) {
        bg__piece name = make_piece(&s, from + n, path_end);
        bg__piece value = make_piece(&s, path_end + 1, end);
        return set_parameter(c, &name, &value);
    }
    return set_node(&s, from, path_end, end, where);
}
