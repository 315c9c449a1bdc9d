/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Singular start systems in the user's words, and the structure of regular ones.
 *
 * Structural: the pattern of the start matrix, taken as the entries that are not zero at the point
 * or at points near it, has no complete matching of unknowns and equations (blocks_btf.c). The
 * unknowns that alternating paths reach from an unmatched unknown stand in fewer equations than
 * they are; the equations reached from an unmatched equation hold fewer unknowns than they are.
 *
 * Numerical: the matching is complete but a pivot of the equilibrated matrix B vanishes at these
 * values. The entries of B are moved by about 1e-13, so that it can be factored; inverse iteration
 * then gives the null vectors: B z = 0 singles out the unknowns that are not determined, B' u = 0
 * the equations that depend on each other.
 *
 * Of a run that stops near a singular position it tells besides whether a prescribed motion locks
 * up there.
 *
 * A term c y'_j that is absent from equation j would mend a structural defect when both the unknown
 * and the equation are reached (a longer matching then goes through it), and a numerical one when
 * neither z_j nor u_j vanishes (to first order the determinant changes by c u_j z_j).
 */
#include <config.h>

#include "lib/dae/dae_start_matrix.h"

#include "lib/core/mem.h"
#include "lib/core/random.h"
#include "lib/linalg/blocks_btf.h"

#include <math.h>
#include <string.h>

static const double NUDGE = 1e-13;          /* of B's entries, above round-off and far below 1 */
static const double NEARLY_SINGULAR = 1e-7; /* condition from which on null vectors are named */
static const double NEAR_LOCK_UP = 1e-4;    /* and from which on a lock-up is looked for: tight
                                               tolerances    stop farther from it */
static const double IN_VAIN = 1e-3;         /* of u' b, its terms being at most 1 */
static const double TAKES_PART = 1e-3;      /* of a null vector's largest entry */

enum { MAX_NAMES = 6 };

/* One side of the bipartite graph of unknowns (columns) and equations (rows). */
typedef struct side {
    int *start;       /* (n + 1) */
    int *other;       /* numbers on the other side */
    int *partner;     /* (n) -1: none */
    char *is_reached; /* (n) from a member without partner, by alternating paths */
} side;

/* The pattern of the start matrix; freed with pattern_clear(). */
typedef struct pattern {
    ha_ctx *ctx;
    int n;
    char *is_used; /* (n_entries) the entry of the Jacobian's pattern is in the start matrix */
    side unknowns;
    side equations;
    int *scratch; /* (7 n) */
    double *y;    /* (n) a point near by */
    double *yp;   /* (n) */
} pattern;

static ha_status side_init(side *s, ha_ctx *ctx, int n, int64_t n_entries)
{
    HA_TRY_ALLOC(ctx, s->start, n + 1, s->other, n_entries);
    HA_TRY_ALLOC_EACH(ctx, n, s->partner, s->is_reached);
    return HA_OK;
}

static void side_clear(side *s)
{
    HA_FREE(s->start, s->other, s->partner, s->is_reached);
}

static ha_status pattern_init(pattern *p, ha_ctx *ctx, int n, int64_t n_entries)
{
    *p = (pattern){ .ctx = ctx, .n = n };
    HA_TRY_ALLOC(ctx, p->is_used, n_entries);
    HA_TRY(side_init(&p->unknowns, ctx, n, n_entries));
    HA_TRY(side_init(&p->equations, ctx, n, n_entries));
    HA_TRY_ALLOC(ctx, p->scratch, 7 * (size_t) n);
    HA_TRY_ALLOC_EACH(ctx, n, p->y, p->yp);
    return HA_OK;
}

static void pattern_clear(pattern *p)
{
    ha__free(p->is_used);
    side_clear(&p->unknowns);
    side_clear(&p->equations);
    HA_FREE(p->scratch, p->y, p->yp);
}

/* Marks the entries that are not zero at the current evaluation. */
static void mark_used(pattern *p, const ha__start_matrix *matrix)
{
    for (int64_t k = 0; k < matrix->n_entries; k++) {
        if (!(matrix->values[k] == 0.0)) {
            p->is_used[k] = 1;
        }
    }
}

/* Evaluates at the point and at two near it, so that an entry that happens to vanish counts. */
static void find_used(pattern *p, ha__start_matrix *matrix, double t, const double *y,
                      const double *yp)
{
    uint32_t state = 1;

    ha__start_matrix_evaluate(matrix, t, y, yp);
    mark_used(p, matrix);
    for (int point = 0; point < 2; point++) {
        for (int j = 0; j < p->n; j++) {
            double scale = matrix->dae->unknowns[j].scale;
            p->y[j] = y[j] + 0.01 * ha__random_sign(&state) * (fabs(y[j]) + scale);
            p->yp[j] = yp[j] + 0.01 * ha__random_sign(&state) * (fabs(yp[j]) + scale);
        }
        ha__start_matrix_evaluate(matrix, t, p->y, p->yp);
        mark_used(p, matrix);
    }
}

/* Fills both sides from the used entries, members in ascending order. */
static void link_sides(pattern *p, const ha_dae *dae)
{
    side *u = &p->unknowns;
    side *e = &p->equations;
    int count = 0;

    for (int j = 0; j < p->n; j++) {
        u->start[j] = count;
        for (int64_t k = dae->column_start[j]; k < dae->column_start[j + 1]; k++) {
            if (p->is_used[k]) {
                u->other[count++] = (int) dae->row[k];
                e->start[dae->row[k] + 1]++;
            }
        }
    }
    u->start[p->n] = count;
    for (int i = 0; i < p->n; i++) {
        e->start[i + 1] += e->start[i];
        p->scratch[i] = e->start[i]; /* where the next entry of the row goes */
    }
    for (int j = 0; j < p->n; j++) {
        for (int k = u->start[j]; k < u->start[j + 1]; k++) {
            e->other[p->scratch[u->other[k]]++] = j;
        }
    }
}

/* Matches unknowns and equations; returns how many pairs there are. */
static int match(pattern *p)
{
    int pairs = ha__match_rows(p->n, p->unknowns.start, p->unknowns.other, p->equations.partner,
                               p->scratch);

    memset(p->unknowns.partner, -1, (size_t) p->n * sizeof *p->unknowns.partner);
    for (int i = 0; i < p->n; i++) {
        if (p->equations.partner[i] >= 0) {
            p->unknowns.partner[p->equations.partner[i]] = i;
        }
    }
    return pairs;
}

/* Marks what alternating paths reach from the members of `from` without partner. */
static void reach(pattern *p, side *from, const side *to)
{
    int end = 0;

    for (int i = 0; i < p->n; i++) {
        from->is_reached[i] = from->partner[i] < 0;
        if (from->is_reached[i]) {
            p->scratch[end++] = i;
        }
    }
    for (int next = 0; next < end; next++) {
        int i = p->scratch[next];
        for (int k = from->start[i]; k < from->start[i + 1]; k++) {
            int beyond = to->partner[from->other[k]];
            if (beyond >= 0 && !from->is_reached[beyond]) {
                from->is_reached[beyond] = 1;
                p->scratch[end++] = beyond;
            }
        }
    }
}

/* Adds names of one side: of members without partner, or (`reached`) of all that were reached. */
static void add_members(ha__strbuf *text, const pattern *p, const ha_dae *dae, const side *s,
                        bool reached)
{
    int listed = 0;

    for (int i = 0; i < p->n; i++) {
        if (reached ? !s->is_reached[i] : s->partner[i] >= 0) {
            continue;
        }
        if (listed < MAX_NAMES) {
            ha__strbuf_add(text, listed == 0 ? "" : ", ");
            if (s == &p->equations) {
                ha__strbuf_addf(text, "`%s`", dae->equations[i]);
            } else {
                ha__dae_add_start_unknown(text, dae, i);
            }
        }
        listed++;
    }
    if (listed > MAX_NAMES) {
        ha__strbuf_addf(text, " and %d more", listed - MAX_NAMES);
    }
}

/* --- absent terms --------------------------------------------------------------------------- */

/* True when the term would mend the defect that was found. */
typedef bool mends(const pattern *p, int number);

static bool mends_structure(const pattern *p, int number)
{
    return p->unknowns.is_reached[number] && p->equations.is_reached[number];
}

/* With z in y and u in yp. */
static bool mends_numbers(const pattern *p, int number)
{
    return fabs(p->y[number]) > TAKES_PART && fabs(p->yp[number]) > TAKES_PART;
}

/* Adds a diagnostic for each absent term that would mend the defect, once for each text; false when
   there is none. */
static bool report_absences(const pattern *p, const ha_dae *dae, mends *test)
{
    const ha_dae_absence *last = NULL;

    for (int i = 0; i < dae->n_absences; i++) {
        const ha_dae_absence *a = &dae->absences[i];
        if (test(p, a->number) && (last == NULL || strcmp(last->text, a->text) != 0)) {
            (void) ha_fail(p->ctx, HA_ERR_SINGULAR, a->where, "%s", a->text);
            last = a;
        }
    }
    return last != NULL;
}

/* --- reports -------------------------------------------------------------------------------- */

/* What is to be done about equations that do not determine all unknowns. */
static const char *structural_advice(const ha_dae *dae)
{
    if (dae->n_switches == 0) {
        return "; an inertia, resistance or compliance is missing there, or a constraint is given "
               "twice";
    }
    return "; conditions decide what these equations say: as they are now ideal switches leave a "
           "flow no path, or tie together what may not be tied; make each a resistance instead, "
           "small where closed and large where open, such as "
           "`R{f = if(e > 0, e/Ron, Goff*e), e = if(f > 0, Ron*f, f/Goff)}` for a diode; without "
           "such switches an inertia, resistance or compliance is missing there, or a constraint "
           "is given twice";
}

static ha_status report_structural(pattern *p, const ha_dae *dae, double t, int pairs)
{
    char time[HA__NUMBER_SIZE];
    ha__strbuf text = HA_STRBUF(p->ctx);

    reach(p, &p->unknowns, &p->equations);
    reach(p, &p->equations, &p->unknowns);
    if (report_absences(p, dae, mends_structure)) {
        return HA_ERR_SINGULAR;
    }
    ha__strbuf_add(&text, "the equations do not determine ");
    add_members(&text, p, dae, &p->unknowns, false);
    ha__strbuf_addf(&text,
                    " at t = %s s (structurally: %d of %d unknowns have an equation of their own); "
                    "too few equations hold ",
                    ha__dae_number(time, t), pairs, p->n);
    add_members(&text, p, dae, &p->unknowns, true);
    ha__strbuf_add(&text, "; too few unknowns stand in the equations ");
    add_members(&text, p, dae, &p->equations, true);
    ha__strbuf_add(&text, structural_advice(dae));
    return HA_FAIL_WITH(text, p->ctx, HA_ERR_SINGULAR, HA_NOWHERE, "%s", ha__strbuf_text(&text));
}

/* Scales x to largest magnitude 1; false when that is not possible. */
static bool normalise(double *x, int n)
{
    double largest = 0.0;

    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    if (!(largest > 0.0) || !isfinite(largest) || ha__first_not_finite(x, n) >= 0) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        x[i] /= largest;
    }
    return true;
}

/* The null vector of the factored B (of its transpose) by inverse iteration; false: none found. */
static bool find_null_vector(ha__start_matrix *matrix, bool transposed, double *x)
{
    int n = matrix->dae->n;
    uint32_t state = 7;
    bool good = true;

    for (int i = 0; i < n; i++) {
        x[i] = 1.0 + 0.1 * ha__random_sign(&state);
    }
    for (int round = 0; round < 3 && good; round++) {
        (transposed ? ha__klu_solve_transposed : ha__klu_solve)(matrix->klu, x);
        good = normalise(x, n);
    }
    return good;
}

/* Adds who takes part in the singularity: "they do not determine ...; ... depend ...". */
static void add_null_vectors(ha__strbuf *text, ha__start_matrix *matrix, double *x,
                             const char *determine)
{
    const ha_dae *dae = matrix->dae;

    if (!ha__klu_is_factored(matrix->klu)) {
        ha__strbuf_addf(text, "they %s all unknowns", determine);
        return;
    }
    if (find_null_vector(matrix, false, x)) {
        ha__strbuf_addf(text, "they %s ", determine);
        ha__dae_add_largest(text, dae, x, false);
    }
    if (find_null_vector(matrix, true, x)) {
        ha__strbuf_add(text, "; the equations that depend on each other are ");
        ha__dae_add_largest(text, dae, x, true);
    }
}

/* Factors B at a point with its entries moved a little, so that no pivot is zero. */
static ha_status factor_nudged(ha__start_matrix *matrix, const pattern *p, double t,
                               const double *y, const double *yp)
{
    uint32_t state = 3;
    double rcond = 0.0;

    ha__start_matrix_evaluate(matrix, t, y, yp);
    ha__start_matrix_equilibrate(matrix);
    for (int64_t k = 0; k < matrix->n_entries; k++) {
        matrix->values[k] += p->is_used[k] ? NUDGE * (1.5 + 0.5 * ha__random_sign(&state)) : 0.0;
    }
    return ha__start_matrix_factor(matrix, &rcond);
}

static ha_status report_numerical(ha__start_matrix *matrix, pattern *p, double t, const double *y,
                                  const double *yp, double rcond)
{
    char time[HA__NUMBER_SIZE];
    char condition[HA__NUMBER_SIZE];
    ha__strbuf text = HA_STRBUF(p->ctx);

    HA_TRY(factor_nudged(matrix, p, t, y, yp));
    if (ha__klu_is_factored(matrix->klu) && find_null_vector(matrix, false, p->y) &&
        find_null_vector(matrix, true, p->yp) && report_absences(p, matrix->dae, mends_numbers)) {
        return HA_ERR_SINGULAR;
    }
    add_null_vectors(&text, matrix, p->y, "do not determine");
    return HA_FAIL_WITH(text, p->ctx, HA_ERR_SINGULAR, HA_NOWHERE,
                        "the equations are singular at these values, t = %s s (numerically: "
                        "reciprocal condition %s): %s; this is a singular position, or something "
                        "is constrained twice or has no inertia, resistance or compliance",
                        ha__dae_number(time, t), ha__dae_number(condition, rcond),
                        ha__strbuf_text(&text));
}

ha_status ha__report_singular(ha__start_matrix *matrix, double t, const double *y, const double *yp,
                              double rcond)
{
    pattern p;
    ha_status status = pattern_init(&p, matrix->ctx, matrix->dae->n, matrix->n_entries);

    if (status == HA_OK) {
        find_used(&p, matrix, t, y, yp);
        link_sides(&p, matrix->dae);
        int pairs = match(&p);
        status = pairs < p.n ? report_structural(&p, matrix->dae, t, pairs)
                             : report_numerical(matrix, &p, t, y, yp, rcond);
    }
    pattern_clear(&p);
    return status;
}

/* Block triangular form of the used pattern. */
static void find_blocks(pattern *p, ha_dae_structure *out)
{
    int *bounds = p->equations.start; /* no longer needed for the rows */

    out->n_blocks = ha__find_blocks(p->n, p->unknowns.start, p->unknowns.other, bounds,
                                    &out->structural_rank, p->scratch);
    for (int b = 0; b < out->n_blocks; b++) {
        int size = bounds[b + 1] - bounds[b];
        out->largest_block = size > out->largest_block ? size : out->largest_block;
    }
}

/* Evaluates and factors B at a point. */
static ha_status condition_at(ha__start_matrix *matrix, double t, const double *y, const double *yp,
                              double *rcond)
{
    *rcond = 0.0;
    if (ha__start_matrix_evaluate(matrix, t, y, yp) >= 0) {
        return HA_OK;
    }
    ha__start_matrix_equilibrate(matrix);
    HA_TRY(ha__start_matrix_factor(matrix, rcond));
    *rcond = isfinite(*rcond) ? *rcond : 0.0;
    return HA_OK;
}

static ha_status analyse(ha__start_matrix *matrix, pattern *p, double t, const double *y,
                         const double *yp, ha_dae_structure *out)
{
    find_used(p, matrix, t, y, yp);
    link_sides(p, matrix->dae);
    find_blocks(p, out);
    HA_TRY(condition_at(matrix, t, y, yp, &out->rcond));
    out->rcond = out->structural_rank < matrix->dae->n ? 0.0 : out->rcond;
    return HA_OK;
}

ha_status ha_dae_analyse(ha_ctx *ctx, const ha_dae *dae, const double *parameters, double t,
                         const double *y, const double *yp, ha_dae_structure *out)
{
    ha_dae_structure found = { 0 };
    ha__start_matrix matrix = { 0 };
    pattern p = { 0 };
    double *work = NULL;

    if (dae->n == 0) {
        *out = (ha_dae_structure){ .rcond = 1.0 };
        return HA_OK;
    }
    HA_TRY_ALLOC(ctx, work, dae->work_size);
    dae->prepare(dae->model, parameters, work);
    ha_status status = ha__start_matrix_init(&matrix, ctx, dae, work);
    HA_THEN(status, pattern_init(&p, ctx, dae->n, matrix.n_entries));
    HA_THEN(status, analyse(&matrix, &p, t, y, yp, &found));
    if (status == HA_OK) {
        *out = found;
    }
    pattern_clear(&p);
    ha__start_matrix_clear(&matrix);
    ha__free(work);
    return status;
}

/* --- lock-up -------------------------------------------------------------------------------- */

/* x without all but the entries of conditions, taken from the equilibrated system. */
static void keep_conditions(const ha__start_matrix *matrix, double *x)
{
    const ha_dae *dae = matrix->dae;
    int next = 0;

    for (int i = 0; i < dae->n; i++) {
        bool is_condition = next < dae->n_conditions && dae->condition_row[next] == i;
        next += is_condition ? 1 : 0;
        x[i] = is_condition ? x[i] * matrix->row_scale[i] : 0.0;
    }
}

/* x without all but the entries of velocities. */
static void keep_velocities(const ha__start_matrix *matrix, double *x)
{
    for (int j = 0; j < matrix->dae->n; j++) {
        x[j] =
            matrix->dae->unknowns[j].motion == HA_VELOCITY ? x[j] * matrix->column_scale[j] : 0.0;
    }
}

/*
 * With u' J = 0 the conditions J v + b = 0, b being what they ask for by the time alone, can only
 * be met if u' b = 0. `u` (n), the null vector, is then replaced by what asks; `rest` (3 n) is
 * room.
 */
static bool asks_in_vain(const ha__start_matrix *matrix, double t, const double *y, double *u,
                         double *rest)
{
    const ha_dae *dae = matrix->dae;
    double *phi = rest + dae->n, *b = phi + dae->n, sum = 0.0, most_u = 0.0, most_b = 0.0;

    for (int j = 0; j < dae->n; j++) {
        rest[j] = dae->unknowns[j].motion == HA_VELOCITY ? 0.0 : y[j];
    }
    dae->condition(dae->model, matrix->work, t, rest, phi, b);
    for (int i = 0; i < dae->n_conditions; i++) {
        double *part = &u[dae->condition_row[i]];
        sum += *part * b[i];
        most_u = fmax(most_u, fabs(*part));
        most_b = fmax(most_b, fabs(b[i]));
        *part *= b[i];
    }
    return fabs(sum) > IN_VAIN * most_u * most_b && most_b > 0.0;
}

/* Adds what locks up, if a prescribed motion goes where the other conditions cannot follow. */
static ha_status add_lock_up(ha__strbuf *text, ha__start_matrix *matrix, double t, const double *y,
                             double *x)
{
    const ha_dae *dae = matrix->dae;
    double *rest = NULL;

    if (dae->n_conditions == 0 || !ha__klu_is_factored(matrix->klu) ||
        !find_null_vector(matrix, true, x)) {
        return HA_OK;
    }
    HA_TRY_ALLOC(matrix->ctx, rest, 3 * (size_t) dae->n);
    keep_conditions(matrix, x);
    if (asks_in_vain(matrix, t, y, x, rest)) {
        ha__strbuf_add(text, "this is a lock-up: ");
        ha__dae_add_largest(text, dae, x, true);
        ha__strbuf_add(text, " asks for a motion that the other constraints do not allow beyond "
                             "this position");
        if (find_null_vector(matrix, false, x)) {
            keep_velocities(matrix, x);
            ha__strbuf_add(text, ", it would need without bound ");
            ha__dae_add_largest(text, dae, x, false);
        }
        ha__strbuf_add(text, "; ");
    }
    ha__free(rest);
    return HA_OK;
}

ha_status ha__dae_condition(ha_ctx *ctx, const ha_dae *dae, double *work, double t, const double *y,
                            const double *yp, double *rcond, ha__strbuf *lock_up, ha__strbuf *text)
{
    ha__start_matrix matrix;
    double *x = NULL;
    ha_status status = ha__start_matrix_init(&matrix, ctx, dae, work);

    HA_THEN(status, condition_at(&matrix, t, y, yp, rcond));
    if (status == HA_OK && *rcond < NEAR_LOCK_UP) {
        x = ha__alloc(ctx, (size_t) dae->n, sizeof *x);
        status = x == NULL ? HA_ERR_MEMORY : add_lock_up(lock_up, &matrix, t, y, x);
    }
    if (status == HA_OK && (*rcond < NEARLY_SINGULAR || lock_up->length > 0)) {
        add_null_vectors(text, &matrix, x, "hardly determine");
        ha__strbuf_add(text, lock_up->length == 0 ? ""
                                                  : "; let the prescribed motion end or turn back "
                                                    "before, or change the lengths");
        status = lock_up->status;
    }
    ha__free(x);
    ha__start_matrix_clear(&matrix);
    return status;
}
