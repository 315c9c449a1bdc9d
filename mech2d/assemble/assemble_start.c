/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Assembly: what of its result goes to equations and start values of a model. */
#include <config.h>

#include "lib/core/need.h"
#include "lib/core/strbuf.h"
#include "mech2d/assemble/assemble_priv.h"

/* `name` is room for that of the unknown. */
static int find_unknown(ha__strbuf *name, const bg_model *model, const char *const parts[4])
{
    name->length = 0;
    for (int i = 0; i < 4; i++) {
        ha__strbuf_add(name, parts[i]);
    }
    return name->status == HA_OK ? bg_model_find_unknown(model, ha__strbuf_text(name)) : -1;
}

ha_status m2d_release_redundant(const m2d_assembly *assembly, bg_equations *equations)
{
    HA_NEED(NULL, assembly != NULL && equations != NULL);
    for (int i = 0; i < m2d_assembly_n_redundant(assembly); i++) {
        HA_TRY(bg_equations_release(equations, m2d_assembly_redundant(assembly, i)));
    }
    return HA_OK;
}

/* The value of a coordinate or a rate of one. */
static double motion_value(void *user, ha_expr symbol)
{
    const m2d_assembly *a = user;

    for (int j = 0; j < a->n; j++) {
        const m2d__mass *mass = &a->system->masses.items[j / 3];
        if (mass->q[j % 3] == symbol || mass->f[j % 3] == symbol) {
            return mass->q[j % 3] == symbol ? a->q[j] : a->v[j];
        }
    }
    return 0.0; /* t */
}

/* Wheels without a start of their own begin to roll as their points move. */
static ha_status start_rollers(const m2d_assembly *a, const bg_model *model, double *y)
{
    ha_dag *dag = bg_graph_dag(a->system->graph);
    m2d_assembly user = *a;

    for (size_t i = 0; i < a->system->rollers.count; i++) {
        const m2d__roller *roller = &a->system->rollers.items[i];
        int unknown = bg_model_find_unknown(model, roller->name);
        ha_expr rate = HA_EXPR_NONE;
        HA_TRY(ha_resolve(dag, roller->rate, &rate));
        if (unknown >= 0) {
            y[unknown] = ha_expr_value(dag, rate, motion_value, &user);
        }
    }
    return ha_dag_status(dag);
}

ha_status m2d__find_motion(const m2d_system *system, const bg_model *model, int *unknowns)
{
    static const char *const labels[3] = { "x", "y", "angle" };
    ha__strbuf name = HA_STRBUF(system->ctx);

    for (int j = 0; j < 3 * (int) system->masses.count; j++) {
        const char *body = system->masses.items[j / 3].name, *label = labels[j % 3];
        const char *const q[4] = { body, ".position.", label, ".q" };
        const char *const v[4] = { body, ".", label, ".f" };
        unknowns[2 * j] = find_unknown(&name, model, q);
        unknowns[2 * j + 1] = find_unknown(&name, model, v);
    }
    return ha__strbuf_drop(&name, name.status);
}

ha_status m2d__put_motion(const m2d_assembly *a, const bg_model *model, const int *unknowns,
                          double *y)
{
    bg_model_start(model, y);
    for (int k = 0; k < 2 * a->n; k++) {
        if (unknowns[k] >= 0) {
            y[unknowns[k]] = k % 2 == 0 ? a->q[k / 2] : a->v[k / 2];
        }
    }
    return start_rollers(a, model, y);
}

ha_status m2d_start(const m2d_assembly *assembly, const bg_model *model, double *y)
{
    HA_NEED(NULL, assembly != NULL && model != NULL && y != NULL);
    int *unknowns = NULL;

    HA_TRY_ALLOC(assembly->system->ctx, unknowns, 2 * assembly->n);
    ha_status status = m2d__find_motion(assembly->system, model, unknowns);
    HA_THEN(status, m2d__put_motion(assembly, model, unknowns, y));
    ha__free(unknowns);
    return status;
}
