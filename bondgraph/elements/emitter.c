/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the law of a registered element type is written with. These are the functions of emit.h with
 * the checks that the laws of this directory do without: no port twice, none in the wrong sense, no
 * expression that is none.
 */
#include <config.h>

#include "bondgraph/element_type.h"

#include "bondgraph/elements/emit.h"

#include <string.h>

/* --- what the element is --------------------------------------------------------------------- */

ha_ctx *bg_emitter_ctx(const bg_emitter *em)
{
    return em->system->ctx;
}

ha_dag *bg_emitter_dag(const bg_emitter *em)
{
    return em->dag;
}

const char *bg_emitter_name(const bg_emitter *em)
{
    return bg__name(em);
}

ha_where bg_emitter_where(const bg_emitter *em)
{
    return bg__where(em);
}

ha_expr bg_emitter_time(const bg_emitter *em)
{
    return em->system->graph->time;
}

ha_expr bg_emitter_value(const bg_emitter *em)
{
    return bg__value(em);
}

ha_expr bg_emitter_start(const bg_emitter *em)
{
    return bg__start(em);
}

ha_expr bg_emitter_position(const bg_emitter *em)
{
    return bg__position(em);
}

/* --- ports ----------------------------------------------------------------------------------- */

static bool has_port(const bg_emitter *em, int port)
{
    return port >= 0 && port < em->n_ports;
}

int bg_emitter_effort_arrives(const bg_emitter *em, int port)
{
    return has_port(em, port) ? bg__effort_arrives(em, port) : 0;
}

ha_expr bg_emitter_effort(const bg_emitter *em, int port)
{
    return has_port(em, port) ? bg__effort(em, port) : HA_EXPR_NONE;
}

ha_expr bg_emitter_flow(const bg_emitter *em, int port)
{
    return has_port(em, port) ? bg__flow(em, port) : HA_EXPR_NONE;
}

static ha_status refuse(const bg_emitter *em, const char *what, int port, const char *why)
{
    return ha_fail(em->system->ctx, HA_ERR_ARGUMENT, bg__where(em),
                   "the law of `%s` says the %s at port %d%s; correct the registered type",
                   bg__name(em), what, port + 1, why);
}

/* An expression that a law hands over must be one. */
static ha_status check_value(const bg_emitter *em, const char *what, ha_expr value)
{
    HA_TRY(ha_dag_status(em->dag));
    return value > 0 && value < ha_dag_size(em->dag)
               ? HA_OK
               : ha_fail(em->system->ctx, HA_ERR_ARGUMENT, bg__where(em),
                         "the law of `%s` gives no expression as its %s; correct the registered "
                         "type",
                         bg__name(em), what);
}

static ha_status check_output(bg_emitter *em, int port, int ein, ha_expr value)
{
    const char *what = ein == 1 ? "flow" : "effort";

    if (!has_port(em, port)) {
        return refuse(em, what, port, ", which it does not have");
    }
    if (bg__effort_arrives(em, port) != ein) {
        return refuse(em, what, port, ", where that arrives");
    }
    if ((em->given >> port & 1u) != 0) {
        return refuse(em, what, port, " twice");
    }
    HA_TRY(check_value(em, what, value));
    em->given |= 1u << port;
    return HA_OK;
}

ha_status bg_emitter_set_effort(bg_emitter *em, int port, ha_expr value)
{
    HA_TRY(check_output(em, port, 0, value));
    return bg__set_effort(em, port, value);
}

ha_status bg_emitter_set_flow(bg_emitter *em, int port, ha_expr value)
{
    HA_TRY(check_output(em, port, 1, value));
    return bg__set_flow(em, port, value);
}

/* --- states ---------------------------------------------------------------------------------- */

static ha_status check_suffix(const bg_emitter *em, const char *suffix)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    size_t before = strlen(bg__name(em)) + 1;

    if (suffix == NULL || suffix[0] == '\0' || strspn(suffix, allowed) != strlen(suffix)) {
        return ha_fail(em->system->ctx, HA_ERR_NAME, bg__where(em),
                       "the law of `%s` adds a state that is named `%s`; give it letters, digits "
                       "and `_`",
                       bg__name(em), suffix == NULL ? "" : suffix);
    }
    for (size_t i = 0; i < em->system->unknowns.count; i++) {
        const bg__unknown *other = &em->system->unknowns.items[i];
        if (other->element == em->element && strcmp(other->name + before, suffix) == 0) {
            return ha_fail(em->system->ctx, HA_ERR_NAME, bg__where(em),
                           "the law of `%s` adds two states that are named `%s`; rename one",
                           bg__name(em), suffix);
        }
    }
    return HA_OK;
}

ha_status bg_emitter_add_state(bg_emitter *em, const char *suffix, ha_expr start, ha_expr *out)
{
    ha_expr y = HA_EXPR_NONE, yp = HA_EXPR_NONE;

    HA_TRY(check_suffix(em, suffix));
    HA_TRY(start == HA_EXPR_NONE ? HA_OK : check_value(em, "start", start));
    HA_TRY(bg__add_unknown(em, BG__STATE, suffix, start, &y, &yp));
    *out = y;
    return HA_OK;
}

/* The derivative of a state of the element, HA_EXPR_NONE: it has no such state. */
static ha_expr derivative_of(const bg_emitter *em, ha_expr state)
{
    for (size_t i = 0; i < em->system->unknowns.count; i++) {
        const bg__unknown *unknown = &em->system->unknowns.items[i];
        if (unknown->element == em->element && unknown->y == state) {
            return unknown->yp;
        }
    }
    return HA_EXPR_NONE;
}

/* True when there is an equation for this derivative already. */
static bool is_rated(const bg_emitter *em, ha_expr yp)
{
    for (size_t i = 0; i < em->system->rows.count; i++) {
        const bg__row *row = &em->system->rows.items[i];
        if (row->element == em->element &&
            !ha_expr_is(em->dag, ha_partial(em->dag, row->value, yp), 0.0)) {
            return true;
        }
    }
    return false;
}

ha_status bg_emitter_set_rate(bg_emitter *em, ha_expr state, ha_expr rate)
{
    ha_expr yp = derivative_of(em, state);

    HA_TRY(check_value(em, "rate of a state", rate));
    if (yp == HA_EXPR_NONE) {
        return ha_fail(em->system->ctx, HA_ERR_ARGUMENT, bg__where(em),
                       "the law of `%s` says the rate of something that is none of its states; "
                       "correct the registered type",
                       bg__name(em));
    }
    if (is_rated(em, yp)) {
        return ha_fail(em->system->ctx, HA_ERR_ARGUMENT, bg__where(em),
                       "the law of `%s` says the rate of one of its states twice; correct the "
                       "registered type",
                       bg__name(em));
    }
    em->n_rates++;
    return bg__add_row(em, BG__ROW_STATE, ha_sub(em->dag, yp, rate), HA_EXPR_NONE);
}

ha_status bg_emitter_rate_of(bg_emitter *em, ha_expr value, ha_expr *out)
{
    HA_TRY(check_value(em, "argument of a rate", value));
    return bg__rate_of(em, value, out);
}

/* --- contents -------------------------------------------------------------------------------- */

ha_status bg_emitter_set_content(bg_emitter *em, bg_signal signal, ha_expr value)
{
    const bg__type *type = em->system->graph->elements.items[em->element].type;
    bool is_content = signal == BG_SIGNAL_P || signal == BG_SIGNAL_Q;

    if (!is_content || (type->signals >> signal & 1u) == 0 || bg__content(em) != HA_EXPR_NONE) {
        return ha_fail(
            em->system->ctx, HA_ERR_ARGUMENT, bg__where(em),
            "the law of `%s` says a momentum or displacement that the type `%s` does not "
            "have, or says it twice; correct the registered type",
            bg__name(em), type->name);
    }
    HA_TRY(check_value(em, "content", value));
    return bg__define_signal(em, signal, value);
}

ha_expr bg_emitter_content(const bg_emitter *em)
{
    return bg__content(em);
}
