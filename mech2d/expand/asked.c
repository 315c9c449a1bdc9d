/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Outputs that exist only when `outputs:` asks for them, or when an expression uses them:
 *
 *   distance(A.P, B.Q)  the distance of two points
 *   relative(A.P, B.Q)  .x .y .angle: position of Q from P in the axes of P, and the angle of
 *                       Q's axis from P's; .vx .vy .omega and .ax .ay .alpha: their first and
 *                       second time derivatives, the motion that an observer on the first body sees
 *   in_axes(A.P, NAME)  what a sensor on body A measures: .fx .fy of a joint, .vx .vy .ax .ay of a
 *                       body or point, turned from inertial axes to those of the point P
 *   power(ELEMENT)      effort times flow, as the half arrow counts it, summed over components; of
 *                       a two-port at its first port; of a spring-damper or stop of both parts
 *   SPRING.length       the distance of the ends of a spring-damper or stop between points
 *   SPRING.force        force or torque of a spring-damper or stop, positive in tension
 *   ground.fx           and .fy .torque: the force of the mechanism on the ground, and its moment
 *                       about the origin; ground: all three
 *   JOINT.alpha         and .acceleration: the rate of a joint's .omega or .speed
 */
#include <config.h>

#include "mech2d/expand/system_priv.h"

#include <stdio.h>
#include <string.h>

enum { MAX_ARGUMENTS = 2, MAX_NAME = 512 };

/* An entry of `outputs:`, or a name that an expression uses, taken apart. */
typedef struct {
    ha_ctx *ctx;
    m2d_system *system;
    const m2d__wanted *entry;
    char name[MAX_NAME];                     /* "distance" */
    char arguments[MAX_ARGUMENTS][MAX_NAME]; /* "A.P", "B.Q" */
    int n_arguments;
    int *first, *n; /* outputs found: numbers in the table of the system */
    ha_expr *value; /* of a name: the value of this output and nothing else; NULL: an entry */
    const char **unit;
} asked;

/* --- the text ------------------------------------------------------------------------------- */

/* Copies the part of a text from `from` to `to` without the blanks around it; false when it does
   not fit or is empty. */
static bool copy_part(const char *from, const char *to, char part[MAX_NAME])
{
    while (from < to && *from == ' ') {
        from++;
    }
    while (to > from && to[-1] == ' ') {
        to--;
    }
    if (to == from || to - from >= MAX_NAME) {
        return false;
    }
    memcpy(part, from, (size_t) (to - from));
    part[to - from] = '\0';
    return true;
}

/* Takes "NAME(A, B)" apart; false when the entry is not written so. */
static bool take_apart(asked *a)
{
    const char *text = a->entry->name, *open = strchr(text, '('), *end = text + strlen(text);
    const char *close = strrchr(text, ')');

    end = a->value != NULL && close != NULL ? close + 1 : end; /* relative(A.P, B.Q).x */
    if (open == NULL || end[-1] != ')' || !copy_part(text, open, a->name)) {
        return false;
    }
    for (const char *from = open + 1; from <= end - 1; a->n_arguments++) {
        const char *comma = memchr(from, ',', (size_t) (end - 1 - from));
        const char *to = comma == NULL ? end - 1 : comma;
        if (a->n_arguments == MAX_ARGUMENTS || !copy_part(from, to, a->arguments[a->n_arguments])) {
            return false;
        }
        from = to + 1;
    }
    return true;
}

/* How messages begin. */
static const char *who(const asked *a)
{
    return a->value == NULL ? "`outputs` asks for" : "an expression uses";
}

/* --- outputs -------------------------------------------------------------------------------- */

/* Adds an output unless it is there from an entry before. */
static ha_status add_output(asked *a, const char *name, const char *unit, ha_expr value)
{
    ha__symtab *table = &a->system->outputs;
    int number = ha__symtab_find(table, name, strlen(name));

    HA_TRY(ha_dag_status(bg_graph_dag(a->system->graph)));
    if (a->value != NULL) {
        bool is_it = strcmp(name, a->entry->name) == 0;
        *a->value = is_it ? value : *a->value;
        *a->unit = is_it ? unit : *a->unit;
        return HA_OK;
    }
    if (number < 0) {
        HA_TRY(bg_graph_add_output(a->system->graph, name, unit, value));
        HA_TRY(ha__symtab_add(a->ctx, table, name, strlen(name), &number, NULL));
    }
    *a->first = *a->n == 0 ? number : *a->first;
    (*a->n)++;
    return HA_OK;
}

/* The position of the point that an argument names. */
static ha_status find_place(asked *a, int argument, const ha_expr **out)
{
    const char *name = a->arguments[argument];
    const ha__symtab *table = &a->system->pose_names;
    int number = ha__symtab_find(table, name, strlen(name));

    if (number < 0) {
        const char *nearest = ha__symtab_nearest(table, name);
        return ha_fail(a->ctx, HA_ERR_NAME, a->entry->where,
                       "%s `%s`, but there is no point `%s`; %s%s%s", who(a), a->entry->name, name,
                       nearest != NULL ? "did you mean `" : "write BODY.POINT",
                       nearest != NULL ? nearest : "", nearest != NULL ? "`?" : "");
    }
    *out = a->system->poses.items[number].pose;
    return HA_OK;
}

static ha_status add_distance(asked *a)
{
    ha_dag *dag = bg_graph_dag(a->system->graph);
    const ha_expr *P = NULL, *Q = NULL;
    char name[2 * MAX_NAME + 16];

    HA_TRY(find_place(a, 0, &P));
    HA_TRY(find_place(a, 1, &Q));
    snprintf(name, sizeof name, "distance(%s, %s)", a->arguments[0], a->arguments[1]);
    m2d__vector PQ = m2d__from_to(dag, (m2d__vector){ P[0], P[1] }, (m2d__vector){ Q[0], Q[1] });
    return add_output(a, name, "m", m2d__length(dag, PQ));
}

/* One coordinate of a relative position with its derivatives. */
static ha_status add_relative_coordinate(asked *a, int k, ha_expr value)
{
    static const char *const names[3][3] = { { "x", "vx", "ax" },
                                             { "y", "vy", "ay" },
                                             { "angle", "omega", "alpha" } };
    static const char *const units[2][3] = { { "m", "m/s", "m/s2" }, { "rad", "rad/s", "rad/s2" } };
    ha_dag *dag = bg_graph_dag(a->system->graph);

    for (int order = 0; order < 3; order++) {
        char name[2 * MAX_NAME + 32];
        snprintf(name, sizeof name, "relative(%s, %s).%s", a->arguments[0], a->arguments[1],
                 names[k][order]);
        HA_TRY(add_output(a, name, units[k == 2][order], value));
        if (order == 0) {
            HA_TRY(ha_dt(dag, value, &value));
        } else if (order == 1) {
            value = bg_graph_rate(a->system->graph, value, name);
        }
    }
    return HA_OK;
}

static ha_status add_relative(asked *a)
{
    ha_dag *dag = bg_graph_dag(a->system->graph);
    const ha_expr *P = NULL, *Q = NULL;

    HA_TRY(find_place(a, 0, &P));
    HA_TRY(find_place(a, 1, &Q));
    ha_expr c = ha_apply(dag, HA_OP_COS, P[2], HA_EXPR_NONE, HA_EXPR_NONE);
    ha_expr s = ha_apply(dag, HA_OP_SIN, P[2], HA_EXPR_NONE, HA_EXPR_NONE);
    m2d__vector PQ = m2d__from_to(dag, (m2d__vector){ P[0], P[1] }, (m2d__vector){ Q[0], Q[1] });
    HA_TRY(add_relative_coordinate(a, 0, m2d__dot(dag, PQ, (m2d__vector){ c, s })));
    HA_TRY(add_relative_coordinate(a, 1, m2d__dot(dag, PQ, (m2d__vector){ ha_neg(dag, s), c })));
    return add_relative_coordinate(a, 2, ha_sub(dag, Q[2], P[2]));
}

/* The signal "NAME.SUFFIX", HA_EXPR_NONE when there is none. */
static ha_expr signal_of(const asked *a, const char *name, const char *suffix)
{
    char text[2 * MAX_NAME];

    snprintf(text, sizeof text, "%s.%s", name, suffix);
    return bg_graph_lookup(a->system->graph, text);
}

/* The pairs of components that NAME has, along the axes of a point. */
static ha_status add_in_axes(asked *a)
{
    static const char *const pairs[][2] = { { "fx", "fy" }, { "vx", "vy" }, { "ax", "ay" } };
    static const char *const units[] = { "N", "m/s", "m/s2" };
    ha_dag *dag = bg_graph_dag(a->system->graph);
    const ha_expr *P = NULL;
    bool is_any = false;

    HA_TRY(find_place(a, 0, &P));
    ha_expr c = ha_apply(dag, HA_OP_COS, P[2], HA_EXPR_NONE, HA_EXPR_NONE);
    ha_expr s = ha_apply(dag, HA_OP_SIN, P[2], HA_EXPR_NONE, HA_EXPR_NONE);
    const m2d__vector axes[2] = { { c, s }, { ha_neg(dag, s), c } };
    for (size_t i = 0; i < HA_COUNT(pairs); i++) {
        m2d__vector v = { signal_of(a, a->arguments[1], pairs[i][0]),
                          signal_of(a, a->arguments[1], pairs[i][1]) };
        for (int k = 0; k < 2 && v.x != HA_EXPR_NONE && v.y != HA_EXPR_NONE; k++) {
            char name[2 * MAX_NAME + 32];
            snprintf(name, sizeof name, "in_axes(%s, %s).%s", a->arguments[0], a->arguments[1],
                     pairs[i][k]);
            HA_TRY(add_output(a, name, units[i], m2d__dot(dag, v, axes[k])));
            is_any = true;
        }
    }
    return is_any ? HA_OK
                  : ha_fail(a->ctx, HA_ERR_NAME, a->entry->where,
                            "%s `%s`, but `%s` has neither .fx and .fy nor .vx and .vy; give a "
                            "joint, a body or a point of one",
                            who(a), a->entry->name, a->arguments[1]);
}

/* Effort times flow of an element of one component, HA_EXPR_NONE when it has none. */
static ha_expr power_of(const asked *a, const char *name)
{
    static const char *const suffixes[2][2] = { { "e", "f" }, { "e1", "f1" } };

    for (int i = 0; i < 2; i++) {
        ha_expr e = signal_of(a, name, suffixes[i][0]), f = signal_of(a, name, suffixes[i][1]);
        if (e != HA_EXPR_NONE && f != HA_EXPR_NONE) {
            return ha_mul(bg_graph_dag(a->system->graph), e, f);
        }
    }
    return HA_EXPR_NONE;
}

/* Effort times flow of a spring and a damper together, HA_EXPR_NONE when there are none of that
   name: one that has a single part is an element. */
static ha_expr power_of_spring(const asked *a, const char *name)
{
    for (size_t i = 0; i < a->system->springs.count; i++) {
        const m2d__spring *spring = &a->system->springs.items[i];
        if (strcmp(spring->name, name) == 0) {
            return ha_mul(bg_graph_dag(a->system->graph), spring->effort, spring->flow);
        }
    }
    return HA_EXPR_NONE;
}

/* The same of all components of an element. */
static ha_expr power_of_element(const asked *a, const char *name)
{
    bg_graph *graph = a->system->graph;
    bg_element element = bg_graph_find(graph, name);
    ha_expr sum = power_of(a, name);

    if (element >= 0 && sum == HA_EXPR_NONE) {
        sum = power_of(a, bg_element_component(graph, element, 0));
        for (int k = 1; sum != HA_EXPR_NONE && k < bg_element_dim(graph, element); k++) {
            sum = ha_add(bg_graph_dag(graph), sum,
                         power_of(a, bg_element_component(graph, element, k)));
        }
    }
    return sum;
}

/* What a prescribed motion, O.drive, gives: its sink has no flow, the source of the rate that is
   prescribed has. That is O.time.drive in a joint and K.drive.time at a body, whose motions
   K.drive_x are K.drive.time.x where there are several. */
static ha_expr power_of_drive(const asked *a, const char *name)
{
    const char *drive = strstr(name, ".drive"), *last = strrchr(name, '.');
    char source[MAX_NAME + 16];

    if (drive == NULL) {
        return HA_EXPR_NONE;
    }
    snprintf(source, sizeof source, "%s.time", name);
    ha_expr sum = power_of_element(a, source);
    if (sum == HA_EXPR_NONE) {
        snprintf(source, sizeof source, "%.*s.time%s", (int) (last - name), name, last);
        sum = power_of_element(a, source);
    }
    if (sum == HA_EXPR_NONE && drive[6] == '_') {
        snprintf(source, sizeof source, "%.*s.time.%s", (int) (drive + 6 - name), name, drive + 7);
        sum = power_of_element(a, source);
    }
    return sum;
}

static ha_status add_power(asked *a)
{
    const char *of = a->arguments[0];
    ha_expr sum = power_of_drive(a, of);
    char name[MAX_NAME + 16];

    sum = sum == HA_EXPR_NONE ? power_of_element(a, of) : sum;
    sum = sum == HA_EXPR_NONE ? power_of_spring(a, of) : sum;
    HA_TRY(ha_dag_status(bg_graph_dag(a->system->graph)));
    if (sum == HA_EXPR_NONE) {
        return ha_fail(a->ctx, HA_ERR_NAME, a->entry->where,
                       "%s `%s`, but `%s` is no element of the bond graph that has "
                       "an effort and a flow; `draw` and `causality` show the names",
                       who(a), a->entry->name, a->arguments[0]);
    }
    snprintf(name, sizeof name, "power(%s)", a->arguments[0]);
    return add_output(a, name, "W", sum);
}

/* --- springs -------------------------------------------------------------------------------- */

/* SPRING.length of a spring between points. */
static ha_status add_length(asked *a)
{
    for (size_t i = 0; i < a->system->lines.count; i++) {
        const m2d__line *line = &a->system->lines.items[i];
        if (strcmp(line->name, a->name) == 0) {
            return add_output(a, a->entry->name, "m", line->length);
        }
    }
    return HA_OK;
}

/* SPRING.force: the effort of the spring, the damper, or both. */
static ha_status add_force(asked *a)
{
    for (size_t i = 0; i < a->system->springs.count; i++) {
        const m2d__spring *spring = &a->system->springs.items[i];
        if (strcmp(spring->name, a->name) == 0) {
            return add_output(a, a->entry->name, spring->is_angle ? "N.m" : "N", spring->effort);
        }
    }
    return HA_OK;
}

/* --- joints --------------------------------------------------------------------------------- */

/* JOINT.alpha, JOINT.acceleration: the rate of the rate of a free direction. */
static ha_status add_acceleration(asked *a)
{
    for (size_t i = 0; i < a->system->accelerations.count; i++) {
        const m2d__acceleration *found = &a->system->accelerations.items[i];
        if (strcmp(found->name, a->entry->name) == 0) {
            return add_output(a, found->name, found->is_angle ? "rad/s2" : "m/s2",
                              bg_graph_rate(a->system->graph, found->rate, found->name));
        }
    }
    return HA_OK;
}

/* --- the ground ----------------------------------------------------------------------------- */

/* Whether an entry is "ground" or begins with "ground.". */
static bool is_of_ground(const char *name)
{
    return strncmp(name, "ground", 6) == 0 && (name[6] == '\0' || name[6] == '.');
}

static ha_status add_ground(asked *a)
{
    static const struct {
        const char *name, *unit;
    } outputs[3] = { { "ground.fx", "N" }, { "ground.fy", "N" }, { "ground.torque", "N.m" } };

    for (int i = 0; i < 3; i++) {
        if (strcmp(a->entry->name, "ground") == 0 || strcmp(a->entry->name, outputs[i].name) == 0) {
            HA_TRY(add_output(a, outputs[i].name, outputs[i].unit, a->system->on_ground[i]));
        }
    }
    return HA_OK;
}

/* --- entries -------------------------------------------------------------------------------- */

static ha_status add_call(asked *a)
{
    static const struct {
        const char *name;
        int n_arguments;
        ha_status (*add)(asked *a);
    } calls[] = { { "distance", 2, add_distance },
                  { "relative", 2, add_relative },
                  { "in_axes", 2, add_in_axes },
                  { "power", 1, add_power } };

    for (size_t i = 0; i < HA_COUNT(calls); i++) {
        if (strcmp(calls[i].name, a->name) == 0 && calls[i].n_arguments == a->n_arguments) {
            return calls[i].add(a);
        }
    }
    return ha_fail(a->ctx, HA_ERR_NAME, a->entry->where,
                   "%s `%s`; write distance(A.P, B.Q), relative(A.P, B.Q), in_axes(A.P, NAME) or "
                   "power(ELEMENT)",
                   who(a), a->entry->name);
}

static ha_status add_entry(asked *a)
{
    const char *dot = strrchr(a->entry->name, '.');

    if (take_apart(a)) {
        return add_call(a);
    }
    if (is_of_ground(a->entry->name)) {
        return add_ground(a);
    }
    if (dot == NULL || !copy_part(a->entry->name, dot, a->name)) {
        return HA_OK;
    }
    return strcmp(dot, ".length") == 0  ? add_length(a)
           : strcmp(dot, ".force") == 0 ? add_force(a)
                                        : add_acceleration(a);
}

ha_status m2d__add_asked(ha_ctx *ctx, m2d_system *system, const m2d__wanted *entry, int *first,
                         int *n)
{
    asked a = { .ctx = ctx, .system = system, .entry = entry, .first = first, .n = n };

    *n = 0;
    return add_entry(&a);
}

ha_status m2d__find_asked(ha_ctx *ctx, m2d_system *system, const m2d__wanted *entry, ha_expr *value,
                          const char **unit)
{
    asked a = { .ctx = ctx, .system = system, .entry = entry, .value = value, .unit = unit };

    return add_entry(&a);
}
