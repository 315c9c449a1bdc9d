/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A wheel of radius R on a plane that is seen from above: the ground or, with `between`, a body. N
 * is its contact, the axis of N turned by the steering angle its driving direction e, n is to the
 * left of that. With the velocity v of N as the plane under it sees it and the roll speed omega,
 *
 *   v_long = v . e,  v_lat = v . n,    slip_long = v_long - R omega,  slip_lat = v_lat
 *
 * In the bond graph:
 *
 *   N -> W.N (transformer: e, n) -> W.0 (0-junction: long, lat)    <- W.M <- the plane
 *   W.0.long -> W.roll (transformer 1/R) -> W.axis (1-junction: omega) -> W.inertia (I), W.brake
 *                                                                         (Dry), W.turn (Df)
 *   W.0 -> W.long, W.lat: what holds the slip
 *
 * The flow out of W.0 is the slip, its effort the force (f_long, f_lat) of the wheel on the plane;
 * R f_long turns the wheel. What holds the slip is, by the model:
 *
 *   ideal   residual sinks: slip 0. That across is a constraint on velocities.
 *   others  resistors (wheel_tyre.c); of a tyre with a spring a C with a resistor for the sliding
 * of the contact on the same 0-junction, W.long.0, and a damper on W.long.1.
 *
 * A wheel without roll inertia to which nothing is bonded turns with the ground: its f_long is 0,
 * and nothing holds along.
 */
#include <config.h>

#include "mech2d/expand/expand_priv.h"
#include "mech2d/joints/wheel_tyre.h"

#include <math.h>
#include <string.h>

enum { LONG, LAT };

static const char *const labels[2] = { "long", "lat" };

#define NUMBER_KEY(NAME, QUANTITY)                                                                 \
    {                                                                                              \
        .name = NAME, .n_values = 1, .quantities = { QUANTITY }, .is_optional = true,              \
        .is_constant = true, .is_positive = true                                                   \
    }

static const m2d__key keys[M2D__WHEEL_N_KEYS] = {
    [M2D__WHEEL_MODEL] = { .name = "model", .n_values = 1, .choice = m2d__wheel_model_name },
    [M2D__WHEEL_RADIUS] = M2D__SIZE_KEY("radius"),
    [M2D__WHEEL_LOAD] = { .name = "load",
                          .n_values = 1,
                          .quantities = { HA__QUANTITY_FORCE },
                          .is_optional = true },
    [M2D__WHEEL_STEER] = { .name = "steer", .n_values = 1, .quantities = { HA__QUANTITY_ANGLE } },
    [M2D__WHEEL_INERTIA] = NUMBER_KEY("inertia", HA__QUANTITY_INERTIA),
    [M2D__WHEEL_OMEGA] = { .name = "omega",
                           .n_values = 1,
                           .quantities = { HA__QUANTITY_ANGULAR_VELOCITY },
                           .is_optional = true,
                           .is_constant = true },
    [M2D__WHEEL_BRAKE] = { .name = "brake",
                           .n_values = 1,
                           .quantities = { HA__QUANTITY_TORQUE },
                           .is_optional = true },
    [M2D__WHEEL_RESISTANCE] = NUMBER_KEY("rolling_resistance", HA__QUANTITY_NUMBER),
    [M2D__WHEEL_ADHESION] = NUMBER_KEY("adhesion", HA__QUANTITY_NUMBER),
    [M2D__WHEEL_SLIDING] = NUMBER_KEY("sliding", HA__QUANTITY_NUMBER),
    [M2D__WHEEL_ADHESION_SPEED] = NUMBER_KEY("adhesion_speed", HA__QUANTITY_VELOCITY),
    [M2D__WHEEL_SLIDING_SPEED] = NUMBER_KEY("sliding_speed", HA__QUANTITY_VELOCITY),
    [M2D__WHEEL_ADHESION_SLIP] = NUMBER_KEY("adhesion_slip", HA__QUANTITY_NUMBER),
    [M2D__WHEEL_SLIDING_SLIP] = NUMBER_KEY("sliding_slip", HA__QUANTITY_NUMBER),
    [M2D__WHEEL_SLIP_FLOOR] = NUMBER_KEY("slip_floor", HA__QUANTITY_VELOCITY),
    [M2D__WHEEL_STIFFNESS] = { .name = "slip_stiffness",
                               .n_values = 2,
                               .quantities = { HA__QUANTITY_FORCE, HA__QUANTITY_FORCE },
                               .is_optional = true,
                               .is_constant = true,
                               .is_positive = true },
    [M2D__WHEEL_SPEED_FLOOR] = NUMBER_KEY("speed_floor", HA__QUANTITY_VELOCITY),
    [M2D__WHEEL_RELAXATION] = NUMBER_KEY("relaxation_length", HA__QUANTITY_LENGTH),
    [M2D__WHEEL_CONTACT_STIFFNESS] = NUMBER_KEY("contact_stiffness", HA__QUANTITY_STIFFNESS),
    [M2D__WHEEL_CONTACT_DAMPING] = NUMBER_KEY("contact_damping", HA__QUANTITY_DAMPING),
    [M2D__WHEEL_NOMINAL_LOAD] = NUMBER_KEY("nominal_load", HA__QUANTITY_FORCE),
    [M2D__WHEEL_F_LONG] = { .name = "f_long",
                            .n_values = 1,
                            .quantities = { HA__QUANTITY_ANY },
                            .is_optional = true,
                            .law = M2D__LAW_OF_SLIP },
    [M2D__WHEEL_F_LAT] = { .name = "f_lat",
                           .n_values = 1,
                           .quantities = { HA__QUANTITY_ANY },
                           .is_optional = true,
                           .law = M2D__LAW_OF_SLIP },
};

/* --- checks --------------------------------------------------------------------------------- */

static ha_status fail(m2d_mechanism *mechanism, const m2d_connection_def *def, const char *fault)
{
    return ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where, "wheel `%s`: %s", def->name, fault);
}

/* A constant that must not be negative. */
static ha_status check_not_negative(m2d_mechanism *mechanism, const m2d_connection_def *def,
                                    const m2d__connection *wheel, int key)
{
    const m2d__owner owner = { "wheel", def->name, keys[key].name, def->where };
    ha_expr e = wheel->settings[key * M2D__MAX_COMPONENTS];
    bool varies = false;

    HA_TRY(m2d__varies(mechanism, e, &varies));
    return e == HA_EXPR_NONE || varies ? HA_OK : m2d__check_positive(mechanism, e, false, owner);
}

static ha_status check_law(m2d_mechanism *mechanism, const m2d_connection_def *def,
                           const m2d__tyre *tyre)
{
    m2d__push push;

    if (tyre->model != M2D__WHEEL_LAW || !m2d__tyre_pushes(mechanism, tyre, &push)) {
        return ha_dag_status(mechanism->dag);
    }
    return ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where,
                   "wheel `%s`: its law pushes instead of braking: f_long*slip_long + "
                   "f_lat*slip_lat is %.4g W at slip_long = %g, slip_lat = %g, v_long = %g m/s and "
                   "load = %g N, but a slip can only lose power; change the sign of `f_long` or "
                   "`f_lat`, which are forces on the ground, along the slip",
                   def->name, push.power, push.slip[0], push.slip[1], push.along, push.load);
}

static ha_status check(m2d_mechanism *mechanism, const m2d_connection_def *def,
                       const m2d__connection *wheel)
{
    m2d__tyre tyre = { .dag = mechanism->dag, .symbols = mechanism->slips };
    const char *fault = NULL;

    HA_TRY(check_not_negative(mechanism, def, wheel, M2D__WHEEL_LOAD));
    HA_TRY(check_not_negative(mechanism, def, wheel, M2D__WHEEL_BRAKE));
    if (wheel->settings[M2D__WHEEL_OMEGA * M2D__MAX_COMPONENTS] != HA_EXPR_NONE &&
        wheel->settings[M2D__WHEEL_INERTIA * M2D__MAX_COMPONENTS] == HA_EXPR_NONE) {
        return fail(mechanism, def,
                    "`omega` is the speed at the start of its own inertia; give `inertia`, or "
                    "leave `omega` out, since the ground or what is bonded to its axis turns it");
    }
    if (wheel->motions[0] != HA_EXPR_NONE) {
        return fail(
            mechanism, def,
            "its roll angle cannot have a `motion`; bond a flow source to its `.axis`, or an "
            "element that drives it");
    }
    m2d__tyre_read(&tyre, wheel);
    fault = m2d__tyre_fault(&tyre, wheel);
    HA_TRY(ha_dag_status(mechanism->dag));
    if (fault == NULL &&
        m2d__number(mechanism->dag, wheel->settings[M2D__WHEEL_RESISTANCE * M2D__MAX_COMPONENTS]) >
            0.0 &&
        wheel->settings[M2D__WHEEL_LOAD * M2D__MAX_COMPONENTS] == HA_EXPR_NONE) {
        fault = "`rolling_resistance` is a share of the `load`; give that, too";
    }
    return fault != NULL ? fail(mechanism, def, fault) : check_law(mechanism, def, &tyre);
}

/* --- the bond graph ------------------------------------------------------------------------- */

/* A wheel that is being expanded. */
typedef struct {
    m2d__expander *x;
    const m2d__connection *wheel;
    m2d__rowset set;
    bool is_driven; /* something holds its roll speed but the ground */
    bg_element axis;
    m2d__tyre tyre;
    ha_expr radius, omega, angle, heading;
    ha_expr force[2], slip[2];
} state;

static ha_expr setting(const state *s, int key)
{
    return s->wheel->settings[key * M2D__MAX_COMPONENTS];
}

static bool is_given(const state *s, int key)
{
    ha_expr e = setting(s, key);

    return e != HA_EXPR_NONE && !ha_expr_is(s->x->dag, e, 0.0);
}

static const char *name_of(state *s, const char *part)
{
    return m2d__name(s->x, s->wheel->name, part, NULL);
}

/* Adds an element with one component. */
static ha_status add(state *s, const char *type, const char *name, ha_expr value, bg_element *out)
{
    const bg_element_def def = { .type = type,
                                 .name = name,
                                 .value = &value,
                                 .n_values = value == HA_EXPR_NONE ? 0 : 1,
                                 .group = s->wheel->name,
                                 .where = s->set.where };
    return m2d__element(s->x, &def, out);
}

/* Adds a resistor that gives this effort, or this flow. */
static ha_status add_resistor(state *s, const char *name, ha_expr effort, ha_expr flow,
                              const ha_expr *e, bg_element *out)
{
    const bg_law law = { .effort = effort, .flow = flow, .e = e };
    const bg_element_def def = {
        .type = "R", .name = name, .law = &law, .group = s->wheel->name, .where = s->set.where
    };
    return m2d__element(s->x, &def, out);
}

static ha_status bond(state *s, bg_element tail, bg_element head)
{
    return m2d__bond(s->x, tail, head, 1, s->set.where);
}

/* Bonds an element to a direction of W.0, towards the element. */
static ha_status bond_slip(state *s, int direction, bg_element head)
{
    const bg_bond_def def = { .tail = s->set.junction,
                              .head = head,
                              .dim = 1,
                              .tail_first = direction,
                              .where = s->set.where };
    bg_bond added = 0;

    return bg_graph_add_partial_bond(s->x->graph, &def, &added);
}

/* d (v_long, v_lat) / d velocities of both ends. */
static void set_moduli(state *s)
{
    ha_dag *dag = s->x->dag;
    const m2d__port *M = s->set.ends[0], *N = s->set.ends[1];
    ha_expr c = ha_apply(dag, HA_OP_COS, s->heading, HA_EXPR_NONE, HA_EXPR_NONE);
    ha_expr sine = ha_apply(dag, HA_OP_SIN, s->heading, HA_EXPR_NONE, HA_EXPR_NONE);
    const m2d__vector MN = { ha_sub(dag, N->pose[0], M->pose[0]),
                             ha_sub(dag, N->pose[1], M->pose[1]) };
    const m2d__vector directions[2] = { { c, sine }, { ha_neg(dag, sine), c } };

    for (int k = 0; k < 2; k++) {
        const m2d__vector d = directions[k];
        ha_expr turn = ha_sub(dag, ha_mul(dag, MN.x, d.y), ha_mul(dag, MN.y, d.x));
        const ha_expr of_M[3] = { ha_neg(dag, d.x), ha_neg(dag, d.y), ha_neg(dag, turn) };
        const ha_expr of_N[3] = { d.x, d.y, ha_constant(dag, 0.0) };
        memcpy(s->set.moduli[0][k], of_M, sizeof of_M);
        memcpy(s->set.moduli[1][k], of_N, sizeof of_N);
    }
}

/* The turning side: W.roll, W.axis and what is on it. */
static ha_status add_axis(state *s)
{
    m2d__expander *x = s->x;
    const ha_expr size = ha_constant(x->dag, 1.0);
    ha_expr ratio = ha_div(x->dag, ha_constant(x->dag, 1.0), s->radius);
    bg_element roll = 0, turn = 0;

    HA_TRY(add(s, "TF", name_of(s, "roll"), ratio, &roll));
    HA_TRY(bond_slip(s, LONG, roll));
    bg_element_def def = { .type = "1",
                           .name = name_of(s, "axis"),
                           .group = s->wheel->name,
                           .where = s->set.where,
                           .domain = BG_DOMAIN_ROTATIONAL };
    HA_TRY(m2d__element(x, &def, &s->axis));
    HA_TRY(bond(s, roll, s->axis));
    def.type = "Df";
    def.name = name_of(s, "turn");
    def.size = &size;
    HA_TRY(m2d__element(x, &def, &turn));
    HA_TRY(bond(s, s->axis, turn));
    s->omega = bg_graph_signal(x->graph, roll, 0, BG_SIGNAL_F2);
    s->angle = bg_graph_signal(x->graph, turn, 0, BG_SIGNAL_Q);
    return ha_dag_status(x->dag);
}

/* The inertia about the axis. Without a start of its own the wheel begins to roll as it is pushed.
 */
static ha_status add_inertia(state *s)
{
    static const bg_unit unit = { "kg.m2", 1.0 };
    m2d__expander *x = s->x;
    ha_expr J = setting(s, M2D__WHEEL_INERTIA), omega = setting(s, M2D__WHEEL_OMEGA);
    ha_expr start = omega == HA_EXPR_NONE ? omega : ha_mul(x->dag, J, omega);
    bg_element inertia = 0;

    const bg_element_def def = { .type = "I",
                                 .name = name_of(s, "inertia"),
                                 .value = &J,
                                 .n_values = 1,
                                 .start = omega == HA_EXPR_NONE ? NULL : &start,
                                 .group = s->wheel->name,
                                 .where = s->set.where };
    HA_TRY(m2d__element(x, &def, &inertia));
    HA_TRY(bg_graph_set_units(x->graph, inertia, &unit, 1));
    HA_TRY(bond(s, s->axis, inertia));
    if (omega != HA_EXPR_NONE) {
        return HA_OK;
    }
    m2d__roller roller = { .name = ha__arena_format(x->ctx, &x->system->arena, "%s.inertia.f",
                                                    s->wheel->name),
                           .rate = ha_div(x->dag, s->tyre.along, s->radius) };
    HA_TRY_MEMORY(roller.name);
    HA_TRY_PUSH(x->ctx, &x->system->rollers, roller);
    return HA_OK;
}

/* Brake and rolling resistance: dry friction of the axis, which holds at rest. */
static ha_status add_brake(state *s)
{
    ha_dag *dag = s->x->dag;
    ha_expr brake = setting(s, M2D__WHEEL_BRAKE), limit = ha_constant(dag, 0.0);
    bg_element dry = 0;

    if (is_given(s, M2D__WHEEL_RESISTANCE)) {
        limit =
            ha_mul(dag, ha_mul(dag, setting(s, M2D__WHEEL_RESISTANCE), s->radius), s->tyre.load);
    }
    limit = brake != HA_EXPR_NONE ? ha_add(dag, limit, brake) : limit;
    HA_TRY(add(s, "Dry", name_of(s, "brake"), limit, &dry));
    /* ideal wheels of one body hold that together */
    HA_TRY(bg_graph_set_alone(s->x->graph, dry, s->tyre.model != M2D__WHEEL_IDEAL));
    HA_TRY(bond(s, s->axis, dry));
    return m2d__output(s->x, s->wheel->name, "brake", NULL, "N.m",
                       bg_graph_signal(s->x->graph, dry, 0, BG_SIGNAL_E));
}

/* An ideal wheel does not slip. */
static ha_status add_sink(state *s, int direction)
{
    m2d__expander *x = s->x;
    bg_element sink = 0;

    const bg_element_def def = { .type = "Re",
                                 .name = name_of(s, labels[direction]),
                                 .group = s->wheel->name,
                                 .where = s->set.where,
                                 .assembled = direction == LAT };
    HA_TRY(m2d__element(x, &def, &sink));
    HA_TRY(bond_slip(s, direction, sink));
    s->force[direction] = bg_graph_signal(x->graph, sink, 0, BG_SIGNAL_E);
    if (direction == LONG) {
        return HA_OK;
    }
    m2d__constraint row = { .name = bg_element_name(x->graph, sink),
                            .kind = "wheel",
                            .joint = bg_element_group(x->graph, sink),
                            .is_flow = true,
                            .where = s->set.where };
    row.phi = row.closed = s->slip[LAT];
    HA_TRY_PUSH(x->ctx, &x->system->rows, row);
    return HA_OK;
}

/* A tyre with a spring: a C, the sliding of the contact beside it, and a damper. */
static ha_status add_spring(state *s, int direction)
{
    m2d__expander *x = s->x;
    const char *name = name_of(s, labels[direction]);
    ha_expr e = ha_symbol(x->dag, "e"), k = ha_constant(x->dag, 1.0 / s->tyre.contact[direction]);
    bool is_damped = s->tyre.damping > 0.0;
    bg_element store = 0, leak = 0, damper = 0, zero = 0, one = 0;

    HA_TRY_MEMORY(name);
    HA_TRY(add(s, "0", m2d__name(x, name, "0", NULL), HA_EXPR_NONE, &zero));
    HA_TRY(add(s, "C", name, k, &store));
    HA_TRY(add_resistor(s, m2d__name(x, name, "slide", NULL), HA_EXPR_NONE,
                        ha_mul(x->dag, m2d__tyre_leak(&s->tyre, direction), e), &e, &leak));
    HA_TRY(bond(s, zero, store));
    HA_TRY(bond(s, zero, leak));
    s->force[direction] = bg_graph_signal(x->graph, store, 0, BG_SIGNAL_E);
    if (!is_damped) {
        return bond_slip(s, direction, zero);
    }
    HA_TRY(add(s, "1", m2d__name(x, name, "1", NULL), HA_EXPR_NONE, &one));
    HA_TRY(add(s, "MR", m2d__name(x, name, "damper", NULL), m2d__tyre_damping(&s->tyre), &damper));
    HA_TRY(bond_slip(s, direction, one));
    HA_TRY(bond(s, one, zero));
    HA_TRY(bond(s, one, damper));
    s->force[direction] =
        ha_add(x->dag, s->force[direction], bg_graph_signal(x->graph, damper, 0, BG_SIGNAL_E));
    return ha_dag_status(x->dag);
}

/* What holds the slip in a direction. */
static ha_status add_hold(state *s, int direction)
{
    bg_element resistor = 0;

    if (direction == LONG && !s->is_driven) {
        return HA_OK;
    }
    if (s->tyre.model == M2D__WHEEL_IDEAL) {
        return add_sink(s, direction);
    }
    if (s->tyre.contact[direction] > 0.0) {
        return add_spring(s, direction);
    }
    HA_TRY(add_resistor(s, name_of(s, labels[direction]), m2d__tyre_force(&s->tyre, direction),
                        HA_EXPR_NONE, NULL, &resistor));
    s->force[direction] = bg_graph_signal(s->x->graph, resistor, 0, BG_SIGNAL_E);
    return bond_slip(s, direction, resistor);
}

/* --- outputs -------------------------------------------------------------------------------- */

static ha_status add_outputs(state *s)
{
    ha_dag *dag = s->x->dag;
    const m2d__point *point = &s->x->mechanism->points.items[s->wheel->points[1]];
    ha_expr steer = ha_add(dag, point->axis, setting(s, M2D__WHEEL_STEER));
    ha_expr zero = ha_constant(dag, 0.0), reaction[3] = { zero, zero, zero };
    const char *axis = name_of(s, "axis");

    m2d__add_reaction(s->x, &s->set, s->force, reaction);
    const struct {
        const char *name, *unit;
        ha_expr value;
    } outputs[] = {
        { "f_long", "N", s->force[LONG] },  { "f_lat", "N", s->force[LAT] },
        { "slip_long", "m/s", s->slip[0] }, { "slip_lat", "m/s", s->slip[1] },
        { "v_long", "m/s", s->tyre.along }, { "load", "N", s->tyre.load },
        { "steer", "rad", steer },          { "heading", "rad", s->heading },
        { "angle", "rad", s->angle },       { "omega", "rad/s", s->omega },
        { "fx", "N", reaction[0] },         { "fy", "N", reaction[1] },
        { "torque", "N.m", reaction[2] },
    };
    HA_TRY_MEMORY(axis);
    for (size_t i = 0; i < HA_COUNT(outputs); i++) {
        HA_TRY(m2d__output(s->x, s->wheel->name, outputs[i].name, NULL, outputs[i].unit,
                           outputs[i].value));
    }
    if (s->tyre.model == M2D__WHEEL_DRY || s->tyre.model == M2D__WHEEL_SLIP) {
        HA_TRY(m2d__output(s->x, s->wheel->name, "limit", NULL, "N",
                           ha_mul(dag, s->tyre.adhesion, s->tyre.load)));
    }
    HA_TRY(m2d__output(s->x, axis, "angle", NULL, "rad", s->angle));
    return m2d__output(s->x, axis, "omega", NULL, "rad/s", s->omega);
}

/* Whether anything but the ground acts on the roll speed. */
static bool is_driven(const state *s)
{
    const m2d_mechanism *mechanism = s->x->mechanism;
    bool has_force = false;

    for (size_t i = 0; i < mechanism->forces.count; i++) {
        const m2d__connection *force = &mechanism->forces.items[i];
        bool is_on_axis = force->target == M2D__ON_ANGLE || force->target == M2D__ON_SLIDE;
        has_force =
            has_force || (is_on_axis && &mechanism->joints.items[force->on_joint] == s->wheel);
    }
    return has_force || s->wheel->is_port[0] || is_given(s, M2D__WHEEL_INERTIA) ||
           is_given(s, M2D__WHEEL_BRAKE) || is_given(s, M2D__WHEEL_RESISTANCE);
}

/* A tyre gives a force for a slip, so that something else must give the roll speed. */
static ha_status check_turned(const state *s)
{
    const m2d_mechanism *mechanism = s->x->mechanism;
    bool is_fine = false;

    if (s->tyre.model == M2D__WHEEL_IDEAL || !s->is_driven || is_given(s, M2D__WHEEL_INERTIA)) {
        return HA_OK;
    }
    HA_TRY(m2d__wheel_is_turned(mechanism, (int) (s->wheel - mechanism->joints.items), &is_fine));
    return is_fine
               ? HA_OK
               : ha_fail(s->x->ctx, HA_ERR_VALUE, s->set.where,
                         "wheel `%s` has no roll inertia: its tyre gives a force for a slip, and "
                         "nothing on its axis gives the roll speed; give it an `inertia`, bond an "
                         "I to `%s.axis`, or take `model: ideal`",
                         s->wheel->name, s->wheel->name);
}

/* The speeds of the contact, and what the tyre depends on. */
static ha_status find_slip(state *s)
{
    ha_dag *dag = s->x->dag;
    ha_expr load = setting(s, M2D__WHEEL_LOAD), zero = ha_constant(dag, 0.0);

    HA_TRY(m2d__set_rate(s->x, &s->set, LONG, &s->tyre.along));
    HA_TRY(m2d__set_rate(s->x, &s->set, LAT, &s->slip[LAT]));
    s->tyre.rolling = ha_mul(dag, s->radius, s->omega);
    s->slip[LONG] = s->is_driven ? ha_sub(dag, s->tyre.along, s->tyre.rolling) : zero;
    memcpy(s->tyre.slip, s->slip, sizeof s->slip);
    s->tyre.load = load == HA_EXPR_NONE ? zero
                   : ha_expr_is_constant(dag, load, NULL)
                       ? load
                       : ha_apply(dag, HA_OP_MAX, load, zero, HA_EXPR_NONE);
    s->force[LONG] = s->force[LAT] = zero;
    return ha_dag_status(dag);
}

static ha_status expand(m2d__expander *x, const m2d__connection *wheel)
{
    const m2d__row rows[2] = { { .label = labels[LONG] }, { .label = labels[LAT] } };
    state s = { .x = x,
                .wheel = wheel,
                .set = { .name = wheel->name,
                         .ends = { m2d__end(x, wheel, 0), m2d__end(x, wheel, 1) },
                         .n = 2,
                         .rows = rows,
                         .has_moduli = true },
                .tyre = { .dag = x->dag, .symbols = x->mechanism->slips } };

    s.set.where = m2d__keep_where(x->ctx, &x->system->arena, &x->system->file, wheel->where);
    s.radius = setting(&s, M2D__WHEEL_RADIUS);
    s.heading = ha_add(x->dag, s.set.ends[1]->pose[2], setting(&s, M2D__WHEEL_STEER));
    s.is_driven = is_driven(&s);
    m2d__tyre_read(&s.tyre, wheel);
    HA_TRY(check_turned(&s));
    set_moduli(&s);
    HA_TRY(ha_dag_status(x->dag));
    HA_TRY(m2d__expand_rows(x, &s.set));
    HA_TRY(add_axis(&s));
    HA_TRY(find_slip(&s));
    HA_TRY(is_given(&s, M2D__WHEEL_INERTIA) ? add_inertia(&s) : HA_OK);
    HA_TRY(is_given(&s, M2D__WHEEL_BRAKE) || is_given(&s, M2D__WHEEL_RESISTANCE) ? add_brake(&s)
                                                                                 : HA_OK);
    HA_TRY(add_hold(&s, LONG));
    HA_TRY(add_hold(&s, LAT));
    return add_outputs(&s);
}

/* --- the type ------------------------------------------------------------------------------- */

static const m2d__direction directions[] = { { "angle", "omega", true,
                                               "the angle it has rolled" } };

static const char *const formulas[] = { "v . e - R omega = slip_long (ideal: 0)",
                                        "v . n = slip_lat (ideal: 0)" };

const m2d__joint_type m2d__joint_wheel = {
    .name = "wheel",
    .title = "A wheel that rolls on the plane, seen from above; `model` says how it holds.",
    .source = "Zimmer 2014, PlanarMechanics; Pacejka 2012, Tire and Vehicle Dynamics, 5.2",
    .formulas = formulas,
    .keys = keys,
    .n_keys = M2D__WHEEL_N_KEYS,
    .n_rows = 2,
    .symbol = M2D_SYMBOL_TYRE,
    .takes_point = true,
    .has_models = true,
    .check = check,
    .expand = expand,
    .directions = directions,
    .n_directions = HA_COUNT(directions),
};
