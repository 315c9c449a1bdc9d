/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scanner of the compact notation (grammar: compact.c): the parts of an element, in braces. */
#include <config.h>

#include "bondgraph/text/compact_scan.h"

#include <string.h>

enum { MAX_PIECES = 1 << 20 }; /* components of one value; more cannot fit any element */

bool bg__takes_value(const bg__type *type)
{
    bool is_detector = type->stage == BG__STAGE_FIXED && type->book != BG_BOOK_SUPPLY;

    return type->max_ports != 0 && type->stage != BG__STAGE_SINK && !is_detector &&
           (type->laws & BG__LAW_NEEDED) == 0;
}

char bg__start_letter(const bg__type *type)
{
    return (type->signals & BG__HAS_P) != 0 ? 'p' : (type->signals & BG__HAS_Q) != 0 ? 'q' : '\0';
}

bg__piece bg__make_piece(const bg__scanner *s, size_t from, size_t to)
{
    const char *text = s->out->text;

    while (from < to && bg__is_blank(text[from])) {
        from++;
    }
    while (to > from && bg__is_blank(text[to - 1])) {
        to--;
    }
    return (bg__piece){ from, to - from, bg__scan_place_of(s, from) };
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

static ha_status read_pieces(bg__scanner *s, size_t from, size_t end, bg__pieces *out)
{
    bg__compact *c = s->out;

    *out = (bg__pieces){ .first = c->pieces.count };
    for (size_t at = from;; at++) {
        size_t next = part_end(c->text, at, end, '|');
        bg__piece piece = bg__make_piece(s, at, next);
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

bool bg__read_key(const char *text, size_t length, bg__part_key *out)
{
    *out = (bg__part_key){ .part = bg__law_part_of(text, length) };
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

static size_t key_length(const char *text, size_t at, size_t end, bg__part_key *out)
{
    size_t i = at, n = 0;

    while (i < end && ((text[i] >= 'a' && text[i] <= 'z') || (text[i] >= '0' && text[i] <= '9'))) {
        i++;
    }
    n = i - at;
    while (i < end && bg__is_blank(text[i])) {
        i++;
    }
    if (i >= end || text[i] != '=' || (i + 1 < end && text[i + 1] == '=') ||
        !bg__read_key(text + at, n, out)) {
        *out = (bg__part_key){ .part = BG__PART_COUNT };
        return 0;
    }
    return i + 1 - at;
}

/* The start of one port of a field that has been given, -1: none. */
static int find_port_start(const bg__compact *c, const bg__compact_node *node,
                           const bg__part_key *key)
{
    int i = node->last_start;

    while (i >= 0 &&
           (c->starts.items[i].letter != key->letter || c->starts.items[i].port != key->port)) {
        i = c->starts.items[i].before;
    }
    return i;
}

static ha_status set_port_start(bg__scanner *s, bg__compact_node *node, const bg__part_key *key,
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
static bool is_given(const bg__compact *c, const bg__compact_node *node, const bg__part_key *key)
{
    if (key->part != BG__PART_COUNT) {
        return node->law[key->part].count > 0;
    }
    if (key->port > 0) {
        return find_port_start(c, node, key) >= 0;
    }
    return key->letter != '\0' ? node->start_letter != '\0' : node->value.count > 0;
}

ha_status bg__take_part(bg__scanner *s, bg__compact_node *node, const bg__part_key *key,
                        size_t from, size_t end)
{
    if (key->port > 0) {
        bg__piece value = bg__make_piece(s, from, end);
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
static ha_status read_part(bg__scanner *s, bg__compact_node *node, size_t from, size_t end)
{
    bg__compact *c = s->out;
    bg__piece part = bg__make_piece(s, from, end);
    bg__part_key key;
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
    return bg__take_part(s, node, &key, prefix > 0 ? part.at + prefix : from, end);
}

/* The closing brace of the brace at the scanner's location, 0 after saying that there is none. */
static size_t find_brace(bg__scanner *s)
{
    const char *text = s->out->text;

    for (size_t i = s->at + 1; i < s->out->length; i++) {
        if (text[i] == '}') {
            return i;
        }
        if (bg__is_item_end(text[i]) || text[i] == '{') {
            break;
        }
    }
    bg__compact_note(s->out, ha_fail(s->out->ctx, HA_ERR_SYNTAX, bg__scan_place(s),
                                     "this `{` is not closed in its item; write `}` after the "
                                     "value"));
    return 0;
}

ha_status bg__read_braces(bg__scanner *s, int number)
{
    bg__compact *c = s->out;
    size_t close = find_brace(s);
    bg__compact_node node = c->nodes.items[number];
    ha_where where = bg__scan_place(s);

    if (close == 0) {
        bg__skip_item(s);
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
