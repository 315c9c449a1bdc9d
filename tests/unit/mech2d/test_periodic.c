/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steady cycles against closed forms, published digits, other methods and long runs. */
#include <config.h>

#include "bondgraph/periodic.h"
#include "tests/unit/mech2d/run.h"

#include <stdio.h>

#define PI 3.14159265358979323846

/* A model and its cycle. */
typedef struct {
    run run;
    bg_cycle cycle;
    bg_drive drive;
    bg_cycle_options options;
    ha_status status;
} job;

static ha_status prepare(job *j, const char *text)
{
    run *r = &j->run;

    HA_TRY(m2d_read_text(r->ctx, text, strlen(text), "m.yaml", NULL, &r->model));
    HA_TRY(run_expand(r));
    HA_TRY(m2d_assemble(r->system, &r->assembly));
    HA_TRY(bg_causality_assign(m2d_system_graph(r->system), &r->causality));
    HA_TRY(bg_equations_derive(r->causality, &r->equations));
    HA_TRY(m2d_release_redundant(r->assembly, r->equations));
    HA_TRY(bg_equations_drive(r->equations, &j->drive));
    HA_TRY(bg_model_compile_periodic(r->equations, NULL, 0, &r->compiled));
    r->start = calloc((size_t) bg_model_n_unknowns(r->compiled) + 1, sizeof *r->start);
    return m2d_start(r->assembly, r->compiled, r->start);
}

/* Reads a model; the options are what the program would take. */
static job load(const char *text)
{
    job j = { .run = run_new() };

    run_check(&j.run, prepare(&j, text));
    j.options = (bg_cycle_options){ .is_driven = j.drive.is_driven,
                                    .period = j.drive.period,
                                    .horizon = m2d_model_options(j.run.model)->solver.t_end,
                                    .run = *m2d_model_options(j.run.model) };
    return j;
}

static void search(job *j)
{
    j->status = bg_periodic(j->run.ctx, j->run.compiled, &j->options, j->run.start, &j->cycle);
}

static job find(const char *text)
{
    job j = load(text);

    search(&j);
    run_check(&j.run, j.status);
    return j;
}

static void end(job *j)
{
    bg_cycle_clear(&j->cycle);
    run_end(&j->run);
}

static double value(const job *j, const char *name)
{
    int i = bg_model_find_unknown(j->run.compiled, name);

    ck_assert_msg(i >= 0, "no unknown %s", name);
    return j->run.start[i];
}

/* A mass on a spring of stiffness 1 with a force. */
#define OSCILLATOR(PARAMETERS, Q, P, FORCE)                                                        \
    "halfarrow: 1\nparameters: {" PARAMETERS "}\nbondgraph:\n  elements:\n"                        \
    "    I: {type: I, value: 1, p: " P "}\n    C: {type: C, value: 1, q: " Q "}\n"                 \
    "    F: {type: MSe, value: \"" FORCE "\"}\n    1a: {type: \"1\"}\n"                            \
    "  bonds: [F > 1a, 1a > I, 1a > C]\nsimulate: {t_end: 30}\n"

/* --- the period ------------------------------------------------------------------------------ */

START_TEST(the_period_is_that_of_the_drive)
{
    static const struct {
        const char *force;
        double period;
        int is_driven;
    } cases[] = {
        { "cos(3*t)", 2.0 * PI / 3.0, 1 },
        { "sin(2*t + 1)^2 - C.q", PI, 1 },
        { "cos(2*t) + sin(3*t)", 2.0 * PI, 1 },
        { "cos(0.2*t)*exp(sin(0.3*t))", 20.0 * PI, 1 },
        { "if(t - 0.25*floor(t/0.25) < 0.1, 1, 0)", 0.25, 1 },
        { "cos(t) + cos(sqrt(2)*t)", 0.0, 1 },
        { "exp(-t)", 0.0, 1 },
        { "sin(t*C.q)", 0.0, 1 },
        { "-C.q^3", 0.0, 0 },
    };

    for (size_t i = 0; i < HA_COUNT(cases); i++) {
        char text[1000];
        snprintf(text, sizeof text, OSCILLATOR("a: 1", "0", "0", "%s"), cases[i].force);
        job j = load(text);
        test_near(j.drive.period, cases[i].period, 1e-12 * (1.0 + cases[i].period));
        ck_assert_int_eq(j.drive.is_driven != 0, cases[i].is_driven);
        end(&j);
    }
}
END_TEST

/* --- driven ---------------------------------------------------------------------------------- */

/* x'' + 0.1 x' + x = cos(1.5 t): its steady motion and its multipliers in closed form. */
START_TEST(a_linear_oscillator)
{
    job j = find(OSCILLATOR("w: 1.5", "0", "0", "cos(w*t) - 0.1*I.f"));
    double w = 1.5, a = 1.0 - w * w, b = 0.1 * w, square = a * a + b * b;
    double period = 2.0 * PI / w, decay = exp(-0.05 * period), turn = sqrt(1.0 - 0.0025) * period;

    test_near(j.cycle.period, period, 1e-14);
    test_near(value(&j, "C.q"), a / square, 1e-9);
    test_near(value(&j, "I.f"), b * w / square, 1e-9);
    ck_assert_int_eq(j.cycle.n_states, 2);
    ck_assert_int_ne(j.cycle.is_stable, 0);
    ck_assert_int_ne(j.cycle.is_exact, 0);
    test_near(j.cycle.floquet[0], decay * cos(turn), 1e-8);
    test_near(fabs(j.cycle.floquet[1]), fabs(decay * sin(turn)), 1e-8);
    ck_assert_double_lt(fabs(j.cycle.floquet[0] - decay * cos(turn)), 10 * j.cycle.floquet_error);
    end(&j);
}
END_TEST

/* x'' + 0.1 x' + x + 0.04 x^3 = cos(1.4 t) has three cycles, two of them stable. Their amplitudes
   by the first harmonic alone (the cubic for A^2 in any book) are 1.0680, 5.2651 and 5.9277. The
   digits here are those of Galerkin's method with 13 odd harmonics, of which the last is 1e-18. */
START_TEST(a_duffing_oscillator_on_all_branches)
{
    static const struct {
        const char *q, *p;
        double x, v;
        int is_stable;
    } cases[] = {
        { "0", "0", -1.05670227616, 0.225002868379861, 1 },
        { "3", "7", 3.18107240700889, 6.89735454370785, 1 },
        { "-3.47", "5.56", -3.47661555523494, 5.56265967386565, 0 },
    };

    for (size_t i = 0; i < HA_COUNT(cases); i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 OSCILLATOR("w: 1.4", "%s", "%s", "cos(w*t) - 0.1*I.f - 0.04*C.q^3"), cases[i].p,
                 cases[i].q);
        job j = find(text);
        test_near(value(&j, "C.q"), cases[i].x, 1e-8);
        test_near(value(&j, "I.f"), cases[i].v, 1e-8);
        ck_assert_int_eq(j.cycle.is_stable != 0, cases[i].is_stable);
        /* what contracts is the damping alone: the product of the multipliers is exp(-0.1 T) */
        const double *f = j.cycle.floquet;
        test_near(f[0] * f[2] - f[1] * f[3], exp(-0.1 * j.cycle.period), 1e-8);
        end(&j);
    }
}
END_TEST

/* x'' + (a - 2 q cos 2t) x = 0 at q = 5 has a solution of the period pi for a0 and a2, of 2 pi for
   a1, b1: the multipliers over pi are then both 1, both -1 (characteristic values of Mathieu's
   equation, Abramowitz and Stegun, table 20.1). */
START_TEST(mathieus_equation)
{
    static const double table[][2] = {
        { -5.80004602, 1.0 }, { 7.44910974, 1.0 }, { 1.85818754, -1.0 }, { -5.79008060, -1.0 }
    };

    for (size_t i = 0; i < HA_COUNT(table); i++) {
        double sum[2] = { 0.0, 0.0 };
        for (int k = 0; k < 2; k++) { /* at the value and beside it, for the slope */
            char text[1000];
            snprintf(text, sizeof text,
                     OSCILLATOR("a: %.9g", "0", "0", "-(a - 1 - 10*cos(2*t))*C.q"),
                     table[i][0] + 1e-3 * k);
            job j = find(text);
            const double *f = j.cycle.floquet;
            test_near(j.cycle.period, PI, 1e-14);
            test_near(f[0] * f[2] - f[1] * f[3], 1.0, 1e-7);
            sum[k] = f[0] + f[2];
            end(&j);
        }
        /* the distance to the tabulated value in a, of which the table has eight decimals */
        test_near((sum[0] - 2.0 * table[i][1]) / (sum[1] - sum[0]) * 1e-3, 0.0, 2e-8);
    }
}
END_TEST

/* Runs the model from `start` for a time, to the values `last`. */
static void go_on(job *j, double time, double rtol, const double *start, double *last)
{
    bg_run_options o = j->options.run;
    ha_result *table = ha_result_new(j->run.ctx);

    o.solver.rtol = rtol;
    o.solver.t_end = o.solver.step = time;
    o.start = start;
    o.last = last;
    run_check(&j->run, bg_model_run(j->run.ctx, j->run.compiled, &o, table, &j->run.report));
    ha_result_free(table);
}

/* The spring is four times as stiff on one side: two events in a cycle. The same as after 150
   periods of a run; multipliers by differences. */
START_TEST(events_inside_the_cycle)
{
    static const char text[] =
        OSCILLATOR("w: 1.7", "0.3", "0", "cos(w*t) - 0.2*I.f - if(C.q > 0, 3*C.q, 0)");
    job j = find(text), long_run = load(text);
    double *last = calloc((size_t) bg_model_n_unknowns(j.run.compiled) + 1, sizeof *last);

    ck_assert_int_eq(j.cycle.is_exact, 0);
    ck_assert_int_ne(j.cycle.is_stable, 0);
    const double *f = j.cycle.floquet;
    test_near(f[0] * f[2] - f[1] * f[3], exp(-0.2 * j.cycle.period), 1e-5);
    go_on(&long_run, 150.0 * j.cycle.period, 1e-9, long_run.run.start, last);
    int q = bg_model_find_unknown(j.run.compiled, "C.q");
    int v = bg_model_find_unknown(j.run.compiled, "I.f");
    test_near(j.run.start[q], last[q], 1e-6);
    test_near(j.run.start[v], last[v], 1e-6);
    free(last);
    end(&long_run);
    end(&j);
}
END_TEST

/* --- by itself ------------------------------------------------------------------------------- */

/* Van der Pol's: period 6.66328685932313 for mu = 1, 11.6122306678 for 5 (published many times). */
START_TEST(van_der_pols_oscillator)
{
    static const struct {
        const char *mu;
        double period, tolerance;
    } cases[] = { { "1", 6.66328685932313, 1e-9 }, { "5", 11.6122306678, 1e-8 } };

    for (size_t i = 0; i < HA_COUNT(cases); i++) {
        char text[1000];
        snprintf(text, sizeof text, OSCILLATOR("mu: %s", "0", "0.1", "mu*(1 - C.q^2)*I.f"),
                 cases[i].mu);
        job j = find(text);
        test_near(j.cycle.period, cases[i].period, cases[i].tolerance);
        /* a shift in time is no deviation */
        test_near(j.cycle.floquet[2], 1.0, 1e-7);
        ck_assert_int_ne(j.cycle.is_stable, 0);
        end(&j);
    }
}
END_TEST

/* By differences, as where the exact way cannot be gone, the multipliers are the same. */
START_TEST(differences_agree_with_exact_derivatives)
{
    static const char text[] = OSCILLATOR("mu: 0.5", "0", "2", "mu*(1 - C.q^2)*I.f");
    job exact = find(text), other = load(text);

    other.options.run.solver.driver = HA_DRIVER_IDA;
    search(&other);
    run_check(&other.run, other.status);
    ck_assert_int_ne(exact.cycle.is_exact, 0);
    ck_assert_int_eq(other.cycle.is_exact, 0);
    test_near(other.cycle.period, exact.cycle.period, 1e-6);
    test_near(other.cycle.floquet[0], exact.cycle.floquet[0], 1e-4);
    end(&exact);
    end(&other);
}
END_TEST

static char *slurp(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1 << 16, 1);

    ck_assert_msg(file != NULL && text != NULL, "%s cannot be read", path);
    ck_assert_uint_gt(fread(text, 1, (1 << 16) - 1, file), 0);
    ck_assert_int_eq(fclose(file), 0);
    return text;
}

/* The crank turns by itself, under a constant torque against a damper: after 200 revolutions of a
   run it does in a period of the cycle what it does on the cycle, to 8 digits. */
START_TEST(a_slider_crank_after_200_revolutions)
{
    char *text = slurp(test_source("examples/slider_crank.yaml"));
    job j = find(text), long_run = load(text);
    size_t n = (size_t) bg_model_n_unknowns(j.run.compiled);
    double *later = calloc(n, sizeof *later), *latest = calloc(n, sizeof *latest);
    int angle = bg_model_find_unknown(j.run.compiled, "crank.position.angle.q");
    int omega = bg_model_find_unknown(j.run.compiled, "crank.angle.f");

    ck_assert_int_ge(angle, 0);
    ck_assert_int_ge(omega, 0);
    ck_assert_int_eq(j.cycle.n_turns, 1);
    ck_assert_str_eq(j.cycle.turns[0], "crank.angle");
    ck_assert_int_eq(j.cycle.turned[0], 1);
    ck_assert_int_ne(j.cycle.is_stable, 0);
    test_near(j.cycle.floquet[2], 1.0, 1e-7);

    go_on(&long_run, 200.0 * j.cycle.period, 1e-11, long_run.run.start, later);
    go_on(&long_run, j.cycle.period, 1e-11, later, latest);
    test_near(latest[angle] - later[angle], 2.0 * PI, 2.0 * PI * 1e-8);
    test_near(latest[omega], later[omega], later[omega] * 1e-8);

    /* and from there the search comes to the same cycle at once */
    job again = load(text);
    memcpy(again.run.start, later, n * sizeof *later);
    again.options.period = j.cycle.period;
    search(&again);
    run_check(&again.run, again.status);
    test_near(again.cycle.period, j.cycle.period, 1e-9 * j.cycle.period);
    test_near(again.run.start[omega], later[omega], later[omega] * 1e-8);
    free(later);
    free(latest);
    free(text);
    end(&again);
    end(&long_run);
    end(&j);
}
END_TEST

/* Without losses the period of a pendulum is 4 K(sin(a/2)) / w0, a = 90 deg: the digits are those
   of the arithmetic-geometric mean. Its multiplier 1 is double, and known to the root of what
   simple ones are. A parallelogram with J = 2 (0.1 + 0.5^2 m) + m and weight 2 m g l swings alike.
 */
START_TEST(what_loses_nothing_is_marginal)
{
    static const struct {
        const char *text;
        double square; /* w0^2 */
    } cases[] = {
        { "halfarrow: 1\nground: {points: {O: [0, 0]}}\n"
          "bodies: {rod: {mass: 1, inertia: 0.0833, points: {O: [-0.5, 0]}, start: {angle: 0, "
          "fixed: [angle]}}}\njoints: {O: {type: revolute, between: [ground.O, rod.O]}}\n"
          "simulate: {t_end: 10}\n",
          9.81 * 0.5 / 0.3333 },
        { "halfarrow: 1\nground: {points: {A: [0, 0], D: [2, 0]}}\nbodies:\n"
          "  a: {mass: 1, inertia: 0.1, points: {A: [-0.5, 0], B: [0.5, 0]}, start: {angle: -45 "
          "deg, fixed: [angle]}}\n"
          "  b: {mass: 1, inertia: 0.3, points: {B: [-1, 0], C: [1, 0]}, start: {angle: 0}}\n"
          "  c: {mass: 1, inertia: 0.1, points: {C: [0.5, 0], D: [-0.5, 0]}, start: {angle: -45 "
          "deg}}\n"
          "joints:\n  A: {type: revolute, between: [ground.A, a.A]}\n"
          "  B: {type: revolute, between: [a.B, b.B]}\n"
          "  C: {type: revolute, between: [b.C, c.C]}\n"
          "  D: {type: revolute, between: [ground.D, c.D]}\nsimulate: {t_end: 10}\n",
          9.81 * 2.0 / 1.7 },
    };
    static const struct {
        const char *angle, *omega;
        double amplitude;
    } of[] = { { "rod.position.angle.q", "rod.angle.f", PI / 2.0 },
               { "a.position.angle.q", "a.angle.f", PI / 4.0 } };

    for (size_t i = 0; i < HA_COUNT(cases); i++) {
        job j = find(cases[i].text);
        /* of all cycles beside each other it is the one that the search came to */
        double omega = value(&j, of[i].omega);
        double amplitude =
            acos(cos(value(&j, of[i].angle) + PI / 2.0) - omega * omega / (2.0 * cases[i].square));
        test_near(amplitude, of[i].amplitude, 1e-3);
        double a = 1.0, b = cos(amplitude / 2.0);
        for (int k = 0; k < 8; k++) {
            double mean = (a + b) / 2.0;
            b = sqrt(a * b);
            a = mean;
        }
        double period = 2.0 * PI / sqrt(cases[i].square) / a;
        test_near(j.cycle.period, period, 1e-9 * period);
        ck_assert_int_eq(j.cycle.is_stable, 0);
        ck_assert_int_ne(j.cycle.is_marginal, 0);
        ck_assert_int_eq(j.cycle.n_states, 2);
        for (int k = 0; k < 2; k++) {
            const double *m = j.cycle.floquet + 2 * k;
            ck_assert_double_le(hypot(m[0] - 1.0, m[1]), 3.0 * j.cycle.floquet_error);
        }
        ck_assert_double_le(j.cycle.floquet_error, 1e-3);
        end(&j);
    }
}
END_TEST

/* --- what has none --------------------------------------------------------------------------- */

static void refused(job *j, ha_status status, const char *text)
{
    search(j);
    ck_assert_int_eq(j->status, status);
    ck_assert_int_gt((int) ha_ctx_n_diags(j->run.ctx), 0);
    const char *said = ha_ctx_diag(j->run.ctx, 0)->text;
    ck_assert_msg(strstr(said, text) != NULL, "`%s` does not say `%s`", said, text);
    end(j);
}

START_TEST(what_has_no_cycle)
{
    job rest = load(OSCILLATOR("a: 1", "1", "0", "-0.5*I.f"));
    refused(&rest, HA_ERR_SOLVER, "there is no cycle");

    job wrong = load(OSCILLATOR("a: 1", "1", "0", "cos(t) - 0.5*I.f"));
    wrong.options.period = 5.0;
    refused(&wrong, HA_ERR_VALUE, "its rate is another");

    job grows = load(OSCILLATOR("a: 1", "1", "0", "cos(t) + 0.5*I.f + I.f^3"));
    refused(&grows, HA_ERR_SOLVER, "no cycle is found");

    job unknown = load(OSCILLATOR("a: 1", "1", "0", "exp(-t)"));
    refused(&unknown, HA_ERR_ARGUMENT, "--period");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_period_is_that_of_the_drive,
        a_linear_oscillator,
        a_duffing_oscillator_on_all_branches,
        mathieus_equation,
        events_inside_the_cycle,
        van_der_pols_oscillator,
        differences_agree_with_exact_derivatives,
        a_slider_crank_after_200_revolutions,
        what_loses_nothing_is_marginal,
        what_has_no_cycle,
    };

    return test_run_all("periodic", NULL, NULL, tests, HA_COUNT(tests));
}
