/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Model files: what is read from good ones, and what is said of bad ones. */
#include <config.h>

#include "mech2d/read.h"

#include "mech2d/assemble.h"
#include "mech2d/expand/system_priv.h"
#include "tests/unit/mech2d/scenes.h"
#include "tests/util/memory.h"
#include "tests/util/util.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#define GROUND "ground: {points: {O: [0, 0]}}\n"
#define BODY "bodies: {K1: {mass: 1 kg, inertia: 2 kg.m2, points: {O: [0, 0], H: [1 m, 0]}}}\n"
#define JOINT "joints: {O: {type: revolute, between: [ground.O, K1.O]}}\n"
#define FORCE "forces: {drive: {type: torque, on: K1, value: 3 N.m}}\n"
#define HEAD "halfarrow: 1\n"

static ha_ctx *ctx;
static m2d_model *model;

static void set_up(void)
{
    ctx = ha_ctx_new();
    ck_assert_ptr_nonnull(ctx);
    model = NULL;
}

static void tear_down(void)
{
    m2d_model_free(model);
    ha_ctx_free(ctx);
}

static void expect_read(const char *text, const m2d_read_def *def)
{
    ha_status status = m2d_read_text(ctx, text, strlen(text), "m.yaml", def, &model);

    ck_assert_msg(status == HA_OK, "%s",
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "no diagnostic");
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 0);
}

/* One bad file. */
typedef struct {
    const char *text;
    ha_status status;
    int line, column;
    const char *part;
} bad;

static const bad bad_files[] = {
    { "", HA_ERR_SYNTAX, 1, 1, "empty" },
    { "- 1\n", HA_ERR_SYNTAX, 1, 1, "sequence" },
    { BODY, HA_ERR_NAME, 1, 1, "has no `halfarrow`" },
    { "halfarrow: 2\n" BODY, HA_ERR_VALUE, 1, 12, "version 1" },
    { HEAD, HA_ERR_NAME, 1, 1, "has no `bodies`" },
    { HEAD "bodes: 1\n" BODY, HA_ERR_NAME, 2, 1, "did you mean `bodies`" },
    { HEAD BODY "sensors: {}\n", HA_ERR_NAME, 3, 1, "known are" },
    { HEAD BODY "bodies: {}\n", HA_ERR_NAME, 3, 1, "twice" },
    { HEAD "bodies: [1]\n", HA_ERR_SYNTAX, 2, 9, "mapping" },
    { HEAD "bodies: {K1: {mass: 1, inertia: 1, inrtia: 2}}\n", HA_ERR_NAME, 2, 36, "`inertia`?" },
    { HEAD "bodies: {K1: {inertia: 1}}\n", HA_ERR_NAME, 2, 14, "no `mass`" },
    { HEAD "bodies: {K1: {mass: 1 kgg, inertia: 1}}\n", HA_ERR_UNIT, 2, 23, "unknown unit `kgg`" },
    { HEAD "bodies: {K1: {mass: 1 m, inertia: 1}}\n", HA_ERR_UNIT, 2, 21, "a mass in kg" },
    { HEAD "bodies: {K1: {mass: -1 g, inertia: 1}}\n", HA_ERR_VALUE, 2, 21, "at least 0" },
    { HEAD "bodies: {K1: {mass: 1, inertia: -1 g.mm2}}\n", HA_ERR_VALUE, 2, 33, "at least 0" },
    { HEAD "bodies: {K1: {mass: nan, inertia: 1}}\n", HA_ERR_NAME, 2, 21, "finite" },
    { HEAD "bodies: {K1: {mass: inf, inertia: 1}}\n", HA_ERR_NAME, 2, 21, "finite" },
    { HEAD "bodies: {K1: {mass: 1e400, inertia: 1}}\n", HA_ERR_VALUE, 2, 21, "too large" },
    { HEAD "bodies: {K1: {mass: 1e400 kg, inertia: 1}}\n", HA_ERR_VALUE, 2, 21, "too large" },
    { HEAD "bodies: {K1: {mass: 1/0, inertia: 1}}\n", HA_ERR_VALUE, 2, 21, "not finite" },
    { HEAD "bodies: {K1: {mass: 1 + t, inertia: 1}}\n", HA_ERR_VALUE, 2, 21, "depends on `t`" },
    { HEAD "bodies: {K1: {mass: 1, inertia: 1, start: {omega: 3 Hz}}}\n", HA_ERR_UNIT, 2, 51,
      "what angle" },
    { HEAD "bodies: {K1: {mass: 1, inertia: 1, start: {fixed: [z]}}}\n", HA_ERR_NAME, 2, 52,
      "no start value" },
    { HEAD "bodies: {K1: {mass: 1, inertia: 1, points: {A: [1]}}}\n", HA_ERR_SYNTAX, 2, 48,
      "exactly 2" },
    { HEAD "bodies: {\"*\": {mass: 1, inertia: 1}}\n", HA_ERR_NAME, 2, 10, "letters" },
    { HEAD GROUND BODY "joints: {O: {type: revolute, between: [ground.O, K2.O]}}\n", HA_ERR_NAME, 4,
      50, "body `K2`" },
    { HEAD GROUND BODY "joints: {O: {type: revolute, between: [ground.O, K1.P]}}\n", HA_ERR_NAME, 4,
      50, "no point `P`" },
    { HEAD GROUND BODY
      "joints: {O: {type: revolute, between: [ground.O, K1.O], motion: 1 rpm*t}}\n",
      HA_ERR_UNIT, 4, 65, "`t` is the tonne" },
    { HEAD GROUND BODY "joints: {O: }\n", HA_ERR_NAME, 4, 13, "no `type`" },
    { HEAD GROUND BODY "forces: {F: null}\n", HA_ERR_NAME, 4, 13, "no `type`" },
    { HEAD "ground: {points: }\n" BODY JOINT, HA_ERR_NAME, 4, 40, "no point `O`" },
    { HEAD GROUND BODY "joints: {O: {type: revolute, between: [K1.O, K1.H]}}\n", HA_ERR_VALUE, 4,
      10, "two bodies" },
    { HEAD GROUND BODY "joints: {O: {type: screw, between: [K1.O, K1.H]}}\n", HA_ERR_NAME, 4, 20,
      "use one of `revolute`" },
    { HEAD GROUND BODY "joints: {O: {type: revolute, between: [ground.O, K1.O], motoin: t}}\n",
      HA_ERR_NAME, 4, 57, "did you mean `motion`" },
    { HEAD GROUND BODY "joints: {O: {type: revolute, between: [ground.O, K1.O], motion: K1.x}}\n",
      HA_ERR_VALUE, 4, 65, "depends on `K1.x`" },
    { HEAD GROUND BODY "joints: {O: {type: revolute, between: [ground.O, K1.O], motion: 1 m}}\n",
      HA_ERR_UNIT, 4, 65, "an angle" },
    { HEAD GROUND BODY "joints: {O: {type: revolute, between: [ground.O, K1.O], motion: abs(t)}}\n",
      HA_ERR_VALUE, 4, 65, "uses `abs`" },
    { HEAD GROUND BODY "joints: {O: {type: revolute, between: [ground.O, K1.O], motion: t^1.5}}\n",
      HA_ERR_VALUE, 4, 65, "no finite second derivative at t = 0" },
    { HEAD GROUND BODY "joints: {O: {type: revolute, between: [ground.O, K1.O], motion: 1/t}}\n",
      HA_ERR_VALUE, 4, 65, "no finite value" },
    { HEAD GROUND BODY "joints: {O: {type: revolute, between: [ground.O, K1.O], motion: [t]}}\n",
      HA_ERR_SYNTAX, 4, 65, "a sequence" },
    { HEAD GROUND BODY
      "joints: {O: {type: revolute, between: [ground.O, K1.O], motion: {slide: t}}}\n",
      HA_ERR_NAME, 4, 66, "unknown key `slide`" },
    { HEAD GROUND BODY "joints: {O: {type: weld, between: [ground.O, K1.O], motion: t}}\n",
      HA_ERR_NAME, 4, 61, "no direction free" },
    { HEAD GROUND BODY
      "joints: {O: {type: double-translational, between: [ground.O, K1.O], motion: t}}\n",
      HA_ERR_NAME, 4, 77, "name one: `O.slide_x`, `O.slide_y`" },
    { HEAD "bodies: {K1: {mass: 1, inertia: 1, motion: t}}\n", HA_ERR_SYNTAX, 2, 44, "mapping" },
    { HEAD "bodies: {K1: {mass: 1, inertia: 1, motion: {z: t}}}\n", HA_ERR_NAME, 2, 45,
      "unknown key `z`" },
    { HEAD "bodies: {K1: {mass: 1, inertia: 1, motion: {angle: floor(t)}}}\n", HA_ERR_VALUE, 2, 10,
      "uses `floor`" },
    { HEAD GROUND BODY JOINT "forces: {s: {type: spring-damper, on: P, stiffness: 1}}\n",
      HA_ERR_NAME, 5, 39, "joint `P`, which does not exist; add it" },
    { HEAD GROUND BODY JOINT "forces: {s: {type: spring-damper, on: O.slide, stiffness: 1}}\n",
      HA_ERR_NAME, 5, 39, "use `O.angle`" },
    { HEAD GROUND BODY JOINT "forces: {s: {type: spring-damper, on: O, free_length: 1}}\n",
      HA_ERR_NAME, 5, 42, "damping, spring, energy, damper, free_angle" },
    { HEAD GROUND BODY JOINT "forces: {s: {type: spring-damper, on: O, stiffness: 3 N/m}}\n",
      HA_ERR_UNIT, 5, 53, "an angular stiffness" },
    { HEAD GROUND BODY JOINT "forces: {s: {type: spring-damper, on: O, damping: -3}}\n",
      HA_ERR_VALUE, 5, 51, "at least 0" },
    { HEAD GROUND BODY JOINT "forces: {s: {type: spring-damper, on: O, free_angle: t}}\n",
      HA_ERR_VALUE, 5, 54, "depends on `t`" },
    { HEAD GROUND BODY JOINT "forces: {s: {type: spring-damper, stiffness: 3}}\n", HA_ERR_NAME, 5,
      13, "no `between`" },
    { HEAD GROUND BODY "joints: {O: {type: weld, between: [ground.O, K1.O]}}\n"
                       "forces: {s: {type: spring-damper, on: O}}\n",
      HA_ERR_NAME, 5, 39, "no direction free" },
    { HEAD BODY "bondgraph: 3\n", HA_ERR_SYNTAX, 3, 12, "mapping" },
    { HEAD BODY "bondgraph: {element: {}}\n", HA_ERR_NAME, 3, 13, "`elements`?" },
    { HEAD BODY "bondgraph: {elements: {R1: {value: 3}}}\n", HA_ERR_NAME, 3, 28, "no `type`" },
    { HEAD BODY "bondgraph: {elements: {R1: {type: Q}}}\n", HA_ERR_NAME, 3, 24,
      "unknown type `Q`" },
    { HEAD BODY "bondgraph: {elements: {R1: {type: R, valu: 3}}}\n", HA_ERR_NAME, 3, 38,
      "`value`?" },
    { HEAD BODY "bondgraph: {elements: {R1: {type: R, value: 3 oms}}}\n", HA_ERR_UNIT, 3, 47,
      "unknown unit `oms`" },
    { HEAD BODY "bondgraph: {elements: {R1: {type: R, q: 3}}}\n", HA_ERR_VALUE, 3, 24,
      "a resistor has none" },
    { HEAD BODY "bondgraph: {elements: {C1: {type: C, q: t}}}\n", HA_ERR_VALUE, 3, 41,
      "depends on `t`" },
    { HEAD BODY "bondgraph: {elements: {K1: {type: R}}}\n", HA_ERR_NAME, 3, 24,
      "already that of a body" },
    { HEAD BODY "bondgraph: {elements: {'a b': {type: R}}}\n", HA_ERR_NAME, 3, 24, "letters" },
    { HEAD BODY "bondgraph: {elements: {R1: {type: R}}, bonds: [R1]}\n", HA_ERR_SYNTAX, 3, 48,
      "A > B" },
    { HEAD BODY "bondgraph: {elements: {R1: {type: R}}, bonds: [R1 > ]}\n", HA_ERR_SYNTAX, 3, 48,
      "A > B" },
    { HEAD BODY "bondgraph: {elements: {R1: {type: R}}, bonds: [R1 > R2]}\n", HA_ERR_NAME, 3, 48,
      "did you mean `R1`" },
    { HEAD BODY "bondgraph: {elements: {R1: {type: R}}, bonds: [R1 > O.axis]}\n", HA_ERR_NAME, 3,
      48, "joint `O`, which does not exist" },
    { HEAD GROUND BODY JOINT "bondgraph: {elements: {R1: {type: R}}, bonds: [O.slide > R1]}\n",
      HA_ERR_NAME, 5, 48, "use `O.angle`" },
    { HEAD GROUND BODY "joints: {O: {type: double-translational, between: [ground.O, K1.O]}}\n"
                       "forces: {s: {type: spring-damper, on: O}}\n",
      HA_ERR_NAME, 5, 39, "name one: `O.slide_x`, `O.slide_y`" },
    { HEAD GROUND BODY "joints: {O: {type: double-translational, between: [ground.O, K1.O]}}\n"
                       "bondgraph: {elements: {R1: {type: R}}, bonds: [O.axis > R1]}\n",
      HA_ERR_NAME, 5, 48, "name one: `O.slide_x`, `O.slide_y`" },
    { HEAD GROUND BODY "joints: {O: {type: revolute, between: ground.O}}\n", HA_ERR_SYNTAX, 4, 39,
      "a sequence such as [a, b] is expected" },
    { HEAD "name: [a]\n" BODY, HA_ERR_SYNTAX, 2, 7, "a single value is expected" },
    { HEAD "bodies: {K1: {inertia: 1}}\n", HA_ERR_NAME, 2, 14, "no `mass`" },
    { HEAD GROUND BODY "joints: {O: {type: revolute}}\n", HA_ERR_NAME, 4, 13, "no `between`" },
    { HEAD BODY "forces: {f: {type: torque, on: K1, value: 1 N/m^1.5}}\n", HA_ERR_UNIT, 3, 48,
      "whole number" },
    { HEAD BODY "forces: {f: {type: torque, on: K1}}\n", HA_ERR_NAME, 3, 13, "no `value`" },
    { HEAD BODY "forces: {f: {type: torque, on: K1, value: -2*(t}}\n", HA_ERR_SYNTAX, 3, 48,
      "`)`" },
    { HEAD BODY "forces: {f: {type: force, on: K1.H, value: 1 N}}\n", HA_ERR_SYNTAX, 3, 44,
      "sequence" },
    { HEAD "parameters: {a: b, b: 1}\n" BODY, HA_ERR_NAME, 2, 17, "`b`" },
    { HEAD "parameters: {a: a}\n" BODY, HA_ERR_NAME, 2, 17,
      "the parameters are circular: `a` needs `a`; give it a value" },
    { HEAD "parameters: {a: 1 + b, b: 2*c, c: -b}\n" BODY, HA_ERR_NAME, 2, 27,
      "the parameters are circular: `b` needs `c`, which needs `b`; give one of them" },
    { HEAD "parameters: {m: 3 m, s: '2 + s'}\n" BODY, HA_ERR_NAME, 2, 26, "`s` needs `s`" },
    { HEAD "parameters: {t: 1}\n" BODY, HA_ERR_NAME, 2, 14, "meaning" },
    { HEAD "gravity: [0, t]\n" BODY, HA_ERR_VALUE, 2, 10, "depends on `t`" },
    { HEAD BODY "simulate: {t_end: -1 s}\n", HA_ERR_VALUE, 3, 19, "`t_end` of section" },
    { HEAD BODY "simulate: {t_end: 1 m}\n", HA_ERR_UNIT, 3, 19, "a time" },
    { HEAD BODY "simulate: {alpha: -1}\n", HA_ERR_VALUE, 3, 19, "at least 0" },
    { HEAD BODY "variants: {a: 3}\n", HA_ERR_SYNTAX, 3, 15, "mapping" },
};

START_TEST(bad_file_is_refused_at_its_place)
{
    const bad *file = &bad_files[_i];
    ha_status status = m2d_read_text(ctx, file->text, strlen(file->text), "m.yaml", NULL, &model);

    ck_assert_ptr_null(model);
    ck_assert_uint_ge(ha_ctx_n_diags(ctx), 1);
    const ha_diag *diag = ha_ctx_diag(ctx, 0);
    ck_assert_msg(status == file->status && diag->where.line == file->line &&
                      diag->where.column == file->column && strstr(diag->text, file->part) != NULL,
                  "%s%s %d:%d: %s", file->text, ha_status_name(status), diag->where.line,
                  diag->where.column, diag->text);
    ck_assert_str_eq(diag->where.file, "m.yaml");
    ck_assert_int_eq(ha_status_exit(status), 2);
}
END_TEST

START_TEST(one_cause_gives_one_error)
{
    static const char *const texts[] = {
        HEAD GROUND BODY "joints: {J: {type: distance, between: [ground.O, K1.O]}}\n"
                         "forces: {s: {type: spring-damper, on: J.angle, stiffness: 1}}\n",
        HEAD GROUND BODY "joints: {J: {type: distance, between: [ground.O, K1.O], length: 3 kg}}\n",
        HEAD "bodies: {K1: {mas: 1, inertia: 1}}\n",
        HEAD "bodies: {K1: {mass: 1, inertia: 1, motion: {angel: t}}}\n",
        HEAD "bodis: {}\n",
        HEAD GROUND BODY
        "forces: {s: {type: spring-damper, betwen: [ground.O, K1.H], stiffness: 3}}\n",
        HEAD GROUND BODY "joints: {J: {type: revolute, betwen: [ground.O, K1.O]}}\n",
        HEAD GROUND BODY
        "joints: {J: {type: constraint, between: [ground.O, K1.O], rows: {a: {valu: "
        "MN.x_j, unit: m}}}}\n",
        HEAD "parameters: {a: b, b: a, c: a + 1}\n" BODY,
        HEAD "parameters: {a: 1/0, c: a + 1}\n" BODY,
    };

    for (size_t i = 0; i < HA_COUNT(texts); i++) {
        ck_assert_int_ne(m2d_read_text(ctx, texts[i], strlen(texts[i]), "m.yaml", NULL, &model),
                         HA_OK);
        ck_assert_msg(ha_ctx_n_diags(ctx) == 1, "%s: %s", texts[i],
                      ha_ctx_diag(ctx, ha_ctx_n_diags(ctx) - 1)->text);
        ha_ctx_clear(ctx);
    }
}
END_TEST

START_TEST(every_circle_of_parameters_is_reported)
{
    const char *text =
        HEAD "parameters: {a: b + sin(c), b: a, c: 3, d: 2*d, e: a + K1.x, f: 4}\n" BODY;

    ck_assert_int_eq(m2d_read_text(ctx, text, strlen(text), "m.yaml", NULL, &model), HA_ERR_NAME);
    ck_assert_uint_ge(ha_ctx_n_errors(ctx), 2);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "`a` needs `b`, which needs `a`"));
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 1)->text, "`d` needs `d`"));
}
END_TEST

START_TEST(several_errors_are_reported_in_one_go)
{
    const char *text = HEAD "bodies:\n"
                            "  K1: {mass: 1 m, inertia: x}\n"
                            "  K2: {inertia: 1}\n"
                            "joints: {O: {type: screw, between: [K1.A, K2.A]}}\n"
                            "simulate: {rtol: 7, steps: 3}\n";

    ck_assert_int_eq(m2d_read_text(ctx, text, strlen(text), "m.yaml", NULL, &model), HA_ERR_UNIT);
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 6);
}
END_TEST

START_TEST(model_is_read)
{
    expect_read(HEAD "name: test\nparameters: {l: 200 ms, k: 2*l}\n" GROUND BODY JOINT FORCE
                     "simulate: {t_end: 30 ms, step: k, rtol: 1e-8, alpha: 500 1/s, beta: 300, "
                     "max_steps: 1000}\n"
                     "outputs: [K1.angle, energy]\nvariants: {a: {}, b: {}}\n",
                NULL);

    m2d_mechanism *m = m2d_model_mechanism(model);
    const bg_run_options *options = m2d_model_options(model);
    ck_assert_str_eq(m2d_model_name(model), "test");
    ck_assert_int_eq(m2d_mechanism_n_bodies(m), 1);
    ck_assert_int_eq(m2d_mechanism_n_joints(m), 1);
    ck_assert_int_eq(m2d_mechanism_n_forces(m), 1);
    ck_assert_double_eq(m2d_parameter_value(m, 1), 0.4);
    ck_assert_double_eq(options->solver.t_end, 0.03);
    ck_assert_double_eq(options->solver.step, 0.4);
    ck_assert_double_eq(options->solver.rtol, 1e-8);
    ck_assert_double_eq(options->solver.atol, 0.0);
    ck_assert_int_eq(options->solver.max_steps, 1000);
    ck_assert_double_eq(options->alpha, 500.0);
    ck_assert_double_eq(options->beta, 300.0);
    ck_assert_int_eq(m2d_model_n_outputs(model), 2);
    ck_assert_str_eq(m2d_model_output(model, 1), "energy");
    ck_assert_int_eq(m2d_model_n_variants(model), 2);
    ck_assert_str_eq(m2d_model_variant(model, 1), "b");
}
END_TEST

START_TEST(defaults_are_kept)
{
    expect_read(HEAD BODY, NULL);

    const bg_run_options *options = m2d_model_options(model);
    ck_assert_str_eq(m2d_model_name(model), "");
    ck_assert_double_eq(options->solver.rtol, 1e-6);
    ck_assert(isnan(options->alpha) && isnan(options->beta));
    ck_assert_int_eq(m2d_model_n_outputs(model), 0);
}
END_TEST

/* The mass of body `i` of the model that was read. */
static double mass(int i)
{
    m2d_system *system = NULL;

    ck_assert_int_eq(m2d_expand(m2d_model_mechanism(model), &system), HA_OK);
    double value = system->masses.items[i].mass;
    m2d_system_free(system);
    return value;
}

static const char variants[] =
    HEAD "parameters: {m: 1}\n"
         "bodies: {K1: {mass: m, inertia: 1}, K2: {mass: 5 kg, inertia: 1}}\n"
         "variants:\n"
         "  heavy: {bodies: {K1: {mass: 7 kg}, '*': {mass: 3 kg, inertia: 2}}}\n"
         "  other: {parameters: {m: 9}}\n";

START_TEST(variant_is_merged_with_the_star_first)
{
    const m2d_read_def def = { .variant = "heavy" };

    expect_read(variants, &def);
    ck_assert_double_eq(mass(0), 7.0);
    ck_assert_double_eq(mass(1), 3.0);
}
END_TEST

START_TEST(overrides_win_over_the_variant)
{
    const char *const sets[] = { "bodies.K2.mass=8 g", "variants.heavy.bodies.K1.mass=6" };
    const m2d_read_def def = { .variant = "heavy", .sets = sets, .n_sets = 2 };

    expect_read(variants, &def);
    ck_assert_double_eq(mass(0), 6.0);
    ck_assert_double_eq(mass(1), 0.008);
}
END_TEST

START_TEST(variant_may_change_a_parameter)
{
    const m2d_read_def def = { .variant = "other" };

    expect_read(variants, &def);
    ck_assert_double_eq(mass(0), 9.0);
}
END_TEST

START_TEST(unknown_variant_is_refused)
{
    const m2d_read_def def = { .variant = "light" };

    ck_assert_int_eq(m2d_read_text(ctx, variants, strlen(variants), "m.yaml", &def, &model),
                     HA_ERR_NAME);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "use one of `heavy`, `other`"));
}
END_TEST

START_TEST(wrong_override_is_refused)
{
    const char *const sets[] = { "bodies.K3.mass=8 g" };
    const m2d_read_def def = { .sets = sets, .n_sets = 1 };

    ck_assert_int_eq(m2d_read_text(ctx, variants, strlen(variants), "m.yaml", &def, &model),
                     HA_ERR_NAME);
    ck_assert_str_eq(ha_ctx_diag(ctx, 0)->where.file, "--set");
}
END_TEST

/* The names that `outputs:` selects, joined by blanks, into text. */
static ha_status select_into(const char *outputs, char *text)
{
    char file[1024];
    m2d_system *system = NULL;
    const char **names = NULL;
    int n = 0;

    snprintf(file, sizeof file, "%s%s", HEAD GROUND BODY JOINT FORCE, outputs);
    expect_read(file, NULL);
    ck_assert_int_eq(m2d_expand(m2d_model_mechanism(model), &system), HA_OK);
    ha_status status = m2d_model_select(model, system, &names, &n);
    text[0] = '\0';
    for (int i = 0; i < n; i++) {
        strcat(strcat(text, names[i]), " ");
    }
    free(names);
    m2d_system_free(system);
    return status;
}

START_TEST(outputs_are_expanded)
{
    char text[4096];

    ck_assert_int_eq(select_into("outputs: [K1.angle, O.force, energy.kinetic, O, drive]\n", text),
                     HA_OK);
    ck_assert_str_eq(text, "K1.angle O.fx O.fy O.torque energy.kinetic O.angle O.omega drive.e "
                           "drive.f ");
    m2d_model_free(model);
    ck_assert_int_eq(select_into("outputs: [energy]\n", text), HA_OK);
    ck_assert_str_eq(text, "energy.kinetic energy.potential energy.supplied energy.dissipated "
                           "energy.error ");
    m2d_model_free(model);
    ck_assert_int_eq(select_into("", text), HA_OK);
    ck_assert_str_eq(text, "");
}
END_TEST

START_TEST(signals_of_elements_become_outputs)
{
    char text[4096];

    ck_assert_int_eq(select_into("outputs: [K1.angle.p, O.y.e]\n", text), HA_OK);
    ck_assert_str_eq(text, "K1.angle.p O.y.e ");
}
END_TEST

START_TEST(unknown_output_is_refused)
{
    char text[4096];

    ck_assert_int_eq(select_into("outputs: [K1.angel]\n", text), HA_ERR_NAME);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "did you mean `K1.angle`"));
    ck_assert_int_eq(ha_ctx_diag(ctx, 0)->where.line, 6);
    ck_assert_int_eq(ha_ctx_diag(ctx, 0)->where.column, 11);
}
END_TEST

START_TEST(an_expression_that_a_comma_cuts_is_explained)
{
    static const char text[] =
        HEAD BODY "forces: {f: {type: wrench, on: K1.O, value: [max(1, 2), 0]}}\n";

    ck_assert_int_ne(m2d_read_text(ctx, text, strlen(text), "m.yaml", NULL, &model), HA_OK);
    bool is_explained = false;
    for (size_t i = 0; i < ha_ctx_n_diags(ctx); i++) {
        is_explained = is_explained || strstr(ha_ctx_diag(ctx, i)->text, "in quotes") != NULL;
    }
    ck_assert(is_explained);
}
END_TEST

START_TEST(andrews_example_has_the_points_of_the_benchmark)
{
    m2d_system *system = NULL;
    m2d_assembly *a = NULL;

    ck_assert_int_eq(m2d_read_file(ctx, test_source("examples/andrews.yaml"), NULL, &model), HA_OK);
    ck_assert_int_eq(m2d_expand(m2d_model_mechanism(model), &system), HA_OK);
    ck_assert_int_eq(m2d_assemble(system, &a), HA_OK);
    for (int i = 0; i < 7; i++) {
        ck_assert_double_eq_tol(m2d_assembly_value(a, i, M2D_X), andrews_centres[i][0], 1e-15);
        ck_assert_double_eq_tol(m2d_assembly_value(a, i, M2D_Y), andrews_centres[i][1], 1e-15);
        ck_assert_double_eq_tol(m2d_assembly_value(a, i, M2D_ANGLE), andrews_start[i], 1e-15);
    }
    m2d_assembly_free(a);
    m2d_system_free(system);
}
END_TEST

START_TEST(missing_file_is_reported)
{
    ck_assert_int_eq(m2d_read_file(ctx, "/no/such/file.yaml", NULL, &model), HA_ERR_FILE);
}
END_TEST

static ha_status read_again(void *user)
{
    const char *const sets[] = { "bodies.K2.mass=8 g" };
    const m2d_read_def def = { .variant = "heavy", .sets = sets, .n_sets = 1 };
    m2d_model *own = NULL;
    ha_status status = m2d_read_text(user, variants, strlen(variants), "m.yaml", &def, &own);

    m2d_model_free(own);
    return status;
}

START_TEST(every_failing_allocation_is_survived)
{
    memory_survives(ctx, 100, read_again, ctx);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("read");
    TCase *tests = tcase_create("read");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, bad_file_is_refused_at_its_place, 0, (int) HA_COUNT(bad_files));
    tcase_add_test(tests, one_cause_gives_one_error);
    tcase_add_test(tests, every_circle_of_parameters_is_reported);
    tcase_add_test(tests, several_errors_are_reported_in_one_go);
    tcase_add_test(tests, model_is_read);
    tcase_add_test(tests, defaults_are_kept);
    tcase_add_test(tests, variant_is_merged_with_the_star_first);
    tcase_add_test(tests, overrides_win_over_the_variant);
    tcase_add_test(tests, variant_may_change_a_parameter);
    tcase_add_test(tests, unknown_variant_is_refused);
    tcase_add_test(tests, wrong_override_is_refused);
    tcase_add_test(tests, outputs_are_expanded);
    tcase_add_test(tests, signals_of_elements_become_outputs);
    tcase_add_test(tests, unknown_output_is_refused);
    tcase_add_test(tests, an_expression_that_a_comma_cuts_is_explained);
    tcase_add_test(tests, andrews_example_has_the_points_of_the_benchmark);
    tcase_add_test(tests, missing_file_is_reported);
    tcase_add_test(tests, every_failing_allocation_is_survived);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
