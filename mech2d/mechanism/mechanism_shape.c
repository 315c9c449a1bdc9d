/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the shape of a body gives it, and what pictures see of it. */
#include <config.h>

#include "lib/core/need.h"
#include "mech2d/mechanism/mechanism_priv.h"
#include "mech2d/scene.h"

#include <math.h>
#include <string.h>

/* --- mass ------------------------------------------------------------------------------------- */

/* Plates have weights where the body has no mass, and all of them or none where it has. */
static ha_status check_weights(m2d_mechanism *mechanism, const m2d_body_def *def)
{
    int n_plates = 0, n_weights = 0;

    for (int i = 0; i < def->n_outline; i++) {
        n_plates += !def->outline[i].is_hole;
        n_weights += !def->outline[i].is_hole && def->outline[i].weight != HA_EXPR_NONE;
    }
    if (def->mass == HA_EXPR_NONE && n_weights < n_plates) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where,
                       "body `%s` has neither a mass nor plates with a thickness and a density; "
                       "give `mass`, or `thickness` and `density`",
                       def->name);
    }
    if (n_weights > 0 && n_weights < n_plates) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where,
                       "%d of %d plates of body `%s` have a thickness; give one to all, or to none",
                       n_weights, n_plates, def->name);
    }
    return HA_OK;
}

/* An outline whose mass centre is elsewhere than the body's belongs to another frame. */
static ha_status check_origin(m2d_mechanism *mechanism, const m2d_body_def *def,
                              const m2d__shape_mass *shape)
{
    double x = 0.0, y = 0.0;
    const m2d__owner owner = { "body", def->name, "outline", def->where };

    HA_TRY(m2d__constant(mechanism->ctx, mechanism->dag, shape->centre[0], owner, &x));
    HA_TRY(m2d__constant(mechanism->ctx, mechanism->dag, shape->centre[1], owner, &y));
    if (hypot(x, y) > 1e-6 * shape->size) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where,
                       "the outline of body `%s` has its mass centre at (%g, %g) m, and not in the "
                       "origin; say `frame: drawing` to give points and outline from any origin",
                       def->name, x, y);
    }
    return HA_OK;
}

/* A value as a symbol with a name like "crank.centre.x", so that equations stay short; a number
   stays one. */
static ha_expr named(m2d_mechanism *mechanism, const char *body, const char *name, ha_expr value)
{
    ha_dag *dag = mechanism->dag;
    ha_expr symbol = HA_EXPR_NONE;

    if (ha_expr_is_constant(dag, value, NULL)) {
        return value;
    }
    char *full = ha__arena_format(mechanism->ctx, &mechanism->arena, "%s.%s", body, name);
    if (full != NULL) {
        symbol = ha_symbol(dag, full);
        ha_symbol_define(dag, symbol, value);
    }
    return symbol;
}

static ha_status take_mass(m2d_mechanism *mechanism, const m2d_body_def *def, m2d__body *body)
{
    ha_dag *dag = mechanism->dag;
    m2d__shape_mass shape = { 0 };
    bool is_of_shape = body->mass == HA_EXPR_NONE || body->inertia == HA_EXPR_NONE;

    HA_TRY(check_weights(mechanism, def));
    HA_TRY(m2d__weigh_outline(mechanism, def, &shape));
    if (!def->is_drawn && is_of_shape) {
        HA_TRY(check_origin(mechanism, def, &shape));
    }
    if (def->is_drawn && def->centre[0] == HA_EXPR_NONE) {
        body->centre[0] = named(mechanism, def->name, "centre.x", shape.centre[0]);
        body->centre[1] = named(mechanism, def->name, "centre.y", shape.centre[1]);
    }
    if (body->inertia == HA_EXPR_NONE) {
        body->inertia = body->mass == HA_EXPR_NONE
                            ? shape.inertia
                            : ha_mul(dag, ha_div(dag, body->mass, shape.mass), shape.inertia);
    }
    body->mass = body->mass == HA_EXPR_NONE ? shape.mass : body->mass;
    body->mass = named(mechanism, def->name, "mass", body->mass);
    body->inertia = named(mechanism, def->name, "inertia", body->inertia);
    return ha_dag_status(dag);
}

/* The mass centre that is given, else the origin. */
static ha_status take_centre(m2d_mechanism *mechanism, const m2d_body_def *def, m2d__body *body)
{
    const m2d__owner owner = { "body", def->name, "centre", def->where };
    double value = 0.0;
    bool is_given = def->centre[0] != HA_EXPR_NONE;

    if (is_given != (def->centre[1] != HA_EXPR_NONE)) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where,
                       "`centre` of body `%s` has one component; give both", def->name);
    }
    if (is_given && !def->is_drawn) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where,
                       "`centre` of body `%s` has no meaning where points are given from the mass "
                       "centre; add `frame: drawing`, or remove it",
                       def->name);
    }
    if (def->is_drawn && !is_given && def->n_outline == 0) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where,
                       "body `%s` is given in the frame of a drawing, but nothing says where its "
                       "mass centre is there; give `centre` or `outline`",
                       def->name);
    }
    for (int i = 0; i < 2; i++) {
        body->centre[i] = is_given ? def->centre[i] : ha_constant(mechanism->dag, 0.0);
        HA_TRY(m2d__constant(mechanism->ctx, mechanism->dag, body->centre[i], owner, &value));
    }
    return HA_OK;
}

/* --- look ------------------------------------------------------------------------------------- */

/* "#c2410c": what every program that draws understands. */
static ha_status take_colour(m2d_mechanism *mechanism, const m2d_body_def *def, m2d__body *body)
{
    static const char digits[] = "0123456789abcdefABCDEF";

    if (def->colour == NULL) {
        return HA_OK;
    }
    if (def->colour[0] != '#' || strlen(def->colour) != 7 || strspn(def->colour + 1, digits) != 6) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where,
                       "`%s` is no colour of body `%s`; write it in quotes as \"#c2410c\": red, "
                       "green and blue, each from 00 to ff",
                       def->colour, def->name);
    }
    body->colour = ha__arena_text(mechanism->ctx, &mechanism->arena, def->colour, 7);
    return body->colour == NULL ? HA_ERR_MEMORY : HA_OK;
}

static ha_status keep_outline(m2d_mechanism *mechanism, const m2d_body_def *def, m2d__body *body)
{
    size_t n = (size_t) def->n_outline;
    m2d_plate_def *plates =
        ha__arena_alloc(mechanism->ctx, &mechanism->arena, n, sizeof *body->outline);

    if (plates == NULL) {
        return HA_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        const m2d_plate_def *plate = &def->outline[i];
        ha_expr(*points)[2] = ha__arena_alloc(mechanism->ctx, &mechanism->arena,
                                              (size_t) plate->n_points, sizeof *points);
        if (points == NULL) {
            return HA_ERR_MEMORY;
        }
        memcpy(points, plate->points, (size_t) plate->n_points * sizeof *points);
        plates[i] = *plate;
        plates[i].points = (const ha_expr(*)[2]) points;
        plates[i].where = HA_NOWHERE;
    }
    body->outline = plates;
    body->n_outline = def->n_outline;
    return HA_OK;
}

ha_status m2d__take_outline(m2d_mechanism *mechanism, const m2d_body_def *def, m2d__body *body)
{
    HA_TRY(take_centre(mechanism, def, body));
    HA_TRY(take_colour(mechanism, def, body));
    body->layer = def->layer;
    if (def->n_outline == 0) {
        return HA_OK;
    }
    HA_NEED(mechanism->ctx, def->n_outline > 0 && def->outline != NULL);
    HA_TRY(take_mass(mechanism, def, body));
    return keep_outline(mechanism, def, body);
}

ha_status m2d__take_point_mass(m2d_mechanism *mechanism, const m2d_body_def *def, m2d__body *body)
{
    ha_expr zero = ha_constant(mechanism->dag, 0.0);

    if (body->mass == HA_EXPR_NONE || body->inertia != HA_EXPR_NONE) {
        return HA_OK;
    }
    if (def->start[M2D_OMEGA] != HA_EXPR_NONE) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where,
                       "body `%s` has no `inertia`, so nothing may turn it, but it starts with an "
                       "`omega`; give an inertia, or take that out",
                       def->name);
    }
    body->inertia = zero;
    body->is_point = def->motion[2] == HA_EXPR_NONE;
    return HA_OK;
}

/* --- pictures --------------------------------------------------------------------------------- */

const char *m2d_body_colour(const m2d_mechanism *mechanism, int i)
{
    return mechanism->bodies.items[i].colour;
}

int m2d_body_layer(const m2d_mechanism *mechanism, int i)
{
    return mechanism->bodies.items[i].layer;
}

int m2d_body_n_plates(const m2d_mechanism *mechanism, int i)
{
    return mechanism->bodies.items[i].n_outline;
}

m2d_plate m2d_body_plate(m2d_mechanism *mechanism, int i, int k)
{
    const m2d_plate_def *plate = &mechanism->bodies.items[i].outline[k];
    bool is_round = plate->shape != M2D_SHAPE_POLYGON;

    return (m2d_plate){ .shape = plate->shape,
                        .n_points = plate->n_points,
                        .radius = is_round ? m2d__number(mechanism->dag, plate->radius) : 0.0,
                        .is_hole = plate->is_hole };
}

void m2d_body_plate_point(m2d_mechanism *mechanism, int i, int k, int point, double *at)
{
    const m2d__body *body = &mechanism->bodies.items[i];

    for (int j = 0; j < 2; j++) {
        at[j] = m2d__number(mechanism->dag, body->outline[k].points[point][j]) -
                m2d__number(mechanism->dag, body->centre[j]);
    }
}
