/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The joints of Marquis-Favre, Bideaux & Scavarda 2006 against the equations printed there (part I,
 * eqs 22-30; part II, eqs 13-37), at random states: geometry, kinematics, accelerations, and the
 * actions on both bodies. Corrected misprints: part I, eq 21, expansion of the second row, and eq
 * 30, whose first row must have theta_M throughout; part II, eq 18 (x_jl), eq 23 (y_jl).
 *
 * The points are the mass centres and their axes those of the bodies, so that the coordinates of
 * the bodies are x, y, theta of M and N. The printed accelerations use the geometry to drop terms:
 * they hold for states that meet the constraints.
 */
#include <config.h>

#include "mech2d/expand/system_priv.h"
#include "mech2d/mechanism/joint.h"
#include "tests/unit/mech2d/scenes.h"
#include "tests/util/random.h"
#include "tests/util/util.h"

#include <check.h>
#include <math.h>

enum { XM, YM, TM, XN, YN, TN };

/* Coordinates, velocities and accelerations in the order above. */
typedef struct {
    double q[6], v[6], a[6];
} state;

/* What the papers print for one row. */
typedef struct {
    double geometry, kinematics, acceleration;
    double action[6]; /* per unit of lambda: Fx, Fy on body i, Cz at M; Fx, Fy on body j, Cz at N */
} printed;

static double next_random(void)
{
    static uint64_t seed = 4711;

    return random_in(&seed, -1.0, 1.0);
}

/* --- the papers' equations ------------------------------------------------------------------ */

/* (N - M) . y of an axis at angle number `t`: eqs 28-30 of part I, 25-27 of part II. */
static printed distance_from_axis(const state *s, int t)
{
    double c = cos(s->q[t]), n = sin(s->q[t]);
    double x = s->q[XN] - s->q[XM], y = s->q[YN] - s->q[YM];
    double vx = s->v[XN] - s->v[XM], vy = s->v[YN] - s->v[YM];
    double ax = s->a[XN] - s->a[XM], ay = s->a[YN] - s->a[YM];
    printed p = { .geometry = -x * n + y * c,
                  .kinematics = -vx * n + vy * c - s->v[t] * (x * c + y * n),
                  .acceleration = -ax * n + ay * c - s->a[t] * (x * c + y * n) +
                                  2.0 * s->v[t] * (-vx * c - vy * n),
                  .action = { n, -c, 0.0, -n, c, 0.0 } };

    p.action[t] = -(x * c + y * n);
    return p;
}

static void translational(const state *s, printed *row)
{
    row[0] = distance_from_axis(s, TM);
    row[1] = distance_from_axis(s, TN);
}

/* Part II, eqs 14-17. */
static void revolute(const state *s, printed *row)
{
    row[0] = (printed){ s->q[XN] - s->q[XM],
                        s->v[XN] - s->v[XM],
                        s->a[XN] - s->a[XM],
                        { -1.0, 0.0, 0.0, 1.0, 0.0, 0.0 } };
    row[1] = (printed){ s->q[YN] - s->q[YM],
                        s->v[YN] - s->v[YM],
                        s->a[YN] - s->a[YM],
                        { 0.0, -1.0, 0.0, 0.0, 1.0, 0.0 } };
}

/* Eqs 19-22. */
static void double_translational(const state *s, printed *row)
{
    double angle = s->q[TN] - s->q[TM], c = cos(angle);

    row[0] = (printed){ sin(angle),
                        c * (s->v[TN] - s->v[TM]),
                        c * (s->a[TN] - s->a[TM]),
                        { 0.0, 0.0, -c, 0.0, 0.0, c } };
}

/* Eqs 24-27. */
static void translational_revolute(const state *s, printed *row)
{
    row[0] = distance_from_axis(s, TN);
}

/* Eqs 29-32. */
static void perpendicular(const state *s, printed *row)
{
    row[0] = (printed){ s->q[XN] - s->q[XM],
                        s->v[XN] - s->v[XM],
                        s->a[XN] - s->a[XM],
                        { -1.0, 0.0, 0.0, 1.0, 0.0, 0.0 } };
    row[1] = (printed){ s->q[YM], s->v[YM], s->a[YM], { 0.0, 1.0, 0.0, 0.0, 0.0, 0.0 } };
    row[2] = (printed){ s->q[YN], s->v[YN], s->a[YN], { 0.0, 0.0, 0.0, 0.0, 1.0, 0.0 } };
}

/* Eqs 34-37: N is in the other plane, so that its y is 0 in these. */
static void perpendicular_translational(const state *s, printed *row)
{
    state seen = *s;

    seen.q[YN] = seen.v[YN] = seen.a[YN] = 0.0;
    row[0] = distance_from_axis(&seen, TM);
    row[0].action[4] = 0.0; /* eq 34: y_il is at right angles to y_0' */
    row[1] = (printed){ s->q[YN], s->v[YN], s->a[YN], { 0.0, 0.0, 0.0, 0.0, 1.0, 0.0 } };
}

/* --- states that meet the geometry ---------------------------------------------------------- */

static void meet_line(state *s, int t)
{
    double along = s->q[XN] - s->q[XM];

    s->q[YN] = s->q[YM] + along * tan(s->q[t]);
}

static void meet_translational(state *s)
{
    s->q[TN] = s->q[TM];
    meet_line(s, TM);
}

static void meet_revolute(state *s)
{
    s->q[XN] = s->q[XM];
    s->q[YN] = s->q[YM];
}

static void meet_double_translational(state *s)
{
    s->q[TN] = s->q[TM] + acos(-1.0);
}

static void meet_translational_revolute(state *s)
{
    meet_line(s, TN);
}

static void meet_perpendicular(state *s)
{
    s->q[XN] = s->q[XM];
    s->q[YM] = s->q[YN] = 0.0;
}

static void meet_perpendicular_translational(state *s)
{
    s->q[YN] = 0.0;
    s->q[YM] = -(s->q[XN] - s->q[XM]) * tan(s->q[TM]);
}

static const struct {
    const char *type;
    int n;
    void (*print)(const state *s, printed *row);
    void (*meet)(state *s);
} joints[] = {
    { "translational-symmetric", 2, translational, meet_translational },
    { "revolute", 2, revolute, meet_revolute },
    { "double-translational", 1, double_translational, meet_double_translational },
    { "translational-revolute", 1, translational_revolute, meet_translational_revolute },
    { "perpendicular", 3, perpendicular, meet_perpendicular },
    { "perpendicular-translational", 2, perpendicular_translational,
      meet_perpendicular_translational },
};

/* --- ours ----------------------------------------------------------------------------------- */

static ha_ctx *ctx;
static m2d_mechanism *m;
static m2d_system *m_system;
static const double *place; /* (6) where the symbols are looked up */

static void set_up(void)
{
    ctx = ha_ctx_new();
    m = m2d_mechanism_new(ctx);
    for (int i = 0; i < 2; i++) {
        m2d_point_def point = m2d_point_def_default();
        point.body = i == 0 ? "A" : "B";
        point.name = "P";
        point.x = point.y = scene_number(m, 0.0);
        ck_assert_int_eq(scene_body(m, point.body, 1.0, 1.0, 0.0, false), HA_OK);
        ck_assert_int_eq(m2d_mechanism_add_point(m, &point), HA_OK);
    }
}

static void tear_down(void)
{
    m2d_system_free(m_system);
    m2d_mechanism_free(m);
    ha_ctx_free(ctx);
    m_system = NULL;
}

static void join(const char *type)
{
    m2d_joint_def def = m2d_joint_def_default();

    def.type = type;
    def.name = "J";
    def.ends[0] = "A.P";
    def.ends[1] = "B.P";
    ck_assert_int_eq(m2d_mechanism_add_joint(m, &def), HA_OK);
    ck_assert_int_eq(m2d_expand(m, &m_system), HA_OK);
}

static double coordinate(void *user, ha_expr symbol)
{
    (void) user;
    for (int j = 0; j < 6; j++) {
        if (symbol == m_system->masses.items[j / 3].q[j % 3]) {
            return place[j];
        }
    }
    return (double) NAN;
}

static double value_at(const double *q, ha_expr e)
{
    ha_dag *dag = bg_graph_dag(m_system->graph);
    ha_expr resolved = HA_EXPR_NONE;

    ck_assert_int_eq(ha_resolve(dag, e, &resolved), HA_OK);
    place = q;
    return ha_expr_value(dag, resolved, coordinate, NULL);
}

/* phi of a row at the time h of the motion through the state. */
static double moved(const state *s, int row, double h)
{
    double q[6];

    for (int j = 0; j < 6; j++) {
        q[j] = s->q[j] + h * s->v[j] + 0.5 * h * h * s->a[j];
    }
    return value_at(q, m_system->rows.items[row].phi);
}

/* Entry (row, column) of the transformer at one end: d phi / d coordinate. */
static double modulus(const state *s, int row, int column)
{
    bg_element end = bg_graph_find(m_system->graph, column < 3 ? "J.M" : "J.N");

    ck_assert_int_ge(end, 0);
    return value_at(s->q, bg_element_value(m_system->graph, end, 3 * row + column % 3));
}

static void check_row(const state *s, int row, const printed *p)
{
    const double h = 1e-3;
    double before2 = moved(s, row, -2.0 * h), before = moved(s, row, -h), now = moved(s, row, 0.0);
    double after = moved(s, row, h), after2 = moved(s, row, 2.0 * h);

    ck_assert_double_eq_tol(now, p->geometry, 1e-14);
    ck_assert_double_eq_tol((before2 - 8.0 * before + 8.0 * after - after2) / (12.0 * h),
                            p->kinematics, 1e-10);
    ck_assert_double_eq_tol((-before2 + 16.0 * before - 30.0 * now + 16.0 * after - after2) /
                                (12.0 * h * h),
                            p->acceleration, 1e-8);
    for (int j = 0; j < 6; j++) {
        ck_assert_double_eq_tol(modulus(s, row, j), p->action[j], 1e-14);
    }
}

START_TEST(joint_has_the_equations_of_the_paper)
{
    join(joints[_i].type);
    ck_assert_int_eq(m2d_system_n_rows(m_system), joints[_i].n);
    for (int trial = 0; trial < 20; trial++) {
        printed rows[3];
        state s;
        for (int j = 0; j < 6; j++) {
            s.q[j] = next_random();
            s.v[j] = next_random();
            s.a[j] = next_random();
        }
        joints[_i].meet(&s);
        joints[_i].print(&s, rows);
        for (int k = 0; k < joints[_i].n; k++) {
            ck_assert_double_eq_tol(rows[k].geometry, 0.0, 1e-14);
            check_row(&s, k, &rows[k]);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("joint_papers");
    TCase *tests = tcase_create("joint_papers");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, joint_has_the_equations_of_the_paper, 0, (int) HA_COUNT(joints));
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
