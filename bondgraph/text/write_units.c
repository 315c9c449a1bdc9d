/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers with the units that they were read with: a file that is written says of them as much as
 * the one that was read. A number stands in the unit of the user where that gives the same one
 * back, bit for bit, else in that of SI.
 */
#include <config.h>

#include "bondgraph/text/write_names.h"
#include "lib/expr/expr_dimension.h"

#include <stdio.h>
#include <string.h>

/* The number x in a unit of `size`; false, nothing is added: what is read back is not x. */
static ha_status add_in_unit(bg__writing *w, double x, const char *unit, double size,
                             ha__strbuf *text, bool *is_added)
{
    ha__strbuf written = HA_STRBUF(w->ctx);
    double again = 0.0;

    ha__strbuf_add_short_number(&written, x / size);
    ha__strbuf_addf(&written, " %s", unit);
    ha_status status = written.status;
    HA_THEN(status, ha__quantity_read(w->ctx, ha__strbuf_text(&written), HA__QUANTITY_ANY,
                                      HA_NOWHERE, "a value that is written", &again));
    *is_added = status == HA_OK && again == x;
    if (*is_added) {
        ha__strbuf_add(text, ha__strbuf_text(&written));
    }
    return ha__strbuf_drop(&written, status);
}

ha_status bg__writing_add_number(bg__writing *w, double x, const bg_unit *given, ha__dimension is,
                                 ha__strbuf *text)
{
    char words[80];
    const char *unit = ha__dimension_unit(is, words, sizeof words);
    bool is_added = false;

    if (given != NULL) {
        HA_TRY(add_in_unit(w, x, given->name, given->size, text, &is_added));
    }
    if (!is_added && unit[0] != '\0') {
        HA_TRY(add_in_unit(w, x, unit, 1.0, text, &is_added));
    }
    if (!is_added) {
        ha__strbuf_add_short_number(text, x);
    }
    return text->status;
}

/* The unit of value `i` of an element, and its dimension; NULL: it has none. */
static const bg_unit *unit_of(const bg__element *e, int i, ha__dimension *is)
{
    const bg__extras *extra = bg__extra(e);
    const bg_unit *unit = extra->n_units == 0 ? NULL : &extra->units[extra->n_units == 1 ? 0 : i];

    return unit != NULL && ha__dimension_of_unit(unit->name, is, NULL) ? unit : NULL;
}

ha_status bg__writing_add_value(bg__writing *w, int element, int i, ha__strbuf *text)
{
    const bg__element *e = &w->graph->elements.items[element];
    ha__dimension is;
    const bg_unit *unit = unit_of(e, i, &is);
    double x = 0.0;

    if (unit == NULL || !ha_expr_is_constant(w->dag, e->value[i], &x)) {
        return bg__writing_add(w, element, e->value[i], text);
    }
    return bg__writing_add_number(w, x, unit, is, text);
}

ha_status bg__writing_add_start(bg__writing *w, int element, int i, ha__strbuf *text)
{
    ha_expr start = bg__extra(&w->graph->elements.items[element])->start[i];

    if (!ha__is_quantity(w->dag, start)) {
        return bg__writing_add(w, element, start, text);
    }
    ha__strbuf_add(text, ha_symbol_name(w->dag, start));
    return text->status;
}
