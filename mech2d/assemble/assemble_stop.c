/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the joints do where a run stopped. A mechanism locks, or passes a dead point, where rows of
 * its constraint Jacobian become dependent. A run stops close to such a position, not in it: a row
 * counts as dependent here when its part outside of the rows before it is short, at the start as
 * well, so that only what is new there is told.
 *
 * A contact may be deeper than its law is defined: that is the reason, and what the equations came
 * to there follows from it.
 */
#include <config.h>

#include "mech2d/branch.h"

#include "lib/core/context_priv.h"
#include "lib/core/number.h"
#include "lib/core/strbuf.h"
#include "lib/linalg/rank.h"
#include "mech2d/assemble/assemble_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double near = 1e-2;    /* of the length of a row */
static const double in_line = 0.05; /* [rad] */

static const double nearly = 0.9; /* of the depth at which a law ends */

enum { MOST = 6 }; /* names of one kind */

/* Marks the rows that are nearly dependent at the positions of `a`. */
static ha_status find_dependent(m2d_assembly *a, bool *is_dependent, int *n)
{
    const m2d_system *system = a->system;
    const ha__matrix matrix = { a->n_rows, a->n, system->column_start, system->entry_row,
                                a->velocity_out };
    const ha__rank_options options = { .column_scale = a->free_scale, .tolerance = near };
    int rank = 0;

    m2d__jacobian(a, a->q);
    for (int j = 0; j < a->n; j++) {
        a->free_scale[j] = j % 3 == 2 ? 1.0 / system->length : 1.0;
    }
    HA_TRY(ha__rank(system->ctx, &matrix, &options, &rank, a->redundant));
    *n = a->n_rows - rank;
    for (int i = 0; i < *n; i++) {
        is_dependent[a->redundant[i]] = true;
    }
    return HA_OK;
}

/* Takes the coordinates from the unknowns of a model, by their names. */
static ha_status take_positions(m2d_assembly *a, const bg_model *model, const double *y)
{
    static const char *const labels[3] = { "x", "y", "angle" };
    ha__strbuf name = HA_STRBUF(a->system->ctx);
    ha_status status = HA_OK;

    for (int j = 0; j < a->n && status == HA_OK; j++) {
        name.length = 0;
        ha__strbuf_addf(&name, "%s.position.%s.q", a->system->masses.items[j / 3].name,
                        labels[j % 3]);
        status = name.status;
        int unknown = status == HA_OK ? bg_model_find_unknown(model, ha__strbuf_text(&name)) : -1;
        a->q[j] = unknown >= 0 ? y[unknown] : a->q[j];
    }
    return ha__strbuf_drop(&name, status);
}

/* " `C.y`, `D.x`": the rows that are dependent now and were not before. */
static int list_rows(const m2d_assembly *a, const bool *before, const bool *now, ha__strbuf *text)
{
    int n = 0;

    for (int i = 0; i < a->n_rows; i++) {
        if (now[i] && !before[i] && n++ < MOST) {
            ha__strbuf_addf(text, "%s`%s`", n == 1 ? "" : ", ", a->system->rows.items[i].name);
        }
    }
    ha__strbuf_add(text, n > MOST ? ", ..." : "");
    return n;
}

/* "; the bars at `C` from coupler.B over coupler.C to rocker.D are in line to 0.3 deg". */
static ha_status list_turns(m2d_mechanism *mechanism, const m2d_assembly *a, ha__strbuf *text)
{
    const double pi = acos(-1.0);
    m2d_turn *turns = NULL;
    int n = 0, n_listed = 0;

    HA_TRY(m2d_find_turns(mechanism, a, &turns, &n));
    for (int i = 0; i < n; i++) {
        const m2d_turn *t = &turns[i];
        double off = fmin(fabs(t->angle), pi - fabs(t->angle));
        if (off < in_line && n_listed++ < MOST) {
            char digits[HA__NUMBER_SIZE];
            ha__strbuf_addf(
                text, "; at `%s` the bars from %s over %s to %s are in line to %s deg",
                m2d_joint_name(mechanism, t->joint), m2d_point_name(mechanism, t->points[0]),
                m2d_point_name(mechanism, t->points[1]), m2d_point_name(mechanism, t->points[3]),
                ha__print_rounded_number(digits, off * 180.0 / pi, 2));
        }
    }
    free(turns);
    return text->status;
}

static ha_status note(m2d_mechanism *mechanism, const m2d_assembly *a, const bool *before,
                      const bool *now, double t)
{
    ha__strbuf rows = HA_STRBUF(a->system->ctx), turns = HA_STRBUF(a->system->ctx);
    bool is_driven = m2d_mechanism_n_motions(mechanism) > 0;
    int n = list_rows(a, before, now, &rows);
    ha_status status = list_turns(mechanism, a, &turns);

    status = rows.status == HA_OK ? status : rows.status;
    if (status == HA_OK && n > 0) {
        ha_note(a->system->ctx, HA_NOWHERE,
                "at t = %.6g s the joints are near a position where %s follow%s from the other "
                "constraints, unlike at the start%s; %s",
                t, ha__strbuf_text(&rows), n == 1 ? "s" : "", ha__strbuf_text(&turns),
                is_driven
                    ? "with its prescribed motions the mechanism locks there: keep the motions "
                      "within its reach, or drive it by forces or torques"
                    : "there it can go on in several ways: give the bodies other measures, or "
                      "start it elsewhere");
    }
    ha__strbuf_clear(&rows);
    return ha__strbuf_drop(&turns, status);
}

/* Tells the contacts that are as deep as they may get: why the run stopped. */
static ha_status note_contacts(m2d_assembly *a, double t)
{
    ha_dag *dag = bg_graph_dag(a->system->graph);

    for (size_t i = 0; i < a->system->bumps.count; i++) {
        const m2d__bump *bump = &a->system->bumps.items[i];
        ha_expr value = HA_EXPR_NONE;
        HA_TRY(ha_resolve(dag, bump->depth, &value));
        double depth = ha_expr_value(dag, value, m2d__coordinate, a);
        HA_TRY(ha_dag_status(dag));
        if (depth > nearly * bump->most && bump->passes) {
            (void) ha_fail(a->system->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                           "the run stopped at t = %.6g s, where the bodies of the contact `%s` go "
                           "through each other: they are %.3g m deep in each other, nearly the sum "
                           "of their radii; make the contact stiffer, or the bodies lighter or "
                           "slower",
                           t, bump->name, depth);
            ha__ctx_conclude(a->system->ctx);
        } else if (depth > nearly * bump->most) {
            (void) ha_fail(
                a->system->ctx, HA_ERR_SOLVER, HA_NOWHERE,
                "the run stopped at t = %.6g s, where the contact `%s` is %.3g m deep: its "
                "law of cylinders ends at %.3g m; check masses, speeds and "
                "`cylinder_length`, or take the `cylinder_law` pereira, which does not "
                "end",
                t, bump->name, depth, bump->most);
            ha__ctx_conclude(a->system->ctx);
        }
    }
    return HA_OK;
}

/* Tells the rows that are dependent at the stop and were not at the start. */
static ha_status note_rows(m2d_mechanism *mechanism, m2d_assembly *a, bool *dependent,
                           const m2d_assembly *at_start, const bg_model *model, const double *y,
                           double t)
{
    bool *before = dependent, *now = dependent + a->n_rows;
    int n_before = 0, n_now = 0;

    memcpy(a->q, at_start->q, (size_t) a->n * sizeof *a->q);
    HA_TRY(find_dependent(a, before, &n_before));
    HA_TRY(take_positions(a, model, y));
    HA_TRY(find_dependent(a, now, &n_now));
    return n_now > n_before ? note(mechanism, a, before, now, t) : HA_OK;
}

ha_status m2d_explain_stop(m2d_mechanism *mechanism, const m2d_assembly *assembly,
                           const bg_model *model, const double *y, double t)
{
    m2d_assembly *a = NULL;
    bool *dependent = NULL;

    if (assembly->n == 0) {
        return HA_OK;
    }
    HA_TRY(m2d__assembly_new(assembly->system, &a));
    ha_status status = take_positions(a, model, y);
    HA_THEN(status, note_contacts(a, t));
    if (status == HA_OK && a->n_rows > 0) {
        dependent = ha__alloc(a->system->ctx, 2 * (size_t) a->n_rows, sizeof *dependent);
        status = dependent == NULL ? HA_ERR_MEMORY
                                   : note_rows(mechanism, a, dependent, assembly, model, y, t);
    }
    ha__free(dependent);
    m2d_assembly_free(a);
    return status;
}
