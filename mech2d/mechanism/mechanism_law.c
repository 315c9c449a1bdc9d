/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Laws of forces by expressions: the names they are written with, and what they may read. A spring
 * is a storage, whose energy is a function of its displacement q alone; a damper may read its rate
 * f and whatever else there is.
 */
#include <config.h>

#include "mech2d/mechanism/mechanism_priv.h"

#include <stdlib.h>
#include <string.h>

ha_expr m2d_law_lookup(void *user, const char *name)
{
    m2d_mechanism *mechanism = user;

    return strcmp(name, "q") == 0   ? mechanism->own[0]
           : strcmp(name, "f") == 0 ? mechanism->own[1]
                                    : m2d_mechanism_lookup(mechanism, name);
}

const char *m2d__slip_name(size_t i)
{
    static const char *const names[M2D__N_SLIPS] = { "slip_long", "slip_lat", "load", "v_long",
                                                     "v_roll" };

    return names[i];
}

ha_expr m2d_slip_lookup(void *user, const char *name)
{
    m2d_mechanism *mechanism = user;

    for (size_t i = 0; i < HA_COUNT(mechanism->slips); i++) {
        if (strcmp(name, m2d__slip_name(i)) == 0) {
            return mechanism->slips[i];
        }
    }
    return m2d_mechanism_lookup(mechanism, name);
}

ha_status m2d__check_law(m2d_mechanism *mechanism, ha_expr value, m2d__law law, m2d__owner owner)
{
    ha_expr *symbols = NULL;
    const char *other = NULL;
    size_t n = 0;

    if (law == M2D__LAW_OF_Q_F || law == M2D__LAW_OF_SLIP) {
        return ha_dag_status(mechanism->dag);
    }
    HA_TRY(ha_resolve(mechanism->dag, value, &value));
    HA_TRY(ha_expr_symbols(mechanism->dag, value, &symbols, &n));
    for (size_t i = 0; i < n; i++) {
        other =
            symbols[i] == mechanism->own[0] ? other : ha_symbol_name(mechanism->dag, symbols[i]);
    }
    free(symbols);
    if (other != NULL) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, owner.where,
                       "`%s` of %s `%s` depends on `%s`; what a spring stores is a function of its "
                       "displacement `q` alone, use `q`, numbers and parameters, and put the rest "
                       "into `damper` or into a force of its own",
                       owner.key, owner.kind, owner.name, other);
    }
    return HA_OK;
}

ha_status m2d__varies(m2d_mechanism *mechanism, ha_expr e, bool *out)
{
    ha_expr *symbols = NULL;
    size_t n = 0;

    *out = false;
    if (e != HA_EXPR_NONE) {
        HA_TRY(ha_resolve(mechanism->dag, e, &e));
        HA_TRY(ha_expr_symbols(mechanism->dag, e, &symbols, &n));
        free(symbols);
        *out = n > 0;
    }
    return HA_OK;
}
