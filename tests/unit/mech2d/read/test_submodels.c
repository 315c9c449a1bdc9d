/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Submodels in model files: they give what the flat file gives, to the last bit; parameters, files,
 * joints; what is said of bad ones, and where.
 */
#include <config.h>

#include "tests/unit/mech2d/run.h"

#include <stdio.h>
#include <unistd.h>

#define HEAD "halfarrow: 1\n"

static const char motors[] =
    HEAD "parameters: {r2: 2 ohm}\n"
         "submodels:\n"
         "  motor:\n"
         "    parameters: {R: 1.2 ohm, L: R/600, k: 0.05, J: 2e-5 kg.m2}\n"
         "    ports: {electric: 1i, shaft: 1m}\n"
         "    elements:\n"
         "      1i: {type: '1'}\n"
         "      Ra: {type: R, value: R}\n"
         "      La: {type: I, value: L, p: L/10}\n"
         "      K: {type: GY, value: k}\n"
         "      1m: {type: '1'}\n"
         "      rotor: {type: I, value: J}\n"
         "      fan: {type: MSe, value: -1e-6*rotor.f*abs(rotor.f)}\n"
         "    bonds: [1i > Ra, 1i > La, 1i > K > 1m > rotor, fan > 1m]\n"
         "bondgraph:\n"
         "  elements:\n"
         "    V: {type: MSe, value: 12 - 0.1*M2.La.f}\n"
         "    0v: {type: '0'}\n"
         "    M1: {type: motor}\n"
         "    M2: {type: motor, parameters: {R: r2}}\n"
         "    load: {type: I, value: 1e-5}\n"
         "  bonds: [V > 0v, 0v > M1.electric, 0v > M2.electric, M1.shaft > load]\n";

/* The same, written out. */
static const char flat_motors[] = HEAD
    "parameters: {r2: 2 ohm}\n"
    "bondgraph:\n"
    "  elements:\n"
    "    V: {type: MSe, value: 12 - 0.1*M2_La.f}\n"
    "    0v: {type: '0'}\n"
    "    M1_1i: {type: '1'}\n"
    "    M1_Ra: {type: R, value: 1.2 ohm}\n"
    "    M1_La: {type: I, value: 1.2/600, p: 1.2/600/10}\n"
    "    M1_K: {type: GY, value: 0.05}\n"
    "    M1_1m: {type: '1'}\n"
    "    M1_rotor: {type: I, value: 2e-5}\n"
    "    M1_fan: {type: MSe, value: -1e-6*M1_rotor.f*abs(M1_rotor.f)}\n"
    "    M2_1i: {type: '1'}\n"
    "    M2_Ra: {type: R, value: r2}\n"
    "    M2_La: {type: I, value: r2/600, p: r2/600/10}\n"
    "    M2_K: {type: GY, value: 0.05}\n"
    "    M2_1m: {type: '1'}\n"
    "    M2_rotor: {type: I, value: 2e-5}\n"
    "    M2_fan: {type: MSe, value: -1e-6*M2_rotor.f*abs(M2_rotor.f)}\n"
    "    load: {type: I, value: 1e-5}\n"
    "  bonds: [M1_1i > M1_Ra, M1_1i > M1_La, M1_1i > M1_K > M1_1m > M1_rotor, M1_fan > M1_1m,\n"
    "          M2_1i > M2_Ra, M2_1i > M2_La, M2_1i > M2_K > M2_1m > M2_rotor, M2_fan > M2_1m,\n"
    "          V > 0v, 0v > M1_1i, 0v > M2_1i, M1_1m > load]\n";

static run run_set(const char *text, const char *const *sets, int n_sets)
{
    run r = run_new();
    const m2d_read_def def = { .sets = sets, .n_sets = n_sets };
    ha_status status = m2d_read_text(r.ctx, text, strlen(text), "m.yaml", &def, &r.model);

    run_check(&r, status);
    run_check(&r, run_model(&r));
    return r;
}

/* The port's second end of M2 is closed by the two texts behind the models. */
static void join(char *out, size_t size, const char *text, const char *shaft)
{
    snprintf(out, size, "%s", text);
    size_t at = strlen(out) - 2; /* before the bracket */
    snprintf(out + at, size - at, ", open > %s]\nsimulate: {t_end: 0.2, rtol: 1e-8, atol: 1e-8}\n",
             shaft);
    char *elements = strstr(out, "    load:");
    char rest[4096];
    snprintf(rest, sizeof rest, "%s", elements);
    snprintf(elements, size - (size_t) (elements - out), "    open: {type: Se, value: 0}\n%s",
             rest);
}

START_TEST(a_file_with_submodels_gives_what_the_flat_file_gives)
{
    char first[4096], second[4096];

    join(first, sizeof first, motors, "M2.shaft");
    join(second, sizeof second, flat_motors, "M2_1m");
    run a = run_text(first), b = run_text(second);
    size_t n = ha_result_n_columns(a.result);
    ck_assert_uint_eq(n, ha_result_n_columns(b.result));
    ck_assert_uint_eq(ha_result_n_rows(a.result), ha_result_n_rows(b.result));
    for (size_t k = 0; k < n; k++) {
        char name[64];
        snprintf(name, sizeof name, "%s", ha_result_name(a.result, k));
        if (name[0] == 'M' && name[2] == '.') {
            name[2] = '_';
        }
        int other = ha_result_find(b.result, name);
        ck_assert_msg(other >= 0, "no %s", name);
        for (size_t i = 0; i < ha_result_n_rows(a.result); i++) {
            double x = ha_result_value(a.result, i, k);
            double y = ha_result_value(b.result, i, (size_t) other);
            ck_assert_msg(memcmp(&x, &y, sizeof x) == 0, "row %zu, %s: %.17g and %.17g", i, name, x,
                          y);
        }
    }
    ck_assert(fabs(run_last(&a, "M1.rotor.f") - run_last(&a, "M2.rotor.f")) > 1.0);
    run_end(&a);
    run_end(&b);
}
END_TEST

/* --- parameters ----------------------------------------------------------------------------- */

static const char gears[] =
    HEAD "submodels:\n"
         "  box:\n" /* stands before what it uses */
         "    parameters: {n1: 2, J: 4 kg.m2}\n"
         "    ports: {in: s1.in, out: s2.out}\n"
         "    elements:\n"
         "      s1: {type: stage, parameters: {n: n1, J: J/2}}\n"
         "      s2: {type: stage}\n"
         "    bonds: [s1.out > s2.in]\n"
         "  stage:\n"
         "    parameters: {n: 3, J: 1 kg.m2}\n"
         "    ports: {in: 1a, out: T}\n"
         "    elements: {1a: {type: '1'}, I: {type: I, value: J}, T: {type: TF, value: n}}\n"
         "    bonds: [1a > I, 1a > T]\n"
         "bondgraph:\n"
         "  elements:\n"
         "    drive: {type: Se, value: 10}\n"
         "    G: {type: box, parameters: {s2.J: 0.5}}\n"
         "    load: {type: I, value: 2}\n"
         "  bonds: [drive > G.in, G.out > load]\n"
         "variants: {quick: {bondgraph: {elements: {G: {parameters: {n1: 7}}}}}}\n"
         "simulate: {t_end: 1, rtol: 1e-9, atol: 1e-9}\n";

/* From rest under an effort of 10: w t = 10 t/(J1 + n1^2 J2 + n1^2 n2^2 2). */
static void expect_gears(const char *const *sets, int n_sets, double n1, double J1, double n2,
                         double J2)
{
    run r = run_set(gears, sets, n_sets);

    run_expect(&r, "G.s1.I.f", 10.0 / (J1 + n1 * n1 * (J2 + n2 * n2 * 2.0)), 1e-9);
    run_end(&r);
}

START_TEST(parameters_go_from_outside_to_inside)
{
    const char *const one[] = { "parameters.G.n1=5" };
    const char *const inner[] = { "parameters.G.s2.n=0.5", "parameters.G.J=6 kg.m2" };
    const char *const all[] = { "submodels.stage.parameters.n=4" };
    const char *const here[] = { "bondgraph.elements.G.parameters={J: 8}" };

    expect_gears(NULL, 0, 2.0, 2.0, 3.0, 0.5);
    expect_gears(one, 1, 5.0, 2.0, 3.0, 0.5);
    expect_gears(inner, 2, 2.0, 3.0, 0.5, 0.5);
    expect_gears(all, 1, 2.0, 2.0, 4.0, 0.5);
    expect_gears(here, 1, 2.0, 4.0, 3.0, 1.0);
}
END_TEST

START_TEST(variants_reach_instances)
{
    run r = run_new();
    const m2d_read_def def = { .variant = "quick" };

    run_check(&r, m2d_read_text(r.ctx, gears, strlen(gears), "m.yaml", &def, &r.model));
    run_check(&r, run_model(&r));
    run_expect(&r, "load.f", 21.0 * 10.0 / (2.0 + 49.0 * (0.5 + 9.0 * 2.0)), 1e-9);
    run_end(&r);
}
END_TEST

/* --- joints --------------------------------------------------------------------------------- */

/* A motor turns an arm about a hinge without gravity: current i, speed w,
   J w' = k i, R i = U - k w, so w = U/k (1 - exp(-k^2 t/(R J))). */
START_TEST(a_port_may_be_bonded_to_a_joint)
{
    const double U = 12.0, k = 0.4, R = 1.5, J = 0.02 + 1e-3;
    run r = run_text(
        HEAD
        "gravity: [0, 0]\n"
        "ground: {points: {O: [0, 0]}}\n"
        "bodies: {arm: {mass: 1, inertia: 0.02, points: {O: [0, 0]}, start: {fixed: [angle]}}}\n"
        "joints: {O: {type: revolute, between: [ground.O, arm.O]}}\n"
        "submodels:\n"
        "  motor:\n"
        "    parameters: {R: 1.2 ohm, k: 0.4}\n"
        "    ports: {electric: 1i, shaft: 1m}\n"
        "    elements:\n"
        "      1i: {type: '1'}\n"
        "      Ra: {type: R, value: R}\n"
        "      K: {type: GY, value: k}\n"
        "      1m: {type: '1'}\n"
        "      rotor: {type: I, value: 1e-3}\n"
        "    bonds: [1i > Ra, 1i > K > 1m > rotor]\n"
        "bondgraph:\n"
        "  elements: {V: {type: Se, value: 12 V}, M: {type: motor, parameters: {R: 1.5 ohm}}}\n"
        "  bonds: [V > M.electric, M.shaft > O.axis]\n"
        "outputs: [arm.omega, M.K, M.rotor.f]\n"
        "simulate: {t_end: 0.1, rtol: 1e-10, atol: 1e-10}\n");

    run_expect(&r, "arm.omega", U / k * (1.0 - exp(-k * k * 0.1 / (R * J))), 1e-7);
    run_end(&r);
}
END_TEST

/* --- files ---------------------------------------------------------------------------------- */

static char directory[64];

static void write_file(const char *name, const char *text)
{
    char path[128];

    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static void make_directory(void)
{
    strcpy(directory, "/tmp/test_submodels_XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
}

static void remove_directory(void)
{
    static const char *const names[] = { "m.yaml", "gears.yaml", "stage.yaml" };

    for (size_t i = 0; i < HA_COUNT(names); i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        unlink(path);
    }
    rmdir(directory);
}

#define STAGE_BODY                                                                                 \
    "parameters: {n: 3, J: 1 kg.m2}\n"                                                             \
    "ports: {in: 1a, out: T}\n"                                                                    \
    "elements: {1a: {type: '1'}, I: {type: I, value: J}, T: {type: TF, value: n}}\n"               \
    "bonds: [1a > I, 1a > T]\n"

#define INCLUDING                                                                                  \
    HEAD "submodels: {box: {file: gears.yaml}}\n"                                                  \
         "bondgraph:\n"                                                                            \
         "  elements: {drive: {type: Se, value: 10}, G: {type: box}, load: {type: I, value: 2}}\n" \
         "  bonds: [drive > G.in, G.out > load]\n"                                                 \
         "simulate: {t_end: 1, rtol: 1e-9, atol: 1e-9}\n"

static ha_status read_directory(run *r)
{
    char path[128];

    snprintf(path, sizeof path, "%s/m.yaml", directory);
    return m2d_read_file(r->ctx, path, NULL, &r->model);
}

/* A file names others relative to itself, and sees its own submodels. */
START_TEST(submodels_come_from_files)
{
    run r = run_new();

    make_directory();
    write_file("m.yaml", INCLUDING);
    write_file("gears.yaml", HEAD "name: two stages\n"
                                  "submodels: {stage: {file: stage.yaml}}\n"
                                  "ports: {in: s1.in, out: s2.out}\n"
                                  "elements: {s1: {type: stage}, s2: {type: stage, parameters: "
                                  "{n: 2}}}\n"
                                  "bonds: [s1.out > s2.in]\n");
    write_file("stage.yaml", HEAD STAGE_BODY);
    run_check(&r, read_directory(&r));
    run_check(&r, run_model(&r));
    run_expect(&r, "load.f", 6.0 * 10.0 / (1.0 + 9.0 * (1.0 + 4.0 * 2.0)), 1e-9);
    run_end(&r);
    remove_directory();
}
END_TEST

static void expect_bad_files(const char *gears_text, const char *file, int line, const char *part)
{
    run r = run_new();

    make_directory();
    write_file("m.yaml", INCLUDING);
    write_file("gears.yaml", gears_text);
    ha_status status = read_directory(&r);
    remove_directory();
    ck_assert_int_ne(status, HA_OK);
    ck_assert_ptr_null(r.model);
    const ha_diag *diag = ha_ctx_diag(r.ctx, 0);
    ck_assert_msg(strstr(diag->text, part) != NULL, "%s", diag->text);
    ck_assert_ptr_nonnull(strstr(diag->where.file == NULL ? "" : diag->where.file, file));
    ck_assert_int_eq(diag->where.line, line);
    ck_assert_uint_eq(ha_ctx_n_errors(r.ctx), 1);
    run_end(&r);
}

START_TEST(bad_files_are_refused_at_their_place)
{
    expect_bad_files(HEAD "submodels: {x: {file: gears.yaml}}\nelements: {a: {type: x}}\n",
                     "gears.yaml", 2, "would include itself");
    expect_bad_files(HEAD STAGE_BODY "elemnts: {}\n", "gears.yaml", 6, "did you mean `elements`");
    expect_bad_files(STAGE_BODY, "gears.yaml", 1, "has no `halfarrow`");
    expect_bad_files(HEAD "submodels: {x: {file: nowhere.yaml}}\nelements: {a: {type: x}}\n",
                     "nowhere.yaml", 0, "No such file");
    expect_bad_files(HEAD "submodels: {x: {file: ././gears.yaml}}\nelements: {a: {type: x}}\n",
                     "gears.yaml", 2, "would include itself");
    expect_bad_files(HEAD "submodels: {x: {file: ./m.yaml}}\nelements: {a: {type: x}}\n",
                     "gears.yaml", 2, "would include itself");
    expect_bad_files(HEAD STAGE_BODY "bodies: {}\n", "m.yaml", 4, "is no element");
}
END_TEST

/* Each of 24 files names the next one twice, by two names: 2^24 ways to the last, 25 files. */
START_TEST(a_file_named_often_is_read_once)
{
    enum { N = 24 };
    run r = run_new();

    make_directory();
    write_file("m.yaml", HEAD "submodels: {a: {file: f0.yaml}}\n"
                              "bondgraph:\n"
                              "  elements: {V: {type: Se, value: 6}, A: {type: a}}\n"
                              "  bonds: [V > A.in]\n"
                              "simulate: {t_end: 1}\n");
    for (int i = 0; i <= N; i++) {
        char name[32], text[512];
        snprintf(name, sizeof name, "f%d.yaml", i);
        snprintf(text, sizeof text,
                 HEAD "submodels: {a: {file: f%d.yaml}, b: {file: ./f%d.yaml}}\n"
                      "ports: {in: x.in}\nelements: {x: {type: %s}}\n",
                 i + 1, i + 1, i % 2 == 0 ? "a" : "b");
        write_file(name,
                   i < N ? text : HEAD "ports: {in: I}\nelements: {I: {type: I, value: 2}}\n");
    }
    run_check(&r, read_directory(&r));
    run_check(&r, run_model(&r));
    run_expect(&r, ha_result_name(r.result, 0), 1.0, 1e-12); /* the time */
    run_end(&r);
    for (int i = 0; i <= N; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/f%d.yaml", directory, i);
        unlink(path);
    }
    remove_directory();
}
END_TEST

/* --- what is refused ------------------------------------------------------------------------ */

/* One bad file; the submodel stands in line 2, the bond graph in the last. */
typedef struct {
    const char *text;
    ha_status status;
    int line, column;
    const char *part;
} bad;

#define EMPTY HEAD "bodies: {}\n"
#define S                                                                                          \
    "submodels: {m: {parameters: {R: 1 ohm}, ports: {a: 1x, b: T}, elements: {1x: {type: '1'},"    \
    " Ra: {type: R, value: R}, T: {type: TF}}, bonds: [1x > Ra, 1x > T]}}\n"
#define B(elements, bonds)                                                                         \
    "bondgraph: {elements: {V: {type: Se}, Z: {type: R}, " elements "}, bonds: " bonds "}\n"

static const bad bad_files[] = {
    { HEAD S B("M: {type: M}", "[V > M.a]"), HA_ERR_NAME, 3, 63, "did you mean the submodel `m`" },
    { HEAD S B("M: {type: m}", "[V > M.c, M.b > Z]"), HA_ERR_NAME, 3, 76, "has no port `c`" },
    { HEAD S B("M: {type: m}", "[V > M, M.b > Z]"), HA_ERR_NAME, 3, 76, "`M` as a whole" },
    { HEAD S B("M: {type: m}", "[V > M.Ra, M.b > Z]"), HA_ERR_NAME, 3, 76, "has no port `Ra`" },
    { HEAD S B("M: {type: m, value: 3}", "[V > M.a]"), HA_ERR_NAME, 3, 66, "unknown key `value`" },
    { HEAD S B("M: {type: m, parameters: {r: 3}}", "[V > M.a]"), HA_ERR_NAME, 3, 79,
      "did you mean `R`?" },
    { HEAD S B("M: {type: m, parameters: {R: 3 mH}}", "[V > M.a]"), HA_ERR_UNIT, 3, 82, "3 mH is" },
    { HEAD S B("M: {type: m, parameters: {R: t}}", "[V > M.a]"), HA_ERR_VALUE, 3, 79,
      "depends on `t`" },
    { HEAD S B("M: {type: m, parameters: {R: Q}}", "[V > M.a]"), HA_ERR_NAME, 3, 82, "`Q`" },
    { HEAD S B("V: {type: m}", "[V > V.a]"), HA_ERR_NAME, 3, 53, "twice" },
    { EMPTY "submodels: {R: {}}\n", HA_ERR_NAME, 3, 13, "is a type of elements" },
    { EMPTY "submodels: {1m: {}}\n", HA_ERR_NAME, 3, 13, "cannot be the name of a submodel" },
    { EMPTY "submodels: [m]\n", HA_ERR_SYNTAX, 3, 12, "mapping" },
    { EMPTY "submodels: {m: {elments: {}}}\n", HA_ERR_NAME, 3, 17, "did you mean `elements`?" },
    { EMPTY "submodels: {m: {ports: {a: 1y}, elements: {1x: {type: '1'}}}}\n", HA_ERR_NAME, 3, 28,
      "did you mean `1x`?" },
    { EMPTY "submodels: {m: {ports: {a.b: 1x}, elements: {1x: {type: '1'}}}}\n", HA_ERR_NAME, 3, 25,
      "cannot be the name of a port" },
    { EMPTY "submodels: {m: {ports: {a: R, b: R}, elements: {R: {type: R}}}}\n", HA_ERR_VALUE, 3,
      34, "are both at the same port of `R`" },
    { EMPTY "submodels: {m: {elements: {R: {type: R, value: 1/zz}}}}\n", HA_ERR_NAME, 3, 50,
      "`zz`" },
    { EMPTY "submodels: {m: {elements: {R: {type: R, value: 2*Rx.e}}}}\n", HA_ERR_NAME, 3, 48,
      "did you mean `R.e`?" },
    { EMPTY "parameters: {p: 1}\nsubmodels: {m: {elements: {R: {type: R, value: 2*p}}}}\n",
      HA_ERR_NAME, 4, 50, "`p`" },
    { EMPTY "submodels: {m: {elements: {x: {type: m}}}}\n", HA_ERR_NAME, 3, 38,
      "would contain itself: `m` contains `m`;" },
    { EMPTY "submodels: {a: {elements: {x: {type: b}}}, b: {elements: {x: {type: c}}}, "
            "c: {elements: {x: {type: a}}}}\n",
      HA_ERR_NAME, 3, 100, "`a` contains `b`, `b` contains `c`, `c` contains `a`;" },
    { EMPTY "submodels: {a: {file: '-'}}\n", HA_ERR_VALUE, 3, 24, "standard input" },
    { EMPTY "submodels: {a: {file: x, ports: {}}}\n", HA_ERR_NAME, 3, 26, "unknown key `ports`" },
};

START_TEST(bad_submodels_are_refused_at_their_place)
{
    const bad *file = &bad_files[_i];
    run r = run_new();
    ha_status status =
        m2d_read_text(r.ctx, file->text, strlen(file->text), "m.yaml", NULL, &r.model);

    ck_assert_ptr_null(r.model);
    ck_assert_uint_ge(ha_ctx_n_diags(r.ctx), 1);
    const ha_diag *diag = ha_ctx_diag(r.ctx, 0);
    ck_assert_msg(status == file->status && diag->where.line == file->line &&
                      diag->where.column == file->column && strstr(diag->text, file->part) != NULL,
                  "%s%s %d:%d: %s", file->text, ha_status_name(status), diag->where.line,
                  diag->where.column, diag->text);
    run_end(&r);
}
END_TEST

/* One mistake is one error, also where the submodel that has it is used. */
START_TEST(a_bad_submodel_is_reported_once)
{
    run r = run_new();
    const char *text =
        HEAD "submodels: {m: {ports: {a: 1x}, elements: {1x: {type: '1'}, R: {type: R, "
             "value: 3 omm}}}}\n" B("M: {type: m}, N: {type: m}", "[V > M.a, N.a > Z]");

    ck_assert_int_eq(m2d_read_text(r.ctx, text, strlen(text), "m.yaml", NULL, &r.model),
                     HA_ERR_UNIT);
    ck_assert_uint_eq(ha_ctx_n_errors(r.ctx), 1);
    run_end(&r);
}
END_TEST

/* What only these parameters, or only these bonds, make wrong. */
START_TEST(instances_are_judged_by_what_they_are)
{
    run_expect_failure(HEAD S B("M: {type: m}", "[V > M.a, Z > M.a]"), HA_ERR_VALUE,
                       "port `b` of `M` has no bond");
    run_expect_failure(HEAD S B("M: {type: m}, Y: {type: R}", "[V > M.a, M.b > Z, M.b > Y]"),
                       HA_ERR_VALUE, "port `b` of `M` is bonded a second time");

    run r = run_new();
    const char *text =
        HEAD "submodels:\n  m: {parameters: {C: 1}, ports: {a: C}, elements: {C: {type: C, value: "
             "C}}}\n" B("M: {type: m, parameters: {C: 0}}", "[V > M.a]");
    run_check(&r, m2d_read_text(r.ctx, text, strlen(text), "m.yaml", NULL, &r.model));
    ck_assert_int_eq(m2d_expand(m2d_model_mechanism(r.model), &r.system), HA_ERR_VALUE);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(r.ctx, 0)->text, "the value of `M.C` is 0"));
    ck_assert_int_eq(ha_ctx_diag(r.ctx, 0)->where.line, 3);
    ck_assert_str_eq(ha_ctx_diag(r.ctx, 1)->text, "in the instance `M` of the submodel `m`");
    ck_assert_int_eq(ha_ctx_diag(r.ctx, 1)->where.line, 4);
    run_end(&r);
}
END_TEST

START_TEST(overrides_must_name_an_instance)
{
    static const struct {
        const char *set, *part;
    } sets[] = { { "parameters.H.n1=3", "`H` is no part and no instance" },
                 { "parameters.load.n=3", "`load` is no part and no instance" },
                 { "parameters.G.n3=3", "did you mean `n1`?" },
                 { "parameters.G.s3.n=3", "did you mean `s1.n`?" },
                 { "parameters.G.s2.J=3 kg", "3 kg is a mass" } };

    for (size_t i = 0; i < HA_COUNT(sets); i++) {
        run r = run_new();
        const m2d_read_def def = { .sets = &sets[i].set, .n_sets = 1 };
        ha_status status = m2d_read_text(r.ctx, gears, strlen(gears), "m.yaml", &def, &r.model);
        ck_assert_int_ne(status, HA_OK);
        ck_assert_msg(strstr(ha_ctx_diag(r.ctx, 0)->text, sets[i].part) != NULL, "%s: %s",
                      sets[i].set, ha_ctx_diag(r.ctx, 0)->text);
        ck_assert_str_eq(ha_ctx_diag(r.ctx, 0)->where.file, "--set");
        ck_assert_uint_eq(ha_ctx_n_errors(r.ctx), 1);
        run_end(&r);
    }
}
END_TEST

START_TEST(submodels_far_inside_each_other_are_refused)
{
    char text[8192];
    size_t at = (size_t) snprintf(text, sizeof text, HEAD "bodies: {}\nsubmodels:\n");

    for (int i = 0; i < 60; i++) {
        at += (size_t) snprintf(text + at, sizeof text - at,
                                "  m%d: {elements: {x: {type: m%d}}}\n", i, i + 1);
    }
    snprintf(text + at, sizeof text - at, "  m60: {}\n");
    run_expect_failure(text, HA_ERR_LIMIT, "32 deep");
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    const char *const set = "parameters.G.s2.n=2";
    const m2d_read_def def = { .sets = &set, .n_sets = 1 };

    run_survives_with(gears, &def, run_expand);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("submodels");
    TCase *tcase = tcase_create("submodels");

    tcase_add_test(tcase, a_file_with_submodels_gives_what_the_flat_file_gives);
    tcase_add_test(tcase, parameters_go_from_outside_to_inside);
    tcase_add_test(tcase, variants_reach_instances);
    tcase_add_test(tcase, a_port_may_be_bonded_to_a_joint);
    tcase_add_test(tcase, submodels_come_from_files);
    tcase_add_test(tcase, a_file_named_often_is_read_once);
    tcase_add_test(tcase, bad_files_are_refused_at_their_place);
    tcase_add_loop_test(tcase, bad_submodels_are_refused_at_their_place, 0,
                        (int) HA_COUNT(bad_files));
    tcase_add_test(tcase, a_bad_submodel_is_reported_once);
    tcase_add_test(tcase, instances_are_judged_by_what_they_are);
    tcase_add_test(tcase, overrides_must_name_an_instance);
    tcase_add_test(tcase, submodels_far_inside_each_other_are_refused);
    tcase_add_test(tcase, every_allocation_may_fail);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
