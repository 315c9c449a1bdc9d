/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The container of a mechanism: parameters, names, what is in it. */
#include <config.h>

#include "mech2d/mechanism.h"

#include "lib/core/need.h"
#include "lib/core/utf8.h"
#include "lib/expr/expr_priv.h"
#include "mech2d/mechanism/mechanism_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double standard_gravity = 9.81; /* [m/s2] */

const char *m2d_coordinate_name(m2d_coordinate coordinate)
{
    HA_NEED_ELSE(HA_IS_INDEX((int) coordinate, (int) M2D_N_COORDINATES), "");
    static const char *const names[M2D_N_COORDINATES] = { "x", "y", "angle", "vx", "vy", "omega" };

    return names[coordinate];
}

/* The graph of expressions with its time and the gravity. */
static bool set_up(m2d_mechanism *mechanism)
{
    static const char *const names[] = { "M.x", "M.y", "theta_i", "N.x", "N.y", "theta_j" };
    static const char *const rates[] = { "M.vx", "M.vy", "omega_i", "N.vx", "N.vy", "omega_j" };
    ha_dag *dag = mechanism->dag = ha_dag_new(mechanism->ctx);

    if (dag == NULL) {
        return false;
    }
    mechanism->time = ha_symbol(dag, "t");
    ha_symbol_set_derivative(dag, mechanism->time, ha_constant(dag, 1.0));
    for (size_t i = 0; i < HA_COUNT(mechanism->ends); i++) {
        mechanism->ends[i] = ha_symbol(dag, names[i]);
        mechanism->rates[i] = ha_symbol(dag, rates[i]);
    }
    for (size_t i = 0; i < HA_COUNT(mechanism->slips); i++) {
        mechanism->slips[i] = ha_symbol(dag, m2d__slip_name(i));
    }
    mechanism->own[0] = ha_symbol(dag, "q");
    mechanism->own[1] = ha_symbol(dag, "f");
    mechanism->gravity[0] = ha_constant(dag, 0.0);
    mechanism->gravity[1] = ha_constant(dag, -standard_gravity);
    return ha_dag_status(dag) == HA_OK;
}

m2d_mechanism *m2d_mechanism_new(ha_ctx *ctx)
{
    m2d_mechanism *mechanism = ha__alloc(ctx, 1, sizeof *mechanism);

    if (mechanism == NULL) {
        return NULL;
    }
    mechanism->ctx = ctx;
    mechanism->part = -1;
    if (!set_up(mechanism)) {
        m2d_mechanism_free(mechanism);
        return NULL;
    }
    return mechanism;
}

void m2d_mechanism_free(m2d_mechanism *mechanism)
{
    if (mechanism == NULL) {
        return;
    }
    ha_dag_free(mechanism->dag);
    ha__symtab_clear(&mechanism->body_names);
    ha__symtab_clear(&mechanism->joint_names);
    ha__symtab_clear(&mechanism->force_names);
    ha__symtab_clear(&mechanism->element_names);
    ha__symtab_clear(&mechanism->point_names);
    ha__symtab_clear(&mechanism->parameter_names);
    ha__symtab_clear(&mechanism->stand_in_names);
    ha__symtab_clear(&mechanism->faulty_names);
    ha__symtab_clear(&mechanism->signal_names);
    ha__symtab_clear(&mechanism->value_names);
    ha__symtab_clear(&mechanism->part_names);
    ha__symtab_clear(&mechanism->port_names);
    HA_ARRAY_CLEAR(&mechanism->bodies, &mechanism->points, &mechanism->joints, &mechanism->forces,
                   &mechanism->elements, &mechanism->bonds, &mechanism->signals);
    HA_ARRAY_CLEAR(&mechanism->parameters, &mechanism->stand_ins, &mechanism->starts,
                   &mechanism->values, &mechanism->parts, &mechanism->ports);
    ha__arena_clear(&mechanism->arena);
    ha__free(mechanism);
}

ha_where m2d__keep_where(ha_ctx *ctx, ha__arena *arena, const char **kept, ha_where where)
{
    if (where.file != NULL && (*kept == NULL || strcmp(*kept, where.file) != 0)) {
        *kept = ha__arena_text(ctx, arena, where.file, strlen(where.file));
    }
    where.file = where.file == NULL ? NULL : *kept;
    return where;
}

/* --- names and constants ------------------------------------------------------------------- */

/* Bytes of the name character that `text` starts with, 0 when it is none. */
static size_t name_character(const char *text, bool is_first, bool may_start_with_digit)
{
    unsigned code = 0;
    size_t length = ha__utf8_read(text, strlen(text), &code);
    bool is_digit = code >= '0' && code <= '9';
    bool is_letter = (code >= 'A' && code <= 'Z') || (code >= 'a' && code <= 'z') || code == '_' ||
                     (code >= 0x80 && ha__utf8_is_letter(code));

    return is_letter || (is_digit && (!is_first || may_start_with_digit)) ? length : 0;
}

/* True for `[3]` and `[3][0]`, with which names of what is repeated end. */
static bool is_index(const char *text)
{
    while (text[0] == '[') {
        size_t digits = strspn(text + 1, "0123456789");
        if (digits == 0 || text[digits + 1] != ']') {
            return false;
        }
        text += digits + 2;
    }
    return text[0] == '\0';
}

ha_status m2d__check_name(ha_ctx *ctx, const char *kind, const char *name,
                          bool may_start_with_digit, ha_where where)
{
    size_t at = 0;
    bool may_have_index = strcmp(kind, "parameter") != 0;

    if (name == NULL || name[0] == '\0') {
        return ha_fail(ctx, HA_ERR_NAME, where, "%s %s has no name; give it one",
                       m2d__article(kind), kind);
    }
    while (name[at] != '\0') {
        size_t length = name_character(name + at, at == 0, may_start_with_digit);
        if (length == 0 && at > 0 && may_have_index && is_index(name + at)) {
            break;
        }
        if (length == 0) {
            return ha_fail(ctx, HA_ERR_NAME, where,
                           "`%s` cannot be the name of %s %s; use letters, digits and `_`%s", name,
                           m2d__article(kind), kind,
                           may_start_with_digit ? "" : ", and a letter first");
        }
        at += length;
    }
    return HA_OK;
}

ha_status m2d__check_symbol(ha_ctx *ctx, const char *kind, const char *name, ha_where where)
{
    HA_TRY(m2d__check_name(ctx, kind, name, false, where));
    if (strcmp(name, "t") == 0 || strcmp(name, "pi") == 0) {
        return ha_fail(ctx, HA_ERR_NAME, where,
                       "`%s` cannot be the name of %s %s, it has a meaning already; choose another",
                       name, m2d__article(kind), kind);
    }
    return HA_OK;
}

/* The name of a symbol of `e`, NULL when it has none; borrowed from the graph. */
static ha_status first_symbol(ha_dag *dag, ha_expr e, const char **out)
{
    ha_expr *symbols = NULL;
    size_t n = 0;

    HA_TRY(ha_expr_symbols(dag, e, &symbols, &n));
    *out = n == 0 ? NULL : ha_symbol_name(dag, symbols[0]);
    free(symbols);
    return HA_OK;
}

ha_status m2d__constant(ha_ctx *ctx, ha_dag *dag, ha_expr e, m2d__owner owner, double *out)
{
    ha_expr resolved = HA_EXPR_NONE;
    const char *symbol = NULL;
    double value = (double) NAN;

    if (e == HA_EXPR_NONE) {
        HA_TRY(ha_dag_status(dag));
        return ha_fail(ctx, HA_ERR_VALUE, owner.where, "%s `%s` has no `%s`; give it a value",
                       owner.kind, owner.name, owner.key);
    }
    HA_TRY(ha_resolve(dag, e, &resolved));
    HA_TRY(first_symbol(dag, resolved, &symbol));
    if (symbol != NULL) {
        return ha_fail(ctx, HA_ERR_VALUE, owner.where,
                       "`%s` of %s `%s` depends on `%s`; it must be constant, use numbers and "
                       "parameters only",
                       owner.key, owner.kind, owner.name, symbol);
    }
    if (!ha_expr_is_constant(dag, resolved, &value) || !isfinite(value)) {
        return ha_fail(ctx, HA_ERR_VALUE, owner.where,
                       "`%s` of %s `%s` is not finite; give a finite number", owner.key, owner.kind,
                       owner.name);
    }
    *out = value;
    return HA_OK;
}

double m2d__number(ha_dag *dag, ha_expr e)
{
    ha_expr resolved = HA_EXPR_NONE;
    double value = (double) NAN;

    if (e == HA_EXPR_NONE || ha_resolve(dag, e, &resolved) != HA_OK ||
        !ha_expr_is_constant(dag, resolved, &value)) {
        return (double) NAN;
    }
    return value;
}

/* --- gravity, parameters, look-up ---------------------------------------------------------- */

ha_status m2d_mechanism_set_gravity(m2d_mechanism *mechanism, ha_expr x, ha_expr y, ha_where where)
{
    HA_NEED(NULL, mechanism != NULL);
    const m2d__owner owner = { "the", "mechanism", "gravity", where };
    double value = 0.0;

    HA_TRY(m2d__constant(mechanism->ctx, mechanism->dag, x, owner, &value));
    HA_TRY(m2d__constant(mechanism->ctx, mechanism->dag, y, owner, &value));
    mechanism->gravity[0] = x;
    mechanism->gravity[1] = y;
    return HA_OK;
}

static ha_status check_parameter_name(m2d_mechanism *mechanism, const char *name, const char *full,
                                      ha_where where)
{
    HA_TRY(m2d__check_symbol(mechanism->ctx, "parameter", name, where));
    if (ha__symtab_find(&mechanism->parameter_names, full, strlen(full)) >= 0) {
        return ha_fail(mechanism->ctx, HA_ERR_NAME, where,
                       "the parameter `%s` is given twice; remove one", full);
    }
    return HA_OK;
}

ha_status m2d_mechanism_add_parameter(m2d_mechanism *mechanism, const char *name, ha_expr value,
                                      ha_where where, ha_expr *out)
{
    HA_NEED_OF(mechanism, name != NULL);
    double number = 0.0;
    int index = 0;

    const char *full = m2d__inside(mechanism, name);
    HA_TRY_MEMORY(full);
    HA_TRY(check_parameter_name(mechanism, name, full, where));
    HA_TRY(m2d__constant(mechanism->ctx, mechanism->dag, value,
                         (m2d__owner){ "parameter", full, "value", where }, &number));
    ha_expr symbol = ha_symbol(mechanism->dag, full);
    ha_symbol_define(mechanism->dag, symbol, value);
    HA_TRY(ha_dag_status(mechanism->dag));
    HA_TRY_ROOM(mechanism->ctx, &mechanism->parameters, 1);
    HA_TRY(ha__symtab_add(mechanism->ctx, &mechanism->parameter_names, full, strlen(full), &index,
                          NULL));
    mechanism->parameters.items[mechanism->parameters.count++] = symbol;
    if (out != NULL) {
        *out = symbol;
    }
    return HA_OK;
}

static ha_status add_stand_in(m2d_mechanism *mechanism, const char *name, ha_where where,
                              int *index)
{
    m2d__stand_in stand_in = { ha_symbol(mechanism->dag, name), HA_NOWHERE, false };

    HA_TRY(ha_dag_status(mechanism->dag));
    stand_in.where = m2d__keep_where(mechanism->ctx, &mechanism->arena, &mechanism->file, where);
    HA_TRY_ROOM(mechanism->ctx, &mechanism->stand_ins, 1);
    HA_TRY(ha__symtab_add(mechanism->ctx, &mechanism->stand_in_names, name, strlen(name), index,
                          NULL));
    mechanism->stand_ins.items[mechanism->stand_ins.count++] = stand_in;
    return HA_OK;
}

ha_status m2d__find_stand_in(m2d_mechanism *mechanism, const char *name, ha_where where,
                             ha_expr *out)
{
    const char *full = m2d__inside(mechanism, name);
    int index = full == NULL ? -1 : ha__symtab_find(&mechanism->stand_in_names, full, strlen(full));
    ha_status status = full == NULL ? HA_ERR_MEMORY
                       : index >= 0 ? HA_OK
                                    : add_stand_in(mechanism, full, where, &index);

    if (status != HA_OK) { /* else whoever looked the name up would say that it is not known */
        ha__dag_fail(mechanism->dag, status);
        return status;
    }
    m2d__stand_in *stand_in = &mechanism->stand_ins.items[index];
    if (!mechanism->in_output && !stand_in->in_law) {
        stand_in->in_law = true; /* errors name the location that is not an output's */
        stand_in->where =
            m2d__keep_where(mechanism->ctx, &mechanism->arena, &mechanism->file, where);
    }
    *out = stand_in->symbol;
    return HA_OK;
}

ha_expr m2d_mechanism_lookup_at(m2d_mechanism *mechanism, const char *name, ha_where where)
{
    HA_NEED_ELSE(mechanism != NULL && name != NULL, HA_EXPR_NONE);
    ha_expr found = HA_EXPR_NONE;

    if (strcmp(name, "t") == 0) {
        return mechanism->time;
    }
    const char *full = m2d__inside(mechanism, name);
    if (full == NULL) {
        ha__dag_fail(mechanism->dag, HA_ERR_MEMORY);
        return HA_EXPR_NONE;
    }
    int parameter = ha__symtab_find(&mechanism->parameter_names, full, strlen(full));
    if (parameter >= 0) {
        return mechanism->parameters.items[parameter];
    }
    bool is_named = ha__symtab_find(&mechanism->signal_names, full, strlen(full)) >= 0 ||
                    ha__symtab_find(&mechanism->value_names, full, strlen(full)) >= 0;
    if ((strchr(name, '.') == NULL && !is_named) ||
        m2d__find_stand_in(mechanism, name, where, &found) != HA_OK) {
        return HA_EXPR_NONE;
    }
    return found;
}

void m2d_mechanism_begin_outputs(m2d_mechanism *mechanism, bool is_for_outputs)
{
    HA_NEED_ELSE(mechanism != NULL, );
    mechanism->in_output = is_for_outputs;
}

ha_expr m2d_mechanism_lookup(void *user, const char *name)
{
    return m2d_mechanism_lookup_at(user, name, HA_NOWHERE);
}

/* --- what is in it -------------------------------------------------------------------------- */

ha_ctx *m2d_mechanism_ctx(const m2d_mechanism *mechanism)
{
    HA_NEED_ELSE(mechanism != NULL, NULL);
    return mechanism->ctx;
}

ha_dag *m2d_mechanism_dag(m2d_mechanism *mechanism)
{
    HA_NEED_ELSE(mechanism != NULL, NULL);
    return mechanism->dag;
}

ha_expr m2d_mechanism_time(const m2d_mechanism *mechanism)
{
    HA_NEED_ELSE(mechanism != NULL, HA_EXPR_NONE);
    return mechanism->time;
}

int m2d_mechanism_n_bodies(const m2d_mechanism *mechanism)
{
    HA_NEED_ELSE(mechanism != NULL, 0);
    return (int) mechanism->bodies.count;
}

int m2d_mechanism_n_joints(const m2d_mechanism *mechanism)
{
    HA_NEED_ELSE(mechanism != NULL, 0);
    return (int) mechanism->joints.count;
}

int m2d_mechanism_n_forces(const m2d_mechanism *mechanism)
{
    HA_NEED_ELSE(mechanism != NULL, 0);
    return (int) mechanism->forces.count;
}

int m2d_mechanism_n_motions(const m2d_mechanism *mechanism)
{
    HA_NEED_ELSE(mechanism != NULL, 0);
    int n = 0;

    for (size_t i = 0; i < mechanism->joints.count; i++) {
        const m2d__connection *joint = &mechanism->joints.items[i];
        for (int k = 0; k < joint->joint->n_directions; k++) {
            n += joint->motions[k] != HA_EXPR_NONE ? 1 : 0;
        }
    }
    for (size_t i = 0; i < mechanism->bodies.count; i++) {
        for (int k = 0; k < 3; k++) {
            n += mechanism->bodies.items[i].motion[k] != HA_EXPR_NONE ? 1 : 0;
        }
    }
    return n;
}

int m2d_mechanism_n_parameters(const m2d_mechanism *mechanism)
{
    HA_NEED_ELSE(mechanism != NULL, 0);
    return (int) mechanism->parameters.count;
}

int m2d_mechanism_n_points(const m2d_mechanism *mechanism)
{
    HA_NEED_ELSE(mechanism != NULL, 0);
    return (int) mechanism->points.count;
}

const char *m2d_body_name(const m2d_mechanism *mechanism, int i)
{
    HA_NEED_ELSE(mechanism != NULL && i >= -1 && i < m2d_mechanism_n_bodies(mechanism), "");
    return i == M2D__GROUND ? "ground" : mechanism->bodies.items[i].name;
}

const char *m2d_joint_name(const m2d_mechanism *mechanism, int i)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, m2d_mechanism_n_joints(mechanism)), "");
    return mechanism->joints.items[i].name;
}

const char *m2d_joint_type_name(const m2d_mechanism *mechanism, int i)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, m2d_mechanism_n_joints(mechanism)), "");
    return mechanism->joints.items[i].joint->name;
}

int m2d_joint_end(const m2d_mechanism *mechanism, int i, int end)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, m2d_mechanism_n_joints(mechanism)) && HA_IS_INDEX(end, 2), -1);
    return mechanism->joints.items[i].points[end];
}

const char *m2d_force_name(const m2d_mechanism *mechanism, int i)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, m2d_mechanism_n_forces(mechanism)), "");
    return mechanism->forces.items[i].name;
}

const char *m2d_force_type_name(const m2d_mechanism *mechanism, int i)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, m2d_mechanism_n_forces(mechanism)), "");
    return mechanism->forces.items[i].force->name;
}

int m2d_force_end(const m2d_mechanism *mechanism, int i, int end)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, m2d_mechanism_n_forces(mechanism)) && HA_IS_INDEX(end, 2), -1);
    return mechanism->forces.items[i].points[end];
}

const char *m2d_parameter_name(const m2d_mechanism *mechanism, int i)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, m2d_mechanism_n_parameters(mechanism)), "");
    return ha__symtab_name(&mechanism->parameter_names, i);
}

double m2d_parameter_value(m2d_mechanism *mechanism, int i)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, m2d_mechanism_n_parameters(mechanism)), (double) NAN);
    return m2d__number(mechanism->dag, mechanism->parameters.items[i]);
}

const char *m2d_point_name(const m2d_mechanism *mechanism, int i)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, m2d_mechanism_n_points(mechanism)), "");
    return mechanism->points.items[i].full_name;
}

int m2d_point_body(const m2d_mechanism *mechanism, int i)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, m2d_mechanism_n_points(mechanism)), -1);
    return mechanism->points.items[i].body;
}

void m2d_point_pose(m2d_mechanism *mechanism, int i, double *pose)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, m2d_mechanism_n_points(mechanism)) && pose != NULL, );
    const m2d__point *point = &mechanism->points.items[i];

    pose[0] = m2d__number(mechanism->dag, point->x);
    pose[1] = m2d__number(mechanism->dag, point->y);
    pose[2] = m2d__number(mechanism->dag, point->axis);
}

ha_status m2d__check_is_body(m2d_mechanism *mechanism, const char *name, m2d__owner user)
{
    int point = ha__symtab_find(&mechanism->point_names, name, strlen(name));
    int joint = ha__symtab_find(&mechanism->joint_names, name, strlen(name));

    if (point < 0 && joint < 0) {
        return HA_OK;
    }
    const int *ends = joint < 0 ? &point : mechanism->joints.items[joint].points;
    int end = joint < 0 ? 0 : 1;
    int body = ends[end] < 0 ? M2D__GROUND : mechanism->points.items[ends[end]].body;
    return ha_fail(mechanism->ctx, HA_ERR_NAME, user.where,
                   "%s `%s` names the body `%s`, which is a %s; write the body, `%s`", user.kind,
                   user.name, name, joint < 0 ? "point" : "joint",
                   body == M2D__GROUND ? "ground" : mechanism->bodies.items[body].name);
}
