/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Multiports with a matrix: C-field q = C e, I-field p = I f, R-field e = R f. Each port is a
 * one-port of the scalar graph with its own causality; they share the field (law.c).
 *
 * Write x = M y with the contents x and y = e of a C-field, x = p and y = f of an I-field, x = e
 * and y = f of an R-field. With S the ports at which x is known (in storages those in integral
 * causality, in an R-field those where the effort arrives) and D the others,
 *     y_S = M_SS^-1 (x_S - M_SD y_D),  x_D = M_DS y_S + M_DD y_D,
 * the principal pivot transform of M on S, made by one exchange for each port of S. All its pivots
 * are positive where M is positive definite (for an R-field, where its symmetric part is), so any
 * subset of the ports may have either causality. An R-field that is not, or whose entries vary,
 * keeps the one sense e = R f.
 *
 * A port of a storage in derivative causality gives the total time derivative of its x_D. The
 * energy is half the sum of x_k y_k. A storage must be symmetric, or its energy would depend on the
 * way.
 */
#include <config.h>

#include "bondgraph/elements/elem_law.h"

#include <math.h>

/* --- matrices -------------------------------------------------------------------------------- */

/* The numbers of a field's matrix; `*out` (n * n) to be freed, NULL where an entry is no finite
   constant. */
static ha_status read_matrix(bg_graph *graph, const bg__field *field, double **out)
{
    int n = field->n_ports;
    double *m = NULL;
    bool is_constant = true;

    HA_TRY_ALLOC(graph->ctx, m, n * n);
    ha_status status = HA_OK;
    for (int i = 0; i < n * n && status == HA_OK && is_constant; i++) {
        ha_expr entry = HA_EXPR_NONE;
        status = ha_resolve(graph->dag, field->matrix[i], &entry);
        is_constant =
            status == HA_OK && ha_expr_is_constant(graph->dag, entry, &m[i]) && isfinite(m[i]);
    }
    if (status != HA_OK || !is_constant) {
        ha__free(m);
        m = NULL;
    }
    *out = m;
    return status;
}

/* Exchanges x_k and y_k in x = M y. */
static void exchange(double *m, int n, int k)
{
    double pivot = m[k * n + k];

    for (int i = 0; i < n; i++) {
        for (int j = 0; i != k && j < n; j++) {
            m[i * n + j] -= j == k ? 0.0 : m[i * n + k] * m[k * n + j] / pivot;
        }
    }
    for (int i = 0; i < n; i++) {
        m[i * n + k] /= i == k ? 1.0 : pivot;
        m[k * n + i] /= i == k ? 1.0 : -pivot;
    }
    m[k * n + k] = 1.0 / pivot;
}

/* By elimination: every pivot of the symmetric part is positive, beyond rounding. */
static bool is_positive(const double *given, double *m, int n)
{
    for (int i = 0; i < n * n; i++) {
        m[i] = 0.5 * (given[i] + given[i % n * n + i / n]);
    }
    for (int k = 0; k < n; k++) {
        if (!(m[k * n + k] > 1e-13 * fabs(given[k * n + k]))) {
            return false;
        }
        for (int i = k + 1; i < n; i++) {
            double factor = m[i * n + k] / m[k * n + k];
            for (int j = k; j < n; j++) {
                m[i * n + j] -= factor * m[k * n + j];
            }
        }
    }
    return true;
}

static ha_status check_positive(bg_graph *graph, const double *m, int n, bool *out)
{
    double *work = NULL;

    HA_TRY_ALLOC(graph->ctx, work, n * n);
    *out = is_positive(m, work, n);
    ha__free(work);
    return HA_OK;
}

/* --- causality ------------------------------------------------------------------------------- */

static ha_status check_symmetric(bg_graph *graph, const bg__element *e, const double *m)
{
    const bg__extras *extra = bg__extra(e);
    int n = extra->field->n_ports;

    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            double a = m[i * n + j], b = m[j * n + i];
            double scale = sqrt(fabs(m[i * n + i] * m[j * n + j])); /* bounds both, if positive */
            if (fabs(a - b) > 1e-12 * fmax(scale, fmax(fabs(a), fabs(b)))) {
                return ha_fail(
                    graph->ctx, HA_ERR_VALUE, e->where,
                    "the matrix of `%s` has %g in row %d, column %d, and %g the other way "
                    "round; the matrix of %s %s must be symmetric, or it would store no "
                    "energy",
                    extra->field->name, a, i + 1, j + 1, b, bg__article(e->type), e->type->title);
            }
        }
    }
    return HA_OK;
}

static ha_status check_storage(bg_graph *graph, const bg__element *e, const double *m)
{
    const bg__extras *extra = bg__extra(e);
    bool is_good = false;

    if (m == NULL) {
        return ha_fail(
            graph->ctx, HA_ERR_UNSUPPORTED, e->where,
            "the matrix of the %s `%s` has an entry that varies, and the energy it stores "
            "cannot be told from that; give constants, or an energy with a port for what "
            "varies",
            e->type->title, extra->field->name);
    }
    HA_TRY(check_symmetric(graph, e, m));
    HA_TRY(check_positive(graph, m, extra->field->n_ports, &is_good));
    return is_good ? HA_OK
                   : ha_fail(graph->ctx, HA_ERR_VALUE, e->where,
                             "the matrix of `%s` is not positive definite, so that it would store "
                             "less than nothing; check its entries, and write ports without a "
                             "storage between them with transformers",
                             extra->field->name);
}

static ha_status field_pin(bg_graph *graph, const bg__element *e, int *ein, const char **reason)
{
    const bg__extras *extra = bg__extra(e);
    double *m = NULL;
    bool is_good = false;

    *ein = -1;
    HA_TRY(read_matrix(graph, extra->field, &m));
    ha_status status = HA_OK;
    if (e->type->stage == BG__STAGE_STORAGE) {
        status = check_storage(graph, e, m);
    } else if (m == NULL) {
        *reason = "its matrix varies, so that nothing can be divided by it";
        *ein = 0;
    } else {
        status = check_positive(graph, m, extra->field->n_ports, &is_good);
        *reason = "its matrix is not positive definite, so that nothing can be divided by it";
        *ein = is_good ? -1 : 0;
    }
    ha__free(m);
    return status;
}

ha_status bg__pin(bg_graph *graph, const bg__element *e, int port, int *ein, const char **reason)
{
    const bg__extras *extra = bg__extra(e);
    ha_expr value = HA_EXPR_NONE;

    *ein = -1;
    *reason = e->type->pin_reason;
    if (port > 0) {
        *ein = (e->type->takes_effort >> port & 1) != 0 ? 1 : -1;
        *reason = "the temperature must arrive at its port of heat";
        return HA_OK;
    }
    if (extra->field != NULL && extra->field->law == NULL) {
        return field_pin(graph, e, ein, reason);
    }
    if (extra->field != NULL) {
        return bg__law_pin(graph, e, ein, reason);
    }
    if (e->type->pin != NULL) {
        HA_TRY(ha_resolve(graph->dag, bg__component_value(graph, e, 0), &value));
        *ein = e->type->pin(graph->dag, value,
                            extra->position == NULL ? HA_EXPR_NONE : extra->position[0]);
    }
    return HA_OK;
}

/* --- laws ------------------------------------------------------------------------------------ */

/* Row `port` of the matrix that gives what the port has to give, in terms of what arrives. */
static ha_status pivoted_row(const bg__emitter *em, int ein_of_known, ha_expr *row)
{
    const bg__field *field = bg__field_of(em);
    int n = field->n_ports;
    double *m = NULL;

    HA_TRY(read_matrix(em->system->graph, field, &m));
    for (int j = 0; j < n && m != NULL; j++) {
        bg__emitter sibling = bg__sibling(em, j);
        if (bg__effort_arrives(&sibling, 0) == ein_of_known) {
            exchange(m, n, j);
        }
    }
    for (int j = 0; j < n; j++) {
        int i = bg__field_port(em) * n + j;
        row[j] = m != NULL ? ha_constant(em->dag, m[i]) : field->matrix[i];
    }
    ha__free(m);
    return HA_OK;
}

/* The sum over the ports of row times what is known there: x where ein is `ein_of_known`, else
   y. */
static ha_status combine(const bg__emitter *em, int ein_of_known,
                         ha_expr (*x)(const bg__emitter *em), ha_expr (*y)(const bg__emitter *em),
                         ha_expr *out)
{
    ha_expr *row = NULL, sum = ha_constant(em->dag, 0.0);
    int n = bg__field_of(em)->n_ports;

    HA_TRY_ALLOC(em->system->ctx, row, n);
    ha_status status = pivoted_row(em, ein_of_known, row);
    for (int j = 0; j < n && status == HA_OK; j++) {
        bg__emitter sibling = bg__sibling(em, j);
        ha_expr known = bg__effort_arrives(&sibling, 0) == ein_of_known ? x(&sibling) : y(&sibling);
        sum = ha_add(em->dag, sum, ha_mul(em->dag, row[j], known));
    }
    ha__free(row);
    *out = sum;
    return status != HA_OK ? status : ha_dag_status(em->dag);
}

static ha_expr content(const bg__emitter *em)
{
    return bg__field_of(em)->content[bg__field_port(em)];
}

static ha_expr effort(const bg__emitter *em)
{
    return bg__effort(em, 0);
}

static ha_expr flow(const bg__emitter *em)
{
    return bg__flow(em, 0);
}

/* The own inertia of a port: what the absolute tolerance of its momentum is scaled by. */
static ha_expr own_entry(const bg__emitter *em)
{
    const bg__field *field = bg__field_of(em);

    return field->matrix[bg__field_port(em) * (field->n_ports + 1)];
}

static ha_status integral_emit(bg__emitter *em, bool is_inertia, ha_expr given)
{
    ha_expr y = HA_EXPR_NONE, yp = HA_EXPR_NONE;
    ha_expr rate = is_inertia ? effort(em) : flow(em);

    HA_TRY(bg__add_unknown(em, BG__STATE, is_inertia ? "p" : "q", bg__start(em), &y, &yp));
    bg__last_unknown(em)->measures.curvature =
        ha_div(em->dag, ha_constant(em->dag, 1.0), own_entry(em));
    if (is_inertia) {
        bg__last_unknown(em)->measures.scale = own_entry(em);
    }
    HA_TRY(bg__add_row(em, BG__ROW_STATE, ha_sub(em->dag, yp, rate), HA_EXPR_NONE));
    HA_TRY(bg__define_content(em, y));
    HA_TRY(bg__define_signal(em, is_inertia ? BG_SIGNAL_P : BG_SIGNAL_Q, y));
    return is_inertia ? bg__set_flow(em, 0, given) : bg__set_effort(em, 0, given);
}

ha_status bg__field_store_emit(bg__emitter *em, bool is_inertia)
{
    ha_expr value = HA_EXPR_NONE, rate = HA_EXPR_NONE;

    HA_TRY(combine(em, is_inertia, content, is_inertia ? flow : effort, &value));
    if (bg__effort_arrives(em, 0) == is_inertia) {
        return integral_emit(em, is_inertia, value);
    }
    HA_TRY(bg__define_content(em, value));
    HA_TRY(bg__define_signal(em, is_inertia ? BG_SIGNAL_P : BG_SIGNAL_Q, value));
    HA_TRY(bg__rate_of(em, content(em), &rate));
    return is_inertia ? bg__set_effort(em, 0, rate) : bg__set_flow(em, 0, rate);
}

ha_expr bg__field_energy(bg__emitter *em, bool is_inertia)
{
    ha_expr y = is_inertia ? flow(em) : effort(em);

    return ha_mul(em->dag, ha_constant(em->dag, 0.5), ha_mul(em->dag, content(em), y));
}

ha_status bg__field_resistor_emit(bg__emitter *em)
{
    ha_expr value = HA_EXPR_NONE;

    HA_TRY(combine(em, 1, effort, flow, &value));
    return bg__effort_arrives(em, 0) == 1 ? bg__set_flow(em, 0, value)
                                          : bg__set_effort(em, 0, value);
}
