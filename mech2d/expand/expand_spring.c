/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Springs and dampers on a row: a C, whose displacement q is given by the positions of the points
 * so that it adds no state, and an R. Of both, a 1-junction of common flow carries the two. Each is
 * linear or has a law by expressions; the energy of a C with a law is that of any such C in the
 * bond graph.
 */
#include <config.h>

#include "mech2d/expand/expand_priv.h"

m2d__spring_damper m2d__no_spring_damper(const m2d__expander *x, const char *name, ha_expr q)
{
    m2d__spring_damper both = {
        .name = name, .q = q, .spring = bg_law_default(), .damper = bg_law_default()
    };

    both.spring.q = &x->mechanism->own[0];
    both.damper.f = &x->mechanism->own[1];
    return both;
}

static bool has_spring(const m2d__spring_damper *both)
{
    return both->compliance != HA_EXPR_NONE || both->spring.effort != HA_EXPR_NONE ||
           both->spring.energy != HA_EXPR_NONE;
}

static bool has_damper(const m2d__spring_damper *both)
{
    return both->resistance != HA_EXPR_NONE || both->damper.effort != HA_EXPR_NONE;
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

/* The unit in which pictures show a compliance or a resistance. */
static bg_unit unit_of(const m2d__rowset *set, bool is_compliance)
{
    bool is_angle = set->rows[0].is_angle;
    const char *name =
        is_compliance ? (is_angle ? "rad/(N.m)" : "m/N") : (is_angle ? "N.m.s/rad" : "N.s/m");

    return (bg_unit){ name, 1.0 };
}

/* An element by its value or, without one, its law; on a junction, with its outputs. */
static ha_status add_element(m2d__expander *x, const m2d__rowset *set, bg_element_def *def,
                             ha_expr value, const bg_law *law, bg_element junction)
{
    bg_element element = 0;

    def->value = &value;
    def->n_values = value == HA_EXPR_NONE ? 0 : 1;
    def->law = value == HA_EXPR_NONE ? law : NULL;
    def->group = set->name;
    def->where = set->where;
    HA_TRY(m2d__element(x, def, &element));
    if (def->n_values > 0) {
        const bg_unit unit = unit_of(set, def->position != NULL);
        HA_TRY(bg_graph_set_units(x->graph, element, &unit, 1));
    }
    HA_TRY(m2d__bond(x, junction, element, 1, set->where));
    return add_outputs(x, set, element, def->position != NULL);
}

/* The C of the spring, on a junction. */
static ha_status add_spring(m2d__expander *x, const m2d__spring_damper *both,
                            const m2d__rowset *set, const char *name, bg_element junction)
{
    bg_element_def def = { .type = "C", .name = name, .position = &both->q };
    return add_element(x, set, &def, both->compliance, &both->spring, junction);
}

/* The R of the damper, on a junction. */
static ha_status add_damper(m2d__expander *x, const m2d__spring_damper *both,
                            const m2d__rowset *set, const char *name, bg_element junction)
{
    bg_element_def def = { .type = "R", .name = name };
    return add_element(x, set, &def, both->resistance, &both->damper, junction);
}

/* The 1-junction of a spring and a damper with the same flow. */
static ha_status add_both(m2d__expander *x, const m2d__spring_damper *both, const m2d__rowset *set)
{
    bg_element junction = 0;

    const bg_element_def def = { .type = "1",
                                 .name = m2d__name(x, both->name, "1", NULL),
                                 .group = set->name,
                                 .where = set->where };
    HA_TRY(m2d__element(x, &def, &junction));
    HA_TRY(m2d__bond(x, set->junction, junction, 1, set->where));
    HA_TRY(add_spring(x, both, set, m2d__name(x, both->name, "C", NULL), junction));
    return add_damper(x, both, set, m2d__name(x, both->name, "R", NULL), junction);
}

/* What the system keeps for the outputs NAME.force and power(NAME). */
static ha_status keep_effort(m2d__expander *x, const char *name, const m2d__rowset *set)
{
    static const char *const parts[] = { NULL, "C", "R" };
    m2d__spring spring = { .name = bg_element_group(x->graph, set->junction),
                           .effort = ha_constant(x->dag, 0.0),
                           .is_angle = set->rows[0].is_angle };

    for (size_t i = 0; i < HA_COUNT(parts); i++) {
        const char *part = parts[i] == NULL ? name : m2d__name(x, name, parts[i], NULL);
        HA_TRY_MEMORY(part);
        bg_element element = bg_graph_find(x->graph, part);
        if (element >= 0) {
            spring.effort =
                ha_add(x->dag, spring.effort, bg_graph_signal(x->graph, element, 0, BG_SIGNAL_E));
            spring.flow = bg_graph_signal(x->graph, element, 0, BG_SIGNAL_F);
        }
    }
    HA_TRY_PUSH(x->ctx, &x->system->springs, spring);
    return ha_dag_status(x->dag);
}

ha_status m2d__add_spring_damper(m2d__expander *x, const m2d__spring_damper *both,
                                 const m2d__rowset *set)
{
    HA_TRY(has_spring(both) && has_damper(both) ? add_both(x, both, set)
           : has_spring(both) ? add_spring(x, both, set, both->name, set->junction)
                              : add_damper(x, both, set, both->name, set->junction));
    return keep_effort(x, both->name, set);
}

ha_status m2d__expand_line(m2d__expander *x, const m2d__connection *force, m2d__row *row,
                           m2d__rowset *set)
{
    m2d__frame frame = m2d__frame_of(x, m2d__end(x, force, 0), m2d__end(x, force, 1), force);

    *row = (m2d__row){ .label = "length" };
    row->phi = m2d__length(x->dag, m2d__from_to(x->dag, frame.OM, frame.ON));
    HA_TRY(ha_dag_status(x->dag));
    set->ends[0] = m2d__end(x, force, 0);
    set->ends[1] = m2d__end(x, force, 1);
    set->n = 1;
    set->rows = row;
    set->where = m2d__keep_where(x->ctx, &x->system->arena, &x->system->file, set->where);
    HA_TRY(m2d__expand_rows(x, set));
    m2d__line line = { .name = bg_element_group(x->graph, set->junction),
                       .length = row->phi,
                       .where = set->where };
    HA_TRY_PUSH(x->ctx, &x->system->lines, line);
    return HA_OK;
}
