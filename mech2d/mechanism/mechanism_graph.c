/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding elements of any domain, instances of submodels and their bonds to a mechanism. */
#include <config.h>

#include "bondgraph/graph/element.h"
#include "lib/core/need.h"
#include "lib/core/strbuf.h"
#include "mech2d/mechanism/mechanism_priv.h"

#include <stdlib.h>
#include <string.h>

enum { ELEMENT_COOKIE = 0x6d326465 };

m2d_element_def m2d_element_def_default(void)
{
    return (m2d_element_def){ .cookie = ELEMENT_COOKIE };
}

/* The start value of an element, which its type must have. */
static ha_status take_start(m2d_mechanism *mechanism, const m2d_element_def *def,
                            const bg__type *type, ha_expr *out)
{
    const struct {
        const char *key;
        ha_expr value;
        bg_signal signal;
    } starts[2] = { { "p", def->p, BG_SIGNAL_P }, { "q", def->q, BG_SIGNAL_Q } };
    double number = 0.0;

    *out = HA_EXPR_NONE;
    for (size_t i = 0; i < HA_COUNT(starts); i++) {
        const m2d__owner owner = { "element", def->name, starts[i].key, def->where };
        if (starts[i].value == HA_EXPR_NONE) {
            continue;
        }
        if ((type->signals >> starts[i].signal & 1u) == 0) {
            return ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where,
                           "element `%s` has the start value `%s`, but %s %s has none; remove it",
                           def->name, starts[i].key, m2d__article(type->title), type->title);
        }
        HA_TRY(m2d__constant(mechanism->ctx, mechanism->dag, starts[i].value, owner, &number));
        *out = starts[i].value;
    }
    return ha_dag_status(mechanism->dag);
}

static ha_status copy_exprs(m2d_mechanism *mechanism, const ha_expr *from, int n,
                            const ha_expr **to)
{
    ha_expr *copy = NULL;

    if (from != NULL) {
        HA_TRY_GET(copy,
                   ha__arena_alloc(mechanism->ctx, &mechanism->arena, (size_t) n, sizeof *copy));
        memcpy(copy, from, (size_t) n * sizeof *copy);
    }
    *to = copy;
    return HA_OK;
}

/* Keeps a law; that its type takes it is checked when the graph is made. */
static ha_status take_law(m2d_mechanism *mechanism, const m2d_element_def *def,
                          m2d__element_part *part)
{
    int n = def->n_ports > 0 ? def->n_ports : 1;
    bg_law *law = NULL;

    if (def->law == NULL) {
        return HA_OK;
    }
    HA_TRY_GET(law, ha__arena_alloc(mechanism->ctx, &mechanism->arena, 1, sizeof *law));
    *law = *def->law;
    HA_TRY(copy_exprs(mechanism, law->e, n, &law->e));
    HA_TRY(copy_exprs(mechanism, law->f, n, &law->f));
    HA_TRY(copy_exprs(mechanism, law->p, n, &law->p));
    HA_TRY(copy_exprs(mechanism, law->q, n, &law->q));
    part->law = law;
    return HA_OK;
}

/* Keeps what a field has by ports. */
static ha_status take_field(m2d_mechanism *mechanism, const m2d_element_def *def,
                            m2d__element_part *part)
{
    int n = def->n_ports;

    if (n < 0 || n > BG__MAX_FIELD_PORTS) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where,
                       "element `%s` has %d ports; give 1 to %d", def->name, n,
                       BG__MAX_FIELD_PORTS);
    }
    if (n == 0 && (def->matrix != NULL || def->starts != NULL)) {
        return ha_fail(mechanism->ctx, HA_ERR_ARGUMENT, def->where,
                       "element `%s` has values by ports and no number of ports; give that too",
                       def->name);
    }
    part->n_ports = n;
    HA_TRY(copy_exprs(mechanism, def->starts, n, &part->starts));
    return copy_exprs(mechanism, def->matrix, n * n, &part->matrix);
}

/* Adds an element under its full name. */
static ha_status add_element(m2d_mechanism *mechanism, const m2d_element_def *def)
{
    m2d__element_part part = { .value = def->value, .unit = def->unit, .domain = def->domain };
    const bg__type *type = NULL;
    int number = 0;

    HA_TRY(m2d__check_new_name(mechanism, "element", def->name, true, def->where));
    type = def->type == NULL ? NULL : bg__type_find(mechanism->ctx, def->type, strlen(def->type));
    if (type == NULL) {
        char list[BG__TYPE_LIST_SIZE];
        return ha_fail(
            mechanism->ctx, HA_ERR_NAME, def->where, "element `%s` has the unknown type `%s`; %s",
            def->name, def->type == NULL ? "" : def->type,
            bg__type_remedy(mechanism->ctx, def->type == NULL ? "" : def->type, list, sizeof list));
    }
    HA_TRY(take_start(mechanism, def, type, &part.start));
    HA_TRY(take_law(mechanism, def, &part));
    HA_TRY(take_field(mechanism, def, &part));
    if (def->unit.name != NULL) {
        HA_TRY_GET(part.unit.name, ha__arena_text(mechanism->ctx, &mechanism->arena, def->unit.name,
                                                  strlen(def->unit.name)));
    }
    part.type = type->name;
    part.where = m2d__keep_where(mechanism->ctx, &mechanism->arena, &mechanism->file, def->where);
    HA_TRY_ROOM(mechanism->ctx, &mechanism->elements, 1);
    HA_TRY(ha__symtab_add(mechanism->ctx, &mechanism->element_names, def->name, strlen(def->name),
                          &number, NULL));
    part.name = ha__symtab_name(&mechanism->element_names, number);
    mechanism->elements.items[mechanism->elements.count++] = part;
    return HA_OK;
}

ha_status m2d_mechanism_add_element(m2d_mechanism *mechanism, const m2d_element_def *def)
{
    HA_NEED_OF(mechanism, def != NULL);
    m2d_element_def named = *def;

    if (def->cookie != ELEMENT_COOKIE) {
        return ha_fail(mechanism->ctx, HA_ERR_ARGUMENT, def->where,
                       "the definition of an element does not come from "
                       "m2d_element_def_default(); start from that");
    }
    HA_TRY_GET(named.name, m2d__inside(mechanism, def->name == NULL ? "" : def->name));
    return add_element(mechanism, &named);
}

ha_status m2d_mechanism_add_signal(m2d_mechanism *mechanism, const bg_block_def *def)
{
    HA_NEED_OF(mechanism, def != NULL);
    bg_block_def copy = *def;
    int number = 0;

    if (def->cookie != bg_block_def_default().cookie) {
        return ha_fail(
            mechanism->ctx, HA_ERR_ARGUMENT, def->where,
            "the definition of a signal does not come from bg_block_def_default(); start "
            "from that");
    }
    HA_TRY_GET(copy.name, m2d__inside(mechanism, def->name == NULL ? "" : def->name));
    HA_TRY(m2d__check_new_name(mechanism, "signal", copy.name, false, def->where));
    HA_TRY(m2d__check_symbol(mechanism->ctx, "signal", m2d__short_name(mechanism, copy.name),
                             def->where));
    if (ha__symtab_find(&mechanism->parameter_names, copy.name, strlen(copy.name)) >= 0) {
        return ha_fail(mechanism->ctx, HA_ERR_NAME, def->where,
                       "`%s` is a parameter and a signal; rename one", copy.name);
    }
    if (def->group != NULL) {
        HA_TRY_GET(copy.group, ha__arena_text(mechanism->ctx, &mechanism->arena, def->group,
                                              strlen(def->group)));
    }
    copy.where = m2d__keep_where(mechanism->ctx, &mechanism->arena, &mechanism->file, def->where);
    HA_TRY_ROOM(mechanism->ctx, &mechanism->signals, 1);
    HA_TRY(ha__symtab_add(mechanism->ctx, &mechanism->signal_names, copy.name, strlen(copy.name),
                          &number, NULL));
    copy.name = ha__symtab_name(&mechanism->signal_names, number);
    mechanism->signals.items[mechanism->signals.count++] = copy;
    return HA_OK;
}

/* --- instances of submodels ----------------------------------------------------------------- */

/* A copy of the values of an instance's parameters. */
static ha_status copy_parameters(m2d_mechanism *mechanism, const bg_instance_def *def,
                                 const bg_parameter_value **out)
{
    bg_parameter_value *copy = ha__arena_alloc(mechanism->ctx, &mechanism->arena,
                                               (size_t) def->n_parameters, sizeof *copy);

    for (int i = 0; i < def->n_parameters && copy != NULL; i++) {
        const char *name = def->parameters[i].name;
        copy[i] = def->parameters[i];
        copy[i].where = m2d__keep_where(mechanism->ctx, &mechanism->arena, &mechanism->file,
                                        def->parameters[i].where);
        HA_TRY_GET(copy[i].name,
                   ha__arena_text(mechanism->ctx, &mechanism->arena, name, strlen(name)));
    }
    *out = copy;
    return copy == NULL ? HA_ERR_MEMORY : HA_OK;
}

/* The parameters must be the submodel's, their values constant. All errors are reported. */
static ha_status check_parameters(m2d_mechanism *mechanism, const bg_instance_def *def)
{
    ha_status first = HA_OK;

    for (int i = 0; i < def->n_parameters; i++) {
        const bg_parameter_value *parameter = &def->parameters[i];
        const m2d__owner owner = { "instance", def->name, parameter->name, parameter->where };
        const char *user =
            ha__arena_format(mechanism->ctx, &mechanism->arena, "the instance `%s` gives `%s`",
                             def->name, parameter->name);
        double number = 0.0;
        HA_TRY_MEMORY(user);
        ha_status status =
            bg_submodel_check_parameter(def->submodel, parameter->name, user, parameter->where);
        HA_THEN(status,
                m2d__constant(mechanism->ctx, mechanism->dag, parameter->value, owner, &number));
        first = first == HA_OK ? status : first;
    }
    return first;
}

/* Adds an instance under its full name. */
static ha_status add_instance(m2d_mechanism *mechanism, const bg_instance_def *def)
{
    m2d__element_part part = { 0 };
    bg_instance_def *instance = NULL;
    int number = 0;

    HA_TRY(m2d__check_new_name(mechanism, "instance", def->name, true, def->where));
    HA_TRY(check_parameters(mechanism, def));
    HA_TRY_GET(instance, ha__arena_alloc(mechanism->ctx, &mechanism->arena, 1, sizeof *instance));
    *instance = *def;
    HA_TRY(copy_parameters(mechanism, def, &instance->parameters));
    instance->where =
        m2d__keep_where(mechanism->ctx, &mechanism->arena, &mechanism->file, def->where);
    HA_TRY_ROOM(mechanism->ctx, &mechanism->elements, 1);
    HA_TRY(ha__symtab_add(mechanism->ctx, &mechanism->element_names, def->name, strlen(def->name),
                          &number, NULL));
    part.name = instance->name = ha__symtab_name(&mechanism->element_names, number);
    part.type = bg_submodel_name(def->submodel);
    part.where = instance->where;
    part.instance = instance;
    mechanism->elements.items[mechanism->elements.count++] = part;
    return HA_OK;
}

ha_status m2d_mechanism_add_instance(m2d_mechanism *mechanism, const bg_instance_def *def)
{
    HA_NEED_OF(mechanism, def != NULL);
    bg_instance_def named = *def;

    if (def->cookie != bg_instance_def_default().cookie || def->submodel == NULL) {
        return ha_fail(mechanism->ctx, HA_ERR_ARGUMENT, def->where,
                       "the definition of an instance has no submodel, or does not come from "
                       "bg_instance_def_default(); start from that and give one");
    }
    HA_TRY_GET(named.name, m2d__inside(mechanism, def->name == NULL ? "" : def->name));
    return add_instance(mechanism, &named);
}

/* --- bonds ---------------------------------------------------------------------------------- */

/* The instance that a name like "M1.shaft" begins with, NULL: none. */
static const bg_instance_def *instance_of(m2d_mechanism *mechanism, const char *name, int *number)
{
    const char *dot = strrchr(name, '.');

    *number =
        dot == NULL ? -1 : ha__symtab_find(&mechanism->element_names, name, (size_t) (dot - name));
    return *number < 0 ? NULL : mechanism->elements.items[*number].instance;
}

/* An end that is the name of a joint: how its free directions are written. */
static ha_status fail_joint(m2d_mechanism *mechanism, int joint, m2d__owner user)
{
    const m2d__connection *found = &mechanism->joints.items[joint];
    ha__strbuf list = HA_STRBUF(mechanism->ctx);

    for (int i = 0; i < found->joint->n_directions && found->joint->n_directions > 1; i++) {
        ha__strbuf_addf(&list, "%s`%s.%s`", i > 0 ? " or " : "", found->name,
                        found->joint->directions[i].name);
    }
    if (found->joint->n_directions == 1) {
        ha__strbuf_addf(&list, "`%s.axis`", found->name);
    }
    return HA_FAIL_WITH(list, mechanism->ctx, HA_ERR_NAME, user.where,
                        "%s `%s` ends at `%s`, which is a joint; %s%s", user.kind, user.name,
                        found->name,
                        list.length > 0 ? "write " : "it leaves no direction free to bond to",
                        ha__strbuf_text(&list));
}

/* An end without a dot that is no element. */
static ha_status fail_end(m2d_mechanism *mechanism, const char *name, m2d__owner user)
{
    const char *nearest = ha__symtab_nearest(&mechanism->element_names, name);
    int joint = ha__symtab_find(&mechanism->joint_names, name, strlen(name));

    if (m2d__is_faulty(mechanism, name)) {
        return HA_ERR_NAME;
    }
    if (joint >= 0) {
        return fail_joint(mechanism, joint, user);
    }
    if (ha__symtab_find(&mechanism->body_names, name, strlen(name)) >= 0) {
        return ha_fail(mechanism->ctx, HA_ERR_NAME, user.where,
                       "%s `%s` ends at `%s`, which is a body; bond to a joint of it, as in "
                       "`JOINT.axis`",
                       user.kind, user.name, name);
    }
    return ha_fail(mechanism->ctx, HA_ERR_NAME, user.where,
                   "%s `%s` ends at `%s`, which is no element of the bond graph; %s%s%s", user.kind,
                   user.name, name,
                   nearest != NULL ? "did you mean `"
                                   : "add it to the elements, or write JOINT.axis for a joint",
                   nearest != NULL ? nearest : "", nearest != NULL ? "`?" : "");
}

/* The port of an element that is given by its number, from 1; that the element has it is checked
   when the graph is made. */
static ha_status find_numbered(m2d_mechanism *mechanism, const char *name, m2d__owner user,
                               int *port)
{
    const char *number = strrchr(name, '.') + 1;
    char *end = NULL;
    long found = strtol(number, &end, 10);

    if (number[0] < '1' || number[0] > '9' || *end != '\0' || found > BG__MAX_FIELD_PORTS) {
        return ha_fail(mechanism->ctx, HA_ERR_NAME, user.where,
                       "%s `%s` ends at `%s`, and ports of elements go by their numbers; write "
                       "`%.*s.1`",
                       user.kind, user.name, name, (int) (number - 1 - name), name);
    }
    *port = (int) found - 1;
    return HA_OK;
}

ha_status m2d__find_end(m2d_mechanism *mechanism, const char *name, m2d__owner user,
                        m2d__bond_end *out)
{
    const bg_instance_def *instance = instance_of(mechanism, name, &out->element);

    if (instance != NULL) {
        const char *text = ha__arena_format(mechanism->ctx, &mechanism->arena,
                                            "%s `%s` ends at `%s`", user.kind, user.name, name);
        return text == NULL ? HA_ERR_MEMORY
                            : bg_submodel_find_port(instance->submodel, strrchr(name, '.') + 1,
                                                    text, user.where, &out->port);
    }
    if (out->element >= 0) {
        return find_numbered(mechanism, name, user, &out->port);
    }
    out->port = -1;
    out->element = ha__symtab_find(&mechanism->element_names, name, strlen(name));
    if (out->element >= 0 && mechanism->elements.items[out->element].instance != NULL) {
        const bg_submodel *of = mechanism->elements.items[out->element].instance->submodel;
        return ha_fail(mechanism->ctx, HA_ERR_NAME, user.where,
                       "%s `%s` ends at the instance `%s` as a whole; name a port of the submodel "
                       "`%s`%s%s%s",
                       user.kind, user.name, name, bg_submodel_name(of),
                       bg_submodel_n_ports(of) > 0 ? ", as in `INSTANCE." : "",
                       bg_submodel_n_ports(of) > 0 ? bg_submodel_port_name(of, 0) : "",
                       bg_submodel_n_ports(of) > 0 ? "`" : "");
    }
    if (out->element >= 0) {
        return HA_OK;
    }
    return strchr(m2d__short_name(mechanism, name), '.') != NULL
               ? m2d__find_direction(mechanism, name, user, &out->joint, &out->direction)
               : fail_end(mechanism, name, user);
}

static void make_port(m2d_mechanism *mechanism, const m2d__bond_end *end)
{
    if (end->element < 0) {
        mechanism->joints.items[end->joint].is_port[end->direction] = true;
    }
}

ha_status m2d_mechanism_add_bond(m2d_mechanism *mechanism, const char *tail, const char *head,
                                 ha_where where)
{
    HA_NEED_OF(mechanism, tail != NULL && head != NULL);
    const char *const names[2] = { tail == NULL ? "" : tail, head == NULL ? "" : head };
    m2d__bond_part bond = { .where = where };
    const char *text =
        ha__arena_format(mechanism->ctx, &mechanism->arena, "%s > %s", names[0], names[1]);

    HA_TRY_MEMORY(text);
    for (int end = 0; end < 2; end++) {
        const char *full = m2d__resolve(mechanism, names[end]);
        HA_TRY_MEMORY(full);
        HA_TRY(m2d__find_end(mechanism, full, (m2d__owner){ "bond", text, NULL, where },
                             &bond.ends[end]));
    }
    bond.where = m2d__keep_where(mechanism->ctx, &mechanism->arena, &mechanism->file, where);
    HA_TRY_PUSH(mechanism->ctx, &mechanism->bonds, bond);
    make_port(mechanism, &bond.ends[0]);
    make_port(mechanism, &bond.ends[1]);
    return HA_OK;
}

ha_status m2d_mechanism_add_port(m2d_mechanism *mechanism, const char *direction, ha_where where)
{
    HA_NEED_OF(mechanism, direction != NULL);
    m2d__bond_end end = { .element = -1 };
    const m2d__owner user = { "the port", direction == NULL ? "" : direction, NULL, where };

    const char *full = m2d__resolve(mechanism, direction);
    HA_TRY_MEMORY(full);
    HA_TRY(m2d__find_direction(mechanism, full, user, &end.joint, &end.direction));
    make_port(mechanism, &end);
    return HA_OK;
}

ha_status m2d_keep_parameters(const m2d_mechanism *mechanism, bg_graph *graph)
{
    HA_NEED_OF(mechanism, graph != NULL);
    for (int i = 0; i < (int) mechanism->parameters.count; i++) {
        HA_TRY(bg_graph_name_parameter(graph, m2d_parameter_name(mechanism, i),
                                       mechanism->parameters.items[i]));
    }
    return HA_OK;
}
