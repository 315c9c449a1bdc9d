/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The consistent start and what is said when there is none. */
#include <config.h>

#include "lib/dae.h"

#include "tests/unit/lib/dae/dae_systems.h"

START_TEST(the_start_is_made_consistent)
{
    ha_dae dae = pendulum();

    y[0] = 0.6;
    y[1] = -0.8;
    y[2] = 0.8;
    y[3] = 0.6;
    y[4] = 123.0; /* a poor guess */
    yp[0] = -7.0;
    yp[4] = 1e9; /* means nothing */
    expect_ok(ha_dae_start(ctx, &dae, NULL, 0.0, y, yp));
    EXPECT_NEAR(y[0], 0.6, 0.0);
    EXPECT_NEAR(yp[0], 0.8, 1e-15);
    EXPECT_NEAR(yp[4], 0.0, 0.0);
    EXPECT_NEAR(2.0 * y[4], 1.0 + 0.8 * GRAVITY, 1e-13);
    double r[5];
    pendulum_residual(NULL, NULL, 0.0, y, yp, r);
    for (int i = 0; i < 5; i++) {
        EXPECT_NEAR(r[i], 0.0, 1e-12);
    }
}
END_TEST

START_TEST(the_structure_is_analysed)
{
    ha_dae dae = pendulum();
    ha_dae_structure structure;

    expect_ok(ha_dae_analyse(ctx, &dae, NULL, 0.0, y, yp, &structure));
    ck_assert_int_eq(structure.structural_rank, 5);
    /* x' and y' stand alone; vx', vy' and lambda belong together */
    ck_assert_int_eq(structure.n_blocks, 3);
    ck_assert_int_eq(structure.largest_block, 3);
    ck_assert(structure.rcond > 1e-3 && structure.rcond <= 1.0);

    y[0] = 0.0; /* no length: the constraint has no direction */
    expect_ok(ha_dae_analyse(ctx, &dae, NULL, 0.0, y, yp, &structure));
    ck_assert_int_eq(structure.structural_rank, 5);
    EXPECT_NEAR(structure.rcond, 0.0, 1e-14);
}
END_TEST

START_TEST(a_numerically_singular_start_is_named)
{
    ha_dae dae = pendulum();
    ha_dae_options options = options_to(1.0);

    y[0] = 0.0;
    EXPECT_FAILURE(run(&dae, &options), HA_ERR_SINGULAR, "numerically", "`rod.lambda`",
                   "`constraint rod`", "t = 0 s");
    ck_assert_uint_eq(ha_result_n_rows(result), 0);
}
END_TEST

/* z^2 - z + 1 = 0 has no real solution. */
static void no_solution_residual(const void *model, double *work, double t, const double *u,
                                 const double *up, double *r)
{
    (void) model, (void) work, (void) t, (void) up;
    r[0] = u[0] * u[0] - u[0] + 1.0;
}

static void no_solution_jacobian(const void *model, double *work, double t, double cj,
                                 const double *u, const double *up, double *v)
{
    (void) model, (void) work, (void) t, (void) cj, (void) up;
    v[0] = 2.0 * u[0] - 1.0;
}

START_TEST(a_start_without_solution_names_the_equation)
{
    static const ha_dae_unknown unknowns[] = {
        { .name = "valve.f", .kind = HA_ALGEBRAIC, .scale = 1.0 }
    };
    static const char *const equations[] = { "loop valve" };
    ha_dae dae = full_system(1, unknowns, equations);

    dae.residual = no_solution_residual;
    dae.jacobian = no_solution_jacobian;
    y[0] = 3.0;
    EXPECT_FAILURE(ha_dae_start(ctx, &dae, NULL, 0.25, y, yp), HA_ERR_SOLVER, "`loop valve`",
                   "`valve.f` = ", "t = 0.25 s");
    ck_assert_double_eq(y[0], 3.0);
}
END_TEST

/* ---- structurally singular: x' = v, v stands nowhere else, and x' is given twice ---- */

static void twice_residual(const void *model, double *work, double t, const double *u,
                           const double *up, double *r)
{
    (void) model, (void) work, (void) t, (void) u;
    r[0] = up[0] - 1.0;
    r[1] = up[0] - 2.0;
}

static void twice_jacobian(const void *model, double *work, double t, double cj, const double *u,
                           const double *up, double *v)
{
    (void) model, (void) work, (void) t, (void) u, (void) up;
    v[0] = cj;
    v[1] = cj;
    v[2] = v[3] = 0.0;
}

/* ---- singular for want of a term c y'_j: structurally, and by its numbers ---- */

static void absent_residual(const void *model, double *work, double t, const double *u,
                            const double *up, double *r)
{
    const double *coupling = model;

    (void) work, (void) t, (void) up;
    r[0] = u[0] + u[1] - 1.0;
    r[1] = *coupling * (u[0] + u[1]) - 2.0;
}

static void absent_jacobian(const void *model, double *work, double t, double cj, const double *u,
                            const double *up, double *v)
{
    const double *coupling = model;

    (void) work, (void) t, (void) cj, (void) u, (void) up;
    v[0] = v[2] = 1.0;
    v[1] = v[3] = *coupling;
}

START_TEST(an_absent_term_that_would_help_is_told_instead)
{
    static const double couplings[] = { 0.0, 0.5 }; /* an empty equation; the same one twice */
    static const ha_dae_unknown unknowns[] = {
        { .name = "A.v", .kind = HA_ALGEBRAIC, .scale = 1.0 },
        { .name = "B.v", .kind = HA_ALGEBRAIC, .scale = 1.0 }
    };
    static const char *const equations[] = { "balance of A", "balance of B" };
    static const ha_dae_absence absences[] = { { 1, "body `B` has no mass", { "m.yaml", 4, 2 } } };
    ha_dae dae = full_system(2, unknowns, equations);

    dae.residual = absent_residual;
    dae.jacobian = absent_jacobian;
    for (int i = 0; i < 2; i++) {
        dae.model = &couplings[i];
        dae.n_absences = 0;
        EXPECT_FAILURE(ha_dae_start(ctx, &dae, NULL, 0.0, y, yp), HA_ERR_SINGULAR,
                       i == 0 ? "structurally: 1 of 2" : "numerically", "`B.v`");
        ha_ctx_clear(ctx);
        dae.absences = absences;
        dae.n_absences = 1;
        EXPECT_FAILURE(ha_dae_start(ctx, &dae, NULL, 0.0, y, yp), HA_ERR_SINGULAR,
                       "body `B` has no mass");
        ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
        ck_assert_int_eq(ha_ctx_diag(ctx, 0)->where.line, 4);
        ha_ctx_clear(ctx);
    }
}
END_TEST

START_TEST(an_absent_term_that_would_not_help_is_not_told)
{
    /* what is missing is in equation B; a term of unknown A in equation A changes nothing */
    static const double coupling = 0.0;
    static const ha_dae_unknown unknowns[] = {
        { .name = "A.v", .kind = HA_ALGEBRAIC, .scale = 1.0 },
        { .name = "B.v", .kind = HA_ALGEBRAIC, .scale = 1.0 }
    };
    static const char *const equations[] = { "balance of A", "balance of B" };
    static const ha_dae_absence absences[] = { { 0, "body `A` has no mass", { "m.yaml", 4, 2 } } };
    ha_dae dae = full_system(2, unknowns, equations);

    dae.model = &coupling;
    dae.residual = absent_residual;
    dae.jacobian = absent_jacobian;
    dae.absences = absences;
    dae.n_absences = 1;
    EXPECT_FAILURE(ha_dae_start(ctx, &dae, NULL, 0.0, y, yp), HA_ERR_SINGULAR,
                   "structurally: 1 of 2", "`balance of B`");
}
END_TEST

START_TEST(a_structurally_singular_system_is_named)
{
    static const ha_dae_unknown unknowns[] = {
        { .name = "A.x", .kind = HA_DIFFERENTIAL, .scale = 1.0 },
        { .name = "B.lambda", .kind = HA_ALGEBRAIC, .scale = 1.0 }
    };
    static const char *const equations[] = { "rate of A.x", "constraint B" };
    ha_dae dae = full_system(2, unknowns, equations);
    ha_dae_structure structure;

    dae.residual = twice_residual;
    dae.jacobian = twice_jacobian;
    EXPECT_FAILURE(ha_dae_start(ctx, &dae, NULL, 0.0, y, yp), HA_ERR_SINGULAR,
                   "do not determine `B.lambda`", "structurally: 1 of 2", "`constraint B`",
                   "`rate of A.x`");
    ha_ctx_clear(ctx);
    expect_ok(ha_dae_analyse(ctx, &dae, NULL, 0.0, y, yp, &structure));
    ck_assert_int_eq(structure.structural_rank, 1);
    ck_assert_double_eq(structure.rcond, 0.0);
}
END_TEST

START_TEST(a_value_that_does_not_exist_at_the_start_is_named)
{
    ha_dae dae = logarithm(-2.0);
    ha_dae_options options = options_to(1.0);

    EXPECT_FAILURE(run(&dae, &options), HA_ERR_VALUE, "`reading of gauge` is ", "nan", "t = 0 s",
                   "`tank.level` = -2");
}
END_TEST

START_TEST(an_unknown_that_is_not_finite_is_named_first)
{
    ha_dae dae = logarithm((double) NAN);

    EXPECT_FAILURE(ha_dae_start(ctx, &dae, NULL, 0.0, y, yp), HA_ERR_VALUE,
                   "are `tank.level` = nan");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_start_is_made_consistent,
        the_structure_is_analysed,
        a_numerically_singular_start_is_named,
        a_start_without_solution_names_the_equation,
        a_structurally_singular_system_is_named,
        an_absent_term_that_would_help_is_told_instead,
        an_absent_term_that_would_not_help_is_not_told,
        a_value_that_does_not_exist_at_the_start_is_named,
        an_unknown_that_is_not_finite_is_named_first,
    };

    return run_tests("dae_start", tests, HA_COUNT(tests));
}
