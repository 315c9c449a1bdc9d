/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Units as text: the grammar of units.h, the names of unit_names.def, SI prefixes.
 *
 * A name is looked up whole in our table, then as prefix and name of our table, then whole and with
 * a prefix in udunits2; so "min" is a minute and no milli-inch. Names spelt out ("millimeter") are
 * udunits2's and take the prefixes that are spelt out.
 */
#include <config.h>

#include "lib/data/units_priv.h"

#include "lib/core/symtab.h"
#include "lib/core/utf8.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* --- names ----------------------------------------------------------------------------------- */

typedef struct known_unit {
    const char *name;
    bool takes_prefix;
    ha__unit unit;
} known_unit;

static const known_unit known[] = {
#define X(name, times, over, ten, prefix, kg, m, s, A, K, mol, cd, rad)                            \
    { name, prefix, { times, over, ten, { kg, m, s, A, K, mol, cd, rad }, false } },
#include "lib/data/unit_names.def"
#undef X
};

/* The common ones first, for the sake of suggestions. */
static const struct {
    const char *symbol;
    const char *name;
    int ten;
} prefixes[] = {
    { "m", "milli", -3 },  { "k", "kilo", 3 },     { "c", "centi", -2 },   { "M", "mega", 6 },
    { "u", "micro", -6 },  { "\u00b5", NULL, -6 }, { "\u03bc", NULL, -6 }, { "G", "giga", 9 },
    { "n", "nano", -9 },   { "d", "deci", -1 },    { "h", "hecto", 2 },    { "da", "deka", 1 },
    { "p", "pico", -12 },  { "T", "tera", 12 },    { "f", "femto", -15 },  { "P", "peta", 15 },
    { "a", "atto", -18 },  { "E", "exa", 18 },     { "z", "zepto", -21 },  { "Z", "zetta", 21 },
    { "y", "yocto", -24 }, { "Y", "yotta", 24 },
};

static const known_unit *find_known(const char *name)
{
    for (size_t i = 0; i < HA_COUNT(known); i++) {
        if (known[i].name[0] == name[0] && strcmp(known[i].name, name) == 0) {
            return &known[i];
        }
    }
    return NULL;
}

/* What remains of a name behind a prefix; NULL when it does not begin so or nothing remains. */
static const char *behind(const char *name, const char *prefix)
{
    size_t n = prefix == NULL ? 0 : strlen(prefix);

    return n > 0 && strncmp(name, prefix, n) == 0 && name[n] != '\0' ? name + n : NULL;
}

static bool find_own(const char *name, ha__unit *out)
{
    const known_unit *found = find_known(name);
    int ten = 0;

    for (size_t i = 0; i < HA_COUNT(prefixes) && found == NULL; i++) {
        const char *rest = behind(name, prefixes[i].symbol);
        found = rest == NULL ? NULL : find_known(rest);
        if (found != NULL && !found->takes_prefix) {
            found = NULL;
        }
        ten = prefixes[i].ten;
    }
    if (found == NULL) {
        return false;
    }
    *out = found->unit;
    out->ten += ten;
    return true;
}

static ha__unit_fault find_foreign(const char *name, ha__unit *out)
{
    ha__unit_fault fault = ha__udunits_find(name, out);

    for (size_t i = 0; i < HA_COUNT(prefixes) && fault == HA__UNIT_UNKNOWN; i++) {
        const char *const forms[] = { prefixes[i].name, prefixes[i].symbol };
        for (size_t k = 0; k < HA_COUNT(forms) && fault == HA__UNIT_UNKNOWN; k++) {
            const char *rest = behind(name, forms[k]);
            fault = rest == NULL ? HA__UNIT_UNKNOWN : ha__udunits_find(rest, out);
            if (fault == HA__UNIT_FINE) {
                out->ten += prefixes[i].ten;
            }
        }
    }
    return fault;
}

/* A single unit with the dimension of energy or power is one of energy (J, Wh, BTU), none of
   torque; but for those that are written as a force and a length. */
static bool is_energy(const char *name, const ha__unit *unit)
{
    const int *p = unit->powers;

    return p[HA__BASE_KG] == 1 && p[HA__BASE_M] == 2 &&
           (p[HA__BASE_S] == -2 || p[HA__BASE_S] == -3) && p[HA__BASE_A] == 0 &&
           strstr(name, "Nm") == NULL && strstr(name, "Ncm") == NULL;
}

ha__unit_fault ha__unit_find(const char *name, size_t length, bool own_only, ha__unit *out)
{
    /* udunits2 knows these constants as units; here they are slips of the pen */
    static const char *const constants[] = { "pi", "\u03c0", "e", "c" };
    char copy[HA__UNIT_NAME + 1];

    if (length == 0 || length > HA__UNIT_NAME) {
        return HA__UNIT_UNKNOWN;
    }
    memcpy(copy, name, length);
    copy[length] = '\0';
    for (size_t i = 0; i < HA_COUNT(constants); i++) {
        if (strcmp(copy, constants[i]) == 0) {
            return HA__UNIT_UNKNOWN;
        }
    }

    ha__unit_fault fault = HA__UNIT_FINE;
    if (!find_own(copy, out)) {
        fault = own_only ? HA__UNIT_UNKNOWN : find_foreign(copy, out);
    }
    if (fault == HA__UNIT_FINE) {
        out->is_energy = is_energy(copy, out);
    }
    return fault;
}

bool ha__unit_nearest(const char *name, size_t length, char *buffer, size_t size)
{
    enum { CASE_DIFFERS = 0 };
    char copy[HA__UNIT_NAME + 1], candidate[2 * HA__UNIT_NAME];
    int best = length < 3 ? 1 : 2; /* edits that make a suggestion sensible, plus one */

    if (length == 0 || length > HA__UNIT_NAME) {
        return false;
    }
    memcpy(copy, name, length);
    copy[length] = '\0';
    buffer[0] = '\0';
    for (size_t i = 0; i < HA_COUNT(known); i++) {
        size_t n_prefixes = known[i].takes_prefix ? HA_COUNT(prefixes) : 0;
        for (size_t k = 0; k <= n_prefixes; k++) {
            candidate[0] = '\0';
            strcat(candidate, k == 0 ? "" : prefixes[k - 1].symbol);
            strcat(candidate, known[i].name);
            int distance = strcasecmp(candidate, copy) == 0
                               ? CASE_DIFFERS
                               : ha__edit_distance(candidate, copy, best);
            if (distance < best && strlen(candidate) < size) {
                best = distance;
                strcpy(buffer, candidate);
            }
        }
    }
    return buffer[0] != '\0';
}

/* True of units that measure the same, such as kg and g: nobody multiplies these. */
static bool measure_the_same(const ha__unit *a, const ha__unit *b)
{
    return memcmp(a->powers, b->powers, sizeof a->powers) == 0;
}

bool ha__unit_split(const char *name, size_t length, char *buffer, size_t size)
{
    ha__unit first, second;

    if (length > 0 && name[length - 1] == 's') {
        return false; /* rather a plural, as in rpms */
    }
    for (size_t i = length; i-- > 1;) {
        if (ha__unit_find(name, i, true, &first) == HA__UNIT_FINE &&
            ha__unit_find(name + i, length - i, true, &second) == HA__UNIT_FINE &&
            !measure_the_same(&first, &second) && length + 2 <= size) {
            snprintf(buffer, size, "%.*s.%.*s", (int) i, name, (int) (length - i), name + i);
            return true;
        }
    }
    return false;
}

/* --- grammar --------------------------------------------------------------------------------- */

bool ha__unit_is_letter(const char *text, size_t length, size_t *n)
{
    unsigned code = 0;

    *n = ha__utf8_read(text, length, &code);
    if (*n == 1) {
        return isalpha((unsigned char) *text) || *text == '_' || *text == '%';
    }
    return *n > 0 && (code == 0xB0 || ha__utf8_is_letter(code));
}

static size_t left(const ha__unit_text *p)
{
    return p->length - p->at;
}

static bool at_text(const ha__unit_text *p, const char *text)
{
    size_t n = strlen(text);

    return left(p) >= n && memcmp(p->text + p->at, text, n) == 0;
}

/* Steps over `text` if it stands here. */
static bool take(ha__unit_text *p, const char *text)
{
    bool is_here = at_text(p, text);

    p->at += is_here ? strlen(text) : 0;
    return is_here;
}

static bool take_blanks(ha__unit_text *p)
{
    size_t start = p->at;

    while (left(p) > 0 && (p->text[p->at] == ' ' || p->text[p->at] == '\t')) {
        p->at++;
    }
    return p->at > start;
}

static ha__unit_fault fail_at(ha__unit_text *p, size_t at, size_t part, ha__unit_fault fault)
{
    p->at = at;
    p->part = part;
    return fault;
}

/* The digit here, also a superscript one; -1 when there is none. */
static int take_digit(ha__unit_text *p, bool *is_raised)
{
    static const char *const raised[] = { "\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                          "\u2075", "\u2076", "\u2077", "\u2078", "\u2079" };

    if (!*is_raised && left(p) > 0 && isdigit((unsigned char) p->text[p->at])) {
        return p->text[p->at++] - '0';
    }
    for (int i = 0; i < (int) HA_COUNT(raised); i++) {
        if (take(p, raised[i])) {
            *is_raised = true;
            return i;
        }
    }
    return -1;
}

/* The power behind a name, 1 when there is none. */
static ha__unit_fault read_power(ha__unit_text *p, int *power)
{
    enum { LARGEST = 99 };
    size_t start = p->at;
    bool is_marked = take(p, "^") || take(p, "**");
    bool is_raised = !is_marked && take(p, "\u207b");
    int sign = is_raised || take(p, "-") ? -1 : 1;
    bool is_signed = sign < 0 || take(p, "+");
    int value = 0, n_digits = 0;

    for (int digit = take_digit(p, &is_raised); digit >= 0; digit = take_digit(p, &is_raised)) {
        value = value > LARGEST ? value : 10 * value + digit;
        n_digits++;
    }
    if (n_digits == 0 && !is_marked && !is_signed) {
        *power = 1;
        return HA__UNIT_FINE;
    }
    bool has_fraction =
        at_text(p, ".") && left(p) > 1 && isdigit((unsigned char) p->text[p->at + 1]);
    if (n_digits == 0 || value == 0 || value > LARGEST || has_fraction) {
        p->at += has_fraction ? 1 + strspn(p->text + p->at + 1, "0123456789") : 0;
        return fail_at(p, start, p->at - start, HA__UNIT_POWER);
    }
    *power = sign * value;
    return HA__UNIT_FINE;
}

/* out = out * unit^power */
static void multiply(ha__unit *out, const ha__unit *unit, int power)
{
    int n = power < 0 ? -power : power;

    for (int i = 0; i < n; i++) {
        out->times *= power > 0 ? unit->times : unit->over;
        out->over *= power > 0 ? unit->over : unit->times;
    }
    out->ten += power * unit->ten;
    for (int i = 0; i < HA__N_BASES; i++) {
        out->powers[i] += power * unit->powers[i];
    }
    out->is_energy |= unit->is_energy;
}

static ha__unit_fault read_product(ha__unit_text *p, int depth, ha__unit *out);

/* A name, a unit in parentheses, or the 1 of 1/s, with its power. */
static ha__unit_fault read_factor(ha__unit_text *p, int depth, ha__unit *out, int sign)
{
    enum { DEEPEST = 8 };
    ha__unit unit = HA__UNIT_ONE;
    size_t start = p->at, n = 0;
    int power = 1;

    if (take(p, "(")) {
        if (depth == DEEPEST) {
            return fail_at(p, start, 1, HA__UNIT_NESTING);
        }
        ha__unit_fault fault = read_product(p, depth + 1, &unit);
        if (fault != HA__UNIT_FINE) {
            return fault;
        }
        if (!take(p, ")")) {
            return fail_at(p, p->at, left(p) > 0 ? 1 : 0, HA__UNIT_UNEXPECTED);
        }
    } else if (at_text(p, "1") && (left(p) == 1 || !isdigit((unsigned char) p->text[p->at + 1]))) {
        p->at++;
        return HA__UNIT_FINE;
    } else {
        while (left(p) > 0 && ha__unit_is_letter(p->text + p->at, left(p), &n)) {
            p->at += n;
        }
        if (p->at == start) {
            return fail_at(p, start, left(p) > 0 ? 1 : 0, HA__UNIT_UNEXPECTED);
        }
        ha__unit_fault fault = ha__unit_find(p->text + start, p->at - start, p->own_only, &unit);
        if (fault != HA__UNIT_FINE) {
            return fail_at(p, start, p->at - start, fault);
        }
    }

    ha__unit_fault fault = read_power(p, &power);
    if (fault == HA__UNIT_FINE) {
        multiply(out, &unit, sign * power);
    }
    return fault;
}

/* +1 for a sign of multiplication, -1 for one of division, 0 for none. Blanks may stand around. */
static int take_operator(ha__unit_text *p)
{
    static const char *const times[] = { "*", ".", "\u00b7", "\u22c5", "\u00d7" };
    size_t start = p->at;
    int sign = 0;

    take_blanks(p);
    for (size_t i = 0; i < HA_COUNT(times) && sign == 0; i++) {
        sign = take(p, times[i]) ? 1 : 0;
    }
    sign = sign == 0 && take(p, "/") ? -1 : sign;
    if (sign == 0) {
        p->at = start;
    } else {
        take_blanks(p);
    }
    return sign;
}

static ha__unit_fault read_product(ha__unit_text *p, int depth, ha__unit *out)
{
    int sign = 1;

    do {
        ha__unit_fault fault = read_factor(p, depth, out, sign);
        if (fault != HA__UNIT_FINE) {
            return fault;
        }
        sign = take_operator(p);
    } while (sign != 0);
    return HA__UNIT_FINE;
}

ha__unit_fault ha__unit_read(ha__unit_text *text, ha__unit *out)
{
    ha__unit unit = HA__UNIT_ONE;

    text->at = text->part = 0;
    ha__unit_fault fault = read_product(text, 0, &unit);
    if (fault == HA__UNIT_FINE && left(text) > 0) {
        bool is_joined = take_blanks(text);
        return fail_at(text, text->at, left(text), is_joined ? HA__UNIT_JOIN : HA__UNIT_UNEXPECTED);
    }
    if (fault == HA__UNIT_FINE &&
        !(isfinite(unit.times) && isfinite(unit.over) && unit.times > 0.0 && unit.over > 0.0)) {
        return fail_at(text, 0, text->length, HA__UNIT_POWER);
    }
    if (fault == HA__UNIT_FINE) {
        *out = unit;
    }
    return fault;
}
