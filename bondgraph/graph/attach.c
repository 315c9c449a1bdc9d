/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bonds between ends that are given by name: NAME is an element, INSTANCE.PORT the port of an
 * instance, and where a port is declared NAME.1 a port of an element. Names of elements may have
 * dots; an element of the whole name comes first.
 */
#include <config.h>

#include "bondgraph/submodel.h"

#include "bondgraph/graph/bonds_priv.h"
#include "bondgraph/graph/submodel_priv.h"
#include "lib/core/need.h"
#include "lib/core/strbuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_USER = 512 }; /* bytes of the beginning of a message */

/* --- names that must be there --------------------------------------------------------------- */

/* "`a`, `b`, `c`", at most the first few. */
static void add_list(ha__strbuf *out, const char *const *names, size_t n)
{
    enum { MOST = 12 };

    for (size_t i = 0; i < n && i < MOST; i++) {
        ha__strbuf_addf(out, "%s`%s`", i > 0 ? ", " : "", names[i]);
    }
    ha__strbuf_add(out, n > MOST ? ", ..." : n == 0 ? "none" : "");
}

ha_status bg__fail_part(ha_ctx *ctx, const bg__missing_part *missing, const char *const *names,
                        size_t n, ha_where where)
{
    const char *nearest = ha__nearest(missing->name, names, n);
    ha__strbuf list = HA_STRBUF(ctx);

    if (nearest == NULL) {
        add_list(&list, names, n);
    }
    return HA_FAIL_WITH(
        list, ctx, HA_ERR_NAME, where, "%s, but the submodel `%s` has no %s `%s`; %s%s%s",
        missing->user, missing->submodel, missing->what, missing->name,
        nearest != NULL ? "did you mean `" : "it has ",
        nearest != NULL ? nearest : ha__strbuf_text(&list), nearest != NULL ? "`?" : "");
}

/* --- finding an end ------------------------------------------------------------------------- */

/* The element that a name is nearest to, or the instance; NULL when none is near. */
static const char *nearest_of(const bg_graph *graph, const char *name)
{
    const char *element = ha__symtab_nearest(&graph->names, name);

    return element != NULL ? element : ha__symtab_nearest(&graph->instance_names, name);
}

static ha_status fail_end(const bg_graph *graph, const char *name, const char *user, ha_where where)
{
    const char *nearest = nearest_of(graph, name);

    return ha_fail(graph->ctx, HA_ERR_NAME, where, "%s leads to `%s`, which is no element%s%s%s",
                   user, name,
                   nearest != NULL ? "; did you mean `" : "; add it, or correct the name",
                   nearest != NULL ? nearest : "", nearest != NULL ? "`?" : "");
}

static ha_status fail_port(const bg_graph *graph, const bg__instance *of, const char *name,
                           const char *user, ha_where where)
{
    const char **names = ha__alloc(graph->ctx, (size_t) of->n_ports, sizeof *names);
    char begin[MAX_USER];

    HA_TRY_MEMORY(names);
    for (int i = 0; i < of->n_ports; i++) {
        names[i] = graph->ports.items[of->first_port + i].name;
    }
    snprintf(begin, sizeof begin, "%s leads to `%s.%s`", user, of->name, name);
    const bg__missing_part missing = { begin, of->submodel, "port", name };
    return ha__then_free(bg__fail_part(graph->ctx, &missing, names, (size_t) of->n_ports, where),
                         names);
}

/* The port of an instance. */
static ha_status find_port(const bg_graph *graph, const bg__instance *of, const char *name,
                           const char *user, ha_where where, bg__end *out)
{
    for (int i = of->first_port; i < of->first_port + of->n_ports; i++) {
        const bg__port *port = &graph->ports.items[i];
        if (strcmp(port->name, name) == 0) {
            *out = (bg__end){ port->element, port->port, i };
            return HA_OK;
        }
    }
    return fail_port(graph, of, name, user, where);
}

/* The port of an element that is given by its number, from 1. */
static ha_status find_numbered(const bg_graph *graph, int element, const char *number,
                               const char *user, ha_where where, bg__end *out)
{
    const bg__element *e = &graph->elements.items[element];
    char *end = NULL;
    long port = strtol(number, &end, 10);

    if (bg__is_junction(e)) {
        return ha_fail(
            graph->ctx, HA_ERR_NAME, where,
            "%s leads to port `%s` of the %s `%s`, whose bonds have no numbers; write `%s`", user,
            number, e->type->title, e->name, e->name);
    }
    if (number[0] < '1' || number[0] > '9' || *end != '\0' || port > bg__most_ports(e)) {
        return ha_fail(graph->ctx, HA_ERR_NAME, where,
                       "%s leads to port `%s` of the %s `%s`, which has %d port%s, numbered from 1",
                       user, number, e->type->title, e->name, bg__most_ports(e),
                       bg__most_ports(e) == 1 ? "" : "s");
    }
    *out = (bg__end){ element, (int) port - 1, -1 };
    return HA_OK;
}

/* An instance itself, or what is inside of one, cannot be bonded. */
static ha_status refuse_inside(const bg_graph *graph, const char *name, const char *user,
                               bool is_instance, ha_where where)
{
    return ha_fail(
        graph->ctx, HA_ERR_NAME, where,
        is_instance ? "%s leads to the instance `%s` as a whole; write `INSTANCE.PORT` with one of "
                      "its ports"
                    : "%s leads to `%s`, which is inside of an instance; make it a port of the "
                      "submodel and bond that",
        user, name);
}

ha_status bg__find_end(bg_graph *graph, const char *name, const char *user, ha_where where,
                       bg__end *out)
{
    int element = bg_graph_find(graph, name), instance = -1, numbered = -1;
    const char *dot = strrchr(name, '.');
    size_t length = dot == NULL ? 0 : (size_t) (dot - name);

    if (element >= 0 && !graph->elements.items[element].is_inside) {
        *out = (bg__end){ element, -1, -1 };
        return HA_OK;
    }
    if (ha__symtab_find(&graph->instance_names, name, strlen(name)) >= 0) {
        return refuse_inside(graph, name, user, true, where);
    }
    if (dot != NULL) {
        instance = ha__symtab_find(&graph->instance_names, name, length);
        numbered = ha__symtab_find(&graph->names, name, length);
        numbered = numbered >= 0 && graph->elements.items[numbered].is_inside ? -1 : numbered;
    }
    /* a port may be called as what is inside */
    if (instance >= 0 && !graph->instances.items[instance].is_inside) {
        return find_port(graph, &graph->instances.items[instance], dot + 1, user, where, out);
    }
    if (element >= 0 || instance >= 0) {
        return refuse_inside(graph, name, user, false, where);
    }
    return numbered >= 0 ? find_numbered(graph, numbered, dot + 1, user, where, out)
                         : fail_end(graph, name, user, where);
}

/* --- bonds ---------------------------------------------------------------------------------- */

/* A port at an element takes one bond. */
static ha_status check_free(const bg_graph *graph, const bg__end *end, ha_where where)
{
    if (end->instance_port < 0) {
        return HA_OK;
    }

    const bg__port *port = &graph->ports.items[end->instance_port];
    const bg__instance *of = &graph->instances.items[port->instance];
    if (port->n_bonds == 0 || bg__is_junction(&graph->elements.items[port->element])) {
        return HA_OK;
    }
    return ha_fail(graph->ctx, HA_ERR_VALUE, where,
                   "port `%s` of `%s` is bonded a second time; it is at the %s `%s` and takes one "
                   "bond, put a junction in front of it",
                   port->name, of->name, graph->elements.items[port->element].type->title,
                   graph->elements.items[port->element].name);
}

static int end_dim(const bg_graph *graph, const bg__end *end)
{
    const bg__element *e = &graph->elements.items[end->element];

    return bg__port_dim(e, end->port < 0 ? e->n_ports : end->port);
}

static ha_status check_dims(const bg_graph *graph, const bg__end ends[2], const char *user,
                            ha_where where)
{
    int tail = end_dim(graph, &ends[0]), head = end_dim(graph, &ends[1]);

    return tail == head ? HA_OK
                        : ha_fail(graph->ctx, HA_ERR_VALUE, where,
                                  "%s has %d component%s at its tail and %d at its head; give both "
                                  "the same dimension",
                                  user, tail, tail == 1 ? "" : "s", head);
}

/* Notes that the bond made last is at ports of instances. */
static void attach(bg_graph *graph, const bg__end ends[2])
{
    for (int end = 0; end < 2; end++) {
        int port = ends[end].instance_port;
        if (port >= 0) {
            graph->ports.items[port].n_bonds++;
            graph->attachments.items[graph->attachments.count++] =
                (bg__attachment){ (int) graph->bonds.count - 1, end, port };
        }
    }
}

/* Notes the elements of which a port is named, outside of instances. */
static void number_ports(bg_graph *graph, const bg__end ends[2])
{
    for (int end = 0; end < 2; end++) {
        if (ends[end].port >= 0 && ends[end].instance_port < 0) {
            graph->elements.items[ends[end].element].is_numbered = true;
        }
    }
}

ha_status bg_graph_add_named_bond(bg_graph *graph, const char *tail, const char *head,
                                  ha_where where, bg_bond *out)
{
    HA_NEED_OF(graph, tail != NULL && head != NULL);
    char user[MAX_USER];
    bg__end ends[2];

    snprintf(user, sizeof user, "the bond `%s > %s`", tail, head);
    HA_TRY(bg__find_end(graph, tail, user, where, &ends[0]));
    HA_TRY(bg__find_end(graph, head, user, where, &ends[1]));
    HA_TRY(check_free(graph, &ends[0], where));
    HA_TRY(check_free(graph, &ends[1], where));
    HA_TRY(check_dims(graph, ends, user, where));
    HA_TRY_ROOM(graph->ctx, &graph->attachments, 2);

    const bg_bond_def def = { .tail = ends[0].element,
                              .head = ends[1].element,
                              .dim = end_dim(graph, &ends[0]),
                              .where = where };
    number_ports(graph, ends);
    HA_TRY(bg__add_bond_at(graph, &def, (const int[2]){ ends[0].port, ends[1].port }, out));
    attach(graph, ends);
    return HA_OK;
}

ha_status bg__check_ports(const bg_graph *graph)
{
    ha_status status = HA_OK;

    for (size_t i = 0; i < graph->ports.count; i++) {
        const bg__port *port = &graph->ports.items[i];
        const bg__instance *of = &graph->instances.items[port->instance];
        if (port->n_bonds == 0 && !port->is_passed_on) {
            status =
                ha_fail(graph->ctx, HA_ERR_VALUE, of->where,
                        "port `%s` of `%s` has no bond; bond it, where nothing acts on it to a "
                        "source of the effort or the flow 0",
                        port->name, of->name);
        }
    }
    return status;
}
