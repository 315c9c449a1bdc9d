/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contacts and friction against closed forms: the restitution that laws really produce, from the
 * relation between chi and e that one integration over a contact gives; momentum; the energy book;
 * friction against the impulse that turns sliding into rolling.
 */
#include <config.h>

#include "mech2d/forces/contact_cylinder.h"
#include "mech2d/forces/contact_law.h"
#include "mech2d/forces/friction_law.h"
#include "tests/unit/mech2d/run.h"

#include <stdio.h>

#define HEAD "halfarrow: 1\n"
#define TIGHT "rtol: 1e-9, atol: 1e-11, max_steps: 1000000"

enum { ROOM = 2000 };

/* --- restitution ------------------------------------------------------------------------------ */

/* A mass that flies at a speed against the ground under a law; its speed afterwards. */
static double rebound(const char *law, double restitution, double mass, double stiffness,
                      double speed)
{
    char text[ROOM];

    snprintf(text, sizeof text,
             HEAD "gravity: [0, 0]\nground: {points: {O: [0, 0]}}\n"
                  "bodies: {b: {mass: %.17g, inertia: 1, points: {P: [0, 0]}, "
                  "start: {y: 1e-3, vy: %.17g}}}\n"
                  "forces: {c: {type: contact, between: [ground.O, b.P], stiffness: %.17g, "
                  "law: %s, restitution: %.17g}}\n"
                  "simulate: {t_end: %.17g, " TIGHT "}\n",
             mass, -speed, stiffness, law, restitution, 0.02 / speed);
    run r = run_text(text);
    double after = run_last(&r, "b.vy");
    double energy = 0.5 * mass * speed * speed;

    ck_assert_int_eq(r.report.solver.events, 2); /* it begins and ends */
    run_expect_near(&r, "energy.error", 0.0, 1e-6 * energy);
    run_expect_near(&r, "c.normal", 0.0, 0.0);
    run_end(&r);
    return after / speed;
}

START_TEST(laws_produce_the_restitution_that_follows_from_their_chi)
{
    /* solved with 30 digits from chi (1 + e) = ln((1 + chi) / (1 - chi e)) */
    static const double asked[7] = { 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95 };
    static const struct {
        const char *law;
        double found[7];
    } rows[] = {
        { "hunt-crossley", { .5158, .5813, .6630, .7680, .8329, .9090, .9524 } },
        { "lankarani-nikravesh", { .6653, .6842, .7252, .7960, .8471, .9132, .9535 } },
        { "herbert-mcwhannell", { .4907, .5200, .5936, .7227, .8070, .9009, .9501 } },
        { "lee-wang", { .6867, .7390, .7992, .8693, .9090, .9524, .9756 } },
        { "flores", { .0694, .2562, .4704, .6832, .7885, .8939, .9468 } },
        { "hu-guo", { .0741, .2707, .4877, .6973, .7992, .8999, .9500 } },
        { "gonthier", { .1010, .3042, .4877, .6696, .7680, .8764, .9359 } },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int k = 0; k < 7; k++) {
            double e = rebound(rows[i].law, asked[k], 1.0, 1e8, 1.0);
            ck_assert_msg(fabs(e - rows[i].found[k]) <= 6e-5, "%s, %g asked: %.6f", rows[i].law,
                          asked[k], e);
        }
    }
}
END_TEST

START_TEST(the_exact_law_produces_the_restitution_that_is_asked)
{
    static const double asked[] = { 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.95, 0.99, 1.0 };

    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        double c = asked[i];
        ck_assert_double_eq_tol(rebound("exact", c, 1.0, 1e8, 1.0), c, 5e-6);
        ck_assert_double_eq_tol(rebound("exact", c, 0.02, 5e9, 0.3), c, 5e-6);
    }
}
END_TEST

START_TEST(a_linear_spring_and_damper_rebound_as_the_oscillator)
{
    /* the force ends where the acceleration of x'' + 2 z w x' + w^2 x = 0 does */
    const double z = 0.25, s = sqrt(1.0 - z * z), phi = atan2(2.0 * z * s, 2.0 * z * z - 1.0);
    const double e = -exp(-z / s * phi) * (cos(phi) - z / s * sin(phi));
    run r = run_text(HEAD "gravity: [0, 0]\nground: {points: {O: [0, 0]}}\n"
                          "bodies: {b: {mass: 1, inertia: 1, points: {P: [0, 0]}, "
                          "start: {y: 1e-3, vy: -1}}}\n"
                          "forces: {c: {type: contact, between: [ground.O, b.P], stiffness: 1e6, "
                          "law: kelvin-voigt, damping: 500}}\n"
                          "simulate: {t_end: 20 ms, " TIGHT "}\n");

    run_expect(&r, "b.vy", e, 1e-6);
    run_expect_near(&r, "energy.error", 0.0, 1e-6);
    run_end(&r);
}
END_TEST

START_TEST(hertz_stiffness_follows_from_radii_and_moduli)
{
    /* E = 207 GPa, nu = 0.3, a hole of 10 mm and a pin of 9.5 mm: 6.6102e10 N/m^1.5 */
    const double E[2] = { 207e9, 207e9 }, nu[2] = { 0.3, 0.3 };
    double K = m2d__hertz_stiffness(E, nu, 1.0 / 0.0095 - 1.0 / 0.010);

    ck_assert_double_eq_tol(K, 6.6102e10, 1e6);
}
END_TEST

/* The implicit relations of cylinders as their authors write them: the depth over F per length. */
static double johnson(double force, double E, double D)
{
    return force / (M_PI * E) * (log(4.0 * M_PI * E * D / force) - 1.0);
}

/* b is the width of the contact, D_i D_j / (D_i +- D_j) / 2 = R */
static double radzimovsky(double force, double E, double R_i, double R_j, double R)
{
    double b = 1.6 * sqrt(force * 2.0 * R / E);

    return force / (M_PI * E) * (2.0 / 3.0 + log(4.0 * R_i / b) + log(4.0 * R_j / b));
}

static double esdu(double force, double E, double D)
{
    double sigma = 1.0 / (M_PI * E);

    return force * sigma * (log(4.0 * D / (force * sigma)) + 1.0);
}

static double dubowsky(double force, double E, double L, double R)
{
    double sigma = 1.0 / (M_PI * E);

    return force * sigma * (log(L * L / (force * R * sigma)) + 1.0);
}

/* The compression of a cylinder between its contact, of the half-width b, and its centre: the
   strain along the axis from Hertz's pressure on this side, a force on the other and the biaxial
   tension of a disc between two forces, integrated by Simpson's rule in u, z = b sinh u (Johnson
   1985, 5.6). */
static double compression(double force, double R, double b, double E, double nu)
{
    enum { PANELS = 2000 };
    double end = asinh(R / b), h = end / PANELS, sum = 0.0;

    for (int i = 0; i <= PANELS; i++) {
        double u = i * h, z = b * sinh(u), root = sqrt(b * b + z * z);
        double x = 1.0 / R - 2.0 * (b * b + 2.0 * z * z) / (b * b * root) + 4.0 * z / (b * b);
        double along = 1.0 / R - 2.0 / (2.0 * R - z) - 2.0 / root;
        double strain = -(1.0 - nu * nu) / E * force / M_PI * (along - nu / (1.0 - nu) * x);
        sum += (i == 0 || i == PANELS ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) * strain * root;
    }
    return sum * h / 3.0;
}

START_TEST(the_law_of_johnson_is_the_integral_of_the_strain_of_two_cylinders)
{
    const double E[2] = { 207e9, 207e9 }, nu[2] = { 0.3, 0.3 }, R[2] = { 30e-3, 20e-3 };
    double softness = m2d__softness(E, nu), L = 0.015;
    const m2d__cylinders c = { L, softness, { 1.0 / R[0] + 1.0 / R[1], R[0] + R[1], false } };
    m2d__stiffness s = { 0 };

    ck_assert_ptr_null(m2d__cylinder_stiffness(m2d__cylinder_law_at(1), &c, &s));
    for (double F = 10.0; F < 2e4; F *= 3.0) {
        double b = sqrt(4.0 * F / L * softness / (M_PI * c.touch.curvature)), sum = 0.0;
        for (int k = 0; k < 2; k++) {
            sum += compression(F / L, R[k], b, E[k], nu[k]);
        }
        /* what is of the order of (b / R)^2 is left out of the closed form */
        ck_assert_double_eq_tol(s.compliance * F * log(s.scale / F), sum,
                                (b * b / (R[1] * R[1]) + 1e-8) * sum);
    }
}
END_TEST

/* The printed rule of Roark, Formulas for Stress and Strain (cylinder on cylinder, after
   Radzimovsky), is in diameters and the full width. */
START_TEST(the_law_of_radzimovsky_has_the_width_of_hertz)
{
    const m2d__cylinders c = { 0.015, 1.0 / 113.7e9, { 1.0 / 30e-3 + 1.0 / 20e-3, 50e-3, false } };
    double F = 2e3, p = F / c.length, D[2] = { 60e-3, 40e-3 };
    double K_D = D[0] * D[1] / (D[0] + D[1]), b = 1.6 * sqrt(p * K_D * c.softness);
    double half = sqrt(4.0 * p * c.softness / (M_PI * c.touch.curvature));
    m2d__stiffness s = { 0 };

    ck_assert_double_eq_tol(b, 2.0 * half, 3e-3 * b); /* 1.6 is 1.5958 rounded */
    ck_assert_ptr_null(m2d__cylinder_stiffness(m2d__cylinder_law_at(2), &c, &s));
    double depth = p * c.softness / M_PI * (2.0 / 3.0 + log(2.0 * D[0] / b) + log(2.0 * D[1] / b));
    ck_assert_double_eq_tol(s.compliance * F * log(s.scale / F), depth, 1e-12 * depth);
}
END_TEST

/* Pins of steel in holes, and two side by side. */
static const struct {
    double R_i, R_j;
    bool is_hollow;
} pairs[] = { { 10e-3, 10e-3, false },
              { 30e-3, 20e-3, false },
              { 10e-3, 9.9e-3, true },
              { 10e-3, 9.5e-3, true },
              { 10e-3, 8e-3, true } };

static const double steel = 207e9 / (2.0 * 0.91), wide = 0.015; /* E* and length */

static m2d__cylinders cylinders_of(size_t i)
{
    double R_i = pairs[i].R_i, R_j = pairs[i].R_j, sign = pairs[i].is_hollow ? -1.0 : 1.0;

    return (m2d__cylinders){ wide,
                             1.0 / steel,
                             { 1.0 / R_j + sign / R_i, R_i + sign * R_j, pairs[i].is_hollow } };
}

START_TEST(the_fit_of_cylinders_is_near_the_implicit_relation_that_it_fits)
{
    for (size_t i = 0; i < HA_COUNT(pairs); i++) {
        const m2d__cylinders c = cylinders_of(i);
        for (double depth = 1e-6; depth < 30e-6; depth *= 2.0) {
            m2d__stiffness s = { 0 };
            ck_assert_ptr_null(m2d__cylinder_stiffness(m2d__cylinder_law_at(0), &c, &s));
            double force = s.K * pow(depth, s.exponent);
            double truth = johnson(force / wide, steel, c.touch.radii);
            ck_assert_msg(fabs(truth - depth) < 0.25 * depth, "%zu: %g for %g", i, truth, depth);
        }
    }
}
END_TEST

/* The depth that belongs to a force under a law. */
static double depth_of(const char *law, size_t i, double force)
{
    const m2d__cylinders c = cylinders_of(i);
    double per_length = force / wide, D = c.touch.radii, R = 1.0 / c.touch.curvature;

    return strcmp(law, "johnson") == 0      ? johnson(per_length, steel, D)
           : strcmp(law, "esdu-78035") == 0 ? esdu(per_length, steel, D)
           : strcmp(law, "radzimovsky") == 0
               ? radzimovsky(per_length, steel, pairs[i].R_i, pairs[i].R_j, R)
               : dubowsky(per_length, steel, wide, R);
}

static double at_depth(void *user, ha_expr symbol)
{
    (void) symbol;
    return *(const double *) user;
}

static double value_at(ha_dag *dag, ha_expr e, double depth)
{
    return ha_expr_value(dag, e, at_depth, &depth);
}

START_TEST(the_force_of_cylinders_solves_the_implicit_relations)
{
    ha_ctx *ctx = ha_ctx_new();
    ha_dag *dag = ha_dag_new(ctx);
    ha_expr depth = ha_symbol(dag, "depth");
    size_t n = 0;

    for (const m2d__cylinder_law *law; (law = m2d__cylinder_law_at(n)) != NULL; n++) {
        for (size_t i = 0; i < HA_COUNT(pairs) && law->scale != NULL; i++) {
            const m2d__cylinders c = cylinders_of(i);
            m2d__stiffness s = { 0 };
            ck_assert_ptr_null(m2d__cylinder_stiffness(law, &c, &s));
            ha_expr force = m2d__cylinder_force(dag, &s, depth);
            ha_expr slope = ha_partial(dag, force, depth);
            ha_expr power = ha_partial(dag, m2d__cylinder_energy(dag, &s, depth), depth);
            for (double F = 10.0; F < 3e5; F *= 7.0) {
                double d = depth_of(law->name, i, F), h = 1e-5;
                double rise =
                    depth_of(law->name, i, F * (1.0 + h)) - depth_of(law->name, i, F * (1.0 - h));
                if (d > 0.9 * m2d__cylinder_deepest(&s)) {
                    continue;
                }
                double exact = (1e-12 + 1e-24 / (d * d)) * F; /* but for what smooths it at 0 */
                ck_assert_double_eq_tol(value_at(dag, force, d), F, exact);
                ck_assert_double_eq_tol(value_at(dag, force, -d), -F, exact);
                ck_assert_double_eq_tol(value_at(dag, power, d), F, 1e-9 * F);
                ck_assert_double_eq_tol(value_at(dag, slope, d) * rise, 2.0 * h * F, 1e-8 * F);
            }
            ck_assert(isnan(value_at(dag, force, 1.001 * m2d__cylinder_deepest(&s))));
            ck_assert_double_eq(value_at(dag, force, 0.0), 0.0);
        }
    }
    ck_assert_uint_eq(n, 5);
    ha_dag_free(dag);
    ha_ctx_free(ctx);
}
END_TEST

/* The relation of chi and e is the same for every force at rest. */
START_TEST(a_shaft_in_its_hole_rebounds_as_asked_under_every_law_of_cylinders)
{
    for (size_t i = 0; m2d__cylinder_law_at(i) != NULL; i++) {
        char text[ROOM];
        snprintf(text, sizeof text,
                 HEAD "gravity: [0, 0]\nground: {points: {O: [0, 0]}}\n"
                      "bodies: {b: {mass: 0.2, inertia: 1e-5, points: {P: [0, 0]}, "
                      "start: {vy: -0.5}}}\n"
                      "forces: {c: {type: contact, between: [ground.O, b.P], surface: socket, "
                      "surface_radius: 10 mm, radius: 9.5 mm, modulus: 207 GPa, "
                      "cylinder_length: 15 mm, cylinder_law: %s, restitution: 0.7}}\n"
                      "simulate: {t_end: 2 ms, " TIGHT "}\n",
                 m2d__cylinder_law_name(i));
        run r = run_text(text);
        run_expect(&r, "b.vy", 0.35, 1e-5);
        run_expect_near(&r, "energy.error", 0.0, 1e-7);
        ck_assert_int_eq(r.report.solver.events, 2);
        run_end(&r);
    }
}
END_TEST

/* --- momentum --------------------------------------------------------------------------------- */

/* The momenta of two bodies a (2 kg, 0.01 kg.m2) and b (1 kg, 0.002 kg.m2): x, y, and about the
   origin. */
static void momenta(const run *r, size_t row, double p[3])
{
    static const struct {
        const char *x, *y, *vx, *vy, *omega;
        double m, J;
    } bodies[2] = { { "a.x", "a.y", "a.vx", "a.vy", "a.omega", 2.0, 0.01 },
                    { "b.x", "b.y", "b.vx", "b.vy", "b.omega", 1.0, 0.002 } };

    p[0] = p[1] = p[2] = 0.0;
    for (int k = 0; k < 2; k++) {
        double m = bodies[k].m, vx = run_value(r, row, bodies[k].vx);
        double vy = run_value(r, row, bodies[k].vy);
        p[0] += m * vx;
        p[1] += m * vy;
        p[2] += m * (run_value(r, row, bodies[k].x) * vy - run_value(r, row, bodies[k].y) * vx) +
                bodies[k].J * run_value(r, row, bodies[k].omega);
    }
}

/* Two free bodies that touch obliquely, off their centres, and spin. */
static void expect_momentum(const char *contact)
{
    char text[ROOM];
    double before[3], after[3];

    snprintf(text, sizeof text,
             HEAD "gravity: [0, 0]\n"
                  "bodies:\n"
                  "  a: {mass: 2, inertia: 0.01, points: {P: {at: [0.02, 0.01], axis: 0.3}}, "
                  "start: {x: 0, y: 0, vx: 0.5, omega: 3}}\n"
                  "  b: {mass: 1, inertia: 0.002, points: {Q: [0.005, -0.01]}, "
                  "start: {x: 0.02, y: 0.06, vx: -0.4, vy: -1.5, omega: -20}}\n"
                  "forces: {c: {type: contact, between: [a.P, b.Q], %s, stiffness: 2e8, "
                  "restitution: 0.6, friction: 0.3}}\n"
                  "simulate: {t_end: 0.1, step: 0.5 ms, " TIGHT "}\n",
             contact);
    run r = run_text(text);

    momenta(&r, 0, before);
    for (size_t i = 0; i < ha_result_n_rows(r.result); i++) {
        momenta(&r, i, after);
        for (int k = 0; k < 3; k++) {
            ck_assert_msg(fabs(after[k] - before[k]) <= 1e-7, "%s: momentum %d changes by %g",
                          contact, k, after[k] - before[k]);
        }
    }
    ck_assert_int_ge(r.report.solver.events, 2);
    ck_assert_double_gt(run_last(&r, "energy.dissipated"), 0.05);
    ck_assert_double_lt(r.report.energy_error, 1e-5);
    run_end(&r);
}

START_TEST(both_momenta_and_the_energy_book_close_in_every_contact)
{
    expect_momentum("surface: line, radius: 12 mm");
    expect_momentum("surface: disc, surface_radius: 15 mm, radius: 12 mm");
    expect_momentum("surface: socket, surface_radius: 80 mm, radius: 12 mm");
}
END_TEST

/* --- friction --------------------------------------------------------------------------------- */

START_TEST(a_sliding_disc_ends_up_rolling_under_every_law_of_friction)
{
    /* friction at distance r from the centre: m r (v - v0) + J (0 - omega) = 0 at all times, and a
       uniform disc rolls at 2/3 v0 */
    for (size_t i = 0; m2d__friction_law_at(i) != NULL; i++) {
        char text[ROOM];
        snprintf(text, sizeof text,
                 HEAD "ground: {points: {O: [0, 0]}}\n"
                      "bodies: {d: {mass: 2, inertia: 0.04, points: {C: [0, 0]}, "
                      "start: {y: 0.2 - 2*9.81/1e6, vx: 3}}}\n"
                      "forces: {c: {type: contact, between: [ground.O, d.C], radius: 0.2, "
                      "stiffness: 1e6, exponent: 1, friction_law: %s, friction: 0.4, "
                      "static_friction: 0.5, friction_speed: 10 mm/s, %s}}\n"
                      "simulate: {t_end: 1, rtol: 1e-8, atol: 1e-9}\n",
                 m2d__friction_law_name(i),
                 m2d__friction_law_at(i)->rate != NULL
                     ? "bristle_stiffness: 1e4, bristle_damping: 10"
                     : "stribeck_speed: 50 mm/s");
        run r = run_text(text);
        for (size_t k = 0; k < ha_result_n_rows(r.result); k++) {
            double v = run_value(&r, k, "d.vx"), omega = run_value(&r, k, "d.omega");
            ck_assert_double_eq_tol(2.0 * 0.2 * (v - 3.0) - 0.04 * omega, 0.0, 1e-6);
        }
        ck_assert_msg(fabs(run_last(&r, "d.vx") - 2.0) < 0.004, "%s: %g", m2d__friction_law_name(i),
                      run_last(&r, "d.vx"));
        /* half the energy of sliding is left in v^2 (1 + 1/2) (2/3)^2, a third is lost */
        run_expect(&r, "energy.dissipated", 3.0, 0.01);
        ck_assert_double_lt(r.report.energy_error, 1e-4);
        run_end(&r);
    }
}
END_TEST

START_TEST(sliding_friction_slows_by_mu_g)
{
    run r = run_text(HEAD "ground: {points: {O: [0, 0]}}\n"
                          "bodies: {d: {mass: 2, inertia: 1e9, points: {C: [0, 0]}, "
                          "start: {y: -2*9.81/1e6, vx: 3}}}\n"
                          "forces: {c: {type: contact, between: [ground.O, d.C], stiffness: 1e6, "
                          "exponent: 1, friction: 0.4}}\n"
                          "simulate: {t_end: 0.5, " TIGHT "}\n");

    run_expect(&r, "d.vx", 3.0 - 0.4 * 9.81 * 0.5, 1e-6);
    run_expect(&r, "c.fx", -0.4 * 2.0 * 9.81, 1e-6);
    run_expect(&r, "c.fy", 2.0 * 9.81, 1e-6);
    run_end(&r);
}
END_TEST

/* A block slides to rest on two feet, on a slope of gravity that does not move it any more: the
   feet share what holds it by their loads. */
START_TEST(friction_of_karnopp_is_shared_by_contacts)
{
    const double weight = 2.0 * hypot(1.5, 9.7), along = 2.0 * 1.5;
    run r = run_text(HEAD "gravity: [1.5, -9.7]\nground: {points: {O: [0, 0]}}\n"
                          "bodies: {b: {mass: 2, inertia: 0.02, points: {L: [-0.15, -0.05], "
                          "R: [0.1, -0.05]}, start: {y: 0.05, vx: 0.3}}}\n"
                          "forces:\n"
                          "  l: {type: contact, between: [ground.O, b.L], stiffness: 1e6, "
                          "exponent: 1, restitution: 0.5, friction: 0.2, static_friction: 0.3, "
                          "friction_law: karnopp}\n"
                          "  r: {type: contact, between: [ground.O, b.R], stiffness: 1e6, "
                          "exponent: 1, restitution: 0.5, friction: 0.2, static_friction: 0.3, "
                          "friction_law: karnopp}\n"
                          "simulate: {t_end: 2, rtol: 1e-8, atol: 1e-10}\n");
    double l = run_last(&r, "l.friction"), right = run_last(&r, "r.friction");

    ck_assert_double_eq_tol(fabs(l + right), along, 1e-3 * weight);
    ck_assert_double_eq_tol(l / run_last(&r, "l.normal"), right / run_last(&r, "r.normal"), 1e-3);
    ck_assert_double_lt(fabs(run_last(&r, "b.vx")), 1e-6); /* a thousandth of friction_speed */
    /* v^2 / 2 = (mu g_n - g_t) s */
    run_expect(&r, "b.x", 0.5 * 0.09 / (0.2 * 9.7 - 1.5), 2e-3);
    ck_assert_double_lt(r.report.energy_error, 1e-5);
    run_end(&r);
}
END_TEST

/* --- equations and memory --------------------------------------------------------------------- */

#define SMALL                                                                                      \
    HEAD "ground: {points: {O: [0, 0]}}\n"                                                         \
         "bodies: {b: {mass: 1, inertia: 1, points: {P: [0, 0]}, start: {y: 1 mm}}, "              \
         "j: {mass: 1, inertia: 1, points: {P: [0, 0]}}}\n"                                        \
         "joints:\n"                                                                               \
         "  J: {type: revolute, between: [ground.O, j.P], model: clearance, clearance: 1 mm, "     \
         "bearing_radius: 10 mm, modulus: 1 GPa, cylinder_length: 1 cm, "                          \
         "cylinder_law: johnson, friction: 0.1}\n"                                                 \
         "forces:\n"                                                                               \
         "  c: {type: contact, between: [ground.O, b.P], stiffness: 1e6, restitution: 0.5, "       \
         "friction: 0.1, friction_law: lugre, bristle_stiffness: 1e4}\n"                           \
         "  f: {type: friction, on: J, radius: 1 cm, friction: 0.2, friction_law: karnopp}\n"      \
         "simulate: {t_end: 20 ms, rtol: 1e-8, atol: 1e-10}\n"

START_TEST(the_equations_tell_what_is_held_and_when)
{
    run r = run_text(SMALL);
    char *text = NULL, *latex = NULL;

    run_check(&r, bg_equations_text(r.causality, &text));
    ck_assert_ptr_nonnull(strstr(text, "# held values"));
    ck_assert_ptr_nonnull(strstr(text, "c.held.state.q = if("));
    run_check(&r, bg_equations_latex(r.causality, &latex));
    free(text);
    free(latex);
    text = NULL;
    run_check(&r, bg_equations_c(r.equations, r.causality, NULL, &text));
    ck_assert_ptr_nonnull(strstr(text, "when this gets above 0"));
    free(text);
    run_end(&r);
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    ha_status status = HA_ERR_MEMORY;

    for (size_t n = 1; status == HA_ERR_MEMORY; n++) {
        run r = run_new();
        ha_ctx_fail_allocation(r.ctx, n);
        status = m2d_read_text(r.ctx, SMALL, strlen(SMALL), "m.yaml", NULL, &r.model);
        status = status == HA_OK ? run_model(&r) : status;
        ha_ctx_fail_allocation(r.ctx, 0);
        ck_assert_msg(status == HA_OK || status == HA_ERR_MEMORY, "%zu: %s", n,
                      ha_ctx_diag(r.ctx, 0)->text);
        run_end(&r);
    }
}
END_TEST

/* --- what is wrong ---------------------------------------------------------------------------- */

#define CONTACT(SETTINGS)                                                                          \
    HEAD "ground: {points: {O: [0, 0]}}\n"                                                         \
         "bodies: {b: {mass: 1, inertia: 1, points: {P: [0, 0]}}}\n"                               \
         "forces: {c: {type: contact, between: [ground.O, b.P], " SETTINGS "}}\n"                  \
         "simulate: {t_end: 1}\n"

START_TEST(contacts_that_are_wrong_are_refused_with_the_reason)
{
    static const struct {
        const char *text, *part;
        ha_status status;
    } wrong[] = {
        { CONTACT("stiffness: 1e8, restitution: 1.1"), "is 1.1; it must be above 0 and at most 1",
          HA_ERR_VALUE },
        { CONTACT("stiffness: 1e8, restitution: 0"), "above 0", HA_ERR_VALUE },
        { CONTACT("stiffness: 1e8, restitution: 0.5 kg"), "a number without a unit", HA_ERR_UNIT },
        { CONTACT("stiffness: 1e8 N/m"), "a number without a unit", HA_ERR_UNIT },
        { CONTACT("stiffness: 1e8, exponent: 1.5 m"), "a number without a unit", HA_ERR_UNIT },
        { CONTACT("modulus: 200 GPa, radius: 1 mm, poisson: 0.3 m"), "a number without a unit",
          HA_ERR_UNIT },
        { CONTACT("stiffness: 1e8, friction: 0.3 N"), "a number without a unit", HA_ERR_UNIT },
        { CONTACT("stiffness: 1e8, friction: 0.3, viscous_friction: 5 N.s/m"),
          "an inverse velocity in s/m is expected; write for example 5 s/m", HA_ERR_UNIT },
        { CONTACT("stiffness: 1e8, friction: 0.3, friction_law: lugre, bristle_stiffness: 1e5 N/m"),
          "an inverse length in 1/m is expected", HA_ERR_UNIT },
        { CONTACT("stiffness: -1e8"), "above 0", HA_ERR_VALUE },
        { CONTACT("stiffness: 1e8, law: flors"), "`hunt-crossley`", HA_ERR_NAME },
        { CONTACT("stiffness: 1e8, law: [flores]"), "law", HA_ERR_SYNTAX },
        { CONTACT("restitution: 0.9"), "neither a `stiffness` nor a `modulus`", HA_ERR_VALUE },
        { CONTACT("modulus: 200 GPa"), "needs a radius", HA_ERR_VALUE },
        { CONTACT("modulus: 200 GPa, radius: 1 mm, poisson: 0.51"),
          "is 0.51; it must be at least 0 and at most 0.5", HA_ERR_VALUE },
        { CONTACT("modulus: 200 GPa, radius: 1 mm, other_poisson: 0.7"),
          "`other_poisson` of force `c` is 0.7", HA_ERR_VALUE },
        { CONTACT("modulus: 200 GPa, radius: 1 mm, stiffness: 1"), "leave one", HA_ERR_VALUE },
        { CONTACT("modulus: 200 GPa, radius: 1 mm, cylinder_length: 1 cm"), "two cylinders",
          HA_ERR_VALUE },
        { CONTACT("modulus: 200 GPa, radius: 1 mm, cylinder_length: 1 cm, surface: socket, "
                  "surface_radius: 20 mm"),
          "0.005 mm to 10 mm", HA_ERR_VALUE },
        { CONTACT("modulus: 200 GPa, radius: 1 mm, cylinder_law: johnson"), "no `cylinder_length`",
          HA_ERR_VALUE },
        { CONTACT("modulus: 200 GPa, radius: 1 mm, surface: disc, surface_radius: 1 mm, "
                  "cylinder_length: 1 cm, cylinder_law: jonson"),
          "`johnson`", HA_ERR_NAME },
        { CONTACT("modulus: 200 GPa, radius: 1 mm, surface: disc, surface_radius: 1 mm, "
                  "cylinder_length: 1 cm, cylinder_law: johnson, exponent: 1"),
          "leave one", HA_ERR_VALUE },
        { CONTACT("stiffness: 1e8, friction: 0.3, viscous_damping: 5"), "no `transition_load`",
          HA_ERR_VALUE },
        { CONTACT("stiffness: 1e8, friction: 0.3, stribeck_exponent: 0"), "above 0", HA_ERR_VALUE },
        { CONTACT("stiffness: 1e8, exponent: 0.5"), "at least 1", HA_ERR_VALUE },
        { CONTACT("stiffness: 1e8, damping: 5"), "kelvin-voigt", HA_ERR_VALUE },
        { CONTACT("stiffness: 1e8, law: kelvin-voigt, restitution: 0.5"), "`damping`",
          HA_ERR_VALUE },
        { CONTACT("modulus: 200 GPa, surface: socket, surface_radius: 1"), "needs a radius",
          HA_ERR_VALUE },
        { CONTACT("stiffness: 1e8, surface: socket, radius: 1"), "no `surface_radius`",
          HA_ERR_VALUE },
        { CONTACT("stiffness: 1e8, surface: socket, radius: 1, surface_radius: 0.9"), "clearance",
          HA_ERR_VALUE },
        { CONTACT("stiffness: 1e8, surface_radius: 1"), "a line has no", HA_ERR_VALUE },
        { CONTACT("stiffness: 1e8, static_friction: 0.2"), "no `friction`", HA_ERR_VALUE },
        { CONTACT("stiffness: 1e8, friction: 0.3, static_friction: 0.2"), "below `friction`",
          HA_ERR_VALUE },
        { CONTACT("stiffness: 1e8, friction: 0.3, friction_law: lugre"), "bristle_stiffness",
          HA_ERR_VALUE },
        { CONTACT("stiffness: 1e8, friction: 0.3, friction_law: lugree"), "`ambrosio`",
          HA_ERR_NAME },
        { CONTACT("stiffness: 1e8, friction: 0.3, dead_speed: 1"), "`dead_speed`", HA_ERR_VALUE },
    };

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        run_expect_failure(wrong[i].text, wrong[i].status, wrong[i].part);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("contact");
    TCase *tcase = tcase_create("contact");

    tcase_add_test(tcase, laws_produce_the_restitution_that_follows_from_their_chi);
    tcase_add_test(tcase, the_exact_law_produces_the_restitution_that_is_asked);
    tcase_add_test(tcase, a_linear_spring_and_damper_rebound_as_the_oscillator);
    tcase_add_test(tcase, hertz_stiffness_follows_from_radii_and_moduli);
    tcase_add_test(tcase, the_fit_of_cylinders_is_near_the_implicit_relation_that_it_fits);
    tcase_add_test(tcase, the_law_of_johnson_is_the_integral_of_the_strain_of_two_cylinders);
    tcase_add_test(tcase, the_law_of_radzimovsky_has_the_width_of_hertz);
    tcase_add_test(tcase, the_force_of_cylinders_solves_the_implicit_relations);
    tcase_add_test(tcase, a_shaft_in_its_hole_rebounds_as_asked_under_every_law_of_cylinders);
    tcase_add_test(tcase, both_momenta_and_the_energy_book_close_in_every_contact);
    tcase_add_test(tcase, a_sliding_disc_ends_up_rolling_under_every_law_of_friction);
    tcase_add_test(tcase, friction_of_karnopp_is_shared_by_contacts);
    tcase_add_test(tcase, sliding_friction_slows_by_mu_g);
    tcase_add_test(tcase, the_equations_tell_what_is_held_and_when);
    tcase_add_test(tcase, every_allocation_may_fail);
    tcase_add_test(tcase, contacts_that_are_wrong_are_refused_with_the_reason);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
