/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reactions A <-> B <-> C by mass action, which come to rest in the equilibrium. With the chemical
 * potentials and energies
 *
 *     mu_i = ln(K_i q_i),  E = sum of q_i (ln(K_i q_i) - 1)
 *
 * amounts are then q_i = n / (K_i (1/K_A + 1/K_B + 1/K_C)), n their sum, and all of E that is lost
 * is dissipated. E is given by the effort or as the energy itself, which is many times what is lost
 * where the start is near the equilibrium.
 */
#include <config.h>

#include "tests/unit/bondgraph/simulated.h"

#include <check.h>
#include <math.h>
#include <stdio.h>

enum { SPECIES = 3, N_DRIVERS = 4 };

static const char *const names[SPECIES] = { "A.q", "B.q", "C.q" };
static const double K[SPECIES] = { 2.0, 1.0, 0.5 };
static const ha_driver drivers[N_DRIVERS] = { HA_DRIVER_IDA, HA_DRIVER_EXPLICIT,
                                              HA_DRIVER_EXPLICIT8, HA_DRIVER_AUTO };

#define STORAGES_BY_EFFORT                                                                         \
    "0a>C_A{e=log(2*q),q=%.17g}; 0b>C_B{e=log(q),q=%.17g}; 0c>C_C{e=log(q/2),q=%.17g}; "
#define STORAGES_BY_ENERGY                                                                         \
    "0a>C_A{energy=q*(log(2*q)-1),q=%.17g}; 0b>C_B{energy=q*(log(q)-1),q=%.17g}; "                 \
    "0c>C_C{energy=q*(log(q/2)-1),q=%.17g}; "
#define REACTIONS                                                                                  \
    "0a>1ab>0b; 1ab>R_AB{f=3*(exp(C_A.e)-exp(C_A.e-e))}; "                                         \
    "0b>1bc>0c; 1bc>R_BC{f=3*(exp(C_B.e)-exp(C_B.e-e))}"

static double energy(const double *q)
{
    double sum = 0.0;

    for (int i = 0; i < SPECIES; i++) {
        sum += q[i] * (log(K[i] * q[i]) - 1.0);
    }
    return sum;
}

static const struct {
    double q[SPECIES];
    double rtol;
    double error; /* of what is dissipated beside it */
} starts[] = { { { 1.0, 1.0, 1.0 }, 1e-6, 1e-4 },
               { { 1e4, 2.0, 0.1 }, 1e-6, 1e-4 },
               { { 1e4, 2e4, 4.1e4 }, 1e-6, 1e-2 },
               { { 1e4, 2e4, 4.1e4 }, 1e-9, 1e-4 } };

enum { N_STARTS = HA_COUNT(starts) };

START_TEST(what_reactions_lose_is_dissipated)
{
    const int start = _i % N_STARTS;
    const double *q = starts[start].q, n = q[0] + q[1] + q[2];
    double end[SPECIES];
    bg_run_options options = bg_run_options_default();
    bg_run_report report;
    char text[1000];

    snprintf(text, sizeof text,
             _i / N_STARTS % 2 == 0 ? STORAGES_BY_EFFORT REACTIONS : STORAGES_BY_ENERGY REACTIONS,
             q[0], q[1], q[2]);
    read_text(text);
    options.solver.t_end = 10.0;
    options.solver.rtol = starts[start].rtol;
    options.solver.driver = drivers[_i / N_STARTS / 2];
    ck_assert_int_eq(bg_simulate(graph, &options, result, &report), HA_OK);
    for (int i = 0; i < SPECIES; i++) {
        char name[16];
        snprintf(name, sizeof name, "C_%s", names[i]);
        end[i] = n / (K[i] * 3.5);
        ck_assert_double_eq_tol(last(name) / end[i], 1.0, 10.0 * starts[start].rtol);
    }
    double lost = energy(q) - energy(end);
    ck_assert_double_eq_tol(last("energy.dissipated") / lost, 1.0, starts[start].error);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("reactions");
    TCase *tests = tcase_create("reactions");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, what_reactions_lose_is_dissipated, 0, 2 * N_STARTS * N_DRIVERS);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
