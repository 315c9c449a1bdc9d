/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bond graph of a mechanism: names, bonds, matrices, outputs. */
#include <config.h>

#include "mech2d/system.h"

#include "mech2d/expand/system_priv.h"
#include "tests/unit/mech2d/scenes.h"
#include "tests/util/memory.h"
#include "tests/util/util.h"

#include <check.h>
#include <stdlib.h>

static ha_ctx *ctx;
static m2d_mechanism *m;
static m2d_system *s;
static bg_graph *g;

static void set_up(void)
{
    ctx = ha_ctx_new();
    m = m2d_mechanism_new(ctx);
    ck_assert_ptr_nonnull(m);
    s = NULL;
}

static void tear_down(void)
{
    m2d_system_free(s);
    m2d_mechanism_free(m);
    ha_ctx_free(ctx);
}

/* Expands and frees the mechanism, which the system must not need. */
static void expand(void)
{
    ha_status status = m2d_expand(m, &s);

    ck_assert_msg(status == HA_OK, "%s",
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "no diagnostic");
    g = m2d_system_graph(s);
    m2d_mechanism_free(m);
    m = NULL;
}

/* The elements of the graph with their types and dimensions are exactly these. */
static void expect_elements(const char *const (*elements)[2], const int *dims, size_t n)
{
    ck_assert_int_eq(bg_graph_n_elements(g), (int) n);
    for (size_t i = 0; i < n; i++) {
        bg_element e = bg_graph_find(g, elements[i][0]);
        ck_assert_msg(e >= 0, "no element `%s`", elements[i][0]);
        ck_assert_str_eq(bg_element_type_name(g, e), elements[i][1]);
        ck_assert_int_eq(bg_element_dim(g, e), dims[i]);
    }
}

/* There is one bond from `tail` to `head`, of this dimension, at these first components. */
static void expect_bond(const char *tail, const char *head, int dim, int tail_first, int head_first)
{
    int found = 0;

    for (int b = 0; b < bg_graph_n_bonds(g); b++) {
        if (strcmp(bg_element_name(g, bg_bond_tail(g, b)), tail) == 0 &&
            strcmp(bg_element_name(g, bg_bond_head(g, b)), head) == 0) {
            found++;
            ck_assert_int_eq(bg_bond_dim(g, b), dim);
            ck_assert_int_eq(bg_bond_tail_first(g, b), tail_first);
            ck_assert_int_eq(bg_bond_head_first(g, b), head_first);
        }
    }
    ck_assert_msg(found == 1, "%d bonds %s > %s", found, tail, head);
}

/* Value of a resolved expression with all angles `angle` and every other symbol 0. */
static double with_angle(void *user, ha_expr symbol)
{
    const double *angle = user;

    for (size_t i = 0; i < s->masses.count; i++) {
        if (symbol == s->masses.items[i].q[2]) {
            return *angle;
        }
    }
    return 0.0;
}

static void expect_matrix(const char *name, double angle, const double *values, int n)
{
    bg_element e = bg_graph_find(g, name);

    ck_assert_int_eq(bg_element_n_values(g, e), n);
    for (int i = 0; i < n; i++) {
        ha_expr value = HA_EXPR_NONE;
        ck_assert_int_eq(ha_resolve(bg_graph_dag(g), bg_element_value(g, e, i), &value), HA_OK);
        ck_assert_double_eq_tol(ha_expr_value(bg_graph_dag(g), value, with_angle, &angle),
                                values[i], 1e-15);
    }
}

static void add_setting_force(const char *type, const char *name, const char *first,
                              const char *second, const m2d_setting *settings, int n)
{
    m2d_force_def def = m2d_force_def_default();

    def.type = type;
    def.name = name;
    def.ends[0] = first;
    def.ends[1] = second;
    def.settings = settings;
    def.n_settings = n;
    ck_assert_int_eq(m2d_mechanism_add_force(m, &def), HA_OK);
}

START_TEST(empty_mechanism_gives_an_empty_graph)
{
    expand();
    ck_assert_int_eq(bg_graph_n_elements(g), 0);
    ck_assert_int_eq(m2d_system_n_rows(s), 0);
}
END_TEST

START_TEST(free_body_has_its_inertias_coordinates_and_weight)
{
    static const char *const elements[][2] = {
        { "K1", "I" }, { "K1.1", "1" }, { "K1.position", "Df" }, { "K1.weight", "Se" }
    };
    static const int dims[] = { 3, 3, 3, 2 };

    ck_assert_int_eq(scene_body(m, "K1", 2.0, 3.0, 0.5, false), HA_OK);
    ck_assert_int_eq(scene_point(m, "K1", "unused", 1.0, 1.0), HA_OK);
    expand();
    expect_elements(elements, dims, HA_COUNT(elements));
    expect_bond("K1.1", "K1", 3, 0, 0);
    expect_bond("K1.1", "K1.position", 3, 0, 0);
    expect_bond("K1.weight", "K1.1", 2, 0, 0);
    expect_matrix("K1", 0.0, (const double[]){ 2.0, 2.0, 3.0 }, 3);
    expect_matrix("K1.weight", 0.0, (const double[]){ 0.0, -19.62 }, 2);
    ck_assert_str_eq(bg_element_component(g, bg_graph_find(g, "K1"), 2), "K1.angle");
    ck_assert_str_eq(bg_element_group(g, bg_graph_find(g, "K1.weight")), "K1");
}
END_TEST

START_TEST(weight_is_left_out_where_there_is_none)
{
    m2d_body_def def = m2d_body_def_default();

    ck_assert_int_eq(scene_body(m, "K1", 0.0, 3.0, 0.0, false), HA_OK);
    def.name = "K2";
    def.mass = def.inertia = scene_number(m, 1.0);
    def.gravity[0] = def.gravity[1] = scene_number(m, 0.0);
    ck_assert_int_eq(m2d_mechanism_add_body(m, &def), HA_OK);
    def.name = "K3";
    def.gravity[0] = scene_number(m, 3.0);
    ck_assert_int_eq(m2d_mechanism_add_body(m, &def), HA_OK);
    expand();
    ck_assert_int_lt(bg_graph_find(g, "K1.weight"), 0);
    ck_assert_int_lt(bg_graph_find(g, "K2.weight"), 0);
    expect_matrix("K3.weight", 0.0, (const double[]){ 3.0, 0.0 }, 2);
}
END_TEST

START_TEST(pendulum_has_a_transport_and_a_joint)
{
    static const char *const elements[][2] = {
        { "K1", "I" },         { "K1.1", "1" }, { "K1.position", "Df" },
        { "K1.weight", "Se" }, { "O", "Re" },   { "K1.O.transport", "MTF" },
        { "O.N", "MTF" },      { "O.0", "0" },
    };
    static const int dims[] = { 3, 3, 3, 2, 2, 3, 3, 2 };
    const double x = -0.3, y = 0.1, a = 0.7;

    ck_assert_int_eq(scene_body(m, "K1", 2.0, 3.0, 0.5, false), HA_OK);
    ck_assert_int_eq(scene_point(m, "K1", "O", x, y), HA_OK);
    ck_assert_int_eq(scene_point(m, "ground", "O", 1.0, 2.0), HA_OK);
    ck_assert_int_eq(scene_joint(m, "revolute", "O", "ground.O", "K1.O"), HA_OK);
    expand();
    expect_elements(elements, dims, HA_COUNT(elements));
    expect_bond("K1.1", "K1.O.transport", 3, 0, 0);
    expect_bond("K1.O.transport", "O.N", 3, 0, 0);
    expect_bond("O.N", "O.0", 2, 0, 0);
    expect_bond("O.0", "O", 2, 0, 0);
    expect_matrix("K1.O.transport", a,
                  (const double[]){ 1.0, 0.0, -(x * sin(a) + y * cos(a)), 0.0, 1.0,
                                    x * cos(a) - y * sin(a), 0.0, 0.0, 1.0 },
                  9);
    expect_matrix("O.N", a, (const double[]){ 1.0, 0.0, 0.0, 0.0, 1.0, 0.0 }, 6);
    ck_assert_int_eq(m2d_system_n_bodies(s), 1);
    ck_assert_int_eq(m2d_system_n_joints(s), 1);
    ck_assert_int_eq(m2d_system_n_rows(s), 2);
    ck_assert_str_eq(m2d_system_row_name(s, 1), "O.y");
    ck_assert_str_eq(m2d_system_row_joint(s, 1), "O");
    ck_assert_str_eq(m2d_system_row_unit(s, 1), "m");
}
END_TEST

START_TEST(point_at_the_mass_centre_needs_no_transport)
{
    ck_assert_int_eq(scene_body(m, "K1", 2.0, 3.0, 0.0, false), HA_OK);
    ck_assert_int_eq(scene_point(m, "K1", "C", 0.0, 0.0), HA_OK);
    ck_assert_int_eq(scene_point(m, "ground", "O", 0.0, 0.0), HA_OK);
    ck_assert_int_eq(scene_joint(m, "revolute", "O", "K1.C", "ground.O"), HA_OK);
    expand();
    ck_assert_int_lt(bg_graph_find(g, "K1.C.transport"), 0);
    expect_bond("K1.1", "O.M", 3, 0, 0);
    expect_matrix("O.M", 0.3, (const double[]){ -1.0, 0.0, 0.0, 0.0, -1.0, 0.0 }, 6);
}
END_TEST

START_TEST(point_with_two_users_has_a_junction)
{
    ck_assert_int_eq(scene_andrews(m, andrews_start), HA_OK);
    expand();
    ck_assert_int_ge(bg_graph_find(g, "K2.E.1"), 0);
    ck_assert_int_lt(bg_graph_find(g, "K3.E.1"), 0);
    expect_bond("K2.E.transport", "K2.E.1", 3, 0, 0);
    expect_bond("K2.E.1", "E3.M", 3, 0, 0);
    expect_bond("K2.E.1", "E6.M", 3, 0, 0);
    expect_bond("K3.E.transport", "E3.N", 3, 0, 0);
    expect_bond("K3.D.transport", "spring.M", 3, 0, 0);
    expect_bond("spring.0", "spring", 1, 0, 0);
    expect_bond("drive", "K1.1", 1, 0, 2);
    ck_assert_int_lt(bg_graph_find(g, "K1.weight"), 0);
}
END_TEST

START_TEST(loads_act_on_the_junction_of_their_point)
{
    ha_expr values[3] = { scene_number(m, 1.0), scene_number(m, 2.0), m2d_mechanism_time(m) };
    const m2d_setting two = { "value", values, 2, HA_NOWHERE };
    const m2d_setting three = { "value", values, 3, HA_NOWHERE };

    ck_assert_int_eq(scene_body(m, "K1", 2.0, 3.0, 0.0, false), HA_OK);
    ck_assert_int_eq(scene_point(m, "K1", "P", 1.0, 0.0), HA_OK);
    ck_assert_int_eq(scene_point(m, "K1", "C", 0.0, 0.0), HA_OK);
    add_setting_force("force", "F", "K1.P", NULL, &two, 1);
    add_setting_force("wrench", "W", "K1.C", NULL, &three, 1);
    expand();
    expect_bond("K1.P.transport", "K1.P.1", 3, 0, 0);
    expect_bond("F", "K1.P.1", 2, 0, 0);
    expect_bond("W", "K1.1", 3, 0, 0);
    ck_assert_str_eq(bg_element_component(g, bg_graph_find(g, "F"), 1), "F.y");
    ck_assert_int_ne(bg_graph_lookup(g, "F.x.f"), HA_EXPR_NONE);
}
END_TEST

/* A spring-damper between K1.P and the ground with these settings. */
static void add_spring(double stiffness, double damping)
{
    const ha_expr values[2] = { scene_number(m, stiffness), scene_number(m, damping) };
    const m2d_setting settings[2] = { { "stiffness", &values[0], 1, HA_NOWHERE },
                                      { "damping", &values[1], 1, HA_NOWHERE } };

    ck_assert_int_eq(scene_body(m, "K1", 2.0, 3.0, 0.0, false), HA_OK);
    ck_assert_int_eq(scene_point(m, "K1", "P", 1.0, 0.0), HA_OK);
    ck_assert_int_eq(scene_point(m, "ground", "O", 0.0, 0.0), HA_OK);
    add_setting_force("spring-damper", "S", "ground.O", "K1.P", settings, 2);
    expand();
}

START_TEST(spring_and_damper_share_a_junction)
{
    add_spring(4.0, 2.0);
    expect_bond("S.N", "S.0", 1, 0, 0);
    expect_bond("S.0", "S.1", 1, 0, 0);
    expect_bond("S.1", "S.C", 1, 0, 0);
    expect_bond("S.1", "S.R", 1, 0, 0);
    expect_matrix("S.C", 0.0, (const double[]){ 0.25 }, 1);
    expect_matrix("S.R", 0.0, (const double[]){ 2.0 }, 1);
    ck_assert_int_lt(bg_graph_find(g, "S"), 0);
}
END_TEST

START_TEST(damper_alone_has_the_name)
{
    add_spring(0.0, 2.0);
    expect_bond("S.0", "S", 1, 0, 0);
    ck_assert_str_eq(bg_element_type_name(g, bg_graph_find(g, "S")), "R");
    ck_assert_int_lt(bg_graph_find(g, "S.1"), 0);
}
END_TEST

START_TEST(spring_without_stiffness_and_damping_adds_nothing)
{
    add_spring(0.0, 0.0);
    ck_assert_int_lt(bg_graph_find(g, "S.0"), 0);
    ck_assert_int_lt(bg_graph_find(g, "K1.P.transport"), 0);
}
END_TEST

START_TEST(outputs_have_their_names)
{
    static const char *const names[] = {
        "K1.x",     "K1.y",     "K1.angle", "K1.vx",   "K1.vy",   "K1.omega", "K1.ax",
        "K1.ay",    "K1.alpha", "K3.D.x",   "K3.D.y",  "K3.D.vx", "K3.D.vy",  "K3.D.ax",
        "K3.D.ay",  "H.angle",  "H.omega",  "H.fx",    "H.fy",    "H.torque", "A5.fx",
        "spring.e", "spring.f", "spring.q", "drive.e", "drive.f",
    };

    ck_assert_int_eq(scene_andrews(m, andrews_start), HA_OK);
    expand();
    for (size_t i = 0; i < HA_COUNT(names); i++) {
        ck_assert_msg(ha__symtab_find(&s->outputs, names[i], strlen(names[i])) >= 0, "no `%s`",
                      names[i]);
        ck_assert_int_ne(bg_graph_lookup(g, names[i]), HA_EXPR_NONE);
    }
}
END_TEST

START_TEST(names_in_expressions_get_their_meaning)
{
    ha_expr angle = m2d_mechanism_lookup(m, "K1.angle");
    const m2d_setting setting = { "value", &angle, 1, HA_NOWHERE };
    ha_expr found = HA_EXPR_NONE;

    ck_assert_int_eq(scene_body(m, "K1", 2.0, 3.0, 0.0, false), HA_OK);
    add_setting_force("torque", "T", "K1", NULL, &setting, 1);
    expand();
    ck_assert_int_eq(
        ha_resolve(bg_graph_dag(g), bg_element_value(g, bg_graph_find(g, "T"), 0), &found), HA_OK);
    ck_assert_int_eq(found, s->masses.items[0].q[2]);
}
END_TEST

START_TEST(unknown_names_in_expressions_are_reported_at_their_place)
{
    ha_expr angle = m2d_mechanism_lookup_at(m, "K1.angel", (ha_where){ "model.yaml", 5, 7 });
    const m2d_setting setting = { "value", &angle, 1, HA_NOWHERE };

    ck_assert_int_eq(scene_body(m, "K1", 2.0, 3.0, 0.0, false), HA_OK);
    add_setting_force("torque", "T", "K1", NULL, &setting, 1);
    ck_assert_int_eq(m2d_expand(m, &s), HA_ERR_NAME);
    ck_assert_ptr_null(s);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "did you mean `K1.angle`"));
    ck_assert_str_eq(ha_ctx_diag(ctx, 0)->where.file, "model.yaml");
    ck_assert_int_eq(ha_ctx_diag(ctx, 0)->where.line, 5);
}
END_TEST

START_TEST(jacobian_agrees_with_differences)
{
    const double h = 1e-6;
    double *work[2], q[21], plus[32], minus[32], values[256];

    ck_assert_int_eq(scene_andrews(m, andrews_start), HA_OK);
    expand();
    ck_assert_uint_lt(s->n_entries, HA_COUNT(values) - 20);
    work[0] = calloc(ha__tape_work_size(s->position), sizeof(double));
    work[1] = calloc(ha__tape_work_size(s->velocity), sizeof(double));
    ha__tape_prepare(s->position, work[0]);
    ha__tape_prepare(s->velocity, work[1]);
    for (int j = 0; j < 21; j++) {
        q[j] = 0.01 * j + (j % 3 == 2 ? sin(j) : 0.0);
        work[1][j] = q[j];
    }
    ha__tape_run(s->velocity, work[1], values);
    for (int j = 0; j < 21; j++) {
        double column[20] = { 0.0 };
        for (int64_t k = s->column_start[j]; k < s->column_start[j + 1]; k++) {
            column[s->entry_row[k]] = values[k];
        }
        memcpy(work[0], q, sizeof q);
        work[0][j] = q[j] + h;
        ha__tape_run(s->position, work[0], plus);
        work[0][j] = q[j] - h;
        ha__tape_run(s->position, work[0], minus);
        for (int i = 0; i < 20; i++) {
            ck_assert_double_eq_tol(column[i], (plus[i] - minus[i]) / (2.0 * h), 1e-9);
        }
    }
    free(work[0]);
    free(work[1]);
}
END_TEST

static ha_status expand_again(void *user)
{
    m2d_system *system = NULL;
    ha_status status = m2d_expand(user, &system);

    ck_assert((system != NULL) == (status == HA_OK));
    m2d_system_free(system);
    return status;
}

START_TEST(every_failing_allocation_is_survived)
{
    ha_ctx *own = ha_ctx_new();
    m2d_mechanism *mechanism = m2d_mechanism_new(own);

    ck_assert_int_eq(scene_andrews(mechanism, andrews_start), HA_OK);
    memory_survives(own, 50, expand_again, mechanism);
    m2d_mechanism_free(mechanism);
    ha_ctx_free(own);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("expand");
    TCase *tests = tcase_create("expand");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, empty_mechanism_gives_an_empty_graph);
    tcase_add_test(tests, free_body_has_its_inertias_coordinates_and_weight);
    tcase_add_test(tests, weight_is_left_out_where_there_is_none);
    tcase_add_test(tests, pendulum_has_a_transport_and_a_joint);
    tcase_add_test(tests, point_at_the_mass_centre_needs_no_transport);
    tcase_add_test(tests, point_with_two_users_has_a_junction);
    tcase_add_test(tests, loads_act_on_the_junction_of_their_point);
    tcase_add_test(tests, spring_and_damper_share_a_junction);
    tcase_add_test(tests, damper_alone_has_the_name);
    tcase_add_test(tests, spring_without_stiffness_and_damping_adds_nothing);
    tcase_add_test(tests, outputs_have_their_names);
    tcase_add_test(tests, names_in_expressions_get_their_meaning);
    tcase_add_test(tests, unknown_names_in_expressions_are_reported_at_their_place);
    tcase_add_test(tests, jacobian_agrees_with_differences);
    tcase_add_test(tests, every_failing_allocation_is_survived);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
