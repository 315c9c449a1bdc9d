/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of a page, which need no script: what the causal analysis found, the audit of the
 * runs, the values at their ends. They have a column for each run.
 */
#include <config.h>

#include "tools/page/page_table.h"

#include "tools/shared/report.h"

#include <math.h>
#include <string.h>

enum { MAX_NAMES = 60 /* of one list; `check` has all */ };

/* --- structure -------------------------------------------------------------------------------- */

/* What `check` says of a run. */
static ha_status describe(const page *p, const page_run *run, json_t **out)
{
    cli_json json = cli_json_new();
    ha_status status =
        run->run.model.causality == NULL ? HA_OK : report_to_json(p->cli, &run->run.model, &json);

    if (status == HA_OK && json.has_failed) {
        status = ha_fail(p->cli->ctx, HA_ERR_MEMORY, HA_NOWHERE,
                         "out of memory while the tables of the page were made");
    }
    return HA_GIVE(status, json.object, json_decref, out);
}

/* Adds a value of JSON: a number, a text, or a list with its length. */
static void add_value(const json_t *value, ha__strbuf *out)
{
    ha__strbuf_add(out, "<td>");
    if (json_is_integer(value)) {
        ha__strbuf_addf(out, "%lld", (long long) json_integer_value(value));
    } else if (json_is_string(value)) {
        ha__strbuf_add_markup(out, json_string_value(value));
    } else if (json_is_array(value)) {
        size_t n = json_array_size(value);
        ha__strbuf_addf(out, "%zu%s", n, n > 0 ? " <small>" : "");
        for (size_t i = 0; i < n && i < MAX_NAMES; i++) {
            const char *text = json_string_value(json_array_get(value, i));
            ha__strbuf_add(out, i > 0 ? ", " : "");
            ha__strbuf_add_markup(out, text == NULL ? "" : text);
        }
        ha__strbuf_add(out, n > MAX_NAMES ? ", \xe2\x80\xa6" : "");
        ha__strbuf_add(out, n > 0 ? "</small>" : "");
    } else {
        ha__strbuf_add(out, "\xe2\x80\x93");
    }
    ha__strbuf_add(out, "</td>");
}

/* True when at least one run has something to say under a key. */
static bool is_known(const page *p, json_t *const *said, const char *key)
{
    for (size_t i = 0; i < p->runs.count; i++) {
        const json_t *value = json_object_get(said[i], key);
        if (value != NULL && !json_is_null(value)) {
            return true;
        }
    }
    return false;
}

ha_status page_add_structure(const void *user, ha__strbuf *out)
{
    const page *p = user;
    static const char *const rows[][2] = {
        { "class", "class" },
        { "class_text", "what that means" },
        { "order", "start values that can be chosen" },
        { "bonds", "scalar bonds" },
        { "mobility_count", "mobility by counting" },
        { "mobility", "mobility by the rank of the constraints" },
        { "redundant_constraints", "redundant constraints" },
        { "integral", "storages in integral causality" },
        { "derivative", "storages in derivative causality" },
        { "implicit_constraints", "implicit constraints" },
        { "explicit_constraints", "explicit constraints" },
        { "loops", "algebraic loops" },
        { "loop_variables", "loop variables" },
    };
    json_t **said = NULL;
    ha_status status = HA_OK;

    HA_TRY_ALLOC(p->cli->ctx, said, p->runs.count);
    for (size_t i = 0; i < p->runs.count && status == HA_OK; i++) {
        status = describe(p, &p->runs.items[i], &said[i]);
    }
    page_begin_table(p, "What the causal analysis finds", out);
    for (size_t row = 0; row < HA_COUNT(rows) && status == HA_OK; row++) {
        if (!is_known(p, said, rows[row][0])) {
            continue;
        }
        page_begin_row(rows[row][1], out);
        for (size_t i = 0; i < p->runs.count; i++) {
            add_value(json_object_get(said[i], rows[row][0]), out);
        }
        ha__strbuf_add(out, "</tr>\n");
    }
    page_end_table(out);
    for (size_t i = 0; i < p->runs.count; i++) {
        json_decref(said[i]);
    }
    ha__free(said);
    return status == HA_OK ? out->status : status;
}

/* --- summary ---------------------------------------------------------------------------------- */

static void add_count(ha__strbuf *out, int n, const char *one, const char *many)
{
    ha__strbuf_addf(out, "%d %s", n, n == 1 ? one : many);
}

void page_summarise(const cli_model *model, ha__strbuf *out)
{
    int n_bodies = model->system == NULL ? 0 : m2d_system_n_bodies(model->system);

    if (n_bodies > 0) {
        ha__strbuf_add(out, "A planar mechanism of ");
        add_count(out, n_bodies, "body", "bodies");
        ha__strbuf_add(out, " and ");
        add_count(out, m2d_system_n_joints(model->system), "joint", "joints");
        int n_elastic = m2d_system_n_elastic(model->system);
        ha__strbuf_addf(out, " with %d constraints", m2d_system_n_rows(model->system) - n_elastic);
        if (n_elastic > 0) {
            ha__strbuf_addf(out, " and %d rows held elastically", n_elastic);
        }
        ha__strbuf_add(out, ", as");
    } else {
        ha__strbuf_add(out, "A model made as");
    }
    ha__strbuf_add(out, " a bond graph of ");
    add_count(out, bg_graph_n_elements(model->graph), "element", "elements");
    ha__strbuf_add(out, " and ");
    add_count(out, bg_graph_n_bonds(model->graph), "bond", "bonds");
    ha__strbuf_add(out, ". ");
    if (model->causality != NULL) {
        const char *text = bg_causality_text(model->causality);
        ha__strbuf_add(out, "Causality: ");
        ha__strbuf_add_markup(out, text);
        ha__strbuf_add(out, text[0] != '\0' && text[strlen(text) - 1] == '.' ? "" : ".");
    }
}

ha_status page_add_summary(const void *user, ha__strbuf *out)
{
    const page *p = user;

    page_summarise(&p->runs.items[0].run.model, out);
    return out->status;
}

/* --- audit ------------------------------------------------------------------------------------ */

/* What the audit says of a run; NAN where it is not known. */
typedef struct {
    const char *label;
    const char *unit;
    double (*of)(const cli_run *run);
} audit_row;

/* The value at the end of a column, NAN where there is none. */
static double end_of(const cli_run *run, const char *name)
{
    int column = cli_run_n_rows(run) == 0 ? -1 : ha_result_find(run->result, name);

    return column < 0 ? (double) NAN
                      : ha_result_value(run->result, cli_run_n_rows(run) - 1, (size_t) column);
}

static double count_of(const cli_run *run, int (*count)(const bg_model *model))
{
    return run->model.compiled == NULL ? (double) NAN : count(run->model.compiled);
}

static double stat_of(const cli_run *run, long count)
{
    return run->result == NULL ? (double) NAN : (double) count;
}

#define ROW(NAME, VALUE)                                                                           \
    static double NAME(const cli_run *run)                                                         \
    {                                                                                              \
        return VALUE;                                                                              \
    }
ROW(kinetic, end_of(run, "energy.kinetic"))
ROW(potential, end_of(run, "energy.potential"))
ROW(supplied, end_of(run, "energy.supplied"))
ROW(dissipated, end_of(run, "energy.dissipated"))
ROW(energy_error, run->report.energy_error)
ROW(energy_passed, run->report.energy_passed)
ROW(constraint_error, run->report.constraint_error)
ROW(velocity_error, run->report.velocity_error)
ROW(alpha, run->report.alpha)
ROW(beta, run->report.beta)
ROW(t_reached, run->result == NULL ? (double) NAN : run->report.solver.t_reached)
ROW(n_unknowns, count_of(run, bg_model_n_unknowns))
ROW(n_states, count_of(run, bg_model_n_states))
ROW(n_multipliers, count_of(run, bg_model_n_multipliers))
ROW(steps, stat_of(run, run->report.solver.steps))
ROW(residuals, stat_of(run, run->report.solver.residual_evaluations))
ROW(jacobians, stat_of(run, run->report.solver.jacobian_evaluations))
ROW(iterations, stat_of(run, run->report.solver.newton_iterations))
ROW(test_failures, stat_of(run, run->report.solver.error_test_failures))
ROW(events, stat_of(run, run->report.solver.events))
ROW(restarts, stat_of(run, run->report.solver.restarts))
ROW(relative, run->model.options.solver.rtol)
ROW(absolute, run->report.atol)
ROW(setup, run->seconds_setup)
ROW(solution, run->result == NULL ? (double) NAN : run->report.solver.seconds)

static void add_rows(const page *p, const audit_row *rows, size_t n, ha__strbuf *out)
{
    for (size_t row = 0; row < n; row++) {
        page_begin_row(rows[row].label, out);
        for (size_t i = 0; i < p->runs.count; i++) {
            page_add_number(out, rows[row].of(&p->runs.items[i].run), rows[row].unit);
        }
        ha__strbuf_add(out, "</tr>\n");
    }
    page_end_table(out);
}

ha_status page_add_audit(const void *user, ha__strbuf *out)
{
    const page *p = user;
    static const audit_row energy[] = {
        { "kinetic energy at the end", "J", kinetic },
        { "potential energy at the end", "J", potential },
        { "work supplied", "J", supplied },
        { "work dissipated", "J", dissipated },
        { "largest error of the book in the run", "J", energy_error },
        { "energy that passed through it", "J", energy_passed },
    };
    static const audit_row drift[] = {
        { "largest error of a constraint, position", "m, rad", constraint_error },
        { "largest error of a constraint, velocity", "m/s, rad/s", velocity_error },
        { "alpha of the stabilisation", "1/s", alpha },
        { "beta of the stabilisation", "1/s", beta },
    };
    static const audit_row solver[] = {
        { "time reached", "s", t_reached },
        { "unknowns", "", n_unknowns },
        { "states", "", n_states },
        { "multipliers", "", n_multipliers },
        { "relative tolerance", "", relative },
        { "absolute tolerance", "", absolute },
        { "steps", "", steps },
        { "residual evaluations", "", residuals },
        { "Jacobian evaluations", "", jacobians },
        { "Newton iterations", "", iterations },
        { "failed error tests", "", test_failures },
        { "events", "", events },
        { "restarts", "", restarts },
        { "seconds of set-up", "s", setup },
        { "seconds of solution", "s", solution },
    };

    page_begin_table(p, "Energy book", out);
    add_rows(p, energy, HA_COUNT(energy), out);
    page_begin_table(p, "Constraint drift", out);
    add_rows(p, drift, HA_COUNT(drift), out);
    page_begin_table(p, "Solver", out);
    add_rows(p, solver, HA_COUNT(solver), out);
    return out->status;
}

/* --- values ----------------------------------------------------------------------------------- */

/* The first run that has rows, or the first one. */
static const cli_run *find_shown(const page *p)
{
    const cli_run *first = &p->runs.items[0].run;

    for (size_t i = p->runs.count; i-- > 0;) {
        first = cli_run_n_rows(&p->runs.items[i].run) > 0 ? &p->runs.items[i].run : first;
    }
    return first;
}

/* The extremes of an output over a run and when they were, four cells. */
static void add_peak(const cli_run *run, const char *name, const char *unit, ha__strbuf *out)
{
    const int column = cli_run_n_rows(run) == 0 ? -1 : ha_result_find(run->result, name);
    const ha_peak none = { (double) NAN, (double) NAN, (double) NAN, (double) NAN };
    const ha_peak peak = column < 1 || run->peaks == NULL ? none : run->peaks[column - 1];

    page_add_number(out, peak.min, unit);
    page_add_number(out, peak.t_min, "s");
    page_add_number(out, peak.max, unit);
    page_add_number(out, peak.t_max, "s");
}

static void add_peak_head(const page *p, ha__strbuf *out)
{
    ha__strbuf_add(out, "<div class=\"scroll\"><table>\n<caption>Every output over the run, also "
                        "between rows</caption>\n<thead>");
    for (size_t i = 0; i < p->runs.count && p->runs.count > 1; i++) {
        ha__strbuf_addf(out, "%s<th scope=\"colgroup\" colspan=\"4\" class=\"run-%zu\">",
                        i == 0 ? "<tr><td></td>" : "", i);
        ha__strbuf_add_markup(out, page_run_name(&p->runs.items[i]));
        ha__strbuf_addf(out, "</th>%s", i + 1 == p->runs.count ? "</tr>\n" : "");
    }
    ha__strbuf_add(out, "<tr><td></td>");
    for (size_t i = 0; i < p->runs.count; i++) {
        ha__strbuf_add(out, "<th scope=\"col\">least</th><th scope=\"col\">at</th>"
                            "<th scope=\"col\">largest</th><th scope=\"col\">at</th>");
    }
    ha__strbuf_add(out, "</tr></thead>\n");
}

ha_status page_add_peaks(const void *user, ha__strbuf *out)
{
    const page *p = user;
    const cli_run *first = find_shown(p);

    if (cli_run_n_rows(first) == 0) {
        return out->status;
    }
    add_peak_head(p, out);
    for (size_t c = 1; c < ha_result_n_columns(first->result); c++) { /* 0 is the time */
        const char *name = ha_result_name(first->result, c);
        if (name[0] == '#') { /* of bonds */
            continue;
        }
        page_begin_output(name, out);
        for (size_t i = 0; i < p->runs.count; i++) {
            add_peak(&p->runs.items[i].run, name, ha_result_unit(first->result, c), out);
        }
        ha__strbuf_add(out, "</tr>\n");
    }
    page_end_table(out);
    return out->status;
}

ha_status page_add_values(const void *user, ha__strbuf *out)
{
    const page *p = user;
    const cli_run *first = find_shown(p);

    if (cli_run_n_rows(first) == 0) {
        ha__strbuf_add(out, "<p>There are no results.</p>\n");
        return out->status;
    }
    page_begin_table(p, "Every output at the end of the run", out);
    for (size_t c = 0; c < ha_result_n_columns(first->result); c++) {
        const char *name = ha_result_name(first->result, c);
        if (name[0] == '#') { /* of bonds */
            continue;
        }
        page_begin_output(name, out);
        for (size_t i = 0; i < p->runs.count; i++) {
            page_add_number(out, end_of(&p->runs.items[i].run, name),
                            ha_result_unit(first->result, c));
        }
        ha__strbuf_add(out, "</tr>\n");
    }
    page_end_table(out);
    return out->status;
}
