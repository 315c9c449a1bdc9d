/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sensitivities against closed forms: of a pendulum (published digits), through conditions, known
 * times, stops and samples; against central differences of runs of random mechanisms. With
 * TEST_LONG in the environment there are more of these.
 */
#include <config.h>

#include "mech2d/sensitivity.h"
#include "mech2d/study/kit.h"
#include "tests/unit/mech2d/random_mechanism.h"
#include "tests/util/context.h"
#include "tests/util/memory.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static const double PI = 3.14159265358979323846;

/* A model in a file of its own, and what is asked of it. */
typedef struct {
    const char *text;
    const char *const *parameters;
    int n_parameters;
    double rtol;
    ha_driver driver;
    const char *const *sets;
    int n_sets;
} question;

static ha_status set_options(void *user, bg_run_options *options)
{
    const question *q = user;

    options->solver.rtol = q->rtol;
    options->solver.driver = q->driver;
    return HA_OK;
}

/* The same for what has no end time of its own. */
static ha_status set_one_second(void *user, bg_run_options *options)
{
    options->solver.t_end = 1.0;
    return set_options(user, options);
}

static ha_status ask(question *q, bg_sensitivity *out)
{
    char path[] = "/tmp/halfarrow-XXXXXX.yaml";
    int file = mkstemps(path, 5);
    size_t length = strlen(q->text);

    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, q->text, length), (ssize_t) length);
    close(file);
    const m2d_source source = { .path = path, .sets = q->sets, .n_sets = q->n_sets };
    const m2d_sensitivity_def def = { .source = &source,
                                      .parameters = q->parameters,
                                      .n_parameters = q->n_parameters,
                                      .adjust = set_options,
                                      .user = q };
    ha_status status = m2d_sensitivities(ctx, &def, NULL, out);
    ck_assert_int_eq(unlink(path), 0);
    return status;
}

static bg_sensitivity answer(question *q)
{
    bg_sensitivity s;
    ha_status status = ask(q, &s);

    ck_assert_msg(status == HA_OK, "%s: %s", ha_status_name(status),
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, ha_ctx_n_diags(ctx) - 1)->text : "");
    return s;
}

static int output_of(const bg_sensitivity *s, const char *name)
{
    for (int i = 0; i < s->n_outputs; i++) {
        if (strcmp(s->outputs[i], name) == 0) {
            return i;
        }
    }
    ck_abort_msg("no output `%s`", name);
}

/* Each derivative is right, and says how right. */
static void expect(const bg_sensitivity *s, const char *output, const double *wanted,
                   double tolerance)
{
    int i = output_of(s, output);

    for (int k = 0; k < s->n_parameters; k++) {
        double got = s->value[i * s->n_parameters + k], off = fabs(got - wanted[k]);
        ck_assert_msg(off <= tolerance * fabs(wanted[k]), "d(%s)/d(%s) = %.15g, not %.15g", output,
                      s->parameters[k], got, wanted[k]);
        ck_assert_double_le(s->error[i * s->n_parameters + k], 100.0 * tolerance * fabs(wanted[k]));
    }
}

/* --- the motion ------------------------------------------------------------------------------ */

/* A physical pendulum (1 kg, 0.0833 kg.m2) let go from the horizontal; the digits are those of an
   integration in 50 digits. */
START_TEST(a_pendulum_by_published_digits)
{
    static const char text[] =
        "halfarrow: 1\ngravity: [0, -9.81]\nparameters: {l: 0.5}\nground: {points: {O: [0, 0]}}\n"
        "bodies: {rod: {mass: 1, inertia: 0.0833, points: {O: [-l, 0]}, start: {angle: 0, fixed: "
        "[angle]}}}\njoints: {O: {type: revolute, between: [ground.O, rod.O]}}\n"
        "simulate: {t_end: 1}\n";
    static const ha_driver drivers[] = { HA_DRIVER_EXPLICIT8, HA_DRIVER_EXPLICIT, HA_DRIVER_IDA };
    const char *const parameters[] = { "parameters.l" };
    question q = { text, parameters, 1, 1e-10, drivers[_i], NULL, 0 };
    bg_sensitivity s = answer(&q);

    test_near(s.end[output_of(&s, "rod.angle")], -1.5625971735225 - 0.5 * PI, 1e-8);
    expect(&s, "rod.angle", (double[]){ -0.2456966316177 }, 1e-7);
    expect(&s, "rod.omega", (double[]){ -7.6058927410933 }, 1e-8);
    bg_sensitivity_clear(&s);
}
END_TEST

/* The charge that has come onto a capacitance. */
static double q_of(double e, double c, double q0, double d)
{
    return (c * e - q0) * (1.0 - d);
}

/* A charge of a capacitance, from a start that is a parameter, too. */
START_TEST(a_circuit_in_closed_form)
{
    const char *const parameters[] = { "R", "C", "Se", "parameters.q0" };
    const char *const sets[] = { "R=2" };
    const m2d_source source = { .graph = "q0 = 0.3; Se{10}>1a>R{7};1a>C{0.5, q=q0}",
                                .sets = sets,
                                .n_sets = 1 };
    question q = { .rtol = 1e-11 };
    bg_sensitivity s;
    double r = 2.0, c = 0.5, e = 10.0, q0 = 0.3, t = 1.0, d = exp(-t / (r * c));
    const double wanted[] = { (q0 - c * e) * d * t / (r * r * c),
                              e * (1.0 - d) + (q0 - c * e) * d * t / (r * c * c), c * (1.0 - d),
                              d };
    const m2d_sensitivity_def def = { .source = &source,
                                      .parameters = parameters,
                                      .n_parameters = 4,
                                      .adjust = set_one_second,
                                      .user = &q };

    ck_assert_int_eq(m2d_sensitivities(ctx, &def, NULL, &s), HA_OK);
    expect(&s, "C.q", wanted, 1e-9);
    /* of i = a exp(-t/RC), a = (E - q0/C)/R, the heat is R a^2 RC/2 (1 - d^2), the work E times
       the charge that has come */
    double v = e - q0 / c, rest = 1.0 - d * d;
    const double heat[] = { -v * v * d * d * t / (r * r),
                            v * q0 / c * rest + 0.5 * v * v * rest - v * v * d * d * t / (r * c),
                            c * v * rest, -v * rest };
    expect(&s, "energy.dissipated", heat, 1e-9);
    expect(&s, "energy.supplied",
           (double[]){ e * wanted[0], e * wanted[1], q_of(e, c, q0, d) + e * wanted[2],
                       e * (wanted[3] - 1.0) },
           1e-9);
    ck_assert(isnan(s.value[output_of(&s, "energy.error") * 4]));
    bg_sensitivity_clear(&s);
}
END_TEST

/* The inertia is given by the length: that to the length is the same where both are asked for. */
START_TEST(a_derivative_does_not_depend_on_what_else_is_asked_for)
{
    const char *const parameters[] = { "parameters.length", "bodies.rod.inertia" };
    const m2d_source source = { .path = test_source("examples/pendulum.yaml") };
    question q = { .rtol = 1e-9 };
    m2d_sensitivity_def def = { .source = &source,
                                .parameters = parameters,
                                .n_parameters = 2,
                                .adjust = set_one_second,
                                .user = &q };
    bg_sensitivity both, alone;

    ck_assert_int_eq(m2d_sensitivities(ctx, &def, NULL, &both), HA_OK);
    for (int k = 0; k < 2; k++) {
        def.parameters = parameters + k;
        def.n_parameters = 1;
        ck_assert_int_eq(m2d_sensitivities(ctx, &def, NULL, &alone), HA_OK);
        int i = output_of(&both, "rod.omega");
        test_near(both.value[2 * i + k], alone.value[i], 1e-8 * fabs(alone.value[i]));
        bg_sensitivity_clear(&alone);
    }
    bg_sensitivity_clear(&both);
}
END_TEST

/* --- events ---------------------------------------------------------------------------------- */

#define SLIDER(PARAMETERS, START, FORCE)                                                           \
    "halfarrow: 1\ngravity: [0, 0]\nparameters: {" PARAMETERS "}\n"                                \
    "ground: {points: {O: [0, 0]}}\n"                                                              \
    "bodies: {b: {mass: m, inertia: 1, points: {C: [0, 0]}, start: {" START "}}}\n"                \
    "joints: {g: {type: translational, between: [ground.O, b.C]}}\nforces: {f: " FORCE "}\n"

/* A force that turns about where the body passes a place. */
START_TEST(through_a_condition)
{
    static const char text[] =
        SLIDER("m: 1.5, a: 0.5, p: 2, n: 3", "x: 0",
               "{type: force, on: b.C, value: ['if(b.x > a, -n, p)', 0]}") "simulate: {t_end: 2}\n";
    const char *const parameters[] = { "parameters.a", "parameters.m", "parameters.p",
                                       "parameters.n" };
    question q = { text, parameters, 4, 1e-10, HA_DRIVER_AUTO, NULL, 0 };
    double m = 1.5, a = 0.5, p = 2.0, n = 3.0;
    double t1 = sqrt(2.0 * a * m / p), v1 = sqrt(2.0 * a * p / m), left = 2.0 - t1;
    /* x = a + v1 (2 - t1) - n/(2 m) (2 - t1)^2; its derivatives by t1 and by v1 */
    double by_t1 = -v1 + n / m * left, by_v1 = left;
    const double wanted[] = { 1.0 + by_t1 * t1 / (2.0 * a) + by_v1 * v1 / (2.0 * a),
                              by_t1 * t1 / (2.0 * m) - by_v1 * v1 / (2.0 * m) +
                                  n / (2.0 * m * m) * left * left,
                              -by_t1 * t1 / (2.0 * p) + by_v1 * v1 / (2.0 * p),
                              -left * left / (2.0 * m) };
    bg_sensitivity s = answer(&q);

    ck_assert_int_eq(s.events, 1);
    expect(&s, "b.x", wanted, 1e-8);
    bg_sensitivity_clear(&s);
}
END_TEST

/* The time at which a force begins is the parameter. */
START_TEST(through_a_known_time)
{
    static const char text[] =
        SLIDER("m: 1.5, T: 0.7, F: 2", "x: 0",
               "{type: force, on: b.C, value: ['if(t > T, F, 0)', 0]}") "simulate: {t_end: 2}\n";
    const char *const parameters[] = { "parameters.T", "parameters.F" };
    question q = { text, parameters, 2, 1e-10, HA_DRIVER_AUTO, NULL, 0 };
    bg_sensitivity s = answer(&q);

    ck_assert_int_eq(s.events, 1);
    expect(&s, "b.x", (double[]){ -2.0 * 1.3 / 1.5, 1.3 * 1.3 / 3.0 }, 1e-9);
    bg_sensitivity_clear(&s);
}
END_TEST

/* A body comes with the speed v on an elastic stop a distance d away, and goes back after half a
   period: x = d - v (t - d/v - pi sqrt(m/k)). */
START_TEST(through_an_elastic_stop)
{
    static const char text[] =
        SLIDER("m: 1.5, d: 0.4, k: 300, v: 2", "x: 0, vx: v",
               "{type: stop, on: g.slide, upper: d, stiffness: k}") "simulate: {t_end: 1}\n";
    const char *const parameters[] = { "parameters.d", "parameters.k", "parameters.m",
                                       "parameters.v" };
    question q = { text, parameters, 4, 1e-9, HA_DRIVER_AUTO, NULL, 0 };
    double m = 1.5, k = 300.0, v = 2.0, half = PI * sqrt(m / k);
    const double wanted[] = { 2.0, -0.5 * v * half / k, 0.5 * v * half / m, -1.0 + half };
    bg_sensitivity s = answer(&q);

    ck_assert_int_eq(s.events, 2);
    expect(&s, "b.x", wanted, 1e-6);
    bg_sensitivity_clear(&s);
}
END_TEST

/* A sampled proportional controller: x = x0 (1 - K T)^n after n samples. */
START_TEST(through_samples)
{
    static const char text[] =
        "halfarrow: 1\nparameters: {T: 0.1, K: 2, q0: 3}\nbondgraph:\n  elements:\n"
        "    S: {type: MSf, value: u}\n    C: {type: C, value: 1, q: q0}\n"
        "    0a: {type: '0'}\n  signals:\n    u: {type: sample, input: '-K*C.q', period: T}\n"
        "  bonds: [S > 0a > C]\nsimulate: {t_end: 1.05}\n";
    const char *const parameters[] = { "parameters.K", "parameters.q0" };
    question q = { text, parameters, 2, 1e-10, HA_DRIVER_AUTO, NULL, 0 };
    /* ten whole intervals and half of one */
    double a = 1.0 - 2.0 * 0.1, b = 1.0 - 2.0 * 0.05;
    const double wanted[] = { 3.0 * (-10.0 * 0.1 * pow(a, 9.0) * b - 0.05 * pow(a, 10.0)),
                              pow(a, 10.0) * b };
    bg_sensitivity s = answer(&q);

    expect(&s, "C.q", wanted, 1e-9);
    bg_sensitivity_clear(&s);
}
END_TEST

/* --- random mechanisms ----------------------------------------------------------------------- */

/* All outputs at the end of a run with the values of the model. */
static void run_with(m2d_prepared *p, int i, double value, double rtol, double *out)
{
    ha_result *table = ha_result_new(ctx);
    bg_run_report report;

    m2d_prepared_set(p, i, value);
    ck_assert_int_eq(m2d_prepared_update(p), HA_OK);
    bg_run_options o = *m2d_prepared_options(p);
    o.solver.rtol = rtol;
    o.solver.driver = HA_DRIVER_EXPLICIT8;
    ck_assert_int_eq(m2d_prepared_run(p, &o, table, &report), HA_OK);
    for (size_t c = 1; c < ha_result_n_columns(table); c++) {
        out[c - 1] = ha_result_value(table, ha_result_n_rows(table) - 1, c);
    }
    ha_result_free(table);
}

enum { PROBES = 4 };

static const double LENGTH = 2e-3; /* of a difference, beside the value */

/* The most that the outputs of a run differ by from those of others as exact, beside LENGTH: what
   differences are off by for that. Reactions next to a singular position have more of it than the
   step leaves to be seen. */
static double find_noise(m2d_prepared *p, int i, int n)
{
    double value = m2d_prepared_value(p, i), noise = 0.0;
    double *first = calloc((size_t) n, sizeof *first), *other = calloc((size_t) n, sizeof *other);

    run_with(p, i, value, 1e-12, first);
    for (int k = 1; k <= PROBES; k++) {
        run_with(p, i, value, 1e-12 * (1.0 + 0.2 * k), other);
        for (int j = 0; j < n; j++) {
            noise = fmax(noise, fabs(other[j] - first[j]));
        }
    }
    free(first);
    free(other);
    return noise / (LENGTH * value);
}

/* Central differences of two lengths, put together so that what is left is of the fourth order. */
static void difference(m2d_prepared *p, int i, int n, double *out)
{
    static const double factor[] = { -1.0 / 3.0, 4.0 / 3.0 };
    double value = m2d_prepared_value(p, i), *ends[2] = { NULL, NULL };

    memset(out, 0, (size_t) n * sizeof *out);
    for (int k = 0; k < 2; k++) {
        ends[k] = calloc((size_t) n, sizeof *ends[k]);
    }
    for (int k = 0; k < 2; k++) {
        double h = LENGTH * value / (k + 1);
        run_with(p, i, value + h, 1e-12, ends[0]);
        run_with(p, i, value - h, 1e-12, ends[1]);
        for (int j = 0; j < n; j++) {
            out[j] += factor[k] * (ends[0][j] - ends[1][j]) / (2.0 * h);
        }
    }
    m2d_prepared_set(p, i, value);
    free(ends[0]);
    free(ends[1]);
}

/* Reactions that redundant constraints share are known to 1e-8 of themselves, which leaves nothing
   of a difference. */
static bool is_shared(const m2d__kit *kit, const char *output)
{
    bool is_so = false;

    for (int i = 0; i < m2d_system_n_rows(kit->system); i++) {
        const char *joint = m2d_system_row_joint(kit->system, i);
        size_t n = strlen(joint);
        is_so = is_so || (!m2d_assembly_is_unique(kit->assembly, i) &&
                          strncmp(output, joint, n) == 0 && output[n] == '.');
    }
    return is_so;
}

/* Leaves out the reactions that are shared. */
static void leave_out_shared(bg_sensitivity *s, const m2d_source *source, const char *text)
{
    const m2d__kit_def def = { .source = source, .text = text, .length = strlen(text) };
    m2d__kit kit;

    ck_assert_int_eq(m2d__kit_make(ctx, &def, &kit), HA_OK);
    for (int i = 0; i < s->n_outputs; i++) {
        for (int k = 0; k < s->n_parameters && is_shared(&kit, s->outputs[i]); k++) {
            s->value[i * s->n_parameters + k] = (double) NAN;
        }
    }
    m2d__kit_clear(&kit);
}

static void compare(const bg_sensitivity *s, const m2d_source *source, const double *values,
                    uint64_t seed)
{
    m2d_variable variables[2];
    m2d_prepared *p = NULL;
    double *wanted = calloc((size_t) s->n_outputs, sizeof *wanted);

    for (int k = 0; k < 2; k++) {
        variables[k] = (m2d_variable){ .path = s->parameters[k], .value = values[k] };
    }
    ck_assert_int_eq(m2d_prepare(ctx, source, variables, 2, &p), HA_OK);
    for (int k = 0; k < 2; k++) {
        double largest = 0.0, size = 0.0;
        difference(p, k, s->n_outputs, wanted);
        for (int i = 0; i < s->n_outputs; i++) {
            bool counts = !isnan(s->value[2 * i + k]);
            largest = counts ? fmax(largest, fabs(wanted[i])) : largest;
            size = fmax(size, fabs(s->end[i]));
        }
        double noise = 4.0 * find_noise(p, k, s->n_outputs);
        double tolerance = 1e-6 * largest + 2e-9 * size / values[k] + noise;
        for (int i = 0; i < s->n_outputs; i++) {
            double got = s->value[2 * i + k];
            ck_assert_msg(isnan(got) || fabs(got - wanted[i]) <= tolerance,
                          "seed %d: d(%s)/d(%s) = %.12g, by differences %.12g", (int) seed,
                          s->outputs[i], s->parameters[k], got, wanted[i]);
        }
    }
    m2d_prepared_free(p);
    free(wanted);
}

START_TEST(random_mechanisms_by_differences)
{
    static char text[ROOM];
    const char *const parameters[] = { "bodies.b0.mass", "forces.s0.stiffness" };
    const char *const sets[] = { "gravity=[1, -3]", "simulate={t_end: 0.3}",
                                 "forces.push.value=[0.7, '2*sin(5*t)']" };
    int n = getenv("TEST_LONG") != NULL ? 30 : 2;

    for (uint64_t seed = (uint64_t) _i * 1000 + 1; seed <= (uint64_t) (_i * 1000 + n); seed++) {
        char path[] = "/tmp/halfarrow-XXXXXX.yaml";
        int file = mkstemps(path, 5);
        question q = { .rtol = 1e-11, .driver = HA_DRIVER_EXPLICIT8 };
        bg_sensitivity s;
        double values[2];
        write_mechanism(seed, text);
        ck_assert_int_eq(write(file, text, strlen(text)), (ssize_t) strlen(text));
        close(file);
        const m2d_source source = { .path = path, .sets = sets, .n_sets = HA_COUNT(sets) };
        const m2d_sensitivity_def def = { .source = &source,
                                          .parameters = parameters,
                                          .n_parameters = 2,
                                          .adjust = set_options,
                                          .user = &q };
        ha_status status = m2d_sensitivities(ctx, &def, values, &s);
        ck_assert_msg(status == HA_OK, "seed %d: %s", (int) seed,
                      ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "");
        leave_out_shared(&s, &source, text);
        compare(&s, &source, values, seed);
        bg_sensitivity_clear(&s);
        ck_assert_int_eq(unlink(path), 0);
    }
}
END_TEST

/* What is sampled at the start is made of what was before: u = K, then K (K + 1), a tenth of a
   second each; what is held then is h from the start. */
START_TEST(from_the_first_sample_on)
{
    static const char text[] =
        "halfarrow: 1\nparameters: {K: 0.5, h: 3}\nbondgraph:\n  elements:\n"
        "    S: {type: MSf, value: u}\n    C: {type: C, value: 1}\n    0a: {type: '0'}\n"
        "    H: {type: MSf, value: held}\n    D: {type: C, value: 1}\n    0b: {type: '0'}\n"
        "  signals:\n    u: {type: sample, input: 'K*(u + 1)', period: 0.1}\n"
        "    held: {type: hold, input: 'h*(1 + t)', when: '1 - t'}\n"
        "  bonds: [S > 0a > C, H > 0b > D]\nsimulate: {t_end: 0.15}\n"
        "outputs: [C.q, D.q, {product: C.q*energy.supplied}, {late: 'if(t > 1, energy.error, "
        "0)'}]\n";
    const char *const parameters[] = { "parameters.K", "parameters.h" };
    question q = { text, parameters, 2, 1e-9, HA_DRIVER_AUTO, NULL, 0 };
    bg_sensitivity s = answer(&q);

    expect(&s, "C.q", (double[]){ 0.1 + 0.05 * (1.0 + 2.0 * 0.5), 0.0 }, 1e-9);
    expect(&s, "D.q", (double[]){ 0.0, 0.15 }, 1e-9);
    /* all that is supplied is stored: the product is c (c^2 + d^2)/2 of both charges; what reads
       the book has no derivative, also where that is 0 at first */
    double c = 0.0875, d = 0.45;
    expect(&s, "product", (double[]){ 0.5 * (3.0 * c * c + d * d) * 0.2, c * d * 0.15 }, 1e-8);
    ck_assert(isnan(s.value[(size_t) output_of(&s, "late") * 2]));
    bg_sensitivity_clear(&s);
}
END_TEST

#define CHARGED(start)                                                                             \
    "halfarrow: 1\nparameters: {c: 1}\nbondgraph:\n  elements:\n    R: {type: R, value: 1}\n"      \
    "    C: {type: C, value: 1, q: '" start "'}\n  bonds: [C > R]\nsimulate: {t_end: 1}\n"

/* A start value may change fast, or bend near by. */
START_TEST(start_values_are_differentiated_as_closely_as_they_need)
{
    static const char *const texts[] = { CHARGED("sin(3000*c)"), CHARGED("abs(c - 1.0005)") };
    const char *const parameters[] = { "parameters.c" };
    question q = { texts[_i], parameters, 1, 1e-9, HA_DRIVER_AUTO, NULL, 0 };
    double slope = _i == 0 ? 3000.0 * cos(3000.0) : -1.0, wanted = slope * exp(-1.0);
    bg_sensitivity s = answer(&q);

    expect(&s, "C.q", &wanted, 1e-8);
    bg_sensitivity_clear(&s);
}
END_TEST

/* A force that is not there: x = F t^2 / 2m. */
START_TEST(a_value_of_nothing_has_a_derivative)
{
    static const char text[] = SLIDER(
        "m: 1, F: 0", "x: 0", "{type: force, on: b.C, value: [F, 0]}") "simulate: {t_end: 1}\n";
    const char *const parameters[] = { "parameters.F" };
    question q = { text, parameters, 1, 1e-9, HA_DRIVER_AUTO, NULL, 0 };
    bg_sensitivity s = answer(&q);

    expect(&s, "b.x", (const double[]){ 0.5 }, 1e-9);
    bg_sensitivity_clear(&s);
}
END_TEST

/* --- what cannot be -------------------------------------------------------------------------- */

START_TEST(what_has_no_derivative_is_refused)
{
    static const struct {
        const char *text, *parameter, *says;
    } cases[] = {
        { SLIDER("m: 1, F: 2", "x: 0", "{type: force, on: b.C, value: [F, 0]}"), "parameters.F",
          "an end time above 0" },
        { SLIDER("m: 1, F: 2", "x: 0",
                 "{type: force, on: b.C, value: [F, 0]}") "simulate: {t_end: 1}\n",
          "bodies.b.width", "gives no value at `bodies.b.width`" },
        { SLIDER(
              "m: 1, F: 2", "x: 0",
              "{type: force, on: b.C, value: [F, 0]}") "simulate: {t_end: 1, from: equilibrium}\n",
          "parameters.F", "starts in an equilibrium" },
        { SLIDER("m: 1, T: 0.5", "x: 0",
                 "{type: force, on: b.C, value: ['if(t > T - 0.5, 1, 0)', 0]}") "simulate: {t_end: "
                                                                                "1}\n",
          "parameters.T", "is on its edge at 0 s" },
        { SLIDER("m: 1, T: 1", "x: 0",
                 "{type: force, on: b.C, value: ['if(t > T, 1, 0)', 0]}") "simulate: {t_end: 1}\n",
          "parameters.T", "is on its edge at 1 s" },
        { CHARGED("abs(c - 1)"), "parameters.c", "the start value of `C.q` is no smooth function" },
        { CHARGED("if(c >= 1, 2, 1)"), "parameters.c", "is no smooth function" },
    };
    const char *const parameters[] = { cases[_i].parameter };
    question q = { cases[_i].text, parameters, 1, 1e-6, HA_DRIVER_AUTO, NULL, 0 };
    bg_sensitivity s;

    ck_assert_int_ne(ask(&q, &s), HA_OK);
    const char *said = ha_ctx_diag(ctx, ha_ctx_n_diags(ctx) - 1)->text;
    ck_assert_msg(strstr(said, cases[_i].says) != NULL, "%s", said);
    bg_sensitivity_clear(&s);
}
END_TEST

/* The allocations of a small circuit. */
static ha_status attempt(void *user)
{
    const char *const parameters[] = { "R" };
    const m2d_source source = { .graph = "Se>1a>R;1a>C" };
    const m2d_sensitivity_def def = { .source = &source,
                                      .parameters = parameters,
                                      .n_parameters = 1,
                                      .adjust = set_one_second,
                                      .user = user };
    bg_sensitivity s;
    ha_status status = m2d_sensitivities(ctx, &def, NULL, &s);

    bg_sensitivity_clear(&s);
    return status;
}

START_TEST(memory_may_fail)
{
    question q = { .rtol = 1e-4 };

    ck_assert_uint_gt(memory_survives(ctx, 50, attempt, &q), 100);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sensitivity");
    TCase *tcase = tcase_create("sensitivity");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, a_pendulum_by_published_digits, 0, 3);
    tcase_add_test(tcase, a_circuit_in_closed_form);
    tcase_add_test(tcase, a_derivative_does_not_depend_on_what_else_is_asked_for);
    tcase_add_test(tcase, through_a_condition);
    tcase_add_test(tcase, through_a_known_time);
    tcase_add_test(tcase, through_an_elastic_stop);
    tcase_add_test(tcase, through_samples);
    tcase_add_test(tcase, from_the_first_sample_on);
    tcase_add_loop_test(tcase, start_values_are_differentiated_as_closely_as_they_need, 0, 2);
    tcase_add_test(tcase, a_value_of_nothing_has_a_derivative);
    tcase_add_loop_test(tcase, random_mechanisms_by_differences, 0, 2);
    tcase_add_loop_test(tcase, what_has_no_derivative_is_refused, 0, 7);
    tcase_add_test(tcase, memory_may_fail);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
