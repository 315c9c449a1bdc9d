/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starts inside of contacts and beyond stops. All bodies, of the mass m, that fall by the size r of
 * what touches bring the energy m g r, and at rest they press with m g. A spring that holds many
 * times both was hardly meant: the radius of the disc was forgotten, or a limit. What rests on its
 * contacts presses with m g, and what is clamped in them stores little.
 */
#include <config.h>

#include "lib/core/number.h"
#include "mech2d/assemble/assemble_priv.h"

#include <math.h>
#include <string.h>

static const double g = 10.0; /* [m/s2] or, without gravity, about as much */
static const double many = 10.0;

/* The value of an expression over the ports' symbols at the start. */
static ha_status evaluate(m2d_assembly *a, ha_expr expr, double *out)
{
    ha_dag *dag = bg_graph_dag(a->system->graph);
    ha_expr value = HA_EXPR_NONE;

    HA_TRY(ha_resolve(dag, expr, &value));
    *out = ha_expr_value(dag, value, m2d__coordinate, a);
    return ha_dag_status(dag);
}

/* Says that the start is in a contact, or beyond a stop. */
static void warn(const m2d_system *system, const m2d__bump *bump, double depth, double energy,
                 double mass)
{
    const char *unit = bump->is_angle ? "rad" : "m";
    char deep[HA__NUMBER_SIZE], joule[HA__NUMBER_SIZE], high[HA__NUMBER_SIZE];

    (void) ha__print_rounded_number(deep, depth, 3);
    (void) ha__print_rounded_number(joule, energy, 3);
    (void) ha__print_rounded_number(high, energy / (mass * g), 2);
    ha_warn(system->ctx, bump->where,
            "the run starts %s %s %s `%s`, whose spring then stores %s J, enough to throw all "
            "bodies %s m high; %s",
            deep, unit, bump->is_stop ? "beyond the limit of the stop" : "inside of the contact",
            bump->name, joule, high,
            bump->is_stop ? "start the bodies within its limits, or move these"
                          : "a law that dissipates may hold them there instead: start the bodies "
                            "where they just touch, a disc its radius from the surface");
}

/* Warns of a contact or stop that is pressed too hard by bodies of this mass. */
static ha_status check(m2d_assembly *a, const m2d__bump *bump, double mass)
{
    const double weight = mass * g;
    double depth = 0.0, effort = 0.0, energy = 0.0;

    HA_TRY(evaluate(a, bump->depth, &depth));
    if (!(depth > 0.0)) {
        return HA_OK;
    }
    HA_TRY(evaluate(a, bump->effort, &effort));
    HA_TRY(evaluate(a, bump->energy, &energy));
    double at_rest = bump->is_angle ? weight * a->system->length : weight;
    if (fabs(effort) > many * at_rest && energy > many * weight * bump->size) {
        warn(a->system, bump, depth, energy, mass);
    }
    return HA_OK;
}

ha_status m2d_warn_of_depth(const m2d_assembly *assembly)
{
    const m2d_system *system = assembly->system;
    m2d_assembly *a = NULL;
    double mass = 0.0;
    ha_status status = HA_OK;

    for (size_t i = 0; i < system->masses.count; i++) {
        mass += system->masses.items[i].mass;
    }
    if (system->bumps.count == 0 || mass == 0.0) {
        return HA_OK;
    }
    HA_TRY(m2d__assembly_new(system, &a));
    memcpy(a->q, assembly->q, (size_t) a->n * sizeof *a->q);
    for (size_t i = 0; i < system->bumps.count && status == HA_OK; i++) {
        status = check(a, &system->bumps.items[i], mass);
    }
    m2d_assembly_free(a);
    return status;
}
