/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the page of the joint types: `joints DIRECTORY` makes DIRECTORY/joints.md and a picture
 * DIRECTORY/joint-TYPE.svg for each, from the table that the program itself reads
 * (mech2d/joints.def). The pictures are mechanisms: two bodies with the joint between them,
 * assembled once as drawn and twice, pale, with each free direction moved.
 */
#include <config.h>

#include "lib/data/units.h"
#include "mech2d/assemble.h"
#include "mech2d/mechanism.h"
#include "mech2d/mechanism/joint.h"
#include "mech2d/mechanism/joint_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 256 };

/* --- the mechanism of a picture ------------------------------------------------------------- */

/* Places x, y, angle: of the mass centres and points of both bodies; and the far ends of the bars
   that are drawn from the points. */
typedef struct {
    double body[2][3], point[2][3], end[2][2];
} pose;

static const double reach[2] = { 0.7, -0.8 }; /* x of the points on bodies that are no wheels [m] */

/* What the user writes, or what is more than constraints, has no picture here. */
static bool has_picture(const m2d__joint_type *type)
{
    return !type->is_written && type->expand == NULL;
}

static ha_expr number(m2d_mechanism *m, double x)
{
    return ha_constant(m2d_mechanism_dag(m), x);
}

/* The radius of a body that is a wheel, 0 of others. */
static double radius_of(const m2d__joint_type *type, int body)
{
    for (int i = 0; i < type->n_keys; i++) {
        bool is_of_both = type->keys[i].n_values == 2;
        if (strncmp(type->keys[i].name, "radi", 4) == 0 && (is_of_both || body == 1)) {
            return is_of_both && body == 1 ? 0.45 : 0.25;
        }
    }
    return 0.0;
}

static double reach_of(const m2d__joint_type *type, int body)
{
    return radius_of(type, body) > 0.0 ? 0.0 : reach[body];
}

static ha_status add_body(m2d_mechanism *m, const char *name, const double place[3], bool is_fixed,
                          double x)
{
    m2d_body_def body = m2d_body_def_default();
    m2d_point_def point = m2d_point_def_default();

    body.name = point.body = name;
    body.mass = body.inertia = number(m, 1.0);
    for (int i = 0; i < 3; i++) {
        body.start[i] = number(m, place[i]);
        body.is_fixed[i] = is_fixed;
    }
    HA_TRY(m2d_mechanism_add_body(m, &body));
    point.name = "P";
    point.x = number(m, x);
    point.y = number(m, 0.0);
    return m2d_mechanism_add_point(m, &point);
}

static double setting_of(const m2d__joint_type *type, const m2d__key *key, int component)
{
    double radius = radius_of(type, key->n_values == 2 ? component : 1);
    double length = radius > 0.0 ? radius : 0.6;

    return key->quantities[component] == HA__QUANTITY_ANGLE ? 0.0 : length;
}

/* The joint, with a free direction held at a value (direction -1: none). */
static ha_status add_joint(m2d_mechanism *m, const m2d__joint_type *type, int direction,
                           double value)
{
    m2d_joint_def def = m2d_joint_def_default();
    m2d_setting settings[4];
    ha_expr values[4][M2D__MAX_COMPONENTS];
    const m2d_motion motion = { direction < 0 ? NULL : type->directions[direction].name,
                                number(m, value), HA_NOWHERE };

    def.type = type->name;
    def.name = "J";
    def.ends[0] = "A.P";
    def.ends[1] = "B.P";
    for (int i = 0; i < type->n_keys; i++) {
        for (int c = 0; c < type->keys[i].n_values; c++) {
            values[i][c] = number(m, setting_of(type, &type->keys[i], c));
        }
        settings[i] =
            (m2d_setting){ type->keys[i].name, values[i], type->keys[i].n_values, HA_NOWHERE };
    }
    def.settings = settings;
    def.n_settings = type->n_keys;
    def.motions = &motion;
    def.n_motions = direction < 0 ? 0 : 1;
    return m2d_mechanism_add_joint(m, &def);
}

static void read_pose(const m2d_assembly *assembly, const m2d__joint_type *type, pose *out)
{
    for (int b = 0; b < 2; b++) {
        double radius = radius_of(type, b);
        double *body = out->body[b], *point = out->point[b];
        for (int k = 0; k < 3; k++) {
            body[k] = m2d_assembly_value(assembly, b, (m2d_coordinate) k);
            point[k] = body[k];
        }
        point[0] += reach_of(type, b) * cos(body[2]);
        point[1] += reach_of(type, b) * sin(body[2]);
        double length = radius > 0.0 ? 0.8 * radius : -reach[b];
        out->end[b][0] = point[0] + length * cos(body[2]);
        out->end[b][1] = point[1] + length * sin(body[2]);
    }
}

/* Where the bodies are, the second near `guess`, with a direction held. */
static ha_status find_pose(ha_ctx *ctx, const m2d__joint_type *type, const double guess[3],
                           int direction, double value, pose *out)
{
    static const double bar[3] = { 0.0, -0.7 * 0.24740395925452294, 0.25 }; /* M at y = 0 */
    static const double wheel[3] = { 0.7, 0.4, 0.25 };
    const double *first = radius_of(type, 0) > 0.0 ? wheel : bar;
    m2d_mechanism *m = m2d_mechanism_new(ctx);
    m2d_system *system = NULL;
    m2d_assembly *assembly = NULL;
    ha_status status = m == NULL ? HA_ERR_MEMORY : add_body(m, "A", first, true, reach_of(type, 0));

    status = status == HA_OK ? add_body(m, "B", guess, false, reach_of(type, 1)) : status;
    status = status == HA_OK && has_picture(type) ? add_joint(m, type, direction, value) : status;
    status = status == HA_OK ? m2d_expand(m, &system) : status;
    status = status == HA_OK ? m2d_assemble(system, &assembly) : status;
    if (status == HA_OK) {
        read_pose(assembly, type, out);
    }
    m2d_assembly_free(assembly);
    m2d_system_free(system);
    m2d_mechanism_free(m);
    return status;
}

/* --- the picture ---------------------------------------------------------------------------- */

static const double scale = 150.0; /* pixels for a metre */
static const double left = -0.25, top = 1.25;

static double px(double x)
{
    return (x - left) * scale;
}

static double py(double y)
{
    return (top - y) * scale;
}

static void draw_line(FILE *f, const char *class, double x1, double y1, double x2, double y2)
{
    fprintf(f, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", class,
            px(x1), py(y1), px(x2), py(y2));
}

/* An axis from a point, with its name at the tip. */
static void draw_axis(FILE *f, const double place[3], double turn, const char *name)
{
    const double length = name[1] == 'i' ? 0.5 : 0.32, angle = place[2] + turn;
    double x = place[0] + length * cos(angle), y = place[1] + length * sin(angle);

    fprintf(f,
            "<line class=\"axis\" marker-end=\"url(#tip)\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" "
            "y2=\"%.1f\"/>\n",
            px(place[0]), py(place[1]), px(x), py(y));
    x += 0.1 * cos(angle);
    y += 0.1 * sin(angle);
    fprintf(f, "<text x=\"%.1f\" y=\"%.1f\">%c<tspan class=\"sub\" dy=\"4\">%c</tspan></text>\n",
            px(x), py(y) + 4.0, name[0], name[1]);
}

/* A wheel around its point; a bar from the point to its far end. */
static void draw_body(FILE *f, const m2d__joint_type *type, const pose *p, int b, const char *class)
{
    const double *point = p->point[b];

    if (radius_of(type, b) > 0.0) {
        fprintf(f, "<circle class=\"wheel %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", class,
                px(point[0]), py(point[1]), radius_of(type, b) * scale);
    }
    draw_line(f, class, point[0], point[1], p->end[b][0], p->end[b][1]);
}

static void draw_point(FILE *f, const double *place, const char *name, double dx, double dy)
{
    fprintf(f, "<circle class=\"point\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>\n", px(place[0]),
            py(place[1]));
    fprintf(f, "<text class=\"name\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", px(place[0]) + dx,
            py(place[1]) + dy, name);
}

static const char head[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"390\" height=\"240\" viewBox=\"0 0 390 "
    "240\">\n"
    "<style>line,circle{fill:none;stroke:#222;stroke-width:1}.i{stroke:#888;stroke-width:11;"
    "stroke-linecap:round}.j{stroke:#3b6ea5;stroke-width:11;stroke-linecap:round}.ghost{stroke:"
    "#3b6ea5;stroke-opacity:.18;stroke-width:11;stroke-linecap:round}.axis{stroke-width:1.4}.wheel{"
    "stroke-width:1.6}.point{fill:#fff;stroke-width:1.6}text{font:"
    "italic 13px serif;text-anchor:middle}.name{font-weight:bold}.sub{font-size:10px}</style>\n"
    "<defs><marker id=\"tip\" markerWidth=\"8\" markerHeight=\"8\" refX=\"6\" refY=\"3\" "
    "orient=\"auto\"><path d=\"M0,0 L7,3 L0,6 z\"/></marker></defs>\n"
    "<rect width=\"390\" height=\"240\" fill=\"#fff\"/>\n";

/* What a free direction is in a pose. */
static double coordinate_of(ha_ctx *ctx, const m2d__joint_type *type, const pose *p, int direction)
{
    ha_dag *dag = ha_dag_new(ctx);
    ha_expr places[2][3], settings[4 * M2D__MAX_COMPONENTS], found[M2D__MAX_DIRECTIONS];
    double value = 0.0;

    if (dag == NULL) {
        return value;
    }
    for (int k = 0; k < 6; k++) {
        places[k / 3][k % 3] = ha_constant(dag, p->point[k / 3][k % 3]);
    }
    for (int i = 0; i < type->n_keys; i++) {
        for (int c = 0; c < type->keys[i].n_values; c++) {
            settings[i * M2D__MAX_COMPONENTS + c] =
                ha_constant(dag, setting_of(type, &type->keys[i], c));
        }
    }
    m2d__frame frame = m2d__frame_between(dag, places[0], places[1]);
    frame.settings = settings;
    type->coordinates(&frame, found);
    (void) ha_expr_is_constant(dag, found[direction], &value);
    ha_dag_free(dag);
    return value;
}

/* The second body with each free direction moved both ways, where that moves it alone. */
static void draw_ghosts(FILE *f, ha_ctx *ctx, const m2d__joint_type *type, const pose *p)
{
    for (int d = 0; d < type->n_directions; d++) {
        double now = coordinate_of(ctx, type, p, d);
        for (int way = -1; way <= 1; way += 2) {
            double step = way * (type->directions[d].is_angle ? 0.35 : 0.22), guess[3];
            pose moved;
            memcpy(guess, p->body[1], sizeof guess);
            guess[2] += type->directions[d].is_angle ? step : 0.0;
            if (find_pose(ctx, type, guess, d, now + step, &moved) == HA_OK) {
                draw_body(f, type, &moved, 1, "ghost");
            }
        }
    }
}

static ha_status draw(FILE *f, ha_ctx *ctx, const m2d__joint_type *type)
{
    static const double away[3] = { 1.75, 0.62, 0.55 }, near[3] = { 0.88, 0.48, 0.8 },
                        apart[3] = { 1.37, 0.58, 0.8 }, above[3] = { 0.93, 0.33, 0.6 };
    const double *guess = radius_of(type, 1) <= 0.0                 ? away
                          : radius_of(type, 0) <= 0.0               ? above
                          : strncmp(type->name, "internal", 8) == 0 ? near
                                                                    : apart;
    pose p;

    HA_TRY(find_pose(ctx, type, guess, -1, 0.0, &p));
    fputs(head, f);
    draw_ghosts(f, ctx, type, &p);
    draw_body(f, type, &p, 0, "i");
    draw_body(f, type, &p, 1, "j");
    draw_axis(f, p.point[0], 0.0, "xi");
    draw_axis(f, p.point[0], acos(-1.0) / 2.0, "yi");
    draw_axis(f, p.point[1], 0.0, "xj");
    draw_axis(f, p.point[1], acos(-1.0) / 2.0, "yj");
    draw_point(f, p.point[0], "M", -8.0, 20.0);
    draw_point(f, p.point[1], "N", 10.0, 20.0);
    fputs("</svg>\n", f);
    return HA_OK;
}

/* --- the page ------------------------------------------------------------------------------- */

static void write_constraints(FILE *f, const m2d__joint_type *type)
{
    static const ha_expr no_settings[4 * M2D__MAX_COMPONENTS];
    m2d__row rows[M2D__MAX_ROWS] = { 0 };
    ha_ctx *ctx = ha_ctx_new();
    ha_dag *dag = ha_dag_new(ctx);
    ha_expr places[6];

    for (int i = 0; i < 6; i++) {
        places[i] = ha_symbol(dag, "place");
    }
    m2d__frame frame = m2d__frame_between(dag, places, places + 3);
    frame.settings = no_settings;
    frame.origin = places[0];
    if (type->expand == NULL && type->n_rows > 0) {
        type->rows(&frame, rows);
        fputs("| constraint | must hold | in |\n|---|---|---|\n", f);
    }
    for (int k = 0; type->expand != NULL && k < type->n_rows; k++) {
        fprintf(f, "- %s\n", type->formulas[k]);
    }
    for (int k = 0; type->expand == NULL && k < type->n_rows; k++) {
        fprintf(f, "| `%s` | %s | %s |\n", rows[k].label, type->formulas[k],
                rows[k].is_angle ? "rad" : "m");
    }
    fputs(type->n_rows > 0 ? "\n" : "", f);
    ha_dag_free(dag);
    ha_ctx_free(ctx);
}

static void write_directions(FILE *f, const m2d__joint_type *type)
{
    if (type->n_directions > 0) {
        fputs("| free direction | coordinate | its rate | in |\n|---|---|---|---|\n", f);
    }
    for (int k = 0; k < type->n_directions; k++) {
        const m2d__direction *d = &type->directions[k];
        fprintf(f, "| `%s` | %s%s%s | `%s` | %s, %s |\n", d->name,
                strchr(d->formula, '|') != NULL ? "length of MN" : d->formula, "", "", d->rate,
                d->is_angle ? "rad" : "m", d->is_angle ? "rad/s" : "m/s");
    }
    fputs(type->n_directions > 0 ? "\n" : "", f);
}

static void write_keys(FILE *f, const m2d__joint_type *type)
{
    if (type->n_keys > 0) {
        fputs("| key | values | unit | default |\n|---|---|---|---|\n", f);
    }
    for (int k = 0; k < type->n_keys; k++) {
        const m2d__key *key = &type->keys[k];
        fprintf(f, "| `%s` | %d%s%s | %s | %s |\n", key->name, key->n_values,
                key->is_constant ? ", constant" : "",
                key->excludes_zero ? ", above 0"
                : key->is_positive ? ", at least 0"
                                   : "",
                ha__quantity_unit(key->quantities[0]), key->is_required ? "none, needed" : "0");
    }
    fputs(type->n_keys > 0 ? "\n" : "", f);
}

static const char intro[] =
    "# Joints\n"
    "\n"
    "The joint types of `mech2d/joints.def`, from which this page is made. A joint is "
    "between a point M\n"
    "of its first body i and a point N of its second body j. x_i, y_i are the axes of M "
    "and x_j, y_j\n"
    "those of N; theta_i, theta_j are their angles; x_0, y_0 are the inertial axes, O is "
    "the origin. Each\n"
    "constraint becomes a residual sink of the bond graph, named `JOINT.CONSTRAINT`, and "
    "a multiplier.\n"
    "Free directions are outputs `JOINT.DIRECTION`; they carry springs, motions and "
    "bonds.\n"
    "[model-mechanism.md](model-mechanism.md#joints) says how they are written in a "
    "model file,\n"
    "[adding-a-joint.md](adding-a-joint.md) how to add one.\n"
    "\n"
    "In the pictures the first body is grey and stays. The second is blue, and pale "
    "where each free\n"
    "direction moves it.\n";

static void write_type(FILE *f, const m2d__joint_type *type)
{
    fprintf(f, "\n## %s\n\n%s\n\n", type->name, type->title);
    if (has_picture(type)) {
        fprintf(f, "![%s](joint-%s.svg)\n\n", type->name, type->name);
    }
    write_constraints(f, type);
    write_directions(f, type);
    write_keys(f, type);
    if (type->source != NULL) {
        fprintf(f, "Source: %s.\n", type->source);
    }
}

/* What holds a joint: joint_models.def. */
static void write_models(FILE *f)
{
    fputs("\n# Joint models\n\n"
          "What holds the rows of a joint, `model:`, from `mech2d/joint_models.def`; any "
          "type can "
          "have\n"
          "any model that does not name its types. Rows are those of the constraints above; see\n"
          "[compliant.md](compliant.md) and [contact.md](contact.md).\n",
          f);
    for (size_t i = 0; m2d__joint_model_at(i) != NULL; i++) {
        const m2d__joint_model *model = m2d__joint_model_at(i);
        fprintf(f, "\n## %s\n\n%s\n", model->name, model->title);
        fputs(model->n_keys > 0 ? "\n| key | values | unit |\n|---|---|---|\n" : "", f);
        for (int k = 0; k < model->n_keys; k++) {
            const m2d__key *key = &model->keys[k];
            bool is_name = key->choice != NULL;
            fprintf(f, "| `%s` | %s%s | %s |\n", key->name,
                    is_name          ? "a name, see [contact.md](contact.md)"
                    : key->is_matrix ? "one, one for each row of its dimension, or a matrix"
                                     : "one",
                    is_name              ? ""
                    : key->excludes_zero ? ", above 0"
                    : key->is_positive   ? ", at least 0"
                                         : "",
                    ha__quantity_unit(key->quantities[0]));
        }
    }
}

static FILE *open_in(const char *directory, const char *prefix, const char *name,
                     const char *suffix)
{
    char path[4 * ROOM];

    snprintf(path, sizeof path, "%s/%s%s%s", directory, prefix, name, suffix);
    return fopen(path, "w");
}

/* Fails unless a type has all that the page says of it. */
static ha_status check_type(ha_ctx *ctx, const m2d__joint_type *type)
{
    bool is_complete = type->title != NULL && (type->n_rows == 0 || type->formulas != NULL);

    for (int k = 0; k < type->n_rows && is_complete; k++) {
        is_complete = type->formulas[k] != NULL;
    }
    for (int k = 0; k < type->n_directions && is_complete; k++) {
        is_complete = type->directions[k].formula != NULL;
    }
    return is_complete ? HA_OK
                       : ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                                 "joint type `%s` has no title, or not a formula for each "
                                 "constraint and direction; add them to its m2d__joint_type",
                                 type->name);
}

static ha_status write_all(ha_ctx *ctx, const char *directory)
{
    FILE *page = open_in(directory, "", "joints", ".md");
    ha_status status = page == NULL ? HA_ERR_FILE : HA_OK;

    if (page != NULL) {
        fputs(intro, page);
    }
    for (size_t i = 0; m2d__joint_type_at(i) != NULL && status == HA_OK; i++) {
        const m2d__joint_type *type = m2d__joint_type_at(i);
        status = check_type(ctx, type);
        if (status != HA_OK) {
            break;
        }
        write_type(page, type);
        FILE *picture =
            !has_picture(type) ? NULL : open_in(directory, "joint-", type->name, ".svg");
        if (picture != NULL) {
            status = draw(picture, ctx, type);
            fclose(picture);
        }
    }
    if (page != NULL) {
        write_models(page);
        fclose(page);
    }
    return status;
}

int main(int argc, char **argv)
{
    ha_ctx *ctx = ha_ctx_new();
    ha_status status = argc == 2 && ctx != NULL ? write_all(ctx, argv[1]) : HA_ERR_ARGUMENT;

    for (size_t i = 0; status != HA_OK && ctx != NULL && i < ha_ctx_n_diags(ctx); i++) {
        fprintf(stderr, "%s\n", ha_ctx_diag(ctx, i)->text);
    }
    ha_ctx_free(ctx);
    return status == HA_OK ? 0 : 1;
}
