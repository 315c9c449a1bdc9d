/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Poses near an assembled one, such as those of a vibration of finite size: displacements along the
 * tangent stretch the links, and the steps of the assembly bring the pose back onto the
 * constraints, on the shortest way by the weights of its coordinates. Elastic rows stay open, since
 * compliant joints give way.
 */
#include <config.h>

#include "lib/core/need.h"
#include "mech2d/assemble/assemble_priv.h"

#include <math.h>

static const double far_off = 0.25; /* of the displacement squared: it is another pose */

/* Whether the pose is less far from what was wanted than half of the way that was asked for. */
static bool is_near(const m2d_assembly *a, const double *base, const double *wanted,
                    const double *found)
{
    double moved = 0.0, mended = 0.0;

    for (int j = 0; j < a->n; j++) {
        moved += pow((wanted[j] - base[j]) / a->scale[j], 2.0);
        mended += pow((found[j] - wanted[j]) / a->scale[j], 2.0);
    }
    return mended <= far_off * moved || mended <= m2d__accepted_residual;
}

static ha_status project(m2d_assembly *a, const double *base, const double *displacement,
                         double *out, bool *is_met)
{
    double size = 0.0, *wanted = a->v; /* rates are not looked for */

    for (int j = 0; j < a->n; j++) {
        out[j] = wanted[j] = base[j] + displacement[j];
    }
    size = m2d__residual(a, out);
    HA_TRY(m2d__search_positions(a, M2D__FREE_ALL, out, &size));
    *is_met = size <= m2d__accepted_residual && is_near(a, base, wanted, out);
    return HA_OK;
}

ha_status m2d_project(const m2d_system *system, double t, const double *base,
                      const double *displacements, int n_poses, double *poses, bool *are_met)
{
    HA_NEED_OF(system, base != NULL && displacements != NULL && poses != NULL && are_met != NULL);
    m2d_assembly *a = NULL;
    ha_status status = m2d__assembly_new(system, &a);

    HA_TRY(status);
    a->t = t;
    a->seeks_rates = false;
    m2d__open_rows(a, true);
    *are_met = true;
    for (int i = 0; i < n_poses && status == HA_OK && *are_met; i++) {
        size_t at = (size_t) i * (size_t) a->n;
        status = project(a, base, displacements + at, poses + at, are_met);
    }
    m2d_assembly_free(a);
    return status;
}
