/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mass, mass centre and inertia of a body from its shape.
 *
 * A shape has an area a, a centre c and a polar second moment j about that centre. With u and v the
 * ways from the first corner of a polygon to the next two, and k = (u x v) over the fan of its
 * triangles:
 *
 *     a = sum k / 2,  s = sum k (u + v) / 6,  p = sum k (u.u + u.v + v.v) / 12,
 *     c = first corner + s / a,  j = p - s.s / a;
 *
 * corners clockwise turn all three signs. A circle has a = pi r^2 and j = a r^2 / 2. A bar of the
 * length l has c in its middle and
 *
 *     a = 2 r l + pi r^2,
 *     j = 2 r l (l^2 + 4 r^2) / 12  +  pi r^4 / 2 + 4 r^3 l / 3 + pi r^2 l^2 / 4:
 *
 * a rectangle, and two half discs by the theorem of Steiner, whose centres of area are 4 r / (3 pi)
 * beyond the ends. Of plates with the mass w for each area, holes counted with -w,
 *
 *     m = sum w a,  C = sum w a c / m,  J = sum w (j + a |c - C|^2).
 *
 * All of this is built as expressions of the parameters, so that a linear model or a sensitivity
 * with respect to a length has the changes of the mass in it. What can be refused is checked with
 * the numbers of now. Circles stand there as polygons of 32 corners on them.
 */
#include <config.h>

#include "mech2d/mechanism/mechanism_priv.h"
#include "mech2d/mechanism/vector.h"

#include <math.h>
#include <string.h>

enum { ROUND = 32 /* corners on a circle */, MAX_CORNERS = 2000 };

/* Lengths that differ by less, of all that the shape measures, are equal. */
static const double least_part = 1e-9;

/* --- area and moments ------------------------------------------------------------------------- */

typedef struct {
    ha_expr area, polar; /* polar: about the centre */
    m2d__vector centre;
} section;

static m2d__vector point_of(const m2d_plate_def *plate, int k)
{
    return (m2d__vector){ plate->points[k][0], plate->points[k][1] };
}

/* value * e */
static ha_expr times(ha_dag *dag, double value, ha_expr e)
{
    return ha_mul(dag, ha_constant(dag, value), e);
}

static m2d__vector plus(ha_dag *dag, m2d__vector a, m2d__vector b)
{
    return (m2d__vector){ ha_add(dag, a.x, b.x), ha_add(dag, a.y, b.y) };
}

static m2d__vector scaled(ha_dag *dag, ha_expr factor, m2d__vector a)
{
    return (m2d__vector){ ha_mul(dag, factor, a.x), ha_mul(dag, factor, a.y) };
}

static section polygon_section(ha_dag *dag, const m2d_plate_def *plate, bool is_clockwise)
{
    ha_expr zero = ha_constant(dag, 0.0), area = zero, polar = zero;
    m2d__vector first = point_of(plate, 0), moment = { zero, zero };

    for (int k = 1; k + 1 < plate->n_points; k++) {
        m2d__vector u = m2d__from_to(dag, first, point_of(plate, k));
        m2d__vector v = m2d__from_to(dag, first, point_of(plate, k + 1));
        ha_expr cross = ha_sub(dag, ha_mul(dag, u.x, v.y), ha_mul(dag, u.y, v.x));
        m2d__vector sum = plus(dag, u, v);
        ha_expr squares = ha_sub(dag, m2d__dot(dag, sum, sum), m2d__dot(dag, u, v));
        area = ha_add(dag, area, times(dag, 1.0 / 2.0, cross));
        moment = plus(dag, moment, scaled(dag, times(dag, 1.0 / 6.0, cross), sum));
        polar = ha_add(dag, polar, times(dag, 1.0 / 12.0, ha_mul(dag, cross, squares)));
    }
    m2d__vector way = { ha_div(dag, moment.x, area), ha_div(dag, moment.y, area) };
    polar = ha_sub(dag, polar, m2d__dot(dag, moment, way));
    return (section){ .area = is_clockwise ? ha_neg(dag, area) : area,
                      .polar = is_clockwise ? ha_neg(dag, polar) : polar,
                      .centre = plus(dag, first, way) };
}

static section circle_section(ha_dag *dag, const m2d_plate_def *plate)
{
    ha_expr square = ha_mul(dag, plate->radius, plate->radius);
    ha_expr area = times(dag, acos(-1.0), square);

    return (section){ area, times(dag, 0.5, ha_mul(dag, area, square)), point_of(plate, 0) };
}

static section bar_section(ha_dag *dag, const m2d_plate_def *plate)
{
    section ends = circle_section(dag, plate);
    m2d__vector way = m2d__from_to(dag, point_of(plate, 0), point_of(plate, 1));
    ha_expr length = m2d__length(dag, way), r = plate->radius;
    ha_expr ll = ha_mul(dag, length, length), rr = ha_mul(dag, r, r);
    ha_expr middle = times(dag, 2.0, ha_mul(dag, r, length));
    ha_expr squares = ha_add(dag, ll, times(dag, 4.0, rr));
    ha_expr polar = times(dag, 1.0 / 12.0, ha_mul(dag, middle, squares));

    polar = ha_add(dag, polar, ends.polar);
    polar = ha_add(dag, polar, times(dag, 2.0 / 3.0, ha_mul(dag, middle, rr)));
    polar = ha_add(dag, polar, times(dag, 0.25, ha_mul(dag, ends.area, ll)));
    return (section){ ha_add(dag, middle, ends.area), polar,
                      plus(dag, ends.centre, scaled(dag, ha_constant(dag, 0.5), way)) };
}

/* --- the numbers of a shape ------------------------------------------------------------------- */

/* A shape as a polygon; `size` is the largest distance of a corner from the first. */
typedef struct {
    double (*corners)[2];
    int n;
    double size;
} contour;

static double cross_of(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static double signed_area(const contour *c)
{
    double sum = 0.0;

    for (int k = 1; k + 1 < c->n; k++) {
        sum += cross_of(c->corners[0], c->corners[k], c->corners[k + 1]) / 2.0;
    }
    return sum;
}

/* The corners of a circle or a bar: half of them about one end, half about the other. */
static void list_round(double ends[2][2], double radius, double (*corners)[2])
{
    double way = atan2(ends[1][1] - ends[0][1], ends[1][0] - ends[0][0]), pi = acos(-1.0);

    for (int k = 0; k < ROUND; k++) {
        int end = k < ROUND / 2 ? 0 : 1;
        double angle = way + pi / 2.0 + pi * (k + 0.5) / (ROUND / 2.0);
        corners[k][0] = ends[end][0] + radius * cos(angle);
        corners[k][1] = ends[end][1] + radius * sin(angle);
    }
}

static ha_status make_contour(m2d_mechanism *mechanism, const m2d_plate_def *plate, contour *out)
{
    bool is_polygon = plate->shape == M2D_SHAPE_POLYGON;
    double ends[2][2] = { { 0.0 } };

    out->n = is_polygon ? plate->n_points : ROUND;
    HA_TRY_ALLOC(mechanism->ctx, out->corners, out->n);
    for (int k = 0; k < plate->n_points; k++) {
        double *at = is_polygon ? out->corners[k] : ends[k];
        at[0] = m2d__number(mechanism->dag, plate->points[k][0]);
        at[1] = m2d__number(mechanism->dag, plate->points[k][1]);
    }
    if (!is_polygon) {
        memcpy(ends[1], ends[plate->n_points - 1], sizeof ends[1]);
        list_round(ends, m2d__number(mechanism->dag, plate->radius), out->corners);
    }
    for (int k = 0; k < out->n; k++) {
        out->size = fmax(out->size, hypot(out->corners[k][0] - out->corners[0][0],
                                          out->corners[k][1] - out->corners[0][1]));
    }
    return HA_OK;
}

/* How far c is to the left of the line from a to b: -1, 0, 1. */
static int side_of(const double a[2], const double b[2], const double c[2], double least)
{
    double across = cross_of(a, b, c), length = hypot(b[0] - a[0], b[1] - a[1]);

    return fabs(across) <= least * length ? 0 : across > 0.0 ? 1 : -1;
}

/* Whether c, which is on the line of a and b, is between them. */
static bool is_between(const double a[2], const double b[2], const double c[2], double least)
{
    double along = (c[0] - a[0]) * (b[0] - a[0]) + (c[1] - a[1]) * (b[1] - a[1]);
    double length = hypot(b[0] - a[0], b[1] - a[1]);

    return along >= -least * length && along <= (length + least) * length;
}

/* Whether the sides a-b and c-d go through each other, neither ending on the other. */
static bool sides_cross(const double *a, const double *b, const double *c, const double *d,
                        double least)
{
    return side_of(a, b, c, least) * side_of(a, b, d, least) < 0 &&
           side_of(c, d, a, least) * side_of(c, d, b, least) < 0;
}

static bool is_on(const double *a, const double *b, const double *c, double least)
{
    return side_of(a, b, c, least) == 0 && is_between(a, b, c, least);
}

/* Whether the sides a-b and c-d have a point in common. */
static bool sides_meet(const double *a, const double *b, const double *c, const double *d,
                       double least)
{
    return sides_cross(a, b, c, d, least) || is_on(a, b, c, least) || is_on(a, b, d, least) ||
           is_on(c, d, a, least) || is_on(c, d, b, least);
}

/* Two sides of a polygon that are no neighbours and meet: the numbers of their first corners. */
static bool crosses_itself(const contour *c, int *first, int *second)
{
    for (int i = 0; i < c->n; i++) {
        for (int k = i + 2; k < c->n && k - i < c->n - 1; k++) {
            if (sides_meet(c->corners[i], c->corners[i + 1], c->corners[k],
                           c->corners[(k + 1) % c->n], least_part * c->size)) {
                *first = i;
                *second = k;
                return true;
            }
        }
    }
    return false;
}

/* Whether a point is inside of a polygon by more than `least`: an odd number of its sides are to
   the right of it, and none is near. */
static bool is_inside(const contour *c, const double *at, double least)
{
    bool is_odd = false;

    for (int i = 0, k = c->n - 1; i < c->n; k = i++) {
        const double *a = c->corners[i], *b = c->corners[k];
        if (is_on(a, b, at, least)) {
            return false;
        }
        if ((a[1] > at[1]) != (b[1] > at[1]) &&
            at[0] < a[0] + (b[0] - a[0]) * (at[1] - a[1]) / (b[1] - a[1])) {
            is_odd = !is_odd;
        }
    }
    return is_odd;
}

static bool has_corner_inside(const contour *outer, const contour *inner)
{
    for (int k = 0; k < inner->n; k++) {
        if (is_inside(outer, inner->corners[k], least_part * outer->size)) {
            return true;
        }
    }
    return false;
}

static bool has_corner_outside(const contour *outer, const contour *inner)
{
    for (int k = 0; k < inner->n; k++) {
        if (!is_inside(outer, inner->corners[k], least_part * outer->size)) {
            return true;
        }
    }
    return false;
}

/* Whether sides of two polygons go through each other. */
static bool contours_cross(const contour *p, const contour *q)
{
    double least = least_part * fmax(p->size, q->size);

    for (int i = 0, k = p->n - 1; i < p->n; k = i++) {
        for (int j = 0, l = q->n - 1; j < q->n; l = j++) {
            if (sides_cross(p->corners[k], p->corners[i], q->corners[l], q->corners[j], least)) {
                return true;
            }
        }
    }
    return false;
}

/* Whether all corners of the second polygon are on the border of the first. */
static bool has_border(const contour *p, const contour *q)
{
    double least = least_part * p->size;
    bool is_there = true;

    for (int j = 0; j < q->n && is_there; j++) {
        is_there = false;
        for (int i = 0, k = p->n - 1; i < p->n && !is_there; k = i++) {
            is_there = is_on(p->corners[k], p->corners[i], q->corners[j], least);
        }
    }
    return is_there;
}

/* Whether two polygons have more than a part of their borders in common. */
static bool overlap(const contour *p, const contour *q)
{
    return contours_cross(p, q) || has_corner_inside(p, q) || has_corner_inside(q, p) ||
           (has_border(p, q) && has_border(q, p));
}

/* --- what can be refused ---------------------------------------------------------------------- */

static const struct {
    const char *words;
    int least, most;
} shapes[] = {
    [M2D_SHAPE_POLYGON] = { "polygon", 3, MAX_CORNERS },
    [M2D_SHAPE_CIRCLE] = { "circle", 1, 1 },
    [M2D_SHAPE_BAR] = { "bar", 2, 2 },
};

/* The shape of a body, checked. */
typedef struct {
    m2d_mechanism *mechanism;
    const char *body;
    contour *contours; /* (n) */
    int n;
} checking;

/* Numbers that are constant; a shape of as many points as it needs. */
static ha_status check_values(const checking *c, const m2d_plate_def *plate)
{
    m2d__owner owner = { "body", c->body, "outline", plate->where };
    double value = 0.0;

    if (plate->n_points < shapes[plate->shape].least ||
        plate->n_points > shapes[plate->shape].most) {
        return ha_fail(c->mechanism->ctx, HA_ERR_VALUE, plate->where,
                       "a %s in the outline of body `%s` has %d points; give %s%d",
                       shapes[plate->shape].words, c->body, plate->n_points,
                       plate->shape != M2D_SHAPE_POLYGON              ? ""
                       : plate->n_points < shapes[plate->shape].least ? "at least "
                                                                      : "at most ",
                       plate->n_points < shapes[plate->shape].least ? shapes[plate->shape].least
                                                                    : shapes[plate->shape].most);
    }
    for (int k = 0; k < plate->n_points; k++) {
        for (int i = 0; i < 2; i++) {
            HA_TRY(m2d__constant(c->mechanism->ctx, c->mechanism->dag, plate->points[k][i], owner,
                                 &value));
        }
    }
    owner.key = "radius";
    if (plate->shape != M2D_SHAPE_POLYGON) {
        HA_TRY(m2d__check_positive(c->mechanism, plate->radius, true, owner));
    }
    owner.key = "weight";
    if (plate->weight != HA_EXPR_NONE) {
        HA_TRY(m2d__check_positive(c->mechanism, plate->weight, true, owner));
    }
    return HA_OK;
}

static ha_status check_polygon(const checking *c, const m2d_plate_def *plate, const contour *shape)
{
    int first = 0, second = 0;

    for (int k = 0; k < shape->n; k++) {
        const double *a = shape->corners[k], *b = shape->corners[(k + 1) % shape->n];
        if (hypot(b[0] - a[0], b[1] - a[1]) <= least_part * shape->size) {
            return ha_fail(c->mechanism->ctx, HA_ERR_VALUE, plate->where,
                           "corners %d and %d in the outline of body `%s` are at the same point; "
                           "remove one of them",
                           k + 1, (k + 1) % shape->n + 1, c->body);
        }
    }
    if (crosses_itself(shape, &first, &second)) {
        return ha_fail(c->mechanism->ctx, HA_ERR_VALUE, plate->where,
                       "the outline of body `%s` crosses itself: the side from corner %d to %d "
                       "meets that from %d to %d; give the corners in order around the plate",
                       c->body, first + 1, first + 2, second + 1, (second + 1) % shape->n + 1);
    }
    if (!(fabs(signed_area(shape)) > least_part * shape->size * shape->size)) {
        return ha_fail(c->mechanism->ctx, HA_ERR_VALUE, plate->where,
                       "a polygon in the outline of body `%s` has no area; give corners that are "
                       "not on one line",
                       c->body);
    }
    return HA_OK;
}

/* A hole is inside of its plate, and outside of the holes between them in the list. */
static ha_status check_hole(const checking *c, const m2d_plate_def *outline, int hole)
{
    int plate = hole - 1;

    while (plate >= 0 && outline[plate].is_hole) {
        if (overlap(&c->contours[plate], &c->contours[hole])) {
            return ha_fail(c->mechanism->ctx, HA_ERR_VALUE, outline[hole].where,
                           "two holes in the outline of body `%s` overlap; move one, or make one "
                           "hole of both",
                           c->body);
        }
        plate--;
    }
    if (plate < 0) {
        return ha_fail(c->mechanism->ctx, HA_ERR_VALUE, outline[hole].where,
                       "the outline of body `%s` begins with a hole; put a plate before it",
                       c->body);
    }
    if (has_corner_outside(&c->contours[plate], &c->contours[hole]) ||
        contours_cross(&c->contours[plate], &c->contours[hole]) ||
        has_corner_inside(&c->contours[hole], &c->contours[plate])) {
        return ha_fail(c->mechanism->ctx, HA_ERR_VALUE, outline[hole].where,
                       "a hole in the outline of body `%s` is not inside of its plate; move the "
                       "hole, or make it smaller",
                       c->body);
    }
    return HA_OK;
}

static ha_status check_shapes(const checking *c, const m2d_plate_def *outline)
{
    for (int i = 0; i < c->n; i++) {
        HA_TRY(check_values(c, &outline[i]));
        HA_TRY(make_contour(c->mechanism, &outline[i], &c->contours[i]));
        if (outline[i].shape == M2D_SHAPE_POLYGON) {
            HA_TRY(check_polygon(c, &outline[i], &c->contours[i]));
        }
        if (outline[i].is_hole) {
            HA_TRY(check_hole(c, outline, i));
        }
    }
    return HA_OK;
}

/* --- the body --------------------------------------------------------------------------------- */

static section section_of(ha_dag *dag, const m2d_plate_def *plate, const contour *shape)
{
    return plate->shape == M2D_SHAPE_CIRCLE ? circle_section(dag, plate)
           : plate->shape == M2D_SHAPE_BAR  ? bar_section(dag, plate)
                                            : polygon_section(dag, plate, signed_area(shape) < 0.0);
}

/* The mass of a shape, negative of a hole; `*weight` is that of the last plate. */
static ha_expr mass_of(ha_dag *dag, const m2d_plate_def *plate, const section *s, ha_expr *weight)
{
    if (!plate->is_hole) {
        *weight = plate->weight != HA_EXPR_NONE ? plate->weight : ha_constant(dag, 1.0);
    }
    ha_expr mass = ha_mul(dag, *weight, s->area);
    return plate->is_hole ? ha_neg(dag, mass) : mass;
}

static ha_status add_up(m2d_mechanism *mechanism, const m2d_plate_def *outline,
                        const contour *contours, int n, m2d__shape_mass *out)
{
    ha_dag *dag = mechanism->dag;
    ha_expr zero = ha_constant(dag, 0.0), weight = zero, mass = zero, inertia = zero;
    m2d__vector moment = { zero, zero };
    section *sections = NULL;

    HA_TRY_ALLOC(mechanism->ctx, sections, n);
    for (int i = 0; i < n; i++) {
        sections[i] = section_of(dag, &outline[i], &contours[i]);
        ha_expr part = mass_of(dag, &outline[i], &sections[i], &weight);
        mass = ha_add(dag, mass, part);
        moment = plus(dag, moment, scaled(dag, part, sections[i].centre));
    }
    m2d__vector centre = { ha_div(dag, moment.x, mass), ha_div(dag, moment.y, mass) };
    for (int i = 0; i < n; i++) {
        ha_expr part = mass_of(dag, &outline[i], &sections[i], &weight);
        m2d__vector way = m2d__from_to(dag, centre, sections[i].centre);
        ha_expr own = ha_div(dag, sections[i].polar, sections[i].area);
        ha_expr squares = ha_add(dag, own, m2d__dot(dag, way, way));
        inertia = ha_add(dag, inertia, ha_mul(dag, part, squares));
    }
    ha__free(sections);
    *out = (m2d__shape_mass){ mass, inertia, { centre.x, centre.y }, 0.0 };
    return ha_dag_status(dag);
}

ha_status m2d__weigh_outline(m2d_mechanism *mechanism, const m2d_body_def *def,
                             m2d__shape_mass *out)
{
    checking c = { .mechanism = mechanism, .body = def->name, .n = def->n_outline };

    HA_TRY_ALLOC(mechanism->ctx, c.contours, c.n);
    ha_status status = check_shapes(&c, def->outline);
    HA_THEN(status, add_up(mechanism, def->outline, c.contours, c.n, out));
    for (int i = 0; i < c.n; i++) {
        out->size = fmax(out->size, c.contours[i].size);
        ha__free(c.contours[i].corners);
    }
    ha__free(c.contours);
    return status;
}
