/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values that are held between events, in analyses of what is continuous.
 *
 * A sampled controller answers at its next sample. Derivatives of the equations do not know it:
 * there its output is a constant, so that a loop which it closes looks open. Noise closes no loop:
 * it is the constant that it is taken for.
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

int bg__held_list(const bg_model *m, ha__strbuf *out)
{
    int n = 0;

    for (int i = 0; i < m->dae.n_holds; i++) {
        int unknown = m->dae.holds[i].unknown;
        if (m->dae.holds[i].is_sampled != 2 && bg__held_acts(m, unknown)) {
            ha__strbuf_add(out, n++ == 0 ? "`" : ", `");
            bg__held_add_name(m, unknown, out);
            ha__strbuf_add(out, "`");
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
            ha__strbuf_add(out, n++ == 0 ? "`" : ", `");
            bg__held_add_name(m, unknown, out);
            ha__strbuf_add(out, "`");
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
    ha__strbuf_clear(&names);
    return status;
}

ha_status bg__held_refuse(ha_ctx *ctx, const bg_model *m)
{
    ha__strbuf names = HA_STRBUF(ctx);
    int n = bg__held_list(m, &names);
    ha_status status = names.status;

    if (n > 0 && status == HA_OK) {
        status = ha_fail(ctx, HA_ERR_UNSUPPORTED, HA_NOWHERE,
                         "the model cannot be linearised: %s %s sampled or held, and between the "
                         "samples no deviation changes %s, as if the loop were open; write the "
                         "controller without samples (`type: pid`, `lag`), look at a `run`, or "
                         "have the linear model hold %s with --force",
                         ha__strbuf_text(&names), n == 1 ? "is" : "are", n == 1 ? "it" : "them",
                         n == 1 ? "it" : "them");
    }
    ha__strbuf_clear(&names);
    return status;
}

ha_status bg_held_warn(ha_ctx *ctx, const bg_model *model, int *n)
{
    HA_NEED(ctx, ctx != NULL && model != NULL && n != NULL);
    ha__strbuf names = HA_STRBUF(ctx);
    int n_held = bg__held_list(model, &names);
    ha_status status = names.status;

    *n = n_held;
    if (n_held > 0 && status == HA_OK) {
        ha_warn(ctx, HA_NOWHERE,
                "the linear model holds %s, which %s sampled or held: it is that of the open loop",
                ha__strbuf_text(&names), n_held == 1 ? "is" : "are");
    }
    ha__strbuf_clear(&names);
    return status;
}
