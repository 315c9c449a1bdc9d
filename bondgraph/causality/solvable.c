/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether the equations that the strokes give can be solved, and how many states they really have.
 * Strokes do not see values: two parallel transformers of one ratio, or a mesh of plain bonds, can
 * be causal and still say the same thing twice.
 *
 * The test. The system is a linear pencil P(s) z = inputs (pencil.c). It has one solution for given
 * inputs and start values just when det P(s) is not the zero polynomial. So
 *     structurally singular  <=>  det P(s) = 0 as a polynomial in s and in the values,
 *     singular at its values <=>  det P(s) = 0 as a polynomial in s alone.
 * Both are decided in residues modulo p = 2^61 - 1: a polynomial that is not zero vanishes at a
 * point drawn by chance with a probability of degree / p, so that a regular system is proved
 * regular, and one that is called singular twice is it but for a chance of 1e-30. The exact images
 * of the given doubles make the second test exact. A system that would be singular without rounding
 * (0.1 + 0.2 against 0.3) is regular then, but all digits of its solution are wrong: where values
 * can cancel, in loops and constraints, the numbers that the doubles were rounded from are tried,
 * too.
 *
 * What need not be tested. Let no definition depend on itself (no loop), and take every inertia and
 * capacitance of an integrated storage as free. Then P is triangular but for the rows of the
 * states, the highest term in these free values is their product times 1, and the pencil is
 * regular. With loops the highest term is the product of the determinants of the loops, so that
 * they alone have to be regular; of most the balance of power proves it (passive.c). Constraints
 * with an implicit sink read flows which the free inertias do not touch: the whole pencil is
 * needed.
 *
 * Redundant constraints. A constraint with a position level (a joint) may repeat others: assembly
 * finds out at the start values and releases it. Its row f = 0 gets a soft term, s f + c lambda = 0
 * with c by chance. For free c the highest term is the one in which lambda is known, so that such
 * rows can be left out first. A constraint without position level has nobody to release it.
 *
 * At the given values nothing is free, but the leading part L for s to infinity (pencil_rank.c) is
 * triangular outside loops, dependent storages and constraints, too, where no inertia is 0. If L is
 * regular so is P; if not, P itself is tested. Of dependent storages that are positive, with
 * positive resistors, the balance of power proves it again.
 *
 * The order is the degree of det P(s): the number of start values that can be chosen. It is read
 * from L where L is regular. Where it is not, det P is computed at more points than the degree can
 * be, and Newton's divided differences give it. Where that would be too much work (the limit is
 * below), the order is counted: states less implicit constraints. Heights for L: states 0,
 * multipliers 1 (they come with the derivatives), a definition what it reads, a rate one more. A
 * constraint with a position level counts twice, once for the flow and once for the position, and
 * is taken for independent of the others.
 */
#include <config.h>

#include "bondgraph/causality/solvable.h"

#include "lib/linalg/modular.h"

#include <string.h>

/* Rows times points up to which the degree is found by interpolation. */
enum { MAX_INTERPOLATION = 300000 };

typedef struct {
    const bg_causality *c;
    const bg__system *s;
    int n, n_definitions;
    bool *is_soft;                /* (n) rows of implicit constraints that may repeat others */
    bool *is_in_loop;             /* (n) in one that has to be tested */
    int n_loops;                  /* of these */
    bool *is_out;                 /* (n) scratch of views */
    int n_soft, n_hard, n_states; /* implicit constraints that may repeat others or not; states */
    int n_lone;                   /* of the former: without a position level */
    bool has_rates;               /* storages in derivative causality */
    int degree; /* of det P(s), constraints with a position level left out; -1: not known */
    bg__dependence dependence;
    bg__solvability found;
} study;

/* --- what there is -------------------------------------------------------------------------- */

static void survey(study *x)
{
    const bg__system *s = x->s;

    for (int k = 0; k < x->n - x->n_definitions; k++) {
        const bg__row *row = &s->rows.items[k];
        const bg__unknown *u = &s->unknowns.items[k];
        bool is_sink = row->kind == BG__ROW_CONSTRAINT && row->when == HA_EXPR_NONE;
        x->is_soft[x->n_definitions + k] =
            is_sink && row->is_assembled && u->kind == BG__MULTIPLIER && u->element == row->element;
        x->n_soft += x->is_soft[x->n_definitions + k] ? 1 : 0;
        x->n_lone += x->is_soft[x->n_definitions + k] && row->phi == HA_EXPR_NONE ? 1 : 0;
        x->n_hard += is_sink && !x->is_soft[x->n_definitions + k] ? 1 : 0;
        x->n_states += u->kind == BG__STATE || u->kind == BG__INTEGRAL ? 1 : 0;
    }
    x->has_rates = x->c->roles[BG_DERIVATIVE].count > 0;
}

/* Finds the loops of which nothing is proved yet. */
static ha_status survey_loops(study *x)
{
    const bg__system *s = x->s;
    bool *is_proved = NULL;

    HA_TRY_ALLOC(s->ctx, is_proved, s->n_loops);
    ha_status status = bg__prove_loops(s, is_proved);
    for (int i = 0; i < x->n_definitions; i++) {
        x->is_in_loop[i] = s->loop_of[i] >= 0 && !is_proved[s->loop_of[i]];
    }
    for (int l = 0; l < s->n_loops; l++) {
        x->n_loops += is_proved[l] ? 0 : 1;
    }
    ha__free(is_proved);
    return status;
}

/* Whether a storage may have no inertia at all: the leading part then has no entry for it. */
static ha_status find_zero_storage(const study *x, bool *out)
{
    const bg__system *s = x->s;

    *out = false;
    for (size_t i = 0; i < s->unknowns.count && !*out; i++) {
        int e = s->unknowns.items[i].element;
        ha_expr value = e >= 0 ? s->value[e] : HA_EXPR_NONE;
        double number = 0.0;
        if (s->unknowns.items[i].kind != BG__STATE || value == HA_EXPR_NONE) {
            continue;
        }
        HA_TRY(ha_resolve(s->graph->dag, value, &value));
        *out = s->graph->elements.items[e].n_values > 1 ||
               !ha_expr_is_constant(s->graph->dag, value, &number) || number == 0.0;
    }
    return HA_OK;
}

/* --- tests ---------------------------------------------------------------------------------- */

static uint64_t point(int k)
{
    return ha__mod_chance(3, (uint64_t) k);
}

/* The loops alone, all else known. */
static ha_status test_loops(study *x, bg__values values, bool *is_regular)
{
    bg__pencil pencil = { 0 };
    bg__pencil_rank rank = { 0 };
    bg__pencil_view view = { .is_out = x->is_out, .s = point(0) };

    for (int i = 0; i < x->n; i++) {
        x->is_out[i] = !x->is_in_loop[i];
    }
    HA_TRY(bg__pencil_build(x->s, values, 1, x->is_in_loop, &pencil));
    ha_status status = bg__pencil_examine(x->s->ctx, &pencil, &view, NULL, NULL, &rank);
    *is_regular = status == HA_OK && rank.n_missing == 0;
    bg__pencil_clear(&pencil);
    return status;
}

/* The whole pencil at one point. */
static ha_status test_at(study *x, const bg__pencil *pencil, uint64_t s, bool *is_regular)
{
    bg__pencil_view view = { .is_soft = x->is_soft, .s = s };
    bg__pencil_rank rank = { 0 };

    HA_TRY(bg__pencil_examine(x->s->ctx, pencil, &view, x->dependence.right, x->dependence.left,
                              &rank));
    *is_regular = rank.n_missing == 0;
    return HA_OK;
}

/* The whole pencil, a second time with other residues when it seems singular; told if it is. */
static ha_status test_whole(study *x, bg__values values, bg_class kind)
{
    bool is_regular = false;
    ha_status status = HA_OK;

    for (int round = 1; round <= 2 && !is_regular && status == HA_OK; round++) {
        bg__pencil pencil = { 0 };
        HA_TRY(bg__pencil_build(x->s, values, (uint64_t) round, NULL, &pencil));
        status = test_at(x, &pencil, point(round), &is_regular);
        if (status == HA_OK && !is_regular && round == 2) {
            x->found.kind = kind;
            status = bg__report_singular(x->c, kind, &pencil, &x->dependence);
        }
        bg__pencil_clear(&pencil);
    }
    return status;
}

/* --- the leading part ----------------------------------------------------------------------- */

/* What the members of a loop, or a definition outside, have as height: the highest that they read
   outside themselves, and one more for a rate. */
static int height_of(const study *x, const bg__pencil *p, const int *height, const int *members,
                     int n_members)
{
    int highest = 0, loop = x->s->loop_of[members[0]];

    for (int i = 0; i < n_members; i++) {
        bool is_rate = x->s->definitions.items[members[i]].is_rate;
        highest = is_rate && highest < 1 ? 1 : highest;
        for (size_t k = p->row_start[members[i]]; k < p->row_start[members[i] + 1]; k++) {
            bg__pencil_entry e = p->entries.items[k];
            bool is_inside = e.column == members[i] || (e.column < p->n_definitions && loop >= 0 &&
                                                        x->s->loop_of[e.column] == loop);
            if (!is_inside && height[e.column] + e.power > highest) {
                highest = height[e.column] + e.power;
            }
        }
    }
    return highest;
}

static void set_heights(const study *x, const bg__pencil *p, int *height)
{
    const bg__system *s = x->s;

    for (size_t k = 0; k < s->unknowns.count; k++) {
        height[p->n_definitions + (int) k] = s->unknowns.items[k].kind == BG__MULTIPLIER ? 1 : 0;
    }
    for (int first = 0, next = 0; first < p->n_definitions; first = next) {
        int loop = s->loop_of[s->order[first]];
        for (next = first + 1;
             loop >= 0 && next < p->n_definitions && s->loop_of[s->order[next]] == loop; next++) {
        }
        int h = height_of(x, p, height, s->order + first, next - first);
        for (int i = first; i < next; i++) {
            height[s->order[i]] = h;
        }
    }
}

/* The leading part, constraints with a position level left out. */
static ha_status examine_leading(study *x, const bg__pencil *pencil, bg__pencil_rank *rank)
{
    bg__pencil_view view = { .is_out = x->is_soft };
    int *height = NULL;

    HA_TRY_ALLOC(x->s->ctx, height, x->n);
    set_heights(x, pencil, height);
    view.height = height;
    return ha__then_free(bg__pencil_examine(x->s->ctx, pencil, &view, NULL, NULL, rank), height);
}

/* Tests the leading part; a regular one gives the degree, which is the same for all values where no
   zero among the given ones hides an entry. */
static ha_status test_leading(study *x, bg__values values, bool *is_regular)
{
    bg__pencil pencil = { 0 };
    bg__pencil_rank rank = { 0 };

    HA_TRY(bg__pencil_build(x->s, values, 1, NULL, &pencil));
    ha_status status = examine_leading(x, &pencil, &rank);
    *is_regular = status == HA_OK && rank.n_missing == 0;
    if (*is_regular && (values == BG__VALUES_ANY || !pencil.has_zeros)) {
        x->degree = (int) rank.degree;
    }
    bg__pencil_clear(&pencil);
    return status;
}

/* --- order ---------------------------------------------------------------------------------- */

/* The degree of the polynomial with `value` (n) at point(0) ... point(n - 1): the last divided
   difference that is not 0. Overwrites the values. */
static int degree_of(uint64_t *value, int n)
{
    int degree = 0;

    for (int step = 1; step < n; step++) {
        for (int i = n - 1; i >= step; i--) {
            value[i] = ha__mod_mul(ha__mod_sub(value[i], value[i - 1]),
                                   ha__mod_inverse(ha__mod_sub(point(i), point(i - step))));
        }
        degree = value[step] != 0 ? step : degree;
    }
    return degree;
}

static ha_status interpolate(study *x, const bg__pencil *pencil, int bound, int *degree)
{
    uint64_t *value = NULL;
    ha_status status = HA_OK;

    HA_TRY_ALLOC(x->s->ctx, value, bound + 1);
    for (int i = 0; i <= bound && status == HA_OK; i++) {
        bg__pencil_view view = { .is_out = x->is_soft, .s = point(i) };
        bg__pencil_rank rank = { 0 };
        status = bg__pencil_examine(x->s->ctx, pencil, &view, NULL, NULL, &rank);
        value[i] = rank.determinant;
    }
    if (status == HA_OK) {
        *degree = degree_of(value, bound + 1);
    }
    ha__free(value);
    return status;
}

static ha_status find_degree(study *x)
{
    bg__pencil pencil = { 0 };
    bg__pencil_rank rank = { 0 };

    x->degree = x->n_states - x->n_hard;
    HA_TRY(bg__pencil_build(x->s, BG__VALUES_ANY, 1, NULL, &pencil));
    ha_status status = examine_leading(x, &pencil, &rank);
    if (status == HA_OK && rank.n_missing == 0) {
        x->degree = (int) rank.degree;
    } else if (status == HA_OK && (rank.degree + 1) * x->n <= MAX_INTERPOLATION) {
        status = interpolate(x, &pencil, (int) rank.degree, &x->degree);
    }
    bg__pencil_clear(&pencil);
    return status;
}

/* Explicit sinks that keep a position. */
static int n_explicit_positions(const study *x)
{
    const bg_causality *c = x->c;
    int n = 0;

    for (size_t i = 0; i < c->roles[BG_EXPLICIT].count; i++) {
        const bg__element *e = &x->s->graph->elements.items[c->roles[BG_EXPLICIT].items[i]];
        const bg__extras *extra = bg__extra(e);
        n += extra->position != NULL && extra->position[0] != HA_EXPR_NONE ? 1 : 0;
    }
    return n;
}

static ha_status find_order(study *x, bool is_simple)
{
    if (is_simple) {
        x->degree = x->n_states;
    } else if (x->degree < 0) {
        HA_TRY(find_degree(x));
    }
    x->found.order = x->degree - 2 * x->n_soft + x->n_lone - n_explicit_positions(x);
    return HA_OK;
}

/* --- the whole ------------------------------------------------------------------------------ */

static ha_status test_any_values(study *x, bool *loops_are_regular)
{
    bool is_regular = false;

    *loops_are_regular = x->n_loops == 0;
    if (x->n_loops > 0) {
        HA_TRY(test_loops(x, BG__VALUES_ANY, loops_are_regular));
    }
    if (x->n_hard == 0 && *loops_are_regular) {
        return HA_OK;
    }
    HA_TRY(test_leading(x, BG__VALUES_ANY, &is_regular));
    return is_regular ? HA_OK : test_whole(x, BG__VALUES_ANY, BG_STRUCTURALLY_SINGULAR);
}

/* `is_simple`: outside loops the leading part is triangular. */
static ha_status test_given_values(study *x, bg__values values, bool is_simple)
{
    bool is_regular = x->n_loops == 0;

    if (!is_simple) {
        HA_TRY(test_leading(x, values, &is_regular));
    } else if (!is_regular) {
        HA_TRY(test_loops(x, values, &is_regular));
    }
    return is_regular ? HA_OK : test_whole(x, values, BG_SINGULAR_AT_VALUES);
}

static ha_status test(study *x)
{
    bool loops_are_regular = false, is_simple = false, has_zero = false;

    x->n_definitions = (int) x->s->definitions.count;
    x->n = x->n_definitions + (int) x->s->rows.count;
    HA_TRY_ALLOC_EACH(x->s->ctx, x->n, x->is_soft, x->is_in_loop, x->is_out, x->dependence.right,
                      x->dependence.left);
    survey(x);
    HA_TRY(survey_loops(x));
    is_simple = x->n_hard == 0 && !x->has_rates;
    if (x->n_hard == 0 && x->has_rates) {
        HA_TRY(bg__prove_states(x->s, &is_simple));
    }
    HA_TRY(test_any_values(x, &loops_are_regular));
    if (x->found.kind == BG_CLASS_COUNT) {
        HA_TRY(find_zero_storage(x, &has_zero));
        HA_TRY(test_given_values(x, BG__VALUES_GIVEN, is_simple && !has_zero));
    }
    if (x->found.kind == BG_CLASS_COUNT && (x->s->n_loops > 0 || x->n_hard > 0)) {
        HA_TRY(test_given_values(x, BG__VALUES_MEANT, is_simple && !has_zero));
    }
    return x->found.kind == BG_CLASS_COUNT ? find_order(x, is_simple && loops_are_regular) : HA_OK;
}

ha_status bg__test_solvable(const bg_causality *c, bg__solvability *out)
{
    study x = { .c = c, .s = c->system, .degree = -1, .found = { .kind = BG_CLASS_COUNT } };
    ha_status status = HA_OK;

    /* told when the equations are derived */
    if (c->system->rows.count == c->system->unknowns.count) {
        status = test(&x);
    }
    HA_FREE(x.is_soft, x.is_in_loop, x.is_out, x.dependence.right, x.dependence.left);
    *out = x.found;
    return status;
}
