/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether the roll speed of a wheel is given by what is bonded to its axis. Power is followed from
 * the axis through junctions and transformers: a source of effort or a detector says nothing of the
 * speed, any other element may.
 */
#include <config.h>

#include "mech2d/joints/wheel_tyre.h"

#include <string.h>

/* Whether an end of a bond says how the axis turns: not a source of effort alone, nor a detector.
   What only passes on is `*passes`. */
static bool decides(const m2d_mechanism *mechanism, const m2d__bond_end *end, bool *passes)
{
    static const char *const through[] = { "0", "1", "TF", "MTF" };
    static const char *const not [] = { "Se", "MSe", "De", "Df" };

    *passes = false;
    if (end->element < 0) {
        const m2d__connection *joint = &mechanism->joints.items[end->joint];
        return joint->joint != &m2d__joint_wheel ||
               m2d__number(mechanism->dag,
                           joint->settings[M2D__WHEEL_INERTIA * M2D__MAX_COMPONENTS]) > 0.0;
    }
    const m2d__element_part *part = &mechanism->elements.items[end->element];
    for (size_t i = 0; i < HA_COUNT(through) && part->instance == NULL; i++) {
        *passes = *passes || strcmp(part->type, through[i]) == 0;
        if (strcmp(part->type, not [i]) == 0) {
            return false;
        }
    }
    return !*passes;
}

/* Whether anything on the port of a wheel gives its roll speed: `reached` (elements) are those that
   power gets to. */
static bool is_turned(const m2d_mechanism *mechanism, int wheel, bool *reached)
{
    bool has_changed = true;

    while (has_changed) {
        has_changed = false;
        for (size_t i = 0; i < mechanism->bonds.count; i++) {
            for (int side = 0; side < 2; side++) {
                const m2d__bond_end *here = &mechanism->bonds.items[i].ends[side];
                const m2d__bond_end *there = &mechanism->bonds.items[i].ends[1 - side];
                bool passes = false;
                bool is_here = here->element < 0 ? here->joint == wheel : reached[here->element];
                if (is_here && decides(mechanism, there, &passes)) {
                    return true;
                }
                if (is_here && passes && !reached[there->element]) {
                    reached[there->element] = has_changed = true;
                }
            }
        }
    }
    return false;
}

ha_status m2d__wheel_is_turned(const m2d_mechanism *mechanism, int wheel, bool *out)
{
    bool *reached = NULL;

    HA_TRY_ALLOC(mechanism->ctx, reached, mechanism->elements.count);
    *out = is_turned(mechanism, wheel, reached);
    ha__free(reached);
    return HA_OK;
}
