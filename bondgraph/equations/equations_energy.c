/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The energy book, with which a run is checked. Power e f goes into each element.
 *
 *   stored = sum over I of I f^2 / 2, over C of q^2 / (2 C), and the potentials of the sources that
 *            have one;
 *   supplied and dissipated are quadratures of e f at the other sources and at the resistors;
 *   error = stored - stored at the start - supplied + dissipated.
 */
#include <config.h>

#include "bondgraph/elements/emit.h"
#include "bondgraph/equations/equations_priv.h"
#include "lib/core/need.h"

/* --- energy --------------------------------------------------------------------------------- */

/* Sums of the energy book while the elements are gone through. */
typedef struct {
    ha_expr kinetic, potential, supply, loss;
} book;

bg__emitter bg__emitter_of(bg_equations *q, bg__system *s, int element)
{
    return (bg__emitter){
        s, q->dag, element, s->port_bonds + s->port_start[element], bg__n_ports(s, element), 0, 0
    };
}

/* Adds the power into an element, or with `out` the power out of it, of all its ports. */
static void add_power(const bg__emitter *em, int out, ha_expr *sum)
{
    const bg__type *type = em->system->graph->elements.items[em->element].type;

    for (int port = 0; port < em->n_ports; port++) {
        ha_expr power = ha_mul(em->dag, bg__effort(em, port), bg__flow(em, port));
        bool counts = (type->gives_power >> port & 1) == out;
        *sum = counts ? ha_add(em->dag, *sum, power) : ha_sub(em->dag, *sum, power);
    }
}

/* Adds the power of an element to the sum, and to the list of all. */
static ha_status enter_power(bg_equations *q, const bg__emitter *em, int out, ha_expr *sum)
{
    ha_expr power = ha_constant(q->dag, 0.0);

    add_power(em, out, &power);
    *sum = ha_add(q->dag, *sum, power);
    HA_TRY(bg__equation_value(q, power, &power));
    HA_TRY_PUSH(q->ctx, &q->powers, power);
    return HA_OK;
}

static ha_status enter(bg_equations *q, int element, book *sums)
{
    bg__system *s = q->causality->system;
    const bg__element *e = &s->graph->elements.items[element];
    const bg__extras *extra = bg__extra(e);
    bg__emitter em = bg__emitter_of(q, s, element);

    if (e->type->book == BG_BOOK_NONE) {
        return HA_OK;
    }
    if (e->type->book == BG_BOOK_KINETIC) {
        sums->kinetic = ha_add(q->dag, sums->kinetic, e->type->energy(&em));
    } else if (e->type->book == BG_BOOK_POTENTIAL) {
        sums->potential = ha_add(q->dag, sums->potential, e->type->energy(&em));
    } else if (e->type->book == BG_BOOK_LOSS || extra->is_loss != 0) {
        return enter_power(q, &em, 0, &sums->loss);
    } else if (extra->potential != NULL && extra->potential[0] != HA_EXPR_NONE) {
        sums->potential = ha_add(q->dag, sums->potential, extra->potential[0]);
    } else {
        return enter_power(q, &em, 1, &sums->supply);
    }
    return HA_OK;
}

ha_status bg__add_equation_output(bg_equations *q, const char *name, const char *unit,
                                  ha_expr value)
{
    bg__eq_output output = { bg__equation_text(q, name), bg__equation_text(q, unit), HA_EXPR_NONE };

    if (output.name == NULL || output.unit == NULL) {
        return HA_ERR_MEMORY;
    }
    HA_TRY(bg__equation_value(q, value, &output.value));
    HA_TRY_PUSH(q->ctx, &q->outputs, output);
    return HA_OK;
}

ha_status bg__add_energy(bg_equations *q)
{
    ha_expr zero = ha_constant(q->dag, 0.0);
    book sums = { zero, zero, zero, zero };

    for (size_t i = 0; i < q->causality->system->graph->elements.count; i++) {
        HA_TRY(enter(q, (int) i, &sums));
    }
    q->stored = ha_add(q->dag, sums.kinetic, sums.potential);
    q->energy_error = ha_add(
        q->dag, ha_sub(q->dag, ha_sub(q->dag, q->stored, q->energy_start), q->work), q->loss);
    HA_TRY(bg__equation_value(q, q->stored, &q->stored));
    HA_TRY(bg__equation_value(q, q->energy_error, &q->energy_error));
    HA_TRY(bg__equation_value(q, sums.kinetic, &q->kinetic));
    HA_TRY(bg__equation_value(q, ha_sub(q->dag, sums.potential, q->energy_start), &q->gain));
    HA_TRY(bg__equation_value(q, sums.supply, &q->supply_rate));
    HA_TRY(bg__equation_value(q, sums.loss, &q->loss_rate));
    const ha_expr energies[BG__N_ENERGIES] = { sums.kinetic, sums.potential, q->work, q->loss,
                                               q->energy_error };
    for (int i = 0; i < BG__N_ENERGIES; i++) {
        HA_TRY(bg__equation_value(q, energies[i], &q->energies[i]));
        if (q->causality->system->graph->energies[i] > 0) {
            ha_symbol_define(q->dag, q->causality->system->graph->energies[i], q->energies[i]);
        }
    }
    return HA_OK;
}

ha_status bg__add_energy_outputs(bg_equations *q)
{
    for (int i = 0; i < BG__N_ENERGIES; i++) {
        HA_TRY(bg__add_equation_output(q, bg__energy_names[i], "J", q->energies[i]));
    }
    return HA_OK;
}

/* The power into an element is integrated with the powers of the energy book. */
static ha_status add_loss(bg_equations *q, bg__system *s, int element)
{
    bg__emitter em = bg__emitter_of(q, s, element);
    const char *name = ha__arena_format(q->ctx, &q->arena, "#dissipated.%s",
                                        s->graph->elements.items[element].name);
    ha_expr power = ha_constant(q->dag, 0.0);
    bg__eq_loss loss;

    HA_TRY_MEMORY(name);
    add_power(&em, 0, &power);
    loss.heat = ha_symbol(q->dag, name);
    HA_TRY(bg__equation_value(q, power, &loss.rate));
    HA_TRY_PUSH(q->ctx, &q->losses, loss);
    return bg__add_equation_output(q, name, "J", loss.heat);
}

ha_status bg_equations_add_losses(bg_equations *q, const bg_causality *causality, int *n)
{
    HA_NEED_OF(q, causality != NULL && n != NULL);
    bg__system *s = causality->system;

    *n = 0;
    for (int i = 0; i < (int) s->graph->elements.count; i++) {
        if (s->graph->elements.items[i].type->book == BG_BOOK_LOSS) {
            HA_TRY(add_loss(q, s, i));
            ++*n;
        }
    }
    return HA_OK;
}
