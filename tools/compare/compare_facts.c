/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of the runs of a comparison, for all writers. */
#include <config.h>

#include "tools/compare/comparison.h"

#include "bondgraph/element_type.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *key, *label;
} names[COMPARE_N_FACTS] = {
    { "bonds", "scalar bonds" },
    { "integral", "integral storages" },
    { "derivative", "derivative storages" },
    { "implicit_constraints", "implicit constraints" },
    { "explicit_constraints", "explicit constraints" },
    { "loop_variables", "loop variables" },
    { "unknowns", "unknowns" },
    { "states", "states" },
    { "multipliers", "multipliers" },
    { "steps", "steps" },
    { "residual_evaluations", "residuals" },
    { "jacobian_evaluations", "Jacobians" },
    { "seconds_setup", "seconds of set-up" },
    { "seconds_solve", "seconds of solution" },
    { "energy_error", "energy error [J]" },
    { "max_constraint_error", "constraint error" },
    { "energy_dissipated", "energy dissipated [J]" },
    { "t_reached", "end time [s]" },
};

const char *compare_fact_key(int i)
{
    return names[i].key;
}

const char *compare_fact_label(int i)
{
    return names[i].label;
}

const char *compare_class(const compare_job *job)
{
    return job->run.model.causality == NULL
               ? ""
               : bg_class_name(bg_causality_class(job->run.model.causality));
}

/* A count that is -1 when it is not known. */
static double counted(int count)
{
    return count < 0 ? (double) NAN : (double) count;
}

void compare_facts(const compare_job *job, double facts[COMPARE_N_FACTS])
{
    static const bg_role roles[] = { BG_INTEGRAL, BG_DERIVATIVE, BG_IMPLICIT, BG_EXPLICIT };
    const bg_causality *c = job->run.model.causality;
    const ha_dae_stats *s = &job->run.report.solver;
    bool has_run = job->run.result != NULL;
    int i = 0;

    facts[i++] = counted(c == NULL ? -1 : bg_causality_n_bonds(c));
    for (size_t r = 0; r < HA_COUNT(roles); r++) {
        facts[i++] = counted(c == NULL ? -1 : bg_causality_count(c, roles[r]));
    }
    facts[i++] = counted(c == NULL ? -1 : bg_causality_n_loop_variables(c));
    facts[i++] = counted(job->n_unknowns);
    facts[i++] = counted(job->n_states);
    facts[i++] = counted(job->n_multipliers);
    facts[i++] = has_run ? (double) s->steps : (double) NAN;
    facts[i++] = has_run ? (double) s->residual_evaluations : (double) NAN;
    facts[i++] = has_run ? (double) s->jacobian_evaluations : (double) NAN;
    facts[i++] = job->run.seconds_setup;
    facts[i++] = has_run ? s->seconds : (double) NAN;
    facts[i++] = job->run.report.energy_error;
    facts[i++] = job->run.report.constraint_error;
    facts[i++] = compare_dissipated(job, NULL);
    facts[i++] = has_run ? s->t_reached : (double) NAN;
}

const ha_difference *compare_find(const compare_set *set, size_t job, const char *name)
{
    const ha_compare *compare = set->compares.items[job];
    const ha_result *result = set->jobs.items[job]->run.result;

    for (size_t i = 0; compare != NULL && i < ha_compare_n(compare); i++) {
        const ha_difference *d = ha_compare_get(compare, i);
        if (strcmp(ha_result_name(result, d->column_b), name) == 0) {
            return d;
        }
    }
    return NULL;
}

double compare_dissipated(const compare_job *job, const char *element)
{
    const ha_result *table = element == NULL ? job->run.result : job->heat;
    int column = table == NULL || ha_result_n_rows(table) == 0
                     ? -1
                     : ha_result_find(table, element == NULL ? "energy.dissipated" : element);

    return column < 0 ? (double) NAN
                      : ha_result_value(table, ha_result_n_rows(table) - 1, (size_t) column);
}

const char *compare_dissipator(const compare_set *set, size_t j, size_t i)
{
    const ha_result *own = set->jobs.items[j]->heat, *first = set->jobs.items[0]->heat;
    size_t n = own == NULL ? 0 : ha_result_n_columns(own);

    if (i < n) {
        return ha_result_name(own, i);
    }
    for (size_t c = 0; first != NULL && c < ha_result_n_columns(first); c++) {
        const char *name = ha_result_name(first, c);
        if ((own == NULL || ha_result_find(own, name) < 0) && n++ == i) {
            return name;
        }
    }
    return NULL;
}

/* The largest magnitude of a column over a run. */
static double peak_of(const cli_run *run, size_t column)
{
    return run->peaks == NULL || column == 0
               ? (double) NAN
               : fmax(fabs(run->peaks[column - 1].max), fabs(run->peaks[column - 1].min));
}

void compare_peaks(const compare_set *set, size_t job, const ha_difference *d, double peaks[2])
{
    const compare_job *own = set->jobs.items[job];

    peaks[0] = peak_of(&set->jobs.items[own->against]->run, d->column_a);
    peaks[1] = peak_of(&own->run, d->column_b);
}

double compare_measured(const compare_set *set, size_t job, const char *output,
                        compare_measure measure)
{
    const ha_difference *d = compare_find(set, job, output);
    double peaks[2];

    if (d == NULL || set->jobs.items[job]->run.status != HA_OK) { /* else up to where it stopped */
        return (double) NAN;
    }
    compare_peaks(set, job, d, peaks);
    return measure == COMPARE_PEAK ? fabs(peaks[1] - peaks[0]) : d->largest;
}

const char *compare_measure_label(compare_measure measure)
{
    return measure == COMPARE_PEAK ? "changes of the peaks" : "largest differences";
}

double compare_order(const compare_set *set, const char *variant, const char *output,
                     compare_measure measure, size_t most)
{
    HA_ARRAY(double) x = { 0 }, y = { 0 };
    double order = (double) NAN, factor = 0.0;
    size_t n = set->jobs.count;

    x.items = ha__alloc(set->cli->ctx, n, sizeof *x.items);
    y.items = ha__alloc(set->cli->ctx, n, sizeof *y.items);
    for (size_t j = 0; j < n && x.items != NULL && y.items != NULL; j++) {
        const compare_job *job = set->jobs.items[j];
        double measured = compare_measured(set, j, output, measure);
        if (job->run.name == variant && !isnan(job->value) && !isnan(measured)) {
            x.items[x.count++] = job->value;
            y.items[y.count++] = measured;
        }
    }
    if (x.items != NULL && y.items != NULL) {
        size_t first = x.count > most ? x.count - most : 0;
        (void) ha_fit_power(x.count - first, x.items + first, y.items + first, &order, &factor);
    }
    HA_ARRAY_CLEAR(&x, &y);
    return order;
}

size_t compare_next_shown(const compare_set *set, size_t begin)
{
    size_t j = begin;

    while (j < set->jobs.count &&
           (set->jobs.items[j]->against == j || !set->jobs.items[j]->keeps_model)) {
        j++;
    }
    return j;
}

bool compare_is_listed(const compare_set *set, const char *name)
{
    for (size_t i = 0; i < set->chosen.count && cli_has(set->cli, CLI_Y); i++) {
        if (strcmp(set->chosen.items[i], name) == 0) {
            return true;
        }
    }
    return !cli_has(set->cli, CLI_Y);
}
