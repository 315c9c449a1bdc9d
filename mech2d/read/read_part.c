/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files: parts, which are submodels with bodies.
 *
 *   submodels:
 *     arm:
 *       parameters: {l: 1 m, m: 2 kg}
 *       ports: {base: rod.A, tip: rod.B}
 *       bodies: {rod: {mass: m, inertia: m*l^2/12, points: {A: [-l/2, 0], B: [l/2, 0]}}}
 *   parts:
 *     upper: {type: arm, parameters: {l: 2 m}, start: {angle: 30 deg}}
 *     link: {type: arm, count: 4, parameters: {m: 2 - 0.1*i}}
 *   joints:
 *     O: {type: revolute, between: [ground.O, upper.base]}
 *
 * A submodel is read anew for each part of it, by the functions that read the file: the mechanism
 * puts the name of the part in front (mech2d/part.h). So what depends on parameters may be counts
 * as well as values. Values of parameters are expressions of what surrounds the part. Starts of
 * what is inside are constants of what surrounds it, too: they are numbers when the submodel is
 * read.
 */
#include <config.h>

#include "lib/core/number.h"
#include "lib/core/symtab.h"
#include "mech2d/read/read_submodel.h"

#include <math.h>
#include <string.h>

enum { MOST_COUNT = 10 * 1000 };

/* A value that a part is given for a parameter, `l`, or of a part in it, `link.l`. */
typedef struct {
    const char *name;
    ha_expr value;
    ha_where where;
    bool is_used;
} given;

/* A part while its submodel is read. */
struct m2d__instance {
    const char *name; /* as it is called where it stands: "link[3]" */
    m2d__entry *entry;
    const ha__yaml_pair *pair;  /* of the section `parts` */
    const ha__yaml_node *start; /* of what is inside, NULL: none */
    given *values;
    size_t n_values;
    m2d__instance *outer;
};

/* --- what a part gives to what is inside ---------------------------------------------------- */

ha_expr m2d__given_parameter(m2d__reader *r, const char *name)
{
    ha_expr found = HA_EXPR_NONE;

    for (size_t i = 0; r->part != NULL && i < r->part->n_values; i++) {
        given *value = &r->part->values[i];
        if (strcmp(value->name, name) == 0) {
            value->is_used = true;
            found = value->value; /* those of further outside come last */
        }
    }
    return found;
}

/* The length of the name of a row in "link[3]". */
static size_t row_length(const char *name)
{
    return strcspn(name, "[");
}

const ha__yaml_node *m2d__start_with(m2d__reader *r, const char *name, const ha__yaml_node *start)
{
    const ha__yaml_node *of_part = r->part == NULL ? NULL : r->part->start;
    const ha__yaml_node *own = of_part == NULL ? NULL : ha__yaml_get(of_part, name);
    const ha__yaml_node *merged = start;

    if (own == NULL && of_part != NULL && name[row_length(name)] != '\0') {
        const char *row = ha__arena_text(r->ctx, &r->arena, name, row_length(name));
        own = row == NULL ? NULL : ha__yaml_get(of_part, row);
    }
    if (own != NULL) {
        m2d__reader_go_on(r, ha__yaml_merge(r->doc, start, own, &merged));
    }
    return merged;
}

/* --- parameters ----------------------------------------------------------------------------- */

/* The values that the part itself is given, each like the default where both have units. */
static void read_own_values(m2d__reader *r, m2d__instance *part, const ha__yaml_node *section)
{
    for (size_t i = 0; section != NULL && i < section->n; i++) {
        const ha__yaml_pair *pair = &section->pairs[i];
        const char *object = m2d__object(r, pair->key, "part", part->name);
        const char *text = m2d__text_of(pair->value);
        const char *like = m2d__default_of(part->entry, pair->key);
        given *value = &part->values[part->n_values++];
        *value = (given){ pair->key, HA_EXPR_NONE, pair->where, false };
        value->value = m2d__read_given(r, pair->value, object, like);
        if (text != NULL && like != NULL) {
            m2d__reader_go_on(r, ha__quantity_check_like(r->ctx, text, like,
                                                         ha__yaml_text_where(pair->value), object));
        }
    }
}

/* The rest of a path like `link.l` behind this part or the row that it is of, NULL: it is
 * another's.
 */
static const char *behind(const char *path, const char *name)
{
    size_t row = row_length(name), length = strlen(name);

    if (strncmp(path, name, length) == 0 && path[length] == '.') {
        return path + length + 1;
    }
    return strncmp(path, name, row) == 0 && path[row] == '.' ? path + row + 1 : NULL;
}

/* The values that it is given from further outside: these go before its own. */
static void take_outer_values(m2d__instance *part)
{
    m2d__instance *outer = part->outer;

    for (size_t i = 0; outer != NULL && i < outer->n_values; i++) {
        const char *rest = behind(outer->values[i].name, part->name);
        if (rest != NULL) {
            outer->values[i].is_used = true;
            part->values[part->n_values] = outer->values[i];
            part->values[part->n_values].name = rest;
            part->values[part->n_values++].is_used = false;
        }
    }
}

static ha_status read_values(m2d__reader *r, m2d__instance *part)
{
    const ha__yaml_node *section =
        m2d__section(r, part->pair->value, "parameters",
                     m2d__object(r, "parameters", "part", part->name), HA__YAML_MAPPING);
    size_t n =
        (section == NULL ? 0 : section->n) + (part->outer == NULL ? 0 : part->outer->n_values);

    HA_TRY_GET(part->values, ha__arena_alloc(r->ctx, &r->arena, n, sizeof *part->values));
    read_own_values(r, part, section);
    take_outer_values(part);
    return HA_OK;
}

/* A value of which nothing was made is of no parameter. */
static void refuse_unused(m2d__reader *r, const m2d__instance *part)
{
    const ha__yaml_node *parameters = ha__yaml_get(part->entry->node, "parameters");
    size_t n = parameters == NULL || parameters->pairs == NULL ? 0 : parameters->n;
    const char **names = ha__arena_alloc(r->ctx, &r->arena, n, sizeof *names);

    for (size_t i = 0; names != NULL && i < n; i++) {
        names[i] = parameters->pairs[i].key;
    }
    for (size_t i = 0; names != NULL && i < part->n_values; i++) {
        const char *name = part->values[i].name, *near = ha__nearest(name, names, n);
        if (!part->values[i].is_used) {
            m2d__reader_go_on(
                r,
                ha_fail(r->ctx, HA_ERR_NAME, part->values[i].where,
                        "part `%s` gives `%s`, but the submodel `%s` has no such parameter%s%s%s",
                        part->name, name, part->entry->name,
                        near != NULL ? "; did you mean `" : "; add it there, or remove it",
                        near != NULL ? near : "", near != NULL ? "`?" : ""));
        }
    }
}

/* --- starts --------------------------------------------------------------------------------- */

/* A scalar with the number that an expression is outside. */
static ha_status fold_scalar(m2d__reader *r, const m2d__instance *part, const ha__yaml_node *node,
                             const ha__yaml_node **out)
{
    const m2d__owner owner = { "part", part->name, "start", ha__yaml_text_where(node) };
    char digits[HA__NUMBER_SIZE];
    double value = 0.0;

    if (ha__yaml_is_null(node) || ha__quantity_is_number_with_unit(node->text)) {
        return HA_OK;
    }
    HA_TRY(m2d__evaluate(r, node->text, owner.where, owner, &value));
    ha__yaml_node *folded = ha__arena_alloc(r->ctx, &r->arena, 1, sizeof *folded);
    const char *text = ha__print_number(digits, value);
    HA_TRY_MEMORY(folded);
    *folded = *node;
    HA_TRY_GET(folded->text, ha__arena_text(r->ctx, &r->arena, text, strlen(text)));
    *out = folded;
    return HA_OK;
}

/* A mapping in which all expressions but names in `fixed` are the numbers that they are outside. */
static ha_status fold(m2d__reader *r, const m2d__instance *part, const ha__yaml_node *node,
                      const ha__yaml_node **out)
{
    *out = node;
    if (node->kind == HA__YAML_SCALAR) {
        return fold_scalar(r, part, node, out);
    }
    if (node->kind != HA__YAML_MAPPING) {
        return HA_OK;
    }
    ha__yaml_node *copy = ha__arena_alloc(r->ctx, &r->arena, 1, sizeof *copy);
    ha__yaml_pair *pairs = ha__arena_alloc(r->ctx, &r->arena, node->n, sizeof *pairs);
    if (copy == NULL || pairs == NULL) {
        return HA_ERR_MEMORY;
    }
    for (size_t i = 0; i < node->n; i++) {
        pairs[i] = node->pairs[i];
        HA_TRY(fold(r, part, node->pairs[i].value, &pairs[i].value));
    }
    *copy = *node;
    copy->pairs = pairs;
    *out = copy;
    return HA_OK;
}

/* How the part as a whole stands and moves. */
static void read_place(m2d__reader *r, const m2d__instance *part, const ha__yaml_node *start,
                       m2d_part_def *def)
{
    for (int i = 0; i < M2D_N_COORDINATES; i++) {
        const char *key = m2d_coordinate_name((m2d_coordinate) i);
        const ha__yaml_node *value = ha__yaml_get(start, key);
        const m2d__owner owner = { "part", part->name, key, HA_NOWHERE };
        double number = 0.0;
        if (value != NULL) {
            def->start[i] = m2d__read_constant(
                r, value, m2d__coordinate_quantity((m2d_coordinate) i), owner, 0.0, &number);
        }
    }
}

/* Adds the names of a section, those of rows without index. */
static size_t add_names(const ha__yaml_node *body, const char *section, const char **names)
{
    const ha__yaml_node *node = ha__yaml_get(body, section);
    size_t n = node == NULL || node->pairs == NULL ? 0 : node->n;

    for (size_t i = 0; i < n && names != NULL; i++) {
        names[i] = node->pairs[i].key;
    }
    return n;
}

/* Keys are those of the part as a whole, or names of what is inside. */
static ha_status check_start(m2d__reader *r, const m2d__instance *part, const ha__yaml_node *start)
{
    static const char *const sections[] = { "bodies", "joints", "parts" };
    const ha__yaml_node *body = part->entry->node;
    const char *object = m2d__object(r, "start", "part", part->name);
    size_t n = M2D_N_COORDINATES;

    for (size_t i = 0; i < HA_COUNT(sections); i++) {
        n += add_names(body, sections[i], NULL);
    }
    const char **names = ha__arena_alloc(r->ctx, &r->arena, n + start->n, sizeof *names);
    HA_TRY_MEMORY(names);
    for (n = 0; n < M2D_N_COORDINATES; n++) {
        names[n] = m2d_coordinate_name((m2d_coordinate) n);
    }
    for (size_t i = 0; i < HA_COUNT(sections); i++) {
        n += add_names(body, sections[i], names + n);
    }
    for (size_t i = 0; i < start->n; i++) { /* of a row: link[3] */
        if (start->pairs[i].key[row_length(start->pairs[i].key)] != '\0') {
            names[n++] = start->pairs[i].key;
        }
    }
    return ha__yaml_check_keys(r->ctx, start, object, names, n);
}

static ha_status read_start(m2d__reader *r, m2d__instance *part, m2d_part_def *def)
{
    const char *object = m2d__object(r, "start", "part", part->name);
    const ha__yaml_node *start = m2d__start_with(
        r, part->name, m2d__section(r, part->pair->value, "start", object, HA__YAML_MAPPING));

    if (start == NULL) {
        return HA_OK;
    }
    HA_TRY(ha__yaml_expect(r->ctx, start, object, HA__YAML_MAPPING));
    HA_TRY(check_start(r, part, start));
    read_place(r, part, start, def);
    return fold(r, part, start, &part->start);
}

/* --- bodies of submodels -------------------------------------------------------------------- */

static void read_ports(m2d__reader *r, const m2d__instance *part, const ha__yaml_node *body)
{
    const ha__yaml_node *section = m2d__section(
        r, body, "ports", m2d__object(r, "ports", "submodel", part->entry->name), HA__YAML_MAPPING);

    for (size_t i = 0; section != NULL && i < section->n; i++) {
        const ha__yaml_pair *pair = &section->pairs[i];
        ha_where where = ha__yaml_text_where(pair->value);
        const char *inner = m2d__indexed(
            r, m2d__read_name(r, pair->value, m2d__object(r, NULL, "port", pair->key)), where);
        if (inner != NULL) {
            m2d__reader_go_on(r,
                              m2d_mechanism_add_part_port(r->mechanism, pair->key, inner, where));
        }
    }
}

static void read_sections(m2d__reader *r, const m2d__instance *part, const ha__yaml_node *body)
{
    const char *object = m2d__object(r, NULL, "submodel", part->entry->name);
    void (*const sections[])(m2d__reader * r, const ha__yaml_node *root) = {
        m2d__note_signals, m2d__read_parameters, m2d__read_ground, m2d__read_bodies,
        m2d__read_parts,   m2d__read_joints,     m2d__read_forces,
    };

    for (size_t i = 0; i < HA_COUNT(sections) && r->status != HA_ERR_MEMORY; i++) {
        sections[i](r, body);
    }
    if (r->status != HA_ERR_MEMORY) {
        m2d__read_elements(r, body, object);
    }
    if (r->status != HA_ERR_MEMORY) {
        read_ports(r, part, body);
        m2d__read_outputs(r, body);
    }
}

/* Tables and functions of the submodel's file; the mechanism has the tables of its own. Functions
   of a file that is the submodel read its parameters; others read their arguments alone, and are
   the same for all parts. */
static void take_functions(m2d__reader *r, m2d__library *library, bool is_file)
{
    if (!library->has_tables) {
        library->has_tables = true;
        m2d__read_tables(r, library->root);
    }
    r->is_function_closed = !is_file;
    r->functions = library->functions;
    if (is_file || library->functions_of != r->mechanism) {
        m2d__note_functions(r, library->root);
        library->functions = r->functions;
        library->functions_of = r->mechanism;
    }
}

/* Reads the submodel of a part that was begun. */
static void read_inside(m2d__reader *r, m2d__instance *part)
{
    const m2d__reader around = *r;
    m2d__entry *entry = part->entry;
    const ha__yaml_node *body = entry->node, *variant = ha__yaml_get(part->pair->value, "variant");
    const char *name = variant == NULL ? NULL : m2d__read_name(r, variant, part->name);
    m2d__library *own = entry->included;

    if (name != NULL) {
        m2d__reader_go_on(r, m2d__apply_variant(r, name, variant->where, body, &body));
    }
    entry->progress = M2D__READING;
    entry->outer = r->entry;
    r->entry = entry;
    r->library = m2d__seen_by(entry);
    r->part = part;
    r->index = NULL;
    r->values = NULL;
    if (own != NULL) {
        own->is_open = true;
    }
    take_functions(r, m2d__seen_by(entry), own != NULL);
    read_sections(r, part, body);
    if (own != NULL) {
        own->is_open = false;
    }
    entry->progress = M2D__READ;
    r->library = around.library;
    r->entry = around.entry;
    r->part = around.part;
    r->index = around.index;
    r->parameters = around.parameters;
    r->signals = around.signals;
    r->values = around.values;
    r->functions = around.functions;
    r->is_function_closed = around.is_function_closed;
}

/* Reads one part; false when it could not be begun. */
static bool read_one(m2d__reader *r, m2d__instance *part)
{
    m2d_part_def def = m2d_part_def_default();
    size_t n_errors = ha_ctx_n_errors(r->ctx);

    if (!m2d__reader_go_on(r, read_values(r, part)) ||
        !m2d__reader_go_on(r, read_start(r, part, &def))) {
        return false;
    }
    def.name = part->name;
    def.type = part->entry->name;
    def.where = part->pair->where;
    bool is_begun = ha_ctx_n_errors(r->ctx) == n_errors;
    if (is_begun) {
        ha_status status = m2d_mechanism_begin_part(r->mechanism, &def);
        m2d__reader_go_on(r, status);
        is_begun = status == HA_OK;
    }
    if (is_begun) {
        read_inside(r, part);
        part->entry->is_faulty = ha_ctx_n_errors(r->ctx) > n_errors;
        m2d__reader_go_on(r, m2d_mechanism_end_part(r->mechanism));
        if (part->entry->is_faulty) {
            ha_note(r->ctx, part->pair->where, "in the part `%s` of type `%s`",
                    m2d__inside(r->mechanism, part->name), part->entry->name);
        } else {
            refuse_unused(r, part);
        }
    }
    return ha_ctx_n_errors(r->ctx) == n_errors;
}

/* --- sections ------------------------------------------------------------------------------- */

/* `count` of a part, 0 without one; -1 after an error. */
static int read_count(m2d__reader *r, const ha__yaml_pair *pair)
{
    const ha__yaml_node *node = ha__yaml_get(pair->value, "count");
    const m2d__owner owner = { "part", pair->key, "count", HA_NOWHERE };
    size_t n_errors = ha_ctx_n_errors(r->ctx);
    double count = 0.0;

    if (node == NULL) {
        return 0;
    }
    (void) m2d__read_constant(r, node, HA__QUANTITY_NUMBER, owner, 1.0, &count);
    if (ha_ctx_n_errors(r->ctx) > n_errors) {
        return -1;
    }
    if (!(count >= 1.0 && count <= MOST_COUNT) || count != floor(count)) {
        m2d__reader_go_on(r, ha_fail(r->ctx, HA_ERR_LIMIT, ha__yaml_text_where(node),
                                     "%s is %.17g; give a whole number from 1 to "
                                     "%d",
                                     m2d__object(r, "count", "part", pair->key), count,
                                     (int) MOST_COUNT));
        return -1;
    }
    return (int) count;
}

/* Reads the parts of an entry; false after the first with an error. */
static bool read_row(m2d__reader *r, const ha__yaml_pair *pair, m2d__entry *entry, int count)
{
    const m2d__index *around = r->index;
    m2d__index index = { "i", 0.0, around };
    bool is_right = true;

    for (int i = 0; i < (count > 0 ? count : 1) && is_right && r->status != HA_ERR_MEMORY; i++) {
        m2d__instance part = { pair->key, entry, pair, NULL, NULL, 0, r->part };
        index.value = i;
        if (count > 0) {
            r->index = &index;
            part.name = ha__arena_format(r->ctx, &r->arena, "%s[%d]", pair->key, i);
        }
        is_right = part.name != NULL && read_one(r, &part);
        r->index = around;
        m2d__reader_go_on(r, part.name == NULL ? HA_ERR_MEMORY : HA_OK);
    }
    return is_right;
}

/* The submodel of a part; NULL after an error. */
static m2d__entry *find_entry(m2d__reader *r, const ha__yaml_pair *pair, const char *object)
{
    const ha__yaml_node *type = m2d__require(r, pair->value, object, "type");
    const char *name = type == NULL ? NULL : m2d__read_name(r, type, object);
    m2d__entry *entry = name == NULL ? NULL : m2d__find_submodel(r->library, name);

    if (name != NULL && entry == NULL) {
        const char *near = m2d__nearest_submodel(r, name);
        m2d__reader_go_on(r,
                          ha_fail(r->ctx, HA_ERR_NAME, ha__yaml_text_where(type),
                                  "%s has the unknown type `%s`; %s%s%s", object, name,
                                  near != NULL ? "did you mean the submodel `"
                                               : "add it to the `submodels`, or include its file",
                                  near != NULL ? near : "", near != NULL ? "`?" : ""));
    }
    if (entry == NULL) {
        return NULL;
    }
    entry->is_part = true;
    ha_status status = m2d__open_submodel(r, entry, type->where);
    m2d__reader_go_on(r, status);
    return status == HA_OK ? entry : NULL;
}

/* Reads a part or a row of them; false when it is not there. */
static bool read_part(m2d__reader *r, const ha__yaml_pair *pair)
{
    static const char *const keys[] = { "type", "parameters", "start", "count", "variant" };
    const char *object = m2d__object(r, NULL, "part", pair->key);
    size_t n_errors = ha_ctx_n_errors(r->ctx);

    if (m2d__check_keys(r, pair->value, object, keys, HA_COUNT(keys)) == HA_ERR_SYNTAX) {
        return false;
    }
    m2d__entry *entry = find_entry(r, pair, object);
    int count = read_count(r, pair);
    if (entry == NULL || count < 0 || entry->is_faulty ||
        (!entry->is_checked && m2d__check_body(r, entry) == HA_ERR_SYNTAX)) {
        return false;
    }
    entry->is_checked = true;
    return read_row(r, pair, entry, count) && ha_ctx_n_errors(r->ctx) == n_errors;
}

void m2d__read_parts(m2d__reader *r, const ha__yaml_node *root)
{
    const ha__yaml_node *section = m2d__section(r, root, "parts", "`parts`", HA__YAML_MAPPING);

    for (size_t i = 0; section != NULL && i < section->n && r->status != HA_ERR_MEMORY; i++) {
        if (!read_part(r, &section->pairs[i])) {
            m2d__reader_go_on(r, m2d__mark_faulty(r->mechanism, section->pairs[i].key));
        }
    }
}

void m2d__try_part(m2d__reader *r, m2d__entry *entry)
{
    m2d_mechanism *around = r->mechanism;
    static const ha__yaml_node nothing = { .kind = HA__YAML_MAPPING };
    const ha__yaml_pair pair = { entry->name, entry->where, &nothing };
    bool has_tables = entry->library->has_tables;

    r->mechanism = m2d_mechanism_new(r->ctx);
    if (m2d__reader_go_on(r, r->mechanism == NULL ? HA_ERR_MEMORY : HA_OK)) {
        m2d__instance part = { entry->name, entry, &pair, NULL, NULL, 0, NULL };
        m2d__library *library = m2d__seen_by(entry);
        library->has_tables = false;
        entry->is_part = true;
        if (m2d__check_body(r, entry) != HA_ERR_SYNTAX) {
            (void) read_one(r, &part);
        }
    }
    entry->library->has_tables = has_tables;
    m2d_mechanism_free(r->mechanism);
    r->mechanism = around;
}
