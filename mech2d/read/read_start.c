/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files: start values of joints and points.
 *
 *   joints: {O: {..., start: {angle: 30 deg, omega: 2 rad/s, fixed: [angle]}}}
 *   bodies: {rod: {..., start: {at: {P: {x: 1, y: 0}}, fixed: [P.x]}}}
 */
#include <config.h>

#include "mech2d/read/read_priv.h"

#include <string.h>

/* --- joints --------------------------------------------------------------------------------- */

/* Whether a list of names has this one. */
static bool is_listed(m2d__reader *r, const ha__yaml_node *list, const char *name)
{
    for (size_t i = 0; list != NULL && i < list->n; i++) {
        const char *text = m2d__read_name(r, list->items[i], "`fixed`");
        if (text != NULL && strcmp(text, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Reads the start value OWNER.KEY of a joint or point and adds it. */
static void read_one(m2d__reader *r, const ha__yaml_pair *pair, const char *owner,
                     ha__quantity quantity, bool is_fixed)
{
    const m2d__owner whose = { "start of", owner, pair->key, HA_NOWHERE };
    const char *what = ha__arena_format(r->ctx, &r->arena, "%s.%s", owner, pair->key);
    size_t n_errors = ha_ctx_n_errors(r->ctx);
    double number = 0.0;

    if (what == NULL || !m2d__reader_go_on(r, HA_OK)) {
        m2d__reader_go_on(r, HA_ERR_MEMORY);
        return;
    }
    if (m2d__is_faulty(r->mechanism, owner)) {
        return; /* why it is missing has been said */
    }
    ha_expr value = m2d__read_constant(r, pair->value, quantity, whose, 0.0, &number);
    if (ha_ctx_n_errors(r->ctx) == n_errors) {
        m2d__reader_go_on(
            r, m2d_mechanism_add_start(r->mechanism, what, value, is_fixed, pair->where));
    }
}

/* A fixed start value without a number is 0. */
static void add_zero(m2d__reader *r, const char *owner, const char *key, ha_where where)
{
    const char *what = ha__arena_format(r->ctx, &r->arena, "%s.%s", owner, key);
    ha_expr zero = ha_constant(r->mechanism->dag, 0.0);

    m2d__reader_go_on(r, what == NULL
                             ? HA_ERR_MEMORY
                             : m2d_mechanism_add_start(r->mechanism, what, zero, true, where));
}

/* The names of a list `fixed` that have no value beside them. */
static void read_fixed(m2d__reader *r, const ha__yaml_node *fixed, const ha__yaml_node *start,
                       const char *joint)
{
    for (size_t i = 0; fixed != NULL && i < fixed->n; i++) {
        const char *name = m2d__read_name(r, fixed->items[i], "`fixed`");
        if (name != NULL && ha__yaml_get(start, name) == NULL) {
            add_zero(r, joint, name, fixed->items[i]->where);
        }
    }
}

void m2d__read_joint_starts(m2d__reader *r, const ha__yaml_pair *joint)
{
    const m2d_mechanism *mechanism = r->mechanism;
    const m2d__joint_type *type = mechanism->joints.items[mechanism->joints.count - 1].joint;
    const char *name = joint->key, *known[2 * M2D__MAX_DIRECTIONS + 1] = { "fixed" };
    const char *object = m2d__object(r, "start", "joint", name);
    const char *of_fixed = m2d__object(r, "fixed", "joint", name);
    const ha__yaml_node *start =
        m2d__start_with(r, name, m2d__section(r, joint->value, "start", object, HA__YAML_MAPPING));
    size_t n = 1;

    if (start == NULL) {
        return;
    }
    for (int i = 0; i < type->n_directions; i++) {
        known[n++] = type->directions[i].name;
        known[n++] = type->directions[i].rate;
    }
    if (m2d__check_keys(r, start, object, known, n) != HA_OK) {
        return;
    }
    const ha__yaml_node *fixed = m2d__section(r, start, "fixed", of_fixed, HA__YAML_SEQUENCE);
    for (size_t i = 0; i < start->n; i++) {
        const ha__yaml_pair *pair = &start->pairs[i];
        for (int k = 0; k < type->n_directions; k++) {
            const m2d__direction *d = &type->directions[k];
            if (strcmp(pair->key, d->name) == 0) {
                read_one(r, pair, name, d->is_angle ? HA__QUANTITY_ANGLE : HA__QUANTITY_LENGTH,
                         is_listed(r, fixed, pair->key));
            } else if (strcmp(pair->key, d->rate) == 0) {
                read_one(r, pair, name,
                         d->is_angle ? HA__QUANTITY_ANGULAR_VELOCITY : HA__QUANTITY_VELOCITY,
                         is_listed(r, fixed, pair->key));
            }
        }
    }
    read_fixed(r, fixed, start, name);
}

/* --- points --------------------------------------------------------------------------------- */

/* Whether "P.x" is among the fixed ones. */
static bool is_point_fixed(m2d__reader *r, const ha__yaml_node *fixed, const char *point,
                           const char *key)
{
    size_t n = strlen(point);

    for (size_t i = 0; fixed != NULL && i < fixed->n; i++) {
        const char *name = m2d__read_name(r, fixed->items[i], "`fixed`");
        if (name != NULL && strncmp(name, point, n) == 0 && name[n] == '.' &&
            strcmp(name + n + 1, key) == 0) {
            return true;
        }
    }
    return false;
}

/* The start values of one point. */
static void read_point_start(m2d__reader *r, const char *body, const ha__yaml_pair *pair,
                             const ha__yaml_node *fixed)
{
    static const char *const keys[] = { "x", "y", "vx", "vy" };
    const char *name = ha__arena_format(r->ctx, &r->arena, "%s.%s", body, pair->key);
    const char *object = m2d__object(r, "start", "point", name == NULL ? "" : name);

    if (name == NULL) {
        m2d__reader_go_on(r, HA_ERR_MEMORY);
        return;
    }
    if (m2d__check_keys(r, pair->value, object, keys, HA_COUNT(keys)) != HA_OK) {
        return;
    }
    for (size_t i = 0; i < pair->value->n; i++) {
        const ha__yaml_pair *one = &pair->value->pairs[i];
        read_one(r, one, name, one->key[0] == 'v' ? HA__QUANTITY_VELOCITY : HA__QUANTITY_LENGTH,
                 is_point_fixed(r, fixed, pair->key, one->key));
    }
}

/* Names "P.x" in `fixed` that have no value under `at`. */
static void read_fixed_points(m2d__reader *r, const ha__yaml_node *fixed, const ha__yaml_node *at,
                              const char *body)
{
    for (size_t i = 0; fixed != NULL && i < fixed->n; i++) {
        const char *name = m2d__read_name(r, fixed->items[i], "`fixed`");
        const char *dot = name == NULL ? NULL : strchr(name, '.');
        bool has_value = dot == NULL;
        for (size_t k = 0; at != NULL && k < at->n && !has_value; k++) {
            const char *point = at->pairs[k].key;
            has_value = strlen(point) == (size_t) (dot - name) &&
                        strncmp(point, name, strlen(point)) == 0 &&
                        at->pairs[k].value->kind == HA__YAML_MAPPING &&
                        ha__yaml_get(at->pairs[k].value, dot + 1) != NULL;
        }
        if (!has_value) {
            add_zero(r, body, name, fixed->items[i]->where);
        }
    }
}

void m2d__read_point_starts(m2d__reader *r, const ha__yaml_node *node, const char *body)
{
    const ha__yaml_node *start = m2d__start_with(r, body, ha__yaml_get(node, "start"));
    bool is_mapping = start != NULL && start->kind == HA__YAML_MAPPING;
    const ha__yaml_node *at =
        is_mapping
            ? m2d__section(r, start, "at", m2d__object(r, "at", "body", body), HA__YAML_MAPPING)
            : NULL;
    const ha__yaml_node *fixed = is_mapping ? ha__yaml_get(start, "fixed") : NULL;

    fixed = fixed != NULL && fixed->kind == HA__YAML_SEQUENCE ? fixed : NULL;
    read_fixed_points(r, fixed, at, body);
    for (size_t i = 0; at != NULL && i < at->n; i++) {
        read_point_start(r, body, &at->pairs[i], fixed);
    }
}
