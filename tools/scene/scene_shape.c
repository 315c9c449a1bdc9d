/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shape of a body as the path of an SVG: one path for each plate with its holes, which
 * `fill-rule: evenodd` leaves open.
 */
#include <config.h>

#include "tools/scene/scene_shape.h"

#include "lib/core/number.h"

#include <math.h>

/* What the drawing of a body needs. */
typedef struct {
    m2d_mechanism *mechanism;
    int body;
    double scale;
    ha__strbuf *out;
} drawing;

static void add_number(const drawing *d, double x)
{
    ha__strbuf_add_short_number(d->out, ha__plain_sign(round(x * d->scale * 100.0) / 100.0));
}

/* " M x y", in the units of the picture. */
static void add_place(const drawing *d, const char *letter, double x, double y)
{
    ha__strbuf_add(d->out, letter);
    add_number(d, x);
    ha__strbuf_add(d->out, " ");
    add_number(d, y);
}

/* Half a turn anticlockwise to a point. */
static void add_arc(const drawing *d, double radius, double x, double y)
{
    add_place(d, "A", radius, radius);
    add_place(d, " 0 0 1 ", x, y);
}

/* A circle is a bar whose ends are one. */
static void add_bar(const drawing *d, int k, const m2d_plate *plate)
{
    double a[2], b[2], r = plate->radius;

    m2d_body_plate_point(d->mechanism, d->body, k, 0, a);
    m2d_body_plate_point(d->mechanism, d->body, k, plate->n_points - 1, b);
    double way = atan2(b[1] - a[1], b[0] - a[0]), x = -r * sin(way), y = r * cos(way);
    add_place(d, "M", a[0] + x, a[1] + y);
    add_arc(d, r, a[0] - x, a[1] - y);
    add_place(d, "L", b[0] - x, b[1] - y);
    add_arc(d, r, b[0] + x, b[1] + y);
    ha__strbuf_add(d->out, "Z");
}

static void add_polygon(const drawing *d, int k, const m2d_plate *plate)
{
    double at[2];

    for (int i = 0; i < plate->n_points; i++) {
        m2d_body_plate_point(d->mechanism, d->body, k, i, at);
        add_place(d, i == 0 ? "M" : "L", at[0], at[1]);
    }
    ha__strbuf_add(d->out, "Z");
}

void scene_add_plates(m2d_mechanism *mechanism, int body, double scale, ha__strbuf *out)
{
    const drawing d = { mechanism, body, scale, out };
    int n = m2d_body_n_plates(mechanism, body);

    for (int k = 0; k < n; k++) {
        m2d_plate plate = m2d_body_plate(mechanism, body, k);
        if (!plate.is_hole) {
            ha__strbuf_addf(out, "%s<path fill-rule=\"evenodd\" d=\"", k > 0 ? "\"/>" : "");
        }
        if (plate.shape == M2D_SHAPE_POLYGON) {
            add_polygon(&d, k, &plate);
        } else {
            add_bar(&d, k, &plate);
        }
    }
    ha__strbuf_add(out, n > 0 ? "\"/>" : "");
}
