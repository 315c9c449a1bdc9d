/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a mechanism to a bond graph: bodies, then the points that are used, then joints, drives and
 * forces, then elements of other domains and what they are bonded to, then the meaning of the names
 * that expressions used before they existed.
 */
#include <config.h>

#include "bondgraph/graph/group.h"
#include "lib/expr/expr_priv.h"
#include "mech2d/expand/expand_priv.h"

#include <math.h>
#include <string.h>

const char *const m2d__labels[3] = { "x", "y", "angle" };

/* --- helpers over the graph ----------------------------------------------------------------- */

const char *m2d__name(m2d__expander *x, const char *first, const char *second, const char *third)
{
    const char *const parts[3] = { first, ".", second };

    return third == NULL ? ha__arena_join(x->ctx, &x->names, parts)
                         : ha__arena_format(x->ctx, &x->names, "%s.%s.%s", first, second, third);
}

ha_status m2d__element(m2d__expander *x, const bg_element_def *def, bg_element *out)
{
    if (def->name == NULL) {
        return HA_ERR_MEMORY; /* m2d__name() failed */
    }
    HA_TRY(ha_dag_status(x->dag));
    bg_element_def whole = *def;
    whole.cookie = bg_element_def_default().cookie;
    whole.dim = def->dim == 0 ? 1 : def->dim;
    return bg_graph_add_element(x->graph, &whole, out);
}

ha_status m2d__bond(m2d__expander *x, bg_element tail, bg_element head, int dim, ha_where where)
{
    bg_bond bond = 0;

    return bg_graph_add_bond(x->graph, tail, head, dim, where, &bond);
}

ha_status m2d__bond_to(m2d__expander *x, bg_element tail, bg_element junction, int first, int dim,
                       ha_where where)
{
    const bg_bond_def def = {
        .tail = tail, .head = junction, .dim = dim, .head_first = first, .where = where
    };
    bg_bond bond = 0;

    return bg_graph_add_partial_bond(x->graph, &def, &bond);
}

ha_status m2d__output(m2d__expander *x, const char *first, const char *second, const char *third,
                      const char *unit, ha_expr value)
{
    const char *name = m2d__name(x, first, second, third);
    int number = 0;

    HA_TRY_MEMORY(name);
    HA_TRY(ha_dag_status(x->dag));
    HA_TRY(ha__symtab_add(x->ctx, &x->system->outputs, name, strlen(name), &number, NULL));
    return bg_graph_add_output(x->graph, name, unit, value);
}

ha_status m2d__element_outputs(m2d__expander *x, bg_element element, const char *const *e_units,
                               const char *const *f_units, const char *q_unit)
{
    for (int i = 0; i < bg_element_dim(x->graph, element); i++) {
        const char *name = bg_element_component(x->graph, element, i);
        HA_TRY(m2d__output(x, name, "e", NULL, e_units[i],
                           bg_graph_signal(x->graph, element, i, BG_SIGNAL_E)));
        HA_TRY(m2d__output(x, name, "f", NULL, f_units[i],
                           bg_graph_signal(x->graph, element, i, BG_SIGNAL_F)));
        if (q_unit != NULL) {
            HA_TRY(m2d__output(x, name, "q", NULL, q_unit,
                               bg_graph_signal(x->graph, element, i, BG_SIGNAL_Q)));
        }
    }
    return HA_OK;
}

ha_expr m2d__setting(const m2d__connection *connection, int key, int component)
{
    return connection->settings[key * M2D__MAX_COMPONENTS + component];
}

const m2d__port *m2d__end(const m2d__expander *x, const m2d__connection *connection, int end)
{
    return &x->ports[connection->points[end]];
}

/* --- the order of things -------------------------------------------------------------------- */

/* How many bonds the rows of a joint and of its motions have to each end. */
static int joint_bonds(const m2d__connection *joint)
{
    int of_model = joint->model->n_bonds > 0 ? joint->model->n_bonds : 1;
    int of_rows = joint->joint->n_rows > 0 ? of_model : 0,
        of_motions = m2d__n_motions(joint) > 0 ? 1 : 0;

    return joint->model->is_exact && of_motions > 0 ? 1 : of_rows + of_motions;
}

/* True when a force adds nothing. */
static bool is_idle(m2d__expander *x, const m2d__connection *force)
{
    return force->force->is_idle != NULL && force->force->is_idle(x, force);
}

/* How many bonds each port will have. */
static void count_uses(m2d__expander *x)
{
    const m2d_mechanism *mechanism = x->mechanism;

    for (size_t i = 0; i < mechanism->joints.count; i++) {
        const m2d__connection *joint = &mechanism->joints.items[i];
        for (int end = 0; end < 2; end++) {
            m2d__port *port = &x->ports[joint->points[end]];
            port->n_uses += joint_bonds(joint);
            for (int k = 0; k < joint->joint->n_directions; k++) {
                port->n_uses += joint->is_port[k] ? M2D__USE_BOND : 0;
            }
        }
    }
    for (size_t i = 0; i < mechanism->forces.count; i++) {
        const m2d__connection *force = &mechanism->forces.items[i];
        for (int end = 0; end < 2; end++) {
            if (force->points[end] >= 0 && !is_idle(x, force)) {
                x->ports[force->points[end]].n_uses += (int) force->force->use;
            }
        }
    }
}

/* The square of the largest distance of a point of the ground, or of bodies, from its origin; 0
   where there is none. */
static ha_expr longest_square(const m2d__expander *x, bool of_ground)
{
    ha_expr longest = ha_constant(x->dag, 0.0);

    for (size_t i = 0; i < x->mechanism->points.count; i++) {
        const m2d__point *point = &x->mechanism->points.items[i];
        if ((point->body == M2D__GROUND) == of_ground) {
            ha_expr square = ha_add(x->dag, ha_mul(x->dag, point->x, point->x),
                                    ha_mul(x->dag, point->y, point->y));
            longest = ha_apply(x->dag, HA_OP_MAX, longest, square, HA_EXPR_NONE);
        }
    }
    return longest;
}

/* a where it is above 0, else b. */
static ha_expr first_above(ha_dag *dag, ha_expr a, ha_expr b)
{
    ha_expr is_above = ha_apply(dag, HA_OP_GT, a, ha_constant(dag, 0.0), HA_EXPR_NONE);

    return ha_apply(dag, HA_OP_IF, is_above, a, b);
}

/* The square of the largest coordinate at which a body begins, but no more than 1 m2, since where
   the origin is means nothing; 1 m2 where all begin there. */
static ha_expr square_of_starts(const m2d__expander *x)
{
    ha_expr longest = ha_constant(x->dag, 0.0), one = ha_constant(x->dag, 1.0);

    for (size_t i = 0; i < x->mechanism->bodies.count; i++) {
        for (int k = 0; k < 2; k++) {
            ha_expr start = m2d__start_of(&x->mechanism->bodies.items[i], k);
            if (start != HA_EXPR_NONE) {
                longest = ha_apply(x->dag, HA_OP_MAX, longest, ha_mul(x->dag, start, start),
                                   HA_EXPR_NONE);
            }
        }
    }
    return ha_apply(x->dag, HA_OP_MIN, first_above(x->dag, longest, one), one, HA_EXPR_NONE);
}

/* The largest distance of a point from its mass centre; of ground points only where bodies give
   none; where nothing has a length, that of the starts. */
static ha_expr length_of(const m2d__expander *x)
{
    ha_expr square = first_above(x->dag, longest_square(x, false),
                                 first_above(x->dag, longest_square(x, true), square_of_starts(x)));

    return ha_apply(x->dag, HA_OP_SQRT, square, HA_EXPR_NONE, HA_EXPR_NONE);
}

/* What the system keeps of point number `i`. */
static ha_status keep_pose(m2d__expander *x, int i)
{
    const m2d__port *port = &x->ports[i];
    m2d__pose pose = { .pose = { port->pose[0], port->pose[1], port->pose[2] } };
    int number = 0;

    HA_TRY(ha__symtab_add(x->ctx, &x->system->pose_names, port->name, strlen(port->name), &number,
                          NULL));
    HA_TRY_PUSH(x->ctx, &x->system->poses, pose);
    return HA_OK;
}

/* Ports of parts that are points have their poses. */
static ha_status keep_port_poses(m2d__expander *x)
{
    const m2d_mechanism *mechanism = x->mechanism;

    for (size_t i = 0; i < mechanism->ports.count; i++) {
        const char *target = mechanism->ports.items[i].target;
        const char *name = ha__symtab_name(&mechanism->port_names, (int) i);
        int point = ha__symtab_find(&mechanism->point_names, target, strlen(target)), number = 0;
        if (point >= 0) {
            m2d__pose pose = x->system->poses.items[point];
            HA_TRY(
                ha__symtab_add(x->ctx, &x->system->pose_names, name, strlen(name), &number, NULL));
            HA_TRY_PUSH(x->ctx, &x->system->poses, pose);
        }
    }
    return HA_OK;
}

static ha_status keep_spot(m2d__expander *x, const char *name, ha_expr at_x, ha_expr at_y)
{
    m2d__spot spot = { ha__arena_text(x->ctx, &x->system->arena, name, strlen(name)), at_x, at_y };

    HA_TRY_MEMORY(spot.name);
    HA_TRY_PUSH(x->ctx, &x->system->spots, spot);
    return HA_OK;
}

/* Where a joint or force is drawn: in the middle of its points, or at its body. */
static ha_status keep_connection(m2d__expander *x, const m2d__connection *c)
{
    ha_expr sum[2] = { ha_constant(x->dag, 0.0), ha_constant(x->dag, 0.0) };
    int n = 0;

    for (int end = 0; end < 2; end++) {
        if (c->points[end] >= 0) {
            sum[0] = ha_add(x->dag, sum[0], x->ports[c->points[end]].pose[0]);
            sum[1] = ha_add(x->dag, sum[1], x->ports[c->points[end]].pose[1]);
            n++;
        }
    }
    if (n == 0 && c->body >= 0) {
        const m2d__mass *mass = &x->system->masses.items[c->body];
        return keep_spot(x, c->name, mass->q[0], mass->q[1]);
    }
    ha_expr share = ha_constant(x->dag, n > 0 ? 1.0 / n : 1.0);
    return keep_spot(x, c->name, ha_mul(x->dag, share, sum[0]), ha_mul(x->dag, share, sum[1]));
}

/* Where the outermost parts are drawn: in the middle of their bodies. */
static ha_status keep_parts(m2d__expander *x)
{
    const m2d_mechanism *mechanism = x->mechanism;
    struct middle {
        ha_expr x, y;
        int n;
    } *middles = NULL;
    ha_status status = HA_OK;

    HA_TRY_ALLOC(x->ctx, middles, mechanism->parts.count + 1);
    for (size_t i = 0; i < x->system->masses.count; i++) {
        const m2d__mass *mass = &x->system->masses.items[i];
        int part = ha__symtab_find(&mechanism->part_names, mass->name, strcspn(mass->name, "."));
        if (part >= 0) {
            struct middle *m = &middles[part];
            m->x = m->n == 0 ? mass->q[0] : ha_add(x->dag, m->x, mass->q[0]);
            m->y = m->n == 0 ? mass->q[1] : ha_add(x->dag, m->y, mass->q[1]);
            m->n++;
        }
    }
    for (size_t i = 0; i < mechanism->parts.count && status == HA_OK; i++) {
        ha_expr share = ha_constant(x->dag, 1.0 / (middles[i].n > 0 ? middles[i].n : 1));
        if (middles[i].n > 0) {
            status =
                keep_spot(x, mechanism->parts.items[i].name, ha_mul(x->dag, share, middles[i].x),
                          ha_mul(x->dag, share, middles[i].y));
        }
    }
    ha__free(middles);
    return status;
}

/* Where everything is drawn that has a position. */
static ha_status keep_spots(m2d__expander *x)
{
    HA_TRY(keep_parts(x));
    for (size_t i = 0; i < x->system->masses.count; i++) {
        const m2d__mass *mass = &x->system->masses.items[i];
        HA_TRY(keep_spot(x, mass->name, mass->q[0], mass->q[1]));
    }
    for (size_t i = 0; i < x->mechanism->joints.count; i++) {
        HA_TRY(keep_connection(x, &x->mechanism->joints.items[i]));
    }
    for (size_t i = 0; i < x->mechanism->forces.count; i++) {
        HA_TRY(keep_connection(x, &x->mechanism->forces.items[i]));
    }
    return HA_OK;
}

/* How deep a body goes in the contact of a joint or force, HA_EXPR_NONE: there is none. What falls
   does so as in gravity; where there is none, about as fast. */
static ha_expr depth_of(m2d__expander *x, const m2d__connection *c, ha_expr mass)
{
    const double usual = 10.0; /* [m/s2] */

    if (c->force != NULL) {
        return c->force->depth == NULL
                   ? HA_EXPR_NONE
                   : c->force->depth(x, c, mass, usual, x->system->length_value);
    }
    return c->model->depth == NULL ? HA_EXPR_NONE : c->model->depth(x, c, mass, usual);
}

static ha_expr larger(m2d__expander *x, ha_expr a, ha_expr b)
{
    return ha_apply(x->dag, HA_OP_MAX, a, b, HA_EXPR_NONE);
}

/* The depth to which the body of an end goes in a contact; at the distance r from the mass centre
   it turns by depth / r. */
static void find_depth(m2d__expander *x, const m2d__connection *c, int end)
{
    const m2d__point *point = &x->mechanism->points.items[c->points[end]];

    if (point->body == M2D__GROUND) {
        return;
    }
    m2d__hold *hold = &x->holds[point->body];
    ha_expr depth = depth_of(x, c, x->mechanism->bodies.items[point->body].mass);
    if (depth != HA_EXPR_NONE && m2d__number(x->dag, depth) > 0.0) {
        ha_expr r = m2d__length(x->dag, (m2d__vector){ point->x, point->y });
        hold->per_depth =
            larger(x, hold->per_depth, ha_div(x->dag, ha_constant(x->dag, 1.0), depth));
        hold->per_angle = larger(x, hold->per_angle, ha_div(x->dag, r, depth));
    }
}

/* Adds what the joint holds the body of its end with. A joint at the distance r from the mass
   centre holds the angle with k r^2 besides its own stiffness. */
static void add_stiffness(m2d__expander *x, const m2d__connection *joint, int end)
{
    const m2d__point *point = &x->mechanism->points.items[joint->points[end]];
    const m2d__vector r = { point->x, point->y };
    ha_expr of_lengths = HA_EXPR_NONE, of_angles = HA_EXPR_NONE;

    if (joint->model->stiffness == NULL || point->body == M2D__GROUND) {
        return;
    }
    m2d__hold *hold = &x->holds[point->body];
    joint->model->stiffness(x, joint, &of_lengths, &of_angles);
    of_angles = ha_add(x->dag, ha_mul(x->dag, of_lengths, m2d__dot(x->dag, r, r)), of_angles);
    hold->of_position = ha_add(x->dag, hold->of_position, of_lengths);
    hold->of_angle = ha_add(x->dag, hold->of_angle, of_angles);
}

/* How stiffly joints hold the bodies, and how deep these go in contacts. */
static ha_status sum_stiffness(m2d__expander *x)
{
    const m2d_mechanism *mechanism = x->mechanism;

    const ha_expr none = ha_constant(x->dag, 0.0);

    HA_TRY_ALLOC(x->ctx, x->holds, mechanism->bodies.count);
    for (size_t i = 0; i < mechanism->bodies.count; i++) {
        x->holds[i] = (m2d__hold){ none, none, none, none };
    }
    for (size_t i = 0; i < mechanism->joints.count; i++) {
        add_stiffness(x, &mechanism->joints.items[i], 0);
        add_stiffness(x, &mechanism->joints.items[i], 1);
        find_depth(x, &mechanism->joints.items[i], 0);
        find_depth(x, &mechanism->joints.items[i], 1);
    }
    for (size_t i = 0; i < mechanism->forces.count; i++) {
        const m2d__connection *force = &mechanism->forces.items[i];
        for (int end = 0; force->target == M2D__BETWEEN_POINTS && end < 2; end++) {
            find_depth(x, force, end);
        }
    }
    return HA_OK;
}

static ha_status expand(m2d__expander *x)
{
    int n_points = (int) x->mechanism->points.count;

    x->system->length_value = length_of(x);
    x->system->length = m2d__number(x->dag, x->system->length_value);
    HA_TRY(ha_dag_status(x->dag));
    x->system->n_joints = (int) x->mechanism->joints.count;
    HA_TRY(sum_stiffness(x));
    for (int i = 0; i < (int) x->mechanism->parts.count; i++) {
        const m2d__part *part = &x->mechanism->parts.items[i];
        HA_TRY(bg__add_group(x->graph, part->name, part->type, part->where));
    }
    for (int i = 0; i < (int) x->mechanism->bodies.count; i++) {
        HA_TRY(m2d__expand_body(x, i));
    }
    for (int i = 0; i < n_points; i++) {
        HA_TRY(m2d__prepare_port(x, i));
        HA_TRY(keep_pose(x, i));
    }
    HA_TRY(keep_port_poses(x));
    count_uses(x);
    for (int i = 0; i < n_points; i++) {
        HA_TRY(m2d__expand_port(x, i));
    }
    for (int i = 0; i < (int) x->mechanism->joints.count; i++) {
        HA_TRY(m2d__expand_joint(x, i));
    }
    for (int i = 0; i < (int) x->mechanism->bodies.count; i++) {
        HA_TRY(m2d__expand_motion(x, i));
    }
    for (size_t i = 0; i < x->mechanism->forces.count; i++) {
        const m2d__connection *force = &x->mechanism->forces.items[i];
        if (!is_idle(x, force)) {
            HA_TRY(force->force->expand(x, force));
        }
    }
    for (int i = 0; i < (int) x->mechanism->joints.count; i++) {
        HA_TRY(m2d__expand_axes(x, i));
    }
    for (size_t i = 0; i < x->mechanism->starts.count; i++) {
        HA_TRY(m2d__expand_start(x, &x->mechanism->starts.items[i]));
    }
    HA_TRY(m2d__expand_graph(x));
    HA_TRY(m2d__define_stand_ins(x));
    HA_TRY(m2d__check_signals(x));
    HA_TRY(m2d__expand_values(x));
    return keep_spots(x);
}

/* An expander with an empty graph; freed by end() whether this fails or not. */
static ha_status begin(m2d__expander *x, m2d_mechanism *mechanism)
{
    *x = (m2d__expander){ .ctx = mechanism->ctx, .mechanism = mechanism };
    HA_TRY(ha_dag_status(mechanism->dag));
    HA_TRY_ALLOC(x->ctx, x->system, 1);
    x->system->ctx = x->ctx;
    HA_TRY_ALLOC(x->ctx, x->ports, mechanism->points.count);
    x->system->graph = bg_graph_new_with(x->ctx, mechanism->dag, mechanism->time);
    HA_TRY_GET(x->graph, x->system->graph);
    x->dag = bg_graph_dag(x->graph);
    for (int i = 0; i < 3; i++) {
        x->system->on_ground[i] = ha_constant(x->dag, 0.0);
    }
    return HA_OK;
}

/* Frees an expander but for its system, which is given out after success. */
static ha_status end(m2d__expander *x, ha_status status, m2d_system **out)
{
    ha__arena_clear(&x->names);
    HA_FREE(x->ports, x->holds);
    if (status != HA_OK) {
        m2d_system_free(x->system);
        return status;
    }
    ha__dag_rest(x->dag);
    *out = x->system;
    return HA_OK;
}

ha_status m2d__expand(m2d_mechanism *mechanism, m2d_system **out)
{
    m2d__expander x;
    ha_status status = begin(&x, mechanism);

    return end(&x, status == HA_OK ? expand(&x) : status, out);
}

/* --- submodels ------------------------------------------------------------------------------ */

static ha_status expand_body(m2d__expander *x)
{
    HA_TRY(m2d_keep_parameters(x->mechanism, x->graph));
    HA_TRY(m2d__add_graph(x));
    HA_TRY(x->mechanism->stand_ins.count > 0 ? m2d__list_signals(x) : HA_OK);
    HA_TRY(m2d__define_stand_ins(x));
    return m2d__check_signals(x);
}

ha_status m2d__expand_submodel(m2d_mechanism *mechanism, const char *name, bg_submodel **out)
{
    m2d__expander x;
    m2d_system *system = NULL;
    ha_status status = begin(&x, mechanism);

    HA_TRY(end(&x, status == HA_OK ? expand_body(&x) : status, &system));
    bg_submodel *submodel = bg_submodel_new(system->graph, name);
    if (submodel != NULL) {
        system->graph = NULL; /* it is the submodel's now */
    }
    m2d_system_free(system);
    HA_TRY_MEMORY(submodel);
    *out = submodel;
    return HA_OK;
}
