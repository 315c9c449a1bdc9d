/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compilation of equations: which outputs are wanted, and their tape. They come in the order in
 * which they are asked for, the parts of one name in that of the equations.
 */
#include <config.h>

#include "bondgraph/model/model_compile.h"

#include <string.h>

/* True when `name` is a part of `wanted`: `O.fx` of `O`. */
static bool is_part_of(const char *name, const char *wanted)
{
    size_t n = strlen(wanted);

    return strncmp(name, wanted, n) == 0 && name[n] == '.';
}

static ha_status refuse_output(const bg__compiler *c, const char *wanted)
{
    const char *near = NULL;
    int limit = 3;

    for (size_t i = 0; i < c->q->outputs.count; i++) {
        const char *name = c->q->outputs.items[i].name;
        int distance = ha__edit_distance(wanted, name, limit);
        if (distance <= limit) {
            near = name;
            limit = distance - 1;
        }
    }
    return ha_fail(c->q->ctx, HA_ERR_NAME, HA_NOWHERE,
                   "the output `%s` is not known%s%s%s; the outputs are the columns of a run "
                   "without a list",
                   wanted, near == NULL ? "" : "; did you mean `", near == NULL ? "" : near,
                   near == NULL ? "" : "`?");
}

/* Marks the outputs of which a name is the whole name, by 1 + the number of the name; `found` by
   this number. */
static void mark_exact(const bg__compiler *c, const ha__symtab *names, bool *found, int *marks)
{
    for (size_t i = 0; i < c->q->outputs.count; i++) {
        const char *name = c->q->outputs.items[i].name;
        int number = ha__symtab_find(names, name, strlen(name));
        if (number >= 0) {
            found[number] = true;
            marks[i] = number + 1;
        }
    }
}

/* Marks all outputs that are parts of this name and not marked yet. */
static ha_status mark_parts(bg__compiler *c, const char *wanted, int mark, int *marks)
{
    bool found = false;

    for (size_t i = 0; i < c->q->outputs.count; i++) {
        if (is_part_of(c->q->outputs.items[i].name, wanted)) {
            found = true;
            marks[i] = marks[i] == 0 ? mark : marks[i];
        }
    }
    return found ? HA_OK : refuse_output(c, wanted);
}

/* Marks all that are wanted; every unknown name is reported. */
static ha_status mark_all_wanted(bg__compiler *c, const char *const *wanted, int n_wanted,
                                 int *marks)
{
    ha__symtab names = { 0 };
    bool *found = ha__alloc(c->q->ctx, (size_t) n_wanted, sizeof *found);
    ha_status status = found == NULL ? HA_ERR_MEMORY : HA_OK;
    int number = 0;

    for (int i = 0; i < n_wanted && status == HA_OK; i++) {
        status = ha__symtab_add(c->q->ctx, &names, wanted[i], strlen(wanted[i]), &number, NULL);
    }
    if (status == HA_OK) {
        mark_exact(c, &names, found, marks);
    }
    for (int i = 0; i < n_wanted && status != HA_ERR_MEMORY; i++) {
        number = ha__symtab_find(&names, wanted[i], strlen(wanted[i]));
        ha_status one = found[number] ? HA_OK : mark_parts(c, wanted[i], number + 1, marks);
        status = one != HA_OK ? one : status;
    }
    ha__symtab_clear(&names);
    ha__free(found);
    return status;
}

/* The outputs with the sides of the switching functions held, if any but clocks are there. */
static ha_status compile_held(bg__compiler *c, ha_expr *roots, size_t n)
{
    bool is_any = false;

    for (size_t i = 0; i < c->switches.items.count; i++) {
        is_any = is_any || !c->switches.items.items[i].is_clock;
    }
    n = is_any ? n : 0;
    c->switches.is_closed = true;
    for (size_t i = 0; i < n; i++) {
        HA_TRY(ha__hold_sides(&c->switches, c->q->ctx, c->dag, roots[i], &roots[i]));
    }
    c->switches.is_closed = false;
    c->m->dae.held_output = is_any ? c->m->dae.held_output : NULL;
    return bg__model_add_tape(c, BG__TAPE_HELD, roots, n);
}

/* True of a switching function, by either sign, that is watched: |g| in a root bends at that event
   alone (expr_beyond.h). */
static bool is_watched(const ha__switches *s, ha_dag *dag, ha_expr g)
{
    const ha_expr both[] = { g, ha_neg(dag, g) };
    bool is_so = false;

    for (size_t i = 0; i < HA_COUNT(both); i++) {
        size_t node = (size_t) both[i];
        is_so = is_so || (node < s->number_of.count && s->number_of.items[node] > 0);
    }
    return is_so;
}

/* What an output is between two values: nothing that is solved for enters, or it may jump or bend
   where there is no event. */
static ha_status judge_output(bg__compiler *c, ha_expr value, int number)
{
    ha__switches own = { .time = c->q->time, .fixed = c->switches.fixed };
    ha_expr held = HA_EXPR_NONE;
    int reads_solved = 0;

    own.n_fixed = c->switches.n_fixed;
    HA_TRY(bg__model_reads_solved(c, value, &reads_solved));
    c->m->output_is_direct[number] = reads_solved == 0;
    c->m->dae.output_reads_solved |= reads_solved;
    c->switches.is_closed = true;
    ha_status status = ha__hold_sides(&c->switches, c->q->ctx, c->dag, value, &held);
    c->switches.is_closed = false;
    HA_THEN(status, ha__hold_sides(&own, c->q->ctx, c->dag, held, &held));
    for (size_t i = 0; i < own.items.count; i++) {
        bool is_event = is_watched(&c->switches, c->dag, own.items.items[i].g);
        c->m->output_may_jump[number] |= is_event ? 0 : 1;
    }
    HA_THEN(status, ha_dag_status(c->dag));
    ha__switches_clear(&own);
    return status;
}

/* Lists the marked outputs in the order of their marks (1 to `most`); `*n` of them. */
static ha_status sort_marked(bg__compiler *c, const int *marks, int most, size_t *n)
{
    size_t *next = ha__alloc(c->q->ctx, (size_t) most + 2, sizeof *next);

    HA_TRY_MEMORY(next);
    for (size_t i = 0; i < c->q->outputs.count; i++) {
        next[marks[i] + 1] += marks[i] > 0;
    }
    for (int k = 1; k <= most; k++) {
        next[k + 1] += next[k];
    }
    *n = next[most + 1];
    for (size_t i = 0; i < c->q->outputs.count; i++) {
        if (marks[i] > 0) {
            c->wanted[next[marks[i]]++] = i;
        }
    }
    ha__free(next);
    return HA_OK;
}

static ha_status compile_wanted(bg__compiler *c, size_t n)
{
    const bg_equations *q = c->q;
    bg_model *m = c->m;
    ha_expr *roots = ha__alloc(m->ctx, q->outputs.count, sizeof *roots);
    ha_status status = HA_OK;

    m->outputs = ha__alloc(m->ctx, q->outputs.count, sizeof *m->outputs);
    m->output_is_direct = ha__alloc(m->ctx, q->outputs.count, sizeof *m->output_is_direct);
    m->output_may_jump = ha__alloc(m->ctx, q->outputs.count, sizeof *m->output_may_jump);
    if (roots == NULL || m->outputs == NULL || m->output_is_direct == NULL ||
        m->output_may_jump == NULL) {
        status = HA_ERR_MEMORY;
    }
    for (size_t i = 0; i < n && status == HA_OK; i++) {
        ha_expr value = q->outputs.items[c->wanted[i]].value;
        m->outputs[i].name = bg__model_keep(m, q->outputs.items[c->wanted[i]].name);
        m->outputs[i].unit = bg__model_keep(m, q->outputs.items[c->wanted[i]].unit);
        status = m->outputs[i].name == NULL || m->outputs[i].unit == NULL ? HA_ERR_MEMORY : HA_OK;
        HA_THEN(status, judge_output(c, value, (int) i));
        roots[i] = value;
        m->dae.book_output = value == q->energy_error ? (int) i + 1 : m->dae.book_output;
    }
    m->dae.n_outputs = (int) n;
    m->dae.outputs = m->outputs;
    m->dae.output_is_direct = m->output_is_direct;
    m->dae.output_may_jump = m->output_may_jump;
    HA_THEN(status, bg__model_add_tape(c, BG__TAPE_OUTPUT, roots, n));
    HA_THEN(status, compile_held(c, roots, n));
    ha__free(roots);
    return status;
}

ha_status bg__model_compile_outputs(bg__compiler *c)
{
    return compile_wanted(c, c->n_wanted);
}

ha_status bg__model_choose_outputs(bg__compiler *c, const char *const *wanted, int n_wanted)
{
    size_t n = c->q->outputs.count;
    int *marks = ha__alloc(c->q->ctx, n, sizeof *marks);
    ha_status status = marks == NULL ? HA_ERR_MEMORY : HA_OK;

    c->wanted = ha__alloc(c->q->ctx, n, sizeof *c->wanted);
    status = c->wanted == NULL ? HA_ERR_MEMORY : status;
    for (size_t i = 0; i < n && status == HA_OK; i++) {
        marks[i] = wanted == NULL;
    }
    if (status == HA_OK && wanted != NULL) {
        status = mark_all_wanted(c, wanted, n_wanted, marks);
    }
    HA_THEN(status, sort_marked(c, marks, wanted == NULL ? 1 : n_wanted, &c->n_wanted));
    ha__free(marks);
    return status;
}
