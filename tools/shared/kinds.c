/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outputs of one kind. A junction joins the components of its bonds; transformers, gyrators and
   fields keep theirs apart. */
#include <config.h>

#include "tools/shared/kinds.h"

#include "lib/core/mem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char LETTERS[] = "efpq"; /* the integrals behind what they are of */

enum { N_LETTERS = sizeof LETTERS - 1 };

/* The components of the bonds of a graph, and which of them junctions join. */
typedef struct {
    bg_graph *graph;
    int *first;  /* by bond: its first component */
    int *parent; /* by component: another that is joined with it, itself at the root */
    int *at;     /* by element, twice: the first components of its first two bonds; -1: none */
    int *place;  /* by element: its first place in `joined` */
    int *joined; /* by component of an element: a component of a bond there; -1: none yet */
} joints;

static int find_root(joints *j, int component)
{
    while (j->parent[component] != component) {
        component = j->parent[component] = j->parent[j->parent[component]];
    }
    return component;
}

static bool is_junction(const bg_graph *graph, bg_element element)
{
    const char *type = bg_element_type_name(graph, element);

    return strcmp(type, "0") == 0 || strcmp(type, "1") == 0;
}

/* Notes one end of a bond. */
static void note_end(joints *j, bg_bond bond, bg_element element, int first)
{
    int *at = &j->at[2 * element];

    if (!is_junction(j->graph, element)) {
        at[at[0] < 0 ? 0 : 1] = j->first[bond];
        return;
    }
    for (int c = 0; c < bg_bond_dim(j->graph, bond); c++) {
        int *joined = &j->joined[j->place[element] + first + c];
        int root = find_root(j, j->first[bond] + c);
        *joined = *joined < 0 ? root : *joined;
        j->parent[root] = find_root(j, *joined);
    }
}

static ha_status join(ha_ctx *ctx, joints *j)
{
    const bg_graph *graph = j->graph;
    const int n_elements = bg_graph_n_elements(graph), n_bonds = bg_graph_n_bonds(graph);
    int n_places = 0, n = 0;

    HA_TRY_ALLOC_EACH(ctx, (size_t) n_elements + 1, j->place);
    HA_TRY_ALLOC(ctx, j->at, 2 * (size_t) n_elements + 1);
    for (int i = 0; i < n_elements; i++) {
        j->place[i] = n_places;
        j->at[2 * i] = j->at[2 * i + 1] = -1;
        n_places += bg_element_dim(graph, i);
    }
    HA_TRY_ALLOC(ctx, j->joined, (size_t) n_places + 1);
    for (int i = 0; i < n_places; i++) {
        j->joined[i] = -1;
    }
    HA_TRY_ALLOC(ctx, j->first, (size_t) n_bonds + 1);
    for (int b = 0; b < n_bonds; b++) {
        j->first[b] = n;
        n += bg_bond_dim(graph, b);
    }
    HA_TRY_ALLOC(ctx, j->parent, (size_t) n + 1);
    for (int i = 0; i < n; i++) {
        j->parent[i] = i;
    }
    j->first[n_bonds] = n;
    for (int b = 0; b < n_bonds; b++) {
        note_end(j, b, bg_bond_tail(graph, b), bg_bond_tail_first(graph, b));
        note_end(j, b, bg_bond_head(graph, b), bg_bond_head_first(graph, b));
    }
    return HA_OK;
}

/* The element and the component that `path` names; -1: none. */
static bg_element find_component(const bg_graph *graph, char *path, int *component)
{
    bg_element element = bg_graph_find(graph, path);
    char *dot = strrchr(path, '.');

    *component = 0;
    if (element >= 0 || dot == NULL) {
        return element;
    }
    *dot = '\0';
    element = bg_graph_find(graph, path);
    *dot = '.';
    for (int c = 0; element >= 0 && c < bg_element_dim(graph, element); c++) {
        if (strcmp(bg_element_component(graph, element, c), path) == 0) {
            *component = c;
            return element;
        }
    }
    return -1;
}

/* The component of a bond whose quantity an output is, and the number of its letter; -1: none. */
static int find_quantity(const joints *j, const char *name, int *letter)
{
    char path[256];
    const char *dot = strrchr(name, '.');
    const char *found = dot == NULL || dot[1] == '\0' ? NULL : strchr(LETTERS, dot[1]);
    int component = 0;

    if (found == NULL || strspn(dot + 2, "12") != strlen(dot + 2) ||
        (size_t) (dot - name) >= sizeof path) {
        return -1;
    }
    snprintf(path, sizeof path, "%.*s", (int) (dot - name), name);
    bg_element element = find_component(j->graph, path, &component);
    int at = element < 0 ? -1 : j->at[2 * element + (dot[2] == '2' ? 1 : 0)];
    *letter = (int) (found - LETTERS);
    return at < 0 ? -1 : at + component;
}

/* --- sizes ----------------------------------------------------------------------------------- */

/* A unit and the largest magnitude of its outputs. */
typedef struct {
    const char *unit;
    double largest;
} unit_size;

typedef HA_ARRAY(unit_size) unit_sizes;

/* The sizes that outputs share. The last letter is none. */
typedef struct {
    unit_sizes units;
    joints joints;
    double *joined;                /* by component and letter, at the root */
    double letters[N_LETTERS + 1]; /* all without a unit */
} sizes;

/* The number of the entry of a unit, made where there is none; units are few. */
static ha_status find_unit(ha_ctx *ctx, unit_sizes *all, const char *unit, size_t *number)
{
    size_t i = 0;

    while (i < all->count && strcmp(all->items[i].unit, unit) != 0) {
        i++;
    }
    if (i == all->count) {
        HA_TRY_PUSH(ctx, all, (unit_size){ unit, 0.0 });
    }
    *number = i;
    return HA_OK;
}

/* Where the sizes of an output are; `own` is its own. */
static ha_status find_sizes(ha_ctx *ctx, sizes *s, const ha_result *result, size_t column,
                            double *own, double **largest, double **beside)
{
    const char *unit = ha_result_unit(result, column);
    int letter = N_LETTERS;
    size_t i = 0;

    if (unit[0] != '\0') {
        HA_TRY(find_unit(ctx, &s->units, unit, &i));
        *largest = *beside = &s->units.items[i].largest;
        return HA_OK;
    }
    int component = find_quantity(&s->joints, ha_result_name(result, column), &letter);
    *largest =
        component < 0 ? own : &s->joined[N_LETTERS * find_root(&s->joints, component) + letter];
    *beside = &s->letters[component < 0 ? N_LETTERS : letter];
    return HA_OK;
}

/* What may be of a momentum is also what efforts add up to over the run; likewise a displacement.
 */
static void widen(sizes *s, double t_end)
{
    for (int of = 0; of < N_LETTERS / 2; of++) {
        double *integral = &s->letters[N_LETTERS / 2 + of];
        *integral = fmax(*integral, t_end * s->letters[of]);
    }
}

static ha_status measure(ha_ctx *ctx, sizes *s, double t_end, const ha_result *result,
                         const ha_peak *peaks, double *largest, double *beside)
{
    HA_TRY(join(ctx, &s->joints));
    HA_TRY_ALLOC(ctx, s->joined,
                 N_LETTERS * (size_t) s->joints.first[bg_graph_n_bonds(s->joints.graph)] + 1);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t c = 1; c < ha_result_n_columns(result); c++) {
            const ha_peak *peak = &peaks[c - 1];
            double own = fmax(fabs(peak->max), fabs(peak->min)), *of_kind, *of_all;
            HA_TRY(find_sizes(ctx, s, result, c, &own, &of_kind, &of_all));
            if (pass == 0) {
                *of_kind = fmax(*of_kind, own);
                *of_all = fmax(*of_all, own);
            } else {
                largest[c - 1] = *of_kind;
                beside[c - 1] = *of_all;
            }
        }
        widen(s, t_end);
    }
    return HA_OK;
}

ha_status kinds_measure(ha_ctx *ctx, const cli_model *model, const ha_result *result,
                        const ha_peak *peaks, double *largest, double *beside)
{
    sizes s = { .joints = { .graph = model->graph } };
    ha_status status =
        measure(ctx, &s, model->options.solver.t_end, result, peaks, largest, beside);

    HA_ARRAY_CLEAR(&s.units);
    HA_FREE(s.joints.first, s.joints.parent, s.joints.at, s.joints.place, s.joints.joined,
            s.joined);
    return status;
}
