/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Consistent start: solves F(t, y, y') = 0 for x = (y' of the differential unknowns, y of the
 * algebraic ones) with the differential values held.
 *
 * Newton's method A dx = -F with the exact matrix and KLU. F is linear in y' and mostly in the
 * multipliers, so that one step is the rule; nonlinear algebraic loops get a damped method: the
 * step is halved until the residual, in the scale of the equilibrated rows, decreases.
 *
 * Where a law is flat, as e = f |f| is at f = 0, the matrix is singular at that point alone, and a
 * guess of 0 is just that point. So before a system is called singular its matrix is looked at
 * nearby. If it is regular there, the iteration goes on from there, now with the sides of the
 * switching functions (dae_events.c) following the values: which side the solution is on is not
 * known yet. A singular point that solves the equations stays: it is isolated. Where a law is
 * upright, as f = sign(e) sqrt(abs(e)) is at e = 0, a derivative has no value at that point alone;
 * the matrix is then that of a point nearby.
 *
 * The iteration ends when every residual is round-off of its own equation,
 *
 *     |F_i| <= tol * sum over j of |dF_i/dy_j y_j| + |dF_i/dy'_j y'_j|,
 *
 * or when it makes no more progress and is near enough. Where several laws hold one body at rest
 * they leave one velocity for all of them, and drift is between them. So where no other sides have
 * a solution either, a row is near enough that is off by no more than the tolerances of the
 * differential values make of it, sum over j of |dF_i/dy_j| tol_j.
 *
 * IDACalcIC would solve the same system, but to the integrator's tolerances, with a time scale
 * guessed from the end time (so not for an end time of 0), and could not name what is singular. It
 * is therefore not called: what it would compute is given to the integrator already.
 */
#include <config.h>

#include "lib/dae/dae_start_matrix.h"

#include "lib/core/mem.h"
#include "lib/core/random.h"
#include "lib/dae/method/newton.h"

#include <math.h>
#include <string.h>

enum { MAX_ITERATIONS = 100, MAX_HALVINGS = 29, MOST_LEFT = 3 };

static const double ROUND_OFF = 1e-14;  /* residual over its terms that ends the iteration */
static const double NEAR_ENOUGH = 1e-9; /* accepted when there is no more progress */
static const double ASIDE = 1e-9;       /* share of its size by which an unknown is moved aside */

/* The Newton iteration. */
typedef struct newton {
    ha__start_matrix matrix;
    ha__sides *sides;
    ha_dae_stats *stats;
    double t;
    bool is_inside;   /* a step: the sides stay, and a failure is not told */
    bool follows;     /* the sides are those of the values */
    int n_left;       /* times that it has left a singular point */
    double *y;        /* (n) iterate */
    double *yp;       /* (n) iterate */
    double *y_try;    /* (n) */
    double *yp_try;   /* (n) */
    double *residual; /* (n) at the iterate */
    double *r_try;    /* (n) */
    double *dx;       /* (n) Newton step */
    double *terms;    /* (n) sum of the magnitudes of each equation's terms */
    double relative;  /* largest residual at the iterate over its terms, */
    int64_t worst;    /* and its equation */
    double before;    /* merit of the iterate */
    bool is_small;    /* the whole Newton step was negligible */
    ha_status status; /* of what stopped it */
} newton;

static ha_status newton_init(newton *it, ha_ctx *ctx, const ha_dae *dae, double *work)
{
    HA_TRY(ha__start_matrix_init(&it->matrix, ctx, dae, work));
    HA_TRY_ALLOC_EACH(ctx, dae->n, it->y, it->yp, it->y_try, it->yp_try, it->residual, it->r_try,
                      it->dx, it->terms);
    return HA_OK;
}

static void newton_clear(newton *it)
{
    ha__start_matrix_clear(&it->matrix);
    HA_FREE(it->y, it->yp, it->y_try, it->yp_try, it->residual, it->r_try, it->dx, it->terms);
}

void ha__move_aside(const ha_dae *dae, const double *y, double *out)
{
    uint32_t random = 1;

    for (int j = 0; j < dae->n; j++) {
        double size = fabs(y[j]) + dae->unknowns[j].scale;
        out[j] = y[j] + ASIDE * size * (0.5 + 0.5 * ha__random(&random));
    }
}

/* An equation or a Jacobian entry is not finite at the guesses or the iterate. */
static ha_status fail_not_finite(newton *it, int64_t equation, double value, const char *what)
{
    const ha_dae *dae = it->matrix.dae;
    char number[HA__NUMBER_SIZE];
    char time[HA__NUMBER_SIZE];
    ha__strbuf values = HA_STRBUF(it->matrix.ctx);

    if (it->is_inside) {
        return HA_ERR_SOLVER;
    }
    ha__dae_add_values(&values, dae, equation, it->y, it->yp);
    ha_status status = values.status;
    if (status == HA_OK) {
        bool is_start = it->t == 0.0;
        status = ha_fail(it->matrix.ctx, is_start ? HA_ERR_VALUE : HA_ERR_SOLVER, HA_NOWHERE,
                         "%s `%s` is %s at %s, t = %s s, where its unknowns are %s; change %s so "
                         "that it can be evaluated",
                         what, dae->equations[equation], ha__dae_number(number, value),
                         is_start ? "the start" : "an event", ha__dae_number(time, it->t),
                         ha__strbuf_text(&values),
                         is_start ? "the start values or parameters"
                                  : "what the equations switch to there, or parameters,");
    }
    return ha__strbuf_drop(&values, status);
}

/* Sums up the terms of each equation, with unknowns of these magnitudes. */
static void sum_terms(newton *it, const double *y, const double *yp)
{
    const ha_dae *dae = it->matrix.dae;

    memset(it->terms, 0, (size_t) dae->n * sizeof(double));
    for (int j = 0; j < dae->n; j++) {
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            it->terms[dae->row[k]] +=
                fabs(it->matrix.by_y[k] * y[j]) + fabs(it->matrix.by_yp[k] * yp[j]);
        }
    }
}

/* Finds the largest residual over its terms, and these. */
static void weigh_residual(newton *it)
{
    const ha_dae *dae = it->matrix.dae;

    sum_terms(it, it->y, it->yp);
    it->relative = 0.0;
    it->worst = 0;
    for (int i = 0; i < dae->n; i++) {
        double size = fabs(it->residual[i]);
        double relative = size > 0.0 ? size / (size + it->terms[i]) : 0.0;
        if (relative > it->relative) {
            it->relative = relative;
            it->worst = i;
        }
    }
}

/* Sum of the squared residuals in the scale of the equilibrated rows. */
static double merit(const newton *it, const double *residual)
{
    double sum = 0.0;

    for (int i = 0; i < it->matrix.dae->n; i++) {
        double r = residual[i] * it->matrix.row_scale[i];
        sum += r * r;
    }
    return sum;
}

/* y_try, yp_try = iterate + lambda dx; true when the last step is negligible beside the values. */
static bool try_share(newton *it, double lambda)
{
    const ha_dae *dae = it->matrix.dae;
    bool is_negligible = true;

    for (int j = 0; j < dae->n; j++) {
        bool differential = dae->unknowns[j].kind == HA_DIFFERENTIAL;
        double x = differential ? it->yp[j] : it->y[j];
        double moved = x + lambda * it->dx[j];
        it->yp_try[j] = differential ? moved : 0.0;
        it->y_try[j] = differential ? it->y[j] : moved;
        is_negligible =
            is_negligible && fabs(moved - x) <= NEAR_ENOUGH * (fabs(x) + dae->unknowns[j].scale);
    }
    return is_negligible;
}

static bool try_residual(newton *it)
{
    const ha_dae *dae = it->matrix.dae;

    if (it->follows) {
        ha__sides_follow(it->sides, it->t, it->y_try, it->yp_try);
    }
    dae->residual(dae->model, it->matrix.work, it->t, it->y_try, it->yp_try, it->r_try);
    it->stats->residual_evaluations++;
    return ha__first_not_finite(it->r_try, dae->n) < 0;
}

static void swap(double **a, double **b)
{
    double *keep = *a;

    *a = *b;
    *b = keep;
}

/* Goes on where the residual decreases. */
static bool move(void *user, double share)
{
    newton *it = user;
    double decrease = 1.0 - 1e-4 * share;
    bool is_small = try_share(it, share);

    it->is_small = share == 1.0 ? is_small : it->is_small;
    if (share < 1.0 && it->is_small) {
        return false; /* at round-off; shorter steps lead nowhere */
    }
    if (!try_residual(it) || !(merit(it, it->r_try) < decrease * decrease * it->before)) {
        return false;
    }
    swap(&it->y, &it->y_try);
    swap(&it->yp, &it->yp_try);
    swap(&it->residual, &it->r_try);
    return true;
}

static ha_status fail_to_converge(newton *it)
{
    int64_t worst = it->worst;
    const ha_dae *dae = it->matrix.dae;
    char residual[HA__NUMBER_SIZE];
    char terms[HA__NUMBER_SIZE];
    char time[HA__NUMBER_SIZE];
    ha__strbuf values = HA_STRBUF(it->matrix.ctx);

    if (it->is_inside) {
        return HA_ERR_SOLVER;
    }
    ha__dae_add_values(&values, dae, worst, it->y, it->yp);
    return HA_FAIL_WITH(values, it->matrix.ctx, HA_ERR_SOLVER, HA_NOWHERE,
                        "no consistent start is found at t = %s s: `%s` keeps a residual of %s "
                        "(its terms sum up to %s) with the unknowns at %s; give start values "
                        "nearer to a solution, or check that the equation has one",
                        ha__dae_number(time, it->t), dae->equations[worst],
                        ha__dae_number(residual, it->residual[worst]),
                        ha__dae_number(terms, it->terms[worst]), ha__strbuf_text(&values));
}

/* Evaluates the matrix at the iterate, or nearby; fails where it is not finite there either. */
static ha_status evaluate_matrix(newton *it)
{
    ha__start_matrix *matrix = &it->matrix;
    int64_t bad = ha__start_matrix_evaluate(matrix, it->t, it->y, it->yp);

    it->stats->jacobian_evaluations++;
    if (bad >= 0) {
        ha__move_aside(matrix->dae, it->y, it->y_try);
        bad = ha__start_matrix_evaluate(matrix, it->t, it->y_try, it->yp);
        it->stats->jacobian_evaluations++;
    }
    if (bad >= 0) {
        return fail_not_finite(it, matrix->dae->row[bad], (double) NAN, "a derivative of");
    }
    return HA_OK;
}

static ha_status factor(newton *it, double *rcond)
{
    ha__start_matrix_equilibrate(&it->matrix);
    return ha__start_matrix_factor(&it->matrix, rcond);
}

/* The residual and the matrix at the iterate; false where they are singular or have no value. */
static ha_status is_regular_here(newton *it, bool *is_regular)
{
    const ha_dae *dae = it->matrix.dae;
    double rcond = 0.0;

    dae->residual(dae->model, it->matrix.work, it->t, it->y, it->yp, it->residual);
    it->stats->residual_evaluations++;
    it->stats->jacobian_evaluations++;
    *is_regular = ha__first_not_finite(it->residual, dae->n) < 0 &&
                  ha__start_matrix_evaluate(&it->matrix, it->t, it->y, it->yp) < 0;
    if (*is_regular) {
        HA_TRY(factor(it, &rcond));
        *is_regular = rcond >= HA__SINGULAR_RCOND;
    }
    return HA_OK;
}

/* Moves the iterate away from y_try, yp_try by a share of its size, in no special direction. */
static void move_away(newton *it, double share)
{
    const ha_dae *dae = it->matrix.dae;
    uint32_t random = 1;

    for (int j = 0; j < dae->n; j++) {
        bool differential = dae->unknowns[j].kind == HA_DIFFERENTIAL;
        double x = differential ? it->yp_try[j] : it->y_try[j];
        x += share * (fabs(x) + dae->unknowns[j].scale) * (0.5 + 0.5 * ha__random(&random));
        *(differential ? &it->yp[j] : &it->y[j]) = x;
    }
}

/* Leaves a point that leads nowhere for one nearby where the matrix is regular, if there is one.
   With `is_solved` the point is a solution, and then an isolated one: it stays. */
static ha_status leave(newton *it, bool is_solved, bool *is_left)
{
    static const double shares[] = { 1e-3, -1e-3, 1.0 };
    size_t bytes = (size_t) it->matrix.dae->n * sizeof(double);

    *is_left = false;
    memcpy(it->y_try, it->y, bytes);
    memcpy(it->yp_try, it->yp, bytes);
    for (size_t i = 0; i < HA_COUNT(shares) && !*is_left && it->n_left < MOST_LEFT; i++) {
        move_away(it, shares[i]);
        if (!is_solved && !it->is_inside) {
            it->follows = true;
            ha__sides_follow(it->sides, it->t, it->y, it->yp);
        }
        HA_TRY(is_regular_here(it, is_left));
    }
    it->n_left++;
    if (is_solved || !*is_left) {
        memcpy(it->y, it->y_try, bytes);
        memcpy(it->yp, it->yp_try, bytes);
    }
    if (is_solved || *is_left) {
        return HA_OK;
    }
    if (it->follows) {
        ha__sides_follow(it->sides, it->t, it->y, it->yp);
    }
    bool is_regular = false; /* it is not, but its residual is told */
    return is_regular_here(it, &is_regular);
}

/* The matrix is singular at the iterate: goes on nearby, or fails. */
static ha_status leave_singular(newton *it, bool is_solved)
{
    double rcond = 0.0;
    bool is_left = false;

    HA_TRY(leave(it, is_solved, &is_left));
    if (is_left || it->is_inside) {
        return is_left ? HA_OK : HA_ERR_SOLVER;
    }
    ha__start_matrix_evaluate(&it->matrix, it->t, it->y, it->yp);
    HA_TRY(factor(it, &rcond));
    return ha__report_singular(&it->matrix, it->t, it->y, it->yp, rcond);
}

/* Factors the matrix and solves for dx, unless a singular iterate is a solution. */
static ha_status solve_step(newton *it, bool *is_solution)
{
    double rcond = 0.0;

    *is_solution = false;
    HA_TRY(factor(it, &rcond));
    if (!(rcond >= HA__SINGULAR_RCOND)) {
        bool is_solved = it->relative <= ROUND_OFF;
        HA_TRY(leave_singular(it, is_solved));
        *is_solution = is_solved;
    }
    for (int i = 0; i < it->matrix.dae->n; i++) {
        it->dx[i] = -it->residual[i];
    }
    ha__start_matrix_solve(&it->matrix, it->dx);
    it->stats->newton_iterations++;
    return HA_OK;
}

/* The step from an iterate, unless it is a solution. */
static ha__newton_state solve(void *user, int k)
{
    newton *it = user;
    bool is_solution = false;

    it->status = evaluate_matrix(it);
    if (it->status != HA_OK) {
        return HA__NEWTON_STOPPED;
    }
    weigh_residual(it);
    /* one step is always taken: it tells whether the system is singular */
    if (k > 0 && it->relative <= ROUND_OFF) {
        return HA__NEWTON_DONE;
    }
    it->status = solve_step(it, &is_solution);
    if (it->status == HA_OK && is_solution) {
        return HA__NEWTON_DONE;
    }
    it->before = merit(it, it->residual);
    return it->status == HA_OK ? HA__NEWTON_GOES_ON : HA__NEWTON_STOPPED;
}

/* Whether each row is near enough, or off by no more than what the tolerances of the differential
   unknowns make of it, where laws hold. */
static bool is_held_near(newton *it)
{
    const ha_dae *dae = it->matrix.dae;
    const ha__sides *sides = it->sides;
    bool is_near = dae->is_switched != NULL && !it->is_inside;

    if (!is_near) {
        return false;
    }
    weigh_residual(it);
    memcpy(it->dx, it->terms, (size_t) dae->n * sizeof(double));
    for (int j = 0; j < dae->n; j++) {
        bool is_held = dae->unknowns[j].kind == HA_DIFFERENTIAL;
        it->y_try[j] = is_held ? ha__tolerance(dae, j, sides->rtol, sides->atol, it->y[j]) : 0.0;
        it->yp_try[j] = 0.0;
    }
    sum_terms(it, it->y_try, it->yp_try);
    for (int i = 0; i < dae->n && is_near; i++) {
        double size = fabs(it->residual[i]);
        is_near = size <= NEAR_ENOUGH * (size + it->dx[i]) || size <= it->terms[i];
    }
    weigh_residual(it);
    return is_near;
}

static ha_status iterate(newton *it)
{
    static const ha__newton method = { MAX_ITERATIONS, MAX_HALVINGS, solve, move, NULL };
    const ha_dae *dae = it->matrix.dae;

    dae->residual(dae->model, it->matrix.work, it->t, it->y, it->yp, it->residual);
    it->stats->residual_evaluations++;
    int64_t bad = ha__first_not_finite(it->residual, dae->n);
    if (bad >= 0) {
        return fail_not_finite(it, bad, it->residual[bad], "the equation");
    }
    ha__newton_state state = HA__NEWTON_DONE;
    bool is_near = false, is_left = true;
    while (is_left) {
        state = ha__newton_iterate(&method, it);
        is_near = it->is_small || it->relative <= NEAR_ENOUGH;
        is_left = false;
        if (state == HA__NEWTON_STUCK && !is_near && dae->n_switches > 0) {
            HA_TRY(leave(it, false, &is_left)); /* the sides held may have no solution */
        }
    }
    if (state == HA__NEWTON_STUCK && !is_near && !is_held_near(it)) {
        return fail_to_converge(it);
    }
    return it->status;
}

/* Solves from y, yp into these, which stay where there is no solution. */
static ha_status start(newton *it, double *y, double *yp)
{
    const ha_dae *dae = it->sides->dae;
    size_t bytes = (size_t) dae->n * sizeof(double);

    memcpy(it->y, y, bytes);
    for (int j = 0; j < dae->n; j++) {
        it->yp[j] = dae->unknowns[j].kind == HA_DIFFERENTIAL ? yp[j] : 0.0;
    }
    HA_TRY(iterate(it));
    if (it->follows) {
        ha__sides_follow(it->sides, it->t, it->y, it->yp);
    }
    memcpy(y, it->y, bytes);
    memcpy(yp, it->yp, bytes);
    return HA_OK;
}

ha_status ha__dae_start(ha__sides *sides, double t, double *y, double *yp, ha_dae_stats *stats)
{
    newton it = { .sides = sides, .stats = stats, .t = t };

    if (sides->dae->n == 0) {
        return HA_OK;
    }
    ha_status status = newton_init(&it, sides->ctx, sides->dae, sides->work);
    HA_THEN(status, start(&it, y, yp));
    newton_clear(&it);
    return status;
}

struct ha__solver {
    newton it;
};

ha_status ha__solver_new(ha__sides *sides, ha_dae_stats *stats, ha__solver **out)
{
    ha__solver *solver = ha__alloc(sides->ctx, 1, sizeof *solver);

    HA_TRY_MEMORY(solver);
    solver->it = (newton){ .sides = sides, .stats = stats, .is_inside = true };
    ha_status status = newton_init(&solver->it, sides->ctx, sides->dae, sides->work);
    return HA_GIVE(status, solver, ha__solver_free, out);
}

void ha__solver_free(ha__solver *solver)
{
    if (solver != NULL) {
        newton_clear(&solver->it);
        ha__free(solver);
    }
}

ha_status ha__solver_solve(ha__solver *solver, double t, double *y, double *yp, bool *is_good)
{
    newton *it = &solver->it;

    it->t = t;
    it->n_left = 0;
    it->is_small = false;
    ha_status status = start(it, y, yp);
    *is_good = status == HA_OK;
    return status == HA_ERR_SOLVER ? HA_OK : status;
}

/* A consistent state at a time, with samples taken then or without. */
static ha_status start_at(ha_ctx *ctx, const ha_dae *dae, const double *parameters, bool keeps_held,
                          double t, double *y, double *yp)
{
    ha_dae_stats stats = { 0 };
    ha__sides sides = { 0 };
    double *work = NULL;

    HA_TRY_ALLOC(ctx, work, dae->work_size);
    dae->prepare(dae->model, parameters, work);
    ha_status status = ha__sides_init(&sides, ctx, dae, work);
    sides.keeps_held = keeps_held;
    HA_THEN(status, ha__sides_start(&sides, t, y, yp, &stats));
    ha__sides_clear(&sides);
    ha__free(work);
    return status;
}

ha_status ha__dae_start_within(ha_ctx *ctx, const ha_dae *dae, const double *parameters, double t,
                               double *y, double *yp)
{
    return start_at(ctx, dae, parameters, true, t, y, yp);
}

ha_status ha_dae_start(ha_ctx *ctx, const ha_dae *dae, const double *parameters, double t,
                       double *y, double *yp)
{
    double *before = NULL;

    HA_TRY_ALLOC(ctx, before, dae->n_holds);
    for (int i = 0; i < dae->n_holds; i++) {
        before[i] = y[dae->holds[i].unknown];
    }
    ha_status status = start_at(ctx, dae, parameters, false, t, y, yp);
    for (int i = 0; i < dae->n_holds; i++) {
        const ha_dae_hold *hold = &dae->holds[i];
        y[hold->unknown] = hold->is_sampled != 0 ? before[i] : y[hold->unknown];
    }
    ha__free(before);
    return status;
}
