/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Submodels: the body, the ports, and which port of an inner element is whose.
 *
 * Of an element with several ports, some can be ports of the submodel. Those that are given by
 * number, `T.1`, have it; bonds in the body take the numbers that are left in order of appearance;
 * a port that is given without number has the one that is left in the end.
 */
#include <config.h>

#include "bondgraph/submodel.h"

#include "bondgraph/graph/bonds_priv.h"
#include "bondgraph/graph/submodel_priv.h"
#include "lib/core/strbuf.h"

#include <string.h>

ha_where bg__keep_place(bg_graph *graph, ha_where where)
{
    if (where.file != NULL && (graph->file == NULL || strcmp(graph->file, where.file) != 0)) {
        graph->file = ha__arena_text(graph->ctx, &graph->arena, where.file, strlen(where.file));
    }
    where.file = where.file == NULL ? NULL : graph->file;
    return where;
}

/* The locations in the body must last as long as it does. */
static void keep_places(bg_graph *body)
{
    for (size_t i = 0; i < body->elements.count; i++) {
        body->elements.items[i].where = bg__keep_place(body, body->elements.items[i].where);
    }
}

bg_submodel *bg_submodel_new(bg_graph *body, const char *name)
{
    bg_submodel *submodel = ha__alloc(body->ctx, 1, sizeof *submodel);

    if (submodel == NULL) {
        return NULL;
    }
    submodel->ctx = body->ctx;
    submodel->name = ha__arena_text(body->ctx, &body->arena, name, strlen(name));
    if (submodel->name == NULL) {
        ha__free(submodel);
        return NULL;
    }
    submodel->body = body;
    keep_places(body);
    return submodel;
}

void bg_submodel_free(bg_submodel *submodel)
{
    if (submodel != NULL) {
        ha__symtab_clear(&submodel->port_names);
        HA_ARRAY_CLEAR(&submodel->ports);
        bg_graph_free(submodel->body);
        ha__free(submodel);
    }
}

const char *bg_submodel_name(const bg_submodel *submodel)
{
    return submodel->name;
}

bg_graph *bg_submodel_body(const bg_submodel *submodel)
{
    return submodel->body;
}

int bg_submodel_n_ports(const bg_submodel *submodel)
{
    return (int) submodel->ports.count;
}

const char *bg_submodel_port_name(const bg_submodel *submodel, int i)
{
    return ha__symtab_name(&submodel->port_names, i);
}

/* --- which port is whose -------------------------------------------------------------------- */

static bool has_numbered_ports(const bg__element *element)
{
    return bg__most_ports(element) > 1;
}

/* Whether a port of the submodel has this number of this element. */
static bool is_given(const bg_submodel *submodel, int element, int number)
{
    for (size_t i = 0; i < submodel->ports.count; i++) {
        const bg__submodel_port *port = &submodel->ports.items[i];
        if (port->element == element && port->port == number) {
            return true;
        }
    }
    return false;
}

int bg__inner_port(const bg_submodel *submodel, int element, int port)
{
    const bg__element *e = &submodel->body->elements.items[element];
    int number = 0;

    if (bg__is_junction(e)) {
        return -1;
    }
    if (e->is_inside || e->is_numbered) {
        return port; /* settled when that instance was made, or given */
    }
    for (int left = port; is_given(submodel, element, number) || left > 0; number++) {
        left -= !is_given(submodel, element, number);
    }
    return number;
}

/* The first port of an element that neither a bond inside nor a port of the submodel has. */
static int next_port(const bg_submodel *submodel, int element)
{
    const bg__element *e = &submodel->body->elements.items[element];
    int port = 0;

    if (!e->is_numbered) {
        return bg__inner_port(submodel, element, e->n_ports);
    }
    while (port < bg__most_ports(e) &&
           (bg__is_taken(submodel->body, element, port) || is_given(submodel, element, port))) {
        port++;
    }
    return port;
}

ha_status bg__outer_port(const bg_submodel *submodel, int i, int *out)
{
    const bg__submodel_port *port = &submodel->ports.items[i];
    const bg__element *e = &submodel->body->elements.items[port->element];
    int number =
        port->port >= 0 || bg__is_junction(e) ? port->port : next_port(submodel, port->element);
    int n_given = 0;

    for (int k = 0; k < bg__most_ports(e); k++) {
        n_given += is_given(submodel, port->element, k);
    }
    if (!bg__is_junction(e) && !e->is_inside &&
        (number >= bg__most_ports(e) || e->n_ports + n_given > bg__most_ports(e))) {
        return ha_fail(submodel->ctx, HA_ERR_VALUE, port->where,
                       "port `%s` of the submodel `%s` is at `%s`, which has %d port%s and none "
                       "left for it; put a junction in front of it and make that the port",
                       bg_submodel_port_name(submodel, i), submodel->name, e->name,
                       bg__most_ports(e), bg__most_ports(e) == 1 ? "" : "s");
    }
    *out = number;
    return HA_OK;
}

/* --- ports ---------------------------------------------------------------------------------- */

static ha_status check_port_name(const bg_submodel *submodel, const char *name, ha_where where)
{
    if (name == NULL || name[0] == '\0' || strchr(name, '.') != NULL) {
        return ha_fail(submodel->ctx, HA_ERR_NAME, where,
                       "`%s` cannot be the name of a port of the submodel `%s`; give it a name "
                       "without a dot",
                       name == NULL ? "" : name, submodel->name);
    }
    if (ha__symtab_find(&submodel->port_names, name, strlen(name)) >= 0) {
        return ha_fail(submodel->ctx, HA_ERR_NAME, where,
                       "the submodel `%s` has two ports `%s`; rename one", submodel->name, name);
    }
    return HA_OK;
}

/* Two ports of a submodel may share a junction, nothing else. */
static ha_status check_place(const bg_submodel *submodel, const char *name,
                             const bg__submodel_port *port)
{
    const bg__element *e = &submodel->body->elements.items[port->element];

    for (size_t i = 0; i < submodel->ports.count; i++) {
        const bg__submodel_port *other = &submodel->ports.items[i];
        if (other->element == port->element && other->port == port->port && !bg__is_junction(e)) {
            bool can_number = has_numbered_ports(e) && port->port < 0;
            return ha_fail(submodel->ctx, HA_ERR_VALUE, port->where,
                           "ports `%s` and `%s` of the submodel `%s` are both at the same port of "
                           "`%s`; %s",
                           bg_submodel_port_name(submodel, (int) i), name, submodel->name, e->name,
                           can_number ? "give their numbers, as in `T.1` and `T.2`"
                                      : "put a junction in front of it and make that the port");
        }
    }
    return HA_OK;
}

ha_status bg_submodel_add_port(bg_submodel *submodel, const char *name, const char *inner,
                               ha_where where)
{
    bg_graph *body = submodel->body;
    bg__submodel_port port = { .where = bg__keep_place(body, where) };
    ha__strbuf user = HA_STRBUF(submodel->ctx);
    bg__end end = { 0 };
    int number = 0;

    HA_TRY(check_port_name(submodel, name, where));
    ha__strbuf_addf(&user, "port `%s` of the submodel `%s`", name, submodel->name);
    ha_status status = user.status;
    HA_THEN(status, bg__find_end(body, inner, ha__strbuf_text(&user), where, &end));
    ha__strbuf_clear(&user);
    HA_TRY(status);
    port.element = end.element;
    port.port = end.port;
    HA_TRY(check_place(submodel, name, &port));
    HA_TRY_ROOM(submodel->ctx, &submodel->ports, 1);
    HA_TRY(ha__symtab_add(submodel->ctx, &submodel->port_names, name, strlen(name), &number, NULL));
    submodel->ports.items[submodel->ports.count++] = port;
    if (end.instance_port >= 0) {
        body->ports.items[end.instance_port].is_passed_on = true;
    }
    return HA_OK;
}

/* --- finding a part ------------------------------------------------------------------------- */

ha_status bg_submodel_find_port(const bg_submodel *submodel, const char *name, const char *user,
                                ha_where where, int *out)
{
    const ha__symtab *names = &submodel->port_names;
    int number = ha__symtab_find(names, name, strlen(name));

    if (number < 0) {
        const bg__missing_part missing = { user, submodel->name, "port", name };
        return bg__fail_part(submodel->ctx, &missing, names->names.items, names->names.count,
                             where);
    }
    if (out != NULL) {
        *out = number;
    }
    return HA_OK;
}

ha_status bg_submodel_check_parameter(const bg_submodel *submodel, const char *name,
                                      const char *user, ha_where where)
{
    const ha__symtab *names = &submodel->body->parameter_names;
    const bg__missing_part missing = { user, submodel->name, "parameter", name };

    return ha__symtab_find(names, name, strlen(name)) >= 0
               ? HA_OK
               : bg__fail_part(submodel->ctx, &missing, names->names.items, names->names.count,
                               where);
}
