/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The oil film of a bearing against Reynolds' equation, integrated, and against closed forms. */
#include <config.h>

#include "mech2d/forces/contact_film.h"
#include "tests/unit/mech2d/run.h"

#include <stdio.h>

enum { POINTS = 4000 };

#define HEAD "halfarrow: 1\n"

static const double mu = 0.03, R = 0.0095, c = 0.5e-3;

/* --- Reynolds' equation ------------------------------------------------------------------------
 */

/* The force on the journal at the eccentricity e and the speed v, from the pressure around it:
   of a short bearing mu L^3 v.u / h^3 per angle, of a long one from p' = 12 mu R^2 (q - integral
   v.u) / h^3 with the q that closes p. */
static void integrate(bool is_short, double L, const double e[2], const double v[2], double F[2])
{
    double d = 2.0 * M_PI / POINTS, flow = 0.0, open = 0.0;

    for (int i = 0; i < POINTS; i++) {
        double x = cos(i * d), y = sin(i * d), h = c - e[0] * x - e[1] * y;
        flow += (v[1] * x - v[0] * y) / (h * h * h); /* - integral v.u */
        open += 1.0 / (h * h * h);
    }
    F[0] = F[1] = 0.0;
    for (int i = 0; i < POINTS; i++) {
        double x = cos(i * d), y = sin(i * d), h = c - e[0] * x - e[1] * y;
        if (is_short) {
            double p = mu * L * L * L * (v[0] * x + v[1] * y) / (h * h * h);
            F[0] -= p * x * R * d;
            F[1] -= p * y * R * d;
        } else { /* - integral p u = integral p' U, U' = u */
            double rise = 12.0 * mu * R * R * (v[1] * x - v[0] * y - flow / open) / (h * h * h);
            F[0] += rise * y * L * R * d;
            F[1] -= rise * x * L * R * d;
        }
    }
}

static double at_E(void *user, ha_expr symbol)
{
    (void) symbol;
    return *(const double *) user;
}

START_TEST(the_force_of_a_film_is_the_integral_of_the_pressure_of_reynolds)
{
    static const double places[][2] = {
        { 0, 0 }, { 2e-4, 1e-4 }, { -3e-4, 3.3e-4 }, { 0, -4.8e-4 }
    };
    const double v[2] = { 0.3, -0.7 };
    ha_ctx *ctx = ha_ctx_new();
    ha_dag *dag = ha_dag_new(ctx);
    ha_expr E = ha_symbol(dag, "E");

    for (int k = 0; k < 8; k++) {
        const double *e = places[k / 2], L = 0.01;
        const m2d__film film = { mu, L,        R,
                                 c,  1e-3 * c, k % 2 == 1 ? M2D__FILM_SHORT : M2D__FILM_LONG };
        m2d__film_law law = m2d__film_law_of(dag, &film, E);
        double at = (e[0] * e[0] + e[1] * e[1]) / (c * c), F[2];
        double across = ha_expr_value(dag, law.across, at_E, &at);
        double along = ha_expr_value(dag, law.along, at_E, &at) * (e[0] * v[0] + e[1] * v[1]) / c;
        integrate(film.kind == M2D__FILM_SHORT, L, e, v, F);
        for (int i = 0; i < 2; i++) {
            ck_assert_double_eq_tol(-across * v[i] - along * e[i] / c, F[i],
                                    1e-9 * hypot(F[0], F[1]));
        }
    }
    ha_dag_free(dag);
    ha_ctx_free(ctx);
}
END_TEST

/* The pressure of a short bearing, mu L^3 v.u / h^3 per angle, where it is above 0: over the half
   circle about v. */
static void integrate_torn(double L, const double e[2], const double v[2], double F[2])
{
    double d = M_PI / POINTS, about = atan2(v[1], v[0]);

    F[0] = F[1] = 0.0;
    for (int i = 0; i <= POINTS; i++) {
        double weight = i == 0 || i == POINTS ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
        double angle = about - 0.5 * M_PI + i * d, x = cos(angle), y = sin(angle);
        double h = c - e[0] * x - e[1] * y;
        double p = mu * L * L * L * (v[0] * x + v[1] * y) / (h * h * h);
        F[0] -= weight / 3.0 * p * x * R * d;
        F[1] -= weight / 3.0 * p * y * R * d;
    }
}

/* The values of the symbols ex, ey, vx, vy. */
typedef struct {
    ha_expr symbols[4];
    double values[4];
} place;

static double at_place(void *user, ha_expr symbol)
{
    const place *at = user;

    for (int i = 0; i < 4; i++) {
        if (at->symbols[i] == symbol) {
            return at->values[i];
        }
    }
    return (double) NAN;
}

START_TEST(the_force_of_a_torn_film_is_the_integral_of_the_pressure_above_zero)
{
    static const double places[][2] = {
        { 0, 0 }, { 2e-4, 1e-4 }, { -3e-4, 3.3e-4 }, { 0, -4.8e-4 }
    };
    static const double speeds[][2] = { { 0.3, -0.7 }, { 1, 0 }, { 0, -0.01 }, { -0.3, 0.33 } };
    const double L = 0.01;
    const m2d__film film = { mu, L, R, c, 1e-3 * c, M2D__FILM_TORN };
    ha_ctx *ctx = ha_ctx_new();
    ha_dag *dag = ha_dag_new(ctx);
    place at = { { ha_symbol(dag, "ex"), ha_symbol(dag, "ey"), ha_symbol(dag, "vx"),
                   ha_symbol(dag, "vy") },
                 { 0 } };
    ha_expr K = HA_EXPR_NONE, H = HA_EXPR_NONE;

    m2d__film_torn(dag, &film, (m2d__vector){ at.symbols[0], at.symbols[1] },
                   (m2d__vector){ at.symbols[2], at.symbols[3] }, &K, &H);
    for (int i = 0; i < 16; i++) {
        const double *e = places[i / 4], *v = speeds[i % 4];
        double F[2], size;
        integrate_torn(L, e, v, F);
        size = hypot(F[0], F[1]);
        for (int k = 0; k < 2; k++) {
            at.values[k] = e[k] / c;
            at.values[2 + k] = v[k];
        }
        double along = ha_expr_value(dag, K, at_place, &at);
        double across = ha_expr_value(dag, H, at_place, &at);
        ck_assert_double_eq_tol(-along * v[0] + across * v[1], F[0], 1e-7 * size);
        ck_assert_double_eq_tol(-along * v[1] - across * v[0], F[1], 1e-7 * size);
    }
    ha_dag_free(dag);
    ha_ctx_free(ctx);
}
END_TEST

/* --- runs --------------------------------------------------------------------------------------
 */

/* A journal that a constant force squeezes out of the middle, without inertia: long
   integral dE^(1/2) / (1 - E)^(3/2) = e / sqrt(1 - e^2) = W t / (A c). */
START_TEST(a_load_squeezes_the_film_out_as_it_should)
{
    const double L = 0.05, W = 20.0, t_end = 0.01;
    const double A = 12.0 * M_PI * mu * L * pow(R / c, 3.0), s = W * t_end / (A * c);
    char text[1024];

    snprintf(text, sizeof text,
             HEAD "gravity: [0, 0]\nground: {points: {O: [0, 0]}}\n"
                  "bodies: {b: {mass: 1 mg, inertia: 1, points: {P: [0, 0]}, start: {fixed: [x, y, "
                  "angle, vx, vy, omega], vy: %.17g}}}\n"
                  "joints: {O: {type: revolute, between: [ground.O, b.P], model: clearance, "
                  "journal_radius: 9.5 mm, clearance: 0.5 mm, stiffness: 1e10, viscosity: 0.03, "
                  "bearing_length: %g}}\n"
                  "forces: {P: {type: force, on: b.P, value: [0, %g]}}\n"
                  "simulate: {t_end: %g, rtol: 1e-9, atol: 1e-12}\n",
             W / A, L, W, t_end);
    run r = run_text(text);
    run_expect(&r, "b.y", c * s / sqrt(1.0 + s * s), 1e-5);
    run_expect(&r, "energy.dissipated", W * c * s / sqrt(1.0 + s * s), 1e-5);
    run_end(&r);
}
END_TEST

/* Sommerfeld's bearing: at a steady eccentricity a turning journal is pushed across it, and both
   torques are his: the journal's 4 pi mu L R^3 omega (1 + 2 E) / (c (2 + E) sqrt(1 - E)). */
START_TEST(a_turning_journal_has_the_load_and_the_torque_of_sommerfeld)
{
    const double L = 0.05, omega = 300.0, e = 0.3e-3, E = e * e / (c * c);
    char text[1024];

    snprintf(text, sizeof text,
             HEAD "gravity: [0, 0]\nground: {points: {O: [0, 0], H: [0.3 mm, 0]}}\n"
                  "bodies:\n  b: {mass: 1, inertia: 1, points: {P: [0, 0]}, start: {x: 0.3 mm, "
                  "fixed: [x, y]}}\n"
                  "joints:\n"
                  "  O: {type: revolute, between: [ground.O, b.P], model: clearance, "
                  "journal_radius: 9.5 mm, clearance: 0.5 mm, stiffness: 1e10, viscosity: 0.03, "
                  "bearing_length: %g}\n"
                  "  H: {type: revolute, between: [ground.H, b.P], motion: %g*t}\n"
                  "simulate: {t_end: 0.01}\noutputs: [O.force, H.drive, b]\n",
             L, omega);
    run r = run_text(text);
    double load =
        12.0 * M_PI * mu * L * R * R * R * omega * sqrt(E) / (c * c * (2.0 + E) * sqrt(1.0 - E));
    double torque =
        4.0 * M_PI * mu * L * R * R * R * omega * (1.0 + 2.0 * E) / (c * (2.0 + E) * sqrt(1.0 - E));
    ck_assert_double_eq_tol(run_last(&r, "O.fx"), 0.0, 1e-6 * load);
    run_expect(&r, "O.fy", load, 1e-6);
    run_expect(&r, "O.torque", -torque, 1e-6);
    run_end(&r);
}
END_TEST

/* Ocvirk's bearing, torn: at 90 degrees to the eccentricity pi mu omega R L^3 e / (4 c^3 (1 -
   E)^1.5), along it mu omega R L^3 E / (c^2 (1 - E)^2) towards the middle. */
START_TEST(a_turning_journal_has_the_load_of_ocvirk)
{
    const double L = 0.005, omega = 300.0, e = 0.3e-3, E = e * e / (c * c);
    const double A = mu * omega * R * L * L * L / (c * c);
    char text[1024];

    snprintf(text, sizeof text,
             HEAD "gravity: [0, 0]\nground: {points: {O: [0, 0], H: [0.3 mm, 0]}}\n"
                  "bodies:\n  b: {mass: 1, inertia: 1, points: {P: [0, 0]}, start: {x: 0.3 mm, "
                  "fixed: [x, y]}}\n"
                  "joints:\n"
                  "  O: {type: revolute, between: [ground.O, b.P], model: clearance, "
                  "journal_radius: 9.5 mm, clearance: 0.5 mm, stiffness: 1e10, viscosity: 0.03, "
                  "bearing_length: %g, film: torn}\n"
                  "  H: {type: revolute, between: [ground.H, b.P], motion: %g*t}\n"
                  "simulate: {t_end: 0.01}\noutputs: [O.force, H.drive, b]\n",
             L, omega);
    run r = run_text(text);
    run_expect(&r, "O.fx", -A * E / ((1.0 - E) * (1.0 - E)), 1e-6);
    run_expect(&r, "O.fy", 0.25 * M_PI * A * sqrt(E) * pow(1.0 - E, -1.5), 1e-6);
    run_end(&r);
}
END_TEST

START_TEST(films_that_are_wrong_are_refused_with_the_reason)
{
    static const struct {
        const char *settings, *reason;
    } cases[] = {
        { "viscosity: 0.03", "no `bearing_length`" },
        { "bearing_length: 1 cm", "no `viscosity`" },
        { "film: long", "no `viscosity`" },
        { "viscosity: 0", "`viscosity` of joint `O` is 0" },
        { "viscosity: 0.03, bearing_length: 1 cm, least_film: 1 mm", "`least_film` must be below" },
        { "viscosity: 0.03, bearing_length: 1 cm, film: thick", "`thick`" },
    };

    for (size_t i = 0; i < HA_COUNT(cases); i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 HEAD "ground: {points: {O: [0, 0]}}\n"
                      "bodies: {b: {mass: 1, inertia: 1, points: {P: [0, 0]}}}\n"
                      "joints: {O: {type: revolute, between: [ground.O, b.P], model: clearance, "
                      "journal_radius: 9.5 mm, clearance: 0.5 mm, stiffness: 1e10, %s}}\n"
                      "simulate: {t_end: 1}\n",
                 cases[i].settings);
        ha_ctx *ctx = ha_ctx_new();
        m2d_model *model = NULL;
        ck_assert(m2d_read_text(ctx, text, strlen(text), "film.yaml", NULL, &model) != HA_OK);
        ck_assert_msg(strstr(ha_ctx_diag(ctx, 0)->text, cases[i].reason) != NULL, "%s",
                      ha_ctx_diag(ctx, 0)->text);
        ha_ctx_free(ctx);
    }
}
END_TEST

START_TEST(every_allocation_of_a_film_may_fail)
{
    static const char text[] =
        HEAD "ground: {points: {O: [0, 0]}}\n"
             "bodies: {b: {mass: 1, inertia: 1, points: {P: [0, 0]}}}\n"
             "joints: {O: {type: revolute, between: [ground.O, b.P], model: clearance, "
             "journal_radius: 9.5 mm, clearance: 0.5 mm, stiffness: 1e10, viscosity: 0.03, "
             "bearing_length: 1 cm, film: torn}}\n"
             "simulate: {t_end: 0.1 ms}\n";

    run_survives(text, run_model);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("film");
    TCase *tcase = tcase_create("film");

    tcase_add_test(tcase, the_force_of_a_film_is_the_integral_of_the_pressure_of_reynolds);
    tcase_add_test(tcase, the_force_of_a_torn_film_is_the_integral_of_the_pressure_above_zero);
    tcase_add_test(tcase, a_load_squeezes_the_film_out_as_it_should);
    tcase_add_test(tcase, a_turning_journal_has_the_load_and_the_torque_of_sommerfeld);
    tcase_add_test(tcase, a_turning_journal_has_the_load_of_ocvirk);
    tcase_add_test(tcase, every_allocation_of_a_film_may_fail);
    tcase_add_test(tcase, films_that_are_wrong_are_refused_with_the_reason);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
