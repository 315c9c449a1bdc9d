/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Units that only udunits2 knows; the only file that includes it.
 *
 * udunits2 keeps static state, so that one lock guards every call. Its database takes some
 * milliseconds to load: it is loaded when the first unit is met that lib/data/unit_names.def does
 * not have, kept for the process and freed when the library is unloaded. Its messages are silenced
 * while it works. It reads numbers in the locale of the thread, which is switched to "C" meanwhile,
 * for this thread alone.
 */
#include <config.h>

#include "lib/data/units_priv.h"

#include "lib/core/number.h"

#include <udunits2.h>

#include <locale.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ut_system *unit_system; /* under the lock; NULL: not loaded */

static ut_system *load(void)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t) 0);
    locale_t before = plain == (locale_t) 0 ? (locale_t) 0 : uselocale(plain);
    ut_system *loaded = ut_read_xml(NULL);

    if (plain != (locale_t) 0) {
        uselocale(before);
        freelocale(plain);
    }
    return loaded;
}

#if defined(__GNUC__)
static void unload(void) __attribute__((destructor));

static void unload(void)
{
    pthread_mutex_lock(&lock);
    if (unit_system != NULL) {
        ut_free_system(unit_system);
        unit_system = NULL;
    }
    pthread_mutex_unlock(&lock);
}
#endif

/* --- from a unit of udunits2 to ours --------------------------------------------------------- */

static ut_status visit_basic(const ut_unit *unit, void *argument)
{
    static const char *const symbols[HA__N_BASES] = {
        "kg", "m", "s", "A", "K", "mol", "cd", "rad"
    };
    ha__unit *out = argument;
    const char *symbol = ut_get_symbol(unit, UT_ASCII);

    for (int i = 0; i < HA__N_BASES && symbol != NULL; i++) {
        if (strcmp(symbol, symbols[i]) == 0) {
            out->powers[i]++;
            return UT_SUCCESS;
        }
    }
    return UT_VISIT_ERROR;
}

static ut_status visit_product(const ut_unit *unit, int count, const ut_unit *const *basic,
                               const int *powers, void *argument)
{
    ha__unit *out = argument;

    (void) unit;
    for (int i = 0; i < count; i++) {
        ha__unit one = HA__UNIT_ONE;
        if (visit_basic(basic[i], &one) != UT_SUCCESS) {
            return UT_VISIT_ERROR;
        }
        for (int k = 0; k < HA__N_BASES; k++) {
            out->powers[k] += powers[i] * one.powers[k];
        }
    }
    return UT_SUCCESS;
}

static const ut_visitor visitor;

static ut_status visit_galilean(const ut_unit *unit, double scale, const ut_unit *underlying,
                                double offset, void *argument)
{
    ha__unit *out = argument;

    (void) unit;
    if (offset < 0.0 || offset > 0.0) {
        return UT_MEANINGLESS;
    }
    out->times *= scale;
    return ut_accept_visitor(underlying, &visitor, out);
}

static ut_status visit_timestamp(const ut_unit *unit, const ut_unit *time, double origin,
                                 void *argument)
{
    (void) unit;
    (void) time;
    (void) origin;
    (void) argument;
    return UT_MEANINGLESS;
}

static ut_status visit_logarithmic(const ut_unit *unit, double base, const ut_unit *reference,
                                   void *argument)
{
    (void) unit;
    (void) base;
    (void) reference;
    (void) argument;
    return UT_MEANINGLESS;
}

static const ut_visitor visitor = { visit_basic, visit_product, visit_galilean, visit_timestamp,
                                    visit_logarithmic };

/* Moves a factor that is the double nearest to a power of ten into the exponent. */
static void take_power_of_ten(ha__unit *unit)
{
    enum { LARGEST = 30 };

    for (int k = -LARGEST; k <= LARGEST; k++) {
        double power = 0.0;
        if (ha__read_number("1", 1, k, &power) && unit->times <= power && unit->times >= power) {
            unit->times = 1.0;
            unit->ten = k;
            return;
        }
    }
}

/* The look-up proper, under the lock. */
static ha__unit_fault find(const char *name, ha__unit *out)
{
    if (unit_system == NULL) {
        unit_system = load();
        if (unit_system == NULL) {
            return HA__UNIT_NO_DATA;
        }
    }

    ut_unit *unit = ut_get_unit_by_symbol(unit_system, name);
    if (unit == NULL) {
        unit = ut_get_unit_by_name(unit_system, name);
    }
    if (unit == NULL) {
        return HA__UNIT_UNKNOWN;
    }

    ha__unit found = HA__UNIT_ONE;
    /* an offset anywhere in the chain of definitions makes the visit fail */
    ut_status status = ut_accept_visitor(unit, &visitor, &found);
    ut_free(unit);
    if (status != UT_SUCCESS || !(found.times > 0.0)) {
        return HA__UNIT_OFFSET;
    }
    take_power_of_ten(&found);
    *out = found;
    return HA__UNIT_FINE;
}

ha__unit_fault ha__udunits_find(const char *name, ha__unit *out)
{
    pthread_mutex_lock(&lock);
    ut_error_message_handler before = ut_set_error_message_handler(ut_ignore);
    ha__unit_fault fault = find(name, out);
    ut_set_error_message_handler(before);
    pthread_mutex_unlock(&lock);
    return fault;
}
