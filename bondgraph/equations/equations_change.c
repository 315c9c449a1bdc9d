/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is changed of derived equations: outputs of bonds are added, constraints taken out. */
#include <config.h>

#include "bondgraph/equations/equations_priv.h"

#include "lib/core/need.h"

#include <stdio.h>
#include <string.h>

ha_status bg_equations_add_bonds(bg_equations *q, const bg_causality *causality, int *n)
{
    HA_NEED_OF(q, causality != NULL && n != NULL);
    const bg__system *s = causality->system;

    for (int b = 0; b < (int) s->graph->bonds.count; b++) {
        const ha_expr values[2] = { s->e[b], s->f[b] };
        int number = 0;
        HA_TRY(bg_graph_bond_number(s->graph, b, &number));
        for (int k = 0; k < 2; k++) {
            char name[32];
            snprintf(name, sizeof name, "#%d.%c", number, "ef"[k]);
            HA_TRY(bg__add_equation_output(q, name, "", values[k]));
        }
    }
    *n = 2 * (int) s->graph->bonds.count;
    return HA_OK;
}

ha_status bg_equations_release(bg_equations *q, const char *name)
{
    HA_NEED_OF(q, name != NULL);
    size_t length = strlen(name);

    for (size_t i = 0; i < q->unknowns.count; i++) {
        bg__eq_unknown *u = &q->unknowns.items[i];
        bool is_its = strncmp(u->name, name, length) == 0 && u->name[length] == '.' &&
                      strchr(u->name + length + 1, '.') == NULL;
        if (u->kind == BG__MULTIPLIER && is_its) {
            q->rows.items[i].value = u->y;
            for (size_t k = 0; k < q->checks.count; k++) {
                q->checks.items[k].is_released |= q->checks.items[k].row == (int) i;
            }
            return HA_OK;
        }
    }
    return ha_fail(
        q->ctx, HA_ERR_NAME, HA_NOWHERE,
        "the constraint `%s` cannot be released: no implicit residual sink has this name", name);
}
