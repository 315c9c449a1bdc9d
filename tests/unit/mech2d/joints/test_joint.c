/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conformance of every joint type: the flow that the bond graph brings to the sink is the time
 * derivative of phi, found by central differences of phi at random states; the matrices of the
 * transformers carry it there. Besides the types of joints.def, constraints that are no linear
 * functions of the coordinates go through the same rows: a line of a length, a slot, and one that
 * depends on the time.
 */
#include <config.h>

#include "mech2d/mechanism/joint.h"

#include "mech2d/expand/expand_priv.h"
#include "tests/unit/mech2d/scenes.h"
#include "tests/util/random.h"
#include "tests/util/util.h"

#include <check.h>
#include <stdio.h>

static ha_ctx *ctx;
static m2d_mechanism *m;

/* Coordinates and rates of two bodies, and the time. */
typedef struct {
    double q[6], v[6], t;
    m2d_system *system;
} state;

static void set_up(void)
{
    ctx = ha_ctx_new();
    m = m2d_mechanism_new(ctx);
    ck_assert_ptr_nonnull(m);
    ck_assert_int_eq(scene_body(m, "A", 1.0, 1.0, 0.0, false), HA_OK);
    ck_assert_int_eq(scene_body(m, "B", 1.0, 1.0, 0.0, false), HA_OK);
}

static void tear_down(void)
{
    m2d_mechanism_free(m);
    ha_ctx_free(ctx);
}

static void add_points(void)
{
    static const char *const bodies[] = { "A", "B", "ground" };

    for (size_t i = 0; i < HA_COUNT(bodies); i++) {
        m2d_point_def def = m2d_point_def_default();
        def.body = bodies[i];
        def.name = "P";
        def.x = scene_number(m, 0.3 + 0.2 * (double) i);
        def.y = scene_number(m, -0.4 + 0.3 * (double) i);
        def.axis = scene_number(m, 0.25 - 0.7 * (double) i);
        ck_assert_int_eq(m2d_mechanism_add_point(m, &def), HA_OK);
    }
}

static double next_random(void)
{
    static uint64_t seed = 12345;

    return random_in(&seed, -1.0, 1.0);
}

static void randomise(state *s)
{
    for (int j = 0; j < 6; j++) {
        s->q[j] = 2.0 * next_random();
        s->v[j] = next_random();
    }
    s->t = next_random();
}

static double value_of_symbol(void *user, ha_expr symbol)
{
    state *s = user;

    for (int j = 0; j < 6; j++) {
        if (symbol == s->system->masses.items[j / 3].q[j % 3]) {
            return s->q[j];
        }
        if (symbol == s->system->masses.items[j / 3].f[j % 3]) {
            return s->v[j];
        }
    }
    return symbol == bg_graph_time(s->system->graph) ? s->t : (double) NAN;
}

static double value_of(state *s, ha_expr e)
{
    ha_dag *dag = bg_graph_dag(s->system->graph);
    ha_expr resolved = HA_EXPR_NONE;

    ck_assert_int_eq(ha_resolve(dag, e, &resolved), HA_OK);
    return ha_expr_value(dag, resolved, value_of_symbol, s);
}

/* out (rows) += matrix of an element times in (columns); nothing when there is no such element. */
static void multiply(state *s, const char *name, const double *in, int columns, double *out)
{
    bg_graph *graph = s->system->graph;
    bg_element element = bg_graph_find(graph, name);

    if (element < 0) {
        return;
    }
    for (int i = 0; i < bg_element_n_values(graph, element); i++) {
        out[i / columns] += value_of(s, bg_element_value(graph, element, i)) * in[i % columns];
    }
}

/* The flow into whatever is on J.0, through the elements of the graph. */
static void flow_of(state *s, const char *const bodies[2], double *flow)
{
    static const char *const ends[2] = { "J.M", "J.N" };

    for (int end = 0; end < 2; end++) {
        double at_point[3] = { 0.0, 0.0, 0.0 };
        char name[64];
        int body = strcmp(bodies[end], "A") == 0 ? 0 : 1;
        if (strcmp(bodies[end], "ground") != 0) {
            snprintf(name, sizeof name, "%s.P.transport", bodies[end]);
            multiply(s, name, s->v + 3 * body, 3, at_point);
            multiply(s, ends[end], at_point, 3, flow);
        }
    }
    bg_element time = bg_graph_find(s->system->graph, "J.time");
    for (int k = 0; time >= 0 && k < bg_element_dim(s->system->graph, time); k++) {
        flow[k] += value_of(s, bg_element_value(s->system->graph, time, k));
    }
}

/* d phi / dt by central differences of fourth order along the motion. */
static double difference(const state *s, ha_expr phi)
{
    static const double weights[4] = { 1.0, -8.0, 8.0, -1.0 }, places[4] = { -2.0, -1.0, 1.0, 2.0 };
    const double h = 2.5e-4;
    double sum = 0.0;

    for (int k = 0; k < 4; k++) {
        state moved = *s;
        for (int j = 0; j < 6; j++) {
            moved.q[j] += places[k] * h * s->v[j];
        }
        moved.t += places[k] * h;
        sum += weights[k] * value_of(&moved, phi);
    }
    return sum / (12.0 * h);
}

static void check_flows(m2d_system *system, const char *const bodies[2], const ha_expr *phi, int n)
{
    state s = { .system = system };

    for (int trial = 0; trial < 20; trial++) {
        double flow[M2D__MAX_ROWS] = { 0.0 };
        randomise(&s);
        flow_of(&s, bodies, flow);
        for (int k = 0; k < n; k++) {
            ck_assert_double_eq_tol(flow[k], difference(&s, phi[k]), 1e-9);
        }
    }
}

/* A joint of this type whose settings are 0.7, 0.9 and so on. */
static void add_joint(const m2d__joint_type *type, const char *first, const char *second)
{
    m2d_joint_def def = m2d_joint_def_default();
    m2d_setting settings[8];
    ha_expr values[M2D__MAX_COMPONENTS];
    ha_expr reach = m2d_constraint_lookup(m, "MN.x_j"), side = m2d_constraint_lookup(m, "ON.y_i");
    ha_expr product = ha_mul(m2d_mechanism_dag(m), reach, side);
    const m2d_row_def own_rows[] = { { .name = "product", .value = product },
                                     { .name = "side", .value = side } };
    const m2d_row_def own_free = { .name = "reach", .value = reach };

    for (int i = 0; i < M2D__MAX_COMPONENTS; i++) {
        values[i] = scene_number(m, 0.7 + 0.2 * i);
    }
    ck_assert_int_le(type->n_keys, (int) HA_COUNT(settings));
    for (int i = 0; i < type->n_keys; i++) {
        settings[i] =
            (m2d_setting){ type->keys[i].name, values, type->keys[i].n_values, HA_NOWHERE };
    }
    def.type = type->name;
    def.name = "J";
    def.ends[0] = first;
    def.ends[1] = second;
    def.settings = settings;
    def.n_settings = type->n_keys;
    if (type->is_written) {
        def.rows = own_rows;
        def.n_rows = HA_COUNT(own_rows);
        def.free = &own_free;
        def.n_free = 1;
    }
    ck_assert_int_eq(m2d_mechanism_add_joint(m, &def), HA_OK);
}

static const char *const pairs[][2] = { { "A", "B" }, { "ground", "B" }, { "A", "ground" } };

START_TEST(flow_at_the_sink_is_the_rate_of_phi)
{
    const m2d__joint_type *type = m2d__joint_type_at((size_t) _i / HA_COUNT(pairs));
    if (type->expand != NULL) {
        return; /* it is no set of rows: test_wheel.c */
    }
    const char *const *bodies = pairs[(size_t) _i % HA_COUNT(pairs)];
    ha_expr phi[M2D__MAX_ROWS];
    m2d_system *system = NULL;
    char ends[2][32];

    add_points();
    snprintf(ends[0], sizeof ends[0], "%s.P", bodies[0]);
    snprintf(ends[1], sizeof ends[1], "%s.P", bodies[1]);
    add_joint(type, ends[0], ends[1]);
    ck_assert_int_eq(m2d_expand(m, &system), HA_OK);
    ck_assert_int_eq(m2d_system_n_rows(system), m->joints.items[0].joint->n_rows);
    for (int k = 0; k < m2d_system_n_rows(system); k++) {
        phi[k] = system->rows.items[k].phi;
    }
    check_flows(system, bodies, phi, m2d_system_n_rows(system));
    m2d_system_free(system);
}
END_TEST

/* Expands rows of the test's own between A.P and B.P. */
static void check_own_rows(void (*make)(const m2d__frame *frame, ha_expr time, m2d__row *rows),
                           int n)
{
    m2d_system *system = NULL;
    m2d__row rows[M2D__MAX_ROWS] = { 0 };
    m2d__port ports[3];
    ha_expr phi[M2D__MAX_ROWS];

    add_points();
    ck_assert_int_eq(m2d_expand(m, &system), HA_OK);
    m2d__expander x = { .ctx = ctx,
                        .mechanism = m,
                        .system = system,
                        .graph = system->graph,
                        .dag = bg_graph_dag(system->graph),
                        .ports = ports };
    /* the outputs of the points exist already: only the elements are made again */
    for (int i = 0; i < 2; i++) {
        const char *const names[2] = { "A.P", "B.P" };
        ports[i] = (m2d__port){ .name = names[i], .body = i, .n_uses = 1 };
        const m2d__mass *mass = &system->masses.items[i];
        const m2d__point *point = &m->points.items[i];
        ha_expr c = ha_apply(x.dag, HA_OP_COS, mass->q[2], HA_EXPR_NONE, HA_EXPR_NONE);
        ha_expr s = ha_apply(x.dag, HA_OP_SIN, mass->q[2], HA_EXPR_NONE, HA_EXPR_NONE);
        ha_expr place[3] = {
            ha_add(x.dag, mass->q[0],
                   ha_sub(x.dag, ha_mul(x.dag, point->x, c), ha_mul(x.dag, point->y, s))),
            ha_add(x.dag, mass->q[1],
                   ha_add(x.dag, ha_mul(x.dag, point->x, s), ha_mul(x.dag, point->y, c))),
            ha_add(x.dag, mass->q[2], point->axis)
        };
        for (int k = 0; k < 3; k++) {
            ports[i].pose[k] = ha_symbol(x.dag, "place");
            ha_symbol_define(x.dag, ports[i].pose[k], place[k]);
            for (int j = 0; j < 3; j++) {
                ports[i].moduli[3 * k + j] = ha_partial(x.dag, place[k], mass->q[j]);
            }
        }
        ck_assert_int_eq(m2d__expand_port(&x, i), HA_OK);
    }
    m2d__frame frame = m2d__frame_of(&x, &ports[0], &ports[1], NULL);
    make(&frame, bg_graph_time(system->graph), rows);
    m2d__rowset set = { .name = "J", .ends = { &ports[0], &ports[1] }, .n = n, .rows = rows };
    ck_assert_int_eq(m2d__expand_rows(&x, &set), HA_OK);
    for (int k = 0; k < n; k++) {
        phi[k] = rows[k].phi;
    }
    check_flows(system, pairs[0], phi, n);
    ha__arena_clear(&x.names);
    m2d_system_free(system);
}

static void length_row(const m2d__frame *f, ha_expr time, m2d__row *rows)
{
    (void) time;
    rows[0] = (m2d__row){ .label = "length", .angle = HA_EXPR_NONE };
    rows[0].phi = m2d__length(f->dag, m2d__from_to(f->dag, f->OM, f->ON));
}

static void slot_rows(const m2d__frame *f, ha_expr time, m2d__row *rows)
{
    m2d__vector MN = m2d__from_to(f->dag, f->OM, f->ON);

    (void) time;
    rows[0] = (m2d__row){ .label = "side", .phi = m2d__dot(f->dag, MN, f->y_il) };
    rows[1] = (m2d__row){ .label = "angle", .phi = m2d__dot(f->dag, f->x_jl, f->y_il) };
}

static void motion_rows(const m2d__frame *f, ha_expr time, m2d__row *rows)
{
    ha_expr motion = ha_apply(f->dag, HA_OP_SIN, time, HA_EXPR_NONE, HA_EXPR_NONE);

    rows[0] = (m2d__row){ .label = "angle", .is_angle = true, .angle = HA_EXPR_NONE };
    rows[0].phi = ha_sub(f->dag, ha_sub(f->dag, f->theta_j, f->theta_i), motion);
}

START_TEST(rows_of_a_length_have_the_right_flow)
{
    check_own_rows(length_row, 1);
}
END_TEST

START_TEST(rows_of_turning_axes_have_the_right_flow)
{
    check_own_rows(slot_rows, 2);
}
END_TEST

START_TEST(rows_that_depend_on_time_have_the_right_flow)
{
    check_own_rows(motion_rows, 1);
}
END_TEST

/* Assembly may use an angle instead of phi: where it is met phi must be zero, and have the rate of
   the angle or its negative. */
START_TEST(angle_of_assembly_vanishes_with_phi)
{
    const m2d__joint_type *type = m2d__joint_type_at((size_t) _i);
    if (type->expand != NULL) {
        return; /* it is no set of rows: test_wheel.c */
    }
    m2d_system *system = NULL;

    add_points();
    add_joint(type, "A.P", "B.P");
    ck_assert_int_eq(m2d_expand(m, &system), HA_OK);
    for (int k = 0; k < m2d_system_n_rows(system); k++) {
        const m2d__constraint *row = &system->rows.items[k];
        state s = { .system = system };
        ck_assert_int_eq(row->closed != row->phi, row->period > 0.0);
        randomise(&s);
        for (int turn = -2; turn <= 2 && row->period > 0.0; turn++) {
            s.q[5] += turn * row->period - value_of(&s, row->closed);
            ck_assert_double_eq_tol(value_of(&s, row->closed), turn * row->period, 1e-14);
            ck_assert_double_eq_tol(value_of(&s, row->phi), 0.0, 1e-14);
            ck_assert_double_eq_tol(fabs(difference(&s, row->phi)),
                                    fabs(difference(&s, row->closed)), 1e-9);
        }
    }
    m2d_system_free(system);
}
END_TEST

/* A rate of a free direction is the time derivative of its coordinate. */
START_TEST(rates_of_directions_are_derivatives)
{
    const m2d__joint_type *type = m2d__joint_type_at((size_t) _i);
    if (type->expand != NULL) {
        return; /* it is no set of rows: test_wheel.c */
    }
    m2d_system *system = NULL;
    char name[64];

    add_points();
    add_joint(type, "A.P", "B.P");
    ck_assert_int_eq(m2d_expand(m, &system), HA_OK);
    type = m->joints.items[0].joint; /* of a joint of one's own: with its directions */
    for (int k = 0; k < type->n_directions; k++) {
        state s = { .system = system };
        snprintf(name, sizeof name, "J.%s", type->directions[k].name);
        ha_expr coordinate = bg_graph_lookup(system->graph, name);
        snprintf(name, sizeof name, "J.%s", type->directions[k].rate);
        ha_expr rate = bg_graph_lookup(system->graph, name);
        randomise(&s);
        ck_assert_double_eq_tol(value_of(&s, rate), difference(&s, coordinate), 1e-9);
    }
    m2d_system_free(system);
}
END_TEST

START_TEST(joint_types_are_found_by_name)
{
    ck_assert_ptr_eq(m2d__joint_type_find("revolute"), &m2d__joint_revolute);
    ck_assert_ptr_null(m2d__joint_type_find("no such joint"));
    ck_assert_ptr_null(m2d__joint_type_at(1000));
}
END_TEST

/* The manual's page of joints is made of these. */
START_TEST(every_type_is_described)
{
    const m2d__joint_type *type = m2d__joint_type_at((size_t) _i);

    ck_assert_ptr_nonnull(type->title);
    for (int k = 0; k < type->n_rows; k++) {
        ck_assert_msg(type->formulas != NULL && type->formulas[k] != NULL, "%s, row %d", type->name,
                      k);
    }
    for (int k = 0; k < type->n_directions; k++) {
        ck_assert_msg(type->directions[k].formula != NULL, "%s, direction %d", type->name, k);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("joint");
    TCase *tests = tcase_create("joint");
    int n = 0;

    while (m2d__joint_type_at((size_t) n) != NULL) {
        n++;
    }
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, flow_at_the_sink_is_the_rate_of_phi, 0, n * (int) HA_COUNT(pairs));
    tcase_add_loop_test(tests, angle_of_assembly_vanishes_with_phi, 0, n);
    tcase_add_loop_test(tests, rates_of_directions_are_derivatives, 0, n);
    tcase_add_loop_test(tests, every_type_is_described, 0, n);
    tcase_add_test(tests, rows_of_a_length_have_the_right_flow);
    tcase_add_test(tests, rows_of_turning_axes_have_the_right_flow);
    tcase_add_test(tests, rows_that_depend_on_time_have_the_right_flow);
    tcase_add_test(tests, joint_types_are_found_by_name);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
