/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files: parameters. Each may use those above it, so that no order of evaluation has to be
 * found; one that is used further up, or by itself, is an error. When such parameters need each
 * other in a circle no order would help, and that is what is said, once for each circle.
 *
 * Circles are found by a depth-first search along the names in the texts: a name that is still on
 * the path closes one.
 */
#include <config.h>

#include "lib/core/strbuf.h"
#include "mech2d/read/read_priv.h"

#include <ctype.h>
#include <string.h>

/* Where the search is with a parameter. */
typedef enum { UNSEEN, ON_PATH, DONE, IN_CIRCLE } mark;

typedef struct {
    m2d__reader *r;
    const ha__yaml_node *section;
    const char **rest; /* (n) what is still to be read of each text */
    char *marks;       /* (n) */
    int *path;         /* (n) */
    int length;        /* of the path */
} search;

/* The length of the word at the start of a text: a name, a number, an output such as K1.angle. */
static size_t word_length(const char *text)
{
    size_t n = 0;

    while (isalnum((unsigned char) text[n]) || text[n] == '_' || text[n] == '.' ||
           (unsigned char) text[n] >= 0x80) {
        n++;
    }
    return n;
}

/* The next parameter that the text of parameter `i` names, -1 when there is none left, -2 when
   there is no memory. */
static int next_reference(search *s, int i)
{
    const char *text = s->rest[i];

    while (*text != '\0') {
        size_t length = word_length(text);
        if (length == 0) {
            text++;
            continue;
        }
        const char *name = ha__arena_text(s->r->ctx, &s->r->arena, text, length);
        if (name == NULL) {
            return -2;
        }
        const ha__yaml_pair *found = ha__yaml_find(s->section, name);
        text += length;
        if (found != NULL && text[strspn(text, " \t")] != '(') {
            s->rest[i] = text;
            return (int) (found - s->section->pairs);
        }
    }
    s->rest[i] = text;
    return -1;
}

/* The path from parameter `first` on is a circle. */
static ha_status report_circle(search *s, int first)
{
    ha__strbuf text = HA_STRBUF(s->r->ctx);
    int start = s->length - 1;

    while (s->path[start] != first) {
        start--;
    }
    ha__strbuf_addf(&text, "the parameters are circular: `%s` needs", s->section->pairs[first].key);
    for (int i = start; i < s->length; i++) {
        int next = i + 1 < s->length ? s->path[i + 1] : first;
        ha__strbuf_addf(&text, "%s `%s`", i == start ? "" : ", which needs",
                        s->section->pairs[next].key);
        s->marks[s->path[i]] = IN_CIRCLE;
    }
    ha_status status = text.status;
    if (status == HA_OK) {
        status =
            ha_fail(s->r->ctx, HA_ERR_NAME, ha__yaml_text_where(s->section->pairs[first].value),
                    "%s; give %s a value that needs no other", ha__strbuf_text(&text),
                    start == s->length - 1 ? "it" : "one of them");
    }
    ha__strbuf_clear(&text);
    return status;
}

/* Follows the names from one parameter. */
static ha_status follow(search *s, int from)
{
    ha_status first_error = HA_OK;

    s->path[0] = from;
    s->length = 1;
    s->marks[from] = ON_PATH;
    while (s->length > 0) {
        int at = s->path[s->length - 1], next = next_reference(s, at);
        if (next == -2) {
            return HA_ERR_MEMORY;
        }
        if (next == -1) {
            s->marks[at] = s->marks[at] == ON_PATH ? DONE : s->marks[at];
            s->length--;
        } else if (s->marks[next] == UNSEEN) {
            s->marks[next] = ON_PATH;
            s->path[s->length++] = next;
        } else if (s->marks[next] == ON_PATH) {
            ha_status status = report_circle(s, next);
            first_error = first_error == HA_OK || status == HA_ERR_MEMORY ? status : first_error;
        }
    }
    return first_error;
}

/* Marks the parameters that need each other in a circle; an error for each circle. */
static ha_status find_circles(search *s)
{
    m2d__reader *r = s->r;
    size_t n = s->section->n;
    ha_status first_error = HA_OK;

    s->rest = ha__arena_alloc(r->ctx, &r->arena, n, sizeof *s->rest);
    s->marks = ha__arena_alloc(r->ctx, &r->arena, n, sizeof *s->marks);
    s->path = ha__arena_alloc(r->ctx, &r->arena, n, sizeof *s->path);
    if (s->rest == NULL || s->marks == NULL || s->path == NULL) {
        return HA_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        const ha__yaml_node *value = s->section->pairs[i].value;
        bool has_names =
            value->kind == HA__YAML_SCALAR && !ha__quantity_is_number_with_unit(value->text);
        s->rest[i] = has_names ? value->text : "";
        s->marks[i] = UNSEEN;
    }
    for (size_t i = 0; i < n && first_error != HA_ERR_MEMORY; i++) {
        ha_status status = s->marks[i] == UNSEEN ? follow(s, (int) i) : HA_OK;
        first_error = first_error == HA_OK || status == HA_ERR_MEMORY ? status : first_error;
    }
    return first_error;
}

/* The value of a parameter; a harmless one where what is wrong was said already. */
static ha_expr read_parameter(m2d__reader *r, const ha__yaml_pair *pair, bool is_circular)
{
    return is_circular ? ha_constant(r->mechanism->dag, 1.0)
                       : m2d__read_value(r, pair->value, HA__QUANTITY_ANY,
                                         m2d__object(r, NULL, "parameter", pair->key), 1.0);
}

void m2d__read_parameters(m2d__reader *r, const ha__yaml_node *root)
{
    search s = { .r = r };

    s.section = m2d__section(r, root, "parameters", "`parameters`", HA__YAML_MAPPING);
    r->parameters = s.section;
    if (s.section == NULL || !m2d__reader_go_on(r, find_circles(&s))) {
        return;
    }
    for (size_t i = 0; i < s.section->n; i++) {
        const ha__yaml_pair *pair = &s.section->pairs[i];
        ha_expr value = read_parameter(r, pair, s.marks[i] == IN_CIRCLE), symbol = HA_EXPR_NONE;
        ha_status status =
            m2d_mechanism_add_parameter(r->mechanism, pair->key, value, pair->where, &symbol);
        HA_THEN(status, m2d__take_dimension(r, pair->value, symbol));
        if (status == HA_ERR_VALUE) {
            /* so that what uses it is read all the same */
            r->status = r->status == HA_OK ? status : r->status;
            status = m2d_mechanism_add_parameter(
                r->mechanism, pair->key, ha_constant(r->mechanism->dag, 1.0), pair->where, NULL);
        }
        m2d__reader_go_on(r, status);
    }
}
