/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Motions through positions where the constraint matrix loses rank, against equations of motion in
 * one angle that know nothing of constraints:
 *
 * A row of n squares of uniform bars (1 m, 1 kg) whose uprights turn through the horizontal, where
 * n ranks are lost. The uprights stay parallel, so that with k = g ((n + 1) / 2 + n) / ((n + 1) / 3
 * + n)
 *   angle'' = -k cos(angle).
 *
 * An anti-parallelogram, cranks 1 m, coupler and frame 1.5 m, all bars 1 kg: it folds flat twice a
 * turn, and could go on as a parallelogram. A slider-crank of crank and rod of equal length, 1 m:
 * at 90 degrees the slider could stay where it is. With I(angle) angle'^2 / 2 + V(angle) = E both
 * are
 *   angle' = sqrt(2 (E - V) / I).
 */
#include <config.h>

#include "tests/unit/mech2d/run.h"
#include "tests/util/util.h"

#include <check.h>
#include <stdarg.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846;

/* --- models --------------------------------------------------------------------------------- */

/* A text that grows. */
typedef struct {
    char text[400000];
    size_t length;
} script;

static void say(script *s, const char *format, ...) HA_PRINTF(2, 3);

static void say(script *s, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int n = vsnprintf(s->text + s->length, sizeof s->text - s->length, format, arguments);
    va_end(arguments);
    ck_assert(n >= 0 && s->length + (size_t) n < sizeof s->text);
    s->length += (size_t) n;
}

static void say_end(script *s, double t_end, double tolerance, const char *projection)
{
    say(s, "simulate: {t_end: %.17g, step: 0.5, rtol: %g, atol: %g%s%s}\n", t_end, tolerance,
        tolerance,
        projection == NULL ? "" : ", projection: ", projection == NULL ? "" : projection);
}

static void write_squares(script *s, int n, double tolerance, const char *projection)
{
    *s = (script){ .length = 0 };
    say(s, "halfarrow: 1\ngravity: [0, -9.81]\nground:\n  points: {");
    for (int i = 0; i <= n; i++) {
        say(s, "%sG%d: [%d, 0]", i == 0 ? "" : ", ", i, i);
    }
    say(s, "}\nbodies:\n");
    for (int i = 0; i <= n; i++) {
        say(s,
            "  U%d: {mass: 1, inertia: 1/12, points: {A: [-0.5, 0], B: [0.5, 0]}, start: {x: %d, "
            "y: 0.5, angle: pi/2, vx: 0.5, omega: -1}}\n",
            i, i);
    }
    for (int i = 0; i < n; i++) {
        say(s,
            "  C%d: {mass: 1, inertia: 1/12, points: {A: [-0.5, 0], B: [0.5, 0]}, start: {x: %d.5, "
            "y: 1, vx: 1}}\n",
            i, i);
    }
    say(s, "joints:\n");
    for (int i = 0; i <= n; i++) {
        say(s, "  J%d: {type: revolute, between: [ground.G%d, U%d.A]}\n", i, i, i);
    }
    for (int i = 0; i < n; i++) {
        say(s, "  K%d: {type: revolute, between: [U%d.B, C%d.A]}\n", i, i, i);
        say(s, "  L%d: {type: revolute, between: [U%d.B, C%d.B]}\n", i, i + 1, i);
    }
    say_end(s, 10.0, tolerance, projection);
}

static double squares_angle(int n, double t, double *omega)
{
    const double k = 9.81 * ((n + 1) / 2.0 + n) / ((n + 1) / 3.0 + n);
    const int steps = 200000;
    const double h = t / steps;
    double a = pi / 2.0, w = -1.0;

    for (int i = 0; i < steps; i++) {
        double a1 = w, w1 = -k * cos(a);
        double a2 = w + h / 2.0 * w1, w2 = -k * cos(a + h / 2.0 * a1);
        double a3 = w + h / 2.0 * w2, w3 = -k * cos(a + h / 2.0 * a2);
        double a4 = w + h * w3, w4 = -k * cos(a + h * a3);
        a += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
        w += h / 6.0 * (w1 + 2.0 * w2 + 2.0 * w3 + w4);
    }
    *omega = w;
    return a;
}

/* --- linkages of one angle ------------------------------------------------------------------ */

/* Twice the kinetic energy at angle' = 1, and the potential. */
typedef double (*inertia_of)(double angle, double *potential);

static double speed_at(inertia_of inertia, double energy, double angle)
{
    double potential = 0.0, i = inertia(angle, &potential);

    return sqrt(2.0 * (energy - potential) / i);
}

/* The angle after a time; it does not turn back. */
static double turned(inertia_of inertia, double angle, double omega, double t)
{
    const int steps = 200000;
    const double h = t / steps;
    double potential = 0.0, i = inertia(angle, &potential);
    double e = i * omega * omega / 2.0 + potential;

    for (int k = 0; k < steps; k++) {
        double k1 = speed_at(inertia, e, angle), k2 = speed_at(inertia, e, angle + h / 2.0 * k1);
        double k3 = speed_at(inertia, e, angle + h / 2.0 * k2);
        double k4 = speed_at(inertia, e, angle + h * k3);
        angle += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    return angle;
}

static const double frame = 1.5;

/* The tip of the other crank: that of the parallelogram, mirrored in the line from the tip of this
   crank to the other hinge. */
static void anti_tip(double angle, double tip[2])
{
    double dx = frame - cos(angle), dy = -sin(angle);
    double k = 2.0 * frame * dx / (dx * dx + dy * dy);

    tip[0] = cos(angle) + k * dx - frame;
    tip[1] = sin(angle) + k * dy;
}

/* Velocities by central differences of the positions. */
static double anti_inertia(double angle, double *potential)
{
    const double d = 1e-5;
    double tip[2], before[2], after[2];

    anti_tip(angle, tip);
    anti_tip(angle - d, before);
    anti_tip(angle + d, after);
    double vx = (after[0] - before[0]) / (2.0 * d), vy = (after[1] - before[1]) / (2.0 * d);
    double mx = (vx - sin(angle)) / 2.0, my = (vy + cos(angle)) / 2.0;
    double turn =
        ((tip[0] - cos(angle)) * (vy - cos(angle)) - (tip[1] - sin(angle)) * (vx + sin(angle))) /
        (frame * frame);
    *potential = 9.81 * (sin(angle) / 2.0 + tip[1] / 2.0 + (sin(angle) + tip[1]) / 2.0);
    return 1.0 / 3.0 + (vx * vx + vy * vy) / 3.0 + mx * mx + my * my +
           frame * frame / 12.0 * turn * turn;
}

static void write_anti(script *s, double tolerance)
{
    const double angle = 1.2, d = 1e-5;
    double tip[2], before[2], after[2];

    anti_tip(angle, tip);
    anti_tip(angle - d, before);
    anti_tip(angle + d, after);
    *s = (script){ .length = 0 };
    say(s, "halfarrow: 1\ngravity: [0, -9.81]\nground:\n  points: {O: [0, 0], P: [1.5, "
           "0]}\nbodies:\n");
    say(s, "  A: {mass: 1, inertia: 1/12, points: {O: [-0.5, 0], T: [0.5, 0]}, start: {angle: 1.2, "
           "omega: 12, fixed: [angle, omega]}}\n");
    say(s,
        "  B: {mass: 1, inertia: 1/12, points: {O: [-0.5, 0], T: [0.5, 0]}, start: {angle: %.15g, "
        "omega: %.15g}}\n",
        atan2(tip[1], tip[0] - frame),
        12.0 * ((tip[0] - frame) * (after[1] - before[1]) - tip[1] * (after[0] - before[0])) /
            (2.0 * d));
    say(s,
        "  C: {mass: 1, inertia: 1.5^2/12, points: {O: [-0.75, 0], T: [0.75, 0]}, start: {angle: "
        "%.15g}}\n",
        atan2(tip[1] - sin(angle), tip[0] - cos(angle)));
    say(s, "joints:\n  O: {type: revolute, between: [ground.O, A.O]}\n"
           "  P: {type: revolute, between: [ground.P, B.O]}\n"
           "  S: {type: revolute, between: [A.T, C.O]}\n"
           "  T: {type: revolute, between: [B.T, C.T]}\n");
    say_end(s, 3.0, tolerance, NULL);
}

/* Uniform bars of 1 kg, a slider of 1 kg. */
static double slider_inertia(double angle, double *potential)
{
    double sine = sin(angle), cosine = cos(angle);

    *potential = 9.81 * sine;
    return 1.0 / 3.0 + 2.25 * sine * sine + 0.25 * cosine * cosine + 1.0 / 12.0 + 4.0 * sine * sine;
}

static void write_slider(script *s, double tolerance)
{
    *s = (script){ .length = 0 };
    say(s, "halfarrow: 1\ngravity: [0, -9.81]\nground:\n  points: {O: [0, 0]}\nbodies:\n");
    say(s, "  A: {mass: 1, inertia: 1/12, points: {O: [-0.5, 0], T: [0.5, 0]}, start: {angle: 0.3, "
           "omega: 9, fixed: [angle, omega]}}\n");
    say(s, "  B: {mass: 1, inertia: 1/12, points: {O: [-0.5, 0], T: [0.5, 0]}, start: {angle: "
           "-0.3}}\n");
    say(s, "  S: {mass: 1, inertia: 0.1, points: {M: [0, 0]}, start: {x: 2*cos(0.3), angle: 0}}\n");
    say(s, "joints:\n  O: {type: revolute, between: [ground.O, A.O]}\n"
           "  T: {type: revolute, between: [A.T, B.O]}\n"
           "  M: {type: revolute, between: [B.T, S.M]}\n"
           "  G: {type: translational, between: [ground.O, S.M]}\n");
    say_end(s, 3.0, tolerance, NULL);
}

/* --- tests ---------------------------------------------------------------------------------- */

static script text;

START_TEST(squares_stay_on_their_branch_at_every_tolerance)
{
    static const int sizes[] = { 1, 2, 5, 40 };
    static const struct {
        double tolerance, angle;
    } wanted[] = { { 1e-6, 1e-2 },  { 1e-7, 2e-3 },  { 1e-8, 5e-4 }, { 1e-9, 1e-4 },
                   { 1e-10, 2e-5 }, { 1e-11, 1e-5 }, { 1e-12, 5e-6 } };
    int n = sizes[_i % 4];

    for (size_t k = 0; k < HA_COUNT(wanted) && (n < 40 || wanted[k].tolerance > 3e-11); k++) {
        double omega = 0.0, angle = squares_angle(n, 10.0, &omega);
        write_squares(&text, n, wanted[k].tolerance, NULL);
        run r = run_text(text.text);
        ck_assert_double_eq_tol(run_last(&r, "U0.angle"), angle, wanted[k].angle);
        ck_assert_double_eq_tol(run_last(&r, "U1.angle"), angle, wanted[k].angle);
        ck_assert_double_lt(r.report.energy_error, 0.1);
        run_end(&r);
    }
}
END_TEST

/* Values of the published benchmark by quadrature of the one equation: five digits by stabilisation
   alone, seven where drift is taken back. */
START_TEST(squares_give_the_published_digits)
{
    static const struct {
        int n;
        double t, x, y, vx, vy;
    } truth[] = { { 2, 1.0, -0.1950203019, -0.9807992057, -6.676678037, 1.327578325 },
                  { 2, 1.5, -0.5846771174, 0.8112660897, 1.871216356, 1.348580199 },
                  { 2, 5.0, -0.8113104610, -0.5846155454, -3.569117397, 4.953105171 },
                  { 2, 10.0, 0.3284581115, 0.9445185382, 1.423051470, -0.494868845 },
                  { 40, 1.0, -0.1153568806, -0.9933241113, -6.669987524, 0.774600099 },
                  { 40, 10.0, 0.1805122267, 0.9835727406, 1.148441277, -0.210770067 } };
    static const struct {
        const char *projection;
        double tolerance, error;
    } ways[] = { { "none", 1e-9, 1e-5 }, { "steps", 2e-12, 1e-7 } };
    int n = _i < 2 ? 2 : 40;
    double error = ways[_i % 2].error;

    write_squares(&text, n, ways[_i % 2].tolerance, ways[_i % 2].projection);
    run r = run_text(text.text);
    for (size_t k = 0; k < HA_COUNT(truth); k++) {
        size_t row = (size_t) (2.0 * truth[k].t + 0.5);
        if (truth[k].n != n) {
            continue;
        }
        double angle = run_value(&r, row, "U0.angle"), omega = run_value(&r, row, "U0.omega");
        ck_assert_double_eq_tol(cos(angle), truth[k].x, error);
        ck_assert_double_eq_tol(sin(angle), truth[k].y, error);
        ck_assert_double_eq_tol(-omega * sin(angle), truth[k].vx, 6.7 * error);
        ck_assert_double_eq_tol(omega * cos(angle), truth[k].vy, 6.7 * error);
    }
    run_end(&r);
}
END_TEST

/* The same by explicit steps, at tolerances at which nothing and at which much is done about the
   singular positions. */
START_TEST(squares_keep_their_branch_by_explicit_steps)
{
    static const struct {
        int n;
        const char *driver; /* with the projection */
        double tolerance, error;
    } ways[] = {
        { 1, "auto, driver: explicit", 1e-6, 1e-4 },
        { 1, "auto, driver: explicit8", 1e-8, 1e-6 },
        { 2, "auto, driver: explicit", 1e-6, 1e-4 },
        { 2, "auto, driver: explicit", 1e-10, 1e-6 },
        { 5, "auto, driver: explicit", 1e-6, 1e-4 },
        { 5, "auto, driver: explicit8", 1e-8, 1e-6 },
        { 40, "auto, driver: explicit", 1e-6, 1e-4 },
        { 40, "auto, driver: explicit", 1e-10, 2e-6 },
        { 40, "auto, driver: explicit8", 1e-6, 1e-4 },
        { 400, "auto, driver: explicit", 1e-6, 1e-4 },
    };
    const int n = ways[_i].n;
    double omega = 0.0;

    write_squares(&text, n, ways[_i].tolerance, ways[_i].driver);
    run r = run_text(text.text);
    ck_assert_double_eq_tol(run_last(&r, "U0.angle"), squares_angle(n, 10.0, &omega),
                            ways[_i].error);
    ck_assert_double_eq_tol(run_last(&r, "U0.omega"), omega, 10.0 * ways[_i].error);
    ck_assert_double_le(r.report.energy_error, 0.1);
    run_end(&r);
}
END_TEST

/* Of 6000 such runs three once stopped: a step had ended at a singular position, from where none
   led on. To take drift back costs more than a step does: it is done near such positions alone. */
START_TEST(squares_are_passed_wherever_the_steps_end)
{
    static const struct {
        int n;
        double tolerance;
    } met[] = { { 2, 2.07651e-8 }, { 5, 1.94089e-7 }, { 5, 1.32638e-8 } };
    enum { OTHERS = 60 };
    const size_t n_met = HA_COUNT(met);
    long steps = 0, projections = 0;

    for (size_t k = 0; k < n_met + OTHERS; k++) {
        int n = k < n_met ? met[k].n : 1 + (int) (k % 3);
        double tolerance = k < n_met ? met[k].tolerance : 1e-6 * pow(0.93, (double) (k - n_met));
        double omega = 0.0;
        write_squares(&text, n, tolerance, "auto, driver: explicit8");
        run r = run_text(text.text);
        ck_assert_double_eq_tol(run_last(&r, "U0.angle"), squares_angle(n, 10.0, &omega),
                                100.0 * tolerance);
        steps += r.report.solver.steps;
        projections += r.report.solver.projections;
        run_end(&r);
    }
    ck_assert_int_gt(projections, 0);
    ck_assert_int_lt(projections, steps / 8);
}
END_TEST

START_TEST(an_anti_parallelogram_does_not_become_a_parallelogram)
{
    static const struct {
        double tolerance, angle;
    } wanted[] = { { 1e-6, 2e-2 }, { 1e-8, 1e-3 }, { 1e-10, 1e-4 } };
    double truth = turned(anti_inertia, 1.2, 12.0, 3.0);

    write_anti(&text, wanted[_i].tolerance);
    run r = run_text(text.text);
    ck_assert_double_eq_tol(run_last(&r, "A.angle"), truth, wanted[_i].angle);
    double tip[2];
    anti_tip(run_last(&r, "A.angle"), tip);
    ck_assert_double_eq_tol(frame + cos(run_last(&r, "B.angle")), tip[0], 1e-4);
    ck_assert_int_gt(r.report.solver.projections, 0);
    run_end(&r);
}
END_TEST

START_TEST(a_slider_crank_of_equal_lengths_goes_through_its_dead_points)
{
    static const struct {
        double tolerance, angle;
    } wanted[] = { { 1e-6, 2e-2 }, { 1e-8, 1e-3 }, { 1e-10, 1e-4 } };
    double truth = turned(slider_inertia, 0.3, 9.0, 3.0);

    write_slider(&text, wanted[_i].tolerance);
    run r = run_text(text.text);
    ck_assert_double_eq_tol(run_last(&r, "A.angle"), truth, wanted[_i].angle);
    ck_assert_double_eq_tol(run_last(&r, "B.angle"), -run_last(&r, "A.angle"), 1e-4);
    run_end(&r);
}
END_TEST

/* Where drift is let alone at a tight tolerance the run must end or say why. */
START_TEST(without_projection_the_end_is_reached_or_explained)
{
    run r = run_new();

    write_anti(&text, 1e-10);
    text.length -= 2; /* the brace */
    say(&text, ", projection: none, max_steps: 20000}\n");
    ha_status status = m2d_read_text(r.ctx, text.text, text.length, "m.yaml", NULL, &r.model);
    status = status == HA_OK ? run_model(&r) : status;
    if (status != HA_OK) {
        ck_assert_int_eq(status, HA_ERR_SOLVER);
        ck_assert_ptr_nonnull(strstr(ha_ctx_diag(r.ctx, 0)->text, "stopped at t = "));
    }
    ck_assert_int_eq(r.report.solver.projections, 0);
    run_end(&r);
}
END_TEST

/* --- runs that cannot go on ----------------------------------------------------------------- */

/* Runs a model that the solver cannot bring to its end; returns the first message. */
static const char *why_it_stops(run *r, const char *model)
{
    ha_status status = m2d_read_text(r->ctx, model, strlen(model), "m.yaml", NULL, &r->model);

    ck_assert_int_eq(status == HA_OK ? run_model(r) : status, HA_ERR_SOLVER);
    return ha_ctx_diag(r->ctx, 0)->text;
}

/* A crank of 1 m on a rod of 1.2 m and a rocker of 1.8 m, hinged 3 m away: driven, it cannot turn
   beyond 1 + 9 - 6 cos(angle) = 9, that is 1.4033 rad. */
START_TEST(a_prescribed_motion_that_locks_up_is_named)
{
    static const char model[] =
        "halfarrow: 1\nground: {points: {O: [0, 0], P: [3, 0]}}\nbodies:\n"
        "  crank: {mass: 1, inertia: 0.1, points: {A: [-0.5, 0], B: [0.5, 0]}, start: {angle: "
        "0.5}}\n"
        "  rod: {mass: 1, inertia: 0.1, points: {A: [-0.6, 0], B: [0.6, 0]}, start: {angle: 0.9}}\n"
        "  rocker: {mass: 1, inertia: 0.3, points: {A: [-0.9, 0], B: [0.9, 0]}, start: {angle: "
        "2.3}}\njoints:\n"
        "  O: {type: revolute, between: [ground.O, crank.A], motion: {angle: 0.5 + t}}\n"
        "  B: {type: revolute, between: [crank.B, rod.A]}\n"
        "  C: {type: revolute, between: [rod.B, rocker.B]}\n"
        "  D: {type: revolute, between: [ground.P, rocker.A]}\n"
        "simulate: {t_end: 3, step: 0.01}\n";
    run r = run_new();
    const char *said = why_it_stops(&r, model);

    ck_assert_msg(strstr(said, "this is a lock-up: `constraint of O.drive`") != NULL, "%s", said);
    ck_assert_msg(strstr(said, "`rod.omega`") != NULL, "%s", said);
    ck_assert_msg(strstr(said, "do not allow") != NULL, "%s", said);
    ck_assert_double_eq_tol(r.report.solver.t_reached, acos(1.0 / 6.0) - 0.5, 1e-3);
    ck_assert_uint_ge(ha_result_n_rows(r.result), 90); /* what came before is kept */
    run_end(&r);
}
END_TEST

/* A square with dry friction in two of its hinges; it starts upright but for a slant [rad]. */
static void write_slanting(script *s, double friction, double tolerance, double slant)
{
    double angle = pi / 2.0 + slant;

    s->length = 0;
    say(s,
        "halfarrow: 1\nparameters: {J: 1/12}\n"
        "ground: {points: {G0: [0, 0], G1: [1, 0]}}\nbodies:\n"
        "  U0: {mass: 1, inertia: J, points: {A: [-0.5, 0], B: [0.5, 0]}, "
        "start: {angle: %.17g, omega: -1}}\n"
        "  U1: {mass: 1, inertia: J, points: {A: [-0.5, 0], B: [0.5, 0]}, "
        "start: {angle: %.17g}}\n"
        "  C: {mass: 1, inertia: J, points: {A: [-0.5, 0], B: [0.5, 0]}}\njoints:\n"
        "  J0: {type: revolute, between: [ground.G0, U0.A]}\n"
        "  J1: {type: revolute, between: [ground.G1, U1.A]}\n"
        "  K: {type: revolute, between: [U0.B, C.A]}\n"
        "  L: {type: revolute, between: [U1.B, C.B]}\nforces:\n",
        angle, angle);
    say(s,
        "  F0: {type: friction, on: J0, friction_law: coulomb, friction: %g, radius: 0.05}\n"
        "  F1: {type: friction, on: L, friction_law: coulomb, friction: %g, radius: 0.05}\n",
        friction, friction);
    say(s, "simulate: {t_end: 10, step: 0.001, rtol: %g, atol: %g}\n", tolerance, tolerance);
}

static void write_rubbing(script *s, double friction, double tolerance)
{
    write_slanting(s, friction, tolerance, 0.0);
}

/* The first warning about the energy book, NULL: there is none. */
static const char *find_warning(const run *r)
{
    for (size_t i = 0; i < ha_ctx_n_diags(r->ctx); i++) {
        const ha_diag *diag = ha_ctx_diag(r->ctx, i);
        if (diag->severity == HA_WARNING && strstr(diag->text, "the energy book") != NULL) {
            return diag->text;
        }
    }
    return NULL;
}

/* A square whose hinges rub folds where the reactions, and friction with them, are not determined:
   it is stopped there, or goes on and tells that the energy does not add up. What was tried to get
   on leaves no trace in what is said, or in the rows. */
START_TEST(friction_at_a_singular_position_is_explained)
{
    run r = run_new();

    write_rubbing(&text, 0.2, 1e-9);
    ck_assert_int_eq(m2d_read_text(r.ctx, text.text, text.length, "m.yaml", NULL, &r.model), HA_OK);
    ha_status status = run_model(&r);
    ck_assert(status == HA_OK || status == HA_ERR_SOLVER);
    const char *said = status == HA_OK ? find_warning(&r) : ha_ctx_diag(r.ctx, 0)->text;
    ck_assert_ptr_nonnull(said);
    ck_assert_msg(strstr(said, "a singular position") != NULL, "%s", said);
    for (size_t i = 0; i < ha_result_n_rows(r.result); i++) {
        ck_assert_double_eq_tol(run_value(&r, i, "U0.angle"), run_value(&r, i, "U1.angle"), 1e-6);
    }
    run_end(&r);
}
END_TEST

/* A block that sticks to a belt: stiff, so that explicit steps collapse, but a block on a slide has
   no singular position that could be passed. A row of squares has. */
START_TEST(only_what_is_singular_is_called_so)
{
    const char *const sets[] = { "simulate.driver=explicit", "simulate.rtol=1e-6",
                                 "simulate.atol=1e-7", "simulate.t_end=0.5 s" };
    const m2d_read_def def = { .sets = sets, .n_sets = HA_COUNT(sets) };
    run belt = run_file("examples/belt.yaml", &def);

    ck_assert_int_eq(belt.report.solver.hops, 0);
    ck_assert_int_eq(belt.report.solver.singular_passes, 0);
    run_end(&belt);
    write_squares(&text, 2, 1e-10, "auto, driver: explicit");
    run squares = run_text(text.text);
    ck_assert_int_gt(squares.report.solver.singular_passes, 3);
    ck_assert_int_eq(squares.report.solver.singular_passes, squares.report.solver.hops);
    run_end(&squares);
}
END_TEST

/* Steps that led nowhere, into the friction of reactions that grow beyond all bounds, took joules;
   those that went on instead of them do not, and rows, largest values and quadratures are theirs.
   */
START_TEST(what_was_tried_in_vain_is_not_in_the_energy_book)
{
    static const double tolerances[] = { 1e-5, 1e-6 };
    double worst = 0.0;

    write_rubbing(&text, 0.2, tolerances[_i]);
    run r = run_text(text.text);
    ck_assert_int_gt(r.report.solver.singular_passes, 3);
    ck_assert_double_le(r.report.energy_error, 1e-4 * r.report.energy_passed);
    ck_assert_msg(find_warning(&r) == NULL, "%s", find_warning(&r));
    for (size_t i = 0; i < ha_result_n_rows(r.result); i++) {
        worst = fmax(worst, fabs(run_value(&r, i, "energy.error")));
        ck_assert_double_eq_tol(ha_result_value(r.result, i, 0), 0.001 * (double) i, 1e-9);
    }
    ck_assert_uint_eq(ha_result_n_rows(r.result), 10001);
    ck_assert_double_le(worst, 2.0 * r.report.energy_error); /* rows are between steps */
    run_end(&r);
}
END_TEST

/* The power that friction takes has a pole beside each singular position. Were it integrated apart
   from the motion, a point of the quadrature near the pole would be a loss that never was, in one
   run of ten, and which one would hang on the last bit. */
START_TEST(the_energy_book_does_not_hang_on_the_last_bit)
{
    for (int k = 0; k < 12; k++) {
        write_slanting(&text, 0.2, 1e-5, 1e-12 * k);
        run r = run_text(text.text);
        ck_assert_double_le(r.report.energy_error, 5e-5 * r.report.energy_passed);
        run_end(&r);
    }
}
END_TEST

/* With still more friction what is left open there does take energy; those runs say so. */
START_TEST(friction_that_opens_the_energy_book_is_told)
{
    static const double frictions[] = { 0.8, 1.0, 1.2, 1.5, 2.0, 3.0, 4.0, 5.0 };
    int n_open = 0;

    for (size_t k = 0; k < HA_COUNT(frictions); k++) {
        run r = run_new();
        write_rubbing(&text, frictions[k], 1e-5);
        text.length -= strlen("}\n");
        say(&text, ", driver: ida}\n");
        ha_status status = m2d_read_text(r.ctx, text.text, text.length, "m.yaml", NULL, &r.model);
        status = status == HA_OK ? run_model(&r) : status;
        if (status == HA_OK && r.report.energy_error > 0.003 * r.report.energy_passed) {
            const char *said = find_warning(&r);
            ck_assert_ptr_nonnull(said);
            ck_assert_msg(strstr(said, "where a singular position was passed") != NULL, "%s", said);
            ck_assert_double_ge(frictions[k], 2.0); /* rows count, too */
            n_open++;
        }
        run_end(&r);
    }
    ck_assert_int_gt(n_open, 0);
}
END_TEST

/* A ball falls into a centre of 1/x^2: from rest at 1 m it arrives after pi / sqrt(8) s. */
START_TEST(a_force_without_bound_is_named)
{
    static const char model[] =
        "halfarrow: 1\ngravity: [0, 0]\nbodies:\n"
        "  ball: {mass: 1, inertia: 0.1, points: {A: [0, 0]}, start: {x: 1}}\n"
        "forces: {pull: {type: force, on: ball.A, value: [-1/ball.x^2, 0]}}\n"
        "simulate: {t_end: 3, step: 0.01}\n";
    run r = run_new();
    const char *said = why_it_stops(&r, model);

    ck_assert_msg(strstr(said, "`ball.vx` runs away") != NULL, "%s", said);
    ck_assert_msg(strstr(said, "`balance of ball.x`") != NULL, "%s", said);
    ck_assert_double_eq_tol(r.report.solver.t_reached, pi / sqrt(8.0), 1e-3);
    ck_assert_uint_ge(ha_result_n_rows(r.result), 110);
    run_end(&r);
}
END_TEST

/* A double pendulum has no singular position; its torque has a pole, at 0.5 s and at pi/3.4 s, that
   is not integrable. Stages beyond it are far from the constraints, and what they are off by there
   is no round-off: no step may go over it. (With some tolerances one still does, when the last of
   many trials is allowed an error of thousands of times the tolerance.) */
START_TEST(explicit_steps_do_not_pass_a_pole)
{
    static const char *const torques[] = { "1/(t - 0.5)", "tan(1.7*t)" };
    const double poles[] = { 0.5, pi / 3.4 };
    run r = run_new();

    text = (script){ .length = 0 };
    say(&text,
        "halfarrow: 1\nground: {points: {O: [0, 0]}}\nbodies:\n"
        "  a: {mass: 1, inertia: 0.1, points: {O: [-0.5, 0], E: [0.5, 0]}, start: {angle: 0.3,"
        " fixed: [angle]}}\n"
        "  b: {mass: 1, inertia: 0.1, points: {O: [-0.5, 0]}, start: {angle: 1}}\n"
        "joints:\n  J: {type: revolute, between: [ground.O, a.O]}\n"
        "  K: {type: revolute, between: [a.E, b.O]}\n"
        "forces: {drive: {type: torque, on: a, value: %s}}\n"
        "simulate: {t_end: 1, step: 0.01}\n",
        torques[_i]);
    const char *said = why_it_stops(&r, text.text);
    ck_assert_msg(strstr(said, "a force or a rate without bound") != NULL, "%s", said);
    ck_assert_double_eq_tol(r.report.solver.t_reached, poles[_i], 1e-5);
    ck_assert_double_le(r.report.solver.hop_error, 10.0);
    run_end(&r);
}
END_TEST

/* A torque that is no number from 0.5 s on: no step, of whichever method, may go beyond. */
START_TEST(a_force_that_is_no_number_ends_the_run)
{
    static const char model[] =
        "halfarrow: 1\nground: {points: {O: [0, 0]}}\nbodies:\n"
        "  rod: {mass: 1, inertia: 0.1, points: {O: [-0.5, 0]}, start: {angle: 0}}\n"
        "joints: {O: {type: revolute, between: [ground.O, rod.O]}}\n"
        "forces: {drive: {type: torque, on: rod, value: sqrt(0.5 - t)}}\n"
        "simulate: {t_end: 1, step: 0.01, driver: ida}\n";
    run r = run_new();
    const char *said = why_it_stops(&r, model);

    ck_assert_msg(strstr(said, "`balance of rod.") != NULL, "%s", said);
    ck_assert_msg(strstr(said, "was nan") != NULL, "%s", said);
    ck_assert_msg(strstr(said, "explicit steps") != NULL, "%s", said);
    ck_assert_double_eq_tol(r.report.solver.t_reached, 0.5, 1e-3);
    ck_assert_uint_ge(ha_result_n_rows(r.result), 50);
    run_end(&r);
}
END_TEST

/* What was not tried is not told: a limit of steps is no singular position. */
START_TEST(a_limit_of_steps_tells_of_no_explicit_steps)
{
    static const char model[] =
        "halfarrow: 1\nground: {points: {O: [0, 0]}}\nbodies:\n"
        "  rod: {mass: 1, inertia: 0.1, points: {O: [-0.5, 0]}, start: {angle: 0}}\n"
        "joints: {O: {type: revolute, between: [ground.O, rod.O]}}\n"
        "simulate: {t_end: 100, max_steps: 200}\n";
    run r = run_new();
    const char *said = why_it_stops(&r, model);

    ck_assert_msg(strstr(said, "max-steps") != NULL, "%s", said);
    ck_assert_msg(strstr(said, "explicit steps") == NULL, "%s", said);
    run_end(&r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("singular");
    TCase *tests = tcase_create("singular");

    tcase_add_loop_test(tests, squares_stay_on_their_branch_at_every_tolerance, 0, 4);
    tcase_add_loop_test(tests, squares_give_the_published_digits, 0, 4);
    tcase_add_loop_test(tests, squares_keep_their_branch_by_explicit_steps, 0, 10);
    tcase_add_test(tests, squares_are_passed_wherever_the_steps_end);
    tcase_add_loop_test(tests, an_anti_parallelogram_does_not_become_a_parallelogram, 0, 3);
    tcase_add_loop_test(tests, a_slider_crank_of_equal_lengths_goes_through_its_dead_points, 0, 3);
    tcase_add_test(tests, a_prescribed_motion_that_locks_up_is_named);
    tcase_add_test(tests, friction_at_a_singular_position_is_explained);
    tcase_add_test(tests, only_what_is_singular_is_called_so);
    tcase_add_loop_test(tests, what_was_tried_in_vain_is_not_in_the_energy_book, 0, 2);
    tcase_add_test(tests, the_energy_book_does_not_hang_on_the_last_bit);
    tcase_add_test(tests, friction_that_opens_the_energy_book_is_told);
    tcase_add_test(tests, a_force_without_bound_is_named);
    tcase_add_loop_test(tests, explicit_steps_do_not_pass_a_pole, 0, 2);
    tcase_add_test(tests, a_force_that_is_no_number_ends_the_run);
    tcase_add_test(tests, a_limit_of_steps_tells_of_no_explicit_steps);
    tcase_add_test(tests, without_projection_the_end_is_reached_or_explained);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
