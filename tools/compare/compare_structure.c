/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What differs in structure between two variants: which storages and constraints have another role
 * or are there in one only, which strokes are at another end, which equations are not in both.
 *
 * Bonds of two graphs are the same when they join elements of the same names at the same
 * components; equations are the same when their texts are.
 */
#include <config.h>

#include "tools/compare/comparison.h"

#include "lib/core/symtab.h"

#include <stdlib.h>
#include <string.h>

static const bg_role roles[] = { BG_INTEGRAL, BG_DERIVATIVE, BG_IMPLICIT, BG_EXPLICIT };

const char *compare_role_word(bg_role role)
{
    return role == BG_INTEGRAL     ? "storage in integral causality"
           : role == BG_DERIVATIVE ? "storage in derivative causality"
           : role == BG_IMPLICIT   ? "implicit constraint, with a multiplier"
           : role == BG_EXPLICIT   ? "explicit constraint"
                                   : "other";
}

/* Appends what `one` has in a role that `other` does not have in it. */
#define ADD_ROLES(ctx, one, other, list)                                                           \
    for (size_t r = 0; r < HA_COUNT(roles); r++) {                                                 \
        for (int i = 0; i < bg_causality_count(one, roles[r]); i++) {                              \
            const char *name = bg_causality_name(one, roles[r], i);                                \
            if (!has_role(other, roles[r], name)) {                                                \
                HA_TRY_PUSH(ctx, list, (compare_role){ name, roles[r] });                          \
            }                                                                                      \
        }                                                                                          \
    }

/* Names of a role are in order. */
static bool has_role(const bg_causality *causality, bg_role role, const char *name)
{
    int low = 0, high = bg_causality_count(causality, role);

    while (low < high) {
        int middle = low + (high - low) / 2;
        int order = strcmp(bg_causality_name(causality, role, middle), name);
        if (order == 0) {
            return true;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return false;
}

/* --- strokes -------------------------------------------------------------------------------- */

/* The name of a scalar bond among all bonds: its ends, and which of several between them. */
static ha_status name_bonds(ha_ctx *ctx, const bg_graph *graph, ha__symtab *table, int *numbers)
{
    ha__strbuf name = HA_STRBUF(ctx);
    ha_status status = HA_OK;

    for (bg_bond b = 0; b < bg_graph_n_bonds(graph) && status == HA_OK; b++) {
        int is_new = 0;
        for (int k = 0; !is_new && status == HA_OK; k++) {
            ha__strbuf_clear(&name);
            ha__strbuf_addf(&name, "%s\n%s\n%d", bg_element_name(graph, bg_bond_tail(graph, b)),
                            bg_element_name(graph, bg_bond_head(graph, b)), k);
            status = name.status != HA_OK
                         ? name.status
                         : ha__symtab_add(ctx, table, name.text, name.length, &numbers[b], &is_new);
        }
    }
    return ha__strbuf_drop(&name, status);
}

static ha_status match_bonds(const compare_job *first, const compare_job *other,
                             ha__symtab tables[2], int *numbers[2], compare_structure *out)
{
    ha_ctx *ctx = first->cli.ctx;
    const bg_graph *a = bg_causality_scalar_graph(first->run.model.causality);
    const bg_graph *b = bg_causality_scalar_graph(other->run.model.causality);

    HA_TRY_ALLOC(ctx, numbers[0], bg_graph_n_bonds(a), numbers[1], bg_graph_n_bonds(b));
    HA_TRY(name_bonds(ctx, a, &tables[0], numbers[0]));
    HA_TRY(name_bonds(ctx, b, &tables[1], numbers[1]));
    for (bg_bond i = 0; i < bg_graph_n_bonds(b); i++) {
        /* bonds and names are numbered alike: each bond has added one name */
        const char *name = ha__symtab_name(&tables[1], i);
        bg_bond j = ha__symtab_find(&tables[0], name, strlen(name));
        if (j < 0) {
            out->n_other_bonds++;
            continue;
        }
        out->n_common_bonds++;
        bg_stroke stroke_a = bg_causality_scalar_stroke(first->run.model.causality, j);
        bg_stroke stroke_b = bg_causality_scalar_stroke(other->run.model.causality, i);
        if (stroke_a != stroke_b) {
            compare_stroke stroke = { bg_element_name(a, bg_bond_tail(a, j)),
                                      bg_element_name(a, bg_bond_head(a, j)), stroke_a, stroke_b };
            HA_TRY_PUSH(ctx, &out->strokes, stroke);
        }
    }
    out->n_first_bonds = bg_graph_n_bonds(a) - out->n_common_bonds;
    return HA_OK;
}

static ha_status compare_strokes(const compare_job *first, const compare_job *other,
                                 compare_structure *out)
{
    ha__symtab tables[2] = { 0 };
    int *numbers[2] = { NULL, NULL };
    ha_status status = match_bonds(first, other, tables, numbers, out);

    for (int i = 0; i < 2; i++) {
        ha__symtab_clear(&tables[i]);
        ha__free(numbers[i]);
    }
    return status;
}

/* --- equations ------------------------------------------------------------------------------ */

/* A line without the numbers of bonds (`bond.f_24`), which shift when there are more of them. */
static void add_key(ha__strbuf *key, const char *line)
{
    static const char prefix[] = "bond.";
    const size_t length = sizeof prefix - 1;

    ha__strbuf_clear(key);
    for (const char *at = line, *end = NULL; *at != '\0'; at = end) {
        const char *found = strstr(at, prefix);
        end = found == NULL ? at + strlen(at) : found + length;
        ha__strbuf_add_bytes(key, at, (size_t) (end - at));
        if (found != NULL && end[0] != '\0' && end[1] == '_') { /* e_24 or f_24 */
            ha__strbuf_add_bytes(key, end, 1);
            end += 2;
            end += strspn(end, "0123456789");
        }
    }
}

/* Cuts a text to its lines, in place, and collects the keys of equations: headings are none. */
static ha_status cut_lines(ha_ctx *ctx, char *text, ha__strbuf *key, ha__symtab *table)
{
    int number = 0;

    for (char *line = text, *end = NULL; *line != '\0'; line = end) {
        end = line + strcspn(line, "\n");
        if (*end == '\n') {
            *end++ = '\0';
        }
        if (strchr(line, '=') != NULL) {
            add_key(key, line);
            HA_TRY(key->status);
            HA_TRY(ha__symtab_add(ctx, table, key->text, key->length, &number, NULL));
        }
    }
    return HA_OK;
}

/* The equations of a text of `length` bytes, cut to lines, that a table does not have. */
#define ADD_LINES(ctx, cut_text, text_length, key, table, list)                                    \
    for (const char *line = (cut_text); line < (cut_text) + (text_length);                         \
         line += strlen(line) + 1) {                                                               \
        if (strchr(line, '=') != NULL) {                                                           \
            add_key((key), line);                                                                  \
            HA_TRY((key)->status);                                                                 \
            if (ha__symtab_find((table), (key)->text, (key)->length) < 0) {                        \
                HA_TRY_PUSH((ctx), (list), line);                                                  \
            }                                                                                      \
        }                                                                                          \
    }

static ha_status match_lines(ha_ctx *ctx, ha__strbuf *key, ha__symtab tables[2],
                             compare_structure *out)
{
    size_t n_first = strlen(out->first_text), n_other = strlen(out->other_text);

    HA_TRY(cut_lines(ctx, out->first_text, key, &tables[0]));
    HA_TRY(cut_lines(ctx, out->other_text, key, &tables[1]));
    ADD_LINES(ctx, out->first_text, n_first, key, &tables[1], &out->first_lines);
    ADD_LINES(ctx, out->other_text, n_other, key, &tables[0], &out->other_lines);
    return HA_OK;
}

static ha_status compare_equations(const compare_job *first, const compare_job *other,
                                   compare_structure *out)
{
    ha_ctx *ctx = first->cli.ctx;
    ha__strbuf key = HA_STRBUF(ctx);
    ha__symtab tables[2] = { 0 };

    HA_TRY(bg_equations_text(first->run.model.causality, &out->first_text));
    HA_TRY(bg_equations_text(other->run.model.causality, &out->other_text));
    ha_status status = match_lines(ctx, &key, tables, out);
    ha__strbuf_clear(&key);
    ha__symtab_clear(&tables[0]);
    ha__symtab_clear(&tables[1]);
    return status;
}

/* -------------------------------------------------------------------------------------------- */

static ha_status find_all(const compare_job *first, const compare_job *other,
                          compare_structure *out)
{
    const bg_causality *a = first->run.model.causality, *b = other->run.model.causality;

    ADD_ROLES(first->cli.ctx, a, b, &out->first_roles);
    ADD_ROLES(first->cli.ctx, b, a, &out->other_roles);
    HA_TRY(compare_strokes(first, other, out));
    return compare_equations(first, other, out);
}

bool compare_have_structures(const compare_job *first, const compare_job *other)
{
    const bg_causality *a = first->run.model.causality, *b = other->run.model.causality;

    return a != NULL && b != NULL && bg_causality_status(a) == HA_OK &&
           bg_causality_status(b) == HA_OK;
}

ha_status compare_structures(const compare_job *first, const compare_job *other,
                             compare_structure *out)
{
    *out = (compare_structure){ 0 };
    ha_status status = find_all(first, other, out);
    if (status != HA_OK) {
        compare_structure_clear(out);
    }
    return status;
}

void compare_structure_clear(compare_structure *structure)
{
    HA_ARRAY_CLEAR(&structure->first_roles, &structure->other_roles, &structure->strokes,
                   &structure->first_lines, &structure->other_lines);
    free(structure->first_text);
    free(structure->other_text);
    *structure = (compare_structure){ 0 };
}
