/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Switching functions before IDA's root finder, which is to end steps where they change their sign.
 */
#include <config.h>

#include "lib/dae/ida/dae_ida.h"

/* The functions that IDA watches. */
static int switching(sunrealtype t, N_Vector y, N_Vector yp, sunrealtype *values, void *user)
{
    ha__ida *r = user;

    r->dae->switching(r->dae->model, r->work, t, NV_DATA_S(y), NV_DATA_S(yp), r->run->sides.g);
    for (int i = 0; i < r->run->n_watched; i++) {
        values[i] = r->run->sides.g[r->run->watched[i]];
    }
    return ha__first_not_finite(values, r->run->n_watched) >= 0 ? 1 : 0;
}

ha_status ha__ida_watch_switches(ha__ida *r)
{
    if (r->run->n_watched == 0) {
        return HA_OK;
    }
    HA_TRY(ha__from_ida(r, IDARootInit(r->ida, r->run->n_watched, switching)));
    return ha__from_ida(r, IDASetNoInactiveRootWarn(r->ida));
}

ha_status ha__ida_read_roots(ha__ida *r)
{
    HA_TRY(ha__from_ida(r, IDAGetRootInfo(r->ida, r->run->found)));
    /* spread over all switching functions, from the end, as the numbers only grow */
    for (int k = r->dae->n_switches - 1, i = r->run->n_watched - 1; k >= 0; k--) {
        r->run->found[k] = i >= 0 && r->run->watched[i] == k ? r->run->found[i--] : 0;
    }
    return HA_OK;
}
