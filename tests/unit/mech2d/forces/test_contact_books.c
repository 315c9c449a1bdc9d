/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Three free bodies in a row, joined with clearance, of random masses, places and speeds: under
   every law of contact, of cylinders, of friction and of films nothing changes their momenta, and
   the energy book closes. */
#include <config.h>

#include "mech2d/forces/contact.h"
#include "mech2d/forces/contact_film.h"
#include "tests/unit/mech2d/run.h"
#include "tests/util/random.h"

#include <stdint.h>
#include <stdio.h>

enum { BODIES = 3, SEEDS = 2, ROOM = 6000 };

static uint64_t seed;

static double masses[BODIES], inertias[BODIES];

/* Both momenta of all bodies; the sizes that rounding is of. */
static void momenta(const run *r, size_t row, double p[3])
{
    p[0] = p[1] = p[2] = 0.0;
    for (int i = 0; i < BODIES; i++) {
        char name[5][16];
        static const char *const parts[5] = { "x", "y", "vx", "vy", "omega" };
        double v[5];
        for (int k = 0; k < 5; k++) {
            snprintf(name[k], sizeof name[k], "b%d.%s", i, parts[k]);
            v[k] = run_value(r, row, name[k]);
        }
        p[0] += masses[i] * v[2];
        p[1] += masses[i] * v[3];
        p[2] += masses[i] * (v[0] * v[3] - v[1] * v[2]) + inertias[i] * v[4];
    }
}

/* The bodies, each with its left point at 0 and its right one 0.1 m on, at random speeds. */
static size_t write_bodies(char *text)
{
    size_t used = (size_t) snprintf(text, ROOM, "halfarrow: 1\ngravity: [0, 0]\nbodies:\n");

    for (int i = 0; i < BODIES; i++) {
        masses[i] = random_in(&seed, 0.2, 2.0);
        inertias[i] = masses[i] * random_in(&seed, 1e-4, 4e-3);
        used += (size_t) snprintf(
            text + used, ROOM - used,
            "  b%d: {mass: %.17g, inertia: %.17g, points: {L: [-0.05, %.17g], R: [0.05, 0]}, "
            "start: {x: %.17g, y: %.17g, vx: %.17g, vy: %.17g, omega: %.17g, "
            "fixed: [x, y, angle, vx, vy, omega]}}\n",
            i, masses[i], inertias[i], random_in(&seed, -1e-4, 1e-4),
            0.1 * i + random_in(&seed, -1e-4, 1e-4), random_in(&seed, -1e-4, 1e-4),
            random_in(&seed, -1.0, 1.0), random_in(&seed, -1.0, 1.0),
            random_in(&seed, -20.0, 20.0));
    }
    return used;
}

/* Runs the row with these settings of its joints. */
static void expect_books(const char *settings)
{
    for (int k = 0; k < SEEDS; k++) {
        char text[ROOM];
        double before[3], after[3];
        size_t used = write_bodies(text);
        snprintf(text + used, ROOM - used,
                 "joints:\n"
                 "  A: {type: revolute, between: [b0.R, b1.L], model: clearance, "
                 "bearing_radius: 10 mm, clearance: 0.5 mm, %s}\n"
                 "  B: {type: revolute, between: [b1.R, b2.L], model: clearance, "
                 "bearing_radius: 10 mm, clearance: 0.4 mm, %s}\n"
                 "simulate: {t_end: 6 ms, step: 0.1 ms, rtol: 1e-9, atol: 1e-11}\n",
                 settings, settings);
        run r = run_text(text);
        momenta(&r, 0, before);
        double energy = run_value(&r, 0, "energy.kinetic");
        for (size_t row = 0; row < ha_result_n_rows(r.result); row++) {
            momenta(&r, row, after);
            for (int i = 0; i < 3; i++) {
                ck_assert_msg(fabs(after[i] - before[i]) <= 1e-7, "%s: momentum %d changes by %g",
                              settings, i, after[i] - before[i]);
            }
            ck_assert_msg(run_value(&r, row, "energy.dissipated") >= -1e-6 * energy,
                          "%s gives %g J", settings, -run_value(&r, row, "energy.dissipated"));
        }
        ck_assert_msg(r.report.energy_error <= 1e-5 * energy, "%s: %g of %g J", settings,
                      r.report.energy_error, energy);
        ck_assert_msg(r.report.solver.events >= 2 || strstr(settings, "viscosity") != NULL,
                      "%s: they do not meet", settings);
        ck_assert_int_le(r.report.solver.restarts, r.report.solver.events);
        run_end(&r);
    }
}

START_TEST(the_books_close_under_every_law_of_contact)
{
    seed = 1;
    for (size_t i = 0; m2d__contact_law_at(i) != NULL; i++) {
        char settings[300];
        const m2d__contact_law *law = m2d__contact_law_at(i);
        snprintf(settings, sizeof settings, "law: %s, %s, friction: 0.1", law->name,
                 law->is_linear ? "stiffness: 1e6, damping: 60"
                                : "stiffness: 1e8, restitution: 0.6");
        expect_books(settings);
    }
}
END_TEST

START_TEST(the_books_close_under_every_law_of_cylinders)
{
    seed = 2;
    for (size_t i = 0; m2d__cylinder_law_at(i) != NULL; i++) {
        char settings[300];
        snprintf(settings, sizeof settings,
                 "cylinder_law: %s, cylinder_length: 15 mm, modulus: 70 GPa, restitution: 0.8, "
                 "friction: 0.1",
                 m2d__cylinder_law_name(i));
        expect_books(settings);
    }
}
END_TEST

START_TEST(the_books_close_under_every_law_of_friction)
{
    seed = 3;
    for (size_t i = 0; m2d__friction_law_at(i) != NULL; i++) {
        char settings[400];
        const m2d__friction_law *law = m2d__friction_law_at(i);
        snprintf(settings, sizeof settings,
                 "stiffness: 1e8, restitution: 0.7, friction_law: %s, friction: 0.2, "
                 "static_friction: 0.3, friction_speed: 10 mm/s, stribeck_speed: 50 mm/s%s",
                 law->name,
                 law->rate != NULL ? ", bristle_stiffness: 1e4, bristle_damping: 5" : "");
        expect_books(settings);
    }
}
END_TEST

START_TEST(the_books_close_with_every_film)
{
    seed = 4;
    for (size_t i = 0; m2d__film_kind(i) != NULL; i++) {
        char settings[300];
        snprintf(settings, sizeof settings,
                 "stiffness: 1e8, restitution: 0.7, friction: 0.1, viscosity: 0.003, "
                 "bearing_length: 8 mm, film: %s",
                 m2d__film_kind(i));
        expect_books(settings);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("contact books");
    TCase *tcase = tcase_create("contact books");

    tcase_add_test(tcase, the_books_close_under_every_law_of_contact);
    tcase_add_test(tcase, the_books_close_under_every_law_of_cylinders);
    tcase_add_test(tcase, the_books_close_under_every_law_of_friction);
    tcase_add_test(tcase, the_books_close_with_every_film);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
