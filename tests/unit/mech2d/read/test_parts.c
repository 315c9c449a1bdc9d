/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts: built in C, read from files, repeated. They give what the flat file gives, to the last
 * bit; starts of a part against the same starts written for each body; what is said of bad ones.
 */
#include <config.h>

#include "mech2d/part.h"
#include "tests/unit/mech2d/run.h"

#include <stdio.h>

#define HEAD "halfarrow: 1\n"

#define ROD                                                                                        \
    "  arm:\n"                                                                                     \
    "    parameters: {l: 1 m, m: 2 kg}\n"                                                          \
    "    ports: {base: rod.A, tip: rod.B}\n"                                                       \
    "    bodies:\n"                                                                                \
    "      rod: {mass: m, inertia: m*l^2/12, points: {A: [-l/2, 0], B: [l/2, 0]}}\n"

/* A chain of `n` rods, a part of parts, with a damper and an electric brake in it. */
#define CHAIN                                                                                      \
    ROD "  chain:\n"                                                                               \
        "    parameters: {n: 3, m: 2 kg}\n"                                                        \
        "    ports: {base: 'link[0].base', tip: 'link[n-1].tip', brake: 'J[0].axis'}\n"            \
        "    parts: {link: {type: arm, count: n, parameters: {m: m - 0.1*i}}}\n"                   \
        "    joints:\n"                                                                            \
        "      J: {type: revolute, for: {i: [0, n - 2]}, between: ['link[i].tip', "                \
        "'link[i+1].base']}\n"                                                                     \
        "    forces: {d: {type: spring-damper, on: 'J[0]', damping: 0.1}}\n"

static const char nested[] =
    HEAD "submodels:\n" CHAIN "parts:\n"
         "  left: {type: chain, start: {link: {rod: {angle: -30 deg, fixed: [angle]}}}}\n"
         "ground: {points: {O: [0, 0]}}\n"
         "joints: {O: {type: revolute, between: [ground.O, left.base]}}\n"
         "forces: {f: {type: force, on: left.tip, value: [0, '-0.1*left.tip.vy']}}\n"
         "bondgraph: {elements: {R: {type: R, value: 0.2}}, bonds: [left.brake > R]}\n"
         "simulate: {t_end: 1 s}\n";

#define FLAT_ROD(i, m)                                                                             \
    "  rod" i ": {mass: " m ", inertia: " m "/12, points: {A: [-0.5, 0], B: [0.5, 0]}, "           \
    "start: {angle: -30 deg, fixed: [angle]}}\n"

static const char flat[] = HEAD "bodies:\n" FLAT_ROD("0", "2") FLAT_ROD("1", "1.9")
    FLAT_ROD("2", "1.8") "ground: {points: {O: [0, 0]}}\n"
                         "joints:\n"
                         "  J0: {type: revolute, between: [rod0.B, rod1.A]}\n"
                         "  J1: {type: revolute, between: [rod1.B, rod2.A]}\n"
                         "  O: {type: revolute, between: [ground.O, rod0.A]}\n"
                         "forces:\n"
                         "  d: {type: spring-damper, on: J0, damping: 0.1}\n"
                         "  f: {type: force, on: rod2.B, value: [0, '-0.1*rod2.B.vy']}\n"
                         "bondgraph: {elements: {R: {type: R, value: 0.2}}, bonds: [J0.axis > R]}\n"
                         "simulate: {t_end: 1 s}\n";

/* All values of two runs are the same to the last bit. */
static void expect_same(const run *a, const run *b)
{
    ck_assert_uint_eq(ha_result_n_rows(a->result), ha_result_n_rows(b->result));
    ck_assert_uint_eq(ha_result_n_columns(a->result), ha_result_n_columns(b->result));
    for (size_t row = 0; row < ha_result_n_rows(a->result); row++) {
        for (size_t c = 0; c < ha_result_n_columns(a->result); c++) {
            double x = ha_result_value(a->result, row, c), y = ha_result_value(b->result, row, c);
            ck_assert_msg(memcmp(&x, &y, sizeof x) == 0, "%s: %.17g, not %.17g",
                          ha_result_name(a->result, c), x, y);
        }
    }
}

START_TEST(parts_give_what_the_flat_file_gives)
{
    run a = run_text(nested), b = run_text(flat);

    expect_same(&a, &b);
    ck_assert_int_ge(ha_result_find(a.result, "left.link[2].rod.angle"), 0);
    ck_assert_int_ge(ha_result_find(a.result, "left.J[1].fx"), 0);
    run_end(&a);
    run_end(&b);
}
END_TEST

/* --- in C ----------------------------------------------------------------------------------- */

static ha_expr number(m2d_mechanism *m, double value)
{
    return ha_constant(m2d_mechanism_dag(m), value);
}

static ha_expr parse(m2d_mechanism *m, const char *text)
{
    const ha_parse_def def = { .lookup = m2d_mechanism_lookup, .lookup_user = m };
    ha_expr out = HA_EXPR_NONE;

    ck_assert_int_eq(ha_expr_parse(m2d_mechanism_dag(m), text, &def, &out), HA_OK);
    return out;
}

static ha_status add_point(m2d_mechanism *m, const char *body, const char *name, const char *x)
{
    m2d_point_def def = m2d_point_def_default();

    def.body = body;
    def.name = name;
    def.x = parse(m, x);
    def.y = number(m, 0.0);
    return m2d_mechanism_add_point(m, &def);
}

static ha_status add_revolute(m2d_mechanism *m, const char *name, const char *a, const char *b)
{
    m2d_joint_def def = m2d_joint_def_default();

    def.type = "revolute";
    def.name = name;
    def.ends[0] = a;
    def.ends[1] = b;
    return m2d_mechanism_add_joint(m, &def);
}

/* A type of parts: a rod. */
static ha_status add_arm(m2d_mechanism *m, const char *name, double mass)
{
    m2d_part_def part = m2d_part_def_default();
    m2d_body_def rod = m2d_body_def_default();

    part.name = name;
    part.type = "arm";
    HA_TRY(m2d_mechanism_begin_part(m, &part));
    HA_TRY(m2d_mechanism_add_parameter(m, "l", number(m, 1.0), HA_NOWHERE, NULL));
    HA_TRY(m2d_mechanism_add_parameter(m, "m", number(m, mass), HA_NOWHERE, NULL));
    rod.name = "rod";
    rod.mass = parse(m, "m");
    rod.inertia = parse(m, "m*l^2/12");
    rod.start[M2D_ANGLE] = number(m, -acos(-1.0) / 6.0);
    rod.is_fixed[M2D_ANGLE] = true;
    HA_TRY(m2d_mechanism_add_body(m, &rod));
    HA_TRY(add_point(m, "rod", "A", "-l/2"));
    HA_TRY(add_point(m, "rod", "B", "l/2"));
    HA_TRY(m2d_mechanism_add_part_port(m, "base", "rod.A", HA_NOWHERE));
    HA_TRY(m2d_mechanism_add_part_port(m, "tip", "rod.B", HA_NOWHERE));
    return m2d_mechanism_end_part(m);
}

static ha_status add_chain(m2d_mechanism *m)
{
    m2d_part_def part = m2d_part_def_default();

    part.name = "left";
    HA_TRY(m2d_mechanism_begin_part(m, &part));
    HA_TRY(add_arm(m, "link[0]", 2.0));
    HA_TRY(add_arm(m, "link[1]", 1.9));
    HA_TRY(add_revolute(m, "J", "link[0].tip", "link[1].base"));
    HA_TRY(m2d_mechanism_add_part_port(m, "base", "link[0].base", HA_NOWHERE));
    HA_TRY(m2d_mechanism_add_part_port(m, "axis", "J.axis", HA_NOWHERE));
    return m2d_mechanism_end_part(m);
}

START_TEST(parts_are_built_in_c)
{
    run r = run_new();
    m2d_mechanism *m = m2d_mechanism_new(r.ctx);

    run_check(&r, add_point(m, "ground", "O", "0"));
    run_check(&r, add_chain(m));
    run_check(&r, add_revolute(m, "O", "ground.O", "left.base"));
    ck_assert_int_eq(m2d_mechanism_n_parts(m), 3);
    ck_assert_str_eq(m2d_part_name(m, 1), "left.link[0]");
    ck_assert_str_eq(m2d_part_type(m, 1), "arm");
    ck_assert_str_eq(m2d_part_type(m, 0), "part");
    ck_assert_str_eq(m2d_body_name(m, 1), "left.link[1].rod");
    ck_assert_str_eq(m2d_joint_name(m, 0), "left.J");
    ck_assert_str_eq(m2d_point_name(m, m2d_joint_end(m, 1, 1)), "left.link[0].rod.A");
    ck_assert_str_eq(m2d_parameter_name(m, 1), "left.link[0].m");
    run_check(&r, m2d_mechanism_add_port(m, "left.axis", HA_NOWHERE));
    run_check(&r, m2d_expand(m, &r.system));
    run_check(&r, m2d_assemble(r.system, &r.assembly));
    ck_assert_int_eq(m2d_system_n_bodies(r.system), 2);
    ck_assert_int_ge(bg_graph_find(m2d_system_graph(r.system), "left.J.axis"), 0);
    run_end(&r);
    m2d_mechanism_free(m);
}
END_TEST

static void expect_error(ha_ctx *ctx, ha_status status, ha_status wanted, const char *part)
{
    size_t n = ha_ctx_n_diags(ctx);

    ck_assert_uint_gt(n, 0);
    ck_assert_msg(status == wanted && strstr(ha_ctx_diag(ctx, n - 1)->text, part) != NULL, "%s: %s",
                  ha_status_name(status), ha_ctx_diag(ctx, n - 1)->text);
}

START_TEST(misuse_in_c_is_refused)
{
    ha_ctx *ctx = ha_ctx_new();
    m2d_mechanism *m = m2d_mechanism_new(ctx);
    m2d_part_def part = m2d_part_def_default(), wrong = { .name = "p" };

    expect_error(ctx, m2d_mechanism_end_part(m), HA_ERR_ARGUMENT, "no part to end");
    expect_error(ctx, m2d_mechanism_add_part_port(m, "a", "b.c", HA_NOWHERE), HA_ERR_ARGUMENT,
                 "not in a part");
    expect_error(ctx, m2d_mechanism_begin_part(m, &wrong), HA_ERR_ARGUMENT, "default");
    expect_error(ctx, m2d_mechanism_begin_part(m, &part), HA_ERR_NAME, "has no name");
    part.name = "a[x]";
    expect_error(ctx, m2d_mechanism_begin_part(m, &part), HA_ERR_NAME, "cannot be the name");
    part.name = "a.b";
    expect_error(ctx, m2d_mechanism_begin_part(m, &part), HA_ERR_NAME, "cannot be the name");
    ck_assert_int_eq(add_arm(m, "p", 1.0), HA_OK);
    expect_error(ctx, add_arm(m, "p", 1.0), HA_ERR_NAME, "already that of a part");
    part.name = "q";
    part.start[M2D_X] = m2d_mechanism_time(m);
    expect_error(ctx, m2d_mechanism_begin_part(m, &part), HA_ERR_VALUE, "depends on `t`");
    part.start[M2D_X] = HA_EXPR_NONE;
    ck_assert_int_eq(m2d_mechanism_begin_part(m, &part), HA_OK);
    expect_error(ctx, m2d_mechanism_add_part_port(m, "a", "b.c", HA_NOWHERE), HA_ERR_NAME,
                 "no point, axis");
    ck_assert_int_eq(add_arm(m, "p", 1.0), HA_OK); /* q.p is another than p */
    expect_error(ctx, m2d_mechanism_add_part_port(m, "p", "p.tip", HA_NOWHERE), HA_ERR_NAME,
                 "taken already");
    for (int i = 0; i < 31; i++) {
        ck_assert_int_eq(m2d_mechanism_begin_part(m, &part), HA_OK);
    }
    expect_error(ctx, m2d_mechanism_begin_part(m, &part), HA_ERR_LIMIT, "32 parts deep");
    m2d_mechanism_free(m);
    ha_ctx_free(ctx);
}
END_TEST

/* --- starts --------------------------------------------------------------------------------- */

/* A part that stands turned and moves as a rigid body: each of its bodies does. */
START_TEST(a_part_starts_as_a_rigid_body)
{
    run r = run_text(
        HEAD "gravity: [0, 0]\n"
             "submodels:\n"
             "  pair:\n"
             "    bodies:\n"
             "      a: {mass: 1, inertia: 1, start: {x: 1, y: 2, angle: 0.1, vx: 3, omega: 1}}\n"
             "      b: {mass: 1, inertia: 1, start: {x: 0, y: 0}}\n"
             "  outer: {parts: {in: {type: pair, start: {x: 5}}}}\n"
             "parts: {p: {type: outer, start: {x: 10, angle: 90 deg, vy: 4, omega: 0.5}}}\n"
             "simulate: {t_end: 0}\n");
    const double right = acos(-1.0) / 2.0;
    /* in the outer part a is at (6, 2): turned (-2, 6), and with it 0.5 (-6, -2) */
    run_expect(&r, "p.in.a.x", 8.0, 1e-14);
    run_expect(&r, "p.in.a.y", 6.0, 1e-14);
    run_expect(&r, "p.in.a.angle", right + 0.1, 1e-15);
    run_expect(&r, "p.in.a.vx", -3.0, 1e-14);
    run_expect(&r, "p.in.a.vy", 4.0 + 3.0 - 1.0, 1e-14);
    run_expect(&r, "p.in.a.omega", 1.5, 1e-15);
    run_expect(&r, "p.in.b.x", 10.0, 1e-14);
    run_expect(&r, "p.in.b.y", 5.0, 1e-14);
    run_expect(&r, "p.in.b.angle", right, 1e-15);
    run_expect(&r, "p.in.b.vx", -2.5, 1e-14);
    run_end(&r);
}
END_TEST

/* Starts of what is inside, of rows and of parts of parts, are numbers of what is outside. */
START_TEST(starts_reach_what_is_inside)
{
    run r =
        run_text(HEAD "gravity: [0, 0]\n"
                      "parameters: {l: 7}\n"
                      "submodels:\n"
                      "  one:\n"
                      "    parameters: {l: 1}\n"
                      "    bodies: {a: {mass: 1, inertia: 1, start: {x: l, y: 2*l, angle: 0.5}}}\n"
                      "  row: {parts: {k: {type: one, count: 3}}}\n"
                      "parts:\n"
                      "  p: {type: row, parameters: {k.l: l - i, 'k[2].l': 20}, "
                      "start: {k: {a: {x: 3*l}}, 'k[1]': {a: {angle: l/2}}}, count: 2}\n"
                      "simulate: {t_end: 0}\n");

    run_expect(&r, "p[0].k[0].a.x", 21.0, 0.0);
    run_expect(&r, "p[0].k[0].a.y", 14.0, 0.0);
    run_expect(&r, "p[0].k[0].a.angle", 0.5, 0.0);
    run_expect(&r, "p[0].k[1].a.x", 7.0, 0.0);
    run_expect(&r, "p[0].k[1].a.angle", 3.5, 0.0);
    run_expect(&r, "p[0].k[2].a.y", 40.0, 0.0);
    run_expect(&r, "p[1].k[0].a.y", 12.0, 0.0);
    run_end(&r);
}
END_TEST

#define PENDULUM                                                                                   \
    "gravity: [0, 0]\n"                                                                            \
    "submodels:\n"                                                                                 \
    "  pendulum:\n"                                                                                \
    "    ground: {points: {O: [0, 0]}}\n"                                                          \
    "    bodies: {rod: {mass: 1, inertia: 1, points: {A: [-1, 0], P: [1, 0]}}}\n"                  \
    "    joints: {J: {type: revolute, between: [ground.O, rod.A], start: {angle: 0.3, omega: 2, "  \
    "fixed: [angle, omega]}}}\n"

/* A joint inside starts as its part says, or as the user of the part does. */
START_TEST(joints_inside_start_as_is_said_outside)
{
    run r = run_text(HEAD PENDULUM
                     "parameters: {a: 0.5}\n"
                     "parts: {p: {type: pendulum}, q: {type: pendulum, start: {J: {angle: 2*a, "
                     "fixed: [angle]}}}}\n"
                     "simulate: {t_end: 0}\n");

    run_expect(&r, "p.rod.angle", 0.3, 1e-14);
    run_expect(&r, "p.rod.omega", 2.0, 1e-14);
    run_expect(&r, "q.rod.angle", 1.0, 1e-14);
    run_end(&r);
    run_expect_failure(HEAD PENDULUM "parts: {p: {type: pendulum, start: {J: {angel: 1}}}}\n",
                       HA_ERR_NAME, "did you mean `angle`?");
    run_expect_failure(HEAD PENDULUM "parts: {p: {type: pendulum, start: {J: 1}}}\n", HA_ERR_SYNTAX,
                       "`start` of joint `p.J`");
}
END_TEST

#define BAR                                                                                        \
    "gravity: [0, 0]\n"                                                                            \
    "submodels:\n"                                                                                 \
    "  bar:\n"                                                                                     \
    "    bodies: {b: {mass: 1, inertia: 1, points: {A: [-1, 0], P: [1, 0]}}}\n"

/* Points start in the axes of their part, one coordinate alone as well. */
START_TEST(points_inside_start_in_the_axes_of_the_part)
{
    run r = run_text(
        HEAD BAR
        "parts: {p: {type: bar, start: {x: 10, y: 20, angle: 90 deg, vx: 1, vy: 2, omega: 3, "
        "b: {at: {A: {x: 4, y: 5, vx: 6, vy: 7}, P: {x: 6}}, fixed: [A.x, A.y, A.vx, A.vy, "
        "P.x]}}}}\n"
        "simulate: {t_end: 0}\n");
    /* A is at (4, 5) and moves with (6, 7) + 3 (-5, 4) there; turned by 90 deg that is (-5, 4) */
    run_expect(&r, "p.b.A.x", 10.0 - 5.0, 1e-12);
    run_expect(&r, "p.b.A.y", 20.0 + 4.0, 1e-12);
    run_expect(&r, "p.b.A.vx", 1.0 - (7.0 + 12.0), 1e-12);
    run_expect(&r, "p.b.A.vy", 2.0 + (6.0 - 15.0), 1e-12);
    run_expect(&r, "p.b.P.y", 20.0 + 6.0, 1e-12);
    run_end(&r);
    run_expect_failure(HEAD BAR
                       "parts: {p: {type: bar, start: {omega: 3, b: {at: {A: {vx: 6}}}}}}\n"
                       "simulate: {t_end: 0}\n",
                       HA_ERR_VALUE, "`p.b.A.vx` is a velocity in a part that turns");
}
END_TEST

/* --- ports and the ground ------------------------------------------------------------------- */

/* A part with points of the ground, a transformer whose first port is one of the part, a submodel
   among its elements, a signal and outputs of its own. */
START_TEST(a_part_holds_whatever_a_model_holds)
{
    run r = run_text(
        HEAD
        "gravity: [0, 0]\n"
        "tables: {wish: {x: [0, 10], y: [0, 10]}}\n"
        "submodels:\n"
        "  load: {ports: {in: 1a}, elements: {1a: {type: '1'}, R: {type: R, value: 2}}, bonds: "
        "[1a > R]}\n"
        "  drive:\n"
        "    parameters: {x0: 1}\n"
        "    ports: {in: T.1, load: L.in, pin: J.axis, disc: disc}\n"
        "    ground: {points: {C: [x0, 2]}}\n"
        "    bodies: {disc: {mass: 1, inertia: 2, points: {C: [0, 0]}}}\n"
        "    joints: {J: {type: revolute, between: [ground.C, disc.C]}}\n"
        "    elements: {T: {type: TF, value: 3}, L: {type: load}, 1b: {type: '1'}}\n"
        "    signals: {slow: {type: lag, input: disc.angle, time_constant: 1}}\n"
        "    bonds: [T > 1b > J.axis, 1b > L.in]\n"
        "    forces: {f: {type: torque, on: disc, value: 0*wish(t)*slow}}\n"
        "    outputs: [disc.angle, T.e1]\n"
        "parts: {d: {type: drive, parameters: {x0: 4}}}\n"
        "forces: {g: {type: torque, on: d.disc, value: '0*d.pin.omega + 1'}}\n"
        "bondgraph: {elements: {V: {type: Se, value: 9}}, bonds: [V > d.in]}\n"
        "simulate: {t_end: 2, rtol: 1e-10}\n");
    /* inertia 2, resistance 2, torque 9/3 + 1 */
    run_expect(&r, "d.disc.omega", 2.0 * (1.0 - exp(-2.0)), 1e-8);
    run_expect(&r, "d.disc.x", 4.0, 1e-12);
    run_expect(&r, "d.T.e1", 9.0, 1e-12);
    run_expect(&r, "d.L.R.f", 2.0 * (1.0 - exp(-2.0)), 1e-8);
    ck_assert_int_ge(ha_result_find(r.result, "d.slow"), 0);
    run_end(&r);
}
END_TEST

/* A ring by an index modulo its length: four discs around, coupled by springs. */
START_TEST(rows_close_to_rings)
{
    run r = run_text(
        HEAD "gravity: [0, 0]\n"
             "submodels:\n"
             "  mass: {ports: {P: b.P}, parameters: {x: 0}, bodies: {b: {mass: 1, inertia: 1, "
             "points: {P: [0, 0]}, start: {x: x, y: 1}}}}\n"
             "parts: {m: {type: mass, count: 4, parameters: {x: i}}}\n"
             "forces:\n"
             "  s: {type: spring-damper, for: {i: [0, 3]}, between: ['m[i].P', 'm[if(i < 3, i "
             "+ 1, 0)].P'], stiffness: '1 + i'}\n"
             "outputs: ['m[3].b.ax', 's[3]']\n"
             "simulate: {t_end: 0}\n");
    const char **names = NULL;
    int n = 0;

    run_expect(&r, "m[3].b.ax", -3.0 * 1.0 - 4.0 * 3.0, 1e-12);
    run_check(&r, m2d_model_select(r.model, r.system, &names, &n));
    ck_assert_int_ge(n, 2);
    free(names);
    run_end(&r);
}
END_TEST

/* A variant of a submodel, by part. */
START_TEST(a_part_may_be_a_variant)
{
    run r = run_text(HEAD "submodels:\n"
                          "  m:\n"
                          "    bodies: {b: {mass: 1, inertia: 1, start: {x: 1, y: 0}}}\n"
                          "    variants: {far: {bodies: {b: {start: {x: 2}}}}}\n"
                          "parts: {a: {type: m}, b: {type: m, variant: far}}\n"
                          "simulate: {t_end: 0}\n");

    run_expect(&r, "a.b.x", 1.0, 0.0);
    run_expect(&r, "b.b.x", 2.0, 0.0);
    run_end(&r);
}
END_TEST

/* --- cost ----------------------------------------------------------------------------------- */

/* 200 parts in four levels have as many expressions, places and bodies as their number says. */
START_TEST(parts_in_four_levels_are_set_up)
{
    run r = run_new();
    const char text[] =
        HEAD "submodels:\n"
             "  a: {bodies: {b: {mass: 1, inertia: 1, points: {P: [0, 0]}}}, ports: {P: b.P}}\n"
             "  b: {parts: {a: {type: a, count: 4}}}\n"
             "  c: {parts: {b: {type: b, count: 4}}}\n"
             "  d: {parts: {c: {type: c, count: 3}}}\n"
             "parts: {d: {type: d, count: 3}}\n";

    run_check(&r, m2d_read_text(r.ctx, text, strlen(text), "m.yaml", NULL, &r.model));
    m2d_mechanism *m = m2d_model_mechanism(r.model);
    ck_assert_int_eq(m2d_mechanism_n_parts(m), 3 + 9 + 36 + 144);
    ck_assert_int_eq(m2d_mechanism_n_bodies(m), 144);
    ck_assert_str_eq(m2d_body_name(m, 143), "d[2].c[2].b[3].a[3].b");
    run_end(&r);
}
END_TEST

/* --- what is refused ------------------------------------------------------------------------ */

#define ONE "submodels:\n" ROD "ground: {points: {O: [0, 0]}}\n"

/* A file with one part, and a joint, with these keys. */
#define PART(keys) ONE "parts: {a: {type: arm" keys "}}\n"
#define JOINT(keys) "joints: {J: {type: revolute, " keys "}}\n"

static const struct {
    const char *text, *part;
    int line;
} bad[] = {
    { PART("") JOINT("between: [ground.O, a.tp]"), "has no port `tp`; did you mean `tip`?", 10 },
    { PART("") JOINT("between: [ground.O, a.xyz]"), "it has `base`, `tip`", 10 },
    { PART(", parameters: {l: 1 kg}"), "both the same dimension", 9 },
    { PART(", parameters: {w: 1 kg}"), "no such parameter", 9 },
    { PART(", parameters: {m: -1}"), "`mass` of body `a.rod` is m", 7 },
    { PART(", count: 0"), "`count` of part `a` is 0; give a whole", 9 },
    { PART(", count: 1e9"), "`count` of part `a` is 1000000000", 9 },
    { PART(", count: 1.5"), "`count` of part `a` is 1.5", 9 },
    { PART(", count: 3 m"), "`count` of part `a`: 3 m is a length, a number", 9 },
    { PART(", count: 3") JOINT("between: [ground.O, a.tip]"), "but that is a row of parts", 10 },
    { PART(", count: 2") JOINT("for: {i: [0, 1]}, between: ['a[i].tip', 'a[i+1].base']"),
      "the last of the row is `a[1]`", 10 },
    { PART(", count: 2") JOINT("for: {i: [0, 1e9]}, between: ['a[i].tip', 'a[i].base']"),
      "whole numbers up to 100000", 10 },
    { PART(", count: 2") JOINT("for: {i: [3, 1]}, between: ['a[i].tip', 'a[i].base']"),
      "runs from 3 to 1", 10 },
    { PART(", count: 2") JOINT("between: ['a[0.5].tip', ground.O]"),
      "the index `0.5` of `a[0.5].tip` is 0.5", 10 },
    { PART(", count: 2") JOINT("between: ['a[0.tip', ground.O]"), "bracket that is not closed",
      10 },
    { ONE "parts: {a: {type: arn}}\n", "did you mean the submodel `arm`?", 9 },
    { PART(", start: {rad: {x: 1}}"), "unknown key `rad`", 9 },
    { PART(", start: {x: 1 kg}"), "1 kg is a mass", 9 },
    { PART(", variant: b"), "the variant `b` is not known", 9 },
    { "submodels: {a: {parts: {b: {type: b}}}, b: {parts: {a: {type: a}}}}\nparts: {p: {type: "
      "a}}\n",
      "`a` contains `b`, `b` contains `a`", 2 },
    { "submodels:\n  a: {ports: {P: b.Q}, bodies: {b: {mass: 1, inertia: 1}}}\nparts: {p: {type: "
      "a}}\n",
      "no point, axis of a joint or element", 3 },
    { "submodels:\n  a: {bodies: {b: {mass: 1, inertia: 1, pints: {}}}}\nbondgraph: {}\n",
      "unknown key `pints`", 3 },
    { ONE "bondgraph: {elements: {a: {type: arm}}}\n", "make it one of the `parts`", 9 },
};

START_TEST(bad_parts_are_refused_at_their_place)
{
    run r = run_new();
    char text[4096];

    snprintf(text, sizeof text, HEAD "%s", bad[_i].text);
    ha_status status = m2d_read_text(r.ctx, text, strlen(text), "m.yaml", NULL, &r.model);
    ck_assert_int_ne(status, HA_OK);
    const ha_diag *diag = ha_ctx_diag(r.ctx, 0);
    ck_assert_msg(strstr(diag->text, bad[_i].part) != NULL, "%s", diag->text);
    ck_assert_int_eq(diag->where.line, bad[_i].line);
    run_end(&r);
}
END_TEST

/* What is wrong in a submodel is said once, and for which part. */
START_TEST(a_bad_submodel_is_reported_once)
{
    run r = run_new();
    const char text[] = HEAD "submodels: {a: {bodies: {b: {inertia: 1}}}}\n"
                             "parts: {p: {type: a, count: 50}, q: {type: a}}\n"
                             "forces: {f: {type: torque, on: 'p[7].b', value: q.b.angle}}\n";

    ck_assert_int_ne(m2d_read_text(r.ctx, text, strlen(text), "m.yaml", NULL, &r.model), HA_OK);
    ck_assert_uint_eq(ha_ctx_n_errors(r.ctx), 1);
    ck_assert_str_eq(ha_ctx_diag(r.ctx, 1)->text, "in the part `p[0]` of type `a`");
    run_end(&r);
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    run_survives(nested, run_expand);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("parts");
    TCase *tcase = tcase_create("parts");

    tcase_add_test(tcase, parts_give_what_the_flat_file_gives);
    tcase_add_test(tcase, parts_are_built_in_c);
    tcase_add_test(tcase, misuse_in_c_is_refused);
    tcase_add_test(tcase, a_part_starts_as_a_rigid_body);
    tcase_add_test(tcase, starts_reach_what_is_inside);
    tcase_add_test(tcase, joints_inside_start_as_is_said_outside);
    tcase_add_test(tcase, points_inside_start_in_the_axes_of_the_part);
    tcase_add_test(tcase, a_part_holds_whatever_a_model_holds);
    tcase_add_test(tcase, rows_close_to_rings);
    tcase_add_test(tcase, a_part_may_be_a_variant);
    tcase_add_test(tcase, parts_in_four_levels_are_set_up);
    tcase_add_loop_test(tcase, bad_parts_are_refused_at_their_place, 0, (int) HA_COUNT(bad));
    tcase_add_test(tcase, a_bad_submodel_is_reported_once);
    tcase_add_test(tcase, every_allocation_may_fail);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
