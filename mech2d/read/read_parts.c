/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Model files: ground, bodies, joints and forces. */
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
    static const char *const keys[] = { "at", "axis" };
    m2d_point_def def = m2d_point_def_default();
    const ha__yaml_node *at = pair->value;
    const char *name = ha__arena_format(r->ctx, &r->arena, "%s.%s", body, pair->key);
    const char *object = ha__arena_format(r->ctx, &r->arena, "point `%s.%s`", body, pair->key);
    ha_expr place[2];

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
    place[0] = place[1] = ha_constant(r->mechanism->dag, 0.0);
    if (at != NULL) {
        m2d__read_values(r, at, lengths, 2, object, 0.0, place);
    }
    def.body = body;
    def.name = pair->key;
    def.x = place[0];
    def.y = place[1];
    def.where = pair->where;
    m2d__reader_go_on(r, m2d_mechanism_add_point(r->mechanism, &def));
    m2d__note_fault(r, &r->mechanism->point_names, name);
}

static void read_points(m2d__reader *r, const ha__yaml_node *owner, const char *body,
                        const char *object)
{
    const ha__yaml_node *points = m2d__section(r, owner, "points", object, HA__YAML_MAPPING);

    if (points == NULL && ha__yaml_get(owner, "points") != NULL) {
        m2d__reader_go_on(r, m2d__mark_faulty(r->mechanism, body));
    }
    for (size_t i = 0; points != NULL && i < points->n; i++) {
        read_point(r, body, &points->pairs[i]);
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
    static const char *const keys[] = { "x", "y", "angle", "vx", "vy", "omega", "fixed" };
    const char *object = m2d__object(r, "start", "body", body);
    const ha__yaml_node *start = m2d__section(r, node, "start", object, HA__YAML_MAPPING);

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

/* A required value of a body that must not be negative. */
static ha_expr read_inertia(m2d__reader *r, const ha__yaml_node *node, const char *body,
                            const char *key, ha__quantity quantity)
{
    const char *object = m2d__object(r, NULL, "body", body);
    const ha__yaml_node *value = m2d__require(r, node, object, key);
    const m2d__owner owner = { "body", body, key, HA_NOWHERE };
    ha_expr zero = ha_constant(r->mechanism->dag, 0.0);
    double number = 0.0;

    if (value == NULL) {
        return zero;
    }
    ha_expr inertia = m2d__read_constant(r, value, quantity, owner, 0.0, &number);
    if (number < 0.0) {
        m2d__reader_go_on(r, ha_fail(r->ctx, HA_ERR_VALUE, value->where,
                                     "`%s` of body `%s` is %s; it must be at least 0", key, body,
                                     value->text));
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
    static const char *const keys[] = { "mass", "inertia", "gravity", "points", "start", "motion" };
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
    status = m2d_mechanism_add_body(r->mechanism, &def);
    m2d__reader_go_on(r, status);
    if (status == HA_OK) {
        read_points(r, pair->value, body, m2d__object(r, "points", "body", body));
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

/* --- joints and forces ---------------------------------------------------------------------- */

enum { MAX_KEYS = 16 + M2D__MAX_MODEL_KEYS };

/* A joint or force while it is read. */
typedef struct {
    const char *kind;
    const ha__yaml_pair *pair;
    const char *object;
    m2d_connection_def def;
    m2d_setting settings[MAX_KEYS];
    ha_expr values[MAX_KEYS][M2D__MAX_MATRIX];
    m2d_choice choices[M2D__MAX_CHOICES];
    m2d_motion motions[M2D__MAX_DIRECTIONS];
    m2d_row_def rows[M2D__MAX_DIRECTIONS], free[M2D__MAX_DIRECTIONS];
    m2d__joint_type own_type; /* of a joint that the user writes: with its directions */
    m2d__direction own_directions[M2D__MAX_DIRECTIONS];
} connection;

/* The type's name; false when there is none. */
static bool read_type(m2d__reader *r, connection *c)
{
    const ha__yaml_node *type = NULL;

    if (c->pair->value->kind != HA__YAML_MAPPING) {
        m2d__reader_go_on(r, ha__yaml_expect(r->ctx, c->pair->value, c->object, HA__YAML_MAPPING));
        return false;
    }
    type = m2d__require(r, c->pair->value, c->object, "type");
    if (type == NULL) {
        return false;
    }
    c->def.type = m2d__read_name(r, type, c->object);
    c->def.name = c->pair->key;
    c->def.where = type->where;
    return c->def.type != NULL;
}

/* Refuses keys that the type does not have; `more` (NULL behind the last) are known besides. */
static void check_keys(m2d__reader *r, const connection *c, const char *place, const m2d__key *keys,
                       int n_keys, const char *const *more)
{
    const char *known[MAX_KEYS + 8] = { "type", place };
    size_t n = 2;

    for (int i = 0; i < n_keys; i++) {
        known[n++] = keys[i].name;
    }
    for (int i = 0; more[i] != NULL; i++) {
        known[n++] = more[i];
    }
    (void) m2d__check_keys(r, c->pair->value, c->object, known, n);
}

/* The points of `between: [A, B]` or the one of `on: A`. */
static bool read_place(m2d__reader *r, connection *c, const char *place)
{
    const ha__yaml_node *node = m2d__require(r, c->pair->value, c->object, place);
    const ha__yaml_node *const *items = NULL;
    bool is_pair = strcmp(place, "between") == 0;

    if (node == NULL) {
        return false;
    }
    if (is_pair) {
        ha_status status =
            ha__yaml_items(r->ctx, node, m2d__object(r, place, c->kind, c->def.name), 2, &items);
        m2d__reader_go_on(r, status);
        if (status != HA_OK) {
            return false;
        }
    } else {
        items = &node;
    }
    for (int end = 0; end < (is_pair ? 2 : 1); end++) {
        c->def.ends[end] = m2d__read_name(r, items[end], c->object);
        c->def.ends_where[end] = ha__yaml_text_where(items[end]);
        if (c->def.ends[end] == NULL) {
            return false;
        }
    }
    return true;
}

static void read_settings(m2d__reader *r, connection *c, const m2d__key *keys, int n_keys)
{
    for (int i = 0; i < n_keys; i++) {
        const ha__yaml_node *node = ha__yaml_get(c->pair->value, keys[i].name);
        const char *object = m2d__object(r, keys[i].name, c->kind, c->def.name);
        double instead = keys[i].excludes_zero ? 1.0 : 0.0;
        r->in_law = keys[i].law != M2D__NO_LAW;
        if (node == NULL && keys[i].is_required) {
            node = m2d__require(r, c->pair->value, c->object, keys[i].name);
            for (int k = 0; k < keys[i].n_values; k++) {
                c->values[i][k] = ha_constant(r->mechanism->dag, instead);
            }
        } else if (node != NULL && keys[i].choice != NULL) {
            m2d__read_choice(r, node, &keys[i], object, &c->def, c->choices);
            continue;
        } else if (node != NULL) {
            m2d__read_values(r, node, keys[i].quantities, keys[i].n_values, object, instead,
                             c->values[i]);
        } else {
            continue;
        }
        c->settings[c->def.n_settings++] =
            (m2d_setting){ keys[i].name, c->values[i], keys[i].n_values,
                           node == NULL ? c->pair->where : node->where };
    }
    r->in_law = false;
    c->def.settings = c->settings;
}

/* --- constraints of the user's own ----------------------------------------------------------- */

/* The unit of a row: true for rad. */
static bool read_is_angle(m2d__reader *r, const ha__yaml_node *node, const char *object)
{
    static const char *const known[] = { "value", "unit" };
    const ha__yaml_node *unit = ha__yaml_get(node, "unit");
    const char *text = unit == NULL ? NULL : m2d__read_name(r, unit, object);

    (void) m2d__check_keys(r, node, object, known, HA_COUNT(known));
    if (text != NULL && strcmp(text, "rad") != 0 && strcmp(text, "m") != 0) {
        m2d__reader_go_on(r, ha_fail(r->ctx, HA_ERR_VALUE, unit->where,
                                     "%s has the unit `%s`; a constraint is in `m` or `rad`",
                                     object, text));
    }
    return text != NULL && strcmp(text, "rad") == 0;
}

/* What a free direction without a unit is in: rad where it is called so or is made of angles. */
static void guess_unit(m2d__reader *r, m2d_row_def *direction)
{
    direction->is_angle = strcmp(direction->name, "angle") == 0;
    if (!direction->is_angle && direction->value != HA_EXPR_NONE) {
        m2d__reader_go_on(r,
                          m2d__is_of_angles(r->mechanism, direction->value, &direction->is_angle));
    }
}

/* `NAME: EXPRESSION` in m, or `NAME: {value: EXPRESSION, unit: rad}`. */
static m2d_row_def read_row(m2d__reader *r, const connection *c, const ha__yaml_pair *pair,
                            bool is_free)
{
    const char *object = m2d__object(r, pair->key, c->kind, c->def.name);
    const ha__yaml_node *value = pair->value;
    m2d_row_def row = { .name = pair->key, .where = pair->where };

    if (value->kind == HA__YAML_MAPPING) {
        row.is_angle = read_is_angle(r, value, object);
        value = m2d__require(r, value, object, "value");
    }
    size_t n_errors = ha_ctx_n_diags(r->ctx);
    ha__quantity quantity = row.is_angle ? HA__QUANTITY_ANGLE : HA__QUANTITY_LENGTH;
    r->in_constraint = true;
    row.value = value == NULL ? HA_EXPR_NONE : m2d__read_value(r, value, quantity, object, 0.0);
    r->in_constraint = false;
    if (value == NULL || ha_ctx_n_diags(r->ctx) > n_errors) {
        row.value = m2d_constraint_lookup(r->mechanism, "theta_j"); /* not to be refused again */
    } else if (is_free && ha__yaml_get(pair->value, "unit") == NULL) {
        guess_unit(r, &row);
    }
    return row;
}

/* The rows of a section; their number, which may be too large. */
static int read_rows(m2d__reader *r, connection *c, const char *key, m2d_row_def *rows)
{
    const char *object = m2d__object(r, key, c->kind, c->def.name);
    const ha__yaml_node *node = m2d__section(r, c->pair->value, key, object, HA__YAML_MAPPING);

    for (size_t i = 0; node != NULL && i < node->n && i < M2D__MAX_DIRECTIONS; i++) {
        rows[i] = read_row(r, c, &node->pairs[i], rows == c->free);
    }
    return node == NULL ? 0 : (int) node->n;
}

/* Reads `rows` and `free`; the type with the directions that these give, NULL without rows. */
static const m2d__joint_type *read_own(m2d__reader *r, connection *c, const m2d__joint_type *type)
{
    const ha__yaml_node *rows = m2d__require(r, c->pair->value, c->object, "rows");

    c->def.rows = c->rows;
    c->def.free = c->free;
    c->def.n_rows = rows == NULL ? 0 : read_rows(r, c, "rows", c->rows);
    c->def.n_free = read_rows(r, c, "free", c->free);
    c->own_type = *type;
    c->own_type.directions = c->own_directions;
    for (int i = 0; i < c->def.n_free && i < M2D__MAX_DIRECTIONS; i++) {
        c->own_directions[i] = (m2d__direction){ c->free[i].name, "", c->free[i].is_angle, NULL };
        c->own_type.n_directions++;
    }
    return rows != NULL && rows->kind == HA__YAML_MAPPING ? &c->own_type : NULL;
}

/* --- motions -------------------------------------------------------------------------------- */

/* The free direction of this name, NULL: the only one; NULL when there is none. */
static const m2d__direction *direction_of(const m2d__joint_type *type, const char *name)
{
    for (int i = 0; i < type->n_directions; i++) {
        if (name == NULL || strcmp(type->directions[i].name, name) == 0) {
            return &type->directions[i];
        }
    }
    return NULL;
}

static void read_one_motion(m2d__reader *r, connection *c, const m2d__joint_type *type,
                            const char *direction, const ha__yaml_node *node)
{
    const char *object = m2d__object(r, "motion", c->kind, c->def.name);
    const m2d__direction *found = direction_of(type, direction);
    ha__quantity quantity = found == NULL     ? HA__QUANTITY_ANY
                            : found->is_angle ? HA__QUANTITY_ANGLE
                                              : HA__QUANTITY_LENGTH;
    ha_expr value = m2d__read_value(r, node, quantity, object, 0.0);

    c->motions[c->def.n_motions++] = (m2d_motion){ direction, value, node->where };
    c->def.motions = c->motions;
}

/* `motion: EXPRESSION` or `motion: {slide: EXPRESSION}`. */
static void read_motions(m2d__reader *r, connection *c, const m2d__joint_type *type)
{
    const ha__yaml_node *node = ha__yaml_get(c->pair->value, "motion");
    const char *object = m2d__object(r, "motion", c->kind, c->def.name);
    const char *known[M2D__MAX_DIRECTIONS];

    if (node == NULL) {
        return;
    }
    if (node->kind != HA__YAML_MAPPING) {
        read_one_motion(r, c, type, NULL, node);
        return;
    }
    for (int i = 0; i < type->n_directions; i++) {
        known[i] = type->directions[i].name;
    }
    (void) m2d__check_keys(r, node, object, known, (size_t) type->n_directions);
    for (size_t i = 0; i < node->n; i++) {
        if (direction_of(type, node->pairs[i].key) != NULL) {
            read_one_motion(r, c, type, node->pairs[i].key, node->pairs[i].value);
        }
    }
}

/* --- the parts ------------------------------------------------------------------------------ */

/* Refuses keys that neither a joint of the type nor any joint model has. */
static void check_joint_keys(m2d__reader *r, const connection *c, const m2d__joint_type *type)
{
    const char *more[M2D__MAX_MODEL_KEYS + 5] = { "motion", "model" };
    size_t n = 0;
    const char *const *of_models = m2d__model_keys(r, &n);

    memcpy(more + 2, of_models, n * sizeof *more);
    n += 2;
    if (type->is_written) {
        more[n++] = "rows";
        more[n++] = "free";
    }
    more[n] = NULL;
    check_keys(r, c, "between", type->keys, type->n_keys, more);
}

static void read_joint(m2d__reader *r, const ha__yaml_pair *pair)
{
    connection c = { .kind = "joint", .pair = pair, .def = m2d_joint_def_default() };
    bool is_complete = true;

    c.object = m2d__object(r, NULL, c.kind, pair->key);
    if (!read_type(r, &c)) {
        return;
    }
    const m2d__joint_type *type = m2d__joint_type_find(c.def.type);
    if (type != NULL) {
        const bool is_own = type->is_written;
        const m2d__joint_type *own = NULL;
        c.def.where = pair->where;
        check_joint_keys(r, &c, type);
        is_complete = read_place(r, &c, "between");
        own = is_own ? read_own(r, &c, type) : type;
        is_complete = is_complete && own != NULL;
        type = own != NULL ? own : type;
        read_settings(r, &c, type->keys, type->n_keys);
        is_complete = m2d__read_joint_model(r, pair->value, &c.def, c.settings,
                                            c.values + type->n_keys, c.choices) &&
                      is_complete;
        read_motions(r, &c, type);
    }
    if (is_complete) {
        m2d__reader_go_on(r, m2d_mechanism_add_joint(r->mechanism, &c.def));
    }
}

/* The key that says what a force of a known type acts on. */
static const char *place_of(const m2d__force_type *type, const ha__yaml_node *node)
{
    bool is_line = type->target == M2D__BETWEEN_POINTS;

    if (is_line && m2d__force_type_with(type->name, M2D__ON_ANGLE) != NULL) {
        is_line = ha__yaml_get(node, "on") == NULL || ha__yaml_get(node, "between") != NULL;
    }
    return is_line ? "between" : "on";
}

/* Reads a force of a known type; false when it cannot be added. */
static bool read_known_force(m2d__reader *r, connection *c, const m2d__force_type *type)
{
    static const char *const no_more[] = { NULL };
    const char *place = place_of(type, c->pair->value);
    bool is_line = strcmp(place, "between") == 0;

    c->def.where = c->pair->where;
    if (is_line) {
        check_keys(r, c, place, type->keys, type->n_keys, no_more);
    }
    bool is_complete = read_place(r, c, place);
    if (is_complete) {
        ha_status status = m2d__choose_force_type(r->mechanism, &c->def, &type);
        m2d__reader_go_on(r, status);
        is_complete = status == HA_OK;
    }
    if (is_complete && !is_line) {
        check_keys(r, c, place, type->keys, type->n_keys, no_more); /* those of the direction */
    }
    if (is_complete || is_line) {
        size_t n_errors = ha_ctx_n_errors(r->ctx);
        read_settings(r, c, type->keys, type->n_keys);
        /* what stands for a wrong one would seem not to go with the others */
        is_complete &= ha_ctx_n_errors(r->ctx) == n_errors;
    }
    return is_complete;
}

static void read_force(m2d__reader *r, const ha__yaml_pair *pair)
{
    connection c = { .kind = "force", .pair = pair, .def = m2d_force_def_default() };

    c.object = m2d__object(r, NULL, c.kind, pair->key);
    if (!read_type(r, &c)) {
        return;
    }
    const m2d__force_type *type = m2d__force_type_find(c.def.type);
    if (type == NULL || read_known_force(r, &c, type)) {
        m2d__reader_go_on(r, m2d_mechanism_add_force(r->mechanism, &c.def));
    }
}

void m2d__read_joints(m2d__reader *r, const ha__yaml_node *root)
{
    const ha__yaml_node *section = m2d__section(r, root, "joints", "`joints`", HA__YAML_MAPPING);

    for (size_t i = 0; section != NULL && i < section->n; i++) {
        read_joint(r, &section->pairs[i]);
        m2d__note_fault(r, &r->mechanism->joint_names, section->pairs[i].key);
    }
}

void m2d__read_forces(m2d__reader *r, const ha__yaml_node *root)
{
    const ha__yaml_node *section = m2d__section(r, root, "forces", "`forces`", HA__YAML_MAPPING);

    for (size_t i = 0; section != NULL && i < section->n; i++) {
        read_force(r, &section->pairs[i]);
    }
}
