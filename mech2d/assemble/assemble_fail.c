/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a mechanism cannot be assembled, in words: bodies that do not reach, starts that contradict.
 */
#include <config.h>

#include "lib/core/number.h"
#include "lib/core/strbuf.h"
#include "mech2d/assemble/assemble_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A number with three digits. */
static void print_rounded(char digits[HA__NUMBER_SIZE], double x)
{
    ha__print_rounded_number(digits, x, 3);
}

/* Whether coordinate or rate `k` is fixed, of k >= n whether start value k - n is; and its name, in
   two parts. */
static bool is_fixed(const m2d_assembly *a, int k, bool is_rate, const char *name[2])
{
    if (k >= a->n) {
        const m2d__constraint *row = &a->system->rows.items[k - a->n];
        name[0] = row->name;
        name[1] = NULL;
        return row->is_start && row->is_fixed && row->is_rate == is_rate;
    }
    const m2d__mass *mass = &a->system->masses.items[k / 3];
    int coordinate = k % 3 + (is_rate ? M2D_VX : M2D_X);
    name[0] = mass->name;
    name[1] = m2d_coordinate_name((m2d_coordinate) coordinate);
    return mass->is_fixed[coordinate];
}

/* Adds the names of the fixed coordinates and start values, or of the rates, to a text, at most a
   few; of those that `counts` (n + n_rows; NULL: all); how many there are. */
static int list_fixed(const m2d_assembly *a, bool is_rate, const bool *counts, ha__strbuf *text)
{
    enum { MOST = 8 };
    const char *name[2];
    int n = 0;

    for (int k = 0; k < a->n + a->n_rows; k++) {
        if (is_fixed(a, k, is_rate, name) && (counts == NULL || counts[k]) && n++ < MOST) {
            ha__strbuf_addf(text, "%s`%s%s%s`", n > 1 ? ", " : "", name[0],
                            name[1] == NULL ? "" : ".", name[1] == NULL ? "" : name[1]);
        }
    }
    if (n > MOST) {
        ha__strbuf_addf(text, " and %d more", n - MOST);
    }
    return n;
}

/* Marks the fixed positions each of which closes the mechanism when it is let go alone; how many.
   `q` (n) is room. Only where a few are fixed: each costs a search. */
static ha_status find_culprits(m2d_assembly *a, double *q, bool *counts, int *n)
{
    enum { MOST_FIXED = 30 };
    const char *name[2];
    int n_fixed = 0;

    *n = 0;
    for (int k = 0; k < a->n + a->n_rows; k++) {
        n_fixed += is_fixed(a, k, false, name) ? 1 : 0;
    }
    for (int k = 0; k < a->n + a->n_rows && n_fixed <= MOST_FIXED; k++) {
        if (is_fixed(a, k, false, name)) {
            a->released = k;
            m2d__open_guesses(a);
            memcpy(q, a->q, (size_t) a->n * sizeof *q);
            double size = m2d__residual(a, q);
            HA_TRY(m2d__search_positions(a, M2D__FREE_GUESSES, q, &size));
            counts[k] = size <= m2d__accepted_residual;
            *n += counts[k] ? 1 : 0;
        }
    }
    a->released = -1;
    m2d__open_guesses(a);
    m2d__residual(a, a->q);
    return HA_OK;
}

/* The constraint that is violated most. */
static int worst_row(const m2d_assembly *a, const double *residual)
{
    double largest = -1.0;
    int worst = 0;

    for (int i = 0; i < a->n_rows; i++) {
        double size =
            fabs(residual[i]) / (a->system->rows.items[i].is_angle ? 1.0 : a->system->length);
        if (size > largest || isnan(size)) {
            largest = isnan(size) ? (double) INFINITY : size;
            worst = i;
        }
    }
    return worst;
}

/* The violation of a row beside its unit. */
static double violation(const m2d_assembly *a, int row)
{
    return fabs(a->residual[row]) / (a->system->rows.items[row].is_angle ? 1.0 : a->system->length);
}

static const double open_share = 0.1; /* of the worst violation: such a row stays open, too */

/* "`J.angle`, `s.drive`": the open rows, and in `*apart` by how much together, if these are angles
   of several joints and motions alone. No pose of any body makes such rows agree. */
static int list_contradiction(const m2d_assembly *a, int worst, ha__strbuf *text, double *apart)
{
    enum { MOST = 6 };
    int n = 0;

    *apart = 0.0;
    for (int i = 0; i < a->n_rows; i++) {
        const m2d__constraint *row = &a->system->rows.items[i];
        if (!(violation(a, i) > open_share * violation(a, worst))) {
            continue;
        }
        if (!row->is_angle) {
            return 0;
        }
        *apart += fabs(a->residual[i]);
        if (n++ < MOST) {
            ha__strbuf_addf(text, "%s`%s`", n == 1 ? "" : ", ", row->name);
        }
    }
    ha__strbuf_add(text, n > MOST ? ", ..." : "");
    return n;
}

/* " together with `TB`": what else stays open where the rows contradict each other. */
static void list_others(const m2d_assembly *a, int worst, ha__strbuf *text)
{
    enum { MOST = 5 };
    const char *last = a->system->rows.items[worst].joint;
    int n = 0;

    for (int i = 0; i < a->n_rows; i++) {
        const char *joint = a->system->rows.items[i].joint;
        bool is_other = strcmp(joint, a->system->rows.items[worst].joint) != 0 &&
                        strcmp(joint, last) != 0 &&
                        violation(a, i) > open_share * violation(a, worst);
        if (is_other && n++ < MOST) {
            ha__strbuf_addf(text, "%s`%s`", n == 1 ? " together with " : ", ", joint);
            last = joint;
        }
    }
    ha__strbuf_add(text, n > MOST ? ", ..." : "");
}

/* The motions that keep a mechanism from closing. */
typedef struct {
    bool *counts; /* (n_rows) */
    int n;
    bool any_will_do; /* it closes without any one of them; else without all of them */
    double off;       /* the value of the last one less what it asks for, where that is known */
} culprits;

/* Whether the mechanism closes, from the best positions that were found; `q` is then where. */
static ha_status try_to_close(m2d_assembly *a, double *q, bool *closes)
{
    memcpy(q, a->q, (size_t) a->n * sizeof *q);
    double size = m2d__residual(a, q);
    HA_TRY(m2d__search_positions(a, M2D__FREE_GUESSES, q, &size));
    *closes = size <= m2d__accepted_residual;
    return HA_OK;
}

static bool is_asked(const m2d_assembly *a, int row)
{
    return a->system->rows.items[row].is_motion && !a->is_open[row];
}

/* Finds the motions without each of which alone the mechanism closes. */
static ha_status find_single(m2d_assembly *a, double *q, culprits *found)
{
    found->any_will_do = true;
    for (int i = 0; i < a->n_rows; i++) {
        if (is_asked(a, i)) {
            a->is_open[i] = true;
            ha_status status = try_to_close(a, q, &found->counts[i]);
            a->is_open[i] = false;
            HA_TRY(status);
            m2d__residual(a, q);
            found->n += found->counts[i] ? 1 : 0;
            found->off = found->counts[i] ? a->residual[i] : found->off;
        }
    }
    return HA_OK;
}

/* Finds motions without which it closes: with all of them left out, which cannot be taken in again,
   one after another? */
static ha_status find_several(m2d_assembly *a, double *q, culprits *found)
{
    bool closes = false;

    for (int i = 0; i < a->n_rows; i++) {
        found->counts[i] = is_asked(a, i);
        a->is_open[i] = a->is_open[i] || found->counts[i];
    }
    ha_status status = try_to_close(a, q, &closes);
    found->any_will_do = false;
    for (int i = 0; i < a->n_rows && status == HA_OK && closes; i++) {
        if (found->counts[i]) {
            bool is_met = false;
            a->is_open[i] = false;
            status = try_to_close(a, q, &is_met);
            a->is_open[i] = !is_met;
            found->counts[i] = !is_met;
            found->n += is_met ? 0 : 1;
        }
    }
    for (int i = 0; i < a->n_rows; i++) {
        a->is_open[i] = a->is_open[i] && !found->counts[i];
    }
    return status;
}

/* "`lift`, `crowd`"; the last one. */
static int list_motions(const m2d_assembly *a, const culprits *found, ha__strbuf *text)
{
    enum { MOST = 8 };
    int last = 0;

    for (int i = 0, n = 0; i < a->n_rows && n < MOST; i++) {
        if (found->counts[i]) {
            ha__strbuf_addf(text, "%s`%s`", n++ == 0 ? "" : ", ", a->system->rows.items[i].name);
            last = i;
        }
    }
    ha__strbuf_add(text, found->n > MOST ? ", ..." : "");
    return last;
}

static ha_status say_motions(const m2d_assembly *a, const culprits *found)
{
    ha_ctx *ctx = a->system->ctx;
    ha__strbuf names = HA_STRBUF(ctx);
    char digits[HA__NUMBER_SIZE];
    const m2d__constraint *row = &a->system->rows.items[list_motions(a, found, &names)];
    ha_status status = names.status;

    print_rounded(digits, fabs(found->off));
    if (status == HA_OK && found->any_will_do && found->n == 1) {
        status = ha_fail(ctx, HA_ERR_ASSEMBLY, row->where,
                         "the motion of %s is out of reach at t = 0: it asks for %s %s %s than it "
                         "is where the mechanism closes without it; correct the motion or the "
                         "points of the bodies",
                         ha__strbuf_text(&names), digits, row->is_angle ? "rad" : "m",
                         found->off < 0.0 ? "more" : "less");
    } else if (status == HA_OK) {
        const char *them = found->n == 1 ? "it" : "them";
        status = ha_fail(
            ctx, HA_ERR_ASSEMBLY, row->where,
            "the motion%s of %s %s out of reach at t = 0: the mechanism closes without "
            "%s%s; correct %s or the points of the bodies",
            found->n == 1 ? "" : "s", ha__strbuf_text(&names), found->n == 1 ? "is" : "are",
            found->any_will_do ? "any one of " : "", them, found->any_will_do ? "one" : them);
    }
    return ha__strbuf_drop(&names, status);
}

/* Says which motions the bodies do not reach, if that is why; `*is_said` tells. */
static ha_status fail_motions(m2d_assembly *a, double *q, bool *is_said)
{
    culprits found = { 0 };

    HA_TRY_ALLOC(a->system->ctx, found.counts, a->n_rows + 1);
    ha_status status = find_single(a, q, &found);
    if (status == HA_OK && found.n == 0) {
        status = find_several(a, q, &found);
    }
    m2d__residual(a, a->q);
    *is_said = status == HA_OK && found.n > 0;
    HA_THEN(status, found.n > 0 ? say_motions(a, &found) : HA_OK);
    ha__free(found.counts);
    return status;
}

/* Says that the bodies do not reach, and at which joints. */
static ha_status fail_reach(const m2d_assembly *a, int worst, const char *digits)
{
    const m2d__constraint *row = &a->system->rows.items[worst];
    ha__strbuf others = HA_STRBUF(a->system->ctx);

    list_others(a, worst, &others);
    return HA_FAIL_WITH(others, a->system->ctx, HA_ERR_ASSEMBLY, row->where,
                        "%s `%s` cannot be closed%s, `%s` stays at %s %s: the bodies do not reach; "
                        "correct the points of its bodies, or give start values nearer to an "
                        "assembled position",
                        row->kind, row->joint, ha__strbuf_text(&others), row->name, digits,
                        row->is_angle ? "rad" : "m");
}

/* Says that angles are asked for that cannot be had at once, if that is why; `*is_said` tells. */
static ha_status fail_contradiction(const m2d_assembly *a, int worst, bool *is_said)
{
    const m2d__constraint *row = &a->system->rows.items[worst];
    ha__strbuf rows = HA_STRBUF(a->system->ctx);
    char digits[HA__NUMBER_SIZE];
    double apart = 0.0;
    int n = list_contradiction(a, worst, &rows, &apart);
    ha_status status = rows.status;

    *is_said = n > 1;
    if (status == HA_OK && *is_said) {
        print_rounded(digits, apart);
        status = ha_fail(a->system->ctx, HA_ERR_ASSEMBLY, row->where,
                         "%s contradict each other at t = 0: what they ask of the angles is %s rad "
                         "apart, wherever the bodies are; take one of them out, or have it ask for "
                         "what the others leave",
                         ha__strbuf_text(&rows), digits);
    }
    return ha__strbuf_drop(&rows, status);
}

/* Whether the mechanism closes with all fixed positions let go. */
static ha_status closes_freely(m2d_assembly *a, double *q, bool *out)
{
    memcpy(q, a->q, (size_t) a->n * sizeof *q);
    m2d__open_rows(a, true);
    double size = m2d__residual(a, q);
    ha_status status = m2d__search_positions(a, M2D__FREE_ALL, q, &size);
    *out = size <= m2d__accepted_residual;
    m2d__open_guesses(a);
    m2d__residual(a, a->q);
    return status;
}

/* That a fixed start value cannot be met. */
static void describe_start(const m2d__constraint *row, const char *digits, const char *unit,
                           ha__strbuf *text)
{
    ha__strbuf_addf(text, "the fixed start value `%s` cannot be met, it stays off by %s %s",
                    row->name, digits, unit);
}

/* "joint `O` cannot be closed, `O.x` stays at 0.1 m", or of a start value that it cannot be met. */
static void describe(const m2d__constraint *row, double residual, ha__strbuf *text)
{
    char digits[HA__NUMBER_SIZE];

    print_rounded(digits, residual);
    if (row->is_start) {
        describe_start(row, digits, row->is_angle ? "rad" : "m", text);
    } else {
        ha__strbuf_addf(text, "%s `%s` cannot be closed, `%s` stays at %s %s", row->kind,
                        row->joint, row->name, digits, row->is_angle ? "rad" : "m");
    }
}

/* Says that fixed values contradict each other or the joints: those that do, or all. */
static ha_status fail_fixed(m2d_assembly *a, double *q, int worst)
{
    ha_ctx *ctx = a->system->ctx;
    const m2d__constraint *row = &a->system->rows.items[worst];
    ha__strbuf what = HA_STRBUF(ctx), fixed = HA_STRBUF(ctx);
    bool *counts = NULL;
    int n = 0;

    HA_TRY_ALLOC(ctx, counts, a->n + a->n_rows);
    describe(row, a->residual[worst], &what);
    ha_status status = find_culprits(a, q, counts, &n);
    n = list_fixed(a, false, n > 1 ? counts : NULL, &fixed);
    status = status == HA_OK ? what.status : status;
    status = status == HA_OK ? fixed.status : status;
    if (status == HA_OK) {
        status =
            ha_fail(ctx, HA_ERR_ASSEMBLY, row->where,
                    "%s: the fixed start value%s %s contradict%s; take %s out of `fixed` or "
                    "correct it, or give the others start values nearer to an assembled position",
                    ha__strbuf_text(&what), n == 1 ? "" : "s", ha__strbuf_text(&fixed),
                    n == 1 ? "s the joints" : " each other or the joints", n == 1 ? "it" : "one");
    }
    ha__strbuf_clear(&what);
    ha__strbuf_clear(&fixed);
    ha__free(counts);
    return status;
}

ha_status m2d__fail_positions(m2d_assembly *a, double *q)
{
    const char *name[2];
    bool has_fixed = false, closes = false, is_said = false;
    char digits[HA__NUMBER_SIZE];

    m2d__residual(a, a->q);
    int worst = worst_row(a, a->residual);
    for (int k = 0; k < a->n + a->n_rows; k++) {
        has_fixed = has_fixed || is_fixed(a, k, false, name);
    }
    HA_TRY(has_fixed ? closes_freely(a, q, &closes) : HA_OK);
    print_rounded(digits, a->residual[worst]);
    ha_status status = closes ? fail_fixed(a, q, worst) : fail_contradiction(a, worst, &is_said);
    if (status == HA_OK && !closes && !is_said) {
        status = fail_motions(a, q, &is_said);
    }
    if (status == HA_OK && !is_said) {
        status = fail_reach(a, worst, digits);
    }
    m2d__residual(a, a->q);
    return status;
}

/* "the start velocities break joint `O`, the rate of `O.x` stays at 0.1 m/s", or of a start value
   that it cannot be met. */
static void describe_rate(const m2d__constraint *row, double rate, ha__strbuf *text)
{
    char digits[HA__NUMBER_SIZE];

    print_rounded(digits, rate);
    if (row->is_start) {
        describe_start(row, digits, row->is_angle ? "rad/s" : "m/s", text);
    } else {
        ha__strbuf_addf(text, "the start velocities break %s `%s`, the rate of `%s` stays at %s %s",
                        row->kind, row->joint, row->name, digits, row->is_angle ? "rad/s" : "m/s");
    }
}

ha_status m2d__fail_velocities(m2d_assembly *a)
{
    int worst = worst_row(a, a->rate);
    const m2d__constraint *row = &a->system->rows.items[worst];
    ha__strbuf fixed = HA_STRBUF(a->system->ctx), what = HA_STRBUF(a->system->ctx);
    int n_fixed = list_fixed(a, true, NULL, &fixed);

    describe_rate(row, a->rate[worst], &what);
    ha_status status = fixed.status != HA_OK ? fixed.status : what.status;
    if (status == HA_OK && n_fixed > 0) {
        status =
            ha_fail(a->system->ctx, HA_ERR_ASSEMBLY, row->where,
                    "%s: the fixed velocit%s %s contradict%s; take %s out of `fixed` or "
                    "correct it",
                    ha__strbuf_text(&what), n_fixed == 1 ? "y" : "ies", ha__strbuf_text(&fixed),
                    n_fixed == 1 ? "s the joints" : " each other or the joints",
                    n_fixed == 1 ? "it" : "one");
    } else if (status == HA_OK) {
        status = ha_fail(a->system->ctx, HA_ERR_ASSEMBLY, row->where,
                         "%s: prescribed motions contradict each other or the joints there; change "
                         "one or the start",
                         ha__strbuf_text(&what));
    }
    ha__strbuf_clear(&what);
    return ha__strbuf_drop(&fixed, status);
}
