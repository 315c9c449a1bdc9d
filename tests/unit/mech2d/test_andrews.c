/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Andrews' mechanism from model file to results, against the solution in 25 digits of a program in
 * 113-bit arithmetic: accelerations and multipliers at the dead point of the start, coordinates and
 * joint forces after 30 ms.
 */
#include <config.h>

#include "tests/unit/mech2d/run.h"
#include "tests/util/util.h"

#include <check.h>

START_TEST(accelerations_and_multipliers_at_the_dead_point)
{
    const char *const sets[] = { "simulate.t_end=0" };
    const m2d_read_def def = { .sets = sets, .n_sets = 1 };
    static const char *const still[] = { "K3.alpha", "K4.alpha", "K5.alpha", "K6.alpha",
                                         "K7.alpha" };
    run r = run_file("examples/andrews.yaml", &def);

    ck_assert_int_eq(bg_causality_class(r.causality), BG_IMPLICIT_CONSTRAINTS);
    ck_assert_int_eq(bg_causality_count(r.causality, BG_IMPLICIT), 20);
    ck_assert_int_eq(bg_model_n_unknowns(r.compiled), 62);
    run_expect(&r, "K1.alpha", 14222.4439199541138705911625887, 1e-12);
    run_expect(&r, "K2.alpha", 14222.4439199541138705911625887 - 10666.8329399655854029433719415,
               1e-12);
    run_expect(&r, "E3.fx", 98.5668703962410896057654982170, 1e-12);
    run_expect(&r, "E3.fy", -6.12268834425566265503114393122, 1e-12);
    for (size_t i = 0; i < HA_COUNT(still); i++) {
        ck_assert_double_eq_tol(run_last(&r, still[i]), 0.0, 1e-7); /* of 1e4 rad/s2 */
    }
    run_expect(&r, "spring.e", -114.054, 1e-5);
    run_end(&r);
}
END_TEST

START_TEST(six_digits_at_a_tolerance_of_1e_8)
{
    run r = run_file("examples/andrews.yaml", NULL);

    run_expect(&r, "K1.angle", 15.81077119515370709711939, 1e-6);
    run_expect(&r, "H.angle", -15.75637105841183946972775, 1e-6);
    run_expect(&r, "K3.angle", 0.04082224011964580485828232, 1e-6);
    run_expect(&r, "F.angle", 0.5347301163420795937701850, 1e-6);
    run_expect(&r, "K5.angle", 0.5244099658799540693716558, 1e-6);
    run_expect(&r, "G.angle", -0.5347301163420795937701850, 1e-6);
    run_expect(&r, "K7.angle", 1.048080741041937873068515, 1e-6);
    run_end(&r);
}
END_TEST

START_TEST(eight_digits_at_a_tolerance_of_1e_10)
{
    static const struct {
        const char *name;
        double value;
    } forces[] = {
        { "O.fx", 332.628490706 }, { "O.fy", 22.673053595 },   { "H.fx", 281.298221731 },
        { "H.fy", 16.391923520 },  { "E3.fx", 199.175348105 }, { "E3.fy", -29.755309975 },
        { "E4.fx", 23.066543612 }, { "E4.fy", 31.452725276 },  { "E6.fx", 22.642494786 },
        { "E6.fy", 11.617392353 }, { "B.fx", -28.770273835 },  { "B.fy", 172.413296976 },
        { "F.fx", 1.583570879 },   { "F.fy", 27.589789433 },   { "G.fx", -1.506953909 },
        { "G.fy", 8.954126088 },   { "A5.fx", -24.584870691 }, { "A5.fy", -9.421042937 },
        { "A7.fx", 6.920886972 },  { "A7.fy", -4.416604461 }
    };
    const char *const sets[] = { "simulate.rtol=1e-10", "simulate.atol=1e-10" };
    const m2d_read_def def = { .sets = sets, .n_sets = 2 };
    run r = run_file("examples/andrews.yaml", &def);

    run_expect(&r, "K1.angle", 15.81077119515370709711939, 1e-8);
    run_expect(&r, "H.angle", -15.75637105841183946972775, 1e-8);
    run_expect(&r, "K5.angle", 0.5244099658799540693716558, 1e-8);
    run_expect(&r, "K7.angle", 1.048080741041937873068515, 1e-8);
    run_expect(&r, "K1.omega", 1139.920302259106064198097, 1e-8);
    run_expect(&r, "K1.alpha", -24631.76312287463447005080, 1e-6);
    for (size_t i = 0; i < HA_COUNT(forces); i++) {
        run_expect(&r, forces[i].name, forces[i].value, 1e-6);
    }
    run_expect(&r, "energy.kinetic", 1.50894973390353, 1e-8);
    run_expect(&r, "energy.supplied", 0.523792007810544, 1e-8);
    ck_assert_double_le(r.report.energy_error, 1e-8);
    ck_assert_double_le(r.report.constraint_error, 1e-9);
    run_end(&r);
}
END_TEST

/* A speed that goes through 0, and with it what it may be off by, makes a single step short:
   nothing is singular there, and nothing is done about it. */
START_TEST(a_speed_that_goes_through_zero_is_no_singular_position)
{
    static const char *const tolerances[][2] = { { "simulate.rtol=1e-6", "simulate.atol=1e-6" },
                                                 { "simulate.rtol=1e-7", "simulate.atol=1e-7" } };
    static const char *const rates[][2] = { { "simulate.alpha=300", "simulate.beta=300" },
                                            { "simulate.alpha=500", "simulate.beta=500" } };
    const char *const sets[] = { tolerances[_i / 2][0], tolerances[_i / 2][1], rates[_i % 2][0],
                                 rates[_i % 2][1], "simulate.driver=ida" };
    const m2d_read_def def = { .sets = sets, .n_sets = HA_COUNT(sets) };
    run r = run_file("examples/andrews.yaml", &def);

    ck_assert_int_eq(r.report.solver.hops, 0);
    ck_assert_int_eq(r.report.solver.projections, 0);
    run_expect(&r, "K1.angle", 15.81077119515370709711939, _i / 2 == 0 ? 1e-3 : 1e-4);
    run_end(&r);
}
END_TEST

/* Springs in all joints, which the start does not stretch: tight tolerances call for first steps of
   next to nothing, and both methods then go the same way. */
START_TEST(compliant_joints_start_at_tight_tolerances)
{
    static const char *const drivers[] = { "simulate.driver=ida", "simulate.driver=explicit8" };
    static const struct {
        const char *name;
        double tolerance;
    } columns[] = { { "K1.angle", 1e-10 }, { "K3.omega", 1e-7 }, { "O.fx", 1e-4 } };
    run runs[2];

    for (int i = 0; i < 2; i++) {
        const char *const sets[] = { drivers[i], "simulate.rtol=1e-10", "simulate.atol=1e-12",
                                     "simulate.t_end=0.1 ms" };
        const m2d_read_def def = { .variant = "compliant", .sets = sets, .n_sets = HA_COUNT(sets) };
        runs[i] = run_file("examples/andrews.yaml", &def);
    }
    for (size_t k = 0; k < HA_COUNT(columns); k++) {
        ck_assert_double_eq_tol(run_last(&runs[0], columns[k].name),
                                run_last(&runs[1], columns[k].name), columns[k].tolerance);
    }
    run_end(&runs[0]);
    run_end(&runs[1]);
}
END_TEST

START_TEST(pendulum_swings_with_its_period)
{
    /* a rod on a hinge let go from the horizontal: there and back in 4 K(1/sqrt 2) sqrt(2 l / 3 g)
     */
    const char *const sets[] = { "simulate.t_end=2.3678419475762373*sqrt(2/3)",
                                 "simulate.rtol=1e-9", "simulate.atol=1e-9" };
    const m2d_read_def def = { .sets = sets, .n_sets = 3 };
    run r = run_file("examples/pendulum.yaml", &def);

    ck_assert_double_eq_tol(run_last(&r, "rod.angle"), 0.0, 1e-5);
    ck_assert_double_eq_tol(run_last(&r, "rod.omega"), 0.0, 1e-4);
    ck_assert_double_eq_tol(run_last(&r, "rod.alpha"), -1.5 * 9.81, 1e-3);
    run_end(&r);
}
END_TEST

START_TEST(double_pendulum_keeps_its_energy)
{
    const char *const sets[] = { "simulate.t_end=2 s" };
    const m2d_read_def def = { .sets = sets, .n_sets = 1 };
    run r = run_file("examples/double_pendulum.yaml", &def);

    ck_assert_double_le(r.report.energy_error, 1e-4);
    run_end(&r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("andrews");
    TCase *tests = tcase_create("andrews");

    tcase_add_test(tests, accelerations_and_multipliers_at_the_dead_point);
    tcase_add_test(tests, six_digits_at_a_tolerance_of_1e_8);
    tcase_add_test(tests, eight_digits_at_a_tolerance_of_1e_10);
    tcase_add_loop_test(tests, a_speed_that_goes_through_zero_is_no_singular_position, 0, 4);
    tcase_add_test(tests, compliant_joints_start_at_tight_tolerances);
    tcase_add_test(tests, pendulum_swings_with_its_period);
    tcase_add_test(tests, double_pendulum_keeps_its_energy);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
