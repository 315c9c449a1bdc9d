/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files: the shape of a body.
 *
 *   outline:
 *     - {polygon: [[0, 0], [120 mm, 0], [60 mm, 80 mm]], holes: [{circle: [60 mm, 20 mm],
 *        radius: 8 mm}]}
 *     - {bar: [[0, 0], [120 mm, 0]], width: 20 mm, thickness: 4 mm}
 *   thickness: 8 mm               # of the plates that have none of their own
 *   density: 7850 kg/m3           # likewise
 *   frame: drawing                # points and outline from any origin
 *   centre: [40 mm, 25 mm]        # the mass centre there, where it is not that of the outline
 *   colour: "#c2410c"
 *   layer: 1
 */
#include <config.h>

#include "mech2d/read/read_priv.h"

#include <string.h>

static const char *const shapes[] = {
    [M2D_SHAPE_POLYGON] = "polygon", [M2D_SHAPE_CIRCLE] = "circle", [M2D_SHAPE_BAR] = "bar"
};

/* What is being read. */
typedef struct {
    m2d__reader *r;
    const char *body, *object;  /* "K1", "outline of body `K1`" */
    ha_expr thickness, density; /* of the body; HA_EXPR_NONE: not given */
    m2d__plates *out;
} reading;

/* A positive value of a mapping; `instead` where the key is not there. */
static ha_expr read_positive(const reading *w, const ha__yaml_node *node, const char *key,
                             ha__quantity quantity, ha_expr instead)
{
    const ha__yaml_node *value = ha__yaml_get(node, key);
    double number = 1.0;

    if (value == NULL) {
        return instead;
    }
    ha_expr read = m2d__read_constant(
        w->r, value, quantity, (m2d__owner){ "body", w->body, key, HA_NOWHERE }, 1.0, &number);
    if (!(number > 0.0)) {
        m2d__reader_go_on(w->r, ha_fail(w->r->ctx, HA_ERR_VALUE, value->where,
                                        "`%s` of body `%s` is %s; it must be above 0", key, w->body,
                                        value->text));
        return ha_constant(w->r->mechanism->dag, 1.0);
    }
    return read;
}

/* A list of points; one point where the shape has but one. False when it is none. */
static bool read_points(const reading *w, const ha__yaml_node *node, m2d_plate_def *plate)
{
    static const ha__quantity lengths[2] = { HA__QUANTITY_LENGTH, HA__QUANTITY_LENGTH };
    bool is_one = plate->shape == M2D_SHAPE_CIRCLE;
    ha_expr(*points)[2] = NULL;

    if (ha__yaml_expect(w->r->ctx, node, w->object, HA__YAML_SEQUENCE) != HA_OK) {
        m2d__reader_go_on(w->r, HA_ERR_SYNTAX);
        return false;
    }
    size_t n = is_one ? 1 : node->n;
    points = ha__arena_alloc(w->r->ctx, &w->r->arena, n > 0 ? n : 1, sizeof *points);
    if (points == NULL) {
        m2d__reader_go_on(w->r, HA_ERR_MEMORY);
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        m2d__read_values(w->r, is_one ? node : node->items[i], lengths, 2, w->object, 0.0,
                         points[i]);
    }
    plate->points = (const ha_expr(*)[2]) points;
    plate->n_points = (int) n;
    return true;
}

/* The shape of a plate or of a hole; false when it is none. */
static bool read_shape(const reading *w, const ha__yaml_node *node, m2d_plate_def *plate)
{
    int n = 0;

    for (size_t i = 0; i < HA_COUNT(shapes); i++) {
        if (ha__yaml_get(node, shapes[i]) != NULL) {
            plate->shape = (m2d_shape) i;
            n++;
        }
    }
    if (n != 1) {
        m2d__reader_go_on(w->r, ha_fail(w->r->ctx, HA_ERR_VALUE, node->where,
                                        "a plate or hole in the %s has %d shapes; give one of "
                                        "`polygon`, `circle` and `bar`",
                                        w->object, n));
        return false;
    }
    plate->radius = read_positive(w, node, "radius", HA__QUANTITY_LENGTH, HA_EXPR_NONE);
    if (plate->shape == M2D_SHAPE_BAR && plate->radius == HA_EXPR_NONE) {
        ha_expr width = read_positive(w, node, "width", HA__QUANTITY_LENGTH, HA_EXPR_NONE);
        ha_expr half = ha_constant(w->r->mechanism->dag, 0.5);
        plate->radius = width == HA_EXPR_NONE ? width : ha_mul(w->r->mechanism->dag, half, width);
    }
    if (plate->shape != M2D_SHAPE_POLYGON && plate->radius == HA_EXPR_NONE) {
        m2d__reader_go_on(w->r,
                          ha_fail(w->r->ctx, HA_ERR_VALUE, node->where,
                                  "a %s in the %s has no size; give its `%s`", shapes[plate->shape],
                                  w->object, plate->shape == M2D_SHAPE_BAR ? "width" : "radius"));
        return false;
    }
    plate->where = node->where;
    return read_points(w, ha__yaml_get(node, shapes[plate->shape]), plate);
}

static ha_status push_plate(const reading *w, const m2d_plate_def *plate)
{
    HA_TRY_PUSH(w->r->ctx, w->out, *plate);
    return HA_OK;
}

static void read_holes(const reading *w, const ha__yaml_node *node)
{
    static const char *const keys[] = { "polygon", "circle", "bar", "radius", "width" };
    const ha__yaml_node *holes = m2d__section(w->r, node, "holes", w->object, HA__YAML_SEQUENCE);

    for (size_t i = 0; holes != NULL && i < holes->n; i++) {
        m2d_plate_def hole = { .is_hole = true };
        if (m2d__check_keys(w->r, holes->items[i], w->object, keys, HA_COUNT(keys)) == HA_OK &&
            read_shape(w, holes->items[i], &hole)) {
            m2d__reader_go_on(w->r, push_plate(w, &hole));
        }
    }
}

static void read_plate(const reading *w, const ha__yaml_node *node)
{
    static const char *const keys[] = { "polygon", "circle",    "bar",     "radius",
                                        "width",   "thickness", "density", "holes" };
    m2d_plate_def plate = { 0 };

    if (m2d__check_keys(w->r, node, w->object, keys, HA_COUNT(keys)) != HA_OK ||
        !read_shape(w, node, &plate)) {
        return;
    }
    ha_expr thickness = read_positive(w, node, "thickness", HA__QUANTITY_LENGTH, w->thickness);
    ha_expr density = read_positive(w, node, "density", HA__QUANTITY_DENSITY, w->density);
    if (thickness != HA_EXPR_NONE && density != HA_EXPR_NONE) {
        plate.weight = ha_mul(w->r->mechanism->dag, thickness, density);
    }
    m2d__reader_go_on(w->r, push_plate(w, &plate));
    read_holes(w, node);
}

/* --- the body --------------------------------------------------------------------------------- */

static void read_frame(m2d__reader *r, const ha__yaml_node *node, const char *body,
                       m2d_body_def *def)
{
    static const ha__quantity lengths[2] = { HA__QUANTITY_LENGTH, HA__QUANTITY_LENGTH };
    const ha__yaml_node *frame = ha__yaml_get(node, "frame"), *centre = NULL;
    const char *name = NULL;

    if (frame != NULL) {
        name = m2d__read_name(r, frame, m2d__object(r, "frame", "body", body));
        def->is_drawn = name != NULL && strcmp(name, "drawing") == 0;
    }
    if (name != NULL && !def->is_drawn && strcmp(name, "body") != 0) {
        m2d__reader_go_on(r, ha_fail(r->ctx, HA_ERR_NAME, frame->where,
                                     "body `%s` has the frame `%s`, which does not exist; use "
                                     "`drawing`, or `body` for points from the mass centre",
                                     body, name));
    }
    centre = ha__yaml_get(node, "centre");
    if (centre != NULL) {
        m2d__read_values(r, centre, lengths, 2, m2d__object(r, "centre", "body", body), 0.0,
                         def->centre);
    }
}

static void read_look(m2d__reader *r, const ha__yaml_node *node, const char *body,
                      m2d_body_def *def)
{
    const ha__yaml_node *colour = ha__yaml_get(node, "colour"), *layer = NULL;

    if (colour != NULL) {
        def->colour = m2d__read_name(r, colour, m2d__object(r, "colour", "body", body));
    }
    layer = ha__yaml_get(node, "layer");
    if (layer != NULL) {
        double number = 0.0;
        (void) m2d__read_constant(r, layer, HA__QUANTITY_NUMBER,
                                  (m2d__owner){ "body", body, "layer", HA_NOWHERE }, 0.0, &number);
        if (number != (double) (int) number) {
            m2d__reader_go_on(r, ha_fail(r->ctx, HA_ERR_VALUE, layer->where,
                                         "`layer` of body `%s` is %s; give a whole number", body,
                                         layer->text));
        }
        def->layer = (int) number;
    }
}

void m2d__read_outline(m2d__reader *r, const ha__yaml_node *node, m2d_body_def *def,
                       m2d__plates *out)
{
    const ha__yaml_node *outline = ha__yaml_get(node, "outline");
    const ha__yaml_node *mass = ha__yaml_get(node, "mass");
    reading w = { .r = r, .body = def->name, .out = out };

    w.object = m2d__object(r, "outline", "body", def->name);
    w.thickness = read_positive(&w, node, "thickness", HA__QUANTITY_LENGTH, HA_EXPR_NONE);
    w.density = read_positive(&w, node, "density", HA__QUANTITY_DENSITY, HA_EXPR_NONE);
    read_frame(r, node, def->name, def);
    read_look(r, node, def->name, def);
    if (outline == NULL && (w.thickness != HA_EXPR_NONE || w.density != HA_EXPR_NONE)) {
        m2d__reader_go_on(r, ha_fail(r->ctx, HA_ERR_NAME, node->where,
                                     "body `%s` has a thickness or a density, but no `outline` "
                                     "that it is of; give one, or `mass` and `inertia` alone",
                                     def->name));
    }
    if (w.density != HA_EXPR_NONE && mass != NULL) {
        m2d__reader_go_on(r, ha_fail(r->ctx, HA_ERR_VALUE, mass->where,
                                     "body `%s` has its mass twice, as `mass` and by `density`; "
                                     "remove one",
                                     def->name));
    } else if (mass != NULL) { /* thicknesses share the mass */
        w.density = ha_constant(r->mechanism->dag, 1.0);
    }
    if (outline != NULL && outline->kind == HA__YAML_MAPPING) {
        read_plate(&w, outline); /* of one plate the list may be left out */
    } else if (outline != NULL) {
        outline = m2d__section(r, node, "outline", w.object, HA__YAML_SEQUENCE);
        for (size_t i = 0; outline != NULL && i < outline->n; i++) {
            read_plate(&w, outline->items[i]);
        }
    }
    def->outline = out->items;
    def->n_outline = (int) out->count;
}
