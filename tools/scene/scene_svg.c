/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The picture of a mechanism.
 *
 * A body is its outline with a mark at its mass centre, in its own axes; the group around it is
 * moved by `translate(x y) rotate(angle)`. Lengths are in units of the picture, y is up inside of
 * the one group that turns it over. Joints are symbols that move with a body: M is on body i, N on
 * body j. A rail is as long as the other point's way along it in the whole run, with a margin.
 */
#include <config.h>

#include "tools/scene/scene_svg.h"

#include "lib/core/mem.h"
#include "lib/core/number.h"
#include "tools/scene/scene_shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    PIN = 8,    /* radius of a pin */
    BLOCK = 18, /* half a block's length; its height is half of that */
    SPRING_PARTS = 25,
    SPRING_WIDTH = 12, /* as in mechanism.js */
    COLOURS = 8        /* classes c0, c1, ... of bodies */
};

static const double TYRE_WIDTH = 0.3; /* half of it, of the radius */
static const double WHOLE = 1e7;      /* hundredths below are written without exponent */

/* Adds a number as pictures need it: to a hundredth. The digits of a whole number are found many
   times faster than the shortest that read as x, and are the same. */
static void add_rounded(ha__strbuf *out, double x)
{
    double rounded = round(x * 100.0);

    if (!(fabs(rounded) < WHOLE)) {
        ha__strbuf_add_short_number(out, ha__plain_sign(rounded / 100.0));
        return;
    }
    long n = (long) fabs(rounded), rest = n % 100;
    ha__strbuf_addf(out,
                    rest == 0        ? "%s%ld"
                    : rest % 10 == 0 ? "%s%ld.%ld"
                                     : "%s%ld.%02ld",
                    rounded < 0.0 ? "-" : "", n / 100, rest % 10 == 0 ? rest / 10 : rest);
}

static void add_pair(ha__strbuf *out, double x, double y)
{
    add_rounded(out, x);
    ha__strbuf_add(out, " ");
    add_rounded(out, y);
}

/* --- where things are ------------------------------------------------------------------------- */

static ha_status find_columns(scene *s, int body)
{
    static const char *const names[3] = { "x", "y", "angle" };
    ha__strbuf name = HA_STRBUF(s->ctx);
    ha_status status = HA_OK;

    for (int k = 0; k < 3 && status == HA_OK; k++) {
        ha__strbuf_clear(&name);
        ha__strbuf_addf(&name, "%s.%s", m2d_body_name(s->mechanism, body), names[k]);
        s->columns[body][k] = ha_result_find(s->result, ha__strbuf_text(&name));
        if (name.status == HA_OK && s->columns[body][k] < 0) {
            status = ha_fail(s->ctx, HA_ERR_INTERNAL, HA_NOWHERE,
                             "the results have no `%s`, without which the mechanism cannot be "
                             "drawn; report this as a fault of the program",
                             ha__strbuf_text(&name));
        }
        HA_THEN(status, name.status);
    }
    return ha__strbuf_drop(&name, status);
}

/* Where the result has the steering angle of a wheel, if it has. */
static ha_status find_steer(scene *s, int joint)
{
    ha__strbuf name = HA_STRBUF(s->ctx);

    s->steer[joint] = -1;
    if (m2d_joint_symbol(s->mechanism, joint) == M2D_SYMBOL_TYRE) {
        ha__strbuf_addf(&name, "%s.steer", m2d_joint_name(s->mechanism, joint));
        s->steer[joint] = ha_result_find(s->result, ha__strbuf_text(&name));
    }
    return ha__strbuf_drop(&name, name.status);
}

/* Bodies by layer, those of one layer as the model has them. */
static void sort_bodies(scene *s)
{
    for (int i = 0; i < m2d_mechanism_n_bodies(s->mechanism); i++) {
        int k = i, layer = m2d_body_layer(s->mechanism, i);
        for (; k > 0 && m2d_body_layer(s->mechanism, s->order[k - 1]) > layer; k--) {
            s->order[k] = s->order[k - 1];
        }
        s->order[k] = i;
    }
}

ha_status scene_open(ha_ctx *ctx, m2d_mechanism *mechanism, const ha_result *result, scene *out)
{
    *out = (scene){ .ctx = ctx, .mechanism = mechanism, .result = result };
    HA_TRY_ALLOC(ctx, out->corners, m2d_mechanism_n_points(mechanism) + 1);
    HA_TRY_ALLOC(ctx, out->steer, m2d_mechanism_n_joints(mechanism));
    HA_TRY_ALLOC_EACH(ctx, m2d_mechanism_n_bodies(mechanism), out->columns, out->order);
    sort_bodies(out);
    for (int i = 0; i < m2d_mechanism_n_joints(mechanism); i++) {
        HA_TRY(find_steer(out, i));
    }
    for (int i = 0; i < m2d_mechanism_n_bodies(mechanism); i++) {
        HA_TRY(find_columns(out, i));
    }
    return HA_OK;
}

void scene_clear(scene *s)
{
    HA_FREE(s->columns, s->corners, s->order, s->steer, s->force);
    *s = (scene){ 0 };
}

void scene_body_pose(const scene *s, size_t row, int body, double *pose)
{
    for (int k = 0; k < 3; k++) {
        pose[k] = body < 0 ? 0.0 : ha_result_value(s->result, row, (size_t) s->columns[body][k]);
    }
}

void scene_point_pose(const scene *s, size_t row, int point, double *pose)
{
    double body[3], at[3];

    scene_body_pose(s, row, m2d_point_body(s->mechanism, point), body);
    m2d_point_pose(s->mechanism, point, at);
    pose[0] = body[0] + cos(body[2]) * at[0] - sin(body[2]) * at[1];
    pose[1] = body[1] + sin(body[2]) * at[0] + cos(body[2]) * at[1];
    pose[2] = body[2] + at[2];
}

/* --- the start of a picture ------------------------------------------------------------------- */

void scene_begin(const scene_view *view, const char *title, ha__strbuf *out)
{
    ha__strbuf_addf(out,
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"scene%s\" "
                    "role=\"img\" viewBox=\"0 0 ",
                    view->symbol < 0.6 ? " fine" : "");
    add_pair(out, ceil((view->x[1] - view->x[0]) * view->scale),
             ceil((view->y[1] - view->y[0]) * view->scale));
    ha__strbuf_add(out, "\">\n<title>");
    ha__strbuf_add_markup(out, title);
    ha__strbuf_add(out, "</title>\n");
}

/* --- shapes ----------------------------------------------------------------------------------- */

/* What the drawing of one row needs. */
typedef struct {
    const scene *s;
    const scene_view *view;
    size_t row;
    ha__strbuf *out;
} drawing;

/* Adds the class of a body's colour, or its own colour. */
static void add_colour(const drawing *d, int body)
{
    const char *own = body < 0 ? NULL : m2d_body_colour(d->s->mechanism, body);

    if (own != NULL) {
        ha__strbuf_addf(d->out, " body-%d own\" fill=\"%s\" stroke=\"%s", body, own, own);
    } else if (body >= 0) {
        ha__strbuf_addf(d->out, " body-%d c%d", body, body % COLOURS);
    }
}

/* Opens the group of what moves with a body; -1 is the ground. */
static void begin_body(const drawing *d, int body, const char *class)
{
    double pose[3];

    scene_body_pose(d->s, d->row, body, pose);
    ha__strbuf_addf(d->out, "<g class=\"%s", class);
    add_colour(d, body);
    ha__strbuf_add(d->out, "\" transform=\"translate(");
    add_pair(d->out, pose[0] * d->view->scale, pose[1] * d->view->scale);
    ha__strbuf_add(d->out, ") rotate(");
    add_rounded(d->out, pose[2] * (180.0 / acos(-1.0)));
    ha__strbuf_add(d->out, ")\">");
}

static void add_circle(const drawing *d, double x, double y, double radius)
{
    ha__strbuf_add(d->out, "<circle cx=\"");
    add_rounded(d->out, x);
    ha__strbuf_add(d->out, "\" cy=\"");
    add_rounded(d->out, y);
    ha__strbuf_add(d->out, "\" r=\"");
    add_rounded(d->out, radius);
    ha__strbuf_add(d->out, "\"/>");
}

/* Opens a group for a symbol that is drawn for a picture of few bodies. */
static void begin_symbol(const drawing *d, const char *class)
{
    ha__strbuf_addf(d->out, "<g class=\"%s\"", class);
    if (d->view->symbol < 1.0) {
        ha__strbuf_add(d->out, " transform=\"scale(");
        add_rounded(d->out, d->view->symbol);
        ha__strbuf_add(d->out, ")\"");
    }
    ha__strbuf_add(d->out, ">");
}

/* Adds a mass centre: a circle with two of its quarters filled. */
static void add_centre(const drawing *d)
{
    begin_symbol(d, "centre");
    ha__strbuf_add(d->out, "<circle r=\"7\"/>"
                           "<path d=\"M0 0H7A7 7 0 0 1 0 7ZM0 0H-7A7 7 0 0 1 0 -7Z\"/></g>");
}

/* Adds the convex outline of a body without a shape of its own. */
static ha_status add_hull(const drawing *d, int body)
{
    int n = 0;

    HA_TRY(m2d_body_outline(d->s->mechanism, body, d->s->corners, &n));
    if (n == 1) {
        ha__strbuf_add(d->out, "<circle r=\"");
        add_rounded(d->out, 16.0 * d->view->symbol);
        ha__strbuf_add(d->out, "\"/>");
    } else {
        ha__strbuf_add(d->out, "<path d=\"");
        for (int i = 0; i < n; i++) {
            ha__strbuf_add(d->out, i == 0 ? "M" : "L");
            add_pair(d->out, d->s->corners[i][0] * d->view->scale,
                     d->s->corners[i][1] * d->view->scale);
        }
        ha__strbuf_add(d->out, n > 2 ? "Z\"/>" : "\"/>");
    }
    return d->out->status;
}

static ha_status draw_body(const drawing *d, int body)
{
    m2d_mechanism *m = d->s->mechanism;
    bool has_shape = m2d_body_n_plates(m, body) > 0;

    begin_body(d, body, has_shape ? "body shaped" : "body");
    ha__strbuf_add(d->out, "<title>");
    ha__strbuf_add_markup(d->out, m2d_body_name(m, body));
    ha__strbuf_add(d->out, "</title>");
    if (has_shape) {
        scene_add_plates(m, body, d->view->scale, d->out);
    } else {
        HA_TRY(add_hull(d, body));
    }
    add_centre(d);
    ha__strbuf_add(d->out, "</g>\n");
    return d->out->status;
}

/* Opens a group at a point, in the direction of its axis, that moves with the point's body. */
static void begin_point(const drawing *d, int point, const char *class)
{
    double at[3];

    m2d_point_pose(d->s->mechanism, point, at);
    begin_body(d, m2d_point_body(d->s->mechanism, point), class);
    ha__strbuf_add(d->out, "<g transform=\"translate(");
    add_pair(d->out, at[0] * d->view->scale, at[1] * d->view->scale);
    ha__strbuf_add(d->out, ") rotate(");
    add_rounded(d->out, at[2] * (180.0 / acos(-1.0)));
    ha__strbuf_add(d->out, ")\">");
}

static void end_point(const drawing *d)
{
    ha__strbuf_add(d->out, "</g></g>\n");
}

/* The way of point `rider` along the axis of point `rail` in the whole run, in units of the
 * picture. */
static void find_way(const drawing *d, int rail, int rider, double way[2])
{
    way[0] = way[1] = 0.0;
    for (size_t row = 0; row < ha_result_n_rows(d->s->result); row++) {
        double a[3], b[3];
        scene_point_pose(d->s, row, rail, a);
        scene_point_pose(d->s, row, rider, b);
        double along = ((b[0] - a[0]) * cos(a[2]) + (b[1] - a[1]) * sin(a[2])) * d->view->scale;
        way[0] = row == 0 ? along : fmin(way[0], along);
        way[1] = row == 0 ? along : fmax(way[1], along);
    }
}

/* Adds short slanted lines below the way from x0 to x1 at height y: what does not move. */
static void add_hatching(const drawing *d, double x0, double x1, double y)
{
    int n = (int) fmin(200.0, floor((x1 - x0) / 9.0));

    ha__strbuf_add(d->out, "<path class=\"hatch\" d=\"");
    for (int i = 0; i <= n; i++) {
        double x = x0 + i * (x1 - x0) / (n > 0 ? n : 1);
        ha__strbuf_add(d->out, "M");
        add_pair(d->out, x, y);
        ha__strbuf_add(d->out, "l-7 -9");
    }
    ha__strbuf_add(d->out, "\"/>");
}

/* A rail along the axis of a point for another one; on the ground it is hatched. `gap` is its
   distance from the axis. */
static void draw_rail(const drawing *d, int rail, int rider, double gap)
{
    double way[2];
    bool is_ground = m2d_point_body(d->s->mechanism, rail) < 0;

    find_way(d, rail, rider, way);
    way[0] -= 2 * BLOCK * d->view->symbol;
    way[1] += 2 * BLOCK * d->view->symbol;
    begin_point(d, rail, is_ground ? "rail ground" : "rail");
    for (int side = gap > 0.0 ? -1 : 0; side <= (gap > 0.0 ? 1 : 0); side += 2) {
        ha__strbuf_add(d->out, "<path d=\"M");
        add_pair(d->out, way[0], side * gap);
        ha__strbuf_add(d->out, "L");
        add_pair(d->out, way[1], side * gap);
        ha__strbuf_add(d->out, "\"/>");
    }
    if (is_ground) {
        add_hatching(d, way[0], way[1], -gap);
    }
    end_point(d);
}

static void draw_pin(const drawing *d, int point)
{
    begin_point(d, point, "pin");
    add_circle(d, 0.0, 0.0, PIN * d->view->symbol);
    end_point(d);
}

static void draw_square(const drawing *d, int point, const char *class, double length,
                        double height)
{
    begin_point(d, point, class);
    ha__strbuf_add(d->out, "<path d=\"M");
    add_pair(d->out, -length, -height);
    ha__strbuf_add(d->out, "H");
    add_rounded(d->out, length);
    ha__strbuf_add(d->out, "V");
    add_rounded(d->out, height);
    ha__strbuf_add(d->out, "H");
    add_rounded(d->out, -length);
    ha__strbuf_add(d->out, "Z\"/>");
    end_point(d);
}

static void draw_wheel(const drawing *d, int point, double radius)
{
    double r = radius * d->view->scale;

    begin_point(d, point, m2d_point_body(d->s->mechanism, point) < 0 ? "wheel ground" : "wheel");
    add_circle(d, 0.0, 0.0, r);
    ha__strbuf_add(d->out, "<path d=\"M0 0H"); /* a spoke shows how it turns */
    add_rounded(d->out, r);
    ha__strbuf_add(d->out, "\"/>");
    end_point(d);
}

/* The tread of a wheel seen from above; the class tells a page what turns it. */
static void draw_tyre(const drawing *d, int joint, double radius)
{
    const int point = m2d_joint_end(d->s->mechanism, joint, 1), column = d->s->steer[joint];
    double r = radius * d->view->scale, at[3];

    m2d_point_pose(d->s->mechanism, point, at);
    if (column >= 0) {
        at[2] = ha_result_value(d->s->result, d->row, (size_t) column);
    }
    begin_body(d, m2d_point_body(d->s->mechanism, point), "tyre");
    ha__strbuf_addf(d->out, "<g class=\"steer-%d\" transform=\"translate(", joint);
    add_pair(d->out, at[0] * d->view->scale, at[1] * d->view->scale);
    ha__strbuf_add(d->out, ") rotate(");
    add_rounded(d->out, at[2] * (180.0 / acos(-1.0)));
    ha__strbuf_add(d->out, ")\"><path d=\"M");
    add_pair(d->out, -r, -TYRE_WIDTH * r);
    ha__strbuf_add(d->out, "H");
    add_rounded(d->out, r);
    ha__strbuf_add(d->out, "V");
    add_rounded(d->out, TYRE_WIDTH * r);
    ha__strbuf_add(d->out, "H");
    add_rounded(d->out, -r);
    ha__strbuf_add(d->out, "Z\"/>");
    end_point(d);
}

/* A line between two points: straight, or as a spring a zigzag with straight ends. */
static void draw_between(const drawing *d, const char *class, const int *points)
{
    bool is_spring = strcmp(class, "spring") == 0;
    double a[3], b[3];
    int n = is_spring ? SPRING_PARTS : 1;

    scene_point_pose(d->s, d->row, points[0], a);
    scene_point_pose(d->s, d->row, points[1], b);
    double dx = (b[0] - a[0]) * d->view->scale, dy = (b[1] - a[1]) * d->view->scale;
    double length = hypot(dx, dy), across = is_spring && length > 0.0 ? SPRING_WIDTH / length : 0.0;
    ha__strbuf_addf(d->out, "<path class=\"%s between-%d-%d\" d=\"M", class, points[0], points[1]);
    add_pair(d->out, a[0] * d->view->scale, a[1] * d->view->scale);
    for (int i = 1; i <= n; i++) {
        double side = i <= 2 || i >= n - 2 ? 0.0 : i % 2 == 0 ? across : -across;
        ha__strbuf_add(d->out, "L");
        add_pair(d->out, a[0] * d->view->scale + dx * i / n - dy * side,
                 a[1] * d->view->scale + dy * i / n + dx * side);
    }
    ha__strbuf_add(d->out, "\"/>\n");
}

/* --- the mechanism ---------------------------------------------------------------------------- */

/* What is under the bodies. */
static void draw_joint_below(const drawing *d, int i)
{
    m2d_mechanism *m = d->s->mechanism;
    m2d_symbol symbol = m2d_joint_symbol(m, i);
    const int ends[2] = { m2d_joint_end(m, i, 0), m2d_joint_end(m, i, 1) };
    double radii[2];

    m2d_joint_radii(m, i, radii);
    for (int end = 0; end < 2; end++) {
        if (radii[end] > 0.0 && symbol != M2D_SYMBOL_TYRE) {
            draw_wheel(d, ends[end], radii[end]);
        }
    }
    if (symbol == M2D_SYMBOL_SLIDER) {
        draw_rail(d, ends[0], ends[1], BLOCK / 2 * d->view->symbol);
    } else if (symbol == M2D_SYMBOL_SLOT) {
        draw_rail(d, ends[1], ends[0], (PIN + 2) * d->view->symbol);
    } else if (symbol == M2D_SYMBOL_WHEEL) {
        draw_rail(d, ends[0], ends[1], 0.0);
    } else if (symbol == M2D_SYMBOL_ROD || symbol == M2D_SYMBOL_CYLINDER) {
        draw_between(d, m2d_symbol_name(symbol), ends);
    }
}

/* What is over the bodies. */
static void draw_joint_above(const drawing *d, int i)
{
    m2d_mechanism *m = d->s->mechanism;
    m2d_symbol symbol = m2d_joint_symbol(m, i);
    int M = m2d_joint_end(m, i, 0), N = m2d_joint_end(m, i, 1);
    double size = d->view->symbol;

    if (symbol == M2D_SYMBOL_SLIDER) {
        draw_square(d, N, "block", BLOCK * size, BLOCK / 2 * size);
    } else if (symbol == M2D_SYMBOL_TYRE) {
        double radii[2];
        m2d_joint_radii(m, i, radii);
        draw_tyre(d, i, radii[1]);
    } else if (symbol == M2D_SYMBOL_WELD) {
        draw_square(d, M, "block", PIN * size, PIN * size);
    } else {
        draw_pin(d, M);
        if (symbol != M2D_SYMBOL_PIN && symbol != M2D_SYMBOL_SLOT && symbol != M2D_SYMBOL_WHEEL) {
            draw_pin(d, N);
        }
    }
}

/* A hatched support below a point, where that is on the ground. */
static void draw_support(const drawing *d, int point)
{
    double at[3];

    if (m2d_point_body(d->s->mechanism, point) >= 0) {
        return;
    }
    m2d_point_pose(d->s->mechanism, point, at);
    ha__strbuf_add(d->out, "<g class=\"support\" transform=\"translate(");
    add_pair(d->out, at[0] * d->view->scale, at[1] * d->view->scale);
    ha__strbuf_add(d->out, ")\">");
    begin_symbol(d, "foot");
    ha__strbuf_add(d->out, "<path d=\"M0 0L-18 -30H18Z\"/><path d=\"M-26 -30H26\"/>");
    add_hatching(d, -22.0, 26.0, -30.0);
    ha__strbuf_add(d->out, "</g></g>\n");
}

/* What the ground holds of joints and forces; rails have hatches of their own. */
static void draw_supports(const drawing *d)
{
    m2d_mechanism *m = d->s->mechanism;

    for (int i = 0; i < m2d_mechanism_n_joints(m); i++) {
        m2d_symbol symbol = m2d_joint_symbol(m, i);
        if (symbol != M2D_SYMBOL_SLIDER && symbol != M2D_SYMBOL_SLOT &&
            symbol != M2D_SYMBOL_WHEEL && symbol != M2D_SYMBOL_TYRE) {
            draw_support(d, m2d_joint_end(m, i, 0));
            draw_support(d, m2d_joint_end(m, i, 1));
        }
    }
    for (int i = 0; i < m2d_mechanism_n_forces(m); i++) {
        if (m2d_force_symbol(m, i) != M2D_SYMBOL_POINTS) {
            draw_support(d, m2d_force_end(m, i, 0));
            draw_support(d, m2d_force_end(m, i, 1));
        }
    }
}

/* What is drawn of a joint, in a group by which a page finds it. */
static void draw_joint(const drawing *d, int i, void (*draw)(const drawing *d, int i))
{
    ha__strbuf_addf(d->out, "<g class=\"joint-%d\">\n", i);
    draw(d, i);
    ha__strbuf_add(d->out, "</g>\n");
}

static void draw_force(const drawing *d, int i)
{
    m2d_mechanism *m = d->s->mechanism;
    const int ends[2] = { m2d_force_end(m, i, 0), m2d_force_end(m, i, 1) };

    if (m2d_force_symbol(m, i) != M2D_SYMBOL_POINTS) {
        ha__strbuf_addf(d->out, "<g class=\"load-%d\">\n", i);
        draw_between(d, m2d_symbol_name(m2d_force_symbol(m, i)), ends);
        ha__strbuf_add(d->out, "</g>\n");
    }
}

static ha_status draw_all(const drawing *d)
{
    m2d_mechanism *m = d->s->mechanism;

    draw_supports(d);
    for (int i = 0; i < m2d_mechanism_n_joints(m); i++) {
        draw_joint(d, i, draw_joint_below);
    }
    for (int i = 0; i < m2d_mechanism_n_bodies(m); i++) {
        HA_TRY(draw_body(d, d->s->order[i]));
    }
    for (int i = 0; i < m2d_mechanism_n_forces(m); i++) {
        draw_force(d, i);
    }
    for (int i = 0; i < m2d_mechanism_n_joints(m); i++) {
        draw_joint(d, i, draw_joint_above);
    }
    return d->out->status;
}

ha_status scene_draw(const scene *s, const scene_view *view, size_t row, ha__strbuf *out)
{
    const drawing d = { s, view, row, out };

    ha__strbuf_add(out, "<g transform=\"translate(");
    add_pair(out, -view->x[0] * view->scale, view->y[1] * view->scale);
    ha__strbuf_add(out, ") scale(1 -1)\">\n");
    HA_TRY(draw_all(&d));
    if (s->force != NULL) {
        scene_draw_forces(s, view, row, out);
    }
    ha__strbuf_add(out, "</g>\n");
    return out->status;
}
