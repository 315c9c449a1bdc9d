/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mechanisms: what can be added, what is refused and how, names in expressions. */
#include <config.h>

#include "mech2d/mechanism.h"

#include "tests/unit/mech2d/scenes.h"
#include "tests/util/memory.h"
#include "tests/util/util.h"

#include <check.h>

static ha_ctx *ctx;
static m2d_mechanism *m;

static void set_up(void)
{
    ctx = ha_ctx_new();
    m = m2d_mechanism_new(ctx);
    ck_assert_ptr_nonnull(m);
}

static void tear_down(void)
{
    m2d_mechanism_free(m);
    ha_ctx_free(ctx);
}

/* The call failed so, with one diagnostic that says this. */
static void expect(ha_status found, ha_status wanted, const char *part)
{
    ck_assert_int_eq(found, wanted);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
    ck_assert_msg(strstr(ha_ctx_diag(ctx, 0)->text, part) != NULL, "`%s` lacks `%s`",
                  ha_ctx_diag(ctx, 0)->text, part);
    ha_ctx_clear(ctx);
}

static void add_two_bodies(void)
{
    ck_assert_int_eq(scene_body(m, "K1", 1.0, 1.0, 0.0, false), HA_OK);
    ck_assert_int_eq(scene_body(m, "K2", 1.0, 1.0, 0.0, false), HA_OK);
    ck_assert_int_eq(scene_point(m, "K1", "A", 1.0, 2.0), HA_OK);
    ck_assert_int_eq(scene_point(m, "K1", "B", 0.0, 0.0), HA_OK);
    ck_assert_int_eq(scene_point(m, "K2", "A", 0.0, 0.0), HA_OK);
    ck_assert_int_eq(scene_point(m, "ground", "O", 0.0, 0.0), HA_OK);
}

START_TEST(empty_mechanism_has_nothing)
{
    ck_assert_int_eq(m2d_mechanism_n_bodies(m), 0);
    ck_assert_int_eq(m2d_mechanism_n_joints(m), 0);
    ck_assert_int_eq(m2d_mechanism_n_forces(m), 0);
    ck_assert_int_eq(m2d_mechanism_n_points(m), 0);
    ck_assert_int_eq(m2d_mechanism_n_parameters(m), 0);
}
END_TEST

START_TEST(what_was_added_can_be_asked)
{
    double place[3];

    ck_assert_int_eq(scene_andrews(m, andrews_start), HA_OK);
    ck_assert_int_eq(m2d_mechanism_n_bodies(m), 7);
    ck_assert_int_eq(m2d_mechanism_n_joints(m), 10);
    ck_assert_int_eq(m2d_mechanism_n_forces(m), 2);
    ck_assert_str_eq(m2d_body_name(m, 2), "K3");
    ck_assert_str_eq(m2d_body_name(m, -1), "ground");
    ck_assert_str_eq(m2d_joint_name(m, 4), "E6");
    ck_assert_str_eq(m2d_joint_type_name(m, 4), "revolute");
    ck_assert_str_eq(m2d_point_name(m, m2d_joint_end(m, 4, 0)), "K2.E");
    ck_assert_str_eq(m2d_point_name(m, m2d_joint_end(m, 4, 1)), "K6.E");
    ck_assert_str_eq(m2d_force_name(m, 0), "spring");
    ck_assert_str_eq(m2d_force_type_name(m, 1), "torque");
    ck_assert_int_eq(m2d_force_end(m, 1, 0), -1);
    ck_assert_int_eq(m2d_point_body(m, m2d_force_end(m, 0, 1)), -1);
    m2d_point_pose(m, m2d_force_end(m, 0, 1), place);
    ck_assert_double_eq(place[0], 0.014);
    ck_assert_double_eq(place[1], 0.072);
    ck_assert_double_eq(place[2], 0.0);
}
END_TEST

START_TEST(names_are_checked)
{
    add_two_bodies();
    expect(scene_body(m, "K1", 1.0, 1.0, 0.0, false), HA_ERR_NAME, "already that of a body");
    expect(scene_body(m, "ground", 1.0, 1.0, 0.0, false), HA_ERR_NAME, "has a meaning already");
    expect(scene_body(m, "a b", 1.0, 1.0, 0.0, false), HA_ERR_NAME, "letters");
    expect(scene_body(m, "K1.x", 1.0, 1.0, 0.0, false), HA_ERR_NAME, "letters");
    expect(scene_body(m, "1K", 1.0, 1.0, 0.0, false), HA_ERR_NAME, "letter first");
    expect(scene_body(m, "", 1.0, 1.0, 0.0, false), HA_ERR_NAME, "no name");
    expect(scene_body(m, "\xff", 1.0, 1.0, 0.0, false), HA_ERR_NAME, "letters");
    expect(scene_point(m, "K1", "A", 0.0, 0.0), HA_ERR_NAME, "given twice");
    expect(scene_point(m, "K3", "A", 0.0, 0.0), HA_ERR_NAME, "did you mean `K1`");
    expect(scene_joint(m, "revolute", "K2", "K1.A", "K2.A"), HA_ERR_NAME, "already that of a body");
    ck_assert_int_eq(scene_body(m,
                                "Pi\xc3\xa8"
                                "ce_1",
                                1.0, 1.0, 0.0, false),
                     HA_OK);
    ck_assert_int_eq(m2d_mechanism_n_bodies(m), 3);
}
END_TEST

START_TEST(bodies_need_finite_constants_of_at_least_zero)
{
    m2d_body_def def = m2d_body_def_default();

    expect(scene_body(m, "K1", -1.0, 1.0, 0.0, false), HA_ERR_VALUE, "`mass` of body `K1` is -1");
    expect(scene_body(m, "K1", 1.0, -0.5, 0.0, false), HA_ERR_VALUE, "`inertia`");
    expect(scene_body(m, "K1", (double) NAN, 1.0, 0.0, false), HA_ERR_VALUE, "not finite");
    expect(scene_body(m, "K1", 1.0, (double) INFINITY, 0.0, false), HA_ERR_VALUE, "not finite");
    expect(scene_body(m, "K1", 1.0, 1.0, (double) NAN, false), HA_ERR_VALUE, "`angle`");
    def.name = "K1";
    expect(m2d_mechanism_add_body(m, &def), HA_ERR_VALUE, "has no `mass`");
    def.mass = m2d_mechanism_time(m);
    expect(m2d_mechanism_add_body(m, &def), HA_ERR_VALUE, "depends on `t`");
    def.mass = ha_div(m2d_mechanism_dag(m), scene_number(m, 1.0), scene_number(m, 0.0));
    expect(m2d_mechanism_add_body(m, &def), HA_ERR_VALUE, "not finite");
    ck_assert_int_eq(scene_body(m, "K1", 0.0, 0.0, 0.0, false), HA_OK);
}
END_TEST

START_TEST(definitions_must_come_from_their_default)
{
    m2d_body_def body = { .name = "K1" };
    m2d_point_def point = { .name = "A", .body = "ground" };
    m2d_joint_def joint = { .name = "O" };
    m2d_force_def force = { .name = "f" };

    expect(m2d_mechanism_add_body(m, &body), HA_ERR_ARGUMENT, "m2d_body_def_default");
    expect(m2d_mechanism_add_point(m, &point), HA_ERR_ARGUMENT, "m2d_point_def_default");
    expect(m2d_mechanism_add_joint(m, &joint), HA_ERR_ARGUMENT, "m2d_joint_def_default");
    expect(m2d_mechanism_add_force(m, &force), HA_ERR_ARGUMENT, "m2d_force_def_default");
}
END_TEST

START_TEST(joints_need_two_points_of_two_bodies)
{
    add_two_bodies();
    expect(scene_joint(m, "revolute", "O", "K1.A", "K1.B"), HA_ERR_VALUE, "two bodies");
    expect(scene_joint(m, "revolute", "O", "K1.A", "K1"), HA_ERR_NAME, "BODY.POINT");
    expect(scene_joint(m, "revolute", "O", "K1.A", NULL), HA_ERR_NAME, "BODY.POINT");
    expect(scene_joint(m, "revolute", "O", "K1.C", "K2.A"), HA_ERR_NAME, "no point `C`");
    expect(scene_joint(m, "revolute", "O", "K1.A", "K9.A"), HA_ERR_NAME, "body `K9`");
    expect(scene_joint(m, "screw", "O", "K1.A", "K2.A"), HA_ERR_NAME, "use one of `revolute`");
    ck_assert_int_eq(scene_joint(m, "revolute", "O", "K1.A", "K2.A"), HA_OK);
    ck_assert_int_eq(m2d_mechanism_n_joints(m), 1);
}
END_TEST

START_TEST(forces_check_their_settings)
{
    m2d_force_def def = m2d_force_def_default();
    ha_expr values[3] = { scene_number(m, -1.0), scene_number(m, 2.0), scene_number(m, 3.0) };
    m2d_setting setting = { "value", values, 1, HA_NOWHERE };

    add_two_bodies();
    def.type = "force";
    def.name = "f";
    def.ends[0] = "K1.A";
    expect(m2d_mechanism_add_force(m, &def), HA_ERR_VALUE, "has no `value`");
    def.settings = &setting;
    def.n_settings = 1;
    expect(m2d_mechanism_add_force(m, &def), HA_ERR_VALUE, "give 2");
    setting.key = "valve";
    expect(m2d_mechanism_add_force(m, &def), HA_ERR_NAME, "no setting `valve`");
    setting.key = "value";
    setting.n_values = 2;
    def.ends[0] = "ground.O";
    expect(m2d_mechanism_add_force(m, &def), HA_ERR_VALUE, "moves nothing");
    def.ends[0] = "K1.A";
    ck_assert_int_eq(m2d_mechanism_add_force(m, &def), HA_OK);

    def.type = "spring-damper";
    def.name = "s";
    def.ends[1] = "K2.A";
    setting.key = "stiffness";
    setting.n_values = 1;
    expect(m2d_mechanism_add_force(m, &def), HA_ERR_VALUE, "at least 0");
    values[0] = m2d_mechanism_time(m);
    expect(m2d_mechanism_add_force(m, &def), HA_ERR_VALUE, "depends on `t`");
}
END_TEST

START_TEST(parameters_stand_for_constants)
{
    ha_dag *dag = m2d_mechanism_dag(m);
    ha_expr a = HA_EXPR_NONE, b = HA_EXPR_NONE;

    ck_assert_int_eq(m2d_mechanism_add_parameter(m, "a", ha_constant(dag, 3.0), HA_NOWHERE, &a),
                     HA_OK);
    ck_assert_int_eq(
        m2d_mechanism_add_parameter(m, "b", ha_mul(dag, a, ha_constant(dag, 2.0)), HA_NOWHERE, &b),
        HA_OK);
    ck_assert_int_eq(m2d_mechanism_n_parameters(m), 2);
    ck_assert_str_eq(m2d_parameter_name(m, 1), "b");
    ck_assert_double_eq(m2d_parameter_value(m, 1), 6.0);
    ck_assert_int_eq(m2d_mechanism_lookup(m, "b"), b);
    expect(m2d_mechanism_add_parameter(m, "a", a, HA_NOWHERE, NULL), HA_ERR_NAME, "given twice");
    expect(m2d_mechanism_add_parameter(m, "t", a, HA_NOWHERE, NULL), HA_ERR_NAME, "meaning");
    expect(m2d_mechanism_add_parameter(m, "pi", a, HA_NOWHERE, NULL), HA_ERR_NAME, "meaning");
    expect(m2d_mechanism_add_parameter(m, "c", m2d_mechanism_time(m), HA_NOWHERE, NULL),
           HA_ERR_VALUE, "depends on `t`");
}
END_TEST

START_TEST(dotted_names_are_stand_ins)
{
    ha_expr angle = m2d_mechanism_lookup(m, "K1.angle");

    ck_assert_int_ne(angle, HA_EXPR_NONE);
    ck_assert_int_eq(m2d_mechanism_lookup(m, "K1.angle"), angle);
    ck_assert_int_ne(m2d_mechanism_lookup(m, "K1.omega"), angle);
    ck_assert_int_eq(m2d_mechanism_lookup(m, "t"), m2d_mechanism_time(m));
    ck_assert_int_eq(m2d_mechanism_lookup(m, "nothing"), HA_EXPR_NONE);
}
END_TEST

static ha_status build_andrews(void *own)
{
    m2d_mechanism *mechanism = m2d_mechanism_new(own);
    ha_status status = mechanism == NULL ? HA_ERR_MEMORY : scene_andrews(mechanism, andrews_start);

    m2d_mechanism_free(mechanism);
    return status;
}

START_TEST(every_failing_allocation_is_survived)
{
    ha_ctx *own = ha_ctx_new();

    memory_survives(own, 50, build_andrews, own);
    ha_ctx_free(own);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mechanism");
    TCase *tests = tcase_create("mechanism");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, empty_mechanism_has_nothing);
    tcase_add_test(tests, what_was_added_can_be_asked);
    tcase_add_test(tests, names_are_checked);
    tcase_add_test(tests, bodies_need_finite_constants_of_at_least_zero);
    tcase_add_test(tests, definitions_must_come_from_their_default);
    tcase_add_test(tests, joints_need_two_points_of_two_bodies);
    tcase_add_test(tests, forces_check_their_settings);
    tcase_add_test(tests, parameters_stand_for_constants);
    tcase_add_test(tests, dotted_names_are_stand_ins);
    tcase_add_test(tests, every_failing_allocation_is_survived);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
