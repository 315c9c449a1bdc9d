/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts: what is inside has the names of the parts around it in front, `crane.left.rod`. A
 * mechanism knows nothing but such full names. What is added while a part is being built is called
 * by its name inside; m2d__resolve() puts the rest in front and follows ports:
 *
 *   text inside of `crane`     full name           through the port `tip: rod.P` of the part
 *   rod.P                      crane.rod.P         crane.rod.P
 *   left.tip                   crane.left.tip      crane.left.rod.P
 *   left.tip.vx                crane.left.tip.vx   crane.left.rod.P.vx
 *
 * Starts of bodies are in the axes of the part. With the pose (x0, y0, a) of the part, its rates
 * (v0, w) and R the rotation by a:
 *
 *   r = R (x, y)   position = (x0, y0) + r   velocity = v0 + R v + w * (-r_y, r_x)
 */
#include <config.h>

#include "mech2d/part.h"

#include "bondgraph/graph/element.h"
#include "lib/core/need.h"
#include "lib/core/strbuf.h"
#include "mech2d/mechanism/mechanism_priv.h"

#include <stdlib.h>
#include <string.h>

enum {
    PART_COOKIE = 0x6d326461,
    DEEPEST = 32,            /* parts inside each other */
    MOST_PARTS = 100 * 1000, /* of a mechanism; a few lines can ask for more */
};

m2d_part_def m2d_part_def_default(void)
{
    return (m2d_part_def){ .cookie = PART_COOKIE };
}

/* --- names ---------------------------------------------------------------------------------- */

const char *m2d__inside(m2d_mechanism *mechanism, const char *name)
{
    const char *const texts[3] = {
        mechanism->part < 0 ? NULL : mechanism->parts.items[mechanism->part].name, ".", name
    };

    return texts[0] == NULL ? name : ha__arena_join(mechanism->ctx, &mechanism->arena, texts);
}

const char *m2d__short_name(const m2d_mechanism *mechanism, const char *full)
{
    size_t length =
        mechanism->part < 0 ? 0 : strlen(mechanism->parts.items[mechanism->part].name) + 1;

    return full + length;
}

size_t m2d__owner_length(const char *full)
{
    const char *dot = strrchr(full, '.');

    return dot == NULL ? 0 : (size_t) (dot - full);
}

const char *m2d__through_ports(m2d_mechanism *mechanism, const char *full)
{
    static const char axis[] = ".axis";
    size_t length = strlen(full);

    for (size_t n = mechanism->ports.count > 0 ? length : 0; n > 0;) {
        int port = ha__symtab_find(&mechanism->port_names, full, n);
        if (port >= 0) {
            const char *target = mechanism->ports.items[port].target;
            size_t kept = strlen(target);
            if (n < length && kept > sizeof axis &&
                strcmp(target + kept - (sizeof axis - 1), axis) == 0) {
                kept -= sizeof axis - 1; /* J.angle of the axis of J */
            }
            return n == length ? target
                               : ha__arena_format(mechanism->ctx, &mechanism->arena, "%.*s%s",
                                                  (int) kept, target, full + n);
        }
        do {
            n--;
        } while (n > 0 && full[n] != '.');
    }
    return full;
}

const char *m2d__resolve(m2d_mechanism *mechanism, const char *text)
{
    const char *full = m2d__inside(mechanism, text == NULL ? "" : text);

    return full == NULL ? NULL : m2d__through_ports(mechanism, full);
}

/* Adds the ports of a part to a list. */
static void add_ports(const m2d_mechanism *mechanism, int part, ha__strbuf *list)
{
    int n = 0;

    for (size_t i = 0; i < mechanism->ports.count; i++) {
        if (mechanism->ports.items[i].part == part) {
            const char *name = ha__symtab_name(&mechanism->port_names, (int) i);
            ha__strbuf_addf(list, "%s`%s`", n++ > 0 ? ", " : "", strrchr(name, '.') + 1);
        }
    }
}

/* The name of a port of the part that is near to this one, NULL: there is none. */
static const char *near_port(const m2d_mechanism *mechanism, int part, const char *name)
{
    const char *nearest = NULL;

    for (size_t i = 0; i < mechanism->ports.count && nearest == NULL; i++) {
        const char *port = strrchr(ha__symtab_name(&mechanism->port_names, (int) i), '.') + 1;
        nearest = mechanism->ports.items[i].part == part ? ha__nearest(name, &port, 1) : NULL;
    }
    return nearest;
}

/* Fails when a full name has an index beyond the end of its row, as `link[5]` of three links. */
static ha_status fail_row(m2d_mechanism *mechanism, const char *full, m2d__owner user)
{
    size_t row = m2d__owner_length(full);
    bool is_row = row > 0 && full[row - 1] == ']';
    int n = 0;

    while (row > 0 && full[row] != '[') {
        row--;
    }
    for (bool is_there = is_row; is_there; n += is_there) {
        const char *name =
            ha__arena_format(mechanism->ctx, &mechanism->arena, "%.*s[%d]", (int) row, full, n);
        HA_TRY_MEMORY(name);
        is_there = ha__symtab_find(&mechanism->part_names, name, strlen(name)) >= 0;
    }
    return n == 0 ? HA_OK
                  : ha_fail(mechanism->ctx, HA_ERR_NAME, user.where,
                            "%s `%s` is at `%s`, but the last of the row is `%.*s[%d]`; correct "
                            "the index",
                            user.kind, user.name, full, (int) row, full, n - 1);
}

ha_status m2d__fail_port(m2d_mechanism *mechanism, const char *full, m2d__owner user)
{
    size_t length = m2d__owner_length(full);
    int part = ha__symtab_find(&mechanism->part_names, full, length);
    ha__strbuf list = HA_STRBUF(mechanism->ctx);

    if (part < 0) {
        return fail_row(mechanism, full, user);
    }
    const char *port = full + length + 1, *nearest = near_port(mechanism, part, port);
    add_ports(mechanism, part, &list);
    return HA_FAIL_WITH(
        list, mechanism->ctx, HA_ERR_NAME, user.where,
        "%s `%s` is at `%s`, but the part `%s` of type `%s` has no port `%s`; %s%s%s", user.kind,
        user.name, full, mechanism->parts.items[part].name, mechanism->parts.items[part].type, port,
        nearest != NULL   ? "did you mean `"
        : list.length > 0 ? "it has "
                          : "give it ports first",
        nearest != NULL ? nearest : ha__strbuf_text(&list), nearest != NULL ? "`?" : "");
}

/* --- starts --------------------------------------------------------------------------------- */

static bool is_given(ha_expr e)
{
    return e != HA_EXPR_NONE;
}

static ha_expr or_zero(ha_dag *dag, ha_expr e)
{
    return is_given(e) ? e : ha_constant(dag, 0.0);
}

/* Turns a vector by the angle of a pose. */
static void turn(ha_dag *dag, ha_expr angle, ha_expr v[2])
{
    if (is_given(angle)) {
        ha_expr c = ha_apply(dag, HA_OP_COS, angle, HA_EXPR_NONE, HA_EXPR_NONE);
        ha_expr s = ha_apply(dag, HA_OP_SIN, angle, HA_EXPR_NONE, HA_EXPR_NONE);
        ha_expr x = v[0], y = v[1];
        v[0] = ha_sub(dag, ha_mul(dag, c, x), ha_mul(dag, s, y));
        v[1] = ha_add(dag, ha_mul(dag, s, x), ha_mul(dag, c, y));
    }
}

/* The sum of two starts, of which one may be given or both. */
static ha_expr sum(ha_dag *dag, ha_expr a, ha_expr b)
{
    return !is_given(a) ? b : !is_given(b) ? a : ha_add(dag, a, b);
}

/* Adds the velocity of the part at the point r from its origin. */
static void move_velocity(ha_dag *dag, const ha_expr pose[M2D_N_COORDINATES], const ha_expr r[2],
                          ha_expr start[M2D_N_COORDINATES])
{
    bool is_moving = is_given(start[M2D_VX]) || is_given(start[M2D_VY]);
    ha_expr v[2] = { or_zero(dag, start[M2D_VX]), or_zero(dag, start[M2D_VY]) };

    turn(dag, pose[M2D_ANGLE], v);
    if (is_given(pose[M2D_OMEGA])) {
        v[0] = ha_sub(dag, v[0], ha_mul(dag, pose[M2D_OMEGA], r[1]));
        v[1] = ha_add(dag, v[1], ha_mul(dag, pose[M2D_OMEGA], r[0]));
        is_moving = true;
    }
    if (is_moving || is_given(pose[M2D_VX]) || is_given(pose[M2D_VY])) {
        start[M2D_VX] = sum(dag, pose[M2D_VX], v[0]);
        start[M2D_VY] = sum(dag, pose[M2D_VY], v[1]);
    }
}

/* Takes the point where a search of a position begins from the axes of a part to those around it.
 */
static void move_search(ha_dag *dag, const ha_expr pose[M2D_N_COORDINATES], ha_expr from[2])
{
    if (!is_given(from[0]) && !is_given(pose[M2D_X]) && !is_given(pose[M2D_Y])) {
        return; /* at the origin, as around a part without a position */
    }
    ha_expr r[2] = { or_zero(dag, from[0]), or_zero(dag, from[1]) };

    turn(dag, pose[M2D_ANGLE], r);
    from[0] = sum(dag, pose[M2D_X], r[0]);
    from[1] = sum(dag, pose[M2D_Y], r[1]);
}

/* From the axes of a part to those around it. A position that is not given stays so: it follows
   from the joints, and is searched from the origin of the part. */
static void move(ha_dag *dag, const ha_expr pose[M2D_N_COORDINATES],
                 ha_expr start[M2D_N_COORDINATES], ha_expr from[2])
{
    ha_expr r[2] = { or_zero(dag, start[M2D_X]), or_zero(dag, start[M2D_Y]) };

    turn(dag, pose[M2D_ANGLE], r);
    move_velocity(dag, pose, r, start);
    if (is_given(start[M2D_X]) || is_given(start[M2D_Y])) {
        start[M2D_X] = sum(dag, pose[M2D_X], r[0]);
        start[M2D_Y] = sum(dag, pose[M2D_Y], r[1]);
    } else {
        move_search(dag, pose, from);
    }
    start[M2D_ANGLE] = sum(dag, pose[M2D_ANGLE], start[M2D_ANGLE]);
    start[M2D_OMEGA] = sum(dag, pose[M2D_OMEGA], start[M2D_OMEGA]);
}

void m2d__move_start(const m2d_mechanism *mechanism, ha_expr start[M2D_N_COORDINATES],
                     ha_expr from[2])
{
    from[0] = from[1] = HA_EXPR_NONE;
    for (int i = mechanism->part; i >= 0; i = mechanism->parts.items[i].outer) {
        if (mechanism->parts.items[i].is_placed) {
            move(mechanism->dag, mechanism->parts.items[i].start, start, from);
        }
    }
}

ha_expr m2d__start_of(const m2d__body *body, int coordinate)
{
    bool is_sought = coordinate < 2 && !is_given(body->start[coordinate]);

    return is_sought ? body->from[coordinate] : body->start[coordinate];
}

bool m2d__part_axes(const m2d_mechanism *mechanism, ha_expr axes[M2D_N_COORDINATES])
{
    bool is_placed = false;
    ha_expr from[2];

    for (int i = 0; i < M2D_N_COORDINATES; i++) {
        axes[i] = ha_constant(mechanism->dag, 0.0);
    }
    for (int i = mechanism->part; i >= 0; i = mechanism->parts.items[i].outer) {
        is_placed = is_placed || mechanism->parts.items[i].is_placed;
    }
    m2d__move_start(mechanism, axes, from);
    return is_placed;
}

/* --- building ------------------------------------------------------------------------------- */

static ha_status check_room(m2d_mechanism *mechanism, const m2d_part_def *def)
{
    int depth = 1;

    for (int i = mechanism->part; i >= 0; i = mechanism->parts.items[i].outer) {
        depth++;
    }
    if (depth > DEEPEST) {
        return ha_fail(mechanism->ctx, HA_ERR_LIMIT, def->where,
                       "the part `%s` is more than %d parts deep; use fewer levels", def->name,
                       (int) DEEPEST);
    }
    return mechanism->parts.count < MOST_PARTS
               ? HA_OK
               : ha_fail(mechanism->ctx, HA_ERR_LIMIT, def->where,
                         "with the part `%s` the mechanism has more than %d parts; use fewer",
                         def->name, (int) MOST_PARTS);
}

static ha_status check_start(m2d_mechanism *mechanism, const m2d_part_def *def)
{
    double value = 0.0;

    for (int i = 0; i < M2D_N_COORDINATES; i++) {
        const m2d__owner owner = { "part", def->name, m2d_coordinate_name((m2d_coordinate) i),
                                   def->where };
        HA_TRY(is_given(def->start[i])
                   ? m2d__constant(mechanism->ctx, mechanism->dag, def->start[i], owner, &value)
                   : HA_OK);
    }
    return HA_OK;
}

ha_status m2d_mechanism_begin_part(m2d_mechanism *mechanism, const m2d_part_def *def)
{
    HA_NEED_OF(mechanism, def != NULL);
    m2d__part part = { .outer = mechanism->part,
                       .first_bond = mechanism->bonds.count,
                       .first_port = mechanism->ports.count };
    const char *type = def->type == NULL ? "part" : def->type, *full = NULL;
    int number = 0;

    if (def->cookie != PART_COOKIE) {
        return ha_fail(mechanism->ctx, HA_ERR_ARGUMENT, def->where,
                       "the definition of a part does not come from m2d_part_def_default(); start "
                       "from that");
    }
    HA_TRY_GET(full, m2d__inside(mechanism, def->name == NULL ? "" : def->name));
    HA_TRY(m2d__check_new_name(mechanism, "part", full, false, def->where));
    HA_TRY(check_room(mechanism, def));
    HA_TRY(check_start(mechanism, def));
    for (int i = 0; i < M2D_N_COORDINATES; i++) {
        part.start[i] = def->start[i];
        part.is_placed = part.is_placed || is_given(def->start[i]);
    }
    part.type = ha__arena_text(mechanism->ctx, &mechanism->arena, type, strlen(type));
    part.where = m2d__keep_where(mechanism->ctx, &mechanism->arena, &mechanism->file, def->where);
    HA_TRY_MEMORY(part.type);
    HA_TRY_ROOM(mechanism->ctx, &mechanism->parts, 1);
    HA_TRY(
        ha__symtab_add(mechanism->ctx, &mechanism->part_names, full, strlen(full), &number, NULL));
    part.name = ha__symtab_name(&mechanism->part_names, number);
    mechanism->part = (int) mechanism->parts.count;
    mechanism->parts.items[mechanism->parts.count++] = part;
    return HA_OK;
}

/* True when a full name is that of something a port can be. */
static bool is_place(const m2d_mechanism *m, const char *full, size_t length)
{
    return ha__symtab_find(&m->point_names, full, length) >= 0 ||
           ha__symtab_find(&m->body_names, full, length) >= 0 ||
           ha__symtab_find(&m->joint_names, full, length) >= 0 ||
           ha__symtab_find(&m->element_names, full, length) >= 0;
}

static ha_status refuse_place(m2d_mechanism *m, const char *full, m2d__owner user)
{
    const char *nearest = ha__symtab_nearest(&m->point_names, full);

    nearest = nearest == NULL ? ha__symtab_nearest(&m->joint_names, full) : nearest;
    nearest = nearest == NULL ? ha__symtab_nearest(&m->element_names, full) : nearest;
    return ha_fail(m->ctx, HA_ERR_NAME, user.where,
                   "%s `%s` is at `%s`, which is no point, axis of a joint or element of the part; "
                   "%s%s%s",
                   user.kind, user.name, full, nearest != NULL ? "did you mean `" : "add it",
                   nearest != NULL ? nearest : "", nearest != NULL ? "`?" : "");
}

/* True when a name is that of another port, or of something else than what is behind this one: a
   joint may be known by its axis. */
static bool is_other(const m2d_mechanism *m, const char *full, const char *target)
{
    size_t n = strlen(full);
    bool is_joint = ha__symtab_find(&m->joint_names, full, n) >= 0;
    bool is_its =
        strncmp(full, target, n) == 0 && (target[n] == '\0' || (target[n] == '.' && is_joint));

    return ha__symtab_find(&m->port_names, full, n) >= 0 ||
           ha__symtab_find(&m->part_names, full, n) >= 0 || (is_place(m, full, n) && !is_its);
}

/* HA_OK when what is behind a port exists; of what has a dot, its direction or port as well. */
static ha_status check_place(m2d_mechanism *m, const char *full, m2d__owner user)
{
    size_t length = m2d__owner_length(full);
    int joint = 0, direction = 0;
    m2d__bond_end end = { 0 };

    if (m2d__is_faulty(m, full)) {
        return HA_ERR_NAME;
    }
    if (ha__symtab_find(&m->point_names, full, strlen(full)) >= 0 ||
        ha__symtab_find(&m->body_names, full, strlen(full)) >= 0) {
        return HA_OK;
    }
    if (ha__symtab_find(&m->joint_names, full, strlen(full)) >= 0 ||
        ha__symtab_find(&m->joint_names, full, length) >= 0) {
        return m2d__find_direction(m, full, user, &joint, &direction);
    }
    if (is_place(m, full, strlen(full)) || ha__symtab_find(&m->element_names, full, length) >= 0) {
        return m2d__find_end(m, full, user, &end);
    }
    return refuse_place(m, full, user);
}

ha_status m2d_mechanism_add_part_port(m2d_mechanism *mechanism, const char *name, const char *inner,
                                      ha_where where)
{
    HA_NEED_OF(mechanism, name != NULL && inner != NULL);
    const m2d__owner user = { "the port", name, NULL, where };
    m2d__part_port port = { .part = mechanism->part };
    int number = 0;

    if (mechanism->part < 0) {
        return ha_fail(mechanism->ctx, HA_ERR_ARGUMENT, where,
                       "the port `%s` is not in a part; begin one", name);
    }
    const char *full = m2d__inside(mechanism, name);
    port.target = m2d__resolve(mechanism, inner);
    if (full == NULL || port.target == NULL) {
        return HA_ERR_MEMORY;
    }
    HA_TRY(m2d__check_name(mechanism->ctx, "port", name, true, where));
    if (is_other(mechanism, full, port.target)) {
        return ha_fail(mechanism->ctx, HA_ERR_NAME, where,
                       "the name `%s` of the port is taken already; rename one", full);
    }
    HA_TRY(check_place(mechanism, port.target, user));
    HA_TRY_ROOM(mechanism->ctx, &mechanism->ports, 1);
    HA_TRY(
        ha__symtab_add(mechanism->ctx, &mechanism->port_names, full, strlen(full), &number, NULL));
    mechanism->ports.items[mechanism->ports.count++] = port;
    return HA_OK;
}

/* The port of an element that a port of the part names by its number, -1: it names none. */
static int numbered_port(m2d_mechanism *m, const m2d__part_port *port, int *element)
{
    size_t length = m2d__owner_length(port->target);
    int number = ha__symtab_find(&m->element_names, port->target, length);

    *element = number;
    if (number < 0 || m->elements.items[number].instance != NULL) {
        return -1;
    }
    return (int) strtol(port->target + length + 1, NULL, 10) - 1;
}

/* True when a port of an element is taken: by a port of the part or a bond in it. */
static bool is_taken(m2d_mechanism *m, const m2d__part *part, int element, int number)
{
    int of = 0;

    for (size_t i = part->first_port; i < m->ports.count; i++) {
        if (numbered_port(m, &m->ports.items[i], &of) == number && of == element) {
            return true;
        }
    }
    for (size_t i = part->first_bond; i < m->bonds.count; i++) {
        const m2d__bond_end *ends = m->bonds.items[i].ends;
        if ((ends[0].element == element && ends[0].port == number) ||
            (ends[1].element == element && ends[1].port == number)) {
            return true;
        }
    }
    return false;
}

/* Where a port of the part is a port of an element by number, the bonds inside that name none have
   the others. */
static void number_bonds(m2d_mechanism *m, const m2d__part *part)
{
    int element = 0;

    for (size_t i = part->first_port; i < m->ports.count; i++) {
        if (m->ports.items[i].part != m->part ||
            numbered_port(m, &m->ports.items[i], &element) < 0) {
            continue;
        }
        for (size_t k = 2 * part->first_bond; k < 2 * m->bonds.count; k++) {
            m2d__bond_end *end = &m->bonds.items[k / 2].ends[k % 2];
            int number = 0;
            while (end->element == element && end->port < 0 && number < BG__MAX_FIELD_PORTS &&
                   is_taken(m, part, element, number)) {
                number++;
            }
            end->port = end->element == element && end->port < 0 ? number : end->port;
        }
    }
}

ha_status m2d_mechanism_end_part(m2d_mechanism *mechanism)
{
    HA_NEED(NULL, mechanism != NULL);

    if (mechanism->part < 0) {
        return ha_fail(mechanism->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "there is no part to end; begin one");
    }
    number_bonds(mechanism, &mechanism->parts.items[mechanism->part]);
    mechanism->part = mechanism->parts.items[mechanism->part].outer;
    return HA_OK;
}

/* --- what is there -------------------------------------------------------------------------- */

int m2d_mechanism_n_parts(const m2d_mechanism *mechanism)
{
    HA_NEED_ELSE(mechanism != NULL, 0);
    return (int) mechanism->parts.count;
}

const char *m2d_part_name(const m2d_mechanism *mechanism, int i)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, m2d_mechanism_n_parts(mechanism)), "");
    return mechanism->parts.items[i].name;
}

const char *m2d_part_type(const m2d_mechanism *mechanism, int i)
{
    HA_NEED_ELSE(HA_IS_INDEX(i, m2d_mechanism_n_parts(mechanism)), "");
    return mechanism->parts.items[i].type;
}

ha_status m2d__refuse_row(m2d_mechanism *mechanism, const char *name, m2d__owner user)
{
    for (size_t i = 0; i < mechanism->parts.count; i++) {
        const char *part = ha__symtab_name(&mechanism->part_names, (int) i);
        size_t length = strlen(name);
        if (strncmp(part, name, length) == 0 && part[length] == '[') {
            return ha_fail(
                mechanism->ctx, HA_ERR_NAME, user.where,
                "%s `%s` names the body `%s`, but that is a row of parts; write which one "
                "of them, as `%s[0].PORT`",
                user.kind, user.name, name, name);
        }
    }
    return HA_OK;
}
