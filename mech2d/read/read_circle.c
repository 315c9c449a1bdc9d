/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files: parameters, values or functions that need each other in a circle, so that none of
 * them means anything. What is wrong is said once for each circle.
 *
 * Circles are found by a depth-first search along the names in the texts: a name that is still on
 * the path closes one.
 */
#include <config.h>

#include "lib/core/strbuf.h"
#include "mech2d/read/read_priv.h"

#include <ctype.h>
#include <string.h>

/* How messages put it. */
typedef struct {
    const char *circle, *needs, *others, *remedy, *alone;
} wording;

static const wording wordings[] = {
    [M2D__PARAMETERS] = { "the parameters are circular", "needs", "which needs",
                          "give one of them a value that needs no other",
                          "give it a value that needs no other" },
    [M2D__VALUES] = { "the values are circular", "needs", "which needs",
                      "give one of them an expression that needs no other",
                      "give it an expression without itself" },
    [M2D__FUNCTIONS] = { "the functions are circular", "calls", "which calls",
                         "take one of the calls out",
                         "a function cannot call itself, write its expression without that call" },
};

/* Where the search is with an entry. */
typedef enum { UNSEEN, ON_PATH, DONE, IN_CIRCLE } mark;

typedef struct {
    m2d__reader *r;
    const ha__yaml_node *section;
    m2d__named kind;
    const char **rest; /* (n) what is still to be read of each text */
    char *marks;       /* (n) */
    int *path;         /* (n) */
    int length;        /* of the path */
} search;

/* The node with the expression of entry `i`, or what stands for it. */
static const ha__yaml_node *node_of(const search *s, int i)
{
    const ha__yaml_node *node = s->section->pairs[i].value;
    const char *key = s->kind == M2D__FUNCTIONS ? "is" : "value";
    const ha__yaml_node *inner = node->kind == HA__YAML_MAPPING && s->kind != M2D__PARAMETERS
                                     ? ha__yaml_get(node, key)
                                     : NULL;

    return inner != NULL ? inner : node;
}

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

/* The next entry that the text of entry `i` names, -1 when there is none left, -2 when
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
        bool is_call = text[strspn(text, " \t")] == '(';
        if (found != NULL && is_call == (s->kind == M2D__FUNCTIONS)) {
            s->rest[i] = text;
            return (int) (found - s->section->pairs);
        }
    }
    s->rest[i] = text;
    return -1;
}

/* The path from entry `first` on is a circle. */
static ha_status report_circle(search *s, int first)
{
    ha__strbuf text = HA_STRBUF(s->r->ctx);
    const wording *words = &wordings[s->kind];
    int start = s->length - 1;

    while (s->path[start] != first) {
        start--;
    }
    ha__strbuf_addf(&text, "%s: `%s` %s", words->circle, s->section->pairs[first].key,
                    words->needs);
    for (int i = start; i < s->length; i++) {
        int next = i + 1 < s->length ? s->path[i + 1] : first;
        ha__strbuf_addf(&text, "%s%s `%s`", i == start ? "" : ", ", i == start ? "" : words->others,
                        s->section->pairs[next].key);
        s->marks[s->path[i]] = IN_CIRCLE;
    }
    return HA_FAIL_WITH(text, s->r->ctx, HA_ERR_NAME, ha__yaml_text_where(node_of(s, first)),
                        "%s; %s", ha__strbuf_text(&text),
                        start == s->length - 1 ? words->alone : words->remedy);
}

/* Follows the names from one entry. */
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
        const ha__yaml_node *value = node_of(s, (int) i);
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

ha_status m2d__find_circles(m2d__reader *r, const ha__yaml_node *section, m2d__named kind,
                            char **marks)
{
    search s = { .r = r, .section = section, .kind = kind };
    ha_status status = find_circles(&s);

    m2d__reader_go_on(r, status);
    for (size_t i = 0; i < section->n && status != HA_ERR_MEMORY; i++) {
        s.marks[i] = s.marks[i] == IN_CIRCLE;
    }
    *marks = s.marks;
    return status;
}
