/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the energy of a mode sits, by effort and flow of the bonds of storages, of sources with a
   potential, and of resistors. */
#include <config.h>

#include "bondgraph/analysis/modes_priv.h"
#include "bondgraph/causality/causality_priv.h"
#include "lib/core/need.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* True of a source whose power comes from a potential, as that of weight. */
static bool has_potential(const bg__element *e)
{
    const ha_expr *potential = bg__extra(e)->potential;

    return potential != NULL && potential[0] != HA_EXPR_NONE;
}

/* The kind of energy that an element has; BG_MODE_ENERGY_COUNT: none. */
static bg_mode_energy kind_of(const bg__element *e)
{
    switch (e->type->book) {
    case BG_BOOK_KINETIC:
        return BG_MODE_KINETIC;
    case BG_BOOK_POTENTIAL:
        return BG_MODE_POTENTIAL;
    case BG_BOOK_LOSS:
        return BG_MODE_DISSIPATION;
    case BG_BOOK_SUPPLY:
        return has_potential(e) ? BG_MODE_POTENTIAL : BG_MODE_ENERGY_COUNT;
    case BG_BOOK_NONE:
    default:
        return BG_MODE_ENERGY_COUNT;
    }
}

static ha_status name_output(const bg__system *s, int bond, char what, char *name, size_t size)
{
    int number = 0;

    HA_TRY(bg_graph_bond_number(s->graph, bond, &number));
    snprintf(name, size, "#%d.%c", number, what);
    return HA_OK;
}

static ha_status list_outputs(const bg__system *s, char **names, int *n)
{
    for (int i = 0; i < (int) s->graph->elements.count; i++) {
        bool counts = kind_of(&s->graph->elements.items[i]) < BG_MODE_ENERGY_COUNT;
        for (int k = s->port_start[i]; k < s->port_start[i + 1] && counts; k++) {
            for (int part = 0; part < 2; part++) {
                char name[32];
                HA_TRY(name_output(s, s->port_bonds[k], "ef"[part], name, sizeof name));
                names[*n] = malloc(strlen(name) + 1);
                HA_TRY(names[*n] == NULL ? HA_ERR_MEMORY : HA_OK);
                strcpy(names[(*n)++], name);
            }
        }
    }
    return HA_OK;
}

ha_status bg_mode_outputs(ha_ctx *ctx, const bg_causality *causality, char ***names, int *n)
{
    HA_NEED(ctx, ctx != NULL && causality != NULL && names != NULL && n != NULL);
    const bg__system *s = causality->system;

    *n = 0;
    *names = calloc(2 * (size_t) s->port_start[s->graph->elements.count] + 1, sizeof **names);
    return *names == NULL ? HA_ERR_MEMORY : list_outputs(s, *names, n);
}

/* The number of an output; outputs are searched from the last one on, since they come in
   one order. */
static int find_output(const bg_modal *modal, const char *name, int *next)
{
    for (int i = 0; i < modal->n_outputs; i++) {
        int at = (*next + i) % modal->n_outputs;
        if (strcmp(modal->outputs[at], name) == 0) {
            *next = at + 1;
            return at;
        }
    }
    return -1;
}

static double complex amplitude(const bg_mode *mode, int output)
{
    const double parts[2] = { mode->outputs[2 * output], mode->outputs[2 * output + 1] };
    double complex value = 0.0;

    memcpy(&value, parts, sizeof parts);
    return value;
}

ha_status bg__mode_column(const bg__system *s, const bg_modal *modal, int bond, char what,
                          int *next, int *column)
{
    char name[32];

    HA_TRY(name_output(s, bond, what, name, sizeof name));
    *column = find_output(modal, name, next);
    return *column >= 0
               ? HA_OK
               : ha_fail(s->graph->ctx, HA_ERR_NAME, HA_NOWHERE,
                         "the modes lack the output `%s`; compile with bg_mode_outputs()", name);
}

/* Adds what a bond into or out of element `i` carries. */
static ha_status add_bond(const bg__system *s, const bg_modal *modal, const bg_mode *mode, int i,
                          int bond, int *next, double *energy)
{
    int number[2];
    double lambda_parts[2] = { mode->eigenvalue[0], mode->eigenvalue[1] };
    double complex lambda = 0.0;

    memcpy(&lambda, lambda_parts, sizeof lambda_parts);
    for (int part = 0; part < 2; part++) {
        HA_TRY(bg__mode_column(s, modal, bond, "ef"[part], next, &number[part]));
    }
    double complex e = amplitude(mode, number[0]), f = amplitude(mode, number[1]);
    double sign = s->graph->bonds.items[bond].head == i ? 0.5 : -0.5;
    bg_mode_energy kind = kind_of(&s->graph->elements.items[i]);
    if (lambda != 0.0) {
        *energy += kind == BG_MODE_POTENTIAL
                       ? sign * modal->values[number[0]] * mode->second[number[1]]
                       : 0.0;
        e = kind == BG_MODE_KINETIC ? e / lambda : e;
        f = kind == BG_MODE_POTENTIAL ? f / lambda : f;
        *energy += sign * creal(e * conj(f));
    }
    return HA_OK;
}

static ha_status fill_shares(const bg__system *s, const bg_modal *modal, const bg_mode *mode,
                             bg_mode_share *shares, int *n)
{
    double sum[BG_MODE_ENERGY_COUNT] = { 0.0 };
    int next = 0;

    for (int i = 0; i < (int) s->graph->elements.count; i++) {
        const bg__element *e = &s->graph->elements.items[i];
        bg_mode_share share = { .element = e->name, .kind = kind_of(e) };
        if (share.kind == BG_MODE_ENERGY_COUNT) {
            continue;
        }
        HA_TRY(bg_graph_bond_number(s->graph, s->port_bonds[s->port_start[i]], &share.bond));
        for (int k = s->port_start[i]; k < s->port_start[i + 1]; k++) {
            HA_TRY(add_bond(s, modal, mode, i, s->port_bonds[k], &next, &share.share));
        }
        sum[share.kind] += share.share;
        shares[(*n)++] = share;
    }
    /* round-off beside the largest energy is none */
    double stored = fmax(fabs(sum[BG_MODE_KINETIC]), fabs(sum[BG_MODE_POTENTIAL]));
    double rate = hypot(mode->eigenvalue[0], mode->eigenvalue[1]);
    sum[BG_MODE_DISSIPATION] =
        fabs(sum[BG_MODE_DISSIPATION]) > 1e-12 * stored * rate ? sum[BG_MODE_DISSIPATION] : 0.0;
    int kept = 0;
    for (int k = 0; k < *n; k++) {
        if (sum[shares[k].kind] != 0.0) {
            shares[kept] = shares[k];
            shares[kept++].share /= sum[shares[k].kind];
        }
    }
    *n = kept;
    return HA_OK;
}

ha_status bg_mode_shares(ha_ctx *ctx, const bg_causality *causality, const bg_modal *modal,
                         int mode, bg_mode_share **shares, int *n)
{
    HA_NEED(ctx, ctx != NULL && causality != NULL && modal != NULL && shares != NULL && n != NULL &&
                     mode >= 0 && mode < modal->n_modes);
    const bg__system *s = causality->system;

    *n = 0;
    *shares = calloc(s->graph->elements.count + 1, sizeof **shares);
    if (*shares == NULL) {
        return HA_ERR_MEMORY;
    }
    return modal->is_equilibrium ? fill_shares(s, modal, &modal->modes[mode], *shares, n) : HA_OK;
}
