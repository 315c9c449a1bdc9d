/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The values that a live page can change: numbers of the main file, with or without a unit, that
 * are parameters of it or of its parts, or start values; and what ranges of the command line name.
 * What is an expression follows from others.
 *
 * How far one is tried: from half of it to twice, an angle at the start by 0.5 rad to both sides, a
 * start value of 0 by 1 in its unit, another 0 up to 1.
 */
#include <config.h>

#include "tools/page/page_live.h"

#include "lib/core/number.h"
#include "lib/data/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Start values with the unit of a plain number. */
static const char *const starts[][2] = {
    { "x", "m" },    { "y", "m" },    { "angle", "rad" },
    { "vx", "m/s" }, { "vy", "m/s" }, { "omega", "rad/s" },
};

bool live_read_quantity(page_live *live, const char *text, double *value, const char **unit,
                        double *factor)
{
    ha_ctx *quiet = ha_ctx_new();
    size_t sign = text[0] == '-' || text[0] == '+' ? 1 : 0, n = ha__number_length(text + sign);
    size_t length = 0;
    bool is_good =
        quiet != NULL && n > 0 && ha__read_number(text, sign + n, 0, value) &&
        ha__quantity_read(quiet, text, HA__QUANTITY_ANY, HA_NOWHERE, "value", factor) == HA_OK;
    const char *begin = is_good ? ha__quantity_unit_in(text, &length) : NULL;
    char one[128];

    *unit = ha__arena_text(live->page->cli->ctx, &live->arena, begin == NULL ? "" : begin,
                           begin == NULL ? 0 : length);
    *factor = 1.0;
    if (begin != NULL && *unit != NULL) {
        snprintf(one, sizeof one, "1 %s", *unit);
        is_good =
            ha__quantity_read(quiet, one, HA__QUANTITY_ANY, HA_NOWHERE, "value", factor) == HA_OK;
    }
    ha_ctx_free(quiet);
    return is_good && *unit != NULL;
}

/* --- what the file has ------------------------------------------------------------------------ */

const ha__yaml_node *live_node_at(const ha__yaml_node *node, const char *path)
{
    while (node != NULL && *path != '\0') {
        char key[128];
        size_t length = strcspn(path, "."), i = 0;
        if (length >= sizeof key) {
            return NULL;
        }
        memcpy(key, path, length);
        key[length] = '\0';
        path += length + (path[length] == '.');
        if (node->items == NULL) {
            node = ha__yaml_get(node, key);
            continue;
        }
        for (const char *c = key; *c >= '0' && *c <= '9' && i < node->n; c++) {
            i = 10 * i + (size_t) (*c - '0');
        }
        node = i < node->n ? node->items[i] : NULL;
    }
    return node;
}

const char *live_text_at(const page_live *live, const char *path)
{
    const cli_call *cli = live->page->cli;
    const ha__yaml_node *root = ha__yaml_root(live->doc), *node = NULL;

    for (size_t i = cli->sets.count; i-- > 0;) {
        size_t length = strlen(path);
        if (strncmp(cli->sets.items[i], path, length) == 0 && cli->sets.items[i][length] == '=') {
            return cli->sets.items[i] + length + 1;
        }
    }
    if (cli->variants.count > 0) {
        const ha__yaml_node *variant =
            ha__yaml_get(ha__yaml_get(root, "variants"), cli->variants.items[0]);
        node = live_node_at(variant, path);
    }
    node = node == NULL ? live_node_at(root, path) : node;
    return node != NULL && node->kind == HA__YAML_SCALAR ? node->text : NULL;
}

/* --- ranges ----------------------------------------------------------------------------------- */

/* How far a value is tried where nobody says it. */
static void guess_range(live_value *v)
{
    bool is_start = strstr(v->path, ".start.") != NULL;
    double half = 0.5 * fabs(v->value);

    if (is_start && strcmp(v->unit, "rad") == 0) {
        half = 0.5;
    } else if (is_start && strcmp(v->unit, "deg") == 0) {
        half = 30.0;
    } else if (is_start && v->value == 0.0) {
        half = 1.0;
    }
    v->low = v->value - half;
    v->high = v->value + (is_start ? half : v->value == 0.0 ? 1.0 : 2.0 * half);
    if (v->value < 0.0 && !is_start) {
        v->low = 2.0 * v->value;
        v->high = 0.5 * v->value;
    }
}

static ha_status add_value(page_live *live, const char *path, const char *plain_unit)
{
    const char *text = live_text_at(live, path);
    live_value v = { 0 };

    if (text == NULL || !live_read_quantity(live, text, &v.value, &v.unit, &v.factor)) {
        return HA_OK;
    }
    v.path = ha__arena_text(live->page->cli->ctx, &live->arena, path, strlen(path));
    HA_TRY_MEMORY(v.path);
    v.unit = v.unit[0] == '\0' ? plain_unit : v.unit;
    HA_TRY(live_given_range(live, path, v.unit, &v.low, &v.high, &v.is_given));
    if (!v.is_given) {
        guess_range(&v);
        HA_TRY(live_check_range(live, &v));
    }
    HA_TRY_PUSH(live->page->cli->ctx, &live->values, v);
    return HA_OK;
}

/* All scalars of a mapping: PREFIX.key */
static ha_status add_all(page_live *live, const ha__yaml_node *node, const char *prefix)
{
    HA_TRY_MEMORY(prefix);
    for (size_t i = 0; node != NULL && node->pairs != NULL && i < node->n; i++) {
        const char *path = ha__arena_format(live->page->cli->ctx, &live->arena, "%s.%s", prefix,
                                            node->pairs[i].key);
        HA_TRY_MEMORY(path);
        HA_TRY(add_value(live, path, ""));
    }
    return HA_OK;
}

static ha_status add_parts(page_live *live, const ha__yaml_node *parts)
{
    for (size_t i = 0; parts != NULL && parts->pairs != NULL && i < parts->n; i++) {
        const ha__yaml_pair *part = &parts->pairs[i];
        HA_TRY(add_all(live, ha__yaml_get(part->value, "parameters"),
                       ha__arena_format(live->page->cli->ctx, &live->arena, "parts.%s.parameters",
                                        part->key)));
    }
    return HA_OK;
}

static ha_status add_starts(page_live *live, const ha__yaml_node *bodies)
{
    for (size_t i = 0; bodies != NULL && bodies->pairs != NULL && i < bodies->n; i++) {
        for (size_t k = 0; k < HA_COUNT(starts); k++) {
            const char *path =
                ha__arena_format(live->page->cli->ctx, &live->arena, "bodies.%s.start.%s",
                                 bodies->pairs[i].key, starts[k][0]);
            HA_TRY_MEMORY(path);
            HA_TRY(add_value(live, path, starts[k][1]));
        }
    }
    return HA_OK;
}

static bool has_value(const page_live *live, const char *path, size_t length)
{
    for (size_t i = 0; i < live->values.count; i++) {
        const char *one = live->values.items[i].path;
        if (strlen(one) == length && strncmp(one, path, length) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < live->switches.count; i++) {
        const char *one = live->switches.items[i].path;
        if (strlen(one) == length && strncmp(one, path, length) == 0) {
            return true;
        }
    }
    return false;
}

/* What ranges of the command line name beyond that. */
static ha_status add_named(page_live *live)
{
    const cli_call *cli = live->page->cli;

    for (size_t i = 0; i < cli->ranges.count; i++) {
        const char *range = cli->ranges.items[i];
        size_t length = strcspn(range, "=");
        if (has_value(live, range, length)) {
            continue;
        }
        const char *path = ha__arena_text(cli->ctx, &live->arena, range, length);
        HA_TRY_MEMORY(path);
        HA_TRY(add_value(live, path, ""));
        if (!has_value(live, range, length)) {
            return ha_fail(cli->ctx, HA_ERR_NAME, HA_NOWHERE,
                           "--live: the file has no number at `%s`; name a value that it gives as "
                           "a number, such as `bodies.BODY.mass`, a parameter, "
                           "`parameters.NAME`, or `joints.JOINT.stiffness`",
                           path);
        }
    }
    return HA_OK;
}

ha_status live_find_values(page_live *live)
{
    const ha__yaml_node *root = ha__yaml_root(live->doc);

    HA_TRY(add_all(live, ha__yaml_get(root, "parameters"), "parameters"));
    HA_TRY(add_parts(live, ha__yaml_get(root, "parts")));
    HA_TRY(add_starts(live, ha__yaml_get(root, "bodies")));
    return add_named(live);
}
