/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of force types. */
#include <config.h>

#include "mech2d/mechanism/force.h"

#include <string.h>

static const m2d__force_type *const types[] = {
#define X(type) &type,
#include "mech2d/forces.def"
#undef X
};

const m2d__force_type *m2d__force_type_at(size_t i)
{
    return i < HA_COUNT(types) ? types[i] : NULL;
}

bool m2d__force_acts_on(const m2d__force_type *type, m2d__target target)
{
    return type->on[target].count > 0;
}

const m2d__force_type *m2d__force_type_find(const char *name)
{
    for (size_t i = 0; i < HA_COUNT(types); i++) {
        if (strcmp(types[i]->name, name) == 0) {
            return types[i];
        }
    }
    return NULL;
}
