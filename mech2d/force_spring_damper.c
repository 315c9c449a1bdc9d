/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A spring and damper, along the line between two points or on a free direction of a joint
 * (Marquis-Favre et al. 2006, part II, eqs 9-12).
 *
 *   between points:  phi = |MN|
 *   on a direction:  phi = its coordinate, an angle or a signed slide (the papers' |MN| would be
 *                    singular at M = N and wrong for a negative slide)
 *
 *   effort k (phi - phi_free) + c d phi / dt, pulling the second body back
 *
 * The spring is a C whose displacement is phi - phi_free, so that it adds no state; the damper is
 * an R. Of both, a 1-junction of common flow carries the two. The direction of a line does not
 * exist at length zero: assembly reports a spring that starts there.
 */
#include <config.h>

#include "mech2d/expand_priv.h"

enum { STIFFNESS, DAMPING, FREE };

/* The settings, by the kind of phi. */
#define KEYS(STIFFNESS_OF, DAMPING_OF, FREE_OF, FREE_NAME, FREE_IS_POSITIVE)                       \
    {                                                                                              \
        [STIFFNESS] = { .name = "stiffness",                                                       \
                        .n_values = 1,                                                             \
                        .quantities = { STIFFNESS_OF },                                            \
                        .is_constant = true,                                                       \
                        .is_positive = true },                                                     \
        [DAMPING] = { .name = "damping",                                                           \
                      .n_values = 1,                                                               \
                      .quantities = { DAMPING_OF },                                                \
                      .is_constant = true,                                                         \
                      .is_positive = true },                                                       \
        [FREE] = { .name = (FREE_NAME),                                                            \
                   .n_values = 1,                                                                  \
                   .quantities = { FREE_OF },                                                      \
                   .is_constant = true,                                                            \
                   .is_positive = (FREE_IS_POSITIVE) },                                            \
    }

static const m2d__key line_keys[] =
    KEYS(HA__QUANTITY_STIFFNESS, HA__QUANTITY_DAMPING, HA__QUANTITY_LENGTH, "free_length", true);
static const m2d__key slide_keys[] =
    KEYS(HA__QUANTITY_STIFFNESS, HA__QUANTITY_DAMPING, HA__QUANTITY_LENGTH, "free_length", false);
static const m2d__key angle_keys[] =
    KEYS(HA__QUANTITY_ANGULAR_STIFFNESS, HA__QUANTITY_ANGULAR_DAMPING, HA__QUANTITY_ANGLE,
         "free_angle", false);

static bool has(m2d__expander *x, const m2d__connection *force, int key)
{
    return m2d__number(x->dag, m2d__setting(force, key, 0)) > 0.0;
}

static m2d__use use(m2d__expander *x, const m2d__connection *force)
{
    return has(x, force, STIFFNESS) || has(x, force, DAMPING) ? M2D__USE_BOND : M2D__USE_NONE;
}

/* The outputs of the C or the R, in the units of phi. */
static ha_status add_outputs(m2d__expander *x, const m2d__rowset *set, bg_element element,
                             bool has_q)
{
    bool is_angle = set->rows[0].is_angle;
    const char *effort = is_angle ? "N.m" : "N", *flow = is_angle ? "rad/s" : "m/s";
    const char *position = is_angle ? "rad" : "m";

    return m2d__element_outputs(x, element, &effort, &flow, has_q ? position : NULL);
}

/* The C of the spring, on a junction. */
static ha_status add_spring(m2d__expander *x, const m2d__connection *force, const m2d__rowset *set,
                            const char *name, bg_element junction)
{
    ha_expr value = ha_div(x->dag, ha_constant(x->dag, 1.0), m2d__setting(force, STIFFNESS, 0));
    ha_expr position = ha_sub(x->dag, set->rows[0].phi, m2d__setting(force, FREE, 0));
    bg_element_def def = bg_element_def_default();
    bg_element spring = 0;

    def.type = "C";
    def.name = name;
    def.value = &value;
    def.n_values = 1;
    def.position = &position;
    def.group = set->name;
    def.where = set->where;
    HA_TRY(m2d__element(x, &def, &spring));
    HA_TRY(m2d__bond(x, junction, spring, 1, set->where));
    return add_outputs(x, set, spring, true);
}

/* The R of the damper, on a junction. */
static ha_status add_damper(m2d__expander *x, const m2d__connection *force, const m2d__rowset *set,
                            const char *name, bg_element junction)
{
    ha_expr value = m2d__setting(force, DAMPING, 0);
    bg_element_def def = bg_element_def_default();
    bg_element damper = 0;

    def.type = "R";
    def.name = name;
    def.value = &value;
    def.n_values = 1;
    def.group = set->name;
    def.where = set->where;
    HA_TRY(m2d__element(x, &def, &damper));
    HA_TRY(m2d__bond(x, junction, damper, 1, set->where));
    return add_outputs(x, set, damper, false);
}

/* The 1-junction of a spring and a damper with the same flow. */
static ha_status add_both(m2d__expander *x, const m2d__connection *force, const m2d__rowset *set)
{
    bg_element_def def = bg_element_def_default();
    bg_element junction = 0;
    const char *spring = m2d__name(x, force->name, "C", NULL);

    def.type = "1";
    def.name = m2d__name(x, force->name, "1", NULL);
    def.group = set->name;
    def.where = set->where;
    HA_TRY(m2d__element(x, &def, &junction));
    HA_TRY(m2d__bond(x, set->junction, junction, 1, set->where));
    HA_TRY(add_spring(x, force, set, spring, junction));
    return add_damper(x, force, set, m2d__name(x, force->name, "R", NULL), junction);
}

/* The spring, the damper or both, on the 0-junction of the row. */
static ha_status add_elements(m2d__expander *x, const m2d__connection *force,
                              const m2d__rowset *set)
{
    if (has(x, force, STIFFNESS) && has(x, force, DAMPING)) {
        return add_both(x, force, set);
    }
    return has(x, force, STIFFNESS) ? add_spring(x, force, set, force->name, set->junction)
                                    : add_damper(x, force, set, force->name, set->junction);
}

/* What the system keeps for the output SPRING.force. */
static ha_status keep_effort(m2d__expander *x, const m2d__connection *force, const m2d__rowset *set)
{
    static const char *const parts[] = { NULL, "C", "R" };
    m2d__spring spring = { bg_element_group(x->graph, set->junction), ha_constant(x->dag, 0.0),
                           set->rows[0].is_angle };

    for (size_t i = 0; i < HA_COUNT(parts); i++) {
        const char *name =
            parts[i] == NULL ? force->name : m2d__name(x, force->name, parts[i], NULL);
        bg_element element = name == NULL ? -1 : bg_graph_find(x->graph, name);
        HA_TRY(name == NULL ? HA_ERR_MEMORY : HA_OK);
        if (element >= 0) {
            spring.effort =
                ha_add(x->dag, spring.effort, bg_graph_signal(x->graph, element, 0, BG_SIGNAL_E));
        }
    }
    HA_TRY_PUSH(x->ctx, &x->system->springs, spring);
    return ha_dag_status(x->dag);
}

static ha_status expand_line(m2d__expander *x, const m2d__connection *force)
{
    const m2d__port *M = m2d__end(x, force, 0), *N = m2d__end(x, force, 1);
    m2d__frame frame = m2d__frame_of(x, M, N, force);
    m2d__row row = { .label = "length", .angle = HA_EXPR_NONE };
    m2d__rowset set = { .name = force->name, .ends = { M, N }, .n = 1, .rows = &row };

    row.phi = m2d__length(x->dag, m2d__from_to(x->dag, frame.OM, frame.ON));
    HA_TRY(ha_dag_status(x->dag));
    set.where = m2d__keep_where(x->ctx, &x->system->arena, &x->system->file, force->where);
    HA_TRY(m2d__expand_rows(x, &set));
    m2d__line line = { .name = bg_element_group(x->graph, set.junction),
                       .length = row.phi,
                       .where = set.where };
    HA_TRY_PUSH(x->ctx, &x->system->lines, line);
    HA_TRY(add_elements(x, force, &set));
    return keep_effort(x, force, &set);
}

static ha_status expand_direction(m2d__expander *x, const m2d__connection *force)
{
    const m2d__connection *joint = &x->mechanism->joints.items[force->on_joint];
    m2d__row row = { 0 };
    m2d__rowset set = { .name = force->name, .where = force->where };

    HA_TRY(m2d__expand_direction(x, joint, force->on_direction, &row, &set));
    HA_TRY(add_elements(x, force, &set));
    return keep_effort(x, force, &set);
}

const m2d__force_type m2d__force_spring_damper = {
    .name = "spring-damper",
    .target = M2D__BETWEEN_POINTS,
    .keys = line_keys,
    .n_keys = HA_COUNT(line_keys),
    .use = use,
    .expand = expand_line,
};

const m2d__force_type m2d__force_spring_damper_of_angle = {
    .name = "spring-damper",
    .target = M2D__ON_ANGLE,
    .keys = angle_keys,
    .n_keys = HA_COUNT(angle_keys),
    .use = use,
    .expand = expand_direction,
};

const m2d__force_type m2d__force_spring_damper_of_slide = {
    .name = "spring-damper",
    .target = M2D__ON_SLIDE,
    .keys = slide_keys,
    .n_keys = HA_COUNT(slide_keys),
    .use = use,
    .expand = expand_direction,
};
