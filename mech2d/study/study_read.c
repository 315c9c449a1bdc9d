/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Studies as text:
 *
 *   vary: {PATH: {list: [..]} | {from, to, count, scale} | {normal: [..]} | {uniform: [..]}}
 *   design: grid | zip | random | latin-hypercube | cases
 *   cases: FILE.csv
 *   runs: 100
 *   seed: 1
 *   measure: {NAME: EXPRESSION}
 *   fit: {data: FILE.csv, parameters: {PATH: {start, min, max}}, sigma: {OUTPUT: VALUE}}
 */
#include <config.h>

#include "lib/core/number.h"
#include "lib/core/symtab.h"
#include "lib/data/dimension.h"
#include "mech2d/study/study.h"

#include <math.h>
#include <string.h>

enum { MOST_RUNS = 100000000, MOST_COUNT = 10000000 };

static const char *const designs[M2D__DESIGN_COUNT] = { "grid", "zip", "random", "latin-hypercube",
                                                        "cases" };

/* A text for messages: "`from` of `parameters.r`". */
static const char *object(m2d__study *s, const char *key, const char *path)
{
    const char *text = ha__arena_format(s->ctx, &s->arena, "`%s` of `%s`", key, path);

    return text == NULL ? key : text;
}

static ha_status read_number(m2d__study *s, const ha__yaml_node *node, const char *what,
                             double *out)
{
    const char *text = NULL;

    HA_TRY(ha__yaml_text(s->ctx, node, what, &text));
    return ha__quantity_read(s->ctx, text, HA__QUANTITY_ANY, ha__yaml_text_where(node), what, out);
}

ha_status m2d__study_read_value(m2d__study *s, m2d__vary *vary, const ha__yaml_node *node,
                                const char *what, double *out)
{
    const char *text = NULL;

    HA_TRY(read_number(s, node, what, out));
    HA_TRY(ha__yaml_text(s->ctx, node, what, &text));
    if (vary->like == NULL && ha__quantity_is_number_with_unit(text)) {
        vary->like = text;
    }
    return vary->like == NULL
               ? HA_OK
               : ha__quantity_check_like(s->ctx, text, vary->like, ha__yaml_text_where(node), what);
}

ha_status m2d__study_find_unit(m2d__study *s, const m2d__vary *vary, const char **out)
{
    ha__dimension dimension;
    char buffer[128];

    if (vary->like == NULL || !ha__dimension_read(vary->like, &dimension)) {
        return HA_OK;
    }
    const char *unit = ha__dimension_unit(dimension, buffer, sizeof buffer);
    *out = unit[0] == '\0' ? NULL : ha__arena_text(s->ctx, &s->arena, unit, strlen(unit));
    return *out == NULL && unit[0] != '\0' ? HA_ERR_MEMORY : HA_OK;
}

/* A whole number of at least `least`. */
static ha_status read_count(m2d__study *s, const ha__yaml_node *node, const char *what,
                            double least, double most, long *out)
{
    double x = 0.0;

    HA_TRY(read_number(s, node, what, &x));
    if (!(x >= least && x <= most && x == floor(x))) {
        char low[HA__NUMBER_SIZE], high[HA__NUMBER_SIZE];
        return ha_fail(s->ctx, HA_ERR_VALUE, node->where, "%s must be a whole number from %s to %s",
                       what, ha__print_short_number(low, least),
                       ha__print_short_number(high, most));
    }
    *out = (long) x;
    return HA_OK;
}

/* --- values that vary ----------------------------------------------------------------------- */

static ha_status read_list(m2d__study *s, const char *path, const ha__yaml_node *node,
                           m2d__vary *out)
{
    const char *what = object(s, "list", path);

    HA_TRY(ha__yaml_expect(s->ctx, node, what, HA__YAML_SEQUENCE));
    if (node->n == 0) {
        return ha_fail(s->ctx, HA_ERR_VALUE, node->where, "%s is empty; give one value at least",
                       what);
    }
    HA_TRY_GET(out->list, ha__arena_alloc(s->ctx, &s->arena, node->n, sizeof *out->list));
    for (size_t i = 0; i < node->n; i++) {
        HA_TRY(m2d__study_read_value(s, out, node->items[i], what, &out->list[i]));
    }
    out->n = (int) node->n;
    return HA_OK;
}

static ha_status read_scale(m2d__study *s, const ha__yaml_node *node, bool *is_log)
{
    const char *text = "linear";

    if (node != NULL) {
        HA_TRY(ha__yaml_text(s->ctx, node, "`scale`", &text));
    }
    *is_log = strcmp(text, "log") == 0;
    return *is_log || strcmp(text, "linear") == 0
               ? HA_OK
               : ha_fail(s->ctx, HA_ERR_VALUE, node->where, "`scale` is linear or log, not `%s`",
                         text);
}

/* A range; with `count` it is a list as well. */
static ha_status read_range(m2d__study *s, const char *path, const ha__yaml_node *node,
                            m2d__vary *out)
{
    static const char *const keys[] = { "from", "to", "count", "scale" };
    const ha__yaml_node *from = NULL, *to = NULL, *count = ha__yaml_get(node, "count");
    const char *what = object(s, "vary", path);
    long n = 0;

    HA_TRY(ha__yaml_check_keys(s->ctx, node, what, keys, HA_COUNT(keys)));
    HA_TRY(ha__yaml_require(s->ctx, node, what, "from", &from));
    HA_TRY(ha__yaml_require(s->ctx, node, what, "to", &to));
    HA_TRY(m2d__study_read_value(s, out, from, object(s, "from", path), &out->a));
    HA_TRY(m2d__study_read_value(s, out, to, object(s, "to", path), &out->b));
    HA_TRY(read_scale(s, ha__yaml_get(node, "scale"), &out->is_log));
    if (out->is_log && !(out->a > 0.0 && out->b > 0.0)) {
        return ha_fail(s->ctx, HA_ERR_VALUE, node->where,
                       "`%s` runs from %.6g to %.6g; on a logarithmic scale both are above 0", path,
                       out->a, out->b);
    }
    if (count == NULL) {
        return HA_OK;
    }
    HA_TRY(read_count(s, count, object(s, "count", path), 1.0, MOST_COUNT, &n));
    HA_TRY_GET(out->list, ha__arena_alloc(s->ctx, &s->arena, (size_t) n, sizeof *out->list));
    out->n = (int) n;
    for (long i = 0; i < n; i++) {
        double share = n > 1 ? (double) i / (double) (n - 1) : 0.0;
        out->list[i] = i == 0        ? out->a
                       : i == n - 1  ? out->b
                       : out->is_log ? out->a * pow(out->b / out->a, share)
                                     : out->a + share * (out->b - out->a);
    }
    return HA_OK;
}

static ha_status read_pair(m2d__study *s, const char *what, const ha__yaml_node *node,
                           m2d__vary *out)
{
    const ha__yaml_node *const *items = NULL;

    HA_TRY(ha__yaml_items(s->ctx, node, what, 2, &items));
    HA_TRY(m2d__study_read_value(s, out, items[0], what, &out->a));
    HA_TRY(m2d__study_read_value(s, out, items[1], what, &out->b));
    if (out->kind == M2D__VARY_NORMAL ? !(out->b >= 0.0) : !(out->a <= out->b)) {
        return ha_fail(s->ctx, HA_ERR_VALUE, node->where,
                       out->kind == M2D__VARY_NORMAL
                           ? "%s is [mean, standard deviation]; the deviation must be at least 0"
                           : "%s is [least, largest]; the first must not be above the second",
                       what);
    }
    return HA_OK;
}

static ha_status read_vary(m2d__study *s, const ha__yaml_pair *pair)
{
    static const char *const keys[] = {
        "list", "from", "to", "count", "scale", "normal", "uniform"
    };
    const ha__yaml_node *node = pair->value, *list = ha__yaml_get(node, "list"),
                        *normal = ha__yaml_get(node, "normal"),
                        *uniform = ha__yaml_get(node, "uniform");
    m2d__vary vary = { .kind = M2D__VARY_RANGE, .where = pair->where };
    const char *what = object(s, "vary", pair->key);

    HA_TRY(ha__yaml_check_keys(s->ctx, node, what, keys, HA_COUNT(keys)));
    if (node->n != 1 && (list != NULL || normal != NULL || uniform != NULL)) {
        return ha_fail(s->ctx, HA_ERR_SYNTAX, pair->where,
                       "`%s` varies in one way only: list, from and to, normal or uniform",
                       pair->key);
    }
    if (list != NULL) {
        vary.kind = M2D__VARY_LIST;
        HA_TRY(read_list(s, pair->key, list, &vary));
    } else if (normal != NULL) {
        vary.kind = M2D__VARY_NORMAL;
        HA_TRY(read_pair(s, object(s, "normal", pair->key), normal, &vary));
    } else if (uniform != NULL) {
        vary.kind = M2D__VARY_UNIFORM;
        HA_TRY(read_pair(s, object(s, "uniform", pair->key), uniform, &vary));
    } else {
        HA_TRY(read_range(s, pair->key, node, &vary));
    }
    m2d_variable variable = { .path = pair->key, .where = pair->where };
    HA_TRY(m2d__study_find_unit(s, &vary, &variable.unit));
    HA_TRY_PUSH(s->ctx, &s->varied, vary);
    HA_TRY_PUSH(s->ctx, &s->variables, variable);
    return HA_OK;
}

/* --- cases ---------------------------------------------------------------------------------- */

const char *m2d__study_beside(m2d__study *s, const char *path)
{
    const char *slash = strrchr(s->file, '/');

    return path[0] == '/' || slash == NULL
               ? path
               : ha__arena_format(s->ctx, &s->arena, "%.*s%s", (int) (slash + 1 - s->file), s->file,
                                  path);
}

/* The columns of a table as variables, its rows as runs. */
static ha_status take_cases(m2d__study *s, const char *path, const ha_result *table)
{
    size_t n = ha_result_n_columns(table), rows = ha_result_n_rows(table);

    for (size_t c = 0; c < n; c++) {
        const char *name = ha_result_name(table, c);
        m2d_variable v = { .path = ha__arena_text(s->ctx, &s->arena, name, strlen(name)),
                           .where = { path, 1, 1 } };
        HA_TRY_MEMORY(v.path);
        HA_TRY_PUSH(s->ctx, &s->variables, v);
    }
    HA_TRY_ALLOC(s->ctx, s->values, n * rows + 1);
    for (size_t i = 0; i < n * rows; i++) {
        s->values[i] = ha_result_value(table, i / n, i % n);
    }
    s->n_runs = (long) rows;
    return HA_OK;
}

static ha_status read_cases(m2d__study *s, const ha__yaml_node *node)
{
    const char *text = NULL;
    ha_result *table = NULL;

    HA_TRY(ha__yaml_text(s->ctx, node, "`cases`", &text));
    const char *path = m2d__study_beside(s, text);
    HA_TRY_MEMORY(path);
    HA_TRY(ha_result_read_csv(s->ctx, path, &table));
    ha_status status = take_cases(s, path, table);
    ha_result_free(table);
    return status;
}

/* --- the whole ------------------------------------------------------------------------------ */

static ha_status read_design(m2d__study *s, const ha__yaml_node *node, bool has_cases)
{
    const char *text = has_cases ? "cases" : "grid";

    if (node != NULL) {
        HA_TRY(ha__yaml_text(s->ctx, node, "`design`", &text));
    }
    for (int i = 0; i < M2D__DESIGN_COUNT; i++) {
        if (strcmp(text, designs[i]) == 0) {
            s->design = (m2d__design) i;
            return HA_OK;
        }
    }
    const char *near = ha__nearest(text, designs, M2D__DESIGN_COUNT);
    return ha_fail(s->ctx, HA_ERR_VALUE, node->where,
                   "the design `%s` is not known; use grid, zip, random, latin-hypercube or "
                   "cases%s%s%s",
                   text, near == NULL ? "" : "; did you mean `", near == NULL ? "" : near,
                   near == NULL ? "" : "`?");
}

/* What is run again and again. */
static ha_status read_runs(m2d__study *s, const ha__yaml_node *root)
{
    const ha__yaml_node *vary = ha__yaml_get(root, "vary"), *measure = NULL,
                        *cases = ha__yaml_get(root, "cases"), *runs = ha__yaml_get(root, "runs"),
                        *seed = ha__yaml_get(root, "seed");
    long number = 1;

    HA_TRY(ha__yaml_require(s->ctx, root, "the study", "measure", &measure));
    HA_TRY(read_design(s, ha__yaml_get(root, "design"), cases != NULL));
    if ((cases != NULL) != (s->design == M2D__DESIGN_CASES) || (cases != NULL && vary != NULL)) {
        return ha_fail(s->ctx, HA_ERR_SYNTAX, root->where,
                       "a study has either `cases: FILE.csv` (with the design cases) or `vary`");
    }
    if (cases != NULL) {
        HA_TRY(read_cases(s, cases));
    } else {
        HA_TRY(ha__yaml_require(s->ctx, root, "the study", "vary", &vary));
        HA_TRY(ha__yaml_expect(s->ctx, vary, "`vary`", HA__YAML_MAPPING));
        for (size_t i = 0; i < vary->n; i++) {
            HA_TRY(read_vary(s, &vary->pairs[i]));
        }
    }
    if (runs != NULL) {
        HA_TRY(read_count(s, runs, "`runs`", 1.0, MOST_RUNS, &s->n_runs));
    }
    if (seed != NULL) {
        HA_TRY(read_count(s, seed, "`seed`", 0.0, 4294967295.0, &number));
    }
    s->seed = (uint64_t) number;
    HA_TRY(ha__yaml_expect(s->ctx, measure, "`measure`", HA__YAML_MAPPING));
    if (measure->n == 0) {
        return ha_fail(s->ctx, HA_ERR_VALUE, measure->where,
                       "`measure` is empty; give for example `measure: {top: peak(rod.angle)}`");
    }
    for (size_t i = 0; i < measure->n; i++) {
        HA_TRY(m2d__study_add_measure(s, measure->pairs[i].key, measure->pairs[i].value));
    }
    HA_TRY(m2d__study_compile(s));
    return m2d__study_design(s);
}

/* A study makes runs, fits, or does both. */
static ha_status read_section(m2d__study *s, const ha__yaml_node *root)
{
    static const char *const keys[] = {
        "vary", "design", "cases", "runs", "seed", "measure", "fit"
    };
    const ha__yaml_node *fit = ha__yaml_get(root, "fit");

    HA_TRY(ha__yaml_check_keys(s->ctx, root, "the study", keys, HA_COUNT(keys)));
    if (fit != NULL) {
        HA_TRY(m2d__fit_read(s, fit));
    }
    return fit != NULL && root->n == 1 ? HA_OK : read_runs(s, root);
}

/* Reads the section of a document, or all of it. */
static ha_status read_document(m2d__study *s, bool is_section)
{
    const ha__yaml_node *root = ha__yaml_root(s->doc), *section = ha__yaml_get(root, "study");

    if (section == NULL && is_section) {
        return ha_fail(s->ctx, HA_ERR_NAME, root->where,
                       "the model has no `study`; add one, or give the file of a study: "
                       "`halfarrow study MODEL STUDY -o DIR`");
    }
    return read_section(s, section != NULL ? section : root);
}

static ha_status new_study(ha_ctx *ctx, const char *file, m2d__study **out)
{
    m2d__study *s = ha__alloc(ctx, 1, sizeof *s);

    HA_TRY_MEMORY(s);
    s->ctx = ctx;
    s->file = file;
    s->dag = ha_dag_new(ctx);
    const ha_status status = s->dag == NULL ? HA_ERR_MEMORY : HA_OK;
    return HA_GIVE(status, s, m2d__study_free, out);
}

ha_status m2d__study_read(ha_ctx *ctx, const char *path, bool is_section, m2d__study **out)
{
    m2d__study *s = NULL;

    HA_TRY(new_study(ctx, path, &s));
    ha_status status = ha__yaml_read_file(ctx, path, &s->doc);
    HA_THEN(status, read_document(s, is_section));
    return HA_GIVE(status, s, m2d__study_free, out);
}

ha_status m2d__study_read_text(ha_ctx *ctx, const char *text, size_t length, const char *name,
                               m2d__study **out)
{
    m2d__study *s = NULL;

    HA_TRY(new_study(ctx, name, &s));
    ha_status status = ha__yaml_read_text(ctx, text, length, name, &s->doc);
    HA_THEN(status, read_document(s, false));
    return HA_GIVE(status, s, m2d__study_free, out);
}

void m2d__study_free(m2d__study *s)
{
    if (s == NULL) {
        return;
    }
    ha__tape_free(s->tape);
    ha_dag_free(s->dag);
    ha__yaml_free(s->doc);
    HA_ARRAY_CLEAR(&s->fit.parameters, &s->fit.sigmas, &s->variables, &s->varied, &s->measures);
    HA_ARRAY_CLEAR(&s->calls, &s->inputs, &s->outputs, &s->output_wheres);
    ha__arena_clear(&s->arena);
    HA_FREE(s->values, s->columns, s);
}
