/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables and signals with a state in model files, against closed forms: solutions of linear systems
 * piece by piece, and the matrix exponential.
 */
#include <config.h>

#include "mech2d/simulate.h"
#include "tests/unit/mech2d/run.h"
#include "tests/util/util.h"

#include <check.h>
#include <stdio.h>
#include <unistd.h>

#define HEAD "halfarrow: 1\n"
#define TIGHT "rtol: 1e-11, atol: 1e-11, max_steps: 1000000"

/* --- tables ---------------------------------------------------------------------------------- */

enum { N = 5 };
static const double times[N] = { 0.0, 1.0, 1.5, 2.5, 2.75 };
static const double volts[N] = { 0.0, 2.0, -1.0, 3.0, 0.5 };

/* The displacement of q' = (V(t) - q / C) / R with a piecewise linear V. With T = R C and the piece
   V = a + b s: q = C (a + b (s - T)) + K exp(-s / T). */
static double rc_truth(double t, double R, double C)
{
    double q = 0.0, T = R * C;

    for (int k = 0; k < N && times[k] < t; k++) {
        double h = (k + 1 < N && times[k + 1] < t ? times[k + 1] : t) - times[k];
        double b = k + 1 < N ? (volts[k + 1] - volts[k]) / (times[k + 1] - times[k]) : 0.0;
        double K = q - C * (volts[k] - b * T);
        q = C * (volts[k] + b * (h - T)) + K * exp(-h / T);
    }
    return q;
}

#define RC                                                                                         \
    "bondgraph:\n"                                                                                 \
    "  elements: {V: {type: Se, value: V(t)}, R: {type: R, value: 2}, C: {type: C, value: 0.1}, "  \
    "1a: {type: \"1\"}}\n"                                                                         \
    "  bonds: [V > 1a > R, 1a > C]\n"                                                              \
    "simulate: {t_end: 3, step: 0.03, " TIGHT "}\n"

static void expect_rc(const run *r)
{
    for (size_t i = 0; i < ha_result_n_rows(r->result); i++) {
        double t = run_value(r, i, "t");
        double found = run_value(r, i, "C.q"), truth = rc_truth(t, 2.0, 0.1);
        ck_assert_msg(fabs(found - truth) <= 1e-9, "C.q at %g is %.17g, not %.17g", t, found,
                      truth);
    }
    ck_assert_int_eq(r->report.solver.events, N - 1); /* the start is none */
}

START_TEST(a_linear_table_drives_a_circuit_exactly)
{
    run r = run_text(HEAD "tables: {V: {x: [0, 1, 1.5, 2.5, 2.75], y: [0, 2, -1, 3, 0.5]}}\n" RC);

    expect_rc(&r);
    run_end(&r);
}
END_TEST

/* A file in the directory that the tests run in. */
static const char *write_file(const char *text)
{
    static char path[64];
    FILE *file = NULL;

    snprintf(path, sizeof path, "test_signals_%ld.csv", (long) getpid());
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
    return path;
}

START_TEST(samples_of_a_file_drive_a_circuit_exactly)
{
    static const char *const files[] = {
        "# measured\ntime [s],other,V\n0,7,0\n1,7,2\n\n1.5,7,-1\n2.5,7,3\n2.75,7,5e-1\n",
        "0;7;0\r\n1;7;2\r\n1.5;7;-1\r\n2.5;7;+3\r\n2.75;7;0.5",
        "t [ms],other [?],u [kV]\n0,7,0\n1000,7,2e-3\n1500,7,-1e-3\n2500,7,3e-3\n2750,7,5e-4\n",
        "\xEF\xBB\xBF"
        "0;7;0\n1;7;2\n1.5;7;-1\n2.5;7;3\n2.75;7;0.5\n",
        "\"t, in [ms]\",\"a [x,y]\",\"u, out "
        "[kV]\"\n0,7,0\n1000,7,2e-3\n1500,7,-1e-3\n2500,7,3e-3\n"
        "\"2750\",7,\"5e-4\"\n",
        "t[ms] other u[V]\n0 7 0\n1000 7 2\n1500 7 -1\n2500 7 3\n2750 7 0.5\n",
        "t [s];other;u(t) [-]\n0;7;0\n1;7;2\n1.5;7;-1\n2.5;7;3\n2.75;7;0.5\n",
        "0 7  0\n1 7 2\n 1.5 7 -1\n2.5 x 3\n2.75 7 0.5\n",
        "\"t\",\"a; \"\"b\"\", c\",\"1st\"\n0,7,0\n1,7,2\n1.5,7,-1\n2.5,7,3\n2.75,7,0.5\n",
        "\"t\"\t\"a\"\t\"b\"\n0\t7\t\"0\"\n1\t7\t2\n1.5\t7\t-1\n2.5\t7\t3\n2.75\t7\t0.5\n",
    };

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const char *path = write_file(files[i]);
        char text[1024];
        snprintf(text, sizeof text, HEAD "tables: {V: {file: %s, columns: [1, 3]}}\n" RC, path);
        run r = run_text(text);
        expect_rc(&r);
        run_end(&r);
        remove(path);
    }
}
END_TEST

START_TEST(a_table_of_a_state_is_integrated_to_its_kinks)
{
    /* a mass of 1 at speed 1 against a spring with slack: no force to q = 1, then 4 (q - 1), beyond
       the last point constant: m v' = -F(q); it meets the spring at t = 1 and is back at t = 1 +
       pi / 2 with the speed -1 */
    run r = run_text(
        HEAD
        "tables: {F: {x: [0, 1, 9], y: [0, 0, 32]}}\n"
        "bondgraph:\n"
        "  elements: {m: {type: I, value: 1, p: 1}, s: {type: C, e: F(q)}, 1v: {type: \"1\"}}\n"
        "  bonds: [1v > m, 1v > s]\n"
        "simulate: {t_end: 2.8, " TIGHT "}\n");
    double back = 1.0 + acos(-1.0) / 2.0;

    run_expect_near(&r, "m.f", -1.0, 1e-8);
    run_expect_near(&r, "s.q", 1.0 - (2.8 - back), 1e-8);
    run_expect_near(&r, "energy.error", 0.0, 1e-8);
    run_end(&r);
}
END_TEST

START_TEST(a_submodel_sees_the_tables_of_its_file)
{
    run r = run_text(
        HEAD "tables: {V: {x: [0, 1, 1.5, 2.5, 2.75], y: [0, 2, -1, 3, 0.5]}}\n"
             "submodels:\n"
             "  source:\n"
             "    ports: {out: 1a}\n"
             "    elements: {V: {type: Se, value: V(t)}, 1a: {type: \"1\"}}\n"
             "    bonds: [V > 1a]\n"
             "bondgraph:\n"
             "  elements: {S: {type: source}, R: {type: R, value: 2}, C: {type: C, value: 0.1}}\n"
             "  bonds: [S.out > R, S.out > C]\n"
             "simulate: {t_end: 3, step: 0.03, " TIGHT "}\n");

    expect_rc(&r);
    run_end(&r);
}
END_TEST

START_TEST(many_samples_cost_little)
{
    /* 20000 samples of a sine through a lag; the error of the samples is below (w h)^2 / 8 */
    enum { SAMPLES = 20000 };
    const double w = 6.0, T = 0.5, end = 2.0, h = end / SAMPLES;
    FILE *file = fopen("test_signals_long.csv", "w");
    for (int i = 0; i <= SAMPLES; i++) {
        fprintf(file, "%.17g,%.17g\n", i * h, sin(w * i * h));
    }
    fclose(file);
    run r = run_text(HEAD "tables: {u: {file: test_signals_long.csv, kind: cubic}}\n"
                          "bondgraph:\n"
                          "  signals: {y: {type: lag, input: u(t), time_constant: 0.5}}\n"
                          "simulate: {t_end: 2, rtol: 1e-9, atol: 1e-9, max_steps: 1000000}\n");
    double a = 1.0 + w * w * T * T;
    double truth = (sin(w * end) - w * T * cos(w * end)) / a + w * T / a * exp(-end / T);

    run_expect_near(&r, "y", truth, 1e-7);
    run_end(&r);
    remove("test_signals_long.csv");
}
END_TEST

/* Zeros at even distances h, and one of 1 / h among them. Whatever joins them, smoothly or not, the
   area below is 1: what is left of it at the ends of a spline is below 1e-40. */
START_TEST(a_narrow_pulse_of_a_table_is_felt_by_every_method)
{
    static const char *const kinds[] = { "linear", "cubic", "natural", "periodic" };
    static const char *const drivers[] = { "ida", "explicit", "explicit8", "auto" };
    enum { POINTS = 401, TOP = 160 };
    const double end = 10.0, h = end / (POINTS - 1);
    static char x[24 * POINTS], y[24 * POINTS], text[50 * POINTS];
    int n_x = 0, n_y = 0;

    for (int i = 0; i < POINTS; i++) {
        const char *comma = i == 0 ? "" : ",";
        n_x += snprintf(x + n_x, sizeof x - (size_t) n_x, "%s%.17g", comma, i * h);
        n_y += snprintf(y + n_y, sizeof y - (size_t) n_y, "%s%g", comma, i == TOP ? 1.0 / h : 0.0);
    }
    snprintf(text, sizeof text,
             HEAD "tables: {w: {x: [%s], y: [%s], kind: %s}}\n"
                  "bondgraph:\n"
                  "  elements: {F: {type: Se, value: w(t)}, 1m: {type: \"1\"}, m: {type: I}}\n"
                  "  bonds: [F > 1m > m]\n"
                  "simulate: {t_end: 10, driver: %s}\n",
             x, y, kinds[_i / 4], drivers[_i % 4]);
    run r = run_text(text);
    ck_assert_double_eq_tol(run_last(&r, "m.p"), 1.0, 1e-3);
    run_end(&r);
}
END_TEST

/* The points of few samples: two that are narrow beside the rest, the second half as high. */
START_TEST(a_second_pulse_of_a_table_is_felt_by_every_method)
{
    static const char *const drivers[] = { "ida", "explicit", "explicit8", "auto" };
    char text[600];

    snprintf(text, sizeof text,
             HEAD "tables: {w: {x: [0, 6.15, 6.17, 6.19, 7.15, 7.17, 7.19, 10],\n"
                  "             y: [0, 0, 50, 0, 0, -25, 0, 0], kind: cubic}}\n"
                  "bondgraph:\n"
                  "  elements: {F: {type: Se, value: w(t)}, 1m: {type: \"1\"}, m: {type: I}}\n"
                  "  bonds: [F > 1m > m]\n"
                  "simulate: {t_end: 10, driver: %s}\n",
             drivers[_i]);
    run r = run_text(text);
    ck_assert_double_eq_tol(run_last(&r, "m.p"), 0.5, 1e-3);
    run_end(&r);
}
END_TEST

#define ONE_TABLE(text)                                                                            \
    HEAD "tables: {T: {" text "}}\n"                                                               \
         "bondgraph: {elements: {V: {type: Se, value: T(t)}, R: {type: R}}, bonds: [V > R]}\n"     \
         "simulate: {t_end: 1}\n"

START_TEST(tables_that_are_wrong_are_refused_with_the_reason)
{
    static const struct {
        const char *text, *part;
        ha_status status;
    } wrong[] = {
        { ONE_TABLE("x: [0, 2, 1], y: [0, 1, 2]"), "point 2 is at 2, point 3 at 1", HA_ERR_VALUE },
        { ONE_TABLE("x: [0, 1], y: [0, 1, 2]"), "has 2 `x`, but 3 `y`", HA_ERR_VALUE },
        { ONE_TABLE("x: [0], y: [0]"), "has 1 point; give at least 2", HA_ERR_VALUE },
        { ONE_TABLE("x: [0, a], y: [0, 1]"), "`a` in `x` of table `T` is no number", HA_ERR_VALUE },
        { ONE_TABLE("x: [0, 1], y: [0, 1], kind: spline"), "unknown kind `spline`", HA_ERR_NAME },
        { ONE_TABLE("x: [0, 1]"), "`y`", HA_ERR_NAME },
        { ONE_TABLE("x: [0, 1], y: [0, 1], columns: [1, 2]"), "no `file`", HA_ERR_VALUE },
        { ONE_TABLE("file: none.csv"), "cannot read the file", HA_ERR_FILE },
        { ONE_TABLE("file: none.csv, columns: [0, 1]"), "whole numbers from 1", HA_ERR_VALUE },
        { HEAD "tables: {sin: {x: [0, 1], y: [0, 1]}}\nbondgraph: {}\n",
          "cannot be the name of a table", HA_ERR_NAME },
        { HEAD "tables: {T: {x: [0, 1], y: [0, 1]}}\nparameters: {a: 'T(1, 2)'}\nbondgraph: {}\n",
          "`T` takes 1 argument, not 2", HA_ERR_SYNTAX },
        { HEAD "parameters: {a: 'T(1)'}\nbondgraph: {}\n", "unknown function `T`", HA_ERR_NAME },
    };

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        run_expect_failure(wrong[i].text, wrong[i].status, wrong[i].part);
    }
}
END_TEST

START_TEST(files_that_are_wrong_are_refused_with_the_line)
{
    static const struct {
        const char *text, *part;
        int line, column;
    } wrong[] = { { "t,v\n0,0\n1,x2\n", "`x2` in column 2 is no number", 3, 3 },
                  { "t,v\n0,0\n1\n", "no column 2", 3, 1 },
                  { "t\n0\n1\n", "no column 2", 1, 1 }, /* before the header is no number */
                  { "t,v\nu,w\n0,0\n", "`u` in column 1 is no number", 2, 1 },
                  { "0,0\n1,0x10\n", "`0x10` in column 2", 2, 3 },
                  { "0,0\n1,nan\n", "`nan` in column 2", 2, 3 },
                  /* decimal commas, and what would be read of them with all separators alike */
                  { "0;0,01\n1;0,02\n2;0\n", "`0,01` in column 2 is no number", 1, 3 },
                  { "t;v\n0;0\n1;0,02\n", "`0,02` in column 2 is no number", 3, 3 },
                  { "t\tv\n0\t0\n1,5\t2\n", "`1,5` in column 1 is no number", 3, 1 },
                  { "0;0\n1,5\n", "no column 2", 2, 1 },
                  { "t [ms] v [V]\n0 0\n1 2\n", "a title begins with a unit", 1, 3 },
                  { "t\t[ms]\tv\t[V]\n0\t0\n1\t2\n", "a title begins with a unit", 1, 3 },
                  { "\"1,5\",\"2,5\"\n\"2,5\",\"3,5\"\n", "`1,5` in column 1 is no number", 1, 2 },
                  { "time [s] elapsed[ms] u[mm]\n0 1 2\n1 2 3\n", "a title begins", 1, 6 },
                  { "elapsed time[ms] u[mm]\n0 1\n1 2\n", "2 fields, and the header 3 titles", 2,
                    1 },
                  { "\"t [ms]\",\"u [mm]\"\n\"1\",0,1\n", "3 fields, and the header 2", 2, 1 },
                  { "t,u\n0,5,1,5\n1,0,2,5\n", "4 fields, and the header 2", 2, 1 },
                  { "t, [ms], u, [V]\n0, 0\n1, 2\n", "a title begins with a unit", 1, 4 },
                  { "t [ms],u [mV] raw\n0,0\n1,2\n", "no unit at its end", 1, 8 },
                  { "0,01;0\n1;2\n2;3\n", "`0,01` in column 1 is no number", 1, 1 },
                  { "NaN;5\n1;2\n", "`NaN` in column 1 is no number", 1, 1 },
                  { "0 s;5 V\n1;2\n2;3\n", "`0 s` in column 1 is no number", 1, 1 },
                  { "t [ms],v [V]\n0,0\n1,x2\n", "`x2` in column 2 is no number", 3, 3 },
                  { "t [ms],v [furz]\n0,0\n1,2\n", "unknown unit `furz`", 1, 11 } };

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const char *path = write_file(wrong[i].text);
        char text[512];
        m2d_model *model = NULL;
        ha_ctx *ctx = ha_ctx_new();
        snprintf(text, sizeof text, ONE_TABLE("file: %s"), path);
        ha_status status = m2d_read_text(ctx, text, strlen(text), "m.yaml", NULL, &model);
        bool is_unit = strstr(wrong[i].part, "unknown unit") != NULL;
        ck_assert_int_eq(status, is_unit ? HA_ERR_UNIT : HA_ERR_SYNTAX);
        ck_assert_uint_eq(ha_ctx_n_errors(ctx), 1);
        const ha_diag *diag = ha_ctx_diag(ctx, 0);
        ck_assert_msg(strstr(diag->text, wrong[i].part) != NULL, "%s", diag->text);
        ck_assert_str_eq(diag->where.file, path);
        ck_assert_int_eq(diag->where.line, wrong[i].line);
        ck_assert_int_eq(diag->where.column, wrong[i].column);
        ha_ctx_free(ctx);
        remove(path);
    }
}
END_TEST

/* --- signals ---------------------------------------------------------------------------------- */

START_TEST(blocks_follow_their_closed_forms)
{
    /* input cos(w t): the integral; the lag K u; the filtered derivative */
    const double w = 3.0, t = 2.0, T = 0.4, K = 5.0;
    double a = 1.0 + w * w * T * T, c = cos(w * t), s = sin(w * t), e = exp(-t / T);
    double smooth = (c + w * T * s) / a; /* of T x' = u - x, but for its decay */
    run r = run_text(
        HEAD "parameters: {w: 3}\n"
             "bondgraph:\n"
             "  signals:\n"
             "    z: {type: integrator, input: cos(w*t), gain: 5, start: 0.25}\n"
             "    y: {type: lag, input: cos(w*t), gain: 5, time_constant: 0.4, start: -1}\n"
             "    d: {type: derivative-filter, input: cos(w*t), gain: 5, time_constant: 0.4, "
             "start: 1}\n"
             "    p: {type: pid, input: cos(w*t), kp: 2, ki: 3, kd: 0.5, filter_time: 400 ms, "
             "start: 0.1, filter_start: 1}\n"
             "simulate: {t_end: 2, " TIGHT "}\n");
    double x = smooth + (1.0 - 1.0 / a) * e;

    run_expect_near(&r, "z", 0.25 + K * s / w, 1e-8);
    run_expect_near(&r, "y", K * smooth + (-1.0 - K / a) * e, 1e-8);
    run_expect_near(&r, "d", K * (c - x) / T, 1e-7);
    run_expect_near(&r, "p", 2.0 * c + 0.1 + 3.0 * s / w + 0.5 * (c - x) / T, 1e-8);
    run_expect_near(&r, "energy.error", 0.0, 1e-12);
    run_end(&r);
}
END_TEST

enum { M = 5 }; /* i, w, s, z, and the constant 1 */

/* exp(A) by scaling and squaring of the Taylor series. */
static void exponential(double A[M][M], double out[M][M])
{
    enum { SQUARINGS = 14, TERMS = 20 };
    double term[M][M] = { { 0.0 } }, next[M][M];

    for (int i = 0; i < M; i++) {
        for (int j = 0; j < M; j++) {
            A[i][j] = ldexp(A[i][j], -SQUARINGS);
            term[i][j] = out[i][j] = i == j ? 1.0 : 0.0;
        }
    }
    for (int n = 1; n < TERMS + SQUARINGS; n++) { /* terms 1 ... TERMS - 1, then the squarings */
        for (int i = 0; i < M; i++) {
            for (int j = 0; j < M; j++) {
                next[i][j] = 0.0;
                for (int k = 0; k < M; k++) {
                    next[i][j] += n < TERMS ? term[i][k] * A[k][j] / n : out[i][k] * out[k][j];
                }
            }
        }
        for (int i = 0; i < M; i++) {
            for (int j = 0; j < M; j++) {
                term[i][j] = next[i][j];
                out[i][j] = n < TERMS ? out[i][j] + next[i][j] : next[i][j];
            }
        }
    }
}

START_TEST(a_controlled_motor_follows_the_matrix_exponential)
{
    /* before the load comes, without limits: of examples/motor_speed.yaml at t = 0.25 s */
    static const char *const sets[] = { "simulate.t_end=0.25", "simulate.rtol=1e-11",
                                        "simulate.atol=1e-11" };
    const m2d_read_def def = { .variant = "unlimited", .sets = sets, .n_sets = 3 };
    const double R = 1.2, L = 2e-3, k = 0.05, J = 2e-5, b = 1e-5, kp = 0.05, ki = 2.0;
    const double wish = 100.0, T = 1e-3, t = 0.25;
    double A[M][M] = { { -R / L, -k / L, -kp / L, 1.0 / L, kp * wish / L },
                       { k / J, -b / J, 0.0, 0.0, 0.0 },
                       { 0.0, 1.0 / T, -1.0 / T, 0.0, 0.0 },
                       { 0.0, 0.0, -ki, 0.0, ki * wish },
                       { 0.0 } };
    double E[M][M];
    run r = run_file("examples/motor_speed.yaml", &def);

    for (int i = 0; i < M; i++) {
        for (int j = 0; j < M; j++) {
            A[i][j] *= t;
        }
    }
    exponential(A, E); /* from 0, so that the last column is the state */
    run_expect(&r, "winding.f", E[0][M - 1], 1e-7);
    run_expect(&r, "rotor.f", E[1][M - 1], 1e-7);
    run_expect(&r, "speed", E[2][M - 1], 1e-7);
    run_expect(&r, "control", kp * (wish - E[2][M - 1]) + E[3][M - 1], 1e-7);
    run_end(&r);
}
END_TEST

START_TEST(a_limit_holds_and_the_integral_does_not_run_away)
{
    /* u = 1 to t = 10, then -1; v = u/2 + i reaches the limit 1 at t = 0.5. Beyond it v' = 1 +
       (1 - v) / 0.2, so that i goes to 0.7 and not to 10; after the turn v = i - 1/2, i' = -1 */
    run r = run_text(HEAD "bondgraph:\n"
                          "  signals:\n"
                          "    p: {type: pid, input: 'if(t < 10, 1, -1)', kp: 0.5, ki: 1, limits: "
                          "[-1, 1], tracking_time: 0.2}\n"
                          "simulate: {t_end: 11, step: 0.3, " TIGHT "}\n");

    for (size_t i = 0; i < ha_result_n_rows(r.result); i++) {
        double t = run_value(&r, i, "t");
        double y = t < 0.5 ? 0.5 + t : t < 10.0 ? 1.0 : 0.2 - (t - 10.0);
        ck_assert_double_eq_tol(run_value(&r, i, "p"), y, 1e-8);
        if (t > 0.5 && t < 10.0) {
            double x = 0.7 - 0.2 * exp(-(t - 0.5) / 0.2);
            ck_assert_double_eq_tol(run_value(&r, i, "p.state.q"), x, 1e-8);
        }
    }
    run_end(&r);
}
END_TEST

START_TEST(a_value_is_held_from_one_event_to_the_next)
{
    /* closed form: x = cos(t) is above 1/2 until pi/3 and from 5 pi/3 on, where t is held; its rate
       there is sin(pi/3) */
    run r = run_text(HEAD "bondgraph:\n"
                          "  elements: {m: {type: I, value: 1}, k: {type: C, value: 1, q: 1}}\n"
                          "  bonds: [k > m]\n"
                          "  signals:\n"
                          "    when: {type: hold, input: t, when: k.q - 0.5, start: -1}\n"
                          "    rate: {type: hold, input: k.f, when: k.q - 0.5}\n"
                          "simulate: {t_end: 7, step: 0.05, " TIGHT "}\n");

    for (size_t i = 0; i < ha_result_n_rows(r.result); i++) {
        double t = run_value(&r, i, "t"), third = acos(0.5);
        bool is_first = t < third, is_above = is_first || t > 5.0 * third;
        double when = is_first ? 0.0 : is_above ? 5.0 * third : -1.0;
        double rate = !is_first && is_above ? sin(third) : 0.0;
        ck_assert_double_eq_tol(run_value(&r, i, "when"), when, 1e-8);
        ck_assert_double_eq_tol(fabs(run_value(&r, i, "rate")), rate, 1e-8);
    }
    ck_assert_int_eq(r.report.solver.events, 2);
    run_end(&r);
}
END_TEST

START_TEST(a_comparison_holds_a_value_when_it_gets_true)
{
    /* x = cos(t) is above 1/2 until pi/3 and from 5 pi/3 on; so is `both`, until 6 s */
    run r = run_text(HEAD "bondgraph:\n"
                          "  elements: {m: {type: I, value: 1}, k: {type: C, value: 1, q: 1}}\n"
                          "  bonds: [k > m]\n"
                          "  signals:\n"
                          "    when: {type: hold, input: t, when: k.q > 0.5, start: -1}\n"
                          "    both: {type: hold, input: t, when: (k.q > 0.5)*(t < 6), start: -1}\n"
                          "simulate: {t_end: 7, step: 0.05, " TIGHT "}\n");

    for (size_t i = 0; i < ha_result_n_rows(r.result); i++) {
        double t = run_value(&r, i, "t"), third = acos(0.5);
        double when = t < third ? 0.0 : t > 5.0 * third ? 5.0 * third : -1.0;
        ck_assert_double_eq_tol(run_value(&r, i, "when"), when, 1e-8);
        ck_assert_double_eq_tol(run_value(&r, i, "both"), t > 6.0 + 1e-9 ? -1.0 : when, 1e-8);
    }
    run_end(&r);
}
END_TEST

START_TEST(submodels_have_signals_of_their_own)
{
    run r =
        run_text(HEAD "submodels:\n"
                      "  filter:\n"
                      "    parameters: {T: 1}\n"
                      "    elements: {1a: {type: \"1\"}, V: {type: Se, value: y}, R: {type: R}}\n"
                      "    signals: {y: {type: lag, input: 1, time_constant: T}}\n"
                      "    bonds: [V > 1a > R]\n"
                      "bondgraph:\n"
                      "  elements: {A: {type: filter}, B: {type: filter, parameters: {T: 2}}}\n"
                      "simulate: {t_end: 1, " TIGHT "}\n");

    run_expect_near(&r, "A.V.e", 1.0 - exp(-1.0), 1e-9);
    run_expect_near(&r, "B.y", 1.0 - exp(-0.5), 1e-9);
    run_end(&r);
}
END_TEST

#define ONE_SIGNAL(text) HEAD "bondgraph: {signals: {s: {" text "}}}\nsimulate: {t_end: 1}\n"

START_TEST(signals_that_are_wrong_are_refused_with_the_reason)
{
    static const struct {
        const char *text, *part;
        ha_status status;
    } wrong[] = {
        { ONE_SIGNAL("type: lga, input: t"), "unknown type `lga`", HA_ERR_NAME },
        { ONE_SIGNAL("type: lag, time_constant: 1"), "`input`", HA_ERR_NAME },
        { ONE_SIGNAL("type: lag, input: t"), "has no `time_constant`", HA_ERR_VALUE },
        { ONE_SIGNAL("type: lag, input: t, time_constant: 0"), "is 0 s", HA_ERR_VALUE },
        { ONE_SIGNAL("type: lag, input: t, kp: 0"), "unknown key `kp`", HA_ERR_NAME },
        { ONE_SIGNAL("type: integrator, input: t, start: t"), "must be constant", HA_ERR_VALUE },
        { ONE_SIGNAL("type: pid, input: t, kd: 1"), "has no `filter_time`", HA_ERR_VALUE },
        { ONE_SIGNAL("type: pid, input: t, ki: 1, limits: [0, 1]"), "give `tracking_time`",
          HA_ERR_VALUE },
        { ONE_SIGNAL("type: pid, input: t, kp: 1, limits: [1, 0]"), "the lower one first",
          HA_ERR_VALUE },
        { ONE_SIGNAL("type: hold, input: t"), "has no `when`", HA_ERR_VALUE },
        { ONE_SIGNAL("type: hold, input: t, when: 2 - 1"), "is the constant 1", HA_ERR_VALUE },
        { HEAD "parameters: {s: 1}\n"
               "bondgraph: {signals: {s: {type: integrator, input: t}}}\n",
          "a parameter and a signal", HA_ERR_NAME },
        { HEAD
          "bondgraph: {elements: {s: {type: R}}, signals: {s: {type: integrator, input: t}}}\n",
          "already that of an element", HA_ERR_NAME },
    };

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        run_expect_failure(wrong[i].text, wrong[i].status, wrong[i].part);
    }
}
END_TEST

/* --- memory ----------------------------------------------------------------------------------- */

START_TEST(every_allocation_may_fail)
{
    static const char text[] = HEAD
        "tables: {T: {x: [0, 1, 3], y: [0, 1, 0], kind: cubic}, U: {file: test_signals_m.csv}}\n"
        "submodels: {f: {elements: {V: {type: Se, value: U(y)}, R: {type: R}}, bonds: [V > R],\n"
        "  signals: {y: {type: lag, input: T(t), time_constant: 1}}}}\n"
        "bondgraph: {elements: {A: {type: f}}, signals: {p: {type: pid, input: A.y, kp: 1, ki: "
        "1, kd: 1, filter_time: 1, limits: [-1, 1]}}}\n"
        "simulate: {t_end: 0.1}\n";
    FILE *file = fopen("test_signals_m.csv", "w");

    fputs("0,0\n1,2\n2,1\n", file);
    fclose(file);
    run_survives(text, run_expand);
    remove("test_signals_m.csv");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("signals");
    TCase *tcase = tcase_create("signals");

    tcase_add_test(tcase, a_linear_table_drives_a_circuit_exactly);
    tcase_add_test(tcase, samples_of_a_file_drive_a_circuit_exactly);
    tcase_add_test(tcase, a_table_of_a_state_is_integrated_to_its_kinks);
    tcase_add_test(tcase, a_submodel_sees_the_tables_of_its_file);
    tcase_add_test(tcase, many_samples_cost_little);
    tcase_add_loop_test(tcase, a_narrow_pulse_of_a_table_is_felt_by_every_method, 0, 16);
    tcase_add_loop_test(tcase, a_second_pulse_of_a_table_is_felt_by_every_method, 0, 4);
    tcase_add_test(tcase, tables_that_are_wrong_are_refused_with_the_reason);
    tcase_add_test(tcase, files_that_are_wrong_are_refused_with_the_line);
    tcase_add_test(tcase, blocks_follow_their_closed_forms);
    tcase_add_test(tcase, a_controlled_motor_follows_the_matrix_exponential);
    tcase_add_test(tcase, a_limit_holds_and_the_integral_does_not_run_away);
    tcase_add_test(tcase, a_value_is_held_from_one_event_to_the_next);
    tcase_add_test(tcase, a_comparison_holds_a_value_when_it_gets_true);
    tcase_add_test(tcase, submodels_have_signals_of_their_own);
    tcase_add_test(tcase, signals_that_are_wrong_are_refused_with_the_reason);
    tcase_add_test(tcase, every_allocation_may_fail);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
