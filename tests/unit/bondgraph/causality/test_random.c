/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random bond graphs: trees and meshes of junctions with two-ports between them and one-ports on
 * them. What is found is compared with exhaustive search over the strokes, with itself after the
 * text was shuffled, with difference quotients, with the conservation of power, and with the raw
 * equations of all efforts and flows, which know no strokes. A graph that
 * fails is made smaller as long as it fails, and printed.
 */
#include <config.h>

#include "bondgraph/compact.h"
#include "bondgraph/model/model_priv.h"

#include "tests/unit/bondgraph/random_graph.h"
#include "tests/unit/bondgraph/raw_equations.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_SEEDS = 8000 };

/* --- exhaustive search ----------------------------------------------------------------------- */

/* A search over the strokes of all bonds. */
typedef struct {
    const bg__system *s;
    int n, order[MAX_BONDS]; /* bonds in the order in which they are set */
    signed char head[MAX_BONDS];
    bool obeys_pins;
    int fewest, n_derivative; /* derivative storages: the least found, of the branch */
    bool wants_first;         /* stop at the first assignment: the best in the order */
    long n_visited;
} exhaustion;

static const bg__type *type_of(const bg__system *s, int e)
{
    return s->graph->elements.items[e].type;
}

static int ein_of(const exhaustion *x, int e, int b)
{
    int head = x->head[b];

    return head < 0 ? -1 : x->s->graph->bonds.items[b].head == e ? head : 1 - head;
}

/* The sense that the value of an element leaves it, as its type says in words. */
static int pinned(const bg__system *s, int e)
{
    ha_dag *dag = s->graph->dag;
    const bg__type *type = type_of(s, e);
    ha_expr value = bg__component_value(s->graph, &s->graph->elements.items[e], 0);

    return strstr(type->name, "TF") != NULL && !ha_expr_is_constant(dag, value, NULL) ? 0 : -1;
}

/* The rule of an element can still be obeyed. */
static bool is_possible(const exhaustion *x, int e)
{
    const bg__type *type = type_of(x->s, e);
    int n = bg__n_ports(x->s, e), n_in = 0, n_out = 0;

    for (int port = 0; port < n; port++) {
        int ein = ein_of(x, e, bg__port_bond(x->s, e, port));
        n_in += ein == 1;
        n_out += ein == 0;
    }
    if (strcmp(type->name, "0") == 0) {
        return n_in <= 1 && n_out <= n - 1;
    }
    if (strcmp(type->name, "1") == 0) {
        return n_out <= 1 && n_in <= n - 1;
    }
    if (strstr(type->name, "TF") != NULL) {
        int first = ein_of(x, e, bg__port_bond(x->s, e, 0));
        bool is_pinned = x->obeys_pins && pinned(x->s, e) == 0;
        return n_in <= 1 && n_out <= 1 &&
               !(is_pinned && (first == 1 || ein_of(x, e, bg__port_bond(x->s, e, 1)) == 0));
    }
    if (strstr(type->name, "GY") != NULL) {
        return n_in == 0 || n_out == 0;
    }
    if (strcmp(type->name, "Se") == 0 || strcmp(type->name, "Df") == 0) {
        return n_in == 0;
    }
    if (strcmp(type->name, "Sf") == 0 || strcmp(type->name, "De") == 0) {
        return n_out == 0;
    }
    return true;
}

/* 1: the bond has a storage in derivative causality. */
static int is_derivative(const exhaustion *x, int b)
{
    const bg__bond *bond_at = &x->s->graph->bonds.items[b];
    int n = 0;

    for (int end = 0; end < 2; end++) {
        int e = end == 0 ? bond_at->tail : bond_at->head;
        const char *name = type_of(x->s, e)->name;
        n += strcmp(name, "I") == 0 && ein_of(x, e, b) == 0;
        n += strcmp(name, "C") == 0 && ein_of(x, e, b) == 1;
    }
    return n;
}

/* The stroke at the head that is tried first: what a storage or sink at the bond prefers. */
static int preferred_head(const bg__system *s, int b)
{
    for (int end = 0; end < 2; end++) {
        int e = end == 0 ? s->graph->bonds.items[b].tail : s->graph->bonds.items[b].head;
        const char *name = type_of(s, e)->name;
        int ein = strcmp(name, "I") == 0 || strcmp(name, "Re") == 0   ? 1
                  : strcmp(name, "C") == 0 || strcmp(name, "Rf") == 0 ? 0
                                                                      : -1;
        if (ein >= 0) {
            return end == 1 ? ein : 1 - ein;
        }
    }
    return 1;
}

static void search(exhaustion *x, int k)
{
    if (x->n_visited++ > 3000000 || (x->wants_first && x->fewest < MAX_BONDS)) {
        return;
    }
    if (k == x->n) {
        x->fewest = x->n_derivative;
        return;
    }

    int b = x->order[k], first = preferred_head(x->s, b);
    const bg__bond *bond_at = &x->s->graph->bonds.items[b];
    for (int way = 0; way < 2; way++) {
        x->head[b] = (signed char) (way == 0 ? first : 1 - first);
        int n_more = is_derivative(x, b);
        if (x->n_derivative + n_more < x->fewest && is_possible(x, bond_at->tail) &&
            is_possible(x, bond_at->head)) {
            x->n_derivative += n_more;
            search(x, k + 1);
            x->n_derivative -= n_more;
            if (x->wants_first && x->fewest < MAX_BONDS) {
                return;
            }
        }
    }
    x->head[b] = -1;
}

/* Storages in order of names, then sinks in order of names, then the rest. */
static void order_by_name(exhaustion *x)
{
    bool is_listed[MAX_BONDS] = { false };
    int n = 0;

    for (int stage = 0; stage < 2; stage++) {
        for (;;) {
            const char *least = NULL;
            int bond_of_least = -1;
            for (size_t e = 0; e < x->s->graph->elements.count; e++) {
                const char *type = type_of(x->s, (int) e)->name;
                const char *name = x->s->graph->elements.items[e].name;
                int b = bg__port_bond(x->s, (int) e, 0);
                bool is_wanted = stage == 0 ? strcmp(type, "I") == 0 || strcmp(type, "C") == 0
                                            : strcmp(type, "Re") == 0 || strcmp(type, "Rf") == 0;
                if (is_wanted && !is_listed[b] && (least == NULL || strcmp(name, least) < 0)) {
                    least = name;
                    bond_of_least = b;
                }
            }
            if (least == NULL) {
                break;
            }
            is_listed[bond_of_least] = true;
            x->order[n++] = bond_of_least;
        }
    }
    for (int b = 0; b < x->n; b++) {
        if (!is_listed[b]) {
            x->order[n++] = b;
        }
    }
}

/* The least number of derivative storages, MAX_BONDS when no assignment exists, -1 given up. */
static int fewest_derivatives(const bg__system *s, bool obeys_pins)
{
    exhaustion x = {
        .s = s, .n = (int) s->graph->bonds.count, .obeys_pins = obeys_pins, .fewest = MAX_BONDS
    };

    memset(x.head, -1, sizeof x.head);
    for (int b = 0; b < x.n; b++) {
        x.order[b] = b;
    }
    search(&x, 0);
    return x.n_visited > 3000000 ? -1 : x.fewest;
}

/* --- checks: each returns NULL or what is wrong ---------------------------------------------- */

static char complaint[1000];

static const char *complain(const char *format, ...) HA_PRINTF(1, 2);

static const char *complain(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(complaint, sizeof complaint, format, arguments);
    va_end(arguments);
    return complaint;
}

static int n_complete, n_derived, n_run, n_loops_run, n_singular, n_refused, n_given_up;

static bool is_complete(const bg_causality *c)
{
    return c->strokes.outcome == BG_CLASS_COUNT;
}

static const char *check_rules(const bg_causality *c)
{
    exhaustion x = { .s = c->system, .n = (int) c->system->graph->bonds.count, .obeys_pins = true };

    for (int b = 0; b < x.n; b++) {
        x.head[b] = c->system->heads[b];
        if (x.head[b] < 0) {
            return complain("bond %d has no stroke", b);
        }
    }
    for (size_t e = 0; e < c->system->graph->elements.count; e++) {
        if (!is_possible(&x, (int) e)) {
            return complain("the rule of %s is broken", c->system->graph->elements.items[e].name);
        }
    }
    return NULL;
}

/* The best assignment in the order of storages, then sinks, by name. */
static const char *check_best(const bg_causality *c)
{
    exhaustion x = { .s = c->system,
                     .n = (int) c->system->graph->bonds.count,
                     .obeys_pins = true,
                     .fewest = MAX_BONDS,
                     .wants_first = true };

    memset(x.head, -1, sizeof x.head);
    order_by_name(&x);
    search(&x, 0);
    if (x.n_visited > 3000000) {
        n_given_up++;
        return NULL;
    }
    for (size_t e = 0; e < c->system->graph->elements.count; e++) {
        bg__stage stage = type_of(c->system, (int) e)->stage;
        int b = bg__port_bond(c->system, (int) e, 0);
        if ((stage == BG__STAGE_STORAGE || stage == BG__STAGE_SINK) &&
            x.head[b] != c->system->heads[b]) {
            return complain("the best assignment has %s the other way",
                            c->system->graph->elements.items[e].name);
        }
    }
    return NULL;
}

static const char *check_strokes(const bg_causality *c)
{
    int fewest = fewest_derivatives(c->system, true);
    int without_pins = fewest_derivatives(c->system, false);
    bg_class kind = bg_causality_class(c);

    if (fewest < 0 || without_pins < 0) {
        n_given_up++;
        return is_complete(c) ? check_rules(c) : NULL;
    }
    if (is_complete(c) != (fewest < MAX_BONDS)) {
        return complain("%s, but an assignment %s", bg_class_name(kind),
                        fewest < MAX_BONDS ? "exists" : "does not exist");
    }
    if (!is_complete(c)) {
        if (ha_ctx_n_errors(c->ctx) != 1) {
            return complain("%s with %zu errors", bg_class_name(kind), ha_ctx_n_errors(c->ctx));
        }
        bool is_right = kind == (without_pins == MAX_BONDS ? BG_CONFLICT : BG_NON_INVERTIBLE);
        return is_right
                   ? NULL
                   : complain("%s, but without the values that leave one sense an assignment %s",
                              bg_class_name(kind),
                              without_pins == MAX_BONDS ? "does not exist" : "exists");
    }
    n_complete++;
    if (bg_causality_count(c, BG_DERIVATIVE) != fewest) {
        return complain("%d derivative storages, %d would do", bg_causality_count(c, BG_DERIVATIVE),
                        fewest);
    }
    const char *wrong = check_rules(c);
    return wrong != NULL ? wrong : check_best(c);
}

/* --- equations and runs ---------------------------------------------------------------------- */

/* An entry of the Jacobian by the compressed columns. */
static double entry(const ha_dae *dae, const double *values, int row, int column)
{
    for (int64_t k = dae->column_start[column]; k < dae->column_start[column + 1]; k++) {
        if (dae->row[k] == row) {
            return values[k];
        }
    }
    return 0.0;
}

/* dF/dx_j by central differences; x is y or y'. */
static void quotient(const ha_dae *dae, double *work, double t, double *y, double *yp, double *x,
                     int j, double *out)
{
    double kept = x[j], h = 1e-4, *other = out + dae->n;

    x[j] = kept + h;
    dae->residual(dae->model, work, t, y, yp, out);
    x[j] = kept - h;
    dae->residual(dae->model, work, t, y, yp, other);
    x[j] = kept;
    for (int i = 0; i < dae->n; i++) {
        out[i] = (out[i] - other[i]) / (2.0 * h);
    }
}

static const char *check_jacobian(const bg_model *m)
{
    const ha_dae *dae = bg_model_dae(m);
    const double parameters[BG__PARAMETER_COUNT] = { 3.0, 2.0, 0.5 };
    size_t n = (size_t) dae->n, n_values = (size_t) dae->column_start[dae->n];
    double *buffer = calloc(dae->work_size + 6 * n + n_values + 1, sizeof *buffer);
    double *y = buffer, *yp = y + n, *dy = yp + n, *dyp = dy + 2 * n;
    double *values = dyp + 2 * n, *work = values + n_values;
    const char *wrong = NULL;

    dae->prepare(dae->model, parameters, work);
    for (int round = 0; round < 3 && wrong == NULL; round++) {
        double t = uniform(0.0, 2.0), cj = uniform(0.5, 100.0);
        for (size_t i = 0; i < n; i++) {
            y[i] = uniform(-2.0, 2.0);
            yp[i] = uniform(-2.0, 2.0);
        }
        dae->jacobian(dae->model, work, t, cj, y, yp, values);
        for (int j = 0; j < dae->n && wrong == NULL; j++) {
            quotient(dae, work, t, y, yp, y, j, dy);
            quotient(dae, work, t, y, yp, yp, j, dyp);
            for (int i = 0; i < dae->n && wrong == NULL; i++) {
                double found = entry(dae, values, i, j), wanted = dy[i] + cj * dyp[i];
                double scale = fmax(1.0, fabs(dy[i]) + cj * fabs(dyp[i]));
                if (!(fabs(found - wanted) <= 1e-6 * scale)) {
                    wrong = complain("Jacobian of %s by %s: %.12g, not %.12g", dae->equations[i],
                                     dae->unknowns[j].name, found, wanted);
                }
            }
        }
    }
    free(buffer);
    return wrong;
}

/* Makes outputs e0, f0, e1, ... of the effort and flow of each bond. */
static ha_status show_bonds(const bg_causality *c, bg_equations *q)
{
    for (size_t b = 0; b < c->system->graph->bonds.count; b++) {
        for (int k = 0; k < 2; k++) {
            bg__eq_output output = { .unit = "" };
            output.name = ha__arena_format(q->ctx, &q->arena, "%c%zu", k == 0 ? 'e' : 'f', b);
            HA_TRY(ha_resolve(q->dag, k == 0 ? c->system->e[b] : c->system->f[b], &output.value));
            HA_TRY_PUSH(q->ctx, &q->outputs, output);
        }
    }
    return HA_OK;
}

/* A loop that constrains the states is stabilised like a constraint and may be off by as much. */
static double drift_of_loops(const bg_equations *q, const bg_run_report *report)
{
    for (size_t i = 0; i < q->checks.count; i++) {
        if (strncmp(q->rows.items[q->checks.items[i].row].name, "loop", 4) == 0) {
            return 100.0 * report->velocity_error;
        }
    }
    return 0.0;
}

/* Power into each element that neither stores nor supplies nor dissipates, in each row. */
static const char *check_power(const bg_causality *c, const ha_result *result, double drift)
{
    const bg__system *s = c->system;

    for (size_t e = 0; e < s->graph->elements.count; e++) {
        if (type_of(s, (int) e)->stage != BG__STAGE_STRUCTURE) {
            continue;
        }
        for (size_t row = 0; row < ha_result_n_rows(result); row++) {
            double sum = 0.0, size = 0.0;
            for (int port = 0; port < bg__n_ports(s, (int) e); port++) {
                int b = bg__port_bond(s, (int) e, port);
                char name[2][16];
                snprintf(name[0], sizeof name[0], "e%d", b);
                snprintf(name[1], sizeof name[1], "f%d", b);
                double power =
                    ha_result_value(result, row, (size_t) ha_result_find(result, name[0])) *
                    ha_result_value(result, row, (size_t) ha_result_find(result, name[1]));
                sum += s->graph->bonds.items[b].head == (int) e ? power : -power;
                size += fabs(power);
            }
            if (!(fabs(sum) <= 1e-9 * size + 1e-12 + drift)) {
                return complain("power into %s: %g of %g", s->graph->elements.items[e].name, sum,
                                size);
            }
        }
    }
    return NULL;
}

static const char *check_energy(const ha_result *result, double error)
{
    static const char *const names[] = { "energy.kinetic", "energy.potential", "energy.supplied",
                                         "energy.dissipated" };
    double scale = 1.0;

    for (size_t i = 0; i < HA_COUNT(names); i++) {
        for (size_t row = 0; row < ha_result_n_rows(result); row++) {
            size_t column = (size_t) ha_result_find(result, names[i]);
            scale = fmax(scale, fabs(ha_result_value(result, row, column)));
        }
    }
    return error <= 1e-5 * scale ? NULL : complain("energy error %g of %g", error, scale);
}

/* Efforts and flows at the end obey the raw equations and what follows from their derivatives. */
static const char *check_raw(const bg_causality *c, const ha_result *result)
{
    static raw_system raw;
    double ef[2 * RAW_MAX_BONDS];
    size_t row = ha_result_n_rows(result) - 1;

    raw_build(&raw, c->system, ha_result_value(result, row, 0));
    if (raw.n_equations != raw.n_unknowns) {
        return complain("%d raw equations for %d unknowns", raw.n_equations, raw.n_unknowns);
    }
    for (size_t b = 0; b < c->system->graph->bonds.count; b++) {
        for (int k = 0; k < 2; k++) {
            char name[24];
            snprintf(name, sizeof name, "%c%zu", k == 0 ? 'e' : 'f', b);
            ef[2 * b + (size_t) k] =
                ha_result_value(result, row, (size_t) ha_result_find(result, name));
        }
    }
    double distance = raw_distance(&raw, ef);
    return distance <= 1e-5 ? NULL : complain("off the raw equations by %g", distance);
}

/* A graph that is refused must deserve it: singular with its values at the start. */
static const char *check_refusal(const bg_causality *c, const char *text)
{
    static raw_system raw;

    raw_build(&raw, c->system, 0.1234);
    if (raw_regularity(&raw) > 1e-9) {
        n_refused++;
        if (getenv("TEST_VERBOSE") != NULL) {
            fprintf(stderr, "refused: %s\n", text);
        }
    }
    return NULL;
}

/* A run may stop where the graph becomes singular: a modulus that varies passes a gain of 1. */
static const char *check_stop(ha_ctx *ctx, const bg_causality *c, ha_status status, double t)
{
    static raw_system raw;

    raw_build(&raw, c->system, t);
    if (status == HA_ERR_SOLVER && raw_regularity(&raw) < 1e-6) {
        n_singular++;
        return NULL;
    }
    return complain("run: %s: %s", ha_status_name(status), last_error(ctx));
}

static const char *check_run(ha_ctx *ctx, const bg_causality *c, bg_equations *q, const bg_model *m)
{
    bg_run_options options = bg_run_options_default();
    bg_run_report report;
    ha_result *result = ha_result_new(ctx);

    options.solver.t_end = 1.0;
    options.solver.step = 0.1;
    options.solver.rtol = options.solver.atol = 1e-8;
    ha_status status = bg_model_run(ctx, m, &options, result, &report);
    const char *wrong = NULL;
    if (status == HA_ERR_SINGULAR) { /* strokes are necessary, not sufficient */
        n_singular++;
        wrong = check_refusal(c, last_error(ctx));
    } else if (status != HA_OK) {
        wrong = check_stop(ctx, c, status, report.solver.t_reached);
    } else {
        n_run++;
        n_loops_run += bg_causality_n_loops(c) > 0;
        wrong = check_power(c, result, drift_of_loops(q, &report));
        wrong = wrong != NULL ? wrong : check_raw(c, result);
        wrong = wrong != NULL ? wrong : check_energy(result, report.energy_error);
    }
    ha_result_free(result);
    return wrong;
}

static const char *check_equations(ha_ctx *ctx, const bg_causality *c)
{
    bg_equations *equations = NULL;
    bg_model *model = NULL;
    ha_status expected = bg_causality_status(c);
    ha_status status = bg_equations_derive(c, &equations);
    const char *wrong = NULL;

    if (status != HA_OK) {
        bool is_told = ha_ctx_n_errors(ctx) > 0;
        bool is_expected =
            status == expected ||
            (expected == HA_OK && (status == HA_ERR_UNSUPPORTED || status == HA_ERR_SINGULAR));
        return is_told && is_expected
                   ? check_refusal(c, last_error(ctx))
                   : complain("derive: %s: %s", ha_status_name(status), last_error(ctx));
    }
    n_derived++;
    status = show_bonds(c, equations);
    status = status != HA_OK ? status : bg_model_compile(equations, NULL, 0, &model);
    if (status != HA_OK) {
        wrong = complain("compile: %s: %s", ha_status_name(status), last_error(ctx));
    } else {
        wrong = check_jacobian(model);
        wrong = wrong != NULL ? wrong : check_run(ctx, c, equations, model);
    }
    bg_model_free(model);
    bg_equations_free(equations);
    return wrong;
}

/* --- one graph ------------------------------------------------------------------------------- */

/* Reads the text and assigns causality; NULL with a complaint when that fails. */
static bg_causality *assigned(ha_ctx *ctx, const char *text, bg_graph **graph)
{
    bg_causality *causality = NULL;

    *graph = bg_graph_new(ctx);
    ha_status status = bg_compact_read(*graph, text, strlen(text), HA_NOWHERE);
    status = status != HA_OK ? status : bg_causality_assign(*graph, &causality);
    if (status != HA_OK) {
        complain("%s: %s", ha_status_name(status), last_error(ctx));
    }
    return causality;
}

static const char *check_text(const char *text, char summary[MAX_TEXT], bool is_first)
{
    ha_ctx *ctx = ha_ctx_new();
    bg_graph *graph = NULL;
    bg_causality *causality = assigned(ctx, text, &graph);
    const char *wrong = causality == NULL ? complaint : NULL;

    if (wrong == NULL) {
        summarise(causality, summary);
        wrong = is_first ? check_strokes(causality) : NULL;
    }
    if (wrong == NULL && is_first && is_complete(causality)) {
        wrong = check_equations(ctx, causality);
    }
    bg_causality_free(causality);
    bg_graph_free(graph);
    ha_ctx_free(ctx);
    return wrong;
}

static const char *check_graph(const description *d)
{
    static char text[MAX_TEXT], summaries[2][MAX_TEXT];
    const char *wrong = NULL;

    write_text(d, false, text);
    wrong = check_text(text, summaries[0], true);
    for (int round = 0; round < 3 && wrong == NULL; round++) {
        write_text(d, true, text);
        wrong = check_text(text, summaries[1], false);
        if (wrong == NULL && strcmp(summaries[0], summaries[1]) != 0) {
            wrong = complain("another order gives %.400s, not %.400s", summaries[1], summaries[0]);
        }
    }
    return wrong;
}

/* --- smaller graphs -------------------------------------------------------------------------- */

static void remove_bond(description *d, int b)
{
    for (int i = b; i < d->n_bonds - 1; i++) {
        d->b[i] = d->b[i + 1];
    }
    d->n_bonds--;
}

/* Without an element and its bonds. */
static description without_element(const description *d, int e)
{
    description smaller = *d;

    for (int b = smaller.n_bonds - 1; b >= 0; b--) {
        if (smaller.b[b].tail == e || smaller.b[b].head == e) {
            remove_bond(&smaller, b);
            continue;
        }
        smaller.b[b].tail -= smaller.b[b].tail > e;
        smaller.b[b].head -= smaller.b[b].head > e;
    }
    for (int i = e; i < smaller.n_elements - 1; i++) {
        smaller.e[i] = smaller.e[i + 1];
    }
    smaller.n_elements--;
    return smaller;
}

static description without_bond(const description *d, int b)
{
    description smaller = *d;

    remove_bond(&smaller, b);
    return smaller;
}

/* Every element has as many bonds as it needs. */
static bool is_whole(const description *d)
{
    for (int e = 0; e < d->n_elements; e++) {
        int n = 0;
        for (int b = 0; b < d->n_bonds; b++) {
            n += d->b[b].tail == e || d->b[b].head == e;
        }
        if (n < (is_two_port(&d->e[e]) ? 2 : 1)) {
            return false;
        }
    }
    return true;
}

/* The check still fails with the same first words. */
static bool fails_alike(const description *d, const char *words)
{
    if (!is_whole(d)) {
        return false;
    }
    const char *wrong = check_graph(d);
    return wrong != NULL && strncmp(wrong, words, 6) == 0;
}

static void shrink(description *d, const char *words)
{
    for (bool is_smaller = true; is_smaller;) {
        is_smaller = false;
        for (int i = 0; i < d->n_elements + d->n_bonds && !is_smaller; i++) {
            description smaller =
                i < d->n_elements ? without_element(d, i) : without_bond(d, i - d->n_elements);
            /* a two-port, or a junction of two, goes with what hangs on it */
            for (int e = 0; e < smaller.n_elements && !is_whole(&smaller); e++) {
                description less = without_element(&smaller, e);
                if (is_whole(&less)) {
                    smaller = less;
                }
            }
            if (fails_alike(&smaller, words)) {
                *d = smaller;
                is_smaller = true;
            }
        }
    }
}

START_TEST(random_graphs_keep_all_promises)
{
    char text[MAX_TEXT], words[1000];

    /* tests may share a process */
    n_complete = n_derived = n_run = n_loops_run = n_singular = n_refused = n_given_up = 0;
    for (unsigned seed = (unsigned) _i * 100 + 1; seed <= (unsigned) _i * 100 + 100; seed++) {
        description d = random_graph(seed);
        const char *wrong = check_graph(&d);
        if (wrong != NULL) {
            snprintf(words, sizeof words, "%s", wrong);
            shrink(&d, words);
            write_text(&d, false, text);
            ck_abort_msg("seed %u: %s; smaller: %s", seed, words, text);
        }
    }
    /* the graphs are worth the trouble: enough of them come through each stage */
    ck_assert_int_gt(n_complete, 40);
    ck_assert_int_gt(n_derived, 15);
    ck_assert_int_gt(n_run, 10);
    ck_assert_int_lt(n_given_up, 5);
    ck_assert_int_eq(n_refused, 0);
    if (getenv("TEST_VERBOSE") != NULL) {
        fprintf(
            stderr,
            "complete %d, derived %d, run %d (%d with loops), singular %d, refused though regular "
            "%d, given up %d\n",
            n_complete, n_derived, n_run, n_loops_run, n_singular, n_refused, n_given_up);
    }
}
END_TEST

/* Terms of several equations cancel, for all values: every row has an unknown of its own, and yet
   some are dependent; or a sink seems to hold its own multiplier. */
START_TEST(graphs_whose_equations_cancel_are_run)
{
    static const char *const texts[] = {
        /* the multiplier in the flow of its own sink */
        "GY_a{2.394}>1_a; GY_a>1_b; 1_b>GY_b{0.488}; GY_b>TF_a{1.095}; 0_d>TF_a; TF_b{1.27}>0_d;"
        "1_b>TF_b; Re>1_a; 1_b>C{1.861}; 0_d>Sf{1.484*(1-cos(2.932*t))}",
        "1_a>TF{1.001}; TF>GY{1.325}; 0_b>GY; 1_e>0_b; 1_a>0_b; 1_a>C{1.797}; 0_b>Re;"
        "1_e>I_a{1.642}; I_b{1.744}>1_e",
        /* constraints of two dependent contents that are one of states */
        "1_b>0_a; TF{2.159}>1_b; TF>0_c; 0_a>GY{1.405}; GY>0_c; 0_a>I_a{2.162}; Rf>1_b;"
        "0_c>I_b{1.141}; Sf{1.769*(1-cos(1.627*t))}>0_c",
        /* a dependent storage behind a loop that leaves it free */
        "1_a>1_b; 0_c>1_b; 0_c>MTF{1.27+0.3*sin(1.713*t)}; MTF>1_b; 1_a>Df;"
        "1_b>Se{1.489*(1-cos(1.143*t))}; 0_c>C_a{2.102}; 1_b>C_b{1.827}; Re>1_a",
        "1_b>0_a; 0_a>MTF{1.228+0.3*sin(1.049*t)}; 1_c>MTF; 1_b>1_c; 0_a>R{0.697};"
        "1_b>C_a{0.979}; 1_c>Re; 0_a>C_b{0.639}; 0_a>Sf{0.867*(1-cos(1.818*t))}; 1_b>Df",
        /* contents of two inertias that say the same of the tears of their loop */
        "1_a>GY{1.962}; GY>MTF_a{1.819+0.3*sin(1.695*t)}; MTF_a>1_b; 1_a>0_c; 1_e>0_d;"
        "0_c>MTF_b{0.68+0.3*sin(1.255*t)}; 0_d>MTF_b; 0_d>1_b; 1_a>I_a{1.275}; 1_b>R_a{1.603};"
        "1_e>R_b{0.791}; 1_e>I_b{1.369}; I_c{0.669}>1_e; 1_a>R_c{2.014}",
    };
    static char summary[MAX_TEXT];
    int n_before = n_run;

    for (size_t i = 0; i < HA_COUNT(texts); i++) {
        const char *wrong = check_text(texts[i], summary, true);
        ck_assert_msg(wrong == NULL, "%s: %s", texts[i], wrong);
        ck_assert_msg(n_run == n_before + (int) i + 1, "%s is refused", texts[i]);
    }
}
END_TEST

/* A multiplier that an algebraic equation ties to a source moves while nothing else does: between
   two steps it was interpolated without any control of its error. */
START_TEST(multipliers_that_follow_a_source_are_accurate)
{
    static const char *const texts[] = {
        "0a>MTF{1.261+0.3*sin(2.485*t)}>1b;0a>Rf;R{2.419}>1b;0a>I{1.212};"
        "1b>Se{1.198*(1-cos(1.258*t))}",
        "MTF{0.402+0.3*sin(1.005*t)}>0d;MTF>1f;1b>C{1.307};1f>Se{1.457*(1-cos(2.502*t))};"
        "1b>R1{2.423};1f>Re;R2{1.343}>0d",
    };
    static char summary[MAX_TEXT];

    for (size_t i = 0; i < HA_COUNT(texts); i++) {
        const char *wrong = check_text(texts[i], summary, true);
        ck_assert_msg(wrong == NULL, "%s: %s", texts[i], wrong);
    }
}
END_TEST

/* Derivatives and what follows from them have errors that no error test sees. */
START_TEST(what_follows_from_derivatives_is_accurate)
{
    static const char *const texts[] = {
        /* derivatives at the ends of the steps are those of a polynomial */
        "MTF_a{1.809+0.3*sin(1.174*t)}>1_a; 0_a>MTF_a; MTF_b{2.404+0.3*sin(2.739*t)}>0_a; "
        "1_b>MTF_b; 1_a>Sf{1.556*(1-cos(2.040*t))}; 0_a>C{1.480}; 1_b>R{1.738}; 1_b>I{2.140}",
        /* what Newton's method leaves comes back divided by the step */
        "0_a>0_b; 0_c>TF{2.382}; TF>MTF{2.087+0.3*sin(2.966*t)}; MTF>1_a; 0_b>I_a{1.174}; "
        "0_c>C_a{1.772}; 1_a>I_b{2.218}; Se{1.569*(1-cos(1.546*t))}>1_a; 0_c>R_a{1.838}; "
        "0_a>I_c{0.698}; 0_c>R_b{0.981}; 0_c>Rf; 0_a>C_b{2.011}",
        /* a tear follows a multiplier whose row is stabilised */
        "0_a>MTF_a{1.847+0.3*sin(2.352*t)}; MTF_a>1_a; 1_a>MTF_b{1.883+0.3*sin(1.245*t)}; "
        "MTF_b>TF_a{2.426}; TF_a>1_b; 0_a>TF_b{1.690}; TF_b>1_b; "
        "Sf{1.553*(1-cos(1.553*t))}>0_a; 0_a>I{2.377}; 1_a>Re",
        /* a sink whose flow contains the derivative of its multiplier */
        "1_a>GY{0.448}; GY>MTF{1.690+0.3*sin(2.833*t)}; MTF>0_a; 1_a>TF{2.007}; 1_b>TF; "
        "0_b>C{1.799}; Sf{1.094*(1-cos(1.453*t))}>0_a; I{1.019}>1_b; 0_a>Re",
    };
    static char summary[MAX_TEXT];

    for (size_t i = 0; i < HA_COUNT(texts); i++) {
        const char *wrong = check_text(texts[i], summary, true);
        ck_assert_msg(wrong == NULL, "%s: %s", texts[i], wrong);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("random");
    TCase *tests = tcase_create("random");

    tcase_add_loop_test(tests, random_graphs_keep_all_promises, 0, N_SEEDS / 100);
    tcase_add_test(tests, graphs_whose_equations_cancel_are_run);
    tcase_add_test(tests, multipliers_that_follow_a_source_are_accurate);
    tcase_add_test(tests, what_follows_from_derivatives_is_accurate);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
