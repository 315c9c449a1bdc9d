/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of BondGraphTools:
 *
 *   version: 0.1
 *   root: NAME
 *   models: {URI: {components: [...], netlist: [...], ports: [...]}}
 *   component   "NAME base/TYPE [VALUE] [PARAMETER=VALUE]" or, of a sub-model, "NAME URI"
 *   bond        "TAIL HEAD", each NAME or NAME.PORT, of a sub-model NAME.LABEL
 *   port        "NAME LABEL": component NAME, an SS, is the port LABEL of the sub-model
 *   starts, inputs: see bgt_values.c
 *
 * Signs. A port there counts its flow into its component. Over a bond e_tail = e_head and
 * f_tail = -f_head, so that the arrow of a bond decides nothing but the port that it gets at a
 * 1-junction when none is named: `inverting` at the tail, `non_inverting` at the head. A 1-junction
 * with the signs s_i has s_i f_i equal and sum s_i e_i = 0: s = +1 is our half arrow to the
 * junction, s = -1 away from it. Two 1-junctions bonded with the same sign on both sides have
 * opposite flows and get a 0-junction between them. R, C, I, Se and 0 count as ours do, and so does
 * Sf, f_0 = -f: it gives the flow f to the outside.
 *
 * Two-ports. TF has e_1 = r e_0, f_0 = -r f_1 and GY e_1 = -R f_0, e_0 = R f_1. Ours count the flow
 * of their second port outwards, e1 = n e2, f2 = n f1 and e1 = r f2, e2 = r f1. So their port 1 is
 * our port 1 and n = r, r = R. Our ports go by the order of bonds: where their port 0 comes first
 * it is our port 1, and n = 1 / r, r = -R.
 *
 * A port of a sub-model is a component SS inside, with e_0 = e, f_0 = -f for the outer e and f: the
 * bond outside and the bond inside are one.
 */
#include <config.h>

#include "bondgraph/bgt.h"

#include "bondgraph/text/bgt_priv.h"
#include "lib/core/mem.h"
#include "lib/core/need.h"
#include "lib/core/number.h"
#include "lib/core/symtab.h"
#include "lib/core/utf8.h"
#include "lib/data/yaml.h"
#include "lib/expr.h"

#include <math.h>
#include <string.h>

enum { MAX_PARTS = 1000000, MAX_MODELS = 10000, MAX_DEPTH = 64, MAX_WORDS = 8, MAX_PATH = 200 };

static const bg__bgt_kind kinds[] = {
    { .name = "0" },
    { .name = "1" },
    { .name = "R", .parameter = "r", .instead = 1000.0, .n_ports = 1 },
    { .name = "C", .parameter = "C", .instead = 1000.0, .n_ports = 1 },
    { .name = "I", .parameter = "L", .instead = 2000.0, .n_ports = 1 },
    { .name = "Se", .parameter = "e", .is_input = true, .n_ports = 1 },
    { .name = "Sf", .parameter = "f", .is_input = true, .n_ports = 1 },
    { .name = "TF", .parameter = "r", .instead = 1.0, .n_ports = 2 },
    { .name = "GY", .parameter = "R", .instead = 1.0, .n_ports = 2 },
    { .name = "SS", .is_port = true, .n_ports = 1 },
};

const bg__bgt_kind *bg__bgt_kind_find(const char *name, size_t length)
{
    for (size_t i = 0; i < HA_COUNT(kinds); i++) {
        if (strlen(kinds[i].name) == length && strncmp(kinds[i].name, name, length) == 0) {
            return &kinds[i];
        }
    }
    return NULL;
}

ha_status bg__bgt_go_on(bg__bgt_reader *r, ha_status status)
{
    if (status == HA_ERR_MEMORY || status == HA_ERR_LIMIT) {
        return status;
    }
    r->status = r->status == HA_OK ? status : r->status;
    return HA_OK;
}

/* --- words ------------------------------------------------------------------------------------ */

/* Splits the text of a scalar at blanks; *n is 0 after reporting that it has less than `least`, or
   too many. */
static ha_status read_words(bg__bgt_reader *r, const ha__yaml_node *node, const char *object,
                            size_t least, size_t most, bg__bgt_word words[MAX_WORDS], size_t *n)
{
    static const char blanks[] = " \t\r\n";
    ha_where where = ha__yaml_text_where(node);
    const char *text = NULL;
    size_t count = 0, at = 0;

    *n = 0;
    where.file = r->name;
    HA_TRY(ha__yaml_text(r->ctx, node, object, &text));
    for (at = strspn(text, blanks); text[at] != '\0'; at += strspn(text + at, blanks)) {
        size_t length = strcspn(text + at, blanks);
        if (count < most) {
            words[count] = (bg__bgt_word){ text + at, length, where };
            words[count].where.column += (int) at;
        }
        count++;
        at += length;
    }
    if (count < least || count > most) {
        return ha_fail(r->ctx, HA_ERR_SYNTAX, where, "%s is `%s` with %zu words; give %s", object,
                       text, count,
                       least == most ? "two, separated by a blank"
                                     : "a name, a type such as `base/R`, and values");
    }
    *n = count;
    return HA_OK;
}

/* The items of a list of a model, which may be missing. */
static size_t items_of(bg__bgt_reader *r, const ha__yaml_node *model, const char *key,
                       const char *object, const ha__yaml_node *const **out)
{
    const ha__yaml_node *list = ha__yaml_get(model, key);

    if (list == NULL) {
        return 0;
    }
    ha_status status = ha__yaml_expect(r->ctx, list, object, HA__YAML_SEQUENCE);
    if (status != HA_OK) {
        (void) bg__bgt_go_on(r, status);
        return 0;
    }
    *out = list->items;
    return list->n;
}

/* --- components ------------------------------------------------------------------------------- */

static ha_status read_number(bg__bgt_reader *r, const bg__bgt_word *w, const char *name,
                             double *out)
{
    ha_dag *dag = bg_graph_dag(r->graph);
    const char *object = ha__arena_format(r->ctx, &r->arena, "the value of `%s`", name);
    const char *text = ha__arena_text(r->ctx, &r->arena, w->text, w->length);
    const ha_parse_def def = { .where = w->where, .object = object };
    ha_expr e = HA_EXPR_NONE;

    HA_TRY(object == NULL || text == NULL ? HA_ERR_MEMORY : HA_OK);
    HA_TRY(ha_expr_parse(dag, text, &def, &e));
    if (!ha_expr_is_constant(dag, e, out) || !isfinite(*out)) {
        return ha_fail(r->ctx, HA_ERR_VALUE, w->where, "%s is `%s`; give a finite number", object,
                       text);
    }
    return HA_OK;
}

/* The values behind the type: one positional, or PARAMETER=VALUE. */
static ha_status read_arguments(bg__bgt_reader *r, const bg__bgt_word *words, size_t n,
                                bg__bgt_leaf *out)
{
    bool is_given = false;

    for (size_t i = 0; i < n; i++) {
        const char *equals = memchr(words[i].text, '=', words[i].length);
        size_t length = equals == NULL ? 0 : (size_t) (equals - words[i].text);
        bg__bgt_word value = words[i];
        bool is_known = out->kind->parameter != NULL;

        if (equals != NULL) {
            is_known = is_known && strlen(out->kind->parameter) == length &&
                       strncmp(out->kind->parameter, words[i].text, length) == 0;
            value.text += length + 1;
            value.length -= length + 1;
            value.where.column += (int) length + 1;
        }
        if (!is_known || is_given) {
            return ha_fail(r->ctx, HA_ERR_VALUE, words[i].where,
                           "`%s` has no use for `%.*s`: base/%s has %s%s%s", out->name,
                           (int) words[i].length, words[i].text, out->kind->name,
                           out->kind->parameter == NULL ? "no parameter" : "the parameter `",
                           out->kind->parameter == NULL ? "" : out->kind->parameter,
                           out->kind->parameter == NULL ? "" : "` only, once");
        }
        HA_TRY(read_number(r, &value, out->name, &out->value));
        is_given = true;
    }
    out->is_given = is_given;
    return HA_OK;
}

/* Tells of values that neither the file nor a setting gives. */
static void warn_of_defaults(bg__bgt_reader *r)
{
    for (size_t i = 0; i < r->leaves.count; i++) {
        const bg__bgt_leaf *l = &r->leaves.items[i];
        char digits[HA__NUMBER_SIZE];
        if (!l->is_given && l->kind->parameter != NULL) {
            ha_warn(r->ctx, l->where,
                    "`%s` has no value for `%s` in the file: %s is taken, %s; set it with --set "
                    "%s=VALUE",
                    l->name, l->kind->parameter, ha__print_short_number(digits, l->value),
                    l->kind->is_input ? "as for an input that is off"
                                      : "the default of BondGraphTools",
                    l->name);
        }
    }
}

static ha_status refuse_type(bg__bgt_reader *r, const char *path, const bg__bgt_word *type)
{
    return ha_fail(
        r->ctx, HA_ERR_NAME, type->where,
        "`%s` is of the type %.*s, which has no counterpart here; replace it by components of "
        "base/ 0, 1, R, C, I, Se, Sf, TF, GY",
        path, (int) type->length, type->text);
}

static ha_status add_leaf(bg__bgt_reader *r, const char *path, const bg__bgt_kind *kind,
                          const bg__bgt_word *words, size_t n, int *out)
{
    bg__bgt_leaf l = { .kind = kind,
                       .where = words[0].where,
                       .value = kind->instead,
                       .first_port = -1,
                       .element = -1 };
    int is_new = 0;

    HA_TRY_ROOM(r->ctx, &r->leaves, 1);
    HA_TRY(ha__symtab_add(r->ctx, &r->paths, path, strlen(path), out, &is_new));
    if (!is_new) {
        return ha_fail(r->ctx, HA_ERR_NAME, words[0].where,
                       "two components are called `%s`; rename one", path);
    }
    l.name = ha__symtab_name(&r->paths, *out);
    r->leaves.items[r->leaves.count++] = l;
    return read_arguments(r, words + 2, n - 2, &r->leaves.items[*out]);
}

static ha_status read_model(bg__bgt_reader *r, const ha__yaml_pair *model, const char *path,
                            int depth, bg__bgt_instance **out);

/* The kind of a component `base/NAME`; NULL and no error: the word names a sub-model. */
static ha_status find_kind(bg__bgt_reader *r, const char *path, const bg__bgt_word *type,
                           const bg__bgt_kind **out)
{
    static const char *const libraries[] = { "base/", "BioChem/", "elec/" };

    *out = NULL;
    for (size_t i = 0; i < HA_COUNT(libraries); i++) {
        size_t n = strlen(libraries[i]);
        if (type->length > n && strncmp(type->text, libraries[i], n) == 0) {
            *out = i == 0 ? bg__bgt_kind_find(type->text + n, type->length - n) : NULL;
            return *out == NULL ? refuse_type(r, path, type) : HA_OK;
        }
    }
    return HA_OK;
}

/* Sub-models of sub-models can become many and their paths long. */
static ha_status check_limits(bg__bgt_reader *r, const char *path, const bg__bgt_word *name)
{
    if (r->n_parts++ >= MAX_PARTS || r->n_models > MAX_MODELS) {
        return ha_fail(r->ctx, HA_ERR_LIMIT, name->where,
                       "the models have more than %d components or %d sub-models in all, counted "
                       "as often as they are used",
                       MAX_PARTS, MAX_MODELS);
    }
    if (strlen(path) + name->length >= MAX_PATH) {
        return ha_fail(r->ctx, HA_ERR_LIMIT, name->where,
                       "the path of a component, `%.40s.%.*s`, has %zu bytes; %d are allowed", path,
                       ha__utf8_clip(name->text, name->length, 40), name->text,
                       strlen(path) + 1 + name->length, MAX_PATH);
    }
    return HA_OK;
}

static ha_status read_component(bg__bgt_reader *r, const ha__yaml_node *node, const char *path,
                                int depth, bg__bgt_instance *in)
{
    bg__bgt_word words[MAX_WORDS];
    size_t n = 0;
    int number = 0, is_new = 0, number_of_leaf = -1;
    const bg__bgt_kind *kind = NULL;
    bg__bgt_instance *sub = NULL;

    HA_TRY(read_words(r, node, "a component", 2, MAX_WORDS, words, &n));
    HA_TRY(check_limits(r, path, &words[0]));
    const char *full = path[0] == '\0'
                           ? ha__arena_text(r->ctx, &r->arena, words[0].text, words[0].length)
                           : ha__arena_format(r->ctx, &r->arena, "%s.%.*s", path,
                                              (int) words[0].length, words[0].text);
    HA_TRY_MEMORY(full);
    HA_TRY_ROOM(r->ctx, &in->leaves, 1);
    HA_TRY_ROOM(r->ctx, &in->subs, 1);
    HA_TRY(ha__symtab_add(r->ctx, &in->names, words[0].text, words[0].length, &number, &is_new));
    if (!is_new) {
        return ha_fail(r->ctx, HA_ERR_NAME, words[0].where,
                       "two components of one model are called `%s`; rename one", full);
    }
    in->leaves.items[in->leaves.count++] = -1;
    in->subs.items[in->subs.count++] = NULL;

    HA_TRY(find_kind(r, full, &words[1], &kind));
    if (kind != NULL) {
        ha_status status = add_leaf(r, full, kind, words, n, &number_of_leaf);
        in->leaves.items[number] = status == HA_OK ? number_of_leaf : -1;
        return status;
    }
    const char *uri = ha__arena_text(r->ctx, &r->arena, words[1].text, words[1].length);
    HA_TRY_MEMORY(uri);
    const ha__yaml_pair *model = ha__yaml_find(r->models, uri);
    if (model == NULL || n > 2) {
        return ha_fail(
            r->ctx, HA_ERR_NAME, words[1].where,
            "`%s` is of the type `%s`, which is neither a component of base/ nor a model "
            "of this file",
            full, uri);
    }
    HA_TRY(read_model(r, model, full, depth + 1, &sub));
    in->subs.items[number] = sub;
    return HA_OK;
}

/* --- bonds ------------------------------------------------------------------------------------ */

/* The port of a component that the text behind the dot names; NULL: nothing is behind it. */
static ha_status read_port(bg__bgt_reader *r, const bg__bgt_word *w, const char *port,
                           size_t length, bool is_tail, bg__bgt_end *out)
{
    const bg__bgt_leaf *l = &r->leaves.items[out->leaf];
    bool is_digit = port != NULL && length == 1 && port[0] >= '0' && port[0] <= '9';
    bool is_one = strcmp(l->kind->name, "1") == 0;

    if (is_one && port == NULL) {
        out->sign = is_tail ? -1 : 1;
    } else if (is_one && length == 9 && strncmp(port, "inverting", length) == 0) {
        out->sign = -1;
    } else if (is_one && length == 13 && strncmp(port, "non_inverting", length) == 0) {
        out->sign = 1;
    } else if (is_digit && l->kind->n_ports > 0 && port[0] - '0' < l->kind->n_ports) {
        out->port = port[0] - '0';
    } else if (l->kind->n_ports == 2 || (port != NULL && (is_one || l->kind->n_ports > 0))) {
        return ha_fail(r->ctx, HA_ERR_NAME, w->where, "`%.*s` names no port of `%s`; write %s",
                       (int) w->length, w->text, l->name,
                       is_one                  ? "NAME.inverting or NAME.non_inverting"
                       : l->kind->n_ports == 2 ? "NAME.0 or NAME.1"
                                               : "its name alone");
    }
    return HA_OK;
}

/* Keeps which bond is at a port that takes one only. */
static ha_status take_port(bg__bgt_reader *r, const bg__bgt_word *w, const bg__bgt_end *end,
                           bool is_outside, int mark)
{
    bg__bgt_leaf *l = &r->leaves.items[end->leaf];
    int *slot = NULL;

    if (l->kind->is_port) {
        slot = &l->bonds[is_outside ? 1 : 0];
    } else if (l->kind->n_ports > 0) {
        slot = &l->bonds[end->port];
    }
    if (slot != NULL && *slot != 0) {
        return ha_fail(r->ctx, HA_ERR_VALUE, w->where,
                       "`%.*s` is bonded a second time; a port takes one bond, put a junction in "
                       "front of it",
                       (int) w->length, w->text);
    }
    if (slot != NULL) {
        *slot = mark;
    }
    return HA_OK;
}

/* An end of a bond: NAME, NAME.PORT, or SUBMODEL.LABEL. */
static ha_status read_end(bg__bgt_reader *r, const bg__bgt_instance *in, const bg__bgt_word *w,
                          bool is_tail, int mark, bg__bgt_end *out)
{
    const char *dot = memchr(w->text, '.', w->length);
    size_t length = dot == NULL ? w->length : (size_t) (dot - w->text);
    size_t rest = dot == NULL ? 0 : w->length - length - 1;
    int number = ha__symtab_find(&in->names, w->text, length);

    if (number < 0 || (dot != NULL && memchr(dot + 1, '.', rest) != NULL)) {
        return ha_fail(r->ctx, HA_ERR_NAME, w->where,
                       "`%.*s` is no component of its model; write NAME or NAME.PORT",
                       (int) w->length, w->text);
    }
    *out = (bg__bgt_end){ .leaf = in->leaves.items[number] };
    const bg__bgt_instance *sub = in->subs.items[number];
    if (sub != NULL) {
        int only = sub->ports.count == 1 ? 0 : -1; /* needs no name */
        int port = dot == NULL ? only : ha__symtab_find(&sub->labels, dot + 1, rest);
        if (port < 0) {
            return ha_fail(
                r->ctx, HA_ERR_NAME, w->where,
                "`%.*s` names no port of a sub-model; write NAME.LABEL with a label from "
                "the sub-model's `ports`",
                (int) w->length, w->text);
        }
        out->leaf = sub->ports.items[port];
        return take_port(r, w, out, true, mark);
    }
    if (out->leaf < 0) {
        return r->status; /* reported */
    }
    HA_TRY(read_port(r, w, dot == NULL ? NULL : dot + 1, rest, is_tail, out));
    return take_port(r, w, out, false, mark);
}

static ha_status read_bond(bg__bgt_reader *r, const ha__yaml_node *node, const bg__bgt_instance *in)
{
    bg__bgt_word words[MAX_WORDS];
    size_t n = 0;
    bg__bgt_bond b = { .where = HA_NOWHERE };

    HA_TRY(read_words(r, node, "a bond", 2, 2, words, &n));
    b.where = words[0].where;
    for (int k = 0; k < 2; k++) {
        HA_TRY(read_end(r, in, &words[k], k == 0, 2 * (int) r->bonds.count + k + 1, &b.ends[k]));
    }
    HA_TRY_PUSH(r->ctx, &r->bonds, b);
    return HA_OK;
}

static ha_status read_exposed(bg__bgt_reader *r, const ha__yaml_node *node, bg__bgt_instance *in)
{
    bg__bgt_word words[MAX_WORDS];
    size_t n = 0;
    int label = 0, is_new = 0, number = 0, found = -1;

    HA_TRY(read_words(r, node, "a port", 2, 2, words, &n));
    number = ha__symtab_find(&in->names, words[0].text, words[0].length);
    found = number < 0 ? -1 : in->leaves.items[number];
    if (found < 0 || !r->leaves.items[found].kind->is_port) {
        return ha_fail(r->ctx, HA_ERR_VALUE, words[0].where,
                       "the port `%.*s` of a model is no component base/SS of it",
                       (int) words[0].length, words[0].text);
    }
    HA_TRY_ROOM(r->ctx, &in->ports, 1);
    HA_TRY(ha__symtab_add(r->ctx, &in->labels, words[1].text, words[1].length, &label, &is_new));
    if (!is_new || r->leaves.items[found].exposed) {
        return ha_fail(r->ctx, HA_ERR_NAME, words[1].where,
                       "the port `%.*s` is given twice; give each component and each label once",
                       (int) words[1].length, words[1].text);
    }
    in->ports.items[in->ports.count++] = found;
    r->leaves.items[found].exposed = true;
    return HA_OK;
}

/* --- models ----------------------------------------------------------------------------------- */

static ha_status read_lists(bg__bgt_reader *r, const ha__yaml_node *model, const char *path,
                            int depth, bg__bgt_instance *in)
{
    const ha__yaml_node *const *items = NULL;
    size_t n = items_of(r, model, "components", "`components`", &items);

    for (size_t i = 0; i < n; i++) {
        HA_TRY(bg__bgt_go_on(r, read_component(r, items[i], path, depth, in)));
    }
    n = items_of(r, model, "netlist", "`netlist`", &items);
    for (size_t i = 0; i < n; i++) {
        HA_TRY(bg__bgt_go_on(r, read_bond(r, items[i], in)));
    }
    n = items_of(r, model, "ports", "`ports`", &items);
    for (size_t i = 0; i < n; i++) {
        HA_TRY(bg__bgt_go_on(r, read_exposed(r, items[i], in)));
    }
    return HA_OK;
}

static ha_status read_model(bg__bgt_reader *r, const ha__yaml_pair *model, const char *path,
                            int depth, bg__bgt_instance **out)
{
    static const char *const keys[] = { "components", "netlist", "ports" };
    const char *object = ha__arena_format(r->ctx, &r->arena, "model `%s`", model->key);
    bg__bgt_instance *in = ha__arena_alloc(r->ctx, &r->arena, 1, sizeof *in);
    const ha__yaml_node *components = NULL;

    HA_TRY(object == NULL || in == NULL ? HA_ERR_MEMORY : HA_OK);
    if (depth > MAX_DEPTH) {
        return ha_fail(r->ctx, HA_ERR_LIMIT, model->where,
                       "%s is nested more than %d deep; a model must not contain itself", object,
                       MAX_DEPTH);
    }
    in->next = r->instances;
    r->n_models++;
    r->instances = in;
    *out = in;
    ha_status status = ha__yaml_check_keys(r->ctx, model->value, object, keys, HA_COUNT(keys));
    HA_TRY(bg__bgt_go_on(r, status));
    if (status == HA_ERR_SYNTAX) {
        return HA_OK; /* no mapping */
    }
    HA_TRY(bg__bgt_go_on(
        r, ha__yaml_require(r->ctx, model->value, object, "components", &components)));
    return read_lists(r, model->value, path, depth, in);
}

/* --- settings --------------------------------------------------------------------------------- */

static ha_status apply_set(bg__bgt_reader *r, const char *set, int number)
{
    const ha_where where = { "--set", number, 1 };
    const char *equals = strchr(set, '=');
    int i = equals == NULL ? -1 : ha__symtab_find(&r->paths, set, (size_t) (equals - set));

    if (i < 0 || r->leaves.items[i].kind->parameter == NULL) {
        return ha_fail(r->ctx, HA_ERR_NAME, where,
                       "`%s` is not NAME=VALUE with the name of a component that has a value", set);
    }
    bg__bgt_word value = { equals + 1, strlen(equals + 1), where };
    value.where.column += (int) (equals + 1 - set);
    r->leaves.items[i].is_given = true;
    r->leaves.items[i].input = HA_EXPR_NONE;
    return read_number(r, &value, r->leaves.items[i].name, &r->leaves.items[i].value);
}

/* --- the file --------------------------------------------------------------------------------- */

/* The root model: `/`, or the one that has the name under `root`. */
static ha_status find_root(bg__bgt_reader *r, const ha__yaml_node *root, const ha__yaml_pair **out)
{
    const ha__yaml_node *name = ha__yaml_get(root, "root");

    *out = ha__yaml_find(r->models, "/");
    if (*out == NULL && name != NULL && name->kind == HA__YAML_SCALAR) {
        *out = ha__yaml_find(r->models, name->text);
    }
    return *out != NULL ? HA_OK
                        : ha_fail(r->ctx, HA_ERR_NAME, r->models->where,
                                  "the file has no root model: neither `/` nor the name under "
                                  "`root` is a key of `models`");
}

static ha_status read_root(bg__bgt_reader *r, const ha__yaml_node *root, const char *const *sets,
                           int n_sets)
{
    static const char *const keys[] = { "version", "root", "models", "starts", "inputs" };
    const ha__yaml_node *version = NULL;
    const ha__yaml_pair *model = NULL;
    const char *text = NULL;
    bg__bgt_instance *top = NULL;

    HA_TRY(ha__yaml_check_keys(r->ctx, root, "the file", keys, HA_COUNT(keys)));
    HA_TRY(ha__yaml_require(r->ctx, root, "the file", "version", &version));
    HA_TRY(ha__yaml_text(r->ctx, version, "`version`", &text));
    if (strcmp(text, "0.1") != 0) {
        return ha_fail(r->ctx, HA_ERR_VALUE, version->where,
                       "`version` is %s, but this program reads version 0.1 of the files of "
                       "BondGraphTools",
                       text);
    }
    HA_TRY(ha__yaml_require(r->ctx, root, "the file", "models", &r->models));
    HA_TRY(ha__yaml_expect(r->ctx, r->models, "`models`", HA__YAML_MAPPING));
    HA_TRY(find_root(r, root, &model));
    HA_TRY(read_model(r, model, "", 0, &top));
    HA_TRY(bg__bgt_read_values(r, root));
    for (int i = 0; i < n_sets; i++) {
        HA_TRY(bg__bgt_go_on(r, apply_set(r, sets[i], i + 1)));
    }
    HA_TRY(r->status);
    warn_of_defaults(r);
    HA_TRY(bg__bgt_build(r));
    return r->status;
}

static void clear(bg__bgt_reader *r)
{
    for (bg__bgt_instance *in = r->instances; in != NULL; in = in->next) {
        ha__symtab_clear(&in->names);
        ha__symtab_clear(&in->labels);
        HA_ARRAY_CLEAR(&in->leaves, &in->subs, &in->ports);
    }
    ha__symtab_clear(&r->paths);
    HA_ARRAY_CLEAR(&r->leaves, &r->bonds);
    ha__arena_clear(&r->arena);
}

ha_status bg_bgt_read(bg_graph *graph, const char *text, size_t length, const char *name,
                      const char *const *sets, int n_sets)
{
    HA_NEED(bg_graph_ctx(graph),
            graph != NULL && text != NULL && name != NULL && (sets != NULL || n_sets <= 0));
    bg__bgt_reader r = { .graph = graph, .ctx = bg_graph_ctx(graph), .name = name };
    ha__yaml *doc = NULL;

    HA_TRY(ha__yaml_read_text(r.ctx, text, length, name, &doc));
    ha_status status = read_root(&r, ha__yaml_root(doc), sets, n_sets);
    clear(&r);
    ha__yaml_free(doc);
    return status;
}
