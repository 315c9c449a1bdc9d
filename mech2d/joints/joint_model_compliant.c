/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The compliant joint: a spring and a damper hold each row (Bera & Samantaray 2011, 2.2, eqs
 * 11-12).
 *
 *   port M -> O.M -> O.0 -> O.1 -> O.C     e_C = K s
 *   port N -> O.N -> O.0      O.1 -> O.R   e_R = D s'
 *
 * where s are the rows phi of the joint (of an angle the angle itself, less the multiple of its
 * period that is nearest at the start, so that the torque is proportional to it), which follow from
 * the positions: the C adds no state. The effort on O.0 is lambda = K s + D s', and the
 * transformers carry it to both bodies as they carry a multiplier, so that power closes exactly
 * however the rows depend on the positions. For the rows x and y of a hinge that is the force
 * F = -k MN - c d(MN)/dt in inertial axes on the second body at N, its opposite on the first at M:
 * momentum closes, the moment of momentum but for the couple MN x F, of second order in MN.
 *
 * K and D have one value for all rows of a dimension (lengths, angles), one for each row, or a
 * matrix over these rows; D may be a factor times K (eq 11). One value, or one for each row, may be
 * an expression: K over the deflection q = s of its row, D over q, its rate f = s', the time and
 * outputs. Where K is a matrix or an expression the C has several ports and an energy, the sum over
 * the rows of K s^2 / 2, s^T K s / 2 or the integral of K(q) q. Without damping there is no O.R,
 * and O.C is on O.0 itself.
 */
#include <config.h>

#include "lib/core/number.h"
#include "lib/core/strbuf.h"
#include "mech2d/expand/expand_priv.h"

#include <math.h>
#include <string.h>

enum { STIFFNESS, ANGULAR_STIFFNESS, DAMPING, ANGULAR_DAMPING, FACTOR };

static const m2d__key keys[] = {
    [STIFFNESS] = { .name = "stiffness",
                    .quantities = { HA__QUANTITY_STIFFNESS },
                    .law = M2D__LAW_OF_Q,
                    .is_positive = true,
                    .excludes_zero = true,
                    .is_matrix = true },
    [ANGULAR_STIFFNESS] = { .name = "angular_stiffness",
                            .quantities = { HA__QUANTITY_ANGULAR_STIFFNESS },
                            .law = M2D__LAW_OF_Q,
                            .is_positive = true,
                            .excludes_zero = true,
                            .is_matrix = true },
    [DAMPING] = { .name = "damping",
                  .quantities = { HA__QUANTITY_DAMPING },
                  .law = M2D__LAW_OF_Q_F,
                  .is_positive = true,
                  .is_matrix = true },
    [ANGULAR_DAMPING] = { .name = "angular_damping",
                          .quantities = { HA__QUANTITY_ANGULAR_DAMPING },
                          .law = M2D__LAW_OF_Q_F,
                          .is_positive = true,
                          .is_matrix = true },
    [FACTOR] = { .name = "damping_factor",
                 .n_values = 1,
                 .quantities = { HA__QUANTITY_TIME },
                 .is_constant = true,
                 .is_positive = true },
};

/* A matrix over the rows of a joint. */
typedef struct {
    ha_expr at[M2D__MAX_ROWS][M2D__MAX_ROWS];
    bool is_diagonal, is_zero, is_constant;
} matrix;

/* The rows of one dimension: their numbers. */
typedef struct {
    int n, row[M2D__MAX_ROWS];
} selection;

static selection select_rows(const m2d__row *rows, int n, bool is_angle)
{
    selection s = { 0 };

    for (int k = 0; k < n; k++) {
        if (rows[k].is_angle == is_angle) {
            s.row[s.n++] = k;
        }
    }
    return s;
}

/* Entry i, j of a setting over n rows. */
static ha_expr entry(ha_dag *dag, const m2d__model_setting *setting, int n, int i, int j)
{
    if (setting->n_values == n * n) {
        return setting->values[i * n + j];
    }
    return i != j ? ha_constant(dag, 0.0) : setting->values[setting->n_values == n ? i : 0];
}

/* --- checks --------------------------------------------------------------------------------- */

/* The rows of a joint as it will have them, over the symbols of the mechanism: only their labels
   and dimensions are looked at. */
static ha_status find_rows(m2d_mechanism *mechanism, const m2d__connection *joint, m2d__row *rows)
{
    m2d__frame frame = m2d__frame_between(mechanism->dag, mechanism->ends, mechanism->ends + 3);

    frame.settings = joint->settings;
    frame.own = joint->own;
    frame.origin = ha_constant(mechanism->dag, 0.0);
    if (joint->joint->n_rows > 0) {
        joint->joint->rows(&frame, rows);
    }
    return ha_dag_status(mechanism->dag);
}

static ha_status fail_missing(m2d_mechanism *mechanism, const m2d_joint_def *def,
                              const m2d__row *rows, selection s, const char *key)
{
    ha__strbuf names = HA_STRBUF(mechanism->ctx);

    for (int i = 0; i < s.n; i++) {
        ha__strbuf_addf(&names, "%s`%s`", i > 0 ? ", " : "", rows[s.row[i]].label);
    }
    return HA_FAIL_WITH(
        names, mechanism->ctx, HA_ERR_VALUE, def->where,
        "joint `%s` of type %s is compliant, but nothing holds its row%s %s; give it "
        "`%s`, or the model `ideal`",
        def->name, def->type, s.n > 1 ? "s" : "", ha__strbuf_text(&names), key);
}

/* The smallest pivot of a symmetric matrix m (n x n), which is destroyed; its number in `*row`. */
static double smallest_pivot(double *m, int n, int *row)
{
    double smallest = (double) INFINITY;

    for (int k = 0; k < n; k++) {
        double pivot = m[k * n + k];
        if (pivot < smallest) {
            smallest = pivot;
            *row = k;
        }
        for (int i = k + 1; i < n; i++) {
            if (pivot == 0.0) { /* what it couples with has no sign */
                smallest = fmin(smallest, -fabs(m[i * n + k]));
                continue;
            }
            double factor = m[i * n + k] / pivot;
            for (int j = k; j < n; j++) {
                m[i * n + j] -= factor * m[k * n + j];
            }
        }
    }
    return smallest;
}

/* HA_OK when the matrix of a setting over n rows is symmetric and positive. */
static ha_status check_matrix(m2d_mechanism *mechanism, const m2d__key *key,
                              const m2d__model_setting *setting, int n, m2d__owner owner)
{
    double m[M2D__MAX_ROWS * M2D__MAX_ROWS], scale = 0.0;
    int row = 0;

    for (int i = 0; i < n * n; i++) {
        m[i] = m2d__number(mechanism->dag, entry(mechanism->dag, setting, n, i / n, i % n));
        scale = fmax(scale, fabs(m[i]));
    }
    for (int i = 0; i < n * n; i++) {
        double other = m[i % n * n + i / n];
        if (fabs(m[i] - other) > 1e-12 * scale) {
            return ha_fail(mechanism->ctx, HA_ERR_VALUE, owner.where,
                           "the matrix `%s` of joint `%s` has %g in row %d, column %d, and %g the "
                           "other way round; it must be symmetric, or the joint would make energy",
                           key->name, owner.name, m[i], i / n + 1, i % n + 1, other);
        }
    }
    double pivot = smallest_pivot(m, n, &row);
    double least = key->excludes_zero ? 1e-13 * scale : -1e-13 * scale;
    if (!(pivot > least || (!key->excludes_zero && pivot >= least))) {
        return ha_fail(
            mechanism->ctx, HA_ERR_VALUE, owner.where,
            "the matrix `%s` of joint `%s` is not positive%s: eliminating the rows before "
            "leaves %.3g in row %d, so that the joint would push itself open; correct it",
            key->name, owner.name, key->excludes_zero ? "" : " or zero", pivot, row + 1);
    }
    return HA_OK;
}

/* The value of a setting where nothing is deflected; NAN where it depends on more. */
static double at_rest(ha_dag *dag, ha_expr e, const ha_expr own[2])
{
    ha_expr zero = ha_constant(dag, 0.0), zeros[2] = { zero, zero }, resolved = HA_EXPR_NONE;

    return e == HA_EXPR_NONE || ha_resolve(dag, e, &resolved) != HA_OK
               ? (double) NAN
               : m2d__number(dag, ha_expr_replace(dag, resolved, own, zeros, 2));
}

/* HA_OK when the values of a setting that are expressions are none of a matrix, and positive at
   rest as far as that can be told. */
static ha_status check_expressions(m2d_mechanism *mechanism, const m2d__key *key,
                                   const m2d__model_setting *setting, int n, m2d__owner owner,
                                   bool *has_any)
{
    *has_any = false;
    for (int i = 0; i < setting->n_values; i++) {
        bool varies = false;
        HA_TRY(m2d__varies(mechanism, setting->values[i], &varies));
        *has_any = *has_any || varies;
        double value = at_rest(mechanism->dag, setting->values[i], mechanism->own);
        if (varies && (value < 0.0 || isinf(value))) {
            return ha_fail(
                mechanism->ctx, HA_ERR_VALUE, owner.where,
                "`%s` of joint `%s` is %g where the joint is not deflected; it must be at "
                "least 0 and finite",
                key->name, owner.name, value);
        }
        if (varies && n > 1 && setting->n_values == n * n) {
            return ha_fail(
                mechanism->ctx, HA_ERR_VALUE, owner.where,
                "the matrix `%s` of joint `%s` has an expression in it; give constants, or "
                "a list with one expression for each row",
                key->name, owner.name);
        }
    }
    return ha_dag_status(mechanism->dag);
}

/* HA_OK when the constants of a list are positive. */
static ha_status check_list(m2d_mechanism *mechanism, const m2d__key *key,
                            const m2d__model_setting *setting, m2d__owner owner)
{
    for (int i = 0; i < setting->n_values; i++) {
        bool varies = false;
        HA_TRY(m2d__varies(mechanism, setting->values[i], &varies));
        if (!varies) {
            HA_TRY(m2d__check_positive(mechanism, setting->values[i], key->excludes_zero, owner));
        }
    }
    return HA_OK;
}

/* HA_OK when a setting over n rows has as many values as these need, and legal ones. */
static ha_status check_shape(m2d_mechanism *mechanism, const m2d__key *key,
                             const m2d__model_setting *setting, int n, m2d__owner owner)
{
    bool has_expressions = false;

    owner.key = key->name;
    owner.where = setting->where;
    if (n == 0) {
        return HA_OK;
    }
    HA_TRY(check_expressions(mechanism, key, setting, n, owner, &has_expressions));
    if (setting->n_values <= 1) {
        return HA_OK;
    }
    if (setting->n_values != n && setting->n_values != n * n) {
        return ha_fail(
            mechanism->ctx, HA_ERR_VALUE, owner.where,
            "`%s` of joint `%s` has %d values, but acts on %d row%s of it; give one value, "
            "%d, or %d in %d rows of a matrix",
            key->name, owner.name, setting->n_values, n, n == 1 ? "" : "s", n, n * n, n);
    }
    return has_expressions ? check_list(mechanism, key, setting, owner)
                           : check_matrix(mechanism, key, setting, n, owner);
}

static ha_status check(m2d_mechanism *mechanism, const m2d_joint_def *def,
                       const m2d__connection *joint)
{
    const m2d__owner owner = { "joint", def->name, NULL, def->where };
    m2d__row rows[M2D__MAX_ROWS] = { 0 };

    HA_TRY(find_rows(mechanism, joint, rows));
    for (int is_angle = 0; is_angle < 2; is_angle++) {
        selection s = select_rows(rows, joint->joint->n_rows, is_angle == 1);
        int stiffness = STIFFNESS + is_angle, damping = DAMPING + is_angle;
        if (s.n > 0 && joint->model_settings[stiffness].n_values == 0) {
            return fail_missing(mechanism, def, rows, s, keys[stiffness].name);
        }
        HA_TRY(check_shape(mechanism, &keys[stiffness], &joint->model_settings[stiffness], s.n,
                           owner));
        HA_TRY(check_shape(mechanism, &keys[damping], &joint->model_settings[damping], s.n, owner));
    }
    return HA_OK;
}

/* --- matrices ------------------------------------------------------------------------------- */

/* Puts a setting over the rows of one dimension into a matrix, times a factor. */
static void put(m2d__expander *x, const m2d__model_setting *setting, selection s, ha_expr factor,
                matrix *m)
{
    for (int i = 0; i < s.n * s.n && setting->n_values > 0; i++) {
        ha_expr value = ha_mul(x->dag, factor, entry(x->dag, setting, s.n, i / s.n, i % s.n));
        bool is_zero = m2d__number(x->dag, value) == 0.0;
        m->at[s.row[i / s.n]][s.row[i % s.n]] = value;
        m->is_diagonal = m->is_diagonal && (is_zero || i / s.n == i % s.n);
        m->is_zero = m->is_zero && is_zero;
        m->is_constant = m->is_constant && !isnan(m2d__number(x->dag, value));
    }
}

/* K, or D, of which rows without damping of their own take the factor times K. */
static matrix matrix_of(m2d__expander *x, const m2d__connection *joint, const m2d__rowset *set,
                        bool is_damping)
{
    const m2d__model_setting *given = joint->model_settings;
    ha_expr zero = ha_constant(x->dag, 0.0), one = ha_constant(x->dag, 1.0);
    ha_expr factor = given[FACTOR].n_values > 0 ? given[FACTOR].values[0] : zero;
    matrix m = { .is_diagonal = true, .is_zero = true, .is_constant = true };

    for (int i = 0; i < M2D__MAX_ROWS * M2D__MAX_ROWS; i++) {
        m.at[i / M2D__MAX_ROWS][i % M2D__MAX_ROWS] = zero;
    }
    for (int is_angle = 0; is_angle < 2; is_angle++) {
        selection s = select_rows(set->rows, set->n, is_angle == 1);
        const m2d__model_setting *stiffness = &given[STIFFNESS + is_angle];
        const m2d__model_setting *damping = &given[DAMPING + is_angle];
        bool has_own = is_damping && damping->n_values > 0;
        put(x, has_own ? damping : stiffness, s, is_damping && !has_own ? factor : one, &m);
    }
    return m;
}

/* --- elements ------------------------------------------------------------------------------- */

/* An element over all rows of the set; its name is the joint's and this part. */
static bg_element_def element_of(m2d__expander *x, const m2d__rowset *set, const char *type,
                                 const char *part, const char *const *labels)
{
    return (bg_element_def){ .type = type,
                             .name = m2d__name(x, set->name, part, NULL),
                             .dim = set->n,
                             .labels = labels,
                             .group = set->name,
                             .where = set->where };
}

/* An antiderivative of K(q) q, by rule or in parts: q F - G with F' = K, G' = F; HA_EXPR_NONE when
   neither is found. */
static ha_expr energy_over(ha_dag *dag, ha_expr stiffness, ha_expr q)
{
    ha_expr energy = ha_antiderivative(dag, ha_mul(dag, stiffness, q), q);
    ha_expr F = energy == HA_EXPR_NONE ? ha_antiderivative(dag, stiffness, q) : HA_EXPR_NONE;
    ha_expr G = F == HA_EXPR_NONE ? HA_EXPR_NONE : ha_antiderivative(dag, F, q);

    return G == HA_EXPR_NONE ? energy : ha_sub(dag, ha_mul(dag, q, F), G);
}

/* The energy of a row by its stiffness K(q), over its deflection s: the integral of K(q) q. */
static ha_status integrate(m2d__expander *x, const m2d__rowset *set, ha_expr stiffness, ha_expr s,
                           ha_expr *out)
{
    ha_expr q = x->mechanism->own[0], zero = ha_constant(x->dag, 0.0), resolved = HA_EXPR_NONE;

    HA_TRY(ha_resolve(x->dag, stiffness, &resolved));
    ha_expr energy = energy_over(x->dag, resolved, q);
    HA_TRY(ha_dag_status(x->dag));
    if (energy == HA_EXPR_NONE) {
        return ha_fail(
            x->ctx, HA_ERR_UNSUPPORTED, set->where,
            "no antiderivative of the stiffness of joint `%s`, an expression times `q`, is "
            "found, and with it no energy; write the stiffness with powers of `q`, or with "
            "functions of it that have one",
            set->name);
    }
    *out = ha_sub(x->dag, ha_expr_replace(x->dag, energy, &q, &s, 1),
                  ha_expr_replace(x->dag, energy, &q, &zero, 1));
    return ha_dag_status(x->dag);
}

/* The energy of all rows over their deflections s. */
static ha_status add_up_energy(m2d__expander *x, const m2d__rowset *set, const matrix *K,
                               const ha_expr *s, ha_expr *out)
{
    ha_expr half = ha_constant(x->dag, 0.5);

    *out = ha_constant(x->dag, 0.0);
    for (int i = 0; i < set->n * set->n; i++) {
        int row = i / set->n, column = i % set->n;
        ha_expr product = ha_mul(x->dag, half, ha_mul(x->dag, s[row], s[column]));
        ha_expr share = ha_mul(x->dag, K->at[row][column], product);
        if (isnan(m2d__number(x->dag, K->at[row][column]))) {
            HA_TRY(integrate(x, set, K->at[row][column], s[row], &share));
        }
        *out = ha_add(x->dag, *out, share);
    }
    return ha_dag_status(x->dag);
}

static ha_status add_spring(m2d__expander *x, const m2d__rowset *set, const matrix *K,
                            const char *const *labels, bg_element *out)
{
    ha_expr values[M2D__MAX_ROWS], positions[M2D__MAX_ROWS], symbols[M2D__MAX_ROWS];
    const bool is_linear = K->is_diagonal && K->is_constant;
    bg_element_def def = element_of(x, set, "C", "C", labels);
    bg_law law = bg_law_default();

    for (int k = 0; k < set->n; k++) {
        positions[k] = set->rows[k].phi;
        values[k] =
            is_linear ? ha_div(x->dag, ha_constant(x->dag, 1.0), K->at[k][k]) : HA_EXPR_NONE;
        symbols[k] = is_linear ? HA_EXPR_NONE : ha_symbol(x->dag, "q");
    }
    def.position = positions;
    if (is_linear) {
        def.value = values;
        def.n_values = set->n;
    } else {
        law.q = symbols;
        HA_TRY(add_up_energy(x, set, K, symbols, &law.energy));
        def.law = &law;
        def.is_field = 1;
    }
    return m2d__element(x, &def, out);
}

/* A damping as an expression of the model: its own quantities are those of row `row`. */
static ha_status place(m2d__expander *x, const m2d__rowset *set, int row, ha_expr *damping)
{
    ha_expr own[2] = { set->rows[row].phi, HA_EXPR_NONE };

    if (!isnan(m2d__number(x->dag, *damping))) {
        return HA_OK;
    }
    HA_TRY(m2d__rate(x, own[0], set->ends, &own[1]));
    HA_TRY(ha_resolve(x->dag, *damping, damping));
    *damping = ha_expr_replace(x->dag, *damping, x->mechanism->own, own, 2);
    return ha_dag_status(x->dag);
}

static ha_status add_damper(m2d__expander *x, const m2d__rowset *set, const matrix *D,
                            const char *const *labels, bg_element *out)
{
    ha_expr values[M2D__MAX_ROWS * M2D__MAX_ROWS];
    bg_element_def def = element_of(x, set, "R", "R", labels);
    int n = set->n;

    for (int i = 0; i < n * n; i++) {
        values[i] = D->at[i / n][i % n];
    }
    for (int k = 0; k < n && D->is_diagonal; k++) {
        values[k] = D->at[k][k];
        HA_TRY(place(x, set, k, &values[k]));
    }
    def.value = values;
    def.n_values = D->is_diagonal ? n : n * n;
    def.is_field = D->is_diagonal ? 0 : 1;
    return m2d__element(x, &def, out);
}

/* The spring and the damper on the 0-junction of the set; the efforts of both. */
static ha_status add_elements(m2d__expander *x, const m2d__connection *joint,
                              const m2d__rowset *set, ha_expr *efforts)
{
    const matrix K = matrix_of(x, joint, set, false), D = matrix_of(x, joint, set, true);
    const char *labels[M2D__MAX_ROWS];
    bg_element junction = set->junction, spring = 0, damper = 0;

    for (int k = 0; k < set->n; k++) {
        labels[k] = set->rows[k].label;
    }
    if (!D.is_zero) {
        bg_element_def def = element_of(x, set, "1", "1", labels);
        HA_TRY(m2d__element(x, &def, &junction));
        HA_TRY(m2d__bond(x, set->junction, junction, set->n, set->where));
    }
    HA_TRY(add_spring(x, set, &K, labels, &spring));
    HA_TRY(m2d__bond(x, junction, spring, set->n, set->where));
    if (!D.is_zero) {
        HA_TRY(add_damper(x, set, &D, labels, &damper));
        HA_TRY(m2d__bond(x, junction, damper, set->n, set->where));
    }
    for (int k = 0; k < set->n; k++) {
        ha_expr of_damper = D.is_zero ? ha_constant(x->dag, 0.0)
                                      : bg_graph_signal(x->graph, damper, k, BG_SIGNAL_E);
        efforts[k] = ha_add(x->dag, bg_graph_signal(x->graph, spring, k, BG_SIGNAL_E), of_damper);
    }
    return ha_dag_status(x->dag);
}

/* What the springs act on: the rows, of angles the angle less the multiple of its period that is
   nearest at the start. */
static ha_status find_deflections(m2d__expander *x, const m2d__rowset *set, m2d__row *rows)
{
    for (int k = 0; k < set->n; k++) {
        ha_expr period = ha_constant(x->dag, set->rows[k].period);
        rows[k] = set->rows[k];
        if (!rows[k].is_angle || rows[k].angle == HA_EXPR_NONE) {
            continue;
        }
        const char *name = m2d__name(x, set->name, rows[k].label, "turns");
        HA_TRY_MEMORY(name);
        ha_expr turns =
            ha_add(x->dag, ha_div(x->dag, rows[k].angle, period), ha_constant(x->dag, 0.5));
        turns = ha_apply(x->dag, HA_OP_FLOOR, turns, HA_EXPR_NONE, HA_EXPR_NONE);
        m2d__origin origin = { ha_symbol(x->dag, name), ha_mul(x->dag, period, turns) };
        rows[k].phi = ha_sub(x->dag, rows[k].angle, origin.symbol);
        HA_TRY(ha_dag_status(x->dag));
        HA_TRY_PUSH(x->ctx, &x->system->origins, origin);
    }
    return HA_OK;
}

static ha_status expand(m2d__expander *x, const m2d__connection *joint, m2d__rowset *set,
                        ha_expr reaction[3])
{
    m2d__row *deflections = ha__arena_alloc(x->ctx, &x->names, M2D__MAX_ROWS, sizeof *deflections);
    ha_expr efforts[M2D__MAX_ROWS];

    HA_TRY_MEMORY(deflections);
    HA_TRY(m2d__keep_elastic_rows(x, set, "joint"));
    HA_TRY(find_deflections(x, set, deflections));
    set->rows = deflections;
    HA_TRY(m2d__expand_rows(x, set));
    HA_TRY(add_elements(x, joint, set, efforts));
    m2d__add_reaction(x, set, efforts, reaction);
    return HA_OK;
}

/* The size of a value where nothing is deflected: over parameters where these are all that it
   reads, 0 where it is not known. */
static ha_expr size_at_rest(const m2d__expander *x, ha_expr e)
{
    const ha_expr *own = x->mechanism->own;
    const ha_expr zero = ha_constant(x->dag, 0.0), zeros[2] = { zero, zero };
    double value = at_rest(x->dag, e, own);
    ha_expr found = e == HA_EXPR_NONE ? zero : ha_expr_replace(x->dag, e, own, zeros, 2);

    if (m2d__number(x->dag, found) != value) {
        found = ha_constant(x->dag, isnan(value) ? 0.0 : value);
    }
    return ha_apply(x->dag, HA_OP_ABS, found, HA_EXPR_NONE, HA_EXPR_NONE);
}

/* The largest value: no row of a matrix is stiffer than its sum. */
static ha_expr largest_of(const m2d__expander *x, const m2d__model_setting *setting)
{
    ha_expr sum = ha_constant(x->dag, 0.0), largest = sum;

    for (int i = 0; i < setting->n_values; i++) {
        ha_expr value = size_at_rest(x, setting->values[i]);
        largest = ha_apply(x->dag, HA_OP_MAX, largest, value, HA_EXPR_NONE);
        sum = ha_add(x->dag, sum, value);
    }
    return setting->n_values > M2D__MAX_COMPONENTS ? sum : largest;
}

static void stiffness(m2d__expander *x, const m2d__connection *joint, ha_expr *of_lengths,
                      ha_expr *of_angles)
{
    *of_lengths = largest_of(x, &joint->model_settings[STIFFNESS]);
    *of_angles = largest_of(x, &joint->model_settings[ANGULAR_STIFFNESS]);
}

const m2d__joint_model m2d__joint_model_compliant = {
    .name = "compliant",
    .title = "Springs and dampers hold the rows.",
    .keys = keys,
    .n_keys = HA_COUNT(keys),
    .check = check,
    .expand = expand,
    .stiffness = stiffness,
};
