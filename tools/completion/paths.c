/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Paths into a model file: the keys, and the numbers of items from 0, that lead to a value, joined
 * by dots. The file is taken as it stands, without what it includes.
 */
#include <config.h>

#include "tools/completion/paths.h"

#include "lib/data/yaml.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MAX_PATH = 256 };

/* What is printed, and the path to the node at hand. */
typedef struct {
    const char *word, *end;
    int length;
    char path[MAX_PATH];
} walk;

/* A key that shells leave as it is, and that a dot does not split. */
static bool is_plain(const char *key)
{
    const char *c = key;

    while (isalnum((unsigned char) *c) || (*c != '\0' && strchr("_-+[]", *c) != NULL)) {
        c++;
    }
    return c > key && *c == '\0';
}

static void print_value(const walk *w, const char *text)
{
    const char *typed = w->word + w->length;

    if (strncmp(w->path, typed, strlen(typed)) == 0) {
        printf("%.*s%s%s\t%.*s\n", w->length, w->word, w->path, w->end,
               (int) strcspn(text, "\r\n\t"), text);
    }
}

static void print_node(walk *w, const ha__yaml_node *node);

/* The node behind one more key. */
static void print_below(walk *w, const char *key, const ha__yaml_node *node)
{
    size_t length = strlen(w->path);

    if (is_plain(key) && length + strlen(key) + 2 <= sizeof w->path) {
        snprintf(w->path + length, sizeof w->path - length, "%s%s", length > 0 ? "." : "", key);
        print_node(w, node);
        w->path[length] = '\0';
    }
}

/* The depth is that of the file, which reading it has limited. */
static void print_node(walk *w, const ha__yaml_node *node)
{
    char number[24];

    if (node->kind == HA__YAML_SCALAR) {
        print_value(w, node->text);
    }
    for (size_t i = 0; node->kind == HA__YAML_MAPPING && i < node->n; i++) {
        print_below(w, node->pairs[i].key, node->pairs[i].value);
    }
    for (size_t i = 0; node->kind == HA__YAML_SEQUENCE && i < node->n; i++) {
        snprintf(number, sizeof number, "%zu", i);
        print_below(w, number, node->items[i]);
    }
}

void paths_print(ha_ctx *ctx, const char *file, const char *word, int length, const char *end)
{
    walk w = { .word = word, .length = length, .end = end };
    ha__yaml *document = NULL;

    if (ha__yaml_read_file(ctx, file, &document) == HA_OK) {
        print_node(&w, ha__yaml_root(document));
    }
    ha__yaml_free(document);
}
