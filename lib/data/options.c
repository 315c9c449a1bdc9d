/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options that are fields of a struct, by table. */
#include <config.h>

#include "lib/data/options.h"

#include "lib/core/number.h"
#include "lib/core/symtab.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { OBJECT_SIZE = 64 };

static const double ANY = 1e300; /* the highest of what has no limit */

/* --- fields --------------------------------------------------------------------------------- */

double ha__option_get(const ha__option *row, const void *options)
{
    const char *field = (const char *) options + row->offset;
    double x = 0.0;
    long k = 0;

    if (row->is_long) {
        memcpy(&k, field, sizeof k);
        return (double) k;
    }
    memcpy(&x, field, sizeof x);
    return x;
}

static void put(const ha__option *row, void *options, double value)
{
    char *field = (char *) options + row->offset;
    long k = row->is_long ? (long) value : 0;

    if (row->is_long) {
        memcpy(field, &k, sizeof k);
    } else {
        memcpy(field, &value, sizeof value);
    }
}

/* --- words ---------------------------------------------------------------------------------- */

/* Word `i` of an option and its length; NULL: it has no more. */
static const char *word_of(const ha__option *row, int i, size_t *length)
{
    const char *at = row->words;

    for (; at != NULL && i > 0; i--) {
        at = strchr(at, ' ');
        at = at == NULL ? NULL : at + 1;
    }
    *length = at == NULL ? 0 : strcspn(at, " ");
    return at;
}

void ha__option_add_word(ha__strbuf *out, const ha__option *row, double value)
{
    size_t length = 0;
    const char *word = word_of(row, (int) value, &length);

    ha__strbuf_add_bytes(out, word, length);
}

void ha__option_add_words(ha__strbuf *out, const ha__option *row)
{
    int last = (int) row->high;

    for (int i = 0; i <= last; i++) {
        ha__strbuf_add(out, i == 0 ? "" : i < last ? ", " : " or ");
        ha__option_add_word(out, row, i);
    }
}

void ha__option_add_value(ha__strbuf *out, const ha__option *row, double value)
{
    if (row->words != NULL) {
        ha__option_add_word(out, row, value);
    } else {
        ha__strbuf_add_short_number(out, value);
    }
}

/* --- setting -------------------------------------------------------------------------------- */

/* Adds a number as people write it: 10000000, 1e-6. */
static void add_number(ha__strbuf *out, double x)
{
    char number[HA__NUMBER_SIZE];
    size_t n = strcspn(ha__print_rounded_number(number, x, 6), "e");
    const char *power = number + n;

    ha__strbuf_add_bytes(out, number, n);
    if (*power != '\0') {
        ha__strbuf_add(out, power[1] == '-' ? "e-" : "e");
        ha__strbuf_add(out, power + 1 + strspn(power + 1, "+-0"));
    }
}

/* The unit as it follows a number: " s", "" where it says nothing. */
static void add_unit(ha__strbuf *out, const ha__option *row)
{
    bool is_plain = strcmp(row->unit, "1") == 0 || strcmp(row->unit, "SI") == 0;

    ha__strbuf_add(out, is_plain ? "" : " ");
    ha__strbuf_add(out, is_plain ? "" : row->unit);
}

/* "give 0, or a number from 1e-30 to 1e10", "give a whole number from 1 to 5". */
static void add_remedy(ha__strbuf *out, const ha__option *row)
{
    ha__strbuf_add(out, row->least > 0.0 ? "give 0, or " : "give ");
    ha__strbuf_add(out, row->is_long ? "a whole number " : "a number ");
    ha__strbuf_add(out, row->high < ANY ? "from " : "of at least ");
    add_number(out, row->least > 0.0 ? row->least : row->low);
    if (row->high < ANY) {
        ha__strbuf_add(out, " to ");
        add_number(out, row->high);
    }
    add_unit(out, row);
}

/* What an option is called: as the caller has it, or by its name on the command line. */
static const char *called(char *room, size_t size, const ha__option *row, const char *object)
{
    snprintf(room, size, "option `%s`", row->name);
    return object != NULL ? object : room;
}

ha_status ha__option_check(ha_ctx *ctx, const ha__option *row, const char *object, double value,
                           ha_where where)
{
    char room[OBJECT_SIZE];
    char number[HA__NUMBER_SIZE];
    ha__strbuf remedy = HA_STRBUF(ctx);

    if (value >= row->low && value <= row->high && (value == 0.0 || value >= row->least) &&
        (!row->is_long || value == floor(value))) {
        return HA_OK;
    }
    add_remedy(&remedy, row);
    return HA_FAIL_WITH(remedy, ctx, HA_ERR_VALUE, where, "%s is %s; %s",
                        called(room, sizeof room, row, object),
                        ha__print_rounded_number(number, value, 6), ha__strbuf_text(&remedy));
}

ha_status ha__option_set(ha_ctx *ctx, const ha__option *row, const char *object, void *options,
                         double value, ha_where where)
{
    HA_TRY(ha__option_check(ctx, row, object, value, where));
    put(row, options, value);
    return HA_OK;
}

static ha_status fail_word(ha_ctx *ctx, const ha__option *row, const char *object, const char *word,
                           ha_where where)
{
    char room[OBJECT_SIZE];
    ha__strbuf words = HA_STRBUF(ctx);

    ha__option_add_words(&words, row);
    return HA_FAIL_WITH(words, ctx, HA_ERR_VALUE, where, "%s is `%s`; give %s",
                        called(room, sizeof room, row, object), word, ha__strbuf_text(&words));
}

ha_status ha__option_set_word(ha_ctx *ctx, const ha__option *row, const char *object, void *options,
                              const char *word, ha_where where)
{
    const char *known = NULL;
    size_t length = 0;

    for (int i = 0; (known = word_of(row, i, &length)) != NULL; i++) {
        if (strlen(word) == length && memcmp(word, known, length) == 0) {
            put(row, options, i);
            return HA_OK;
        }
    }
    return fail_word(ctx, row, object, word, where);
}

ha__quantity ha__option_quantity(const ha__option *row)
{
    return strcmp(row->unit, "s") == 0     ? HA__QUANTITY_TIME
           : strcmp(row->unit, "1/s") == 0 ? HA__QUANTITY_FREQUENCY
           : strcmp(row->unit, "SI") == 0  ? HA__QUANTITY_ANY
                                           : HA__QUANTITY_NUMBER;
}

ha_status ha__option_read(ha_ctx *ctx, const ha__option *row, void *options, const char *text,
                          ha_where where)
{
    char object[64];
    double value = 0.0;

    if (row->words != NULL) {
        return ha__option_set_word(ctx, row, NULL, options, text, where);
    }
    snprintf(object, sizeof object, "--%s", row->name);
    HA_TRY(ha__quantity_read(ctx, text, ha__option_quantity(row), where, object, &value));
    return ha__option_set(ctx, row, NULL, options, value, where);
}

/* --- finding -------------------------------------------------------------------------------- */

/* Nothing is called `name`; says what is near, or all there is. */
static void fail_name(ha_ctx *ctx, const ha__option *rows, size_t n, const char *name,
                      ha_where where)
{
    const char **names = ha__alloc(ctx, n + 1, sizeof *names);
    ha__strbuf all = HA_STRBUF(ctx);

    for (size_t i = 0; names != NULL && i < n; i++) {
        names[i] = rows[i].key;
        ha__strbuf_addf(&all, " %s", rows[i].key);
    }
    const char *near = names == NULL ? NULL : ha__nearest(name, names, n);
    if (names != NULL && all.status == HA_OK) {
        (void) ha_fail(ctx, HA_ERR_NAME, where, "there is no option `%s`; %s%s%s", name,
                       near != NULL ? "did you mean `" : "there are:",
                       near != NULL ? near : ha__strbuf_text(&all), near != NULL ? "`?" : "");
    }
    ha__strbuf_clear(&all);
    ha__free(names);
}

const ha__option *ha__option_find(ha_ctx *ctx, const ha__option *rows, size_t n, const char *name,
                                  ha_where where)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(name, rows[i].name) == 0 || strcmp(name, rows[i].key) == 0) {
            return &rows[i];
        }
    }
    fail_name(ctx, rows, n, name, where);
    return NULL;
}

/* --- words for documents -------------------------------------------------------------------- */

void ha__option_add_range(ha__strbuf *out, const ha__option *row)
{
    if (row->words != NULL) {
        return;
    }
    if (row->least > 0.0) {
        ha__strbuf_add(out, "0, or ");
    }
    ha__strbuf_add(out, row->high < ANY ? "" : "at least ");
    add_number(out, row->least > 0.0 ? row->least : row->low);
    if (row->high < ANY) {
        ha__strbuf_add(out, " to ");
        add_number(out, row->high);
    }
}

void ha__option_add_sentence(ha__strbuf *out, const ha__option *row)
{
    ha__strbuf_add(out, row->sentence);
    if (row->words != NULL || row->value > 0.0) {
        ha__strbuf_add(out, row->words != NULL || strchr(row->sentence, ';') != NULL
                                ? "; by default "
                                : ", by default ");
        if (row->words != NULL) {
            ha__option_add_word(out, row, row->value);
        } else {
            add_number(out, row->value);
        }
    }
}

const char *ha__option_argument(const ha__option *row)
{
    return row->words != NULL            ? "WORD"
           : row->is_long                ? "COUNT"
           : strcmp(row->unit, "s") == 0 ? "TIME"
                                         : "NUMBER";
}
