/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Model files: joints and forces. */
#include <config.h>

#include "mech2d/read/read_priv.h"

#include <string.h>

enum { MAX_KEYS = 24 + M2D__MAX_MODEL_KEYS };

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
    m2d_row_def rows[M2D__MAX_DIRECTIONS], rates[M2D__MAX_DIRECTIONS], free[M2D__MAX_DIRECTIONS];
    m2d__joint_type own_type; /* of a joint that the user writes: with its directions */
    m2d__direction own_directions[M2D__MAX_DIRECTIONS];
} connection;

/* The type's name; false when there is none. */
static bool read_type(m2d__reader *r, connection *c)
{
    const ha__yaml_node *type = NULL;

    if (c->pair->value->kind != HA__YAML_MAPPING && !ha__yaml_is_null(c->pair->value)) {
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
static void check_keys(m2d__reader *r, const connection *c, const char *key, const m2d__key *keys,
                       int n_keys, const char *const *more)
{
    const char *known[MAX_KEYS + 9] = { "type", key, "for" };
    size_t n = 3;

    for (int i = 0; i < n_keys; i++) {
        known[n++] = keys[i].name;
    }
    for (int i = 0; more[i] != NULL; i++) {
        known[n++] = more[i];
    }
    (void) m2d__check_keys(r, c->pair->value, c->object, known, n);
}

/* The points of `between: [A, B]` or the one of `on: A`. */
static bool read_ends(m2d__reader *r, connection *c, const char *key)
{
    const ha__yaml_node *node = m2d__require(r, c->pair->value, c->object, key);
    const ha__yaml_node *const *items = NULL;
    bool is_pair = strcmp(key, "between") == 0;

    if (node == NULL) {
        return false;
    }
    if (is_pair) {
        ha_status status =
            ha__yaml_items(r->ctx, node, m2d__object(r, key, c->kind, c->def.name), 2, &items);
        m2d__reader_go_on(r, status);
        if (status != HA_OK) {
            return false;
        }
    } else {
        items = &node;
    }
    for (int end = 0; end < (is_pair ? 2 : 1); end++) {
        c->def.ends_where[end] = ha__yaml_text_where(items[end]);
        c->def.ends[end] =
            m2d__indexed(r, m2d__read_name(r, items[end], c->object), c->def.ends_where[end]);
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
        r->in_slip_law = keys[i].law == M2D__LAW_OF_SLIP;
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
    r->in_law = r->in_slip_law = false;
    c->def.settings = c->settings;
}

/* --- constraints of the user's own ----------------------------------------------------------- */

/* The unit of a row: true for rad, of a rate rad/s. */
static bool read_is_angle(m2d__reader *r, const ha__yaml_node *node, const char *object,
                          bool is_rate)
{
    const char *length = is_rate ? "m/s" : "m", *angle = is_rate ? "rad/s" : "rad";
    static const char *const known[] = { "value", "unit" };
    const ha__yaml_node *unit = ha__yaml_get(node, "unit");
    const char *text = unit == NULL ? NULL : m2d__read_name(r, unit, object);

    (void) m2d__check_keys(r, node, object, known, HA_COUNT(known));
    if (text != NULL && strcmp(text, angle) != 0 && strcmp(text, length) != 0) {
        m2d__reader_go_on(r, ha_fail(r->ctx, HA_ERR_VALUE, unit->where,
                                     "%s has the unit `%s`; a constraint%s is in `%s` or `%s`",
                                     object, text, is_rate ? " on velocities" : "", length, angle));
    }
    return text != NULL && strcmp(text, angle) == 0;
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
                            const m2d_row_def *rows)
{
    bool is_free = rows == c->free, is_rate = rows == c->rates;
    const char *object = m2d__object(r, pair->key, c->kind, c->def.name);
    const ha__yaml_node *value = pair->value;
    m2d_row_def row = { .name = pair->key, .where = pair->where };

    if (value->kind == HA__YAML_MAPPING) {
        row.is_angle = read_is_angle(r, value, object, is_rate);
        value = m2d__require(r, value, object, "value");
    }
    size_t n_errors = ha_ctx_n_diags(r->ctx);
    ha__quantity quantity = row.is_angle ? HA__QUANTITY_ANGLE : HA__QUANTITY_LENGTH;
    quantity = is_rate ? HA__QUANTITY_ANY : quantity;
    r->in_constraint = true;
    r->in_rate = is_rate;
    row.value = value == NULL ? HA_EXPR_NONE : m2d__read_value(r, value, quantity, object, 0.0);
    r->in_constraint = r->in_rate = false;
    if (value == NULL || ha_ctx_n_diags(r->ctx) > n_errors) {
        /* not to be refused again */
        row.value = m2d_rate_lookup(r->mechanism, is_rate ? "omega_j" : "theta_j");
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
        rows[i] = read_row(r, c, &node->pairs[i], rows);
    }
    return node == NULL ? 0 : (int) node->n;
}

/* Reads `rows`, `rates` and `free`, of which two may be missing; the type with the directions that
   these give, NULL without any. */
static const m2d__joint_type *read_own(m2d__reader *r, connection *c, const m2d__joint_type *type)
{
    const ha__yaml_node *rows = ha__yaml_get(c->pair->value, "rows");
    const ha__yaml_node *rates = ha__yaml_get(c->pair->value, "rates");
    const ha__yaml_node *free = ha__yaml_get(c->pair->value, "free");

    if (free == NULL && rates == NULL) {
        rows = m2d__require(r, c->pair->value, c->object, "rows");
    }
    c->def.rows = c->rows;
    c->def.rates = c->rates;
    c->def.free = c->free;
    c->def.n_rows = rows == NULL ? 0 : read_rows(r, c, "rows", c->rows);
    c->def.n_rates = rates == NULL ? 0 : read_rows(r, c, "rates", c->rates);
    c->def.n_free = read_rows(r, c, "free", c->free);
    c->own_type = *type;
    c->own_type.directions = c->own_directions;
    for (int i = 0; i < c->def.n_free && i < M2D__MAX_DIRECTIONS; i++) {
        c->own_directions[i] = (m2d__direction){ c->free[i].name, "", c->free[i].is_angle, NULL };
        c->own_type.n_directions++;
    }
    const ha__yaml_node *given = rows != NULL ? rows : rates != NULL ? rates : free;
    return given != NULL && given->kind == HA__YAML_MAPPING ? &c->own_type : NULL;
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
    const char *more[M2D__MAX_MODEL_KEYS + 8] = { "motion", "start" };
    size_t n = 2, n_of_models = 0;
    const char *const *of_models = m2d__model_keys(r, &n_of_models);

    if (type->takes_point) {
        more[n++] = "on";
    }
    if (!type->has_models) {
        more[n++] = "model";
        memcpy(more + n, of_models, n_of_models * sizeof *more);
        n += n_of_models;
    }
    if (type->is_written) {
        more[n++] = "rows";
        more[n++] = "rates";
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
        bool is_on = type->takes_point && ha__yaml_get(pair->value, "between") == NULL;
        is_complete = read_ends(r, &c, is_on ? "on" : "between");
        own = is_own ? read_own(r, &c, type) : type;
        is_complete = is_complete && own != NULL;
        type = own != NULL ? own : type;
        read_settings(r, &c, type->keys, type->n_keys);
        is_complete =
            (type->has_models || m2d__read_joint_model(r, pair->value, &c.def, c.settings,
                                                       c.values + type->n_keys, c.choices)) &&
            is_complete;
        read_motions(r, &c, type);
    }
    if (is_complete) {
        ha_status status = m2d_mechanism_add_joint(r->mechanism, &c.def);
        m2d__reader_go_on(r, status);
        if (status == HA_OK) {
            m2d__read_joint_starts(r, pair);
        }
    }
}

/* The key that says what a force of a known type acts on. */
static const char *key_of_ends(const m2d__force_type *type, const ha__yaml_node *node)
{
    bool is_line = m2d__force_acts_on(type, M2D__BETWEEN_POINTS);

    if (is_line && m2d__force_acts_on(type, M2D__ON_ANGLE)) {
        is_line = ha__yaml_get(node, "on") == NULL || ha__yaml_get(node, "between") != NULL;
    }
    return is_line ? "between" : "on";
}

/* Reads a force of a known type; false when it cannot be added. */
static bool read_known_force(m2d__reader *r, connection *c, const m2d__force_type *type)
{
    static const char *const no_more[] = { NULL };
    const char *key = key_of_ends(type, c->pair->value);
    bool is_line = strcmp(key, "between") == 0;
    m2d__target target = M2D__BETWEEN_POINTS;

    c->def.where = c->pair->where;
    if (is_line) {
        check_keys(r, c, key, type->on[target].items, type->on[target].count, no_more);
    }
    bool is_complete = read_ends(r, c, key);
    if (is_complete) {
        ha_status status = m2d__find_target(r->mechanism, &c->def, type, &target);
        m2d__reader_go_on(r, status);
        is_complete = status == HA_OK;
    }
    if (is_complete && !is_line) {
        check_keys(r, c, key, type->on[target].items, type->on[target].count, no_more);
    }
    if (is_complete || is_line) {
        size_t n_errors = ha_ctx_n_errors(r->ctx);
        read_settings(r, c, type->on[target].items, type->on[target].count);
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

static void read_named_joint(m2d__reader *r, const ha__yaml_pair *pair)
{
    read_joint(r, pair);
    m2d__note_fault(r, &r->mechanism->joint_names, pair->key);
}

void m2d__read_joints(m2d__reader *r, const ha__yaml_node *root)
{
    const ha__yaml_node *section = m2d__section(r, root, "joints", "`joints`", HA__YAML_MAPPING);

    for (size_t i = 0; section != NULL && i < section->n; i++) {
        m2d__read_repeated(r, &section->pairs[i], "joint", read_named_joint);
    }
}

void m2d__read_forces(m2d__reader *r, const ha__yaml_node *root)
{
    const ha__yaml_node *section = m2d__section(r, root, "forces", "`forces`", HA__YAML_MAPPING);

    for (size_t i = 0; section != NULL && i < section->n; i++) {
        m2d__read_repeated(r, &section->pairs[i], "force", read_force);
    }
}
