/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A contact in the bond graph. With the depth delta and the approach speed v = delta',
 *
 *   M, N -> O.0 -> O.1 -> O.C   Hertz's spring: K delta^n, of energy K delta^(n+1) / (n+1)
 *                  O.1 -> O.R   what it loses: K delta^n max(w v, -1), w = chi / v_minus
 *   M, N -> O.slip.0 -> O.friction   F_t over the sliding speed and the load of O.C and O.R
 *
 * where delta > 0, else no force. The largest of w v and -1 keeps the force from pulling: where the
 * bodies part faster than w allows, O.R takes all that the spring gives back. w is a signal
 * `O.held` that takes its value when delta gets above 0 (an event), and is 0 in free flight, where
 * it then cannot ask for an event.
 *
 * Of cylinders K delta^n may be the force of an implicit law (contact_cylinder.c).
 *
 * delta^n is written delta (delta^2 + epsilon^2)^((n-1)/2), which is defined and smooth on both
 * sides of 0: the solver steps over the point where the bodies part before it finds it.
 */
#include <config.h>

#include "mech2d/forces/contact.h"

#include "bondgraph/block.h"

#include <math.h>
#include <string.h>

static const double SMOOTH = 1e-12;        /* epsilon [m]: far below any depth */
static const double LEAST_SPEED = 1e-4;    /* of approach, if none is given [m/s] */
static const double FRICTION_SPEED = 1e-3; /* likewise */
static const double STEEPNESS = 20.0;      /* v_s / v_f where one is given */
static const double REST = 0.5;            /* of v_f: what comes into the zone of v_f is none */

/* --- settings -------------------------------------------------------------------------------- */

static double or_else(double value, double instead)
{
    return isnan(value) ? instead : value;
}

void m2d__contact_numbers(ha_dag *dag, const m2d__connection *connection, int first, int n,
                          double *out)
{
    for (int i = 0; i < n; i++) {
        ha_expr value = m2d__setting(connection, first + i, 0);
        out[i] = value == HA_EXPR_NONE ? (double) NAN : m2d__number(dag, value);
    }
}

double m2d__model_number(ha_dag *dag, const m2d__connection *joint, int key)
{
    const m2d__model_setting *setting = &joint->model_settings[key];

    return setting->n_values == 0 ? (double) NAN : m2d__number(dag, setting->values[0]);
}

void m2d__model_numbers(ha_dag *dag, const m2d__connection *joint, int first, int n, double *out)
{
    for (int i = 0; i < n; i++) {
        out[i] = m2d__model_number(dag, joint, first + i);
    }
}

/* Of cylinders by their slope at the load F: delta = compliance F. */
ha_expr m2d__contact_depth(ha_dag *dag, const m2d__normal_law *normal, ha_expr energy)
{
    double n = normal->at_rest.exponent, K = normal->at_rest.K;
    double of_energy = K > 0.0 ? (n + 1.0) / K : 2.0 * normal->at_rest.compliance;
    ha_expr power = ha_mul(dag, ha_constant(dag, of_energy), energy);

    return K > 0.0
               ? ha_apply(dag, HA_OP_POW, power, ha_constant(dag, 1.0 / (n + 1.0)), HA_EXPR_NONE)
               : ha_apply(dag, HA_OP_SQRT, power, HA_EXPR_NONE, HA_EXPR_NONE);
}

/* The stiffness of cylinders. */
static const char *find_cylinders(const double *s, double softness, const m2d__touch *touch,
                                  m2d__normal_law *out)
{
    const m2d__cylinders cylinders = { s[M2D__CONTACT_CYLINDER_LENGTH], softness, *touch };
    const m2d__cylinder_law *law =
        m2d__cylinder_law_at((size_t) or_else(s[M2D__CONTACT_CYLINDER_LAW], 0));

    return !isnan(s[M2D__CONTACT_EXPONENT])
               ? "`cylinder_length` gives the `exponent`, too; leave one of them out"
               : m2d__cylinder_stiffness(law, &cylinders, &out->at_rest);
}

/* The stiffness from the moduli: Hertz's, or that of cylinders. */
static const char *find_stiffness(const double *s, const m2d__touch *touch, m2d__normal_law *out)
{
    const double modulus[2] = { s[M2D__CONTACT_MODULUS],
                                or_else(s[M2D__CONTACT_OTHER_MODULUS], s[M2D__CONTACT_MODULUS]) };
    const double nu = or_else(s[M2D__CONTACT_POISSON], 0.3);
    const double poisson[2] = { nu, or_else(s[M2D__CONTACT_OTHER_POISSON], nu) };

    if (isnan(modulus[0])) {
        return "it has neither a `stiffness` nor a `modulus`; give one";
    }
    if (!isnan(s[M2D__CONTACT_CYLINDER_LENGTH])) {
        return find_cylinders(s, m2d__softness(modulus, poisson), touch, out);
    }
    if (!(touch->curvature > 0.0)) {
        return "Hertz's stiffness needs a radius of the bodies at the contact; give it, or "
               "`stiffness` "
               "instead of `modulus`";
    }
    out->at_rest.K = m2d__hertz_stiffness(modulus, poisson, touch->curvature);
    return NULL;
}

/* What the law of dissipation needs. */
static const char *find_loss(const double *s, m2d__normal_law *out)
{
    double c = or_else(s[M2D__CONTACT_RESTITUTION], 1.0);

    if (out->law->is_linear) {
        out->damping = or_else(s[M2D__CONTACT_DAMPING], 0.0);
        return !isnan(s[M2D__CONTACT_RESTITUTION])
                   ? "the law kelvin-voigt has no `restitution`; give `damping`, or another law"
                   : NULL;
    }
    if (!isnan(s[M2D__CONTACT_DAMPING])) {
        return "`damping` belongs to the law kelvin-voigt; give `restitution`, or that law";
    }
    out->chi = out->law->chi(c);
    return NULL;
}

static const char *read_normal_law(const double *s, const m2d__touch *touch, m2d__normal_law *out)
{
    const char *fault = NULL;

    *out =
        (m2d__normal_law){ .law = m2d__contact_law_at((size_t) or_else(s[M2D__CONTACT_LAW], 0)) };
    out->at_rest.K = s[M2D__CONTACT_STIFFNESS];
    out->at_rest.exponent = or_else(s[M2D__CONTACT_EXPONENT], out->law->is_linear ? 1.0 : 1.5);
    out->least_speed = or_else(s[M2D__CONTACT_LEAST_SPEED], LEAST_SPEED);
    if (out->at_rest.exponent < 1.0) {
        return "`exponent` must be at least 1: below, the stiffness is infinite at first touch";
    }
    bool has_material = !isnan(s[M2D__CONTACT_MODULUS]) || !isnan(s[M2D__CONTACT_CYLINDER_LENGTH]);
    if (!isnan(out->at_rest.K) && has_material) {
        return "it has a `stiffness`, and a `modulus` or `cylinder_length` that would give one; "
               "leave "
               "one of them out";
    }
    if (!isnan(s[M2D__CONTACT_CYLINDER_LAW]) && isnan(s[M2D__CONTACT_CYLINDER_LENGTH])) {
        return "it has a `cylinder_law`, but no `cylinder_length`; give the length, or remove the "
               "law";
    }
    if (isnan(out->at_rest.K)) {
        fault = find_stiffness(s, touch, out);
    }
    return fault != NULL ? fault : find_loss(s, out);
}

/* Refuses what the law does not have or cannot do with. */
static const char *check_friction(const m2d__friction *f)
{
    if (f->mu_static < f->mu) {
        return "`static_friction` is below `friction`; it must be at least that";
    }
    if (f->law->steepness > 0.0 && f->v_stribeck <= f->v) {
        return "`stribeck_speed`, over which the static friction wears off, must be above "
               "`friction_speed`, at which it is reached";
    }
    if (f->v_dead >= f->v) {
        return "`dead_speed` must be below `friction_speed`";
    }
    if (f->dahl < 1.0) {
        return "`dahl_exponent` is below 1; it must be at least that, or friction would be "
               "infinitely "
               "stiff where it is fully there";
    }
    if (f->lubricant > 0.0 && isnan(f->load)) {
        return "it has a `viscous_damping`, but no `transition_load`; give the load from about "
               "which on "
               "the viscous force is fully there, in N, or `viscous_friction` for one in "
               "proportion to "
               "the load";
    }
    return f->law->rate != NULL && isnan(f->stiffness)
               ? "a law with bristles, lugre or dahl, has no `bristle_stiffness`; give it, in 1/m: "
                 "the "
                 "stiffness at rest divided by the load"
               : NULL;
}

/* The speeds v_f and v_s. Static friction that wears off over v_s has to be there well below v_s.
 */
static void find_speeds(const double *s, m2d__friction *out)
{
    double v_s = s[M2D__FRICTION_STRIBECK_SPEED], ratio = out->law->steepness;
    double v = v_s / (ratio > 0.0 ? ratio : STEEPNESS);

    out->v = or_else(s[M2D__FRICTION_FRICTION_SPEED], or_else(v, FRICTION_SPEED));
    out->v_stribeck = or_else(v_s, ratio > 0.0 ? ratio * out->v : out->v);
}

const char *m2d__friction_of(const double *s, m2d__friction *out)
{
    double mu = or_else(s[M2D__FRICTION_FRICTION], 0.0);

    *out = (m2d__friction){
        .law = m2d__friction_law_at((size_t) or_else(s[M2D__FRICTION_FRICTION_LAW], 0)),
        .arm = 1.0,
        .mu = mu,
        .mu_static = or_else(s[M2D__FRICTION_STATIC_FRICTION], mu),
        .viscous = or_else(s[M2D__FRICTION_VISCOUS_FRICTION], 0.0),
        .v_dead = or_else(s[M2D__FRICTION_DEAD_SPEED], 0.0),
        .stiffness = s[M2D__FRICTION_BRISTLE_STIFFNESS],
        .damping = or_else(s[M2D__FRICTION_BRISTLE_DAMPING], 0.0),
        .exponent = or_else(s[M2D__FRICTION_STRIBECK_EXPONENT], 2.0),
        .v_fading = or_else(s[M2D__FRICTION_FADING_SPEED], 0.0),
        .dahl = or_else(s[M2D__FRICTION_DAHL_EXPONENT], 1.0),
        .lubricant = or_else(s[M2D__FRICTION_VISCOUS_DAMPING], 0.0),
        .load = s[M2D__FRICTION_TRANSITION_LOAD],
    };
    find_speeds(s, out);
    if (isnan(s[M2D__FRICTION_FRICTION])) {
        bool has_more = false;
        for (int i = 0; i < M2D__N_FRICTION_KEYS; i++) {
            has_more = has_more || s[i] > 0.0;
        }
        return has_more ? "it has settings of friction, but no `friction`; give the coefficient"
                        : NULL;
    }
    if (mu == 0.0 && out->mu_static > 0.0) {
        return "it has a `static_friction`, but a `friction` of 0; give both, or 0 for both";
    }
    if (mu == 0.0) {
        out->law = m2d__friction_law_at(0); /* without bristles: there is nothing to hold */
        return NULL;
    }
    return check_friction(out);
}

const char *m2d__contact_laws(const double *settings, const m2d__touch *touch,
                              m2d__normal_law *normal, m2d__friction *friction)
{
    const char *fault = read_normal_law(settings, touch, normal);

    return fault != NULL ? fault : m2d__friction_of(settings + M2D__CONTACT_FRICTION_LAW, friction);
}

/* --- forces ---------------------------------------------------------------------------------- */

static ha_expr number(m2d__expander *x, double value)
{
    return ha_constant(x->dag, value);
}

/* (q^2 + epsilon^2)^exponent */
static ha_expr smooth_power(m2d__expander *x, ha_expr q, double exponent)
{
    ha_expr sum = ha_add(x->dag, ha_mul(x->dag, q, q), number(x, SMOOTH * SMOOTH));

    return ha_apply(x->dag, HA_OP_POW, sum, number(x, exponent), HA_EXPR_NONE);
}

/* The force at rest: K delta^n, or that of an implicit law. */
static ha_expr elastic(m2d__expander *x, const m2d__stiffness *s, ha_expr q)
{
    if (s->K == 0.0) {
        return m2d__cylinder_force(x->dag, s, q);
    }
    ha_expr power = smooth_power(x, q, 0.5 * (s->exponent - 1.0));

    return ha_mul(x->dag, number(x, s->K), ha_mul(x->dag, q, power));
}

/* The energy of that. */
static ha_expr elastic_energy(m2d__expander *x, const m2d__stiffness *s, ha_expr q)
{
    if (s->K == 0.0) {
        return m2d__cylinder_energy(x->dag, s, q);
    }
    double n = s->exponent + 1.0;
    ha_expr power = ha_sub(x->dag, smooth_power(x, q, 0.5 * n), number(x, pow(SMOOTH, n)));

    return ha_mul(x->dag, number(x, s->K / n), power);
}

/* A value in contact, 0 in free flight. From 0 on, as add_held() has it: it is one event then. */
static ha_expr in_contact(m2d__expander *x, ha_expr depth, ha_expr value)
{
    ha_expr is_in = ha_apply(x->dag, HA_OP_GE, depth, number(x, 0.0), HA_EXPR_NONE);

    return ha_apply(x->dag, HA_OP_IF, is_in, value, number(x, 0.0));
}

/* An element of the contact with one component: `NAME.part`. */
static bg_element_def element_of(m2d__expander *x, const m2d__contact *c, const char *type,
                                 const char *part)
{
    return (bg_element_def){ .type = type,
                             .name = m2d__name(x, c->name, part, NULL),
                             .group = c->group,
                             .where = c->where };
}

/* A value that is none where the bodies have gone through each other: the run ends there. */
static ha_expr limited(m2d__expander *x, const m2d__contact *c, ha_expr depth, ha_expr value)
{
    if (c->deepest == HA_EXPR_NONE) {
        return value;
    }
    ha_expr is_in = ha_apply(x->dag, HA_OP_LT, depth, c->deepest, HA_EXPR_NONE);
    ha_expr none = ha_apply(x->dag, HA_OP_LOG, number(x, -1.0), HA_EXPR_NONE, HA_EXPR_NONE);

    return ha_apply(x->dag, HA_OP_IF, is_in, value, none);
}

static ha_status add_spring(m2d__expander *x, const m2d__contact *c, bg_element junction,
                            bg_element *out)
{
    bg_element_def def = element_of(x, c, "C", "C");
    ha_expr q = ha_symbol(x->dag, "q");
    ha_expr effort = in_contact(x, q, limited(x, c, q, elastic(x, &c->normal.at_rest, q)));
    ha_expr energy = in_contact(x, q, elastic_energy(x, &c->normal.at_rest, q));
    const bg_law law = { .q = &q, .effort = effort, .energy = energy };

    def.law = &law;
    def.position = &c->depth;
    HA_TRY(m2d__element(x, &def, out));
    return m2d__bond(x, junction, *out, 1, c->where);
}

/* The signal w = chi / v_minus, held during a contact. */
static ha_status add_held(m2d__expander *x, const m2d__contact *c, ha_expr speed, ha_expr *w)
{
    bg_block_def def = bg_block_def_default();
    ha_expr least = number(x, c->normal.least_speed);
    ha_expr v = ha_apply(x->dag, HA_OP_MAX, speed, least, HA_EXPR_NONE);

    HA_TRY_GET(def.name, m2d__name(x, c->name, "held", NULL));
    def.group = c->group;
    def.kind = BG_BLOCK_HOLD;
    def.input = ha_div(x->dag, number(x, c->normal.chi), v);
    def.when = c->depth;
    def.where = c->where;
    HA_TRY(ha_dag_status(x->dag));
    return bg_graph_add_block(x->graph, &def, w);
}

/* What the contact loses. */
static ha_status add_loss(m2d__expander *x, const m2d__contact *c, bg_element junction,
                          ha_expr *effort)
{
    bg_element_def def = element_of(x, c, "R", "R");
    ha_expr f = ha_symbol(x->dag, "f"), w = HA_EXPR_NONE, loss = HA_EXPR_NONE;
    ha_expr spring = elastic(x, &c->normal.at_rest, c->depth);
    bg_element added = 0;

    if (c->normal.law->is_linear) {
        ha_expr damper = ha_mul(x->dag, number(x, c->normal.damping), f);
        loss = ha_apply(x->dag, HA_OP_MAX, damper, ha_neg(x->dag, spring), HA_EXPR_NONE);
    } else {
        ha_expr speed = HA_EXPR_NONE;
        HA_TRY(m2d__rate(x, c->depth, c->ends, &speed));
        HA_TRY(add_held(x, c, speed, &w));
        ha_expr share =
            ha_apply(x->dag, HA_OP_MAX, ha_mul(x->dag, w, f), number(x, -1.0), HA_EXPR_NONE);
        loss = ha_mul(x->dag, spring, share);
    }
    const bg_law law = { .f = &f, .effort = in_contact(x, c->depth, loss) };
    def.law = &law;
    HA_TRY(m2d__element(x, &def, &added));
    *effort = bg_graph_signal(x->graph, added, 0, BG_SIGNAL_E);
    return m2d__bond(x, junction, added, 1, c->where);
}

/* The spring and what is lost, on the 0-junction of the depth; the normal force. */
static ha_status add_normal(m2d__expander *x, const m2d__contact *c, const m2d__rowset *set,
                            ha_expr *force)
{
    bg_element_def def = element_of(x, c, "1", "1");
    bg_element junction = 0, spring = 0;
    ha_expr loss = number(x, 0.0);

    if (c->normal.chi == 0.0 && c->normal.damping == 0.0) {
        HA_TRY(add_spring(x, c, set->junction, &spring));
        *force = bg_graph_signal(x->graph, spring, 0, BG_SIGNAL_E);
        return ha_dag_status(x->dag);
    }
    HA_TRY(m2d__element(x, &def, &junction));
    HA_TRY(m2d__bond(x, set->junction, junction, 1, c->where));
    HA_TRY(add_spring(x, c, junction, &spring));
    HA_TRY(add_loss(x, c, junction, &loss));
    *force = ha_add(x->dag, bg_graph_signal(x->graph, spring, 0, BG_SIGNAL_E), loss);
    return ha_dag_status(x->dag);
}

/* --- friction -------------------------------------------------------------------------------- */

/* The deflection of bristles, whose rate is that of the law at the speed v. */
static ha_status add_bristles(m2d__expander *x, const m2d__friction *friction, const char *name,
                              const m2d__rowset *set, ha_expr v, ha_expr *z)
{
    bg_block_def def = bg_block_def_default();

    HA_TRY_GET(def.name, m2d__name(x, name, "bristle", NULL));
    def.group = m2d__set_group(set);
    *z = ha_symbol(x->dag, def.name);
    def.kind = BG_BLOCK_INTEGRATOR;
    def.input = friction->law->rate(x->dag, friction, v, *z);
    def.where = set->where;
    HA_TRY(ha_dag_status(x->dag));

    ha_expr state = HA_EXPR_NONE;
    HA_TRY(bg_graph_add_block(x->graph, &def, &state));
    ha_symbol_define(x->dag, *z, state);
    return ha_dag_status(x->dag);
}

/* The R of a law at a junction whose flow is the rate of the set. */
static ha_status add_sliding_friction(m2d__expander *x, const m2d__friction *friction,
                                      const char *name, const m2d__rowset *set, bg_element junction,
                                      ha_expr load, ha_expr *effort)
{
    ha_expr f = ha_symbol(x->dag, "f"), z = HA_EXPR_NONE;
    bg_element added = 0;

    ha_expr arm = number(x, friction->arm), v = ha_mul(x->dag, arm, f);

    if (friction->law->rate != NULL) {
        ha_expr rate = HA_EXPR_NONE;
        HA_TRY(m2d__set_rate(x, set, 0, &rate));
        HA_TRY(add_bristles(x, friction, name, set, ha_mul(x->dag, arm, rate), &z));
    }
    ha_expr force = ha_mul(x->dag, load, friction->law->force(x->dag, friction, v, z));
    if (friction->lubricant > 0.0) {
        force = ha_add(x->dag, force, m2d__lubricant(x->dag, friction, v, load));
    }
    const bg_law law = { .f = &f, .effort = ha_mul(x->dag, arm, force) };
    const bg_element_def def = {
        .type = "R", .name = name, .law = &law, .group = m2d__set_group(set), .where = set->where
    };
    HA_TRY(m2d__element(x, &def, &added));
    *effort = bg_graph_signal(x->graph, added, 0, BG_SIGNAL_E);
    return m2d__bond(x, junction, added, 1, set->where);
}

/* What holds at rest beside it: `NAME.hold`. */
static ha_status add_hold(m2d__expander *x, const m2d__friction *friction, const char *name,
                          const m2d__rowset *set, bg_element junction, ha_expr load,
                          ha_expr *effort)
{
    ha_expr rate = HA_EXPR_NONE, arm = number(x, friction->arm), limit = HA_EXPR_NONE;
    ha_expr rest = number(x, REST * friction->v / friction->arm);
    bg_element added = 0;

    HA_TRY(m2d__set_rate(x, set, 0, &rate));
    limit = friction->law->limit(x->dag, friction, ha_mul(x->dag, arm, rate), load);
    limit = ha_mul(x->dag, arm, limit);
    const bg_element_def def = { .type = "Dry",
                                 .name = m2d__name(x, name, "hold", NULL),
                                 .value = &limit,
                                 .n_values = 1,
                                 .rest = &rest,
                                 .group = m2d__set_group(set),
                                 .where = set->where };
    HA_TRY(m2d__element(x, &def, &added));
    *effort = bg_graph_signal(x->graph, added, 0, BG_SIGNAL_E);
    return m2d__bond(x, junction, added, 1, set->where);
}

ha_status m2d__add_friction(m2d__expander *x, const m2d__friction *friction, const char *name,
                            const m2d__rowset *set, ha_expr load, ha_expr *effort)
{
    bg_element junction = set->junction;
    ha_expr hold = HA_EXPR_NONE;

    if (friction->law->limit == NULL || friction->is_shared) {
        return add_sliding_friction(x, friction, name, set, junction, load, effort);
    }
    const bg_element_def def = { .type = "1",
                                 .name = m2d__name(x, name, "1", NULL),
                                 .group = m2d__set_group(set),
                                 .where = set->where };
    HA_TRY(m2d__element(x, &def, &junction));
    HA_TRY(m2d__bond(x, set->junction, junction, 1, set->where));
    HA_TRY(add_sliding_friction(x, friction, name, set, junction, load, effort));
    HA_TRY(add_hold(x, friction, name, set, junction, load, &hold));
    *effort = ha_add(x->dag, *effort, hold);
    return ha_dag_status(x->dag);
}

/* The friction of a contact, on a 0-junction of its own. */
static ha_status add_sliding(m2d__expander *x, const m2d__contact *c, ha_expr load,
                             ha_expr reaction[3])
{
    const m2d__row row = { .label = "slip" };
    m2d__rowset set = { .name = m2d__name(x, c->name, "slip", NULL),
                        .group = c->group,
                        .ends = { c->ends[0], c->ends[1] },
                        .n = 1,
                        .rows = &row,
                        .has_moduli = true,
                        .where = c->where };
    const char *name = m2d__name(x, c->name, "friction", NULL);
    m2d__friction friction = c->friction;
    ha_expr effort = HA_EXPR_NONE, speed = HA_EXPR_NONE;

    HA_TRY(set.name == NULL || name == NULL ? HA_ERR_MEMORY : HA_OK);
    for (int i = 0; i < 6; i++) {
        set.moduli[i / 3][0][i % 3] = c->slip[i / 3][i % 3];
    }
    HA_TRY(m2d__expand_rows(x, &set));
    HA_TRY(m2d__set_rate(x, &set, 0, &speed));
    friction.is_shared = true;
    HA_TRY(m2d__add_friction(x, &friction, name, &set, load, &effort));
    m2d__add_reaction(x, &set, &effort, reaction);
    HA_TRY(m2d__output(x, c->name, "slip", NULL, "m/s", speed));
    return m2d__output(x, c->name, "friction", NULL, "N", effort);
}

/* Keeps what says how deep the contact is and what its spring then holds. */
static ha_status keep_bump(m2d__expander *x, const m2d__contact *c)
{
    const m2d__stiffness *at_rest = &c->normal.at_rest;
    double most = at_rest->K > 0.0 ? (double) INFINITY : m2d__cylinder_deepest(at_rest);
    /* not known where a radius varies */
    double through = c->deepest == HA_EXPR_NONE ? (double) NAN : m2d__number(x->dag, c->deepest);
    bool passes = through > 0.0 && through < most;
    const m2d__bump bump = { .name = ha__arena_text(x->ctx, &x->system->arena, c->name,
                                                    strlen(c->name)),
                             .depth = c->depth,
                             .effort = elastic(x, at_rest, c->depth),
                             .energy = elastic_energy(x, at_rest, c->depth),
                             .size = c->size,
                             .passes = passes,
                             .most = passes ? through : most,
                             .where = c->where };

    HA_TRY_MEMORY(bump.name);
    HA_TRY_PUSH(x->ctx, &x->system->bumps, bump);
    return ha_dag_status(x->dag);
}

ha_status m2d__expand_contact(m2d__expander *x, const m2d__contact *c, ha_expr reaction[3])
{
    const m2d__row row = { .label = "depth", .phi = c->depth };
    m2d__rowset set = {
        .name = c->name, .ends = { c->ends[0], c->ends[1] }, .n = 1, .rows = &row, .where = c->where
    };
    ha_expr force = HA_EXPR_NONE;

    HA_TRY(ha_dag_status(x->dag));
    HA_TRY(m2d__expand_rows(x, &set));
    HA_TRY(add_normal(x, c, &set, &force));
    HA_TRY(keep_bump(x, c));
    m2d__add_reaction(x, &set, &force, reaction);
    HA_TRY(m2d__output(x, c->name, "depth", NULL, "m", c->depth));
    HA_TRY(m2d__output(x, c->name, "normal", NULL, "N", force));
    return c->friction.mu > 0.0 ? add_sliding(x, c, force, reaction) : HA_OK;
}
