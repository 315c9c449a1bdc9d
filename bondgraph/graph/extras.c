/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What only some elements have, row by row of extras.def: no row is named here. */
#include <config.h>

#include "bondgraph/graph/extras_priv.h"

#include <stddef.h>
#include <string.h>

typedef enum { EACH, PAIR, TEXTS, NUMBER } extra_kind;

static const struct {
    size_t in_def, in_element; /* where the field is */
    extra_kind kind;
} rows[] = {
#define EXTRA(field, type, kind, sentence)                                                         \
    { offsetof(bg_element_def, field), offsetof(bg__extras, field), kind },
#include "bondgraph/extras.def"
#undef EXTRA
};

int bg__n_extras(void)
{
    return (int) HA_COUNT(rows);
}

static inline bool is_given(const bg__given *given)
{
    return given->values != NULL || given->texts != NULL || given->number != 0;
}

/* A row read at `at`, of an element with `dim` components. */
static inline bg__given read_row(int row, const char *at, int dim)
{
    extra_kind kind = rows[row].kind;
    bg__given given = { .count = kind == PAIR ? 2 : dim, .is_each = kind != PAIR };

    if (kind == NUMBER) {
        memcpy(&given.number, at, sizeof given.number);
    } else if (kind == TEXTS) {
        memcpy(&given.texts, at, sizeof given.texts);
    } else {
        memcpy(&given.values, at, sizeof given.values);
    }
    return given;
}

/* True when a row is given at `at`: most rows of most elements are not. */
static bool is_given_at(int row, const char *at)
{
    const bg__given given = read_row(row, at, 0);

    return is_given(&given);
}

bool bg__has_extra(const bg__element *element, int row)
{
    return is_given_at(row, (const char *) bg__extra(element) + rows[row].in_element);
}

bg__given bg__extra_at(const bg__element *element, int row)
{
    return read_row(row, (const char *) bg__extra(element) + rows[row].in_element, element->dim);
}

bg__given bg__extra_of(const bg__element *element, int row, int component)
{
    bg__given given = bg__extra_at(element, row);

    if (given.is_each) {
        given.values = given.values != NULL ? given.values + component : NULL;
        given.texts = given.texts != NULL ? given.texts + component : NULL;
        given.count = 1;
    }
    return given;
}

static ha_status copy_values(bg_graph *graph, const bg__given *given, const ha_expr **to)
{
    size_t n = given->values == NULL ? 0 : (size_t) given->count;
    ha_expr *copy = n == 0 ? NULL : ha__arena_alloc(graph->ctx, &graph->arena, n, sizeof *copy);

    if (copy != NULL) {
        memcpy(copy, given->values, n * sizeof *copy);
    }
    *to = copy;
    return n > 0 && copy == NULL ? HA_ERR_MEMORY : HA_OK;
}

/* Writes what `given` is to the element, which has extras. */
static ha_status write_row(bg_graph *graph, bg__element *element, int row, bg__given given)
{
    char *at = (char *) element->extra + rows[row].in_element;

    if (rows[row].kind == NUMBER) {
        memcpy(at, &given.number, sizeof given.number);
    } else if (rows[row].kind == TEXTS) {
        HA_TRY(bg__copy_texts(graph, given.texts, given.count, &given.texts));
        memcpy(at, &given.texts, sizeof given.texts);
    } else {
        HA_TRY(copy_values(graph, &given, &given.values));
        memcpy(at, &given.values, sizeof given.values);
    }
    return HA_OK;
}

ha_status bg__give_extra(bg_graph *graph, bg__element *element, int row, const bg__given *given)
{
    if (!is_given(given) && element->extra == NULL) {
        return HA_OK;
    }
    HA_TRY_MEMORY(bg__own_extra(graph, element));
    return write_row(graph, element, row, *given);
}

ha_status bg__give_extras(bg_graph *graph, bg__element *element, const bg_element_def *def)
{
    for (int row = 0; row < bg__n_extras(); row++) {
        const char *at = (const char *) def + rows[row].in_def;
        if (is_given_at(row, at)) {
            bg__given given = read_row(row, at, element->dim);
            HA_TRY(bg__give_extra(graph, element, row, &given));
        }
    }
    return HA_OK;
}

/* Writes the row whose field begins at `in_def` of a definition, and checks it. */
static ha_status set_row(bg_graph *graph, bg_element number, const bg_element_def *def,
                         size_t in_def)
{
    bg__element *e = &graph->elements.items[number];
    int row = 0;

    while (rows[row].in_def != in_def) {
        row++;
    }
    HA_TRY(ha_dag_status(graph->dag));
    bg__given given = read_row(row, (const char *) def + in_def, e->dim);
    HA_TRY(bg__give_extra(graph, e, row, &given));
    return bg__check_hold(graph, e);
}

#define EXTRA(field, type, kind, sentence)                                                         \
    ha_status bg_graph_set_##field(bg_graph *graph, bg_element element, type field)                \
    {                                                                                              \
        const bg_element_def def = { .field = field };                                             \
        return set_row(graph, element, &def, offsetof(bg_element_def, field));                     \
    }
#include "bondgraph/extras.def"
#undef EXTRA
