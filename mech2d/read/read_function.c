/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files: functions of the user.
 *
 *   functions:
 *     drag: {of: [v], is: "0.5*rho*v*abs(v)"}
 *
 * A function is an expression over symbols of its arguments; a call puts expressions instead of
 * them (lib/expr.h). It is read when it is first called, so that functions and parameters may stand
 * in any order; those that call each other in a circle are found before. A function reads its
 * arguments, and what is known where it stands: parameters of the file, `t`, outputs. So in the
 * submodels of a file, which see nothing of it, it reads its arguments alone.
 */
#include <config.h>

#include "lib/expr_table.h"
#include "mech2d/read/read_priv.h"

#include <string.h>

enum { MOST_ARGUMENTS = 16, DEEPEST = 64 /* functions that call each other */ };

/* How far a function is. */
typedef enum { UNREAD, READING, READ } progress;

/* A function of the section. */
typedef struct {
    const ha__yaml_pair *pair;
    ha_function function;
    const char *names[MOST_ARGUMENTS];
    ha_expr symbols[MOST_ARGUMENTS];
    progress progress;
} entry;

/* The functions that can be called in a mechanism. */
struct m2d__functions {
    const ha__yaml_node *section;
    entry *entries;
    const char **names; /* (n) */
    size_t n;
    int depth;            /* functions being read */
    const entry *reading; /* the one whose expression is read, NULL: none */
};

/* --- reading -------------------------------------------------------------------------------- */

static ha_status check_name(m2d__reader *r, const char *kind, const char *name, ha_where where)
{
    HA_TRY(m2d__check_symbol(r->ctx, kind, name, where));
    if (ha_table_find(r->mechanism->dag, name) >= 0 || !ha_table_is_name(name)) {
        return ha_fail(r->ctx, HA_ERR_NAME, where,
                       "`%s` cannot be the name of %s %s, it has a meaning already; choose another",
                       name, m2d__article(kind), kind);
    }
    return HA_OK;
}

/* The names of the arguments, each once. */
static ha_status read_arguments(m2d__reader *r, entry *e, const ha__yaml_node *node)
{
    const char *object = m2d__object(r, "of", "function", e->pair->key);

    HA_TRY(ha__yaml_expect(r->ctx, node, object, HA__YAML_SEQUENCE));
    if (node->n > MOST_ARGUMENTS) {
        return ha_fail(r->ctx, HA_ERR_LIMIT, node->where, "%s has %zu names; give at most %d",
                       object, node->n, (int) MOST_ARGUMENTS);
    }
    for (size_t i = 0; i < node->n; i++) {
        ha_where where = ha__yaml_text_where(node->items[i]);
        HA_TRY(ha__yaml_text(r->ctx, node->items[i], object, &e->names[i]));
        HA_TRY(check_name(r, "argument", e->names[i], where));
        for (size_t k = 0; k < i; k++) {
            if (strcmp(e->names[k], e->names[i]) == 0) {
                return ha_fail(r->ctx, HA_ERR_NAME, where, "%s has `%s` twice; rename one", object,
                               e->names[i]);
            }
        }
        e->symbols[i] = ha_symbol(r->mechanism->dag, e->names[i]);
    }
    return ha_dag_status(r->mechanism->dag);
}

/* Reads the expression: nothing of where the call is is known in it. */
static void read_expression(m2d__reader *r, entry *e, const ha__yaml_node *node)
{
    m2d__reader around = *r;
    const entry *outer = r->functions->reading;

    r->own = NULL;
    r->in_constraint = r->in_law = false;
    r->functions->reading = e;
    r->functions->depth++;
    e->function.is = m2d__read_value(r, node, HA__QUANTITY_ANY,
                                     m2d__object(r, NULL, "function", e->pair->key), 1.0);
    r->functions->depth--;
    r->functions->reading = outer;
    r->own = around.own;
    r->in_constraint = around.in_constraint;
    r->in_law = around.in_law;
    r->where = around.where;
    r->later = around.later;
    r->as_output = around.as_output;
}

static ha_status read_function(m2d__reader *r, entry *e)
{
    static const char *const keys[] = { "of", "is" };
    const char *object = m2d__object(r, NULL, "function", e->pair->key);

    HA_TRY(check_name(r, "function", e->pair->key, e->pair->where));
    HA_TRY(ha__yaml_expect(r->ctx, e->pair->value, object, HA__YAML_MAPPING));
    HA_TRY(m2d__check_keys(r, e->pair->value, object, keys, HA_COUNT(keys)));
    const ha__yaml_node *of = NULL, *is = NULL;
    HA_TRY(ha__yaml_require(r->ctx, e->pair->value, object, "of", &of));
    HA_TRY(ha__yaml_require(r->ctx, e->pair->value, object, "is", &is));
    HA_TRY(read_arguments(r, e, of));
    if (r->functions->depth == DEEPEST) {
        return ha_fail(
            r->ctx, HA_ERR_LIMIT, e->pair->where,
            "functions call each other more than %d deep, down to `%s`; put some of them "
            "together",
            (int) DEEPEST, e->pair->key);
    }
    read_expression(r, e, is);
    return HA_OK;
}

/* Reads a function unless it was; what cannot be read is 1, for any arguments. */
static void need(m2d__reader *r, entry *e)
{
    if (e->progress != UNREAD) {
        return;
    }
    e->progress = READING;
    e->function.is = ha_constant(r->mechanism->dag, 1.0);
    m2d__reader_go_on(r, read_function(r, e));
    e->progress = READ;
}

/* --- look-up -------------------------------------------------------------------------------- */

ha_status m2d__find_function(void *user, const char *name, const ha_function **out)
{
    m2d__reader *r = user;
    m2d__functions *f = r->functions;
    const ha__yaml_pair *pair = f == NULL ? NULL : ha__yaml_find(f->section, name);

    if (pair == NULL) {
        return HA_OK;
    }
    entry *e = &f->entries[pair - f->section->pairs];
    need(r, e);
    *out = &e->function;
    return r->status == HA_ERR_MEMORY ? r->status : HA_OK;
}

bool m2d__find_argument(const m2d__reader *r, const char *name, ha_expr *out)
{
    const entry *e = r->functions == NULL ? NULL : r->functions->reading;

    for (size_t i = 0; e != NULL && i < e->function.n; i++) {
        if (strcmp(e->names[i], name) == 0) {
            *out = e->symbols[i];
            return true;
        }
    }
    return false;
}

bool m2d__is_in_function(const m2d__reader *r)
{
    return r->functions != NULL && r->functions->reading != NULL;
}

bool m2d__is_closed(const m2d__reader *r)
{
    return m2d__is_in_function(r) && r->is_function_closed;
}

bool m2d__has_function(const m2d__reader *r, const char *name)
{
    return r->functions != NULL && ha__yaml_find(r->functions->section, name) != NULL;
}

const char *const *m2d__function_names(const m2d__reader *r, size_t *n)
{
    *n = r->functions == NULL ? 0 : r->functions->n;
    return r->functions == NULL ? NULL : r->functions->names;
}

/* --- the section ---------------------------------------------------------------------------- */

void m2d__note_functions(m2d__reader *r, const ha__yaml_node *root)
{
    const ha__yaml_node *section =
        m2d__section(r, root, "functions", "`functions`", HA__YAML_MAPPING);
    m2d__functions *f = NULL;
    char *marks = NULL;

    r->functions = NULL;
    if (section == NULL) {
        return;
    }
    f = ha__arena_alloc(r->ctx, &r->arena, 1, sizeof *f);
    if (f != NULL) {
        *f = (m2d__functions){ .section = section, .n = section->n };
        f->entries = ha__arena_alloc(r->ctx, &r->arena, section->n, sizeof *f->entries);
        f->names = ha__arena_alloc(r->ctx, &r->arena, section->n, sizeof *f->names);
    }
    if (f == NULL || f->entries == NULL || f->names == NULL) {
        m2d__reader_go_on(r, HA_ERR_MEMORY);
        return;
    }
    if (m2d__find_circles(r, section, M2D__FUNCTIONS, &marks) == HA_ERR_MEMORY) {
        return;
    }
    for (size_t i = 0; i < section->n; i++) {
        entry *e = &f->entries[i];
        const ha__yaml_pair *pair = &section->pairs[i];
        const ha__yaml_node *of =
            pair->value->kind == HA__YAML_MAPPING ? ha__yaml_get(pair->value, "of") : NULL;
        size_t n = of != NULL && of->kind == HA__YAML_SEQUENCE ? of->n : 0;
        *e = (entry){ .pair = pair, .progress = marks[i] != 0 ? READ : UNREAD };
        e->function =
            (ha_function){ pair->key, e->symbols, 0, ha_constant(r->mechanism->dag, 1.0) };
        e->function.n = n < MOST_ARGUMENTS ? n : MOST_ARGUMENTS; /* so it is called */
        f->names[i] = pair->key;
    }
    r->functions = f;
}

void m2d__read_functions(m2d__reader *r)
{
    for (size_t i = 0; r->functions != NULL && i < r->functions->n; i++) {
        need(r, &r->functions->entries[i]);
    }
}
