/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values that are held between events, in analyses of what is continuous.
 *
 * A sampled controller answers at its next sample. Derivatives of the equations do not know it:
 * there its output is a constant, so that a loop which it closes looks open. Noise closes no loop:
 * it is the constant that it is taken for. What a contact holds from its touch on (its speed) is
 * no part of a model whose bodies are apart: before its condition is met such a signal is a
 * constant, its start value, and nothing is lost. It counts where the condition is met, and where
 * that is on its edge and the equations feel the value.
 */
#include <config.h>

#include "bondgraph/analysis/held.h"

#include "lib/core/need.h"

#include <string.h>

bool bg__held_acts(const bg_model *m, int unknown)
{
    for (int i = 0; i < m->n_linear; i++) {
        const bg__linear_entry *e = &m->linear[i];
        if (e->column == unknown &&
            (e->block == BG__LINEAR_EQUATION || e->block == BG__LINEAR_MANIFOLD)) {
            return true;
        }
    }
    return false;
}

void bg__held_add_name(const bg_model *m, int unknown, ha__strbuf *out)
{
    static const char *const parts[] = { ".state.q", ".latest.q", ".last.q", ".sum.q",
                                         ".drawn.q" }; /* of a signal */
    const char *name = m->dae.unknowns[unknown].name;
    size_t length = strlen(name);

    for (size_t i = 0; i < HA_COUNT(parts); i++) {
        size_t part = strlen(parts[i]);
        bool is_so = length > part && strcmp(name + length - part, parts[i]) == 0;
        length -= is_so ? part : 0;
    }
    ha__strbuf_add_bytes(out, name, length);
}

static void add_quoted(const bg_model *m, int unknown, int *n, ha__strbuf *out)
{
    ha__strbuf_add(out, (*n)++ == 0 ? "`" : ", `");
    bg__held_add_name(m, unknown, out);
    ha__strbuf_add(out, "`");
}

/* Adds the names of the signals whose held values act on the model, or only of those that are
   sampled; returns how many. */
static int list_held(const bg_model *m, bool only_sampled, ha__strbuf *out)
{
    int n = 0;

    for (int i = 0; i < m->dae.n_holds; i++) {
        int unknown = m->dae.holds[i].unknown, kind = m->dae.holds[i].is_sampled;
        if (kind != 2 && (kind != 0 || !only_sampled) && bg__held_acts(m, unknown)) {
            add_quoted(m, unknown, &n, out);
        }
    }
    return n;
}

/* The next number of a row, from which that of the noise is made. */
static bool is_drawn(const char *name)
{
    static const char drawn[] = ".drawn.q";
    size_t length = strlen(name), part = sizeof drawn - 1;

    return length > part && strcmp(name + length - part, drawn) == 0;
}

int bg__held_list_noise(const bg_model *m, ha__strbuf *out)
{
    int n = 0;

    for (int i = 0; i < m->dae.n_holds; i++) {
        int unknown = m->dae.holds[i].unknown;
        if (m->dae.holds[i].is_sampled == 2 && !is_drawn(m->dae.unknowns[unknown].name)) {
            add_quoted(m, unknown, &n, out);
        }
    }
    return n;
}

ha_status bg_held_noise(ha_ctx *ctx, const bg_model *model, const char *fate)
{
    HA_NEED(ctx, ctx != NULL && model != NULL && fate != NULL);
    ha__strbuf names = HA_STRBUF(ctx);
    int n = bg__held_list_noise(model, &names);
    ha_status status = names.status;

    if (n > 0 && status == HA_OK) {
        ha_note(ctx, HA_NOWHERE, "the noise %s %s %s", ha__strbuf_text(&names),
                n == 1 ? "is" : "are", fate);
    }
    return ha__strbuf_drop(&names, status);
}

ha_status bg__held_refuse_samples(ha_ctx *ctx, const bg_model *m)
{
    ha__strbuf names = HA_STRBUF(ctx);
    int n = list_held(m, true, &names);
    ha_status status = names.status;

    if (n > 0 && status == HA_OK) {
        status = ha_fail(ctx, HA_ERR_UNSUPPORTED, HA_NOWHERE,
                         "the model cannot be linearised: %s %s sampled, and between the "
                         "samples no deviation changes %s, as if the loop were open; write the "
                         "controller without samples (`type: pid`, `lag`), look at a `run`, or "
                         "have the linear model hold %s with --force",
                         ha__strbuf_text(&names), n == 1 ? "is" : "are", n == 1 ? "it" : "them",
                         n == 1 ? "it" : "them");
    }
    return ha__strbuf_drop(&names, status);
}

/* True where the derivatives by an unknown are not all 0. */
static bool is_felt(const bg_model *m, int unknown, const double *values)
{
    for (int i = 0; i < m->n_linear; i++) {
        const bg__linear_entry *e = &m->linear[i];
        if (e->column == unknown && values[i] != 0.0 &&
            (e->block == BG__LINEAR_EQUATION || e->block == BG__LINEAR_MANIFOLD)) {
            return true;
        }
    }
    return false;
}

ha_status bg__held_refuse_active(ha_ctx *ctx, const bg_model *m, const signed char *sides,
                                 const bool *is_on_edge, const double *values)
{
    ha__strbuf names = HA_STRBUF(ctx);
    int n = 0;

    for (int i = 0; i < m->dae.n_holds; i++) {
        const ha_dae_hold *hold = &m->dae.holds[i];
        if (hold->is_sampled == 0 && bg__held_acts(m, hold->unknown) &&
            (sides[hold->condition] != 0 ||
             (is_on_edge[hold->condition] && is_felt(m, hold->unknown, values)))) {
            add_quoted(m, hold->unknown, &n, &names);
        }
    }
    ha_status status = names.status;
    if (n > 0 && status == HA_OK) {
        status =
            ha_fail(ctx, HA_ERR_UNSUPPORTED, HA_NOWHERE,
                    "the model cannot be linearised here: %s %s a value since %s condition "
                    "was met, as a contact the speed of its touch, and no small deviation "
                    "changes it; move the operating point with --at to where the condition "
                    "is not met, or have the linear model keep the value with --force",
                    ha__strbuf_text(&names), n == 1 ? "holds" : "hold", n == 1 ? "its" : "their");
    }
    return ha__strbuf_drop(&names, status);
}

ha_status bg_held_warn(ha_ctx *ctx, const bg_model *model, int *n)
{
    HA_NEED(ctx, ctx != NULL && model != NULL && n != NULL);
    ha__strbuf names = HA_STRBUF(ctx);
    int n_held = list_held(model, false, &names);
    ha_status status = names.status;

    *n = n_held;
    if (n_held > 0 && status == HA_OK) {
        ha_warn(ctx, HA_NOWHERE,
                "the linear model holds %s, which %s sampled or held: it is that of the open loop",
                ha__strbuf_text(&names), n_held == 1 ? "is" : "are");
    }
    return ha__strbuf_drop(&names, status);
}
