/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Free directions of joints: finding them by name, and the motions that are prescribed for them. */
#include <config.h>

#include "lib/core/strbuf.h"
#include "lib/expr_table.h"
#include "mech2d/mechanism/mechanism_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLANAR_FREEDOM = 3 }; /* of a body in the plane */

bool m2d__has_axis(const m2d__joint_type *type)
{
    return type->n_directions == 1 && PLANAR_FREEDOM - type->n_rows == 1;
}

/* --- finding -------------------------------------------------------------------------------- */

/* The name of a joint of a body; NULL: it has none, or `name` is no body. */
static const char *joint_of_body(const m2d_mechanism *m, const char *name)
{
    const int body = ha__symtab_find(&m->body_names, name, strlen(name));
    const char *joint = NULL;

    for (size_t i = 0; body >= 0 && i < m->joints.count; i++) {
        const m2d__connection *c = &m->joints.items[i];
        for (int k = 0; k < 2; k++) {
            joint =
                c->points[k] >= 0 && m->points.items[c->points[k]].body == body ? c->name : joint;
        }
    }
    return joint;
}

/* The joint whose full name `text` is, or up to a dot; the direction stands behind, NULL: none. */
static ha_status find_joint(m2d_mechanism *mechanism, const char *text, m2d__owner user, int *out,
                            const char **direction)
{
    const char *nearest = NULL, *dot = strrchr(text, '.');
    size_t length = dot == NULL ? strlen(text) : (size_t) (dot - text);

    *direction = NULL;
    *out = ha__symtab_find(&mechanism->joint_names, text, strlen(text));
    if (*out < 0) {
        *out = ha__symtab_find(&mechanism->joint_names, text, length);
        *direction = dot == NULL ? NULL : dot + 1;
    }
    if (*out >= 0) {
        return HA_OK;
    }
    HA_TRY(m2d__is_faulty(mechanism, text) ? HA_ERR_NAME : m2d__fail_port(mechanism, text, user));
    const char *name = ha__arena_text(mechanism->ctx, &mechanism->arena, text, length);
    HA_TRY_MEMORY(name);
    const char *of_body = joint_of_body(mechanism, name);
    nearest = of_body != NULL ? of_body : ha__symtab_nearest(&mechanism->joint_names, name);
    return ha_fail(mechanism->ctx, HA_ERR_NAME, user.where,
                   "%s `%s` is on the joint `%s`, which does not exist; %s%s%s%s", user.kind,
                   user.name, name, of_body != NULL ? "it is a body, " : "",
                   nearest != NULL ? "did you mean `" : "add it or use another",
                   nearest != NULL ? nearest : "", nearest != NULL ? "`?" : "");
}

/* Says that a joint has no such direction, and which it has. */
static ha_status refuse_direction(m2d_mechanism *mechanism, const m2d__connection *joint,
                                  const char *name, m2d__owner user)
{
    const m2d__joint_type *type = joint->joint;
    ha__strbuf known = HA_STRBUF(mechanism->ctx);

    for (int i = 0; i < type->n_directions; i++) {
        ha__strbuf_addf(&known, "%s`%s.%s`", i > 0 ? ", " : "", joint->name,
                        type->directions[i].name);
    }
    ha_status status = known.status;
    if (status == HA_OK && type->n_directions == 0) {
        status = ha_fail(mechanism->ctx, HA_ERR_NAME, user.where,
                         "%s `%s` is on joint `%s` of type %s, which leaves no direction free; use "
                         "another joint",
                         user.kind, user.name, joint->name, type->name);
    } else if (status == HA_OK && name == NULL) {
        status = ha_fail(mechanism->ctx, HA_ERR_NAME, user.where,
                         "%s `%s` is on joint `%s` of type %s, which leaves several directions "
                         "free; name one: %s",
                         user.kind, user.name, joint->name, type->name, ha__strbuf_text(&known));
    } else if (status == HA_OK) {
        status =
            ha_fail(mechanism->ctx, HA_ERR_NAME, user.where,
                    "%s `%s` is on `%s.%s`, but the type %s has no such free direction; use %s",
                    user.kind, user.name, joint->name, name, type->name, ha__strbuf_text(&known));
    }
    return ha__strbuf_drop(&known, status);
}

/* The direction of a joint; NULL and "axis": the only one that has a name. */
static ha_status find_in_joint(m2d_mechanism *mechanism, const m2d__connection *joint,
                               const char *name, m2d__owner user, int *out)
{
    const m2d__joint_type *type = joint->joint;

    if (name == NULL || strcmp(name, "axis") == 0) {
        *out = 0;
        return type->n_directions == 1 ? HA_OK : refuse_direction(mechanism, joint, NULL, user);
    }
    for (int i = 0; i < type->n_directions; i++) {
        if (strcmp(type->directions[i].name, name) == 0) {
            *out = i;
            return HA_OK;
        }
    }
    return refuse_direction(mechanism, joint, name, user);
}

ha_status m2d__find_direction(m2d_mechanism *mechanism, const char *text, m2d__owner user,
                              int *joint, int *direction)
{
    const char *name = NULL;

    HA_TRY(find_joint(mechanism, text == NULL ? "" : text, user, joint, &name));
    return find_in_joint(mechanism, &mechanism->joints.items[*joint], name, user, direction);
}

ha_status m2d__find_target(m2d_mechanism *mechanism, const m2d_connection_def *def,
                           const m2d__force_type *type, m2d__target *out)
{
    m2d__owner user = { "force", def->name, NULL, def->ends_where[0] };
    m2d__target target = M2D__BETWEEN_POINTS;
    int joint = 0, direction = 0;

    while (!m2d__force_acts_on(type, target)) {
        target++;
    }
    bool is_line = target == M2D__BETWEEN_POINTS && def->ends[1] != NULL;
    if (!is_line && m2d__force_acts_on(type, M2D__ON_ANGLE)) {
        const char *full = m2d__resolve(mechanism, def->ends[0]);
        HA_TRY_MEMORY(full);
        user.where = user.where.file == NULL ? def->where : user.where;
        HA_TRY(m2d__find_direction(mechanism, full, user, &joint, &direction));
        bool is_angle = mechanism->joints.items[joint].joint->directions[direction].is_angle;
        target = is_angle ? M2D__ON_ANGLE : M2D__ON_SLIDE;
    }
    *out = target;
    return HA_OK;
}

/* --- motions -------------------------------------------------------------------------------- */

/* The operand of min or max that varies. */
static ha_expr varying(const ha_dag *dag, ha_expr limited)
{
    ha_expr first = ha_expr_operand(dag, limited, 0);

    return ha_expr_is_constant(dag, first, NULL) ? ha_expr_operand(dag, limited, 1) : first;
}

/* What a table is a function of: a cubic one takes min(max(x, first), last), see
   lib/expr/expr_table.c, and its slope jumps at the ends only, where a run has an event. */
static ha_expr argument_of(const ha_dag *dag, ha_expr piece)
{
    ha_expr x = ha_expr_operand(dag, piece, 1);

    x = ha_expr_op(dag, x) == HA_OP_MIN ? varying(dag, x) : x;
    return ha_expr_op(dag, x) == HA_OP_MAX ? varying(dag, x) : x;
}

/* What the user calls an operation that jumps or bends, NULL: it does neither. */
static const char *bend_of(const ha_dag *dag, ha_expr n)
{
    ha_op op = ha_expr_op(dag, n);
    bool is_bent = op == HA_OP_ABS || op == HA_OP_SIGN || op == HA_OP_FLOOR || op == HA_OP_MIN ||
                   op == HA_OP_MAX || (op >= HA_OP_LT && op <= HA_OP_NE);

    if (op == HA_OP_PIECE && ha_expr_op(dag, ha_expr_operand(dag, n, 0)) == HA_OP_FLOOR) {
        return ha_table_name(dag, ha_table_of(dag, n));
    }
    return is_bent ? ha_op_text(op) : NULL;
}

/* The name of a function in `e` that has a jump or a bend, NULL when there is none. What is
   compared in the condition of an `if` does not count: its branches may well meet smoothly. */
static ha_status find_bend(m2d_mechanism *mechanism, ha_expr e, const char **out)
{
    const ha_dag *dag = mechanism->dag;
    bool *is_used = ha__alloc(mechanism->ctx, (size_t) e + 1, sizeof *is_used);

    HA_TRY_MEMORY(is_used);
    *out = NULL;
    is_used[e] = true;
    for (ha_expr n = e; n > 0; n--) {
        ha_op op = ha_expr_op(dag, n);
        if (!is_used[n]) {
            continue;
        }
        *out = *out == NULL ? bend_of(dag, n) : *out;
        if (op == HA_OP_PIECE) {
            is_used[argument_of(dag, n)] = true;
            continue;
        }
        for (int i = op == HA_OP_IF ? 1 : 0; i < ha_op_arity(op); i++) {
            is_used[ha_expr_operand(dag, n, i)] = true;
        }
    }
    ha__free(is_used);
    return HA_OK;
}

/* HA_OK when an expression has no symbol but the time. */
static ha_status check_symbols(m2d_mechanism *mechanism, ha_expr motion, m2d__owner owner)
{
    ha_expr *symbols = NULL;
    const char *other = NULL;
    size_t n = 0;

    HA_TRY(ha_expr_symbols(mechanism->dag, motion, &symbols, &n));
    for (size_t i = 0; i < n; i++) {
        other = symbols[i] == mechanism->time ? other : ha_symbol_name(mechanism->dag, symbols[i]);
    }
    free(symbols);
    if (other != NULL) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, owner.where,
                       "`%s` of %s `%s` depends on `%s`; a motion is a function of the time alone, "
                       "use `t`, numbers and parameters",
                       owner.key, owner.kind, owner.name, other);
    }
    return HA_OK;
}

static double at_start(void *user, ha_expr symbol)
{
    (void) user;
    (void) symbol;
    return 0.0;
}

ha_status m2d__check_smooth(m2d_mechanism *mechanism, ha_expr e, m2d__owner owner)
{
    const char *bend = NULL;

    HA_TRY(find_bend(mechanism, e, &bend));
    if (bend != NULL) {
        return ha_fail(
            mechanism->ctx, HA_ERR_VALUE, owner.where,
            "`%s` of %s `%s` uses `%s`, whose value or rate jumps, so that it has no "
            "second derivative and would need an infinite force; use smooth functions, "
            "splines (tables of `kind: natural` or `periodic`), or `if` with branches that meet "
            "with the same value and rate",
            owner.key, owner.kind, owner.name, bend);
    }
    return HA_OK;
}

ha_status m2d__check_motion(m2d_mechanism *mechanism, ha_expr motion, m2d__owner owner)
{
    static const char *const words[3] = { "value", "rate", "second derivative" };
    ha_expr e = HA_EXPR_NONE;

    HA_TRY(ha_resolve(mechanism->dag, motion, &e));
    HA_TRY(check_symbols(mechanism, e, owner));
    HA_TRY(m2d__check_smooth(mechanism, e, owner));
    for (int order = 0; order < 3; order++) {
        if (order > 0) {
            HA_TRY(ha_dt(mechanism->dag, e, &e));
        }
        double value = ha_expr_value(mechanism->dag, e, at_start, NULL);
        HA_TRY(ha_dag_status(mechanism->dag)); /* without memory there is no value */
        if (!isfinite(value)) {
            return ha_fail(mechanism->ctx, HA_ERR_VALUE, owner.where,
                           "`%s` of %s `%s` has no finite %s at t = 0; correct it", owner.key,
                           owner.kind, owner.name, words[order]);
        }
    }
    return HA_OK;
}

/* Takes over one motion. */
static ha_status take_motion(m2d_mechanism *mechanism, const m2d_connection_def *def,
                             const m2d_motion *motion, m2d__connection *joint)
{
    const m2d__connection named = { .name = def->name, .joint = joint->joint };
    m2d__owner owner = { "joint", def->name, "motion", motion->where };
    int direction = 0;

    owner.where = owner.where.file == NULL ? def->where : owner.where;
    HA_TRY(find_in_joint(mechanism, &named, motion->direction,
                         (m2d__owner){ "the motion of", def->name, NULL, owner.where },
                         &direction));
    if (joint->motions[direction] != HA_EXPR_NONE) {
        return ha_fail(mechanism->ctx, HA_ERR_NAME, owner.where,
                       "joint `%s` has two motions for `%s`; remove one", def->name,
                       joint->joint->directions[direction].name);
    }
    if (motion->value == HA_EXPR_NONE) {
        HA_TRY(ha_dag_status(mechanism->dag));
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, owner.where,
                       "joint `%s` has a motion without value; give it one", def->name);
    }
    HA_TRY(m2d__check_motion(mechanism, motion->value, owner));
    joint->motions[direction] = motion->value;
    return HA_OK;
}

ha_status m2d__take_motions(m2d_mechanism *mechanism, const m2d_connection_def *def,
                            m2d__connection *joint)
{
    for (int i = 0; i < def->n_motions; i++) {
        HA_TRY(take_motion(mechanism, def, &def->motions[i], joint));
    }
    return HA_OK;
}
