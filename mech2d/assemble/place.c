/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the parts of an assembled mechanism are, so that its bond graph can be drawn in its shape:
 * a body at its mass centre, a joint or force in the middle of its points.
 */
#include <config.h>

#include "mech2d/assemble/assemble_priv.h"
#include "mech2d/place.h"

#include <math.h>
#include <string.h>

typedef struct {
    const m2d_assembly *assembly;
    size_t n;        /* spots */
    ha_expr *inputs; /* (coordinates + 1) and the time */
    ha_expr *roots;  /* (2 n) */
    ha__tape *tape;
    double *work, *values; /* of the tape; (2 n) */
} evaluation;

/* The values of all x and y at the assembled positions. */
static ha_status evaluate(evaluation *v)
{
    const m2d_system *s = v->assembly->system;
    ha_dag *dag = bg_graph_dag(s->graph);
    int n_inputs = v->assembly->n;

    HA_TRY_ALLOC(s->ctx, v->inputs, n_inputs + 1);
    HA_TRY_ALLOC_EACH(s->ctx, 2 * v->n, v->roots, v->values);
    for (int j = 0; j < n_inputs; j++) {
        v->inputs[j] = s->masses.items[j / 3].q[j % 3];
    }
    v->inputs[n_inputs] = bg_graph_time(s->graph);
    for (size_t i = 0; i < v->n; i++) {
        HA_TRY(ha_resolve(dag, s->spots.items[i].x, &v->roots[2 * i]));
        HA_TRY(ha_resolve(dag, s->spots.items[i].y, &v->roots[2 * i + 1]));
    }
    HA_TRY(
        ha__tape_new(s->ctx, dag, v->roots, 2 * v->n, v->inputs, (size_t) n_inputs + 1, &v->tape));
    HA_TRY_ALLOC(s->ctx, v->work, ha__tape_work_size(v->tape));
    ha__tape_prepare(v->tape, v->work);
    memcpy(v->work, v->assembly->q, (size_t) n_inputs * sizeof *v->work);
    v->work[n_inputs] = 0.0; /* t */
    ha__tape_run(v->tape, v->work, v->values);
    return HA_OK;
}

static ha_status give(const evaluation *v, bg_draw_place **out, int *n_out)
{
    const m2d_system *s = v->assembly->system;
    bg_draw_place *places = ha__alloc(s->ctx, v->n, sizeof *places);
    int n = 0;

    HA_TRY_MEMORY(places);
    for (size_t i = 0; i < v->n; i++) {
        if (isfinite(v->values[2 * i]) && isfinite(v->values[2 * i + 1])) {
            places[n++] =
                (bg_draw_place){ s->spots.items[i].name, v->values[2 * i], v->values[2 * i + 1] };
        }
    }
    *out = places;
    *n_out = n;
    return HA_OK;
}

ha_status m2d_assembly_places(const m2d_assembly *assembly, bg_draw_place **out, int *n)
{
    evaluation v = { .assembly = assembly, .n = assembly->system->spots.count };
    ha_status status = evaluate(&v);

    HA_THEN(status, give(&v, out, n));
    ha__tape_free(v.tape);
    HA_FREE(v.inputs, v.roots, v.values, v.work);
    return status;
}
