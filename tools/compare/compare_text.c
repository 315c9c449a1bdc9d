/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A comparison as a table for people, and as CSV. */
#include <config.h>

#include "tools/compare/comparison.h"

#include "lib/core/number.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
    LABEL_WIDTH = 24, /* columns of the labels at the left */
    CELL_WIDTH = 14,  /* of a number */
    MAX_OUTPUTS = 60, /* rows of differences; files have all */
    MAX_LISTED = 12   /* names or equations of one list; JSON and HTML have all */
};

/* --- cells ---------------------------------------------------------------------------------- */

/* Text to the left or (negative width) to the right in so many columns, and a blank. */
static void add_cell(ha__strbuf *out, const char *text, int width)
{
    int columns = 0, wanted = width < 0 ? -width : width;

    for (const char *c = text; *c != '\0'; c++) {
        columns += ((unsigned char) *c & 0xc0) != 0x80 ? 1 : 0; /* a character of UTF-8 */
    }
    int fill = columns < wanted ? wanted - columns : 0;
    ha__strbuf_addf(out, "%*s%s%*s ", width < 0 ? fill : 0, "", text, width < 0 ? 0 : fill, "");
}

void compare_add_number(ha__strbuf *out, double x, int width)
{
    char number[HA__NUMBER_SIZE] = "-";

    if (!isnan(x)) {
        ha__print_rounded_number(number, x, 6);
    }
    add_cell(out, number, -width);
}

static void end_line(ha__strbuf *out)
{
    while (out->length > 0 && out->text[out->length - 1] == ' ') {
        out->text[--out->length] = '\0';
    }
    ha__strbuf_add(out, "\n");
}

static void add_title(ha__strbuf *out, const compare_set *set, size_t job, int width)
{
    ha__strbuf title = HA_STRBUF(out->ctx);

    compare_job_title(set, set->jobs.items[job], &title);
    add_cell(out, ha__strbuf_text(&title), width);
    ha__strbuf_clear(&title);
}

/* True for a run that has a column in the table of runs. */
static bool is_in_table(const compare_set *set, size_t j)
{
    return set->jobs.items[j]->keeps_model;
}

/* --- runs ----------------------------------------------------------------------------------- */

static void add_runs(const compare_set *set, ha__strbuf *out)
{
    double facts[COMPARE_N_FACTS];

    add_cell(out, "", LABEL_WIDTH);
    for (size_t j = 0; j < set->jobs.count; j++) {
        if (is_in_table(set, j)) {
            add_title(out, set, j, -CELL_WIDTH);
        }
    }
    end_line(out);
    for (int i = -1; i < COMPARE_N_FACTS; i++) {
        ha__strbuf_add(out, "  ");
        add_cell(out, i < 0 ? "status" : compare_fact_label(i), LABEL_WIDTH - 2);
        for (size_t j = 0; j < set->jobs.count; j++) {
            if (!is_in_table(set, j)) {
                continue;
            }
            if (i < 0) {
                add_cell(out, cli_status_word(set->jobs.items[j]->run.status), -CELL_WIDTH);
            } else {
                compare_facts(set->jobs.items[j], facts);
                compare_add_number(out, facts[i], CELL_WIDTH);
            }
        }
        end_line(out);
    }
    for (size_t j = 0; j < set->jobs.count; j++) {
        if (is_in_table(set, j) && set->jobs.items[j]->run.model.causality != NULL) {
            ha__strbuf_add(out, "  class of ");
            add_title(out, set, j, LABEL_WIDTH - 12);
            ha__strbuf_addf(out, " %s\n", compare_class(set->jobs.items[j]));
        }
    }
}

/* --- structure ------------------------------------------------------------------------------ */

/* Names of one role among those that only one variant has. */
static void add_roles(ha__strbuf *out, const char *variant, const compare_role *roles, size_t n,
                      bg_role role)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        if (roles[i].role != role) {
            continue;
        }
        if (count == 0) {
            ha__strbuf_addf(out, "  only in %s, %s:", variant, compare_role_word(role));
        }
        if (count < MAX_LISTED) {
            ha__strbuf_addf(out, "%s %s", count > 0 ? "," : "", roles[i].name);
        }
        count++;
    }
    if (count > MAX_LISTED) {
        ha__strbuf_addf(out, " and %zu more", count - MAX_LISTED);
    }
    if (count > 0) {
        ha__strbuf_add(out, "\n");
    }
}

static void add_strokes(ha__strbuf *out, const compare_structure *s)
{
    ha__strbuf_addf(out, "  strokes: %zu of %d common bonds have them at the other end%s",
                    s->strokes.count, s->n_common_bonds, s->strokes.count > 0 ? ":" : "");
    for (size_t i = 0; i < s->strokes.count && i < MAX_LISTED; i++) {
        ha__strbuf_addf(out, "%s %s > %s", i > 0 ? "," : "", s->strokes.items[i].tail,
                        s->strokes.items[i].head);
    }
    if (s->strokes.count > MAX_LISTED) {
        ha__strbuf_addf(out, " and %zu more", s->strokes.count - MAX_LISTED);
    }
    ha__strbuf_add(out, "\n");
    if (s->n_first_bonds > 0 || s->n_other_bonds > 0) {
        ha__strbuf_addf(out, "  bonds in one only: %d and %d\n", s->n_first_bonds,
                        s->n_other_bonds);
    }
}

static void add_lines(ha__strbuf *out, const char *variant, const char *const *lines, size_t n)
{
    if (n > 0) {
        ha__strbuf_addf(out, "  %zu equation%s of %s that the other does not have:\n", n,
                        n == 1 ? "" : "s", variant);
    }
    for (size_t i = 0; i < n && i < MAX_LISTED; i++) {
        ha__strbuf_addf(out, "      %s\n", lines[i]);
    }
    if (n > MAX_LISTED) {
        ha__strbuf_addf(out, "      and %zu more; --json lists them all\n", n - MAX_LISTED);
    }
}

static ha_status add_structure(const compare_set *set, size_t j, ha__strbuf *out)
{
    static const bg_role roles[] = { BG_INTEGRAL, BG_DERIVATIVE, BG_IMPLICIT, BG_EXPLICIT };
    const compare_job *first = set->jobs.items[0], *other = set->jobs.items[j];
    compare_structure s;

    if (!compare_have_structures(first, other)) {
        return HA_OK;
    }
    ha__strbuf name = HA_STRBUF(out->ctx), reference = HA_STRBUF(out->ctx);
    compare_job_title(set, first, &reference);
    compare_job_title(set, other, &name);
    ha_status status = compare_structures(first, other, &s);
    if (status == HA_OK) {
        for (size_t r = 0; r < HA_COUNT(roles); r++) {
            add_roles(out, ha__strbuf_text(&reference), s.first_roles.items, s.first_roles.count,
                      roles[r]);
            add_roles(out, ha__strbuf_text(&name), s.other_roles.items, s.other_roles.count,
                      roles[r]);
        }
        add_strokes(out, &s);
        add_lines(out, ha__strbuf_text(&reference), s.first_lines.items, s.first_lines.count);
        add_lines(out, ha__strbuf_text(&name), s.other_lines.items, s.other_lines.count);
        compare_structure_clear(&s);
    }
    ha__strbuf_clear(&name);
    return ha__strbuf_drop(&reference, status);
}

/* --- dissipation ---------------------------------------------------------------------------- */

static void add_dissipated(const compare_set *set, size_t j, ha__strbuf *out)
{
    const compare_job *first = set->jobs.items[0], *other = set->jobs.items[j];
    double a = compare_dissipated(first, NULL), b = compare_dissipated(other, NULL);

    if (isnan(a) || isnan(b)) {
        return;
    }
    ha__strbuf_add(out, "  dissipated, against the first: ");
    compare_add_number(out, b - a, 0);
    ha__strbuf_add(out, "J\n");
    for (size_t i = 0; compare_dissipator(set, j, i) != NULL; i++) {
        const char *name = compare_dissipator(set, j, i);
        ha__strbuf_addf(out, "      in %s: ", name);
        compare_add_number(out, compare_dissipated(first, name), 0);
        ha__strbuf_add(out, "J and ");
        compare_add_number(out, compare_dissipated(other, name), 0);
        ha__strbuf_add(out, "J\n");
    }
}

/* --- outputs -------------------------------------------------------------------------------- */

static void add_outputs(const compare_set *set, size_t j, ha__strbuf *out)
{
    const ha_compare *compare = set->compares.items[j];
    const ha_result *result = set->jobs.items[j]->run.result;
    size_t n = compare == NULL ? 0 : ha_compare_n(compare);
    size_t n_printed = 0, n_listed = 0, n_equal = 0;

    if (compare == NULL) {
        ha__strbuf_add(out, "  there are no outputs to compare\n");
        return;
    }
    ha__strbuf_addf(out, "\n  differences over %zu common times\n  ", ha_compare_n_times(compare));
    add_cell(out, "output", LABEL_WIDTH + 4);
    add_cell(out, "unit", 8);
    add_cell(out, "largest", -CELL_WIDTH);
    add_cell(out, "at [s]", -CELL_WIDTH);
    add_cell(out, "RMS", -CELL_WIDTH);
    add_cell(out, "range", -CELL_WIDTH);
    add_cell(out, "peak changes by", -CELL_WIDTH - 2);
    end_line(out);
    for (size_t i = 0; i < n; i++) {
        const ha_difference *d = ha_compare_get(compare, i);
        const char *name = ha_result_name(result, d->column_b);
        double peaks[2];
        if (!compare_is_listed(set, name)) {
            continue;
        }
        if (d->largest == 0.0 && !cli_has(set->cli, CLI_Y)) {
            n_equal++;
            continue;
        }
        if (n_listed++ >= MAX_OUTPUTS) {
            continue;
        }
        n_printed++;
        ha__strbuf_add(out, "  ");
        add_cell(out, name, LABEL_WIDTH + 4);
        add_cell(out, ha_result_unit(result, d->column_b), 8);
        compare_add_number(out, d->largest, CELL_WIDTH);
        compare_add_number(out, d->t, CELL_WIDTH);
        compare_add_number(out, d->rms, CELL_WIDTH);
        compare_add_number(out, d->range, CELL_WIDTH);
        compare_peaks(set, j, d, peaks);
        compare_add_number(out, peaks[1] - peaks[0], CELL_WIDTH + 2);
        end_line(out);
    }
    if (n_listed > n_printed) {
        ha__strbuf_addf(out, "  and %zu more outputs; -o FILE.csv writes them all\n",
                        n_listed - n_printed);
    }
    if (n_equal > 0) {
        ha__strbuf_addf(out, "  %zu outputs are equal\n", n_equal);
    }
}

/* --- a sweep -------------------------------------------------------------------------------- */

static void add_sweep_row(const compare_set *set, size_t j, compare_measure measure,
                          ha__strbuf *out)
{
    const compare_job *job = set->jobs.items[j];

    ha__strbuf_add(out, "  ");
    add_cell(out, compare_job_name(job), LABEL_WIDTH - 10);
    compare_add_number(out, job->value, 12);
    add_cell(out, cli_status_word(job->run.status), 11);
    if (job->run.result == NULL) {
        add_cell(out, "-", -8);
        add_cell(out, "-", -9);
    } else {
        compare_add_number(out, (double) job->run.report.solver.steps, 8);
        compare_add_number(out, 1e-4 * round(1e4 * job->run.report.solver.seconds), 9);
    }
    for (size_t i = 0; i < set->chosen.count; i++) {
        compare_add_number(out, compare_measured(set, j, set->chosen.items[i], measure),
                           CELL_WIDTH);
    }
    end_line(out);
}

static void add_order(const compare_set *set, const char *variant, const char *label,
                      compare_measure measure, size_t most, ha__strbuf *out)
{
    ha__strbuf_add(out, "  ");
    add_cell(out, variant == NULL ? "base" : variant, LABEL_WIDTH - 10);
    add_cell(out, label, -(12 + 11 + 8 + 9 + 3));
    for (size_t i = 0; i < set->chosen.count; i++) {
        double order = compare_order(set, variant, set->chosen.items[i], measure, most);
        compare_add_number(out, 1e-3 * round(1e3 * order), CELL_WIDTH);
    }
    end_line(out);
}

static void add_orders(const compare_set *set, compare_measure measure, ha__strbuf *out)
{
    for (size_t v = 0; v < set->variants.count; v++) {
        const char *variant = set->variants.items[v];
        bool is_swept = false;
        for (size_t j = 0; j < set->jobs.count; j++) {
            const compare_job *job = set->jobs.items[j];
            is_swept |= job->run.name == variant && !isnan(job->value) && job->against != j;
        }
        if (is_swept) {
            add_order(set, variant, "order, fitted", measure, SIZE_MAX, out);
            add_order(set, variant, "order of the last two", measure, 2, out);
        }
    }
}

static void add_sweep(const compare_set *set, compare_measure measure, ha__strbuf *out)
{
    ha__strbuf_addf(out, "\n%s over `%s`%s%s%s\n\n  ", compare_measure_label(measure),
                    set->sweep.path, set->sweep.unit[0] != '\0' ? " [" : "", set->sweep.unit,
                    set->sweep.unit[0] != '\0' ? "]" : "");
    add_cell(out, "variant", LABEL_WIDTH - 10);
    add_cell(out, "value", -12);
    add_cell(out, "status", 11);
    add_cell(out, "steps", -8);
    add_cell(out, "seconds", -9);
    for (size_t i = 0; i < set->chosen.count; i++) {
        add_cell(out, set->chosen.items[i], -CELL_WIDTH);
    }
    end_line(out);
    for (size_t j = 0; j < set->jobs.count; j++) {
        if (set->jobs.items[j]->against != j || set->jobs.items[j]->run.status != HA_OK) {
            add_sweep_row(set, j, measure, out);
        }
    }
    add_orders(set, measure, out);
}

/* -------------------------------------------------------------------------------------------- */

static void add_faults(const compare_set *set, ha__strbuf *out)
{
    bool is_first = true;

    for (size_t j = 0; j < set->jobs.count; j++) {
        const char *fault = compare_fault(set->jobs.items[j]);
        if (fault != NULL) {
            ha__strbuf_add(out, is_first ? "\nruns that failed\n" : "");
            ha__strbuf_add(out, "  ");
            compare_job_title(set, set->jobs.items[j], out);
            ha__strbuf_addf(out, ": %s\n", fault);
            is_first = false;
        }
    }
}

ha_status compare_text(const compare_set *set, ha__strbuf *out)
{
    const compare_job *first = set->jobs.items[0];

    ha__strbuf_addf(out, "%s: %zu runs\n\n", set->cli->file != NULL ? set->cli->file : "--graph",
                    set->jobs.count);
    add_runs(set, out);
    for (size_t j = compare_next_shown(set, 1); j < set->jobs.count;
         j = compare_next_shown(set, j + 1)) {
        ha__strbuf_add(out, "\n");
        add_title(out, set, j, 0);
        ha__strbuf_add(out, "against ");
        add_title(out, set, 0, 0);
        end_line(out);
        HA_TRY(add_structure(set, j, out));
        if (first->run.result != NULL && set->jobs.items[j]->run.result != NULL) {
            add_dissipated(set, j, out);
        }
        if (set->sweep.path == NULL) {
            add_outputs(set, j, out);
        }
    }
    if (set->sweep.path != NULL) {
        add_sweep(set, COMPARE_LARGEST, out);
        add_sweep(set, COMPARE_PEAK, out);
    }
    add_faults(set, out);
    return out->status;
}

/* --- CSV ------------------------------------------------------------------------------------ */

/* A field of RFC 4180. */
static void add_field(ha__strbuf *out, const char *text)
{
    bool is_quoted = strpbrk(text, ",\"\r\n") != NULL;

    ha__strbuf_add(out, is_quoted ? "\"" : "");
    for (const char *c = text; *c != '\0'; c++) {
        ha__strbuf_add_bytes(out, c, 1);
        if (*c == '"') {
            ha__strbuf_add_bytes(out, c, 1);
        }
    }
    ha__strbuf_add(out, is_quoted ? "\"," : ",");
}

static void add_csv_row(const compare_set *set, size_t j, const ha_difference *d, ha__strbuf *out)
{
    const compare_job *job = set->jobs.items[j], *other = set->jobs.items[job->against];

    add_field(out, compare_job_name(job));
    add_field(out, compare_job_name(other));
    if (set->sweep.path != NULL) {
        ha__strbuf_add_number(out, job->value);
        ha__strbuf_add(out, ",");
    }
    ha__strbuf_addf(out, "%s,", cli_status_word(job->run.status));
    if (d == NULL) { /* a run that failed at its start */
        ha__strbuf_add(out, ",,,,,,,,\n");
        return;
    }
    add_field(out, ha_result_name(job->run.result, d->column_b));
    add_field(out, ha_result_unit(job->run.result, d->column_b));
    double peaks[2];
    compare_peaks(set, j, d, peaks);
    const double numbers[] = { d->largest,         d->t, d->rms, d->range, d->end, peaks[1],
                               peaks[1] - peaks[0] };
    for (size_t i = 0; i < HA_COUNT(numbers); i++) {
        ha__strbuf_add_number(out, numbers[i]);
        ha__strbuf_add(out, i + 1 < HA_COUNT(numbers) ? "," : "\n");
    }
}

ha_status compare_csv(const compare_set *set, ha__strbuf *out)
{
    ha__strbuf_add(out, "variant,against,");
    if (set->sweep.path != NULL) {
        ha__strbuf header = HA_STRBUF(out->ctx);
        ha__strbuf_addf(&header, "%s%s%s%s", set->sweep.path,
                        set->sweep.unit[0] != '\0' ? " [" : "", set->sweep.unit,
                        set->sweep.unit[0] != '\0' ? "]" : "");
        add_field(out, ha__strbuf_text(&header));
        ha__strbuf_clear(&header);
    }
    ha__strbuf_add(out, "status,output,unit,largest,t [s],rms,range,end,peak,peak_change\n");
    for (size_t j = 0; j < set->jobs.count; j++) {
        const ha_compare *compare = set->compares.items[j];
        if (compare == NULL && set->jobs.items[j]->run.status != HA_OK) {
            add_csv_row(set, j, NULL, out);
        }
        for (size_t i = 0; compare != NULL && i < ha_compare_n(compare); i++) {
            const ha_difference *d = ha_compare_get(compare, i);
            if (compare_is_listed(set,
                                  ha_result_name(set->jobs.items[j]->run.result, d->column_b))) {
                add_csv_row(set, j, d, out);
            }
        }
    }
    return out->status;
}
