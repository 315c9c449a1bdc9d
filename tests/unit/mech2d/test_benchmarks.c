/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Published benchmarks and what they must bear: the simple pendulum (IFToMM A01) against elliptic
 * functions, and Andrews' mechanism, whose solution is known to 25 digits, from a start drawn with
 * three digits, with more joints than it needs, and built a thousand times smaller, larger, lighter
 * and heavier.
 *
 * Under lengths times L, masses times M and times times T the equations of motion are the same when
 * forces are times M L / T^2: torques M L^2 / T^2, stiffnesses M / T^2, inertias M L^2.
 */
#include <config.h>

#include "tests/unit/mech2d/run.h"
#include "tests/unit/mech2d/scenes.h"
#include "tests/util/util.h"

#include <check.h>
#include <stdio.h>

/* --- the simple pendulum -------------------------------------------------------------------- */

/* A point mass on a rod without mass of 1 m, let go from (-1, 0) m; by elliptic functions. */
START_TEST(a_pendulum_gives_the_published_rows)
{
    static const struct {
        size_t row;
        double x, y, vx, vy;
    } truth[] = {
        { 200, -0.793566195343, -0.608483930444, -2.1024378744, 2.7419353930 },
        { 500, -0.942305435044, -0.334754338415, 0.8579042569, -2.4149286544 },
        { 999, -0.316436469910, -0.948613704577, 4.0924519915, -1.3651511202 },
        { 1000, -0.275087462573, -0.961419205100, 4.1755981010, -1.1947490545 },
    };
    run r = run_text("halfarrow: 1\n"
                     "gravity: [0, -9.81]\n"
                     "ground: {points: {O: [0, 0]}}\n"
                     "bodies: {B: {mass: 1, inertia: 0, points: {O: [1, 0]}, start: {x: -1}}}\n"
                     "joints: {O: {type: revolute, between: [ground.O, B.O]}}\n"
                     "simulate: {t_end: 10, step: 0.01, rtol: 1e-11, atol: 1e-11}\n");

    for (size_t k = 0; k < HA_COUNT(truth); k++) {
        ck_assert_double_eq_tol(run_value(&r, truth[k].row, "B.x"), truth[k].x, 1e-7);
        ck_assert_double_eq_tol(run_value(&r, truth[k].row, "B.y"), truth[k].y, 1e-7);
        ck_assert_double_eq_tol(run_value(&r, truth[k].row, "B.vx"), truth[k].vx, 4e-7);
        ck_assert_double_eq_tol(run_value(&r, truth[k].row, "B.vy"), truth[k].vy, 4e-7);
    }
    ck_assert_double_le(r.report.energy_error, 5e-5);
    run_end(&r);
}
END_TEST

/* --- Andrews -------------------------------------------------------------------------------- */

/* All angles after 30 ms. */
static void expect_andrews(const run *r, double tolerance)
{
    run_expect(r, "K1.angle", 15.81077119515370709711939, tolerance);
    run_expect(r, "H.angle", -15.75637105841183946972775, tolerance);
    run_expect(r, "K3.angle", 0.04082224011964580485828232, tolerance);
    run_expect(r, "F.angle", 0.5347301163420795937701850, tolerance);
    run_expect(r, "K5.angle", 0.5244099658799540693716558, tolerance);
    run_expect(r, "G.angle", -0.5347301163420795937701850, tolerance);
    run_expect(r, "K7.angle", 1.048080741041937873068515, tolerance);
}

/* Crank and coupler stay fixed: they alone say which motion it is. */
START_TEST(andrews_runs_from_a_drawing_of_three_digits)
{
    const char *const sets[] = { "bodies.K3.start.angle=0.455", "bodies.K4.start.angle=0.710",
                                 "bodies.K5.start.angle=0.487", "bodies.K6.start.angle=1.01",
                                 "bodies.K7.start.angle=1.23",  "bodies.K3.start.x=-18.7 mm",
                                 "bodies.K3.start.y=20.5 mm",   "bodies.K5.start.x=-53.2 mm",
                                 "bodies.K7.start.y=-10.6 mm" };
    const m2d_read_def def = { .sets = sets, .n_sets = HA_COUNT(sets) };
    run r = run_file("examples/andrews.yaml", &def);

    expect_andrews(&r, 1e-6);
    run_end(&r);
}
END_TEST

/* Six and eight digits of all angles by explicit steps. */
START_TEST(andrews_runs_by_explicit_steps)
{
    static const struct {
        const char *driver, *rtol, *atol;
        double error;
    } ways[] = {
        { "simulate.driver=explicit", "simulate.rtol=1e-6", "simulate.atol=1e-6", 1e-5 },
        { "simulate.driver=explicit", "simulate.rtol=1e-9", "simulate.atol=1e-9", 1e-8 },
        { "simulate.driver=auto", "simulate.rtol=1e-9", "simulate.atol=1e-9", 1e-8 },
        { "simulate.driver=explicit8", "simulate.rtol=1e-7", "simulate.atol=1e-7", 1e-6 },
        { "simulate.driver=explicit8", "simulate.rtol=1e-10", "simulate.atol=1e-10", 1e-9 },
    };
    const char *const sets[] = { ways[_i].driver, ways[_i].rtol, ways[_i].atol };
    const m2d_read_def def = { .sets = sets, .n_sets = HA_COUNT(sets) };
    run r = run_file("examples/andrews.yaml", &def);

    expect_andrews(&r, ways[_i].error);
    ck_assert_int_eq(r.report.solver.driver, _i < 2 ? HA_DRIVER_EXPLICIT : HA_DRIVER_EXPLICIT8);
    ck_assert_int_eq(r.report.solver.last_order, _i < 2 ? 5 : 8);
    ck_assert_int_eq(r.report.solver.switches, 0);
    run_end(&r);
}
END_TEST

/* The one tape for accelerations and multipliers against the tapes of the equations and the
   Jacobian, at positions on the way. */
START_TEST(the_start_system_is_what_the_equations_say)
{
    const char *const sets[] = { "simulate.driver=explicit" };
    const m2d_read_def def = { .sets = sets, .n_sets = 1 };
    const double parameters[8] = { 3.0, 5.0 };
    run r = run_file("examples/andrews.yaml", &def);
    const ha_dae *dae = bg_model_dae(r.compiled);
    size_t n = (size_t) dae->n, n_k = (size_t) dae->n_start_values;
    double *y = calloc(n, sizeof *y), *yp = calloc(n, sizeof *yp), *f = calloc(n, sizeof *f);
    double *value = calloc(n_k + n, sizeof *value), *work = calloc(dae->work_size, sizeof *work);

    ck_assert(dae->start_system != NULL);
    dae->prepare(dae->model, parameters, work);
    for (size_t j = 0; j < n; j++) {
        y[j] = sin(3.0 * (double) j + 1.0);
        yp[j] = cos(2.0 * (double) j);
    }
    dae->start_system(dae->model, work, 0.01, y, value);
    for (size_t j = 0; j < n; j++) { /* K x + r, x as in y and yp */
        double x = dae->unknowns[j].kind == HA_DIFFERENTIAL ? yp[j] : y[j];
        yp[j] = dae->unknowns[j].kind == HA_DIFFERENTIAL ? yp[j] : 0.0;
        for (int64_t k = dae->start_column[j]; k < dae->start_column[j + 1]; k++) {
            int place = dae->start_index[k], constant = place - dae->n_start_values - dae->n;
            double entry = constant < 0 ? value[place] : dae->start_constant[constant];
            value[n_k + (size_t) dae->start_row[k]] += entry * x;
        }
    }
    dae->residual(dae->model, work, 0.01, y, yp, f);
    for (size_t i = 0; i < n; i++) {
        ck_assert_double_eq_tol(value[n_k + i], f[i], 1e-10 * (1.0 + fabs(f[i])));
    }
    free(y);
    free(yp);
    free(f);
    free(value);
    free(work);
    run_end(&r);
}
END_TEST

/* Stiff joints: what explicit steps can do is seen, and left to the other method. */
START_TEST(auto_leaves_a_stiff_mechanism_to_ida)
{
    const char *const sets[] = { "simulate.driver=auto", "simulate.t_end=2 ms",
                                 "simulate.rtol=1e-6", "simulate.atol=1e-6" };
    const m2d_read_def def = { .variant = "compliant", .sets = sets, .n_sets = HA_COUNT(sets) };
    const char *const plain_sets[] = { "simulate.driver=ida", sets[1], sets[2], sets[3] };
    const m2d_read_def plain = { .variant = "compliant",
                                 .sets = plain_sets,
                                 .n_sets = HA_COUNT(plain_sets) };
    run r = run_file("examples/andrews.yaml", &def), s = run_file("examples/andrews.yaml", &plain);

    ck_assert_int_eq(r.report.solver.first_driver, HA_DRIVER_EXPLICIT8);
    ck_assert_int_gt(r.report.solver.switches, 0);
    ck_assert_ptr_nonnull(strstr(r.report.solver.switch_reason, "stiff"));
    ck_assert_int_eq(s.report.solver.driver, HA_DRIVER_IDA);
    run_expect(&r, "K1.angle", run_last(&s, "K1.angle"), 1e-5);
    run_end(&r);
    run_end(&s);
}
END_TEST

/* The common pin E joins every pair of K2, K3, K4 and K6, the pin A also K5 and K7. */
START_TEST(andrews_runs_with_more_joints_than_it_needs)
{
    const char *const sets[] = { "joints.E34={type: revolute, between: [K3.E, K4.E]}",
                                 "joints.E36={type: revolute, between: [K3.E, K6.E]}",
                                 "joints.E46={type: revolute, between: [K4.E, K6.E]}",
                                 "joints.A57={type: revolute, between: [K5.A, K7.A]}" };
    const m2d_read_def def = { .sets = sets, .n_sets = HA_COUNT(sets) };
    int n_at_e = 0, n_at_a = 0;
    run r = run_file("examples/andrews.yaml", &def);

    expect_andrews(&r, 1e-6);
    ck_assert_int_eq(m2d_assembly_mobility(r.assembly), 1);
    ck_assert_int_eq(m2d_assembly_n_redundant(r.assembly), 8);
    for (int i = 0; i < 8; i++) { /* two rows of a pin; any joint of it may be the one too many */
        const char *row = m2d_assembly_redundant(r.assembly, i);
        n_at_e += row[0] == 'E' ? 1 : 0;
        n_at_a += row[0] == 'A' ? 1 : 0;
    }
    ck_assert_int_eq(n_at_e, 6);
    ck_assert_int_eq(n_at_a, 2);
    run_end(&r);
}
END_TEST

/* --- units ---------------------------------------------------------------------------------- */

static const double sizes[] = { 1e-3, 1.0, 1e3 };
static const double masses[] = { 1e-3, 1.0, 1e3 };

/* Sets a parameter or value of the file to a multiple of what it is there. */
typedef struct {
    const char *key;
    double value;     /* in SI units */
    int length, mass; /* exponents */
} scaled;

static const scaled andrews_values[] = {
    { "parameters.rr", 7e-3, 1, 0 },      { "parameters.ra", 0.92e-3, 1, 0 },
    { "parameters.d", 28e-3, 1, 0 },      { "parameters.da", 11.5e-3, 1, 0 },
    { "parameters.ss", 35e-3, 1, 0 },     { "parameters.sa", 18.74e-3, 1, 0 },
    { "parameters.sb", 10.43e-3, 1, 0 },  { "parameters.sc", 18e-3, 1, 0 },
    { "parameters.sd", 20e-3, 1, 0 },     { "parameters.e", 20e-3, 1, 0 },
    { "parameters.ea", 14.21e-3, 1, 0 },  { "parameters.zt", 40e-3, 1, 0 },
    { "parameters.ta", 23.08e-3, 1, 0 },  { "parameters.tb", 9.16e-3, 1, 0 },
    { "parameters.zf", 20e-3, 1, 0 },     { "parameters.fa", 14.21e-3, 1, 0 },
    { "parameters.u", 40e-3, 1, 0 },      { "parameters.ua", 12.28e-3, 1, 0 },
    { "parameters.ub", 4.49e-3, 1, 0 },   { "parameters.l0", 77.85e-3, 1, 0 },
    { "parameters.c0", 4530, 0, 1 },      { "parameters.mom", 0.033, 2, 1 },
    { "bodies.K1.mass", 43.25e-3, 0, 1 }, { "bodies.K1.inertia", 2.194e-6, 2, 1 },
    { "bodies.K2.mass", 3.65e-3, 0, 1 },  { "bodies.K2.inertia", 4.410e-7, 2, 1 },
    { "bodies.K3.mass", 23.73e-3, 0, 1 }, { "bodies.K3.inertia", 5.255e-6, 2, 1 },
    { "bodies.K4.mass", 7.06e-3, 0, 1 },  { "bodies.K4.inertia", 5.667e-7, 2, 1 },
    { "bodies.K5.mass", 70.50e-3, 0, 1 }, { "bodies.K5.inertia", 1.169e-5, 2, 1 },
    { "bodies.K6.mass", 7.06e-3, 0, 1 },  { "bodies.K6.inertia", 5.667e-7, 2, 1 },
    { "bodies.K7.mass", 54.98e-3, 0, 1 }, { "bodies.K7.inertia", 1.912e-5, 2, 1 },
};

static const struct {
    const char *name;
    double at[2];
} andrews_points[] = { { "A", { -69.34e-3, -2.27e-3 } },
                       { "B", { -36.35e-3, 32.73e-3 } },
                       { "C", { 14e-3, 72e-3 } } };

enum { N_VALUES = HA_COUNT(andrews_values), N_POINTS = HA_COUNT(andrews_points) };

/* Andrews' mechanism with one redundant pin, lengths times `length`, masses times `mass`. */
START_TEST(the_motion_does_not_depend_on_size_and_mass)
{
    double length = sizes[(size_t) _i % HA_COUNT(sizes)];
    double mass = masses[(size_t) _i / HA_COUNT(sizes)];
    char text[N_VALUES + N_POINTS + 2][120];
    const char *sets[N_VALUES + N_POINTS + 2];
    size_t n = 0;

    for (size_t k = 0; k < N_VALUES; k++, n++) {
        const scaled *v = &andrews_values[k];
        snprintf(text[n], sizeof text[n], "%s=%.17g", v->key,
                 v->value * pow(length, v->length) * pow(mass, v->mass));
    }
    for (size_t k = 0; k < N_POINTS; k++, n++) {
        snprintf(text[n], sizeof text[n], "ground.points.%s=[%.17g, %.17g]", andrews_points[k].name,
                 length * andrews_points[k].at[0], length * andrews_points[k].at[1]);
    }
    snprintf(text[n++], sizeof text[0], "joints.A57={type: revolute, between: [K5.A, K7.A]}");
    snprintf(text[n++], sizeof text[0], "simulate.atol=%g", 1e-8 * fmin(1.0, length));
    for (size_t k = 0; k < n; k++) {
        sets[k] = text[k];
    }
    const m2d_read_def def = { .sets = sets, .n_sets = (int) n };
    run r = run_file("examples/andrews.yaml", &def);

    ck_assert_int_eq(m2d_assembly_mobility(r.assembly), 1);
    ck_assert_int_eq(m2d_assembly_n_redundant(r.assembly), 2);
    expect_andrews(&r, 1e-5);
    run_expect(&r, "O.fx", 332.628490706 * mass * length, 1e-4);
    run_end(&r);
}
END_TEST

/* A row of two squares under weight, times going with the root of the length: through the
   horizontal, where two ranks are lost. */
START_TEST(singular_positions_do_not_depend_on_size_and_mass)
{
    double length = sizes[(size_t) _i % HA_COUNT(sizes)];
    double mass = masses[(size_t) _i / HA_COUNT(sizes)];
    double time = sqrt(length);
    char text[2000];

    snprintf(text, sizeof text,
             "halfarrow: 1\ngravity: [0, -9.81]\n"
             "parameters: {L: %.17g m, M: %.17g kg, J: M*L^2/12, V: %.17g m/s, W: %.17g rad/s}\n"
             "ground: {points: {G0: [0, 0], G1: [L, 0], G2: [2*L, 0]}}\n"
             "bodies:\n" SQUARES_BODIES "joints:\n" SQUARES_JOINTS
             "simulate: {t_end: %.17g, step: %.17g, rtol: 1e-9, atol: %g}\n",
             length, mass, length / time, 1.0 / time, 10.0 * time, 10.0 * time,
             1e-9 * fmin(1.0, length));
    run r = run_text(text);
    double angle = run_last(&r, "U0.angle");
    ck_assert_double_eq_tol(cos(angle), 0.3284581115, 1e-4);
    ck_assert_double_eq_tol(sin(angle), 0.9445185382, 1e-4);
    ck_assert_double_eq_tol(run_last(&r, "U0.omega") * time * cos(angle), -0.494868845, 5e-4);
    ck_assert_double_eq_tol(run_last(&r, "U2.angle"), angle, 1e-4);
    run_end(&r);
}
END_TEST

/* --- default tolerances --------------------------------------------------------------------- */

/* Lengths and masses by which nothing changes, gravity going with the length. */
static const struct {
    double length, mass;
} worlds[] = { { 1e-6, 1.0 }, { 1e-3, 1.0 },  { 1e3, 1.0 },  { 1e6, 1.0 },  { 1.0, 1e-9 },
               { 1.0, 1e9 },  { 1e-6, 1e-9 }, { 1e-6, 1e9 }, { 1e6, 1e-9 }, { 1e6, 1e9 } };

enum { WORLDS = HA_COUNT(worlds) };

/* Two squares, a slider-crank with a spring and a bar welded to its slide, and a pendulum. */
static run run_world(double length, double mass, const char *driver)
{
    char text[4000];

    snprintf(
        text, sizeof text,
        "halfarrow: 1\n"
        "parameters: {L: %.17g, M: %.17g, J: M*L^2/12, V: L, W: 1}\ngravity: [0, "
        "-9.81*L]\n"
        "ground: {points: {G0: [0, 0], G1: [L, 0], G2: [2*L, 0], S: [5*L, 0], P: [9*L, 0]}}\n"
        "bodies:\n" SQUARES_BODIES
        "  crank: {mass: M, inertia: J, points: {A: [-L/2, 0], B: [L/2, 0]}, start: {angle: 1, "
        "fixed: [angle]}}\n"
        "  rod: {mass: M, inertia: 9*J, points: {A: [-L, 0], B: [L, 0]}, start: {angle: -0.4}}\n"
        "  block: {mass: M, inertia: J, points: {B: [0, 0]}, start: {x: 7.3*L, angle: 0}}\n"
        "  bar: {mass: M, inertia: J, points: {B: [0, -L/4]}}\n"
        "  bob: {mass: M, inertia: 0, points: {P: [L, 0]}, start: {x: 8*L}}\n"
        "joints:\n" SQUARES_JOINTS "  S: {type: revolute, between: [ground.S, crank.A]}\n"
        "  T: {type: revolute, between: [crank.B, rod.A]}\n"
        "  M: {type: revolute, between: [rod.B, block.B]}\n"
        "  W: {type: weld, between: [block.B, bar.B]}\n"
        "  slide: {type: translational, between: [ground.S, block.B]}\n"
        "  P: {type: revolute, between: [ground.P, bob.P]}\n"
        "forces: {spring: {type: spring-damper, on: slide, stiffness: 40*M, damping: M/2, "
        "free_length: 2*L}}\n"
        "simulate: {t_end: 10, step: 0.5, driver: %s}\n",
        length, mass, driver);
    return run_text(text);
}

static const char *const drivers[] = { "ida", "explicit" };

/* The same steps lead to the same motion, up to round-off. */
START_TEST(size_and_mass_do_not_matter_where_no_tolerance_is_given)
{
    double length = worlds[_i % WORLDS].length, mass = worlds[_i % WORLDS].mass;
    const char *driver = drivers[_i / WORLDS];
    run one = run_world(1.0, 1.0, driver), other = run_world(length, mass, driver);
    size_t n = ha_result_n_rows(one.result);

    ck_assert_uint_eq(n, ha_result_n_rows(other.result));
    for (size_t i = 0; i < n; i++) {
        ck_assert_double_eq_tol(run_value(&other, i, "U0.angle"), run_value(&one, i, "U0.angle"),
                                1e-6);
        ck_assert_double_eq_tol(run_value(&other, i, "crank.omega"),
                                run_value(&one, i, "crank.omega"), 1e-5);
        ck_assert_double_eq_tol(run_value(&other, i, "slide.slide") / length,
                                run_value(&one, i, "slide.slide"), 1e-6);
        ck_assert_double_eq_tol(run_value(&other, i, "bob.vx") / length,
                                run_value(&one, i, "bob.vx"), 1e-5);
    }
    double angle = run_last(&other, "U0.angle");
    ck_assert_double_eq_tol(cos(angle), 0.3284581115, 1e-2);
    ck_assert_double_eq_tol(sin(angle), 0.9445185382, 1e-2);
    ck_assert_double_eq_tol(run_last(&other, "bob.x") / length - 9.0, -0.275087462573, 1e-3);
    ck_assert_double_eq_tol(run_last(&other, "bob.y") / length, -0.961419205100, 1e-3);
    ck_assert_double_le(other.report.energy_error, 0.02 * mass * length * length);
    ck_assert_double_eq(other.report.atol, 1e-6);
    run_end(&one);
    run_end(&other);
}
END_TEST

/* Explicit steps at a tolerance at which most of the singular positions stop them: what passes
   these decides on ranks and noise, and must not do so by units. */
START_TEST(tight_explicit_steps_do_not_depend_on_size_and_mass)
{
    double length = worlds[_i].length, mass = worlds[_i].mass;
    char text[2000];

    snprintf(text, sizeof text,
             "halfarrow: 1\n"
             "parameters: {L: %.17g, M: %.17g, J: M*L^2/12, V: L, W: 1}\ngravity: "
             "[0, -9.81*L]\n"
             "ground: {points: {G0: [0, 0], G1: [L, 0], G2: [2*L, 0]}}\n"
             "bodies:\n" SQUARES_BODIES "joints:\n" SQUARES_JOINTS
             "simulate: {t_end: 10, step: 0.5, driver: explicit, rtol: 1e-11, atol: %g}\n",
             length, mass, 1e-11 * fmax(1.0, length));
    run r = run_text(text);
    double angle = run_last(&r, "U0.angle");
    ck_assert_double_eq_tol(cos(angle), 0.3284581115, 1e-7);
    ck_assert_double_eq_tol(sin(angle), 0.9445185382, 1e-7);
    ck_assert_double_eq_tol(run_last(&r, "U0.omega") * cos(angle), -0.494868845, 1e-6);
    ck_assert_int_gt(r.report.solver.hops, 0);
    run_end(&r);
}
END_TEST

/* A square that starts folded flat: a joint that follows from the others there and is let go comes
   apart, by a length in the units of the mechanism. */
START_TEST(what_comes_apart_is_told_whatever_its_size)
{
    static const double lengths[] = { 1e-6, 1.0, 1e3 };
    char text[1200];
    run r = run_new();

    snprintf(
        text, sizeof text,
        "halfarrow: 1\n"
        "parameters: {L: %g m, M: 1 kg, J: M*L^2/12}\ngravity: [0, -9.81*L]\n"
        "ground: {points: {G0: [0, 0], G1: [L, 0]}}\n"
        "bodies:\n"
        "  U0: {mass: M, inertia: J, points: {A: [-L/2, 0], B: [L/2, 0]}, start: {x: L/2, y: 0 m, "
        "angle: 0, omega: -1}}\n"
        "  U1: {mass: M, inertia: J, points: {A: [-L/2, 0], B: [L/2, 0]}, start: {x: 1.5*L, y: 0 "
        "m, "
        "angle: 0, omega: -1}}\n"
        "  C0: {mass: M, inertia: J, points: {A: [-L/2, 0], B: [L/2, 0]}, start: {x: 1.5*L, y: 0 "
        "m, "
        "angle: 0}}\n"
        "joints:\n"
        "  J0: {type: revolute, between: [ground.G0, U0.A]}\n"
        "  J1: {type: revolute, between: [ground.G1, U1.A]}\n"
        "  K0: {type: revolute, between: [U0.B, C0.A]}\n"
        "  L0: {type: revolute, between: [U1.B, C0.B]}\n"
        "simulate: {t_end: 1, step: 0.1}\n",
        lengths[_i]);
    run_check(&r, m2d_read_text(r.ctx, text, strlen(text), "m.yaml", NULL, &r.model));
    ck_assert_int_eq(run_model(&r), HA_ERR_SINGULAR);
    bool is_told = false;
    for (size_t i = 0; i < ha_ctx_n_diags(r.ctx); i++) {
        is_told = is_told || strstr(ha_ctx_diag(r.ctx, i)->text, "came apart by") != NULL;
    }
    ck_assert(is_told);
    run_end(&r);
}
END_TEST

/* A tolerance that is given is that of every unknown: too coarse for a mechanism of micrometres. */
START_TEST(a_tolerance_that_is_given_is_taken_as_it_is)
{
    static const char model[] =
        "halfarrow: 1\ngravity: [0, -9.81e-6]\nground: {points: {O: [0, 0]}}\n"
        "bodies: {B: {mass: 1, inertia: 0, points: {O: [1e-6, 0]}, start: {x: -1e-6}}}\n"
        "joints: {O: {type: revolute, between: [ground.O, B.O]}}\n"
        "simulate: {t_end: 10%s}\n";
    char text[sizeof model + 40];

    snprintf(text, sizeof text, model, ", atol: 1e-6");
    run coarse = run_text(text);
    snprintf(text, sizeof text, model, "");
    run fine = run_text(text);
    ck_assert_double_eq(coarse.report.atol, 1e-6);
    ck_assert_int_lt(coarse.report.solver.steps, fine.report.solver.steps);
    ck_assert_double_gt(coarse.report.energy_error, 3.0 * fine.report.energy_error);
    run_expect(&fine, "B.x", -0.275087462573e-6, 2e-3);
    run_end(&coarse);
    run_end(&fine);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("benchmarks");
    TCase *tests = tcase_create("benchmarks");
    int n = (int) (HA_COUNT(sizes) * HA_COUNT(masses));

    tcase_add_test(tests, a_pendulum_gives_the_published_rows);
    tcase_add_test(tests, andrews_runs_from_a_drawing_of_three_digits);
    tcase_add_test(tests, andrews_runs_with_more_joints_than_it_needs);
    tcase_add_loop_test(tests, andrews_runs_by_explicit_steps, 0, 5);
    tcase_add_test(tests, the_start_system_is_what_the_equations_say);
    tcase_add_test(tests, auto_leaves_a_stiff_mechanism_to_ida);
    tcase_add_loop_test(tests, the_motion_does_not_depend_on_size_and_mass, 0, n);
    tcase_add_loop_test(tests, singular_positions_do_not_depend_on_size_and_mass, 0, n);
    tcase_add_loop_test(tests, size_and_mass_do_not_matter_where_no_tolerance_is_given, 0,
                        2 * WORLDS);
    tcase_add_loop_test(tests, tight_explicit_steps_do_not_depend_on_size_and_mass, 0, WORLDS);
    tcase_add_loop_test(tests, what_comes_apart_is_told_whatever_its_size, 0, 3);
    tcase_add_test(tests, a_tolerance_that_is_given_is_taken_as_it_is);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
