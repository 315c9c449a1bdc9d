/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every row of lib/expr_ops.def, and the derivatives that are built from the rows. The truth about
 * a value is a function of its own in long double; about a derivative it is the difference quotient
 * of that function, extrapolated to h = 0 by Ridders' method (1982), which estimates its own error.
 */
#include <config.h>

#include "lib/expr.h"

#include "tests/util/random.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ha_ctx *ctx;
static ha_dag *dag;

static void set_up(void)
{
    ctx = ha_ctx_new();
    dag = ha_dag_new(ctx);
    ck_assert_ptr_nonnull(dag);
}

static void tear_down(void)
{
    ha_dag_free(dag);
    ha_ctx_free(ctx);
}

/* --- the reference --------------------------------------------------------------------------- */

typedef long double (*function)(void *user, long double s);

/* The derivative of f at s; `*error` is its estimated error. */
static double slope(function f, void *user, double s, double h, double *error)
{
    enum { N = 10 };
    const long double shrink = 1.4L;
    long double table[N][N], best = (long double) NAN, step = (long double) h, worst = HUGE_VALL;
    long double at = (long double) s;

    for (int i = 0; i < N; i++, step /= shrink) {
        long double factor = shrink * shrink;
        table[0][i] = (f(user, at + step) - f(user, at - step)) / (2.0L * step);
        for (int j = 1; j <= i; j++, factor *= shrink * shrink) {
            table[j][i] = (table[j - 1][i] * factor - table[j - 1][i - 1]) / (factor - 1.0L);
            long double found = fmaxl(fabsl(table[j][i] - table[j - 1][i]),
                                      fabsl(table[j][i] - table[j - 1][i - 1]));
            if (found <= worst) {
                worst = found;
                best = table[j][i];
            }
        }
    }
    *error = (double) worst;
    return (double) best;
}

#define REFERENCE(name, value)                                                                     \
    static long double reference_##name(long double a, long double b, long double c)               \
    {                                                                                              \
        (void) a;                                                                                  \
        (void) b;                                                                                  \
        (void) c;                                                                                  \
        return value;                                                                              \
    }

REFERENCE(ADD, b + a)
REFERENCE(SUB, -(b - a))
REFERENCE(MUL, b *a)
REFERENCE(DIV, a *(1.0L / b))
REFERENCE(NEG, 0.0L - a)
REFERENCE(POW, powl(a, b))
REFERENCE(SQRT, sqrtl(a))
REFERENCE(EXP, expl(a))
REFERENCE(LOG, logl(a))
REFERENCE(SIN, sinl(a))
REFERENCE(COS, cosl(a))
REFERENCE(TAN, sinl(a) / cosl(a))
REFERENCE(ASIN, asinl(a))
REFERENCE(ACOS, acosl(a))
REFERENCE(ATAN, atanl(a))
REFERENCE(ATAN2, atan2l(a, b))
REFERENCE(SINH, (expl(a) - expl(-a)) / 2.0L)
REFERENCE(COSH, (expl(a) + expl(-a)) / 2.0L)
REFERENCE(TANH, tanhl(a))
REFERENCE(ABS, a < 0.0L ? -a : a)
REFERENCE(SIGN, a<0.0L ? -1.0L : a> 0.0L ? 1.0L : 0.0L)
REFERENCE(FLOOR, floorl(a))
REFERENCE(FLOOR_SIDE, sinl(3.14159265358979323846264338L * a))
REFERENCE(MIN, fminl(a, b))
REFERENCE(MAX, fmaxl(a, b))
REFERENCE(LT, isless(a, b) != 0)
REFERENCE(LE, islessequal(a, b) != 0)
REFERENCE(GT, isgreater(a, b) != 0)
REFERENCE(GE, isgreaterequal(a, b) != 0)
REFERENCE(EQ, !islessgreater(a, b))
REFERENCE(NE, islessgreater(a, b) != 0)
REFERENCE(IF, a != 0.0L ? b : c)

/* A row without a function here does not compile. */
static long double (*const references[HA_OP_COUNT])(long double, long double, long double) = {
#define X(name, text, arity, value, p0, p1, p2) [HA_OP_##name] = reference_##name,
#include "lib/expr_ops.def"
#undef X
};

/* Operands to try: where the operation is defined and smooth around. */
static bool is_smooth(ha_op op, const double v[3])
{
    double a = v[0], b = v[1];

    switch ((int) op) {
    case HA_OP_DIV:
        return fabs(b) > 0.3;
    case HA_OP_POW:
    case HA_OP_SQRT:
    case HA_OP_LOG:
        return a > 0.2;
    case HA_OP_TAN:
        return fabs(cos(a)) > 0.3;
    case HA_OP_ASIN:
    case HA_OP_ACOS:
        return fabs(a) < 0.8;
    case HA_OP_ATAN2:
        return hypot(a, b) > 0.3 && (b > 0.0 || fabs(a) > 0.2);
    case HA_OP_ABS:
    case HA_OP_SIGN:
    case HA_OP_IF:
        return fabs(a) > 0.1;
    case HA_OP_FLOOR:
        return a - floor(a) > 0.1 && a - floor(a) < 0.9;
    case HA_OP_MIN:
    case HA_OP_MAX:
    case HA_OP_LT:
    case HA_OP_LE:
    case HA_OP_GT:
    case HA_OP_GE:
    case HA_OP_EQ:
    case HA_OP_NE:
        return fabs(a - b) > 0.2;
    default:
        return true;
    }
}

static const double grid[] = { -3.1, -2.3, -1.45, -0.77, -0.21, 0.0, 0.13, 0.42, 0.95, 1.61, 2.74 };

enum { N_GRID = HA_COUNT(grid) };

/* Calls `visit` for all operands of the grid that an operation has. */
static int visit_grid(ha_op op, void (*visit)(ha_op op, const double v[3]), bool smooth_only)
{
    int arity = ha_op_arity(op), n = 0;

    for (int i = 0; i < N_GRID; i++) {
        for (int j = 0; j < (arity > 1 ? N_GRID : 1); j++) {
            for (int k = 0; k < (arity > 2 ? N_GRID : 1); k++) {
                const double v[3] = { grid[i], grid[j], grid[k] };
                if (!smooth_only || is_smooth(op, v)) {
                    visit(op, v);
                    n++;
                }
            }
        }
    }
    return n;
}

/* --- values of symbols ----------------------------------------------------------------------- */

enum { MAX_SYMBOLS = 12 };

/* The symbols of a test and their values. */
static struct {
    int n;
    ha_expr symbol[MAX_SYMBOLS];
    double value[MAX_SYMBOLS];
} given;

static double value_of(void *user, ha_expr symbol)
{
    (void) user;
    for (int i = 0; i < given.n; i++) {
        if (given.symbol[i] == symbol) {
            return given.value[i];
        }
    }
    return (double) NAN;
}

static ha_expr give(const char *name, double value)
{
    given.symbol[given.n] = ha_symbol(dag, name);
    given.value[given.n] = value;
    return given.symbol[given.n++];
}

static double value(ha_expr e)
{
    return ha_expr_value(dag, e, value_of, NULL);
}

static ha_expr op1(ha_op op, ha_expr a)
{
    return ha_apply(dag, op, a, HA_EXPR_NONE, HA_EXPR_NONE);
}

static ha_expr op2(ha_op op, ha_expr a, ha_expr b)
{
    return ha_apply(dag, op, a, b, HA_EXPR_NONE);
}

static ha_expr c(double x)
{
    return ha_constant(dag, x);
}

/* Nearly equal, or both nan, or the same infinity. */
static bool is_near(double found, double wanted, double tolerance)
{
    if (isnan(wanted)) {
        return isnan(found);
    }
    return found == wanted || fabs(found - wanted) <= tolerance * fmax(1.0, fabs(wanted));
}

/* --- rows ------------------------------------------------------------------------------------ */

static void check_value(ha_op op, const double v[3])
{
    double wanted =
        (double) references[op]((long double) v[0], (long double) v[1], (long double) v[2]);
    double found = ha_op_value(op, v[0], v[1], v[2]);

    if (!is_near(found, wanted, 1e-15)) {
        ck_abort_msg("%s of %g, %g, %g is %.17g, not %.17g", ha_op_text(op), v[0], v[1], v[2],
                     found, wanted);
    }
}

START_TEST(every_operation_has_the_value_of_the_mathematical_library)
{
    for (int op = HA_OP_ADD; op < HA_OP_COUNT; op++) {
        ck_assert_int_gt(visit_grid((ha_op) op, check_value, false), 0);
    }
    ck_assert(isnan(ha_op_value(HA_OP_CONSTANT, 1.0, 2.0, 3.0)));
    ck_assert(isnan(ha_op_value(HA_OP_SYMBOL, 1.0, 2.0, 3.0)));
}
END_TEST

START_TEST(rows_are_well_formed)
{
    for (int op = HA_OP_ADD; op < HA_OP_COUNT; op++) {
        ck_assert_int_ge(ha_op_arity((ha_op) op), 1);
        ck_assert_int_le(ha_op_arity((ha_op) op), 3);
        ck_assert_uint_gt(strlen(ha_op_text((ha_op) op)), 0);
    }
    ck_assert_int_eq(ha_op_arity(HA_OP_CONSTANT), 0);
    ck_assert_int_eq(ha_op_arity(HA_OP_SYMBOL), 0);
}
END_TEST

/* An operation as a function of one operand. */
typedef struct {
    ha_op op;
    double v[3];
    int k;
} section;

static long double along(void *user, long double s)
{
    const section *x = user;
    long double v[3] = { (long double) x->v[0], (long double) x->v[1], (long double) x->v[2] };

    v[x->k] = s;
    return references[x->op](v[0], v[1], v[2]);
}

static ha_expr operands[3], applied, partials_of[3];

static void check_partials(ha_op op, const double v[3])
{
    given.n = 3;
    memcpy(given.value, v, 3 * sizeof *v);
    for (int k = 0; k < ha_op_arity(op); k++) {
        section x = { op, { v[0], v[1], v[2] }, k };
        double error = 0.0, wanted = slope(along, &x, v[k], 0.05, &error);
        double found = value(partials_of[k]);
        ck_assert_msg(error < 1e-8 * fmax(1.0, fabs(wanted)), "%s: bad point %g, %g, %g",
                      ha_op_text(op), v[0], v[1], v[2]);
        if (!is_near(found, wanted, 1e-8)) {
            ck_abort_msg("d %s / d operand %d at %g, %g, %g is %.17g, not %.17g", ha_op_text(op), k,
                         v[0], v[1], v[2], found, wanted);
        }
    }
}

START_TEST(every_partial_derivative_is_that_of_the_function)
{
    static const char *const names[3] = { "a", "b", "c" };

    given.n = 0;
    for (int k = 0; k < 3; k++) {
        operands[k] = give(names[k], 0.0);
    }
    for (int op = HA_OP_ADD; op < HA_OP_COUNT; op++) {
        applied = ha_apply(dag, (ha_op) op, operands[0], operands[1], operands[2]);
        for (int k = 0; k < 3; k++) {
            partials_of[k] = ha_partial(dag, applied, operands[k]);
        }
        ck_assert_int_ge(visit_grid((ha_op) op, check_partials, true), 4);
    }
    ck_assert_int_eq(ha_dag_status(dag), HA_OK);
}
END_TEST

/* With one symbol in all places the partial derivatives add up. */
START_TEST(a_symbol_in_all_operands_counts_for_each)
{
    given.n = 0;
    ha_expr x = give("x", 0.8), y[3] = { give("y0", 0.8), give("y1", 0.8), give("y2", 0.8) };

    for (int op = HA_OP_ADD; op < HA_OP_COUNT; op++) {
        ha_expr apart = ha_apply(dag, (ha_op) op, y[0], y[1], y[2]);
        ha_expr together = ha_apply(dag, (ha_op) op, x, x, x);
        double sum = 0.0;
        for (int k = 0; k < ha_op_arity((ha_op) op); k++) {
            sum += value(ha_partial(dag, apart, y[k]));
        }
        ck_assert_msg(is_near(value(ha_partial(dag, together, x)), sum, 1e-14), "%s",
                      ha_op_text((ha_op) op));
    }
}
END_TEST

/* --- undefined branches ---------------------------------------------------------------------- */

/* The value, gradient and rate of e at x = s are finite, and the slope is `wanted`. */
static void expect_slope(const char *what, ha_expr e, ha_expr x, double s, double wanted)
{
    ha_expr rate = HA_EXPR_NONE;
    given.value[0] = s;

    ck_assert_msg(isfinite(value(e)), "%s at %g has no value", what, s);
    double found = value(ha_partial(dag, e, x));
    ck_assert_msg(is_near(found, wanted, 1e-12), "slope of %s at %g: %g, not %g", what, s, found,
                  wanted);
    ck_assert_int_eq(ha_dt(dag, e, &rate), HA_OK);
    found = value(rate);
    ck_assert_msg(is_near(found, wanted, 1e-12), "rate of %s at %g: %g, not %g", what, s, found,
                  wanted);
}

/* x |x|^p is smooth where |x|^p is not: the slope is (p + 1) |x|^p. */
START_TEST(a_root_beside_what_it_is_of_has_a_slope_at_0)
{
    static const double places[] = { -4.0, 0.0, 2.25 };
    given.n = 0;
    ha_expr x = give("x", 0.0), size = op1(HA_OP_ABS, x), half = c(0.5), third = c(1.0 / 3.0);
    ha_symbol_set_derivative(dag, x, c(1.0));
    ha_expr root = op1(HA_OP_SQRT, size), power = op2(HA_OP_POW, size, third);
    const struct {
        const char *text;
        ha_expr e;
        double by, p;
    } cases[] = {
        { "x |x|^(1/2)", ha_mul(dag, x, root), 1.0, 0.5 },
        { "-(x/2) |x|^(1/3)", ha_neg(dag, ha_mul(dag, ha_mul(dag, half, x), power)), -0.5,
          1.0 / 3.0 },
        { "(|x|^(1/3) / 2) x", ha_mul(dag, ha_div(dag, power, c(2.0)), x), 0.5, 1.0 / 3.0 },
        { "(|x|^(1/2) 3) (x/2)", ha_mul(dag, ha_mul(dag, root, c(3.0)), ha_mul(dag, half, x)), 1.5,
          0.5 },
        { "(x/2) (|x|^(1/2) 3)", ha_mul(dag, ha_mul(dag, half, x), ha_mul(dag, c(3.0), root)), 1.5,
          0.5 },
        { "(x/2) |9 x|^(1/2)",
          ha_mul(dag, ha_mul(dag, half, x),
                 op1(HA_OP_SQRT, op1(HA_OP_ABS, ha_mul(dag, c(9.0), x)))),
          1.5, 0.5 },
        { "|-x/8|^(1/3) x",
          ha_mul(dag, op2(HA_OP_POW, op1(HA_OP_ABS, ha_div(dag, ha_neg(dag, x), c(8.0))), third),
                 x),
          0.5, 1.0 / 3.0 },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
            double s = places[k], wanted = cases[i].by * (cases[i].p + 1.0);
            wanted *= pow(fabs(s), cases[i].p);
            expect_slope(cases[i].text, cases[i].e, x, s, wanted);
            ck_assert(
                is_near(value(cases[i].e), cases[i].by * s * pow(fabs(s), cases[i].p), 1e-14));
        }
    }
}
END_TEST

START_TEST(the_branch_not_taken_may_be_undefined_in_derivatives_too)
{
    given.n = 0;
    ha_expr x = give("x", 0.0), zero = c(0.0), one = c(1.0);
    ha_symbol_set_derivative(dag, x, one);
    ha_expr is_positive = op2(HA_OP_GT, x, zero), root = op1(HA_OP_SQRT, x);
    ha_expr is_small = op2(HA_OP_LT, op1(HA_OP_ABS, x), c(1e-6));
    ha_expr up = ha_apply(dag, HA_OP_IF, is_positive, root, zero);
    ha_expr down = ha_apply(dag, HA_OP_IF, op2(HA_OP_LE, x, zero), zero, root);
    ha_expr sinc = ha_apply(dag, HA_OP_IF, is_small, one, ha_div(dag, op1(HA_OP_SIN, x), x));

    expect_slope("if(x > 0, sqrt x, 0)", up, x, -1.0, 0.0);
    expect_slope("if(x > 0, sqrt x, 0)", up, x, 4.0, 0.25);
    expect_slope("if(x <= 0, 0, sqrt x)", down, x, -1.0, 0.0);
    expect_slope("if(x <= 0, 0, sqrt x)", down, x, 4.0, 0.25);
    expect_slope("sinc", sinc, x, 0.0, 0.0);
    expect_slope("sinc", sinc, x, 1.0, cos(1.0) - sin(1.0));

    /* several uses within a branch, several branches, one branch in another */
    ha_expr log_x = op1(HA_OP_LOG, root);
    ha_expr inner = ha_add(dag, ha_mul(dag, log_x, root), ha_add(dag, log_x, root));
    ha_expr both =
        ha_add(dag, ha_apply(dag, HA_OP_IF, is_positive, inner, zero), ha_mul(dag, up, up));
    double r = 2.0;
    double wanted = (1.0 + log(r) + 1.0 / r + 1.0) * (0.5 / r) + 1.0;
    expect_slope("two branches", both, x, -1.0, 0.0);
    expect_slope("two branches", both, x, 4.0, wanted);

    ha_expr nested = ha_apply(dag, HA_OP_IF, is_positive,
                              ha_apply(dag, HA_OP_IF, op2(HA_OP_GT, x, one),
                                       op1(HA_OP_LOG, op1(HA_OP_SQRT, ha_sub(dag, x, one))), root),
                              zero);
    expect_slope("nested", nested, x, -1.0, 0.0);
    expect_slope("nested", nested, x, 0.25, 1.0);
    expect_slope("nested", nested, x, 3.0, 0.25);
}
END_TEST

/* --- random graphs --------------------------------------------------------------------------- */

static uint64_t state;

static unsigned next_random(unsigned n)
{
    return (unsigned) random_below(&state, (int) n);
}

static double uniform(double low, double high)
{
    return low + (high - low) * next_random(1000003) / 1000002.0;
}

enum { N_SYMBOLS = 5, N_NODES = 60 };

/* 1 + x^2: where an operation needs a positive operand. */
static ha_expr positive(ha_expr e)
{
    return ha_add(dag, c(1.0), ha_mul(dag, e, e));
}

/* A random operation of two earlier nodes that stays defined and of moderate size. */
static ha_expr random_operation(ha_expr u, ha_expr v)
{
    switch (next_random(24)) {
    case 0:
        return op1(HA_OP_SIN, ha_add(dag, u, v));
    case 1:
        return op1(HA_OP_COS, ha_mul(dag, u, v));
    case 2:
        return op1(HA_OP_TANH, ha_sub(dag, u, v));
    case 3:
        return op1(HA_OP_ATAN, ha_mul(dag, u, v));
    case 4:
        return ha_div(dag, u, positive(v));
    case 5:
        return op1(HA_OP_SQRT, positive(u));
    case 6:
        return op1(HA_OP_LOG, positive(u));
    case 7:
        return op1(HA_OP_EXP, op1(HA_OP_SIN, u));
    case 8:
        return op2(HA_OP_POW, positive(u), op1(HA_OP_SIN, v));
    case 9:
        return op2(HA_OP_ATAN2, u, positive(v));
    case 10:
        return op2(HA_OP_MIN, u, v);
    case 11:
        return op2(HA_OP_MAX, u, v);
    case 12:
        return op1(HA_OP_ABS, u);
    case 13:
        return ha_apply(dag, HA_OP_IF, op2(HA_OP_LT, u, v), op1(HA_OP_SIN, v), u);
    case 14:
        return op1(HA_OP_ASIN, ha_mul(dag, c(0.9), op1(HA_OP_SIN, u)));
    case 15:
        return op1(HA_OP_ACOS, ha_mul(dag, c(0.9), op1(HA_OP_COS, v)));
    case 16:
        return op1(HA_OP_TAN, op1(HA_OP_SIN, u));
    case 17:
        return op1(HA_OP_SINH, op1(HA_OP_COS, u));
    case 18:
        return op1(HA_OP_COSH, op1(HA_OP_SIN, v));
    case 19:
        return ha_neg(dag, u);
    case 20:
        return ha_mul(dag, c(uniform(-2.0, 2.0)), u);
    case 21:
        return op1(HA_OP_TANH, op2(HA_OP_POW, u, c(2.0)));
    case 22:
        return ha_sub(dag, u, op1(HA_OP_SIGN, v));
    default:
        return op1(HA_OP_TANH, ha_add(dag, ha_mul(dag, u, v), u));
    }
}

/* A random expression of N_SYMBOLS symbols, which are given values. */
static ha_expr random_expression(unsigned seed)
{
    ha_expr nodes[N_NODES];
    int n = 0;

    state = seed;
    given.n = 0;
    for (; n < N_SYMBOLS; n++) {
        char name[16];
        snprintf(name, sizeof name, "s%d", n);
        nodes[n] = give(name, uniform(-1.5, 1.5));
    }
    for (; n < N_NODES; n++) {
        /* the latest nodes are taken often: deep and well connected */
        ha_expr u = nodes[n - 1 - (int) next_random(4)], v = nodes[next_random((unsigned) n)];
        nodes[n] = random_operation(u, v);
    }
    return ha_add(dag, nodes[N_NODES - 1], ha_mul(dag, nodes[N_NODES - 2], nodes[N_NODES - 5]));
}

/* An expression as a function of one given value. */
typedef struct {
    ha_expr e;
    int k;
} section_of;

static long double along_symbol(void *user, long double s)
{
    const section_of *x = user;
    double kept = given.value[x->k];

    given.value[x->k] = (double) s;
    double found = value(x->e);
    given.value[x->k] = kept;
    return (long double) found;
}

static double partial_in(const ha_expr *symbols, const ha_expr *partials, size_t n, ha_expr symbol)
{
    for (size_t i = 0; i < n; i++) {
        if (symbols[i] == symbol) {
            return value(partials[i]);
        }
    }
    return 0.0;
}

START_TEST(gradients_of_random_graphs_are_difference_quotients)
{
    int n_checked = 0, n_skipped = 0;

    for (unsigned seed = 1; seed <= 100; seed++) {
        ha_expr e = random_expression(seed), *symbols = NULL, *partials = NULL;
        size_t n = 0;
        ck_assert_int_eq(ha_gradient(dag, e, &symbols, &partials, &n), HA_OK);
        for (int k = 0; k < N_SYMBOLS; k++) {
            section_of x = { e, k };
            double error = 0.0, wanted = slope(along_symbol, &x, given.value[k], 1e-3, &error);
            double found = partial_in(symbols, partials, n, given.symbol[k]);
            double alone = value(ha_partial(dag, e, given.symbol[k]));
            ck_assert_msg(is_near(found, alone, 1e-13), "seed %u: %g and %g", seed, found, alone);
            if (!(error < 1e-7 * fmax(1.0, fabs(wanted)))) {
                n_skipped++; /* a kink within the step */
            } else if (!is_near(found, wanted, 1e-6)) {
                ck_abort_msg("seed %u, symbol %d: %.17g, not %.17g", seed, k, found, wanted);
            } else {
                n_checked++;
            }
        }
        free(symbols);
        free(partials);
    }
    ck_assert_msg(n_skipped * 5 < n_checked, "%d checked, %d skipped", n_checked, n_skipped);
}
END_TEST

START_TEST(a_gradient_lists_each_symbol_once)
{
    given.n = 0;
    ha_expr x = give("x", 2.0), y = give("y", 3.0), *symbols = NULL, *partials = NULL;
    size_t n = 99;

    ck_assert_int_eq(ha_gradient(dag, c(4.0), &symbols, &partials, &n), HA_OK);
    ck_assert_uint_eq(n, 0);
    free(symbols);
    free(partials);
    ck_assert_int_eq(ha_gradient(dag, x, &symbols, &partials, &n), HA_OK);
    ck_assert_uint_eq(n, 1);
    ck_assert_int_eq(symbols[0], x);
    ck_assert(ha_expr_is(dag, partials[0], 1.0));
    free(symbols);
    free(partials);
    ck_assert_int_eq(ha_gradient(dag, ha_mul(dag, ha_mul(dag, x, y), x), &symbols, &partials, &n),
                     HA_OK);
    ck_assert_uint_eq(n, 2);
    ck_assert_int_ne(symbols[0], symbols[1]);
    free(symbols);
    free(partials);
    ck_assert(ha_expr_is(dag, ha_partial(dag, x, y), 0.0));
    ck_assert(ha_expr_is(dag, ha_partial(dag, c(1.0), y), 0.0));
    ck_assert_int_eq(ha_partial(dag, HA_EXPR_NONE, y), HA_EXPR_NONE);
    ck_assert_int_eq(ha_partial(dag, x, HA_EXPR_NONE), HA_EXPR_NONE);

    /* definitions are not looked into */
    ha_symbol_define(dag, x, ha_mul(dag, y, y));
    ck_assert(ha_expr_is(dag, ha_partial(dag, x, y), 0.0));
}
END_TEST

/* --- rates ----------------------------------------------------------------------------------- */

/* A trajectory s_k(t) = a_k sin(w_k t + p_k) with its derivatives, and an expression along it. */
typedef struct {
    ha_expr e;
    double a[N_SYMBOLS], w[N_SYMBOLS], p[N_SYMBOLS];
    int first, second; /* given[first + k] is the derivative of symbol k, second its second one */
} trajectory;

static void go_to(const trajectory *x, double t)
{
    for (int k = 0; k < N_SYMBOLS; k++) {
        double phase = x->w[k] * t + x->p[k];
        given.value[k] = x->a[k] * sin(phase);
        given.value[x->first + k] = x->a[k] * x->w[k] * cos(phase);
    }
}

static long double along_trajectory(void *user, long double t)
{
    const trajectory *x = user;

    go_to(x, (double) t);
    return (long double) value(x->e);
}

static trajectory random_trajectory(ha_expr e)
{
    trajectory x = { .e = e, .first = given.n };

    for (int k = 0; k < N_SYMBOLS; k++) {
        char name[24];
        x.a[k] = uniform(0.5, 1.5);
        x.w[k] = uniform(0.5, 2.0);
        x.p[k] = uniform(0.0, 6.0);
        snprintf(name, sizeof name, "der(s%d)", k);
        ha_expr rate = give(name, 0.0);
        ha_symbol_set_derivative(dag, given.symbol[k], rate);
        /* s'' = -w^2 s */
        ha_symbol_set_derivative(dag, rate, ha_mul(dag, c(-x.w[k] * x.w[k]), given.symbol[k]));
    }
    return x;
}

/* The rate of x->e at time t is `rate`; 1 when a kink is too near to tell. */
static int check_rate(trajectory *x, double t, ha_expr rate, unsigned seed)
{
    double error = 0.0, wanted = slope(along_trajectory, x, t, 1e-3, &error);

    go_to(x, t);
    double found = value(rate);
    if (!(error < 1e-7 * fmax(1.0, fabs(wanted)))) {
        return 1;
    }
    if (!is_near(found, wanted, 1e-6)) {
        ck_abort_msg("seed %u, t = %g: %.17g, not %.17g", seed, t, found, wanted);
    }
    return 0;
}

START_TEST(rates_of_random_graphs_are_difference_quotients_along_a_trajectory)
{
    int n_skipped = 0, n = 0;

    for (unsigned seed = 1; seed <= 60; seed++) {
        ha_expr e = random_expression(seed), rate = HA_EXPR_NONE, again = HA_EXPR_NONE;
        trajectory x = random_trajectory(e);
        ck_assert_int_eq(ha_dt(dag, e, &rate), HA_OK);
        ck_assert_int_eq(ha_dt(dag, rate, &again), HA_OK);
        for (double t = 0.1; t < 3.0; t += 0.61) {
            x.e = e;
            n_skipped += check_rate(&x, t, rate, seed);
            x.e = rate;
            n_skipped += check_rate(&x, t, again, seed);
            n += 2;
        }
    }
    ck_assert_msg(n_skipped * 5 < n, "%d of %d skipped", n_skipped, n);
}
END_TEST

START_TEST(explicit_time_and_parameters_count_as_they_should)
{
    given.n = 0;
    ha_expr t = give("t", 0.5), parameter = give("k", 3.0), rate = HA_EXPR_NONE;
    ha_symbol_set_derivative(dag, t, c(1.0));
    ha_expr e = ha_mul(dag, parameter, op1(HA_OP_SIN, ha_mul(dag, parameter, t)));

    ck_assert_int_eq(ha_dt(dag, e, &rate), HA_OK);
    ck_assert(is_near(value(rate), 9.0 * cos(1.5), 1e-15));
    ck_assert_int_eq(ha_dt(dag, parameter, &rate), HA_OK);
    ck_assert(ha_expr_is(dag, rate, 0.0));
    ck_assert_int_eq(ha_dt(dag, c(2.0), &rate), HA_OK);
    ck_assert(ha_expr_is(dag, rate, 0.0));
}
END_TEST

START_TEST(a_missing_derivative_is_reported_by_name)
{
    given.n = 0;
    ha_expr x = give("x", 1.0), lambda = give("O.x.e", 2.0), out = -77;
    ha_expr e = ha_mul(dag, op1(HA_OP_SIN, x), lambda);

    ha_symbol_set_derivative(dag, lambda, HA_EXPR_NONE);
    ck_assert_int_eq(ha_dt(dag, e, &out), HA_ERR_UNSUPPORTED);
    ck_assert_int_eq(out, -77);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "`O.x.e`"));
    ck_assert_int_eq(ha_dag_status(dag), HA_OK);

    /* the rest works, and so does the whole once the derivative is there */
    ck_assert_int_eq(ha_dt(dag, x, &out), HA_OK);
    ha_symbol_set_derivative(dag, lambda, c(5.0));
    ck_assert_int_eq(ha_dt(dag, e, &out), HA_OK);
    ck_assert(is_near(value(out), 5.0 * sin(1.0), 1e-15));
}
END_TEST

START_TEST(a_changed_derivative_changes_rates_asked_for_before)
{
    given.n = 0;
    ha_expr x = give("x", 1.0), out = HA_EXPR_NONE;
    ha_expr e = ha_mul(dag, x, x);

    ck_assert_int_eq(ha_dt(dag, e, &out), HA_OK);
    ck_assert(ha_expr_is(dag, out, 0.0));
    ha_symbol_set_derivative(dag, x, c(3.0));
    ck_assert_int_eq(ha_dt(dag, e, &out), HA_OK);
    ck_assert(is_near(value(out), 6.0, 1e-15));
    ha_symbol_set_derivative(dag, x, x);
    ck_assert_int_eq(ha_dt(dag, e, &out), HA_OK);
    ck_assert(is_near(value(out), 2.0, 1e-15));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("expr_ops");
    TCase *tests = tcase_create("expr_ops");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, every_operation_has_the_value_of_the_mathematical_library);
    tcase_add_test(tests, rows_are_well_formed);
    tcase_add_test(tests, every_partial_derivative_is_that_of_the_function);
    tcase_add_test(tests, a_symbol_in_all_operands_counts_for_each);
    tcase_add_test(tests, a_root_beside_what_it_is_of_has_a_slope_at_0);
    tcase_add_test(tests, the_branch_not_taken_may_be_undefined_in_derivatives_too);
    tcase_add_test(tests, gradients_of_random_graphs_are_difference_quotients);
    tcase_add_test(tests, a_gradient_lists_each_symbol_once);
    tcase_add_test(tests, rates_of_random_graphs_are_difference_quotients_along_a_trajectory);
    tcase_add_test(tests, explicit_time_and_parameters_count_as_they_should);
    tcase_add_test(tests, a_missing_derivative_is_reported_by_name);
    tcase_add_test(tests, a_changed_derivative_changes_rates_asked_for_before);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
