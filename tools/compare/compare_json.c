/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A comparison as one JSON object. */
#include <config.h>

#include "tools/compare/comparison.h"

#include "tools/shared/report.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* A real that is a whole number is printed as one. */
static json_t *number(double x)
{
    return x == floor(x) && fabs(x) < 1e15 ? json_integer((json_int_t) x) : cli_json_real(x);
}

static cli_json run_object(const compare_job *job)
{
    double facts[COMPARE_N_FACTS];
    const cli_member members[] = {
        cli_text("variant", compare_job_name(job)),
        cli_text("status", cli_status_word(job->run.status)),
        cli_text("class", compare_class(job)),
    };
    cli_json json = cli_json_new();

    cli_json_put_each(&json, members, HA_COUNT(members));
    compare_facts(job, facts);
    for (int i = 0; i < COMPARE_N_FACTS; i++) {
        cli_json_put(&json, compare_fact_key(i), number(facts[i]));
    }
    const char *fault = compare_fault(job);
    if (fault != NULL) {
        cli_json_put(&json, "error", json_string(fault));
    }
    if (!isnan(job->value)) {
        cli_json_put(&json, "value", cli_json_real(job->value));
    }
    return json;
}

/* --- structure ------------------------------------------------------------------------------ */

static json_t *role_list(cli_json *json, const compare_role *roles, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++) {
        json->has_failed |=
            !cli_json_append(list, json_pack("{s:s, s:s}", "name", roles[i].name, "role",
                                             compare_role_word(roles[i].role)));
    }
    return list;
}

static json_t *line_list(cli_json *json, const char *const *lines, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++) {
        json->has_failed |= !cli_json_append(list, json_string(lines[i]));
    }
    return list;
}

static ha_status put_structure(const compare_job *first, const compare_job *other, cli_json *json)
{
    compare_structure s;

    if (!compare_have_structures(first, other)) {
        return HA_OK;
    }
    HA_TRY(compare_structures(first, other, &s));
    cli_json_put(json, "only_in_first", role_list(json, s.first_roles.items, s.first_roles.count));
    cli_json_put(json, "only_in_other", role_list(json, s.other_roles.items, s.other_roles.count));
    json_t *strokes = json_array();
    for (size_t i = 0; i < s.strokes.count; i++) {
        const compare_stroke *stroke = &s.strokes.items[i];
        json->has_failed |= !cli_json_append(
            strokes,
            json_pack("{s:s, s:s, s:s, s:s}", "tail", stroke->tail, "head", stroke->head, "first",
                      report_stroke(stroke->first), "other", report_stroke(stroke->other)));
    }
    cli_json_put(json, "strokes", strokes);
    cli_json_put_int(json, "common_bonds", s.n_common_bonds);
    cli_json_put(json, "equations_only_in_first",
                 line_list(json, s.first_lines.items, s.first_lines.count));
    cli_json_put(json, "equations_only_in_other",
                 line_list(json, s.other_lines.items, s.other_lines.count));
    compare_structure_clear(&s);
    return HA_OK;
}

/* --- outputs -------------------------------------------------------------------------------- */

static void put_outputs(const compare_set *set, size_t j, cli_json *json)
{
    const ha_compare *compare = set->compares.items[j];
    const ha_result *result = set->jobs.items[j]->run.result;
    json_t *outputs = json_object();

    for (size_t i = 0; compare != NULL && i < ha_compare_n(compare); i++) {
        const ha_difference *d = ha_compare_get(compare, i);
        double peaks[2];
        compare_peaks(set, j, d, peaks);
        json_t *output =
            json_pack("{s:s, s:o?, s:o?, s:o?, s:o?, s:o?, s:o?, s:o?}", "unit",
                      ha_result_unit(result, d->column_b), "largest", cli_json_real(d->largest),
                      "t", cli_json_real(d->t), "rms", cli_json_real(d->rms), "range",
                      cli_json_real(d->range), "end", cli_json_real(d->end), "peak",
                      cli_json_real(peaks[1]), "peak_change", cli_json_real(peaks[1] - peaks[0]));
        json->has_failed |=
            json_object_set_new(outputs, ha_result_name(result, d->column_b), output) != 0;
    }
    cli_json_put(json, "outputs", outputs);
}

static void put_dissipated(const compare_set *set, size_t j, cli_json *json)
{
    const compare_job *first = set->jobs.items[0], *other = set->jobs.items[j];
    json_t *elements = json_object();

    cli_json_put_real(json, "dissipated",
                      compare_dissipated(other, NULL) - compare_dissipated(first, NULL));
    for (size_t i = 0; compare_dissipator(set, j, i) != NULL; i++) {
        const char *name = compare_dissipator(set, j, i);
        json_t *pair = json_pack("[o?, o?]", cli_json_real(compare_dissipated(first, name)),
                                 cli_json_real(compare_dissipated(other, name)));
        json->has_failed |= json_object_set_new(elements, name, pair) != 0;
    }
    cli_json_put(json, "dissipated_in", elements);
}

static ha_status put_comparisons(const compare_set *set, cli_json *json)
{
    json_t *list = json_array();
    ha_status status = HA_OK;

    for (size_t j = 0; j < set->jobs.count && status == HA_OK; j++) {
        const compare_job *job = set->jobs.items[j];
        cli_json one = cli_json_new();
        if (job->against == j) {
            json_decref(one.object);
            continue;
        }
        cli_json_put_text(&one, "variant", compare_job_name(job));
        cli_json_put_text(&one, "against", compare_job_name(set->jobs.items[job->against]));
        cli_json_put_text(&one, "status", cli_status_word(job->run.status));
        if (set->sweep.path != NULL) {
            cli_json_put_real(&one, "value", job->value);
        }
        if (job->keeps_model) {
            status = put_structure(set->jobs.items[0], job, &one);
            put_dissipated(set, j, &one);
        }
        put_outputs(set, j, &one);
        json->has_failed |= one.has_failed || !cli_json_append(list, one.object);
    }
    cli_json_put(json, "comparisons", list);
    return status;
}

/* The orders fitted to the last runs: by variant and output. */
static void put_orders(const compare_set *set, const char *key, compare_measure measure,
                       size_t most, cli_json *json)
{
    json_t *orders = json_object();

    for (size_t v = 0; v < set->variants.count; v++) {
        const char *variant = set->variants.items[v];
        json_t *outputs = json_object();
        for (size_t i = 0; i < set->chosen.count; i++) {
            double order = compare_order(set, variant, set->chosen.items[i], measure, most);
            json->has_failed |=
                json_object_set_new(outputs, set->chosen.items[i], cli_json_real(order)) != 0;
        }
        json->has_failed |=
            json_object_set_new(orders, variant == NULL ? "base" : variant, outputs) != 0;
    }
    cli_json_put(json, key, orders);
}

ha_status compare_json(const compare_set *set)
{
    cli_json json = cli_json_new();
    json_t *runs = json_array();
    ha_status worst = HA_OK;

    for (size_t j = 0; j < set->jobs.count; j++) {
        const compare_job *job = set->jobs.items[j];
        worst = worst == HA_OK ? job->run.status : worst;
        cli_json one = run_object(job);
        json.has_failed |= one.has_failed || !cli_json_append(runs, one.object);
    }
    cli_json_put_text(&json, "status", cli_status_word(worst));
    cli_json_put(&json, "runs", runs);
    ha_status status = put_comparisons(set, &json);
    if (set->sweep.path != NULL) {
        cli_json_put_text(&json, "sweep", set->sweep.path);
        cli_json_put_text(&json, "sweep_unit", set->sweep.unit);
        put_orders(set, "orders", COMPARE_LARGEST, SIZE_MAX, &json);
        put_orders(set, "last_orders", COMPARE_LARGEST, 2, &json);
        put_orders(set, "peak_orders", COMPARE_PEAK, SIZE_MAX, &json);
        put_orders(set, "last_peak_orders", COMPARE_PEAK, 2, &json);
    }
    return cli_json_end(set->cli, &json, status);
}
