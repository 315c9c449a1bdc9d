/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Linearised mechanisms against closed forms and published numbers: constraints and stabilisation
 * are not among the states.
 */
#include <config.h>

#include "bondgraph/linearise.h"
#include "tests/unit/mech2d/run.h"
#include "tests/unit/mech2d/scenes.h"

#include <stdio.h>

/* A model and its linear form. */
typedef struct {
    run run;
    bg_linear linear;
} job;

static ha_status attempt(job *j, const char *text, const char *const *inputs, int n_inputs,
                         const char *output)
{
    run *r = &j->run;

    HA_TRY(m2d_read_text(r->ctx, text, strlen(text), "m.yaml", NULL, &r->model));
    HA_TRY(run_expand(r));
    HA_TRY(m2d_keep_parameters(m2d_model_mechanism(r->model), m2d_system_graph(r->system)));
    HA_TRY(m2d_assemble(r->system, &r->assembly));
    HA_TRY(bg_causality_assign(m2d_system_graph(r->system), &r->causality));
    HA_TRY(bg_equations_derive_with(r->causality, inputs, n_inputs, &r->equations));
    HA_TRY(m2d_release_redundant(r->assembly, r->equations));
    HA_TRY(bg_model_compile_linear(r->equations, &output, output != NULL, &r->compiled));
    r->start = calloc((size_t) bg_model_n_unknowns(r->compiled) + 1, sizeof *r->start);
    HA_TRY(m2d_start(r->assembly, r->compiled, r->start));
    bg_operating_point point = { .y = r->start };
    return bg_linearise(r->ctx, r->compiled, &point, &j->linear);
}

static job linearise(const char *text, const char *input, const char *output)
{
    job j = { .run = run_new() };

    run_check(&j.run, attempt(&j, text, &input, input != NULL, output));
    return j;
}

static void end(job *j)
{
    bg_linear_clear(&j->linear);
    run_end(&j->run);
}

/* A rod of 1 kg and 0.0833 kg.m2, hinged 0.5 m from its centre. */
#define ROD(START, JOINT)                                                                          \
    "halfarrow: 1\nground: {points: {O: [0, 0]}}\n"                                                \
    "bodies: {rod: {mass: 1, inertia: 0.0833, points: {O: [-0.5, 0]}, start: {angle: " START       \
    ", fixed: [angle]}}}\njoints: {O: {type: revolute, between: [ground.O, rod.O]" JOINT "}}\n"

/* omega^2 = m g l / (I + m l^2) */
START_TEST(a_pendulum_swings_at_its_frequency)
{
    job j = linearise(ROD("-90 deg", ""), NULL, NULL);

    ck_assert_int_eq(j.linear.n_states, 2);
    ck_assert_int_eq(j.linear.n_positions, 1);
    ck_assert_int_eq(j.linear.rank, 4);
    ck_assert(j.linear.is_equilibrium);
    test_near(j.linear.eigenvalues[0], 0.0, 1e-13);
    test_near(j.linear.eigenvalues[1], 3.83620537082736, 1e-13);
    ck_assert_double_le(j.linear.residual, 1e-13);
    end(&j);
}
END_TEST

START_TEST(upside_down_it_falls_at_the_same_rate)
{
    job j = linearise(ROD("90 deg", ""), NULL, NULL);

    ck_assert(j.linear.is_equilibrium);
    test_near(fabs(j.linear.eigenvalues[0]), 3.83620537082736, 1e-13);
    test_near(j.linear.eigenvalues[0] + j.linear.eigenvalues[2], 0.0, 1e-13);
    test_near(j.linear.eigenvalues[1], 0.0, 0.0);
    end(&j);
}
END_TEST

START_TEST(let_go_from_horizontal_it_is_not_at_rest)
{
    job j = linearise(ROD("0 deg", ""), NULL, NULL);

    ck_assert(!j.linear.is_equilibrium);
    test_near(j.linear.acceleration, 9.81 * 0.5 / (0.0833 + 0.25), 1e-12);
    test_near(j.linear.velocity, 0.0, 0.0);
    end(&j);
}
END_TEST

/* The torque of a drive: (I + m l^2) phi'' + m g l cos(phi), about phi = 30 deg. */
START_TEST(a_prescribed_motion_has_its_rates_as_inputs)
{
    job j = linearise(ROD("30 deg", ", motion: pi/6"), "O.drive", "O.drive");

    ck_assert_int_eq(j.linear.n_states, 0);
    ck_assert_int_eq(j.linear.n_inputs, 3);
    ck_assert_str_eq(j.linear.inputs[2], "der(der(O.drive))");
    test_near(j.linear.d[0], -9.81 * 0.5 * sin(acos(-1.0) / 6.0), 1e-12);
    test_near(j.linear.d[1], 0.0, 1e-12);
    test_near(j.linear.d[2], 0.0833 + 0.25, 1e-12);
    end(&j);
}
END_TEST

/* A hanging chain of N uniform rods of 1 m and 1 kg; the limit is a heavy rope. */
static job chain(int n)
{
    char text[8192];

    scene_chain(text, sizeof text, n, -90, true);
    return linearise(text, NULL, NULL);
}

START_TEST(two_rods_swing_at_their_frequencies)
{
    job j = chain(2);

    test_near(j.linear.eigenvalues[1], sqrt((3.0 - 6.0 / sqrt(7.0)) * 9.81), 1e-12);
    test_near(j.linear.eigenvalues[5], sqrt((3.0 + 6.0 / sqrt(7.0)) * 9.81), 1e-12);
    end(&j);
}
END_TEST

START_TEST(a_hanging_chain_of_five_has_the_published_frequencies)
{
    job j = chain(5);

    ck_assert_int_eq(j.linear.n_states, 10);
    test_near(j.linear.eigenvalues[1], 1.686220889729, 1e-11);
    test_near(j.linear.eigenvalues[5], 4.001953915505, 1e-11);
    test_near(j.linear.eigenvalues[17], 15.85080943204, 1e-10);
    end(&j);
}
END_TEST

#define ROD_OF                                                                                     \
    "halfarrow: 1\nparameters: {l: 0.5, g: 9.81}\ngravity: [0, -g]\nground: {points: {O: [0, "     \
    "0]}}\n"                                                                                       \
    "bodies: {rod: {mass: 1, inertia: 0.0833, points: {O: [-l, 0]}, start: {angle: 0.3, "          \
    "fixed: [angle]}}}\njoints: {O: {type: revolute, between: [ground.O, rod.O]}}\n"

/* phi'' = -m g l cos(phi) / (I + m l^2); the derivatives by l and g, and that of x = l cos(phi). */
START_TEST(a_parameter_is_an_input)
{
    double inertia = 0.0833 + 0.25, g = 9.81, c = cos(0.3);
    job j = linearise(ROD_OF, "l", "rod.x");

    ck_assert_int_eq(j.linear.n_states, 2);
    ck_assert_str_eq(j.linear.inputs[0], "l");
    test_near(j.linear.b[0], 0.0, 1e-13);
    test_near(j.linear.b[j.linear.n_inputs], -g * c * (0.0833 - 0.25) / (inertia * inertia), 1e-12);
    test_near(j.linear.d[0], c, 1e-13);
    end(&j);
    j = linearise(ROD_OF, "parameters.g", "rod.alpha");
    test_near(j.linear.b[j.linear.n_inputs], -0.5 * c / inertia, 1e-13);
    test_near(j.linear.d[0], -0.5 * c / inertia, 1e-13);
    end(&j);
}
END_TEST

/* A force on a free body: x'' = f / m. */
START_TEST(a_component_of_a_force_is_an_input)
{
    job j = linearise("halfarrow: 1\ngravity: [0, 0]\nbodies: {b: {mass: 4, inertia: 1, "
                      "points: {P: [0, 0]}}}\n"
                      "forces: {push: {type: force, on: b.P, value: [0, 0]}}\n",
                      "push.fx", "b.ax");

    ck_assert_int_eq(j.linear.n_states, 6);
    ck_assert_int_eq(j.linear.n_inputs, 1);
    test_near(j.linear.d[0], 0.25, 1e-15);
    end(&j);
}
END_TEST

/* With a joint that repeats another the states are the same. */
START_TEST(redundant_constraints_change_nothing)
{
    job j = linearise("halfarrow: 1\nground: {points: {O: [0, 0]}}\n"
                      "bodies: {rod: {mass: 1, inertia: 0.0833, points: {O: [-0.5, 0]}, start: "
                      "{angle: -90 deg}}}\njoints:\n"
                      "  O: {type: revolute, between: [ground.O, rod.O]}\n"
                      "  O2: {type: revolute, between: [ground.O, rod.O]}\n",
                      NULL, NULL);

    ck_assert_int_eq(j.linear.n_states, 2);
    ck_assert_int_eq(j.linear.rank, 4);
    test_near(j.linear.eigenvalues[1], 3.83620537082736, 1e-12);
    end(&j);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("linear mechanisms");
    TCase *tcase = tcase_create("linearise");

    tcase_add_test(tcase, a_pendulum_swings_at_its_frequency);
    tcase_add_test(tcase, upside_down_it_falls_at_the_same_rate);
    tcase_add_test(tcase, let_go_from_horizontal_it_is_not_at_rest);
    tcase_add_test(tcase, a_prescribed_motion_has_its_rates_as_inputs);
    tcase_add_test(tcase, two_rods_swing_at_their_frequencies);
    tcase_add_test(tcase, a_hanging_chain_of_five_has_the_published_frequencies);
    tcase_add_test(tcase, a_parameter_is_an_input);
    tcase_add_test(tcase, a_component_of_a_force_is_an_input);
    tcase_add_test(tcase, redundant_constraints_change_nothing);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
