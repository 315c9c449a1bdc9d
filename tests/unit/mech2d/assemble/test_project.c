/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Poses near an assembled one: on the constraints, near what is asked, and refused where that is
   out of reach. */
#include <config.h>

#include "tests/unit/mech2d/run.h"

#define CRANK                                                                                      \
    "halfarrow: 1\n"                                                                               \
    "ground: {points: {O: [0, 0]}}\n"                                                              \
    "bodies:\n"                                                                                    \
    "  crank: {mass: 3, inertia: 0.02, points: {O: [0, 0], A: [0.05, 0]}, start: {angle: 1}}\n"    \
    "  rod: {mass: 0.6, inertia: 1.2e-3, points: {A: [-0.05, 0], B: [0.1, 0]}}\n"                  \
    "  piston: {mass: 0.5, inertia: 4e-4, points: {B: [0, 0]}, start: {x: 0.17}}\n"                \
    "joints:\n"                                                                                    \
    "  O: {type: revolute, between: [ground.O, crank.O]}\n"                                        \
    "  A: {type: revolute, between: [crank.A, rod.A]}\n"                                           \
    "  B: {type: revolute, between: [rod.B, piston.B]}\n"                                          \
    "  S: {type: translational, between: [ground.O, piston.B]}\n"

enum { N = 9 };

static run crank_run(double *base)
{
    run r = run_new();
    ha_status status = m2d_read_text(r.ctx, CRANK, strlen(CRANK), "m.yaml", NULL, &r.model);

    status = status == HA_OK ? run_expand(&r) : status;
    status = status == HA_OK ? m2d_assemble(r.system, &r.assembly) : status;
    run_check(&r, status);
    for (int i = 0; i < N; i++) {
        base[i] = m2d_assembly_value(r.assembly, i / 3, (m2d_coordinate) (i % 3));
    }
    return r;
}

/* The tangent by the exact rates of the mechanism for a turn of the crank by 1. */
static void find_tangent(const double *q, double *z)
{
    double along = -0.05 * sin(q[2]), up = 0.05 * cos(q[2]); /* of A */
    double turn = -up / (0.15 * cos(q[5]));                  /* of the rod: B stays at y = 0 */

    memset(z, 0, N * sizeof *z);
    z[2] = 1.0;
    z[3] = along - 0.05 * sin(q[5]) * turn;
    z[4] = up + 0.05 * cos(q[5]) * turn;
    z[5] = turn;
    z[6] = along - 0.15 * sin(q[5]) * turn;
}

/* Where the crank is, all else follows: by the triangle of the links. */
static void check_pose(const double *pose)
{
    double a[2] = { 0.05 * cos(pose[2]), 0.05 * sin(pose[2]) };
    double rod = -asin(a[1] / 0.15);
    const double wanted[N] = { 0.0,
                               0.0,
                               pose[2],
                               a[0] + 0.05 * cos(rod),
                               a[1] + 0.05 * sin(rod),
                               rod,
                               a[0] + 0.15 * cos(rod),
                               0.0,
                               0.0 };

    for (int i = 0; i < N; i++) {
        ck_assert_msg(fabs(pose[i] - wanted[i]) < 1e-11, "coordinate %d is %.17g, not %.17g", i,
                      pose[i], wanted[i]);
    }
}

/* Far along the tangent, where links would be stretched by two percent, they are rigid. */
START_TEST(links_stay_rigid)
{
    double base[N], way[4 * N], pose[4 * N];
    static const double turns[] = { -0.5, 0.0, 0.01, 0.5 };
    run r = crank_run(base);
    bool are_met = false;

    for (int k = 0; k < 4; k++) {
        find_tangent(base, way + (size_t) k * N);
        for (int i = 0; i < N; i++) {
            way[k * N + i] *= turns[k];
        }
    }
    run_check(&r, m2d_project(r.system, 0.0, base, way, 4, pose, &are_met));
    ck_assert(are_met);
    for (int k = 0; k < 4; k++) {
        check_pose(pose + (size_t) k * N);
        ck_assert(fabs(pose[k * N + 2] - base[2] - turns[k]) <
                  0.5 * turns[k] * turns[k] + 1e-12); /* it is near what was asked for */
    }
    run_end(&r);
}
END_TEST

/* A piston that is pulled farther than the links are long. */
START_TEST(what_is_out_of_reach_is_said)
{
    double base[N], way[N] = { 0.0 }, pose[N];
    run r = crank_run(base);
    bool are_met = true;

    way[6] = 1.0;
    run_check(&r, m2d_project(r.system, 0.0, base, way, 1, pose, &are_met));
    ck_assert(!are_met);
    way[6] = 0.0;
    way[2] = way[5] = (double) INFINITY;
    ck_assert_int_eq(m2d_project(r.system, 0.0, base, way, 1, pose, &are_met), HA_ERR_VALUE);
    run_end(&r);
}
END_TEST

/* A crank that is driven: its angle is that of the time asked for. */
START_TEST(motions_are_those_of_the_time)
{
    static const char text[] =
        "halfarrow: 1\n"
        "ground: {points: {O: [0, 0]}}\n"
        "bodies: {rod: {mass: 1, inertia: 0.1, points: {O: [-0.5, 0]}}}\n"
        "joints: {O: {type: revolute, between: [ground.O, rod.O], motion: 2*t}}\n";
    double base[3] = { 0.5 * cos(0.6), 0.5 * sin(0.6), 0.6 }, way[3] = { 0.0 };
    double pose[3];
    bool are_met = false;
    run r = run_new();
    ha_status status = m2d_read_text(r.ctx, text, strlen(text), "m.yaml", NULL, &r.model);

    run_check(&r, status == HA_OK ? run_expand(&r) : status);
    run_check(&r, m2d_project(r.system, 0.3, base, way, 1, pose, &are_met));
    ck_assert(are_met);
    for (int i = 0; i < 3; i++) {
        ck_assert_double_eq_tol(pose[i], base[i], 1e-12);
    }
    run_check(&r, m2d_project(r.system, 0.0, base, way, 1, pose, &are_met));
    ck_assert(!are_met); /* that is another pose */
    run_end(&r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("project");
    TCase *tcase = tcase_create("project");

    tcase_add_test(tcase, links_stay_rigid);
    tcase_add_test(tcase, what_is_out_of_reach_is_said);
    tcase_add_test(tcase, motions_are_those_of_the_time);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
