/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which unknowns a row contains.
 *
 * Whether a row contains an unknown is asked of its partial derivative in residues modulo a prime
 * (lib/linalg/modular.h). All constant values other than 0, and all that varies, are drawn by
 * chance. What vanishes there vanishes for all values (Schwartz and Zippel), though it may stand in
 * the text; what is merely small does not. In an odd ring of gyrators with capacitances the flow of
 * the dependent one cancels so, and with it the need for a second derivative.
 *
 * Sums, products, quotients, whole powers, sines and cosines are exact; numbers in laws are what
 * they were rounded from. Of any other function, a branch too, the value is drawn, the same
 * wherever it occurs. An identity between such functions is not seen, and the unknown is kept.
 */
#include <config.h>

#include "bondgraph/equations/reduce_priv.h"
#include "lib/linalg/modular.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WHOLE_POWERS = 64 }; /* up to which a power is exact */

/* --- what a row contains -------------------------------------------------------------------- */

ha_status bg__index_symbols(bg__reducer *x)
{
    x->n_nodes = ha_dag_size(x->dag);
    HA_TRY_ALLOC(x->s->ctx, x->of_symbol, x->n_nodes);
    memset(x->of_symbol, -1, (size_t) x->n_nodes * sizeof *x->of_symbol);
    for (int j = 0; j < x->n; j++) {
        x->of_symbol[x->s->unknowns.items[j].y] = 2 * j;
        x->of_symbol[x->s->unknowns.items[j].yp] = 2 * j + 1;
    }
    return HA_OK;
}

/* Adds the unknowns in the value of a row, or of a rate (row n). */
static ha_status list_entries(bg__reducer *x, int row, ha_expr value)
{
    ha_expr resolved = HA_EXPR_NONE, *symbols = NULL, *partials = NULL;
    size_t n = 0;
    ha_status status = HA_OK;

    HA_TRY(ha_resolve(x->dag, value, &resolved));
    HA_TRY(ha_gradient(x->dag, resolved, &symbols, &partials, &n));
    for (size_t i = 0; i < n && status == HA_OK; i++) {
        int at = symbols[i] < x->n_nodes ? x->of_symbol[symbols[i]] : -1;
        if (at >= 0) {
            void *items = ha__room(x->s->ctx, x->entries.items, x->entries.count, 1,
                                   &x->entries.capacity, sizeof *x->entries.items);
            status = items == NULL ? HA_ERR_MEMORY : HA_OK;
            if (items != NULL) {
                x->entries.items = items;
                x->entries.items[x->entries.count++] =
                    (bg__incidence){ row, at / 2, at % 2, symbols[i], partials[i] };
            }
        }
    }
    free(symbols);
    free(partials);
    return status;
}

static ha_status list_all_entries(bg__reducer *x)
{
    const bg__system *s = x->s;

    for (int i = 0; i < x->n; i++) {
        HA_TRY(list_entries(x, i, x->value[i]));
    }
    for (size_t i = 0; i < s->definitions.count; i++) {
        if (s->definitions.items[i].is_rate) {
            HA_TRY(list_entries(x, x->n, s->definitions.items[i].symbol));
        }
    }
    return HA_OK;
}

/* A residue by chance for a node. */
static uint64_t drawn(ha_expr node)
{
    return ha__mod_chance(1, (uint64_t) node);
}

/* sin or cos of an operand: the point of the unit circle whose half angle has a drawn tangent t. */
static uint64_t circle(ha_op op, ha_expr operand)
{
    uint64_t t = drawn(operand), square = ha__mod_mul(t, t);
    uint64_t scale = ha__mod_inverse(ha__mod_add(1, square));

    return ha__mod_mul(op == HA_OP_SIN ? ha__mod_add(t, t) : ha__mod_sub(1, square), scale);
}

/* The whole power of a base other than 0; `*is_whole` tells whether the exponent is one. */
static uint64_t whole_power(const ha_dag *dag, ha_expr exponent, uint64_t base, bool *is_whole)
{
    double n = 0.0;

    *is_whole = base != 0 && ha_expr_is_constant(dag, exponent, &n) && n == floor(n) &&
                fabs(n) <= WHOLE_POWERS;
    uint64_t power = *is_whole ? ha__mod_power(base, (uint64_t) fabs(n)) : 0;
    return n < 0.0 ? ha__mod_inverse(power) : power;
}

/* The residue of a node whose operands have theirs. */
static uint64_t residue_of(const ha_dag *dag, ha_expr e, const uint64_t *residue)
{
    ha_op op = ha_expr_op(dag, e);
    ha_expr x[3] = { 0, 0, 0 };
    double number = 0.0;
    bool is_whole = false;

    for (int k = 0; k < ha_op_arity(op); k++) {
        x[k] = ha_expr_operand(dag, e, k);
    }
    uint64_t a = residue[x[0]], b = residue[x[1]];
    switch ((int) op) {
    case HA_OP_CONSTANT:
        (void) ha_expr_is_constant(dag, e, &number);
        return isfinite(number) ? ha__mod_of_meant(number) : drawn(e);
    case HA_OP_ADD:
        return ha__mod_add(a, b);
    case HA_OP_SUB:
        return ha__mod_sub(a, b);
    case HA_OP_NEG:
        return ha__mod_sub(0, a);
    case HA_OP_MUL:
        return ha__mod_mul(a, b);
    case HA_OP_DIV:
        return b == 0 ? drawn(e) : ha__mod_mul(a, ha__mod_inverse(b));
    case HA_OP_SIN:
    case HA_OP_COS:
        return circle(op, x[0]);
    case HA_OP_POW:
        a = whole_power(dag, x[1], a, &is_whole);
        return is_whole ? a : drawn(e);
    case HA_OP_IF:
        return b == residue[x[2]] ? b : drawn(e);
    default:
        return drawn(e);
    }
}

/* The residues of all nodes. Operands have smaller numbers than what is made of them. */
static ha_status find_residues(bg__reducer *x)
{
    int n = ha_dag_size(x->dag);

    ha__free(x->residue);
    HA_TRY_ALLOC(x->s->ctx, x->residue, n);
    for (int e = 0; e < n; e++) {
        x->residue[e] = residue_of(x->dag, e, x->residue);
    }
    return HA_OK;
}

static ha_status add_absence(bg__reducer *x, const bg__incidence *entry)
{
    HA_TRY_PUSH(x->s->ctx, &x->out->absences, (bg__absence){ entry->row, entry->symbol });
    return HA_OK;
}

ha_status bg__find_entries(bg__reducer *x)
{
    size_t kept = 0;
    ha_status status = HA_OK;

    x->entries.count = x->out->absences.count = 0;
    HA_TRY(list_all_entries(x));
    HA_TRY(find_residues(x));
    for (size_t i = 0; i < x->entries.count && status == HA_OK; i++) {
        const bg__incidence entry = x->entries.items[i];
        if (x->residue[entry.partial] != 0) {
            x->entries.items[kept++] = entry;
        } else if (entry.row < x->n) {
            status = add_absence(x, &entry);
        }
    }
    x->entries.count = kept;
    return status;
}
