/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of joint types, and the frame that their constraints are written in. */
#include <config.h>

#include "mech2d/mechanism/joint.h"

#include <string.h>

static const m2d__joint_type *const types[] = {
#define X(type) &type,
#include "mech2d/joints.def"
#undef X
};

const m2d__joint_type *m2d__joint_type_at(size_t i)
{
    return i < HA_COUNT(types) ? types[i] : NULL;
}

const m2d__joint_type *m2d__joint_type_find(const char *name)
{
    for (size_t i = 0; i < HA_COUNT(types); i++) {
        if (strcmp(types[i]->name, name) == 0) {
            return types[i];
        }
    }
    return NULL;
}

m2d__frame m2d__frame_between(ha_dag *dag, const ha_expr M[3], const ha_expr N[3])
{
    ha_expr zero = ha_constant(dag, 0.0), one = ha_constant(dag, 1.0);
    m2d__frame frame = { .dag = dag,
                         .x_0 = { one, zero },
                         .y_0 = { zero, one },
                         .OM = { M[0], M[1] },
                         .ON = { N[0], N[1] },
                         .theta_i = M[2],
                         .theta_j = N[2] };
    m2d__vector *axes[2][2] = { { &frame.x_il, &frame.y_il }, { &frame.x_jl, &frame.y_jl } };

    for (int end = 0; end < 2; end++) {
        ha_expr angle = end == 0 ? frame.theta_i : frame.theta_j;
        ha_expr c = ha_apply(dag, HA_OP_COS, angle, HA_EXPR_NONE, HA_EXPR_NONE);
        ha_expr s = ha_apply(dag, HA_OP_SIN, angle, HA_EXPR_NONE, HA_EXPR_NONE);
        *axes[end][0] = (m2d__vector){ c, s };
        *axes[end][1] = (m2d__vector){ ha_neg(dag, s), c };
    }
    return frame;
}

const char *m2d__joint_type_meant(const char *type)
{
    static const char *const names[][2] = { { "hinge", "revolute" },
                                            { "pin", "revolute" },
                                            { "rotational", "revolute" },
                                            { "slider", "translational" },
                                            { "prismatic", "translational" } };

    for (size_t i = 0; i < HA_COUNT(names); i++) {
        if (strcmp(type, names[i][0]) == 0) {
            return names[i][1];
        }
    }
    return NULL;
}
