/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quantities: the number, the check of the dimension, the conversion to SI, and the messages.
 *
 *   value = number * times / over,   the power of ten of the unit added to the number's exponent
 *
 * With times = over = 1 the value is correctly rounded; where one of them is 1 there is a single
 * multiplication or division (36 km/h is 36000 / 3600, exactly 10), else one by the quotient.
 */
#include <config.h>

#include "lib/data/units.h"

#include "lib/data/dimension.h"
#include "lib/data/units_priv.h"

#include "lib/core/number.h"
#include "lib/core/utf8.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct row {
    const char *words, *si, *example, *other;
    int powers[HA__N_BASES];
} row;

static const row rows[] = {
#define X(name, words, si, example, other, kg, m, s, A, K, mol, cd, rad)                           \
    { words, si, example, other, { kg, m, s, A, K, mol, cd, rad } },
#include "lib/data/quantities.def"
#undef X
};

const char *ha__quantity_words(ha__quantity quantity)
{
    return quantity == HA__QUANTITY_ANY ? "a quantity" : rows[quantity].words;
}

const char *ha__quantity_unit(ha__quantity quantity)
{
    return quantity == HA__QUANTITY_ANY ? "" : rows[quantity].si;
}

/* --- the parts of a quantity ----------------------------------------------------------------- */

enum { LONGEST = 512 }; /* bytes of a quantity; more is no number and no unit of anyone's */

/* A quantity taken apart, all lengths in bytes of `text`. */
typedef struct parts {
    const char *text;
    size_t start;   /* of the number with its sign */
    size_t number;  /* length of the number with its sign, 0: there is none */
    size_t unit;    /* start of the unit */
    size_t end;     /* of everything but blanks */
    bool has_blank; /* between number and unit */
} parts;

static size_t blanks(const char *text)
{
    return strspn(text, " \t\r\n");
}

static parts take_apart(const char *text)
{
    parts p = { .text = text, .start = blanks(text), .end = strlen(text) };

    while (p.end > p.start && strchr(" \t\r\n", text[p.end - 1]) != NULL) {
        p.end--;
    }
    size_t sign = text[p.start] == '-' || text[p.start] == '+' ? 1 : 0;
    size_t digits = ha__number_length(text + p.start + sign);
    p.number = digits == 0 ? 0 : sign + digits;
    p.unit = p.start + p.number;
    p.has_blank = blanks(text + p.unit) > 0;
    p.unit += blanks(text + p.unit);
    p.unit = p.unit > p.end ? p.end : p.unit;
    return p;
}

bool ha__quantity_is_number_with_unit(const char *text)
{
    if (strnlen(text, LONGEST + 1) > LONGEST) {
        return false;
    }

    parts p = take_apart(text);
    size_t n = 0;
    if (p.number == 0 || p.unit == p.end) {
        return p.number > 0;
    }
    if (p.has_blank) {
        return ha__unit_is_letter(text + p.unit, p.end - p.unit, &n) ||
               strncmp(text + p.unit, "1/", 2) == 0;
    }

    ha__unit_text unit = { text + p.unit, p.end - p.unit, true, 0, 0 };
    ha__unit ignored;
    return ha__unit_is_letter(unit.text, unit.length, &n) &&
           ha__unit_read(&unit, &ignored) == HA__UNIT_FINE;
}

const char *ha__quantity_unit_in(const char *text, size_t *length)
{
    if (!ha__quantity_is_number_with_unit(text)) {
        return NULL;
    }

    parts p = take_apart(text);
    *length = p.end - p.unit;
    return p.unit < p.end ? text + p.unit : NULL;
}

/* The location of byte `offset` of the text. */
static ha_where location(ha_where where, size_t offset)
{
    if (where.column > 0) {
        where.column += (int) offset;
    }
    return where;
}

/* --- messages -------------------------------------------------------------------------------- */

static int shown(const char *text, size_t length)
{
    enum { WIDEST = 60 };

    return ha__utf8_clip(text, length, WIDEST);
}

/* A text that is no decimal number. */
static ha_status fail_number(ha_ctx *ctx, const parts *p, ha_where where, const char *object)
{
    static const char *const names[] = { "nan", ".nan", "inf", ".inf", "infinity" };
    const char *text = p->text + p->start;
    int width = shown(text, p->end - p->start);
    const char *bare = text + (*text == '-' || *text == '+' ? 1 : 0);

    for (size_t i = 0; i < HA_COUNT(names); i++) {
        size_t n = strlen(names[i]);
        if (strncasecmp(bare, names[i], n) == 0 && (size_t) (p->text + p->end - bare) == n) {
            return ha_fail(ctx, HA_ERR_VALUE, where,
                           "%s: `%.*s` is not finite; give a finite number", object, width, text);
        }
    }
    if (width == 0) {
        return ha_fail(ctx, HA_ERR_SYNTAX, where,
                       "%s: there is no value; give a number, with a unit if any", object);
    }
    return ha_fail(
        ctx, HA_ERR_SYNTAX, where,
        "%s: `%.*s` does not begin with a number; write for example 0.25, 2.5e-3 or 28 mm", object,
        width, text);
}

/* Numbers in a form that other programs or people use. */
static ha_status check_form(ha_ctx *ctx, const parts *p, ha_where where, const char *object)
{
    const char *rest = p->text + p->start + p->number;
    char after = p->unit < p->end ? p->text[p->unit] : '\0';
    bool is_digit = isdigit((unsigned char) after);
    const char *advice = NULL;

    bool is_bare_zero = rest[-1] == '0' &&
                        (p->number == 1 || (p->number == 2 && !isdigit((unsigned char) rest[-2])));
    if ((*rest == 'x' || *rest == 'X') && is_bare_zero) {
        advice = "is hexadecimal; write a decimal number";
    } else if (*rest == ',') {
        advice = "has a decimal comma; write a decimal point";
    } else if (is_digit && p->has_blank && strncmp(p->text + p->unit, "1/", 2) != 0) {
        advice = "has a blank in the number; write it without";
    } else if (*rest == '_' || *rest == '\'') {
        advice = "has a sign between its digits; write them without";
    }
    if (advice == NULL) {
        return HA_OK;
    }
    return ha_fail(ctx, HA_ERR_SYNTAX, location(where, p->start + p->number), "%s: `%.*s` %s",
                   object, shown(p->text + p->start, p->end - p->start), p->text + p->start,
                   advice);
}

static ha_status fail_unknown(ha_ctx *ctx, const ha__unit_text *unit, ha_where where,
                              const char *object)
{
    char nearest[HA__UNIT_NAME], joined[HA__UNIT_NAME + 2];
    const char *name = unit->text + unit->at;
    int width = shown(name, unit->part);

    if (name[unit->part] == '(') { /* a function */
        return ha_fail(ctx, HA_ERR_UNIT, where,
                       "%s: `%.*s` is no unit; a quantity stands alone: inside of an expression "
                       "put the name of a parameter that is it",
                       object, width, name);
    }
    if (ha__unit_split(name, unit->part, joined, sizeof joined)) {
        return ha_fail(ctx, HA_ERR_UNIT, where,
                       "%s: unknown unit `%.*s`; did you mean `%s`? Join units by `.`, `*` or `/`",
                       object, width, name, joined);
    }
    if (ha__unit_nearest(name, unit->part, nearest, sizeof nearest)) {
        return ha_fail(ctx, HA_ERR_UNIT, where, "%s: unknown unit `%.*s`; did you mean `%s`?",
                       object, width, name, nearest);
    }
    return ha_fail(
        ctx, HA_ERR_UNIT, where,
        "%s: unknown unit `%.*s`; join units by `.`, `*` or `/` as in N.m/rad, and write "
        "a product with a name as 2*%.*s",
        object, width, name, width, name);
}

static ha_status fail_unit(ha_ctx *ctx, ha__unit_fault fault, const ha__unit_text *unit,
                           ha_where where, const char *object)
{
    static const char *const sentences[] = {
        [HA__UNIT_FINE] = "",
        [HA__UNIT_UNKNOWN] = "",
        [HA__UNIT_OFFSET] = "has an offset or is logarithmic; convert the value, temperatures to K",
        [HA__UNIT_NO_DATA] =
            "is not among the common units, and the database of udunits2 cannot be "
            "read; install it (libudunits2-data) or set UDUNITS2_XML_PATH",
        [HA__UNIT_POWER] = "is no power that units have; write a whole number other than 0, as in "
                           "m2, m^2 or s-1",
        [HA__UNIT_JOIN] =
            "follows a unit after a blank; join units by `.`, `*` or `/` as in N.m/rad; a quantity "
            "stands alone: inside of an expression put the name of a parameter that is it",
        [HA__UNIT_UNEXPECTED] =
            "is unexpected in a unit; write for example N.m/rad, g.mm2 or 1/s; a quantity stands "
            "alone: inside of an expression put the name of a parameter that is it",
        [HA__UNIT_NESTING] = "opens too many parentheses; write the unit with fewer",
    };

    where = location(where, unit->at);
    if (fault == HA__UNIT_UNKNOWN) {
        return fail_unknown(ctx, unit, where, object);
    }
    if (unit->part == 0) {
        return ha_fail(ctx, HA_ERR_UNIT, where,
                       "%s: the unit `%.*s` ends too early; write for example N.m/rad", object,
                       shown(unit->text, unit->length), unit->text);
    }
    return ha_fail(ctx, HA_ERR_UNIT, where, "%s: `%.*s` %s", object,
                   shown(unit->text + unit->at, unit->part), unit->text + unit->at,
                   sentences[fault]);
}

/* --- dimensions ------------------------------------------------------------------------------ */

static bool is_same_but_rad(const int *a, const int *b)
{
    return memcmp(a, b, HA__BASE_RAD * sizeof *a) == 0;
}

/* The rules of quantities.def. */
static bool is_of_kind(const ha__unit *unit, ha__quantity expected)
{
    int rad = rows[expected].powers[HA__BASE_RAD];

    if (!is_same_but_rad(unit->powers, rows[expected].powers)) {
        return false;
    }
    if (expected == HA__QUANTITY_TORQUE && unit->is_energy) {
        return false;
    }
    return unit->powers[HA__BASE_RAD] == rad || (rad < 0 && unit->powers[HA__BASE_RAD] == 0);
}

/* Appends the product of base units, "kg.m/s3" as "kg.m.s-3", to `used` bytes of a text. */
static void add_bases(const ha__unit *unit, char *buffer, size_t size, size_t used)
{
    static const char *const symbols[HA__N_BASES] = {
        "kg", "m", "s", "A", "K", "mol", "cd", "rad"
    };
    const char *separator = "";

    for (int i = 0; i < HA__N_BASES; i++) {
        if (unit->powers[i] != 0 && used < size) {
            used += (size_t) snprintf(buffer + used, size - used, "%s%s", separator, symbols[i]);
            separator = ".";
        }
        if (unit->powers[i] != 0 && unit->powers[i] != 1 && used < size) {
            used += (size_t) snprintf(buffer + used, size - used, "%d", unit->powers[i]);
        }
    }
}

/* What a unit measures, in words: "a length", else "of the dimension kg.m/s3". */
static const char *dimension_in_words(const ha__unit *unit, char *buffer, size_t size)
{
    if (unit->is_energy && is_of_kind(unit, HA__QUANTITY_ENERGY)) {
        return ha__quantity_words(HA__QUANTITY_ENERGY);
    }
    for (size_t i = 0; i < HA_COUNT(rows); i++) {
        if (memcmp(rows[i].powers, unit->powers, sizeof unit->powers) == 0) {
            return rows[i].words;
        }
    }
    size_t used = (size_t) snprintf(buffer, size, "of the dimension ");
    add_bases(unit, buffer, size, used);
    return buffer;
}

static ha_status fail_dimension(ha_ctx *ctx, const parts *p, const ha__unit *unit,
                                ha__quantity expected, ha_where where, const char *object)
{
    char buffer[160];
    const row *wanted = &rows[expected];
    const char *found = dimension_in_words(unit, buffer, sizeof buffer);
    const char *text = p->text + p->start;
    int width = shown(text, p->end - p->start), digits = shown(text, p->number);

    if (p->end - p->start > 2 && strncmp(p->text + p->end - 2, "*t", 2) == 0) {
        return ha_fail(ctx, HA_ERR_UNIT, where,
                       "%s: in %.*s the `t` is the tonne, so that it is %s; a quantity stands "
                       "alone: make it a parameter, say v, and write v*t for the time",
                       object, width, text, found);
    }
    if (expected == HA__QUANTITY_NUMBER) {
        return ha_fail(
            ctx, HA_ERR_UNIT, where,
            "%s: %.*s is %s, a number without a unit is expected; write for example %.*s", object,
            width, text, found, digits, text);
    }
    if (wanted->powers[HA__BASE_RAD] > 0 && unit->powers[HA__BASE_RAD] == 0 &&
        is_same_but_rad(unit->powers, wanted->powers)) {
        return ha_fail(ctx, HA_ERR_UNIT, where,
                       "%s: %.*s is %s, which does not say what angle it counts; %s in %s is "
                       "expected; write %.*s %s or %.*s %s",
                       object, width, text, found, wanted->words, wanted->si, digits, text,
                       wanted->example, digits, text, wanted->other);
    }
    return ha_fail(ctx, HA_ERR_UNIT, where,
                   "%s: %.*s is %s, %s in %s is expected; write for example %.*s %s", object, width,
                   text, found, wanted->words, wanted->si, digits, text, wanted->example);
}

/* --- reading --------------------------------------------------------------------------------- */

/* True when the number's digits before the exponent are all zero. */
static bool is_written_zero(const parts *p)
{
    size_t mantissa = strcspn(p->text + p->start, "eE");
    size_t digit = strcspn(p->text + p->start, "123456789");

    return digit >= p->number || digit >= mantissa;
}

static ha_status convert(ha_ctx *ctx, const parts *p, const ha__unit *unit, ha_where where,
                         const char *object, double *out)
{
    double x = 0.0;
    bool is_read = ha__read_number(p->text + p->start, p->number, unit->ten, &x);

    if (unit->times == 1.0) {
        x /= unit->over;
    } else if (unit->over == 1.0) {
        x *= unit->times;
    } else {
        x *= unit->times / unit->over;
    }
    if (!is_read || !isfinite(x)) {
        return ha_fail(ctx, HA_ERR_VALUE, location(where, p->start),
                       "%s: %.*s is too large or has too many digits; numbers reach up to 1.7e308 "
                       "with at most 400 digits",
                       object, shown(p->text + p->start, p->end - p->start), p->text + p->start);
    }
    if (fpclassify(x) == FP_ZERO && !is_written_zero(p)) {
        return ha_fail(ctx, HA_ERR_VALUE, location(where, p->start),
                       "%s: %.*s is too small to be told from 0; write 0 or a larger number",
                       object, shown(p->text + p->start, p->end - p->start), p->text + p->start);
    }
    *out = x;
    return HA_OK;
}

ha_status ha__quantity_read(ha_ctx *ctx, const char *text, ha__quantity expected, ha_where where,
                            const char *object, double *out)
{
    ha__unit unit = HA__UNIT_ONE;

    if (strnlen(text, LONGEST + 1) > LONGEST) {
        return ha_fail(ctx, HA_ERR_LIMIT, where,
                       "%s: the value has more than %d bytes; write fewer digits", object,
                       (int) LONGEST);
    }

    parts p = take_apart(text);
    if (p.number == 0) {
        return fail_number(ctx, &p, location(where, p.start), object);
    }
    HA_TRY(check_form(ctx, &p, where, object));
    if (p.unit < p.end) {
        ha__unit_text unit_text = { text + p.unit, p.end - p.unit, false, 0, 0 };
        ha__unit_fault fault = ha__unit_read(&unit_text, &unit);
        if (fault != HA__UNIT_FINE) {
            return fail_unit(ctx, fault, &unit_text, location(where, p.unit), object);
        }
        if (expected != HA__QUANTITY_ANY && !is_of_kind(&unit, expected)) {
            return fail_dimension(ctx, &p, &unit, expected, location(where, p.start), object);
        }
    }
    return convert(ctx, &p, &unit, where, object, out);
}

/* The unit of a text, false when it is no quantity with one. */
static bool unit_of(const char *text, ha__unit *out)
{
    if (strnlen(text, LONGEST + 1) > LONGEST || !ha__quantity_is_number_with_unit(text)) {
        return false;
    }

    parts p = take_apart(text);
    ha__unit_text unit_text = { text + p.unit, p.end - p.unit, false, 0, 0 };
    return p.unit < p.end && ha__unit_read(&unit_text, out) == HA__UNIT_FINE;
}

/* The same dimension; "per rad" may be left out. */
static bool is_like(const ha__unit *a, const ha__unit *b)
{
    return is_same_but_rad(a->powers, b->powers) &&
           (a->powers[HA__BASE_RAD] == b->powers[HA__BASE_RAD] ||
            (a->powers[HA__BASE_RAD] <= 0 && b->powers[HA__BASE_RAD] <= 0));
}

ha_status ha__quantity_check_like(ha_ctx *ctx, const char *text, const char *like, ha_where where,
                                  const char *object)
{
    enum { WORDS = 160 };
    ha__unit unit = HA__UNIT_ONE, wanted = HA__UNIT_ONE;
    char found_words[WORDS], wanted_words[WORDS];

    if (!unit_of(text, &unit) || !unit_of(like, &wanted) || is_like(&unit, &wanted)) {
        return HA_OK;
    }
    return ha_fail(
        ctx, HA_ERR_UNIT, where, "%s: %.*s is %s, but %.*s is %s; give both the same dimension",
        object, shown(text, strlen(text)), text,
        dimension_in_words(&unit, found_words, sizeof found_words), shown(like, strlen(like)), like,
        dimension_in_words(&wanted, wanted_words, sizeof wanted_words));
}

/* --- dimensions alone ------------------------------------------------------------------------ */

static ha__unit unit_with(ha__dimension is)
{
    ha__unit unit = HA__UNIT_ONE;

    for (int i = 0; i < HA__N_BASES; i++) {
        unit.powers[i] = is.powers[i];
    }
    return unit;
}

static ha__dimension dimension_with(const ha__unit *unit)
{
    ha__dimension is;

    for (int i = 0; i < HA__N_BASES; i++) {
        is.powers[i] = (signed char) unit->powers[i];
    }
    return is;
}

bool ha__dimension_read(const char *text, ha__dimension *out)
{
    ha__unit unit = HA__UNIT_ONE;

    if (!unit_of(text, &unit)) {
        return false;
    }
    *out = dimension_with(&unit);
    return true;
}

bool ha__dimension_of_unit(const char *unit, ha__dimension *out, double *factor)
{
    ha__unit read = HA__UNIT_ONE;
    char one[LONGEST];
    int length = snprintf(one, sizeof one, "1 %s", unit);

    if (length >= (int) sizeof one || !unit_of(one, &read)) {
        return false;
    }
    *out = dimension_with(&read);
    if (factor != NULL) {
        *factor = read.times / read.over * pow(10.0, read.ten);
    }
    return true;
}

ha__dimension ha__dimension_times(ha__dimension a, ha__dimension b, int n)
{
    for (int i = 0; i < HA__N_BASES; i++) {
        a.powers[i] = (signed char) (a.powers[i] + n * b.powers[i]);
    }
    return a;
}

bool ha__dimension_counts_turns(ha__dimension is, ha__dimension unit)
{
    ha__dimension of_unit[2];

    return ha__dimension_read("1 rad/s", &of_unit[0]) && ha__dimension_read("1 Hz", &of_unit[1]) &&
           memcmp(&is, &of_unit[0], sizeof is) == 0 && memcmp(&unit, &of_unit[1], sizeof is) == 0;
}

bool ha__dimension_is_like(ha__dimension a, ha__dimension b)
{
    return memcmp(a.powers, b.powers, HA__BASE_RAD) == 0;
}

bool ha__dimension_is_of(ha__dimension is, ha__quantity expected)
{
    ha__unit unit = unit_with(is);

    return expected == HA__QUANTITY_ANY || is_same_but_rad(unit.powers, rows[expected].powers);
}

const char *ha__dimension_words(ha__dimension is, char *buffer, size_t size)
{
    ha__unit unit = unit_with(is);

    return dimension_in_words(&unit, buffer, size);
}

const char *ha__dimension_unit(ha__dimension is, char *buffer, size_t size)
{
    ha__unit unit = unit_with(is);

    for (size_t i = 0; i < HA_COUNT(rows); i++) {
        if (i != HA__QUANTITY_FREQUENCY &&
            memcmp(rows[i].powers, unit.powers, sizeof unit.powers) == 0) {
            return rows[i].si;
        }
    }
    for (size_t i = 0; i < HA_COUNT(rows); i++) { /* "N.m.s" of N.m.s/rad */
        size_t length = strlen(rows[i].si);
        bool is_per_rad = length > 4 && strcmp(rows[i].si + length - 4, "/rad") == 0;
        if (is_per_rad && unit.powers[HA__BASE_RAD] == 0 &&
            is_same_but_rad(rows[i].powers, unit.powers)) {
            snprintf(buffer, size, "%.*s", (int) (length - 4), rows[i].si);
            return buffer;
        }
    }
    buffer[0] = '\0';
    add_bases(&unit, buffer, size, 0);
    return buffer;
}
