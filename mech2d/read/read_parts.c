/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Model files: gravity, ground, bodies and their points. */
#include <config.h>

#include "mech2d/read/read_priv.h"

#include <string.h>

/* A vector of two accelerations. */
static bool read_gravity(m2d__reader *r, const ha__yaml_node *node, const char *object,
                         ha_expr gravity[2])
{
    static const ha__quantity quantities[2] = { HA__QUANTITY_ACCELERATION,
                                                HA__QUANTITY_ACCELERATION };

    if (node == NULL) {
        return false;
    }
    m2d__read_values(r, node, quantities, 2, object, 0.0, gravity);
    return true;
}

void m2d__read_gravity(m2d__reader *r, const ha__yaml_node *root)
{
    const ha__yaml_node *node = ha__yaml_get(root, "gravity");
    ha_expr gravity[2];

    if (read_gravity(r, node, "`gravity`", gravity)) {
        m2d__reader_go_on(
            r, m2d_mechanism_set_gravity(r->mechanism, gravity[0], gravity[1], node->where));
    }
}

/* --- points --------------------------------------------------------------------------------- */

static void read_point(m2d__reader *r, const char *body, const ha__yaml_pair *pair)
{
    static const ha__quantity lengths[2] = { HA__QUANTITY_LENGTH, HA__QUANTITY_LENGTH };
    static const char *const keys[] = { "at", "axis", "for" };
    m2d_point_def def = m2d_point_def_default();
    const ha__yaml_node *at = pair->value;
    const char *name = ha__arena_format(r->ctx, &r->arena, "%s.%s", body, pair->key);
    const char *object = ha__arena_format(r->ctx, &r->arena, "point `%s.%s`", body, pair->key);
    ha_expr position[2];

    if (object == NULL || name == NULL) {
        m2d__reader_go_on(r, HA_ERR_MEMORY);
        return;
    }
    if (at->kind == HA__YAML_MAPPING) {
        const ha__yaml_node *axis = ha__yaml_get(at, "axis"), *inner = NULL;
        (void) m2d__check_keys(r, at, object, keys, HA_COUNT(keys));
        if (axis != NULL) {
            def.axis = m2d__read_value(r, axis, HA__QUANTITY_ANGLE, object, 0.0);
        }
        inner = m2d__require(r, at, object, "at");
        at = inner;
    }
    position[0] = position[1] = ha_constant(r->mechanism->dag, 0.0);
    if (at != NULL) {
        m2d__read_values(r, at, lengths, 2, object, 0.0, position);
    }
    def.body = body;
    def.name = pair->key;
    def.x = position[0];
    def.y = position[1];
    def.where = pair->where;
    m2d__reader_go_on(r, m2d_mechanism_add_point(r->mechanism, &def));
    m2d__note_fault(r, &r->mechanism->point_names, name);
}

/* A point of a body, perhaps with a key `for`. */
typedef struct {
    const char *body;
    const ha__yaml_pair *pair;
} point;

static void read_turn(m2d__reader *r, void *user, const char *suffix)
{
    const point *p = user;
    ha__yaml_pair named = *p->pair;

    if (suffix[0] != '\0') {
        named.key = ha__arena_format(r->ctx, &r->arena, "%s%s", p->pair->key, suffix);
    }
    if (m2d__reader_go_on(r, named.key == NULL ? HA_ERR_MEMORY : HA_OK)) {
        read_point(r, p->body, &named);
    }
}

static void read_points(m2d__reader *r, const ha__yaml_node *owner, const char *body,
                        const char *object)
{
    const ha__yaml_node *points = m2d__section(r, owner, "points", object, HA__YAML_MAPPING);
    const ha__yaml_node *given = ha__yaml_get(owner, "points");

    if (points == NULL && given != NULL && !ha__yaml_is_null(given)) {
        m2d__reader_go_on(r, m2d__mark_faulty(r->mechanism, body));
    }
    for (size_t i = 0; points != NULL && i < points->n; i++) {
        point p = { body, &points->pairs[i] };
        const char *name = points->pairs[i].key;
        if (!m2d__repeat(r, points->pairs[i].value, m2d__object(r, name, "body", body), &p,
                         read_turn)) {
            m2d__reader_go_on(r, m2d__mark_faulty(r->mechanism, body));
        }
    }
}

void m2d__read_ground(m2d__reader *r, const ha__yaml_node *root)
{
    static const char *const keys[] = { "points" };
    const ha__yaml_node *ground = m2d__section(r, root, "ground", "`ground`", HA__YAML_MAPPING);

    if (ground != NULL) {
        if (m2d__check_keys(r, ground, "`ground`", keys, HA_COUNT(keys)) != HA_OK) {
            m2d__reader_go_on(r, m2d__mark_faulty(r->mechanism, "ground"));
        }
        read_points(r, ground, "ground", "`points` of `ground`");
    }
}

/* --- bodies --------------------------------------------------------------------------------- */

static const ha__quantity coordinate_quantities[M2D_N_COORDINATES] = {
    [M2D_X] = HA__QUANTITY_LENGTH,    [M2D_Y] = HA__QUANTITY_LENGTH,
    [M2D_ANGLE] = HA__QUANTITY_ANGLE, [M2D_VX] = HA__QUANTITY_VELOCITY,
    [M2D_VY] = HA__QUANTITY_VELOCITY, [M2D_OMEGA] = HA__QUANTITY_ANGULAR_VELOCITY,
};

ha__quantity m2d__coordinate_quantity(m2d_coordinate coordinate)
{
    return coordinate_quantities[coordinate];
}

/* The number of a coordinate's name, M2D_N_COORDINATES when it is none. */
static int find_coordinate(const char *name)
{
    int i = 0;

    while (i < M2D_N_COORDINATES && strcmp(name, m2d_coordinate_name((m2d_coordinate) i)) != 0) {
        i++;
    }
    return i;
}

static void read_fixed(m2d__reader *r, const ha__yaml_node *start, const char *body,
                       m2d_body_def *def)
{
    const char *object = m2d__object(r, "fixed", "body", body);
    const ha__yaml_node *fixed = m2d__section(r, start, "fixed", object, HA__YAML_SEQUENCE);

    for (size_t i = 0; fixed != NULL && i < fixed->n; i++) {
        const char *name = m2d__read_name(r, fixed->items[i], object);
        int coordinate = name == NULL ? M2D_N_COORDINATES : find_coordinate(name);
        if (name != NULL && strchr(name, '.') != NULL) {
            continue; /* of a point: read_start.c */
        }
        if (coordinate < M2D_N_COORDINATES) {
            def->is_fixed[coordinate] = true;
        } else if (name != NULL) {
            m2d__reader_go_on(r, ha_fail(r->ctx, HA_ERR_NAME, fixed->items[i]->where,
                                         "%s has `%s`, which is no start value; use x, y, angle, "
                                         "vx, vy or omega",
                                         object, name));
        }
    }
}

static void read_start(m2d__reader *r, const ha__yaml_node *node, const char *body,
                       m2d_body_def *def)
{
    static const char *const keys[] = { "x", "y", "angle", "vx", "vy", "omega", "fixed", "at" };
    const char *object = m2d__object(r, "start", "body", body);
    const ha__yaml_node *start =
        m2d__start_with(r, body, m2d__section(r, node, "start", object, HA__YAML_MAPPING));

    if (start == NULL) {
        return;
    }
    (void) m2d__check_keys(r, start, object, keys, HA_COUNT(keys));
    for (int i = 0; i < M2D_N_COORDINATES; i++) {
        const char *key = m2d_coordinate_name((m2d_coordinate) i);
        const ha__yaml_node *value = ha__yaml_get(start, key);
        const m2d__owner owner = { "body", body, key, HA_NOWHERE };
        if (value != NULL) {
            double number = 0.0;
            def->start[i] =
                m2d__read_constant(r, value, coordinate_quantities[i], owner, 0.0, &number);
        }
    }
    read_fixed(r, start, body, def);
}

/* A value of a body that must not be negative; the mass of one without a shape must be there. */
static ha_expr read_inertia(m2d__reader *r, const ha__yaml_node *node, const char *body,
                            const char *key, ha__quantity quantity)
{
    const char *object = m2d__object(r, NULL, "body", body);
    bool is_needed = quantity == HA__QUANTITY_MASS && ha__yaml_get(node, "outline") == NULL;
    const ha__yaml_node *value =
        is_needed ? m2d__require(r, node, object, key) : ha__yaml_get(node, key);
    const m2d__owner owner = { "body", body, key, HA_NOWHERE };
    ha_expr zero = ha_constant(r->mechanism->dag, 0.0);
    double number = 0.0;

    if (value == NULL) {
        return is_needed ? zero : HA_EXPR_NONE;
    }
    ha_expr inertia = m2d__read_constant(r, value, quantity, owner, 0.0, &number);
    if (number < 0.0) {
        m2d__reader_go_on(r, ha_fail(r->ctx, HA_ERR_VALUE, value->where,
                                     "%s is %s; it must be at least 0",
                                     m2d__object(r, key, "body", body), value->text));
        return zero;
    }
    return inertia;
}

/* `motion: {angle: EXPRESSION}`, of x and y likewise. */
static void read_body_motion(m2d__reader *r, const ha__yaml_node *node, const char *body,
                             m2d_body_def *def)
{
    static const char *const keys[] = { "x", "y", "angle" };
    const char *object = m2d__object(r, "motion", "body", body);
    const ha__yaml_node *motion = m2d__section(r, node, "motion", object, HA__YAML_MAPPING);

    if (motion == NULL) {
        return;
    }
    (void) m2d__check_keys(r, motion, object, keys, HA_COUNT(keys));
    if (motion->n == 0) {
        m2d__reader_go_on(r,
                          ha_fail(r->ctx, HA_ERR_VALUE, motion->where,
                                  "%s is empty; give x, y or angle as functions of `t`", object));
    }
    for (int k = 0; k < 3; k++) {
        const ha__yaml_node *value = ha__yaml_get(motion, keys[k]);
        if (value != NULL) {
            def->motion[k] = m2d__read_value(
                r, value, k == 2 ? HA__QUANTITY_ANGLE : HA__QUANTITY_LENGTH, object, 0.0);
        }
    }
}

static void read_body(m2d__reader *r, const ha__yaml_pair *pair)
{
    static const char *const keys[] = { "mass",    "inertia", "gravity", "points", "start",
                                        "motion",  "outline", "frame",   "centre", "thickness",
                                        "density", "colour",  "layer" };
    m2d__plates plates = { 0 };
    const char *body = pair->key;
    const char *object = m2d__object(r, NULL, "body", body);
    m2d_body_def def = m2d_body_def_default();

    ha_status status = m2d__check_keys(r, pair->value, object, keys, HA_COUNT(keys));
    if (status == HA_ERR_SYNTAX) {
        return;
    }
    if (status != HA_OK) { /* a key that was refused may have been that of its points */
        m2d__reader_go_on(r, m2d__mark_faulty(r->mechanism, body));
    }
    def.name = body;
    def.where = pair->where;
    def.mass = read_inertia(r, pair->value, body, "mass", HA__QUANTITY_MASS);
    def.inertia = read_inertia(r, pair->value, body, "inertia", HA__QUANTITY_INERTIA);
    read_gravity(r, ha__yaml_get(pair->value, "gravity"), m2d__object(r, "gravity", "body", body),
                 def.gravity);
    read_start(r, pair->value, body, &def);
    read_body_motion(r, pair->value, body, &def);
    m2d__read_outline(r, pair->value, &def, &plates);
    status = m2d_mechanism_add_body(r->mechanism, &def);
    HA_ARRAY_CLEAR(&plates);
    m2d__reader_go_on(r, status);
    if (status == HA_OK) {
        read_points(r, pair->value, body, m2d__object(r, "points", "body", body));
        m2d__read_point_starts(r, pair->value, body);
    }
}

void m2d__read_bodies(m2d__reader *r, const ha__yaml_node *root)
{
    const ha__yaml_node *section = m2d__section(r, root, "bodies", "`bodies`", HA__YAML_MAPPING);

    for (size_t i = 0; section != NULL && i < section->n; i++) {
        read_body(r, &section->pairs[i]);
        m2d__note_fault(r, &r->mechanism->body_names, section->pairs[i].key);
    }
}
