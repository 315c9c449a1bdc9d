/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modes of mechanisms against closed forms: frequencies, shapes, rigid modes, shares of energy; and
   those of large models against the Bessel function of a heavy rope. */
#include <config.h>

#include "bondgraph/modes.h"
#include "lib/linalg/eigen.h"
#include "tests/unit/mech2d/run.h"
#include "tests/unit/mech2d/scenes.h"

#include <stdio.h>

enum { MOST_OUTPUTS = 64 };

/* A model and its modes. */
typedef struct {
    run run;
    bg_modal modal;
    bg_mode_share *shares;
    int n_shares;
} job;

static ha_status attempt(job *j, const char *text, const char *const *places, int n_places,
                         int n_lowest)
{
    run *r = &j->run;
    const char *outputs[MOST_OUTPUTS];
    char **bonds = NULL;
    int n = 0, n_bonds = 0;

    HA_TRY(m2d_read_text(r->ctx, text, strlen(text), "m.yaml", NULL, &r->model));
    HA_TRY(run_expand(r));
    HA_TRY(m2d_assemble(r->system, &r->assembly));
    HA_TRY(bg_causality_assign(m2d_system_graph(r->system), &r->causality));
    HA_TRY(bg_equations_derive(r->causality, &r->equations));
    HA_TRY(bg_equations_add_bonds(r->equations, r->causality, &n_bonds));
    HA_TRY(m2d_release_redundant(r->assembly, r->equations));
    HA_TRY(bg_mode_outputs(r->ctx, r->causality, &bonds, &n_bonds));
    for (int i = 0; i < n_places; i++) {
        outputs[n++] = places[i];
    }
    for (int i = 0; i < n_bonds && n < MOST_OUTPUTS; i++) {
        outputs[n++] = bonds[i];
    }
    HA_TRY(bg_model_compile_linear(r->equations, outputs, n, &r->compiled));
    for (int i = 0; i < n_bonds; i++) {
        free(bonds[i]);
    }
    free(bonds);
    r->start = calloc((size_t) bg_model_n_unknowns(r->compiled) + 1, sizeof *r->start);
    HA_TRY(m2d_start(r->assembly, r->compiled, r->start));
    bg_operating_point point = { .y = r->start };
    return bg_modes(r->ctx, r->compiled, &point, n_lowest, &j->modal);
}

static job modes(const char *text, const char *const *places, int n_places, int n_lowest)
{
    job j = { .run = run_new() };

    run_check(&j.run, attempt(&j, text, places, n_places, n_lowest));
    return j;
}

static void end(job *j)
{
    free(j->shares);
    bg_modal_clear(&j->modal);
    run_end(&j->run);
}

/* The deviation of an output, complex. */
static const double *deviation(const job *j, int mode, const char *name)
{
    for (int i = 0; i < j->modal.n_outputs; i++) {
        if (strcmp(j->modal.outputs[i], name) == 0) {
            return j->modal.modes[mode].outputs + 2 * i;
        }
    }
    ck_abort_msg("no output %s", name);
    return NULL;
}

/* One deviation by another; both are in phase or opposite. */
static double ratio(const job *j, int mode, const char *name, const char *other)
{
    const double *x = deviation(j, mode, name), *y = deviation(j, mode, other);

    test_near(x[1] * y[0] - x[0] * y[1], 0.0, 1e-12);
    return (x[0] * y[0] + x[1] * y[1]) / (y[0] * y[0] + y[1] * y[1]);
}

static double share(job *j, int mode, bg_mode_energy kind, const char *element)
{
    free(j->shares);
    j->shares = NULL;
    run_check(&j->run, bg_mode_shares(j->run.ctx, j->run.causality, &j->modal, mode, &j->shares,
                                      &j->n_shares));
    for (int i = 0; i < j->n_shares; i++) {
        if (j->shares[i].kind == kind && strcmp(j->shares[i].element, element) == 0) {
            return j->shares[i].share;
        }
    }
    return 0.0;
}

/* omega^2 = m g l / (I + m l^2); of the kinetic energy the turning has I / (I + m l^2). */
START_TEST(a_pendulum_has_one_mode)
{
    static const char *const places[] = { "rod.x", "rod.y", "rod.angle" };
    job j = modes("halfarrow: 1\nground: {points: {O: [0, 0]}}\n"
                  "bodies: {rod: {mass: 1, inertia: 0.0833, points: {O: [-0.5, 0]}, start: {angle: "
                  "-90 deg, fixed: [angle]}}}\n"
                  "joints: {O: {type: revolute, between: [ground.O, rod.O]}}\n",
                  places, 3, 0);

    ck_assert_int_eq(j.modal.n_modes, 1);
    ck_assert_int_eq(j.modal.n_rigid, 0);
    ck_assert(j.modal.is_equilibrium);
    test_near(j.modal.modes[0].eigenvalue[1], 3.83620537082736, 1e-12);
    test_near(ratio(&j, 0, "rod.x", "rod.angle"), 0.5, 1e-12);
    test_near(ratio(&j, 0, "rod.y", "rod.angle"), 0.0, 1e-12);
    test_near(share(&j, 0, BG_MODE_KINETIC, "rod.angle"), 0.0833 / 0.3333, 1e-12);
    test_near(share(&j, 0, BG_MODE_KINETIC, "rod.x"), 0.25 / 0.3333, 1e-12);
    test_near(share(&j, 0, BG_MODE_POTENTIAL, "rod.weight.y"), 1.0, 1e-12);
    end(&j);
}
END_TEST

/* A rod that hangs, or stands, on a torsion spring: V'' = k +- m g l. */
START_TEST(weight_holds_or_drives_away)
{
    static const struct {
        const char *angle;
        double stiffness, weight;
    } cases[] = { { "-90 deg", 3.0, 4.905 }, { "90 deg", 7.0, -4.905 } };

    for (size_t i = 0; i < HA_COUNT(cases); i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "halfarrow: 1\nground: {points: {O: [0, 0]}}\n"
                 "bodies: {rod: {mass: 1, inertia: 0.0833, points: {O: [-0.5, 0]}, start: {angle: "
                 "%s, fixed: [angle]}}}\n"
                 "joints: {O: {type: revolute, between: [ground.O, rod.O]}}\n"
                 "forces: {s: {type: spring-damper, on: O, stiffness: %g, free_angle: %s, "
                 "damping: 0.1}}\n",
                 cases[i].angle, cases[i].stiffness, cases[i].angle);
        job j = modes(text, NULL, 0, 0);
        double all = cases[i].stiffness + cases[i].weight;
        test_near(share(&j, 0, BG_MODE_POTENTIAL, "s.C"), cases[i].stiffness / all, 1e-12);
        test_near(share(&j, 0, BG_MODE_POTENTIAL, "rod.weight.y"), cases[i].weight / all, 1e-12);
        end(&j);
    }
}
END_TEST

/* A mass between two springs under tension swings across them: each holds it by T / L. */
START_TEST(springs_under_tension_hold_across)
{
    job j = modes("halfarrow: 1\ngravity: [0, 0]\n"
                  "ground: {points: {A: [-1, 0], B: [2, 0], O: {at: [0, 0], axis: 90 deg}}}\n"
                  "bodies: {m: {mass: 1, inertia: 0.1, points: {P: {at: [0, 0], axis: 90 deg}}}}\n"
                  "joints: {g: {type: translational, between: [ground.O, m.P]}}\nforces:\n"
                  "  a: {type: spring-damper, between: [ground.A, m.P], stiffness: 100, "
                  "free_length: 0.5}\n"
                  "  b: {type: spring-damper, between: [ground.B, m.P], stiffness: 50, "
                  "free_length: 1}\n",
                  NULL, 0, 0);

    test_near(j.modal.modes[0].eigenvalue[1], sqrt(75.0), 1e-12);
    test_near(share(&j, 0, BG_MODE_POTENTIAL, "a"), 50.0 / 75.0, 1e-12);
    test_near(share(&j, 0, BG_MODE_POTENTIAL, "b"), 25.0 / 75.0, 1e-12);
    end(&j);
}
END_TEST

/* Two rods of 1 m and 1 kg: V'' = g (a^2 / 2) + g (a^2 + b^2 / 2) for the angles a and b. */
START_TEST(two_weights_share_a_mode)
{
    static const char *const places[] = { "b0.angle", "b1.angle" };
    char text[1000];
    scene_chain(text, sizeof text, 2, -90, true);
    job j = modes(text, places, 2, 0);

    for (int mode = 0; mode < 2; mode++) {
        double a = 1.0, b = ratio(&j, mode, "b1.angle", "b0.angle");
        double first = 0.5 * a * a, second = a * a + 0.5 * b * b;
        test_near(share(&j, mode, BG_MODE_POTENTIAL, "b0.weight.y"), first / (first + second),
                  1e-12);
        test_near(share(&j, mode, BG_MODE_POTENTIAL, "b1.weight.y"), second / (first + second),
                  1e-12);
    }
    end(&j);
}
END_TEST

#define TWO(FIRST)                                                                                 \
    "halfarrow: 1\ngravity: [0, 0]\nground: {points: {O: [0, 0]}}\nbodies:\n"                      \
    "  a: {mass: 1, inertia: 1, points: {P: [0, 0]}, start: {x: 1, y: 0, fixed: [x]}}\n"           \
    "  b: {mass: 1, inertia: 1, points: {P: [0, 0]}, start: {x: 2, y: 0, fixed: [x]}}\n"           \
    "joints:\n  s: {type: translational, between: [ground.O, a.P]}\n"                              \
    "  s2: {type: translational, between: [ground.O, b.P]}\nforces:\n" FIRST                       \
    "  k2: {type: spring-damper, between: [a.P, b.P], stiffness: 1, free_length: 1}\n"

/* Two masses of a chain fixed at one end: 2 sin(pi / 10), 2 sin(3 pi / 10), and the shapes are in
   the golden ratio. The springs are stretched by a and by b - a. */
START_TEST(two_masses_have_their_shapes_and_shares)
{
    static const char *const places[] = { "a.x", "b.x" };
    job j = modes(TWO("  k1: {type: spring-damper, between: [ground.O, a.P], stiffness: 1, "
                      "free_length: 1}\n"),
                  places, 2, 0);
    double golden = (1.0 + sqrt(5.0)) / 2.0, pi = acos(-1.0);

    ck_assert_int_eq(j.modal.n_modes, 2);
    test_near(j.modal.modes[0].eigenvalue[1], 2.0 * sin(pi / 10.0), 1e-13);
    test_near(j.modal.modes[1].eigenvalue[1], 2.0 * sin(3.0 * pi / 10.0), 1e-13);
    test_near(ratio(&j, 0, "b.x", "a.x"), golden, 1e-12);
    test_near(ratio(&j, 1, "a.x", "b.x"), -golden, 1e-12);
    double first = 1.0, second = (golden - 1.0) * (golden - 1.0);
    test_near(share(&j, 0, BG_MODE_POTENTIAL, "k1"), first / (first + second), 1e-12);
    test_near(share(&j, 0, BG_MODE_KINETIC, "b.x"), golden * golden / (1.0 + golden * golden),
              1e-12);
    end(&j);
}
END_TEST

/* Without the first spring both move together: one rigid mode, though 0 is twice an eigenvalue. */
START_TEST(rigid_modes_are_counted_by_rank)
{
    static const char *const places[] = { "a.x", "b.x" };
    job j = modes(TWO(""), places, 2, 0);

    ck_assert_int_eq(j.modal.n_modes, 2);
    ck_assert_int_eq(j.modal.n_rigid, 1);
    test_near(j.modal.modes[0].eigenvalue[0], 0.0, 0.0);
    test_near(j.modal.modes[0].eigenvalue[1], 0.0, 0.0);
    test_near(ratio(&j, 0, "a.x", "b.x"), 1.0, 1e-12);
    test_near(j.modal.modes[1].eigenvalue[1], sqrt(2.0), 1e-12);
    end(&j);
    j = modes("halfarrow: 1\ngravity: [0, 0]\nbodies: {b: {mass: 4, inertia: 1}}\n", NULL, 0, 0);
    ck_assert_int_eq(j.modal.n_modes, 3);
    ck_assert_int_eq(j.modal.n_rigid, 3);
    end(&j);
}
END_TEST

/* A hanging chain of N links of 1 m: the limit of the lowest is j01 / 2 sqrt(g / N); the five
   lowest are found by the sparse method with 160 links and by the dense one with 140. */
START_TEST(large_models_have_their_lowest_modes)
{
    static const double bessel[] = { 2.404825557695773, 5.520078110286311, 8.653727912911012 };
    static char text[64000];

    for (int n = 140; n <= 160; n += 20) {
        scene_chain(text, sizeof text, n, -90, true);
        job j = modes(text, NULL, 0, 5);
        ck_assert_int_eq(j.modal.n_modes, 5);
        ck_assert_int_eq(j.modal.n_states, 2 * n);
        for (int k = 0; k < 3; k++) {
            double wanted = bessel[k] / 2.0 * sqrt(9.81 / n);
            test_near(j.modal.modes[k].eigenvalue[1], wanted, 1e-3 * wanted);
            test_near(j.modal.modes[k].eigenvalue[0], 0.0, 1e-11);
        }
        ck_assert_double_le(j.modal.residual, 1e-8);
        end(&j);
    }
}
END_TEST

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    double p = hypot(x[0], x[1]), q = hypot(y[0], y[1]);

    return (p > q) - (p < q);
}

/* The sparse method finds the lowest eigenvalues of A, all of which LAPACK finds: a chain of 155
   links that rubs in some joints, so that they are damped. */
START_TEST(the_sparse_method_agrees_with_the_dense_one)
{
    enum { N = 155, COUNT = 10 };
    static char text[80000];
    int at = scene_chain(text, sizeof text, N, -90, true);

    at += snprintf(text + at, sizeof text - (size_t) at, "forces:\n");
    for (int i = 1; i < N; i += 7) {
        at += snprintf(text + at, sizeof text - (size_t) at,
                       "  s%d: {type: spring-damper, on: j%d, damping: %d}\n", i, i, 20 + i);
    }
    job j = modes(text, NULL, 0, COUNT);
    bg_operating_point point = { .y = j.run.start };
    bg_linear linear = { 0 };
    run_check(&j.run, bg_linearise(j.run.ctx, j.run.compiled, &point, &linear));
    ck_assert_int_eq(linear.n_states, 2 * N);
    ck_assert_ptr_null(linear.eigenvalues);
    double *values = calloc(2 * (size_t) linear.n_states, sizeof *values);
    run_check(&j.run, ha__eigenvalues(j.run.ctx, linear.n_states, linear.a, values, NULL));
    qsort(values, (size_t) linear.n_states, 2 * sizeof *values, by_size);
    ck_assert_int_eq(j.modal.n_modes, COUNT);
    int k = 0;
    for (int i = 0; i < linear.n_states && k < COUNT; i++) {
        if (values[2 * i + 1] < 0.0) {
            continue;
        }
        const double *found = j.modal.modes[k++].eigenvalue;
        double size = hypot(values[2 * i], values[2 * i + 1]);
        test_near(found[0], values[2 * i], 1e-8 * size);
        test_near(found[1], values[2 * i + 1], 1e-8 * size);
    }
    free(values);
    bg_linear_clear(&linear);
    end(&j);
}
END_TEST

/* A bar of N free links with springs of 1 N m/rad between them: three rigid modes by the rank of
   the sparse equations, and the lowest of bending near those of a free beam, 4.73004^2
   and 7.85320^2 sqrt(EI / m L^4) with EI = m = 1 and L = N. */
START_TEST(rigid_modes_of_large_models_are_counted_by_rank)
{
    enum { N = 160 };
    static const double beam[] = { 4.730040744862704, 7.853204624095838 };
    static char text[80000];
    int at = scene_chain(text, sizeof text, N, 0, false);

    at += snprintf(text + at, sizeof text - (size_t) at, "gravity: [0, 0]\nforces:\n");
    for (int i = 1; i < N; i++) {
        at += snprintf(text + at, sizeof text - (size_t) at,
                       "  s%d: {type: spring-damper, on: j%d, stiffness: 1}\n", i, i);
    }
    job j = modes(text, NULL, 0, 6);
    ck_assert_int_eq(j.modal.n_states, 2 * (N + 2));
    ck_assert_int_eq(j.modal.n_rigid, 3);
    ck_assert_int_eq(j.modal.n_modes, 6);
    for (int k = 0; k < 3; k++) {
        test_near(hypot(j.modal.modes[k].eigenvalue[0], j.modal.modes[k].eigenvalue[1]), 0.0, 0.0);
    }
    for (int k = 0; k < 2; k++) {
        double wanted = beam[k] * beam[k] / N / N;
        test_near(j.modal.modes[3 + k].eigenvalue[1], wanted, 0.01 * wanted);
    }
    end(&j);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("modes");
    TCase *tcase = tcase_create("modes");

    tcase_add_test(tcase, a_pendulum_has_one_mode);
    tcase_add_test(tcase, weight_holds_or_drives_away);
    tcase_add_test(tcase, springs_under_tension_hold_across);
    tcase_add_test(tcase, two_weights_share_a_mode);
    tcase_add_test(tcase, two_masses_have_their_shapes_and_shares);
    tcase_add_test(tcase, rigid_modes_are_counted_by_rank);
    tcase_add_test(tcase, rigid_modes_of_large_models_are_counted_by_rank);
    tcase_add_test(tcase, large_models_have_their_lowest_modes);
    tcase_add_test(tcase, the_sparse_method_agrees_with_the_dense_one);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
