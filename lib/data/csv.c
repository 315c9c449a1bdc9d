/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns of numbers in text files: one line at a time, of which two fields are kept.
 *
 * What separates fields is one sign for all of a file, that of the first line with any: `;` before
 * a tab before `,`, else blanks. So a decimal comma beside another separator ends no field; it is
 * no number.
 */
#include <config.h>

#include "lib/data/csv.h"

#include "lib/core/context_priv.h"
#include "lib/core/input.h"
#include "lib/core/number.h"
#include "lib/core/utf8.h"
#include "lib/data/dimension.h"
#include "lib/data/units.h"

#include <stdio.h>
#include <string.h>

/* bytes of a line, of a field in messages, of a unit, and of a number with one */
enum { LONGEST = 64 * 1024, SHOWN = 40, UNIT = 64, QUANTITY = 192 };

static const char BYTE_ORDER[] = "\xEF\xBB\xBF"; /* what some programs begin files in UTF-8 with */

typedef struct {
    ha_ctx *ctx;
    const char *path;
    ha__lines lines;
    int line;
    bool has_begun;      /* a line that is not passed over has been met */
    char separator;      /* 0: none has been met */
    int n_titles;        /* of the header; 0: there is none */
    char units[2][UNIT]; /* of the two columns, by their titles; "": SI */
    char text[LONGEST + 2];
} reader;

static ha_where location(const reader *r, const char *at)
{
    return (ha_where){ r->path, r->line, (int) (at - r->text) + 1 };
}

/* The next line without its end; false at the end of the file. */
static ha_status next_line(reader *r, bool *is_there)
{
    bool is_last = false;

    HA_TRY(ha__lines_next(r->ctx, r->path, &r->lines, r->text, sizeof r->text, is_there, &is_last));
    if (!*is_there) {
        return HA_OK;
    }
    r->line++;
    size_t length = strlen(r->text);
    ha__ctx_note_input(r->ctx, r->text, length);
    bool is_whole = is_last || (length > 0 && r->text[length - 1] == '\n');
    if (!is_whole) {
        return length < LONGEST
                   ? ha_fail(r->ctx, HA_ERR_SYNTAX, location(r, r->text),
                             "the line has a byte 0; give a text file with columns of numbers")
                   : ha_fail(r->ctx, HA_ERR_LIMIT, location(r, r->text),
                             "the line has more than %d bytes; give a text file with columns of "
                             "numbers",
                             (int) LONGEST);
    }
    r->text[strcspn(r->text, "\r\n")] = '\0';
    if (r->line == 1 && strncmp(r->text, BYTE_ORDER, strlen(BYTE_ORDER)) == 0) {
        memset(r->text, ' ', strlen(BYTE_ORDER));
    }
    return HA_OK;
}

/* The first of some signs that is not in quotes, or the end. Quotes in quotes are doubled. */
static const char *find_sign(const char *at, const char *signs)
{
    bool is_quoted = false;

    for (; *at != '\0' && (is_quoted || strchr(signs, *at) == NULL); at++) {
        is_quoted = is_quoted != (*at == '"');
    }
    return at;
}

/* What separates the fields of a line; 0: blanks, or nothing. */
static char separator_of(const char *line)
{
    static const char *const signs[] = { ";", "\t", "," };

    for (size_t i = 0; i < HA_COUNT(signs); i++) {
        if (*find_sign(line, signs[i]) != '\0') {
            return signs[i][0];
        }
    }
    return 0;
}

/* Field `number` (from 1) of the line, blanks and quotes around it left out; NULL: there are fewer.
 */
static const char *find_field(const reader *r, int number, size_t *length)
{
    const char ends[] = { r->separator != 0 ? r->separator : ' ', '\0' }, *at = r->text;
    bool has_signs = r->separator != 0 && strchr(at, r->separator) != NULL;

    for (int i = 1;; i++) {
        at += strspn(at, " ");
        const char *end = find_sign(at, ends);
        if (i == number) {
            size_t n = (size_t) (end - at);
            while (n > 0 && strchr(" \"", at[n - 1]) != NULL) {
                n--;
            }
            size_t quote = n > 0 && at[0] == '"' ? 1 : 0;
            *length = n - quote;
            return n == 0 && at[0] == '\0' && !has_signs ? NULL : at + quote;
        }
        if (*end == '\0') {
            return NULL;
        }
        at = end + 1;
    }
}

static ha_status refuse_field(const reader *r, int number, const char *field, size_t length)
{
    if (field == NULL) {
        return ha_fail(r->ctx, HA_ERR_SYNTAX, location(r, r->text),
                       "the line has no column %d; give a number there, or ask for another column",
                       number);
    }
    if (length == 0) {
        return ha_fail(r->ctx, HA_ERR_SYNTAX, location(r, field),
                       "column %d is empty here; give a number, or leave out the row", number);
    }
    return ha_fail(r->ctx, HA_ERR_SYNTAX, location(r, field),
                   "`%.*s` in column %d is no number; give a number with a decimal point",
                   ha__utf8_clip(field, length, SHOWN), field, number);
}

/* Whether a field begins as a number does, like `0,01` and `0 s`. */
static bool begins_as_number(const char *field)
{
    return ha__number_length(field + strspn(field, "+-")) > 0;
}

/* The number of a field in SI; false where it is none. */
static bool read_value(const reader *r, int i, const char *field, size_t length, double *out)
{
    char text[QUANTITY];
    bool is_number = ha__read_number(field, length, 0, out);

    if (!is_number || r->units[i][0] == '\0') {
        return is_number;
    }
    if (length + UNIT >= sizeof text) {
        return false;
    }
    snprintf(text, sizeof text, "%.*s %s", (int) length, field, r->units[i]);
    return ha__quantity_read(r->ctx, text, HA__QUANTITY_ANY, location(r, field), "a table", out) ==
           HA_OK;
}

/* Keeps the unit of a title, as of `t [ms]`. What stands in parentheses may be an argument. */
static ha_status take_title(reader *r, int i, const char *field, size_t length)
{
    char text[QUANTITY] = "1 ", *unit = text + 2;
    bool is_unit = length > 0 && field[length - 1] == ']';
    bool is_doubt = length > 0 && field[length - 1] == ')';
    size_t first = length;
    ha__dimension dimension;
    double factor = 1.0;

    while ((is_unit || is_doubt) && first > 0 && field[first - 1] != (is_unit ? '[' : '(')) {
        first--;
    }
    if (memchr(field, '[', length) != NULL && (first >= length || length - first > UNIT)) {
        return ha_fail(r->ctx, HA_ERR_SYNTAX, location(r, field),
                       "the title `%.*s` has a bracket, but no unit at its end, as `t [ms]` has; "
                       "write it there, or without brackets",
                       ha__utf8_clip(field, length, SHOWN), field);
    }
    if (first == 0 || first >= length || length - first > UNIT) {
        return HA_OK;
    }
    memcpy(unit, field + first, length - 1 - first); /* text is zero behind that */
    if (is_doubt && ha__dimension_of_unit(unit, &dimension, &factor) && factor != 1.0) {
        ha_warn(r->ctx, location(r, field),
                "`(%s)` is not read as a unit: the numbers of the column are taken in SI; write "
                "`[%s]` where it is one",
                unit, unit);
    }
    if (!is_unit || strcmp(unit, "-") == 0 || strcmp(unit, "1") == 0) {
        return HA_OK;
    }
    memcpy(r->units[i], unit, UNIT);
    ha_where where = location(r, field + first);
    where.column -= (int) (unit - text); /* of the number before it */
    return ha__quantity_read(r->ctx, text, HA__QUANTITY_ANY, where, "the title of a column",
                             &factor);
}

/* How many fields the line has, but for an empty one at its end. */
static int count_fields(const reader *r)
{
    const char signs[] = { r->separator != 0 ? r->separator : ' ', '\0' };
    const char *at = r->text + strspn(r->text, " ");
    int n = 0;

    for (; *at != '\0'; n++) {
        at = find_sign(at, signs);
        at += *at != '\0' ? 1 : 0;
        at += strspn(at, " ");
    }
    return n;
}

/* Rows of other columns than the header has would be read by titles that are not theirs. */
static ha_status check_fields(const reader *r)
{
    int n = count_fields(r), n_titles = r->n_titles;

    return n_titles == 0 || n == n_titles || (n < n_titles && r->separator != 0)
               ? HA_OK
               : ha_fail(r->ctx, HA_ERR_SYNTAX, location(r, r->text),
                         "the line has %d fields, and the header %d titles; give each column a "
                         "title, without separators but in quotes",
                         n, n_titles);
}

static ha_status take_header(reader *r, const char *const fields[2], const size_t lengths[2])
{
    const char separator = r->separator != 0 ? r->separator : ' ';

    for (const char *at = strchr(r->text, '['); at != NULL; at = strchr(at + 1, '[')) {
        const char *before = at;
        while (before > r->text && before[-1] != separator && strchr(" \"", before[-1]) != NULL) {
            before--;
        }
        if (before == r->text || before[-1] == separator) {
            return ha_fail(r->ctx, HA_ERR_SYNTAX, location(r, at),
                           "a title begins with a unit; write the unit behind its title, with no "
                           "separator between, as in `t[ms],u[V]`");
        }
    }
    r->n_titles = count_fields(r);
    for (int i = 0; i < 2; i++) {
        HA_TRY(take_title(r, i, fields[i], lengths[i]));
    }
    return HA_OK;
}

/* Takes the two numbers of a line. */
static ha_status take_line(reader *r, const int numbers[2], ha__column columns[2])
{
    const char *fields[2] = { NULL, NULL };
    size_t lengths[2] = { 0, 0 };
    double values[2] = { 0.0, 0.0 };
    int wrong = -1, n_numbers = 0;

    r->separator = r->separator != 0 ? r->separator : separator_of(r->text);
    for (int i = 1; i >= 0; i--) {
        fields[i] = find_field(r, numbers[i], &lengths[i]);
        bool is_number = fields[i] != NULL && read_value(r, i, fields[i], lengths[i], &values[i]);
        n_numbers += is_number ? 1 : 0;
        wrong = is_number ? wrong : i;
    }
    wrong = fields[0] == NULL ? 0 : fields[1] == NULL ? 1 : wrong; /* before what is no number */
    bool is_header = !r->has_begun && fields[0] != NULL && fields[1] != NULL && n_numbers == 0 &&
                     !(begins_as_number(fields[0]) && begins_as_number(fields[1]));
    r->has_begun = true;
    if (wrong >= 0) {
        return is_header ? take_header(r, fields, lengths)
                         : refuse_field(r, numbers[wrong], fields[wrong], lengths[wrong]);
    }
    HA_TRY(check_fields(r));
    HA_TRY_PUSH(r->ctx, &columns[0], values[0]);
    HA_TRY_PUSH(r->ctx, &columns[1], values[1]);
    return HA_OK;
}

static ha_status read_lines(reader *r, const int numbers[2], ha__column columns[2])
{
    bool is_there = true;

    for (;;) {
        HA_TRY(next_line(r, &is_there));
        if (!is_there) {
            return HA_OK;
        }
        char first = r->text[strspn(r->text, " \t")];
        if (first != '\0' && first != '#') {
            HA_TRY(take_line(r, numbers, columns));
        }
    }
}

ha_status ha__csv_read(ha_ctx *ctx, const char *path, const int numbers[2], ha__column columns[2])
{
    ha__lines lines;

    HA_TRY(ha__lines_open(ctx, path, &lines));
    reader *r = ha__alloc(ctx, 1, sizeof *r);
    ha_status status = HA_ERR_MEMORY;
    if (r != NULL) {
        *r = (reader){ .ctx = ctx, .path = path, .lines = lines };
        status = read_lines(r, numbers, columns);
    }
    ha__free(r);
    ha__lines_close(&lines);
    return status;
}
