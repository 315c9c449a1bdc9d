/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures: expressions over what is taken of outputs of a run, `peak(rod.angle) - end(rod.angle)`.
 *
 * end, peak and least are exact as the run is; peak and least lie between rows, too. at(x, T), rms
 * and mean are taken from the rows: at() by the cubic through the four nearest, mean and rms as
 * integrals over straight lines from row to row.
 *
 * An expression is read with each call replaced by a name of its own; what is in the brackets is
 * the name of an output as in `outputs`, brackets and commas included.
 */
#include <config.h>

#include "lib/core/strbuf.h"
#include "lib/data/units.h"
#include "mech2d/study/study.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[M2D__CALL_COUNT] = { "end", "at", "peak", "least", "rms", "mean" };

/* --- reading -------------------------------------------------------------------------------- */

static bool is_word(char c)
{
    return isalnum((unsigned char) c) || c == '_' || c == '.';
}

/* Where the bracket that begins at text[0] ends; NULL: nowhere. `*comma` is the last comma in it
   that is in no other. */
static const char *find_end(const char *text, const char **comma)
{
    int depth = 0;

    *comma = NULL;
    for (const char *c = text; *c != '\0'; c++) {
        depth += *c == '(' ? 1 : *c == ')' ? -1 : 0;
        *comma = *c == ',' && depth == 1 ? c : *comma;
        if (depth == 0) {
            return c;
        }
    }
    return NULL;
}

static ha_status find_output(m2d__study *s, const char *text, size_t length, ha_where where,
                             int *out)
{
    while (length > 0 && isspace((unsigned char) text[0])) {
        text++;
        length--;
    }
    while (length > 0 && isspace((unsigned char) text[length - 1])) {
        length--;
    }
    for (size_t i = 0; i < s->outputs.count; i++) {
        if (strlen(s->outputs.items[i]) == length &&
            strncmp(s->outputs.items[i], text, length) == 0) {
            *out = (int) i;
            return HA_OK;
        }
    }
    const char *name = ha__arena_text(s->ctx, &s->arena, text, length);
    HA_TRY_MEMORY(name);
    *out = (int) s->outputs.count;
    HA_TRY_PUSH(s->ctx, &s->outputs, name);
    HA_TRY_PUSH(s->ctx, &s->output_wheres, where);
    return HA_OK;
}

/* Adds the call whose bracket is from `open` to `close`; its name goes to the text. */
static ha_status add_call(m2d__study *s, m2d__call_kind kind, const char *open, const char *close,
                          const char *comma, ha_where where, ha__strbuf *text)
{
    m2d__call call = { .kind = kind };
    const char *end = kind == M2D__CALL_AT ? comma : close;

    if (end == NULL) {
        return ha_fail(s->ctx, HA_ERR_SYNTAX, where,
                       "at() needs an output and a time: `at(rod.angle, 0.5 s)`");
    }
    if (kind == M2D__CALL_AT) {
        const char *from = comma + 1 + strspn(comma + 1, " \t");
        char *time = ha__arena_text(s->ctx, &s->arena, from, (size_t) (close - from));
        HA_TRY_MEMORY(time);
        HA_TRY(
            ha__quantity_read(s->ctx, time, HA__QUANTITY_ANY, where, "the time of at()", &call.t));
    }
    HA_TRY(find_output(s, open + 1, (size_t) (end - open - 1), where, &call.output));
    char name[32];
    snprintf(name, sizeof name, "call__%zu", s->calls.count);
    ha__strbuf_add(text, name);
    HA_TRY_PUSH(s->ctx, &s->calls, call);
    HA_TRY_PUSH(s->ctx, &s->inputs, ha_symbol(s->dag, name));
    s->needs_rows =
        s->needs_rows || kind == M2D__CALL_AT || kind == M2D__CALL_RMS || kind == M2D__CALL_MEAN;
    return text->status;
}

/* The kind of the call that a word is, M2D__CALL_COUNT: none. */
static int kind_of(const char *word, size_t length)
{
    int k = 0;

    while (k < M2D__CALL_COUNT &&
           (strlen(names[k]) != length || strncmp(names[k], word, length) != 0)) {
        k++;
    }
    return k;
}

/* HA_ERR_NAME where max(O) or min(O) of one output stands for peak(O) or least(O). */
static ha_status check_extreme(const m2d__study *s, const char *word, size_t length,
                               const char *open, ha_where where)
{
    bool is_max = length == 3 && strncmp(word, "max", 3) == 0;
    bool is_min = length == 3 && strncmp(word, "min", 3) == 0;
    const char *comma = NULL, *close = is_max || is_min ? find_end(open, &comma) : NULL;

    return close == NULL || comma != NULL
               ? HA_OK
               : ha_fail(s->ctx, HA_ERR_NAME, where,
                         "there is no measure `%.3s` of one output; use `%s(%.*s)`", word,
                         is_max ? "peak" : "least", (int) (close - open - 1), open + 1);
}

/* The expression with names for its calls. */
static ha_status replace_calls(m2d__study *s, const char *from, ha_where where, ha__strbuf *text)
{
    for (const char *c = from; *c != '\0';) {
        size_t length = 0, gap = 0;
        while (is_word(c[length])) {
            length++;
        }
        gap = strspn(c + length, " \t");
        int kind = length > 0 && c[length + gap] == '(' ? kind_of(c, length) : M2D__CALL_COUNT;
        if (kind == M2D__CALL_COUNT) {
            if (length > 0 && c[length + gap] == '(') {
                HA_TRY(check_extreme(s, c, length, c + length + gap, where));
            }
            length = length > 0 ? length : 1;
            ha__strbuf_add_bytes(text, c, length);
            c += length;
            continue;
        }
        const char *open = c + length + gap, *comma = NULL, *close = find_end(open, &comma);
        ha_where at = where;
        at.column += where.column > 0 ? (int) (c - from) : 0;
        if (close == NULL) {
            return ha_fail(s->ctx, HA_ERR_SYNTAX, at, "the bracket of `%s(` is not closed",
                           names[kind]);
        }
        HA_TRY(add_call(s, (m2d__call_kind) kind, open, close, comma, at, text));
        c = close + 1;
    }
    return text->status;
}

/* The symbol of a call. */
static ha_expr look_up(void *user, const char *name)
{
    const m2d__study *s = user;
    static const char prefix[] = "call__";

    if (strncmp(name, prefix, sizeof prefix - 1) != 0) {
        return HA_EXPR_NONE;
    }
    size_t i = strtoul(name + sizeof prefix - 1, NULL, 10);
    return i < s->inputs.count ? s->inputs.items[i] : HA_EXPR_NONE;
}

ha_status m2d__study_add_measure(m2d__study *s, const char *name, const ha__yaml_node *node)
{
    m2d__measure measure = { .name = name, .where = node->where };
    ha__strbuf text = HA_STRBUF(s->ctx);
    const char *given = NULL, *object = NULL;

    HA_TRY(ha__yaml_text(s->ctx, node, "a measure", &given));
    size_t before = s->calls.count;
    object = ha__arena_format(s->ctx, &s->arena,
                              "the measure `%s` (outputs stand in end(), at(), peak(), least(), "
                              "rms() or mean())",
                              name);
    ha_status status = object == NULL ? HA_ERR_MEMORY : HA_OK;
    HA_THEN(status, replace_calls(s, given, ha__yaml_text_where(node), &text));
    if (status == HA_OK) {
        const ha_parse_def def = { .where = ha__yaml_text_where(node),
                                   .lookup = look_up,
                                   .lookup_user = s,
                                   .object = object };
        status = ha_expr_parse(s->dag, ha__strbuf_text(&text), &def, &measure.value);
    }
    if (status == HA_OK && s->calls.count == before) {
        status = ha_fail(s->ctx, HA_ERR_VALUE, node->where,
                         "the measure `%s` takes nothing of a run; use end(), at(), peak(), "
                         "least(), rms() or mean() of an output",
                         name);
    }
    ha__strbuf_clear(&text);
    HA_TRY(status);
    HA_TRY_PUSH(s->ctx, &s->measures, measure);
    return HA_OK;
}

ha_status m2d__study_compile(m2d__study *s)
{
    ha_expr *roots = NULL;

    HA_TRY_ALLOC(s->ctx, roots, s->measures.count);
    for (size_t i = 0; i < s->measures.count; i++) {
        roots[i] = s->measures.items[i].value;
    }
    return ha__then_free(ha__tape_new(s->ctx, s->dag, roots, s->measures.count, s->inputs.items,
                                      s->inputs.count, &s->tape),
                         roots);
}

ha_status m2d__study_find_columns(m2d__study *s, const bg_model *model)
{
    const ha_dae *dae = bg_model_dae(model);
    ha_status status = HA_OK;

    ha__free(s->columns);
    HA_TRY_ALLOC(s->ctx, s->columns, s->outputs.count);
    for (size_t i = 0; i < s->outputs.count; i++) {
        int k = 0;
        while (k < dae->n_outputs && strcmp(dae->outputs[k].name, s->outputs.items[i]) != 0) {
            k++;
        }
        if (k == dae->n_outputs) {
            status = ha_fail(s->ctx, HA_ERR_NAME, s->output_wheres.items[i],
                             "`%s` is no single output of the model; name one, such as `%s`",
                             s->outputs.items[i],
                             dae->n_outputs > 0 ? dae->outputs[0].name : "rod.angle");
        }
        s->columns[i] = k + 1;
    }
    return status;
}

/* --- measuring ------------------------------------------------------------------------------ */

/* The value at a time by the polynomial through the nearest rows, four where there are so many. */
static double value_at(const ha_result *result, size_t column, double t)
{
    size_t rows = ha_result_n_rows(result), first = 0, n = rows < 4 ? rows : 4;
    double sum = 0.0;

    if (rows == 0 || t < ha_result_value(result, 0, 0) ||
        t > ha_result_value(result, rows - 1, 0)) {
        return (double) NAN;
    }
    size_t low = 0, high = rows - 1; /* bisection */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(ha_result_value(result, middle, 0) <= t ? &low : &high) = middle;
    }
    for (size_t k = low; k <= high; k++) {
        if (ha_result_value(result, k, 0) == t) {
            return ha_result_value(result, k, column);
        }
    }
    first = low > 0 ? low - 1 : 0;
    first = first + n > rows ? rows - n : first;
    for (size_t i = first; i < first + n; i++) {
        double term = ha_result_value(result, i, column), ti = ha_result_value(result, i, 0);
        for (size_t k = first; k < first + n; k++) {
            double tk = ha_result_value(result, k, 0);
            term *= k == i ? 1.0 : (t - tk) / (ti - tk);
        }
        sum += term;
    }
    return sum;
}

/* The mean of x or of x^2 over the time. */
static double mean_of(const ha_result *result, size_t column, bool of_squares)
{
    size_t rows = ha_result_n_rows(result);
    double sum = 0.0, time = 0.0;

    for (size_t i = 1; i < rows; i++) {
        double a = ha_result_value(result, i - 1, column), b = ha_result_value(result, i, column);
        double h = ha_result_value(result, i, 0) - ha_result_value(result, i - 1, 0);
        sum += h * (of_squares ? (a * a + a * b + b * b) / 3.0 : 0.5 * (a + b));
        time += h;
    }
    if (!(time > 0.0)) {
        double x = rows > 0 ? ha_result_value(result, rows - 1, column) : (double) NAN;
        return of_squares ? x * x : x;
    }
    return sum / time;
}

static double take(const m2d__study *s, const m2d__call *call, const ha_result *result,
                   const ha_peak *peaks)
{
    size_t column = (size_t) s->columns[call->output], rows = ha_result_n_rows(result);

    switch (call->kind) {
    case M2D__CALL_END:
        return rows > 0 ? ha_result_value(result, rows - 1, column) : (double) NAN;
    case M2D__CALL_AT:
        return value_at(result, column, call->t);
    case M2D__CALL_PEAK:
        return peaks[column - 1].max;
    case M2D__CALL_LEAST:
        return peaks[column - 1].min;
    case M2D__CALL_RMS:
        return sqrt(mean_of(result, column, true));
    case M2D__CALL_MEAN:
        return mean_of(result, column, false);
    case M2D__CALL_COUNT:
        break;
    }
    return (double) NAN;
}

void m2d__study_measure(const m2d__study *s, const ha_result *result, const ha_peak *peaks,
                        double *room, double *values)
{
    ha__tape_prepare(s->tape, room);
    for (size_t i = 0; i < s->calls.count; i++) {
        room[i] = take(s, &s->calls.items[i], result, peaks);
    }
    ha__tape_run(s->tape, room, values);
}
