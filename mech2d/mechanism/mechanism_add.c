/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding bodies, points, joints and forces to a mechanism, with all checks that need no equations.
 */
#include <config.h>

#include "lib/core/need.h"
#include "lib/core/number.h"
#include "lib/core/strbuf.h"
#include "mech2d/mechanism/mechanism_priv.h"

#include <string.h>

enum { BODY_COOKIE = 0x6d326462, POINT_COOKIE = 0x6d326470, CONNECTION_COOKIE = 0x6d326463 };

/* Of masses, inertias, stiffnesses: three of them multiplied stay below the largest double. */
static const double largest_value = 1e100;

m2d_body_def m2d_body_def_default(void)
{
    return (m2d_body_def){ .cookie = BODY_COOKIE };
}

m2d_point_def m2d_point_def_default(void)
{
    return (m2d_point_def){ .cookie = POINT_COOKIE };
}

m2d_joint_def m2d_joint_def_default(void)
{
    return (m2d_joint_def){ .cookie = CONNECTION_COOKIE };
}

m2d_force_def m2d_force_def_default(void)
{
    return (m2d_force_def){ .cookie = CONNECTION_COOKIE };
}

static ha_status check_cookie(m2d_mechanism *mechanism, int is_right, const char *kind,
                              ha_where where)
{
    if (is_right == 0) {
        return ha_fail(mechanism->ctx, HA_ERR_ARGUMENT, where,
                       "the definition of a %s does not come from m2d_%s_def_default(); start from "
                       "that",
                       kind, kind);
    }
    return HA_OK;
}

/* "a body", "an element". */
const char *m2d__article(const char *kind)
{
    return strchr("aeiouAEIOU", kind[0]) != NULL ? "an" : "a";
}

ha_status m2d__mark_faulty(m2d_mechanism *mechanism, const char *name)
{
    int number = 0;

    const char *full = m2d__inside(mechanism, name);

    HA_TRY_MEMORY(full);
    return ha__symtab_add(mechanism->ctx, &mechanism->faulty_names, full, strlen(full), &number,
                          NULL);
}

bool m2d__is_faulty(const m2d_mechanism *mechanism, const char *name)
{
    const ha__symtab *faulty = &mechanism->faulty_names;

    if (faulty->names.count == 0) {
        return false;
    }
    for (size_t n = strcspn(name, ".["); name[n] != 0; n += 1 + strcspn(name + n + 1, ".[")) {
        if (ha__symtab_find(faulty, name, n) >= 0) {
            return true;
        }
    }
    return ha__symtab_find(faulty, name, strlen(name)) >= 0;
}

ha_status m2d__check_new_name(m2d_mechanism *mechanism, const char *kind, const char *name,
                              bool may_start_with_digit, ha_where where)
{
    const struct {
        const char *kind;
        const ha__symtab *table;
    } taken[] = { { "a body", &mechanism->body_names },
                  { "a joint", &mechanism->joint_names },
                  { "a force", &mechanism->force_names },
                  { "an element of the bond graph", &mechanism->element_names },
                  { "a signal", &mechanism->signal_names },
                  { "a value", &mechanism->value_names },
                  { "a part", &mechanism->part_names } };
    const char *inside = m2d__short_name(mechanism, name);

    HA_TRY(m2d__check_name(mechanism->ctx, kind, inside, may_start_with_digit, where));
    if (strcmp(inside, "ground") == 0 || strcmp(inside, "energy") == 0) {
        return ha_fail(mechanism->ctx, HA_ERR_NAME, where,
                       "`%s` cannot be the name of %s %s, it has a meaning already; choose another",
                       name, m2d__article(kind), kind);
    }
    for (size_t i = 0; i < HA_COUNT(taken); i++) {
        if (ha__symtab_find(taken[i].table, name, strlen(name)) >= 0) {
            return ha_fail(mechanism->ctx, HA_ERR_NAME, where,
                           "the name `%s` of %s %s is already that of %s; rename one", name,
                           m2d__article(kind), kind, taken[i].kind);
        }
    }
    return HA_OK;
}

ha_status m2d__check_positive(m2d_mechanism *mechanism, ha_expr e, bool excludes_zero,
                              m2d__owner owner)
{
    double value = 0.0;
    char digits[HA__NUMBER_SIZE];

    HA_TRY(m2d__constant(mechanism->ctx, mechanism->dag, e, owner, &value));
    if (value < 0.0 || (excludes_zero && value == 0.0)) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, owner.where,
                       "`%s` of %s `%s` is %s; it must be %s 0", owner.key, owner.kind, owner.name,
                       ha__print_short_number(digits, value), excludes_zero ? "above" : "at least");
    }
    if (value > largest_value) {
        return ha_fail(
            mechanism->ctx, HA_ERR_VALUE, owner.where,
            "`%s` of %s `%s` is %s, whose products are beyond the numbers of a computer; "
            "it must be at most %g",
            owner.key, owner.kind, owner.name, ha__print_short_number(digits, value),
            largest_value);
    }
    return HA_OK;
}

ha_status m2d__check_range(m2d_mechanism *mechanism, ha_expr e, const m2d__key *key,
                           m2d__owner owner)
{
    double value = 0.0;
    char digits[HA__NUMBER_SIZE], most[HA__NUMBER_SIZE];

    HA_TRY(m2d__constant(mechanism->ctx, mechanism->dag, e, owner, &value));
    if (key->most == 0.0 || (value > 0.0 && value <= key->most)) {
        return m2d__check_positive(mechanism, e, key->excludes_zero, owner);
    }
    if (value == 0.0 && !key->excludes_zero) {
        return HA_OK;
    }
    return ha_fail(mechanism->ctx, HA_ERR_VALUE, owner.where,
                   "`%s` of %s `%s` is %s; it must be %s 0 and at most %s", owner.key, owner.kind,
                   owner.name, ha__print_short_number(digits, value),
                   key->excludes_zero ? "above" : "at least",
                   ha__print_short_number(most, key->most));
}

/* --- bodies --------------------------------------------------------------------------------- */

static ha_status check_body(m2d_mechanism *mechanism, const m2d_body_def *def,
                            const m2d__body *body)
{
    m2d__owner owner = { "body", def->name, "mass", def->where };
    double value = 0.0;

    HA_TRY(m2d__check_positive(mechanism, body->mass, false, owner));
    owner.key = "inertia";
    HA_TRY(m2d__check_positive(mechanism, body->inertia, false, owner));
    owner.key = "gravity";
    if ((def->gravity[0] == HA_EXPR_NONE) != (def->gravity[1] == HA_EXPR_NONE)) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where,
                       "`gravity` of body `%s` has one component; give both", def->name);
    }
    for (int i = 0; i < 2 && def->gravity[0] != HA_EXPR_NONE; i++) {
        HA_TRY(m2d__constant(mechanism->ctx, mechanism->dag, def->gravity[i], owner, &value));
    }
    for (int i = 0; i < M2D_N_COORDINATES; i++) {
        owner.key = m2d_coordinate_name((m2d_coordinate) i);
        if (def->start[i] != HA_EXPR_NONE) {
            HA_TRY(m2d__constant(mechanism->ctx, mechanism->dag, def->start[i], owner, &value));
        }
    }
    owner.key = "motion";
    for (int i = 0; i < 3; i++) {
        if (def->motion[i] != HA_EXPR_NONE) {
            HA_TRY(m2d__check_motion(mechanism, def->motion[i], owner));
        }
    }
    return ha_dag_status(mechanism->dag);
}

ha_status m2d_mechanism_add_body(m2d_mechanism *mechanism, const m2d_body_def *def)
{
    HA_NEED_OF(mechanism, def != NULL);
    m2d__body body = { .mass = def->mass, .inertia = def->inertia };
    m2d_body_def named = *def;
    int number = 0;

    HA_TRY(check_cookie(mechanism, def->cookie == BODY_COOKIE, "body", def->where));
    HA_TRY_GET(named.name, m2d__inside(mechanism, def->name == NULL ? "" : def->name));
    HA_TRY(m2d__check_new_name(mechanism, "body", named.name, false, def->where));
    HA_TRY(m2d__take_outline(mechanism, &named, &body));
    HA_TRY(m2d__take_point_mass(mechanism, &named, &body));
    HA_TRY(check_body(mechanism, &named, &body));
    memcpy(body.gravity, def->gravity, sizeof body.gravity);
    memcpy(body.start, def->start, sizeof body.start);
    m2d__move_start(mechanism, body.start, body.from);
    memcpy(body.motion, def->motion, sizeof body.motion);
    if (body.is_point) {
        bool is_given = body.start[M2D_ANGLE] != HA_EXPR_NONE;
        body.motion[2] = is_given ? body.start[M2D_ANGLE] : ha_constant(mechanism->dag, 0.0);
        body.start[M2D_OMEGA] = HA_EXPR_NONE; /* of the part that it is in */
    }
    memcpy(body.is_fixed, def->is_fixed, sizeof body.is_fixed);
    body.where = m2d__keep_where(mechanism->ctx, &mechanism->arena, &mechanism->file, def->where);
    HA_TRY_ROOM(mechanism->ctx, &mechanism->bodies, 1);
    HA_TRY(ha__symtab_add(mechanism->ctx, &mechanism->body_names, named.name, strlen(named.name),
                          &number, NULL));
    body.name = ha__symtab_name(&mechanism->body_names, number);
    mechanism->bodies.items[mechanism->bodies.count++] = body;
    return HA_OK;
}

/* The body of a full name; the ground goes by its own name in every part. */
static ha_status find_body(m2d_mechanism *mechanism, const char *name, m2d__owner user, int *out)
{
    int body = ha__symtab_find(&mechanism->body_names, name, strlen(name));
    size_t owner = m2d__owner_length(name);

    if (m2d__is_faulty(mechanism, name) && body < 0) {
        return HA_ERR_NAME;
    }
    if (body < 0 && strcmp(name + owner + (owner > 0), "ground") != 0) {
        static const char *const ground = "ground";
        const char *nearest = ha__symtab_nearest(&mechanism->body_names, name);
        nearest = nearest == NULL ? ha__nearest(name, &ground, 1) : nearest;
        HA_TRY(m2d__check_is_body(mechanism, name, user));
        HA_TRY(m2d__refuse_row(mechanism, name, user));
        return ha_fail(mechanism->ctx, HA_ERR_NAME, user.where,
                       "%s `%s` names the body `%s`, which does not exist; %s%s%s", user.kind,
                       user.name, name,
                       nearest != NULL ? "did you mean `" : "add it or use another",
                       nearest != NULL ? nearest : "", nearest != NULL ? "`?" : "");
    }
    *out = body < 0 ? M2D__GROUND : body;
    return HA_OK;
}

/* --- points --------------------------------------------------------------------------------- */

static ha_status check_point(m2d_mechanism *mechanism, const m2d_point_def *def, ha_expr axis)
{
    const struct {
        const char *key;
        ha_expr value;
    } values[] = { { "x", def->x }, { "y", def->y }, { "axis", axis } };
    double number = 0.0;

    for (size_t i = 0; i < HA_COUNT(values); i++) {
        HA_TRY(m2d__constant(mechanism->ctx, mechanism->dag, values[i].value,
                             (m2d__owner){ "point", def->name, values[i].key, def->where },
                             &number));
    }
    return HA_OK;
}

ha_status m2d_mechanism_add_point(m2d_mechanism *mechanism, const m2d_point_def *def)
{
    HA_NEED_OF(mechanism, def != NULL);
    m2d__point point = { .x = def->x, .y = def->y, .axis = def->axis };
    int is_new = 0, number = 0;

    HA_TRY(check_cookie(mechanism, def->cookie == POINT_COOKIE, "point", def->where));
    HA_TRY(m2d__check_name(mechanism->ctx, "point", def->name, true, def->where));
    const char *owner = m2d__inside(mechanism, def->body == NULL ? "" : def->body);
    HA_TRY_MEMORY(owner);
    HA_TRY(find_body(mechanism, owner, (m2d__owner){ "point", def->name, NULL, def->where },
                     &point.body));
    if (point.axis == HA_EXPR_NONE) {
        point.axis = ha_constant(mechanism->dag, 0.0);
    }
    HA_TRY(check_point(mechanism, def, point.axis));
    if (point.body != M2D__GROUND) { /* from the frame of the drawing to the mass centre */
        const m2d__body *body = &mechanism->bodies.items[point.body];
        point.x = ha_sub(mechanism->dag, point.x, body->centre[0]);
        point.y = ha_sub(mechanism->dag, point.y, body->centre[1]);
    }
    point.where = m2d__keep_where(mechanism->ctx, &mechanism->arena, &mechanism->file, def->where);
    point.name = ha__arena_text(mechanism->ctx, &mechanism->arena, def->name, strlen(def->name));
    point.full_name =
        ha__arena_format(mechanism->ctx, &mechanism->arena, "%s.%s", owner, def->name);
    if (point.name == NULL || point.full_name == NULL) {
        return HA_ERR_MEMORY;
    }
    HA_TRY_ROOM(mechanism->ctx, &mechanism->points, 1);
    HA_TRY(ha__symtab_add(mechanism->ctx, &mechanism->point_names, point.full_name,
                          strlen(point.full_name), &number, &is_new));
    if (is_new == 0) {
        return ha_fail(mechanism->ctx, HA_ERR_NAME, def->where,
                       "the point `%s` is given twice; rename one", point.full_name);
    }
    mechanism->points.items[mechanism->points.count++] = point;
    return HA_OK;
}

/* The point "BODY.POINT" or a port that is one; M2D__GROUND points included. */
static ha_status find_point(m2d_mechanism *mechanism, const char *text, m2d__owner user, int *out)
{
    const char *full = m2d__resolve(mechanism, text);
    int body = 0;

    HA_TRY_MEMORY(full);
    if (text == NULL || strchr(text, '.') == NULL) {
        return ha_fail(mechanism->ctx, HA_ERR_NAME, user.where,
                       "%s `%s` is at `%s`, which is not a point; write BODY.POINT", user.kind,
                       user.name, text == NULL ? "" : text);
    }
    *out = ha__symtab_find(&mechanism->point_names, full, strlen(full));
    if (*out >= 0) {
        return HA_OK;
    }
    HA_TRY(m2d__is_faulty(mechanism, full) ? HA_ERR_NAME : m2d__fail_port(mechanism, full, user));
    size_t length = m2d__owner_length(full);
    const char *name = ha__arena_text(mechanism->ctx, &mechanism->arena, full, length);
    HA_TRY_MEMORY(name);
    HA_TRY(find_body(mechanism, name, user, &body));

    const char *nearest = ha__symtab_nearest(&mechanism->point_names, full);
    return ha_fail(mechanism->ctx, HA_ERR_NAME, user.where,
                   "%s `%s` is at `%s`, but body `%s` has no point `%s`; %s%s%s", user.kind,
                   user.name, full, m2d_body_name(mechanism, body), full + length + 1,
                   nearest != NULL ? "did you mean `" : "add it to the body's points",
                   nearest != NULL ? nearest : "", nearest != NULL ? "`?" : "");
}

/* --- joints and forces ---------------------------------------------------------------------- */

/* Finds both points, which must be on different bodies. */
static ha_status find_ends(m2d_mechanism *mechanism, const m2d_connection_def *def,
                           const char *kind, m2d__connection *connection)
{
    int bodies[2];

    for (int end = 0; end < 2; end++) {
        m2d__owner user = { kind, def->name, NULL, def->ends_where[end] };
        user.where = user.where.file == NULL ? def->where : user.where;
        HA_TRY(find_point(mechanism, def->ends[end], user, &connection->points[end]));
        bodies[end] = mechanism->points.items[connection->points[end]].body;
    }
    if (bodies[0] == bodies[1]) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where,
                       "%s `%s` is between %s and %s, two points of %s%s%s; put its ends on two "
                       "bodies",
                       kind, def->name, def->ends[0], def->ends[1],
                       bodies[0] == M2D__GROUND ? "the " : "body `",
                       m2d_body_name(mechanism, bodies[0]), bodies[0] == M2D__GROUND ? "" : "`");
    }
    connection->body = bodies[0];
    return HA_OK;
}

/* Of a joint with one point: the other is on the plane of the ground, where its position means
   nothing. */
static ha_status find_plane(m2d_mechanism *mechanism, const m2d_connection_def *def,
                            m2d__connection *joint)
{
    static const char name[] = "ground.plane";
    m2d__owner user = { "joint", def->name, NULL, def->ends_where[0] };
    m2d_point_def plane = m2d_point_def_default();
    const char *full = m2d__inside(mechanism, name);

    HA_TRY_MEMORY(full);
    user.where = user.where.file == NULL ? def->where : user.where;
    plane.body = "ground";
    plane.name = name + strlen("ground.");
    plane.x = plane.y = ha_constant(mechanism->dag, 0.0);
    if (ha__symtab_find(&mechanism->point_names, full, strlen(full)) < 0) {
        HA_TRY(m2d_mechanism_add_point(mechanism, &plane));
    }
    HA_TRY(find_point(mechanism, name, user, &joint->points[0]));
    HA_TRY(find_point(mechanism, def->ends[0], user, &joint->points[1]));
    if (mechanism->points.items[joint->points[1]].body == M2D__GROUND) {
        return ha_fail(
            mechanism->ctx, HA_ERR_VALUE, user.where,
            "joint `%s` is on %s, a point of the ground, which does not move; put it on a "
            "body",
            def->name, def->ends[0]);
    }
    joint->body = M2D__GROUND;
    return HA_OK;
}

/* Finds the one point, body or direction of a joint that a force acts on; a point or body must
   move. */
static ha_status find_one(m2d_mechanism *mechanism, const m2d_connection_def *def,
                          m2d__connection *force)
{
    m2d__owner user = { "force", def->name, NULL, def->ends_where[0] };

    const char *full = m2d__resolve(mechanism, def->ends[0]);

    HA_TRY_MEMORY(full);
    user.where = user.where.file == NULL ? def->where : user.where;
    force->points[0] = force->points[1] = -1;
    if (force->target == M2D__ON_ANGLE || force->target == M2D__ON_SLIDE) {
        HA_TRY(m2d__find_direction(mechanism, full, user, &force->on_joint, &force->on_direction));
        memcpy(force->points, mechanism->joints.items[force->on_joint].points,
               sizeof force->points);
        force->body = mechanism->joints.items[force->on_joint].body;
        return HA_OK;
    }
    if (force->target == M2D__ON_BODY) {
        HA_TRY(find_body(mechanism, full, user, &force->body));
    } else {
        HA_TRY(find_point(mechanism, def->ends[0], user, &force->points[0]));
        force->body = mechanism->points.items[force->points[0]].body;
    }
    if (force->body == M2D__GROUND) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, user.where,
                       "force `%s` acts on the ground and moves nothing; put it on a body",
                       def->name);
    }
    return HA_OK;
}

/* Gives the connection its name and appends it to `table`, in which there is room. */
static ha_status keep_name(m2d_mechanism *mechanism, const m2d_connection_def *def,
                           ha__symtab *table, m2d__connection *connection)
{
    int number = 0;

    connection->where =
        m2d__keep_where(mechanism->ctx, &mechanism->arena, &mechanism->file, def->where);
    HA_TRY(ha__symtab_add(mechanism->ctx, table, def->name, strlen(def->name), &number, NULL));
    connection->name = ha__symtab_name(table, number);
    return HA_OK;
}

/* Names the nearest type, or all. */
static ha_status fail_type(m2d_mechanism *mechanism, const m2d_connection_def *def,
                           const char *kind, const char *(*name_at)(size_t i))
{
    const char *type = def->type == NULL ? "" : def->type;
    const char *near = strcmp(kind, "joint") == 0 ? m2d__joint_type_meant(type) : NULL;
    ha__strbuf known = HA_STRBUF(mechanism->ctx);

    for (size_t i = 0; name_at(i) != NULL; i++) {
        const char *name = name_at(i);
        near = near == NULL ? ha__nearest(type, &name, 1) : near;
        ha__strbuf_addf(&known, "%s`%s`", i > 0 ? ", " : "", name);
    }
    return HA_FAIL_WITH(known, mechanism->ctx, HA_ERR_NAME, def->where,
                        "%s `%s` has the type `%s`, which is not known; %s%s%s", kind, def->name,
                        type, near != NULL ? "did you mean `" : "use one of ",
                        near != NULL ? near : ha__strbuf_text(&known), near != NULL ? "`?" : "");
}

static const char *joint_type_name(size_t i)
{
    const m2d__joint_type *type = m2d__joint_type_at(i);

    return type == NULL ? NULL : type->name;
}

static const char *force_type_name(size_t i)
{
    const m2d__force_type *type = m2d__force_type_at(i);

    return type == NULL ? NULL : type->name;
}

/* HA_OK when the values of the settings, each in its range, go together. */
static ha_status check_together(m2d_mechanism *mechanism, const m2d_joint_def *def,
                                const m2d__connection *joint)
{
    enum { MOST = 16 * M2D__MAX_COMPONENTS };
    double values[MOST] = { 0.0 };
    const char *fault = NULL;

    for (int i = 0;
         joint->joint->fault != NULL && i < joint->joint->n_keys * M2D__MAX_COMPONENTS && i < MOST;
         i++) {
        values[i] = m2d__number(mechanism->dag, joint->settings[i]);
    }
    fault = joint->joint->fault == NULL ? NULL : joint->joint->fault(values);
    if (fault != NULL) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where, "joint `%s` of type %s: %s",
                       def->name, joint->joint->name, fault);
    }
    return HA_OK;
}

/* HA_OK when a joint of this type can have its model, with these settings. */
static ha_status check_model(m2d_mechanism *mechanism, const m2d_joint_def *def,
                             const m2d__connection *joint)
{
    const m2d__joint_model *model = joint->model;

    if (model->joint_type != NULL && strcmp(model->joint_type, joint->joint->name) != 0) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where,
                       "joint `%s` of type %s has the model `%s`, which is for others; make it "
                       "%s, or give it another model",
                       def->name, def->type, model->name, model->joint_type);
    }
    if (!model->is_exact && joint->own != NULL && def->n_rates > 0) {
        return ha_fail(
            mechanism->ctx, HA_ERR_VALUE, def->where,
            "joint `%s` has constraints on velocities, which no spring can hold, and the "
            "model `%s`; give it the model `ideal`, or a damper instead of `rates`",
            def->name, model->name);
    }
    return model->check == NULL ? HA_OK : model->check(mechanism, def, joint);
}

/* Adds a joint or force under its full name. */
static ha_status
add_connection(m2d_mechanism *mechanism, const m2d_connection_def *def, const char *kind,
               ha_status (*add)(m2d_mechanism *mechanism, const m2d_connection_def *def))
{
    m2d_connection_def named = *def;

    HA_TRY(check_cookie(mechanism, def->cookie == CONNECTION_COOKIE, kind, def->where));
    HA_TRY_GET(named.name, m2d__inside(mechanism, def->name == NULL ? "" : def->name));
    return add(mechanism, &named);
}

static ha_status add_joint(m2d_mechanism *mechanism, const m2d_joint_def *def)
{
    m2d__connection joint = { 0 };

    HA_TRY(m2d__check_new_name(mechanism, "joint", def->name, false, def->where));
    joint.joint = def->type == NULL ? NULL : m2d__joint_type_find(def->type);
    if (joint.joint == NULL) {
        return fail_type(mechanism, def, "joint", joint_type_name);
    }
    HA_TRY(joint.joint->takes_point && def->ends[1] == NULL
               ? find_plane(mechanism, def, &joint)
               : find_ends(mechanism, def, "joint", &joint));
    HA_TRY(m2d__take_own(mechanism, def, &joint));
    HA_TRY(m2d__take_motions(mechanism, def, &joint));
    HA_TRY(m2d__take_model(mechanism, def, &joint));
    HA_TRY(m2d__take_settings(mechanism, def, joint.joint->keys, joint.joint->n_keys, &joint));
    HA_TRY(check_together(mechanism, def, &joint));
    HA_TRY(check_model(mechanism, def, &joint));
    HA_TRY(joint.joint->check == NULL ? HA_OK : joint.joint->check(mechanism, def, &joint));
    HA_TRY_ROOM(mechanism->ctx, &mechanism->joints, 1);
    HA_TRY(keep_name(mechanism, def, &mechanism->joint_names, &joint));
    mechanism->joints.items[mechanism->joints.count++] = joint;
    return HA_OK;
}

ha_status m2d_mechanism_add_joint(m2d_mechanism *mechanism, const m2d_joint_def *def)
{
    HA_NEED_OF(mechanism, def != NULL);
    return add_connection(mechanism, def, "joint", add_joint);
}

static ha_status add_force(m2d_mechanism *mechanism, const m2d_force_def *def)
{
    m2d__connection force = { 0 };

    HA_TRY(m2d__check_new_name(mechanism, "force", def->name, false, def->where));
    force.force = def->type == NULL ? NULL : m2d__force_type_find(def->type);
    if (force.force == NULL) {
        return fail_type(mechanism, def, "force", force_type_name);
    }
    HA_TRY(m2d__find_target(mechanism, def, force.force, &force.target));
    if (force.target == M2D__BETWEEN_POINTS) {
        HA_TRY(find_ends(mechanism, def, "force", &force));
    } else {
        HA_TRY(find_one(mechanism, def, &force));
    }
    const m2d__force_keys *keys = &force.force->on[force.target];
    HA_TRY(m2d__take_settings(mechanism, def, keys->items, keys->count, &force));
    if (force.force->check != NULL) {
        HA_TRY(force.force->check(mechanism, &force, def));
    }
    HA_TRY_ROOM(mechanism->ctx, &mechanism->forces, 1);
    HA_TRY(keep_name(mechanism, def, &mechanism->force_names, &force));
    mechanism->forces.items[mechanism->forces.count++] = force;
    return HA_OK;
}

ha_status m2d_mechanism_add_force(m2d_mechanism *mechanism, const m2d_force_def *def)
{
    HA_NEED_OF(mechanism, def != NULL);
    return add_connection(mechanism, def, "force", add_force);
}
