/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every example that is a mechanism by every method of integration: each is the truth for the
 * others. Places and rates agree in all rows within the tolerance times what a motion may spread it
 * by, and each method's energy book closes.
 */
#include <config.h>

#include "tests/unit/mech2d/run.h"

#include <stdio.h>

static const double TOLERANCE = 1e-8;

typedef struct {
    const char *name;
    const char *t_end;
    double spread; /* of places and rates beside the largest of their column and 1, in tolerances */
    double energy; /* allowed error of the energy book [J] */
} example;

/* Times are short where bodies bounce or a pendulum goes over the top: neighbours part there. */
static const example examples[] = {
    { "andrews", "30 ms", 100, 1e-6 },
    { "belt", "3 s", 100, 1e-4 },
    { "bouncing_mass", "1 s", 1e4, 1e-5 },
    { "clearance_slider_crank", "1 ms", 1e4, 1e-3 },
    { "differential", "1 s", 100, 1e-4 },
    { "double_pendulum", "2 s", 100, 1e-5 },
    { "four_bar", "1 s", 100, 1e-5 },
    { "incline", "2 s", 1e3, 1e-5 },
    { "inverted_pendulum", "2 s", 100, 1e-5 },
    { "motor_four_bar", "0.5 s", 100, 1e-4 },
    { "pendulum", "2 s", 100, 1e-5 },
    { "planetary_gear", "0.5 s", 100, 1e-5 },
    { "rapson", "1 s", 100, 1e-4 },
    { "scotch_yoke", "0.2 s", 100, 1e-4 },
    { "slider_crank", "0.5 s", 100, 1e-4 },
    { "slider_crank_driven", "80 ms", 100, 1e-4 },
    { "stick_slip", "3 s", 1e3, 1e-4 },
    { "track", "2 s", 1e3, 1e-5 },
    { "trailing_arm", "0.5 s", 100, 1e-3 },
    { "whitworth", "1 s", 100, 1e-4 },
};

static run run_by(const example *x, const char *driver)
{
    char path[64], method[64], end[64];
    const char *const sets[] = { method, end, "simulate.rtol=1e-8", "simulate.atol=1e-8" };
    const m2d_read_def def = { .sets = sets, .n_sets = HA_COUNT(sets) };

    snprintf(path, sizeof path, "examples/%s.yaml", x->name);
    snprintf(method, sizeof method, "simulate.driver=%s", driver);
    snprintf(end, sizeof end, "simulate.t_end=%s", x->t_end);
    return run_file(path, &def);
}

/* True for a column with a place or a rate. */
static bool is_state(const char *name)
{
    static const char *const ends[] = { ".x", ".y", ".angle", ".vx", ".vy", ".omega" };
    const char *dot = strrchr(name, '.');

    for (size_t i = 0; dot != NULL && i < HA_COUNT(ends); i++) {
        if (strcmp(dot, ends[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void expect_same(const example *x, const char *driver, const run *r, const run *truth)
{
    size_t n_rows = ha_result_n_rows(truth->result);

    ck_assert_uint_eq(ha_result_n_rows(r->result), n_rows);
    for (size_t j = 1; j < ha_result_n_columns(truth->result); j++) {
        const char *name = ha_result_name(truth->result, j);
        double size = 1.0, off = 0.0;
        for (size_t i = 0; i < n_rows; i++) {
            double wanted = ha_result_value(truth->result, i, j);
            size = fmax(size, fabs(wanted));
            off = fmax(off, fabs(ha_result_value(r->result, i, j) - wanted));
        }
        ck_assert_msg(!is_state(name) || off <= x->spread * TOLERANCE * size,
                      "%s by %s: %s is off by %g of %g", x->name, driver, name, off, size);
    }
}

START_TEST(every_method_gives_the_same_motion)
{
    static const char *const drivers[] = { "explicit", "explicit8", "auto" };
    const example *x = &examples[_i];
    run truth = run_by(x, "ida");

    ck_assert_double_le(truth.report.energy_error, x->energy);
    for (size_t d = 0; d < HA_COUNT(drivers); d++) {
        run r = run_by(x, drivers[d]);
        expect_same(x, drivers[d], &r, &truth);
        ck_assert_msg(r.report.energy_error <= x->energy, "%s by %s: the energy is off by %g J",
                      x->name, drivers[d], r.report.energy_error);
        run_end(&r);
    }
    run_end(&truth);
}
END_TEST

/* A hub with hundreds of equal bodies hinged to it in a circle, no weight: it turns as the ring of
   point masses and it do together, at the speed that it has. */
START_TEST(a_hub_of_hundreds_of_hinges_turns_evenly)
{
    enum { N = 400 };
    static char text[N * 220 + 1000];
    const char *const method[] = { "ida", "explicit" };
    int n =
        snprintf(text, sizeof text,
                 "halfarrow: 1\ngravity: [0, 0]\nground: {points: {O: [0, 0]}}\nbodies:\n"
                 "  C: {mass: 10, inertia: 5, start: {angle: 0, omega: 2, fixed: [angle, omega]}, "
                 "points: {O: [0, 0]");
    for (int i = 0; i < N; i++) {
        n += snprintf(text + n, sizeof text - (size_t) n,
                      ", P%d: [cos(%d*2*pi/%d), sin(%d*2*pi/%d)]", i, i, N, i, N);
    }
    n += snprintf(text + n, sizeof text - (size_t) n, "}}\n");
    for (int i = 0; i < N; i++) {
        n +=
            snprintf(text + n, sizeof text - (size_t) n,
                     "  B%d: {mass: 1, inertia: 0.1, points: {A: [0, 0]}, start: {angle: 0}}\n", i);
    }
    n += snprintf(text + n, sizeof text - (size_t) n,
                  "joints:\n  O: {type: revolute, between: [ground.O, C.O]}\n");
    for (int i = 0; i < N; i++) {
        n += snprintf(text + n, sizeof text - (size_t) n,
                      "  J%d: {type: revolute, between: [C.P%d, B%d.A]}\n", i, i, i);
    }
    snprintf(text + n, sizeof text - (size_t) n,
             "simulate: {t_end: 1, step: 1, driver: %s}\noutputs: [C.angle, B7.omega]\n",
             method[_i]);
    run r = run_text(text);
    ck_assert_double_eq_tol(run_last(&r, "C.angle"), 2.0, 1e-4);
    ck_assert_double_eq_tol(run_last(&r, "B7.omega"), 0.0, 1e-4);
    run_end(&r);
}
END_TEST

/* Van der Pol's oscillator, which is stiff between its jumps when mu is large. */
static run run_van_der_pol(int mu, const char *driver)
{
    char text[512];

    snprintf(text, sizeof text,
             "halfarrow: 1\ngravity: [0, 0]\nbodies:\n"
             "  ball: {mass: 1, inertia: 0.1, points: {A: [0, 0]}, start: {x: 2}}\n"
             "forces:\n"
             "  pull: {type: force, on: ball.A, value: [%d*(1-ball.x^2)*ball.vx - ball.x, 0]}\n"
             "simulate: {t_end: %d, rtol: 1e-7, atol: 1e-7, driver: %s}\n",
             mu, 4 * mu + 20, driver);
    return run_text(text);
}

START_TEST(auto_stays_with_explicit_steps_where_they_are_not_limited)
{
    for (int mu = 1; mu <= 5; mu += 4) {
        run r = run_van_der_pol(mu, "auto"), ida = run_van_der_pol(mu, "ida");
        ck_assert_int_eq(r.report.solver.switches, 0);
        ck_assert_int_eq(r.report.solver.driver, HA_DRIVER_EXPLICIT8);
        run_expect_near(&r, "ball.x", run_last(&ida, "ball.x"), 1e-3);
        run_end(&r);
        run_end(&ida);
    }
}
END_TEST

/* What the default driver begins with, and what is against explicit steps. */
START_TEST(the_default_driver_follows_the_equations)
{
    static const struct {
        const char *force;
        int driver;
        const char *reason;
    } cases[] = {
        { "-ball.x", HA_DRIVER_EXPLICIT8, "nothing switches" },
        /* a step ends at a clock */
        { "if(t > 0.5, 1, 0)", HA_DRIVER_EXPLICIT8, "nothing switches" },
        { "if(ball.x > 1, 1, 0)", HA_DRIVER_IDA, "the equations switch" },
    };
    char text[400];

    snprintf(text, sizeof text,
             "halfarrow: 1\ngravity: [0, 0]\nbodies:\n"
             "  ball: {mass: 1, inertia: 0.1, points: {A: [0, 0]}, start: {x: 2}}\n"
             "forces: {pull: {type: force, on: ball.A, value: [\"%s\", 0]}}\n"
             "simulate: {t_end: 1}\n",
             cases[_i].force);
    run r = run_text(text);
    ck_assert_int_eq(r.report.solver.first_driver, cases[_i].driver);
    ck_assert_ptr_nonnull(strstr(r.report.solver.switch_reason, cases[_i].reason));
    run_end(&r);
}
END_TEST

/* The steps, as a measure of time, of explicit tries and of IDA: few more than those of IDA alone.
 */
START_TEST(auto_loses_little_to_a_stiff_system)
{
    run r = run_van_der_pol(300, "auto"), ida = run_van_der_pol(300, "ida");

    ck_assert_int_gt(r.report.solver.switches, 0);
    ck_assert_ptr_nonnull(strstr(r.report.solver.switch_reason, "stiff"));
    ck_assert_int_lt(r.report.solver.steps, 6 * ida.report.solver.steps / 5);
    run_expect_near(&r, "ball.x", run_last(&ida, "ball.x"), 1e-3);
    run_end(&r);
    run_end(&ida);
}
END_TEST

/* --- an end stop that throws --------------------------------------------------------------------
 */

/* A slider-crank whose hinge rubs starts deep in a stiff stop, which throws it; the friction
   there goes through its bend many times as fast as the motion. */
static run run_thrown(double upper, double stiffness, const char *settings)
{
    char text[2000];

    snprintf(text, sizeof text,
             "halfarrow: 1\ngravity: [0, 0]\nground: {points: {O: [0, 0]}}\nbodies:\n"
             "  crank: {mass: 0.75, inertia: 1.8e-3, points: {O: [0, 0], A: [0.084, 0]},\n"
             "          start: {angle: -0.684, omega: 2, fixed: [angle, omega]}}\n"
             "  rod: {mass: 1.75, inertia: 9.6e-3, points: {A: [-0.128, 0], B: [0.128, 0]},\n"
             "        start: {x: 0.1904, y: -0.0265, angle: 0.2087}}\n"
             "  piston: {mass: 0.126, inertia: 1.3e-4, points: {B: [0, 0]}, start: {x: 0.3158}}\n"
             "joints:\n"
             "  O: {type: revolute, between: [ground.O, crank.O]}\n"
             "  A: {type: revolute, between: [crank.A, rod.A]}\n"
             "  B: {type: revolute, between: [rod.B, piston.B]}\n"
             "  S: {type: translational, between: [ground.O, piston.B]}\n"
             "forces:\n"
             "  drive: {type: torque, on: crank, value: -0.42 - 0.07*crank.omega}\n"
             "  stop: {type: stop, on: S, upper: %g, stiffness: %g, damping: 200}\n"
             "  rub: {type: friction, on: A, radius: 0.0118, friction: 0.334,\n"
             "        friction_speed: 3.3e-3}\n"
             "simulate: {t_end: 0.37, %s}\n",
             upper, stiffness, settings);
    return run_text(text);
}

static const struct {
    double upper, stiffness;
} throws[] = { { 0.2437, 8.5e6 }, { 0.30, 5.5e6 }, { 0.29, 8.5e6 } };

/* Drift that dies out fast makes steps short, which tells of no fast motion. */
START_TEST(drift_does_not_die_out_ever_faster)
{
    static const char *const settings[] = { "rtol: 1e-6, atol: 1e-9", "rtol: 1e-7, atol: 1e-9",
                                            "rtol: 1e-8, atol: 1e-9" };
    run r = run_thrown(throws[_i / 3].upper, throws[_i / 3].stiffness, settings[_i % 3]);

    ck_assert_int_le(r.report.solver.steps, 20000);
    ck_assert_double_le(r.report.alpha, 1e4);
    run_end(&r);
}
END_TEST

/* Where nothing is singular a long step that goes over what is fast is no way to pass it. */
START_TEST(a_stop_throws_alike_by_every_method)
{
    static const char *const drivers[] = { "driver: ida", "driver: explicit", "driver: explicit8" };
    double upper = throws[_i / 3].upper, stiffness = throws[_i / 3].stiffness;
    run truth = run_thrown(upper, stiffness, "driver: explicit, rtol: 1e-9");
    run r = run_thrown(upper, stiffness, drivers[_i % 3]);

    ck_assert_int_eq(r.report.solver.hops, 0);
    ck_assert_double_le(r.report.energy_error, 1e-4 * r.report.energy_passed);
    run_expect_near(&r, "crank.angle", run_last(&truth, "crank.angle"), 0.1);
    run_expect_near(&r, "crank.omega", run_last(&truth, "crank.omega"), 1.0);
    run_end(&r);
    run_end(&truth);
}
END_TEST

/* Four-bar linkages that whip through their dead points, where implicit steps collapse. The
   constraints lose rank only where all bars lie in one line, that is where +-a +-b +-c is the
   ground's length, and of these linkages none can. */
static const struct {
    double ground, length[3], mass[3], angle[3], omega, t_end;
} linkages[] = {
    { 0.181, { 0.956, 0.235, 0.765 }, { 0.976, 1.12, 2.19 }, { 1.55, -1.86, -1.27 }, 0.812, 2.0 },
    { 0.28, { 0.654, 0.196, 0.915 }, { 1.44, 2.34, 2.73 }, { -1.93, 2.99, 0.688 }, 3.62, 2.0 },
    { 0.21, { 0.409, 0.257, 0.629 }, { 1.62, 1.66, 2.48 }, { 1.33, 2.56, -1.03 }, -0.616, 1.0 },
    { 0.23, { 0.707, 0.657, 0.21 }, { 0.815, 0.207, 0.448 }, { 0.0388, -2.89, 0.709 }, -7.31, 1.0 },
    { 0.213, { 0.524, 0.506, 0.829 }, { 1.94, 2.99, 2.21 }, { 3.01, -1.52, 0.555 }, 9.7, 1.0 }
};

/* Writes a bar behind what is there. */
static void add_bar(char *text, size_t size, int linkage, int k)
{
    const double l = linkages[linkage].length[k], m = linkages[linkage].mass[k];
    size_t n = strlen(text);

    snprintf(text + n, size - n,
             "  %c: {mass: %.9g, inertia: %.9g, points: {A: [%.9g, 0], B: [%.9g, 0]}, start: "
             "{angle: %.9g",
             "abc"[k], m, m * l * l / 12.0, -0.5 * l, 0.5 * l, linkages[linkage].angle[k]);
    n = strlen(text);
    if (k == 0) {
        snprintf(text + n, size - n, ", omega: %.9g, fixed: [angle, omega]",
                 linkages[linkage].omega);
    }
    strcat(text, "}}\n");
}

START_TEST(a_linkage_that_cannot_fold_passes_no_singular_position)
{
    const double *l = linkages[_i].length, ground = linkages[_i].ground;
    char text[4096];

    for (int k = 0; k < 8; k++) {
        double sum = (k & 1 ? l[0] : -l[0]) + (k & 2 ? l[1] : -l[1]) + (k & 4 ? l[2] : -l[2]);
        ck_assert_double_gt(fabs(sum - ground), 0.01);
    }
    snprintf(text, sizeof text,
             "halfarrow: 1\nground: {points: {O: [0, 0], D: [%.9g, 0]}}\nbodies:\n", ground);
    for (int k = 0; k < 3; k++) {
        add_bar(text, sizeof text, _i, k);
    }
    snprintf(text + strlen(text), sizeof text - strlen(text),
             "joints:\n"
             "  O: {type: revolute, between: [ground.O, a.A]}\n"
             "  P: {type: revolute, between: [a.B, b.A]}\n"
             "  Q: {type: revolute, between: [b.B, c.A]}\n"
             "  R: {type: revolute, between: [c.B, ground.D]}\n"
             "simulate: {t_end: %g, driver: ida}\n",
             linkages[_i].t_end);
    run r = run_text(text);
    ck_assert_int_eq(r.report.solver.singular_passes, 0);
    run_end(&r);
}
END_TEST

/* A linkage that no position can fold, torn by a stiff spring against friction that hangs on its
   reactions, which no straight line gives: steps get short for the spring, and none may go over
   something else with stages that nothing was solved in. What is there in the end is as implicit
   steps a thousand times as exact have it. */
START_TEST(a_torn_linkage_keeps_its_energy)
{
    static const char *const drivers[] = { "explicit", "explicit8", "ida" };
    static const char model[] =
        "halfarrow: 1\nground: {points: {O: [0, 0], D: [0.703, 0]}}\nbodies:\n"
        "  a: {mass: 1.82, inertia: 0.0667, points: {A: [-0.331, 0], B: [0.331, 0]}, "
        "start: {angle: -1.364, omega: -3.086, fixed: [angle, omega]}}\n"
        "  b: {mass: 0.542, inertia: 0.0176, points: {A: [-0.312, 0], B: [0.312, 0]}, "
        "start: {x: 0.443, y: -0.593, angle: 0.18}}\n"
        "  c: {mass: 1.945, inertia: 0.0471, points: {A: [-0.27, 0], B: [0.27, 0]}, "
        "start: {x: 0.727, y: -0.268, angle: 1.66}}\n"
        "joints:\n"
        "  O: {type: revolute, between: [ground.O, a.A]}\n"
        "  P: {type: revolute, between: [a.B, b.A]}\n"
        "  Q: {type: revolute, between: [b.B, c.A]}\n"
        "  R: {type: revolute, between: [c.B, ground.D]}\n"
        "forces:\n"
        "  s: {type: spring-damper, on: R, stiffness: 15395, damping: 54, free_angle: 0.674}\n"
        "  f: {type: friction, on: O, radius: 0.002125, friction: 0.051, friction_law: zimmer}\n"
        "simulate: {t_end: 0.5, driver: %s%s}\n";
    char text[2000];

    snprintf(text, sizeof text, model, "ida", ", rtol: 1e-9, atol: 1e-9");
    run truth = run_text(text);
    snprintf(text, sizeof text, model, drivers[_i], "");
    run r = run_text(text);
    ck_assert_int_eq(r.report.solver.singular_passes, 0);
    ck_assert_double_le(r.report.energy_error, 1e-4 * r.report.energy_passed);
    run_expect_near(&r, "a.angle", run_last(&truth, "a.angle"), 1e-3);
    run_expect_near(&r, "c.angle", run_last(&truth, "c.angle"), 1e-3);
    run_end(&r);
    run_end(&truth);
}
END_TEST

/* A block that slides until it stands has turned its kinetic energy into heat. Explicit steps are
   far beyond their bound of stability where it stands, and what they do inside is in the heat. */
START_TEST(a_block_that_stands_heats_no_more)
{
    static const struct {
        const char *driver;
        double mass, speed, friction;
    } cases[] = { { "explicit8", 1.2, 0.11, 0.25 },
                  { "explicit8", 1.9, 0.9, 0.31 },
                  { "explicit", 1.2, 0.11, 0.25 },
                  { "ida", 1.2, 0.11, 0.25 } };
    const double mass = cases[_i].mass, speed = cases[_i].speed;
    char text[600];

    snprintf(text, sizeof text,
             "halfarrow: 1\nground: {points: {O: [0, 0]}}\n"
             "bodies: {b: {mass: %g, inertia: 0.01, points: {C: [0, 0]}, "
             "start: {vx: %g, fixed: [vx]}}}\n"
             "joints: {G: {type: translational, between: [ground.O, b.C]}}\n"
             "forces: {f: {type: friction, on: G, friction: %g, friction_law: threlfall}}\n"
             "simulate: {t_end: 0.6, driver: %s}\noutputs: [b, energy]\n",
             mass, speed, cases[_i].friction, cases[_i].driver);
    run r = run_text(text);
    ck_assert_double_eq_tol(run_last(&r, "energy.dissipated"), 0.5 * mass * speed * speed,
                            1e-6 * mass * speed * speed);
    run_end(&r);
}
END_TEST

/* A torque c / (t - t*) brings anything to any speed: no method gets over it, be it by steps that
   end on both sides or by those over singular positions. */
START_TEST(no_method_passes_a_pole_of_a_source)
{
    static const char *const drivers[] = { "ida", "explicit", "explicit8", "auto" };
    static const char *const torques[] = { "1/(t - 0.5)", "0.01/(t - 1/3)", "-1e-4/(t - 0.4871)" };
    static const char *const rtol[] = { "1e-2", "1e-3", "1e-5" };
    char text[1024];

    snprintf(text, sizeof text,
             "halfarrow: 1\nground: {points: {O: [0, 0]}}\nbodies:\n"
             "  b: {mass: 1, inertia: 0.1, points: {A: [-0.5, 0]}}\n"
             "joints: {J: {type: revolute, between: [ground.O, b.A]}}\n"
             "forces: {d: {type: torque, on: b, value: '%s'}}\n"
             "simulate: {t_end: 1, driver: %s, rtol: %s}\n",
             torques[_i % 3], drivers[_i / 9], rtol[_i / 3 % 3]);
    run_expect_failure(text, HA_ERR_SOLVER, "the solver stopped at t = 0.");
}
END_TEST

/* The bounds of a signal over a step may be infinite where it is not. */
START_TEST(what_only_looks_like_a_pole_is_passed)
{
    static const char *const torques[] = { "(t - 0.5)/((t - 0.5)^2 + 1e-3)",
                                           "tan(t)/(1 + tan(t)^2)" };
    char text[1024];

    snprintf(text, sizeof text,
             "halfarrow: 1\nbodies:\n  b: {mass: 1, inertia: 0.1}\n"
             "forces: {d: {type: torque, on: b, value: '%s'}}\n"
             "simulate: {t_end: 1.9, driver: %s}\n",
             torques[_i % 2], _i / 2 == 0 ? "ida" : "explicit8");
    run r = run_text(text);
    run_end(&r);
}
END_TEST

/* Four-bars whose hinges hold: what was known to nothing at the start, where the links are in line,
   and held for ever; a rocker that turns back, on whose angle friction has no lever; loads that are
   0 at the start; three that hold at once, between whose velocities is drift. Where two methods
   with a tolerance of 1e-10 end, both alike. */
typedef struct {
    double frame, foot, speed; /* C; O on the crank; of the crank */
    double lengths[3], masses[3], inertias[3], angles[3];
    const char *rest; /* of the file */
    double end;       /* angle of the rocker */
} four_bar;

static const four_bar four_bars[] = {
    { 0.27,
      0,
      0,
      { 0.06, 0.2, 0.086 },
      { 0.24, 0.2, 0.0774 },
      { 3.6e-4, 6.67e-4, 4.77e-5 },
      { 0.0, -0.41986775369, -1.89470291768 },
      "forces: {d: {type: torque, on: crank, value: 0.45*sin(40*t)}}\n"
      "bondgraph:\n"
      "  elements: {dry_B: {type: Dry, value: 0.1*abs(sin(40*t))}, dry_A: {type: Dry, value: "
      "0.018}}\n"
      "  bonds: [B.axis > dry_B, A.axis > dry_A]\n"
      "simulate: {t_end: 0.26, ",
      -2.20219 },
    { 0.32,
      -0.135,
      -1,
      { 0.27, 0.46, 0.38 },
      { 0.189, 1.84, 1.9 },
      { 0.00115, 0.0324, 0.0229 },
      { 0.698131700798, -1.94779590998, -2.40900235519 },
      "gravity: [0, 0]\n"
      "forces:\n"
      "  s: {type: spring-damper, on: B, stiffness: 0.054, damping: 0.018, free_angle: -0.461}\n"
      "  m: {type: friction, on: O, radius: 15 mm, friction_law: karnopp, friction: 0.38}\n"
      "  n: {type: friction, on: A, radius: 15 mm, friction_law: karnopp, friction: 0.035, "
      "static_friction: 0.043, friction_speed: 10 mm/s}\n"
      "  o: {type: friction, on: B, radius: 15 mm, friction_law: karnopp, friction: 0.045, "
      "static_friction: 0.067}\n"
      "simulate: {t_end: 6, ",
      1.632735375 },
    { 0.27,
      -0.0305,
      0,
      { 0.061, 0.3, 0.22 },
      { 0.0354, 0.3, 0.352 },
      { 1.1e-5, 0.00225, 0.00142 },
      { 1.0471975512, 0.59019249737, 1.52646330744 },
      "gravity: [0, 0]\n"
      "forces:\n"
      "  d: {type: torque, on: crank, value: 0.069*sin(8.2*t)}\n"
      "  n: {type: friction, on: A, radius: 15 mm, friction_law: karnopp, friction: 0.2, "
      "static_friction: 0.242, friction_speed: 6.9 mm/s}\n"
      "simulate: {t_end: 0.79, ",
      1.876572 },
    { 0.27,
      -0.155,
      0,
      { 0.31, 0.37, 0.48 },
      { 0.874, 0.299, 0.566 },
      { 0.14, 0.00341, 0.0109 },
      { 0.785398163397, 0.488109737473, 0.958205341421 },
      "gravity: [0, 0]\n"
      "forces:\n"
      "  d: {type: torque, on: crank, value: 4.1*sin(12.6*t)}\n"
      "  n: {type: friction, on: B, radius: 10 mm, friction_law: karnopp, friction: 0.336, "
      "static_friction: 0.401, friction_speed: 0.523 mm/s}\n"
      "simulate: {t_end: 0.69, ",
      1.636107693 },
    { 0.44684,
      -0.0268188,
      12.252,
      { 0.0536376, 0.341374, 0.469994 },
      { 1.7751, 0.15536, 0.98674 },
      { 0.00042558, 0.0015088, 0.018164 },
      { -1.6153512, 1.35874, 2.50301 },
      "forces:\n"
      "  n: {type: friction, on: C, radius: 14.8 mm, friction: 0.206, friction_law: karnopp}\n"
      "  o: {type: friction, on: A, radius: 11.6 mm, friction: 0.197, friction_law: karnopp, "
      "static_friction: 0.35}\n"
      "  p: {type: friction, on: O, radius: 12.9 mm, friction: 0.261, friction_law: karnopp}\n"
      "  d: {type: torque, on: crank, value: 0.3715*sin(3.443*t)}\n"
      "simulate: {t_end: 0.3403, ",
      2.492943529125 },
};

static int write_link(char *text, size_t size, const four_bar *b, int k)
{
    static const char *const names[] = { "crank", "coupler", "rocker" };
    static const char *const ends[] = { "OA", "AB", "CB" };
    const double from = k == 0 ? b->foot : -0.5 * b->lengths[k];
    const char *speed = b->speed != 0.0 && k == 0 ? ", omega" : "";

    return snprintf(text, size,
                    "  %s: {mass: %g, inertia: %g, points: {%c: [%g, 0], %c: [%g, 0]}, "
                    "start: {angle: %.12g, omega: %g, fixed: [%s%s]}}\n",
                    names[k], b->masses[k], b->inertias[k], ends[k][0], from, ends[k][1],
                    from + b->lengths[k], b->angles[k], k == 0 ? b->speed : 0.0,
                    k == 0 ? "angle" : "", speed);
}

START_TEST(a_four_bar_whose_hinges_hold_moves_alike_by_every_method)
{
    static const char *const drivers[] = { "ida", "explicit", "explicit8", "auto" };
    const four_bar *b = &four_bars[_i / 4];
    char text[4096];
    size_t n = (size_t) snprintf(
        text, sizeof text, "halfarrow: 1\nground: {points: {O: [0, 0], C: [%g, 0]}}\nbodies:\n",
        b->frame);

    for (int k = 0; k < 3; k++) {
        n += (size_t) write_link(text + n, sizeof text - n, b, k);
    }
    snprintf(text + n, sizeof text - n,
             "joints:\n"
             "  O: {type: revolute, between: [ground.O, crank.O]}\n"
             "  A: {type: revolute, between: [crank.A, coupler.A]}\n"
             "  B: {type: revolute, between: [coupler.B, rocker.B]}\n"
             "  C: {type: revolute, between: [ground.C, rocker.C]}\n"
             "%sdriver: %s}\n",
             b->rest, drivers[_i % 4]);
    run r = run_text(text);
    ck_assert_double_eq_tol(run_last(&r, "rocker.angle"), b->end, 1e-3);
    run_end(&r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("drivers");
    TCase *tests = tcase_create("drivers");

    tcase_add_loop_test(tests, every_method_gives_the_same_motion, 0, HA_COUNT(examples));
    tcase_add_loop_test(tests, a_hub_of_hundreds_of_hinges_turns_evenly, 0, 2);
    tcase_add_test(tests, auto_stays_with_explicit_steps_where_they_are_not_limited);
    tcase_add_loop_test(tests, the_default_driver_follows_the_equations, 0, 3);
    tcase_add_test(tests, auto_loses_little_to_a_stiff_system);
    tcase_add_loop_test(tests, drift_does_not_die_out_ever_faster, 0, 3 * (int) HA_COUNT(throws));
    tcase_add_loop_test(tests, a_linkage_that_cannot_fold_passes_no_singular_position, 0,
                        (int) HA_COUNT(linkages));
    tcase_add_loop_test(tests, a_torn_linkage_keeps_its_energy, 0, 3);
    tcase_add_loop_test(tests, a_block_that_stands_heats_no_more, 0, 4);
    tcase_add_loop_test(tests, a_stop_throws_alike_by_every_method, 0, 3 * (int) HA_COUNT(throws));
    tcase_add_loop_test(tests, no_method_passes_a_pole_of_a_source, 0, 36);
    tcase_add_loop_test(tests, what_only_looks_like_a_pole_is_passed, 0, 4);
    tcase_add_loop_test(tests, a_four_bar_whose_hinges_hold_moves_alike_by_every_method, 0,
                        4 * (int) HA_COUNT(four_bars));
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
