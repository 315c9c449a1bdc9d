/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is said of an assembled mechanism: which reactions are determined, what nothing fixes, on
 * which branch the loops are, which bodies float. The truth comes from the rank of the constraints
 * with one of them left out, from assemblies with the choices fixed, and from triangles.
 */
#include <config.h>

#include "mech2d/branch.h"

#include "lib/linalg/rank.h"
#include "mech2d/assemble/assemble_priv.h"
#include "tests/unit/mech2d/run.h"
#include "tests/util/util.h"

#include <check.h>
#include <stdio.h>

#define HEAD "halfarrow: 1\n"

/* Reads and assembles a text. */
static run assembled(const char *text)
{
    run r = run_new();

    run_check(&r, m2d_read_text(r.ctx, text, strlen(text), "m.yaml", NULL, &r.model));
    run_check(&r, m2d_expand(m2d_model_mechanism(r.model), &r.system));
    run_check(&r, m2d_assemble(r.system, &r.assembly));
    return r;
}

/* --- reactions ------------------------------------------------------------------------------- */

/* The rank of the constraints at the start, that of row `without` being replaced by zeros. */
static int rank_without(run *r, int without)
{
    m2d_assembly *a = r->assembly;
    const m2d_system *s = r->system;
    double *value = calloc(s->n_entries + 1, sizeof *value);
    int rank = 0;

    m2d__jacobian(a, a->q);
    for (size_t k = 0; k < s->n_entries; k++) {
        value[k] = s->entry_row[k] == without ? 0.0 : a->velocity_out[k];
    }
    const ha__matrix matrix = { a->n_rows, a->n, s->column_start, s->entry_row, value };
    const ha__rank_options options = { 0 };
    ck_assert_int_eq(ha__rank(r->ctx, &matrix, &options, &rank, NULL), HA_OK);
    free(value);
    return rank;
}

/* A multiplier is determined if and only if its row does not follow from all the others. */
static int expect_unique_rows(run *r)
{
    int rank = rank_without(r, -1), n_shared = 0;

    for (int i = 0; i < m2d_system_n_rows(r->system); i++) {
        bool is_needed = rank_without(r, i) < rank;
        ck_assert_msg(m2d_assembly_is_unique(r->assembly, i) == is_needed, "%s",
                      m2d_system_row_name(r->system, i));
        n_shared += is_needed ? 0 : 1;
    }
    return n_shared;
}

/* A parallelogram with three cranks, a pendulum on its coupler and a door on two hinges. */
static const char redundant[] =
    HEAD "ground: {points: {A: [0, 0], B: [1, 0], C: [2.5, 0], E: [5, 0], F: [5, 2]}}\n"
         "bodies:\n"
         "  a: {mass: 1, inertia: 1, points: {A: [0, 0], T: [1, 0]}, start: {angle: 1, fixed: "
         "[angle]}}\n"
         "  b: {mass: 1, inertia: 1, points: {B: [0, 0], T: [1, 0]}, start: {angle: 1}}\n"
         "  c: {mass: 1, inertia: 1, points: {C: [0, 0], T: [1, 0]}, start: {angle: 1}}\n"
         "  k: {mass: 1, inertia: 1, points: {A: [0, 0], B: [1, 0], C: [2.5, 0], P: [1, 1]}}\n"
         "  p: {mass: 1, inertia: 1, points: {P: [0, 1]}}\n"
         "  door: {mass: 1, inertia: 1, points: {E: [0, -1], F: [0, 1]}}\n"
         "joints:\n"
         "  A: {type: revolute, between: [ground.A, a.A]}\n"
         "  B: {type: revolute, between: [ground.B, b.B]}\n"
         "  C: {type: revolute, between: [ground.C, c.C]}\n"
         "  TA: {type: revolute, between: [a.T, k.A]}\n"
         "  TB: {type: revolute, between: [b.T, k.B]}\n"
         "  TC: {type: revolute, between: [c.T, k.C]}\n"
         "  P: {type: revolute, between: [k.P, p.P]}\n"
         "  E: {type: revolute, between: [ground.E, door.E]}\n"
         "  F: {type: revolute, between: [ground.F, door.F]}\n";

START_TEST(reactions_are_unique_where_their_rows_are_needed)
{
    run r = assembled(redundant);

    ck_assert_int_eq(m2d_assembly_n_redundant(r.assembly), 2);
    ck_assert_int_gt(expect_unique_rows(&r), 2);
    for (int i = 0; i < m2d_system_n_rows(r.system); i++) {
        const char *name = m2d_system_row_name(r.system, i);
        if (name[0] == 'P' || strcmp(name, "E.x") == 0 || strcmp(name, "F.x") == 0) {
            ck_assert_msg(m2d_assembly_is_unique(r.assembly, i), "%s", name);
        } else if (name[0] == 'E' || name[0] == 'F') {
            ck_assert_msg(!m2d_assembly_is_unique(r.assembly, i), "%s", name);
        }
    }
    run_end(&r);
}
END_TEST

START_TEST(reactions_are_unique_without_redundancy)
{
    run r = run_file("examples/andrews.yaml", NULL);

    ck_assert_int_eq(expect_unique_rows(&r), 0);
    run_end(&r);
}
END_TEST

START_TEST(welds_in_a_row_share_all_loads)
{
    run r = assembled(HEAD "ground: {points: {A: [0, 0], B: [1, 0.5]}}\n"
                           "bodies: {k: {mass: 1, inertia: 1, points: {A: [0, 0], B: [1, 0.5]}}}\n"
                           "joints:\n"
                           "  A: {type: weld, between: [ground.A, k.A]}\n"
                           "  B: {type: weld, between: [ground.B, k.B]}\n");

    ck_assert_int_eq(m2d_assembly_n_redundant(r.assembly), 3);
    ck_assert_int_eq(expect_unique_rows(&r), 6);
    run_end(&r);
}
END_TEST

/* --- choices --------------------------------------------------------------------------------- */

/* A four-bar with sides 1, 2, 1.5 on a ground of 2.5, with the starts of its bodies. */
#define FOUR_BAR(CRANK, COUPLER, ROCKER)                                                           \
    HEAD "ground: {points: {A: [0, 0], D: [2.5, 0]}}\n"                                            \
         "bodies:\n"                                                                               \
         "  crank: {mass: 1, inertia: 1, points: {A: [0, 0], B: [1, 0]}" CRANK "}\n"               \
         "  coupler: {mass: 1, inertia: 1, points: {B: [0, 0], C: [2, 0]}" COUPLER "}\n"           \
         "  rocker: {mass: 1, inertia: 1, points: {D: [0, 0], C: [1.5, 0]}" ROCKER "}\n"           \
         "joints:\n"                                                                               \
         "  A: {type: revolute, between: [ground.A, crank.A]}\n"                                   \
         "  B: {type: revolute, between: [crank.B, coupler.B]}\n"                                  \
         "  C: {type: revolute, between: [coupler.C, rocker.C]}\n"                                 \
         "  D: {type: revolute, between: [ground.D, rocker.D]}\n"

/* The choices of an assembly, of which there must be `wanted`; the first. */
static int choices_of(run *r, int wanted)
{
    int *found = calloc(3 * (size_t) m2d_system_n_bodies(r->system) + 1, sizeof *found), n = -2;

    ck_assert_int_eq(m2d_assembly_choices(r->assembly, found, &n), HA_OK);
    ck_assert_int_eq(n, wanted);
    int first = n > 0 ? found[0] : -1;
    ck_assert_int_eq(m2d_assembly_choices(r->assembly, NULL, &n), HA_OK);
    ck_assert_int_eq(n, wanted);
    free(found);
    return first;
}

START_TEST(choices_are_what_neither_joints_nor_fixed_values_decide)
{
    static const struct {
        const char *text;
        int n, first;
    } cases[] = {
        { FOUR_BAR("", "", ""), 1, 2 },
        { FOUR_BAR(", start: {angle: 60 deg, fixed: [angle]}", "", ""), 0, -1 },
        { FOUR_BAR("", "", ", start: {angle: 60 deg}"), 1, 8 }, /* what was given comes first */
        { HEAD "bodies: {k: {mass: 1, inertia: 1}}\n", 3, 0 },
        { HEAD "bodies: {k: {mass: 1, inertia: 1, start: {y: 2, fixed: [y]}}}\n", 2, 0 },
    };

    for (size_t i = 0; i < HA_COUNT(cases); i++) {
        run r = assembled(cases[i].text);
        ck_assert_int_eq(choices_of(&r, cases[i].n), cases[i].first);
        run_end(&r);
    }
}
END_TEST

START_TEST(choices_of_a_failed_assembly_are_not_known)
{
    run r = run_new();
    const char *text = FOUR_BAR("", "", ", start: {x: 9, y: 0, fixed: [x, y]}");
    int n = 0;

    run_check(&r, m2d_read_text(r.ctx, text, strlen(text), "m.yaml", NULL, &r.model));
    run_check(&r, m2d_expand(m2d_model_mechanism(r.model), &r.system));
    ck_assert_int_eq(m2d_try_assemble(r.system, &r.assembly), HA_ERR_ASSEMBLY);
    ck_assert_int_eq(m2d_assembly_choices(r.assembly, NULL, &n), HA_OK);
    ck_assert_int_eq(n, -1);
    ck_assert(!m2d_assembly_is_unique(r.assembly, 0));
    run_end(&r);
}
END_TEST

/* --- branches -------------------------------------------------------------------------------- */

/* The turns of a four-bar at B and C. */
static void expect_turns(const char *text, double at_B, double at_C, double given)
{
    run r = assembled(text);
    m2d_mechanism *m = m2d_model_mechanism(r.model);
    m2d_turn *turns = NULL;
    int n = 0;

    ck_assert_int_eq(m2d_find_turns(m, r.assembly, &turns, &n), HA_OK);
    ck_assert_int_eq(n, 2);
    ck_assert_str_eq(m2d_joint_name(m, turns[0].joint), "B");
    ck_assert_str_eq(m2d_point_name(m, turns[0].points[0]), "crank.A");
    ck_assert_str_eq(m2d_point_name(m, turns[0].points[3]), "coupler.C");
    ck_assert_str_eq(m2d_joint_name(m, turns[1].joint), "C");
    ck_assert_double_eq_tol(turns[0].angle, at_B, 1e-9);
    ck_assert_double_eq_tol(turns[1].angle, at_C, 1e-9);
    ck_assert(isnan(given) ? isnan(turns[1].given) : fabs(turns[1].given - given) < 1e-12);
    free(turns);
    run_end(&r);
}

START_TEST(branches_of_a_four_bar_turn_to_different_sides)
{
    /* crank at 60 deg: the diagonal BD and the triangle B C D with sides 2 and 1.5 */
    const double bx = cos(acos(-1.0) / 3.0), by = sin(acos(-1.0) / 3.0), pi = acos(-1.0);
    double d = hypot(2.5 - bx, by), down = atan2(-by, 2.5 - bx);
    double at_C = acos((4.0 + 2.25 - d * d) / 6.0);       /* inner angle */
    double at_B = acos((4.0 + d * d - 2.25) / (4.0 * d)); /* between BC and BD */

    /* C above BD: from the coupler to the rocker's way to D a turn to the right */
    expect_turns(FOUR_BAR(", start: {angle: 60 deg, fixed: [angle]}", ", start: {angle: 30 deg}",
                          ", start: {angle: 100 deg}"),
                 down + at_B - pi / 3.0, at_C - pi, -110.0 * pi / 180.0);
    expect_turns(FOUR_BAR(", start: {angle: 60 deg, fixed: [angle]}", ", start: {angle: -70 deg}",
                          ", start: {angle: -100 deg}"),
                 down - at_B - pi / 3.0, pi - at_C, 150.0 * pi / 180.0);
}
END_TEST

START_TEST(hinges_outside_of_loops_have_no_turn)
{
    run r = assembled(redundant);
    m2d_mechanism *m = m2d_model_mechanism(r.model);
    m2d_turn *turns = NULL;
    int n = 0;

    ck_assert_int_eq(m2d_find_turns(m, r.assembly, &turns, &n), HA_OK);
    ck_assert_int_eq(n, 3); /* TA, TB, TC; not P */
    for (int i = 0; i < n; i++) {
        ck_assert_int_eq(m2d_joint_name(m, turns[i].joint)[0], 'T');
    }
    free(turns);
    run_end(&r);

    r = assembled(HEAD "bodies: {k: {mass: 1, inertia: 1}}\n");
    ck_assert_int_eq(m2d_find_turns(m2d_model_mechanism(r.model), r.assembly, &turns, &n), HA_OK);
    ck_assert_int_eq(n, 0);
    free(turns);
    run_end(&r);
}
END_TEST

/* --- parts ----------------------------------------------------------------------------------- */

START_TEST(parts_are_what_joints_and_springs_hold_together)
{
    run r = assembled(
        HEAD "ground: {points: {O: [0, 0]}}\n"
             "bodies:\n"
             "  a: {mass: 1, inertia: 1, points: {P: [0, 0]}, start: {x: 1}}\n"
             "  b: {mass: 1, inertia: 1, points: {P: [0, 0]}}\n"
             "  c: {mass: 1, inertia: 1, points: {P: [0, 0]}}\n"
             "  d: {mass: 1, inertia: 1, points: {P: [1, 0], Q: [0, 0]}}\n"
             "  e: {mass: 1, inertia: 1, points: {P: [0, 0]}, start: {x: 3}}\n"
             "joints: {J: {type: revolute, between: [b.P, d.P]}, G: {type: revolute, between: "
             "[ground.O, c.P]}}\n"
             "forces:\n"
             "  s: {type: spring-damper, between: [c.P, a.P], stiffness: 1}\n"
             "  F: {type: force, on: b.P, value: [1, 0]}\n");
    int part[5] = { -1, -1, -1, -1, -1 }, n = 0;

    ck_assert_int_eq(m2d_find_parts(m2d_model_mechanism(r.model), part, &n), HA_OK);
    ck_assert_int_eq(n, 2);
    ck_assert(part[0] == 0 && part[1] == 1 && part[2] == 0 && part[3] == 1 && part[4] == 2);
    run_end(&r);
}
END_TEST

START_TEST(motions_of_joints_and_bodies_are_counted)
{
    run r = assembled(HEAD "ground: {points: {O: [0, 0]}}\n"
                           "bodies:\n"
                           "  a: {mass: 1, inertia: 1, points: {P: [0, 0]}}\n"
                           "  b: {mass: 1, inertia: 1, motion: {x: t, angle: 2*t}}\n"
                           "joints: {J: {type: revolute, between: [ground.O, a.P], motion: t}}\n");

    ck_assert_int_eq(m2d_mechanism_n_motions(m2d_model_mechanism(r.model)), 3);
    run_end(&r);
}
END_TEST

/* --- where a run stops ----------------------------------------------------------------------- */

START_TEST(locked_position_is_told_by_bars_in_line)
{
    /* a four-bar with sides 1.5, 1, 1 on 2.5, put where B D is nearly 2 */
    const char *text =
        HEAD "ground: {points: {A: [0, 0], D: [2.5, 0]}}\n"
             "bodies:\n"
             "  crank: {mass: 1, inertia: 1, points: {A: [0, 0], B: [1.5, 0]}}\n"
             "  coupler: {mass: 1, inertia: 1, points: {B: [0, 0], C: [1, 0]}}\n"
             "  rocker: {mass: 1, inertia: 1, points: {D: [0, 0], C: [1, 0]}, start: {angle: 2}}\n"
             "joints:\n"
             "  A: {type: revolute, between: [ground.A, crank.A], motion: 0.2 + 0.5*t}\n"
             "  B: {type: revolute, between: [crank.B, coupler.B]}\n"
             "  C: {type: revolute, between: [coupler.C, rocker.C]}\n"
             "  D: {type: revolute, between: [ground.D, rocker.D]}\n";
    run r = assembled(text);
    const double crank = acos(0.6) - 1e-6;
    double x = 1.5 * cos(crank), y = 1.5 * sin(crank), d = hypot(2.5 - x, y);
    double down = atan2(-y, 2.5 - x), tip = acos(d / 2.0);
    const struct {
        const char *name;
        double value;
    } at[] = { { "crank.position.angle.q", crank },
               { "coupler.position.x.q", x },
               { "coupler.position.y.q", y },
               { "coupler.position.angle.q", down + tip },
               { "rocker.position.angle.q", acos(-1.0) + down - tip } };

    run_check(&r, bg_causality_assign(m2d_system_graph(r.system), &r.causality));
    run_check(&r, bg_equations_derive(r.causality, &r.equations));
    run_check(&r, bg_model_compile(r.equations, NULL, 0, &r.compiled));
    r.start = calloc((size_t) bg_model_n_unknowns(r.compiled) + 1, sizeof *r.start);
    run_check(&r, m2d_start(r.assembly, r.compiled, r.start));
    run_check(&r,
              m2d_explain_stop(m2d_model_mechanism(r.model), r.assembly, r.compiled, r.start, 0.0));
    ck_assert_uint_eq(ha_ctx_n_diags(r.ctx), 0); /* at the start there is nothing to tell */
    for (size_t i = 0; i < HA_COUNT(at); i++) {
        r.start[bg_model_find_unknown(r.compiled, at[i].name)] = at[i].value;
    }
    run_check(&r,
              m2d_explain_stop(m2d_model_mechanism(r.model), r.assembly, r.compiled, r.start, 1.5));
    ck_assert_uint_eq(ha_ctx_n_diags(r.ctx), 1);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(r.ctx, 0)->text, "at t = 1.5 s"));
    ck_assert_ptr_nonnull(
        strstr(ha_ctx_diag(r.ctx, 0)->text,
               "at `C` the bars from coupler.B over coupler.C to rocker.D are in line"));
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(r.ctx, 0)->text, "the mechanism locks there"));
    run_end(&r);
}
END_TEST

/* --- memory ---------------------------------------------------------------------------------- */

/* All that can be asked of an assembly. */
static ha_status ask_all(run *r)
{
    m2d_mechanism *m = m2d_model_mechanism(r->model);
    int choices[64], part[64], n = 0;
    m2d_turn *turns = NULL;

    HA_TRY(run_expand(r));
    HA_TRY(m2d_assemble(r->system, &r->assembly));
    HA_TRY(m2d_assembly_choices(r->assembly, choices, &n));
    HA_TRY(m2d_find_parts(m, part, &n));
    HA_TRY(m2d_find_turns(m, r->assembly, &turns, &n));
    free(turns);
    return HA_OK;
}

START_TEST(every_failing_allocation_is_survived)
{
    run_survives(redundant, ask_all);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("branch");
    TCase *tests = tcase_create("branch");

    tcase_add_test(tests, reactions_are_unique_where_their_rows_are_needed);
    tcase_add_test(tests, reactions_are_unique_without_redundancy);
    tcase_add_test(tests, welds_in_a_row_share_all_loads);
    tcase_add_test(tests, choices_are_what_neither_joints_nor_fixed_values_decide);
    tcase_add_test(tests, choices_of_a_failed_assembly_are_not_known);
    tcase_add_test(tests, branches_of_a_four_bar_turn_to_different_sides);
    tcase_add_test(tests, hinges_outside_of_loops_have_no_turn);
    tcase_add_test(tests, parts_are_what_joints_and_springs_hold_together);
    tcase_add_test(tests, motions_of_joints_and_bodies_are_counted);
    tcase_add_test(tests, locked_position_is_told_by_bars_in_line);
    tcase_add_test(tests, every_failing_allocation_is_survived);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
